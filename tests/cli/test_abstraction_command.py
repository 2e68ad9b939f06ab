"""`fogtree solve holdem --abstraction K`, and play against what it saved."""

import pytest
from typer.testing import CliRunner

from fogtree.cli import app

pytestmark = pytest.mark.usefixtures("interpreted")  # it is so tiny that compiling would take longer
TINY = "holdem:ranks=3,suits=2,rounds=2,raises=2,hole=1,flop=1"


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FOGTREE_CACHE", str(tmp_path / "cache"))
    return lambda *words, typed="": CliRunner().invoke(app, list(words), input=typed)


def test_a_tiny_holdem_is_solved_saved_and_played_against(run):
    solved = run("solve", TINY, "--abstraction", "2", "--iterations", "60", "--save", "plan.npz")
    assert solved.exit_code == 0, solved.output
    assert "2 buckets a round, 80 information sets, matrices from all boards" in solved.output
    assert "in thousandths of a small bet a hand" in solved.output
    assert "saved plan.npz: 80 information sets" in solved.output
    played = run("play", TINY, "--against", "strategy:plan.npz", "--seed", "3", typed="call\n" * 9 + "check\n" * 9)
    assert played.exit_code == 0, played.output
    assert "your cards:" in played.output
    measured = run("exploit", TINY, "plan.npz")
    assert measured.exit_code == 0 and "plan.npz, 80 information sets" in measured.output
    shown = run("strategy", TINY, "plan.npz", "--player", "0", "--most", "500", "--rows", "3")
    assert shown.exit_code == 0 and "your cards:" in shown.output


def test_a_plan_in_a_file_is_refused_by_other_games(run):
    assert run("solve", TINY, "--abstraction", "2", "--iterations", "1", "--save", "plan.npz").exit_code == 0
    for words in (("exploit", "leduc", "plan.npz"), ("play", "leduc", "--against", "strategy:plan.npz")):
        refused = run(*words)
        assert refused.exit_code != 0 and "not of Leduc" in refused.output


def test_a_checkpoint_is_resumed_and_one_of_another_method_is_refused(run):
    words = ("solve", TINY, "--abstraction", "2", "--checkpoint", "half.npz")
    assert "dcfr, 20 iterations" in run(*words, "--iterations", "20").output
    assert "dcfr, 30 iterations" in run(*words, "--iterations", "30").output
    assert "dcfr, 30 iterations" in run(*words, "--iterations", "10").output  # more than that is done
    refused = run(*words, "--method", "cfr+", "--iterations", "40")
    assert refused.exit_code != 0 and "half.npz is a checkpoint of" in refused.output


@pytest.mark.parametrize(
    "words, sentence",
    [
        (("solve", "leduc", "--abstraction", "2"), "Leduc(ranks=3, suits=2), rules version 1 has no buckets of hands"),
        (("solve", TINY, "--abstraction", "0"), "the number of buckets must be a whole number of 1 or more, not 0"),
        (("solve", TINY, "--abstraction", "17"), "the number of buckets must be at most 16, not 17"),
        (("solve", TINY, "--abstraction", "9", "--memory", "1e-5"), "9 buckets need 0.00 GiB, and 0.00 are allowed"),
        (("solve", TINY, "--abstraction", "2", "--concept", "ce"), "--abstraction is for Nash equilibria"),
        (("solve", TINY, "--abstraction", "2", "--save", "a.npz", "--checkpoint", "./a.npz"), "name the same file"),
        (("solve", TINY, "--abstraction", "2", "--method", "lp"), "there is no method 'lp': valid are auto, dcfr, cfr"),
        (("play", TINY, "--against", "strategy:none.npz"), "there is no file none.npz"),
    ],
)
def test_what_cannot_be_done_is_refused_in_one_sentence(run, words, sentence):
    refused = run(*words)
    assert refused.exit_code != 0 and sentence in refused.output
