"""The report on sound search at the table."""

import math

import pytest

from fogtree.measure.soundness import Sound
from fogtree.papers.laboratory import Lab
from fogtree.papers.soundness import PAPER, measured
from fogtree.papers.soundness.games import ALL, SETTINGS, Size
from fogtree.solvers.forms.sequence import sequence_form
from fogtree.text.naming import load

LAB = Lab("soundness", cores=1)


@pytest.fixture
def small(monkeypatch):
    """Kuhn poker alone, a few iterations."""
    kuhn = SETTINGS["kuhn"]._replace(quick=Size((10, 40), 2))
    monkeypatch.setattr(measured, "LEAST", 2)
    monkeypatch.setattr(measured, "SETTINGS", {"kuhn": kuhn})


def test_every_game_of_the_report_is_there_and_fits_its_agents():
    assert set(SETTINGS) < set(PAPER.parts)
    for setting in SETTINGS.values():
        assert load(setting.game) and set(setting.agents) <= set(ALL)
        assert setting.quick.seeds <= setting.full.seeds and max(setting.quick.budgets) <= max(setting.full.budgets)


def test_a_game_has_a_row_for_each_agent_and_budget_and_all_meet(small):
    found = measured.measure(LAB, "kuhn")
    assert [each.agent for each in found[:3]] == ["random", "rm:iterations=10", "rm:iterations=40"]
    assert len(found) == 1 + 2 * (len(ALL) - 1)
    section = measured.of_game(LAB, "kuhn")
    header, rows = section.tables["kuhn"]
    assert len(rows) == len(found) and header[0] == "agent"
    names, matrix = section.tables["kuhn-meets"]
    assert len(matrix) == len(ALL) == len(names) - 1
    for i, row in enumerate(matrix):  # payoffs sum to 0
        assert row[1 + i] == pytest.approx(0, abs=1e-9)
        assert all(row[1 + j] == pytest.approx(-matrix[j][1 + i], abs=1e-9) for j in range(len(matrix)))
    assert "Hardest to exploit: " in section.prose and "Most is won from the others by " in section.prose


def sound(agent, low, high):
    return Sound(agent, 10, 4, low, high, high, 0.0, 5, 0.1, None)


@pytest.mark.parametrize(
    ("oos", "rm", "sentence"),
    [
        ((0.2, 0.3), (0.4, 0.5), "resolve (0.1), then oos (0.2 to 0.3). "),
        (
            (0.2, 0.3),
            (0.25, 0.5),
            "resolve (0.1), then these seeds cannot tell oos (0.2 to 0.3) from rm (0.25 to 0.5). ",
        ),
        ((0.05, 0.3), (0.2, 0.5), "these seeds cannot tell resolve (0.1) from oos (0.05 to 0.3). "),
        ((0, 0.3), (0.1, 0.5), "these seeds cannot tell resolve (0.1) from oos (0 to 0.3), rm (0.1 to 0.5). "),
    ],
)
def test_where_brackets_overlap_nobody_is_put_before_another(monkeypatch, oos, rm, sentence):
    monkeypatch.setattr(measured, "head_to_head", lambda found: {"rm": 0.5})
    still = sound("resolve", math.nan, 0.1)  # one seed and no dice: a single number
    found = [sound("random", math.nan, 2.0)._replace(thoughts=0), sound("rm", *rm), sound("oos", *oos), still]
    assert f"Hardest to exploit: {sentence}Most is won" in measured.words(found)


def test_what_is_hardest_to_exploit_is_named_by_its_number(small):
    header, rows = measured.advice(LAB).tables["advice"]
    found = measured.largest(measured.measure(LAB, "kuhn"))
    best = min((each for each in found if each.thoughts), key=lambda each: each.high)
    assert rows[0][1] == best.agent and len(header) == len(rows[0])


def test_mmcts_is_measured_by_what_it_found_before_the_match():
    form = sequence_form(load("kuhn"))
    few, many = (measured.mmcts(LAB, "kuhn", form, budget, 2) for budget in (20, 20_000))
    assert many.high < 0.5 * few.high and many.seeds == 2 and not math.isnan(many.low)


def test_printed_numbers_are_told_right_and_wrong(can_fail):
    claims = measured.checks(LAB).claims
    for claim in claims:
        can_fail(claim)
    verdicts = [claim.verdict() for claim in claims]
    assert verdicts == [
        "agrees",
        "agrees",
        "agrees",
        "differs",
    ]  # of the two printed values of Liar's Dice one is wrong
