"""The sequence form of a game or a subgame, with marks at the public states ahead: what a player who searches carries
there.

The walk that builds the form also notes, wherever the public key (`public` in `game.py`) changes and we do not decide in
another public state before: the state, the odds of chance, our own sequence, and a mark. A mark is a sequence of the foe's
that stands for "their last own action, and this public state". It is a set with one action in their tree, so that nothing
is decided there. But all that follows hangs on it. So once the foe's best response to a plan of ours is known, what the foe
gets at most in a public state by one of their sequences is the worth of a mark.

Whose turn it is need not be public. A public state in which we decide in some history is the last that is noted, also for the
histories that leave it without a decision of ours: they are part of its subgame. Where the walk comes to such a decision only
after it has followed a history that left, it begins anew, and knows it from the start.

`Outlook` puts together what a plan of ours leads to: the roots of each public state ahead, with their weights, what the foe
may get there (`value`), and what the foe has given away to get there (`gift`): the sum, over the foe's decisions on the
way, of what the best action is worth less what was chosen, each divided by the weight of the decision. The weights are
counted by chance and by our own moves. In these units gifts add up, and to give them back in every public state costs
nothing.
"""

from typing import Any, NamedTuple

import numpy as np

from ...game import HASHED, NONE, seen
from ...kernels import STEP, kernel
from ...transforms.subgame import Roots, Subgame, roots_of
from ...walk import table as tables
from ...walk.slices import Watcher, memory_cap
from ...walk.whole import walk_through
from .infosets import ACTIONS, InfosetTree, Recorder, longer
from .response import best_answer
from .sequence import Part, SequenceForm, form_of, more_room, new_form

MARK, KEY_RADIX = np.int64(HASHED + 2), 1 << 31  # the views of marks are hashes, so that the radix may be too small
HERE = 0  # the public state in which the game begins
ROOTS, TURNS, AGAIN = 0, 1, 2  # words of `used`
SPARE = 2  # sets that one history may add


class Ahead(NamedTuple):
    """What the walk notes of the public states that come next. Arrays of roots are by root, in the order of the walk."""

    me: int
    publics: tables.Table  # (public key, 0) -> number; HERE is where the game begins
    places: tables.Table  # (view of ours, 0) -> number of a decision
    public_of: np.ndarray  # [decisions] its public state
    only: np.ndarray  # [decisions] the action, where there is but one, or NONE
    state: np.ndarray  # [roots, words]
    public: np.ndarray  # [roots]
    own: np.ndarray  # [roots] our sequence
    mark: np.ndarray  # [roots] the foe's sequence
    reach: np.ndarray  # [roots] by chance alone
    turn: np.ndarray  # [turns] the first sequence of a set in which the foe decides on the way
    turn_own: np.ndarray  # [turns] our sequence there
    turn_reach: np.ndarray  # [turns] by chance alone
    since: int  # the depth from which on decisions of the foe count as such
    shallow: bool  # whether nothing behind our next decisions is followed
    ours: np.ndarray  # [public states] whether we decide there
    left: np.ndarray  # [public states] whether a history left it without a decision of ours
    used: np.ndarray  # [3] roots | turns | whether the walk must begin anew
    key: np.ndarray  # [moves + 1] the public key of the history at each depth of the path
    passed: np.ndarray  # [moves + 1] whether we have decided in another public state than HERE up to there

    def room(self):
        return (
            self.used[AGAIN] == 0
            and self.used[ROOTS] < self.public.shape[0]
            and self.used[TURNS] < self.turn.shape[0]
            and self.places.used[0] < self.public_of.shape[0]
            and self.publics.used[0] < self.ours.shape[0]
            and not self.publics.full()
            and not self.places.full()
        )

    def public_at(self, view: int) -> int:
        """The public state in which we decide with this view, or NONE. Only Python calls it."""
        return public_at(self, view)

    def views(self) -> np.ndarray:
        """[decisions] our view. Only Python calls it."""
        return views_of(self)

    def place(self, view, public, action, count):
        """Note a decision of ours."""
        known = self.places.used[0]
        if self.places.add(view, 0) == known:
            self.public_of[known], self.only[known] = public, action[0] if count == 1 else NONE

    def leave(self, public):
        """Note that a history leaves a public state without a decision of ours; returns whether others have one."""
        self.left[public] = True
        return public != HERE and self.ours[public]

    def decide(self, public):
        """Note that we decide in a public state; where a history has left it as if we did not, the walk begins anew."""
        if not self.ours[public]:
            self.ours[public] = True
            if public != HERE and self.left[public]:
                self.used[AGAIN] = 1

    def put(self, state, public, own, mark, reach):
        """Note a root."""
        at = self.used[ROOTS]
        self.used[ROOTS] = at + 1
        self.public[at], self.own[at], self.mark[at], self.reach[at] = public, own, mark, reach
        for word in range(state.shape[0]):
            self.state[at, word] = state[word]

    def put_turn(self, base, own, reach):
        """Note that the foe decides."""
        at = self.used[TURNS]
        self.used[TURNS] = at + 1
        self.turn[at], self.turn_own[at], self.turn_reach[at] = base, own, reach


