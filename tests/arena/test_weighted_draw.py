"""Searches that draw the states they believe possible by weight."""

import numpy as np
import pytest

import fogtree
from fogtree import Goofspiel, Kuhn, Strategy
from fogtree.arena import agents
from fogtree.arena.agents import RandomAgent, SearchAgent, searching
from fogtree.arena.agents.searching import TREMBLE, Draw
from fogtree.arena.referee import play
from fogtree.arena.sight import sight
from fogtree.bandits import RegretMatching
from fogtree.game import new_state
from fogtree.search.trees.ismcts import ISMCTS


@pytest.fixture(autouse=True)
def plain(interpreted):
    """In plain Python."""


@pytest.fixture
def searches(monkeypatch):
    """What the searches were told to begin from: (states, weights), None for the start of the game."""
    told, run = [], ISMCTS.run

    def listening(self, *, roots=None, weights=None, **rest):
        upto = getattr(roots, "upto", None)
        told.append((None if roots is None else roots.state, None if upto is None else np.diff(upto, prepend=0.0)))
        return run(self, roots=roots, weights=weights, **rest)

    monkeypatch.setattr(ISMCTS, "run", listening)
    return told


def facing_a_bet():
    """Player 1 holds a Q in Kuhn poker, and player 0 has bet."""
    game, state = Kuhn(), new_state(Kuhn())
    for action in (0, 1, 1):
        game.step(state, action)
    return sight(game, state, 1)


def test_a_state_weighs_what_bayes_says_under_the_strategy_that_was_found_for_the_other(searches, monkeypatch):
    # player 0 bets a J in a quarter and a K in three quarters of the cases, and moves at random TREMBLE of the time
    game = Kuhn()
    view = {card: (card + 1) * 16 + 1 for card in (0, 2)}
    found = Strategy(game, [0, 0], [view[0], view[2]], [0, 2, 4], [0, 1, 0, 1], [0.75, 0.25, 0.25, 0.75])
    monkeypatch.setattr(ISMCTS, "strategy", lambda self: found)
    SearchAgent(RegretMatching(), 1, iterations=20, draw=Draw.WEIGHTED).act(facing_a_bet())
    states, weights = searches[-1]
    bets = {card: (1 - TREMBLE) * share + TREMBLE / 2 for card, share in ((0, 0.25), (2, 0.75))}
    assert {
        int(state[0]): weight for state, weight in zip(states, weights / weights.sum(), strict=True)
    } == pytest.approx({card: bet / sum(bets.values()) for card, bet in bets.items()})


def test_a_second_player_searches_once_more_at_the_first_move_and_then_uses_the_search_before(searches):
    agent = agents.load_agent("rm:iterations=30,draw=weighted", 1)
    play(Goofspiel(cards=4), [RandomAgent(2), agent], seed=1)
    assert [states is None for states, _ in searches] == [True, False, False, False]
    assert all(len(weights) == len(states) for states, weights in searches[1:])
    assert any(np.ptp(weights) > 1e-3 for _, weights in searches[1:])


def test_a_first_player_before_whom_nobody_moved_makes_no_search_more(searches):
    agent = agents.load_agent("rm:iterations=30,draw=weighted", 1)
    play(Goofspiel(cards=4), [agent, RandomAgent(2)], seed=1)
    assert [states is None for states, _ in searches] == [False, False, False]


def test_by_default_states_are_drawn_evenly(searches):
    play(Goofspiel(cards=3), [RandomAgent(2), agents.load_agent("rm:iterations=30", 1)], seed=1)
    assert searches and all(weights is None for _, weights in searches)


def test_no_state_that_is_possible_is_lost(searches):
    agent = SearchAgent(RegretMatching(), 3, iterations=30, draw=Draw.WEIGHTED)
    match = play(Goofspiel(cards=4), [RandomAgent(2), agent], seed=1)
    assert match.forfeit is None
    assert all((weights > 0).all() for _, weights in searches if weights is not None)
    assert all(thought.coverage == 1.0 for thought in agent.thoughts)


def test_a_search_that_follows_a_match_in_the_middle_learns_what_to_expect(searches):
    agent = SearchAgent(RegretMatching(), 3, iterations=20, draw=Draw.WEIGHTED)
    agent.follow(facing_a_bet(), 1)
    assert [states is None for states, _ in searches] == [True, False]


def test_the_draw_has_two_names():
    with pytest.raises(fogtree.Invalid, match="Searching: draw must be even or weighted, not 'fair'"):
        agents.load_agent("rm:draw=fair")
    assert searching.Searching().draw == Draw.EVEN
