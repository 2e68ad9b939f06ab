"""Hands against a solved spot: what they cost, and that nothing of the other's hand is told before the end."""

import numpy as np
import pytest

import fogtree
from fogtree.errors import FogtreeError
from fogtree.game import new_state
from fogtree.games.spot.ranges import hand_number, read_cards
from fogtree.games.spot.rules import HAND
from fogtree.web.spot_table import SpotTable

BOARD, NUTS = "Td9d6hQc2s", "8s7s"  # of the ranges below nothing beats the straight


@pytest.fixture(scope="module")
def found():
    river = fogtree.spot(BOARD, pot=100, stack=150, oop="AA,KQs,87s", ip="QQ,JTs,AJo", bets="50%; a")
    return fogtree.solve_hands(river, target=1.0)


def held(text):
    return hand_number(*read_cards(text))


def dealt(found, player, hands, *actions):
    """A table at which these hands were dealt and the betting begins so."""
    table = SpotTable(found, 1)
    table.player, table.hands, table.state = player, 1, new_state(found.game)
    for action in (*(held(hand) for hand in hands), *actions):
        found.game.step(table.state, action)
    return table


def act(table, name):
    told = table.told()
    numbers = {words: action for action, words in told["actions"]}
    table.act(told["hands"], told["step"], numbers[name])
    return table.told()


def test_folding_the_best_hand_costs_the_pot_and_both_bets(found):
    # a bet of 50 was raised all in to 150: who calls with the best hand has 100 + 150 + 50 more than who folds
    table = dealt(found, 0, [NUTS, "AhJh"], 1, 2)
    told = act(table, "fold")
    assert told["over"] and told["costs"][-1]["line"] == ["bet 50", "all in 150"]
    assert told["costs"][-1]["cost"] == pytest.approx(300, abs=1e-3) and told["won_now"] == -50, "what was put in"
    assert table.cost == pytest.approx(sum(one["cost"] for one in told["costs"])) and told["costs"][0]["cost"] < 20


def test_calling_with_the_best_hand_costs_nothing_and_wins(found):
    told = act(dealt(found, 0, [NUTS, "AhJh"], 1, 2), "call")
    assert told["won_now"] == 250 and told["other"] == "AhJh"
    assert told["costs"][-1]["cost"] == pytest.approx(0, abs=1e-9)


def test_the_other_plays_as_often_as_the_solution_says(found):
    place = found.at("check")
    want = place.mix[:, np.flatnonzero(place.hands[1] == held("QsQh"))[0]]
    bets = 0
    for seed in range(200):
        table = dealt(found, 0, [NUTS, "QsQh"])
        table._random = np.random.default_rng(seed)
        told = act(table, "check")
        bets += not told["over"]
    assert bets / 200 == pytest.approx(want[1], abs=4 * (0.25 / 200) ** 0.5)


def test_nothing_of_the_other_hand_is_told_before_the_end(found):
    tables = [dealt(found, 0, [NUTS, other], 0, 1) for other in ("QsQh", "JsTs", "AhJh")]
    seen = [table.told() for table in tables]
    assert seen[0] == seen[1] == seen[2] and "other" not in seen[0] and "costs" not in seen[0]
    assert all(act(table, "fold")["other"] != "" for table in tables)


def test_hands_are_dealt_from_the_ranges_and_a_seed_deals_them_again(found):
    def deals(seed):
        table, hands = SpotTable(found, seed), []
        for number in range(12):
            table.deal(number % 2)
            while not table.over():
                told = table.told()
                table.act(told["hands"], told["step"], told["actions"][0][0])
            hands.append(tuple(table.state[HAND : HAND + 2].tolist()))
        return hands

    first = deals(3)
    assert first == deals(3) != deals(4)
    assert all(found.game.weight[0][a] > 0 and found.game.weight[1][b] > 0 for a, b in first) and len(set(first)) > 6


def test_a_second_click_and_a_hand_that_is_left_do_nothing(found):
    table = dealt(found, 0, [NUTS, "AhJh"], 1, 2)
    table.act(1, 0, 0)  # of an earlier step
    table.act(7, table.told()["step"], 0)  # of another hand
    assert not table.over()
    for wrong in (
        lambda: table.deal(0),
        lambda: table.act(1, table.told()["step"], 9),
        lambda: SpotTable(found, 1).deal(2),
    ):
        with pytest.raises(FogtreeError):
            wrong()
