"""The agent of knowledge-limited subgame solving."""

import numpy as np
import pytest

import fogtree
from fogtree import DarkChess, Invalid, Kuhn
from fogtree.arena import agents
from fogtree.arena.sight import sight
from fogtree.game import legal, new_state
from fogtree.search.worlds.gadgets import WEIGHT
from fogtree.search.worlds.histories import MIX, SLOT
from fogtree.search.worlds.kluss import Play
from fogtree.text.naming import load


def test_a_text_names_the_budget_the_positions_and_the_play():
    agent = agents.load_agent("kluss:seconds=0.5,gather=64,play=last")
    assert agent.budget().seconds == 0.5 and agent.how.play is Play.LAST and agent.how.gather == 64
    assert agent.how.cap == 25_000 and agents.load_agent("kluss:positions=1000000").how.cap == 1_000_000
    assert agents.load_agent("kluss:seconds=1e9").how.cap == 1_000_000
    assert agents.with_budget("kluss", 99) == "kluss:iterations=99"


@pytest.mark.parametrize("text", ["kluss:play=best", "kluss:gather=0", "kluss:positions=1000001", "kluss:depth=3"])
def test_a_wrong_parameter_is_told(text):
    with pytest.raises(Invalid, match=text.partition(":")[2].partition("=")[0]):
        agents.load_agent(text)


def test_games_that_it_cannot_play_are_refused():
    with pytest.raises(Invalid, match="zero-sum games of two players"):
        agents.load_agent("kluss").fits(fogtree.SiGuo())


def test_one_agent_plays_match_after_match_from_both_seats():
    agent = agents.load_agent("kluss:iterations=200", 3)
    for seed in range(6):
        seats = [agent, agents.load_agent("random", seed)]
        match = fogtree.play(Kuhn(), seats if seed % 2 == 0 else seats[::-1], seed=seed)
        assert match.forfeit is None
        assert 1 <= len(agent.thoughts) <= 2 and all(thought.states == 2 for thought in agent.thoughts)


def test_it_follows_all_positions_of_fog_of_war_chess_and_beyond_them_a_sample():
    for game, positions, exact in ((DarkChess(4), 100_000, True), (DarkChess(), 30, False)):
        agent = agents.load_agent(f"kluss:iterations=20,gather=16,positions={positions}", 1)
        other = agents.load_agent("random", 2)
        assert fogtree.play(game, [agent, other], seed=1).forfeit is None
        shares = [thought.coverage for thought in agent.thoughts]
        sizes = [thought.states for thought in agent.thoughts]
        assert all(share == 1.0 for share in shares) == exact
        assert max(sizes) <= positions


def test_it_takes_the_king_of_a_careless_player():
    # random play leaves its king in danger within a few moves
    game, wins = DarkChess(4), 0.0
    for seed in range(6):
        seats = [agents.load_agent("kluss:iterations=100", seed), agents.load_agent("random", seed, 1)]
        wins += fogtree.play(game, seats, seed=seed).payoffs[0]
    assert wins >= 5


def test_what_it_is_told_of_moves_before_counts():
    game, state = DarkChess(4), new_state(DarkChess(4))
    agent = agents.load_agent("kluss:iterations=20", 1)
    with np.errstate(over="ignore"):
        for _ in range(2):
            seen = seen_in(game, state)
            if seen.player == 0:
                agent.follow(seen, seen.actions[0])
            game.step(state, seen.actions[0])
        mix = agent.mix(seen_in(game, state))
    assert sum(mix.values()) == pytest.approx(1.0) and agent.thoughts[0].coverage == 1.0


def seen_in(game, state):
    return sight(game, state, int(game.player(state)))


