"""Knowledge-limited subgame solving: what it keeps against brute force, the gadgets against a plain second text, and values
that are known."""

import collections

import numpy as np
import pytest

import fogtree
from fogtree import CHANCE, OVER, DarkChess, Invalid, Kuhn, Leduc, PhantomTicTacToe, SiGuo
from fogtree.clock import clock
from fogtree.game import legal, new_state
from fogtree.measure.soundness import Halves, told
from fogtree.measure.thinking import thought
from fogtree.search.online.limited import KnowledgeLimited
from fogtree.search.worlds import gadgets as gates
from fogtree.search.worlds import kluss
from fogtree.search.worlds.belief import Belief
from fogtree.search.worlds.gadgets import ALPHA, ALT, ENTER, MARGIN, MEAN, WEIGHT
from fogtree.search.worlds.histories import COUNT, FIRST, FIXED, MIX, NODES, OPEN, OWNER, PARENT, SET, SLOT, WIDTH
from fogtree.search.worlds.kluss import KLUSS, Growth, Play, _gadgets, purified
from fogtree.solvers.forms.sequence import sequence_form
from fogtree.walk.slices import Budget

PHANTOM = PhantomTicTacToe(rules="forced-centre")


@pytest.fixture(autouse=True)
def _wrapping():
    with np.errstate(over="ignore"):
        yield


def after(game, *moves):
    state = new_state(game)
    for move in moves:
        game.step(state, move)
    return state


def first_thought(game, state, iterations, **options):
    player = int(game.player(state))
    view = int(game.view(state, player))
    search = KLUSS(game, player, **options)
    return search, search.think(view, Belief(game, player).observe(view), iterations=iterations)


# --- values that are known -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("moves, sign", [((1, 0), 1), ((1, 0, 0), -1)])
def test_the_value_of_kuhn_poker_is_found_from_both_sides(moves, sign):
    # -1/18 for the first player (Kuhn 1950); at the first decision the tree is the whole game
    _, found = first_thought(Kuhn(), after(Kuhn(), *moves), 4_000)
    assert found.value == pytest.approx(-sign / 18, abs=2e-3)
    assert found.nodes == 58 and found.sets == 12 and found.groups == 1 and found.safe  # OpenSpiel's counts


def test_a_queen_calls_a_bet_once_in_three_times():
    # the only equilibrium of the second player; as the tree is solved from the start, the mean of its mixes comes there
    game = Kuhn()
    _, found = first_thought(game, after(game, 0, 1, 1), 20_000)  # jack against queen, and a bet
    assert found.mix(Play.AVERAGE)[1] == pytest.approx(1 / 3, abs=0.03)
    _, found = first_thought(game, after(game, 0, 2, 1), 2_000)
    assert found.mix() == {1: 1.0}  # a king calls


@pytest.mark.parametrize("small, iterations", [(kluss.SMALL, 30_000), (0, 100_000)])
def test_the_value_of_leduc_is_found_opened_whole_or_grown_though_branches_stay_closed(monkeypatch, small, iterations):
    # -0.0856064 by the linear program; 9,457 histories are the whole game
    monkeypatch.setattr(kluss, "SMALL", small)
    _, found = first_thought(Leduc(), after(Leduc(), 0, 3), iterations)
    assert found.value == pytest.approx(-0.0856064, abs=4e-3)
    assert found.nodes == 9_457 if small else 5_000 < found.nodes < 9_457


def test_the_same_seed_gives_the_same_search():
    found = [first_thought(PHANTOM, new_state(PHANTOM), 1_000, seed=seed)[1] for seed in (5, 5, 6)]
    assert found[0].last.tolist() == found[1].last.tolist() and found[0].nodes == found[1].nodes
    assert found[0].nodes != found[2].nodes


def test_all_of_the_seconds_are_used_and_the_tree_grows_in_both_halves_of_them(monkeypatch):
    game, state, parts = PHANTOM, new_state(PHANTOM), []
    first_thought(game, state, 1)  # compiles
    slices = kluss.in_slices
    monkeypatch.setattr(
        kluss, "in_slices", lambda work, spend, **how: parts.append(clock()) or slices(work, spend, **how)
    )
    view, began = int(game.view(state, 0)), clock()
    found = KLUSS(game, 0).think(view, Belief(game, 0).observe(view), seconds=0.1)
    assert clock() - began >= 0.1 and parts[1] - parts[0] >= 0.03
    assert found.walks > 0


