"""Alpha-beta: minimax without the work. Judged by minimax as it stands, by recursion in plain Python, and by known mates."""

from typing import NamedTuple

import numpy as np
import pytest

import plain
from fogtree import CHANCE, OVER, Goofspiel, Invalid, Kuhn, TicTacToe
from fogtree.evaluation import AtEnd
from fogtree.game import legal, new_state
from fogtree.games import Breakthrough, Chess, ConnectFour
from fogtree.games.chess.moves import CLOCK, TURN
from fogtree.games.chess.piece_squares import PieceSquares
from fogtree.games.tree import Sketch
from fogtree.kernels.door import complete
from fogtree.search.open.alphabeta import AlphaBeta
from fogtree.search.open.descent import HALTED
from fogtree.search.open.minimax import minimax
from fogtree.search.open.pruning import Risky, Sound, Whole
from fogtree.search.open.transpositions import MISSING

pytestmark = pytest.mark.usefixtures("unchecked")  # some games break the contract on purpose

FIRST, SECOND = np.int64(-7046029254386353131), np.int64(-4658895280553007687)


class Noise(NamedTuple):
    """A random number for each position, from a coarse grid, so that many are equal, and some beyond the payoffs."""

    def value(self, game, state):
        mixed = np.int64(game.position(state)) * FIRST
        mixed = (mixed ^ (mixed >> np.int64(29))) * SECOND
        return np.float64((mixed >> np.int64(40)) & np.int64(15)) / 7.0 - 1.07


def positions(game, many, longest, seed=0):
    """Positions of random games, none of them an end."""
    random, found = np.random.default_rng(seed), []
    while len(found) < many:
        state = new_state(game)
        for _ in range(random.integers(longest + 1)):
            actions = legal(game, state)
            if not actions:
                break
            with np.errstate(over="ignore"):
                game.step(state, actions[random.integers(len(actions))])
        if game.player(state) != OVER:
            found.append(state)
    return found


def chess(fen):
    state = new_state(Chess())
    Chess().from_notation(fen, state)
    return state


def by_recursion(game, evaluation, state, depth, ply=0):
    """The value of a game without noisy and urgent positions, for player 0, in plain Python; wins shrink with the plies."""
    player = game.player(state)
    if player == OVER:
        payoff, most = float(game.payoff(state, 0)), game.shape().high
        return payoff * (2 - ply / 1000) if abs(payoff) == most else payoff
    if depth == 0:
        return float(np.clip(evaluation.value(game, state), -game.shape().high, game.shape().high))
    below = []
    for action in legal(game, state):
        child = state.copy()
        game.step(child, action)
        below.append(by_recursion(game, evaluation, child, depth - 1, ply + 1))
    return max(below) if player == 0 else min(below)


@pytest.mark.parametrize(
    "game, evaluation, many, longest, depths, quiet",
    [
        pytest.param(TicTacToe(), Noise(), 1500, 7, (1, 2, 3, 4, 9), 32, marks=pytest.mark.slow),
        (ConnectFour(4, 5), Noise(), 1500, 18, (1, 2, 3, 4), 4),
        pytest.param(Breakthrough(5, 4), Noise(), 1200, 14, (1, 2, 3), 3, marks=pytest.mark.slow),
        (Chess(), PieceSquares(), 300, 120, (1, 2), 2),  # compiled for other tests as well
        pytest.param(Chess(), Noise(), 300, 120, (1, 2), 2, marks=pytest.mark.slow),
    ],
    ids=lambda value: type(value).__name__ if hasattr(value, "step") else "",
)
def test_alpha_beta_finds_the_value_of_minimax(game, evaluation, many, longest, depths, quiet):
    # one table for all positions, so that entries of earlier searches are met; but where a repetition may be near, none
    search, without = (AlphaBeta(game, evaluation, quiet=quiet, memory=memory) for memory in (2**20, 0))
    with np.errstate(over="ignore"):
        for state in positions(game, many, longest):
            for depth in depths:
                near = isinstance(game, Chess) and state[CLOCK] + 2 * depth + quiet >= 8
                found = (without if near else search).think(state, depth=depth)
                slow = minimax(game, evaluation, state, depth, quiet)
                assert (found.value, found.mate) == slow, (state, depth)
                after = state.copy()
                game.step(after, found.line[0])
                assert found.action == found.line[0]


def test_an_open_window_finds_the_same_value():
    game = ConnectFour(4, 5)
    search = AlphaBeta(game, Noise(), pruning=Whole(), quiet=4)
    for state in positions(game, 300, 18, seed=1):
        found = search.think(state, depth=3)
        assert (found.value, found.mate) == minimax(game, Noise(), state, 3, 4)


