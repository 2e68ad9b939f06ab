"""The agent of Online Outcome Sampling."""

import pytest

import fogtree
from fogtree import Invalid, Kuhn
from fogtree.arena import agents
from fogtree.arena.agents.outcome import Target
from fogtree.arena.referee import play
from fogtree.arena.sight import sight
from fogtree.game import new_state


def at(game, *moves):
    state = new_state(game)
    for action in moves:
        game.step(state, action)
    return sight(game, state, int(game.player(state)))


def test_a_text_names_the_target_the_rule_and_the_budget():
    agent = agents.load_agent("oos:target=pst,rule=rm+,seconds=0.5,delta=0.5,weigh=no")
    assert agent.how.target is Target.PST and agent.how.delta == 0.5 and not agent.how.weigh
    assert agent.budget().seconds == 0.5 and agent.name == "oos:target=pst,rule=rm+,seconds=0.5,delta=0.5,weigh=no"
    assert agents.with_budget("oos", 99) == "oos:iterations=99"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("oos:target=all", "target"),
        ("oos:delta=1", "delta"),
        ("oos:rule=nothing", "there is no bandit 'nothing'"),
    ],
)
def test_a_wrong_parameter_is_told(text, sentence):
    with pytest.raises(Invalid, match=sentence):
        agents.load_agent(text)


def test_games_that_it_cannot_play_are_refused():
    with pytest.raises(Invalid, match="two players"):
        agents.load_agent("oos").fits(fogtree.load("many-kuhn"))


@pytest.mark.parametrize("target", ["ist", "pst", "none"])
def test_with_the_king_against_a_bet_it_calls(target):
    agent = agents.load_agent(f"oos:iterations=2000,target={target}", 1)
    assert agent.mix(at(Kuhn(), 0, 2, 1))[1] > 0.9


def test_the_tree_is_kept_for_a_match_and_begun_anew_with_the_next():
    game, agent = Kuhn(), agents.load_agent("oos:iterations=500", 1)
    first = at(game, 1, 2)
    agent.follow(first, 0)
    agent.act(at(game, 1, 2, 0, 1))
    assert agent.search.iterations == 1000 and agent.thoughts[-1].states == 2 and agent.thoughts[-1].coverage == 1.0
    agent.act(first)  # nobody said that a new match begins, but this view can only be the first of one
    assert agent.search.iterations == 500
    agent.fresh()
    assert agent.thoughts == [] and agent.search is None


def test_it_plays_matches():
    pair = [agents.load_agent("oos:iterations=300", 1), agents.load_agent("random", 2)]
    won = []
    for number in range(150):
        match = play(Kuhn(), pair, seed=number)
        assert match.forfeit is None
        won.append(match.payoffs[0])
    # perfect play of player 0 gets 1/6 of a chip from random play, with a spread of 1.4 in one match
    assert sum(won) / len(won) > -0.2 and pair[0].thoughts
