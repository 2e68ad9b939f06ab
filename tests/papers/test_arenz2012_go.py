"""Arenz 2012, Go: one game as a piece of work, the trap, and the sections on made-up results."""

from typing import NamedTuple

import numba
import numpy as np
import pytest

from fogtree import load
from fogtree.arena.agents import SearchAgent
from fogtree.arena.sight import Resigned, sight
from fogtree.bandits import UCT, UCB1Tuned
from fogtree.bridges.program import EngineFault
from fogtree.contract import check
from fogtree.game import new_state
from fogtree.papers import load_paper
from fogtree.papers.arenz2012 import go, go_match, timed
from fogtree.papers.arenz2012.go_match import FIRST, SECOND, Games, go_game, ratings
from fogtree.papers.arenz2012.go_trap import Trap, trapped
from fogtree.papers.arenz2012.timed import Timed
from fogtree.papers.claims import AGREES, DIFFERS
from fogtree.papers.laboratory import Lab
from fogtree.papers.report import Facts, choose_parts, write_report

BOARD = "go:side=3,komi=0.5"
SMALL = "tuned:playouts=no-eyes,prior=none,iterations=3"


@pytest.fixture
def interpreted(monkeypatch):
    monkeypatch.setattr(numba.config, "DISABLE_JIT", True)


# --- one game ----------------------------------------------------------------------------------------------------------


def test_a_game_is_a_function_of_its_texts_and_seed(interpreted):
    one, again = (go_game(BOARD, SMALL, "flat:playouts=no-eyes,iterations=3", FIRST, 1) for _ in range(2))
    for found in (one, again):
        found["work"] = [
            [simulations, moves] for simulations, _, moves in found["work"]
        ]  # seconds are no function of it
    assert one == again and one["points"] in (0, 0.5, 1)
    assert all(simulations == 3 * moves for simulations, moves in one["work"])


class Passing:
    """Plays one point, and then passes."""

    def __init__(self, first):
        self.action = first

    def act(self, sight):
        action, self.action = self.action, 9
        return action


def seated(monkeypatch, **agents):
    """The texts are the names of these agents."""
    monkeypatch.setattr(go_match, "_agent", lambda text, seed: agents[text]())


def test_a_game_is_scored_for_the_first_player_with_either_colour(interpreted, monkeypatch):
    seated(monkeypatch, centre=lambda: Passing(4), passes=lambda: Passing(9))
    # who has the only stone owns the board, as black and as white
    points = [go_game(BOARD, "centre", "passes", black, 0)["points"] for black in (FIRST, SECOND)]
    assert points == [1, 1]
    assert [go_game(BOARD, "passes", "centre", black, 0)["points"] for black in (FIRST, SECOND)] == [0, 0]
    # without stones komi decides: white wins
    assert [go_game(BOARD, "passes", "passes", black, 0)["points"] for black in (FIRST, SECOND)] == [0, 1]


class Failing:
    def act(self, sight):
        raise EngineFault("gnugo did not answer 'genmove black' within 60 s")


class Cheat:
    def act(self, sight):
        return "T19"


def test_a_program_that_fails_or_cheats_loses_the_game_and_the_reason_is_kept(interpreted, monkeypatch):
    seated(monkeypatch, failing=Failing, cheat=Cheat, passes=lambda: Passing(9))
    found = go_game(BOARD, "failing", "passes", FIRST, 0)
    assert found["points"] == 0 and "did not answer" in found["fault"] and not found["resigned"]
    found = go_game(BOARD, "passes", "cheat", FIRST, 0)
    assert found["points"] == 1 and "T19" in found["fault"]


class Sure(NamedTuple):
    """What a search with UCT or with UCB1-Tuned tells of its only move."""

    mean: float

    def means(self, player, view):
        return {4: self.mean}


@pytest.mark.parametrize(
    ("bandit", "mean", "expected"),
    [(UCT(), 0.0, 0.5), (UCT(), -0.92, 0.04), (UCB1Tuned(), 0.5, 0.5), (UCB1Tuned(), 0.04, 0.04)],
)
def test_what_a_search_expects_is_a_share_of_a_win_whatever_the_bandits_rewards(bandit, mean, expected):
    # UCT's rewards are payoffs from -1 to 1: an even game is 0 and no reason to resign
    agent = SearchAgent(bandit)
    agent.search = Sure(mean)
    seen = sight(load(BOARD), new_state(load(BOARD)), 0)
    assert go_match._expected(agent, seen, 4) == pytest.approx(expected)
    assert go_match._expected(agent, seen, 5) == 1.0, "nothing is known"


