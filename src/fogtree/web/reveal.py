"""What the players of a match believed, for those who look at it afterwards.

A player's belief are the states that they cannot tell from the true one (`search/worlds/belief.py`), found again from the
record of the match; in games too large for that, states that the game imagines. It is the belief that our searching agents
start from.
    heat      for each place of the board: in which share of these states something stands there that the player does not see
    likely    the positions that most of these states have in common, drawn small
    mix       how the agent mixed, as it told itself (`thoughts`) or as its strategy says
    worth     what each action is worth: against an equilibrium, with the best play after it, in games that can be solved
"""

import collections
import random
from typing import Any

import numpy as np

from .. import dice
from ..arena.sight import sight
from ..draw.board import picture, shapes
from ..draw.svg import UNIT, clean, colour
from ..errors import FogtreeError, Invalid
from ..game import REFEREE, label, legal
from ..measure.told import shares
from ..search.worlds.belief import Belief
from ..shapes import BLACK, PLAYERS, WHITE
from ..solvers.forms.response import best_answer, plan_of
from ..solvers.forms.sequence import sequence_form
from ..solvers.solution import solve
from ..strategy import Strategy

SAMPLE = 2_000  # states that are looked at, of more a random sample
IMAGINED = 500  # states, where they are too many to be enumerated
LIKELY = 6  # positions that are drawn
MEMORY, SECONDS = 1.5e8, 10.0  # bytes and seconds that are spent to solve a game
PIECES = (*PLAYERS, BLACK, WHITE)  # tones of what belongs to a player


class Reader:
    """Finds out what was believed in a match; what was found once is kept."""

    def __init__(self, job: Any):
        self.job = job
        self._beliefs: dict[int, dict[str, Any]] = {}  # by step
        self._solved: Any = None  # (form, strategy), or the sentence why there is none

    def thought(self, step: int) -> dict[str, Any]:
        """What the mover of a step believed, and how they mixed."""
        job = self.job
        player = int(job.game.player(job.states[step]))
        found: dict[str, Any] = {"mix": self._mix(step, player)}
        if (told := job.thoughts.get(step)) is not None:
            found |= {"mix": told.mix, "iterations": told.iterations}
        if not job.game.shape().open:
            if step not in self._beliefs:
                self._beliefs[step] = self._believed(step, player)
            found |= self._beliefs[step]
        return found

    def worth(self, step: int) -> dict[str, Any]:
        """{"worth": {label: value}}, or {"why": sentence} where it is not known."""
        job, state = self.job, self.job.states[step]
        player = int(job.game.player(state))
        if player < 0 or len(actions := legal(job.game, state)) < 2:
            return {"why": "Nothing was decided here."}
        self._solve()
        if isinstance(self._solved, str):
            return {"why": self._solved}
        form, plan = self._solved
        tree = form.trees[player]
        (places,) = np.nonzero(tree.view == np.int64(job.game.view(state, player)))
        weight = self._follow(Belief(job.game, player, others=plan), step, player).weight.sum()
        if not len(places) or weight <= 0:
            return {"why": "In equilibrium the others never let it come to this position, so no value is defined here."}
        _, worth = best_answer(form, plan_of(form, plan, 1 - player)[0], player)
        low = int(tree.first[places[0]])
        names = [label(job.game, state, action) for action in actions]
        return {"worth": {name: float(worth[low + a] / weight) for a, name in enumerate(names)}}

    def _solve(self) -> None:
        if self._solved is None:
            try:
                form = sequence_form(self.job.game, memory=MEMORY)
                self._solved = form, solve(form, seconds=SECONDS).strategy
            except FogtreeError as error:
                self._solved = f"No exact values: {error}."

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
        states, counted = belief.state, belief.enumerated and len(belief.state) > 0
        if not counted:
            states = self._imagined(state, player)
        sample = states
        if len(states) > SAMPLE:
            sample = states[sorted(random.Random(0).sample(range(len(states)), SAMPLE))]
        if not len(sample):
            return {}
        return {
            "states": len(states) if counted else None,
            "sampled": len(sample),
            "heat": heat(job.game, state, player, sample),
            "likely": likely(job.game, sample),
        }

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


def likely(game: Any, states: np.ndarray) -> list[dict[str, Any]]:
    """The positions that most of these states have in common, with their share."""
    counts: collections.Counter[str] = collections.Counter()
    first: dict[str, np.ndarray] = {}
    for state in states:
        text = repr(shapes(game, state, REFEREE))
        counts[text] += 1
        first.setdefault(text, state)
    return [
        {"share": count / len(states), "picture": picture(game, first[text])}
        for text, count in counts.most_common(LIKELY)
    ]


def heat(game: Any, state: np.ndarray, player: int, states: np.ndarray) -> dict[str, Any] | None:
    """What the player sees, with a mark on each place where some of these states have a piece that the player does not see.
    None if there is no such place."""
    own = {(shape.x, shape.y, _piece(shape)) for shape in shapes(game, state, player)}
    counts: dict[tuple[float, float], collections.Counter] = collections.defaultdict(collections.Counter)
    for each in states:
        for shape in shapes(game, each, REFEREE):
            if (piece := _piece(shape)) and (shape.x, shape.y, piece) not in own:
                counts[shape.x, shape.y][piece] += 1
    if not counts:
        return None
    parts, rows = [], []
    for (x, y), pieces in sorted(counts.items(), key=lambda item: (item[0][1], item[0][0])):
        share = sum(pieces.values()) / len(states)
        told = ", ".join(f"{text or 'a piece'} {n / len(states):.0%}" for (_, text, _), n in pieces.most_common(4))
        parts.append(_mark(x, y, min(1.0, share), told))
        rows.append(told)
    ground = picture(game, state, player)
    return {"picture": ground.replace("</svg>", "\n".join(parts) + "\n</svg>"), "places": rows}


def _piece(shape: Any) -> tuple[str, str, str] | None:
    """What a shape shows, if it belongs to a player; else None."""
    tone = getattr(shape, "tone", "")
    return (type(shape).__name__, str(getattr(shape, "text", "")), tone) if tone in PIECES else None


def _mark(x: float, y: float, share: float, told: str) -> str:
    left, top, size = UNIT * (x - 0.42), UNIT * (y - 0.42), UNIT * 0.84
    words = f'<text x="{UNIT * x:g}" y="{UNIT * (y + 0.09):g}" font-size="{UNIT * 0.28:g}" text-anchor="middle"'
    return (
        f'<g class="heat"><title>{clean(told)}</title>'
        f'<rect x="{left:g}" y="{top:g}" width="{size:g}" height="{size:g}" rx="6" class="heat-mark" '
        f'fill="var(--heat, #d33)" fill-opacity="{0.08 + 0.8 * share:.2f}"/>'
        f'{words} fill="{colour("ink")}">{100 * share:.0f}%</text></g>'
    )
