"""Ratings from matches: Elo's scale, by maximum likelihood, with draws and the advantage of playing first.

The model is Davidson's (1970) of paired comparisons with ties, with an advantage for those who play first (Davidson and
Beaver 1977). In natural units, with strengths s, advantage h and d = s_i - s_j + h, agent i, which plays first, against j

    wins : draws : loses  =  exp(d / 2) : v : exp(-d / 2)

so d is the logarithm of the odds of decided matches, and v / (2 + v) how often equals draw. A rating is 400 / ln 10 times a
strength: 400 points more are ten wins for each loss. The likelihood is that of an exponential family, so it is concave and
Newton's method finds its top, where each agent's expected score, that of playing first and the number of draws are what was
seen. Intervals and the likelihood of superiority come from the curvature there (the observed information), matches taken as
independent. An agent's matches against itself tell of the advantage and of draws.

Where no finite ratings are likeliest, as for an agent that has won all its matches, each pair that met is taken to have
played PRIOR match more, half of it won from either side; `prior` of the result says how many were added. Such ratings are
finite and their intervals wide; read them as a bound.
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import scipy.special

from ..errors import Invalid
from ..measure.intervals import NORMAL

POINTS = 400 / math.log(10)  # of Elo's scale in a natural unit
PRIOR = 1.0  # matches a pair, where the likelihood alone has no top
WIN, DRAW, LOSS = 0, 1, 2  # of the agent that plays first
STEPS = 200  # of Newton's method, which takes about ten
CLIMB = 1e-14  # of the likelihood's logarithm, a match
SEPARATED = 1e-7  # what a linear program's optimum must exceed to be no rounding


class Ratings(NamedTuple):
    """What the matches say of each agent, in points of Elo's scale."""

    names: tuple[str, ...]
    rating: np.ndarray  # [agents]
    covariance: np.ndarray  # [agents, agents] of the ratings as anchored
    superiority: np.ndarray  # [agents, agents] the probability that the first is the stronger of the two
    advantage: float  # of playing first
    advantage_half: float  # half the width of its 95 % interval; 0 where it was given
    ties: float  # v, the weight of a draw between equals
    matches: np.ndarray  # [agents] played against others
    score: np.ndarray  # [agents] the share won of those, draws as half
    prior: float  # matches added to each pair that met

    @property
    def half(self) -> np.ndarray:
        """Half the width of each rating's 95 % interval, given the anchor. [agents]"""
        return NORMAL * np.sqrt(np.maximum(np.diag(self.covariance), 0))

    @property
    def draws(self) -> float:
        """How often two equal agents draw."""
        return self.ties / (2 + self.ties)

    def order(self) -> list[int]:
        """The agents, strongest first."""
        return sorted(range(len(self.names)), key=lambda i: (-self.rating[i], i))

    def outcome(self, first: int, second: int) -> tuple[float, float, float]:
        """How likely the first, which plays first, wins, draws and loses."""
        d = (self.rating[first] - self.rating[second] + self.advantage) / POINTS
        weight = np.array([math.exp(d / 2), self.ties, math.exp(-d / 2)])
        won, drawn, lost = (weight / weight.sum()).tolist()
        return won, drawn, lost


