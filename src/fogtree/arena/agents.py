"""Who can sit at a table.

An agent is an object with `act(sight)`: it gets what its seat may see, never the state, and returns an action, or the
text of one, which the referee reads. So cheating is impossible by signature. `load("random", seed)` finds an agent by
its name on the command line:

    random                           every legal action equally likely
    rm   exp3:gamma=0.2              IS-MCTS with that bandit, searching anew at each move from what its seat believes
    uct:c=1,iterations=5000          with a budget a move; also seconds=0.1
    rm:kept=yes                      keeps its tree from move to move
    rm:most=yes                      plays its likeliest action instead of drawing from its mix (uct does so by default)
    strategy:file.npz                plays a saved strategy
    belief                           the Belief Sampler of Auger 2011, in games that have an open twin
"""

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import numpy as np

from .. import dice
from ..bandits import BANDITS, bandit_name, load_bandit
from ..errors import Invalid
from ..game import identity
from ..search.belief import Belief
from ..search.ismcts import ISMCTS
from ..search.sampler import BeliefSampler
from ..strategy import Strategy
from ..text.parameters import as_value, parts

ITERATIONS = 10_000  # a move, where an agent's name gives no budget


class Sight(NamedTuple):
    """All that an agent gets to know when it is to move."""

    game: Any
    seat: int
    view: int
    actions: tuple[int, ...]
    labels: tuple[str, ...]  # [action] as people write them
    text: str  # what game.show prints for this seat


class Agent(Protocol):
    """An agent may also have `refused(sentence)`: then an illegal action is told there, and it is asked again; and
    `fresh()`, which is called when a match begins."""

    def act(self, sight: Sight) -> int | str: ...


class RandomAgent:
    """Every legal action equally likely. The path splits the seed, as in `dice.seeded`."""

    def __init__(self, seed: int = 0, *path: int):
        self.random = dice.seeded(seed, *path)

    def act(self, sight: Sight) -> int:
        with np.errstate(over="ignore"):  # random bits wrap round
            return sight.actions[dice.below(self.random, len(sight.actions))]


class HumanAgent:
    """A person, who is told what their seat sees and asked for a move. EOFError and KeyboardInterrupt go to the caller."""

    def __init__(self, ask: Callable[[str], str] = input, tell: Callable[[str], Any] = print):
        self.ask, self.tell = ask, tell
        self.again = False

    def act(self, sight: Sight) -> str:
        if not self.again:
            self.tell(f"\n{sight.text}")
        self.again = False
        return self.ask(f"player {sight.seat}, your move ({' '.join(sight.labels)}): ")

    def refused(self, sentence: str) -> None:
        self.tell(sentence)
        self.again = True


class Thought(NamedTuple):
    """What a search agent believed and meant at one of its moves, for people who ask afterwards."""

    view: int
    text: str  # what its seat saw
    states: int  # that it believed possible
    coverage: float  # of all such states
    mix: dict[str, float]  # action label -> probability
    played: str
    iterations: int  # of the tree that the mix came from; 0 where there was nothing to choose


class SearchAgent:
    """IS-MCTS from the states that the seat believes possible, each equally likely (Lisy 2014).

    It searches anew at each move, or goes on with its tree (`kept`); it draws from the resulting mix, or plays the likeliest
    action (`most`). One agent plays any number of matches: `fresh` begins the next, and where nobody calls it, a view that
    can only be the first of a match does.
    """

    def __init__(
        self,
        bandit: Any,
        seed: int = 0,
        *path: int,
        iterations: int | None = None,
        seconds: float | None = None,
        kept: bool = False,
        most: bool = False,
    ):
        if iterations is None and seconds is None:
            iterations = ITERATIONS
        if (iterations is not None and iterations < 1) or (seconds is not None and seconds <= 0):
            raise Invalid("an agent's budget is 1 iteration or more, or more than 0 seconds")
        self.bandit, self.iterations, self.seconds, self.kept, self.most = bandit, iterations, seconds, kept, most
        self.random = dice.seeded(seed, *path)
        self.thoughts: list[Thought] = []
        self._belief: Belief | None = None
        self._table = ("", 0)  # the game and the seat of the belief
        self._search: ISMCTS | None = None

    def fresh(self) -> None:
        """A new match begins."""
        self.thoughts, self._belief, self._search = [], None, None

    def act(self, sight: Sight) -> int:
        with np.errstate(over="ignore"):  # random bits wrap round
            belief = self._believe(sight)
            roots, done = belief.state, 0
            mix = dict.fromkeys(sight.actions, 1.0 / len(sight.actions))
            if len(roots) and len(sight.actions) > 1:
                if self._search is None or not self.kept:
                    self._search = ISMCTS(sight.game, self.bandit, self._draw_seed())
                self._search.run(iterations=self.iterations, seconds=self.seconds, roots=roots)
                mix = self._search.policy(sight.seat, sight.view) or mix
                done = self._search.iterations
            action = self._pick(mix)
        belief.acted(sight.view, action)
        labels = dict(zip(sight.actions, sight.labels, strict=True))
        named = {labels[a]: p for a, p in mix.items()}
        thought = Thought(sight.view, sight.text, len(roots), belief.coverage, named, labels[action], done)
        self.thoughts.append(thought)
        return action

    def _believe(self, sight: Sight) -> Belief:
        """The belief that goes with what the seat sees: that of this match, or that of a new one if it began here."""
        table = (identity(sight.game), sight.seat)
        belief = self._belief if self._table == table else None
        if belief is None or not len(belief.observe(sight.view)):
            anew = Belief(sight.game, sight.seat, seed=self._draw_seed())
            if len(anew.observe(sight.view)) or belief is None:
                self.fresh()
                self._table, self._belief = table, anew
                return anew
        return belief

    def _pick(self, mix: dict[int, float]) -> int:
        if self.most:
            best = max(mix.values())
            top = [action for action, share in mix.items() if share == best]
            return top[dice.below(self.random, len(top))]
        return list(mix)[dice.pick(self.random, list(mix.values()), len(mix))]

    def _draw_seed(self) -> int:
        return int(dice.draw(self.random) >> np.uint64(1))


