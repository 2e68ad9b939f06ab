"""The sequence form built in lanes: the same form as the depth-first walk makes, whatever the numbers of its sequences."""

import functools
from typing import NamedTuple

import numpy as np
import pytest

import fogtree
from fogtree import Invalid, Kuhn, sequence_form
from fogtree.game import Shape
from fogtree.solvers.forms import filing
from fogtree.solvers.forms import form_lanes as module
from fogtree.solvers.forms.form_lanes import form_in_lanes
from fogtree.solvers.forms.numbering import Sets
from fogtree.solvers.forms.recording import WIDTH
from fogtree.solvers.forms.reduction import form_and_forced, reduced
from fogtree.walk.estimate import TooLarge

pytestmark = pytest.mark.usefixtures("unchecked")  # some games break the contract on purpose


def named(form):
    """The form without numbers: each sequence by what its player saw and did, and what each pair of sequences pays."""
    names = []
    for tree in form.trees:
        name = [()] * int(tree.sequences())
        for i in range(tree.infosets()):
            for s in range(tree.first[i], tree.first[i + 1]):
                name[s] = (*name[tree.parent[i]], (int(tree.view[i]), int(tree.action[s])))
        names.append(name)
    rows, columns = form.rows, form.columns
    pays = {
        (names[0][r], names[1][rows.column[k]]): rows.value[k] * rows.unit
        for r in range(len(names[0]))
        for k in range(rows.start[r], rows.start[r + 1])
    }
    turned = {
        (names[0][columns.column[k]], names[1][c]): columns.value[k] * columns.unit
        for c in range(len(names[1]))
        for k in range(columns.start[c], columns.start[c + 1])
    }
    assert pays == turned
    return set(names[0]), set(names[1]), pays


def assert_same(found, expected):
    (first, second, pays), (their_first, their_second, their_pays) = named(found), named(expected)
    assert (first, second, found.histories) == (their_first, their_second, expected.histories)
    assert pays == pytest.approx(their_pays, abs=1e-12)
    assert found.rows.value.dtype == expected.rows.value.dtype
    for matrix in (found.rows, found.columns):
        for r in range(len(matrix.start) - 1):
            assert (np.diff(matrix.column[matrix.start[r] : matrix.start[r + 1]]) > 0).all()
    for tree in found.trees:  # parents before children
        assert (tree.parent < tree.first[:-1]).all()


@functools.cache
def walked(text):
    return sequence_form(fogtree.load(text))


@pytest.mark.parametrize(
    "text",
    [
        "kuhn",
        "leduc",
        "liars-dice:faces=2",
        "goofspiel:cards=4",
        "rounds",
        "dark-hex:side=2",
        "matrix",
    ],
)
def test_the_form_is_the_one_of_the_depth_first_walk(text):
    assert_same(form_in_lanes(text, "cpu")[0], walked(text))


@pytest.mark.parametrize("seed", range(3))
def test_payoffs_that_are_no_multiples_of_a_unit_stay_as_they_are(seed):
    game = fogtree.load(f"random/rounds:rounds=2,whole=false,seed={seed}")
    found, expected = form_in_lanes(game, "cpu")[0], sequence_form(game)
    assert found.rows.value.dtype == np.float64
    assert_same(found, expected)


def test_a_batch_that_finds_too_many_entries_or_sets_is_taken_again(monkeypatch):
    monkeypatch.setattr(module, "SHORT_STAGE", 1)
    monkeypatch.setattr(module, "FEW_SETS", 16)
    monkeypatch.setattr(module, "FEW_BYTES", 1 << 20)
    assert_same(form_in_lanes("leduc", "cpu")[0], walked("leduc"))


@pytest.mark.parametrize("text", ["leduc", "liars-dice:faces=2", "goofspiel:cards=4"])
def test_entries_that_do_not_fit_side_by_side_are_filed_and_sorted_in_pieces(text, monkeypatch):
    monkeypatch.setattr(module, "ENTRY_BYTES", 1e9)
    monkeypatch.setattr(filing, "SHORT_PIECE", 50)
    assert_same(form_in_lanes(text, "cpu")[0], walked(text))


def test_entries_that_are_filed_must_fit_in_a_byte(monkeypatch):
    monkeypatch.setattr(module, "ENTRY_BYTES", 1e9)
    with pytest.raises(TooLarge, match="too many different amounts"):
        form_in_lanes("random/rounds:rounds=2,whole=false,seed=1", "cpu")


