"""Players that taught themselves chess against Stockfish at limited strengths: a scale that means something."""

import hashlib
import os
import shutil
from typing import Any, NamedTuple

import numpy as np

from ... import dice
from ...arena.agents import AlphaBetaAgent
from ...arena.agents.alphabeta import Looking
from ...arena.pairs import play_pair, points
from ...bridges.uci_client import Playing, UciAgent
from ...evaluation import features_of, linear
from ...games.chess import Chess
from ...learn.training import OPENING, random_opening
from ...learn.weights import load_weights, shipped
from ...measure.intervals import wilson, wilson_half
from ...text.notation import Course
from ..claims import Claim
from ..laboratory import Lab, grouped
from ..report import Section
from .chess_runs import CHESS, METHODS, SIZES, measure

SHIPPED = "shipped"
PLACES = ("/usr/games", "/usr/local/games")  # where systems put games, besides the usual places
BLOCK = 2  # games in a piece: an opening, with colours exchanged


class Scale(NamedTuple):
    """How large the matches are."""

    games: dict[str, dict[int, int]]  # {player: {the rating to which Stockfish limits itself: games}}
    nodes: int  # of ours, a move
    seconds: float  # of Stockfish's, a move


MATCHES = {
    "quick": Scale({"treestrap": {1400: 2}}, 500, 0.01),
    "full": Scale({SHIPPED: {1700: 200}, **{by: {1400: 4} for by in METHODS}}, 50_000, 0.05),
}


def engine() -> str | None:
    """Where Stockfish is, if it is there."""
    return shutil.which("stockfish", path=os.pathsep.join([os.environ.get("PATH", ""), *PLACES]))


def stockfish(lab: Lab) -> Section:
    """The best run of each method, and the weights that come with the package, against Stockfish."""
    title, command = "Players that taught themselves chess against Stockfish", engine()
    if command is None:
        return Section("chess-stockfish", title, "There is no Stockfish on this machine, so this part was left out.")
    size = MATCHES[lab.scale]
    scores: dict[tuple[str, int], list[float]] = {}
    for who, levels in size.games.items():
        if who != SHIPPED or CHESS in shipped():
            weight = load_weights(CHESS).weight if who == SHIPPED else measure(lab, CHESS).best(who).weight
            scores |= {(who, elo): shares for elo, shares in meet(lab, size, command, who, weight, levels).items()}
    claims, rows = [], []
    for (who, elo), shares in scores.items():
        score, low, high = float(np.mean(shares)), *wilson(float(np.mean(shares)), len(shares))
        counts = [shares.count(share) for share in (1.0, 0.5, 0.0)]
        rows.append([who, elo, len(shares), *counts, round(score, 3), round(low, 3), round(high, 3)])
        half = wilson_half(score, len(shares))
        claims.append(
            Claim(f"{who} against Stockfish at {elo}", None, score, half, kind="rate", note=f"{len(shares)} games")
        )
    learned = SIZES[lab.scale][CHESS].seconds
    prose = f"""
        The best run of each method after {learned:g} s of learning, and the weights that come with the package, against
        Stockfish with its strength limited by UCI_Elo. Ours searches {size.nodes:,} nodes a move with the accelerations of
        tournament engines, so that the load of the machine does not matter; Stockfish has {size.seconds:g} s a move, of which
        it needs a part at these strengths. From each random opening two games are played, with colours exchanged.
    """
    header = ["player", "Stockfish", "games", "won", "drawn", "lost", "score", "low", "high"]
    return Section("chess-stockfish", title, prose, claims, {"chess-stockfish-games": (header, rows)})


def meet(
    lab: Lab, size: Scale, command: str, who: str, weight: np.ndarray, levels: dict[int, int]
) -> dict[int, list[float]]:
    """What a player gets in each game against Stockfish at each level."""
    hall = Hall(command, size.nodes, size.seconds, weight)
    digest = hashlib.sha256(weight.tobytes()).hexdigest()[:16]
    parameters = {"game": CHESS, "nodes": size.nodes, "seconds": size.seconds, "weights": digest}
    pieces = [
        {"elo": elo, "pair": pair, "seed": lab.seed} for elo, games in levels.items() for pair in range(games // BLOCK)
    ]
    found = grouped(pieces, lab.map(f"stockfish {who}", parameters, hall.pair, pieces), "elo")
    return {elo: [share for pair in pairs for share in pair] for elo, pairs in found.items()}


class Hall(NamedTuple):
    """Where the games against Stockfish are played."""

    command: str
    nodes: int  # of ours, a move
    seconds: float  # of Stockfish's, a move
    weight: np.ndarray

    def pair(self, elo: int, pair: int, seed: int) -> list[float]:
        """What a player gets in two games from one opening, with either colour."""
        game = Chess()
        evaluation = linear(game, features_of(game), self.weight)
        ours: Any = AlphaBetaAgent(Looking(nodes=self.nodes), evaluation=evaluation)
        theirs = UciAgent([self.command], Playing(elo=elo, seconds=self.seconds))
        start = Course(random_opening(game, OPENING, dice.seeded(seed, pair)))
        try:
            return list(points(game, play_pair(game, ours, theirs, start=start)))
        finally:
            theirs.close()
