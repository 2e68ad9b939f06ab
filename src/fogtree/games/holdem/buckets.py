"""Buckets: a card abstraction of hold'em with perfect recall, as in Zinkevich et al. 2007.

A player forgets the cards and remembers one number a round, the *bucket*, from 0 (weak) to k - 1 (strong). Before the flop
all hands are ordered by E[HS^2] (`strength.py`) and cut into k parts of equal probability. In each later round the same is
done within each sequence of earlier buckets: all hands and boards that led to that sequence are ordered by E[HS^2] there, and
cut into k parts. Hands of equal value stay together: such a group goes to the part in which its middle lies.

A player's *sequence* in a round is the number b1 * k^r + b2 * k^(r-1) + ... whose digits in base k are the buckets so far, so
sequences that begin alike are neighbours. The cuts are found by counting all deals, not by sampling: on the full deck that
is 5 billion hands on boards, and so the cuts are kept on disk as well.
"""

import functools
import os
import pathlib
from typing import Any, NamedTuple

import numpy as np

from ... import dice
from ...errors import Invalid
from ...game import NONE
from ...kernels import cache_folder, kernel
from ...kernels.bits import highest
from ...kernels.lanes import CPU
from ...strategy import read_npz, write_npz
from ...walk.slices import Progress, Watcher, whole
from .bucketed import BucketTypes
from .cards import bit, strength
from .deck import Deck
from .rules import BOARD, DEALT, HOLE, LINE
from .strength import UNIT, Hands, Strengths, all_hands, all_sets, canonical, file_of, fill_rows, hand_number, strengths
from .table_lanes import tallied

FORMAT = 1
MOST_BUCKETS = 16  # in a round
NEVER = UNIT + 1  # a cut that no value reaches


class Bucketing(NamedTuple):
    """Buckets as compiled code reads them, and a bucketing by which `transforms/abstraction.py` makes hold'em smaller."""

    k: int
    cut: np.ndarray  # [round, sequence before, k - 1] a value is in bucket b if it reaches b of the cuts
    strengths: Strengths
    hands: Hands

    def __repr__(self):
        return f"Bucketing(k={self.k})"

    def bucket(self, stage, before, value):
        """The bucket of a value in a round, after a sequence of buckets."""
        reached = np.int64(0)
        for i in range(self.k - 1):
            reached += np.int64(value >= self.cut[stage, before, i])
        return reached

    def line(self, state):
        """The betting so far, as a state holds it."""
        return state[LINE]

    def sequence(self, game, state, player):
        """A player's sequence so far."""
        return self.known(game, state, player)[0]

    def known(self, game, state, player):
        """A player's sequence so far, and in how many rounds all cards have been dealt."""
        found, board, shown = np.int64(0), np.int64(0), 0
        if state[DEALT] < game.hole * (1 + player):
            return found, 0
        hand = hand_number(state[HOLE + 2 * player], state[HOLE + 2 * player + 1], game.hole)
        for stage in range(game.rounds):
            if game.due(stage) > state[DEALT] and stage > 0:
                return found, stage
            while shown < game.due(stage) - 2 * game.hole:
                board |= bit(state[BOARD + shown], game.suits)
                shown += 1
            found = self.k * found + self.bucket(stage, found, self.strengths.look(board, hand))
        return found, game.rounds

    def view(self, game, state, player):
        """All that a player remembers: the betting, and the buckets so far."""
        line, key = state[LINE], np.int64(1)
        for shift in range(highest(line) - 2, -1, -2):
            word = line >> shift & 3
            if word:
                key = 3 * key + word - 1
        sequence, stages = self.known(game, state, player)
        return (key * self.k**game.rounds + sequence) * (game.rounds + 1) + stages

    def follow(self, stage, board, before, after):
        """The sequences of all hands after one more round, from those before it, NONE for a hand that holds a card of the
        board. `before` and `after` may be one array."""
        row, exchange = self.strengths.row(board)
        turned, value = self.strengths.turned[exchange], self.strengths.value[row]
        for h in range(after.shape[0]):
            known = before[h]
            if known == NONE or self.hands.word[h] & board:
                after[h] = NONE
            else:
                after[h] = self.k * known + self.bucket(stage, known, value[turned[h]])


# --- dealing ---


