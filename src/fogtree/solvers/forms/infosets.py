"""The information sets of a game, player by player, and the sweeps over them that everything exact is made of.

A player's sequence is the list of their own actions, and what they saw between them, up to some point. Each player has a
tree of information sets: a set hangs on the sequence that leads to it and carries one longer sequence for each of its
actions. `Recorder` is the visitor of a walk that writes these trees down. What is kept of the ends of the game is handed in:
pairs of sequences for two players (`sequence.py`), one sequence of each player for any number (`general.py`).

Sets with only one action get no sequence of their own, because nothing is decided there; their ends belong to the sequence
before.

Numbering: sets and sequences are numbered in the order in which the walk meets them, so parents come before children:
forwards is roots first, backwards is leaves first. Sequence 0 is the empty one.
"""

from typing import Any, NamedTuple

import numpy as np

from ...errors import Invalid
from ...game import CHANCE, NONE, OVER
from ...kernels import STEP, kernel
from ...text.naming import name
from ...trouble import UNEQUAL
from ...walk import table as tables
from ...walk.estimate import TooLarge as TooLarge  # which enumerating raises

EMPTY = 0  # the sequence of nothing
FINE, FORGETFUL, UNBALANCED = 0, -21, -22  # beside trouble.py's numbers: what the walk may find wrong
ACTIONS, WRONG, WHERE, WORDS = 0, 1, 2, 3  # words of `used`
INFOSET_BYTES = 120


class InfosetTree(NamedTuple):
    """One player's information sets at which there is a choice, each after those that lead to it."""

    view: np.ndarray  # [infosets]
    parent: np.ndarray  # [infosets] the sequence that leads here
    first: np.ndarray  # [infosets + 1] the set's own sequences are first[i] to first[i + 1] - 1; first[0] = 1
    action: np.ndarray  # [sequences] the action that ends a sequence

    def infosets(self):
        return self.parent.shape[0]

    def sequences(self):
        return self.first[-1]

    def span(self, i):
        """From where to where the set's own sequences go. Indices are unsigned: signed ones may count from the end of an
        array, and asking each time costs a third of the speed."""
        return np.uint64(self.first[i]), np.uint64(self.first[i + 1])


def plan_from(tree, probability, plan):
    """Write the plan of a behaviour strategy, given by sequence: plan[s] = product of the probabilities on the way."""
    plan[EMPTY] = 1.0
    for i in range(tree.parent.shape[0]):
        reach = plan[np.uint32(tree.parent[i])]
        low, high = tree.span(i)
        for s in range(low, high):
            plan[s] = reach * probability[s]


def respond(tree, worth, best):
    """Leaves first, give each set its best action, best[i], and add its worth to the sequence before it.

    worth[s] comes in as what the ends right after s are worth against the other's plan, and goes out with all that follows;
    worth[EMPTY] is then the value of the best response.
    """
    for i in range(tree.parent.shape[0] - 1, -1, -1):
        low, high = tree.span(i)
        top = low
        for s in range(low, high):
            if worth[s] > worth[top]:
                top = s
        best[i] = top
        worth[np.uint32(tree.parent[i])] += worth[top]


write_plan = kernel(plan_from)
best_actions = kernel(respond)


def planned(tree: InfosetTree, probability: np.ndarray) -> np.ndarray:
    """The plan of a behaviour strategy, given by sequence."""
    plan = np.empty(len(probability))
    write_plan.briefly(STEP * len(plan), tree, probability, plan)
    return plan


def uniform_mix(tree: InfosetTree) -> np.ndarray:
    """[sequence] the probability of its last action, if all actions of a set are as likely."""
    width = np.diff(tree.first)
    return np.append(1.0, np.repeat(1.0 / width, width))


class Recorder(NamedTuple):
    """The visitor that writes infosets down as the walk meets them. `ends` keeps what the ends pay; it has the methods
    `room()` and `note(game, state, sequence, reach)`, which returns FINE or what is wrong."""

    table: Any
    owner: np.ndarray  # [infosets] the player
    view: np.ndarray  # [infosets]
    parent: np.ndarray  # [infosets]
    first: np.ndarray  # [infosets] first sequence, in the owner's numbering
    width: np.ndarray  # [infosets] how many actions
    action: np.ndarray  # [all sequences of all players, in order of the sets]
    sequences: np.ndarray  # [players] so far
    used: np.ndarray  # [3] actions | what is wrong | the view where
    sequence: np.ndarray  # [depth, players] each player's sequence at a history on the path
    base: np.ndarray  # [depth] first sequence of the set there, or NONE where nothing is decided
    mover: np.ndarray  # [depth]
    reach: np.ndarray  # [depth] by chance alone
    odds: np.ndarray  # [depth, actions]
    ends: Any

    def room(self):
        return (
            not self.table.full()
            and self.table.used[0] < self.owner.shape[0]
            and self.used[ACTIONS] + self.odds.shape[1] <= self.action.shape[0]
            and self.ends.room()
            and self.used[WRONG] == FINE
        )

    def enter(self, game, state, player, action, count, depth):
        if player == OVER:
            wrong = self.ends.note(game, state, self.sequence[depth], self.reach[depth])
            if wrong != FINE:
                self.used[WRONG] = wrong
            return 0
        self.mover[depth] = player
        self.base[depth] = NONE
        if player == CHANCE:
            game.odds(state, self.odds[depth])
        elif count > 1:
            view, parent = game.view(state, player), self.sequence[depth, player]
            self.base[depth] = self.infoset(view, player, action, count, parent)
        return count

    def infoset(self, view, player, action, count, parent):
        """The first sequence of a set, which is entered if it is new."""
        known = self.table.used[0]
        i = self.table.add(view, player)
        if i == known:
            self.owner[i], self.view[i], self.parent[i], self.width[i] = player, view, parent, count
            self.first[i] = self.sequences[player]
            self.sequences[player] += count
            for a in range(count):
                self.action[self.used[ACTIONS] + a] = action[a]
            self.used[ACTIONS] += count
        elif self.parent[i] != parent or self.width[i] != count:
            self.used[WRONG] = FORGETFUL if self.parent[i] != parent else UNEQUAL
            self.used[WHERE] = view
        return self.first[i]

    def descend(self, depth, position):
        for player in range(self.sequence.shape[1]):
            self.sequence[depth + 1, player] = self.sequence[depth, player]
        self.reach[depth + 1] = self.reach[depth]
        if self.base[depth] != NONE:
            self.sequence[depth + 1, self.mover[depth]] = self.base[depth] + position
        elif self.mover[depth] == CHANCE:
            self.reach[depth + 1] *= self.odds[depth, position]


