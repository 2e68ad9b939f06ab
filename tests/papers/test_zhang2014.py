"""Zhang and Wang 2014: the printed numbers are as printed, games are told as they went, and the quick scale runs
through."""

import csv
import math
import pathlib
from typing import NamedTuple

import numpy as np
import pytest

from fogtree import load
from fogtree.game import legal, new_state
from fogtree.games.siguo.setting import ALLOWED
from fogtree.papers import load_paper
from fogtree.papers.laboratory import Lab
from fogtree.papers.report import Facts, write_report
from fogtree.papers.zhang2014 import beyond, contestants, matches, printed, rivals, tables, worlds
from fogtree.papers.zhang2014.contest import Contested


def test_printed_tables_are_whole_and_every_line_sums_to_100():
    for table in printed.TABLES.values():
        assert tuple(table) == printed.RISKS
        assert all(row.win + row.lose == 100 for row in table.values())
    assert all(len(values) == matches.BLOCKS for values in printed.VARIANCE.values())


def test_a_game_is_told_as_its_side_sees_it():
    # side 0 moves at decisions 0, 2, 4 with 0.1, -0.2, 0.3 in hand: its largest drop is 30 points
    course = Contested((1.0, -1.0), np.array([0.1, 0.5, -0.2, 0.4, 0.3]), np.array([0, 1, 0, 1, 0]), 0.9)
    mine, theirs = (matches.told(course, (0, 1), side) for side in (0, 1))
    assert mine["payoff"] == 1.0 and mine["profit"] == 100.0 and mine["drop"] == pytest.approx(30.0)
    assert theirs["payoff"] == -1.0 and theirs["profit"] == -100.0  # it sees -50, then -40: no drop
    assert theirs["drop"] == 0.0
    drawn = matches.told(course._replace(payoffs=(0.0, 0.0)), (0, 1), 1)
    assert drawn["profit"] == pytest.approx(-90.0)  # a draw is worth what stands on the board


def test_the_variance_is_that_of_the_own_profit_in_whole_blocks_of_16_own_steps():
    value = np.zeros(40)
    value[0:32:2] = np.arange(16) / 100  # of side 0, which moves at even decisions: its first block
    told = matches.told(Contested((0.0, 0.0), value, np.arange(40) % 2, 0.0), (0, 1), 0)
    assert told["variance"][0] == pytest.approx((16**2 - 1) / 12)  # of 0, 1, ..., 15
    assert told["variance"][1] is None  # 4 of 16 steps


def test_wins_draws_and_losses_add_up():
    games = [
        {"payoff": p, "profit": 50.0 * p, "drop": 10.0, "variance": [1.0] + [None] * 7, "decisions": 20}
        for p in (1, 0, -1, 1)
    ]
    found = matches.tally(games)
    assert (found.games, found.wins, found.draws, found.losses) == (4, 2, 1, 1) and found.rate == 62.5
    assert found.profit[0] == 12.5 and found.drop == (10.0, 0.0)
    assert found.variance[0] == 1.0 and math.isnan(found.variance[1])


def test_one_player_of_siguo_has_7e17_set_ups_and_three_of_them_3_57e53_worlds():
    # counted man by man, and by the product of the spec: 2 C(9, 3) C(16, 2) 19! / (2!^4 3!^3)
    able = np.array([ALLOWED[worlds.FOUR, man] for man in range(25)], np.int64)
    assert worlds.ways(able, *worlds.tables_of(worlds.FOUR)) == 709_596_419_051_520_000
    assert worlds.number_of_set_ups(worlds.FOUR) == 709_596_419_051_520_000
    assert round(worlds.number_of_set_ups(worlds.FOUR) ** 3 / 1e51) == 357


def test_the_worlds_of_the_small_army_are_counted_one_by_one(interpreted):
    # each player has 8 set-ups, so at the start the other may have any of 8
    game = load("small-army")
    state = new_state(game)
    while game.player(state) < 0:
        game.step(state, legal(game, state)[0])
    assert 10 ** worlds.log_worlds(game, state) == pytest.approx(8)


