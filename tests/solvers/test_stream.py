"""Best responses by streaming, against those over the sequence form, which plain recursion has judged."""

import functools
import threading
from typing import Any, NamedTuple

import numpy as np
import pytest

import fogtree
import plain
from fogtree import CFR, CHANCE, Broken, Invalid, Strategy, best_response, sequence_form
from fogtree.solvers.forms.response import plan_of, value_of
from fogtree.solvers.streamed import lists, stream
from fogtree.solvers.streamed.stream import stream_response
from fogtree.walk.slices import Progress
from plain import drawn

pytestmark = pytest.mark.usefixtures("unchecked")  # some games break the contract on purpose

SMALL = [
    "kuhn",
    "leduc",
    "goofspiel:cards=3",
    "goofspiel:cards=4",
    "goofspiel:cards=3,prizes=shuffled,points=true,lowest=1",
    "liars-dice:faces=3",
    "phantom-ttt:rules=forced-centre,winning_first=true",
]
FORCED = fogtree.load("phantom-ttt:rules=forced-centre")
TINY = ("kuhn", "liars-dice:faces=3")  # walked in plain Python before a compiler has begun


@pytest.fixture(autouse=True)
def tiny_games_are_not_compiled(request):
    if hasattr(request.node, "callspec") and request.node.callspec.params.get("text") in TINY:
        request.getfixturevalue("interpreted")


@functools.cache
def form_of(text):
    return sequence_form(fogtree.load(text))


@functools.cache
def tree_of(text):
    return plain.tree(fogtree.load(text))


def in_memory(text, strategy, player):
    return best_response(form_of(text), strategy, player).value


def achieved(form, response, strategy, player):
    """What a response really gets when it is played."""
    plans = [plan_of(form, response if p == player else strategy, p)[0] for p in (0, 1)]
    return value_of(form, *plans) * (1 if player == 0 else -1)


# --- the same as in memory ---


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("text", SMALL)
def test_streaming_finds_the_same_value_against_uniform_play(text, player):
    game = fogtree.load(text)
    streamed = stream_response(game, Strategy.uniform(game), player)
    assert streamed.value == pytest.approx(in_memory(text, Strategy.uniform(game), player), abs=1e-12)


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("text", SMALL)
def test_streaming_finds_the_same_value_against_a_learner(text, player):
    # after three iterations many actions are never played
    cfr = CFR(form_of(text), "cfr+")
    cfr.run(iterations=3)
    streamed = stream_response(fogtree.load(text), cfr.strategy(), player)
    assert streamed.value == pytest.approx(in_memory(text, cfr.strategy(), player), abs=1e-12)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("text", SMALL[:-1])
def test_streaming_finds_the_same_value_against_anybody(text, seed):
    # rows that leave actions out, probabilities of 0, sets that are not listed
    game = fogtree.load(text)
    strategy = plain.random_strategy(game, tree_of(text), seed, listed=0.8)
    for player in (0, 1):
        streamed = stream_response(game, strategy, player)
        assert streamed.value == pytest.approx(in_memory(text, strategy, player), abs=1e-12)


@pytest.mark.parametrize("text", SMALL)
def test_the_response_really_gets_its_value(text):
    game = fogtree.load(text)
    cfr = CFR(form_of(text), "cfr+")
    cfr.run(iterations=5)
    for player in (0, 1):
        answer = best_response(game, cfr.strategy(), player, engine="stream")
        assert answer.engine == "stream" and (answer.strategy.player == player).all()
        got = achieved(form_of(text), answer.strategy, cfr.strategy(), player)
        assert got == pytest.approx(answer.value, abs=1e-12)


