"""On an NVIDIA GPU (`make gpu`): the same claims as the CPU's, and the same numbers. Elsewhere these tests are skipped."""

from typing import NamedTuple

import numpy as np
import pytest

import fogtree
from by_matrices import bounds
from fogtree.bandits import UCT, load_bandit
from fogtree.bandits.risk import Risk
from fogtree.game import identity
from fogtree.games.family import Family
from fogtree.games.rounds import Rounds
from fogtree.kernels import cuda
from fogtree.kernels.bits import times
from fogtree.kernels.engines import on
from fogtree.learn.batch import batch
from fogtree.measure.duel import duel, duplicate
from fogtree.measure.everywhere import Everywhere, places
from fogtree.measure.stubborn import sweep
from fogtree.measure.track import tracks
from fogtree.policy import Always
from fogtree.search.trees.many import search_many
from fogtree.solvers.forms.certificates import certified
from fogtree.solvers.forms.form_lanes import fetched, form_in_lanes
from fogtree.solvers.forms.sequence import sequence_form
from fogtree.solvers.public.betting import BettingForm, betting_tree, nested
from fogtree.solvers.public.board_lanes import BoardLanes, DealtBoards
from fogtree.solvers.public.bucket_solving import OnBuckets
from fogtree.solvers.public.cards import bucketed
from fogtree.solvers.public.chance_lanes import LanesChanceSampled
from fogtree.solvers.public.deal_matrices import Tally, all_boards, count_matrices, random_boards
from fogtree.solvers.public.hand_lanes import VectorLanes
from fogtree.solvers.public.matrix_cfr import MatrixCFR
from fogtree.solvers.public.pair_lanes import LaneTally
from fogtree.solvers.public.public_form import public_form
from fogtree.solvers.public.public_response import PublicResponse
from fogtree.solvers.public.small_form import betting_form
from fogtree.solvers.public.vector_cfr import VectorCFR
from fogtree.solvers.regret.cfr import CFR, RULES
from fogtree.solvers.regret.cfr_lanes import LaneCFR
from fogtree.walk.table import SPREAD
from imagined import IMAGINING, new_imagined

pytestmark = [pytest.mark.gpu, pytest.mark.skipif(bool(cuda.trouble()), reason=cuda.trouble() or "there is a GPU")]


@pytest.mark.parametrize("name", fogtree.GAMES)
def test_the_same_seed_plays_the_same_games_on_the_gpu(name):
    there, here = (fogtree.playouts(name, 400, seed=6, device=device) for device in ("cuda", "cpu"))
    assert (there.device, there.games, there.moves) == ("cuda", here.games, here.moves)
    assert there.payoff.tolist() == here.payoff.tolist()


@pytest.mark.parametrize("name", IMAGINING)
def test_the_same_dice_imagine_the_same_worlds_on_the_gpu(name):
    made = []
    for device in ("cuda", "cpu"):
        lanes = on(device, *new_imagined(fogtree.load(name), 60))
        lanes.run(0, 60)
        lanes.fetch()
        made.append(lanes.work.state)
    assert (made[0] == made[1]).all()


@pytest.mark.parametrize("name", ["kuhn", "leduc", "liars-dice", "goofspiel:cards=4", "tic-tac-toe"])
def test_counts_on_the_gpu_are_those_of_the_cpu(name):
    there, here = fogtree.count(name, device="cuda"), fogtree.count(name)
    assert (there.histories, there.ends, there.chance, there.infosets) == here[:4]
    assert there.by_depth.tolist() == here.by_depth.tolist()


def test_perft_of_chess_on_the_gpu():
    # from the start, any table of perft; nothing is hidden, so each decision is an information set of its own
    found = fogtree.count("chess", 6, device="cuda")
    assert found.by_depth.sum(axis=1).tolist() == [1, 20, 400, 8902, 197_281, 4_865_609, 119_060_324]
    assert sum(found.infosets) == found.histories - found.ends


