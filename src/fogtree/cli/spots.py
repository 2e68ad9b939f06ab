"""The command for poker spots: spot."""

import csv
import os
import pathlib
from typing import Annotated, Any

import typer

from ..draw.hand_grid import by_class
from ..errors import Invalid
from ..files import appearing
from ..game import CHANCE, OVER
from ..games.registry import name
from ..games.spot import spot
from ..games.spot.history import history_of
from ..games.spot.ranges import class_of, read_hand
from ..games.spot.rules import SHORT
from ..kernels.lanes import CPU
from ..solvers.forms.certificates import Bounds
from ..solvers.public.hand_classes import row_of
from ..solvers.public.hand_solution import TARGET, HandSolution, Place, load_hands, solve_hands
from ..solvers.public.lines import GATE
from ..solvers.public.next_cards import next_cards
from ..solvers.public.places import find_place, hands_at
from ..solvers.public.vector_cfr import bytes_needed
from ..solvers.regret.cfr import RULES
from ..walk.slices import Ended, Progress, Watcher, memory_cap, number, sized
from . import screen
from .screen import live
from .screen.figures import decimal, facts
from .screen.grid import grid
from .screen.spotted import next_table, suited
from .shell import CORES, DEVICE, GIGABYTE, STOPPED, apart, command, fail, writable
from .spot_views import POT, STACK, by_sorts, cards_rows, hand_rows, one_hand, typed

SMALLEST = 1e-9  # of the pot: what a best response gains by rounding alone
FILED = 80  # columns of a grid that goes into a file
NOTED = 2**28  # bytes from which on a solver says how many it takes
SELDOM = 0.01  # of the hands: a certificate hardly depends on a place to which fewer come
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
SOLVING = ("target", "seconds", "iterations", "rule", "device", "cores", "bits", "checkpoint")


@command("spot")
def solve_spot(
    context: typer.Context,
    board: Annotated[
        str, typer.Argument(metavar="BOARD|FILE.npz", help="Three to five cards (Td9d6h), or a saved spot.")
    ],
    pot: Annotated[str, POT] = "100",
    stack: Annotated[str, STACK] = "400",
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
    cores: Annotated[int | None, CORES] = None,
    bits: Annotated[
        int | None, typer.Option(help="Store regrets and totals in 16 or 32 bits; 32 where they fit into the memory.")
    ] = None,
    line: Annotated[str, typer.Option(help="Show the place after this betting: 'check, bet 30'.")] = "",
    cards: Annotated[str, typer.Option(help="And after these cards: Qc2s.")] = "",
    save: Annotated[str | None, typer.Option(metavar="FILE.npz", help="Write the solution to this file.")] = None,
    table: Annotated[str | None, typer.Option(metavar="FILE.csv", help="Write what is shown hand by hand.")] = None,
    classes: Annotated[bool, typer.Option(help="Show sums by made hands and draws instead of the grid.")] = False,
    hand: Annotated[
        str | None, typer.Option(metavar="AhKd", help="Show one hand in detail, with its blockers.")
    ] = None,
    history: Annotated[bool, typer.Option(help="Print the line as the hand history of a poker room.")] = False,
    checkpoint: Annotated[
        str | None, typer.Option(metavar="FILE", help="Saved every 30 s; resumed if the file exists.")
    ] = None,
) -> None:
    """Solve a spot of no-limit hold'em. Shows how each hand is played and, where --line ends a street, what each next card
    changes. Ctrl-C stops and shows the result so far."""
    chips = {"pot": typed(pot), "stack": typed(stack)}
    for path in (save, table, checkpoint):
        writable(path)
    apart(save=save, table=table, checkpoint=checkpoint)
    room = None if memory is None else GIGABYTE * number(memory, "memory", above=0)
    _require_npz(save)
    if hand is not None:
        read_hand(hand)
        if classes:
            raise Invalid("--hand shows one hand and --classes sums of many: leave one of them out")

    def begin(cfr: Any) -> None:
        """Say what is needed, before anything is solved, which is when `lock` is called."""
        moving(cfr)
        need = bytes_needed(cfr.form, cfr.name, cfr.stored_as)
        if need > NOTED or cfr.packed:
            usual = sized(bytes_needed(cfr.form, cfr.name))
            told = f"{sized(need)} of memory"
            if cfr.packed:
                told = f"16 bits, which take {told} (32 would take {usual})"
            typer.echo(f"solving in {told}, of {sized(memory_cap(room))} that are allowed", err=True)

    def moving(cfr: Any) -> None:
        """Refuse a line that ends the hand, unless it is to be read as a history, and a hand that is not held there."""
        place = find_place(cfr.form, line, cards)
        kind = cfr.form.betting.kind[place.node]
        if kind < 0 and kind != GATE and (not history or table or classes or hand is not None):
            raise Invalid("nobody moves there any more: leave the last action out")
        if kind == GATE and hand is not None:
            raise Invalid("a card is to come there: deal it with --cards to look at one hand")
        if hand is not None:
            row_of(hands_at(cfr.form, place.board, place.symmetry)[kind], read_hand(hand))

    with live.watch("preparing") as watched:
        look = _out_of(watched, chips["pot"])
        if pathlib.Path(board).suffix == NPZ:
            _require_alone(context, board)
            found = load_hands(board, memory=room)
        else:
            _require_board(board)
            fields: Any = {"rake": rake, "cap": cap, "added": added, "forced": forced, "merged": merged}
            game = spot(board, **chips, oop=oop, ip=ip, bets=bets, **fields)
            limits: Any = {
                "target": target,
                "seconds": seconds,
                "iterations": iterations,
                "memory": room,
                "device": device,
                "threads": cores,
                "bits": bits,
            }
            found = solve_hands(game, rule, **limits, checkpoint=checkpoint, lock=begin, partial=True, progress=look)
        moving(found.cfr)
        if save:  # before all that somebody may stop with Ctrl-C
            found.save(save)
        if target is None and seconds is None and iterations is None:
            target = TARGET
        place = found.at(line, cards)
        dealt = next_cards(found, line, cards, progress=look) if place.player == CHANCE else []
    console = screen.console()
    width = console.width if console.is_terminal else FILED
    coloured = console.color_system is not None
    if place.player == OVER:
        parts, rows = list[Any](), list[list[Any]]()
    elif classes:
        parts, rows = by_sorts(found, place, coloured, width)
    elif place.player == CHANCE:
        compared = found.equity_at(place)[0]
        parts, rows = [next_table(found.game, dealt, compared, coloured, width)], cards_rows(found, dealt)
    elif hand is not None:
        parts, rows = one_hand(found, place, hand)
    else:
        player = place.player
        named = [class_of(int(each)) for each in place.hands[player]]
        shares = by_class(named, place.mix, place.reach[player])
        parts, rows = [grid(place.actions, shares, coloured, width)], hand_rows(found, place)
    if table:  # files are written before anything is printed: what reads the output may close it
        with appearing(table, "t") as file:
            csv.writer(file).writerows(rows)
    whole, here = [*_facts(found), *_ended(found, target)], _place(found, place, line)
    wide = max(len(name) for name, _ in (*whole, *here))
    whole, here = ([(name.ljust(wide), text) for name, text in rows] for rows in (whole, here))
    console.print(facts(whole), soft_wrap=True)
    if history:
        console.print()
        console.print(history_of(found.game, found.form.tree.line(int(found.form.node[place.node])), place.cards))
    console.print()
    console.print(suited(facts(here)), soft_wrap=True)
    if parts:
        console.print()
    for part in parts:
        console.print(part, width=width)
    if table:
        typer.echo(f"saved {table}: {len(rows) - 1} rows")
    if save:
        typer.echo(f"saved {save}: fogtree spot {save} --line ... shows more of it")
    if found.ended == Ended.STOPPED:
        fail("stopped", STOPPED)


