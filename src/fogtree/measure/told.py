"""What a strategy says, information set by information set, in the game's own words.

    told(game, strategy)                         a StrategyTable: for each set what its player sees, the mix, reach and value
    told(game, strategy, after="J Q pass")       the sets that can follow these moves
    differences(game, one, other)                where two strategies differ most, weighted by how often play gets there

The walk goes from the likeliest history to the least likely, so that the table of a large game holds the sets that matter
most, and that of a small game all. Reach is the probability that play by the strategy comes to the set. The value is what its
player gets on average from there on. It is known if the walk was not cut.
"""

import heapq
import itertools
import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ..errors import Invalid
from ..game import CHANCE, OVER, label, legal, new_state, odds
from ..strategy import StoredStrategy, strategy_of
from ..text.markup import Safe, esc, table
from ..text.naming import as_game
from ..text.notation import from_notation
from ..walk.slices import whole

MOST = 20_000  # histories of a walk, if not told otherwise


class Told(NamedTuple):
    """What a strategy says at one information set."""

    player: int
    view: int
    seen: str  # by the player, as the game shows it
    mix: dict[str, float]  # by the actions' labels
    reach: float
    value: float | None  # of the player; None where the walk was cut, or where even an own mistake does not lead


class StrategyTable(NamedTuple):
    """The information sets of a strategy, each player's likeliest first."""

    rows: tuple[Told, ...]
    complete: bool  # all that can follow was walked

    def of(self, player: int) -> Iterator[Told]:
        return (row for row in self.rows if row.player == player)

    def frame(self) -> Any:
        """The table as a DataFrame, for those who have pandas."""
        try:
            import pandas
        except ImportError:
            raise Invalid("a DataFrame needs pandas, which is not installed: pip install pandas") from None
        columns = ("player", "view", "seen", "reach", "value")
        return pandas.DataFrame([{name: getattr(row, name) for name in columns} | row.mix for row in self.rows])

    def _repr_html_(self) -> str:
        rows = []
        for row in self.rows:
            seen, value = Safe(f"<pre>{esc(row.seen)}</pre>"), "" if row.value is None else f"{row.value:.4f}"
            rows.append((row.player, seen, mixed_words(row.mix), f"{row.reach:.4f}", value))
        return table(("player", "sees", "plays", "reach", "value"), rows)


class Difference(NamedTuple):
    """Where two strategies play differently."""

    player: int
    view: int
    seen: str
    one: dict[str, float]
    other: dict[str, float]
    distance: float  # half the sum of the differences: 1 if they have no action in common
    reach: float  # the mean of both

    @property
    def weight(self) -> float:
        return self.distance * self.reach


def mixed_words(mix: dict[str, float]) -> str:
    """A mix as people read it: the likeliest action first, without those that are never played."""
    ranked = sorted(mix.items(), key=lambda pair: -pair[1])
    return ", ".join(f"{name} {share:.1%}" if share < 0.9995 else name for name, share in ranked if share >= 0.0005)


def told(game: Any, strategy: Any, *, player: int | None = None, after: str = "", most: int = MOST) -> StrategyTable:
    """What a strategy (or a solution) says in a game."""
    made, plan = belonging(game, strategy)
    shape, most = made.shape(), whole(most, "the number of histories", 1)
    if player is not None and player not in range(shape.players):
        raise Invalid(f"there is no player {player}: valid are 0 to {shape.players - 1}")
    with np.errstate(over="ignore"):  # views may be hashes, which wrap round
        walked, complete = _walk(made, plan, from_notation(made, after).state if after else None, most)
    rows = [_row(made, plan, key, here, complete) for key, here in walked.items() if player in (None, key[0])]
    return StrategyTable(tuple(sorted(rows, key=lambda row: (row.player, -round(row.reach, 9), row.view))), complete)


