"""The command for poker spots: spot."""

import csv
import pathlib
from typing import Annotated, Any

import numpy as np
import typer

from ..errors import Invalid
from ..files import appearing
from ..games.registry import name
from ..games.spot import spot
from ..games.spot.ranges import class_of, spelled_hand
from ..games.spot.rules import SHORT
from ..kernels.lanes import CPU
from ..solvers.public.hand_solution import TARGET, HandSolution, Place, load_hands, solve_hands
from ..solvers.public.places import find_place
from ..solvers.regret.cfr import RULES
from ..walk.slices import Ended, number
from . import screen
from .screen import live
from .screen.figures import facts
from .screen.grid import by_class, grid
from .shell import DEVICE, GIGABYTE, STOPPED, command, fail, writable

FILED = 80  # columns of a grid that goes into a file
NPZ = ".npz"
SAID = {  # by the file of a saved spot
    "pot": "what the pot is",
    "stack": "what the stacks are",
    "bets": "what the bets are",
    "oop": "what the range of OOP is",
    "ip": "what the range of IP is",
    "rake": "what the rake is",
    "cap": "what the cap of the rake is",
    "added": "where all in is added",
    "forced": "where all in is forced",
    "merged": "which sizes are merged",
}
SOLVING = ("target", "seconds", "iterations", "rule", "memory", "device", "checkpoint")


@command("spot")
def solve_spot(
    context: typer.Context,
    board: Annotated[
        str, typer.Argument(metavar="BOARD|FILE.npz", help="Three to five cards (Td9d6h), or a saved spot.")
    ],
    pot: Annotated[int, typer.Option(help="Chips in the pot.")] = 100,
    stack: Annotated[int, typer.Option(help="Chips that each player has behind.")] = 400,
    bets: Annotated[
        str,
        typer.Option(
            help="Sizes: 50%, 2.5x, 40c, e (geometric), a (all in). Bets; raises; donks. Out of position | in position. "
            "Flop / turn / river, only those that are left to play."
        ),
    ] = "50%, a",
    oop: Annotated[str, typer.Option(help="Range of the player out of position: AA,KQs:0.5,T9s-76s,ATo+.")] = "random",
    ip: Annotated[str, typer.Option(help="Range of the player in position.")] = "random",
    rake: Annotated[float, typer.Option(help="Share of each pot that the house takes: 0.05 is 5 percent.")] = 0.0,
    cap: Annotated[float, typer.Option(help="The most chips that it takes; 0 is no cap.")] = 0.0,
    added: Annotated[float, typer.Option(help="Add all in where it is at most so many pots.")] = 0.0,
    forced: Annotated[float, typer.Option(help="Bet all in where a call would leave at most so many pots.")] = 0.0,
    merged: Annotated[float, typer.Option(help="Leave out a size that is so near to a larger one: 0.1.")] = 0.0,
    target: Annotated[
        float | None, typer.Option(help="Stop where a best response gains this percent of the pot. 0.5 by default.")
    ] = None,
    seconds: Annotated[float | None, typer.Option(help="Time limit, in seconds.")] = None,
    iterations: Annotated[int | None, typer.Option(help="Stop after this many iterations.")] = None,
    rule: Annotated[str, typer.Option(help=f"How regrets are kept: {', '.join(RULES)}.")] = "dcfr",
    memory: Annotated[float | None, typer.Option(metavar="GB", help="Memory limit; half of the machine's.")] = None,
    device: Annotated[str, DEVICE] = CPU,
    line: Annotated[str, typer.Option(help="Show the place after this betting: 'check, bet 30'.")] = "",
    cards: Annotated[str, typer.Option(help="And after these cards: Qc2s.")] = "",
    save: Annotated[str | None, typer.Option(metavar="FILE.npz", help="Write the solution to this file.")] = None,
    table: Annotated[str | None, typer.Option(metavar="FILE.csv", help="Write what is shown hand by hand.")] = None,
    checkpoint: Annotated[
        str | None, typer.Option(metavar="FILE", help="Saved every 30 s; resumed if the file exists.")
    ] = None,
) -> None:
    """Solve a spot of no-limit hold'em, and show how each hand is played. Ctrl-C stops and shows the result so far."""
    for path in (save, table, checkpoint):
        writable(path)
    room = None if memory is None else GIGABYTE * number(memory, "memory", above=0)
    _require_npz(save)

    def moving(cfr: Any) -> None:
        """Refuse a line that ends the hand before anything is solved, which is when `lock` is called."""
        if cfr.form.betting.kind[find_place(cfr.form, line, cards).node] < 0:
            raise Invalid("nobody moves there any more: leave the last action out")

    with live.watch("preparing") as look:
        if pathlib.Path(board).suffix == NPZ:
            _require_alone(context)
            found = load_hands(board)
        else:
            fields: Any = {"rake": rake, "cap": cap, "added": added, "forced": forced, "merged": merged}
            game = spot(board, pot=pot, stack=stack, oop=oop, ip=ip, bets=bets, **fields)
            limits: Any = {
                "target": target,
                "seconds": seconds,
                "iterations": iterations,
                "memory": room,
                "device": device,
            }
            found = solve_hands(game, rule, **limits, checkpoint=checkpoint, lock=moving, partial=True, progress=look)
        moving(found.cfr)
        if target is None and seconds is None and iterations is None:
            target = TARGET
        place = found.at(line, cards)
    console = screen.console()
    console.print(facts([*_facts(found), *_ended(found, target)]), soft_wrap=True)
    console.print(facts(_place(found, place, line)), soft_wrap=True)
    hands = place.hands[place.player]
    weight = place.reach[place.player]
    shares = by_class([class_of(int(hand)) for hand in hands], place.mix, weight)
    console.print()
    width = console.width if console.is_terminal else FILED
    console.print(grid(place.actions, shares, console.color_system is not None, width))
    if table:
        _write(table, found, place)
        typer.echo(f"saved {table}: {len(hands)} hands")
    if save:
        found.save(save)
        typer.echo(f"saved {save}: fogtree spot {save} --line ... shows more of it")
    if found.ended == Ended.STOPPED:
        fail("stopped", STOPPED)


