"""How far the weights move along a gradient.

    Plain       w += step * g
    Adaptive    w += step * g / sqrt(sum of all g^2 so far)     each weight by its own sum (AdaGrad, Duchi and others 2011)

A linear evaluation of chess has features that every position has and features that come once in a hundred games. With one
step for all, the rare ones learn too slowly or the common ones explode. Divided by the root of the sum of its own squared
gradients, each weight moves by about `step` at first, and by less the more it has been taught, so that the weights settle.
"""

from typing import NamedTuple

import numpy as np

TINY = 1e-12  # so that a weight without any gradient stays where it is


class Plain(NamedTuple):
    """One step for all weights."""

    def memory(self, size: int) -> np.ndarray:
        """What is kept between moves: nothing."""
        return np.zeros(0)

    def change(self, gradient: np.ndarray, step: float, memory: np.ndarray) -> np.ndarray:
        """How the weights change."""
        return step * gradient


class Adaptive(NamedTuple):
    """Each weight by the size of its own gradients so far."""

    def memory(self, size: int) -> np.ndarray:
        """The sums of squares."""
        return np.zeros(size)

    def change(self, gradient: np.ndarray, step: float, memory: np.ndarray) -> np.ndarray:
        """How the weights change; the memory is brought up to date."""
        memory += gradient * gradient
        return step * gradient / np.sqrt(memory + TINY)
