"""Vector CFR in 16 bits, against the same in 32 and against the exploitability by enumeration."""

import numpy as np
import pytest
from typer.testing import CliRunner

import fogtree as ft
from fogtree.cli import app
from fogtree.errors import Invalid
from fogtree.games.spot import spot
from fogtree.measure.exploitability import exploitability
from fogtree.solvers.forms.infosets import TooLarge
from fogtree.solvers.public.hand_solution import load_hands, solve_hands
from fogtree.solvers.public.packed_rows import GOLDEN, get_rows, put_rows, rounding_at
from fogtree.solvers.public.places import find_place
from fogtree.solvers.public.public_form import public_form
from fogtree.solvers.public.vector_cfr import VectorCFR, bytes_needed

LEDUC = ft.Leduc()
RANGES = {"oop": "22+,A2s+,KTo+", "ip": "QQ-22,KTs+"}
TURN = spot("Td9d6hQc", pot=20, stack=60, bets="50%, a; 3x", **RANGES)
RIVER = spot(
    "Td9d6hQc2s", pot=20, stack=35, bets="50%, a", oop="AcAd,KhJh,Tc9c,8c7c:0.5", ip="QhQd,JcTc,9h8h,AhKs:0.25"
)


@pytest.fixture(scope="module")
def turn():
    return public_form(TURN)


def between(form):
    """A memory limit into which 16 bits fit and 32 do not."""
    return (bytes_needed(form) + bytes_needed(form, dtype=np.int16)) / 2


def places(form):
    """(board, node) of each node at which somebody moves."""
    nodes = np.flatnonzero(form.betting.kind >= 0)
    stage = form.tree.stage[form.node[nodes]]
    return [(b, n) for b in range(len(form.board)) for n in nodes[stage == form.boards.stage[b]].tolist()]


@pytest.mark.parametrize("rule", ["dcfr", "cfr+"])
def test_every_row_of_every_board_is_that_of_32_bits_but_for_some_units(turn, rule):
    for form in (turn, public_form(LEDUC)):
        brief, usual = (VectorCFR(form, rule, dtype=dtype) for dtype in (np.int16, np.float32))
        for cfr in (brief, usual):
            cfr.run(iterations=1)  # later, mixes part where two actions tie
            cfr.bounds()
        for field, most in (("regret", 32767), ("total", 65535)):
            largest = 0.0
            for place in places(form):
                ours, theirs = brief._part(field, *place), usual._part(field, *place)
                units = abs(theirs).max(axis=1, keepdims=True) / most
                assert (abs(ours - theirs) <= 30 * units + 1e-4 * abs(theirs).max()).all()
                largest = max(largest, abs(ours).max())
            assert largest > 0.0


@pytest.mark.parametrize("game", [LEDUC, RIVER], ids=["leduc", "river"])
def test_the_certificate_is_that_of_enumeration_and_hardly_wider_than_in_32_bits(game):
    form = public_form(game)
    brief, usual = (VectorCFR(form, dtype=dtype).run(iterations=300) for dtype in (np.int16, np.float32))
    low, value, high = brief.bounds()
    told = exploitability(game, brief.strategy())
    assert told.total == pytest.approx(high - low, abs=2e-5)
    assert told.value == pytest.approx(value, abs=2e-5)
    wide = usual.bounds()
    pot = getattr(game, "pot", 2)
    assert told.total <= wide[2] - wide[0] + 1e-3 * pot


def test_a_number_between_two_units_is_met_on_average():
    # 0.3 units more in each of 1000 iterations, cut off after each: rounded to the nearest it would stay 0
    value = 0
    for t in range(1, 1001):
        value = int(value + 0.3 + rounding_at(t)) - 32768
    assert value == pytest.approx(300, abs=30)
    assert 0 < GOLDEN < 1
    assert all(int(x + rounding_at(t)) - 32768 == x for x in (-32767, 0, 65535) for t in range(100))


def test_rows_come_back_as_they_were_put(turn):
    cfr = VectorCFR(turn, dtype=np.int16)
    store, random = cfr.stores[0], np.random.default_rng(1)
    tables = [random.normal(size=(3, 5)) * [[1e-6], [1.0], [0.0]] for _ in range(2)]
    for i, table in enumerate(tables):
        put_rows(store, "regret", 15 * i, 3 * i, table)
    for i, table in enumerate(tables):
        back = get_rows(store, "regret", 15 * i, 3 * i, 3, 5)
        assert (abs(back - table) <= 0.51 * abs(table).max(axis=1, keepdims=True) / 32767).all()


