# The public names, and where each of them lives. __init__.py loads a name when it is first asked for; editors and type
# checkers read this file.

from .arena.agents import AGENTS, BeliefAgent, HumanAgent, RandomAgent, SearchAgent, StrategyAgent, load_agent
from .arena.position import Position, at
from .arena.referee import Match, play
from .arena.round_table import RoundTable, round_table
from .arena.sight import Sight
from .arena.tournament import Tournament, tournament
from .bandits import (
    BANDITS,
    RAVE,
    UCT,
    DeepExp3,
    DeterministicUCT,
    EpsilonGreedy,
    Exp3,
    HandSelectedRAVE,
    NondeterministicUCT,
    RegretMatching,
    RegretMatchingPlus,
    ResettingUCT,
    SlidingWindowUCT,
    UCB1Tuned,
    UniformRandom,
    WideningUCT,
    load_bandit,
)
from .contract import check
from .dice import seeded
from .draw.board import picture
from .draw.tree import tree
from .errors import Broken, FogtreeError, Illegal, Invalid, Uncompilable
from .evaluation import AtEnd, Linear, linear
from .game import CHANCE, OVER, REFEREE, Shape, label, legal, new_state, read, seen, sides
from .games import (
    GAMES,
    BimatrixGame,
    Breakthrough,
    Chess,
    ConnectFour,
    DarkChess,
    DarkHex,
    Go,
    Goofspiel,
    Holdem,
    Kuhn,
    Leduc,
    LiarsDice,
    Luzhanqi,
    ManyKuhn,
    ManyLeduc,
    MatrixGame,
    PhantomGo,
    PhantomTicTacToe,
    Rounds,
    SiGuo,
    SmallArmy,
    TicTacToe,
    name,
)
from .games.opened import opened
from .judges import CutOff, Playout, Tabled
from .kernels import kernel
from .measure.count import Count, count
from .measure.duel import Duel, duel, exact_duel
from .measure.exploitability import Exploitability, best_response, exploitability
from .measure.told import Difference, StrategyTable, Told, differences, told
from .names import load
from .policy import Uniform
from .search.alphabeta import AlphaBeta
from .search.belief import Belief
from .search.ismcts import ISMCTS
from .search.mcts import MCTS
from .search.mmcts import MMCTS
from .search.onesided import OneSided
from .search.pimc import PIMC
from .search.playout import playouts
from .search.sampler import BeliefSampler
from .solvers.bimatrix import lemke_howson, support_equilibria
from .solvers.cfr import CFR
from .solvers.correlated import Correlated, coarse_correlated_equilibrium, correlated_equilibrium
from .solvers.expected import expected
from .solvers.general import GeneralForm, general_form
from .solvers.general_cfr import GeneralCFR
from .solvers.infosets import TooLarge
from .solvers.mccfr import MCCFR, External, Outcome
from .solvers.profile import Profile, solve_general
from .solvers.response import mixed
from .solvers.retrograde import endgame_table
from .solvers.sequence import SequenceForm, sequence_form
from .solvers.solution import Interrupted, Solution, solve
from .solvers.strategic import StrategicForm, strategic_form
from .strategy import Strategy
from .text.notation import from_notation, notation
from .walk.slices import Progress

__all__ = [
    "AGENTS",
    "BANDITS",
    "CFR",
    "CHANCE",
    "GAMES",
    "ISMCTS",
    "MCCFR",
    "MCTS",
    "MMCTS",
    "OVER",
    "PIMC",
    "RAVE",
    "REFEREE",
    "UCT",
    "AlphaBeta",
    "AtEnd",
    "Belief",
    "BeliefAgent",
    "BeliefSampler",
    "BimatrixGame",
    "Breakthrough",
    "Broken",
    "Chess",
    "ConnectFour",
    "Correlated",
    "Count",
    "CutOff",
    "DarkChess",
    "DarkHex",
    "DeepExp3",
    "DeterministicUCT",
    "Difference",
    "Duel",
    "EpsilonGreedy",
    "Exp3",
    "Exploitability",
    "External",
    "FogtreeError",
    "GeneralCFR",
    "GeneralForm",
    "Go",
    "Goofspiel",
    "HandSelectedRAVE",
    "Holdem",
    "HumanAgent",
    "Illegal",
    "Interrupted",
    "Invalid",
    "Kuhn",
    "Leduc",
    "LiarsDice",
    "Linear",
    "Luzhanqi",
    "ManyKuhn",
    "ManyLeduc",
    "Match",
    "MatrixGame",
    "NondeterministicUCT",
    "OneSided",
    "Outcome",
    "PhantomGo",
    "PhantomTicTacToe",
    "Playout",
    "Position",
    "Profile",
    "Progress",
    "RandomAgent",
    "RegretMatching",
    "RegretMatchingPlus",
    "ResettingUCT",
    "RoundTable",
    "Rounds",
    "SearchAgent",
    "SequenceForm",
    "Shape",
    "SiGuo",
    "Sight",
    "SlidingWindowUCT",
    "SmallArmy",
    "Solution",
    "StrategicForm",
    "Strategy",
    "StrategyAgent",
    "StrategyTable",
    "Tabled",
    "TicTacToe",
    "Told",
    "TooLarge",
    "Tournament",
    "UCB1Tuned",
    "Uncompilable",
    "Uniform",
    "UniformRandom",
    "WideningUCT",
    "at",
    "best_response",
    "check",
    "coarse_correlated_equilibrium",
    "correlated_equilibrium",
    "count",
    "differences",
    "duel",
    "endgame_table",
    "exact_duel",
    "expected",
    "exploitability",
    "from_notation",
    "general_form",
    "kernel",
    "label",
    "legal",
    "lemke_howson",
    "linear",
    "load",
    "load_agent",
    "load_bandit",
    "mixed",
    "name",
    "new_state",
    "notation",
    "opened",
    "picture",
    "play",
    "playouts",
    "read",
    "round_table",
    "seeded",
    "seen",
    "sequence_form",
    "sides",
    "solve",
    "solve_general",
    "strategic_form",
    "support_equilibria",
    "told",
    "tournament",
    "tree",
]

__version__: str
