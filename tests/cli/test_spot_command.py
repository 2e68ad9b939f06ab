"""fogtree spot: what it prints, writes and refuses."""

import csv

import numpy as np
from rich.console import Console
from rich.text import Text
from typer.testing import CliRunner

from fogtree.cli import app
from fogtree.cli.screen.grid import grid
from fogtree.cli.screen.spotted import SUITS, suited
from fogtree.draw.hand_grid import by_class, colours, kind

RANGES = ("--oop", "AA,KJs,T9s", "--ip", "QQ,JTs,98s")
SPOT = ("spot", "Td9d6hQc2s", "--pot", "20", "--stack", "50", "--bets", "50%, a", *RANGES)


def run(*words):
    return CliRunner().invoke(app, list(words), env={"COLUMNS": "200"})


def test_a_spot_is_solved_shown_saved_and_shown_again(tmp_path):
    saved, table = tmp_path / "spot.npz", tmp_path / "spot.csv"
    first = run(*SPOT, "--target", "0.1", "--save", str(saved), "--table", str(table))
    assert first.exit_code == 0, first.output
    for words in ("values", "equity", "certificate", "OOP to move", "KJs", "all in 50"):
        assert words in first.output
    rows = list(csv.DictReader(table.open()))
    assert len(rows) == 6 + 4 + 3  # Td9d lies on the board
    assert all(abs(sum(float(row[a]) for a in ("check", "bet 10", "all in 50")) - 1) < 1e-4 for row in rows)
    again = run("spot", str(saved), "--line", "check, bet 10")
    assert again.exit_code == 0, again.output
    assert "after check, bet 10 on Td 9d 6h Qc 2s" in again.output and "all in 50" in again.output
    for option, value, words in (
        ("--pot", "20", "the file says what the pot is: leave --pot out"),
        ("--oop", "AA", "the file says what the range of OOP is: leave --oop out"),
        ("--target", "0.1", "the file is solved already: leave --target out"),
    ):
        refused = run("spot", str(saved), option, value)
        assert refused.exit_code == 2 and refused.output == f"{words}\n"


def test_what_could_not_be_shown_or_loaded_is_refused_before_anything_is_solved(tmp_path, monkeypatch):
    monkeypatch.setattr("fogtree.solvers.public.hand_solution.iterate_until", None)
    for more, words in (
        (("--line", "check, check"), "nobody moves there any more: leave the last action out\n"),
        (
            ("--line", "check, check", "--history", "--classes"),
            "nobody moves there any more: leave the last action out\n",
        ),
        (("--hand", "AhKh", "--classes"), "--hand shows one hand and --classes sums of many: leave one of them out\n"),
        (
            ("--line", "check", "--hand", "AhAs"),
            "this hand is not in the player's range, or shares a card with the board\n",
        ),
        (
            ("--hand", "KdJd", "--save", "a.npz", "--table", "./a.npz"),
            "--save and --table name the same file: choose two\n",
        ),
        (("--line", "check", "--hand", "Ah"), "'Ah' is no hand: write two cards, as in AhKd\n"),
        (("--line", "fold"), "'fold' is not possible there: choose from check, bet 10, all in 50\n"),
        (
            ("--save", str(tmp_path / "spot")),
            f"a saved spot is known by its ending: write --save {tmp_path / 'spot'}.npz\n",
        ),
    ):
        failed = run(*SPOT, *more)
        assert failed.exit_code == 2 and failed.output == words, failed.output


def test_errors_are_one_sentence():
    for more, words in (
        (("--oop", "AA,KQx"), "wrong at letter 4"),
        (("--bets", "50"), "is no size of a bet"),
        (("--pot", "0"), "whole number of chips of 1 or more, not 0\n"),
        (("--pot", "5.5"), "of 1 or more, not 5.5: take smaller chips, so that all amounts are whole\n"),
        (("--pot", "1e3"), "of 1 or more, not 1000.0\n"),
        (("--stack", "inf"), "of 1 or more, not inf\n"),
        (("--stack", "many"), "the stack must be a whole number of chips of 1 or more, not 'many'\n"),
        (("--line", "fold"), "choose from check"),
        (("--line", "check, check"), "leave the last action out"),
        (("--memory", "1e-6"), "KiB in 16 bits, and 1000 bytes are allowed"),
    ):
        failed = run(*SPOT, "--iterations", "1", *more)
        assert failed.exit_code == 2 and words in failed.output, failed.output


