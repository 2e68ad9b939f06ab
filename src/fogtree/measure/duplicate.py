"""Two strategies against each other in pairs of games: the same chance, seats exchanged.

Luck with the cards falls on both, so far fewer games tell two players apart. In the second game of a pair chance throws the
same dice as in the first, one throw for each of its moves: in poker both games have the same deal, however far each goes. The
players' own dice are others. A pair gives one number, what the first strategy got on average over both seats, and the
interval is that of the mean over pairs.
"""

from typing import Any, NamedTuple

import numpy as np

from .. import dice
from ..game import CHANCE, OVER
from ..kernels import kernel
from ..policy import draw_chance, draw_move, new_room
from ..trouble import ENDLESS, FOREIGN, require_fine
from ..walk.slices import Progress, Watcher, budget, in_slices, whole
from .duel import both_policies
from .intervals import mean_half

SUM, SQUARES, PAIRS = 0, 1, 2  # words of a total


class Duplicate(NamedTuple):
    """What the first strategy got a game, over both seats."""

    pairs: int
    payoff: float  # a game
    half: float  # half the width of the 95 % interval


@kernel
def play_once(game, first, second, state, room, deal, random):
    """One game, player 0 by the first policy; chance throws the dice `deal`. Returns 0, or a trouble."""
    game.start(state)
    player = game.player(state)
    for _ in range(room.moves):
        if player == OVER:
            return 0
        if player == CHANCE:
            action = draw_chance(game, state, room, deal)
        elif player == 1:
            action = draw_move(second, game, state, player, room, random)
        else:
            action = draw_move(first, game, state, player, room, random)
        if action == FOREIGN:
            return FOREIGN
        game.step(state, action)
        player = game.player(state)
    return 0 if player == OVER else ENDLESS


@kernel
def duplicate_slice(game, first, second, state, room, deal, source, total, pairs, random):
    """Play pairs of games; deal [2, 4] are the dice of chance in both games, drawn anew for each pair from `source`."""
    for _ in range(pairs):
        for word in range(4):
            deal[0, word] = deal[1, word] = dice.draw(source)
        trouble = play_once(game, first, second, state, room, deal[0], random)
        if trouble < 0:
            return trouble
        got = game.payoff(state, 0)
        trouble = play_once(game, second, first, state, room, deal[1], random)
        if trouble < 0:
            return trouble
        got = 0.5 * (got + game.payoff(state, 1))
        total[SUM] += got
        total[SQUARES] += got * got
        total[PAIRS] += 1.0
    return pairs


def duplicate(
    game: Any, first: Any, second: Any, pairs: int = 10_000, *, seed: int = 0, progress: Watcher | None = None
) -> Duplicate:
    """Play so many pairs of games with exchanged seats. `progress` is called after each slice with the number of pairs."""
    policies = both_policies(game, first, second)
    pairs = whole(pairs, "the pairs of a duel", least=2)
    shape, random = game.shape(), dice.seeded(seed, 0)
    state, room, total = np.zeros(shape.words, np.int64), new_room(shape), np.zeros(3)
    deal, source = np.zeros((2, 4), np.uint64), dice.seeded(seed, 1)

    def work(count: int) -> int:
        played = int(duplicate_slice(game, *policies, state, room, deal, source, total, count, random))
        require_fine(played, game)
        return played

    def tell() -> None:
        if progress:
            progress(Progress("pairs", int(total[PAIRS]), pairs))

    in_slices(work, budget(pairs, what="pairs"), tell=tell)
    return Duplicate(pairs, float(total[SUM] / pairs), float(mean_half(total[SUM], total[SQUARES], pairs)))
