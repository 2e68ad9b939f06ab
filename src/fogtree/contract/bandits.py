"""Whether a bandit keeps its contract (`bandits/__init__.py`): it plays against rewards of chance, with few actions and many.

slots     a whole number of 0 or more, the same each time; all methods keep to so many numbers
reward    a finite number for every payoff in its range, also where all payoffs are the same
choose    the position of an action, 0 to k - 1, and a probability above 0 and up to 1. The longer check lets it choose many
          times from the same memory: each action must come as often as said, if that makes a difference to `learn`, which
          alone asks. A bandit to which it makes none may say 1, as UCT does, which draws among equals
learn     and begin, overhear: return, and write nowhere else
policy    probabilities of 0 or more that sum to 1
at        returns a bandit of the same class
mixture   probabilities that sum to 1; `means` writes k numbers
"""

import collections
from typing import Any, NamedTuple

import numpy as np

from .. import dice
from ..clock import clock
from ..errors import Broken, Uncompilable
from ..kernels import kernel
from .compiled import unlike
from .counting import far_off
from .guests import BANDIT, Guest
from .watchdog import Watchdog

WIDTHS = (2, 3, 1, 5, 17)  # numbers of actions
RANGES = ((-1.0, 1.0), (0.0, 300.0), (2.0, 2.0))  # of payoffs
COUNTED_AT = 7  # choices, and before the last one
MOST_SLOTS = 1 << 30  # numbers: beyond it, no memory has room for a set


class Tried(NamedTuple):
    """How much was tried."""

    rounds: int
    widths: int


def try_bandit(bandit: Any, rounds: int, end: float, seed: int = 0, draws: int = 0) -> Tried:
    """Let a bandit choose and learn so many times for each number of actions and each range of payoffs, or once after a time;
    and now and then draw so often from the same memory. Raises `Broken` where it breaks a rule."""
    done = 0
    with np.errstate(all="ignore"), Watchdog() as dog:
        guest = Guest(bandit, BANDIT, dog)
        for k in WIDTHS:  # each at least once, so that a busy machine lets nothing through that an idle one tells
            for low, high in RANGES:
                done += _Play(guest, k, low, high, seed).rounds(rounds, draws, end)
    return Tried(done, len(WIDTHS))


