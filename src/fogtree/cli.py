"""The command `fogtree`: parses, calls, prints. What it prints is computed elsewhere."""

import enum
import functools
import importlib.metadata
import inspect
import math
import os
import secrets
import shutil
import sys
import time
import traceback
import typing
from typing import Annotated, Any

import numpy as np
import typer
from rich.box import SIMPLE_HEAD
from rich.columns import Columns
from rich.console import Console
from rich.panel import Panel
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from . import agents, contract, dice
from .errors import Broken, FogtreeError, Invalid
from .game import CHANCE, REFEREE, label, legal, new_state, odds
from .games import GAMES, load
from .kernel import DEBUG
from .measure.count import Count, count
from .measure.match import play, show
from .parameters import valid
from .search.playout import Playouts, playouts

WIDE = 150  # columns where the output is no terminal, so that tables are not squeezed
BATCHES = 20  # of random games in the demo: the spread of their means gives the interval
STUDENT = 2.093  # the 97.5 % quantile of Student's t with BATCHES - 1 degrees of freedom
STOPPED = 130  # the exit code of an interrupted command

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
    help="Games with hidden information: look at them, play them, count them, check your own.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

GAME = typer.Argument(
    metavar="GAME", help="A name, goofspiel:cards=5, or a file of your own, my_game.py:MyGame:size=4."
)
SEED = typer.Option(help="A whole number: the same seed, the same random numbers.")


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
    table = Table("game", "what it is, parameters=defaults (what is valid)", box=SIMPLE_HEAD)
    for header in ("players", "infosets", "ends"):
        table.add_column(header, justify="right")
    for name, cls in GAMES.items():
        about = _rule_book(cls).partition("\n")[0].partition(" Rules version")[0]
        parameters = [f"  {field}={_brief(cls._field_defaults[field])} ({rule})" for field, rule in _rules(cls)]
        sizes = [f"{number:,}" for number in (cls().shape().players, *SIZES[name])]
        table.add_row(name, Text("\n".join([about, *parameters])), *sizes)
    console = _console()
    console.print(table)
    console.print("fogtree show GAME explains one. A file of your own works wherever a name does: my_game.py:MyGame")


@command("show")
def show_game(game: Annotated[str, GAME], seed: Annotated[int, SEED] = 0) -> None:
    """A game's rules, and a state as each player sees it."""
    made = load(game)
    cls, shape, console = type(made), made.shape(), _console()
    with np.errstate(over="ignore"):  # views may be hashes, which wrap round
        state, course = _middle(made, seed)
        seats = [(f"player {seat} sees", seat) for seat in range(shape.players)] + [("the referee sees", REFEREE)]
        panels = [Panel(Text(show(made, state, who)), title=title, expand=False) for title, who in seats]
    console.print(Text(_rule_book(cls)), soft_wrap=True)
    if rules := _rules(cls):
        table = Table("parameter", "here", "default", "valid", box=SIMPLE_HEAD)
        for field, rule in rules:
            default = _brief(cls._field_defaults[field]) if field in cls._field_defaults else "none"
            table.add_row(*map(Text, (field, _brief(getattr(made, field)), default, rule)))
        console.print(table)
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
    against: Annotated[str, typer.Option(help="Who plays the other seats: random, rm, uct:c=1, strategy:FILE.")] = "random",
    seat: Annotated[int, typer.Option(help="Your seat; 0 moves first in most games.")] = 0,
    seed: Annotated[int | None, SEED] = None,
) -> None:
    """Play in the terminal: you see what your seat sees."""
    made, console = load(game), _console()
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

    table: list[agents.Agent] = [agents.load(against, seed, 1, other) for other in range(players)]
    table[seat] = agents.HumanAgent(ask, tell)
    tell(f"You are player {seat} of {game}, against {against}. Ctrl-D stops.")
    try:
        played = play(made, table, seed=seed)
    except EOFError:
        tell("\nstopped")
        return
    names = {CHANCE: "chance"} | {who: "you" if who == seat else f"player {who}" for who in range(players)}
    tell(f"\nThe game is over. The referee sees:\n{played.end}")
    tell(f"payoffs: {', '.join(f'{names[who]}: {payoff:g}' for who, payoff in enumerate(played.payoffs))}")
    tell(f"moves: {', '.join(f'{names[move.player]}: {move.label}' for move in played.moves)}")
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
        with _console(stderr=True).status("walking"):
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
    made, console = load(game), _console()
    if not type(made).__module__.startswith("fogtree."):
        contract.check(made, histories=1_000, games=10)  # a slip in plain Python is a sentence, in machine code a crash
    count(made, 0)  # compiles it, before the clock starts
    with _progress("[progress.description]{task.description}") as bar:
        task, start = bar.add_task("counting"), time.perf_counter()

        def progress(done: int) -> None:
            rate = done / (time.perf_counter() - start)
            bar.update(task, description=f"{done:,} histories, {rate / 1e6:.1f} million a second")

        found = count(made, depth, progress=progress)
    console.print(_perft(found))
    where = "" if depth is None else f" to depth {depth}"
    infosets = ", ".join(f"player {who}: {number:,}" for who, number in enumerate(found.infosets))
    typer.echo(f"information sets{where}: {infosets}; {sum(found.infosets):,} in all")
    typer.echo(f"{found.seconds:.2f} s, {found.histories / max(found.seconds, 1e-9):,.0f} histories a second")


