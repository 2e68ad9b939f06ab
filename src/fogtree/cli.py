"""The command `fogtree`: parses, calls, prints. What it prints is computed elsewhere."""

import functools
import importlib.metadata
import math
import os
import pathlib
import re
import secrets
import shutil
import sys
import time
import traceback
import typing
from typing import Annotated, Any

import numpy as np
import typer
from rich.columns import Columns
from rich.panel import Panel
from rich.progress import BarColumn
from rich.text import Text

from . import agents, contract, dice, runs, screen
from .bandits import BANDITS, load_bandit
from .errors import Broken, FogtreeError, Invalid
from .game import CHANCE, REFEREE, label, legal, new_state, odds
from .games import GAMES, load
from .kernel import DEBUG
from .measure.count import count
from .measure.exploitability import exploitability
from .measure.match import play, show
from .parameters import parts
from .search.ismcts import ISMCTS
from .search.playout import playouts
from .solve.sequence import TooLarge, sequence_form
from .solve.solution import METHODS, Solution, solve
from .strategy import Strategy

STOPPED = 130  # the exit code of an interrupted command
BATCHES = 20  # of random games: the spread of their means gives the interval
EQUILIBRIUM_SECONDS, EQUILIBRIUM_TOTAL = 5.0, 1e-3  # when the dashed line of a comparison is good enough
ITERATIONS = 100_000  # a run of a comparison, where nothing else is asked
EXACT_ROOM = 2**29  # bytes for the sequence form of a tournament's game
SHOWN = 20  # pieces of a run on the screen
DEMO = ("goofspiel:cards=6", ["uct", "exp3", "rm"])

SIZES = {  # information sets and ends at the default parameters, as `fogtree count` finds them; more in docs/games
    "matrix": (2, 9),
    "bimatrix": (2, 4),
    "rounds": (6, 16),
    "goofspiel": (166_002, 518_400),
    "phantom-ttt": (5_990_669, 9_829_101_024),
    "dark-hex": (6_072_917, 9_469_697_760),
    "kuhn": (12, 30),
    "leduc": (936, 5_520),
    "liars-dice": (24_576, 147_420),
    "tic-tac-toe": (294_778, 255_168),
}

app = typer.Typer(
    help="Games with hidden information: search them, solve them, play them, measure how far from perfect it is.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

GAME = typer.Argument(
    metavar="GAME", help="A name, goofspiel:cards=5, or a file of your own, my_game.py:MyGame:size=4."
)
SEED = typer.Option(help="A whole number: the same seed, the same random numbers.")
STORE = typer.Option(metavar="FILE", help="Where finished pieces are kept, and gone on from.")
ON = typer.Option(help="A Ray cluster: ray, or ray://ADDRESS.")
OUT = typer.Option(metavar="DIR", help="Where the picture (PNG and SVG) and the CSV are written.")


def main() -> None:
    app()


def command(name: str):
    """A command whose errors are one sentence each."""

    def decorate(function):
        @functools.wraps(function)
        def run(*args, **kwargs):
            try:
                function(*args, **kwargs)
            except KeyboardInterrupt:
                _fail("\nstopped", STOPPED)
            except (typer.Exit, BrokenPipeError):
                raise
            except Exception as error:
                if os.environ.get(DEBUG):
                    raise
                if isinstance(error, FogtreeError):
                    _fail(str(error), 2)
                last = traceback.extract_tb(error.__traceback__)[-1]
                where = f"{last.filename}, line {last.lineno}, in {last.name}"
                _fail(f"{type(error).__name__}: {error} ({where}; fogtree --debug shows the whole traceback)", 1)

        return app.command(name)(run)

    return decorate


def _fail(sentence: str, code: int) -> typing.NoReturn:
    typer.echo(sentence, err=True)
    raise typer.Exit(code) from None


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"fogtree {importlib.metadata.version('fogtree')}")
        raise typer.Exit()


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show errors with their whole traceback.")] = False,
) -> None:
    if debug:
        os.environ[DEBUG] = "1"


# --- what there is -----------------------------------------------------------------------------------------------


