"""A spot: no-limit hold'em for two players from a flop, turn or river on. Rules version 1.

The board lies, the pot holds chips that belong to nobody any more, and both players have the same stack behind. Each holds a
hand of a range, with the weights that the range gives (`ranges.py`); two hands that share a card with each other or with the
board cannot be held. Player 0 is out of position and speaks first on each street. What may be bet is a list of sizes for each
street and player (`sizes.py`, `betting.py`). After the river, or when all chips are in and the board is complete, the best
five cards of seven win the pot, and equal hands split it. A rake takes a share of each pot up to a cap.

Payoffs are chips won or lost, as if each had put half of the pot in: what a player gets out of the pot is the payoff and half
of the pot. Without a rake the game is zero-sum.

Chance deals the hand of player 0, the hand of player 1, then the cards of the board one by one. Actions of chance are numbers
of hands (`ranges.held`) and cards; those of players are numbers of the choices that the betting lists.
"""

from typing import Any, NamedTuple

import numpy as np

from ... import dice
from ...errors import Invalid
from ...game import CHANCE, NONE, OVER, REFEREE, Shape, seen
from ...shapes import END, START, Text, card_text, poker_card
from ...text.naming import name
from ...walk.slices import number
from ..betting import UNDEALT
from ..holdem.cards import bit, category, spelled, strength
from .betting import CALL, CHECK, FOLD, WORDS, Thresholds, grow
from .cards import SpotCards
from .ranges import CARDS, HANDS, SUITS, held, read_board, spelled_hand, weights
from .sizes import read_sizes

HAND, BOARD, DEALT, NODE, PUBLIC, STATE_WORDS = 0, 2, 7, 8, 9, 10
# state: two numbers of hands | five public cards | how many of them lie | node of the betting | key of what is public
HAND_RADIX, CARD_RADIX, BET_RADIX = 2048, 64, 16  # powers of two, for the betting decides which comes next
UNKNOWN = HAND_RADIX - 1  # the hand of a player who has none yet
MOST_CHIPS = 1_000_000_000
MOST_THRESHOLD = 1e6  # pots, or shares of a size
SEATS = ("out of position", "in position")
SHORT = ("OOP", "IP")


def won_or_lost(chips: float) -> str:
    """How somebody ends, as a sentence continues after `you`."""
    return "came out even" if chips == 0 else f"{'won' if chips > 0 else 'lost'} {abs(chips):g} chips"


class Labels(NamedTuple):
    """What a spot was made of. No rule depends on it, and compiled code never sees it."""

    board: str = ""
    oop: str = ""
    ip: str = ""
    bets: str = ""
    thresholds: Thresholds = Thresholds()


class Arrays(NamedTuple):
    board: np.ndarray  # [5] UNDEALT where no card lies
    weight: np.ndarray  # [player, hands]
    opening: np.ndarray  # [hands] the probability that player 0 holds a hand
    card: np.ndarray  # [hands, 2]
    mover: np.ndarray  # the betting: see `betting.Tree`
    need: np.ndarray
    first: np.ndarray
    choices: np.ndarray
    parent: np.ndarray
    word: np.ndarray
    amount: np.ndarray
    paid: np.ndarray
    folded: np.ndarray
    full: np.ndarray
    pot: float
    stack: float
    rake: float
    cap: float
    size: Shape


