"""Agents against each other: tournament."""

import functools
import math
from collections.abc import Callable, Sequence
from typing import Annotated, Any

import typer

from .. import dice, runs
from ..arena import agents
from ..errors import Invalid
from ..solvers.forms.infosets import TooLarge
from ..solvers.forms.sequence import sequence_form
from ..walk.slices import Progress
from . import completing, screen
from .screen import live, matched
from .shell import CORES, GAME, ON, SEED, STOPPED, STORE, command, fail, load_game, writable

EXACT_ROOM = 2**29  # bytes for the sequence form of a tournament's game
CELLS = "each cell: won by the row, a draw as half; its 95 % interval (Wilson); the row's mean payoff"
SEATS = "mean payoff on each side over all seatings of the others, with its 95 % interval; first places are shared"
AGENTS = typer.Argument(
    metavar="AGENT",
    help="The agents: random, rm, uct:iterations=5000, strategy:FILE, my_agent.py.",
    autocompletion=completing.agents,
)


@command("tournament")
def play_tournament(
    game: Annotated[str, GAME],
    names: Annotated[list[str], AGENTS],
    matches: Annotated[int, typer.Option(help="Number of matches of each ordered pair of agents.")] = 1000,
    openings: Annotated[
        int | None,
        typer.Option(
            min=0,
            help="Number of random openings: each ordered pair plays one match from each. By default only pairs that would"
            " play the same match again and again begin so; 0 forbids it.",
        ),
    ] = None,
    plies: Annotated[int | None, typer.Option(min=1, help="Random moves of an opening. At most 8 by default.")] = None,
    iterations: Annotated[
        int | None, typer.Option(min=1, help="Iterations per move, for searches whose name gives no budget.")
    ] = None,
    anchor: Annotated[
        str | None,
        typer.Option(metavar="AGENT=RATING", help="Fix the rating of one agent. By default the mean of all is 0."),
    ] = None,
    draws: Annotated[str, typer.Option(help="The model of draws in the ratings: davidson or rao-kupper.")] = "davidson",
    move_seconds: Annotated[
        float | None,
        typer.Option(
            min=0.001,
            help="Time limit for a move, in seconds: who takes longer forfeits the match. Only your own agents have one by"
            " default, 60 s.",
        ),
    ] = None,
    seed: Annotated[int, SEED] = 0,
    store: Annotated[str, STORE] = runs.STORE,
    csv: Annotated[str | None, typer.Option(metavar="FILE", help="Write the cells of the table to this file.")] = None,
    cores: Annotated[int | None, CORES] = None,
    on: Annotated[str | None, ON] = None,
) -> None:
    """Let all agents play each other. Each pair plays in both orders; in a game of three sides or more every seating of
    the agents is played. Ctrl-C stops the work and prints the result so far; the same command resumes it."""
    from ..arena import tournament as rounds  # not on top: SciPy takes a while to load
    from ..arena.rating import known_model

    names = names if iterations is None else [agents.with_budget(name, iterations) for name in names]
    pairs = len(agents.side_order(load_game(game))) == rounds.PAIR
    if anchor is not None and not pairs:
        raise Invalid("--anchor fixes a rating, and only a game of two sides has ratings")
    known_model(draws)
    fixed = _anchor(anchor, names)
    rounds.check(game, names, matches, seed)
    dice.seeded(seed)
    writable(csv)
    limits: dict[str, Any] = {
        "matches": matches,
        "openings": openings,
        "plies": plies,
        "seed": seed,
        "move_seconds": move_seconds,
        "store": store,
        "cores": cores,
        "on": on,
    }
    table = matched.matrix_table if pairs else matched.seats_table
    found, stopped = _watched(table, functools.partial(rounds.tournament, game, names, **limits))
    screen.console().print(table(found))
    typer.echo(CELLS if pairs else SEATS)
    if found.opened and not stopped:
        typer.echo(_opened(found, matches, openings))
    if repeats := sum(cell.repeats for cell in found.cells.values()):
        typer.echo(
            f"{repeats:,} matches repeat another move by move, so no interval counts them; --openings N plays others"
        )
    if found.forfeits:
        typer.echo(f"{found.forfeits:,} matches ended by forfeit: an agent failed, broke the rules or took too long")
        for reason, times in found.reasons.items():
            typer.echo(f"  {times:,} times: {reason}")
    if pairs and len(names) > 1:
        _rate(found, fixed, draws, seed, not stopped)
    if csv:
        rounds.write_csv(found, csv)
        typer.echo(f"wrote {csv}")
    if stopped:
        fail(f"stopped; what is done is kept in {store}, and the same command goes on from there", STOPPED)