def _require_npz(save: str | None) -> None:
    if save is not None and pathlib.Path(save).suffix != NPZ:
        raise Invalid(f"a saved spot is known by its ending: write --save {save}{NPZ}")


def _require_alone(context: typer.Context) -> None:
    """Refuse options that a saved spot would not heed."""
    for option in (*SAID, *SOLVING):
        source = context.get_parameter_source(option)
        if source is not None and source.name == "COMMANDLINE":
            why = f"the file says {SAID[option]}" if option in SAID else "the file is solved already"
            raise Invalid(f"{why}: leave --{option} out")


def _facts(found: HandSolution) -> list[tuple[str, str]]:
    game: Any = found.game
    first, second = found.values
    equity = found.equity()[0]
    gains = " and ".join(f"{gain:.4g}" for gain in found.gains)
    rake = f", {game.pot - first - second:.2f} to the house" if game.rake else ""
    return [
        ("spot", name(game)),
        ("values", f"{SHORT[0]} {first:.3f}, {SHORT[1]} {second:.3f} chips of a pot of {game.pot:g}{rake}"),
        ("equity", f"{SHORT[0]} {100 * equity:.4f} %, {SHORT[1]} {100 * (1 - equity):.4f} %"),
        ("certificate", f"best responses gain {gains} chips, on average {found.percent:.3g} % of the pot"),
        ("method", f"{found.method} on {found.device}, {found.iterations} iterations, {_boards(found)}"),
    ]


def _ended(found: HandSolution, target: float | None) -> list[tuple[str, str]]:
    """What ended the work, where it was not the target, which certificates tell of."""
    if found.ended in (None, Ended.TARGET, Ended.FINISHED):
        return []
    by = "Ctrl-C" if found.ended == Ended.STOPPED else found.ended.value
    return [("ended by", by if target is None else f"{by}, target {target:g} % not reached")]


def _place(found: HandSolution, place: Place, line: str) -> list[tuple[str, str]]:
    game: Any = found.game
    half = game.pot / 2
    played = ", ".join(f"{a} {100 * f:.1f} %" for a, f in zip(place.actions, place.frequency(), strict=True))
    told = f"after {line} on " if line else "on "
    board = " ".join(game.face(card) for card in place.cards)
    worth = ", ".join(f"{SHORT[p]} {place.mean(p) + half:.3f}" for p in (0, 1))
    return [
        ("", ""),
        (f"{SHORT[place.player]} to move", told + board),
        ("plays", played),
        ("expects", f"{worth} chips"),
    ]


def _write(path: str, found: HandSolution, place: Place) -> None:
    """Hand by hand: the weight, what it expects out of the pot, and how often it takes each action."""
    game: Any = found.game
    me = place.player
    with appearing(path, "t") as file:
        rows = csv.writer(file)
        rows.writerow(["hand", "kind", "weight", "value", *place.actions])
        for h in np.argsort(-place.reach[me], kind="stable").tolist():
            hand = int(place.hands[me][h])
            numbers = [f"{place.reach[me][h]:.6g}", f"{place.value[me][h] + game.pot / 2:.6g}"]
            rows.writerow([spelled_hand(hand), class_of(hand), *numbers, *(f"{p:.6g}" for p in place.mix[:, h])])


def _boards(found: HandSolution) -> str:
    count = len(found.form.board)
    return f"{count:,} boards, those that differ only by suits counted once" if count > 1 else "one board"
