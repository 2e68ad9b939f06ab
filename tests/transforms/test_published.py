"""What is public: by the games' own word, and found by enumeration."""

import collections
from typing import NamedTuple

import pytest

import fogtree as ft
from fogtree.errors import Broken
from fogtree.game import OVER, legal, new_state
from fogtree.games.kuhn import HAND, LINE, Kuhn
from fogtree.transforms.abstraction import Abstract
from fogtree.transforms.published import Published, published


class Seen(NamedTuple):
    """A bucketing that forgets nothing."""

    def view(self, game, state, player):
        return game.view(state, player)


def silent(game):
    """The same game, which does not say what is public."""
    return Abstract(game, Seen())


def decisions(game):
    """(state, player) of every decision."""
    stack = [new_state(game)]
    while stack:
        state = stack.pop()
        player = int(game.player(state))
        if player >= 0:
            yield state, player
        for action in legal(game, state) if player != OVER else ():
            child = state.copy()
            game.step(child, action)
            stack.append(child)


def partition(game, keyed):
    """The information sets that share a public key."""
    parts = collections.defaultdict(set)
    for state, player in decisions(game):
        parts[int(keyed.public(state))].add((player, int(game.view(state, player))))
    return {frozenset(part) for part in parts.values()}


@pytest.mark.parametrize("name", ["kuhn", "leduc:ranks=2", "liars-dice:faces=3", "kuhn:players=3"])
def test_what_a_game_calls_public_is_what_enumeration_finds(name, interpreted):
    # in these games every move is made at a depth that all know, and the games tell all that is public
    game = ft.load(name)
    found = published(silent(game))
    assert isinstance(found, Published)
    assert partition(game, game) == partition(game, found)


def test_kuhn_has_four_public_states_in_which_somebody_moves():
    # nothing said yet, pass, bet, pass and bet; three cards each
    assert sorted(map(len, partition(Kuhn(), Kuhn()))) == [3, 3, 3, 3]


def test_the_two_bids_of_a_round_are_made_in_one_public_state(interpreted):
    game = ft.load("goofspiel:cards=3")
    own, found = partition(game, game), partition(game, published(silent(game)))
    assert all({player for player, _ in part} == {0, 1} for part in own)
    # enumeration finds more: the depth tells the first bid from the second, and a tie tells both cards
    assert all(any(part < larger for larger in own) for part in found)


def test_where_an_information_set_lies_at_several_depths_nothing_is_public(interpreted):
    # a failed try in classical Dark Hex costs no turn, and only who has tried knows of it
    game = silent(ft.load("dark-hex:side=2"))
    assert published(game) is game


def test_a_game_too_large_to_enumerate_is_left_as_it_is(interpreted):
    game = silent(ft.load("leduc"))
    assert published(game, most=1000) is game


def test_published_games_keep_the_contract(interpreted):
    assert ft.check(published(silent(Kuhn()))).complete


class Telling(Kuhn):
    """Kuhn poker that calls a hidden card public."""

    def public(self, state):
        return state[LINE] * 4 + state[HAND + 1] + 1


class Dropping(Kuhn):
    """Kuhn poker whose key is the same again at the end of the betting, so that it tells the card that was public before."""

    def public(self, state):
        if state[HAND + 1] < 0:
            return state[HAND] + 100
        return state[LINE]


@pytest.mark.parametrize(
    ("game", "sentence"),
    [
        (Telling(), r"Telling.public is .*which player 0 cannot tell from this, it is \d+"),
        (Dropping(), "Dropping.public is 1 as after .*, but other keys came before: nothing public is forgotten"),
    ],
)
def test_check_finds_what_is_not_public(game, sentence, interpreted):
    with pytest.raises(Broken, match=sentence):
        ft.check(game)
