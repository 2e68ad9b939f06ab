"""Random openings: where matches begin between agents who would otherwise play the same game again and again.

An agent that draws nothing, such as alpha-beta, always answers a position with the same move. Without chance, two such
agents have one match, and to play it a hundred times proves no more than to play it once. So theirs begin after a few random
moves, each from another opening; every seating plays all of them, so each agent has both sides of each.
"""

from typing import Any

import numpy as np

from .. import dice
from ..game import CHANCE, OVER, legal, new_state, odds

MOST_PLIES = 8  # random moves of an opening, where nothing else is said
PART = 4  # an opening takes at most one of so many moves of a game
TRIES = 20  # for each opening that is wanted: small games have few
OPENINGS = 3  # the part of a tournament's seed from which openings are drawn

Opening = list[tuple[int, int]]  # (player or CHANCE, action)


def usual_plies(game: Any) -> int:
    """How many random moves an opening has: an even number, so that in most games the same player goes on."""
    return max(2, min(MOST_PLIES, game.shape().moves // PART) // 2 * 2)


def random_openings(game: Any, count: int, plies: int, seed: int) -> list[Opening]:
    """So many different openings, none of which ends the game; fewer where the game has no more. The first are the same
    however many are asked for."""
    found: dict[tuple[tuple[int, int], ...], None] = {}
    with np.errstate(over="ignore"):  # views may be hashes, which wrap round
        for number in range(TRIES * count):
            if len(found) == count:
                break
            if opening := _opening(game, plies, dice.seeded(seed, OPENINGS, number)):
                found[tuple(opening)] = None
    return [list(opening) for opening in found]


def _opening(game: Any, plies: int, random: np.ndarray) -> Opening | None:
    state, moves, made = new_state(game), [], 0
    while made < plies:  # it ends: a game has so many moves at most
        player = int(game.player(state))
        if player == OVER:
            return None
        actions = legal(game, state)
        chances = odds(game, state) if player == CHANCE else [1 / len(actions)] * len(actions)
        moves.append((player, actions[dice.pick(random, chances, len(actions))]))
        game.step(state, moves[-1][1])
        made += player != CHANCE
    return None if game.player(state) == OVER else moves


def repeats_itself(game: Any, agents: Any) -> bool:
    """Whether these agents have only one match: nothing is left to chance, and none of them draws."""
    still = (getattr(agent, "deterministic", None) for agent in agents)
    return not hasattr(game, "odds") and all(known is not None and known(game) for known in still)
