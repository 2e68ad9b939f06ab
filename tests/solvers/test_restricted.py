"""Games of what a book admits, against the whole games that they are cut from."""

import numpy as np
import pytest

import fogtree
import plain
from fogtree import sequence_form
from fogtree.game import NONE, legal, new_state
from fogtree.measure.count import count
from fogtree.solvers.forms.expected import expected
from fogtree.solvers.forms.infosets import write_plan
from fogtree.solvers.forms.response import value_of
from fogtree.transforms.restricted import AdmittedFirst, Restricted, admit, copy_of, new_book, rehearsed, with_room

pytestmark = pytest.mark.usefixtures("interpreted")
GAME = fogtree.load("kuhn")


def sets_of(game):
    """{(player, view): legal actions} of all sets of a game, by plain recursion."""
    return plain.infosets(plain.tree(game))


def entered(book, rows):
    for (player, view), actions in rows.items():
        book = with_room(book, 1)
        for action in actions:
            admit(book, player, np.array([view]), np.array([action]))
    return book


def test_without_a_book_everybody_plays_the_first_action():
    small = Restricted(GAME, new_book(GAME.shape().actions))
    assert count(small).histories == 1 + 3 + 3 * 2 * 3  # three cards, two cards, then pass and pass
    form = sequence_form(small)
    assert [int(tree.sequences()) for tree in form.trees] == [1, 1]


def test_with_everything_admitted_it_is_the_whole_game():
    book = entered(new_book(GAME.shape().actions), sets_of(GAME))
    assert count(Restricted(GAME, book))[:4] == count(GAME)[:4]


def test_actions_stand_in_order_and_once():
    book = new_book(3)
    view = np.array([7, 7, 7, 7])
    assert admit(book, 1, view, np.array([2, 0, 2, 1])) == 3
    row = book.table.find(7, 1)
    assert book.action[row].tolist() == [0, 1, 2] and book.width[row] == 3
    assert book.table.find(7, 0) == NONE
    assert admit(book, 1, view[:1], np.array([9])) == 0  # a set has no more actions than that


def test_a_copy_stays_as_it_was():
    book = new_book(3)
    admit(book, 0, np.array([7]), np.array([2]))
    kept = copy_of(book)
    admit(book, 0, np.array([7, 8]), np.array([1, 1]))
    assert kept.table.find(8, 0) == NONE and kept.width[kept.table.find(7, 0)] == 1


def test_a_book_grows_and_forgets_nothing():
    book = new_book(2)
    for view in range(1, 2000):
        book = with_room(book, 1)
        admit(book, view % 2, np.array([view]), np.array([view % 2]))
    for view in range(1, 2000):
        row = book.table.find(view, view % 2)
        assert book.action[row, 0] == view % 2 and book.width[row] == 1


def test_an_action_that_is_not_legal_is_never_played():
    state = new_state(GAME)
    for _ in range(2):
        GAME.step(state, legal(GAME, state)[0])
    view, out = int(GAME.view(state, 0)), np.zeros(GAME.shape().actions, np.int64)
    for suggested, played in (([5], [0]), ([1], [1]), ([0, 1], [0, 1])):
        book = entered(new_book(GAME.shape().actions), {(0, view): suggested})
        assert out[: Restricted(GAME, book).actions(state, out)].tolist() == played


def test_a_responder_tries_what_is_admitted_first():
    class Five:
        def actions(self, state, out):
            out[:] = 10, 20, 30, 40, 50
            return 5

        def player(self, state):
            return 0

        def view(self, state, player):
            return 7

    out = np.zeros(5, np.int64)
    for admitted, order in (([], [10, 20, 30, 40, 50]), ([20, 50], [20, 50, 10, 30, 40]), ([10], [10, 20, 30, 40, 50])):
        book = entered(new_book(5), {(0, 7): admitted})
        assert AdmittedFirst(Five(), book).actions(None, out) == 5
        assert out.tolist() == order


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_a_solution_is_worth_the_same_in_the_whole_game(seed):
    random = np.random.default_rng(seed)
    some = {key: [a for a in actions if random.random() < 0.7] for key, actions in sets_of(GAME).items()}
    small = Restricted(GAME, entered(new_book(GAME.shape().actions), {k: v for k, v in some.items() if v}))
    form = sequence_form(small)
    mixes, plans = [], []
    for tree in form.trees:
        mix, plan = np.ones(tree.sequences()), np.empty(tree.sequences())
        for low, high in zip(tree.first[:-1], tree.first[1:], strict=True):
            mix[low:high] = random.dirichlet(np.ones(high - low))
        write_plan(tree, mix, plan)
        mixes.append(mix)
        plans.append(plan)
    assert expected(GAME, rehearsed(small, form.trees, mixes))[0] == pytest.approx(value_of(form, *plans), abs=1e-12)
