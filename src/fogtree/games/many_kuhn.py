"""Kuhn poker for three players or more (Abou Risk and Szafron 2010). Rules version 1.

Each player puts 1 in the pot and gets one card of a deck with one card more than there are players, all different.
The players pass or bet 1 in turn, from player 0 on. After the first bet the others, in turn from the bettor on, fold
(pass) or call (bet), and the round is over. If nobody bets, all show their cards; else those who bet and called do.
The highest card among them takes the pot. The payoff is what a player wins net.

With two players these are the rules of `kuhn.py`, which is written for two. The text `kuhn:players=3` names this
game.
"""

from typing import NamedTuple

from ..game import CHANCE, OVER, Shape
from ..text.parameters import accepts
from .kuhn import UNDEALT, table, told

PASS, BET = 0, 1
COUNT, BETTOR, LINE, HAND = 0, 1, 2, 3  # state: actions so far | who bet first | the betting | a card for each player
NOBODY = -1
# The line is a 1 followed by a bit for each action, BET being 1. Action number k is by player k modulo the players: nobody
# is passed over, because there is only one round.


@accepts(players=(range(2, 11), "players, each with a card of the deck"))
class ManyKuhn(NamedTuple):
    players: int = 3

    def shape(self):
        n = self.players
        return Shape(n, HAND + n, n + 1, 3 * n - 1, -2.0, 2.0 * (n - 1))

    def start(self, state):
        state[COUNT], state[BETTOR], state[LINE] = 0, NOBODY, 1
        for player in range(self.players):
            state[HAND + player] = UNDEALT

    def player(self, state):
        if state[HAND + self.players - 1] == UNDEALT:
            return CHANCE
        last = self.players if state[BETTOR] == NOBODY else state[BETTOR] + self.players
        return state[COUNT] % self.players if state[COUNT] < last else OVER

    def actions(self, state, out):
        if state[HAND + self.players - 1] != UNDEALT:
            out[0], out[1] = PASS, BET
            return 2
        count = 0
        for card in range(self.players + 1):
            held = False
            for player in range(self.players):
                held |= state[HAND + player] == card
            if not held:
                out[count] = card
                count += 1
        return count

    def odds(self, state, out):
        left = self.players + 1 - self.dealt(state)
        for i in range(left):
            out[i] = 1.0 / left

    def dealt(self, state):
        """How many cards are dealt."""
        count = 0
        for player in range(self.players):
            count += state[HAND + player] != UNDEALT
        return count

    def step(self, state, action):
        dealt = self.dealt(state)
        if dealt < self.players:
            state[HAND + dealt] = action
            return
        if action == BET and state[BETTOR] == NOBODY:
            state[BETTOR] = state[COUNT]
        state[LINE] = 2 * state[LINE] + action
        state[COUNT] += 1

    def stays(self, state, player):
        """Whether a player shows the card at the end: nobody bet, or the player did or called."""
        if state[BETTOR] == NOBODY or state[BETTOR] == player:
            return True
        turn = player if player > state[BETTOR] else player + self.players  # the number of the answer to the bet
        return (state[LINE] >> (state[COUNT] - 1 - turn)) & 1 == BET

    def payoff(self, state, player):
        pot, best = self.players, NOBODY
        for who in range(self.players):
            if self.stays(state, who):
                pot += state[BETTOR] != NOBODY
                if best == NOBODY or state[HAND + who] > state[HAND + best]:
                    best = who
        paid = 2 if state[BETTOR] != NOBODY and self.stays(state, player) else 1
        return float(pot - paid) if best == player else -float(paid)

    def view(self, state, player):
        if state[HAND + player] == UNDEALT:
            return 1
        return ((state[HAND + player] + 1) << (2 * self.players)) + state[LINE]

    def public(self, state):
        return state[LINE]

    def version(self):
        return 1

    def show(self, state, player):
        return told(player, self.cards(state), state[LINE])

    def draw(self, state, player):
        return table(player, self.cards(state), state[LINE])

    def cards(self, state):
        """The names of all cards, "" if not dealt."""
        return ["" if card == UNDEALT else self.card(card) for card in state[HAND : HAND + self.players]]

    def heard(self, state, action, player):
        """Bets are made aloud."""
        return "" if self.player(state) == CHANCE else self.label(state, action)

    def label(self, state, action):
        if self.player(state) == CHANCE:
            return self.card(action)
        return ("pass", "bet")[action]

    def card(self, card):
        return "JQKA"[card] if self.players == 3 else str(card)
