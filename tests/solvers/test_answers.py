"""What best responses get, by one walk in lanes, against those over the sequence form and against plain recursion."""

import functools
from typing import Any, NamedTuple

import numpy as np
import pytest

import fogtree
import plain
from fogtree import CFR, CHANCE, Broken, Invalid, Strategy, exploitability, sequence_form
from fogtree.policy import Always, Uniform
from fogtree.solvers.streamed import answers
from fogtree.solvers.streamed.answers import answer_all
from fogtree.transforms.symmetric import symmetric
from fogtree.walk.slices import Progress
from plain import drawn

pytestmark = pytest.mark.usefixtures("unchecked")  # some games break the contract on purpose

COMPILED = ["leduc", "phantom-ttt:rules=forced-centre,winning_first=true"]
TINY = [  # walked in plain Python before a compiler has begun
    "kuhn",
    "liars-dice:faces=2",
    "goofspiel:cards=3,prizes=shuffled,points=true,lowest=1",
    "dark-hex:side=2",
    "dark-hex:side=2,abrupt=true",
]


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


def equal(found, strategy, text):
    """Whether answers are those over the sequence form."""
    exact = exploitability(form_of(text), strategy)
    assert found.best == pytest.approx(exact.values, abs=1e-12)
    assert found.own is None or found.own == pytest.approx((exact.value, -exact.value), abs=1e-12)
    return True


@pytest.mark.parametrize("text", [*TINY, *COMPILED])
def test_against_uniform_play_it_is_what_the_sequence_form_says(text):
    game = fogtree.load(text)
    found = answer_all(game, Strategy.uniform(game), cores=1)
    assert equal(found, Strategy.uniform(game), text)
    assert (found.own is None) == (text == "dark-hex:side=2")  # whose responders consider fewer actions
    assert found.device == "cpu" and (
        found.own is None or found.histories == fogtree.count(symmetric(game, game)).histories
    )


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("text", TINY)
def test_against_anybody_it_is_what_plain_recursion_says(text, seed):
    # rows that leave actions out, probabilities of 0, sets that are not listed
    game, root = fogtree.load(text), tree_of(text)
    table = plain.random_table(root, seed, listed=0.8)
    with np.errstate(over="ignore"):
        found = answer_all(game, plain.strategy_of(game, table))
    assert found.best == pytest.approx([plain.best_value(root, table, me) for me in (0, 1)], abs=1e-12)
    assert found.own is None or found.own[0] == pytest.approx(plain.value(root, table), abs=1e-12)


@pytest.mark.parametrize("text", COMPILED)
def test_a_learner_who_plays_few_actions_is_walked_where_it_matters(text):
    learner = CFR(form_of(text), "cfr+").run(iterations=3).strategy()
    found = answer_all(fogtree.load(text), learner, cores=2)
    assert equal(found, learner, text) and found.histories < fogtree.count(text).histories


@pytest.mark.parametrize("policy", [Uniform(), Always(1)])
def test_a_policy_without_a_table(policy, interpreted):
    kuhn = fogtree.load("kuhn")
    found = answer_all(kuhn, policy)
    exact = [answer.value for answer in (fogtree.best_response(kuhn, policy, p, engine="stream") for p in (0, 1))]
    assert found.best == pytest.approx(exact, abs=1e-12)


def test_responders_who_consider_fewer_actions_get_as_much_by_a_shorter_walk(interpreted):
    game = fogtree.load("dark-hex:side=2")
    strategy = plain.random_strategy(game, tree_of("dark-hex:side=2"), 1)
    with np.errstate(over="ignore"):
        few, all_of_them = (answer_all(game, strategy, considered=given) for given in (None, game))
    assert few.best == pytest.approx(all_of_them.best, abs=1e-12)
    assert few.histories < all_of_them.histories and few.own is None and all_of_them.own is not None


class Last(NamedTuple):
    """The last of a game's actions alone."""

    game: Any

    def actions(self, state, out):
        out[0] = out[self.game.actions(state, out) - 1]
        return 1


def test_a_responder_does_not_take_what_it_does_not_consider(interpreted):
    game = drawn((0, 1, -1.0, (0, 2, -3.0, -4.0), -2.0))
    assert answer_all(game, Uniform(), considered=Last(game)).best[0] == -2.0
    assert answer_all(game, Uniform()).best[0] == -1.0


