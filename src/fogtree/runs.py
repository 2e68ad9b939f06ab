"""Long work in independent, seeded pieces, each stored as soon as it is done.

A run is a name, a task (a function of a module) and parameters. A piece is a set of keyword arguments of the task, its seed
among them. Its result goes into one SQLite file in a transaction of its own. If the run is started again, only the missing
pieces are done, and the numbers are those of a run without a break.

    run = Run("fogtree-runs.sqlite", "coin", toss, {"sides": 2})
    results = run.map([{"seed": 0}, {"seed": 1}])      # on all cores; on="ray" takes a cluster

The identity of a run is all that can change the result of a piece: its name and parameters, the code of the task, the
contents of every file that a parameter names, the rules of the games and Fogtree's version (`basis`). A change in any of them
is another run, so no result is ever stale or mixed with others.
"""

import ast
import contextlib
import csv
import functools
import hashlib
import importlib.metadata
import inspect
import itertools
import json
import os
import pathlib
import platform
import signal
import sqlite3
import textwrap
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from .errors import FogtreeError, Invalid
from .files import appearing, fcntl, refusing
from .game import identity
from .walk.slices import Progress, Watcher

STORE = "fogtree-runs.sqlite"  # where commands keep their runs if not told otherwise
MARK, FORMAT = 0x466F6774, 1  # SQLite's application_id ("Fogt") and the layout of the tables
PATIENCE = 60.0  # seconds to wait while another process writes to the same file
HEARTBEAT = 1.0  # seconds between a worker's looks at whether its parent lives
NAMED = 8  # runs in a sentence
BASIS = "basis"  # under which the store keeps what a run rests on, among its parameters
SEPARATORS = ":,="  # between the words of a text that names a game or an agent
WORTH = 3.0  # seconds of work from which on it is worth starting other processes: each needs one to begin
LOSSES = 3  # times in a row that workers may die before a piece is done
TABLES = """
    CREATE TABLE run
        (id TEXT PRIMARY KEY, name TEXT, parameters TEXT, task TEXT, began TEXT, machine TEXT, version TEXT, wanted INT);
    CREATE TABLE piece (run TEXT, key TEXT, result TEXT, seconds REAL, ended TEXT, PRIMARY KEY (run, key));
"""


class Step(NamedTuple):
    """The `detail` of a run's progress. `progress` is called after each piece, and first for the pieces stored before."""

    piece: dict[str, Any]
    result: Any
    left: float | None  # seconds, as far as it can be told; None for a piece that was stored before


class StoredRun(NamedTuple):
    """What the store knows of a run."""

    id: str
    name: str
    parameters: dict[str, Any]
    basis: dict[str, Any]  # what its results rest on besides the parameters; empty in stores of older versions
    began: str
    machine: str
    version: str
    done: int  # pieces
    wanted: int  # pieces when it was last started
    seconds: float  # of work, over all cores


