"""Duels: sampled against exact, exact against the sequence form and against print."""

from typing import NamedTuple

import numba
import pytest

from fogtree.errors import Broken, Invalid
from fogtree.game import Shape, new_state
from fogtree.games import BimatrixGame, Kuhn, PhantomTicTacToe, TicTacToe
from fogtree.measure.duel import duel, duplicate, exact_duel
from fogtree.policy import Uniform
from fogtree.solvers.forms.response import plan_of, value_of
from fogtree.solvers.forms.sequence import sequence_form
from fogtree.solvers.regret.cfr import CFR
from fogtree.strategy import Strategy

pytestmark = pytest.mark.usefixtures("unchecked")  # some games break the contract on purpose


def test_random_against_random_in_tic_tac_toe_exactly():
    # the well-known 737/1260, 121/420 and 8/63; Auger 2011 rounds them to 59 % and 28 %
    game = TicTacToe()
    found = exact_duel(game, Strategy.uniform(game), Strategy.uniform(game))
    assert found.wins == pytest.approx((737 / 1260, 121 / 420), abs=1e-12)
    assert found.draws == pytest.approx(8 / 63, abs=1e-12)
    assert found.payoff == pytest.approx(737 / 1260 - 121 / 420, abs=1e-12)
    assert [round(100 * share, 3) for share in (*found.wins, found.draws)] == [58.492, 28.810, 12.698]


def test_random_play_does_not_care_whether_marks_are_hidden():
    # A failed try changes nothing but what is left to try, so a uniform try that is repeated until it succeeds marks a
    # uniform free cell: random games of Phantom Tic-Tac-Toe end as those of Tic-Tac-Toe, 58.492 %, 28.810 %, 12.698 %
    game = PhantomTicTacToe()
    found = duel(game, Strategy.uniform(game), Strategy.uniform(game), 200_000, seed=3)
    for share, wanted in zip((*found.wins, found.draws), (737 / 1260, 121 / 420, 8 / 63), strict=True):
        assert abs(share - wanted) < 2 * found.half_of(wanted)


def test_exact_payoffs_are_those_of_the_sequence_form():
    form = sequence_form(Kuhn())
    cfr = CFR(form)
    cfr.run(iterations=20)
    first, second = cfr.strategy(), Strategy.uniform(Kuhn())
    exact = exact_duel(Kuhn(), first, second)
    assert exact.payoff == pytest.approx(
        value_of(form, plan_of(form, first, 0)[0], plan_of(form, second, 1)[0]), abs=1e-12
    )
    assert sum(exact.wins) + exact.draws == pytest.approx(1, abs=1e-12)
    sampled = duel(Kuhn(), first, second, 50_000, seed=1)
    assert abs(sampled.payoff - exact.payoff) < 2 * sampled.half < 0.05
    assert sampled.wins[0] == pytest.approx(exact.wins[0], abs=2 * sampled.half_of(exact.wins[0]))
    other = exact_duel(Kuhn(), second, first)
    assert abs(other.payoff - exact.payoff) > 0.01  # players are not mixed up


def test_interpreted_and_compiled_play_the_same_games(monkeypatch):
    uniform = Strategy.uniform(Kuhn())
    compiled = duel(Kuhn(), uniform, uniform, 300, seed=9)
    exact = exact_duel(Kuhn(), uniform, uniform)
    monkeypatch.setattr(numba.config, "DISABLE_JIT", True)
    assert duel(Kuhn(), uniform, uniform, 300, seed=9) == compiled
    assert exact_duel(Kuhn(), uniform, uniform) == exact


