"""Ratings from matches: Elo's scale, by maximum likelihood, with draws and the advantage of playing first.

Each agent has a strength. With d = s_i - s_j + h, where h is the advantage of playing first (Davidson and Beaver 1977), a
model of draws says how likely agent i, which plays first, wins, draws and loses against j. There are two, both in draws.py:
Davidson's (1970), which is taken unless another is asked for, and that of Rao and Kupper (1967), which BayesElo uses too.

A rating is 400 / ln 10 times a strength. In Davidson's model, 400 points more are ten wins for each loss. The likelihood is
concave, so Newton's method finds its top. In Davidson's model each agent's expected score, that of playing first and the
number of draws are there what was seen. Intervals and the likelihood of superiority come from the curvature at the top (the
observed information), matches taken as independent. An agent's matches against itself tell of the advantage and of draws.

Where no finite ratings are likeliest, as for an agent that has won all its matches, each pair that met is taken to have
played PRIOR match more, half of it won from either side; `prior` of the result says how many were added. Such ratings are
finite and their intervals wide; read them as a bound.
"""

import math
import numbers
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ..errors import Invalid
from ..measure.intervals import NORMAL
from .draws import DRAW, MODELS, BradleyTerry, Model

POINTS = 400 / math.log(10)  # of Elo's scale in a natural unit
PRIOR = 1.0  # matches a pair, where the likelihood alone has no top
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
    model: str  # of draws: davidson or rao-kupper
    ties: float  # what says how many draws there are: v in Davidson's model, theta in that of Rao and Kupper
    likelihood: float  # its logarithm at the top, by which models of the same matches can be compared
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
        return MODELS[self.model].outcome(0.0, self.ties)[DRAW]

    def order(self) -> list[int]:
        """The agents, strongest first."""
        return sorted(range(len(self.names)), key=lambda i: (-self.rating[i], i))

    def outcome(self, first: int, second: int) -> tuple[float, float, float]:
        """How likely the first, which plays first, wins, draws and loses."""
        d = (self.rating[first] - self.rating[second] + self.advantage) / POINTS
        return MODELS[self.model].outcome(d, self.ties)


def rate(
    counts: Any,
    names: Sequence[str],
    *,
    anchor: tuple[str, float] | None = None,
    advantage: float | None = None,
    prior: float | None = None,
    model: str = "davidson",
) -> Ratings:
    """Rate agents by counts[i, j] = (won, drawn, lost) of agent i, which plays first, against agent j.

    The ratings' mean is 0, or the `anchor`, (name, rating), is where it is said to be. `advantage` fixes that of playing
    first; else it is found with the ratings. `prior` matches are added to each pair that met, by default only where needed.
    `model` is the model of draws: davidson or rao-kupper.
    """
    known_model(model)
    played = _valid(counts, names, anchor, advantage, prior)
    _connected(played, names)
    drawn = bool(played[:, :, DRAW].sum() > 0)
    judge: Model = MODELS[model] if drawn else BradleyTerry()
    pairs = _pairs(played, drawn, advantage)
    if advantage is None and np.linalg.matrix_rank(_demands(judge, pairs)) < pairs.part.shape[2]:
        raise Invalid(
            "the advantage of playing first cannot be told from the ratings: let agents meet from both sides, or give it"
        )
    if not prior and _separated(judge, pairs):
        if prior is not None:
            raise Invalid("no finite ratings are likeliest, as where one has won all its matches: give a prior above 0")
        prior = PRIOR
    prior = prior or 0.0
    if prior:
        pairs = _pairs(_with_prior(played, prior), drawn, advantage)
    found, height, information = _newton(judge, pairs)
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
        model,
        math.exp(found[-1]) if drawn else MODELS[model].drawless,
        height,
        matches,
        won / matches,
        prior,
    )


# --- the likelihood ------------------------------------------------------------------------------------------------


class _Pairs(NamedTuple):
    """Each (first, second) that met. The parameters are the strengths of all agents but the first, which is 0; the advantage,
    unless it is given; and the model's number for draws, if anybody drew."""

    seen: np.ndarray  # [pairs, outcomes] how often
    part: np.ndarray  # [pairs, 2, parameters] of the parameters in (d, number)
    given: np.ndarray  # [pairs] the part of d that is given


