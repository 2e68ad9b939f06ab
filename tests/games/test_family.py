"""Families: every game once, and classes counted a second way by Burnside's lemma."""

import itertools

import numpy as np
import pytest

import fogtree
from fogtree.errors import Invalid
from fogtree.games.family import Family, load_family


def cycles(permutation):
    left, found = set(range(len(permutation))), []
    while left:
        start = here = min(left)
        found.append(0)
        while here in left:
            left.remove(here)
            found[-1] += 1
            here = permutation[here]
        assert here == start
    return found


def test_briedon_2015_plays_19680_games():
    family = Family()
    assert len(family) == 3**9 - 3 == 19_680
    every = family.matrices(np.arange(len(family)))
    assert len(np.unique(every.reshape(len(family), 9), axis=0)) == 19_680
    assert np.ptp(every, axis=(1, 2)).min() > 0  # no constant one


def test_a_game_has_its_number():
    for family in (Family(), Family(2, 3), Family(2, 2, (0.0, 1.0))):
        for number in range(0, len(family), max(1, len(family) // 50)):
            assert family.index(family[number]) == number
    assert fogtree.load("3x3/17").payoffs.tolist() == Family()[17].payoffs.tolist()
    assert Family()[-1].payoffs.tolist() == [[1, 1, 1], [1, 1, 1], [1, 1, 0]]


def test_classes_are_as_many_as_burnside_counts():
    # the games that each of 36 exchanges of lines leaves as they are; then with the players exchanged too
    fixed = 0
    for rows, columns in itertools.product(itertools.permutations(range(3)), repeat=2):
        fixed += 3 ** len(cycles([3 * rows[i] + columns[j] for i in range(3) for j in range(3)]))
        swapped = cycles([3 * rows[j] + columns[i] for i in range(3) for j in range(3)])
        fixed += 3 ** sum(length % 2 == 0 for length in swapped)  # an odd cycle of changing signs is all 0
    constant = 2  # all 0; all 1 with all -1
    classes = Family().classes()
    assert len(classes) == fixed // 72 - constant == 372
    members = np.concatenate([found.members for found in classes])
    assert sorted(members) == list(range(19_680))


def test_members_of_a_class_are_the_same_game():
    family = Family()
    random = np.random.default_rng(1)
    found = {number: n for n, each in enumerate(family.classes()) for number in each.members.tolist()}
    for number in random.integers(0, len(family), 20):
        payoffs = family[number].payoffs[random.permutation(3)][:, random.permutation(3)]
        assert found[family.index(payoffs)] == found[family.index(-payoffs.T)] == found[int(number)]


def test_players_are_not_exchanged_where_that_leaves_the_family():
    # 2x2 of 0 and 1: rows and columns alone; by Burnside (16 + 4 + 4 + 4) / 4 = 7, two of them constant
    assert len(Family(2, 2, (0.0, 1.0)).classes()) == 5


def test_what_is_no_family_is_refused():
    with pytest.raises(Invalid, match="there is no family '3by3'"):
        load_family("3by3")
    with pytest.raises(Invalid, match="0 to 19679, not '19680'"):
        fogtree.load("3x3/19680")
    with pytest.raises(Invalid, match="two payoffs or more"):
        Family(2, 2, (1.0, 1.0))
    with pytest.raises(Invalid, match="too many to compare"):
        Family(4, 4).classes()
    with pytest.raises(ValueError, match="every payoff is 1"):
        Family().index(np.ones((3, 3)))