def test_minimax_is_the_recursion_of_the_textbook(interpreted):
    game = complete(TicTacToe())
    with np.errstate(over="ignore"):
        for state in positions(game, 40, 7, seed=2):
            for depth in (1, 2, 3):
                value = by_recursion(game, Noise(), state, depth) * (1 if game.player(state) == 0 else -1)
                found = minimax(game, Noise(), state, depth)
                if found.mate is None:
                    assert value == found.value
                else:
                    plies = round((2 - abs(value)) * 1000)
                    assert np.sign(value) == found.value and abs(found.mate) == (plies + 1) // 2


# --- trees that no real game has ---

TWICE = plain.drawn((0, 1, (0, 2, (1, 3, 0.25, -0.5), (1, 4, 0.125, 0.75)), (1, 5, 1.0, -1.0)), open=True)


def test_the_sign_changes_with_the_side_and_not_with_the_move(interpreted):
    # player 0 moves twice: max(max(min(.25, -.5), min(.125, .75)), min(1, -1)) = 0.125
    assert AlphaBeta(TWICE).think(new_state(TWICE), depth=3).value == 0.125
    assert minimax(TWICE, Noise(), new_state(TWICE), 3).value == 0.125


def test_views_of_different_players_with_the_same_key_are_different_positions(interpreted):
    # in a tree each player's information sets are numbered from 1: player 0 wins by leaving player 1 the only move
    sketch = Sketch(["a", "b"])
    sketch.decision(0, 1, ["draw", "go on"])
    sketch.end([0, 0])
    sketch.decision(1, 1, ["lose"])
    sketch.end([1, -1])
    game = sketch.game()
    found = AlphaBeta(game).think(new_state(game), depth=5)
    assert (found.value, found.mate, found.line) == (1.0, 1, (1, 0))


def test_where_nothing_can_be_won_nothing_is_won(interpreted):
    sketch = Sketch(["a", "b"])
    sketch.decision(0, 1, ["end", "go on"])
    sketch.end([0, 0])
    sketch.decision(1, 1, ["end"])
    sketch.end([0, 0])
    game = sketch.game()
    state = new_state(game)
    found = AlphaBeta(game).think(state, depth=5)
    assert (found.value, found.mate, found.complete) == (0.0, None, True)
    assert minimax(game, AtEnd(), state, 5) == (0.0, None)


@pytest.mark.parametrize("seed", range(30))
def test_random_trees_have_the_value_of_recursion(interpreted, seed):
    random = np.random.default_rng(seed)

    def grow(depth):
        if depth == 0 or random.random() < 0.15:
            return float(random.integers(-4, 5)) / 4
        return (int(random.integers(2)), int(random.integers(1 << 60)), *(grow(depth - 1) for _ in range(3)))

    game = plain.drawn((0, 1, grow(4), grow(4), (1, 2, 1.0, 0.5), (1, 3, -1.0, 0.25)), open=True)
    state = new_state(game)
    found = AlphaBeta(game).think(state, depth=5)
    value = by_recursion(game, Noise(), state, 5)
    assert found.value == (np.sign(value) if abs(value) > 1 else value)
    assert found.complete or found.mate is not None
    assert (found.value, found.mate) == minimax(game, Noise(), state, 5)


# --- mates, check, quiescence ---


@pytest.fixture(scope="module")
def player():
    return AlphaBeta(Chess(), PieceSquares())


@pytest.mark.parametrize(
    "fen, first, mate, depth",
    [
        ("6k1/5ppp/8/8/8/8/5PPP/1R4K1 w - - 0 1", "Rb8#", 1, 1),
        ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", "Qxf7#", 1, 2),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "Ra6", 2, 4),  # P. Morphy's problem
        ("7k/8/8/8/8/8/1R6/R5K1 w - - 0 1", None, 3, 6),  # two rooks drive the king to the edge: it is there
        ("k7/8/1K6/8/8/8/8/7R b - - 0 1", "Kb8", -1, 3),  # the only move, and mate follows
    ],
)
def test_mates_are_found_with_their_distance(player, fen, first, mate, depth):
    state = chess(fen)
    found = player.think(state, depth=depth)
    if first:
        assert Chess().label(state, found.action) == first
    assert found.mate == mate or (first is None and 0 < found.mate <= mate)
    assert found.value == (1.0 if mate > 0 else -1.0)


