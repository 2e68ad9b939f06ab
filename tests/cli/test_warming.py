"""`fogtree warm` compiles what other commands need."""

import os
import subprocess
import sys

import pytest
from typer.testing import CliRunner

import fogtree
from fogtree.cli import app, warming
from fogtree.errors import Invalid
from fogtree.kernels import compiled_files

ONE_SEARCH = """
import sys, fogtree.cli
from fogtree.cli import warming
warming.SEARCHES = warming.AGENTS = ("rm",)
sys.argv[0] = "fogtree"
fogtree.cli.main()
"""


@pytest.fixture(scope="module")
def warmed(tmp_path_factory):
    """An empty cache after `fogtree warm leduc`, and what that printed. One search is enough to show it."""
    folder = tmp_path_factory.mktemp("warm")
    return folder, run(folder, "-c", ONE_SEARCH, "warm", "leduc")


def run(folder, *words, typed=""):
    environment = {**os.environ, "FOGTREE_CACHE": str(folder / "cache")}
    done = subprocess.run(
        [sys.executable, *words], input=typed, env=environment, cwd=folder, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def files(folder):
    return {path.name for path in (folder / "cache").glob("*.nbc")}


def test_it_says_how_many_kernels_were_new(warmed):
    folder, told = warmed
    assert len(files(folder)) > 10
    assert f"leduc: {len(files(folder))} new kernels, " in told and f"{len(files(folder))} new kernels in " in told


@pytest.mark.parametrize(
    "words, typed",
    [
        ("count leduc", ""),
        ("solve leduc", ""),
        ("exploit leduc uniform", ""),
        ("playouts leduc --seconds 0.1", ""),
        ("play leduc --against rm --seed 1", "c\n"),
        ("compare leduc rm --iterations 200 --runs 2", ""),
        ("tournament leduc rm random --matches 2 --cores 1", ""),
    ],
)
def test_afterwards_nothing_is_compiled(warmed, words, typed):
    folder, _ = warmed
    before = files(folder)
    run(folder, "-m", "fogtree", *words.split(), typed=typed)
    assert files(folder) == before


def test_what_a_game_refuses_is_left_out_and_the_rest_is_done(monkeypatch):
    done = []

    def refuse(game):
        raise Invalid("too large")

    monkeypatch.setattr(warming, "WORK", {"solve": refuse, "count": done.append})
    found = CliRunner().invoke(app, ["warm", "kuhn", "leduc"])
    assert found.exit_code == 0 and done == [fogtree.load("kuhn"), fogtree.load("leduc")]
    assert "0 new kernels in 0 s" in found.output


def test_ctrl_c_ends_it_with_a_sentence(monkeypatch):
    def stop(game):
        raise KeyboardInterrupt

    monkeypatch.setattr(warming, "WORK", {"solve": stop})
    found = CliRunner().invoke(app, ["warm", "kuhn"])
    assert found.exit_code == 130 and "stopped while compiling" in found.output


def test_a_game_that_does_not_exist_is_refused_before_anything_is_compiled():
    found = CliRunner().invoke(app, ["warm", "kuhn", "nothing"])
    assert found.exit_code == 2 and "nothing" in found.output


def test_where_there_is_no_cache_there_are_no_files(monkeypatch, tmp_path):
    monkeypatch.setenv("FOGTREE_CACHE", str(tmp_path / "none"))
    assert compiled_files() == set()
