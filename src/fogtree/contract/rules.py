"""The rules of a game that do not depend on what anybody sees: shape, sides, who moves, actions, odds, payoffs."""

import itertools
import math

import numpy as np

from ..game import CHANCE, OVER, Shape
from ..walk.table import MOST_PLAYERS
from .asking import Asked
from .guests import REAL
from .history import History

CLOSE = 1e-9  # how far probabilities may sum from 1, and zero-sum payoffs from 0


class Rules:
    def __init__(self, asked: Asked):
        self.asked = asked
        nowhere = History(np.zeros(1, np.int64))
        self.shape = asked.shape = self._checked_shape(nowhere)
        self.sides = self._checked_sides(nowhere)

    def _checked_shape(self, at: History) -> Shape:
        shape, broken = self.asked.call(at, "shape"), self.asked.broken
        if not isinstance(shape, Shape):
            broken(at, "shape", f"must return a fogtree.Shape, not {type(shape).__name__}")
        if any(self.asked.whole(at, "shape", size) < 1 for size in shape[:4]):
            broken(at, "shape", f"has a size below 1: {shape}")
        if shape.players > MOST_PLAYERS:
            broken(at, "shape", f"has {shape.players} players: at most {MOST_PLAYERS} have room")
        if not all(isinstance(bound, REAL) for bound in (shape.low, shape.high)):
            broken(at, "shape", f"needs numbers for low and high, not {shape.low!r} and {shape.high!r}")
        if not (math.isfinite(shape.low) and math.isfinite(shape.high) and shape.low <= shape.high):
            broken(at, "shape", f"needs finite payoffs with low <= high, not {shape.low} and {shape.high}")
        return shape

    def _checked_sides(self, at: History) -> tuple[int, ...]:
        players, asked = range(self.shape.players), self.asked
        if not asked.has("side_of"):
            return tuple(players)
        sides = tuple(asked.whole(at, "side_of", asked.call(at, "side_of", player)) for player in players)
        if sides[0] != 0 or set(sides) != set(range(max(sides) + 1)):
            asked.broken(at, "side_of", f"numbers the sides from 0 without gaps, player 0 on side 0, not {sides}")
        return sides

    def mover(self, history: History) -> int:
        asked, made = self.asked, len(history.moves)
        player = asked.whole(history, "player", asked.call(history, "player", history.state))
        if player not in (CHANCE, OVER) and not 0 <= player < self.shape.players:
            asked.broken(history, "player", f"is {player}: valid are 0 to {self.shape.players - 1}, CHANCE and OVER")
        if player != OVER and made >= self.shape.moves:
            asked.broken(history, "player", f"goes on after {made} moves, the most that shape() allows")
        return player

    def actions(self, history: History) -> list[int]:
        asked, out = self.asked, self.asked.row(self.shape.actions, -1)
        count = asked.whole(history, "actions", asked.call(history, "actions", history.state, out))
        if not 1 <= count <= self.shape.actions:
            asked.broken(history, "actions", f"returns {count}: valid is 1 to {self.shape.actions}, as shape() says")
        actions = [int(action) for action in out[:count]]
        if actions[0] < 0 or any(b <= a for a, b in itertools.pairwise(actions)):
            asked.broken(history, "actions", f"must be ascending and not negative, not {actions}")
        return actions

    def odds(self, history: History, player: int, count: int) -> list[float]:
        """The odds of so many actions: equal ones where a player moves."""
        if player != CHANCE:
            return [1 / count] * count
        if not self.asked.has("odds"):
            told = "is CHANCE, but there is no method odds, which a game with chance needs"
            self.asked.broken(history, "player", told)
        out = np.zeros(self.shape.actions)
        self.asked.call(history, "odds", history.state, out)
        odds = out[:count]
        if not (odds > 0).all() or abs(odds.sum() - 1) > CLOSE:
            self.asked.broken(history, "odds", f"must be positive and sum to 1, not {odds.tolist()}")
        return odds.tolist()

    def payoffs(self, history: History) -> tuple[float, ...]:
        shape, broken = self.shape, self.asked.broken
        given = [self.asked.call(history, "payoff", history.state, player) for player in range(shape.players)]
        if not all(isinstance(payoff, REAL) for payoff in given):
            broken(history, "payoff", f"must be a number, not {given}")
        payoffs = [float(payoff) for payoff in given]
        if not all(shape.low - CLOSE <= payoff <= shape.high + CLOSE for payoff in payoffs):
            broken(history, "payoff", f"is {payoffs}, outside [{shape.low:g}, {shape.high:g}] of shape()")
        if shape.zero_sum and abs(sum(payoffs)) > CLOSE:
            broken(history, "payoff", f"is {payoffs}, which does not sum to 0 as shape() says")
        if len(set(zip(self.sides, payoffs, strict=True))) > len(set(self.sides)):
            broken(history, "payoff", f"is {payoffs}, but those on one side, {self.sides}, must get the same")
        return tuple(payoffs)