@command("games")
def list_games() -> None:
    """What there is: names, parameters, sizes."""
    console = screen.console()
    console.print(screen.games_table(GAMES, SIZES))
    console.print("fogtree show GAME explains one. A file of your own works wherever a name does: my_game.py:MyGame")


@command("show")
def show_game(game: Annotated[str, GAME], seed: Annotated[int, SEED] = 0) -> None:
    """A game's rules, and a state as each player sees it."""
    made = load(game)
    shape, console = made.shape(), screen.console()
    with np.errstate(over="ignore"):  # views may be hashes, which wrap round
        state, course = _middle(made, seed)
        seats = [(f"player {seat} sees", seat) for seat in range(shape.players)] + [("the referee sees", REFEREE)]
        panels = [Panel(Text(show(made, state, who)), title=title, expand=False) for title, who in seats]
    console.print(Text(screen.rule_book(type(made))), soft_wrap=True)
    if screen.rules(type(made)):
        console.print(screen.parameters_table(made))
    console.print(Text(f"\nA random game, after {course}:"), soft_wrap=True)
    console.print(Columns(panels))
    console.print(
        f"\nShape: {shape.players} players, {shape.words} words in a state, at most {shape.actions} actions at a node and"
        f" {shape.moves} moves in a game, payoffs from {shape.low:g} to {shape.high:g}"
        f"{', zero-sum' if shape.zero_sum else ', general sum'}",
        soft_wrap=True,
    )


# --- play --------------------------------------------------------------------------------------------------------


@command("play")
def play_game(
    game: Annotated[str, GAME],
    against: Annotated[
        str, typer.Option(help="Who plays the other seats: random, rm, uct:iterations=5000, strategy:FILE.npz.")
    ] = "random",
    seat: Annotated[int, typer.Option(help="Your seat; 0 moves first in most games.")] = 0,
    seed: Annotated[int | None, SEED] = None,
) -> None:
    """Play in the terminal: you see what your seat sees."""
    made, console = load(game), screen.console()
    players = made.shape().players
    if not 0 <= seat < players:
        raise Invalid(f"there is no seat {seat}: valid are {', '.join(map(str, range(players)))}")
    seed = secrets.randbelow(10**6) if seed is None else seed

    def tell(text: str) -> None:
        console.print(Text(text), soft_wrap=True)

    def ask(prompt: str) -> str:
        text = input(prompt)
        if not sys.stdin.isatty():
            tell(text)  # so that a piped game reads like a typed one
        return text

    others = {who: agents.load(against, seed, 1, who) for who in range(players) if who != seat}
    for agent in others.values():
        if isinstance(agent, agents.StrategyAgent):
            agent.strategy.belongs_to(made)
        elif isinstance(agent, agents.SearchAgent):
            _check_own(made)
    table = {who: screen.seen_to_think(agent) for who, agent in others.items()} | {seat: agents.HumanAgent(ask, tell)}
    tell(f"You are player {seat} of {game}, against {against}. Ctrl-D stops.")
    try:
        played = play(made, [table[who] for who in range(players)], seed=seed)
    except EOFError:
        tell("\nstopped")
        return
    names = {CHANCE: "chance"} | {who: "you" if who == seat else f"player {who}" for who in range(players)}
    if played.forfeit:
        tell(f"\n{names[played.forfeit.seat]} forfeits: {played.forfeit.reason}")
    tell(f"\nThe game is over. The referee sees:\n{played.end}")
    tell(f"payoffs: {', '.join(f'{names[who]}: {payoff:g}' for who, payoff in enumerate(played.payoffs))}")
    tell(f"moves: {', '.join(f'{names[move.player]}: {move.label}' for move in played.moves)}")
    for who, agent in others.items():
        if isinstance(agent, agents.SearchAgent) and agent.thoughts:
            tell(f"\nWhat player {who} ({agents.name(agent)}) believed, and how it mixed:")
            console.print(screen.thoughts_table(agent.thoughts))
    tell(f"--seed {seed} deals and plays the same again")


# --- check and count ---------------------------------------------------------------------------------------------


