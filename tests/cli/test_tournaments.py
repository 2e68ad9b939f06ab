"""`fogtree tournament` and `fogtree runs` as a user meets them."""

import csv
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

import numba
import pytest
from typer.testing import CliRunner

from fogtree import ISMCTS, Kuhn, RegretMatching
from fogtree.cli import app
from fogtree.runs import stored_runs, workers

KUHN = ("tournament", "kuhn", "random", "uniform", "--cores", "1")


@pytest.fixture(autouse=True)
def plain(monkeypatch, tmp_path):
    """Interpreted, in a folder of its own, for that is where runs are kept."""
    monkeypatch.setattr(numba.config, "DISABLE_JIT", 1)
    monkeypatch.delenv("FOGTREE_DEBUG", raising=False)
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.chdir(tmp_path)


def run(*arguments: str):
    return CliRunner().invoke(app, arguments)


def prints(*arguments: str) -> str:
    result = run(*arguments)
    assert result.exit_code == 0, result.output
    assert result.stderr == "" and "\x1b" not in result.stdout
    return result.stdout


def sentence(*arguments: str, code: int = 2) -> str:
    result = run(*arguments)
    assert result.exit_code == code, result.output
    assert result.stdout == "" and result.stderr.count("\n") == 1
    return result.stderr


def cells(path="cells.csv") -> list[dict[str, str]]:
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


# --- tournament ------------------------------------------------------------------------------------------------------


def test_a_tournament_prints_its_matrix_and_its_ratings_and_writes_its_cells():
    text = prints(*KUHN, "--matches", "30", "--iterations", "20", "--csv", "cells.csv")
    found = cells()
    assert [(row["first"], row["second"], row["matches"]) for row in found] == [
        (first, second, "30")
        for first in ("random", "uniform:iterations=20")
        for second in ("random", "uniform:iterations=20")
    ]
    for row in found:
        assert f"{100 * float(row['rate']):.1f} %" in text
        assert f"{100 * float(row['low']):.1f} - {100 * float(row['high']):.1f}" in text
        assert f"{float(row['payoff']):+.3g}" in text
    # uniform play of Kuhn poker is exploitable by 11/12 (OpenSpiel's tests)
    assert re.search(r"^  random +[+-]\d+ \+- \d+ .* 60 +0\.9167 *$", text, re.MULTILINE)
    assert re.search(r"^  uniform:iterations=20 +[+-]\d+ \+- \d+ .* 60 +\d\.\d+ \+- \d\S* *$", text, re.MULTILINE)
    assert "exact for random; for the others estimated from 8 searches at each information set" in text
    assert "to play first is worth" in text and text.endswith("wrote cells.csv\n")


def test_the_same_seed_gives_the_same_cells_and_another_gives_others():
    for number, (seed, store) in enumerate((("1", "a"), ("1", "b"), ("2", "a"))):
        prints(
            *KUHN, "--matches", "30", "--iterations", "20", "--seed", seed, "--store", store, "--csv", f"{number}.csv"
        )
    one, same, other = (cells(f"{number}.csv") for number in range(3))
    assert one == same != other


def test_more_matches_go_on_from_those_that_are_stored(monkeypatch):
    played = []
    original = workers.do
    monkeypatch.setattr(workers, "do", lambda task, index, piece: played.append(piece) or original(task, index, piece))
    prints("tournament", "kuhn", "random", "--matches", "50", "--cores", "1")
    prints("tournament", "kuhn", "random", "--matches", "75", "--cores", "1")
    assert [piece["match"] for piece in played] == [0, 25, 50]
    (known,) = stored_runs("fogtree-runs.sqlite")
    assert known.parameters == {"game": "kuhn", "agents": ["random"], "seed": 0} and known.done == 3
    assert known.basis["rules"] == ["Kuhn(cards=3), rules version 1"]


def test_an_anchor_is_where_it_is_said_to_be():
    text = prints(*KUHN, "--matches", "25", "--iterations", "20", "--anchor", "uniform:iterations=20=1500")
    assert re.search(r"^  uniform:iterations=20 +\+1500 \+- 0 ", text, re.MULTILINE)


