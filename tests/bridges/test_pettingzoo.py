"""Our games as environments of PettingZoo, judged by its own tests."""

import builtins
import warnings

import numpy as np
import pytest

import fogtree
from fogtree import Broken, Illegal, Invalid
from fogtree.bridges import pettingzoo as bridge
from fogtree.bridges.pettingzoo import environment, parallel_environment, view_bits
from fogtree.game import legal, new_state
from fogtree.observation import observed

pytest.importorskip("pettingzoo")


@pytest.mark.parametrize(
    "text",
    [
        "kuhn",
        "kuhn:players=3",
        "leduc",
        "goofspiel:cards=4",
        "bimatrix",
        "phantom-ttt",
        "tic-tac-toe",
        "siguo",
        "dark-chess:size=4",
    ],
)
def test_any_game_passes_the_test_of_the_interface(text, capsys):
    from pettingzoo.test import api_test

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it expects arrays where it also allows dictionaries
        api_test(environment(text), num_cycles=30)
    assert "Passed API test" in capsys.readouterr().out


def test_the_same_seed_deals_the_same_cards():
    from pettingzoo.test import seed_test

    seed_test(lambda: environment("leduc"), num_cycles=10)


def play(env, seed, choose):
    """Play one game; returns what each agent got, as PettingZoo's own loop adds it up."""
    env.reset(seed=seed)
    total = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        seen, reward, over, _, _ = env.last()
        total[agent] += reward
        env.step(None if over else choose(np.flatnonzero(seen["action_mask"])))
    return total


def test_rewards_are_the_payoffs_of_the_game():
    env, random = environment("kuhn:players=3", distinct=2), np.random.default_rng(1)
    for seed in range(30):
        total = play(env, seed, random.choice)
        game, state = env.game, env._state
        assert list(total.values()) == [game.payoff(state, player) for player in range(3)]


def test_a_mean_over_seeds_is_what_uniform_play_is_worth():
    # 1/8 for player 0 in Kuhn poker (OpenSpiel's value of the uniform profile)
    env, random = environment("kuhn"), np.random.default_rng(2)
    won = [play(env, seed, random.choice)["player_0"] for seed in range(600)]
    assert abs(np.mean(won) - 1 / 8) < 4 * np.std(won) / len(won) ** 0.5


def test_an_observation_is_what_the_game_says_and_may_be_the_bits_of_the_view():
    for observe in ({}, {"observe": view_bits}):
        env = environment("dark-hex", **observe)  # which says nothing else
        env.reset(seed=3)
        env.step(4)
        assert env.observe("player_0")["observation"].tolist() == view_bits(env.game, env._state, 0).tolist()
    env = environment("leduc")
    env.reset(seed=3)
    for player, agent in enumerate(env.possible_agents):
        seen = env.observe(agent)
        assert seen["observation"].tolist() == observed(env.game, env._state, player).tolist()
        assert env.observation_space(agent).contains(seen)


def test_an_observation_can_be_the_view_and_the_mask_is_for_the_mover_alone():
    env = environment("kuhn", distinct=2, observe=view_bits)
    env.reset(seed=3)
    mine, other = env.observe("player_0"), env.observe("player_1")
    assert mine["action_mask"].tolist() == [1, 1] and other["action_mask"].tolist() == [0, 0]
    for player, seen in enumerate((mine, other)):
        view = int(env.game.view(env._state, player))
        assert sum(int(bit) << k for k, bit in enumerate(seen["observation"])) == view
    assert env.observation_space("player_0").contains(mine)


def test_a_hashed_view_has_64_bits_too():
    class Hashed(fogtree.Kuhn):
        def view(self, state, player):
            return np.int64(-2)

    assert view_bits(Hashed(), new_state(Hashed()), 0).tolist() == [0] + [1] * 63


def test_features_can_be_handed_in():
    env = environment("leduc", observe=lambda game, state, player: np.array([state[player], 0.5], np.float32))
    env.reset(seed=1)
    assert env.observation_space("player_1").contains(env.observe("player_1"))


