"""Goofspiel, the game of pure strategy (Ross 1971), for two players. Rules version 1.

Both players and a deck of prizes hold the same cards. In each round a prize is turned up; both players secretly bid one
of their cards; the higher bid takes the prize's points, equal bids discard it; the bids are gone. When all cards are
played, more points win.

* hidden: after a round players learn only who won it, not the other's card (imperfect information, as in Lisý 2014);
  otherwise both bids are shown.
* prizes: decreasing or increasing (known order), or shuffled (chance turns them up).
* lowest: the value of the lowest card, 0 as in the papers or 1 as in OpenSpiel. A prize of 0 is worth nothing.
* points: the payoff is the difference of points; otherwise 1, 0 or -1 for a win, a draw or a loss.

The simultaneous bids are played one after the other, the second without a sight of the first. The last card is bid like
any other, although there is no choice. An action is a card's index, 0 being the lowest; a chance action a prize's.
"""

import enum
from typing import NamedTuple

from .. import dice
from ..game import CHANCE, NONE, OVER, REFEREE, Shape, seen
from ..kernels import bits, scratch
from ..observation import Observation
from ..shapes import END, FAINT, FIRST, SECOND, Card, Text, row_of_cards, whose
from ..text.parameters import accepts

HAND, DECK, PRIZE, BID, SCORE, VIEW, BIDS, TURNED, WORDS = 0, 2, 3, 4, 5, 7, 9, 11, 12
# state: two hands and the prize deck as bit masks | prize on the table | player 0's bid | two scores | two views
#        | both players' bids of all rounds that are over | the prizes that chance turned up, both lists by four bits a card
CARD_BITS = 4
CARD_RADIX, RESULT_RADIX = 16, 4  # in public keys; powers of two, for the rules decide which comes next
MOST = 13  # cards
COURSE, WIDTH = 3 * MOST, MOST + 2  # moves in one game | numbers of spare cards
WAYS = (MOST + 1) * WIDTH
WON, LOST, TIED = 0, 1, 2  # a round, as player 0 sees it


class Prizes(enum.IntEnum):
    DECREASING = 0
    INCREASING = 1
    SHUFFLED = 2


