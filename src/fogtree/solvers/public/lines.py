"""A betting tree as lines, for the walk of the public tree (`public_response.py`).

A *line* is the betting of one stage, from the place where chance has dealt to the next deals and ends. Lines of the same
shape differ only in their stakes, so they are gone through together, in *bunches* of at most LANES: one vector operation does
the same node of several lines. A bunch with fewer lines repeats its last one, and nothing reads what comes out there.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...game import NONE, OVER
from .betting import BettingTree

GATE = -5  # the kind of a node where the next stage begins; others are players, FOLD and SHOW
FOLD, SHOW = -3, -4
LANES = 32


class TypePlan(NamedTuple):
    """How a player plays by types: how the types are cut, and table(node), the probabilities [action, type] at a node."""

    tree: BettingTree
    cuts: tuple[np.ndarray, ...]  # [stage][types + 1] as in a BettingForm
    table: Callable[[int], np.ndarray]


class Lines(NamedTuple):
    """The lines of a stage, bunch by bunch. The nodes of a bunch are those of its first line, breadth first."""

    start: np.ndarray  # [bunches + 1] where the nodes of a bunch begin
    line: np.ndarray  # [bunches, LANES] the numbers of its lines, NONE where there are fewer
    folds: np.ndarray  # [bunches] how many folds a line has
    shows: np.ndarray  # [bunches] how many showdowns
    kind: np.ndarray  # [nodes] a player, FOLD, SHOW or GATE
    arg: np.ndarray  # [nodes] which of its folds, or showdowns, an end is
    first: np.ndarray  # [nodes] the first child, counted from the first node of the bunch; the others follow
    count: np.ndarray  # type: ignore[assignment]  # [nodes] children
    gate: np.ndarray  # [nodes, LANES] the line behind a gate
    scale: np.ndarray  # [nodes, LANES] an end's payoff to the responder, times the probability of a deal


class Bunches(NamedTuple):
    """A stage's lines, and which nodes of the tree are the ends of a bunch, by lane."""

    lines: Lines
    folds: list[np.ndarray]  # [bunch][folds of a line, LANES]
    shows: list[np.ndarray]  # [bunch][showdowns of a line, LANES]


class Reach(NamedTuple):
    """A player's own reach at the ends of a stage, bunch by bunch, so that what is used together lies together."""

    fold: np.ndarray  # [bunches, types, folds of a line x LANES]
    show: np.ndarray  # [bunches, types, showdowns of a line x LANES]


def entries_of(tree: BettingTree) -> list[list[int]]:
    """[stage] the nodes where lines begin."""
    entries: list[list[int]] = [[0], *([] for _ in range(tree.stages - 1))]
    for n in range(1, len(tree.player)):
        if tree.stage[n] > tree.stage[tree.parent[n]]:
            entries[tree.stage[n]].append(n)
    return entries


def stages_of(tree: BettingTree, player: int, weights: Sequence[float], dtype: Any) -> list[Bunches]:
    """[stage] the lines as the responder sees them. `weights` are the probabilities of a deal."""
    entries, shown = entries_of(tree), tree.shown()
    found = []
    for s in range(tree.stages):
        alike: dict[Any, list[_Line]] = {}
        for number, entry in enumerate(entries[s]):
            line = _line(tree, number, entry, shown)
            alike.setdefault(line.shape, []).append(line)
        bunches = [lines[at : at + LANES] for lines in alike.values() for at in range(0, len(lines), LANES)]
        behind = {n: number for number, n in enumerate(entries[s + 1])} if s + 1 < tree.stages else {}
        sign = {FOLD: 1.0 if player == 0 else -1.0, SHOW: 1.0}  # a showdown's masses are the responder's
        found.append(_stage(tree, bunches, behind, {kind: weights[s] * sign[kind] for kind in sign}, dtype))
    return found


