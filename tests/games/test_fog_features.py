"""The features of fog-of-war chess: what only matters where one cannot see."""

import numpy as np
import pytest

from fogtree import DarkChess, dice
from fogtree.evaluation import features_of, linear
from fogtree.game import legal, new_state
from fogtree.games import fog_features as fog
from fogtree.games.chess.moves import KNIGHTS, PAWNS, QUEENS, ROOKS, SIDE, board
from fogtree.games.dark_chess import WALLS, FogMen, sight

GAME = DarkChess()


def features(fen, game=GAME):
    """{feature: how much of it} in a position."""
    state = new_state(game)
    game.from_notation(fen, state)
    kind = features_of(game)
    which, worth = np.zeros(kind.active(game), np.int64), np.zeros(kind.active(game))
    count = kind.find(game, state, which, worth)
    assert count <= kind.active(game)
    found: dict[int, float] = {}
    for feature, amount in zip(which[:count].tolist(), worth[:count].tolist(), strict=True):
        found[feature] = found.get(feature, 0.0) + amount
    return {feature: amount for feature, amount in found.items() if amount}


def test_what_is_seen_and_what_attacks_from_the_fog(interpreted):
    # Black's knight on d5 attacks the queen on c3. The queen does not see it: she goes straight and slanting
    # Nobody else of White's sees d5, so she is ambushed, and no man of White's guards her, so she is loose; White moves
    found = features("4k3/8/8/3n4/8/2Q5/8/4K3 w - - 0 1")
    assert found[fog.AMBUSHED + 6 + QUEENS] == 1.0 and found[fog.LOOSE + 5 + QUEENS] == 1.0
    assert fog.SPIED + KNIGHTS not in found and found[fog.MOVE] == 1.0
    # with a pawn on e4 White sees the knight, who is still there: no ambush, and one man spied
    found = features("4k3/8/8/3n4/4P3/2Q5/8/4K3 w - - 0 1")
    assert fog.AMBUSHED + 6 + QUEENS not in found and found[fog.SPIED + KNIGHTS] == 1.0
    # when Black is to move, the same is entered where the player is not to move
    found = features("4k3/8/8/3n4/8/2Q5/8/4K3 b - - 0 1")
    assert found[fog.AMBUSHED + QUEENS] == 1.0 and fog.AMBUSHED + 6 + QUEENS not in found


def test_a_guarded_man_is_not_loose(interpreted):
    # the rook on e8 attacks the rook on e4; a pawn on d3 guards it
    assert features("k3r3/8/8/8/4R3/8/8/K7 w - - 0 1").get(fog.LOOSE + 5 + ROOKS) == 1.0
    assert fog.LOOSE + 5 + ROOKS not in features("k3r3/8/8/8/4R3/3P4/8/K7 w - - 0 1")


def test_a_king_under_attack_in_sight_or_from_the_fog(interpreted):
    seen = features("k7/8/8/8/8/8/8/K6r w - - 0 1")  # along the rank, but the king sees only the squares beside him
    assert seen[fog.AMBUSHED + 6 + 5] == 1.0 and fog.ATTACKED + 1 not in seen and seen[fog.STALKED] == 1 / 8 * 1
    near = features("k7/8/8/8/8/8/8/Kr6 w - - 0 1")
    assert near[fog.ATTACKED + 1] == 1.0 and near[fog.SPIED + ROOKS] == 1.0


@pytest.mark.parametrize("size", [4, 6, 8])
def test_exchanging_the_colours_changes_the_sign(interpreted, size):
    game = DarkChess(size)
    random, state = dice.seeded(5), new_state(game)
    kind = features_of(game)
    evaluation = linear(game, kind, np.sin(np.arange(kind.size())))
    with np.errstate(over="ignore"):
        for _ in range(60):
            moves = legal(game, state)
            if not moves:
                break
            game.step(state, moves[dice.below(random, len(moves))])
            fen = game.notation(state)
            if game.player(state) < 0:
                break
            turned = new_state(game)
            game.from_notation(exchanged(fen), turned)
            assert evaluation.value(game, turned) == pytest.approx(-evaluation.value(game, state), abs=1e-12), fen


def exchanged(fen):
    """The position with the colours exchanged and the board turned upside down."""
    men, turn, rights, passing, *clocks = fen.split()
    men = "/".join(men.swapcase().split("/")[::-1])
    rights = "".join(sorted(rights.swapcase())) if rights != "-" else "-"
    passing = passing if passing == "-" else passing[0] + {"3": "6", "6": "3"}[passing[1]]
    return " ".join([men, "b" if turn == "w" else "w", rights, passing, *clocks])


def test_attacks_are_the_union_of_what_each_man_attacks(interpreted):
    # beside the own men, what all men attack is what the player sees, but for pawns, who go straight and take slanting
    state = new_state(GAME)
    GAME.from_notation("r1bqk2r/ppp2ppp/2n2n2/2bpp3/4P3/2NP1N2/PPP1BPPP/R1BQK2R w - - 0 6", state)
    for player in range(2):
        men = board(state, SIDE + player)
        others = men & ~board(state, PAWNS)
        without_pawns = fog.attacks(state, others, player)
        assert without_pawns & ~men & ~sight(state, player, WALLS[8]) == 0
        one_by_one = np.uint64(0)
        left = int(men)
        while left:
            one = np.uint64(left & -left)
            one_by_one |= fog.attacks(state, one, player)
            left &= left - 1
        assert fog.attacks(state, men, player) == one_by_one


def test_the_hand_is_the_evaluation_by_hand_and_small_boards_have_features_too(interpreted):
    for size in (4, 5, 6, 8):
        game = DarkChess(size)
        state, kind = new_state(game), features_of(game)
        weight = np.zeros(kind.size())
        weight[fog.HAND] = 1 / fog.TENFOLD
        assert linear(game, kind, weight).value(game, state) == pytest.approx(FogMen(size).value(game, state))
