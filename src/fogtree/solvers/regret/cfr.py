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
from ...kernels import kernel
from ...strategy import Strategy, read_npz, write_npz
from ...walk.slices import Progress, Watcher, budget, in_slices, telling
from ..forms.infosets import EMPTY, InfosetTree, plan_from, write_plan
from ..forms.response import average, behaviour, bounds_of, value_of
from ..forms.sequence import SequenceForm, Sparse, multiply, sequence_form

HORIZON = 1000.0  # iterations during which an averaging exponent that falls does so
MANY = 2_000_000  # entries of the matrix from which on threads pay


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
    """One player's side of the iteration. All arrays but the last are by sequence."""

    tree: InfosetTree
    matrix: Sparse  # this player's sequences by the other's
    sign: float  # the matrix holds player 0's payoffs
    regret: np.ndarray
    mix: np.ndarray  # probability of a sequence's last action in its set
    plan: np.ndarray
    summed: np.ndarray  # weighted sum of the plans; the last one weighs 1
    worth: np.ndarray  # scratch


def learn(rule, me, t):
    """Steps 2 to 4; `worth` holds the product with the other's plan. Modified in place: regret, mix, plan, summed, worth."""
    tree, worth, regret, mix = me.tree, me.worth, me.regret, me.mix
    positive, negative, keep = rule.positive(t - 1.0), rule.negative(t - 1.0), rule.keep(t)
    ahead = rule.positive(t)
    for i in range(tree.parent.shape[0] - 1, -1, -1):
        low, high = tree.span(i)
        value = 0.0
        for s in range(low, high):
            value += mix[s] * worth[s]
        worth[np.uint32(tree.parent[i])] += value
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
    plan_from(tree, mix, me.plan)
    for s in range(me.summed.shape[0]):
        me.summed[s] = me.summed[s] * keep + me.plan[s]


def face(me, other_plan, low, high):
    """Step 1 for some rows: the product with the other's plan, as this player's payoff."""
    multiply(me.matrix, other_plan, low, high, me.worth)
    if me.sign < 0.0:
        for s in range(low, high):
            me.worth[s] = -me.worth[s]


@kernel
def iterate(rule, first, second, t, count):
    """Iterations t to t + count - 1."""
    for step in range(t, t + count):
        face(first, second.plan, 0, first.worth.shape[0])
        learn(rule, first, float(step))
        face(second, first.plan, 0, second.worth.shape[0])
        learn(rule, second, float(step))


face_rows, learn_all = kernel(face), kernel(learn)


