"""What an agent really plays: what is judged is what is seen at the table."""

import collections
import math

import numpy as np
import pytest

import fogtree
from fogtree import ISMCTS, Kuhn, RegretMatching, Strategy
from fogtree.arena import agents, played, soundness
from fogtree.arena.played import judge
from fogtree.arena.referee import play, replay
from fogtree.policy import Uniform
from fogtree.solvers.forms.infosets import planned
from fogtree.solvers.forms.response import behaviour
from fogtree.solvers.forms.sequence import sequence_form

OWN = """
class Mute:
    def act(self, sight):
        return sight.actions[0]
"""
MIXES = """
class Mixes:
    def act(self, sight):
        return sight.actions[0]

    def mix(self, sight):
        {}
"""


@pytest.fixture(scope="module")
def kuhn():
    return sequence_form(Kuhn())


def test_what_can_be_written_down_is_judged_exactly(kuhn, tmp_path):
    # uniform play of Kuhn poker is exploitable by 11/12 (OpenSpiel's tests)
    assert judge(kuhn, "random") == (pytest.approx(11 / 12), 0.0, 0, "")
    fogtree.solve(Kuhn()).strategy.save(tmp_path / "kuhn.npz")
    assert judge(kuhn, f"strategy:{tmp_path}/kuhn.npz") == (pytest.approx(0, abs=1e-9), 0.0, 0, "")


def test_a_policy_is_written_down_as_the_strategy_that_it_is(kuhn):
    class Evenly:
        def plan(self, game):
            return Uniform()

    table = behaviour(kuhn, dict(enumerate(soundness.written_down(kuhn, Evenly()))))
    assert len(table) == 12
    assert fogtree.exploitability(kuhn, table).total == pytest.approx(11 / 12)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("rm:iterations=12", marks=pytest.mark.slow),
        pytest.param("rm:iterations=12,play_best=yes", marks=pytest.mark.slow),
        pytest.param("rm:iterations=12,keep_tree=yes", marks=pytest.mark.slow),
    ],
)
def test_the_strategy_that_is_judged_is_the_one_that_sits_at_the_table(text):
    """The mean mix over many runs at each information set, beside how often each action is seen there in real matches."""
    game, runs, matches = Kuhn(), 300, 1500
    form = sequence_form(game)
    mixes, _ = soundness.played(form, text, range(runs), 1)
    seen = collections.defaultdict(collections.Counter)
    for number in range(matches):
        pair = [agents.load_agent(text, 2, number, player) for player in (0, 1)]
        match = play(game, pair, seed=number)
        for move, state in zip(match.moves, replay(game, match.moves), strict=False):
            if move.player >= 0:
                seen[move.player, int(game.view(state, move.player))][move.action] += 1
    compared = 0
    for player, tree in enumerate(form.trees):
        for i, view in enumerate(tree.view.tolist()):
            count = seen[player, view]
            if (total := count.total()) < 100:
                continue
            # seeds that never come to a set play it uniformly there, and are left out
            plan = np.array([planned(tree, mix)[tree.parent[i]] > 0 for mix in mixes[player]])
            for s in range(tree.first[i], tree.first[i + 1]):
                mean = float(mixes[player][plan, s].mean())
                noise = math.sqrt(max(mean * (1 - mean), 0.01) * (1 / total + 1 / plan.sum()))
                assert abs(count[int(tree.action[s])] / total - mean) < 5 * noise, (player, view)
                compared += 1
    assert compared >= 12


def test_playing_the_best_action_is_judged_as_played_and_not_by_the_shares_of_one_search():
    # Goofspiel with 3 cards has a pure equilibrium, the highest card for the highest prize, and the best action is on it
    form = sequence_form(fogtree.Goofspiel(3))
    found = judge(form, "rm:iterations=3000,play_best=yes")
    shares = fogtree.exploitability(form, ISMCTS(form.game, RegretMatching(), 0).run(iterations=3000).strategy()).total
    assert found.total == pytest.approx(0, abs=1e-9) and found.runs == played.RUNS
    assert shares > 1e-3


def test_an_estimate_comes_with_its_noise(kuhn):
    found = judge(kuhn, "rm:iterations=60", seed=3)
    assert found.runs == played.RUNS and 0 < found.half < found.total < 1.5
    assert judge(kuhn, "rm:iterations=60", seed=3) == found != judge(kuhn, "rm:iterations=60", seed=4)
    mixes, _ = soundness.played(kuhn, "rm:iterations=60", range(8), 7)
    both = [behaviour(kuhn, {player: mixes[player][run] for player in (0, 1)}) for run in range(8)]
    one = [fogtree.exploitability(kuhn, each).total for each in both]
    assert found.total < sum(one) / 8, "the mean of several runs is less noisy than one of them"


@pytest.mark.parametrize(
    "cap, value, why",
    [
        ("ITERATIONS", 1_000, "to search at all 12 information sets takes too long"),
        ("SEARCHES", 20, "to search at all 12 information sets takes too long"),
        ("HISTORIES", 50, "the game has more than 50 histories"),
    ],
)
def test_what_takes_too_long_is_left_out_with_a_reason(kuhn, monkeypatch, cap, value, why):
    monkeypatch.setattr(played, cap, value)
    found = judge(kuhn, "rm:iterations=100")
    assert math.isnan(found.total) and found.why == why
    assert judge(kuhn, "random").total == pytest.approx(11 / 12), "what is written down takes no search"


def test_seconds_are_counted_too(kuhn):
    assert judge(kuhn, "rm:seconds=1000").why == "to search at all 12 information sets takes too long"


def test_an_agent_that_tells_nothing_is_not_judged(kuhn, tmp_path):
    (tmp_path / "own.py").write_text(OWN)
    assert judge(kuhn, f"{tmp_path}/own.py").why == "it does not tell how it mixes"


@pytest.mark.parametrize(
    "body, why",
    [
        ("raise ValueError('no idea')", "it raised ValueError: no idea"),
        ("return None", "Mixes.mix returned None, not the probabilities of legal actions, which are 0, 1"),
        ("return {}", "Mixes.mix returned {}, not the probabilities"),
        ("return {0: float('nan')}", "Mixes.mix returned {0: nan}, not the probabilities"),
        ("return {99: 1.0}", "Mixes.mix returned {99: 1.0}, not the probabilities"),
        ("return {'pass': 1.0}", "Mixes.mix returned {'pass': 1.0}, not the probabilities"),
        ("return {0: 0.25}", "probabilities sum to 1"),
    ],
)
def test_an_agent_that_mixes_wrongly_is_not_judged_and_the_reason_is_told(kuhn, tmp_path, body, why):
    (tmp_path / "own.py").write_text(MIXES.replace("{}", body, 1))
    found = judge(kuhn, f"{tmp_path}/own.py")
    assert math.isnan(found.total) and found.why.startswith(why)


def test_sets_with_one_action_need_no_search():
    form = sequence_form(fogtree.Goofspiel(2))
    assert isinstance(judge(form, "rm:iterations=20").total, float)
    assert len(Strategy.uniform(form.game)) == 0
