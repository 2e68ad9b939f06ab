"""Chess. Published counts (chess.perft beside this file), and python-chess as the referee of random games and positions."""

import doctest
import pathlib
import random
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from playing import after, payoffs

from fogtree import OVER, REFEREE, Illegal, Invalid, kernel
from fogtree.game import label, legal, new_state, read
from fogtree.games.chess import Chess
from fogtree.games.chess.moves import (
    CHECKERS,
    CLOCK,
    DEAD,
    KEY,
    KEYS,
    MATE,
    OPEN,
    PINNED,
    QUIET,
    REPEATED,
    RESULT,
    STALEMATE,
    begin,
)
from fogtree.games.chess.perft import divide, perft, visits
from fogtree.games.chess.text import long_label

GAME = Chess()
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
MANY = 5 * 10**8  # larger counts are slow
FEW = 10**6  # larger counts are not made through step


def oracles():
    """(id, fen, depth, count) of the file."""
    name = fen = ""
    for line in (pathlib.Path(__file__).parent / "chess.perft").read_text().splitlines():
        word, _, rest = line.partition(" ")
        if word == "id":
            name = rest
        elif word == "fen":
            fen = rest
        elif word == "perft":
            yield name, fen, *map(int, rest.split())


ORACLES = list(oracles())
FENS = list(dict.fromkeys(fen for _, fen, _, _ in ORACLES))
STANDARD = FENS[:7]  # here no draw but stalemate is near


def position(fen):
    state = np.zeros(GAME.shape().words, np.int64)
    GAME.from_notation(fen, state)
    return state


def marked(oracle):
    *_, count = oracle
    return pytest.param(*oracle, marks=[pytest.mark.slow] if count > MANY else [], id=f"{oracle[0]}, {oracle[2]}")


# --- counts ---


@pytest.mark.parametrize("name, fen, depth, count", [marked(oracle) for oracle in ORACLES])
def test_perft_is_as_published(name, fen, depth, count):
    state = position(fen)
    found = perft(GAME, state, depth)
    below = (
        "\n".join(f"{move} {number}" for move, number in divide(GAME, state, depth).items()) if found != count else ""
    )
    assert found == count, f"{name}, depth {depth}: below each move\n{below}"


@pytest.mark.parametrize("fen", STANDARD)
def test_actions_and_step_count_the_same_as_counting_in_bulk(fen):
    for _, other, depth, count in ORACLES:
        if other == fen and count <= FEW:
            assert visits(GAME, position(fen), depth) == count


def test_counting_goes_on_after_a_draw_but_a_game_does_not():
    # a knight against a bare king: the published way to count knows mate and stalemate only
    state = position("8/8/4k3/8/8/3NK3/8/8 w - - 0 1")
    assert perft(GAME, state, 1) == len(after_fen(state.copy())) and visits(GAME, state, 1) == 0
    assert perft(GAME, state, 0) == visits(GAME, state, 0) == 1
    with pytest.raises(Invalid, match="the depth of perft must be a whole number of 0 or more, not -1"):
        perft(GAME, state, -1)


def after_fen(state):
    out = np.zeros(GAME.shape().actions, np.int64)
    return out[: GAME.actions(state, out)].tolist()


def test_the_counts_below_each_move_sum_to_the_whole():
    found = divide(GAME, new_state(GAME), 3)
    assert found["e4"] == 600 and found["Nf3"] == 440 and sum(found.values()) == 8902  # as every engine prints them


# --- python-chess as referee ---

chess = pytest.importorskip("chess")


@kernel
def play_on(game, state, action):
    game.step(state, action)
    return game.player(state)


@kernel
def list_actions(game, state, out):
    return game.actions(state, out)


@kernel
def list_noisy(game, state, out):
    return game.noisy(state, out)


class Compiled:
    """The verbs through machine code."""

    def step(self, state, action):
        play_on(GAME, state, action)

    def actions(self, state):
        out = np.zeros(GAME.shape().actions, np.int64)
        return out[: list_actions(GAME, state, out)].tolist()

    def noisy(self, state):
        out = np.zeros(GAME.shape().actions, np.int64)
        return out[: list_noisy(GAME, state, out)].tolist()


