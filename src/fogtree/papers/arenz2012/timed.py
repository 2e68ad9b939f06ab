"""Arenz 2012: an agent of the arena whose work and whose seconds of the processor are counted.

The processor's time is measured and not the wall clock, so that other work on the machine takes nothing away from a player.
"""

import time
from collections.abc import Callable
from typing import Any

from ...arena.sight import Resigned, Sight

SLICE = 0.002  # seconds of the processor between two looks at its clock
MOST = 1 << 20  # simulations or nodes in a slice: a search that has found all answers at once, whatever it is asked for
EARLY = 20  # moves of a game before which nobody resigns


class Timed:
    """Plays as the agent does. `unit` is the field of `agent.how` that says how much work an answer takes: `iterations` or
    `nodes`.

    With `seconds` the agent is asked again and again at the same move, for a little work each time, until so many seconds of
    the processor are spent; it plays its last answer. So it must go on with its search when it is asked again, as agents in
    open games do.

    `expects(sight, action)` is what the agent thinks that a move will bring, from 0 to 1: below `resign` it resigns.
    """

    def __init__(
        self,
        agent: Any,
        unit: str = "",
        seconds: float = 0.0,
        *,
        resign: float = 0.0,
        expects: Callable[[Sight, int], float] | None = None,
    ):
        self.agent, self.unit, self.seconds, self.resign, self.expects = agent, unit, seconds, resign, expects
        self.first = getattr(agent.how, unit) if unit else 0  # the work of the first slice of a move
        self.done, self.spent, self.moves = 0, 0.0, 0  # simulations or nodes, seconds of the processor, moves

    def fresh(self) -> None:
        """A new match begins."""
        if hasattr(self.agent, "fresh"):
            self.agent.fresh()

    def act(self, sight: Sight) -> int | str:
        began, asked = time.process_time(), 0
        at = began
        while True:  # it ends: every slice takes time
            action = self.agent.act(sight)
            now, size = time.process_time(), getattr(self.agent.how, self.unit) if self.unit else 0
            asked += size
            if now - began >= self.seconds:
                break
            size = max(1, min(2 * size, int(size * SLICE / max(now - at, 1e-6)), MOST))
            self.agent.how = self.agent.how._replace(**{self.unit: size})
            at = now
        self.done += getattr(self.agent, "nodes", asked)  # alpha-beta may find everything sooner
        self.spent += now - began
        if self.unit:  # the next move begins with little work again: this one may have been found at once
            self.agent.how = self.agent.how._replace(**{self.unit: self.first})
        self.moves += 1
        if self.expects and len(sight.moves) > EARLY and self.expects(sight, int(action)) < self.resign:
            raise Resigned
        return action

    def close(self) -> None:
        """The game is over."""
        if hasattr(self.agent, "close"):
            self.agent.close()
