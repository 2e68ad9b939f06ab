"""Compile beforehand: warm.

The common commands are done here on a small scale, by the functions that they call, so that their kernels are compiled and
kept. What a game does not allow, such as the solution of chess, is left out, as the command itself refuses it.
"""

import contextlib
import time
from collections.abc import Callable, Iterator
from typing import Annotated, Any

import typer
from rich.progress import BarColumn

from .. import kernels
from ..bandits import load_bandit
from ..errors import FogtreeError
from ..walk.slices import Progress
from . import completing, stopping
from .screen import live
from .screen.figures import spoken
from .shell import command, load_game

COMMON = ("kuhn", "leduc", "goofspiel", "phantom-ttt", "chess", "holdem")
SEARCHES = ("rm", "uct", "exp3")  # the bandits of the demo
AGENTS = (*SEARCHES, "alphabeta", "perfect")
SECONDS = 2.0  # at most for each piece of work, not counting what is compiled
FEW = 200  # iterations of a search in a comparison
DEEP = 100  # histories of a strategy that are told


@command("warm")
def warm(
    games: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="GAME",
            help=f"The games. By default {', '.join(COMMON)}.",
            autocompletion=completing.games,
        ),
    ] = None,
) -> None:
    """Compile what the common commands need beforehand. Then they start at once. Ctrl-C keeps what is compiled."""
    made = {text: load_game(text) for text in games or COMMON}
    began, new = time.perf_counter(), 0
    columns = ("{task.description:<28}", BarColumn(), "{task.completed}/{task.total}")
    with kernels.compiling_all(), live.progress(*columns) as bar, stopping.doing("compiling"):
        task = bar.add_task("", total=len(made) * len(WORK))
        for text, game in made.items():
            before, start = kernels.compiled_files(), time.perf_counter()
            for what, work in WORK.items():
                bar.update(task, description=f"{text}: {what}")
                with contextlib.suppress(FogtreeError, _Enough):
                    work(game)
                bar.advance(task)
            found = len(kernels.compiled_files() - before)
            new += found
            bar.console.print(f"{text}: {_told(found)}, {spoken(time.perf_counter() - start)}", highlight=False)
    typer.echo(f"{_told(new)} in {spoken(time.perf_counter() - began)}; they are kept in {kernels.cache_folder()}")


def _told(new: int) -> str:
    return "1 new kernel" if new == 1 else f"{new:,} new kernels"


class _Enough(Exception):
    """The work has gone on for so long that all its kernels have run."""


def _limit() -> Callable[[Progress], None]:
    """A function of progress that ends the work when its time is up."""
    from ..clock import clock  # without the seconds of compiling

    end = clock() + SECONDS

    def look(now: Progress) -> None:
        if clock() > end:
            raise _Enough

    return look


def _play_randomly(game: Any) -> None:
    from ..search.playout import playouts

    playouts(game, seconds=SECONDS / 100)


def _count(game: Any) -> None:
    from ..measure.count import count

    count(game, progress=_limit())  # to the end or for long enough that the table of sets grows


def _solve(game: Any) -> None:
    from ..measure.told import told
    from ..solvers.profile import is_general, solve_general
    from ..solvers.solution import solve

    find: Any = solve_general if is_general(game) else solve
    found = find(game, progress=_limit())
    told(game, found.strategy, most=DEEP)


def _exploit(game: Any) -> None:
    from ..measure.exploitability import exploitability
    from ..strategy import Strategy

    exploitability(game, Strategy.uniform(game), progress=_limit())


def _play(game: Any) -> None:
    """Play and tournament: some moves of each agent, and what is measured of it afterwards."""
    from ..arena.rehearsal import rehearse

    for name in _fitting(game):
        rehearse(game, [name], 0)


def _fitting(game: Any) -> Iterator[str]:
    """The agents that can play a game."""
    from ..arena import agents

    for name in AGENTS:
        with contextlib.suppress(FogtreeError):
            agents.require_fit(agents.load_agent(name), game)
            yield name


def _compare(game: Any) -> None:
    from ..measure.comparison import Comparison

    work = Comparison(game, [(name, load_bandit(name)) for name in SEARCHES])
    work.enumerate(progress=_limit())
    with contextlib.suppress(_Enough):
        work.solve(progress=_limit())
    work.curves(iterations=FEW, runs=1)


WORK = {  # in the words of the bar
    "playouts": _play_randomly,
    "count": _count,
    "play": _play,
    "exploit": _exploit,
    "solve": _solve,
    "compare": _compare,
}
