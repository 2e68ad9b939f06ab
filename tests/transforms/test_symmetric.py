"""Games up to their symmetries: against the games themselves, by other programs' counts, and by enumeration."""

from typing import NamedTuple

import numpy as np
import pytest

import fogtree
from fogtree import CHANCE, OVER, DarkHex, PhantomTicTacToe
from fogtree.game import legal, new_state, odds
from fogtree.policy import Uniform
from fogtree.solvers.forms import form_lanes
from fogtree.solvers.forms.form_lanes import form_in_lanes
from fogtree.solvers.forms.reduction import lifted, reduced, smallest_equal
from fogtree.solvers.regret.cfr import CFR
from fogtree.solvers.streamed.answers import answer_all
from fogtree.transforms.symmetric import EQUAL, UpToSymmetry, plays_the_same_on_every_board, symmetric

TWO, ABRUPT = DarkHex(side=2), DarkHex(side=2, abrupt=True)
FORCED = fogtree.load("phantom-ttt:rules=forced-centre")
THREE = PhantomTicTacToe()


def after(game, *moves):
    state = new_state(game)
    for move in moves:
        game.step(state, move)
    return state


def test_the_first_move_is_one_of_corner_edge_and_centre():
    game = symmetric(THREE, THREE)
    assert legal(game, new_state(game)) == [0, 1, 4]
    # X in a corner: O does not know it, and tries a corner too, which may be the same, the far one, or one of two alike
    state = after(game, 0, 0)
    assert game.player(state) == CHANCE
    spread = dict(zip(legal(game, state), odds(game, state), strict=True))
    assert sorted(spread.values()) == [0.25, 0.25, 0.5] and sum(spread.values()) == 1.0


@pytest.mark.parametrize("game", [fogtree.Kuhn(), FORCED.reduced(), TWO.reduced(), DarkHex(side=4)])
def test_a_game_without_symmetries_stays_as_it_is(game):
    assert symmetric(game, game) is game


@pytest.mark.parametrize(
    "game", [THREE, fogtree.load("phantom-ttt:rules=abrupt"), DarkHex(), DarkHex(abrupt=True), FORCED]
)
def test_views_are_the_smallest_of_their_images_and_games_end_as_on_the_real_board(game):
    small = symmetric(game, game)
    random = np.random.default_rng(1)
    for _ in range(20):
        state, depth = new_state(small), 0
        while small.player(state) != OVER:
            player = small.player(state)
            if player != CHANCE:
                view = small.view(state, player)
                assert view == min(game.turned(view, player, which) for which in range(game.symmetries()))
            small.step(state, int(random.choice(legal(small, state))))
            depth += 1
        assert small.payoff(state, 0) == -small.payoff(state, 1) and depth <= small.shape().moves
    fogtree.check(small, histories=3_000, seconds=20)


@pytest.mark.parametrize("game", [TWO, ABRUPT])
def test_the_value_is_that_of_the_whole_game(game):
    small = symmetric(game, game)
    values = [fogtree.solve(fogtree.sequence_form(each), "lp").value for each in (game, small)]
    assert values[0] == pytest.approx(values[1], abs=1e-12)


@pytest.mark.parametrize("game", [TWO, ABRUPT])
def test_any_strategy_up_to_symmetry_is_worth_the_same_in_the_whole_game(game):
    small = symmetric(game, game)
    form, random = fogtree.sequence_form(small), np.random.default_rng(3)
    plain = CFR(form, "cfr").run(iterations=1).strategy()
    weight = random.random(len(plain.probability))
    shares = weight / np.repeat(np.add.reduceat(weight, plain.first[:-1]), np.diff(plain.first))
    mixed = fogtree.Strategy(small, plain.player, plain.view, plain.first, plain.action, shares)
    ours, whole = fogtree.exploitability(form, mixed), fogtree.exploitability(game, lifted(mixed, game, small=small))
    assert ours.total > 0.1 and whole.missing == (0, 0)
    assert whole.values == pytest.approx(ours.values, abs=1e-12) and whole.value == pytest.approx(ours.value, abs=1e-12)


def test_a_choice_among_winning_tries_that_is_not_symmetric_is_made_on_the_turned_board():
    # fewer actions and symmetries together; after three iterations, so that the plans are far from equilibrium
    small = smallest_equal(FORCED, whole=False)
    assert isinstance(small, UpToSymmetry) and small.game == reduced(FORCED)
    work = CFR(small, "cfr+").run(iterations=3)
    found, strategy = work.certificate(), lifted(work.strategy(), FORCED, small=small)
    measured = fogtree.exploitability(FORCED, strategy, engine="stream")
    assert found.total > 0.01 and measured.values == pytest.approx((found.high, -found.low), abs=1e-9)


