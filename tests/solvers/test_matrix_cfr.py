"""Matrix CFR and betting trees, against the sequence form."""

import functools

import numpy as np
import pytest

import fogtree
from fogtree import CFR, Invalid, Kuhn, Leduc, exploitability, sequence_form
from fogtree.game import OVER
from fogtree.games.kuhn import HAND, LINE, PP
from fogtree.solvers.forms.infosets import TooLarge
from fogtree.solvers.public import matrix_cfr
from fogtree.solvers.public.betting import BettingForm, betting_tree, infosets, nested
from fogtree.solvers.public.matrix_cfr import MatrixCFR, bytes_needed, bytes_of_sizes
from fogtree.solvers.public.small_form import betting_form
from fogtree.solvers.regret.cfr import RULES

LEDUC_VALUE = -0.0856064241  # by the linear program, OpenSpiel's and ours


@functools.cache
def small(text):
    return betting_form(fogtree.load(text))


def ran(text, rule, iterations, **options):
    return MatrixCFR(small(text).form, rule, **options).run(iterations=iterations)


def test_kuhn_has_four_decisions_two_folds_and_three_showdowns():
    tree = betting_tree(Kuhn())
    assert tree.decisions().tolist() == [4]
    assert sorted(tree.scale[tree.player == OVER]) == [-1, 1, 1, 2, 2]
    assert [tree.line(n) for n in range(*tree.folds[0])] == [[1, 0], [0, 1, 0]]


def test_leduc_types_are_the_private_and_the_public_card():
    form = small("leduc").form
    assert form.tree.decisions().tolist() == [6, 30]
    assert [form.types(0, s) for s in (0, 1)] == [6, 30]
    assert form.joint.sum() == pytest.approx(1.0, abs=1e-12)
    assert form.at_stage(form.joint, 0) == pytest.approx((1 - np.eye(6)) / 30, abs=1e-12)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("text", ["kuhn", "kuhn:cards=5", "leduc", "leduc:ranks=2,suits=2"])
def test_every_iteration_is_that_of_the_sequence_form(text, rule):
    theirs = CFR(sequence_form(fogtree.load(text)), rule)
    ours = MatrixCFR(small(text).form, rule, dtype=np.float64)
    for count in (1, 1, 5, 13):
        ours.run(iterations=count)
        theirs.run(iterations=count)
        assert ours.bounds() == pytest.approx(theirs.bounds(), abs=1e-9)


def test_its_strategy_is_one_of_the_game():
    game, cfr = Leduc(), ran("leduc", "dcfr", 1000, dtype=np.float64)
    low, value, high = cfr.bounds()
    assert low <= LEDUC_VALUE <= high
    found = exploitability(game, small("leduc").strategy(cfr.table))
    assert found.total == pytest.approx(high - low, abs=1e-9)
    assert found.value == pytest.approx(value, abs=1e-9)


def test_numbers_of_32_bits_reach_as_far_as_play_needs():
    low, _, high = ran("leduc", "cfr+", 1000).bounds()
    assert low - 1e-6 <= LEDUC_VALUE <= high + 1e-6
    assert high - low < 0.001


def test_fresh_deals_of_the_same_types_can_be_measured():
    cfr = ran("leduc", "cfr+", 100, dtype=np.float64)
    form = small("leduc").form
    noise = form.joint * np.random.default_rng(1).uniform(0.9, 1.1, form.joint.shape)
    luck = np.divide(form.edge, form.joint, out=np.zeros_like(form.edge), where=form.joint > 0)
    other = form._replace(joint=noise / noise.sum(), edge=luck * noise / noise.sum())
    own, fresh = cfr.bounds(), cfr.bounds(other)
    assert fresh[2] - fresh[0] > own[2] - own[0]
    again = MatrixCFR(other, "cfr+", dtype=np.float64)
    for side, old in zip(again.sides, cfr.sides, strict=True):
        side.total[:], side.weight[:] = old.total, old.weight
    again.iterations = cfr.iterations
    assert again.bounds() == pytest.approx(fresh, abs=1e-12)
    assert cfr.bounds() == own


def test_measuring_does_not_change_the_course():
    plain, watched = (MatrixCFR(small("leduc").form, "cfr+") for _ in range(2))
    plain.run(iterations=6)
    for _ in range(6):
        watched.run(iterations=1).bounds()
    assert all((a.regret == b.regret).all() for a, b in zip(plain.sides, watched.sides, strict=True))


def test_a_checkpoint_goes_on_as_if_there_had_been_no_break(tmp_path):
    whole = ran("leduc", "pcfr+", 20)
    ran("leduc", "pcfr+", 12).save(tmp_path / "half.npz")
    half = MatrixCFR(small("leduc").form, "pcfr+")
    half.resume(tmp_path / "half.npz")
    half.run(iterations=8)
    assert half.bounds() == whole.bounds()


