"""Go. Positions are drawn: X is black, O is white, rows from the top; black moves unless a test says otherwise."""

import itertools
import random

import numpy as np
import pytest
from drawing import may, play, position, rows

import fogtree
from fogtree import OVER, Illegal, Invalid
from fogtree.game import legal, new_state, read
from fogtree.games.go import Go, Superko, board, text
from fogtree.kernels import kernel


def why_not(game, state, vertex):
    with pytest.raises(Illegal) as refused:
        read(game, state, vertex)
    return str(refused.value)


# --- captures ---


def test_a_stone_without_liberties_is_taken():
    game, state = position("""
        . X .
        X O .
        . X .
    """)
    play(game, state, "C2")
    assert rows(game, state) == [".X.", "X.X", ".X."]


def test_a_group_is_taken_whole_and_several_groups_at_once():
    game, state = position("""
        . X O . .
        X O O X .
        . X X . .
        . . . . .
        . . . . .
    """)
    play(game, state, "D5")
    assert rows(game, state) == [".X.X.", "X..X.", ".XX..", ".....", "....."]
    game, state = position("""
        X O . O X
        . X O X .
        . . X . .
        . . . . .
        . . . . .
    """)
    play(game, state, "C5")
    assert rows(game, state)[:3] == ["X.X.X", ".X.X.", "..X.."]


def test_a_capture_comes_before_suicide():
    # the point has no liberty but takes three stones
    game, state = position("""
        . O X
        O O X
        X X .
    """)
    assert may(game, state, "A3")
    play(game, state, "A3")
    assert rows(game, state) == ["X.X", "..X", "XX."]


def test_snapback():
    game, state = position("""
        O . . X .
        O O O X .
        X X X . .
        . . . . .
        . . . . .
    """)
    play(game, state, "B5", "C5")  # black throws a stone in, and white takes it
    assert rows(game, state)[:2] == ["O.OX.", "OOOX."]
    play(game, state, "B5")  # black takes five where the one was taken, which is no ko
    assert rows(game, state)[:2] == [".X.X.", "...X."]
    assert state[board.KO] == board.NO_POINT


def test_the_state_after_any_moves_is_what_a_recount_finds():
    # the derived words of the state against a plain recount, with and without suicide
    dice = random.Random(3)
    for game in (Go(3, 0.0), Go(5, 0.0), Go(5, 0.0, suicide=True), Go(4, 0.0, True, Superko.NONE), Go(7, 0.0)):
        for _ in range(2):
            state = new_state(game)
            while game.player(state) != OVER:
                assert_recounted(game, state)
                with np.errstate(over="ignore"):
                    actions = legal(game, state)
                    game.step(state, dice.choice(actions[:-1] or actions))


def assert_recounted(game, state):
    side, board_rows = game.side, text.stones(state, game.side)
    stone = {(r, c): board_rows[r][c] for r, c in itertools.product(range(side), repeat=2)}
    point = {spot: int(board.PLACE[side, spot[0] * side + spot[1]]) for spot in stone}
    number = {spot: spot[0] * side + spot[1] for spot in stone}
    libs = dict.fromkeys(stone, 0)
    group = {}
    for spot in stone:
        if stone[spot] and spot not in group:
            chain = connected(stone, spot)
            group |= dict.fromkeys(chain, frozenset(chain))
    for spot, members in group.items():
        head = int(state[point[spot] + board.HEAD])
        assert {int(state[point[m] + board.HEAD]) for m in members} == {head}
        assert state[head + board.SIZE] == len(members)
        ring, one = [], point[spot]
        for _ in members:
            ring.append(one)
            one = int(state[one + board.NEXT])
        assert one == point[spot] and sorted(ring) == sorted(point[m] for m in members)
        pseudo = [number[n] for m in members for n in near(m) if stone.get(n) == board.EMPTY]
        assert state[head + board.LIBS] == sum(board.liberty(n) for n in pseudo)
    empties = [spot for spot in stone if not stone[spot]]
    for spot in empties:
        libs = [number[n] for n in near(spot) if stone.get(n) == board.EMPTY]
        assert state[point[spot] + board.HEAD] == point[spot]
        assert state[point[spot] + board.LIBS] == sum(board.liberty(n) for n in libs)
        assert board.listed(state, state[point[spot] + board.NEXT]) == point[spot]
    assert state[board.EMPTIES] == len(empties)
    for colour in (board.BLACK, board.WHITE):
        assert members_of(state, colour - board.BLACK) == [number[spot] for spot in stone if stone[spot] == colour]
    assert board.stones_lead(state) == list(stone.values()).count(1) - list(stone.values()).count(2)
    key = 0
    for spot in group:
        key ^= int(board.ZOBRIST[stone[spot] - 1, number[spot]])
    assert state[board.KEY] == key
    for (r, c), at in point.items():
        order = [(1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1)]
        code = sum(stone.get((r + dr, c + dc), board.BORDER) << 2 * k for k, (dr, dc) in enumerate(order))
        assert state[at] >> board.CODE & board.EIGHT == code
        assert state[at] & board.STONE == stone[r, c] and state[at] >> board.NUMBER == number[r, c]


