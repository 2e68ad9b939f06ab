"""The agent that resolves, at the table."""

import pytest

import fogtree as ft
from fogtree.arena.agents import load_agent, require_fit
from fogtree.arena.referee import play
from fogtree.arena.sight import sight
from fogtree.errors import Invalid
from fogtree.game import new_state
from fogtree.search.online.resolve import Resolving


def dealt(game, *actions):
    state = new_state(game)
    for action in actions:
        game.step(state, action)
    return state


def test_it_plays_kuhn_as_theory_says():
    # Kuhn 1950: facing a bet a king calls, a jack folds, and a queen calls one time in three
    game, agent = ft.Kuhn(), load_agent("resolve:iterations=2000")
    mixes = []
    for card in range(3):
        agent.fresh()
        mixes.append(agent.mix(sight(game, dealt(game, (card + 1) % 3, card, 1), 1))[1])
    assert mixes == pytest.approx([0.0, 1 / 3, 1.0], abs=0.01)


def test_it_plays_on_in_a_match_and_in_the_next_without_being_told():
    game = ft.Leduc()
    agents = [load_agent("resolve:iterations=20", 1, 0), load_agent("resolve:iterations=20,gadget=reach", 1, 1)]
    for seed in range(3):
        match = play(game, agents, seed=seed)
        assert sum(match.payoffs) == 0
        for player, agent in enumerate(agents):
            own = [move.action for move in match.moves if move.player == player]
            assert len(agent.thoughts) == len(own)
    for card in (0, 4):  # two first decisions one after the other, and nobody has called `fresh`
        mix = agents[0].mix(sight(game, dealt(game, card, 1), 0))
        assert set(mix) == {1, 2} and sum(mix.values()) == pytest.approx(1)


def test_the_same_seed_plays_the_same():
    game = ft.Leduc()
    texts = [
        str(play(game, [load_agent("resolve:iterations=20", 3, who) for who in (0, 1)], seed=5).moves) for _ in range(2)
    ]
    assert texts[0] == texts[1]


def test_it_begins_with_a_blueprint(tmp_path):
    game = ft.Kuhn()
    ft.solve(game).strategy.save(tmp_path / "kuhn.npz")
    agent = load_agent(f"resolve:iterations=50,blueprint={tmp_path / 'kuhn.npz'}")
    mix = agent.mix(sight(game, dealt(game, 0, 1, 0, 1), 0))  # a jack, after a pass and a bet
    assert mix[0] == pytest.approx(1, abs=1e-6)


def test_it_says_what_it_cannot_play():
    with pytest.raises(Invalid, match="zero-sum games of two players"):
        require_fit(load_agent("resolve"), ft.load("kuhn:players=3"))
    with pytest.raises(Invalid, match="gadget"):
        load_agent("resolve:gadget=magic")


def test_where_a_match_gets_too_large_for_it_the_agent_forfeits(monkeypatch):
    game, asked = ft.load("leduc"), []
    think = Resolving.think

    def tired(self, carried, view, spend, **options):
        asked.append(view)
        if len(asked) > after:
            raise Invalid("what follows is too large")
        return think(self, carried, view, spend, **options)

    monkeypatch.setattr(Resolving, "think", tired)
    after = 1
    agents = [load_agent("resolve:iterations=20"), load_agent("always:1", 1)]  # it calls, so a second decision follows
    match = play(game, agents, seed=1)
    assert match.forfeit.player == 0 and "resolve:iterations=20 cannot go on: what follows is too large" in str(match)
    after = 0
    with pytest.raises(Invalid, match="too large"):  # where it cannot even begin there is no match to forfeit
        play(game, agents, seed=1)
