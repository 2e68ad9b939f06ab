"""The match loop in compiled code, on games whose course is known beforehand."""

from typing import NamedTuple

import numpy as np
import pytest

from fogtree import dice
from fogtree.game import Shape, new_state
from fogtree.games import Kuhn
from fogtree.judges import new_room
from fogtree.measure.match import Nobody, play_out
from fogtree.policy import Always
from fogtree.trouble import ENDLESS

pytestmark = pytest.mark.usefixtures("interpreted")


class Rounds(NamedTuple):
    """Four players write down a number, one after the other, twice."""

    def shape(self):
        return Shape(4, 9, 4, 8, 0.0, 1.0, False)

    def start(self, state):
        state[:] = 0

    def player(self, state):
        return -2 if state[0] == 8 else state[0] % 4

    def actions(self, state, out):
        out[:4] = range(4)
        return 4

    def step(self, state, action):
        state[0] += 1
        state[state[0]] = action

    def payoff(self, state, player):
        return 0.0

    def view(self, state, player):
        return state[0] + 1


class Noting(NamedTuple):
    seen: list

    def see(self, game, state, player, decision):
        self.seen.append((int(player), decision, int(state[0])))


def play(game, second, decisions, witness=Nobody(), state=None):  # noqa: B008  (a tuple cannot change)
    state = new_state(game) if state is None else state
    room, random = new_room(game.shape()), dice.seeded(0)
    made = play_out(game, Always(1), Always(2), second, state, room, dice.seeded(1), random, witness, decisions)
    return made, state


def test_each_policy_plays_for_the_players_of_its_side():
    made, state = play(Rounds(), 0b1010, 8)
    assert made == 8 and state[1:].tolist() == [1, 2, 1, 2, 1, 2, 1, 2]
    made, state = play(Rounds(), 0b1001, 8)
    assert made == 8 and state[1:].tolist() == [2, 1, 1, 2, 2, 1, 1, 2]


def test_a_match_goes_on_where_it_stopped_and_a_witness_sees_each_state_before_its_decision():
    seen = []
    made, state = play(Rounds(), 0b1010, 3, Noting(seen))
    assert made == 3 and state[:4].tolist() == [3, 1, 2, 1]
    assert seen == [(0, 0, 0), (1, 1, 1), (2, 2, 2)]
    made, state = play(Rounds(), 0b1010, 8, Noting(seen), state)
    assert made == 5 and state[1:].tolist() == [1, 2] * 4
    assert seen[3:] == [(player % 4, player - 3, player) for player in range(3, 8)]


def test_the_same_dice_of_chance_deal_the_same_cards_whoever_plays():
    # in Kuhn poker chance deals before anybody decides, so each player has the same card in both games
    deals = {tuple(play(Kuhn(), second, 9)[1][:2].tolist()) for second in (0b10, 0b01)}
    assert len(deals) == 1


def test_a_game_that_does_not_end_within_its_moves_is_a_trouble():
    class Longer(Rounds):
        def shape(self):
            return Rounds().shape()._replace(moves=7)

    assert play(Longer(), 0b1010, 9)[0] == ENDLESS
    assert np.array_equal(play(Longer(), 0b1010, 7)[1][1:8], [1, 2, 1, 2, 1, 2, 1])