def test_the_principal_variation_leads_to_the_value(player):
    # the leaf of the line, quiescence included, has the value of the root: what TD-Leaf learns from
    for state in positions(Chess(), 40, 40, seed=3):
        found = player.think(state, depth=3)
        leaf = state.copy()
        for action in found.line:
            Chess().step(leaf, action)
        value = PieceSquares().value(Chess(), leaf) if Chess().player(leaf) != OVER else float(Chess().payoff(leaf, 0))
        assert found.value == pytest.approx(value if state[TURN] == 0 else -value, abs=1e-12)


def test_quiescence_sees_that_a_defended_pawn_is_not_free(player):
    state = chess("4k3/2p5/3p4/8/8/3Q4/8/4K3 w - - 0 1")
    take = Chess().read(state, "Qxd6")
    assert player.think(state, depth=1).action != take
    assert AlphaBeta(Chess(), PieceSquares(), quiet=0).think(state, depth=1).action == take


def test_no_evaluation_looks_like_a_decided_game(interpreted):
    class Loud(NamedTuple):
        def value(self, game, state):
            return 1e9

    found = AlphaBeta(TicTacToe(), Loud()).think(new_state(TicTacToe()), depth=2)
    assert found.value == 1.0 and found.mate is None


def test_connect_four_on_four_columns_is_a_draw():
    # J. Tromp, "John's Connect Four Playground": boards of 4 x 4 are drawn
    found = AlphaBeta(ConnectFour(4, 4), Noise()).think(new_state(ConnectFour(4, 4)), depth=16)
    assert found.value == 0.0 and found.complete


# --- stopping and going on ---


