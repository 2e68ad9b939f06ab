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

from functools import partial

from ..report import Paper
from . import beyond, rivals
from .printed import GREEDY, TUNED
from .tables import FULL, HIDDEN, HIDDEN_STORY, READINGS, READINGS_STORY, TWO, by_budget, rows_of, table, table4
from .worlds import rounds, table1

AGAINST_TUNED, AGAINST_GREEDY = "Table 2: UCT-Risk against UCT-Tuned", "Table 3: UCT-Risk against epsilon-greedy"
FOR_TWO = "in the game for two"
NEVER_OPENED, FORMULAS = "IS-MCTS against UCT-Tuned", "Each reading of the formulas"

PAPER = Paper(
    "zhang2014",
    "Using Modified UCT Algorithm Basing on Risk Estimation Methods in Imperfect Information Games",
    "J. Zhang and X. Wang, 2014.",
    {
        "table1": table1,
        "table1-rounds": rounds,
        "table2": partial(table, name="table2", title=AGAINST_TUNED, rival=TUNED, full=FULL),
        "table3": partial(table, name="table3", title=AGAINST_GREEDY, rival=GREEDY, full=FULL),
        "table2-luzhanqi": partial(table, name="table2-luzhanqi", title=f"Table 2 {FOR_TWO}", rival=TUNED, full=TWO),
        "table3-luzhanqi": partial(table, name="table3-luzhanqi", title=f"Table 3 {FOR_TWO}", rival=GREEDY, full=TWO),
        "table4": table4,
        "readings": partial(rows_of, name="readings", title=FORMULAS, sides=READINGS, story=READINGS_STORY),
        "ismcts": partial(rows_of, name="ismcts", title=NEVER_OPENED, sides=HIDDEN, story=HIDDEN_STORY),
        "budgets": by_budget,
        "beyond-fusion": beyond.fusion,
        "beyond-risk": beyond.risk,
        "beyond-settings": beyond.settings,
        "beyond-readings": beyond.readings,
        "beyond-rivals": rivals.against_rivals,
    },
    by_matches=(
        "table2",
        "table3",
        "table2-luzhanqi",
        "table3-luzhanqi",
        "table4",
        "readings",
        "ismcts",
        "budgets",
    ),
)
