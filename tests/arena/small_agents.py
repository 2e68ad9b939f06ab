"""Agents of a user's own, for the tests of the arena."""

import contextlib
import pathlib
import time
from typing import NamedTuple

from fogtree.errors import Invalid


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
    """Adds a line to a file of a folder whenever it is asked; `Searching` says that it compiles the game. A file that its
    name tells would belong to what stored matches rest on."""

    def __init__(self, folder, seconds=0.0):
        self.folder, self.seconds = pathlib.Path(folder), seconds

    def act(self, sight):
        time.sleep(float(self.seconds))
        self.folder.mkdir(exist_ok=True)
        with open(self.folder / "asked", "a") as file:
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


class Hangs:
    """Never answers: it computes, or it sleeps and catches all that a program should catch. It plays the first moves."""

    def __init__(self, sleeping=False, moves=0):
        self.sleeping, self.left = sleeping, moves

    def act(self, sight):
        while self.left <= 0:
            with contextlib.suppress(Exception):
                time.sleep(60.0 if self.sleeping else 0.0)
        self.left -= 1
        return sight.actions[0]


class Errs:
    """Raises one of Fogtree's own errors in a method of choice."""

    def __init__(self, where="act"):
        self.where = where

    def _err(self, here):
        if self.where == here:
            raise Invalid("no such thing")

    def fresh(self):
        self._err("fresh")
        return self

    def follow(self, sight, action):
        self._err("follow")

    def act(self, sight):
        self._err("act")
        return sight.actions[0]
