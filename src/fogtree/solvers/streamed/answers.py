"""What best responses of all players get against a strategy, by one walk over all histories in lanes, on any device.

Let r_p(h) be the probability that chance and everybody but player p bring a history about. With perfect recall player p's
information sets are a tree, and a history belongs to p's last sequence there: the set where p decided last, and the action.
One walk finds, for all players at once, what ends after each sequence, before p decides again:

    worth_p(sequence) = sum over the ends z after it of  r_p(z) payoff_p(z)

A sweep up each player's tree then lets them choose:

    worth_p(parent sequence of set I) += max over actions a of worth_p(I, a)

and what the root is worth in the end is what the best response gets. With the mean by the strategy's own mix in place of the
maximum it is what the strategy gets.

The walk is breadth first, in lanes (`kernels/lanes.py`): each takes one action of a history, and its neighbours take the
other actions, so that they read the same words, and write what follows side by side. Near the root the histories of one depth
stand in the order of their moves, in a layer with a row for each list of moves. Below, one window of its rows after the other
is followed to the end: histories that begin alike meet the same sets, so that what a window needs to know of sets stays in
the caches. A move without an alternative is made at once. No history is met twice, and nothing depends on the order but the
last digits of the sums: lanes add in any order.

A strategy that plays the same on every turned board, as uniform play does and what `solve` finds, is answered up to the
symmetries of the game (`transforms/symmetric.py`), in a fraction of the time.

Sets get the number of their word in a hash table (`walk/views.py`), and the lane that meets a set first writes down the mix
that the strategy plays there. A set with a single action is no decision and has no number.

Where a game has an equal one with fewer actions (`forms/reduction.py`) a responder looks for the maximum among those alone.
What p brings about by another action cannot matter to p's answer, as if r_p were 0. A history that matters to nobody is not
walked.
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ...clock import clock
from ...game import CHANCE, NONE, OVER, new_state
from ...kernels.atomic import add
from ...kernels.engines import chosen, empty, free, on, zeros
from ...kernels.lanes import CPU, CUDA, NOTHING, Nothing
from ...kernels.teams import next_number
from ...policy import as_policy
from ...transforms.symmetric import OnEachBoard, plays_the_same_on_every_board, symmetric
from ...trouble import ENDLESS, FOREIGN, require_fine
from ...walk.slices import Progress, Watcher
from ...walk.views import FULL_UP, NEW, NoRoom, new_views, until_room
from ..forms.reduction import reduced

DECISIONS, SEQUENCE = 48, (1 << 48) - 1  # a link: 1 + how many own decisions, and, in the lower bits, the last sequence
NEVER = 2.0  # stands for the probability 0 in a mix, where 0 means that nothing is written yet
MET, TROUBLE = 0, 1  # words of a note
FILLED = 0  # a word of what is found of a layer
ROWS = 64  # of notes, to which lanes add
NO_ROOM = 1  # no trouble of the game or the strategy: the sets need more room
SPREAD = {CUDA: 6 << 30}  # bytes of the layer in the order of the moves
WINDOW = {CUDA: 1 << 18}  # rows of that layer that are followed to the end at a time
LAYERS = {CUDA: 32 << 30}  # bytes of all other layers, or a quarter of what is free
TABLES = {CUDA: 12 << 30}  # bytes of the tables of sets at first, or a quarter of what is free
FEW_SPREAD, FEW_WINDOW, FEW_LAYERS, FEW_TABLES = 1 << 16, 1 << 10, 1 << 26, 1 << 20  # on other engines
MOST_SETS = 1 << 25  # of a player at first
BEST, MEAN = 0, 1  # what a sweep makes of the worths of a set's actions


class Waiting(NamedTuple):
    """A layer: histories that wait to be walked. Rows without actions hold none."""

    state: Any  # [words, rows]
    reach: Any  # [players, rows] the r_p above
    link: Any  # [players, rows]
    base: Any  # [rows] the first sequence of the set, or NONE where nobody decides
    count: Any  # [rows] actions
    found: Any  # [actions + 1] FILLED: how many rows were asked for one after the other; n: not 0 if a history has n actions


class Tables(NamedTuple):
    """What is known of the sets. The sequences of set n are n * actions + a, and after those of all sets each player has one
    for the root."""

    views: Any
    mix: Any  # [sequences] a probability p, or NEVER where it is 0; negative where a responder does not consider the action
    worth: Any  # [sequences]
    parent: Any  # [sets] the link that led to a set; 0 where there is no set


class Own(NamedTuple):
    """The scratch of a lane."""

    state: np.ndarray  # [words]
    choice: np.ndarray  # [actions]
    odds: np.ndarray  # [actions]
    reach: np.ndarray  # [players]
    link: np.ndarray  # [players]
    weighed: np.ndarray  # [actions]
    sign: np.ndarray  # [actions]


class Walking(NamedTuple):
    """Work: lanes take the actions of the histories in rows `first` to `last - 1` of a layer, and write what follows into the
    next one."""

    game: Any
    reduced: Any  # the same or an equal game, with the actions that a responder considers
    policy: Any
    tables: Tables
    here: Waiting
    following: Waiting
    start: bool  # whether the history is the start of the game, which is written into the next layer as it is
    ordered: bool  # whether the next layer has a row for each list of moves
    left: int  # moves that the histories in this layer may have left
    first: int
    last: int
    width: int  # the most actions of a history
    lanes: int  # pairs of a row and an action are shared among so many: lane n takes pairs n, n + lanes, ...
    note: Any  # [ROWS * 2]

    def threads(self):
        return 384

    def lane(self, number, own):
        met, width = 0, np.uint32(self.width)
        for pair in range(number, (self.last - self.first) * self.width, self.lanes):
            row = self.first + np.int64(np.uint32(pair) // width)
            a = np.int64(np.uint32(pair) % width)
            if a < self.here.count[row]:
                met += self.take(row, a, own)
        add(self.note, number % ROWS * 2 + MET, met)

    def take(self, row, a, own):
        """Take an action of a history; returns how many histories were met."""
        game, state, base = self.game, own.state, self.here.base[row]
        for word in range(state.shape[0]):
            state[word] = self.here.state[word, row]
        mover, met, left = game.player(state), 0, self.left
        if not self.follow(row, mover, base, a, own):
            return 0
        if not self.start:
            game.actions(state, own.choice)
            game.step(state, own.choice[a])
            met, left = 1, left - 1
        player, count = game.player(state), 0
        while player != OVER and left > 0:
            count = game.actions(state, own.choice)
            if count != 1 or player == CHANCE:
                break
            game.step(state, own.choice[0])
            player, met, left = game.player(state), met + 1, left - 1
        if player == OVER:
            self.end(own)
        elif left == 0:
            self.note[TROUBLE] = ENDLESS
        else:
            at = row * own.choice.shape[0] + a
            if not self.ordered:
                at = next_number(self.following.found, FILLED)
            self.keep(at, player, count, own)
        return met

    def follow(self, row, mover, base, a, own):
        """How everybody gets to the child after an action; false where that matters to nobody."""
        share, considered, matters = 1.0, True, False
        if base != NONE:
            mix = self.tables.mix[base + a]
            share, considered = abs(mix), mix > 0.0
            share = 0.0 if share == NEVER else share
        elif mover == CHANCE and not self.start:
            self.game.odds(own.state, own.odds)
            share = own.odds[a]
        for player in range(own.reach.shape[0]):
            reach, link = self.here.reach[player, row], self.here.link[player, row]
            if player != mover:
                reach *= share
            elif not considered:
                reach = 0.0
            if player == mover and base != NONE:
                link = (((link >> DECISIONS) + 1) << DECISIONS) | (base + a)
            own.reach[player], own.link[player] = reach, link
            matters = matters or reach > 0.0
        return matters

    def end(self, own):
        """Add an end of the game to what all players' sequences are worth."""
        for player in range(own.reach.shape[0]):
            worth = own.reach[player] * self.game.payoff(own.state, player)
            if worth != 0.0:
                add(self.tables.worth, own.link[player] & SEQUENCE, worth)

    def keep(self, row, player, count, own):
        """Write a history into a row of the next layer. `own.choice` lists its actions."""
        base = np.int64(NONE)
        if player != CHANCE:
            known, number = self.tables.views.enter(self.game.view(own.state, player), player)
            base = np.int64(number * own.choice.shape[0])
            if known == FULL_UP:
                self.note[TROUBLE], base = NO_ROOM, np.int64(NONE)  # all will begin anew
            elif known == NEW:
                self.write(player, count, base, own)
        for word in range(self.game.live(own.state)):
            self.following.state[word, row] = own.state[word]
        for each in range(own.reach.shape[0]):
            self.following.reach[each, row], self.following.link[each, row] = own.reach[each], own.link[each]
        self.following.base[row], self.following.count[row], self.following.found[count] = base, count, 1

    def write(self, mover, count, base, own):
        """Write down the mix of a new set."""
        considered, k = self.reduced.actions(own.state, own.weighed), 0
        for a in range(count):  # all lists of actions are ascending
            own.sign[a] = -1.0
            if k < considered and own.weighed[k] == own.choice[a]:
                own.sign[a] = 1.0
                k += 1
        played, k = self.policy.weigh(self.game, own.state, mover, own.weighed, own.odds), 0
        for a in range(count):
            mix = NEVER
            if k < played and own.weighed[k] == own.choice[a]:
                mix = own.odds[k] if own.odds[k] > 0.0 else NEVER
                k += 1
            self.tables.mix[base + a] = own.sign[a] * mix
            if own.sign[a] < 0.0:
                self.tables.worth[base + a] = -np.inf  # nothing is ever added there
        self.tables.parent[base // own.choice.shape[0]] = own.link[mover]
        if played < 0 or k < played:
            self.note[TROUBLE] = played if played < 0 else FOREIGN


class Rising(NamedTuple):
    """Work: a sweep over the sets of one depth in their player's tree. Each adds what it is worth to its parent sequence."""

    mix: Any
    worth: Any
    parent: Any
    root: Any  # [players] what the root is worth, after the sweep at depth 0
    actions: int
    depth: int
    rule: int  # BEST or MEAN
    lanes: int

    def lane(self, number, own):
        sets, players = self.parent.shape[0], self.root.shape[0]
        for player in range(players if self.depth == 0 and number == 0 else 0):
            self.root[player] = self.worth[sets * self.actions + player]
        for n in range(number, sets if self.depth else 0, self.lanes):
            if self.parent[n] >> DECISIONS == self.depth:
                add(self.worth, self.parent[n] & SEQUENCE, self.value(n * self.actions))

    def value(self, base):
        best, mean = -np.inf, 0.0
        for k in range(base, base + self.actions):
            if self.mix[k] != 0.0:
                best = max(best, self.worth[k])
                if self.mix[k] < NEVER:
                    mean += self.mix[k] * self.worth[k]
        return best if self.rule == BEST else mean


class Answers(NamedTuple):
    """What best responses get, and what it took to find out."""

    best: tuple[float, ...]  # [player] what a best response gets
    own: tuple[float, ...] | None  # [player] what the strategy gets; None where responders considered fewer actions
    histories: int
    seconds: float
    device: str


def answer_all(
    game: Any,
    strategy: Any,
    *,
    considered: Any = None,
    device: str = CPU,
    cores: int | None = None,
    progress: Watcher | None = None,
) -> Answers:
    """What best responses of all players get against a strategy or a policy. They consider the actions of the reduced game,
    or of the game `considered`. `cores` are those of the CPU, None for all. `progress` is called with the number of
    histories."""
    device, start = chosen(device), clock()
    policy, small = as_policy(game, strategy), reduced(game) if considered is None else considered
    if plays_the_same_on_every_board(game, strategy, device, cores):
        upto = symmetric(game, game)
        game, small, policy = upto, upto if small is game else symmetric(game, small), OnEachBoard(policy)
    shape = game.shape()
    if game.player(new_state(game)) == OVER:
        worth = tuple(float(game.payoff(new_state(game), player)) for player in range(shape.players))
        return Answers(worth, worth, 1, clock() - start, device)
    most = min(TABLES.get(device, FEW_TABLES), free(device) / 4) / (16 * shape.players * shape.actions)
    capacity = 1 << max(6, int(math.log2(min(most, MOST_SETS))))
    best, own, met = until_room(lambda sets: _answered(game, small, policy, sets, device, cores, progress), capacity)
    return Answers(best, own, met, clock() - start, device)


def _answered(game, small, policy, capacity, device, cores, progress):
    shape = game.shape()
    lanes = on(device, *new_walk(game, small, policy, capacity, device), cores=cores)
    met = 1

    def after() -> None:
        nonlocal met
        note = np.array(lanes.there.note).reshape(ROWS, 2)
        lanes.clear(lanes.there.note)
        trouble = int(note[0, TROUBLE])
        if trouble == NO_ROOM:
            raise NoRoom
        require_fine(trouble, game)
        met += int(note[:, MET].sum())
        if progress:
            progress(Progress("histories", met))

    _Walk(lanes, shape, device, after).run()
    tables = lanes.there.tables
    own = _swept(tables, shape, device, cores, MEAN) if small is game else None
    return _swept(tables, shape, device, cores, BEST), own, met


class _Walk:
    """The walk over all histories, launch by launch."""

    def __init__(self, lanes: Any, shape: Any, device: str, after: Callable[[], None]):
        self.lanes, self.shape, self.device, self.after = lanes, shape, device, after
        self.layers = dict[int, Waiting]()  # by the moves that are left before it
        self.each = 8 * (shape.words + 2 * shape.players + 2)  # bytes of a row
        memory = min(LAYERS.get(device, FEW_LAYERS), free(device) / 4)
        self.room = max(shape.actions, int(memory / shape.moves / self.each))  # rows

    def run(self) -> None:
        """Walk from the start: one layer in the order of the moves after the other, as far as there is room, and windows of
        the last of them to the end."""
        here, rows, left = self.lanes.there.here, 1, self.shape.moves
        most = min(SPREAD.get(self.device, FEW_SPREAD), free(self.device) / 4) / self.each
        start = True
        while left > 0 and (start or rows * self.shape.actions <= most):
            following = _new_layer(self.shape, rows * (1 if start else self.shape.actions), self.device)
            self.lanes.clear(following.count)
            width = 1 if start else self.shape.actions
            _, wider = self.launch(here, following, left, 0, rows, width, start=start, ordered=True)
            self.after()
            if not wider:
                return
            here, rows, left, start = following, following.count.shape[0], left - (not start), False
        window = WINDOW.get(self.device, FEW_WINDOW)
        for first in range(0, rows, window):
            self.follow(here, left, first, min(rows, first + window), self.shape.actions)
            self.after()

    def follow(self, here: Waiting, left: int, first: int, last: int, width: int) -> None:
        """Walk all that follows some rows of a layer, which have at most so many actions, to the end."""
        while first < last:
            upto = last if left == 1 else min(last, first + self.room // width)
            if left not in self.layers:
                self.layers[left] = _new_layer(self.shape, self.room if left > 1 else 1, self.device)
            following = self.layers[left]
            rows, wider = self.launch(here, following, left, first, upto, width)
            if wider:
                self.follow(following, left - 1, 0, rows, wider)
            first = upto

    def launch(
        self,
        here: Waiting,
        following: Waiting,
        left: int,
        first: int,
        last: int,
        width: int,
        *,
        start: bool = False,
        ordered: bool = False,
    ) -> tuple[int, int]:
        """One layer on; returns how many rows of the next one are filled, and the most actions of a history there, 0 where it
        is empty."""
        self.lanes.clear(following.found)
        side_by_side = min((last - first) * width, self.lanes.width)
        given = {"left": left, "first": first, "last": last, "width": width, "lanes": side_by_side}
        self.lanes.change(here=here, following=following, start=start, ordered=ordered, **given)
        self.lanes.run(0, side_by_side)
        filled, *wide = np.array(following.found).tolist()
        return filled, max((n for n, some in enumerate(wide, 1) if some), default=0)


def new_walk(game: Any, considered: Any, policy: Any, capacity: int, device: str) -> tuple[Walking, Own]:
    """The work of a walk, with room for so many sets of a player, and the scratch of a lane."""
    shape, tables = game.shape(), _new_tables(game.shape(), capacity, device)
    first = _new_layer(shape, 1, CPU)
    first.state[:, 0], first.reach[:, 0], first.base[0], first.count[0] = new_state(game), 1.0, NONE, 1
    roots = tables.parent.shape[0] * shape.actions  # their sequences are numbered from here on
    first.link[:, 0] = (1 << DECISIONS) + roots + np.arange(shape.players)
    note = zeros(device, 2 * ROWS)
    own = Own(
        state=np.zeros(shape.words, np.int64),
        choice=np.zeros(shape.actions, np.int64),
        odds=np.zeros(shape.actions),
        reach=np.zeros(shape.players),
        link=np.zeros(shape.players, np.int64),
        weighed=np.zeros(shape.actions, np.int64),
        sign=np.zeros(shape.actions),
    )
    return Walking(game, considered, policy, tables, first, first, True, True, shape.moves, 0, 1, 1, 1, note), own


def _new_layer(shape: Any, rows: int, device: str) -> Waiting:
    by_player = shape.players, rows
    state, reach = empty(device, (shape.words, rows)), empty(device, by_player, np.float64)
    found = empty(device, shape.actions + 1)
    return Waiting(state, reach, empty(device, by_player), empty(device, rows), empty(device, rows), found)


def _new_tables(shape: Any, capacity: int, device: str) -> Tables:
    views, sets = new_views(shape.players, capacity, device), shape.players * (capacity + 1)
    mix, worth = (zeros(device, sets * shape.actions + shape.players, np.float64) for _ in range(2))
    return Tables(views, mix, worth, zeros(device, sets))


def new_sweep(tables: Tables, shape: Any, device: str, rule: int = BEST) -> tuple[Rising, Nothing]:
    """The work of sweeps, which does not change the tables' own worths but a copy that is to be put into it."""
    worth, root = empty(device, tables.worth.shape, np.float64), empty(device, shape.players, np.float64)
    return Rising(tables.mix, worth, tables.parent, root, shape.actions, 0, rule, 1), NOTHING


def _swept(tables: Tables, shape: Any, device: str, cores: int | None, rule: int) -> tuple[float, ...]:
    """[player] what the root is worth after sweeps up the trees of sets."""
    lanes = on(device, *new_sweep(tables, shape, device, rule), cores=cores)
    lanes.put("worth", tables.worth)
    for depth in range(shape.moves, -1, -1):
        lanes.change(depth=depth, lanes=lanes.width)
        lanes.run(0, lanes.width)
    return tuple(np.array(lanes.there.root).tolist())
