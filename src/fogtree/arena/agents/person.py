"""A person at the table."""

from collections.abc import Callable, Sequence
from typing import Any

from ...errors import Illegal
from ..sight import Resigned, Sight

HELP, LEAVE, RESIGN = "?", "quit", "resign"
SHOWN = 24  # moves in the prompt; the word HELP lists all
WORDS = (
    f"{HELP} lists the moves, {RESIGN} loses the game and shows what the others thought, {LEAVE} or Ctrl-D ends it at once; "
    "the beginning of a move is enough if no other begins so"
)


class HumanAgent:
    """A person, who is told what their player sees and asked for a move. `news()` are sentences on what happened since the
    last move. EOFError and KeyboardInterrupt go to the caller; who types `quit` leaves like one who ends the input, and who
    types `resign` loses."""

    def __init__(
        self,
        ask: Callable[[str], str] = input,
        tell: Callable[[str], Any] = print,
        news: Callable[[], list[str]] = list,
    ):
        self.ask, self.tell, self.news = ask, tell, news
        self.again = False

    def act(self, sight: Sight) -> str:
        if not self.again:
            told = self.news()
            self.tell("\n" + "\n".join([*(f"- {words}" for words in told), sight.text]))
        self.again = False
        while True:
            text = self.ask(f"player {sight.player}, your move ({_some(sight.labels)}): ").strip()
            if text == HELP:
                self.tell(f"moves: {' '.join(sight.labels)}\n{WORDS}")
            elif text.lower() == LEAVE and text not in sight.labels:
                raise EOFError
            elif text.lower() == RESIGN and text not in sight.labels:
                raise Resigned
            else:
                try:
                    return completed(text, sight.labels)
                except Illegal as error:
                    self.tell(str(error))

    def refused(self, sentence: str) -> None:
        self.tell(sentence)
        self.again = True


def _some(labels: tuple[str, ...]) -> str:
    if len(labels) <= SHOWN:
        return " ".join(labels)
    return f"{' '.join(labels[:SHOWN])} ... {HELP} lists all {len(labels)}"


def completed(text: str, labels: Sequence[str]) -> str:
    """The move that a text is the beginning of; the text itself where it spells a move, or begins none. A number is no
    beginning, for it may be the number of an action. `Illegal` where several moves begin so."""
    if not text or text.isdecimal() or text.lower() in (label.lower() for label in labels):
        return text
    meant = [label for label in labels if label.lower().startswith(text.lower())]
    if len(meant) > 1:
        raise Illegal(f"'{text}' may be {', '.join(meant[:-1])} or {meant[-1]}: write more of it")
    return meant[0] if meant else text
