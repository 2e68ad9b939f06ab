"""Continual resolving: what it really plays, found by asking it at every public state that it can come to."""

import numpy as np
import pytest

import fogtree as ft
from fogtree.errors import Invalid
from fogtree.game import OVER, legal, new_state
from fogtree.measure.thinking import thought
from fogtree.search.online import resolve
from fogtree.search.online.resolve import GADGETS, UNFORESEEN, Resolving, continued, evaluated
from fogtree.search.online.sampled import NOTE
from fogtree.solvers.exact.lp import solve_lp
from fogtree.solvers.forms.infosets import planned
from fogtree.solvers.forms.response import answer_value, plan_of
from fogtree.solvers.forms.sequence import sequence_form
from fogtree.strategy import Strategy
from fogtree.walk.slices import Budget


def first_views(game, player):
    """A view of the player's first decision, for each public state in which that may be."""
    stack, views = [new_state(game)], {}
    while stack:
        state = stack.pop()
        mover = int(game.player(state))
        if mover == player:
            views.setdefault(int(game.public(state)), int(game.view(state, player)))
        elif mover != OVER:
            for action in legal(game, state):
                child = state.copy()
                game.step(child, action)
                stack.append(child)
    return list(views.values())


def following(carried):
    """A view of each public state that may come next."""
    view, public = carried.ahead.views(), carried.ahead.public_of[: int(carried.ahead.places.used[0])]
    return [int(view[k]) for k in np.unique(public, return_index=True)[1] if public[k] != 0]


def played(search, game, player, spend):
    """All that the search plays, and how many thoughts that took."""
    rows, thoughts = {}, 0
    begun = search.begin(game, player)
    to_ask = [(begun, view) for view in first_views(begun.game, player)]
    if begun.ahead is not None:
        rows |= dict(begun.here.items())
        to_ask = [(begun, view) for view in following(begun)]
    while to_ask:
        carried, view = to_ask.pop()
        answer = search.think(carried, view, spend)
        thoughts += 1
        rows |= dict(answer.strategy.items())
        if answer.note != UNFORESEEN:
            to_ask += [(answer.carried, view) for view in following(answer.carried)]
    owner, views = zip(*rows, strict=True)
    first = np.append(0, np.cumsum([len(mix) for mix in rows.values()]))
    pairs = [pair for mix in rows.values() for pair in mix.items()]
    return Strategy(game, owner, views, first, *zip(*pairs, strict=True)), thoughts


def loss(form, strategy, player):
    """What the other's best response gets."""
    return answer_value(form, plan_of(form, strategy, player)[0], 1 - player)


@pytest.fixture(scope="module")
def leduc():
    game = ft.load("leduc:ranks=2")
    form = sequence_form(game)
    return game, form, solve_lp(form).value


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("gadget", ["resolve", "maxmargin", "reach"])
def test_what_resolving_plays_in_leduc_is_next_to_an_equilibrium(leduc, gadget, player):
    game, form, value = leduc
    strategy, thoughts = played(Resolving(gadget=gadget), game, player, Budget(iterations=400))
    best = value if player == 1 else -value  # what the other gets at least, whatever we play
    assert thoughts > 10
    assert best - 1e-9 <= loss(form, strategy, player) < best + 0.01


def test_more_iterations_are_less_exploitable(leduc):
    game, form, value = leduc
    few, many = (loss(form, played(Resolving(), game, 0, Budget(iterations=n))[0], 0) for n in (10, 300))
    assert many < few - 0.01 and many < -value + 0.01


@pytest.mark.parametrize("player", [0, 1])
def test_resolving_improves_a_blueprint_and_never_spoils_it(leduc, player):
    game, form, _ = leduc
    uniform = Strategy.uniform(game)
    before = loss(form, uniform, player)
    after = loss(form, played(Resolving(blueprint=uniform), game, player, Budget(iterations=500))[0], player)
    assert after < 0.75 * before
    perfect = solve_lp(form).strategy()
    best = loss(form, perfect, player)
    again = loss(form, played(Resolving(blueprint=perfect), game, player, Budget(iterations=500))[0], player)
    assert again < best + 0.002


def test_a_thought_leaves_what_was_carried_as_it_was(leduc):
    game, _, _ = leduc
    search, spend = Resolving(), Budget(iterations=20)
    first = search.think(search.begin(game, 0), first_views(game, 0)[0], spend)
    views = following(first.carried)
    answers = [search.think(first.carried, view, spend) for view in (*views, *reversed(views))]
    for one, same in zip(answers[: len(views)], reversed(answers[len(views) :]), strict=True):
        assert dict(one.strategy.items()) == dict(same.strategy.items())


def test_an_answer_holds_for_all_sets_of_the_public_state():
    search = Resolving()
    answer = search.think(search.begin(ft.Kuhn(), 0), first_views(ft.Kuhn(), 0)[0], Budget(iterations=20))
    assert sorted(view for _, view in answer.strategy) == [17, 33, 49]  # the three cards, and nothing said
    other = search.think(answer.carried, 33, Budget(iterations=20))
    assert other.iterations == 0 and other.strategy is answer.strategy  # it need not think again


