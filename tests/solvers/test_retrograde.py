"""Retrograde analysis: known longest wins, the equation of outcomes by the rules of python-chess, forward search, files."""

from typing import NamedTuple

import numpy as np
import pytest

from fogtree import Goofspiel, Invalid, TicTacToe
from fogtree.endings import ABSENT, DRAWN, OUTSIDE, best_action, outcome_of
from fogtree.game import OVER, Shape, legal, new_state
from fogtree.games.chess import Chess
from fogtree.games.chess.endings import FOUR, THREE, endings_of
from fogtree.games.chess.moves import CLOCK
from fogtree.games.chess.piece_squares import PieceSquares
from fogtree.games.chess.text import notation
from fogtree.kernels import kernel
from fogtree.search.open.alphabeta import AlphaBeta
from fogtree.search.open.minimax import minimax
from fogtree.solvers.exact import retrograde
from fogtree.solvers.exact.retrograde import endgame_table, stage_path, tabulate

CHESS = Chess()
# Own moves until mate of the side that wins. 10, 16 and 33 were known beforehand; the others are well-known numbers that were
# remembered and not looked up.
LONGEST = {
    "KQK": 10,
    "KRK": 16,
    "KPK": 28,
    "KBNK": 33,
    "KBBK": 19,
    "KQKR": 35,
    "KRKB": 29,
    "KRKN": 40,
    "KQKB": 17,
    "KQKN": 21,
    "KQKQ": 13,
    "KRKR": 19,
}


@pytest.fixture(scope="module")
def three():
    return tabulate(CHESS, endings_of("three"), keep=False)


@kernel
def set_up(places, game, number, state):
    return places.place(game, number, state)


@kernel
def number_of(places, game, state):
    return places.number(game, state)


def parts(table):
    """The outcomes of each stage."""
    first = 0
    for name, count in table.places.stages():
        yield name, table.outcome[first : first + count]
        first += count


def position(table, number):
    state = new_state(CHESS)
    assert set_up(table.places, CHESS, number, state)
    return state


def from_fen(fen):
    state = new_state(CHESS)
    CHESS.from_notation(fen, state)
    return state


def sample(table, count, seed=0, wanted=lambda outcome: outcome != ABSENT):
    numbers = np.flatnonzero(wanted(table.outcome))
    return np.random.default_rng(seed).choice(numbers, count, replace=False).tolist()


def test_the_longest_wins_of_three_men_are_the_known_ones(three):
    longest = {name: (int(outcome.max()) + 1) // 2 for name, outcome in parts(three)}
    assert longest == {name: LONGEST[name] for name in THREE}


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in FOUR if name in LONGEST])
def test_the_longest_wins_of_four_men_are_the_known_ones(name):
    table = tabulate(CHESS, endings_of(name), keep=False)
    *_, (last, outcome) = parts(table)
    assert last == name
    assert (int(outcome.max()) + 1) // 2 == LONGEST[name]


def test_an_outcome_is_the_best_of_what_follows_by_the_rules_of_another_program(three):
    chess = pytest.importorskip("chess")
    checked = {"won": 0, "drawn": 0, "lost": 0}
    for number in sample(three, 400):
        board = chess.Board(notation(position(three, number)))
        assert board.is_valid()
        following = []
        for move in board.legal_moves:
            board.push(move)
            if board.is_checkmate():
                following.append(1)
            elif board.is_stalemate() or board.is_insufficient_material():
                following.append(DRAWN)
            else:
                worth = outcome_of(CHESS, three, from_fen(board.fen()))
                following.append(DRAWN if worth == DRAWN else (1 + abs(worth)) * (-1 if worth > 0 else 1))
            board.pop()
        wins, losses = [n for n in following if n > 0], [n for n in following if n < 0]
        best = min(wins) if wins else min(losses) if len(losses) == len(following) else DRAWN
        assert three.outcome[number] == best
        checked["won" if best > 0 else "lost" if best < 0 else "drawn"] += 1
    assert min(checked.values()) > 30