class Marking(NamedTuple):
    """The visitor: a recorder, and beside it what lies ahead."""

    recorder: Recorder
    ahead: Ahead
    single: np.ndarray  # [1] the action of a mark

    def room(self):
        recorder = self.recorder
        actions = recorder.used[ACTIONS] + recorder.odds.shape[1] + SPARE - 1
        sets = recorder.table.used[0] + SPARE
        fits = sets <= recorder.owner.shape[0] and actions <= recorder.action.shape[0]
        return fits and recorder.room() and self.ahead.room()

    def enter(self, game, state, player, action, count, depth):
        recorder, ahead, me = self.recorder, self.ahead, self.ahead.me
        key, passed = game.public(state), False
        ahead.key[depth] = key
        if depth > 0:
            passed = ahead.passed[depth - 1]
            if not passed and key != ahead.key[depth - 1]:
                passed = ahead.leave(ahead.publics.find(ahead.key[depth - 1], 0))
            if not passed and key != ahead.key[depth - 1]:
                before = recorder.sequence[depth, 1 - me]
                view = seen(seen(MARK, key, KEY_RADIX), before, KEY_RADIX)
                mark = recorder.infoset(view, 1 - me, self.single, 1, before)
                recorder.sequence[depth, 1 - me] = mark
                public = ahead.publics.add(key, 0)
                ahead.put(state, public, recorder.sequence[depth, me], mark, recorder.reach[depth])
        else:
            ahead.publics.add(key, 0)
        if player == me and not passed:
            public = ahead.publics.find(key, 0)
            ahead.place(game.view(state, me), public, action, count)
            ahead.decide(public)
        ahead.passed[depth] = passed or (player == me and key != ahead.key[0])
        follow = recorder.enter(game, state, player, action, count, depth)
        if player == 1 - me and not passed and depth >= ahead.since and recorder.base[depth] != NONE:
            ahead.put_turn(recorder.base[depth], recorder.sequence[depth, me], recorder.reach[depth])
        return 0 if ahead.shallow and ahead.passed[depth] else follow

    def descend(self, depth, position):
        self.recorder.descend(depth, position)


class MarkedForm(NamedTuple):
    """A sequence form and what lies ahead of it."""

    form: SequenceForm
    ahead: Ahead


def marked_form(
    game: Any,
    me: int,
    *,
    since: int = 0,
    shallow: bool = False,
    memory: float | None = None,
    progress: Watcher | None = None,
) -> MarkedForm:
    """Enumerate a game with `public` for a player who searches it. From the depth `since` on, what the foe does is a move of
    the game and not of a gadget. A shallow form ends where we decide next: it has the roots ahead, but no payoffs behind
    them. `progress` is called with the number of histories, and what it raises ends the walk."""
    ahead = _nothing_ahead(game, me, since, shallow)
    while True:  # it ends: each time we are known to decide in more public states
        try:
            return _walked(game, ahead, memory_cap(memory), progress)
        except _Again as again:
            ahead = _knowing(again.ahead)


class _Again(Exception):
    """A walk must begin anew."""

    def __init__(self, ahead: Ahead):
        self.ahead = ahead


def _walked(game: Any, ahead: Ahead, cap: float, progress: Watcher | None) -> MarkedForm:
    parts = list[Part]()

    def grow(full: Marking) -> Marking:
        if full.ahead.used[AGAIN]:
            raise _Again(full.ahead)
        recorder = more_room(game, full.recorder, parts, cap, sets=SPARE)
        return full._replace(recorder=recorder, ahead=_roomier(full.ahead))

    found, histories = walk_through(game, Marking(new_form(game), ahead, np.zeros(1, np.int64)), grow, progress)
    if found.ahead.used[AGAIN]:
        raise _Again(found.ahead)
    return MarkedForm(form_of(game, found.recorder, parts, histories), found.ahead)


def _nothing_ahead(game: Any, me: int, since: int, shallow: bool) -> Ahead:
    shape, room = game.shape(), 1 << 10
    return Ahead(
        me=me,
        publics=tables.empty(2 * room),
        places=tables.empty(2 * room),
        public_of=np.zeros(room, np.int64),
        only=np.zeros(room, np.int64),
        state=np.zeros((room, shape.words), np.int64),
        public=np.zeros(room, np.int64),
        own=np.zeros(room, np.int64),
        mark=np.zeros(room, np.int64),
        reach=np.zeros(room),
        turn=np.zeros(room, np.int64),
        turn_own=np.zeros(room, np.int64),
        turn_reach=np.zeros(room),
        since=since,
        shallow=shallow,
        ours=np.zeros(room, np.bool_),
        left=np.zeros(room, np.bool_),
        used=np.zeros(3, np.int64),
        key=np.zeros(shape.moves + 1, np.int64),
        passed=np.zeros(shape.moves + 1, np.bool_),
    )