def test_where_no_time_is_left_the_tree_is_solved_once():
    game, state = Kuhn(), after(Kuhn(), 0, 2, 1)
    view = int(game.view(state, 1))
    found = KLUSS(game, 1).think(view, Belief(game, 1).observe(view), seconds=0)
    assert found.rounds == 1 and found.walks == 0 and found.value != 0.0


def test_as_many_walks_are_told_as_were_asked_for():
    told = []
    view = int(PHANTOM.view(new_state(PHANTOM), 0))
    found = KLUSS(PHANTOM, 0).think(view, new_state(PHANTOM)[None], iterations=50, progress=told.append)
    assert found.walks == 50 and [told[-1].done, told[-1].goal] == [50, 50]


# --- what is carried over, against brute force ---------------------------------------------------------------------------


class Plain:
    """A tree of histories, read node by node."""

    def __init__(self, search, mine):
        self.game, self.me, tree = search.game, search.player, search.tree
        self.node = [tree.node[n].tolist() for n in range(tree.used[NODES])]
        self.state = [search._whole(n) for n in range(len(self.node))]
        self.worth, self.odds = tree.worth.tolist(), tree.odds.tolist()
        self.mix = {
            n: [float(tree.real[tree.infoset[row[SET], SLOT] + a, MIX]) for a in range(row[COUNT])]
            for n, row in enumerate(self.node)
            if row[SET] >= 0
        }
        self.root = dict(zip(search.carried.gadgets.root.tolist(), mine.tolist(), strict=True))

    def path(self, n):
        """From its root to a node."""
        found = [n]
        while self.node[found[0]][PARENT] >= 0:
            found.insert(0, self.node[found[0]][PARENT])
        return found

    def share(self, n):
        """Of the node before, by chance or by a player."""
        parent = self.node[n][PARENT]
        row = self.node[parent]
        return self.odds[n] if row[OWNER] == CHANCE else self.mix[parent][n - row[FIRST]]

    def mine(self, n):
        path = self.path(n)
        return self.root[path[0]] * float(
            np.prod([self.share(k) for k in path[1:] if self.node[self.node[k][PARENT]][OWNER] != 1 - self.me])
        )

    def value(self, n):
        row = self.node[n]
        if not row[COUNT]:
            return self.worth[n]
        return sum(self.share(c) * self.value(c) for c in range(row[FIRST], row[FIRST] + row[COUNT]))

    def view(self, n, player):
        return int(self.game.view(self.state[n], player))


def next_views(search, plain):
    """The views that the player may have at the next decision, those most often in the tree first."""
    found = collections.Counter()
    for n, row in enumerate(plain.node):
        before = [k for k in plain.path(n)[:-1] if plain.node[k][OWNER] == search.player]
        if row[OWNER] == search.player and before:
            found[plain.view(n, search.player)] += 1
    return [view for view, _ in found.most_common(4)]


@pytest.mark.parametrize("game, moves", [(Leduc(), (0, 3)), (PHANTOM, ()), (Kuhn(), (1, 0))])
def test_what_is_kept_is_what_the_other_may_hold_possible(game, moves):
    state = after(game, *moves)
    search, _ = first_thought(game, state, 150, common=0)
    plain = Plain(search, search.carried.mine)
    first, looked = search.carried, 0
    other = 1 - search.player
    for view in next_views(search, plain):
        inside = [
            n
            for n, row in enumerate(plain.node)
            if row[OWNER] == search.player and plain.view(n, search.player) == view
        ]
        theirs = {plain.view(n, other) for n in inside}
        leading = {k for n in inside for k in plain.path(n)[:-1]}
        near = {
            n for n, row in enumerate(plain.node) if row[OWNER] != OVER and plain.view(n, other) in theirs
        } - leading
        roots = {n for n in near if not near & set(plain.path(n)[:-1])}
        search.carried = first
        kept = search._carry(view)
        gadgets = search.carried.gadgets
        assert sorted(search._whole(n).tobytes() for n in kept) == sorted(plain.state[n].tobytes() for n in inside)
        groups = collections.defaultdict(list)
        for n in roots:
            groups[plain.view(n, other)].append(n)
        assert len(gadgets.group) == len(groups) and gadgets.gated
        assert search.tree.used[NODES] == sum(bool(roots & set(plain.path(n))) for n in range(len(plain.node)))
        value = Plain(search, search.carried.mine)
        for (begin, many), number in zip(gadgets.group, gadgets.number, strict=True):
            nodes = gadgets.root[begin : begin + many]
            expected = groups[value.view(nodes[0], other)]
            assert sorted(search._whole(n).tobytes() for n in nodes) == sorted(
                plain.state[n].tobytes() for n in expected
            )
            reach = {plain.state[n].tobytes(): plain.mine(n) for n in expected}
            total = sum(reach.values())
            shares = [reach[search._whole(n).tobytes()] / total if total else 1 / many for n in nodes]
            assert gadgets.share[begin : begin + many] == pytest.approx(shares)
            worth = {plain.state[n].tobytes(): plain.value(n) for n in expected}
            assert [value.value(n) for n in nodes] == pytest.approx([worth[search._whole(n).tobytes()] for n in nodes])
            mean = sum(s * worth[search._whole(n).tobytes()] for s, n in zip(shares, nodes, strict=True))
            assert number[ALT] <= mean + 1e-12  # gifts only lower what the player asks for
            looked += 1
    assert looked > 0


