"""Runs: what is done is kept, whatever happens next, and done once."""

import contextlib
import csv
import importlib.metadata
import multiprocessing
import os
import pathlib
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter

import joblib
import numpy as np
import pytest
from joblib.externals.loky.process_executor import TerminatedWorkerError

from fogtree import Invalid, Kuhn
from fogtree.runs import Run, export, machine, pieces_of, stored_run, stored_runs, workers
from fogtree.runs.identity import basis
from fogtree.runs.store import FORMAT, _opened
from waiting import wait_until

PIECES = [{"seed": seed} for seed in range(8)]
SQUARES = [{"square": seed * seed} for seed in range(8)]
NOBODY = 65534
TESTS = [str(folder) for folder in pathlib.Path(__file__).parents[:2]]  # this folder, and the helpers' one

fork = multiprocessing.get_context("fork")


# --- tasks, which leave a line in a log when they begin --------------------------------------------------------------


def square(seed, log=None, die_at=None, by=signal.SIGKILL, wait=0.0):
    """The square of the seed. At one seed, the first time that it is met, a signal hits the process that works on it."""
    if log:
        first = str(seed) not in begun(log)
        with open(log, "a") as file:
            file.write(f"{seed} {os.getpid()}\n")
        if seed == die_at and first:
            os.kill(os.getpid(), by)
    time.sleep(wait)
    return {"square": seed * seed}


def fail_at_three(seed, log):
    square(seed, log)
    if seed == 3:
        wait_until(lambda: stored_runs(pathlib.Path(log).with_name("runs.sqlite"))[-1].done >= 3)  # those before it
        raise ZeroDivisionError("three is too much")
    return {"square": seed * seed}


def large(seed):
    return {"text": f"{seed}" * 100_000}


def begun(log) -> Counter:
    """How often each seed was begun."""
    return Counter(line.split()[0] for line in lines(log))


def lines(log) -> list[str]:
    return pathlib.Path(log).read_text().splitlines() if os.path.exists(log) else []


def logged(log, **more):
    return [piece | {"log": str(log)} | more for piece in PIECES]


# --- processes to try things in --------------------------------------------------------------------------------------


def in_a_fork(function, *arguments):
    """What a function returns, or the sentence of its Invalid, from a process of its own; None if that was killed."""
    mine, yours = fork.Pipe(duplex=False)

    def work():
        try:
            yours.send(function(*arguments))
        except Invalid as error:
            yours.send(str(error))

    process = fork.Process(target=work)
    process.start()
    yours.close()
    try:
        return mine.recv()
    except EOFError:
        return None
    finally:
        process.join(30)


def mapped(store, name="squares", task=square, pieces=PIECES, cores=1):
    return Run(store, name, task, {}).map(pieces, cores=cores)


def as_a_stranger(store):
    """A process that may write only where everybody may. All code is loaded and read before, for a stranger may not be
    allowed to read it: the clone may lie in somebody's private folder."""
    run = Run(store, "squares", square, {})
    if os.getuid() == 0:
        os.setuid(NOBODY)
    return run.map(PIECES, cores=1)


def with_a_small_disk(store, bytes):
    resource.setrlimit(resource.RLIMIT_FSIZE, (bytes, bytes))
    return mapped(store, task=large)


# --- what a run is ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("store", [None, "runs.sqlite"])
def test_results_come_in_the_order_of_the_pieces(store, tmp_path):
    assert mapped(store and tmp_path / store) == SQUARES


def test_two_cores_give_what_one_gives_and_pieces_are_done_once(tmp_path):
    log = tmp_path / "log"
    assert mapped(tmp_path / "runs.sqlite", pieces=logged(log), cores=2) == SQUARES
    assert begun(log) == Counter(map(str, range(8)))
    assert mapped(tmp_path / "runs.sqlite", pieces=logged(log), cores=2) == SQUARES
    assert begun(log) == Counter(map(str, range(8)))


def test_more_pieces_of_the_same_run_go_on_from_those_that_there_are(tmp_path):
    log, steps = tmp_path / "log", []
    mapped(tmp_path / "runs.sqlite", pieces=logged(log)[:5])
    run = Run(tmp_path / "runs.sqlite", "squares", square, {})
    assert run.map(logged(log), cores=1, progress=steps.append) == SQUARES
    assert set(begun(log).values()) == {1}
    assert [(now.what, now.done, now.goal) for now in steps] == [("pieces", n, 8) for n in range(1, 9)]
    assert [now.detail.left is None for now in steps] == [True] * 5 + [False] * 3 and steps[-1].detail.left == 0
    assert steps[6].detail.piece["seed"] == 6 and steps[6].detail.result == {"square": 36}


