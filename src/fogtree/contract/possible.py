"""Whether the true state stays possible: whatever a player imagines, it must be able to come out as it is.

`imagine` is a function of the view and of the dice. Where it throws few dice, every way in which they may fall can be tried:
if the true position never comes out, it is excluded for certain. `Script` is a generator of random numbers that lets the dice
fall as it is told to. Where the dice may fall in too many ways, nothing is said of that decision: this never finds fault with
a game that is right. A number of 64 bits may fall in too many ways, unless it does nothing but stand in a word of the state,
such as a view that is not known: each way is tried with two such numbers, which must make no other difference.

A position is the true one if the game says so by `position`, where it has that verb; else if the state is the same word by
word, or the referee is shown the same text. For a game may forget in imagined states what no longer matters.
"""

import contextlib
import math
import sys
from typing import Any

import numpy as np

from .. import dice
from ..clock import clock
from ..game import REFEREE
from .asking import Asked
from .history import Place

MOST_WAYS = 2_000  # in which the dice of a decision may fall, if all of them are tried
MOST_DICE = 200  # in one imagined state
ROTATED = 23  # bits, by which the generator rotates
UNIT_BITS, LOW_BITS = 53, 32
ALL_BITS = (1 << 64) - 1
FILLERS = 0x2545F4914F6CDD1D, 0x5851F42D4C957F2D  # two numbers of 63 bits that look random


class TooMany(Exception):
    """Not all ways can be tried."""


class Script:
    """Stands in for a generator (`dice.py`). It answers `draw` so that `below` and `pick` give what the script says, and the
    first number where the script is at its end. `ways` is how many numbers each of them could have given. Whoever draws 64
    bits gets the filler."""

    def __init__(self, script: list[int], filler: int):
        self.script, self.ways, self.filler = script, list[int](), filler

    def __getitem__(self, word: int) -> np.uint64:
        """`draw` returns word 3, rotated, if word 0 is 0."""
        if word != 3:
            return np.uint64(0)
        wanted = self._next(sys._getframe(2))
        return np.uint64((wanted >> ROTATED | wanted << (64 - ROTATED)) & ALL_BITS)

    def __setitem__(self, word: int, value: Any) -> None:
        pass

    def _next(self, frame: Any) -> int:
        """The 64 bits that the function which called `draw` is to get."""
        code, asked = frame.f_code, frame.f_locals
        if code is dice.below.__code__:
            count = int(asked["count"])
            return self._choose(count) * 2**64 // count + 2**63 // count
        if code is dice.unit.__code__ and frame.f_back.f_code is dice.pick.__code__:
            asked = frame.f_back.f_locals
            odds = [float(odd) for odd in asked["odds"][: asked["count"]]]
            possible = [i for i, odd in enumerate(odds) if odd > 0]
            chosen = possible[self._choose(len(possible))]
            return int((math.fsum(odds[:chosen]) + odds[chosen] / 2) * 2**64)
        if code is dice.unit.__code__:
            raise TooMany
        return self.filler

    def _choose(self, count: int) -> int:
        at = len(self.ways)
        self.ways.append(count)
        if at >= MOST_DICE or math.prod(self.ways) > MOST_WAYS:
            raise TooMany
        return self.script[at] if at < len(self.script) else 0


class Possible:
    """Looks for decisions in which the true state cannot be imagined."""

    def __init__(self, asked: Asked):
        self.asked = asked
        self.tried = 0  # states that were imagined
        self.decided = 0  # decisions in which the true state was found

    def look_at_some(self, decisions: list[Place], most: int, seconds: float) -> None:
        """As many decisions as there is time for, and about so many imagined states: a third of both to see where the dice
        may fall in few ways, then these from the fewest on."""
        now = clock()
        order = np.random.default_rng(0).permutation(len(decisions))  # always the same
        few = []
        for n in order[: most // 3]:
            if clock() >= now + seconds / 3:
                break
            with contextlib.suppress(TooMany):
                few.append((math.prod(self._imagined(decisions[n], [])[1]), n))
        for _, n in sorted(few):
            if self.tried >= most or clock() >= now + seconds:
                break
            self.look(decisions[n])

    def look(self, at: Place) -> None:
        """Try all ways in which the dice may fall, up to one in which the true state comes out."""
        script: list[int] | None = []
        try:
            while script is not None:
                made, ways = self._imagined(at, script)
                if self._same(at.history.state, made):
                    self.decided += 1
                    return
                script = _next_script(script, ways)
        except TooMany:
            return
        told = f"never gives the true state, however the dice fall: player {at.player} excludes what is so"
        self.asked.broken(at.history, "imagine", told)

    def _imagined(self, at: Place, script: list[int]) -> tuple[np.ndarray, list[int]]:
        """The state that comes out, and in how many ways each die could fall."""
        self.tried += 1
        one, other = at.history.state.copy(), at.history.state.copy()
        for made, filler in ((one, FILLERS[0]), (other, FILLERS[1])):
            random = Script(script, filler)
            self.asked.dog.doing = at.history, "imagine"
            self.asked.game.imagine(made, at.player, random)
        unlike = one != other
        if (one[unlike] != np.int64(FILLERS[0])).any() or (other[unlike] != np.int64(FILLERS[1])).any():
            raise TooMany
        return one, random.ways

    def _same(self, true: np.ndarray, made: np.ndarray) -> bool:
        game = self.asked.game
        if hasattr(game, "position"):
            return int(game.position(true)) == int(game.position(made))
        if np.array_equal(true, made):
            return True
        return hasattr(game, "show") and game.show(true, REFEREE) == game.show(made, REFEREE)


def _next_script(script: list[int], ways: list[int]) -> list[int] | None:
    """The next way in which the dice may fall: the last die that can fall otherwise does. None after the last way."""
    fallen = script + [0] * (len(ways) - len(script))
    while fallen and fallen[-1] + 1 == ways[len(fallen) - 1]:
        fallen.pop()
    return [*fallen[:-1], fallen[-1] + 1] if fallen else None
