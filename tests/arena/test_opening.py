"""Agents that search with open cards."""

import pytest

import fogtree
from fogtree import Invalid, Kuhn
from fogtree.arena import agents
from fogtree.arena.agents.opening import OpenAgent, judge_of
from fogtree.arena.sight import sight
from fogtree.bandits import UCT
from fogtree.game import new_state
from fogtree.judges import CutOff, Playout
from fogtree.search.worlds.opinion import Verdict

BET = 1
HOLD = "phantom-ttt:rules=forced-centre,winning_first=on"


def test_a_text_names_the_worlds_the_budget_and_the_bandits():
    agent = agents.load_agent("epimc:worlds=5,iterations=70,depth=2,inner=[uct:c=1],above=greedy,verdict=means")
    assert agent.how[:2] == (5, 70) and agent.how.depth == 2 and agent.how.verdict is Verdict.MEANS
    assert agent.inner == UCT(c=1) and agent.budget().iterations == 70
    assert agent.name == "epimc:worlds=5,iterations=70,depth=2,inner=[uct:c=1],above=greedy,verdict=means"


def test_uct_risk_has_the_parameters_of_its_formula_and_as_many_worlds_as_the_search():
    agent = agents.load_agent("uct-risk:r=0.7,norm=rms,worlds=7")
    assert agent.how.depth == 1 and agent.above.r == 0.7 and agent.above.norm.name == "RMS" and agent.above.worlds == 7


def test_a_budget_is_added_where_none_is_given():
    assert agents.with_budget("pimc:worlds=3", 99) == "pimc:worlds=3,iterations=99"
    assert agents.with_budget("pimc:iterations=5", 99) == "pimc:iterations=5"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("pimc:r=1", "pimc has no parameter 'r': valid are worlds, iterations, "),
        ("uct-risk:x=1", "uct-risk has no parameter 'x': valid are worlds, "),
        ("pimc:worlds=0", "Opening: worlds must be a whole number from 1 to 65535, not 0"),
        ("pimc:verdict=loud", "Opening: verdict must be votes or means, not 'loud'"),
        ("epimc:inner=exact", "with exact the cards are open from the start, so depth must be 0, not 1"),
        ("pimc:inner=nobody", "there is no bandit 'nobody'"),
        ("pimc:inner=[alphabeta:speed=2]", "alphabeta has no parameter 'speed': valid are depth"),
    ],
)
def test_a_bad_text_is_refused_in_one_sentence(text, sentence):
    with pytest.raises(Invalid, match=sentence):
        agents.load_agent(text)


@pytest.mark.parametrize(
    "text",
    ["pimc:iterations=60", "epimc:depth=2,iterations=60", "uct-risk:iterations=60", "pimc:inner=exact"],
)
def test_it_plays_a_whole_match_from_what_it_believes(text, interpreted):
    match = fogtree.play(Kuhn(), [agents.load_agent(text, 1), agents.load_agent("random", 2)], seed=3)
    assert match.forfeit is None


def test_with_open_cards_solved_it_never_passes_a_king_that_was_bet_into_and_never_calls_with_a_jack(interpreted):
    # Kuhn's views: with the king a call wins 2 in every world, with the jack it loses 2 in every world
    mixes = dict(zip([0, 1, 2], _answers_to_a_bet("pimc:inner=exact,verdict=means"), strict=True))
    assert mixes[0] == {0: 1.0} and mixes[2] == {1: 1.0}


def _answers_to_a_bet(text):
    """[card] what player 1 does with it after a bet."""
    game, found = Kuhn(), []
    for card in range(3):
        state = new_state(game)
        for action in ((card + 1) % 3, card, BET):
            game.step(state, action)
        found.append(agents.load_agent(text, 1).mix(sight(game, state, 1)))
    return found


def test_what_it_thought_is_told_afterwards(interpreted):
    agent = agents.load_agent("pimc:iterations=40,worlds=4", 1)
    fogtree.play(Kuhn(), [agent, agents.load_agent("random", 2)], seed=3)
    thought = agent.thoughts[0]
    assert thought.states == 2 and thought.iterations == 40 and sum(thought.mix.values()) == pytest.approx(1)


def test_a_game_with_an_evaluation_is_cut_and_judged_by_it_and_others_are_played_to_the_end():
    assert isinstance(judge_of(Kuhn(), 3), Playout)
    judge = judge_of(fogtree.load("luzhanqi"), 3)
    assert isinstance(judge, CutOff) and judge.moves == 3


def test_worlds_that_the_game_imagines_need_no_belief(interpreted, monkeypatch):
    monkeypatch.setattr("fogtree.arena.agents.believing.Belief", None)  # nobody may ask it
    agent = OpenAgent(agents.load_agent("pimc:iterations=20,worlds=2").how, 1)
    match = fogtree.play(fogtree.load(HOLD), [agent, agents.load_agent("random", 2)], seed=1)
    assert match.forfeit is None