def test_a_changed_parameter_is_another_run(tmp_path):
    store = tmp_path / "runs.sqlite"
    one, same, other = (
        Run(store, "a", square, p) for p in ({"x": 1, "y": [2]}, {"y": [2], "x": 1}, {"x": 1, "y": [3]})
    )
    assert one.id == same.id and one.id != other.id and one.id != Run(store, "b", square, {"x": 1, "y": [2]}).id
    assert one.map(PIECES[:2], cores=1) == SQUARES[:2]
    other.map(PIECES[:1], cores=1)
    assert {(known.id, known.done) for known in stored_runs(store)} == {(one.id, 2), (other.id, 1)}


# --- what a run rests on ---------------------------------------------------------------------------------------------


def identity_of(task=square, parameters=None, games=()):
    return Run(None, "squares", task, parameters or {}, games=games).id


def test_an_edited_file_that_a_parameter_names_is_another_run(tmp_path):
    game, beside, plan = tmp_path / "my_game.py", tmp_path / "cards.py", tmp_path / "plan.npz"
    game.write_text("import os\nfrom cards import deck\n")
    beside.write_text("import more.rules\ndeck = 3\n")
    plan.write_bytes(b"1")
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "rules.py").write_text("x = 1\n")
    texts = [f"{game}:MyGame:size=4", f"strategy:{plan}", "matrix:payoffs=[[1,0.5],[0,1]]", "uct:c=1.5"]
    given = {"agents": texts, "seed": 0}
    known = {identity_of(parameters=given)}
    assert set(basis(square, given)[0]["files"]) == {str(p) for p in (game, beside, plan, tmp_path / "more/rules.py")}
    for file in (game, beside, plan, tmp_path / "more" / "rules.py"):
        file.write_text(file.read_text() + "# edited\n")
        assert identity_of(parameters=given) not in known, file
        known.add(identity_of(parameters=given))
    (tmp_path / "other.py").write_text("nobody imports this")
    assert identity_of(parameters=given) in known


def test_a_named_file_needs_no_ending_to_count(tmp_path):
    plan = tmp_path / "plan"  # as `fogtree solve kuhn --save plan` writes it
    plan.write_bytes(b"1")
    given = {"agents": [f"strategy:{plan}", "random"]}
    before = identity_of(parameters=given)
    plan.write_bytes(b"2")
    assert identity_of(parameters=given) != before


def test_other_rules_another_fogtree_and_another_task_are_other_runs(monkeypatch):
    class Next(Kuhn):
        def version(self):
            return 2

    Next.__name__ = "Kuhn"
    one = identity_of(games=[Kuhn()])
    assert one == identity_of(games=[Kuhn(), Kuhn()])
    assert (
        len({one, identity_of(games=[Kuhn(4)]), identity_of(games=[Next()]), identity_of(large, games=[Kuhn()])}) == 4
    )
    monkeypatch.setattr(importlib.metadata, "version", lambda name: "99.0.0")
    assert identity_of(games=[Kuhn()]) != one


def test_stored_runs_of_older_versions_are_told_of(tmp_path):
    mapped(tmp_path / "s")
    with sqlite3.connect(tmp_path / "s") as other:
        other.execute("UPDATE run SET parameters = '{\"x\":1}'")
    other.close()
    (known,) = stored_runs(tmp_path / "s")
    assert (known.parameters, known.basis) == ({"x": 1}, {})


def test_what_a_run_wants_is_what_it_was_last_asked_for(tmp_path):
    for count in (5, 8, 3):
        mapped(tmp_path / "s", pieces=PIECES[:count])
        assert stored_runs(tmp_path / "s")[0].wanted == count


