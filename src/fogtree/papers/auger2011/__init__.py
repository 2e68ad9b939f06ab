"""Auger 2011, Multiple Tree for Partially Observable Monte-Carlo Tree Search: its table and figures, and what they leave out.

How it is read, where the text leaves it open:
* The reward is 1 for a win and 0 for all else (`aim=win`): only so do we come near the printed 85 % and 4 %. A draw is then
  as bad as a loss for both, which is no zero-sum game, so the printed 0.81 is not the value of Phantom Tic-Tac-Toe.
* n in gamma(n) counts simulations; players play by their frequencies; an update divides by the probability of the move
  chosen in the node (not of the one that led there, which would be no EXP3).
* The Belief Sampler marks every move that perfect play allows, once a world.
"""

from functools import partial

from ..report import Paper
from .beyond import FULL_GAME, OTHER_GAMES, dark_hex, exactly, side_by_side, threads
from .players import evolving, figure1, readings, sizes, table1

SECOND = "Figure 2: fixed first players against an evolving second"
THIRD = "Figure 3: fixed second players against an evolving first"
OTHERS = "Beyond the paper: MMCTS beside IS-MCTS, MCCFR and CFR+"
IN_FULL = "Beyond the paper: the same in the full game"

PAPER = Paper(
    "auger2011",
    "Multiple Tree for Partially Observable Monte-Carlo Tree Search",
    "D. Auger, HAL hal-00563480v2, 2011.",
    {
        "table1": table1,
        "figure1": figure1,
        "sizes": sizes,
        "readings": readings,
        "figure2": partial(evolving, name="figure2", title=SECOND, seat=1),
        "figure3": partial(evolving, name="figure3", title=THIRD, seat=0),
        "exact": exactly,
        "threads": threads,
        "others": partial(side_by_side, part="others", title=OTHERS, full=OTHER_GAMES),
        "full-game": partial(side_by_side, part="full-game", title=IN_FULL, full=FULL_GAME),
        "dark-hex": dark_hex,
    },
)
