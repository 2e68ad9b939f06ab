"""OOS: unbiased whatever the target, converging, aimed at exactly the histories that go with the match."""

from typing import NamedTuple

import numpy as np
import pytest

import fogtree
from fogtree.errors import Invalid
from fogtree.game import CHANCE, OVER, legal, new_state, odds
from fogtree.measure.exploitability import exploitability, form_of
from fogtree.search.trees import aim as aims
from fogtree.search.trees.aim import Aiming, Histories, OwnMoves
from fogtree.search.trees.oos import OOS
from fogtree.search.trees.tree import owners

LEAST = 200  # updates of a set, to judge its mean by a normal distribution


class Frozen(NamedTuple):
    """A regret rule that never changes its mix, action a by a + 1, and sums up what it is told, and the squares.

    Memory: for each action sum of regrets | sum of averages | squares of the one | squares of the other; then how often it
    was told anything."""

    def slots(self, k):
        return 4 * k + 1

    def reward(self, payoff, low, high):
        return payoff

    def choose(self, memory, k, random):
        return 0, 1.0

    def learn(self, memory, k, chosen, probability, reward):
        pass

    def policy(self, memory, k, out):
        self.mixture(memory, k, out)

    def mixture(self, memory, k, out):
        for i in range(k):
            out[i] = 2.0 * (i + 1) / (k * (k + 1))

    def regret(self, memory, k, chosen, gain, value):
        memory[4 * k] += 1
        for i in range(k):
            more = (gain if i == chosen else 0.0) - value
            memory[i] += more
            memory[2 * k + i] += more * more

    def remember(self, memory, k, mix, weight):
        memory[4 * k] += 1
        for i in range(k):
            memory[k + i] += weight * mix[i]
            memory[3 * k + i] += weight * mix[i] * weight * mix[i]


def mixed(k):
    return np.arange(1, k + 1) * 2.0 / (k * (k + 1))


def exact(game):
    """{(player, view): (regrets, averages)} that CFR adds when everybody follows the mix of `Frozen`, by plain recursion over
    the histories: nothing of what is tested is used."""
    found = {}

    def walk(state, reach):  # reach: of player 0, of player 1, of chance; returns both payoffs
        player = int(game.player(state))
        if player == OVER:
            return np.array([game.payoff(state, 0), game.payoff(state, 1)])
        actions = legal(game, state)
        share = np.array(odds(game, state)) if player == CHANCE else mixed(len(actions))
        worth = []
        for action, part in zip(actions, share, strict=True):
            child = state.copy()
            game.step(child, action)
            after = list(reach)
            after[2 if player == CHANCE else player] *= part
            worth.append(walk(child, after))
        worth = np.array(worth)
        value = share @ worth
        if player != CHANCE and len(actions) > 1:
            regrets, sums = found.setdefault(
                (player, int(game.view(state, player))), ([0.0] * len(actions), share * 0.0)
            )
            others = reach[1 - player] * reach[2]
            found[player, int(game.view(state, player))] = (
                regrets + others * (worth[:, player] - value[player]),
                sums + reach[player] * reach[2] * share,
            )
        return value

    with np.errstate(over="ignore"):
        walk(new_state(game), [1.0, 1.0, 1.0])
    return found


def first_match(game, player, decisions):
    """An aim at the player's decision of this number, in the match in which everybody always takes the last action."""
    state, aiming, number = new_state(game), Aiming(game, player), 0
    with np.errstate(over="ignore"):
        while True:
            action = legal(game, state)[-1 if game.player(state) == CHANCE else number % 2]
            if game.player(state) == player:
                view = int(game.view(state, player))
                aim = aiming.observe(view)
                number += 1
                if number == decisions:
                    return aiming, aim, view
                aiming.acted(view, action)
            game.step(state, action)


