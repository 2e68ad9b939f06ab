"""Limit Texas hold'em for two players. Rules version 2.

Player 0 is the dealer and puts in a small blind of 1, player 1 a big blind of 2. That is the small bet: the unit of stakes
and payoffs is half a small bet. Both get two private cards. Then come up to four rounds of betting: before the flop, after
the flop (three public cards), after the turn (one more) and after the river (one more). A bet or raise adds 2 in the first
two rounds and 4, the big bet, in the others. A round has at most four of them; before the flop the big blind counts as the
first. The dealer speaks first before the flop and second afterwards. Folding is allowed only when facing a bet. A round
ends when a bet is called, or when both have spoken and nobody raised. After the last round the best five of the two private
and the five public cards win the pot, and equal hands split it. Stacks are unlimited. Payoffs are net winnings.

Smaller versions: fewer ranks (the highest of a suit stay) or suits, fewer rounds, fewer raises, one private card (`hole`), a
flop of one or two cards.

Chance deals card by card: the private cards of player 0, those of player 1, the flop, the turn, the river. Cards that are
dealt together come in ascending order, with the odds that make every set of them equally likely, so that each deal is one
history and not one for each order. Actions: 0 fold, 1 call or check, 2 raise or bet; a chance action is a card,
rank * suits + suit.
"""

from typing import NamedTuple

import numpy as np

from ... import dice
from ...errors import Illegal, Invalid
from ...game import CHANCE, OVER, REFEREE, Shape, seen
from ...kernels.bits import highest
from ...shapes import END, START, Text, card_text, poker_card
from ...text.parameters import accepts
from ..betting import CALL, FOLD, RAISE, UNDEALT, list_bets
from .cards import bit, card_of, category, spelled, strength
from .deck import Deck

HOLE, BOARD, DECK, DEALT, ROUND, TURN, SPOKEN, BETS = 0, 4, 9, 10, 11, 12, 13, 14
PAID, FOLDED, LINE, VIEW, WORDS = 15, 17, 18, 19, 21
# state: two private cards of each player | five public cards | all dealt cards as bits, by number | how many these are |
# round | who bets | how many have spoken since the last raise, that one included | bets in this round | two stakes |
# who folded + 1 | the betting in base 4 after a leading 1: 0 ends a round, else action + 1 | two views
CARD_RADIX, BET_RADIX = 64, 4  # in views; powers of two, for the betting decides which comes next
LINE_RADIX = 1 << 31  # in public keys
SPEECH = {"f": FOLD, "fold": FOLD, "k": CALL, "check": CALL, "c": CALL, "call": CALL, "b": RAISE, "bet": RAISE}
SPEECH |= {"r": RAISE, "raise": RAISE}
CHECKING = ("k", "check")  # not while there is a bet to call
LETTERS = "fcr"  # of the actions in a hand history
SEATS = ("dealer", "big blind")
ROUNDS = ("before the flop", "flop", "turn", "river")


