"""A strategy that is resolved in every public state ahead, exactly: each subgame with its gadget is solved by a linear
program.

This is how safe resolving is proved right, and how a blueprint can be improved where its game can be enumerated: what the
foe's best response gets against the result is never more than against the blueprint, whichever gadget is taken, if the
gadget is safe (`transforms/subgame.py`).
"""

from typing import Any, NamedTuple

import numpy as np

from ...transforms.published import published
from ...transforms.subgame import Resolve
from ..forms.infosets import InfosetTree, planned
from ..forms.marked import HERE, MarkedForm, marked_form, outlook
from ..forms.response import answer_value, average
from .lp import solve_lp

INSIDE = 2  # the depth from which on moves of a subgame are those of the game


class Resolved(NamedTuple):
    """A blueprint, given by sequence, and what resolving has made of it."""

    marked: MarkedForm
    probability: np.ndarray  # [our sequences] of the last action in its set
    before: float  # what the foe's best response gets against the blueprint
    after: float  # and against the resolved strategy
    subgames: int


def marked_whole(game: Any, me: int) -> MarkedForm:
    """The form of a whole game for a player who will resolve, with the public states ahead of its start."""
    return marked_form(published(game), me)


def resolved(marked: MarkedForm, probability: np.ndarray, gadget: Any = Resolve) -> Resolved:
    """Resolve every public state ahead in which we decide. `probability` is the blueprint, by our sequences."""
    form, me = marked.form, marked.ahead.me
    tree, game = form.trees[me], form.game
    plan, new = planned(tree, probability), probability.copy()
    ahead, subgames = outlook(marked, plan), 0
    for public in np.unique(ahead.public_of[: int(ahead.places.used[0])]):
        roots = ahead.roots(int(public), game.shape().words) if public != HERE else None
        if roots is None or not len(roots.mass):
            continue
        subgames += 1
        small = solve_lp(marked_form(gadget(game, 1 - me, roots), me, since=INSIDE).form)
        _copy(small.form.trees[me], average(small.form, me, small.plans[me]), tree, new)
    before, after = (answer_value(form, each, 1 - me) for each in (plan, planned(tree, new)))
    return Resolved(marked, new, before, after, subgames)


def _copy(small: InfosetTree, probability: np.ndarray, tree: InfosetTree, into: np.ndarray) -> None:
    """Write what is played at the sets of a subgame into the strategy of the whole game."""
    order = np.argsort(tree.view)
    at = order[np.searchsorted(tree.view[order], small.view)]
    for i, j in enumerate(at):
        into[tree.first[j] : tree.first[j + 1]] = probability[small.first[i] : small.first[i + 1]]
