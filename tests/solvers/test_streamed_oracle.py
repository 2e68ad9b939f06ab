"""The double oracle that never enumerates the whole game, against known values and against best responses of its own."""

import functools
import itertools

import pytest

import fogtree
from fogtree import BimatrixGame, Interrupted, Invalid
from fogtree.measure.exploitability import exploitability
from fogtree.solvers import solution, tasks
from fogtree.solvers.forms.certificates import certified
from fogtree.solvers.forms.expected import listed
from fogtree.solvers.forms.infosets import planned
from fogtree.solvers.forms.response import plan_of
from fogtree.solvers.forms.sequence import sequence_form
from fogtree.solvers.streamed import streamed_oracle
from fogtree.solvers.streamed.streamed_oracle import StreamedOracle, by_cfr, sparse
from fogtree.solvers.until import Limits, iterate_until
from fogtree.walk import estimate
from fogtree.walk.slices import Ended

VALUES = {
    "kuhn": -1 / 18,  # Kuhn 1950
    "goofspiel:cards=3": 0.0,  # by symmetry
}
FORCED = "phantom-ttt:rules=forced-centre,winning_first=true"


@pytest.fixture
def kuhn(interpreted):
    return fogtree.load("kuhn")


def stream(game, target, seconds=None, progress=None):
    """The work, and what it has found."""
    work = StreamedOracle(game, target, limit=seconds)
    return work, iterate_until(work, Limits(work.began, target, None, seconds), progress=progress)


@functools.cache
def forced_centre():
    return fogtree.solve(FORCED, "streamed-oracle", target=1e-5)


@pytest.mark.parametrize("name", VALUES)
def test_the_value_is_the_known_one_and_certified(name, interpreted):
    found = fogtree.solve(name, "streamed-oracle", target=1e-6)
    assert found.ended == Ended.TARGET and found.reached and found.certified
    assert found.low - 1e-12 <= VALUES[name] <= found.high + 1e-12
    assert found.low - 1e-12 <= found.value <= found.high + 1e-12
    assert exploitability(fogtree.load(name), found.strategy, engine="memory").total == pytest.approx(
        found.total, abs=1e-12
    )


def test_it_solves_phantom_tic_tac_toe_with_few_sequences():
    found = forced_centre()
    assert found.low <= 13 / 22 <= found.high and found.total <= 1e-5  # Lisý 2014, 4.2: 0.5909
    assert exploitability(FORCED, found.strategy, engine="memory").total == pytest.approx(found.total, abs=1e-12)
    assert len(found.strategy) < 4_000  # of 15,532 sets


def test_the_strategy_lists_every_set_that_it_can_get_to():
    form, strategy = sequence_form(fogtree.load(FORCED)), forced_centre().strategy
    for player, tree in enumerate(form.trees):
        plan, _ = plan_of(form, strategy, player)
        for view, parent in zip(tree.view.tolist(), tree.parent.tolist(), strict=True):
            assert plan[parent] == 0.0 or (player, view) in strategy


def test_the_bounds_of_its_course_only_close_in():
    course = forced_centre().course
    assert [point.iterations for point in course] == list(range(1, len(course) + 1))
    assert all(a.low <= b.low and b.high <= a.high for a, b in itertools.pairwise(course))
    assert (course[-1].low, course[-1].high) == (forced_centre().low, forced_centre().high)


def test_the_rounds_say_how_the_restricted_game_grew(kuhn):
    work, found = stream(kuhn, 1e-6)
    rounds = work.rounds
    assert [point.iterations for point in found.course] == list(range(1, len(rounds) + 1))
    assert rounds[0].sequences == (1, 1) and rounds[0].histories == 22
    sizes = [sum(each.sequences) for each in rounds]
    assert sizes == sorted(sizes) and sizes[-1] <= 26
    assert rounds[0].admitted > 0 and all(each.answered > 22 for each in rounds)
    assert found.best.low == max(each.low for each in rounds) and found.best.high == min(each.high for each in rounds)


def test_it_stops_after_a_number_of_rounds_or_when_the_time_is_up(kuhn):
    three = fogtree.solve(kuhn, "streamed-oracle", iterations=3, target=1e-9)
    assert (three.ended, three.iterations, three.reached) == (Ended.ITERATIONS, 3, False)
    work, short = stream(kuhn, 1e-9, seconds=1e-9)
    assert short.ended == Ended.SECONDS and len(work.rounds) == 1
    for found, strategy in ((three, three.strategy), (short.best, short.best.strategy())):
        assert found.low <= -1 / 18 <= found.high
        measured = exploitability(kuhn, strategy, engine="memory").values
        assert measured == pytest.approx((found.high, -found.low), abs=1e-12)


