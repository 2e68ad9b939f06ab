"""The policy of army chess that attacks where an attack should pay."""

import numpy as np
import pytest

import fogtree
from fogtree import Invalid, dice
from fogtree.game import legal, new_state, odds
from fogtree.games.siguo.bold import FLAG_FALLS, Bold, gain, kinds_of
from fogtree.games.siguo.pieces import BOMB, COMMANDER, ENGINEER, FLAG, MINE
from fogtree.games.siguo.profit import VALUE
from fogtree.games.siguo.rules import kinds_from, known_from
from fogtree.policy import Uniform

SMALL = fogtree.load("small-army")


def begun(game, seed=1):
    """A game after the set-up."""
    state, random = new_state(game), dice.seeded(seed)
    with np.errstate(over="ignore"):
        while game.player(state) == fogtree.CHANCE:
            weights = odds(game, state)
            game.step(state, legal(game, state)[dice.pick(random, weights, len(weights))])
    return state


def test_the_gain_is_the_mean_over_what_the_man_attacked_can_be(interpreted):
    # the small army has one commander, engineer, bomb, mine and flag. A commander attacks a man who can be a mine or an
    # engineer: he dies on the mine (-210) and takes the engineer (+90), so on average he loses 60
    state, other = begun(SMALL), 5
    state[known_from(SMALL) + other] = 1 << MINE | 1 << ENGINEER
    assert gain(SMALL, state, 0, COMMANDER, other) == pytest.approx((-VALUE[COMMANDER] + VALUE[ENGINEER]) / 2)
    # an engineer clears the mine (+110) and dies with the engineer (90 - 90)
    assert gain(SMALL, state, 0, ENGINEER, other) == pytest.approx(VALUE[MINE] / 2)
    state[known_from(SMALL) + other] = 1 << FLAG
    assert gain(SMALL, state, 0, COMMANDER, other) == FLAG_FALLS
    assert gain(SMALL, state, 0, BOMB, other) == FLAG_FALLS - VALUE[BOMB]


@pytest.mark.parametrize("name", ["luzhanqi", "siguo"])  # for four, hidden men fight each other too
def test_it_plays_alike_whatever_the_hidden_men_are(name):
    game, random = fogtree.load(name), dice.seeded(3)
    state, policy = begun(game), Bold()
    choice, weight, other_weight = np.zeros(game.shape().actions, np.int64), *np.zeros((2, game.shape().actions))
    differ = 0
    with np.errstate(over="ignore"):
        for _ in range(120):
            player = int(game.player(state))
            if player < 0:
                break
            world = state.copy()
            game.imagine(world, player, random)
            count = policy.weigh(game, state, player, choice, weight)
            assert count == policy.weigh(game, world, player, choice, other_weight) == len(legal(game, state))
            assert (
                weight[:count].sum() == pytest.approx(1.0) and weight[:count].tolist() == other_weight[:count].tolist()
            )
            differ += not np.array_equal(state, world)
            game.step(state, choice[dice.pick(random, weight, count)])
    assert differ > 30


def test_what_a_man_can_be_is_never_without_what_he_is():
    game, random = fogtree.load("luzhanqi"), dice.seeded(8)
    state, policy = begun(game, 8), Bold()
    choice, weight = np.zeros(game.shape().actions, np.int64), np.zeros(game.shape().actions)
    narrowed = 0
    with np.errstate(over="ignore"):
        while (player := int(game.player(state))) >= 0:
            for man in range(50):
                kinds = kinds_of(game, state, player, man)
                if man // 25 != player:
                    assert kinds >> int(state[kinds_from(game) + man]) & 1
                    narrowed += kinds != state[known_from(game) + man] & ((1 << 12) - 1)
            count = policy.weigh(game, state, player, choice, weight)
            game.step(state, choice[dice.pick(random, weight, count)])
    assert narrowed > 0  # own men tell a player more than what everybody was told


def test_army_chess_names_its_policies():
    assert SMALL.playout_policy() == Uniform() and SMALL.playout_policy("bold:keen=5") == Bold(keen=5.0)
    with pytest.raises(Invalid, match="army chess has no such policy as 'timid': valid are even, bold"):
        SMALL.playout_policy("timid")
