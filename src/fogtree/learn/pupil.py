"""Who learns: a linear evaluation, and the search that uses it. The kernels here are what all methods share.

Values are those of player 0's side. H(s) = weight . features(s) is the evaluation as it stands, not clamped. A decided game
counts as its payoff, so mates teach as much as a won or a lost game is worth, and no more.
"""

from typing import Any

import numpy as np

from .. import dice
from ..errors import Invalid
from ..evaluation import Linear
from ..game import OVER, sides
from ..kernels import inlined, kernel
from ..search.open.alphabeta import AlphaBeta, Found
from ..search.open.descent import COUNT, EXTENDED, EXTENDED_KEY, NEXT
from ..search.open.scores import DECIDED, clamp
from ..search.open.transpositions import LOWER, META, MISSING, UPPER
from .links import Straight
from .steps import Plain

UNKNOWN = -1  # the depth of a position that the table does not have
MEMORY = 4 * 2**20  # bytes of the table: a search while learning is short


@kernel
def describe(game, evaluation, state):
    """Leave the features of a state in the evaluation's scratch. Returns how many there are."""
    return evaluation.features.find(game, state, evaluation.which, evaluation.worth)


@kernel
def advance(game, state, actions):
    """Play some actions. Returns who moves then."""
    for action in actions:
        game.step(state, action)
    return game.player(state)


@kernel
def wander(game, state, before, choice, plies, random):
    """Play at random from the start for at most so many plies, but never the move that ends the game. `before` is scratch."""
    game.start(state)
    for _ in range(dice.below(random, plies + 1)):
        for word in range(len(state)):
            before[word] = state[word]
        game.step(state, choice[dice.below(random, game.actions(state, choice))])
        if game.player(state) == OVER:
            for word in range(len(state)):
                state[word] = before[word]
            return


@inlined
def is_quiet(game, state, noisy, best):
    """Whether the best action is one after which an evaluation is believed: what a capture wins, no evaluation can know."""
    found = True
    for a in range(game.noisy(state, noisy)):
        found = found and noisy[a] != best
    return found


@kernel
def rests(game, state, noisy, best):
    """`is_quiet`, from Python."""
    return is_quiet(game, state, noisy, best)


@kernel
def gather(game, evaluation, link, stack, table, most, least, gradient):
    """Walk the table from the root, and add the error of H times the features of each position to the gradient.

    A position counts once, if it was searched at least `least` plies deep and is decided or has a quiet best action. With
    a <= V <= b the bounds of its value, the target is a where H < a, b where H > b, and else H itself, which teaches nothing.
    Entries are erased on the way. Returns from how many positions something was learned.
    """
    frames, home = stack.frame, game.side_of(0)
    taught, ply, entering = 0, 0, True
    while ply >= 0:
        state, frame = stack.state[ply], frames[ply]
        if entering:
            frame[COUNT] = frame[NEXT] = 0
            player = game.player(state)
            if player != OVER and ply + 1 < stack.state.shape[0]:
                frame[EXTENDED] = game.urgent(state) and (ply == 0 or frames[ply - 1, EXTENDED] == 0)
                place = table.find(np.int64(game.position(state)) ^ (EXTENDED_KEY * frame[EXTENDED]))
                depth = table.depth(place) if place != MISSING else UNKNOWN
                if depth >= least:
                    sign = 1 if game.side_of(player) == home else -1
                    lower, upper = clamp(table.real[place, LOWER], most), clamp(table.real[place, UPPER], most)
                    if table.real[place, LOWER] == -np.inf:
                        lower = -np.inf
                    if table.real[place, UPPER] == np.inf:
                        upper = np.inf
                    best = table.action(place)
                    decided = table.real[place, LOWER] > DECIDED or table.real[place, UPPER] < -DECIDED
                    table.word[place, META] = 0
                    active = evaluation.features.find(game, state, evaluation.which, evaluation.worth)
                    value = 0.0
                    for k in range(active):
                        value += evaluation.weight[evaluation.which[k]] * evaluation.worth[k]
                    value *= sign
                    mine = link.of(value)
                    error = max(link.of(lower) - mine, 0.0) + min(link.of(upper) - mine, 0.0)
                    if error != 0.0 and (decided or is_quiet(game, state, stack.action[ply], best)):
                        taught += 1
                        for k in range(active):
                            gradient[evaluation.which[k]] += sign * error * evaluation.worth[k]
                    if depth > least:  # below are none that were searched deep enough, but for extensions
                        frame[COUNT] = game.actions(state, stack.action[ply])
        if frame[NEXT] < frame[COUNT]:
            child = stack.state[ply + 1]
            for word in range(game.live(state)):
                child[word] = state[word]
            game.step(child, stack.action[ply, frame[NEXT]])
            frame[NEXT] += 1
            ply += 1
            entering = True
        else:
            ply -= 1
            entering = False
    return taught