def test_a_finished_piece_survives_a_power_cut(tmp_path):
    # SQLite's word for it: 2 is FULL, which waits until the disk has each transaction
    with _opened(tmp_path / "s") as store:
        assert store.execute("PRAGMA synchronous").fetchone() == (2,)
        assert store.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_workers_may_die_as_often_as_they_like_while_pieces_get_done(monkeypatch):
    # a cluster of workers that finish one piece and die, again and again: only deaths in a row count
    class OnePieceAndDead:
        def __init__(self, **how):
            pass

        def __call__(self, work):
            _, (task, index, piece, _), _ = next(iter(work))
            yield workers.do(task, index, piece)
            raise TerminatedWorkerError("killed")

    monkeypatch.setattr(joblib, "Parallel", OnePieceAndDead)
    assert len(PIECES) > workers.LOSSES
    assert mapped(None, cores=2) == SQUARES


def test_numbers_come_back_exactly(tmp_path):
    values = [0.1 + 0.2, 1e-320, -0.0, 2**63, float("inf")]
    first = Run(tmp_path / "s", "n", list_of, {}).map([{"values": values}], cores=1)
    again = Run(tmp_path / "s", "n", list_of, {}).map([{"values": values}], cores=1)
    assert repr(first) == repr(again) == repr([values])


def list_of(values):
    return tuple(values)


def array(seed):
    return {"square": np.int64(seed)}


@pytest.mark.parametrize("cores", [1, 2])
def test_what_json_cannot_hold_is_a_sentence(cores):
    sentence = "^a run keeps parameters, arguments and results that JSON can hold: Object of type "
    with pytest.raises(Invalid, match=sentence + "int64 is not JSON serializable$"):
        Run(None, "arrays", array, {}).map(PIECES, cores=cores)
    with pytest.raises(Invalid, match=sentence + "set "):
        Run(None, "squares", square, {"x": {1, 2}})
    with pytest.raises(Invalid, match=sentence + "complex "):
        Run(None, "squares", square, {}).map([{"seed": 1j}])


def test_the_same_piece_twice_is_refused():
    with pytest.raises(Invalid, match="a piece is given twice"):
        mapped(None, pieces=[{"seed": 1}, {"seed": 1}])


def test_each_piece_is_on_the_disk_before_the_next_is_told_of(tmp_path):
    # another connection sees committed transactions only
    store, counts = tmp_path / "runs.sqlite", []

    def look(step):
        other = sqlite3.connect(store)
        counts.append((step.done, other.execute("SELECT count(*) FROM piece").fetchone()[0]))
        other.close()

    Run(store, "squares", square, {}).map(PIECES, cores=1, progress=look)
    assert counts == [(n, n) for n in range(1, 9)]


# --- what can happen -------------------------------------------------------------------------------------------------


def test_a_killed_run_goes_on_and_ends_with_the_numbers_of_an_unbroken_one(tmp_path):
    store, log = tmp_path / "runs.sqlite", tmp_path / "log"
    pieces = logged(log, die_at=5)
    assert in_a_fork(mapped, store, "squares", square, pieces) is None  # kill -9 in the middle of the sixth piece
    assert stored_runs(store)[0].done == 5
    assert mapped(store, pieces=pieces) == SQUARES
    assert begun(log) == Counter(map(str, range(8))) + Counter("5")  # only what was not finished is done again


def test_a_dead_worker_costs_its_piece_and_no_more(tmp_path):
    store, log = tmp_path / "runs.sqlite", tmp_path / "log"
    assert mapped(store, pieces=logged(log, die_at=5), cores=2) == SQUARES
    assert begun(log)["5"] == 2 and stored_runs(store)[0].done == 8


def test_workers_that_always_die_are_given_up_with_a_sentence(tmp_path, monkeypatch):
    monkeypatch.setattr(workers, "LOSSES", 1)
    with pytest.raises(Invalid, match=r"workers ended 1 times in a row.* memory for 2 of them, or a game or an agent"):
        mapped(tmp_path / "runs.sqlite", pieces=logged(tmp_path / "log", die_at=2), cores=2)
    assert mapped(tmp_path / "runs.sqlite", pieces=logged(tmp_path / "log", die_at=2)) == SQUARES