def _opened(found: Any, matches: int, openings: int | None) -> str:
    """Which matches began with a random opening, and how many there were."""
    each, asked = min(found.opened.values()), openings or matches
    if openings:
        fewer = f" of the {asked:,} that were asked for, because the game has no more" if each < asked else ""
        played = f"Each ordered pair played {each:,} matches, one from each opening{fewer}"
        return f"{played}; the number of --matches counts where matches begin at the start"
    names = [found.agents[number] for number in sorted({seat for seating in found.opened for seat in seating})]
    who = f"among {' and '.join(names)}, which draw" if len(names) > 1 else f"of {names[0]} against itself, which draws"
    number = f"all {each:,} that the game has" if each < asked else f"{each:,}"
    begin = f"begin from random openings of {found.plies} moves, each from another one"
    return f"Matches {who} nothing, {begin}: {number} for an ordered pair"


def _rate(found: Any, fixed: tuple[str, float] | None, draws: str, seed: int, judging: bool) -> None:
    """Print the ratings, and how exploitable each agent is."""
    from ..arena.rating import rate  # not on top: SciPy takes a while to load

    try:
        rated = rate(found.counts(), found.agents, anchor=fixed, model=draws)
    except Invalid as error:
        typer.echo(f"no ratings: {error}")
        return
    judged = _judged(load_game(found.game), found.agents, seed) if judging else {}
    screen.console().print(matched.standing_table(found, rated, judged))
    typer.echo(matched.rating_words(rated))
    for words in matched.judged_words(judged) if judged else ():
        typer.echo(words)


def _watched(table: Callable[..., Any], work: Callable[..., Any]) -> tuple[Any, bool]:
    """What a tournament found, and whether Ctrl-C stopped it; its table grows on the screen meanwhile."""
    found: Any = None
    try:
        with live.live_table() as update:

            def progress(now: Progress) -> None:
                nonlocal found
                found = now.detail.found
                update(table(found, now), live.counted(now))

            return work(progress=progress), False
    except KeyboardInterrupt:
        if found is None:
            raise
        return found, True


def _anchor(text: str | None, names: list[str]) -> tuple[str, float] | None:
    """The agent whose rating is fixed, and that rating. The name of an agent may itself contain equal signs."""
    if text is None:
        return None
    name, _, number = text.rpartition("=")
    try:
        if math.isfinite(rating := float(number)):
            return names[names.index(name)], rating
        raise ValueError
    except ValueError:
        raise Invalid(f"--anchor is AGENT=RATING with one of {', '.join(names)}, not '{text}'") from None


def _judged(game: Any, names: Sequence[str], seed: int) -> dict[str, Any]:
    """The exploitability of each agent. Empty if the game is not zero-sum or is too large."""
    from ..arena.played import judge  # not on top: SciPy takes a while to load

    try:
        with live.watch("exploitability") as look:
            form = sequence_form(game, memory=EXACT_ROOM, progress=look)
    except (TooLarge, Invalid):
        return {}
    found = {}
    with live.progress("{task.description}") as bar:
        task = bar.add_task("")
        for name in names:
            bar.update(task, description=f"exploitability of {name}")
            found[name] = judge(form, name, seed=seed)
    return found