def test_every_history_of_phantom_tic_tac_toe():
    # 19,934,533,171 histories with 9,829,101,024 ends: walked once by an independent program
    found = fogtree.count("phantom-ttt", device="cuda")
    assert (found.histories, found.ends) == (19_934_533_171, 9_829_101_024)
    assert sum(found.infosets) == 5_990_669


@pytest.mark.parametrize(("name", "bandit"), [("goofspiel:cards=4", "rm"), ("leduc", "uct"), ("phantom-ttt", "exp3")])
def test_searches_on_the_gpu_say_what_they_say_on_the_cpu(name, bandit):
    game = fogtree.load(name)
    state = fogtree.new_state(game)
    while game.player(state) == fogtree.CHANCE:
        game.step(state, fogtree.legal(game, state)[0])
    given = game, bandit, [state[None]] * 50, 200
    there, here = (search_many(*given, seed=2, device=device) for device in ("cuda", "cpu"))
    assert np.allclose(there, here, rtol=0, atol=1e-9)


def test_a_batch_on_the_gpu_is_read_by_other_libraries_and_equals_that_of_the_cpu():
    torch = pytest.importorskip("torch")
    there, here = (batch("connect-four", 512, seed=1, device=device) for device in ("cuda", "cpu"))
    legal = torch.from_dlpack(there.legal)
    assert legal.data_ptr() == there.legal.address  # no copy
    for _ in range(42):
        there.step(legal[:, 0].contiguous())  # written by the step before
        here.step(here.legal[:, 0].copy())
        assert (np.array(there.view) == here.view).all() and (np.array(there.payoff) == here.payoff).all()
    assert (here.player < 0).all()


@pytest.mark.parametrize("name", ["kuhn", "leduc", "liars-dice", "goofspiel:cards=5", "phantom-ttt", "connect-four"])
def test_observations_and_masks_on_the_gpu_are_those_of_the_cpu(name):
    there, here = (batch(name, 300, seed=5, device=device) for device in ("cuda", "cpu"))
    while (here.player >= 0).any():
        assert (np.array(there.observe()) == here.observe()).all() and (np.array(there.mask) == here.mask).all()
        first = here.legal[:, 0].copy()
        there.step(first)
        here.step(first)
    assert not np.array(there.observe()).any() and not np.array(there.mask).any()


def test_duels_on_the_gpu_are_those_of_the_cpu():
    uniform, caller = fogtree.Strategy.uniform(fogtree.load("leduc")), Always(1)
    for meet in (duel, duplicate):
        there, here = (meet("leduc", uniform, caller, 3_000, seed=4, device=device) for device in ("cuda", "cpu"))
        assert there == here._replace(device="cuda")


@pytest.mark.parametrize("bandit", ["rm", "rm+", "uct-det", "uct-eps", "exp3", "uct-window:window=40", "tuned"])
def test_self_plays_on_the_gpu_are_those_of_the_cpu(bandit):
    family, made = Family(), load_bandit(bandit)
    plays = [(family[number], (3, number)) for number in range(0, 19_000, 500)] + [(Rounds(), 7)]
    there, here = (list(tracks(plays, made, [10, 60, 500], device=device)) for device in ("cuda", "cpu"))
    for one, other in zip(there, here, strict=True):
        for ours, theirs in zip(one.strategies, other.strategies, strict=True):
            if bandit.startswith("rm"):  # without exp and log
                assert ours.tolist() == theirs.tolist()
            assert np.allclose(ours, theirs, rtol=0, atol=0.01)


def test_a_sweep_on_the_gpu_is_that_of_the_cpu(tmp_path):
    there, here = (sweep("rm", "2x2", steps=40, runs=3, device=device, cores=1) for device in ("cuda", "cpu"))
    assert there.exploitability.tolist() == here.exploitability.tolist()
    assert there.turned.tolist() == pytest.approx(here.turned.tolist(), abs=1e-12)


