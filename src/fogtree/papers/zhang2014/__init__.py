"""Zhang and Wang 2014, Using Modified UCT Algorithm Basing on Risk Estimation Methods in Imperfect Information Games.

How the printed numbers are read, where the text leaves it open:

* UCT-Risk takes the first decision of a simulation by mean less R times risk (`bandits/risk.py`), for all sampled worlds
  together. Below it the cards are open. "UCT-Turned" is UCB1-Tuned and epsilon-greedy is that of Auer and others 2002, in the
  same place. All three search the same number of worlds with the same number of simulations, and have the same search
  below.
* UCB1-Tuned adds its bounds to profits in points, from -100 to 100, since no formula scales them; part `readings` has the
  other reading too.
* R = 0 is epsilon-greedy, as the text says, because all risk agents explore as it does; part `readings` tries the
  formula as printed.
* One algorithm plays both seats of a side. Sides are exchanged with the same deal.
* The budget is not printed. Simulations are cut and evaluated by material, which is the profit.
* An average number of worlds is that of the logarithms.
"""

from ..report import Paper
from .beyond import PARTS
from .tables import budgets, hidden, readings, table2, table2_for_two, table3, table3_for_two, table4
from .worlds import rounds, table1

PAPER = Paper(
    "zhang2014",
    "Using Modified UCT Algorithm Basing on Risk Estimation Methods in Imperfect Information Games",
    "J. Zhang and X. Wang, 2014.",
    {
        "table1": table1,
        "table1-rounds": rounds,
        "table2": table2,
        "table3": table3,
        "table2-luzhanqi": table2_for_two,
        "table3-luzhanqi": table3_for_two,
        "table4": table4,
        "readings": readings,
        "ismcts": hidden,
        "budgets": budgets,
        **PARTS,
    },
)
