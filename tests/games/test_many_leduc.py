"""Leduc hold'em for more players: the rules that are easy to get wrong. OpenSpiel agrees in test_openspiel.py."""

import pytest
from playing import after, indistinct

from fogtree import CHANCE, OVER, REFEREE, ManyLeduc
from fogtree.game import label, legal

GAME = ManyLeduc()
JS, JH, QS, QH, KS, KH, AS, AH = range(8)
FOLD, CALL, RAISE = 0, 1, 2
DEAL = (JS, QS, KS)
CHECKED = (CALL, CALL, CALL)


def paid(*moves):
    state = after(GAME, *moves)
    assert GAME.player(state) == OVER
    return tuple(GAME.payoff(state, player) for player in range(3))


def test_the_last_who_has_not_folded_takes_the_pot():
    assert paid(*DEAL, RAISE, FOLD, FOLD) == (2, -1, -1)
    assert paid(*DEAL, CALL, RAISE, FOLD, RAISE, FOLD) == (4, -3, -1)


def test_a_round_is_over_when_all_have_answered_the_last_raise():
    state = after(GAME, *DEAL, CALL, RAISE, CALL)
    assert GAME.player(state) == 0  # who checked must answer
    assert GAME.player(after(GAME, *DEAL, CALL, RAISE, CALL, CALL)) == CHANCE
    assert GAME.player(after(GAME, *DEAL, CALL, RAISE, RAISE)) == 0
    assert GAME.player(after(GAME, *DEAL, CALL, RAISE, RAISE, FOLD)) == 1


def test_the_second_round_begins_with_the_first_who_has_not_folded():
    assert GAME.player(after(GAME, *DEAL, RAISE, CALL, CALL, AS)) == 0
    assert GAME.player(after(GAME, *DEAL, CALL, RAISE, CALL, FOLD, AS)) == 1


def test_a_pair_beats_a_higher_card_and_equal_hands_split_the_pot():
    assert paid(*DEAL, *CHECKED, JH, *CHECKED) == (2, -1, -1)
    assert paid(*DEAL, *CHECKED, AS, *CHECKED) == (-1, -1, 2)
    assert paid(KH, QS, KS, RAISE, CALL, CALL, AS, *CHECKED) == (1.5, -3, 1.5)


def test_at_most_two_raises_a_round_and_no_fold_without_a_bet():
    assert legal(GAME, after(GAME, *DEAL)) == [CALL, RAISE]
    assert legal(GAME, after(GAME, *DEAL, RAISE)) == [FOLD, CALL, RAISE]
    assert legal(GAME, after(GAME, *DEAL, RAISE, RAISE)) == [FOLD, CALL]
    assert legal(GAME, after(GAME, *DEAL, RAISE, CALL, CALL, AS)) == [CALL, RAISE]


def test_a_player_sees_the_own_card_the_public_card_and_the_betting():
    assert indistinct(GAME, 0, (JS, QS, KS, *CHECKED, AS), (JS, KH, QH, *CHECKED, AS))
    assert not indistinct(GAME, 0, (JS, QS, KS, *CHECKED, AS), (JS, QS, KS, *CHECKED, AH))
    state = after(GAME, "js", "Qs", "Ah", "bet", "fold")
    assert (
        GAME.show(state, 2)
        == "your card: Ah\npublic card: not dealt\nin the pot: 3, 1 (folded), 1   raises this round: 1"
    )
    assert GAME.show(state, REFEREE).startswith("player 0 card: Js\nplayer 1 card: Qs\nplayer 2 card: Ah\n")
    assert [label(GAME, state, action) for action in legal(GAME, state)] == ["fold", "call", "raise"]


def test_a_view_is_a_row_of_bits_six_for_a_card_and_two_for_an_action():
    # so it can be read from its first card on: the rules say whether a card or an action comes next
    table = ManyLeduc(players=10)
    betting = (CALL,) * 6 + (RAISE, FOLD) + (CALL,) * 8 + (21,) + (RAISE, CALL)
    state = after(table, *range(10), *betting[:-2])
    told = [3, *betting[:-3]]
    bits = "".join(f"{symbol:0{6 if n == 0 else 2}b}" for n, symbol in enumerate(told)) + f"{21:06b}"
    assert table.view(state, 3) == int("1" + bits, 2)


@pytest.mark.parametrize("players", [2, 3, 10])
def test_the_shape_bounds_the_longest_betting(players):
    game = ManyLeduc(players)
    deal, line = (
        range(players),
        [CALL] * (players - 1) + [RAISE] + [CALL] * (players - 2) + [RAISE] + [CALL] * (players - 1),
    )
    state = after(game, *deal, *line, players, *line)
    assert game.player(state) == OVER and game.shape().moves == players + 1 + 2 * len(line)
    assert sum(game.payoff(state, player) for player in range(players)) == pytest.approx(0)
