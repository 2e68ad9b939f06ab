"""Arenz 2012, chess: the parts run from end to end at quick scale, and sentences about the order follow from the numbers."""

import csv
import pathlib

import numpy as np
import pytest

from fogtree.arena.rating import Ratings
from fogtree.papers import arenz2012
from fogtree.papers.arenz2012 import chess, chess_stockfish, chess_tuning
from fogtree.papers.arenz2012.chess_runs import METHODS, SIZES, TUNED, UNTRAINED, Measured, Player
from fogtree.papers.laboratory import Lab
from fogtree.papers.report import Facts, write_report


def measured(**ratings):
    """What came out, if the runs of each method were rated so."""
    players = [Player(UNTRAINED, 0, 0.0, 0.0, 0, 0, np.zeros(1))]
    given = [250.0]
    for by, rated in ratings.items():
        for run, rating in enumerate(rated):
            players.append(Player(by.replace("_", "-"), run, 1.0, 9.0, 1, 1, np.zeros(1)))
            given.append(float(rating))
    size, names = len(players), tuple(player.name for player in players)
    ones, square = np.ones(size), np.eye(size)
    found = Ratings(names, np.array(given), square, square, 0.0, 0.0, "davidson", 0.1, 0.0, ones, ones / 2, 0.0)
    return Measured(players, found)


ORDERED = {"treestrap": (900, 910, 920), "treestrap_minimax": (700, 705, 730), "rootstrap": (500, 510, 520)}


def test_the_order_is_told_as_it_came_out():
    td = {"td_leaf": (400, 410, 420)}
    assert chess.verdict(measured(**ORDERED, **td)).startswith("The order of the paper came out, each lead")
    swapped = ORDERED | {"rootstrap": (800, 810, 820)}
    assert "rootstrap came out above treestrap-minimax" in chess.verdict(measured(**swapped, **td))
    unsure = ORDERED | {"rootstrap": (630, 720, 640)}
    told = chess.verdict(measured(**unsure, **td))
    assert told.endswith("within its interval lies the lead of treestrap-minimax over rootstrap.")


def test_a_lead_is_the_mean_of_the_differences_of_runs_from_the_same_seed():
    # 200, 205, 190: mean 198.33, deviation 7.638, Student's quantile for 3 runs 4.3027
    ahead, half = chess.lead(measured(**ORDERED, td_leaf=(1, 2, 3)), "treestrap", "treestrap-minimax")
    assert (ahead, half) == pytest.approx((198.333, 4.3027 * 7.6376 / 3**0.5), abs=1e-3)


def test_every_method_is_tuned_for_every_game_and_the_last_share_is_the_whole():
    assert all(set(tuned) == set(METHODS) for tuned in TUNED.values())
    assert all(size.shares[-1] == 1.0 for sizes in SIZES.values() for size in sizes.values())


@pytest.mark.slow
def test_the_parts_about_chess_run_from_end_to_end(tmp_path):
    lab = Lab("arenz2012", "quick", 3, tmp_path / "runs.sqlite", cores=1)
    parts = [name for name in arenz2012.PAPER.parts if name in ("chess", "chess-ratings")]
    sections = [arenz2012.PAPER.parts[name](lab) for name in parts]
    write_report(arenz2012.PAPER, Facts.of(lab, "fogtree paper arenz2012 chess"), sections, tmp_path / "report")
    text = (tmp_path / "report/report.md").read_text()
    assert "Learning curves" in text and "The order of the paper" in text
    header, rows = sections[1].tables["chess-ratings-chess"]
    assert len(rows) == 1 + 2 * len(METHODS)
    untrained = dict(zip(header, next(row for row in rows if row[0] == UNTRAINED), strict=True))
    assert (untrained["rating"], untrained["95 % half"]) == (250, 0)


def test_without_stockfish_its_part_is_left_out_and_says_so(monkeypatch):
    monkeypatch.setattr(chess_stockfish, "engine", lambda: None)
    section = chess_stockfish.stockfish(Lab("arenz2012"))
    assert "no Stockfish" in section.prose and not section.claims


@pytest.mark.parametrize(
    ("file", "columns", "rows"),
    [
        ("chess-tuning", chess_tuning.COLUMNS, chess_tuning.TRIED),
        ("chess-tuning-games", chess_tuning.PLAYED_COLUMNS, chess_tuning.PLAYED),
    ],
)
def test_what_was_tried_is_what_the_committed_report_says(file, columns, rows):
    path = pathlib.Path(__file__).parents[2] / f"docs/papers/arenz2012/chess/{file}.csv"
    header, *told = csv.reader(path.read_text(encoding="utf-8").splitlines())
    assert header == columns and len(told) == len(rows)
    for row, ours in zip(told, rows, strict=True):
        assert [type(one)(cell) for one, cell in zip(ours, row, strict=True)] == list(ours)