@accepts(
    cards=(range(1, MOST + 1), "cards in each hand and in the deck"),
    hidden=(None, "after a round players learn only who won it; otherwise both bids are shown"),
    prizes=(Prizes, "the order of the prizes; shuffled ones are turned up by chance"),
    lowest=(range(0, 2), "the value of the lowest card: 0 as in the papers, 1 as in OpenSpiel"),
    points=(None, "the payoff is the difference of points; otherwise 1, 0 or -1"),
)
class Goofspiel(NamedTuple):
    cards: int = 6
    hidden: bool = True
    prizes: Prizes = Prizes.DECREASING
    lowest: int = 0
    points: bool = False

    def shape(self):
        best = 1.0
        if self.points:
            best = float(self.cards * (self.cards - 1) // 2 + self.lowest * self.cards)
        moves = self.cards * (3 if self.prizes == Prizes.SHUFFLED else 2)
        return Shape(2, WORDS, self.cards, moves, -best, best)

    def start(self, state):
        state[:] = 0
        state[HAND] = state[HAND + 1] = state[DECK] = (1 << self.cards) - 1
        state[PRIZE] = state[BID] = NONE
        state[VIEW] = state[VIEW + 1] = 1
        self.turn_up(state)

    def player(self, state):
        if state[PRIZE] == NONE:
            return CHANCE if state[DECK] else OVER
        return 0 if state[BID] == NONE else 1

    def actions(self, state, out):
        pile = state[DECK if state[PRIZE] == NONE else (HAND if state[BID] == NONE else HAND + 1)]
        count = 0
        for card in range(self.cards):
            out[count] = card  # the next overwrites it unless it is there; a branch would be mispredicted
            count += (pile >> card) & 1
        return count

    def odds(self, state, out):
        left = bits.count(state[DECK])
        for i in range(left):
            out[i] = 1.0 / left

    def step(self, state, action):
        if state[PRIZE] == NONE:
            self.see(state, 0, DECK, action)
            self.see(state, 1, DECK, action)
            self.take_prize(state, action)
            state[TURNED] = state[TURNED] << CARD_BITS | action
        elif state[BID] == NONE:
            self.see(state, 0, HAND, action)
            state[BID] = action
        else:
            self.see(state, 1, HAND + 1, action)
            self.settle(state, state[BID], action)

    def settle(self, state, first, second):
        points = state[PRIZE] + self.lowest
        won, lost = first > second, first < second
        result = WON if won else (LOST if lost else TIED)
        state[SCORE] += points * won
        state[SCORE + 1] += points * lost
        if self.hidden:
            state[VIEW] = seen(state[VIEW], result, 3)
            state[VIEW + 1] = seen(state[VIEW + 1], result, 3)
        else:
            self.see(state, 0, HAND + 1, second)
            self.see(state, 1, HAND, first)
        state[HAND] &= ~(1 << first)
        state[HAND + 1] &= ~(1 << second)
        state[BIDS] = state[BIDS] << CARD_BITS | first
        state[BIDS + 1] = state[BIDS + 1] << CARD_BITS | second
        state[PRIZE] = state[BID] = NONE
        self.turn_up(state)

    def turn_up(self, state):
        if state[DECK] and self.prizes != Prizes.SHUFFLED:
            left = bits.count(state[DECK])
            self.take_prize(state, left - 1 if self.prizes == Prizes.DECREASING else self.cards - left)

    def take_prize(self, state, card):
        state[PRIZE] = card
        state[DECK] &= ~(1 << card)

    def see(self, state, player, pile, card):
        # a card is one of those left in its pile, so its rank there says which with the fewest bits
        rank = bits.count(state[pile] & ((1 << card) - 1))
        state[VIEW + player] = seen(state[VIEW + player], rank, max(2, bits.count(state[pile])))

    def payoff(self, state, player):
        lead = state[SCORE + player] - state[SCORE + 1 - player]
        if self.points:
            return float(lead)
        return 1.0 if lead > 0 else (-1.0 if lead < 0 else 0.0)

    def view(self, state, player):
        return state[VIEW + player]

    def public(self, state):
        # the prizes and what became of each round; a bid that still lies face down is not public
        rounds = self.cards - bits.count(state[HAND + 1])
        turned = rounds + (state[PRIZE] != NONE)
        key = 1
        for i in range(turned):
            if self.prizes == Prizes.SHUFFLED:
                key = seen(key, card_at(state[TURNED], turned, i), CARD_RADIX)
            if i < rounds:
                first, second = card_at(state[BIDS], rounds, i), card_at(state[BIDS + 1], rounds, i)
                if self.hidden:
                    key = seen(key, WON if first > second else (LOST if first < second else TIED), RESULT_RADIX)
                else:
                    key = seen(seen(key, first, CARD_RADIX), second, CARD_RADIX)
        return key

    def simultaneous(self):
        return True

    def observation(self):
        row = (self.cards,)
        past = tuple((f"past {what}", (self.cards, self.cards)) for what in ("prizes", "own bids", "other's bids"))
        parts = (("own cards", row), ("prize", row), ("own bid", row), *past, ("past results", (self.cards, 3)))
        return Observation(parts, actions=self.cards)

    def observe(self, state, player, out):
        cards = self.cards
        for card in range(cards):
            out[card] = (state[HAND + player] >> card) & 1
        if state[PRIZE] != NONE:
            out[cards + state[PRIZE]] = 1
        if player == 0 and state[BID] != NONE:
            out[2 * cards + state[BID]] = 1
        rounds = cards - bits.count(state[HAND + player])
        turned = rounds + (state[PRIZE] != NONE)
        for i in range(rounds):
            own, other = card_at(state[BIDS + player], rounds, i), card_at(state[BIDS + 1 - player], rounds, i)
            prize = i if self.prizes == Prizes.INCREASING else cards - 1 - i
            if self.prizes == Prizes.SHUFFLED:
                prize = card_at(state[TURNED], turned, i)
            past = 3 * cards + i * cards
            out[past + prize] = out[past + cards * cards + own] = 1
            if not self.hidden:
                out[past + 2 * cards * cards + other] = 1
            result = WON if own > other else (LOST if own < other else TIED)
            out[3 * cards * (cards + 1) + 3 * i + result] = 1

    def imagine(self, state, player, random):
        # The player knows the prizes, the own bids and who won each round. So in each round the other has bid a lower card, a
        # higher card or the same one, and the other's hand is the rest. Each such course is equally likely.
        rounds = self.cards - bits.count(state[HAND + player])
        bids, others, prizes, open_bid = state[BIDS + player], state[BIDS + 1 - player], state[TURNED], state[BID]
        prizes_turned = rounds + (state[PRIZE] != NONE)
        result, answer = scratch(MOST), scratch(MOST)  # [own card] the round | the other's card
        result[:] = NONE
        for i in range(rounds):
            own, theirs = card_at(bids, rounds, i), card_at(others, rounds, i)
            result[own] = WON if own > theirs else (LOST if own < theirs else TIED)
            answer[own] = NONE if self.hidden else theirs
        if self.hidden:
            draw_answers(self.cards, result, answer, random)
        course, made = scratch(COURSE), 0
        for i in range(prizes_turned):
            if self.prizes == Prizes.SHUFFLED:
                course[made] = card_at(prizes, prizes_turned, i)
                made += 1
            if i < rounds:
                own = card_at(bids, rounds, i)
                course[made + player] = own
                course[made + 1 - player] = answer[own]
                made += 2
        self.start(state)
        for i in range(made):
            self.step(state, course[i])
        if open_bid != NONE:
            bid = any_card(state[HAND], random) if player else open_bid
            self.see(state, 0, HAND, bid)
            state[BID] = bid

    def version(self):
        return 1

    def show(self, state, player):
        prize = "none" if state[PRIZE] == NONE else str(state[PRIZE] + self.lowest)
        lines = [f"prize: {prize}   won so far: {state[SCORE]} and {state[SCORE + 1]} points"]
        if rounds := self.cards - bits.count(state[HAND + 1]):  # a prize may be worth nothing, and points do not tell
            first, second = (card_at(state[BIDS + who], rounds, rounds - 1) for who in (0, 1))
            lines[0] += f", the last prize by {'nobody' if first == second else f'player {int(second > first)}'}"
        for who in (0, 1):
            if player in (who, REFEREE) or not self.hidden:
                hand = [str(card + self.lowest) for card in range(self.cards) if (state[HAND + who] >> card) & 1]
                if who == 0 and state[BID] != NONE and player != 1:
                    hand = [f"({c})" if int(c) == state[BID] + self.lowest else c for c in hand]
                lines.append(f"{'your' if player == who else f'player {who}'} cards: {' '.join(hand) or 'none'}")
        return "\n".join(lines)

    def draw(self, state, player):
        """The prizes, and the cards that the player knows of. An own bid that is on the table stands a little higher."""
        turned = [(str(state[PRIZE] + self.lowest), None)] if state[PRIZE] != NONE else []
        mover, y = self.player(state), 3.2
        deck = [card for card in range(self.cards) if (state[DECK] >> card) & 1]
        left = [(str(card + self.lowest), card if mover == CHANCE else None) for card in deck]
        made = row_of_cards(0, 0, "prize", turned) + row_of_cards(0, 1.5, "prizes left", left, FAINT)
        for who in (0, 1):
            if player in (who, REFEREE) or not self.hidden:
                chooses = who == (mover if player == REFEREE else player) and mover != CHANCE
                hand = [card for card in range(self.cards) if (state[HAND + who] >> card) & 1]
                made.append(Text(0, y, whose("cards", who, player), anchor=END))
                bid = state[BID] if who == 0 and player != 1 else NONE
                for card in hand:  # each has its own spot, whatever is gone
                    action, spot = card if chooses else None, f"hand {who} {card + self.lowest}"
                    raised = 0.3 if card == bid else 0.0
                    face, tone = str(card + self.lowest), (FIRST, SECOND)[who]
                    made.append(Card(0.8 + card, y - raised, face, tone, action, spot))
                y += 1.7
        return [*made, Text(1.5, y - 0.5, f"points won: {state[SCORE]} and {state[SCORE + 1]}")]

    def ending(self, state):
        return f"{state[SCORE]} points against {state[SCORE + 1]}"

    def heard(self, state, action, player):
        """Prizes are turned up before all, and bids too unless they are hidden. The second player hears
        of a bid in the next round, for at their own move it still lies face down."""
        if self.player(state) == CHANCE:
            return f"prize {self.label(state, action)}"
        if self.hidden:
            return ""
        if player == 0:
            return self.label(state, action)
        rounds = self.cards - bits.count(state[HAND])
        return f"{self.label(state, card_at(state[BIDS], rounds, rounds - 1))} in the round before" if rounds else ""

    def label(self, state, action):
        return str(action + self.lowest)

    def read(self, state, text):
        # a card's value, never its index: with the 1 gone, "1" must not play the 2
        values = [str(card + self.lowest) for card in range(self.cards)]
        return values.index(text) if text in values else NONE


def card_at(packed, count, i):
    """The card with number i of a packed list of so many."""
    return (packed >> (CARD_BITS * (count - 1 - i))) & ((1 << CARD_BITS) - 1)


def any_card(hand, random):
    """One of the cards of a hand, each equally likely."""
    for _ in range(dice.below(random, bits.count(hand))):
        hand &= hand - 1
    return bits.count((hand & -hand) - 1)


def draw_answers(cards, result, answer, random):
    """Draw the other's card in each round, given who won: each way to have bid different cards equally likely.

    result [own card] is WON, LOST, TIED, or NONE for a card that was not bid; answer [own card] is written.

    This is a sweep over the cards from the lowest up. A card of the other is the answer to the same own card (tied), or
    to a lower own card that was passed and waits for an answer (lost), or it is spare: the answer to a higher own
    card that is still to come (won), which will take any of the spare cards, or else still in the hand. So two
    numbers say all that matters of the cards passed: how many are spare, and how many own cards wait. The second
    follows from the first: it is less by the own cards passed that were not bid. The numbers of ways to finish are
    counted backwards, and a draw in their proportion is even.
    """
    unbid = scratch(WIDTH)  # [card] own cards below it that were not bid
    for card in range(cards):
        unbid[card + 1] = unbid[card] + (result[card] == NONE)
    ways = scratch(WAYS)  # [card * WIDTH + spare] to go on; with 13 cards at most 116,914,351
    ways[cards * WIDTH + unbid[cards]] = 1
    for card in range(cards - 1, -1, -1):
        for spare in range(unbid[card], card + 1):
            waiting, left, choices = spare - unbid[card], spare, 1
            if result[card] == WON:
                left, choices = spare - 1, spare
            if choices == 0:
                continue
            after = (card + 1) * WIDTH + left
            if result[card] == TIED:
                ways[card * WIDTH + spare] = choices * ways[after]
            else:
                ways[card * WIDTH + spare] = choices * (ways[after + 1] + waiting * ways[after])

    pile, queue = scratch(MOST), scratch(MOST)
    spare = waiting = 0
    for card in range(cards):
        if result[card] == WON:
            k = dice.below(random, spare)
            answer[card] = pile[k]
            spare -= 1
            pile[k] = pile[spare]
        if result[card] == TIED:
            answer[card] = card
            continue
        kept, given = ways[(card + 1) * WIDTH + spare + 1], ways[(card + 1) * WIDTH + spare]
        drawn = dice.below(random, kept + waiting * given)
        if drawn < kept:
            pile[spare] = card
            spare += 1
        else:
            k = (drawn - kept) // given
            answer[queue[k]] = card
            waiting -= 1
            queue[k] = queue[waiting]
        if result[card] == LOST:
            queue[waiting] = card
            waiting += 1
