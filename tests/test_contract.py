"""The check of a game: one small game that keeps the contract, and the same game with one method broken at a time."""

import itertools
import math
import re
import types
from typing import NamedTuple

import numpy as np
import pytest

from fogtree import (
    CHANCE,
    OVER,
    REFEREE,
    Broken,
    Go,
    Goofspiel,
    Holdem,
    Illegal,
    Invalid,
    Kuhn,
    Shape,
    check,
    dice,
    seen,
)
from fogtree.contract import BY_ODDS, EVENLY, unchecked
from fogtree.contract.asking import LAST, Asked
from fogtree.contract.compiled import compare_with_compiled
from fogtree.games.holdem import rules
from fogtree.shapes import Disc, Text

CARD, BID, ANSWER, WORDS = 0, 1, 2, 3
NONE = -1


class Bluff(NamedTuple):
    """Chance deals player 0 one of three cards; player 0 says low or high; player 1, who sees only that, believes or
    doubts."""

    cards: int = 3

    def shape(self):
        return Shape(2, WORDS, self.cards, 3, -2.0, 2.0)

    def start(self, state):
        state[:] = NONE

    def player(self, state):
        if state[CARD] == NONE:
            return CHANCE
        if state[BID] == NONE:
            return 0
        return 1 if state[ANSWER] == NONE else OVER

    def actions(self, state, out):
        count = self.cards if state[CARD] == NONE else 2
        for i in range(count):
            out[i] = i
        return count

    def odds(self, state, out):
        for i in range(self.cards):
            out[i] = 1.0 / self.cards

    def step(self, state, action):
        for word in range(WORDS):
            if state[word] == NONE:
                state[word] = action
                return

    def payoff(self, state, player):
        true = (state[CARD] > 0) == (state[BID] == 1)
        won = 1.0 if true else 2.0
        if true == (state[ANSWER] == 1):
            won = -won
        return won if player == 0 else -won

    def view(self, state, player):
        key = 1
        if player == 0:
            key = key * 4 + state[CARD] + 1
        key = key * 3 + state[BID] + 1
        return key * 3 + (state[ANSWER] + 1 if player == 1 else 0)

    def show(self, state, player):
        return f"card {state[CARD] if player in (0, REFEREE) else '?'}, bid {state[BID]}"

    def label(self, state, action):
        if state[CARD] == NONE:
            return f"card {action}"
        return (("low", "high") if state[BID] == NONE else ("doubt", "believe"))[action]

    def imagine(self, state, player, random):
        if player == 1:
            state[CARD] = dice.below(random, self.cards)


def test_a_game_that_keeps_the_contract_passes():
    # 1 root, 3 cards, 6 bids, 12 ends; player 0 decides at 3 cards, player 1 at 2 bids
    assert check(Bluff())[:6] == (22, 12, 5, True, "each state equally likely", ())


def test_a_large_game_is_checked_in_part():
    report = check(Goofspiel(), histories=300, games=3)
    assert not report.complete
    assert report.games == 3 and report.parts == 3 * 5  # the end of each game, and four places
    assert report.depth == 12  # with the last round, a game has 12 moves
    assert 100 + 3 * 5 <= report.histories <= 100 + 3 * (1 + 4 * 15)  # from the start on, and two ways three moves deep
    assert report.infosets > 0


def with_method(name, method):
    return type("Bad", (Bluff,), {name: method})()


def without(name):
    kept = {key: value for key, value in vars(Bluff).items() if callable(value) and key in METHODS and key != name}
    return type("Bad", (NamedTuple("Bad", [("cards", int)]),), kept)(3)


METHODS = ("shape", "start", "player", "actions", "odds", "step", "payoff", "view")


def complaint(game, **options):
    with pytest.raises(Broken) as caught:
        check(game, **options)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def shape(players=2, words=WORDS, actions=3, moves=3, low=-2.0, high=2.0, zero_sum=True):
    return lambda self: Shape(players, words, actions, moves, low, high, zero_sum)


