"""PIMC and EPIMC: worlds searched with open cards, and what that takes for granted."""

import math

import numpy as np
import pytest

import plain
from fogtree import CHANCE, Goofspiel, Invalid, Kuhn, ManyKuhn, dice
from fogtree.bandits import RAVE, UCT, EpsilonGreedy, UCB1Tuned
from fogtree.bandits.risk import Risk
from fogtree.errors import Broken
from fogtree.game import new_state
from fogtree.search.trees.mcts import MCTS
from fogtree.search.trees.tree import size
from fogtree.search.worlds import many
from fogtree.search.worlds.many import think_many
from fogtree.search.worlds.openly import looked, solved
from fogtree.search.worlds.opinion import Verdict, over_worlds, votes
from fogtree.search.worlds.pimc import PIMC, draw_worlds

pytestmark = pytest.mark.usefixtures("unchecked")  # some games break the contract on purpose

# Strategy fusion (Frank and Basin 1998): one of two worlds is dealt, and player 0 never learns which. She may stop for
# 0.4, or go on and guess the world: 1 if she is right, -1 if not. With open cards she always guesses right, so going on
# seems to be worth 1.
SAFE, GUESS = 0, 1
FUSION = plain.drawn((CHANCE, [0.5, 0.5], (0, 1, 0.4, (0, 2, 1.0, -1.0)), (0, 1, 0.4, (0, 2, -1.0, 1.0))))


PASS, BET = FOLD, CALL = 0, 1  # Kuhn poker
START = new_state(Goofspiel(cards=4))[None]


def worlds_of(game):
    """Both worlds of a game that begins with a throw of two."""
    found = [new_state(game), new_state(game)]
    for number, state in enumerate(found):
        game.step(state, number)
    return np.array(found)


def kuhn(*cards):
    """A deal of Kuhn poker."""
    state = new_state(Kuhn())
    for card in cards:
        Kuhn().step(state, card)
    return state


@pytest.mark.parametrize("verdict", Verdict)
def test_pimc_takes_for_granted_what_the_player_will_never_know(interpreted, verdict):
    found = PIMC(FUSION, UCT(c=1), seed=1, verdict=verdict).think(worlds_of(FUSION), iterations=400)
    assert found.best == [GUESS]
    assert found.mean[:, SAFE] == pytest.approx([0.4, 0.4]) and (found.mean[:, GUESS] > 0.8).all()


def test_dealt_one_decision_later_the_cards_still_deceive_and_two_decisions_later_they_do_not(interpreted):
    # the guess is the second decision: at depth 1 it is made with open cards, at depth 2 for both worlds at once
    assert PIMC(FUSION, UCT(c=1), seed=1, depth=1).think(worlds_of(FUSION), iterations=400).best == [GUESS]
    found = PIMC(FUSION, UCT(c=0.5), seed=1, depth=2).think(worlds_of(FUSION), iterations=2_000)
    assert found.best == [SAFE]
    assert np.nanmean(found.mean[:, GUESS]) < 0.4  # a guess wins in one world what it loses in the other


def test_every_world_gets_the_same_share_and_its_own_statistics(interpreted):
    found = PIMC(FUSION, seed=2).think(worlds_of(FUSION), iterations=301)
    assert found.times.sum(axis=1).tolist() == [151, 150] and found.iterations == 301


def test_a_search_of_one_world_finds_what_mcts_finds_with_open_cards(interpreted):
    # Kuhn: the king against the queen. To bet is worth 2 if called, and the queen with open cards folds: 1. To pass is
    # 1 too.
    world = kuhn(2, 1)[None]
    exact = solved(Kuhn(), world)
    assert exact.mean.tolist() == [[1.0, 1.0]]
    found = PIMC(Kuhn(), UCT(c=1), seed=1).think(world, iterations=3_000)
    assert found.mean[0] == pytest.approx([1.0, 1.0], abs=0.2)


def test_worlds_solved_exactly_and_by_alpha_beta_are_worth_the_same(interpreted):
    worlds = np.array([kuhn(1, 0), kuhn(1, 2)])
    exact, deep = solved(Kuhn(), worlds), looked(Kuhn(), worlds, depth=10)
    # the queen against the jack: worth 1 in both; against the king: a bet is called and loses 2, a pass loses 1
    assert exact.mean.tolist() == [[1.0, 1.0], [-1.0, -2.0]]
    assert deep.mean.tolist() == exact.mean.tolist() and deep.best == exact.best == [0]


def test_alpha_beta_that_looks_one_ply_ahead_sees_the_evaluation_alone(interpreted):
    assert looked(FUSION, worlds_of(FUSION), depth=1).mean.tolist() == [[0.4, 0.0]] * 2
    assert looked(FUSION, worlds_of(FUSION), depth=2).mean.tolist() == [[0.4, 1.0]] * 2


