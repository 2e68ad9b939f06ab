"""What our own engines share: somebody writes lines, and an engine answers them."""

from collections.abc import Callable, Iterable
from typing import Any, Protocol, TextIO


class Answers(Protocol):
    over: bool  # whether the game or the talk is at its end

    def answer(self, line: str) -> str: ...


def commands_of(engine: Any) -> dict[str, Callable[[list[str]], Any]]:
    """The commands that an engine knows, by name: `do_quit` is called with the words that follow `quit`."""
    names = sorted(name for name in dir(engine) if name.startswith("do_"))
    return {name.removeprefix("do_"): getattr(engine, name) for name in names}


def talk(engine: Answers, lines: Iterable[str], out: TextIO, end: str = "") -> None:
    """Answer line by line until the engine is done or nobody speaks any more; `end` follows each answer."""
    for line in lines:
        if said := engine.answer(line):
            out.write(said + end)
            out.flush()
        if engine.over:
            return
