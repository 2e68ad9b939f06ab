"""Whole games between searches with open cards."""

import numpy as np
import pytest

from fogtree import Goofspiel, Invalid, Kuhn
from fogtree.bandits import UCB1Tuned, UniformRandom
from fogtree.bandits.risk import Risk
from fogtree.evaluation import AtEnd
from fogtree.judges import CutOff
from fogtree.papers.zhang2014.contest import Contest

HOW = {"inner": UCB1Tuned(), "worlds": 3, "iterations": 30, "judge": CutOff(100, AtEnd())}


def test_the_same_seed_gives_the_same_game_and_another_another(interpreted):
    contest = Contest(Goofspiel(cards=4), Risk(r=0.4), UCB1Tuned(), **HOW)
    one, again = contest.play(5, 1), contest.play(5, 1)
    assert one.payoffs == again.payoffs and one.mover.tolist() == again.mover.tolist()
    assert {contest.play(5, path).payoffs for path in range(4)} != {one.payoffs} or one.payoffs == (0.0, 0.0)


def test_a_search_wins_from_both_seats_against_one_that_chooses_at_random(interpreted):
    contest = Contest(Goofspiel(cards=4), UCB1Tuned(), UniformRandom(), **{**HOW, "iterations": 60})
    first = sum(contest.play(1, path).payoffs[0] for path in range(12))
    second = sum(contest.play(1, path, exchanged=True).payoffs[1] for path in range(12))
    assert first > 0 and second > 0


def test_who_decided_and_what_the_position_was_worth_is_noted_before_each_decision(interpreted):
    watched = []
    contest = Contest(Goofspiel(cards=3), UCB1Tuned(), UCB1Tuned(), **HOW)
    course = contest.play(2, watch=lambda state, made: watched.append(made))
    assert len(course.value) == len(course.mover) and set(course.mover.tolist()) == {0, 1}
    assert np.all(course.value == 0.0) and course.last == course.payoffs[0]  # nothing is known before the end
    assert watched[-1] == len(course.value)


def test_a_game_that_cannot_imagine_is_refused_in_one_sentence():
    with pytest.raises(Invalid, match="Kuhn cannot draw states: it has no method `imagine`"):
        Contest(Kuhn(), UCB1Tuned(), UCB1Tuned(), **HOW)
