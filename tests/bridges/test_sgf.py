"""SGF files: what was written is read back, and what cannot be read is refused in one sentence."""

import random
import re
import sys

import numpy as np
import pytest

from fogtree import Invalid
from fogtree.game import legal, new_state, read
from fogtree.games.go import Go, Superko, board

pytest.importorskip("sgfmill")
from fogtree.bridges.sgf import from_sgf, read_sgf, result, to_sgf, write_sgf


def played(game, *vertices):
    state = new_state(game)
    for vertex in vertices:
        with np.errstate(over="ignore"):
            game.step(state, read(game, state, vertex))
    return state


@pytest.mark.parametrize("game", [Go(3, 0.0), Go(9), Go(19, 7.5), Go(5, 0.5, suicide=True)])
def test_a_game_is_written_and_read_back_to_the_last_word(game, tmp_path):
    chance = random.Random(2)
    state = new_state(game)
    for _ in range(40):
        actions = legal(game, state)
        if actions:
            with np.errstate(over="ignore"):
                game.step(state, chance.choice(actions))
    write_sgf(game, state, tmp_path / "game.sgf", black="one", white="two")
    again, after = read_sgf(tmp_path / "game.sgf", suicide=game.suicide)
    assert again == game and after.tolist() == state.tolist()
    assert "PB[one]" in (tmp_path / "game.sgf").read_text() and "PW[two]" in (tmp_path / "game.sgf").read_text()


def test_a_position_that_was_set_up_is_written_and_read_back():
    game = Go(5)
    state = new_state(game)
    game.from_notation("5/1X1O1/5/5/5 w C3 pass", state)
    again, after = from_sgf(to_sgf(game, state))
    assert again == game and after.tolist() == state.tolist()
    empty = new_state(game)
    game.from_notation("5/5/5/5/5 w", empty)
    assert from_sgf(to_sgf(game, empty))[1].tolist() == empty.tolist()


def test_moves_stand_where_sgf_has_them():
    # SGF counts columns from the left and rows from the top, both from a: D4 on 9x9 is df; a pass is tt, for old programs
    written = to_sgf(Go(9), played(Go(9), "D4", "J9", "pass"))
    assert re.findall(r";([BW]\[\w*\])", written) == ["B[df]", "W[ia]", "B[tt]"]
    assert "SZ[9]" in written and "KM[6.5]" in written


def test_the_result_is_written_once_the_game_is_over():
    game = Go(3, 0.5)
    assert "RE" not in to_sgf(game, played(game, "B2"))
    assert "RE[B+8.5]" in to_sgf(game, played(game, "B2", "pass", "pass"))
    assert "RE[W+0.5]" in to_sgf(game, played(game, "pass", "pass"))
    assert result(Go(3, 0.0), played(Go(3, 0.0), "pass", "pass")) == "0"


def test_the_main_line_is_read_and_comments_are_left_out():
    game, state = from_sgf("(;GM[1]FF[4]SZ[5]KM[0]C[a comment](;B[cc];W[bb])(;B[aa]))")
    assert game == Go(5, 0.0) and game.notation(state) == "5/5/5/5/5 b C3 B4"


def test_handicap_stones_are_a_position_in_which_white_moves():
    game, state = from_sgf("(;GM[1]SZ[9]HA[2]KM[0.5]AB[cg][gc];W[ee])")
    assert state[board.TURN] == 0 and game.notation(state).split()[1:] == ["w", "E5"]
    _, state = from_sgf("(;GM[1]SZ[9]HA[2]KM[0.5]AB[cg][gc])")  # and nobody has moved yet
    assert state[board.TURN] == 1
    assert from_sgf("(;SZ[9]HA[0])")[1][board.TURN] == 0


@pytest.mark.parametrize(
    "written, sentence",
    [
        (b"", "this is no SGF file of a game of Go: "),
        (b"nonsense", "this is no SGF file of a game of Go: "),
        (b"(;SZ[9];B[zz])", "this is no SGF file of a game of Go: it has a point that is not on its board, or a word "),
        (b"(;SZ[9]PL[x])", "this is no SGF file of a game of Go: it has a point that is not on its board, or a word "),
        (b"(;GM[2]SZ[8])", "this is no SGF file of a game of Go: its property GM says 2, and Go is 1"),
        (b"(;SZ[1])", "Go: side must be a whole number from 2 to 19, not 1"),
        (b"(;SZ[9];B[cc]", "this is no SGF file of a game of Go: "),
        (b"(;SZ[9]CA[UTF-8\n;B[cc];W[dd])", "this is no SGF file of a game of Go: unknown encoding"),
        (b"\xff\xfe(;", "this is no SGF file of a game of Go: "),
        (b"(;SZ[25];B[cc])", "Go: side must be a whole number from 2 to 19, not 25"),
        (b"(;SZ[9]KM[6.3];B[cc])", "Go: komi must be a whole or half number from -500 to 500, not 6.3"),
        (b"(;SZ[9];B[cc];W[cc])", "move 2 is not legal: C7 is taken: a stone is put on an empty point"),
        (b"(;SZ[9];B[cc];B[dd])", "move 2 is made out of turn: it is white's"),
        (b"(;SZ[9]AB[aa]AW[ba][ab];W[dd])", "this is no SGF file of a game of Go: "),
        (b"(;SZ[9];B[];W[];B[cc])", "move 3 is not legal: C7 comes too late: the game is over"),
    ],
)
def test_what_cannot_be_read_is_refused_in_one_sentence(written, sentence, tmp_path):
    (tmp_path / "bad.sgf").write_bytes(written)
    with pytest.raises(Invalid) as refused:
        read_sgf(tmp_path / "bad.sgf")
    said = str(refused.value)
    assert said.startswith(f"{tmp_path / 'bad.sgf'}: {sentence}") and "\n" not in said


def test_superko_is_kept_unless_the_reader_says_otherwise():
    sending = "(;SZ[5]AB[aa][ca][bb]AW[ea][cb][db];B[da];W[ba];B[ca])"
    with pytest.raises(Invalid, match="move 3 is not legal: C5 would repeat an earlier position"):
        from_sgf(sending)
    assert from_sgf(sending, superko=Superko.NONE)[0].superko == Superko.NONE


def test_the_size_of_the_board_is_that_of_the_file():
    assert from_sgf("(;SZ[5];B[aa])", side=5, komi=0.5)[0] == Go(5, 0.5)
    with pytest.raises(Invalid, match="the board of this file is 5 points wide, not 7"):
        from_sgf("(;SZ[5];B[aa])", side=7)


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(Invalid, match=r"none\.sgf cannot be read: No such file"):
        read_sgf(tmp_path / "none.sgf")
    with pytest.raises(Invalid, match="cannot be written"):
        write_sgf(Go(5), new_state(Go(5)), tmp_path / "no" / "game.sgf")


def test_without_sgfmill_one_is_told_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "sgfmill", None)
    with pytest.raises(Invalid, match=r"pip install 'fogtree\[go\]'"):
        from_sgf("(;)")
