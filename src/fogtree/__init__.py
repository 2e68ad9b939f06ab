"""Fogtree: a laboratory for games with hidden information."""

from .bandits import (
    UCT,
    DeterministicUCT,
    EpsilonGreedy,
    Exp3,
    NondeterministicUCT,
    RegretMatching,
    RegretMatchingPlus,
    ResettingUCT,
    SlidingWindowUCT,
    UCB1Tuned,
    UniformRandom,
)
from .contract import check
from .dice import seeded
from .errors import Broken, FogtreeError, Illegal, Invalid, Uncompilable
from .game import CHANCE, OVER, REFEREE, Shape, seen
from .games import (
    GAMES,
    BimatrixGame,
    DarkHex,
    Goofspiel,
    Kuhn,
    Leduc,
    LiarsDice,
    MatrixGame,
    PhantomTicTacToe,
    Rounds,
    TicTacToe,
    load,
    name,
)
from .kernel import kernel
from .measure.count import count
from .measure.duel import duel, exact_duel
from .measure.exploitability import Exploitability, best_response, exploitability
from .measure.match import play
from .search.belief import Belief
from .search.ismcts import ISMCTS
from .search.mmcts import MMCTS, DeepExp3
from .search.onesided import OneSided
from .search.playout import playouts
from .search.sampler import BeliefSampler
from .solve.cfr import CFR
from .solve.mccfr import MCCFR
from .solve.response import mixed
from .solve.sequence import SequenceForm, TooLarge, sequence_form
from .solve.solution import (
    Solution,
    solve,
)  # the verb stands in front of its room: write `from fogtree.solve.cfr import ...`
from .strategy import Strategy
