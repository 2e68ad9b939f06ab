"""Counterfactual regret minimisation in lanes (`kernels/lanes.py`), for a GPU: the rules and the iterations of `cfr.py`.

A product with the matrix is a lane for each row, done by a team of threads. The sweeps go level by level, a lane for each
information set (`forms/levels.py`). The launches of an iteration are noted once and run as one graph. Everything is in double
precision; sums are added up in another order than on the CPU, so that numbers differ from the CPU's in their last digits.

The factors of a rule (`Rule.positive` and so on) are numbers of the iteration alone. Python computes those of many iterations
ahead, and a count on the device says which are due.
"""

import os
from typing import Any, NamedTuple

import numpy as np

from ...errors import Invalid
from ...kernels.engines import empty, on, replay, write, zeros
from ...kernels.lanes import CPU, NOTHING
from ...walk.slices import Watcher
from ..forms.certificates import Bounds, PlanPair, better_of_each
from ..forms.infosets import EMPTY, uniform_mix
from ..forms.levels import Levels, Sweeps, gather
from ..forms.sequence import SequenceForm
from ..until import resumed, run_slices
from .cfr import CFR, STORED, Learner, learn_set, rule_named

POSITIVE, NEGATIVE, AHEAD, KEEP, FACTORS = 0, 1, 2, 3, 4  # factors of an iteration
AT_ONCE = 1 << 10  # iterations whose factors are known ahead


class Schedule(NamedTuple):
    """The factors of the iterations to come."""

    factor: Any  # [AT_ONCE, FACTORS]
    due: Any  # [1] the row of this iteration

    def now(self, which):
        return self.factor[self.due[0], which]


class Turning(NamedTuple):
    """Work of one lane: the next iteration begins."""

    schedule: Schedule

    def lane(self, number, own):
        self.schedule.due[0] += 1


class Learning(NamedTuple):
    """Work: lanes learn at the sets of a level, when the levels below have learned."""

    rule: Any
    schedule: Schedule
    me: Learner
    levels: Levels
    value: Any  # [infosets] under the mix that was played
    low: int  # where the level begins

    def lane(self, number, own):
        i, now = self.levels.order[self.low + number], self.schedule
        gather(self.levels, i, self.me.tree, self.me.worth, self.value)
        self.value[i] = learn_set(self.rule, self.me, i, now.now(POSITIVE), now.now(NEGATIVE), now.now(AHEAD))


class Planning(NamedTuple):
    """Work: lane s writes the plan at sequence s, and adds it to the average. It multiplies the mixes on the way back to the
    root, so that all levels are done at once."""

    schedule: Schedule
    me: Learner
    levels: Levels

    def lane(self, number, own):
        me, before, reach, s = self.me, self.levels.before, 1.0, number
        while s != EMPTY:
            reach *= me.mix[s]
            s = before[s]
        me.plan[number] = reach
        me.summed[number] = me.summed[number] * self.schedule.now(KEEP) + reach


class Averaging(NamedTuple):
    """Work: lane s writes the average plan at sequence s."""

    summed: Any
    plan: Any

    def lane(self, number, own):
        self.plan[number] = self.summed[number] / max(self.summed[EMPTY], 1e-300)


class LanePair(NamedTuple):
    """The certificate of a plan of each player, which lie where the lanes have them; see `PlanPair`."""

    work: "LaneCFR"
    x: Any
    y: Any
    low: float
    high: float
    note: str = ""

    @property
    def total(self) -> float:
        return self.high - self.low

    def improved_by(self, later: "LanePair") -> "LanePair":
        return better_of_each(self, later)

    def point(self, iterations: int, seconds: float) -> Bounds:
        return Bounds(iterations, seconds, self.low, self.high)

    def strategy(self, progress: Watcher | None = None) -> Any:
        """The plans as a strategy of both players, uniform where they never go."""
        return self.here().strategy(progress)

    def value(self, strategy: Any = None, progress: Watcher | None = None) -> float:
        """What player 0 expects when both follow their plans."""
        return self.work.value_of(self.x, self.y)

    def here(self) -> PlanPair:
        """The same in this machine's memory."""
        return PlanPair(self.work.form, np.array(self.x), np.array(self.y), self.low, self.high, self.note)


