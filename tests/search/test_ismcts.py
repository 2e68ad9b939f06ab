"""IS-MCTS: against a plain double, in pieces, at its caps, and on games whose answers are known."""

import gc
import itertools
import math
import weakref
from typing import NamedTuple

import numba
import numpy as np
import pytest

import fogtree
from fogtree import (
    CHANCE,
    OVER,
    Broken,
    Goofspiel,
    Invalid,
    Kuhn,
    Leduc,
    MatrixGame,
    PhantomTicTacToe,
    Shape,
    TicTacToe,
    dice,
)
from fogtree.bandits import (
    BANDITS,
    UCT,
    EpsilonGreedy,
    Exp3,
    RegretMatching,
    ResettingUCT,
    SlidingWindowUCT,
    UniformRandom,
    bandit_name,
)
from fogtree.game import legal, new_state
from fogtree.judges import new_room, play_on
from fogtree.kernels.door import complete
from fogtree.measure.curve import curves
from fogtree.policy import Uniform
from fogtree.search.trees.ismcts import ISMCTS
from fogtree.search.trees.tree import ACTIONS, HEAD, WORDS, owners
from fogtree.walk import slices
from fogtree.walk import table as tables

pytestmark = pytest.mark.usefixtures("unchecked")  # some games break the contract on purpose

RM = RegretMatching()


class Trio(NamedTuple):
    """Three players: chance gives one of them a double stake, unseen; then each in turn, seeing the others' choices but not
    the stake, takes one of three actions. Payoffs are those of a table and do not sum to 0."""

    paid: np.ndarray  # [action, action, action, player]

    def shape(self):
        return Shape(3, 4, 3, 4, 0.0, 2.0, False)

    def start(self, state):
        state[:] = -1

    def player(self, state):
        if state[0] < 0:
            return CHANCE
        for seat in range(3):
            if state[1 + seat] < 0:
                return seat
        return OVER

    def actions(self, state, out):
        for i in range(3):
            out[i] = i
        return 3

    def odds(self, state, out):
        out[0], out[1], out[2] = 0.5, 0.25, 0.25

    def step(self, state, action):
        for word in range(4):
            if state[word] < 0:
                state[word] = action
                return

    def payoff(self, state, player):
        stake = 2.0 if state[0] == player else 1.0
        return stake * self.paid[state[1], state[2], state[3], player]

    def view(self, state, player):
        key = 1
        for seat in range(3):
            key = key * 4 + state[1 + seat] + 1
        return key


TRIO = Trio(np.random.default_rng(7).random((3, 3, 3, 3)))
GAMES = [Kuhn(), Goofspiel(4, prizes="shuffled"), PhantomTicTacToe(rules="forced-centre"), TRIO]


# --- two ways to the same tree -------------------------------------------------------------------------------------


class PlainSearch:
    """Algorithm 1 of Lisý 2014 by recursion, with a dictionary of information sets, each with a memory of its own."""

    def __init__(self, game, bandit, seed):
        self.game, self.bandit, self.random, self.shape = complete(game), bandit, dice.seeded(seed), game.shape()
        self.memory: dict = {}  # (player, view) -> actions, what the bandit remembers
        self.visits: dict = {}
        self.new = 0  # sets added in this iteration

    def iterate(self, state):
        with np.errstate(over="ignore"):
            self.new = 0
            return self.descend(state)

    def descend(self, state):
        """Every player's reward."""
        game, player, actions = self.game, self.game.player(state), legal(self.game, state)
        if player == OVER:
            payoffs = [game.payoff(state, p) for p in range(self.shape.players)]
            return [self.bandit.reward(payoff, self.shape.low, self.shape.high) for payoff in payoffs]
        if player == CHANCE:
            odds = np.zeros(self.shape.actions)
            game.odds(state, odds)
            return self.follow(state, actions[dice.pick(self.random, odds, len(actions))])
        if len(actions) == 1:
            return self.follow(state, actions[0])
        key, k = (player, int(game.view(state, player))), len(actions)
        new = key not in self.memory
        if new:
            self.memory[key], self.visits[key] = (actions, np.zeros(self.bandit.slots(k))), 0
            self.new += 1
        assert self.memory[key][0] == actions
        memory = self.memory[key][1]
        chosen, probability = self.bandit.choose(memory, k, self.random)
        rewards = self.follow(state, actions[chosen], simulate=new)
        self.bandit.learn(memory, k, chosen, probability, rewards[player])
        self.visits[key] += 1
        return rewards

    def follow(self, state, action, simulate=False):
        self.game.step(state, action)
        if simulate:
            play_on(Uniform(), self.game, state, new_room(self.shape), self.shape.moves, self.random)
        return self.descend(state)


