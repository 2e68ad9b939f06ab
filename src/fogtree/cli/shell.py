"""What all commands share: the app, arguments that many take, errors of one sentence, checks before the work."""

import functools
import io
import itertools
import math
import os
import pathlib
import sys
import tempfile
import traceback
import typing
from typing import Annotated, Any

import typer

from ..errors import FogtreeError, Invalid
from ..files import require_ordinary
from ..kernels import DEBUG
from ..kernels.engines import DEVICES
from ..text.naming import load
from . import completing, stopping, values
from .stopping import STOPPED

NO_PROMISE = (
    "This game has more than two players or no zero sum: no method of regrets is sure to reach a Nash equilibrium here. "
    "The total above is what it reached."
)

app = typer.Typer(
    cls=values.Group,
    help="Games with hidden information: search them, solve them, play them, and measure how far each answer is from "
    "perfect play.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

GAME = typer.Argument(
    metavar="GAME",
    help="The game: a name (goofspiel:cards=5) or a file of your own (my_game.py:MyGame:size=4).",
    autocompletion=completing.games,
)
SEED = typer.Option(help="Seed of the random numbers, a whole number. The same seed gives the same numbers.")
STORE = typer.Option(metavar="FILE", help="File that stores each finished piece. The same command resumes from it.")
GIGABYTE = 1e9  # the unit of --memory
CORES = typer.Option(min=1, help="Number of processor cores to use. All of them by default.")
DEVICE = typer.Option(help=f"What computes: {', '.join(DEVICES)} (cuda is an NVIDIA GPU; see `fogtree devices`).")
ON = typer.Option(help="Run on a Ray cluster: ray://ADDRESS, or ray for the one of RAY_ADDRESS or else a local one.")
OUT = typer.Option(metavar="DIR", help="Folder for the picture (PNG and SVG) and the CSV file.")


def command(name: str):
    """A command whose errors are one sentence each."""

    def decorate(function):
        @functools.wraps(function)
        def run(*args, **kwargs):
            try:
                with stopping.heard(), stopping.doing(f"running fogtree {name}"):
                    _require_numbers(kwargs)
                    function(*args, **kwargs)
            except KeyboardInterrupt as stop:
                fail(f"\n{stopping.sentence(stop)}", STOPPED)
            except (typer.Exit, BrokenPipeError):
                raise
            except Exception as error:
                if os.environ.get(DEBUG):
                    raise
                if stopping.pressed:  # a library has made another error of it
                    fail(f"\n{stopping.sentence()}", STOPPED)
                if isinstance(error, FogtreeError):
                    fail(str(error), 2)
                last = traceback.extract_tb(error.__traceback__)[-1]
                where = f"{last.filename}, line {last.lineno}, in {last.name}"
                fail(f"{type(error).__name__}: {error} ({where}; fogtree --debug shows the whole traceback)", 1)

        return app.command(name, cls=values.Command)(run)

    return decorate


def _require_numbers(options: dict[str, Any]) -> None:
    """Refuse NaN. Every comparison with it is false, so a limit of NaN would never end the work."""
    for name, value in options.items():
        if isinstance(value, float) and math.isnan(value):
            raise Invalid(f"--{name.replace('_', '-')} must be a number, not nan")


def fail(sentence: str, code: int) -> typing.NoReturn:
    typer.echo(sentence, err=True)
    stopping.said = code == STOPPED
    raise typer.Exit(code) from None


def _version(wanted: bool) -> None:
    if wanted:
        import importlib.metadata  # as slow to load as much of the rest

        typer.echo(f"fogtree {importlib.metadata.version('fogtree')}")
        raise typer.Exit()


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show the whole traceback of an error.")] = False,
) -> None:
    if debug:
        os.environ[DEBUG] = "1"
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # the name of a file need not be a text that can be printed


def load_game(text: str) -> Any:
    """A game that is about to be compiled."""
    from ..contract.entry import admit

    made = load(text)
    admit(made)
    return made


def writable(path: str | None) -> None:
    """Raise an error before the work begins if its result could not be written."""
    if path is None:
        return
    folder = pathlib.Path(path).parent
    require_ordinary(path)
    if not folder.is_dir():
        raise Invalid(f"{path} cannot be written: there is no folder {folder}")
    try:  # nothing else tells for sure: a disk may be read-only, a system may forbid it
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        raise Invalid(f"{path} cannot be written: {error.strerror or error}") from None


def apart(**paths: str | None) -> None:
    """Refuse two options, by their names, that name one file: what the first writes would be lost."""
    given = [(option, pathlib.Path(path).resolve()) for option, path in paths.items() if path is not None]
    for (first, one), (second, other) in itertools.combinations(given, 2):
        if one == other:
            raise Invalid(f"--{first} and --{second} name the same file: choose two")


def make_folder(path: pathlib.Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Invalid(f"the folder {path} cannot be made: {error.strerror or error}") from None
    writable(str(path / "x"))
