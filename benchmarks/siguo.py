"""Army chess: random games a second, worlds imagined a second in the middle of a game, and how evenly they are drawn.

How evenly: in states of random games after MIDDLES moves, the kinds of each hidden man in WORLDS imagined worlds are
compared with those along a long chain from another start, which makes LONGER rounds between two looks. The
total variation of a man's kinds contains the noise of both samples, about 0.01. The weight on the truth is how much more
often a hidden man has his true kind than along the chain. There is no other program to compare with; the bars are
absolute.
"""

import itertools
import time

import numpy as np

import fogtree
from fogtree import OVER, dice
from fogtree.games.siguo import Luzhanqi, SiGuo, imagining
from fogtree.games.siguo.board import MEN
from fogtree.games.siguo.pieces import KINDS
from fogtree.games.siguo.rules import kinds_from
from fogtree.judges import new_room
from fogtree.kernels import kernel
from fogtree.kernels.lanes import lanes_slice
from fogtree.policy import Uniform, draw_move
from fogtree.search.playout import new_games, new_own
from row import Row, one_core, rates

GAMES = {"SiGuo": (SiGuo(), 1_500), "Luzhanqi": (Luzhanqi(), 4_000)}
LANES = 100  # a call
WORLDS, LONGER = 20_000, 30
MIDDLES = {"SiGuo": (100, 150, 200, 250, 300), "Luzhanqi": (40, 80, 120, 160)}  # moves after the set-up
SPEED_BAR, EVEN_BAR, TRUTH_BAR = 20_000, 0.03, 0.005


def measure() -> list[Row]:
    found = rates({name: whole_games(game) for name, (game, _) in GAMES.items()})
    rows = [Row(f"{name}, random games", found[name], bar=bar, unit="games/s") for name, (_, bar) in GAMES.items()]
    for name, (game, _) in GAMES.items():
        rows += imagining_rows(name, game)
    return rows


def whole_games(game):
    work, own, first = new_games(game, Uniform(), 1), new_own(game.shape()), itertools.count(step=LANES)

    def play():
        lanes_slice(work, next(first), LANES, own)
        return LANES * work.each

    return play


def imagining_rows(name: str, game) -> list[Row]:
    speed, apart, truth = [], [], []
    army = int(MEN[game.board()])
    kinds = kinds_from(game)
    for seed, moves in enumerate(MIDDLES[name]):
        state = middle(game, moves, seed)
        player = int(game.player(state))
        drawn, chain = np.zeros((2, game.seats() * army, KINDS))
        scratch = state.copy()
        tally_worlds(game, state, player, 1, scratch, drawn.copy(), dice.seeded(0))
        with one_core():
            start = time.process_time()
            tally_worlds(game, state, player, WORLDS, scratch, drawn, dice.seeded(seed, 1))
            speed.append(WORLDS / (time.process_time() - start))
        tally_chain(game, state, player, WORLDS, scratch, chain, dice.seeded(seed, 2))
        hidden = [man for man in range(game.seats() * army) if man // army != player]
        apart.append(np.abs(drawn - chain)[hidden].sum(1) / 2 / WORLDS)
        truth.append(np.mean([(drawn - chain)[man, state[kinds + man]] for man in hidden]) / WORLDS)
    return [
        Row(f"{name}, imagined worlds, slowest state", min(speed), bar=SPEED_BAR, unit="worlds/s"),
        Row(f"{name}, total variation, mean man", float(np.mean(apart)), bar=EVEN_BAR, at_most=True),
        Row(f"{name}, total variation, worst man", float(np.max(apart))),
        Row(f"{name}, excess weight on the truth", abs(float(np.mean(truth))), bar=TRUTH_BAR, at_most=True),
    ]


def middle(game, moves, seed):
    """The state of a random game after so many moves, of the first seed from this one on whose game lasts so long."""
    shape = game.shape()
    for number in range(100):
        state = np.zeros(shape.words, np.int64)
        game.start(state)
        if advance(game, state, game.seats() * MEN[game.board()] + moves, new_room(shape), dice.seeded(seed, number)):
            return state
    raise fogtree.Invalid(f"no random game lasts for {moves} moves")


@kernel
def advance(game, state, moves, room, random):
    for _ in range(moves):
        player = game.player(state)
        if player == OVER:
            return False
        game.step(state, draw_move(Uniform(), game, state, player, room, random))
    return game.player(state) != OVER


@kernel
def tally_worlds(game, state, player, worlds, scratch, tally, random):
    kinds = kinds_from(game)
    for _ in range(worlds):
        scratch[:] = state
        game.imagine(scratch, player, random)
        for man in range(tally.shape[0]):
            tally[man, scratch[kinds + man]] += 1


@kernel
def tally_chain(game, state, player, worlds, scratch, tally, random):
    kinds, ready = kinds_from(game), game.seats()
    scratch[:] = state
    imagining.narrow(game, scratch, player, ready)
    imagining.begin(game, scratch, player, ready, random)
    for world in range(worlds + LONGER):
        imagining.shuffle(game, scratch, player, ready, LONGER, random)
        if world >= LONGER:
            for man in range(tally.shape[0]):
                tally[man, scratch[kinds + man] & imagining.KIND] += 1
