"""Continual resolving: at each move the subgame that begins with what is public is solved anew.

(Burch, Johanson and Bowling 2014; Moravčík et al. 2017, DeepStack; Šustr, Kovařík and Lisý 2019.)

Between moves nothing is carried but what a subgame needs (`transforms/subgame.py`): its roots, how likely each is by chance
and by our own strategy so far, and what the foe may get at most in each of their groups. A thought

1. finds the roots of the public state that the match has come to; 2. puts the gadget around the subgame, enumerates it, and
solves it by CFR over the sequence form (`solvers/forms/marked.py`); 3. answers with our average strategy at all information
sets that we have in this public state; 4. carries, for each public state in which we may decide next, its roots, our reach,
and what the foe's best response to our strategy gets there.

The first thought of a match begins at the start of the game. Where we do not decide in its first public state, most of the
budget is for the start, and the rest for the public state that the match has come to. With a blueprint, a strategy that was
stored before, nothing is solved at the start: its reach and the values of the best response to it are what is carried.

A thought is safe up to what CFR leaves open: with exact solutions, thinking on never makes us more exploitable. The further
the match goes, the smaller the subgames are, and the more exactly they are solved.

Where the subgame is too large to enumerate, or for the time, there are two ways. With a depth limit it ends some moves
after our next decision with leaves (`transforms/limited.py`). Else it is sampled (`sampled.py`), and the values that are
carried are estimates. Both are no longer safe, and how far they are from it can be measured.
"""

import contextlib
from collections.abc import Callable
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
from ...text.naming import as_game, name
from ...transforms.limited import Limited, Valued, continuations
from ...transforms.published import published
from ...transforms.subgame import Maxmargin, Reach, Resolve, Roots, Subgame, roots_of
from ...walk.estimate import TooLarge
from ...walk.slices import Budget, Progress, Watcher, whole
from ...walk.whole import walk_through
from .protocol import Answer
from .sampled import solved_by_samples
from .solution import RESERVE, Solution, played_here, solved_by_cfr

MOST = 5_000_000  # histories that are enumerated, where the budget has no time limit
PATIENCE = 0.5  # seconds that a subgame may take to be enumerated, even where there is less time: samples are far worse
GADGETS = {"resolve": Resolve, "maxmargin": Maxmargin, "reach": Reach, "none": Subgame}
INSIDE = 2  # the depth of a subgame with its gadget from which on moves are those of the game
RULE = "pdcfr+"
FIRST_SHARE = 0.75  # of the budget, for the start of the game where we do not decide there
LOW, HALF = (1 << 32) - 1, 32  # half of a view, and its bits
AHEAD = 2_000_000  # histories up to our next decisions, where a subgame is sampled
_rehearsed = set[tuple[Any, ...]]()  # kinds of thoughts that this process has made before
UNFORESEEN = "no search so far has foreseen this: every action is as likely"


Leaves = Callable[[Any, int, Strategy | None], Any]  # (game, foe, blueprint) -> leaves as in transforms/limited.py


def continued(game: Any, foe: int, blueprint: Strategy | None) -> Any:
    """Leaves at which the foe chooses how to go on; by the blueprint, or at random."""
    return continuations(game, foe, None if blueprint is None else blueprint.entries)


def evaluated(game: Any, foe: int, blueprint: Strategy | None) -> Any:
    """Leaves that are worth what the game's own evaluation says, or else what random games bring."""
    if hasattr(game, "evaluation"):
        return Valued(game.evaluation())
    return continuations(game, foe, None if blueprint is None else blueprint.entries, ways=1)


LEAVES: dict[str, Leaves] = {"continued": continued, "evaluated": evaluated}


class Carried(NamedTuple):
    """What is carried to our next decision."""

    game: Any  # that is searched: with public keys, and without actions that are never better
    asked: Any  # the game that was asked for
    player: int
    seed: tuple[int, ...] = (0,)  # and its path; only samples are drawn
    ahead: Outlook | None = None  # None at the start of the game
    here: Strategy | None = None  # what was answered last, for all our sets in that public state
    solution: Solution | None = None  # of the last subgame, for people who ask