def test_workers_end_with_a_killed_run_and_leave_no_lock(tmp_path):
    store, log = tmp_path / "runs.sqlite", tmp_path / "log"
    script = (
        f"import test_runs; test_runs.mapped({str(store)!r}, pieces=test_runs.logged({str(log)!r}, wait=60), cores=2)"
    )
    path = os.pathsep.join([*TESTS, os.environ.get("PYTHONPATH", "")])
    run = subprocess.Popen([sys.executable, "-c", script], env=os.environ | {"PYTHONPATH": path})
    wait_until(lambda: len(lines(log)) >= 2)
    run.kill()
    run.wait()
    workers = {int(line.split()[1]) for line in lines(log)}
    assert len(workers) == 2
    wait_until(lambda: not any(lives(worker) for worker in workers))
    assert mapped(store) == SQUARES  # nobody holds it


def lives(process: int) -> bool:
    try:
        status = pathlib.Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


def test_ctrl_c_keeps_what_is_done(tmp_path):
    store, log = tmp_path / "runs.sqlite", tmp_path / "log"
    pieces = logged(log, die_at=3, by=int(signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        mapped(store, pieces=pieces)
    assert stored_runs(store)[0].done == 3
    assert mapped(store, pieces=pieces) == SQUARES


def test_ctrl_c_ends_the_workers(tmp_path):
    store, log = tmp_path / "runs.sqlite", tmp_path / "log"

    def interrupt(step):
        if step.done == 2:
            os.kill(os.getpid(), signal.SIGINT)

    pieces = [piece | {"wait": 60.0 * (piece["seed"] > 2)} for piece in logged(log)]
    with pytest.raises(KeyboardInterrupt):
        Run(store, "squares", square, {}).map(pieces, cores=2, progress=interrupt)
    assert 2 <= stored_runs(store)[0].done <= 3
    wait_until(lambda: not any(lives(int(line.split()[1])) for line in lines(log)))


@pytest.mark.parametrize("cores", [1, 2])
def test_an_error_in_a_piece_is_the_callers_and_what_is_done_is_kept(tmp_path, cores):
    store = tmp_path / "runs.sqlite"
    with pytest.raises(ZeroDivisionError, match="three is too much"):
        mapped(store, task=fail_at_three, pieces=logged(tmp_path / "log")[:5], cores=cores)
    assert stored_runs(store)[0].done in (3, 2 + cores)  # those before it, and with two cores perhaps the one beside it


# --- two at once -----------------------------------------------------------------------------------------------------


def test_a_second_process_on_the_same_run_is_told_so_and_does_nothing(tmp_path):
    store, log, heard = tmp_path / "runs.sqlite", tmp_path / "log", []

    def meanwhile(step):
        if step.done == 3:
            heard.append(in_a_fork(mapped, store, "squares", square, logged(log)))
            heard.append(in_a_fork(mapped, store, "other"))

    assert Run(store, "squares", square, {}).map(logged(log), cores=1, progress=meanwhile) == SQUARES
    assert heard[0].startswith("another process is at work on this run (squares, ") and heard[0].count("\n") == 0
    assert heard[1] == SQUARES  # another run in the same file is free
    assert set(begun(log).values()) == {1}
    assert sorted(os.listdir(tmp_path)) == ["log", "runs.sqlite"]  # no lock is left


# --- files that are not as they should be ----------------------------------------------------------------------------


def damaged(path, how):
    """A file of runs that something happened to."""
    mapped(path)
    if how == "no database":
        path.write_bytes(b"wins,draws\n1,2\n" * 100)
    elif how == "cut":
        path.write_bytes(path.read_bytes()[:5000])
    elif how == "overwritten":
        whole = path.read_bytes()
        path.write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))
    else:
        with sqlite3.connect(path) as other:
            if how == "newer":
                other.execute(f"PRAGMA user_version = {FORMAT + 1}")
            elif how == "another's":
                other.execute("PRAGMA application_id = 7")
            elif how == "garbled":
                other.execute("UPDATE piece SET result = 'x' WHERE key LIKE '%3%'")
        other.close()


@pytest.mark.parametrize(
    "how, sentence",
    [
        ("no database", "is no results file, or it is damaged: file is not a database"),
        ("cut", "is no results file, or it is damaged"),
        ("overwritten", "is no results file, or it is damaged"),
        ("garbled", "is no results file, or it is damaged"),
        ("newer", r"was written by a newer Fogtree \(format 2, this one knows 1\): update it"),
        ("another's", "is a database, but not one of Fogtree's runs"),
    ],
)
def test_a_file_that_is_not_ours_or_not_whole_is_refused_and_left_as_it_is(tmp_path, how, sentence):
    path = tmp_path / "runs.sqlite"
    damaged(path, how)
    before = path.read_bytes()
    with pytest.raises(Invalid, match=sentence) as caught:
        mapped(path)
    assert "\n" not in str(caught.value) and str(path) in str(caught.value)
    assert path.read_bytes() == before
    with pytest.raises(Invalid):
        pieces_of(path, Run(path, "squares", square, {}).id)


