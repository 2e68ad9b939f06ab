"""What a solved subgame is to the player who searches it: what to play now, and what to carry to the next decision."""

from typing import Any, NamedTuple

import numpy as np

from ...game import NONE
from ...solvers.forms.infosets import InfosetTree
from ...solvers.forms.marked import HERE, MarkedForm, Outlook, outlook
from ...solvers.forms.response import average
from ...solvers.regret.cfr import CFR
from ...strategy import Strategy
from ...transforms.subgame import ANSWER, ENTER, GROUP, STAGE
from ...walk.slices import Watcher

LEAST = 30  # iterations, so that an answer is one, however little time there is
RESERVE = 0.95  # share of the time left that is given to CFR; the rest is for what comes after it


class Solution(NamedTuple):
    """A solved subgame."""

    game: Any  # with its gadget
    here: Strategy  # our strategy at all information sets that we have in its public state
    ahead: Outlook  # of the public states in which we may decide next
    foe: tuple[InfosetTree, np.ndarray]  # the foe's tree and average plan
    iterations: int
    note: str = ""

    def range(self) -> tuple[np.ndarray, np.ndarray]:
        """The roots that the subgame was solved with, and how likely each is: by chance, by our own moves before, and by how
        often the foe enters its group."""
        roots, (tree, plan) = self.game.roots, self.foe
        sets = {int(view): i for i, view in enumerate(tree.view)}
        state = np.zeros(self.game.shape().words, np.int64)
        entered = np.ones(len(roots.mass))
        with np.errstate(over="ignore"):  # views are hashes
            for group in range(len(roots.mass)):
                state[GROUP], state[STAGE] = group, ANSWER
                if (i := sets.get(int(self.game.view(state, self.game.foe)))) is not None:
                    entered[group] = plan[tree.first[i] + ENTER]
        weight = roots.share * np.repeat(roots.mass * entered, np.diff(roots.first))
        return roots.state, weight / weight.sum() if weight.sum() > 0 else roots.share / len(roots.mass)


def solved_by_cfr(
    marked: MarkedForm, rule: str, asked: Any, iterations: float, seconds: float, progress: Watcher | None
) -> Solution:
    """Solve a subgame that was enumerated, by so many iterations or within so many seconds."""
    cfr = CFR(marked.form, rule, threads=1)
    cfr.run(iterations=int(min(iterations, LEAST)))
    most = None if iterations == float("inf") else max(0, int(iterations) - cfr.iterations)
    left = None if seconds == float("inf") else max(0.0, seconds)
    if most is None or most > 0:
        cfr.run(iterations=most, seconds=left, progress=progress)
    me, plans = marked.ahead.me, cfr.plans()
    foe = marked.form.trees[1 - me], plans[1 - me]
    return Solution(
        marked.form.game, played_here(marked, plans[me], asked), outlook(marked, plans[me]), foe, cfr.iterations
    )


def played_here(marked: MarkedForm, plan: np.ndarray, asked: Any) -> Strategy:
    """What a plan plays at our information sets of the public state in which the subgame begins."""
    form, ahead = marked
    me, tree, count = ahead.me, form.trees[ahead.me], int(ahead.places.used[0])
    view, only = ahead.views(), ahead.only[:count]
    inside = ahead.public_of[:count] == HERE
    sets = np.flatnonzero(np.isin(tree.view, view[inside & (only == NONE)]))
    width = np.diff(tree.first)[sets]
    pair = np.repeat(tree.first[:-1][sets] - np.cumsum(width) + width, width) + np.arange(width.sum())
    chosen = np.full(len(sets), me), tree.view[sets], width, tree.action[pair], average(form, me, plan)[pair]
    forced = inside & (only != NONE)
    sure = np.ones(int(forced.sum()), np.int64)
    single = np.full(len(sure), me), view[forced], sure, only[forced], sure
    return Strategy.joined(asked, [chosen, single])
