"""What the players of a match believed, for those who look at it afterwards.

A player's belief are the states that they cannot tell from the true one (`search/worlds/belief.py`), found again from the
record of the match; in games too large for that, states that the game imagines. It is the belief that our searching agents
start from.
    heat      for each place of the board: in which share of these states something stands there that the player does not see
              (`draw/heat.py`); a state counts as much as the agent's search lets it: evenly, by its weight,
              or, of an agent that tells what it searched with (`range`), by that
    likely    the positions that most of these states have in common, drawn small
    mix       how the agent mixed, as it told itself (`thoughts`) or as its strategy says
    before    what its search found, where something else was made of it to be played
    worth     what each action is worth, in games that can be solved: see worth.py
"""

import collections
import random
from typing import Any

import numpy as np

from .. import dice
from ..arena.agents.searching import Draw
from ..arena.sight import sight
from ..draw.board import Look, picture, shapes
from ..draw.heat import heat
from ..errors import Invalid
from ..game import REFEREE, label, legal
from ..measure.told import shares
from ..search.worlds.belief import Belief
from ..strategy import Strategy
from .worth import Worths

SAMPLE = 2_000  # states that are looked at, of more a random sample
IMAGINED = 500  # states, where they are too many to be enumerated
LIKELY = 6  # positions that are drawn
BEST = 5  # moves that are pointed out on the board


