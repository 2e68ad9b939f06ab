"""Hold'em before the flop: equities all in, the game, and the charts that are published."""

import itertools
import re

import numpy as np
import pytest

import fogtree as ft
from fogtree.errors import Invalid
from fogtree.games.holdem.cards import bit
from fogtree.games.holdem.deck import strengths
from fogtree.games.preflop import preflop
from fogtree.games.preflop.all_in import BOARDS, count_boards, equity, kind_of, names, pairs
from fogtree.games.preflop.charts import charts_of
from fogtree.games.registry import load, name
from fogtree.games.spot.ranges import CARDS, held, read_cards
from fogtree.solvers.solution import solve

AT = {called: i for i, called in enumerate(names())}

# The pusher's chart of HoldemResources.net, as copied by several pages on push-or-fold: the highest stack in big blinds with
# which a hand is pushed, in rows of the grid; 20+ for 20 or more; hands with a star have gaps.
CHART = """
20+ 20+ 20+ 20+ 20+ 20+ 20+ 20+ 20+ 20+ 20+ 20+ 20+
20+ 20+ 20+ 20+ 20+ 20+ 20+ 20+ 20+ 20+ 20+ 19.9 19.3
20+ 20+ 20+ 20+ 20+ 20+ 20+ 20+ 20+ 20+ 16.3 13.5 12.7
20+ 20+ 20+ 20+ 20+ 20+ 20+ 20+ 18.6 14.7 13.5 10.6 8.5
20+ 20+ 20+ 20+ 20+ 20+ 20+ 20+ 20+ 11.9 10.5 7.7 6.5
20+ 20+ 20+ 20+ 20+ 20+ 20+ 20+ 20+ 14.4 6.9 4.9 3.7
20+ 18.0 13.0 13.3 17.5 20+ 20+ 20+ 20+ 18.8 10.1 2.7 2.5
20+ 16.1 10.3 8.5 9.0 10.8 14.7 20+ 20+ 20+ 13.9 2.5 2.1
20+ 15.1 9.6 6.5 5.7 5.2 7.0 10.7 20+ 20+ 16.3 * 2.0
20+ 14.2 8.9 6.0 4.1 3.5 3.0 2.6 2.4 20+ 20+ * 2.0
20+ 13.1 7.9 5.4 3.8 2.7 2.3 2.1 2.0 2.1 20+ * 1.8
20+ 12.2 7.5 5.0 3.4 2.5 1.9 1.8 1.7 1.8 1.6 20+ 1.7
20+ 11.6 7.0 4.6 2.9 2.2 1.8 1.6 1.5 1.5 1.4 1.4 20+
"""


def test_the_kinds_are_the_grid_of_169():
    assert names()[:3] == ("AA", "AKs", "AQs") and names()[13:15] == ("AKo", "KK") and names()[-1] == "22"
    counted = np.bincount(kind_of())
    assert [counted[AT[kind]] for kind in ("AA", "AKs", "AKo")] == [6, 4, 12]
    assert pairs().sum() == 1326 * 1225


def test_known_equities():
    # well-known numbers: aces against a random hand 85.20 %, three-deuce offsuit 32.30 %; aces against kings 81.95 %
    random = (equity() * pairs()).sum(axis=1) / pairs().sum(axis=1)
    assert random[AT["AA"]] == pytest.approx(0.85204, abs=1e-5)
    assert random[AT["32o"]] == pytest.approx(0.32303, abs=1e-5)
    assert random.argmin() == AT["32o"]
    assert equity()[AT["AA"], AT["KK"]] == pytest.approx(0.81946, abs=1e-5)
    assert equity() + equity().T == pytest.approx(np.ones((169, 169)))


def test_an_equity_is_that_of_all_boards():
    hand, won, seen = read_cards("AhKh"), 0.0, 0
    single = np.array([int(bit(card, 4)) for card in range(CARDS)])
    for queens in ("QcQd", "QcQh"):  # three pairs of queens without the queen of hearts, and three with it
        other = read_cards(queens)
        left = [card for card in range(CARDS) if card not in (*hand, *other)]
        boards = np.fromiter(itertools.chain.from_iterable(itertools.combinations(left, 5)), np.int64).reshape(-1, 5)
        assert len(boards) == BOARDS
        laid, values = single[boards].sum(axis=1), []
        for cards in (hand, other):
            found = np.zeros(len(boards), np.int64)
            strengths(laid, np.int64(single[cards].sum()), found)
            values.append(found)
        won += ((values[0] > values[1]) + 0.5 * (values[0] == values[1])).sum()
        seen += len(boards)
    assert equity()[AT["AKs"], AT["QQ"]] == pytest.approx(won / seen, abs=1e-12)


