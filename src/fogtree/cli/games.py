"""Commands that show, play, check, count or time one game, and that list what has a name: games, agents, bandits."""

import contextlib
import math
import os
import pathlib
import secrets
import sys
from typing import Annotated, Any

import numpy as np
import typer
from rich.columns import Columns
from rich.panel import Panel
from rich.text import Text

from .. import dice
from ..errors import Broken, Invalid
from ..files import appearing, refusing
from ..game import CHANCE, REFEREE, label, legal, new_state, odds, show, sides
from ..games import GAMES, SIZES
from ..kernels import DEBUG
from ..text.naming import load
from ..text.notation import Course, from_notation, notation
from ..text.parameters import parameters, rule_book, summary
from . import completing, screen
from .screen import figures, listed
from .shell import DEVICE, GAME, SEED, command, fail, load_game, writable

CHECK_SECONDS = 60.0  # as contract.SECONDS, which every command would have to load
NPZ = ".npz"  # the ending of a saved spot
MANY = 80  # moves of the players after which `show` looks at a long game
TOLD = 20  # moves that it names before a state, at most
BATCHES = 20  # batches of random games; the spread of their means gives the interval

FROM = typer.Option(
    "--from",
    metavar="TEXT",
    help="Begin at this state: the list of moves that `fogtree show` prints, or the game's own notation.",
)


@command("games")
def list_games() -> None:
    """List the games with their parameters and sizes."""
    console = screen.console()
    console.print(listed.games_table(GAMES, SIZES))
    console.print("spot/Td9d6h:pot=60,stack=370,oop=[AA,KQs],ip=[22+],bets=[50%;3x] is a spot of no-limit hold'em.")
    console.print("preflop/10 is hold'em before the flop with 10 big blinds: push or fold.")
    console.print("fogtree show GAME explains one. A file of your own works wherever a name does: my_game.py:MyGame")


