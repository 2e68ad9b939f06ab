"""Liar's Dice. Moves are the dice, player 0's first, as faces from 0, and then the bids."""

import pytest
from playing import after, indistinct, payoffs

import fogtree
from fogtree import CHANCE, OVER, REFEREE, Invalid, LiarsDice
from fogtree.game import label, legal, odds, read

GAME = LiarsDice()
PAIRS = LiarsDice(dice=2)
LIAR = 12  # the call with one die each
WILD = 5  # the six, as a rolled face


def bid(quantity, face):
    return (quantity - 1) * 6 + face - 1


# --- counts ---


def test_one_die_each_has_24576_information_sets():
    # 24,576 is the usual figure: a player has rolled one of 6 faces and heard one of the 2^11 sets of bids, of an even
    # number or an odd one, after which it is their turn. Each of the 36 rolls ends after one of 2^12 - 1 sets of bids.
    count = fogtree.count(GAME)
    assert sum(count.infosets) == 24_576 and count.infosets == (6 * 2**11, 6 * 2**11)
    assert count.ends == 36 * (2**12 - 1)
    assert count.chance == 1 + 6


@pytest.mark.parametrize("dice, faces, hands", [(1, 2, 2), (1, 3, 3), (2, 2, 3), (2, 3, 6)])
def test_information_sets_are_hands_times_sets_of_bids(dice, faces, hands):
    # dice lie in no order, so there are fewer hands than rolls
    bids = 2 * dice * faces
    count = fogtree.count(LiarsDice(dice, faces))
    assert count.infosets == (hands * 2 ** (bids - 1), hands * 2 ** (bids - 1))
    assert count.ends == faces ** (2 * dice) * (2**bids - 1)


# --- playing ---


def test_a_bid_that_holds_beats_the_call():
    # a 3 and a 4; player 0 bids one 4 and is called by player 1
    assert payoffs(GAME, after(GAME, 2, 3, bid(1, 4), LIAR)) == (1, -1)
    # player 1 raises to two 3s, which are not there
    assert payoffs(GAME, after(GAME, 2, 3, bid(1, 3), bid(2, 3), LIAR)) == (1, -1)
    # player 1 raises to one 4, which is there
    assert payoffs(GAME, after(GAME, 2, 3, bid(1, 3), bid(1, 4), LIAR)) == (-1, 1)


def test_more_dice_than_were_bid_hold_too():
    assert payoffs(GAME, after(GAME, 2, 2, bid(1, 3), LIAR)) == (1, -1)


def test_sixes_count_as_every_face():
    assert payoffs(GAME, after(GAME, 2, WILD, bid(2, 3), LIAR)) == (1, -1)
    assert payoffs(GAME, after(GAME, WILD, WILD, bid(2, 1), LIAR)) == (1, -1)
    # but no other face counts as six
    assert payoffs(GAME, after(GAME, 2, WILD, bid(2, 6), LIAR)) == (-1, 1)
    assert payoffs(GAME, after(GAME, WILD, WILD, bid(2, 6), LIAR)) == (1, -1)


def test_the_highest_face_is_the_wild_one_whatever_the_die():
    game = LiarsDice(faces=3)
    two_ones, liar = 3, 6
    assert payoffs(game, after(game, 0, 2, two_ones, liar)) == (1, -1)
    assert payoffs(game, after(game, 0, 1, two_ones, liar)) == (-1, 1)


def test_all_dice_on_the_table_count():
    # 1 3 and 3 6: three 3s with the six, and no four
    assert payoffs(PAIRS, after(PAIRS, 0, 2, 2, WILD, bid(3, 3), 24)) == (1, -1)
    assert payoffs(PAIRS, after(PAIRS, 0, 2, 2, WILD, bid(4, 3), 24)) == (-1, 1)


def test_a_bid_must_be_raised_and_the_call_cannot_open():
    assert legal(GAME, after(GAME, 2, 3)) == list(range(12))
    assert legal(GAME, after(GAME, 2, 3, bid(1, 6))) == [*range(bid(2, 1), 12), LIAR]
    assert legal(GAME, after(GAME, 2, 3, bid(2, 6))) == [LIAR]


