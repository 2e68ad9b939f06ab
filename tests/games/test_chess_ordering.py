"""What chess tells a search: which moves look good, what the course of a game ended, and how to pass."""

import numpy as np
import pytest

from fogtree import OVER
from fogtree.game import legal, new_state
from fogtree.games import Chess
from fogtree.games.chess.moves import KEY, by_course, skip, whole_key
from fogtree.games.chess.ordering import promise

GAME = Chess()


def chess(fen):
    state = new_state(GAME)
    GAME.from_notation(fen, state)
    return state


def test_the_most_valuable_victim_comes_first_and_then_the_least_valuable_attacker():
    # pawn, rook and queen may take the queen on d5; the pawn on b7 becomes a queen, with or without a capture
    state = chess("2r1k3/1P6/8/Q2qr3/4P3/8/8/3R3K w - - 0 1")
    order = sorted(legal(GAME, state), key=lambda action: -promise(state, action))
    names = [GAME.label(state, action) for action in order]
    assert names[:5] == ["bxc8=Q+", "b8=Q", "exd5", "Rxd5", "Qxd5"]
    quiet = [promise(state, a) for a, name in zip(order, names, strict=True) if "x" not in name and "=" not in name]
    assert quiet and set(quiet) == {0.0}
    assert all(promise(state, a) < 0 for a, name in zip(order, names, strict=True) if "=N" in name or "=R" in name)


def test_black_takes_first_as_white_does():
    # the same position seen from the other side: the black pawn on e5 takes the queen on d4
    state = chess("4k3/8/8/4p3/3Q4/8/8/4K3 b - - 0 1")
    assert promise(state, GAME.read(state, "exd4")) == pytest.approx(9 - 1 / 16)
    assert promise(state, GAME.read(state, "e4")) == 0


def test_a_capture_in_passing_promises_a_pawn():
    state = chess("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1")
    assert promise(state, GAME.read(state, "exd6")) == pytest.approx(15 / 16)
    assert promise(state, GAME.read(state, "e6")) == 0


def test_repetition_and_the_clock_end_a_game_by_its_course_and_mate_does_not():
    state = new_state(GAME)
    for move in ["Nf3", "Nf6", "Ng1", "Ng8"] * 2:
        assert not by_course(state)
        with np.errstate(over="ignore"):
            GAME.step(state, GAME.read(state, move))
    assert GAME.player(state) == OVER and by_course(state)
    quiet = chess("4k3/8/8/8/8/8/8/R3K3 w - - 99 80")
    GAME.step(quiet, GAME.read(quiet, "Ra2"))
    assert by_course(quiet)
    mate = chess("6k1/5ppp/8/8/8/8/5PPP/1R4K1 w - - 0 1")
    GAME.step(mate, GAME.read(mate, "Rb8"))
    assert GAME.player(mate) == OVER and not by_course(mate)


@pytest.mark.parametrize(
    "men, rights",
    [("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R", "KQkq"), ("4k3/8/8/3pP3/8/8/8/R3K3", "-")],
)
def test_passing_is_the_same_position_with_the_other_to_move(men, rights):
    state, other = chess(f"{men} w {rights} - 7 30"), chess(f"{men} b {rights} - 0 30")
    assert skip(state)
    assert state[KEY] == other[KEY] == whole_key(state) and legal(GAME, state) == legal(GAME, other)
    state, other = chess("4k3/8/8/3pP3/8/8/8/R3K3 w - d6 0 1"), chess("4k3/8/8/3pP3/8/8/8/R3K3 b - - 0 1")
    assert skip(state) and state[KEY] == other[KEY]  # the capture in passing is gone


def test_with_pawns_alone_nobody_passes():
    state = chess("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    before = state.copy()
    assert not skip(state) and (state == before).all()
