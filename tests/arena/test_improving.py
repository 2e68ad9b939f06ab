"""The agent that makes one step better than a base policy."""

import numpy as np
import pytest

import fogtree
from fogtree import Invalid, Kuhn
from fogtree.arena import agents
from fogtree.arena.agents.improving import base_policy
from fogtree.arena.sight import sight
from fogtree.game import new_state
from fogtree.games.siguo.bold import Bold
from fogtree.policy import Always, Uniform


def test_a_base_is_a_policy_of_the_game_or_an_agent_that_can_be_written_down():
    army = fogtree.load("small-army")
    assert base_policy(army, "bold") == Bold() and base_policy(army, "bold:keen=1") == Bold(keen=1.0)
    assert base_policy(Kuhn(), "always:1") == Always(1) and base_policy(Kuhn(), "even") == Uniform()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("mmds:eta=-1", "Improving: eta must be a number in .0, 1e"),
        ("mmds:depth=1", "mmds has no parameter 'depth': valid are worlds, iterations, "),
        ("mmds:base=bold", "Kuhn has no policy 'bold' that could be the base of mmds: valid are even, random, "),
        ("mmds:base=pimc", "pimc cannot be the base of mmds"),
        ("mmds:bandit=nobody", "there is no bandit 'nobody'"),
    ],
)
def test_a_bad_text_is_refused_in_one_sentence(text, sentence):
    with pytest.raises(Invalid, match=sentence):
        agents.require_fit(agents.load_agent(text), Kuhn())


def test_without_a_step_it_plays_a_saved_strategy_as_it_is(tmp_path, interpreted):
    strategy = fogtree.solve(Kuhn()).strategy
    strategy.save(tmp_path / "kuhn.npz")
    agent = agents.load_agent(f"mmds:base=[strategy:{tmp_path / 'kuhn.npz'}],eta=0,iterations=5", 1)
    state = new_state(Kuhn())
    for action in (2, 0):
        Kuhn().step(state, action)
    found = agent.mix(sight(Kuhn(), state, 0))
    wanted = strategy[0, int(Kuhn().view(state, 0))]
    assert {a: p for a, p in wanted.items() if p > 0} == pytest.approx(found)


def test_it_plays_a_whole_match_of_four_armies_and_thinks_aloud():
    game = fogtree.load("siguo:longest=40")
    table = [agents.load_agent("mmds:iterations=60,worlds=5,base=bold,play_best=yes", n) for n in range(4)]
    match = fogtree.play(game, table, seed=1)
    assert match.forfeit is None
    assert table[0].thoughts[0].iterations == 60 and table[0].thoughts[0].states == 5


@pytest.mark.parametrize("name", ["mmds:iterations=20,worlds=7", "pimc:iterations=20,worlds=7"])
def test_what_it_held_possible_is_not_how_many_worlds_it_drew(interpreted, name):
    agent, state = agents.load_agent(name, 1), new_state(Kuhn())
    for action in (0, 1, 1):  # a queen is bet at, by a jack or a king
        Kuhn().step(state, action)
    agent.act(sight(Kuhn(), state, 1))
    assert (agent.thoughts[0].states, agent.thoughts[0].coverage) == (2, 1.0)
    game = fogtree.load("dark-chess:size=4")  # in a match worlds are imagined, and nobody knows how many there are
    agent.fresh()
    agent.act(sight(game, new_state(game), 0, random=fogtree.dice.seeded(1)))
    assert agent.thoughts[0].states == 7 and np.isnan(agent.thoughts[0].coverage)


def test_it_plays_whatever_hides_behind_what_it_sees():
    # two worlds that look alike to the mover: the same imagined worlds, dice and mix
    game = fogtree.load("luzhanqi")
    state = new_state(game)
    random = fogtree.dice.seeded(4)
    with np.errstate(over="ignore"):
        while game.player(state) == fogtree.CHANCE:
            odds = fogtree.game.odds(game, state)
            game.step(state, fogtree.game.legal(game, state)[fogtree.dice.pick(random, odds, len(odds))])
        other = state.copy()
        game.imagine(other, 0, random)
        mixes = []
        for each in (state, other):
            agent = agents.load_agent("mmds:iterations=200,worlds=10,base=bold", 3)
            mixes.append(agent.mix(sight(game, each, 0, random=fogtree.dice.seeded(9))))
    assert not np.array_equal(state, other)
    assert mixes[0] == mixes[1]


@pytest.mark.parametrize(("cards", "worlds"), [(3, 4), (2, 4), (1, 0)])
def test_worlds_are_drawn_wherever_there_is_a_choice(interpreted, cards, worlds):
    # with one card there is nothing to think about; two are a choice
    game, agent = fogtree.Goofspiel(cards), agents.load_agent("mmds:iterations=6,worlds=4", 1)
    agent.act(sight(game, new_state(game), 0))
    assert (agent.thoughts[0].states, agent.thoughts[0].iterations) == (worlds, 6 if worlds else 0)
