"""Auger 2011: its printed numbers as data, its pieces on small games, its sections on made-up results."""

import csv
import pathlib

import numba
import pytest

from fogtree.measure.exploitability import exploitability
from fogtree.papers import load_paper
from fogtree.papers.auger2011 import pieces
from fogtree.papers.auger2011.pieces import evolve, exact, grow, learn, marks, split, streamed
from fogtree.papers.auger2011.printed import NAMES, SIZES, TABLE_1
from fogtree.papers.claims import AGREES, DIFFERS
from fogtree.papers.laboratory import Lab
from fogtree.papers.report import Facts, write_report
from fogtree.strategy import Strategy

WIN = {"aim": "win", "clock": "simulation"}


@pytest.fixture
def interpreted(monkeypatch):
    monkeypatch.setattr(numba.config, "DISABLE_JIT", True)


def test_the_printed_table_is_whole():
    assert len(TABLE_1) == len(NAMES) == 5 and all(len(row) == 5 for row in TABLE_1)
    assert all(first + second <= 100 for row in TABLE_1 for first, second in row)
    assert TABLE_1[2][2] == (85, 4)  # from which the printed value, 0.81
    assert marks(5_000) == [1_000, 2_000, 5_000] and marks(SIZES[-1])[-1] == 50_000_000


def test_the_printed_table_is_that_of_the_committed_report():
    path = pathlib.Path(__file__).parents[2] / "docs/papers/auger2011/table1.csv"
    rows = {row["what"]: row for row in csv.DictReader(path.read_text(encoding="utf-8").splitlines())}
    assert len(rows) == 50
    for one, row in zip(NAMES, TABLE_1, strict=True):
        for other, cell in zip(NAMES, row, strict=True):
            told = tuple(float(rows[f"{one} v {other}, {seat} wins (%)"]["printed"]) for seat in ("first", "second"))
            assert told == cell, (one, other)


# --- pieces, on small games ------------------------------------------------------------------------------------------


def test_a_growing_player_meets_itself_and_all_others(interpreted, monkeypatch):
    monkeypatch.setattr(pieces, "BeliefSampler", Strategy.uniform)  # whose tables take a while
    found = grow("phantom-ttt", **WIN, seed=1, simulations=30, sizes=[10, 30], games=4)
    assert [row[0] for row in found["alone"]] == [10, 30]
    assert len(found["table"]) == 4 and all(len(row) == 4 for row in found["table"])
    for row in found["table"]:
        for first, second in row:
            assert 0 <= first + second <= 1 and (4 * first) % 1 == 0


def test_best_responses_to_a_fixed_player(interpreted):
    # Kuhn's best responses to uniform play: 1/2 and 5/12
    values = [exact("kuhn", "random", seat, **WIN, seed=0, simulations=0)["value"] for seat in (0, 1)]
    assert values == pytest.approx([1 / 2, 5 / 12])


def test_the_evolving_opponents_payoff_is_told_in_terms_of_the_first_player(interpreted):
    curves = [evolve("kuhn", "random", seat, **WIN, seed=0, trained=0, simulations=800)["curve"] for seat in (0, 1)]
    assert [curve[-1][0] for curve in curves] == [794, 794]
    assert curves[0][-1][1] > curves[0][0][1] and curves[1][-1][1] < curves[1][0][1]


def test_learners_by_name(interpreted):
    found = learn("kuhn", "mmcts-zero-sum", 300, 0)
    assert found["iterations"] == [100, 178, 300] and len(found["total"]) == 3 and min(found["total"]) > 0
    assert learn("kuhn", "cfr+", 10, 0)["iterations"] == [1, 2, 3, 6, 10]
    assert split("kuhn", "zero-sum", 2, 300, 0)["total"] > 0


@pytest.mark.parametrize("algorithm", ["mmcts-zero-sum", "rm", "outcome"])
def test_what_a_search_learned_is_measured_exactly(algorithm, interpreted, monkeypatch):
    kept, response = [], pieces.stream_response
    monkeypatch.setattr(pieces, "stream_response", lambda *a, **k: kept.append(a[1]) or response(*a, **k))
    found = streamed("kuhn", algorithm, 50, 0)
    assert found["total"] == sum(found["values"]) and 0 < found["infosets"] <= 12
    assert found["values"] == pytest.approx(exploitability("kuhn", kept[0], engine="memory").values, abs=1e-12)


# --- sections, on made-up results ------------------------------------------------------------------------------------


class Made(Lab):
    """A lab whose results are made up; what is asked of it is kept."""

    def map(self, name, parameters, task, pieces):
        asked[name] = pieces
        return [MADE[task](piece) for piece in pieces]


asked: dict = {}


def made_table(piece):
    table = [[(first / 100, second / 100) for first, second in row] for row in TABLE_1]
    table[0][0] = (0.95, 0.02)
    sizes = piece["sizes"]
    if len(sizes) == 1:  # of `readings`: the trained player, Random, Belief
        table = [row[2:] for row in table[2:]]
    return {"table": table, "alone": [[n, 0.85, 0.04, 1.0, n] for n in sizes], "memory": 1}


def made_curve(piece):
    return {"iterations": [100, 1000], "seconds": [0.1, 1.0], "total": [1.0, 0.5 + piece["seed"] / 10]}


MADE = {
    grow: made_table,
    exact: lambda piece: {"value": 0.9 if piece["seat"] == 0 else -0.1},
    evolve: lambda piece: {"curve": [[100, 0.1], [1000, 0.2]]},
    learn: made_curve,
    streamed: lambda piece: {"values": [0.5, 0.25], "total": 0.75, "seconds": 1.0, "infosets": 9},
    split: lambda piece: {"total": 1 / piece["threads"] + piece["seed"]},
    pieces.bounds: lambda piece: {"bounds": [0.66, 0.67]},
}


@pytest.mark.parametrize("scale", ["quick", "full"])
def test_every_part_makes_a_section_and_the_report_is_written(scale, tmp_path, can_fail):
    lab, paper = Made("auger2011", scale), load_paper("auger2011")
    sections = {name: part(lab) for name, part in paper.parts.items()}
    assert all(section.name == name and section.claims for name, section in sections.items())
    verdicts = [claim.verdict() for claim in sections["table1"].claims]
    if scale == "quick":
        shown = [sections[name] for name in ("table1", "figure2")]  # drawing takes time
        written = write_report(paper, Facts.of(lab, "fogtree paper auger2011"), shown, tmp_path)
        assert written.exists() and (tmp_path / "table1-win.csv").exists() and (tmp_path / "figure2.svg").exists()
    else:
        for claim in (claim for section in sections.values() for claim in section.claims if claim.printed is not None):
            can_fail(claim)
        assert verdicts.count(DIFFERS) == 2 and verdicts.count(AGREES) == 48  # the one cell that was changed
        value = sections["figure1"].claims[-1]
        assert value.ours == pytest.approx(0.665) and value.verdict() == DIFFERS
        assert sections["exact"].claims[-1].ours == pytest.approx(0.8)
        assert {piece["simulations"] for piece in asked["players-win"]} == {50_000_000}


def test_each_reading_is_told_in_the_columns_of_the_printed_row():
    # the made-up results are the printed numbers, so that every row says what the last one does
    _, rows = load_paper("auger2011").parts["readings"](Made("auger2011", "full")).tables["readings-table"]
    numbers = [[float(part) for cell in row[1:] for part in cell.split("/")] for row in rows]
    assert len(rows) == 5 and all(row == numbers[-1] for row in numbers)