@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_knowledge_goes_as_far_as_it_is_told(order):
    # step by step: where the other, then the player, has seen the same as in a history that is held possible
    game = PHANTOM
    search, _ = first_thought(game, new_state(game), 200, order=order, common=0)
    plain, sizes = Plain(search, search.carried.mine), []
    first = search.carried
    for view in next_views(search, plain):
        search.carried = first
        places = set(range(len(plain.node)))
        near = {n for n in places if plain.node[n][OWNER] == 0 and plain.view(n, 0) == view}
        inside = sorted(near)
        for step in range(order - 1):
            who = 1 - step % 2
            seen = {plain.view(n, who) for n in near}
            near |= {n for n in places if plain.node[n][OWNER] != OVER and plain.view(n, who) in seen}
        near -= {k for n in inside for k in plain.path(n)[:-1]}
        roots = [n for n in near if not near & set(plain.path(n)[:-1])]
        search._carry(view)
        assert len(search.carried.gadgets.root) == len(roots)
        sizes.append((len(inside), len(roots)))
    assert (order == 1) == all(one == all_of for one, all_of in sizes)


def test_in_leduc_the_other_may_hold_my_own_card_only_where_all_common_knowledge_is_kept():
    # a player who holds a jack knows that the other does not hold it; but the other does not know that the player knows
    game, state = Leduc(), after(Leduc(), 0, 3)
    view = int(game.view(after(Leduc(), 0, 3, 1, 2), 0))  # check, and the other raises
    hands = {}
    for common in (0, 1024):
        search, _ = first_thought(game, state, 16_000, common=common)
        search._carry(view)
        roots = [search._whole(n)[:2].tolist() for n in search.carried.gadgets.root]
        hands[common] = {their for _, their in roots}, len(roots), len(search.carried.gadgets.group)
        assert search.carried.whole == (common > 0)
    assert hands == {0: ({1, 2, 3, 4, 5}, 25, 5), 1024: ({0, 1, 2, 3, 4, 5}, 30, 6)}


def test_play_is_purified_only_where_an_evaluation_judges_leaves():
    _, found = first_thought(Leduc(), after(Leduc(), 0, 3), 400)
    assert not found.judged and found.mix() == found.mix(Play.LAST)
    judged = found._replace(judged=True, last=np.array([0.6, 0.4]), stable=np.zeros(2, bool))
    assert judged.mix() == {judged.actions[0]: 1.0}
    assert first_thought(DarkChess(4), new_state(DarkChess(4)), 20)[1].judged


def own_mixes(search):
    """{(view, player): [shares]} of the sets that have children."""
    tree, found = search.tree, {}
    for n in range(tree.used[NODES]):
        if (i := tree.node[n, SET]) >= 0:
            slot, width = tree.infoset[i, SLOT], tree.infoset[i, WIDTH]
            who = search.player if tree.node[n, OWNER] == FIXED else int(tree.node[n, OWNER])
            view = int(search.game.view(search._whole(n), who))
            found[view, who] = tree.node[n, OWNER] == FIXED, tree.real[slot : slot + width, MIX].tolist()
    return found


