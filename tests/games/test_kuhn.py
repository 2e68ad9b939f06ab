"""Kuhn poker. Moves are player 0's card, player 1's card, and the betting."""

import pytest
from playing import after, expectation, indistinct, payoffs

import fogtree
from fogtree import CHANCE, OVER, REFEREE, Invalid, Kuhn
from fogtree.game import label, legal, odds, read

GAME = Kuhn()
J, Q, K = 0, 1, 2
PASS, BET = 0, 1


# --- counts and values ---


def test_kuhn_has_12_information_sets_and_30_ends():
    # 58 histories, 4 of them chance nodes (OpenSpiel's api_test: 4 chance, 24 decision and 30 terminal nodes)
    count = fogtree.count(GAME)
    assert (count.histories, count.ends, count.chance, count.infosets) == (58, 30, 4, (6, 6))


@pytest.mark.parametrize("cards", [4, 13, 64])
def test_a_larger_deck_has_five_ends_a_deal_and_two_decisions_a_card_and_seat(cards):
    count = fogtree.count(Kuhn(cards))
    assert count.ends == 5 * cards * (cards - 1)
    assert count.infosets == (2 * cards, 2 * cards)
    assert count.chance == 1 + cards


def test_random_play_is_worth_an_eighth_to_player_0():
    # OpenSpiel's value of the uniform profile, +0.125
    assert expectation(GAME) == pytest.approx(1 / 8, abs=1e-12)


@pytest.mark.parametrize("alpha", [0, 1 / 6, 1 / 3])
def test_every_equilibrium_of_kuhn_is_worth_minus_an_18th_to_player_0(alpha):
    # Kuhn 1950: player 0's equilibria are one for each alpha in [0, 1/3], player 1's is unique
    bet = {
        (): {J: alpha, Q: 0, K: 3 * alpha},
        (PASS, BET): {J: 0, Q: alpha + 1 / 3, K: 1},
        (PASS,): {J: 1 / 3, Q: 0, K: 1},
        (BET,): {J: 0, Q: 1 / 3, K: 1},
    }

    known = {player: seen_by(GAME, player) for player in (0, 1)}

    def equilibrium(game, state, actions):
        player = game.player(state)
        line, card = known[player][game.view(state, player)]
        return [1 - bet[line][card], bet[line][card]]

    assert expectation(GAME, equilibrium) == pytest.approx(-1 / 18, abs=1e-12)


def seen_by(game, player):
    """A player's views of all the lines at which they decide: view -> (line, own card)."""
    lines = [(), (PASS, BET)] if player == 0 else [(PASS,), (BET,)]
    deals = [(mine, (mine + 1) % 3) for mine in (J, Q, K)]
    return {
        game.view(after(game, *(deal if player == 0 else deal[::-1]), *line), player): (line, deal[0])
        for line in lines
        for deal in deals
    }


# --- playing ---


@pytest.mark.parametrize(
    "line, winnings",
    [
        ((PASS, PASS), 1),  # showdown for the ante
        ((BET, BET), 2),
        ((PASS, BET, BET), 2),
    ],
)
def test_at_a_showdown_the_higher_card_wins_the_stake(line, winnings):
    assert payoffs(GAME, after(GAME, K, Q, *line)) == (winnings, -winnings)
    assert payoffs(GAME, after(GAME, J, Q, *line)) == (-winnings, winnings)


@pytest.mark.parametrize("deal", [(J, K), (K, J)])
def test_who_folds_loses_the_ante_whatever_the_cards(deal):
    assert payoffs(GAME, after(GAME, *deal, BET, PASS)) == (1, -1)
    assert payoffs(GAME, after(GAME, *deal, PASS, BET, PASS)) == (-1, 1)


def test_two_different_cards_are_dealt_evenly():
    state = after(GAME)
    assert GAME.player(state) == CHANCE and odds(GAME, state) == pytest.approx([1 / 3] * 3)
    state = after(GAME, Q)
    assert GAME.player(state) == CHANCE and legal(GAME, state) == [J, K] and odds(GAME, state) == [0.5, 0.5]


def test_player_0_opens_and_answers_a_bet_made_after_a_pass():
    assert GAME.player(after(GAME, J, K)) == 0
    assert GAME.player(after(GAME, J, K, PASS)) == 1
    assert GAME.player(after(GAME, J, K, PASS, BET)) == 0
    assert GAME.player(after(GAME, J, K, PASS, PASS)) == OVER


def test_the_highest_card_of_a_large_deck_wins():
    game = Kuhn(64)
    assert payoffs(game, after(game, 62, 63, BET, BET)) == (-2, 2)


# --- seeing ---


def test_a_player_knows_the_own_card_and_the_betting():
    assert indistinct(GAME, 0, (K, Q), (K, J))
    assert indistinct(GAME, 1, (K, Q, BET), (J, Q, BET))
    assert not indistinct(GAME, 0, (K, Q), (J, Q))
    assert not indistinct(GAME, 1, (K, Q, BET), (K, Q, PASS))


def test_the_other_card_is_not_shown():
    state = after(GAME, K, J, PASS, BET)
    assert GAME.show(state, 0) == "your card: K\nbetting: pass bet"
    assert GAME.show(state, 1) == "your card: J\nbetting: pass bet"
    assert GAME.show(state, REFEREE) == "player 0 card: K\nplayer 1 card: J\nbetting: pass bet"
    assert GAME.show(after(GAME), 0) == "your card: not dealt\nbetting: none yet"


# --- typing and naming ---


def test_cards_and_actions_have_names():
    assert [label(GAME, after(GAME), card) for card in (J, Q, K)] == ["J", "Q", "K"]
    assert [label(GAME, after(GAME, J, K), action) for action in (PASS, BET)] == ["pass", "bet"]
    assert payoffs(GAME, after(GAME, "k", "Q", "Bet", "bet")) == (2, -2)
    assert label(Kuhn(5), after(Kuhn(5)), 4) == "4"


def test_what_is_no_action_is_refused_with_the_legal_ones():
    with pytest.raises(fogtree.Illegal, match="'raise' is not a legal action here: choose from pass, bet"):
        read(GAME, after(GAME, J, K), "raise")


@pytest.mark.parametrize("text, game", [("kuhn", GAME), ("kuhn:cards=13", Kuhn(13))])
def test_a_name_loads_the_game_that_it_names(text, game):
    assert fogtree.load(text) == game and fogtree.name(game) == text


@pytest.mark.parametrize("cards", [2, 65, "3", 3.5, True])
def test_a_wrong_deck_is_refused_with_the_valid_ones(cards):
    with pytest.raises(Invalid, match="Kuhn: cards must be a whole number from 3 to 64, not "):
        Kuhn(cards)