class Interpreted(Compiled):
    """The verbs in plain Python."""

    def step(self, state, action):
        GAME.step(state, action)

    def actions(self, state):
        out = np.zeros(GAME.shape().actions, np.int64)
        return out[: GAME.actions(state, out)].tolist()

    def noisy(self, state):
        out = np.zeros(GAME.shape().actions, np.int64)
        return out[: GAME.noisy(state, out)].tolist()


def result_of(judge):
    """How a game ended by the rules of ours, as python-chess sees it."""
    if not any(judge.legal_moves):
        return {MATE} if judge.is_check() else {STALEMATE}
    ends = set()
    if judge.halfmove_clock >= 100:
        ends.add(QUIET)
    if judge.is_insufficient_material():
        ends.add(DEAD)
    if judge.is_repetition(3):
        ends.add(REPEATED)
    return ends or {OPEN}


class Match:
    """A game of both, in lock-step."""

    def __init__(self, verbs, dice):
        self.verbs, self.dice = verbs, dice
        self.key, self.met = {}, {}  # our key -> theirs, and back
        self.ends = []

    def play(self, fen, *, spell=0.2, capture=0.0):
        """A random game; moves are spelt out at some nodes, and captures are preferred with some probability."""
        state, judge = position(fen), chess.Board(fen)
        while self.agree(state, judge) == OPEN:
            if self.dice.random() < spell:
                self.compare_names(state, judge)
            actions = self.verbs.actions(state)
            noisy = self.verbs.noisy(state)
            action = self.dice.choice(noisy if noisy and self.dice.random() < capture else actions)
            self.verbs.step(state, action)
            judge.push(chess.Move.from_uci(long_label(action)))
        self.ends.append(int(state[RESULT]))

    def agree(self, state, judge):
        fen = judge.fen()
        assert GAME.notation(state) == fen
        assert int(state[RESULT]) in result_of(judge), fen
        actions = self.verbs.actions(state)
        assert actions == sorted(set(actions))
        assert {long_label(action) for action in actions} == {move.uci() for move in judge.legal_moves}, fen
        assert GAME.urgent(state) == judge.is_check(), fen
        noisy = {
            move.uci() for move in judge.legal_moves if judge.is_capture(move) or move.promotion or judge.is_check()
        }
        assert [long_label(action) for action in self.verbs.noisy(state)] == [
            text for text in map(long_label, actions) if text in noisy
        ], fen
        assert sorted(squares(state[CHECKERS])) == sorted(judge.checkers()), fen
        pinned = [s for s in chess.SquareSet(judge.occupied_co[judge.turn]) if judge.is_pinned(judge.turn, s)]
        assert sorted(squares(state[PINNED])) == pinned, fen
        ours, theirs = int(GAME.position(state)), judge._transposition_key()
        assert self.key.setdefault(ours, theirs) == theirs and self.met.setdefault(theirs, ours) == ours, fen
        return int(state[RESULT])

    def compare_names(self, state, judge):
        for action in self.verbs.actions(state):
            move = chess.Move.from_uci(long_label(action))
            name = judge.san(move)
            assert label(GAME, state, action) == name
            assert GAME.read(state, name) == GAME.read(state, move.uci()) == action, name


def squares(word):
    return [square for square in range(64) if int(word) >> square & 1]


def test_random_games_agree_with_python_chess():
    match = Match(Compiled(), random.Random(1))
    for fen in [START] * 2 + FENS[1:20:4]:
        match.play(fen, spell=0.05)
        match.play(fen, spell=0.05, capture=0.5)
    assert {MATE, STALEMATE, QUIET, REPEATED, DEAD} >= set(match.ends) >= {MATE, DEAD}


