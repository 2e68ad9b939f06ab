"""How exploitable agents are as they play: exact numbers, brackets that hold, one way for all kinds of agents."""

import math
import pathlib

import numpy as np
import pytest

import fogtree
from fogtree import Invalid, Kuhn, Strategy
from fogtree.arena import agents
from fogtree.arena.played import _total
from fogtree.arena.soundness import Asked, played, side_by_side, soundness, with_budgets, write_csv
from fogtree.measure.exploitability import exploitability
from fogtree.measure.soundness import Halves, told
from fogtree.measure.thinking import thought
from fogtree.search.online.protocol import Answer
from fogtree.search.online.sampling import OutcomeSampling, Target
from fogtree.solvers.forms.infosets import planned, uniform_mix
from fogtree.solvers.forms.response import behaviour
from fogtree.solvers.forms.sequence import sequence_form
from fogtree.walk.estimate import TooLarge
from fogtree.walk.slices import Budget

OWN = f"{pathlib.Path(__file__).parent}/small_agents.py"


@pytest.fixture(scope="module")
def kuhn():
    return sequence_form(Kuhn())


@pytest.fixture(scope="module")
def leduc():
    return sequence_form(fogtree.load("leduc"))


@pytest.mark.parametrize(
    ("text", "best"),
    [("goofspiel:cards=5,lowest=1", 0.775), ("liars-dice", 0.79549)],
)
def test_against_uniform_play_the_first_player_gets_what_others_have_measured(text, best):
    # what a best response of player 0 gets, in the code of the group that defined soundness (aicenter/gtlibrary-java)
    form = sequence_form(fogtree.load(text))
    mixes, searches = played(form, "random", [0])
    strategy = behaviour(form, {player: mixes[player][0] for player in (0, 1)})
    found = exploitability(form, strategy)
    assert found.values[0] == pytest.approx(best, abs=1e-5) and searches == 0
    halves = Halves(form)
    halves.add(0, mixes[0][0], mixes[1][0])
    assert halves.high() == pytest.approx(found.total, abs=1e-12) == pytest.approx(halves.own[0], abs=1e-12)


def test_what_is_written_down_needs_one_seed(tmp_path):
    fogtree.solve(Kuhn()).strategy.save(tmp_path / "kuhn.npz")
    uniform, solved = soundness("kuhn", ["random", f"strategy:{tmp_path}/kuhn.npz"], cores=1)
    assert uniform.high == pytest.approx(11 / 12) and uniform.seeds == 1 and uniform.thoughts == 0
    assert solved.high == pytest.approx(0, abs=1e-6) and math.isnan(solved.low)
    assert solved.meets(uniform) == pytest.approx(-uniform.meets(solved)) and solved.meets(uniform) > 0.05


def randomly(form, player, random):
    tree = form.trees[player]
    mix = uniform_mix(tree)
    for i in range(tree.infosets()):
        low, high = tree.first[i], tree.first[i + 1]
        mix[low:high] = random.dirichlet(np.full(high - low, 0.3))
    return mix


def test_the_bracket_holds_the_truth_and_the_seeds_own_are_never_below_it(kuhn):
    # a player who draws one of four strategies by lot: its exploitability is known, and no seed shows it
    random = np.random.default_rng(1)
    four = [[randomly(kuhn, player, random) for player in (0, 1)] for _ in range(4)]
    plans = [np.mean([planned(kuhn.trees[p], each[p]) for each in four], axis=0) for p in (0, 1)]
    truth = _total(kuhn, [plan[None] for plan in plans])
    lows, highs = [], []
    for _ in range(200):
        halves = Halves(kuhn)
        for number in range(8):
            halves.add(number, *(four[random.integers(4)][player] for player in (0, 1)))
        lows.append(halves.low())
        highs.append(halves.high())
        assert np.mean(halves.own) >= halves.high() - 1e-12
    assert np.mean(lows) < truth < np.mean(highs) and np.mean(highs) - np.mean(lows) < 0.6


@pytest.mark.parametrize("seeds", [2, 3, 5, 7])
def test_the_low_end_of_a_bracket_is_never_above_the_high_one(kuhn, seeds):
    # with an odd number of seeds one half is larger: it must count for more, as in the average
    random = np.random.default_rng(1)
    for _ in range(50):
        halves = Halves(kuhn)
        for number in range(seeds):
            halves.add(number, *(randomly(kuhn, player, random) for player in (0, 1)))
        assert halves.low() <= halves.high() + 1e-12


