"""Go positions from drawings, for the tests: X is black, O is white, rows from the top."""

import numpy as np

from fogtree.game import legal, new_state, read
from fogtree.games.go import Go, text


def position(drawn, to_move="b", **rules):
    """The game and the state of a drawing."""
    game = Go(side=len(drawn.strip().splitlines()), **{"komi": 0.0, **rules})
    state = new_state(game)
    lines = ["".join(line.split()) for line in drawn.strip().splitlines()]
    game.from_notation(f"{'/'.join(map(text.packed, lines))} {to_move}", state)
    return game, state


def play(game, state, *vertices):
    for vertex in vertices:
        with np.errstate(over="ignore"):
            game.step(state, read(game, state, vertex))


def rows(game, state):
    """The board as rows from the top."""
    return ["".join(".XO"[stone] for stone in row) for row in text.stones(state, game.side)[::-1]]


def may(game, state, vertex):
    return text.action_of(vertex, game.side) in legal(game, state)


def random_state(game, moves, chance):
    """A state after so many random moves, passes only where there is nothing else; sooner if the game is over."""
    state = new_state(game)
    with np.errstate(over="ignore"):
        for _ in range(moves):
            actions = legal(game, state)
            if actions:
                game.step(state, chance.choice(actions[:-1] or actions))
    return state