@pytest.mark.parametrize("bytes_each", [40, 1e12])
def test_lanes_build_the_form_that_a_walk_builds_also_if_it_is_filed_in_pieces(bytes_each, monkeypatch):
    monkeypatch.setattr(form_lanes, "ENTRY_BYTES", bytes_each)
    small = symmetric(ABRUPT, ABRUPT)
    one, other = form_in_lanes(small, "cpu")[0], fogtree.sequence_form(small)
    assert (one.histories, one.rows.start[-1]) == (other.histories, other.rows.start[-1])
    found, known = (CFR(form, "cfr+").run(iterations=20).certificate() for form in (one, other))
    assert (found.low, found.high) == pytest.approx((known.low, known.high), abs=1e-12)


def test_chance_draws_once_between_actions_that_look_alike():
    small = symmetric(THREE, THREE)
    state = after(small, 0, 0)
    small.step(state, legal(small, state)[0])
    assert state[EQUAL] == 0 and small.player(state) != CHANCE


class ByNumber(NamedTuple):
    """The first action, wherever the board lies."""

    def weigh(self, game, state, player, choice, odds):
        odds[0] = min(game.actions(state, choice), 1)
        return 1


@pytest.mark.parametrize("game", [TWO, ABRUPT])
def test_a_strategy_that_is_the_same_on_every_board_is_answered_up_to_symmetry(game):
    small = symmetric(game, game)
    alike = lifted(CFR(small, "cfr+").run(iterations=5).strategy(), game, small=small)
    for strategy in (alike, fogtree.Strategy.uniform(game)):
        assert plays_the_same_on_every_board(game, strategy)
        known, found = fogtree.exploitability(game, strategy), answer_all(game, strategy)
        assert found.best == pytest.approx(known.values, abs=1e-12)
        whole = answer_all(game, strategy, considered=game)
        assert whole.own[0] == pytest.approx(known.value, abs=1e-12)
        assert whole.histories < fogtree.sequence_form(game).histories
    assert plays_the_same_on_every_board(game, Uniform()) and not plays_the_same_on_every_board(
        fogtree.Kuhn(), Uniform()
    )


def test_what_differs_at_one_set_of_one_board_is_answered_on_all_boards():
    small = symmetric(ABRUPT, ABRUPT)
    alike = lifted(CFR(small, "cfr+").run(iterations=5).strategy(), ABRUPT, small=small)
    row = int(np.argmax(np.diff(alike.first)))
    share = alike.probability.copy()
    share[alike.first[row] : alike.first[row + 1]] = np.eye(alike.first[row + 1] - alike.first[row])[0]
    other = fogtree.Strategy(ABRUPT, alike.player, alike.view, alike.first, alike.action, share)
    without = lifted(CFR(ABRUPT, "cfr+").run(iterations=5).strategy(), ABRUPT)
    for strategy in (other, ByNumber()):
        assert not plays_the_same_on_every_board(ABRUPT, strategy)
    for strategy in (other, without):
        known, found = fogtree.exploitability(ABRUPT, strategy), answer_all(ABRUPT, strategy)
        assert found.best == pytest.approx(known.values, abs=1e-12)


class Renumbered(NamedTuple):
    """Dark Hex on four cells whose actions have large numbers."""

    game: DarkHex = TWO
    least: int = 1000

    def shape(self):
        return self.game.shape()

    def start(self, state):
        self.game.start(state)

    def player(self, state):
        return self.game.player(state)

    def actions(self, state, out):
        count = self.game.actions(state, out)
        for a in range(count):
            out[a] += self.least
        return count

    def step(self, state, action):
        self.game.step(state, action - self.least)

    def payoff(self, state, player):
        return self.game.payoff(state, player)

    def view(self, state, player):
        return self.game.view(state, player)

    def symmetries(self):
        return self.game.symmetries()

    def turn(self, state, which):
        self.game.turn(state, which)

    def turned(self, view, player, which):
        return self.game.turned(view, player, which)

    def moved(self, action, which):
        return self.game.moved(action - self.least, which) + self.least


def test_actions_may_have_any_numbers(interpreted):
    # up to symmetry it was once another game where numbers did not fit in the bits of a word: its certified value was 0
    game = Renumbered()
    small, known = symmetric(game, game), symmetric(TWO, TWO)
    assert fogtree.check(small).complete
    form, other = fogtree.sequence_form(small), fogtree.sequence_form(known)
    assert (form.histories, form.rows.value.tolist()) == (other.histories, other.rows.value.tolist())
    assert [tree.action[1:].tolist() for tree in form.trees] == [
        (tree.action[1:] + 1000).tolist() for tree in other.trees
    ]
    mixes = [lifted(CFR(each, "cfr+").run(iterations=3).strategy(), each.board, small=each) for each in (small, known)]
    assert np.array_equal(mixes[0].action, mixes[1].action + 1000)
    assert np.array_equal(mixes[0].probability, mixes[1].probability)