def test_random_games_in_plain_python_agree_with_python_chess():
    match = Match(Interpreted(), random.Random(2))
    for fen in FENS[2:16:2]:
        match.play(fen, capture=0.6)


@pytest.mark.slow
def test_many_random_games_agree_with_python_chess():
    match = Match(Compiled(), random.Random(3))
    for number in range(600):
        match.play(START if number % 3 else FENS[number % len(FENS)], spell=0.1, capture=(number % 4) / 4)
    assert set(match.ends) == {MATE, STALEMATE, QUIET, REPEATED, DEAD}


def random_placement(dice):
    """Some men anywhere: most of these are no positions of chess, or strange ones."""
    men = ["K", "k", *dice.choices("PPPPNBRQppppnbrq", k=dice.randrange(20))]
    board = [""] * 64
    for man, square in zip(men, dice.sample(range(64), len(men)), strict=True):
        if man in "Pp" and square // 8 in (0, 7) and dice.random() < 0.95:
            square = dice.randrange(8, 56)
            if board[square]:
                continue
        board[square] = man
    rows = ["".join(man or "." for man in board[8 * rank : 8 * rank + 8]) for rank in range(8)]
    rows = [re.sub(r"\.+", lambda gap: str(len(gap[0])), row) for row in rows]
    rights = dice.choice(["-", "-", "KQkq", "K", "kq"])
    passing = dice.choice(["-", "-", "-", f"{dice.choice('abcdefgh')}{dice.choice('36')}"])
    return f"{'/'.join(rows)} {dice.choice('wb')} {rights} {passing} {dice.randrange(100)} {dice.randrange(1, 200)}"


def test_random_positions_are_accepted_and_understood_as_by_python_chess():
    dice, verbs, accepted = random.Random(4), Compiled(), 0
    for _ in range(4_000):
        fen = random_placement(dice)
        judge = chess.Board(fen)
        status = judge.status() & ~chess.STATUS_IMPOSSIBLE_CHECK  # who moved last is not looked into
        try:
            state = position(fen)
        except Invalid as error:
            assert status or "promoted" in str(error), f"{fen}: {error}"
            continue
        assert not status, f"{fen}: {status!r}"
        accepted += 1
        Match(verbs, dice).agree(state, judge)
    assert accepted > 500


def test_random_positions_of_games_are_read_back():
    dice = random.Random(5)
    for _ in range(20):
        judge = chess.Board()
        for _ in range(dice.randrange(120)):
            if moves := list(judge.legal_moves):
                judge.push(dice.choice(moves))
        state = position(judge.fen())
        assert GAME.notation(state) == judge.fen()
        # other programs write the passed square where no pawn can take as well
        assert np.array_equal(position(judge.fen(en_passant="fen")), state)


# --- results ---

FOOLS_MATE = "f3", "e5", "g4", "Qh4#"
FASTEST_STALEMATE = "e3 a5 Qh5 Ra6 Qxa5 h5 h4 Rah6 Qxc7 f6 Qxd7+ Kf7 Qxb7 Qd3 Qxb8 Qh7 Qxc8 Kg6 Qe6"  # S. Loyd
THERE_AND_BACK = "Nf3", "Nf6", "Ng1", "Ng8"


def line(text):
    """The state after some moves."""
    return after(GAME, *text.split())


def test_fools_mate_wins_for_black():
    assert payoffs(GAME, after(GAME, *FOOLS_MATE)) == (-1, 1)
    assert payoffs(GAME, line("e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7#")) == (1, -1)


def test_stalemate_is_a_draw():
    state = line(FASTEST_STALEMATE)
    assert payoffs(GAME, state) == (0, 0) and state[RESULT] == STALEMATE


def test_the_third_occurrence_of_a_position_ends_the_game():
    state = after(GAME, *THERE_AND_BACK, *THERE_AND_BACK[:3])
    assert state[RESULT] == OPEN
    GAME.step(state, read(GAME, state, "Ng8"))
    assert payoffs(GAME, state) == (0, 0) and state[RESULT] == REPEATED


