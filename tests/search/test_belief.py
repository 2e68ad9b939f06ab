"""Beliefs: against all the histories of a game, and where there are too many states to keep."""

import collections
import itertools
import math
import os
import pathlib
from typing import Any, NamedTuple

import numba
import numpy as np
import pytest
import scipy.stats

import fogtree
import plain
from fogtree import (
    CHANCE,
    OVER,
    DarkChess,
    DarkHex,
    Goofspiel,
    Kuhn,
    Leduc,
    LiarsDice,
    PhantomTicTacToe,
    Strategy,
    dice,
    kernel,
)
from fogtree.game import legal, new_state, odds, read
from fogtree.games.goofspiel import Prizes
from fogtree.games.phantom_go import PhantomGo
from fogtree.search.worlds import belief as beliefs
from fogtree.search.worlds.belief import Belief, Keep
from fogtree.walk.frontier import MET

pytestmark = pytest.mark.usefixtures("unchecked")  # some games break the contract on purpose

SMALL = [
    Kuhn(),
    Leduc(),
    Goofspiel(3),
    Goofspiel(4),
    Goofspiel(3, prizes="shuffled"),
    Goofspiel(3, prizes="shuffled", hidden=False),
    DarkHex(2),
    DarkHex(2, abrupt=True),
    LiarsDice(1, 3),
    LiarsDice(2, 2),
]
LARGE = [  # and how many own decisions deep they are walked
    (PhantomTicTacToe(rules="forced-centre"), 3),
    (PhantomTicTacToe(rules="abrupt"), 2),
    (PhantomTicTacToe(rules="classical"), 2),
    (DarkHex(3), 2),
    (Goofspiel(4, prizes="shuffled"), 4),
]


def without_imagine(cls):
    """The class of a game, made anew without the method."""
    methods = {name: method for name, method in vars(cls).items() if callable(method) and not name.startswith("_")}
    del methods["imagine"]
    return type("Unimagined", (NamedTuple("Unimagined", [(field, Any) for field in cls._fields]),), methods)


UNIMAGINED = without_imagine(Goofspiel)(5, True, Prizes.DECREASING, 0, False)


class Met:
    """A view of a player who is to move: how they came there, and all the states it may be, each with the probability of
    what chance and the others did."""

    def __init__(self, course):
        self.course, self.states = course, []  # [(view, action)], [(state, weight)]


def meet(game, me, table=None, deep=99, state=None, reach=1.0, course=(), found=None):
    """view -> Met, by plain recursion over all histories; the others play by a table of plain.py, else at random."""
    found = {} if found is None else found
    state = new_state(game) if state is None else state
    player, actions = game.player(state), legal(game, state)
    if player == OVER or (player == me and len(course) > deep):
        return found
    weight = [1 / len(actions)] * len(actions)
    if player == CHANCE:
        weight = odds(game, state)
    elif player == me:
        view, weight = int(game.view(state, me)), [1.0] * len(actions)
        found.setdefault(view, Met(course)).states.append((tuple(state.tolist()), reach))
        assert found[view].course == course  # perfect recall
    elif table is not None:
        row = table.get((player, int(game.view(state, player))))
        weight = weight if row is None else [row.get(action, 0.0) for action in actions]
    for action, share in zip(actions, weight, strict=True):
        child = state.copy()
        game.step(child, action)
        taken = (*course, (view, action)) if player == me else course
        if share > 0:
            meet(game, me, table, deep, child, reach * share, taken, found)
    return found


def believed(belief, course, view):
    """What a belief comes to, as sorted pairs of a state and its weight."""
    for seen, action in course:
        belief.observe(seen)
        belief.acted(seen, action)
    belief.observe(view)
    return sorted(zip(map(tuple, belief.state.tolist()), belief.weight.tolist(), strict=True))


def assert_equal(found, expected):
    assert [state for state, _ in found] == [state for state, _ in sorted(expected)]
    assert [w for _, w in found] == pytest.approx([w for _, w in sorted(expected)], rel=1e-12)


