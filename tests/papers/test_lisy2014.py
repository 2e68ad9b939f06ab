"""Lisý 2014: the printed numbers are as printed, the budgets the paper's, and the quick scale runs from end to end."""

import csv
import pathlib

import numpy as np
import pytest

from fogtree.arena.tournament import Cell, Tournament
from fogtree.measure.curve import Curve
from fogtree.papers import lisy2014
from fogtree.papers.claims import AGREES, CANNOT_TELL, DIFFERS
from fogtree.papers.laboratory import Lab
from fogtree.papers.lisy2014 import draws, figures, printed, tables
from fogtree.papers.report import Facts, write_report

DOCS = pathlib.Path(__file__).parents[2] / "docs"


def test_budgets_are_the_papers_iterations_a_second():
    assert tables.agent("RM", "goofspiel:cards=6", 0.1) == "rm:iterations=5900,play_best=no"
    assert tables.agent("UCT", "goofspiel:cards=13", 1) == "uct-eps:iterations=39000,play_best=no"
    assert tables.agent("EXP3", "phantom-ttt:winning_first=on", 1) == "exp3:iterations=34000,play_best=no"
    assert tables.agent("RM", "phantom-ttt", 0.1) == "rm:iterations=9500,play_best=no"
    assert tables.agent("RAND", "phantom-ttt", 1) == "random"


def test_printed_tables_are_whole_and_keep_what_the_text_says_of_them():
    for table in printed.TABLES.values():
        rates, halves = np.array(table.rates), np.array(table.halves)
        assert rates.shape == halves.shape == (4, 4)
        assert (rates[3, :3] < rates[:3, :3].min()).all(), "random loses to all"
    rates = np.array(printed.TABLES["table1, 0.1 s"].rates)
    assert rates[1].argmax() == 3
    assert (rates[1, :3] > rates[0, :3]).all(), "Exp3 wins more than UCT from the first seat"


def test_the_printed_tables_are_those_of_the_committed_report():
    found = {}
    for name in ("table1", "table2", "table3"):
        for row in csv.DictReader((DOCS / f"papers/lisy2014/{name}.csv").read_text(encoding="utf-8").splitlines()):
            pair, _, budget = row["what"].partition(", ")
            one, other = map(printed.NAMES.index, pair.split(" v "))
            table = printed.TABLES[f"{name}, {budget}"]
            assert (float(row["printed"]), float(row["printed_half"])) == (
                table.rates[one][other],
                table.halves[one][other],
            ), row["what"]
            found.setdefault(f"{name}, {budget}", set()).add((one, other))
    assert found.keys() == printed.TABLES.keys() and {len(pairs) for pairs in found.values()} == {16}


def test_a_cell_is_judged_by_the_side_of_its_interval_that_faces_the_printed_rate():
    table = printed.TABLES["table1, 0.1 s"]
    rates = {(i, j): table.rates[i][j] / 100 for i in range(4) for j in range(4)}
    exact = {(pair, 0): Cell(round(1000 * rate), 0, 1000 - round(1000 * rate)) for pair, rate in rates.items()}
    found = Tournament(table.game, printed.NAMES, 2, exact)
    assert [claim.verdict() for claim in tables._judged("0.1 s", table, found)] == [AGREES] * 16
    far = Tournament(table.game, printed.NAMES, 2, exact | {((2, 2), 0): Cell(650, 0, 350)})  # 73.1 is printed
    claims = tables._judged("0.1 s", table, far)
    assert [claim.what for claim in claims if claim.verdict() == DIFFERS] == ["RM v RM, 0.1 s"]
    none_of_two = Cell(0, 0, 2)
    assert tables._half(none_of_two, 60.0) == pytest.approx(65.76, abs=0.01)  # Wilson's upper end


def test_the_lowest_point_is_one_that_all_runs_have_reached():
    total = np.array([[0.5, 0.2, 0.4, 0.1], [0.5, 0.4, 0.4, np.nan]])
    curve = Curve("UCT", np.array([10, 20, 40, 80]), total, total)
    lowest, when = figures._valley(curve, 0.3, 2.0, rate=10.0)
    assert (lowest.ours, when.ours) == pytest.approx((0.3, 2.0))
    assert figures.last_point(curve)[0] == pytest.approx(0.4)
    assert figures._at("x", 0.3, curve, 21.0).ours == pytest.approx(0.3)


TITLES = {"table1": "Table 1"}
ALL = TITLES | {
    "figure2": "Figure 2",
    "table2": "Table 2",
    "table3": "Table 3",
    "figure3": "Figure 3",
    "full": "full Phantom",
    "readings": "Which",
    "weighted": "by their weight",
}