def tree_of(search):
    return search.searchers[0].tree


def dice_of(search):
    return search.searchers[0].random.tolist()


def sets_of(search):
    """(player, view) -> actions, memory: a search's tree as the plain double keeps it."""
    tree, found, end = tree_of(search), {}, 0
    for player, view in zip(*owners(tree), strict=True):
        first, width = tree.actions(end)
        begin, end = tree.span(search.bandit, end)
        found[int(player), int(view)] = tree.action[first : first + width].tolist(), tree.memory[begin:end]
    return found


def assert_same_sets(one, other):
    assert list(one) == list(other)  # in the order in which they were met
    for key in one:
        assert one[key][0] == other[key][0]
        assert one[key][1].tolist() == other[key][1].tolist()


@pytest.mark.parametrize("game", GAMES, ids=lambda game: type(game).__name__)
def test_the_tree_is_that_of_the_plain_algorithm(game):
    bandit = UCT() if game is TRIO else RM
    search, plain = ISMCTS(game, bandit, seed=5), PlainSearch(game, bandit, 5)
    search.run(iterations=200)
    for _ in range(200):
        plain.iterate(new_state(game))
        assert plain.new <= 1  # one set an iteration, as long as there are new ones
    assert_same_sets(sets_of(search), plain.memory)
    assert dice_of(search) == plain.random.tolist()
    assert search.infosets == len(plain.memory) and search.iterations == 200


MATRIX_BANDITS = [
    *(cls() for name, cls in BANDITS.items() if name not in ("uct-window", "uct-reset")),
    SlidingWindowUCT(window=20),  # these two so that they forget, look and reset within the iterations
    ResettingUCT(first=5),
    Exp3(decay=0.3),
    RegretMatching(decay=0.3),
    EpsilonGreedy(decay=20),
]


@pytest.mark.parametrize("bandit", MATRIX_BANDITS, ids=bandit_name)
def test_every_bandit_interpreted_and_compiled_gives_the_same_tree(bandit, monkeypatch):
    game = MatrixGame([[0, 2, -1], [-1, 0, 1], [3, -1, 0]])
    compiled = ISMCTS(game, bandit, seed=3).run(iterations=300)
    monkeypatch.setattr(numba.config, "DISABLE_JIT", True)
    assert_identical(compiled, ISMCTS(game, bandit, seed=3).run(iterations=300))


@pytest.mark.parametrize("bandit", [UCT(), RM], ids=bandit_name)
def test_leduc_interpreted_and_compiled_gives_the_same_tree(bandit, monkeypatch):
    compiled = ISMCTS(Leduc(), bandit, seed=4).run(iterations=300)
    monkeypatch.setattr(numba.config, "DISABLE_JIT", True)
    assert_identical(compiled, ISMCTS(Leduc(), bandit, seed=4).run(iterations=300))


def assert_identical(one, other):
    assert dice_of(one) == dice_of(other)
    assert_same_sets(sets_of(one), sets_of(other))
    for field in ("memory", "action", "used"):
        assert getattr(tree_of(one), field).tolist() == getattr(tree_of(other), field).tolist()


# --- in pieces -----------------------------------------------------------------------------------------------------


def test_a_search_is_the_same_however_it_is_cut():
    whole = ISMCTS(Leduc(), RM, seed=2).run(iterations=7_000)
    cut = ISMCTS(Leduc(), RM, seed=2)
    for iterations in (3, 4, 0, 1, 992, 1_000, 5_000):
        cut.run(iterations=iterations)
    assert cut.iterations == 7_000
    assert_identical(whole, cut)


