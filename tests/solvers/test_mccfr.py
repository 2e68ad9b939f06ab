import functools
from typing import NamedTuple

import numpy as np
import pytest

from fogtree import CHANCE, OVER, Broken, FogtreeError, Goofspiel, Invalid, Kuhn, Leduc, Shape, dice
from fogtree.game import NONE, legal, new_state, odds
from fogtree.measure.exploitability import exploitability
from fogtree.solvers.forms.sequence import sequence_form
from fogtree.solvers.regret import mccfr
from fogtree.solvers.regret.mccfr import MCCFR, ROW, UPDATES, External, Outcome, new_store
from fogtree.solvers.regret.mccfr_lanes import LanesMCCFR
from fogtree.walk import slices
from fogtree.walk import table as tables
from fogtree.walk.slices import Progress

pytestmark = pytest.mark.usefixtures("unchecked")  # some games break the contract on purpose

SCHEMES = [External(), Outcome(0.6), Outcome(0.1)]
SHUFFLED = Goofspiel(cards=2, prizes="shuffled", lowest=1, points=True)


# --- every sample of an update, and what they come to on average ---------------------------------------------------


class Script:
    """Stands in for `dice.pick`, and goes through all draws that an update can make, one after the other."""

    def __init__(self):
        self.drawn, self.width, self.position = [], [], 0
        self.probability = 1.0

    def pick(self, random, weight, count):
        if self.position == len(self.drawn):
            self.drawn.append(0)
            self.width.append(count)
        chosen = self.drawn[self.position]
        self.position += 1
        self.probability *= weight[chosen]
        return chosen

    def turn(self):
        """On to the next sample; False when there was none left."""
        self.position, self.probability = 0, 1.0
        while self.drawn and self.drawn[-1] + 1 == self.width[-1]:
            self.drawn.pop()
            self.width.pop()
        if self.drawn:
            self.drawn[-1] += 1
        return bool(self.drawn)


def filled(game, scheme, power=0.0, most=10**6):
    """A solver that knows all sets with a choice, or so many, parents first, with regrets of either sign."""
    solver = MCCFR(game, scheme, power=power)

    def enter(state):
        player, actions = game.player(state), legal(game, state)
        if player >= 0 and len(actions) > 1:
            solver.store.closed[0] = solver.infosets == most
            solver.store.place(game.view(state, player), player, actions, len(actions))
        for action in actions:
            child = state.copy()
            game.step(child, action)
            enter(child)

    with np.errstate(over="ignore"):
        enter(new_state(game))
    size = 2 * solver.store.first[solver.infosets]
    solver.store.pool[:size] = np.random.default_rng(1).uniform(-0.5, 1.0, size)
    return solver


def expected_change(solver, monkeypatch):
    """The mean over all samples of what the next update adds to the pool."""
    script, old, mean = Script(), solver.store.pool.copy(), np.zeros(len(solver.store.pool))
    monkeypatch.setattr(dice, "pick", script.pick)
    samples, sure, updates = 0, 0.0, int(solver.path.at[UPDATES])
    while samples == 0 or script.turn():
        solver.store.pool[:] = old
        solver.path.at[:] = updates, NONE
        mccfr.traverse.interpreted(
            *(solver.game, solver.scheme, solver.store, solver.path, solver.players, solver.power),
            *(updates + 1, 10**6),
        )
        mean += script.probability * (solver.store.pool - old)
        sure += script.probability
        samples += 1
    solver.store.pool[:] = old
    assert sure == pytest.approx(1.0, abs=1e-12)
    assert samples >= 4
    return mean


