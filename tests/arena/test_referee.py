"""The referee: who is asked, what they are told, and that it is no more than their seat sees."""

import time

import numpy as np
import pytest

import fogtree
from fogtree.arena.agents import RandomAgent, Sight
from fogtree.arena.referee import play


class Spy(RandomAgent):
    """Plays at random and keeps what it was shown."""

    def __init__(self, seed, *path):
        super().__init__(seed, *path)
        self.sights = []

    def act(self, sight):
        self.sights.append(sight)
        return super().act(sight)


class Stubborn:
    def __init__(self, *answers):
        self.answers, self.told = list(answers), []

    def act(self, sight):
        return self.answers.pop(0)

    def refused(self, sentence):
        self.told.append(sentence)


@pytest.mark.parametrize("name", fogtree.GAMES)
def test_what_an_agent_is_told_depends_on_its_view_alone(name):
    game, known = fogtree.load(name), {}
    for seed in range(60 if game.shape().moves < 1_000 else 2):
        spies = [Spy(seed, 1), Spy(seed, 2)]
        play(game, spies, seed=seed)
        for sight in spies[0].sights + spies[1].sights:
            told = (sight.actions, sight.labels, sight.text)
            assert known.setdefault((sight.seat, sight.view), told) == told


def test_an_agent_gets_no_state():
    spies = [Spy(1, 1), Spy(1, 2)]
    play(fogtree.Leduc(), spies, seed=1)
    for sight in spies[0].sights:
        assert Sight._fields == ("game", "seat", "view", "actions", "labels", "text")
        assert not any(isinstance(part, np.ndarray) for part in sight)


@pytest.mark.parametrize("name", fogtree.GAMES)
def test_a_match_can_be_replayed_from_its_moves(name):
    game = fogtree.load(name)
    match = play(game, [RandomAgent(5, 1), RandomAgent(5, 2)], seed=5)
    assert match == play(game, [RandomAgent(5, 1), RandomAgent(5, 2)], seed=5)
    state = np.zeros(game.shape().words, np.int64)
    game.start(state)
    with np.errstate(over="ignore"):  # views may be hashes, which wrap round
        for move in match.moves:
            assert game.player(state) == move.player
            game.step(state, move.action)
    assert game.player(state) == fogtree.OVER
    assert match.payoffs == (game.payoff(state, 0), game.payoff(state, 1))


def test_random_agents_score_what_random_games_do():
    # uniform play of Kuhn poker is worth 1/8 to player 0; one payoff deviates by about 1.4, the mean of 8,000 by 0.016
    won = [play(fogtree.Kuhn(), [RandomAgent(n, 1), RandomAgent(n, 2)], seed=n).payoffs[0] for n in range(8_000)]
    assert np.mean(won) == pytest.approx(1 / 8, abs=0.05)


def test_text_is_read_and_a_refused_agent_is_asked_again():
    stubborn = Stubborn("raise", 7, "BET", "bet")
    play(fogtree.Kuhn(), [stubborn, Stubborn("bet", "bet")], seed=1)
    assert stubborn.told == [
        "'raise' is not a legal action here: choose from pass, bet",
        "7 is not a legal action here: choose from 0, 1",
    ]


class Wild:
    def act(self, sight):
        return 7


class Faulty:
    def act(self, sight):
        raise RuntimeError("out of ideas")


class Slow:
    def act(self, sight):
        stop = time.perf_counter() + 0.01
        while time.perf_counter() < stop:
            pass
        return sight.actions[0]


@pytest.mark.parametrize(
    "agent, reason",
    [
        (Wild(), "Wild: 7 is not a legal action here: choose from 0, 1"),
        (Faulty(), "Faulty raised RuntimeError: out of ideas"),
        (Slow(), "0.001 s are allowed"),
    ],
)
def test_an_agent_that_fails_forfeits_and_the_reason_is_kept(agent, reason):
    match = play(fogtree.Kuhn(), [agent, RandomAgent()], seconds=0.001 if isinstance(agent, Slow) else None)
    assert match.payoffs == (-2.0, 2.0)
    assert match.forfeit.seat == 0
    assert reason in match.forfeit.reason


def test_a_match_needs_an_agent_a_seat():
    with pytest.raises(fogtree.Invalid, match="the game has 2 seats, so it needs 2 agents, not 1"):
        play(fogtree.Kuhn(), [RandomAgent()])
