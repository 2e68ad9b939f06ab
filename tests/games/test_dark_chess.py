"""Fog-of-war chess: OpenSpiel in lock-step, move by move and sight by sight, and what players must not see."""

import doctest
import pathlib
import random
import re

import numpy as np
import pytest
from playing import after, indistinct, payoffs
from replaying import can_imagine

from fogtree import OVER, REFEREE, Illegal, Invalid, dice, kernel
from fogtree.arena import referee
from fogtree.arena.agents import load_agent
from fogtree.game import label, legal, new_state, read
from fogtree.games.chess.moves import KINGS, PAWNS, ROOKS
from fogtree.games.dark_chess import (
    KEY,
    KING_TAKEN,
    MEN,
    NOWHERE,
    OPEN,
    PASSING,
    QUIET,
    REPEATED,
    RESULT,
    RIGHTS,
    SET_UP,
    SIDE,
    STALEMATE,
    TAKEN,
    TURN,
    DarkChess,
    whole_key,
)
from fogtree.search.worlds.belief import imagine_each

FULL, SMALL = DarkChess(), DarkChess(4)


def position(fen, game=FULL):
    state = np.zeros(game.shape().words, np.int64)
    game.from_notation(fen, state)
    return state


def play(game, state, *moves):
    for move in moves:
        game.step(state, read(game, state, move))
    return state


# --- OpenSpiel ---


@kernel
def play_on(game, state, action):
    game.step(state, action)


class Match:
    """Both libraries in lock-step. White is their player 1."""

    def __init__(self, size, fen=None):
        pyspiel = pytest.importorskip("pyspiel")
        self.ours = DarkChess(size)
        text = fen or f"{SET_UP[size]} w {'KQkq' if size == 8 else '-'} - 0 1"
        self.theirs = pyspiel.load_game("dark_chess", {"board_size": size, "fen": text})
        self.fen, self.told, self.view = text, {}, {}
        self.histories, self.ends = 0, {}

    def start(self):
        state, judge = position(self.fen, self.ours), self.theirs.new_initial_state()
        return state, judge, ((judge.observation_string(1),), (judge.observation_string(0),))

    def play(self, choose):
        state, judge, told = self.start()
        while actions := self.compare(state, judge, told):
            state, judge, told = self.child(state, judge, told, choose(sorted(actions.values())), actions)

    def explore(self, depth):
        stack = [self.start()]
        for _ in range(depth):
            stack = [
                self.child(*node, action, actions)
                for node in stack
                if (actions := self.compare(*node))
                for action in actions.values()
            ]
        for node in stack:
            self.compare(*node)

    def child(self, state, judge, told, action, actions):
        name = next(name for name, known in actions.items() if known == action)
        judge, state = judge.clone(), state.copy()
        judge.apply_action(next(a for a in judge.legal_actions() if judge.action_to_string(a) == name))
        play_on(self.ours, state, action)
        end = [str(judge.returns())] if judge.is_terminal() else []
        told = tuple((*told[p], *end, judge.observation_string(1 - p)) for p in (0, 1))
        return state, judge, told

    def compare(self, state, judge, told):
        """One node of both; returns our actions by name, none at the end."""
        self.histories += 1
        where = str(judge)
        assert self.ours.notation(state) == where
        for player in (0, 1):
            view, known = int(self.ours.view(state, player)), (player, told[player])
            assert self.told.setdefault((player, view), known) == known, f"we tell less apart: {where}"
            assert self.view.setdefault(known, view) == view, f"we tell more apart: {where}"
            assert self.shown(state, player) == self.shown_there(state, player, told[player][-1]), where
        assert (self.ours.player(state) == OVER) == judge.is_terminal(), where
        if judge.is_terminal():
            assert payoffs(self.ours, state) == tuple(reversed(judge.returns())), where
            self.ends[int(state[RESULT])] = self.ends.get(int(state[RESULT]), 0) + 1
            return {}
        assert self.ours.player(state) == 1 - judge.current_player()
        actions = {label(self.ours, state, action): action for action in legal(self.ours, state)}
        assert set(actions) == {judge.action_to_string(action) for action in judge.legal_actions()}, where
        return actions

    def shown(self, state, player):
        """[rank from the top] what our board shows."""
        return [row[2:].replace(" ", "") for row in self.ours.show(state, player).splitlines()[: self.ours.size]]

    def shown_there(self, state, player, told):
        """The same of theirs. It shows to a player whose own pawn has just gone two squares, beside another own pawn, the
        two squares behind it, which are free and known to be so; we do not."""
        rows = [re.sub("[1-8]", lambda gap: "." * int(gap[0]), row) for row in told.split()[0].split("/")]
        if state[PASSING] != NOWHERE and state[TURN] != player:
            ours = self.shown(state, player)
            for square in (int(state[PASSING]), int(state[PASSING]) + (8 if player else -8)):
                rank, file = 7 - square // 8, square % 8
                if ours[rank][file] == "?" and rows[rank][file] == ".":
                    rows[rank] = rows[rank][:file] + "?" + rows[rank][file + 1 :]
        return rows


