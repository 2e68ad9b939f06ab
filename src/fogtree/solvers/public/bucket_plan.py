"""How a game solved on buckets plays: a probability for each decision of the betting, sequence of buckets and action.

A table from views would be large: with 5 buckets a round, hold'em has 3.6 million information sets. A plan needs none. The
betting so far leads to a decision of the betting tree (`betting.py`), and the cards so far lead to a sequence of buckets
(`cards.py`). The rows of a decision lie one after the other, a row for each sequence, so the two numbers give the row.

    plan = BucketPlan.from_tables(game, 5, cfr.table)       of MatrixCFR or ChanceSampled
    plan.save("k5.npz"), BucketPlan.load("k5.npz", game)
    duel(game, plan, Always(1))                             wherever a strategy is taken

Files hold the probabilities in 16 bits.
"""

import functools
import os
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ...errors import Invalid
from ...game import NONE, OVER, identity
from ...kernels.bits import highest
from ...strategy import read_npz, write_npz
from .betting import betting_tree, nested
from .cards import bucketed
from .lines import TypePlan

FORMAT = 1
ACTIONS = 3  # fold, call, raise
SURE = 65_535  # the number that stands for a probability of 1
FIELDS = {"format", "rules", "k", "holdem", "share"}  # "holdem": the game's parameters, as the first files called them


class BucketPolicy(NamedTuple):
    """A plan as a policy (`policy.py`) of the real game."""

    bucketing: Any
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
        line, n = self.bucketing.line(state), 0
        for shift in range(highest(line) - 2, -1, -2):
            word = line >> shift & 3
            if word:
                n = self.to[n, word - 1]
        return n


class Layout(NamedTuple):
    """The decisions of a game's betting, and where their rows are for so many buckets."""

    node: np.ndarray  # [decisions] in the betting tree
    action: list[list[int]]  # [decision] its actions
    to: np.ndarray  # [decisions, action] the next decision; NONE where an end or no action is
    block: np.ndarray  # [decisions + 1]


@functools.lru_cache(maxsize=4)
def layout(game: Any, k: int) -> Layout:
    """Decisions in the order of the betting tree."""
    tree = betting_tree(game)
    node = np.flatnonzero(tree.player != OVER)
    place = {n: at for at, n in enumerate(node.tolist())}
    to, action = np.full((len(node), ACTIONS), NONE), []
    for at, n in enumerate(node.tolist()):
        below = tree.below(n)
        action.append([int(tree.action[c]) for c in below])
        for c in below:
            to[at, tree.action[c]] = place.get(c, NONE)
    return Layout(node, action, to, np.concatenate([[0], np.cumsum(k ** (tree.stage[node] + 1))]))


