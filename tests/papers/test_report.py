"""Claims and their verdicts, and the report in its two forms."""

import csv
import math

import pytest
from matplotlib.figure import Figure

from fogtree.errors import Invalid
from fogtree.papers import PAPERS, load_paper
from fogtree.papers.laboratory import Lab
from fogtree.papers.report import AGREES, DIFFERS, NEW, Claim, Paper, Section, check_parts, write_report


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        (Claim("inside our interval", 0.5, 0.58, half=0.1), AGREES),
        (Claim("outside it", 0.5, 0.62, half=0.1), DIFFERS),
        (Claim("joint: hypot(3, 4) is 5", 50, 54.9, half=3, printed_half=4), AGREES),
        (Claim("joint, just outside", 50, 55.1, half=3, printed_half=4), DIFFERS),
        (Claim("the tolerance is the wider", 50, 53, half=1, tolerance=3), AGREES),
        (Claim("exact", 2.0, 2.0), AGREES),
        (Claim("nothing printed", None, 2.0), NEW),
        (Claim("no number of ours", 2.0, math.nan), DIFFERS),
    ],
)
def test_a_verdict_weighs_both_intervals(claim, verdict):
    assert claim.verdict() == verdict


def test_a_report_has_every_number_in_both_forms_and_as_csv(tmp_path):
    figure = Figure()
    figure.subplots().plot([1, 2], [3, 4])
    claims = [Claim("a | b", 62.9, 61.5, half=3.1, printed_half=2.6), Claim("<c>", 1.0, 9.0, note="why")]
    section = Section(
        "one", "Table 1", "First.\n\nThen `code`.", claims, {"raw": (["x", "y"], [[1, 2.5]])}, {"drawn": figure}
    )
    paper = Paper("nobody1999", "On nothing", "Nowhere.", {"one": lambda lab: section})
    path = write_report(paper, Lab("nobody1999", seed=7), [section], tmp_path, "fogtree paper nobody1999")
    page, text = path.read_text(), (tmp_path / "report.md").read_text()
    for word in (
        "62.9",
        "61.5",
        "± 3.1",
        "-1.4",
        "agrees",
        "differs",
        "+8",
        "why",
        "seed 7",
        "fogtree paper nobody1999",
    ):
        assert word in page, word
        assert word in text, word
    assert "Of 2 printed numbers 1 agree and 1 differ" in text
    assert "a \\| b" in text, "a bar would end the cell"
    assert "&lt;c&gt;" in page
    assert "<svg" in page, "pictures are inside, so that the file can be handed on"
    assert "![drawn](drawn.svg)" in text
    assert (tmp_path / "drawn.png").stat().st_size > 1000
    assert (tmp_path / "raw.csv").read_text().split() == ["x,y", "1,2.5"]
    rows = list(csv.DictReader((tmp_path / "one.csv").read_text().splitlines()))
    assert [row["verdict"] for row in rows] == [AGREES, DIFFERS]


def test_the_same_numbers_give_the_same_files(tmp_path):
    section = Section("one", "Table 1", claims=[Claim("x", 1.0, 1.0)])
    paper = Paper("nobody1999", "On nothing", "Nowhere.", {})
    for folder in ("a", "b"):
        write_report(paper, Lab("nobody1999"), [section], tmp_path / folder, "x")
    assert (tmp_path / "a/report.md").read_bytes() == (tmp_path / "b/report.md").read_bytes()


def test_what_is_not_there_is_refused_in_a_sentence(tmp_path):
    with pytest.raises(Invalid, match=r"there is no paper 'x': valid are .*lisy2014"):
        load_paper("x")
    paper = load_paper("lisy2014")
    with pytest.raises(Invalid, match="lisy2014 has no part 'figure9': valid are table1"):
        check_parts(paper, "quick", ["figure9"])
    with pytest.raises(Invalid, match="there is no scale 'huge': valid are quick, full"):
        check_parts(paper, "huge", [])
    (tmp_path / "file").write_text("")
    with pytest.raises(Invalid, match="cannot be written"):
        write_report(paper, Lab("lisy2014"), [], tmp_path / "file" / "x", "x")


@pytest.mark.parametrize("name", PAPERS)
def test_every_paper_says_who_it_is(name):
    paper = load_paper(name)
    assert paper.name == name
    assert paper.title
    assert paper.source
    assert paper.parts
