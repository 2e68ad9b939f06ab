"""Agents: a person, a random player, and their names."""

import pytest

import fogtree
from fogtree import agents
from fogtree.agents import HumanAgent, RandomAgent, Sight
from fogtree.measure.match import play


def test_a_person_is_shown_the_state_once_however_often_they_are_refused():
    typed, told = iter(["x", "y", "bet", "bet"]), []
    play(fogtree.Kuhn(), [HumanAgent(lambda prompt: next(typed), told.append), RandomAgent(1)], seed=1)
    assert [text.startswith("\nyour card") for text in told[:3]] == [True, False, False]


def test_agents_have_names():
    assert isinstance(agents.load("random", 3), RandomAgent)
    with pytest.raises(fogtree.Invalid, match="there is no agent 'nobody': valid are random"):
        agents.load("nobody")


def test_a_random_agent_is_fair_and_follows_its_seed():
    sight = Sight(fogtree.Kuhn(), 0, 1, (0, 1, 5), ("a", "b", "c"), "")
    first, second, other = RandomAgent(1), RandomAgent(1), RandomAgent(2)
    moves = [first.act(sight) for _ in range(3_000)]
    assert moves == [second.act(sight) for _ in range(3_000)]
    assert moves != [other.act(sight) for _ in range(3_000)]
    assert all(
        moves.count(action) == pytest.approx(1_000, abs=130) for action in sight.actions
    )  # five deviations of 26
