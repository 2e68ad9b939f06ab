"""`fogtree soundness` as a user meets it."""

import numba
import pytest
from typer.testing import CliRunner

from fogtree.cli import app


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


def test_what_is_wrong_is_told_in_a_sentence():
    for words, sentence in ((("kuhn", "nobody"), "there is no agent"), (("many-kuhn", "rm"), "3 players")):
        done = run(*words)
        assert done.exit_code == 2 and sentence in done.stderr and "Traceback" not in done.output
