"""What best responses of all players get against a strategy, by one walk over all histories in lanes, on any device.

Let r_p(h) be the probability that chance and everybody but player p bring a history about. With perfect recall player p's
information sets are a tree, and a history belongs to p's last sequence there: the set where p decided last, and the action.
One walk finds, for all players at once, what ends after each sequence, before p decides again:

    worth_p(sequence) = sum over the ends z after it of  r_p(z) payoff_p(z)

A sweep up each player's tree then lets them choose:

    worth_p(parent sequence of set I) += max over actions a of worth_p(I, a)

and what the root is worth in the end is what the best response gets. With the mean by the strategy's own mix in place of the
maximum it is what the strategy gets.

The walk (`kernels/lanes.py`) is breadth first near the root, where it makes layers of histories as `walk/layers.py` does, and
depth first below, where a lane walks all that follows a history before it takes the next one. No history is met twice, and
nothing depends on the order but the last digits of the sums: lanes add to them in any order.

Sets get the number of their word in a hash table (`walk/views.py`), and whoever meets a set first writes down the mix that
the strategy plays there. A set with a single action is no decision and has no number.

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
from ...kernels.lanes import CPU, CUDA
from ...policy import as_policy
from ...trouble import ENDLESS, FOREIGN, require_fine
from ...walk.layers import ACTION, FULLER, PARTS, ROW, SHIFT, SPARE, Left
from ...walk.slices import Progress, Watcher
from ...walk.views import FULL_UP, new_views
from ..forms.reduction import reduced

MOVER, COUNT, TURN, BASE, DEPTH = range(
    5
)  # of a frame: who moves | actions | the next one | see Walking.meet | moves made
DECISIONS, SEQUENCE = (
    48,
    (1 << 48) - 1,
)  # a link: 1 + the number of own decisions, and, in the lower bits, the last sequence
NEVER = 2.0  # stands for the probability 0 in a mix, where 0 means that nothing is written yet
MET, TROUBLE = 0, 1  # words of a note
ROWS = 64  # of notes, to which lanes add
NO_ROOM = 1  # no trouble of the game or the strategy, but the sets need more room
DEEP = 4  # moves before the last that shape() allows from which on a lane goes depth first
MEMORY = {CUDA: 1 << 35}  # bytes of the layers, by the engine, or half of what is free
FEW_BYTES = 1 << 27  # on other engines
TABLES = {CUDA: 12 << 30}  # bytes of the tables of sets at first
FEW_TABLES = 1 << 20
MOST_SETS = 1 << 25  # of a player at first
BEST, MEAN = 0, 1  # what a sweep makes of the worths of a set's actions


class Waiting(NamedTuple):
    """A layer: histories that wait to be walked. Row n belongs to part n % PARTS, and is in use if n // PARTS is below what
    that part uses."""

    state: Any  # [words, rows]
    reach: Any  # [players, rows] the r_p above
    link: Any  # [players, rows]
    used: Any  # [PARTS] rows in use, or, where that is more than there are, rows that were wanted


class Tables(NamedTuple):
    """What is known of the sets. The sequences of set n are n * actions + a, and after those of all sets each player has one
    for the root."""

    views: Any
    mix: Any  # [sequences] a probability p, or NEVER where it is 0; negative where a responder does not consider the action
    worth: Any  # [sequences]
    parent: Any  # [sets] the link that led to a set; 0 where there is no set


class Own(NamedTuple):
    """The scratch of a lane: a frame for each level below the history that it took."""

    state: np.ndarray  # [levels, words]
    choice: np.ndarray  # [levels, actions]
    odds: np.ndarray  # [levels, actions] of chance
    reach: np.ndarray  # [levels, players]
    link: np.ndarray  # [levels, players]
    sum: np.ndarray  # [levels, players] what the ends just below are worth to those whose sequence they do not change
    frame: np.ndarray  # [levels, 5]
    last: np.ndarray  # [players] the view that was met last
    number: np.ndarray  # [players] the number of its set, or NONE
    weighed: np.ndarray  # [actions]
    share: np.ndarray  # [actions]


class Walking(NamedTuple):
    """Work: lanes walk what follows the histories in rows `first` to `last - 1` of a layer, or write it into the next one."""

    game: Any
    reduced: Any  # the same or an equal game, with the actions that a responder considers
    policy: Any
    tables: Tables
    here: Waiting
    following: Waiting
    keeps: bool  # whether there is a next layer
    depth: int  # of the histories in this one
    moves: int  # the most of a game
    first: int
    last: int
    lanes: int  # lane n takes rows first + n, first + n + lanes, ...
    note: Any  # [ROWS * 2]

    def writes(self):
        return ()

    def threads(self):
        return 1024

    def lane(self, number, own):
        game, row, taken, level, met = self.game, self.first + number, NONE, NONE, 0
        for player in range(own.last.shape[0]):
            own.number[player] = NONE
        while True:
            if level == NONE:  # nothing is left of the history that was taken
                while row < self.last and row // PARTS >= self.here.used[row % PARTS]:
                    row += self.lanes
                if row >= self.last:
                    break
                taken, row, level = row, row + self.lanes, 0
                self.take(taken, own)
                self.meet(0, game.player(own.state[0]), self.depth, own)
            frame = own.frame[level]
            turn, depth = frame[TURN], frame[DEPTH] + 1
            last = turn + 1 == frame[COUNT]
            to, goes_on, player = level if last else level + 1, False, OVER  # the last action is played in place
            frame[TURN] = turn + 1
            if self.follow(level, to, turn, own):
                met += 1
                for word in range(0 if last else game.live(own.state[level])):
                    own.state[to, word] = own.state[level, word]
                game.step(own.state[to], own.choice[level, turn])
                player = game.player(own.state[to])
                if player == OVER:
                    self.end(level, to, turn, own)
                else:
                    goes_on = not (self.keeps and depth == self.depth + 1 and self.keep(taken, to, turn, own))
            if last:
                self.leave(level, own)
            if goes_on:
                if depth == self.moves:
                    self.note[TROUBLE] = ENDLESS
                    return
                self.meet(to, player, depth, own)
                level = to
            elif last:
                level -= 1  # where more is left to play
        add(self.note, number % ROWS * 2 + MET, met)

    def take(self, row, own):
        """Take a history of the layer."""
        for word in range(own.state.shape[1]):
            own.state[0, word] = self.here.state[word, row]
        for player in range(own.last.shape[0]):
            own.reach[0, player], own.link[0, player] = self.here.reach[player, row], self.here.link[player, row]

    def keep(self, row, to, turn, own):
        """Write a child of that history into the next layer; false where there is no room."""
        part = ((row * ROW + turn * ACTION) >> SHIFT) % PARTS
        at = add(self.following.used, part, 1) * PARTS + part
        if at >= self.following.link.shape[1]:
            return False
        for word in range(self.game.live(own.state[to])):
            self.following.state[word, at] = own.state[to, word]
        for player in range(own.last.shape[0]):
            self.following.reach[player, at] = own.reach[to, player]
            self.following.link[player, at] = own.link[to, player]
        return True

    def meet(self, level, player, depth, own):
        """Begin the frame of a history. Its base is the first sequence of its set, or NONE where nobody decides."""
        frame, state = own.frame[level], own.state[level]
        count, base = self.game.actions(state, own.choice[level]), np.int64(NONE)
        for each in range(own.last.shape[0]):
            own.sum[level, each] = 0.0
        if player == CHANCE:
            self.game.odds(state, own.odds[level])
        elif count > 1:
            view = self.game.view(state, player)
            if own.number[player] == NONE or own.last[player] != view:
                own.last[player], own.number[player] = view, self.tables.views.number(view, player)
            base = own.number[player] * own.weighed.shape[0]
            if own.number[player] == FULL_UP:
                self.note[TROUBLE], base = NO_ROOM, np.int64(NONE)  # all is begun anew
        frame[MOVER], frame[COUNT], frame[TURN], frame[BASE], frame[DEPTH] = player, count, 0, base, depth

    def follow(self, level, to, turn, own):
        """How everybody gets to the child after an action; false where that matters to nobody."""
        frame, share, considered = own.frame[level], 1.0, True
        mover, base = frame[MOVER], frame[BASE]
        if base != NONE:
            mix = self.tables.mix[base + turn]
            if mix == 0.0:  # this set is new, or somebody is writing its mix at this moment
                self.write(level, own)
                mix = self.tables.mix[base + turn]
            share, considered = abs(mix), mix > 0.0
            share = 0.0 if share == NEVER else share
        elif mover == CHANCE:
            share = own.odds[level, turn]
        matters = False
        for player in range(own.last.shape[0]):
            reach, link = own.reach[level, player], own.link[level, player]
            if player != mover:
                reach *= share
            elif base != NONE:
                reach = reach if considered else 0.0
                link = (((link >> DECISIONS) + 1) << DECISIONS) | (base + turn)
            own.reach[to, player], own.link[to, player] = reach, link
            matters = matters or reach > 0.0
        return matters

    def write(self, level, own):
        """Write down the mix of a set. Whoever does it writes the same."""
        game, state, mover, base = self.game, own.state[level], own.frame[level, MOVER], own.frame[level, BASE]
        count, choice, sign, k = own.frame[level, COUNT], own.choice[level], own.odds[level], 0
        considered = self.reduced.actions(state, own.weighed)
        for a in range(count):  # all lists of actions are ascending
            sign[a] = -1.0
            if k < considered and own.weighed[k] == choice[a]:
                sign[a] = 1.0
                k += 1
        played, k = self.policy.weigh(game, state, mover, own.weighed, own.share), 0
        for a in range(count):
            mix = NEVER
            if k < played and own.weighed[k] == choice[a]:
                mix = own.share[k] if own.share[k] > 0.0 else NEVER
                k += 1
            self.tables.mix[base + a] = sign[a] * mix  # at once, for others may read it
            if sign[a] < 0.0:
                self.tables.worth[base + a] = -np.inf  # nothing is ever added there
        self.tables.parent[base // own.weighed.shape[0]] = own.link[level, mover]
        if played < 0 or k < played:
            self.note[TROUBLE] = played if played < 0 else FOREIGN

    def end(self, level, to, turn, own):
        """Add an end of the game to what all players' sequences are worth."""
        mover, base = own.frame[level, MOVER], own.frame[level, BASE]
        for player in range(own.last.shape[0]):
            reach = own.reach[to, player]
            if reach > 0.0:
                worth = reach * self.game.payoff(own.state[to], player)
                if player == mover and base != NONE:
                    add(self.tables.worth, base + turn, worth)
                else:
                    own.sum[level, player] += worth

    def leave(self, level, own):
        """All that follows a history is done, or is about to take its place. Who has a sum has the same sequence still."""
        for player in range(own.last.shape[0]):
            if own.sum[level, player] != 0.0:
                add(self.tables.worth, own.link[level, player] & SEQUENCE, own.sum[level, player])


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

    def writes(self):
        return ()

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