class Spot(Arrays):
    labels = Labels()  # an instance has its own; they travel with it, but are no part of the game's identity

    def __repr__(self):
        return name(self)

    def shape(self):
        return self.size

    def start(self, state):
        state[:] = 0
        state[HAND] = state[HAND + 1] = UNDEALT
        for i in range(5):
            state[BOARD + i] = self.board[i]
            state[DEALT] += self.board[i] != UNDEALT
        state[PUBLIC] = 1

    def player(self, state):
        if state[HAND + 1] == UNDEALT or state[DEALT] < self.need[state[NODE]]:
            return CHANCE
        return self.mover[state[NODE]]

    def blocked(self, state, card):
        """Whether a card lies or is held."""
        found = False
        for i in range(5):
            found |= state[BOARD + i] == card
        for who in range(2):
            if state[HAND + who] != UNDEALT:
                found |= (self.card[state[HAND + who], 0] == card) | (self.card[state[HAND + who], 1] == card)
        return found

    def chance(self, state, hand):
        """How likely player 1 holds a hand, in proportion."""
        taken = self.blocked(state, self.card[hand, 0]) or self.blocked(state, self.card[hand, 1])
        return 0.0 if taken else self.weight[1, hand]

    def actions(self, state, out):
        count = 0
        if state[HAND] == UNDEALT:
            for hand in range(HANDS):
                if self.opening[hand] > 0.0:
                    out[count] = hand
                    count += 1
        elif state[HAND + 1] == UNDEALT:
            for hand in range(HANDS):
                if self.chance(state, hand) > 0.0:
                    out[count] = hand
                    count += 1
        elif state[DEALT] < self.need[state[NODE]]:
            for card in range(CARDS):
                if not self.blocked(state, card):
                    out[count] = card
                    count += 1
        else:
            count = self.choices[state[NODE]]
            for i in range(count):
                out[i] = i
        return count

    def odds(self, state, out):
        count, total = 0, 0.0
        if state[HAND] == UNDEALT:
            for hand in range(HANDS):
                if self.opening[hand] > 0.0:
                    out[count] = self.opening[hand]
                    count += 1
        elif state[HAND + 1] == UNDEALT:
            for hand in range(HANDS):
                if self.chance(state, hand) > 0.0:
                    out[count] = self.chance(state, hand)
                    total += out[count]
                    count += 1
            for i in range(count):
                out[i] /= total
        else:
            count = CARDS - 4 - state[DEALT]
            for i in range(count):
                out[i] = 1.0 / count

    def step(self, state, action):
        if state[HAND] == UNDEALT:
            state[HAND] = action
        elif state[HAND + 1] == UNDEALT:
            state[HAND + 1] = action
        elif state[DEALT] < self.need[state[NODE]]:
            state[BOARD + state[DEALT]] = action
            state[DEALT] += 1
            state[PUBLIC] = seen(state[PUBLIC], action, CARD_RADIX)
        else:
            state[NODE] = self.first[state[NODE]] + action
            state[PUBLIC] = seen(state[PUBLIC], action, BET_RADIX)

    def payoff(self, state, player):
        node = state[NODE]
        stake = 0.5 * self.pot + self.paid[node]
        taken = min(2.0 * stake * self.rake, self.cap)
        if self.folded[node] != NONE:
            return -stake if self.folded[node] == player else stake - taken
        lead = self.hand(state, player) - self.hand(state, 1 - player)
        return stake - taken if lead > 0 else (-stake if lead < 0 else -0.5 * taken)

    def hand(self, state, player):
        """The strength of a player's private and the public cards."""
        cards = bit(self.card[state[HAND + player], 0], SUITS) | bit(self.card[state[HAND + player], 1], SUITS)
        for i in range(state[DEALT]):
            cards |= bit(state[BOARD + i], SUITS)
        return strength(cards)

    def view(self, state, player):
        return seen(state[PUBLIC], UNKNOWN if state[HAND + player] == UNDEALT else state[HAND + player], HAND_RADIX)

    def public(self, state):
        return state[PUBLIC]

    def imagine(self, state, player, random):
        # The other's hand is drawn by the weights of the range, as if all hands played alike.
        state[HAND + 1 - player] = UNDEALT
        total = 0.0
        for hand in range(HANDS):
            if not (self.blocked(state, self.card[hand, 0]) or self.blocked(state, self.card[hand, 1])):
                total += self.weight[1 - player, hand]
        left, chosen = dice.unit(random) * total, UNDEALT
        for hand in range(HANDS):
            weight = self.weight[1 - player, hand]
            if weight > 0.0 and not (
                self.blocked(state, self.card[hand, 0]) or self.blocked(state, self.card[hand, 1])
            ):
                chosen = hand
                left -= weight
                if left < 0.0:
                    break
        state[HAND + 1 - player] = chosen

    def version(self):
        return 1

    def public_cards(self):
        return SpotCards(self)

    def show(self, state, player):
        lines = []
        for who in (0, 1):
            if player in (who, REFEREE) and state[HAND + who] != UNDEALT:
                owner = "your hand" if player == who else f"{SEATS[who]}"
                lines.append(f"{owner}: {spelled_hand(state[HAND + who])}")
        lines.append(f"board: {self.spell(state)}")
        lines.append(f"pot: {self.pot + 2 * self.paid[state[NODE]]:g}, behind: {self.stack - self.paid[state[NODE]]:g}")
        if told := self.told(int(state[NODE])):
            lines.append(f"betting: {', '.join(told)}")
        if player == REFEREE and self.mover[state[NODE]] == OVER and self.folded[state[NODE]] == NONE:
            lines += [f"{SEATS[who]} shows {category(self.hand(state, who))}" for who in (0, 1)]
        return "\n".join(lines)

    def draw(self, state, player):
        made = []
        for who in (0, 1):
            known = player in (who, REFEREE) and state[HAND + who] != UNDEALT
            cards = self.card[state[HAND + who]][::-1].tolist() if known else [UNDEALT, UNDEALT]
            made.append(Text(0, 1.5 * who, "your hand" if player == who else SEATS[who], anchor=END))
            made += [poker_card(0.8 + i, 1.5 * who, self.face(c), f"hand {who} {i + 1}") for i, c in enumerate(cards)]
        made.append(Text(0, 3, "board", anchor=END))
        made += [poker_card(0.8 + i, 3, self.face(card)) for i, card in enumerate(state[BOARD : BOARD + 5].tolist())]
        told = ", ".join(self.told(int(state[NODE]))) or "no bet yet"
        made.append(Text(-1.5, 4.1, f"pot {self.pot + 2 * self.paid[state[NODE]]:g}: {told}", size=0.3, anchor=START))
        return made

    def face(self, card):
        """What a card is called, or nothing if it is not dealt."""
        return "" if card == UNDEALT else spelled(card, 13, SUITS)

    def spell(self, state):
        return " ".join(self.face(card) for card in state[BOARD : BOARD + 5] if card != UNDEALT)

    def told(self, node):
        """The betting that leads to a node, in words."""
        words = []
        while self.parent[node] != NONE:
            before = self.parent[node]
            words.append(f"{SHORT[self.mover[before]]} {self.named(node)}")
            node = before
        return words[::-1]

    def where(self, state):
        """The actions of the players so far, the cards that lie, and the hands."""
        line, node = [], int(state[NODE])
        while self.parent[node] != NONE:
            line.insert(0, node - int(self.first[self.parent[node]]))
            node = int(self.parent[node])
        return line, state[BOARD : BOARD + state[DEALT]].tolist(), state[HAND : HAND + 2].tolist()

    def named(self, node):
        """What was done to get to a node."""
        word = int(self.word[node])
        amount = "" if word in (FOLD, CHECK, CALL) else f" {self.amount[node]}"
        return f"all in{amount}" if self.full[node] else WORDS[word] + amount

    def who(self, player):
        return f"the player {SEATS[player]}"

    def ending(self, state):
        if self.folded[state[NODE]] != NONE:
            return "a fold"
        best, other = sorted((0, 1), key=lambda who: -self.hand(state, who))
        first, second = spelled_hand(state[HAND + best]), spelled_hand(state[HAND + other])
        if self.hand(state, best) == self.hand(state, other):
            return f"{first} and {second} are worth the same"
        return f"{first} beats {second}"

    def heard(self, state, action, player):
        """Bets are made aloud, and the cards of the board are open to all."""
        if self.player(state) == CHANCE:
            return card_text(self.label(state, action)) if state[HAND + 1] != UNDEALT else ""
        return self.label(state, action)

    def label(self, state, action):
        if self.player(state) == CHANCE:
            return spelled_hand(action) if state[HAND + 1] == UNDEALT else spelled(action, 13, SUITS)
        return self.named(int(self.first[state[NODE]] + action))


