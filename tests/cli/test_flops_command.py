"""fogtree flops: reports over many flops."""

import csv

from rich.console import Console
from typer.testing import CliRunner

from fogtree.cli import app
from fogtree.cli.screen.spotted import flops_tables
from fogtree.measure import boards

WORDS = ("--oop", "QQ+", "--ip", "AKs,TT", "--bets", "a", "--pot", "20", "--stack", "30", "--cores", "1")


def run(tmp_path, *words):
    store = ("--store", str(tmp_path / "runs.sqlite"))
    return CliRunner().invoke(app, ["flops", *WORDS, *store, *words], env={"COLUMNS": "150"})


def test_named_flops_are_solved_shown_written_and_kept_by_ctrl_c(tmp_path, monkeypatch):
    usual, solved = boards.solve_board, []

    def stopping(game, target):
        if solved:
            raise KeyboardInterrupt
        solved.append(game)
        return usual(game, target)

    stopping.__module__, stopping.__qualname__ = usual.__module__, usual.__qualname__
    monkeypatch.setattr(boards, "solve_board", stopping)
    stopped = run(tmp_path, "Td9d6h", "AsAh2c")
    assert stopped.exit_code == 130 and "1 of 2 flops are kept" in stopped.output, stopped.output
    assert "Td 9d 6h" in stopped.output and "As Ah" not in stopped.output
    monkeypatch.setattr(boards, "solve_board", usual)
    table = tmp_path / "flops.csv"
    told = run(tmp_path, "Td9d6h", "AsAh2c", "--table", str(table))
    assert told.exit_code == 0, told.output
    for words in ("Td 9d 6h", "As Ah 2c", "mean", "OOP all in 30", "IP check"):
        assert words in told.output
    rows = list(csv.DictReader(table.open()))
    assert [row["flop"] for row in rows] == ["Td9d6h", "AsAh2c"]
    assert abs(sum(float(row["weight"]) for row in rows) - 1) < 1e-4


def test_flops_of_one_kind_are_named(tmp_path):
    from fogtree.cli.flops import _one_kind

    boards = ("Td9d6h", "AsAh2c", "Th9h6c")
    assert _one_kind(boards, "AA", "KK").endswith(": Td9d6h and Th9h6c")
    assert _one_kind(boards, "AhKh", "KK") == _one_kind(boards[:2], "AA", "KK") == ""


def test_no_number_of_a_report_is_cut_on_eighty_columns():
    for sizes in (["check", "bet 50"], ["check", "bet 50", "all in 400"], ["check", "bet 33", "bet 75", "all in 400"]):
        share = (0.25,) * len(sizes)
        one = boards.Solved("", 1.0, 0.615, (143.25, 56.75), 0.43, (sizes, sizes), (share, share), 1.0)
        console = Console(width=80)
        with console.capture() as shown:
            for part in flops_tables(100, ["Td9d6h"], [one], boards.mean([one]), 80):
                console.print(part)
        told = shown.get()
        assert "…" not in told, told
        for words in ("Td 9d 6h", "100.00", "61.5", "143.25", "0.43 %", "IP"):
            assert words in told, told
        assert told.split().count("25") == 4 * len(sizes)  # of both players, in the row and in the mean


def test_what_is_no_report_is_one_sentence(tmp_path):
    for words, said in (
        (("Td9d",), "is no flop: write three cards"),
        (("Td9d6hQc",), "is no flop: write three cards"),
        (("Td9d6h", "6h 9d Td"), "the flop Td9d6h is given twice"),
        (("--oop", "AhKh"), "name the flops themselves"),
        (("--target", "0"), "above 0"),
        (("--table", str(tmp_path / "runs.sqlite")), "--table and --store name the same file: choose two"),
    ):
        failed = run(tmp_path, *words)
        assert failed.exit_code == 2 and said in failed.output, failed.output
