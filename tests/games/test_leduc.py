"""Leduc hold'em. Moves are the two private cards, the first round, the public card, the second round."""

import numpy as np
import pytest
from playing import after, expectation, indistinct, payoffs

import fogtree
from fogtree import CHANCE, REFEREE, Invalid, Leduc
from fogtree.game import label, legal, odds, read
from fogtree.games.leduc import LINE

GAME = Leduc()
JS, JH, QS, QH, KS, KH = range(6)
FOLD, CALL, RAISE = 0, 1, 2
CHECKED = (CALL, CALL)


# --- counts and values ---


def test_leduc_has_936_information_sets_and_5520_ends():
    # OpenSpiel's api_test: 157 chance, 3,780 decision and 5,520 terminal nodes, 936 information sets
    count = fogtree.count(GAME)
    assert (count.histories, count.ends, count.chance) == (157 + 3_780 + 5_520, 5_520, 157)
    assert count.infosets == (468, 468)


def test_without_suits_the_information_sets_are_the_288_that_are_usually_quoted():
    ranked = set()

    def walk(state, cards, heard):  # heard: the actions, and the rank of the public card where it came
        player = GAME.player(state)
        if player >= 0:
            ranked.add((player, cards[player] // 2, heard))
        for action in legal(GAME, state):
            child = state.copy()
            GAME.step(child, action)
            if player >= 0:
                walk(child, cards, (*heard, action))
            else:
                walk(child, (*cards, action), (*heard, f"public {action // 2}") if len(cards) == 2 else heard)

    walk(after(GAME), (), ())
    assert len(ranked) == 288


def test_random_play_loses_player_0_5_in_64():
    # OpenSpiel's value of the uniform profile, -0.078125
    assert expectation(GAME) == pytest.approx(-5 / 64, abs=1e-12)


# --- playing ---


@pytest.mark.parametrize(
    "first, second, stake",
    [
        (CHECKED, CHECKED, 1),
        ((RAISE, CALL), CHECKED, 3),
        ((CALL, RAISE, CALL), CHECKED, 3),
        ((RAISE, RAISE, CALL), CHECKED, 5),
        ((CALL, RAISE, RAISE, CALL), CHECKED, 5),
        (CHECKED, (RAISE, CALL), 5),
        (CHECKED, (RAISE, RAISE, CALL), 9),
        ((RAISE, RAISE, CALL), (CALL, RAISE, RAISE, CALL), 13),
    ],
)
def test_a_raise_adds_2_in_the_first_round_and_4_in_the_second(first, second, stake):
    assert payoffs(GAME, after(GAME, KS, QS, *first, JS, *second)) == (stake, -stake)
    assert payoffs(GAME, after(GAME, QS, KS, *first, JS, *second)) == (-stake, stake)


def test_a_pair_with_the_public_card_beats_a_higher_rank():
    assert payoffs(GAME, after(GAME, JS, KS, *CHECKED, JH, *CHECKED)) == (1, -1)
    assert payoffs(GAME, after(GAME, KS, JS, *CHECKED, JH, *CHECKED)) == (-1, 1)


def test_equal_ranks_split():
    assert payoffs(GAME, after(GAME, QS, QH, RAISE, CALL, KS, RAISE, CALL)) == (0, 0)


@pytest.mark.parametrize(
    "moves, paid",
    [
        ((RAISE, FOLD), (1, -1)),
        ((RAISE, RAISE, FOLD), (-3, 3)),
        ((*CHECKED, QS, RAISE, FOLD), (1, -1)),
        ((RAISE, CALL, QS, RAISE, RAISE, FOLD), (-7, 7)),
    ],
)
def test_who_folds_loses_what_they_put_in_whatever_the_cards(moves, paid):
    assert payoffs(GAME, after(GAME, JS, KS, *moves)) == paid
    assert payoffs(GAME, after(GAME, KS, JS, *moves)) == paid


def test_folding_is_for_those_who_face_a_bet():
    assert legal(GAME, after(GAME, JS, KS)) == [CALL, RAISE]
    assert legal(GAME, after(GAME, JS, KS, CALL)) == [CALL, RAISE]
    assert legal(GAME, after(GAME, JS, KS, RAISE)) == [FOLD, CALL, RAISE]


def test_a_round_has_at_most_two_raises():
    assert legal(GAME, after(GAME, JS, KS, RAISE, RAISE)) == [FOLD, CALL]
    assert legal(GAME, after(GAME, JS, KS, RAISE, RAISE, CALL, QS, RAISE, RAISE)) == [FOLD, CALL]


def test_player_0_opens_both_rounds():
    assert GAME.player(after(GAME, JS, KS)) == 0
    assert GAME.player(after(GAME, JS, KS, CALL, RAISE, CALL, QS)) == 0
    assert GAME.player(after(GAME, JS, KS, RAISE, CALL, QS)) == 0


def test_the_cards_that_are_left_are_dealt_evenly():
    assert odds(GAME, after(GAME)) == pytest.approx([1 / 6] * 6)
    assert odds(GAME, after(GAME, QH)) == pytest.approx([1 / 5] * 5)
    state = after(GAME, JS, KH, *CHECKED)
    assert GAME.player(state) == CHANCE and legal(GAME, state) == [JH, QS, QH, KS]
    assert odds(GAME, state) == [1 / 4] * 4


def test_a_larger_deck_plays_by_the_same_rules():
    game = Leduc(ranks=13, suits=4)
    deuce, ace = 0, 51
    assert payoffs(game, after(game, deuce, ace, *CHECKED, deuce + 3, *CHECKED)) == (1, -1)
    assert payoffs(game, after(game, deuce, ace, *CHECKED, 20, *CHECKED)) == (-1, 1)


# --- seeing ---


def test_a_player_sees_the_own_card_the_public_card_and_the_betting():
    assert indistinct(GAME, 0, (JS, KS), (JS, QH))
    assert indistinct(GAME, 1, (JS, KS, *CHECKED, QS), (JH, KS, *CHECKED, QS))
    for player in (0, 1):
        assert not indistinct(GAME, player, (JS, KS, *CHECKED, QS), (JS, KS, *CHECKED, QH))
        assert not indistinct(GAME, player, (JS, KS, RAISE, CALL, QS), (JS, KS, CALL, RAISE, CALL, QS))


def one_round(line=(), checks=0, raises=0):
    """Each betting of a round, also unfinished: the actions, and whether the other round follows."""
    yield line, False
    for action in ((FOLD,) if raises else ()) + (CALL,) + ((RAISE,) if raises < 2 else ()):
        if action == RAISE:
            yield from one_round((*line, RAISE), checks, raises + 1)
        elif action == CALL and not raises and not checks:
            yield from one_round((*line, CALL), 1, raises)
        else:
            yield (*line, action), action == CALL


def written(key, actions):
    for action in actions:
        key = 3 * key + action
    return key


@pytest.mark.parametrize(("cards", "radix"), [(52, 64), (13, 13)])
def test_no_two_views_of_the_largest_deck_have_the_same_key(cards, radix):
    # every list of observations that there is: with suits (64), and without (13), as `ByRank` sees the cards
    rounds, keys = list(one_round()), [1]
    for card in range(cards):
        for first, goes_on in rounds:
            before = written(radix + card, first)
            keys.append(before)
            if goes_on:
                keys += [written(radix * before + public, second) for public in range(cards) for second, _ in rounds]
    assert len(keys) == len(set(keys))


def test_a_key_is_made_of_cards_and_actions_with_radices_64_and_3():
    state = after(GAME, JS, KH, CALL, RAISE, CALL, QS, CALL)
    assert GAME.view(state, 0) == ((((((64 + JS) * 3 + CALL) * 3 + RAISE) * 3 + CALL) * 64 + QS) * 3) + CALL
    assert GAME.view(state, 1) == ((((((64 + KH) * 3 + CALL) * 3 + RAISE) * 3 + CALL) * 64 + QS) * 3) + CALL


def test_suits_are_told_apart():
    assert not indistinct(GAME, 0, (JS, KS), (JH, KS))


def test_the_other_card_is_not_shown():
    state = after(GAME, JS, KH, RAISE, CALL, QS, RAISE)
    pot = "public card: Qs\nin the pot: 7 and 3   raises this round: 1"
    assert GAME.show(state, 0) == f"your card: Js\n{pot}"
    assert GAME.show(state, 1) == f"your card: Kh\n{pot}"
    assert GAME.show(state, REFEREE) == f"player 0 card: Js\nplayer 1 card: Kh\n{pot}"
    assert GAME.show(after(GAME, JS), 1).startswith("your card: not dealt\npublic card: not dealt\n")


def test_the_betting_is_written_in_base_4_and_cards_leave_no_trace_in_it():
    # a leading 1, each action + 1, and 0 at the end of a round
    state = after(GAME, JS, KH, RAISE, RAISE, CALL, QH, CALL, RAISE, CALL)
    assert np.base_repr(state[LINE], 4) == "1" + "3320" + "2320"
    assert np.base_repr(after(GAME, JS, KH, *CHECKED, QS, RAISE, FOLD)[LINE], 4) == "1" + "220" + "31"
    assert after(GAME, JS, KH)[LINE] == 1


# --- typing and naming ---


def test_actions_are_called_by_what_they_are_here():
    state = after(GAME, JS, KS)
    assert [label(GAME, state, action) for action in legal(GAME, state)] == ["check", "bet"]
    state = after(GAME, JS, KS, RAISE)
    assert [label(GAME, state, action) for action in legal(GAME, state)] == ["fold", "call", "raise"]
    assert [label(GAME, after(GAME), card) for card in range(6)] == ["Js", "Jh", "Qs", "Qh", "Ks", "Kh"]
    assert label(Leduc(4, 1), after(Leduc(4, 1)), 3) == "As"


def test_a_game_may_be_typed():
    state = after(GAME, "Ks", "js", "bet", "call", "jh", "check", "Bet", "fold")
    assert payoffs(GAME, state) == (-3, 3)
    with pytest.raises(fogtree.Illegal, match="'fold' is not a legal action here: choose from check, bet"):
        read(GAME, after(GAME, JS, KS), "fold")


@pytest.mark.parametrize("text, game", [("leduc", GAME), ("leduc:ranks=13,suits=4", Leduc(13, 4))])
def test_a_name_loads_the_game_that_it_names(text, game):
    assert fogtree.load(text) == game and fogtree.name(game) == text


@pytest.mark.parametrize(
    "wrong, sentence",
    [
        ({"ranks": 1}, "ranks must be a whole number from 2 to 13, not 1"),
        ({"suits": 5}, "suits must be a whole number from 1 to 4, not 5"),
        ({"ranks": 2, "suits": 1}, "the deck needs three cards or more"),
    ],
)
def test_a_wrong_deck_is_refused_with_the_valid_ones(wrong, sentence):
    with pytest.raises(Invalid) as refusal:
        Leduc(**wrong)
    assert str(refusal.value) == f"Leduc: {sentence}"
