"""The report in its two forms, and judged again from its numbers."""

import csv
import pathlib

import pytest
from matplotlib.figure import Figure
from typer.testing import CliRunner

from fogtree.cli import app
from fogtree.errors import Invalid
from fogtree.papers import PAPERS, load_paper, report
from fogtree.papers.claims import AGREES, CANNOT_TELL, DIFFERS, Claim
from fogtree.papers.report import Facts, Paper, Section, choose_parts, judge_again, read_report, write_report

FACTS = Facts("fogtree paper nobody1999", 7, "full", "a machine")


def test_a_report_has_every_number_in_both_forms_and_as_csv(tmp_path):
    figure = Figure()
    figure.subplots().plot([1, 2], [3, 4])
    claims = [
        Claim("a | b", 62.9, 61.5, half=3.1, printed_half=2.6, kind="percent"),
        Claim("<c>", 1.0, 9.0, note="why"),
        Claim("d", 10.0, 35.0, half=5.6, kind="duration"),
    ]
    section = Section(
        "one", "Table 1", "First.\n\nThen `code`.", claims, {"raw": (["x", "y"], [[1, 2.5]])}, {"drawn": figure}
    )
    paper = Paper("nobody1999", "On nothing", "Nowhere.", {"one": lambda lab: section})
    path = write_report(paper, FACTS, [section], tmp_path)
    page, text = path.read_text(), (tmp_path / "report.md").read_text()
    for word in (
        "62.9",
        "61.5",
        "± 3.1",
        "-1.4",
        "± 3",
        "x 3.5",
        "x 5.6",
        "x 2",
        "cannot tell",
        "agrees",
        "differs",
        "+8",
        "why",
        "seed 7",
        "fogtree paper nobody1999",
    ):
        assert word in page, word
        assert word in text, word
    assert "Of 3 printed numbers 1 agrees and 1 differs; of 1 we cannot tell." in text
    assert "a \\| b" in text, "a bar would end the cell"
    assert "&lt;c&gt;" in page
    assert "<svg" in page, "pictures are inside, so that the file can be handed on"
    assert "![drawn](drawn.svg)" in text
    assert (tmp_path / "drawn.png").stat().st_size > 1000
    assert (tmp_path / "raw.csv").read_text().split() == ["x,y", "1,2.5"]
    rows = list(csv.DictReader((tmp_path / "one.csv").read_text().splitlines()))
    assert [row["verdict"] for row in rows] == [AGREES, DIFFERS, CANNOT_TELL]


def test_the_same_numbers_give_the_same_files(tmp_path):
    section = Section("one", "Table 1", claims=[Claim("x", 1.0, 1.0)])
    paper = Paper("nobody1999", "On nothing", "Nowhere.", {})
    for folder in ("a", "b"):
        write_report(paper, FACTS, [section], tmp_path / folder)
    assert (tmp_path / "a/report.md").read_bytes() == (tmp_path / "b/report.md").read_bytes()


def test_a_picture_of_a_report_does_not_say_on_which_day_it_was_drawn(tmp_path):
    figure = Figure()
    figure.subplots().plot([1, 2], [3, 4])
    paper = Paper("nobody1999", "On nothing", "Nowhere.", {})
    write_report(paper, FACTS, [Section("one", "Table 1", pictures={"drawn": figure})], tmp_path)
    assert "<dc:date>" not in (tmp_path / "drawn.svg").read_text() and (tmp_path / "drawn.png").exists()


def test_a_report_is_read_back_as_it_was_written(tmp_path):
    figure = Figure()
    claims = [Claim("a", 62.9, 61.5, 3.1, 2.6, "percent", note="why"), Claim("b", None, 1 / 3), Claim("c", 1.0, 2.0)]
    tables = {"raw": (["x", "y", "z"], [["0.00001", 1 / 3, 5], ["a", 2.0, ""]])}
    section = Section("one", "Table 1", "First.\n\n  Then\n second. ", claims, tables, {"drawn": figure})
    paper = Paper("nobody1999", "On nothing", "Nowhere.", {})
    write_report(paper, FACTS, [section], tmp_path)
    facts, (again,) = read_report(paper, tmp_path)
    assert facts == FACTS
    assert [claim._replace(ours=round(claim.ours, 8)) for claim in again.claims] == [
        claim._replace(ours=round(claim.ours, 8)) for claim in claims
    ]
    assert again.tables["raw"][1] == [["0.00001", 1 / 3, "5"], ["a", 2.0, ""]]
    assert again.pictures == {"drawn": None} and again.prose == "First.\n\nThen second."
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    judge_again(paper, tmp_path)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before, "the same rules, the same files"