def test_alpha_beta_finds_the_same_mates_forwards(three):
    search = AlphaBeta(CHESS, PieceSquares())
    with np.errstate(over="ignore"):
        for number in sample(three, 25, 1, lambda outcome: (outcome > 0) & (outcome <= 7)):
            outcome = int(three.outcome[number])
            found = search.think(position(three, number), depth=outcome)
            assert found.mate == (outcome + 1) // 2


def test_no_shorter_search_finds_a_mate(three):
    search = AlphaBeta(CHESS, PieceSquares(), quiet=0)
    with np.errstate(over="ignore"):
        for number in sample(three, 10, 2, lambda outcome: (outcome >= 5) & (outcome <= 7)):
            assert search.think(position(three, number), depth=1).mate is None


def test_a_position_keeps_its_number_through_the_symmetries_of_the_board(three):
    chess = pytest.importorskip("chess")
    for number in sample(three, 100, 3):
        board = chess.Board(notation(position(three, number)))
        turned = [board, board.mirror(), board.transform(chess.flip_horizontal)]
        if not board.pawns:
            turned += [board.transform(chess.flip_diagonal), board.transform(chess.flip_vertical)]
        for each in turned:
            each.castling_rights = 0
            assert number_of(three.places, CHESS, from_fen(each.fen())) == number


def test_numbers_are_those_of_their_positions(three):
    for number in sample(three, 200, 4):
        assert number_of(three.places, CHESS, position(three, number)) == number


def lowest_image(state, turns):
    """The men of a position, turned and mirrored so that they come first: a text that all its images share."""
    board = notation(state).split()
    grid = [list("".join("." * int(sign) if sign.isdigit() else sign for sign in row)) for row in board[0].split("/")]
    flat = [grid, grid[::-1]] if turns else [grid]
    images = [image for one in flat for image in (one, [row[::-1] for row in one])]
    images += [list(map(list, zip(*image, strict=True))) for image in images] if turns else []
    return min("".join(map("".join, image)) for image in images), board[1]


def test_positions_of_four_men_have_one_number_only_where_they_are_images_of_each_other(interpreted):
    places, random = endings_of("KQKR+KBNK+KBBK+KPK"), np.random.default_rng(6)
    first, stages = 0, places.stages()
    assert {name for name, _ in stages} >= {"KQKR", "KBNK", "KBBK", "KPK", "KQK"}
    with np.errstate(over="ignore"):
        for name, count in stages:
            tried = 0
            while tried < 25:
                one, other = new_state(CHESS), new_state(CHESS)
                if not set_up(places, CHESS, first + int(random.integers(count)), one):
                    continue
                tried += 1
                number = number_of(places, CHESS, one)
                assert first <= number < first + count and set_up(places, CHESS, number, other)
                assert lowest_image(one, "P" not in name) == lowest_image(other, "P" not in name)
                assert number_of(places, CHESS, other) == number
            first += count


@pytest.mark.parametrize(
    "fen",
    [
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1",  # the rules say that it is drawn
        "4k3/8/8/8/8/8/8/4K1N1 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1",  # somebody may castle
        "4k3/8/8/8/8/8/8/R3K2R w - - 0 1",  # four men, and this table has three
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    ],
)
def test_positions_outside_have_no_outcome(three, fen):
    assert number_of(three.places, CHESS, from_fen(fen)) == OUTSIDE
    assert outcome_of(CHESS, three, from_fen(fen)) is None
    assert best_action(CHESS, three, from_fen(fen)) is None


def test_a_win_that_the_clock_does_not_allow_is_not_known(three):
    # Mate in 16 moves is the 31st move of both, and a hundred of them without a capture or a move of a pawn end the game.
    number = int(np.flatnonzero(three.outcome == 31)[0])
    state = position(three, number)
    state[CLOCK] = 100 - 31
    assert outcome_of(CHESS, three, state) == 31
    state[CLOCK] += 1
    assert outcome_of(CHESS, three, state) is None
    drawn = from_fen("8/8/8/8/4k3/8/4p3/4K3 w - - 99 80")
    assert outcome_of(CHESS, three, drawn) == DRAWN