def test_in_the_prisoner_s_dilemma_nobody_wins_more_often_and_both_payoffs_are_told(interpreted):
    # both show mercy: (-1, -1); one alone betrays: (0, -3) or (-3, 0); both betray: (-2, -2). Uniform play reaches each alike
    game = BimatrixGame([[-1, -3], [0, -2]], [[-1, 0], [-3, -2]])
    found = exact_duel(game, Strategy.uniform(game), Strategy.uniform(game))
    assert found.wins == (0.25, 0.25) and found.draws == 0.5
    assert found.payoffs == (-1.5, -1.5) and found.halves == (0.0, 0.0)
    sampled = duel(game, Strategy.uniform(game), Strategy.uniform(game), 20_000, seed=2)
    assert sampled.wins == pytest.approx((0.25, 0.25), abs=2 * sampled.half_of(0.25))
    assert sum(sampled.wins) + sampled.draws == pytest.approx(1)
    for payoff, half in zip(sampled.payoffs, sampled.halves, strict=True):
        # a payoff deviates by sqrt(1.25), and its mean over 20,000 games by 0.0079
        assert half == pytest.approx(1.96 * 0.0079, rel=0.02) and abs(payoff + 1.5) < 2 * half
    betrayal = Strategy(game, [1], [int(game.view(_second(game), 1))], [0, 1], [1], [1.0])
    told = exact_duel(game, Strategy.uniform(game), betrayal)
    assert told.wins == (0.0, 0.5) and told.payoffs == (-2.5, -1.0), "what a player gets is told of that player"


def _second(game):
    state = new_state(game)
    game.step(state, 0)
    return state


def test_a_duel_takes_any_policy_and_tells_how_far_it_is():
    told = []
    found = duel(Kuhn(), Uniform(), Strategy.uniform(Kuhn()), 30_000, seed=4, progress=told.append)
    assert abs(found.payoff - 1 / 8) < 2 * found.half  # uniform play of Kuhn poker is worth 1/8 to player 0
    assert told[-1] == ("games", 30_000, 30_000, None)
    assert [now.done for now in told] == sorted(now.done for now in told)


class Endless(NamedTuple):
    """Says that it ends after three moves, and never does."""

    def shape(self):
        return Shape(2, 1, 2, 3, -1.0, 1.0)

    def start(self, state):
        state[0] = 0

    def player(self, state):
        return state[0] % 2

    def actions(self, state, out):
        out[0], out[1] = 0, 1
        return 2

    def step(self, state, action):
        state[0] += 1

    def payoff(self, state, player):
        return 0.0

    def view(self, state, player):
        return state[0] + 1


@pytest.mark.parametrize("judge", [duel, exact_duel])
def test_a_game_that_never_ends_is_a_sentence(judge, interpreted):
    uniform = Strategy.uniform(Endless())
    with pytest.raises(Broken, match="Endless goes on after 3 moves, the most that shape\\(\\) allows"):
        judge(Endless(), uniform, uniform)


def test_bad_duels_are_one_sentence():
    uniform = Strategy.uniform(Kuhn())
    with pytest.raises(Invalid, match="the games of a duel must be a whole number of 2 or more, not 1"):
        duel(Kuhn(), uniform, uniform, 1)
    with pytest.raises(Invalid, match="this is a strategy of Kuhn"):
        duel(TicTacToe(), uniform, uniform)
    tree = sequence_form(Kuhn()).trees[0]
    view = tree.view[tree.parent == 0]  # the first player's first decisions
    strange = Strategy(Kuhn(), [0] * 3, view, range(4), [7] * 3, [1] * 3)
    for judge in (duel, exact_duel):
        with pytest.raises(Invalid, match="a strategy lists an action that the game does not have"):
            judge(Kuhn(), strange, uniform)


def test_the_games_of_a_duel_depend_on_the_seed_alone(monkeypatch):
    uniform = Strategy.uniform(Kuhn())
    alone, together = (duel(Kuhn(), uniform, uniform, 5_000, seed=3, cores=cores) for cores in (1, 3))
    assert alone == together
    pairs = [duplicate(Kuhn(), uniform, uniform, 3_000, seed=3, cores=cores) for cores in (1, 2)]
    assert pairs[0] == pairs[1]