def _out_of(look: Watcher, pot: float) -> Watcher:
    """The bounds of the value, as what OOP gets out of the pot, which is what the result tells."""

    def shifted(now: Progress) -> None:
        if isinstance(point := now.detail, Bounds):
            now = now._replace(detail=point._replace(low=point.low + pot / 2, high=point.high + pot / 2))
        look(now)

    return shifted


def _require_npz(save: str | None) -> None:
    if save is not None and pathlib.Path(save).suffix != NPZ:
        raise Invalid(f"a saved spot is known by its ending: write --save {save}{NPZ}")


def _require_board(board: str) -> None:
    if os.path.exists(board) or set(board) & set("./\\"):
        raise Invalid(f"{board} is no board, as Td9d6h is, and no saved spot: the name of such a file ends in {NPZ}")


def _require_alone(context: typer.Context, path: str) -> None:
    """Refuse options that a saved spot would not heed."""
    if not os.path.exists(path):
        raise Invalid(f"there is no file {path}")
    for option in (*SAID, *SOLVING):
        source = context.get_parameter_source(option)
        if source is not None and source.name == "COMMANDLINE":
            why = f"the file says {SAID[option]}" if option in SAID else "the file is solved already"
            raise Invalid(f"{why}: leave --{option} out")


def _facts(found: HandSolution) -> list[tuple[str, str]]:
    game: Any = found.game
    first, second = found.values
    equity = found.equity()[0]
    gains = " and ".join("0" if gain < SMALLEST * game.pot else f"{gain:.4g}" for gain in found.gains)
    rake = f", {game.pot - first - second:.2f} to the house" if game.rake else ""
    made = f"{found.iterations} iteration{'' if found.iterations == 1 else 's'}"
    return [
        ("spot", name(game)),
        (
            "values",
            f"{SHORT[0]} {decimal(first, 3)}, {SHORT[1]} {decimal(second, 3)} chips of a pot of {game.pot:g}{rake}",
        ),
        ("equity", f"{SHORT[0]} {100 * equity:.4f} %, {SHORT[1]} {100 * (1 - equity):.4f} %"),
        ("certificate", f"best responses gain {gains} chips, on average {found.percent:.3g} % of the pot"),
        ("method", f"{found.how} on {found.device}, {made}, {_boards(found)}"),
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
    told = f"after {line} on " if line else "on "
    board = " ".join(game.face(card) for card in place.cards)
    moves = place.player >= 0
    who = f"{SHORT[place.player]} to move" if moves else "the hand ends" if place.player == OVER else "a card comes"
    rows = [(who, told + board)]
    if (share := found.share_at(place)) <= 0:
        return [*rows, ("never", "no two hands come there by these strategies: nothing sure is told")]
    if share < SELDOM:
        rows.append(("seldom", f"{100 * share:.2g} % of the hands come there, so what is told of it is rough"))
    if moves:
        mixed = zip(place.actions, place.frequency(), strict=True)
        rows.append(("plays", ", ".join(f"{a} {100 * f:.1f} %" for a, f in mixed)))
    worth = ", ".join(f"{SHORT[p]} {decimal(place.mean(p) + half, 3)}" for p in (0, 1))
    equity = found.equity_at(place)[0]
    rows.append(("expects" if moves else "they expect", f"{worth} chips of the first pot of {game.pot:g}"))
    return [*rows, ("equity there", f"{SHORT[0]} {100 * equity:.2f} %, {SHORT[1]} {100 * (1 - equity):.2f} %")]


def _boards(found: HandSolution) -> str:
    count = len(found.form.board)
    return f"{count:,} boards, those that differ only by suits counted once" if count > 1 else "one board"
