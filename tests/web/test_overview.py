"""A strategy at a glance: the grid says of every set what the walk says, and shows sets that play alike once."""

import re

import numba
import pytest

import fogtree
from fogtree.strategy import Strategy
from fogtree.web.offer import Offer
from fogtree.web.overview import ACTIONS, BOARD, HANDS, overview, spots
from fogtree.web.strategies import StrategyJob


def nothing(spot):
    return None


def grid(game, plan=None, player=0, **more):
    made = fogtree.load(game)
    return overview(made, plan or Strategy.uniform(made), player, nothing, **more)


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("game", ["kuhn", "goofspiel:cards=3", "liars-dice:faces=2"])
def test_the_grid_walks_to_every_set_with_the_mix_and_reach_of_the_whole_walk(game, player):
    made = fogtree.load(game)
    plan = Strategy.uniform(made)
    found, complete = spots(made, plan, player)
    walked = {row.view: row for row in fogtree.told(game, plan).of(player)}
    assert complete and {spot.view for spot in found} == set(walked)
    for spot in found:
        assert spot.reach[0] == pytest.approx(walked[spot.view].reach)
        assert sorted(spot.mix.values()) == pytest.approx(sorted(walked[spot.view].mix.values()))


@pytest.mark.parametrize(
    ("game", "kind"),
    [
        ("kuhn", HANDS),
        ("leduc", HANDS),
        ("dark-hex:side=2", BOARD),
        ("goofspiel:cards=4", ACTIONS),
        ("rounds", ACTIONS),
    ],
)
def test_how_a_grid_is_laid_out_follows_from_what_a_game_shows(game, kind):
    assert grid(game)["kind"] == kind


def test_in_kuhn_poker_hands_stand_across_and_betting_down():
    told = grid("kuhn", merge=False)
    assert told["columns"] == ["J", "Q", "K"] and told["legend"] == ["pass", "bet"]
    assert [row["head"] for row in told["rows"]] == [["betting: none yet"], ["betting: pass bet"]]
    assert all(cell["mix"] == [0.5, 0.5] for row in told["rows"] for cell in row["cells"])


def test_sets_that_play_alike_are_shown_once():
    told = grid("kuhn")  # uniform play is the same everywhere
    assert told["columns"] == ["J Q K"] and [len(row["head"]) for row in told["rows"]] == [2]
    boards = grid("phantom-ttt")["boards"]
    assert boards[0]["count"] == 1  # the empty board
    # after the first mark, at a corner, an edge or the centre: each with its turned and mirrored boards
    assert sorted(one["count"] for one in boards[1:4]) == [1, 4, 4]


@pytest.fixture(scope="module")
def leduc():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(numba.config, "DISABLE_JIT", 1)
        job = StrategyJob(lambda **told: None, Offer(), game=["kuhn", ""], source="uniform", seconds=1.0)
        job.run()
        yield job


def test_values_of_the_grid_are_those_of_the_sets(leduc):
    cells = [cell for row in leduc.ask_overview(1, merge=False)["rows"] for cell in row["cells"]]
    for cell in cells:
        sets = leduc.ask_unfold(1, cell["path"])["sets"]
        (one,) = [each for each in sets if each["view"] == cell["view"]]
        assert cell["value"] == pytest.approx(one["value"]) and cell["reach"] == pytest.approx(one["reach"])


def test_a_saved_strategy_can_be_walked_before_its_values_are_known(tmp_path):
    told = []
    job = StrategyJob(lambda **facts: told.append(facts), Offer(), game=["kuhn", ""], source="uniform", seconds=1.0)
    job.form = None

    def stop(*given, **more):
        assert job.ask_overview(0)["sets"] == 6 and job.ask_unfold(0, [])["sets"]
        raise fogtree.errors.Invalid("the game is too large")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("fogtree.web.strategies.sequence_form", stop)
        job.run()
    assert any(facts.get("measuring") for facts in told) and "too large" in str(told)


def test_the_page_shows_the_grid_and_a_cell_leads_to_its_set(site):
    made = site.post("/strategy", game="kuhn", source="uniform").headers["location"]
    for query in ("", "&show=reach", "&show=value", "&show=dance"):
        text = site.until(f"{made}?player=1{query}", "At a glance")
        links = re.findall(r'<td><a href="([^"]*)#(v\d+)"', text)
        assert links and "<td>" in text
        for address, place in links:
            assert f'id="{place}"' in site.get(address.replace("&amp;", "&")).text
    site.until(made, "Total exploitability")
    assert 'class="tint' in site.get(f"{made}?show=value").text


def test_what_has_no_row_is_counted(monkeypatch):
    sets = len(list(fogtree.told("goofspiel:cards=4", Strategy.uniform(fogtree.Goofspiel(4))).of(0)))
    for rows in (1, sets - 1, sets, sets + 1):
        monkeypatch.setattr("fogtree.web.overview.ROWS", rows)
        told = grid("goofspiel:cards=4", merge=False)
        assert told["kind"] == ACTIONS and len(told["rows"]) == min(rows, sets)
        assert told["more"] == max(0, sets - rows)