def _perft(found: Count) -> Table:
    table = Table(show_footer=True)
    columns = [("depth", "all"), ("histories", found.histories), ("ends", found.terminals), ("chance", found.chance)]
    for header, total in [*columns, ("decisions", found.histories - found.terminals - found.chance)]:
        table.add_column(header, footer=total if isinstance(total, str) else f"{total:,}", justify="right")
    for depth, row in enumerate(found.by_depth.tolist()):
        if sum(row):
            table.add_row(str(depth), *(f"{number:,}" for number in (sum(row), *row)))
    return table


# --- demo --------------------------------------------------------------------------------------------------------


@command("demo")
def demo(seconds: Annotated[float, typer.Option(min=0.01, help="Of random games, for each game.")] = 1.0) -> None:
    """Play and time random games of each kind."""
    console = _console()
    table = Table(title="Random games, one core", title_justify="left")
    table.add_column("game")
    for header in ("games a second", "mean payoff of player 0", "moves a game"):
        table.add_column(header, justify="right")
    with _progress("{task.description:<24}", BarColumn(), "{task.completed}/{task.total}") as bar:
        task = bar.add_task("", total=len(GAMES) * BATCHES)
        for name in GAMES:
            made = load(name)
            bar.update(task, description=f"{name}: compiling")
            trial = playouts(made, seconds=seconds / BATCHES)
            games = max(2, trial.games)
            bar.update(task, description=name)
            batches = []
            for seed in range(1, BATCHES + 1):
                batches.append(playouts(made, games, seed=seed))
                bar.advance(task)
            table.add_row(name, *_timed(batches))
    console.print(table)
    hint = "" if shutil.which("fogtree") else ", after `. .venv/bin/activate`"
    console.print(
        f"\nThe intervals are 95 %. Try next{hint}:\n"
        "  fogtree games                  what there is\n"
        "  fogtree show phantom-ttt       the rules, and who sees what\n"
        "  fogtree play kuhn              you against a random player\n"
        "  fogtree count goofspiel        how large a game is\n"
        "  docs/your-own-game.md          your own game in ten minutes"
    )


def _timed(batches: list[Playouts]) -> tuple[str, str, str]:
    games = sum(batch.games for batch in batches)
    means = np.array([batch.payoff[0] for batch in batches])
    half = STUDENT * means.std(ddof=1) / math.sqrt(len(batches))
    rate = games / sum(batch.seconds for batch in batches)
    return f"{rate:,.0f}", f"{means.mean():+.4f} +- {half:.4f}", f"{sum(batch.moves for batch in batches) / games:.2f}"


# --- how it looks ------------------------------------------------------------------------------------------------


def _console(stderr: bool = False) -> Console:
    console = Console(stderr=stderr, highlight=False)
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = WIDE
    return console


def _progress(*columns: Any) -> Progress:
    """A live line on stderr, which is gone at the end; nothing where that is no terminal."""
    console = _console(stderr=True)
    texts = [TextColumn(column) if isinstance(column, str) else column for column in columns]
    live = console.is_terminal
    return Progress(SpinnerColumn(), *texts, TimeElapsedColumn(), console=console, transient=True, disable=not live)


def _rule_book(cls: Any) -> str:
    """The docstring of the game's file, or else of its class."""
    return inspect.getdoc(sys.modules[cls.__module__]) or inspect.getdoc(cls) or cls.__name__


def _rules(cls: Any) -> list[tuple[str, str]]:
    """Each parameter with what it accepts, in words. Without `@accepts`, those fields that a text can give."""
    if rules := getattr(cls, "accepts", None):
        return [(field, valid(rules[field])) for field in cls._fields]
    hints = typing.get_type_hints(cls)
    return [(field, valid(hints[field])) for field in cls._fields if hints[field] in (bool, int, float)]


def _brief(value: Any) -> str:
    if isinstance(value, enum.Enum):
        return value.name.lower().replace("_", "-")
    if isinstance(value, np.ndarray):
        return " x ".join(map(str, value.shape)) + " matrix"
    return str(value).lower() if isinstance(value, bool) else str(value)


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
