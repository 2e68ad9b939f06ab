"""What a user brings besides a game is checked before compiled code runs on it: bandits, policies, evaluations, judges.

Each row of a table is a slip in something that is right, and the sentence that names it. All of them come by the doors of the
Python API; without the check some crash the process, some hang, and some give a wrong number that looks right.
"""

import math
import re
import time

import numpy as np
import pytest

import fogtree as ft
from fogtree import dice
from fogtree.bandits import BANDITS
from fogtree.clock import clock
from fogtree.contract import check_guest, entry, watchdog
from fogtree.contract.bandits import try_bandit
from fogtree.contract.counting import far_off
from fogtree.contract.guests import EVALUATION, JUDGE, POLICY
from fogtree.contract.playing import try_in_states
from fogtree.entrance import PLAYER, PLAYOUT, PRIOR
from fogtree.errors import Broken, FogtreeError, Invalid
from fogtree.evaluation import AtEnd
from fogtree.judges import CutOff, Playout
from fogtree.policy import Always, Uniform
from guests import Bold, Fair, Level, Means

KUHN = ft.Kuhn()


@pytest.fixture(autouse=True)
def nothing_is_remembered(tmp_path, monkeypatch):
    monkeypatch.setattr(entry, "_known", set())
    monkeypatch.setattr(entry, "_held", {})
    monkeypatch.setattr(entry, "_mark", lambda key: tmp_path / "checked" / str(abs(hash(repr(key)))))
    monkeypatch.setattr(watchdog, "EACH", 0.01)
    monkeypatch.setattr(watchdog.Watchdog.__init__, "__defaults__", (0.2,))


def test_a_bandit_needs_no_optional_method_whatever_is_loaded(monkeypatch):
    monkeypatch.setattr(
        "fogtree.contract.guests.complete", lambda thing: thing
    )  # as where nobody has loaded the bandits
    assert try_bandit(Means(), 5, clock() + 1.0).widths > 0


def endless(*_):
    count = 0
    while True:
        count += 1


def leave(*_):
    raise SystemExit(0)


def overwrite(self, memory, k, chosen, probability, reward):
    memory[2 * k + 100_000] = reward


def written(*values):
    """A method that writes these into its last argument."""

    def write(self, memory, k, out):
        out[:] = 0.0
        out[: len(values)] = values[:k]

    return write


def returned(value):
    return lambda self, *_: value


BANDIT_SLIPS = [
    ("learn", overwrite, "Means.learn raised IndexError: index 100004 is out of bounds for axis 0 with size 4"),
    (
        "choose",
        lambda self, memory, k, random: (k, 1.0),
        "Means.choose returns the position 2: valid is 0 to 1, one of 2",
    ),
    ("choose", lambda self, memory, k, random: (-1, 1.0), "Means.choose returns the position -1"),
    ("choose", returned((0, 0.0)), "Means.choose returns the probability 0: valid is above 0 and up to 1"),
    ("choose", returned((0, float("nan"))), "Means.choose must return a finite number, not nan"),
    ("choose", returned(0), "Means.choose must return a position and a probability, not 0"),
    ("choose", returned((0.5, 1.0)), "Means.choose must return a whole number, not 0.5"),
    ("choose", endless, "Means.choose has not returned after .* it seems to hold a loop without an end"),
    ("learn", endless, "Means.learn has not returned after"),
    ("learn", leave, "Means.learn raised SystemExit: 0 in line "),
    ("learn", None, "Means has no method learn: a bandit needs slots, reward, choose, learn, policy"),
    ("slots", returned(-1), "Means.slots must be a whole number from 0 to 1,073,741,824, not -1"),
    ("slots", returned(10**12), "Means.slots must be a whole number from 0 to 1,073,741,824, not 1,000,000,000,000"),
    ("slots", returned(2.0), "Means.slots must return a whole number, not 2.0"),
    ("slots", lambda self, k: k, "Means.choose raised IndexError|Means.learn raised IndexError"),
    ("reward", returned(float("nan")), "Means.reward must return a finite number, not nan"),
    ("reward", lambda self, payoff, low, high: 1 / int(high - low), "Means.reward raised ZeroDivisionError"),
    (
        "policy",
        written(0.3, 0.3),
        r"Means.policy must write probabilities that sum to 1, not \[0.3, 0.3\], which sum to 0.6",
    ),
    ("policy", written(1.5, -0.5), r"Means.policy must write no negative numbers, but has written \[1.5, -0.5\]"),
    ("policy", lambda self, memory, k, out: None, "Means.policy must write finite numbers"),
    (
        "policy",
        lambda self, memory, out: None,
        "Means.policy raised TypeError: .*takes 3 positional arguments but 4 were",
    ),
    ("at", returned(3), "Means.at must return a Means, not a int"),
    ("mixture", written(2.0, 0.0), "Means.mixture must write probabilities that sum to 1"),
    ("begin", lambda self, memory, k, depth, prior: memory[9 * k], "Means.begin raised"),
    ("overhear", lambda self, memory, k, heard, reward: heard[k], "Means.overhear raised IndexError"),
]


