"""Goofspiel. Moves are written by a card's index, 0 the lowest, first player 0's bid and then player 1's."""

import math

import pytest
from playing import after, expectation, indistinct, payoffs

import fogtree
from fogtree import CHANCE, OVER, REFEREE, Goofspiel, Invalid
from fogtree.game import label, legal, odds, read

THREE = Goofspiel(cards=3)
OPEN = Goofspiel(cards=3, hidden=False)
SHUFFLED = Goofspiel(cards=3, prizes="shuffled")


# --- counts ---


@pytest.mark.parametrize(
    "cards, histories, ends, infosets",
    [(3, 139, 36, 36), (4, 2_229, 576, 369), (5, 55_731, 14_400, 4_974), (6, 2_006_323, 518_400, 83_001)],
)
def test_hidden_bids_for_decreasing_prizes_have_the_published_counts(cards, histories, ends, infosets):
    # (n!)^2 ends; information sets with the last, forced card counted, by an independent program
    count = fogtree.count(Goofspiel(cards))
    assert (count.histories, count.ends, count.chance) == (histories, ends, 0)
    assert count.infosets == (infosets, infosets)


@pytest.mark.parametrize("variant", ["lowest=1", "prizes=increasing", "points=true"])
def test_what_a_prize_is_worth_does_not_change_the_tree(variant):
    count = fogtree.count(fogtree.load(f"goofspiel:cards=4,{variant}"))
    assert (count.histories, count.ends, count.infosets) == (2_229, 576, (369, 369))


def test_open_bids_split_information_sets_by_what_the_other_bid():
    # 1 set in the first round, 3 x 3 pairs of bids before the second, times 2 x 2 before the third
    assert fogtree.count(OPEN).infosets == (1 + 9 + 36, 1 + 9 + 36)


def test_shuffled_prizes_multiply_the_ends_by_their_orders():
    for cards in (1, 2, 3):
        assert fogtree.count(Goofspiel(cards, prizes="shuffled")).ends == math.factorial(cards) ** 3
    # chance nodes: 1, then one for each of 3 prizes and 3 x 3 bids, then times 2 and 2 x 2
    assert fogtree.count(SHUFFLED).chance == 1 + 27 + 27 * 8


def test_random_play_is_even_by_symmetry():
    for game in (Goofspiel(4), Goofspiel(4, lowest=1), SHUFFLED, OPEN):
        assert expectation(game) == pytest.approx(0, abs=1e-12)


# --- playing ---


def test_a_game_by_hand():
    # prizes 3, 2, 1: player 1 takes the 3 with 2 over 1, player 0 the 2 with 3 over 1, player 1 the 1 with 3 over 2
    moves = (0, 1, 2, 0, 1, 2)
    game = Goofspiel(3, lowest=1)
    assert payoffs(game, after(game, *moves)) == (-1, 1)
    counted = Goofspiel(3, lowest=1, points=True)
    assert payoffs(counted, after(counted, *moves)) == (2 - 4, 4 - 2)


def test_increasing_prizes_come_the_other_way_round():
    # the same bids for 1, 2, 3: player 0 takes only the 2 again, player 1 the 1 and the 3
    game = Goofspiel(3, prizes="increasing", lowest=1, points=True)
    assert payoffs(game, after(game, 0, 1, 2, 0, 1, 2)) == (-2, 2)
    # the first bid is for the 1, and player 0 loses the rest
    assert payoffs(game, after(game, 2, 0, 0, 1, 1, 2)) == (1 - 5, 5 - 1)


def test_the_lowest_prize_counts_from_1_but_not_from_0():
    # player 0 takes the first prize, player 1 the other two: 3 against 2 + 1, or 2 against 1 + 0
    moves = (2, 0, 0, 1, 1, 2)
    from_one, from_zero = Goofspiel(3, lowest=1), Goofspiel(3, lowest=0)
    assert payoffs(from_one, after(from_one, *moves)) == (0, 0)
    assert payoffs(from_zero, after(from_zero, *moves)) == (1, -1)


