"""Our engine over UCI: line by line, and as a program that python-chess drives."""

import os
import re
import subprocess
import sys
import threading
import time
from concurrent.futures import Future

import pytest

from fogtree import Invalid
from fogtree.bridges.uci import Board, Engine
from fogtree.bridges.uci_limits import Limits
from fogtree.bridges.uci_thinking import Thinking
from fogtree.games.chess import Chess
from fogtree.games.chess.piece_squares import SCALE, PieceSquares
from fogtree.games.chess.text import long_label, read
from fogtree.search.open.alphabeta import Found

BOARD = Board(Chess(), PieceSquares(), long_label, read, pawn=1 / SCALE)
MATE_IN_ONE = "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1"
MATE_IN_TWO = "7k/8/8/8/8/8/R7/1R4K1 w - - 0 1"
MATED_IN_ONE = "7k/R7/8/8/8/8/8/1R4K1 b - - 0 1"
WAIT = 300  # seconds, for a busy machine that compiles


class Said(list):
    """What an engine has said, line by line, and a way to wait for more."""

    def __init__(self):
        super().__init__()
        self.more = threading.Condition()

    def __call__(self, line):
        with self.more:
            self.append(line)
            self.more.notify_all()

    def wait_for(self, start, times=1):
        """The last of so many lines that start like this."""
        with self.more:
            assert self.more.wait_for(lambda: len(self.of(start)) >= times, WAIT), f"no {start}: {list(self)}"
        return self.of(start)[times - 1]

    def of(self, start):
        return [line for line in self if line.startswith(start)]


@pytest.fixture(scope="module")
def compiled():
    """An engine whose search is compiled."""
    engine = Engine(BOARD, lambda line: None)
    engine.answer("setoption name Hash value 1")
    engine.answer("isready")
    return engine


@pytest.fixture
def talk(compiled):
    """say(line, ...) to an engine, and what it said since."""
    said = Said()
    compiled._say = said
    compiled.answer("ucinewgame")
    compiled.answer("position startpos")

    def say(*lines, wait=True):
        for line in lines:
            compiled.answer(line)
        if wait:
            compiled.wait()
        return said

    yield say
    compiled.answer("stop")
    compiled.wait()


def sentence(said):
    """The one complaint."""
    (line,) = said.of("info string")
    return line


# --- line by line -------------------------------------------------------------------------------------------------


def test_uci_tells_the_name_and_the_options(talk):
    said = talk("uci")
    assert said[0] == "id name Fogtree" and said[1].startswith("id author ") and said[-1] == "uciok"
    assert "option name Hash type spin default 64 min 1 max 65536" in said
    assert "option name Pruning type combo default risky var risky var sound" in said
    assert {line.split(" type ")[0].removeprefix("option name ") for line in said.of("option")} == {
        "Hash",
        "Threads",
        "Move Overhead",
        "Pruning",
        "Ponder",
        "MultiPV",
        "Weights",
    }


def test_each_depth_is_told_and_one_move_is_best(talk):
    said = talk("position startpos moves e2e4 e7e5", "go depth 4")
    depths = [int(line.split()[2]) for line in said.of("info depth")]
    assert depths == [1, 2, 3, 4] and len(said.of("bestmove")) == 1
    shape = r"info depth 4 score cp -?\d+ nodes \d+ nps \d+ time \d+ pv( [a-h][1-8][a-h][1-8]){4,}"
    assert re.fullmatch(shape, said.of("info depth")[-1])
    line = said.of("info depth")[-1].partition(" pv ")[2].split()
    assert said[-1] == f"bestmove {line[0]} ponder {line[1]}"


def test_the_score_is_for_the_mover_in_centipawns(talk):
    said = talk("position fen 4k3/8/8/8/8/8/8/QQ2K3 b - - 0 1", "go depth 1")
    assert -2000 <= int(said.of("info depth")[-1].split()[5]) < -1500  # two queens of nine pawns and a half, clamped


@pytest.mark.parametrize("fen, moves", [(MATE_IN_ONE, 1), (MATE_IN_TWO, 2), (MATED_IN_ONE, -1)])
def test_mates_are_counted_in_moves(talk, fen, moves):
    said = talk(f"position fen {fen}", "go depth 6")
    assert f" score mate {moves} " in said.of("info depth")[-1]


