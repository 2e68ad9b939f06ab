"""What decisions of a hand cost against a solution."""

import numpy as np
import pytest

import fogtree as ft
from fogtree.arena.agents import SolvedAgent
from fogtree.arena.sight import sight
from fogtree.errors import Invalid
from fogtree.game import CHANCE, OVER, legal, odds
from fogtree.games.spot import spot
from fogtree.games.spot.ranges import hand_number, read_cards
from fogtree.solvers.public.hand_costs import decision_costs, played_at
from fogtree.solvers.public.hand_solution import solve_hands

SMALL = {"oop": "AcAd,KhJh,Tc9c,8c7c:0.5", "ip": "QhQd,JcTc,9h8h,AhKs:0.25"}
RIVER = spot("Td9d6hQc2s", pot=20, stack=35, bets="50%, a", **SMALL)


@pytest.fixture(scope="module")
def river():
    return solve_hands(RIVER, target=0.2)


@pytest.mark.parametrize("me", [0, 1])
def test_costs_add_up_to_what_bad_play_loses(river, me):
    # the performance difference lemma: of a player who acts at random, the sum over decisions of the worth of the action less
    # that of the solution's mix is on average what the player loses against the solution; the mean is over the whole tree
    loss = gain = 0.0

    def walk(state, chance):
        nonlocal loss, gain
        player = RIVER.player(state)
        if player == OVER:
            gain += chance * RIVER.payoff(state, me)
            for cost in decision_costs(river, state, me):
                assert cost.loss == pytest.approx(max(cost.worth) - cost.worth[cost.taken])
                loss += chance * (cost.worth[cost.taken] - cost.mix @ cost.worth)
            return
        actions = legal(RIVER, state)
        if player == CHANCE:
            shares = odds(RIVER, state)
        elif player == me:
            shares = [1 / len(actions)] * len(actions)
        else:
            mixed = played_at(river, state, player)
            shares = [mixed[action] for action in actions]
        for action, share in zip(actions, shares, strict=True):
            after = state.copy()
            RIVER.step(after, action)
            if share > 0:
                walk(after, chance * share)

    walk(ft.new_state(RIVER), 1.0)
    assert loss == pytest.approx(gain - river.payoffs[me], abs=1e-4)
    assert loss < -1  # random play loses


def test_a_turn_that_stands_for_another_is_judged_with_its_own_cards():
    game = spot("Td9d6d", pot=20, stack=30, bets="a", oop="AA,87s", ip="KK,QJs")
    found = solve_hands(game, iterations=10)
    state = ft.new_state(game)
    game.step(state, hand_number(*read_cards("AhAc")))
    game.step(state, hand_number(*read_cards("KsKc")))
    for action in (0, 0, read_cards("3s")[0], 0, 1, 1):
        game.step(state, action)
    costs = decision_costs(found, state)
    assert [(cost.player, cost.actions[cost.taken]) for cost in costs] == [
        (0, "check"), (1, "check"), (0, "check"), (1, "all in 30"), (0, "call"),
    ]  # fmt: skip
    place = found.at("check, check, check, all in", "3s")
    column = place.hands[0].tolist().index(hand_number(*read_cards("AhAc")))
    assert costs[-1].worth == pytest.approx(place.worth[:, column])
    assert costs[-1].line == ["check", "check", "check", "all in 30"]
    assert len(decision_costs(found, state, 1)) == 2


def test_the_agent_of_a_solution_plays_its_mix_and_no_other_game(river):
    agent = SolvedAgent(river, 7)
    state = ft.new_state(RIVER)
    RIVER.step(state, hand_number(*read_cards("AcAd")))
    RIVER.step(state, hand_number(*read_cards("JcTc")))
    place = river.at()
    column = place.hands[0].tolist().index(hand_number(*read_cards("AcAd")))
    seen = sight(RIVER, state, 0)
    assert agent.mix(seen) == pytest.approx(dict(enumerate(place.mix[:, column])))
    drawn = np.bincount([agent.act(seen) for _ in range(300)], minlength=3) / 300
    assert drawn == pytest.approx(place.mix[:, column], abs=0.1)
    with pytest.raises(Invalid, match="another player is to move"):
        played_at(river, state, 1)
    with pytest.raises(Invalid, match="this is a solution of spot/"):
        agent.fits(spot("Td9d6hQc2s", **SMALL))
