"""What a person at the prompt is told of others' moves, and what they may type."""

import re

import numpy as np
import pytest

import fogtree as ft
from fogtree.arena.agents import HumanAgent
from fogtree.arena.noticing import News, noticed
from fogtree.arena.referee import play
from fogtree.game import label, legal
from fogtree.text.notation import course, from_notation


def sat_down(game, typed, others="always:0", player=0, start=None):
    """What a person is told who types these words."""
    told, words, news = [], iter(typed), News(game, player)
    person = HumanAgent(lambda prompt: next(words), told.append, news.read)
    table = [person if who == player else others for who in range(game.shape().players)]
    return play(game, table, look=news.look, start=start), told


def test_the_beginning_of_a_move_is_enough():
    match, _ = sat_down(ft.Kuhn(), ["b"], start=from_notation(ft.Kuhn(), "J Q"))
    assert [move.label for move in match.moves][2:] == ["bet", "pass"]


def test_a_beginning_of_several_moves_is_refused_with_all_of_them():
    told, words = [], iter(["N", "quit"])
    with pytest.raises(EOFError):  # so does the end of the input
        play(ft.Chess(), [HumanAgent(lambda prompt: next(words), told.append), "random"])
    (sentence,) = [text for text in told if "may be" in text]
    assert all(name in sentence for name in ("Na3", "Nc3", "Nf3", "Nh3")) and "e4" not in sentence


def test_the_question_mark_lists_the_moves_and_the_words():
    told, words = [], iter(["?", "quit"])
    with pytest.raises(EOFError):
        play(ft.TicTacToe(), [HumanAgent(lambda prompt: next(words), told.append), "random"])
    assert told[1].startswith("moves: ") and "quit" in told[1] and "Ctrl-D" in told[1]


def test_who_types_resign_loses():
    match, told = sat_down(ft.TicTacToe(), ["?", "Resign"])
    assert match.payoffs == (-1.0, 1.0) and match.forfeit.player == 0 and match.forfeit.resigned
    assert "resign loses the game" in told[1]


def test_the_last_move_is_told_in_an_open_game_and_not_the_own_one():
    _, told = sat_down(ft.TicTacToe(), ["4", "8", "7", "6", "5", "3", "2", "1"], others="always:0")
    assert "- " not in told[0]
    assert told[1].splitlines()[1].startswith("- O: ") and "- X" not in told[1]


def test_what_is_hidden_is_not_told():
    # Goofspiel with hidden bids: of the other's card the player learns nothing but who won the round
    game = ft.Goofspiel(cards=3)
    before = course(game, [(0, 2)]).state
    texts = set()
    for card in (0, 1):
        after = course(game, [(0, 2), (1, card)]).state
        texts.add(noticed(game, before, after, 0, card))
    assert len(texts) == 1


def test_army_chess_tells_the_move_and_what_is_left_after_a_fight():
    game = ft.SmallArmy()
    start = from_notation(game, "FMB91/BFM91")
    told, fights = 0, 0
    with np.errstate(over="ignore"):
        for action in legal(game, start.state):
            after = start.state.copy()
            game.step(after, action)
            words, name = noticed(game, start.state, after, 1, action), label(game, start.state, action)
            told += words.startswith(name)
            men = [len(re.findall(r"\b[rb][?\dA-Z]", game.show(state, 1))) for state in (start.state, after)]
            fights += men[0] != men[1]
            assert (" becomes " in words) == (men[0] != men[1])
    assert told == len(legal(game, start.state)) and fights
