"""The referee: plays one game between agents. It alone holds the state; an agent gets the sight of its player. This is the
match loop for agents; `measure/match.py` is the one for policies, and says what both have in common.

Chance and the agents draw from seeds of their own, so a match can be played again; its moves are the record, and `replay`
walks through them.

An agent that resigns, raises, answers with an illegal action or takes too long forfeits, and its whole side loses: the reason
is kept, and whoever asked for the match goes on. What everybody gets then is in `forfeited`. An agent that does not answer at
all is ended when its time is up (`patience.py`).
"""

import contextlib
import functools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from .. import dice
from ..clock import clock
from ..entrance import native
from ..errors import Broken, FogtreeError, Illegal, Invalid
from ..game import CHANCE, OVER, REFEREE, Shape, label, legal, new_state, odds, read, show, sides
from ..text import markup
from ..text.naming import as_game
from ..text.notation import Course, notation
from ..walk.slices import whole
from .agents import Agent, as_agent, name, several
from .patience import TimeIsUp, patience
from .sight import Resigned, Sight, Stuck, sight

IMAGINING = 1  # the part of a match's seed from which worlds are drawn, so that chance's own dice are left alone
MOST_ILLEGAL = 1_000  # illegal answers in a row, of an agent that is told what is wrong with each


class Move(NamedTuple):
    player: int  # or CHANCE
    action: int
    label: str


class Forfeit(NamedTuple):
    player: int
    reason: str
    resigned: bool = False


class Match(NamedTuple):
    """How a game went."""

    payoffs: tuple[float, ...]  # [player]
    moves: tuple[Move, ...]  # from the start of the game; or of the match, if it is not known how it came there
    end: str  # the last state as the referee sees it
    forfeit: Forfeit | None = None
    unfinished: bool = False  # it was as long as the longest match that was allowed

    def _repr_html_(self) -> str:
        moves = ((number, _called(move.player), move.label) for number, move in enumerate(self.moves, 1))
        paid = ", ".join(f"{_called(player)}: {payoff:g}" for player, payoff in enumerate(self.payoffs))
        ended = f"; forfeited by {_called(self.forfeit.player)}: {self.forfeit.reason}" if self.forfeit else ""
        rows = [*moves, ("", "the end", self.end)]
        return markup.table(("", "who", "move"), rows, f"payoffs {paid}{' (unfinished)' if self.unfinished else ended}")


def _called(player: int) -> str:
    return "chance" if player == CHANCE else f"player {player}"


