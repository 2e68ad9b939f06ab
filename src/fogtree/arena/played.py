"""The strategy that an agent really plays, and its exploitability.

An agent with a `plan` plays a fixed strategy, and its exploitability is exact. A search has no fixed strategy: at each move
it searches again, from what its player believes there, with new random numbers. What it plays at an information set is the
mean over all those random numbers. So that is judged here. The agent's own code is run several times at every information
set of the game (`mix`), after it was told which moves its player has made before (`follow`). The mean of the mixes is the
strategy whose exploitability is computed.

It is an estimate. Its interval comes from leaving out one of the runs at a time. Noise makes a strategy look worse than it
is, because a best response exploits the noise too. So the estimate is more often too high than too low, and with more runs
it falls to the true value.

If the estimate would take minutes, none is made.
"""

import functools
import math
from typing import Any, NamedTuple

import numpy as np

from ..errors import Invalid
from ..game import CHANCE, OVER, legal, new_state
from ..measure.everywhere import written
from ..measure.exploitability import exploitability
from ..measure.intervals import jackknife_half
from ..policy import as_policy
from ..solvers.forms.sequence import SequenceForm
from ..strategy import Strategy
from ..trouble import require_fine
from .agents import load_agent, require_fit
from .sight import Sight, sight

RUNS = 8  # at each information set, where there is time
FEWEST_RUNS = 2  # without which nothing is known of the noise
HISTORIES = 200_000  # in a game that is walked through in Python
SEARCHES = 10_000  # in all
ITERATIONS = 10_000_000  # of all these searches together
SECONDS = 20.0  # of them, where a move's budget is in seconds
JUDGING = 2**31  # the part of a seed from which the judged agents draw, far from the numbers of matches


class Judged(NamedTuple):
    """How exploitable an agent is, as it plays."""

    total: float  # the sum of both players' gains; NaN where it is not known
    half: float = 0.0  # half the width of the 95 % interval; 0 where the total is exact
    runs: int = 0  # of the agent at each information set; 0 where its strategy is written down
    why: str = ""  # why it is not known


class Decision(NamedTuple):
    """An information set, by a state of it."""

    state: np.ndarray
    sight: Sight
    before: tuple[int, int] | None  # the last decision of the same player, by its number, and the action taken there


def judge(form: SequenceForm, name: str, *, seed: int = 0) -> Judged:
    """The exploitability of the agent that a text names, both players played by it."""
    game, agent = form.game, load_agent(name, seed)
    require_fit(agent, game)
    plan = agent.plan(game) if hasattr(agent, "plan") else None
    if isinstance(plan, Strategy):
        return Judged(exploitability(form, plan).total)
    if plan is None and not hasattr(agent, "mix"):
        return Judged(math.nan, why="it does not tell how it mixes")
    if form.histories > HISTORIES:
        return Judged(math.nan, why=f"the game has more than {HISTORIES:,} histories")
    if plan is not None:
        return Judged(exploitability(form, tabulated(game, plan)).total)
    choices = sum(len(decision.sight.actions) > 1 for decision in _decisions(game))
    runs = _affordable(agent, choices)
    if runs < FEWEST_RUNS:
        return Judged(math.nan, why=f"to search at all {choices:,} information sets takes too long")
    mixes = [run_everywhere(game, load_agent(name, seed, JUDGING, run)) for run in range(runs)]
    total = exploitability(form, _mean(game, mixes)).total
    without = [_mean(game, mixes[:run] + mixes[run + 1 :]) for run in range(runs)]
    return Judged(total, jackknife_half([exploitability(form, plan).total for plan in without]), runs)


def run_everywhere(game: Any, agent: Any) -> list[dict[int, float]]:
    """The agent's mix at each decision of the game, from one run of it there."""
    known = _decisions(game)
    return [_mix_at(known, decision, agent) for decision in known]


def _mix_at(known: list[Decision], decision: Decision, agent: Any) -> dict[int, float]:
    if len(decision.sight.actions) == 1:
        return {decision.sight.actions[0]: 1.0}
    course, step = [], decision.before
    while step is not None:  # back to the player's first decision
        course.append((known[step[0]].sight, step[1]))
        step = known[step[0]].before
    if hasattr(agent, "fresh"):
        agent.fresh()
    for seen, action in reversed(course):
        agent.follow(seen, action)
    return agent.mix(decision.sight)


def tabulated(game: Any, plays: Any) -> Strategy:
    """A policy written down as a strategy."""
    policy, shape = as_policy(game, plays), game.shape()
    choice, odds, mixes = np.zeros(shape.actions, np.int64), np.zeros(shape.actions), []
    with np.errstate(over="ignore"):
        for decision in _decisions(game):
            count = int(policy.weigh(game, decision.state, decision.sight.player, choice, odds))
            require_fine(count, game, "the policy")
            mixes.append(dict(zip(choice[:count].tolist(), odds[:count].tolist(), strict=True)))
    return _mean(game, [mixes])


def _mean(game: Any, mixes: list[list[dict[int, float]]]) -> Strategy:
    """The mean of what several runs would play at each decision."""
    known = _decisions(game)
    share = np.zeros((len(known), game.shape().actions))
    for i, (decision, *seen) in enumerate(zip(known, *mixes, strict=True)):
        for a, action in enumerate(decision.sight.actions):
            share[i, a] = sum(mix.get(action, 0.0) for mix in seen) / len(seen)
    players, views = ([getattr(decision.sight, field) for decision in known] for field in ("player", "view"))
    return written(game, players, views, [decision.sight.actions for decision in known], share)


def _affordable(agent: Any, choices: int) -> int:
    """How often the agent can be run at so many information sets."""
    most = min(RUNS, SEARCHES // max(choices, 1))
    if hasattr(agent, "budget"):
        spend = agent.budget()
        if math.isfinite(spend.iterations):
            return min(most, int(ITERATIONS // max(1, choices * spend.iterations)))
        return min(most, int(SECONDS // max(1e-9, choices * spend.seconds)))
    return most


def _decisions(game: Any) -> list[Decision]:
    """Every information set of a game, each after those that come before it."""
    return _walked(_Same(game))


class _Same:
    """A game as a key of a cache, by what it is and not by how it compares: parameters may be arrays."""

    def __init__(self, game: Any):
        self.game = game

    def __hash__(self) -> int:
        return id(self.game)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.game is other.game


@functools.lru_cache(maxsize=1)
def _walked(same: _Same) -> list[Decision]:
    game = same.game
    shape, found, number = game.shape(), list[Decision](), dict[tuple[int, int], int]()
    with np.errstate(over="ignore"):
        waiting: list[Any] = [(new_state(game), (None,) * shape.players)]
        for _ in range(HISTORIES + 1):
            if not waiting:
                return found
            state, before = waiting.pop()
            player = int(game.player(state))
            if player == OVER:
                continue
            after: Any = dict.fromkeys(legal(game, state), before)
            if player != CHANCE:
                key = (player, int(game.view(state, player)))
                if key not in number:
                    number[key] = len(found)
                    found.append(Decision(state, sight(game, state, player), before[player]))
                after = {action: (*before[:player], (number[key], action), *before[player + 1 :]) for action in after}
            for action, since in after.items():
                child = state.copy()
                game.step(child, action)
                waiting.append((child, since))
    raise Invalid(f"the game has more than {HISTORIES:,} histories")
