"""The command that teaches an evaluation: learn."""

from typing import Annotated

import typer
from rich.box import HEAVY_HEAD
from rich.progress import BarColumn

from .. import dice, runs
from ..errors import Invalid
from ..evaluation import linear
from ..measure.intervals import NORMAL
from ..walk.slices import Progress
from . import screen
from .screen import figures, live
from .shell import GAME, SEED, STOPPED, STORE, command, fail, load_game, writable

POINTS = 8  # of the curve on the screen


@command("learn")
def learn(
    game: Annotated[str, GAME],
    by: Annotated[
        str, typer.Option(help="The way to learn: treestrap, treestrap-minimax, rootstrap, td-leaf or td-root.")
    ] = "treestrap",
    minutes: Annotated[
        float | None, typer.Option(help="Processor time, in minutes. 1 by default, if no number of games is given.")
    ] = None,
    games: Annotated[int | None, typer.Option(help="Number of games of self-play. Give this or --minutes.")] = None,
    depth: Annotated[int, typer.Option(help="Depth of each search, in plies.")] = 3,
    step: Annotated[float | None, typer.Option(help="The step size. By default each method has its own.")] = None,
    pairs: Annotated[
        int, typer.Option(min=0, help="Number of pairs of games that measure each point of the curve. 0 measures none.")
    ] = 20,
    save: Annotated[str | None, typer.Option(metavar="FILE.npz", help="Write the weights to this file.")] = None,
    seed: Annotated[int, SEED] = 0,
    store: Annotated[str, STORE] = runs.STORE,
) -> None:
    """Teach an evaluation by self-play, from random weights. The same command goes on after Ctrl-C."""
    from ..arena.pairs import match  # not on top: only this command needs them
    from ..evaluation import features_of
    from ..learn.training import Training, train

    writable(save)
    dice.seeded(seed)
    if games is not None and minutes is not None:
        raise Invalid("give a number of games or of minutes, not both")
    if games is None and minutes is None:
        minutes = 1.0
    made = load_game(game)
    features = features_of(made)
    training = Training(made, features, by, seed=seed, depth=depth, step=step)
    words = [f"fogtree learn {game} --by {by}", f"--depth {depth} --step {training.method.step:g} --seed {seed}"]
    words.append(f"--games {games}" if games is not None else f"--minutes {minutes:g}")
    try:
        with (
            live.progress("{task.description}", BarColumn()) as bar,
            live.in_a_pipe(lambda: bar.tasks[task].description),
        ):
            task = bar.add_task("preparing", total=None)

            def look(progress: Progress) -> None:
                now = progress.detail
                what = f"{by}: {now.games:,} games, {now.moves:,} moves"
                bar.update(task, description=what, completed=progress.done, total=progress.goal)

            curve = train(training, games=games, minutes=minutes, store=store, progress=look)
            every = max(1, (len(curve) - 1) // POINTS)
            points = sorted({*range(0, len(curve), every), len(curve) - 1})
            scores = []
            for k, point in enumerate(points if pairs else []):
                bar.update(task, description="measuring the curve", completed=k, total=len(points))
                new, old = (linear(made, features, curve[at].weight) for at in (point, 0))
                scores.append(match(made, new, old, pairs=pairs, depth=min(depth, 2), seed=seed))
    except KeyboardInterrupt:
        fail(f"\nstopped; what is done is kept in {store}, and the same command goes on from there", STOPPED)
    console = screen.console()
    title = f"{by} on {game}, depth {depth}, step {training.method.step:g}"
    headers = ["processor seconds", "games", "moves", "nodes", "score against the beginning"]
    table = figures.columns([], headers, title=title, title_justify="left", box=HEAVY_HEAD)
    for k, point in enumerate(points):
        now = curve[point]
        score = f"{scores[k].mean:.2f} +- {NORMAL * scores[k].deviation:.2f}" if scores else ""
        table.add_row(f"{now.seconds:.1f}", f"{now.games:,}", f"{now.moves:,}", f"{now.nodes:,}", score)
    console.print(table)
    if scores:
        means = [score.mean for score in scores]
        typer.echo(
            f"curve {figures.sparkline(means, 40)} score {means[0]:.2f} to {means[-1]:.2f}, {2 * pairs} games a point"
        )
    if save:
        training.weights(" ".join(words)).save(save)
        typer.echo(f"saved {save}: {features.size():,} weights")