def test_actions_are_positions_or_our_own_numbers():
    cards = [environment("goofspiel:cards=4", distinct=distinct) for distinct in (None, 4)]
    masks = []
    for env in cards:
        env.reset(seed=0)
        for _ in range(2):
            env.step(0)  # the lowest card of both
        masks.append(env.observe("player_0")["action_mask"].tolist())
    assert masks == [[1, 1, 1, 0], [0, 1, 1, 1]]


# --- all at once -----------------------------------------------------------------------------------------------------

AT_ONCE = ["goofspiel:cards=4", "goofspiel:cards=3,prizes=shuffled,hidden=False", "matrix", "bimatrix", "rounds"]


@pytest.mark.parametrize("text", AT_ONCE)
def test_games_of_simultaneous_choices_pass_the_test_of_the_parallel_interface(text, capsys):
    from pettingzoo.test import parallel_api_test, parallel_seed_test

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parallel_api_test(parallel_environment(text), num_cycles=30)
    assert "Passed Parallel API test" in capsys.readouterr().out
    parallel_seed_test(lambda: parallel_environment(text), num_cycles=10)


@pytest.mark.parametrize("text", AT_ONCE)
def test_a_round_of_both_is_two_moves_of_one_after_the_other(text):
    both, turns, random = parallel_environment(text), environment(text), np.random.default_rng(3)
    for seed in range(20):
        seen, _ = both.reset(seed=seed)
        turns.reset(seed=seed)
        rewards = {}
        while both.agents:
            chosen = {}
            for agent in turns.possible_agents:
                assert agent == turns.agent_selection
                last = turns.observe(agent)  # after the other has chosen
                assert all((last[key] == seen[agent][key]).all() for key in last)
                chosen[agent] = int(random.choice(np.flatnonzero(last["action_mask"])))
                turns.step(chosen[agent])
            seen, rewards, ended, _, _ = both.step(chosen)
            assert ended == turns.terminations
        assert rewards == turns.rewards and set(rewards) == set(both.possible_agents)


def test_what_is_wrong_in_a_round_is_said_and_changes_nothing():
    env = parallel_environment("goofspiel:cards=3", distinct=3)
    env.reset(seed=1)
    env.step({"player_0": 2, "player_1": 0})
    for wrong, error, sentence in (
        ({"player_0": 1, "player_1": 0}, Illegal, "0 is not a legal action of player_1 here: see its action_mask"),
        ({"player_0": 1}, Invalid, "all choose at the same time, and the action of player_1 is missing"),
    ):
        before = env._state.tolist()
        with pytest.raises(error, match=sentence):
            env.step(wrong)
        assert env._state.tolist() == before and legal(env.game, env._state) == [0, 1]
    with pytest.raises(Invalid, match=r"the players of kuhn do not choose at the same time: see environment\('kuhn'\)"):
        parallel_environment("kuhn")


def test_the_referees_picture_is_rendered():
    env = environment("kuhn", render_mode="ansi")
    env.reset(seed=1)
    assert "player 0 card: " in env.render()


def test_what_is_wrong_is_said_in_a_sentence(monkeypatch):
    env = environment("leduc", distinct=3)
    with pytest.raises(Invalid, match="nobody is at the table: reset begins a game"):
        env.step(1)
    env.reset(seed=1)
    for row in (np.array([1]), np.array([1, 2])):  # as networks return them
        with pytest.raises(Illegal, match="is not a legal action of player_0 here"):
            env.step(row)
    with pytest.raises(Illegal, match="0 is not a legal action of player_0 here: see its action_mask"):
        env.step(0)
    for action in (2, 0, None, None):
        env.step(action)
    with pytest.raises(Invalid, match="nobody is at the table"):
        env.step(None)
    narrow = environment("leduc", distinct=2)
    narrow.reset(seed=1)
    with pytest.raises(Broken, match="the game has an action 2, and its numbers were said to lie from 0 to 1"):
        narrow.observe("player_0")
    with pytest.raises(Invalid, match="there is no render mode 'human'"):
        environment("kuhn", render_mode="human")
    missing = builtins.__import__
    monkeypatch.setattr(
        builtins, "__import__", lambda name, *rest: missing("no_such_library" if name == "pettingzoo" else name, *rest)
    )
    bridge._environments.cache_clear()
    with pytest.raises(Invalid, match="PettingZoo is not installed: pip install pettingzoo"):
        environment("kuhn")
