"""Random zero-sum games, each from its seed, in the spirit of GAMUT (Nudelman et al. 2004), without its Java.

GAMUT draws games of many kinds, most of them not zero-sum. Here are those that are, or that have a zero-sum sister:

    uniform      payoffs drawn evenly from an interval, whole or real (its RandomZeroSum)
    covariant    payoffs of both players normal with correlation -1: the zero-sum end of its CovariantGame
    dispersion   one player wants to be where the other is not, the other to meet; a place is worth what was drawn for it (in
                 its DispersionGame both want to be apart)
    travelling   both name a claim; the lower one wins the margin, which was drawn for each pair of claims (its
                 TravelersDilemma, each player's payoff less the other's)
    rounds       payoffs as uniform, in several rounds of hidden choices

`Talking` draws games of private signals and public words (`talk.py`). They have no name as a text, for they are long.

    Uniform(rows=4, columns=5, seed=3).game()      load("random/uniform:rows=4,columns=5,seed=3")

The draws are NumPy's PCG64, so a seed is the same game everywhere.
"""

from typing import Any, NamedTuple

import numpy as np

from ..errors import Invalid
from ..text.parameters import accepts, build, real
from .matrix import MatrixGame
from .rounds import Rounds
from .talk import Talk

SIZE, SEED, PAYOFF = range(1, 1025), range(0, 2**63), real(-1e9, 1e9)
MOST = 1_000_000  # payoffs of one game


def _drawn(family, shape) -> np.ndarray:
    """Numbers from the interval of a family, by its seed."""
    random = np.random.default_rng(family.seed)
    if family.whole:
        low, high = int(np.ceil(family.low)), int(np.floor(family.high))
        return random.integers(low, high, shape, endpoint=True).astype(np.float64)
    return random.uniform(family.low, family.high, shape)


def _empty(family) -> str:
    """What is wrong with the interval of a family: there is nothing in it."""
    low, high, whole = family.low, family.high, family.whole
    if low > high or (whole and np.ceil(low) > np.floor(high)):
        return f"there is no {'whole ' if whole else ''}number from {low:g} to {high:g}"
    return ""


@accepts(rows=SIZE, columns=SIZE, low=PAYOFF, high=PAYOFF, seed=SEED)
class Uniform(NamedTuple):
    rows: int = 4
    columns: int = 4
    low: float = -8.0
    high: float = 8.0
    whole: bool = True
    seed: int = 0

    def problem(self):
        return _empty(self)

    def game(self) -> MatrixGame:
        return MatrixGame(_drawn(self, (self.rows, self.columns)))


@accepts(rows=SIZE, columns=SIZE, deviation=real(0, 1e9, open_low=True), seed=SEED)
class Covariant(NamedTuple):
    rows: int = 4
    columns: int = 4
    deviation: float = 1.0
    seed: int = 0

    def game(self) -> MatrixGame:
        random = np.random.default_rng(self.seed)
        return MatrixGame(random.normal(0.0, self.deviation, (self.rows, self.columns)))


@accepts(places=range(2, 1025), low=PAYOFF, high=PAYOFF, seed=SEED)
class Dispersion(NamedTuple):
    places: int = 4
    low: float = 1.0
    high: float = 8.0
    whole: bool = True
    seed: int = 0

    def problem(self):
        return _empty(self)

    def game(self) -> MatrixGame:
        """Player 1 seeks player 0 and takes what the place is worth."""
        return MatrixGame(-np.diag(_drawn(self, self.places)))


@accepts(claims=range(2, 1025), low=PAYOFF, high=PAYOFF, seed=SEED)
class Travelling(NamedTuple):
    claims: int = 4
    low: float = 1.0
    high: float = 4.0
    whole: bool = True
    seed: int = 0

    def problem(self):
        return _empty(self)

    def game(self) -> MatrixGame:
        margin = np.triu(_drawn(self, (self.claims, self.claims)), 1)
        return MatrixGame(margin - margin.T)


@accepts(rounds=range(1, 6), rows=range(2, 65), columns=range(2, 65), low=PAYOFF, high=PAYOFF, seed=SEED)
class Sequential(NamedTuple):
    rounds: int = 2
    rows: int = 2
    columns: int = 2
    low: float = -8.0
    high: float = 8.0
    whole: bool = True
    seed: int = 0

    def problem(self):
        if max(self.rows, self.columns) ** self.rounds > SIZE[-1]:
            return f"{max(self.rows, self.columns)} actions in {self.rounds} rounds make more than {SIZE[-1]} plans"
        return _empty(self)

    def game(self) -> Rounds:
        size = (self.rows**self.rounds, self.columns**self.rounds)
        return Rounds(_drawn(self, size), self.rounds, self.rows, self.columns)


@accepts(signals=range(1, 33), turns=range(1, 9), words=range(2, 17), low=PAYOFF, high=PAYOFF, seed=SEED)
class Talking(NamedTuple):
    signals: int = 3
    turns: int = 3
    words: int = 2
    low: float = -8.0
    high: float = 8.0
    whole: bool = True
    seed: int = 0

    def problem(self):
        courses = self.signals**2 * self.words**self.turns
        return f"{courses:,} payoffs are more than {MOST:,}" if courses > MOST else _empty(self)

    def game(self) -> Talk:
        payoffs = _drawn(self, (self.signals, self.signals, self.words**self.turns))
        chances = np.random.default_rng([self.seed, 1]).dirichlet(np.ones(self.signals**2))
        return Talk(payoffs, chances.reshape(self.signals, self.signals), self.words, self.turns)


GENERATORS: dict[str, Any] = {
    "uniform": Uniform,
    "covariant": Covariant,
    "dispersion": Dispersion,
    "travelling": Travelling,
    "rounds": Sequential,
}


def load_generator(text: str) -> Any:
    """The generator that a text like `uniform:rows=4,seed=3` names."""
    known, _, parameters = text.strip().partition(":")
    if known not in GENERATORS:
        raise Invalid(f"there are no random games called '{known}': valid are {', '.join(GENERATORS)}")
    return build(GENERATORS[known], parameters, f"random/{known}")


def load_random(text: str) -> Any:
    """The game that a text like `random/uniform:seed=3` names."""
    return load_generator(text.removeprefix("random/")).game()
