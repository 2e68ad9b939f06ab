"""SiGuo (four-country army chess): four hidden armies, partners against partners. Rules version 1.

Each player has 25 men on the board of 129 points (see `board.py`): one commander (rank 9), one general (8), two men
each of division (7), brigade (6), regiment (5) and battalion (4), three each of company (3), platoon (2) and engineer
(1), two bombs, three mines and a flag. South, east, north and west are players 0 to 3 and move in this order;
partners sit opposite. With `players=2` only south and north play, on the same board.

Set-up: camps are empty, and a man stands on every other point of the home area; the flag in a headquarters, mines in
the two rows at the back, bombs not in front (`setting.py`). Set-ups are drawn by chance, evenly or as people like
them, or chosen by the players, one after the other.

A player moves one man. He steps along a joint, or glides along one line of the railway through free points; engineers
may turn on the railway. Mines and flags never move, nor does anybody who stands in a headquarters. He goes to a free
point, or attacks a man of the other side who is not in a camp. How fights end is told in `pieces.py`.

Everybody sees which man goes where and how each fight ends, but never the kind of another player's man, not even the
partner's. When a commander dies, the flag of his owner is shown to everybody. A man who turned on the railway is an
engineer.

A player whose flag is captured, or who has no move at their turn, is out: all their men are removed, and the partner
plays on. A side wins when both opponents are out: 1 and -1 for each player. After `quiet` moves without a fight the
game is a draw, or a loss for the side to move (`stalled`); after `longest` moves it is a draw.

Setting up, an action is a kind (0 the commander, 11 the flag); later it is 129 * from + to. People write the names of
kinds, and moves as g6-g7, with columns a to q and rows 1 to 17, south at the bottom.

Sources: rules of the platforms JJ and Bianfeng, as digested in the documents of siguozero, GwanKei and JunQi on GitHub.
"""

from typing import NamedTuple

from ...text.parameters import accepts
from .board import AREAS, FOUR
from .rules import Stalled
from .setting import SetUp
from .verbs import LONGEST, QUIET, SET_UP, STALLED, ArmyChess


def two_or_four(value):
    """2 or 4"""
    if isinstance(value, bool) or value not in (2, 4):
        raise ValueError
    return int(value)


class SiGuoParameters(NamedTuple):
    players: int = 4
    set_up: SetUp = SetUp.EVEN
    quiet: int = 70
    stalled: Stalled = Stalled.DRAW
    longest: int = 1000


@accepts(
    players=(two_or_four, "4, or 2: south and north alone, on the same board"),
    set_up=SET_UP,
    quiet=QUIET,
    stalled=STALLED,
    longest=(range(1, 10_001), LONGEST),
)
class SiGuo(SiGuoParameters, ArmyChess):
    __slots__ = ()

    def board(self):
        return FOUR

    def seats(self):
        return self.players

    def area(self, player):
        return player * (AREAS // self.players)

    def side_of(self, player):
        return player % 2
