"""Commands with exact results: solve, strategy, exploit, convert."""

import pathlib
from typing import Annotated, Any

import typer

from ..clock import clock
from ..errors import Invalid
from ..kernels.lanes import CPU, CUDA
from ..measure.exploitability import exploitability
from ..measure.told import MOST, told
from ..solvers.exact.correlated import CE, CONCEPTS, coarse_correlated_equilibrium, correlated_equilibrium
from ..solvers.profile import GENERAL_METHODS, LEMKE_HOWSON, SUPPORT, is_general, solve_general
from ..solvers.saved import load_strategy
from ..solvers.solution import solve
from ..solvers.tasks import METHODS
from ..strategy import Strategy
from ..walk.estimate import surely_more
from ..walk.slices import Ended, number
from . import screen
from .screen import live, results
from .shell import DEVICE, GAME, GIGABYTE, NO_PROMISE, STOPPED, apart, command, fail, load_game, writable

WHOLE, TOP = 40, 6  # information sets of each player that are printed: of a game shown whole, and of a larger one
NASH = "nash"  # the concept that is looked for unless the user asks for another
UNIFORM, PERFECT = "uniform", "perfect"  # words in place of a file
UNIFORM_PLAY = "uniform play"
STRATEGY = typer.Argument(
    metavar="FILE.npz|uniform|perfect", help="A saved strategy, uniform play, or the equilibrium of the box."
)
GLANCE, SHORT_GLANCE = 10_000, 1_000  # histories that `solve` walks to print some of its strategy | of a large game
SURELY = 10.0  # times as many histories as a glance: then a game is large


@command("solve")
def solve_game(
    game: Annotated[str, GAME],
    method: Annotated[
        str, typer.Option(help=f"One of {', '.join(dict.fromkeys((*METHODS, *GENERAL_METHODS)))}.")
    ] = "auto",
    target: Annotated[
        float | None,
        typer.Option(
            help="Stop at this total exploitability. 0.001 of the range of payoffs by default, 0.0001 with --abstraction."
        ),
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(help="Time limit, in seconds. It includes enumerating the game, and leaves compiling out."),
    ] = None,
    memory: Annotated[
        float | None,
        typer.Option(
            metavar="GB",
            help="Memory limit, in gigabytes. Half of the machine's by default, 4.3 for a method that samples.",
        ),
    ] = None,
    iterations: Annotated[
        int | None,
        typer.Option(help="Stop after this many iterations (rounds of oracle and streamed-oracle). Not valid for lp."),
    ] = None,
    save: Annotated[str | None, typer.Option(metavar="FILE.npz", help="Write the strategy to this file.")] = None,
    checkpoint: Annotated[
        str | None, typer.Option(metavar="FILE", help="Saved every 30 s; resumed if the file exists.")
    ] = None,
    concept: Annotated[
        str,
        typer.Option(
            help="What to look for: nash, ce (correlated equilibrium) or cce (coarse correlated equilibrium)."
        ),
    ] = NASH,
    abstraction: Annotated[
        int | None,
        typer.Option(metavar="K", help="Solve poker, such as holdem, with this many buckets of cards a round."),
    ] = None,
    device: Annotated[str, DEVICE] = CPU,
    whole: Annotated[
        bool,
        typer.Option("--whole", help="Keep all actions, also where an equal game with fewer of them is known."),
    ] = False,
) -> None:
    """Find an equilibrium, its value and a certificate. Ctrl-C stops the work and prints the result so far.

    A game of more players, or without zero sum, has no value. There the result is a strategy of each player, and what each
    could still gain.
    """
    if concept not in (NASH, *CONCEPTS):
        raise Invalid(f"there is no concept '{concept}': valid are {', '.join((NASH, *CONCEPTS))}")
    for path in (save, checkpoint):
        writable(path)
    apart(save=save, checkpoint=checkpoint)
    made, console = load_game(game), screen.console()
    room = None if memory is None else GIGABYTE * number(memory, "memory", above=0)
    limits = {"target": target, "seconds": seconds, "iterations": iterations}
    if abstraction is not None and concept != NASH:
        raise Invalid("--abstraction is for Nash equilibria: leave --concept out")
    if concept != NASH and (device != CPU or whole):
        raise Invalid(f"--concept {concept} is one linear program on the CPU: leave --device and --whole out")
    if checkpoint is not None and (concept != NASH or (abstraction is None and is_general(made))):
        raise Invalid("there are checkpoints for Nash equilibria of two-player zero-sum games only")
    if concept != NASH:
        _solve_correlated(made, concept, method, tuple(limits.values()), room, save)
        return
    with live.watch("preparing") as look:
        how = {"memory": room, "device": device, "whole": whole, "partial": True, "progress": look}
        found = _equilibrium(made, abstraction, method, checkpoint, **limits, **how)
    if save:  # before anything is printed, for who reads it may stop reading
        found.strategy.save(save)
    console.print(results.equilibrium_facts(found, unicode=not console.options.ascii_only), soft_wrap=True)
    if len(getattr(found, "equilibria", ())) > 1:
        typer.echo(f"{len(found.equilibria)} equilibria were found. The one that pays most in all is shown above.")
        console.print(results.equilibria_table(found.equilibria))
    sample = told(made, found.strategy, most=SHORT_GLANCE if surely_more(made, GLANCE, SURELY) else GLANCE)
    fits = sample.complete and len(sample.rows) <= WHOLE * made.shape().players
    for line in results.strategy_tables(sample, WHOLE if fits else TOP):
        console.print(line)
    if not fits:
        typer.echo(
            f"fogtree strategy {game} {save or 'FILE.npz'} shows more" + ("." if save else " of what --save keeps.")
        )
    if is_general(made) and found.method not in (LEMKE_HOWSON, SUPPORT):
        typer.echo(NO_PROMISE)
    if not found.reached and found.ended != Ended.STOPPED:
        typer.echo(f"The target of {found.parameters['target']:g} was not reached.")
    if save:
        typer.echo(f"saved {save}: {len(found.strategy):,} information sets")
    if found.ended == Ended.STOPPED:
        fail("stopped", STOPPED)