def test_frozen_sets_keep_their_mixes_and_those_held_possible_do_not():
    search, _ = first_thought(Leduc(), after(Leduc(), 0, 3), 8_000, frozen=True)
    plain = Plain(search, search.carried.mine)
    view = next_views(search, plain)[0]
    before = own_mixes(search)
    belief = np.array(
        [search._whole(n) for n, row in enumerate(plain.node) if row[OWNER] == 0 and plain.view(n, 0) == view]
    )
    search.think(view, belief, iterations=2_000)
    now = own_mixes(search)
    fixed = [key for key, (frozen, _) in now.items() if frozen]
    free = [key for key, (frozen, _) in now.items() if key[1] == 0 and not frozen and key in before]
    assert fixed and all(now[key][1] == before[key][1] for key in fixed) and (view, 0) in free
    assert any(now[key][1] != before[key][1] for key in free)
    assert any(now[key][1] != before[key][1] for key in now if key[1] == 1 and key in before)


@pytest.mark.parametrize("game, moves", [(Leduc(), (0, 3)), (Kuhn(), (1, 0))])
def test_a_node_is_open_as_long_as_something_below_it_can_get_children(game, moves):
    search, _ = first_thought(game, after(game, *moves), 2_000)
    tree, closed = search.tree, 0
    for n in range(tree.used[NODES] - 1, -1, -1):
        row = tree.node[n]
        children = tree.node[row[FIRST] : row[FIRST] + row[COUNT]]
        expected = int((children[:, OPEN] > 0).sum()) if row[COUNT] else int(row[OWNER] != OVER)
        assert row[OPEN] == expected
        closed += row[COUNT] > 0 and row[OPEN] == 0
    assert closed > 10


def test_who_explores_decides_what_is_opened():
    found = {growth: first_thought(PHANTOM, new_state(PHANTOM), 1_500, growth=growth)[1] for growth in Growth}
    assert found[Growth.BOTH].sets != found[Growth.ONE].sets


def test_all_groups_can_be_drawn_evenly():
    gadgets = _gadgets([[0], [1]], [np.ones(1)] * 2, np.array([3.0, 1.0]), np.zeros(2), even=1.0)
    assert gadgets.number[:, ALPHA].tolist() == [0.5, 0.5]


def test_states_that_fit_are_added_as_groups_of_their_own():
    game, state = DarkChess(4), new_state(DarkChess(4))
    player, view = 0, int(game.view(state, 0))
    search = KLUSS(game, player, gather=8)
    action = next(iter(search.think(view, state[None], iterations=50).mix()))
    game.step(state, action)
    game.step(state, legal(game, state)[0])
    belief = Belief(game, 0)
    belief.observe(view)
    belief.acted(view, action)
    fitting = belief.observe(int(game.view(state, 0)))
    search.carried = None  # nothing of the last tree is left
    found = search.think(int(game.view(state, 0)), np.concatenate([fitting] * 9), iterations=20)
    assert found.worlds == found.groups == min(len({int(game.position(row)) for row in fitting}), 8)


def test_an_added_group_is_as_likely_as_a_usual_one_and_the_others_are_drawn_as_before():
    # alpha is half even and half by reach, counted once: (0.6, 0.3, 0.1) and a usual one, 1/3, of 4/3 in all
    gadgets = _gadgets([[0], [1], [2]], [np.ones(1)] * 3, np.array([6.0, 3.0, 1.0]), np.zeros(3))
    joined = kluss._joined(gadgets, np.array([7]), np.array([0.5]), 0.5)
    reach = np.array([0.6, 0.3, 0.1, 1 / 3]) * 3 / 4
    assert joined.number[:, ALPHA] == pytest.approx(0.5 / 4 + 0.5 * reach)
    assert joined.number[:, ALT].tolist() == [0, 0, 0, 0.5] and joined.root.tolist() == [0, 1, 2, 7]


def test_an_added_state_is_held_as_likely_as_a_carried_one_however_unlikely_the_moves_before_were():
    game, state = DarkChess(4), new_state(DarkChess(4))
    search, first = KLUSS(game, 0, seed=1), int(game.view(state, 0))
    search.think(first, state[None], iterations=400)
    search.tree.real[:, MIX] = 0.1  # of every action
    for _ in range(2):
        game.step(state, legal(game, state)[0])
    view = int(game.view(state, 0))
    inside = search._carry(view)
    assert len(inside) and search.carried.mine.tolist() == pytest.approx([0.1] * len(search.carried.mine))
    search._add(lambda count: new_state(game)[None], 1, inside)  # any other state
    assert search.carried.mine.tolist() == pytest.approx([0.1] * len(search.carried.mine))
    assert len(search.carried.mine) > len(inside)


def test_where_nothing_fits_nothing_is_said():
    assert KLUSS(Kuhn(), 0).think(123_456, np.zeros((0, Kuhn().shape().words), np.int64), iterations=5) is None


# --- the gadgets, by a plain second text ---------------------------------------------------------------------------------