class Dealer(NamedTuple):
    """Samples deals, for solvers that ask for what the players remember and who wins, and for nothing else."""

    game: Any
    bucketing: Bucketing

    def deal(self, random, out):
        """Write the sequences of both players in the last round, and +1, 0 or -1 as player 0 wins, ties or loses."""
        game, bucketing = self.game, self.bucketing
        k, table, word = bucketing.k, bucketing.strengths, bucketing.hands.word
        me, deck = draw_hand(game, np.int64(0), random)
        other, deck = draw_hand(game, deck, random)
        board, shown, mine, theirs = np.int64(0), 0, np.int64(0), np.int64(0)
        for stage in range(game.rounds):
            while shown < game.due(stage) - 2 * game.hole:
                card = draw_card(game, deck, random)
                deck |= np.int64(1) << card
                board |= bit(card, game.suits)
                shown += 1
            row, exchange = table.row(board)
            mine = k * mine + bucketing.bucket(stage, mine, table.value[row, table.turned[exchange, me]])
            theirs = k * theirs + bucketing.bucket(stage, theirs, table.value[row, table.turned[exchange, other]])
        lead = strength(word[me] | board) - strength(word[other] | board)
        out[0], out[1], out[2] = mine, theirs, np.int64(lead > 0) - np.int64(lead < 0)


@kernel
def deal_many(dealer, random, out):
    """Sample deals into the rows of out [deals, 3]."""
    for n in range(out.shape[0]):
        dealer.deal(random, out[n])


def draw_hand(game, deck, random):
    """The number of a hand that is dealt, and the dealt cards as bits with it."""
    card = draw_card(game, deck, random)
    deck |= np.int64(1) << card
    if game.hole == 1:
        return card, deck
    second = draw_card(game, deck, random)
    deck |= np.int64(1) << second
    return hand_number(min(card, second), max(card, second), 2), deck


def draw_card(game, deck, random):
    """A card that has not been dealt; fewer than all have been."""
    card = dice.below(random, game.deck())
    while deck >> card & 1:
        card = dice.below(random, game.deck())
    return card


# --- finding the cuts ---


@kernel
def count_values(game, bucketing, stage, flop, weight, begin, end, single, scratch, tally):
    """Count the values of all hands in a round, tally[sequence before, value], over the flops from `begin` to `end` - 1 and
    all that may follow. scratch [3, hands]."""
    hands, table = bucketing.hands, bucketing.strengths
    cards = single.shape[0]
    opening, second, third = scratch[0], scratch[1], scratch[2]
    for h in range(hands.word.shape[0]):
        opening[h] = bucketing.bucket(0, 0, table.value[0, h])
    for f in range(begin, end):
        if stage == 1:
            tally_row(hands, table, flop[f], opening, weight[f], tally)
            continue
        bucketing.follow(1, flop[f], opening, second)
        for c in range(cards):
            if single[c] & flop[f]:
                continue
            turn = flop[f] | single[c]
            if stage == 2:
                tally_row(hands, table, turn, second, weight[f], tally)
                continue
            bucketing.follow(2, turn, second, third)
            for d in range(cards):
                if not single[d] & turn:
                    tally_row(hands, table, turn | single[d], third, weight[f], tally)


def tally_row(hands, table, board, before, weight, tally):
    """Count the values of all hands on one board. The last row of the tally takes hands that are not possible."""
    row, exchange = table.row(board)
    turned, value, none = table.turned[exchange], table.value[row], tally.shape[0] - 1
    for h in range(before.shape[0]):
        known = none if (hands.word[h] & board) | (before[h] == NONE) else before[h]
        tally[known, value[turned[h]]] += weight