def _pairs(played: np.ndarray, drawn: bool, advantage: float | None) -> _Pairs:
    agents = len(played)
    first, second = np.nonzero(played.sum(axis=2))
    rows = np.arange(len(first))
    part = np.zeros((len(rows), 2, agents + (advantage is None) + drawn))  # the first agent's strength is cut off below
    part[rows, 0, first] += 1
    part[rows, 0, second] -= 1
    if advantage is None:
        part[:, 0, agents] = 1
    if drawn:
        part[:, 1, -1] = 1
    return _Pairs(played[first, second], part[:, :, 1:], np.full(len(first), (advantage or 0.0) / POINTS))


def _newton(model: Model, pairs: _Pairs) -> tuple[np.ndarray, float, np.ndarray]:
    """Where the likelihood is highest, its logarithm there, and the information."""
    at = np.zeros(pairs.part.shape[2])
    if pairs.part[:, 1].any():
        at[-1] = model.start
    height, slope, information = _likelihood(at, model, pairs)
    for _ in range(STEPS):
        step = np.linalg.solve(information, slope)
        if slope @ step < CLIMB * pairs.seen.sum():  # what is left to climb: one step more doubles the digits
            at = at + step
            height, _, information = _likelihood(at, model, pairs)
            return at, height, information
        while not (higher := _likelihood(at + step, model, pairs))[0] >= height:
            step = step / 2  # a whole step can go past the top, or to where the model has no meaning
        at = at + step
        height, slope, information = higher
    raise Invalid("the likelihood of these matches is too flat for ratings: give a prior above 0")


def _likelihood(at: np.ndarray, model: Model, pairs: _Pairs) -> tuple[float, np.ndarray, np.ndarray]:
    """The logarithm of the likelihood, its slope, and its curvature downwards."""
    d, number = pairs.part[:, 0] @ at + pairs.given, float(at[-1])
    logs = model.logs(d, number)
    slope = np.einsum("po,poa->pa", pairs.seen, logs.slope)
    curvature = np.einsum("po,poab->pab", pairs.seen, logs.curvature)
    return (
        float((pairs.seen * logs.height).sum()),
        np.einsum("pa,pai->i", slope, pairs.part),
        -np.einsum("pai,pab,pbj->ij", pairs.part, curvature, pairs.part),
    )


def _demands(model: Model, pairs: _Pairs) -> np.ndarray:
    """What each outcome that was seen demands of a direction in which the likelihood never falls. [rows, parameters]"""
    seen = zip(*np.nonzero(pairs.seen), strict=True)
    return np.array([np.array(way) @ pairs.part[pair] for pair, outcome in seen for way in model.rising[outcome]])


def _separated(model: Model, pairs: _Pairs) -> bool:
    """Whether there is a direction in which the likelihood rises for ever: each outcome seen is as likely there, or likelier
    (Albert and Anderson 1984). Then no finite ratings are likeliest."""
    from scipy.optimize import linprog  # slow to load

    row = _demands(model, pairs)
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
    from scipy.special import ndtr  # slow to load

    own = np.diag(covariance)
    spread = np.sqrt(np.maximum(own[:, None] + own[None, :] - 2 * covariance, 0))
    ahead = rating[:, None] - rating[None, :]
    return ndtr(np.divide(ahead, spread, out=np.zeros_like(ahead), where=spread > 0))


# --- what is given -------------------------------------------------------------------------------------------------


def known_model(model: str) -> None:
    """Raise if there is no such model of draws."""
    if model not in MODELS:
        raise Invalid(f"there is no model of draws '{model}': valid are {', '.join(MODELS)}")


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
    pair = isinstance(anchor, tuple | list) and len(anchor) == 2
    if anchor is not None and not (pair and anchor[0] in names and _finite(anchor[1])):
        told = f"{anchor[0]} at {anchor[1]}" if pair else repr(anchor)
        raise Invalid(f"the anchor is one of {', '.join(names)} with its rating, not {told}")
    for number, word in ((advantage, "an advantage is a number"), (prior, "a prior is 0 matches or more")):
        if number is not None and not _finite(number):
            raise Invalid(f"{word}, not {number}")
    if prior is not None and prior < 0:
        raise Invalid(f"a prior is 0 matches or more, not {prior:g}")
    return played


def _finite(value: Any) -> bool:
    return isinstance(value, numbers.Real) and math.isfinite(value)


def _connected(played: np.ndarray, names: Sequence[str]) -> None:
    """Agents that no chain of matches links cannot be compared."""
    from scipy.sparse.csgraph import connected_components  # slow to load

    _, group = connected_components(played.sum(axis=2) > 0, directed=False)
    if apart := [name for name, its in zip(names, group, strict=True) if its != group[0]]:
        raise Invalid(f"no chain of matches links {names[0]} and {apart[0]}, so their ratings cannot be compared")
