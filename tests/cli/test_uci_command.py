"""fogtree uci: its arguments. tests/bridges/test_uci.py drives it as a program."""

from typer.testing import CliRunner

from fogtree.cli import app
from fogtree.evaluation import features_of, linear
from fogtree.games.breakthrough import Breakthrough
from fogtree.games.chess import Chess
from fogtree.learn.weights import weights_of


def say(*arguments):
    return CliRunner().invoke(app, ["uci", *arguments], input="uci\nnonsense\nquit\n")


def test_it_answers_until_quit():
    done = say()
    assert done.exit_code == 0 and done.output.startswith("id name Fogtree ") and "\nuciok\n" in done.output
    assert "info string 'nonsense' is no command" in done.output


def test_learned_weights_are_taken_if_they_are_for_chess(tmp_path):
    for name, game in (("chess", Chess()), ("other", Breakthrough())):
        weights_of(game, linear(game, features_of(game))).save(tmp_path / f"{name}.npz")
    assert say("--weights", str(tmp_path / "chess.npz")).exit_code == 0
    done = say("--weights", str(tmp_path / "other.npz"))
    assert done.exit_code == 2 and "these weights are for the game Breakthrough" in done.output
    assert say("--weights", str(tmp_path / "none.npz")).exit_code == 2
