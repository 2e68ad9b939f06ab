"""Agents of a user's own, for the tests of the arena."""

import time
from typing import NamedTuple


class Says(NamedTuple):
    """Always the same action."""

    what: int = 0

    def act(self, sight):
        return self.what


class Fails:
    """Plays nothing that is legal."""

    def act(self, sight):
        return 99


class Counting:
    """Remembers what it was given, and how often it was asked."""

    def __init__(self, step, note="none", *, seed=5):
        self.step, self.note, self.seed, self.asked = step, note, seed, 0

    def fits(self, game):
        if game.shape().players != 2:
            raise ValueError("two only")

    def act(self, sight):
        self.asked += self.step
        return sight.actions[self.asked % len(sight.actions)]


class Noted:
    """Adds a line to a file whenever it is asked; `Searching` says that it compiles the game."""

    def __init__(self, file, seconds=0.0):
        self.file, self.seconds = file, seconds

    def act(self, sight):
        time.sleep(float(self.seconds))
        with open(self.file, "a") as file:
            file.write("asked\n")
        return sight.actions[0]


class Searching(Noted):
    compiles = True


class Picky:
    """Cannot be made."""

    def __init__(self, size=1):
        raise ValueError(f"size {size} will not do")

    def act(self, sight):
        return 0


class FirstAction(NamedTuple):
    """A bandit: always the first action."""

    c: float = 1.0

    def slots(self, k):
        return k

    def reward(self, payoff, low, high):
        return payoff

    def choose(self, memory, k, random):
        return 0, 1.0

    def learn(self, memory, k, chosen, probability, reward):
        memory[chosen] += 1.0

    def policy(self, memory, k, out):
        for i in range(k):
            out[i] = 1.0 if i == 0 else 0.0
