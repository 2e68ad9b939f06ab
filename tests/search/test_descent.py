"""What the descent of alpha-beta keeps from one position for another, step by step in plain Python."""

import numpy as np
import pytest

from fogtree.games import TicTacToe
from fogtree.games.chess import Chess
from fogtree.search.open import descent
from fogtree.search.open.pruning import Risky
from fogtree.search.open.scores import DECIDED

pytestmark = pytest.mark.usefixtures("interpreted")


@pytest.fixture
def stack():
    made = descent.new_stack(TicTacToe().shape(), 6, 0)
    made.set_root(np.zeros(TicTacToe().shape().words, np.int64), [])
    made.frame[:, descent.SIGN], made.frame[:, descent.DEPTH] = 1, 4
    return made


def test_the_last_two_refutations_of_a_ply_are_its_killers_the_newer_first(stack):
    for action, killers in ((3, [3, descent.NONE]), (5, [5, 3]), (5, [5, 3]), (3, [3, 5]), (7, [7, 3])):
        descent.remember(stack, 2, action)
        assert stack.killer[2].tolist() == killers
    assert (np.delete(stack.killer, 2, axis=0) == descent.NONE).all()


def test_a_refutation_weighs_by_the_square_of_its_depth_and_old_ones_fade(stack):
    descent.remember(stack, 2, 3)
    assert stack.history[0, 3] == 16 * 4**2
    before = stack.history[0, 3]
    descent.remember(stack, 2, 3)
    assert stack.history[0, 3] == before + 16 * 16 - before * 16 // descent.MOST_WEIGHT
    stack.frame[2, descent.SIGN] = -1
    descent.remember(stack, 2, 3)
    assert stack.history[1, 3] == 16 * 4**2


def test_what_a_free_move_shows_is_proven_with_less_depth_and_the_smallest_window_below_the_bound(stack):
    frame, bound = stack.frame[1], stack.bound[1]
    frame[descent.DEPTH], bound[descent.ALPHA], bound[descent.BETA] = 6, 0.25, 0.5
    descent.after_skip(Risky(), stack, 1, 0.4)  # not good enough: the actions come, with the same window
    assert (frame[descent.DEPTH], frame[descent.PROVING], bound[descent.ALPHA]) == (6, 0, 0.25)
    descent.after_skip(Risky(), stack, 1, 0.5)
    assert (frame[descent.DEPTH], frame[descent.PROVING]) == (Risky().proof(6), 6)
    assert bound[descent.ALPHA] < 0.5 == np.nextafter(bound[descent.ALPHA], 1.0)


def test_after_a_free_move_the_other_is_to_move_in_the_same_position():
    chess = Chess()
    stack, root = descent.new_stack(chess.shape(), 6, 0), np.zeros(chess.shape().words, np.int64)
    with np.errstate(over="ignore"):  # keys wrap round
        chess.from_notation("4k3/8/8/8/8/8/4P3/R3K3 w - - 0 1", root)
        stack.set_root(root, [])
        stack.frame[:, descent.DEPTH], stack.bound[:, descent.BETA] = 6, 0.25
        stack.state[1:] = root[::-1]  # what earlier positions have left
        assert descent.may_skip(chess, Risky(), stack, 0, False)
        live = chess.live(root)
        assert stack.state[0].tolist() == root.tolist()
        assert chess.notation(stack.state[1]).split()[:4] == ["4k3/8/8/8/8/8/4P3/R3K3", "b", "-", "-"]
        assert chess.player(stack.state[1, :live]) == 1

        def refused(urgent=False, **changed):
            frame, bound = stack.frame.copy(), stack.bound.copy()
            for field, value in changed.items():
                (stack.bound if field == "BETA" else stack.frame)[1, getattr(descent, field)] = value
            found = descent.may_skip(chess, Risky(), stack, 1, urgent)
            stack.frame[:], stack.bound[:] = frame, bound
            return not found

        stack.state[1] = root
        assert not refused() and refused(urgent=True) and refused(PRINCIPAL=1) and refused(DEPTH=1)
        assert refused(BETA=DECIDED) and refused(BETA=-DECIDED)
        stack.frame[0, descent.TRIAL] = descent.SKIPPED
        assert refused()  # never twice in a row
