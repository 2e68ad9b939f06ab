"""How good a hand is before all cards are dealt: hand strength, as tables over boards.

The *hand strength* HS of private cards on a whole board is the share of all hands of the other player that they beat, ties
counted as a half. On an earlier board, E[HS^2] is the mean of HS^2 over all ways to complete the board, each equally
likely. The square favours hands that may become very good over those that are middling for sure (Johanson 2007).

Boards that differ only by an exchange of suits are one: a *canonical* board has its lanes of suits (see `cards.py`) in
descending order, and a hand is looked up after the same exchange. Limit hold'em has 134,459 canonical boards of five cards,
16,432 of four and 1,755 of three. A table has a row for each and a column for each hand, in 16 bits:

    on a whole board    2 * wins + ties against all hands of the other player: exact. HS is that number / `top`
    before              E[HS^2] * 65,535, rounded
    on cards of the board   0

On whole boards all hands are sorted by strength. Hands with a card in common cannot meet, so the wins of a hand are all
weaker hands less those that hold one of its cards, counted in one sweep. Earlier boards are averages of later ones. The
tables of the full deck have 406 MB, and are kept on disk in the cache folder, under a digest: a damaged file is made anew.
"""

import hashlib
import itertools
import json
import math
import os
import pathlib
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ...files import appearing
from ...kernels import cache_folder, kernel
from ...kernels.lanes import CPU
from ...walk import table as tables
from ...walk.slices import Budget, Progress, Watcher, in_slices
from .cards import LANE, RANKS, bit, strength

FORMAT = 1  # of the file; raise it when the tables or the way to make them change
UNIT = 65_535  # the number that stands for an E[HS^2] of 1
HAND_BITS = 11  # a hand's number, below 1,326, in the keys that are sorted
CHUNK = 1 << 24  # bytes of a file that are read at once


class Strengths(NamedTuple):
    """The tables. Hands are numbered by `hand_number`."""

    board: tables.Table  # canonical boards to rows, those of a round side by side, from the first round on
    value: np.ndarray  # [rows, hands]
    order: np.ndarray  # [256] the number of an exchange of suits, from its code
    turned: np.ndarray  # [24, hands] which hand it makes of a hand
    top: int  # the value that stands for a HS of 1 on a whole board

    def row(self, board):
        """The row of a board, and the exchange of suits that leads there."""
        word, code = canonical(board)
        return self.board.find(word, 0), self.order[code]

    def look(self, board, hand):
        """The value of a hand on a board."""
        row, exchange = self.row(board)
        return self.value[row, self.turned[exchange, hand]]


def hand_number(low, high, hole):
    """The number of a hand of ascending cards; with one private card, the first alone."""
    return high * (high - 1) // 2 + low if hole == 2 else low


def canonical(board):
    """The canonical form of a board, and a code of the exchange of suits: two bits for the new place of each."""
    a, b, c, d = board & RANKS, board >> LANE & RANKS, board >> 2 * LANE & RANKS, board >> 3 * LANE
    # equal lanes keep their order, so that suits which a deck does not have stay last
    i = np.int64(b > a) + np.int64(c > a) + np.int64(d > a)
    j = np.int64(a >= b) + np.int64(c > b) + np.int64(d > b)
    k = np.int64(a >= c) + np.int64(b >= c) + np.int64(d > c)
    m = np.int64(a >= d) + np.int64(b >= d) + np.int64(c >= d)
    return a << LANE * i | b << LANE * j | c << LANE * k | d << LANE * m, i | j << 2 | k << 4 | m << 6


# --- boards and hands ---


class Hands(NamedTuple):
    """All private hands of a game."""

    word: np.ndarray  # [hands] as sets
    card: np.ndarray  # [hands, 2] the cards, ascending; with one private card, the second is a place behind the deck


def all_hands(game: Any) -> Hands:
    """All private hands, in the order of `hand_number`."""
    sets = sorted(itertools.combinations(range(game.deck()), game.hole), key=lambda cards: cards[::-1])
    card = np.array([(*cards, game.deck())[:2] for cards in sets], np.int64)
    return Hands(np.array([_set(cards, game.suits) for cards in sets], np.int64), card)


def all_sets(game: Any, size: int) -> np.ndarray:
    """All sets of so many cards of the deck, as words."""
    return np.array([_set(cards, game.suits) for cards in itertools.combinations(range(game.deck()), size)], np.int64)


def public_cards(game: Any, stage: int) -> int:
    """How many public cards there are in a round."""
    return game.due(stage) - 2 * game.hole