def _equilibrium(made: Any, abstraction: int | None, method: str, checkpoint: str | None, **limits: Any) -> Any:
    """What `solve` finds: of the game, of the game on buckets, or of a game without a value."""
    if abstraction is not None:
        from ..solvers.public.bucket_solving import OnBuckets  # not on top: only this option needs it

        return solve(OnBuckets(made, abstraction), method, checkpoint=checkpoint, **limits)
    if not is_general(made):
        return solve(made, method, checkpoint=checkpoint, **limits)
    if limits.pop("device") == CUDA or limits.pop("whole"):
        raise Invalid("--device and --whole are for two-player zero-sum games: leave them out")
    return solve_general(made, method, **limits)


def _solve_correlated(
    made: Any, concept: str, method: str, limits: tuple[Any, ...], memory: float | None, save: str | None
) -> None:
    """Print the correlated equilibrium that pays most in all."""
    if method != "auto" or any(limit is not None for limit in limits):
        raise Invalid(f"--concept {concept} is one linear program: it takes no method, target, seconds or iterations")
    if save is not None:
        raise Invalid(f"--concept {concept} gives a distribution over profiles, which is no strategy to save")
    find = correlated_equilibrium if concept == CE else coarse_correlated_equilibrium
    with live.watch("preparing") as look:
        found = find(made, memory=memory, progress=look)
    console = screen.console()
    console.print(results.correlated_facts(found, CONCEPTS[concept]), soft_wrap=True)
    console.print(results.profiles_table(found, WHOLE))


@command("strategy")
def show_strategy(
    game: Annotated[str, GAME],
    strategy: Annotated[str, STRATEGY],
    player: Annotated[int | None, typer.Option(help="Show this player only.")] = None,
    after: Annotated[
        str,
        typer.Option(metavar="MOVES", help='Show what can follow these moves, in the game\'s notation: "J Q pass".'),
    ] = "",
    rows: Annotated[int, typer.Option(min=1, help="The most information sets of each player that are shown.")] = WHOLE,
    most: Annotated[int, typer.Option(min=1, help="The largest number of histories to walk.")] = MOST,
) -> None:
    """Print what a strategy plays. A row has what the player sees, the mix, how often play gets there, and its worth."""
    made, console = load_game(game), screen.console()
    plan = _plan(strategy, made)
    found = told(made, plan, player=player, after=after, most=most)
    for line in results.strategy_tables(found, rows):
        console.print(line)
    if not found.complete:
        typer.echo(
            f"These are the likeliest sets among {most:,} histories: --most walks more, --after begins elsewhere."
        )


@command("exploit")
def exploit(
    game: Annotated[str, GAME],
    strategy: Annotated[str, STRATEGY],
    engine: Annotated[
        str,
        typer.Option(
            help="How to measure: auto, memory, stream (if memory does not suffice), lanes (the same on a device) or "
            "search (gives a lower bound)."
        ),
    ] = "auto",
    device: Annotated[str, DEVICE] = "cpu",
) -> None:
    """Measure how far a strategy is from perfect play. That is what best responses gain against it, exactly."""
    made, console = load_game(game), screen.console()
    plan = _plan(strategy, made)
    began = clock()
    with live.watch("preparing") as look:
        found = exploitability(made, plan, engine=engine, device=device, progress=look)
    what = UNIFORM_PLAY if strategy == UNIFORM else f"{strategy}, {len(plan):,} information sets"
    console.print(results.exploit_facts(what, found, clock() - began), soft_wrap=True)


def _plan(text: str, game: Any) -> Any:
    """The strategy that a file holds or a word stands for."""
    if text == UNIFORM:
        return Strategy.uniform(game)
    if text == PERFECT:
        from ..arena.agents.perfect import perfect  # not on top: only this word needs it

        return perfect(game).strategy
    if ".py:" in text:
        told = "fogtree.exploitability measures a policy of your own"
        raise Invalid(f"{text} is no saved strategy: valid are a file, {UNIFORM} and {PERFECT}; {told}")
    return load_strategy(text, game)


@command("convert")
def convert(
    game: Annotated[str, GAME],
    out: Annotated[str, typer.Argument(metavar="OUT.efg|OUT.nfg", help="The file to write.")],
) -> None:
    """Write a game as a Gambit file. Its tree becomes an .efg file, its strategic form an .nfg file."""
    from ..games.gambit import write_efg, write_nfg  # not on top: only this command needs them

    writers = {".efg": write_efg, ".nfg": write_nfg}
    writer = writers.get(pathlib.Path(out).suffix.lower())
    if writer is None:
        raise Invalid(f"{out} names no format: valid are files that end in {' or '.join(writers)}")
    writable(out)
    made = load_game(game)
    with live.watch("spelling it out") as look:
        writer(made, out, progress=look)
    typer.echo(f"wrote {out}: {pathlib.Path(out).stat().st_size:,} bytes")