def _knowing(ahead: Ahead) -> Ahead:
    """Nothing is ahead yet, but it is known in which public states we decide."""
    ahead.left[:], ahead.used[:] = False, 0
    return ahead._replace(places=tables.empty(len(ahead.places.slot)))


def _roomier(ahead: Ahead) -> Ahead:
    if ahead.used[ROOTS] == len(ahead.public):
        ahead = longer(ahead, "state", "public", "own", "mark", "reach")
    if ahead.used[TURNS] == len(ahead.turn):
        ahead = longer(ahead, "turn", "turn_own", "turn_reach")
    if ahead.places.used[0] == len(ahead.public_of):
        ahead = longer(ahead, "public_of", "only")
    if ahead.publics.used[0] == len(ahead.ours):
        ahead = longer(ahead, "ours", "left")
    grown = {name: getattr(ahead, name).grown() for name in ("publics", "places") if getattr(ahead, name).full()}
    return ahead._replace(**grown)


class Outlook(NamedTuple):
    """What a plan of ours leads to: the roots of the public states ahead, in the order of these."""

    publics: tables.Table  # as in `Ahead`
    places: tables.Table
    public_of: np.ndarray
    only: np.ndarray
    skipped: np.ndarray  # [public states] whether we decide there in some histories, and others leave it without
    first: np.ndarray  # [public states + 1] the roots of each
    state: np.ndarray  # [roots, words]
    weight: np.ndarray  # [roots] by chance and by our own moves
    group: np.ndarray  # [roots] the foe's mark
    value: np.ndarray  # [sequences of the foe] what the foe gets at most where this is a mark, as an expected payoff
    gift: np.ndarray  # [sequences of the foe] what the foe has given away to get there, in the same unit

    def public_at(self, view: int) -> int:
        """The public state in which we decide with this view, or NONE."""
        return public_at(self, view)

    def views(self) -> np.ndarray:
        """[decisions] our view."""
        return views_of(self)

    def roots(self, public: int, words: int) -> Roots:
        """The roots of a public state; of a state only so many words are the game's."""
        low, high = self.first[public], self.first[public + 1]
        part = slice(low, high)
        return roots_of(self.state[part, :words], self.weight[part], self.group[part], self.value, self.gift)


def public_at(found: Any, view: int) -> int:
    """The public state in which we decide with this view, or NONE."""
    with np.errstate(over="ignore"):
        place = int(found.places.find(np.int64(view), 0))
    return NONE if place == NONE else int(found.public_of[place])


def views_of(found: Any) -> np.ndarray:
    """[decisions] our view."""
    slot = found.places.slot[found.places.slot[:, tables.OWNER] != tables.EMPTY]
    view = np.empty(len(slot), np.int64)
    view[slot[:, tables.OWNER] >> 8] = slot[:, tables.VIEW]
    return view


def outlook(marked: MarkedForm, plan: np.ndarray) -> Outlook:
    """What our plan leads to. Where the game is a subgame with a gadget, what the gadget has done is undone here."""
    form, ahead = marked
    foe, count = 1 - ahead.me, int(ahead.used[ROOTS])
    _, worth = best_answer(form, plan, foe)  # of a shallow form this says nothing of what lies ahead
    order = np.argsort(ahead.public[:count], kind="stable")
    state, group = ahead.state[:count][order], ahead.mark[:count][order]
    weight = (ahead.reach[:count] * plan[ahead.own[:count]])[order]
    sequences = len(worth)
    mass = np.bincount(group, weight, sequences)
    value = np.divide(worth, mass, out=np.zeros(sequences), where=mass > 0.0)
    if isinstance(form.game, Subgame):
        value[group] += form.game.lowered(state)
        weight *= form.game.chosen(state)
    publics = int(ahead.publics.used[0])
    first = np.searchsorted(ahead.public[:count][order], np.arange(publics + 1))
    places = ahead.publics, ahead.places, ahead.public_of, ahead.only, (ahead.ours & ahead.left)[:publics]
    return Outlook(*places, first, state, weight, group, value, _gifts_of(form.trees[foe], ahead, plan, worth))


def _gifts_of(tree: InfosetTree, ahead: Ahead, plan: np.ndarray, worth: np.ndarray) -> np.ndarray:
    """[sequence of the foe] what was given away up to there."""
    turns, gift = int(ahead.used[TURNS]), np.zeros(len(worth))
    weight = ahead.turn_reach[:turns] * plan[ahead.turn_own[:turns]]
    mass = np.bincount(ahead.turn[:turns], weight, len(worth))
    _gifts.briefly(STEP * len(worth), tree, worth, mass, gift)
    return gift


@kernel
def _gifts(tree, worth, mass, gift):
    """Roots first, add to the gift before a set what each of its actions gives away. `mass` is by the first sequence of a
    set, and 0 where nothing counts."""
    for i in range(tree.parent.shape[0]):
        low, high = tree.first[i], tree.first[i + 1]
        best = worth[low]
        for s in range(low, high):
            best = max(best, worth[s])
        for s in range(low, high):
            gift[s] = gift[tree.parent[i]]
            if mass[low] > 0.0:
                gift[s] += (best - worth[s]) / mass[low]