def test_a_position_with_other_rights_is_another_position():
    # after Rg1 and Rh1 White can no longer castle short: the position with all rights has occurred only once
    moves = "Nf3", "Nf6", "Rg1", "Rg8", "Rh1", "Rh8", "Ng1", "Ng8"
    state = after(GAME, *moves, *THERE_AND_BACK)
    assert state[RESULT] == OPEN
    assert after(GAME, *moves, *THERE_AND_BACK, "Nf3", "Nf6")[RESULT] == REPEATED  # as after Rh8


def test_a_pawn_that_can_be_taken_in_passing_makes_another_position():
    passed, later = line("e4 d6 e5 f5"), line("e4 d6 e5 f5 Ke2 Kf7 Ke1 Ke8")
    assert GAME.notation(passed).split()[3] == "f6"
    # the same men with the same rights (none), but the chance is gone
    passed = position(GAME.notation(passed).replace("KQkq", "-"))
    assert GAME.notation(passed).split()[0] == GAME.notation(later).split()[0] and passed[KEY] != later[KEY]


def test_a_pawn_that_cannot_be_taken_in_passing_makes_no_difference():
    assert GAME.notation(line("e4")).split()[3] == "-" and line("e4 e6 d4")[KEY] == line("d4 e6 e4")[KEY]
    # d4 can take on e3 by the move of the pawn, but would leave its king to the rook on h4
    pinned = position("8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1")
    GAME.step(pinned, read(GAME, pinned, "e4"))
    assert GAME.notation(pinned).split()[3] == "-"


def test_taking_in_passing_must_do_away_with_every_check():
    # no game leads here, but a FEN may: the knight on d3 gives check
    state = position("4k3/8/8/3pP3/8/3n4/8/4K3 w - d6 0 1")
    assert {label(GAME, state, action) for action in legal(GAME, state)} == {"Kd1", "Kf1", "Kd2", "Ke2"}
    assert GAME.notation(state).split()[3] == "-"


def test_a_hundred_quiet_half_moves_end_the_game_unless_the_last_one_gives_mate():
    assert position("6k1/8/8/8/8/8/8/K6R w - - 99 80")[RESULT] == OPEN
    state = position("6k1/8/8/8/8/8/8/K6R w - - 99 80")
    GAME.step(state, read(GAME, state, "Rh2"))
    assert payoffs(GAME, state) == (0, 0) and state[RESULT] == QUIET
    state = position("7k/8/6K1/8/8/8/8/R7 w - - 99 80")
    GAME.step(state, read(GAME, state, "Ra8#"))
    assert payoffs(GAME, state) == (1, -1)


def test_a_capture_and_a_pawn_move_set_the_clock_to_0():
    state = position("7k/8/8/8/8/p7/P7/KR5r w - - 99 80")
    GAME.step(state, read(GAME, state, "Rxh1+"))
    assert state[CLOCK] == 0 and state[RESULT] == OPEN
    assert after(GAME, "Nf3", "Nf6", "e4")[CLOCK] == 0 and after(GAME, "Nf3", "Nf6")[CLOCK] == 2


@pytest.mark.parametrize(
    "men, is_dead",
    [
        ("8/8/4k3/8/8/4K3/8/8", True),
        ("8/8/4k3/8/8/3NK3/8/8", True),
        ("8/8/4k3/8/8/3BK3/8/8", True),
        ("8/8/4kb2/8/8/2B1K3/8/8", True),  # both bishops on dark squares
        ("8/8/4kb2/8/8/3BK3/8/8", False),
        ("8/3k4/5b2/8/2B5/1B2K3/8/8", False),
        ("8/4k3/5b2/8/8/2B1K3/1B6/8", True),
        ("8/8/4k3/8/8/2NNK3/8/8", False),  # mate can be given if the other helps
        ("8/8/4kn2/8/8/3NK3/8/8", False),
        ("8/8/4kn2/8/8/3BK3/8/8", False),
        ("8/8/4k3/8/8/4K3/P7/8", False),
        ("8/8/4k3/8/8/4K3/R7/8", False),
        ("8/8/4k3/8/8/4K3/8/Q7", False),
    ],
)
def test_dead_positions_end_the_game(men, is_dead):
    for turn in "wb":
        state = position(f"{men} {turn} - - 0 1")
        assert (state[RESULT] == DEAD) == is_dead == (GAME.player(state) == OVER)


