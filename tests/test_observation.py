"""Observations: as much as the view, and no more; what a check says of those that tell more."""

import itertools
import random

import numpy as np
import pytest

import fogtree
from fogtree import Broken, check, legal, new_state
from fogtree.game import OVER
from fogtree.games.rounds import COUNT, PLAN, VIEW
from fogtree.observation import Observation, observation, observed

SMALL = [
    "kuhn",
    "kuhn:cards=4",
    "leduc:ranks=2",
    "liars-dice:faces=3",
    "liars-dice:dice=2,faces=2",
    "goofspiel:cards=3",
    "goofspiel:cards=3,hidden=False,prizes=shuffled",
    "goofspiel:cards=3,prizes=increasing,lowest=1",
    "matrix",
]
LARGE = ["leduc", "liars-dice", "goofspiel:prizes=shuffled", "phantom-ttt", "phantom-ttt:rules=abrupt"]


def histories(game, state):
    """Every history below a state, as states."""
    yield state
    for action in legal(game, state):
        after = state.copy()
        game.step(after, action)
        yield from histories(game, after)


def random_games(game, count):
    dice = random.Random(5)
    for _ in range(count):
        state = new_state(game)
        while game.player(state) != OVER:
            yield state
            game.step(state, dice.choice(legal(game, state)))
        yield state


@pytest.mark.parametrize(("name", "whole"), [(name, True) for name in SMALL] + [(name, False) for name in LARGE])
def test_an_observation_is_the_same_exactly_where_the_view_is(name, whole):
    game = fogtree.load(name)
    rows, views = [{}, {}], [{}, {}]
    for state in histories(game, new_state(game)) if whole else random_games(game, 60):
        for player in range(2):
            row, view = observed(game, state, player).tobytes(), int(game.view(state, player))
            assert rows[player].setdefault(view, row) == row
            assert views[player].setdefault(row, view) == view
    assert min(map(len, rows)) > 3


@pytest.mark.parametrize("name", [*SMALL, *LARGE])
def test_actions_of_players_lie_below_their_number_and_one_of_them_just_below(name):
    game, most = fogtree.load(name), -1
    for state in random_games(game, 300):
        if game.player(state) >= 0:
            most = max(most, legal(game, state)[-1])
    assert observation(game).actions in (None, most + 1)


def played(game, *actions):
    state = new_state(game)
    for action in actions:
        game.step(state, action)
    return state


def test_leduc_by_hand():
    game = fogtree.Leduc()  # player 0 has a queen, player 1 a king; check, bet, call; a jack; check
    state = played(game, 2, 5, 1, 2, 1, 0, 1)
    for player, card in ((0, 2), (1, 5)):
        parts = observation(game).split(observed(game, state, player))
        assert np.flatnonzero(parts["own card"]).tolist() == [card]
        assert np.flatnonzero(parts["public card"]).tolist() == [0]
        assert np.argwhere(parts["betting"]).tolist() == [[0, 0, 1], [0, 1, 2], [0, 2, 1], [1, 0, 1]]
        assert parts["paid"] * 13 == pytest.approx([3, 3])


def test_goofspiel_by_hand():
    game = fogtree.Goofspiel(cards=3)  # 2 against 0, then 0 lies on the table
    state = played(game, 2, 0, 0)
    mine, other = (observation(game).split(observed(game, state, player)) for player in (0, 1))
    assert mine["own cards"].tolist() == [1, 1, 0] and other["own cards"].tolist() == [0, 1, 1]
    assert mine["own bid"].tolist() == [1, 0, 0] and not other["own bid"].any()
    assert mine["prize"].tolist() == [0, 1, 0] and mine["past prizes"][0].tolist() == [0, 0, 1]
    assert mine["past own bids"][0].tolist() == [0, 0, 1] and not mine["past other's bids"].any()
    assert mine["past results"][0].tolist() == [1, 0, 0] and other["past results"][0].tolist() == [0, 1, 0]


def test_phantom_tic_tac_toe_by_hand():
    game = fogtree.PhantomTicTacToe()  # X takes the centre; O tries it, and takes a corner
    parts = observation(game).split(observed(game, played(game, 4, 4, 0), 1))
    assert np.argwhere(parts["own marks"]).tolist() == [[0, 0]]
    assert np.argwhere(parts["found taken"]).tolist() == [[1, 1]]
    assert (9 * parts["order of tries"]).tolist() == [[2, 0, 0], [0, 1, 0], [0, 0, 0]]