def deviations(game, search, samples):
    """How many standard errors each mean is from the exact one, for regrets and for averages, at sets that were met often."""
    truth, tree, far = exact(game), search.searchers[0].tree, []
    assert search.infosets == len(truth)  # else some were played at random
    for player, view in zip(*owners(tree), strict=True):
        begin, end = tree.span(search.bandit, int(tree.table.find(view, player)))
        if tree.memory[end - 1] < LEAST:
            continue
        told = tree.memory[begin : end - 1].reshape(4, -1) / (samples / 2)
        for kind in (0, 1):
            mean, square, expected = told[kind], told[2 + kind], truth[int(player), int(view)][kind]
            error = np.sqrt(np.maximum(square - mean**2, 0.0) / (samples / 2))
            far.append(np.abs(mean - expected) / (error + 1e-12))
    return np.concatenate(far)


def met(game, **how):
    """A search that knows all sets, and has learned nothing."""
    search = OOS(game, Frozen(), 3, **how).run(iterations=50_000)
    tree = search.searchers[0].tree
    for player, view in zip(*owners(tree), strict=True):
        begin, end = tree.span(search.bandit, int(tree.table.find(view, player)))
        tree.memory[begin:end] = 0.0
    return search


SMALL = [("kuhn", 0, 2), ("kuhn", 1, 1), ("leduc:ranks=2,suits=2", 1, 2), ("liars-dice:faces=2", 0, 2)]


@pytest.mark.parametrize(("text", "player", "decision"), SMALL)
@pytest.mark.parametrize("own", [False, True])
def test_regrets_and_averages_are_unbiased_whatever_is_aimed_at(text, player, decision, own):
    game = fogtree.load(text)
    aiming, aim, view = first_match(game, player, decision)
    if own:
        aiming.exact = False  # as if there were too many histories
        aim = aiming._aimed(np.int64(view))
    assert isinstance(aim, OwnMoves if own else Histories)
    search, samples = met(game, weigh=False), 400_000
    search.aim(aim).run(iterations=samples)
    far = deviations(game, search, samples)
    assert len(far) > 20 and far.max() < 5.0 and (far > 2.0).mean() < 0.1  # of a normal distribution 5 % are above 2


def test_aimed_at_what_is_public_regrets_and_averages_are_unbiased():
    game = fogtree.load("leduc:ranks=2,suits=2")
    own, _, view = first_match(game, 1, 2)
    public = Aiming(game, 1, public=True)
    for seen, action in own.course:
        public.observe(seen)
        public.acted(seen, action)
    aim = public.observe(view)
    assert isinstance(aim, Histories) and public.states > own.states  # the player's own card is not public
    search, samples = met(game, weigh=False), 400_000
    far = deviations(game, search.aim(aim).run(iterations=samples), samples)
    assert len(far) > 20 and far.max() < 5.0 and (far > 2.0).mean() < 0.1


def test_the_weight_of_a_move_scales_all_updates_alike():
    # the authors' program multiplies, print and OpenSpiel do not: within one move no mean changes its proportions
    game = fogtree.load("kuhn")
    _, aim, _ = first_match(game, 0, 2)
    search, samples = met(game), 400_000
    search.aim(aim)
    assert search.weight > 1.5
    search.run(iterations=samples)
    for player, view in zip(*owners(search.searchers[0].tree), strict=True):
        begin, end = search.searchers[0].tree.span(
            search.bandit, int(search.searchers[0].tree.table.find(view, player))
        )
        search.searchers[0].tree.memory[begin : end - 1] /= np.repeat(
            [search.weight, search.weight**2], (end - begin) // 2
        )
    assert deviations(game, search, samples).max() < 5.0


def test_the_weight_of_a_move_is_that_of_the_target_under_free_sampling():
    # Kuhn, player 1 holds the king and player 0 has passed: the deal is 1 in 3, and a set that is new passes 1 in 2
    game = fogtree.load("kuhn")
    aiming = Aiming(game, 1)
    state = new_state(game)
    for action in (0, 2, 0):
        game.step(state, action)
    search = OOS(game, seed=1, delta=0.5)
    search.aim(aiming.observe(int(game.view(state, 1))))
    assert search.weight == pytest.approx(0.5 + 0.5 * 6)


