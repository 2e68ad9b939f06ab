"""Pairs of games with the same cards and exchanged seats, on games that can be reckoned by hand."""

from typing import NamedTuple

import numpy as np
import pytest

from fogtree import dice
from fogtree.errors import Invalid
from fogtree.games import Kuhn
from fogtree.judges import new_room
from fogtree.kernels.engines import on
from fogtree.measure import duel as module
from fogtree.measure.duel import PAIR_SUM, SECOND, duplicate
from fogtree.measure.match import Nobody, play_out
from fogtree.policy import Always, Uniform
from fogtree.trouble import ENDLESS, FOREIGN
from fogtree.walk.slices import Progress

KUHN = Kuhn()
PASS, BET = 0, 1
pytestmark = pytest.mark.usefixtures("interpreted")


def test_who_always_bets_wins_one_from_who_always_passes_in_both_seats():
    for first, second, payoff in ((Always(BET), Always(PASS), 1.0), (Always(PASS), Always(BET), -1.0)):
        found = duplicate(KUHN, first, second, 50)
        assert (found.pairs, found.payoff, found.half) == (50, payoff, 0.0)


def test_the_same_cards_cancel_between_equals_that_do_not_throw_dice():
    assert duplicate(KUHN, Always(BET), Always(BET), 50)[1:3] == (0.0, 0.0)


def test_the_interval_is_that_of_the_mean_of_the_pairs(monkeypatch):
    monkeypatch.setattr(module, "LONG", 1)  # a pair in each lane, so that each has a row of its own
    works = []
    monkeypatch.setattr(module, "on", lambda device, work, own, cores: works.append(work) or on(device, work, own))
    found = duplicate(KUHN, Uniform(), Always(BET), 200, seed=3)
    pairs = works[0].total[:200, PAIR_SUM]
    assert len(set(pairs.tolist())) > 3
    assert found.payoff == pytest.approx(pairs.mean())
    assert found.half == pytest.approx(1.959964 * pairs.std(ddof=1) / np.sqrt(200), rel=1e-6)


def test_progress_counts_pairs():
    seen = []
    duplicate(KUHN, Always(BET), Always(PASS), 130, progress=seen.append)
    assert seen[-1] == Progress("pairs", 130, 130)


def test_what_is_wrong_in_either_seat_is_said():
    state, room, random = np.zeros(KUHN.shape().words, np.int64), new_room(KUHN.shape()), dice.seeded(0)

    def once(first, second, moves=room.moves):
        KUHN.start(state)
        limits, deal = room._replace(moves=moves), dice.seeded(1)
        return play_out(KUHN, first, second, SECOND, state, limits, deal, random, Nobody(), moves)

    assert once(Always(PASS), Always(PASS)) == 2  # decisions
    assert once(Always(PASS), Always(PASS), moves=4) == 2  # two cards and two passes
    assert once(Always(PASS), Always(PASS), moves=3) == ENDLESS
    assert once(Foreign(), Always(BET)) == once(Always(BET), Foreign()) == FOREIGN
    for pair in ((Foreign(), Uniform()), (Uniform(), Foreign())):
        with pytest.raises(Invalid):
            duplicate(KUHN, *pair, 2)


class Foreign(NamedTuple):
    """Says that it would play what the player does not have."""

    def weigh(self, game, state, player, choice, odds):
        return FOREIGN

    def draw(self, game, state, player, room, random):
        return FOREIGN