def differences(game: Any, one: Any, other: Any, *, most: int = MOST) -> list[Difference]:
    """The information sets where two strategies of a game differ, the weightiest first."""
    tables = [{row[:2]: row for row in told(game, strategy, most=most).rows} for strategy in (one, other)]
    found = []
    for key in tables[0].keys() & tables[1].keys():
        first, second = tables[0][key], tables[1][key]
        apart = sum(abs(first.mix[name] - second.mix[name]) for name in first.mix) / 2
        reach = (first.reach + second.reach) / 2
        found.append(Difference(*key, first.seen, first.mix, second.mix, apart, reach))
    return sorted((one for one in found if one.distance > 0), key=lambda one: (-one.weight, one[:2]))


def belonging(game: Any, strategy: Any) -> tuple[Any, StoredStrategy]:
    """The game, and the strategy for it that was given, by itself or in a solution or a search."""
    made, plan = as_game(game), strategy_of(strategy)
    if not isinstance(plan, StoredStrategy):
        raise Invalid(f"a {type(plan).__name__} is no strategy: give a Strategy, or what solve() returns")
    plan.belongs_to(made)
    return made, plan


class _Node(NamedTuple):
    """A history of the walk."""

    parent: int
    share: float  # the probability of its last move
    reach: tuple[float, ...]  # [player] the probability that this player's moves lead here; the last is chance's
    state: np.ndarray


def _walk(game: Any, plan: StoredStrategy, root: np.ndarray | None, most: int) -> tuple[dict, bool]:
    """(player, view) -> [(state, reach, reach without the player's own moves, payoffs expected)], and whether that is all."""
    players, number = game.shape().players, itertools.count()
    if root is None:
        root = new_state(game)
    queue = [(-1.0, next(number), _Node(-1, 1.0, (1.0,) * (players + 1), root))]
    nodes: list[_Node] = []
    expected = np.zeros((most, players))
    while queue and len(nodes) < most:
        _, _, node = heapq.heappop(queue)
        at, mover = len(nodes), int(game.player(node.state))
        nodes.append(node)
        if mover == OVER:
            expected[at] = [game.payoff(node.state, player) for player in range(players)]
            continue
        for action, share in shares(game, plan, node.state, mover).items():
            state = node.state.copy()
            game.step(state, action)
            reach = tuple(p * share if who == mover % (players + 1) else p for who, p in enumerate(node.reach))
            heapq.heappush(queue, (-math.prod(reach), next(number), _Node(at, share, reach, state)))
    for at in range(len(nodes) - 1, 0, -1):
        expected[nodes[at].parent] += nodes[at].share * expected[at]
    walked: dict = {}
    for node, payoffs in zip(nodes, expected, strict=False):
        mover = int(game.player(node.state))
        if mover >= 0 and len(legal(game, node.state)) > 1:
            others = math.prod(p for who, p in enumerate(node.reach) if who != mover)
            here = (node.state, math.prod(node.reach), others, float(payoffs[mover]))
            walked.setdefault((mover, int(game.view(node.state, mover))), []).append(here)
    return walked, not queue


def shares(game: Any, plan: StoredStrategy, state: np.ndarray, mover: int) -> dict[int, float]:
    """The probability of each legal action: by the odds of chance, or by the plan."""
    actions = legal(game, state)
    if mover == CHANCE:
        return dict(zip(actions, odds(game, state), strict=True))
    mix = plan.mix(game, mover, int(game.view(state, mover)), lambda: state)
    return {action: mix.get(action, 0.0) if mix else 1 / len(actions) for action in actions}


def _row(game: Any, plan: StoredStrategy, key: tuple[int, int], here: list, complete: bool) -> Told:
    player, view = key
    state = here[0][0]
    mix = {label(game, state, action): share for action, share in shares(game, plan, state, player).items()}
    seen = game.show(state, player) if hasattr(game, "show") else f"view {view}"
    others = sum(weight for _, _, weight, _ in here)
    value = sum(weight * payoff for _, _, weight, payoff in here) / others if complete and others > 0 else None
    return Told(player, view, seen, mix, sum(reach for _, reach, _, _ in here), value)
