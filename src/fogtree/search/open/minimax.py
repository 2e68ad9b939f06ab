"""Minimax as it stands: the value that alpha-beta must find, without pruning, order or table.

V and Q are those of `alphabeta.py`: an urgent position is searched one ply deeper unless the one before it was, and where the
depth is used up noisy moves are followed to quiet for at most `quiet` plies. Every move is tried. This is the slow and
obvious way by which the fast one is judged.
"""

from typing import Any

import numpy as np

from ...errors import Invalid
from ...game import CHANCE, OVER, sides
from ...kernels import kernel
from ...trouble import BY_CHANCE, ENDLESS, require_fine
from ...walk.slices import whole
from .scores import Worth, check_shape, clamp, largest, of_end, worth

QUIET_PLIES = 32
COUNT, NEXT, DEPTH, QUIET, RESTING, EXTENDED, SIGN, WORDS = range(8)  # of a row of the stack
FINE = 0


@kernel
def _search(game, evaluation, states, actions, frames, best, most):
    """The value of the first row goes to best[0]. Returns FINE or a trouble."""
    home = game.side_of(0)
    ply = 0
    entering = True
    while True:
        state, frame = states[ply], frames[ply]
        if entering:
            frame[COUNT] = frame[NEXT] = 0
            player = game.player(state)
            if player == OVER:
                frame[SIGN] = 1
                best[ply] = of_end(game.payoff(state, 0), most, ply)
            elif player == CHANCE:
                return BY_CHANCE
            elif ply + 1 == states.shape[0]:
                return ENDLESS
            else:
                frame[SIGN] = 1 if game.side_of(player) == home else -1
                urgent = game.urgent(state)
                resting = ply > 0 and frames[ply - 1, RESTING] == 1
                frame[EXTENDED] = urgent and not resting and (ply == 0 or frames[ply - 1, EXTENDED] == 0)
                frame[DEPTH] += frame[EXTENDED]
                frame[RESTING] = resting or frame[DEPTH] == 0
                best[ply] = -np.inf
                if frame[RESTING] == 0 or (urgent and frame[QUIET] > 0):
                    frame[COUNT] = game.actions(state, actions[ply])
                else:
                    best[ply] = frame[SIGN] * clamp(evaluation.value(game, state), most)
                    if frame[QUIET] > 0:
                        frame[COUNT] = game.noisy(state, actions[ply])
        if frame[NEXT] < frame[COUNT]:
            for word in range(state.shape[0]):
                states[ply + 1, word] = state[word]
            game.step(states[ply + 1], actions[ply, frame[NEXT]])
            frame[NEXT] += 1
            frames[ply + 1, DEPTH] = 0 if frame[RESTING] else frame[DEPTH] - 1
            frames[ply + 1, QUIET] = frame[QUIET] - frame[RESTING]
            ply += 1
            entering = True
        elif ply == 0:
            return FINE
        else:
            value = best[ply] if frame[SIGN] == frames[ply - 1, SIGN] else -best[ply]
            ply -= 1
            best[ply] = max(best[ply], value)
            entering = False


def minimax(game: Any, evaluation: Any, state: np.ndarray, depth: int, quiet: int = QUIET_PLIES) -> Worth:
    """What a position is worth to its mover, when both look so many plies ahead."""
    check_shape(game, sides(game))
    depth, quiet, shape = whole(depth, "depth", 1), whole(quiet, "quiet"), game.shape()
    if game.player(state) == OVER:
        raise Invalid("the game is over here, so there is nothing to search")
    plies, most = min(2 * depth + 1 + quiet, shape.moves) + 2, largest(shape)
    states, frames, best = np.zeros((plies, shape.words), np.int64), np.zeros((plies, WORDS), np.int64), np.zeros(plies)
    states[0], frames[0, DEPTH], frames[0, QUIET] = state, depth, quiet
    actions = np.zeros((plies, shape.actions), np.int64)
    require_fine(_search(game, evaluation, states, actions, frames, best, most), game)
    return worth(float(best[0]), most)