def test_a_search_is_the_same_whatever_the_slices(monkeypatch):
    whole = ISMCTS(Leduc(), RM, seed=2).run(iterations=500)
    monkeypatch.setattr(slices, "next_slice", lambda size, *_: size % 7 + 1)
    assert_identical(whole, ISMCTS(Leduc(), RM, seed=2).run(iterations=500))


@pytest.mark.parametrize("bandit", [RM, UCT()], ids=bandit_name)
def test_growth_does_not_change_the_tree(bandit):
    # one that has room for all from the start, and one that has to grow its table and its arrays many times
    roomy, tight = ISMCTS(Leduc(), bandit, seed=1), ISMCTS(Leduc(), bandit, seed=1)
    most = Leduc().shape().actions
    tight.searchers[0].tree = tree_of(tight)._replace(
        table=tables.empty(4),
        memory=np.zeros(HEAD + bandit.slots(most)),
        action=np.zeros(most, np.int32),
    )
    roomy.run(iterations=20_000)
    tight.run(iterations=20_000)
    words = tree_of(tight).used[WORDS]
    assert len(tree_of(tight).table.slot) >= 1_024 and words <= len(tree_of(tight).memory) < 1.1 * words
    assert_same_sets(sets_of(roomy), sets_of(tight))
    assert dice_of(roomy) == dice_of(tight)


def test_seeds_reproduce_and_differ():
    first, second, other = (ISMCTS(Leduc(), RM, seed).run(iterations=1_000).strategy() for seed in (1, 1, 2))
    assert first.probability.tolist() == second.probability.tolist()
    assert first.probability.tolist() != other.probability.tolist()


def test_seconds_end_a_search_and_progress_looks_on():
    seen = []
    search = ISMCTS(Leduc(), RM).run(seconds=0.1, progress=seen.append)
    assert search.iterations >= 64
    done = [told.done for told in seen]
    assert done == sorted(done) and done[-1] == search.iterations
    assert {told.what for told in seen} == {"iterations"} and {told.goal for told in seen} == {None}
    assert search.run(seconds=0).iterations == done[-1]


def test_progress_may_stop_a_search_which_then_goes_on():
    class Enough(Exception):
        pass

    def stop(progress):
        if progress.done > 500:
            raise Enough

    search = ISMCTS(Leduc(), RM, seed=2)
    with pytest.raises(Enough):
        search.run(iterations=10**12, progress=stop)
    assert_identical(search, ISMCTS(Leduc(), RM, seed=2).run(iterations=search.iterations))


@pytest.mark.parametrize(
    "budget, sentence",
    [
        ({}, "give a number of iterations or of seconds"),
        ({"iterations": -1}, "iterations must be a whole number of 0 or more, not -1"),
        ({"iterations": 1.5}, "iterations must be a whole number of 0 or more, not 1.5"),
        ({"seconds": math.nan}, "seconds must be a number of 0 or more, not nan"),
        ({"seconds": -0.1}, "seconds must be a number of 0 or more, not -0.1"),
        ({"iterations": 1, "roots": np.zeros((0, 3))}, r"roots are one state or more, each of 3 words, not \(0, 3\)"),
        ({"iterations": 1, "roots": np.zeros((2, 4))}, r"roots are one state or more, each of 3 words, not \(2, 4\)"),
        ({"iterations": 1, "roots": np.zeros(3)}, r"roots are one state or more, each of 3 words, not \(3,\)"),
    ],
)
def test_a_bad_budget_or_root_is_one_sentence(budget, sentence):
    with pytest.raises(Invalid, match=sentence):
        ISMCTS(Kuhn(), RM).run(**budget)


def test_a_game_that_is_longer_than_it_says_is_refused(interpreted):
    class Hasty(Kuhn):
        def shape(self):
            return super().shape()._replace(moves=1)

    with pytest.raises(Broken, match=r"Hasty goes on after 1 moves, the most that shape\(\) allows"):
        ISMCTS(Hasty(), RM).run(iterations=1_000)