def slipped(right, verb, method):
    return type(right.__name__, (right,), {"__slots__": (), verb: method})()


@pytest.mark.parametrize(("verb", "method", "sentence"), BANDIT_SLIPS)
def test_a_slip_in_a_bandit_is_named(verb, method, sentence):
    with pytest.raises(Broken, match=f"^(?:{sentence})"):
        ft.ISMCTS(KUHN, slipped(Means, verb, method))


def test_a_bandit_that_is_right_is_let_in():
    assert ft.ISMCTS(KUHN, Means()).bandit == Means()
    for bandit in BANDITS.values():
        assert try_bandit(bandit(), 10, clock() + 60).widths == 5


def test_a_busy_machine_lets_nothing_through_that_an_idle_one_tells():
    # wrong where all payoffs are the same, which is tried late; the time is over before the first choice
    wrong = slipped(Means, "reward", lambda self, payoff, low, high: (payoff - low) / int(high - low))
    with pytest.raises(Broken, match=r"^Means.reward raised ZeroDivisionError"):
        try_bandit(wrong, 40, clock() - 1.0)
    assert try_bandit(Means(), 40, clock() - 1.0) == (15, 5)


def weigh_rewards(self, memory, k, chosen, probability, reward):
    memory[k + chosen] += reward / probability


def evenly(self, memory, k, random):
    return dice.below(random, k), 1.0


def test_a_bandit_that_learns_from_a_wrong_probability_is_named():
    liar = type("Means", (Means,), {"__slots__": (), "choose": evenly, "learn": weigh_rewards})()
    with pytest.raises(
        Broken, match=r"Means.choose returns 1 as the probability of the action ., which it drew \d+ times of 300"
    ):
        check_guest(liar)
    twice = type(
        "Means", (Means,), {"__slots__": (), "choose": lambda self, memory, k, random: (dice.below(random, k), 0.5 / k)}
    )
    with pytest.raises(Broken, match=r"Means.choose returns 0.25 as the probability"):
        check_guest(type("Means", (twice,), {"__slots__": (), "learn": weigh_rewards})())


def test_a_bandit_may_say_one_where_learning_does_not_ask():
    check_guest(slipped(Means, "choose", evenly))
    for bandit in BANDITS.values():
        assert try_bandit(bandit(), 40, clock() + 600, draws=300).widths == 5


def test_a_bandit_from_a_file_that_lacks_a_method_is_named(tmp_path):
    file = tmp_path / "half.py"
    file.write_text(
        "from typing import NamedTuple\nclass Half(NamedTuple):\n    c: float = 1.0\n"
        + "".join(f"    def {verb}(self, *_): return 0\n" for verb in ("slots", "choose", "policy", "reward"))
    )
    with pytest.raises(FogtreeError, match="Half has no method learn"):
        ft.ISMCTS(KUHN, f"{file}:Half")


def test_what_is_no_tuple_is_no_bandit():
    class Loose:
        choose = Means.choose

    with pytest.raises(Invalid, match=r"Loose is no NamedTuple: write class Loose\(NamedTuple\), with the methods of"):
        ft.ISMCTS(KUHN, Loose())