class Nothing(NamedTuple):
    """The scratch of a lane that needs none."""

    word: np.ndarray


class Answers(NamedTuple):
    """What best responses get, and what it took to find out."""

    best: tuple[float, ...]  # [player] what a best response gets
    own: tuple[float, ...] | None  # [player] what the strategy gets; None where responders considered fewer actions
    histories: int
    seconds: float
    device: str


class _NoRoom(Exception):
    """A set found no place."""


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
    shape, policy, small = game.shape(), as_policy(game, strategy), reduced(game) if considered is None else considered
    if game.player(new_state(game)) == OVER:
        worth = tuple(float(game.payoff(new_state(game), player)) for player in range(shape.players))
        return Answers(worth, worth, 1, clock() - start, device)
    most = min(TABLES.get(device, FEW_TABLES), free(device) / 4) / (16 * shape.players * shape.actions)
    capacity = 1 << max(6, int(math.log2(min(most, MOST_SETS))))
    while True:  # it ends: the capacity grows, and the memory does not
        try:
            best, own, met = _answered(game, small, policy, capacity, device, cores, progress)
        except _NoRoom:
            capacity *= 4
            continue
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
            raise _NoRoom
        require_fine(trouble, game)
        met += int(note[:, MET].sum())
        if progress:
            progress(Progress("histories", met))

    _walk(lanes, shape, device, after)
    tables = lanes.there.tables
    own = _swept(tables, shape, device, cores, MEAN) if small is game else None
    return _swept(tables, shape, device, cores, BEST), own, met