def test_a_view_that_was_not_foreseen_is_said_to_be():
    search = Resolving()
    first = search.think(search.begin(ft.Kuhn(), 0), 17, Budget(iterations=20))
    assert search.think(first.carried, 12345, Budget(iterations=20)).note == UNFORESEEN


def test_a_second_try_in_the_same_turn_needs_no_new_thought():
    # in Phantom Tic-Tac-Toe a failed try is followed by another, and nothing public has happened
    game = ft.load("phantom-ttt:rules=forced-centre,winning_first=yes")
    search = Resolving()
    state = new_state(game)
    game.step(state, 4)  # X takes the centre
    before = search.think(search.begin(game, 1), int(game.view(state, 1)), Budget(iterations=5))
    game.step(state, 4)  # O's first try is there, and fails
    again = search.think(before.carried, int(game.view(state, 1)), Budget(iterations=5))
    assert again.iterations == 0 and (1, int(game.view(state, 1))) in again.strategy


def test_time_is_kept():
    game, search = ft.Leduc(), Resolving()
    view = first_views(game, 0)[0]
    search.think(search.begin(game, 0), view, Budget(iterations=5))
    began = ft.clock.clock()
    search.think(search.begin(game, 0), view, Budget(seconds=0.2))
    assert ft.clock.clock() - began < 0.3


def test_the_first_thought_of_a_kind_is_rehearsed_once_and_before_its_time_begins(monkeypatch):
    now, asked, in_full = [0.0], [], []

    def think(self, carried, view, iterations, end, progress):
        asked.append((carried.player, iterations, end))
        if iterations == 1:
            progress(None)
            now[0] += 100.0  # loading takes longer than anybody waits
            progress(None)
            in_full.append(view)

    monkeypatch.setattr(resolve, "_rehearsed", set())
    monkeypatch.setattr(resolve, "clock", lambda: now[0])
    monkeypatch.setattr(Resolving, "_think", think)
    for player, spend in ((0, Budget(50)), (0, Budget(seconds=2)), (0, Budget(seconds=2)), (1, Budget(seconds=3))):
        search = Resolving()
        search.think(search.begin(ft.Kuhn(), player), 17, spend)
    ever = float("inf")
    assert asked == [(0, 50, ever), (0, 1, ever), (0, ever, 102), (0, ever, 102), (1, 1, ever), (1, ever, 203)]
    assert not in_full  # a rehearsal is given up when it has taken PATIENCE


def test_a_rehearsal_changes_no_answer(monkeypatch):
    monkeypatch.setattr(resolve, "_rehearsed", set())
    first, second = (Resolving().think(Resolving().begin(ft.Kuhn(), 1), 35, Budget(40, seconds=60)) for _ in range(2))
    assert first.iterations == second.iterations == 80  # from the start, and from where we decide
    assert len(resolve._rehearsed) == 1 and dict(first.strategy.items()) == dict(second.strategy.items())


def test_the_range_is_that_of_the_roots():
    search = Resolving()
    answer = search.think(search.begin(ft.Kuhn(), 1), 2 * 16 + 3, Budget(iterations=300))  # a queen, after a bet
    states, weight = answer.carried.solution.range()
    assert len(states) == 6 and weight.sum() == pytest.approx(1)
    for card in range(3):  # of the foe's; our own two cards are as likely beside it
        beside = weight[states[:, 0] == card]
        assert beside[0] == pytest.approx(beside[1])
    assert weight.max() > 1.5 * weight.min()  # the foe does not enter with all cards alike


def test_only_zero_sum_games_of_two_players_are_resolved():
    with pytest.raises(Invalid, match="zero-sum games of two players"):
        Resolving().begin(ft.load("kuhn:players=3"), 0)
    with pytest.raises(Invalid, match=f"valid are {', '.join(GADGETS)}"):
        Resolving(gadget="magic")


@pytest.mark.parametrize("leaves", [continued, evaluated])
def test_a_depth_limit_is_far_better_than_chance_and_worse_than_none(leduc, leaves):
    game, form, value = leduc
    search = Resolving(depth=1, leaves=leaves)
    lost = loss(form, played(search, game, 0, Budget(iterations=200))[0], 0)
    assert -value + 0.001 < lost < 0.6 * loss(form, Strategy.uniform(game), 0)


HOW_FAR = """EFG 2 R "player 0 does not know how many moves were made, so nothing is public" { "A" "B" } ""
c "" 1 "" { "heads" 1/2 "tails" 1/2 } 0
p "" 1 1 "" { "a" "b" } 0
t "" 1 "" { 0, 0 }
t "" 2 "" { 1, -1 }
c "" 2 "" { "x" 1/2 "y" 1/2 } 0
p "" 1 1 "" { "a" "b" } 0
t "" 3 "" { 1, -1 }
t "" 4 "" { 0, 0 }
p "" 2 1 "" { "l" "r" } 0
t "" 5 "" { 0, 0 }
t "" 6 "" { 1, -1 }
"""