def exact_change(solver, me, weight):
    """The same by the definition: counterfactual values from a recursion over all histories."""
    game, store = solver.game, solver.store
    change = np.zeros(len(store.pool))

    def value(state, reach, chance):  # of `me`; reach [player] by the mixes
        player, actions = game.player(state), legal(game, state)
        if player == OVER:
            return game.payoff(state, me)
        place, mix = NONE, np.full(len(actions), 1 / len(actions))
        if player == CHANCE:
            mix = odds(game, state)
        elif (i := store.table.find(game.view(state, player), player)) != NONE:
            place = 2 * int(store.first[i])
            positive = np.maximum(store.pool[place : place + len(actions)], 0.0)
            mix = positive / positive.sum() if positive.sum() > 0 else mix
        worth = []
        for action, p in zip(actions, mix, strict=True):
            child, after = state.copy(), list(reach)
            game.step(child, action)
            if player >= 0:
                after[player] *= p
            worth.append(value(child, after, chance * (p if player == CHANCE else 1.0)))
        mean = float(np.dot(mix, worth))
        if place != NONE and player == me:
            change[place : place + len(actions)] += weight * reach[1 - me] * chance * (np.array(worth) - mean)
        elif place != NONE:
            sums = slice(place + len(actions), place + 2 * len(actions))
            change[sums] += weight * reach[player] * chance * np.array(mix)
        return mean

    with np.errstate(over="ignore"):
        value(new_state(game), [1.0, 1.0], 1.0)
    return change


@pytest.mark.parametrize("me", [0, 1])
@pytest.mark.parametrize("scheme", SCHEMES, ids=str)
@pytest.mark.parametrize("game", [Kuhn(), SHUFFLED, Goofspiel(cards=3)], ids=["kuhn", "shuffled", "goofspiel"])
def test_the_mean_over_all_samples_is_the_regret_of_cfr_and_the_reach_weighted_mix(game, scheme, me, monkeypatch):
    solver = filled(game, scheme)
    solver.path.at[UPDATES] = me
    exact = exact_change(solver, me, 1.0)
    assert np.abs(exact).max() > 0.05
    assert expected_change(solver, monkeypatch) == pytest.approx(exact, abs=1e-12)


@pytest.mark.parametrize("scheme", SCHEMES, ids=str)
def test_linear_weights_multiply_regrets_and_sums_by_the_iteration(scheme, monkeypatch):
    solver = filled(Kuhn(), scheme, power=1.0)
    solver.path.at[UPDATES] = 2 * 6  # the seventh
    assert expected_change(solver, monkeypatch) == pytest.approx(exact_change(solver, 0, 7.0), abs=1e-12)


@pytest.mark.parametrize("me", [0, 1])
@pytest.mark.parametrize("scheme", SCHEMES, ids=str)
@pytest.mark.parametrize(("game", "most"), [(Kuhn(), 7), (Goofspiel(cards=3), 10)], ids=["kuhn", "goofspiel"])
def test_regrets_stay_unbiased_where_the_store_is_closed(game, most, scheme, me, monkeypatch):
    solver = filled(game, scheme, most=most)
    assert solver.infosets == most
    solver.path.at[UPDATES] = me
    table = solver.store.table.slot
    mine = [owner >> 8 for _, owner in table.tolist() if owner != tables.EMPTY and owner & 255 == me]
    first, exact = solver.store.first, exact_change(solver, me, 1.0)
    mean = expected_change(solver, monkeypatch)
    for i in mine:
        regrets = slice(2 * first[i], first[i] + first[i + 1])
        assert mean[regrets] == pytest.approx(exact[regrets], abs=1e-12)


# --- it converges --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "scheme", "power", "iterations", "most"),
    # seeds 1 to 8 stay below half to two thirds of these
    [
        (Kuhn(), External(), 0.0, 200_000, 0.01),
        (Kuhn(), External(), 1.0, 200_000, 0.01),
        pytest.param(Kuhn(), Outcome(), 0.0, 500_000, 0.02, marks=pytest.mark.slow),
        (Leduc(), External(), 0.0, 100_000, 0.25),
        (Leduc(), External(), 1.0, 100_000, 0.25),
        pytest.param(Leduc(), Outcome(), 0.0, 500_000, 0.8, marks=pytest.mark.slow),
        (Goofspiel(cards=4, lowest=1), External(), 0.0, 20_000, 0.03),
        (Goofspiel(cards=4, lowest=1), Outcome(), 0.0, 200_000, 0.06),
    ],
)
def test_the_average_strategy_comes_near_equilibrium(game, scheme, power, iterations, most):
    solver = MCCFR(game, scheme, seed=1, power=power).run(iterations=iterations)
    assert exploitability(game, solver.strategy()).total < most


def test_kuhn_is_worth_minus_one_eighteenth():
    strategy = MCCFR(Kuhn(), External(), seed=3).run(iterations=200_000).strategy()
    assert exploitability(Kuhn(), strategy).value == pytest.approx(-1 / 18, abs=0.005)


