"""A game up to its symmetries: decisions that are the same on the turned or mirrored board are one.

A game may know its symmetries by four verbs (`game.py`): `symmetries`, `turn`, `turned` and `moved`. Where everything in a
game can be turned, there is an equilibrium that plays the same on every turned board, and against an opponent who does so a
best response is found among the plans that do so too. So nothing is lost if players are never told how the board lies. In
`UpToSymmetry(game)` the board is turned before each decision, so that the mover's view is the smallest of its images. Phantom
Tic-Tac-Toe has eight symmetries, and its game tree becomes about eight times smaller.

If the mover's own view is the same on several boards, as at the start, actions that are images of each other are offered as
one, the smallest of them. Which of them is played is drawn at random, each equally likely; those that differ for nobody are
not told apart, for a symmetry that leaves every player's view as it is leaves the game as it is.

An equal game with fewer actions (`solvers/forms/reduction.py`) may be taken in place of the game, even if the choice of the
actions that it leaves is not the same on the turned board. It is made where the board was turned, so that it is the same for
all images of a view. Such a choice need only be right on any board.

`symmetric(game, small)` makes the game, `on_all_boards` takes a strategy of it back to the game itself, and a strategy that
plays the same on every board is one of it as `OnEachBoard`.
"""

from typing import Any, NamedTuple

import numpy as np

from ..game import CHANCE, NONE, Shape
from ..kernels import STEP, bits, kernel
from ..kernels.engines import on
from ..kernels.lanes import CPU, NOTHING
from ..policy import Uniform
from ..strategy import Strategy
from . import handed

EVEN, EQUAL, WORDS = 0, 1, 2
# state: the symmetries that leave the mover's view as it is, as bits | 1 + the action between whose images chance draws, 0
# where it does not | then the state of the game itself
MOST_SYMMETRIES = 62  # that fit in the bits of a word
NOBODY = 1  # the symmetries of what has none: the first leaves all as it is