@command("show")
def show_game(
    game: Annotated[str, GAME],
    seed: Annotated[int, SEED] = 0,
    start: Annotated[str | None, FROM] = None,
    svg: Annotated[
        pathlib.Path | None,
        typer.Option(metavar="FILE", help="Draw this state as the referee sees it, or as --player does, as an SVG."),
    ] = None,
    player: Annotated[int | None, typer.Option(help="The player whose view --svg draws.")] = None,
    tree: Annotated[
        pathlib.Path | None,
        typer.Option(metavar="FILE", help="Draw the whole tree of a small game as an SVG, information sets joined."),
    ] = None,
) -> None:
    """Show a game's rules, and one state as each player sees it."""
    made = load(game)
    for path in (svg, tree):
        writable(None if path is None else str(path))
    if player is not None and svg is None:
        raise Invalid("--player says whose view --svg draws: give --svg FILE as well")
    shape, console = made.shape(), screen.console()
    with np.errstate(over="ignore"):  # views may be hashes, which wrap round
        there = _middle(made, seed) if start is None else from_notation(made, start)
        what = "A random game" if start is None else "The game"
        told = _told(made, there) or ("at its start" if start is None else f"at {start or 'its start'}")
        watchers = [(f"player {who} sees", who) for who in range(shape.players)] + [("the referee sees", REFEREE)]
        panels = [Panel(Text(show(made, there.state, who)), title=title, expand=False) for title, who in watchers]
        if svg or tree:
            _draw(made, there.state, svg, player, tree)
    title, _, rules = rule_book(type(made)).partition("\n")
    console.print(Text(title), soft_wrap=True)
    console.print(Columns(panels))
    console.print(Text(f"{what}, {told}"), soft_wrap=True)  # a list of moves may be long, so boards come first
    if text := notation(made, there):
        console.print(Text(f'--from "{text}" begins there'), soft_wrap=True)
    console.print(Text(f"\n{figures.narrowed(rules.strip(), console.width)}"), soft_wrap=True)
    if listed.rules(type(made)):
        console.print(listed.parameters_table(made))
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
        str | None,
        typer.Option(
            help="Your opponent: random, rm, uct:iterations=5000, strategy:FILE.npz or my_agent.py. random by default, and "
            "the solution where GAME is a saved spot.",
            autocompletion=completing.agents,
        ),
    ] = None,
    partner: Annotated[
        str | None,
        typer.Option(help="The agent that plays your partners, in games with sides. The same as --against by default."),
    ] = None,
    player: Annotated[int, typer.Option(help="The player that you play. Player 0 moves first in most games.")] = 0,
    seed: Annotated[int | None, SEED] = None,
    start: Annotated[str | None, FROM] = None,
) -> None:
    """Play a game in the terminal. You see only what your player sees. GAME may be a poker spot that `fogtree spot --save`
    wrote: then hands are dealt from the ranges, and after each you hear what your decisions cost."""
    from ..arena import agents  # inside commands: what a command needs, others do not wait for
    from ..arena.noticing import News
    from ..arena.referee import play
    from ..contract.entry import admit
    from .screen import live, matched

    console = screen.console()
    seed = secrets.randbelow(10**6) if seed is None else seed

    def tell(text: Any) -> None:
        if isinstance(text, str):
            console.print(Text(text), soft_wrap=True)
        else:
            console.print(text)

    def ask(prompt: str) -> str:
        text = input(prompt)
        if not sys.stdin.isatty():
            tell(text)  # so that a piped game reads like a typed one
        return text

    if pathlib.Path(game).suffix == NPZ:
        from .spot_play import SOLUTION, play_spot

        for option, given in (("--partner", partner), ("--from", start)):
            if given is not None:
                raise Invalid(f"a saved spot is played from its start by two: leave {option} out")
        play_spot(game, against or SOLUTION[0], player, seed, ask, tell)
        return
    against = against or "random"
    made = load(game)
    players, side = range(made.shape().players), sides(made)
    if player not in players:
        raise Invalid(f"there is no player {player}: valid are {', '.join(map(str, players))}")
    begin = None if start is None else from_notation(made, start)

    def watch(who: int) -> contextlib.AbstractContextManager:
        return live.thinking(who) if who in others else contextlib.nullcontext()

    named = {who: partner or against if side[who] == side[player] else against for who in players if who != player}
    others = {who: agents.load_agent(name, seed, 1, who) for who, name in named.items()}
    for agent in others.values():
        agents.require_fit(agent, made, None if begin is None else begin.state)
        if getattr(agent, "compiles", False):
            admit(made)
    news = News(made, player)
    table = others | {player: agents.HumanAgent(ask, tell, news.read)}
    partners = [who for who in named if side[who] == side[player]]
    beside = f", with {partner or against} as your partner{'s' if len(partners) > 1 else ''}" if partners else ""
    tell(f"You are player {player} of {game}{beside}, against {against}. Type ? for help.")
    try:
        played = play(made, [table[who] for who in players], seed=seed, start=begin, watch=watch, look=news.look)
    except EOFError:
        tell("\nstopped")
        return
    names = {CHANCE: "chance"} | {who: "you" if who == player else f"player {who}" for who in players}
    if played.forfeit:
        who, reason, resigned = played.forfeit
        tell(f"\n{names[who]} resigned" if resigned else f"\n{names[who]} forfeits: {reason}")
    tell(f"\nThe game is over. The referee sees:\n{played.end}")
    tell(f"payoffs: {', '.join(f'{names[who]}: {payoff:g}' for who, payoff in enumerate(played.payoffs))}")
    tell(f"moves: {', '.join(f'{names[move.player]}: {move.label}' for move in played.moves)}")
    for who, agent in others.items():
        if thoughts := getattr(agent, "thoughts", None):
            tell(f"\nWhat player {who} ({agents.name(agent)}) believed, and how it mixed:")
            console.print(matched.thoughts_table(thoughts))
    timed = any(map(agents.by_the_clock, others.values()))
    tell(f"--seed {seed} deals the same again" if timed else f"--seed {seed} deals and plays the same again")
    if timed:
        tell("What is played may differ, because seconds are not the same twice: give iterations in their place")