def test_threads_find_the_same_numbers_to_the_last_bit(turn):
    alone, several = (VectorCFR(turn, dtype=np.int16, threads=threads) for threads in (1, 3))
    for cfr in (alone, several):
        cfr.run(iterations=5)
    assert alone.bounds() == several.bounds()
    for mine, theirs in zip(alone.stores, several.stores, strict=True):
        assert all((ours == others).all() for ours, others in zip(mine, theirs, strict=True))


def test_a_limit_of_memory_between_the_two_chooses_16_bits_and_says_so(turn):
    for dtype in (np.float32, np.int16):
        cfr = VectorCFR(turn, dtype=dtype)
        fields = set(cfr.stores[0]._fields) - {"base", "row"}  # those belong to the form
        made = sum(getattr(store, field).nbytes for store in cfr.stores for field in fields)
        assert made + sum(part.nbytes for part in cfr.rows) == bytes_needed(turn, dtype=dtype)
    found = solve_hands(TURN, iterations=3, memory=between(turn))
    assert found.packed and "dcfr in 16 bits" in str(found)
    assert not solve_hands(TURN, iterations=3).packed
    with pytest.raises(TooLarge, match=r"needs .* in 16 bits, and .* are allowed"):
        solve_hands(TURN, iterations=3, memory=between(turn), bits=32)
    with pytest.raises(TooLarge, match="are allowed"):
        solve_hands(TURN, iterations=3, memory=0.9 * bytes_needed(turn, dtype=np.int16))
    with pytest.raises(TooLarge, match="are allowed"):
        solve_hands(TURN, "pdcfr+", iterations=3, memory=between(turn))
    with pytest.raises(Invalid, match=r"has no 16 bits: take .*dcfr"):
        solve_hands(TURN, "pdcfr+", iterations=3, bits=16)
    with pytest.raises(Invalid, match="bits are 16 or 32"):
        solve_hands(TURN, iterations=3, bits=24)


def test_the_command_says_that_it_solves_in_16_bits(turn):
    words = ["spot", "Td9d6hQc", "--pot", "20", "--stack", "60", "--bets", "50%, a; 3x", "--iterations", "3"]
    words += ["--oop", RANGES["oop"], "--ip", RANGES["ip"]]
    for asked in (["--memory", str(between(turn) / 1e9)], ["--bits", "16"]):
        told = CliRunner().invoke(app, [*words, *asked])
        assert told.exit_code == 0
        assert "solving in 16 bits, which take" in told.output
        assert "dcfr in 16 bits on cpu, 3 iterations" in told.output


def test_checkpoints_saved_spots_and_locks_in_16_bits(turn, tmp_path):
    whole, part, rest = (VectorCFR(turn, dtype=np.int16) for _ in range(3))
    part.run(iterations=4).save(tmp_path / "part.npz")
    rest.resume(tmp_path / "part.npz")
    whole.run(iterations=4).bounds()
    assert rest.run(iterations=6).bounds() == whole.run(iterations=6).bounds()
    with pytest.raises(Invalid, match=r"checkpoint of .* by dcfr in 16 bits, not of .* by dcfr"):
        VectorCFR(turn).resume(tmp_path / "part.npz")

    node = find_place(turn, "", "").node
    odds = np.array([0.25, 0.75, 0.0])

    def lock(cfr):
        cfr.lock(node, lambda board, hands: np.repeat(odds[:, None], len(hands), axis=1))

    found = solve_hands(TURN, iterations=30, bits=16, lock=lock)
    assert found.at().mix == pytest.approx(np.repeat(odds[:, None], len(found.at().hands[0]), axis=1), abs=1e-3)
    found = solve_hands(TURN, target=0.5, bits=16)
    assert found.percent <= 0.5
    place, usual = found.at("check", ""), solve_hands(TURN, iterations=found.iterations).at("check", "")
    assert place.mean(0) == pytest.approx(usual.mean(0), abs=0.02)
    found.save(tmp_path / "spot.npz")
    loaded = load_hands(tmp_path / "spot.npz")
    assert loaded.percent == pytest.approx(found.percent, rel=0.02)
    assert loaded.at("check", "").mix == pytest.approx(place.mix, abs=1e-3)
