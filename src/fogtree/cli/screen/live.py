"""What moves on the screen while the work goes on: lines, bars and tables that disappear at the end."""

import contextlib
import sys
import threading
import time
import typing
from collections.abc import Callable, Iterator
from typing import Any

from rich.console import Group
from rich.live import Live
from rich.progress import BarColumn, ProgressColumn, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as LiveLine
from rich.table import Table
from rich.text import Text

from ...kernels import compiling, compiling_for_gpu, workers_compile
from ...walk.slices import Progress, Watcher
from ..stopping import doing
from . import console
from .figures import decimal, places, sparkline, spoken

if typing.TYPE_CHECKING:  # commands that solve nothing do not load it
    from ...solvers.forms.certificates import Bounds

BETWEEN_LINES = 5.0  # seconds, where progress is printed and not drawn
LONGER, MOST_BETWEEN = 1.5, 60.0  # times as long before each further line | seconds, the most
MANY = 1e5  # rates a second from here on are printed in millions


class Compiling(ProgressColumn):
    """Says that the compiler is at work, while it is: in this process or in those that it has started."""

    max_refresh = 0.2

    def render(self, task: Any) -> Text:
        return Text(_compiler())


def _compiler() -> str:
    """What the compiler does, in words, if it is at work."""
    if compiling_for_gpu():
        return "compiling for the GPU (the first time only),"
    return "compiling (the first time only)," if compiling() or workers_compile() else ""


def progress(*columns: Any) -> LiveLine:
    """A live line on stderr that disappears at the end. If stderr is not a terminal, nothing is shown."""
    err = console(stderr=True)
    texts = [TextColumn(column, markup=False) if isinstance(column, str) else column for column in columns]
    return LiveLine(
        SpinnerColumn(),
        Compiling(),
        *texts,
        TimeElapsedColumn(),
        console=err,
        transient=True,
        disable=not err.is_terminal,
    )