def test_too_many_states_to_solve_are_refused_in_one_sentence(interpreted):
    with pytest.raises(Invalid, match="more than 3 states, too many to solve"):
        solved(Kuhn(), kuhn(0, 1)[None], most=3)


def test_a_vote_is_shared_among_equals_and_a_world_that_was_not_searched_has_none():
    times = np.array([[3.0, 1.0, 0.0], [2.0, 2.0, 0.0], [0.0, 0.0, 0.0]])
    assert votes(times).tolist() == [0.75, 0.25, 0.0]
    assert over_worlds(np.array([[1.0, np.nan], [3.0, np.nan]])).tolist()[0] == 2.0


def test_the_same_seed_gives_the_same_opinion_interpreted_and_compiled():
    worlds = np.array([kuhn(1, 0), kuhn(1, 2), kuhn(1, 0)])
    how = {"depth": 1, "above": Risk(r=0.4)}
    compiled = PIMC(Kuhn(), UCB1Tuned(), seed=7, **how).think(worlds, iterations=200)
    import numba

    numba.config.DISABLE_JIT, before = True, numba.config.DISABLE_JIT
    try:
        plainly = PIMC(Kuhn(), UCB1Tuned(), seed=7, **how).think(worlds, iterations=200)
    finally:
        numba.config.DISABLE_JIT = before
    assert np.array_equal(compiled.times, plainly.times) and np.array_equal(compiled.mean, plainly.mean, equal_nan=True)


def test_one_search_after_another_begins_with_empty_trees(interpreted):
    search = PIMC(FUSION, EpsilonGreedy(), seed=1, depth=1)
    for _ in range(2):
        assert search.think(worlds_of(FUSION), iterations=50).times.sum() == 50


def test_trees_grow_when_they_are_full(interpreted):
    search = PIMC(FUSION, seed=1)
    search.think(worlds_of(FUSION), iterations=0)
    small = search.trees.open._replace(memory=np.zeros(8), action=np.zeros(3, np.int32))
    search.trees = search.trees._replace(open=small)
    assert search.think(worlds_of(FUSION), iterations=60).iterations == 60


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_trees_stop_growing_at_the_limit_of_memory_and_the_search_goes_on(interpreted, depth):
    bytes_of = lambda s: size(s.trees.closed) + size(s.trees.open) + s.trees.told.nbytes  # noqa: E731
    search = PIMC(Goofspiel(cards=4), seed=1, depth=depth)
    search.think(START, iterations=0)
    search.trees = search.trees._replace(open=search.trees.open._replace(memory=np.zeros(100)))
    search.memory = bytes_of(search)  # as it is: no tree may grow
    found = search.think(START, iterations=100)
    assert found.iterations == found.times.sum() == 100
    assert search.note.startswith("the tree stopped growing at ") and bytes_of(search) == search.memory
    search.memory = math.inf
    search.think(START, iterations=10)
    assert search.note == ""


def test_a_search_whose_trees_may_have_nothing_has_no_opinion(interpreted):
    search = PIMC(Kuhn(), seed=1, memory=0)
    search.think(kuhn(0, 1)[None], iterations=0)
    search.trees = search.trees._replace(open=search.trees.open._replace(memory=np.zeros(0)))
    found = search.think(kuhn(0, 1)[None], iterations=20)
    assert found.iterations == 20 and found.times.sum() == 0 and found.best == found.actions


@pytest.mark.parametrize("depth", [0, 1])
def test_each_player_learns_from_their_own_payoff(interpreted, depth):
    # Kuhn poker for three: player 0, who holds 2, passes, player 1 bets with the 0, and player 2 holds the highest card, 3.
    # To fold loses the ante, 1. To call wins the other antes and the bet, 3, or 4 if player 0 calls as well. For player 0
    # a fold of player 2 is better: then their card wins.
    game = ManyKuhn(3)
    state = new_state(game)
    for action in (2, 0, 3, PASS, BET):
        game.step(state, action)
    found = PIMC(game, UCT(c=2), seed=1, depth=depth).think(state[None], iterations=300)
    assert found.mean[0, FOLD] == -1.0 and 3.0 <= found.mean[0, CALL] <= 4.0
    assert found.best == [CALL]


def test_a_game_and_bandits_may_be_named(interpreted):
    named, made = (
        PIMC("kuhn", "uct:c=1", "tuned", seed=1, depth=1),
        PIMC(Kuhn(), UCT(c=1), UCB1Tuned(), seed=1, depth=1),
    )
    one, two = (search.think(kuhn(2, 1)[None], iterations=50) for search in (named, made))
    assert (named.game, named.inner, named.above) == (made.game, made.inner, made.above)
    assert one.times.tolist() == two.times.tolist()


