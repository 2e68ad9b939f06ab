"""The lines of a betting tree (`lines.py`) as programs, for lanes that go through the hands of a board.

A lane does one line on one board. For each hand it would hold the values of all nodes of the line, and for each end the sums
by card of all hands so far: far more than a lane has near it. So a line is done in *parts*, one after the other. A part
takes at most STEPS steps, and a step combines at most one fold and one showdown, or one gate to the next stage, with the
value so far: the best of them at one's own node, their sum at the other's. Betting is a chain of answers: a node has a fold,
a call and one more node, if there is a raise. So the value so far is one number a hand, which is kept from part to part.
Where a node has more than one node below it, the values wait on a stack of levels:

    begin      a new value, or that of the level
    steps      value = combined(value, fold, showdown or gate)
    wait       combined with the value that waits on a lower level, if there is one
    end        kept on a level
"""

from typing import Any, NamedTuple

import numpy as np

from ...game import NONE
from .lines import FOLD, GATE, LANES, SHOW, Bunches, Reach

STEPS = 2  # of a part
SLOTS = 2 * STEPS  # the folds of the steps, then their showdowns
OWN, OWN_2, FRESH, FROM, WAIT, WAIT_OWN, TO, SHOWN, GATED, GATED_2, LAST = range(11)  # FROM, WAIT, TO: levels


class Programs(NamedTuple):
    """The programs of the bunches of a stage."""

    first: np.ndarray  # [bunches + 1] where the parts of a bunch begin
    line: np.ndarray  # [bunches, LANES] the numbers of its lines, NONE where there are fewer
    part: np.ndarray  # [parts, 11]
    start: np.ndarray  # [parts] the value with which a new one begins
    scale: np.ndarray  # [parts, SLOTS, LANES] of what a slot has
    offset: np.ndarray  # [parts, SLOTS] what is added to it: 0, or what is never the best where there is nothing
    gate: np.ndarray  # [parts, STEPS, LANES] the lines behind gates
    reach: np.ndarray  # [parts x types x SLOTS x LANES]


class _Step(NamedTuple):
    own: bool  # one's own node: the best counts
    fold: int  # nodes of the bunch, or NONE
    show: int
    gate: int
    fresh: bool  # it begins a new value
    level: int  # where the value is kept
    wait: int  # the level of a value that is then combined with it, or NONE
    wait_own: bool


def programs(stage: Bunches, reach: Reach, me: int, dtype: Any) -> tuple[Programs, int]:
    """The programs of a stage, and how many levels they need."""
    lines, types = stage.lines, reach.fold.shape[1]
    first, parts, depth = [0], [], 1
    for bunch in range(len(lines.folds)):
        base = int(lines.start[bunch])
        steps: list[_Step] = []
        depth = max(depth, _steps(lines, base, 0, 0, me, steps))
        parts += [(bunch, base, part) for part in _parts(steps)]
        first.append(len(parts))
    count = len(parts)
    part, start = np.zeros((count, 11), np.int64), np.zeros(count, dtype)
    scale, offset = np.zeros((count, SLOTS, LANES), dtype), np.zeros((count, SLOTS), dtype)
    gate = np.zeros((count, STEPS, LANES), np.int64)
    mass = np.zeros((count, types, SLOTS, LANES), dtype)
    for p, (bunch, base, held) in enumerate(parts):
        last = held[-1]
        part[p, [FRESH, FROM, WAIT, WAIT_OWN, TO]] = (
            held[0].fresh,
            held[0].level,
            last.wait,
            last.wait_own,
            last.level if last.wait == NONE else last.wait,
        )
        part[p, LAST] = p + 1 in first
        start[p] = -np.inf if held[0].own else 0.0
        for at, step in enumerate(held):
            part[p, OWN + at] = step.own
            shown = step.show if step.show != NONE else step.gate
            for slot, n in ((at, step.fold), (STEPS + at, shown)):
                if n == NONE:
                    offset[p, slot] = -np.inf if step.own else 0.0
                    continue
                kind, arg = lines.kind[base + n], int(lines.arg[base + n])
                if kind == GATE:
                    part[p, GATED + at], scale[p, slot], gate[p, at] = 1, 1.0, lines.gate[base + n]
                    continue
                scale[p, slot] = lines.scale[base + n]
                source = reach.fold if kind == FOLD else reach.show
                mass[p, :, slot] = source[bunch, :, arg * LANES : (arg + 1) * LANES]
                part[p, SHOWN] |= kind == SHOW
    made = Programs(np.array(first), lines.line, part, start, scale, offset, gate, mass.ravel())
    return made, depth


def _steps(lines: Any, base: int, n: int, level: int, me: int, found: list[_Step]) -> int:
    """Append the steps of a node and of all below it; returns how many levels they need."""
    own, begin = int(lines.kind[base + n]) == me, int(lines.first[base + n])
    below = range(begin, begin + int(lines.count[base + n]))
    kinds = {c: int(lines.kind[base + c]) for c in below}
    deeper = [c for c in below if kinds[c] not in (FOLD, SHOW, GATE)]
    folds, shows, gates = ([c for c in below if kinds[c] == kind] for kind in (FOLD, SHOW, GATE))
    if not kinds:  # the line is an end
        raise AssertionError("a line begins with a decision")
    most = level + 1
    for at, c in enumerate(deeper):
        most = max(most, _steps(lines, base, c, level + (at > 0), me, found))
        if at > 0:
            found[-1] = _waiting(found, level, own)
    for at in range(max(len(folds), len(shows) + len(gates))):
        fold = folds[at] if at < len(folds) else NONE
        show = shows[at] if at < len(shows) else NONE
        gate = gates[at - len(shows)] if len(shows) <= at < len(shows) + len(gates) else NONE
        found.append(_Step(own, fold, show, gate, not deeper and at == 0, level, NONE, False))
    return most


def _waiting(found: list[_Step], level: int, own: bool) -> _Step:
    """The last step, which then combines the value with the one that waits on a level."""
    last = found[-1]
    if last.wait == NONE:
        return last._replace(wait=level, wait_own=own)
    found.append(_Step(False, NONE, NONE, NONE, False, last.wait, level, own))  # it already does that once
    return found[-1]


def _parts(steps: list[_Step]) -> list[list[_Step]]:
    """Steps that are done together: a new value begins a part, and waiting ends one."""
    parts: list[list[_Step]] = []
    for step in steps:
        if step.fresh or not parts or len(parts[-1]) == STEPS or parts[-1][-1].wait != NONE:
            parts.append([])
        parts[-1].append(step)
    return parts
