"""Endgame tables on the command line: `fogtree endings`."""

from typing import Annotated

import numpy as np
import typer
from rich.table import Table as Columns

from ..endings import ABSENT, DRAWN, EndgameTable, best_action, outcome_of
from ..errors import Invalid
from ..game import label, new_state
from . import screen
from .screen import live
from .shell import GAME, command, load_game


@command("endings")
def show_endings(
    game: Annotated[str, GAME],
    which: Annotated[
        str | None,
        typer.Argument(metavar="ENDINGS", help="The endings: in chess three, four, or names such as KBNK."),
    ] = None,
    position: Annotated[
        str | None, typer.Option(help="Say what perfect play makes of this position, in the game's notation.")
    ] = None,
) -> None:
    """Make an endgame table: who wins, and in how many moves. Solved from their ends backwards, once, and kept."""
    from ..solvers.exact.retrograde import endgame_table  # not on top: only this command needs it

    made = load_game(game)
    state = new_state(made) if hasattr(made, "endings") else None
    if position is not None and state is not None:
        if not hasattr(made, "from_notation"):
            raise Invalid(f"{type(made).__name__} cannot read positions: it has no method `from_notation`")
        made.from_notation(position, state)
    with live.watch("preparing") as look:
        table = endgame_table(made, which, progress=look)
    if position is None or state is None:
        screen.console().print(_counted(table))
    else:
        typer.echo(_told(made, table, state))


def _counted(table: EndgameTable) -> Columns:
    columns = Columns("ending", "positions", "won", "drawn", "lost", "longest win, own moves", box=None)
    first = 0
    for name, count in table.places.stages():
        outcome = table.outcome[first : first + count]
        real = outcome[outcome != ABSENT]
        counts = len(real), np.sum(real > 0), np.sum(real == DRAWN), np.sum(real < 0)
        longest = (max(int(real.max(initial=0)), 0) + 1) // 2
        columns.add_row(name, *(f"{int(number):,}" for number in counts), str(longest) if longest else "-")
        first += count
    return columns


def _told(game, table: EndgameTable, state: np.ndarray) -> str:
    """A position in a sentence."""
    with np.errstate(over="ignore"):
        outcome, action = outcome_of(game, table, state), best_action(game, table, state)
    if outcome is None:
        return "These endings do not have this position."
    best = "" if action is None else f": {label(game, state, action)}"
    if outcome == DRAWN:
        return f"The mover draws{best}."
    moves = (abs(outcome) + 1) // 2
    word = "move" if moves == 1 else "moves"
    return f"The mover {'wins' if outcome > 0 else 'loses'} in {moves} {word}{best}."