def test_files_that_are_no_saved_spots_are_called_so(tmp_path):
    table, cut = tmp_path / "hands.csv", tmp_path / "cut.npz"
    table.write_text("hand\n")
    for content in (b"", b"a text", b"PK\x03\x04 cut"):
        cut.write_bytes(content)
        failed = run("spot", str(cut))
        assert failed.exit_code == 2 and "it was cut short, or Fogtree has not written it" in failed.output
    failed = run("spot", str(tmp_path / "gone.npz"), "--oop", "AA")
    assert failed.exit_code == 2 and failed.output == f"there is no file {tmp_path / 'gone.npz'}\n"
    for name in (str(table), "gone.np"):
        failed = run("spot", name)
        assert failed.exit_code == 2 and "no saved spot: the name of such a file ends in .npz" in failed.output


def test_files_are_written_before_somebody_stops_reading_the_output(tmp_path, monkeypatch):
    def closed(*words):
        raise BrokenPipeError

    monkeypatch.setattr("fogtree.cli.spots.facts", closed)
    saved, table = tmp_path / "spot.npz", tmp_path / "spot.csv"
    run(*SPOT, "--iterations", "1", "--save", str(saved), "--table", str(table))
    assert saved.exists() and len(table.read_text().splitlines()) == 14


def test_ctrl_c_while_next_cards_are_looked_at_leaves_what_was_to_be_saved(tmp_path, monkeypatch):
    def stopped(*words, **more):
        raise KeyboardInterrupt

    monkeypatch.setattr("fogtree.cli.spots.next_cards", stopped)
    saved = tmp_path / "turn.npz"
    turn = ("spot", "Td9d6hQc", "--oop", "AA", "--ip", "KK", "--bets", "none", "--iterations", "1")
    assert run(*turn, "--line", "check, check", "--save", str(saved)).exit_code == 130
    assert saved.exists()


def test_bounds_on_the_way_are_told_as_the_result_is():
    from fogtree.cli.spots import _out_of
    from fogtree.solvers.forms.certificates import Bounds
    from fogtree.walk.slices import Progress

    told = []
    look = _out_of(told.append, 20)
    look(Progress("iterations", 5, None, Bounds(5, 1.0, -1.0, 2.0)))
    look(Progress("boards", 1))
    assert told[0].detail == Bounds(5, 1.0, 9.0, 12.0) and told[1] == Progress("boards", 1)


def test_the_grid_has_each_kind_once_and_bars_as_long_as_actions_are_played():
    kinds = [kind(row, column) for row in range(13) for column in range(13)]
    assert len(set(kinds)) == 169
    assert (kind(0, 0), kind(0, 1), kind(1, 0), kind(12, 12)) == ("AA", "AKs", "AKo", "22")
    shares = by_class(["AA", "AA", "KQs"], np.array([[1.0, 0.0, 0.5], [0.0, 1.0, 0.5]]), np.array([1.0, 1.0, 0.0]))
    assert shares["AA"].tolist() == [0.5, 0.5] and "KQs" not in shares
    first, second = colours(["check", "bet 10"])
    console = Console(record=True, width=120, force_terminal=True, color_system="truecolor")
    with console.capture() as shown:
        console.print(grid(["check", "bet 10"], shares, True, 120))
    painted = shown.get()
    for colour in (first, second):
        assert "48;2;" + ";".join(map(str, colour)) in painted
    with console.capture() as shown:
        console.print(grid(["check", "bet 10"], shares, False, 120))
    assert "AA   50" in shown.get()