class StrategyAgent:
    """Plays a strategy: what was solved, or saved."""

    def __init__(self, strategy: Strategy, seed: int = 0, *path: int):
        self.strategy, self.random = strategy, dice.seeded(seed, *path)

    def act(self, sight: Sight) -> int:
        self.strategy.belongs_to(sight.game)
        with np.errstate(over="ignore"):
            try:
                mix = self.strategy[sight.seat, sight.view]
            except KeyError:
                return sight.actions[dice.below(self.random, len(sight.actions))]
            return list(mix)[dice.pick(self.random, list(mix.values()), len(mix))]


class BeliefAgent:
    """Plays as a Belief Sampler (`search/sampler.py`)."""

    def __init__(self, seed: int = 0, *path: int):
        self.random = dice.seeded(seed, *path)

    def act(self, sight: Sight) -> int:
        mix = BeliefSampler(sight.game).mix(sight.seat, sight.view, sight.actions)
        with np.errstate(over="ignore"):
            return sight.actions[dice.pick(self.random, mix, len(mix))]


OWN = {"iterations": int, "seconds": float, "kept": bool, "most": bool}  # parameters of the agent, not of its bandit
SIMPLE: dict[str, Any] = {"random": RandomAgent, "belief": BeliefAgent}  # agents without parameters


def load(text: str, seed: int = 0, *path: int) -> Agent:
    """The agent that a text names. The path splits the seed."""
    known, _, rest = text.strip().partition(":")
    if known in SIMPLE:
        if rest:
            raise Invalid(f"the agent {known} has no parameters: write {known}")
        return SIMPLE[known](seed, *path)
    if known == "strategy":
        return StrategyAgent(Strategy.load(rest), seed, *path)
    if known not in BANDITS:
        raise Invalid(
            f"there is no agent '{known}': valid are {', '.join(SIMPLE)}, strategy:FILE, {', '.join(BANDITS)}"
        )
    own: dict[str, Any] = {"most": known == "uct"}
    bandit = []
    for part in parts(rest):
        key, _, value = part.partition("=")
        if key.strip() not in OWN:
            bandit.append(part)
            continue
        kind, given = OWN[key.strip()], as_value(value.strip())
        if isinstance(given, bool) != (kind is bool) or not isinstance(given, (int, kind)):
            raise Invalid(
                f"{known}: {key.strip()} must be {'true or false' if kind is bool else 'a number'}, not '{value}'"
            )
        own[key.strip()] = given
    try:
        return SearchAgent(load_bandit(f"{known}:{','.join(bandit)}"), seed, *path, **own)
    except Invalid as error:
        if "has no parameter" in str(error):
            raise Invalid(f"{error}, {', '.join(OWN)}") from None
        raise


def check_seat(agent: Agent, game: Any) -> None:
    """Refuse an agent that cannot play this game, before a match begins."""
    if isinstance(agent, StrategyAgent):
        agent.strategy.belongs_to(game)
    elif isinstance(agent, BeliefAgent):
        BeliefSampler(game)


def name(agent: Agent) -> str:
    """What an agent is called in tables."""
    return bandit_name(agent.bandit) if isinstance(agent, SearchAgent) else type(agent).__name__
