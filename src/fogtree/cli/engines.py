"""Our engines, for programs that speak to them over standard input and output: gtp (Go), uci (chess), junqi (army chess)."""

import importlib.metadata
import io
import sys
from typing import Annotated, Any, TextIO

import typer

from .. import dice
from ..errors import Invalid
from ..text.naming import load
from .shell import SEED, command

DEALS = 2  # a part of the seed: the dice of the army and of imagined worlds


@command("gtp")
def speak_gtp(
    agent: Annotated[
        str, typer.Option(help="Who plays: rave, rave:iterations=3000, uct:seconds=2, or a bandit that keeps means.")
    ] = "rave",
    game: Annotated[str, typer.Option(help="The board and the rules to begin with.")] = "go",
    seed: Annotated[int, SEED] = 0,
) -> None:
    """Play Go for a program that speaks GTP 2. They talk over standard input and output; its clock goes before the budget."""
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
    engine.run(_lines(), sys.stdout)


@command("uci")
def speak_uci(
    weights: Annotated[
        str | None,
        typer.Option(metavar="FILE.npz", help="Learned weights to evaluate by, as `fogtree learn` saves them."),
    ] = None,
) -> None:
    """Play chess for a program that speaks UCI. They talk over standard input and output."""
    from ..bridges.uci import Board, Engine  # not on top: only this command needs these
    from ..games.chess import Chess
    from ..games.chess.piece_squares import SCALE
    from ..games.chess.text import long_label, read

    game = Chess()

    def learned(path: str) -> Any:
        from ..evaluation import features_of
        from ..learn.weights import load_weights

        return load_weights(path).evaluation(game, features_of(game))

    evaluation = game.evaluation() if weights is None else learned(weights)
    board = Board(game, evaluation, long_label, read, 1 / SCALE, learned)
    name = f"Fogtree {importlib.metadata.version('fogtree')}"
    sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]
    Engine(board, lambda line: print(line, flush=True), name=name).run(_lines())


@command("junqi")
def speak_junqi(
    agent: Annotated[
        str, typer.Option(help="Who plays: pimc, uct-risk:r=0.4, epimc:above=tuned,iterations=2000, random.")
    ] = "pimc",
    seed: Annotated[int, SEED] = 0,
) -> None:
    """Play army chess for a referee of the contest. They talk in its protocol over standard input and output."""
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

    Engine(Luzhanqi(), choose, lambda: random_army(seed), name=f"Fogtree {agent}").run(_lines(), sys.stdout)


def _lines() -> TextIO:
    """What the other program writes. Bytes that are no text do not end the talk."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    return sys.stdin
