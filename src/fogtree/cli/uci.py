"""Our engine for chess programs: `fogtree uci`."""

import importlib.metadata
import sys
from typing import Annotated, Any

import typer

from .shell import command


@command("uci")
def speak_uci(
    weights: Annotated[
        str | None,
        typer.Option(metavar="FILE.npz", help="Learned weights to evaluate by, as `fogtree learn` saves them."),
    ] = None,
) -> None:
    """Play chess for a program that speaks UCI, over standard input and output."""
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
    for stream in (sys.stdin, sys.stdout):
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    Engine(board, lambda line: print(line, flush=True), name=name).run(sys.stdin)
