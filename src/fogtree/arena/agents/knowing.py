"""The agent that plays by knowledge-limited subgame solving (`search/worlds/kluss.py`).

    kluss:seconds=1              seconds a move, all that it does counted; or iterations=10000, walks in its tree
    kluss:positions=100000       how many positions that fit it follows exactly; beyond, a sample of them
    kluss:gather=128             how many of them it thinks about at least
    kluss:play=last              plays the last mix as it is, or play=average the mean of the mixes, and not a purified one
    kluss:weights=FILE           judges by learned weights in place of the game's own evaluation
    kluss:order=1                keeps what it holds possible and nothing else; 2, what the other then may; 3 ...
    kluss:common=0               never keeps all that could be common knowledge; 1024, where it is no more histories
    kluss:frozen=yes             does not solve its own sets again that it does not hold possible (KLSS)
    kluss:even=1                 draws all groups of the gadget evenly; half of them, by default
    kluss:growth=both            both players explore when the tree grows, and not one in turn

The last five change or leave out a part of the method, to measure what it is worth.
Without `positions`, they are as many as can be followed in about a third of the seconds.
"""

import functools
import math
from typing import Any, NamedTuple

import numpy as np

from ... import dice
from ...clock import clock
from ...evaluation import features_of
from ...game import identity
from ...learn.weights import load_weights
from ...search.online.limited import KnowledgeLimited
from ...search.worlds.belief import Keep
from ...search.worlds.held import held
from ...search.worlds.kluss import COMMON, EVEN, GATHER, KLUSS, ORDER, QUIET_PLIES, Growth, Insight, Play, require_duel
from ...text.parameters import accepts, build, real
from ...walk.slices import Budget, budget
from ..sight import Sight
from .alphabeta import text
from .believing import Believed, Believer
from .searching import Thought, iterations, seconds, thought
from .words import draw_seed, with_iterations

WALKS = 2_000  # a move, where nothing else is said
MOST_POSITIONS = 1_000_000
A_SECOND = 50_000  # positions that are followed for each second of a move


def play(value: Any) -> Play:
    """purified, last or average"""
    return value if isinstance(value, Play) else Play(value)


def growth(value: Any) -> Growth:
    """one or both"""
    return value if isinstance(value, Growth) else Growth(value)


@accepts(
    iterations=iterations,
    seconds=seconds,
    positions=range(0, MOST_POSITIONS + 1),
    gather=range(1, 2**20),
    quiet=range(0, 33),
    play=play,
    weights=text,
    order=range(1, 33),
    common=range(0, 2**31),
    even=real(0, 1),
    growth=growth,
)
class Knowing(NamedTuple):
    """How an agent searches what it knows."""

    iterations: int | None = None  # walks a move
    seconds: float | None = None  # a move
    positions: int = 0  # 0: by the seconds
    gather: int = GATHER
    quiet: int = QUIET_PLIES  # plies of noisy moves below a leaf
    play: Play = Play.PURIFIED
    weights: str = ""
    order: int = ORDER  # how far knowledge goes that is kept
    common: int = COMMON  # histories
    frozen: bool = False  # its own sets that it does not hold possible keep their mixes
    even: float = EVEN  # the share of the gadget's groups that is drawn evenly
    growth: Growth = Growth.ONE

    @property
    def cap(self) -> int:
        """How many positions are followed."""
        by_time = A_SECOND if self.seconds is None else A_SECOND * self.seconds
        return self.positions or int(min(MOST_POSITIONS, max(by_time, 4 * self.gather)))


AS_IT_STANDS = Knowing()
SEARCHED = ("gather", "quiet", "order", "common", "frozen", "even", "growth")  # the parameters of the search