def test_a_search_in_slices_is_the_search_in_one_go(player):
    state = chess("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
    player.forget()
    whole = player.think(state, depth=3)
    player.forget()
    for more in (1, 7, 100, 1000, 5000):
        player.think(state, nodes=more)
    assert player.nodes >= 6108
    assert player.think(state, depth=3) == whole
    assert player.think(state, depth=2).depth == 2


def test_after_ctrl_c_it_goes_on(player):
    state = chess("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
    player.forget()
    whole = player.think(state, depth=3)
    player.forget()

    def interrupt(progress):
        raise KeyboardInterrupt

    for _ in range(3):
        with pytest.raises(KeyboardInterrupt):
            player.think(state, depth=3, progress=interrupt)
    assert 0 < player.nodes < whole.nodes
    assert player.think(state, depth=3) == whole


def test_stop_ends_it_within_a_slice_and_there_is_a_move(player):
    state, seen = new_state(Chess()), []
    player.forget()

    def watch(progress):
        seen.append(progress.done)
        if progress.done > 20_000:
            player.stop()

    found = player.think(state, depth=60, progress=watch)
    assert found.action in legal(Chess(), state) and found.depth >= 1
    assert len(seen) > 3 and seen == sorted(seen) and seen[-2] <= 20_000


def test_seconds_end_it(player):
    player.forget()
    found = player.think(new_state(Chess()), seconds=0.05)
    assert 1 <= found.depth < 60 and found.line[0] == found.action


def test_a_first_move_is_found_whatever_the_budget(player):
    player.forget()
    assert player.think(new_state(Chess()), nodes=0).depth == 1


# --- what is left out only if asked for ---


class Passing(Breakthrough):
    """Breakthrough, which says how to pass."""

    def skip(self, state):
        state[2] = 1 - state[2]
        return True


@pytest.mark.slow
def test_risky_pruning_needs_fewer_nodes():
    game = Passing(6, 5)
    sound, risky = (AlphaBeta(game, Noise(), pruning=pruning, quiet=2) for pruning in (Sound(), Risky()))
    state = new_state(game)
    assert risky.think(state, depth=6).nodes < sound.think(state, depth=6).nodes
    state = positions(game, 1, 25, seed=8)[0]
    assert risky.think(state, depth=6).action in legal(game, state)


def test_a_free_move_does_not_hide_that_the_mover_would_rather_not_move():
    # P. Morphy's problem: after 1. Ra6 Black would be safe if it did not have to move. Without a proof of what a free move
    # shows, eight million nodes do not find it
    state = chess("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1")
    found = AlphaBeta(Chess(), PieceSquares(), pruning=Risky()).think(state, depth=12, nodes=100_000)
    assert (Chess().label(state, found.action), found.mate) == ("Ra6", 2)


# --- what is refused ---


@pytest.mark.parametrize(
    "game, sentence",
    [
        (Kuhn(), r"Kuhn does not say in its shape\(\) that it is open, so alpha-beta cannot search it"),
        (plain.drawn((0, 1, [1.0, 1.0], [0.0, 2.0]), open=True, zero_sum=False), "zero-sum games of two sides"),
        (plain.drawn((0, 1, 1.0, -1.0), open=True, players=1), "zero-sum games of two sides"),
    ],
)
def test_a_game_that_it_is_not_for_is_refused(game, sentence):
    with pytest.raises(Invalid, match=sentence):
        AlphaBeta(game)
    with pytest.raises(Invalid, match=sentence):
        minimax(game, Noise(), new_state(game), 1)


def test_chance_is_refused(interpreted):
    game = plain.drawn((0, 1, (CHANCE, [0.5, 0.5], 1.0, -1.0), 0.0), open=True)
    for search in (
        lambda: AlphaBeta(game).think(new_state(game), depth=2),
        lambda: minimax(game, Noise(), new_state(game), 2),
    ):
        with pytest.raises(Invalid, match="Drawn has moves of chance, which this search does not allow"):
            search()
    with pytest.raises(Invalid, match="open"):
        AlphaBeta(Goofspiel(4))


def test_a_position_and_a_budget_are_needed(interpreted):
    search, state = AlphaBeta(TicTacToe()), new_state(TicTacToe())
    with pytest.raises(Invalid, match="give a depth, a number of nodes, or of seconds"):
        search.think(state)
    with pytest.raises(Invalid, match="depth is at most 100, not 101"):
        search.think(state, depth=101)
    with pytest.raises(Invalid, match="a state of TicTacToe has 5 words"):
        search.think(state[:3], depth=1)
    for cell in (0, 3, 1, 4, 2):
        TicTacToe().step(state, cell)
    with pytest.raises(Invalid, match="the game is over here, so there is nothing to search"):
        search.think(state, depth=1)
    with pytest.raises(Invalid, match="the game is over here, so there is nothing to search"):
        minimax(TicTacToe(), Noise(), state, 1)


# --- what rests on the course of a game ---


class Forgetful(TicTacToe):
    """Tic-Tac-Toe that says of its draws that the course of the game made them."""

    def by_course(self, state):
        return state[3] == 0


def test_values_that_rest_on_the_course_of_the_game_are_not_stored(interpreted):
    state = new_state(TicTacToe())
    for cell in (0, 4, 8):  # O draws with the right answer, and loses with the others
        TicTacToe().step(state, cell)
    kept, forgotten = AlphaBeta(complete(TicTacToe()), memory=2**16), AlphaBeta(complete(Forgetful()), memory=2**16)
    assert kept.think(state, depth=6)[:3] == forgotten.think(state, depth=6)[:3]
    stored = [int((search.table.word[:, 1] != 0).sum()) for search in (kept, forgotten)]
    assert stored[0] > stored[1] > 0


def test_another_thread_ends_a_search_inside_a_slice():
    search = AlphaBeta(Chess(), PieceSquares())
    with np.errstate(over="ignore"):
        search.think(new_state(Chess()), depth=2)
        search.stack.used[HALTED] = 1  # as stop() does while compiled code runs
        assert search._run(10**9) == 0


# --- some actions alone -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [ConnectFour(4, 5), Breakthrough()], ids=str)
def test_the_best_of_some_actions_is_the_best_of_their_values(game):
    for state in positions(game, 10, 6, seed=5):
        actions = legal(game, state)
        search, values = AlphaBeta(game, Noise()), {}
        with np.errstate(over="ignore"):
            for action in actions:
                found = search.think(state, depth=3, only=[action])
                assert found.action == action
                values[action] = found.value
            some = actions[::2]
            assert search.think(state, depth=3, only=some).value == max(values[action] for action in some)
            assert search.think(state, depth=3).value == AlphaBeta(game, Noise()).think(state, depth=3).value


def test_an_action_that_is_not_legal_is_refused():
    search = AlphaBeta(ConnectFour(4, 5))
    with pytest.raises(Invalid, match="99 is not a legal action here"):
        search.think(new_state(ConnectFour(4, 5)), depth=1, only=[0, 99])


def test_the_value_of_some_actions_is_not_kept_as_that_of_the_position():
    game = ConnectFour(4, 5)
    search, state = AlphaBeta(game, Noise()), new_state(game)
    with np.errstate(over="ignore"):
        key = np.int64(complete(game).position(state))
        search.think(state, depth=3, only=[0, 1])
        assert search.table.find(key) == MISSING
        search.think(state, depth=3)
        assert search.table.find(key) != MISSING