@pytest.mark.parametrize(("depth", "above"), [(0, None), (1, Risk()), (2, None)])
def test_a_search_at_every_set_on_the_gpu_is_that_of_the_cpu(depth, above):
    where = places(fogtree.load("kuhn"))
    how = {"depth": depth, "worlds": 6, "iterations": 80}
    there, here = (Everywhere(where, UCT(c=1), above, **how, device=d).runs([(1, 0), (1, 1)]) for d in ("cuda", "cpu"))
    assert np.allclose(there, here, rtol=0, atol=1e-9)


class Mixed(NamedTuple):
    """Every action everywhere, by a hash of the view."""

    def weigh(self, game, state, player, choice, odds):
        count, total = game.actions(state, choice), 0.0
        for a in range(count):
            word = times(np.uint64(game.view(state, player)) + np.uint64(7919 * choice[a] + player), SPREAD)
            odds[a] = 0.05 + np.float64(times(word ^ (word >> np.uint64(29)), SPREAD) >> np.uint64(40)) / (1 << 24)
            total += odds[a]
        for a in range(count):
            odds[a] /= total
        return count


@pytest.mark.parametrize("text", ["kuhn", "leduc", "goofspiel:cards=4", "kuhn:players=3", "dark-hex:side=2"])
def test_exploitability_on_the_gpu_is_that_of_the_cpu(text):
    game = fogtree.load(text)
    for strategy in (fogtree.Strategy.uniform(game), fogtree.Strategy.uniform(game).policy_of(game), Mixed()):
        there = fogtree.exploitability(game, strategy, device="cuda")
        here = fogtree.exploitability(game, strategy, engine="lanes", device="cpu")
        assert (there.engine, there.device, here.device) == ("lanes", "cuda", "cpu")
        assert there.values == pytest.approx(here.values, abs=1e-9)
        assert there.gains is None or there.gains == pytest.approx(here.gains, abs=1e-9)


def test_a_stored_strategy_is_measured_on_the_gpu_as_it_is_in_memory():
    form = fogtree.sequence_form(fogtree.load("phantom-ttt:rules=forced-centre,winning_first=true"))
    strategy = fogtree.CFR(form).run(iterations=20).strategy()
    there, here = fogtree.exploitability(form.game, strategy, device="cuda"), fogtree.exploitability(form, strategy)
    assert (*there.values, there.value) == pytest.approx((*here.values, here.value), abs=1e-9)


def test_all_of_phantom_tic_tac_toe_is_answered_on_the_gpu_as_by_streaming_on_the_cpu():
    game = fogtree.load("phantom-ttt")
    there, here = (fogtree.exploitability(game, Mixed(), **how) for how in ({"device": "cuda"}, {"engine": "stream"}))
    assert there.values == pytest.approx(here.values, abs=1e-9)


@pytest.mark.parametrize(
    "name", ["leduc", "liars-dice", "goofspiel:cards=5", "random/rounds:rounds=2,whole=false,seed=1"]
)
def test_a_form_is_built_on_the_gpu_as_on_the_cpu(name):
    there, here = (fetched(form_in_lanes(name, device)[0]) for device in ("cuda", "cpu"))
    for ours, theirs in ((there.rows, here.rows), (there.columns, here.columns)):
        assert ours.unit == theirs.unit
        assert all((a == b).all() and a.dtype == b.dtype for a, b in zip(ours[:3], theirs[:3], strict=True))
    for ours, theirs in zip(there.trees, here.trees, strict=True):
        assert all((a == b).all() for a, b in zip(ours, theirs, strict=True))
    assert there.histories == sequence_form(name).histories


@pytest.mark.parametrize("rule", RULES)
def test_regret_minimisation_on_the_gpu_is_that_of_the_cpu(rule):
    form = sequence_form("liars-dice:faces=3")
    ours, theirs = LaneCFR(form, rule, device="cuda").run(iterations=30), CFR(form, rule).run(iterations=30)
    for mine, other in zip(ours.plans(), theirs.plans(), strict=True):
        assert mine == pytest.approx(other, abs=1e-8)


