"""Small army: army chess on 3 x 4 points with five men each, small enough to be solved. Rules version 1.

Each player has a home area of two rows of three points. The back row has headquarters at both ends, the front row is
a railway, and the front rows are joined at all three columns. The men are a commander, an engineer, a bomb, a mine
and a flag. The flag is in a headquarters, the mine and the bomb on the other two points of the back row, the
commander and the engineer at the ends of the front row: 8 ways to set up. All else is as in army chess for two
(`two.py`): how men move and fight, what is told, and how a game ends, except that it is a draw after a few moves.

Setting up, an action is a kind; later it is 12 * from + to. People write moves as a2-a3, with columns a to c and rows
1 to 4, red (player 0) at the bottom.
"""

from typing import NamedTuple

from ...text.parameters import accepts
from .board import SMALL
from .rules import Stalled
from .setting import SetUp
from .verbs import LONGEST, QUIET, STALLED, TwoArmies


def even_or_chosen(value):
    """even or chosen"""
    if isinstance(value, str):
        value = {"even": SetUp.EVEN, "chosen": SetUp.CHOSEN}.get(value.lower())
    if value not in (SetUp.EVEN, SetUp.CHOSEN):
        raise ValueError
    return SetUp(value)


class SmallArmyParameters(NamedTuple):
    set_up: SetUp = SetUp.EVEN
    quiet: int = 100
    stalled: Stalled = Stalled.DRAW
    longest: int = 6


@accepts(
    set_up=(even_or_chosen, "drawn by chance, each equally likely, or chosen by the players, one man after the other"),
    quiet=QUIET,
    stalled=STALLED,
    longest=(range(1, 101), LONGEST),
)
class SmallArmy(SmallArmyParameters, TwoArmies):
    __slots__ = ()

    def board(self):
        return SMALL