def test_a_report_is_judged_again_by_the_rules_of_the_day(tmp_path, monkeypatch):
    section = Section("one", "Table 1", claims=[Claim("x", 50, 53, kind="percent")])
    paper = Paper("nobody1999", "On nothing", "Nowhere.", {})
    write_report(paper, FACTS, [section], tmp_path)
    assert "1 agrees" in (tmp_path / "report.md").read_text()
    monkeypatch.setitem(report.KINDS, "percent", (lambda printed: 1.0, "1 point"))
    judge_again(paper, tmp_path)
    text = (tmp_path / "report.md").read_text()
    assert "0 agree and 1 differs" in text and "1 point" in text
    assert "differs" in (tmp_path / "one.csv").read_text()


def test_what_is_no_report_is_refused_in_a_sentence(tmp_path):
    paper = Paper("nobody1999", "On nothing", "Nowhere.", {})
    with pytest.raises(Invalid, match="has no report of nobody1999 that can be read"):
        judge_again(paper, tmp_path)
    write_report(paper._replace(name="other"), FACTS, [], tmp_path)
    with pytest.raises(Invalid, match="has a report of other, format 1, not of nobody1999"):
        judge_again(paper, tmp_path)
    write_report(paper, FACTS, [Section("one", "Table 1", claims=[Claim("x", 1, 1)])], tmp_path)
    (tmp_path / "one.csv").write_text("what,printed\nx,y\n")
    with pytest.raises(Invalid, match="has no report of nobody1999 that can be read"):
        judge_again(paper, tmp_path)


def test_what_is_not_there_is_refused_in_a_sentence(tmp_path):
    with pytest.raises(Invalid, match=r"there is no paper 'x': valid are .*lisy2014"):
        load_paper("x")
    paper = load_paper("lisy2014")
    with pytest.raises(Invalid, match="lisy2014 has no part 'figure9': valid are table1"):
        choose_parts(paper, "quick", ["figure9"])
    with pytest.raises(Invalid, match="there is no scale 'huge': valid are quick, full"):
        choose_parts(paper, "huge", [])
    (tmp_path / "file").write_text("")
    with pytest.raises(Invalid, match="cannot be written"):
        write_report(paper, FACTS, [], tmp_path / "file" / "x")


def test_a_name_stands_for_its_whole_family_of_parts():
    parts = dict.fromkeys(["go", "chess", "chess-ratings", "chessboard"], lambda lab: Section("x", "X"))
    paper = Paper("nobody1999", "Nothing", "N. Body", parts)
    assert choose_parts(paper, "quick", ["chess"]) == ["chess", "chess-ratings"]
    assert choose_parts(paper, "quick", ["chess-ratings", "chess", "go"]) == ["chess-ratings", "chess", "go"]
    assert choose_parts(paper, "quick", []) == list(parts)


@pytest.mark.parametrize("name", PAPERS)
def test_every_paper_says_who_it_is(name):
    paper = load_paper(name)
    assert paper.name == name
    assert paper.title
    assert paper.source
    assert paper.parts


def test_the_command_judges_a_folder_again_and_refuses_what_makes_no_sense(tmp_path):
    paper = load_paper("lisy2014")
    section = Section("one", "Table 1", claims=[Claim("x", 50, 53, kind="percent"), Claim("y", 1.0, 9.0)])
    write_report(paper, FACTS, [section], tmp_path)
    (tmp_path / "report.md").write_text("lost")
    done = CliRunner().invoke(app, ["paper", "lisy2014", "--from", str(tmp_path)])
    assert done.exit_code == 0 and "y: printed 1, ours 9" in done.output
    assert "1 agrees and 1 differs" in (tmp_path / "report.md").read_text()
    refused = CliRunner().invoke(app, ["paper", "lisy2014", "table1", "--from", str(tmp_path)])
    assert refused.exit_code != 0 and "give no parts and no --out" in refused.output


def test_no_table_has_two_columns_of_one_name(tmp_path):
    paper = load_paper("lisy2014")
    section = Section("one", "Table 1", tables={"one-rows": (["R", "percent", "± 95 %", "drop", "± 95 %"], [[1] * 5])})
    with pytest.raises(Invalid, match=r"one-rows\.csv has two columns of one name: R, percent, ± 95 %, drop, ± 95 %"):
        write_report(paper, FACTS, [section], tmp_path)
    for path in (pathlib.Path(__file__).parents[2] / "docs" / "papers").rglob("*.csv"):
        with open(path, newline="") as file:
            header = next(csv.reader(file))
        assert len(set(header)) == len(header), path
