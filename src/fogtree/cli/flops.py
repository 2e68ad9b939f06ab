"""The command for reports over many flops."""

import csv
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from .. import runs
from ..errors import Invalid
from ..files import appearing
from ..games.registry import name
from ..games.spot import spot
from ..games.spot.flops import FLOPS, KINDS, alike, kind_of, spelled_board, subset
from ..games.spot.ranges import read_board, read_cards, weights
from ..games.spot.rules import SHORT
from ..measure.boards import mean, solve_boards, weighed
from ..solvers.public.hand_solution import TARGET
from ..walk.slices import Progress
from . import screen
from .screen import live
from .screen.spotted import flops_tables
from .shell import CORES, STOPPED, STORE, apart, command, fail, writable
from .spot_views import POT, STACK, typed


@command("flops")
def report(
    boards: Annotated[
        list[str] | None, typer.Argument(metavar="FLOP", help="Flops: Td9d6h. Without any, --flops kinds.")
    ] = None,
    flops: Annotated[
        int, typer.Option(min=1, max=KINDS, help=f"How many of the {KINDS:,} kinds of flops, weighted.")
    ] = 25,
    pot: Annotated[str, POT] = "100",
    stack: Annotated[str, STACK] = "400",
    bets: Annotated[str, typer.Option(help="Sizes, as in `fogtree spot`.")] = "50%, a",
    oop: Annotated[str, typer.Option(help="Range of the player out of position: AA,KQs:0.5,T9s-76s,ATo+.")] = "random",
    ip: Annotated[str, typer.Option(help="Range of the player in position.")] = "random",
    rake: Annotated[float, typer.Option(help="Share of each pot that the house takes: 0.05 is 5 percent.")] = 0.0,
    cap: Annotated[float, typer.Option(help="The most chips that it takes; 0 is no cap.")] = 0.0,
    target: Annotated[float, typer.Option(help="Stop where a best response gains this percent of the pot.")] = TARGET,
    table: Annotated[str | None, typer.Option(metavar="FILE.csv", help="Write the table to this file.")] = None,
    store: Annotated[str, STORE] = runs.STORE,
    cores: Annotated[int | None, CORES] = None,
) -> None:
    """Solve a spot on many flops. Shows them in one table with weighted means. The same command goes on after a stop."""
    writable(table)
    apart(table=table, store=store)
    if not target > 0:
        raise Invalid("a target is a percentage of the pot above 0")
    for text in (oop, ip):
        if not boards and not alike(weights(text)):
            raise Invalid("flops of one kind are alike only for ranges without single suits: name the flops themselves")
    chosen = [(board, 1.0) for board in boards] if boards else [(flop.board, flop.weight) for flop in subset(flops)]
    fields: Any = {
        "pot": typed(pot),
        "stack": typed(stack),
        "oop": oop,
        "ip": ip,
        "bets": bets,
        "rake": rake,
        "cap": cap,
    }
    games, called = [], dict[str, str]()
    for board, weight in chosen:
        if len(cards := read_cards(board)) != 3:
            raise Invalid(f"'{board}' is no flop: write three cards, as in Td9d6h")
        flop = spelled_board(tuple(cards))
        game = name(spot(flop, **fields))
        if game in called:
            raise Invalid(f"the flop {flop} is given twice")
        called[game] = flop
        games.append((game, weight))
    console, done = screen.console(), dict[str, Any]()
    stopped = False
    with live.steps() as look:

        def note(now: Progress) -> None:
            done[now.detail.piece["game"]] = now.detail.result
            look("flops", now)

        try:
            found = solve_boards(games, target=target, store=store, cores=cores, parameters=fields, progress=note)
        except KeyboardInterrupt:
            stopped = True
            kept = [each for each in games if each[0] in done]
            found = weighed(kept, [done[game] for game, _ in kept]) if kept else []
    if found:
        labels = [called[one.game] for one in found]
        for part in flops_tables(fields["pot"], labels, found, mean(found), console.width):
            console.print(part)
        if twice := _one_kind(boards or (), oop, ip):
            typer.echo(twice)
        if not boards:
            typer.echo(f"weights: each flop stands for others of its texture, of {FLOPS:,} flops in all")
        if table:
            _write(table, labels, found)
            typer.echo(f"saved {table}: {len(found)} flops")
    if stopped:
        fail(f"\nstopped; {len(found)} of {len(games)} flops are kept in {store}: the same command goes on", STOPPED)


def _one_kind(boards: Sequence[str], oop: str, ip: str) -> str:
    """Which flops tell the same, where the ranges have no single suits."""
    kinds = dict[tuple[int, ...], list[str]]()
    for board in boards if alike(weights(oop)) and alike(weights(ip)) else ():
        kinds.setdefault(kind_of(read_board(board)), []).append(board)
    same = "; ".join(" and ".join(group) for group in kinds.values() if len(group) > 1)
    return f"of one kind, which counts more than once in the mean: {same}" if same else ""


def _write(path: str, labels: list[str], found: Any) -> None:
    with appearing(path, "t") as file:
        rows = csv.writer(file)
        named = [f"{SHORT[p]} {action}" for p in (0, 1) for action in found[0].actions[p]]
        equity, values = f"equity of {SHORT[0]}", [f"value of {who}" for who in SHORT]
        rows.writerow(["flop", "weight", equity, *values, "certificate", "seconds", *named])
        for label, one in zip(labels, found, strict=True):
            numbers = [one.weight, one.equity, *one.values, one.percent, one.seconds]
            numbers += [*one.frequency[0], *one.frequency[1]]
            rows.writerow([label, *(f"{number:.6g}" for number in numbers)])