@command("check")
def check_game(
    game: Annotated[str, GAME],
    histories: Annotated[int, typer.Option(min=1, help="How many histories to visit at most.")] = 20_000,
    games: Annotated[
        int, typer.Option(min=0, help="Of how many random games to look at parts, if that is not the whole tree.")
    ] = 200,
    seconds: Annotated[
        float, typer.Option(min=0.1, help="Time limit, in seconds. Compiling is not counted.")
    ] = CHECK_SECONDS,
    within: Annotated[
        str | None,
        typer.Option(
            "--in",
            metavar="GAME",
            help="The game in which a policy, an evaluation, a judge or an agent is tried: that of its file, or leduc.",
        ),
    ] = None,
    seed: Annotated[int, SEED] = 0,
) -> None:
    """Check a game, or another class of your own, for mistakes. The others are a bandit, a policy, an evaluation, a judge or
    an agent. If one does not keep its contract, say which rule it breaks."""
    from .. import contract
    from . import guests  # not on top: it is for classes of a user's own
    from .screen import live

    try:
        if guests.is_guest(game):
            for sentence in guests.check_guest(game, within, seconds=seconds, seed=seed):
                typer.echo(sentence)
            return
        made = load(game)
        with live.stages() as look:
            report = contract.check(made, histories=histories, games=games, seconds=seconds, seed=seed, progress=look)
    except Broken as error:
        if os.environ.get(DEBUG):
            raise
        fail(str(error), 1)
    extent = "the whole tree"
    if not report.complete:
        games_seen = f"{report.games:,} random game{'' if report.games == 1 else 's'}"
        extent = f"{report.parts:,} parts of {games_seen}, down to move {report.depth:,}"
    typer.echo(
        f"{game} keeps the contract. Looked at {extent}: {report.histories:,} histories, {report.ends:,} ends, "
        f"{report.infosets:,} information sets; the same random games interpreted and compiled."
    )
    if report.imagined:
        typer.echo(f"Hidden states are imagined, {report.imagined}.")
    elif report.possible:
        typer.echo(
            f"Hidden states are imagined; in {report.possible:,} decisions all ways were tried, and the true state came out."
        )
    elif report.imagines and not report.complete:
        typer.echo(
            "Hidden states are imagined; whether the true state can come out was not tested: there are too many ways."
        )
    for hint in report.hints:
        typer.echo(f"Hint: {hint}.")


@command("count")
def count_game(
    game: Annotated[str, GAME],
    depth: Annotated[int | None, typer.Option(min=0, help="Count only histories of at most this many moves.")] = None,
    device: Annotated[str, DEVICE] = "cpu",
) -> None:
    """Count histories, ends and information sets."""
    from ..measure.count import count
    from .screen import live, results

    made, console = load_game(game), screen.console()
    with live.watch("counting") as look:
        found = count(made, depth, device=device, progress=look)
    console.print(results.perft(found))
    where = "" if depth is None else f" to depth {depth}"
    infosets = ", ".join(f"player {who}: {number:,}" for who, number in enumerate(found.infosets))
    typer.echo(f"information sets{where}: {infosets}; {sum(found.infosets):,} in all")
    typer.echo(f"{found.seconds:.2f} s, {found.histories / max(found.seconds, 1e-9):,.0f} histories a second")


@command("devices")
def list_devices() -> None:
    """List what computes here: the processor, and a GPU if any."""
    import importlib.metadata

    from ..kernels import cuda

    typer.echo(f"cpu   {os.cpu_count()} cores, Numba {importlib.metadata.version('numba')}")
    if problem := cuda.trouble():
        typer.echo(f"cuda  {problem}")
        return
    gpu, compiler = cuda.device(), importlib.metadata.version("numba-cuda")
    facts = f"{gpu.memory / 2**30:.0f} GiB, {gpu.processors} multiprocessors"
    capability = ".".join(map(str, gpu.capability))
    typer.echo(f"cuda  {gpu.name}, {facts}, compute capability {capability}, CUDA {gpu.driver}, numba-cuda {compiler}")