def leaning(dice, lean):
    """Chooses among actions, the low ones more often the larger the lean: then courses meet again."""
    return lambda actions: actions[min(dice.randrange(len(actions)) for _ in range(lean))]


@pytest.mark.parametrize("size, depth", [(4, 3), (8, 2)])
def test_the_first_moves_agree_with_openspiel_in_every_history(size, depth):
    match = Match(size)
    match.explore(depth)
    assert len(match.told) < 2 * match.histories  # some histories look the same to a player, and to OpenSpiel's


@pytest.mark.parametrize("size, games", [(4, 50), (8, 4)])
def test_random_games_agree_with_openspiel(size, games):
    match, dice = Match(size), random.Random(size)
    for number in range(games):
        match.play(leaning(dice, 1 + number % 3))
    assert sum(match.ends.values()) == games and TAKEN in match.ends


@pytest.mark.parametrize(
    "fen",
    [
        "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1",  # castling
        "4k3/pppppppp/8/1P1P1P1P/p1p1p1p1/8/PPPPPPPP/4K3 w - - 0 1",  # taking in passing
        "r3k2r/8/3Q4/8/8/5q2/8/R3K2R w KQkq - 0 1",  # castling out of and through attacks
        "1n2k3/P1P5/8/8/8/8/p1p5/1N2K3 w - - 0 1",  # promotion
        "8/8/4k3/8/8/4K3/8/8 w - - 90 1",  # bare kings play on
        "7k/5p2/5P2/8/8/8/8/K7 b - - 0 1",
    ],
)
def test_random_games_from_special_positions_agree_with_openspiel(fen):
    match, dice = Match(8, fen), random.Random(1)
    for number in range(3):
        match.play(leaning(dice, 1 + number))


# --- rules of its own ---


def test_whoever_takes_the_king_wins():
    state = position("k7/8/8/8/8/8/8/R6K w - - 0 1")
    assert payoffs(FULL, play(FULL, state, "Rxa8")) == (1, -1) and state[RESULT] == TAKEN
    state = position("k7/8/8/8/8/8/8/R6K b - - 0 1")
    play(FULL, state, "Ka7")  # a king may stay in danger
    assert FULL.player(state) == 0


def test_a_king_castles_out_of_an_attack_and_through_one():
    state = position("4k3/8/8/8/8/4rr2/8/4K2R w K - 0 1")
    assert "O-O" in {label(FULL, state, action) for action in legal(FULL, state)}


def test_a_player_without_a_move_draws():
    # k . . .
    # P p . p    every man of White stands behind another one, and no pawn can take
    # R P . P
    # K R B .
    state = position("k3/Pp1p/RP1P/KRB1 w - - 0 1", SMALL)
    assert payoffs(SMALL, state) == (0, 0) and state[RESULT] == STALEMATE
    assert SMALL.player(position("k3/Pp1p/RP1P/KR2 w - - 0 1", SMALL)) == 0


def test_draws_by_repetition_and_by_a_hundred_quiet_half_moves():
    state = play(FULL, new_state(FULL), *["Nf3", "Nf6", "Ng1", "Ng8"] * 2)
    assert payoffs(FULL, state) == (0, 0) and state[RESULT] == REPEATED
    state = play(FULL, position("7k/8/8/8/8/8/8/K7 w - - 99 80"), "Ka2")
    assert payoffs(FULL, state) == (0, 0) and state[RESULT] == QUIET