@handed.hands_on(handed.version)
class UpToSymmetry(NamedTuple):
    game: Any  # what is played
    board: Any  # the same game or a larger one, which knows the symmetries

    def reduced(self) -> "UpToSymmetry":
        return self._replace(game=self.game.reduced() if hasattr(self.game, "reduced") else self.game)

    def shape(self) -> Shape:
        shape = self.game.shape()
        return shape._replace(words=WORDS + shape.words, moves=2 * shape.moves)  # chance draws after a move at most

    def start(self, state):
        state[EVEN], state[EQUAL] = NOBODY, 0
        self.game.start(state[WORDS:])
        self.turn(state)

    def player(self, state):
        return self.game.player(state[WORDS:]) if state[EQUAL] == 0 else CHANCE

    def actions(self, state, out):
        if state[EQUAL] == 0:
            count = self.game.actions(state[WORDS:], out)
            return count if state[EVEN] == NOBODY else self.smallest(state[EVEN], out, count)
        unseen, count = self.unseen(state), 0
        image, many = self.next_image(state, unseen, NONE)
        while many:  # it ends: images ascend
            out[count] = image
            count += 1
            image, many = self.next_image(state, unseen, image)
        return count

    def odds(self, state, out):
        if state[EQUAL] == 0:
            self.game.odds(state[WORDS:], out)
            return
        unseen, count = self.unseen(state), 0
        image, many = self.next_image(state, unseen, NONE)
        while many:
            out[count] = many / bits.count(np.uint64(state[EVEN]))
            count += 1
            image, many = self.next_image(state, unseen, image)

    def step(self, state, action):
        if state[EQUAL] == 0 and state[EVEN] != NOBODY and self.differ(state, action):
            state[EQUAL] = 1 + action
            return
        state[EQUAL] = 0
        self.game.step(state[WORDS:], action)
        self.turn(state)

    def payoff(self, state, player):
        return self.game.payoff(state[WORDS:], player)

    def view(self, state, player):
        view = self.game.view(state[WORDS:], player)
        smallest = view
        if player == self.player(state):  # the board lies as that player is to see it
            return view
        for which in range(1, self.board.symmetries()):
            smallest = min(smallest, self.board.turned(view, player, which))
        return smallest

    def turn(self, state):
        """Turn the board so that the mover's view is the smallest, and note which symmetries leave that view as it is."""
        player, best, equally = self.game.player(state[WORDS:]), 0, 1
        state[EVEN] = NOBODY
        if player < 0:
            return
        view = self.game.view(state[WORDS:], player)
        smallest = view
        for which in range(1, self.board.symmetries()):
            image = self.board.turned(view, player, which)
            if image < smallest:
                smallest, best, equally = image, which, 1
            elif image == smallest:
                equally += 1
        if best:
            self.board.turn(state[WORDS:], best)
        if equally > 1:
            for which in range(1, self.board.symmetries()):
                if self.board.turned(smallest, player, which) == smallest:
                    state[EVEN] |= 1 << which

    def unseen(self, state):
        """The symmetries that leave every player's view as it is."""
        found = np.int64(NOBODY)
        for which in range(1, self.board.symmetries()):
            if (state[EVEN] >> which) & 1:
                same = True
                for player in range(self.game.shape().players):
                    view = self.game.view(state[WORDS:], player)
                    same = same and self.board.turned(view, player, which) == view
                if same:
                    found |= 1 << which
        return found

    def first(self, symmetries, action):
        """The smallest of the actions to which these symmetries take one."""
        found = action
        for which in range(1, self.board.symmetries()):
            if (symmetries >> which) & 1:
                found = min(found, self.board.moved(action, which))
        return found

    def differ(self, state, action):
        """Whether somebody can tell the images of an action apart."""
        unseen = self.unseen(state)
        first, found = self.first(unseen, action), False
        for which in range(1, self.board.symmetries()):
            if (state[EVEN] >> which) & 1:
                found = found or self.first(unseen, self.board.moved(action, which)) != first
        return found

    def next_image(self, state, unseen, last):
        """Of the images between which chance draws the smallest above `last`, and how many symmetries lead there: 0 if there
        is none. Images that differ for nobody are one."""
        found, many = last, 0
        for which in range(self.board.symmetries()):
            if (state[EVEN] >> which) & 1:
                image = self.first(unseen, self.board.moved(state[EQUAL] - 1, which))
                if image > last and (many == 0 or image < found):
                    found, many = image, 1
                elif many and image == found:
                    many += 1
        return found, many

    def smallest(self, symmetries, out, count):
        """Put the smallest in place of all actions that these symmetries take to each other; returns how many are left."""
        kept = 0
        for a in range(count):
            action = self.first(symmetries, out[a])
            place = kept
            while place > 0 and out[place - 1] > action:
                place -= 1
            if place > 0 and out[place - 1] == action:
                continue
            for later in range(kept, place, -1):
                out[later] = out[later - 1]
            out[place] = action
            kept += 1
        return kept


def symmetric(game: Any, small: Any) -> Any:
    """The game `small`, which is the game itself or an equal one with fewer actions, up to the symmetries that the game
    knows; as it is if there are none."""
    known = int(game.symmetries()) if hasattr(game, "symmetries") else 1
    return UpToSymmetry(small, game) if 1 < known <= MOST_SYMMETRIES else small


class OnEachBoard(NamedTuple):
    """A policy that plays the same on every turned board, as one of the game up to symmetry."""

    policy: Any  # of the game itself

    def weigh(self, game, state, player, choice, odds):
        count = self.policy.weigh(game.game, state[WORDS:], player, choice, odds)
        if count < 0 or state[EVEN] == NOBODY:
            return count
        kept = 0
        for a in range(count):  # ascending, so that the smallest of those that are one comes first
            if game.first(state[EVEN], choice[a]) == choice[a]:
                choice[kept], odds[kept] = choice[a], odds[a]
                for b in range(a + 1, count):
                    if game.first(state[EVEN], choice[b]) == choice[a]:
                        odds[kept] += odds[b]
                kept += 1
        return kept


