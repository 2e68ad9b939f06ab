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

from ...text.parameters import accepts, meaning
from . import imagining, rules, text
from .board import TWO
from .profit import Profit
from .rules import Stalled
from .setting import SetUp


@accepts(set_up=SetUp, quiet=range(1, 1001), stalled=Stalled, longest=range(1, 10_001))
@meaning(
    set_up="drawn evenly; drawn as people like to set up; or chosen by the players, one man after the other",
    quiet="moves without a fight, after which the game ends",
    stalled="what such an end is, for the side to move",
    longest="moves, after which it is a draw",
)
class Luzhanqi(NamedTuple):
    set_up: SetUp = SetUp.EVEN
    quiet: int = 70
    stalled: Stalled = Stalled.DRAW
    longest: int = 1000

    def board(self):
        return TWO

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
