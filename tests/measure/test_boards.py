"""Reports over many boards."""

import pytest

from fogtree.games.spot import spot
from fogtree.measure.boards import mean, solve_boards
from fogtree.solvers.public.hand_solution import solve_hands
from fogtree.text.naming import name

FIELDS = {"pot": 20, "stack": 30, "bets": "a", "oop": "AA,QQ", "ip": "KK,AKs"}
RIVERS = ("Td9d6hQc2s", "AdKd6h3c2s")


def test_a_report_solves_each_board_and_weighs_them_by_the_hands_that_can_be_held(tmp_path):
    games = [(name(spot(board, **FIELDS)), weight) for board, weight in zip(RIVERS, (1.0, 3.0), strict=True)]
    seen = []
    ask = {"target": 0.1, "store": tmp_path / "runs.sqlite", "cores": 1}
    found = solve_boards(games, **ask, progress=lambda now: seen.append(now.detail.left))
    for (game, _), one in zip(games, found, strict=True):
        alone = solve_hands(game, target=0.1)
        assert one.values == pytest.approx(alone.values)
        assert one.equity == pytest.approx(alone.equity()[0])
        assert one.percent <= 0.1
        assert one.actions == (["check", "all in 30"], ["check", "all in 30"])
        assert one.frequency[1] == pytest.approx(alone.at("check").frequency())
    # pairs of hands that can meet, counted by hand. On T962Q: 6 aces and 3 queens, against 6 kings and 4 ace-king:
    # aces 6 * 6 + 12 (an ace-king shares an ace with half of the aces), queens 3 * 10
    first = 6 * 6 + 6 * 4 // 2 + 3 * 10
    # on AdKd632: 3 aces and 6 queens, against 3 kings and ace-king of three suits
    second = 3 * 3 + 3 * 3 // 3 + 6 * 6
    share = first / (first + 3 * second)
    assert found[0].weight == pytest.approx(share)
    whole = mean(found)
    assert whole.values[0] == pytest.approx(share * found[0].values[0] + (1 - share) * found[1].values[0])
    assert sum(whole.values) == pytest.approx(20, abs=1e-3)
    again = []
    assert solve_boards(games, **ask, progress=lambda now: again.append(now.detail.left)) == found
    assert again == [None, None] != seen  # nothing was solved anew
