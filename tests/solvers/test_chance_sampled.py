"""Chance-sampled CFR: against exact solutions of tiny games."""

import numpy as np
import pytest

from fogtree import Kuhn, Leduc
from fogtree.game import identity
from fogtree.games.holdem import Holdem
from fogtree.games.holdem.buckets import Buckets
from fogtree.solvers.forms.infosets import TooLarge
from fogtree.solvers.public.betting import BettingForm, betting_tree, infosets, nested
from fogtree.solvers.public.bucket_solving import solve_buckets
from fogtree.solvers.public.chance_sampled import ChanceSampled
from fogtree.solvers.public.deal_matrices import all_boards, count_matrices
from fogtree.solvers.public.matrix_cfr import MatrixCFR
from fogtree.solvers.public.sweeps import spread
from fogtree.walk.slices import Ended

TINY = Holdem(ranks=3, suits=2, rounds=2, raises=2, hole=1, flop=1)
K = 2


@pytest.fixture(scope="module")
def buckets(tmp_path_factory):
    return Buckets(TINY, K, folder=tmp_path_factory.mktemp("tables"))


@pytest.fixture(scope="module")
def form(buckets):
    joint, edge = count_matrices(buckets.cards, K**2, all_boards(buckets.cards))
    return BettingForm(identity(TINY), betting_tree(TINY), joint, edge, (nested(K, 2),) * 2)


def sampled(buckets, seed=1):
    return ChanceSampled(betting_tree(TINY), nested(K, TINY.rounds), buckets.dealer(), seed)


def bounds(form, table):
    """The certificate of any tables, by the exact matrices."""
    cfr = MatrixCFR(form, dtype=np.float64)
    for side in cfr.sides:
        for node in np.flatnonzero(form.tree.player == side.me).tolist():
            rows = table(node).ravel()
            side.mix[side.block[node] : side.block[node] + len(rows)] = rows
        side.total[:] = 0.0
        spread(cfr.nodes, side, 1.0, 1.0, cfr.reach)
    cfr.iterations = 1
    return cfr.bounds()


def test_sampling_deals_finds_the_equilibrium_of_the_abstract_game(buckets, form):
    exact = MatrixCFR(form, dtype=np.float64).run(iterations=3_000).bounds()
    rough, fine = (bounds(form, sampled(buckets).run(iterations=n).table) for n in (1_000, 200_000))
    assert fine[2] - fine[0] < 0.05 < rough[2] - rough[0]
    assert fine[0] - 1e-9 <= exact[1] + 1e-3 and exact[1] - 1e-3 <= fine[2] + 1e-9


def test_the_result_depends_on_the_seed_alone(buckets):
    whole, parts, other = sampled(buckets), sampled(buckets), sampled(buckets, seed=2)
    whole.run(iterations=500)
    for part in (1, 99, 400):
        parts.run(iterations=part)
    other.run(iterations=500)
    assert whole.iterations == parts.iterations == 500
    assert (whole.memory == parts.memory).all() and (whole.memory != other.memory).any()


def test_what_neither_player_enters_is_left_out(buckets):
    cfr = sampled(buckets).run(iterations=100)
    first = cfr.entered / 100
    cfr.run(iterations=20_000)
    assert (cfr.entered - 100 * first) / 20_000 < first <= len(cfr.walked.about)


def test_five_buckets_make_3624290_information_sets():
    # the number that follows from 8, 70, 630 and 5,670 decisions; 57,337,080 for ten is quoted by Gibson 2012
    tree = betting_tree(Holdem())
    assert infosets(tree, 5) == 3_624_290 and infosets(tree, 10) == 57_337_080


def test_too_little_memory_is_said_before_anything_is_allocated(buckets):
    with pytest.raises(TooLarge, match=r"chance-sampled CFR needs .* GiB for .* information sets"):
        ChanceSampled(betting_tree(TINY), nested(K, 2), buckets.dealer(), memory=100)


# --- from the cards to a plan ---


def test_a_small_deck_is_solved_on_all_boards(form, monkeypatch, tmp_path):
    monkeypatch.setenv("FOGTREE_CACHE", str(tmp_path))
    found = solve_buckets(TINY, K, target=0.02)
    exact = MatrixCFR(form, dtype=np.float64).run(iterations=3_000).bounds()
    assert found.boards == 0 and found.reached and found.total <= 0.02
    assert found.low <= exact[1] + 1e-3 and exact[1] - 1e-3 <= found.high
    assert found.infosets == len(found.plan) == 4 * K + 18 * K**2


def test_a_large_deck_is_solved_on_sampled_boards_and_measured_on_others(monkeypatch, tmp_path):
    monkeypatch.setenv("FOGTREE_CACHE", str(tmp_path))
    found = solve_buckets(Holdem(4, 3, rounds=2, raises=2), 2, iterations=30, boards=30)
    assert found.boards == 30 and found.iterations == 30  # of 220 flops in 40 kinds or so
    assert 0 < found.total != found.fresh > 0


def test_ctrl_c_keeps_what_was_found_and_the_work_goes_on_from_its_checkpoint(monkeypatch, tmp_path):
    monkeypatch.setenv("FOGTREE_CACHE", str(tmp_path))

    def impatient(now):
        if now.what == "iterations" and now.done >= 12:
            raise KeyboardInterrupt

    half = tmp_path / "half.npz"
    stopped = solve_buckets(TINY, K, target=1e-9, checkpoint=half, progress=impatient)
    assert stopped.ended == Ended.STOPPED and stopped.iterations == 12 and len(stopped.plan) == stopped.infosets
    seen = []
    resumed = solve_buckets(TINY, K, iterations=40, checkpoint=half, progress=lambda now: seen.append(now.done))
    straight = solve_buckets(TINY, K, iterations=40)
    assert seen[0] == 12 and resumed.iterations == straight.iterations == 40
    assert (resumed.low, resumed.high) == (straight.low, straight.high)


def test_the_target_unless_told_is_a_ten_thousandth_of_the_range(monkeypatch, tmp_path):
    monkeypatch.setenv("FOGTREE_CACHE", str(tmp_path))
    found, shape = solve_buckets(TINY, K), TINY.shape()
    assert found.reached and found.total <= found.target == 1e-4 * (shape.high - shape.low)
    assert found.seconds > found.preparing > 0


@pytest.mark.parametrize(
    "game, k, method, sentence",
    [
        (Leduc(), 2, "cfr+", "Leduc.* has no buckets of hands: what its `public_cards` gives has no method `buckets`"),
        (Kuhn(), 2, "cfr+", "Kuhn.* does not tell its cards: it has no method `public_cards`"),
        (TINY, 2, "lp", "there is no method 'lp' for buckets: valid are"),
        (TINY, 0, "cfr+", "the number of buckets must be a whole number of 1 or more, not 0"),
        (Holdem(), 16, "cfr+", "16 buckets need .* GiB, more than half of this machine's memory"),
    ],
)
def test_what_cannot_be_solved_is_refused_in_one_sentence(game, k, method, sentence):
    with pytest.raises(Exception, match=sentence):
        solve_buckets(game, k, method)
