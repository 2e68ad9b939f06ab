"""The verbs that all games of army chess share. A game is a tuple of its parameters with these verbs.

Each game says which `board()` it is played on, where each army stands (`area`), how many players there are (`seats`) and who
plays together (`side_of`); its parameters are `set_up`, `quiet`, `stalled` and `longest`.
"""

from ...text.parameters import build_named
from . import imagining, rules, text
from .bold import POLICIES
from .profit import Profit
from .setting import SetUp

# Parameters that all games have, or several: what is valid, and what it means.
SET_UP = (SetUp, "drawn evenly; drawn as people like to set up; or chosen by the players, one man after the other")
QUIET = (range(1, 1001), "moves without a fight, after which the game ends")
STALLED = (rules.Stalled, "what such an end is, for the side to move")
LONGEST = "moves, after which it is a draw"


class ArmyChess:
    __slots__ = ()

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
        return rules.mixed(state[rules.PUBLIC], state[rules.OWN + player])

    def by_course(self, state):
        """Whether the clocks ended the game."""
        return state[rules.REASON] > rules.BEATEN

    def live(self, state):
        """How many words of the state matter: fights that have not happened need not be copied."""
        return rules.fights_from(self) + state[rules.FIGHTS]

    def imagine(self, state, player, random):
        imagining.imagine(self, state, player, random)

    def evaluation(self):
        """The profit of zhang2014."""
        return Profit()

    def playout_policy(self, named="even"):
        """Every move equally often, or `bold`: attacks where they should pay (`bold.py`)."""
        return build_named(POLICIES, named, "army chess has no such policy")

    def version(self):
        return 1

    show, draw, path, label, read = text.show, text.draw, text.path, text.label, text.read
    who, ending, heard = text.who, text.ending, text.heard
    notation, from_notation = text.notation, text.from_notation


class TwoArmies(ArmyChess):
    """Army chess for two players, each of whom has a home area."""

    __slots__ = ()

    def seats(self):
        return 2

    def area(self, player):
        return player

    def side_of(self, player):
        return player
