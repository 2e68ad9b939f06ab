"""What each action is worth in each world if everybody sees everything: exactly, or as far as alpha-beta looks.

These are the inner searches of PIMC beside Monte Carlo (`pimc.py`); both give the same kind of `Opinion`.

    solved(game, worlds)      the whole tree of each world, by plain recursion on a stack. With v_p what player p gets,

                                  v(s) = payoffs                            where the game is over
                                  v(s) = sum over a of odds(a) v(s, a)      where chance moves
                                  v(s) = v(s, a) with the largest v_p       where p moves; the first of equals

                              so partners, games of several players and chance are welcome (in a game of several players
                              this is max^n, Luckhardt and Irani 1986). Worlds of more than `most` states are refused.
    looked(game, worlds, ...) alpha-beta in games of two sides without chance, to a depth, then the evaluation
"""

from typing import Any

import numpy as np

from ...errors import Invalid
from ...evaluation import AtEnd
from ...game import CHANCE, OVER, legal, sides
from ...kernels import kernel
from ...transforms.opened import WithOpenCards, opened
from ...trouble import ENDLESS, require_fine
from ..open.alphabeta import AlphaBeta
from .opinion import Opinion, Verdict, over_worlds, votes

COUNT, NEXT, PLAYER, FRAME = 0, 1, 2, 3  # of a row of the stack
MOST = 10_000_000  # states of all worlds together
TOO_MANY = -100  # the kernel met more states than it may
EQUAL = 1e-9  # values that differ by less are equal
QUIET = 0  # plies of quiescence: the evaluation stands where the depth ends


@kernel
def solve_worlds(game, worlds, out, states, actions, odds, frames, value, most):
    """Write what each action is worth to the mover of each world into out [worlds, actions]. Returns the states met, or
    a trouble."""
    met, players = 0, value.shape[1]
    for world in range(worlds.shape[0]):
        for word in range(worlds.shape[1]):
            states[0, word] = worlds[world, word]
        me, ply, entering = game.player(states[0]), 0, True
        while True:  # it ends: `most` states in all
            state, frame = states[ply], frames[ply]
            if entering:
                met += 1
                if met > most:
                    return TOO_MANY
                frame[COUNT], frame[NEXT], frame[PLAYER] = 0, 0, game.player(state)
                if frame[PLAYER] == OVER:
                    for p in range(players):
                        value[ply, p] = game.payoff(state, p)
                elif ply + 1 == states.shape[0]:
                    return ENDLESS
                else:
                    frame[COUNT] = game.actions(state, actions[ply])
                    if frame[PLAYER] == CHANCE:
                        game.odds(state, odds[ply])
                    for p in range(players):
                        value[ply, p] = 0.0
            if frame[NEXT] < frame[COUNT]:
                for word in range(worlds.shape[1]):
                    states[ply + 1, word] = state[word]
                game.step(states[ply + 1], actions[ply, frame[NEXT]])
                frame[NEXT] += 1
                ply, entering = ply + 1, True
                continue
            if ply == 0:
                break
            ply, entering = ply - 1, False
            before, who = frames[ply, NEXT] - 1, frames[ply, PLAYER]
            if ply == 0:
                out[world, before] = value[1, me]
            elif who == CHANCE:
                for p in range(players):
                    value[ply, p] += odds[ply, before] * value[ply + 1, p]
            elif before == 0 or value[ply + 1, who] > value[ply, who]:
                for p in range(players):
                    value[ply, p] = value[ply + 1, p]
    return met


def solved(game: Any, worlds: np.ndarray, verdict: Verdict = Verdict.MEANS, *, most: int = MOST) -> Opinion:
    """Every world played out perfectly with open cards."""
    shape, worlds = game.shape(), np.ascontiguousarray(worlds, np.int64)
    with np.errstate(over="ignore"):
        actions = legal(game, worlds[0])
    value, plies = np.zeros((len(worlds), shape.actions)), shape.moves + 2
    states, lists, frames = (np.zeros((plies, k), np.int64) for k in (shape.words, shape.actions, FRAME))
    odds, values = np.zeros((plies, shape.actions)), np.zeros((plies, shape.players))
    met = solve_worlds(game, worlds, value, states, lists, odds, frames, values, most)
    if met == TOO_MANY:
        raise Invalid(f"these worlds have more than {most:,} states, too many to solve: search them instead")
    require_fine(met, game)
    return _opinion(actions, value[:, : len(actions)], verdict, met)


def looked(
    game: Any, worlds: np.ndarray, evaluation: Any = None, verdict: Verdict = Verdict.MEANS, *, depth: int = 4
) -> Opinion:
    """Alpha-beta in every world, so many plies deep."""
    table = opened(game)
    judged = AtEnd() if evaluation is None else WithOpenCards(evaluation)
    search, side = AlphaBeta(table, judged, memory=0, quiet=QUIET), sides(game)
    with np.errstate(over="ignore"):
        me, actions = int(game.player(worlds[0])), legal(game, worlds[0])
        value, nodes = np.zeros((len(worlds), len(actions))), 0
        for w, world in enumerate(worlds):
            for a, action in enumerate(actions):
                child = table.deal(world, w)
                table.step(child, action)
                mover = int(table.player(child))
                if mover == OVER:
                    value[w, a] = table.payoff(child, me)
                elif depth == 1:
                    worth = judged.value(table, child)
                    value[w, a] = worth if side[me] == side[0] else -worth
                else:
                    found = search.think(child, depth=depth - 1)
                    value[w, a] = found.value if side[mover] == side[me] else -found.value
                    nodes += found.nodes
    return _opinion(actions, value, verdict, nodes)


def _opinion(actions: list[int], value: np.ndarray, verdict: Verdict, met: int) -> Opinion:
    """An opinion in which each world prefers the actions of the highest value."""
    top = (value >= value.max(axis=1, keepdims=True) - EQUAL).astype(float)
    score = votes(top) if verdict is Verdict.VOTES else np.round(over_worlds(value), 12)
    return Opinion(actions, top, value, score, int(met))
