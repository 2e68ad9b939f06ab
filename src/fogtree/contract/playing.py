"""Whether what plays or judges keeps its contract: a policy (`policy.py`), an evaluation (`evaluation.py`), a judge.

Each is tried in states of a game (`places.py`), in plain Python:

    weigh     writes legal actions, ascending, and their probabilities, which are finite, not negative and sum to 1, and
              returns how many; leaves the state as it is. A policy that somebody plays by weighs by the player's view alone:
              the same view, the same weights. The weights of a prior need not sum to 1
    draw      returns a legal action that `weigh` gives a weight; the longer check draws many times, and each action comes as
              often as its weight says (`counting.py`)
    value     a finite number; leaves the state as it is
    finish    writes a finite payoff for each player, and returns 0
"""

import collections
import itertools
from typing import Any, NamedTuple

import numpy as np

from .. import dice
from ..clock import clock
from ..entrance import PLAYER, PRIOR
from ..game import CHANCE
from ..kernels.door import complete
from ..policy import new_room
from ..trouble import FOREIGN
from .counting import far_off
from .guests import CLOSE, EVALUATION, JUDGE, POLICY, Guest, Kind
from .places import Spot, spots
from .watchdog import Watchdog

ALIKE = 1e-9  # how far two weights may be apart and count as the same
DRAWN_IN = 50  # states, in which draws are counted
DRAWING = 0.2  # share of the time for that


class Seen(NamedTuple):
    """How much was tried."""

    states: int
    hint: str = ""


def try_in_states(
    thing: Any,
    kind: Kind,
    game: Any,
    role: str,
    *,
    histories: int,
    games: int,
    end: float,
    seed: int = 0,
    draws: int = 1,
) -> Seen:
    """Try a policy, an evaluation or a judge in states of a game. Raises `Broken` where it breaks a rule. A policy with a
    `draw` of its own draws so often in the first states with a choice."""
    states, now = 0, clock()
    draws_end = now + DRAWING * (end - now)
    with np.errstate(all="ignore"), Watchdog() as dog:
        trial = TRIALS[kind](Guest(thing, kind, dog), complete(game), role, Draws(draws, draws_end))
        for spot in spots(complete(game), seed, histories, games, end):
            if spot.player != CHANCE or kind is not POLICY:
                states += 1
                trial.look(spot)
    return Seen(states, trial.hint)


class Draws(NamedTuple):
    """How often a policy draws in a state, and until which time more than once."""

    number: int
    end: float


class _Trial:
    """A guest that is tried, one state after the other."""

    def __init__(self, guest: Guest, game: Any, role: str, draws: Draws):
        self.guest, self.game, self.role, self.draws, self.shape = guest, game, role, draws, game.shape()
        self.hint = ""

    def look(self, spot: Spot) -> None:
        raise NotImplementedError

    def call(self, spot: Spot, verb: str, *args: Any) -> Any:
        """What a method returns that must leave the state as it is."""
        state = spot.state.copy()
        answer = self.guest.call(spot.words, verb, self.game, state, *args)
        if not np.array_equal(state, spot.state):
            self.guest.broken(spot.words, verb, "changed the state, which only the game's step may do")
        return answer

    def within(self, spot: Spot, verb: str, does: str, value: float) -> None:
        """Hint at a value that no payoff of the game can have."""
        low, high = self.shape.low, self.shape.high
        slack = CLOSE * (high - low)
        if not low - slack <= value <= high + slack and not self.hint:
            told = f"{does} {value:g} where payoffs lie from {low:g} to {high:g}"
            self.hint = f"{self.guest.kind}.{verb} {told} ({spot.words()}): a search takes it for a payoff"