def plus(values):
    return [max(0.0, value) for value in values]


def shared(values, best):
    total = sum(values)
    return [value / total for value in values] if total else [float(k == best) for k in range(len(values))]


def test_groups_are_weighed_as_the_two_gadgets_together_say():
    alt, alpha = np.array([0.3, -0.2, 0.1]), np.array([0.5, 0.2, 0.3])
    gadgets = _gadgets([[0], [1], [2]], [np.ones(1)] * 3, np.array([2.0, 0.1, 0.9]), alt)
    assert gadgets.number[:, ALPHA] == pytest.approx([0.5 / 3 + 1 / 3, 0.5 / 3 + 0.05 / 3, 0.5 / 3 + 0.15])
    gadgets.number[:, ALPHA] = alpha
    random = np.random.default_rng(1)
    enter, margin = [1.0] * 3, [1 / 3] * 3
    regrets, margins = [[0.0, 0.0] for _ in range(3)], [0.0] * 3
    for _ in range(50):
        mean = random.uniform(-1, 1, 3)
        gadgets.number[:, MEAN] = mean
        gadgets.learn()
        gain = [a - m for a, m in zip(alt, mean, strict=True)]
        for j in range(3):  # Resolve: enter for the gain, exit for nothing
            now = [gain[j] * (1 - enter[j]), -gain[j] * enter[j]]
            regrets[j] = plus([regrets[j][k] + now[k] for k in range(2)])
            enter[j] = shared(plus([regrets[j][k] + now[k] for k in range(2)]), 0 if gain[j] > 0 else 1)[0]
        usual = sum(margin[j] * gain[j] for j in range(3))  # Maxmargin: choose a group
        margins = plus([margins[j] + gain[j] - usual for j in range(3)])
        margin = shared(plus([margins[j] + gain[j] - usual for j in range(3)]), int(np.argmax(gain)))
        most = max(enter)
        weight = [most * alpha[j] * enter[j] + (1 - most) * margin[j] for j in range(3)]
        weight = [w / sum(weight) for w in weight] if sum(weight) else alpha.tolist()
        assert gadgets.number[:, ENTER] == pytest.approx(enter)
        assert gadgets.number[:, MARGIN] == pytest.approx(margin)
        assert gadgets.number[:, WEIGHT] == pytest.approx(weight)


def test_if_all_is_well_the_other_exits_and_the_least_margin_counts():
    gadgets = _gadgets([[0], [1]], [np.ones(1)] * 2, np.ones(2), np.array([0.0, 0.0]))
    for _ in range(200):
        gadgets.number[:, MEAN] = 0.5, 0.1
        gadgets.learn()
    assert gadgets.number[:, ENTER].max() < gates.SAFE
    assert gadgets.number[:, WEIGHT] == pytest.approx([0, 1], abs=0.02)


def test_where_the_player_would_lose_the_other_enters():
    gadgets = _gadgets([[0], [1]], [np.ones(1)] * 2, np.ones(2), np.array([0.0, 0.0]))
    for _ in range(200):
        gadgets.number[:, MEAN] = 0.5, -0.1
        gadgets.learn()
    assert gadgets.number[:, ENTER] == pytest.approx([0, 1]) and gadgets.number[:, WEIGHT] == pytest.approx([0, 1])


# --- what is played ------------------------------------------------------------------------------------------------------


def test_purified_play_mixes_three_stable_actions_at_most_and_only_where_that_is_safe():
    last = np.array([0.3, 0.25, 0.2, 0.15, 0.1])
    stable = np.array([False, True, False, True, True])
    assert purified(last, stable, True) == pytest.approx([0.6, 0.25, 0, 0.15, 0])
    assert purified(last, stable, False).tolist() == [1, 0, 0, 0, 0]


def test_a_king_that_can_be_taken_is_taken_and_one_in_danger_goes():
    game, state = DarkChess(), np.zeros(DarkChess().shape().words, np.int64)
    for fen, best in (
        ("4k3/8/8/8/8/8/4q3/4K3 b - - 0 1", "Qxe1"),
        ("4k3/8/8/8/8/8/3PQPPP/4K3 w - - 0 1", "Qxe8"),
    ):
        game.from_notation(fen, state)
        player = int(game.player(state))
        found = KLUSS(game, player).think(int(game.view(state, player)), state[None], fitting=1_000, iterations=300)
        assert [game.label(state, action) for action in found.mix()] == [best]
        assert found.value > 0.9