def spot(
    board: str,
    *,
    pot: int = 100,
    stack: int = 400,
    oop: str = "random",
    ip: str = "random",
    bets: str = "50%, a",
    rake: float = 0.0,
    cap: float = 0.0,
    added: float = 0.0,
    forced: float = 0.0,
    merged: float = 0.0,
) -> Spot:
    """A spot of no-limit hold'em: `spot("Td9d6h", pot=60, stack=370, oop="AA,KQs:0.5", ip="22+", bets="50%; 3x")`.

    `oop` and `ip` are the ranges of the players out of position and in position, `bets` their sizes (`sizes.py`), `rake` a
    share of the pot up to `cap` chips, 0 for no cap. `added`, `forced` and `merged` are the thresholds of `betting.py`.
    """
    for text, what in ((board, "board"), (oop, "range oop"), (ip, "range ip"), (bets, "bets")):
        if not isinstance(text, str):
            raise Invalid(f"the {what} of a spot must be a text, not {text!r}")
    cards = read_board(board)
    for amount, what in ((pot, "pot"), (stack, "stack")):
        if isinstance(amount, bool) or not isinstance(amount, (int, np.integer)) or amount < 1:
            broken = isinstance(amount, float) and 0 < amount < np.inf and amount % 1 > 0
            advice = ": take smaller chips, so that all amounts are whole" if broken else ""
            raise Invalid(f"the {what} must be a whole number of chips of 1 or more, not {amount!r}{advice}")
        if amount > MOST_CHIPS:
            raise Invalid(f"the {what} is at most {MOST_CHIPS:,} chips, not {amount:,}: take larger chips")
    if number(rake, "rake") >= 1 or not np.isfinite(number(cap, "the cap of the rake")):
        raise Invalid("a rake is a share of the pot from 0 to below 1, and its cap a number of chips of 0 or more")
    for threshold, what in ((added, "added"), (forced, "forced"), (merged, "merged")):
        if number(threshold, what) > MOST_THRESHOLD:
            raise Invalid(f"{what} is at most {MOST_THRESHOLD:g}, not {threshold!r}")
    limits = Thresholds(float(added), float(forced), float(merged))
    tree = grow(int(pot), int(stack), len(cards), read_sizes(bets, 6 - len(cards)), limits)
    held_by = np.array([weights(oop), weights(ip)])
    hands = held()
    held_by[:, np.isin(hands, cards).any(axis=1)] = 0.0
    for text, row, who in ((oop, held_by[0], SHORT[0]), (ip, held_by[1], SHORT[1])):
        if not row.any():
            raise Invalid(f"no hand of the range of {who} is left on {board}: '{text}'")
    by_card = np.zeros(CARDS)
    np.add.at(by_card, hands, held_by[1][:, None])
    opening = held_by[0] * (held_by[1].sum() - by_card[hands].sum(axis=1) + held_by[1])
    opening[opening < 1e-12 * opening.max()] = 0.0
    if not opening.any():
        raise Invalid("the ranges cannot meet: each hand of one shares a card with each hand of the other")
    most = 0.5 * pot + stack
    shape = Shape(2, STATE_WORDS, HANDS, 4 + _depth(tree), -most, most, zero_sum=rake == 0)
    laid = np.array([*cards, *[UNDEALT] * (5 - len(cards))], np.int64)
    made = Spot(
        laid, held_by, opening / opening.sum(), hands, *tree, float(pot), float(stack), float(rake),
        float(cap) if cap else np.inf, shape,
    )  # fmt: skip
    made.labels = Labels("".join(spelled(card, 13, SUITS) for card in cards), oop, ip, bets, limits)
    return made


def _depth(tree: Any) -> int:
    depth = np.zeros(len(tree.parent), np.int64)
    for n in range(1, len(depth)):
        depth[n] = depth[tree.parent[n]] + 1
    return int(depth.max())
