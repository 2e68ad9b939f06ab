"""Claims and their verdicts, and that no verdict of any paper is one that cannot fail."""

import json
import math
import pathlib

import numpy as np
import pytest

from fogtree.measure.intervals import wilson_half
from fogtree.papers import PAPERS, claims, load_paper
from fogtree.papers.claims import AGREES, CANNOT_TELL, DIFFERS, KINDS, NEW, Claim
from fogtree.papers.report import Paper, judge_again, read_report

DOCS = pathlib.Path(__file__).parents[2] / "docs" / "papers"


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        (Claim("within 3 points", 50, 53, kind="percent"), AGREES),
        (Claim("more than 3 points", 50, 53.1, kind="percent"), DIFFERS),
        (Claim("inside our interval", 50, 54, half=4.5, kind="percent"), AGREES),
        (Claim("outside it", 50, 55, half=4.5, kind="percent"), DIFFERS),
        (Claim("joint: hypot(3, 4) is 5", 50, 54.9, half=3, printed_half=4, kind="percent"), AGREES),
        (Claim("joint, just outside", 50, 55.1, half=3, printed_half=4, kind="percent"), DIFFERS),
        (Claim("an interval of 6 points still tells", 50, 55, half=6, kind="percent"), AGREES),
        (Claim("a wider one holds both answers", 50, 55, half=6.1, kind="percent"), CANNOT_TELL),
        (Claim("also if ours is as printed", 50, 50, half=6.1, kind="percent"), CANNOT_TELL),
        (Claim("far away is far away, however wide", 50, 70, half=10, kind="percent"), DIFFERS),
        (Claim("2 % are not 0.6 %", 2, 0.6, half=0.1, kind="percent"), DIFFERS),
        (Claim("97 % are not 99.9 %", 97, 99.9, half=0.1, kind="percent"), DIFFERS),
        (Claim("a probability", 0.4, 0.43, kind="rate"), AGREES),
        (Claim("another", 0.4, 0.44, kind="rate"), DIFFERS),
        (Claim("a printed 0", 0.0, 0.004, kind="rate"), AGREES),
        (Claim("a printed 0 that is none", 0.0, 0.006, kind="rate"), DIFFERS),
        (Claim("as good as 1", 0.99999, 0.9995, kind="rate"), AGREES),
        (Claim("a tenth", 0.41, 0.45, kind="amount"), AGREES),
        (Claim("more than a tenth", 0.41, 0.46, kind="amount"), DIFFERS),
        (Claim("two runs that tell nothing", 0.13, 0.072, half=0.14, kind="amount"), CANNOT_TELL),
        (Claim("half the time", 10, 5, kind="duration"), AGREES),
        (Claim("twice the time", 10, 20, kind="duration"), AGREES),
        (Claim("3.5 times", 10, 35, kind="duration"), DIFFERS),
        (Claim("3.5 times, as uncertain", 10, 35, half=5.6, kind="duration"), CANNOT_TELL),
        (Claim("3.2 times, less uncertain", 25, 81, half=1.8, kind="duration"), DIFFERS),
        (Claim("no time at all", 10, 0, kind="duration"), DIFFERS),
        (Claim("exact", 2.0, 2.0), AGREES),
        (Claim("exact but for rounding", 0.35, 0.354, rounding=0.005), AGREES),
        (Claim("not exact", 2.0, 2.001), DIFFERS),
        (Claim("nothing printed", None, 2.0), NEW),
        (Claim("no number of ours", 2.0, math.nan), DIFFERS),
    ],
    ids=lambda value: value.what if isinstance(value, Claim) else "",
)
def test_a_verdict_weighs_tolerance_and_intervals(claim, verdict):
    assert claim.verdict() == verdict


