"""Matrices counted board by board."""

import numpy as np
import pytest

from fogtree import Leduc
from fogtree.solvers.public.cards import all_hands
from fogtree.solvers.public.deal_matrices import all_boards, count_matrices, random_boards
from fogtree.solvers.public.small_form import betting_form


class PairCards:
    """A deck of pairs with types and strengths that follow from the cards by any rule at all."""

    hole, cards, dealt = 2, 8, (0, 2, 1)
    symmetries = [range(8)]

    def types(self, stage, board):
        low, high = all_hands(8, 2).T
        return (3 * low + high + board[-1]) % 5

    def strength(self, board):
        low, high = all_hands(8, 2).T
        return (low * high + sum(board)) % 4


def test_the_matrices_of_leduc_are_those_of_its_deals():
    form, cards = betting_form(Leduc()).form, Leduc().public_cards()
    cards.symmetries = cards.symmetries[:1]
    joint, edge = count_matrices(cards, 30, all_boards(cards))
    assert joint == pytest.approx(form.joint, abs=1e-9)
    assert edge == pytest.approx(form.edge, abs=1e-9)


def test_one_board_of_each_kind_gives_the_matrices_of_all_boards():
    found = []
    for kinds in (True, False):
        cards = Leduc().public_cards()
        cards.types = lambda stage, board: np.arange(6) // 2 * 3 + board[0] // 2  # by rank, which suits do not change
        if not kinds:
            cards.symmetries = cards.symmetries[:1]
        found.append(count_matrices(cards, 9, all_boards(cards)))
    assert found[0][0] == pytest.approx(found[1][0], abs=1e-9)
    assert found[0][1] == pytest.approx(found[1][1], abs=1e-9)


def test_every_pair_of_hands_that_share_no_card_is_counted_once():
    cards, pairs = PairCards(), all_hands(8, 2)
    joint, edge = np.zeros((5, 5)), np.zeros((5, 5))
    boards = list(all_boards(cards))
    assert len(boards) == 28 * 6  # two cards, then one
    for board, weight in boards:
        types, strength = cards.types(2, board), cards.strength(board)
        for i, first in enumerate(pairs):
            for j, second in enumerate(pairs):
                if len({*first, *second, *board}) == 7:
                    joint[types[i], types[j]] += weight
                    edge[types[i], types[j]] += weight * np.sign(strength[i] - strength[j])
    found = count_matrices(cards, 5, boards)
    assert found[0] == pytest.approx(joint / joint.sum(), abs=1e-12)
    assert found[1] == pytest.approx(edge / joint.sum(), abs=1e-12)


def test_random_boards_are_sorted_within_a_deal_and_seeded():
    boards = [board for board, _ in random_boards(PairCards(), 200, 1)]
    assert all(board[0] < board[1] and len(set(board)) == 3 for board in boards)
    assert any(board[1] > board[2] for board in boards)
    assert boards == [board for board, _ in random_boards(PairCards(), 200, 1)]
