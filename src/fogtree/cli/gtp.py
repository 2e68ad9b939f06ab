"""Our engine for Go programs: `fogtree gtp`."""

import importlib.metadata
import io
import sys
from typing import Annotated

import typer

from .. import dice
from ..errors import Invalid
from ..text.naming import load
from .shell import SEED, command


@command("gtp")
def speak_gtp(
    agent: Annotated[
        str, typer.Option(help="Who plays: rave, rave:iterations=3000, uct:seconds=2, or a bandit that keeps means.")
    ] = "rave",
    game: Annotated[str, typer.Option(help="The board and the rules to begin with.")] = "go",
    seed: Annotated[int, SEED] = 0,
) -> None:
    """Play Go for a program that speaks GTP 2, over standard input and output; its clock goes before the budget."""
    from ..arena.agents import SearchAgent  # not on top: only this command needs these
    from ..bandits import BANDITS
    from ..bridges.gtp import Engine
    from ..search.trees.mcts import require_open

    dice.seeded(seed)
    made = load(game)
    if not {"side", "komi", "points"} <= set(getattr(made, "_fields", ())):
        raise Invalid(f"GTP is for Go alone, not for {type(made).__name__}")
    name, _, parameters = agent.strip().partition(":")
    if name not in BANDITS:
        valid = ", ".join(known for known, kind in BANDITS.items() if hasattr(kind, "means"))
        raise Invalid(f"there is no bandit {name!r} for GTP: valid are {valid}")
    player = SearchAgent.from_text(name, parameters, seed)
    require_open(made, player.bandit)
    engine = Engine(
        made,
        lambda game, state, moves, seconds: player.best(game, state, seconds),
        name=f"Fogtree {player.name}",
        version=importlib.metadata.version("fogtree"),
    )
    if isinstance(sys.stdin, io.TextIOWrapper):  # bytes that are no text must not end the loop
        sys.stdin.reconfigure(errors="replace")
    engine.run(sys.stdin, sys.stdout)