@command("check")
def check_game(
    game: Annotated[str, GAME],
    histories: Annotated[int, typer.Option(min=1, help="How many to walk from the root.")] = 20_000,
    games: Annotated[int, typer.Option(min=0, help="Random games, where that is not the whole tree.")] = 200,
    seed: Annotated[int, SEED] = 0,
) -> None:
    """Does a game keep the contract? If not, which rule?"""
    made = load(game)
    try:
        with screen.console(stderr=True).status("walking"):
            report = contract.check(made, histories=histories, games=games, seed=seed)
    except Broken as error:
        if os.environ.get(DEBUG):
            raise
        _fail(str(error), 1)
    extent = "the whole tree" if report.complete else f"a part of the tree and {games:,} random games"
    typer.echo(
        f"{game} keeps the contract. Looked at {extent}: {report.histories:,} histories, {report.terminals:,} ends, "
        f"{report.infosets:,} information sets; the same random games interpreted and compiled."
    )


@command("count")
def count_game(
    game: Annotated[str, GAME],
    depth: Annotated[int | None, typer.Option(min=0, help="Only histories of so many moves.")] = None,
) -> None:
    """Count histories, ends and information sets."""
    made, console = _load(game), screen.console()
    count(made, 0)  # compiles it, before the clock starts
    with screen.watch("counting") as look:
        found = count(made, depth, progress=look)
    console.print(screen.perft(found))
    where = "" if depth is None else f" to depth {depth}"
    infosets = ", ".join(f"player {who}: {number:,}" for who, number in enumerate(found.infosets))
    typer.echo(f"information sets{where}: {infosets}; {sum(found.infosets):,} in all")
    typer.echo(f"{found.seconds:.2f} s, {found.histories / max(found.seconds, 1e-9):,.0f} histories a second")


@command("playouts")
def time_playouts(
    games: Annotated[
        list[str] | None, typer.Argument(metavar="[GAME]...", help="All registered games if none.")
    ] = None,
    seconds: Annotated[float, typer.Option(min=0.01, help="For each game.")] = 1.0,
) -> None:
    """Play and time random games."""
    made = {text: _load(text) for text in games or GAMES}
    table = screen.playouts_table()
    with screen.progress("{task.description:<24}", BarColumn(), "{task.completed}/{task.total}") as bar:
        task = bar.add_task("", total=len(made) * BATCHES)
        for text, game in made.items():
            bar.update(task, description=f"{text}: compiling")
            trial = playouts(game, seconds=seconds / BATCHES)
            bar.update(task, description=text)
            batches = []
            for seed in range(1, BATCHES + 1):
                batches.append(playouts(game, max(2, trial.games), seed=seed))
                bar.advance(task)
            table.add_row(Text(text), *screen.timed(batches))
    screen.console().print(table)


# --- solve, exploit, convert -------------------------------------------------------------------------------------


@command("solve")
def solve_game(
    game: Annotated[str, GAME],
    method: Annotated[str, typer.Option(help=f"{', '.join(METHODS)}.")] = "auto",
    target: Annotated[
        float | None,
        typer.Option(help="Stop at this total exploitability; 0.001 of the payoffs' range if nothing is asked."),
    ] = None,
    seconds: Annotated[float | None, typer.Option(help="Stop after so long.")] = None,
    iterations: Annotated[int | None, typer.Option(help="Stop after so many.")] = None,
    save: Annotated[str | None, typer.Option(metavar="FILE.npz", help="Where the strategy is written.")] = None,
    checkpoint: Annotated[
        str | None, typer.Option(metavar="FILE", help="Written every half minute; gone on from if it is there.")
    ] = None,
) -> None:
    """Find an equilibrium, its value and a certificate. Ctrl-C prints what it has."""
    for path in (save, checkpoint):
        _writable(path)
    made, console = _load(game), screen.console()
    with screen.watch("compiling") as look:
        found = solve(
            made,
            method,
            target=target,
            seconds=seconds,
            iterations=iterations,
            checkpoint=checkpoint,
            progress=look,
        )
    console.print(screen.solution_facts(found, unicode=not console.options.ascii_only), soft_wrap=True)
    stopped = _was_stopped(found)
    if not found.reached and not stopped:
        typer.echo(f"The target of {found.parameters['target']:g} was not reached.")
    if save:
        found.strategy.save(save)
        typer.echo(f"saved {save}: {len(found.strategy):,} information sets")
    if stopped:
        _fail("stopped", STOPPED)


