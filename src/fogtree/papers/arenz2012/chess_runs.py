"""Chess by search that teaches itself: the training runs and the games between their snapshots, which all parts share.

Each method learns for the same time of the processor, several times from different random weights, with the depth and the
step that tuning chose for it (`chess_tuning.py`). Weights are kept on the way. Then all snapshots and an
untrained player meet each other: from each random opening two games, with colours exchanged, searching equally deep.
"""

import base64
import functools
import hashlib
import itertools
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ... import dice
from ...arena.pairs import meeting
from ...arena.rating import Ratings, rate
from ...evaluation import features_of, linear
from ...learn.training import OPENING, Snapshot, Training, random_opening
from ...text.naming import load
from ..laboratory import Lab

CHESS, BREAKTHROUGH = "chess", "breakthrough:rows=6,columns=6"
DEEP = "chess, deeper searches"  # as the paper had them: few moves, each after a search of many positions
GAMES = {CHESS: CHESS, DEEP: CHESS, BREAKTHROUGH: BREAKTHROUGH}  # {experiment: game}
UNTRAINED, ANCHOR = "untrained", 250.0
METHODS = ("treestrap", "treestrap-minimax", "rootstrap", "td-leaf")


class Tuned(NamedTuple):
    """How a method learns."""

    depth: int
    step: float


TUNED = {
    CHESS: {
        "treestrap": Tuned(2, 0.003),
        "treestrap-minimax": Tuned(2, 0.003),
        "rootstrap": Tuned(2, 0.01),
        "td-leaf": Tuned(2, 0.003),
    },
    DEEP: {
        "treestrap": Tuned(4, 0.003),
        "treestrap-minimax": Tuned(2, 0.003),  # as deep as it comes in the time
        "rootstrap": Tuned(4, 0.003),
        "td-leaf": Tuned(4, 0.003),
    },
    BREAKTHROUGH: {
        "treestrap": Tuned(3, 0.01),
        "treestrap-minimax": Tuned(2, 0.01),
        "rootstrap": Tuned(3, 0.01),
        "td-leaf": Tuned(3, 0.01),
    },
}


class Size(NamedTuple):
    """How large an experiment is."""

    runs: int  # of each method
    seconds: float  # of the processor, of each run
    pairs: int  # of games between two players
    depth: int  # of their searches
    shares: tuple[float, ...]  # of the time, at which weights are kept


SIZES = {
    "quick": {
        CHESS: Size(2, 0.2, 1, 1, (1.0,)),
        DEEP: Size(2, 0.2, 1, 1, (1.0,)),
        BREAKTHROUGH: Size(2, 0.1, 1, 1, (1.0,)),
    },
    "full": {
        CHESS: Size(3, 60.0, 8, 2, (1 / 6, 1.0)),
        DEEP: Size(5, 60.0, 2, 2, (1 / 6, 1.0)),
        BREAKTHROUGH: Size(3, 24.0, 6, 2, (1 / 6, 1.0)),
    },
}


class Player(NamedTuple):
    """A snapshot of a run, or the untrained player."""

    by: str
    run: int
    share: float  # of the time
    seconds: float
    games: int
    moves: int
    weight: np.ndarray

    @property
    def name(self) -> str:
        return UNTRAINED if self.by == UNTRAINED else f"{self.by} {self.run}, {self.seconds:.3g} s"


class Measured(NamedTuple):
    """What came out of a game."""

    players: list[Player]
    ratings: Ratings

    def rating(self, by: str, run: int, share: float = 1.0) -> float:
        at = [k for k, player in enumerate(self.players) if (player.by, player.run, player.share) == (by, run, share)]
        return float(self.ratings.rating[at[0]])

    def runs(self, by: str, share: float = 1.0) -> np.ndarray:
        """[run] the rating of each run of a method."""
        return np.array([self.rating(by, p.run, share) for p in self.players if (p.by, p.share) == (by, share)])

    def best(self, by: str) -> Player:
        """The last snapshot of the best run of a method."""
        last = [player for player in self.players if (player.by, player.share) == (by, 1.0)]
        return max(last, key=lambda player: self.rating(by, player.run))


@functools.lru_cache(maxsize=8)
def measure(lab: Lab, experiment: str) -> Measured:
    """Train all methods, let all snapshots meet, and rate them."""
    game, size = GAMES[experiment], SIZES[lab.scale][experiment]
    pieces: list[dict[str, Any]] = [
        {"game": game, "by": by, "seed": lab.seed + run, "seconds": size.seconds, "shares": size.shares}
        | TUNED[experiment][by]._asdict()
        for run in range(size.runs)
        for by in METHODS
    ]
    players: list[Player] = []
    for piece, curve in zip(pieces, lab.map(f"learning {game}", {"game": game}, learn, pieces), strict=True):
        points = [(UNTRAINED, 0.0), *((piece["by"], share) for share in size.shares)]
        for (by, share), point in zip(points, curve, strict=True):
            if by != UNTRAINED or not players:  # the first run's random weights stand for all
                weight = np.frombuffer(base64.b64decode(point["weight"]))
                run, spent = piece["seed"] - lab.seed, (point["seconds"], point["games"], point["moves"])
                players.append(Player(by, run, share, *spent, weight))
    table = Snapshots(game, size.depth, [player.weight for player in players])
    meetings = [
        {"first": first, "second": second, "pairs": size.pairs, "seed": lab.seed}
        for first, second in itertools.combinations(range(len(players)), 2)
    ]
    counts = np.zeros((len(players), len(players), 3))
    parameters = {"game": game, "depth": size.depth, "players": table.digests()}
    for both, found in zip(meetings, lab.map(f"games {game}", parameters, table.meet, meetings), strict=True):
        counts[both["first"], both["second"]] = found["first"]
        counts[both["second"], both["first"]] = found["second"]
    return Measured(players, rate(counts, [player.name for player in players], anchor=(UNTRAINED, ANCHOR)))


def learn(
    game: str, by: str, seed: int, seconds: float, shares: Sequence[float], depth: int, step: float
) -> list[dict[str, Any]]:
    """One training run: its weights before it, and after each share of its time."""
    made = load(game)
    training = Training(made, features_of(made), by, seed=seed, depth=depth, step=step)
    training.warm_up()
    curve = [stored(training.snapshot)]
    for share in shares:
        training.lesson(0, seconds=share * seconds - training.seconds)
        curve.append(stored(training.snapshot))
    return curve


def stored(point: Snapshot) -> dict[str, Any]:
    return point._asdict() | {"weight": base64.b64encode(point.weight.tobytes()).decode()}


class Snapshots(NamedTuple):
    """The weights of all players, which meet each other."""

    game: str
    depth: int
    weights: list[np.ndarray]

    def digests(self) -> list[str]:
        return [hashlib.sha256(weight.tobytes()).hexdigest()[:16] for weight in self.weights]

    def meet(self, first: int, second: int, pairs: int, seed: int) -> dict[str, list[int]]:
        """(won, drawn, lost) of each of two players when it had the first move."""
        game = load(self.game)
        one, other = (linear(game, features_of(game), self.weights[who]) for who in (first, second))
        meet = meeting(game, one, other, self.depth)
        counts = np.zeros((2, 3), int)
        for pair in range(pairs):
            start = random_opening(game, OPENING, dice.seeded(seed, first, second, pair))
            moving_first, moving_second = meet(start)
            counts[0, round(2 - 2 * moving_first)] += 1
            counts[1, round(2 * moving_second)] += 1
        return {"first": counts[0].tolist(), "second": counts[1].tolist()}
