"""Iterations of IS-MCTS a second, beside OpenSpiel's and beside the same search written by hand without seams
(`plain_search.py`); a match of two searching agents; and two threads beside one.

OpenSpiel's IS-MCTS needs a game that can draw a state from an information set. Of the games here only Kuhn and Leduc
poker can; each bot searches the first decision after the same deal from an empty tree, ours from the states that its seat
believes possible, with UCT and one random game a simulation on both sides. The absolute bars are for a core that has nothing
else to do; the 2014 paper made 59 thousand iterations a second in 6-card Goofspiel.
"""

import itertools
import multiprocessing
import statistics
import threading
import time

import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts, mcts

import fogtree
from fogtree.arena.agents import SearchAgent
from fogtree.arena.referee import play
from fogtree.bandits import UCT, load_bandit
from fogtree.search.trees.ismcts import ISMCTS
from fogtree.search.worlds.belief import Belief
from plain_search import GAME, check, general_rules, own_rules, plain
from row import Row, one_core, rates

UNIT = "iterations/s"
BARS = {"rm": 1.5e6, "uct": 1.0e6, "exp3": 0.6e6}
GAMES = {
    "Goofspiel-6": "goofspiel:cards=6",
    "Phantom Tic-Tac-Toe, forced centre": "phantom-ttt:rules=forced-centre,winning_first=on",
}
POKER = {"Kuhn": ("kuhn", "kuhn_poker", (0, 1)), "Leduc": ("leduc", "leduc_poker", (0, 2))}  # ours, theirs, the deal
COMPILED_BAR, PYTHON_BAR, THREADS_BAR = 3, 100, 1.8
BATCH, SEARCH, FEW = 50_000, 10_000, 100  # iterations a call; a search in poker; one of OpenSpiel's in Python
A_MOVE, MATCH_BAR, MATCHES = 5_900, 0.15, 15  # iterations, seconds, matches
CALLS, ROUNDS = 10, 7  # of threads and processes


def measure() -> list[Row]:
    return [*absolute(), *seams(), *poker(), match(), threads()]


def absolute() -> list[Row]:
    rows = []
    for name, text in GAMES.items():
        found = rates({bandit: searching(fogtree.load(text), bandit) for bandit in BARS})
        rows += [Row(f"{name}, {bandit}", found[bandit], bar=bar, unit=UNIT) for bandit, bar in BARS.items()]
    return rows


def searching(game, bandit, seed=1):
    """A search that goes on."""
    search = ISMCTS(game, load_bandit(bandit), seed)

    def work():
        search.run(iterations=BATCH)
        return BATCH

    return work


# --- beside a search without seams ---------------------------------------------------------------------------------


def seams() -> list[Row]:
    """What is left of the speed of a search that is written for one game and one bandit alone."""
    check()  # it is the same search
    peers = {"the same search by hand": general_rules, "and with its own rules": own_rules}
    found = rates({"ours": searching(GAME, "rm"), **{peer: plain(rules)[0] for peer, rules in peers.items()}})
    name, ours = "Goofspiel-6, rm", found["ours"]
    return [Row(name, ours, found[peer], ours / found[peer], unit=UNIT, peer=peer) for peer in peers]


# --- beside OpenSpiel ----------------------------------------------------------------------------------------------


def poker() -> list[Row]:
    rows = []
    for name, (ours, theirs, deal) in POKER.items():
        found = rates(
            {"ours": our_bot(ours, deal), "C++": compiled_bot(theirs, deal), "Python": python_bot(theirs, deal)}
        )
        for peer, bar in (("C++", COMPILED_BAR), ("Python", PYTHON_BAR)):
            ratio = found["ours"] / found[peer]
            rows.append(Row(f"{name}, uct", found["ours"], found[peer], ratio, bar, UNIT, f"OpenSpiel in {peer}"))
    return rows


def our_bot(text, deal):
    game, seed = fogtree.load(text), itertools.count()
    state = np.zeros(game.shape().words, np.int64)
    game.start(state)
    for card in deal:
        game.step(state, card)
    view = int(game.view(state, 0))

    def work():
        roots = Belief(game, 0).observe(view)
        ISMCTS(game, UCT(), next(seed)).run(iterations=SEARCH, roots=roots).policy(0, view)
        return SEARCH

    return work


def compiled_bot(text, deal):
    state = dealt(text, deal)
    evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=1)
    bot = pyspiel.ISMCTSBot(1, evaluator, uct_c=2.0, max_simulations=SEARCH)

    def work():
        bot.step(state)
        return SEARCH

    return work


def python_bot(text, deal):
    state = dealt(text, deal)
    random = np.random.RandomState(1)
    bot = ismcts.ISMCTSBot(state.get_game(), mcts.RandomRolloutEvaluator(1, random), 2.0, FEW, random_state=random)

    def work():
        bot.step(state)
        return FEW

    return work


def dealt(text, deal):
    state = pyspiel.load_game(text).new_initial_state()
    for card in deal:
        state.apply_action(card)
    return state


# --- a match, and threads ------------------------------------------------------------------------------------------


def match() -> Row:
    """The processor's seconds of a whole match, both agents' searches and beliefs included."""
    game, took = fogtree.load(GAMES["Goofspiel-6"]), []
    with one_core():
        for number in range(MATCHES + 1):
            pair = [SearchAgent(load_bandit("rm"), number, seat, iterations=A_MOVE) for seat in (0, 1)]
            began = time.process_time()
            play(game, pair, seed=number)
            took.append(time.process_time() - began)
    what = f"Goofspiel-6, a match of two rm, {A_MOVE:,} iterations a move"
    return Row(what, statistics.median(took[1:]), bar=MATCH_BAR, unit="s", at_most=True)  # the first one compiles


def threads() -> Row:
    """Two searches in threads beside two in processes, by the clock and by turns: half of the processes' rate is what one
    search has to itself, however busy the machine is."""
    games = [fogtree.load(GAMES["Goofspiel-6"])] * 2
    works = [searching(game, "rm", seed) for seed, game in enumerate(games)]
    context = multiprocessing.get_context("spawn")
    pipes, processes = [], []
    for seed, game in enumerate(games):
        mine, yours = context.Pipe()
        processes.append(context.Process(target=work_when_asked, args=(game, seed, yours)))
        processes[-1].start()
        pipes.append(mine)
    try:
        for pipe in pipes:
            pipe.recv()  # it has compiled
        for work in works:
            work()
        took = [(seconds_of_threads(works), seconds_of_processes(pipes)) for _ in range(ROUNDS)]
    finally:
        for pipe, process in zip(pipes, processes, strict=True):
            pipe.send(0)
            process.join()
    two, one = (2 * CALLS * BATCH / statistics.median(seconds) for seconds in zip(*took, strict=True))
    return Row("Goofspiel-6, rm, two threads", two, one / 2, 2 * two / one, THREADS_BAR, UNIT, "a process of two")


def seconds_of_threads(works):
    running = [threading.Thread(target=lambda work=work: [work() for _ in range(CALLS)]) for work in works]
    began = time.perf_counter()
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    return time.perf_counter() - began


def seconds_of_processes(pipes):
    began = time.perf_counter()
    for pipe in pipes:
        pipe.send(CALLS)
    for pipe in pipes:
        pipe.recv()
    return time.perf_counter() - began


def work_when_asked(game, seed, pipe):
    """What a process of its own does: so many batches whenever it is told to, until it is told none."""
    work = searching(game, "rm", seed)
    work()
    pipe.send(None)
    while calls := pipe.recv():
        for _ in range(calls):
            work()
        pipe.send(None)