# --- statistics ----------------------------------------------------------------------------------------------------


def visits(search):
    """(player, view) -> how often the set was visited, by the first word that UCT keeps."""
    return {key: memory[0] for key, (_, memory) in sets_of(search).items()}


def test_a_visit_is_counted_once_at_every_set_on_the_way():
    # Trio has a set at the start, three after it and nine before the end; all are met
    search = ISMCTS(TRIO, UCT(), seed=1).run(iterations=1_000)
    counts = visits(search)
    assert len(counts) == 13
    assert counts[0, 64] == 1_000  # 64: nobody has chosen yet
    before_the_end = sum(count for (player, _), count in counts.items() if player == 2)
    added = 1 + 3  # iterations that stopped at a new set before one of the nine
    assert before_the_end == 1_000 - added
    for _, memory in sets_of(search).values():
        assert memory[0] == memory[1::2].sum()


def test_in_poker_the_first_decisions_share_the_iterations():
    search = ISMCTS(Kuhn(), UCT(), seed=1).run(iterations=3_000)
    game, shares = Kuhn(), []
    for card in range(3):
        state = new_state(game)
        game.step(state, card)
        game.step(state, (card + 1) % 3)
        shares.append(visits(search)[0, game.view(state, 0)])
    assert sum(shares) == 3_000
    assert shares == pytest.approx([1_000] * 3, abs=130)  # five deviations of 26


def test_a_forced_move_needs_no_statistics():
    # forced centre: X's first mark and O's first try are no choice, and nobody has a set before them
    game = PhantomTicTacToe(rules="forced-centre")
    search = ISMCTS(game, RM, seed=1).run(iterations=500)
    assert all(len(actions) > 1 for actions, _ in sets_of(search).values())
    assert (0, 1) not in sets_of(search) and (1, 1) not in sets_of(search)


def test_what_is_learned_is_the_mean_of_what_came_of_an_action():
    # one row that always brings 3, one that always brings -2: means are exact after one visit each
    search = ISMCTS(MatrixGame([[3, 3], [-2, -2]]), UCT(), seed=1).run(iterations=100)
    _, memory = sets_of(search)[0, 0]
    assert memory[2] == 3 and memory[4] == -2
    _, memory = sets_of(search)[1, 0]
    share = search.policy(0, 0)[0]
    assert -3 <= memory[2] <= 2 and memory[0] == 99 and share > 0.6


# --- what is put out -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES[:3], ids=lambda game: type(game).__name__)
def test_the_strategy_is_a_valid_one_and_agrees_with_the_policies(game):
    search = ISMCTS(game, RM, seed=1).run(iterations=2_000)
    strategy = search.strategy()  # whose constructor checks it
    strategy.belongs_to(game)
    assert len(strategy) == search.infosets == len(sets_of(search))
    for player, view in sets_of(search):
        assert search.policy(player, view) == strategy[player, view]
    assert search.policy(0, -1) is None
    assert fogtree.exploitability(Kuhn(), ISMCTS(Kuhn(), RM).strategy()).mean == pytest.approx(11 / 24)  # uniform


def test_before_any_iteration_the_strategy_is_empty():
    search = ISMCTS(Kuhn(), RM)
    assert (search.iterations, search.infosets, len(search.strategy()), search.note) == (0, 0, 0, "")


# --- caps ----------------------------------------------------------------------------------------------------------


def test_at_its_cap_of_memory_the_tree_stops_growing_and_the_search_goes_on():
    cap = 400_000
    search = ISMCTS(Goofspiel(8), RM, seed=1, memory=cap).run(iterations=50_000)
    sets = search.infosets
    assert 1_000 < sets < 5_000 and search.memory <= cap
    assert search.note == f"the tree stopped growing at {sets} information sets, at the cap of 4e+05 bytes"
    before = search.strategy().probability
    search.run(iterations=50_000)
    assert search.iterations == 100_000 and search.infosets == sets
    after = search.strategy()
    assert (before != after.probability).any()  # what it has goes on learning