def test_perfect_play_mates_in_as_many_moves_as_the_table_says(three):
    number = int(np.flatnonzero(three.outcome == 31)[0])
    state, made = position(three, number), 0
    with np.errstate(over="ignore"):
        while CHESS.player(state) != OVER and made < 40:
            CHESS.step(state, best_action(CHESS, three, state))
            made += 1
    assert (made, CHESS.payoff(state, 0)) == (31, 1.0)


def test_the_weaker_side_draws_where_it_can(three):
    state = from_fen("8/8/8/3k4/8/3K4/3P4/8 w - - 0 1")  # the black king has the opposition
    assert outcome_of(CHESS, three, state) == DRAWN
    lost = from_fen("8/8/8/3k4/8/3K4/3P4/8 b - - 0 1")
    assert outcome_of(CHESS, three, lost) < 0


@pytest.mark.parametrize("name", ["", "KK", "KPPK", "KQRBK", "KQ", "queen", "KPKP", "3"])
def test_an_unknown_ending_is_refused_in_a_sentence(name):
    with pytest.raises(Invalid, match="there is no endgame table"):
        CHESS.endings(name)


@pytest.mark.parametrize(
    "asked, stages",
    [
        ("knbk", ["KBNK"]),
        ("KRKQ", ["KQK", "KRK", "KQKR"]),
        ("KKP", ["KQK", "KRK", "KPK"]),
        ("three", list(THREE)),
        ("four", [*THREE, *FOUR]),
    ],
)
def test_an_ending_brings_those_that_it_leads_to(asked, stages):
    assert [name for name, _ in CHESS.endings(asked).stages()] == stages


# --- other games ------------------------------------------------------------------------------------------------------


class Cells(NamedTuple):
    """Every position of Tic-Tac-Toe: cell c counts 3^c for a cross and twice that for a nought. The most marks come first."""

    def stages(self):
        return [("all positions", 3**9)]

    def version(self):
        return 1

    def number(self, game, state):
        number, power = 0, 1
        for cell in range(9):
            number += power * (((state[0] >> cell) & 1) + 2 * ((state[1] >> cell) & 1))
            power *= 3
        return number

    def place(self, game, number, state):
        game.start(state)
        marks = [0, 0]
        for cell in range(9):
            mark = number % 3
            number //= 3
            if mark:
                marks[mark - 1] += 1
                state[mark - 1] |= 1 << cell
        state[2] = marks[0] + marks[1]
        for player in range(2):
            for line in (0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124):
                if state[player] & line == line:
                    return False
        return marks[0] == marks[1] or marks[0] == marks[1] + 1


def test_tic_tac_toe_backwards_is_tic_tac_toe_by_minimax():
    game = TicTacToe()
    table = tabulate(game, Cells(), keep=False)
    assert outcome_of(game, table, new_state(game)) == DRAWN
    random = np.random.default_rng(0)
    for _ in range(60):
        state = new_state(game)
        for _ in range(random.integers(2, 7)):
            if game.player(state) != OVER:
                game.step(state, random.choice(legal(game, state)))
        if game.player(state) == OVER:
            continue
        worth, outcome = minimax(game, AtEndOnly(), state, 9), outcome_of(game, table, state)
        assert np.sign(outcome) == worth.value
        if outcome:
            assert abs(worth.mate) == (abs(outcome) + 1) // 2


class AtEndOnly(NamedTuple):
    def value(self, game, state):
        return 0.0