class _Line(NamedTuple):
    """The nodes of a line, breadth first."""

    number: int
    nodes: list[int]  # their numbers in the tree
    shape: tuple[tuple[int, int], ...]  # [node] kind and number of children


def _line(tree: BettingTree, number: int, entry: int, shown: np.ndarray) -> _Line:
    stage, queue, shape = tree.stage[entry], [entry], []
    for n in queue:  # it grows
        below = tree.below(n) if tree.stage[n] == stage else []
        end = SHOW if shown[n] else FOLD
        kind = GATE if tree.stage[n] > stage else end if tree.player[n] == OVER else int(tree.player[n])
        shape.append((kind, len(below)))
        queue += below
    return _Line(number, queue, tuple(shape))


def _stage(
    tree: BettingTree, bunches: list[list[_Line]], behind: dict, weight: dict[int, float], dtype: Any
) -> Bunches:
    rows: dict[str, list] = {field: [] for field in Lines._fields}
    folds, shows = [], []
    for lines in bunches:
        lanes = lines + lines[-1:] * (LANES - len(lines))
        rows["start"].append(len(rows["kind"]))
        rows["line"].append([line.number for line in lines] + [NONE] * (LANES - len(lines)))
        ends: dict[int, list[list[int]]] = {FOLD: [], SHOW: []}
        first = 1
        for at, (kind, count) in enumerate(lines[0].shape):
            same = [line.nodes[at] for line in lanes]
            rows["kind"].append(kind)
            rows["arg"].append(len(ends[kind]) if kind in ends else 0)
            rows["first"].append(first)
            rows["count"].append(count)
            rows["gate"].append([behind.get(n, 0) for n in same])
            rows["scale"].append([weight.get(kind, 0.0) * float(tree.scale[n]) for n in same])
            if kind in ends:
                ends[kind].append(same)
            first += count
        rows["folds"].append(len(ends[FOLD]))
        rows["shows"].append(len(ends[SHOW]))
        folds.append(np.array(ends[FOLD], np.int64).reshape(-1, LANES))
        shows.append(np.array(ends[SHOW], np.int64).reshape(-1, LANES))
    rows["start"].append(len(rows["kind"]))
    made = Lines(**{field: np.array(rows[field], dtype if field == "scale" else np.int64) for field in Lines._fields})
    return Bunches(made, folds, shows)


def reach_of(plan: TypePlan, player: int, stages: Sequence[Bunches], dtype: Any = np.float64) -> list[Reach]:
    """[stage] a player's own reach at the ends of the tree."""
    tree = plan.tree
    owner = [np.zeros(0, np.int64)]  # [stage][type] the type of the stage before that it belongs to
    for s in range(1, tree.stages):
        owner.append(np.searchsorted(plan.cuts[s - 1], plan.cuts[s][:-1], side="right") - 1)
    rows: list[Any] = [None] * len(tree.player)
    rows[0] = np.ones(len(plan.cuts[0]) - 1, dtype)
    for n in range(len(tree.player)):
        if tree.player[n] == OVER:
            continue
        odds = plan.table(n) if tree.player[n] == player else None
        for k, c in enumerate(tree.below(n)):
            row = rows[n] if odds is None else (rows[n] * odds[k]).astype(dtype)
            rows[c] = row if tree.stage[c] == tree.stage[n] else row[owner[tree.stage[c]]]
        rows[n] = None  # its children have it

    def at_ends(ends: list[np.ndarray], types: int) -> np.ndarray:
        out = np.zeros((len(ends), types, max(nodes.size for nodes in ends)), dtype)
        for bunch, nodes in enumerate(ends):
            for at, n in enumerate(nodes.ravel().tolist()):
                out[bunch, :, at] = rows[n]
        return out

    types = [len(cut) - 1 for cut in plan.cuts]
    return [Reach(at_ends(stage.folds, types[s]), at_ends(stage.shows, types[s])) for s, stage in enumerate(stages)]
