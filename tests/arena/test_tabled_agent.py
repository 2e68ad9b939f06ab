"""An agent that plays by an endgame table where it can."""

import numpy as np
import pytest

from fogtree.arena.agents.tabled import TabledAgent
from fogtree.arena.rehearsal import _is_ours
from fogtree.arena.sight import sight
from fogtree.game import OVER, legal, new_state
from fogtree.games.chess import Chess
from fogtree.games.chess.endings import endings_of
from fogtree.solvers.exact.retrograde import tabulate

GAME = Chess()


class First:
    """Plays the first legal action, and counts how often it was asked."""

    name = "first"

    def __init__(self):
        self.asked = self.matches = 0

    def fresh(self):
        self.matches += 1

    def act(self, seen):
        self.asked += 1
        return seen.actions[0]


@pytest.fixture(scope="module")
def table():
    return tabulate(GAME, endings_of("KQK"), keep=False)


def test_it_mates_a_random_king_within_ten_moves_and_asks_nobody(table):
    agent, random, state = TabledAgent(First(), table), np.random.default_rng(1), new_state(GAME)
    GAME.from_notation("8/8/8/5k2/8/8/8/QK6 w - - 0 1", state)
    with np.errstate(over="ignore"):
        for _ in range(10):
            GAME.step(state, agent.act(sight(GAME, state, 0)))
            if GAME.player(state) == OVER:
                break
            GAME.step(state, random.choice(legal(GAME, state)))
    assert GAME.payoff(state, 0) == 1.0 and agent.agent.asked == 0


def test_elsewhere_it_asks_the_other_agent(table):
    agent = TabledAgent(First(), table)
    agent.fresh()
    with np.errstate(over="ignore"):
        state = new_state(GAME)
        assert agent.act(sight(GAME, state, 0)) == legal(GAME, state)[0]
    assert (agent.agent.asked, agent.agent.matches, agent.name) == (1, 1, "first with tables")


def test_it_compiles_the_game_as_searches_do(table):
    assert _is_ours(TabledAgent(First(), table)) and not _is_ours(First())