def some(views, count=150):
    """All views where they are few, else every so manieth."""
    return list(views)[:: max(1, len(views) // count)]


# --- the same states as by brute force -----------------------------------------------------------------------------


@pytest.mark.parametrize("me", [0, 1])
@pytest.mark.parametrize("game", SMALL, ids=fogtree.name)
def test_a_belief_holds_exactly_the_states_with_the_view(game, me):
    met = meet(game, me)
    for view in some(met):
        belief = Belief(game, me)
        assert_equal(believed(belief, met[view].course, view), met[view].states)
        assert belief.coverage == 1.0


@pytest.mark.parametrize("me", [0, 1])
@pytest.mark.parametrize("game, deep", LARGE, ids=lambda part: fogtree.name(part) if isinstance(part, tuple) else "")
def test_so_it_does_in_large_games_as_far_as_they_are_walked(game, deep, me):
    with np.errstate(over="ignore"):
        met = meet(game, me, deep=deep - 1)
    assert max(len(at.course) for at in met.values()) == deep - 1
    for view in some(met):
        assert_equal(believed(Belief(game, me), met[view].course, view), met[view].states)


@pytest.mark.parametrize("me", [0, 1])
@pytest.mark.parametrize("game", [Kuhn(), Leduc(), Goofspiel(4), DarkHex(2)], ids=fogtree.name)
def test_weights_follow_a_strategy_of_the_others(game, me):
    root = plain.tree(game)
    table = plain.random_table(root, seed=1, listed=0.7)
    others, met = plain.strategy_of(game, table), meet(game, me, table)
    for view in some(met):
        assert_equal(believed(Belief(game, me, others=others), met[view].course, view), met[view].states)


def test_what_the_others_never_do_is_not_believed():
    # player 0 of Kuhn poker bets with the king alone
    game, table = Kuhn(), {}
    for card, other in itertools.permutations(range(3), 2):
        state = new_state(game)
        game.step(state, card)
        game.step(state, other)
        table[0, int(game.view(state, 0))] = {1: 1.0} if card == 2 else {0: 1.0}
    game.step(state, 1)  # the last deal, king against queen
    belief = Belief(game, 1, others=plain.strategy_of(game, table))
    assert belief.observe(int(game.view(state, 1))).tolist() == [state.tolist()]


def test_states_may_lie_at_different_depths():
    # X does not know whether O tried the centre, in vain, before the mark that O made somewhere
    game = PhantomTicTacToe()
    state = new_state(game)
    belief = Belief(game, 0)
    belief.observe(int(game.view(state, 0)))
    belief.acted(int(game.view(state, 0)), 4)
    game.step(state, 4)
    game.step(state, 0)
    tries = [int(tried).bit_count() for tried in belief.observe(int(game.view(state, 0)))[:, 3]]
    assert collections.Counter(tries) == {1: 8, 2: 8}
    assert sorted(set(belief.weight)) == pytest.approx([1 / 9 / 8, 1 / 9])


# --- matches -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["phantom-ttt", "phantom-ttt:rules=abrupt", "dark-hex", "goofspiel", "leduc", "liars-dice"]
)
def test_the_true_state_is_always_believed(text):
    game, random = fogtree.load(text), np.random.default_rng(1)
    for _ in range(3):
        beliefs = [Belief(game, seat) for seat in (0, 1)]
        with np.errstate(over="ignore"):
            state = new_state(game)
            while (player := int(game.player(state))) != OVER:
                action = int(random.choice(legal(game, state)))
                if player != CHANCE:
                    view = int(game.view(state, player))
                    states = beliefs[player].observe(view)
                    assert (states == state).all(axis=1).any()
                    assert all(game.view(believed, player) == view for believed in states[:50])
                    assert len(np.unique(states, axis=0)) == len(states) and beliefs[player].coverage == 1
                    beliefs[player].acted(view, action)
                game.step(state, action)


# --- too many states -----------------------------------------------------------------------------------------------

DECK = Kuhn(13)
ACE_VIEW = int(DECK.view(np.array([12, 3, 1]), 0))  # player 0 holds the highest card, the other one of twelve


def test_of_too_many_states_a_sample_is_kept_and_its_share_reported():
    belief = Belief(DECK, 0, cap=5)
    states = belief.observe(ACE_VIEW)
    assert len(states) == len(np.unique(states, axis=0)) == 5
    assert belief.coverage == pytest.approx(5 / 12)
    belief.acted(ACE_VIEW, 0)
    line = states[0].copy()
    DECK.step(line, 0)
    DECK.step(line, 1)
    assert len(belief.observe(int(DECK.view(line, 0)))) == 5  # after the other's bet: one state for each
    assert belief.coverage == pytest.approx(5 / 12)
    assert belief.weight == pytest.approx([1 / 13 / 12 / 2] * 5)


def test_the_sample_is_uniform():
    kept = collections.Counter()
    for seed in range(3_000):
        kept.update(Belief(DECK, 0, cap=3, seed=seed).observe(ACE_VIEW)[:, 1].tolist())
    assert len(kept) == 12 and kept.total() == 9_000
    assert scipy.stats.chisquare(list(kept.values())).pvalue > 0.001


def test_pairs_in_the_sample_are_uniform_too():
    kept = collections.Counter()
    for seed in range(3_300):
        kept[tuple(sorted(Belief(DECK, 0, cap=2, seed=seed).observe(ACE_VIEW)[:, 1].tolist()))] += 1
    assert len(kept) == 66
    assert scipy.stats.chisquare(list(kept.values())).pvalue > 0.001


def test_the_sample_follows_the_seed():
    first, second, other = (Belief(DECK, 0, cap=5, seed=seed).observe(ACE_VIEW).tolist() for seed in (1, 1, 2))
    assert first == second != other


def follow(game, belief, moves):
    """A belief of player 0 through a list of moves, up to their next decision; returns the true state there."""
    state = new_state(game)
    for move in moves:
        if game.player(state) == 0:
            view = int(game.view(state, 0))
            belief.observe(view)
            belief.acted(view, move)
        game.step(state, move)
    belief.observe(int(game.view(state, 0)))
    return state


def test_a_sample_that_no_longer_fits_is_drawn_again_from_the_start():
    # player 0 bids 2 and loses: the other has bid 3 or 4, and there is room for one of them. Player 0 bids 3 and loses again:
    # it was the 3. Who had kept the 4 goes through the match again, now with room for both.
    game, coverages = UNIMAGINED, []
    for seed in range(30):
        belief = Belief(game, 0, cap=1, seed=seed)
        state = follow(game, belief, (2, 3, 3, 4))
        assert belief.state.tolist() == [state.tolist()]
        coverages.append(belief.coverage)
    assert 5 < coverages.count(0.5) < 25 and 5 < coverages.count(1.0) < 25


def test_after_that_it_goes_on_with_its_own_cap():
    # in the third round the other may have bid 0, 1 or 2 against the 4
    game = UNIMAGINED
    for seed in range(30):
        belief = Belief(game, 0, cap=1, seed=seed)
        state = follow(game, belief, (2, 3, 3, 4, 4, 1))
        assert len(belief.state) == 1 and game.view(belief.state[0], 0) == game.view(state, 0)
        assert belief.coverage == pytest.approx(1 / 3) or belief.coverage == pytest.approx(1 / 6)


def test_a_sample_of_a_sample_covers_the_product_of_both_shares():
    # half of the states after the first round, and then one third, unless the match was gone through again in between
    game, before = UNIMAGINED, {}
    for seed in range(30):
        belief = Belief(game, 0, cap=1, seed=seed)
        follow(game, belief, (2, 3, 3, 4))
        before[seed] = belief.coverage
        belief = Belief(game, 0, cap=1, seed=seed)
        follow(game, belief, (2, 3, 3, 4, 4, 1))
        assert belief.coverage == pytest.approx(before[seed] / 3)
    assert set(before.values()) == {0.5, 1.0}


def test_no_pool_is_larger_than_its_bytes(monkeypatch):
    # room for 40 states of Kuhn poker, where going through the match again would ask for 64 times 12
    words = DECK.shape().words
    monkeypatch.setattr(beliefs, "POOL_BYTES", 40 * 8 * (words + 1))
    sizes, advance = [], beliefs.advance.at_first

    def weighed(little, whole):
        sizes.extend(pool.state.nbytes + pool.weight.nbytes for pool in (little[3], whole[3]))
        return advance(little, whole)

    monkeypatch.setattr(beliefs.advance, "at_first", weighed)
    belief = Belief(DECK, 0, cap=12)
    assert len(belief.observe(ACE_VIEW)) == 12
    belief.acted(ACE_VIEW, 0)
    assert len(belief.observe(123_456)) == 0  # no state fits, so it goes through the match again
    assert Belief(DECK, 0, cap=10**9).cap == 40
    assert max(sizes) == 40 * 8 * (words + 1) and len(sizes) > 4


def test_a_pool_grows_without_a_change_of_what_is_drawn(monkeypatch):
    found = {}
    for rows in (1, 2, 1000):
        monkeypatch.setattr(beliefs, "FIRST_ROWS", rows)
        belief = Belief(UNIMAGINED, 0, cap=40, seed=3)
        follow(UNIMAGINED, belief, (2, 1, 3, 2, 0, 4))
        found[rows] = belief.state.tolist(), belief.weight.tolist(), belief.coverage
    assert found[1] == found[2] == found[1000]
    for rows in (1, 1000):
        monkeypatch.setattr(beliefs, "FIRST_ROWS", rows)
        assert len(Belief(DECK, 0, cap=5, seed=1).observe(ACE_VIEW)) == 5
        found[rows] = Belief(DECK, 0, cap=5, seed=1).observe(ACE_VIEW).tolist()
    assert found[1] == found[1000]


def test_a_view_that_no_course_leads_to_is_believed_by_no_state():
    belief = Belief(Kuhn(), 0)
    assert len(belief.observe(123_456)) == 0


class Dreamt(Kuhn):
    """Kuhn poker in which any card that the player does not hold can be imagined."""

    def imagine(self, state, player, random):
        card = dice.below(random, self.cards - 1)
        state[1 - player] = card + (card >= state[player])


def test_a_game_that_imagines_draws_the_sample_itself(monkeypatch):
    monkeypatch.setattr(numba.config, "DISABLE_JIT", True)
    held = collections.Counter()
    for seed in range(60):
        belief = Belief(Dreamt(13), 0, cap=5, seed=seed)
        states = belief.observe(ACE_VIEW)
        assert len(states) == 5 and (states[:, 0] == 12).all() and belief.weight.tolist() == [1.0] * 5
        assert not belief.enumerated and math.isnan(belief.coverage)
        held.update(states[:, 1].tolist())
    assert len(held) == 12  # with replacement: 300 draws of 12 cards
    assert scipy.stats.chisquare(list(held.values())).pvalue > 0.001
    belief = Belief(Dreamt(13), 0, cap=12)
    assert len(belief.observe(ACE_VIEW)) == 12 and belief.enumerated and belief.coverage == 1  # where all fit


def test_a_game_that_imagines_is_not_walked_to_its_end(monkeypatch):
    monkeypatch.setattr(numba.config, "DISABLE_JIT", True)
    monkeypatch.setattr(beliefs, "WALKED", 8)
    # the first card of player 0 is dealt first: the states with the ace come last in the walk or first, of 1 + 13 + 13 * 12
    game = Dreamt(13)
    for card in (0, 12):
        belief = Belief(game, 0, cap=3)
        states = belief.observe(int(game.view(np.array([card, (card + 3) % 13, 1]), 0)))
        assert belief._frontier.note[MET] <= 8 * 3 + 13 and not belief.enumerated
        assert len(states) in (0, 3) and (states[:, 0] == card).all()


@pytest.mark.parametrize("game", [Goofspiel(6), PhantomTicTacToe(), PhantomTicTacToe(rules="abrupt")], ids=fogtree.name)
def test_a_belief_that_imagines_goes_on_by_itself_to_the_end_of_a_match(game):
    random, stopped = np.random.default_rng(2), 0
    for seed in range(4):
        pair = [Belief(game, player, cap=20, seed=seed) for player in (0, 1)]
        state = new_state(game)
        while (player := int(game.player(state))) != OVER:
            view, belief = int(game.view(state, player)), pair[player]
            states = belief.observe(view)
            assert len(states) and all(game.view(other, player) == view for other in states)
            assert belief.enumerated == (not math.isnan(belief.coverage))
            stopped += not belief.enumerated
            action = int(random.choice(legal(game, state)))
            belief.acted(view, action)
            game.step(state, action)
    assert stopped > 8


# --- too much to follow, and nothing to imagine -------------------------------------------------------------------------


def played(monkeypatch, game, player, course, view, **options):
    """A belief that follows all states up to the last decision, and from there plays on."""
    belief = Belief(game, player, **options)
    for seen, action in course:
        assert len(belief.observe(seen)) and belief.enumerated
        belief.acted(seen, action)
    with monkeypatch.context() as patch:
        patch.setattr(beliefs, "FOLLOWED", 0)
        patch.setattr(beliefs, "WALKED", 0)
        states = belief.observe(view)
    assert not belief.enumerated and math.isnan(belief.coverage)
    return states


@pytest.mark.parametrize("game, me", [(Leduc(), 0), (PhantomGo(2, turns=4), 1)], ids=["leduc", "phantom-go"])
def test_states_that_are_played_on_to_are_as_likely_as_all_histories_say(monkeypatch, game, me):
    table = plain.random_table(plain.tree(game), seed=1, listed=0.7) if isinstance(game, Leduc) else None
    others = {} if table is None else {"others": plain.strategy_of(game, table)}
    with np.errstate(over="ignore"):
        met = meet(game, me, table, deep=2)
    deep = [view for view in met if met[view].course and len(met[view].states) > 1]
    for view in some(deep, 8):
        states = played(monkeypatch, game, me, met[view].course, view, cap=4000, seed=7, **others)
        found, expected = collections.Counter(map(tuple, states.tolist())), dict(met[view].states)
        assert found.total() > 300 and set(found) <= set(expected)
        shares = np.array(list(expected.values())) / sum(expected.values())
        assert scipy.stats.chisquare([found[state] for state in expected], found.total() * shares).pvalue > 0.001


def test_a_belief_that_can_only_be_played_on_to_goes_through_whole_matches():
    game, given_up = PhantomGo(3), 0
    for seed in range(2):
        random, pair = np.random.default_rng(seed), [Belief(game, player, cap=2000, seed=seed) for player in (0, 1)]
        state = new_state(game)
        while (player := int(game.player(state))) != OVER:
            view, belief = int(game.view(state, player)), pair[player]
            states = belief.observe(view)
            assert len(states) and all(game.view(other, player) == view for other in states[:20])
            assert belief.enumerated == (not math.isnan(belief.coverage))
            given_up += not belief.enumerated
            action = int(random.choice(legal(game, state)))
            belief.acted(view, action)
            with np.errstate(over="ignore"):  # long views are hashes
                game.step(state, action)
    assert given_up >= 10


def test_where_nothing_that_was_drawn_fits_the_match_is_followed_once_with_more(monkeypatch):
    # as above: of two bids there is room for one, and a larger sample has both
    monkeypatch.setattr(beliefs, "FOLLOWED", 0)
    monkeypatch.setattr(beliefs, "WALKED", 0)
    monkeypatch.setattr(beliefs, "PLAYED", 1)
    kept = []
    for seed in range(30):
        belief = Belief(UNIMAGINED, 0, cap=1, seed=seed)
        state = follow(UNIMAGINED, belief, (2, 3, 3, 4))
        assert not belief.enumerated and (belief.state == state).all()
        kept.append(len(belief.state))
    assert 5 < kept.count(1) < 25 and set(kept) == {1, 8}


def test_where_nothing_can_be_drawn_the_belief_is_lost_and_agents_play_on(monkeypatch):
    for word in ("FOLLOWED", "WALKED", "MADE"):
        monkeypatch.setattr(beliefs, word, 0)
    tried, played_on = [], beliefs.play_on
    monkeypatch.setattr(beliefs, "play_on", lambda *given: tried.append(1) or played_on(*given))
    belief = Belief(UNIMAGINED, 0, cap=100)
    follow(UNIMAGINED, belief, (2, 3))
    assert len(belief.state) == 0 and len(tried) == 2  # the first way, and once more
    follow(UNIMAGINED, belief, (2, 3, 3, 4))
    assert len(tried) == 2
    agents = [fogtree.load_agent(name, 1) for name in ("rm:iterations=20", "kluss:iterations=5")]
    match = fogtree.play(Leduc(), agents, seed=3)
    assert match.forfeit is None and not match.unfinished and all(agent.thoughts for agent in agents)


def test_uniform_play_is_the_default_of_the_others():
    met = meet(Leduc(), 1)
    view = max(met, key=lambda view: len(met[view].states))
    uniform = Belief(Leduc(), 1, others=Strategy.uniform(Leduc()))
    assert_equal(believed(uniform, met[view].course, view), met[view].states)


# --- every position once ---------------------------------------------------------------------------------------------


@kernel
def random_step(game, state, out, random):
    action = game.any_action(state, out, random)
    game.step(state, action)
    return action


@pytest.mark.parametrize("me", [0, 1])
def test_positions_are_those_of_all_histories_that_fit_each_once_with_their_weights(me):
    # histories are those of the brute force above
    game, out, merged = DarkChess(), np.zeros(DarkChess().shape().actions, np.int64), 0
    with np.errstate(over="ignore"):
        for seed in range(3):
            state, random = new_state(game), dice.seeded(seed)
            apart, once = Belief(game, me), Belief(game, me, keep=Keep.POSITIONS)
            for move in range(6):
                if move % 2 != me:
                    random_step(game, state, out, random)
                    continue
                view, expected = int(game.view(state, me)), collections.defaultdict(float)
                for history, weight in zip(apart.observe(view), apart.weight, strict=True):
                    expected[int(game.position(history))] += weight
                found = {int(game.position(row)): w for row, w in zip(once.observe(view), once.weight, strict=True)}
                assert len(found) == len(once.packed) and found == pytest.approx(dict(expected))
                merged += len(apart.packed) > len(found)
                action = random_step(game, state, out, random)
                apart.acted(view, action)
                once.acted(view, action)
    assert merged > 0  # some positions came in two ways


@pytest.mark.parametrize("size, games, cap", [(4, 40, 65_536), (8, 6, 2_000)])
def test_the_truth_is_never_left_out_of_the_positions(size, games, cap):
    # benchmarks/positions.py does this for 10,000 games
    game, out = DarkChess(size), np.zeros(DarkChess(size).shape().actions, np.int64)
    ends, looked = collections.Counter(), 0
    with np.errstate(over="ignore"):
        for number in range(games):
            random, state = dice.seeded(5, number), new_state(game)
            each = [Belief(game, player, keep=Keep.POSITIONS, cap=cap) for player in range(2)]
            while (player := int(game.player(state))) != OVER and each[player].enumerated:
                view, belief = int(game.view(state, player)), each[player]
                belief.notice(view)
                if belief.enumerated:
                    keys = [int(game.position(row)) for row in belief.whole(slice(None))]
                    assert int(game.position(state)) in keys and len(set(keys)) == len(keys)
                    looked += 1
                belief.acted(view, random_step(game, state, out, random))
            ends[int(game.player(state)) == OVER] += 1
    assert looked > 5 * games
    assert size == 8 or ends[True] > 0  # whole games, with their repetitions


def test_a_state_that_forgot_its_course_does_not_end_by_a_repetition():
    # in another course to the same position nothing was repeated, and that one may be the true one
    game, state = DarkChess(), new_state(DarkChess())
    with np.errstate(over="ignore"):
        for text in ["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1"]:
            game.step(state, read(game, state, text))
        forgetful, last = state.copy(), read(game, state, "Ng8")
        game.forget(forgetful, 1)
        assert game.position(forgetful) == game.position(state) and game.view(forgetful, 1) == game.view(state, 1)
        game.step(state, last)
        game.step(forgetful, last)
        assert game.player(state) == OVER and game.player(forgetful) == 0


def test_beyond_the_cap_a_part_of_the_positions_is_followed_and_it_says_so():
    game, state, out = DarkChess(), new_state(DarkChess()), np.zeros(DarkChess().shape().actions, np.int64)
    whole, part = (Belief(game, 0, keep=Keep.POSITIONS, cap=cap) for cap in (100_000, 400))
    random = dice.seeded(3)
    with np.errstate(over="ignore"):
        for move in range(11):
            if move % 2 == 0:
                view = int(game.view(state, 0))
                exact, some = ({int(game.position(row)) for row in each.observe(view)} for each in (whole, part))
                assert some <= exact and len(some) <= 400
                assert part.enumerated == (part.coverage == 1.0) == (some == exact)
            action = random_step(game, state, out, random)
            if move % 2 == 0:
                whole.acted(view, action)
                part.acted(view, action)
    assert whole.enumerated and not part.enumerated and len(some) > 40
    assert 0.0 < part.coverage < 1.5 * len(some) / len(exact)  # a position may follow from several


def test_a_belief_goes_on_from_states_that_were_imagined():
    game, state = DarkChess(), new_state(DarkChess())
    belief = Belief(game, 1, keep=Keep.POSITIONS)
    with np.errstate(over="ignore"):
        game.step(state, read(game, state, "a3"))
        drawn = np.repeat(state[None], 30, axis=0)
        beliefs.imagine_each(game, drawn, 1, dice.seeded(1))
        belief.refill(drawn)
        assert not belief.enumerated and math.isnan(belief.coverage) and len(belief.packed) == 30
        view, action = int(game.view(state, 1)), read(game, state, "Nf6")
        belief.acted(view, action)
        game.step(state, action)
        game.step(state, read(game, state, "b3"))
        assert belief.notice(int(game.view(state, 1))) > 0


def test_what_is_tried_interpreted_ends_as_compiled_code_does(monkeypatch):
    # a cap of 4 draws a sample, so the random numbers must be the same; trying 30 histories is given up on the way
    found = []
    for tried, rows in ((0, 9), (10**6, 9), (10**6, 1), (30, 9), (30, 1)):
        monkeypatch.setattr(beliefs, "TRIED", tried)
        monkeypatch.setattr(beliefs, "FIRST_ROWS", rows)
        beliefs.advance.doors.clear(), beliefs.advance.spent.clear()
        monkeypatch.setattr(beliefs.advance, "_known", lambda classes: pathlib.Path(os.devnull) / "absent")
        belief = Belief(Leduc(), 0, cap=4, seed=5)
        state = follow(Leduc(), belief, (0, 3, 1, 1, 4))
        assert tuple(state.tolist()) in map(tuple, belief.state.tolist())
        compiled = bool(beliefs.advance.doors)
        assert compiled == (tried < 100)
        found.append((belief.state.tolist(), belief.weight.tolist(), belief.coverage, belief._random.tolist()))
    assert all(one == found[0] for one in found)
