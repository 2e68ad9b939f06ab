"""The sequence form of any game with perfect recall: any number of players, zero-sum or not.

Each player has a tree of information sets and sequences (`infosets.py`). An end of the game is reached by one sequence
of each player, and it pays each player something. With plans x_0, x_1, ... (the probability that a player plays a
sequence, as far as it is theirs to decide) player i expects the sum over the ends e of

    odds of chance at e * payoff_i(e) * x_0(sequence of player 0 at e) * x_1(sequence of player 1 at e) * ...

Against fixed plans of the others this is linear in x_i, so a best response is one pass over the ends and one sweep over
the tree of the player. What a player gains by the best response, added up over the players, is the NashConv of the
plans. It is 0 in a Nash equilibrium and nowhere else.

Two players whose payoffs sum to 0 have the same form with a matrix (`sequence.py`), which is smaller and faster.
"""

from typing import Any, NamedTuple

import numpy as np

from ...kernels import kernel
from ...strategy import Strategy
from ...text.naming import as_game
from ...walk.estimate import require_fewer
from ...walk.slices import Watcher, memory_cap
from ...walk.whole import walk_through
from .infosets import (
    EMPTY,
    FINE,
    UNBALANCED,
    InfosetTree,
    Recorder,
    best_actions,
    complain,
    longer,
    more_sets,
    new_recorder,
    require_room,
    tree_of,
)
from .response import plan_of, strategy_of_plans
from .sequence import ZERO

ROOM = 1 << 10  # ends at first
BYTES_A_PLAYER = 12  # of an end: a sequence and a payoff


class GeneralForm(NamedTuple):
    """A game as one tree a player and a list of its ends, in which ends with the same sequences are merged."""

    game: Any
    trees: tuple[InfosetTree, ...]
    place: np.ndarray  # [ends, players] the sequence of each player
    value: np.ndarray  # [ends, players] what each gets there, times the odds of chance
    histories: int

    @property
    def players(self) -> int:
        return len(self.trees)


class _Profiles(NamedTuple):
    """What the recorder keeps of the ends."""

    place: np.ndarray  # [ends, players]
    value: np.ndarray  # [ends, players]
    used: np.ndarray  # [1] ends
    slack: float  # how far the payoffs of an end may sum from 0; infinite where they need not

    def room(self):
        return self.used[0] < self.place.shape[0]

    def note(self, game, state, sequence, reach):
        k, total, pays = self.used[0], 0.0, False
        for player in range(sequence.shape[0]):
            payoff = game.payoff(state, player)
            total += payoff
            pays |= payoff != 0.0
            self.place[k, player], self.value[k, player] = sequence[player], payoff * reach
        if pays:
            self.used[0] = k + 1
        return FINE if abs(total) <= self.slack else UNBALANCED


def general_form(game: Any, *, memory: float | None = None, progress: Watcher | None = None) -> GeneralForm:
    """Enumerate a game. `memory` is a cap in bytes, half of the machine's by default. `progress` is called with the number
    of histories."""
    game = as_game(game)
    require_fewer(game)
    shape, cap = game.shape(), memory_cap(memory)
    slack = ZERO * (shape.high - shape.low) if shape.zero_sum else np.inf
    buffers = np.zeros((ROOM, shape.players), np.int32), np.zeros((ROOM, shape.players))
    recorder = new_recorder(shape, _Profiles(*buffers, np.zeros(1, np.int64), slack))
    recorder, histories = walk_through(game, recorder, lambda full: _grown(game, full, cap), progress)
    complain(game, recorder)
    ends = int(recorder.ends.used[0])
    place, value = _merged(recorder.ends.place[:ends], recorder.ends.value[:ends])
    trees = tuple(tree_of(recorder, player) for player in range(shape.players))
    return GeneralForm(game, trees, place, value, histories)


def _grown(game, recorder, cap) -> Recorder:
    complain(game, recorder)
    recorder = more_sets(recorder)
    if not recorder.ends.room():
        recorder = recorder._replace(ends=longer(recorder.ends, "place", "value"))
    require_room(game, recorder, int(recorder.ends.used[0]), BYTES_A_PLAYER * recorder.ends.place.size, cap)
    return recorder


def _merged(place, value) -> tuple[np.ndarray, np.ndarray]:
    """The ends in the order of their sequences, with those of equal sequences added up."""
    if not len(place):
        return place.copy(), value.copy()
    order = np.lexsort(place.T[::-1])
    place, value = place[order], value[order]
    new = np.append(True, (place[1:] != place[:-1]).any(axis=1))
    return np.ascontiguousarray(place[new]), np.add.reduceat(value, np.flatnonzero(new), axis=0)


# --- plans and best responses --------------------------------------------------------------------------------------


@kernel
def worth_against(place, value, plan, begin, me, worth):
    """Write what each sequence of a player is worth by the ends right after it, against the plans of the others.

    `plan` holds the plans of all players one after the other; that of a player begins at begin[player].
    """
    for s in range(worth.shape[0]):
        worth[s] = 0.0
    for k in range(place.shape[0]):
        reach = value[k, me]
        for player in range(place.shape[1]):
            if player != me:
                reach *= plan[begin[player] + place[k, player]]
        worth[place[k, me]] += reach


class Plans:
    """The plans of all players, in one array: `of(player)` is the part of a player."""

    def __init__(self, form: GeneralForm):
        self.form = form
        sizes = [int(tree.sequences()) for tree in form.trees]
        self.begin = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        self.plan = np.zeros(self.begin[-1])

    def of(self, player: int) -> np.ndarray:
        return self.plan[self.begin[player] : self.begin[player + 1]]

    def strategy(self) -> Strategy:
        """The plans as one strategy, uniform where they never go."""
        return strategy_of_plans(self.form, map(self.of, range(self.form.players)))

    def worth(self, player: int) -> np.ndarray:
        """What each sequence of a player is worth by the ends right after it."""
        out = np.empty(self.begin[player + 1] - self.begin[player])
        worth_against(self.form.place, self.form.value, self.plan, self.begin, player, out)
        return out

    def value(self, player: int) -> float:
        """What the player expects when all follow their plans."""
        return float(self.worth(player) @ self.of(player))

    def values(self) -> tuple[float, ...]:
        return tuple(self.value(player) for player in range(self.form.players))

    def answer(self, player: int) -> tuple[np.ndarray, float]:
        """A player's best response to the plans of the others: the best sequence of each set, and the value."""
        worth, tree = self.worth(player), self.form.trees[player]
        best = np.empty(tree.infosets(), np.int32)
        best_actions(tree, worth, best)
        return best, float(worth[EMPTY])

    def gains(self) -> tuple[float, ...]:
        """[player] what the best response gets more than the plan. The sum is the NashConv."""
        return tuple(self.answer(player)[1] - self.value(player) for player in range(self.form.players))


def plans_of(form: GeneralForm, strategy: Strategy) -> tuple[Plans, tuple[int, ...]]:
    """The plans of all players under a strategy, and how many information sets of each it does not list."""
    plans, missing = Plans(form), []
    for player in range(form.players):
        plans.of(player)[:], unlisted = plan_of(form, strategy, player)
        missing.append(int(unlisted))
    return plans, tuple(missing)
