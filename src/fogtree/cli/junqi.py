"""Our engine for army chess for two: `fogtree junqi`."""

import io
import sys
from typing import Annotated

import typer

from .. import dice
from ..errors import Invalid
from .shell import SEED, command

DEALS = 2  # a part of the seed: the dice of the army and of imagined worlds


@command("junqi")
def speak_junqi(
    agent: Annotated[
        str, typer.Option(help="Who plays: pimc, uct-risk:r=0.4, epimc:above=tuned,iterations=2000, random.")
    ] = "pimc",
    seed: Annotated[int, SEED] = 0,
) -> None:
    """Play army chess for a referee of the contest's protocol, over standard input and output."""
    from ..arena.agents import load_agent  # not on top: only this command needs these
    from ..arena.sight import sight
    from ..bridges.junqi import Engine, random_army
    from ..games.siguo import Luzhanqi

    random, player = dice.seeded(seed, DEALS), load_agent(agent, seed)
    if hasattr(player, "follow") and not hasattr(player, "consider"):
        raise Invalid(
            f"{agent} follows a whole match, and the protocol tells it one state at a time: take pimc or epimc"
        )

    def choose(game, state, me):
        return player.act(sight(game, state, me, random=random))

    if isinstance(sys.stdin, io.TextIOWrapper):  # bytes that are no text must not end the loop
        sys.stdin.reconfigure(errors="replace")
    Engine(Luzhanqi(), choose, lambda: random_army(seed), name=f"Fogtree {agent}").run(sys.stdin, sys.stdout)