def test_a_cap_below_the_smallest_tree_stops_it_when_that_is_full():
    search = ISMCTS(Goofspiel(8), RM, memory=0).run(iterations=5_000)
    assert search.iterations == 5_000 and 500 < search.infosets <= 1_024 and "0 bytes" in search.note


@pytest.mark.parametrize("sets", [1, 7, 1_500])
def test_sets_may_be_capped_too(sets):
    search = ISMCTS(Goofspiel(8), RM, sets=sets).run(iterations=5_000)
    assert search.infosets == sets and search.iterations == 5_000
    assert search.note == f"the tree stopped growing at the cap of {sets} information sets"


def test_memory_is_at_most_100_bytes_a_set_and_16_an_action():
    search = ISMCTS(Goofspiel(8), RM, seed=1)
    for _ in range(6):
        search.run(iterations=20_000)
        assert search.infosets > 10_000
        assert search.memory <= 100 * search.infosets + 16 * tree_of(search).used[ACTIONS]


def test_a_bandit_that_needs_much_memory_gets_it(monkeypatch):
    monkeypatch.setattr(numba.config, "DISABLE_JIT", True)
    search = ISMCTS(Leduc(), SlidingWindowUCT(window=3_000), seed=1).run(iterations=300)
    assert search.infosets > 100
    assert tree_of(search).used[WORDS] == sum(HEAD + len(memory) for _, memory in sets_of(search).values())


# --- roots ---------------------------------------------------------------------------------------------------------


def test_from_a_root_only_what_follows_it_is_searched():
    game = Kuhn()
    state = new_state(game)
    for action in (2, 0, 0, 1):  # king against jack, pass, bet
        game.step(state, action)
    search = ISMCTS(game, UCT(), seed=1).run(iterations=100, roots=state[None])
    assert list(sets_of(search)) == [(0, game.view(state, 0))]
    assert search.policy(0, game.view(state, 0))[1] > 0.8  # with the king one calls


def test_every_root_is_equally_likely():
    game, roots = Kuhn(), []
    for card in (0, 1, 1, 2):  # the queen is believed twice as likely
        state = new_state(game)
        game.step(state, card)
        game.step(state, 0 if card else 1)
        roots.append(state)
    search = ISMCTS(game, UCT(), seed=1).run(iterations=4_000, roots=np.array(roots))
    found = [visits(search)[0, game.view(root, 0)] for root in (roots[0], roots[1], roots[3])]
    assert sum(found) == 4_000
    assert found == pytest.approx([1_000, 2_000, 1_000], abs=160)  # five deviations of 32


def test_the_roots_are_left_as_they_are():
    game = Kuhn()
    roots = np.array([[0, 1, 1], [0, 2, 1]])
    ISMCTS(game, RM).run(iterations=100, roots=roots)
    assert roots.tolist() == [[0, 1, 1], [0, 2, 1]]


def test_a_root_where_the_game_is_over_is_searched_in_vain():
    game = MatrixGame()
    state = new_state(game)
    game.step(state, 0)
    game.step(state, 0)
    search = ISMCTS(game, RM).run(iterations=10, roots=state[None])
    assert (search.iterations, search.infosets) == (10, 0)


# --- known answers -------------------------------------------------------------------------------------------------


def test_three_players_find_what_backward_induction_does():
    def value(*chosen):
        """What each expects when the players to come do their best, and what the next of them does."""
        if len(chosen) == 3:
            return TRIO.paid[chosen] * [1.5, 1.25, 1.25], None  # over the stakes
        below = [value(*chosen, action)[0] for action in range(3)]
        best = max(range(3), key=lambda action: below[action][len(chosen)])
        return below[best], best

    search, asked = ISMCTS(TRIO, UCT(), seed=1).run(iterations=500_000), 0
    for turn in range(3):
        for chosen in itertools.product(range(3), repeat=turn):
            view = TRIO.view(np.array([0, *chosen, *[-1] * (3 - turn)]), turn)
            if visits(search)[turn, view] >= 1_000:  # it has no time for actions that lose
                mix = search.policy(turn, view)
                assert max(mix, key=mix.get) == value(*chosen)[1]
                asked += 1
    assert asked >= 4


