"""The map of a belief: its shares are those of the states, place by place, in every game that hides something."""

import collections
import itertools

import numpy as np
import pytest

from fogtree import CHANCE, GAMES, OVER, dice, load
from fogtree.draw.board import Look
from fogtree.draw.heat import heat
from fogtree.game import heard, legal, new_state, odds
from fogtree.games import goofspiel, holdem, kuhn, leduc, liars_dice, many_kuhn, many_leduc, matrix, phantom_ttt
from fogtree.games.chess import text as chess_text
from fogtree.games.go import text as go_text
from fogtree.games.siguo import rules, text
from fogtree.games.siguo.board import GRAPHS
from fogtree.search.worlds.belief import Belief

SMALLER = {
    "goofspiel": "goofspiel:cards=4",
    "holdem": "holdem:ranks=3,suits=2,rounds=2,hole=1,flop=1",
    "dark-chess": "dark-chess",
}
HIDING = [SMALLER.get(name, name) for name in GAMES if not load(SMALLER.get(name, name)).shape().open]


def test_what_is_hardly_likely_is_listed_and_not_drawn():
    game = load("phantom-ttt")
    first, second = new_state(game), new_state(game)
    for state, place in ((first, 0), (second, 8)):
        for action in (4, place):
            game.step(state, action)
    found = heat(game, first, 0, np.array([first, second]), np.array([0.997, 0.003]))
    assert found.rows == ["0: O 100%", "8: O <1%"]
    assert found.picture.count('class="heat-mark"') == 1


# --- what stands where, read from the state itself and not from a picture ---


def cards_of(game, state, first, players, step=1):
    return {f"hand {who} 1": int(state[first + step * who]) for who in range(players)}


def men_of_chess(game, state):
    return {chess_text.SQUARES[n]: man for n, man in enumerate(chess_text.letters(state)) if man not in ".?"}


def men_of_an_army(game, state):
    kinds, found = rules.kinds_from(game), {}
    for point in range(len(GRAPHS[game.board()].place)):
        if man := int(state[rules.HEAD + point]):
            found[text.name_of(game, point)] = int(state[kinds + man - 1])
    return found


def stones_of_go(game, state):
    rows = go_text.stones(state, game.side)
    pairs = (
        (go_text.vertex(r * game.side + c, game.side), rows[r][c]) for r in range(game.side) for c in range(game.side)
    )
    return {name: stone for name, stone in pairs if stone}


def dice_of(game, state):
    found = {}
    for who in (0, 1):
        if state[liars_dice.ROLLED] >= (who + 1) * game.dice:
            found |= {f"die {who} {i + 1}": int(face) for i, face in enumerate(game.hand(state, who).split())}
    return found


TRUTH = {
    "kuhn": lambda game, state: cards_of(game, state, kuhn.HAND, 2),
    "many-kuhn": lambda game, state: cards_of(game, state, many_kuhn.HAND, game.players),
    "leduc": lambda game, state: {f"hand {who}": int(state[leduc.PRIVATE + who]) for who in (0, 1)},
    "many-leduc": lambda game, state: {
        f"hand {who}": int(state[game.seat(who) + many_leduc.CARD]) for who in range(game.players)
    },
    "holdem": lambda game, state: {f"hand {who} 1": int(state[holdem.rules.HOLE + 2 * who]) for who in (0, 1)},
    "goofspiel": lambda game, state: {
        f"hand {who} {card + game.lowest}": 1
        for who in (0, 1)
        for card in range(game.cards)
        if state[goofspiel.HAND + who] >> card & 1
    },
    "phantom-ttt": lambda game, state: {
        str(cell): who for who in (0, 1) for cell in range(9) if state[phantom_ttt.MARKS + who] >> cell & 1
    },
    "dark-hex": lambda game, state: {
        str(cell): who for who in (0, 1) for cell in range(game.side**2) if game.known(state, -3)[who] >> cell & 1
    },
    "liars-dice": dice_of,
    "matrix": lambda game, state: {f"row {state[matrix.CHOICE]}": 1} if state[matrix.CHOICE] >= 0 else {},
    "rounds": lambda game, state: {
        f"round of {who} {i + 1}": choice for who in (0, 1) for i, choice in enumerate(game.plan(state, who))
    },
    "dark-chess": men_of_chess,
    "phantom-go": stones_of_go,
    "siguo": men_of_an_army,
}
TRUTH |= {"bimatrix": TRUTH["matrix"], "luzhanqi": men_of_an_army, "small-army": men_of_an_army}


