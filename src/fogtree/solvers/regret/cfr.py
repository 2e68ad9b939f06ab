"""Counterfactual regret minimisation over the sequence form: CFR, CFR+, linear, discounted and predictive.

Each player keeps a regret for every sequence: how much better its last action would have been than the mix that was played
(Zinkevich et al. 2007). An iteration goes through the players in turn, the second already facing the first's new plan:

    1. worth  = matrix times the other's plan, then leaves first: what each sequence is worth against it
    2. regret = discounted regret + (worth of the sequence - worth of its set under the present mix)
    3. the new mix of a set is in proportion to its positive regrets, uniform where there are none
    4. plan   = product of the mixes, roots first; the average plan gets it with this iteration's weight

Two products with the matrix and four sweeps, near the speed of memory. The average of the plans converges to equilibrium;
a plan already holds a player's own reach, by which behaviour strategies would have to be weighted.

The variants are rules handed in. A regret is multiplied before it is added to, by one factor if positive and another if
negative, so that CFR+ (Tammelin 2014), which forgets negative regrets, is the factor 0 for them; t counts from 1.
"""

import concurrent.futures
import itertools
import math
import os
from typing import Any, NamedTuple

import numpy as np

from ...errors import Invalid
from ...game import identity
from ...kernels import inlined, kernel
from ...strategy import Strategy, write_npz
from ...walk.slices import Watcher
from ..forms.certificates import PlanPair, certified
from ..forms.infosets import EMPTY, InfosetTree, plan_from, uniform_mix, write_plan
from ..forms.response import strategy_of_plans
from ..forms.sequence import SequenceForm, multiply, sequence_form
from ..until import Pace, resumed, run_slices

HORIZON = 1000.0  # iterations during which an averaging exponent that falls does so
MANY = 2_000_000  # entries of the matrix from which on threads pay
STORED = ("regret", "mix", "summed")  # a learner's arrays in a checkpoint


class Rule(NamedTuple):
    """How regrets are kept, how the next mix follows from them, and how the plans are averaged. Every variant here is one of
    these, so that one compiled loop serves them all.

    After iteration t positive regrets are multiplied by t^alpha / (t^alpha + 1) and negative ones by t^beta / (t^beta + 1)
    (Brown and Sandholm 2019). An infinite alpha keeps all, and a beta of minus infinity forgets negative regrets. The
    average so far is multiplied by ((t - 1) / t)^gamma before plan t is added. As long as gamma stays the same, this is an
    average in which plan t weighs t^gamma. `fall` is how far gamma falls during the first HORIZON iterations (Zhang,
    McAleer and Sandholm 2026). `forecast` is the share of the last gain that is expected once more: 0 mixes by the regrets
    alone, 1 is predictive (Farina, Kroer and Sandholm 2021).
    """

    alpha: float
    beta: float
    gamma: float
    forecast: float = 0.0
    fall: float = 0.0

    def positive(self, t):
        return factor(t, self.alpha)

    def negative(self, t):
        return factor(t, self.beta)

    def keep(self, t):
        """What the average so far is multiplied by before plan t is added."""
        return ((t - 1.0) / t) ** (self.gamma - self.fall * min(t / HORIZON, 1.0))

    def aim(self, regret, gain, ahead):
        """What the next mix is in proportion to, where positive; `ahead` is the next factor of positive regrets."""
        return max(regret, 0.0) * ahead + self.forecast * gain


def factor(t, power):
    if power == math.inf:
        return 1.0
    return 0.0 if power == -math.inf else t**power / (t**power + 1.0)


RULES: dict[str, Any] = {
    "cfr": Rule(math.inf, math.inf, 0.0),
    "cfr+": Rule(math.inf, -math.inf, 1.0),
    "linear": Rule(1.0, 1.0, 1.0),
    "dcfr": Rule(1.5, 0.0, 2.0),
    "pcfr+": Rule(math.inf, -math.inf, 2.0, forecast=1.0),
    "pdcfr+": Rule(2.3, -math.inf, 5.0, forecast=1.0),
    "hs-pcfr+": Rule(math.inf, -math.inf, 30.0, forecast=1.0, fall=5.0),
}


class Learner(NamedTuple):
    """What one player learns. All arrays but the tree's are by sequence."""

    tree: InfosetTree
    regret: np.ndarray
    mix: np.ndarray  # probability of a sequence's last action in its set
    plan: np.ndarray
    summed: np.ndarray  # weighted sum of the plans; the last one weighs 1
    worth: np.ndarray  # scratch


@inlined
def learn_set(rule, me, i, positive, negative, ahead):
    """Steps 2 and 3 for one set, by the factors of this iteration, once the worth of its sequences is known; returns the
    worth of the set under the mix that was played. Modified in place: regret, mix."""
    worth, regret, mix = me.worth, me.regret, me.mix
    low, high = me.tree.span(i)
    value = 0.0
    for s in range(low, high):
        value += mix[s] * worth[s]
    mass = 0.0
    for s in range(low, high):
        old, gain = regret[s], worth[s] - value
        new = old * (positive if old > 0.0 else negative) + gain
        regret[s] = new
        aim = max(rule.aim(new, gain, ahead), 0.0)
        mix[s] = aim
        mass += aim
    for s in range(low, high):
        mix[s] = mix[s] / mass if mass > 0.0 else 1.0 / (high - low)
    return value


def learn(rule, me, t):
    """Steps 2 to 4; `worth` holds the product with the other's plan. Modified in place: regret, mix, plan, summed, worth."""
    tree, worth, mix = me.tree, me.worth, me.mix
    positive, negative, keep = rule.positive(t - 1.0), rule.negative(t - 1.0), rule.keep(t)
    ahead = rule.positive(t)
    for i in range(tree.parent.shape[0] - 1, -1, -1):
        worth[np.uint32(tree.parent[i])] += learn_set(rule, me, i, positive, negative, ahead)
    plan_from(tree, mix, me.plan)
    for s in range(me.summed.shape[0]):
        me.summed[s] = me.summed[s] * keep + me.plan[s]