class Comparing(NamedTuple):
    """Work: lane i looks whether a strategy plays at set i as at its images."""

    board: Any
    entries: Any
    player: Any  # [sets]
    view: Any  # [sets]
    unlike: Any  # [1] 1 if it does not

    def writes(self):
        return ("unlike",)

    def lane(self, number, own):
        player, entries = self.player[number], self.entries
        begin, count = entries.find(self.view[number], player)
        for which in range(1, self.board.symmetries()):
            there, as_many = entries.find(self.board.turned(self.view[number], player, which), player)
            same = 0
            for k in range(begin, begin + count):
                moved = self.board.moved(entries.action[k], which)
                for other in range(there, there + as_many):
                    if entries.action[other] == moved and entries.probability[other] == entries.probability[k]:
                        same += 1
            if same < count or as_many != count:
                self.unlike[0] = 1


def plays_the_same_on_every_board(game: Any, strategy: Any, device: str = CPU, cores: int | None = 1) -> bool:
    """Whether a game has symmetries and a strategy is surely the same on every turned board. Tables and uniform play are
    looked at; of another policy nobody knows."""
    if symmetric(game, game) is game:
        return False
    if not isinstance(strategy, Strategy):
        return isinstance(strategy, Uniform)
    if not len(strategy):
        return True
    listed = strategy.player.astype(np.int64), strategy.view, np.zeros(1, np.int64)
    lanes = on(device, Comparing(game, strategy.entries, *listed), NOTHING, cores=cores)
    lanes.run(0, len(strategy))
    lanes.fetch()
    return not lanes.work.unlike[0]


def on_all_boards(strategy: Strategy, small: UpToSymmetry) -> Strategy:
    """A strategy of a game up to symmetry as one of the game itself: the same on every turned board."""
    strategy.belongs_to(small)
    board, sets, known = small.board, len(strategy.view), int(small.board.symmetries())
    width, image = np.zeros((2, sets, known), np.int64)
    owner, first, listed = (array.astype(np.int64) for array in (strategy.player, strategy.first, strategy.action))
    work = STEP * sets * known
    _look.briefly(work, board, owner, strategy.view, first, listed, image, width)
    kept, begin = width > 0, (np.cumsum(width) - width.ravel()).reshape(width.shape)
    action, probability = np.zeros(width.sum(), np.int64), np.zeros(width.sum())
    _lay.briefly(work, board, first, listed, strategy.probability, image, width, begin, action, probability)
    owners = np.repeat(owner, known).reshape(width.shape)[kept]
    return Strategy.joined(board, [(owners, image[kept], width[kept], action, probability)])


@kernel
def _look(board, owner, view, first, action, image, width):
    """Write the view that each set has on each board, and how many actions; 0 where an earlier board shows the same view."""
    for i in range(view.shape[0]):
        for which in range(board.symmetries()):
            image[i, which] = board.turned(view[i], owner[i], which)
        for which in range(board.symmetries()):
            fresh = True
            for before in range(which):
                fresh = fresh and image[i, before] != image[i, which]
            for k in range(first[i], first[i + 1] if fresh else first[i]):
                width[i, which] += _images(board, image[i], which, action[k])


@kernel
def _lay(board, first, action, probability, image, width, begin, taken, share):
    """Write the actions of each set on each board, ascending, and their probabilities."""
    for i in range(first.shape[0] - 1):
        for which in range(board.symmetries()):
            at = free = begin[i, which]
            for k in range(first[i], first[i + 1] if width[i, which] else first[i]):
                each = probability[k] / _images(board, image[i], which, action[k])
                for other in range(board.symmetries()):
                    if _is_image(board, image[i], which, other, action[k]):
                        place, a = free, board.moved(action[k], other)
                        while place > at and taken[place - 1] > a:
                            taken[place], share[place] = taken[place - 1], share[place - 1]
                            place -= 1
                        taken[place], share[place] = a, each
                        free += 1


def _images(board, image, which, action):
    """To how many actions one goes on the boards that show the same view."""
    found = 0
    for other in range(board.symmetries()):
        found += _is_image(board, image, which, other, action)
    return found


def _is_image(board, image, which, other, action):
    """Whether another board shows the same view, and no such board before it takes the action to the same place."""
    if image[other] != image[which]:
        return False
    found = True
    for before in range(other):
        if image[before] == image[which] and board.moved(action, before) == board.moved(action, other):
            found = False
    return found
