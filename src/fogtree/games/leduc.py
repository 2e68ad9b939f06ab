"""Leduc hold'em: two betting rounds, one private and one public card (Southey et al. 2005). Rules version 1.

The deck has two suits of three ranks (J Q K). Both players put 1 in the pot and get a private card; a round of betting;
a public card is turned up; a second round. A bet or raise adds 2 in the first round, 4 in the second, at most two of them
a round. Player 0 opens both rounds. Folding is allowed only when facing a bet. A round ends when a bet is called or both
check. At the end a pair with the public card wins, else the higher rank; equal ranks split. Payoffs are net winnings.

Cards are numbered rank by rank (J J Q Q K K), and views tell suits apart: 936 information sets; without suits 288.
Actions: 0 fold, 1 call or check, 2 raise or bet; a chance action is a card.
"""

from typing import NamedTuple

from ..game import CHANCE, OVER, REFEREE, Shape
from ..observation import Observation
from ..shapes import END, Text, card_text, poker_card, whose
from ..text.parameters import accepts
from .betting import FOLD, RAISE, UNDEALT, bet_name, list_bets, told_hands

PRIVATE, PUBLIC, ROUND, TURN, CALLS, RAISES, PAID, FOLDED, VIEW, LINE, WORDS = 0, 2, 3, 4, 5, 6, 7, 9, 10, 12, 13
# state: two cards | public card | round | who bets | calls and raises in this round | two stakes | who folded + 1 |
# two views | the betting in base 4 after a leading 1: 0 ends a round, else action + 1
CARD_RADIX, BET_RADIX = 64, 3  # in views, mixed by the betting. All keys are different:
# a player sees two cards at most, and no betting of a whole round is the beginning of another. A test lists all of them.
SHOWDOWN = 2  # the round after the last
CAP = 2  # raises in a round
LONGEST = CAP + 2  # bets of a round: a check, the raises, a call
MOST = 13  # that a player pays


