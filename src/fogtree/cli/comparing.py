"""How searches approach equilibrium: compare, and the demo."""

import hashlib
import pathlib
import re
import shutil
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .. import dice
from ..bandits import load_bandit
from ..errors import Invalid
from ..game import identity
from ..walk.slices import Progress, number, whole
from . import completing, screen
from .screen import live
from .shell import GAME, NO_PROMISE, OUT, SEED, STOPPED, command, fail, load_game, make_folder

if TYPE_CHECKING:
    from ..solvers.solution import Solution

SEARCHES = typer.Argument(
    metavar="BANDIT",
    help="Selection functions of the searches: rm, exp3:gamma=0.2, uct:c=1.",
    autocompletion=completing.bandits,
)
LONGEST_STEM = 80  # letters of a file's name
ITERATIONS = 100_000  # of each run, unless the user asks for something else
DEMO = ("goofspiel:cards=6", ["uct", "exp3", "rm"])
NEXT = (
    "fogtree play phantom-ttt --against rm",
    "fogtree solve leduc",
    "fogtree show kuhn --tree kuhn.svg",
    "fogtree games",
)


@command("compare")
def compare(
    game: Annotated[str, GAME],
    bandits: Annotated[list[str], SEARCHES],
    seconds: Annotated[float | None, typer.Option(help="Time limit per run, in seconds.")] = None,
    iterations: Annotated[
        int | None,
        typer.Option(help=f"Iterations per run. {ITERATIONS:,} if neither --seconds nor --iterations is given."),
    ] = None,
    runs: Annotated[int, typer.Option(min=1, help="Number of runs per bandit. Each run has its own seed.")] = 20,
    seed: Annotated[int, SEED] = 0,
    out: Annotated[pathlib.Path, OUT] = pathlib.Path("out"),
    threads: Annotated[int | None, typer.Option(min=1, help="Number of threads. One per core by default.")] = None,
) -> None:
    """Measure how searches approach equilibrium. Prints a table and writes a picture and a CSV file."""
    if seconds is None and iterations is None:
        iterations = ITERATIONS
    if seconds is not None and iterations is not None:
        raise Invalid("give either --seconds or --iterations, not both")
    if seconds is not None:
        seconds = number(seconds, "seconds", above=0)
    if iterations is not None:
        iterations = whole(iterations, "iterations", 1)
    limits = {"seconds": seconds, "iterations": iterations, "runs": runs, "seed": seed, "threads": threads}
    spent = f"{seconds:g}s" if iterations is None else f"{iterations}"
    _compare(game, bandits, limits, out, f"{'-'.join(bandits)}-{spent}-runs={runs}-seed={seed}")


def file_stem(game: str, question: str) -> str:
    """What the files of a comparison are called: by the game and by all that was asked, so no other question has them."""
    asked = "-".join(filter(None, (pathlib.Path(game).name, question)))
    stem = re.sub(r"[^\w.=+-]+", "-", asked)
    if len(stem) <= LONGEST_STEM and stem == asked.replace(":", "-").replace(",", "-"):
        return stem
    return f"{stem[:LONGEST_STEM]}-{hashlib.sha256(f'{game} {question}'.encode()).hexdigest()[:8]}"


def _compare(
    text: str,
    names: list[str],
    limits: dict[str, Any],
    out: pathlib.Path,
    question: str = "",
    *,
    as_story: bool = False,
) -> tuple[list[Any], "Solution"]:
    """Measure, print a table, draw and write; returns the curves and the equilibrium."""
    bandits = [(name, load_bandit(name)) for name in names]
    dice.seeded(limits["seed"])  # a bad seed is refused before the work begins
    made = load_game(text)
    from ..draw.curves import pictures, story  # not on top: nobody who has mistyped a name waits for it
    from ..measure.comparison import Comparison
    from ..measure.curve import Curve, write_csv
    from ..solvers.profile import is_general
    from .screen import results

    work = Comparison(made, bandits)
    make_folder(out)
    exact = work.prepare(live.watch)
    if work.game is not made:
        typer.echo(f"Searches run and are measured in {identity(work.game)}, an equal game with fewer actions.")
    typer.echo(
        f"{text if work.game is made else 'It'} has {work.form.histories:,} histories. Its equilibrium by {exact.method} in "
        f"{exact.seconds:.1f} s: total exploitability {exact.total:.2g}"
    )
    found: list[Curve] = []
    share, stopped = 1.0, False
    try:
        with live.live_table() as update:

            def progress(now: Progress) -> None:
                found[:] = now.detail
                update(results.curve_table([curve.reached_by(0.5) for curve in found]), live.counted(now))

            found[:] = work.curves(**limits, progress=progress)
    except KeyboardInterrupt:
        share, stopped = 0.5, True
    if not any(len(curve.iterations) for curve in found):
        if stopped:
            raise KeyboardInterrupt
        raise Invalid("no run was long enough to be measured: give more seconds")
    shown = [curve.reached_by(share) for curve in found]
    screen.console().print(results.curve_table(shown))
    who = "both" if made.shape().players == 2 else "all"
    typer.echo(f"total: what {who} players could gain, 0 in perfect play; mean over the runs, 95 % interval")
    if is_general(made):
        typer.echo(NO_PROMISE)
    stem = out / file_stem(text, question)
    paths = [pathlib.Path(f"{stem}.{ending}") for ending in ("png", "svg", "csv")]
    (story if as_story else pictures)(paths[:2], shown, exact, title=text)
    write_csv(found, paths[2])
    typer.echo(f"wrote {', '.join(map(str, paths))}")
    if stopped:
        fail("stopped", STOPPED)
    return shown, exact


@command("demo")
def demo(
    seconds: Annotated[float, typer.Option(min=0.01, help="Time limit per run, in seconds.")] = 2.0,
    runs: Annotated[int, typer.Option(min=1, help="Number of runs of each search.")] = 4,
    out: Annotated[pathlib.Path, OUT] = pathlib.Path("out"),
) -> None:
    """Compare three searches with the exact equilibrium. Runs UCT, Exp3 and RM on 6-card Goofspiel, under a minute."""
    game, bandits = DEMO
    typer.echo(f"IS-MCTS with {', '.join(bandits)}: {runs} runs of {seconds:g} s each, beside the equilibrium.")
    found, exact = _compare(game, bandits, {"seconds": seconds, "runs": runs, "seed": 0}, out, as_story=True)
    hint = "" if shutil.which("fogtree") else " (after `. .venv/bin/activate`)"
    typer.echo(
        "\nExploitability is what both players together could still gain from playing perfectly: 0 is perfect play.\n"
        f"{_moral(found, exact)}\n"
        f"Try next{hint}: {', '.join(f'`{each}`' for each in NEXT)}; docs/your-own-game.md makes a game of your own."
    )


def _moral(curves: list[Any], exact: "Solution") -> str:
    """What the picture shows, in a sentence whose numbers come from it."""
    from ..draw.curves import exact_course

    best = min(curves, key=lambda curve: curve.mean()[-1])
    mean, marks = best.mean(), best.iterations
    earlier = max(0, int((marks <= marks[-1] / 10).sum()) - 1)
    times = f"{marks[-1] / marks[earlier]:.0f} times as many iterations"
    seconds = exact_course(exact)[0][-1]
    return (
        f"The best search, {best.name}, went from {mean[earlier]:.2g} to {mean[-1]:.2g} with {times}; the exact method, "
        f"{exact.method}, went on to {exact.total:.1g} in {seconds:.1f} s of iterations. The picture leaves out compiling."
    )