def test_equal_bids_discard_the_prize():
    game = Goofspiel(3, lowest=1, points=True)
    assert payoffs(game, after(game, 2, 2, 1, 0, 0, 1)) == (2 - 1, 1 - 2)
    assert payoffs(game, after(game, 0, 0, 1, 1, 2, 2)) == (0, 0)


def test_bids_are_made_in_turn_and_the_cards_are_gone():
    assert THREE.player(after(THREE)) == 0 and THREE.player(after(THREE, 2)) == 1
    assert legal(THREE, after(THREE, 2)) == [0, 1, 2]
    assert legal(THREE, after(THREE, 2, 0)) == [0, 1]
    assert legal(THREE, after(THREE, 2, 0, 0)) == [1, 2]


def test_the_last_card_is_bid_like_any_other():
    state = after(THREE, 2, 0, 0, 1)
    assert legal(THREE, state) == [1] and THREE.player(state) == 0
    assert THREE.player(after(THREE, 2, 0, 0, 1, 1, 2)) == OVER


def test_shuffled_prizes_are_turned_up_by_even_chance():
    state = after(SHUFFLED)
    assert SHUFFLED.player(state) == CHANCE and legal(SHUFFLED, state) == [0, 1, 2]
    assert odds(SHUFFLED, state) == pytest.approx([1 / 3] * 3)
    state = after(SHUFFLED, 1, 0, 2)  # prize 1, bids 0 and 2
    assert SHUFFLED.player(state) == CHANCE and legal(SHUFFLED, state) == [0, 2]
    assert odds(SHUFFLED, state) == [0.5, 0.5]
    assert odds(SHUFFLED, after(SHUFFLED, 1, 0, 2, 0, 1, 0)) == [1.0]


def test_a_prize_that_chance_turned_up_is_worth_its_own_points():
    game = Goofspiel(3, prizes="shuffled", lowest=1, points=True)
    # the 2 to player 1 for 3 over 1, the 3 to player 0 for 2 over 1, and the 1 as well for 3 over 2
    assert payoffs(game, after(game, 1, 0, 2, 2, 1, 0, 0, 2, 1)) == (4 - 2, 2 - 4)


# --- seeing ---


def test_the_second_bidder_does_not_see_the_first_bid():
    for game in (THREE, OPEN):
        assert indistinct(game, 1, (0,), (2,))
        assert not indistinct(game, 0, (0,), (2,))


def test_hidden_bids_tell_only_who_won():
    assert indistinct(THREE, 0, (2, 0), (2, 1))  # won, over the one or the other
    assert not indistinct(THREE, 0, (1, 0), (1, 2))  # won or lost
    assert not indistinct(THREE, 0, (1, 0), (1, 1))  # won or tied
    assert not indistinct(THREE, 0, (1, 2), (1, 1))  # lost or tied
    assert indistinct(THREE, 1, (1, 0), (2, 0))
    assert not indistinct(THREE, 1, (0, 1), (2, 1))


def test_open_bids_tell_all():
    assert not indistinct(OPEN, 0, (2, 0), (2, 1))
    assert not indistinct(OPEN, 1, (1, 0), (2, 0))


def test_players_remember_the_order_of_their_bids():
    # the same two cards bid, the same rounds won
    assert not indistinct(THREE, 0, (1, 0, 2, 1), (2, 1, 1, 0))


def test_both_players_see_the_prize_that_chance_turned_up():
    for player in (0, 1):
        assert not indistinct(SHUFFLED, player, (0,), (1,))