@contextlib.contextmanager
def in_a_pipe(words: Callable[[], str]) -> Iterator[None]:
    """Where nothing is drawn because stderr is no terminal: a line there now and then, less and less often, so that whoever
    reads it later sees that the work went on."""
    if console(stderr=True).is_terminal:
        yield
        return
    over = threading.Event()

    def tell() -> None:
        began, wait = time.perf_counter(), BETWEEN_LINES
        while not over.wait(wait):
            print(
                f"{_compiler()} {words()}, {spoken(time.perf_counter() - began)}".lstrip(), file=sys.stderr, flush=True
            )
            wait = min(LONGER * wait, MOST_BETWEEN)

    thread = threading.Thread(target=tell, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


@contextlib.contextmanager
def watch(what: str) -> Iterator[Watcher]:
    """A live line that shows how far the work is: a solver's bounds, or how much was counted."""
    words, shown = [what], [what]
    with progress("{task.description}") as bar, doing(lambda: words[0]), in_a_pipe(lambda: shown[0]):
        task, pace, course = bar.add_task(what), Pace(), list[Any]()

        def look(now: Progress) -> None:
            from ...solvers.forms.certificates import Bounds

            words[0] = f"working: {now.done:,} {now.what} so far"
            if isinstance(now.detail, Bounds):
                if course and course[-1][2:] == now.detail[2:]:  # the same bounds, some iterations later
                    course.pop()
                course.append(now.detail)
                shown[0] = _standing(course)
            else:
                shown[0] = pace(now)
            bar.update(task, description=shown[0])

        yield look


@contextlib.contextmanager
def stages() -> Iterator[Watcher]:
    """A live line that says what is being done. If stderr is not a terminal, a line is printed there now and then."""
    words, last = ["beginning"], time.perf_counter()
    with progress("{task.description}") as bar, doing(lambda: words[0]):
        task = bar.add_task(words[0])

        def look(now: Progress) -> None:
            nonlocal last
            words[0] = f"{now.detail}: {now.done:,} {now.what}"
            bar.update(task, description=words[0])
            if bar.disable and time.perf_counter() - last > BETWEEN_LINES:
                last = time.perf_counter()
                print(words[0], file=sys.stderr, flush=True)

        yield look


@contextlib.contextmanager
def stage(first: str) -> Iterator[Callable[[str], None]]:
    """A live line that says what is being done, also by what tells nothing itself while it works; `first` to begin with."""
    words = [first]
    with progress("{task.description}") as bar, doing(lambda: words[0]), in_a_pipe(lambda: words[0]):
        task = bar.add_task(first)

        def tell(what: str) -> None:
            words[0] = what
            bar.update(task, description=what)

        yield tell


@contextlib.contextmanager
def steps() -> Iterator[Callable[[str, Progress], None]]:
    """A progress bar with the name of a run."""
    columns = ("{task.description}", BarColumn(), "{task.completed}/{task.total}", "{task.fields[left]}")
    words = ["preparing the work"]
    with progress(*columns) as bar, doing(lambda: words[0]), in_a_pipe(lambda: words[0]):
        task = bar.add_task("preparing", total=None, left="")

        def look(name: str, now: Progress) -> None:
            words[0] = f"doing {name}, {now.done} of {now.goal}"
            left = "" if now.detail.left is None else f"{spoken(now.detail.left)} left"
            bar.update(task, description=name, completed=now.done, total=now.goal, left=left)

        yield look


class Pace:
    """How much was counted, and how fast. A new count begins when the number falls or when the word changes. The first
    call starts the clock, so the time of compiling is left out."""

    def __init__(self) -> None:
        self.first, self.last = 0, Progress("", 0)
        self.began: float | None = None

    def __call__(self, now: Progress) -> str:
        clock = time.perf_counter()
        if self.began is None or now.what != self.last.what or now.done < self.last.done / 2:
            self.first, self.began = now.done, clock
        self.last = now
        rate = (now.done - self.first) / (clock - self.began) if clock > self.began else 0.0
        speed = f"{rate / 1e6:.1f} million" if rate >= MANY else f"{rate:,.0f}"
        return counted(now) + (f", {speed} a second" if rate else "")


def counted(now: Progress) -> str:
    """How far some work is."""
    count = f"{now.done:,}" if now.goal is None else f"{now.done:,} of {now.goal:,}"
    return f"{count} {now.what}"


def _standing(course: "list[Bounds]") -> str:
    """The present bounds of a solver, short enough for a line of 80 columns."""
    now, totals = course[-1], [point.high - point.low for point in course]
    low, high = (decimal(bound, min(5, places(totals[-1]))) for bound in (now.low, now.high))
    return f"iteration {now.iterations:,}  total {totals[-1]:.2g}  value [{low}, {high}]  {sparkline(totals, 10)}"


@contextlib.contextmanager
def live_table() -> Iterator[Callable[..., None]]:
    """A table on stderr that is updated during the work and disappears at the end. If stderr is not a terminal, a line says
    there now and then how far it is. What it yields takes a table, and the progress in words."""
    err, said = console(stderr=True), ["preparing the work"]
    if not err.is_terminal:
        with in_a_pipe(lambda: said[0]):
            yield lambda table, words=said[0]: said.__setitem__(0, words)
        return
    began, shown = time.perf_counter(), list[Table]()

    def now() -> Group:
        words = f"{_compiler()} ".lstrip() or ("" if shown else f"{said[0]}, ")
        return Group(*shown, Text(f"{words}{time.perf_counter() - began:.0f} s, Ctrl-C stops"))

    def update(table: Table, words: str = "") -> None:
        shown[:] = [table]

    with Live(get_renderable=now, console=err, transient=True, refresh_per_second=4):
        yield update


@contextlib.contextmanager
def thinking(player: int) -> Iterator[None]:
    """A live line while a player thinks."""
    with doing(f"player {player} was thinking"), progress("{task.description}") as bar:
        bar.add_task(f"player {player} is thinking")
        yield