def test_bids_go_in_turn_until_the_call():
    assert GAME.player(after(GAME, 2, 3)) == 0
    assert GAME.player(after(GAME, 2, 3, 0)) == 1
    assert GAME.player(after(GAME, 2, 3, 0, 1)) == 0
    assert GAME.player(after(GAME, 2, 3, 0, 1, LIAR)) == OVER


def test_dice_are_fair():
    for rolled in ((), (0,), (0, 0), (0, 0, 0)):
        state = after(PAIRS, *rolled)
        assert PAIRS.player(state) == CHANCE and legal(PAIRS, state) == list(range(6))
        assert odds(PAIRS, state) == pytest.approx([1 / 6] * 6)
    assert PAIRS.player(after(PAIRS, 0, 0, 0, 0)) == 0


# --- seeing ---


def test_a_player_sees_own_dice_and_all_bids():
    assert indistinct(GAME, 0, (2, 3, 0), (2, 4, 0))
    assert indistinct(GAME, 1, (2, 3, 0), (1, 3, 0))
    assert not indistinct(GAME, 0, (2, 3), (1, 3))
    for player in (0, 1):
        assert not indistinct(GAME, player, (2, 3, 0, 5), (2, 3, 1, 5))


def test_own_dice_have_no_order():
    assert indistinct(PAIRS, 0, (1, 4, 0, 0), (4, 1, 0, 0))
    assert indistinct(PAIRS, 1, (0, 0, 1, 4), (0, 0, 4, 1))
    assert not indistinct(PAIRS, 1, (0, 0, 1, 4), (0, 0, 4, 4))


def test_the_others_dice_are_not_shown():
    state = after(PAIRS, 4, 1, 0, WILD, bid(1, 2), bid(2, 5))
    assert PAIRS.show(state, 0) == "your dice: 2 5\nbids: 1x2, 2x5"
    assert PAIRS.show(state, 1) == "your dice: 1 6\nbids: 1x2, 2x5"
    assert PAIRS.show(state, REFEREE) == "player 0 dice: 2 5\nplayer 1 dice: 1 6\nbids: 1x2, 2x5"
    # the first die alone is not looked at yet
    assert PAIRS.show(after(PAIRS, 4), 0) == "your dice: not rolled\nbids: none yet"


# --- typing and naming ---


def test_bids_are_called_quantity_by_face():
    state = after(GAME, 2, 3, 0)
    assert [label(GAME, state, action) for action in (bid(1, 2), bid(1, 6), bid(2, 1), LIAR)] == [
        "1x2",
        "1x6",
        "2x1",
        "liar",
    ]
    assert [label(GAME, after(GAME), face) for face in range(6)] == ["1", "2", "3", "4", "5", "6"]
    assert payoffs(GAME, after(GAME, "3", "6", "2x3", "Liar")) == (1, -1)


def test_a_lower_bid_is_refused_with_the_legal_ones():
    with pytest.raises(fogtree.Illegal, match="'1x1' is not a legal action here: choose from 2x6, liar"):
        read(GAME, after(GAME, 2, 3, bid(2, 5)), "1x1")


@pytest.mark.parametrize("text, game", [("liars-dice", GAME), ("liars-dice:dice=2,faces=4", LiarsDice(2, 4))])
def test_a_name_loads_the_game_that_it_names(text, game):
    assert fogtree.load(text) == game and fogtree.name(game) == text


@pytest.mark.parametrize(
    "wrong, sentence",
    [
        ({"dice": 0}, "dice must be a whole number from 1 to 4, not 0"),
        ({"dice": 5}, "dice must be a whole number from 1 to 4, not 5"),
        ({"faces": 1}, "faces must be a whole number from 2 to 6, not 1"),
        ({"faces": "six"}, "faces must be a whole number from 2 to 6, not 'six'"),
    ],
)
def test_wrong_dice_are_refused_with_the_valid_ones(wrong, sentence):
    with pytest.raises(Invalid) as refusal:
        LiarsDice(**wrong)
    assert str(refusal.value) == f"LiarsDice: {sentence}"