def test_a_square_passed_over_counts_only_if_a_pawn_can_take_there():
    there_and_back = ["Nf6", "Nf3", "Ng8", "Ng1"] * 2
    assert play(FULL, new_state(FULL), "e4", *there_and_back)[RESULT] == REPEATED
    # with a pawn on d4 the first position is another one
    state = play(FULL, new_state(FULL), "a3", "d5", "a4", "d4", "e4", *there_and_back)
    assert state[RESULT] == OPEN and play(FULL, state, "Nf6")[RESULT] == REPEATED


# --- seeing ---


def test_moves_out_of_sight_cannot_be_told_apart():
    assert indistinct(FULL, 0, ("e4", "Nf6"), ("e4", "Nc6"))
    assert indistinct(FULL, 0, ("e4", "h6"), ("e4", "g6"))
    assert indistinct(FULL, 1, ("Nf3",), ("Nc3",))


def test_whether_the_own_pawn_can_be_taken_in_passing_is_not_told():
    # White has gone from e2 to e4 and cannot see whether a black pawn stands beside it, behind the knight
    states = [position(fen) for fen in ("4k3/8/8/8/3p4/3N4/3PP3/4K3 w - - 0 1", "4k3/8/8/8/7p/3N4/3PP3/4K3 w - - 0 1")]
    for state in states:
        play(FULL, state, "e4")
    assert states[0][PASSING] != states[1][PASSING] == NOWHERE
    assert FULL.view(states[0], 0) == FULL.view(states[1], 0)
    assert FULL.view(states[0], 1) != FULL.view(states[1], 1)


def test_the_clock_tells_a_move_of_a_pawn():
    assert not indistinct(FULL, 0, ("e4", "Nf6"), ("e4", "a6"))


def test_own_moves_and_what_comes_into_sight_are_told_apart():
    assert not indistinct(FULL, 0, ("e4",), ("e3",))
    assert not indistinct(FULL, 0, ("e4", "d5"), ("e4", "d6"))  # the pawn on e4 could take
    assert not indistinct(FULL, 0, ("Nf3", "Nf6", "Ng1"), ("Nc3", "Nf6", "Nb1"))  # the order is remembered


def test_a_player_is_shown_own_men_and_where_they_can_go():
    state = after(FULL, "e4", "d5")
    assert FULL.show(state, 0).splitlines()[:8] == [
        "8 ? ? ? ? ? ? ? ?",
        "7 ? ? ? ? ? ? ? ?",
        "6 . ? ? ? ? ? ? ?",
        "5 ? . ? p . ? ? .",
        "4 . . . . P . . .",
        "3 . . . . ? . . .",  # nobody can go to e3
        "2 P P P P . P P P",
        "1 R N B Q K B N R",
    ]
    assert FULL.show(state, REFEREE).splitlines()[3] == "5 . . . p . . . ."


def test_only_the_loss_of_an_own_man_is_heard():
    state = new_state(FULL)
    for move, white, black in [
        ("e4", "", ""),
        ("d5", "", ""),
        ("exd5", "", "takes on d5"),
        ("Nf6", "", ""),
        ("c4", "", ""),
        ("Nxd5", "takes on d5", ""),
        ("f4", "", ""),
        ("Na6", "", ""),
        ("f5", "", ""),
        ("g5", "", ""),
        ("fxg6", "", "takes on g5"),  # in passing
    ]:
        action = read(FULL, state, move)
        assert [FULL.heard(state, action, player) for player in (0, 1)] == [white, black], move
        with np.errstate(over="ignore"):
            FULL.step(state, action)


def test_a_pawn_that_can_be_taken_in_passing_is_seen():
    state = after(FULL, "e4", "a6", "e5", "d5")
    assert "exd6" in {label(FULL, state, action) for action in legal(FULL, state)}
    rank = FULL.show(state, 0).splitlines()[3]
    assert rank[8] == "p" and rank[10] == "P"
    assert FULL.show(after(FULL, "e4", "a6", "e5", "c5"), 0).splitlines()[3][6] == "?"  # not within reach


def test_labels_do_not_tell_of_danger_to_the_king():
    state = position("4k3/8/8/8/8/8/8/R3K3 w - - 0 1")
    assert "Ra8" in {label(FULL, state, action) for action in legal(FULL, state)}


# --- what a state keeps ---


def test_the_key_that_step_keeps_is_that_of_the_board():
    dice = random.Random(3)
    for size in SET_UP:
        game = DarkChess(size)
        state = new_state(game)
        assert int(state[SIDE]).bit_count() == MEN[size]
        while game.player(state) != OVER:
            play_on(game, state, dice.choice(legal(game, state)))
            assert state[KEY] == whole_key(state)