def test_liars_dice_by_hand():
    game = fogtree.LiarsDice(dice=2, faces=3)  # 1 3 against 2 2; one 2, two 1
    parts = observation(game).split(observed(game, played(game, 2, 0, 1, 1, 1, 3), 0))
    assert parts["own dice"].tolist() == [[1, 0, 0], [0, 0, 1]]
    assert np.flatnonzero(parts["bids"]).tolist() == [1, 3]


def test_many_rows_are_split_as_one_is():
    game = fogtree.Kuhn()
    rows = np.array([observed(game, played(game, *cards), 0) for cards in itertools.permutations(range(3), 2)])
    assert observation(game).split(rows)["betting"].shape == (6, 3, 2)
    assert observation(game).split(rows)["own card"].argmax(axis=1).tolist() == [0, 0, 1, 1, 2, 2]


# --- what is refused -----------------------------------------------------------------------------------------------


class Leaks(fogtree.Kuhn):
    def observe(self, state, player, out):
        fogtree.Kuhn.observe(self, state, player, out)
        out[0] = state[1 - player]


class Overflows(fogtree.Kuhn):
    def observe(self, state, player, out):
        out[9] = 1


class Infinite(fogtree.Kuhn):
    def observe(self, state, player, out):
        out[0] = np.inf


class Narrow(fogtree.Kuhn):
    def observation(self):
        return fogtree.Kuhn.observation(self)._replace(actions=1)


class Shapeless(fogtree.Kuhn):
    def observation(self):
        return Observation((("card", (0,)),))


class Bare(fogtree.Kuhn):
    def observation(self):
        return 9


class AtOnce(fogtree.Kuhn):
    def simultaneous(self):
        return True


class Unfair(fogtree.Rounds):
    """The second player sees what the first one chooses."""

    def view(self, state, player):
        return state[VIEW + player] * 16 + (state[PLAN] if player else 0)


class Late(fogtree.Rounds):
    """Player 1 chooses first."""

    def player(self, state):
        return OVER if state[COUNT] == 4 else 1 - state[COUNT] % 2

    def view(self, state, player):
        return state[VIEW + 1 - player]


class Alone(fogtree.Rounds):
    """Player 0 chooses twice, then player 1."""

    def player(self, state):
        return OVER if state[COUNT] == 4 else state[COUNT] // 2

    def view(self, state, player):
        return state[VIEW] * 16 + state[VIEW + 1] if player == 0 else state[COUNT] + 1


@pytest.mark.parametrize(
    ("game", "sentence"),
    [
        (Leaks(), "Leaks.observe tells player . this from the history .*, though their view is the same"),
        (Overflows(), "Overflows.observe raised IndexError"),
        (Infinite(), "Infinite.observe must write finite numbers, not inf"),
        (Narrow(), "Narrow.observation says that all actions of players lie below 1, but 1 is one of them"),
        (Shapeless(), "Shapeless.observation must have one or more parts"),
        (Bare(), "Bare.observation must return a fogtree.observation.Observation, not 9"),
        (AtOnce(), "AtOnce.simultaneous says that all choose at the same time, but player . sees what player . chose"),
        (Unfair(), "Unfair.simultaneous says .* but player 1 sees what player 0 chose"),
        (Late(), "Late.simultaneous says .* but player 1 begins a round: player 0 must"),
        (Alone(), "Alone.simultaneous says .* but player 1 does not follow player 0 here"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_check_names_what_is_wrong(game, sentence):
    with pytest.raises(Broken, match=sentence):
        check(game, histories=500)


@pytest.mark.parametrize("verb", ["observe", "observation"])
def test_a_check_asks_for_both_verbs(verb):
    class Half(fogtree.TicTacToe):
        pass

    setattr(Half, verb, getattr(fogtree.Kuhn, verb))
    with pytest.raises(Broken, match=f"Half.{verb} needs .* beside it: the two go together"):
        check(Half(), histories=100)


def test_who_chooses_at_the_same_time_says_so():
    said = {name for name in fogtree.GAMES if hasattr(fogtree.load(name), "simultaneous")}
    assert said == {"matrix", "bimatrix", "rounds", "goofspiel"}


@pytest.mark.parametrize("player", [-1, 2, 5])
def test_nobody_else_sees_anything(player):
    with pytest.raises(fogtree.Invalid, match=f"^there is no player {player}: valid are 0 to 1$"):
        observed(fogtree.Kuhn(), new_state(fogtree.Kuhn()), player)
