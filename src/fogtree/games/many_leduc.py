"""Leduc hold'em for three players or more, as OpenSpiel plays it. Rules version 2.

The deck has two suits of one rank more than there are players. All put 1 in the pot and get a private card; a round
of betting; a public card is turned up; a second round. A bet or raise adds 2 in the first round, 4 in the second, at
most two of them a round. In each round the first player who has not folded begins, and the turn passes to the next
who has not. Folding is allowed only when facing a bet. A round ends when all who have not folded have paid the same
and each of them has acted since the last raise. The game ends when one player is left or after the second round. Then
a pair with the public card wins, else the higher rank; equal ranks split the pot. Payoffs are net winnings.

Cards are numbered rank by rank, and views tell suits apart. Actions: 0 fold, 1 call or check, 2 raise or bet; a
chance action is a card. With two players these are the rules of `leduc.py`, which is written for two. The text
`leduc:players=3` names this game.
"""

from typing import NamedTuple

from ..game import CHANCE, OVER, REFEREE, Shape, seen
from ..shapes import END, START, Text, card_text, poker_card, whose
from ..text.parameters import accepts
from .betting import FOLD, RAISE, UNDEALT, bet_name, list_bets, told_hands

PUBLIC, ROUND, TURN, CALLS, RAISES, STAKE, FOLDED, LINE, SEATS = 0, 1, 2, 3, 4, 5, 6, 7, 8
# state: public card | round | who bets | calls and raises in this round | what is to be paid | a bit for each who folded |
# the public key: the betting and the public card | then for each player: card, paid, view
CARD, PAID, VIEW, EACH = 0, 1, 2, 3
CARD_RADIX, BET_RADIX = 64, 4  # in views; powers of two, for the betting decides which comes next
SUITS = 2
SHOWDOWN = 2  # the round after the last
CAP = 2  # raises in a round
RANKS = "23456789TJQKA"


