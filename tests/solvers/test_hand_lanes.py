"""Vector CFR in lanes is vector CFR: the CPU runs the lanes that a GPU would."""

import numpy as np
import pytest

import fogtree as ft
from fogtree.games.spot import spot
from fogtree.solvers.forms.infosets import TooLarge
from fogtree.solvers.public.hand_lanes import VectorLanes
from fogtree.solvers.public.public_form import public_form
from fogtree.solvers.public.vector_cfr import VectorCFR
from typed import DrawnPlan

GAMES = {
    "leduc": ft.Leduc(),
    "turn": spot(
        "Td9d6hQc", pot=20, stack=35, bets="50%, a", oop="AcAd,KhJh,Tc9c,8c7c:0.5", ip="QhQd,JcTc,9h8h,AhKs:0.25"
    ),
    "flop": spot("Td9d6h", pot=20, stack=30, bets="a", oop="AA,87s", ip="KK,QJs"),
}


@pytest.mark.parametrize(("name", "rule"), [("leduc", "pdcfr+"), ("turn", "dcfr"), ("flop", "cfr")])
def test_lanes_find_the_same_numbers(name, rule):
    form = public_form(GAMES[name])
    plain, lanes = VectorCFR(form, rule, dtype=np.float64), VectorLanes(form, rule, dtype=np.float64)
    for more in (1, 1):  # later, roundings decide between hands that are worth the same
        plain.run(iterations=more)
        lanes.run(iterations=more)
        assert lanes.bounds() == pytest.approx(plain.bounds(), abs=1e-9)
    node = int(np.flatnonzero(form.node == 0)[0])
    assert lanes.table(0, node) == pytest.approx(plain.table(0, node), abs=1e-9)
    for mine, theirs in zip(lanes.rows_at(0, node, 0), plain.rows_at(0, node, 0), strict=True):
        assert mine == pytest.approx(theirs, abs=1e-9)


def test_many_iterations_go_in_parts(tmp_path):
    form = public_form(GAMES["leduc"])
    lanes = VectorLanes(form, "dcfr", dtype=np.float64).run(iterations=150)
    low, _, high = lanes.bounds()
    assert low <= -0.0856064 <= high and high - low < 0.02
    lanes.save(tmp_path / "x.npz")
    again = VectorLanes(form, "dcfr", dtype=np.float64)
    again.resume(tmp_path / "x.npz")
    assert again.bounds() == pytest.approx(lanes.bounds(), abs=1e-9)


def test_the_certificate_after_ctrl_c_is_that_of_the_strategy_that_is_told(monkeypatch):
    # what was learned was here, for a checkpoint, and what came after it stayed on the device
    lanes = VectorLanes(public_form(GAMES["leduc"]), dtype=np.float64).run(iterations=2)
    lanes.strategy()
    once = lanes._replay.run

    def interrupted(times):
        once(1)
        raise KeyboardInterrupt

    monkeypatch.setattr(lanes._replay, "run", interrupted)
    with pytest.raises(KeyboardInterrupt):
        lanes.run(iterations=5)
    low, _, high = lanes.bounds()
    assert ft.exploitability(GAMES["leduc"], lanes.strategy()).total == pytest.approx(high - low, abs=1e-9)


def test_a_spot_that_does_not_fit_on_the_gpu_is_one_sentence(monkeypatch):
    form = public_form(GAMES["turn"])
    monkeypatch.setattr("fogtree.solvers.public.hand_lanes.free", lambda device: 5_000.0)
    with pytest.raises(TooLarge, match=r"^spot/Td9d6hQc:.* needs [\d.]+ KiB on the GPU, where 4.88 KiB are free"):
        VectorLanes(form)


def test_an_average_that_is_taken_and_set_again_is_the_same_where_it_lies_on_a_device():
    form = public_form(GAMES["leduc"])
    lanes = VectorLanes(form, dtype=np.float64).run(iterations=20)
    before, kept = lanes.bounds(), [lanes.average(player) for player in (0, 1)]
    other = VectorLanes(form, dtype=np.float64).run(iterations=3)
    assert other.bounds() != pytest.approx(before, abs=1e-3)
    for player in (0, 1):
        other.set_average(player, kept[player])
    assert other.bounds() == pytest.approx(before, abs=1e-12)
    # what is learned after it goes on from the regrets on the device, which were not lost
    alone = VectorLanes(form, dtype=np.float64).run(iterations=3)
    assert other.run(iterations=1).stores[0].total.shape == alone.run(iterations=1).stores[0].total.shape
    other.fetch()
    alone.fetch()
    assert other.stores[0].regret == pytest.approx(alone.stores[0].regret, abs=1e-12)


def test_a_plan_of_types_is_adopted_in_lanes_as_in_sweeps():
    form, drawn = public_form(GAMES["leduc"]), np.random.default_rng(1)
    typed = DrawnPlan(form, 2)
    for player in (0, 1):
        plain, lanes = VectorCFR(form, dtype=np.float64), VectorLanes(form, dtype=np.float64)
        numbers = [drawn.random(len(store.total)) for store in plain.stores]
        for cfr in (plain, lanes):
            for each in (0, 1):
                cfr.set_average(each, numbers[each])
            cfr.adopt(player, typed)
        assert lanes.bounds() == pytest.approx(plain.bounds(), abs=1e-9)
        for node in np.flatnonzero(form.betting.kind == player).tolist():
            stage = form.tree.stage[form.node[node]]
            for board in np.flatnonzero(form.boards.stage == stage).tolist():
                types = form.cards.types(stage, form.board[board])[form.hands[player][board]]
                assert plain.table(board, node) == pytest.approx(typed.table(int(form.node[node]))[:, types], abs=1e-12)
        # what lies on the device alone is not lost on the way
        learned = VectorLanes(form, dtype=np.float64).run(iterations=2)
        before = learned.average(1 - player)
        other = VectorLanes(form, dtype=np.float64).run(iterations=2)
        other.adopt(player, typed)
        assert (other.average(1 - player) == before).all() and before.any()
