"""The command line as a user meets it: what each command prints, and one sentence for each kind of bad input."""

import os
import re
import signal
import subprocess
import sys
import time

import numba
import pytest
from typer.testing import CliRunner

import fogtree
from fogtree.cli import SIZES, app

MY_GAME = """
from typing import NamedTuple
from fogtree import OVER, Shape

class Guess(NamedTuple):
    size: int = 3
    def shape(self):
        return Shape(2, 2, self.size, 2, -1.0, 1.0)
    def start(self, state):
        state[:] = -1
    def player(self, state):
        return 0 if state[0] < 0 else 1 if state[1] < 0 else OVER
    def actions(self, state, out):
        for i in range(self.size):
            out[i] = i
        return self.size
    def step(self, state, action):
        state[0 if state[0] < 0 else 1] = action
    def payoff(self, state, player):
        return 1.0 if (state[0] == state[1]) == (player == 1) else -1.0
    def view(self, state, player):
        return state[player] + 1
"""


@pytest.fixture(autouse=True)
def plain(monkeypatch):
    """Interpreted: what is printed is the same, and nothing waits for the compiler."""
    monkeypatch.setattr(numba.config, "DISABLE_JIT", 1)
    monkeypatch.delenv("FOGTREE_DEBUG", raising=False)
    monkeypatch.delenv("COLUMNS", raising=False)


def run(*arguments: str, typed: str = ""):
    return CliRunner().invoke(app, arguments, input=typed)


def prints(*arguments: str, typed: str = "") -> str:
    """What a command that works prints."""
    result = run(*arguments, typed=typed)
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    assert "\x1b" not in result.stdout, "control codes in a pipe"
    return result.stdout


def sentence(*arguments: str, code: int = 2) -> str:
    """What a command that fails says: one line on stderr, nothing on stdout."""
    result = run(*arguments)
    assert result.exit_code == code, result.output
    assert result.stdout == ""
    assert isinstance(result.exception, SystemExit)
    assert result.stderr.count("\n") == 1
    return result.stderr


