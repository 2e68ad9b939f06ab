"""`solve`: an equilibrium with a certificate that really holds."""

import itertools
import math
import time

import pytest

import fogtree
from fogtree import CFR, Invalid, exploitability, sequence_form, solve
from fogtree.game import identity
from fogtree.solvers import tasks
from fogtree.solvers.exact.simplex import Unsolved
from fogtree.solvers.forms import reduction
from fogtree.solvers.forms.certificates import Bounds
from fogtree.solvers.forms.reduction import lifted, smallest_equal
from fogtree.solvers.regret.cfr import RULES
from fogtree.solvers.regret.race import RACERS
from fogtree.solvers.regret.sampled import SCHEMES
from fogtree.solvers.tasks import METHODS
from fogtree.solvers.until import Interrupted, limits_from_now
from fogtree.walk.slices import Ended, Progress

KUHN, LEDUC = fogtree.load("kuhn"), fogtree.load("leduc")
FORCED = fogtree.load("phantom-ttt:rules=forced-centre")
CLASSICAL = fogtree.load("phantom-ttt")
GOOFSPIEL = fogtree.load("goofspiel:cards=5")


def assert_holds(solution, game, value):
    """The certificate is the strategy's exploitability, measured anew, and the true value lies in it."""
    found = exploitability(game, solution.strategy)
    assert found.total == pytest.approx(solution.total, abs=1e-9)
    assert found.values == pytest.approx((solution.high, -solution.low), abs=1e-9)
    assert found.value == pytest.approx(solution.value, abs=1e-9)
    assert solution.low - 1e-9 <= value <= solution.high + 1e-9
    assert solution.low - 1e-9 <= solution.value <= solution.high + 1e-9


# --- every method, and what it says of itself ---


@pytest.mark.parametrize("method", METHODS)
def test_every_method_solves_kuhn_and_proves_it(method, request):
    if method == "streamed-oracle":  # compiled it has tests of its own
        request.getfixturevalue("interpreted")
    solution = solve(fogtree.sequence_form(KUHN) if method in SCHEMES else KUHN, method, target=0.01)
    assert_holds(solution, KUHN, -1 / 18)
    assert solution.total <= 0.01 and solution.reached
    assert solution.method == ("lp" if method == "auto" else method)
    assert solution.game == identity(KUHN) == solution.strategy.game
    assert solution.parameters == {"target": 0.01, "seconds": None, "iterations": None}
    assert solution.iterations == solution.course[-1].iterations > 0 and solution.seconds > 0


@pytest.mark.parametrize("method", ["lp", "cfr+"])
def test_leduc_by_two_ways(method):
    # both agree with OpenSpiel's sequence-form linear program
    solution = solve(LEDUC, method, target=0.01)
    assert_holds(solution, LEDUC, -0.0856064241)


def test_goofspiel_is_even():
    assert_holds(solve(GOOFSPIEL, "pcfr+", target=0.005), GOOFSPIEL, 0)


def test_without_limits_a_thousandth_of_the_range_is_reached():
    solution = solve(KUHN, "cfr+")
    assert solution.parameters["target"] == 0.004 and solution.total <= 0.004 and solution.reached


def test_a_small_game_is_solved_by_the_linear_program_and_a_large_one_by_regrets():
    assert solve(LEDUC).method == "lp"
    assert solve(GOOFSPIEL, target=1e-4).method in RACERS


def test_a_solution_says_in_a_line_what_it_is():
    text = str(solve(KUHN, "cfr+", iterations=100))
    assert text.startswith("Kuhn(cards=3), rules version 1: value -0.05") and "by cfr+, 100 iterations" in text
    assert "\n" not in text


# --- limits ---


def test_iterations_are_kept_exactly():
    for count in (1, 2, 10, 57):
        solution = solve(KUHN, "cfr+", iterations=count)
        assert solution.iterations == count and solution.reached  # nothing else was asked
        assert_holds(solution, KUHN, -1 / 18)


def test_a_target_that_was_not_reached_is_admitted():
    solution = solve(KUHN, "cfr", iterations=5, target=1e-6)
    assert solution.iterations == 5 and not solution.reached and solution.total > 1e-6