def new_walk(game: Any, considered: Any, policy: Any, capacity: int, device: str) -> tuple[Walking, Own]:
    """The work of a walk, with room for so many sets of a player, and the scratch of a lane."""
    shape, tables = game.shape(), _new_tables(game.shape(), capacity, device)
    first = _first_layer(new_state(game), shape, tables.parent.shape[0] * shape.actions)
    note = zeros(device, 2 * ROWS)
    return Walking(game, considered, policy, tables, first, first, True, 0, shape.moves, 0, 1, 1, note), _scratch(shape)


def _walk(lanes: Any, shape: Any, device: str, after: Callable[[], None]) -> None:
    """Walk all histories; `after` is called after each batch."""
    memory = min(MEMORY.get(device, FEW_BYTES), free(device) / 2)
    each, deep = 8 * (shape.words + 2 * shape.players) * PARTS, shape.moves - DEEP
    most = max(math.ceil(shape.actions / PARTS) + SPARE, int(memory / (shape.moves + 1) / each))  # rows of a part
    layers, rows = dict[int, Waiting](), dict[int, int]()  # by depth: the next layer | how many rows a batch has
    left = [Left(lanes.there.here, 0, 1)]
    while left:
        depth, (here, at, last) = len(left) - 1, left[-1]
        if at >= last:
            left.pop()
            continue
        keeps, upto = depth < deep, last
        if keeps:
            upto = min(last, at + rows.setdefault(depth, max(1, most // shape.actions * PARTS)))
            layers[depth] = _roomy(layers.pop(depth, None), upto - at, most, shape, device)
            lanes.clear(layers[depth].used)
        side_by_side = min(upto - at, lanes.width)
        following = layers.get(depth, here)
        lanes.change(here=here, following=following, keeps=keeps, depth=depth, first=at, last=upto, lanes=side_by_side)
        lanes.run(0, side_by_side)
        after()
        left[-1] = Left(here, upto, last)
        if not keeps:
            continue
        deepest, room = int(np.array(following.used).max()), following.link.shape[1] // PARTS
        if deepest > room:  # lanes walked what had no room, one alone what many could share
            rows[depth] = max(1, (upto - at) // 2)
        elif deepest < FULLER * room and upto - at == rows[depth]:
            rows[depth] *= 2
        if deepest:
            left.append(Left(following, 0, min(deepest, room) * PARTS))


def _roomy(layer: Waiting | None, parents: int, most: int, shape: Any, device: str) -> Waiting:
    """A layer with room for all children of so many histories, or with the most rows of a part that there may be."""
    rows = PARTS * min(most, shape.actions * math.ceil(parents / PARTS) + SPARE)
    if layer is not None and layer.link.shape[1] >= rows:
        return layer
    return _new_layer(shape, rows, device)


def _new_layer(shape: Any, rows: int, device: str) -> Waiting:
    by_player = shape.players, rows
    state, reach = empty(device, (shape.words, rows)), empty(device, by_player, np.float64)
    return Waiting(state, reach, empty(device, by_player), empty(device, PARTS))


def _first_layer(start: np.ndarray, shape: Any, roots: int) -> Waiting:
    """The layer of the start of the game. The sequences of the players' roots are numbered from `roots` on."""
    layer = _new_layer(shape, PARTS, CPU)
    layer.state[:, 0], layer.reach[:, 0], layer.used[:] = start, 1.0, 0
    layer.link[:, 0], layer.used[0] = (1 << DECISIONS) + roots + np.arange(shape.players), 1
    return layer


def _new_tables(shape: Any, capacity: int, device: str) -> Tables:
    views, sets = new_views(shape.players, capacity, device), shape.players * (capacity + 1)
    mix, worth = (zeros(device, sets * shape.actions + shape.players, np.float64) for _ in range(2))
    return Tables(views, mix, worth, zeros(device, sets))


def _scratch(shape: Any) -> Own:
    levels, whole = shape.moves + 1, np.int64
    by_action, by_player = (levels, shape.actions), (levels, shape.players)
    return Own(
        state=np.zeros((levels, shape.words), whole),
        choice=np.zeros(by_action, whole),
        odds=np.zeros(by_action),
        reach=np.zeros(by_player),
        link=np.zeros(by_player, whole),
        sum=np.zeros(by_player),
        frame=np.zeros((levels, 5), whole),
        last=np.zeros(shape.players, whole),
        number=np.zeros(shape.players, whole),
        weighed=np.zeros(shape.actions, whole),
        share=np.zeros(shape.actions),
    )


def new_sweep(tables: Tables, shape: Any, device: str, rule: int = BEST) -> tuple[Rising, Nothing]:
    """The work of sweeps, which does not change the tables' own worths but a copy that is to be put into it."""
    worth, root = empty(device, tables.worth.shape, np.float64), empty(device, shape.players, np.float64)
    return Rising(tables.mix, worth, tables.parent, root, shape.actions, 0, rule, 1), Nothing(np.zeros(1))


def _swept(tables: Tables, shape: Any, device: str, cores: int | None, rule: int) -> tuple[float, ...]:
    """[player] what the root is worth after sweeps up the trees of sets."""
    lanes = on(device, *new_sweep(tables, shape, device, rule), cores=cores)
    lanes.put("worth", tables.worth)
    for depth in range(shape.moves, -1, -1):
        lanes.change(depth=depth, lanes=lanes.width)
        lanes.run(0, lanes.width)
    return tuple(np.array(lanes.there.root).tolist())