def _was_stopped(found: Solution) -> bool:
    """Whether Ctrl-C ended the work, not one of the limits."""
    target, seconds, iterations = (found.parameters[key] for key in ("target", "seconds", "iterations"))
    if found.method.partition(" ")[0] in ("lp", "oracle") or (target is not None and found.reached):
        return False
    return (seconds is None or found.seconds < seconds) and (iterations is None or found.iterations < iterations)


@command("exploit")
def exploit(
    game: Annotated[str, GAME],
    strategy: Annotated[str, typer.Argument(metavar="FILE.npz|uniform", help="A saved strategy, or uniform play.")],
    engine: Annotated[str, typer.Option(help="auto, memory or stream (for games that do not fit in memory).")] = "auto",
) -> None:
    """How far a strategy is from perfect play. Exactly what best responses gain against it."""
    made, console = _load(game), screen.console()
    plan = Strategy.uniform(made) if strategy == "uniform" else Strategy.load(strategy, made)
    began = time.perf_counter()
    with screen.watch("compiling") as look:
        found = exploitability(made, plan, engine=engine, progress=look)
    what = "uniform play" if strategy == "uniform" else f"{strategy}, {len(plan):,} information sets"
    console.print(screen.exploit_facts(what, found, time.perf_counter() - began), soft_wrap=True)


@command("convert")
def convert(
    game: Annotated[str, GAME],
    out: Annotated[str, typer.Argument(metavar="OUT.efg|OUT.nfg", help="The file to write.")],
) -> None:
    """Write a game as a Gambit file. Its tree is an .efg, its strategic form an .nfg."""
    from .bridges.gambit import write_efg, write_nfg  # not on top: only this command needs them

    writers = {".efg": write_efg, ".nfg": write_nfg}
    writer = writers.get(pathlib.Path(out).suffix.lower())
    if writer is None:
        raise Invalid(f"{out} names no format: valid are files that end in {' or '.join(writers)}")
    _writable(out)
    made = _load(game)
    with screen.watch("spelling it out") as look:
        writer(made, out, progress=look)
    typer.echo(f"wrote {out}: {pathlib.Path(out).stat().st_size:,} bytes")


# --- compare -----------------------------------------------------------------------------------------------------


@command("compare")
def compare(
    game: Annotated[str, GAME],
    bandits: Annotated[list[str], typer.Argument(metavar="AGENT", help="Bandits: rm, exp3:gamma=0.2, uct:c=1.")],
    seconds: Annotated[float | None, typer.Option(help="A run.")] = None,
    iterations: Annotated[int | None, typer.Option(help=f"A run; {ITERATIONS:,} if nothing is asked.")] = None,
    runs: Annotated[int, typer.Option(min=1, help="Each with its own seed.")] = 20,
    seed: Annotated[int, SEED] = 0,
    out: Annotated[pathlib.Path, OUT] = pathlib.Path("out"),
    threads: Annotated[int | None, typer.Option(min=1, help="All cores if not said.")] = None,
) -> None:
    """Measure how searches approach equilibrium. Prints a table, writes a picture and a CSV."""
    if seconds is None and iterations is None:
        iterations = ITERATIONS
    _compare(game, bandits, seconds, iterations, runs, seed, out, threads)