@pytest.mark.slow
def test_the_counts_of_a_small_deck_are_those_of_all_its_boards():
    # 16 cards, tens to aces: every board and pair of hands, one by one
    cards = range(36, 52)
    single = np.array([int(bit(card, 4)) for card in range(CARDS)])
    sets = single[held()[:, 0]] | single[held()[:, 1]]
    inside = np.isin(held(), cards).all(axis=1)
    orders = np.array(list(itertools.permutations(range(4))), np.int64)
    won = np.zeros((169, 169), np.int64)
    small = np.where(inside, sets, np.int64(-1))  # all other hands share a card with every board
    for first in range(36, 48):
        count_boards(first, single, orders, small, held(), kind_of(), won)
    wanted = np.zeros((169, 169), np.int64)
    numbers, kind = np.flatnonzero(inside), kind_of()
    value = np.zeros(len(numbers), np.int64)
    for board in itertools.combinations(cards, 5):
        public = np.int64(single[list(board)].sum())
        free = numbers[(sets[numbers] & public) == 0]
        value = np.zeros(len(free), np.int64)
        strengths(sets[free], public, value)
        beats = (value[:, None] > value[None]) & ((sets[free][:, None] & sets[free][None]) == 0)
        a, b = np.nonzero(beats)
        np.add.at(wanted, (kind[free[a]], kind[free[b]]), 1)
    assert (won == wanted).all() and won.sum() > 0


@pytest.fixture(scope="module")
def ten():
    game = preflop(10.0)
    return game, solve(game, "lp")


@pytest.mark.parametrize("stack", [10.0, 15.0])
def test_the_published_push_or_fold_chart(stack):
    game = preflop(stack)
    found = solve(game, "lp")
    assert abs(found.total) < 1e-9
    push, compared = charts_of(game, found.strategy)[0].mix[:, 1], 0
    for kind, told in enumerate(re.findall(r"\S+", CHART)):
        if told != "*":
            compared += 1
            assert (push[kind] > 0.5) == (told == "20+" or float(told) > stack), names()[kind]
    assert compared == 166


def test_the_big_blind_calls_q2o_up_to_5_6_big_blinds():
    # HoldemResources.net, "Using the Nash Charts": the value of Q2o is 5.6
    for stack, calls in ((5.5, 1.0), (5.7, 0.0)):
        game = preflop(stack)
        chart = charts_of(game, solve(game, "lp").strategy)[1]
        assert (chart.player, chart.line, chart.actions) == (1, "SB all in", ["fold", "call"])
        assert chart.mix[AT["Q2o"], 1] == pytest.approx(calls)


def test_payoffs_with_raises_and_antes():
    game = load("preflop/15:raises=[2;3],ante=0.25")
    assert name(game) == "preflop/15:raises=[2;3],ante=0.25"
    aces, kings = AT["AA"], AT["KK"]
    for line, paid in (
        (["fold"], -0.75),
        (["raise to 3", "fold"], 1.25),
        (["raise to 2", "all in", "fold"], -2.25),
        (["raise to 2", "all in", "call"], 15 * (2 * equity()[aces, kings] - 1)),
        (["all in", "fold"], 1.25),
        (["all in", "call"], 15 * (2 * equity()[aces, kings] - 1)),
    ):
        state = ft.new_state(game)
        for kind in (aces, kings):
            game.step(state, kind)
        for word in line:
            game.step(state, {game.label(state, a): a for a in ft.game.legal(game, state)}[word])
        assert game.payoff(state, 0) == pytest.approx(paid) == -game.payoff(state, 1)
        assert not ft.game.legal(game, state)


def test_more_sizes_never_hurt_the_small_blind(ten):
    game = preflop(10.0, raises=(2.0,))
    assert solve(game, "lp").value >= ten[1].value - 1e-9


def test_charts_weigh_hands_by_the_cards_that_are_left(ten):
    first, second = charts_of(ten[0], ten[1].strategy)
    assert first.weight.sum() == pytest.approx(1) and second.weight.sum() == pytest.approx(1)
    # 58.3 % of all hands is what players know for 10 big blinds
    assert first.played()[1] == pytest.approx(0.583, abs=5e-4)


def test_it_keeps_the_contract():
    ft.check(preflop(5.0), histories=3000, games=3)


def test_a_name_has_all_digits():
    game = preflop(10.1234567, raises=(2.0000001, 2.0000002), ante=0.12345678)
    assert name(load(name(game))) == name(game)
    assert load(name(game)).labels == game.labels
    assert len(set(game.labels.words[1:5])) == 4  # fold, two raises, all in
    assert name(preflop(np.int64(12), raises=(2,))) == "preflop/12:raises=[2]"


def test_what_is_no_game_is_one_sentence():
    for text in ("1", "x", "10:raises=[1]", "10:raises=[10]", "10:ante=-1", "10:size=2", "5000", "nan"):
        with pytest.raises(Invalid):
            load(f"preflop/{text}")
    assert re.fullmatch(r"preflop/12\.5", name(preflop(12.5)))
