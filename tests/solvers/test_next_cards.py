"""What people look at in a solved spot: next cards, sums by sorts of hands, blockers, equities at a place."""

import itertools

import numpy as np
import pytest

from fogtree.errors import Invalid
from fogtree.game import CHANCE, OVER
from fogtree.games.holdem.cards import bit, strength
from fogtree.games.spot import spot
from fogtree.games.spot.classes import draws, made_hands
from fogtree.games.spot.ranges import hand_number, held, read_cards
from fogtree.solvers.public.checked_down import CheckedDown
from fogtree.solvers.public.hand_classes import blockers, hand_at, sums
from fogtree.solvers.public.hand_solution import HandSolution, solve_hands
from fogtree.solvers.public.next_cards import next_cards
from fogtree.solvers.public.public_form import public_form
from fogtree.solvers.public.vector_cfr import VectorCFR

OOP = "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s"
IP = "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+"


def number(text):
    return hand_number(*read_cards(text))


def strength_of(*cards):
    return int(strength(sum(int(bit(card, 4)) for card in cards)))


@pytest.fixture(scope="module")
def turn():
    """Clubs and hearts are alike on this board, and the ranges have weights."""
    return solve_hands(
        spot("Td9d6sQs", pot=20, stack=50, bets="50%, a", oop="AA,KJs:0.5,T9s,87s", ip="QQ:0.25,JTs,98s,AKo"), target=2
    )


def test_the_equity_of_the_known_flop_is_the_known_one():
    form = public_form(spot("Td9d6h", pot=60, stack=370, bets="none", oop=OOP, ip=IP))
    found = CheckedDown(form).equity(0, [one.weight for one in form.hold])
    assert found[0] == pytest.approx(0.536470, abs=1e-5)  # postflop-solver


def test_the_equity_at_a_place_is_that_of_dealing_all_cards(turn):
    for line in ("bet 10", "bet 10, call"):
        place = turn.at(line)
        mean, first, _ = turn.equity_at(place)
        board, total, won = place.cards, np.zeros(2), 0.0
        for i, one in enumerate(held()[place.hands[0]].tolist()):
            share, whole = 0.0, 0.0
            for k, two in enumerate(held()[place.hands[1]].tolist()):
                if set(one) & set(two):
                    continue
                left = set(range(52)) - {*one, *two, *board}
                wins = [
                    0.5 * ((a > b) + (a >= b))
                    for a, b in ((strength_of(*one, *board, c), strength_of(*two, *board, c)) for c in left)
                ]
                share += place.reach[1][k] * sum(wins) / len(wins)
                whole += place.reach[1][k]
            assert first[i] == pytest.approx(share / whole, abs=1e-7)  # rounding, where most hands are blocked
            total += place.reach[0][i] * whole
            won += place.reach[0][i] * share
        assert mean == pytest.approx(won / total[0], abs=1e-9)


def test_next_cards_are_all_cards_and_their_mean_is_the_place_before(turn):
    for line in ("check, check", "all in 50, call"):
        cards, before = next_cards(turn, line), turn.at(line)
        assert before.player == CHANCE and before.actions == []
        assert sorted(card for one in cards for card in one.cards) == sorted(set(range(52)) - set(before.cards))
        assert sum(one.chance for one in cards) == pytest.approx(1)
        for player in (0, 1):
            mean = sum(one.chance * one.value[player] for one in cards)
            assert mean == pytest.approx(before.mean(player), abs=1e-3)
        assert sum(one.chance * one.equity for one in cards) == pytest.approx(turn.equity_at(before)[0], abs=1e-9)
    assert all(one.player == OVER for one in cards)


def test_the_chance_of_a_card_is_that_of_the_hands_that_leave_it(turn):
    place = turn.at("check, check")
    held_by = [held()[place.hands[p]] for p in (0, 1)]
    weight, whole = np.zeros(52), 0.0
    for (i, one), (k, two) in itertools.product(enumerate(held_by[0].tolist()), enumerate(held_by[1].tolist())):
        if not set(one) & set(two):
            part = place.reach[0][i] * place.reach[1][k]
            left = list(set(range(52)) - {*one, *two, *place.cards})
            weight[left] += part / len(left)
            whole += part
    for one in next_cards(turn, "check, check"):
        assert one.chance == pytest.approx(weight[one.cards[0]] / whole, rel=1e-5)


def test_next_cards_are_what_the_place_after_each_card_shows(turn):
    for one in next_cards(turn, "check, check"):
        (card,) = one.cards
        after = turn.at("check, check", turn.game.face(card))
        assert after.cards[-1] == card and after.actions == one.actions
        assert one.frequency == pytest.approx(after.frequency(), abs=1e-6)
        assert one.value[0] == pytest.approx(after.mean(0), abs=1e-6)
    with pytest.raises(Invalid, match="no card is to come there"):
        next_cards(turn, "check")


def test_each_action_is_worth_what_the_place_after_it_is(turn):
    for line in ("", "check", "bet 10"):
        place = turn.at(line)
        me = place.player
        mixed = (place.mix * place.worth).sum(axis=0)
        seen = place.met[me] > 0
        assert mixed[seen] == pytest.approx(place.value[me][seen], abs=1e-4)
        for action, row in zip(place.actions, place.worth, strict=True):
            if action != "fold":
                after = turn.at(f"{line}, {action}" if line else action)
                assert after.value[me][seen] == pytest.approx(row[seen], abs=1e-4)


