"""Searches in threads: merged by hand, reproducible, stopped together."""

import numpy as np
import pytest

from fogtree.bandits import RegretMatching
from fogtree.errors import Invalid
from fogtree.games import Kuhn, Leduc
from fogtree.measure.exploitability import exploitability
from fogtree.search.trees import tree
from fogtree.search.trees.ismcts import ISMCTS
from fogtree.search.trees.mmcts import MMCTS
from fogtree.search.trees.parallel import Output, at_once, merged
from fogtree.search.trees.tree import ITERATIONS
from search.test_ismcts import tree_of

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


def test_trees_that_pruned_differently_are_matched_by_actions():
    one = output([(0, 5, [0, 1, 4], [0.5, 0.25, 0.25], 4), (0, 6, [2], [1.0], 1)])
    other = output([(0, 6, [1, 2], [0.5, 0.5], 3), (0, 5, [1, 3], [0.5, 0.5], 4)])
    found = merged(Kuhn(), [one, other])
    assert found[0, 5] == pytest.approx({0: 0.25, 1: 0.375, 3: 0.25, 4: 0.125})
    assert found[0, 6] == pytest.approx({1: 0.375, 2: 0.625})  # (1 * 1 + 3 * 0.5) / 4


def test_two_threads_are_two_searches_with_seeds_of_their_own():
    both, alone = ISMCTS(Leduc(), RM, 4).run(iterations=2_001, threads=2), ISMCTS(Leduc(), RM, 4).run(iterations=1_001)
    assert both.iterations == 2_001
    first, second = (searcher.tree for searcher in both.searchers)
    assert first.memory.tolist() == tree_of(alone).memory.tolist()  # the first tree has the larger half
    assert (first.used[ITERATIONS], second.used[ITERATIONS]) == (1_001, 1_000)
    strategy, (view, player) = both.strategy(), (int(both.strategy().view[3]), int(both.strategy().player[3]))
    assert strategy[player, view] == pytest.approx(both.policy(player, view))


def test_every_thread_draws_from_a_stream_of_its_own():
    # with as many iterations each, the trees would be equal if the streams were
    search = ISMCTS(Leduc(), RM, 4).run(iterations=3_000, threads=3)
    trees = [searcher.tree.memory[:1_000].tolist() for searcher in search.searchers]
    assert trees[0] != trees[1] and trees[1] != trees[2] and trees[0] != trees[2]
    alone = ISMCTS(Leduc(), RM, 4).run(iterations=1_000)
    assert trees[0] == tree_of(alone).memory[:1_000].tolist()  # the first has the seed itself


@pytest.mark.parametrize(
    "make", [lambda: ISMCTS(Leduc(), RM, 4), lambda: MMCTS(Leduc(), seed=4)], ids=["ismcts", "mmcts"]
)
def test_threads_reproduce_however_the_work_is_cut(make):
    whole, cut = make().run(iterations=3_000, threads=3), make()
    for part in (1, 999, 2_000):
        cut.run(iterations=part, threads=3)
    assert whole.strategy().probability.tolist() == cut.strategy().probability.tolist()
    assert whole.iterations == cut.iterations == 3_000


def test_what_threads_learn_is_worth_about_as_much():
    one, two = (MMCTS(Leduc(), seed=1).run(iterations=400_000, threads=threads).strategy() for threads in (1, 2))
    alone, both = (exploitability(Leduc(), strategy).total for strategy in (one, two))
    assert both < 1.5 * alone


def test_visits_are_counted():
    search = ISMCTS(Kuhn(), RM, 1).run(iterations=500)
    first = tree.output(tree_of(search), RM).visits.tolist()
    kept = (search.remembered(*owner(search, i)) for i in range(12))
    counted = [memory[len(actions) :].sum() for actions, memory in kept]
    assert first == pytest.approx(counted)  # regret matching adds up its mixes, one a visit


def owner(search, i):
    out = search.strategy()
    return int(out.player[i]), int(out.view[i])


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
        with pytest.raises(Invalid, match="threads must be a whole number of 1 or more"):
            ISMCTS(Kuhn(), RM).run(iterations=1, threads=threads)
