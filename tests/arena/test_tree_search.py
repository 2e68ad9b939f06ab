"""Tree search at the table of open games."""

from typing import NamedTuple

import numpy as np
import pytest

from fogtree import Invalid, Kuhn, TicTacToe
from fogtree.arena.agents import tree_search
from fogtree.arena.agents.tree_search import ITERATIONS, TreeAgent
from fogtree.bandits import RAVE, UCT, Exp3
from fogtree.game import legal, new_state
from fogtree.judges import Playout
from fogtree.policy import Uniform
from fogtree.search.trees.prior import Even

pytestmark = pytest.mark.usefixtures("interpreted")


class Seen(NamedTuple):
    game: object
    state: np.ndarray

    @property
    def actions(self):
        return tuple(legal(self.game, self.state))

    def worlds(self, count):
        return np.tile(self.state, (count, 1))


def seen(*moves, game=TicTacToe()):  # noqa: B008  (a tuple cannot change)
    state = new_state(game)
    for move in moves:
        game.step(state, move)
    return Seen(game, state)


class Knowing(NamedTuple):
    """Tic-Tac-Toe that says how it is played out and what is likely."""

    def playout_policy(self):
        return Last()

    def prior_policy(self):
        return Last()


for verb in ("shape", "start", "player", "actions", "step", "payoff", "view"):
    setattr(Knowing, verb, (lambda name: lambda self, *args: getattr(TicTacToe(), name)(*args))(verb))


class Last(NamedTuple):
    """Plays the last action always."""

    def weigh(self, game, state, player, choice, odds):
        count = game.actions(state, choice)
        choice[0], odds[0] = choice[count - 1], 1.0
        return 1


def test_it_plays_what_it_tried_most():
    assert TreeAgent(UCT(), 1, iterations=600).act(seen(0, 4, 1)) == 2  # the row must be stopped
    assert TreeAgent(RAVE(), 1, iterations=10).act(seen(0, 1, 2, 4, 3, 5, 7, 6)) == 8  # the only move


def kinds(agent):
    """The classes of the prior and of the playouts of its search: tuples without fields are all equal."""
    search = agent.search.search
    return [type(getattr(search.prior, "policy", search.prior)), type(search.judge.policy)]


def test_a_game_says_how_it_is_played():
    agent = TreeAgent(UCT(), 1, iterations=5)
    assert agent.act(seen(game=Knowing())) == 8  # all others are pruned
    assert kinds(agent) == [Last, Last]
    agent = TreeAgent(UCT(), 1, iterations=5, prior=Uniform(), judge=Playout())
    agent.act(seen(game=Knowing()))
    assert kinds(agent) == [Uniform, Uniform]  # what is given goes first
    agent = TreeAgent(UCT(), 1, iterations=5)
    agent.act(seen())
    assert kinds(agent) == [Even, Uniform]
    agent.act(seen(game=Knowing()))
    assert kinds(agent) == [Last, Last]  # another game has a search of its own


def test_the_tree_is_kept_until_a_match_begins_or_it_is_full():
    agent = TreeAgent(UCT(), 1, iterations=50)
    agent.act(seen())
    first = agent.search
    agent.act(seen(4, 0))
    assert agent.search is first and first.search.iterations == 100
    first.search.searchers[0].full = "the tree stopped growing"
    agent.act(seen(4, 0))
    assert agent.search is not first
    second = agent.search
    agent.fresh()
    agent.act(seen())
    assert agent.search is not second


def test_positions_with_many_actions_wait_until_they_are_met_again(monkeypatch):
    monkeypatch.setattr(tree_search, "MANY", 9)  # Tic-Tac-Toe begins with so many
    agent = TreeAgent(UCT(), 1, iterations=9)
    agent.act(seen())
    assert agent.search.search.waiting and agent.search.search.infosets == 1  # each of nine moves was met once
    agent.fresh()
    agent.act(seen(4))
    assert not agent.search.search.waiting and agent.search.search.infosets > 1


def test_texts():
    agent = TreeAgent.from_text("rave", "bias=0.1,iterations=7,threads=2", 1)
    assert agent.bandit == RAVE(bias=0.1) and agent.how == (7, None, 2) and agent.name == "rave:bias=0.1"
    assert agent.budget().iterations == 7
    assert TreeAgent.from_text("uct", "").how.iterations == ITERATIONS
    assert TreeAgent.from_text("uct", "seconds=0.5").how == (None, 0.5, 1)
    assert (
        TreeAgent.with_budget("c=1", 9) == "c=1,iterations=9" and TreeAgent.with_budget("seconds=1", 9) == "seconds=1"
    )
    with pytest.raises(
        Invalid, match="rave has no parameter 'depth': valid are bias, c, confidence, iterations, seconds"
    ):
        TreeAgent.from_text("rave", "depth=3")


def test_what_it_cannot_play_is_refused():
    with pytest.raises(Invalid, match="needs ISMCTS, not MCTS"):
        TreeAgent(UCT()).fits(Kuhn())
    with pytest.raises(Invalid, match="keeps the mean"):
        TreeAgent(Exp3()).fits(TicTacToe())


def test_a_clock_takes_the_place_of_the_budget():
    agent = TreeAgent(UCT(), 1, iterations=10**9)
    assert agent.choose(TicTacToe(), seen().state, seconds=0.05) in range(9)
