# The public names, and where each of them lives. __init__.py loads a name when it is first asked for; editors and type
# checkers read this file.

from .arena.agents import AGENTS, BeliefAgent, HumanAgent, RandomAgent, SearchAgent, StrategyAgent, load_agent
from .arena.agents.perfect import Perfect, perfect
from .arena.position import Position, at
from .arena.referee import Match, play
from .arena.sight import Sight
from .arena.soundness import soundness
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
)
from .games.spot import Spot, spot
from .judges import CutOff, Playout, Tabled
from .kernels import kernel, scratch
from .learn.batch import Batch, batch
from .measure.count import Count, count
from .measure.duel import Duel, duel, exact_duel
from .measure.exploitability import Exploitability, best_response, exploitability
from .measure.told import Difference, StrategyTable, Told, differences, told
from .policy import Uniform
from .search.open.alphabeta import AlphaBeta
from .search.playout import playouts
from .search.trees.ismcts import ISMCTS
from .search.trees.many import search_many
from .search.trees.mcts import MCTS
from .search.trees.mmcts import MMCTS
from .search.trees.onesided import OneSided
from .search.trees.oos import OOS
from .search.worlds.belief import Belief
from .search.worlds.kluss import KLUSS
from .search.worlds.mmds import MMDS
from .search.worlds.pimc import PIMC
from .search.worlds.sampler import BeliefSampler
from .solvers.certified import Certified
from .solvers.exact.bimatrix import lemke_howson, support_equilibria
from .solvers.exact.correlated import Correlated, coarse_correlated_equilibrium, correlated_equilibrium
from .solvers.exact.retrograde import endgame_table
from .solvers.forms.expected import expected
from .solvers.forms.general import GeneralForm, general_form
from .solvers.forms.infosets import TooLarge
from .solvers.forms.response import mixed
from .solvers.forms.sequence import SequenceForm, sequence_form
from .solvers.forms.strategic import StrategicForm, strategic_form
from .solvers.profile import Profile, solve_general
from .solvers.public.bucket_solving import OnBuckets
from .solvers.public.hand_solution import HandSolution, load_hands, solve_hands
from .solvers.public.vector_cfr import OnHands, VectorCFR
from .solvers.regret.cfr import CFR
from .solvers.regret.general_cfr import GeneralCFR
from .solvers.regret.mccfr import MCCFR, External, Outcome
from .solvers.saved import load_strategy
from .solvers.solution import Solution, solve
from .solvers.until import Interrupted
from .strategy import Strategy
from .text.naming import load, name
from .text.notation import from_notation, notation
from .transforms.opened import opened
from .walk.slices import Progress

__all__ = [
    "AGENTS",
    "BANDITS",
    "CFR",
    "CHANCE",
    "GAMES",
    "ISMCTS",
    "KLUSS",
    "MCCFR",
    "MCTS",
    "MMCTS",
    "MMDS",
    "OOS",
    "OVER",
    "PIMC",
    "RAVE",
    "REFEREE",
    "UCT",
    "AlphaBeta",
    "AtEnd",
    "Batch",
    "Belief",
    "BeliefAgent",
    "BeliefSampler",
    "BimatrixGame",
    "Breakthrough",
    "Broken",
    "Certified",
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
    "HandSolution",
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
    "OnBuckets",
    "OnHands",
    "OneSided",
    "Outcome",
    "Perfect",
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
    "Rounds",
    "SearchAgent",
    "SequenceForm",
    "Shape",
    "SiGuo",
    "Sight",
    "SlidingWindowUCT",
    "SmallArmy",
    "Solution",
    "Spot",
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
    "VectorCFR",
    "WideningUCT",
    "at",
    "batch",
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
    "load_hands",
    "load_strategy",
    "mixed",
    "name",
    "new_state",
    "notation",
    "opened",
    "perfect",
    "picture",
    "play",
    "playouts",
    "read",
    "scratch",
    "search_many",
    "seeded",
    "seen",
    "sequence_form",
    "sides",
    "solve",
    "solve_general",
    "solve_hands",
    "soundness",
    "spot",
    "strategic_form",
    "support_equilibria",
    "told",
    "tournament",
    "tree",
]

__version__: str
