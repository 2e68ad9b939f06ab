"""Perfect play: which equilibria come with the package, and how they are made again."""

import itertools
import pathlib
from typing import Annotated, NamedTuple

import numpy as np
import typer

from ..errors import Invalid
from ..solvers.certified import SHIPPED, Certified, file_name
from ..strategy import Strategy
from ..text.naming import load
from ..text.naming import name as name_of
from ..walk.slices import Watcher
from . import completing, screen
from .screen import live, results
from .shell import command, load_game


class Recipe(NamedTuple):
    """How an equilibrium of the box is made."""

    method: str
    target: float  # total exploitability
    bits: int = 52  # of a probability that are kept


RECIPES = {  # by game, the quickest first
    "kuhn": Recipe("lp", 1e-9),
    "leduc": Recipe("lp", 1e-9),
    "goofspiel:cards=2": Recipe("lp", 1e-9),
    "goofspiel:cards=3": Recipe("lp", 1e-9),
    "goofspiel:cards=4": Recipe("lp", 1e-9),
    "goofspiel:cards=5": Recipe("oracle", 1e-9),
    "goofspiel": Recipe("oracle", 1e-9),
    "dark-hex": Recipe("streamed-oracle", 1e-8),
    "liars-dice": Recipe("oracle", 1e-9),
    "small-army": Recipe("oracle", 1e-9),
    "phantom-ttt:rules=forced-centre": Recipe("streamed-oracle", 1e-8),
    "phantom-ttt": Recipe("streamed-oracle", 1e-8),
    "dark-hex:abrupt=true": Recipe("streamed-oracle", 5e-5, bits=20),
    "phantom-ttt:rules=abrupt": Recipe("streamed-oracle", 5e-4, bits=20),
}


@command("perfect")
def show_perfect(
    games: Annotated[
        list[str] | None,
        typer.Argument(metavar="GAME", help="The games. All of the box by default.", autocompletion=completing.games),
    ] = None,
    make: Annotated[
        pathlib.Path | None,
        typer.Option(
            metavar="DIR", help="Make the equilibria of the box again into this folder. Files that are there are kept."
        ),
    ] = None,
) -> None:
    """List perfect players, each with the bounds that prove it. `fogtree play GAME --against perfect` plays one."""
    if make is not None:
        _make(games or list(RECIPES), make)
        return
    from ..arena.agents.perfect import Perfect  # not on top: making them needs no agent

    if games:
        for text in games:
            known = Perfect(load_game(text))
            if known.plan(known.game) is None:
                typer.echo(f"{text}: every move is proved by search or by a table when it is made.")
            else:
                screen.console().print(results.certified_facts(known.certificate), soft_wrap=True)
        return
    console = screen.console()
    console.print(results.certified_table([Certified.load(path) for path in sorted(SHIPPED.glob("*.npz"))]))
    typer.echo(
        "fogtree exploit GAME perfect measures one again. Small games and matrix games are solved when they are asked for, "
        "and open games are searched to their end."
    )


def _make(games: list[str], folder: pathlib.Path) -> None:
    """Make those files that the folder does not have, one after the other, so that the same command goes on after a stop."""
    if unknown := [text for text in games if text not in RECIPES]:
        raise Invalid(f"there is no recipe for {unknown[0]}: valid are {', '.join(RECIPES)}")
    if not folder.is_dir():
        raise Invalid(f"there is no folder {folder}")
    for text in games:
        path = folder / file_name(name_of(load(text)))
        if path.exists():
            typer.echo(f"{path} is there")
            continue
        with live.watch(text) as look:
            found = made(text, RECIPES[text], look)
        found.save(path)
        typer.echo(f"wrote {path}: {path.stat().st_size:,} bytes. {found}")


def made(text: str, how: Recipe, progress: Watcher | None = None) -> Certified:
    """Solve a game, write its strategy down as the file will hold it, and measure that."""
    from ..measure.exploitability import exploitability  # not on top: listing needs none of these
    from ..solvers.forms.expected import expected, listed
    from ..solvers.solution import solve

    game = load(text)
    found = solve(game, how.method, target=how.target, progress=progress)
    policy = found.strategy.policy_of(game)
    strategy = rounded(listed(game, (policy, policy), progress), how.bits)
    measured = exploitability(game, strategy, progress=progress)
    value = expected(game, strategy, progress=progress)[0]
    command = f"fogtree solve {text} --method {how.method} --target {how.target:g}"
    low, high = -measured.values[1], measured.values[0]
    return Certified(found.game, name_of(game), strategy, value, low, high, found.method, command)


def rounded(strategy: Strategy, bits: int) -> Strategy:
    """The strategy with probabilities of so many bits. What rounding takes, the likeliest action of the set gets."""
    share = np.round(strategy.probability * 2.0**bits) / 2.0**bits
    for low, high in itertools.pairwise(strategy.first):
        row = share[low:high]
        row[row.argmax()] += 1.0 - row.sum()
    kept = share > 0
    first = np.append(0, np.cumsum(np.add.reduceat(kept, strategy.first[:-1])))
    return Strategy(strategy.game, strategy.player, strategy.view, first, strategy.action[kept], share[kept])
