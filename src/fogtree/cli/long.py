"""Long work: stubborn games, papers, and the runs that are stored."""

import contextlib
import itertools
import math
import pathlib
import time
from typing import Annotated

import typer

from .. import dice, runs
from ..errors import Invalid
from ..kernels import engines
from ..kernels.lanes import CPU
from ..runs.cluster import require_cluster
from . import completing, screen
from .screen import listed, live, results
from .shell import CORES, DEVICE, ON, SEED, STOPPED, STORE, command, fail, make_folder, writable

SHOWN = 20  # how many pieces of a run are printed


@command("stubborn")
def find_stubborn(
    bandit: Annotated[
        str,
        typer.Option(
            help="The bandit: a name (exp3:gamma=0.2) or a file of your own (my_bandit.py:MyBandit).",
            autocompletion=completing.bandits,
        ),
    ],
    family: Annotated[
        str,
        typer.Option(
            help="The games: 3x3 (all payoffs -1, 0, 1), random/uniform:rows=4, or games.json (a list of matrices)."
        ),
    ] = "3x3",
    games: Annotated[int, typer.Option(min=1, help="How many games to draw from a random family.")] = 1000,
    threshold: Annotated[
        float, typer.Option(min=0, help="A game is stubborn if its exploitability ends above this.")
    ] = 0.05,
    steps: Annotated[
        int, typer.Option(min=1, max=350, help="Number of steps of the schedule. 250 steps are 3,190,936 simulations.")
    ] = 250,
    repeats: Annotated[
        int, typer.Option("--runs", min=1, help="Number of runs per game. Each run has its own seed.")
    ] = 1,
    every: Annotated[
        bool,
        typer.Option(
            "--every", help="Play every game, also those that differ only in the names of actions or players."
        ),
    ] = False,
    limit: Annotated[int, typer.Option(min=0, help="How many games to print at most.")] = 20,
    csv: Annotated[str | None, typer.Option(metavar="FILE", help="Write all stubborn games to this file.")] = None,
    seed: Annotated[int, SEED] = 0,
    store: Annotated[str, STORE] = runs.STORE,
    device: Annotated[str, DEVICE] = CPU,
    cores: Annotated[int | None, CORES] = None,
) -> None:
    """Find the games that a bandit fails on in self-play. After Ctrl-C, the same command resumes the work."""
    from ..measure import stubborn  # not on top: only this command needs it

    dice.seeded(seed)
    writable(csv)
    try:
        with live.steps() as look:
            found = stubborn.sweep(
                bandit,
                family,
                games=games,
                steps=steps,
                runs=repeats,
                seed=seed,
                classes=not every,
                store=store,
                device=device,
                cores=cores,
                progress=lambda now: look(f"{bandit} on {family}", now),
            )
    except KeyboardInterrupt:
        fail(f"\nstopped; what is done is kept in {store}, and the same command goes on from there", STOPPED)
    failures = found.failures(threshold, games)
    if failures and limit:
        screen.console().print(results.stubborn_table(failures[:limit]))
    typer.echo(
        f"{bandit} played {len(found.trials):,} games that stand for {found.weights.sum():,}, "
        f"{stubborn.simulations(steps):,} simulations each on {found.device}, "
        f"{repeats} run{'s' if repeats > 1 else ''} a game: "
        f"{len(failures):,} are stubborn, {found.share(threshold):.2%} of all end above {threshold:g}, "
        f"the worst at {found.exploitability.max():.4g}."
    )
    typer.echo("exploitability: half of what both best responses gain; fogtree solve GAME shows a game's equilibrium")
    if csv:
        stubborn.write_csv(failures, csv)
        typer.echo(f"wrote {csv}")


@command("runs")
def show_runs(
    what: Annotated[
        str | None, typer.Argument(metavar="show|export", help="What to do with a run. By default all are listed.")
    ] = None,
    id: Annotated[
        str | None,
        typer.Argument(
            metavar="ID",
            help="The id of the run. Its first letters are enough.",
            autocompletion=completing.run_ids,
        ),
    ] = None,
    csv: Annotated[str | None, typer.Option(metavar="FILE", help="The file that export writes.")] = None,
    store: Annotated[str, STORE] = runs.STORE,
) -> None:
    """List the stored runs. `show ID` prints one run, `export ID --csv FILE` writes its pieces to a file."""
    console = screen.console()
    if what is None:
        console.print(listed.runs_table(runs.stored_runs(store)))
        return
    if what not in ("show", "export"):
        raise Invalid(f"there is nothing to do with runs called '{what}': valid are show and export")
    if id is None:
        raise Invalid(f"{what} needs the ID of a run: fogtree runs lists them")
    if what == "show":
        known, pieces = runs.stored_run(store, id), runs.pieces_of(store, id)
        console.print(listed.run_facts(known), soft_wrap=True)
        console.print(listed.pieces_table(pieces[:SHOWN]))
        if len(pieces) > SHOWN:
            typer.echo(f"and {len(pieces) - SHOWN:,} more: fogtree runs export {known.id} --csv FILE has all")
        return
    if csv is None:
        raise Invalid("export needs a file to write: --csv FILE")
    writable(csv)
    typer.echo(f"wrote {csv}: {runs.export(store, id, csv):,} pieces")


