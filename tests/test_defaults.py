"""What a user gets without asking: the default of every parameter of the public names.

Defaults are promises. Published numbers and other people's scripts rest on them, so a change belongs into this table and into
the list of changes.
"""

import enum
import importlib
import inspect
import pkgutil

import numpy as np
import pytest

import fogtree
import fogtree.arena.agents
from fogtree.bandits.risk import Risk
from fogtree.games import random_games
from fogtree.games.go import playouts, priors
from fogtree.learn import bootstrap, differences, links, training
from fogtree.measure import curve, duel, everywhere, local_response, stubborn, track
from fogtree.search.worlds import many

DEFAULTS = {
    "AlphaBeta": "memory=64 MiB, quiet=32",
    "Belief": "cap=2^16, seed=0, keep=histories",
    "BeliefAgent": "seed=0",
    "BimatrixGame": "first=[[-1, -3], [0, -2]], second=[[-1, 0], [-3, -2]]",
    "Breakthrough": "rows=8, columns=8, men=2",
    "CFR": "rule=cfr+",
    "ConnectFour": "rows=6, columns=7, line=4",
    "CutOff": "moves=0",
    "DarkChess": "size=8",
    "DarkHex": "side=3, abrupt=False",
    "DeepExp3": "gamma=1.0, decay=0.3, clock=simulation, base=1.7, depth=9.0, aim=zero_sum",
    "DeterministicUCT": "c=2.0",
    "Duel": "device=cpu",
    "EpsilonGreedy": "epsilon=0.1, decay=0.0",
    "Exp3": "gamma=0.1, decay=0.0",
    "GeneralCFR": "rule=cfr+",
    "Go": "side=9, komi=6.5, suicide=False, superko=positional, points=False",
    "Goofspiel": "cards=6, hidden=True, prizes=decreasing, lowest=0, points=False",
    "HandSelectedRAVE": "k=1000.0, c=0.0, confidence=10.0",
    "Holdem": "ranks=13, suits=4, rounds=4, raises=4, hole=2, flop=3",
    "ISMCTS": "seed=0, waiting=0, memory=4 GiB, sets=inf",
    "KLUSS": "seed=0, quiet=4, gather=256, memory=2^30, order=2, common=1024, frozen=False, even=0.5, growth=one",
    "Kuhn": "cards=3",
    "Leduc": "ranks=3, suits=2",
    "LiarsDice": "dice=1, faces=6",
    "Luzhanqi": "set_up=even, quiet=70, stalled=draw, longest=1000",
    "MCCFR": "seed=0, power=0.0, memory=4 GiB",
    "MCTS": "seed=0",
    "MatrixGame": "payoffs=[[0, -1, 1], [1, 0, -1], [-1, 1, 0]]",
    "MMCTS": "seed=0, memory=4 GiB, sets=inf",
    "MMDS": "seed=0, eta=50.0, tau=0.002",
    "ManyKuhn": "players=3",
    "ManyLeduc": "players=3",
    "Match": "unfinished=False",
    "NondeterministicUCT": "c=2.0, epsilon=0.01",
    "OnBuckets": "boards=200000, seed=0",
    "OneSided": "seed=0, memory=4 GiB, sets=inf",
    "Outcome": "explore=0.6",
    "PIMC": "seed=0, depth=0, verdict=votes, memory=4 GiB",
    "Perfect": "seed=0",
    "PhantomGo": "side=3, komi=0.5, turns=0",
    "PhantomTicTacToe": "rules=classical, winning_first=False",
    "RAVE": "bias=0.01, c=0.0, confidence=10.0",
    "OOS": "seed=0, delta=0.9, epsilon=0.4, gamma=0.01, weigh=True, memory=4 GiB, sets=inf",
    "RandomAgent": "seed=0",
    "RegretMatching": "gamma=0.1, decay=0.0",
    "RegretMatchingPlus": "gamma=0.1, decay=0.0",
    "ResettingUCT": "c=2.0, epsilon=0.0001, first=100, growth=1.5, restart=100",
    "Rounds": "payoffs=[[-7, -1, -1, 2], [5, -5, 7, -8], [-1, 6, -2, 6], [-1, 2, -1, -8]], rounds=2, rows=2, columns=2",
    "SearchAgent": "seed=0, keep_tree=False, play_best=False, draw=even, threads=1",
    "Shape": "zero_sum=True, open=False",
    "SiGuo": "players=4, set_up=even, quiet=70, stalled=draw, longest=1000",
    "Sight": "start=",
    "SlidingWindowUCT": "c=2.0, window=1000, epsilon=0.0",
    "SmallArmy": "set_up=even, quiet=100, stalled=draw, longest=6",
    "Solution": "certified=True, note=, device=cpu",
    "StrategyAgent": "seed=0",
    "Tabled": "moves=2^30",
    "Tournament": "plies=0",
    "VectorCFR": "rule=dcfr, threads=1",
    "UCB1Tuned": "width=1.0, urgency=inf",
    "UCT": "c=2.0, urgency=inf",
    "WideningUCT": "c=0.5, start=40.0, growth=1.4",
    "at": "where=",
    "best_response": "engine=auto, iterations=1000000, seed=0",
    "check": "histories=20000, games=200, seconds=60.0, seed=0",
    "differences": "most=20000",
    "duel": "games=10000, seed=0, device=cpu, cores=1",
    "Exploitability": "device=cpu",
    "exploitability": "engine=auto, iterations=1000000, seed=0, device=cpu",
    "lemke_howson": "label=0",
    "load_agent": "seed=0",
    "perfect": "seed=0",
    "play": "seed=0",
    "playouts": "seed=0, device=cpu, cores=1",
    "count": "device=cpu",
    "batch": "seed=0, device=cpu",
    "Batch": "seed=0, device=cpu",
    "search_many": "seed=0, device=cpu",
    "soundness": "seeds=16, seed=0, device=cpu",
    "solve": "method=auto, device=cpu, whole=False, partial=False",
    "solve_general": "method=auto, partial=False",
    "solve_hands": "rule=dcfr, device=cpu, partial=False",
    "spot": "pot=100, stack=400, oop=random, ip=random, bets=50%, a, rake=0.0, cap=0.0, added=0.0, forced=0.0, merged=0.0",
    "strategic_form": "limit=1000000",
    "support_equilibria": "most=200000",
    "told": "after=, most=20000",
    "tournament": "matches=1000, seed=0, name=tournament",
    "tree": "most=1000",
}
OTHERS = {  # what texts name, though no public name does
    bootstrap.RootStrap: "step=0.003",
    bootstrap.TreeStrap: "step=0.003, least=1",
    differences.TDRoot: "step=0.003",
    differences.TDLeaf: "step=0.003, decay=0.7",
    links.Squashed: "sharp=4.0",
    training.Training: "by=treestrap, seed=0, depth=3, opening=8",
    random_games.Uniform: "rows=4, columns=4, low=-8.0, high=8.0, whole=True, seed=0",
    random_games.Covariant: "rows=4, columns=4, deviation=1.0, seed=0",
    random_games.Dispersion: "places=4, low=1.0, high=8.0, whole=True, seed=0",
    random_games.Travelling: "claims=4, low=1.0, high=4.0, whole=True, seed=0",
    random_games.Sequential: "rounds=2, rows=2, columns=2, low=-8.0, high=8.0, whole=True, seed=0",
    random_games.Talking: "signals=3, turns=3, words=2, low=-8.0, high=8.0, whole=True, seed=0",
    priors.FirstSight: "save=6.0, capture=4.0, pattern=2.0, close=2.0, atari=0.2, edge=0.2, passing=0.05, distance=0",
    playouts.MoGo: "save=True, patterns=True, capture=True, careful=False, superko=False",
    Risk: "r=0.4, norm=literal, centre=all, form=added, epsilon=0.1, decay=0.0, worlds=20, world=0",
    duel.duel: "games=10000, seed=0, device=cpu, cores=1",
    duel.duplicate: "pairs=10000, seed=0, device=cpu, cores=1",
    curve.curves: "runs=20, seed=0",
    stubborn.sweep: "family=3x3, games=1000, steps=250, runs=1, seed=0, classes=True, device=cpu",
    track.track: "marks=250, seed=0",
    local_response.local_response: "boards=200, hands=50, rollouts=20, seed=0",
    many.Searching.at_all: "device=cpu, cores=1",
    everywhere.Everywhere: "depth=0, worlds=20, iterations=500, verdict=votes, device=cpu, cores=1",
}
AGENTS = {  # the other classes of `arena/agents`: agents, and how they play
    "alphabeta.AlphaBetaAgent": "name=alphabeta, memory=64 MiB",
    "alphabeta.Looking": "depth=0, nodes=0, seconds=0.0, pruning=risky, weights=",
    "believing.Believed": "anew=False",
    "improving.Improving": "worlds=100, iterations=2000, eta=50.0, tau=0.002, base=even, bandit=tuned, horizon=8, "
    "play_best=False",
    "improving.ImprovingAgent": "seed=0, name=mmds",
    "knowing.KlussAgent": "seed=0, name=kluss",
    "knowing.Knowing": "positions=0, gather=256, quiet=4, play=purified, weights=, order=2, common=1024, "
    "frozen=False, even=0.5, growth=one",
    "opening.OpenAgent": "seed=0, name=pimc",
    "opening.Opening": "worlds=20, iterations=500, depth=0, inner=tuned, above=tuned, verdict=votes, horizon=8",
    "opening.Plies": "depth=4",
    "outcome.OOSAgent": "seed=0, name=oos",
    "outcome.Sampling": "target=ist, rule=rm, delta=0.9, epsilon=0.4, gamma=0.01, weigh=True",
    "perfect.PerfectAgent": "seed=0",
    "resolving.How": "gadget=resolve, rule=pdcfr+, leaves=continued",
    "resolving.ResolveAgent": "seed=0, name=resolve",
    "searching.Draw": "start=1",
    "searching.Searching": "keep_tree=False, play_best=False, draw=even, threads=1",
    "solved.SolvedAgent": "seed=0",
    "tabled.TabledAgent": "name=",
}
KINDS = (int, float, str, enum.Enum, np.ndarray)
SPELLED = {64 * 2**20: "64 MiB", 4 * 2**30: "4 GiB", 2**16: "2^16", 2**30: "2^30"}