def test_the_policy_of_each_player_is_that_of_its_best_round(kuhn):
    # the second round concedes more than the first, to both players
    found = fogtree.solve(kuhn, "streamed-oracle", iterations=2)
    assert (found.low, found.high) == pytest.approx((-1.0, 1.0), abs=1e-12)
    assert exploitability(kuhn, found.strategy, engine="memory").values == pytest.approx((1.0, 1.0), abs=1e-12)


def test_a_first_round_that_takes_too_long_is_ended_in_one_sentence(kuhn, monkeypatch):
    monkeypatch.setattr(streamed_oracle, "SHORT", 10)
    with pytest.raises(
        Invalid, match=r"the time limit of 1e-09 s ended before the first round did, after \d+ histories"
    ):
        stream(kuhn, 1e-9, seconds=1e-9)


def test_a_strategy_that_takes_too_long_to_write_down_is_one_sentence_with_the_bounds(kuhn, monkeypatch):
    monkeypatch.setattr(solution, "LEAST_SECONDS", 1e-9)
    with pytest.raises(
        Invalid, match=r"the value lies between -\S+ and \S+, but the strategy that proves it gets to too many"
    ):
        fogtree.solve(kuhn, "streamed-oracle", target=1e-9, seconds=1e-9)


def test_measuring_the_strategy_keeps_to_the_seconds_too(kuhn, monkeypatch):
    monkeypatch.setattr(solution, "LEAST_SECONDS", 1e-9)
    monkeypatch.setattr(streamed_oracle, "listed", lambda game, policies, progress: listed(game, policies))
    with pytest.raises(Invalid, match="the value lies between"):
        fogtree.solve(kuhn, "streamed-oracle", target=1e-9, seconds=1e-9)


def test_ctrl_c_ends_with_the_rounds_that_are_finished(kuhn):
    def stop(now):
        if now.done == 2:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as caught:
        fogtree.solve(kuhn, "streamed-oracle", target=1e-9, progress=stop)
    assert caught.value.solution.iterations == 2 and caught.value.solution.ended == Ended.STOPPED
    assert fogtree.solve(kuhn, "streamed-oracle", target=1e-9, progress=stop, partial=True).iterations == 2

    def at_once(now):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):  # there is nothing yet
        fogtree.solve(kuhn, "streamed-oracle", target=1e-9, progress=at_once)


def test_a_solution_is_made_sparse_as_far_as_its_aim_allows():
    form = sequence_form(fogtree.load("leduc"))
    plans = by_cfr(form, 0.02, lambda now: None)
    assert certified(form, *plans).total <= 0.02
    fine, coarse = (sparse(form, plans, aim) for aim in (0.02, 1.0))
    assert sum((mix == 0).sum() for mix in coarse) > sum((mix == 0).sum() for mix in fine)
    for mixes, aim in ((fine, 0.02), (coarse, 1.0)):
        assert certified(form, *map(planned, form.trees, mixes)).total <= 2 * aim
        for tree, mix in zip(form.trees, mixes, strict=True):
            for low, high in zip(tree.first[:-1], tree.first[1:], strict=True):
                assert mix[low:high].sum() == pytest.approx(1)


def test_auto_streams_a_game_that_is_too_large_to_enumerate(kuhn, monkeypatch):
    monkeypatch.setattr(estimate, "MANY", 10)
    for huge, hopeless, method in ((10, 1e9, "streamed-oracle"), (1e9, 1e13, "lp"), (1, 10, "lp")):
        monkeypatch.setattr(estimate, "HUGE", huge)
        monkeypatch.setattr(tasks, "HOPELESS", hopeless)
        assert fogtree.solve(kuhn, target=0.01).method == method


def test_it_is_not_finished_before_the_target_is_reached(kuhn, monkeypatch):
    monkeypatch.setattr(streamed_oracle, "admit", lambda *what: 0)  # as if no answer were new
    work, found = stream(kuhn, 1e-6)
    assert found.ended == Ended.STUCK and found.best.total > 1e-6 and len(work.rounds) == streamed_oracle.IDLE


def test_what_is_not_zero_sum_is_refused():
    with pytest.raises(Invalid, match="zero-sum"):
        StreamedOracle(BimatrixGame())