def _compare(
    text: str,
    names: list[str],
    seconds: float | None,
    iterations: int | None,
    runs: int,
    seed: int,
    out: pathlib.Path,
    threads: int | None,
) -> None:
    from .measure.curve import Curve, curves, write_csv  # not on top: SciPy takes a while to load

    if seconds is not None and iterations is not None:
        raise Invalid("give either --seconds or --iterations, not both")
    for limit, word in ((seconds, "seconds"), (iterations, "iterations")):
        if limit is not None and not limit > 0:
            raise Invalid(f"{word} must be above 0, not {limit:g}")
    if twice := {name for name in names if names.count(name) > 1}:
        raise Invalid(f"{min(twice)} is given twice")
    bandits = [(name, load_bandit(name)) for name in names]
    dice.seeded(seed)  # a bad one is refused before the work
    _make_folder(out)
    made = _load(text)
    with screen.watch("compiling") as look:
        form = sequence_form(made, progress=look)
        exact = solve(form, seconds=EQUILIBRIUM_SECONDS, target=EQUILIBRIUM_TOTAL, progress=look)
    typer.echo(
        f"{text} has {form.histories:,} histories. Its equilibrium by {exact.method} in {exact.seconds:.1f} s: "
        f"total exploitability {exact.total:.2g}"
    )
    for name, bandit in bandits:
        with screen.watch(f"compiling {name}"):
            ISMCTS(made, bandit, seed).run(iterations=1).strategy()
    found: list[Curve] = []
    share, stopped = 1.0, False
    try:
        with screen.live_table() as update:

            def progress(now: list[Curve]) -> None:
                found[:] = now
                update(screen.curve_table([screen.reached(curve, 0.5) for curve in now]))

            limits = {"iterations": iterations, "seconds": seconds}
            found[:] = curves(form, bandits, **limits, runs=runs, seed=seed, threads=threads, progress=progress)  # type: ignore[arg-type]
    except KeyboardInterrupt:
        share, stopped = 0.5, True
    if not any(len(curve.iterations) for curve in found):
        if stopped:
            raise KeyboardInterrupt
        raise Invalid("no run was long enough to be measured: give more seconds")
    shown = [screen.reached(curve, share) for curve in found]
    screen.console().print(screen.curve_table(shown))
    typer.echo("total: what both players could gain, 0 in perfect play; mean over the runs, 95 % interval")
    stem = out / re.sub(r"[^\w.=+-]+", "-", pathlib.Path(text).name)[:80]
    paths = [pathlib.Path(f"{stem}.{ending}") for ending in ("png", "svg", "csv")]
    screen.pictures(paths[:2], shown, exact, title=text)
    write_csv(found, paths[2])
    typer.echo(f"wrote {', '.join(map(str, paths))}")
    if stopped:
        _fail("stopped", STOPPED)


# --- tournament --------------------------------------------------------------------------------------------------


@command("tournament")
def play_tournament(
    game: Annotated[str, GAME],
    names: Annotated[
        list[str], typer.Argument(metavar="AGENT", help="random, rm, uct:iterations=5000, strategy:FILE.npz.")
    ],
    matches: Annotated[int, typer.Option(help="Of each ordered pair.")] = 1000,
    iterations: Annotated[int | None, typer.Option(min=1, help="A move, of searches that name no budget.")] = None,
    anchor: Annotated[
        str | None, typer.Option(metavar="AGENT=RATING", help="Whose rating is given; their mean is 0 if not said.")
    ] = None,
    seed: Annotated[int, SEED] = 0,
    store: Annotated[str, STORE] = runs.STORE,
    csv: Annotated[str | None, typer.Option(metavar="FILE", help="Where the cells are written.")] = None,
    cores: Annotated[int | None, typer.Option(min=1, help="All if not said.")] = None,
    on: Annotated[str | None, ON] = None,
) -> None:
    """Let agents play each other, each from both seats. Ctrl-C prints what it has; the same command goes on."""
    from .measure import tournament as rounds  # not on top: SciPy takes a while to load
    from .measure.rating import rate

    names = [_with_budget(name, iterations) for name in names]
    fixed = _anchor(anchor, names)
    rounds.check(game, names, matches, seed)
    dice.seeded(seed)
    _writable(csv)
    made, console = _load(game), screen.console()
    found, stopped = rounds.Tournament(game, tuple(names), {}), False
    try:
        with screen.live_table() as update:

            def progress(now: rounds.Tournament, step: runs.Step) -> None:
                nonlocal found
                found = now
                update(screen.matrix_table(now, step))

            rounds.tournament(
                game, names, matches=matches, seed=seed, store=store, cores=cores, on=on, progress=progress
            )
    except KeyboardInterrupt:
        stopped = True
        if not found.cells:
            raise
    console.print(screen.matrix_table(found))
    typer.echo("each cell: won by the row, a draw as half; its 95 % interval (Wilson); the row's mean payoff")
    if forfeits := sum(cell.forfeits for cell in found.cells.values()):
        typer.echo(f"{forfeits:,} matches ended by forfeit: an agent failed or broke the rules")
    if len(names) > 1:
        try:
            rated = rate(found.counts(), names, anchor=fixed)
        except Invalid as error:
            typer.echo(f"no ratings: {error}")
        else:
            exact = {} if stopped else _exact(rounds, made, names, seed)
            console.print(screen.standing_table(found, rated, exact))
            typer.echo(screen.rating_words(rated))
            if exact:
                typer.echo("exploitability: exact, the total of the strategy that one search of a move's budget finds")
    if csv:
        rounds.write_csv(found, csv)
        typer.echo(f"wrote {csv}")
    if stopped:
        _fail(f"stopped; what is done is kept in {store}, and the same command goes on from there", STOPPED)