# --- policies --------------------------------------------------------------------------------------------------------


def weighing(*weights):
    def weigh(self, game, state, player, choice, odds):
        count = game.actions(state, choice)
        odds[: len(weights)] = weights
        return count

    return weigh


def peek(self, game, state, player, choice, odds):
    count = game.actions(state, choice)
    odds[0] = 0.25 + 0.25 * (state[1 - player] % 3)
    odds[1] = 1.0 - odds[0]
    return count


def change(self, game, state, player, choice, odds):
    count = Bold.weigh(self, game, state, player, choice, odds)
    state[0] += 1
    return count


def foreign(self, game, state, player, choice, odds):
    choice[0], odds[0] = 7, 1.0
    return 1


def backwards(self, game, state, player, choice, odds):
    choice[0], choice[1], odds[0], odds[1] = 1, 0, 0.5, 0.5
    return 2


def too_far(self, game, state, player, choice, odds):
    odds[100_000] = 1.0
    return game.actions(state, choice)


POLICY_SLIPS = [
    (
        weighing(0.3, 0.3),
        r"Bold.weigh must write probabilities that sum to 1, not \[0.3, 0.3\], which sum to 0.6 \(player 0",
    ),
    (weighing(1.5, -0.5), "Bold.weigh must write no negative numbers"),
    (weighing(np.nan, 1.0), "Bold.weigh must write finite numbers"),
    (weighing(0.5), "Bold.weigh must write finite numbers"),
    (too_far, "Bold.weigh raised IndexError: index 100000 is out of bounds"),
    (foreign, r"Bold.weigh must write legal actions, ascending, not \[7\] of \[0, 1\]"),
    (backwards, r"Bold.weigh must write legal actions, ascending, not \[1, 0\]"),
    (change, "Bold.weigh changed the state, which only the game's step may do"),
    (
        peek,
        "Bold.weigh weighs by what player 0 does not see: .* with the same view for player 0 in Kuhn, after the moves",
    ),
    (returned(0), "Bold.weigh returns 0: valid is 1 to 2, the number of legal actions"),
    (returned(3), "Bold.weigh returns 3: valid is 1 to 2"),
    (returned(None), "Bold.weigh must return a whole number, not None"),
    (endless, "Bold.weigh has not returned after"),
    (lambda self, game, state: 1, "Bold.weigh raised TypeError"),
    (leave, "Bold.weigh raised SystemExit: 0"),
]


@pytest.mark.parametrize(("weigh", "sentence"), POLICY_SLIPS)
def test_a_slip_in_a_policy_gets_no_exact_number(weigh, sentence):
    with pytest.raises(Broken, match=f"^{sentence}"):
        ft.exploitability(KUHN, slipped(Bold, "weigh", weigh))


POLICY_DOORS = {
    "best_response": lambda policy: ft.best_response(KUHN, policy, 0),
    "duel": lambda policy: ft.duel(KUHN, policy, Uniform(), 10),
    "exact_duel": lambda policy: ft.exact_duel(KUHN, Uniform(), policy),
    "playouts": lambda policy: ft.playouts(KUHN, 10, policy=policy),
    "OneSided": lambda policy: ft.OneSided(KUHN, policy, 0),
    "Belief": lambda policy: ft.Belief(KUHN, 0, others=policy),
    "a judge": lambda policy: ft.ISMCTS(KUHN, "rm", judge=Playout(policy)).run(iterations=10),
    "a judge that cuts off": lambda policy: ft.ISMCTS(KUHN, "rm", judge=CutOff(3, AtEnd(), policy)).run(iterations=10),
}


@pytest.mark.parametrize("door", POLICY_DOORS)
def test_a_policy_that_sums_to_less_is_found_at_every_door(door):
    with pytest.raises(Broken, match=r"Bold\.weigh must write probabilities that sum to 1"):
        POLICY_DOORS[door](slipped(Bold, "weigh", weighing(0.3, 0.3)))