def test_worlds_are_drawn_in_proportion_to_their_weights():
    states, random = np.array([[0], [1], [2]]), dice.seeded(1)
    drawn = [
        np.bincount(draw_worlds(states, np.array([0.1, 0.0, 0.3]), 8, random)[:, 0], minlength=3) for _ in range(50)
    ]
    assert all(count.tolist() == [2, 0, 6] for count in drawn)  # 8 worlds at 1 to 3
    odd = np.mean(
        [np.bincount(draw_worlds(states, np.ones(3), 4, random)[:, 0], minlength=3) for _ in range(600)], axis=0
    )
    assert odd == pytest.approx([4 / 3] * 3, abs=0.1)  # five deviations of 0.02


def test_worlds_with_different_numbers_of_actions_at_one_view_break_the_game(interpreted):
    uneven = plain.drawn((CHANCE, [0.5, 0.5], (0, 1, 0.0, 1.0), (0, 1, 0.0, 1.0, 0.5)))
    with pytest.raises(Broken, match="same view but different numbers of actions"):
        PIMC(uneven, depth=1).think(worlds_of(uneven), iterations=10)


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: PIMC(Kuhn(), RAVE()), "RAVE listens to whole simulations, and PIMC does not let it"),
        (lambda: PIMC(Kuhn(), Risk()), "Risk compares worlds, so it can choose only above them"),
        (lambda: PIMC(Kuhn()).think(np.zeros((0, 3)), iterations=1), "worlds are one state or more of 3 words each"),
        (lambda: PIMC(Kuhn()).think(kuhn()[None], iterations=1), "nobody is to move in the worlds"),
        (lambda: PIMC(Kuhn()).think(kuhn(0, 1)[None]), "give a number of iterations or of seconds"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(make, sentence):
    with pytest.raises(Invalid, match=sentence):
        make()


def test_with_one_world_and_open_cards_mcts_of_the_opened_game_agrees(interpreted):
    from fogtree.transforms.opened import opened

    table, world = opened(Kuhn()), kuhn(0, 2)  # the jack against the king loses 1 or 2
    search = MCTS(table, UCT(c=1), seed=1).think(table.deal(world), iterations=2_000)
    found = PIMC(Kuhn(), UCT(c=1), seed=1).think(world[None], iterations=2_000)
    assert search.best(table.deal(world)) == found.best[0] == 0


@pytest.mark.parametrize("room", [1, 128])  # bytes, for one search at a time, and for two of the three
def test_what_has_no_room_side_by_side_is_searched_in_parts(interpreted, monkeypatch, room):
    decisions = [kuhn(card, (card + 1) % 3)[None] for card in (0, 1, 2)]
    whole = think_many(Kuhn(), decisions, UCT(c=1), iterations=20, seed=5)
    monkeypatch.setattr(many, "TOLD_BYTES", room)
    parts = think_many(Kuhn(), decisions, UCT(c=1), iterations=20, seed=5)
    assert [one.score.tolist() for one in parts] == [one.score.tolist() for one in whole]


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_many_decisions_at_once_are_searched_as_each_alone(interpreted, depth):
    game, above = Kuhn(), Risk() if depth == 1 else None
    decisions = []
    for card in (0, 1, 2):
        worlds = np.array([new_state(game) for _ in range(2)])
        for world, other in zip(worlds, [c for c in range(3) if c != card], strict=True):
            game.step(world, card)
            game.step(world, other)
        decisions.append(worlds)
    for cores in (1, 2):
        found = think_many(game, decisions, UCT(c=1), above, depth=depth, iterations=40, seed=5, cores=cores)
        for lane, (worlds, ours) in enumerate(zip(decisions, found, strict=True)):
            alone = PIMC(game, UCT(c=1), above, depth=depth)
            with np.errstate(over="ignore"):
                dice.of_lane(dice.seeded(5), lane, alone.random)
                dice.unit(alone.random)  # the comb
            told = alone.think(worlds, iterations=40)
            assert ours.score.tolist() == told.score.tolist() and ours.iterations == told.iterations
            if depth == 0:
                assert ours.times.tolist() == told.times.tolist() and np.array_equal(
                    ours.mean, told.mean, equal_nan=True
                )


def test_many_decisions_need_equally_many_worlds():
    state = np.array([new_state(Kuhn())])
    for decisions in ([], [state, np.vstack([state, state])], [state[:, :-1]]):
        with pytest.raises(Invalid, match="the same number for each"):
            think_many(Kuhn(), decisions, iterations=5)
    with pytest.raises(Invalid, match="nobody is to move"):
        think_many(Kuhn(), [state], iterations=5)