def test_a_foreign_or_damaged_checkpoint_is_refused(tmp_path):
    path = tmp_path / "x.npz"
    ran("kuhn", "cfr+", 2).save(path)
    with pytest.raises(Invalid, match="is a checkpoint of Kuhn"):
        MatrixCFR(small("leduc").form, "cfr+").resume(path)
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(Invalid, match="cannot be read"):
        MatrixCFR(small("kuhn").form, "cfr+").resume(path)


@pytest.mark.parametrize("step", ["face", "learn", "spread"])
def test_ctrl_c_in_the_middle_of_an_iteration_leaves_a_true_certificate(step, monkeypatch):
    cfr, calls = MatrixCFR(small("leduc").form, "cfr+", dtype=np.float64).run(iterations=20), []
    usual = getattr(cfr.sweeps, step)

    def pressed(*args):
        usual(*args)
        calls.append(args)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(cfr.sweeps, step, pressed)
        with pytest.raises(KeyboardInterrupt):
            cfr.run(iterations=1)
    assert len(calls) == 1 and cfr.iterations == 20
    low, value, high = cfr.bounds()
    found = exploitability(fogtree.load("leduc"), small("leduc").strategy(cfr.table))
    assert (found.value, *found.values) == pytest.approx((value, high, -low), abs=1e-9)
    assert high - low > cfr.run(iterations=100).bounds()[2] - cfr.bounds()[0]


def test_products_in_parts_are_the_whole_product(monkeypatch):
    whole = ran("leduc", "dcfr", 10, dtype=np.float64).bounds()
    monkeypatch.setattr(matrix_cfr, "AT_ONCE", 1.0)
    parts = MatrixCFR(small("leduc").form, "dcfr", dtype=np.float64).run(iterations=10).bounds()
    assert parts == pytest.approx(whole, abs=1e-12)


def test_what_does_not_fit_is_refused_before_anything_is_allocated():
    form = small("leduc").form
    with pytest.raises(TooLarge, match=r"needs 0\.00 GiB for matrix CFR, and 0\.00 are allowed"):
        MatrixCFR(form, memory=1000)
    sizes = [[form.types(player, s) for s in (0, 1)] for player in (0, 1)]
    assert bytes_needed(form) == bytes_of_sizes(form.tree, sizes)
    cfr = MatrixCFR(form)
    arrays = [cfr.sweeps.reach, cfr.sweeps.value, *(m for pair in cfr.matrices for m in pair)]
    arrays += [getattr(side, field) for side in cfr.sides for field in ("regret", "mix", "total")]
    assert sum(array.nbytes for array in arrays) == bytes_needed(form)


def test_games_whose_cards_do_more_than_decide_one_showdown_are_refused():
    with pytest.raises(Invalid, match="do not all pay a stake times the same win or loss"):
        betting_tree(fogtree.load("liars-dice"))  # each bid is about other dice


class Cents(Kuhn):
    """Kuhn poker with chips of a hundredth."""

    def payoff(self, state, player):
        return super().payoff(state, player) / 100


class Bent(Kuhn):
    """The higher the card of the first player, the more it wins where nobody bets."""

    def payoff(self, state, player):
        more = 0.01 * state[HAND] if state[LINE] == PP else 0.0
        return super().payoff(state, player) + (more if player == 0 else -more)


def test_small_payoffs_decide_showdowns_and_small_differences_between_them_are_refused(interpreted):
    tree = betting_tree(Cents())
    assert sorted(tree.scale[tree.player == OVER]) == pytest.approx([-0.01, 0.01, 0.01, 0.02, 0.02])
    assert [tree.line(n) for n in range(*tree.folds[0])] == [[1, 0], [0, 1, 0]]
    with pytest.raises(Invalid, match="do not all pay a stake times the same win or loss"):
        betting_tree(Bent())


class Rare(Kuhn):
    """The first player loses more with the lowest card where nobody bets."""

    def payoff(self, state, player):
        more = 0.01 if state[HAND] == 0 and state[LINE] == PP else 0.0
        return super().payoff(state, player) + (more if player else -more)


def test_a_payoff_that_depends_on_one_card_of_thirteen_is_refused(interpreted):
    with pytest.raises(Invalid, match="do not all pay a stake times the same win or loss"):
        betting_tree(Rare(cards=13))


def test_parts_of_parts_are_ranges():
    assert [cut.tolist() for cut in nested(2, 2)] == [[0, 2, 4], [0, 1, 2, 3, 4]]
    assert infosets(betting_tree(Leduc()), 3) == 6 * 3 + 30 * 9


def test_bad_rules_and_numbers_are_refused():
    with pytest.raises(Invalid, match="there is no rule"):
        MatrixCFR(small("kuhn").form, "best")
    with pytest.raises(Invalid, match=r"float32 or numpy\.float64"):
        MatrixCFR(small("kuhn").form, dtype=np.float16)
    with pytest.raises(Invalid, match="run some iterations"):
        MatrixCFR(small("kuhn").form).bounds()
    assert isinstance(small("kuhn").form, BettingForm)