def test_another_model_of_draws_gives_other_ratings_of_the_same_matches_and_says_so():
    game = ("tournament", "goofspiel:cards=3", "random", "uniform:iterations=5", "--matches", "25", "--cores", "1")
    usual, other = (re.findall(r"[+-]\d+ \+- \d+", prints(*game, *more)) for more in ((), ("--draws", "rao-kupper")))
    assert len(usual) == len(other) == 3 and usual != other
    assert "(model of draws: rao-kupper)" in prints(*game, "--draws", "rao-kupper")
    assert "there is no model of draws 'elo': valid are davidson, rao-kupper" in sentence(*game, "--draws", "elo")


def test_one_agent_has_no_ratings_and_a_game_of_general_sum_no_exploitability():
    assert "rating" not in prints("tournament", "kuhn", "random", "--matches", "25", "--cores", "1")
    two = prints("tournament", "bimatrix", "random", "uniform:iterations=5", "--matches", "25", "--cores", "1")
    assert "rating" in two and "exploitability" not in two


def test_an_agent_of_ones_own_plays_and_is_left_out_where_it_does_not_tell_how_it_mixes():
    here = pathlib.Path(__file__).parent.parent / "arena" / "small_agents.py"
    text = prints("tournament", "kuhn", f"{here}:Counting:step=1", "random", "--matches", "25", "--cores", "1")
    assert f"not known for {here}:Counting:step=1: it does not tell how it mixes" in text
    assert re.search(r"^  random .* 0\.9167 *$", text, re.MULTILINE)
    (known,) = stored_runs("fogtree-runs.sqlite")
    assert known.basis["files"].keys() == {str(here)}
    shown = prints("runs", "show", known.id)
    assert re.search(rf"^file +{re.escape(str(here))}, digest \w+$", shown, re.MULTILINE)
    assert re.search(r"^rules +Kuhn\(cards=3\), rules version 1$", shown, re.MULTILINE)


def test_an_edited_strategy_file_is_another_run():
    for seed in (0, 1):
        ISMCTS(Kuhn(), RegretMatching(), seed).run(iterations=50).strategy().save("plan.npz")
        prints("tournament", "kuhn", "strategy:plan.npz", "random", "--matches", "25", "--cores", "1")
    one, other = stored_runs("fogtree-runs.sqlite")
    assert one.basis["files"].keys() == {"plan.npz"} and one.basis["files"] != other.basis["files"]
    assert one.done == other.done == 4


@pytest.mark.parametrize(
    "arguments, says",
    [
        (("kuhn",), "Missing argument"),
        (("kuhn", "nobody"), "there is no agent 'nobody'"),
        (("kuhn", "random", "random"), "random is given twice"),
        (("kuhn", "random", "--matches", "0"), "matches must be a whole number of 1 or more, not 0"),
        (("kuhn", "random", "--seed", "-1"), "seed"),
        (("kuhn", "random", "--anchor", "rm=5"), "--anchor is AGENT=RATING with one of random, not 'rm=5'"),
        (("kuhn", "random", "--anchor", "random=high"), "--anchor is AGENT=RATING"),
        (("kuhn", "random", "--anchor", "random=nan"), "--anchor is AGENT=RATING"),
        (("kuhn", "random", "--csv", "none/cells.csv"), "none/cells.csv cannot be written: there is no folder none"),
        (("kuhn", "random", "--store", "none/runs"), "the results file none/runs cannot be used"),
        (("kuhn", "random", "--on", "moon"), "valid are ray and ray://ADDRESS"),
        (("kuhns", "random"), "there is no game 'kuhns': did you mean kuhn?"),
    ],
)
def test_bad_input_is_a_sentence(arguments, says):
    result = run("tournament", *arguments)
    assert result.exit_code == 2 and says in result.stderr and "Traceback" not in result.output