def test_where_nothing_is_public_a_depth_limit_ends_nothing(tmp_path):
    (tmp_path / "game.efg").write_text(HOW_FAR)
    form = sequence_form(ft.load(str(tmp_path / "game.efg")))
    whole, limited = (thought(form, 0, Resolving(depth=depth), Budget(iterations=200), 0)[0] for depth in (None, 1))
    assert (whole == limited).all() and whole.max() > 0.99


def test_what_is_too_large_is_sampled_and_said_to_be(leduc):
    game, form, _ = leduc
    search = Resolving(histories=20)
    view = first_views(game, 0)[0]
    answers = [search.think(search.begin(game, 0, 7), view, Budget(iterations=500)) for _ in range(2)]
    assert answers[0].note == NOTE
    assert dict(answers[0].strategy.items()) == dict(answers[1].strategy.items())  # by the seed
    few, many = (loss(form, played(search, game, 0, Budget(iterations=n))[0], 0) for n in (100, 20_000))
    assert many < few and many < 0.5 * loss(form, Strategy.uniform(game), 0)


def test_a_game_whose_next_decisions_are_too_many_is_refused(leduc, monkeypatch):
    game, _, _ = leduc
    monkeypatch.setattr(resolve, "AHEAD", 10)
    with pytest.raises(Invalid, match="too large to be resolved"):
        Resolving(histories=5).think(Resolving().begin(game, 0), first_views(game, 0)[0], Budget(iterations=5))


def test_a_decision_with_one_action_may_be_left_out():
    # O's first try is forced; asked only at the next turn, the search finds the way there
    game = ft.load("phantom-ttt:rules=forced-centre,winning_first=yes")
    search, state = Resolving(), new_state(game)
    for cell in (4, 4, 0, 8):  # X takes the centre, O fails there and takes a corner, X takes another
        game.step(state, cell)
    first = search.think(search.begin(game, 1), int(game.view(state, 1)), Budget(iterations=5))
    assert (1, int(game.view(state, 1))) in first.strategy and not first.note


WHOSE_TURN = """EFG 2 R "whose turn it is, player 1 does not know" { "A" "B" } ""
c "" 1 "" { "heads" 1/2 "tails" 1/2 } 0
p "" 1 1 "" { "a" "b" } 0
p "" 2 1 "" { "l" "r" } 0
t "" 1 "" { 1, -1 }
t "" 2 "" { -2, 2 }
p "" 2 1 "" { "l" "r" } 0
t "" 3 "" { -2, 2 }
t "" 4 "" { 3, -3 }
c "" 2 "" { "x" 1/3 "y" 2/3 } 0
p "" 2 1 "" { "l" "r" } 0
p "" 1 2 "" { "c" "d" } 0
t "" 5 "" { 0, 0 }
t "" 6 "" { 1, -1 }
p "" 1 2 "" { "c" "d" } 0
t "" 7 "" { 4, -4 }
t "" 8 "" { -1, 1 }
p "" 2 1 "" { "l" "r" } 0
p "" 1 3 "" { "c" "d" } 0
t "" 9 "" { 0, 0 }
t "" 10 "" { -1, 1 }
p "" 1 3 "" { "c" "d" } 0
t "" 11 "" { 0, 0 }
t "" 12 "" { 2, -2 }
"""
ONE_WAY = """EFG 2 R "in each of two halves, player 0 has one action, and again one, and then a choice" { "A" "B" } ""
c "" 1 "" { "0" 1/2 "1" 1/2 } 0
p "" 2 1 "" { "on" } 0
p "" 1 1 "" { "on" } 0
p "" 1 2 "" { "on" } 0
p "" 1 3 "" { "a" "b" } 0
t "" 1 "" { 0, 0 }
t "" 2 "" { 1, -1 }
p "" 2 2 "" { "on" } 0
p "" 1 4 "" { "on" } 0
p "" 1 5 "" { "on" } 0
p "" 1 6 "" { "a" "b" } 0
t "" 3 "" { 1, -1 }
t "" 4 "" { 0, 0 }
"""


@pytest.mark.parametrize("gadget", ["resolve", "maxmargin", "reach"])
@pytest.mark.parametrize("text", [WHOSE_TURN, ONE_WAY])
def test_it_is_asked_late_and_plays_an_equilibrium_all_the_same(text, gadget, tmp_path):
    # it is asked where it has a choice: then it was not its turn before, or it had a single action twice
    (tmp_path / "game.efg").write_text(text)
    form, search = sequence_form(ft.load(str(tmp_path / "game.efg"))), Resolving(gadget=gadget)
    value = solve_lp(form).value
    for player, sign in ((0, 1), (1, -1)):
        mix, _ = thought(form, player, search, Budget(iterations=2000), 0)
        lost = answer_value(form, planned(form.trees[player], mix), 1 - player) + sign * value
        assert lost == pytest.approx(0, abs=1e-3)