def histories(game, player, view, course):
    """The histories that end at a decision with this view after these own actions, by plain search: tuples of actions."""
    found = []

    def walk(state, taken, own):
        mover = int(game.player(state))
        if mover == OVER:
            return
        if mover == player:
            if len(own) == len(course):
                if int(game.view(state, player)) == view:
                    found.append(taken)
                return
            if int(game.view(state, player)) != course[len(own)][0]:
                return
        for number, action in enumerate(legal(game, state)):
            if mover == player and action != course[len(own)][1]:
                continue
            child = state.copy()
            game.step(child, action)
            walk(child, (*taken, number), (*own, action) if mover == player else own)

    with np.errstate(over="ignore"):
        walk(new_state(game), (), ())
    return sorted(found)


def listed(aim):
    """The histories in a tree of them."""
    found = []

    def walk(node, taken):
        for number, child in enumerate(aim.child[node].tolist()):
            if child == aims.INSIDE:
                found.append((*taken, number))
            elif child != aims.OUT:
                walk(child, (*taken, number))

    walk(0, ())
    return sorted(found)


@pytest.mark.parametrize("text", ["leduc", "liars-dice", "goofspiel:cards=4", "phantom-ttt:rules=abrupt"])
def test_an_aim_lists_exactly_the_histories_that_go_with_the_match(text):
    game, checked = fogtree.load(text), 0
    random = np.random.default_rng(5)
    with np.errstate(over="ignore"):
        for player in (0, 1):
            state, aiming, course = new_state(game), Aiming(game, player), []
            while game.player(state) != OVER and len(course) < 3:
                action = int(random.choice(legal(game, state)))
                if game.player(state) == player:
                    view = int(game.view(state, player))
                    aim = aiming.observe(view)
                    assert aiming.observe(view) is aim  # to look twice changes nothing
                    if isinstance(aim, Histories):
                        assert listed(aim) == histories(game, player, view, course)
                        assert aiming.states == len(listed(aim))
                        checked += 1
                    course.append((view, action))
                    aiming.acted(view, action)
                game.step(state, action)
    assert checked >= 2


def test_a_game_may_begin_with_a_single_action(tmp_path):
    # nobody is asked there, so the first that is observed is the choice after it
    text = """EFG 2 R "" { "A" "B" } ""
    p "" 1 1 "" { "on" } 0
    p "" 1 2 "" { "a" "b" } 0
    p "" 2 1 "" { "l" "r" } 0
    p "" 1 3 "" { "c" "d" } 0
    t "" 1 "" { 0, 0 }
    t "" 2 "" { 1, -1 }
    p "" 1 3 "" { "c" "d" } 0
    t "" 3 "" { 1, -1 }
    t "" 4 "" { 0, 0 }
    t "" 5 "" { 0, 0 }
    """
    (tmp_path / "game.efg").write_text(text)
    game = fogtree.load(str(tmp_path / "game.efg"))
    aiming, state = Aiming(game, 0), new_state(game)
    for action, states in ((0, None), (0, 1), (1, None)):
        if states:
            aiming.observe(int(game.view(state, 0)))
            aiming.acted(int(game.view(state, 0)), action)
            assert aiming.states == states and not aiming.impossible
        game.step(state, action)
    assert listed(aiming.observe(int(game.view(state, 0)))) == [(0, 0, 0), (0, 0, 1)]


def test_a_match_that_is_copied_goes_on_in_two_ways():
    game = fogtree.load("kuhn")
    one = Aiming(game, 0)
    state = new_state(game)
    for action in (0, 1):
        game.step(state, action)
    one.observe(int(game.view(state, 0)))
    other = one.copy()
    for aiming, deal in ((one, (0, 1)), (other, (0, 2))):
        state = new_state(game)
        for action in deal:
            game.step(state, action)
        aiming.acted(int(game.view(state, 0)), 0)
        for action in (0, 1):
            game.step(state, action)
        assert listed(aiming.observe(int(game.view(state, 0)))) == [(0, 0, 0, 1), (0, 1, 0, 1)]


def test_too_many_histories_leave_the_own_moves_to_aim_at():
    game = fogtree.load("liars-dice")
    aiming = Aiming(game, 1, cap=4)
    state = new_state(game)
    for action in (1, 2, 0):
        game.step(state, action)
    assert isinstance(aiming.observe(int(game.view(state, 1))), OwnMoves) and not aiming.exact and aiming.states == 0


