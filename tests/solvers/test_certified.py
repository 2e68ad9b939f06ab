"""Equilibria that come with the package: what their files promise is measured again, and no set is left without an answer."""

import numpy as np
import pytest

import fogtree as ft
from fogtree.errors import Invalid
from fogtree.game import OVER, identity, legal, new_state
from fogtree.solvers.certified import SHIPPED, Certified, certified, file_name, shipped
from fogtree.strategy import Strategy

QUICK = ["kuhn", "leduc", "liars-dice", "dark-hex", "goofspiel:cards=2", "goofspiel:cards=5", "goofspiel", "small-army"]


def stored(name):
    return Certified.load(SHIPPED / file_name(name))


@pytest.mark.parametrize("name", QUICK)
def test_exploitability_confirms_the_certificate_of_a_stored_equilibrium(name):
    found = stored(name)
    measured = ft.exploitability(name, found.strategy)
    assert measured.values[0] == pytest.approx(found.high, abs=1e-12)
    assert -measured.values[1] == pytest.approx(found.low, abs=1e-12)
    assert found.low - 1e-12 <= found.value <= found.high + 1e-12


def test_the_values_of_the_box_are_those_of_the_literature():
    # Kuhn 1950; Southey et al. 2005 (Leduc, as OpenSpiel has it); OpenSpiel's value of Liar's Dice; Goofspiel is symmetric
    known = {"kuhn": -1 / 18, "leduc": -0.0856064, "liars-dice": -0.0271319, "goofspiel": 0.0, "dark-hex": 1.0}
    for name, value in known.items():
        assert stored(name).value == pytest.approx(value, abs=1e-6)


@pytest.mark.parametrize("name", ["kuhn", "leduc", "goofspiel:cards=4"])
def test_whatever_the_other_does_a_stored_strategy_has_an_answer(name):
    game, plan = ft.load(name), stored(name).strategy
    for me in (0, 1):
        waiting, asked = [new_state(game)], 0
        while waiting:
            state = waiting.pop()
            player = game.player(state)
            if player == OVER:
                continue
            actions = legal(game, state)
            if player == me and len(actions) > 1:
                asked += 1
                mix = plan[me, int(game.view(state, me))]  # a KeyError is a set without an answer
                actions = [action for action in actions if mix.get(action, 0.0) > 0]
            for action in actions:
                child = state.copy()
                game.step(child, action)
                waiting.append(child)
        assert asked > 0


def test_every_file_belongs_to_the_rules_as_they_are_now_and_is_small():
    hidden = {"phantom-ttt", "phantom-ttt:rules=abrupt", "dark-hex", "dark-hex:abrupt=true"}
    assert {"kuhn", "leduc", "liars-dice", "goofspiel", *hidden} <= set(shipped())
    for name in shipped():
        found, game = stored(name), ft.load(name)
        assert found.game == identity(game) and found.command.startswith("fogtree solve ")
        assert found.total <= 0.001 * (game.shape().high - game.shape().low)
        assert (SHIPPED / file_name(name)).stat().st_size < 500_000


def test_a_strategy_comes_back_from_few_bytes_as_it_was(tmp_path):
    view = [5, -(2**63), 2**63 - 1, 7]  # keys that are hashes have the highest bit
    plan = Strategy(
        "a game", [1, 0, 0, 1], view, [0, 2, 3, 5, 6], [0, 3, 300, 1, 2, 9], [0.1, 0.9, 1.0, 1 / 3, 2 / 3, 1.0]
    )
    Certified("a game", "name", plan, 0.5, 0.25, 0.75, "lp", "fogtree solve name").save(tmp_path / "x.npz")
    back = Certified.load(tmp_path / "x.npz")
    assert dict(back.strategy.items()) == dict(plan.items())
    assert (back.value, back.low, back.high, back.command) == (0.5, 0.25, 0.75, "fogtree solve name")


def test_small_games_are_solved_when_they_are_asked_for_and_others_are_not():
    found = certified("matrix:payoffs=[[0,1,-1],[-1,0,1],[1,-1,0]]")
    assert np.allclose(found.strategy.probability, 1 / 3)
    assert certified("goofspiel:cards=7") is None and certified("kuhn:players=3") is None


def test_a_file_of_another_kind_is_refused_in_a_sentence(tmp_path):
    ft.Strategy.uniform(ft.Kuhn()).save(tmp_path / "x.npz")
    with pytest.raises(Invalid, match="it is a strategy"):
        Certified.load(tmp_path / "x.npz")
