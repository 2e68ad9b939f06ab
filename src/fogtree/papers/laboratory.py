"""Where the parts of a paper are measured: through the run store, so that work can be stopped and taken up again."""

import math
import operator
import os
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ..arena.tournament import Tournament, tournament
from ..errors import Invalid
from ..kernels.lanes import CPU
from ..runs import Run
from ..text.naming import load
from ..walk.slices import Progress, Watcher

SCALES = ("quick", "full")


class OutOfTime(Exception):
    """The minutes that a report was given are over; what is done is in the store."""


def grouped(pieces: Sequence[dict[str, Any]], results: Sequence[Any], *by: str) -> dict[Any, list[Any]]:
    """The results of all pieces that have the same values of these arguments: {value, or tuple of values: results}."""
    value_of, found = operator.itemgetter(*by), dict[Any, list[Any]]()
    for piece, result in zip(pieces, results, strict=True):
        found.setdefault(value_of(piece), []).append(result)
    return found


class Lab(NamedTuple):
    """Where a part is measured: how large, from which seed, with which store and cores."""

    paper: str
    scale: str = "quick"
    seed: int = 0
    store: str | os.PathLike | None = None
    cores: int | None = None
    on: str | None = None
    look: Callable[[str, Progress], Any] | None = None  # told the run's name after each piece
    device: str = CPU  # of papers that play in lanes
    times: int = 1  # as many runs as the scale asks for, in the same papers
    matches: int | None = None  # of a cell, in place of those of the scale, in parts that play matches
    end: float = math.inf  # when the work is to end, on Python's monotonic clock

    @property
    def quick(self) -> bool:
        return self.scale == "quick"

    def matches_or(self, of_scale: int) -> int:
        """How many matches a cell gets: as many as were asked for, or those of the scale."""
        return of_scale if self.matches is None else self.matches

    def map(
        self, name: str, parameters: dict[str, Any], task: Callable[..., Any], pieces: list[dict[str, Any]]
    ) -> list[Any]:
        """The results of the pieces, through the run store."""
        games = [load(text) for text in {given["game"] for given in (parameters, *pieces) if "game" in given}]
        run = Run(self.store, f"{self.paper}/{name}", task, parameters, games=games)
        cores = self.cores if self.device == CPU else 1
        return run.map(pieces, cores=cores, on=self.on, progress=self._look(name))

    def tournament(self, name: str, game: str, agents: Sequence[str], matches: int) -> Tournament:
        found = tournament(
            game,
            agents,
            matches=matches,
            seed=self.seed,
            store=self.store,
            cores=self.cores,
            on=self.on,
            name=f"{self.paper}/{name}",
            progress=self._look(name),
        )
        if found.forfeits:  # an agent that fails is no result
            raise Invalid(
                f"{self.paper}/{name}: {found.forfeits} matches were forfeited, so the table would mean nothing"
            )
        return found

    def _look(self, name: str) -> Watcher | None:
        look = self.look
        if look is None and self.end == math.inf:
            return None

        def watch(now: Progress) -> None:
            if look is not None:
                look(name, now)
            if now.done != now.goal and time.monotonic() > self.end:
                raise OutOfTime

        return watch