@pytest.mark.parametrize(
    ("broken", "rule"),
    [
        (lambda self: (2, 3, 3, 3, -2, 2), "must return a fogtree.Shape, not tuple"),
        (lambda self: None, "must return a fogtree.Shape, not NoneType"),
        (lambda self: 1 // 0, "raised ZeroDivisionError: "),
        (shape(players=0), "has a size below 1: Shape(players=0, "),
        (shape(players=257), "has 257 players: at most 256 have room"),
        (shape(words=0), "has a size below 1"),
        (shape(actions=0), "has a size below 1"),
        (shape(moves=-1), "has a size below 1"),
        (shape(words=3.0), "must be a whole number, not 3.0"),
        (shape(players=True), "must be a whole number, not True"),
        (shape(low=2.0, high=-2.0), "needs finite payoffs with low <= high, not 2.0 and -2.0"),
        (shape(low=-math.inf), "needs finite payoffs with low <= high, not -inf and 2.0"),
        (shape(high=math.nan), "needs finite payoffs with low <= high, not -2.0 and nan"),
        (shape(high="2"), "needs numbers for low and high, not -2.0 and '2'"),
    ],
)
def test_shape(broken, rule):
    assert complaint(with_method("shape", broken)).startswith(f"Bad.shape {rule}")


def test_a_missing_method_is_named():
    assert complaint(without("payoff")) == (
        "Bad has no method payoff: a game needs shape, start, player, actions, step, payoff, view"
    )


def test_a_chance_node_needs_odds():
    assert complaint(without("odds")) == (
        "Bad.player is CHANCE, but there is no method odds, which a game with chance needs "
        "(after the moves (none), in state [-1, -1, -1])"
    )


def test_a_game_is_an_instance_of_a_named_tuple():
    class Plain:
        pass

    assert complaint(Plain()) == "a game is an instance of a NamedTuple class, not a Plain"
    assert complaint(Bluff) == "a game is an instance of a NamedTuple class, not the class Bluff"
    assert complaint((1, 2)) == "a game is an instance of a NamedTuple class, not a tuple"


def start_in_part(self, state):
    state[CARD] = state[BID] = NONE


def at_the_answer(value, otherwise):
    """A method of a state that is broken once a bid is made."""
    return lambda self, state, *rest: otherwise(self, state, *rest) if state[BID] == NONE else value


def wrong_actions(*actions, count=None):
    def method(self, state, out):
        if state[BID] == NONE:
            return Bluff.actions(self, state, out)
        out[: len(actions)] = actions
        return len(actions) if count is None else count

    return method


def wrong_odds(*odds):
    def method(self, state, out):
        out[:] = odds

    return method


def ended(value):
    return lambda self, state, player: value if player == 0 else -value


@pytest.mark.parametrize(
    ("verb", "method", "moves", "rule"),
    [
        ("start", start_in_part, "(none)", "must write the whole state, but word 2 depends on what stood there before"),
        ("start", lambda self, state: state[7], "(none)", "raised IndexError: "),
        ("player", at_the_answer(2, Bluff.player), "card 0, low", "is 2: valid are 0 to 1, CHANCE and OVER"),
        ("player", at_the_answer(-3, Bluff.player), "card 0, low", "is -3: valid are 0 to 1, CHANCE and OVER"),
        ("player", at_the_answer(1.0, Bluff.player), "card 0, low", "must be a whole number, not 1.0"),
        ("player", at_the_answer(None, Bluff.player), "card 0, low", "must be a whole number, not None"),
        ("player", at_the_answer(True, Bluff.player), "card 0, low", "must be a whole number, not True"),
        (
            "player",
            at_the_answer(1, Bluff.player),
            "card 0, low, doubt",
            "goes on after 3 moves, the most that shape() allows",
        ),
        ("actions", wrong_actions(count=0), "card 0, low", "returns 0: valid is 1 to 3, as shape() says"),
        ("actions", wrong_actions(count=4), "card 0, low", "returns 4: valid is 1 to 3, as shape() says"),
        ("actions", wrong_actions(count=2.0), "card 0, low", "must be a whole number, not 2.0"),
        ("actions", wrong_actions(1, 0), "card 0, low", "must be ascending and not negative, not [1, 0]"),
        ("actions", wrong_actions(1, 1), "card 0, low", "must be ascending and not negative, not [1, 1]"),
        ("actions", wrong_actions(-1, 0), "card 0, low", "must be ascending and not negative, not [-1, 0]"),
        ("actions", wrong_actions(0, 1, 2, 3), "card 0, low", "raised ValueError: "),
        ("odds", wrong_odds(0.5, 0.5, 0.0), "(none)", "must be positive and sum to 1, not [0.5, 0.5, 0.0]"),
        ("odds", wrong_odds(0.5, 0.5, 0.5), "(none)", "must be positive and sum to 1, not [0.5, 0.5, 0.5]"),
        ("odds", wrong_odds(1.0, 1.0, -1.0), "(none)", "must be positive and sum to 1, not [1.0, 1.0, -1.0]"),
        ("odds", wrong_odds(math.nan, 0.5, 0.5), "(none)", "must be positive and sum to 1, not [nan, 0.5, 0.5]"),
        ("payoff", ended(3.0), "card 0, low, doubt", "is [3.0, -3.0], outside [-2, 2] of shape()"),
        ("payoff", ended(math.nan), "card 0, low, doubt", "is [nan, nan], outside [-2, 2] of shape()"),
        ("payoff", ended(math.inf), "card 0, low, doubt", "is [inf, -inf], outside [-2, 2] of shape()"),
        (
            "payoff",
            lambda self, state, player: 1.0,
            "card 0, low, doubt",
            "is [1.0, 1.0], which does not sum to 0 as shape() says",
        ),
        ("payoff", lambda self, state, player: "1", "card 0, low, doubt", "must be a number, not ['1', '1']"),
        ("payoff", lambda self, state, player: None, "card 0, low, doubt", "must be a number, not [None, None]"),
        ("view", lambda self, state, player: 0.5, "(none)", "must be a whole number, not 0.5"),
        ("view", lambda self, state, player: "x", "(none)", "must be a whole number, not 'x'"),
        ("view", lambda self, state, player: 2**63, "(none)", "of player 0 is 9223372036854775808, which does not fit"),
        ("step", lambda self, state, action: action / 0, "(none)", "raised ZeroDivisionError: division by zero"),
    ],
)
def test_a_broken_method_is_named_with_the_moves_and_the_rule(verb, method, moves, rule):
    sentence = complaint(with_method(verb, method))
    assert sentence.startswith(f"Bad.{verb} {rule}")
    assert sentence.partition(" (after the moves ")[2].startswith(f"{moves}, in state [")


def test_step_must_be_the_same_each_time():
    noise = itertools.count()

    def step(self, state, action):
        Bluff.step(self, state, action)
        state[CARD] += next(noise)

    assert complaint(with_method("step", step)) == (
        "Bad.step of action 2 gives two different states from the same one "
        "(after the moves (none), in state [-1, -1, -1], where the referee sees: card -1, bid -1)"
    )


@pytest.mark.parametrize("verb", ["player", "actions", "odds", "payoff", "view", "show", "label"])
def test_only_step_may_change_the_state(verb):
    def method(self, state, *rest):
        result = getattr(Bluff, verb)(self, state, *rest)
        if verb != "payoff" or state[ANSWER] == 1:
            state[ANSWER] = 5
        return result

    moves = {"payoff": "card 0, low, believe", "odds": "(none)"}.get(verb, "(none)")
    sentence = complaint(with_method(verb, method))
    assert sentence.startswith(f"Bad.{verb} changed the state, which only step may do (after the moves {moves}, ")


# --- views -----------------------------------------------------------------------------------------------------------


def test_a_view_fixes_the_legal_actions():
    def actions(self, state, out):
        count = Bluff.actions(self, state, out)
        return 1 if state[CARD] == 2 and state[BID] != NONE else count

    assert complaint(with_method("actions", actions)) == (
        "Bad.view player 1 cannot tell this from the history card 0, low, but the legal actions are [0] here and [0, 1] "
        "there (after the moves card 2, low, in state [2, 0, -1], where the referee sees: card 2, bid 0)"
    )


class Twice(NamedTuple):
    """Player 0 chooses twice, then it is over. `memory` says what is remembered of the first choice."""

    memory: int = 2

    def shape(self):
        return Shape(1, 2, 2, 2, 0.0, 0.0)

    def start(self, state):
        state[:] = NONE

    def player(self, state):
        return 0 if state[1] == NONE else OVER

    def actions(self, state, out):
        out[0], out[1] = 0, 1
        return 2

    def step(self, state, action):
        state[0 if state[0] == NONE else 1] = action

    def payoff(self, state, player):
        return 0.0

    def view(self, state, player):
        first = state[0] if self.memory > 1 else min(state[0], 0)
        if self.memory == 0 and state[1] == NONE:
            first = NONE
        return (first + 2) * 4 + state[1] + 2


def test_a_view_remembers_own_actions(interpreted):
    assert check(Twice()).infosets == 3
    assert complaint(Twice(memory=1)).startswith(
        "Twice.view player 0 cannot tell this from the history 0, but got here by other own actions, which a player must "
        "not forget (after the moves 1, "
    )


def test_a_view_remembers_that_time_has_passed():
    # the two choices look the same, as to the absent-minded driver of Piccione and Rubinstein (1997)
    assert "got here by other own actions" in complaint(Twice(memory=0))


def test_a_view_forgets_nothing_that_was_seen():
    def view(self, state, player):
        if player == 1 and state[ANSWER] == NONE:
            return 1 if state[BID] == NONE else 2 + state[BID]
        return 9 if player == 1 else Bluff.view(self, state, player)  # after the answer all looks the same

    assert complaint(with_method("view", view)).startswith(
        "Bad.view of player 1 is the same as after card 0, low, doubt, but earlier views differ: a player must not forget "
    )


# --- what people read ------------------------------------------------------------------------------------------------


class Signal(NamedTuple):
    """Chance sends one of three signals, which player 0 reads: one or two symbols. The key is made by step or by view."""

    in_step: bool = True

    def shape(self):
        return Shape(1, 2, 3, 2, 0.0, 0.0)

    def start(self, state):
        state[0], state[1] = NONE, 1

    def player(self, state):
        return CHANCE if state[0] == NONE else 0 if state[0] < 3 else OVER

    def actions(self, state, out):
        out[0], out[1], out[2] = 0, 1, 2
        return 3 if state[0] == NONE else 1

    def odds(self, state, out):
        out[:3] = 1 / 3

    def step(self, state, action):
        state[0] = action if state[0] == NONE else state[0] + 3
        if self.in_step:
            state[1] = read_signal(action) if state[0] < 3 else seen(state[1], 0, 64)

    def payoff(self, state, player):
        return 0.0

    def view(self, state, player):
        if self.in_step or state[0] == NONE:
            return state[1]
        return read_signal(state[0]) if state[0] < 3 else seen(read_signal(state[0] - 3), 0, 64)


def read_signal(signal):
    return seen(1, 9 - signal, 64) if signal < 2 else seen(seen(1, 1, 8), 1, 8)  # 64 + 9 = 8 * (8 + 1) + 1


@pytest.mark.parametrize("in_step", [True, False])
def test_two_different_lists_of_observations_must_not_have_one_key(interpreted, in_step):
    assert complaint(Signal(in_step)).startswith(
        "Signal.view of player 0 is the same as after 0, but `seen` was told other things (after the moves 2, "
    )


class Letters(NamedTuple):
    """Chance writes twenty letters of two alphabets, which player 0 reads. The alphabet of a letter is chosen by chance, or
    by the letter before."""

    radix: tuple[int, int]
    by_chance: bool

    def shape(self):
        return Shape(1, 3, 4, 21, 0.0, 0.0)

    def start(self, state):
        state[0], state[1], state[2] = 1, 0, 0  # view | letters written | the last letter

    def player(self, state):
        return CHANCE if state[1] < 20 else 0 if state[1] == 20 else OVER

    def actions(self, state, out):
        out[0], out[1], out[2], out[3] = 0, 1, 2, 3
        return 1 if state[1] == 20 else 4 if self.by_chance else 2

    def odds(self, state, out):
        out[:] = 0.25 if self.by_chance else 0.5

    def step(self, state, action):
        alphabet = action // 2 if self.by_chance else state[2]
        state[0] = seen(state[0], action % 2, self.radix[alphabet])
        state[1], state[2] = state[1] + 1, action % 2

    def payoff(self, state, player):
        return 0.0

    def view(self, state, player):
        return state[0]


@pytest.mark.parametrize(
    ("radix", "by_chance", "exact"),
    [
        ((64, 3), True, False),
        ((64, 3), False, False),  # as hold'em once had it: the betting decides what comes next
        ((64, 4), True, False),
        ((64, 4), False, True),  # a row of bits, which can be read from the first symbol on
        ((5, 5), True, True),
    ],
)
def test_radices_that_what_happens_decides_are_found_in_part_of_a_tree(interpreted, radix, by_chance, exact):
    game = Letters(radix, by_chance)
    if exact:
        assert not check(game, histories=200, games=4).complete
    else:
        mixed = r"made by seen with the radix \d+ after \d+ observations here, and with \d+ after .*: so two different lists"
        assert re.match(
            f"Letters.view of player 0 is ({mixed}|the same as after )", complaint(game, histories=200, games=4)
        )


def test_the_radices_that_holdem_once_had_are_found(interpreted, monkeypatch):
    assert not check(Holdem(), histories=200, games=2, seconds=2).complete
    monkeypatch.setattr(rules, "BET_RADIX", 3)
    with pytest.raises(
        Broken, match=r"^Holdem.view of player \d is made by seen with the radix \d+ after \d observations"
    ):
        check(Holdem(), histories=200, games=2, seconds=2)


def test_a_key_that_is_a_hash_has_room_for_any_symbol(interpreted):
    assert check(Go(side=9), histories=5, games=1, seconds=1).depth > 0  # 81 points and pass, as symbols of a hash


def test_show_must_not_tell_more_than_view():
    sentence = complaint(with_method("show", lambda self, state, player: f"{state[CARD]} {state[BID]}"))
    assert sentence.startswith(
        "Bad.show tells player 1 this from the history (none), though their view is the same (after the moves card 0, "
    )


def test_draw_must_not_show_more_than_view():
    sentence = complaint(with_method("draw", lambda self, state, player: [Disc(state[CARD], 0)]))
    assert sentence.startswith("Bad.draw tells player 1 this from the history (none), though their view is the same")


def test_show_must_not_fail():
    sentence = complaint(with_method("show", lambda self, state, player: "abc"[player + 4]))
    assert sentence.startswith("Bad.show raised IndexError: string index out of range in line ")
    assert "test_contract.py (after the moves (none), " in sentence


def test_labels_must_differ():
    sentence = complaint(with_method("label", lambda self, state, action: "go"))
    assert sentence.startswith(
        "Bad.label gives two actions the same name: ['go', 'go', 'go'] (after the moves (none), "
    )


def test_a_label_must_not_tell_more_than_view():
    sentence = complaint(with_method("label", lambda self, state, action: f"{action} against {state[CARD]}"))
    assert sentence.startswith(
        "Bad.label tells player 1 this from the history 0 against -1, 0 against 0, though their view is the same "
        "(after the moves 1 against -1, 0 against 1, "
    )


@pytest.mark.parametrize("answer", [0, 17])
def test_read_must_find_every_label(answer):
    sentence = complaint(with_method("read", lambda self, state, text: answer))
    assert "does not take 'card " in sentence and sentence.startswith("Bad.read ")


def test_read_may_refuse_what_is_no_label(interpreted):
    def read(self, state, text):
        names = [self.label(state, action) for action in range(3 if state[CARD] == NONE else 2)]
        if text not in names:
            raise Illegal("no")
        return names.index(text)

    assert check(with_method("read", read)).complete


def test_an_action_drawn_must_be_the_one_of_the_list():
    def any_action(self, state, out, random):
        return out[self.actions(state, out) - 1]  # without the dice

    sentence = complaint(with_method("any_action", any_action))
    assert sentence.startswith("Bad.any_action draws ") and "in the list of actions" in sentence


@pytest.mark.parametrize("word", [CARD, BID])
def test_imagine_must_keep_what_the_player_knows(word):
    def imagine(self, state, player, random):
        state[word] = dice.below(random, 2)

    sentence = complaint(with_method("imagine", imagine))
    assert "Bad.imagine gives a state that player 0 can tell from the true one (after the moves " in sentence


# --- what a game may know besides: open games, positions, noisy moves, sides -----------------------------------------


class Pile(NamedTuple):
    """Two players take one or two stones from a pile in turn; who takes the last stone wins. Nothing is hidden."""

    stones: int = 5
    says: bool = True  # that it is open
    hidden: int = 0  # the players do not see what the other took, or only player 1 does not

    def shape(self):
        return Shape(2, 4, 2, self.stones, -1.0, 1.0, open=self.says)

    def start(self, state):
        state[0], state[1], state[2], state[3] = self.stones, 0, 1, 1  # left | moves made | two views

    def player(self, state):
        return state[1] & 1 if state[0] else OVER

    def actions(self, state, out):
        out[0], out[1] = 1, 2
        return 2 if self.hidden else min(2, state[0])  # who does not know how many are left may ask for too many

    def step(self, state, action):
        me = state[1] & 1
        state[0] = max(0, state[0] - action)
        state[1] += 1
        for player in range(2):
            if player == me or not self.hidden or (self.hidden == 2 and player == 0):
                state[2 + player] = 3 * state[2 + player] + action
            else:
                state[2 + player] = 3 * state[2 + player]

    def payoff(self, state, player):
        return 1.0 if state[1] & 1 != player else -1.0

    def view(self, state, player):
        return state[2 + player]

    def position(self, state):
        return 2 * state[0] + (state[1] & 1)

    def noisy(self, state, out):
        out[0] = 2
        return 1 if state[0] == 2 else 0


def pile(name, method, **fields):
    return type("Bad", (Pile,), {name: method})(**fields)


def test_an_open_game_keeps_the_contract():
    report = check(Pile())
    assert report.complete and report.hints == ()


def test_a_game_that_hides_something_cannot_say_that_it_is_open():
    # player 1 does not see whether one stone was taken or two
    assert complaint(Pile(hidden=2)) == (
        "Pile.shape says that the game is open, but player 1 cannot tell this from the history 1 1 1 "
        "(after the moves 1 1 2, in state [1, 3, 41, 30])"
    )


def test_a_move_of_chance_that_a_player_does_not_see_is_hidden():
    def shape(self):
        return Shape(2, WORDS, self.cards, 3, -2.0, 2.0, open=True)

    assert complaint(with_method("shape", shape)).startswith(
        "Bad.shape says that the game is open, but player 1 cannot tell this from the history card 0, low "
        "(after the moves card 1, low, "
    )


def test_a_game_that_hides_nothing_is_told_so(interpreted):
    hint = "Pile hides nothing, so its shape() may say open=True, and searches for open games will take it"
    assert check(Pile(says=False)).hints == (hint,)
    assert check(Pile(says=False), histories=3).hints == ()  # who has not seen all cannot know
    assert check(Pile(says=False, hidden=1)).hints == ()


@pytest.mark.parametrize(
    ("position", "rule"),
    [
        (lambda self, state: 0.5, "must be a whole number, not 0.5 (after the moves (none)"),
        (lambda self, state: 2**63, "is 9223372036854775808, which does not fit in 64 bits (after the moves (none)"),
        (
            lambda self, state: state[0] if state[0] else -1 - (state[1] & 1),
            "is the same as after 1 1 1 1, but the player to move is 1 here and 0 there (after the moves 1 1 2",
        ),
        (
            lambda self, state: 2 * min(state[0], 1) + (state[1] & 1),
            "is the same as after (none), but the legal actions are [1] here and [1, 2] there",
        ),
        (
            lambda self, state: 2 * max(state[0], 1) + (state[1] & 1),
            "is the same as after 1 1 1 1, but the player to move is -2 here and 0 there",
        ),
        (
            lambda self, state: state[0] if state[0] == 0 else state[2],
            "is the same as after 1 1 1 1 1, but the payoffs are ",
        ),
    ],
)
def test_equal_positions_have_the_same_mover_actions_and_payoffs(position, rule):
    sentence = complaint(pile("position", position))
    assert sentence.startswith(f"Bad.position {rule}")


def test_equal_positions_have_the_same_future():
    # four stones or more: two actions each, but other ends
    sentence = complaint(pile("position", lambda self, state: 2 * min(state[0], 4) + (state[1] & 1), stones=6))
    assert sentence.startswith("Bad.position is the same as after ") and "but other moves or payoffs follow" in sentence


@pytest.mark.parametrize(
    ("noisy", "rule"),
    [
        ((), None),
        ((1,), None),
        ((1, 2), None),
        ((2, 1), "must write legal actions, ascending, not [2, 1] of [1, 2]"),
        ((2, 2), "must write legal actions, ascending, not [2, 2] of [1, 2]"),
        ((3,), "must write legal actions, ascending, not [3] of [1, 2]"),
        ((1, 2, 3), "raised ValueError: "),
    ],
)
def test_noisy_actions_are_legal_and_ascending(interpreted, noisy, rule):
    def method(self, state, out):
        listed = noisy if state[0] > 1 else ()
        out[: len(listed)] = listed
        return len(listed)

    if rule is None:
        assert check(pile("noisy", method)).complete
    else:
        assert complaint(pile("noisy", method)).startswith(f"Bad.noisy {rule}")


@pytest.mark.parametrize("count", [-1, 3, 1.5])
def test_noisy_returns_how_many(interpreted, count):
    rule = (
        "must be a whole number, not 1.5" if count == 1.5 else f"returns {count}: valid is 0 to 2, the number of legal"
    )
    assert complaint(pile("noisy", lambda self, state, out: count)).startswith(f"Bad.noisy {rule}")


@pytest.mark.parametrize("verb", ["position", "noisy"])
def test_only_step_may_change_the_state_of_an_open_game(verb):
    def method(self, state, *rest):
        result = getattr(Pile, verb)(self, state, *rest)
        state[1] += 2
        return result

    assert complaint(pile(verb, method)).startswith(f"Bad.{verb} changed the state, which only step may do")


@pytest.mark.parametrize(
    ("verb", "method", "rule"),
    [
        ("urgent", lambda self, state: 1, "must be True or False, not 1"),
        ("urgent", lambda self, state: state[2] == 14, "is False here, and True after 1 2"),
        ("promise", lambda self, state, action: "much", "of action 1 must be a finite number, not 'much'"),
        (
            "promise",
            lambda self, state, action: float("inf"),
            "of action 1 must be a finite number, not inf",
        ),
        ("skip", lambda self, state: 2, "must be True or False, not 2"),
        ("skip", lambda self, state: True, "says that player 0 has passed, but it is still their move"),
        ("by_course", lambda self, state: 0.5, "must be True or False, not 0.5"),
        ("live", lambda self, state: 0, "is 0: valid is 1 to 4, the words of the state"),
        ("live", lambda self, state: 5, "is 5: valid is 1 to 4, the words of the state"),
        ("live", lambda self, state: 3, "is 3, but what stands behind these words changes what the game says"),
    ],
)
def test_what_helps_a_search_makes_sense(interpreted, verb, method, rule):
    assert complaint(pile(verb, method)).startswith(f"Bad.{verb} {rule}")


class Stairs(NamedTuple):
    """Each player goes up once. Player 1 decides with the view 1 or 2, and player 0 with the view 1."""

    def shape(self):
        return Shape(2, 1, 2, 2, -1.0, 1.0, open=True)

    def start(self, state):
        state[0] = 0

    def player(self, state):
        return 0 if state[0] == 0 else 1 if state[0] < 3 else OVER

    def actions(self, state, out):
        out[0], out[1] = 0, 1
        return 2

    def step(self, state, action):
        state[0] = 2 * state[0] + 1 + action

    def payoff(self, state, player):
        return (1.0 if state[0] % 2 else -1.0) * (1 - 2 * player)

    def view(self, state, player):
        return state[0] if player == 1 else 1 if state[0] == 0 else 2 + state[0]

    def urgent(self, state):
        return state[0] == 0


def test_a_position_is_urgent_for_one_player_and_not_for_another_with_the_same_view(interpreted):
    assert check(Stairs()).complete


def test_a_skip_that_is_refused_leaves_the_state_as_it_was(interpreted):
    def skip(self, state):
        state[1] += 1
        return False

    rule = "says that passing is not worse than a move, but changed the state"
    assert complaint(pile("skip", skip)).startswith(f"Bad.skip {rule}")


def test_helpful_verbs_that_make_sense_are_accepted():
    def skip(self, state):
        if state[0] < 2:
            return False
        state[1] += 1
        return True

    verbs = {
        "urgent": lambda self, state: state[0] <= 2,
        "promise": lambda self, state, action: 0.5 * action,
        "skip": skip,
        "by_course": lambda self, state: False,
        "live": lambda self, state: 4,
    }
    assert check(type("Good", (Pile,), verbs)()).complete


@pytest.mark.parametrize(
    ("verb", "method"),
    [
        ("urgent", lambda self, state: power(100) == POWER),
        ("promise", lambda self, state, action: 1.0 if power(100) == POWER else 0.0),
        ("skip", lambda self, state: power(100) != POWER),
        ("by_course", lambda self, state: power(100) == POWER),
        ("live", lambda self, state: 4 if power(100) == POWER else 3),
    ],
)
def test_what_helps_a_search_compiles_to_the_same(verb, method):
    assert complaint(pile(verb, method)).startswith(f"Bad.{verb} gives other numbers compiled than interpreted")


class Partners(NamedTuple):
    """Four players vote; players 0 and 2 against 1 and 3, and the side with more votes wins."""

    on: tuple = (0, 1, 0, 1)
    spoils: int = NONE  # the player who gets nothing, whoever wins

    def shape(self):
        return Shape(4, 4, 2, 4, -1.0, 1.0)

    def start(self, state):
        state[:] = NONE

    def player(self, state):
        for who in range(4):
            if state[who] == NONE:
                return who
        return OVER

    def actions(self, state, out):
        out[0], out[1] = 0, 1
        return 2

    def step(self, state, action):
        state[self.player(state)] = action

    def payoff(self, state, player):
        lead = state[0] + state[2] - state[1] - state[3]
        won = 1.0 if lead > 0 else -1.0
        return won * (1 if player % 2 == 0 else -1) * (player != self.spoils)

    def view(self, state, player):
        return state[player] + 1

    def side_of(self, player):
        return self.on[player]


def test_partners_get_the_same(interpreted):
    assert check(Partners()).complete
    assert complaint(Partners((0, 0, 1, 1))).startswith(
        "Partners.payoff is [-1.0, 1.0, -1.0, 1.0], but those on one side, (0, 0, 1, 1), must get the same "
        "(after the moves 0 0 0 0, "
    )


@pytest.mark.parametrize("sides", [(1, 0, 1, 0), (0, 2, 0, 2), (0, -1, 0, -1), (0, 1, 0, 3)])
def test_sides_are_numbered_from_0_without_gaps(sides):
    assert complaint(Partners(sides)).startswith(
        f"Partners.side_of numbers the sides from 0 without gaps, player 0 on side 0, not {sides}"
    )


def test_a_side_is_a_whole_number():
    assert complaint(Partners((0, 1.0, 0, 1))).startswith("Partners.side_of must be a whole number, not 1.0")


# --- imagining -------------------------------------------------------------------------------------------------------


class Loaded(NamedTuple):
    """Chance deals player 0 one of three cards, the last as often as the other two together; player 1 guesses it."""

    def shape(self):
        return Shape(2, 2, 3, 2, -1.0, 1.0)

    def start(self, state):
        state[:] = NONE

    def player(self, state):
        return CHANCE if state[CARD] == NONE else 1 if state[1] == NONE else OVER

    def actions(self, state, out):
        out[0], out[1], out[2] = 0, 1, 2
        return 3

    def odds(self, state, out):
        out[0], out[1], out[2] = 0.25, 0.25, 0.5

    def step(self, state, action):
        state[CARD if state[CARD] == NONE else 1] = action

    def payoff(self, state, player):
        won = 1.0 if state[CARD] == state[1] else -1.0
        return won if player == 1 else -won

    def view(self, state, player):
        return (state[CARD] + 1 if player == 0 else min(state[CARD], 0) + 1) * 5 + (state[1] + 1) * player

    def imagine(self, state, player, random):
        state[CARD] = dice.below(random, 3)


def imagining(method, game=Loaded):
    return type("Bad", (game,), {"imagine": method})()


def test_imagined_states_are_evenly_likely_or_follow_the_odds(interpreted):
    def by_odds(self, state, player, random):
        state[CARD] = min(dice.below(random, 4), 2)

    assert check(Loaded()).imagined == EVENLY
    assert check(imagining(by_odds)).imagined == BY_ODDS


def test_what_is_imagined_in_part_of_a_tree_is_not_judged_by_its_odds(interpreted):
    assert check(Loaded(), histories=2).imagined == ""


@pytest.mark.parametrize("way", ["below", "pick"])
def test_in_part_of_a_tree_the_true_state_must_be_possible(interpreted, way):
    def imagine(self, state, player, random):
        state[CARD] = dice.below(random, 3) if way == "below" else dice.pick(random, np.full(3, 1 / 3), 3)

    def excludes(self, state, player, random):
        imagine(self, state, player, random)
        state[CARD] = min(state[CARD], 1)  # never the last card

    assert check(imagining(imagine), histories=12).possible >= 3  # of 13
    assert complaint(imagining(excludes), histories=12).startswith(
        "Bad.imagine never gives the true state, however the dice fall: player 1 excludes what is so (after the moves 2, "
    )


@pytest.mark.parametrize("draw", [dice.draw, dice.unit])
def test_of_what_64_bits_decide_nothing_is_said(interpreted, draw):
    def imagine(self, state, player, random):
        state[CARD] = int(3 * (float(draw(random)) / (2.0**64 if draw is dice.draw else 1.0)))

    assert check(imagining(imagine), histories=12).possible == 0


def test_64_bits_that_stand_in_a_word_of_the_state_decide_nothing(interpreted):
    def imagine(self, state, player, random):
        state[CARD], state[2] = dice.below(random, 3), np.int64(dice.draw(random))

    class Longer(Loaded):
        def shape(self):
            return Loaded.shape(self)._replace(words=3)

        def position(self, state):
            return state[CARD] + 4 * state[1]

    Longer.imagine = imagine
    assert check(Longer(), histories=12).possible >= 3


@pytest.mark.parametrize("most", [5, 2])
def test_imagined_states_must_not_be_drawn_otherwise(interpreted, most):
    def imagine(self, state, player, random):
        state[CARD] = min(dice.below(random, most), 2)  # the last card three times in five, or never

    sentence = complaint(imagining(imagine))
    assert sentence.startswith("Bad.imagine draws states neither so: each state equally likely (p = ")
    assert "; nor so: by the odds of chance and of others who play at random (p = " in sentence


def test_an_imagined_state_must_be_possible(interpreted):
    def imagine(self, state, player, random):
        state[CARD] = dice.below(random, 4)  # there are three

    assert complaint(imagining(imagine)).startswith("Bad.imagine gives [3, -1], which is no state with this view")


def keep(self, state, player, random):
    dice.draw(random)


def next_card(self, state, player, random):
    state[CARD] = (state[CARD] + dice.below(random, 3)) % 3  # each equally likely, but by what is hidden


def dice_by_card(self, state, player, random):
    if state[CARD] == 1:
        dice.draw(random)  # what is drawn next tells of the card
    state[CARD] = 0


def sees_the_card(self, state, player):
    """The view of a game of Bluff in which player 1 knows the card as well."""
    return (state[CARD] + 2) * 4 + state[BID] + 2


def keep_all(self, state, player, random):
    """A player who sees all has nothing to imagine, and player 0 knows the card already."""


TOLD = {  # how player 1 may have been told of the card: each is a reason not to speak of a leak
    "heard": lambda self, state, action, player: str(action),
    "public": lambda self, state: int(state[CARD]),
    "draw": lambda self, state, player: [Text(0, 0, str(state[CARD]))],
    "show": lambda self, state, player: f"card {state[CARD]}, bid {state[BID]}",
    "label": lambda self, state, action: f"{state[CARD] + 1 if state[CARD] != NONE else ''}-{action}",
}


def test_a_view_that_holds_what_nobody_told_is_a_leak(interpreted):
    sentence = complaint(type("Bad", (Bluff,), {"view": sees_the_card, "imagine": keep_all})())
    assert sentence.startswith(
        "Bad.view tells player 1 this from the history card 0, low, although in both the player was"
    )
    assert (
        "the view holds what is hidden, or show leaves out what the player sees (after the moves card 1, low"
        in sentence
    )


@pytest.mark.parametrize("verb", TOLD)
def test_what_a_player_was_told_in_any_way_is_no_leak(interpreted, verb):
    check(type("Bad", (Bluff,), {"view": sees_the_card, verb: TOLD[verb], "imagine": keep_all})())


def test_heard_that_fails_is_named(interpreted):
    fails = {"view": sees_the_card, "imagine": keep_all, "heard": lambda self, state, action, player: [][action]}
    sentence = complaint(type("Bad", (Bluff,), fails)())
    assert sentence.startswith("Bad.heard raised IndexError: list index out of range in line")


@pytest.mark.parametrize(("leak", "histories"), [(keep, 22), (next_card, 22), (dice_by_card, 22), (next_card, 3)])
def test_imagining_must_not_depend_on_what_is_hidden(interpreted, leak, histories):
    sentence = complaint(imagining(leak), histories=histories, games=0)
    assert sentence.startswith("Bad.imagine leaks what is hidden: the same dice make another state here than from the ")
    assert re.search(
        r"for player \d: (word \d+ of the state is -?\d+ here and -?\d+ there|other dice are left)", sentence
    )


def test_imagine_must_compile_to_the_same():
    def imagine(self, state, player, random):
        if player == 1:
            state[CARD] = (power(100) + dice.below(random, 3)) % 3

    assert complaint(with_method("imagine", imagine)) == (
        "Bad.imagine gives other numbers compiled than interpreted, in the same 9 states; the usual causes are whole numbers "
        "beyond 64 bits, and division by 0"
    )


def test_an_error_in_imagine_shows_where(interpreted):
    assert complaint(imagining(lambda self, state, player, random: state[9])).startswith(
        "Bad.imagine raised IndexError: index 9 is out of bounds for axis 0 with size 2 in line "
    )


# --- other kinds of game ---------------------------------------------------------------------------------------------


class Majority(NamedTuple):
    """Three players vote in secret; who votes with the majority gets 1. General-sum, without chance."""

    claim: bool = False  # says that it is zero-sum, which is wrong

    def shape(self):
        return Shape(3, 3, 2, 3, 0.0, 1.0, self.claim)

    def start(self, state):
        state[:] = NONE

    def player(self, state):
        for who in range(3):
            if state[who] == NONE:
                return who
        return OVER

    def actions(self, state, out):
        out[0], out[1] = 0, 1
        return 2

    def step(self, state, action):
        state[self.player(state)] = action

    def payoff(self, state, player):
        return 1.0 if 2 * (state[0] + state[1] + state[2]) > 3 and state[player] == 1 else 0.0

    def view(self, state, player):
        return state[player] + 1


def test_three_players_and_a_general_sum(interpreted):
    assert check(Majority())[:6] == (15, 8, 3, True, "", ())


def test_a_sum_that_is_claimed_to_be_zero_must_be():
    assert "is [0.0, 1.0, 1.0], which does not sum to 0 as shape() says (after the moves 0 1 1" in complaint(
        Majority(True)
    )


# --- interpreted and compiled ----------------------------------------------------------------------------------------


POWER = 3**100 % 1_000_003


def power(x):
    """3^x modulo a prime: beyond 64 bits only Python gets it right."""
    y = 1
    for _ in range(x):
        y *= 3
    return y % 1_000_003


class ViewsApart(Bluff):
    def view(self, state, player):
        return bluff_view(state, player) * 2_000_000 + power(100 + 0 * state[CARD])


class PayoffsApart(Bluff):
    def payoff(self, state, player):
        won = 1.0 if power(100) % 2 == 0 else 2.0
        return won if player == 0 else -won


def bluff_view(state, player):
    key = (state[CARD] + 2) * (1 - player) + player
    return (key * 3 + state[BID] + 1) * 3 + (state[ANSWER] + 1) * player


@pytest.mark.parametrize(("game", "verb"), [(ViewsApart(), "view"), (PayoffsApart(), "payoff")])
def test_compiled_and_interpreted_must_agree(game, verb):
    assert complaint(game) == (
        f"{type(game).__name__}.{verb} gives other numbers compiled than interpreted, in the same 20 random games; the "
        "usual causes are whole numbers beyond 64 bits, and division by 0"
    )


def test_what_cannot_be_compiled_is_broken():
    def view(self, state, player):
        return {0: Bluff.view, 1: Bluff.view}[player](self, state, player)

    sentence = complaint(with_method("view", view))
    assert " cannot be compiled: " in sentence
    assert f"({__file__}, line {view.__code__.co_firstlineno + 1})" in sentence


@pytest.mark.parametrize("mode", ["interpreted", "compiled"])
def test_a_game_that_never_ends_is_no_hang(mode, request):
    if mode == "interpreted":
        request.getfixturevalue("interpreted")
    endless = with_method("player", endless_player)
    with pytest.raises(Broken, match=r"^Bad goes on after 3 moves, the most that shape\(\) allows$"), unchecked():
        compare_with_compiled(endless, seed=0, games=1)
    assert complaint(endless).startswith(
        "Bad.player goes on after 3 moves, the most that shape() allows (after the moves "
    )


def endless_player(self, state):
    return CHANCE if state[CARD] == NONE else 0 if state[BID] == NONE else 1


def test_the_walk_is_repeatable():
    game = Goofspiel(4)
    assert check(game, histories=50, games=5, seed=1) == check(game, histories=50, games=5, seed=1)
    assert check(game, histories=50, games=5, seed=1) != check(game, histories=50, games=5, seed=2)


@pytest.mark.parametrize("count, text", [(0, "(none)"), (1, "0"), (LAST, "0 1 "), (LAST + 2, "(2 moves), 2 3 ")])
def test_a_message_names_the_last_moves_and_counts_those_before(count, text):
    walk = types.SimpleNamespace(labels=lambda moves: [str(move) for move in moves], game=object())
    told = Asked.moves(walk, range(count))
    assert told.startswith(text) and told.endswith(str(count - 1) if count else text)


def test_without_time_nothing_is_certified():
    with pytest.raises(Invalid, match="seconds must be a number above 0"):
        check(Kuhn(), seconds=0)