class Pursuit(NamedTuple):
    """Player 0 is sure to win, and player 1 chooses how late. A node has moves to others, or to the end of the game."""

    to: tuple[tuple[int, ...], ...] = ((7,), (0,), (1,), (2,), (3,), (7,), (4, 5))
    turn: tuple[int, ...] = (0, 1, 0, 1, 0, 0, 1)

    def shape(self):
        return Shape(2, 1, 2, 8, -1.0, 1.0, open=True)

    def start(self, state):
        state[0] = 6

    def player(self, state):
        return self.turn[state[0]] if state[0] < 7 else OVER

    def actions(self, state, out):
        out[: len(self.to[state[0]])] = self.to[state[0]]
        return len(self.to[state[0]])

    def step(self, state, action):
        state[0] = action

    def payoff(self, state, player):
        return 1.0 - 2.0 * player


class Nodes(NamedTuple):
    def stages(self):
        return [("the long way", 5), ("both ways", 2)]

    def number(self, game, state):
        return state[0]

    def place(self, game, number, state):
        state[0] = number
        return True


def test_whoever_loses_takes_the_longest_way_also_through_an_earlier_stage(interpreted):
    # from node 6 it is two moves by node 5, which is settled first, and six by node 4, known from the stage before
    assert tabulate(Pursuit(), Nodes(), keep=False).outcome.tolist() == [1, -2, 3, -4, 5, 1, -6]


class Idle(Pursuit):
    """The same moves, which nobody is paid for."""

    def shape(self):
        return Shape(2, 1, 2, 8, 0.0, 0.0, open=True)

    def payoff(self, state, player):
        return 0.0


def test_where_nothing_can_be_won_all_is_drawn(interpreted):
    assert tabulate(Idle(), Nodes(), keep=False).outcome.tolist() == [DRAWN] * 7


class Half(Cells):
    """Claims that the positions of one number are all, so that every move leads out."""

    def stages(self):
        return [("the empty board", 1)]


def test_an_ending_that_a_move_leaves_is_refused(interpreted):
    with pytest.raises(
        Invalid, match="a move of the empty board leads to a position of TicTacToe that is in no ending"
    ):
        tabulate(TicTacToe(), Half(), keep=False)


def test_games_that_have_no_endings_are_refused():
    with pytest.raises(Invalid, match="TicTacToe has no endings that are numbered"):
        endgame_table(TicTacToe())
    with pytest.raises(Invalid, match="open zero-sum games of two sides, which Goofspiel is not"):
        tabulate(Goofspiel(cards=3), Cells(), keep=False)


# --- files ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(retrograde, "cache_folder", lambda: tmp_path)
    return tmp_path


def test_a_solved_stage_is_read_from_its_file(folder, monkeypatch):
    told = []
    first = endgame_table(CHESS, "KQK", progress=told.append)
    assert {each.what for each in told} == {"positions", "moves before the end"}
    assert told[-1].done == 20 and told[-1].detail == "KQK"
    monkeypatch.setattr(retrograde, "solve_stage", None)  # whoever solves now fails
    assert np.array_equal(endgame_table(CHESS, "KQK").outcome, first.outcome)


@pytest.mark.parametrize("damage", ["cut", "flipped", "another"])
def test_a_damaged_file_is_made_again(folder, damage):
    places = CHESS.endings("KQK")
    good = endgame_table(CHESS, "KQK")
    path = stage_path(CHESS, places, "KQK")
    if damage == "cut":
        path.write_bytes(path.read_bytes()[:1000])
    elif damage == "flipped":
        stored = dict(np.load(path))
        stored["outcome"][np.flatnonzero(good.outcome == 5)[0]] = 7
        np.savez(path, **stored)
    else:
        stored = dict(np.load(path))
        np.savez(path, **(stored | {"of": np.array("another game")}))
    assert np.array_equal(endgame_table(CHESS, "KQK").outcome, good.outcome)
    assert np.array_equal(np.load(path)["outcome"], good.outcome)


def test_a_folder_that_cannot_be_written_does_no_harm(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setattr(retrograde, "cache_folder", lambda: tmp_path / "file")
    assert int(endgame_table(CHESS, "KQK").outcome.max()) == 19