def test_weights_are_looked_at_in_all_states_that_an_exact_number_rests_on(monkeypatch):
    monkeypatch.setattr(entry, "_try_in", lambda *_: None)
    slip = slipped(Bold, "weigh", weighing_late)
    with pytest.raises(Broken, match="the policy Bold must give probabilities of 0 or more that sum to 1"):
        ft.exploitability(KUHN, slip)
    with pytest.raises(
        Broken, match="must give probabilities of 0 or more that sum to 1, and somewhere in Kuhn it does"
    ):
        ft.exact_duel(KUHN, slip, slip)


def weighing_late(self, game, state, player, choice, odds):
    count = game.actions(state, choice)
    for a in range(count):
        odds[a] = (1.0 if player == 0 else 0.9) / count
    return count


def test_a_policy_may_peek_in_playouts_and_a_prior_need_not_sum_to_one():
    try_in_states(slipped(Bold, "weigh", peek), POLICY, KUHN, PLAYOUT, histories=60, games=1, end=clock() + 9)
    zero = slipped(Bold, "weigh", weighing(0.0, 0.0))
    assert ft.ISMCTS(KUHN, "rm", prior=zero).run(iterations=20).infosets > 2
    with pytest.raises(Broken, match="sum to 1"):
        try_in_states(zero, POLICY, KUHN, PLAYER, histories=60, games=1, end=clock() + 9)
    assert try_in_states(zero, POLICY, KUHN, PRIOR, histories=60, games=1, end=clock() + 9).states == 24


def test_a_draw_of_ones_own_must_be_legal():
    wrong = slipped(Bold, "draw", lambda self, game, state, player, room, random: 5)
    with pytest.raises(Broken, match=r"Bold.draw returns 5, which is not legal: valid are \[0, 1\]"):
        ft.playouts(KUHN, 10, policy=wrong)


def test_a_draw_must_not_take_what_has_no_weight():
    def last(self, game, state, player, room, random):
        return 0

    with pytest.raises(
        Broken, match=r"Bold.draw plays by other odds than weigh: it returns 0, which has no weight in \{1"
    ):
        ft.playouts(KUHN, 10, policy=type("Bold", (Bold,), {"__slots__": (), "draw": last})(0.0))


@pytest.mark.parametrize("share", [0.0, 0.05, 0.5, 1.0])
def test_a_draw_of_ones_own_must_play_as_often_as_weigh_says(share):
    def draw(self, game, state, player, room, random):
        return 0 if dice.unit(random) < share else 1

    with pytest.raises(Broken, match=r"Bold.draw plays by other odds than weigh: it returns . in \d+ of 300 draws"):
        check_guest(slipped(Bold, "draw", draw), KUHN)


def test_a_draw_that_plays_as_weigh_says_is_right():
    def draw(self, game, state, player, room, random):
        count = game.actions(state, room.choice)
        return int(room.choice[0 if dice.unit(random) < self.first else 1]) if count == 2 else int(room.choice[0])

    assert check_guest(slipped(Bold, "draw", draw), KUHN).states == 24
    for game in (KUHN, ft.Leduc(), ft.TicTacToe()):
        assert check_guest(Uniform(), game, histories=200).states > 20


def test_counts_are_judged_by_their_exact_odds():
    for count, draws, share in ((105, 200, 0.25), (55, 300, 0.4), (1, 300, 0.0), (299, 300, 1.0)):
        assert far_off(count, draws, share)
    for count, draws, share in ((75, 200, 0.25), (0, 300, 0.0), (300, 300, 1.0), (3, 300, 1e-3), (0, 300, 0.05)):
        assert not far_off(count, draws, share)
    for p in (0.03, 0.3):  # the exact tail, by summing the binomial: what is accused is rarer than the bound
        odds = [math.comb(300, c) * p**c * (1 - p) ** (300 - c) for c in range(301)]
        assert sum(odd for c, odd in enumerate(odds) if far_off(c, 300, p)) < 2e-13


# --- evaluations and judges ------------------------------------------------------------------------------------------


def vandal(self, game, state):
    state[0] = 1
    return 0.0


EVALUATION_SLIPS = [
    (returned(float("inf")), "Level.value must return a finite number, not inf"),
    (returned("good"), "Level.value must return a finite number, not 'good'"),
    (lambda self, game, state: state[100_000], "Level.value raised IndexError"),
    (vandal, "Level.value changed the state"),
    (endless, "Level.value has not returned"),
]