def test_ctrl_c_prints_what_there_is_and_keeps_it():
    arguments = ["tournament", "kuhn", "random", "rm:iterations=200", "--matches", "2000", "--cores", "2"]
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-m", "fogtree", *arguments, "--csv", "cells.csv"]
    # a group of its own, for Ctrl-C in a terminal reaches the workers too
    started = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment, start_new_session=True
    )
    store, end = pathlib.Path("fogtree-runs.sqlite"), time.monotonic() + 90
    while not (store.exists() and stored_runs(store) and stored_runs(store)[0].done >= 2):
        assert time.monotonic() < end and started.poll() is None
        time.sleep(0.1)
    os.killpg(started.pid, signal.SIGINT)
    printed, said = started.communicate(timeout=60)
    assert started.returncode == 130
    last = said.strip().splitlines()[-1]  # a busy machine tells before how far it is
    assert last == "stopped; what is done is kept in fogtree-runs.sqlite, and the same command goes on from there"
    assert "first \\ second" in printed and printed.endswith("wrote cells.csv\n")
    stopped = {(row["first"], row["second"]): int(row["matches"]) for row in cells()}
    assert 50 <= sum(stopped.values()) == 25 * stored_runs(store)[0].done < 8000


# --- runs ------------------------------------------------------------------------------------------------------------


def test_runs_are_listed_shown_and_exported():
    prints("tournament", "kuhn", "random", "--matches", "550", "--cores", "1", "--seed", "4")
    (known,) = stored_runs("fogtree-runs.sqlite")
    listed = prints("runs")
    assert re.search(rf"^  {known.id} +tournament +.*game=kuhn, seed=4 .* 22/22 ", listed, re.MULTILINE)
    shown = prints("runs", "show", known.id[:5])
    assert re.search(r"^game +kuhn$", shown, re.MULTILINE) and re.search(r"^seed +4$", shown, re.MULTILINE)
    assert "22 of 22 pieces" in shown and f"and 2 more: fogtree runs export {known.id} --csv FILE has all" in shown
    assert prints("runs", "export", known.id, "--csv", "out.csv") == "wrote out.csv: 22 pieces\n"
    rows = cells("out.csv")
    assert sum(int(row["wins"]) + int(row["draws"]) + int(row["losses"]) for row in rows) == 550
    assert [int(row["match"]) for row in rows] == list(range(0, 550, 25))


def test_runs_that_cannot_be_told_of_are_a_sentence():
    assert "there are no runs yet: fogtree-runs.sqlite is not there" in sentence("runs")
    assert "nothing to do with runs called 'burn': valid are show and export" in sentence("runs", "burn")
    assert "show needs the ID of a run" in sentence("runs", "show")
    prints("tournament", "kuhn", "random", "--matches", "1", "--cores", "1")
    assert "no run begins with 'zz'" in sentence("runs", "show", "zz")
    known = stored_runs("fogtree-runs.sqlite")[0].id
    assert "export needs a file to write: --csv FILE" in sentence("runs", "export", known)
    assert "there is no folder none" in sentence("runs", "export", known, "--csv", "none/x.csv")


def test_how_many_openings_there_were_is_told():
    text = prints(
        "tournament", "goofspiel:cards=3", "random", "always:0", "--openings", "30", "--plies", "1", "--matches", "4"
    )
    assert "Each ordered pair played 3 matches, one from each opening of the 30 that were asked for" in text


def test_that_agents_without_dice_begin_from_openings_is_told():
    agents = "always:0", "always:8", "random"
    # not `prints`, for a slow machine tells its progress
    text = run("tournament", "tic-tac-toe", *agents, "--matches", "100", "--cores", "1").stdout
    begin = "which draw nothing, begin from random openings of 2 moves, each from another one"
    assert f"Matches among always:0 and always:8, {begin}: all 72 that the game has for an ordered pair" in text
    alone = run("tournament", "tic-tac-toe", *agents[::2], "--matches", "3", "--cores", "1").stdout
    assert "Matches of always:0 against itself, which draws nothing, begin from random openings" in alone
    assert "openings" not in prints("tournament", "kuhn", "always:0", "random", "--matches", "3", "--cores", "1")
