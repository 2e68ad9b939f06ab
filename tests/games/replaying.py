"""Whether fog-of-war chess can imagine the truth: is there a throw of the dice with which `imagine` draws it?

There are far too many worlds to wait until the truth is drawn. So the drawing is run with dice that are chosen: squares are
those on which men really stand, and every other throw is tried, one after the other. A course is left as soon as a man is put
where the truth has another one.
"""

import types

from fogtree import dice
from fogtree.games import fog
from fogtree.games.chess.moves import KINGS, RIGHTS, SIDE
from fogtree.games.dark_chess import HOME

KINDS = range(KINGS + 1)
CASTLED, PUT = fog.castled, fog.put


class Astray(Exception):
    """The truth cannot be drawn any more."""


def squares_in(word):
    return [square for square in range(64) if int(word) >> square & 1]


def men_of(state, player):
    """{square: kind} of a player."""
    own = set(squares_in(int(state[SIDE + player]) & (1 << 64) - 1))
    return {square: kind for kind in KINDS for square in squares_in(int(state[kind]) & (1 << 64) - 1) if square in own}


def can_imagine(game, state, monkeypatch, most=100_000):
    """Whether some dice let the player to move imagine the true men and rights to castle."""
    me = int(game.player(state))
    truth, home = men_of(state, 1 - me), men_of(HOME[game.size], 1 - me)
    for throws in courses(game, state, me, truth, home, monkeypatch):
        most -= 1
        if throws is not None or most == 0:
            return most > 0
    return False


def courses(game, state, me, truth, home, monkeypatch):
    """Run the drawing again and again with other throws. Yields those that lead to the truth, and None for others."""
    plan = []  # [throw, how many there are] of the course before
    while True:
        course, world, castling = [], state.copy(), []

        def below(random, count, course=course):
            if len(course) == len(plan):
                plan.append([0, int(count)])
            course.append(plan[len(course)])
            return course[-1][0]

        def draw_square(squares, random, castling=castling, world=world):
            placed = men_of(world, 1 - me)
            choices = squares_in(squares)
            if castling:
                fitting = [square for square in choices if square not in truth]
            else:
                fitting = [square for square in choices if square in truth and square not in placed]
                if set(choices) <= set(home):
                    fitting = [square for square in fitting if home[square] == truth[square]] or fitting
            if not fitting:
                raise Astray
            return fog.bit(min(fitting, key=lambda square: (truth.get(square, 0), square)))

        def castled(*given, castling=castling):
            castling.append(True)
            gone = CASTLED(*given)
            castling.pop()
            return gone

        def put(world, player, stock, kind, square):
            if truth.get(int(square).bit_length() - 1) != kind:
                raise Astray
            return PUT(world, player, stock, kind, square)

        with monkeypatch.context() as patched:
            patched.setattr(fog, "dice", types.SimpleNamespace(below=below))
            patched.setattr(fog, "draw_square", draw_square)
            patched.setattr(fog, "castled", castled)
            patched.setattr(fog, "put", put)
            try:
                game.imagine(world, me, dice.seeded(0))
                drawn = men_of(world, 1 - me) == truth and world[RIGHTS] == state[RIGHTS]
            except Astray:
                drawn = False
        yield course if drawn else None
        del plan[len(course) :]
        while plan and plan[-1][0] + 1 == plan[-1][1]:
            plan.pop()
        if not plan:
            return
        plan[-1][0] += 1
