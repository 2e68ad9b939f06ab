"""A state to hold in one's hand."""

import pytest

import fogtree as ft
from fogtree.errors import Illegal, Invalid

pytestmark = pytest.mark.usefixtures("interpreted")  # compiling would take longer than all of it


def test_a_game_of_kuhn_move_by_move():
    start = ft.at("kuhn")
    assert start.player == ft.CHANCE and start.odds == pytest.approx({"J": 1 / 3, "Q": 1 / 3, "K": 1 / 3})
    dealt = start.play("K", "J")
    assert dealt.player == 0 and dealt.actions == {"pass": 0, "bet": 1}
    assert "your card: K" in dealt.seen(0) and "K" not in dealt.seen(1)
    assert dealt.view(1) == start.play("Q", "J").view(1) != dealt.view(0)
    over = dealt.play("bet", 1)
    assert over.player == ft.OVER and over.payoffs == (2.0, -2.0) and over.actions == {}
    assert start.player == ft.CHANCE  # nothing that was held has changed


def test_a_move_can_be_taken_back():
    position = ft.at(ft.Kuhn()).play("K", "J", "bet")
    assert position.undo() == ft.at(ft.Kuhn(), "K J") and position.undo() != position
    with pytest.raises(Invalid, match="no move to take back"):
        ft.at("kuhn").undo()


@pytest.mark.parametrize(("game", "moves"), [("kuhn", ["K", "J", "pass"]), ("chess", ["e4", "c5", "Nf3"])])
def test_a_position_is_a_text_and_back(game, moves):
    position = ft.at(game).play(*moves)
    again = ft.at(game, position.notation)
    assert again.notation == position.notation and again.actions == position.actions
    assert again.player == position.player


def test_nobody_can_change_a_position():
    with pytest.raises(ValueError, match="read-only"):
        ft.at("kuhn").state[0] = 1


def test_people_see_the_referees_picture():
    position = ft.at("kuhn").play("K", "J")
    assert str(position) == ft.Kuhn().show(position.state, ft.REFEREE)
    assert repr(position).startswith("<Kuhn, player 0 to move>\n")


def test_what_makes_no_sense_is_refused_in_a_sentence():
    position = ft.at("kuhn").play("K", "J")
    with pytest.raises(Illegal, match="'raise' is not a legal action here: choose from pass, bet"):
        position.play("raise")
    with pytest.raises(Illegal, match="7 is not a legal action here: choose from 0, 1"):
        position.play(7)
    with pytest.raises(Illegal, match="the game is over, so 'bet' cannot be played"):
        position.play("bet", "bet", "bet")
    with pytest.raises(Invalid, match="there is no player 2: valid are 0 to 1"):
        position.seen(2)
    with pytest.raises(Invalid, match="odds belong to moves of chance, but player 0 moves here"):
        position.odds  # noqa: B018
    with pytest.raises(Invalid, match="nobody has been paid yet"):
        position.payoffs  # noqa: B018