class CFR:
    """Regret minimisation that runs as long as it is asked to.

    cfr = CFR(game, "cfr+")              or CFR(sequence_form(game), "cfr+"), where the form is used again
    cfr.run(iterations=1000)
    cfr.strategy(), cfr.bounds()
    """

    least = 1  # iterations between two certificates

    def __init__(self, game: Any, rule: str = "cfr+", *, threads: int | None = None):
        if rule not in RULES:
            raise Invalid(f"there is no rule '{rule}': valid are {', '.join(RULES)}")
        form = game if isinstance(game, SequenceForm) else sequence_form(game)
        self.form, self.name, self.rule = form, rule, RULES[rule]
        self.iterations = 0
        self.learners = tuple(_new_learner(form, player) for player in (0, 1))
        entries = len(form.rows.column)
        self.threads = 1 if entries < MANY else threads or os.cpu_count() or 1
        self._parts = [_parts(learner.matrix, self.threads) for learner in self.learners]

    def run(
        self, *, iterations: int | None = None, seconds: float | None = None, progress: Watcher | None = None
    ) -> "CFR":
        """Run for so many more iterations or seconds. `progress` is called after each slice and may raise."""
        spend = budget(iterations, seconds)
        goal = None if iterations is None else self.iterations + int(spend.iterations)
        tell = telling(progress, lambda: Progress("iterations", self.iterations, goal))
        if self.threads == 1:
            self._iterate(0)  # compile before the clock starts
            in_slices(self._iterate, spend, tell=tell, first=1)
            return self
        with concurrent.futures.ThreadPoolExecutor(self.threads) as pool:
            in_slices(lambda count: self._iterate_in_threads(pool, count), spend, tell=tell, first=1)
        return self

    def _iterate(self, count: int) -> int:
        iterate(self.rule, *self.learners, self.iterations + 1, count)
        self.iterations += count
        return count

    def _iterate_in_threads(self, pool, count: int) -> int:
        for _ in range(count):
            for player, learner in enumerate(self.learners):
                plan = self.learners[1 - player].plan
                list(pool.map(lambda part, me=learner, plan=plan: face_rows(me, plan, *part), self._parts[player]))
                learn_all(self.rule, learner, float(self.iterations + 1))
            self.iterations += 1
        return count

    def plans(self) -> tuple[np.ndarray, np.ndarray]:
        """The average plans."""
        x, y = (learner.summed / max(learner.summed[EMPTY], 1e-300) for learner in self.learners)
        return x, y

    def bounds(self) -> tuple[float, float, float]:
        """What player 0 is sure of, what the average plans give, and what player 1 concedes at most: low <= value <= high."""
        if self.iterations == 0:
            raise Invalid("run some iterations first")
        x, y = self.plans()
        low, high = bounds_of(self.form, x, y)
        return low, value_of(self.form, x, y), high

    def strategy(self) -> Strategy:
        """The average strategy of both players."""
        plans = enumerate(self.plans())
        return behaviour(self.form, {player: average(self.form, player, plan) for player, plan in plans})

    def save(self, path: str | os.PathLike) -> None:
        """Write a checkpoint; the file appears whole or not at all."""
        arrays = {
            f"{field}{p}": getattr(self.learners[p], field) for p in (0, 1) for field in ("regret", "mix", "summed")
        }
        about = np.array([identity(self.form.game), self.name])
        write_npz(path, about=about, iterations=np.array(self.iterations), **arrays)

    def resume(self, path: str | os.PathLike) -> None:
        """Go on from a checkpoint of the same game and rule."""
        fields = {f"{field}{p}" for p in (0, 1) for field in ("regret", "mix", "summed")}
        stored = read_npz(path, {"about", "iterations", *fields})
        about = [identity(self.form.game), self.name]
        if stored["about"].tolist() != about:
            found = " by ".join(map(str, stored["about"].ravel().tolist()))
            raise Invalid(f"{path} is a checkpoint of {found}, not of {' by '.join(about)}")
        count = stored["iterations"].tolist()
        fits = type(count) is int and count >= 0
        for field in fields:
            array, size = stored[field], len(self.learners[int(field[-1])].regret)
            fits = fits and array.shape == (size,) and array.dtype == np.float64 and bool(np.isfinite(array).all())
        if not fits:
            raise Invalid(f"{path} does not fit the game: it was cut short or changed")
        for p, learner in enumerate(self.learners):
            learner.regret[:], learner.mix[:], learner.summed[:] = (
                stored[f"{f}{p}"] for f in ("regret", "mix", "summed")
            )
            write_plan(learner.tree, learner.mix, learner.plan)
        self.iterations = count


def _new_learner(form, player) -> Learner:
    tree = form.trees[player]
    size = int(tree.sequences())
    mix, plan = np.ones(size), np.empty(size)
    width = np.diff(tree.first)
    mix[1:] = np.repeat(1.0 / width, width)
    write_plan(tree, mix, plan)
    matrix, sign = (form.rows, 1.0) if player == 0 else (form.columns, -1.0)
    return Learner(tree, matrix, sign, np.zeros(size), mix, plan, np.zeros(size), np.zeros(size))


def _parts(matrix, count) -> list[tuple[int, int]]:
    """Row ranges with about equally many entries each."""
    cuts = np.searchsorted(matrix.start, np.linspace(0, matrix.start[-1], count + 1)[1:-1]).tolist()
    edges = [0, *cuts, len(matrix.start) - 1]
    return list(itertools.pairwise(edges))