def new_recorder(shape: Any, ends: Any) -> Recorder:
    """A recorder with a little room."""
    depth, room = shape.moves + 1, 1 << 12
    return Recorder(
        table=tables.empty(1 << 13),
        owner=np.zeros(room, np.int8),
        view=np.zeros(room, np.int64),
        **{field: np.zeros(room, np.int32) for field in ("parent", "first", "width")},
        action=np.zeros(max(4 * room, shape.actions), np.int32),
        sequences=np.ones(shape.players, np.int64),  # sequence 0 of each player is the empty one
        used=np.zeros(WORDS, np.int64),
        sequence=np.zeros((depth, shape.players), np.int32),
        **{field: np.zeros(depth, np.int64) for field in ("base", "mover")},
        reach=np.ones(depth),
        odds=np.zeros((depth, shape.actions)),
        ends=ends,
    )


def more_sets(recorder: Recorder, sets: int = 1) -> Recorder:
    """The recorder with room for so many more infosets, if it has none; all but one of them have a single action."""
    if recorder.table.full():
        recorder = recorder._replace(table=recorder.table.grown())
    if recorder.table.used[0] + sets > len(recorder.owner):
        recorder = longer(recorder, "owner", "view", "parent", "first", "width")
    if recorder.used[ACTIONS] + recorder.odds.shape[1] + sets - 1 > len(recorder.action):
        recorder = longer(recorder, "action")
    return recorder


def require_room(game: Any, recorder: Recorder, entries: int, taken: float, cap: float) -> None:
    """Raise `TooLarge` if the infosets and what else is `taken`, in bytes, are more than the cap."""
    infosets = int(recorder.table.used[0])
    if infosets * INFOSET_BYTES + taken > cap:
        raise TooLarge(
            f"{name(game)} does not fit in {cap / 2**30:.1f} GiB: {infosets:,} information sets and {entries:,} paying ends "
            "so far; raise memory=, or sample it with fogtree.MCCFR"
        )


def complain(game: Any, recorder: Recorder) -> None:
    """Raise `Invalid` if the walk has found something wrong."""
    wrong, view = recorder.used[WRONG], recorder.used[WHERE]
    if wrong != FINE:
        raise Invalid(sentence_about(name(game), wrong, view))


def sentence_about(game: str, wrong: int, view: int) -> str:
    """What is wrong with a game of this name, in a sentence."""
    if wrong == FORGETFUL:
        return f"{game} has imperfect recall: view {view} is reached by different own actions"
    if wrong == UNEQUAL:
        return f"{game} has states with the same view {view} but different numbers of actions"
    return f"{game} is not zero-sum: at some end the payoffs do not sum to 0"


def tree_of(recorder: Recorder, player: int) -> InfosetTree:
    """The tree of a player, when the walk is over."""
    infosets = int(recorder.table.used[0])
    mine = recorder.owner[:infosets] == player
    width = recorder.width[:infosets]
    first = np.append(recorder.first[:infosets][mine], recorder.sequences[player]).astype(np.int32)
    actions = recorder.action[: recorder.used[ACTIONS]][np.repeat(mine, width)]
    return InfosetTree(
        recorder.view[:infosets][mine].copy(),
        recorder.parent[:infosets][mine].copy(),
        first,
        np.append(np.int32(NONE), actions).astype(np.int32),
    )


def bytes_of(arrays: Any) -> int:
    """What the arrays of a tuple, and of the tuples in it, take in all."""
    return sum(bytes_of(part) if isinstance(part, tuple) else getattr(part, "nbytes", 0) for part in arrays)


def longer(arrays: Any, *fields: str) -> Any:
    """A tuple whose arrays of these names have twice the room."""
    named = [(field, getattr(arrays, field)) for field in fields]
    return arrays._replace(**{field: np.concatenate([array, np.zeros_like(array)]) for field, array in named})