@pytest.mark.parametrize("name", ["leduc", "goofspiel:cards=5", "phantom-ttt:rules=forced-centre,winning_first=true"])
def test_every_certificate_of_the_gpu_is_found_again_on_the_cpu(name):
    found = fogtree.solve(name, "pdcfr+", iterations=100, device="cuda")
    again = fogtree.exploitability(name, found.strategy)
    assert found.device == "cuda" and found.total == pytest.approx(again.total, abs=1e-9)
    form, _ = form_in_lanes(name, "cuda")
    pair = LaneCFR(form, "dcfr", device="cuda").run(iterations=50).certificate()
    here = pair.here()
    expected = certified(fetched(form), here.x, here.y)
    assert (pair.low, pair.high, pair.value()) == pytest.approx(
        (expected.low, expected.high, expected.value()), abs=1e-9
    )


@pytest.mark.parametrize("rule", ["cfr+", "dcfr", "pdcfr+"])
def test_a_certificate_of_matrix_cfr_on_the_gpu_is_found_again_on_the_cpu(rule, tmp_path):
    form = betting_form(fogtree.Leduc()).form
    there = MatrixCFR(form, rule, dtype=np.float64, device="cuda").run(iterations=50)
    there.save(tmp_path / "x.npz")
    here = MatrixCFR(form, rule, dtype=np.float64)
    here.resume(tmp_path / "x.npz")
    assert there.device == "cuda" and there.bounds() == pytest.approx(here.bounds(), abs=1e-9)
    assert there.table(0) == pytest.approx(here.table(0), abs=1e-12)


@pytest.mark.parametrize("rule", ["dcfr", "pdcfr+"])
def test_a_certificate_of_a_spot_on_the_gpu_is_found_again_on_the_cpu(rule):
    game = fogtree.spot("Td9d6hQc", pot=20, stack=60, bets="50%, a; 3x", oop="22+,A2s+,KTo+", ip="QQ-22,KTs+")
    form = public_form(game)
    there, here = VectorLanes(form, rule, device="cuda"), VectorCFR(form, rule)
    told = there.run(iterations=70).bounds()  # more iterations than are noted at once
    there.fetch()
    for found, plain in zip(there.stores, here.stores, strict=True):
        plain.total[:] = found.total
    assert here.bounds() == pytest.approx(told, abs=1e-3)
    assert told[2] - told[0] < 0.5


@pytest.mark.parametrize("rule", ["cfr+", "dcfr", "pdcfr+"])
def test_matrix_cfr_on_the_gpu_begins_as_on_the_cpu(rule):
    # later too, but for rounding: products are fused there and summed in another order, which grows with the iterations
    form = betting_form(fogtree.Leduc()).form
    there, here = (MatrixCFR(form, rule, dtype=np.float64, device=d).run(iterations=5) for d in ("cuda", "cpu"))
    assert there.bounds() == pytest.approx(here.bounds(), abs=1e-9)
    assert there.run(iterations=65).bounds() == pytest.approx(here.run(iterations=65).bounds(), abs=1e-6)


@pytest.mark.parametrize("dtype, close", [(np.float64, 1e-14), (np.float32, 1e-8)])
def test_best_responses_in_hold_em_and_its_matrices_on_the_gpu_are_those_of_the_cpu(dtype, close):
    game = fogtree.load("holdem:ranks=4")
    found = fogtree.solve(OnBuckets(game, 2), iterations=30)
    cards, plan = bucketed(game, 2).cards, found.strategy.by_type(game)
    dealt = DealtBoards(cards, at_once=2, device="cuda")
    dealt.deal([(0, 5, 9), (1, 2, 3)])
    for player in (0, 1):
        response = PublicResponse(cards, plan, player, dtype=dtype)
        values = BoardLanes(response, dealt).values()
        for board, value in zip([(0, 5, 9), (1, 2, 3)], values, strict=True):
            assert value == pytest.approx(response.board_values(board), abs=close)
    boards, there, here = list(random_boards(cards, 300, 1)), LaneTally(cards, 16, "cuda"), Tally(cards, 16)
    for tally in (there, here):
        tally.add(boards)
        tally.fetch()
    assert (there.joint == here.joint).all() and (there.edge == here.edge).all()


