"""What the command line draws: small things that are easily got wrong."""

import io
import math
import threading
import time
from types import SimpleNamespace

import numpy as np
import pytest
from rich.console import Console
from rich.table import Table
from rich.text import Text

from fogtree.cli.screen import figures, grid, live, matched
from fogtree.measure.curve import Curve
from fogtree.walk.slices import Progress


def test_a_sparkline_is_logarithmic():
    assert figures.sparkline([1, 0.1, 0.01, 0.001, 1e-4, 1e-5, 1e-6, 1e-7], 8) == "█▇▆▅▄▃▂▁"


def test_a_sparkline_keeps_its_width_and_both_ends():
    line = figures.sparkline([2.0**-i for i in range(1000)], 10)
    assert (len(line), line[0], line[-1]) == (10, "█", "▁")


@pytest.mark.parametrize("values", [[], [0.0], [math.inf], [math.nan, -1.0]])
def test_a_sparkline_of_nothing_that_has_a_logarithm_is_empty(values):
    assert figures.sparkline(values, 10) == ""


def test_a_sparkline_of_one_height_is_flat():
    assert figures.sparkline([0.5, 0.5], 10) == "▁▁"


@pytest.mark.parametrize(
    ("total", "digits"), [(1.0, 4), (0.01, 4), (0.001, 5), (0.00098, 6), (1e-16, 12), (-1e-17, 12)]
)
def test_a_value_is_printed_as_far_as_it_is_certain(total, digits):
    assert figures.places(total) == digits


def test_zero_has_no_minus():
    assert figures.decimal(-1e-9, 4) == "0.0000"
    assert figures.decimal(-0.5, 2) == "-0.50"


def test_prose_is_broken_anew_where_a_screen_is_narrow_and_what_is_drawn_is_not():
    prose = "Both put one coin into the pot,\nand the higher card takes it.\n\n"
    prose += "* hidden: nobody sees it;\n  else both do.\n* open: all"
    assert figures.narrowed(prose, 80) == prose
    assert figures.narrowed(prose, 20).splitlines() == [
        "Both put one coin",
        "into the pot, and",
        "the higher card",
        "takes it.",
        "",
        "* hidden: nobody",
        "  sees it; else both",
        "  do.",
        "* open: all",
    ]
    drawn = "a row of it:\n    1 2 3 4 5 6 7 8 9 10 11 12"
    assert figures.narrowed(drawn, 20) == drawn


def printed(table, width):
    console = Console(file=io.StringIO(), width=width)
    console.print(table)
    return console.file.getvalue()


def test_names_and_numbers_go_on_in_the_next_line_where_a_screen_is_narrow():
    table = figures.columns(["agent"], ["won"], rows=[("phantom-ttt:rules=forced-centre", "123,456,789")])
    text = printed(table, 24)
    assert "…" not in text and sum(map(str.isdigit, text)) == 9 and "forced" in "".join(text.split())


def histories(done):
    return Progress("histories", done)


def test_the_pace_counts_from_the_first_call_and_anew_when_the_number_falls(monkeypatch):
    clock = iter([10.0, 11.0, 12.0, 14.0])
    monkeypatch.setattr(live.time, "perf_counter", lambda: next(clock))
    pace = live.Pace()
    assert pace(histories(1_000_000)) == "1,000,000 histories"
    assert pace(histories(4_000_000)) == "4,000,000 histories, 3.0 million a second"
    assert pace(histories(500_000)) == "500,000 histories"  # another walk
    assert pace(histories(1_500_000)) == "1,500,000 histories, 0.5 million a second"


def test_a_live_line_shows_what_it_is_told_and_only_on_a_terminal(monkeypatch, capsys):
    def watched():
        with live.watch("compiling") as look:
            look(histories(1_234))
        return capsys.readouterr().err

    monkeypatch.delenv("FORCE_COLOR", raising=False)
    assert watched() == ""
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "1,234 histories" in watched()


def lines_in_a_pipe(monkeypatch, capsys, shown):
    """What long work prints to stderr where that is no terminal: `shown(wait)` works, and waits for the next line."""
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    monkeypatch.setattr(live, "BETWEEN_LINES", 0.01)
    monkeypatch.setattr(live, "MOST_BETWEEN", 0.01)
    lines = list[str]()

    def wait():
        until, before = time.monotonic() + 10, len(lines)
        while len(lines) < before + 2 and time.monotonic() < until:  # the first may have been on its way
            time.sleep(0.01)
            lines.extend(capsys.readouterr().err.splitlines())
        return lines[-1]

    return shown(wait)


