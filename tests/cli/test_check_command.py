"""`fogtree check` takes whatever a user has written: the class says what it is."""

import time

import pytest
from typer.testing import CliRunner

from fogtree.cli import app

FILE = """
from typing import NamedTuple

class B(NamedTuple):
    def slots(self, k): return 2 * k
    def reward(self, payoff, low, high): return payoff
    def choose(self, memory, k, random): return 0, 1.0
    def learn(self, memory, k, chosen, probability, reward): memory[chosen] += 1.0
    def policy(self, memory, k, out):
        for i in range(k):
            out[i] = 1.0 / k

class Bad(B):
    def choose(self, memory, k, random): return k, 1.0

class P(NamedTuple):
    def weigh(self, game, state, player, choice, odds):
        count = game.actions(state, choice)
        for a in range(count):
            odds[a] = 0.6 / count
        return count

class E(NamedTuple):
    def value(self, game, state): return 77.0

class A:
    def act(self, sight): return sight.actions[0]

class Cheat:
    def act(self, sight): return 9

class Hangs:
    def act(self, sight):
        while True:
            pass

class Draws(NamedTuple):
    def draw(self, game, state, player, room, random): return 0

class Rewards(NamedTuple):
    def slots(self, k): return k
    def learn(self, memory, k, chosen, probability, reward): pass

class Nothing:
    pass

class Loose:
    def weigh(self, game, state, player, choice, odds): return 0
"""


@pytest.mark.parametrize(
    ("name", "code", "sentence"),
    [
        ("B", 0, "B keeps the contract of a bandit"),
        ("Bad", 1, "Bad.choose returns the position 2: valid is 0 to 1"),
        (
            "P",
            1,
            "P.weigh must write probabilities that sum to 1, not [0.3, 0.3], which sum to 0.6 (player 0 in Kuhn, after",
        ),
        (
            "E",
            0,
            "E keeps the contract of an evaluation. Tried in 28 states of kuhn.\nHint: E.value is 77 where payoffs lie",
        ),
        ("A", 0, "A has played 20 matches of kuhn against random without a fault"),
        ("Cheat", 1, "in match 1 of kuhn Cheat: 9 is not a legal action here"),
        ("Draws", 1, "Draws has no method weigh: a policy needs weigh"),
        (
            "Rewards",
            1,
            "Rewards has no method reward, choose, policy: a bandit needs slots, reward, choose, learn, policy",
        ),
        (
            "Nothing",
            1,
            "Nothing has none of the methods by which a check knows what it is: step (a game), choose (a bandit)",
        ),
        ("Loose", 1, "Loose is no NamedTuple: write class Loose(NamedTuple), as fogtree.policy says"),
    ],
)
def test_each_kind_is_checked_as_what_it_is(name, code, sentence, tmp_path):
    (tmp_path / "mine.py").write_text(FILE)
    done = CliRunner().invoke(app, ["check", f"{tmp_path}/mine.py:{name}", "--in", "kuhn", "--seconds", "2"])
    assert sentence in done.output and done.exit_code == code


def test_a_check_of_an_agent_that_hangs_ends_in_the_time_that_is_given(tmp_path):
    (tmp_path / "mine.py").write_text(FILE)
    began = time.perf_counter()
    done = CliRunner().invoke(app, ["check", f"{tmp_path}/mine.py:Hangs", "--in", "kuhn", "--seconds", "0.5"])
    assert done.exit_code == 1 and "Hangs has not answered: 0.5 s are allowed for a move" in done.output
    assert time.perf_counter() - began < 20


def test_a_check_of_an_agent_that_hangs_says_what_it_waits_for(tmp_path, monkeypatch):
    monkeypatch.setattr("fogtree.cli.screen.live.BETWEEN_LINES", 0.1)
    (tmp_path / "mine.py").write_text(FILE)
    done = CliRunner().invoke(app, ["check", f"{tmp_path}/mine.py:Hangs", "--in", "kuhn", "--seconds", "0.5"])
    waiting = "playing match 1 of kuhn against random, where a move may take 0.5 s (--seconds), 0"
    assert waiting in done.output and done.exit_code == 1


def test_a_class_that_is_not_there_is_answered_by_those_that_are(tmp_path):
    (tmp_path / "mine.py").write_text(FILE)
    done = CliRunner().invoke(app, ["check", f"{tmp_path}/mine.py:Absent"])
    assert done.exit_code == 2 and "mine.py has no class 'Absent': it holds B, Bad, P, E, A, " in done.output


def test_of_several_classes_that_are_no_games_one_must_be_named(tmp_path):
    (tmp_path / "mine.py").write_text(FILE)
    done = CliRunner().invoke(app, ["check", f"{tmp_path}/mine.py"])
    assert done.exit_code == 2 and "one must be named: valid are B, Bad, P, E, " in done.output
