"""Policies: what weighs can be drawn from, a stored strategy and uniform play among them."""

from typing import NamedTuple

import numpy as np
import pytest

from fogtree import CHANCE, Invalid, Kuhn, Leduc, Strategy, best_response, dice, exploitability, playouts
from fogtree.game import new_state
from fogtree.judges import new_room
from fogtree.kernels import kernel
from fogtree.policy import Always, Uniform, as_policy, draw_move, moves
from fogtree.search.trees.onesided import OneSided
from fogtree.trouble import FOREIGN

GAME = Kuhn()


class Bold(NamedTuple):
    """Bets three times out of four; it has no `draw` of its own."""

    def weigh(self, game, state, player, choice, odds):
        count = game.actions(state, choice)
        odds[0], odds[1] = 0.25, 0.75
        return count


@kernel
def drawn(policy, game, state, player, room, times, random, tally):
    for _ in range(times):
        action = draw_move(policy, game, state, player, room, random)
        if action < 0:
            return action
        tally[action] += 1
    return 0


@kernel
def weighed(policy, game, state, player, choice, odds):
    return moves(policy, game, state, player, choice, odds)


def dealt(*cards):
    state = new_state(GAME)
    for card in cards:
        GAME.step(state, card)
    return state


@pytest.mark.parametrize("run", [drawn, drawn.interpreted], ids=["compiled", "interpreted"])
def test_what_is_drawn_follows_the_weights(run):
    tally = np.zeros(3, np.int64)
    run(Bold(), GAME, dealt(0, 1), 0, new_room(GAME.shape()), 2_000, dice.seeded(1), tally)
    assert tally.sum() == 2_000 and tally[1] / 2_000 == pytest.approx(0.75, abs=0.05)  # five deviations of 0.0097
    tally[:] = 0
    run(Uniform(), GAME, dealt(0, 1), 0, new_room(GAME.shape()), 2_000, dice.seeded(1), tally)
    assert tally[1] / 2_000 == pytest.approx(0.5, abs=0.056)


def test_chance_moves_by_its_own_odds_whatever_the_policy():
    choice, odds = np.zeros(3, np.int64), np.zeros(3)
    assert weighed(Bold(), GAME, dealt(), CHANCE, choice, odds) == 3
    assert choice.tolist() == [0, 1, 2] and odds == pytest.approx([1 / 3] * 3)
    tally = np.zeros(3, np.int64)
    drawn(Bold(), GAME, dealt(1), CHANCE, new_room(GAME.shape()), 1_000, dice.seeded(1), tally)
    assert tally[1] == 0 and tally.sum() == 1_000 and abs(tally[0] - 500) < 80


def test_a_strategy_is_a_policy_of_its_game_alone():
    strategy = Strategy.uniform(GAME)
    assert as_policy(GAME, strategy) is strategy.entries
    assert as_policy(GAME, Bold()).policy == Bold() and as_policy(GAME, Uniform()) == Uniform()
    with pytest.raises(Invalid, match="this is a strategy of Kuhn"):
        as_policy(Leduc(), strategy)
    with pytest.raises(Invalid, match="a strategy or a policy is needed, with a method `weigh` in a NamedTuple class"):
        as_policy(GAME, "uniform")


def test_a_strategy_of_foreign_actions_is_found_out():
    view = GAME.view(dealt(0, 1), 0)
    strategy = Strategy(GAME, [0], [view], [0, 1], [7], [1.0])
    assert weighed(strategy.entries, GAME, dealt(0, 1), 0, np.zeros(3, np.int64), np.zeros(3)) == FOREIGN
    assert (
        drawn(strategy.entries, GAME, dealt(0, 1), 0, new_room(GAME.shape()), 1, dice.seeded(1), np.zeros(3)) == FOREIGN
    )
    with pytest.raises(Invalid, match="the policy lists an action that the game does not have"):
        playouts(GAME, 1_000, policy=strategy)


def test_playouts_follow_any_policy():
    # both bet three times out of four: worked out over the six deals, player 0 gets (3/4 - 1/4) * ... = -0.0625 less or more
    played = playouts(GAME, 50_000, policy=Bold(), seed=1)
    table = Strategy(GAME, *_bold_rows())
    exact = exploitability(GAME, table).value
    assert played.payoff[0] == pytest.approx(exact, abs=4 * 1.4 / np.sqrt(50_000))
    assert played.payoff.tolist() == playouts(GAME, 50_000, policy=table, seed=1).payoff.tolist()


def test_a_policy_can_be_searched_and_answered_like_a_strategy():
    table = Strategy(GAME, *_bold_rows())
    exact = best_response(GAME, table, 1)
    assert best_response(GAME, Bold(), 1).value == pytest.approx(exact.value, abs=1e-12)
    learned = OneSided(GAME, Bold(), 1, seed=1).run(iterations=50_000).response()
    assert -exploitability(GAME, _joined(table, learned)).value == pytest.approx(exact.value, abs=1e-12)


def _bold_rows():
    """The policy as a table: every set of both players."""
    sets = sorted({(int(p), int(v)) for p, v in _sets()})
    count = len(sets)
    player, view = zip(*sets, strict=True)
    return player, view, np.arange(count + 1) * 2, [0, 1] * count, [0.25, 0.75] * count


def _sets():
    stack = [new_state(GAME)]
    while stack:
        state = stack.pop()
        player = int(GAME.player(state))
        if player >= 0:
            yield player, GAME.view(state, player)
        for action in _legal(state):
            child = state.copy()
            GAME.step(child, action)
            stack.append(child)


def _legal(state):
    from fogtree.game import legal

    return legal(GAME, state)


def _joined(first, second):
    """Player 0 by the first strategy and player 1 by the second."""
    rows = [(p, v, first[p, v]) for p, v in zip(first.player.tolist(), first.view.tolist(), strict=True) if p == 0]
    rows += [(p, v, second[p, v]) for p, v in zip(second.player.tolist(), second.view.tolist(), strict=True)]
    player, view, mixes = zip(*rows, strict=True)
    actions, shares = [a for mix in mixes for a in mix], [s for mix in mixes for s in mix.values()]
    return Strategy(GAME, player, view, np.cumsum([0, *map(len, mixes)]), actions, shares)


@pytest.mark.parametrize(
    "legal, action, chosen", [((1, 4, 6), 0, 1), ((1, 4, 6), 5, 4), ((1, 4, 6), 6, 6), ((1, 4, 6), 9, 6)]
)
def test_one_action_or_the_next_lower_one_or_the_lowest(legal, action, chosen):
    class Listing:
        def actions(self, state, out):
            out[: len(legal)] = legal
            return len(legal)

    choice, odds = np.zeros(5, np.int64), np.full(5, np.nan)
    assert Always(action).weigh(Listing(), None, 0, choice, odds) == len(legal)
    assert {int(a): float(p) for a, p in zip(choice[:3], odds, strict=False)} == {a: float(a == chosen) for a in legal}
