"""`fogtree endings`: the counts of a table, and one position."""

import pytest
from typer.testing import CliRunner

from fogtree.cli import app
from fogtree.solvers.exact import retrograde


@pytest.fixture
def say(tmp_path_factory, monkeypatch):
    folder = tmp_path_factory.getbasetemp()  # shared, so that the ending is solved once
    monkeypatch.setattr(retrograde, "cache_folder", lambda: folder)
    return lambda *words: CliRunner().invoke(app, ["endings", *words])


def test_the_counts_of_an_ending_are_shown(say):
    done = say("chess", "KQK")
    assert done.exit_code == 0
    assert done.stdout.split("\n")[1].split() == ["KQK", "45,982", "18,081", "2,787", "25,114", "10"]


@pytest.mark.parametrize(
    "fen, sentence",
    [
        ("8/8/8/8/2K5/8/k7/6Q1 w - - 0 1", "The mover wins in 2 moves: Kc3."),
        ("8/8/8/8/8/1K6/8/k5Q1 b - - 0 1", "These endings do not have this position."),  # it is mate
        ("8/8/8/8/8/2k5/7Q/K7 b - - 0 1", "The mover loses in"),
        ("8/8/8/8/8/8/2k4Q/K7 b - - 0 1", "The mover"),
        ("8/8/8/8/8/8/1k1Q4/K7 b - - 0 1", "'8/8/8/8/8/8/1k1Q4/K7 b - - 0 1' is no position of chess"),
        ("rubbish", "'rubbish' is no position of chess"),
    ],
)
def test_a_position_is_told_in_a_sentence(say, fen, sentence):
    assert sentence in say("chess", "KQK", "--position", fen).output


def test_a_game_without_endings_and_an_unknown_ending_are_refused(say):
    assert "TicTacToe has no endings that are numbered" in say("tic-tac-toe").output
    assert "there is no endgame table 'KPPK'" in say("chess", "KPPK").output
