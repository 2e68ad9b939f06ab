"""The playout policies of Go, against rules written anew on plain dictionaries, and draws against weights."""

import itertools
import random

import numpy as np
import pytest
from drawing import play, position, random_state
from scipy import stats

from fogtree import OVER, dice
from fogtree.game import legal, new_state
from fogtree.games.go import Go, MoGo, NoEyes, Superko, board, text
from fogtree.games.go.board import BLACK, BORDER, EMPTY, WHITE
from fogtree.games.go.patterns import TABLE
from fogtree.judges import new_room, play_on
from fogtree.kernels import kernel

POLICIES = [
    NoEyes(),
    NoEyes(superko=True),
    MoGo(),
    MoGo(careful=True),
    MoGo(patterns=False),
    MoGo(save=False, superko=True),
    MoGo(save=False, patterns=False),
]


@kernel
def weigh(policy, game, state, choice, odds):
    return policy.weigh(game, state, state[board.TURN], choice, odds)


@kernel
def draw(policy, game, state, times, count, room, random):
    """Adds up how often each action is drawn."""
    for _ in range(times):
        count[policy.draw(game, state, state[board.TURN], room, random)] += 1


@kernel
def playout(policy, game, state, room, random):
    return play_on(policy, game, state, room, room.moves, random)


def weights(policy, game, state, run=weigh):
    """action -> probability"""
    room = new_room(game.shape())
    count = run(policy, game, state, room.choice, room.odds)
    chosen = room.choice[:count].tolist()
    assert chosen == sorted(set(chosen)) and room.odds[:count].sum() == pytest.approx(1, abs=1e-12)
    return dict(zip(chosen, room.odds[:count].tolist(), strict=True))


def plays(policy, drawn, to_move="b", after=(), **rules):
    """The vertices that a policy plays in a drawn position after some moves."""
    game, state = position(drawn, to_move, **rules)
    play(game, state, *after)
    return {text.vertex(action, game.side) for action in weights(policy, game, state)}


# --- uniform but for eyes ---

EYES = """
    . X . X O
    X X X X O
    . X X O O
    X X O O .
    X O O . O
"""


def test_own_eyes_are_not_filled():
    # black has eyes on A5, C5 and A3; white's points are suicide
    assert plays(NoEyes(), EYES) == {"pass"}
    assert plays(NoEyes(), EYES, "w") == {"pass"}


def test_an_eye_with_two_spoilt_corners_is_filled():
    spoilt = """
        . . . . .
        . O X O .
        . X . X .
        . . X X .
        . . . . .
    """
    assert "C3" in plays(NoEyes(), spoilt)
    assert "C3" not in plays(NoEyes(), spoilt.replace("O X O", ". X O"))
    assert "C3" not in plays(NoEyes(), spoilt, "w")  # suicide
    edge = """
        . X . X .
        . O X . .
        . . . . .
        . . . . .
        . . . . .
    """
    assert "C5" in plays(NoEyes(), edge)
    assert "C5" not in plays(NoEyes(), edge.replace("O X .", ". X ."))


def test_playouts_go_by_ko_alone_unless_they_are_told():
    sending = """
        X . X . O
        . X O O .
        . . . . .
        . . . . .
        . . . . .
    """
    assert "C5" in plays(NoEyes(), sending, after=("D5", "B5"))
    assert "C5" not in plays(NoEyes(superko=True), sending, after=("D5", "B5"))
    assert "C5" in plays(NoEyes(superko=True), sending, after=("D5", "B5"), superko=Superko.NONE)


# --- MoGo's sequence ---


def test_a_stone_in_atari_is_saved_by_running():
    threatened = """
        . . . . .
        . O . . .
        O X . . .
        . . . . .
        . . . . .
    """
    assert plays(MoGo(), threatened, "w", after=("B2",)) == {"C3"}
    assert len(plays(MoGo(save=False, patterns=False), threatened, "w", after=("B2",))) == 25 - 4


def test_nobody_runs_into_another_atari():
    free = """
        . O . . .
        . . . . .
        X . . . .
        O . . . .
        . . . . .
    """
    assert plays(MoGo(), free, "w", after=("B3",)) == {"A4"}
    closed = free.replace(". . . . .", ". O . . .", 1)  # A5 would be the only liberty left
    assert plays(MoGo(), closed, "w", after=("B3",)) != {"A4"}


def test_a_stone_in_atari_is_saved_by_taking_an_attacker():
    attackers = """
        . . . . .
        . X . . .
        X O X . .
        . . O . .
        . . . . .
    """
    assert plays(MoGo(), attackers, "w", after=("C4",)) == {"B2", "D3"}