@pytest.mark.parametrize("titles", [TITLES, pytest.param(ALL, marks=pytest.mark.slow)], ids=["one part", "all parts"])
def test_the_quick_scale_runs_from_end_to_end_and_again_from_its_store(titles, tmp_path):
    lab = Lab("lisy2014", "quick", 3, tmp_path / "runs.sqlite", cores=1)
    sections = [part(lab) for name, part in lisy2014.PAPER.parts.items() if name in TITLES or titles is ALL]
    write_report(lisy2014.PAPER, Facts.of(lab, "fogtree paper lisy2014"), sections, tmp_path / "report")
    text = (tmp_path / "report/report.md").read_text()
    assert all(title in text for title in titles.values())
    steps = []
    again = lab._replace(look=lambda name, now: steps.append(now.detail.left))
    (first,) = (section for section in sections if section.name == "table1")
    assert lisy2014.PAPER.parts["table1"](again).claims == first.claims
    assert set(steps) == {None}, "nothing was done twice"


def test_the_first_seat_is_measured_with_both_draws_beside_the_printed_number():
    class Paid:
        """A lab in which the first seat wins three of four matches if it draws evenly, and else one of two."""

        quick, seed, matches = False, 0, None
        matches_or = Lab.matches_or

        def map(self, name, parameters, task, pieces):
            self.pieces = pieces
            return [self.block(piece) for piece in pieces]

        def block(self, piece):
            won = piece["matches"] // (2 if "weighted" in piece["agents"][0] else 1) - piece["matches"] // 4
            lost = piece["matches"] - won
            return Cell(won, 0, lost, won - lost, piece["matches"], 0)._asdict() | {"others": []}

    lab = Paid()
    section = draws.weighted(lab)
    header, rows = section.tables["first-seat"]
    lines = [dict(zip(header, row, strict=True)) for row in rows]
    (uct,) = (row for row in lines if (row["search"], row["budget"], row["draw"]) == ("UCT", "0.1 s", "even"))
    assert uct["printed"] == 62.9 and float(uct["first seat wins"]) > 60
    assert all(row["printed"] == "" for row in lines if row["draw"] == "weighted" or row["budget"] == "0.01 s")
    played = {claim.what: claim.note for claim in section.claims}
    assert played["RM weighted v RM, 0.1 s"] == f"{draws.MATCHES['pairs'][1]} matches"
    assert len({(*piece["agents"], piece["match"]) for piece in lab.pieces}) == len(lab.pieces)


def test_at_quick_scale_no_piece_is_given_twice_and_every_budget_has_its_cells(tmp_path):
    # the least budget stands for all, so one piece serves several of them, and the run store refuses equal pieces
    asked = []

    class Noted(Lab):
        def map(self, name, parameters, task, pieces):
            asked.extend(pieces)
            return [Cell(1, 0, 0)._asdict() | {"others": []}] * len(pieces)

    section = draws.weighted(Noted("lisy2014"))
    assert len({str(piece) for piece in asked}) == len(asked)
    assert {claim.what.rpartition(", ")[2] for claim in section.claims} == set(draws.BUDGETS)


def test_a_flat_valley_makes_its_place_uncertain():
    # means 1, 0.21, 0.20, 0.21, 1; each of the three in the middle within the interval of the lowest
    total = np.array([[1.0, 0.20, 0.19, 0.20, 1.0], [1.0, 0.22, 0.21, 0.22, 1.0]])
    curve = Curve("UCT", np.array([10, 20, 80, 400, 800]), total, total)
    _, when = figures._valley(curve, 0.2, 3.0, rate=10.0)
    assert (when.ours, when.half) == pytest.approx((8.0, 5.0))  # 400 / 80 above, 80 / 20 below
    assert when.note == "from 2 to 40 s no mean can be told from the lowest"
    assert when.verdict() == CANNOT_TELL
    alike = np.vstack([total.mean(axis=0)] * 2)  # runs without spread
    sharp = figures._valley(Curve("UCT", curve.iterations, alike, alike), 0.2, 3.0, rate=10.0)[1]
    assert (sharp.half, sharp.verdict()) == (0.0, DIFFERS)


def test_the_runs_of_a_figure_are_counted_from_the_data():
    total = np.array([[1.0, 0.5, 0.2], [1.0, 0.5, np.nan]])
    found = {"UCT": Curve("UCT", np.array([10, 20, 4000]), total, total)}
    assert figures.runs_in_words(found) == "Runs: UCT 2 to 20 iterations, 1 of them to 4,000."
