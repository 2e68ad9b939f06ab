"""Searches in threads: merged by hand, reproducible, stopped together."""

import numpy as np
import pytest

from fogtree.bandits import RegretMatching
from fogtree.errors import Invalid
from fogtree.games import Kuhn, Leduc
from fogtree.measure.exploitability import exploitability
from fogtree.search.ismcts import ISMCTS
from fogtree.search.mmcts import MMCTS
from fogtree.search.parallel import Output, at_once, merged

RM = RegretMatching()


def output(rows):
    """player, view, actions, mix, visits of each set."""
    player, view, actions, mixes, visits = zip(*rows, strict=True)
    first = np.cumsum([0, *map(len, actions)])
    arrays = (player, view, first, np.concatenate(actions), np.concatenate(mixes), visits)
    return Output(*map(np.array, arrays))


def test_mixes_are_weighted_by_visits():
    one = output([(1, 5, [0, 2], [0.5, 0.5], 30), (0, 5, [0, 1], [1.0, 0.0], 3), (0, 9, [1, 2, 3], [0.2, 0.3, 0.5], 7)])
    other = output([(0, 5, [0, 1], [0.2, 0.8], 1), (1, 5, [0, 2], [0.9, 0.1], 10), (0, -7, [4, 6], [0.4, 0.6], 2)])
    found = merged(Kuhn(), [one, other])
    assert len(found) == 4
    assert found[0, 5] == pytest.approx({0: 0.8, 1: 0.2})  # (3 * 1.0 + 1 * 0.2) / 4
    assert found[1, 5] == pytest.approx({0: 0.6, 2: 0.4})  # (30 * 0.5 + 10 * 0.9) / 40
    assert found[0, 9] == pytest.approx({1: 0.2, 2: 0.3, 3: 0.5}) and found[0, -7] == {4: 0.4, 6: 0.6}


def test_two_threads_are_two_searches_with_seeds_of_their_own():
    both, alone = ISMCTS(Leduc(), RM, 4).run(iterations=2_001, threads=2), ISMCTS(Leduc(), RM, 4).run(iterations=1_001)
    assert both.iterations == 2_001
    assert both._tree.memory.tolist() == alone._tree.memory.tolist()  # the first tree has the larger half
    assert both._crew[0]._tree.used[3] == 1_000
    assert both._crew[0]._tree.memory.tolist() != both._tree.memory.tolist()
    strategy, (view, player) = both.strategy(), (int(both.strategy().view[3]), int(both.strategy().player[3]))
    assert strategy[player, view] == pytest.approx(both.policy(view, player))


@pytest.mark.parametrize("make", [lambda: ISMCTS(Leduc(), RM, 4), lambda: MMCTS(Leduc(), 4)], ids=["ismcts", "mmcts"])
def test_threads_reproduce_however_the_work_is_cut(make):
    budget = "simulations" if isinstance(make(), MMCTS) else "iterations"
    whole, cut = make().run(**{budget: 3_000}, threads=3), make()
    for part in (1, 999, 2_000):
        cut.run(**{budget: part}, threads=3)
    assert whole.strategy().probability.tolist() == cut.strategy().probability.tolist()
    assert whole.iterations == cut.iterations == 3_000


def test_what_threads_learn_is_worth_about_as_much():
    one, two = (MMCTS(Leduc(), 1).run(simulations=400_000, threads=threads).strategy() for threads in (1, 2))
    alone, both = (exploitability(Leduc(), strategy).total for strategy in (one, two))
    assert both < 1.5 * alone


def test_visits_are_counted():
    search = ISMCTS(Kuhn(), RM, 1).run(iterations=500)
    first = [search._tree.row[i, 3] for i in range(search.infosets) if search.remembered(*owner(search, i)) is not None]
    counted = [
        memory[len(actions) :].sum() for actions, memory in (search.remembered(*owner(search, i)) for i in range(12))
    ]
    assert first == pytest.approx(counted)  # regret matching adds up its mixes, one a visit


def owner(search, i):
    out = search.strategy()
    return int(out.view[i]), int(out.player[i])


def test_caps_are_shared():
    search = ISMCTS(Leduc(), RM, sets=100).run(iterations=4_000, threads=2)
    assert search.infosets <= 100 and search.iterations == 4_000
    assert "the tree stopped growing at the cap of 50" in search.note


def test_progress_that_raises_stops_all_threads():
    class Enough(Exception):
        pass

    def stop(iterations):
        raise Enough

    search = ISMCTS(Leduc(), RM)
    with pytest.raises(Enough):
        search.run(iterations=10**12, threads=2, progress=stop)
    assert search.run(iterations=10, threads=2).iterations < 10**8


def test_an_error_in_any_thread_is_told():
    def fails(look):
        raise Invalid("no")

    def goes_on(look):
        while True:
            look()

    for work in ([goes_on, fails], [fails, goes_on], [goes_on, goes_on, fails]):
        with pytest.raises(Invalid, match="no"):
            at_once(work)


def test_bad_threads_are_one_sentence():
    for threads in (0, -1, 1.5):
        with pytest.raises(Invalid, match="threads are a whole number of 1 or more"):
            ISMCTS(Kuhn(), RM).run(iterations=1, threads=threads)