def play(
    game: Any,
    agents: Sequence[Any],
    *,
    seed: int = 0,
    seconds: float | Sequence[float | None] | None = None,
    longest: int | None = None,
    start: Course | None = None,
    watch: Callable[[int], contextlib.AbstractContextManager] | None = None,
    look: Callable[["MatchState"], Any] | None = None,
) -> Match:
    """Play one game, an agent a player; the seed is chance's. An agent may be the text that names it, or what it plays: a
    strategy, a solution or a search.

    `seconds` is the most that an agent may take for a move, or a list with a limit for each player, None for none; compiling
    is not counted. `longest` is the most moves of a match: it is then left, and everybody gets the middle between the lowest
    and the highest payoff, as in a draw. `start` is where to begin
    (`from_notation` reads one): an agent with a method `follow` is told of the moves that its player has made before.
    `watch(player)` is called before a player is asked, and what it returns is a context that is left when the player has
    answered. `look(table)` is called before the first move and after each: it is for whoever shows or records the match, and
    sees all.
    """
    game = as_game(game)
    shape, agents = game.shape(), several(agents)
    if len(agents) != shape.players:
        raise Invalid(f"the game has {shape.players} players, so it needs {shape.players} agents, not {len(agents)}")
    longest = None if longest is None else whole(longest, "longest")
    agents = [as_agent(given, seed, player) for player, given in enumerate(agents)]
    limits = [*seconds] if isinstance(seconds, Sequence) else [seconds] * shape.players
    if len(limits) != shape.players:
        raise Invalid(f"`seconds` is a number, or one for each of the {shape.players} players, not {len(limits)}")
    forfeit, look = None, look or (lambda table: None)
    for player, agent in enumerate(agents):
        if forfeit is None and hasattr(agent, "fresh"):
            forfeit = _told(agent, player, limits[player], agent.fresh)
    with np.errstate(over="ignore"):  # views may be hashes, which wrap round
        table = MatchState(game, seed, start)
        if forfeit is None:
            forfeit = table.begin(agents, limits, start)
        look(table)
        while forfeit is None and (player := int(game.player(table.state))) != OVER:
            if longest is not None and table.played >= longest:
                break
            if len(table.moves) >= shape.moves:
                raise Broken(f"{type(game).__name__}.player goes on after {shape.moves} moves, the most shape() allows")
            if player == CHANCE:
                table.step(table.throw())
                look(table)
                continue
            with watch(player) if watch else contextlib.nullcontext():
                answer = _ask(agents[player], game, table.state, table.sight(player), limits[player])
            if isinstance(answer, Forfeit):
                forfeit = answer
            else:
                table.step(answer)
                look(table)
        unfinished = forfeit is None and int(game.player(table.state)) != OVER
        if forfeit:
            payoffs = forfeited(shape, sides(game), forfeit.player)
        elif unfinished:
            payoffs = (0.5 * (shape.low + shape.high),) * shape.players
        else:
            payoffs = tuple(float(game.payoff(table.state, player)) for player in range(shape.players))
        return Match(payoffs, tuple(table.moves), show(game, table.state, REFEREE), forfeit, unfinished)


class MatchState:
    """Where a match stands: the state, the moves, and the dice of chance and of imagined worlds."""

    def __init__(self, game: Any, seed: int, start: Course | None):
        self.game, self.state = game, new_state(game)
        self.moves: list[Move] = []
        self.start = ""
        if start is not None and not start.moves and hasattr(game, "notation"):  # how it came there is not known
            self.start = notation(game, start.state)
        self._chance = dice.seeded(seed)
        players = range(game.shape().players) if hasattr(game, "imagine") else ()
        self._worlds = {player: dice.seeded(seed, IMAGINING, player) for player in players}
        self._before = 0

    def begin(self, agents: Sequence[Agent], limits: Sequence[float | None], start: Course | None) -> Forfeit | None:
        """Go to where the match begins, and tell the agents what their players have done before."""
        forfeit = None
        for player, action in start.moves if start else ():
            agent: Any = agents[player] if player != CHANCE else None
            if forfeit is None and hasattr(agent, "follow"):
                follow = functools.partial(agent.follow, self.sight(player), action)
                forfeit = _told(agent, player, limits[player], follow)
            self.step(action)
        if start is not None:
            self.state[:] = start.state
        self._before = len(self.moves)
        return forfeit

    @property
    def played(self) -> int:
        """How many moves were made since the match began."""
        return len(self.moves) - self._before

    def throw(self) -> int:
        """A move of chance."""
        chances = odds(self.game, self.state)
        return legal(self.game, self.state)[dice.pick(self._chance, chances, len(chances))]

    def sight(self, player: int) -> Sight:
        pairs = tuple((move.player, move.action) for move in self.moves) if self.game.shape().open else ()
        random = self._worlds.get(player)
        return sight(self.game, self.state, player, moves=pairs, start=self.start, random=random)

    def step(self, action: int) -> None:
        self.moves.append(Move(int(self.game.player(self.state)), action, label(self.game, self.state, action)))
        self.game.step(self.state, action)


