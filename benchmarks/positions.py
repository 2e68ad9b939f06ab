"""All positions that fit, in fog-of-war chess: how fast they are followed, and whether the truth is ever left out.

    python benchmarks/positions.py               10,000 random games, both players
    python benchmarks/positions.py 200 65536     so many games, with so many positions at most

In each game both players follow all positions that fit until there are more than the cap. At each decision the position on
the board must be one of them. Speed is positions expanded: one for each move of the other that is tried, with what both see
after it; it is measured where a set of positions is large.
"""

import sys
import time

import numpy as np

from fogtree import OVER, DarkChess, dice
from fogtree.game import new_state
from fogtree.kernels import kernel
from fogtree.search.worlds.belief import Belief, Keep
from fogtree.walk.frontier import MET

GAMES, CAP = 10_000, 4_096
LARGE = 100_000  # positions expanded, from which speed is measured


@kernel
def random_action(game, state, out, random):
    return game.any_action(state, out, random)


@kernel
def play_on(game, state, action):
    game.step(state, action)


@kernel
def place_of(game, state, packed, whole):
    """The row of the position, or -1."""
    for k in range(packed.shape[0]):
        for word in range(packed.shape[1]):
            whole[word] = packed[k, word]
        if game.position(whole) == game.position(state):
            return k
    return -1


def main(games: int = GAMES, cap: int = CAP) -> None:
    game = DarkChess()
    out, whole = np.zeros(game.shape().actions, np.int64), np.zeros(game.shape().words, np.int64)
    decisions = missing = expanded = most = given_up = 0
    seconds = 0.0
    with np.errstate(over="ignore"):
        for number in range(games):
            random, state = dice.seeded(1, number), new_state(game)
            beliefs: list[Belief | None] = [Belief(game, player, keep=Keep.POSITIONS, cap=cap) for player in range(2)]
            while any(beliefs) and (player := int(game.player(state))) != OVER:
                belief, action = beliefs[player], random_action(game, state, out, random)
                if belief is not None:
                    view, began = int(game.view(state, player)), time.process_time()
                    belief.notice(view)
                    took, met = time.process_time() - began, int(belief._frontier.note[MET])
                    if met >= LARGE:
                        expanded, seconds = expanded + met, seconds + took
                    if belief.enumerated:
                        decisions, most = decisions + 1, max(most, len(belief.packed))
                        missing += place_of(game, state, belief.packed, whole) < 0
                        belief.acted(view, action)
                    else:
                        beliefs[player], given_up = None, given_up + 1
                play_on(game, state, action)
            if number % 500 == 499:
                print(f"{number + 1:,} games, {decisions:,} decisions, the truth left out {missing} times", flush=True)
    print(f"{games:,} games, cap {cap:,}: {decisions:,} decisions with at most {most:,} positions")
    print(f"the truth was left out {missing} times")
    print(f"given up {given_up:,} times, where there were more than the cap")
    if seconds:
        print(
            f"{expanded / seconds / 1e6:.2f} M positions expanded a second of the processor ({expanded:,} in {seconds:.1f} s)"
        )


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