def test_long_work_in_a_pipe_says_now_and_then_how_far_it_is(monkeypatch, capsys):
    def shown(wait):
        with live.watch("counting") as look:
            assert wait() == "counting, 0 s"
            look(histories(1_234))
            assert wait() == "1,234 histories, 0 s"
        with live.live_table() as update:
            assert wait() == "preparing the work, 0 s"
            update(Table("agents", "matches"), live.counted(Progress("matches", 5, 1000)))
            assert wait() == "5 of 1,000 matches, 0 s"
        with live.steps() as look:
            assert wait() == "preparing the work, 0 s"

    lines_in_a_pipe(monkeypatch, capsys, shown)


def test_work_of_a_moment_says_nothing_in_a_pipe_and_leaves_no_thread(monkeypatch, capsys):
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    before = threading.active_count()
    with live.watch("counting") as look, live.live_table() as update:
        look(histories(1))
        update(Table("agents"), "all")
    assert capsys.readouterr().err == "" and threading.active_count() == before


def curve(*rows):
    total = np.array(rows, float)
    return Curve("rm", np.array([100, 1000, 10_000]), np.full(total.shape, 0.5), total)


def test_a_curve_ends_where_a_share_of_its_runs_ends():
    found = curve([1, 0.5, 0.2], [1, 0.5, math.nan], [1, math.nan, math.nan], [math.nan] * 3)  # the last has not begun
    assert [len(found.reached_by(share).iterations) for share in (0.1, 0.5, 1.0)] == [3, 2, 1]
    assert found.reached_by(0.5).total.shape == (4, 2)


def test_small_shares_of_a_mix_are_summed_up():
    assert matched._mix({"a": 0.004, "b": 0.6, "c": 0.39, "d": 0.003, "e": 0.003}) == "b=60%, c=39%, others=1%"


def test_a_table_that_grows_says_when_the_compiler_is_at_work(monkeypatch):
    terminal = io.StringIO()
    monkeypatch.setattr(live, "console", lambda stderr: Console(file=terminal, force_terminal=True, width=80))
    for ours, theirs in (("", False), ("walk", False), ("", True)):
        monkeypatch.setattr(live, "compiling", lambda ours=ours: ours)
        monkeypatch.setattr(live, "workers_compile", lambda theirs=theirs: theirs)
        terminal.truncate(0)
        with live.live_table() as update:
            update(Table("agents", "matches"))
        assert ("compiling (the first time only), 0 s" in terminal.getvalue()) == bool(ours or theirs)
        assert "0 s, Ctrl-C stops" in terminal.getvalue() and "matches" in terminal.getvalue()


def test_a_player_who_thinks_while_the_compiler_works_says_so(monkeypatch):
    terminal = io.StringIO()
    monkeypatch.setattr(live, "console", lambda stderr: Console(file=terminal, force_terminal=True, width=80))
    monkeypatch.setattr(live, "compiling", lambda: "search")
    with live.thinking(1):
        pass
    assert "compiling (the first time only), player 1 is thinking" in terminal.getvalue()


def test_a_cell_of_the_grid_is_painted_as_long_as_each_action_is_played():
    # six letters: a half, a third and a sixth of them
    text = Text()
    grid._bar(text, "AKs   ", np.array([3.0, 0.0, 2.0, 1.0]), ["red", "green", "blue", "black"])
    assert text.plain == "AKs   "
    assert [str(span.style).split()[-1] for span in text.spans] == ["red"] * 3 + ["blue"] * 2 + ["black"]


def test_what_is_exact_what_is_estimated_and_what_is_not_known_is_told():
    judged = {
        "rm": SimpleNamespace(runs=0, why=""),
        "uct": SimpleNamespace(runs=50, why=""),
        "mine": SimpleNamespace(runs=0, why="it does not tell how it mixes"),
    }
    words, unknown = matched.judged_words(judged)
    assert "; exact for rm; for the others estimated from 50 searches" in words
    assert unknown == "not known for mine: it does not tell how it mixes"