def test_the_shape_of_a_curve_is_judged_by_its_intervals():
    def found(rates):
        return {
            (tables.risk(r), tables.IN_POINTS): matches.Tally(
                400, int(4 * p), 0, 400 - int(4 * p), (0.0, 1.0), (d, 1.0), np.zeros(8), np.zeros(8), 100.0
            )
            for r, p, d in zip(printed.RISKS, rates, (30, 25, 20, 15, 12, 10), strict=True)
        }

    assert "the inverted U is there" in tables._shape(found((10, 35, 58, 52, 46, 40)), printed.TUNED)
    assert "falls (30.0 to 10.0)" in tables._shape(found((10, 35, 58, 52, 46, 40)), printed.TUNED)
    assert "no inverted U is proved" in tables._shape(found((50, 51, 52, 51, 50, 49)), printed.TUNED)


def test_contestants_differ_in_their_first_decision_and_in_when_the_cards_are_opened():
    names = [one.name for one in contestants.contestants()]
    assert len(set(names)) == len(names) and "UCT-Risk, R = 0.4" in names and "EPIMC, depth 2" in names


class Measured(NamedTuple):
    """What is asked of a `Sound`."""

    low: float
    high: float
    gets: float = 0.0

    def meets(self, other):
        return self.gets - other.gets


def test_a_risk_beats_the_rivals_only_if_its_bracket_lies_below_all_of_theirs_or_if_it_wins_against_all():
    others = [Measured(0.2, 0.3, 0.1), Measured(0.4, 0.5, 0.0)]
    risky = [Measured(0.1, 0.19, 0.05), Measured(0.1, 0.21, 0.2), *[Measured(0.5, 0.6, 0.1)] * 4]
    told = rivals._verdict(risky, others)
    assert "R = 0 is surely less exploitable" in told and "and R = 0.2 is ahead of each" in told
    none = rivals._verdict([Measured(0.5, 0.6, -1.0)] * 6, others)
    assert none.startswith("no R is surely") and "and no R is ahead" in none


def test_the_quick_scale_runs_from_end_to_end(interpreted, tmp_path):
    paper = load_paper("zhang2014")
    lab = Lab("zhang2014", store=tmp_path / "runs.sqlite", cores=1)
    sections = [part(lab) for part in paper.parts.values()]
    for header, rows in (table for section in sections for table in section.tables.values()):
        assert all(len(row) == len(header) for row in rows)  # the quick game may be too short for any row
    write_report(paper, Facts.of(lab, "fogtree paper zhang2014"), sections, tmp_path / "report")
    text = (tmp_path / "report" / "report.md").read_text()
    assert "3.57" in text and "inverted U" in text and (tmp_path / "report" / "beyond-fusion.svg").exists()


def test_the_plan_of_each_game_is_the_one_by_which_the_published_numbers_were_made():
    published = pathlib.Path(__file__).parents[2] / "docs/papers/zhang2014/exact/beyond-settings-numbers.csv"
    with published.open() as file:
        made = {(row["game"], int(row["seeds"]), int(row["runs of each"])) for row in csv.DictReader(file)}
    plans = (beyond.SMALL | beyond.LARGER).items()
    assert made == {(game, plan.seeds, plan.runs) for game, plan in plans}


def test_the_printed_tables_are_those_of_the_committed_report():
    folder = pathlib.Path(__file__).parents[2] / "docs/papers/zhang2014/games"

    def told(name):
        rows = csv.DictReader((folder / f"{name}.csv").read_text(encoding="utf-8").splitlines())
        return {row["what"]: float(row["printed"]) for row in rows if row["printed"]}

    for name, against in (("table2", printed.TUNED), ("table3", printed.GREEDY)):
        found = told(name)
        for risk, row in printed.TABLES[against].items():
            numbers = [found[f"R = {risk:g}: {what}"] for what in ("won, percent", "average profit", "largest drop")]
            assert numbers == [row.win, row.profit, row.drop] and row.win + row.lose == 100
        assert len(found) >= 3 * len(printed.RISKS)
    blocks = {
        f"{who}, to step {(n + 1) * printed.BLOCK}": number
        for who in printed.VARIANCE
        for n, number in enumerate(printed.VARIANCE[who])
    }
    assert blocks == told("table4")