class _Play:
    """One information set with k actions."""

    def __init__(self, guest: Guest, k: int, low: float, high: float, seed: int):
        self.guest, self.k, self.low, self.high = guest, k, low, high
        self.random, self.made = dice.seeded(seed, k), 0
        slots = [guest.whole(self.where, "slots", guest.call(self.where, "slots", k)) for _ in range(2)]
        if slots[0] != slots[1]:
            guest.broken(self.where, "slots", f"must always be the same, not {slots[0]} and then {slots[1]}")
        if not 0 <= slots[0] <= MOST_SLOTS:
            guest.broken(self.where, "slots", f"must be a whole number from 0 to {MOST_SLOTS:,}, not {slots[0]:,}")
        self.memory = np.zeros(slots[0])

    def where(self) -> str:
        return f"with {self.k} actions and payoffs from {self.low:g} to {self.high:g}, after {self.made} choices"

    def rounds(self, rounds: int, draws: int, end: float) -> int:
        guest, k, memory = self.guest, self.k, self.memory
        if guest.has("begin"):
            guest.call(self.where, "begin", memory, k, 0, np.full(k, 1.0 / k))
        for self.made in range(rounds):
            now = self._now()
            if draws and self.made in (COUNTED_AT, rounds - 1):
                self._count(now, draws)
            chosen, probability = self._chosen(now, memory)
            worth = (self.low, self.high, self.low + dice.unit(self.random) * (self.high - self.low))[self.made % 3]
            reward = guest.call(self.where, "reward", worth, self.low, self.high, of=now)
            reward = guest.finite(self.where, "reward", reward)
            guest.call(self.where, "learn", memory, k, chosen, probability, reward, of=now)
            if guest.has("overhear"):
                heard = np.arange(k) % 2 == self.made % 2
                guest.call(self.where, "overhear", memory, k, heard, reward, of=now)
            self._written(now)
            if clock() >= end:
                break
        return self.made + 1

    def _now(self) -> Any:
        """The bandit as it is in this iteration."""
        if not self.guest.has("at"):
            return self.guest.thing
        now = self.guest.call(self.where, "at", 1.0 + self.made)
        if not isinstance(now, type(self.guest.own)):
            self.guest.broken(self.where, "at", f"must return a {self.guest.kind}, not a {type(now).__name__}")
        return now

    def _count(self, now: Any, draws: int) -> None:
        """Whether each action comes as often as the bandit says, from the memory as it is."""
        said = collections.defaultdict[int, list[float]](list)
        for _ in range(draws):
            chosen, probability = self._chosen(now, self.memory.copy())
            said[chosen].append(probability)
        for chosen, odds in said.items():
            count, least, most = len(odds), min(odds), max(odds)
            wrong = least if count < least * draws else most if count > most * draws else None
            if wrong is not None and far_off(count, draws, wrong) and self._asks(now, chosen, wrong):
                words = f"returns {wrong:.6g} as the probability of the action {chosen}, which it drew {count} times"
                told = f"{words} of {draws} from the same memory: what learn makes of it is wrong"
                self.guest.broken(self.where, "choose", told)

    def _asks(self, now: Any, chosen: int, probability: float) -> bool:
        """Whether it makes a difference to `learn` with which probability an action was drawn."""
        guest = self.guest
        reward = guest.call(self.where, "reward", self.high, self.low, self.high, of=now)
        sure, doubtful = self.memory.copy(), self.memory.copy()
        guest.call(self.where, "learn", sure, self.k, chosen, probability, reward, of=now)
        guest.call(self.where, "learn", doubtful, self.k, chosen, 0.5 * probability, reward, of=now)
        return not np.array_equal(sure, doubtful, equal_nan=True)

    def _chosen(self, now: Any, memory: np.ndarray) -> tuple[int, float]:
        guest, answer = self.guest, self.guest.call(self.where, "choose", memory, self.k, self.random, of=now)
        if not (isinstance(answer, tuple) and len(answer) == 2):
            guest.broken(self.where, "choose", f"must return a position and a probability, not {answer!r}")
        chosen = guest.whole(self.where, "choose", answer[0])
        if not 0 <= chosen < self.k:
            told = f"returns the position {chosen}: valid is 0 to {self.k - 1}, one of {self.k} actions"
            guest.broken(self.where, "choose", told)
        probability = guest.finite(self.where, "choose", answer[1])
        if not 0 < probability <= 1 + 1e-9:
            guest.broken(self.where, "choose", f"returns the probability {probability:g}: valid is above 0 and up to 1")
        return chosen, probability

    def _written(self, now: Any) -> None:
        """What the bandit writes into an array of exactly k numbers."""
        for verb in ("policy", "mixture", "means"):
            if self.guest.has(verb):
                out = np.full(self.k, np.nan)
                self.guest.call(self.where, verb, self.memory, self.k, out, of=now)
                if verb != "means":
                    self.guest.shares(self.where, verb, out)


# --- the same, compiled ------------------------------------------------------------------------------------------------


@kernel
def _rehearse(bandit, k, rounds, low, high, memory, out, random, trace):
    """Choose and learn; adds to trace what was chosen, and with which probability."""
    bandit.begin(memory, k, 0, out)
    for made in range(rounds):
        now = bandit.at(1.0 + made)
        chosen, probability = now.choose(memory, k, random)
        reward = now.reward(low + (made % 3) * 0.5 * (high - low), low, high)
        now.learn(memory, k, chosen, probability, reward)
        trace[0] += (made + 1) * chosen
        trace[1] += probability
    bandit.policy(memory, k, out)


def compare_bandit(bandit: Any, rounds: int = 50, seed: int = 0) -> None:
    """The same choices, interpreted and compiled, must give the same numbers."""
    for k in (2, 5):
        found = []
        for run in (_rehearse.interpreted, _rehearse):
            memory, out, trace = np.zeros(bandit.slots(k)), np.full(k, 1.0 / k), np.zeros(2)
            with np.errstate(all="ignore"):
                try:
                    run(bandit, k, rounds, -1.0, 1.0, memory, out, dice.seeded(seed, k), trace)
                except Uncompilable as error:
                    raise Broken(f"{error}") from None
            found.append(np.concatenate([memory, out, trace]))
        if not np.allclose(found[0], found[1], rtol=1e-9, atol=1e-12, equal_nan=True):
            raise Broken(unlike(type(bandit).__name__, f"{rounds} choices among {k} actions"))