def members_of(state, which):
    """The points of a set, by their numbers."""
    words = [int(board.set_word(state, which, word)) for word in range(board.WIDE)]
    return [64 * word + bit for word, bits in enumerate(words) for bit in range(64) if bits >> bit & 1]


def test_superko_knows_every_earlier_position_and_no_other():
    game, dice = Go(4, 0.0), random.Random(5)
    for _ in range(3):
        state = new_state(game)
        keys, taken, before = [0], set(), {}
        while game.player(state) != OVER:
            with np.errstate(over="ignore"):
                game.step(state, dice.choice(legal(game, state)))
            stones = {n: stone for n, stone in enumerate(itertools.chain(*text.stones(state, 4))) if stone}
            taken |= before.keys() - stones.keys()
            before = stones
            keys.append(int(state[board.KEY]))
            assert all(board.was_there(state, 4, np.int64(key)) for key in keys)
            assert not any(board.was_there(state, 4, np.int64(dice.getrandbits(63))) for _ in range(50))
            assert members_of(state, board.TAKEN) == sorted(taken)


def near(spot):
    r, c = spot
    return [(r + 1, c), (r, c + 1), (r - 1, c), (r, c - 1)]


def connected(stone, spot):
    chain = [spot]
    for one in chain:
        chain += [n for n in near(one) if stone.get(n) == stone[spot] and n not in chain]
    return chain


# --- suicide ---


def test_suicide_is_not_allowed():
    game, state = position("""
        . O .
        O . .
        . . .
    """)
    assert not may(game, state, "A3")
    assert why_not(game, state, "a3") == "A3 would be suicide, which is not allowed"


def test_suicide_of_several_stones_is_an_option():
    corner = """
        . X O .
        O O O .
        . . . .
        . . . .
    """
    game, state = position(corner)
    assert not may(game, state, "A4")
    game, state = position(corner, suicide=True)
    play(game, state, "A4")
    assert rows(game, state) == ["..O.", "OOO.", "....", "...."]
    assert members_of(state, 0) == [] and len(members_of(state, 1)) == 4


def test_suicide_of_one_stone_is_never_allowed():
    for superko in Superko:
        game, state = position(
            """
            . O .
            O . .
            . . .
        """,
            suicide=True,
            superko=superko,
        )
        assert not may(game, state, "A3")


def test_superko_looks_at_suicide_too():
    # white's last stone made this position; black's suicide leads back to a position that was there before
    game, state = position(
        """
        . . O .
        O O O .
        . . . .
        . . . .
    """,
        suicide=True,
    )
    play(game, state, "B4", "pass")
    assert not may(game, state, "A4")
    assert why_not(game, state, "A4") == "A4 would repeat an earlier position, which superko does not allow"
    game = game._replace(superko=Superko.NONE)
    assert may(game, state, "A4")


# --- ko and superko ---

KO = """
    . X O .
    X . X O
    . X O .
    . . . .
"""


@pytest.mark.parametrize("superko", Superko)
def test_a_ko_must_not_be_taken_back_at_once(superko):
    game, state = position(KO, "w", superko=superko)
    play(game, state, "B3")
    assert rows(game, state) == [".XO.", "XO.O", ".XO.", "...."]
    assert not may(game, state, "C3")
    assert why_not(game, state, "C3") == "C3 would take a ko back at once, which is not allowed"
    play(game, state, "A1", "D1")  # after a threat and its answer it may
    play(game, state, "C3")
    assert rows(game, state)[:2] == [".XO.", "X.XO"]
    assert not may(game, state, "B3")


