"""A state to hold: for people and notebooks, who play a game move by move. Algorithms do not use it.

    position = at("kuhn")                    or at(game), or at(game, "J Q pass") in the game's notation
    position.player                          who moves: 0, 1, ..., CHANCE or OVER
    position.actions                         {label: action}
    position.play("bet")                     a new position; so does .play("J", "Q", "pass")
    position.undo()                          the position one move before
    position.view(0), position.seen(0)       a player's key, and what the player sees as text
    position.payoffs                         of all players, once the game is over
    position.notation                        a text that `at` reads back
    print(position)                          what the referee sees
    position.picture(0)                      what player 0 sees, as an SVG that a notebook shows

A position never changes: each move gives another one, so that a variable keeps what it held.
"""

from typing import Any

import numpy as np

from ..draw.board import picture
from ..draw.svg import Picture
from ..errors import Illegal, Invalid
from ..game import CHANCE, OVER, REFEREE, identity, label, legal, new_state, odds, read, show
from ..text.naming import as_game
from ..text.notation import Course, from_notation, notation


class Position:
    """A state of a game, and the moves that led to it."""

    def __init__(self, game: Any, course: Course, before: "Position | None" = None):
        self.game, self._course, self._before = game, course, before
        course.state.setflags(write=False)

    @property
    def state(self) -> np.ndarray:
        """The words of the state, which nobody can change here."""
        return self._course.state

    @property
    def player(self) -> int:
        """Who moves: a player, CHANCE (-1), or OVER (-2)."""
        return int(self.game.player(self.state))

    @property
    def actions(self) -> dict[str, int]:
        """The legal actions by their labels; none when the game is over."""
        return {label(self.game, self.state, action): action for action in legal(self.game, self.state)}

    @property
    def odds(self) -> dict[str, float]:
        """Where chance moves, the probability of each action by its label."""
        if self.player != CHANCE:
            raise Invalid(f"odds belong to moves of chance, but player {self.player} moves here")
        return dict(zip(self.actions, odds(self.game, self.state), strict=True))

    @property
    def payoffs(self) -> tuple[float, ...]:
        """[player] of a game that is over."""
        if self.player != OVER:
            raise Invalid("the game is not over, so nobody has been paid yet")
        return tuple(float(self.game.payoff(self.state, who)) for who in range(self.game.shape().players))

    @property
    def notation(self) -> str:
        """A text that `at` reads back."""
        return notation(self.game, self._course)

    def play(self, *moves: str | int) -> "Position":
        """The position after moves, each a label or the number of an action."""
        position = self
        for move in moves:
            position = position._after(move)
        return position

    def undo(self) -> "Position":
        """The position one move before."""
        if self._before is None:
            raise Invalid("there is no move to take back: this position is where you began")
        return self._before

    def view(self, player: int) -> int:
        """The key of what a player has seen."""
        with np.errstate(over="ignore"):
            return int(self.game.view(self.state, self._seat(player)))

    def seen(self, player: int) -> str:
        """What a player sees, as the game shows it."""
        return show(self.game, self.state, self._seat(player))

    def picture(self, player: int | None = None) -> Picture:
        """What a player sees, or the referee, as an SVG; the legal actions are marked for whoever is to move."""
        moves = legal(self.game, self.state) if player in (None, self.player) else []
        return picture(self.game, self.state, player, moves)

    def _repr_svg_(self) -> str:
        return self.picture()

    def __str__(self) -> str:
        return show(self.game, self.state, REFEREE)

    def __repr__(self) -> str:
        names = {CHANCE: "chance to move", OVER: "over"}
        return f"<{type(self.game).__name__}, {names.get(self.player, f'player {self.player} to move')}>\n{self}"

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Position)
            and identity(self.game) == identity(other.game)
            and np.array_equal(self.state, other.state)
        )

    __hash__ = None  # type: ignore[assignment]

    def _seat(self, player: int) -> int:
        if player not in range(self.game.shape().players):
            raise Invalid(f"there is no player {player}: valid are 0 to {self.game.shape().players - 1}")
        return player

    def _after(self, move: str | int) -> "Position":
        actions = legal(self.game, self.state)
        if not actions:
            raise Illegal(f"the game is over, so {move!r} cannot be played")
        action = read(self.game, self.state, move) if isinstance(move, str) else int(move)
        if action not in actions:
            choices = ", ".join(map(str, actions))
            raise Illegal(f"{move} is not a legal action here: choose from {choices}")
        state = self.state.copy()
        with np.errstate(over="ignore"):
            self.game.step(state, action)
        return Position(self.game, Course(state, (*self._course.moves, (self.player, action))), self)


def at(game: Any, where: str = "") -> Position:
    """A position of a game, or of the game that a text names: its start, or what a text in the game's notation stands for."""
    made = as_game(game)
    return Position(made, from_notation(made, where) if where else Course(new_state(made)))