def face(me, matrix, sign, other_plan, low, high):
    """Step 1 for some rows: the product of the matrix, by this player's sequences and the other's, with the other's plan. The
    matrix holds player 0's payoffs, so the sign makes them this player's."""
    multiply(matrix, other_plan, low, high, me.worth)
    if sign < 0.0:
        for s in range(low, high):
            me.worth[s] = -me.worth[s]


@kernel
def iterate(rule, first, second, rows, columns, t, count):
    """Iterations t to t + count - 1."""
    for step in range(t, t + count):
        face(first, rows, 1.0, second.plan, 0, first.worth.shape[0])
        learn(rule, first, float(step))
        face(second, columns, -1.0, first.plan, 0, second.worth.shape[0])
        learn(rule, second, float(step))


face_rows, learn_all = kernel(face), kernel(learn)


class CFR:
    """Regret minimisation that runs as long as it is asked to.

    cfr = CFR(game, "cfr+")              or CFR(sequence_form(game), "cfr+"), where the form is used again
    cfr.run(iterations=1000)
    cfr.strategy(), cfr.bounds()
    """

    pace, finished = Pace(), False

    def __init__(self, game: Any, rule: str = "cfr+", *, threads: int | None = None):
        form = game if isinstance(game, SequenceForm) else sequence_form(game)
        self.form, self.name, self.rule = form, rule, rule_named(rule)
        self.iterations = 0
        self.learners = tuple(new_learner(tree, np.empty(int(tree.sequences()))) for tree in form.trees)
        entries = len(form.rows.column)
        self.threads = 1 if entries < MANY else threads or os.cpu_count() or 1
        self._parts = [_parts(matrix, self.threads) for matrix in (form.rows, form.columns)]

    def run(
        self, *, iterations: int | None = None, seconds: float | None = None, progress: Watcher | None = None
    ) -> "CFR":
        """Run for so many more iterations or seconds. `progress` is called after each slice and may raise."""
        limits: Any = {"iterations": iterations, "seconds": seconds, "progress": progress}
        if self.threads == 1:
            return run_slices(self, **limits)
        with concurrent.futures.ThreadPoolExecutor(self.threads) as pool:
            return run_slices(self, **limits, iterate=lambda count: self._iterate_in_threads(pool, count))

    def _iterate(self, count: int) -> int:
        iterate(self.rule, *self.learners, self.form.rows, self.form.columns, self.iterations + 1, count)
        self.iterations += count
        return count

    def _iterate_in_threads(self, pool, count: int) -> int:
        first, second = self.learners
        for _ in range(count):
            self._learn_in_threads(pool, first, self.form.rows, 1.0, second.plan, self._parts[0])
            self._learn_in_threads(pool, second, self.form.columns, -1.0, first.plan, self._parts[1])
            self.iterations += 1
        return count

    def _learn_in_threads(self, pool, me, matrix, sign, other_plan, parts) -> None:
        list(pool.map(lambda part: face_rows(me, matrix, sign, other_plan, *part), parts))
        learn_all(self.rule, me, float(self.iterations + 1))

    def plans(self) -> tuple[np.ndarray, np.ndarray]:
        """The average plans."""
        x, y = (learner.summed / max(learner.summed[EMPTY], 1e-300) for learner in self.learners)
        return x, y

    def bounds(self) -> tuple[float, float, float]:
        """What player 0 is sure of, what the average plans give, and what player 1 concedes at most: low <= value <= high."""
        if self.iterations == 0:
            raise Invalid("run some iterations first")
        found = self.certificate()
        return found.low, found.value(), found.high

    def certificate(self) -> PlanPair:
        """What best responses prove of the average plans."""
        return certified(self.form, *self.plans())

    def strategy(self) -> Strategy:
        """The average strategy of both players."""
        return strategy_of_plans(self.form, self.plans())

    def save(self, path: str | os.PathLike) -> None:
        """Write a checkpoint; the file appears whole or not at all."""
        about, iterations = np.array(self._about()), np.array(self.iterations)
        write_npz(path, about=about, iterations=iterations, **self._stored())

    def resume(self, path: str | os.PathLike) -> None:
        """Go on from a checkpoint of the same game and rule."""
        self.iterations = resumed(path, self._about(), self._stored())
        for learner in self.learners:
            write_plan(learner.tree, learner.mix, learner.plan)

    def _about(self) -> list[str]:
        return [identity(self.form.game), self.name]

    def _stored(self) -> dict[str, np.ndarray]:
        return {f"{field}{p}": getattr(self.learners[p], field) for p in (0, 1) for field in STORED}


def rule_named(name: str) -> Rule:
    if name not in RULES:
        raise Invalid(f"there is no rule '{name}': valid are {', '.join(RULES)}")
    return RULES[name]


def new_learner(tree: InfosetTree, plan: np.ndarray) -> Learner:
    """A learner who has learned nothing, with room for the plan."""
    mix = uniform_mix(tree)
    write_plan(tree, mix, plan)
    regret, summed, worth = np.zeros((3, len(mix)))
    return Learner(tree, regret, mix, plan, summed, worth)


def _parts(matrix, count) -> list[tuple[int, int]]:
    """Row ranges with about equally many entries each."""
    cuts = np.searchsorted(matrix.start, np.linspace(0, matrix.start[-1], count + 1)[1:-1]).tolist()
    edges = [0, *cuts, len(matrix.start) - 1]
    return list(itertools.pairwise(edges))