@pytest.mark.parametrize(("game", "sets"), [(Kuhn(), 12), (Leduc(), 936)])
def test_it_finds_the_information_sets_where_there_is_a_choice(game, sets):
    solver = MCCFR(game, External()).run(iterations=20_000)
    form = sequence_form(game)
    assert solver.infosets == sets == sum(tree.infosets() for tree in form.trees)


# --- the result depends on the seed alone --------------------------------------------------------------------------


def learned(solver):
    sets = solver.infosets
    strategy = solver.strategy()
    first = solver.store.first[: sets + 1]
    arrays = (solver.store.pool[: 2 * first[-1]], first, strategy.view, strategy.player, strategy.probability)
    return [solver.iterations, *(array.tolist() for array in arrays)]


@pytest.mark.parametrize("scheme", [External(), Outcome()], ids=str)
def test_runs_slices_and_growth_leave_no_trace(scheme, monkeypatch):
    whole = MCCFR(Leduc(), scheme, seed=5).run(iterations=400)
    pieces = MCCFR(Leduc(), scheme, seed=5)
    pieces.store = new_store(4)
    monkeypatch.setattr(slices, "next_slice", lambda *_: 7)  # traversals stop in the middle
    for iterations in (0, 1, 2, 397):
        pieces.run(iterations=iterations)
    assert learned(pieces) == learned(whole)
    assert len(pieces.store.table.slot) > 4


@pytest.mark.parametrize("scheme", [External(), Outcome()], ids=str)
@pytest.mark.parametrize(("game", "iterations"), [(Kuhn(), 300), (Leduc(), 20), (Goofspiel(cards=4), 5)])
def test_interpreted_equals_compiled(game, iterations, scheme, monkeypatch):
    compiled = MCCFR(game, scheme, seed=2, power=1.0).run(iterations=iterations)
    monkeypatch.setattr(mccfr, "traverse", mccfr.traverse.interpreted)
    assert learned(MCCFR(game, scheme, seed=2, power=1.0).run(iterations=iterations)) == learned(compiled)


def test_another_seed_gives_another_result():
    one, again, other = (learned(MCCFR(Kuhn(), External(), seed=seed).run(iterations=50)) for seed in (1, 1, 2))
    assert one == again != other


@pytest.mark.parametrize("scheme", [External(), Outcome()], ids=str)
def test_an_interrupted_run_goes_on_as_if_nothing_had_happened(scheme):
    def interrupt(iterations):
        raise KeyboardInterrupt

    whole = MCCFR(Leduc(), scheme, seed=4).run(iterations=20_000)
    broken = MCCFR(Leduc(), scheme, seed=4)
    for _ in range(3):
        with pytest.raises(KeyboardInterrupt):
            broken.run(iterations=20_000, progress=interrupt)
    broken.run(iterations=20_000 - broken.iterations)
    assert learned(broken) == learned(whole)


def test_a_run_by_the_clock_goes_on_in_the_middle_of_a_traversal():
    solver = MCCFR(Goofspiel(cards=7), External())
    seen = []
    while solver.path.at[ROW] == NONE:
        assert solver.run(seconds=0.001, progress=seen.append) is solver
    assert seen == sorted(seen) and seen[-1] == Progress("iterations", solver.iterations)
    before = solver.iterations
    solver.run(iterations=2)
    assert solver.iterations == before + 2 and solver.path.at[ROW] == NONE


# --- memory --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", [External(), Outcome()], ids=str)
def test_at_the_memory_cap_it_goes_on_without_new_sets_and_says_so(scheme):
    solver = MCCFR(Goofspiel(cards=5), scheme, memory=200_000)
    assert solver.note == ""
    while not solver.note:
        solver.run(iterations=1000)
    sets = solver.infosets
    assert 600 < sets < 2010 and solver.memory <= 200_000
    assert solver.note.startswith(f"the memory cap of 2e+05 bytes was reached at {sets:,} information sets")
    assert solver.run(iterations=1000).infosets == sets
    found = exploitability(solver.game, solver.strategy())
    assert sum(found.missing) > 0 and found.total < 1.0  # uniform play: 1.4