def outside(*arguments: str, typed: str = "", **environment: str) -> subprocess.CompletedProcess:
    """The same in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "fogtree", *arguments],
        input=typed,
        capture_output=True,
        encoding="utf-8",
        env=os.environ | {"PYTHONIOENCODING": "utf-8"} | environment,
    )


# --- games, show ---------------------------------------------------------------------------------------------------


def test_games_lists_every_game_with_its_parameters():
    text = prints("games")
    for name, cls in fogtree.GAMES.items():
        assert re.search(rf"^  {name} ", text, re.MULTILINE)
        assert all(f"  {field}=" in text for field in cls._fields)
    assert "prizes=decreasing (decreasing or increasing or shuffled)" in text
    assert "9,829,101,024" in text


def test_the_sizes_listed_are_what_counting_finds():
    assert SIZES.keys() == fogtree.GAMES.keys()
    for name in ("matrix", "bimatrix", "rounds", "kuhn", "leduc"):
        found = fogtree.count(fogtree.load(name))
        assert (sum(found.infosets), found.terminals) == SIZES[name]


def test_tables_are_as_wide_as_the_terminal_where_one_is_given(monkeypatch):
    monkeypatch.setenv("COLUMNS", "90")
    assert max(len(line) for line in prints("games").splitlines()) <= 90 + len("fogtree show GAME explains one.")


@pytest.mark.parametrize("name", fogtree.GAMES)
def test_show_prints_rules_parameters_and_who_sees_what(name):
    text = prints("show", name)
    cls = fogtree.GAMES[name]
    assert text.startswith(sys.modules[cls.__module__].__doc__.partition("\n")[0])
    assert all(re.search(rf"^  {field} ", text, re.MULTILINE) for field in cls._fields)
    assert "player 0 sees" in text and "player 1 sees" in text and "the referee sees" in text
    assert "Shape: 2 players" in text


def test_show_gives_the_parameters_asked_for():
    assert re.search(r"cards +5 +6 +1 to 13", prints("show", "goofspiel:cards=5"))


# --- play ----------------------------------------------------------------------------------------------------------


def test_a_game_is_played_to_its_end():
    text = prints("play", "kuhn", "--seed", "3", typed="bet\nbet\n")
    assert text.startswith("You are player 0 of kuhn, against random.")
    assert "The referee sees:\nplayer 0 card: " in text
    assert re.search(r"payoffs: you: -?\d, player 1: -?\d", text)
    assert re.search(r"moves: chance: \w, chance: \w, you: bet, player 1: (pass|bet)", text)
    assert "--seed 3 deals and plays the same again" in text


@pytest.mark.parametrize("name", fogtree.GAMES)
@pytest.mark.parametrize("seat", ["0", "1"])
def test_every_game_can_be_played_from_either_seat(name, seat):
    # whatever is legal is somewhere among these; the rest is refused and asked again
    everything = [
        *map(str, range(9)),
        "bet",
        "call",
        "check",
        "pass",
        *(f"{q}x{f}" for q in (1, 2) for f in range(1, 7)),
    ]
    text = prints("play", name, "--seat", seat, "--seed", "1", typed="\n".join(everything * 20))
    assert "The game is over" in text


def test_the_same_seed_deals_the_same():
    first, second = (prints("play", "leduc", "--seed", "7", typed="check\ncall\n" * 9) for _ in range(2))
    assert first == second


def test_an_illegal_move_gets_a_sentence_with_the_choices_and_is_asked_again():
    text = prints("play", "kuhn", "--seed", "3", typed="raise\n\npass\npass\n")
    assert "'raise' is not a legal action here: choose from pass, bet\nplayer 0, your move (pass bet): \n" in text
    assert "'' is not a legal action here: choose from pass, bet\n" in text
    assert "The game is over" in text


def test_the_end_of_the_input_stops_the_game():
    text = prints("play", "kuhn", "--seed", "3")
    assert text.endswith("\nstopped\n")
    assert "referee" not in text


@pytest.mark.parametrize("seed", range(8))
def test_a_person_does_not_see_the_other_card(seed):
    before, _, after = prints("play", "kuhn", "--seed", str(seed), typed="bet\nbet\n").partition("The game is over")
    mine, other = re.findall(r"player \d card: (\w)", after)
    assert re.findall(r"\b[JQK]\b", before) == [mine]
    assert other != mine


@pytest.mark.parametrize("seed", range(4))
def test_a_person_does_not_see_marks_that_they_have_not_found(seed):
    typed = [str(cell) for cell in range(9)] * 9
    before, _, _ = prints("play", "phantom-ttt", "--seed", str(seed), typed="\n".join(typed)).partition(
        "The game is over"
    )
    tries = 0
    for board, legal in re.findall(r"((?:[XO\d] [XO\d] [XO\d]\n){3})player 0, your move \((.*)\)", before):
        cells = board.split()
        hidden = [cell for cell in range(9) if str(cell) in legal.split()]
        assert all(cells[cell] == str(cell) for cell in hidden)  # an untried cell shows its number, whatever is on it
        tries += 1
    assert tries > 2


def test_control_c_stops_with_130():
    process = subprocess.Popen(
        [sys.executable, "-m", "fogtree", "play", "kuhn"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    shown = process.stdout.readline()
    time.sleep(0.3)  # until it waits for a move
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert "You are player 0" in shown
    assert (process.returncode, err) == (130, "\nstopped\n")


# --- check, count, demo --------------------------------------------------------------------------------------------


def test_check_says_what_it_looked_at():
    assert "kuhn keeps the contract. Looked at the whole tree: 58 histories, 30 ends, 12 info" in prints(
        "check", "kuhn"
    )
    part = prints("check", "goofspiel", "--histories", "500", "--games", "10")
    assert "a part of the tree and 10 random games: 630 histories" in part  # a game has 12 moves: 13 histories


def test_check_of_a_broken_game_names_the_rule_and_exits_with_1(tmp_path):
    file = tmp_path / "bad.py"
    file.write_text(MY_GAME.replace("return 1.0 if", "return 3.0 if"))
    assert sentence("check", str(file), code=1) == (
        "Guess.payoff is [-1.0, 3.0], outside [-1, 1] of shape() (after the moves 0 0, in state [0, 0])\n"
    )


def test_count_prints_a_table_by_depth_and_totals():
    text = prints("count", "kuhn")
    assert re.search(r"│ +all │ +58 │ +30 │ +4 │ +24 │", text)
    assert "information sets: player 0: 6, player 1: 6; 12 in all" in text
    assert "histories a second" in text


def test_count_to_a_depth():
    text = prints("count", "leduc", "--depth", "2")  # the two private cards: 6, then 5
    assert re.search(r"│ +all │ +37 │ +0 │ +7 │ +30 │", text)
    assert "information sets to depth 2" in text


def test_demo_times_every_game():
    text = prints("demo", "--seconds", "0.01")
    for name in fogtree.GAMES:
        assert re.search(rf"│ {name} +│ +[\d,]+ │ +[+-][\d.]+ \+- [\d.]+ │ +[\d.]+ │", text)
    assert "fogtree play kuhn" in text


def test_version():
    assert re.fullmatch(r"fogtree \d+\.\d+\.\d+\n", prints("--version"))


# --- a file of one's own -------------------------------------------------------------------------------------------


def test_a_file_works_wherever_a_name_does(tmp_path):
    file = tmp_path / "my_game.py"
    file.write_text(MY_GAME)
    game = f"{file}:Guess:size=4"
    assert "keeps the contract. Looked at the whole tree: 21 histories, 16 ends, 2 info" in prints("check", game)
    assert "the referee sees" in prints("show", game)
    assert re.search(r"│ +all │ +21 │ +16 │", prints("count", game))
    text = prints("play", game, "--seed", "1", typed="7\n2\n")
    assert "'7' is not a legal action here: choose from 0, 1, 2, 3" in text
    assert "The game is over. The referee sees:\nstate: [2, " in text


def test_an_error_in_a_game_of_ones_own_is_told_with_its_place(tmp_path):
    file = tmp_path / "my_game.py"
    file.write_text(MY_GAME.replace("return state[player] + 1", "return state[player + 7] + 1"))
    result = run("play", str(file), typed="1\n")
    assert result.exit_code == 1
    assert result.stderr.startswith("IndexError: index 7 is out of bounds")
    assert f"({file}, line 22, in view; fogtree --debug shows the whole traceback)" in result.stderr


def test_counting_a_game_of_ones_own_checks_it_first(tmp_path):
    file = tmp_path / "my_game.py"
    file.write_text(MY_GAME.replace("Shape(2, 2, ", "Shape(2, 1, "))  # too short a state: a crash in machine code
    assert sentence("count", str(file)).startswith("Guess.view raised IndexError")


# --- bad input -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["show", "khun"], "there is no game 'khun': did you mean kuhn?"),
        (["show", "chess"], "there is no game 'chess': valid are matrix, bimatrix, "),
        (["count", "kuhn:decks=3"], "kuhn has no parameter 'decks': valid are cards"),
        (["check", "kuhn:cards=2"], "Kuhn: cards must be a whole number from 3 to 64, not 2"),
        (["count", "goofspiel:cards=many"], "Goofspiel: cards must be a whole number from 1 to 13, not 'many'"),
        (["show", "phantom-ttt:rules=mad"], "rules must be classical or forced-centre or abrupt, not 'mad'"),
        (["show", "matrix:payoffs=[[1,2],[3]]"], "payoffs must be a matrix of finite numbers, written [[1,-1],[-1,1]]"),
        (["check", "nowhere.py"], "there is no file nowhere.py"),
        (["play", "kuhn", "--against", "deep-blue"], "there is no agent 'deep-blue': valid are random"),
        (["play", "kuhn", "--against", "random:luck=9"], "the agent random has no parameters"),
        (["play", "kuhn", "--seat", "2"], "there is no seat 2: valid are 0, 1"),
        (["play", "kuhn", "--seat", "-1"], "there is no seat -1: valid are 0, 1"),
        (["play", "kuhn", "--seed", "-1"], "a seed is a whole number"),
        (["show", "kuhn", "--seed", "-1"], "a seed is a whole number"),
        (["check", "kuhn", "--seed", "-1"], "a seed is a whole number"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_bad_input_gets_one_sentence_and_exit_code_2(arguments, said):
    assert said in sentence(*arguments)


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("class Guess(", "cannot be read: line 1: SyntaxError"),
        ("import nothing_of_this_name", "cannot be read: ModuleNotFoundError"),
        ("x = 1", "holds no game: a game is a NamedTuple class"),
        ("\0", "cannot be read"),
    ],
)
def test_a_malformed_file_gets_one_sentence(tmp_path, source, said):
    file = tmp_path / "my_game.py"
    file.write_text(source)
    assert said in sentence("check", str(file))


@pytest.mark.parametrize(
    "arguments",
    [
        ["nonsense"],
        ["play"],
        ["count", "kuhn", "--depth", "-1"],
        ["check", "kuhn", "--histories", "0"],
        ["check", "kuhn", "--games", "x"],
        ["demo", "--seconds", "0"],
        ["show", "kuhn", "--sed", "1"],
    ],
    ids=" ".join,
)
def test_a_usage_error_exits_with_2(arguments):
    result = run(*arguments)
    assert result.exit_code == 2
    assert "Error: " in result.stderr and "Traceback" not in result.stderr


# --- in a process of its own ---------------------------------------------------------------------------------------


def test_a_real_process_counts_compiled_and_keeps_to_plain_text():
    done = outside("count", "kuhn")
    assert (done.returncode, done.stderr) == (0, "")
    assert "12 in all" in done.stdout and "\x1b" not in done.stdout


def test_a_real_process_fails_without_a_traceback():
    done = outside("show", "kuhn:cards=99")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "Kuhn: cards must be a whole number from 3 to 64, not 99\n"


def test_debug_lets_the_traceback_through():
    done = outside("--debug", "show", "chess")
    assert done.returncode == 1
    assert "Traceback" in done.stderr and "fogtree.errors.Invalid: there is no game" in done.stderr


def test_the_command_line_is_not_loaded_with_the_library():
    code = "import sys, fogtree; sys.exit(any(name in sys.modules for name in ('typer', 'rich', 'matplotlib')))"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
