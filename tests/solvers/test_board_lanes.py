"""The public tree, matrices and matrix CFR in lanes: the numbers of the CPU's own text, which other tests prove."""

import importlib.util

import numpy as np
import pytest

import fogtree
from fogtree import Invalid, Leduc
from fogtree.game import NONE
from fogtree.games.holdem import Holdem
from fogtree.games.holdem.buckets import Buckets
from fogtree.games.holdem.deck import Deck
from fogtree.kernels import cuda
from fogtree.kernels.lanes import CpuLanes
from fogtree.solvers.public import board_lanes, matrix_lanes, pair_lanes, sorted_boards
from fogtree.solvers.public.betting import betting_tree, nested
from fogtree.solvers.public.board_lanes import BoardLanes, DealtBoards
from fogtree.solvers.public.cards import hands_of, orbits, ranked_hands
from fogtree.solvers.public.deal_matrices import Tally, all_boards, random_boards
from fogtree.solvers.public.line_programs import _parts, _steps
from fogtree.solvers.public.lines import FOLD, GATE, SHOW, TypePlan
from fogtree.solvers.public.matrix_cfr import MatrixCFR
from fogtree.solvers.public.matrix_lanes import LaneSweeps
from fogtree.solvers.public.pair_lanes import LaneTally
from fogtree.solvers.public.public_response import PublicResponse
from fogtree.solvers.public.small_form import betting_form
from fogtree.solvers.public.sorted_boards import GROUPS, HAND, RUNS, TYPE, SortedBoards
from fogtree.solvers.regret.cfr import RULES