def test_seconds_are_kept():
    solve(GOOFSPIEL, "cfr+", iterations=1)  # compiles, which may take long on a busy machine
    began = time.perf_counter()
    solution = solve(GOOFSPIEL, "cfr+", seconds=0.5)
    assert time.perf_counter() - began < 5 and solution.iterations > 1
    assert_holds(solution, GOOFSPIEL, 0)


def test_a_linear_program_that_takes_too_long_says_so():
    # it has nothing to show before its end, so with a limit a method that can stop anywhere is chosen
    with pytest.raises(Unsolved, match="was not solved within 1e-06 s: give more, or use"):
        solve(LEDUC, "lp", seconds=1e-6)
    assert solve(LEDUC, seconds=0.01).method in RACERS


def test_a_certificate_only_ever_improves():
    course = solve(LEDUC, "cfr", iterations=300).course
    assert [point.iterations for point in course] == sorted({point.iterations for point in course})
    assert all(a.low <= b.low and a.high >= b.high and a.seconds <= b.seconds for a, b in itertools.pairwise(course))
    assert course[-1].iterations == 300 and len(course) > 20


def test_a_form_that_is_at_hand_is_used():
    form = sequence_form(GOOFSPIEL)
    solution = solve(form, "cfr+", iterations=10)
    assert solution.game == identity(GOOFSPIEL)
    assert_holds(solution, form, 0)


def test_progress_sees_histories_and_then_bounds():
    seen = []
    solve(GOOFSPIEL, "cfr+", iterations=20, progress=seen.append)
    points = [item for item in seen if isinstance(item.detail, Bounds)]
    histories = seen[: len(seen) - len(points)]
    assert histories[-1] == Progress("histories", 55_731) and all(item.what == "histories" for item in histories)
    assert points[-1][:3] == ("iterations", 20, 20) and points == sorted(points)
    assert all(item.detail.iterations == item.done for item in points)


def test_ctrl_c_ends_the_work_with_what_it_has():
    def stop(item):
        if isinstance(item.detail, Bounds) and item.done >= 10:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted, match="stopped; what was found so far is in `solution`") as caught:
        solve(GOOFSPIEL, "cfr+", target=1e-9, progress=stop)
    assert isinstance(caught.value, KeyboardInterrupt)
    solution = caught.value.solution
    assert 10 <= solution.iterations < 20 and not solution.reached
    assert_holds(solution, GOOFSPIEL, 0)


@pytest.mark.parametrize(
    "method, limits, ended",
    [
        ("lp", {}, Ended.TARGET),  # a thousandth of the range, as nothing else was asked
        ("lp", {"seconds": 60}, Ended.FINISHED),
        ("oracle", {"target": 0.1}, Ended.TARGET),
        ("oracle", {"iterations": 2}, Ended.ITERATIONS),
        ("oracle", {"seconds": 1e-9}, Ended.SECONDS),
        ("cfr+", {"target": 0.1, "iterations": 1000}, Ended.TARGET),
        ("cfr+", {"target": 1e-9, "iterations": 7}, Ended.ITERATIONS),
        ("cfr+", {"target": 1e-9, "seconds": 1e-9}, Ended.SECONDS),
        ("external", {"iterations": 1500, "seconds": 60}, Ended.ITERATIONS),
    ],
)
def test_a_solution_says_why_the_work_ended(method, limits, ended):
    assert solve(KUHN, method, **limits).ended == ended


@pytest.mark.parametrize("method", ["cfr+", "oracle", "external"])
def test_a_solution_says_that_it_was_stopped(method):
    def stop(now):
        if isinstance(now.detail, Bounds):
            raise KeyboardInterrupt

    solution = solve(fogtree.sequence_form(LEDUC), method, target=1e-9, partial=True, progress=stop)
    assert solution.ended == Ended.STOPPED and not solution.reached
    assert_holds(solution, LEDUC, -0.0856064241)


def test_what_had_ended_before_ctrl_c_was_not_stopped():
    def stop(now):
        if now.done == 5 and now.detail:
            raise KeyboardInterrupt

    assert solve(KUHN, "cfr+", iterations=5, progress=stop).ended == Ended.ITERATIONS


def test_the_linear_program_refuses_a_number_of_iterations_before_any_work():
    def never(now):
        raise AssertionError

    with pytest.raises(
        Invalid,
        match=r"^lp takes no number of iterations: limit its seconds, or use one of oracle, streamed-oracle, cfr, ",
    ):
        solve(GOOFSPIEL, "lp", iterations=5, progress=never)
    assert solve(LEDUC, iterations=5).method in RACERS  # so with that limit a method is chosen that keeps it


