"""Continual resolving: at each move the subgame that begins with what is public is solved anew.

(Burch, Johanson and Bowling 2014; Moravčík et al. 2017, DeepStack; Šustr, Kovařík and Lisý 2019.)

Between moves nothing is carried but what a subgame needs (`transforms/subgame.py`): its roots, how likely each is by chance
and by our own strategy so far, and what the foe may get at most in each of their groups. A thought

1. finds the roots of the public state that the match has come to;
2. puts the gadget around the subgame, enumerates it, and solves it by CFR over the sequence form (`solvers/forms/marked.py`);
3. answers with our average strategy at all information sets that we have in this public state;
4. carries, for each public state in which we may decide next, its roots, our reach, and what the foe's best response to our
   strategy gets there.

The first thought of a match begins at the start of the game. Where we do not decide in its first public state, half of the
budget is for the start, and half for the public state that the match has come to. With a blueprint, a strategy that was
stored before, nothing is solved at the start: its reach and the values of the best response to it are what is carried.

A thought is safe up to what CFR leaves open: with exact solutions, thinking on never makes us more exploitable. The further
the match goes, the smaller the subgames are, and the more exactly they are solved.
"""

from typing import Any, NamedTuple

import numpy as np

from ...clock import clock
from ...errors import Invalid
from ...game import NONE, identity, new_state
from ...solvers.forms.marked import HERE, Outlook, marked_form, outlook
from ...solvers.forms.reduction import reduced
from ...solvers.forms.response import plan_of
from ...solvers.regret.cfr import rule_named
from ...strategy import Strategy
from ...text.naming import as_game
from ...transforms.published import published
from ...transforms.subgame import Maxmargin, Reach, Resolve, Roots, Subgame, roots_of
from ...walk.slices import Budget, Watcher
from .protocol import Answer
from .solution import RESERVE, Solution, played_here, solved_by_cfr

GADGETS = {"resolve": Resolve, "maxmargin": Maxmargin, "reach": Reach, "none": Subgame}
INSIDE = 2  # the depth of a subgame with its gadget from which on moves are those of the game
RULE = "pdcfr+"
FIRST_SHARE = 0.5  # of the budget, for the start of the game where we do not decide there
UNFORESEEN = "no search so far has foreseen this: every action is as likely"


class Carried(NamedTuple):
    """What is carried to our next decision."""

    game: Any  # that is searched: with public keys, and without actions that are never better
    asked: Any  # the game that was asked for
    player: int
    ahead: Outlook | None = None  # None at the start of the game
    here: Strategy | None = None  # what was answered last, for all our sets in that public state
    solution: Solution | None = None  # of the last subgame, for people who ask


class Resolving:
    """The search. `gadget` is one of GADGETS, `rule` a rule of CFR, `blueprint` a strategy of the game."""

    whole = True  # an answer holds for all information sets of the public state

    def __init__(
        self, *, gadget: str = "resolve", rule: str = RULE, blueprint: Strategy | None = None, name: str = "resolve"
    ):
        if gadget not in GADGETS:
            raise Invalid(f"there is no gadget '{gadget}': valid are {', '.join(GADGETS)}")
        rule_named(rule)
        self.gadget, self.rule, self.blueprint, self.name = GADGETS[gadget], rule, blueprint, name
        self._games: dict[str, Any] = {}  # games with public keys
        self._begun: dict[tuple[str, int], Carried] = {}  # what a blueprint carries to the first decision

    def begin(self, game: Any, player: int, seed: int = 0, *path: int) -> Carried:
        """What is carried to the first decision. Nothing is drawn, so that the seed changes nothing."""
        asked = as_game(game)
        key = identity(asked)
        if key not in self._games:
            self._games[key] = _searched(asked)
        start = Carried(self._games[key], asked, player)
        if self.blueprint is None:
            return start
        if (key, player) not in self._begun:
            self.blueprint.belongs_to(asked)
            marked = marked_form(start.game, player)
            plan, _ = plan_of(marked.form, self.blueprint, player)
            ahead, here = outlook(marked, plan), played_here(marked, plan, asked)
            self._begun[key, player] = start._replace(ahead=ahead, here=here)
        return self._begun[key, player]

    def think(self, carried: Carried, view: int, spend: Budget, progress: Watcher | None = None) -> Answer:
        """What to play where we have this view."""
        if carried.here is not None and (carried.player, view) in carried.here:
            return Answer(carried.here, carried, 0)
        end, done = clock() + spend.seconds, 0
        if carried.ahead is None:
            found = self._solve(carried, _start(carried.game), view, spend.iterations, end, progress)
            carried, done = carried._replace(ahead=found.ahead, here=found.here, solution=found), found.iterations
            if (carried.player, view) in found.here:
                return Answer(found.here, carried, done, found.note)
        assert carried.ahead is not None
        public = carried.ahead.public_at(view)
        roots = None if public in (NONE, HERE) else carried.ahead.roots(public, carried.game.shape().words)
        if roots is None or not len(roots.mass):
            return Answer(Strategy.uniform(carried.asked), carried, done, UNFORESEEN)
        found = self._solve(carried, roots, view, spend.iterations, end, progress)
        carried = carried._replace(ahead=found.ahead, here=found.here, solution=found)
        return Answer(found.here, carried, done + found.iterations, found.note)

    def _solve(self, carried: Carried, roots: Roots, view: int, iterations: float, end: float, progress) -> Solution:
        """Solve a subgame; where we do not decide in its first public state, with a share of the time that is left."""
        began = clock()
        game = self.gadget(carried.game, 1 - carried.player, roots)
        marked = marked_form(game, carried.player, since=INSIDE, progress=progress)
        share = 1.0 if marked.ahead.public_at(view) == HERE else FIRST_SHARE
        seconds = RESERVE * (share * (end - began) - (clock() - began))
        return solved_by_cfr(marked, self.rule, carried.asked, iterations, seconds, progress)


def _searched(game: Any) -> Any:
    """The game with public keys, without actions that are never better."""
    if game.shape().players != 2 or not game.shape().zero_sum:
        raise Invalid("resolving is for zero-sum games of two players")
    return published(reduced(game))


def _start(game: Any) -> Roots:
    """The start of the game as the only root."""
    nothing = np.zeros(1)
    return roots_of(new_state(game)[None], np.ones(1), np.zeros(1, np.int64), nothing, nothing)