class LaneCFR(CFR):
    """`CFR` whose iterations and certificates are computed in lanes on a device."""

    def __init__(self, form: SequenceForm, rule: str = "cfr+", *, device: str = CPU, like: "LaneCFR | None" = None):
        """Another on the same form and device may be given, to share what no rule changes."""
        self.form, self.name, self.rule, self.device = form, rule, rule_named(rule), device
        self.iterations, self.threads = 0, 1
        self._ahead = 0  # iterations whose factors are on the device, after those that are done
        schedule = Schedule(zeros(device, (AT_ONCE, FACTORS), np.float64), zeros(device, 1))
        self._turning = on(device, Turning(schedule), NOTHING)
        schedule = self._turning.there.schedule
        plans = [empty(device, int(tree.sequences()), np.float64) for tree in form.trees]
        self._sweeps: list[Sweeps] = []
        self._learning, self._planning, self._averaging = [], [], []
        matrices = (form.rows, 1.0), (form.columns, -1.0)
        for p, (tree, (matrix, sign)) in enumerate(zip(form.trees, matrices, strict=True)):
            size = int(tree.sequences())
            worth, value = empty(device, size, np.float64), empty(device, max(tree.infosets(), 1), np.float64)
            arrays = worth, value, plans[1 - p], empty(device, 1, np.float64)
            sweeps = Sweeps(device, tree, matrix, sign, arrays, like._sweeps[p] if like else None)
            there, zero = sweeps.there, [zeros(device, size, np.float64) for _ in range(2)]
            mix = empty(device, size, np.float64)
            me = Learner(there.tree, zero[0], mix, plans[p], zero[1], worth)
            self._sweeps.append(sweeps)
            self._learning.append(on(device, Learning(self.rule, schedule, me, there.levels, value, 0), NOTHING))
            self._planning.append(on(device, Planning(schedule, me, there.levels), NOTHING))
            self._averaging.append(on(device, Averaging(me.summed, empty(device, size, np.float64)), NOTHING))
            self._put(p, "mix", uniform_mix(tree))
            self._planning[p].run(0, size)
            self._planning[p].clear(me.summed)  # nothing was played
        self._loop, self._judge = replay(device, self._play), replay(device, self._judging)

    def _me(self, p: int) -> Learner:
        return self._learning[p].there.me

    def _put(self, p: int, field: str, values: np.ndarray) -> None:
        write(self.device, getattr(self._me(p), field), values)

    def _play(self) -> None:
        """One iteration."""
        self._turning.run(0, 1)
        for p in (0, 1):
            sweeps, learning, planning = self._sweeps[p], self._learning[p], self._planning[p]
            sweeps.multiply(self._me(1 - p).plan)
            for low, count in reversed(sweeps.levels):
                learning.change(low=low)
                learning.run(0, count)
            planning.run(0, sweeps.rows)

    def run(
        self, *, iterations: int | None = None, seconds: float | None = None, progress: Watcher | None = None
    ) -> "LaneCFR":
        """Run for so many more iterations or seconds. `progress` is called after each slice and may raise."""
        return run_slices(self, iterations=iterations, seconds=seconds, progress=progress)

    def _iterate(self, count: int) -> int:
        count = min(count, AT_ONCE)
        if self._ahead < count:
            self._look_ahead()
        left, self._ahead = self._ahead - count, 0  # where Ctrl-C comes in between, the factors are written anew
        self._loop.run(count)
        self._ahead = left
        self.iterations += count
        return count

    def _look_ahead(self) -> None:
        """Write the factors of the iterations to come."""
        rule, factor = self.rule, np.empty((AT_ONCE, FACTORS))
        for row in range(AT_ONCE):
            t = float(self.iterations + 1 + row)
            factor[row] = rule.positive(t - 1.0), rule.negative(t - 1.0), rule.positive(t), rule.keep(t)
        schedule = self._turning.there.schedule
        write(self.device, schedule.factor, factor)
        write(self.device, schedule.due, np.array([-1]))
        self._ahead = AT_ONCE

    def plans(self) -> tuple[np.ndarray, np.ndarray]:
        """The average plans."""
        x, y = (np.array(self._me(p).summed) for p in (0, 1))
        return x / max(x[EMPTY], 1e-300), y / max(y[EMPTY], 1e-300)

    def certificate(self) -> Any:
        """What best responses prove of the average plans."""
        if self.iterations == 0:
            raise Invalid("run some iterations first")
        self._judge.run(1)
        x, y = (averaging.there.plan.copy() for averaging in self._averaging)
        return LanePair(self, x, y, -self._sweeps[1].found(), self._sweeps[0].found())

    def _judging(self) -> None:
        """What both best answers to the average plans are worth."""
        for averaging in self._averaging:
            averaging.run(0, averaging.there.plan.shape[0])
        for p in (0, 1):
            self._sweeps[p].answer(self._averaging[1 - p].there.plan)

    def value_of(self, x: Any, y: Any) -> float:
        """What player 0 expects by these plans, which lie where the lanes have them."""
        self._sweeps[0].multiply(y)
        return float(np.array(x) @ np.array(self._sweeps[0].worth))

    def resume(self, path: str | os.PathLike) -> None:
        """Go on from a checkpoint of the same game and rule, on whatever device it was made."""
        stored = self._stored()
        self.iterations, self._ahead = resumed(path, self._about(), stored), 0
        for p in (0, 1):
            self._put(p, "mix", stored[f"mix{p}"])
            self._planning[p].run(0, self._sweeps[p].rows)
            for field in STORED:
                self._put(p, field, stored[f"{field}{p}"])

    def _stored(self) -> dict[str, np.ndarray]:
        return {f"{field}{p}": np.array(getattr(self._me(p), field)) for p in (0, 1) for field in STORED}


def minimiser(
    form: SequenceForm, rule: str, *, threads: int | None = None, device: str = CPU, like: CFR | None = None
) -> CFR:
    """Regret minimisation by a rule on a device: as fast as that device can. `like` is another on the same form."""
    if device == CPU:
        return CFR(form, rule, threads=threads)
    return LaneCFR(form, rule, device=device, like=like if isinstance(like, LaneCFR) else None)
