"""Two models of draws: what the difference of two strengths says about wins, draws and losses.

With d the first agent's strength minus the second's, the advantage of playing first included, and s(x) = 1 / (1 + exp(-x)):

    Davidson (1970)         wins : draws : loses  =  exp(d / 2) : v : exp(-d / 2)
    Rao and Kupper (1967)   wins s(d - t), loses s(-d - t), draws otherwise = (exp(2 t) - 1) s(d - t) s(-d - t)

In Davidson's model the odds of decided matches are exp(d), however many draws there are. In that of Rao and Kupper a match is
drawn if the difference of the performances is below a threshold t, as in BayesElo, where `drawelo` is the threshold in points
of Elo's scale; the odds of decided matches are then higher than exp(d), up to exp(2 d) where almost all matches are drawn.
Without draws both are the model of Bradley and Terry (1952).

Each model is a concave log likelihood in d and one number that stands for draws: ln v, or t. `logs` gives, for each pair,
the logarithms of the three probabilities, their slopes and their curvatures in those two numbers. `rising` says in which
directions the likelihood of an outcome never falls: where a times the change of d plus b times the change of the number is 0
or more, for each of its rows (a, b). A finite top exists only if no direction is such for all outcomes that were seen.
"""

import math
from typing import NamedTuple

import numpy as np

WIN, DRAW, LOSS = 0, 1, 2  # of the agent that plays first


class Logs(NamedTuple):
    """The logarithms of the probabilities of the outcomes, by pair."""

    height: np.ndarray  # [pairs, outcomes]
    slope: np.ndarray  # [pairs, outcomes, 2]
    curvature: np.ndarray  # [pairs, outcomes, 2, 2]


Rows = tuple[list[tuple[float, float]], ...]  # by outcome


class Davidson:
    """The weight of a draw is v, which is `ties`; the number is ln v."""

    start, drawless = 0.0, 0.0  # where the search for the number starts, and `ties` if nobody drew
    rising: Rows = ([(0.5, -1.0), (1.0, 0.0)], [(-0.5, 1.0), (0.5, 1.0)], [(-0.5, -1.0), (-1.0, 0.0)])

    def logs(self, d: np.ndarray, number: float) -> Logs:
        part = np.array([[0.5, 0.0], [0.0, 1.0], [-0.5, 0.0]])  # of (d, ln v) in the logarithm of each outcome's weight
        weight = np.stack([0.5 * d, np.full(len(d), number), -0.5 * d], axis=1)
        height = weight - np.logaddexp.reduce(weight, axis=1, keepdims=True)
        share = np.exp(height)
        off = part - (share @ part)[:, None, :]
        curvature = -np.einsum("po,poa,pob->pab", share, off, off)
        return Logs(height, off, np.repeat(curvature[:, None], 3, axis=1))

    def outcome(self, d: float, ties: float) -> tuple[float, float, float]:
        weight = np.array([math.exp(d / 2), ties, math.exp(-d / 2)])
        won, drawn, lost = (weight / weight.sum()).tolist()
        return won, drawn, lost


class RaoKupper:
    """A match is drawn where the difference of the performances is below a threshold t; `ties` is theta = exp(t)."""

    start, drawless = 0.5, 1.0
    rising: Rows = ([(1.0, -1.0)], [(-1.0, 1.0), (1.0, 1.0)], [(-1.0, -1.0)])

    def logs(self, d: np.ndarray, number: float) -> Logs:
        height, slope, curvature = logs = _decided(d, number, 1.0)
        ahead = math.expm1(2 * number) if number > 0 else math.nan  # no threshold below 0 is valid
        height[:, DRAW] = height[:, WIN] + height[:, LOSS] + math.log(ahead)
        slope[:, DRAW] = slope[:, WIN] + slope[:, LOSS] + np.array([0.0, 2 + 2 / ahead])
        curvature[:, DRAW] = curvature[:, WIN] + curvature[:, LOSS]
        curvature[:, DRAW, 1, 1] -= 4 * (ahead + 1) / ahead**2
        return logs

    def outcome(self, d: float, ties: float) -> tuple[float, float, float]:
        from scipy.special import expit  # not on top: SciPy is slow to load

        threshold = math.log(ties)
        won, lost = float(expit(d - threshold)), float(expit(-d - threshold))
        return won, 1 - won - lost, lost


class BradleyTerry:
    """Nobody drew: wins s(d), loses s(-d). The number plays no part."""

    start = 0.0
    rising: Rows = ([(1.0, 0.0)], [], [(-1.0, 0.0)])

    def logs(self, d: np.ndarray, number: float) -> Logs:
        return _decided(d, number, 0.0)


def _decided(d: np.ndarray, number: float, part: float) -> Logs:
    """Of wins, ln s(d - t), and of losses, ln s(-d - t), where t is a part of the number; what stands for draws is 0."""
    from scipy.special import expit, log_expit  # not on top: SciPy is slow to load

    logs = Logs(np.zeros((len(d), 3)), np.zeros((len(d), 3, 2)), np.zeros((len(d), 3, 2, 2)))
    for outcome, side in ((WIN, 1.0), (LOSS, -1.0)):
        way, above = np.array([side, -part]), side * d - part * number
        lost = expit(-above)
        logs.height[:, outcome] = log_expit(above)
        logs.slope[:, outcome] = lost[:, None] * way
        logs.curvature[:, outcome] = -(lost * (1 - lost))[:, None, None] * np.outer(way, way)
    return logs


Model = Davidson | RaoKupper | BradleyTerry
MODELS: dict[str, Davidson | RaoKupper] = {"davidson": Davidson(), "rao-kupper": RaoKupper()}
