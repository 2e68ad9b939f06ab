"""How exploitable a player is whose strategy exists only through its runs (Šustr et al. 2021).

What the opponents of a search meet is not one of its runs but the mean over all its random numbers. So the realization plans
of many seeds are averaged, and three numbers are told, each a total over both players:

    high    the exploitability of the average. With few seeds it is too high: a best response answers the noise as well
    low     the seeds are split into two halves; a best response to the one half is evaluated against the other, and the
            other way round. It is too low in expectation, for nothing does better against the true average than a best
            response to it. Each half weighs what it has seeds, so that it is never above `high`
    own     the mean of the seeds' own exploitabilities: what an opponent gains who knows the seed. It is never below `high`

`Halves` gathers plans, and holds sums alone, so that pieces of a run can be added up.
"""

import base64
import zlib
from typing import Any, NamedTuple

import numpy as np

from ..errors import Invalid
from ..game import identity
from ..solvers.forms.infosets import planned
from ..solvers.forms.response import answer_value, best_answer, value_of
from ..text.naming import name
from .intervals import student_half


class Halves:
    """The sums of the plans of two halves of the seeds, for both players, and the seeds' own exploitabilities."""

    def __init__(self, form: Any):
        self.form = form
        self.plan = [[np.zeros(int(tree.sequences())) for tree in form.trees] for _ in range(2)]  # [half][player]
        self.count = [0, 0]  # [half] seeds
        self.own: list[float] = []

    def add(self, number: int, first: np.ndarray, second: np.ndarray) -> None:
        """The probabilities by sequence of both players, of the seed of this number."""
        half, form = number % 2, self.form
        plans = planned(form.trees[0], first), planned(form.trees[1], second)
        for player in (0, 1):
            self.plan[half][player] += plans[player]
        self.count[half] += 1
        self.own.append(answer_value(form, plans[1], 0) + answer_value(form, plans[0], 1))

    def packed(self) -> dict[str, Any]:
        """As a text that the run store keeps."""
        plans = [[_text(plan) for plan in half] for half in self.plan]
        return {"plans": plans, "count": self.count, "own": self.own}

    def unpack(self, stored: dict[str, Any]) -> "Halves":
        """Add what was stored."""
        for half in (0, 1):
            for player in (0, 1):
                self.plan[half][player] += _array(stored["plans"][half][player])
            self.count[half] += stored["count"][half]
        self.own += stored["own"]
        return self

    def average(self, player: int) -> np.ndarray:
        """The plan that opponents meet."""
        return (self.plan[0][player] + self.plan[1][player]) / max(1, sum(self.count))

    def high(self) -> float:
        return answer_value(self.form, self.average(1), 0) + answer_value(self.form, self.average(0), 1)

    def low(self) -> float:
        """NaN with fewer than two seeds."""
        if not all(self.count):
            return float("nan")
        halves = [[plan / count for plan in half] for half, count in zip(self.plan, self.count, strict=True)]
        answered = [self._answered(halves[1 - met], halves[met]) for met in (0, 1)]
        return float(np.average(answered, weights=self.count))

    def _answered(self, known: list[np.ndarray], met: list[np.ndarray]) -> float:
        """What best responses to the plans `known` get against the plans `met`, both players together."""
        form, total = self.form, 0.0
        for player in (0, 1):
            best, _ = best_answer(form, known[1 - player], player)
            chosen = np.zeros(int(form.trees[player].sequences()))
            chosen[best] = 1.0
            answer = planned(form.trees[player], chosen)
            total += value_of(form, answer, met[1]) if player == 0 else -value_of(form, met[0], answer)
        return total


class Sound(NamedTuple):
    """How exploitable an agent is, as it plays, with one budget."""

    agent: str  # its text, budget included
    budget: float  # iterations or seconds a move; NaN where it has none
    seeds: int
    low: float
    high: float
    own: float
    half: float  # of the 95 % interval of `own`
    thoughts: int  # searches in all
    seconds: float  # of a search, in the mean
    halves: Halves
    device: str = "cpu"

    def meets(self, other: "Sound") -> float:
        """What it gets against another agent, as the mean over both seats: exact for the averages of the seeds."""
        form = self.halves.form
        if identity(form.game) != identity(other.halves.form.game):
            games = f"{name(form.game)} and {name(other.halves.form.game)}"
            raise Invalid(f"agents meet in one game, and these were measured in {games}")
        first = value_of(form, self.halves.average(0), other.halves.average(1))
        second = value_of(form, other.halves.average(0), self.halves.average(1))
        return (first - second) / 2


def told(agent: str, budget: float, halves: Halves, thoughts: int, seconds: float, device: str) -> Sound:
    """The numbers of what was gathered. The truth is never negative, so none of them is: neither by noise nor by rounding."""
    own = float(np.mean(halves.own)) if halves.own else float("nan")
    half = student_half(halves.own) if len(halves.own) > 1 else float("inf")
    each = seconds / thoughts if thoughts else 0.0
    low, high, own = (float(np.maximum(0.0, value)) for value in (halves.low(), halves.high(), own))  # NaN stays NaN
    return Sound(agent, budget, sum(halves.count), low, high, own, half, thoughts, each, halves, device)


def _text(plan: np.ndarray) -> str:
    return base64.b64encode(zlib.compress(plan.astype(np.float64).tobytes(), 6)).decode()


def _array(text: str) -> np.ndarray:
    return np.frombuffer(zlib.decompress(base64.b64decode(text)), np.float64)