class Unseen(NamedTuple):
    """Chance deals one of `deals` cards that nobody sees. Then player 0 takes one of two actions, and the game is over."""

    deals: int

    def shape(self):
        return Shape(2, 2, self.deals, 2, -1.0, 1.0)

    def start(self, state):
        state[:] = -1

    def player(self, state):
        if state[1] >= 0:
            return fogtree.OVER
        return 0 if state[0] >= 0 else fogtree.CHANCE

    def actions(self, state, out):
        count = 2 if state[0] >= 0 else self.deals
        for a in range(count):
            out[a] = a
        return count

    def odds(self, state, out):
        for a in range(self.deals):
            out[a] = 1.0 / self.deals

    def step(self, state, action):
        state[1 if state[0] >= 0 else 0] = action

    def payoff(self, state, player):
        return (1.0 - 2.0 * state[1]) * (1.0 - 2.0 * player)

    def view(self, state, player):
        return 1


def test_what_ends_pay_together_must_fit_in_a_byte_too(monkeypatch):
    # 128 ends that pay 1/128 each are one entry; as a byte it was -1
    monkeypatch.setattr(module, "ENTRY_BYTES", 1e9)
    assert_same(form_in_lanes(Unseen(127), "cpu")[0], sequence_form(Unseen(127)))
    with pytest.raises(TooLarge, match="ends of the same two sequences pay too much together to be kept in a byte"):
        form_in_lanes(Unseen(128), "cpu")


def test_sets_with_a_single_action_are_those_that_lifting_needs():
    game = reduced(fogtree.load("phantom-ttt:rules=forced-centre"))
    expected, theirs = form_and_forced(game)
    found, ours = form_in_lanes(game, "cpu", singles=True)
    assert sorted(zip(*(array.tolist() for array in ours), strict=True)) == sorted(
        zip(*(array.tolist() for array in theirs), strict=True)
    )
    assert found.histories == expected.histories and len(found.rows.column) == len(expected.rows.column)
    assert [tree.infosets() for tree in found.trees] == [tree.infosets() for tree in expected.trees]


def test_a_set_may_have_a_hundred_thousand_actions():
    # where they did not fit beside the sequence before it, a set once had another number of them and hung elsewhere
    width, nobody = 100_000, 0
    fact = np.array([(nobody + 1) * WIDTH + width])
    zero = np.zeros(1, np.int64)
    sets = Sets(zero, np.array([7]), fact, np.zeros((1, width), np.int32), zero, 1)
    assert sets.sequences == [1 + width, 1] and not sets.later[0]
    assert sets.trees()[0].parent.tolist() == [0] and sets.trees()[0].first.tolist() == [1, 1 + width]


def test_several_cores_build_the_same_form_to_the_last_digit():
    one, two = (form_in_lanes("leduc", "cpu", cores=cores)[0] for cores in (1, 3))
    for field in ("start", "column", "value"):
        assert (getattr(one.rows, field) == getattr(two.rows, field)).all()
        assert (getattr(one.columns, field) == getattr(two.columns, field)).all()
    for ours, theirs in zip(one.trees, two.trees, strict=True):
        assert all((a == b).all() for a, b in zip(ours, theirs, strict=True))


class Forgets(NamedTuple):
    """Player 0 moves twice and sees nothing of the first time, or has more actions then, or the payoffs do not sum to 0."""

    fault: int = 0

    def shape(self):
        return Shape(2, 2, 3, 2, -1.0, 1.0)

    def start(self, state):
        state[:] = 0

    def player(self, state):
        return 0 if state[0] < 2 else fogtree.OVER

    def actions(self, state, out):
        for a in range(3):
            out[a] = a
        return 2 + (state[0] if self.fault == 1 else 0)

    def step(self, state, action):
        state[0] += 1
        state[1] += action

    def payoff(self, state, player):
        return 1.0 if self.fault == 2 else 1.0 - 2.0 * player

    def view(self, state, player):
        return 7 if self.fault < 2 else 1 + state[0] * 3 + state[1]


@pytest.mark.parametrize(("fault", "words"), [(0, "imperfect recall"), (1, "different numbers"), (2, "not zero-sum")])
def test_what_is_wrong_with_a_game_is_said_in_a_sentence(fault, words):
    with pytest.raises(Invalid, match=words):
        form_in_lanes(Forgets(fault), "cpu")


def test_a_form_that_does_not_fit_is_refused_before_it_fills_the_memory():
    with pytest.raises(TooLarge, match="does not fit in"):
        form_in_lanes(Kuhn(), "cpu", memory=1000)


def test_histories_are_told():
    told = []
    form_in_lanes("leduc", "cpu", progress=told.append)
    assert (told[-1].what, told[-1].done) == ("histories", 9457)
