"""Counterfactual regret minimisation in games of any number of players, zero-sum or not.

The iteration is that of `cfr.py`, with the same rules: the players take turns, each learns what its sequences are worth
against the present plans of all others, and the average of the plans is kept.

What it proves is less. In a two-player zero-sum game vanishing regrets mean that the averages are an equilibrium. With
more players, or other payoffs, they mean only that the plans of an iteration drawn at random are a coarse correlated
equilibrium (Hart and Mas-Colell 2000): nobody gains by leaving it for one fixed strategy. The averages of the players,
taken separately, may be far from any Nash equilibrium. In three-player Kuhn poker they have been found to come close to
one (Abou Risk and Szafron 2010). So the result is always measured: `gains` is what each player could still win, and
their sum is the NashConv.
"""

from typing import Any

from ...kernels import kernel
from ...strategy import Strategy
from ..forms.certificates import Gains, gains_of
from ..forms.general import GeneralForm, Plans, general_form, worth_against
from ..forms.infosets import EMPTY
from ..until import Pace, run_slices
from .cfr import learn, new_learner, rule_named


@kernel
def update(rule, place, value, plan, begin, learner, me, t):
    """The part of iteration t that is a player's."""
    worth_against(place, value, plan, begin, me, learner.worth)
    learn(rule, learner, t)


class GeneralCFR:
    """Regret minimisation that runs as long as it is asked to. It is used as `CFR` is.

    cfr = GeneralCFR(ManyKuhn(), "cfr+")
    cfr.run(iterations=1000)
    cfr.strategy(), cfr.average().gains()
    """

    pace, finished = Pace(), False

    def __init__(self, game: Any, rule: str = "cfr+"):
        self.form = game if isinstance(game, GeneralForm) else general_form(game)
        self.name, self.rule = rule, rule_named(rule)
        self.iterations = 0
        self.plans = Plans(self.form)
        self.learners = [new_learner(tree, self.plans.of(player)) for player, tree in enumerate(self.form.trees)]

    run = run_slices

    def _iterate(self, count: int) -> int:
        form, plans = self.form, self.plans
        for _ in range(count):
            self.iterations += 1
            for me, learner in enumerate(self.learners):
                update(self.rule, form.place, form.value, plans.plan, plans.begin, learner, me, float(self.iterations))
        return count

    def average(self) -> Plans:
        """The average plans."""
        plans = Plans(self.form)
        for player, learner in enumerate(self.learners):
            plans.of(player)[:] = learner.summed / max(learner.summed[EMPTY], 1e-300)
        return plans

    def certificate(self) -> Gains:
        """What each player could still gain if all follow the average plans."""
        return gains_of(self.average())

    def strategy(self) -> Strategy:
        """The average strategy of all players."""
        return self.average().strategy()