@pytest.mark.parametrize(("value", "sentence"), EVALUATION_SLIPS)
def test_a_slip_in_an_evaluation_is_named(value, sentence):
    with pytest.raises(Broken, match=f"^{sentence}"):
        ft.AlphaBeta("tic-tac-toe", evaluation=slipped(Level, "value", value)).think(
            ft.new_state(ft.TicTacToe()), depth=1
        )


def half_paid(self, game, state, payoff, room, random):
    payoff[0] = 1.0
    return 0


JUDGE_SLIPS = [
    (half_paid, r"Fair.finish must write a finite payoff for each player, not \[1.0, nan\]"),
    (lambda self, game, state, payoff, room, random: payoff[2], "Fair.finish raised IndexError"),
    (returned(-1), "Fair.finish returns -1: valid is 0"),
    (returned(None), "Fair.finish must return a whole number, not None"),
    (endless, "Fair.finish has not returned"),
]


@pytest.mark.parametrize(("finish", "sentence"), JUDGE_SLIPS)
def test_a_slip_in_a_judge_is_named(finish, sentence):
    with pytest.raises(Broken, match=f"^{sentence}"):
        ft.ISMCTS(KUHN, "rm", judge=slipped(Fair, "finish", finish)).run(iterations=10)


@pytest.mark.parametrize(
    ("right", "thing", "hint"),
    [
        (
            Level(),
            slipped(Level, "value", returned(1e9)),
            r"Level.value is 1e\+09 where payoffs lie from -2 to 2 \(.*\): a search takes",
        ),
        (
            Fair(),
            Fair(999.0),
            r"Fair.finish pays \d+\.?\d* where payoffs lie from -2 to 2 \(.*\): a search takes it for a payoff",
        ),
    ],
)
def test_who_values_beyond_all_payoffs_gets_a_hint(right, thing, hint):
    assert re.match(hint, check_guest(thing, KUHN).hint)
    assert check_guest(right, KUHN).hint == ""


def test_ours_pass():
    for thing, kind in (
        (Uniform(), POLICY),
        (Always(1), POLICY),
        (AtEnd(), EVALUATION),
        (Playout(), JUDGE),
        (CutOff(2), JUDGE),
    ):
        seen = try_in_states(thing, kind, KUHN, PLAYER, histories=60, games=2, end=clock() + 9)
        assert seen.states >= 24


# --- once --------------------------------------------------------------------------------------------------------------


def test_what_passed_is_tried_once_and_ours_never(monkeypatch):
    tried = []
    for name in ("_try", "_try_in", "_walk"):
        monkeypatch.setattr(entry, name, lambda *given, name=name: tried.append(name))
    for _ in range(3):
        ft.ISMCTS(KUHN, Means())
        ft.exploitability(KUHN, Always(1))
        entry.admit(Bold(), (KUHN,), PLAYER)
    assert tried == ["_try", "_try_in"]
    entry.admit(Bold(), (ft.Leduc(),), PLAYER)
    monkeypatch.setattr(entry, "_known", set())  # as in another process
    ft.ISMCTS(KUHN, Means())
    assert tried == ["_try", "_try_in", "_try_in"]


def test_the_second_time_costs_milliseconds():
    entry.admit(Means())
    began = time.perf_counter()
    for _ in range(100):
        entry.admit(Means())
    assert time.perf_counter() - began < 0.1


@pytest.mark.parametrize("given", [Level, Fair(), 3, None])
def test_what_is_no_evaluation_and_no_judge_is_named(given):
    what = "the class Level" if given is Level else f"a {type(given).__name__}"
    with pytest.raises(Invalid, match=f"an evaluation is a NamedTuple with a method `value` .*, not {what}"):
        ft.AlphaBeta("tic-tac-toe", evaluation=given)
    if given != Fair():
        with pytest.raises(Invalid, match=f"a judge is a NamedTuple with a method `finish` .*, not {what}"):
            ft.ISMCTS(KUHN, "rm", judge=given)
