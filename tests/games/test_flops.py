"""The kinds of flops, and subsets that stand for all."""

import itertools

import numpy as np
import pytest

from fogtree.errors import Invalid
from fogtree.games.spot.flops import FLOPS, KINDS, alike, kinds, subset
from fogtree.games.spot.ranges import read_board, weights


def pattern(board):
    """What exchanging suits cannot change: the ranks, and which of the cards share a suit, in the least of all spellings."""
    cards = [(card // 4, card % 4) for card in read_board(board)]
    return min(tuple(sorted((rank, order[suit]) for rank, suit in cards)) for order in itertools.permutations(range(4)))


def test_there_are_1755_kinds_of_22100_flops():
    # the number is well known; by counting: no pair 286 * (1 + 3 + 1), a pair 156 * 2 kinds, three of a rank 13
    assert len(kinds()) == KINDS == 286 * 5 + 156 * 2 + 13
    assert sum(flop.weight for flop in kinds()) == FLOPS == 52 * 51 * 50 // 6
    assert len({pattern(flop.board) for flop in kinds()}) == KINDS
    assert {flop.weight for flop in kinds()} == {4, 12, 24}


@pytest.mark.parametrize("count", [1, 25, 184, 1000, KINDS])
def test_a_subset_stands_for_all_flops_and_has_their_textures(count):
    chosen = subset(count)
    assert sum(flop.weight for flop in chosen) == pytest.approx(FLOPS)
    assert len({flop.board for flop in chosen}) == len(chosen) <= count
    if count < 25:
        return
    for what in (
        lambda board: len({card // 4 for card in read_board(board)}),  # pairs
        lambda board: len({card % 4 for card in read_board(board)}),  # suits
        lambda board: max(card // 4 for card in read_board(board)) == 12,  # an ace
    ):
        shares = [
            {key: sum(f.weight for f in flops if what(f.board) == key) / FLOPS for key in (1, 2, 3, True, False)}
            for flops in (chosen, kinds())
        ]
        for key, share in shares[1].items():
            assert shares[0][key] == pytest.approx(share, abs=3 / count)


def test_impossible_numbers_of_flops_are_refused():
    for count in (0, KINDS + 1):
        with pytest.raises(Invalid, match="take 1 to 1,755"):
            subset(count)


def test_ranges_that_tell_suits_apart_are_known():
    assert alike(weights("AA,KQs:0.5,T9o,random"))
    assert alike(weights("AKs:0.25,22+"))
    assert not alike(weights("AA,AhKh"))
    assert not alike(np.arange(1326.0))


def test_the_middle_of_each_part_stands_for_it():
    ends = dict(zip((flop.board for flop in kinds()), np.cumsum([flop.weight for flop in kinds()]), strict=True))
    weight = {flop.board: flop.weight for flop in kinds()}
    for number, flop in enumerate(subset(10)):
        middle = (number + 0.5) * FLOPS / 10
        assert ends[flop.board] - weight[flop.board] <= middle <= ends[flop.board]
