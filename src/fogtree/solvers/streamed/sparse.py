"""The solution of a restricted game, made sparse: actions that it hardly plays are left out, for each one costs walks."""

from typing import Any

import numpy as np

from ...walk.slices import Watcher
from ..forms.certificates import certified
from ..forms.infosets import write_plan
from ..forms.response import average
from ..forms.sequence import SequenceForm
from ..regret.cfr import CFR

RULE = "pdcfr+"
FIRST_ITERATIONS, MOST_ITERATIONS = 128, 1 << 17  # of CFR
TRIMS = (0.03, 0.01, 0.003, 0.001, 0.0001, 0.0)  # probabilities below which an action is left out, the boldest first


def by_lp(form: SequenceForm) -> tuple[np.ndarray, np.ndarray]:
    """The plans of an exact solution."""
    from ..exact.lp import solve_lp  # HiGHS takes a quarter of a second to load, and few games need it

    return solve_lp(form).plans


def by_cfr(form: SequenceForm, aim: float, look: Watcher) -> tuple[np.ndarray, np.ndarray]:
    """The plans of a solution that is exact to `aim`, or as near as a good many iterations come."""
    work = CFR(form, RULE)
    work.run(iterations=FIRST_ITERATIONS, progress=look)
    while work.certificate().total > aim and work.iterations < MOST_ITERATIONS:
        work.run(iterations=work.iterations, progress=look)
    return work.plans()


def sparse(form: SequenceForm, plans: Any, aim: float) -> list[np.ndarray]:
    """[player] the probabilities by sequence of these plans, without the actions that they hardly play: as many are left out
    as cost no more than about `aim`."""
    mixes = [average(form, player, plan) for player, plan in enumerate(plans)]
    allowed, trimmed = 2.0 * max(aim, certified(form, *plans).total), mixes
    for least in TRIMS:
        trimmed = [_trimmed(form, player, mix, least) for player, mix in enumerate(mixes)]
        if certified(form, *plans_of(form, trimmed)).total <= allowed:
            break
    return trimmed


def plans_of(form: SequenceForm, mixes: list[np.ndarray]) -> list[np.ndarray]:
    """The plans of mixes by sequence."""
    plans = [np.empty(len(mix)) for mix in mixes]
    for tree, mix, plan in zip(form.trees, mixes, plans, strict=True):
        write_plan(tree, mix, plan)
    return plans


def _trimmed(form, player, mix, least) -> np.ndarray:
    """The mixes without the actions of a probability below `least`. The likeliest action of a set always stays."""
    first, width = form.trees[player].first, np.diff(form.trees[player].first)
    if not len(width):
        return mix
    own = mix[1:]
    most = np.maximum.reduceat(own, first[:-1] - 1)
    kept = np.where(own >= np.minimum(least, np.repeat(most, width)), own, 0.0)
    total = np.add.reduceat(kept, first[:-1] - 1)
    return np.concatenate([mix[:1], kept / np.repeat(total, width)])