def _with_budget(name: str, iterations: int | None) -> str:
    """The name of a search with so many iterations a move, unless it has a budget."""
    known, colon, rest = name.partition(":")
    given = {part.partition("=")[0].strip() for part in parts(rest)}
    if iterations is None or known not in BANDITS or given & {"iterations", "seconds"}:
        return name
    return f"{name}{',' if rest else '' if colon else ':'}iterations={iterations}"


def _anchor(text: str | None, names: list[str]) -> tuple[str, float] | None:
    """Whose rating is given, and what it is; names may hold equal signs themselves."""
    if text is None:
        return None
    name, _, number = text.rpartition("=")
    try:
        return names[names.index(name)], float(number)
    except ValueError:
        raise Invalid(f"--anchor is AGENT=RATING with one of {', '.join(names)}, not '{text}'") from None


def _exact(rounds: Any, game: Any, names: list[str], seed: int) -> dict[str, float]:
    """The exploitability of each agent, where the game is zero-sum and small enough; else nothing."""
    try:
        with screen.watch("exploitability") as look:
            form = sequence_form(game, memory=EXACT_ROOM, progress=look)
            return dict(zip(names, rounds.exploitabilities(form, names, seed=seed), strict=True))
    except (TooLarge, Invalid):
        return {}


# --- stubborn games ----------------------------------------------------------------------------------------------


@command("stubborn")
def find_stubborn(
    bandit: Annotated[str, typer.Option(help="A name, exp3:gamma=0.2, or a file of your own, my_bandit.py:MyBandit.")],
    family: Annotated[
        str, typer.Option(help="3x3 (all payoffs -1, 0, 1), random/uniform:rows=4, or games.json, a list of matrices.")
    ] = "3x3",
    games: Annotated[int, typer.Option(min=1, help="Of a random family.")] = 1000,
    threshold: Annotated[
        float, typer.Option(min=0, help="A game is stubborn when its exploitability is above.")
    ] = 0.05,
    steps: Annotated[int, typer.Option(min=1, max=350, help="Of the schedule: 250 are 3,190,936 simulations.")] = 250,
    repeats: Annotated[int, typer.Option("--runs", min=1, help="Of each game, each with its own seed.")] = 1,
    every: Annotated[bool, typer.Option("--every", help="Every game, also those that are the same renamed.")] = False,
    limit: Annotated[int, typer.Option(min=0, help="Games to list.")] = 20,
    csv: Annotated[str | None, typer.Option(metavar="FILE", help="Where all of them are written.")] = None,
    seed: Annotated[int, SEED] = 0,
    store: Annotated[str, STORE] = runs.STORE,
    cores: Annotated[int | None, typer.Option(min=1, help="All if not said.")] = None,
) -> None:
    """Find the games of a family that a bandit fails on, playing itself. The same command goes on after Ctrl-C."""
    from .measure import stubborn  # not on top: only this command needs it

    dice.seeded(seed)
    _writable(csv)
    try:
        with screen.steps() as look:
            found = stubborn.sweep(
                bandit,
                family,
                games=games,
                steps=steps,
                runs=repeats,
                seed=seed,
                classes=not every,
                store=store,
                cores=cores,
                progress=lambda step: look(f"{bandit} on {family}", step),
            )
    except KeyboardInterrupt:
        _fail(f"\nstopped; what is done is kept in {store}, and the same command goes on from there", STOPPED)
    failures = found.failures(threshold, games)
    if failures and limit:
        screen.console().print(screen.stubborn_table(failures[:limit]))
    typer.echo(
        f"{bandit} played {len(found.trials):,} games that stand for {found.weights.sum():,}, "
        f"{stubborn.simulations(steps):,} simulations each, {repeats} run{'s' if repeats > 1 else ''} a game: "
        f"{len(failures):,} are stubborn, {found.share(threshold):.2%} of all end above {threshold:g}, "
        f"the worst at {found.exploitability.max():.4g}."
    )
    typer.echo("exploitability: half of what both best responses gain; fogtree solve GAME shows a game's equilibrium")
    if csv:
        stubborn.write_csv(failures, csv)
        typer.echo(f"wrote {csv}")


