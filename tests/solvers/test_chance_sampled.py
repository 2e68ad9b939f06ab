"""Chance-sampled CFR: against exact solutions of tiny games."""

import importlib.util

import numpy as np
import pytest

from by_matrices import bounds
from fogtree import Invalid, Kuhn, Leduc, dice, solve
from fogtree.game import identity
from fogtree.games.holdem import Holdem
from fogtree.games.holdem.buckets import Buckets
from fogtree.kernels import cuda
from fogtree.solvers import until
from fogtree.solvers.forms.infosets import TooLarge
from fogtree.solvers.public import bucket_forms
from fogtree.solvers.public.betting import BettingForm, betting_tree, infosets, nested
from fogtree.solvers.public.bucket_solving import OnBuckets
from fogtree.solvers.public.cards import bucketed
from fogtree.solvers.public.chance_lanes import LanesChanceSampled, Own
from fogtree.solvers.public.chance_sampled import ChanceSampled
from fogtree.solvers.public.deal_matrices import all_boards, count_matrices
from fogtree.solvers.public.matrix_cfr import MatrixCFR
from fogtree.walk.slices import Ended

TINY = Holdem(ranks=3, suits=2, rounds=2, raises=2, hole=1, flop=1)
K = 2
H200 = (9, 0)
needs_compiler = pytest.mark.skipif(
    importlib.util.find_spec("numba_cuda") is None, reason="numba-cuda is not installed: pip install 'fogtree[cuda13]'"
)


@pytest.fixture(scope="module")
def buckets(tmp_path_factory):
    return Buckets(TINY, K, folder=tmp_path_factory.mktemp("tables"))


@pytest.fixture(scope="module")
def form(buckets):
    joint, edge = count_matrices(buckets.cards, K**2, all_boards(buckets.cards))
    return BettingForm(identity(TINY), betting_tree(TINY), joint, edge, (nested(K, 2),) * 2)


def sampled(buckets, seed=1):
    return ChanceSampled(betting_tree(TINY), nested(K, TINY.rounds), buckets.dealer(), seed)


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
    assert (cfr.entered - 100 * first) / 20_000 < first <= len(cfr.layout.walked.about)


# --- in lanes ---


@pytest.fixture(scope="module")
def in_lanes(buckets):
    return lambda seed=1, cores=1: LanesChanceSampled(
        betting_tree(TINY), nested(K, TINY.rounds), buckets.dealer(), seed, device="cpu", cores=cores
    )


def test_lanes_find_the_equilibrium_of_the_abstract_game_too(in_lanes, form):
    exact = MatrixCFR(form, dtype=np.float64).run(iterations=3_000).bounds()
    low, _, high = bounds(form, in_lanes(cores=2).run(iterations=200_000).table)
    assert high - low < 0.05 and low <= exact[1] + 1e-3 and exact[1] - 1e-3 <= high


def test_a_lane_is_a_deal_by_the_dice_of_its_number(buckets, in_lanes):
    # the walk of one deal after the other, each by its own dice
    alone, many = sampled(buckets), in_lanes().run(iterations=300)
    for number in range(300):
        with np.errstate(over="ignore"):  # dice wrap round
            dice.of_lane(dice.seeded(1), number, alone.random)
        alone.run(iterations=1)
    assert many.memory == pytest.approx(alone.memory, abs=1e-12) and alone.memory.any()


def test_what_lanes_learned_is_fetched_once_after_a_run_and_not_for_each_table(in_lanes):
    cfr = in_lanes().run(iterations=10)
    first = cfr.memory
    cfr.table(0)
    assert cfr.memory is first
    assert (cfr.run(iterations=10).memory != first).any()


def test_no_update_is_lost_where_lanes_learn_together(in_lanes):
    # each deal adds a mix, which sums to 1, to one set of the first decision
    cfr = in_lanes(cores=2).run(iterations=20_000)
    rows = cfr.memory[[int(cfr.layout.walked.base[0, 0]) + t * int(cfr.layout.walked.width[0, 0]) for t in range(K)]]
    assert rows[:, cfr.layout.actions :].sum() == pytest.approx(20_000, abs=1e-6)


