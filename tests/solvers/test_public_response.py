"""Best responses by the public tree, against the sequence form."""

import numpy as np
import pytest

from fogtree import Invalid, Leduc, exploitability
from fogtree.game import OVER
from fogtree.games.holdem import Holdem
from fogtree.games.holdem.deck import Deck
from fogtree.solvers.public import public_response
from fogtree.solvers.public.betting import betting_form, betting_tree, nested
from fogtree.solvers.public.matrix_cfr import MatrixCFR
from fogtree.solvers.public.public_response import Plan, PublicResponse, all_hands, deals
from leduc_cards import LeducCards, swaps


def plans(small, cfr):
    return [Plan(small.form.tree, small.form.cuts[player], cfr.table) for player in (0, 1)]


@pytest.mark.parametrize("iterations", [1, 7, 200])
def test_it_is_the_best_response_of_the_sequence_form_in_leduc(iterations):
    game = Leduc()
    small = betting_form(game)
    cfr = MatrixCFR(small.form, "cfr+", dtype=np.float64).run(iterations=iterations)
    first, second = plans(small, cfr)
    expected = exploitability(game, small.strategy(cfr.table)).values
    for symmetries in (None, swaps(game)) if iterations < 10 else (None,):  # later its rounding tells suits apart
        cards = LeducCards(game, symmetries)
        assert PublicResponse(cards, second, 0).value() == pytest.approx(expected[0], abs=1e-9)
        assert PublicResponse(cards, first, 1).value() == pytest.approx(expected[1], abs=1e-9)


def test_blocks_of_few_hands_change_nothing(interpreted, monkeypatch):
    game = Leduc()
    small = betting_form(game)
    plan = plans(small, MatrixCFR(small.form, "cfr+", dtype=np.float64).run(iterations=1))[1]
    whole = PublicResponse(LeducCards(game), plan, 0).value()
    monkeypatch.setattr(public_response, "BLOCK", 2)
    assert PublicResponse(LeducCards(game), plan, 0).value() == pytest.approx(whole, abs=1e-12)


def test_boards_of_one_kind_are_walked_once():
    game = Leduc()
    small = betting_form(game)
    cfr = MatrixCFR(small.form, "cfr+").run(iterations=1)
    response = PublicResponse(LeducCards(game, swaps(game)), plans(small, cfr)[1], 0)
    assert [(board, len(images)) for board, images in response.first_boards()] == [((0,), 2), ((2,), 2), ((4,), 2)]


def test_numbers_of_deals():
    # heads-up hold'em: 1,326 x 1,225 pairs of hands, 17,296 flops, then 45 and 44 cards
    class Full:
        cards, hole, dealt, symmetries = 52, 2, (0, 3, 1, 1), ()

    assert [deals(Full(), s) for s in range(4)] == [1624350, 28094757600, 1264264092000, 55627620048000]
    assert all_hands(4, 2).tolist() == [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]


def test_bad_players_and_stages_are_refused():
    game = Leduc()
    small = betting_form(game)
    plan = Plan(small.form.tree, small.form.cuts[1], lambda node: np.ones((3, 30)) / 3)
    with pytest.raises(Invalid, match="a player is 0 or 1, not 2"):
        PublicResponse(LeducCards(game), plan, 2)
    cards = LeducCards(game)
    cards.dealt = (0, 1, 1)
    with pytest.raises(Invalid, match="the betting has 2 stages and the cards have 3"):
        PublicResponse(cards, plan, 0)


# --- two private cards ---

HOLDEM = Holdem(ranks=3, suits=2, rounds=2, raises=2, flop=1)


def every_view(deck):
    """A type for each hand and board, in the order of the views."""
    hands = all_hands(deck.cards, deck.hole)

    def types(stage, board):
        if stage == 0:
            return np.arange(len(hands))
        left = deck.cards - deck.hole
        return np.array([h * left + board[0] - sum(card < board[0] for card in hands[h]) for h in range(len(hands))])

    return types


@pytest.mark.parametrize("player", [0, 1])
def test_it_is_the_best_response_of_the_sequence_form_in_a_small_hold_em(player):
    small = betting_form(HOLDEM)
    cfr = MatrixCFR(small.form, "cfr+", dtype=np.float64).run(iterations=20)
    expected = exploitability(HOLDEM, small.strategy(cfr.table)).values[player]
    deck = Deck(HOLDEM)
    deck.sort, deck.symmetries = every_view(deck), [range(6)]
    assert PublicResponse(deck, plans(small, cfr)[1 - player], player).value() == pytest.approx(expected, abs=1e-9)


def test_suits_may_be_exchanged_where_the_strategy_does_not_tell_them_apart():
    game = Holdem(ranks=4, suits=3, rounds=3, raises=1, flop=2)
    tree, rng = betting_tree(game), np.random.default_rng(1)
    low, high = all_hands(12, 2).T // 3  # the ranks

    def by_ranks(stage, board):  # any rule that does not look at suits, and remembers
        first = (low + high) % 2
        second = 2 * first + (low * high + sum(card // 3 for card in board[:2])) % 2
        return (first, second, 2 * second + (low + board[-1] // 3) % 2)[stage] if stage else first

    tables = {n: rng.dirichlet(np.ones(np.diff(tree.first)[n]), 2 ** (tree.stage[n] + 1)).T for n in decisions(tree)}
    plan = Plan(tree, nested(2, 3), tables.get)
    values = []
    for symmetries in (slice(None), slice(1)):
        deck = Deck(game, by_ranks)
        deck.symmetries = deck.symmetries[symmetries]
        values.append(PublicResponse(deck, plan, 1).value())
    assert values[0] == pytest.approx(values[1], abs=1e-9)


def decisions(tree):
    return np.flatnonzero(tree.player != OVER).tolist()


def test_folds_before_the_first_deal_are_worth_what_they_pay():
    small = betting_form(HOLDEM)
    cfr = MatrixCFR(small.form, "cfr+", dtype=np.float64).run(iterations=5)
    deck = Deck(HOLDEM)
    deck.sort, deck.symmetries = every_view(deck), [range(6)]
    response = PublicResponse(deck, plans(small, cfr)[1], 0)
    tree, folds = small.form.tree, response.fold_values()
    assert sorted(folds) == list(range(*tree.folds[0]))
    mine = [n for n in folds if tree.player[tree.parent[n]] == 0 and tree.parent[n] == 0]
    assert folds[mine[0]] == pytest.approx(np.full(15, -1 / 15), abs=1e-12)  # the small blind, with every hand