def test_the_linear_program_tells_its_iterations():
    seen = []
    solve(sequence_form(fogtree.load("goofspiel:cards=6")), "lp", progress=seen.append)
    done = [now.done for now in seen]
    assert all(now.what == "iterations" for now in seen) and done == sorted(done) and done[-1] > 0 and len(done) > 1


def test_the_double_oracle_tells_its_bounds_and_keeps_a_number_of_iterations():
    seen = []
    solution = solve(LEDUC, "oracle", iterations=4, progress=seen.append)
    told = [now for now in seen if now.what == "iterations"]
    assert [now[:3] for now in told] == [("iterations", n, 4) for n in (1, 2, 3, 4)]
    assert solution.iterations == 4 and solution.course == [now.detail for now in told]
    assert (solution.course[-1].low, solution.course[-1].high) == (solution.low, solution.high)
    assert all(a.low <= b.low and a.high >= b.high for a, b in itertools.pairwise(solution.course))


def test_ctrl_c_before_there_is_anything_is_ctrl_c():
    def stop(item):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve(GOOFSPIEL, "cfr+", progress=stop)


# --- checkpoints ---


def test_a_checkpoint_is_written_and_gone_on_from(tmp_path):
    file = tmp_path / "work.npz"
    solve(LEDUC, "cfr+", iterations=30, checkpoint=file)
    seen = []
    solution = solve(LEDUC, "cfr+", iterations=50, checkpoint=file, progress=seen.append)
    points = [item for item in seen if isinstance(item.detail, Bounds)]
    assert points[0].done == 30 and solution.iterations == 50
    assert_holds(solution, LEDUC, -0.0856064241)


def test_a_checkpoint_that_has_all_that_is_asked_for_is_judged_and_left(tmp_path):
    file = tmp_path / "work.npz"
    whole = solve(LEDUC, "cfr+", iterations=30, checkpoint=file)
    for limits in ({"iterations": 30}, {"iterations": 10}, {"target": 10.0}):
        again = solve(LEDUC, "cfr+", checkpoint=file, **limits)
        assert again.iterations == 30 and len(again.course) == 1
        assert again.total >= whole.total  # an earlier plan may have been better on one side
        assert_holds(again, LEDUC, -0.0856064241)


def test_a_checkpoint_is_written_when_the_work_is_stopped(tmp_path):
    def stop(item):
        if isinstance(item.detail, Bounds) and item.done >= 10:
            raise KeyboardInterrupt

    solve(LEDUC, "cfr+", target=1e-9, checkpoint=tmp_path / "work.npz", partial=True, progress=stop)
    assert solve(LEDUC, "cfr+", iterations=1, checkpoint=tmp_path / "work.npz").iterations >= 10


def test_a_checkpoint_that_cannot_be_written_is_refused_before_any_work(tmp_path):
    def never(item):
        raise AssertionError

    with pytest.raises(
        Invalid, match=r"work.npz cannot be written: there is no such folder, or no right to write there"
    ):
        solve(LEDUC, "cfr+", iterations=3, checkpoint=tmp_path / "nowhere" / "work.npz", progress=never)


def test_a_checkpoint_of_other_work_is_refused(tmp_path):
    solve(LEDUC, "cfr+", iterations=3, checkpoint=tmp_path / "work.npz")
    before = (tmp_path / "work.npz").read_bytes()
    with pytest.raises(Invalid, match=r"work\.npz is a checkpoint of Leduc.* by cfr., not of Leduc.* by dcfr"):
        solve(LEDUC, "dcfr", iterations=3, checkpoint=tmp_path / "work.npz")
    assert (tmp_path / "work.npz").read_bytes() == before


def test_ctrl_c_while_the_last_checkpoint_is_written_costs_the_checkpoint_alone(tmp_path, monkeypatch):
    def interrupted(self, path):
        raise KeyboardInterrupt

    monkeypatch.setattr(fogtree.CFR, "save", interrupted)
    solution = solve(KUHN, "cfr+", iterations=10, checkpoint=tmp_path / "work.npz")
    assert solution.iterations == 10 and solution.ended == Ended.ITERATIONS
    assert_holds(solution, KUHN, -1 / 18)


# --- through an equal smaller game ---