def minimax(game, known, state):
    """The value of a state of a two-player game without secrets to the player to move."""
    key = state[:3].tobytes()  # the board
    if key not in known:
        if game.player(state) == OVER:
            return game.payoff(state, 0) * (1 if state[2] % 2 == 0 else -1)
        known[key] = max(-minimax(game, known, after(game, state, action)) for action in legal(game, state))
    return known[key]


def after(game, state, action):
    child = state.copy()
    game.step(child, action)
    return child


def positions(game, count, seed):
    """Positions of random games in which moves differ in worth."""
    random, known, found = np.random.default_rng(seed), {}, []
    while len(found) < count:
        state = new_state(game)
        for _ in range(random.integers(0, 7)):
            if game.player(state) != OVER:
                state = after(game, state, random.choice(legal(game, state)))
        if game.player(state) != OVER:
            worth = {action: -minimax(game, known, after(game, state, action)) for action in legal(game, state)}
            if len(set(worth.values())) > 1:
                found.append((state, worth))
    return found


def test_in_tic_tac_toe_uct_finds_no_losing_move():
    game = TicTacToe()
    for state, worth in positions(game, 150, seed=1):
        search = ISMCTS(game, UCT(), seed=1).run(iterations=20_000, roots=state[None])
        mix = search.policy(game.player(state), game.view(state, 0))
        assert worth[max(mix, key=mix.get)] == max(worth.values())


def test_in_tic_tac_toe_every_opening_of_uct_keeps_the_draw():
    search = ISMCTS(TicTacToe(), UCT(), seed=1).run(iterations=200_000)
    state = new_state(TicTacToe())
    while TicTacToe().player(state) != OVER:  # the most visited moves of both, as far as the tree goes
        mix = search.policy(TicTacToe().player(state), TicTacToe().view(state, 0))
        state = after(TicTacToe(), state, max(mix, key=mix.get) if mix else legal(TicTacToe(), state)[0])
    assert TicTacToe().payoff(state, 0) == 0


@pytest.mark.parametrize("game, first, last", [(Kuhn(), 2, 0.08), (Leduc(), 3, 3.0)], ids=["kuhn", "leduc"])
def test_the_exploitability_of_regret_matching_falls_over_decades(game, first, last):
    # not below 1,000 iterations in Leduc: there most sets are new, and a few bold ones are worse than uniform play
    (curve,) = curves(game, [("rm", RM)], iterations=100_000, runs=20, seed=1)
    decades = curve.mean()[[curve.iterations.tolist().index(10**e) for e in range(first, 6)]]
    assert (np.diff(decades) < 0).all()
    assert decades[-1] < last


@pytest.mark.slow
def test_in_leduc_it_falls_on_to_millions_of_iterations():
    (curve,) = curves(Leduc(), [("rm", RM)], iterations=10_000_000, runs=20, seed=1)
    decades = curve.mean()[[curve.iterations.tolist().index(10**e) for e in range(3, 8)]]
    assert (np.diff(decades) < 0).all()
    assert decades[-1] < 0.7


def test_uniform_search_is_uniform_play():
    search = ISMCTS(MatrixGame(), UniformRandom(), seed=1).run(iterations=100)
    assert search.strategy().probability == pytest.approx([1 / 3] * 6)


def test_greed_finds_the_best_answer_to_chance():
    # with no opponent who matters, the best mean is the best action: the second row brings 1 to 2, the first at most 1
    search = ISMCTS(MatrixGame([[0, 1], [1, 2]]), EpsilonGreedy(0.1), seed=1).run(iterations=5_000)
    assert search.policy(0, 0)[1] > 0.9
    assert math.isclose(sum(search.policy(0, 0).values()), 1)


def test_a_search_that_nobody_holds_gives_its_memory_back_at_once():
    # trees are large arrays, of which the garbage collector knows nothing: it must not be needed
    gc.disable()
    try:
        search = ISMCTS(fogtree.Kuhn(), UCT(), waiting=1)
        held = weakref.ref(search)
        del search
        assert held() is None
    finally:
        gc.enable()