def test_where_nothing_can_be_written_is_said_before_the_work():
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o555)  # nobody may write, and who may do all the same becomes a stranger
        path = pathlib.Path(folder) / "runs.sqlite"
        for store in (path, path / "deeper", pathlib.Path(folder) / "none" / "runs.sqlite"):
            heard = in_a_fork(as_a_stranger, store)
            assert f"the results file {store} cannot be used" in heard and "\n" not in heard
        os.chmod(folder, 0o755)
        mapped(path, pieces=PIECES[:3])
        os.chmod(path, 0o444)
        os.chmod(folder, 0o555)
        before = path.read_bytes()
        heard = in_a_fork(as_a_stranger, path)
        assert str(path) in heard and "\n" not in heard
        assert path.read_bytes() == before
        os.chmod(folder, 0o755)
        os.chmod(path, 0o644)
        assert mapped(path) == SQUARES


def read_as_a_stranger(store):
    if os.getuid() == 0:
        os.setuid(NOBODY)
    (known,) = stored_runs(store)
    return [result for _, result, _ in pieces_of(store, known.id)]


def test_what_cannot_be_written_to_can_be_read():
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o555)
        path = pathlib.Path(folder) / "100 % runs?.sqlite"
        mapped(path)
        os.chmod(path, 0o444)
        assert in_a_fork(read_as_a_stranger, path) == SQUARES
        assert os.listdir(folder) == [path.name]


def test_to_read_an_empty_file_leaves_it_empty(tmp_path):
    empty = tmp_path / "results.txt"
    empty.touch()
    with pytest.raises(Invalid, match=r"there are no runs yet: .*results.txt is empty"):
        stored_runs(empty)
    assert empty.read_bytes() == b""


def test_a_store_is_a_file_whatever_its_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert mapped(":memory:") == SQUARES and len(stored_runs(":memory:")) == 1
    assert os.listdir() == [":memory:"]
    with pytest.raises(Invalid, match="the results file has no name"):
        mapped("")


def test_a_full_disk_is_a_sentence_and_loses_nothing(tmp_path):
    store = tmp_path / "runs.sqlite"
    heard = in_a_fork(with_a_small_disk, store, 600_000)  # each piece is 100,000 bytes
    assert f"the results file {store} cannot be used" in heard and "\n" not in heard
    assert heard.endswith("; what was stored before is kept, and the same command goes on from there")
    kept = stored_runs(store)[0].done
    assert 1 <= kept < 8
    assert mapped(store, task=large) == [large(seed) for seed in range(8)]
    assert stored_runs(store)[0].done == 8


# --- what the store tells --------------------------------------------------------------------------------------------


def test_records_say_what_a_run_was_and_how_far_it_is(tmp_path):
    store = tmp_path / "runs.sqlite"
    run = Run(store, "squares", fail_at_three, {"x": 1})
    with pytest.raises(ZeroDivisionError):
        run.map(logged(tmp_path / "log"), cores=1)
    known = stored_run(store, run.id[:4])
    assert (known.id, known.name, known.parameters, known.done, known.wanted) == (run.id, "squares", {"x": 1}, 3, 8)
    assert known.machine == machine() and known.seconds >= 0
    found = pieces_of(store, run.id)
    assert [(piece["seed"], result) for piece, result, _ in found] == [(n, {"square": n * n}) for n in range(3)]


def test_an_export_has_a_column_for_each_argument_and_each_entry(tmp_path):
    run = Run(tmp_path / "s", "mixed", mixed, {})
    run.map([{"seed": 1}, {"seed": 2}], cores=1)
    assert export(tmp_path / "s", run.id, tmp_path / "out.csv") == 2
    with open(tmp_path / "out.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [{k: v for k, v in row.items() if k != "seconds"} for row in rows] == [
        {"seed": "1", "text": "a,b", "list": "[1,2]"},
        {"seed": "2", "text": "a,b", "list": "[2,2]"},
    ]
    assert all(float(row["seconds"]) >= 0 for row in rows)


