"""fogtree learn: a curve, a file of weights, one sentence for what is wrong."""

import re

import pytest
from typer.testing import CliRunner

from fogtree.cli import app
from fogtree.evaluation import features_of
from fogtree.games import ConnectFour
from fogtree.learn.weights import load_weights


def run(*words):
    return CliRunner().invoke(app, list(words))


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_learning_shows_a_curve_and_saves_weights_with_their_command(place):
    words = (
        "learn",
        "connect-four:rows=4,columns=5",
        "--games",
        "30",
        "--depth",
        "2",
        "--pairs",
        "3",
        "--save",
        "w.npz",
    )
    result = run(*words)
    assert result.exit_code == 0, result.output
    assert "treestrap on connect-four:rows=4,columns=5, depth 2, step 0.003 " in result.output
    assert re.search(r"\b30\b", result.output) and "score against the beginning" in result.output
    assert "saved w.npz: 41 weights" in result.output
    game = ConnectFour(4, 5)
    weights = load_weights("w.npz")
    assert weights.evaluation(game, features_of(game)).weight.any()
    assert weights.command == (
        "fogtree learn connect-four:rows=4,columns=5 --by treestrap --depth 2 --step 0.003 --seed 0 --games 30"
    )
    assert run(*words).output == result.output  # from the store


@pytest.mark.parametrize(
    "words, sentence",
    [
        (("kuhn",), "Kuhn has no features to learn with: give it a method features()"),
        (("connect-four", "--by", "magic"), "there is no way to learn called 'magic': valid are rootstrap, treestrap"),
        (("connect-four", "--games", "3", "--minutes", "1"), "give a number of games or of minutes, not both"),
        (("connect-four", "--minutes", "0"), "minutes must be a finite number above 0, not 0.0"),
        (("connect-four", "--minutes", "inf"), "minutes must be a finite number above 0, not inf"),
        (("connect-four", "--step", "-1"), "step must be a number above 0, not -1.0"),
        (("connect-four", "--save", "no/where.npz"), "there is no folder no"),
    ],
)
def test_what_is_wrong_is_one_sentence(place, words, sentence):
    result = run("learn", *words)
    assert result.exit_code == 2 and sentence in result.output and result.output.count("\n") == 1


def test_a_wrong_number_of_pairs_is_told_before_the_lessons(place):
    result = run("learn", "connect-four", "--games", "3", "--pairs", "-1")
    assert result.exit_code == 2 and "--pairs" in result.output
    assert not list(place.iterdir())
