"""KLUSS in fog-of-war chess on one core: histories grown, judged and solved a second.

    python benchmarks/kluss.py           a second a move for both sides, 16 half-moves
    python benchmarks/kluss.py 0.2 30

Every half-move is one search, with what it carried over. Seconds are those of the processor, so that other work on the
machine does not count; compiling does not count either.
"""

import sys
import time

import numpy as np

from fogtree import DarkChess, dice
from fogtree.game import new_state
from fogtree.search.worlds.belief import Belief, Keep
from fogtree.search.worlds.kluss import KLUSS

CAP = 20_000


def main(seconds: float = 1.0, moves: int = 16) -> None:
    game, state, random = DarkChess(), new_state(DarkChess()), dice.seeded(1)
    searches = [KLUSS(game, player, 1 + player) for player in range(2)]
    beliefs = [Belief(game, player, keep=Keep.POSITIONS, cap=CAP) for player in range(2)]
    grown = spent = 0.0
    for warm in (True, False):
        for number in range(1 if warm else int(moves)):
            player = int(game.player(state))
            view, belief = int(game.view(state, player)), beliefs[player]
            if player < 0 or not belief.notice(view):
                break
            began = time.process_time()
            found = searches[player].think(view, belief.state, seconds=0.05 if warm else float(seconds))
            took = time.process_time() - began
            if warm or found is None:
                searches[player].carried = None
                beliefs[player] = Belief(game, player, keep=Keep.POSITIONS, cap=CAP)
                continue
            grown, spent = grown + found.grown, spent + took
            mix = found.mix()
            with np.errstate(over="ignore"):
                action = list(mix)[dice.pick(random, list(mix.values()), len(mix))]
                print(
                    f"{number:3} {game.label(state, action):6} {len(belief.packed):7,} positions, {found.worlds:4} looked at,"
                    f" {found.nodes:9,} histories, {found.grown / took:9,.0f} grown a second, {found.rounds:5,} iterations,"
                    f" value {found.value:+.3f}",
                    flush=True,
                )
                belief.acted(view, action)
                game.step(state, action)
    print(f"{grown / spent:,.0f} histories grown, judged and solved a second of the processor")


if __name__ == "__main__":
    main(*(float(word) for word in sys.argv[1:]))