@needs_compiler
def test_dealing_compiles_for_a_gpu(buckets, in_lanes):
    work = in_lanes().lanes.work
    own = Own(*in_lanes().layout.queue(), np.zeros(4, np.uint64))
    assert cuda.compiled(work, own, H200).code.startswith(b"\x7fELF")


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
    found = solve(OnBuckets(TINY, K), target=0.02)
    exact = MatrixCFR(form, dtype=np.float64).run(iterations=3_000).bounds()
    assert found.detail.boards == 0 and found.reached and found.total <= 0.02
    assert found.low <= exact[1] + 1e-3 and exact[1] - 1e-3 <= found.high
    assert found.detail.infosets == len(found.strategy) == 4 * K + 18 * K**2


def test_a_large_deck_is_solved_on_sampled_boards_and_measured_on_others(monkeypatch, tmp_path):
    monkeypatch.setenv("FOGTREE_CACHE", str(tmp_path))
    found = solve(OnBuckets(Holdem(4, 3, rounds=2, raises=2), 2, boards=30), iterations=30)
    assert found.detail.boards == 30 and found.iterations == 30  # of 220 flops in 40 kinds or so
    assert 0 < found.total == found.detail.total != found.detail.fresh > 0


def test_seconds_that_end_in_preparation_are_told_in_a_sentence_and_lose_nothing(monkeypatch, tmp_path):
    monkeypatch.setenv("FOGTREE_CACHE", str(tmp_path))
    monkeypatch.setattr(bucket_forms, "BLOCK", 8)
    game, now = OnBuckets(Holdem(4, 3, rounds=2, raises=2), 2, boards=30), [0.0]
    monkeypatch.setattr(until, "clock", lambda: now[0])

    def after_an_hour(told):
        now[0] += 3600.0

    sentence = "the time limit of 2 s ended while the game was being prepared, after {}: give it more seconds"
    with pytest.raises(Invalid, match=sentence.format(".* boards")):
        solve(game, seconds=2.0, progress=after_an_hour)
    bucketed(game.game, 2)  # the tables and the cuts
    for boards in (8, 16):  # of the matrices
        with pytest.raises(Invalid, match=sentence.format(f"{boards} boards")):
            solve(game, seconds=2.0, progress=after_an_hour)


def test_ctrl_c_keeps_what_was_found_and_the_work_goes_on_from_its_checkpoint(form, monkeypatch, tmp_path):
    monkeypatch.setenv("FOGTREE_CACHE", str(tmp_path))

    def impatient(now):
        if now.what == "iterations" and now.done >= 12:
            raise KeyboardInterrupt

    half = tmp_path / "half.npz"
    stopped = solve(OnBuckets(TINY, K), target=1e-9, checkpoint=half, partial=True, progress=impatient)
    assert stopped.ended == Ended.STOPPED and stopped.iterations == 12
    assert len(stopped.strategy) == stopped.detail.infosets
    assert stopped.course[-1].iterations < 12  # so the plan is measured once more, and the bounds are its own
    measured = bounds(form, stopped.strategy.by_type(TINY).table)
    assert (stopped.low, stopped.value, stopped.high) == pytest.approx(measured, abs=1e-4)
    seen = []
    resumed = solve(OnBuckets(TINY, K), iterations=40, checkpoint=half, progress=lambda now: seen.append(now.done))
    straight = solve(OnBuckets(TINY, K), iterations=40)
    assert seen[0] == 12 and resumed.iterations == straight.iterations == 40
    assert (resumed.low, resumed.high) == (straight.low, straight.high)


def test_the_target_unless_told_is_a_ten_thousandth_of_the_range(monkeypatch, tmp_path):
    monkeypatch.setenv("FOGTREE_CACHE", str(tmp_path))
    found, shape = solve(OnBuckets(TINY, K)), TINY.shape()
    assert found.reached and found.total <= found.parameters["target"] == 1e-4 * (shape.high - shape.low)
    assert found.seconds > found.detail.preparing > 0


@pytest.mark.parametrize(
    "game, k, method, sentence",
    [
        (Leduc(), 2, "cfr+", "Leduc.* has no buckets of hands: what its `public_cards` gives has no method `buckets`"),
        (Kuhn(), 2, "cfr+", "Kuhn.* does not tell its cards: it has no method `public_cards`"),
        (TINY, 2, "lp", "there is no method 'lp': valid are auto, dcfr"),
        (TINY, 0, "cfr+", "the number of buckets must be a whole number of 1 or more, not 0"),
        (Holdem(), 16, "cfr+", "16 buckets need .* GiB, and .* are allowed"),
    ],
)
def test_what_cannot_be_solved_is_refused_in_one_sentence(game, k, method, sentence):
    with pytest.raises(Exception, match=sentence):
        solve(OnBuckets(game, k), method)
