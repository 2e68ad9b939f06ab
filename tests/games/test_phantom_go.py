"""Phantom Go. Counts are compared with rules written anew on plain dictionaries."""

import itertools
import random

import numpy as np
import pytest
from playing import after, indistinct, payoffs

import fogtree
from fogtree import OVER, REFEREE, Invalid
from fogtree.game import legal, new_state, read
from fogtree.games.go import board, text
from fogtree.games.phantom_go import PhantomGo

THREE = PhantomGo()


def labels(game, state):
    return [game.label(state, action) for action in legal(game, state)]


# --- counts ---


class Plain:
    """All histories of a game, by plain search: a position is a dictionary, a view a tuple of what was told."""

    def __init__(self, side, turns):
        self.side, self.turns = side, turns
        self.spots = list(itertools.product(range(side), repeat=2))
        self.histories = self.ends = 0
        self.views = (set(), set())
        self.search(dict.fromkeys(self.spots, 0), 0, None, 0, 0, frozenset(), ((), ()))

    def near(self, spot):
        r, c = spot
        return [n for n in ((r + 1, c), (r, c + 1), (r - 1, c), (r, c - 1)) if n in self.spots]

    def chain(self, stone, spot):
        found = [spot]
        for one in found:
            found += [n for n in self.near(one) if stone[n] == stone[spot] and n not in found]
        return found

    def is_dead(self, stone, spot):
        return not any(stone[n] == 0 for one in self.chain(stone, spot) for n in self.near(one))

    def played(self, stone, spot, me):
        """The position after a stone, what it takes, and the point that ko then forbids; None where it is suicide."""
        after = stone | {spot: me + 1}
        taken = {
            m for n in self.near(spot) if after[n] == 2 - me and self.is_dead(after, n) for m in self.chain(after, n)
        }
        after |= dict.fromkeys(taken, 0)
        if self.is_dead(after, spot):
            return None
        alone = len(self.chain(after, spot)) == 1 and sum(after[n] == 0 for n in self.near(spot)) == 1
        return after, tuple(sorted(taken)), next(iter(taken)) if len(taken) == 1 and alone else None

    def search(self, stone, me, ko, passes, turn, tried, views):
        self.histories += 1
        if passes == 2 or turn == self.turns:
            self.ends += 1
            return
        self.views[me].add(views[me])

        def told(*news):
            return tuple(view + new for view, new in zip(views, news if me == 0 else news[::-1], strict=True))

        self.search(stone, 1 - me, None, passes + 1, turn + 1, frozenset(), told(("pass",), ()))
        for spot in self.spots:
            if stone[spot] == me + 1 or spot in tried:
                continue
            made = None if stone[spot] or spot == ko else self.played(stone, spot, me)
            if made is None:
                self.search(stone, me, ko, passes, turn, tried | {spot}, told(((spot, "no"),), ()))
            else:
                position, taken, forbidden = made
                news = told(((spot, taken),), (taken,) if taken else ())
                self.search(position, 1 - me, forbidden, 0, turn + 1, frozenset(), news)


@pytest.mark.parametrize("side, turns", [(2, 4), (2, 5), (3, 3)])
def test_histories_ends_and_information_sets_are_counted_a_second_way(side, turns):
    plain, count = Plain(side, turns), fogtree.count(PhantomGo(side, turns=turns))
    assert (count.histories, count.ends) == (plain.histories, plain.ends)
    assert count.infosets == tuple(map(len, plain.views))


# --- playing ---


def test_a_failed_try_costs_nothing_and_a_stone_ends_the_turn():
    state = after(THREE, "B2")
    assert THREE.player(state) == 1 and len(labels(THREE, state)) == 10  # white knows nothing of it
    state = after(THREE, "B2", "B2")
    assert THREE.player(state) == 1 and "B2" not in labels(THREE, state)
    state = after(THREE, "B2", "B2", "A1")
    assert THREE.player(state) == 0
    assert labels(THREE, state) == ["A1", "B1", "C1", "A2", "C2", "A3", "B3", "C3", "pass"]  # all but the own stone


def test_a_point_that_failed_may_be_tried_again_in_the_next_turn():
    state = after(THREE, "B2", "B2", "A1", "C3")
    assert "B2" in labels(THREE, state)


def test_suicide_and_ko_fail_like_a_taken_point():
    # white has A2 and B1, so that A1 is suicide
    state = after(THREE, "C3", "A2", "B3", "B1")
    THREE.step(state, read(THREE, state, "A1"))
    assert THREE.player(state) == 0 and "A1" not in labels(THREE, state)
    four = PhantomGo(4)
    # white's B3 takes black's C3 and stands in atari; black tries in vain to take it back at once
    state = after(four, "B4", "C4", "A3", "D3", "B2", "C2", "C3", "B3")
    assert state[board.KO] != 0
    before = four.player(state)
    four.step(state, read(four, state, "C3"))
    assert four.player(state) == before


def test_two_passes_end_the_game_even_with_failed_tries_between():
    state = after(THREE, "B2", "pass", "pass")
    assert payoffs(THREE, state) == (1, -1)
    state = after(THREE, "B2", "A1", "pass", "B2", "pass")
    assert THREE.player(state) == OVER


def test_the_turns_are_limited():
    game = PhantomGo(3, turns=2)
    assert payoffs(game, after(game, "B2", "B2", "C3")) == (-1, 1)
    assert THREE.shape().moves == 27 * 10


