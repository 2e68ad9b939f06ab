"""The hand history of a spot."""

import fogtree as ft
from fogtree.games.spot import spot
from fogtree.games.spot.history import history, history_of
from fogtree.games.spot.ranges import hand_number, read_board, read_cards

GAME = spot("Td9d6h", pot=60, stack=370, oop="AA", ip="KK,JTs", bets="50%, a; 3x", rake=0.05, cap=4)


def played(hands, *moves):
    state = ft.new_state(GAME)
    for hand in hands:
        GAME.step(state, hand_number(*read_board(hand + "2h")[:2]))
    for move in moves:
        options = {GAME.label(state, a): a for a in ft.game.legal(GAME, state)}
        GAME.step(state, options[move])
    return state


def test_a_hand_to_the_showdown_is_told_as_a_poker_room_tells_it():
    moves = ("check", "bet 30", "raise to 90", "call", "2c", "check", "check", "3s", "all in 280", "call")
    assert history(GAME, played(("AcAs", "JcTc"), *moves)).split("\n") == [
        "Hold'em No Limit, from a spot by Fogtree",
        "The pot is 60",
        "Seat 1: OOP (370 in chips)",
        "Seat 2: IP (370 in chips)",
        "Dealt to OOP [As Ac]",
        "Dealt to IP [Jc Tc]",
        "*** FLOP *** [Td 9d 6h]",
        "OOP: checks",
        "IP: bets 30",
        "OOP: raises 60 to 90",
        "IP: calls 60",
        "*** TURN *** [Td 9d 6h] [2c]",
        "OOP: checks",
        "IP: checks",
        "*** RIVER *** [Td 9d 6h 2c] [3s]",
        "OOP: bets 280 and is all-in",
        "IP: calls 280 and is all-in",
        "*** SHOW DOWN ***",
        "OOP: shows [As Ac] (a pair)",
        "IP: shows [Jc Tc] (a pair)",
        "OOP collected 796 from pot",
        "*** SUMMARY ***",
        "Total pot 800 | Rake 4",
    ]


def test_what_nobody_called_comes_back():
    told = history(GAME, played(("AcAs", "JcTc"), "bet 30", "raise to 90", "fold")).split("\n")
    assert told[-5:] == [
        "OOP: folds",
        "Uncalled bet (60) returned to IP",
        "IP collected 116 from pot",  # 30 of each and the 60 that lay there, less 4 of rake
        "*** SUMMARY ***",
        "Total pot 120 | Rake 4",
    ]
    state = played(("AcAs", "JcTc"), "bet 30", "raise to 90", "fold")
    assert GAME.payoff(state, 1) == 116 - 30 - 30  # less what IP put in, and half of the pot that lay there


def test_an_all_in_before_the_river_is_called_before_the_other_cards_come():
    told = history(GAME, played(("AcAs", "JcTc"), "all in 370", "call", "2c", "3s")).split("\n")
    assert told[7:11] == [
        "OOP: bets 370 and is all-in",
        "IP: calls 370 and is all-in",
        "*** TURN *** [Td 9d 6h] [2c]",
        "*** RIVER *** [Td 9d 6h 2c] [3s]",
    ]


def test_a_line_is_told_without_hands():
    told = history_of(GAME, [1], read_cards("Td9d6h"))
    assert told.endswith("*** FLOP *** [Td 9d 6h]\nOOP: bets 30\nIP is to act") and "Dealt" not in told