@command("playouts")
def time_playouts(
    games: Annotated[
        list[str] | None, typer.Argument(metavar="GAME", help="The games. All registered games by default.")
    ] = None,
    seconds: Annotated[float, typer.Option(min=0.01, help="Time for each game, in seconds.")] = 1.0,
    device: Annotated[str, DEVICE] = "cpu",
) -> None:
    """Play random games and measure the speed."""
    from rich.progress import BarColumn

    from ..kernels.engines import chosen
    from ..search.playout import playouts
    from .screen import live, results

    made, device = {text: load_game(text) for text in games or GAMES}, chosen(device)
    table = results.playouts_table(device)
    with live.progress("{task.description:<24}", BarColumn(), "{task.completed}/{task.total}") as bar:
        task = bar.add_task("", total=len(made) * BATCHES)
        for text, game in made.items():
            bar.update(task, description=f"{text}: compiling")
            trial = playouts(game, seconds=seconds / BATCHES, device=device)
            bar.update(task, description=text)
            batches = []
            for seed in range(1, BATCHES + 1):
                batches.append(playouts(game, max(2, trial.games), seed=seed, device=device))
                bar.advance(task)
            table.add_row(Text(text), *results.timed(batches))
    screen.console().print(table)


@command("agents")
def list_agents() -> None:
    """List the agents that can play matches."""
    from ..arena import agents

    screen.console().print(listed.names_table("agent", agents.ABOUT.items()))
    typer.echo(
        "fogtree play GAME --against AGENT plays against one; fogtree tournament GAME AGENT... lets several play."
    )


@command("bandits")
def list_bandits() -> None:
    """List the selection functions of searches."""
    from ..bandits import BANDITS

    rows = []
    for name, cls in BANDITS.items():
        fields = [f"  {field}={default} ({rule}): {words}" for field, default, rule, words in parameters(cls)]
        said, own = summary(cls), cls.__doc__.partition("\n")[0]  # of the file, which may hold two; of the class
        rows.append((name, "\n".join([said if own == said else f"{said} {own}", *fields])))
    screen.console().print(listed.names_table("bandit", rows))
    typer.echo("Every search takes every bandit: fogtree compare GAME BANDIT..., or the bandit's name as an agent.")


def _draw(
    game: Any, state: np.ndarray, svg: pathlib.Path | None, player: int | None, tree: pathlib.Path | None
) -> None:
    """Write the pictures that were asked for."""
    from ..draw.board import picture  # few users ask for them
    from ..draw.tree import tree as whole_tree

    for path, text in ((svg, svg and picture(game, state, player)), (tree, tree and whole_tree(game))):
        if path is not None:
            with refusing(path), appearing(path, "t") as file:
                file.write(str(text))
            typer.echo(f"wrote {path}")


def _middle(game: Any, seed: int) -> Course:
    """A state past the middle of a random game; of a long one, the state after many moves of the players."""
    random, state = dice.seeded(seed), new_state(game)
    moves: list[tuple[int, int]] = []
    before = []  # the state before each move
    decisions = 0
    for _ in range(game.shape().moves):
        if not (actions := legal(game, state)):
            break
        if decisions == MANY:
            return Course(state, tuple(moves))
        player = int(game.player(state))
        chances = odds(game, state) if player == CHANCE else [1 / len(actions)] * len(actions)
        moves.append((player, actions[dice.pick(random, chances, len(actions))]))
        before.append(state.copy())
        game.step(state, moves[-1][1])
        decisions += player != CHANCE
    if legal(game, state):
        raise Broken(f"{type(game).__name__} goes on after {game.shape().moves} moves, the most that shape() allows")
    middle = math.ceil(0.6 * len(moves))
    return Course([*before, state][middle], tuple(moves[:middle]))


def _told(game: Any, there: Course) -> str:
    """The moves that led to a state, with who made them; of many the last."""
    words, state, first = [], new_state(game), max(0, len(there.moves) - TOLD)
    for number, (player, action) in enumerate(there.moves):
        if number >= first:
            words.append(f"{'chance' if player == CHANCE else f'player {player}'}: {label(game, state, action)}")
        game.step(state, action)
    before = f"{len(there.moves)} moves, the last {TOLD}: " if first else ""
    return f"after {before}{', '.join(words)}" if words else ""
