"""Commands that list what else has a name: agents and bandits."""

import typer

from ..bandits import BANDITS
from ..text.parameters import parameters, summary
from . import screen
from .screen import listed
from .shell import command


@command("agents")
def list_agents() -> None:
    """List the agents that can play matches."""
    from ..arena.agents import ABOUT  # slow to load

    screen.console().print(listed.names_table("agent", ABOUT.items()))
    typer.echo(
        "fogtree play GAME --against AGENT plays against one; fogtree tournament GAME AGENT... lets several play."
    )


@command("bandits")
def list_bandits() -> None:
    """List the selection functions of searches, with their parameters."""
    rows = []
    for name, cls in BANDITS.items():
        fields = [f"  {field}={default} ({rule}): {words}" for field, default, rule, words in parameters(cls)]
        rows.append((name, "\n".join([summary(cls), *fields])))
    screen.console().print(listed.names_table("bandit", rows))
    typer.echo("Every search takes every bandit: fogtree compare GAME BANDIT..., or the bandit's name as an agent.")
