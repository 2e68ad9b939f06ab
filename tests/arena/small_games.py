"""Small games for the tests of the arena: partners, a hidden coin, an open game."""

from typing import NamedTuple

from fogtree import CHANCE, OVER, Shape, dice
from fogtree.games import TicTacToe

ASKED, SAID = 0, 1  # state of Partners: how many have spoken | what each of the four said
COIN, GUESS = 0, 1  # state of HiddenCoin
NONE = -1


class Partners(NamedTuple):
    """Four players, partners across or side by side: each says 0 or 1 in secret, and player 0's side wins an even sum."""

    across: bool = True

    def shape(self):
        return Shape(4, 5, 2, 4, -1.0, 1.0)

    def side_of(self, player):
        return player % 2 if self.across else player // 2

    def start(self, state):
        state[:] = 0

    def player(self, state):
        return state[ASKED] if state[ASKED] < 4 else OVER

    def actions(self, state, out):
        out[0], out[1] = 0, 1
        return 2

    def step(self, state, action):
        state[SAID + state[ASKED]] = action
        state[ASKED] += 1

    def payoff(self, state, player):
        even = (state[1] + state[2] + state[3] + state[4]) % 2 == 0
        return 1.0 if even == (self.side_of(player) == 0) else -1.0

    def view(self, state, player):
        return 1 + (state[SAID + player] + 1 if state[ASKED] > player else 0)


class HiddenCoin(NamedTuple):
    """Chance tosses a coin that nobody sees, twice as often heads (0); player 0 and then player 1 guess it."""

    def shape(self):
        return Shape(2, 3, 2, 3, -1.0, 1.0)

    def start(self, state):
        state[:] = NONE

    def player(self, state):
        if state[COIN] == NONE:
            return CHANCE
        return 0 if state[GUESS] == NONE else 1 if state[GUESS + 1] == NONE else OVER

    def actions(self, state, out):
        out[0], out[1] = 0, 1
        return 2

    def odds(self, state, out):
        out[0], out[1] = 2 / 3, 1 / 3

    def step(self, state, action):
        state[0 if state[COIN] == NONE else 1 if state[GUESS] == NONE else 2] = action

    def payoff(self, state, player):
        first, second = state[GUESS] == state[COIN], state[GUESS + 1] == state[COIN]
        return 0.0 if first == second else 1.0 if first == (player == 0) else -1.0

    def view(self, state, player):
        return 1 + (state[GUESS + player] + 1 if state[GUESS + player] != NONE else 0)

    def imagine(self, state, player, random):
        state[COIN] = 0 if dice.unit(random) < 2 / 3 else 1
        if state[GUESS + 1 - player] != NONE:
            state[GUESS + 1 - player] = dice.below(random, 2)


class OpenTicTacToe(TicTacToe):
    """Tic-Tac-Toe that says that nothing is hidden, with a notation of its own."""

    def shape(self):
        return super().shape()._replace(open=True)

    def notation(self, state):
        return ",".join(map(str, state.tolist()))

    def from_notation(self, text, state):
        state[:] = [int(word) for word in text.split(",")]
