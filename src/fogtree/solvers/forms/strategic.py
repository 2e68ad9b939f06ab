"""The reduced strategic form of a small game: every pure strategy of every player, and what each profile of them pays.

A pure strategy chooses one action at each information set that it can itself get to. Two strategies that differ only
where their own earlier actions never lead are the same, so they are counted once. A strategy is kept as a plan of 0s
and 1s over the sequences of the player (`infosets.py`), so that a mixture of strategies is the mean of their plans, and
a mixed strategy becomes one that acts set by set (Kuhn 1953).

The number of strategies grows exponentially with the information sets: two-player Kuhn poker has 27 and 64, Leduc
hold'em more than there are atoms. So the form is refused where it has more than `limit` profiles.
"""

import itertools
import math
from typing import Any, NamedTuple

import numpy as np

from ...errors import Invalid
from ...game import CHANCE, OVER, label, legal, new_state
from ...strategy import Strategy
from ...text.naming import name
from ...walk.slices import Watcher, memory_cap, whole
from .general import GeneralForm, Plans, general_form
from .infosets import EMPTY, InfosetTree, TooLarge

MOST_PROFILES = 1_000_000
MEMORY = 1e8  # bytes
AT_ONCE = 64  # ends that are added up at a time, for intermediate results are large


class StrategicForm(NamedTuple):
    """A game in which each player chooses once, from all pure strategies."""

    form: GeneralForm
    plans: tuple[np.ndarray, ...]  # [player] [strategies, sequences] of 0s and 1s
    payoffs: np.ndarray  # [players, strategies of player 0, of player 1, ...]

    def mixed(self, mixes: tuple[np.ndarray, ...]) -> Plans:
        """The plans of players who mix their pure strategies by these probabilities, each on their own."""
        plans = Plans(self.form)
        for player, mix in enumerate(mixes):
            plans.of(player)[:] = mix @ self.plans[player]
        return plans

    def strategy(self, mixes: tuple[np.ndarray, ...]) -> Strategy:
        """The same as a strategy."""
        return self.mixed(mixes).strategy()

    def names(self) -> list[list[str]]:
        """[player] what each strategy is called: its actions at the information sets that it gets to."""
        known = _labels(self.form.game)
        return [
            [_spelled(self.form.trees[player], plan, player, known) for plan in plans]
            for player, plans in enumerate(self.plans)
        ]


def strategic_form(
    game: Any, *, limit: int = MOST_PROFILES, memory: float | None = None, progress: Watcher | None = None
) -> StrategicForm:
    """The reduced strategic form of a game with at most `limit` profiles of pure strategies. `memory` is a cap on what the
    enumeration takes, in bytes: a game with so few profiles takes little, so a large one is refused early."""
    limit, cap = whole(limit, "limit", 1), MEMORY if memory is None else memory_cap(memory)
    try:
        form = game if isinstance(game, GeneralForm) else general_form(game, memory=cap, progress=progress)
    except TooLarge:
        raise Invalid(
            f"{name(game)} has too many information sets, and so more than the {limit:,} profiles of pure strategies that "
            "are allowed: such a solution needs a smaller game"
        ) from None
    sizes = pure_strategies(form)
    if math.prod(sizes) > limit:
        numbers = " x ".join(f"{size:,}" if size < 10**9 else f"{size:.1e}" for size in sizes)
        raise Invalid(
            f"{name(form.game)} has {numbers} profiles of pure strategies, more than the {limit:,} that are allowed: such a "
            "solution needs a smaller game"
        )
    plans = tuple(_pure_plans(tree) for tree in form.trees)
    payoffs = np.zeros((form.players, *sizes))
    end, profile = form.players, list(range(form.players))  # axes of the sum: players by their numbers, then the ends
    for begin in range(0, len(form.place), AT_ONCE):
        place, value = form.place[begin : begin + AT_ONCE], form.value[begin : begin + AT_ONCE]
        reach = [(plan[:, place[:, player]], [player, end]) for player, plan in enumerate(plans)]
        for player in range(form.players):
            factors: list[Any] = [*itertools.chain(*reach), value[:, player], [end]]
            payoffs[player] += np.einsum(*factors, profile, optimize=True)
    return StrategicForm(form, plans, payoffs)


def pure_strategies(form: GeneralForm) -> list[int]:
    """[player] how many pure strategies a player has, without making them."""
    found = []
    for tree in form.trees:
        after = [1] * int(tree.sequences())  # ways to go on after a sequence
        for i in range(int(tree.infosets()) - 1, -1, -1):  # children come after parents, so backwards is leaves first
            after[int(tree.parent[i])] *= sum(after[int(tree.first[i]) : int(tree.first[i + 1])])
        found.append(after[EMPTY])
    return found


def _pure_plans(tree: InfosetTree) -> np.ndarray:
    """All pure strategies as plans [strategies, sequences]."""
    size = int(tree.sequences())
    children: list[list[int]] = [[] for _ in range(size)]  # [sequence] the sets that hang on it
    for i, parent in enumerate(tree.parent.tolist()):
        children[parent].append(i)
    ways: list[list[tuple[int, ...]]] = [[]] * size  # [sequence] the sets of sequences that may be played with it
    for s in range(size - 1, -1, -1):
        options = [
            [way for own in range(int(tree.first[i]), int(tree.first[i + 1])) for way in ways[own]] for i in children[s]
        ]
        ways[s] = [(s, *itertools.chain(*chosen)) for chosen in itertools.product(*options)]
    plans = np.zeros((len(ways[EMPTY]), size))
    for row, played in enumerate(ways[EMPTY]):
        plans[row, list(played)] = 1.0
    return plans


def _labels(game: Any) -> dict[tuple[int, int, int], str]:
    """What each action is called at each information set: (player, view, action) -> label."""
    found: dict[tuple[int, int, int], str] = {}
    with np.errstate(over="ignore"):  # views may be hashes, which wrap round
        stack = [new_state(game)]
        while stack:  # the game is small: its strategic form has been made
            state = stack.pop()
            player = int(game.player(state))
            if player == OVER:
                continue
            for action in legal(game, state):
                if player != CHANCE:
                    found[player, int(game.view(state, player)), action] = label(game, state, action)
                child = state.copy()
                game.step(child, action)
                stack.append(child)
    return found


def _spelled(tree: InfosetTree, plan: np.ndarray, player: int, known: dict) -> str:
    words = []
    for i in range(int(tree.infosets())):
        low, high = int(tree.first[i]), int(tree.first[i + 1])
        played = [known[player, int(tree.view[i]), int(tree.action[s])] for s in range(low, high) if plan[s] > 0]
        words.append(played[0] if played else "-")
    return " ".join(words) or "nothing"
