"""The paper's parts: all of them made, small and with one bandit for all, and the statistics by hand."""

import re

import numpy as np
import pytest

from fogtree.bandits import NondeterministicUCT
from fogtree.measure import stubborn
from fogtree.measure.track import tracks
from fogtree.papers import load_paper
from fogtree.papers.briedon2015 import beyond, constants, courses, rounds, sweeps
from fogtree.papers.laboratory import Lab

PAPER = load_paper("briedon2015")
LAB = Lab("briedon2015", cores=1)


@pytest.fixture
def small(monkeypatch):
    """Every bandit is the one that other tests compile too, and begins as IS-MCTS does."""
    monkeypatch.setitem(courses.STARTS, "library", tracks)
    for module in (courses, stubborn):
        monkeypatch.setattr(module, "load_bandit", lambda text: NondeterministicUCT())
    for module in (courses, constants, sweeps):
        monkeypatch.setattr(module, "QUICK_STEPS", 60)
    monkeypatch.setattr(courses, "_known", {})
    monkeypatch.setattr(sweeps, "_known", {})


def test_every_figure_and_section_of_the_thesis_is_a_part():
    figures = {f"figure4.{n}" for n in range(1, 19)}
    sections = {"section3.3.2", "section4.3", "section4.4.1", "section4.4.2", "section4.4.3", "section4.5"}
    sections |= {"section4.5.3", "section4.6.1", "section4.6.2", "section4.6.3", "section5.1"}
    assert figures | sections <= set(PAPER.parts)


def test_every_part_is_made_and_no_verdict_is_one_that_cannot_fail(small, can_fail):
    for name, part in PAPER.parts.items():
        section = part(LAB)
        assert section.name == name
        for claim in section.claims:
            if claim.printed is not None:
                can_fail(claim)
        assert section.claims or section.pictures or section.tables
        for header, rows in section.tables.values():
            assert rows and {len(row) for row in rows} == {len(header)}
        for figure in section.pictures.values():
            legends = [axes.get_legend() for axes in figure.axes]
            assert not any(legend.get_frame_on() for legend in legends if legend is not None)


@pytest.mark.parametrize("part", ["epsilons", "windows", "ends", "section4.4.2", "section5.1"])
def test_the_runs_that_the_prose_counts_are_those_that_were_made(part, small, monkeypatch):
    # the report on epsilons once said 20 where 10 were made
    made = []
    play = courses.runs_of
    for module in (courses, constants):
        monkeypatch.setattr(module, "runs_of", lambda *given, **more: made.append(play(*given, **more)) or made[-1])
    monkeypatch.setattr(courses, "QUICK_RUNS", 3)
    prose = PAPER.parts[part](LAB).prose
    counts = {len(runs.ends) for runs in made}
    assert (
        {int(count) for count in re.findall(r"(\d+) runs? to [\d,]+ simulations", prose)}
        == counts
        == {1 if part == "ends" else 3}
    )


def test_games_that_are_only_shown_are_judged_exactly():
    verdicts = {claim.what: claim.verdict() for claim in PAPER.parts["figure4.1"](LAB).claims}
    assert verdicts.pop("value of the game") == "differs"  # -1.2, printed -1.35
    assert set(verdicts.values()) == {"agrees"}
    assert {claim.verdict() for claim in PAPER.parts["figure4.16"](LAB).claims} == {"agrees"}


def test_runs_know_how_far_they_are_from_print():
    x, y = np.array([[[0.5, 0.5]], [[0.9, 0.1]]]), np.array([[[1.0, 0.0]], [[0.6, 0.4]]])
    runs = courses.Runs(np.array([10, 1000]), x, y, np.zeros((2, 1)), None, np.zeros(2))
    assert runs.apart((0.6, 0.4), (1.0, 0.0)) == pytest.approx([0.1, 0.4])
    assert runs.apart((0.6, 0.4), ()) == pytest.approx([0.1, 0.3])
    assert runs.at(200) == 1


def test_a_median_weighs_classes():
    assert beyond._median(np.array([3.0, 1.0, 2.0]), np.array([1, 10, 1])) == 1.0


def test_runs_side_by_side_are_the_runs_one_by_one():
    given = "briedon2015/figure4.1", "uct-eps:epsilon=0.0001", 40
    alone = [courses.play_course(*given, seed, "library") for seed in (3, 4)]
    together = courses.play_courses(*given, 3, "library", 2, "cpu")
    for run in (*alone, *together):
        del run["seconds"]
    assert together == alone


def test_runs_of_the_first_game_are_counted_by_where_they_end(monkeypatch):
    ends, still = np.array([0.05, 1.0, 7.0, 7.5]), np.zeros((4, 1, 4))
    monkeypatch.setattr(
        rounds, "runs_on", lambda *given: courses.Runs(np.array([10]), still, still, ends[:, None], None, np.zeros(4))
    )
    ours = {claim.what: claim.ours for claim in PAPER.parts["section4.6.1"](LAB).claims}
    for epsilon in rounds.EPSILONS_46:
        assert ours[f"share of runs below 0.08, epsilon {epsilon}"] == 1 / 4
        assert ours[f"share of runs above 6.5, epsilon {epsilon}"] == 2 / 4


def test_games_are_counted_by_where_they_end(monkeypatch):
    # six classes of one game each, the last of four
    ends = (0.0, 0.0002, 0.0004, 0.1, 0.3, 0.6)
    trials = [stubborn.Trial(n, 4 if n == 5 else 1, np.array([end])) for n, end in enumerate(ends)]
    found = stubborn.Sweep("", "3x3", 40, 0, trials, np.zeros(1))
    monkeypatch.setattr(sweeps, "swept", lambda *given: found)
    ours = {claim.what: claim.ours for claim in PAPER.parts["figure4.6"](LAB).claims}
    assert ours["share of games above 0.05"] == pytest.approx(6 / 9)
    assert ours["share above 0.5"] == pytest.approx(4 / 9)
    assert ours["share above 0.25"] == pytest.approx(5 / 9)
    assert ours["share between 0.0001 and 0.0005"] == pytest.approx(2 / 9)
    assert ours["the same with the sum of both gains"] == pytest.approx(1 / 9)  # above 0.00005, at most 0.00025