def test_what_it_says_of_its_memory_is_what_the_arrays_take():
    solver = MCCFR(Leduc(), External()).run(iterations=5000)
    parts = [*solver.store.table[:2], *solver.store[1:], *solver.path]
    assert solver.memory == sum(part.nbytes for part in parts)


def test_before_the_first_iteration_the_strategy_is_uniform():
    solver = MCCFR(Kuhn(), External())
    assert len(solver.strategy()) == solver.infosets == solver.iterations == 0
    assert exploitability(Kuhn(), solver.strategy()).mean == pytest.approx(11 / 24, abs=1e-12)


# --- bad input -----------------------------------------------------------------------------------------------------


class Endless(NamedTuple):
    """Two choices, for ever; or a view that two states share which differ in their actions. After the first move it is
    somebody's turn for good."""

    alike: bool = False
    after: int = 0

    def shape(self):
        return Shape(2, 1, 3, 4, -1.0, 1.0)

    def start(self, state):
        state[0] = 0

    def player(self, state):
        return self.after if state[0] else 0

    def odds(self, state, out):
        out[:2] = 0.5

    def actions(self, state, out):
        for a in range(3):
            out[a] = a
        return 3 if state[0] == 2 and self.alike else 2

    def step(self, state, action):
        state[0] += 1

    def payoff(self, state, player):
        return 0.0

    def view(self, state, player):
        return np.int64(7) if self.alike else state[0]


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: MCCFR(Kuhn(), External), "External"),
        (lambda: MCCFR(Kuhn(), "external"), "External"),
        (lambda: MCCFR(Kuhn(), External(), seed=-1), "seed"),
        (lambda: MCCFR(Kuhn(), External(), power=-1.0), "power"),
        (lambda: MCCFR(Kuhn(), External(), power=float("nan")), "power"),
        (lambda: MCCFR(Kuhn(), External(), power=float("inf")), "power must be a finite number of 0 or more, not inf"),
        (lambda: MCCFR(Kuhn(), External(), memory="much"), "memory"),
        (lambda: Outcome(0.0), "explore"),
        (lambda: Outcome(1.5), "explore"),
        (lambda: Outcome("often"), "explore"),
        (lambda: MCCFR(Kuhn(), External()).run(), "iterations"),
        (
            lambda: MCCFR(Kuhn(), External()).run(iterations=-1),
            "iterations must be a whole number of 0 or more, not -1",
        ),
        (lambda: MCCFR(Kuhn(), External()).run(iterations=1.5), "iterations"),
        (lambda: MCCFR(Kuhn(), External()).run(seconds=-1), "seconds"),
        (lambda: MCCFR(Kuhn(), External()).run(seconds="1"), "seconds"),
    ],
)
def test_bad_arguments_get_one_sentence(make, words):
    with pytest.raises(FogtreeError) as caught:
        make()
    assert isinstance(caught.value, Invalid)
    assert words in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("game", "words"),
    [
        (Endless(), "goes on after 4 moves"),
        (Endless(after=1), "goes on after 4 moves"),
        (Endless(after=CHANCE), "goes on after 4 moves"),
        (Endless(True), "same view"),
    ],
)
@pytest.mark.parametrize("sampled", [MCCFR, functools.partial(LanesMCCFR, device="cpu", cores=1)])
def test_a_game_that_breaks_its_contract_is_refused(game, words, sampled, interpreted):
    with pytest.raises(Broken, match=words):
        sampled(game, External()).run(iterations=10, seconds=60)


def test_a_store_is_filled_to_its_last_number(interpreted):
    with np.errstate(over="ignore"):
        store = new_store(4)  # room for 16 actions
        three = np.arange(3)
        actions = np.arange(8)
        assert store.place(5, 0, actions, 8) == 0 and store.place(6, 1, actions, 8) == 16
        assert store.action.tolist() == [*actions.tolist()] * 2 and store.first[2] == 16
        store = new_store(4)
        assert store.place(5, 0, actions, 8) == 0 and store.place(6, 1, actions, 9) == mccfr.NO_ROOM
        assert store.table.used[0] == 1 and store.place(6, 1, three, 3) == 16
        store.closed[0] = 1
        assert store.place(7, 1, three, 3) == mccfr.CLOSED and store.place(6, 1, three, 3) == 16
        assert store.place(6, 1, three, 2) == mccfr.UNEQUAL