def test_words_beyond_the_live_ones_do_not_matter():
    dice = random.Random(4)
    state, dirty = new_state(SMALL), new_state(SMALL)
    while SMALL.player(state) != OVER:
        dirty[SMALL.live(dirty) :] = dice.getrandbits(60)
        action = dice.choice(legal(SMALL, state))
        play_on(SMALL, state, action)
        play_on(SMALL, dirty, action)
        live = SMALL.live(state)
        assert np.array_equal(state[:live], dirty[:live])


def test_captures_and_promotions_are_noisy():
    out = np.zeros(SMALL.shape().actions, np.int64)
    state = play(SMALL, new_state(SMALL), "bxa3", "bxc2")
    noisy = {label(SMALL, state, action) for action in out[: SMALL.noisy(state, out)].tolist()}
    names = {label(SMALL, state, action) for action in legal(SMALL, state)}
    assert noisy == {name for name in names if "x" in name or "=" in name} != names


@pytest.mark.parametrize(
    ("fen", "king"),
    [("3n4/2k5/8/2Q4p/8/6p1/8/K7 w - - 0 1", "c7"), ("k7/8/6P1/8/2q4P/8/2K5/3N4 b - - 0 1", "c2")],
)
def test_nothing_looks_as_good_as_taking_the_king(fen, king):
    with np.errstate(over="ignore"):
        state = position(fen)
        promised = {label(FULL, state, action): FULL.promise(state, action) for action in legal(FULL, state)}
    assert {name for name, worth in promised.items() if worth == KING_TAKEN} == {f"Qx{king}"}
    assert max(worth for name, worth in promised.items() if king not in name) < KING_TAKEN
    assert sum("x" in name for name in promised) > 1


# --- typing and naming ---


def test_moves_are_typed_as_in_chess():
    assert read(FULL, new_state(FULL), "e4") == read(FULL, new_state(FULL), "e2e4") == 12 * 64 + 28
    with pytest.raises(Illegal, match="'e5' is not a legal action here: choose from Na3, Nc3"):
        read(FULL, new_state(FULL), "e5")


@pytest.mark.parametrize("size", [3, 7, 9, "large", True])
def test_a_board_of_another_size_is_refused(size):
    with pytest.raises(Invalid, match="DarkChess: size must be 4, 5, 6 or 8, not"):
        DarkChess(size)


def test_a_position_is_written_and_read_back():
    for size in SET_UP:
        game = DarkChess(size)
        state = new_state(game)
        assert np.array_equal(position(game.notation(state), game), state)


@pytest.mark.parametrize(
    "fen, reason",
    [
        ("r1kr/pppp/PPPP/R2R w - - 0 1", "White has 0 kings instead of 1"),
        ("r1kr/pppp/PPPP/P1KR w - - 0 1", "White has a pawn on the first or the last rank"),
        ("r1kr/pppp/PPPP w - - 0 1", "the men stand on 4 ranks, not 3"),
        ("r1kr/pppp/PPPP/RRKR w - - 0 1", "White has 8 men, and 7 is the most"),
        ("r1kr/pppp/PPPP/R1KR w - a3 0 1", "a pawn that White may take in passing passes a square of rank 6, not a3"),
    ],
)
def test_what_is_no_position_is_refused_in_one_sentence(fen, reason):
    with pytest.raises(Invalid, match=f"is no position of chess: {reason}"):
        position(fen, SMALL)


