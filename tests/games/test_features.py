"""Features: antisymmetric when the players are exchanged, and about as many as they should be."""

import numpy as np
import pytest

from fogtree import OVER
from fogtree.evaluation import features_of, linear
from fogtree.game import legal, new_state
from fogtree.games import Breakthrough, Chess, ConnectFour
from fogtree.games.chess.features import ATTACKED, MOBILITY, PASSED, SHELTER, SQUARES, ChessFeatures
from fogtree.games.chess.piece_squares import SCALE, PieceSquares
from fogtree.learn.pupil import describe


def positions(game, many, longest, seed=0):
    random, found = np.random.default_rng(seed), []
    with np.errstate(over="ignore"):
        while len(found) < many:
            state = new_state(game)
            for _ in range(random.integers(longest + 1)):
                if game.player(state) == OVER:
                    break
                actions = legal(game, state)
                game.step(state, actions[random.integers(len(actions))])
            found.append(state)
    return found


def exchanged(game, state):
    """The same position with the players exchanged."""
    other = state.copy()
    if isinstance(game, Chess):
        men, turn, rights, passed, *rest = game.notation(state).split()
        men = "/".join(men.split("/")[::-1]).swapcase()
        passed = passed if passed == "-" else passed[0] + str(9 - int(passed[1]))
        fen = " ".join([men, "b" if turn == "w" else "w", "".join(sorted(rights.swapcase())), passed, *rest])
        game.from_notation(fen, other)
    elif isinstance(game, Breakthrough):

        def flip(word):
            rows = [(int(word) >> game.columns * row) & ((1 << game.columns) - 1) for row in range(game.rows)]
            return sum(row << game.columns * (game.rows - 1 - k) for k, row in enumerate(rows))

        other[0], other[1], other[2] = flip(state[1]), flip(state[0]), 1 - state[2]
    else:
        other[0], other[1], other[2] = state[1], state[0], state[2] ^ 1
    return other


def dense(game, features, state):
    evaluation = linear(game, features)
    found = np.zeros(features.size())
    active = describe(game, evaluation, state)
    np.add.at(found, evaluation.which[:active], evaluation.worth[:active])
    return found, active


@pytest.mark.parametrize("game, longest", [(ConnectFour(4, 5), 15), (Breakthrough(6, 5), 20), (Chess(), 100)])
def test_exchanging_the_players_changes_the_sign(game, longest):
    features = features_of(game)
    for state in positions(game, 60, longest):
        there, active = dense(game, features, state)
        back, _ = dense(game, features, exchanged(game, state))
        np.testing.assert_allclose(there, -back, atol=1e-12)
        assert np.abs(there).sum() > 0 and active <= features.active(game)


def test_interpreted_and_compiled_features_agree():
    for game in (ConnectFour(4, 5), Breakthrough(6, 5), Chess()):
        features = features_of(game)
        for state in positions(game, 3, 20, seed=4):
            evaluation = linear(game, features)
            active = describe.interpreted(game, evaluation, state)
            found = np.zeros(features.size())
            np.add.at(found, evaluation.which[:active], evaluation.worth[:active])
            np.testing.assert_allclose(found, dense(game, features, state)[0], atol=1e-15)


def test_a_sum_without_a_list_is_the_sum_over_the_list():
    game, features = Chess(), ChessFeatures()
    weight = np.random.default_rng(1).standard_normal(features.size())
    evaluation = linear(game, features, weight)
    for state in positions(game, 5, 80, seed=6):
        assert evaluation.value(game, state) == pytest.approx(dense(game, features, state)[0] @ weight, abs=1e-9)


def chess(fen):
    state = new_state(Chess())
    Chess().from_notation(fen, state)
    return state


def test_chess_has_about_1800_features_of_which_about_100_are_active():
    features = ChessFeatures()
    assert features.size() == 1744
    active = [np.count_nonzero(dense(Chess(), features, s)[0]) for s in positions(Chess(), 50, 60)]
    assert 50 < np.mean(active) < 200


def test_features_of_a_position_by_hand():
    # White: king e1, pawn a5 (passed, alone), knight b1 (3 squares); Black: king e8. Only the endgame, so odd weights
    found, _ = dense(Chess(), ChessFeatures(), chess("4k3/8/8/P7/8/8/8/1N2K3 w - - 0 1"))
    late = found[1::2] * 24 / 23  # a knight is left
    assert late[SQUARES + 32] == pytest.approx(1) and late[PASSED + 16] == pytest.approx(1)
    assert late[MOBILITY + 3] == pytest.approx(1)
    assert late[SQUARES + 64 * 5 + 4] == pytest.approx(0)  # both kings stand on their e1
    assert late[SHELTER : SHELTER + 108].any() == False  # noqa: E712  (no pawn near either king)
    assert not late[ATTACKED : ATTACKED + 64].any()


def test_hand_set_squares_are_worth_what_men_are_worth():
    game, evaluation = Chess(), PieceSquares()
    assert evaluation.value(game, new_state(game)) == pytest.approx(0, abs=1e-12)
    for letter, least, most in (("P", 0.8, 1.4), ("N", 2.6, 3.6), ("B", 3.0, 3.6), ("R", 4.6, 5.5), ("Q", 9.3, 10.5)):
        state = chess(f"4k3/8/8/8/3{letter}4/8/8/4K3 w - - 0 1")
        assert least < SCALE * evaluation.value(game, state) < most
    for state in positions(game, 20, 80, seed=2):
        assert evaluation.value(game, state) == pytest.approx(
            -evaluation.value(game, exchanged(game, state)), abs=1e-12
        )
