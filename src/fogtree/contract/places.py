"""States of a game in which a user's policy, evaluation or judge is tried: all from the start on, as far as that goes, then
those of random games. The game is taken for right: it is checked before."""

import collections
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from .. import dice
from ..clock import clock
from ..game import CHANCE, OVER, label

LAST = 20  # moves that a message names


class Spot(NamedTuple):
    """A state that is not the end, and how it came about."""

    game: Any
    state: np.ndarray
    moves: tuple[int, ...]
    player: int  # or CHANCE
    actions: list[int]

    def words(self) -> str:
        """Where it is, in the game's own words."""
        game, names = self.game, list[str]()
        try:
            state = np.zeros(len(self.state), np.int64)
            game.start(state)
            for action in self.moves:
                names.append(str(label(game, state, action)))
                game.step(state, action)
        except (Exception, SystemExit):  # what is told must not depend on it
            names = [str(action) for action in self.moves]
        before = f"({len(names) - LAST} moves), " if len(names) > LAST else ""
        moves = before + ", ".join(names[-LAST:]) if names else "(none)"
        who = "chance" if self.player == CHANCE else f"player {self.player}"
        return f"{who} in {type(self.game).__name__}, after the moves {moves}"


def spots(game: Any, seed: int, histories: int, games: int, end: float) -> Iterator[Spot]:
    """The states of a game up to so many histories, breadth first; if that was not all, those of so many random games, or
    until a time. At least a random game is begun. What is yielded may be changed: it is a copy."""
    shape, random = game.shape(), dice.seeded(seed)
    out, met = np.zeros(shape.actions, np.int64), 0

    def spot(state: np.ndarray, moves: tuple[int, ...]) -> Spot | None:
        player = int(game.player(state))
        if player == OVER:
            return None
        return Spot(game, state.copy(), moves, player, [int(action) for action in out[: game.actions(state, out)]])

    def after(state: np.ndarray, action: int) -> np.ndarray:
        child = state.copy()
        game.step(child, action)
        return child

    first = np.zeros(shape.words, np.int64)
    game.start(first)
    queue = collections.deque[tuple[np.ndarray, tuple[int, ...]]]([(first, ())])
    while queue and met < histories and clock() < end:
        state, moves = queue.popleft()
        met += 1
        here = spot(state, moves)
        if here is not None:
            queue.extend((after(state, action), (*moves, action)) for action in here.actions)
            yield here
    for number in range(games if queue else 0):
        if number and clock() >= end:
            return
        state, moves = first.copy(), tuple[int, ...]()
        while (here := spot(state, moves)) is not None and len(moves) < shape.moves:
            if clock() >= end and number:
                return
            action = here.actions[dice.below(random, len(here.actions))]
            state, moves = after(state, action), (*moves, action)
            yield here
