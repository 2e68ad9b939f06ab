"""Liar's Dice for two players (Dudo), one round, the highest face wild. Rules version 1.

Both players roll their dice in secret. Player 0 opens with a bid "at least q dice show face f", counted over all dice on
the table; then in turn each player raises (a larger quantity, or the same quantity of a higher face) or calls the other a
liar. The highest face counts as every face. When called, the last bidder wins if the bid holds, else the caller.
Payoffs 1 and -1.

A bid is numbered (q - 1) * faces + (f - 1), so raising means a larger number; the call is the number after the last bid.
A chance action is a face, counted from 0. Players look at their dice when all of their own are rolled, in no order.
"""

from typing import NamedTuple

from ..game import CHANCE, NONE, OVER, REFEREE, Shape
from ..observation import Observation
from ..shapes import BOARD, END, FAINT, MARKED, Cell, Die, Text, whose
from ..text.parameters import accepts
from .betting import told_hands

SHOWN, ROLLED, BIDS, LAST, TURN, WORDS = 0, 2, 3, 4, 5, 6
# state: how many dice show each face, in base 16, for two players | dice rolled | bids made as bits | the last bid | who bids


@accepts(dice=(range(1, 5), "dice of each player"), faces=(range(2, 7), "faces of a die"))
class LiarsDice(NamedTuple):
    dice: int = 1
    faces: int = 6

    def call(self):
        return 2 * self.dice * self.faces

    def shape(self):
        return Shape(2, WORDS, max(self.call(), self.faces), 2 * self.dice + self.call() + 1, -1.0, 1.0)

    def start(self, state):
        state[:] = 0
        state[LAST] = NONE

    def player(self, state):
        if state[ROLLED] < 2 * self.dice:
            return CHANCE
        return OVER if state[LAST] == self.call() else state[TURN]

    def actions(self, state, out):
        if state[ROLLED] < 2 * self.dice:
            for face in range(self.faces):
                out[face] = face
            return self.faces
        count = 0
        # the call answers a bid: it cannot open
        for bid in range(state[LAST] + 1, self.call() + (state[LAST] != NONE)):
            out[count] = bid
            count += 1
        return count

    def odds(self, state, out):
        for face in range(self.faces):
            out[face] = 1.0 / self.faces

    def step(self, state, action):
        if state[ROLLED] < 2 * self.dice:
            state[SHOWN + state[ROLLED] // self.dice] += 1 << (4 * action)
            state[ROLLED] += 1
        else:
            state[BIDS] |= 1 << action
            if action != self.call():
                state[TURN] = 1 - state[TURN]
            state[LAST] = action

    def payoff(self, state, player):
        bid = 0  # the highest that was made
        for i in range(self.call()):
            if (state[BIDS] >> i) & 1:
                bid = i
        face, both = bid % self.faces, state[SHOWN] + state[SHOWN + 1]
        wild = self.faces - 1
        count = (both >> (4 * face)) & 15
        if face != wild:
            count += (both >> (4 * wild)) & 15
        holds = count >= bid // self.faces + 1
        caller_wins = not holds
        return 1.0 if caller_wins == (state[TURN] == player) else -1.0

    def view(self, state, player):
        if state[ROLLED] < (player + 1) * self.dice:
            return 0
        hand = 0
        for face in range(self.faces):
            hand = hand * (self.dice + 1) + ((state[SHOWN + player] >> (4 * face)) & 15)
        return hand * (1 << (self.call() + 1)) + state[BIDS]

    def public(self, state):
        return state[BIDS]

    def observation(self):
        bids = self.call() + 1
        return Observation((("own dice", (self.dice, self.faces)), ("bids", (bids,))), actions=bids)

    def observe(self, state, player, out):
        if state[ROLLED] < (player + 1) * self.dice:
            return
        die = 0
        for face in range(self.faces):
            for _ in range((state[SHOWN + player] >> (4 * face)) & 15):
                out[die * self.faces + face] = 1
                die += 1
        for bid in range(self.call() + 1):
            out[self.dice * self.faces + bid] = (state[BIDS] >> bid) & 1

    def version(self):
        return 1

    def show(self, state, player):
        lines = told_hands(player, [self.hand(state, who) for who in (0, 1)], "dice")
        bids = [self.label(state, bid) for bid in range(self.call() + 1) if (state[BIDS] >> bid) & 1]
        lines.append(f"bids: {', '.join(bids) or 'none yet'}")
        return "\n".join(lines)

    def draw(self, state, player):
        """The dice, and a table of all bids: those made are marked. The last one is the highest."""
        made, rolled = [], state[ROLLED] == 2 * self.dice
        for who in (0, 1):
            known = player in (who, REFEREE) and state[ROLLED] >= (who + 1) * self.dice
            points = [int(face) for face in self.hand(state, who).split()] if known else [0] * self.dice
            made.append(Text(0, 1.1 * who, whose("dice", who, player), anchor=END))
            made += [Die(0.8 + i, 1.1 * who, face, place=f"die {who} {i + 1}") for i, face in enumerate(points)]
        for bid in range(self.call()):
            x, y = 0.8 + bid % self.faces * 1.0, 2.7 + bid // self.faces * 0.7
            tone = MARKED if state[BIDS] >> bid & 1 else BOARD
            action = bid if rolled or player != REFEREE else None  # before that the actions are faces
            made.append(Cell(x, y, f"{bid // self.faces + 1}x{bid % self.faces + 1}", tone, action, height=0.7))
        made.append(Text(0, 2.7, "bids", FAINT, anchor=END))
        return made

    def hand(self, state, player):
        if state[ROLLED] < (player + 1) * self.dice:
            return "not rolled"
        return " ".join(str(f + 1) for f in range(self.faces) for _ in range((state[SHOWN + player] >> (4 * f)) & 15))

    def ending(self, state):
        bid = int(state[BIDS]).bit_length() - 1
        true = self.payoff(state, int(state[TURN])) < 0
        return f"the bid {bid // self.faces + 1}x{bid % self.faces + 1} was {'true' if true else 'a lie'}"

    def heard(self, state, action, player):
        """Bids are made aloud."""
        return "" if self.player(state) == CHANCE else self.label(state, action)

    def label(self, state, action):
        if state[ROLLED] < 2 * self.dice:
            return str(action + 1)
        if action == self.call():
            return "liar"
        return f"{action // self.faces + 1}x{action % self.faces + 1}"