def test_without_noise_all_numbers_are_the_same_and_none_is_below_zero():
    (still,) = soundness("kuhn", ["resolve"], iterations=[20], seeds=4, cores=1)
    assert 0 <= still.low <= still.high + 1e-12 and still.high <= still.own + 1e-12
    assert still.low == pytest.approx(still.own, abs=1e-12)
    (single,) = soundness("kuhn", ["oos"], iterations=[50], seeds=1, cores=1)
    assert single.high == pytest.approx(single.own, abs=1e-12) and math.isnan(single.low)


def test_what_noise_or_rounding_puts_below_zero_is_told_as_zero():
    class Below:
        own, count = (-1e-17, -1e-17), (1, 1)
        low, high = staticmethod(lambda: -0.02), staticmethod(lambda: -1e-17)

    found = told("rm", 10, Below(), 4, 1.0, "cpu")
    assert (found.low, found.high, found.own) == (0, 0, 0)


def test_what_is_stored_comes_back(kuhn):
    random, halves = np.random.default_rng(2), Halves(kuhn)
    for number in range(3):
        halves.add(number, randomly(kuhn, 0, random), randomly(kuhn, 1, random))
    again = Halves(kuhn).unpack(halves.packed()).unpack(Halves(kuhn).packed())
    assert again.count == [2, 1] and again.own == halves.own
    assert again.high() == halves.high() and again.low() == halves.low()


class Remembering:
    """A search that only writes down what it was asked, and plays a little of everything."""

    name = "remembering"

    def __init__(self, form, whole):
        self.form, self.whole, self.asked = form, whole, []

    def begin(self, game, player, seed, *path):
        return ()

    def think(self, carried, view, spend):
        tree = self.form.trees[0]
        views = [view]
        if self.whole:  # all sets of the same depth stand for a public state
            views = [int(other) for other in tree.view if self.depth(other) == self.depth(view)]
        self.asked.append((carried, view))
        rows = [
            (other, tree.action[tree.first[i] : tree.first[i + 1]])
            for i, other in enumerate(tree.view)
            if int(other) in views
        ]
        width = [len(row) for _, row in rows]
        share = np.concatenate([np.arange(1, k + 1) / (k * (k + 1) / 2) for k in width])
        strategy = Strategy(
            self.form.game,
            np.zeros(len(rows)),
            [v for v, _ in rows],
            np.append(0, np.cumsum(width)),
            np.concatenate([row for _, row in rows]),
            share,
        )
        return Answer(strategy, (*carried, self.depth(view)), 1)

    def depth(self, view):
        tree = self.form.trees[0]
        return int(tree.parent[tree.view.tolist().index(int(view))] > 0)


def test_a_search_is_asked_once_at_every_decision_with_what_it_carried(kuhn):
    search = Remembering(kuhn, False)
    mix, thoughts = thought(kuhn, 0, search, Budget(10), 0)
    assert thoughts == 6 == len({view for _, view in search.asked})
    assert sorted(len(carried) for carried, _ in search.asked) == [0, 0, 0, 1, 1, 1]
    assert mix[kuhn.trees[0].first[0] : kuhn.trees[0].first[1]].tolist() == pytest.approx([1 / 3, 2 / 3])


def test_where_an_answer_is_whole_a_public_state_is_asked_once(kuhn):
    search = Remembering(kuhn, True)
    mix, thoughts = thought(kuhn, 0, search, Budget(10), 0)
    assert thoughts == 2 and (mix == thought(kuhn, 0, Remembering(kuhn, False), Budget(10), 0)[0]).all()


def test_oos_from_public_states_thinks_once_for_all_hands(leduc):
    spend = Budget(iterations=50)
    one = thought(leduc, 0, OutcomeSampling(target=Target.IST), spend, 1)
    all_hands = thought(leduc, 0, OutcomeSampling(target=Target.PST), spend, 1)
    assert one[1] > 3 * all_hands[1] > 0
    for mix, _ in (one, all_hands):
        plan = planned(leduc.trees[0], mix)
        ends = [
            plan[leduc.trees[0].first[i] : leduc.trees[0].first[i + 1]].sum() for i in range(leduc.trees[0].infosets())
        ]
        assert np.allclose(ends, plan[leduc.trees[0].parent])


