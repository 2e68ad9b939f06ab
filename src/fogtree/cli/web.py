"""The command web: the page in the browser."""

import errno
import pathlib
from typing import Annotated

import typer

from .. import runs
from ..errors import Invalid
from .shell import STORE, command
from .stopping import doing

HERE, PORT = "127.0.0.1", 8642


@command("web")
def web(
    games: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="GAME", help="More games to offer than those of the package: my_game.py:MyGame, poker.efg."
        ),
    ] = None,
    agent: Annotated[list[str] | None, typer.Option(help="One more agent to offer: my_agent.py:MyAgent.")] = None,
    strategy: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE.npz", help="One more saved strategy to offer than those in the working folder."),
    ] = None,
    host: Annotated[
        str, typer.Option(help="The address to listen at. If others can reach it, a key is needed, which is printed.")
    ] = HERE,
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port to listen at; 0 takes any free one.")] = PORT,
    store: Annotated[str, STORE] = runs.STORE,
    reports: Annotated[
        list[pathlib.Path] | None,
        typer.Option(metavar="DIR", help="A folder with reports of papers. By default docs/papers and out."),
    ] = None,
    spots: Annotated[
        pathlib.Path, typer.Option(metavar="DIR", help="The folder in which solved poker spots are kept.")
    ] = pathlib.Path("fogtree-spots"),
    matches: Annotated[int, typer.Option(min=1, help="The most matches at once.")] = 8,
    jobs: Annotated[int, typer.Option(min=1, help="The most comparisons, strategies and spots at once.")] = 4,
    seconds: Annotated[float, typer.Option(min=1, help="The most seconds that an agent may think at a move.")] = 300.0,
    memory: Annotated[float, typer.Option(min=1, help="The most memory of a worker, in GiB.")] = 4.0,
    browser: Annotated[bool, typer.Option("--browser", help="Open the page in the browser.")] = False,
) -> None:
    """Open the page: play, watch, and see what a search believed. It listens on this machine alone."""
    try:
        from ..web.server import PageSetting, serve
    except ImportError as error:
        raise Invalid(f"the page needs {error.name}, which is not installed: pip install 'fogtree[web]'") from None
    from ..arena.agents import load_agent
    from ..text.naming import load
    from ..web.offer import Offer, strategy_files
    from ..web.workers import Caps

    for text in games or ():
        load(text)  # a mistake is said here, not in the browser
    for text in agent or ():
        load_agent(text)
    own = {"games": {_name(text): text for text in games or ()}, "agents": {_name(text): text for text in agent or ()}}
    offer = Offer(**own, strategies=strategy_files(".", strategy or ()))
    folders = reports if reports is not None else [pathlib.Path("docs/papers"), pathlib.Path("out")]
    setting = PageSetting(
        offer, Caps(matches, jobs, seconds, memory=memory), store, tuple(map(str, folders)), str(spots)
    )
    try:
        with doing("serving the page"):
            serve(host, port, setting, tell=typer.echo, browser=browser)
    except OSError as error:
        more = "; --port 0 takes any free one" if error.errno == errno.EADDRINUSE else ""
        raise Invalid(f"the page cannot listen at {host}, port {port}: {error.strerror or error}{more}") from None


def _name(text: str) -> str:
    """What a game or an agent of the user's own is called on the page."""
    return pathlib.PurePath(text).name
