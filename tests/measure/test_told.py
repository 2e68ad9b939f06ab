"""What a strategy says, set by set: against Kuhn's known equilibria and against exact values."""

import pytest

import fogtree as ft
from fogtree.errors import Invalid
from fogtree.measure.told import differences, mixed_words, told

KUHN = ft.Kuhn()


@pytest.fixture(scope="module")
def solved():
    return ft.solve(KUHN)


def row_of(table, player, seen):
    return next(row for row in table.rows if row.player == player and row.seen == seen)


def test_kuhn_is_told_whole(solved):
    table = told(KUHN, solved)
    assert table.complete and len(table.rows) == 12
    # in every equilibrium of Kuhn's game: with the queen player 0 passes; player 1 bets with the king after a pass
    assert row_of(table, 0, "your card: Q\nbetting: none yet").mix == pytest.approx({"pass": 1.0, "bet": 0.0})
    assert row_of(table, 1, "your card: K\nbetting: pass").mix == pytest.approx({"pass": 0.0, "bet": 1.0})
    jack = row_of(table, 1, "your card: J\nbetting: pass")
    assert jack.mix == pytest.approx({"pass": 2 / 3, "bet": 1 / 3})


def test_the_values_of_the_first_sets_add_up_to_that_of_the_game(solved):
    first = [row for row in told(KUHN, solved, player=0).rows if "none yet" in row.seen]
    assert sum(row.reach for row in first) == pytest.approx(1)
    assert sum(row.reach * row.value for row in first) == pytest.approx(-1 / 18)


def test_reach_and_value_by_hand():
    table = told(KUHN, ft.Strategy.uniform(KUHN))
    # K after pass and bet, uniform play: dealt 1/3, each of two moves 1/2; passing then costs 1, betting wins 2
    king = row_of(table, 0, "your card: K\nbetting: pass bet")
    assert (king.reach, king.value) == pytest.approx((1 / 12, 0.5))
    queen = row_of(table, 1, "your card: Q\nbetting: bet")  # against J or K, equally likely; passing costs 1
    assert (queen.reach, queen.value) == pytest.approx((1 / 6, -0.5))


def test_a_set_that_only_an_own_mistake_reaches_has_a_value_and_no_reach():
    game = KUHN
    uniform = told(game, ft.Strategy.uniform(game))
    queen = row_of(uniform, 0, "your card: Q\nbetting: none yet")
    never = ft.Strategy(game, [0], [queen.view], [0, 2], [0, 1], [0.0, 1.0])  # with the queen player 0 never passes
    after = row_of(told(game, never), 0, "your card: Q\nbetting: pass bet")
    assert after.reach == 0 and after.value == pytest.approx(-0.5)


def test_where_others_never_lead_there_is_no_value(solved):
    table = told(KUHN, solved)
    unreached = [row for row in table.rows if row.reach == 0 and row.player == 1]
    assert all(row.value is None for row in unreached)


def test_a_large_game_is_told_from_its_likeliest_histories_on():
    game = ft.Leduc()
    table = told(game, ft.Strategy.uniform(game), most=200)
    assert not table.complete and all(row.value is None for row in table.rows)
    assert max(row.reach for row in table.of(0)) == pytest.approx(1 / 6)  # the first card, one of six


def test_after_begins_elsewhere():
    table = told("kuhn", ft.Strategy.uniform(KUHN), after="J Q pass")
    assert [row.seen for row in table.of(1)] == ["your card: Q\nbetting: pass"]
    assert next(table.of(1)).reach == 1


def test_differences_are_weighed_by_reach(solved):
    uniform = ft.Strategy.uniform(KUHN)
    found = differences(KUHN, solved, uniform)
    assert [one.weight for one in found] == sorted((one.weight for one in found), reverse=True)
    assert found[0].distance == pytest.approx(0.5) and found[0].reach == pytest.approx(1 / 3)
    assert differences(KUHN, uniform, uniform) == []


def test_what_makes_no_sense_is_refused_in_a_sentence(solved):
    with pytest.raises(Invalid, match="there is no player 2: valid are 0 to 1"):
        told(KUHN, solved, player=2)
    with pytest.raises(Invalid, match=r"this is a strategy of Kuhn.*not of Leduc"):
        told("leduc", solved)
    with pytest.raises(Invalid, match="a str is no strategy"):
        told(KUHN, "uniform")


def test_a_mix_in_words():
    assert mixed_words({"pass": 0.25, "bet": 0.75, "fold": 0.0}) == "bet 75.0%, pass 25.0%"
    assert mixed_words({"pass": 1.0, "bet": 0.0}) == "pass"


def test_a_notebook_shows_a_table(solved):
    assert "your card: J" in told(KUHN, solved)._repr_html_()


def test_a_strategy_is_a_mapping(solved):
    strategy = solved.strategy
    assert len(list(strategy)) == len(strategy.keys()) == len(strategy.items()) == len(strategy)
    for key, mix in strategy.items():
        assert key in strategy and strategy[key] == mix and sum(mix.values()) == pytest.approx(1)
    assert (0, 999) not in strategy and "x" not in strategy