def test_a_budget_of_time_is_the_processors_and_counts_every_thread(interpreted, monkeypatch):
    clock = [0.0]
    monkeypatch.setattr(timed.time, "process_time", lambda: clock[0])

    class Slow:
        how = go_match.Basic(iterations=10)

        def act(self, sight):
            clock[0] += self.how.iterations / 1000  # a thousand simulations a second
            return 4

    player = Timed(Slow(), "iterations", 0.05)
    assert player.act(None) == 4
    assert player.done == pytest.approx(50, abs=2) and player.spent == pytest.approx(0.05, abs=0.002)
    Slow.act = lambda self, sight: clock.__setitem__(0, clock[0] + 1e-5) or 4  # a search that has found all
    player = Timed(Slow(), "iterations", 0.05)
    assert player.act(None) == 4 and player.done > timed.MOST
    assert player.agent.how.iterations == 10, "the next move begins with little work again"
    for threads in (1, 2):
        text = f"tuned:playouts=no-eyes,prior=none,iterations=3,threads={threads}"
        assert go_match._player(text, 0, 25).seconds == pytest.approx(0.025 * threads)


def test_a_search_that_expects_too_little_resigns_but_not_early():
    class Seen(NamedTuple):
        moves: tuple

    player = Timed(Passing(4), resign=0.04, expects=lambda sight, action: 0.01)
    assert player.act(Seen(((0, 1),) * timed.EARLY)) == 4
    with pytest.raises(Resigned):
        player.act(Seen(((0, 1),) * (timed.EARLY + 1)))


# --- the trap ----------------------------------------------------------------------------------------------------------


def test_the_trap_keeps_the_contract():
    found = check(Trap(3))
    assert found.complete and found.ends == 3 + 9  # after the trap 3 answers, after the safe move 3 times 3 lines


def test_basic_monte_carlo_walks_into_the_trap_and_uct_does_not(interpreted):
    assert trapped("flat", 5, 300, 5) == {"fell": 5}
    assert trapped("uct", 5, 300, 5) == {"fell": 0}
    assert trapped("tuned", 5, 300, 5) == {"fell": 0}


# --- sections ----------------------------------------------------------------------------------------------------------


def made_up(share, games=100):
    def match(lab, game, one, other, count, ms=0.0):
        points = (np.arange(games) % 10 < 10 * share).astype(float)
        return Games(one, other, points, np.ones((games, 2, 3)), ())

    return match


@pytest.fixture
def full_lab():
    return Lab("arenz2012", "full")


def test_ratings_follow_from_the_matches():
    points = np.array([1, 1, 1, 1, 1, 1, 0, 0] * 25, float)  # 3 of 4 won with each colour: 400 log10(3) points
    found = ratings([Games("a", "b", points, np.ones((200, 2, 3)), ())], {"a": "A", "b": "B"}, "B")
    assert dict(zip(found.names, np.round(found.rating), strict=True))["A"] == pytest.approx(191, abs=1)


def test_a_sweep_says_which_values_are_better_and_which_are_worse(full_lab, monkeypatch):
    monkeypatch.setattr(go, "match", made_up(0.7))
    found = go.urgency(full_lab)
    assert len(found.claims) == len(go.URGENCIES) and "better beyond the interval: urgency 0.8" in found.prose
    monkeypatch.setattr(go, "match", made_up(0.5))
    assert "better beyond the interval: none; worse: none" in go.urgency(full_lab).prose


def test_the_games_against_gnu_go_stand_beside_the_printed_ones(full_lab, monkeypatch):
    monkeypatch.setattr(go, "match", made_up(0.7, games=1000))
    monkeypatch.setattr(go, "has_gnu_go", lambda: True)
    verdict = {claim.what: claim.verdict() for claim in go.gnu_go(full_lab).claims if claim.printed is not None}
    assert verdict["9x9, careful RAVE with priors, 3,000 simulations: games won (%)"] == AGREES
    assert verdict["9x9, UCT, 3,000 simulations: games won (%)"] == DIFFERS


def test_without_gnu_go_its_part_is_a_sentence(full_lab, monkeypatch):
    monkeypatch.setattr(go, "has_gnu_go", lambda: False)
    found = go.gnu_go(full_lab)
    assert not found.claims and found.prose == "There is no GNU Go on this machine, so this part was left out."


def test_the_parts_of_go_make_a_report(full_lab, monkeypatch, tmp_path):
    monkeypatch.setattr(go, "match", made_up(0.6))
    paper = load_paper("arenz2012")
    sections = [paper.parts[part](full_lab) for part in choose_parts(paper, "full", ["go"]) if part != "go-trap"]
    write_report(paper, Facts.of(full_lab, "test"), sections, tmp_path)
    text = (tmp_path / "report.md").read_text()
    assert "RAVE against UCT, at equal simulations" in text and "60" in text
    assert (tmp_path / "go.svg").exists() and (tmp_path / "go-ratings-time.csv").exists()


@pytest.mark.slow
def test_all_parts_of_go_run_at_quick_scale(tmp_path):
    lab = Lab("arenz2012", "quick", 0, tmp_path / "runs.sqlite", 1)
    paper = load_paper("arenz2012")
    for name in choose_parts(paper, "quick", ["go"]):
        found = paper.parts[name](lab)
        assert found.name == name and found.title
        assert found.claims or not go_match.has_gnu_go()