def test_an_export_keeps_arguments_and_results_of_the_same_name_apart(tmp_path):
    run = Run(tmp_path / "s", "same", same_names, {})
    run.map([{"games": 1}, {"games": 2}], cores=1)
    export(tmp_path / "s", run.id, tmp_path / "out.csv")
    head, *rows = (tmp_path / "out.csv").read_text().splitlines()
    assert head == "games,result games,result seconds,seconds"
    assert [row.split(",")[:3] for row in rows] == [["1", "10", "7"], ["2", "20", "7"]]


def same_names(games):
    return {"games": 10 * games, "seconds": 7}


def test_an_export_does_not_replace_the_results(tmp_path):
    run = Run(tmp_path / "s", "mixed", mixed, {})
    run.map([{"seed": 1}], cores=1)
    with pytest.raises(Invalid, match="is the results file itself: name another one to write to"):
        export(tmp_path / "s", run.id, tmp_path / "s")
    assert len(pieces_of(tmp_path / "s", run.id)) == 1


def mixed(seed):
    return {"text": "a,b", "list": [seed, 2]}


def test_runs_that_are_not_there_are_a_sentence(tmp_path):
    with pytest.raises(Invalid, match=r"there are no runs yet: .*nothing.sqlite is not there"):
        stored_runs(tmp_path / "nothing.sqlite")
    assert not (tmp_path / "nothing.sqlite").exists()
    mapped(tmp_path / "s")
    mapped(tmp_path / "s", "other")
    with pytest.raises(Invalid, match=r"no run begins with 'zz': .* has "):
        stored_run(tmp_path / "s", "zz")
    with pytest.raises(Invalid, match="more than one run begins with ''"):
        stored_run(tmp_path / "s", "")


# --- clusters --------------------------------------------------------------------------------------------------------


def test_a_cluster_that_is_not_there_is_a_sentence(monkeypatch):
    with pytest.raises(Invalid, match="there is nothing to run on called 'moon': valid are ray and ray://ADDRESS"):
        Run(None, "squares", square, {}).map(PIECES, on="moon")
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(Invalid, match=r"ray is not installed: pip install 'ray\[client\]'"):
        Run(None, "squares", square, {}).map(PIECES, on="ray")


@pytest.mark.slow
def test_ray_does_the_pieces_of_a_killed_worker_again(tmp_path, monkeypatch):
    """A real Ray of this machine, two workers, one of them killed half way."""
    pytest.importorskip("ray")
    with pytest.raises(Invalid, match="has not what the task needs: ModuleNotFoundError: No module named 'test_runs'"):
        Run(None, "elsewhere", square, {}).map(PIECES, cores=1, on="ray")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(TESTS))
    store, log = tmp_path / "runs.sqlite", tmp_path / "log"
    run = Run(store, "squares", square, {})
    assert run.map(logged(log, die_at=4, wait=0.1), cores=2, on="ray") == SQUARES
    assert begun(log) == Counter(map(str, range(8))) + Counter("4")
    killed, another = (line.split()[1] for line in lines(log) if line.startswith("4 "))
    assert killed != another and stored_runs(store)[0].done == 8
    with pytest.raises(ZeroDivisionError, match="three is too much"):
        Run(store, "failing", fail_at_three, {}).map(logged(tmp_path / "other"), cores=2, on="ray")
    with pytest.raises(Invalid, match=r"there is no Ray cluster to be had at ray://127.0.0.1:9"):
        Run(store, "far", square, {}).map(PIECES, on="ray://127.0.0.1:9")


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE piece SET result = NULL",
        "UPDATE piece SET result = 'no JSON'",
        "UPDATE piece SET key = '[1, 2]'",
        "UPDATE run SET parameters = NULL",
        "UPDATE run SET parameters = '[]'",
        "UPDATE run SET name = x'00ff'",
    ],
)
def test_a_store_with_a_hole_is_refused_in_a_sentence(damage, tmp_path):
    file = tmp_path / "store.sqlite"
    Run(file, "squares", square, {}).map([{"seed": 0}], cores=1)
    with contextlib.closing(sqlite3.connect(file)) as store, store:
        store.execute(damage)
    with pytest.raises(Invalid, match=r"store.sqlite is no results file, or it is damaged: "):
        for known in stored_runs(file):
            pieces_of(file, known.id)
