"""UCT in chess: starts are as described, pairs are scored by their means, and the quick scale runs from end to end."""

import numpy as np
import pytest

from fogtree.game import OVER
from fogtree.games.chess import Chess
from fogtree.papers.arenz2012 import PAPER, chess_uct
from fogtree.papers.laboratory import Lab
from fogtree.papers.report import Facts, write_report


def test_openings_are_legal_and_different():
    with np.errstate(over="ignore"):
        reached = {Chess().notation(chess_uct.opening(number)) for number in range(len(chess_uct.OPENINGS))}
    assert len(reached) == len(chess_uct.OPENINGS)


def test_an_endgame_has_the_men_of_its_name_and_somebody_to_move():
    with np.errstate(over="ignore"):
        for number, name in enumerate(chess_uct.ENDGAMES):
            state = chess_uct.endgame(number, 5)
            men = sorted(letter for letter in Chess().notation(state).split()[0] if letter.isalpha())
            white, black = name[1:].split("K")
            assert men == sorted("Kk" + white + black.lower())
            assert Chess().player(state) != OVER
            assert np.array_equal(state, chess_uct.endgame(number, 5))


def test_a_score_is_the_mean_over_pairs_with_students_interval():
    # 0.75, 0.5 and 0.25: a standard error of 0.1443, times 4.303 for three values
    assert chess_uct.score([[1.0, 0.5], [0.5, 0.5], [0.0, 0.5]]) == pytest.approx((0.5, 0.6211), abs=1e-4)
    mean, half = chess_uct.score([[1.0, 1.0]] * 5)
    assert mean == 1.0 and 0.1 < half < 0.5, "five pairs without a loss prove little"


@pytest.mark.slow
def test_the_quick_scale_runs_from_end_to_end(tmp_path):
    lab = Lab("arenz2012", "quick", 1, tmp_path / "runs.sqlite", cores=1)
    section = chess_uct.uct(lab)
    assert len(section.claims) == 6
    assert all(0.0 <= claim.ours <= 1.0 and claim.half > 0.0 for claim in section.claims)
    ((_, rows),) = section.tables.values()
    assert all(sum(row[3:6]) == 4 for row in rows)
    write_report(PAPER, Facts.of(lab, "fogtree paper arenz2012 chess-uct"), [section], tmp_path / "report")
    assert "with and without endgame tables" in (tmp_path / "report/report.md").read_text()