class KlussAgent:
    """KLUSS. One agent plays any number of matches: `fresh` begins the next, and where nobody calls it, a view that can only
    be the first of a match does. `online` is the same search for measurements (`search/online/protocol.py`)."""

    compiles = True  # the game, so that a user's own game is checked before

    def __init__(self, how: Knowing = AS_IT_STANDS, seed: int = 0, *path: int, name: str = "kluss"):
        if how.iterations is None and how.seconds is None:
            how = how._replace(iterations=WALKS)
        self.how, self.name, self.random = how, name, dice.seeded(seed, *path)
        self._believer = Believer(self.random, keep=Keep.POSITIONS, cap=how.cap)
        weights = load_weights(how.weights) if how.weights else None
        # a method would let the agent hold itself, and all its trees with it
        self._evaluation = functools.partial(_evaluation, weights)
        self._seen = 0  # the view of the last move
        self._options = {word: getattr(how, word) for word in SEARCHED}
        self.online = KnowledgeLimited(how.play, how.cap, self._options, self._evaluation)
        self._begin()

    @classmethod
    def from_text(cls, name: str, text: str, seed: int, *path: int) -> "KlussAgent":
        return cls(build(Knowing, text, name), seed, *path, name=f"{name}:{text}" if text else name)

    with_budget = staticmethod(with_iterations)

    def budget(self) -> Budget:
        """What a move costs."""
        return budget(self.how.iterations, self.how.seconds)

    def fits(self, game: Any) -> None:
        require_duel(game)
        self._evaluation(game)

    def _begin(self) -> None:
        self.thoughts: list[Thought] = []
        self.search: KLUSS | None = None
        self.insight: Insight | None = None  # of the last move
        self._table: tuple[str, int] = ("", 0)

    def fresh(self) -> None:
        """A new match begins."""
        self._begin()
        self._believer.fresh()

    def follow(self, sight: Sight, action: int) -> None:
        """The player has made this move, and the agent was not asked: it goes on from there."""
        self._believe(sight).acted(sight, action)

    def act(self, sight: Sight) -> int:
        return self._choose(sight)[0]

    def mix(self, sight: Sight) -> dict[int, float]:
        """The probabilities with which one search would act here; `follow` tells it of the moves before."""
        return self._choose(sight)[1]

    def range(self) -> tuple[np.ndarray, np.ndarray]:
        """The states [n, words] that its last search thought about, and how likely each was: half of it evenly, half by the
        mixes that it had found before."""
        if self.insight is None or self.search is None or self.search.carried is None:
            return np.zeros((0, 0), np.int64), np.zeros(0)
        with np.errstate(over="ignore"):  # views are hashes, which wrap round
            return held(self.search.game, self.search.player, self.search.carried, self._seen)

    def _choose(self, sight: Sight) -> tuple[int, dict[int, float]]:
        """The action, and the probabilities by which it was drawn."""
        began, self.insight, self._seen = clock(), None, sight.view
        with np.errstate(over="ignore"):  # random bits wrap round
            believed = self._believe(sight)
            mix = dict.fromkeys(sight.actions, 1.0 / len(sight.actions))
            if len(sight.actions) > 1:
                left = None if self.how.seconds is None else max(0.0, self.how.seconds - (clock() - began))
                self.insight = self._think(sight, believed, left)
                mix = mix if self.insight is None else self.insight.mix(self.how.play)
            action = list(mix)[dice.pick(self.random, list(mix.values()), len(mix))]
        believed.acted(sight, action)
        walks = 0 if self.insight is None else max(self.insight.walks, 1)  # 0: there was nothing to choose
        found = {} if self.insight is None else self.insight.mix(Play.LAST)
        self.thoughts.append(thought(sight, believed.many, believed.coverage, mix, action, walks, found))
        return action, mix

    def _believe(self, sight: Sight) -> Believed:
        """What the player believes; a new match begins with empty hands."""
        found = self._believer.follow(sight, self.how.gather)
        if found.anew:
            self._begin()
        return found

    def _think(self, sight: Sight, believed: Believed, left: float | None) -> Insight | None:
        table = (identity(sight.game), sight.player)
        if self.search is None or self._table != table:
            self.search, self._table = self._new(sight.game, sight.player), table
        fitting = believed.many if not math.isnan(believed.coverage) else None
        spend: dict[str, Any] = {"iterations": self.how.iterations, "seconds": left}
        return self.search.think(sight.view, lambda count: believed.drawn(count, self.random), fitting=fitting, **spend)

    def _new(self, game: Any, player: int) -> KLUSS:
        return KLUSS(game, player, draw_seed(self.random), evaluation=self._evaluation(game), **self._options)


def _evaluation(weights: Any, game: Any) -> Any:
    """What judges leaves: by the learned weights, or None for the game's own."""
    return None if weights is None else weights.evaluation(game, features_of(game))
