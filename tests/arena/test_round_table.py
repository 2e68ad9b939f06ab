"""Tournaments of games with more than two sides."""

import csv
import pathlib

import pytest

import fogtree
from fogtree import Invalid, Strategy, tournament
from fogtree.arena.tournament import block_cells, play_block, write_csv
from fogtree.solvers.forms.expected import expected

GAME = "kuhn:players=3"
OWN = pathlib.Path(__file__).with_name("small_agents.py")


@pytest.fixture(autouse=True)
def plain(interpreted):
    """In plain Python."""


def test_every_seating_plays_and_payoffs_sum_to_zero():
    found = tournament(GAME, ["random", "always:0"], matches=30, cores=1)
    assert len(found.seats) == 2**3 * 3
    assert all(seat.matches == 30 for seat in found.seats.values())
    for seating in {seating for seating, _ in found.seats}:
        assert sum(found.seats[seating, side].payoff for side in range(3)) == pytest.approx(0)
        assert sum(found.seats[seating, side].rate for side in range(3)) == pytest.approx(1)
    assert sum(found.of(agent).matches for agent in (0, 1)) == 8 * 3 * 30


def test_random_players_get_what_uniform_play_is_worth():
    # 15/64, -3/64 and -3/16, by a walk over the game
    exact = expected(fogtree.load(GAME), Strategy.uniform(fogtree.load(GAME)))
    assert exact == pytest.approx((15 / 64, -3 / 64, -3 / 16))
    found = tournament(GAME, ["random"], matches=600, cores=1, seed=4)
    for side, value in enumerate(exact):
        seat = found.of(0, side)
        assert abs(seat.mean - value) < 2 * seat.half()


def test_who_never_calls_a_bet_comes_after_who_always_bets():
    found = tournament(GAME, ["always:0", "always:1"], matches=50, cores=1)
    assert [found.agents[agent] for agent in found.order()] == ["always:1", "always:0"]


def test_a_tie_for_the_first_place_is_shared():
    matches = [play_block("leduc:players=3", ["always:1"] * 3, 0, number, 1) for number in range(40)]
    firsts = {tuple(sorted(cell.rate for cell in block_cells(block))) for block in matches}
    assert firsts == {(0.0, 0.0, 1.0), (0.0, 0.5, 0.5)}


def test_a_forfeit_is_counted_and_the_tournament_goes_on():
    found = tournament(GAME, [f"{OWN}:Fails"], matches=3, cores=1)
    assert found.forfeits == 3 and found.of(0).matches == 9


def test_what_is_done_is_stored_and_written(tmp_path):
    once = tournament(GAME, ["random"], matches=30, cores=1, store=tmp_path / "runs.sqlite")
    again = tournament(GAME, ["random"], matches=30, cores=1, store=tmp_path / "runs.sqlite")
    assert once == again
    assert "<td>random" in once._repr_html_() and "side 2" in once._repr_html_()
    write_csv(once, tmp_path / "seats.csv")
    with open(tmp_path / "seats.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 3 and rows[0]["matches"] == "30" and rows[2]["side"] == "2"


def test_too_many_seatings_are_refused():
    agents = [f"rm:iterations={n}" for n in range(1, 12)]
    with pytest.raises(Invalid, match="11 agents on 3 sides have 1,331 seatings, and 1,000 are allowed"):
        tournament(GAME, agents, matches=1)
