"""Round robins: counts by hand, intervals by an independent way, common deals, and going on where one was stopped."""

import math
import pathlib

import numpy as np
import pytest

from fogtree import dice, load, solve
from fogtree.arena import tournament as tournaments
from fogtree.arena.agents import AlwaysAgent, RandomAgent
from fogtree.arena.played import judge
from fogtree.arena.referee import play
from fogtree.arena.tournament import BLOCK, Cell, Tournament, block_cells, play_block, tournament, write_csv
from fogtree.errors import Invalid
from fogtree.solvers.forms.sequence import sequence_form
from fogtree.strategy import Strategy

HERE = pathlib.Path(__file__).parent
GAME, OWN = f"{HERE}/small_games.py:Partners", f"{HERE}/small_agents.py"
PENNIES = "matrix:payoffs=[[1,-1],[-1,1]]"


def test_a_cell_counts_draws_as_half():
    cell = Cell(6, 2, 2, 4.0, 8.0) + Cell(0, 2, 0, 0.0, 0.0)
    assert cell.matches == 12
    assert cell.rate == pytest.approx((6 + 0.5 * 4) / 12)
    assert cell.mean == pytest.approx(4 / 12)
    payoffs = [1] * 6 + [0] * 4 + [-1] * 2
    assert cell.half() == pytest.approx(1.959964 * np.std(payoffs, ddof=1) / math.sqrt(12))
    assert math.isnan(Cell().rate)
    assert Cell().interval() == (0, 1)


def test_every_ordered_pair_plays_and_strategies_meet_as_they_must(tmp_path):
    """In matching pennies, the first wins if both show the same. Heads against tails is decided before it is played."""
    game = load(PENNIES)
    for name, share in (("heads", [1.0, 0.0]), ("tails", [0.0, 1.0])):
        views = [int(game.view(state, player)) for player, state in enumerate(_decisions(game))]
        Strategy(game, [0, 1], views, [0, 2, 4], [0, 1, 0, 1], share * 2).save(tmp_path / f"{name}.npz")
    names = [f"strategy:{tmp_path}/{name}.npz" for name in ("heads", "tails")]
    found = tournament(PENNIES, names, matches=30, cores=1)
    assert {pair: (cell.wins, cell.draws, cell.losses) for pair, cell in found.cells.items()} == {
        (0, 0): (30, 0, 0),
        (0, 1): (0, 0, 30),
        (1, 0): (0, 0, 30),
        (1, 1): (30, 0, 0),
    }
    assert found.counts()[0, 1].tolist() == [0, 0, 30]
    write_csv(found, tmp_path / "cells.csv")
    lines = (tmp_path / "cells.csv").read_text().splitlines()
    assert len(lines) == 5
    assert lines[1].split(",")[2:7] == ["30", "30", "0", "0", "1"]
    form = sequence_form(game)
    assert judge(form, names[0]).total == pytest.approx(2.0)  # each side loses 1 where the value is 0
    assert judge(form, "random").total == pytest.approx(0.0)


def _decisions(game):
    first = np.zeros(game.shape().words, np.int64)
    game.start(first)
    second = first.copy()
    game.step(second, 0)
    return first, second


def test_deals_are_common_to_all_cells_and_blocks_make_no_difference_to_them(monkeypatch):
    dealt = {}

    def watched(game, agents, *, seed, start, seconds):
        match = play(game, agents, seed=seed, seconds=seconds)
        dealt.setdefault(seed, set()).add(tuple(move.action for move in match.moves if move.player < 0))
        return match

    monkeypatch.setattr(tournaments, "play", watched)
    for agents in (("random", "random"), ("random", "rm:iterations=2")):
        play_block("kuhn", agents, seed=5, match=0, matches=20)
    play_block("kuhn", ("random", "random"), seed=5, match=10, matches=5)
    assert len(dealt) == 20
    assert all(len(deals) == 1 for deals in dealt.values())
    assert len(set().union(*dealt.values())) > 3, "the deals do differ from match to match"


def test_the_same_seed_gives_the_same_cells_and_more_matches_go_on_from_the_store(tmp_path):
    names = ["random", "rm:iterations=20"]
    store = tmp_path / "runs.sqlite"
    some = tournament("kuhn", names, matches=50, seed=3, store=store, cores=1)
    assert tournament("kuhn", names, matches=50, seed=3, cores=1) == some
    assert tournament("kuhn", names, matches=50, seed=4, cores=1) != some
    played = []
    more = tournament(
        "kuhn", names, matches=75, seed=3, store=store, cores=1, progress=lambda now: played.append(now.detail.left)
    )
    assert more.cells[0, 1].matches == 75
    assert sum(left is not None for left in played) == 4, "a block for each cell"
    assert sum(left is None for left in played) == 8, "two blocks for each were there"


def of_first(game, first, second):
    """Three matches as the first side sees them."""
    return block_cells(play_block(game, (first, second), 0, 0, 3))[0]


def test_an_agent_that_fails_is_counted(monkeypatch):
    monkeypatch.setattr("fogtree.arena.agents.RandomAgent.act", lambda self, sight: 99)
    assert of_first("kuhn", "random", "random").forfeits == 3