class _Policy(_Trial):
    def __init__(self, guest: Guest, game: Any, role: str, draws: Draws):
        super().__init__(guest, game, role, draws)
        self.known: dict = {}  # (player, view) -> weights of the actions, spot
        self.random, self.drawn_in = dice.seeded(1), 0

    def look(self, spot: Spot) -> None:
        guest, most = self.guest, self.shape.actions
        choice, odds = np.full(most, -1, np.int64), np.full(most, np.nan)
        count = guest.whole(spot.words, "weigh", self.call(spot, "weigh", spot.player, choice, odds))
        if count == FOREIGN:
            return  # it does not fit this game, and says so: whoever meets this state will be told
        least = 0 if self.role == PRIOR else 1  # a prior may leave out all actions: then it knows nothing
        if not least <= count <= len(spot.actions):
            told = f"returns {count}: valid is {least} to {len(spot.actions)}, the number of legal actions"
            guest.broken(spot.words, "weigh", told)
        chosen, odds = choice[:count].tolist(), odds[:count]
        if not set(chosen) <= set(spot.actions) or any(b <= a for a, b in itertools.pairwise(chosen)):
            guest.broken(spot.words, "weigh", f"must write legal actions, ascending, not {chosen} of {spot.actions}")
        if self.role == PRIOR:
            guest.weights(spot.words, "weigh", odds)
        else:
            guest.shares(spot.words, "weigh", odds)
        weights = {a: float(odd) for a, odd in zip(chosen, odds, strict=True) if odd > 0}
        if not self.shape.open:
            self._alike(spot, weights)
        if guest.has("draw"):
            self._draw(spot, weights)

    def _alike(self, spot: Spot, weights: dict[int, float]) -> None:
        """Whoever plays by a policy weighs by what their player sees."""
        view = int(self.game.view(spot.state, spot.player))
        before, first = self.known.setdefault((spot.player, view), (weights, spot))
        if before.keys() == weights.keys() and all(abs(before[a] - weights[a]) <= ALIKE for a in weights):
            return
        there = f"{before} with the same view for {first.words()}"
        told = f"weighs by what player {spot.player} does not see: {weights} here, {there}"
        if self.role == PLAYER:
            self.guest.broken(spot.words, "weigh", told)
        may = "playouts may follow it, but nobody can play by it"
        self.hint = self.hint or f"{self.guest.kind}.weigh {told} ({spot.words()}): {may}"

    def _draw(self, spot: Spot, weights: dict[int, float]) -> None:
        room, count = new_room(self.shape), collections.Counter[int]()
        often = len(spot.actions) > 1 and self.drawn_in < DRAWN_IN and self.role != PRIOR
        self.drawn_in += often
        for _ in range(self.draws.number if often else 1):
            drawn = self.guest.whole(spot.words, "draw", self.call(spot, "draw", spot.player, room, self.random))
            if drawn not in spot.actions:
                self.guest.broken(spot.words, "draw", f"returns {drawn}, which is not legal: valid are {spot.actions}")
            if drawn not in weights and self.role != PRIOR:
                told = f"plays by other odds than weigh: it returns {drawn}, which has no weight in {weights}"
                self.guest.broken(spot.words, "draw", told)
            count[drawn] += 1
            if clock() >= self.draws.end:
                break
        draws = count.total()
        for action, weight in weights.items():
            if self.role != PRIOR and far_off(count[action], draws, weight):
                told = f"returns {action} in {count[action]} of {draws} draws, to which weigh gives {weight:.6g}"
                self.guest.broken(spot.words, "draw", f"plays by other odds than weigh: it {told}")


class _Evaluation(_Trial):
    def look(self, spot: Spot) -> None:
        value = self.guest.finite(spot.words, "value", self.call(spot, "value"))
        self.within(spot, "value", "is", value)


class _Judge(_Trial):
    def look(self, spot: Spot) -> None:
        guest, payoff = self.guest, np.full(self.shape.players, np.nan)
        random, state = dice.seeded(len(spot.moves)), spot.state.copy()
        answer = guest.call(spot.words, "finish", self.game, state, payoff, new_room(self.shape), random)
        if guest.whole(spot.words, "finish", answer) != 0:
            guest.broken(spot.words, "finish", f"returns {answer}: valid is 0, where all is well")
        if not np.isfinite(payoff).all():
            guest.broken(spot.words, "finish", f"must write a finite payoff for each player, not {payoff.tolist()}")
        for paid in payoff:
            self.within(spot, "finish", "pays", float(paid))


TRIALS = {POLICY: _Policy, EVALUATION: _Evaluation, JUDGE: _Judge}