def test_go_mate_ends_with_the_mate(talk):
    said = talk(f"position fen {MATE_IN_ONE}", "go mate 3")
    assert said.of("info depth")[-1].endswith(" pv a1a8") and said[-1] == "bestmove a1a8"
    said = talk(f"position fen {MATE_IN_TWO}", "go mate 2")
    assert " score mate 2 " in said.of("info depth")[-1] and len(said.of("bestmove")) == 2


@pytest.mark.parametrize(
    "go",
    [
        "go depth 2",
        "go nodes 100",
        "go movetime 20",
        "go wtime 300 btime 300 winc 10 binc 10",
        "go wtime 100 btime 100 movestogo 2",
        "go wtime -50 btime -50",
        "go depth 0",
        "go nodes 0",
        "go movetime 0",
        "go depth 1 whatever 7",
        "go depth 99999",  # ends because there is a mate
    ],
)
def test_every_go_that_has_a_limit_ends_with_one_move(talk, go):
    said = talk(f"position fen {MATE_IN_ONE}", go)
    assert said.of("bestmove") == ["bestmove a1a8"] and not said.of("info string")


@pytest.mark.parametrize("word", ["movetime", "wtime", "winc", "movestogo", "nodes", "mate"])
@pytest.mark.parametrize("sign", ["", "-"])
def test_a_go_with_a_number_of_hundreds_of_digits_is_answered(talk, word, sign):
    said = talk(f"go depth 2 wtime 1000 {word} {sign}{'9' * 400}")
    assert len(said.of("bestmove")) == 1 and not said.of("info string")


def test_limits_hold(talk):
    assert "depth 3" not in " ".join(talk("go depth 2"))
    said = talk("go nodes 2000")
    assert int(re.search(r"nodes (\d+)", said.of("info depth")[-1])[1]) <= 2000


def test_the_clock_is_shared_out(compiled):
    def most(words):
        return compiled._limits(words.split()).most

    compiled.answer("position startpos")
    limits = compiled._limits(["wtime", "60000", "btime", "1", "winc", "1000"])
    assert 0 < limits.enough < limits.most < 10 and limits.most == pytest.approx(2 * (59.98 / 30 + 0.75))
    assert most("wtime 1000 movestogo 1") == pytest.approx(0.8 * 0.98)
    assert most("wtime 5") == 0.01  # no time at all
    assert most("movetime 1000") == pytest.approx(0.98)
    compiled.answer("position startpos moves e2e4")
    assert most("wtime 60000 btime 5") == 0.01  # Black's own clock


def test_infinite_waits_for_stop_even_where_all_is_found(talk):
    said = talk(f"position fen {MATE_IN_ONE}", "go infinite", wait=False)
    said.wait_for("info depth")
    time.sleep(0.1)
    assert not said.of("bestmove")
    talk("stop")
    assert said.of("bestmove") == ["bestmove a1a8"]
    talk("stop", "ponderhit")  # nobody is thinking
    assert len(said.of("bestmove")) == 1


def test_isready_is_answered_while_searching(talk):
    said = talk("go infinite", wait=False)
    said.wait_for("info depth 3")
    talk("isready", wait=False)
    assert said[-1].startswith(("readyok", "info")) and said.of("readyok") and not said.of("bestmove")


def test_ponder_is_infinite_until_ponderhit_starts_the_clock(talk):
    said = talk("go ponder movetime 50", wait=False)
    said.wait_for("info depth 1")
    time.sleep(0.1)
    assert not said.of("bestmove")
    talk("ponderhit")
    assert len(said.of("bestmove")) == 1
    talk("go ponder wtime 1000 btime 1000", wait=False)
    talk("stop")
    assert len(said.of("bestmove")) == 2


def test_the_time_of_the_other_is_not_counted():
    task = Thinking(None, Limits(most=1.0, waits=True))
    found = Found(0, 0.0, None, (0,), 1, 1, False)
    task.clock -= 60  # it has pondered for a minute
    assert not task.is_over(found, True)
    task.ponderhit()
    assert not task.is_over(found, True)
    task.clock -= 60
    assert task.is_over(found, True)


def test_a_second_go_ends_the_first_and_each_has_one_move(talk):
    said = talk("go infinite", wait=False)
    talk("go depth 1")
    assert len(said.of("bestmove")) == 2
    talk("go infinite", wait=False)
    talk("ucinewgame")
    assert len(said.of("bestmove")) == 3


class Slow(Future):
    """A search that never gets compiled."""

    def result(self, timeout=None):
        assert timeout is not None, "this would wait for ever"
        return super().result(timeout)