@pytest.mark.parametrize(
    ("game", "names", "matches", "sentence"),
    [
        ("kuhn", [], 10, "a tournament needs agents"),
        ("kuhn", ["random", "random"], 10, "random is given twice"),
        ("kuhn", ["random"], 0, "matches must be a whole number of 1 or more, not 0"),
        ("kuhn", ["nobody"], 10, "there is no agent 'nobody'"),
        ("kuhn", "nobody", 10, "there is no agent 'nobody'"),
        ("kuhn", 5, 10, "an agent is needed, the text that names one, or a strategy, not a int"),
        ("backgammon", ["random"], 10, "backgammon"),
    ],
)
def test_nonsense_is_refused_before_the_work(game, names, matches, sentence):
    with pytest.raises(Invalid, match=sentence):
        tournament(game, names, matches=matches)


def test_a_single_agent_plays_itself():
    solved = solve(load("kuhn"))
    for agents, name in (("random", "random"), ((text for text in ["random"]), "random"), (solved, "Solution 1")):
        assert tournament("kuhn", agents, matches=1).agents == (name,)


def tables(monkeypatch, *arguments, **more):
    """The (agents, seed) of each match of a block."""
    seen = []

    def watched(game, agents, *, seed, start, seconds):
        seen.append((agents, seed))
        return play(game, agents, seed=seed, start=start, seconds=seconds)

    monkeypatch.setattr(tournaments, "play", watched)
    play_block(*arguments, **more)
    return seen


def test_each_player_of_each_block_has_random_numbers_of_their_own(monkeypatch):
    begun = []
    monkeypatch.setattr(RandomAgent, "fresh", lambda self: begun.append(tuple(self.random.tolist())), raising=False)
    for match in (0, 25):
        tables(monkeypatch, "kuhn", ("random", "random"), seed=3, match=match, matches=1)
    assert len(set(begun)) == 4
    assert begun[0] == tuple(dice.seeded(3, 0, 0).tolist()) and begun[3] == tuple(dice.seeded(3, 25, 1).tolist())


def test_two_seeds_share_no_deal(monkeypatch):
    # match 3 of seed 5 and match 2 of seed 6 are different matches
    seeds = [seed for each in (5, 6) for _, seed in tables(monkeypatch, "kuhn", ("random", "random"), each, 0, 20)]
    assert len(set(seeds)) == 40


def test_partners_play_as_one_agent_and_share_its_result():
    even, odd = f"{OWN}:Says:what=0", f"{OWN}:Says:what=1"
    # all four say 0, or two partners say 1: the sum is even, and the first side wins
    for names in ((even, even), (even, odd), (odd, even)):
        assert of_first(GAME, *names).wins == 3
    assert of_first(GAME, even, f"{OWN}:Fails") == Cell(3, 0, 0, 3.0, 3.0, 3)
    beside = f"{GAME}:across=no"  # players 0 and 1 against 2 and 3
    assert of_first(beside, even, odd) == Cell(3, 0, 0, 3.0, 3.0, 0)
    assert of_first(beside, f"{OWN}:Fails", even) == Cell(0, 0, 3, -3.0, 3.0, 3)
    found = tournament(GAME, [even, "random"], matches=25, cores=1)
    assert found.cells[0, 0].rate == 1.0 and 0 < found.cells[0, 1].rate < 1


def test_ratings_are_for_two_sides():
    with pytest.raises(Invalid, match="ratings need a game of 2 sides, and crowd has 4"):
        Tournament("crowd", ("random",), 4, {}).counts()


def test_what_three_share_is_a_third_of_a_win():
    # one match won alone, one shared by two, one shared by three: 1 + 1/2 + 1/3
    assert Cell(1, 2, 0, crowded=1 / 6).rate == pytest.approx((1 + 1 / 2 + 1 / 3) / 3)


def test_agents_may_be_objects_and_play_as_their_texts_do():
    named = tournament("kuhn", ["always:0", "always:1"], matches=40, seed=2, cores=1)
    handed = tournament("kuhn", [AlwaysAgent(0), AlwaysAgent(1)], matches=40, seed=2)
    assert handed.agents == ("AlwaysAgent 1", "AlwaysAgent 2")
    assert handed.cells == named.cells
    plan = tournament("kuhn", [solve("kuhn"), "random"], matches=20)
    assert plan.cells[0, 1].matches == 20
    with pytest.raises(Invalid, match="not stored"):
        tournament("kuhn", [AlwaysAgent(0)], matches=2, store="x.sqlite")
    with pytest.raises(Invalid, match="an agent is needed"):
        tournament("kuhn", [3], matches=2)


def test_an_object_that_draws_goes_on_drawing_from_block_to_block():
    found = tournament("matrix", [RandomAgent(5)], matches=2 * BLOCK)
    first = tournament("matrix", [RandomAgent(5)], matches=BLOCK)
    assert found.cells[0, 0] != first.cells[0, 0] + first.cells[0, 0]
    assert 0 < first.cells[0, 0].draws < BLOCK  # in rock paper scissors, two players who draw the same always draw