def defaults_of(thing):
    """The defaults that are numbers, arrays, texts or members of an enumeration, as the table writes them."""
    try:
        parameters = inspect.signature(thing).parameters.values()
    except (TypeError, ValueError):
        return ""
    given = {each.name: each.default for each in parameters if isinstance(each.default, KINDS)}
    return ", ".join(f"{name}={spelled(value)}" for name, value in given.items())


def spelled(value):
    if isinstance(value, np.ndarray):
        return str(value.tolist()).replace(".0", "")
    return value.name.lower() if isinstance(value, enum.Enum) else SPELLED.get(value, str(value))


def public():
    """The public functions and classes, without errors and enumerations."""
    for name in fogtree.__all__:
        thing = getattr(fogtree, name)
        if callable(thing) and not (inspect.isclass(thing) and issubclass(thing, Exception | enum.Enum)):
            yield name, thing


@pytest.mark.parametrize("name", DEFAULTS)
def test_a_public_name_has_the_defaults_that_were_promised(name):
    assert defaults_of(getattr(fogtree, name)) == DEFAULTS[name]


def test_all_public_names_with_defaults_are_listed():
    assert {name for name, thing in public() if defaults_of(thing)} == set(DEFAULTS)


@pytest.mark.parametrize("thing", OTHERS, ids=lambda thing: thing.__name__)
def test_what_texts_name_has_the_defaults_that_were_promised(thing):
    assert defaults_of(thing) == OTHERS[thing]


def agents():
    """The classes of `arena/agents` that have no public name."""
    for name in sorted(each.name for each in pkgutil.iter_modules(fogtree.arena.agents.__path__)):
        module = importlib.import_module(f"fogtree.arena.agents.{name}")
        for thing in vars(module).values():
            if inspect.isclass(thing) and thing.__module__ == module.__name__ and thing.__name__ not in DEFAULTS:
                yield f"{name}.{thing.__name__}", thing


def test_agents_have_the_defaults_that_were_promised():
    assert {name: found for name, thing in agents() if (found := defaults_of(thing))} == AGENTS