class Resolving:
    """The search. `gadget` is one of GADGETS, `rule` a rule of CFR, `blueprint` a strategy of the game.

    With a `depth`, subgames end so many moves after our next decision, and `leaves(game, foe, blueprint)` says what that is
    worth: `continued` or `evaluated`, or a function of your own. A subgame of more than `histories` is sampled.
    """

    whole = True  # an answer holds for all information sets of the public state

    def __init__(
        self,
        *,
        gadget: str = "resolve",
        rule: str = RULE,
        blueprint: Strategy | None = None,
        depth: int | None = None,
        leaves: Leaves = continued,
        histories: int = MOST,
        name: str = "resolve",
    ):
        if gadget not in GADGETS:
            raise Invalid(f"there is no gadget '{gadget}': valid are {', '.join(GADGETS)}")
        rule_named(rule)
        self.gadget, self.rule, self.blueprint, self.name = GADGETS[gadget], rule, blueprint, name
        self.depth, self.leaves = None if depth is None else whole(depth, "depth", 1), leaves
        self.histories = whole(histories, "histories", 1)
        self._games: dict[str, Any] = {}  # games with public keys
        self._leaves: dict[tuple[str, int], Any] = {}
        self._begun: dict[tuple[str, int], Carried] = {}  # what a blueprint carries to the first decision

    def begin(self, game: Any, player: int, seed: int = 0, *path: int) -> Carried:
        """What is carried to the first decision. Nothing is drawn unless a subgame is too large to enumerate."""
        asked = as_game(game)
        key = identity(asked)
        if key not in self._games:
            self._games[key] = _searched(asked)
        start = Carried(self._games[key], asked, player, (seed, *path))
        if self.blueprint is None:
            return start
        if (key, player) not in self._begun:
            self.blueprint.belongs_to(asked)
            marked = marked_form(start.game, player)
            plan, _ = plan_of(marked.form, self.blueprint, player)
            ahead, here = outlook(marked, plan), played_here(marked, plan, asked)
            self._begun[key, player] = start._replace(ahead=ahead, here=here)
        return self._begun[key, player]._replace(seed=start.seed)

    def think(self, carried: Carried, view: int, spend: Budget, progress: Watcher | None = None) -> Answer:
        """What to play where we have this view."""
        if carried.here is not None and (carried.player, view) in carried.here:
            return Answer(carried.here, carried, 0)
        if spend.seconds != float("inf"):
            self._rehearse(carried, view)
        return self._think(carried, view, spend.iterations, clock() + spend.seconds, progress)

    def _rehearse(self, carried: Carried, view: int) -> None:
        """Think with one iteration, the first time in a process, for no longer than PATIENCE: what a thought has to load
        is no part of its time, as what it has to compile is not."""
        kind = type(carried.asked), self.gadget, self.rule, self.depth is None, carried.player
        if kind in _rehearsed:
            return
        _rehearsed.add(kind)
        late = clock() + PATIENCE

        def in_time(now: Progress) -> None:
            if clock() > late:
                raise Rehearsed

        with contextlib.suppress(Rehearsed):
            self._think(carried, view, 1, float("inf"), in_time)

    def _think(self, carried: Carried, view: int, iterations: float, end: float, progress: Watcher | None) -> Answer:
        """Solve one subgame after the other, until there is one in which we have this view."""
        done, there = 0, False
        for _ in range(carried.game.shape().moves):
            if carried.ahead is None:
                roots: Roots | None = _start(carried.game)
            else:
                there = carried.ahead.public_at(view) not in (
                    NONE,
                    HERE,
                )  # though we may never come there with this view
                public = self._next(carried, view)
                roots = None if public == NONE else carried.ahead.roots(public, carried.game.shape().words)
            if roots is None or not len(roots.mass):
                break
            found = self._solve(carried, roots, view, iterations, end, progress)
            carried = carried._replace(ahead=found.ahead, here=found.here, solution=found)
            done += found.iterations
            if there or (carried.player, view) in found.here:
                return Answer(found.here, carried, done, found.note)
        return Answer(Strategy.uniform(carried.asked), carried, done, UNFORESEEN)

    def _next(self, carried: Carried, view: int) -> int:
        """The public state ahead in which we have this view, or else one that leads to it by decisions that nobody has asked
        about; or NONE."""
        ahead = carried.ahead
        assert ahead is not None
        if (public := ahead.public_at(view)) not in (NONE, HERE):
            return public
        unasked = _unasked(ahead)
        if len(unasked) == 1:
            return unasked[0]
        for public in unasked:
            roots = ahead.roots(public, carried.game.shape().words)
            if len(roots.mass) and _leads(self.gadget(carried.game, 1 - carried.player, roots), carried.player, view):
                return public
        return NONE

    def _solve(self, carried: Carried, roots: Roots, view: int, iterations: float, end: float, progress) -> Solution:
        """Solve a subgame; where we do not decide in its first public state, with a share of the time that is left."""
        began, me = clock(), carried.player
        game = self.gadget(*self._with_limit(carried, roots))
        late = max(end, began + PATIENCE)

        def in_time(now: Progress) -> None:
            if clock() > late or now.done > self.histories:
                raise TooLong
            if progress:
                progress(now)

        try:
            marked = marked_form(game, me, since=INSIDE, progress=in_time)
        except (TooLong, TooLarge):
            return self._sample(carried, game, view, iterations, end, progress)
        share = 1.0 if marked.ahead.public_at(view) == HERE else FIRST_SHARE
        seconds = RESERVE * (share * (end - began) - (clock() - began))
        return solved_by_cfr(marked, self.rule, carried.asked, iterations, seconds, progress)

    def _with_limit(self, carried: Carried, roots: Roots) -> tuple[Any, int, Roots]:
        """The game that follows the roots, with its depth limit, the foe, and the roots as states of that game. The limit
        counts from the next public state, so there is none where nothing is public."""
        game, me = carried.game, carried.player
        if self.depth is None or not hasattr(game, "public"):
            return game, 1 - me, roots
        if (key := (identity(carried.asked), me)) not in self._leaves:
            self._leaves[key] = self.leaves(game, 1 - me, self.blueprint)
        with np.errstate(over="ignore"):  # a public key may be a hash
            here = int(game.public(roots.state[0]))
        longer = np.pad(roots.state, ((0, 0), (0, 1)))  # the word of the limit
        return Limited(game, me, here, self.depth, self._leaves[key]), 1 - me, roots._replace(state=longer)

    def _sample(self, carried: Carried, game: Any, view: int, iterations: float, end: float, progress) -> Solution:
        """Solve a subgame that is too large, by samples."""
        try:
            ahead = marked_form(game, carried.player, since=INSIDE, shallow=True, progress=_fewer_than(AHEAD))
        except (TooLong, TooLarge):
            raise Invalid(
                f"{name(carried.asked)} is too large to be resolved: what lies between two decisions is more than "
                f"{AHEAD:,} histories; oos needs no list of them"
            ) from None
        seconds = (1.0 if ahead.ahead.public_at(view) == HERE else FIRST_SHARE) * (end - clock())
        seed = (*carried.seed, view & LOW, view >> HALF & LOW)  # dice are split by the view
        return solved_by_samples(ahead, carried.game, carried.asked, seed, iterations, seconds, progress)


