"""A state as a text, and back: for bug reports, for `--from` on the command line, for files of other programs.

    notation(game, moves)          "J Q pass bet"
    from_notation(game, text)      the state there, and the moves that led to it

A game may have a notation of its own, as FEN is in chess: `notation(state)` returns the text of a state, and
`from_notation(text, state)` writes the state that a text stands for. Without it, the text is the list of all moves, those of
chance included, each by its label; where a label would be misread, by its number: `#3`. Reading plays the moves again.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ..errors import Illegal, Invalid
from ..game import label, legal, new_state, read

NUMBER = "#"  # before an action that is written by its number


class Course(NamedTuple):
    """A state, and the moves that led to it from the start of the game where they are known."""

    state: np.ndarray
    moves: tuple[tuple[int, int], ...] = ()  # (player or CHANCE, action)


def course(game: Any, moves: Sequence[Any]) -> Course:
    """Play moves from the start: (player, action) pairs, or anything that begins with such a pair."""
    state = new_state(game)
    with np.errstate(over="ignore"):  # views may be hashes, which wrap round
        for number, (player, action, *_) in enumerate(moves, 1):
            if game.player(state) != player or action not in legal(game, state):
                raise Illegal(f"move {number}, action {action} of player {player}, is not possible here")
            game.step(state, action)
    return Course(state, tuple((int(player), int(action)) for player, action, *_ in moves))


def notation(game: Any, where: Any) -> str:
    """The text of a state: of a `Course`, of moves from the start, or of a state alone in games with a notation of their
    own."""
    if isinstance(where, np.ndarray):
        where = Course(where)
        if not hasattr(game, "notation"):
            raise Invalid(f"{type(game).__name__} has no notation for a state alone: give the moves that led to it")
    elif not isinstance(where, Course):
        where = course(game, where)
    if hasattr(game, "notation"):
        return str(game.notation(where.state))
    words, state = [], new_state(game)
    with np.errstate(over="ignore"):
        for _, action in where.moves:
            words.append(_word(game, state, action))
            game.step(state, action)
    return " ".join(words)


def from_notation(game: Any, text: str) -> Course:
    """The state that a text stands for; `Invalid` or `Illegal` where it stands for none."""
    if not isinstance(text, str):
        raise Invalid(f"a state is written as a text, as `at(game).notation` is, not {text!r}")
    state = new_state(game)
    with np.errstate(over="ignore"):
        if hasattr(game, "from_notation"):
            game.from_notation(text, state)
            return Course(state)
        moves = []
        for number, word in enumerate(text.split(), 1):
            if not legal(game, state):
                raise Illegal(f"the game is over after {number - 1} moves, so '{word}' cannot be played")
            try:
                action = _action(game, state, word)
            except Illegal as error:
                raise Illegal(f"move {number}: {error}") from None
            moves.append((int(game.player(state)), action))
            game.step(state, action)
    return Course(state, tuple(moves))


def _word(game: Any, state: np.ndarray, action: int) -> str:
    """An action as one word that is read back as the same action."""
    word = label(game, state, action)
    try:
        one_word = word.split() == [word] and not word.startswith(NUMBER)
        readable = one_word and read(game, state, word) == action
    except (Illegal, ValueError):
        readable = False
    return word if readable else f"{NUMBER}{action}"


def _action(game: Any, state: np.ndarray, word: str) -> int:
    if not word.startswith(NUMBER):
        return read(game, state, word)
    number = word.removeprefix(NUMBER)
    if number.isdecimal() and int(number) in legal(game, state):
        return int(number)
    choices = ", ".join(f"{NUMBER}{action}" for action in legal(game, state))
    raise Illegal(f"'{word}' is not a legal action here: choose from {choices}")
