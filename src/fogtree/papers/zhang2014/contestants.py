"""The searches that are compared beyond Zhang and Wang 2014, and a piece of the comparison: all of them in one game with one
seed.

In small games each contestant is run at every information set (`measure/everywhere.py`), in larger ones at every information
set that its own play can reach (`measure/reached.py`), in the game's reduced form.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ...bandits.risk import Centre, Form, Norm, Risk
from ...bandits.tuned import UCB1Tuned
from ...measure.everywhere import Everywhere, Places, mean_strategy, nowhere, places, shares, solved_everywhere
from ...measure.exploitability import exploitability
from ...measure.reached import reached, reached_by, together
from ...search.worlds.opinion import Verdict
from ...solvers.forms.expected import expected
from ...solvers.forms.reduction import reduced
from ...solvers.forms.response import plan_of, value_of
from ...solvers.forms.sequence import sequence_form
from ...solvers.streamed.stream import stream_response
from ...strategy import Strategy
from ...text.naming import load
from .printed import RISKS

ALL = 1000  # decisions: the cards are never opened
DEPTHS = (0, 1, 2, 3, 4, 6, ALL)
BEFORE, GREEDY, FIRST = "IS-MCTS", "UCT-Risk, R = 0", "EPIMC, depth 1"
RIVALS = (FIRST, GREEDY, BEFORE)  # against whom all others play
FEW = ("PIMC, votes", *RIVALS, "UCT-Risk, R = 0.4", "UCT-Risk, R = 1")  # compared with other numbers of worlds


class Contestant(NamedTuple):
    """A search with open cards."""

    name: str
    above: Any
    depth: int
    verdict: Verdict = Verdict.VOTES


def contestants() -> list[Contestant]:
    """All that are compared at one budget. Only `above` and the depth differ: the bandit with open cards is
    UCB1-Tuned."""
    tuned = UCB1Tuned()
    by_depth = [Contestant(f"EPIMC, depth {depth}", tuned, depth) for depth in DEPTHS if 0 < depth < ALL]
    risky = [Contestant(f"UCT-Risk, R = {r:g}", Risk(r=r), 1) for r in RISKS]  # R = 0 is epsilon-greedy
    return [
        Contestant("PIMC, votes", tuned, 0),
        Contestant("PIMC, means", tuned, 0, Verdict.MEANS),
        *by_depth,
        Contestant(BEFORE, tuned, ALL),
        *risky,
    ]


READINGS = {  # of the formulas, at R = 0.4
    "as printed, with epsilon = 0.1": Risk(r=0.4),
    "no exploration": Risk(r=0.4, epsilon=0.0),
    "root mean square": Risk(r=0.4, norm=Norm.RMS),
    "each action around its own mean": Risk(r=0.4, centre=Centre.ACTION),
    "root mean square around its own mean": Risk(r=0.4, norm=Norm.RMS, centre=Centre.ACTION),
    "convex": Risk(r=0.4, form=Form.CONVEX),
}


def table_of(kind: str) -> list[Contestant]:
    """The contestants of a kind."""
    return {
        "all": contestants(),
        "few": [each for each in contestants() if each.name in FEW],
        "readings": [Contestant(name, bandit, 1) for name, bandit in READINGS.items()],
    }[kind]


def compare(game: str, worlds: int, iterations: int, runs: int, seed: int, kind: str) -> dict[str, Any]:
    """The total exploitability of every contestant of a kind, searched at every set, and what each gets against each
    rival, as the mean over both seats."""
    made = load(game)
    form, where = sequence_form(made), places(made)
    table = table_of(kind)
    strategies = [_search(where, one, worlds, iterations).strategy(seed, runs) for one in table]
    plans = [[plan_of(form, each, player)[0] for player in (0, 1)] for each in strategies]

    def worth(one: int, other: int) -> float:
        return value_of(form, plans[one][0], plans[other][1])

    totals = [exploitability(form, each).total for each in strategies]
    return _told(table, runs, [len(where.player)] * len(table), totals, worth)


def compare_reached(game: str, worlds: int, iterations: int, runs: int, seed: int, kind: str) -> dict[str, Any]:
    """The same, searched at the sets that a contestant's own play can reach, in the game's reduced form."""
    made = reduced(load(game))
    table, strategies = table_of(kind), []
    for one in table:
        search = _search(nowhere(made), one, worlds, iterations)
        strategies.append([reached_by(made, player, search, seed, runs) for player in (0, 1)])

    def worth(one: int, other: int) -> float:
        return expected(made, together(strategies[one][0], strategies[other][1]))[0]

    sets, totals = [sum(map(len, both)) for both in strategies], [_total(made, *both) for both in strategies]
    return _told(table, runs, sets, totals, worth)


def _search(where: Places, one: Contestant, worlds: int, iterations: int) -> Everywhere:
    how: dict[str, Any] = {"depth": one.depth, "verdict": one.verdict}
    return Everywhere(where, UCB1Tuned(), one.above, worlds=worlds, iterations=iterations, **how)


def _total(game: Any, first: Strategy, second: Strategy) -> float:
    """The total exploitability of strategies that are known where they are reached."""
    return sum(stream_response(game, together(first, second), player, threads=1).value for player in (0, 1))


def _told(
    table: list[Contestant], runs: int, sets: list[int], totals: list[float], worth: Callable[[int, int], float]
) -> dict[str, Any]:
    """What a piece stores; `worth` says what one contestant gets in the first seat against another in the second."""
    names = [one.name for one in table]
    rivals = [names.index(name) for name in RIVALS if name in names]
    plays = [[(worth(i, j) - worth(j, i)) / 2 for j in rivals] for i in range(len(names))]
    return {"names": names, "sets": sets, "runs": runs, "totals": totals, "plays": plays}


def limits(game: str) -> dict[str, float]:
    """The total exploitability of PIMC where every state of a set is a world and every world is solved."""
    made = load(game)
    form, where = sequence_form(made), places(made)
    return {
        verdict.value: exploitability(form, mean_strategy(where, [solved_everywhere(where, verdict)])).total
        for verdict in Verdict
    }


def limits_reached(game: str) -> dict[str, float]:
    """The same at the sets that are reached, in the game's reduced form."""
    made = reduced(load(game))

    def total(verdict: Verdict) -> float:
        def mix(where: Places, _: int) -> np.ndarray:
            return shares(where, [solved_everywhere(where, verdict)])

        return _total(made, *(reached(made, player, mix) for player in (0, 1)))

    return {verdict.value: total(verdict) for verdict in Verdict}
