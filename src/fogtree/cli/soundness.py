"""How exploitable agents are that think at the table: soundness."""

import pathlib
from typing import Annotated

import typer

from .. import dice, runs
from ..kernels.lanes import CPU
from ..walk.slices import number
from . import completing, screen
from .comparing import file_stem
from .screen import live
from .shell import CORES, DEVICE, GAME, GIGABYTE, OUT, SEED, STOPPED, STORE, command, fail, load_game, make_folder


@command("soundness")
def measure(
    game: Annotated[str, GAME],
    agents: Annotated[
        list[str],
        typer.Argument(
            metavar="AGENT",
            help="Agents, as `fogtree agents` lists them: rm uct oos.",
            autocompletion=completing.agents,
        ),
    ],
    iterations: Annotated[
        list[int] | None,
        typer.Option(min=1, help="Iterations a move. Give it several times for a curve. 1,000 if nothing is said."),
    ] = None,
    seconds: Annotated[
        list[float] | None, typer.Option(help="Seconds a move, in place of iterations. May be given several times.")
    ] = None,
    seeds: Annotated[int, typer.Option(min=1, help="Seeds of each agent. What is measured is their average.")] = 16,
    seed: Annotated[int, SEED] = 0,
    out: Annotated[pathlib.Path, OUT] = pathlib.Path("out"),
    store: Annotated[str, STORE] = runs.STORE,
    device: Annotated[str, DEVICE] = CPU,
    cores: Annotated[int | None, CORES] = None,
    memory: Annotated[
        float | None,
        typer.Option(metavar="GB", help="Memory limit of the enumerated game, in gigabytes. 2.1 by default."),
    ] = None,
) -> None:
    """Measure exactly how exploitable agents are as they play. They search at every information set, with many seeds."""
    dice.seeded(seed)
    load_game(game)
    from ..arena.soundness import soundness, write_csv  # not on top: nobody who has mistyped a name waits for it
    from ..draw.sound import pictures
    from .screen import results

    make_folder(out)
    try:
        with live.steps() as look:
            found = soundness(
                game,
                agents,
                iterations=iterations or None,
                seconds=seconds or None,
                seeds=seeds,
                seed=seed,
                store=store,
                device=device,
                cores=cores,
                memory=None if memory is None else GIGABYTE * number(memory, "memory", above=0),
                progress=lambda now: look(f"soundness in {game}", now),
            )
    except KeyboardInterrupt:
        fail(f"\nstopped; what is done is kept in {store}, and the same command goes on from there", STOPPED)
    screen.console().print(results.soundness_table(found))
    typer.echo(
        "exploitability: what best responses of both players gain together against the average of the seeds, 0 is perfect;\n"
        "from the answer to one half of the seeds, met by the other (too low), to the answer to all (too high).\n"
        "of one seed: the mean of the seeds' own, 95 % interval; an opponent who knows the seed gains that"
    )
    spent = [*map(str, iterations or []), *(f"{each:g}s" for each in seconds or [])]
    stem = out / file_stem(game, f"soundness-{'-'.join([*agents, *spent])}-seeds={seeds}-seed={seed}")
    paths = [pathlib.Path(f"{stem}.{ending}") for ending in ("png", "svg", "csv")]
    pictures(paths[:2], found, title=game)
    write_csv(found, paths[2])
    typer.echo(f"wrote {', '.join(map(str, paths))}")
