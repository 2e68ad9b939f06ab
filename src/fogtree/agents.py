"""Who can sit at a table.

An agent is an object with `act(sight)`: it gets what its seat may see, never the state, and returns an action, or the
text of one, which the referee reads. So cheating is impossible by signature. `load("random", seed)` finds an agent by
its name on the command line.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import numpy as np

from . import dice
from .errors import Invalid


class Sight(NamedTuple):
    """All that an agent gets to know when it is to move."""

    game: Any
    seat: int
    view: int
    actions: tuple[int, ...]
    labels: tuple[str, ...]  # [action] as people write them
    text: str  # what game.show prints for this seat


class Agent(Protocol):
    """An agent may also have `refused(sentence)`: then an illegal action is told there, and it is asked again."""

    def act(self, sight: Sight) -> int | str: ...


class RandomAgent:
    """Every legal action equally likely. The path splits the seed, as in `dice.seeded`."""

    def __init__(self, seed: int = 0, *path: int):
        self.random = dice.seeded(seed, *path)

    def act(self, sight: Sight) -> int:
        with np.errstate(over="ignore"):  # random bits wrap round
            return sight.actions[dice.below(self.random, len(sight.actions))]


class HumanAgent:
    """A person, who is told what their seat sees and asked for a move. EOFError and KeyboardInterrupt go to the caller."""

    def __init__(self, ask: Callable[[str], str] = input, tell: Callable[[str], Any] = print):
        self.ask, self.tell = ask, tell
        self.again = False

    def act(self, sight: Sight) -> str:
        if not self.again:
            self.tell(f"\n{sight.text}")
        self.again = False
        return self.ask(f"player {sight.seat}, your move ({' '.join(sight.labels)}): ")

    def refused(self, sentence: str) -> None:
        self.tell(sentence)
        self.again = True


AGENTS: dict[str, Callable[..., Agent]] = {"random": RandomAgent}


def load(text: str, seed: int = 0, *path: int) -> Agent:
    """The agent that a text names."""
    known, colon, _ = text.strip().partition(":")
    if known not in AGENTS:
        raise Invalid(f"there is no agent '{known}': valid are {', '.join(AGENTS)}")
    if colon:
        raise Invalid(f"the agent {known} has no parameters: write {known}")
    return AGENTS[known](seed, *path)