def test_while_it_compiles_stop_gives_a_legal_move_and_isready_is_answered():
    said, asked = Said(), []
    engine = Engine(BOARD, said)
    engine._compiled = lambda: asked.append("once") or Slow()
    engine.answer("go infinite")
    time.sleep(0.05)
    engine.answer("isready")
    assert said == ["readyok"] and asked == ["once"]
    engine.answer("stop")
    engine.wait()
    assert read_move(said.of("bestmove")[0])


def test_a_search_that_breaks_says_why_and_moves_all_the_same():
    said = Said()
    engine = Engine(BOARD, said)

    def broken():
        raise MemoryError("no room")

    engine._compiled = broken
    engine.answer("go depth 1")
    engine.wait()
    assert sentence(said) == "info string MemoryError: no room" and read_move(said[-1])


@pytest.mark.parametrize(
    "line, reason",
    [
        (
            "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
            "'8/8/8/8/8/8/8/8 w - - 0 1' is no position of chess: White has 0 kings",
        ),
        ("position startpos moves e2e4 e2e4", "'e2e4' is not a legal move after 1 half-moves"),
        ("position startpos moves Nf3", "'Nf3' is not a legal move after 0 half-moves"),
        ("position startpos moves e4", "'e4' is not a legal move after 0 half-moves"),
        ("position startpos moves 0000", "'0000' is not a legal move after 0 half-moves"),
        ("position", "a position is startpos or fen and a FEN, not ''"),
        ("setoption name Hash value 0", "the option Hash must be a whole number from 1 to 65536, not '0'"),
        ("setoption name Hash value many", "the option Hash must be a whole number from 1 to 65536, not 'many'"),
        ("setoption name Threads value 2", "the option Threads must be a whole number from 1 to 1, not '2'"),
        ("setoption name Pruning value wild", "the option Pruning must be risky or sound, not 'wild'"),
        ("setoption name Pruning value", "the option Pruning must be risky or sound, not ''"),
        ("setoption name Ponder value maybe", "the option Ponder must be true or false, not 'maybe'"),
        ("setoption name Colour value red", "there is no option 'Colour': valid are Hash, Threads, "),
        ("setoption", "there is no option '': valid are Hash, Threads, "),
        ("hello", "'hello' is no command: valid are debug, go, isready, "),
    ],
)
def test_a_bad_line_is_one_sentence(talk, line, reason):
    said = talk(line)
    assert sentence(said).startswith(f"info string {reason}") and len(said) == 1
    talk("position startpos", "go depth 1")
    assert len(said.of("bestmove")) == 1


@pytest.mark.parametrize(
    "go, reason",
    [
        ("go depth x", "go depth needs a whole number, not 'x'"),
        ("go movetime", "go movetime needs a whole number, not ''"),
        ("go depth 1 searchmoves e2e4 e2e5", "'e2e5' is not a legal move here, so it is not searched"),
    ],
)
def test_a_bad_go_is_one_sentence_and_has_its_move(talk, go, reason):
    said = talk(go)
    assert sentence(said) == f"info string {reason}" and len(said.of("bestmove")) == 1


def test_weights_are_a_file_and_a_wrong_one_changes_nothing(tmp_path, talk, compiled):
    before, search = compiled.board, compiled._search
    asked = []

    def learned(path):
        if path != "good file.npz":
            raise Invalid(f"there is no file {path}")
        asked.append(path)
        return "learned"

    compiled.board = before._replace(learned=learned)
    said = talk("setoption name Weights value none.npz")
    assert sentence(said) == "info string there is no file none.npz" and compiled._search is search
    talk("setoption name Weights value good file.npz")
    assert compiled.board.evaluation == "learned" and compiled._search is None
    talk("setoption name Weights value <empty>")
    assert compiled.board.evaluation is before.evaluation and asked == ["good file.npz"]
    compiled.board, compiled._search = before, search
    said = talk("setoption name Weights value any.npz")
    assert said[-1] == "info string this engine cannot learn, so it takes no weights"


def test_searchmoves_searches_these_moves_alone(talk):
    said = talk(f"position fen {MATE_IN_ONE}", "go searchmoves a1a2 h1g1 depth 3")
    assert said[-1].split()[1] in ("a1a2", "h1g1") and not said.of("info string")
    said = talk(f"position fen {MATE_IN_ONE}", "go depth 3 searchmoves H1G1")
    assert said[-1].split()[1] == "h1g1"
    assert all(line.split(" pv ")[1].startswith("h1g1") for line in said.of("info depth")[-3:])
    said = talk("go depth 3")  # nothing of it is left in the table
    assert said[-1] == "bestmove a1a8"


