"""Commands on one game: what there is, its rules, play it, check it, count it, time it."""

import math
import os
import secrets
import sys
from typing import Annotated, Any

import numpy as np
import typer
from rich.columns import Columns
from rich.panel import Panel
from rich.progress import BarColumn
from rich.text import Text

from .. import contract, dice
from ..arena import agents
from ..arena.referee import play, show
from ..errors import Broken, Invalid
from ..game import CHANCE, REFEREE, label, legal, new_state, odds
from ..games import GAMES
from ..kernels import DEBUG
from ..measure.count import count
from ..names import load
from ..search.playout import playouts
from . import screen
from .shell import GAME, SEED, check_own, command, fail, load_game

BATCHES = 20  # of random games: the spread of their means gives the interval

# Information sets and ends at the default parameters, as `fogtree count` finds them; None where they cannot be counted.
SIZES: dict[str, tuple[int | None, int | None]] = {  # more in docs/games
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
    "go": (None, None),
    "phantom-go": (None, None),
}


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
        agents.check_seat(agent, made)
        if isinstance(agent, agents.SearchAgent):
            check_own(made)
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
        fail(str(error), 1)
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
    made, console = load_game(game), screen.console()
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
    made = {text: load_game(text) for text in games or GAMES}
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