class BucketPlan:
    """A strategy that sees the cards through k buckets a round."""

    def __init__(self, game: str, parameters: np.ndarray, k: int, share: np.ndarray):
        self.game, self.parameters = game, parameters  # the game's identity, and its fields
        self.k, self.share = k, share  # share [sequences of all decisions, action] in 16 bits

    @classmethod
    def from_tables(cls, game: Any, k: int, table: Callable[[int], np.ndarray]) -> "BucketPlan":
        """From table(node), the probabilities [action, sequence] at a decision node of the betting tree."""
        parts = layout(game, k)
        share = np.zeros((int(parts.block[-1]), ACTIONS), np.uint16)
        for at, n in enumerate(parts.node.tolist()):
            share[parts.block[at] : parts.block[at + 1], parts.action[at]] = np.rint(SURE * table(n).T)
        return cls(identity(game), np.array(game), k, share)

    def __len__(self) -> int:
        """How many information sets it has."""
        return len(self.share)

    def __repr__(self) -> str:
        return f"<plan of {self.game} on {self.k} buckets: {len(self)} information sets>"

    def belongs_to(self, game: Any) -> None:
        """Raise `Invalid` unless this is a plan of the game."""
        now = identity(game)
        if self.game != now and self.game not in _earlier(game, now):
            raise Invalid(f"this is a plan of {self.game}, not of {now}")
        fits = np.array_equal(self.parameters, np.array(game))
        if not fits or len(self) != layout(game, self.k).block[-1] or self._offers_what_is_not_there(game):
            raise Invalid(f"this is no whole plan of {self.game}: it was cut short or changed")

    def _offers_what_is_not_there(self, game: Any) -> bool:
        """Whether an action has a share at a decision that does not have it."""
        if self._legal is None:
            parts = layout(game, self.k)
            there = np.zeros((len(parts.node), ACTIONS), bool)
            for at, actions in enumerate(parts.action):
                there[at, actions] = True
            self._legal = not self.share[~there.repeat(np.diff(parts.block), axis=0)].any()
        return not self._legal

    _legal: bool | None = None

    def by_type(self, game: Any) -> TypePlan:
        """This plan for `PublicResponse` and `local_response`: the types are the sequences of buckets."""
        self.belongs_to(game)
        parts, tree = layout(game, self.k), betting_tree(game)

        def table(node: int) -> np.ndarray:
            at = int(np.searchsorted(parts.node, node))
            rows = self.share[parts.block[at] : parts.block[at + 1], parts.action[at]].astype(np.float64)
            return (rows / rows.sum(axis=1, keepdims=True)).T

        return TypePlan(tree, nested(self.k, tree.stages), table)

    def policy_of(self, game: Any) -> BucketPolicy:
        """This plan as a policy of the game; the tables of the buckets come from the cache folder or are made."""
        self.belongs_to(game)
        if self._policy is None:
            parts = layout(game, self.k)
            odds = self.share.astype(np.float32)
            odds /= odds.sum(axis=1, keepdims=True)
            self._policy = BucketPolicy(bucketed(game, self.k).bucketing, parts.to, parts.block, odds)
        return self._policy

    _policy: BucketPolicy | None = None

    def mix(self, game: Any, player: int, view: int, world: Callable[[], np.ndarray]) -> dict[int, float]:
        """{action: probability} of a player in a state: the cards are read off one that has the same view."""
        choice, odds = np.zeros(game.shape().actions, np.int64), np.zeros(game.shape().actions)
        with np.errstate(over="ignore"):  # views may be hashes, which wrap round
            count = self.policy_of(game).weigh(game, world(), player, choice, odds)
        return dict(zip(choice[:count].tolist(), odds[:count].tolist(), strict=True))

    def save(self, path: str | os.PathLike) -> None:
        """Write it as .npz. The file appears whole or not at all."""
        write_npz(path, format=np.array(FORMAT), rules=np.array(self.game), k=np.array(self.k),
                  holdem=self.parameters, share=self.share)  # fmt: skip

    @classmethod
    def load(cls, path: str | os.PathLike, game: Any = None) -> "BucketPlan":
        """Read it back; with a game, refuse a file that belongs to another one or to other rules."""
        stored = read_npz(path, FIELDS)
        if stored["format"].tolist() != FORMAT:
            raise Invalid(f"{path} is a plan in format {stored['format']}, this is for format {FORMAT}")
        k, share = stored["k"], stored["share"]
        whole = k.shape == () and k.dtype.kind == "i" and 1 <= k <= len(share)
        if not whole or share.dtype != np.uint16 or share.shape[1:] != (ACTIONS,) or not _sum_to_one(share):
            raise Invalid(f"{path} holds no valid plan: it was cut short or changed")
        plan = cls(str(stored["rules"]), stored["holdem"], int(k), share)
        if game is not None:
            try:
                plan.belongs_to(game)
            except Invalid as error:
                raise Invalid(f"{path} cannot be used: {error}") from None
        return plan


def _sum_to_one(share: np.ndarray) -> bool:
    """Whether each row is a whole probability, as far as rounding each of its shares allows."""
    return bool((abs(share.sum(axis=1, dtype=np.int64) - SURE) < ACTIONS).all())


def _earlier(game: Any, now: str) -> list[str]:
    """What the game was called under earlier versions of its rules that change nothing for a plan."""
    if not hasattr(game, "public_cards"):
        return []
    this = f"rules version {game.version()}"
    return [now.replace(this, f"rules version {version}") for version in getattr(game.public_cards(), "earlier", ())]