def canonical_boards(game: Any) -> list[np.ndarray]:
    """[round] the canonical boards as words, ascending."""
    boards, found = np.zeros(1, np.int64), []
    single, size = all_sets(game, 1), 0
    for stage in range(game.rounds):
        for _ in range(size, public_cards(game, stage)):
            more = boards[:, None] | single[None, :]
            fresh = more[boards[:, None] & single[None, :] == 0]
            boards, size = np.unique(canonical(fresh)[0]), size + 1
        found.append(boards)
    return found


def _set(cards, suits) -> int:
    return int(sum(int(bit(card, suits)) for card in cards))


def _exchanges(game: Any, hands: Hands) -> tuple[np.ndarray, np.ndarray]:
    """`order` and `turned` of the tables."""
    order, rows = np.zeros(256, np.int64), []
    deck, suits = game.deck(), game.suits
    for number, places in enumerate(itertools.permutations(range(4))):
        order[sum(place << 2 * suit for suit, place in enumerate(places))] = number
        if max(places[:suits]) >= suits:  # it never comes up
            rows.append(np.zeros(len(hands.word), np.uint16))
            continue
        card = np.array([c // suits * suits + places[c % suits] for c in range(deck)] + [deck])
        moved = np.sort(card[hands.card], axis=1)
        rows.append(hand_number(moved[:, 0], moved[:, 1], game.hole).astype(np.uint16))
    return order, np.array(rows)


# --- making the tables ---


@kernel
def show_down(board, row, end, hands, value, hole, key, weaker, equal):
    """Fill the rows of whole boards from `row` to `end` - 1. The last three arrays are scratch."""
    low = (1 << HAND_BITS) - 1
    for r in range(row, end):
        count = 0
        for h in range(hands.word.shape[0]):
            value[r, h] = 0
            if not hands.word[h] & board[r]:
                key[count] = strength(hands.word[h] | board[r]) << HAND_BITS | h
                count += 1
        key[:count].sort()
        weaker[:] = 0
        beaten, i = 0, 0
        while i < count:
            j = i
            equal[:] = 0
            while j < count and key[j] >> HAND_BITS == key[i] >> HAND_BITS:
                for c in range(hole):
                    equal[hands.card[key[j] & low, c]] += 1
                j += 1
            for n in range(i, j):
                a, b = hands.card[key[n] & low, 0], hands.card[key[n] & low, 1]
                wins = beaten - weaker[a] - weaker[b]
                ties = j - i - equal[a] - equal[b] + hole - 1  # the hand itself was taken off twice
                value[r, key[n] & low] = 2 * wins + ties
            for c in range(weaker.shape[0]):
                weaker[c] += equal[c]
            beaten += j - i
            i = j


@kernel
def average(board, row, end, more, strengths, later, mean, base, ways):
    """Fill the rows of earlier boards: mean[row - base, hand] of what `later` says of the values of the next round, or of
    mean values of the next round where it is empty. `more` are the sets of cards that may come next."""
    hands = mean.shape[1]
    for r in range(row, end):
        out = mean[r - base]
        out[:] = 0.0
        for e in range(more.shape[0]):
            if not more[e] & board[r]:
                next_row, exchange = strengths.row(board[r] | more[e])
                turned = strengths.turned[exchange]
                for h in range(hands):
                    out[h] += later.worth(strengths, next_row, turned[h])
        for h in range(hands):
            out[h] /= ways


class Squared(NamedTuple):
    """What hands are worth on a whole board: HS^2, from a table of squares."""

    square: np.ndarray  # [top + 1]

    def worth(self, strengths, row, hand):
        return self.square[strengths.value[row, hand]]


class Meant(NamedTuple):
    """What hands are worth on an earlier board."""

    mean: np.ndarray  # [rows of its round, hands]
    base: int  # its first row

    def worth(self, strengths, row, hand):
        return self.mean[row - self.base, hand]


@kernel
def _enter(table, word):
    for i in range(word.shape[0]):
        table.add(word[i], 0)


def new_strengths(game: Any, words: np.ndarray, value: np.ndarray) -> Strengths:
    """The tables with these canonical boards, whose values are to be filled in."""
    hands = all_hands(game)
    board = tables.empty(1 << max(10, (3 * len(words) // 2).bit_length()))
    _enter(board, words)
    others = game.deck() - public_cards(game, game.rounds - 1) - game.hole
    return Strengths(board, value, *_exchanges(game, hands), 2 * math.comb(others, game.hole))


def fill_rows(fill: Any, begin: int, end: int, tell: Callable[[int], None], first: int) -> None:
    """Call fill(row, end) for part after part of the rows, in slices; `tell` is told the rows up to which all is done."""
    at = [begin]

    def work(count: int) -> int:
        last = min(at[0] + count, end)
        fill(at[0], last)
        at[0] = last
        return count

    work(0)
    in_slices(work, Budget(iterations=end - begin), tell=lambda: tell(at[0]), first=first)


def make_strengths(game: Any, progress: Watcher | None = None) -> Strengths:
    """The tables of a game, made anew. `progress` is called with the number of boards that are done."""
    boards, hands = canonical_boards(game), all_hands(game)
    words = np.concatenate(boards)
    first = np.concatenate([[0], np.cumsum([len(part) for part in boards])])
    made = new_strengths(game, words, np.zeros((len(words), len(hands.word)), np.uint16))

    def run(stage: int, fill: Any) -> None:
        begin, end = int(first[stage]), int(first[stage + 1])

        def tell(row: int) -> None:
            if progress:
                progress(Progress("boards", len(words) - end + row - begin, len(words)))  # the last rounds come first

        fill_rows(fill, begin, end, tell, first=8)

    last = game.rounds - 1
    key, scratch = np.zeros(len(hands.word), np.int64), np.zeros((2, game.deck() + 1), np.int64)
    run(last, lambda row, end: show_down(words, row, end, hands, made.value, game.hole, key, *scratch))
    later: Any = Squared((np.arange(made.top + 1) / made.top).astype(np.float32) ** 2)
    for stage in range(last - 1, -1, -1):
        cards = public_cards(game, stage)
        size = public_cards(game, stage + 1) - cards
        ways = float(math.comb(game.deck() - cards - game.hole, size))
        more, base = all_sets(game, size), int(first[stage])
        mean = np.zeros((len(boards[stage]), len(hands.word)), np.float32)
        given = (words, more, made, later, mean, base, ways)
        run(stage, lambda row, end, given=given: average(given[0], row, end, *given[1:]))
        made.value[base : base + len(mean)] = np.rint(mean * UNIT)
        later = Meant(mean, base)
    return made


# --- keeping them ---


def strengths(
    game: Any,
    *,
    folder: str | os.PathLike | None = None,
    progress: Watcher | None = None,
    device: str = CPU,
) -> Strengths:
    """The tables of a game: from the folder, by default the cache folder, or made and kept there. Games that differ in their
    betting alone share them, and they are the same from every device."""
    folder = cache_folder() if folder is None else pathlib.Path(folder)
    path = folder / f"{file_of(game, 'strength')}-v{FORMAT}.bin"
    found = _read(game, path)
    if found is None:
        if device == CPU:
            found = make_strengths(game, progress)
        else:
            from .table_lanes import strengths_in_lanes  # not on top: it is made of this file

            found = strengths_in_lanes(game, device)
        _write(found, path)
        found = _read(game, path) or found  # from the disk it is shared by all processes
    return found


def file_of(game: Any, what: str) -> str:
    """The beginning of the name of a file for something that was made of the cards."""
    return f"holdem-{what}-{game.ranks}-{game.suits}-{game.rounds}-{game.hole}-{game.flop}"


def _words(board: tables.Table) -> np.ndarray:
    """The boards of a table, in the order of their rows."""
    used = board.slot[board.slot[:, tables.OWNER] != tables.EMPTY]
    return used[np.argsort(used[:, tables.OWNER]), tables.VIEW]


def _write(made: Strengths, path: pathlib.Path) -> None:
    """Keep the tables; where that is not possible, they stay in memory alone."""
    body = (np.ascontiguousarray(_words(made.board)), made.value)
    digest = hashlib.sha256()
    for part in body:
        digest.update(part.data)
    head = {"format": FORMAT, "rows": made.value.shape[0], "hands": made.value.shape[1], "digest": digest.hexdigest()}
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with appearing(path) as file:
            file.write(json.dumps(head).encode().ljust(HEAD - 1) + b"\n")
            for part in body:
                file.write(part.data)
    except OSError:
        return


HEAD = 256  # bytes before the tables


def _read(game: Any, path: pathlib.Path) -> Strengths | None:
    """The tables of a file; None if there is none, or if it is damaged."""
    try:
        with open(path, "rb") as file:
            head = json.loads(file.read(HEAD))
            rows, hands = int(head["rows"]), int(head["hands"])
            if head["format"] != FORMAT or os.fstat(file.fileno()).st_size != HEAD + rows * (8 + 2 * hands):
                return None
            whole = np.memmap(file, np.uint8, "r", offset=0)
    except (OSError, ValueError, KeyError, TypeError):
        return None
    digest = hashlib.sha256()
    for at in range(HEAD, len(whole), CHUNK):
        digest.update(whole[at : at + CHUNK].data)
    if digest.hexdigest() != head["digest"] or hands != math.comb(game.deck(), game.hole):
        return None
    words = np.array(np.asarray(whole[HEAD : HEAD + 8 * rows]).view(np.int64))
    value = np.asarray(whole)[HEAD + 8 * rows :].view(np.uint16).reshape(rows, hands)
    return new_strengths(game, words, value)
