"""Games whose players remember less, against the same games whose players remember all."""

import itertools

import pytest

import fogtree
from fogtree import MCCFR, External, Invalid, Leduc
from fogtree.game import CHANCE, OVER, legal, new_state
from fogtree.games.holdem import Holdem
from fogtree.games.holdem.buckets import Buckets
from fogtree.games.leduc import PRIVATE, PUBLIC, UNDEALT
from fogtree.games.leduc_cards import ByRank
from fogtree.transforms.abstraction import abstract_game, lifted

LEDUC = abstract_game(Leduc(), ByRank())
TINY = Holdem(ranks=3, suits=2, rounds=2, raises=2, hole=1, flop=1)


def test_leduc_by_rank_has_288_information_sets(interpreted):
    # the number usually quoted, against 936 with suits
    count = fogtree.count(LEDUC)
    assert count.infosets == (144, 144) and count.ends == 5_520


def test_an_abstract_game_keeps_the_contract():
    assert fogtree.check(LEDUC).complete
    fogtree.check(abstract_game(Leduc(13, 4), ByRank()), histories=2_000, games=50)


def test_forgetting_suits_loses_nothing_in_leduc(interpreted):
    # the value of the game with suits, -0.085606424 (OpenSpiel's linear program)
    assert fogtree.solve(LEDUC, "lp").value == pytest.approx(-0.085606424, abs=1e-8)


def test_a_strategy_of_the_abstract_game_plays_the_real_one(interpreted):
    strategy = fogtree.solve(LEDUC, "cfr+", iterations=300).strategy
    policy = lifted(strategy, LEDUC)
    assert fogtree.exploitability(Leduc(), policy).total == pytest.approx(fogtree.exploitability(LEDUC, strategy).total)


def test_a_foreign_strategy_is_not_lifted():
    with pytest.raises(Invalid, match="not of"):
        lifted(fogtree.Strategy.uniform(Leduc()), LEDUC)


def test_what_is_no_bucketing_is_refused():
    with pytest.raises(Invalid, match="a bucketing is a NamedTuple with a method `view`"):
        abstract_game(Leduc(), 5)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    return abstract_game(TINY, Buckets(TINY, 2, folder=tmp_path_factory.mktemp("tables")).bucketing)


def test_buckets_of_holdem_make_a_smaller_game_with_perfect_recall(tiny, interpreted):
    # 2 buckets in the first round and 4 sequences in the second, at 2 and 3 * 3 decisions of each player
    assert fogtree.check(tiny).complete
    assert fogtree.count(tiny).infosets == (2 * 2 + 4 * 9,) * 2


@pytest.mark.slow
def test_sampling_and_regrets_agree_in_an_abstract_game(tiny):
    exact = fogtree.solve(tiny, "lp")
    sampled = MCCFR(tiny, External(), seed=1).run(iterations=20_000).strategy()
    found = fogtree.exploitability(tiny, sampled)
    assert found.total < 0.3 and abs(found.value - exact.value) < 0.3


def test_the_abstract_player_is_worse_in_the_real_game_but_plays_by_its_rules(tiny, interpreted):
    plan = fogtree.solve(tiny, "lp").strategy
    inside, outside = fogtree.exploitability(tiny, plan).total, fogtree.exploitability(TINY, lifted(plan, tiny)).total
    assert inside < 1e-6 < outside < fogtree.exploitability(TINY, fogtree.Strategy.uniform(TINY)).total


def test_different_ranks_and_betting_are_remembered_by_different_keys():
    game, keys, known = Leduc(13, 4), set(), 0
    work = [stepped(game, stepped(game, new_state(game), 0), 4)]
    for state in work:  # it grows by each betting, in one deal; the ranks are put in by hand
        player = game.player(state)
        if player == OVER:
            continue
        if player == CHANCE:
            work.append(stepped(game, state, 8))
            continue
        for private, public in itertools.product(range(13), range(13) if state[PUBLIC] != UNDEALT else [None]):
            dealt = state.copy()
            dealt[PRIVATE + player] = 4 * private
            if public is not None:
                dealt[PUBLIC] = 4 * public
            keys.add((int(player), int(ByRank().view(game, dealt, player))))
            known += 1
        work += [stepped(game, state, action) for action in legal(game, state)]
    assert len(keys) == known == 6 * 13 + 30 * 13 * 13


def stepped(game, state, action):
    state = state.copy()
    game.step(state, action)
    return state