def test_a_game_that_begins_at_its_end_is_over():
    for fen in ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"):
        assert GAME.player(position(fen)) == OVER


# --- what a state keeps ---


def test_the_key_checkers_and_pins_that_step_keeps_are_those_of_the_board():
    dice, verbs = random.Random(6), Compiled()
    for fen in FENS:
        state = position(fen)
        for _ in range(30):
            if GAME.player(state) == OVER:
                break
            verbs.step(state, dice.choice(verbs.actions(state)))
            again = state.copy()
            begin(again)
            kept = [KEY, CHECKERS, PINNED, *range(8), *range(8, 13)]
            assert np.array_equal(state[kept], again[kept])


def test_words_beyond_the_live_ones_do_not_matter():
    dice, verbs = random.Random(7), Compiled()
    state, dirty = new_state(GAME), new_state(GAME)
    for _ in range(200):
        if GAME.player(state) == OVER:
            break
        dirty[GAME.live(dirty) :] = dice.getrandbits(60)
        action = dice.choice(verbs.actions(state))
        verbs.step(state, action)
        verbs.step(dirty, action)
        live = GAME.live(state)
        assert np.array_equal(state[:live], dirty[:live])


def test_both_players_see_every_move_and_remember_the_order():
    one, other = after(GAME, "e4", "e5", "Nf3"), after(GAME, "Nf3", "e5", "e4")
    for player in (0, 1):
        assert GAME.view(one, player) != GAME.view(other, player)
    one, other = after(GAME, "e3", "e6", "d3"), after(GAME, "d3", "e6", "e3")
    assert GAME.position(one) == GAME.position(other)
    assert GAME.view(one, 0) == GAME.view(one, 1) != GAME.view(other, 0)


def test_views_of_different_courses_differ():
    views = set()
    out = np.zeros(218, np.int64)

    def below(state, depth):
        views.add(int(GAME.view(state, 0)))
        if depth:
            for action in out[: list_actions(GAME, state, out)].tolist():
                child = state.copy()
                play_on(GAME, child, action)
                below(child, depth - 1)

    below(new_state(GAME), 3)
    assert len(views) == 1 + 20 + 400 + 8902


# --- what people read and type ---


def test_the_board_is_shown_from_whites_side():
    shown = GAME.show(after(GAME, "e4", "c5"), REFEREE).splitlines()
    assert shown[0] == "8 r n b q k b n r" and shown[4] == "4 . . . . P . . ." and shown[8] == "  a b c d e f g h"
    assert shown[9] == "White to move"
    assert GAME.show(after(GAME, *FOOLS_MATE), 0).endswith("White is mated")
    assert GAME.show(line(FASTEST_STALEMATE), 0).endswith("a draw: stalemate")
    assert GAME.show(position("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1"), 0).endswith("White to move, in check")


def test_moves_are_told_apart_by_file_then_by_rank_then_by_both():
    state = position("6k1/8/8/8/R6R/8/8/R3K2R w KQ - 0 1")
    names = {label(GAME, state, action) for action in legal(GAME, state)}
    assert {"Rab4", "Rhb4", "R1a2", "R4a2", "O-O", "O-O-O"} <= names
    state = position("6k1/8/8/1Q3Q2/8/8/8/1Q3K2 w - - 0 1")
    names = {label(GAME, state, action) for action in legal(GAME, state)}
    assert {"Qb5d3", "Q1d3", "Qfd3"} <= names


