"""The Belief Sampler: its worlds and marks worked by hand, its results beside independent ones."""

import itertools

import numpy as np
import pytest

from fogtree.arena import agents
from fogtree.arena.referee import play
from fogtree.errors import Invalid
from fogtree.game import NONE, new_state, seen
from fogtree.games import Kuhn, PhantomTicTacToe
from fogtree.games.tic_tac_toe import LINES, MARKS
from fogtree.measure.duel import duel
from fogtree.search.worlds.belief import Belief
from fogtree.search.worlds.sampler import BeliefSampler, best_moves, tally
from fogtree.solvers.streamed.stream import stream_response

GAME = PhantomTicTacToe()
TWIN = GAME.open_twin()
PLACED, TAKEN = 0, 1


def view_of(*tries):
    key = 1
    for cell, result in tries:
        key = seen(key, 2 * cell + result, 18)
    return int(key)


def boards(view, seat):
    return {int(state[MARKS + 1 - seat]) for state in TWIN.worlds(TWIN.key(view), seat)}


def test_a_view_comes_down_to_own_marks_and_those_found():
    assert TWIN.key(1) == 0
    assert TWIN.key(view_of((4, PLACED), (0, TAKEN), (8, PLACED))) == (1 << 4 | 1 << 8) * 512 + 1


def test_worlds_by_hand():
    assert boards(view_of(), 0) == {0}
    assert boards(view_of(), 1) == {1 << cell for cell in range(9)}
    assert boards(view_of((4, PLACED)), 0) == {1 << cell for cell in range(9) if cell != 4}
    # the second player has found 0 taken and sits in the centre: two marks, 0 and any of seven
    assert boards(view_of((0, TAKEN), (4, PLACED)), 1) == {1 | 1 << cell for cell in (1, 2, 3, 5, 6, 7, 8)}
    # three unknown marks beside own 4, 0, 1, of which those that complete a line are out: 2 5 8 and 6 7 8
    found = boards(view_of((4, PLACED), (0, PLACED), (1, PLACED)), 0)
    assert len(found) == 20 - 2 and not any(board & line == line for board in found for line in LINES)


def test_worlds_are_those_of_the_belief_over_histories():
    # the other way: all histories that fit, and the boards that they lead to
    belief, view = Belief(GAME, 0), 1
    for cell, result in ((0, PLACED), (4, TAKEN), (8, PLACED)):
        belief.observe(view)
        belief.acted(view, cell)
        view = int(seen(view, 2 * cell + result, 18))
    states = belief.observe(view)
    assert belief.coverage == 1
    assert {int(state[1]) for state in states} == boards(view, 0)  # the second word: marks of the second player


def test_marks_by_hand():
    assert tally(TWIN, 0, 0) == [1] * 9  # perfect play draws from anywhere
    state = next(iter(TWIN.worlds(TWIN.key(1), 1)))  # X in cell 0: only the centre holds the draw
    assert best_moves(TWIN, state) == (0.0, (4,))
    # the second player's first move, over nine worlds: X in a corner: 4. X in the centre: the corners. X on an edge, say 1:
    # the centre, the two corners beside it and the edge opposite
    marks = np.array(tally(TWIN, 0, 1))
    assert marks[4] == 4 + 4
    assert marks[[0, 2, 6, 8]].tolist() == [1 + 2] * 4
    assert marks[[1, 3, 5, 7]].tolist() == [1] * 4
    mix = BeliefSampler(GAME).mix(1, 1, tuple(range(9)))
    assert mix == pytest.approx((marks / 24).tolist())


def test_every_move_that_wins_counts_alike_at_once_or_later():
    # X at 0 and 1, both of O's marks known at 4 and 8: 2 wins at once, 3 and 6 threaten twice, 5 and 7 do not win
    view = view_of((0, PLACED), (4, TAKEN), (1, PLACED), (8, TAKEN))
    assert BeliefSampler(GAME).mix(0, view, (2, 3, 5, 6, 7)) == pytest.approx([1 / 3, 1 / 3, 0, 1 / 3, 0])


def test_kernels_see_the_same_mixes():
    sampler, random = BeliefSampler(GAME), np.random.default_rng(1)
    entries, choice, odds = sampler.entries, np.zeros(9, np.int64), np.zeros(9)
    for _ in range(30):
        state = new_state(GAME)
        while (player := int(GAME.player(state))) >= 0:
            count = entries.weigh(GAME, state, player, choice, odds)
            mix = sampler.mix(player, int(GAME.view(state, player)), tuple(choice[:count].tolist()))
            assert odds[:count].tolist() == pytest.approx(mix, abs=1e-15)
            GAME.step(state, int(choice[random.choice(count, p=odds[:count])]))


class Uniform(BeliefSampler):
    """Without any marks it plays at random."""

    @property
    def entries(self):
        return super().entries._replace(row=np.full_like(super().entries.row, NONE))


def test_results_against_random_play_are_those_of_an_independent_program():
    # 300,000 games in C++ with the same rules: B-R 76.6 / 13.5, R-B 31.6 / 48.2, B-B 55.1 / 26.4; here 20,000 each
    belief, random = BeliefSampler(GAME), Uniform(GAME)
    wanted = {(belief, random): (0.766, 0.135), (random, belief): (0.316, 0.482), (belief, belief): (0.551, 0.264)}
    for (first, second), wins in wanted.items():
        assert duel(GAME, first, second, 20_000, seed=1).wins == pytest.approx(wins, abs=0.015)


def test_as_an_agent():
    pair = [agents.load_agent("belief", 1), agents.load_agent("random", 2)]
    assert isinstance(pair[0], agents.BeliefAgent)
    ends = [play(GAME, pair, seed=number) for number in range(20)]
    assert all(match.forfeit is None for match in ends) and sum(match.payoffs[0] for match in ends) > 0
    with pytest.raises(Invalid, match="the agent belief has no parameters: write belief"):
        agents.load_agent("belief:1")


def test_rules_that_allow_only_some_moves_are_kept():
    forced = PhantomTicTacToe(rules="forced-centre", winning_first=True)
    pair = [agents.load_agent("belief", seat) for seat in (0, 1)]
    for number in range(5):
        assert play(forced, pair, seed=number).forfeit is None
    assert duel(
        GAME._replace(winning_first=True), *itertools.repeat(BeliefSampler(forced._replace(rules="classical")), 2)
    )


def test_games_without_a_twin_are_refused():
    with pytest.raises(Invalid, match="Kuhn has no open twin, so a Belief Sampler cannot play it"):
        BeliefSampler(Kuhn())
    with pytest.raises(Invalid, match="counts the other's marks by the turns"):
        BeliefSampler(PhantomTicTacToe(rules="abrupt"))
    with pytest.raises(Invalid, match="this Belief Sampler plays PhantomTicTacToe"):
        BeliefSampler(GAME).belongs_to(Kuhn())


@pytest.mark.slow
def test_exact_best_responses_are_those_of_an_independent_program():
    # the whole tree of 19.9 billion histories in C++: 0.87218 for the first player, 0.23920 for the second
    belief = BeliefSampler(GAME)
    assert stream_response(GAME, belief, 0).value == pytest.approx(0.87218, abs=1e-5)
    assert stream_response(GAME, belief, 1).value == pytest.approx(0.23920, abs=1e-5)