class Run:
    """One run in a store: a path, or None for one that lives in memory alone. `games` are those whose rules it rests on."""

    def __init__(
        self,
        store: str | os.PathLike | None,
        name: str,
        task: Callable[..., Any],
        parameters: dict[str, Any],
        *,
        games: Sequence[Any] = (),
    ):
        self.path, self.name, self.task, self.parameters = store, name, task, parameters
        self.basis = basis(task, parameters, games)
        self.id = hashlib.sha256(_spell([name, parameters, self.basis]).encode()).hexdigest()[:12]

    def map(
        self,
        pieces: Sequence[dict[str, Any]],
        *,
        cores: int | None = None,
        on: str | None = None,
        rehearse: Callable[[], float | None] | None = None,
        progress: Watcher | None = None,
    ) -> list[Any]:
        """task(**piece) for each piece, in their order, as JSON gives it back; only what is not stored is done.

        It uses all cores unless told how many. `progress` is called after each piece, with a `Step` as its detail. Ctrl-C and
        errors leave all that is done in the store.

        `rehearse` is called before other processes are started, if there is work for them. It compiles in this process what
        all of them will need, and returns how many seconds a piece will take, or None if it cannot say. Unless told how many
        cores to use, a run of a few seconds is then done in this process alone.
        """
        keys = [_spell(piece) for piece in pieces]
        if len(set(keys)) < len(keys):
            raise Invalid(f"{self.name}: a piece is given twice")
        place = {key: index for index, key in enumerate(keys)}
        found: list[Any] = [None] * len(pieces)
        with _opened(self.path) as store, _alone(self.path, self.id, self.name):
            self._register(store, len(pieces))
            with _sentences(self.path):
                rows = store.execute("SELECT key, result FROM piece WHERE run = ?", (self.id,)).fetchall()
                known = {key: json.loads(result) for key, result in rows if key in place}
            missing = [index for index, key in enumerate(keys) if key not in known]
            done, spent, began = 0, 0.0, time.perf_counter()

            def tell(index: int, left: float | None) -> None:
                nonlocal done
                done += 1
                if progress:
                    progress(Progress("pieces", done, len(pieces), Step(pieces[index], found[index], left)))

            for key, result in known.items():
                found[place[key]] = result
            for key in known:
                tell(place[key], None)
            first = done
            for index, text, seconds in _computed(self.task, pieces, missing, cores, on, rehearse):
                self._keep(store, keys[index], text, seconds)
                found[index] = json.loads(text)
                spent = time.perf_counter() - began
                tell(index, spent / (done + 1 - first) * (len(pieces) - done - 1))
        return found

    def _register(self, store: sqlite3.Connection, wanted: int) -> None:
        now = time.strftime("%Y-%m-%d %H:%M:%S")
        facts = (f"{self.task.__module__}.{self.task.__qualname__}", now, machine(), self.basis["fogtree"])
        row = (self.id, self.name, _spell(self.parameters | {BASIS: self.basis}), *facts, wanted)
        with _sentences(self.path), store:
            store.execute("INSERT OR IGNORE INTO run VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
            store.execute("UPDATE run SET wanted = ? WHERE id = ?", (wanted, self.id))

    def _keep(self, store: sqlite3.Connection, key: str, text: str, seconds: float) -> None:
        with _sentences(self.path, "; what was stored before is kept, and the same command goes on from there"), store:
            row = (self.id, key, text, seconds, time.strftime("%Y-%m-%d %H:%M:%S"))
            store.execute("INSERT OR IGNORE INTO piece VALUES (?, ?, ?, ?, ?)", row)


def stored_runs(path: str | os.PathLike) -> list[StoredRun]:
    """All runs of a store, the oldest first."""
    _exists(path)
    with _opened(path) as store, _sentences(path):
        rows = store.execute(
            "SELECT id, name, parameters, began, machine, version, "
            "(SELECT count(*) FROM piece WHERE run = id), wanted, "
            "(SELECT total(seconds) FROM piece WHERE run = id) FROM run ORDER BY began, id"
        ).fetchall()
        return [_stored(row) for row in rows]


def _stored(row: Sequence[Any]) -> StoredRun:
    """A row of the store; TypeError where it holds what Fogtree never writes."""
    id, name, written, began, where, version, done, wanted, seconds = row
    parameters = json.loads(written)
    if not isinstance(parameters, dict) or not all(isinstance(text, str) for text in (id, name, began, where, version)):
        raise TypeError("a run is not described as it should be")
    basis = parameters.pop(BASIS, {})
    if not isinstance(basis, dict) or not isinstance(wanted, int):
        raise TypeError("a run is not described as it should be")
    return StoredRun(id, name, parameters, basis, began, where, version, done, wanted, seconds)


def stored_run(path: str | os.PathLike, id: str) -> StoredRun:
    """The run whose id begins so."""
    all_runs = stored_runs(path)
    found = [known for known in all_runs if known.id.startswith(id)]
    if len(found) != 1:
        names = ", ".join(known.id for known in all_runs[-NAMED:]) or "none"
        names += f" and {len(all_runs) - NAMED} older ones" if len(all_runs) > NAMED else ""
        raise Invalid(
            f"{'no run' if not found else 'more than one run'} begins with '{id}': {os.fspath(path)} has {names}"
        )
    return found[0]


def pieces_of(path: str | os.PathLike, id: str) -> list[tuple[dict[str, Any], Any, float]]:
    """The (piece, result, seconds) that are stored of a run, in the order in which they were done."""
    known = stored_run(path, id)
    with _opened(path) as store, _sentences(path):
        query = "SELECT key, result, seconds FROM piece WHERE run = ? ORDER BY rowid"
        return [_piece(*row) for row in store.execute(query, (known.id,))]


def _piece(key: Any, text: Any, spent: Any) -> tuple[dict[str, Any], Any, float]:
    piece = json.loads(key)
    if not isinstance(piece, dict) or not isinstance(spent, (int, float)):
        raise TypeError("a piece is not described as it should be")
    return piece, json.loads(text), spent


def export(path: str | os.PathLike, id: str, out: str | os.PathLike) -> int:
    """Write a run's pieces as CSV: a column for each argument and each entry of a result; lists stay JSON."""
    stored = pieces_of(path, id)
    rows = [piece | (result if isinstance(result, dict) else {"result": result}) for piece, result, _ in stored]
    columns = list(dict.fromkeys(column for row in rows for column in row))
    with refusing(out), appearing(out, "t") as file:
        lines = csv.writer(file)
        lines.writerow([*columns, "seconds"])
        for row, (*_, seconds) in zip(rows, stored, strict=True):
            cells = [row.get(column, "") for column in columns]
            lines.writerow([_spell(c) if isinstance(c, (list, dict)) else c for c in cells] + [f"{seconds:.4g}"])
    return len(rows)


def machine() -> str:
    """The machine in a few words, for reports."""
    words = [platform.system(), platform.machine(), f"{os.cpu_count()} cores", f"Python {platform.python_version()}"]
    return ", ".join(words)


# --- what a run rests on -----------------------------------------------------------------------------------------


def basis(task: Callable[..., Any], parameters: Any, games: Sequence[Any] = ()) -> dict[str, Any]:
    """All that can change the result of a piece besides its arguments:

    fogtree   the version of this package
    task      a digest of the task's own code
    rules     the games, with their parameters and the versions of their rules
    files     digests of the files that texts among the parameters name: a user's game, bandit or agent with the modules
              beside it that it imports, a saved strategy, a family of games
    """
    found: dict[str, Any] = {"fogtree": importlib.metadata.version("fogtree"), "task": _code_digest(task)}
    if rules := sorted({identity(game) for game in games}):
        found["rules"] = rules
    files = {named: _file_digest(path) for text in _texts(parameters) for named, path in _files_in(text)}
    return found | ({"files": files} if files else {})


def _code_digest(task: Callable[..., Any]) -> str:
    """A digest of a function's code that comments, documentation and the version of Python do not change."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(task)))
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and ast.get_docstring(node) is not None:
                node.body = node.body[1:]
        code = ast.dump(tree)
    except (OSError, TypeError, SyntaxError):  # it was typed in, or is a part of a line
        code = repr((task.__code__.co_code, task.__code__.co_consts, task.__code__.co_names))
    return hashlib.sha256(code.encode()).hexdigest()[:16]


def _texts(value: Any) -> Iterator[str]:
    """All texts in what JSON can hold."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from _texts(inner)


def _files_in(text: str) -> Iterator[tuple[str, pathlib.Path]]:
    """The files that a text names, as it writes them: `my_game.py:MyGame:size=4`, `strategy:plan.npz`, `games.json`; and the
    modules beside a Python file that it imports."""
    cuts, depth = [0], 0
    for at, letter in enumerate(text):
        depth += (letter in "[(") - (letter in "])")
        if letter in SEPARATORS and depth == 0:  # what is in brackets is a matrix
            cuts.append(at + 1)
    for begin, end in itertools.combinations([*cuts, len(text) + 1], 2):
        named = text[begin : end - 1].strip()
        path = pathlib.Path(named)
        if path.suffix and os.path.isfile(named):
            yield named, path
            if path.suffix == ".py":
                yield from ((str(beside), beside) for beside in _imported(path, {path.resolve()}))


def _imported(path: pathlib.Path, known: set[pathlib.Path]) -> Iterator[pathlib.Path]:
    """The files beside a Python file that it imports, and those that these import."""
    try:
        tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError):
        return  # whoever runs it says what is wrong
    modules = [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
    modules += [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module]
    for module in modules:
        folder = path.parent / module.partition(".")[0]
        beside = sorted(folder.rglob("*.py")) if folder.is_dir() else [folder.with_suffix(".py")]
        for file in beside:
            if file.is_file() and file.resolve() not in known:
                known.add(file.resolve())
                yield file
                yield from _imported(file, known)


def _file_digest(path: pathlib.Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()[:16]
    except OSError as error:
        raise Invalid(f"{path} cannot be read: {error.strerror or error}") from None


# --- the work ----------------------------------------------------------------------------------------------------


def _computed(
    task: Callable,
    pieces: Sequence[dict],
    missing: list[int],
    cores: int | None,
    on: str | None,
    rehearse: Callable[[], float | None] | None,
) -> Iterator[tuple[int, str, float]]:
    """(index, result as JSON, seconds) of each missing piece as it gets ready."""
    if on is not None:
        return _on_cluster(task, pieces, missing, cores, on)
    workers = min(cores or _cores(), len(missing))
    if workers > 1 and rehearse is not None:
        seconds = rehearse()
        if cores is None and seconds is not None and seconds * len(missing) < WORTH:
            workers = 1
    if workers <= 1:
        return (_do(task, index, pieces[index]) for index in missing)
    return _on_cores(task, pieces, missing, workers)


def _cores() -> int:
    import joblib  # not on top: it takes a while to load, and not every command works in pieces

    return joblib.cpu_count()  # those that this process may use


def _on_cores(
    task: Callable, pieces: Sequence[dict], missing: list[int], workers: int
) -> Iterator[tuple[int, str, float]]:
    """In processes of this machine. Pieces of workers that die are done again."""
    import joblib
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    left, losses = set(missing), 0
    while left:
        parallel = joblib.Parallel(
            n_jobs=workers, backend="loky", return_as="generator_unordered", batch_size=1, pre_dispatch="2*n_jobs"
        )
        work = (joblib.delayed(_do_in_worker)(task, index, pieces[index], os.getpid()) for index in sorted(left))
        with _workers_born_deaf():
            ready = parallel(work)
        try:
            for index, text, seconds in ready:
                left.discard(index)
                losses = 0
                yield index, text, seconds
        except TerminatedWorkerError:
            losses += 1
            if losses == LOSSES:
                raise _lost(workers) from None
        finally:
            with warnings.catch_warnings():  # that this cancels what is not done is what it is for
                warnings.simplefilter("ignore")
                ready.close()


def _on_cluster(
    task: Callable, pieces: Sequence[dict], missing: list[int], cores: int | None, on: str
) -> Iterator[tuple[int, str, float]]:
    """On a Ray cluster, as its own tasks: each comes back as soon as it is done, and Ray does those of dead workers again.
    (Through joblib's Ray backend all would come back together, at the end, and a kill would lose them.)"""
    with _ray(on, cores) as ray:
        work = ray.remote(num_cpus=1, max_retries=LOSSES)(_do)
        waiting, pending = missing[::-1], list[Any]()
        try:
            while waiting or pending:
                room = cores or 2 * int(ray.cluster_resources().get("CPU", 1))  # a cluster may grow
                while waiting and len(pending) < room:
                    index = waiting.pop()
                    pending.append(work.remote(task, index, pieces[index]))
                ready, pending = ray.wait(pending, num_returns=1)
                yield ray.get(ready[0])
        except ray.exceptions.RayTaskError as error:
            if isinstance(error.cause, ray.exceptions.RaySystemError):  # the task never began: its module is not there
                reason = str(error.cause).strip().rpartition("\n")[2]
                raise Invalid(f"a worker of the cluster has not what the task needs: {reason}") from None
            raise error.cause from None
        except (ray.exceptions.WorkerCrashedError, ray.exceptions.NodeDiedError, ray.exceptions.OutOfMemoryError):
            raise _lost(cores or "so many") from None
        finally:
            with contextlib.suppress(Exception):  # the cluster may be gone
                for unfinished in pending:
                    ray.cancel(unfinished, force=True)


@contextlib.contextmanager
def _ray(on: str, cores: int | None) -> Iterator[Any]:
    """Ray, connected: to the cluster at ray://ADDRESS; or to that of RAY_ADDRESS; or to one made here and now."""
    if on != "ray" and not on.startswith("ray://"):
        raise Invalid(f"there is nothing to run on called '{on}': valid are ray and ray://ADDRESS")
    try:
        import ray
    except ImportError:
        raise Invalid("ray is not installed: pip install 'ray[client]'") from None
    if ray.is_initialized():
        yield ray
        return
    where: dict[str, Any] = {"address": on}
    if on == "ray" and "RAY_ADDRESS" in os.environ:
        where = {}
    elif on == "ray":  # not whichever cluster was last started on this machine, which may be gone
        where = {"address": "local", "num_cpus": cores, "include_dashboard": False}
    try:
        ray.init(**where, log_to_driver=False, logging_level="ERROR")
    except Exception as error:  # it has many kinds
        raise Invalid(f"there is no Ray cluster to be had at {on}: {str(error).partition(chr(10))[0]}") from None
    try:
        yield ray
    finally:
        ray.shutdown()


def _lost(workers: int | str) -> Invalid:
    return Invalid(f"workers died {LOSSES} times in a row: is there enough memory for {workers}?")


def _do(task: Callable, index: int, piece: dict[str, Any]) -> tuple[int, str, float]:
    began = time.perf_counter()
    return index, _spell(task(**piece)), time.perf_counter() - began


def _do_in_worker(task: Callable, index: int, piece: dict[str, Any], parent: int) -> tuple[int, str, float]:
    _end_with(parent)
    return _do(task, index, piece)


@functools.cache
def _end_with(parent: int) -> None:
    """End this worker when the process that started it dies, because nobody would take its results."""

    def look() -> None:
        while os.getppid() == parent:
            time.sleep(HEARTBEAT)
        os._exit(1)

    if os.name == "posix":  # elsewhere a process does not know whether its parent lives
        threading.Thread(target=look, daemon=True).start()


@contextlib.contextmanager
def _workers_born_deaf() -> Iterator[None]:
    """Ctrl-C is for the process that starts the workers, which ends them: they inherit that they do not hear it."""
    if threading.current_thread() is not threading.main_thread():  # only that one may say who hears what
        yield
        return
    heard = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, heard)


# --- the store ---------------------------------------------------------------------------------------------------


def _spell(value: Any) -> str:
    """JSON in one spelling, so that equal values are equal texts; numbers come back exactly."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def _exists(path: str | os.PathLike) -> None:
    if not pathlib.Path(path).is_file():
        raise Invalid(f"there are no runs yet: {os.fspath(path)} is not there")


@contextlib.contextmanager
def _opened(path: str | os.PathLike | None) -> Iterator[sqlite3.Connection]:
    """The store, made if it is not there. In WAL mode readers do not wait and a kill leaves it whole."""
    with _sentences(path):
        store = sqlite3.connect(":memory:" if path is None else os.fspath(path), timeout=PATIENCE)
    try:
        with _sentences(path):
            mark, made = (store.execute(f"PRAGMA {word}").fetchone()[0] for word in ("application_id", "user_version"))
            known = store.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
            if known and mark != MARK:
                raise Invalid(f"{path} is a database, but not one of Fogtree's runs")
            if made > FORMAT:
                raise Invalid(
                    f"{path} was written by a newer Fogtree (format {made}, this one knows {FORMAT}): update it"
                )
            store.execute("PRAGMA journal_mode = WAL")
            store.execute("PRAGMA synchronous = FULL")
            if not known:
                _create(store)
        yield store
    finally:
        store.close()


def _create(store: sqlite3.Connection) -> None:
    """Make the tables in one transaction, unless another process just did."""
    store.execute("BEGIN IMMEDIATE")
    with store:
        if not store.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            for statement in TABLES.split(";"):
                store.execute(statement)
            store.execute(f"PRAGMA application_id = {MARK}")
            store.execute(f"PRAGMA user_version = {FORMAT}")


@contextlib.contextmanager
def _sentences(path: str | os.PathLike | None, hint: str = "") -> Iterator[None]:
    """Say in one sentence what SQLite cannot do."""
    try:
        yield
    except FogtreeError:
        raise
    except sqlite3.OperationalError as error:
        raise Invalid(f"the results file {path} cannot be used: {error}{hint}") from None
    except (sqlite3.Error, ValueError, TypeError, RecursionError) as error:  # of JSON, or of texts in no encoding
        raise Invalid(f"{path} is no results file, or it is damaged: {error}{hint}") from None


@contextlib.contextmanager
def _alone(path: str | os.PathLike | None, id: str, name: str) -> Iterator[None]:
    """Hold the run against other processes. The system lets go of the lock when the process dies, however it dies."""
    if path is None or fcntl is None:
        yield
        return
    lock = pathlib.Path(f"{os.fspath(path)}-{id}.lock")
    while True:
        with refusing(lock):
            file = open(lock, "a")  # noqa: SIM115
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.close()
            raise Invalid(
                f"another process is at work on this run ({name}, {id}) in {path}: wait for it or stop it"
            ) from None
        if lock.exists() and os.fstat(file.fileno()).st_ino == lock.stat().st_ino:
            break
        file.close()  # whoever held it has just removed it
    try:
        yield
    finally:
        lock.unlink(missing_ok=True)
        file.close()
