"""The SQLite file of the results: a row a run, a row a piece, each piece in a transaction of its own."""

import contextlib
import csv
import json
import os
import pathlib
import sqlite3
import time
from collections.abc import Container, Iterator, Sequence
from typing import Any, NamedTuple

from ..errors import FogtreeError, Invalid
from ..files import alone, appearing, refusing
from .identity import machine, spell

STORE = "fogtree-runs.sqlite"  # where commands keep their runs if not told otherwise
MARK, FORMAT = 0x466F6774, 1  # SQLite's application_id ("Fogt") and the layout of the tables
LOCK_SECONDS = 60.0  # seconds to wait while another process writes to the same file
NAMED = 8  # runs in a sentence
BASIS = "basis"  # under which the store keeps what a run or a piece rests on, among its parameters
KEPT = "; what was stored before is kept, and the same command goes on from there"
CLOCK = "%Y-%m-%d %H:%M:%S"
TABLES = """
    CREATE TABLE run
        (id TEXT PRIMARY KEY, name TEXT, parameters TEXT, task TEXT, began TEXT, machine TEXT, version TEXT, wanted INT);
    CREATE TABLE piece (run TEXT, key TEXT, result TEXT, seconds REAL, ended TEXT, PRIMARY KEY (run, key));
"""


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


# --- to write -------------------------------------------------------------------------------------------------------


class Book:
    """The rows of one run in an open store."""

    def __init__(self, store: sqlite3.Connection, path: str | os.PathLike | None, id: str):
        self.store, self.path, self.id = store, path, id

    def register(self, name: str, parameters: dict[str, Any], basis: dict[str, Any], wanted: int) -> None:
        facts = (basis["task"], time.strftime(CLOCK), machine(), basis["fogtree"])
        row = (self.id, name, spell(parameters | {BASIS: basis}), *facts, wanted)
        with _sentences(self.path), self.store:
            self.store.execute("INSERT OR IGNORE INTO run VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
            self.store.execute("UPDATE run SET wanted = ? WHERE id = ?", (wanted, self.id))

    def known(self, wanted: Container[str]) -> dict[str, Any]:
        """The results of those of the pieces that are stored, by their keys."""
        with _sentences(self.path):
            rows = self.store.execute("SELECT key, result FROM piece WHERE run = ?", (self.id,)).fetchall()
            return {key: json.loads(result) for key, result in rows if key in wanted}

    def keep(self, key: str, text: str, seconds: float) -> None:
        with _sentences(self.path, KEPT), self.store:
            row = (self.id, key, text, seconds, time.strftime(CLOCK))
            self.store.execute("INSERT OR IGNORE INTO piece VALUES (?, ?, ?, ?, ?)", row)


@contextlib.contextmanager
def held(path: str | os.PathLike | None, id: str, name: str) -> Iterator[Book]:
    """A run in a store, for this process alone; None stands for a store in memory."""
    with _opened(path) as store, _alone(path, id, name):
        yield Book(store, path, id)


# --- to read --------------------------------------------------------------------------------------------------------


def stored_runs(path: str | os.PathLike) -> list[StoredRun]:
    """All runs of a store, the oldest first."""
    if not pathlib.Path(path).is_file():
        raise Invalid(f"there are no runs yet: {os.fspath(path)} is not there")
    with _read(path) as store, _sentences(path):
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
    with _read(path) as store, _sentences(path):
        query = "SELECT key, result, seconds FROM piece WHERE run = ? ORDER BY rowid"
        return [_piece(*row) for row in store.execute(query, (known.id,))]


def _piece(key: Any, text: Any, spent: Any) -> tuple[dict[str, Any], Any, float]:
    piece = json.loads(key)
    if isinstance(piece, dict):
        piece.pop(BASIS, None)
    if not isinstance(piece, dict) or not isinstance(spent, (int, float)):
        raise TypeError("a piece is not described as it should be")
    return piece, json.loads(text), spent


def export(path: str | os.PathLike, id: str, out: str | os.PathLike) -> int:
    """Write a run's pieces as CSV: a column for each argument and each entry of a result; lists stay JSON. An entry that is
    called as an argument or as the last column is `result NAME`."""
    stored = pieces_of(path, id)
    if os.path.exists(out) and os.path.samefile(out, path):
        raise Invalid(f"{os.fspath(out)} is the results file itself: name another one to write to")
    taken = {"seconds"}.union(*(piece for piece, *_ in stored))
    rows = [
        piece | {f"result {name}" if name in taken else name: value for name, value in _entries(result).items()}
        for piece, result, _ in stored
    ]
    columns = list(dict.fromkeys(column for row in rows for column in row))
    with refusing(out), appearing(out, "t") as file:
        lines = csv.writer(file)
        lines.writerow([*columns, "seconds"])
        for row, (*_, seconds) in zip(rows, stored, strict=True):
            cells = [row.get(column, "") for column in columns]
            lines.writerow([spell(c) if isinstance(c, (list, dict)) else c for c in cells] + [f"{seconds:.4g}"])
    return len(rows)


def _entries(result: Any) -> dict[str, Any]:
    return result if isinstance(result, dict) else {"result": result}


# --- the file -------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def _opened(path: str | os.PathLike | None) -> Iterator[sqlite3.Connection]:
    """The store, made if it is not there. In WAL mode readers do not wait and a kill leaves it whole."""
    if path is not None and not os.fspath(path):
        raise Invalid("the results file has no name")
    with _sentences(path):  # the whole path, for SQLite has short names of its own that stand for no file
        store = sqlite3.connect(":memory:" if path is None else os.path.abspath(path), timeout=LOCK_SECONDS)
    try:
        with _sentences(path):
            known = _tables(store, path)
            store.execute("PRAGMA journal_mode = WAL")
            store.execute("PRAGMA synchronous = FULL")
            if not known:
                _create(store)
        yield store
    finally:
        store.close()


@contextlib.contextmanager
def _read(path: str | os.PathLike) -> Iterator[sqlite3.Connection]:
    """The store, to be read alone. Where nothing can be written, as on a medium that is read-only, nobody changes it: then
    SQLite is told so, which else would write beside it even to read."""
    whole = pathlib.Path(path).absolute()
    fixed = not os.access(whole.parent, os.W_OK) and not pathlib.Path(f"{whole}-wal").exists()
    with _sentences(path):
        store = sqlite3.connect(
            f"{whole.as_uri()}?{'immutable=1' if fixed else 'mode=rw'}", timeout=LOCK_SECONDS, uri=True
        )
    try:
        with _sentences(path):
            if not _tables(store, path):
                raise Invalid(f"there are no runs yet: {os.fspath(path)} is empty")
        yield store
    finally:
        store.close()


def _tables(store: sqlite3.Connection, path: str | os.PathLike | None) -> int:
    """How many tables a file has, which must be one of ours or empty."""
    mark, made = (store.execute(f"PRAGMA {word}").fetchone()[0] for word in ("application_id", "user_version"))
    known = store.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if known and mark != MARK:
        raise Invalid(f"{path} is a database, but not one of Fogtree's runs")
    if made > FORMAT:
        raise Invalid(f"{path} was written by a newer Fogtree (format {made}, this one knows {FORMAT}): update it")
    return known


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
    """Hold the run against other processes."""
    if path is None:
        yield
        return
    lock = f"{os.fspath(path)}-{id}.lock"
    with contextlib.ExitStack() as until_the_end:
        with refusing(lock):
            try:
                until_the_end.enter_context(alone(lock))
            except BlockingIOError:
                raise Invalid(
                    f"another process is at work on this run ({name}, {id}) in {path}: wait for it or stop it"
                ) from None
        yield