def test_taking_one_stone_and_standing_with_two_liberties_is_no_ko():
    game, state = position("""
        O X . .
        . . . .
        . . . .
        . . . .
    """)
    play(game, state, "A3")
    assert rows(game, state)[0] == ".X.." and state[board.KO] == board.NO_POINT


def test_taking_one_stone_with_two_is_no_ko():
    game, state = position(
        """
        . O X . O
        . . O X X
        . . . . .
        . . . . .
        . . . . .
    """,
        "w",
    )
    play(game, state, "D5")
    assert rows(game, state)[0] == ".O.OO" and may(game, state, "C5")
    play(game, state, "C5")
    assert rows(game, state)[0] == ".OX.."


SENDING = """
    X . X . O
    . X O O .
    . . . . .
    . . . . .
    . . . . .
"""


def test_sending_two_and_returning_one_is_stopped_by_superko_but_not_by_ko():
    for superko, allowed in ((Superko.NONE, True), (Superko.POSITIONAL, False)):
        game, state = position(SENDING, superko=superko)
        play(game, state, "D5", "B5")  # black makes two stones, and white takes them
        assert rows(game, state)[0] == "XO..O"
        assert state[board.KO] == board.NO_POINT
        assert may(game, state, "C5") == allowed  # black would take one stone, and all would be as before
        assert may(game, state, "D5")
    assert why_not(game, state, "C5") == "C5 would repeat an earlier position, which superko does not allow"


def test_superko_looks_at_moves_that_take_nothing_too():
    # the same circle entered one move later: the stone that takes nothing is the one that repeats
    game, state = position(SENDING.replace("X . X . O", "X . X X O"), "w")
    play(game, state, "B5", "C5", "pass")
    assert rows(game, state)[0] == "X.X.O"
    assert not may(game, state, "D5")


def test_a_stone_where_none_was_ever_taken_is_never_asked_about():
    # `repeats` leaves such points out; a plain search of all earlier positions must agree
    dice = random.Random(5)
    for game in (Go(2, 0.0), Go(3, 0.0), Go(3, 0.0, suicide=True)):
        forbidden = 0
        for _ in range(12):
            state, before = new_state(game), []
            while game.player(state) != OVER:
                before.append(rows(game, state))
                actions = legal(game, state)
                free = legal(game._replace(superko=Superko.NONE), state)
                for action in free[:-1]:
                    after = state.copy()
                    with np.errstate(over="ignore"):
                        game.step(after, action)
                    assert (action in actions) == (rows(game, after) not in before)
                forbidden += len(free) - len(actions)
                with np.errstate(over="ignore"):
                    game.step(state, dice.choice(actions[:-1] or actions))
        assert forbidden > 0


# --- the end and the score ---


def test_two_passes_end_the_game_and_one_does_not():
    game, state = position(". . .\n. X .\n. . .", "w")
    play(game, state, "pass")
    assert game.player(state) == 0
    play(game, state, "C1", "pass")
    assert game.player(state) == 0
    play(game, state, "pass")
    assert game.player(state) == OVER and legal(game, state) == []
    assert why_not(game, state, "A1") == "A1 comes too late: the game is over"


def scored(drawn, **rules):
    """Black's payoff in a position in which both pass."""
    game, state = position(drawn, **rules)
    play(game, state, "pass", "pass")
    assert game.payoff(state, 0) == -game.payoff(state, 1)
    return game.payoff(state, 0)


def test_area_is_stones_and_what_they_alone_reach():
    wall = """
        . X O .
        . X O .
        . X O .
        . X O O
    """
    assert scored(wall, points=True) == 0
    assert scored(wall, points=True, komi=0.5) == -0.5
    assert scored(wall) == 0 and scored(wall, komi=0.5) == -1 and scored(wall, komi=-1) == 1
    corner = """
        . X . O .
        . X . O .
        . X . O .
        . X . O .
        X X . . O
    """
    # black: 6 stones and 4 points; white: 5 stones and 4 points; the middle reaches both
    assert scored(corner, points=True) == 10 - 9


def test_an_empty_board_is_nobodys():
    assert scored(". .\n. .", points=True) == 0
    assert scored(". .\n. .", points=True, komi=6.5) == -6.5


def test_a_board_with_one_colour_is_all_theirs():
    assert scored(". . .\n. X .\n. . .", points=True) == 9
    assert scored(". . .\n. O .\n. . .", points=True) == -9


