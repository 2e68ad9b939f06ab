"""What others have printed about searches at the table.

* `UNIFORM`: what a best response of the first player gets against uniform play, as the public code of Šustr, Kovařík and Lisý
  2019 has it (aicenter/gtlibrary-java, branch mccr), before the value is subtracted.
* `VALUES`: the value of Liar's Dice with one die each, in Lisý, Lanctot and Bowling 2015 and in Šustr, Kovařík and Lisý 2019.
* `MATCHES`: how often OOS beats IS-MCTS in Liar's Dice with one die each, 0.1 s a move, in percent, with the 95 % interval
  (Lisý, Lanctot and Bowling 2015).
* `TABULAR`: total exploitability of strategies that were put together from searches at all information sets of Liar's Dice,
  delta = 0.9, by seconds a move. These stand in the source of the paper of 2015, commented out; the authors call them odd.
"""

UNIFORM = {"goofspiel:cards=5,lowest=1": 0.775, "liars-dice": 0.79549}
VALUES = {"Lisý, Lanctot and Bowling 2015": -0.027132, "Šustr, Kovařík and Lisý 2019": -0.027693}
MATCHES = {"uct": (51.7, 2.0), "rm": (56.8, 2.8)}
SECONDS = 0.1
TABULAR = {
    "uct": {1.0: 0.808, 5.0: 0.799},
    "oos": {1.0: 0.648, 5.0: 0.524},
    "oos:target=pst": {1.0: 0.414, 5.0: 0.273},
}