def test_a_grid_fits_eighty_columns_and_a_file():
    shares = {"AKs": np.array([0.0, 1.0]), "QQ": np.array([0.96, 0.04])}
    for coloured, columns, wide in ((True, 91, 91), (True, 90, 78), (False, 104, 104), (False, 103, 78)):
        rows = grid(["check", "bet 10"], shares, coloured, columns).plain.split("\n")[:13]
        assert {len(row) for row in rows} == {wide}
    assert rows[0].startswith("AA    AKs** AQs   ") and "QQ  4 QJs" in rows[2]
    lines = CliRunner().invoke(app, list(SPOT), env={"COLUMNS": ""}).output.splitlines()
    top = next(i for i, line in enumerate(lines) if line.startswith("AA"))
    assert max(map(len, lines[top:])) <= 80


def test_nothing_is_told_as_nothing_and_one_as_one():
    told = run("spot", "Td9d6hQc2s", "--oop", "AA", "--ip", "KK", "--bets", "none", "--iterations", "1").output
    assert "OOP 100.000, IP 0.000 chips" in told and "best responses gain 0 and 0 chips" in told, told
    assert "1 iteration, " in told


def test_cards_have_the_colours_of_their_suits():
    told = suited(Text("after bet 120 on Td 9d 6h, with AKs and KQo"))
    assert [(told.plain[span.start : span.end], span.style) for span in told.spans] == [
        ("6h", SUITS["h"]),
        ("Td", SUITS["d"]),
        ("9d", SUITS["d"]),
    ]


def test_a_missed_target_is_said_and_a_reached_one_is_not():
    assert (
        "ended by      iterations, target 0.001 % not reached"
        in run(*SPOT, "--iterations", "1", "--target", "0.001").output
    )
    assert "ended by" not in run(*SPOT).output


def test_next_cards_sorts_and_a_hand_are_shown_and_written(tmp_path):
    saved, table = tmp_path / "turn.npz", tmp_path / "out.csv"
    turn = ("spot", "Td9d6hQc", "--pot", "20", "--stack", "50", "--bets", "50%, a", *RANGES)
    first = run(*turn, "--target", "2", "--save", str(saved), "--line", "check, check", "--table", str(table))
    assert first.exit_code == 0, first.output
    assert "a card comes  after check, check on Td 9d 6h Qc" in first.output and "OOP equity" in first.output
    rows = list(csv.DictReader(table.open()))
    assert len(rows) == 48 and abs(sum(float(row["comes"]) for row in rows) - 1) < 1e-4
    told = {}
    for words in (("--classes",), ("--hand", "JhTh"), ("--line", "check, check", "--classes")):
        shown = run("spot", str(saved), "--line", "check", *words, "--table", str(table))
        assert shown.exit_code == 0, shown.output
        told[words] = shown.output, list(csv.DictReader(table.open()))
    shown, rows = told["--classes",]
    assert "IP: made hands" in shown and "OOP: draws" in shown
    made = [row for row in rows if row["player"] == "IP" and row["sort"] == "made"]
    assert abs(sum(float(row["share"]) for row in made) - 1) < 1e-4
    shown, rows = told["--hand", "JhTh"]
    assert "JhTh: middle pair, open-ended" in shown and "takes away" in shown
    assert [row["action"] for row in rows] == ["check", "bet 10", "all in 50"]
    for more, words in (
        (("--hand", "AhKh"), "this hand is not in the player's range, or shares a card with the board"),
        (("--hand", "AhKh", "--line", "check, check"), "a card is to come there"),
    ):
        failed = run("spot", str(saved), *more)
        assert failed.exit_code == 2 and words in failed.output, failed.output


def test_where_no_two_hands_come_no_numbers_are_told(tmp_path):
    saved = str(tmp_path / "turn.npz")  # with an ace on the river both cannot hold two
    turn = ("spot", "Td9d6hQc", "--oop", "AA", "--ip", "AA", "--bets", "none", "--iterations", "1", "--save", saved)
    assert run(*turn).exit_code == 0
    for more, words in (
        ((), f" As      0.0{'':48}\n"),
        (("--cards", "As"), "never        no two hands come there"),
        (("--cards", "As", "--hand", "AhAd"), "meets       no hand of IP that comes there"),
    ):
        shown = run("spot", saved, "--line", "check, check", *more).output
        assert words in shown and "nan" not in shown, shown
        assert "expects" not in shown and "plays " not in shown.split("action")[0], shown


