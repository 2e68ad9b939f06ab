"""Best responses by the public tree, against the sequence form."""

import itertools

import numpy as np
import pytest

from fogtree import Invalid, Leduc, exploitability
from fogtree.solvers.betting import betting_form
from fogtree.solvers.matrix_cfr import MatrixCFR
from fogtree.solvers.public_response import Plan, PublicResponse, all_hands, deals


class LeducCards:
    """Leduc's cards, with a type for each private and public card."""

    hole, dealt = 1, (0, 1)

    def __init__(self, game, symmetries=None):
        self.game, self.cards = game, game.ranks * game.suits
        self.symmetries = symmetries or [range(self.cards)]

    def types(self, stage, board):
        card = np.arange(self.cards)
        return card if stage == 0 else card * (self.cards - 1) + board[0] - (board[0] > card)

    def strength(self, board):
        rank = np.arange(self.cards) // self.game.suits
        return np.where(rank == board[0] // self.game.suits, rank + self.game.ranks, rank)


def swaps(game):
    """The permutations of Leduc's suits."""
    orders = itertools.permutations(range(game.suits))
    return [
        [c // game.suits * game.suits + order[c % game.suits] for c in range(game.ranks * game.suits)]
        for order in orders
    ]


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
