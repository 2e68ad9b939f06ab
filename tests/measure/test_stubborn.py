"""Sweeps: classes stand for their members, samples and stores change nothing, a bandit of one's own can be tried."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from fogtree.bandits import load_bandit
from fogtree.cli import app
from fogtree.errors import Invalid
from fogtree.games.family import Family, RandomFamily, load_family, member_name
from fogtree.games.random_games import Uniform
from fogtree.measure.stubborn import Same, Sweep, Sweeping, Trial, plan, play_piece, sweep
from fogtree.measure.track import track

OWN = '''
from typing import NamedTuple

class FirstAction(NamedTuple):
    """Always the first action."""
    def slots(self, k):
        return k
    def reward(self, payoff, low, high):
        return payoff
    def choose(self, memory, k, random):
        return 0, 1.0
    def learn(self, memory, k, chosen, probability, reward):
        memory[chosen] += 1.0
    def policy(self, memory, k, out):
        for i in range(k):
            out[i] = 1.0 if i == 0 else 0.0
'''


def test_a_plan_plays_each_class_once_a_run_and_weighs_it():
    work = plan("2x2", 1, 2, 0, True)
    assert sum(len(kind.members) for kind in work.kinds) == len(Family(2, 2)) == 78
    plays = [play for piece in work.pieces for play in piece]
    assert len(plays) == 2 * len(work.kinds)
    for kind, pair in zip(work.kinds, zip(plays[::2], plays[1::2], strict=True), strict=True):
        for run, (number, which, weight) in enumerate(pair):
            assert number in kind.members and which == run and weight == len(kind.members)
    assert len(plan("2x2", 1, 1, 0, False).kinds) == 78
    assert len(plan("2x2", 1, 1, 0, True, sample=5).kinds) == 5


def test_a_sweep_is_its_games_tracked_one_by_one(tmp_path):
    found = sweep("rm", "2x2", steps=30, seed=4, classes=False, cores=1, store=tmp_path / "runs.sqlite")
    for number in (0, 40, 77):
        alone = track(Family(2, 2)[number], load_bandit("rm"), 30, seed=(4, number, 0))
        assert found.trials[number].exploitability.tolist() == [alone.exploitability[-1]]
    again = sweep("rm", "2x2", steps=30, seed=4, classes=False, cores=1, store=tmp_path / "runs.sqlite")
    assert again.exploitability.tolist() == found.exploitability.tolist()
    assert found.turned[:2].tolist() == [0.0, 0.0] and 0 < found.turned[2:].mean() < 1


def test_shares_weigh_classes_and_the_worst_comes_first():
    found = Sweep(
        "rm", "3x3", 1, 0, [Trial(0, 3, np.array([0.1, 0.3])), Trial(5, 1, np.array([0.5, 0.5]))], np.zeros(1)
    )
    assert found.share(0.2) == pytest.approx((3 * 0.5 + 1 * 1.0) / 4)
    assert found.share(0.05, 0.2) == pytest.approx(3 * 0.5 / 4)
    assert [trial.number for trial in found.stubborn(0.15)] == [5, 0]
    first = found.failures(0.25)[0]
    assert (first.name, first.stands_for, first.median, first.above) == ("3x3/5", 1, 0.5, 1.0)
    assert first.support.value == pytest.approx(-1.0)


def test_families_by_name(tmp_path):
    found = load_family("random/uniform:rows=2,columns=2,seed=10", 5)
    assert isinstance(found, RandomFamily) and len(found) == 5
    assert found[3].payoffs.tolist() == Uniform(2, 2, seed=13).game().payoffs.tolist()
    assert member_name("random/uniform:rows=2,seed=10", 3) == "random/uniform:rows=2,seed=13"
    (tmp_path / "games.json").write_text(json.dumps([[[1, -1], [-1, 1]], [[0, 1], [2, 3]]]))
    assert load_family(str(tmp_path / "games.json"))[1].payoffs.tolist() == [[0, 1], [2, 3]]
    (tmp_path / "none.json").write_text("{}")
    for text, words in (
        (str(tmp_path / "none.json"), "a list of payoff matrices"),
        (str(tmp_path / "missing.json"), "cannot be read"),
        ("3by3", "there is no family"),
    ):
        with pytest.raises(Invalid, match=words):
            load_family(text)


def test_a_bandit_of_ones_own_fails_where_the_first_actions_are_bad(tmp_path):
    (tmp_path / "own.py").write_text(OWN)
    (tmp_path / "games.json").write_text(json.dumps([[[0, 1], [-1, 0]], [[-1, 1], [1, -1]]]))
    command = ["stubborn", "--bandit", f"{tmp_path}/own.py:FirstAction", "--family", f"{tmp_path}/games.json"]
    command += ["--steps", "5", "--cores", "1", "--store", f"{tmp_path}/runs.sqlite", "--csv", f"{tmp_path}/found.csv"]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 0, done.output
    assert "1 are stubborn, 50.00% of all end above 0.05, the worst at 1." in done.output
    # in matching pennies the first row is answered with a loss of 1 and the first column with a gain of 1
    assert "games.json[1],1,1,1.0,0,2+2," in (tmp_path / "found.csv").read_text()


def test_an_edited_bandit_or_family_is_swept_anew(tmp_path, interpreted):
    own, games = tmp_path / "own.py", tmp_path / "games.json"
    own.write_text(OWN)
    games.write_text(json.dumps([[[0, 1], [-1, 0]]]))

    def ends():
        options = {"steps": 5, "cores": 1, "store": tmp_path / "runs.sqlite"}
        return sweep(f"{own}:FirstAction", str(games), **options).exploitability.tolist()

    assert ends() == [[0.0]]  # the first row and the first column are a saddle point
    games.write_text(json.dumps([[[-1, 1], [1, -1]]]))
    assert ends() == [[1.0]]  # matching pennies
    own.write_text(OWN.replace("1.0 if i == 0 else 0.0", "1.0 / k"))
    assert ends() == [[0.0]]  # uniform play is right there


def test_direction_changes_weigh_a_class_by_its_size():
    class Seen:
        def __init__(self, turned):
            self.exploitability, self.shares = [0.0], turned

        def turned(self):
            return np.array([np.nan, self.shares])

    # game 0 stands for 3 games and always turns, game 1 for itself and never does: 3 of 4 turn
    plays = [[0, 0, 3], [1, 0, 1]]
    found = play_piece("rm", "2x2", 1, 2, 0, plays, how=lambda given, *_, **__: [Seen(s[1] == 0.0) for _, s in given])
    assert found["turned"] == [0.0, 3.0]
    work = Sweeping("2x2", 0, 1, [Same(0, np.arange(3)), Same(1, np.arange(1))], [plays])
    assert work.gathered("rm", 2, [found]).turned.tolist() == [0.0, 0.75]


def test_what_cannot_be_swept_is_refused():
    with pytest.raises(Invalid, match="there is no bandit 'ucb'"):
        sweep("ucb", "2x2")
    with pytest.raises(Invalid, match="runs are 1 or more"):
        sweep("rm", "2x2", runs=0)


def test_a_sweep_on_a_gpu_has_large_pieces_that_are_stored_apart(monkeypatch):
    work = plan("2x2", 1, 4, 0, True)
    assert work.on("cpu", 3) == ({}, 3) and work.pieces_on({}) == work.pieces
    assert work.on("cuda", 3) == ({"device": "cuda"}, 1)
    monkeypatch.setattr("fogtree.measure.stubborn.GPU_PIECE", 50)
    larger = work.pieces_on({"device": "cuda"})
    assert [play for piece in larger for play in piece] == [play for piece in work.pieces for play in piece]
    assert {len(piece) for piece in larger[:-1]} <= {50}


def test_devices_that_a_paper_or_a_sweep_cannot_take_are_one_sentence(tmp_path):
    for command, words in (
        (["paper", "lisy2014", "--device", "cuda"], "lisy2014 is measured on the CPU"),
        (["paper", "lisy2014", "--times", "2"], "lisy2014 is measured on the CPU"),
        (["stubborn", "--bandit", "rm", "--device", "gpu", "--store", f"{tmp_path}/runs.sqlite"], "no device 'gpu'"),
    ):
        done = CliRunner().invoke(app, command)
        assert done.exit_code == 2 and words in done.output
