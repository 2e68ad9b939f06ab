"""What a Go position is worth at a glance."""

import re

import numpy as np
import pytest

from fogtree.game import legal, new_state
from fogtree.games.go import Go
from fogtree.games.go.evaluation import Nearness


def value(game, notation):
    state = new_state(game)
    game.from_notation(notation, state)
    return Nearness().value(game, state)


def test_points_belong_to_who_is_stronger_around_them():
    assert value(Go(3, 0), "3/1X1/3 w") == pytest.approx(1)  # the stone and all eight points around it
    assert value(Go(3, 0), "3/1O1/3 b") == pytest.approx(-1)
    # A1 and A3 are white's, for a side counts more than a corner; B1, B3 and the column C are black's
    assert value(Go(3, 0), "3/OX1/3 b") == pytest.approx((6 - 3) / 9)


def test_komi_is_whites():
    assert value(Go(3, 2.5), "3/1X1/3 w") == pytest.approx((9 - 2.5) / (9 + 2.5))
    assert value(Go(3, 2.5, points=True), "3/1X1/3 w") == pytest.approx(9 - 2.5)


def test_alpha_beta_takes_it_from_the_game():
    assert isinstance(Go(9).evaluation(), Nearness)


def test_with_the_colours_exchanged_the_sign_changes():
    game, random = Go(5, 0), np.random.default_rng(1)
    for _ in range(20):
        state = new_state(game)
        with np.errstate(over="ignore"):
            for _ in range(12):
                game.step(state, int(random.choice(legal(game, state)[:-1])))
        rows = game.show(state, 0).splitlines()[1:6]
        drawn = re.sub(r"\.+", lambda found: str(len(found[0])), "/".join("".join(row.split()[1:6]) for row in rows))
        exchanged = drawn.translate(str.maketrans("XO", "OX"))
        assert value(game, f"{drawn} b") == pytest.approx(-value(game, f"{exchanged} b"))
        assert -1 <= value(game, f"{drawn} b") <= 1
