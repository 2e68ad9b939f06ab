"""A rehearsal of a tournament, in the process that will start the others.

Processes that begin together need the same kernels at the same time. They do not compile them twice, for the second waits
until the first has stored its machine code. But each of them would load the compiler, which takes a second. So the parent
lets each agent make a few moves before it starts them. What remains for the others is to load. A second match, with
everything compiled, shows how long the work will take: a short one is done by the parent alone.
"""

import contextlib
import time
from collections.abc import Callable, Sequence
from typing import Any

from ..game import CHANCE
from ..kernels import compiling_all
from .agents import agents_for, load_agent, side_order
from .patience import allowed
from .referee import MatchState, play

TRIED = 0.5  # seconds for the matches that are timed


class _Enough(Exception):
    """The rehearsal of an agent is over."""


def rehearse(game: Any, names: Sequence[str], seed: int) -> float | None:
    """Compile what the agents need to play this game, and return the seconds that a match takes with the slowest of them. It
    is None where that is not known: if a match takes long, or if an agent is not one of ours, for other people's programs
    are not started here."""
    sides, slowest = len(side_order(game)), 0.0
    ours = [name for name in names if _is_ours(load_agent(name, seed))]
    with compiling_all():  # of a few moves little would be compiled
        for name in ours:
            _played_out(game, agents_for(game, [name] * sides, seed), seed, _has_begun)
    end = time.perf_counter() + TRIED
    for name in ours:
        began = time.perf_counter()
        if not _played_out(game, agents_for(game, [name] * sides, seed), seed, lambda _: time.perf_counter() >= end):
            return None
        slowest = max(slowest, time.perf_counter() - began)
    return slowest if len(ours) == len(names) else None


def _is_ours(agent: Any) -> bool:
    """Whether an agent computes in this process with this package alone: it compiles the game, or plays a known plan."""
    return getattr(agent, "compiles", False) or hasattr(agent, "plan")


def _has_begun(table: MatchState) -> bool:
    """Whether there were as many moves as there are players."""
    return sum(move.player != CHANCE for move in table.moves) >= table.game.shape().players


def _played_out(game: Any, agents: Sequence[Any], seed: int, enough: Callable[[MatchState], bool]) -> bool:
    """Whether a match came to its end before there was enough of it."""

    def look(table: MatchState) -> None:
        if enough(table):
            raise _Enough

    with contextlib.suppress(_Enough):
        play(game, agents, seed=seed, look=look, seconds=allowed(agents))
        return True
    return False
