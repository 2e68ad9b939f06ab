"""A comparison in a worker: what `fogtree compare` measures, told as it grows."""

import contextlib
import shlex
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ..errors import Invalid
from ..measure.comparison import Comparison
from ..measure.curve import Curve
from ..walk.slices import Progress
from .offer import Offer, bandit

MEMORY = 1e9  # bytes for the sequence form
EVERY = 0.5  # seconds between two messages
MOST_BANDITS = 8


class CurvesJob:
    """Exploitability against iterations, for some selection functions."""

    def __init__(self, tell: Callable[..., None], offer: Offer, *, game: list[str], bandits: list[str], **limits: int):
        self.tell, self.limits = tell, limits  # iterations, runs, seed
        self.work = Comparison(offer.checked_game(*game), searches(bandits))
        self._told = 0.0

    def run(self) -> None:
        exact = self.work.prepare(self._during, memory=MEMORY)
        self.tell(exact=[exact.method, exact.total], phase="searching")
        found = self.work.curves(**self.limits, progress=self._progress)
        self.tell(curves=plain(found), phase="finished", finished=True, done=1, goal=1)

    @contextlib.contextmanager
    def _during(self, words: str) -> Iterator[None]:
        self.tell(busy=True, phase=words)
        yield

    def _progress(self, now: Progress) -> None:
        if time.monotonic() - self._told >= EVERY:
            self._told = time.monotonic()
            self.tell(curves=plain(now.detail), done=now.done, goal=now.goal)


def searches(texts: list[str]) -> list[tuple[str, Any]]:
    """(name, selection function) of each search."""
    if not 1 <= len(texts) <= MOST_BANDITS or len(set(texts)) < len(texts):
        raise Invalid(f"choose 1 to {MOST_BANDITS} searches, each once")
    return [bandit(text) for text in texts]


def plain(found: Sequence[Curve]) -> list[dict[str, Any]]:
    """Curves as a worker tells them: JSON has no NaN."""
    return [
        {
            "name": curve.name,
            "iterations": curve.iterations.tolist(),
            "seconds": _or_none(curve.seconds),
            "total": _or_none(curve.total),
        }
        for curve in found
    ]


def curves_of(facts: dict[str, Any]) -> list[Curve]:
    """The curves that a worker has told."""
    return [
        Curve(
            one["name"],
            np.array(one["iterations"]),
            *(np.array(one[key], float).reshape(-1, len(one["iterations"])) for key in ("seconds", "total")),
        )
        for one in facts.get("curves", [])
    ]


def command(game: str, bandits: list[str], iterations: int, runs: int, seed: int) -> str:
    """What does the same on the command line."""
    limits = f"--iterations {iterations} --runs {runs} --seed {seed}"
    return f"{shlex.join(['fogtree', 'compare', game, *bandits])} {limits}"


def _or_none(values: np.ndarray) -> list[list[float | None]]:
    return [[value if value == value else None for value in row] for row in values.tolist()]