@pytest.mark.parametrize(
    "wrong, sentence",
    [
        ({"player": 2}, "a player is 0 or 1, not 2"),
        ({"even": 2}, "even must be a number from 0 to 1, not 2"),
        ({"growth": "all"}, "growth must be one or both, not 'all'"),
        ({"memory": "much"}, "memory must be a number of 0 or more, not 'much'"),
    ],
)
def test_wrong_parameters_are_refused_in_one_sentence(wrong, sentence):
    with pytest.raises(Invalid, match=sentence):
        KLUSS(Kuhn(), **{"player": 0} | wrong)


def test_states_that_are_none_or_do_not_fit_the_view_are_refused():
    state = after(Kuhn(), 0, 1)
    view = int(Kuhn().view(state, 0))
    with pytest.raises(Invalid, match="states have 3 words each and stand in rows, not "):
        KLUSS(Kuhn(), 0).think(view, state, iterations=1)
    with pytest.raises(Invalid, match="player 0 is to move and has this view in none of the states"):
        KLUSS(Kuhn(), 0).think(view + 1000, state[None], iterations=1)


def test_games_for_other_numbers_of_players_are_refused():
    with pytest.raises(Invalid, match="zero-sum games of two players"):
        KLUSS(SiGuo(), 0)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        "phantom-go",
        "small-army",
        "luzhanqi:longest=40",
        "dark-chess:size=6",
        "liars-dice",
        "goofspiel",
    ],
)
def test_it_plays_whole_matches(name):
    agents = [fogtree.load_agent("kluss:iterations=30", 1), fogtree.load_agent("random", 2)]
    match = fogtree.play(name, agents)
    assert match.forfeit is None and agents[0].thoughts


# --- asked at the table (`search/online/protocol.py`) --------------------------------------------------------------------


def test_what_was_carried_stays_as_it_was_and_answers_do_not_depend_on_their_order():
    game, search = PHANTOM, KnowledgeLimited(Play.LAST)
    first = int(game.view(after(game, 4, 0), 0))
    later = [int(game.view(after(game, *moves), 0)) for moves in ((4, 0, 1, 2), (4, 1, 1))]  # a mark, and a failed try
    spend = Budget(iterations=300)
    begun = search.begin(game, 0, 7)
    answers = []
    for order in (later, later[::-1]):
        answer = search.think(begun, first, spend)
        before = answer.carried.search.tree.real.copy()
        found = {view: search.think(answer.carried, view, spend) for view in order}
        assert (answer.carried.search.tree.real == before).all()
        answers.append({view: each.strategy[0, view] for view, each in found.items()})
    assert answers[0] == answers[1]


def test_a_belief_goes_on_though_the_action_is_not_told():
    game = PHANTOM
    state = after(game, 4, 0)  # the centre, and a corner
    belief = Belief(game, 0)
    first = int(game.view(new_state(game), 0))
    belief.observe(first)
    other = belief.copy()
    other.acted(first, 4)
    view = int(game.view(state, 0))
    assert sorted(map(bytes, belief.at_next(view, first).state)) == sorted(map(bytes, other.observe(view)))
    assert len(belief.at_next(12_345, first).packed) == 0


@pytest.mark.slow
def test_knowledge_costs_in_leduc_what_the_cards_that_are_left_out_are_worth():
    # I^2 lacks the groups in which the other holds the player's own card; with all common knowledge little is lost
    form, total = sequence_form(Leduc()), {}
    for common in (0, 1024):
        search, halves = KnowledgeLimited(Play.LAST, options={"common": common}), Halves(form)
        halves.add(0, *(thought(form, player, search, Budget(iterations=600), 1)[0] for player in (0, 1)))
        total[common] = told("kluss", 1, halves, 1, 1, "cpu").own
    assert total[1024] < 0.3 < 0.5 < total[0]


def test_a_decision_with_one_action_need_not_be_asked_for():
    game = PHANTOM  # the centre is the only first move
    state = after(game, 4, 0)
    answer = KnowledgeLimited().think(
        KnowledgeLimited().begin(game, 0, 1), int(game.view(state, 0)), Budget(iterations=50)
    )
    assert sum(answer.strategy[0, int(game.view(state, 0))].values()) == pytest.approx(1.0)
    tree = answer.carried.search.tree
    assert (
        tree.node[0, PARENT] < 0 and (tree.node[1 : tree.used[NODES], PARENT] >= 0).all()
    )  # it goes back to the start
    assert len(answer.carried.belief.packed) == 8
