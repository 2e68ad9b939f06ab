"""A comparison in a worker: what `fogtree compare` measures, told as it grows."""

import shlex
import time
from collections.abc import Callable
from typing import Any

from ..errors import Invalid
from ..measure.curve import Curve, curves
from ..search.trees.ismcts import ISMCTS
from ..solvers.forms.reduction import reduced
from ..solvers.forms.sequence import sequence_form
from ..solvers.solution import solve
from ..walk.slices import Progress
from .offer import Offer, bandit

MEMORY = 1e9  # bytes for the sequence form
EXACT_SECONDS, EXACT_TOTAL = 5.0, 1e-3  # the solver stops at either
EVERY = 0.5  # seconds between two messages
MOST_BANDITS = 8


class CurvesJob:
    """Exploitability against iterations, for some selection functions."""

    def __init__(self, tell: Callable[..., None], offer: Offer, *, game: list[str], bandits: list[str], **limits: int):
        self.tell, self.limits = tell, limits  # iterations, runs, seed
        self.game, self.bandits = offer.checked_game(*game), searches(bandits)
        self._told = 0.0

    def run(self) -> None:
        small = reduced(self.game)
        self.tell(busy=True, phase="enumerating the game")
        form = sequence_form(small, memory=MEMORY)
        self.tell(phase="solving the game for comparison")
        exact = solve(form, seconds=EXACT_SECONDS, target=EXACT_TOTAL)
        self.tell(exact=[exact.method, exact.total])
        for name, made in self.bandits:
            self.tell(phase=f"compiling {name}")
            ISMCTS(small, made, 0).run(iterations=1).strategy()
        self.tell(phase="searching")
        found = curves(form, self.bandits, **self.limits, progress=self._progress)
        self.tell(**facts(found), phase="finished", finished=True, done=1, goal=1)

    def _progress(self, now: Progress) -> None:
        if time.monotonic() - self._told >= EVERY:
            self._told = time.monotonic()
            self.tell(**facts(now.detail), done=now.done, goal=now.goal)


def searches(texts: list[str]) -> list[tuple[str, Any]]:
    """(name, selection function) of each search."""
    if not 1 <= len(texts) <= MOST_BANDITS or len(set(texts)) < len(texts):
        raise Invalid(f"choose 1 to {MOST_BANDITS} searches, each once")
    return [bandit(text) for text in texts]


def facts(found: list[Curve]) -> dict[str, Any]:
    """The curves as plain numbers."""
    return {
        "curves": [
            {
                "name": curve.name,
                "iterations": curve.iterations.tolist(),
                "mean": [_plain(value) for value in curve.mean().tolist()],
                "band": [_plain(value) for value in curve.band().tolist()],
                "total": [[_plain(value) for value in row] for row in curve.total.tolist()],
                "seconds": [[_plain(value) for value in row] for row in curve.seconds.tolist()],
            }
            for curve in found
        ]
    }


def command(game: str, bandits: list[str], iterations: int, runs: int, seed: int) -> str:
    """What does the same on the command line."""
    limits = f"--iterations {iterations} --runs {runs} --seed {seed}"
    return f"{shlex.join(['fogtree', 'compare', game, *bandits])} {limits}"


def _plain(value: float) -> float | None:
    return value if value == value else None