class Pupil:
    """A linear evaluation that learns, and the search that uses it."""

    def __init__(
        self,
        game: Any,
        evaluation: Linear,
        pruning: Any,
        *,
        link: Any = Straight(),  # noqa: B008  (a tuple cannot change)
        steps: Any = Plain(),  # noqa: B008
        memory: float = MEMORY,
    ):
        if not isinstance(evaluation, Linear):
            raise Invalid(f"only a linear evaluation can learn, not a {type(evaluation).__name__}")
        self.game, self.evaluation, self.link, self.steps = game, evaluation, link, steps
        self.memory = steps.memory(len(evaluation.weight))  # of the steps
        self.search = AlphaBeta(game, evaluation, pruning=pruning, memory=memory)
        self.most, self.sides = self.search.most, sides(game)
        self.nodes = 0  # of all searches together

    def think(self, state: np.ndarray, **budget: Any) -> Found:
        """Search with the weights of now: what other weights have found is forgotten."""
        self.search.forget()
        found = self.search.think(state, **budget)
        self.nodes += found.nodes
        return found

    def features(self, state: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The numbers of a state's features, and how much of each it has."""
        active = describe(self.game, self.evaluation, state)
        return self.evaluation.which[:active].copy(), self.evaluation.worth[:active].copy()

    def value(self, state: np.ndarray) -> float:
        """H."""
        which, worth = self.features(state)
        return float(self.evaluation.weight[which] @ worth)

    def for_first(self, state: np.ndarray, value: float) -> float:
        """A value for the mover as player 0's side sees it."""
        return value if self.sides[int(self.game.player(state))] == self.sides[0] else -value

    def teaches(self, state: np.ndarray, found: Found) -> bool:
        """Whether a position is decided, or its best action is one after which an evaluation is believed."""
        noisy = np.zeros(self.search.shape.actions, np.int64)
        return found.mate is not None or bool(rests(self.game, state, noisy, found.action))

    def gather(self, state: np.ndarray, least: int) -> tuple[np.ndarray, int]:
        """The sum of (target - H) times the features over the table of the last search, and over how many positions."""
        gradient = np.zeros_like(self.evaluation.weight)
        self.search.stack.state[0] = state
        search = self.search
        taught = gather(self.game, self.evaluation, self.link, search.stack, search.table, self.most, least, gradient)
        self.search.root = None  # the walk has used the search's stack
        return gradient, int(taught)

    def error(self, target: float, value: float) -> float:
        """How wrong a value is, as the link measures it."""
        return float(self.link.of(target) - self.link.of(value))

    def move(self, gradient: np.ndarray, step: float) -> None:
        """Move the weights along a gradient."""
        change = self.steps.change(gradient, step, self.memory)
        self.evaluation.weight[:] += change
        if not np.abs(change).max() < 1e6:
            raise Invalid("the weights have grown beyond all bounds: choose a smaller step")

    def toward(self, which: np.ndarray, worth: np.ndarray, error: float, step: float) -> None:
        """Move the weights along the features of one position, times its error."""
        gradient = np.zeros_like(self.evaluation.weight)
        np.add.at(gradient, which, error * worth)
        self.move(gradient, step)