def rate(
    counts: Any,
    names: Sequence[str],
    *,
    anchor: tuple[str, float] | None = None,
    advantage: float | None = None,
    prior: float | None = None,
) -> Ratings:
    """Rate agents by counts[i, j] = (won, drawn, lost) of agent i, which plays first, against agent j.

    The ratings' mean is 0, or the `anchor`, (name, rating), is where it is said to be. `advantage` fixes that of playing
    first; else it is found with the ratings. `prior` matches are added to each pair that met, by default only where needed.
    """
    played = _valid(counts, names, anchor, advantage, prior)
    _connected(played, names)
    drawn = bool(played[:, :, DRAW].sum() > 0)
    given = _features(played, drawn, advantage)
    if advantage is None and np.linalg.matrix_rank(_contrasts(*given[:2])) < given[1].shape[2]:
        raise Invalid(
            "the advantage of playing first cannot be told from the ratings: let agents meet from both sides, or give it"
        )
    if not prior and _separated(*given[:2]):
        if prior is not None:
            raise Invalid("no finite ratings are likeliest, as where one has won all its matches: give a prior above 0")
        prior = PRIOR
    prior = prior or 0.0
    if prior:
        given = _features(_with_prior(played, prior), drawn, advantage)
    found, information = _newton(*given)
    agents = len(names)
    covariance = np.linalg.inv(information)
    anchored = _anchoring(agents, len(found), names, anchor)
    rating = POINTS * anchored @ found + (anchor[1] if anchor else 0.0)
    spread = POINTS**2 * anchored @ covariance @ anchored.T
    h = agents - 1  # where the advantage stands, if it is found
    others = played * (1 - np.eye(agents))[:, :, None]
    matches = others.sum(axis=(1, 2)) + others.sum(axis=(0, 2))
    won = (others @ [1, 0.5, 0]).sum(axis=1) + (others @ [0, 0.5, 1]).sum(axis=0)
    return Ratings(
        tuple(names),
        rating,
        spread,
        _superiority(rating, spread),
        POINTS * float(found[h]) if advantage is None else float(advantage),
        NORMAL * POINTS * math.sqrt(covariance[h, h]) if advantage is None else 0.0,
        math.exp(found[-1]) if drawn else 0.0,
        matches,
        won / matches,
        prior,
    )


# --- the likelihood ------------------------------------------------------------------------------------------------