def test_patterns_are_looked_for_around_the_last_move():
    # hane 2 on both sides of both stones; nothing else is near
    open_board = """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . X . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
    """
    assert plays(MoGo(), open_board, "w", after=("D4",)) == {"C3", "C5", "D3", "D5"}
    assert len(plays(MoGo(patterns=False), open_board, "w", after=("D4",))) == 47
    assert len(plays(MoGo(), open_board, "w", after=("pass",))) == 48  # nothing to be near to


def test_patterns_do_not_fill_an_own_eye():
    # C3 matches cut 1 with the colours exchanged
    eye = """
        . . . . .
        . . X . .
        . X . X .
        . . X . .
        . . . . .
    """
    game, state = position(eye, "w")
    play(game, state, "D4")
    assert TABLE[state[board.point_of(5, 12)] >> board.CODE & board.EIGHT] & BLACK
    assert "C3" not in plays(MoGo(), eye, "w", after=("D4",))


def test_a_careful_player_does_not_follow_a_pattern_into_atari():
    # on E3, where black cuts, and in the corner a stone has one liberty
    cut = """
        . . . . .
        . . . X .
        . . . O .
        . . . . .
        . . . . .
    """
    bold, careful = (plays(MoGo(careful=careful), cut, "w", after=("E4",)) for careful in (False, True))
    assert bold == {"D5", "E3", "E5"} and careful == {"D5"}


def test_something_is_taken_wherever_it_stands():
    far = """
        O X . . .
        . . . . .
        . . . . .
        . . . . .
        . . . . .
    """
    assert plays(MoGo(), far, "w", after=("E1",)) == {"A4"}
    assert len(plays(MoGo(capture=False), far, "w", after=("E1",))) == 25 - 3


# --- the same rules on plain dictionaries ---


class Plain:
    """A position as a dictionary from (row, column) to a stone."""

    def __init__(self, game, state):
        self.game, self.side = game, game.side
        self.stone = {
            (r, c): stone for r, line in enumerate(text.stones(state, game.side)) for c, stone in enumerate(line)
        }
        self.me = int(state[board.TURN]) + BLACK
        self.other = BLACK + WHITE - self.me
        played = text.moves(state, game.side)
        self.last = divmod(played[-1], game.side) if played and played[-1] < game.side**2 else None

    def near(self, spot):
        r, c = spot
        return [n for n in ((r + 1, c), (r, c + 1), (r - 1, c), (r, c - 1)) if n in self.stone]

    def corners(self, spot):
        r, c = spot
        return [(r + 1, c + 1), (r - 1, c + 1), (r - 1, c - 1), (r + 1, c - 1)]

    def chain(self, spot, stone=None):
        stone = stone or self.stone
        found = [spot]
        for one in found:
            found += [n for n in self.near(one) if stone[n] == stone[spot] and n not in found]
        return found

    def liberties(self, spot, stone=None):
        stone = stone or self.stone
        return {n for one in self.chain(spot, stone) for n in self.near(one) if stone[n] == EMPTY}

    def after(self, spot):
        """The stones after a move of the mover's, and those that it takes."""
        stone = self.stone | {spot: self.me}
        taken = set()
        for n in self.near(spot):
            if stone[n] == self.other and not self.liberties(n, stone):
                taken |= set(self.chain(n, stone))
        return stone | dict.fromkeys(taken, EMPTY), taken

    def is_eye(self, spot):
        corners = [self.stone.get(corner, BORDER) for corner in self.corners(spot)]
        spoilt = corners.count(self.other) + (BORDER in corners)
        return all(self.stone[n] == self.me for n in self.near(spot)) and spoilt < 2

    def matches(self, spot):
        r, c = spot
        order = [(r + 1, c), (r, c + 1), (r - 1, c), (r, c - 1), *self.corners(spot)]
        code = sum(self.stone.get(n, BORDER) << 2 * k for k, n in enumerate(order))
        return bool(TABLE[code] & self.me)