@accepts(players=(range(2, 11), "players at the table"))
class ManyLeduc(NamedTuple):
    players: int = 3

    def shape(self):
        n = self.players
        betting = 3 * n - 2  # all check but the last, two raises, and every other player answers each of them
        return Shape(n, SEATS + EACH * n, max(3, self.cards()), n + 1 + 2 * betting, -13.0, 13.0 * (n - 1))

    def cards(self):
        return SUITS * (self.players + 1)

    def seat(self, player):
        """Where the words of a player begin."""
        return SEATS + EACH * player

    def start(self, state):
        state[:] = 0
        state[PUBLIC], state[STAKE], state[LINE] = UNDEALT, 1, 1
        for player in range(self.players):
            seat = self.seat(player)
            state[seat + CARD], state[seat + PAID], state[seat + VIEW] = UNDEALT, 1, 1

    def player(self, state):
        if state[ROUND] == SHOWDOWN or self.left(state) == 1:
            return OVER
        if state[self.seat(self.players - 1) + CARD] == UNDEALT or (state[ROUND] == 1 and state[PUBLIC] == UNDEALT):
            return CHANCE
        return state[TURN]

    def left(self, state):
        """How many players have not folded."""
        count = 0
        for player in range(self.players):
            count += self.stays(state, player)
        return count

    def stays(self, state, player):
        return (state[FOLDED] >> player) & 1 == 0

    def actions(self, state, out):
        if self.player(state) == CHANCE:
            count = 0
            for card in range(self.cards()):
                held = False
                for player in range(self.players):
                    held |= state[self.seat(player) + CARD] == card
                if not held:
                    out[count] = card
                    count += 1
            return count
        return list_bets(state[self.seat(state[TURN]) + PAID] < state[STAKE], state[RAISES] < CAP, out)

    def odds(self, state, out):
        left = self.cards() - self.dealt(state)
        for i in range(left):
            out[i] = 1.0 / left

    def dealt(self, state):
        """How many private cards are dealt."""
        count = 0
        for player in range(self.players):
            count += state[self.seat(player) + CARD] != UNDEALT
        return count

    def step(self, state, action):
        dealt = self.dealt(state)
        if dealt < self.players:
            seat = self.seat(dealt)
            state[seat + CARD] = action
            state[seat + VIEW] = seen(state[seat + VIEW], action, CARD_RADIX)
        elif state[ROUND] == 1 and state[PUBLIC] == UNDEALT:
            state[PUBLIC] = action
            state[LINE] = seen(state[LINE], action, CARD_RADIX)
            for player in range(self.players):
                seat = self.seat(player)
                state[seat + VIEW] = seen(state[seat + VIEW], action, CARD_RADIX)
        else:
            self.bet(state, action)

    def bet(self, state, action):
        me = state[TURN]
        state[LINE] = seen(state[LINE], action, BET_RADIX)
        for player in range(self.players):
            seat = self.seat(player)
            state[seat + VIEW] = seen(state[seat + VIEW], action, BET_RADIX)
        if action == FOLD:
            state[FOLDED] |= 1 << me
        else:
            if action == RAISE:
                state[STAKE] += 4 if state[ROUND] else 2
                state[RAISES] += 1
                state[CALLS] = 0
            else:
                state[CALLS] += 1
            state[self.seat(me) + PAID] = state[STAKE]
        owing = self.left(state) - (1 if state[RAISES] else 0)  # the last to raise need not answer
        if state[CALLS] == owing:
            state[ROUND] += 1
            state[CALLS] = state[RAISES] = 0
            me = self.players - 1
        self.pass_on(state, me)

    def pass_on(self, state, last):
        """Give the turn to the next player who has not folded."""
        for step in range(1, self.players + 1):
            player = (last + step) % self.players
            if self.stays(state, player):
                state[TURN] = player
                return

    def payoff(self, state, player):
        pot, best, winners = 0, -1, 0
        for who in range(self.players):
            pot += state[self.seat(who) + PAID]
            if self.stays(state, who):
                strength = self.strength(state, who)
                winners = winners + 1 if strength == best else 1 if strength > best else winners
                best = max(best, strength)
        won = self.stays(state, player) and self.strength(state, player) == best
        return (pot / winners if won else 0.0) - state[self.seat(player) + PAID]

    def strength(self, state, player):
        rank, public = state[self.seat(player) + CARD] // SUITS, state[PUBLIC]
        return rank + self.players + 1 if public != UNDEALT and rank == public // SUITS else rank

    def view(self, state, player):
        return state[self.seat(player) + VIEW]

    def public(self, state):
        return state[LINE]

    def version(self):
        return 2

    def show(self, state, player):
        lines = told_hands(player, [self.card(state[self.seat(who) + CARD]) for who in range(self.players)])
        lines.append(f"public card: {self.card(state[PUBLIC])}")
        paid = (
            f"{state[self.seat(who) + PAID]}{'' if self.stays(state, who) else ' (folded)'}"
            for who in range(self.players)
        )
        lines.append(f"in the pot: {', '.join(paid)}   raises this round: {state[RAISES]}")
        return "\n".join(lines)

    def draw(self, state, player):
        made = []
        for who in range(self.players):
            card = state[self.seat(who) + CARD]
            known = player in (who, REFEREE) and card != UNDEALT
            made.append(Text(0, 1.5 * who, whose("card", who, player), anchor=END))
            made.append(poker_card(0.8, 1.5 * who, self.card(card) if known else "", f"hand {who}"))
            told = f"paid {state[self.seat(who) + PAID]}{'' if self.stays(state, who) else ', folded'}"
            made.append(Text(1.6, 1.5 * who, told, anchor=START))
        foot = 1.5 * self.players
        made.append(Text(0, foot, "public card", anchor=END))
        return [*made, poker_card(0.8, foot, "" if state[PUBLIC] == UNDEALT else self.card(state[PUBLIC]))]

    def heard(self, state, action, player):
        """Bets are made aloud, and the second round's card is open to all."""
        if self.player(state) == CHANCE:
            dealt = all(state[self.seat(who) + CARD] != UNDEALT for who in range(self.players))
            return card_text(self.card(action)) if dealt else ""
        return self.label(state, action)

    def label(self, state, action):
        if self.player(state) == CHANCE:
            return self.card(action)
        return bet_name(action, state[self.seat(state[TURN]) + PAID] < state[STAKE])

    def card(self, card):
        if card == UNDEALT:
            return "not dealt"
        rank, suit = divmod(int(card), SUITS)
        return ("JQKA" if self.players == 3 else RANKS[-self.players - 1 :])[rank] + "sh"[suit]
