"""What can be chosen on the page: games, agents, selection functions and files.

This is the only way from a text that a browser sent to an object. A game, an agent or a file is named by its place in a list
that was made when the server started; no text is ever a path or names a file of code. A user's own game or agent is in the
lists if it was named on the command line. The rest of a choice are parameters, `key=value,key=value`, which hold numbers and
words alone.
"""

import pathlib
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from ..arena.agents import AGENTS, SPELLED, StrategyAgent, load_agent, require_fit, with_budget, with_parameters
from ..bandits import BANDITS, load_bandit
from ..contract import check
from ..errors import Invalid
from ..games import GAMES
from ..learn.weights import shipped
from ..solvers.saved import load_strategy
from ..strategy import Strategy
from ..text.naming import load
from ..text.parameters import build, merged, parts, replaced, valid

LETTERS = re.compile(r"[\w=.,:+\-\[\] ]*")  # of parameters: no slash, no quotes
MOST_LETTERS = 300
CODE = re.compile(r"\.(py|npz|efg|nfg|json)\b", re.IGNORECASE)  # how names of files end
AGENT_NAMES = tuple(name for name in AGENTS if name not in SPELLED)  # those that need no file and no program
SAVED = "strategy/"  # before the id of a saved strategy, where it is an agent
ITERATIONS, MOST_ITERATIONS = 10_000, 100_000_000  # a move


class Offer(NamedTuple):
    """What was named on the command line, besides what comes with the package."""

    games: dict[str, str] = {}  # by name, the text that `load` reads
    agents: dict[str, str] = {}
    strategies: dict[str, str] = {}  # by id, a path

    def game_names(self) -> list[str]:
        return list(dict.fromkeys([*self.games, *GAMES]))

    def agent_names(self) -> list[str]:
        return [*self.agents, *AGENT_NAMES]

    def game(self, name: str, parameters: str = "") -> Any:
        """A game of the list, with parameters."""
        text = clean(parameters)
        if name in self.games:
            return replaced(load(self.games[name]), text, self.game_text(name))
        self.require_game(name)
        return build(GAMES[name], text, name)

    def game_text(self, name: str, parameters: str = "") -> str:
        """A game and its parameters as people read and type them."""
        head, _, given = name.rpartition(":") if "=" in name.rpartition(":")[2] else (name, "", "")
        both = merged(given, parameters)
        return f"{head}:{both}" if both else head

    def require_game(self, name: str) -> None:
        if name not in self.game_names():
            raise Invalid(f"there is no game '{name[:40]}': valid are {', '.join(self.game_names())}")

    def checked_game(self, name: str, parameters: str = "") -> Any:
        """A game that is about to be compiled. A mistake in a user's own game could crash compiled code, so the game is
        checked before, in plain Python."""
        made = self.game(name, parameters)
        if name in self.games:
            check(made, histories=1_000, games=10)
        return made

    def agent(self, choice: "Choice", game: Any, seed: int, *path: int) -> Any:
        """An agent of the list. `strategy/ID` plays a saved strategy."""
        if choice.name.startswith(SAVED):
            agent: Any = StrategyAgent(load_strategy(self._path(choice.name.removeprefix(SAVED)), game), seed, *path)
        else:
            agent = load_agent(self.agent_text(choice), seed, *path)
        require_fit(agent, game)
        return agent

    def agent_text(self, choice: "Choice") -> str:
        """The text that names an agent on the command line."""
        text = clean(choice.parameters)
        for part in parts(text):
            key, _, value = part.partition("=")
            if key.strip() == "weights" and value.strip() not in shipped():
                raise Invalid(f"weights are chosen by name: valid are {', '.join(shipped())}")
        if choice.name not in self.agent_names():
            raise Invalid(f"there is no agent '{choice.name[:40]}': valid are {', '.join(self.agent_names())}")
        if not 1 <= choice.iterations <= MOST_ITERATIONS:
            raise Invalid(f"iterations must be a whole number from 1 to {MOST_ITERATIONS:,}, not {choice.iterations:,}")
        return with_budget(with_parameters(self.agents.get(choice.name, choice.name), text), choice.iterations)

    def require_agent(self, choice: "Choice") -> None:
        """Refuse an agent that is not in the list, or whose parameters are wrong."""
        if choice.name.startswith(SAVED):
            self._path(choice.name.removeprefix(SAVED))
        else:
            load_agent(self.agent_text(choice))

    def strategy(self, id: str, game: Any) -> Strategy:
        """A saved strategy of the list, which must belong to the game."""
        return Strategy.load(self._path(id), game)

    def _path(self, id: str) -> "Listed":
        if id not in self.strategies:
            raise Invalid(f"there is no strategy '{id[:40]}': valid are {', '.join(self.strategies) or 'none'}")
        return Listed(id, self.strategies[id])


class Listed(NamedTuple):
    """A file of a list: it is opened by its path, and a message calls it by its name in the list."""

    id: str
    path: str

    def __fspath__(self) -> str:
        return self.path

    def __str__(self) -> str:
        return f"the saved strategy {self.id}"


class Choice(NamedTuple):
    """An agent as people choose one: a name, parameters, and a budget where the parameters give none."""

    name: str
    parameters: str = ""
    iterations: int = ITERATIONS


def clean(text: str) -> str:
    """Parameters that hold numbers and words alone."""
    text = text.strip()
    if len(text) > MOST_LETTERS or not LETTERS.fullmatch(text) or CODE.search(text):
        raise Invalid(
            f"parameters are written key=value,key=value with numbers and words, in {MOST_LETTERS} letters at most, and name "
            "no files"
        )
    return text


def bandit(text: str) -> tuple[str, Any]:
    """A selection function by its text, and its name."""
    text = clean(text)
    if text.partition(":")[0] not in BANDITS:
        raise Invalid(f"there is no selection function '{text[:40]}': valid are {', '.join(BANDITS)}")
    return text, load_bandit(text)


def joined(fields: dict[str, str]) -> str:
    """Parameters from the fields of a form; an empty field keeps its default."""
    return ",".join(f"{key}={value.strip()}" for key, value in fields.items() if value.strip())


def parameters_of(game: Any) -> list[tuple[str, str, str]]:
    """(name, value here, what is valid) of each parameter that can be typed."""
    rules = getattr(type(game), "accepts", {})
    here = {field: getattr(game, field) for field in game._fields}
    kinds = {field: rules.get(field) or type(value) for field, value in here.items()}
    said = {field: "yes or no" if kind is bool else valid(kind) for field, kind in kinds.items()}
    typed = [(field, _short(value), said[field]) for field, value in here.items()]
    return [(field, value, words) for field, value, words in typed if value is not None]


def _short(value: Any) -> str | None:
    """A value as it is typed; None if it is no number and no word."""
    if hasattr(value, "name"):
        return value.name.lower().replace("_", "-")
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (int, float, str)):
        return str(value)
    if hasattr(value, "tolist"):
        return str(value.tolist()).replace(" ", "")
    return None


def strategy_files(folder: str, named: Sequence[str] = ()) -> dict[str, str]:
    """Saved strategies by id: those that were named, and those in a folder."""
    paths = [*map(pathlib.Path, named), *sorted(pathlib.Path(folder).glob("*.npz"))]
    for path in paths[: len(named)]:
        if not path.is_file():
            raise Invalid(f"there is no file {path}")
    found: dict[str, str] = {}
    for path in paths:
        if path.is_file() and str(path.resolve()) not in found.values():
            name, count = path.stem, 1
            while name in found:  # it ends: there are fewer names than paths
                count += 1
                name = f"{path.stem}-{count}"
            found[name] = str(path.resolve())
    return found
