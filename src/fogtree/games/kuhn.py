"""Kuhn poker: one card each, one bet (Kuhn 1950), for a deck of three cards or more. Rules version 1.

Each player puts 1 in the pot and gets one card of a deck with cards 0, 1, ..., all different. Player 0 passes or bets 1;
facing a bet a player folds (pass) or calls (bet); after a first pass player 1 may bet in turn. If nobody folded the
higher card takes the pot. The payoff is what a player wins net: 1 or 2.
"""

from typing import NamedTuple

from ..game import CHANCE, OVER, REFEREE, Shape
from ..observation import Observation
from ..shapes import Text, row_of_cards, whose
from ..text.parameters import accepts

PASS, BET = 0, 1
UNDEALT = -1
HAND, LINE, WORDS = 0, 2, 3  # state: two cards | the betting so far
# A line is a 1 followed by a bit for each action, BET being 1; in the order of play:
EMPTY, P, B, PP, PB, BP, BB, PBP, PBB = 0b1, 0b10, 0b11, 0b100, 0b101, 0b110, 0b111, 0b1010, 0b1011
LONGEST = 3  # actions of a line


@accepts(cards=(range(3, 65), "cards in the deck"))
class Kuhn(NamedTuple):
    cards: int = 3

    def shape(self):
        return Shape(2, WORDS, self.cards, 5, -2.0, 2.0)

    def start(self, state):
        state[HAND] = state[HAND + 1] = UNDEALT
        state[LINE] = EMPTY

    def player(self, state):
        if state[HAND + 1] == UNDEALT:
            return CHANCE
        line = state[LINE]
        if line == EMPTY or line == PB:
            return 0
        return 1 if line == P or line == B else OVER

    def actions(self, state, out):
        if state[HAND + 1] != UNDEALT:
            out[0], out[1] = PASS, BET
            return 2
        count = 0
        for card in range(self.cards):
            out[count] = card  # the next overwrites it if dealt; a branch would be mispredicted
            count += card != state[HAND]
        return count

    def odds(self, state, out):
        left = self.cards if state[HAND] == UNDEALT else self.cards - 1
        for i in range(left):
            out[i] = 1.0 / left

    def step(self, state, action):
        if state[HAND] == UNDEALT:
            state[HAND] = action
        elif state[HAND + 1] == UNDEALT:
            state[HAND + 1] = action
        else:
            state[LINE] = state[LINE] * 2 + action

    def payoff(self, state, player):
        line = state[LINE]
        if line == BP:
            return 1.0 if player == 0 else -1.0
        if line == PBP:
            return 1.0 if player == 1 else -1.0
        stake = 1.0 if line == PP else 2.0
        return stake if state[HAND + player] > state[HAND + 1 - player] else -stake

    def view(self, state, player):
        if state[HAND + player] == UNDEALT:
            return 1
        return (state[HAND + player] + 1) * 16 + state[LINE]

    def public(self, state):
        return state[LINE]

    def observation(self):
        return Observation((("own card", (self.cards,)), ("betting", (LONGEST, 2))), actions=2)

    def observe(self, state, player, out):
        if state[HAND + player] == UNDEALT:
            return
        out[state[HAND + player]] = 1
        made = 0
        while state[LINE] >> (made + 1):
            made += 1
        for i in range(made):
            out[self.cards + 2 * i + ((state[LINE] >> (made - 1 - i)) & 1)] = 1

    def version(self):
        return 1

    def show(self, state, player):
        return told(player, self.dealt(state), state[LINE])

    def draw(self, state, player):
        return table(player, self.dealt(state), state[LINE])

    def dealt(self, state):
        """The names of both cards, "" if not dealt."""
        return ["" if card == UNDEALT else self.card(card) for card in state[HAND : HAND + 2]]

    def ending(self, state):
        if state[LINE] in (BP, PBP):
            return "a fold"
        low, high = sorted(int(card) for card in state[HAND : HAND + 2])
        return f"{self.card(high)} beats {self.card(low)}"

    def heard(self, state, action, player):
        """Bets are made aloud."""
        return "" if self.player(state) == CHANCE else self.label(state, action)

    def label(self, state, action):
        if state[HAND + 1] == UNDEALT:
            return self.card(action)
        return ("pass", "bet")[action]

    def card(self, card):
        return "JQK"[card] if self.cards == 3 else str(card)


def passes_and_bets(line):
    """The betting in words."""
    return [("pass", "bet")[int(bit)] for bit in f"{line:b}"[1:]]


def told(player, cards, line):
    """The cards that a player sees and the betting; a card that is not dealt is ""."""
    owner = ["your" if player == who else f"player {who}" for who in range(len(cards))]
    seen = [who for who in range(len(cards)) if player in (who, REFEREE)]
    lines = [f"{owner[who]} card: {cards[who] or 'not dealt'}" for who in seen]
    return "\n".join([*lines, f"betting: {' '.join(passes_and_bets(line)) or 'none yet'}"])


def table(player, cards, line):
    """The same as shapes."""
    made = []
    for who, card in enumerate(cards):
        title = whose("card", who, player)
        made += row_of_cards(
            0, 1.5 * who, title, [(card if player in (who, REFEREE) else "", None)], place=f"hand {who}"
        )
    return [*made, Text(0.5, 1.5 * len(cards) - 0.4, f"betting: {', '.join(passes_and_bets(line)) or 'none yet'}")]
