"""The exploitability of an agent as it plays, for the tables of tournaments: a short soundness (`soundness.py`).

An agent with a `plan` plays a fixed strategy, and its exploitability is exact. A search has no fixed strategy: at each move
it searches again, with new random numbers. What it plays is the mean over all those. So the agent is asked with several seeds
at every information set of the game that it can come to, and the exploitability of the mean plan is computed.

It is an estimate. Its interval comes from leaving out one of the seeds at a time. Noise makes a strategy look worse than it
is, because a best response exploits the noise too. So the estimate is more often too high than too low, and with more seeds
it falls to the true value.

If the estimate would take minutes, none is made.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from ..entrance import native
from ..errors import FogtreeError
from ..measure.intervals import jackknife_half
from ..solvers.forms.infosets import planned
from ..solvers.forms.response import answer_value
from ..solvers.forms.sequence import SequenceForm
from .agents import load_agent, require_fit
from .soundness import played

RUNS = 8  # seeds, where there is time
FEWEST_RUNS = 2  # without which nothing is known of the noise
HISTORIES = 200_000  # of a game whose information sets are listed with their states
SEARCHES = 10_000  # in all
ITERATIONS = 10_000_000  # of all these searches together
SECONDS = 20.0  # of them, where a move's budget is in seconds


class Judged(NamedTuple):
    """How exploitable an agent is, as it plays."""

    total: float  # the sum of both players' gains; NaN where it is not known
    half: float = 0.0  # half the width of the 95 % interval; 0 where the total is exact
    runs: int = 0  # seeds of the agent; 0 where its strategy is written down
    why: str = ""  # why it is not known


def judge(form: SequenceForm, name: str, *, seed: int = 0) -> Judged:
    """The exploitability of the agent that a text names, both players played by it."""
    agent = load_agent(name, seed)
    require_fit(agent, form.game)
    exact = hasattr(agent, "plan")
    if not exact and not hasattr(agent, "mix"):
        return Judged(math.nan, why="it does not tell how it mixes")
    if not exact and form.histories > HISTORIES:
        return Judged(math.nan, why=f"the game has more than {HISTORIES:,} histories")
    sets = sum(int(tree.infosets()) for tree in form.trees)
    runs = 1 if exact else _affordable(agent, sets)
    if not exact and runs < FEWEST_RUNS:
        return Judged(math.nan, why=f"to search at all {sets:,} information sets takes too long")
    try:
        mixes, _ = played(form, name, range(runs), seed)
    except FogtreeError as error:
        return Judged(math.nan, why=str(error))
    except (Exception, SystemExit) as error:
        if native(type(agent)):
            raise
        return Judged(math.nan, why=f"it raised {type(error).__name__}: {error}")
    plans = [np.array([planned(form.trees[p], mix) for mix in mixes[p]]) for p in (0, 1)]
    if exact:
        return Judged(_total(form, plans))
    without = [_total(form, [np.delete(plan, run, 0) for plan in plans]) for run in range(runs)]
    return Judged(_total(form, plans), jackknife_half(without), runs)


def _total(form: SequenceForm, plans: list[np.ndarray]) -> float:
    """The exploitability of the mean of some plans [player][seed, sequence]."""
    x, y = (plan.mean(axis=0) for plan in plans)
    return answer_value(form, y, 0) + answer_value(form, x, 1)


def _affordable(agent: Any, sets: int) -> int:
    """How often the agent can be run at so many information sets."""
    most = min(RUNS, SEARCHES // max(sets, 1))
    if hasattr(agent, "budget"):
        spend = agent.budget()
        if math.isfinite(spend.iterations):
            return min(most, int(ITERATIONS // max(1, sets * spend.iterations)))
        return min(most, int(SECONDS // max(1e-9, sets * spend.seconds)))
    return most