def test_a_finished_solution_is_lifted_without_another_walk(monkeypatch):
    # 107,909 histories: forced centres, winning tries first, up to symmetry; they are walked once, before the first iteration
    seen = []
    solution = solve(FORCED, "cfr+", iterations=3, progress=seen.append)
    told = [now.what for now in seen]
    assert told == sorted(told) and set(told) == {"histories", "iterations"}  # histories, then iterations, then nothing
    assert max(now.done for now in seen if now.what == "histories") == 107_909
    small = smallest_equal(FORCED, whole=False)
    by_walking = lifted(CFR(sequence_form(small), "cfr+").run(iterations=3).strategy(), FORCED, small=small)
    monkeypatch.setattr(reduction, "walk_through", lambda *args: pytest.fail("another walk"))
    again = solve(FORCED, "cfr+", iterations=3).strategy
    for mine, walked in ((solution.strategy, by_walking), (again, by_walking)):
        assert mine.game == walked.game
        for field in ("player", "view", "first", "action"):
            assert (getattr(mine, field) == getattr(walked, field)).all()


def test_ctrl_c_leaves_a_strategy_of_the_larger_game():
    def stop(now):
        if now.what == "iterations":
            raise KeyboardInterrupt

    solution = solve(FORCED, "cfr+", target=1e-9, partial=True, progress=stop)
    assert solution.ended == Ended.STOPPED and solution.strategy.game == identity(FORCED)
    found = exploitability(FORCED, solution.strategy, engine="stream")
    assert found.total == pytest.approx(solution.total, abs=1e-9)


def test_forced_centre_phantom_tic_tac_toe_is_worth_13_over_22():
    # 0.5909 by an independent program, with and without trying to win first
    solution = solve(FORCED, target=0.002)
    assert solution.low <= 13 / 22 <= solution.high and solution.total <= 0.002
    assert solution.game == identity(FORCED) == solution.strategy.game
    assert solution.method == f"lp on {identity(FORCED.reduced())}, up to symmetry"
    # the certificate comes from the smaller game; judged in the larger one, streaming, it is the same
    found = exploitability(FORCED, solution.strategy, engine="stream")
    assert found.values == pytest.approx((solution.high, -solution.low), abs=1e-9)
    assert found.total == pytest.approx(solution.total, abs=1e-9)


@pytest.mark.slow
def test_forced_centre_phantom_tic_tac_toe_without_the_smaller_game():
    solution = solve(sequence_form(FORCED), target=0.002)
    assert solution.method in RACERS
    assert solution.low <= 13 / 22 <= solution.high and solution.total <= 0.002


@pytest.mark.slow
def test_full_phantom_tic_tac_toe_is_worth_two_thirds():
    # so the first player scores (1 + 2/3) / 2 = 83.3 %, the 83 % of Lisý 2014
    solution = solve(CLASSICAL, target=0.005)
    assert solution.low <= 2 / 3 <= solution.high and solution.total <= 0.005
    assert solution.value == pytest.approx(2 / 3, abs=0.0025)
    found = exploitability(CLASSICAL, solution.strategy, engine="stream")
    assert found.total == pytest.approx(solution.total, abs=1e-9)


# --- bad input ---


@pytest.mark.parametrize(
    "arguments, sentence",
    [
        (
            {"method": "magic"},
            r"there is no method 'magic': valid are auto, lp, oracle, streamed-oracle, cfr, cfr\+, linear, dcfr, pcfr\+, "
            r"pdcfr\+, hs-pcfr\+, external, outcome",
        ),
        ({"target": 0}, "target must be a number above 0, not 0"),
        ({"target": -0.1}, "target must be a number above 0, not -0.1"),
        ({"target": math.nan}, "target must be a number above 0, not nan"),
        ({"seconds": 0}, "seconds must be a number above 0, not 0"),
        ({"iterations": 0}, "iterations must be a whole number of 1 or more, not 0"),
        ({"iterations": 2.5}, "iterations must be a whole number of 1 or more, not 2.5"),
        ({"iterations": math.inf}, "iterations must be a whole number of 1 or more, not inf"),
    ],
)
def test_what_makes_no_sense_is_refused_before_any_work(arguments, sentence):
    def never(item):
        raise AssertionError

    with pytest.raises(Invalid, match=f"^{sentence}$"):
        solve(GOOFSPIEL, progress=never, **arguments)