class Reader:
    """Finds out what was believed in a match; what was found once is kept."""

    def __init__(self, job: Any):
        self.job = job
        self._beliefs: dict[int, dict[str, Any]] = {}  # by step
        self._worths: Worths | None = None

    def thought(self, step: int) -> dict[str, Any]:
        """What the mover of a step believed, and how they mixed."""
        job = self.job
        player = int(job.game.player(job.states[step]))
        mix, value = self._mix(step, player), dict[str, float]()
        found: dict[str, Any] = {}
        if (told := job.thoughts.get(step)) is not None:
            mix, value, found["iterations"] = told.mix, told.value, told.iterations
        if mix:
            before = told.found if told is not None else {}
            mix = dict.fromkeys(before, 0.0) | mix
            found |= self._best(step, mix, value, before) | {"before": before}
        if not job.game.shape().open:
            if step not in self._beliefs:
                self._beliefs[step] = self._believed(step, player)
            found |= self._beliefs[step]
        return found

    def _best(
        self, step: int, mix: dict[str, float], value: dict[str, float], before: dict[str, float]
    ) -> dict[str, Any]:
        """The moves that were meant, the likeliest first, as [label, share, value or None]; and those to be pointed out."""
        order = sorted(mix, key=lambda name: (-mix[name], -before.get(name, 0.0), -value.get(name, 0.0)))
        rows = [[name, mix[name], value.get(name)] for name in order]
        state = self.job.states[step]
        action = {label(self.job.game, state, each): each for each in legal(self.job.game, state)}
        if len(action) == 1:
            return {}  # there was nothing to choose
        if not value and len(mix) > 1 and max(mix.values()) - min(mix.values()) < 1e-9:
            return {"mix": rows, "even": True}  # nothing was preferred, so nothing is pointed out
        top = max(mix.values()) or 1.0
        pointed = [
            (action[name], mix[name] / top, f"{name}: {mix[name]:.0%}")
            for name in order[:BEST]
            if name in action and mix[name] > 0
        ]
        return {"mix": rows, "pointed": pointed}

    def forget(self) -> None:
        """The board was turned, so pictures are drawn anew."""
        self._beliefs.clear()

    def worth(self, step: int) -> dict[str, Any]:
        """What each action of a step is worth, see worth.py."""
        job, state = self.job, self.job.states[step]
        player = int(job.game.player(state))
        return self.worths().at(state, player, lambda belief: self._follow(belief, step, player))

    def worths(self) -> Worths:
        if self._worths is None:
            self._worths = Worths(self.job.game)
        return self._worths

    def _mix(self, step: int, player: int) -> dict[str, float] | None:
        """How an agent that plays a written strategy mixes here."""
        job, state = self.job, self.job.states[step]
        agent = getattr(job.seats[player], "agent", None)
        if agent is None or not hasattr(agent, "plan"):
            return None
        plan = agent.plan(job.game)
        if not isinstance(plan, Strategy):
            return None
        return {label(job.game, state, action): p for action, p in shares(job.game, plan, state, player).items()}

    def _believed(self, step: int, player: int) -> dict[str, Any]:
        job, state = self.job, self.job.states[step]
        belief = self._follow(Belief(job.game, player), step, player)
        states, weight = belief.state, belief.weight
        counted, weighted = belief.enumerated and len(belief.state) > 0, self._weighs(player)
        if not counted:
            states = self._imagined(state, player)
        if not counted or not weighted:
            weight = np.ones(len(states))
        resolved, fitting = self._resolved(step, player), 0
        if resolved is not None:
            (states, weight, fitting), counted, weighted = resolved, True, True
        if (total := len(states)) > SAMPLE:
            chosen = sorted(random.Random(0).sample(range(total), SAMPLE))
            states, weight = states[chosen], weight[chosen]
        if not len(states) or weight.sum() <= 0:
            return {}
        weight = weight / weight.sum()
        found = heat(job.game, state, player, states, weight, self.look())
        return {
            "states": total if counted else None,
            "sampled": len(states),
            "weighted": weighted and counted,
            "resolved": resolved is not None,
            "fitting": fitting,
            "heat": found and found._asdict(),
            "likely": likely(job.game, states, weight, self.look()),
        }

    def _resolved(self, step: int, player: int) -> tuple[np.ndarray, np.ndarray, int] | None:
        """What the player's agent has searched with, as far as it goes with what the player saw; None if it tells nothing.
        Where that is older than the player's last observation, all of it is shown. And how many states the agent believed
        possible, if these are some of them; else 0."""
        states, weight = self.job.ranges.get(step, (np.zeros((0, 0)), np.zeros(0)))
        if not len(states):
            return None
        game, true = self.job.game, self.job.states[step]
        same = np.array([game.view(state, player) == game.view(true, player) for state in states])
        told = self.job.thoughts.get(step)
        fitting = told.fitting if told is not None and same.all() else 0
        if (weight * same).sum() > 0:
            states, weight = states[same], weight[same]
        return (states, weight, fitting) if weight.sum() > 0 else None

    def look(self) -> Look:
        """The side from which the person sees the board."""
        return Look(toward=self.job.me, flipped=self.job.flipped)

    def _weighs(self, player: int) -> bool:
        """Whether the player's agent draws states by their weight."""
        how = getattr(getattr(self.job.seats[player], "agent", None), "how", None)
        return getattr(how, "draw", Draw.EVEN) == Draw.WEIGHTED

    def _follow(self, belief: Belief, step: int, player: int) -> Belief:
        """The belief of a player after so many moves, who saw what they saw and did what they did."""
        job = self.job
        for number, move in enumerate(job.moves[:step]):
            if move.player == player:
                view = int(job.game.view(job.states[number], player))
                belief.observe(view)
                belief.acted(view, move.action)
        belief.observe(int(job.game.view(job.states[step], player)))
        return belief

    def _imagined(self, state: np.ndarray, player: int) -> np.ndarray:
        try:
            return sight(self.job.game, state, player, random=dice.seeded(0)).worlds(IMAGINED)
        except Invalid:
            return state[None][:0]


def likely(game: Any, states: np.ndarray, weight: np.ndarray, look: Look) -> list[dict[str, Any]]:
    """The positions that most of these states have in common, with their share."""
    shares: collections.Counter[str] = collections.Counter()
    first: dict[str, np.ndarray] = {}
    for state, share in zip(states, weight.tolist(), strict=True):
        text = repr(shapes(game, state, REFEREE))
        shares[text] += share
        first.setdefault(text, state)
    return [
        {"share": share, "picture": picture(game, first[text], None, None, look)}
        for text, share in shares.most_common(LIKELY)
    ]
