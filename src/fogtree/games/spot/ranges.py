"""Ranges of hands as poker players write them: `AA, KQs:0.5, T9s-76s, ATo+`.

A range is a list of parts between commas. A part is a group of hands, and after a colon how often they are held, from 0 to 1:

    AA  KQ  KQs  KQo         a pair; two ranks of any suits, of one suit, of two suits
    22+  ATs+                this pair and all higher ones; this hand and all with a higher second rank
    QQ-22  A5s-A2s  T9s-76s  all from the first to the last: pairs, second ranks, or both ranks in step
    AhKd                     two cards
    random                   all hands

A hand that is named twice has what the later part says. Hands are numbered in the order of `itertools.combinations(range(52),
2)`, and a card is rank * 4 + suit (`holdem/cards.py`).
"""

import functools
import itertools
import re

import numpy as np

from ...errors import Invalid
from ..holdem.cards import RANK_LETTERS, SUIT_LETTERS, card_of

CARDS, SUITS = 52, 4
HANDS = CARDS * (CARDS - 1) // 2
ALL = ("random", "any", "*")
GROUP = re.compile(r"([2-9TJQKA])([2-9TJQKA])([so]?)", re.IGNORECASE)
DRAWN = str.maketrans("♠♥♦♣", "shdc")  # suits as they are drawn
PAIR_OF_CARDS = re.compile(r"([2-9TJQKA][cdhs])([2-9TJQKA][cdhs])", re.IGNORECASE)

Group = tuple[int, int, str]  # the higher rank, the lower rank, "s", "o" or nothing


@functools.cache
def held() -> np.ndarray:
    """[hands, 2] the two cards of each hand, ascending."""
    return np.array(list(itertools.combinations(range(CARDS), 2)))


def hand_number(first: int, second: int) -> int:
    """The number of the hand with these two cards."""
    low, high = min(first, second), max(first, second)
    return low * (2 * CARDS - low - 1) // 2 + high - low - 1


def weights(text: str) -> np.ndarray:
    """[hands] how often each hand is held, from 0 to 1."""
    found, at, text = np.zeros(HANDS), 0, re.sub(r"\s", " ", text)  # an error repeats it on one line
    for piece in text.split(","):
        part = piece.strip()
        if part:
            try:
                numbers, weight = _read(part)
            except Invalid as error:
                letter = at + len(piece) - len(piece.lstrip()) + 1
                raise Invalid(f"the range '{_short(text)}' is wrong at letter {letter}: {error}") from None
            found[numbers] = weight
        at += len(piece) + 1
    if not found.any():
        raise Invalid(f"the range '{_short(text)}' has no hands: write for example AA,KQs:0.5,T9s-76s,ATo+")
    return found


def _read(part: str) -> tuple[list[int], float]:
    """The hands of a part, and how often they are held."""
    body, colon, share = (word.strip() for word in part.partition(":"))
    weight = 1.0
    if colon:
        try:
            weight = float(share)
        except ValueError:
            weight = -1.0
        if not 0 <= weight <= 1:
            raise Invalid(f"after the colon of '{part}' stands a number from 0 to 1, not '{share}'")
    return _hands(body), weight


def _hands(body: str) -> list[int]:
    if body.lower() in ALL:
        return list(range(HANDS))
    if cards := PAIR_OF_CARDS.fullmatch(body):
        first, second = (card_of(card, 13, SUITS) for card in cards.groups())
        if first == second:
            raise Invalid(f"'{body}' is the same card twice")
        return [hand_number(first, second)]
    if body.endswith("+"):
        return [hand for group in _upwards(_group(body[:-1])) for hand in _combinations(group)]
    if "-" in body:
        begin, end = (_group(word.strip()) for word in body.split("-", 1))
        return [hand for group in _between(begin, end, body) for hand in _combinations(group)]
    return _combinations(_group(body))


def _group(word: str) -> Group:
    match = GROUP.fullmatch(word.strip())
    if not match:
        raise Invalid(f"'{word}' is no group of hands: write AA, AKs, AKo, AK, 22+, ATs+, A5s-A2s, T9s-76s or AhKd")
    first, second, kind = match.groups()
    ranks = sorted((RANK_LETTERS.index(first.upper()), RANK_LETTERS.index(second.upper())), reverse=True)
    if ranks[0] == ranks[1] and kind:
        raise Invalid(f"'{word}' is a pair, which is neither suited nor offsuit")
    return ranks[0], ranks[1], kind.lower()


def _upwards(group: Group) -> list[Group]:
    high, low, kind = group
    if high == low:
        return [(rank, rank, kind) for rank in range(high, 13)]
    return [(high, rank, kind) for rank in range(low, high)]


def _between(first: Group, last: Group, body: str) -> list[Group]:
    if first[2] != last[2]:
        raise Invalid(f"in '{body}' both ends must be suited, both offsuit, or neither")
    if (first[0], first[1]) < (last[0], last[1]):
        first, last = last, first
    kind, high, low = first[2], first[0], first[1]
    if high == last[0] and (high != low) == (last[0] != last[1]):
        return [(high, rank, kind) for rank in range(last[1], low + 1)]
    if high - low == last[0] - last[1]:
        return [(rank, rank - (high - low), kind) for rank in range(last[0], high + 1)]
    raise Invalid(f"the ends of '{body}' are neither two pairs, nor one first rank, nor two ranks in step")


def _combinations(group: Group) -> list[int]:
    high, low, kind = group
    found = []
    for first, second in itertools.product(range(SUITS), repeat=2):
        if high == low and first >= second:
            continue
        if (kind == "s" and first != second) or (kind == "o" and first == second):
            continue
        found.append(hand_number(high * SUITS + first, low * SUITS + second))
    return found


def class_of(hand: int) -> str:
    """What players call a hand without its suits: AA, AKs, T9o."""
    low, high = divmod(int(held()[hand, 0]), SUITS), divmod(int(held()[hand, 1]), SUITS)
    ranks = RANK_LETTERS[high[0]] + RANK_LETTERS[low[0]]
    return ranks if high[0] == low[0] else ranks + ("s" if high[1] == low[1] else "o")


def spelled_hand(hand: int) -> str:
    """The two cards of a hand, the higher one first: AhKd."""
    low, high = held()[hand].tolist()
    return "".join(RANK_LETTERS[card // SUITS] + SUIT_LETTERS[card % SUITS] for card in (high, low))


def read_cards(text: str) -> list[int]:
    """The cards of a text: `Td 9d 6h` or `Td9d6h`; a ten may be 10, and suits may be ♠♥♦♣."""
    letters = re.sub(r"[\s,]+", "", text).replace("10", "T").translate(DRAWN)
    cards = [card_of(letters[i : i + 2], 13, SUITS) for i in range(0, len(letters), 2)]
    if len(set(cards)) < len(cards):
        raise Invalid(f"'{text}' has a card twice")
    return cards


def read_hand(text: str) -> int:
    """The number of the hand that a text names by its two cards: AhKd."""
    cards = read_cards(text)
    if len(cards) != 2:
        raise Invalid(f"'{text}' is no hand: write two cards, as in AhKd")
    return hand_number(*cards)


def read_board(text: str) -> tuple[int, ...]:
    """The cards of a flop, turn or river."""
    cards = read_cards(text)
    if len(cards) not in (3, 4, 5):
        raise Invalid(f"'{text}' is no board: write three, four or five cards, as in Td9d6h")
    return tuple(cards)


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "..."
