"""Fogtree: a laboratory for games with hidden information."""

from .arena.referee import play
from .bandits import (
    UCT,
    DeepExp3,
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
    name,
)
from .kernels import kernel
from .measure.count import count
from .measure.duel import duel, exact_duel
from .measure.exploitability import Exploitability, best_response, exploitability
from .names import load
from .search.belief import Belief
from .search.ismcts import ISMCTS
from .search.mmcts import MMCTS
from .search.onesided import OneSided
from .search.playout import playouts
from .search.sampler import BeliefSampler
from .solvers.cfr import CFR
from .solvers.mccfr import MCCFR
from .solvers.response import mixed
from .solvers.sequence import SequenceForm, TooLarge, sequence_form
from .solvers.solution import Solution, solve
from .strategy import Strategy