def test_searchmoves_without_a_legal_move_searches_all(talk):
    said = talk(f"position fen {MATE_IN_ONE}", "go depth 2 searchmoves e2e4")
    assert said[-1] == "bestmove a1a8"
    assert said.of("info string")[-1] == "info string searchmoves names no legal move, so all moves are searched"


def test_multipv_tells_the_best_moves_in_order(talk):
    single = talk(f"position fen {MATE_IN_TWO}", "go depth 4").of("info depth")[-1]
    said = talk("setoption name MultiPV value 3", "go depth 4", "setoption name MultiPV value 1")
    last = said.of("info depth 4 multipv")
    assert [line.split()[4] for line in last] == ["1", "2", "3"]
    moves = [line.split(" pv ")[1].split()[0] for line in last]
    assert len(set(moves)) == 3 and said[-1].startswith(f"bestmove {moves[0]}")
    assert " score mate 2 " in last[0] and " score mate 2 " in single
    told = [worth(line) for line in last]
    assert told == sorted(told, reverse=True)


def test_multipv_of_more_moves_than_there_are_tells_all(talk):
    fen = "7k/8/8/8/8/8/6r1/7K w - - 0 1"  # the king takes the rook, and nothing else is legal
    said = talk(
        "setoption name MultiPV value 256", f"position fen {fen}", "go depth 2", "setoption name MultiPV value 1"
    )
    assert len(said.of("info depth 1 multipv")) == 1 and said[-1].startswith("bestmove h1g2")


@pytest.mark.parametrize(
    "go", ["go nodes 3000", "go movetime 30", "go wtime 300 btime 300", "go depth 3 searchmoves e2e4"]
)
def test_multipv_keeps_all_limits(talk, go):
    said = talk("setoption name MultiPV value 2", go, "setoption name MultiPV value 1")
    assert len(said.of("bestmove")) == 1 and read_move(said[-1]) and not said.of("info string")


def test_multipv_is_stopped_at_once(talk):
    said = talk("setoption name MultiPV value 5", "go infinite", wait=False)
    said.wait_for("info depth 2 multipv 5")
    talk("stop")
    assert len(said.of("bestmove")) == 1
    talk("setoption name MultiPV value 1")


def worth(line):
    """A score as one number."""
    kind, number = line.split(" score ")[1].split()[:2]
    return int(number) if kind == "cp" else 100_000 // int(number)


def test_after_a_position_that_was_refused_no_move_is_made(talk):
    said = talk("position startpos moves e2e5", "go depth 1")
    assert said[-1] == "bestmove 0000" and len(said.of("info string")) == 2


def test_words_before_a_command_are_skipped_and_empty_lines_too(talk, compiled):
    said = talk("joho isready", "", "   ")
    assert said == ["readyok"]
    talk("debug on", "go depth 1")
    assert compiled.debug and "the limits are " in sentence(said)
    talk("debug off")
    assert not compiled.debug


def test_a_game_that_goes_on_is_followed_move_by_move(talk, compiled):
    steps = []
    game = BOARD.game
    compiled.board = BOARD._replace(read=lambda state, move: steps.append(move) or read(state, move))
    talk("position startpos moves e2e4 e7e5", "position startpos moves e2e4 e7e5 g1f3")
    assert steps == ["e2e4", "e7e5", "g1f3"]
    talk(
        "position startpos moves d2d4",
        "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves e2e4",
    )
    assert game.notation(compiled._state).startswith("rnbqkbnr/pppppppp/8/8/4P3/8/")
    compiled.board = BOARD


def test_where_the_game_is_over_there_is_no_move(talk):
    said = talk("position startpos moves f2f3 e7e5 g2g4 d8h4", "go depth 3")
    assert said == ["bestmove 0000"]


def test_it_plays_on_where_people_do(talk):
    again = "g1f3 g8f6 f3g1 f6g8 " * 3
    said = talk(f"position startpos moves {again}e2e4 e7e5 d1h5 b8c6 f1c4 g8f6", "go depth 2")
    assert said[-1].startswith("bestmove h5f7")
    said = talk(f"position startpos moves {again}", "go depth 2")  # the third time: our rules end the game here
    assert len(said.of("bestmove")) == 2 and read_move(said[-1])
    said = talk("position fen 7k/8/8/8/8/8/R7/7K w - - 100 80", "go depth 2")  # after a hundred quiet half-moves
    assert len(said.of("bestmove")) == 3 and not said.of("info string") and said[-1] != "bestmove 0000"