def test_no_deal_is_lost_where_chance_is_sampled_on_the_gpu():
    game, k = fogtree.load("holdem:ranks=4"), 2
    tree, cuts = betting_tree(game), nested(k, game.rounds)
    cfr = LanesChanceSampled(tree, cuts, bucketed(game, k).dealer(), device="cuda").run(iterations=2_000_000)
    walked, memory = cfr.layout.walked, cfr.memory
    rows = memory[walked.base[0, 0] + np.arange(k) * walked.width[0, 0], cfr.layout.actions :]
    assert rows.sum() == pytest.approx(2_000_000, abs=1e-3)  # each deal adds a mix to one set of the first decision


def test_sampled_chance_on_the_gpu_comes_near_the_equilibrium_of_an_abstract_game():
    # On the CPU, with 16,896 deals at a time that look at the same regrets, the bounds were 0.075 apart after 2 million deals
    # and 0.011 after 20 million. The tables themselves are far from those of one deal after the other for long.
    game, k = fogtree.load("holdem:ranks=3,suits=2,rounds=2,raises=2,hole=1,flop=1"), 2
    buckets, cuts = bucketed(game, k), nested(k, game.rounds)
    matrices = count_matrices(buckets.cards, k**2, all_boards(buckets.cards))
    form = BettingForm(identity(game), betting_tree(game), *matrices, (cuts, cuts))
    cfr = LanesChanceSampled(form.tree, cuts, buckets.dealer(), device="cuda").run(iterations=20_000_000)
    low, _, high = bounds(form, cfr.table)
    exact = MatrixCFR(form, dtype=np.float64).run(iterations=3_000).bounds()
    assert high - low < 0.05 and low <= exact[2] and exact[0] <= high


def test_a_form_that_is_filed_on_the_gpu_is_the_one_that_is_sorted_at_once(monkeypatch):
    one, _ = form_in_lanes("goofspiel:cards=5", "cuda")
    monkeypatch.setattr("fogtree.solvers.forms.form_lanes.ENTRY_BYTES", 1e15)
    monkeypatch.setattr("fogtree.solvers.forms.filing.PIECE", {"cuda": 1000})
    other, _ = form_in_lanes("goofspiel:cards=5", "cuda")
    for ours, theirs in ((fetched(one).rows, fetched(other).rows), (fetched(one).columns, fetched(other).columns)):
        entries = ours.start[-1]
        assert (ours.start == theirs.start).all() and ours.unit == theirs.unit
        assert (ours.column == theirs.column[:entries]).all() and (ours.value == theirs.value[:entries]).all()


def test_a_whole_game_is_lifted_from_its_smaller_one_on_the_gpu():
    found = fogtree.solve("phantom-ttt:rules=forced-centre", target=1e-4, device="cuda")
    assert found.device == "cuda" and found.low <= 13 / 22 <= found.high and " on " in found.method


@pytest.mark.parametrize(
    ("text", "method", "iterations", "most", "value"),
    # Known values. In Kuhn poker b iterations that look at the same regrets come to 0.45 sqrt(b / iterations), see
    # test_mccfr_lanes.py. An H200 was at 0.0152 after 20 million, as if b were 23,000: that makes 0.005 after 200 million. In
    # Leduc it was at 0.089 after 10 million; with that b the CPU was at 0.104 then, at 0.064 after 20 and at 0.046 after 40.
    [("kuhn", "external", 200_000_000, 0.01, -1 / 18), ("leduc", "external", 100_000_000, 0.05, -0.0856064)],
)
def test_sampled_regret_minimisation_on_the_gpu_comes_near_equilibrium(text, method, iterations, most, value):
    game = fogtree.load(text)
    found = fogtree.solve(game, method, iterations=iterations, device="cuda")
    measured = fogtree.exploitability(game, found.strategy)
    assert found.device == "cuda" and measured.total < most and measured.value == pytest.approx(value, abs=most)
