"""A program of the army chess contest: it plays a random move, or misbehaves as its argument says."""

import sys
import time

import numpy as np

from fogtree.bridges.junqi import Engine, random_army
from fogtree.game import legal
from fogtree.games.siguo import Luzhanqi

how = sys.argv[1]
chooser = np.random.default_rng(7)


def play(game, state, player):
    return int(chooser.choice(legal(game, state)))


engine = Engine(Luzhanqi(), play, lambda: random_army(3))
for line in sys.stdin:
    word = line.split()[0]
    if how == "army" and word == "START":
        print("ARRAY " + "a" * 25, flush=True)
        continue
    if word == "GO" and how != "play":
        if how == "hang":
            time.sleep(60)
        elif how == "die":
            sys.exit(3)
        else:
            print(how, flush=True)
        continue
    if said := engine.answer(line):
        print(said, flush=True)
