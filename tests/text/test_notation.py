"""States as texts: every shipped game comes back as it was, and what cannot be read is a sentence."""

import numpy as np
import pytest

import fogtree
from fogtree import dice
from fogtree.errors import Illegal, Invalid
from fogtree.game import CHANCE, legal, new_state, odds
from fogtree.games import gambit
from fogtree.text.notation import Course, course, from_notation, notation

EFG = """EFG 2 R "A tree whose labels are hard to read" { "one" "two" }
c "" 1 "(0,1)" { "left side" 1/2 "right side" 1/2 } 0
p "" 1 1 "(1,1)" { "#1" "same" "same" } 0
t "" 1 "" { 1, -1 }
t "" 2 "" { 2, -2 }
t "" 3 "" { 3, -3 }
p "" 1 2 "(1,2)" { "2" "1" } 0
t "" 4 "" { 4, -4 }
t "" 5 "" { 5, -5 }
"""


def random_courses(game, seeds):
    """The moves of random games."""
    for seed in range(seeds):
        random, state, moves = dice.seeded(seed), new_state(game), []
        with np.errstate(over="ignore"):
            while actions := legal(game, state):
                player = int(game.player(state))
                chances = odds(game, state) if player == CHANCE else [1 / len(actions)] * len(actions)
                moves.append((player, actions[dice.pick(random, chances, len(actions))]))
                game.step(state, moves[-1][1])
        yield moves


OWN = [name for name, kind in fogtree.GAMES.items() if hasattr(kind, "notation")]  # a text of their own


@pytest.mark.parametrize("name", OWN)
def test_a_text_of_the_games_own_says_what_can_be_played(name):
    # it may leave out how the game came there
    game = fogtree.load(name)
    (moves,) = random_courses(game, 1)
    with np.errstate(over="ignore"):
        for count in {0, 1, 2, len(moves) // 3, len(moves) // 2, len(moves) - 1}:
            state = course(game, moves[:count]).state
            again = from_notation(game, notation(game, state)).state
            assert notation(game, again) == notation(game, state)
            assert (game.player(again), legal(game, again)) == (game.player(state), legal(game, state))


@pytest.mark.parametrize(
    "name",
    [*(name for name in fogtree.GAMES if name not in OWN), "phantom-ttt:rules=abrupt", "goofspiel:prizes=shuffled"],
)
def test_every_state_of_every_shipped_game_comes_back_from_its_text(name):
    game = fogtree.load(name)
    for moves in random_courses(game, 10 if game.shape().moves < 100 else 1):
        for count in range(len(moves) + 1):
            there = course(game, moves[:count])
            again = from_notation(game, notation(game, there))
            assert again.state.tolist() == there.state.tolist()
            assert again.moves == there.moves == tuple(moves[:count])
            assert notation(game, moves[:count]) == notation(game, there)


def test_moves_are_written_as_people_say_them():
    assert notation(fogtree.Kuhn(), [(CHANCE, 0), (CHANCE, 2), (0, 0), (1, 1)]) == "J K pass bet"
    assert notation(fogtree.Kuhn(), []) == ""
    assert from_notation(fogtree.Kuhn(), "").state.tolist() == new_state(fogtree.Kuhn()).tolist()
    assert from_notation(fogtree.Kuhn(), " j  K\tPASS ").moves == ((CHANCE, 0), (CHANCE, 2), (0, 0))


def test_labels_that_would_be_misread_are_written_as_numbers(tmp_path):
    (tmp_path / "hard.efg").write_text(EFG)
    game = gambit.read_efg(tmp_path / "hard.efg")
    texts = set()
    for moves in random_courses(game, 30):
        text = notation(game, moves)
        texts.add(text)
        assert from_notation(game, text).moves == tuple(moves)
    assert len(texts) == 5, "different ends, different texts"


def test_a_label_that_is_read_as_another_action_is_not_written():
    class Mumbling(fogtree.Kuhn):
        def label(self, state, action):
            return "um"

    moves = [(CHANCE, 0), (CHANCE, 1), (0, 0)]
    text = notation(Mumbling(), moves)
    assert from_notation(Mumbling(), text).moves == tuple(moves) and text.startswith("#0 #1 ")


def test_a_game_may_have_a_notation_of_its_own():
    class Board(fogtree.TicTacToe):
        def notation(self, state):
            return " ".join(map(str, state.tolist()))

        def from_notation(self, text, state):
            state[:] = [int(word) for word in text.split()]

    state = course(fogtree.TicTacToe(), [(0, 4), (1, 0)]).state
    assert notation(Board(), state) == notation(Board(), [(0, 4), (1, 0)]) == " ".join(map(str, state.tolist()))
    found = from_notation(Board(), notation(Board(), state))
    assert found.state.tolist() == state.tolist() and found.moves == ()


@pytest.mark.parametrize(
    "text, sentence",
    [
        ("J J", "move 2: 'J' is not a legal action here: choose from Q, K"),
        ("J Q pass pass bet", "the game is over after 4 moves, so 'bet' cannot be played"),
        ("#0 #0", "move 2: '#0' is not a legal action here: choose from #1, #2"),
        ("#x", "move 1: '#x' is not a legal action here: choose from #0, #1, #2"),
    ],
)
def test_what_cannot_be_played_is_one_sentence(text, sentence):
    with pytest.raises(Illegal) as error:
        from_notation(fogtree.Kuhn(), text)
    assert str(error.value) == sentence


def test_a_state_alone_has_no_text_without_a_notation():
    with pytest.raises(Invalid, match="Kuhn has no notation for a state alone: give the moves that led to it"):
        notation(fogtree.Kuhn(), new_state(fogtree.Kuhn()))
    with pytest.raises(Illegal, match="move 1, action 0 of player 0, is not possible here"):
        course(fogtree.Kuhn(), [(0, 0)])
    assert Course(new_state(fogtree.Kuhn())).moves == ()


@pytest.mark.parametrize("name", ["chess", "siguo"])
def test_what_is_repeated_of_a_broken_text_stays_on_one_line(name):
    with pytest.raises(Invalid, match=r"^'one two' is no (position|state) of"):
        from_notation(fogtree.load(name), "one\n\n two\n")


def test_a_number_is_no_text_of_a_state():
    with pytest.raises(Invalid, match=r"written as a text, as .* is, not 99"):
        fogtree.at("leduc", 99)
