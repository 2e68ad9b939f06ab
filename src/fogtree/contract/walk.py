"""The walk of a check: plain Python over the game's own methods, so that an error in them shows with its traceback.

A small game is walked whole, depth first. Of a large one that would be a deep corner. So random games are played there, and
from random places of each some moves deep in two directions: many short parts, early and late.
"""

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from .. import dice
from ..clock import clock
from ..game import OVER
from .asking import Asked
from .hints import JUNK, Hints
from .history import History, Place, Sight
from .imagining import Imagining
from .observing import Observing
from .people import People
from .public import Public
from .rules import Rules
from .symmetries import Symmetries
from .views import Views
from .watchdog import Watchdog

TOLD_EACH = 1_000  # histories
PROBES = 3  # random games that must all look large before a game is taken for large
SURELY = 100  # times as many histories as may be visited: so large a game must look in each of them
PARTS, WAYS, DEEP = 4, 2, 3  # of a random game: places to look at | actions to follow there | moves deep


class Walk:
    """A walk over a game; the watchdog ends and names a method that does not return."""

    def __init__(self, game: Any, dog: Watchdog, seed: int):
        self.asked = asked = Asked(game, dog)
        self.rules, self.views = Rules(asked), Views(asked)
        self.people, self.hints, self.imagining = People(asked), Hints(asked), Imagining(asked)
        self.observing, self.public, self.symmetries = Observing(asked), Public(asked), Symmetries(asked)
        self.random = dice.seeded(seed)
        self.histories = self.ends = self.parts = self.depth = 0
        self.to_visit = [self.root()]  # what is left to explore

    # --- where to ---

    def explore(self, limit: int, end: float = math.inf, tell: Callable[[], Any] = lambda: None) -> bool:
        """Visit this many more histories depth first, or until a time; whether those were the last. Calls `tell` now and
        then."""
        limit += self.histories
        while self.to_visit:
            if self.histories >= limit or clock() >= end:
                return False
            if self.histories % TOLD_EACH == 0:
                tell()
            place = self.visit(self.to_visit.pop())
            self.to_visit.extend(self.child(place, way) for way in reversed(range(len(place.actions))))
        return True

    def play(self, end: float = math.inf) -> None:
        """Visit the histories of a random game until it is over, or until a time."""
        place = self.visit(self.root())
        while place.actions and clock() < end:
            place = self.visit(self.child(place, dice.below(self.random, len(place.actions))))

    def is_surely_larger(self, histories: int) -> bool:
        """Whether random games say that a tree has more histories. The product of the numbers of actions along a random game
        is the number of ends on average (Knuth 1975), so that PROBES games mistake a smaller tree for a larger one at most
        once in SURELY ** PROBES times."""
        return all(self._knuth_estimate() > SURELY * histories for _ in range(PROBES))

    def _knuth_estimate(self) -> int:
        return math.prod(len(place.actions) for place in self.random_game() if place.actions)

    def look_around(self, limit: int, end: float) -> None:
        """Play a random game without a check of each history, and visit short parts at random places of it and at its end."""
        line = [*self.random_game()]
        chosen = [line[-1], *(line[dice.below(self.random, len(line))] for _ in range(PARTS))]
        for place in chosen:
            if self.histories >= limit or clock() >= end:
                return
            self.parts += 1
            unique = Sight(hash(place.history.moves))  # what was shown on the way is not known
            self._part(place.history._replace(sights=(unique,) * len(place.views)), DEEP)

    def _part(self, history: History, deep: int) -> None:
        place = self.visit(history)
        if deep == 0 or not place.actions:
            return
        ways = {dice.below(self.random, len(place.actions)) for _ in range(WAYS)}
        for way in sorted(ways):
            self._part(self.child(place, way), deep - 1)

    def random_game(self) -> Iterator[Place]:
        """The places of a random game, of which only the rules are checked without which it cannot be played."""
        place = self.arrive(self.root())
        yield place
        while place.actions:
            place = self.arrive(self.child(place, dice.below(self.random, len(place.actions))))
            yield place

    # --- one step ---

    def root(self) -> History:
        asked, words, players = self.asked, self.rules.shape.words, self.rules.shape.players
        clean, dirty, nothing = asked.row(words), asked.row(words, JUNK), (None,) * players
        at = History(clean, own=nothing, before=nothing, told=nothing, sights=(Sight(),) * players)
        asked.call(at, "start", clean)
        asked.call(at, "start", dirty)
        if not np.array_equal(clean, dirty):
            word = int(np.flatnonzero(clean != dirty)[0])
            asked.broken(at, "start", f"must write the whole state, but word {word} depends on what stood there before")
        return at

    def child(self, place: Place, way: int) -> History:
        history, player, action = place.history, place.player, place.actions[way]
        state = self.asked.step(history, action)
        own = tuple((place.views[p], action) if p == player else past for p, past in enumerate(history.own))
        sights = tuple(sight.played(action) if p == player else sight for p, sight in enumerate(place.sights))
        return History(
            state,
            (*history.moves, action),
            own,
            place.views,
            place.told,
            tuple(self.asked.listener.calls),
            history.reach * place.odds[way],
            sights,
            player,
            place.public,
        )

    def arrive(self, history: History) -> Place:
        """What the game says of a history, in numbers."""
        player = self.rules.mover(history)
        views, told = self.views.look(history)
        public = self.public.look(history, player, views)
        if player == OVER:
            return Place(history, player, views, told, history.sights, [], [], self.rules.payoffs(history), public)
        actions = self.rules.actions(history)
        self.views.decide(history, player, views[player], actions)
        odds = self.rules.odds(history, player, len(actions))
        outcome = tuple(actions) if player >= 0 else (*actions, *odds)
        return Place(history, player, views, told, history.sights, actions, odds, outcome, public)

    def visit(self, history: History) -> Place:
        """All that is checked of one history."""
        self.histories += 1
        self.depth = max(self.depth, len(history.moves))
        place = self.arrive(history)
        self.ends += place.player == OVER
        place = place._replace(sights=self.people.look(place))
        self.hints.look(place)
        self.observing.look(place)
        self.symmetries.look(place)
        if place.player >= 0 and self.asked.has("imagine"):
            self.imagining.look(place)
        return place