def test_decisions_one_after_the_other_to_the_last_move(interpreted):
    game = drawn((0, 1, 0.0, (0, 2, 0.0, (0, 3, (0, 4, 7.0, 5.0), 0.0))))
    assert answer_all(game, Uniform()).best == (7.0, -(6.0 / 8.0))


@pytest.mark.parametrize("spread", [1, 1 << 10, 1 << 16])
@pytest.mark.parametrize("room", [1, 1 << 14, 1 << 20])
def test_how_the_walk_is_cut_changes_nothing(spread, room, monkeypatch, interpreted):
    monkeypatch.setattr(answers, "FEW_SPREAD", spread)
    monkeypatch.setattr(answers, "FEW_LAYERS", room)
    monkeypatch.setattr(answers, "FEW_WINDOW", 3)
    text = "dark-hex:side=2,abrupt=true"
    game, root = fogtree.load(text), tree_of(text)
    table = plain.random_table(root, 4)
    with np.errstate(over="ignore"):
        found = answer_all(game, plain.strategy_of(game, table))
    assert found.best == pytest.approx([plain.best_value(root, table, me) for me in (0, 1)], abs=1e-12)


def test_a_table_that_is_full_is_made_again_with_more_room(monkeypatch):
    made, new = [], answers._new_tables
    monkeypatch.setattr(
        answers, "_new_tables", lambda shape, capacity, device: made.append(capacity) or new(shape, capacity, device)
    )
    monkeypatch.setattr(answers, "FEW_TABLES", 1)
    leduc = fogtree.load("leduc")
    assert equal(answer_all(leduc, Strategy.uniform(leduc)), Strategy.uniform(leduc), "leduc")
    assert made == [64, 256, 1024]  # Leduc has 468 information sets a player


def test_three_players_each_answer_both_others(interpreted):
    game = fogtree.load("kuhn:players=3")
    exact = exploitability(game, Strategy.uniform(game))
    found = exploitability(game, Strategy.uniform(game), engine="lanes")
    assert found.values == pytest.approx(exact.values, abs=1e-12) and found.gains == pytest.approx(
        exact.gains, abs=1e-12
    )
    assert (found.total, found.value) == pytest.approx((exact.total, exact.value), abs=1e-12)
    assert (found.engine, found.device, found.missing, found.exact) == ("lanes", "cpu", None, True)


def test_players_who_never_decide(interpreted):
    game = drawn((CHANCE, [0.25, 0.75], (0, 1, 4.0, 8.0), 1.0))
    found = answer_all(game, Strategy.uniform(game))
    assert found.best == (0.25 * 8 + 0.75, -(0.25 * 6 + 0.75)) and found.own == (2.25, -2.25)


def test_a_game_that_is_over_at_once(interpreted):
    found = answer_all(drawn(3.0), Uniform())
    assert (found.best, found.own, found.histories) == ((3.0, -3.0), (3.0, -3.0), 1)


class Foreign(NamedTuple):
    def weigh(self, game, state, player, choice, odds):
        choice[0], odds[0] = 7, 1.0
        return 1


class Negative(NamedTuple):
    def weigh(self, game, state, player, choice, odds):
        count = game.actions(state, choice)
        odds[:count] = -1.0
        return count


def test_what_is_wrong_is_said_in_a_sentence(interpreted):
    kuhn = fogtree.load("kuhn")
    with pytest.raises(Invalid, match="lists an action that the game does not have"):
        answer_all(kuhn, Foreign())
    with pytest.raises(Broken, match="probabilities of 0 or more that sum to 1"):
        answer_all(kuhn, Negative())
    with pytest.raises(Broken, match="goes on after 3 moves"):
        answer_all(Short(*kuhn), Uniform())
    with pytest.raises(Invalid, match="computes on the CPU"):
        exploitability(kuhn, Uniform(), engine="stream", device="cuda")
    with pytest.raises(Invalid, match="not how they play"):
        fogtree.best_response(kuhn, Uniform(), 0, engine="lanes")


class Short(fogtree.Kuhn):
    """Kuhn poker that says it ends earlier than it does."""

    __slots__ = ()

    def shape(self):
        return super().shape()._replace(moves=3)


def test_progress_counts_histories_and_may_stop_the_walk(interpreted):
    kuhn, said = fogtree.load("kuhn"), []
    answer_all(kuhn, Uniform(), progress=said.append)
    assert said[-1] == Progress("histories", 58) and [now.done for now in said] == sorted(now.done for now in said)

    def stop(now):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        answer_all(kuhn, Uniform(), progress=stop)