def cuts_of(tally: np.ndarray, k: int) -> np.ndarray:
    """[k - 1] the cuts of counted values: a value belongs to the part in which the middle of its group lies."""
    total = tally.sum()
    if total == 0:
        return np.full(k - 1, NEVER)
    twice = 2 * (np.cumsum(tally) - tally) + tally  # what is below a value and half of what equals it, times 2
    part = np.minimum(twice * k // (2 * total), k - 1)
    part[tally == 0] = 0
    part = np.maximum.accumulate(part)
    return np.searchsorted(part, np.arange(1, k))  # of a part without values, the first value that is beyond it


def make_cuts(game: Any, k: int, table: Strengths, progress: Watcher | None = None, device: str = CPU) -> np.ndarray:
    """The cuts of all rounds. `progress` is called with the number of flops that were counted."""
    hands = all_hands(game)
    cut = np.full((game.rounds, k ** (game.rounds - 1), k - 1), NEVER, np.int64)
    if game.rounds == 1:
        cut[0, 0] = cuts_of(np.bincount(table.value[0], minlength=table.top + 1), k)
        return cut
    cut[0, 0] = cuts_of(np.bincount(table.value[0], minlength=UNIT + 1), k)
    flop, weight = np.unique(canonical(all_sets(game, game.flop))[0], return_counts=True)
    single = all_sets(game, 1)
    scratch = np.zeros((3, len(hands.word)), np.int64)
    for stage in range(1, game.rounds):
        values = table.top + 1 if stage == game.rounds - 1 else UNIT + 1
        made = Bucketing(k, cut, table, hands)
        if device != CPU:
            counted = tallied(game, made, stage, flop, weight, values, device)
            cut[stage, : k**stage] = [cuts_of(row, k) for row in counted]
            continue
        tally = np.zeros((k**stage + 1, values), np.int64)

        def fill(begin, end, stage=stage, tally=tally, made=made) -> None:
            count_values(game, made, stage, flop, weight, begin, end, single, scratch, tally)

        def tell(row, stage=stage) -> None:
            if progress:
                progress(Progress(f"flops, round {stage + 1}", row, len(flop)))

        fill_rows(fill, 0, len(flop), tell, first=1)
        for before in range(k**stage):
            cut[stage, before] = cuts_of(tally[before], k)
    return cut


class Buckets:
    """The buckets of a game, k in each round.

        buckets = Buckets(Holdem(ranks=5, suits=4), 5)
        buckets.deals(1000, dice.seeded(1))      both players' sequences in the last round, and who wins

    Tables and cuts come from the folder, by default the cache folder, or are made and kept there.
    """

    def __init__(
        self,
        game: Any,
        k: int,
        *,
        folder: str | os.PathLike | None = None,
        progress: Watcher | None = None,
        device: str = CPU,
    ):
        self.game, self.k = game, whole(k, "the number of buckets", least=1)
        if self.k > MOST_BUCKETS:
            raise Invalid(f"the number of buckets must be at most {MOST_BUCKETS}, not {k}")
        table = strengths(game, folder=folder, progress=progress, device=device)
        folder = cache_folder() if folder is None else pathlib.Path(folder)
        path = folder / f"{self.file('buckets')}-{self.k}-v{FORMAT}.npz"
        cut = _read(path, (game.rounds, self.k ** (game.rounds - 1), self.k - 1))
        if cut is None:
            cut = make_cuts(game, self.k, table, progress, device)
            _write(path, cut)
        self.bucketing = Bucketing(self.k, cut, table, all_hands(game))

    @functools.cached_property
    def cards(self) -> Deck:
        """The deck, whose types are the sequences of buckets."""
        return Deck(self.game, BucketTypes(self))

    @property
    def bet(self) -> float:
        """The small bet in units of payoff."""
        return float(self.game.bet_size(0))

    def file(self, what: str) -> str:
        """The beginning of the name of a file for something that was made of the cards."""
        return file_of(self.game, what)

    def deals(self, count: int, random: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Sample so many deals: player 0's sequences, player 1's, and +1, 0 or -1 as player 0 wins, ties or loses."""
        out = np.zeros((whole(count, "deals"), 3), np.int64)
        deal_many(self.dealer(), random, out)
        return out[:, 0], out[:, 1], out[:, 2]

    def dealer(self) -> Dealer:
        """What samples deals in compiled code."""
        return Dealer(self.game, self.bucketing)


def _read(path: pathlib.Path, shape: tuple[int, ...]) -> np.ndarray | None:
    """The cuts of a file; None if there is none, or if it is damaged."""
    try:
        cut = read_npz(path, {"cut"})["cut"]
    except Invalid:
        return None
    return cut if cut.shape == shape and cut.dtype == np.int64 else None


def _write(path: pathlib.Path, cut: np.ndarray) -> None:
    """Keep the cuts; where that is not possible, they stay in memory alone."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_npz(path, cut=cut)
    except (OSError, Invalid):
        return