def by_the_book(policy, game, state):
    """The actions among which a policy should choose evenly."""
    plain, side = Plain(game, state), game.side
    rule = game if policy.superko else game._replace(superko=Superko.NONE)
    allowed = {divmod(action, side) for action in legal(rule, state)[:-1]}
    found = set()
    if isinstance(policy, MoGo):
        if policy.save and plain.last:
            for n in plain.near(plain.last):
                if plain.stone[n] == plain.me and len(plain.liberties(n)) == 1:
                    (way_out,) = plain.liberties(n)
                    if len(plain.liberties(way_out, plain.after(way_out)[0])) != 1:
                        found.add(way_out)
                    beside = {m for one in plain.chain(n) for m in plain.near(one) if plain.stone[m] == plain.other}
                    found |= {p for m in beside for p in plain.liberties(m) if len(plain.liberties(m)) == 1}
            found &= allowed
        if policy.patterns and plain.last and not found:
            for dr, dc in itertools.product((-1, 0, 1), repeat=2):
                spot = (plain.last[0] + dr, plain.last[1] + dc)
                if spot in allowed and plain.matches(spot) and not plain.is_eye(spot):
                    in_atari = len(plain.liberties(spot, plain.after(spot)[0])) == 1
                    if not (policy.careful and in_atari):
                        found.add(spot)
        if policy.capture and not found:
            found = {spot for spot in allowed if plain.after(spot)[1]}
    found = found or {spot for spot in allowed if not plain.is_eye(spot)}
    return {r * side + c for r, c in found} or {side * side}


@pytest.mark.parametrize("policy", POLICIES, ids=repr)
def test_a_policy_weighs_what_the_book_says(policy):
    chance = random.Random(11)
    for side, games in ((2, 3), (3, 6), (5, 6), (9, 2)):
        game = Go(side)
        for _ in range(games):
            # start random, then follow the policy, which leads to other positions than random play
            state = random_state(game, chance.randrange(side * side), chance)
            for _ in range(2 * side * side):
                if game.player(state) == OVER:
                    break
                book = by_the_book(policy, game, state)
                assert weights(policy, game, state) == pytest.approx(dict.fromkeys(sorted(book), 1 / len(book)))
                with np.errstate(over="ignore"):
                    game.step(state, chance.choice(sorted(book)))


@pytest.mark.parametrize("policy", POLICIES, ids=repr)
def test_draws_are_as_frequent_as_the_weights_say(policy):
    chance, worst = random.Random(5), 1.0
    for moves in (0, 3, 20, 45, 70, 100):
        game = Go(6)
        state = random_state(game, moves, chance)
        if game.player(state) == OVER:
            continue
        room, count = new_room(game.shape()), np.zeros(37, np.int64)
        draw(policy, game, state, 20_000, count, room, dice.seeded(moves))
        odds = weights(policy, game, state)
        assert {int(action) for action in np.flatnonzero(count)} <= odds.keys()
        if len(odds) > 1:
            expected = [20_000 * p for p in odds.values()]
            worst = min(worst, stats.chisquare([count[action] for action in odds], expected).pvalue)
    assert worst > 1e-4


def test_where_nearly_all_is_eyes_draws_are_still_even():
    # two points of fourteen are no eyes: twelve looks at random miss them in every sixth draw, and all points are listed
    drawn = """
        . X . X . X .
        X X X X X X X
        . X . X . X .
        X X X X X X X
        . X . X . X .
        X X X X X X X
        X X X X . . X
    """
    game, state = position(drawn)
    odds = weights(NoEyes(), game, state)
    count = np.zeros(50, np.int64)
    draw(NoEyes(), game, state, 20_000, count, new_room(game.shape()), dice.seeded(1))
    assert {int(action) for action in np.flatnonzero(count)} == odds.keys()
    assert stats.chisquare([count[action] for action in odds]).pvalue > 1e-4


@pytest.mark.parametrize("policy", [NoEyes(), MoGo(), MoGo(careful=True)], ids=repr)
def test_playouts_are_the_same_interpreted_and_compiled(policy):
    for side, seed in ((5, 1), (9, 2)):
        ends = []
        for run in (playout, playout.interpreted):
            game = Go(side)
            state, room = new_state(game), new_room(game.shape())
            moves = run(policy, game, state, room, dice.seeded(seed))
            assert game.player(state) == OVER and 0 < moves < game.shape().moves
            ends.append(state.tolist())
        assert ends[0] == ends[1]
    game = Go(5)
    state = random_state(game, 12, random.Random(1))
    assert weights(policy, game, state) == weights(policy, game, state, weigh.interpreted)


def test_playouts_leave_no_sensible_move():
    game = Go(9)
    room = new_room(game.shape())
    for seed in range(20):
        state = new_state(game)
        playout(NoEyes(), game, state, room, dice.seeded(seed))
        plain = Plain(game, state)
        left = [spot for spot, stone in plain.stone.items() if stone == EMPTY]
        assert all(len({plain.stone[n] for n in plain.near(spot)} - {EMPTY}) == 1 for spot in left)