@pytest.mark.parametrize("text", SMALL)
def test_what_is_left_out_does_not_matter_and_no_history_is_met_twice(text, monkeypatch):
    # against uniform play every history of the game would be met, on the way to a response by player 0 or by player 1
    game, new = fogtree.load(text), stream._new_search
    for player in (0, 1):
        cut = stream_response(game, Strategy.uniform(game), player)
        with monkeypatch.context() as patch:  # nothing is left out if payoffs may be as high as that
            patch.setattr(stream, "_new_search", lambda shape: new(shape)._replace(high=1e9))
            whole = stream_response(game, Strategy.uniform(game), player)
        assert whole.histories == fogtree.count(game).histories >= cut.histories
        assert cut.histories < whole.histories / 2 or text != SMALL[-1]
        assert whole.value == pytest.approx(cut.value, abs=1e-12)


def test_a_responder_who_never_moves_gets_what_the_other_leaves(interpreted):
    game = drawn((CHANCE, [0.25, 0.75], (0, 1, 4.0, 8.0), 1.0))
    assert stream_response(game, Strategy.uniform(game), 1).value == -(0.25 * 6 + 0.75)
    assert stream_response(game, Strategy.uniform(game), 0).value == 0.25 * 8 + 0.75


class Backwards(NamedTuple):
    """The actions of a game, the last first."""

    game: Any

    def actions(self, state, out):
        count = self.game.actions(state, out)
        for a in range(count // 2):
            out[a], out[count - 1 - a] = out[count - 1 - a], out[a]
        return count


def test_of_equal_actions_the_first_in_order_is_played(interpreted):
    game = drawn((0, 1, (1, 1, 2.0, 2.0), (1, 2, 1.0, 1.0 + 1e-14), (1, 3, 2.0, 2.0)))
    for order, actions in ((None, [0, 0]), (Backwards(game), [2, 1])):
        mine, theirs = (stream_response(game, Strategy.uniform(game), player, order=order) for player in (0, 1))
        assert mine.action.tolist() == actions[:1] and mine.value == pytest.approx(2.0, abs=1e-12)
        assert set(theirs.action.tolist()) == {actions[1]}
    game = drawn((0, 1, 1.0, 2.0))  # what is better is played whatever comes first
    assert stream_response(game, Strategy.uniform(game), 0, order=Backwards(game)).action.tolist() == [1]


# --- threads and room ---


@pytest.mark.parametrize("text", ["leduc", "goofspiel:cards=4", SMALL[-1]])
def test_threads_change_nothing(text):
    game = fogtree.load(text)
    strategy = Strategy.uniform(game)
    for player in (0, 1):
        one, two = (stream_response(game, strategy, player, threads=n) for n in (1, 2))
        assert one.value == two.value and one.histories == two.histories
        assert (one.view == two.view).all() and (one.action == two.action).all()


@pytest.fixture
def tiny(monkeypatch):
    """Room for two of everything at first."""
    monkeypatch.setattr(lists, "ROOM", 2)
    monkeypatch.setattr(lists, "GROUP_ROOM", 2)


@pytest.mark.parametrize("text", ["leduc", "goofspiel:cards=4", SMALL[-1]])
def test_room_that_must_grow_changes_nothing(text, request):
    game = fogtree.load(text)
    roomy = [stream_response(game, Strategy.uniform(game), player) for player in (0, 1)]
    request.getfixturevalue("tiny")
    for player in (0, 1):
        narrow = stream_response(game, Strategy.uniform(game), player)
        assert narrow.value == roomy[player].value and narrow.histories == roomy[player].histories
        assert (narrow.view == roomy[player].view).all() and (narrow.action == roomy[player].action).all()


def test_ends_before_the_first_decision_count_once_though_the_pool_grows(interpreted, tiny):
    # the coin's last two sides end the game at once; then more states wait for the responder than the pool holds at first
    wait = [(0, view, 1.0, 0.0) for view in range(1, 6)]
    game = drawn((CHANCE, [0.1] * 5 + [0.2, 0.3], *wait, 8.0, -2.0))
    assert stream_response(game, Strategy.uniform(game), 0).value == pytest.approx(5 * 0.1 + 0.2 * 8 - 0.3 * 2)


# --- the responder of the smaller equal game ---


def unrestricted(monkeypatch):
    monkeypatch.setattr(stream, "smaller", lambda game: game)


@pytest.mark.parametrize("player, seed", [(0, 1), (1, 2)])
def test_a_responder_who_tries_to_win_first_gets_as_much_as_one_who_may_do_anything(monkeypatch, player, seed):
    # against opponents with two random tries a set, so that the whole is walked in no time; uniform play: see the slow tests
    strategy = narrow(FORCED, 1 - player, seed)
    restricted = stream_response(FORCED, strategy, player)
    unrestricted(monkeypatch)
    free = stream_response(FORCED, strategy, player)
    assert restricted.value == pytest.approx(free.value, abs=1e-12)
    assert restricted.histories < free.histories  # it was another walk


@functools.cache
def narrow(game, player, seed):
    """One player tries one of two cells, drawn at random for each information set that can then come up."""
    random, table = np.random.default_rng(seed), {}
    stack = [fogtree.game.new_state(game)]
    known = set()
    while stack:
        state = stack.pop()
        actions = fogtree.game.legal(game, state)
        if actions and game.player(state) == player:
            key = (player, int(game.view(state, player)))
            if key not in table:
                chosen = sorted(random.permutation(actions)[:2].tolist())
                table[key] = dict.fromkeys(chosen, 1 / len(chosen))
            actions = list(table[key])
        for action in actions:
            child = state.copy()
            with np.errstate(over="ignore"):
                game.step(child, action)
            # where the responder forgets in which order they tried, the opponent's sets stay the same
            mark = (*child[:6].tolist(), int(game.view(child, player)))
            if mark not in known:
                known.add(mark)
                stack.append(child)
    return plain.strategy_of(game, table)


@pytest.mark.slow
@pytest.mark.parametrize("player, value", [(0, 0.942708), (1, 0.495238)])
def test_trying_to_win_first_costs_nothing_against_uniform_play(monkeypatch, player, value):
    uniform = Strategy.uniform(FORCED)
    restricted = stream_response(FORCED, uniform, player)
    unrestricted(monkeypatch)
    free = stream_response(FORCED, uniform, player)
    assert free.histories == 283_720_131  # all of them, by an independent program
    assert restricted.value == pytest.approx(free.value, abs=1e-12) and free.value == pytest.approx(value, abs=1e-6)


# --- bad input and looking on ---


def test_an_action_that_the_game_does_not_have_is_refused():
    game = fogtree.load("goofspiel:cards=4")
    first, later = (int(form_of("goofspiel:cards=4").trees[0].view[i]) for i in (0, 40))
    for view in (first, later):
        strategy = Strategy(game, [0], [view], [0, 2], [0, 99], [0.5, 0.5])
        with pytest.raises(Invalid, match="lists an action that the game does not have"):
            stream_response(game, strategy, 1)


def test_a_game_longer_than_it_says_is_refused(interpreted):
    # moves between two decisions of the responder, and decisions of the responder alone
    waiting = drawn((0, 1, (1, 1, (1, 2, (1, 3, (1, 4, (1, 5, 1.0)))))), moves=2)
    alone = drawn((0, 1, (0, 2, (0, 3, (0, 4, (0, 5, (0, 6, 1.0)))))), moves=2)
    for game in (waiting, alone):
        with pytest.raises(Broken, match="Drawn goes on after 2 moves, the most that shape"):
            stream_response(game, Strategy.uniform(game), 0)


def test_progress_rises_to_the_number_of_histories():
    game, seen = fogtree.load(SMALL[-1]), []
    streamed = stream_response(game, Strategy.uniform(game), 0, threads=1, progress=seen.append)
    assert seen == sorted(seen) and seen[-1] == Progress("histories", streamed.histories)


def test_progress_may_stop_all_threads():
    before = threading.active_count()

    def stop(histories):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stream_response(FORCED, Strategy.uniform(FORCED), 1, threads=2, progress=stop)
    assert threading.active_count() == before
