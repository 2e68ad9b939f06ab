"""fogtree gtp: a controller talks to it through pipes."""

import os
import subprocess
import sys

from typer.testing import CliRunner

from fogtree.cli import app


def test_a_controller_talks_to_the_engine():
    said = "1 name\n2 boardsize 5\n3 komi 0\n4 play b C3\n5 genmove w\nnonsense\n6 final_score\n7 quit\n"
    command = [sys.executable, "-m", "fogtree", "gtp", "--agent", "uct:iterations=3"]
    plain = {**os.environ, "NUMBA_DISABLE_JIT": "1"}  # three simulations are done before a compiler has begun
    done = subprocess.run(command, input=said, capture_output=True, text=True, timeout=300, env=plain)
    answers = done.stdout.split("\n\n")
    assert done.returncode == 0 and answers[0] == "=1 Fogtree uct" and answers[1:4] == ["=2", "=3", "=4"]
    assert answers[4].startswith("=5 ") and answers[5] == "? unknown command" and answers[6] == "=6 0"  # a stone each
    assert answers[7:] == ["=7", ""]


def test_what_cannot_play_is_one_sentence():
    for arguments, reason in (
        (["--agent", "nobody"], "there is no bandit 'nobody' for GTP: valid are uct, tuned, "),
        (["--agent", "exp3"], "MCTS needs a bandit that keeps the mean of each action"),
        (["--game", "kuhn"], "GTP is for Go alone, not for Kuhn"),
    ):
        done = CliRunner().invoke(app, ["gtp", *arguments])
        assert done.exit_code == 2 and reason in done.output


def test_bytes_that_are_no_text_do_not_end_the_loop():
    command = [sys.executable, "-m", "fogtree", "gtp"]
    env = {**os.environ, "PYTHONIOENCODING": "utf-8:strict"}
    done = subprocess.run(command, input=b"\xff\xfe\n1 name\nquit\n", capture_output=True, timeout=300, env=env)
    assert done.stdout == b"? unknown command\n\n=1 Fogtree rave\n\n=\n\n"