def test_only_two_player_zero_sum_games_are_solved():
    with pytest.raises(Invalid, match="bimatrix is not zero-sum"):
        solve(fogtree.load("bimatrix"))


def test_every_rule_of_cfr_is_a_method():
    assert set(RULES) < set(METHODS)


@pytest.mark.parametrize("method", ["oracle", "external", "outcome"])
def test_the_other_methods_end_with_the_same_certificate(method):
    # Kuhn 1950: -1/18
    solution = fogtree.solve(fogtree.sequence_form(KUHN), method, target=0.01)
    assert solution.reached
    assert solution.low <= -1 / 18 + 1e-12 and solution.high >= -1 / 18 - 1e-12
    assert fogtree.exploitability(fogtree.Kuhn(), solution.strategy).total == pytest.approx(solution.total, abs=1e-12)


class Enumerated(Exception):
    """A form was asked for in lanes."""


@pytest.mark.parametrize("histories, streamed", [(9e9, False), (1.5e10, True), (2e13, False)])
def test_a_game_of_too_many_histories_for_the_form_on_a_gpu_is_streamed_unless_a_rule_is_named(
    histories, streamed, monkeypatch
):
    def form_in_lanes(*given, **named):
        raise Enumerated

    monkeypatch.setattr(tasks, "form_in_lanes", form_in_lanes)
    monkeypatch.setattr(tasks, "estimated_histories", lambda game: histories)
    monkeypatch.setattr(tasks, "_device", lambda device, *rest: device)

    def work_of(method, checkpoint=None):
        options = {"memory": None, "threads": None, "checkpoint": checkpoint, "progress": None, "whole": False}
        return tasks.prepared(
            tasks.request(KUHN, method, limits_from_now(None, None, 5), **options, device="cuda")
        ).work

    if streamed:
        assert work_of("auto").name == "streamed-oracle"
    else:
        with pytest.raises(Enumerated):
            work_of("auto")
    for asked in (("dcfr",), ("auto", "course.npz")):  # only a rule can be resumed
        with pytest.raises(Enumerated):
            work_of(*asked)


@pytest.fixture
def never_enumerated(monkeypatch):
    def enumerate(*args, **kwargs):
        raise AssertionError

    monkeypatch.setattr(tasks, "sequence_form", enumerate)
    monkeypatch.setattr(tasks, "form_and_forced", enumerate)


def test_a_method_that_samples_never_enumerates_and_proves_nothing(never_enumerated):
    solution = solve(KUHN, "external", iterations=300)
    assert solution.iterations == 300 and solution.ended == Ended.ITERATIONS and len(solution.strategy) == 12
    assert not solution.certified and math.isnan(solution.value) and (solution.low, solution.high) == (-2, 2)
    assert str(solution).startswith(
        "Kuhn(cards=3), rules version 1: no certificate, sampled by external, 300 iterations, "
    )
    assert not solve(KUHN, "external", target=0.1, iterations=10).reached
    assert solve(KUHN, "external", iterations=10**12, seconds=0.1).ended == Ended.SECONDS


def test_ctrl_c_keeps_what_was_sampled(never_enumerated):
    def stop(now):
        raise KeyboardInterrupt

    assert solve(KUHN, "external", iterations=10**9, partial=True, progress=stop).ended == Ended.STOPPED
    with pytest.raises(Interrupted) as stopped:
        solve(KUHN, "external", iterations=10**9, progress=stop)
    assert stopped.value.solution.iterations > 0


def test_a_method_that_samples_needs_a_limit(never_enumerated):
    with pytest.raises(
        Invalid, match="external samples the game and has no certificate, so a target cannot end it: limit"
    ):
        solve(KUHN, "external", target=0.1)


def test_the_seconds_end_an_enumeration_with_a_sentence(monkeypatch):
    monkeypatch.setattr(tasks, "SHORT", 0)
    with pytest.raises(Invalid, match=r"^the time limit of 1e-09 s ended while the game was being enumerated, after"):
        solve(LEDUC, "cfr+", seconds=1e-9)


def test_only_cfr_has_checkpoints(tmp_path):
    with pytest.raises(fogtree.Invalid, match="there are no checkpoints for external: use one of cfr, "):
        fogtree.solve(fogtree.Kuhn(), "external", iterations=10, checkpoint=tmp_path / "x.npz")
