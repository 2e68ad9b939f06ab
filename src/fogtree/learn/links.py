"""How an error is measured: in the unit of the evaluation, or in that of expected results.

A link maps an evaluation to the result that it expects, `of(value)`. The error of an evaluation H that should be V is
of(V) - of(H), and learning moves the weights along error * phi. This goes down the slope of a loss: of the square
(V - H)^2 / 2 for `Straight`, and for `Squashed` of the loss that fits it, log cosh(sharp H) / sharp - of(V) H.

With `Straight` an evaluation that says 0.6 where a mate was found is as wrong as one that says 0 where the value is 0.4. So
mates, of which a tree has many, make the weights grow until most evaluations lie beyond the payoffs, where the search can no
longer tell them apart. `Squashed` expects a win long before the evaluation is 1, so mates teach little where a position was
thought won anyway. The search itself needs no link, for one that only rises does not change its choices.
"""

from typing import NamedTuple

import numpy as np


class Straight(NamedTuple):
    """The evaluation is the expected result."""

    def of(self, value):
        return value


class Squashed(NamedTuple):
    """The expected result is tanh(sharp * evaluation)."""

    sharp: float = 4.0

    def of(self, value):
        return np.tanh(self.sharp * value)