@pytest.mark.parametrize(
    ("board", "hand", "made", "draw"),
    [
        ("Td9d6h", "KdQd", "nothing", "combo draw"),  # a flush draw, and a jack makes a straight
        ("Td9d6h", "QcJc", "nothing", "open-ended"),
        ("Td9d6h", "Jc8c", "nothing", "open-ended"),
        ("Td9d6h", "8c7c", "straight", "no draw"),
        ("Td9d6h", "8d7d", "straight", "flush draw"),
        ("Td9d6h", "AcKc", "ace high", "no draw"),
        ("Td9d6h", "KcJc", "nothing", "gutshot"),
        ("Td9d6h", "JcJs", "overpair", "no draw"),
        ("Td9d6h", "8c8s", "underpair", "gutshot"),
        ("Td9d6h", "TcTs", "set", "no draw"),
        ("Td9d6h", "Tc9c", "two pair", "no draw"),
        ("Td9d6h", "AcTc", "top pair", "no draw"),
        ("Td9d6h", "9c3c", "middle pair", "no draw"),
        ("Td9d6h", "Ad6d", "low pair", "flush draw"),
        ("TdTh6h", "AcTc", "trips", "no draw"),
        ("TdTh6h", "6c6s", "full house", "no draw"),
        ("TdTh6h", "6c5c", "low pair", "no draw"),  # the pair on the board is everybody's
        ("TdThTc", "AcKc", "ace high", "no draw"),
        ("TdThTc", "TsKc", "four of a kind", "no draw"),
        ("KdKhQcQs2c", "JcJs", "underpair", "no draw"),
        ("2d3d4h", "Ac9s", "ace high", "gutshot"),  # a five; with the ace below the deuce
        ("2d3d4h", "6cAs", "ace high", "gutshot"),  # a five in two ways is one rank
        ("5d6d7h8c", "2s2c", "underpair", "no draw"),  # whoever gets a four or a nine plays the board
        ("5d6d7h8c", "Ts2c", "nothing", "gutshot"),  # a nine makes a higher one than the board's
        ("Td9s7c6h", "Kd5c", "nothing", "no draw"),  # with an eight the board's is higher than that of the five
        ("AdKdQdJdTd", "2s2c", "straight flush", "no draw"),
        ("Ad7d2d", "Kd3c", "nothing", "flush draw"),
        ("Ad7d2dJd", "Kc3c", "nothing", "no draw"),  # the fourth diamond lies on the board alone
    ],
)
def test_hands_are_called_what_players_call_them(board, hand, made, draw):
    cards, h = tuple(read_cards(board)), number(hand)
    value = np.zeros(len(held()), np.int64)
    value[h] = strength_of(*read_cards(hand), *cards)
    # only this hand's strength is needed; the others are called something that nothing reads
    for sort, called in ((made_hands(cards, value), made), (draws(cards, value), draw)):
        assert sort.names[sort.number[h]] == called


def test_sums_of_sorts_are_the_whole(turn):
    for player in (0, 1):
        place = turn.at()
        for sort in ("made", "draw", "start"):
            parts = sums(turn, place, player, sort)
            assert sum(part.share for part in parts) == pytest.approx(1)
            assert sum(part.share * part.value for part in parts) == pytest.approx(place.mean(player), abs=1e-9)
            mean = sum(part.share * part.equity for part in parts)
            assert mean == pytest.approx(turn.equity_at(place)[0] if player == 0 else 1 - turn.equity_at(place)[0])
            if player == place.player:
                assert sum(part.share * part.frequency for part in parts) == pytest.approx(place.frequency())
    with pytest.raises(Invalid, match="there is no sort 'colour': choose from made, draw, start"):
        sums(turn, place, 0, "colour")


def test_a_blocker_takes_away_the_hands_that_hold_its_cards():
    solved = HandSolution(
        VectorCFR(public_form(spot("Td9d6hQc2s", pot=20, stack=50, bets="a", oop="AhKh", ip="AA,KK:0.5,QQ")))
    )
    told = blockers(solved, solved.at(), 0, number("AhKh"))
    # of 6 aces 3 are left, of 6 kings at one half 3, and all 3 sets of queens
    assert told.share == pytest.approx((3 + 1.5) / (6 + 3 + 3))
    assert [(part.name, part.before, part.after) for part in told.sums] == [
        ("set", pytest.approx(3 / 12), pytest.approx(3 / 7.5)),
        ("overpair", pytest.approx(9 / 12), pytest.approx(4.5 / 7.5)),
    ]
    assert hand_at(solved.at(), 0, number("AhKh")) == 0
    with pytest.raises(Invalid, match="not in the player's range"):
        hand_at(solved.at(), 0, number("AcKc"))


def test_the_river_after_a_turn_that_stands_for_another():
    # clubs, hearts and spades are alike on the flop, so the solver has one turn for 3c, 3h and 3s
    found = solve_hands(spot("Td9d6d", pot=20, stack=30, bets="a", oop="AA,87s", ip="KK,QJs"), iterations=10)
    for turn in ("3c", "3s"):
        cards = next_cards(found, "check, check, check, check", turn)
        assert len({one.cards for one in cards}) == 48
        for one in cards:
            after = found.at("check, check, check, check", turn + found.game.face(one.cards[0]))
            assert one.frequency == pytest.approx(after.frequency(), abs=1e-6)
            assert one.equity == pytest.approx(found.equity_at(after)[0], abs=1e-9)
