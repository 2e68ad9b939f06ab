"""Buckets as types: the matrices are those of the abstract game, and its strategies are strategies of it."""

import numpy as np
import pytest

from fogtree import exploitability
from fogtree.games.holdem import Holdem
from fogtree.games.holdem.buckets import Buckets
from fogtree.solvers.public.betting import BettingForm, betting_tree, nested
from fogtree.solvers.public.deal_matrices import all_boards, count_matrices
from fogtree.solvers.public.lines import TypePlan
from fogtree.solvers.public.matrix_cfr import MatrixCFR
from fogtree.solvers.public.public_response import PublicResponse
from fogtree.solvers.public.small_form import strategy_of
from fogtree.solvers.streamed.stream import stream_response
from fogtree.transforms.abstraction import abstract_game, lifted

pytestmark = pytest.mark.usefixtures("interpreted")  # compiling would take longer than all of it

GAME, K = Holdem(ranks=3, suits=2, rounds=2, raises=2, flop=1), 2


def bucket_views(tree):
    """views(node): what a player with each sequence of buckets remembers, as `Bucketing.view` keys it."""

    def views(node):
        key, stage = 1, int(tree.stage[node])
        for action in tree.line(node):
            key = 3 * key + action
        return (key * K**GAME.rounds + np.arange(K ** (stage + 1))) * (GAME.rounds + 1) + stage + 1

    return views


@pytest.fixture(scope="module")
def solved(tmp_path_factory):
    buckets = Buckets(GAME, K, folder=tmp_path_factory.mktemp("tables"))
    deck, tree = buckets.cards, betting_tree(GAME)
    joint, edge = count_matrices(deck, K**2, all_boards(deck))
    form = BettingForm("small", tree, joint, edge, (nested(K, 2), nested(K, 2)))
    cfr = MatrixCFR(form, "cfr+", dtype=np.float64).run(iterations=10)
    abstract = abstract_game(GAME, buckets.bucketing)
    return deck, cfr, abstract, strategy_of(abstract, tree, cfr.table, bucket_views(tree))


def test_the_certificate_is_what_the_abstract_game_says(solved, interpreted):
    _, cfr, abstract, strategy = solved
    low, value, high = cfr.bounds()
    found = exploitability(abstract, strategy)
    assert found.missing == (0, 0)
    assert found.value == pytest.approx(value, abs=1e-9)
    assert found.values == pytest.approx((high, -low), abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("player", [0, 1])
def test_its_best_response_in_the_real_game_is_that_of_the_whole_walk(solved, player):
    deck, cfr, abstract, strategy = solved
    plan = TypePlan(cfr.form.tree, cfr.form.cuts[1 - player], cfr.table)
    streamed = stream_response(GAME, lifted(strategy, abstract), player).value
    assert PublicResponse(deck, plan, player).value() == pytest.approx(streamed, abs=1e-9)
