"""Spots of no-limit hold'em: ranges, sizes, the betting, the rules."""

import numpy as np
import pytest

import fogtree as ft
from fogtree.errors import Invalid
from fogtree.game import NONE, OVER
from fogtree.games.registry import load, name
from fogtree.games.spot import spot
from fogtree.games.spot.ranges import class_of, hand_number, held, read_board, spelled_hand, weights
from fogtree.games.spot.sizes import read_sizes

# Combinations of the two ranges of the known numbers, counted by hand: 6 a pair, 4 suited, 12 offsuit.
OOP = "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s"
IP = "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+"


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("AA", 6),
        ("AK", 16),
        ("AKs", 4),
        ("AKo", 12),
        ("KA", 16),
        ("22+", 78),
        ("QQ-22", 66),
        ("22-QQ", 66),
        ("ATs+", 16),
        ("A5s-A2s", 16),
        ("T9s-76s", 16),
        ("AhKd", 1),
        ("random", 1326),
        (" AA , KK ", 12),
        (OOP, 9 * 6 + 6 * 4 + 2 * 4 + 3 * 12 + 4 * 4 + 12 + 2 * 4 + 4 + 3 * 4 + 3 * 4 + 2 * 4 + 4 + 4),
    ],
)
def test_a_range_has_as_many_combinations_as_players_count(text, count):
    assert weights(text).sum() == count


def test_weights_and_the_later_part_count():
    found = weights("KQs:0.5, AA, AA:0.25")
    assert found[found > 0].tolist().count(0.5) == 4
    assert found.sum() == pytest.approx(4 * 0.5 + 6 * 0.25)


@pytest.mark.parametrize(
    ("text", "letter", "part"),
    [
        ("AA,KQx", 4, "KQx"),
        ("AA, KQs:2", 5, "KQs:2"),
        ("AAs", 1, "AAs"),
        ("AKs-QJo", 1, "AKs-QJo"),
        ("AsAs", 1, "AsAs"),
    ],
)
def test_an_error_points_at_the_wrong_part(text, letter, part):
    with pytest.raises(Invalid, match=f"wrong at letter {letter}: .*'{part}'"):
        weights(text)


def test_hands_are_numbered_in_the_order_of_combinations():
    assert [hand_number(*cards) for cards in held()[:60].tolist()] == list(range(60))
    assert class_of(hand_number(*read_board("AhKd2c")[:2])) == "AKo"
    assert spelled_hand(hand_number(*read_board("2cAh3d")[:2])) == "Ah2c"


def tree_of(bets, pot=100, stack=400, board="Td9d6hQc2s", **more):
    game = spot(board, pot=pot, stack=stack, oop="AA", ip="KK", bets=bets, **more)
    return game, {" ".join(game.told(n)).replace("OOP ", "").replace("IP ", ""): n for n in range(len(game.mover))}


def test_sizes_are_those_that_players_mean():
    _, nodes = tree_of("50%, a; 3x")
    assert {"bet 50", "all in 400", "check bet 50", "bet 50 raise to 150", "bet 50 raise to 150 all in 400"} <= set(
        nodes
    )
    _, nodes = tree_of("50%; 50%")  # a raise by half of the pot after the call: 50 + (100 + 100) / 2
    assert "bet 50 raise to 150" in nodes
    _, nodes = tree_of("e", stack=400)  # one street left: (sqrt... no root) all in at once
    assert "all in 400" in nodes
    _, nodes = tree_of("e", board="Td9d6hQc", stack=400)  # (1 + 2 * 4) ** (1 / 2) = 3: a bet of the pot on each street
    assert "bet 100" in nodes
    _, nodes = tree_of("40c; 30c")
    assert {"bet 40", "bet 40 raise to 80"} <= set(nodes)  # at least as much more as the bet


def test_players_and_streets_have_sizes_of_their_own():
    game, nodes = tree_of("33% | 75% / 50%; 2x; none", board="Td9d6hQc")
    assert "bet 33" in nodes and "check bet 75" in nodes and "bet 75" not in nodes
    turn = [n for n in range(len(game.mover)) if game.need[n] == 5 and game.mover[n] == 0 and game.word[n] != NONE]
    after_call = [n for n in turn if game.told(n)[-1] == "OOP call"]
    assert after_call and all(game.choices[n] == 1 for n in after_call)  # no donk
    after_check = [n for n in turn if game.told(n)[-1] == "IP check" and game.choices[n] > 1]
    assert after_check