def test_lanes_and_the_agent_itself_play_the_same(kuhn):
    # many seeds of one agent in lanes, and asked in Python one after the other: the same mean, up to noise
    for text in ("rm:iterations=40", "pimc:iterations=60,worlds=3"):
        agent = agents.load_agent(text, 1)
        lanes, _ = side_by_side(kuhn, agent, 0, range(200), 1, "cpu")
        single = [thought(kuhn, 0, Asked(kuhn, agents.load_agent(text, 2, n), 0), Budget(), 2)[0] for n in range(60)]
        single = np.array(single)
        apart = np.abs(lanes.mean(axis=0) - single.mean(axis=0))
        noise = np.sqrt(lanes.var(axis=0) / 200 + single.var(axis=0) / 60 + 1e-4)
        tree = kuhn.trees[0]
        first = [
            s for i in range(tree.infosets()) if tree.parent[i] == 0 for s in range(tree.first[i], tree.first[i + 1])
        ]
        assert (apart[first] < 5 * noise[first]).all(), text  # later sets are not met by every seed


def test_a_stopped_run_goes_on_and_gives_the_same_numbers(tmp_path):
    store = tmp_path / "runs.sqlite"

    class Stop(Exception):
        pass

    def stop(now):
        if now.done == 2:
            raise Stop

    how = {"iterations": [20, 60], "seeds": 4, "cores": 1}
    with pytest.raises(Stop):
        soundness("kuhn", ["rm", "oos"], **how, store=store, progress=stop)
    seen = []
    found = soundness("kuhn", ["rm", "oos"], **how, store=store, progress=lambda now: seen.append(now.detail.left))
    assert seen[:3] == [None, None, None] and seen.count(None) < len(seen)  # before the first, and two that were stored
    again = soundness("kuhn", ["rm", "oos"], **how)
    assert [each[:7] for each in found] == [each[:7] for each in again]
    assert [each.agent for each in found] == [f"{a}:iterations={n}" for a in ("rm", "oos") for n in (20, 60)]
    write_csv(found, tmp_path / "x.csv")
    assert len((tmp_path / "x.csv").read_text().splitlines()) == 5


def test_more_thinking_makes_oos_sounder_and_leaves_uct_as_it_is():
    found = soundness("kuhn", ["oos:iterations=30", "oos:iterations=20000", "uct:iterations=2000"], seeds=8, cores=1)
    assert found[1].high < 0.15 < found[0].high and found[1].own < found[2].own
    assert found[2].high > 0.3  # a pure strategy


def test_wrong_questions_get_a_sentence():
    with pytest.raises(Invalid, match="seeds"):
        soundness("kuhn", ["rm"], seeds=0)
    with pytest.raises(Invalid, match="3 players"):
        soundness("many-kuhn", ["rm"])
    with pytest.raises(Invalid, match="cores must be a whole number of 1 or more"):
        soundness("kuhn", ["rm"], cores=0)
    with pytest.raises(Invalid, match="give at least one agent"):
        soundness("kuhn", [])
    for given in (fogtree.RandomAgent(), [fogtree.RandomAgent()]):
        with pytest.raises(Invalid, match="named by a text here, such as 'oos:iterations=100', not a RandomAgent"):
            soundness("kuhn", given)


def test_budgets_are_numbers():
    assert with_budgets("rm", np.array([5, 60]), 0.5) == ["rm:iterations=5", "rm:iterations=60", "rm:seconds=0.5"]
    assert with_budgets("rm", [], []) == ["rm:iterations=1000"]
    for iterations, seconds in (("50", None), (2.5, None), ([0], None), (None, "a"), (None, [0]), (None, math.nan)):
        with pytest.raises(Invalid, match=r"must be a (whole )?number"):
            with_budgets("rm", iterations, seconds)


def test_a_single_text_is_one_agent_and_agents_of_different_games_do_not_meet():
    (kuhn,), (dice,) = (soundness(game, "random", cores=1) for game in ("kuhn", "liars-dice"))
    assert kuhn.agent == "random" and kuhn.high == pytest.approx(11 / 12)
    with pytest.raises(Invalid, match="measured in kuhn and liars-dice"):
        kuhn.meets(dice)


@pytest.mark.parametrize("text", ["rm: iterations = 30", f"{OWN}:FirstAction:iterations=30"])
def test_an_agent_whose_text_gives_a_budget_has_that_one_alone(text):
    assert with_budgets(text, [10, 20], 1.0) == [text]


def test_what_does_not_fit_fits_with_the_memory_that_the_sentence_asks_for():
    with pytest.raises(TooLarge, match="raise memory="):
        soundness("goofspiel:cards=6", "random", memory=2**20, cores=1)
    assert soundness("goofspiel:cards=6", "random", memory=2**30, cores=1)[0].high > 0