# --- runs --------------------------------------------------------------------------------------------------------


@command("runs")
def show_runs(
    what: Annotated[
        str | None, typer.Argument(metavar="[show|export]", help="All are listed if nothing is asked.")
    ] = None,
    id: Annotated[str | None, typer.Argument(metavar="[ID]", help="Of a run; its first letters suffice.")] = None,
    csv: Annotated[str | None, typer.Option(metavar="FILE", help="Where export writes.")] = None,
    store: Annotated[str, STORE] = runs.STORE,
) -> None:
    """List what is stored of long work. `show ID` tells of one run, `export ID --csv FILE` writes its pieces."""
    console = screen.console()
    if what is None:
        console.print(screen.runs_table(runs.records(store)))
        return
    if what not in ("show", "export"):
        raise Invalid(f"there is nothing to do with runs called '{what}': valid are show and export")
    if id is None:
        raise Invalid(f"{what} needs the ID of a run: fogtree runs lists them")
    if what == "show":
        known, pieces = runs.record(store, id), runs.pieces_of(store, id)
        console.print(screen.record_facts(known), soft_wrap=True)
        console.print(screen.pieces_table(pieces[:SHOWN]))
        if len(pieces) > SHOWN:
            typer.echo(f"and {len(pieces) - SHOWN:,} more: fogtree runs export {known.id} --csv FILE has all")
        return
    if csv is None:
        raise Invalid("export needs a file to write: --csv FILE")
    _writable(csv)
    typer.echo(f"wrote {csv}: {runs.export(store, id, csv):,} pieces")


# --- papers ------------------------------------------------------------------------------------------------------


@command("paper")
def reproduce(
    paper: Annotated[str | None, typer.Argument(metavar="[PAPER]", help="All are listed if none is given.")] = None,
    parts: Annotated[
        list[str] | None, typer.Argument(metavar="[PART]...", help="table1, figure2; all if none.")
    ] = None,
    scale: Annotated[str, typer.Option(help="quick (a minute or two) or full (hours).")] = "quick",
    out: Annotated[pathlib.Path | None, typer.Option(metavar="DIR", help="Where the report goes; out/PAPER.")] = None,
    seed: Annotated[int, SEED] = 0,
    store: Annotated[str, STORE] = runs.STORE,
    cores: Annotated[int | None, typer.Option(min=1, help="All if not said.")] = None,
    on: Annotated[str | None, ON] = None,
) -> None:
    """Reproduce a paper: its printed numbers beside ours. Writes a report (HTML, Markdown, pictures, CSV)."""
    from .papers import PAPERS, load_paper, report  # not on top: pictures and statistics take a while to load

    console = screen.console()
    if paper is None:
        console.print(screen.papers_table([load_paper(name) for name in PAPERS]))
        console.print("fogtree paper NAME [PART]... reproduces one.")
        return
    found, folder = load_paper(paper), out or pathlib.Path("out") / paper
    words = ["fogtree paper", paper, *(parts or []), *([f"--scale {scale}"] if scale != "quick" else [])]
    if seed:
        words.append(f"--seed {seed}")
    report.check_parts(found, scale, parts or [])
    dice.seeded(seed)
    _make_folder(folder)
    try:
        with screen.steps() as look:
            lab = report.Lab(paper, scale, seed, store, cores, on, look)
            sections = [found.parts[part](lab) for part in parts or found.parts]
    except KeyboardInterrupt:
        _fail(f"\nstopped; what is done is kept in {store}, and the same command goes on from there", STOPPED)
    written = report.write_report(found, lab, sections, folder, " ".join(words))
    console.print(screen.sections_table(sections))
    typer.echo(f"wrote {written}, report.md beside it, pictures and numbers in {folder}")


