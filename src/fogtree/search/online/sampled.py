"""A subgame that is too large to enumerate, solved by samples.

Outcome sampling (`solvers/regret/mccfr.py`) plays the subgame with its gadget. What lies between us and our next decisions
is enumerated, without what follows. There the roots of the next public states are, with our reach by the average strategy.
What the foe gets in each of their groups is estimated: by random games from the roots, in which both follow the averages. A
best response would get more. So this is no longer safe.
"""

from typing import Any

import numpy as np

from ... import dice
from ...game import OVER
from ...kernels import kernel
from ...policy import draw_move, new_room
from ...solvers.forms.marked import MarkedForm, outlook
from ...solvers.forms.response import plan_of
from ...solvers.regret.mccfr import MCCFR, Outcome
from ...walk.slices import Watcher
from .solution import Solution, played_here

SAMPLING = 0.9  # share of the time for MCCFR; the rest is for the estimates
MOVES = 200_000  # in all random games for the estimates, about
NOTE = "the subgame was too large to enumerate, so it was sampled: the answer is not safe"


@kernel
def sum_payoffs(game, policy, state, player, games, moves, row, room, random, total):
    """total[k] = the mean payoff of a player in some random games from the state [k, words]."""
    for k in range(state.shape[0]):
        paid = 0.0
        for _ in range(games):
            for word in range(state.shape[1]):
                row[word] = state[k, word]
            for _ in range(moves):
                mover = game.player(row)
                if mover == OVER:
                    break
                action = draw_move(policy, game, row, mover, room, random)
                if action < 0:
                    break
                game.step(row, action)
            if game.player(row) == OVER:
                paid += game.payoff(row, player)
        total[k] = paid / games


def solved_by_samples(
    ahead: MarkedForm,
    game: Any,
    asked: Any,
    seed: tuple[int, ...],
    iterations: float,
    seconds: float,
    progress: Watcher | None,
) -> Solution:
    """Sample the subgame whose beginning was enumerated, for so many iterations or seconds. `game` is the game without the
    gadget."""
    subgame, me = ahead.form.game, ahead.ahead.me
    random = dice.seeded(*seed)
    mccfr = MCCFR(subgame, Outcome(), int(random[0] >> np.uint64(1)), power=1.0)
    limits: dict[str, Any] = {} if iterations == float("inf") else {"iterations": int(iterations)}
    if seconds != float("inf"):
        limits["seconds"] = max(1e-3, SAMPLING * seconds)
    mccfr.run(**limits, progress=progress)
    strategy = mccfr.strategy()
    plan, _ = plan_of(ahead.form, strategy, me)
    found = outlook(ahead, plan)
    words, shape = game.shape().words, game.shape()
    state, total = np.ascontiguousarray(found.state[:, :words]), np.zeros(len(found.state))
    games = max(1, MOVES // max(1, len(state) * shape.moves))
    scratch = np.zeros(words, np.int64), new_room(shape)
    sum_payoffs(game, strategy.entries, state, 1 - me, games, shape.moves, *scratch, random, total)
    mass = np.bincount(found.group, found.weight, len(found.value))
    paid = np.bincount(found.group, found.weight * total, len(found.value))
    value = np.divide(paid, mass, out=np.zeros(len(mass)), where=mass > 0.0)
    foe = ahead.form.trees[1 - me], plan_of(ahead.form, strategy, 1 - me)[0]
    here = played_here(ahead, plan, asked)
    return Solution(subgame, here, found._replace(value=value, gift=0.0 * value), foe, mccfr.iterations, NOTE)