@command("paper")
def reproduce(
    paper: Annotated[
        str | None,
        typer.Argument(metavar="PAPER", help="The paper. By default all are listed.", autocompletion=completing.papers),
    ] = None,
    parts: Annotated[
        list[str] | None,
        typer.Argument(metavar="PART", help="The parts to run, such as table1 or figure2. All by default."),
    ] = None,
    scale: Annotated[str, typer.Option(help="How much work: quick (minutes) or full (hours).")] = "quick",
    out: Annotated[
        pathlib.Path | None, typer.Option(metavar="DIR", help="Folder for the report. out/PAPER by default.")
    ] = None,
    seed: Annotated[int, SEED] = 0,
    store: Annotated[str, STORE] = runs.STORE,
    device: Annotated[str, DEVICE] = CPU,
    times: Annotated[
        int, typer.Option(min=1, help="How many times as many runs as the scale asks for, in papers that run on a GPU.")
    ] = 1,
    matches: Annotated[
        int | None,
        typer.Option(min=1, help="Matches of each cell, in place of those of the scale. For parts that play matches."),
    ] = None,
    minutes: Annotated[
        float | None,
        typer.Option(
            min=0,
            help="End after so many minutes, with a report of the parts that are whole. The same command resumes the rest.",
        ),
    ] = None,
    cores: Annotated[int | None, CORES] = None,
    on: Annotated[str | None, ON] = None,
    again: Annotated[
        pathlib.Path | None,
        typer.Option(
            "--from", metavar="DIR", help="Judge the numbers of the report in this folder again. Nothing is measured."
        ),
    ] = None,
) -> None:
    """Reproduce a paper. Writes a report with its numbers beside ours (HTML, Markdown, pictures, CSV)."""
    from ..papers import PAPERS, laboratory, load_paper, report  # not on top: statistics take a while to load

    console = screen.console()
    if paper is None:
        console.print(listed.papers_table([load_paper(name) for name in PAPERS]))
        console.print("fogtree paper NAME [PART]... reproduces one.")
        return
    found, folder = load_paper(paper), out or pathlib.Path("out") / paper
    if again is not None:
        if parts or out is not None:
            raise Invalid("--from writes the whole report again where it is: give no parts and no --out")
        console.print(listed.sections_table(report.judge_again(found, again)))
        typer.echo(f"wrote {again / 'report.html'} and report.md; the numbers are those that were there")
        return
    words = ["fogtree paper", paper, *(parts or []), *([f"--scale {scale}"] if scale != "quick" else [])]
    if seed:
        words.append(f"--seed {seed}")
    words += [f"--matches {matches}"] * (matches is not None)
    words += [f"--device {device}"] * (device != CPU) + [f"--times {times}"] * (times > 1)
    if (device != CPU or times > 1) and not found.in_lanes:
        if times > 1 or not found.on_gpu:
            raise Invalid(
                f"{paper} is measured on the CPU, with as many runs as its scale says: leave out --device and --times"
            )
        if not set(parts or [""]) <= set(found.on_gpu):
            raise Invalid(f"of {paper}, --device is for {', '.join(found.on_gpu)}: name the part, or leave it out")
    device = engines.chosen(device)
    chosen = report.choose_parts(found, scale, parts or [])
    if matches is not None:
        report.require_matches(found, chosen)
    if on is not None:
        require_cluster(on)
    dice.seeded(seed)
    make_folder(folder)
    end, sections = math.inf if minutes is None else time.monotonic() + 60 * minutes, list[report.Section]()
    try:
        with live.steps() as look, contextlib.suppress(laboratory.OutOfTime):
            lab = laboratory.Lab(paper, scale, seed, store, cores, on, look, device, times, matches, end)
            for part in itertools.takewhile(lambda _: time.monotonic() < end, chosen):
                sections.append(found.parts[part](lab))
    except KeyboardInterrupt:
        fail(f"\nstopped; what is done is kept in {store}, and the same command goes on from there", STOPPED)
    if rest := chosen[len(sections) :]:
        typer.echo(
            f"{minutes:g} minutes are over, and {', '.join(rest)} {'is' if len(rest) == 1 else 'are'} not whole; "
            f"what is done is kept in {store}, and the same command goes on from there"
        )
    if not sections:
        return
    written = report.write_report(found, report.Facts.of(lab, " ".join(words)), sections, folder)
    console.print(listed.sections_table(sections))
    typer.echo(f"wrote {written}, report.md beside it, pictures and numbers in {folder}")
