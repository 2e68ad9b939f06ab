"""Tree search at the table of open games."""

from typing import NamedTuple

import pytest

from fogtree import Invalid, TicTacToe
from fogtree.arena.agents import searching
from fogtree.arena.agents.searching import ITERATIONS, Draw, SearchAgent
from fogtree.arena.sight import sight
from fogtree.bandits import RAVE, UCT
from fogtree.game import new_state
from fogtree.games import Go
from fogtree.games.go import MoGo, NoEyes
from fogtree.games.go.priors import FirstSight
from fogtree.judges import Playout
from fogtree.policy import Uniform
from fogtree.search.trees.prior import Even, Weighed

pytestmark = pytest.mark.usefixtures("interpreted")


def seen(*moves, game=TicTacToe()):  # noqa: B008  (a tuple cannot change)
    state = new_state(game)
    for move in moves:
        game.step(state, move)
    return sight(game, state, int(game.player(state)))


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
    assert SearchAgent(UCT(), 1, iterations=600).act(seen(0, 4, 1)) == 2  # the row must be stopped
    assert SearchAgent(RAVE(), 1, iterations=10).act(seen(0, 1, 2, 4, 3, 5, 7, 6)) == 8  # the only move


def kinds(agent):
    """The classes of the prior and of the playouts of its search: tuples without fields are all equal."""
    search = agent.search
    return [type(getattr(search.prior, "policy", search.prior)), type(search.judge.policy)]


def test_a_game_says_how_it_is_played():
    agent = SearchAgent(UCT(), 1, iterations=5)
    assert agent.act(seen(game=Knowing())) == 8  # all others are pruned
    assert kinds(agent) == [Last, Last]
    agent = SearchAgent(UCT(), 1, iterations=5, prior=Uniform(), judge=Playout())
    agent.act(seen(game=Knowing()))
    assert kinds(agent) == [Uniform, Uniform]  # what is given goes first
    agent = SearchAgent(UCT(), 1, iterations=5)
    agent.act(seen())
    assert kinds(agent) == [Even, Uniform]
    agent.act(seen(game=Knowing()))
    assert kinds(agent) == [Last, Last]  # another game has a search of its own


def test_the_tree_is_kept_until_a_match_begins_or_it_is_full():
    agent = SearchAgent(UCT(), 1, iterations=50)
    agent.act(seen())
    first = agent.search
    agent.act(seen(4, 0))
    assert agent.search is first and first.iterations == 100
    first.searchers[0].full = "the tree stopped growing"
    agent.act(seen(4, 0))
    assert agent.search is not first
    second = agent.search
    agent.fresh()
    agent.act(seen())
    assert agent.search is not second


def test_positions_with_many_actions_wait_until_they_are_met_again(monkeypatch):
    monkeypatch.setattr(searching, "MANY", 9)  # Tic-Tac-Toe begins with so many
    agent = SearchAgent(UCT(), 1, iterations=9)
    agent.act(seen())
    assert agent.search.waiting and agent.search.infosets == 1  # each of nine moves was met once
    agent.fresh()
    agent.act(seen(4))
    assert not agent.search.waiting and agent.search.infosets > 1


def test_texts():
    agent = SearchAgent.from_text("rave", "bias=0.1,iterations=7,threads=2", 1)
    assert (
        agent.bandit == RAVE(bias=0.1)
        and agent.how == (7, None, False, False, Draw.EVEN, 2, None, None)
        and agent.name == "rave:bias=0.1"
    )
    assert agent.budget().iterations == 7
    assert SearchAgent.from_text("uct", "", 1).how.iterations == ITERATIONS
    assert SearchAgent.from_text("uct", "seconds=0.5", 1).how == (None, 0.5, False, True, Draw.EVEN, 1, None, None)
    assert (
        SearchAgent.with_budget("c=1", 9) == "c=1,iterations=9"
        and SearchAgent.with_budget("seconds=1", 9) == "seconds=1"
    )
    with pytest.raises(
        Invalid, match="rave has no parameter 'depth': valid are bias, c, confidence, iterations, seconds"
    ):
        SearchAgent.from_text("rave", "depth=3", 1)


def test_a_clock_takes_the_place_of_the_budget():
    agent = SearchAgent(UCT(), 1, iterations=10**9)
    assert agent.best(TicTacToe(), new_state(TicTacToe()), seconds=0.05) in range(9)


def test_a_text_names_the_policies_of_an_open_game():
    how = SearchAgent.from_text("tuned", "playouts=[mogo:careful=yes],prior=none,iterations=1", 1).how
    assert (how.playouts, how.prior) == ("mogo:careful=yes", "none")
    game = Go(side=3)
    for text, playouts, prior in (
        ("", MoGo(careful=True), FirstSight()),
        ("playouts=mogo,prior=[first-sight:distance=3]", MoGo(), FirstSight(distance=3)),
        ("playouts=no-eyes,prior=none", NoEyes(), None),
    ):
        search = SearchAgent.from_text("tuned", text, 1)._open_search(game, new_state(game))
        assert search.judge == Playout(playouts)
        assert search.prior == (Even() if prior is None else Weighed(prior))
    with pytest.raises(Invalid, match="Go has no such policy as 'mogo2': valid are mogo, no-eyes"):
        SearchAgent.from_text("tuned", "playouts=mogo2", 1)._open_search(game, new_state(game))
    with pytest.raises(Invalid, match="TicTacToe has no policy 'mogo': it has no method `playout_policy`"):
        SearchAgent.from_text("tuned", "playouts=mogo", 1)._open_search(TicTacToe(), new_state(TicTacToe()))