@accepts(
    ranks=(range(2, 14), "ranks in each suit, the highest ones: 5 is a deck from the ten to the ace"),
    suits=(range(1, 5), "suits of the deck"),
    rounds=(range(1, 5), "rounds of betting"),
    raises=(range(1, 5), "bets and raises in a round, the big blind included"),
    hole=(range(1, 3), "private cards of each player"),
    flop=(range(1, 4), "public cards before the second round"),
)
class Holdem(NamedTuple):
    ranks: int = 13
    suits: int = 4
    rounds: int = 4
    raises: int = 4
    hole: int = 2
    flop: int = 3

    def problem(self):
        deck, needed = self.deck(), self.due(self.rounds - 1)
        return f"a deck of {deck} cards is too small, the deal needs {needed}" if deck < needed else ""

    def deck(self):
        return self.ranks * self.suits

    def due(self, stage):
        """How many cards are dealt when a round of betting begins."""
        return 2 * self.hole + (self.flop + stage - 1 if stage else 0)

    def bet_size(self, stage):
        return 2 if stage < 2 else 4

    def shape(self):
        stake = float(sum(self.raises * self.bet_size(stage) for stage in range(self.rounds)))
        moves = self.due(self.rounds - 1) + self.rounds * (self.raises + 2) - 1
        return Shape(2, WORDS, max(3, self.deck()), moves, -stake, stake)

    def start(self, state):
        state[:] = 0
        for place in range(HOLE, DECK):
            state[place] = UNDEALT
        state[BETS] = 1
        state[PAID], state[PAID + 1] = 1, 2
        state[LINE] = state[VIEW] = state[VIEW + 1] = 1

    def player(self, state):
        if state[FOLDED] or state[ROUND] == self.rounds:
            return OVER
        return CHANCE if state[DEALT] < self.due(state[ROUND]) else state[TURN]

    def place(self, dealt):
        """Where the next card goes, and where the cards that are dealt together with it begin and end."""
        hole, public = self.hole, dealt - 2 * self.hole
        if public >= self.flop:
            return BOARD + public, BOARD + public, BOARD + public + 1
        if public >= 0:
            return BOARD + public, BOARD, BOARD + self.flop
        begin = HOLE if dealt < hole else HOLE + 2
        return begin + dealt % hole, begin, begin + hole

    def actions(self, state, out):
        if state[DEALT] < self.due(state[ROUND]):
            place, begin, end = self.place(state[DEALT])
            deck, count = state[DECK], 0
            for card in range(state[place - 1] + 1 if place > begin else 0, self.deck()):
                out[count] = card  # the next overwrites it if dealt; a branch would be mispredicted
                count += ~(deck >> card) & 1
            return count - (end - place - 1)  # the highest are left for those that come with it
        me = state[TURN]
        return list_bets(state[PAID + me] < state[PAID + 1 - me], state[BETS] < self.raises, out)

    def odds(self, state, out):
        place, begin, end = self.place(state[DEALT])
        deck, above, more = state[DECK], 0, end - place - 1
        for card in range(state[place - 1] + 1 if place > begin else 0, self.deck()):
            above += ~(deck >> card) & 1
        ways = choose(above, more + 1)
        for i in range(above - more):
            out[i] = choose(above - 1 - i, more) / ways

    def step(self, state, action):
        if state[DEALT] < self.due(state[ROUND]):
            self.deal(state, action)
        else:
            self.bet(state, action)

    def deal(self, state, card):
        place, _, _ = self.place(state[DEALT])
        state[place] = card
        state[DECK] |= np.int64(1) << card
        state[DEALT] += 1
        for player in range(2):
            if place >= BOARD or place // 2 == player:
                state[VIEW + player] = seen(state[VIEW + player], card, CARD_RADIX)

    def bet(self, state, action):
        me = state[TURN]
        state[LINE] = 4 * state[LINE] + action + 1
        for player in range(2):
            state[VIEW + player] = seen(state[VIEW + player], action, BET_RADIX)
        state[TURN] = 1 - me
        if action == FOLD:
            state[FOLDED] = me + 1
            return
        state[PAID + me] = state[PAID + 1 - me]
        if action == RAISE:
            state[PAID + me] += self.bet_size(state[ROUND])
            state[BETS] += 1
            state[SPOKEN] = 1
            return
        state[SPOKEN] += 1
        if state[SPOKEN] == 2:
            state[ROUND] += 1
            state[SPOKEN] = state[BETS] = 0
            state[TURN] = 1
            state[LINE] *= 4 if state[ROUND] < self.rounds else 1

    def payoff(self, state, player):
        if state[FOLDED]:
            return float(state[PAID + 1 - player]) if state[FOLDED] == 2 - player else -float(state[PAID + player])
        lead = self.hand(state, player) - self.hand(state, 1 - player)
        return float(state[PAID]) if lead > 0 else (-float(state[PAID]) if lead < 0 else 0.0)

    def hand(self, state, player):
        """The strength of a player's private and the public cards."""
        cards = np.int64(0)
        for i in range(self.hole):
            cards |= bit(state[HOLE + 2 * player + i], self.suits)
        for i in range(state[DEALT] - 2 * self.hole):
            cards |= bit(state[BOARD + i], self.suits)
        return strength(cards)

    def view(self, state, player):
        return state[VIEW + player]

    def public(self, state):
        # the betting and the board, in the order in which they came, would not fit; both together say as much
        key = seen(seen(1, state[LINE] >> 31, LINE_RADIX), state[LINE] & (LINE_RADIX - 1), LINE_RADIX)
        for i in range(max(0, state[DEALT] - 2 * self.hole)):
            key = seen(key, state[BOARD + i], CARD_RADIX)
        return key

    def imagine(self, state, player, random):
        # The other's private cards are any that the player does not see: every hand of the other has the same choices.
        theirs = HOLE + 2 * (1 - player)
        for i in range(self.hole):
            state[DECK] &= ~(np.int64(1) << state[theirs + i])
        left = self.deck() - state[DEALT] + self.hole
        for i in range(self.hole):
            card, skip = -1, dice.below(random, left - i)
            for candidate in range(self.deck()):
                if not state[DECK] >> candidate & 1:
                    if skip == 0:
                        card = candidate
                        break
                    skip -= 1
            state[theirs + i] = card
            state[DECK] |= np.int64(1) << card
        if self.hole == 2 and state[theirs] > state[theirs + 1]:
            state[theirs], state[theirs + 1] = state[theirs + 1], state[theirs]
        state[VIEW + 1 - player] = self.retold(state, 1 - player)

    def retold(self, state, player):
        """A player's view, made anew from the cards and the betting."""
        key, line = np.int64(1), state[LINE]
        for i in range(self.hole):
            key = seen(key, state[HOLE + 2 * player + i], CARD_RADIX)
        stage = 0
        for shift in range(highest(line) - 2, -1, -2):
            word = line >> shift & 3
            if word:
                key = seen(key, word - 1, BET_RADIX)
                continue
            for i in range(self.due(stage) - 2 * self.hole, self.due(stage + 1) - 2 * self.hole):
                if i < state[DEALT] - 2 * self.hole:
                    key = seen(key, state[BOARD + i], CARD_RADIX)
            stage += 1
        return key

    def version(self):
        return 2

    def public_cards(self):
        return Deck(self)

    def show(self, state, player):
        lines = []
        for who in (0, 1):
            if player in (who, REFEREE):
                owner = "your" if player == who else f"player {who}'s"
                lines.append(f"{owner} cards: {self.spell(state[HOLE + 2 * who : HOLE + 2 * who + self.hole])}")
        lines.append(f"board: {self.spell(state[BOARD : BOARD + 5])}")
        lines.append(f"in the pot: {state[PAID]} from player 0, {state[PAID + 1]} from player 1")
        lines += self.told(state)
        if player == REFEREE and not state[FOLDED] and state[ROUND] == self.rounds:
            lines += [f"player {who} shows {category(self.hand(state, who))}" for who in (0, 1)]
        return "\n".join(lines)

    def draw(self, state, player):
        made = []
        for who in (0, 1):
            known = player in (who, REFEREE)
            cards = state[HOLE + 2 * who : HOLE + 2 * who + self.hole]
            made.append(Text(0, 1.5 * who, "your cards" if player == who else SEATS[who], anchor=END))
            made += [
                poker_card(0.8 + i, 1.5 * who, self.face(card) if known else "", f"hand {who} {i + 1}")
                for i, card in enumerate(cards)
            ]
            made.append(Text(1 + self.hole, 1.5 * who, f"paid {state[PAID + who]}", anchor=START))
        public = state[BOARD : BOARD + self.due(self.rounds - 1) - 2 * self.hole]
        made.append(Text(0, 3, "board", anchor=END))
        made += [poker_card(0.8 + i, 3, self.face(card)) for i, card in enumerate(public)]
        return made + [
            Text(-1.5, 4.1 + 0.5 * i, line, size=0.3, anchor=START) for i, line in enumerate(self.told(state, SEATS))
        ]

    def face(self, card):
        """What a card is called, or nothing if it is not dealt."""
        return "" if card == UNDEALT else spelled(card, self.ranks, self.suits)

    def who(self, player):
        return f"the {SEATS[player]}"

    def ending(self, state):
        if state[FOLDED]:
            return "a fold"
        best, other = sorted((0, 1), key=lambda who: -self.hand(state, who))
        held = [
            " ".join(card_text(self.face(card)) for card in state[HOLE + 2 * who : HOLE + 2 * who + self.hole])
            for who in (best, other)
        ]
        if self.hand(state, best) == self.hand(state, other):
            return f"{held[0]} and {held[1]} are worth the same"
        return f"{held[0]} beats {held[1]}"

    def heard(self, state, action, player):
        """Bets are made aloud, and the cards of the board are open to all."""
        if self.player(state) == CHANCE:
            return card_text(self.label(state, action)) if state[DEALT] >= 2 * self.hole else ""
        return self.label(state, action)

    def told(self, state, names=("player 0", "player 1")):
        """The betting in words, a line for each round."""
        lines, shadow = [], np.zeros(WORDS, np.int64)
        self.start(shadow)
        for stage, letters in enumerate(self.betting(state).split("/")):
            words = []
            for letter in letters:
                action = LETTERS.index(letter)
                shadow[DEALT] = self.due(shadow[ROUND])
                words.append(f"{names[shadow[TURN]]} {self.label(shadow, action)}s")
                self.bet(shadow, action)
            if words:
                lines.append(f"{ROUNDS[stage]}: {', '.join(words)}")
        return lines

    def betting(self, state):
        """The betting as letters, rounds between slashes."""
        signs, line = "", int(state[LINE])
        while line > 1:
            signs = ("/" + LETTERS)[line & 3] + signs
            line >>= 2
        return signs

    def label(self, state, action):
        if self.player(state) == CHANCE:
            return spelled(action, self.ranks, self.suits)
        if action == FOLD:
            return "fold"
        if action == CALL:
            return "call" if state[PAID] != state[PAID + 1] else "check"
        return "raise" if state[BETS] else "bet"

    def read(self, state, text):
        if self.player(state) == CHANCE:
            try:
                return card_of(text, self.ranks, self.suits)
            except Invalid as error:
                raise Illegal(str(error)) from None
        word = text.lower()
        facing = state[PAID] != state[PAID + 1]
        return None if facing and word in CHECKING else SPEECH.get(word)

    def spell(self, cards):
        return " ".join(spelled(card, self.ranks, self.suits) for card in cards if card != UNDEALT) or "none yet"

    def notation(self, state):
        """The betting and the cards, as the Annual Computer Poker Competition writes them: crc/cc:9h8c|Kd2d/2s9cTc"""
        groups = [state[HOLE : HOLE + self.hole], state[HOLE + 2 : HOLE + 2 + self.hole]]
        public = [card for card in state[BOARD:DECK] if card != UNDEALT]
        stages = [public[: self.flop], *([card] for card in public[self.flop :])]
        text = ["".join(spelled(c, self.ranks, self.suits) for c in group if c != UNDEALT) for group in groups + stages]
        return f"{self.betting(state)}:{'|'.join(text[:2])}{''.join('/' + part for part in text[2:] if part)}"

    def from_notation(self, text, state):
        betting, colon, dealt = text.partition(":")
        if not colon or set(betting) - set(LETTERS + "/"):
            raise Invalid(f"'{text}' is no hand: write the betting and the cards as in crc/cc:9h8c|Kd2d/2s9cTc")
        groups = dealt.replace("|", "/").split("/")
        cards: list[int] = []
        for group in groups:
            words = [group[i : i + 2] for i in range(0, len(group), 2)]
            cards += sorted(card_of(word, self.ranks, self.suits) for word in words)
        speech = [LETTERS.index(letter) for letter in betting if letter != "/"]
        self.start(state)
        out = np.zeros(max(3, self.deck()), np.int64)
        while (player := self.player(state)) != OVER and (todo := cards if player == CHANCE else speech):
            action = todo.pop(0)
            if action not in out[: self.actions(state, out)]:
                raise Illegal(f"'{text}' is no hand: {self.label(state, action)} is not possible there")
            self.step(state, action)
        if cards or speech:
            raise Illegal(f"'{text}' is no hand: it goes on where the cards or the betting have ended")


def choose(n, k):
    """How many sets of k there are among n things; k is 2 at most, or 3."""
    ways = 1.0
    for i in range(k):
        ways = ways * (n - i) / (i + 1)
    return ways
