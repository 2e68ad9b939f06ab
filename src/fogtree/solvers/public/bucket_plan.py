"""How a solved abstraction of hold'em plays: a probability for each decision of the betting, sequence of buckets and action.

A strategy of 3.6 million information sets (5 buckets) needs no table of views: the betting leads to a node of the betting
tree (`betting.py`), the cards to a sequence of buckets (`games/holdem/buckets.py`), and the two are a place in an array.

    plan = BucketPlan.from_tables(game, 5, cfr.table)      of MatrixCFR or ChanceSampled
    plan.save("k5.npz"), BucketPlan.load("k5.npz", game)
    duel(game, plan, Always(1))                             wherever a policy is taken

Files hold the probabilities in 16 bits.
"""

import functools
import os
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ...errors import Invalid
from ...game import OVER, identity
from ...games.holdem.buckets import MOST_BUCKETS, Bucketing, Buckets
from ...games.holdem.rules import LINE, Holdem
from ...strategy import read_npz, write_npz
from .betting import betting_tree

FORMAT = 1
ACTIONS = 3  # fold, call, raise
FULL = 65_535  # the number that stands for a probability of 1
NONE = -1  # no decision follows


class BucketPolicy(NamedTuple):
    """A plan as a policy (`policy.py`) of the real game."""

    bucketing: Bucketing
    to: np.ndarray  # [decisions, action] the next decision, or NONE
    block: np.ndarray  # [decisions] where the sequences of a decision begin
    odds: np.ndarray  # [sequences of all decisions, action]

    def weigh(self, game, state, player, choice, odds):
        count = game.actions(state, choice)
        row = self.block[self.decision(state)] + self.bucketing.sequence(game, state, player)
        for a in range(count):
            odds[a] = self.odds[row, choice[a]]
        return count

    def decision(self, state):
        """The decision that the betting so far leads to."""
        line, shift, n = state[LINE], 0, 0
        while line >> (shift + 2):
            shift += 2
        while shift > 0:
            shift -= 2
            word = line >> shift & 3
            if word:
                n = self.to[n, word - 1]
        return n


class Layout(NamedTuple):
    """The decisions of a game's betting, and where their rows are for so many buckets."""

    node: np.ndarray  # [decisions] in the betting tree
    action: list[list[int]]  # [decision] its actions
    to: np.ndarray  # [decisions, action]
    block: np.ndarray  # [decisions + 1]


@functools.lru_cache(maxsize=4)
def layout(game: Any, k: int) -> Layout:
    """Decisions in the order of the betting tree."""
    tree = betting_tree(game)
    node = np.flatnonzero(tree.player != OVER)
    place = {int(n): at for at, n in enumerate(node)}
    to, action = np.full((len(node), ACTIONS), NONE), []
    for at, n in enumerate(node):
        below = tree.child[tree.first[n] : tree.first[n + 1]].tolist()
        action.append([int(tree.action[c]) for c in below])
        for c in below:
            to[at, tree.action[c]] = place.get(c, NONE)
    return Layout(node, action, to, np.concatenate([[0], np.cumsum(k ** (tree.stage[node] + 1))]))


class BucketPlan:
    """A strategy of hold'em on k buckets a round."""

    def __init__(self, game: Holdem, k: int, share: np.ndarray):
        self.game, self.k, self.share = game, k, share  # share [sequences of all decisions, action] in 16 bits

    @classmethod
    def from_tables(cls, game: Holdem, k: int, table: Callable[[int], np.ndarray]) -> "BucketPlan":
        """From table(node), the probabilities [action, sequence] at a decision node of the betting tree."""
        parts = layout(game, k)
        share = np.zeros((int(parts.block[-1]), ACTIONS), np.uint16)
        for at, n in enumerate(parts.node.tolist()):
            share[parts.block[at] : parts.block[at + 1], parts.action[at]] = np.rint(FULL * table(n).T)
        return cls(game, k, share)

    def table(self, node: int) -> np.ndarray:
        """[action, sequence] the probabilities at a decision node of the betting tree."""
        parts = layout(self.game, self.k)
        at = int(np.searchsorted(parts.node, node))
        rows = self.share[parts.block[at] : parts.block[at + 1], parts.action[at]].astype(np.float64)
        return (rows / rows.sum(axis=1, keepdims=True)).T

    def __len__(self) -> int:
        """How many information sets it has."""
        return len(self.share)

    def __repr__(self) -> str:
        return f"<plan of {identity(self.game)} on {self.k} buckets: {len(self)} information sets>"

    def belongs_to(self, game: Any) -> None:
        """Raise `Invalid` unless this is a plan of the game."""
        if identity(self.game) != identity(game):
            raise Invalid(f"this is a plan of {identity(self.game)}, not of {identity(game)}")

    def policy_of(self, game: Any) -> BucketPolicy:
        """This plan as a policy of the game; the tables of the buckets come from the cache folder or are made."""
        self.belongs_to(game)
        return self._policy

    @functools.cached_property
    def _policy(self) -> BucketPolicy:
        parts = layout(self.game, self.k)
        odds = self.share.astype(np.float32)
        odds /= odds.sum(axis=1, keepdims=True)
        return BucketPolicy(Buckets(self.game, self.k).bucketing, parts.to, parts.block, odds)

    def save(self, path: str | os.PathLike) -> None:
        """Write it as .npz. The file appears whole or not at all."""
        write_npz(path, format=np.array(FORMAT), rules=np.array(identity(self.game)), k=np.array(self.k),
                  holdem=np.array(self.game), share=self.share)  # fmt: skip

    @classmethod
    def load(cls, path: str | os.PathLike, game: Any = None) -> "BucketPlan":
        """Read it back; with a game, refuse a file that belongs to another one or to other rules."""
        stored = read_npz(path, {"format", "rules", "k", "holdem", "share"})
        wrong = Invalid(f"{path} holds no valid plan of hold'em: it was cut short or changed")
        if stored["format"].tolist() != FORMAT:
            raise Invalid(f"{path} is a plan in format {stored['format']}, this is for format {FORMAT}")
        if stored["holdem"].shape != (len(Holdem._fields),) or stored["k"].shape != () or stored["k"].dtype.kind != "i":
            raise wrong
        k, share = int(stored["k"]), stored["share"]
        try:
            held = Holdem(*stored["holdem"].tolist())
        except Invalid:
            raise wrong from None
        if str(stored["rules"]) != identity(held):
            raise Invalid(f"{path} is a plan of {stored['rules']}, which has other rules than {identity(held)}")
        plan = cls(held, k, share)
        if game is not None and identity(held) != identity(game):
            raise Invalid(f"{path} is a plan of {identity(held)}, not of {identity(game)}")
        if (
            not 1 <= k <= MOST_BUCKETS
            or share.dtype != np.uint16
            or share.shape != (layout(held, k).block[-1], ACTIONS)
        ):
            raise wrong
        if not share.any(axis=1).all():
            raise wrong
        return plan
