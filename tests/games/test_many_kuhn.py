"""Kuhn poker for more players. Moves are the cards of all players and the betting. OpenSpiel agrees in test_openspiel.py."""

import pytest
from playing import after, indistinct

import fogtree
from fogtree import CHANCE, OVER, REFEREE, Invalid, Kuhn, ManyKuhn
from fogtree.game import label, legal, new_state, odds

GAME = ManyKuhn()
J, Q, K, A = 0, 1, 2, 3
PASS, BET = 0, 1


def paid(*moves, game=GAME):
    state = after(game, *moves)
    assert game.player(state) == OVER
    return tuple(game.payoff(state, player) for player in range(game.players))


def test_three_players_have_13_lines_of_betting_and_four_situations_a_card(interpreted):
    # Szafron, Gibson and Sturtevant 2013: 24 deals, and each player decides in four situations with each of four cards
    count = fogtree.count(GAME)
    assert (count.ends, count.infosets) == (24 * 13, (16, 16, 16))


def test_if_nobody_bets_the_highest_card_takes_the_antes():
    assert paid(Q, A, J, PASS, PASS, PASS) == (-1, 2, -1)


def test_after_a_bet_the_others_answer_in_turn_and_those_who_stay_show_their_cards():
    assert paid(J, Q, A, BET, PASS, PASS) == (2, -1, -1)
    assert paid(J, K, A, BET, BET, PASS) == (-2, 3, -1)  # the ace has folded
    assert paid(J, K, A, PASS, PASS, BET, BET, BET) == (-2, -2, 4)
    assert paid(K, J, Q, PASS, BET, PASS, BET) == (3, -2, -1)


@pytest.mark.parametrize(
    "line, mover",
    [((), 0), ((PASS,), 1), ((PASS, PASS), 2), ((PASS, BET), 2), ((PASS, BET, PASS), 0), ((PASS, PASS, BET, BET), 1)],
)
def test_the_turn_goes_round(line, mover):
    assert GAME.player(after(GAME, J, Q, K, *line)) == mover


def test_with_two_players_it_is_kuhn_poker():
    two, kuhn = ManyKuhn(2), Kuhn()
    stack, ends = [(new_state(two), new_state(kuhn))], 0
    while stack:
        mine, other = stack.pop()
        assert two.player(mine) == kuhn.player(other) and legal(two, mine) == legal(kuhn, other)
        if two.player(mine) == OVER:
            assert [two.payoff(mine, p) for p in (0, 1)] == [kuhn.payoff(other, p) for p in (0, 1)]
            ends += 1
        for action in legal(two, mine):
            children = mine.copy(), other.copy()
            two.step(children[0], action)
            kuhn.step(children[1], action)
            stack.append(children)
    assert ends == 30


def test_a_player_sees_the_own_card_and_the_betting():
    assert indistinct(GAME, 1, (J, Q, K, PASS), (A, Q, J, PASS))
    assert not indistinct(GAME, 1, (J, Q, K, PASS), (J, Q, K, BET))
    assert not indistinct(GAME, 1, (J, Q, K), (J, K, Q))
    state = after(GAME, "j", "A", "q", "pass", "bet")
    assert GAME.show(state, 1) == "your card: A\nbetting: pass bet"
    assert GAME.show(state, REFEREE).startswith("player 0 card: J\nplayer 1 card: A\nplayer 2 card: Q\n")


def test_cards_are_dealt_evenly_from_a_deck_with_one_card_more_than_players():
    state = after(GAME, Q)
    assert GAME.player(state) == CHANCE and legal(GAME, state) == [J, K, A]
    assert odds(GAME, state) == pytest.approx([1 / 3] * 3)
    assert label(ManyKuhn(4), after(ManyKuhn(4)), 4) == "4"


def test_the_game_for_two_with_a_number_of_players_names_this_game():
    assert fogtree.load("kuhn:players=3") == GAME and fogtree.load("kuhn: players = 4") == ManyKuhn(4)
    assert fogtree.load("leduc:players=3") == fogtree.ManyLeduc(3)
    with pytest.raises(Invalid, match="many-kuhn has no parameter 'cards': valid are players"):
        fogtree.load("kuhn:cards=5,players=3")


@pytest.mark.parametrize("players", [1, 11, 2.5, True])
def test_a_wrong_number_of_players_is_refused(players):
    with pytest.raises(Invalid, match="ManyKuhn: players must be a whole number from 2 to 10, not "):
        ManyKuhn(players)
