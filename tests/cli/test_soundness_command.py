"""`fogtree soundness` as a user meets it."""

import numba
import pytest
from typer.testing import CliRunner

from fogtree.arena import soundness as measured
from fogtree.cli import app
from fogtree.walk.estimate import TooLarge


@pytest.fixture(autouse=True)
def plain(monkeypatch, tmp_path):
    """Interpreted, in a folder of its own, for that is where runs are kept."""
    monkeypatch.setattr(numba.config, "DISABLE_JIT", 1)
    monkeypatch.delenv("FOGTREE_DEBUG", raising=False)
    monkeypatch.chdir(tmp_path)


def run(*arguments: str):
    return CliRunner().invoke(app, ["soundness", *arguments, "--cores", "1"], env={"COLUMNS": "140"})


def test_a_table_a_picture_and_a_file(tmp_path):
    done = run("kuhn", "random", "oos", "--iterations", "5", "--iterations", "20", "--seeds", "2")
    assert done.exit_code == 0, done.output
    assert "0.9167" in done.stdout and "oos:iterations=5 " in done.stdout and "oos:iterations=20 " in done.stdout
    written = sorted(path.suffix for path in (tmp_path / "out").iterdir())
    assert written == [".csv", ".png", ".svg"]


def test_files_are_named_after_the_budgets(tmp_path):
    for words in (("--iterations", "5"), ("--iterations", "6", "--iterations", "7"), ("--seconds", "0.01")):
        done = run("kuhn", "random", *words, "--seeds", "2")
        assert done.exit_code == 0, done.output
    names = {path.stem for path in (tmp_path / "out").iterdir()}
    assert names == {f"kuhn-soundness-random-{spent}-seeds=2-seed=0" for spent in ("5", "6-7", "0.01s")}


def test_a_game_is_enumerated_in_the_memory_that_is_allowed(monkeypatch):
    def refuse(game, memory):
        raise TooLarge(f"it does not fit in {memory:g} bytes")

    monkeypatch.setattr(measured, "sequence_form", refuse)
    done = run("kuhn", "random", "--memory", "1.5")
    assert done.exit_code == 2 and "it does not fit in 1.5e+09 bytes" in done.stderr
    assert "memory must be a number above 0" in run("kuhn", "random", "--memory", "0").stderr


def test_what_is_wrong_is_told_in_a_sentence():
    for words, sentence in ((("kuhn", "nobody"), "there is no agent"), (("many-kuhn", "rm"), "3 players")):
        done = run(*words)
        assert done.exit_code == 2 and sentence in done.stderr and "Traceback" not in done.output
