"""Local best response: a lower bound on how exploitable a poker player is (Lisý and Bowling 2017).

The responder knows the other's strategy, and so at every moment how likely each of the other's hands is: the *range*, which
shrinks as the other acts. It does not look ahead through the betting. At each own decision it compares

    fold     what has been paid is lost
    call     as if both only checked and called from here on: the stake at that showdown, times win minus loss
    raise    the other folds as their strategy says, and those who do not fold check and call from here on

and takes the best. Win and loss are against the range, averaged over sampled boards. Whatever it does, it is a way to play,
so its mean payoff is at most that of a best response: a lower bound, and its interval comes from the sampled boards.

To need fewer boards, the other's hand is never drawn. Their action is drawn from what the whole range does, and at the end
the payoff is the mean over the range.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from .. import dice
from ..errors import Invalid
from ..game import NONE, OVER
from ..kernels import kernel
from ..solvers.public.cards import PublicCards, all_hands
from ..solvers.public.lines import TypePlan
from ..walk.slices import Progress, Watcher, whole
from .intervals import NORMAL

FOLD, CALL, RAISE = 0, 1, 2  # the actions of limit poker
BLOCKED = -1  # the strength of a hand that shares a card with the board


class OpenBook(NamedTuple):
    """A betting tree and how the other plays, for compiled code."""

    player: np.ndarray  # [nodes]
    stage: np.ndarray  # [nodes]
    to: np.ndarray  # [nodes, 3] the children by action, NONE where there is none
    calm: np.ndarray  # [nodes] the stake of the showdown to which checks and calls lead
    scale: np.ndarray  # [nodes] player 0's payoff at a fold, the stake at a showdown
    shown: np.ndarray  # [nodes] whether an end is a showdown
    block: np.ndarray  # [nodes] where the other's probabilities begin
    types: np.ndarray  # [stages]
    odds: np.ndarray  # the other's probabilities, [action, type] of each node


class Dealt(NamedTuple):
    """One board, and what the responder and the other make of it."""

    types: np.ndarray  # [stages, hands]
    strength: np.ndarray  # [rollouts, hands] on boards that continue a stage's; BLOCKED where a hand shares a card
    first: np.ndarray  # [stages + 1] which rollouts belong to a stage; the last one is the board itself
    low: np.ndarray  # [hands]
    high: np.ndarray  # [hands]
    range: np.ndarray  # [hands] scratch


class LocalResponse(NamedTuple):
    """What local best response gets, a game, in the units of the game."""

    value: float
    half: float  # of the 95 % interval of the value
    boards: int
    games: int


def equity(dealt, hand, stage, odds, at, share):
    """Win minus loss of a hand against the range, averaged over the rollouts of a stage; with `share`, against those of the
    range that do not take the action whose probabilities begin at `at`."""
    lead, mass = 0.0, 0.0
    for r in range(dealt.first[stage], dealt.first[stage + 1]):
        mine = dealt.strength[r, hand]
        if mine == BLOCKED:
            continue
        for h in range(dealt.range.shape[0]):
            theirs = dealt.strength[r, h]
            if theirs == BLOCKED or dealt.range[h] == 0.0:
                continue
            weight = dealt.range[h]
            if share:
                weight *= 1.0 - odds[at + dealt.types[stage, h]]
            mass += weight
            if mine > theirs:
                lead += weight
            elif mine < theirs:
                lead -= weight
    return lead / mass if mass > 0.0 else 0.0


@kernel
def play(book, dealt, me, hand, random):
    """The responder's payoff with one hand on one board: the mean over the other's hands."""
    sign = 1.0 if me == 0 else -1.0
    last = dealt.first.shape[0] - 2
    final = dealt.first[last]  # the board itself
    total = 0.0
    for h in range(dealt.range.shape[0]):
        apart = (dealt.low[h] != dealt.low[hand]) & (dealt.low[h] != dealt.high[hand])
        apart &= (dealt.high[h] != dealt.low[hand]) & (dealt.high[h] != dealt.high[hand])
        # The responder does not know which hands a later card will rule out, but the other cannot hold them: they are in
        # the range by which the responder decides, and not among the hands that act and pay.
        dealt.range[h] = 1.0 if apart else 0.0
        total += dealt.range[h] if dealt.strength[final, h] != BLOCKED else 0.0
    n = 0
    for _ in range(book.player.shape[0]):
        if book.player[n] == OVER:
            break
        stage = book.stage[n]
        width = book.types[stage]
        if book.player[n] == me:
            n = book.to[n, chosen(book, dealt, hand, n, sign)]
            continue
        # the other: draw from what the range does, and keep those who do it
        left, action = dice.unit(random) * total, NONE
        for a in range(3):
            if book.to[n, a] == NONE:
                continue
            at, mass = book.block[n] + place(book, n, a) * width, 0.0
            for h in range(dealt.range.shape[0]):
                if dealt.strength[final, h] != BLOCKED:
                    mass += dealt.range[h] * book.odds[at + dealt.types[stage, h]]
            if mass > 0.0:
                action = a
            left -= mass
            if left < 0.0 and action != NONE:
                break
        at = book.block[n] + place(book, n, action) * width
        total = 0.0
        for h in range(dealt.range.shape[0]):
            dealt.range[h] *= book.odds[at + dealt.types[stage, h]]
            total += dealt.range[h] if dealt.strength[final, h] != BLOCKED else 0.0
        n = book.to[n, action]
    if not book.shown[n]:
        return sign * book.scale[n]
    return book.scale[n] * equity(dealt, hand, last, book.odds, 0, False)


def place(book, n, action):
    """Which of a node's actions this one is."""
    before = 0
    for a in range(action):
        before += book.to[n, a] != NONE
    return before