SEKI = """
    O X . O X
    O X . O X
    O X X X X
    . O O O O
    . . . . .
"""


def test_in_a_seki_whoever_plays_first_is_taken():
    game, state = position(SEKI)
    play(game, state, "C4", "C5")
    assert rows(game, state)[:3] == ["O.OO.", "O..O.", "O...."]
    game, state = position(SEKI, "w")
    play(game, state, "C4", "C5")
    assert rows(game, state)[:3] == ["OXX.X", "OX..X", "OXXXX"]


def test_the_shared_liberties_of_a_seki_are_nobodys():
    # black: 8 stones; white: 2 and 7 stones and the 6 points below
    assert scored(SEKI, points=True) == 8 - 15


def test_a_long_game_is_scored_as_it_stands():
    game = Go(2, 0.0, superko=Superko.NONE, points=True)
    state, chance = new_state(game), random.Random(1)
    for _ in range(game.shape().moves):
        assert game.player(state) != OVER
        with np.errstate(over="ignore"):
            actions = legal(game, state)
            game.step(state, chance.choice(actions[:-1] or actions))
    assert game.player(state) == OVER
    assert game.shape().moves == 3 * 4 + 64


# --- counts and values ---


@kernel
def count_legal(game, state):
    """How many of all ways to put stones on the board leave every group a liberty."""
    found, cells = 0, game.side * game.side
    for drawing in range(3**cells):
        game.start(state)
        rest, stones = drawing, 0
        for action in range(cells):
            if rest % 3:
                board.place(state, game.row(), board.point_of(game.side, action), rest % 3)
                stones += 1
            rest //= 3
        found += state[board.EMPTIES] == cells - stones
    return found


@pytest.mark.parametrize("side, positions", [(2, 57), (3, 12_675)])
def test_the_legal_positions_are_as_many_as_tromp_counted(side, positions):
    # Tromp and Farnebaeck 2007, Combinatorics of Go, table 1
    game = Go(side)
    assert count_legal(game, new_state(game)) == positions


def test_all_legal_positions_of_the_2x2_board_are_reached():
    game = Go(2, superko=Superko.NONE)
    found, stack = set(), [new_state(game)]
    while stack:
        state = stack.pop()
        key = (tuple(rows(game, state)), int(state[board.TURN]), int(state[board.KO]))
        if key not in found and game.player(state) != OVER:
            found.add(key)
            for action in legal(game, state):
                after = state.copy()
                after[board.COUNT] = 0  # no limit of moves
                with np.errstate(over="ignore"):
                    game.step(after, action)
                stack.append(after)
    assert len({stones for stones, _, _ in found}) == 57


def black_gets(game, state, target):
    """Whether black can force this score, by plain search over all that superko leaves. A pass is tried first."""
    player = game.player(state)
    if player == OVER:
        return state[board.SCORE] >= target
    for action in reversed(legal(game, state)):
        after = state.copy()
        with np.errstate(over="ignore"):
            game.step(after, action)
        if black_gets(game, after, target) == (player == 0):
            return player == 0
    return player != 0


def test_the_2x2_board_is_worth_1_to_black():
    # Tromp: with positional superko
    game = Go(2, 0.0)
    assert black_gets(game, new_state(game), 1)
    assert not black_gets(game, new_state(game), 2)


@kernel
def forces(game, target, most, stack, action, left, key, known):
    """Whether black can force this score within so many moves: depth first, with a table by `position` of the fewest moves
    in which it was forced and the most in which it was not. Exact without superko, where a position says all."""
    depth, entering, result = 0, True, False
    for _ in range(10_000_000):
        if depth < 0:
            return result
        state, slot = stack[depth], game.position(stack[depth]) & (key.shape[0] - 1)
        player, moves, done = game.player(state), most - depth, False
        if entering:
            if key[slot] != game.position(state):
                key[slot], known[slot, 0], known[slot, 1] = game.position(state), most + 1, -1
            result = state[board.SCORE] >= target if player == OVER else known[slot, 0] <= moves
            done = player == OVER or moves == 0 or result or known[slot, 1] >= moves
            left[depth] = 0 if done else game.actions(state, action[depth])
        elif left[depth] == 0 or result == (player == 0):
            done = True
            known[slot, 0 if result else 1] = moves
        entering = not done
        if done:
            depth -= 1
        else:
            left[depth] -= 1
            stack[depth + 1, :] = state
            game.step(stack[depth + 1], action[depth, left[depth]])
            depth += 1
    raise RuntimeError("too many positions")