def played(game, seed):
    """The states of a random game in which somebody has a choice, with the moves before each."""
    random, state, moves = np.random.default_rng(seed), new_state(game), []
    for _ in range(300):
        player = int(game.player(state))
        if player == OVER:
            return
        if player >= 0:
            yield state.copy(), list(moves)
        choices = legal(game, state)
        action = int(random.choice(choices, p=odds(game, state) if player == CHANCE else None))
        moves.append((player, action, state.copy()))
        game.step(state, action)


def chosen(game):
    """A few of these: where all states are walked through, early ones of long games, for they grow fast."""
    if game.shape().moves > 100:
        return (
            [*itertools.islice(played(game, 0), 40)][30:40:9]
            if hasattr(game, "imagine")
            else [*itertools.islice(played(game, 0), 3)][1:]
        )
    return [each for seed in (0, 1) for each in itertools.islice(played(game, seed), 12)][1::5]


def worlds_of(game, state, moves, count=12):
    """States that the mover cannot tell from this one: imagined, or all of them."""
    player = int(game.player(state))
    if hasattr(game, "imagine"):
        found, random = np.tile(state, (count, 1)), dice.seeded(7)
        for row in found:
            game.imagine(row, player, random)
        return found
    belief = Belief(game, player)
    for who, action, before in moves:
        if who == player:
            belief.observe(int(game.view(before, player)))
            belief.acted(int(game.view(before, player)), action)
    belief.observe(int(game.view(state, player)))
    return belief.state[:count]


@pytest.mark.parametrize("name", HIDING)
@pytest.mark.parametrize("toward", [None, 1])
def test_the_map_has_the_shares_of_the_states_place_by_place(name, toward):
    game, looked = load(name), 0
    truth = TRUTH[name.partition(":")[0]]
    with np.errstate(over="ignore"):
        for state, moves in chosen(game):
            player, worlds = int(game.player(state)), worlds_of(game, state, moves)
            if len(worlds) < 2:
                continue
            weight = np.arange(1.0, len(worlds) + 1)
            weight /= weight.sum()
            wanted = collections.defaultdict(lambda: collections.defaultdict(float))
            for world, share in zip(worlds, weight, strict=True):
                for place, what in truth(game, world).items():
                    wanted[place][what] += share
            found = heat(game, state, player, worlds, weight, Look(toward=toward))
            for place, pieces in (found.shares if found else {}).items():
                assert sorted(pieces.values()) == pytest.approx(sorted(wanted[place].values())), (place, pieces)
                looked += 1
            for (
                place,
                pieces,
            ) in wanted.items():  # what is not on the map is the same in all states
                if found is None or place not in found.shares:
                    assert len(pieces) == 1, place
    assert looked > 0


def test_after_a3_black_believes_no_man_of_white_on_the_side_of_black():
    # the map of before matched pictures by x and y, and Black sees the board from the other side
    game = load("dark-chess")
    state = new_state(game)
    game.step(state, game.read(state, "a3"))
    worlds = []  # Black knows that a pawn has moved, and not which
    for action in legal(game, new_state(game)):
        worlds.append(new_state(game))
        game.step(worlds[-1], action)
    worlds = np.array([world for world in worlds if game.view(world, 1) == game.view(state, 1)])
    assert len(worlds) == 16
    found = heat(game, state, 1, worlds, np.full(16, 1 / 16))
    assert {place[1] for place in found.shares} == {"1", "2", "3", "4"}
    assert found.shares["a3"] == pytest.approx({"white pawn": 1 / 16})
    assert found.shares["a2"] == pytest.approx({"white pawn": 14 / 16})
    assert found.shares["e1"] == pytest.approx({"white king": 1})


@pytest.mark.parametrize("name", HIDING)
def test_what_is_heard_follows_from_what_is_seen(name):
    game, told, shared = load(name), {}, 0
    with np.errstate(over="ignore"):
        for seed in range(2 if game.shape().moves > 100 else 60):
            for state, moves in played(game, seed):
                player = int(game.player(state))
                words = [heard(game, before, action, player) for who, action, before in moves if who != player]
                key = player, int(game.view(state, player))
                kept = tuple(word for word in words if word)
                shared += key in told
                assert told.setdefault(key, kept) == kept
    assert shared or game.shape().moves > 100 or not hasattr(game, "heard")