@accepts(
    ranks=(range(2, 14), "ranks in each suit"),
    suits=(range(1, 5), "suits of the deck, which needs three cards or more"),
)
class Leduc(NamedTuple):
    ranks: int = 3
    suits: int = 2

    def problem(self):
        return "the deck needs three cards or more" if self.ranks * self.suits < 3 else ""

    def shape(self):
        return Shape(2, WORDS, max(3, self.ranks * self.suits), 11, -13.0, 13.0)

    def start(self, state):
        state[:] = 0
        state[PRIVATE] = state[PRIVATE + 1] = state[PUBLIC] = UNDEALT
        state[PAID] = state[PAID + 1] = 1
        state[VIEW] = state[VIEW + 1] = state[LINE] = 1

    def player(self, state):
        if state[FOLDED] or state[ROUND] == SHOWDOWN:
            return OVER
        if state[PRIVATE + 1] == UNDEALT or (state[ROUND] == 1 and state[PUBLIC] == UNDEALT):
            return CHANCE
        return state[TURN]

    def actions(self, state, out):
        if self.player(state) == CHANCE:
            count = 0
            for card in range(self.ranks * self.suits):
                out[count] = card  # the next overwrites it if dealt; a branch would be mispredicted
                count += (card != state[PRIVATE]) & (card != state[PRIVATE + 1])
            return count
        me = state[TURN]
        return list_bets(state[PAID + me] < state[PAID + 1 - me], state[RAISES] < CAP, out)

    def odds(self, state, out):
        left = self.ranks * self.suits - (state[PRIVATE] != UNDEALT) - (state[PRIVATE + 1] != UNDEALT)
        for i in range(left):
            out[i] = 1.0 / left

    def step(self, state, action):
        if state[PRIVATE] == UNDEALT:
            self.deal(state, PRIVATE, action)
        elif state[PRIVATE + 1] == UNDEALT:
            self.deal(state, PRIVATE + 1, action)
        elif state[ROUND] == 1 and state[PUBLIC] == UNDEALT:
            self.deal(state, PUBLIC, action)
        else:
            self.bet(state, action)

    def deal(self, state, place, card):
        state[place] = card
        for player in range(2):
            if place == PUBLIC or place == PRIVATE + player:
                state[VIEW + player] = state[VIEW + player] * CARD_RADIX + card

    def bet(self, state, action):
        me = state[TURN]
        for player in range(2):
            state[VIEW + player] = state[VIEW + player] * BET_RADIX + action
        state[LINE] = 4 * state[LINE] + action + 1
        state[TURN] = 1 - me
        if action == FOLD:
            state[FOLDED] = me + 1
            return
        state[PAID + me] = state[PAID + 1 - me]
        if action == RAISE:
            state[PAID + me] += 4 if state[ROUND] else 2
            state[RAISES] += 1
            state[CALLS] = 0
            return
        state[CALLS] += 1
        if state[CALLS] == 2 or state[RAISES]:
            state[ROUND] += 1
            state[LINE] *= 4
            state[TURN] = state[CALLS] = state[RAISES] = 0

    def payoff(self, state, player):
        if state[FOLDED]:
            return float(state[PAID + 1 - player]) if state[FOLDED] == 2 - player else -float(state[PAID + player])
        lead = self.strength(state, player) - self.strength(state, 1 - player)
        return float(state[PAID]) if lead > 0 else (-float(state[PAID]) if lead < 0 else 0.0)

    def strength(self, state, player):
        rank = state[PRIVATE + player] // self.suits
        return rank + self.ranks if rank == state[PUBLIC] // self.suits else rank

    def view(self, state, player):
        return state[VIEW + player]

    def public(self, state):
        return state[LINE] * CARD_RADIX + state[PUBLIC] + 1

    def observation(self):
        cards = self.ranks * self.suits
        parts = (("own card", (cards,)), ("public card", (cards,)), ("betting", (SHOWDOWN, LONGEST, 3)), ("paid", (2,)))
        return Observation(parts, actions=3)

    def observe(self, state, player, out):
        if state[PRIVATE + player] == UNDEALT:
            return
        cards = self.ranks * self.suits
        out[state[PRIVATE + player]] = 1
        if state[PUBLIC] != UNDEALT:
            out[cards + state[PUBLIC]] = 1
        betting, shift, turn, made = 2 * cards, 0, 0, 0
        while state[LINE] >> (shift + 2):
            shift += 2
        while shift > 0:
            shift -= 2
            bet = (state[LINE] >> shift) & 3
            if bet == 0:
                turn, made = turn + 1, 0
            else:
                out[betting + (turn * LONGEST + made) * 3 + bet - 1] = 1
                made += 1
        paid = betting + SHOWDOWN * LONGEST * 3  # by oneself | by the other, as shares of the most
        out[paid], out[paid + 1] = state[PAID + player] / MOST, state[PAID + 1 - player] / MOST

    def version(self):
        return 1

    def public_cards(self):
        from .leduc_cards import LeducCards  # not on top: most players never ask

        return LeducCards(self)

    def show(self, state, player):
        lines = told_hands(player, [self.card(state[PRIVATE]), self.card(state[PRIVATE + 1])])
        lines.append(f"public card: {self.card(state[PUBLIC])}")
        lines.append(f"in the pot: {state[PAID]} and {state[PAID + 1]}   raises this round: {state[RAISES]}")
        return "\n".join(lines)

    def draw(self, state, player):
        made = []
        for who in (0, 1):
            known = player in (who, REFEREE) and state[PRIVATE + who] != UNDEALT
            made.append(Text(0, 1.5 * who, whose("card", who, player), anchor=END))
            made.append(poker_card(0.8, 1.5 * who, self.card(state[PRIVATE + who]) if known else "", f"hand {who}"))
            made.append(Text(2.2, 1.5 * who, f"paid {state[PAID + who]}"))
        made.append(Text(0, 3, "public card", anchor=END))
        made.append(poker_card(0.8, 3, "" if state[PUBLIC] == UNDEALT else self.card(state[PUBLIC])))
        return made

    def ending(self, state):
        if state[FOLDED]:
            return "a fold"
        best, other = sorted((0, 1), key=lambda who: -self.strength(state, who))
        cards = [card_text(self.card(state[PRIVATE + who])) for who in (best, other)]
        if self.strength(state, best) == self.strength(state, other):
            return f"{cards[0]} and {cards[1]} are worth the same"
        paired = state[PRIVATE + best] // self.suits == state[PUBLIC] // self.suits
        return f"{'the pair of ' if paired else ''}{cards[0]} beats {cards[1]}"

    def heard(self, state, action, player):
        """Bets are made aloud, and the second round's card is open to all."""
        if self.player(state) == CHANCE:
            return "" if UNDEALT in state[PRIVATE : PRIVATE + 2] else card_text(self.card(action))
        return self.label(state, action)

    def label(self, state, action):
        if self.player(state) == CHANCE:
            return self.card(action)
        return bet_name(action, state[PAID] != state[PAID + 1])

    def card(self, card):
        if card == UNDEALT:
            return "not dealt"
        rank, suit = divmod(int(card), self.suits)
        return ("JQK" if self.ranks == 3 else "23456789TJQKA"[-self.ranks :])[rank] + "shdc"[suit]