@pytest.mark.slow
def test_black_takes_all_of_the_3x3_board():
    game = Go(3, 0.0, superko=Superko.NONE)
    shape, most, slots = game.shape(), 16, 1 << 18

    def within(moves):
        stack = np.zeros((moves + 2, shape.words), np.int64)
        game.start(stack[0])
        action, left = np.zeros((moves + 1, shape.actions), np.int64), np.zeros(moves + 1, np.int64)
        return forces(game, 9, moves, stack, action, left, np.full(slots, 77), np.zeros((slots, 2), np.int64))

    assert within(most) and not within(most - 2)


# --- OpenSpiel ---


@pytest.mark.parametrize("side, games", [(2, 20), (3, 30), (5, 15), (9, 3), (13, 1)])
def test_random_games_agree_with_openspiel_move_by_move(side, games):
    # OpenSpiel's players go by ko alone; where a stone recreates an earlier position, its game ends. So its legal moves are
    # ours without superko, and a move after which it ends so is one that our superko forbids.
    pyspiel = pytest.importorskip("pyspiel")
    komi = 0.5 + side // 4
    free, strict = Go(side, komi, superko=Superko.NONE), Go(side, komi)
    theirs = pyspiel.load_game(f"go(board_size={side},komi={komi},max_game_length={free.shape().moves})")
    chance, repeated = random.Random(side), 0
    for _ in range(games):
        state, other = new_state(free), theirs.new_initial_state()
        while free.player(state) != OVER:
            actions, allowed = legal(free, state), legal(strict, state)
            assert actions == other.legal_actions()
            action = chance.choice(actions if chance.random() < 0.02 or len(actions) == 1 else actions[:-1])
            with np.errstate(over="ignore"):
                free.step(state, action)
            other.apply_action(action)
            if action not in allowed:
                assert other.is_terminal()
                repeated += 1
                break
            assert other.is_terminal() == (free.player(state) == OVER)
        else:
            assert other.returns() == [free.payoff(state, 0), free.payoff(state, 1)]
    assert repeated or side > 3


# --- naming, typing, notation ---


def test_vertices_skip_the_column_i():
    game = Go(19)
    state = new_state(game)
    assert [text.vertex(action, 19) for action in (0, 8, 360, 361)] == ["A1", "J1", "T19", "pass"]
    assert [read(game, state, typed) for typed in ("d4", "T19", " PASS ", "J1")] == [60, 360, 361, 8]


@pytest.mark.parametrize("typed", ["I4", "K1", "A10", "A0", "D", "4", "", "D4!", "resign"])
def test_what_is_no_point_of_the_board_is_refused(typed):
    sentence = why_not(Go(9), new_state(Go(9)), typed)
    assert sentence == f"'{typed}' is no point of this board: valid are A1 to J9, without the column I, and pass"


def test_a_taken_point_is_refused():
    game, state = position(". . .\n. X .\n. . .")
    assert why_not(game, state, "b2") == "B2 is taken: a stone is put on an empty point"


def test_the_board_is_shown_with_its_coordinates():
    game, state = position(". . O\n. X .\n. . .")
    assert game.show(state, 0).splitlines() == [
        "   A B C",
        " 3 . . O 3",
        " 2 . X . 2",
        " 1 . . . 1",
        "   A B C",
        "black to move",
    ]
    play(game, state, "A1")
    assert game.show(state, 1).splitlines()[-1] == "black played A1; white to move"
    play(game, state, "pass", "pass")
    assert game.show(state, 1).splitlines()[-1] == "black played pass; the game is over"


@pytest.mark.parametrize("game", [Go(3, 0.0), Go(4, 0.5, suicide=True), Go(9)])
def test_a_state_is_written_and_read_back_to_the_last_word(game):
    chance = random.Random(1)
    for _ in range(5):
        state = new_state(game)
        for _ in range(chance.randrange(60)):
            actions = legal(game, state)
            if actions:
                with np.errstate(over="ignore"):
                    game.step(state, chance.choice(actions))
        again = new_state(game)
        game.from_notation(game.notation(state), again)
        assert again.tolist() == state.tolist()


