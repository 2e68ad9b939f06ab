"""fogtree pushfold: charts before the flop."""

import csv

from typer.testing import CliRunner

from fogtree.cli import app


def run(*words):
    return CliRunner().invoke(app, ["pushfold", *words], env={"COLUMNS": ""})


def test_charts_are_printed_and_written(tmp_path):
    table = tmp_path / "chart.csv"
    told = run("--stack", "8", "--raises", "2", "--table", str(table))
    assert told.exit_code == 0, told.output
    for words in (
        "preflop/8:raises=[2]",
        "SB: fold",
        "BB after SB raise to 2: fold",
        "BB after SB all in",
        "calls, in",
    ):
        assert words in told.output
    rows = list(csv.DictReader(table.open()))
    assert len(rows) == 169 and rows[0]["hand"] == "AA"
    assert abs(sum(float(rows[3][f"SB: {action}"]) for action in ("fold", "raise to 2", "all in")) - 1) < 1e-5
    assert max(len(line) for line in told.output.splitlines() if line.startswith("AK")) <= 80


def test_wrong_stacks_and_raises_are_one_sentence():
    for words, said in ((("--stack", "1"), "more than the big blind"), (("--raises", "two"), "are no sizes of raises")):
        failed = run(*words)
        assert failed.exit_code == 2 and said in failed.output, failed.output