@pytest.mark.parametrize(
    "typed, action",
    [
        ("e4", 12 * 64 + 28),
        ("e2e4", 12 * 64 + 28),
        ("e2-e4", 12 * 64 + 28),
        (" e4! ", 12 * 64 + 28),
        ("Nf3", 6 * 64 + 21),
        ("Ng1f3", 6 * 64 + 21),
        ("g1f3", 6 * 64 + 21),
    ],
)
def test_a_move_is_typed_in_several_ways(typed, action):
    assert read(GAME, new_state(GAME), typed) == action


@pytest.mark.parametrize("typed", ["e5", "Ke2", "nf3", "O-O", "e2e5", "castle", "e2e4q", "Qxe5+", "99", "é4", "0000"])
def test_an_illegal_move_is_refused_with_the_legal_ones(typed):
    with pytest.raises(Illegal, match=r"is not a legal action here: choose from Na3, Nc3, Nf3, Nh3, a3, a4"):
        read(GAME, new_state(GAME), typed)


def test_castling_and_promotion_are_typed_in_several_ways():
    state = position("r3k2r/1P6/8/8/8/8/8/R3K2R w KQkq - 0 1")
    assert read(GAME, state, "O-O") == read(GAME, state, "0-0") == read(GAME, state, "e1g1") == 4 * 64 + 6
    assert read(GAME, state, "O-O-O") == read(GAME, state, "o-o-o") == read(GAME, state, "e1c1") == 4 * 64 + 2
    queen = 4 * 4096 + 49 * 64 + 57
    assert read(GAME, state, "b8=Q+") == read(GAME, state, "b8Q") == read(GAME, state, "b7b8q") == queen
    assert GAME.read(state, "b8") == GAME.read(state, "b7b8") == -1  # a pawn must say what it becomes


def test_a_name_that_fits_two_moves_is_refused():
    state = position("6k1/8/8/8/8/8/8/R3K2R w - - 0 1")
    assert GAME.read(state, "Rd1") == 3
    assert GAME.read(position("6k1/8/8/8/8/8/4K3/R6R w - - 0 1"), "Rd1") == -1