def test_a_position_that_was_set_up_is_written_with_its_moves():
    game, state = position(KO, "w")
    assert game.notation(state) == "1XO1/X1XO/1XO1/4 w"
    play(game, state, "B3", "pass")
    assert game.notation(state) == "1XO1/X1XO/1XO1/4 w B3 pass"
    again = new_state(game)
    game.from_notation(game.notation(state), again)
    assert again.tolist() == state.tolist()
    assert game.notation(new_state(game)) == "4/4/4/4 b"


@pytest.mark.parametrize(
    "written, sentence",
    [
        ("", "row '' of the notation must be 3 points, written as X, O and numbers of empty points"),
        ("3/3 b", "a notation for side 3 has 3 rows between slashes, not 2"),
        ("3/4/3 b", "row '4' of the notation must be 3 points, written as X, O and numbers of empty points"),
        ("3/1Z1/3 b", "row '1Z1' of the notation must be 3 points, written as X, O and numbers of empty points"),
        ("3/3/3", "the second word of a notation says who moves first, b or w, not ''"),
        ("3/3/3 x", "the second word of a notation says who moves first, b or w, not 'x'"),
        ("XX1/XOX/1X1 b", "the position of the notation has a group without liberties, so it cannot arise"),
        ("1X1/X2/3 w A3", "move 1 of the notation is not legal: A3 would be suicide, which is not allowed"),
        ("3/3/3 b B2 B2", "move 2 of the notation is not legal: B2 is taken: a stone is put on an empty point"),
    ],
)
def test_a_wrong_notation_is_refused_in_one_sentence(written, sentence):
    game = Go(3)
    with pytest.raises(Invalid) as refused:
        game.from_notation(written, new_state(game))
    assert str(refused.value) == sentence


def test_positions_are_told_apart_by_mover_ko_and_pass():
    game, state = position(KO, "w", superko=Superko.NONE)
    keys = [game.position(state)]
    play(game, state, "B3")
    keys.append(game.position(state))
    without_ko = state.copy()
    without_ko[board.KO] = board.NO_POINT
    keys.append(game.position(without_ko))
    play(game, state, "pass")
    keys.append(game.position(state))
    state[board.PASSES] = 0
    keys.append(game.position(state))
    state[board.ENDED] = 1
    keys.append(game.position(state))
    assert len(set(keys)) == 6


def test_positions_are_told_apart_by_what_superko_forbids():
    game, state = position(SENDING)
    play(game, state, "D5", "B5")
    other, again = position("\n".join(" ".join(row) for row in rows(game, state)))
    assert not may(game, state, "C5") and may(other, again, "C5")
    assert game.position(state) != other.position(again)
    free = game._replace(superko=Superko.NONE)
    assert free.position(state) == free.position(again)


def test_different_courses_of_moves_meet_in_one_position():
    game = Go(5)
    one, other = new_state(game), new_state(game)
    play(game, one, "A1", "E5", "B3")
    play(game, other, "B3", "E5", "A1")
    assert game.position(one) == game.position(other)
    assert game.view(one, 0) != game.view(other, 0)


@pytest.mark.slow  # test_registry.py has boards like these
@pytest.mark.parametrize(
    "game", [Go(2, 0.0), Go(3, 0.5), Go(4, 0.0, True, points=True), Go(3, 0.0, superko=Superko.NONE)]
)
def test_the_contract_is_kept(game):
    fogtree.check(game, histories=300, games=10)


def test_large_boards_are_the_same_interpreted_and_compiled():
    from fogtree.contract.compiled import compare_with_compiled

    compare_with_compiled(Go(9), 1, 5)


@pytest.mark.parametrize(
    "parameters, sentence",
    [
        ({"side": 1}, "Go: side must be a whole number from 2 to 19, not 1"),
        ({"side": 20}, "Go: side must be a whole number from 2 to 19, not 20"),
        ({"komi": 6.25}, "Go: komi must be a whole or half number from -500 to 500, not 6.25"),
        ({"komi": float("nan")}, "Go: komi must be a whole or half number from -500 to 500, not nan"),
        ({"komi": "much"}, "Go: komi must be a whole or half number from -500 to 500, not 'much'"),
        ({"superko": "situational"}, "Go: superko must be none or positional, not 'situational'"),
    ],
)
def test_wrong_parameters_are_refused_with_the_valid_ones(parameters, sentence):
    with pytest.raises(Invalid) as refused:
        Go(**parameters)
    assert str(refused.value) == sentence