class Rehearsed(Exception):
    """A rehearsal has taken long enough."""


class TooLong(Exception):
    """A subgame takes too long to enumerate."""


def _fewer_than(histories: int) -> Watcher:
    """A progress function that ends a walk of more histories."""

    def look(now: Progress) -> None:
        if now.done > histories:
            raise TooLong

    return look


def _unasked(ahead: Outlook) -> list[int]:
    """The public states ahead in which nobody may have asked us: we had a single action, or it was not our turn in all
    histories."""
    count = int(ahead.places.used[0])
    forced = ahead.public_of[:count][ahead.only[:count] != NONE]
    return [int(public) for public in np.union1d(forced, np.flatnonzero(ahead.skipped)) if public != HERE]


class Sought(NamedTuple):
    """A visitor (`walk/whole.py`) that looks for a view of ours. It follows nothing behind a choice of ours."""

    me: int
    view: np.ndarray  # [1]
    found: np.ndarray  # [1] whether it was there

    def room(self):
        return True

    def enter(self, game, state, player, action, count, depth):
        if player == self.me and count > 1:
            self.found[0] |= game.view(state, player) == self.view[0]
            return 0
        return 0 if self.found[0] else count

    def descend(self, depth, position):
        pass


def _leads(game: Any, me: int, view: int) -> bool:
    """Whether a subgame leads to a view before we have a choice, as far as so many histories tell."""
    sought = Sought(me, np.array([view]), np.zeros(1, np.bool_))
    with contextlib.suppress(TooLong):
        walk_through(game, sought, lambda full: full, _fewer_than(AHEAD))
    return bool(sought.found[0])


def _searched(game: Any) -> Any:
    """The game with public keys, without actions that are never better."""
    if game.shape().players != 2 or not game.shape().zero_sum:
        raise Invalid("resolving is for zero-sum games of two players")
    return published(reduced(game))


def _start(game: Any) -> Roots:
    """The start of the game as the only root."""
    nothing = np.zeros(1)
    return roots_of(new_state(game)[None], np.ones(1), np.zeros(1, np.int64), nothing, nothing)
