"""Games of public cards: what the exact machinery of poker asks of a game.

In poker all that the players do is public. Chance deals private hands at the start and public cards, the *board*, between the
rounds of betting. The betting tree is read from any such game (`betting.py`). All else is in the cards, and a game tells it
by a verb that only Python calls:

    public_cards()      the game's cards: an object with the members of `PublicCards`

Limit hold'em offers it with buckets, Leduc hold'em without, and a poker variant of your own can. Hands are numbered in the
order of `all_hands`, and boards are tuples of cards, those of one deal in ascending order. A stage is a round of betting.
"""

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from ...errors import Invalid
from ...game import identity
from ...kernels.lanes import CPU
from ...walk.slices import Watcher

Board = tuple[int, ...]


class PublicCards(Protocol):
    """A deck, how it is dealt, and what hands are worth. There may be more:

    buckets(k, progress, device)
                            the hands sorted into k buckets a round, as `Buckets`; tables are made on this device
    in_lanes()              types and strengths for one hand at a time, as `LaneCards`, for work in lanes
    earlier                 earlier versions of the rules whose cards and betting are the same, so that their plans still hold

    where(state)            (the actions of the players so far, the cards dealt after the first board, [player] the number
                            of their hand), so that a solution can play and judge (`hand_costs.py`)
    sorts(board)            {what is looked at: (names, [hands] which of them a hand is)}, as people sort hands on a board

    A game that begins in the middle has some of these, which `public_form.py` and `hand_solution.py` read:

    board                   the cards that lie at the start
    ranges                  [player, hands] how often each hand is held; the symmetries are those of the ranges too
    betting()               the betting, with what its ends pay, where it cannot be read from the game or that would take long
    deal(hands, public)     the actions of chance that deal both hands and then public cards, if they are not cards one by one
    pot, read(text)         what lies in the pot at the start, and cards from a text
    """

    @property
    def cards(self) -> int:
        """How many are in the deck. They are numbered from 0."""

    @property
    def hole(self) -> int:
        """How many private cards a player has: 1 or 2."""

    @property
    def dealt(self) -> tuple[int, ...]:
        """[stage] how many public cards are dealt before the betting of a stage."""

    @property
    def symmetries(self) -> Sequence[Sequence[int]]:
        """Permutations of the cards, such as those of the suits, that change neither who wins nor how types play; the first
        is the identity."""

    def types(self, stage: int, board: Board) -> np.ndarray:
        """[hands] the types at a stage; what stands there for hands that share a card with the board does not matter."""

    def strength(self, board: Board) -> np.ndarray:
        """[hands] the larger number wins. What stands there for hands that share a card with the board does not matter."""


class LaneCards(Protocol):
    """What `PublicCards.types` and `PublicCards.strength` say of all hands, of one hand: a `NamedTuple` for compiled code, on
    the CPU or a GPU. A board is a word that the game understands, 0 without cards."""

    def join(self, board, card):
        """The board with one more card."""

    def blocked(self, board, hand):
        """Whether a hand shares a card with the board."""

    def follow(self, stage, board, before, hand):
        """The type of a hand at a stage, from its type at the stage before, 0 at the first."""

    def strength(self, board, hand):
        """The strength on a whole board: at least 0 and below 2^34."""


class Buckets(Protocol):
    """Hands sorted into k buckets a round. A player remembers the sequence of their buckets: k of them in the first round,
    k * k in the second, numbered so that sequences that begin alike are neighbours."""

    @property
    def game(self) -> Any:
        """The game whose hands they are."""

    @property
    def k(self) -> int:
        """How many buckets there are in a round."""

    @property
    def cards(self) -> PublicCards:
        """The game's cards, whose types are the sequences."""

    @property
    def bucketing(self) -> Any:
        """A `NamedTuple` for compiled code. `sequence(game, state, player)` is a player's sequence so far; `line(state)` is
        the betting so far in base 4 after a leading 1, where 0 ends a round and all else is an action + 1."""

    @property
    def bet(self) -> float:
        """The small bet in units of payoff: poker players compare themselves in thousandths of it."""

    def file(self, what: str) -> str:
        """The name, without its end, of a file for something that was made of the cards. Games of the same cards share it."""


def chance_actions(cards: Any, hands: Any, public: Sequence[int]) -> list[int]:
    """The actions of chance that deal two hands and then public cards: card by card, in the order of the players, unless the
    cards say otherwise."""
    if hasattr(cards, "deal"):
        return cards.deal(hands, list(public))
    return [int(card) for part in (*hands, public) for card in part]


