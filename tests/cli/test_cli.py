"""The command line as a user meets it: what each command prints, and one sentence for each kind of bad input."""

import os
import pathlib
import re
import signal
import subprocess
import sys
import time
import types

import numba
import pytest
from typer.testing import CliRunner

import fogtree
from fogtree.arena.agents.searching import Thought
from fogtree.cli import app, comparing, solving
from fogtree.cli.screen import live, matched
from fogtree.draw.curves import exact_course
from fogtree.game import identity
from fogtree.games import SIZES
from fogtree.measure import comparison, curve
from fogtree.solvers.forms.certificates import Bounds

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


def test_what_a_game_is_has_most_of_a_narrow_screen(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    text = prints("games")
    assert (
        "Kuhn poker: one card each, one bet (Kuhn 1950)" in text and "2 players, 12 information sets, 30 ends" in text
    )


def test_two_bandits_of_one_file_are_told_apart():
    text = re.sub(r"\s+", " ", prints("bandits"))
    told = [text.partition(f" {name} ")[2].partition("=")[0] for name in fogtree.BANDITS]
    assert "no regret is kept below zero" in text and len(set(told)) == len(told)


def test_the_sizes_listed_are_what_counting_finds():
    assert SIZES.keys() == fogtree.GAMES.keys()
    for name in ("matrix", "bimatrix", "rounds", "kuhn", "leduc"):
        found = fogtree.count(fogtree.load(name))
        assert (sum(found.infosets), found.ends) == SIZES[name]


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
    assert f"Shape: {fogtree.load(name).shape().players} players" in text


@pytest.mark.parametrize("name", ["chess", "leduc", "goofspiel"])
def test_the_rules_fit_a_narrow_screen(name, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    rules = prints("show", name).partition("begins there\n")[2].partition("\nShape: ")[0].splitlines()
    assert len(rules) > 5 and max(map(len, rules)) <= 80


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


def test_what_is_played_by_the_clock_is_not_promised_again():
    text = prints("play", "kuhn", "--seed", "3", "--against", "rm:seconds=0.01", typed="bet\nbet\n")
    assert "--seed 3 deals the same again" in text and "plays the same again" not in text


NAMED_MOVES = {"breakthrough", "chess", "dark-chess", "go", "siguo", "luzhanqi"}  # too many moves to try them all


@pytest.mark.parametrize("name", [name for name in fogtree.GAMES if name not in NAMED_MOVES])
@pytest.mark.parametrize("player", ["0", "1"])
def test_every_game_can_be_played_by_either_player(name, player):
    # whatever is legal is somewhere among these; the rest is refused and asked again
    everything = [
        *map(str, range(9)),
        "bet",
        "call",
        "check",
        "pass",
        *(f"{q}x{f}" for q in (1, 2) for f in range(1, 7)),
    ]
    if name == "small-army":
        points = [f"{column}{row}" for column in "abc" for row in range(1, 5)]
        everything = [f"{one}{sign}{other}" for one in points for other in points for sign in "-x" if one != other]
    text = prints("play", name, "--player", player, "--seed", "1", typed="\n".join(everything * 20))
    assert "The game is over" in text


def test_the_same_seed_deals_the_same():
    first, second = (prints("play", "leduc", "--seed", "7", typed="check\ncall\n" * 9) for _ in range(2))
    assert first == second


def test_an_illegal_move_gets_a_sentence_with_the_choices_and_is_asked_again():
    text = prints("play", "kuhn", "--seed", "3", typed="raise\n\npass\npass\n")
    assert "'raise' is not a legal action here: choose from pass, bet\nplayer 0, your move (pass bet): \n" in text
    assert "an action is needed: choose from pass, bet\n" in text
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


def test_after_the_game_a_search_tells_what_it_believed_and_how_it_mixed():
    text = prints("play", "kuhn", "--against", "rm:iterations=60", "--player", "1", "--seed", "3", typed="bet\nbet\n")
    before, _, after = text.partition("What player 0 (rm) believed, and how it mixed:")
    assert "held possible" not in before
    assert re.search(
        r"1 +your card: J +2 states +pass=\d+%, bet=\d+% +(pass|bet)", after
    )  # two cards the other may have
    assert "60 iterations" in after


def test_who_resigns_reads_what_the_others_thought():
    text = prints("play", "kuhn", "--against", "rm:iterations=60", "--player", "1", "--seed", "3", typed="resign\n")
    assert "\nyou resigned\n" in text and ", you: -2\n" in text and "60 iterations" in text


def test_a_pure_move_of_kluss_was_a_choice_and_what_it_found_is_told_beside_what_it_played():
    text = prints("play", "dark-chess:size=4", "--against", "kluss:iterations=20", "--player", "1", typed="resign\n")
    assert "no choice" not in text and re.search(r"=\d+%", text) and "iterations" in text
    told = Thought(0, "", 3, 1.0, {"a": 1.0}, "a", 9, {"a": 0.6, "b": 0.4})
    cases = [told, told._replace(found={}), told._replace(iterations=0, found={})]
    shown = [cell.plain for cell in matched.thoughts_table(cases).columns[3].cells]
    assert shown == ["a=100%\n9 iterations\nfound: a=60%, b=40%", "a=100%\n9 iterations", "no choice"]


def test_one_may_play_against_a_saved_strategy(tmp_path):
    file = str(tmp_path / "kuhn.npz")
    prints("solve", "kuhn", "--save", file)
    text = prints("play", "kuhn", "--against", f"strategy:{file}", "--seed", "3", typed="bet\nbet\n")
    assert "The game is over" in text and "believed" not in text
    assert "this is a strategy of Kuhn(cards=3)" in sentence("play", "leduc", "--against", f"strategy:{file}")


def test_a_game_begins_where_it_is_told_to():
    text = prints("show", "kuhn", "--from", "K Q bet")
    assert "The game, after chance: K, chance: Q, player 0: bet\n" in text
    assert '--from "K Q bet" begins there' in text
    other = re.search(r'--from "(.*)" begins there', prints("show", "leduc", "--seed", "2"))[1]
    assert f'--from "{other}" begins there' in prints("show", "leduc", "--from", other)
    text = prints("play", "kuhn", "--from", "K Q bet", "--player", "1", "--seed", "1", typed="bet\n")
    assert "your card: Q\nbetting: bet\n" in text
    assert "payoffs: player 0: 2, you: -2\nmoves: chance: K, chance: Q, player 0: bet, you: bet\n" in text
    for command in ("show", "play"):
        assert "move 2: 'K' is not a legal action here: choose from J, Q" in sentence(command, "kuhn", "--from", "K K")


def test_a_search_that_begins_in_the_middle_believes_what_fits():
    text = prints("play", "kuhn", "--against", "rm:iterations=20", "--player", "1", "--from", "J Q pass bet")
    assert re.search(r"1 +your card: J +2 states ", text)


def test_partners_are_played_by_whom_one_wants():
    here = f"{pathlib.Path(__file__).parent.parent}/arena/"
    game, says = f"{here}small_games.py:Partners", f"{here}small_agents.py:Says"
    text = prints(
        "play", game, "--against", f"{says}:what=0", "--partner", f"{says}:what=1", "--seed", "1", typed="1\n"
    )
    assert f"You are player 0 of {game}, with {says}:what=1 as your partner, against {says}:what=0." in text
    assert "payoffs: you: 1, player 1: -1, player 2: 1, player 3: -1" in text
    assert "moves: you: 1, player 1: 0, player 2: 1, player 3: 0" in text
    alike = prints("play", game, "--against", f"{says}:what=1", "--player", "3", "--seed", "1", typed="0\n")
    assert "payoffs: player 0: -1, player 1: 1, player 2: -1, you: 1" in alike


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
    assert (process.returncode, err) == (130, "\nstopped while running fogtree play\n")


# --- check, count, playouts ----------------------------------------------------------------------------------------


def test_check_says_what_it_looked_at():
    assert "kuhn keeps the contract. Looked at the whole tree: 58 histories, 30 ends, 12 info" in prints(
        "check", "kuhn"
    )
    part = prints("check", "goofspiel", "--histories", "500", "--games", "10")
    # at the end of each game and at four places of it; a game has 12 moves
    assert "Looked at 50 parts of 10 random games, down to move 12: " in part


def test_check_keeps_to_its_seconds_and_says_what_it_does_in_a_pipe(monkeypatch):
    monkeypatch.setattr(live, "BETWEEN_LINES", 0.0)
    said = run("check", "goofspiel", "--seconds", "1", "--games", "1000000", "--histories", "1000000000")
    assert said.exit_code == 0
    lines = said.stderr.splitlines()
    assert lines[0] == "walking from the start on: 0 histories"
    assert "looking at parts of random games, " in said.stderr
    assert lines[-1].startswith("comparing with compiled code: ")


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


def test_playouts_times_random_games():
    text = prints("playouts", "kuhn", "goofspiel:cards=3", "--seconds", "0.02")
    for name in ("kuhn", "goofspiel:cards=3"):
        assert re.search(rf"│ {name} +│ +[\d,]+ │ +[+-][\d.]+ \+- [\d.]+ │ +[\d.]+ │", text)


def test_version():
    assert re.fullmatch(r"fogtree \d+\.\d+\.\d+\n", prints("--version"))


# --- solve, exploit, convert ---------------------------------------------------------------------------------------


def test_solve_prints_the_value_and_its_certificate():
    text = prints("solve", "kuhn")  # Kuhn 1950: -1/18
    assert "value           -0.055555555556 for player 0\n" in text
    assert "the value lies between -0.055555555556 and -0.055555555556\n" in text
    assert re.search(r"exploitability  total \S+ \(the sum of both players' gains\), mean \S+\n", text)
    assert re.search(r"method          lp, \d+ iterations, [\d.]+ s\n", text)
    assert "course" not in text  # a linear program goes there in one step


@pytest.mark.parametrize("method", ["cfr", "cfr+", "linear", "dcfr", "pcfr+", "pdcfr+", "hs-pcfr+"])
def test_solve_by_regret_minimisation_draws_its_course(method):
    text = prints("solve", "kuhn", "--method", method, "--iterations", "30")
    assert f"method          {method}, 30 iterations, " in text
    assert re.search(r"course +[▁-█]+ total 1?\S+ to 0\S+, logarithmic\n", text)
    low, high = map(float, re.search(r"lies between (\S+) and (\S+)", text).groups())
    assert low <= -1 / 18 <= high


@pytest.mark.parametrize("method", ["oracle", "external", "outcome"])
def test_solve_by_the_other_methods(method):
    text = prints("solve", "kuhn", "--method", method, "--iterations", "1000")
    assert re.search(rf"^method +{method}, ", text, re.MULTILINE)
    assert ("none, sampled" in text) == (method != "oracle")


def test_a_method_that_samples_is_limited_in_memory_and_needs_a_limit():
    text = prints("solve", "goofspiel:cards=13", "--method", "external", "--iterations", "3", "--memory", "0.000001")
    assert "the memory cap of 1e+03 bytes was reached" in text
    assert "limit its seconds or its iterations" in sentence("solve", "kuhn", "--method", "external", "--target", "0.1")


def test_solve_stops_at_its_target_or_says_that_it_did_not_get_there():
    text = prints("solve", "kuhn", "--method", "cfr+", "--target", "0.05")
    assert float(re.search(r"total (\S+)", text)[1]) <= 0.05 and "not reached" not in text
    text = prints("solve", "kuhn", "--method", "cfr+", "--target", "1e-9", "--iterations", "5")
    assert text.endswith("The target of 1e-09 was not reached.\n")


def test_what_solve_saves_exploit_measures(tmp_path):
    file = str(tmp_path / "kuhn.npz")
    solved = prints("solve", "kuhn", "--method", "cfr+", "--iterations", "50", "--save", file)
    assert f"saved {file}: 12 information sets\n" in solved
    measured = prints("exploit", "kuhn", file)
    assert f"strategy        {file}, 12 information sets\n" in measured
    assert "not listed      0 of player 0, 0 of player 1; such sets play uniformly\n" in measured
    total = r"total (\S+) \(the sum of both players' gains\), mean (\S+)\n"
    assert re.search(total, solved).groups() == re.search(total, measured).groups()


def test_solve_goes_on_from_a_checkpoint(tmp_path):
    file = tmp_path / "kuhn.ckpt"
    prints("solve", "kuhn", "--method", "cfr+", "--iterations", "10", "--checkpoint", str(file))
    assert file.exists()
    text = prints("solve", "kuhn", "--method", "cfr+", "--iterations", "25", "--checkpoint", str(file))
    assert "25 iterations" in text
    assert "is a checkpoint of Kuhn" in sentence("solve", "kuhn", "--method", "cfr", "--checkpoint", str(file))


def stopping(function, enough):
    """The function, as if a person pressed Ctrl-C when its progress is enough."""

    def run_until(*args, progress, **kwargs):
        def look(now):
            progress(now)
            if enough(now):
                raise KeyboardInterrupt

        return function(*args, progress=look, **kwargs)

    return run_until


def test_control_c_makes_solve_print_and_save_what_it_has(monkeypatch, tmp_path):
    monkeypatch.setattr(
        solving, "solve", stopping(solving.solve, lambda now: isinstance(now.detail, Bounds) and now.done >= 4)
    )
    file = tmp_path / "kuhn.npz"
    result = run("solve", "kuhn", "--method", "cfr+", "--target", "1e-9", "--save", str(file))
    assert (result.exit_code, result.stderr) == (130, "stopped\n")
    assert "the value lies between" in result.stdout and "4 iterations" in result.stdout
    assert "12 information sets" in prints("exploit", "kuhn", str(file))


def test_what_was_solved_is_saved_before_it_is_printed(tmp_path, monkeypatch):
    def stop(*_, **__):
        raise BrokenPipeError  # as of `fogtree solve ... | head`

    monkeypatch.setattr(solving.results, "strategy_tables", stop)
    run("solve", "kuhn", "--save", str(tmp_path / "kuhn.npz"))
    assert len(fogtree.Strategy.load(str(tmp_path / "kuhn.npz"), fogtree.Kuhn())) == 12


def test_control_c_while_a_game_is_enumerated_leaves_nothing(monkeypatch, tmp_path):
    monkeypatch.setattr(solving, "solve", stopping(solving.solve, lambda now: now.what == "histories"))
    result = run("solve", "kuhn", "--save", str(tmp_path / "kuhn.npz"))
    told = "\nstopped while working: 58 histories so far\n"
    assert (result.exit_code, result.stdout, result.stderr) == (130, "", told)
    assert list(tmp_path.iterdir()) == []


def test_solve_shows_its_progress_on_a_terminal(monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "80")
    result = run("solve", "leduc", "--method", "cfr+", "--iterations", "3")
    shown = re.sub(r"\x1b\[[\d;?]*[a-zA-Z]", "", result.stderr)
    assert re.search(r"iteration 3  total \S+  value \[-?[\d.]+, -?[\d.]+\]  [▁-█]+ 0:00:\d\d", shown)


def test_uniform_kuhn_is_exploitable_by_11_over_24():
    # OpenSpiel's tests: NashConv 11/12; the values of the best responses by hand: 1/2 and 5/12
    text = prints("exploit", "kuhn", "uniform")
    assert "player 0        a best response gets 0.500000, a gain of 0.375000\n" in text
    assert "player 1        a best response gets 0.416667, a gain of 0.541667\n" in text
    assert "value           0.125000 for player 0 where both follow the strategy\n" in text
    assert "total 0.916667 (the sum of both players' gains), mean 0.458333\n" in text
    assert re.search(r"engine +memory, exact, [\d.]+ s\n", text)
    assert "not listed      6 of player 0, 6 of player 1; such sets play uniformly\n" in text


def test_the_streamed_engine_finds_the_same():
    text = prints("exploit", "kuhn", "uniform", "--engine", "stream")
    assert "gets 0.500000\n" in text and "gets 0.416667\n" in text and "mean 0.458333" in text
    assert re.search(r"engine +stream, exact", text) and "not counted when streamed" in text


def test_the_engine_of_lanes_finds_the_same_and_says_what_computed_it():
    text = prints("exploit", "kuhn", "uniform", "--engine", "lanes")
    assert "gets 0.500000, a gain of 0.375000\n" in text and "mean 0.458333" in text
    assert re.search(r"engine +lanes on cpu, exact", text)


def test_convert_writes_what_loads_again(tmp_path):
    for ending in ("efg", "nfg"):
        file = str(tmp_path / f"kuhn.{ending}")
        assert re.fullmatch(rf"wrote {re.escape(file)}: [\d,]+ bytes\n", prints("convert", "kuhn", file))
        assert "-0.0555555555" in prints("solve", file)
    assert "12 in all" in prints("count", str(tmp_path / "kuhn.efg"))


# --- compare, demo -------------------------------------------------------------------------------------------------

FEW = ["--iterations", "300", "--runs", "2", "--threads", "1"]


@pytest.fixture
def undrawn(monkeypatch):
    """Where only the numbers are looked at."""
    monkeypatch.setattr("fogtree.draw.curves.draw", lambda curves, path, **how: path.write_bytes(b""))


def test_compare_prints_a_table_and_writes_a_picture_and_the_numbers(tmp_path):
    out = tmp_path / "new" / "folder"
    text = prints("compare", "goofspiel:cards=3", "rm", "exp3:gamma=0.2", *FEW, "--out", str(out))
    # 1 + 3 + 9 + 18 + 36 + 36 + 36 histories
    found = re.match(r"goofspiel:cards=3 has 139 histories. Its equilibrium by (\S*cfr\+) in ", text)
    assert found  # whichever of the rules won their race
    for name in ("rm", "exp3:gamma=0.2"):
        assert re.search(rf"^  {name} +2/2 +300 +[\d.]+ +[\d.]+ \+- [\d.]+ +[\d.]+ at [\d,]+ *$", text, re.MULTILINE)
    stem = "goofspiel-cards=3-rm-exp3-gamma=0.2-300-runs=2-seed=0"
    names = [f"{stem}.{ending}" for ending in ("png", "svg", "csv")]
    assert text.endswith(f"wrote {', '.join(str(out / name) for name in names)}\n")
    assert sorted(path.name for path in out.iterdir()) == sorted(names)
    assert (out / names[0]).read_bytes().startswith(b"\x89PNG")
    picture = (out / names[1]).read_text()
    assert all(
        word in picture for word in ("goofspiel:cards=3", "exp3:gamma=0.2", f"equilibrium by {found[1]}: 0, far below")
    )
    rows = (out / names[2]).read_text().splitlines()
    assert rows[0] == "algorithm,run,iterations,seconds,total"
    assert len(rows) == 1 + 2 * 2 * 3  # two bandits, two runs, measured at 100, 178 and 300


RESIGN = """
from typing import NamedTuple
from fogtree import OVER, Shape

class Coins(NamedTuple):
    \"\"\"Matching pennies, in which a player who is not proud may also resign and lose.\"\"\"

    proud: bool = False
    def shape(self):
        return Shape(2, 2, 3, 2, -1.0, 1.0)
    def start(self, state):
        state[:] = -1
    def player(self, state):
        return 0 if state[0] < 0 else 1 if state[0] < 2 and state[1] < 0 else OVER
    def actions(self, state, out):
        for i in range(3):
            out[i] = i
        return 2 if self.proud else 3
    def step(self, state, action):
        state[0 if state[0] < 0 else 1] = action
    def payoff(self, state, player):
        won = 1 if state[0] == 2 else 0 if state[1] == 2 else 0 if state[0] == state[1] else 1
        return 1.0 if won == player else -1.0
    def view(self, state, player):
        return (player == 1) + 1
    def reduced(self):
        return self._replace(proud=True)
"""


def test_compare_takes_the_equal_game_with_fewer_actions(tmp_path, undrawn):
    file = tmp_path / "coins.py"
    file.write_text(RESIGN)
    text = prints("compare", f"{file}:Coins", "rm", *FEW, "--out", str(tmp_path))
    equal = f"{identity(fogtree.load(f'{file}:Coins:proud=true'))}, an equal game with fewer actions."
    words = f"Searches run and are measured in {equal}\nIt has 7 histories. "
    assert text.startswith(words) and equal.startswith("Coins(proud=True), rules version 0, code ")
    small = fogtree.load(f"{file}:Coins:proud=true")
    rows = [row.split(",") for row in next(tmp_path.glob("*.csv")).read_text().splitlines()]
    search = fogtree.ISMCTS(small, fogtree.RegretMatching(), 0).run(iterations=300)
    expected = fogtree.exploitability(small, search.strategy()).total
    assert [float(row[-1]) for row in rows if row[1:3] == ["0", "300"]] == pytest.approx([expected], abs=1e-8)
    assert "It has" not in prints("compare", f"{file}:Coins:proud=true", "rm", *FEW, "--out", str(tmp_path))


def test_compare_compiles_the_solver_before_its_clock_starts(monkeypatch, tmp_path, undrawn):
    asked, solved = [], comparison.solve
    monkeypatch.setattr(comparison, "solve", lambda form, **limits: asked.append(limits) or solved(form, **limits))
    prints("compare", "kuhn", "rm", *FEW, "--out", str(tmp_path))
    assert [limits.get("seconds") for limits in asked] == [None, comparison.EXACT_SECONDS]
    assert asked[0]["iterations"] == 1


def test_compare_shows_a_table_that_grows_on_a_terminal(monkeypatch, tmp_path, undrawn):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "80")
    result = run("compare", "kuhn", "rm", *FEW, "--out", str(tmp_path))
    shown = re.sub(r"\x1b\[[\d;?]*[a-zA-Z]", "", result.stderr)
    assert result.exit_code == 0
    assert re.search(r"  rm +2/2 +300 .*\n.*\n\d s, Ctrl-C stops", shown)
    assert max(map(len, shown.splitlines())) <= 80


def test_the_same_seed_compares_the_same(tmp_path, undrawn):
    def totals(*more):
        prints("compare", "kuhn", "uct", *FEW, *more, "--out", str(tmp_path))
        return [
            row.rpartition(",")[2] for row in max(tmp_path.glob("*.csv"), key=os.path.getmtime).read_text().splitlines()
        ]

    assert totals() == totals() != totals("--seed", "9")


def test_another_question_has_other_files(tmp_path, undrawn):
    asked = [
        ("kuhn", "uct"),
        ("kuhn", "rm"),
        ("kuhn", "rm", "--seed", "3"),
        ("kuhn", "rm", "uct"),
        ("kuhn:cards=4", "rm"),
    ]
    for number, words in enumerate(asked, 1):
        prints("compare", *words, *FEW, "--out", str(tmp_path))
        assert len(list(tmp_path.glob("*.csv"))) == number
    prints("compare", *asked[0], *FEW, "--out", str(tmp_path))  # the same question again
    assert len(list(tmp_path.glob("*.csv"))) == len(asked)


def test_compare_by_time_measures_what_all_runs_reached(tmp_path, undrawn):
    text = prints("compare", "kuhn", "rm", "--seconds", "0.3", "--runs", "2", "--threads", "2", "--out", str(tmp_path))
    assert re.search(r"  rm +2/2 +[\d,]+ ", text)


def test_control_c_makes_compare_keep_what_it_measured(monkeypatch, tmp_path, undrawn):
    def enough(now):
        return len(now.detail[0].iterations) >= 2

    monkeypatch.setattr(comparison, "curves", stopping(comparison.curves, enough))
    options = ["--iterations", "10000000", "--runs", "3", "--threads", "1", "--out", str(tmp_path)]
    result = run("compare", "kuhn", "rm", *options)
    assert (result.exit_code, result.stderr) == (130, "stopped\n")
    assert re.search(r"  rm +1/3 ", result.stdout)
    assert len(list(tmp_path.iterdir())) == 3


def test_control_c_before_anything_was_measured_writes_nothing(monkeypatch, tmp_path):
    monkeypatch.setattr(comparison, "curves", stopping(comparison.curves, lambda now: True))
    monkeypatch.setattr(curve, "FIRST", 10**7)
    result = run("compare", "kuhn", "rm", "--iterations", "100000000", "--out", str(tmp_path))
    assert (result.exit_code, result.stderr) == (130, "\nstopped while running fogtree compare\n")
    assert list(tmp_path.iterdir()) == []


def test_the_demo_compares_three_searches_with_the_equilibrium_and_says_what_next(monkeypatch, tmp_path):
    assert comparing.DEMO == ("goofspiel:cards=6", ["uct", "exp3", "rm"])
    monkeypatch.setattr(
        comparing, "DEMO", ("goofspiel:cards=3", ["uct", "exp3", "rm"])
    )  # interpreted, six cards take minutes
    text = prints("demo", "--seconds", "0.5", "--runs", "2", "--out", str(tmp_path))
    for name in ("uct", "exp3", "rm"):
        assert re.search(rf"^  {name} +2/2 ", text, re.MULTILINE)
    assert "goofspiel-cards=3.png" in text and (tmp_path / "goofspiel-cards=3.svg").exists()
    meaning, moral, following = text.strip().splitlines()[-3:]
    assert "0 is perfect play" in meaning
    assert re.match(
        r"The best search, \S+, went from [\d.]+ to [\d.e-]+ with \d+ times as many iterations; the exact method, ",
        moral,
    )
    commands = re.findall(r"`fogtree (\w+)", following)
    assert len(commands) >= 4 and set(commands) <= {command.name for command in app.registered_commands}
    assert "exact" in (tmp_path / "goofspiel-cards=3.svg").read_text()


def test_the_course_of_an_exact_method_leaves_out_what_came_before_its_first_iteration():
    bounds = [Bounds(10, 30.0, -1.0, 1.0), Bounds(20, 31.0, -0.5, 0.5), Bounds(30, 32.0, -0.25, 0.25)]
    seconds, total = exact_course(types.SimpleNamespace(course=bounds))
    assert seconds.tolist() == [1.0, 2.0, 3.0] and total.tolist() == [2.0, 1.0, 0.5]


# --- a file of one's own -------------------------------------------------------------------------------------------


def test_a_file_works_wherever_a_name_does(tmp_path):
    file = tmp_path / "my_game.py"
    file.write_text(MY_GAME)
    game = f"{file}:Guess:size=4"
    assert "keeps the contract. Looked at the whole tree: 21 histories, 16 ends, 2 info" in prints("check", game)
    assert "the referee sees" in prints("show", game)
    assert re.search(r"│ +all │ +21 │ +16 │", prints("count", game))
    assert "value           0.500000000000 for player 0" in prints("solve", game)  # missed three times in four
    text = prints("play", game, "--seed", "1", typed="7\n2\n")
    assert "'7' is not a legal action here: choose from 0, 1, 2, 3" in text
    assert "The game is over. The referee sees:\nstate: [2, " in text


def test_an_error_in_a_game_of_ones_own_is_told_with_its_place(tmp_path):
    file = tmp_path / "my_game.py"
    file.write_text(MY_GAME.replace("return state[player] + 1", "return state[player + 7] + 1"))
    result = run("play", str(file), typed="1\n")
    assert result.exit_code == 2
    assert result.stderr.startswith("Guess.view raised IndexError: index 7 is out of bounds")
    assert f"in line 22 of {file} (after the moves (none), in state [-1, -1])" in result.stderr


@pytest.mark.parametrize(
    "words", ["count GAME", "solve GAME", "exploit GAME uniform", "compare GAME rm", "play GAME --against rm"]
)
def test_a_game_of_ones_own_is_checked_before_it_is_compiled(tmp_path, monkeypatch, words):
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "my_game.py"
    file.write_text(MY_GAME.replace("Shape(2, 2, ", "Shape(2, 1, "))  # too short a state: a crash in machine code
    assert sentence(*words.replace("GAME", str(file)).split()).startswith("Guess.view raised IndexError")


# --- bad input -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["show", "khun"], "there is no game 'khun': did you mean kuhn?"),
        (["show", "backgammon"], "there is no game 'backgammon': valid are matrix, bimatrix, "),
        (["count", "kuhn:decks=3"], "kuhn has no parameter 'decks': valid are cards"),
        (["check", "kuhn:cards=2"], "Kuhn: cards must be a whole number from 3 to 64, not 2"),
        (["count", "goofspiel:cards=many"], "Goofspiel: cards must be a whole number from 1 to 13, not 'many'"),
        (["show", "phantom-ttt:rules=mad"], "rules must be classical or forced-centre or abrupt, not 'mad'"),
        (["show", "matrix:payoffs=[[1,2],[3]]"], "payoffs must be a matrix of finite numbers, written [[1,-1],[-1,1]]"),
        (["check", "nowhere.py"], "there is no file nowhere.py"),
        (["play", "kuhn", "--against", "perfct"], "there is no agent 'perfct': did you mean perfect? Valid are random"),
        (["play", "kuhn", "--against", "deep-blue"], "there is no agent 'deep-blue': valid are random"),
        (["play", "kuhn", "--against", "strategy:none.npz"], "there is no file none.npz"),
        (["play", "kuhn", "--against", "rm:gamma=2"], "RegretMatching: gamma must be a number in (0, 1], not 2"),
        (
            ["play", "kuhn", "--against", "rm:iterations=0"],
            "iterations must be a whole number of 1 or more, not 0",
        ),
        (["solve", "bimatrix", "--concept", "harmony"], "there is no concept 'harmony': valid are nash, ce, cce"),
        (
            ["solve", "bimatrix", "--checkpoint", "x"],
            "there are checkpoints for Nash equilibria of two-player zero-sum",
        ),
        (["solve", "bimatrix", "--concept", "ce", "--seconds", "1"], "--concept ce is one linear program: it takes no"),
        (
            ["solve", "bimatrix", "--concept", "ce", "--save", "x.npz"],
            "--concept ce gives a distribution over profiles",
        ),
        (
            ["solve", "bimatrix", "--method", "lp"],
            "there is no method 'lp' here: valid are auto, lemke-howson, support",
        ),
        (
            ["solve", "kuhn", "--method", "magic"],
            "there is no method 'magic': valid are auto, lp, oracle, streamed-oracle, cfr, ",
        ),
        (
            ["solve", "kuhn", "--method", "lp", "--iterations", "5"],
            "lp takes no number of iterations: limit its seconds",
        ),
        (["solve", "kuhn", "--target", "0"], "target must be a number above 0, not 0"),
        (["solve", "kuhn", "--seconds", "-1"], "seconds must be a number above 0, not -1"),
        (["solve", "kuhn", "--save", "nowhere/x.npz"], "nowhere/x.npz cannot be written: there is no folder nowhere"),
        (["solve", "kuhn", "--save", "."], ". is a folder: name a file"),
        (["solve", "kuhn", "--checkpoint", "nowhere/x"], "nowhere/x cannot be written: there is no folder nowhere"),
        (["exploit", "kuhn", "none.npz"], "there is no file none.npz"),
        (
            ["exploit", "kuhn", "mine.py:Mine"],
            "mine.py:Mine is no saved strategy: valid are a file, uniform and perfect",
        ),
        (["exploit", "kuhn", "uniform", "--engine", "steam"], "there is no engine 'steam': valid are auto, memory, "),
        (["exploit", "bimatrix", "uniform", "--engine", "search"], "bimatrix is not zero-sum"),
        (["convert", "kuhn", "kuhn.txt"], "kuhn.txt names no format: valid are files that end in .efg or .nfg"),
        (["convert", "kuhn", "nowhere/kuhn.efg"], "nowhere/kuhn.efg cannot be written: there is no folder nowhere"),
        (["compare", "kuhn", "rn"], "there is no bandit 'rn': valid are uct, "),
        (["compare", "kuhn", "rm:gamma=0"], "RegretMatching: gamma must be a number in (0, 1], not 0"),
        (["compare", "kuhn", "rm", "uct", "rm"], "rm is given twice"),
        (["compare", "kuhn", "rm", "--seed", "-1"], "a seed is a whole number"),
        (["compare", "kuhn", "rm", "--iterations", "9", "--seconds", "9"], "give either --seconds or --iterations"),
        (["compare", "kuhn", "rm", "--iterations", "0"], "iterations must be a whole number of 1 or more, not 0"),
        (["compare", "kuhn", "rm", "--seconds", "nan"], "--seconds must be a number, not nan"),
        (["playouts", "khun"], "there is no game 'khun': did you mean kuhn?"),
        (["play", "kuhn", "--against", "random:luck=9"], "the agent random has no parameters"),
        (["play", "kuhn", "--player", "2"], "there is no player 2: valid are 0, 1"),
        (["play", "kuhn", "--player", "-1"], "there is no player -1: valid are 0, 1"),
        (["play", "kuhn", "--seed", "-1"], "a seed is a whole number"),
        (["show", "kuhn", "--seed", "-1"], "a seed is a whole number"),
        (["check", "kuhn", "--seed", "-1"], "a seed is a whole number"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_bad_input_gets_one_sentence_and_exit_code_2(arguments, said, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert said in sentence(*arguments)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_a_strategy_of_another_game_is_refused(tmp_path):
    file = str(tmp_path / "kuhn.npz")
    prints("solve", "kuhn", "--save", file)
    assert f"{file} is a strategy of Kuhn(cards=3), rules version 1, not of Leduc" in sentence("exploit", "leduc", file)
    assert "not of Kuhn(cards=4)" in sentence("exploit", "kuhn:cards=4", file)


@pytest.mark.parametrize("content", [b"", b"PK", b"nonsense" * 99])
def test_a_torn_strategy_is_refused(tmp_path, content):
    file = tmp_path / "torn.npz"
    file.write_bytes(content)
    assert f"{file} cannot be read" in sentence("exploit", "kuhn", str(file))


def test_a_folder_that_cannot_be_made_is_refused(tmp_path):
    file = tmp_path / "taken"
    file.write_text("")
    assert "cannot be made" in sentence("compare", "kuhn", "rm", "--out", str(file))


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("class Guess(", "cannot be read: line 1: SyntaxError"),
        ("import nothing_of_this_name", "cannot be read: line 1: ModuleNotFoundError"),
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
        ["solve"],
        ["solve", "kuhn", "--iterations", "1.5"],
        ["exploit", "kuhn"],
        ["compare", "kuhn"],
        ["compare", "kuhn", "rm", "--runs", "0"],
        ["compare", "kuhn", "rm", "--threads", "0"],
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
    done = outside("--debug", "show", "backgammon")
    assert done.returncode == 1
    assert "Traceback" in done.stderr and "fogtree.errors.Invalid: there is no game" in done.stderr


def test_the_command_line_is_not_loaded_with_the_library():
    code = "import sys, fogtree; sys.exit(any(name in sys.modules for name in ('typer', 'rich', 'matplotlib')))"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


# --- names -----------------------------------------------------------------------------------------------------------


def test_agents_lists_every_agent_and_bandits_every_bandit_with_a_sentence():
    text = prints("agents")
    listed = {name.partition(":")[0] for name in fogtree.arena.agents.ABOUT}
    assert set(fogtree.AGENTS) - set(fogtree.BANDITS) <= listed and all(name in text for name in listed)
    text = prints("bandits")
    assert all(f" {name} " in text for name in fogtree.BANDITS) and "share of the exploration" in text


@pytest.mark.parametrize(
    "typed, proposed",
    [
        ("show ku", ["kuhn"]),
        ("compare kuhn exp3", ["exp3", "exp3-deep"]),
        ("play kuhn --against epi", ["epimc"]),
        ("tournament kuhn rand", ["random"]),
        ("paper lisy", ["lisy2014"]),
        ("runs show ", []),
    ],
)
def test_the_shell_proposes_names_when_tab_is_pressed(typed, proposed, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    tab = {
        "_FOGTREE_COMPLETE": "complete_bash",
        "COMP_WORDS": f"fogtree {typed}",
        "COMP_CWORD": str(len(typed.split(" "))),
    }
    done = CliRunner().invoke(app, [], env=tab, prog_name="fogtree")
    assert done.output.split() == proposed


# --- games without a value ---


def test_three_players_are_solved_and_the_screen_says_that_nothing_is_promised(tmp_path):
    text = prints("solve", "kuhn:players=3", "--iterations", "30", "--save", str(tmp_path / "trio.npz"))
    assert (
        "NashConv" in text and "player 2" in text and "no method of regrets is sure to reach a Nash equilibrium" in text
    )
    again = prints("exploit", "kuhn:players=3", str(tmp_path / "trio.npz"))
    found = re.search(r"NashConv\s+(\S+) ", text)[1]
    assert (
        f"total {found} (NashConv, the sum of all players' gains)" in again and "where all follow the strategy" in again
    )


def test_equilibria_of_a_bimatrix_game_are_listed_and_a_mediator_is_asked():
    battle = "bimatrix:first=[[3,0],[0,2]],second=[[2,0],[0,3]]"
    text = prints("solve", battle, "--method", "support")
    assert "3 equilibria were found" in text and "0.6 0.4" in text and "no method of regrets" not in text
    text = prints("solve", "bimatrix", "--concept", "cce")
    assert "coarse correlated equilibrium" in text and "nobody gains more than 0 by any rule of deviating" in text


def test_searches_of_three_players_are_compared(tmp_path):
    text = prints(
        *(
            "compare",
            "kuhn:players=3",
            "rm",
            "--iterations",
            "100",
            "--runs",
            "1",
            "--threads",
            "1",
            "--out",
            str(tmp_path),
        )
    )
    assert "what all players could gain" in text and re.search(r"Its equilibrium by \S*cfr\+", text)


def test_every_seating_of_a_table_of_three_plays(tmp_path):
    store, cells = str(tmp_path / "runs.sqlite"), str(tmp_path / "seats.csv")
    text = prints(
        *("tournament", "kuhn:players=3", "random", "always:1", "--matches", "5", "--cores", "1"),
        *("--store", store, "--csv", cells),
    )
    assert "side 2" in text and "comes first" in text and "first places are shared" in text
    assert sentence("tournament", "kuhn:players=3", "random", "--anchor", "random=0").startswith(
        "--anchor fixes a rating"
    )


def test_a_name_that_cannot_be_printed_is_printed_all_the_same(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    written = os.fsdecode(b"\xbd.nfg")
    result = CliRunner().invoke(app, ["convert", "kuhn", written])
    assert result.exit_code == 0, result.output
    assert os.listdir(tmp_path) == [written] and r"\udcbd.nfg" in result.output


@pytest.mark.parametrize(
    "line, words",
    [
        (["tournament", "kuhn", "no\nbody", "rm"], r"there is no agent 'no\nbody'"),
        (["count", "no\nthing"], r"there is no game 'no\nthing'"),
        (["stubborn", "--bandit", "no\nthing"], r"there is no bandit 'no\nthing'"),
    ],
)
def test_a_name_with_line_breaks_is_refused_in_one_line(line, words):
    result = CliRunner().invoke(app, line)
    assert result.exit_code == 2 and words in result.output
