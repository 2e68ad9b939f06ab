"""Sizes between quick and full: a number of matches, or of minutes."""

import pytest
from typer.testing import CliRunner

from fogtree import papers
from fogtree.cli import app
from fogtree.papers import PAPERS, laboratory, load_paper
from fogtree.papers.arenz2012 import go
from fogtree.papers.laboratory import Lab
from fogtree.papers.lisy2014 import draws, tables
from fogtree.papers.report import Paper, Section
from fogtree.papers.zhang2014 import tables as risks


@pytest.mark.parametrize("name", PAPERS)
def test_parts_that_take_matches_are_parts(name):
    paper = load_paper(name)
    assert set(paper.by_matches) <= set(paper.parts)


class Asked(Exception):
    """What a part wanted to be played."""


@pytest.mark.parametrize("scale", laboratory.SCALES)
@pytest.mark.parametrize("paper, part", [(name, part) for name in PAPERS for part in load_paper(name).by_matches])
def test_a_part_plays_as_many_matches_as_were_asked_for(monkeypatch, paper, part, scale):
    # 7 is the number of no scale; games that are played in pairs are 8
    def cells(lab, name, game, agents, matches):
        raise Asked({matches})

    def pieces(lab, name, parameters, task, given):
        if "pair" in given[0]:
            raise Asked({2 * (1 + max(piece["pair"] for piece in given))})
        if "matches" in given[0]:
            raise Asked({max(piece["match"] + piece["matches"] for piece in given)})
        raise Asked({len(given)})

    monkeypatch.setattr(Lab, "tournament", cells)
    monkeypatch.setattr(Lab, "map", pieces)
    with pytest.raises(Asked) as asked:
        load_paper(paper).parts[part](Lab(paper, scale, matches=7))
    assert asked.value.args[0] <= {7, 8}


def test_without_a_number_the_scale_counts():
    assert tables._matches(Lab("lisy2014"), "table1, 1 s") == tables.MATCHES["table1, 1 s"][0]
    assert go._games(Lab("arenz2012", "full"), "basic") == go.GAMES["basic"]
    assert risks._at_scale(Lab("zhang2014", "full"), risks.FULL) == (risks.FULL, risks.PAIRS)
    assert draws.MATCHES["pairs"][1] == Lab("lisy2014", "full").matches_or(125)


def test_a_part_without_matches_says_so_in_a_sentence():
    found = CliRunner().invoke(app, ["paper", "lisy2014", "figure2", "--matches", "10"])
    assert found.exit_code == 2
    assert "figure2 of lisy2014 does not take a number of matches: valid are table1, table3" in found.output
    found = CliRunner().invoke(app, ["paper", "auger2011", "table1", "--matches", "10"])
    assert found.exit_code == 2 and "no part of this paper does" in found.output


def wait(number):
    clock[0] += 45.0
    return number


clock = [0.0]


@pytest.fixture
def slow(monkeypatch, tmp_path):
    """A paper of two parts, each of two pieces that take 45 s; returns what runs it for two minutes."""

    def part(name):
        def measure(lab):
            found = lab.map(name, {}, wait, [{"number": 1}, {"number": 2}])
            return Section(name, name, f"found {found}")

        return measure

    clock[0] = 0.0
    monkeypatch.setattr("fogtree.cli.long.time.monotonic", lambda: clock[0])
    paper = Paper("slow", "Slow", "Nobody.", {"first": part("first"), "second": part("second")})
    monkeypatch.setattr(papers, "load_paper", lambda name: paper)
    words = f"paper slow --minutes 2 --cores 1 --out {tmp_path / 'out'} --store {tmp_path / 'runs.sqlite'}".split()
    return lambda: CliRunner().invoke(app, words)


def test_when_the_minutes_are_over_the_whole_parts_are_reported_and_the_rest_is_kept(slow, tmp_path):
    told = slow()
    assert told.exit_code == 0, told.output
    assert "2 minutes are over, and second is not whole" in told.output.replace("\n", " ")
    report = (tmp_path / "out/report.md").read_text()
    assert "found [1, 2]" in report and "## second" not in report
    before, told = clock[0], slow()
    assert clock[0] == before + 45.0, "one piece was left"
    assert "minutes are over" not in told.output and "## second" in (tmp_path / "out/report.md").read_text()


def test_if_no_part_is_whole_there_is_no_report(slow, tmp_path, monkeypatch):
    monkeypatch.setattr(laboratory.Lab, "map", lambda *_: (_ for _ in ()).throw(laboratory.OutOfTime))
    told = slow()
    assert told.exit_code == 0 and "first, second are not whole" in told.output.replace("\n", " ")
    assert not (tmp_path / "out/report.md").exists()