# --- demo --------------------------------------------------------------------------------------------------------


@command("demo")
def demo(
    seconds: Annotated[float, typer.Option(min=0.01, help="A run.")] = 2.0,
    runs: Annotated[int, typer.Option(min=1, help="Of each of the three.")] = 4,
    out: Annotated[pathlib.Path, OUT] = pathlib.Path("out"),
) -> None:
    """Three searches beside the exact equilibrium. UCT, Exp3 and RM on 6-card Goofspiel, in under a minute."""
    game, bandits = DEMO
    typer.echo(f"IS-MCTS with {', '.join(bandits)}: {runs} runs of {seconds:g} s each, beside the equilibrium.")
    _compare(game, bandits, seconds, None, runs, 0, out, None)
    hint = "" if shutil.which("fogtree") else ", after `. .venv/bin/activate`"
    typer.echo(
        f"\nTry next{hint}:\n"
        "  fogtree games                           what there is\n"
        "  fogtree show phantom-ttt                the rules, and who sees what\n"
        "  fogtree play phantom-ttt --against rm   you against a search, which then says what it thought\n"
        "  fogtree solve leduc                     an equilibrium, its value, a certificate\n"
        "  fogtree compare leduc rm uct:c=1        more curves\n"
        "  docs/your-own-game.md                   your own game in ten minutes"
    )


# --- what is given -----------------------------------------------------------------------------------------------


def _load(text: str) -> Any:
    """A game that is about to be compiled."""
    made = load(text)
    _check_own(made)
    return made


def _check_own(game: Any) -> None:
    """Check a user's own game first: a slip in plain Python is a sentence, in machine code a crash."""
    if not type(game).__module__.startswith("fogtree."):
        contract.check(game, histories=1_000, games=10)


def _writable(path: str | None) -> None:
    """Say before the work that its result cannot be written."""
    if path is None:
        return
    folder = pathlib.Path(path).parent
    if pathlib.Path(path).is_dir():
        raise Invalid(f"{path} is a folder: name a file")
    if not folder.is_dir():
        raise Invalid(f"{path} cannot be written: there is no folder {folder}")
    if not os.access(folder, os.W_OK):
        raise Invalid(f"{path} cannot be written: the folder {folder} is closed to you")


def _make_folder(path: pathlib.Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Invalid(f"the folder {path} cannot be made: {error.strerror or error}") from None
    _writable(str(path / "x"))


def _middle(game: Any, seed: int) -> tuple[np.ndarray, str]:
    """A state past the middle of a random game, and the moves that led there."""
    random = dice.seeded(seed)
    states, words = [new_state(game)], []
    while actions := legal(game, states[-1]):
        state, player = states[-1].copy(), int(game.player(states[-1]))
        chances = odds(game, state) if player == CHANCE else [1 / len(actions)] * len(actions)
        action = actions[dice.pick(random, chances, len(actions))]
        words.append(f"{'chance' if player == CHANCE else f'player {player}'}: {label(game, state, action)}")
        game.step(state, action)
        states.append(state)
        if len(states) > game.shape().moves + 1:
            raise Broken(
                f"{type(game).__name__} goes on after {game.shape().moves} moves, the most that shape() allows"
            )
    middle = math.ceil(0.6 * len(words))
    return states[middle], ", ".join(words[:middle])
