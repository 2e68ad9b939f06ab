"""Arenz 2012, poker: its measures agree with each other on a small deck."""

import numpy as np
import pytest

from fogtree.papers.arenz2012 import PAPER, poker_measuring, poker_solving
from fogtree.papers.arenz2012.poker import SEATS
from fogtree.papers.arenz2012.poker_measuring import decided
from fogtree.papers.arenz2012.poker_solving import ALL, MILLI
from fogtree.papers.claims import AGREES
from fogtree.papers.laboratory import Lab
from fogtree.solvers.public import bucket_forms

TINY = "holdem:ranks=3,suits=4,rounds=2,flop=2,raises=2"
SOLVED = (TINY, 2, ALL, "dcfr", 30, 0)


@pytest.fixture(scope="module", autouse=True)
def cached(tmp_path_factory):
    """Nothing is left in the user's cache folder, and nothing is found there."""
    folder, patch = tmp_path_factory.mktemp("cache"), pytest.MonkeyPatch()
    for module in (poker_solving, bucket_forms):
        patch.setattr(module, "cache_folder", lambda: folder)
    yield
    patch.undo()


@pytest.mark.slow
@pytest.mark.parametrize("player", [0, 1])
def test_deciding_by_all_flops_and_testing_on_them_is_the_best_response(player):
    response = poker_measuring._response(*SOLVED, player, np.float64)
    total = np.zeros((response.counts[1], response.count))
    for board, images in response.first_boards():
        response.add_images(total, response.board_values(board), images)
    best = MILLI * response.value()
    assert MILLI * decided(response, total, total) == pytest.approx(best, abs=1e-6)
    parts = [poker_measuring.kinds(*SOLVED, player, part, 3) for part in range(3)]
    named = dict(zip(("game", "k", "boards", "rule", "iterations", "seed", "player"), (*SOLVED, player), strict=True))
    assert poker_measuring.exactly(named, parts) == pytest.approx(best, abs=1e-6)
    every = [poker_measuring.flop(*SOLVED, player, number) for number in range(6)]
    found = poker_measuring.estimated(response, every, 66)
    assert found.value - found.half <= best
    low = poker_measuring.local(*SOLVED, player, 40, 20, 0)
    assert low["value"] - low["half"] <= best


def test_both_seats_in_lanes_are_those_of_the_public_tree(monkeypatch):
    made, lanes = [], poker_measuring.BoardLanes
    monkeypatch.setattr(poker_measuring, "BoardLanes", lambda *given: made.append(1) or lanes(*given))
    poker_measuring.release()
    named = dict(zip(("game", "k", "boards", "rule", "iterations", "seed"), SOLVED, strict=True))
    how = named | {"bits": 64, "device": "cpu"}
    parts = [poker_measuring.in_lanes(**how, part=part, parts=2) for part in range(2)]
    found = poker_measuring.exactly_in_lanes(how, parts)
    assert len(made) == 2  # one for each seat: a GPU has no room for more
    for player in (0, 1):
        pieces = [poker_measuring.kinds(*SOLVED, player, 0, 1)]
        best = poker_measuring.exactly(named | {"player": player}, pieces)
        assert found[player] == pytest.approx(best, abs=1e-9)


@pytest.mark.slow  # each pair of players is compiled
def test_a_solved_player_wins_from_random_play_and_draws_with_itself():
    facts = {"k": 2, "boards": ALL, "rule": "dcfr", "iterations": 30}
    against = lambda other: poker_measuring.hands(TINY, *SOLVED[1:], other, 4_000)  # noqa: E731
    random, itself = against("random play"), against(facts)
    assert random["value"] - random["half"] > 0 and random["hands"] == 8_000
    assert abs(itself["value"]) < 2 * itself["half"]


def test_a_curve_falls_and_its_certificate_holds_its_value():
    found = poker_solving.curve(TINY, 2, ALL, ALL, "dcfr", 100, 0)
    points = found["points"]
    assert [point["iterations"] for point in points] == [10, 16, 26, 42, 67, 100]
    assert points[-1]["own"] < points[0]["own"] / 4
    assert points[-1]["own low"] <= points[-1]["own value"] <= points[-1]["own high"]
    assert points[-1]["fresh"] == points[-1]["own"]  # all boards are all boards


@pytest.mark.slow
def test_the_whole_of_it_runs_at_quick_scale():
    lab = Lab("arenz2012", cores=1)
    sections = [part(lab) for name, part in PAPER.parts.items() if name.startswith("poker")]
    sizes = {claim.what: claim for claim in sections[0].claims}
    assert [sizes[f"decisions, round {r}"].ours for r in (1, 2, 3, 4)] == [8, 70, 630, 5670]
    assert sizes["information sets, 10 buckets"].verdict() == sizes["10^9 states, 5 buckets"].verdict() == AGREES
    table = sections[0].tables["poker-sizes-by-buckets"][1]
    assert [row[1] for row in table] == [
        3624290,
        7486968,
        23551424,
        57337080,
    ]  # 8, 70, 630 and 5,670 decisions times k, k^2, k^3, k^4
    rows = sections[2].tables["poker-real-small"][1]
    for _, _, inside, outside, lower, half in rows:
        assert inside < outside
        assert lower - half <= outside
    wins = {row[0]: row[2] for row in sections[4].tables["poker-hands-table"][1]}
    assert list(wins) == ["random play", "always call", "always raise"] and wins["random play"] > 0
    assert len(sections[5].tables["poker-finer-hands"][1]) == 1
    sampled = {claim.what: claim for claim in sections[3].claims}
    both = []
    for k in (2, 3):
        seats = [sampled[f"12 cards, {k} buckets: best response as {seat}, from 8 flops"] for seat in SEATS]
        for seat, found in zip(SEATS, seats, strict=True):
            assert found.ours - found.half <= sampled[f"12 cards, {k} buckets: exactly, as {seat}"].ours
        both.append(sampled[f"12 cards, {k} buckets: exploitable, from 8 flops"].ours)
        assert both[-1] == pytest.approx((seats[0].ours + seats[1].ours) / 2)
    assert sampled["less exploitable with 3 buckets"].ours == pytest.approx(both[0] - both[1])
