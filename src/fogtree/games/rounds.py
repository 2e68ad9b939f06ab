"""Rounds: a sequence of hidden simultaneous choices, paid at the end (the two-stage games of Briedoň 2015). Rules version 1.

In each round both players choose one of their actions; nobody sees the other's choices at any time, each remembers their
own. A player's whole course is a plan: the number that the actions spell in base `rows` or `columns`, the first action in
front. payoffs[plan 0, plan 1] goes to player 0 from player 1. So a game of r rounds has rows^r x columns^r payoffs, and
its matrix is the normal form with the plans that can never differ merged.

The default is the first two-stage game of the thesis as reconstructed from its printed numbers, where its values are
known, and filled in where they are lost: value 1.1.
"""

from typing import NamedTuple

import numpy as np

from ..game import OVER, REFEREE, Shape, seen
from ..shapes import row_of_cards, seat
from ..text.parameters import accepts, matrix

PLAN, COUNT, VIEW, WORDS = 0, 2, 3, 5  # state: the two plans so far | choices made | two views

TWO_STAGE = matrix([[-7, -1, -1, 2], [5, -5, 7, -8], [-1, 6, -2, 6], [-1, 2, -1, -8]])


@accepts(
    payoffs=(matrix, "what player 0 gets, rows^rounds by columns^rounds"),
    rounds=(range(1, 11), "how often both choose"),
    rows=(range(1, 65), "actions of player 0 in a round"),
    columns=(range(1, 65), "actions of player 1 in a round"),
)
class Rounds(NamedTuple):
    payoffs: np.ndarray = TWO_STAGE  # [rows^rounds, columns^rounds]
    rounds: int = 2
    rows: int = 2
    columns: int = 2

    def problem(self):
        need = (self.rows**self.rounds, self.columns**self.rounds)
        return "" if self.payoffs.shape == need else f"payoffs must be {need[0]} x {need[1]}, not {self.payoffs.shape}"

    def shape(self):
        low, high = self.payoffs.min(), self.payoffs.max()
        most = max(self.rows, self.columns)
        return Shape(2, WORDS, most, 2 * self.rounds, min(low, -high), max(high, -low))

    def start(self, state):
        state[:] = 0
        state[VIEW] = state[VIEW + 1] = 1

    def player(self, state):
        return OVER if state[COUNT] == 2 * self.rounds else state[COUNT] & 1

    def actions(self, state, out):
        count = self.columns if state[COUNT] & 1 else self.rows
        for i in range(count):
            out[i] = i
        return count

    def step(self, state, action):
        me = state[COUNT] & 1
        choices = self.columns if me else self.rows
        state[PLAN + me] = state[PLAN + me] * choices + action
        state[VIEW + me] = seen(state[VIEW + me], action, max(2, choices))
        state[COUNT] += 1

    def payoff(self, state, player):
        value = self.payoffs[state[PLAN], state[PLAN + 1]]
        return value if player == 0 else -value

    def view(self, state, player):
        return state[VIEW + player]

    def public(self, state):
        return state[COUNT] // 2  # nothing but which round it is

    def simultaneous(self):
        return True

    def hidden_choices(self):
        return self.rounds, self.rows, self.columns

    def version(self):
        return 1

    def show(self, state, player):
        lines = []
        for who in (0, 1):
            if player in (who, REFEREE):
                plan = self.plan(state, who)
                lines.append(f"{'you' if player == who else f'player {who}'} chose: {' '.join(plan) or 'nothing yet'}")
        return "\n".join(lines)

    def draw(self, state, player):
        """A card for each round: the choice, or its back."""
        made = []
        for who in (0, 1):
            plan = self.plan(state, who) if player in (who, REFEREE) else []
            cards = [(choice, None) for choice in plan] + [("", None)] * (self.rounds - len(plan))
            made += row_of_cards(0, 1.5 * who, "you" if player == who else seat(who), cards, place=f"round of {who}")
        return made

    def plan(self, state, player):
        """The choices of a player so far."""
        made = (state[COUNT] + 1 - player) // 2
        choices = self.columns if player else self.rows
        return [str(state[PLAN + player] // choices ** (made - 1 - i) % choices) for i in range(made)]


def random_rounds(seed: int, rounds: int = 2, rows: int = 2, columns: int = 2, low: int = -8, high: int = 8) -> Rounds:
    """A game of rounds with whole payoffs drawn evenly from low to high."""
    random = np.random.default_rng(seed)
    payoffs = random.integers(low, high, (rows**rounds, columns**rounds), endpoint=True)
    return Rounds(payoffs=payoffs, rounds=rounds, rows=rows, columns=columns)