@pytest.mark.parametrize("moves", [99, 100, 101, 300])
def test_it_plays_on_after_fifty_moves_without_a_capture(talk, moves):
    there_and_back = ["g1f1", "g8h8", "f1g1", "h8g8"] * 75
    line = f"position fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1 moves {' '.join(there_and_back[: moves // 4 * 4])}"
    said = talk(line, "go depth 2")
    assert said[-1] == "bestmove a1a8" and not said.of("info string")


def test_options_change_the_next_search(compiled, talk):
    before = compiled._search
    talk("setoption name Move Overhead value 100", "setoption name hash value 1")
    assert compiled._search is before and compiled.option["Move Overhead"] == 100
    talk("setoption name Move Overhead value 20", "setoption name Hash value 2", "go depth 1")
    assert compiled._search is not before and compiled._search.result().table.word.nbytes == 2 * 2**20


def read_move(line):
    return re.match(r"bestmove [a-h][1-8][a-h][1-8]", line)


# --- as a program -------------------------------------------------------------------------------------------------


INTERPRETED = {**os.environ, "NUMBA_DISABLE_JIT": "1"}  # three plies are done before a compiler has begun


@pytest.fixture(scope="module")
def program():
    engines = pytest.importorskip("chess.engine", reason="python-chess is not installed")
    engine = engines.SimpleEngine.popen_uci([sys.executable, "-m", "fogtree", "uci"], timeout=WAIT, env=INTERPRETED)
    yield engine
    engine.quit()


def test_python_chess_plays_with_our_engine(program):
    chess = pytest.importorskip("chess")
    board = chess.Board()
    for _ in range(4):
        done = program.play(board, chess.engine.Limit(time=0.05))
        assert done.move in board.legal_moves
        board.push(done.move)
    assert program.id["name"].startswith("Fogtree ") and program.options["Hash"].max == 65536


def test_python_chess_analyses_with_our_engine(program):
    chess = pytest.importorskip("chess")
    info = program.analyse(chess.Board(MATE_IN_ONE), chess.engine.Limit(depth=3))
    assert info["score"].relative == chess.engine.Mate(1) and info["pv"] == [chess.Move.from_uci("a1a8")]
    info = program.analyse(chess.Board(), chess.engine.Limit(depth=3))
    assert info["depth"] == 3 and abs(info["score"].relative.score()) < 100 and len(info["pv"]) >= 3
    assert program.play(chess.Board(MATE_IN_TWO), chess.engine.Limit(mate=2)).move in (
        chess.Move.from_uci("a2a7"),
        chess.Move.from_uci("b1b7"),
    )


def test_python_chess_stops_an_endless_analysis(program):
    chess = pytest.importorskip("chess")
    with program.analysis(chess.Board()) as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 3:
                break
        analysis.stop()
        assert analysis.wait().move in chess.Board().legal_moves
    program.ping()


def test_the_program_ends_with_its_input():
    said = "uci\nsetoption name\ngo infinite\n"
    command = [sys.executable, "-m", "fogtree", "uci"]
    done = subprocess.run(command, input=said, capture_output=True, text=True, timeout=WAIT, env=INTERPRETED)
    assert done.returncode == 0 and "uciok" in done.stdout and done.stdout.count("bestmove") == 1


def test_python_chess_asks_for_some_moves_and_for_several_lines(program):
    chess = pytest.importorskip("chess")
    board, limit = chess.Board(), chess.engine.Limit(depth=3)
    only = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("h2h4")]
    assert program.play(board, limit, root_moves=only).move in only
    lines = program.analyse(board, limit, multipv=3)
    assert len({info["pv"][0] for info in lines}) == 3
    scores = [info["score"].relative.score() for info in lines]
    assert scores == sorted(scores, reverse=True)


def test_python_chess_ponders_with_our_engine(program):
    chess = pytest.importorskip("chess")
    board = chess.Board()
    done = program.play(board, chess.engine.Limit(white_clock=2, black_clock=2), ponder=True)
    board.push(done.move)
    assert done.ponder in board.legal_moves
    board.push(done.ponder)  # the other plays what was expected
    again = program.play(board, chess.engine.Limit(white_clock=1.8, black_clock=2), ponder=True)
    assert again.move in board.legal_moves
    board.push(again.move)
    board.push(next(iter(board.legal_moves)))  # and now perhaps something else
    assert program.play(board, chess.engine.Limit(time=0.05)).move in board.legal_moves
