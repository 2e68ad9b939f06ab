"""The sequence form of any game: values, best responses and NashConv, by published equilibria and by other programs."""

from typing import NamedTuple

import numpy as np
import pytest
from kuhn_family import GAME as TRIO
from kuhn_family import equilibrium

import fogtree
from fogtree import OVER, Invalid, Shape, Strategy, TooLarge, best_response, exploitability
from fogtree.solvers.forms.expected import expected
from fogtree.solvers.forms.general import general_form, plans_of

KUHN, DILEMMA = fogtree.Kuhn(), fogtree.load("bimatrix")


@pytest.fixture(scope="module")
def trio():
    return general_form(TRIO)


@pytest.mark.parametrize(
    "b11, b21, b32, c34", [(0, 0, 0.5, 0), (0, 1 / 4, 0.25, 1), (1 / 8, 1 / 4, 0.6, 0.5), (0.2, 0.2, 0.8, 1)]
)
def test_published_equilibria_of_three_player_kuhn_poker_are_equilibria(trio, b11, b21, b32, c34):
    # Szafron, Gibson and Sturtevant 2013
    plans, missing = plans_of(trio, equilibrium(b11, b21, b32, c34))
    assert missing == (0, 0, 0)
    assert max(plans.gains()) == pytest.approx(0, abs=1e-12)
    assert plans.values() == pytest.approx((-1 / 48 - b21 / 24, -1 / 48, 1 / 24 + b21 / 24), abs=1e-12)


def test_outside_the_family_somebody_gains(trio):
    plans, _ = plans_of(trio, equilibrium(0.25, 0.1))  # b_11 is at most b_21
    assert sum(plans.gains()) > 1e-3


def test_uniform_play_of_three_players_has_the_nash_conv_that_openspiel_finds(trio):
    pyspiel = pytest.importorskip("pyspiel")
    theirs = pyspiel.load_game("kuhn_poker(players=3)")
    found = exploitability(trio, Strategy.uniform(TRIO))
    assert found.total == pytest.approx(pyspiel.nash_conv(theirs, pyspiel.UniformRandomPolicy(theirs)), abs=1e-12)
    assert found.mean == pytest.approx(found.total / 3) and found.missing == (16, 16, 16)


def test_two_players_for_zero_are_measured_alike_in_both_forms():
    uniform = Strategy.uniform(KUHN)
    one, other = exploitability(KUHN, uniform), plans_of(general_form(KUHN), uniform)[0]
    assert other.gains() == pytest.approx(one.gains, abs=1e-12)
    assert other.values() == pytest.approx((one.value, -one.value), abs=1e-12)


@pytest.mark.parametrize("game", [TRIO, DILEMMA], ids=fogtree.name)
def test_streaming_finds_the_same_gains_and_responses_as_memory(game, interpreted):
    strategy = equilibrium(0.25, 0.1) if game is TRIO else Strategy.uniform(game)
    kept, streamed = (exploitability(game, strategy, engine=engine) for engine in ("memory", "stream"))
    assert streamed.gains == pytest.approx(kept.gains, abs=1e-12) and streamed.total == pytest.approx(sum(kept.gains))
    assert streamed.value == pytest.approx(kept.value, abs=1e-12)
    assert (kept.engine, streamed.engine, streamed.missing) == ("memory", "stream", None)
    for player, value in enumerate(kept.values):
        answers = [best_response(game, strategy, player, engine=engine) for engine in ("memory", "stream")]
        for answer in answers:
            assert answer.value == pytest.approx(value, abs=1e-12)
            assert set(answer.strategy.player) == {player}


def test_a_best_response_gets_what_it_says(trio, interpreted):
    strategy = equilibrium(0.25, 0.1)
    answer = best_response(trio, strategy, 2)
    rows = {key: row for key, row in strategy.items() if key[0] != 2} | dict(answer.strategy.items())
    assert expected(TRIO, as_strategy(TRIO, rows))[2] == pytest.approx(answer.value, abs=1e-12)


def as_strategy(game, rows):
    width = [len(row) for row in rows.values()]
    actions = [action for row in rows.values() for action in sorted(row)]
    odds = [row[action] for row in rows.values() for action in sorted(row)]
    first = np.concatenate([[0], np.cumsum(width)])
    return Strategy(game, [player for player, _ in rows], [view for _, view in rows], first, actions, odds)


def test_uniform_prisoners_expect_the_mean_of_the_matrix(interpreted):
    assert expected(DILEMMA, Strategy.uniform(DILEMMA)) == pytest.approx((-1.5, -1.5))


class Loose(NamedTuple):
    """Three players who say that they play for zero, and do not."""

    def shape(self):
        return Shape(3, 1, 2, 1, -1.0, 1.0)

    def start(self, state):
        state[0] = 0

    def player(self, state):
        return OVER if state[0] else 0

    def actions(self, state, out):
        out[0], out[1] = 0, 1
        return 2

    def step(self, state, action):
        state[0] = 1

    def payoff(self, state, player):
        return 0.5

    def view(self, state, player):
        return state[0] + 1


def test_a_false_claim_of_zero_sum_is_found(interpreted, unchecked):
    with pytest.raises(Invalid, match="Loose is not zero-sum"):
        general_form(Loose())


def test_a_game_that_does_not_fit_is_refused(interpreted):
    with pytest.raises(TooLarge, match=r"many-kuhn:players=4 does not fit in 0\.0 GiB"):
        general_form("kuhn:players=4", memory=10_000)


def test_a_player_who_is_not_there_does_not_respond():
    with pytest.raises(Invalid, match="a player is 0, 1 or 2, not 3"):
        best_response(TRIO, Strategy.uniform(TRIO), 3)


def test_a_search_for_a_response_needs_two_players_and_zero_sum():
    with pytest.raises(Invalid, match="many-kuhn has 3 players"):
        exploitability(TRIO, Strategy.uniform(TRIO), engine="search")
