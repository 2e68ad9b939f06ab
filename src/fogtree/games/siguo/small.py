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

from ...text.parameters import accepts, meaning
from . import imagining, rules, text
from .board import SMALL
from .profit import Profit
from .rules import Stalled
from .setting import SetUp


def even_or_chosen(value):
    """even or chosen"""
    if isinstance(value, str):
        value = {"even": SetUp.EVEN, "chosen": SetUp.CHOSEN}.get(value.lower())
    if value not in (SetUp.EVEN, SetUp.CHOSEN):
        raise ValueError
    return SetUp(value)


@accepts(set_up=even_or_chosen, quiet=range(1, 1001), stalled=Stalled, longest=range(1, 101))
@meaning(
    set_up="drawn by chance, each equally likely, or chosen by the players, one man after the other",
    quiet="moves without a fight, after which the game ends",
    stalled="what such an end is, for the side to move",
    longest="moves, after which it is a draw",
)
class SmallArmy(NamedTuple):
    set_up: SetUp = SetUp.EVEN
    quiet: int = 100
    stalled: Stalled = Stalled.DRAW
    longest: int = 6

    def board(self):
        return SMALL

    def seats(self):
        return 2

    def area(self, player):
        return player

    def side_of(self, player):
        return player

    def shape(self):
        return rules.shape(self)

    def start(self, state):
        rules.start(self, state)

    def player(self, state):
        return rules.player(self, state)

    def actions(self, state, out):
        return rules.actions(self, state, out)

    def odds(self, state, out):
        rules.odds(self, state, out)

    def step(self, state, action):
        rules.step(self, state, action)

    def payoff(self, state, player):
        return rules.payoff(self, state, player)

    def view(self, state, player):
        return rules.view_of(self, state, player)

    def by_course(self, state):
        """Whether the clocks ended the game."""
        return rules.by_course(self, state)

    def live(self, state):
        """How many words of the state matter; what stands behind them need not be copied."""
        return rules.live(self, state)

    def imagine(self, state, player, random):
        imagining.imagine(self, state, player, random)

    def evaluation(self):
        """The profit of zhang2014."""
        return Profit()

    def version(self):
        return 1

    def show(self, state, player):
        return text.show(self, state, player)

    def draw(self, state, player):
        return text.draw(self, state, player)

    def path(self, state, action):
        return text.path(self, state, action)

    def label(self, state, action):
        return text.label(self, state, action)

    def read(self, state, typed):
        return text.read(self, state, typed)

    def notation(self, state):
        return text.notation(self, state)

    def from_notation(self, written, state):
        text.from_notation(self, written, state)
