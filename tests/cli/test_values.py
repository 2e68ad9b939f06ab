"""Options are read without Pydantic where their values are plainly right, and by Typer everywhere else."""

import subprocess
import sys
from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner

from fogtree.cli import values

SHORT = """
import sys
sys.argv = ["fogtree", *{words}]
import fogtree.cli
try:
    fogtree.cli.main()
except SystemExit:
    pass
print("loaded:", *(name for name in ("pydantic", "numba", "scipy", "matplotlib") if name in sys.modules))
"""


@pytest.mark.parametrize(
    "words", ["games", "show leduc --seed 3", "agents", "show nothing", "solve nothing", "count kuhn:cards=99"]
)
def test_short_commands_load_no_heavy_library(words):
    done = subprocess.run([sys.executable, "-c", SHORT.format(words=words.split())], capture_output=True, text=True)
    assert done.stdout.endswith("loaded:\n") and len(done.stdout + done.stderr) > 30


def twins():
    """Two apps with the same command, the first as the commands of Fogtree are, the second as Typer makes them."""
    made = [typer.Typer(cls=values.Group, rich_markup_mode=None), typer.Typer(rich_markup_mode=None)]
    for app, cls in zip(made, (values.Command, None), strict=True):

        def command(
            what: str,
            rest: list[str] | None = None,
            seed: int = 0,
            depth: Annotated[int | None, typer.Option(min=0, max=9)] = None,
            seconds: Annotated[float, typer.Option(min=0.1)] = 1.0,
            fast: bool = False,
            tag: Annotated[list[str] | None, typer.Option()] = None,
            upper: Annotated[str, typer.Option(parser=str.upper)] = "a",
        ) -> None:
            """A command."""
            print([(type(value), value) for value in (what, rest, seed, depth, seconds, fast, tag, upper)])

        app.command("x", cls=cls)(command)
        app.command("y")(lambda: None)
    return made


WORDS = """a | a b c | a --seed 3 | a --seed -3 | a --seed 1e3 | a --seed 3.0 | a --seed x | a --seed 99999999999999999999
a --seed ٣ | a --seed +4 | a --seed 1_000 | a --depth 0 | a --depth 9 | a --depth 10 | a --depth -1 | a --depth= | 7 8
a --seconds 0.1 | a --seconds 0.05 | a --seconds nan | a --seconds 2 | a --seconds x | a --fast | a --no-fast
a --tag u --tag v | a --upper xy | | a --nothing"""


@pytest.mark.parametrize("words", [line.strip() for line in WORDS.replace("\n", "|").split("|")])
def test_values_and_errors_are_those_of_typer(words):
    ours, theirs = (CliRunner().invoke(app, ["x", *words.split()]) for app in twins())
    assert (ours.exit_code, ours.output) == (theirs.exit_code, theirs.output)
    assert ours.output
