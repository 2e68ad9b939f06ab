"""The command for charts before the flop: push or fold."""

import csv
from typing import Annotated

import typer

from ..errors import Invalid
from ..files import appearing
from ..games.preflop import preflop
from ..games.preflop.all_in import KINDS, names
from ..games.preflop.charts import Chart, charts_of
from ..games.preflop.rules import SEATS
from ..games.registry import name
from ..solvers.solution import solve
from . import screen
from .screen import live
from .screen.figures import facts
from .screen.grid import grid
from .shell import command, writable

FILED = 80  # columns of a grid that goes into a file


@command("pushfold")
def chart(
    stack: Annotated[float, typer.Option(help="Chips of both players before the blinds, in big blinds.")] = 10.0,
    raises: Annotated[
        str, typer.Option(help="Sizes to which the small blind may raise, in big blinds: 2, 2.5. None by default.")
    ] = "",
    ante: Annotated[float, typer.Option(help="What each player puts in before the cards, in big blinds.")] = 0.0,
    table: Annotated[str | None, typer.Option(metavar="FILE.csv", help="Write the charts to this file.")] = None,
) -> None:
    """Print charts for two players before the flop. They are exact, and tell which hands to push all in, or to raise, and
    which to call."""
    writable(table)
    try:
        sizes = tuple(float(word) for word in raises.split(",") if word.strip())
    except ValueError:
        raise Invalid(f"'{raises}' are no sizes of raises: write big blinds, as in 2, 2.5") from None
    game = preflop(stack, raises=sizes, ante=ante)
    with live.watch("preparing") as look:
        found = solve(game, "lp", progress=look)
    charts = charts_of(game, found.strategy)
    console = screen.console()
    width = console.width if console.is_terminal else FILED
    value = found.value
    sure = f"best responses of both together gain {max(found.total, 0.0):.2g} big blinds"
    rows = [
        ("game", name(game)),
        ("values", f"{SEATS[0]} {value:+.5f}, {SEATS[1]} {-value:+.5f} big blinds a hand"),
        ("certificate", sure),
    ]
    console.print(facts(rows), soft_wrap=True)
    for one in charts:
        told = ", ".join(
            f"{action} {100 * share:.1f} %" for action, share in zip(one.actions, one.played(), strict=True)
        )
        told = told if one.weight.sum() > 0 else "this never comes"
        before = f" after {one.line}" if one.line else ""
        console.print(f"\n{SEATS[one.player]}{before}: {told}", soft_wrap=True)
        shares = {kind: one.mix[i] for i, kind in enumerate(names())}
        console.print(grid(one.actions, shares, console.color_system is not None, width), width=width)
    if table:
        _write(table, charts)
        typer.echo(f"saved {table}: {KINDS} kinds of hands")


def _write(path: str, charts: list[Chart]) -> None:
    with appearing(path, "t") as file:
        rows = csv.writer(file)
        head = [
            f"{SEATS[one.player]}{f' after {one.line}' if one.line else ''}: {a}" for one in charts for a in one.actions
        ]
        rows.writerow(["hand", *head])
        for kind, called in enumerate(names()):
            rows.writerow([called, *(f"{share:.6g}" for one in charts for share in one.mix[kind])])