def _features(played: np.ndarray, drawn: bool, advantage: float | None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """For each (first, second) that met: how often each outcome was seen [pairs, outcomes], the parameters' part in the
    logarithm of its weight [pairs, outcomes, parameters], and the part that is given [pairs, outcomes].

    Parameters: the strengths of all agents but the first, which is 0; the advantage, unless given; ln v, if anybody drew."""
    agents = len(played)
    first, second = np.nonzero(played.sum(axis=2))
    sides = np.array([0.5, 0.0, -0.5])
    tilt = np.zeros((len(first), agents))  # d as a function of the strengths
    np.add.at(tilt, (np.arange(len(first)), first), 1)
    np.add.at(tilt, (np.arange(len(first)), second), -1)
    columns = [tilt[:, None, 1:] * sides[:, None]]
    if advantage is None:
        columns.append(np.broadcast_to(sides[:, None], (len(first), 3, 1)))
    if drawn:
        columns.append(np.broadcast_to(np.array([0.0, 1.0, 0.0])[:, None], (len(first), 3, 1)))
    feature = np.concatenate(columns, axis=2)
    fixed = np.broadcast_to((advantage or 0.0) / POINTS * sides, (len(first), 3))
    kept = [WIN, DRAW, LOSS] if drawn else [WIN, LOSS]  # without draws v = 0 is likeliest
    return played[first, second][:, kept], feature[:, kept], fixed[:, kept]


def _newton(seen: np.ndarray, feature: np.ndarray, fixed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Where the likelihood is highest, and the information there."""
    at = np.zeros(feature.shape[2])
    height, slope, information = _likelihood(at, seen, feature, fixed)
    for _ in range(STEPS):
        step = np.linalg.solve(information, slope)
        if slope @ step < CLIMB * seen.sum():  # what is left to climb: one step more doubles the digits
            at = at + step
            return at, _likelihood(at, seen, feature, fixed)[2]
        while (higher := _likelihood(at + step, seen, feature, fixed))[0] < height:
            step = step / 2  # a whole step can go past the top
        at = at + step
        height, slope, information = higher
    raise Invalid("the likelihood of these matches is too flat for ratings: give a prior above 0")


def _likelihood(at, seen, feature, fixed) -> tuple[float, np.ndarray, np.ndarray]:
    """The logarithm of the likelihood, its slope, and its curvature downwards."""
    weight = feature @ at + fixed
    share = weight - scipy.special.logsumexp(weight, axis=1, keepdims=True)
    height, share = float((seen * share).sum()), np.exp(share)
    off = feature - (share[:, :, None] * feature).sum(axis=1, keepdims=True)
    met = seen.sum(axis=1)
    return (
        height,
        (seen[:, :, None] * off).sum(axis=(0, 1)),
        np.einsum("p,po,poa,pob->ab", met, share, off, off),
    )


def _contrasts(seen: np.ndarray, feature: np.ndarray) -> np.ndarray:
    """What speaks for each outcome that was seen and against each other one. [rows, parameters]"""
    pair, outcome = np.nonzero(seen)
    return (feature[pair, outcome][:, None] - feature[pair]).reshape(-1, feature.shape[2])


def _separated(seen: np.ndarray, feature: np.ndarray) -> bool:
    """Whether there is a direction in which the likelihood rises for ever: each outcome seen is as likely as any other there,
    or likelier (Albert and Anderson 1984). Then no finite ratings are likeliest."""
    from scipy.optimize import linprog  # slow to load

    row = _contrasts(seen, feature)
    found = linprog(-row.sum(axis=0), A_ub=-row, b_ub=np.zeros(len(row)), bounds=(-1, 1))
    return bool(-found.fun > SEPARATED)


def _with_prior(played: np.ndarray, prior: float) -> np.ndarray:
    """A pair that met has so many matches more: the same from either side, half won and half lost."""
    met = played.sum(axis=2) > 0
    met = (met | met.T) & ~np.eye(len(played), dtype=bool)
    more = played.copy()
    more[met] += np.array([prior / 4, 0, prior / 4])
    return more


# --- the scale -----------------------------------------------------------------------------------------------------


def _anchoring(agents: int, parameters: int, names: Sequence[str], anchor: tuple[str, float] | None) -> np.ndarray:
    """Ratings as a function of the parameters, before the anchor's own is added. [agents, parameters]"""
    strength = np.vstack([np.zeros(agents - 1), np.eye(agents - 1)])
    zero = strength.mean(axis=0) if anchor is None else strength[list(names).index(anchor[0])]
    return np.hstack([strength - zero, np.zeros((agents, parameters - agents + 1))])


def _superiority(rating: np.ndarray, covariance: np.ndarray) -> np.ndarray:
    own = np.diag(covariance)
    spread = np.sqrt(np.maximum(own[:, None] + own[None, :] - 2 * covariance, 0))
    ahead = rating[:, None] - rating[None, :]
    return scipy.special.ndtr(np.divide(ahead, spread, out=np.zeros_like(ahead), where=spread > 0))


# --- what is given -------------------------------------------------------------------------------------------------


def _valid(counts, names, anchor, advantage, prior) -> np.ndarray:
    try:
        played = np.array(counts, float)
    except (TypeError, ValueError):
        raise Invalid("counts of matches are numbers: [first agent, second agent, (won, drawn, lost)]") from None
    if len(names) < 2:
        raise Invalid(f"ratings compare two agents or more, not {len(names)}")
    if twice := [name for name in names if list(names).count(name) > 1]:
        raise Invalid(f"two agents are called {twice[0]}: give each a name of its own")
    if played.shape != (len(names), len(names), 3):
        wanted = f"({len(names)}, {len(names)}, 3)"
        raise Invalid(f"the counts of {len(names)} agents have shape {wanted}, not {played.shape}")
    if not (np.isfinite(played).all() and (played >= 0).all()):
        raise Invalid("counts of matches are 0 or more")
    if anchor is not None and (anchor[0] not in names or not math.isfinite(anchor[1])):
        raise Invalid(f"the anchor is one of {', '.join(names)} with its rating, not {anchor[0]} at {anchor[1]}")
    for number, word in ((advantage, "an advantage is a number"), (prior, "a prior is 0 matches or more")):
        if number is not None and not math.isfinite(number):
            raise Invalid(f"{word}, not {number}")
    if prior is not None and prior < 0:
        raise Invalid(f"a prior is 0 matches or more, not {prior:g}")
    return played


def _connected(played: np.ndarray, names: Sequence[str]) -> None:
    """Agents that no chain of matches links cannot be compared."""
    met = played.sum(axis=2) > 0
    met |= met.T
    linked, grown = {0}, {0}
    while grown:
        grown = {int(j) for i in grown for j in np.flatnonzero(met[i])} - linked
        linked |= grown
    if apart := [name for i, name in enumerate(names) if i not in linked]:
        raise Invalid(f"no chain of matches links {names[0]} and {apart[0]}, so their ratings cannot be compared")