def test_the_same_kind_of_claim_has_the_same_tolerance():
    # what two figures of Lisý 2014 were once judged by: 25 s for both, of 25 s and of 10 s
    assert Claim("x", 25.0, 81.0, kind="duration").tolerance == Claim("y", 10.0, 35.0, kind="duration").tolerance == 2.0
    assert {kind: Claim("x", 0.4, 0.4, kind=kind).tolerance for kind in KINDS} == pytest.approx(
        {"exact": 0.0, "percent": 0.2, "rate": 0.03, "amount": 0.04, "duration": 2.0}
    )


def test_two_hundred_thousand_are_not_eighty_five():
    # Figure 4.15 of Briedoň 2015, once judged by a tolerance of 200,000
    assert Claim("simulations", 200_000, 85, kind="duration").verdict() == DIFFERS


def test_the_verdicts_are_counted_in_a_sentence():
    three = [Claim("a", 1, 1), Claim("b", 1, 2), Claim("c", 1, 2), Claim("d", None, 1)]
    assert claims.counted(three) == "Of 3 printed numbers 1 agrees and 2 differ."
    unsure = Claim("e", 1, 1, half=1, kind="amount")
    assert claims.counted([unsure]) == "Of 1 printed number 0 agree and 0 differ; of 1 we cannot tell."
    assert claims.counted([Claim("d", None, 1)]) == ""


def test_a_printed_run_agrees_inside_the_range_of_ours_if_that_is_narrow():
    ours = 0.5 + np.arange(101) / 2000  # 0.5 to 0.55
    assert claims.inside("x", 0.5015, ours).verdict() == AGREES
    assert claims.inside("x", 0.45, ours).verdict() == DIFFERS
    claim = claims.inside("x", 0.525, ours)
    assert (claim.ours, claim.half) == pytest.approx((0.525, 0.02375)) and claim.note == "101 runs, median 0.525"
    assert claims.inside("x", 0.525, ours * 8 - 3.5).verdict() == CANNOT_TELL  # 0.5 to 0.9


def test_wilson_by_hand():
    # 5 of 10: the half width is z sqrt(0.025 + z^2 / 400) / (1 + z^2 / 10), by a calculator 0.2634
    assert wilson_half(0.5, 10) == pytest.approx(0.2634, abs=1e-4)
    assert wilson_half(0.0, 100) == pytest.approx(0.0185, abs=1e-4)


REPORTS = sorted(file.parent for file in DOCS.rglob("report.json"))  # a paper has one, or one for each of its games
UNPRINTED = [DOCS / "zhang2014" / "rivals"]  # reports of what nobody else has measured


def paper_of(report: pathlib.Path) -> Paper:
    return load_paper(json.loads((report / "report.json").read_text(encoding="utf-8"))["paper"])


def judged(report: pathlib.Path) -> list[Claim]:
    """The claims of a committed report of which something is printed."""
    _, sections = read_report(paper_of(report), report)
    return [claim for section in sections for claim in section.claims if claim.printed is not None]


def test_every_paper_has_a_committed_report():
    assert {paper_of(report).name for report in REPORTS} == set(PAPERS)


@pytest.mark.parametrize("report", REPORTS, ids=lambda report: str(report.relative_to(DOCS)))
def test_every_verdict_of_the_committed_reports_could_have_been_another(report, can_fail):
    # a report of our own has few printed numbers beside its own, or none
    few = -1 if report in UNPRINTED else 0
    assert len(judged(report)) > (50 if report.parent == DOCS and report.name != "soundness" else few)
    for claim in judged(report):
        can_fail(claim)


@pytest.mark.parametrize("report", REPORTS, ids=lambda report: str(report.relative_to(DOCS)))
def test_the_committed_reports_are_judged_by_the_present_rules(report, tmp_path):
    files = [file for file in report.iterdir() if file.is_file()]  # beside them may be a folder with a further report
    for file in files:
        (tmp_path / file.name).write_bytes(file.read_bytes())
    judge_again(paper_of(report), tmp_path)
    for file in files:
        assert (tmp_path / file.name).read_bytes() == file.read_bytes(), file


def test_all_three_verdicts_are_given():
    assert {claim.verdict() for report in REPORTS for claim in judged(report)} == {AGREES, DIFFERS, CANNOT_TELL}