def test_hidden_hands_are_not_shown_to_the_other():
    game = Goofspiel(3, lowest=1)
    state = after(game, 2, 0, 1)  # player 0 has bid 3 and now 2, player 1 bid 1
    assert game.show(state, 0) == "prize: 2   won so far: 3 and 0 points, the last prize by player 0\nyour cards: 1 (2)"
    assert game.show(state, 1) == "prize: 2   won so far: 3 and 0 points, the last prize by player 0\nyour cards: 2 3"
    assert "player 0 cards: 1 (2)\nplayer 1 cards: 2 3" in game.show(state, REFEREE)


def test_who_won_a_prize_that_is_worth_nothing_is_shown():
    shown = [SHUFFLED.show(after(SHUFFLED, 0, *bids), 0) for bids in ((0, 0), (0, 1), (1, 0))]
    assert [text.partition("last prize by ")[2].partition("\n")[0] for text in shown] == [
        "nobody",
        "player 1",
        "player 0",
    ]


def test_open_bids_show_both_hands_but_not_the_bid_on_the_table():
    game = Goofspiel(3, hidden=False, lowest=1)
    assert game.show(after(game, 2, 0, 1), 1).endswith("player 0 cards: 1 2\nyour cards: 2 3")
    assert game.show(after(game, 2, 0, 1), 0).endswith("your cards: 1 (2)\nplayer 1 cards: 2 3")


# --- typing and naming ---


def test_a_card_is_called_by_its_value():
    game = Goofspiel(3, lowest=1)
    assert [label(game, after(game), action) for action in (0, 1, 2)] == ["1", "2", "3"]
    assert [label(THREE, after(THREE), action) for action in (0, 1, 2)] == ["0", "1", "2"]
    assert read(game, after(game), " 3 ") == 2
    assert payoffs(game, after(game, "1", "2", "3", "1", "2", "3")) == (-1, 1)


@pytest.mark.parametrize("typed", ["1", "0", "4", "two", "-1", "²"])
def test_a_card_that_is_not_in_the_hand_cannot_be_typed(typed):
    # the 1 is gone; its text is the number of the action that bids the 2, and must not be taken for it
    game = Goofspiel(3, lowest=1)
    with pytest.raises(fogtree.Illegal, match="is not a legal action here: choose from 2, 3"):
        read(game, after(game, 0, 0), typed)
    with pytest.raises(fogtree.Illegal, match=r"^an action is needed: choose from 2, 3$"):
        read(game, after(game, 0, 0), "")


@pytest.mark.parametrize(
    "text, game",
    [
        ("goofspiel", Goofspiel()),
        ("goofspiel:cards=3", THREE),
        ("goofspiel:cards=3,hidden=false", OPEN),
        ("goofspiel:cards=3,prizes=shuffled", SHUFFLED),
        ("goofspiel:prizes=increasing,lowest=1,points=true", Goofspiel(prizes="increasing", lowest=1, points=True)),
    ],
)
def test_a_name_loads_the_game_that_it_names(text, game):
    assert fogtree.load(text) == game and fogtree.name(game) == text


@pytest.mark.parametrize(
    "wrong, sentence",
    [
        ({"cards": 0}, "cards must be a whole number from 1 to 13, not 0"),
        ({"cards": 14}, "cards must be a whole number from 1 to 13, not 14"),
        ({"cards": 4.0}, "cards must be a whole number from 1 to 13, not 4.0"),
        ({"lowest": 2}, "lowest must be a whole number from 0 to 1, not 2"),
        ({"prizes": "random"}, "prizes must be decreasing or increasing or shuffled, not 'random'"),
        ({"prizes": 2}, "prizes must be decreasing or increasing or shuffled, not 2"),
        ({"hidden": "maybe"}, "hidden must be true or false, not 'maybe'"),
        ({"points": 1}, "points must be true or false, not 1"),
    ],
)
def test_a_wrong_parameter_is_refused_with_the_valid_ones(wrong, sentence):
    with pytest.raises(Invalid) as refusal:
        Goofspiel(**wrong)
    assert str(refusal.value) == f"Goofspiel: {sentence}"
