"""Luzhanqi (army chess for two): two hidden armies face to face. Rules version 1.

The board has 60 points: two home areas of six rows, whose front rows are joined at columns 1, 3 and 5 (see
`board.py`). Armies, set-ups, moves and fights are those of SiGuo (`four.py`, `setting.py`, `pieces.py`). Red (player
0), at the bottom, moves first.

Both players see which man goes where and how each fight ends, but never the kind of the other's men. When a commander
dies, the flag of his owner is shown. A man who turned on the railway is an engineer.

Whoever captures the flag wins, and whoever has no move at their turn loses; if both have none it is a draw. After
`quiet` moves without a fight the game is a draw, or with `stalled=loss` lost for the side to move; after `longest`
moves it is a draw. The contest of 2012 plays `quiet=31,stalled=loss`.

Setting up, an action is a kind (0 the commander, 11 the flag); later it is 60 * from + to. People write the names of
kinds, and moves as G0-F0: rows A to L from the top, columns 0 to 4, as in the protocol of the contest
(`bridges/junqi.py`).

Sources: the protocol 1.0 of the army chess event of the Chinese computer games contest, 2012; the digests named in
`four.py`.
"""

from typing import NamedTuple

from ...text.parameters import accepts
from .board import TWO
from .rules import Stalled
from .setting import SetUp
from .verbs import LONGEST, QUIET, SET_UP, STALLED, TwoArmies


class LuzhanqiParameters(NamedTuple):
    set_up: SetUp = SetUp.EVEN
    quiet: int = 70
    stalled: Stalled = Stalled.DRAW
    longest: int = 1000


@accepts(set_up=SET_UP, quiet=QUIET, stalled=STALLED, longest=(range(1, 10_001), LONGEST))
class Luzhanqi(LuzhanqiParameters, TwoArmies):
    __slots__ = ()

    def board(self):
        return TWO