@pytest.mark.parametrize(
    "fen, reason",
    [
        ("", "a FEN has six fields"),
        ("8/8/8/8 w", "a FEN has six fields"),
        (START + " more", "a FEN has six fields"),
        (START.replace("/8/8/", "/8/"), "the men stand on 8 ranks, not 7"),
        (START.replace("/8/", "/9/", 1), "'9' is no man: valid are PNBRQK for White and pnbrqk for Black"),
        (START.replace("PPPPPPPP", "PPPPPPP"), "rank 2 has 7 squares instead of 8"),
        (START.replace("PPPPPPPP", "PPPPPPPPP"), "rank 2 has 9 squares instead of 8"),
        (START.replace("PPPPPPPP", "PPPPPXPP"), "'X' is no man"),
        (START.replace("/8/", "/7/", 1), "rank 6 has 7 squares instead of 8"),
        (START.replace("/8/", "/44/", 1), "rank 6 has two numbers side by side"),
        (START.replace("K", "Q", 1), "White has 0 kings instead of 1"),
        (START.replace("qk", "kk"), "Black has 2 kings instead of 1"),
        ("P3k3/8/8/8/8/8/8/4K3 w - - 0 1", "White has a pawn on the first or the last rank"),
        ("4k3/8/8/8/8/8/8/p3K3 w - - 0 1", "Black has a pawn on the first or the last rank"),
        (START.replace("/8/", "/P7/", 1), "White has 9 pawns, and 8 is the most"),
        (START.replace("/8/", "/Q7/", 1), "White has 1 promoted men, but only 0 pawns are missing"),
        ("4k3/8/8/8/8/8/1P6/B1B1K3 w - - 0 1", ""),
        ("4k3/8/8/8/8/B7/1PPPPPPP/B1B1K3 w - - 0 1", "White has 2 promoted men, but only 1 pawns are missing"),
        (START.replace(" w ", " x "), "w or b is to move, not x"),
        (START.replace("KQkq", "KQkk"), "castling rights are - or some of KQkq, not KQkk"),
        (START.replace("KQkq", "HAha"), "castling rights are - or some of KQkq, not HAha"),
        ("4k3/8/8/8/8/8/8/4K2R w Q - 0 1", "White cannot have the right to castle Q without a rook on a1"),
        ("3k4/8/8/8/8/8/8/4K2R b k - 0 1", "Black cannot have the right to castle k without a king on e8"),
        (START.replace("- 0", "e9 0"), "the square passed by a pawn is - or a square, not e9"),
        (START.replace("- 0", "e3 0"), "a pawn that White may take in passing passes a square of rank 6, not e3"),
        (START.replace("- 0", "e6 0"), "no pawn on e5 has passed e6"),
        ("4k3/4p3/8/4p3/8/8/8/4K3 w - e6 0 1", "a pawn cannot have passed e6, for e6 and e7 must be free"),
        ("4k3/8/4n3/4p3/8/8/8/4K3 w - e6 0 1", "a pawn cannot have passed e6, for e6 and e7 must be free"),
        (START.replace("0 1", "x 1"), "the clock of half-moves is a whole number from 0 to 100, not x"),
        (START.replace("0 1", "101 1"), "the clock of half-moves is a whole number from 0 to 100, not 101"),
        (START.replace("0 1", "-1 1"), "the clock of half-moves is a whole number from 0 to 100, not -1"),
        (START.replace("0 1", "0 0"), "the number of the move is a whole number from 1 to 999999, not 0"),
        (START.replace("0 1", "0 1.5"), "the number of the move is a whole number from 1 to 999999, not 1.5"),
        ("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "Black has just moved and is in check"),
        ("4k3/8/8/8/8/8/8/3KK3 w - - 0 1", "White has 2 kings instead of 1"),
        ("8/8/8/3kK3/8/8/8/8 w - - 0 1", "the kings stand side by side"),
        ("4k3/4r3/8/1b6/8/3n4/8/4K3 w - - 0 1", ""),
        ("4k3/4r3/8/8/1b6/3n4/8/4K3 w - - 0 1", "three men give check at once"),
    ],
)
def test_what_is_no_position_is_refused_in_one_sentence(fen, reason):
    if not reason:
        position(fen)
        return
    with pytest.raises(Invalid) as refused:
        position(fen)
    assert f"is no position of chess: {reason}" in str(refused.value) and "\n" not in str(refused.value)


def test_a_refused_position_leaves_the_state_as_it_was():
    state = after(GAME, "e4")
    before = state.copy()
    with pytest.raises(Invalid):
        GAME.from_notation("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", state)
    assert np.array_equal(state, before)


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_a_damaged_fen_is_refused_or_read_and_nothing_else(data):
    fen = data.draw(st.sampled_from(FENS))
    at = data.draw(st.integers(0, len(fen)))
    cut = data.draw(st.integers(0, 3))
    damaged = fen[:at] + data.draw(st.text("kKqQpPnN12345678/ wb-eh0x\n\u0663", max_size=3)) + fen[at + cut :]
    try:
        state = position(damaged)
    except Invalid as error:
        assert "is no position of chess: " in str(error)
    else:
        assert np.array_equal(position(GAME.notation(state)), state)


def test_the_last_two_fields_of_a_fen_may_be_left_out():
    assert np.array_equal(position(START[:-4]), position(START))
    assert GAME.notation(new_state(GAME)) == START and np.array_equal(position(START), new_state(GAME))


def test_repetition_does_not_reach_back_before_a_fen():
    state = position(GAME.notation(after(GAME, *THERE_AND_BACK)))
    assert state[CLOCK] == 4 and not state[KEYS : KEYS + 4].any()


def test_the_session_of_the_page_prints_what_it_says():
    page = pathlib.Path(__file__).parents[2] / "docs" / "games" / "chess.md"
    text = "".join(re.findall(r"^```pycon\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL))
    outcome = doctest.DocTestRunner().run(doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0))
    assert outcome.failed == 0 and outcome.attempted == 5
