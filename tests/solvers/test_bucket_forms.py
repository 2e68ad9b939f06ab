"""Matrices of hold'em's buckets that are counted in parts and kept."""

import numpy as np
import pytest

from fogtree.games.holdem import Holdem
from fogtree.games.holdem.buckets import Buckets
from fogtree.solvers.public import bucket_forms
from fogtree.solvers.public.bucket_forms import ALL, all_are_fewer, bucket_form
from fogtree.solvers.public.deal_matrices import all_boards, count_matrices

GAME, K = Holdem(ranks=4, suits=2, rounds=2, raises=2, hole=1, flop=2), 2


@pytest.fixture(scope="module")
def buckets(tmp_path_factory):
    return Buckets(GAME, K, folder=tmp_path_factory.mktemp("tables"))


@pytest.fixture(autouse=True)
def short(monkeypatch):
    monkeypatch.setattr(bucket_forms, "BLOCK", 5)
    monkeypatch.setattr(bucket_forms, "SAVED", 0.0)


def matrices(form):
    return np.concatenate([form.joint, form.edge]).tolist()


@pytest.mark.parametrize("boards, seed", [(33, (1, 2)), (ALL, ())])
def test_work_that_was_stopped_goes_on_and_ends_with_the_same_matrices(buckets, boards, seed, tmp_path):
    whole = bucket_form(buckets, boards, seed, folder=tmp_path / "whole")[0]
    seen = []

    def impatient(now):
        seen.append(now.done)
        if len(seen) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        bucket_form(buckets, boards, seed, folder=tmp_path, progress=impatient)
    again = bucket_form(buckets, boards, seed, folder=tmp_path, progress=impatient)[0]
    assert seen[:4] == [5, 10, 15, 16 if boards == ALL else 20]  # there are 16 kinds of boards
    assert matrices(again) == matrices(whole) and again.name == whole.name
    kept = bucket_form(buckets, boards, seed, folder=tmp_path, progress=pytest.fail)[0]
    assert matrices(kept) == matrices(whole)


def test_all_boards_give_the_exact_matrices(buckets, tmp_path):
    form = bucket_form(buckets, ALL, folder=tmp_path)[0]
    deck = buckets.cards
    joint, edge = count_matrices(deck, K**2, all_boards(deck))
    assert form.joint == pytest.approx(joint, abs=1e-7)
    assert form.edge == pytest.approx(edge, abs=1e-7)


def test_other_seeds_are_other_boards(buckets, tmp_path):
    first, second = (bucket_form(buckets, 20, (0, part), folder=tmp_path)[0] for part in (1, 2))
    assert matrices(first) != matrices(second)


def test_a_damaged_file_is_counted_anew(buckets, tmp_path):
    whole = bucket_form(buckets, 20, (1,), folder=tmp_path)[0]
    (path,) = tmp_path.iterdir()
    for damage in (path.read_bytes()[:-50], b"nonsense"):
        path.write_bytes(damage)
        assert matrices(bucket_form(buckets, 20, (1,), folder=tmp_path)[0]) == matrices(whole)


def test_small_decks_are_counted_whole_and_the_full_deck_is_sampled(buckets):
    assert all_are_fewer(buckets, 14) and not all_are_fewer(buckets, 13)  # 28 flops, two suits to exchange