needs_compiler = pytest.mark.skipif(
    importlib.util.find_spec("numba_cuda") is None, reason="numba-cuda is not installed: pip install 'fogtree[cuda13]'"
)
GAMES = {  # one and two private cards, two to four rounds, one to four bets, flops of one to three cards
    "two cards": Holdem(ranks=3, suits=3, rounds=3, raises=2, flop=2),
    "one card": Holdem(ranks=4, suits=2, rounds=3, raises=3, hole=1, flop=2),
    "four rounds": Holdem(ranks=5, suits=2, rounds=4, raises=1, flop=1),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("tables")


def random_plan(game, types):
    """Random probabilities for so many types at each stage, cut as k buckets are."""
    tree, rng, made = betting_tree(game), np.random.default_rng(5), {}

    def table(node):
        if node not in made:
            drawn = rng.random((len(tree.below(node)), len(types[tree.stage[node]]) - 1)) ** 3
            drawn[:, ::4] *= drawn[:, ::4] > 0.3  # some actions are never taken
            made[node] = (drawn + 1e-3) / (drawn + 1e-3).sum(axis=0)
        return made[node]

    return TypePlan(tree, types, table)


def of_buckets(name, folder, k=2):
    game = GAMES[name]
    return Buckets(game, k, folder=folder).cards, random_plan(game, nested(k, game.rounds))


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("name", GAMES)
def test_values_in_lanes_are_those_of_the_public_tree(name, player, folder):
    cards, plan = of_buckets(name, folder)
    response = PublicResponse(cards, plan, player)
    dealt = DealtBoards(cards, at_once=3)
    lanes, total = BoardLanes(response, dealt), np.zeros((response.counts[1], response.count))
    kinds = list(response.first_boards())
    for at in range(0, len(kinds), 3):
        part = kinds[at : at + 3]
        dealt.deal([board for board, _ in part])
        for (board, images), values in zip(part, lanes.values(), strict=True):
            assert values == pytest.approx(response.board_values(board), abs=1e-14)
            response.add_images(total, values, images)
    assert response.root(total) == pytest.approx(response.value(), abs=1e-12)


def test_hands_that_are_types_of_their_own_and_32_bits():
    game = GAMES["two cards"]
    cards, hands = Deck(game), len(Deck(game).sets)
    plan = random_plan(game, (np.arange(hands + 1),) * game.rounds)
    wide, narrow = (PublicResponse(cards, plan, 0, dtype=dtype) for dtype in (np.float64, np.float32))
    dealt = DealtBoards(cards)
    dealt.deal([(0, 4)])
    expected = wide.board_values((0, 4))
    assert BoardLanes(wide, dealt).values()[0] == pytest.approx(expected, abs=1e-14)
    assert BoardLanes(narrow, dealt).values()[0] == pytest.approx(expected, abs=2e-6 * abs(expected).max())


def test_boards_that_follow_are_one_of_each_kind_and_lead_to_all(folder):
    cards, _ = of_buckets("two cards", folder)
    dealt = DealtBoards(cards, at_once=2)
    dealt.deal([(0, 1), (0, 4)])
    first, then = dealt.stages[:2]
    symmetries = [np.array(symmetry) for symmetry in cards.symmetries]
    for b, board in enumerate([(0, 1), (0, 4)]):
        kept = [symmetry for symmetry in symmetries if {int(symmetry[c]) for c in board} == set(board)]
        left = [card for card in range(9) if card not in board]
        kinds = [chosen for chosen, _, _ in orbits(left, 1, kept)]
        ways = then.way[then.first[b] : then.first[b + 1]]
        assert len(ways) == len(left) and len(set(ways[:, 0].tolist())) == len(kinds)
        for card, (to, symmetry) in zip(
            left, ways, strict=True
        ):  # the symmetry keeps the board and takes the card there
            moved = dealt.symmetries[symmetry]
            assert sorted(moved[list(board)]) == list(board) and moved[card] == then.board[to, 2]
    assert first.board.tolist() == [[0, 1], [0, 4]]


@pytest.mark.parametrize("name", GAMES)
def test_sorted_boards_are_those_of_python(name, folder):
    cards, _ = of_buckets(name, folder)
    hands, stage = hands_of(cards), len(cards.dealt) - 1
    boards = [board for board, _ in random_boards(cards, 7, 2)]
    made = SortedBoards(cards, stage, 10, "cpu")
    made.sort(np.array(boards))
    for b, board in enumerate(boards):
        live, group = ranked_hands(cards, hands, board)
        strength = dict(zip(live.tolist(), group.tolist(), strict=True))
        types = np.array(cards.types(stage, board))
        runs, groups = made.listed.size[b, RUNS], made.listed.size[b, GROUPS]
        words = [int(word) for word in made.listed.hand[b, : len(live)]]
        found = [word & 65_535 for word in words]
        assert sorted(found) == sorted(live.tolist())
        assert [word >> 16 for word in words] == [hands.low[h] | hands.read[h] << 8 | types[h] << 16 for h in found]
        keys = [(strength[h], types[h]) for h in found]
        assert keys == sorted(keys) and len(set(keys)) == runs and len({key[0] for key in keys}) == groups
        run, group = made.listed.run[b].tolist(), made.listed.group[b].tolist()
        for r in range(runs):
            mine = keys[run[r][HAND] : run[r + 1][HAND]]
            assert len(set(mine)) == 1 and run[r][TYPE] == mine[0][1]
        for g in range(groups):
            assert keys.index(next(key for key in keys if key[0] == keys[group[g][1]][0])) == group[g][1]
            counted = {}
            for pair in made.listed.pair[b, group[g][2] : group[g + 1][2]]:
                for card, often in (
                    (int(pair) & 255, int(pair) >> 8 & 255),
                    (int(pair) >> 16 & 255, int(pair) >> 24 & 255),
                ):
                    assert (often > 0) == (card > 0)  # a pair may lack its second card
                    if often:
                        assert counted.setdefault((int(pair) >> 32, card), often) == often
            every = [
                (types[h], int(c)) for h in found[group[g][1] : group[g + 1][1]] for c in (hands.low[h], hands.high[h])
            ]
            assert counted == {key: every.count(key) for key in every}


class Shape:
    """A line of any shape, with a number at each end in place of a mass."""

    def __init__(self, rng):
        self.kind, self.first, self.count, self.number = [0], [1], [], []
        at = 0
        while at < len(self.kind):
            self.number.append(float(rng.normal()))
            decision = self.kind[at] >= 0
            below = int(rng.integers(1, 5)) if decision else 0
            self.count.append(below)
            few = len(self.kind) < 25
            for _ in range(below):
                self.kind.append(int(rng.choice([0, 1, FOLD, SHOW, GATE] if few else [FOLD, SHOW, GATE])))
            at += 1
            self.first.append(len(self.kind))
        self.first = self.first[: len(self.kind)]

    def value(self, n=0):
        if self.kind[n] < 0:
            return self.number[n]
        below = [self.value(c) for c in range(self.first[n], self.first[n] + self.count[n])]
        return max(below) if self.kind[n] == 0 else sum(below)


@pytest.mark.parametrize("seed", range(60))
def test_programs_of_any_line_say_what_a_recursion_says(seed):
    line = Shape(np.random.default_rng(seed))
    order, first = [], 1
    for n in range(len(line.kind)):  # the children of a node follow each other, breadth first
        order.append(first)
        first += line.count[n]
    line.first = order
    steps = []
    depth = _steps(line, 0, 0, 0, 0, steps)
    stack, value = [None] * depth, None
    for part in _parts(steps):
        value = (-np.inf if part[0].own else 0.0) if part[0].fresh else stack[part[0].level]
        for step in part:
            assert step.level == part[0].level
            for n in (step.fold, step.show, step.gate):
                if n != NONE:
                    value = max(value, line.number[n]) if step.own else value + line.number[n]
        last = part[-1]
        if last.wait != NONE:
            value = max(value, stack[last.wait]) if last.wait_own else value + stack[last.wait]
        stack[last.level if last.wait == NONE else last.wait] = value
    assert value == pytest.approx(line.value(), abs=1e-12)


@pytest.mark.parametrize("name", GAMES)
def test_pairs_counted_in_lanes_are_those_of_one_core(name, folder):
    cards, _ = of_buckets(name, folder)
    types = 2 ** GAMES[name].rounds
    boards = list(all_boards(cards))
    here, there = Tally(cards, types), LaneTally(cards, types, "cpu", room=50)
    here.add(boards)
    there.add(boards[:60])
    there.fetch()
    there.add(boards[60:])
    there.fetch()
    assert (here.joint == there.joint).all() and (here.edge == there.edge).all() and there.joint.sum() > 1000


def test_pairs_are_counted_where_each_hand_is_a_type_of_its_own_and_no_card_is_public(interpreted):
    # no list has more runs: plain Python sees who reads behind the last
    cards = Deck(Holdem(ranks=4, suits=2, rounds=1, hole=1))
    here, there = Tally(cards, 8), LaneTally(cards, 8, "cpu", room=1)
    here.add(all_boards(cards))
    there.add(list(all_boards(cards)))
    there.fetch()
    assert there.boards.listed.size[0, RUNS] == 8 == there.boards.hands
    assert (here.joint == there.joint).all() and (here.edge == there.edge).all() and there.joint.sum() == 8 * 7


def in_lanes(cfr):
    """The same solver with its products and sweeps in lanes."""
    cfr.sweeps = LaneSweeps(cfr.form, cfr.nodes, cfr.sides, cfr.rule, cfr.dtype, "cpu")
    cfr.matrices = cfr.sweeps.matrices(cfr.form)
    return cfr


@pytest.mark.parametrize("rule", RULES)
def test_matrix_cfr_in_lanes_goes_as_on_one_core(rule):
    form = betting_form(Leduc()).form
    here = MatrixCFR(form, rule, dtype=np.float64)
    there = in_lanes(MatrixCFR(form, rule, dtype=np.float64))
    for count in (1, 1, 20):
        here.run(iterations=count)
        there.run(iterations=count)
        assert there.bounds() == pytest.approx(here.bounds(), abs=1e-12)
        for node in (0, 5, 20):
            if here.form.tree.player[node] >= 0:
                assert there.table(node) == pytest.approx(here.table(node), abs=1e-12)


def test_a_checkpoint_goes_on_in_lanes(tmp_path):
    form, path = betting_form(Leduc()).form, tmp_path / "x.npz"
    whole = in_lanes(MatrixCFR(form, "dcfr", dtype=np.float64)).run(iterations=12)
    in_lanes(MatrixCFR(form, "dcfr", dtype=np.float64)).run(iterations=5).save(path)
    again = in_lanes(MatrixCFR(form, "dcfr", dtype=np.float64))
    again.resume(path)
    assert again.run(iterations=7).bounds() == pytest.approx(whole.bounds(), abs=1e-12)


def test_cards_that_say_nothing_of_single_hands_are_refused():
    with pytest.raises(Invalid, match="they have no method `in_lanes`"):
        SortedBoards(Leduc().public_cards(), 1, 4, "cpu")


@needs_compiler
def test_all_of_it_compiles_for_a_gpu(folder, monkeypatch):
    made = []

    def compiled(device, work, own, cores=1):
        made.append((type(work).__name__, cuda.compiled(work, own, (9, 0)).code[:4]))
        return CpuLanes(work, own, cores)

    for module in (sorted_boards, board_lanes, pair_lanes, matrix_lanes):
        monkeypatch.setattr(module, "on", compiled)
    cards, plan = of_buckets("two cards", folder)
    BoardLanes(PublicResponse(cards, plan, 0, dtype=np.float32), DealtBoards(cards))
    LaneTally(cards, 8, "cpu", room=2)
    in_lanes(MatrixCFR(betting_form(fogtree.Kuhn()).form, "dcfr"))
    names = {
        "Keyed",
        "Ranked",
        "Listing",
        "Climb",
        "Gather",
        "Pairs",
        "Product",
        "Learn",
        "Respond",
        "Expect",
        "Spread",
    }
    assert names | {"Root"} == {name for name, _ in made} and {code for _, code in made} == {b"\x7fELF"}
