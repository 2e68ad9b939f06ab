"""What an action was worth: offered where it works, worked out beside the match, and said meanwhile."""

import re
import time

import pytest
from test_matches import KUHN, played

import fogtree
from fogtree.games import SIZES
from fogtree.web.worth import Worths, is_solvable


@pytest.mark.parametrize("name", fogtree.GAMES)
def test_it_is_offered_in_small_games_of_two_and_zero_sum(name):
    game, ends = fogtree.load(name), SIZES[name][1]
    began = time.process_time()
    small = ends is not None and ends < 300_000 and game.shape().players == 2 and game.shape().zero_sum
    if small or ends is None or ends > 5_000_000 or game.shape().players > 2:  # between, either answer will do
        assert is_solvable(game) == small
    assert time.process_time() - began < 5


def test_an_estimate_of_random_histories_is_near_the_truth(monkeypatch):
    # Leduc has 5,520 ends (OpenSpiel)
    for most, answer in ((2_500, False), (12_000, True)):
        monkeypatch.setattr("fogtree.web.worth.MOST", most)
        assert is_solvable(fogtree.load("leduc")) is answer


def test_a_question_does_not_wait_for_the_solver(monkeypatch):
    import threading

    go = threading.Event()
    monkeypatch.setattr("fogtree.web.worth.sequence_form", lambda *given, **more: go.wait(30) and 1 / 0)
    worths = Worths(fogtree.load("kuhn"))
    position = fogtree.at("kuhn").play("J").play("Q")
    for _ in range(3):
        assert worths.at(position.state, 0, None) == {"phase": "enumerating the game"}
    go.set()
    for _ in range(300):
        if "why" in (found := worths.at(position.state, 0, None)):
            break
        time.sleep(0.01)
    assert found == {"why": "No exact values: ZeroDivisionError: division by zero."}


def test_the_page_offers_it_where_it_works_and_nowhere_else(site):
    address = site.start(**KUHN)
    played(site, address)
    assert "What was each action worth?" in site.get(f"{address}/step/2").text
    assert re.search(r"<td>[+-]\d\.\d{4}</td>", site.until(f"{address}/worth/2", "<td>"))
    large = site.post("/watch", game="phantom-ttt", **{"agent-0": "random", "agent-1": "random"}).headers["location"]
    site.until(large, "Payoffs")
    assert "What was each action worth?" not in site.get(f"{large}/step/0").text
    assert "too large to be solved" in site.get(f"{large}/worth/0").text