def public_cards(game: Any) -> PublicCards:
    """The cards of a game, if it offers them."""
    if not hasattr(game, "public_cards"):
        raise Invalid(
            f"{identity(game)} does not tell its cards: it has no method `public_cards` (fogtree.solvers.public.cards)"
        )
    return game.public_cards()


def require_buckets(game: Any) -> Any:
    """The cards of a game whose hands can be sorted into buckets."""
    cards = public_cards(game)
    if not hasattr(cards, "buckets"):
        raise Invalid(
            f"{identity(game)} has no buckets of hands: what its `public_cards` gives has no method `buckets`"
        )
    return cards


def bucketed(game: Any, k: int, progress: Watcher | None = None, device: str = CPU) -> Buckets:
    """The hands of a game in k buckets a round, if it can sort them."""
    return require_buckets(game).buckets(k, progress, device)


# --- hands and boards ----------------------------------------------------------------------------------------------


class Hands(NamedTuple):
    """The hands of a deck as compiled code reads them: cards count from 1, because row 0 of tables by card holds sums over
    all hands. A hand of one card has a second one that nothing reads: the sum of its only card, taken away twice and added
    once, is the hand's own."""

    low: np.ndarray  # [hands] a card
    high: np.ndarray  # [hands] the other; the card behind the last if there is no second
    read: np.ndarray  # [hands] the other as it is read: the first again if there is no second


def all_hands(cards: int, hole: int) -> np.ndarray:
    """[hands, hole] the hands in the order of `PublicCards.types` and `PublicCards.strength`."""
    return np.array(list(itertools.combinations(range(cards), hole)))


def hands_of(cards: PublicCards) -> Hands:
    """The hands of a deck."""
    held = all_hands(cards.cards, cards.hole) + 1
    low = np.ascontiguousarray(held[:, 0])
    if cards.hole == 1:
        return Hands(low, np.full(len(low), cards.cards + 1), low)
    high = np.ascontiguousarray(held[:, 1])
    return Hands(low, high, high)


def live_hands(cards: PublicCards, hands: Hands, board: Board) -> np.ndarray:
    """The numbers of the hands that share no card with a board."""
    blocked = np.zeros(cards.cards + 2, bool)
    blocked[[card + 1 for card in board]] = True
    return np.flatnonzero(~(blocked[hands.low] | blocked[hands.high]))


def ranked_hands(cards: PublicCards, hands: Hands, board: Board) -> tuple[np.ndarray, np.ndarray]:
    """The same, weakest first, and for each where the hands of equal strength end."""
    live = live_hands(cards, hands, board)
    strength = cards.strength(board)[live]
    order = np.argsort(strength, kind="stable")
    ranked = strength[order]
    return live[order], np.searchsorted(ranked, ranked, side="right")


def moved_hands(hands: Hands, symmetry: np.ndarray) -> np.ndarray:
    """[hands] where a permutation of the cards takes each hand."""
    cards = len(symmetry)
    if hands.read is hands.low:
        return np.ascontiguousarray(symmetry[hands.low - 1])
    first, second = symmetry[hands.low - 1], symmetry[hands.high - 1]
    low, high = np.minimum(first, second), np.maximum(first, second)
    return low * (2 * cards - low - 1) // 2 + high - low - 1  # the number of a pair in `all_hands`


def deals(cards: PublicCards, stage: int) -> int:
    """How many deals there are of both hands and of the boards up to a stage, boards in their order."""
    left = cards.cards - 2 * cards.hole
    count = math.comb(cards.cards, cards.hole) * math.comb(cards.cards - cards.hole, cards.hole)
    for number in cards.dealt[1 : stage + 1]:
        count *= math.comb(left, number)
        left -= number
    return count


def orbits(
    cards: Any, number: int, symmetries: list[np.ndarray]
) -> Iterator[tuple[Board, list[np.ndarray], list[np.ndarray]]]:
    """One set of cards of each kind; a symmetry to each set of its kind; the symmetries that keep the set."""
    met: set[Board] = set()
    for chosen in itertools.combinations(cards, number):
        if chosen in met:
            continue
        images: dict[Board, np.ndarray] = {}
        kept = []
        for symmetry in symmetries:
            image = tuple(sorted(int(symmetry[card]) for card in chosen))
            images.setdefault(image, symmetry)
            if image == chosen:
                kept.append(symmetry)
        met |= set(images)
        yield chosen, list(images.values()), kept
