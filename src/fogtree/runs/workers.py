"""Pieces of work in processes of this machine, or in this process where others are not worth starting."""

import contextlib
import functools
import os
import signal
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ..errors import Invalid
from .identity import spell

Done = tuple[int, str, float]  # the number of a piece, its result as JSON, seconds

HEARTBEAT = 1.0  # seconds between a worker's looks at whether its parent lives
WORTH = 3.0  # seconds of work from which on it is worth starting other processes: each needs one to begin
LOSSES = 3  # times in a row that workers may die before a piece is done


def do(task: Callable, index: int, piece: dict[str, Any]) -> Done:
    """One piece of work."""
    began = time.perf_counter()
    return index, spell(task(**piece)), time.perf_counter() - began


def on_this_machine(
    task: Callable,
    pieces: Sequence[dict],
    missing: list[int],
    cores: int | None,
    rehearse: Callable[[], float | None] | None,
) -> Iterator[Done]:
    """Each missing piece as it gets ready."""
    workers = min(cores or _cores(), len(missing))
    if workers > 1 and rehearse is not None:
        seconds = rehearse()
        if cores is None and seconds is not None and seconds * len(missing) < WORTH:
            workers = 1
    if workers <= 1:
        return (do(task, index, pieces[index]) for index in missing)
    return _on_cores(task, pieces, missing, workers)


def _cores() -> int:
    import joblib  # not on top: it takes a while to load, and not every command works in pieces

    return joblib.cpu_count()  # those that this process may use


def _on_cores(task: Callable, pieces: Sequence[dict], missing: list[int], workers: int) -> Iterator[Done]:
    """In processes of this machine. Pieces of workers that die are done again."""
    import joblib
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    left, losses = set(missing), 0
    while left:
        parallel = joblib.Parallel(
            n_jobs=workers, backend="loky", return_as="generator_unordered", batch_size=1, pre_dispatch="2*n_jobs"
        )
        work = (joblib.delayed(_do_in_worker)(task, index, pieces[index], os.getpid()) for index in sorted(left))
        with _ctrl_c_ignored():
            ready = parallel(work)
        try:
            for index, text, seconds in ready:
                left.discard(index)
                losses = 0
                yield index, text, seconds
        except TerminatedWorkerError:
            losses += 1
            if losses == LOSSES:
                raise lost(workers) from None
        finally:
            with warnings.catch_warnings():  # that this cancels what is not done is what it is for
                warnings.simplefilter("ignore")
                ready.close()


def lost(workers: int | str) -> Invalid:
    """The error after too many deaths."""
    return Invalid(
        f"workers ended {LOSSES} times in a row in the middle of their work: there is too little memory for {workers} of"
        " them, or a game or an agent of your own ends the process (os._exit, or a crash)"
    )


def _do_in_worker(task: Callable, index: int, piece: dict[str, Any], parent: int) -> Done:
    _end_with(parent)
    return do(task, index, piece)


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
def _ctrl_c_ignored() -> Iterator[None]:
    """Workers that are started meanwhile ignore Ctrl-C. The process that started them takes it, and ends them."""
    if threading.current_thread() is not threading.main_thread():  # Python lets only that one set what a signal does
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