def test_the_session_of_the_page_prints_what_it_says():
    page = pathlib.Path(__file__).parents[2] / "docs" / "games" / "dark-chess.md"
    text = "".join(re.findall(r"^```pycon\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL))
    outcome = doctest.DocTestRunner().run(doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0))
    assert outcome.failed == 0 and outcome.attempted > 5


# --- imagined worlds --------------------------------------------------------------------------------------------------


def decisions(size, games, seed=0):
    """The states of random games in which somebody is to move."""
    game, random = DarkChess(size), np.random.default_rng(seed)
    with np.errstate(over="ignore"):
        for _ in range(games):
            state = new_state(game)
            while game.player(state) != OVER:
                yield state.copy()
                game.step(state, int(random.choice(legal(game, state))))


def worlds(game, state, count, seed):
    made = np.repeat(state[None], count, axis=0)
    imagine_each(game, made, int(game.player(state)), dice.seeded(seed))
    return made


def men_of(state, player):
    return [int(word).bit_count() for word in np.uint64(state[:6]) & np.uint64(state[SIDE + player])]


@pytest.mark.parametrize("size, games", [(4, 8), (5, 4), (6, 3), (8, 3)])
def test_an_imagined_world_looks_the_same_and_has_the_same_moves(size, games):
    game = DarkChess(size)
    changed = 0
    for number, state in enumerate(decisions(size, games)):
        player = int(game.player(state))
        for made in worlds(game, state, 3, number):
            assert game.show(made, player) == game.show(state, player)
            assert legal(game, made) == legal(game, state)
            assert game.view(made, player) == game.view(state, player)
            assert sum(men_of(made, 1 - player)) == sum(men_of(state, 1 - player))
            assert men_of(made, player) == men_of(state, player)
            assert men_of(made, 1 - player)[5] == 1  # the king
            assert made[KEY] == whole_key(made)
            pawns = np.uint64(made[0]) & np.uint64(made[SIDE + 1 - player])
            assert not pawns & (np.uint64(0xFF) | np.uint64(0xFF) << np.uint64(8 * (size - 1)))
            changed += not np.array_equal(made[:8], state[:8])
    assert changed > 50


@pytest.mark.parametrize("size, games", [(4, 15), (8, 2)])
def test_what_is_imagined_hangs_on_the_view_and_the_dice_alone(size, games):
    game = DarkChess(size)
    for number, state in enumerate(decisions(size, games, 1)):
        made = {worlds(game, other, 1, 99).tobytes() for other in (state, *worlds(game, state, 5, number))}
        assert len(made) == 1


def test_before_the_other_has_moved_everything_is_known():
    game = DarkChess()
    state = new_state(game)
    assert all(np.array_equal(made[:8], state[:8]) for made in worlds(game, state, 20, 0))


def test_one_move_of_the_other_moves_one_man_at_most():
    game = DarkChess()
    state = play(game, new_state(game), "e4", "Nf6", "d4", "g6")
    home = new_state(game)
    for made in worlds(game, state, 200, 0):
        moved = int(np.uint64(made[SIDE + 1]) & ~np.uint64(home[SIDE + 1])).bit_count()
        assert moved <= 2


def test_a_pawn_that_cannot_go_ahead_faces_a_man():
    game = DarkChess()
    state = play(game, new_state(game), "e4", "e5", "a3", "a6")
    assert all(int(made[SIDE + 1]) >> 36 & 1 for made in worlds(game, state, 100, 0))  # e5


def test_a_man_that_was_taken_is_in_no_world():
    game = DarkChess()
    state = play(game, new_state(game), "e4", "d5", "exd5", "Qxd5", "Nc3", "Qd8", "a3", "a6")
    for made in worlds(game, state, 100, 0):
        assert men_of(made, 1) == [7, 2, 2, 2, 1, 1]


def test_a_pawn_taken_in_passing_is_in_no_world():
    game = DarkChess()
    state = play(game, new_state(game), "e4", "a6", "e5", "d5", "exd6", "h6")
    for made in worlds(game, state, 100, 0):
        assert men_of(made, 1)[0] == 7


@pytest.mark.parametrize("size, games", [(4, 12), (5, 2)])
def test_the_truth_can_always_be_imagined(size, games, monkeypatch):
    game = DarkChess(size)
    tested = [can_imagine(game, state, monkeypatch) for state in decisions(size, games, size)]
    assert all(tested) and len(tested) > 40


def test_castling_out_of_sight_can_be_imagined(monkeypatch):
    moves = ["a2a3", "g8f6", "a3a4", "g7g6", "a1a3", "f8g7", "a3a1", "e8g8"]
    game, home = DarkChess(), men_and_places(new_state(DarkChess()), 1)
    state = play(game, new_state(game), *moves)
    with np.errstate(over="ignore"):
        assert can_imagine(game, state, monkeypatch)
    assert len(men_and_places(state, 1) - home) == 5  # in four moves
    away = [men_and_places(made, 1) - home for made in worlds(game, state, 2_000, 0)]
    assert max(map(len, away)) == 5
    for men in away:  # five men only if the king and a rook are among them
        assert len(men) < 5 or {kind for kind, _ in men} >= {KINGS, ROOKS}


def men_and_places(state, player):
    """The set of (kind, square) of a player's men."""
    return {
        (kind, square)
        for kind in range(6)
        for square in range(64)
        if int(state[kind]) & int(state[SIDE + player]) & ((1 << 64) - 1) & 1 << square
    }


def men_drawn(game, state, count):
    """The sets of Black's men in so many imagined worlds."""
    return {frozenset(men_and_places(made, 1)) for made in np.unique(worlds(game, state, count, 0)[:, :KEY], axis=0)}


def test_a_position_from_a_text_tells_nothing_of_the_moves_before():
    # a lone king, out of sight: on each square that the white king on e1 does not see, whatever the number of the move is
    game = DarkChess()
    for number in (1, 40):
        state = position(f"8/8/8/k7/8/8/8/4K3 w - - 0 {number}")
        places = set().union(*men_drawn(game, state, 5_000))
        assert places == {(KINGS, square) for square in set(range(64)) - {3, 4, 5, 11, 12, 13}}


def test_hidden_pawns_may_have_been_promoted_as_enumerated():
    # White sees a1 to d2 with the king on b1 and the rook on d1; a king and a pawn of Black are hidden on the other squares
    game = DarkChess(4)
    state = position("k3/3p/4/1K1R w - - 0 1", game)
    hidden = {8 * rank + file for rank in range(4) for file in range(4)} - {0, 1, 2, 3, 8, 9, 10, 11, 19}
    assert "? ? ? p" in game.show(state, 0)  # the rook sees it on d3
    assert men_drawn(game, state, 2_000) == {frozenset({(PAWNS, 19), (KINGS, square)}) for square in hidden}
    state = position("k3/1p2/4/1K1R w - - 0 1", game)
    hidden |= {8 * 2 + 1}
    hidden -= {8 * 2 + 3, 8 * 3 + 3}
    expected = set()
    for king in hidden:
        for kind in range(PAWNS, KINGS):
            for square in hidden - {king}:
                if kind != PAWNS or square < 24:
                    expected.add(frozenset({(kind, square), (KINGS, king)}))
    assert men_drawn(game, state, 60_000) == expected


def test_what_a_position_from_a_text_tells_is_in_the_view():
    # the same sight: the men of Black in other places cannot be told apart, another number of men can
    same = [position(fen) for fen in ("8/8/8/k6p/8/8/8/4K3 w - - 0 1", "7k/8/p7/8/8/8/8/4K3 w - - 0 1")]
    assert FULL.view(same[0], 0) == FULL.view(same[1], 0)
    assert worlds(FULL, same[0], 5, 1).tobytes() == worlds(FULL, same[1], 5, 1).tobytes()
    for fen in ("8/8/8/k6n/8/8/8/4K3 w - - 0 1", "8/8/8/k7/8/8/8/4K3 w - - 0 1", "8/8/8/k6p/8/8/8/4K3 w - - 0 2"):
        assert FULL.view(position(fen), 0) != FULL.view(same[0], 0)


def test_rights_to_castle_may_have_been_lost_out_of_sight():
    state = play(FULL, new_state(FULL), "a3", "h5", "a4", "Rh6", "b3", "Rh8")  # Black keeps the right on the long side
    corner = {(KINGS, 60), (ROOKS, 56), (ROOKS, 63)}
    made = worlds(FULL, state, 1_000, 0)
    rights = {int(world[RIGHTS]) >> 2 for world in made if corner <= men_and_places(world, 1)}
    assert state[RIGHTS] >> 2 == 2 and rights == {0, 1, 2, 3}
    state = play(FULL, new_state(FULL), "a3", "h5")  # one move is not enough to go and come back
    for made in worlds(FULL, state, 200, 0):
        assert made[RIGHTS] == 15 or not corner <= men_and_places(made, 1)


def test_nobody_castles_in_a_world_of_a_small_board():
    # on the board of 5 the king stands on e1 and a rook on a1, as on the large one
    game = DarkChess(5)
    assert not any(made[RIGHTS].any() for state in decisions(5, 1) for made in worlds(game, state, 5, 0))


@pytest.mark.slow
def test_a_search_plays_a_whole_match_from_imagined_worlds():
    agents = [load_agent("rm:iterations=50", 1, 0), load_agent("random", 1, 1)]
    match = referee.play(DarkChess(4), agents, seed=1)
    assert match.forfeit is None
