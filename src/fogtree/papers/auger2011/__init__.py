"""Auger 2011, Multiple Tree for Partially Observable Monte-Carlo Tree Search: its table and figures, and what they leave out.

How it is read, where the text leaves it open:
* The reward is 1 for a win and 0 for all else (`aim=win`): only so do we come near the printed 85 % and 4 %. A draw is then
  as bad as a loss for both, which is no zero-sum game, so the printed 0.81 is not the value of Phantom Tic-Tac-Toe.
* n in gamma(n) counts simulations; players play by their frequencies; an update divides by the probability of the move
  chosen in the node (not of the one that led there, which would be no EXP3).
* The Belief Sampler marks every move that perfect play allows, once a world.
"""

from ..report import Paper
from .beyond import dark_hex, exactly, full_game, others, threads
from .evolving import figure2, figure3
from .players import figure1, readings, sizes, table1

PAPER = Paper(
    "auger2011",
    "Multiple Tree for Partially Observable Monte-Carlo Tree Search",
    "D. Auger, HAL hal-00563480v2, 2011.",
    {
        "table1": table1,
        "figure1": figure1,
        "sizes": sizes,
        "readings": readings,
        "figure2": figure2,
        "figure3": figure3,
        "exact": exactly,
        "threads": threads,
        "others": others,
        "full-game": full_game,
        "dark-hex": dark_hex,
    },
)