def forfeited(shape: Shape, side: Sequence[int], culprit: int) -> tuple[float, ...]:
    """What each player gets when one forfeits. `side` is the side of each player.

    The culprit's whole side loses, for partners play together: each of them gets the lowest payoff of the game. In a zero-sum
    game the other players share equally what that side loses, so the payoffs still sum to 0; where this would give them more
    than the highest payoff, they get the highest, and the losing side loses only that much. In other games nobody pays for
    what the others get, and each of them gets the highest payoff.

    >>> forfeited(Shape(3, 1, 1, 1, -2.0, 2.0), (0, 1, 2), 0)      # three who play alone
    (-2.0, 1.0, 1.0)
    >>> forfeited(Shape(4, 1, 1, 1, -1.0, 1.0), (0, 1, 0, 1), 2)   # partners sit across
    (-1.0, 1.0, -1.0, 1.0)
    """
    losers = sum(one == side[culprit] for one in side)
    others = len(side) - losers
    lost, won = shape.low, shape.high
    if shape.zero_sum:
        paid = min(-shape.low * losers, shape.high * others)
        lost, won = -paid / losers, paid / others if others else 0.0
    return tuple(float(lost if one == side[culprit] else won) for one in side)


def replay(game: Any, moves: Sequence[Move], start: Course | None = None) -> list[np.ndarray]:
    """The states of a recorded match, the first and the last included."""
    with np.errstate(over="ignore"):
        states = [new_state(game) if start is None else start.state.copy()]
        for number, move in enumerate(moves, 1):
            state = states[-1].copy()
            if game.player(state) != move.player or move.action not in legal(game, state):
                raise Illegal(
                    f"move {number} of the record, {move.label} by player {move.player}, is not possible here"
                )
            game.step(state, move.action)
            states.append(state)
    return states


def _ask(agent: Agent, game: Any, state: np.ndarray, seen: Sight, seconds: float | None) -> int | Forfeit:
    """The agent's action. One that can be told (`refused`) is asked again after an illegal answer, others forfeit."""

    def ask() -> int | Forfeit:
        for _ in range(MOST_ILLEGAL):
            try:
                answer = agent.act(seen)
                if isinstance(answer, str):
                    return read(game, state, answer)
                if answer in seen.actions:
                    return int(answer)
                raise Illegal(f"{answer} is not a legal action here: choose from {', '.join(map(str, seen.actions))}")
            except Illegal as error:
                if not hasattr(agent, "refused"):
                    return Forfeit(seen.player, f"{name(agent)}: {error}")
                agent.refused(str(error))
        return Forfeit(seen.player, f"{name(agent)} gave {MOST_ILLEGAL:,} illegal answers in a row")

    return _guarded(agent, seen.player, seconds, ask)


def _told(agent: Agent, player: int, seconds: float | None, call: Callable[[], Any]) -> Forfeit | None:
    """Tell an agent something that needs no answer."""
    answer = _guarded(agent, player, seconds, call)
    return answer if isinstance(answer, Forfeit) else None


def _guarded(agent: Agent, player: int, seconds: float | None, call: Callable[[], Any]) -> Any:
    """What a call of an agent returns, or its forfeit: an error of the agent's costs it this match alone."""
    kind, began = name(agent), clock()
    try:
        with patience(seconds):
            answer = call()
    except TimeIsUp:
        return Forfeit(player, f"{kind} has not answered: {seconds:.3g} s are allowed for a move")
    except Resigned:
        return Forfeit(player, f"{kind} resigned", resigned=True)
    except Stuck as error:
        return Forfeit(player, f"{kind} cannot go on: {error}")
    except (FogtreeError, EOFError) as error:
        if native(type(agent)):
            raise  # a bad parameter or a person who leaves: not the agent's fault
        return Forfeit(player, f"{kind} raised {type(error).__name__}: {error}")
    except (Exception, SystemExit) as error:
        return Forfeit(player, f"{kind} raised {type(error).__name__}: {error}")
    took = clock() - began
    if seconds is not None and took > seconds:
        return Forfeit(player, f"{kind} took {took:.3g} s for a move, {seconds:.3g} s are allowed")
    return answer
