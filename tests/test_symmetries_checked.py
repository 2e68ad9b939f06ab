"""`check` proves symmetries: each mistake in a game that knows how its board can be turned is told in one sentence."""

import pytest

import fogtree
from fogtree import Broken, DarkHex


class TurnsAlways(DarkHex):
    __slots__ = ()

    def turn(self, state, which):
        DarkHex.turn(self, state, 1)


class ForgetsTries(DarkHex):
    __slots__ = ()

    def turn(self, state, which):
        tried = state[2]
        DarkHex.turn(self, state, which)
        state[2] = tried


class MovesNothing(DarkHex):
    __slots__ = ()

    def moved(self, action, which):
        return action


class OtherViews(DarkHex):
    __slots__ = ()

    def turned(self, view, player, which):
        return view if which == 0 else view + 1


class NoBoards(DarkHex):
    __slots__ = ()

    def symmetries(self):
        return 0


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        (TurnsAlways, r"turn is wrong for board 0: what follows action 0"),
        (
            ForgetsTries,
            r"turn is wrong for board 1: what follows action 0 of the turned board|the views of the turned board",
        ),
        (MovesNothing, r"turn is wrong for board 1: what follows action 0"),
        (OtherViews, r"turned makes views of board 1 that no board has when the board is turned once"),
        (NoBoards, r"symmetries is 0: valid is 1"),
    ],
)
def test_a_wrong_symmetry_is_told(kind, told):
    with pytest.raises(Broken, match=told):
        fogtree.check(kind(side=2))


@pytest.mark.parametrize("text", ["dark-hex:side=2", "dark-hex:side=2,abrupt=true", "dark-hex:side=4"])
def test_symmetries_that_are_right_pass(text):
    fogtree.check(fogtree.load(text), histories=500)


@pytest.mark.parametrize("rules", ["classical", "abrupt", "forced-centre"])
def test_the_eight_boards_of_phantom_tic_tac_toe_pass(rules):
    fogtree.check(fogtree.load(f"phantom-ttt:rules={rules}"), histories=300)