def test_a_line_is_printed_as_a_hand_history():
    shown = run(*SPOT, "--iterations", "1", "--line", "bet 10", "--history").output
    assert "*** RIVER *** [Td 9d 6h Qc] [2s]\nOOP: bets 10\nIP is to act\n" in shown
    for line, ends in (
        ("bet 10, fold", "IP: folds\nUncalled bet (10) returned to OOP\nOOP collected 20 from pot\n"),
        ("check, bet 10, call", "OOP: calls 10\n*** SHOW DOWN ***\n*** SUMMARY ***\nTotal pot 40 | Rake 0\n"),
    ):
        shown = run(*SPOT, "--iterations", "1", "--line", line, "--history")
        assert shown.exit_code == 0 and ends in shown.output, shown.output
        assert f"the hand ends  after {line} on" in shown.output and "to move" not in shown.output


def test_without_colours_a_grid_tells_calls_from_folds():
    actions = ["fold", "call", "raise to 30"]
    shares = {"AA": np.array([0.0, 0.25, 0.75]), "KK": np.array([0.5, 0.5, 0.0])}
    raises, calls = (part.split("(numbers")[0] for part in grid(actions, shares, False, 80).plain.split("\n\n")[:2])
    assert raises.startswith("AA 75") and "KK  0" in raises
    assert calls.startswith("AA 25") and "KK 50" in calls
    assert "how often a hand calls" in grid(actions[:2], {"AA": np.array([0.5, 0.5])}, False, 80).plain


def test_a_saved_spot_is_played_hand_after_hand_and_costs_are_told(tmp_path):
    saved = str(tmp_path / "spot.npz")
    assert run(*SPOT, "--save", saved).exit_code == 0
    words = ["check", "fold", "check", "check", "q", "quit"] * 4
    told = CliRunner().invoke(
        app, ["play", saved, "--seed", "5"], input="\n".join(words) + "\n", env={"COLUMNS": "120"}
    )
    assert told.exit_code == 0, told.output
    for said in (
        "You are OOP, against the solution",
        "OOP: checks",
        "what your decisions with",
        "the solution plays",
        "The first pot of 20 is nobody's yet",
        "1 hand: you ",
        "--seed 5 deals the same hands again",
    ):
        assert said in told.output, told.output
    refused = run("play", saved, "--partner", "random")
    assert refused.exit_code == 2 and "leave --partner out" in refused.output


def test_a_table_of_next_cards_has_bars_only_where_there_is_room():
    from fogtree.cli.screen.spotted import BAR, next_table
    from fogtree.games.spot import spot
    from fogtree.solvers.public.next_cards import NextCard

    game = spot("Td9d6hQc")
    for actions, width, barred, chips in (
        (["check", "bet 50"], 80, True, True),
        (["check", "bet 50", "bet 100"], 80, False, True),
        (["check", "bet 33", "bet 66", "bet 150", "all in 400"], 80, False, False),
        (["check", "bet 33", "bet 66", "bet 150", "all in 400"], 120, True, True),
    ):
        share = np.full(len(actions), 1 / len(actions))
        made = next_table(game, [NextCard((51,), 0.1, 0.5, (1.0, -1.0), 0, actions, share)], 0.4, True, width)
        console = Console(width=width, force_terminal=True, color_system="truecolor")
        with console.capture() as shown:
            console.print(made)
        row = next(line for line in shown.get().splitlines() if "As" in line)
        assert (row.count("48;2;") > 0) == barred
        assert ("49.00" in row) == chips, row  # half of the pot less 1
        if barred:
            plain = Text.from_ansi(row).plain
            assert len(plain.rstrip("\n")) <= width and plain.endswith(" " * BAR)