def test_it_tells_what_it_held_possible_and_how_likely_each_was():
    # in Kuhn poker's equilibria player 0 bets a jack with a probability of at most 1/3 and a king three times as often, so
    # after a pass the jack is the likelier card: J : K = 1 - a : 1 - 3a
    game, state = Kuhn(), new_state(Kuhn())
    for action in (2, 1, 0):
        game.step(state, action)
    agent = agents.load_agent("kluss:iterations=2000", 1)
    assert [len(part) for part in agent.range()] == [0, 0]
    agent.act(sight(game, state, 1))
    states, weight = agent.range()
    share = {int(row[0]): float(w) for row, w in zip(states, weight, strict=True)}
    assert set(share) == {0, 2} and all(game.view(row, 1) == game.view(state, 1) for row in states)
    assert sum(share.values()) == pytest.approx(1.0)
    first = (
        agent.search.tree.table.find(game.view(after(2, 1), 0), 0),
        agent.search.tree.table.find(game.view(after(0, 1), 0), 0),
    )
    king, jack = (
        agent.search.tree.real[agent.search.tree.infoset[i, SLOT], MIX] for i in first
    )  # to pass, in the tree
    assert share[2] / share[0] == pytest.approx(king / jack) and share[0] > share[2]


def test_what_it_held_possible_is_not_what_hurts_it_most():
    # at its second decision in Kuhn poker the gadgets stand before the tree: where the other picks one card alone, which is
    # the worst for the player, this is no belief
    game, state = Kuhn(), new_state(Kuhn())
    for action in (1, 0):
        game.step(state, action)
    agent = agents.load_agent("kluss:iterations=200", 1)
    assert agent.act(sight(game, state, 0)) == 0  # with a queen every equilibrium passes
    for action in (0, 1):
        game.step(state, action)
    agent.act(sight(game, state, 0))
    gadgets = agent.search.carried.gadgets
    assert len(gadgets.group) >= 2
    gadgets.number[:, WEIGHT] = [1.0, *[0.0] * (len(gadgets.group) - 1)]
    states, weight = agent.range()
    assert len(states) == 2 and weight.min() > 0.1  # half of it is spread evenly


def after(*actions):
    state = new_state(Kuhn())
    for action in actions:
        Kuhn().step(state, action)
    return state


def test_it_judges_by_the_learned_weights_that_come_with_the_package():
    match = fogtree.play(
        DarkChess(),
        [agents.load_agent("kluss:iterations=10,weights=dark-chess", 1), agents.load_agent("random", 2)],
        seed=1,
    )
    assert match.forfeit is None
    with pytest.raises(Invalid, match="these weights are for the game DarkChess"):
        fogtree.play(DarkChess(4), [agents.load_agent("kluss:iterations=10,weights=dark-chess", 1)] * 2, seed=1)


def test_what_is_measured_judges_by_the_learned_weights_too():
    judges = [
        agents.load_agent(f"kluss:iterations=10{more}", 1).online.begin(DarkChess(), 0, 1).search.look.evaluation
        for more in ("", ",weights=dark-chess")
    ]
    assert [hasattr(judge, "weight") for judge in judges] == [False, True]


@pytest.mark.parametrize("name", ["kuhn", "leduc", "phantom-ttt", "dark-hex:side=3", "dark-chess:size=4"])
def test_the_same_view_gets_the_same_mix_whatever_the_true_state_is(name):
    game, mixes = load(name), []
    with np.errstate(over="ignore"):
        state = new_state(game)
        while game.player(state) != 1:  # the first decision of the second player
            game.step(state, legal(game, state)[0])
        for fitting in fogtree.Belief(game, 1).observe(int(game.view(state, 1)))[:5]:
            mixes.append(agents.load_agent("kluss:iterations=60", 4).mix(seen_in(game, fitting)))
    assert len(mixes) > 1 and all(mix == mixes[0] for mix in mixes)


@pytest.mark.parametrize("name", ["leduc", "phantom-ttt:rules=forced-centre", "dark-hex:side=3", "dark-chess:size=4"])
def test_it_plays_whole_matches_with_legal_moves(name):
    table = [agents.load_agent("kluss:iterations=30", 1), agents.load_agent("random", 2)]
    assert fogtree.play(name, table).forfeit is None and table[0].thoughts