def chosen(book, dealt, hand, n, sign):
    """The action that looks best."""
    stage = book.stage[n]
    best = book.calm[n] * equity(dealt, hand, stage, book.odds, 0, False)
    action = CALL
    if book.to[n, RAISE] != NONE:
        m = book.to[n, RAISE]
        at = book.block[m]  # of folding, the first action of whoever faces a raise
        folding, mass = 0.0, 0.0
        seen = dealt.first[stage]  # a rollout: it rules out the hands that the board does, and a few by chance
        for h in range(dealt.range.shape[0]):
            if dealt.strength[seen, h] != BLOCKED:
                folding += dealt.range[h] * book.odds[at + dealt.types[stage, h]]
                mass += dealt.range[h]
        share = folding / mass if mass > 0.0 else 0.0
        won = sign * book.scale[book.to[m, FOLD]]
        value = share * won + (1.0 - share) * book.calm[m] * equity(dealt, hand, stage, book.odds, at, True)
        if value > best:
            best, action = value, RAISE
    if book.to[n, FOLD] != NONE and sign * book.scale[book.to[n, FOLD]] > best:
        action = FOLD
    return action


def local_response(
    cards: PublicCards,
    plan: TypePlan,
    player: int,
    *,
    boards: int = 200,
    hands: int = 50,
    rollouts: int = 20,
    seed: int = 0,
    progress: Watcher | None = None,
) -> LocalResponse:
    """What a player gets by local best response to the other's plan: the mean of so many hands on each of so many boards."""
    if player not in (0, 1):
        raise Invalid(f"a player is 0 or 1, not {player}")
    boards, hands = whole(boards, "boards", least=2), whole(hands, "hands", least=1)
    book, random, chooser = book_of(plan, 1 - player), dice.seeded(seed), np.random.default_rng([seed, 1])
    pairs = all_hands(cards.cards, cards.hole)
    means = np.zeros(boards)
    for b in range(boards):
        dealt = _dealt(cards, pairs, whole(rollouts, "rollouts", least=1), chooser)
        live = np.flatnonzero(dealt.strength[-1] != BLOCKED)
        drawn = chooser.choice(live, hands)
        means[b] = np.mean([play(book, dealt, player, int(hand), random) for hand in drawn])
        if progress:
            progress(Progress("boards", b + 1, boards))
    half = NORMAL * float(means.std(ddof=1)) / math.sqrt(boards)
    return LocalResponse(float(means.mean()), half, boards, boards * hands)


def _dealt(cards: PublicCards, pairs: np.ndarray, rollouts: int, chooser: Any) -> Dealt:
    stages, sizes = len(cards.dealt), np.cumsum(cards.dealt)
    drawn = chooser.choice(cards.cards, sizes[-1], replace=False)
    board = tuple(int(card) for part in np.split(drawn, sizes[:-1]) for card in np.sort(part))
    types, strength, first = [], [], [0]
    for stage in range(stages):
        known = board[: sizes[stage]]
        types.append(np.where(_blocked(pairs, known), 0, cards.types(stage, known)))  # what stands there may be no type
        missing = int(sizes[-1] - sizes[stage])
        left = np.setdiff1d(np.arange(cards.cards), known)
        for _ in range(rollouts if missing else 1):
            more = chooser.choice(left, missing, replace=False).tolist() if missing else []
            full = (*known, *more)
            strength.append(np.where(_blocked(pairs, full), BLOCKED, cards.strength(full)))
        first.append(len(strength))
    low, high = pairs[:, 0], pairs[:, -1]
    lists = np.array(types), np.array(strength), np.array(first)
    return Dealt(*lists, np.ascontiguousarray(low), np.ascontiguousarray(high), np.zeros(len(pairs)))


def _blocked(pairs: np.ndarray, board: tuple[int, ...]) -> np.ndarray:
    """[hands] whether they share a card with the board."""
    return np.logical_or.reduce(np.isin(pairs, board), axis=1)


def book_of(plan: TypePlan, other: int) -> OpenBook:
    """A plan as the responder reads it."""
    tree = plan.tree
    count = len(tree.player)
    to = np.full((count, 3), NONE)
    for n in range(1, count):
        if tree.action[n] not in (FOLD, CALL, RAISE):
            raise Invalid("local best response is for limit poker, whose actions are 0 fold, 1 call and 2 raise")
        to[tree.parent[n], tree.action[n]] = n
    shown = tree.shown()
    calm = np.zeros(count)
    for n in range(count - 1, -1, -1):  # children come after parents
        calm[n] = (tree.scale[n] if shown[n] else 0.0) if tree.player[n] == OVER else calm[to[n, CALL]]
    types = np.array([len(cut) - 1 for cut in plan.cuts])
    block, tables, size = np.zeros(count, np.int64), [], 0
    for n in np.flatnonzero(tree.player == other).tolist():
        block[n] = size
        tables.append(np.asarray(plan.table(n), np.float32).ravel())
        size += len(tables[-1])
    odds = np.concatenate(tables)
    return OpenBook(tree.player, tree.stage, to, calm, tree.scale, shown, block, types, odds)