class LongDeal(NamedTuple):
    """Chance throws twelve coins and shows the first to player 0, who then says 0 or 1."""

    def shape(self):
        return fogtree.Shape(2, 2, 2, 13, -1.0, 1.0)

    def start(self, state):
        state[:] = 0

    def player(self, state):
        return CHANCE if state[0] < 12 else 0 if state[0] == 12 else OVER

    def actions(self, state, out):
        out[0], out[1] = 0, 1
        return 2

    def odds(self, state, out):
        out[0] = out[1] = 0.5

    def step(self, state, action):
        state[1] = action if state[0] == 0 else state[1]
        state[0] += 1

    def payoff(self, state, player):
        return 0.0

    def view(self, state, player):
        return 1 + state[1] if player == 0 and state[0] else 0

    def public(self, state):
        return state[0]


@pytest.mark.parametrize(("public", "view"), [(False, 2), (True, 2), (True, 99)])
def test_a_walk_between_two_decisions_ends_where_it_gets_too_long(public, view, interpreted, monkeypatch):
    # compiled code cannot be interrupted: from one state it once walked on, however many histories followed
    monkeypatch.setattr(aims, "MOST_WALKED", 100)
    aiming = Aiming(LongDeal(), 0, public=public)
    aim = aiming.observe(view)
    assert aiming.growth.used[aims.WALKED] == 101 and not aiming.exact and not aiming.impossible
    assert isinstance(aim, aims.Nowhere if public else OwnMoves)


@pytest.mark.parametrize("rule", ["rm", "rm+"])
def test_it_converges_to_an_equilibrium(rule):
    game = fogtree.load("kuhn")
    totals = [exploitability(game, OOS(game, rule, seed).run(iterations=200_000).strategy()).total for seed in range(3)]
    assert np.mean(totals) < 0.06  # 0.92 for uniform play


def test_with_a_target_it_still_converges_everywhere():
    game, form = fogtree.load("kuhn"), form_of("kuhn")
    _, aim, _ = first_match(game, 0, 2)
    search = OOS(game, seed=1).aim(aim).run(iterations=1_000_000)
    assert exploitability(form, search.strategy()).total < 0.1


def test_runs_may_be_divided_and_seeds_reproduce():
    game = fogtree.load("leduc")
    _, aim, _ = first_match(game, 0, 2)
    whole = OOS(game, seed=7).aim(aim).run(iterations=3000).strategy()
    parts = OOS(game, seed=7).aim(aim).run(iterations=1001).run(iterations=1999).strategy()
    assert (whole.probability == parts.probability).all() and (whole.view == parts.view).all()


def test_what_cannot_be_sampled_is_refused_in_a_sentence():
    with pytest.raises(Invalid, match="regret rule"):
        OOS("kuhn", "uct")
    with pytest.raises(Invalid, match="two players"):
        OOS("many-kuhn")
    with pytest.raises(Invalid, match="delta must be below 1"):
        OOS("kuhn", delta=1.0)
    with pytest.raises(Invalid, match="public"):
        Aiming(fogtree.load("tic-tac-toe"), 0, public=True)


@pytest.mark.parametrize("depth", [0, 1, 3])
@pytest.mark.parametrize("spare", [-1, 0, 1])
def test_a_history_is_entered_where_all_its_nodes_have_room_and_else_nothing_is(interpreted, depth, spare):
    rows, deep = depth + 1 + spare, depth + 2
    full = [np.full(size, aims.NONE, np.int64) for size in ((rows, 2), rows, rows, (2, 1), 2, 2)]
    growth = aims.Growth(*full, *(np.zeros(size, np.int64) for size in (4, (deep, 1), (deep, 2), deep, deep, deep)))
    growth.node[:] = aims.NONE
    assert growth.keep(depth, aims.NONE, aims.NONE) == (spare >= 0)
    assert growth.used[:2].tolist() == ([depth + 1, 1] if spare >= 0 else [0, 0])
    if spare >= 0:
        assert growth.parent[: depth + 1].tolist() == [aims.NONE, *range(depth)]
        assert growth.child[depth, 0] == aims.INSIDE and growth.leaf_node[0] == depth