def test_thresholds():
    assert "all in 120" in tree_of("50%", stack=120, added=1.5)[1]
    assert "all in 120" not in tree_of("50%", stack=120)[1]
    assert set(tree_of("100%", stack=120, forced=0.2)[1]) >= {"all in 120"}
    near = {text for text in tree_of("50%, 60%, 100%", merged=0.1)[1] if text.startswith("bet") and " " not in text[4:]}
    assert near == {"bet 60", "bet 100"}


def test_wrong_sizes_are_one_sentence():
    for text in (
        "50",
        "50%%",
        "x",
        "1x",
        "2x; 3x",
        "3x",
        "50%; 3x; 3x",
        "50%, 2x; 3x",
        "50% / 50%",
        "a|a|a",
        "1%;1%;1%;1%",
        "0e",
        "e0%",
        "99999999%",
        "5000x",
    ):
        with pytest.raises(Invalid):
            spot("Td9d6hQc2s", bets=text)
    assert len(read_sizes("50%", 3)) == 3


def test_a_board_is_read_as_people_write_it_and_told_in_one_way():
    for board in ("Td9d6h", "td 9D 6h", "10d,9d,6h", "T♦9♦6♥", "10♦ 9♦ 6♥"):
        game = spot(board, oop="AA", ip="KK")
        assert game.board[:3].tolist() == list(read_board("Td9d6h"))
        assert name(game) == "spot/Td9d6h:oop=[AA],ip=[KK]"


def test_wrong_spots_are_one_sentence():
    for board, more in (
        ("Td9d", {}),
        ("Td9d6hTd", {}),
        ("Td9d6h", {"pot": 0}),
        ("Td9d6h", {"pot": 10**17}),
        ("Td9d6h", {"stack": 10**10}),
        ("Td9d6h", {"stack": 1.5}),
        ("Td9d6h", {"pot": "many"}),
        ("Td9d61", {}),
        ("AsAhAd", {"oop": "AcAs", "ip": "KK"}),
        ("Td9d6h", {"oop": "AsAh", "ip": "AsKs"}),
        ("Td9d6h", {"rake": 1.0}),
    ):
        with pytest.raises(Invalid):
            spot(board, **more)


def test_payoffs_share_the_pot_and_the_rake():
    game = spot("Td9d6hQc2s", pot=100, stack=100, oop="AcAd", ip="KcKd", bets="a", rake=0.05, cap=4)
    for line, first, second in (
        ([0, 0], 50 - 4, -50),  # 5 % of 100 is above the cap
        ([1, 0], 50 - 4, -50),
        ([0, 1, 0], -50, 50 - 4),
        ([1, 1], 150 - 4, -150),
    ):
        state = ft.new_state(game)
        for hand in ("AcAd", "KcKd"):
            game.step(state, hand_number(*read_board(hand + "2h")[:2]))
        for action in line:
            game.step(state, action)
        assert game.player(state) == OVER
        assert (game.payoff(state, 0), game.payoff(state, 1)) == (first, second)


def test_a_spot_keeps_the_contract():
    ft.check(load("spot/Td9d6hQc:pot=20,stack=30,bets=[a],oop=[AhAc],ip=[QhQd,JhTh]"))


def test_the_name_of_a_spot_is_read_back():
    game = spot("Td 9d 6h", pot=60, stack=370, oop="AA,KQs:0.5", ip="22+", bets="50%; 3x", rake=0.05, cap=3)
    again = load(name(game))
    assert name(game) == "spot/Td9d6h:pot=60,stack=370,bets=[50%; 3x],oop=[AA,KQs:0.5],ip=[22+],rake=0.05,cap=3"
    for mine, theirs in zip(game, again, strict=True):
        assert np.array_equal(mine, theirs)
    with pytest.raises(Invalid, match="is no parameter of a spot"):
        load("spot/Td9d6h:size=3")


def test_what_is_repeated_of_a_broken_range_stays_on_one_line():
    with pytest.raises(Invalid, match=r"^the range 'AA,  KX,QQ' is wrong at letter 6: 'KX' is no group"):
        weights("AA,\n\nKX,QQ")