def test_komi_decides():
    assert payoffs(PhantomGo(3, komi=0), after(PhantomGo(3, komi=0), "pass", "pass")) == (0, 0)
    assert payoffs(THREE, after(THREE, "pass", "pass")) == (-1, 1)


# --- seeing ---


def test_nobody_sees_the_others_stones_failed_tries_or_passes():
    assert indistinct(THREE, 1, ("A1",), ("C3",))
    assert indistinct(THREE, 1, ("A1",), ("pass",))
    assert indistinct(THREE, 0, ("B2", "A1"), ("B2", "B2", "C3"))


def test_a_try_tells_whether_it_was_legal_and_not_why_not():
    assert not indistinct(THREE, 1, ("A1", "A1"), ("C3", "A1"))
    # black tries A1: a stone of white's is there, or it would be suicide
    taken = ("C3", "A2", "C2", "A1", "C1", "B3", "A1")
    suicide = ("C3", "A2", "C2", "B1", "C1", "B3", "A1")
    assert indistinct(THREE, 0, taken, suicide)


def test_both_are_told_which_stones_were_taken():
    # white's stone on A1 or on C1 is taken by black's last move
    one = ("A2", "A1", "B1")
    other = ("A2", "C3", "B1")
    assert not indistinct(THREE, 0, one, other) and not indistinct(THREE, 1, one, ("A2", "A1", "C3"))


def test_the_order_in_which_hidden_stones_were_put_does_not_leak():
    # black takes A1 and B1, which white put in the one or the other order
    start = ("A2", "A1", "B2", "B1", "C1")
    other = ("A2", "B1", "B2", "A1", "C1")
    assert indistinct(THREE, 0, start, other)


def test_a_player_is_shown_own_stones_and_where_this_turns_tries_failed():
    state = after(THREE, "B2", "B2")
    assert THREE.show(state, 0).splitlines()[1:4] == [" 3 ? ? ? 3", " 2 ? X ? 2", " 1 ? ? ? 1"]
    assert THREE.show(state, 1).splitlines()[1:4] == [" 3 ? ? ? 3", " 2 ? ! ? 2", " 1 ? ? ? 1"]
    assert THREE.show(state, REFEREE).splitlines()[1:4] == [" 3 . . . 3", " 2 . X . 2", " 1 . . . 1"]


# --- the contract, OpenSpiel, parameters ---


@pytest.mark.slow  # test_registry.py has boards like these, with fewer histories
@pytest.mark.parametrize("game", [PhantomGo(2, turns=4), PhantomGo(2), THREE])
def test_the_contract_is_kept(game):
    report = fogtree.check(game, histories=8_000, games=10)
    assert report.complete == (game.turns == 4)


def test_a_large_board_keeps_its_tries_in_two_words():
    game = PhantomGo(9)
    state = after(game, "J9", "J9", "A1")  # white tries the last point, then the first
    assert game.player(state) == 0
    state = after(game, "J9", "J9")
    assert "J9" not in labels(game, state) and "T1" not in labels(game, state) and len(labels(game, state)) == 81


@pytest.mark.parametrize("side, last", [(8, "H8"), (9, "J9")])
def test_the_next_turn_forgets_tries_of_both_words(side, last):
    game = PhantomGo(side)
    for point in ("B1", last):  # the last points are in the second word
        state = after(game, point, point, "A1")  # white's try fails, and white plays elsewhere
        assert labels(game, state) == [name for name in labels(game, after(game)) if name != point]  # no failed tries
        state = after(game, point, point, "A1", "A3")
        assert point in labels(game, state)  # white may try it again


@pytest.mark.parametrize("side, games", [(3, 30), (5, 15), (9, 2)])
def test_random_tries_agree_with_openspiel(side, games):
    # OpenSpiel shows a stone that was found, and does not let one try there again; it ends a game that repeats a position,
    # and not one in which failed tries lie between two passes. What both allow must succeed or fail in both.
    pyspiel = pytest.importorskip("pyspiel")
    game = PhantomGo(side, turns=1000)
    theirs = pyspiel.load_game(f"phantom_go(board_size={side},komi=0.5,max_game_length=3000)")
    chance, tries, failed = random.Random(side), 0, 0
    for _ in range(games):
        state, other = new_state(game), theirs.new_initial_state()
        while game.player(state) != OVER and not other.is_terminal() and tries < 6_000:
            assert game.player(state) == other.current_player()
            both = [action for action in legal(game, state) if action in other.legal_actions()]
            action = both[-1] if chance.random() < 0.05 or len(both) == 1 else chance.choice(both[:-1])
            before = game.player(state)
            with np.errstate(over="ignore"):
                game.step(state, action)
            other.apply_action(action)
            tries += 1
            failed += game.player(state) == before
            lines = str(other).split("\n\n")[1].splitlines()[:side]
            assert ["".join("+XO"[s] for s in row) for row in text.stones(state, side)[::-1]] == [
                line.split()[1] for line in lines
            ]
    assert failed > 50


def test_a_name_loads_the_game_that_it_names():
    game = PhantomGo(4, 1.5, 20)
    assert fogtree.load("phantom-go:side=4,komi=1.5,turns=20") == game
    assert fogtree.name(game) == "phantom-go:side=4,komi=1.5,turns=20"


@pytest.mark.parametrize("side", [1, 10, "large"])
def test_a_wrong_side_is_refused_with_the_valid_ones(side):
    with pytest.raises(Invalid, match="PhantomGo: side must be a whole number from 2 to 9, not "):
        PhantomGo(side)
