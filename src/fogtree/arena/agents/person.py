"""A person at the table."""

from collections.abc import Callable
from typing import Any

from ..sight import Sight


class HumanAgent:
    """A person, who is told what their player sees and asked for a move. EOFError and KeyboardInterrupt go to the caller."""

    def __init__(self, ask: Callable[[str], str] = input, tell: Callable[[str], Any] = print):
        self.ask, self.tell = ask, tell
        self.again = False

    def act(self, sight: Sight) -> str:
        if not self.again:
            self.tell(f"\n{sight.text}")
        self.again = False
        return self.ask(f"player {sight.player}, your move ({' '.join(sight.labels)}): ")

    def refused(self, sentence: str) -> None:
        self.tell(sentence)
        self.again = True
