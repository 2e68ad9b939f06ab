"""Army chess: boards, set-ups, moves, fights and ends, against numbers from elsewhere and positions set up by hand."""

import itertools
import math
import random

import numpy as np
import pytest

import fogtree
from fogtree import CHANCE, OVER, REFEREE, Invalid, dice
from fogtree.game import label, legal, new_state, odds, read
from fogtree.games.siguo import Luzhanqi, SetUp, SiGuo, SmallArmy
from fogtree.games.siguo.board import FOUR, GRAPHS, SMALL, TWO
from fogtree.games.siguo.pieces import (
    ANY,
    BOMBED,
    BOTH,
    CAPTURED,
    COMBAT,
    COMMANDER,
    FLAG,
    KINDS,
    MINE,
    NEVER,
    REPELLED,
    SIGNS,
    TAKEN,
)
from fogtree.games.siguo.rules import ALIVE, HEAD, PLIES, QUIET, STANDS, TURN, kinds_from, known_from
from fogtree.games.siguo.setting import number_of_set_ups
from fogtree.games.siguo.text import is_setting, name_of, point_of
from fogtree.judges import CutOff, new_room
from fogtree.kernels.door import complete
from fogtree.shapes import FIRST, SECOND, Cell

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered")  # views are hashes, which wrap round

FOUR_PLAYERS, TWO_PLAYERS, FEW = SiGuo(), Luzhanqi(), SmallArmy()
# Each of these is a legal set-up, from the back to the front: F in a headquarters, M behind, B not in front.
ARMY = "F9M2M" + "MBB22" + "333" + "4455" + "667" + "78111"
GAMES = {FOUR: FOUR_PLAYERS, TWO: TWO_PLAYERS, SMALL: FEW}


def placed(game, men, turn=0, armies=None):
    """A state with these men alone on the board, as {point: (player, sign)}. A man is one of his army with that kind."""
    state = new_state(game)
    game.from_notation("/".join(armies or [ARMY if game.board() != SMALL else "FMB91"] * game.seats()), state)
    army = len(GRAPHS[game.board()].homes[0])
    state[HEAD : HEAD + len(GRAPHS[game.board()].place)] = 0
    state[STANDS : STANDS + 12] = 0
    used = set()
    for name, (player, sign) in men.items():
        mine = range(player * army, player * army + army)
        kind = SIGNS.index(sign)
        man = next(man for man in mine if state[kinds_from(game) + man] == kind and man not in used)
        used.add(man)
        point = point_of(game, name)
        state[HEAD + point] = man + 1
        state[STANDS + player * 3 + point // 60] |= 1 << point % 60
    state[TURN] = turn
    return state


def moves(game, state, origin):
    """Where the man on a point can go."""
    names = (label(game, state, action) for action in legal(game, state))
    pairs = (name.replace("x", "-").split("-") for name in names)
    return {target for start, target in pairs if start == origin}


def play(game, state, *typed):
    for text in typed:
        game.step(state, read(game, state, text))
    return state


def on(game, state, name):
    """Who stands on a point and his kind, or None."""
    man = int(state[HEAD + point_of(game, name)]) - 1
    army = len(GRAPHS[game.board()].homes[0])
    return None if man < 0 else (man // army, SIGNS[state[kinds_from(game) + man]])


def known(game, state, man):
    mask = int(state[known_from(game) + man]) & ANY
    return "".join(SIGNS[kind] for kind in range(KINDS) if mask >> kind & 1)


# --- boards ---


@pytest.mark.parametrize(
    ("board", "points", "roads", "rails", "on_rails"),
    [(FOUR, 129, 196, 92, 73), (TWO, 60, 98, 35, 32), (SMALL, 12, 10, 7, 6)],
)
def test_a_board_has_so_many_points_and_joints(board, points, roads, rails, on_rails):
    # siguozero's documents give 129, 288 and 73 for four players, and 60 and 133 for two
    graph = GRAPHS[board]
    assert (len(set(graph.place)), len(graph.roads), len(graph.rails)) == (points, roads, rails)
    assert len({point for joint in graph.rails for point in joint}) == on_rails
    assert not graph.roads & graph.rails


def area_name(row, column):
    """The point of south's area on the large board."""
    return name_of(FOUR_PLAYERS, (row - 1) * 5 + column - 1)


@pytest.mark.parametrize(
    ("point", "joints", "ordinary", "engineer"),
    [
        (area_name(1, 1), 5, 22, 73),
        (area_name(1, 2), 3, 5, 73),
        (area_name(1, 3), 6, 11, 75),
        (area_name(2, 1), 3, 18, 73),
        (area_name(2, 2), 8, 8, 8),
        (area_name(3, 3), 8, 8, 8),
        (area_name(5, 1), 4, 23, 74),
        (area_name(5, 2), 4, 6, 74),
        (area_name(5, 3), 6, 8, 76),
        (area_name(6, 1), 2, 2, 2),
        ("g11", 4, 24, 72),
        ("g9", 4, 16, 72),
        ("i9", 4, 8, 72),
    ],
)
def test_a_lone_man_reaches_so_many_points(point, joints, ordinary, engineer):
    # counted by an independent program
    number = point_of(FOUR_PLAYERS, point)
    assert sum(number in joint for joint in GRAPHS[FOUR].roads | GRAPHS[FOUR].rails) == joints
    for sign, reached in (("8", ordinary), ("1", engineer)):
        assert len(moves(FOUR_PLAYERS, placed(FOUR_PLAYERS, {point: (0, sign)}), point)) == reached


@pytest.mark.parametrize(("board", "pairs"), [(FOUR, 5624), (TWO, 1176)])
def test_so_many_moves_can_ever_be_legal(board, pairs):
    # siguozero's encoding of actions has as many
    game, total = GAMES[board], 0
    for point in set(range(len(GRAPHS[board].place))) - GRAPHS[board].headquarters:
        name = name_of(game, point)
        total += len(moves(game, placed(game, {name: (0, "1")}), name))
    assert total == pairs


def test_from_the_front_row_nobody_but_an_engineer_turns_into_a_column_or_an_arc():
    front, column = area_name(1, 2), area_name(2, 1)
    arc = name_of(FOUR_PLAYERS, 90 + 4)  # west's front corner, column 5
    for sign, turns in (("8", False), ("1", True)):
        there = moves(FOUR_PLAYERS, placed(FOUR_PLAYERS, {front: (0, sign)}), front)
        assert (column in there, arc in there) == (turns, turns)
    assert arc in moves(FOUR_PLAYERS, placed(FOUR_PLAYERS, {column: (0, "8")}), column)


@pytest.mark.parametrize("blocker", [(0, "8"), (2, "8"), (1, "8")])
def test_everybody_is_in_the_way_of_an_engineer(blocker):
    # in the corner of the fifth row, with both ways along the railway taken
    corner, right, up = area_name(5, 1), area_name(5, 2), area_name(4, 1)
    state = placed(FOUR_PLAYERS, {corner: (0, "1"), right: blocker, up: (blocker[0], "7")})
    there = moves(FOUR_PLAYERS, state, corner)
    attacked = {right, up} if blocker[0] == 1 else set()
    assert there == attacked | {area_name(4, 2), area_name(6, 1)}


# --- set-ups ---


def test_a_player_has_so_many_set_ups():
    # 7.096 * 10^17, whose cube is the 3.57 * 10^53 worlds of zhang2014, table 1
    assert number_of_set_ups(FOUR) == number_of_set_ups(TWO) == 709_596_419_051_520_000
    assert f"{number_of_set_ups(FOUR) ** 3:.2e}" == "3.57e+53"


def test_the_set_ups_of_the_small_game_are_those_found_by_trying_all():
    found = set()
    for signs in itertools.permutations("91BMF"):
        if "F" in signs[:2] and "M" in signs[:3] and "B" in signs[:3]:
            found.add("".join(signs))
    assert len(found) == number_of_set_ups(SMALL) == 8
    dealt = {}
    stack = [(new_state(FEW), 1.0)]
    while stack:
        state, chance = stack.pop()
        if state[7] == 5:
            signs = "".join(SIGNS[kind] for kind in state[kinds_from(FEW) :][:5])
            dealt[signs] = dealt.get(signs, 0) + chance
            continue
        for action, likely in zip(legal(FEW, state), odds(FEW, state), strict=True):
            stack.append((play_kind(FEW, state.copy(), action), chance * likely))
    assert set(dealt) == found
    assert all(math.isclose(chance, 1 / 8) for chance in dealt.values())


def play_kind(game, state, kind):
    game.step(state, kind)
    return state


def dealt_army(game, seed):
    state, chooser = new_state(game), random.Random(seed)
    while state[7] < 25:
        game.step(state, chooser.choices(legal(game, state), odds(game, state))[0])
    return "".join(SIGNS[kind] for kind in state[kinds_from(game) :][:25])


@pytest.mark.parametrize("set_up", [SetUp.EVEN, SetUp.SENSIBLE])
def test_dealt_set_ups_are_legal(set_up):
    for seed in range(60):
        army = dealt_army(Luzhanqi(set_up), seed)
        assert sorted(army) == sorted(ARMY)
        assert "F" in army[:2] and "M" not in army[10:] and "B" not in army[20:]


def test_even_set_ups_have_the_odds_of_counting():
    # a bomb is equally likely on each of the 16 points that the flag and the mines leave; checked for the first men
    state = new_state(TWO_PLAYERS)
    chances = dict(zip(legal(TWO_PLAYERS, state), odds(TWO_PLAYERS, state), strict=True))
    assert chances[FLAG] == pytest.approx(1 / 2)
    assert chances[MINE] == pytest.approx(1 / 2 * 3 / 9)
    assert chances[COMMANDER] == pytest.approx(1 / 2 * 6 / 9 * 14 / 16 * 1 / 19)


def test_sensible_set_ups_have_more_mines_beside_the_flag():
    beside = []
    for set_up in (SetUp.EVEN, SetUp.SENSIBLE):
        armies = [dealt_army(Luzhanqi(set_up), seed) for seed in range(80)]
        # beside the first headquarters, L1: L0, L2 and K1; beside the second: L2, L4 and K3
        near = {0: (2, 3, 6), 1: (3, 4, 8)}
        beside.append(sum(army[k] == "M" for army in armies for k in near[army.index("F")]))
    assert beside[1] > 1.5 * beside[0]


def test_players_may_set_up_themselves_one_after_the_other():
    game = Luzhanqi(SetUp.CHOSEN)
    state = new_state(game)
    assert game.player(state) == 0
    for sign in ARMY:
        game.step(state, read(game, state, sign))
    assert game.player(state) == 1
    before = game.view(state, 0)
    for sign in ARMY:
        game.step(state, read(game, state, sign))
    assert game.player(state) == 0
    assert before != game.view(state, 0)  # the game has begun


@pytest.mark.parametrize(
    ("signs", "sentence"),
    [
        ("9" + ARMY[1:], "a set-up has no more than 1 of the kind commander"),
        (ARMY + "1", "a set-up has 25 men, not 26"),
        ("X" + ARMY[1:], "'X' is no man of army chess: valid are 9 8 7 6 5 4 3 2 1 B M F"),
        ("29", "the commander cannot be set on L3: the flag is in a headquarters"),
        ("F9222" + "333", "the company cannot be set on K2: "),  # the mines would find no room
    ],
)
def test_an_illegal_set_up_is_refused_in_one_sentence(signs, sentence):
    with pytest.raises(Invalid) as refused:
        TWO_PLAYERS.from_notation(f"{signs}/{ARMY}", new_state(TWO_PLAYERS))
    assert str(refused.value).startswith(sentence) and "\n" not in str(refused.value)


# --- fights ---


def test_all_fights_end_as_in_the_table():
    # rows attack, columns defend: commander to engineer, bomb, mine, flag.
    # r the attacker dies, t the defender, b both, c the flag is captured, x bombed
    table = [
        "bttttttttbrc",
        "rbtttttttbrc",
        "rrbttttttbrc",
        "rrrbtttttbrc",
        "rrrrbttttbrc",
        "rrrrrbtttbrc",
        "rrrrrrbttbrc",
        "rrrrrrrbtbrc",
        "rrrrrrrrbbtc",
        "bbbbbbbbbbbx",
    ]
    meaning = {"r": REPELLED, "t": TAKEN, "b": BOTH, "c": CAPTURED, "x": BOMBED}
    assert COMBAT[:10].tolist() == [[meaning[letter] for letter in row] for row in table]
    assert (COMBAT[10:] == NEVER).all()


@pytest.mark.parametrize(
    ("attacker", "defender", "left"),
    [
        ("8", "7", (0, "8")),
        ("7", "8", (1, "8")),
        ("5", "5", None),
        ("1", "M", (0, "1")),
        ("9", "M", (1, "M")),
        ("B", "M", None),
        ("B", "9", None),
        ("2", "B", None),
    ],
)
def test_a_fight_leaves_the_winner_on_the_point(attacker, defender, left):
    men = {"G0": (0, attacker), "F0": (1, defender), "L1": (0, "F"), "A3": (1, "F"), "K0": (0, "3"), "B0": (1, "3")}
    state = play(TWO_PLAYERS, placed(TWO_PLAYERS, men), "G0xF0")
    assert on(TWO_PLAYERS, state, "G0") is None
    assert on(TWO_PLAYERS, state, "F0") == left
    assert state[QUIET] == 0 and state[PLIES] == 1


def test_nobody_is_attacked_in_a_camp_and_a_camp_can_be_entered_if_free():
    state = placed(TWO_PLAYERS, {"G0": (0, "8"), "H1": (1, "7"), "B0": (1, "3")})
    assert "H1" not in moves(TWO_PLAYERS, state, "G0")
    state = placed(TWO_PLAYERS, {"G0": (0, "8"), "B0": (1, "3")})
    assert "H1" in moves(TWO_PLAYERS, state, "G0")


def test_who_stands_in_a_headquarters_never_moves_again():
    men = {"B1": (0, "8"), "A1": (1, "3"), "B0": (1, "3"), "K0": (0, "3")}
    state = play(TWO_PLAYERS, placed(TWO_PLAYERS, men), "B1xA1", "B0-C0")
    assert on(TWO_PLAYERS, state, "A1") == (0, "8")
    assert moves(TWO_PLAYERS, state, "A1") == set() and moves(TWO_PLAYERS, state, "K0")


def test_mines_and_flags_never_move():
    state = placed(TWO_PLAYERS, {"K0": (0, "M"), "L0": (0, "F"), "K4": (0, "2"), "B0": (1, "3")})
    assert moves(TWO_PLAYERS, state, "K0") == moves(TWO_PLAYERS, state, "L0") == set()


# --- what everybody learns ---


def flags_shown(game, state):
    army = len(GRAPHS[game.board()].homes[0])
    return [any(known(game, state, p * army + hq) == "F" for hq in (0, 1)) for p in range(game.seats())]


@pytest.mark.parametrize(
    ("attacker", "defender", "shown"),
    [
        ("9", "9", [True, True]),
        ("9", "B", [True, False]),
        ("B", "9", [False, True]),
        ("9", "M", [True, False]),
        ("8", "8", [False, False]),
    ],
)
def test_a_dead_commander_shows_the_flag_of_his_owner(attacker, defender, shown):
    armies = [ARMY.replace("9", "#").replace("2", "9", 1).replace("#", "2"), ARMY]  # another place of the commander
    men = {"G0": (0, attacker), "F0": (1, defender), "K0": (0, "3"), "B0": (1, "3"), "L1": (0, "F"), "A3": (1, "F")}
    state = play(TWO_PLAYERS, placed(TWO_PLAYERS, men, armies=armies), "G0xF0")
    assert flags_shown(TWO_PLAYERS, state) == shown


def test_a_commander_who_kills_shows_nothing():
    men = {"G0": (0, "9"), "F0": (1, "8"), "K0": (0, "3"), "B0": (1, "3")}
    state = play(TWO_PLAYERS, placed(TWO_PLAYERS, men), "G0xF0")
    assert flags_shown(TWO_PLAYERS, state) == [False, False]


def test_a_man_who_turns_on_the_railway_is_an_engineer_to_everybody():
    men = {"G0": (0, "1"), "B0": (1, "3")}
    straight = play(TWO_PLAYERS, placed(TWO_PLAYERS, men), "G0-K0")
    turned = play(TWO_PLAYERS, placed(TWO_PLAYERS, men), "G0-H4")
    man = straight[HEAD + point_of(TWO_PLAYERS, "K0")] - 1
    assert known(TWO_PLAYERS, straight, man) == "987654321"
    assert known(TWO_PLAYERS, turned, man) == "1"
    assert "r1" in TWO_PLAYERS.show(turned, 1)


def test_a_man_who_goes_round_a_blocker_on_his_line_is_an_engineer_too():
    men = {"G0": (0, "1"), "I0": (0, "2"), "B0": (1, "3")}
    state = play(TWO_PLAYERS, placed(TWO_PLAYERS, men), "G0-J0")
    assert known(TWO_PLAYERS, state, state[HEAD + point_of(TWO_PLAYERS, "J0")] - 1) == "1"


def test_a_fight_says_what_both_men_can_be():
    men = {"G0": (0, "8"), "F0": (1, "1"), "K0": (0, "3"), "B0": (1, "3")}
    state = play(TWO_PLAYERS, placed(TWO_PLAYERS, men), "G0xF0")
    winner = state[HEAD + point_of(TWO_PLAYERS, "F0")] - 1
    assert known(TWO_PLAYERS, state, winner) == "98765432"  # not an engineer: the loser stood in front, so was no mine


def test_a_player_without_a_move_tells_that_all_who_could_leave_are_mines():
    men = {"G0": (0, "8"), "F0": (1, "2"), "B0": (1, "M"), "B2": (1, "M"), "A3": (1, "F"), "K0": (0, "3")}
    state = play(TWO_PLAYERS, placed(TWO_PLAYERS, men), "G0xF0")
    assert TWO_PLAYERS.player(state) == OVER and TWO_PLAYERS.payoff(state, 0) == 1
    mines = [man for man in range(25, 50) if SIGNS[state[kinds_from(TWO_PLAYERS) + man]] == "M"]
    assert [known(TWO_PLAYERS, state, man) for man in mines].count("M") == 2


# --- how it ends ---


@pytest.mark.parametrize("in_camp", [(0, "8"), (1, "F")])
def test_who_could_only_go_to_a_camp_that_is_taken_is_out(in_camp):
    # C0 leads to the mines on B0 and D0 and to the camp C1: a step into it is a move, unless somebody stands there
    men = {"K0": (0, "3"), "C0": (1, "2"), "B0": (1, "M"), "D0": (1, "M")}
    state = play(TWO_PLAYERS, placed(TWO_PLAYERS, men), "K0-K1")
    assert TWO_PLAYERS.player(state) == 1
    state = play(TWO_PLAYERS, placed(TWO_PLAYERS, {**men, "C1": in_camp}), "K0-K1")
    assert TWO_PLAYERS.player(state) == OVER and TWO_PLAYERS.payoff(state, 0) == 1


def test_a_captured_flag_removes_the_army_and_the_partner_plays_on():
    # east loses the flag to north; south, north and west play on
    east = [name_of(FOUR_PLAYERS, 30 + k) for k in range(30)]
    men = {
        east[26]: (1, "F"),
        east[21]: (2, "8"),
        east[0]: (1, "9"),
        "g6": (0, "7"),
        "g12": (2, "7"),
        "f7": (3, "7"),
    }
    state = placed(FOUR_PLAYERS, men, turn=2)
    play(FOUR_PLAYERS, state, f"{east[21]}x{east[26]}")
    assert on(FOUR_PLAYERS, state, east[26]) == (2, "8")
    assert on(FOUR_PLAYERS, state, east[0]) is None
    assert state[ALIVE] == 0b1101 and FOUR_PLAYERS.player(state) == 3
    play(FOUR_PLAYERS, state, "f7-e7", "g6-g5")
    assert FOUR_PLAYERS.player(state) == 2  # east's turn is skipped


def test_a_side_wins_when_both_opponents_are_out():
    east = [name_of(FOUR_PLAYERS, 30 + k) for k in range(30)]
    men = {east[26]: (1, "F"), east[21]: (2, "8"), east[0]: (1, "9"), "g6": (0, "7")}
    state = placed(FOUR_PLAYERS, men, turn=2)
    state[ALIVE] = 0b0111  # west is out
    play(FOUR_PLAYERS, state, f"{east[21]}x{east[26]}")
    assert FOUR_PLAYERS.player(state) == OVER
    assert [FOUR_PLAYERS.payoff(state, player) for player in range(4)] == [1, -1, 1, -1]


def test_a_bombed_flag_is_lost_too():
    men = {"B1": (0, "B"), "A1": (1, "F"), "C0": (1, "9"), "K0": (0, "3")}
    state = play(TWO_PLAYERS, placed(TWO_PLAYERS, men), "B1xA1")
    assert TWO_PLAYERS.player(state) == OVER and TWO_PLAYERS.payoff(state, 1) == -1
    assert on(TWO_PLAYERS, state, "A1") is None


def test_both_without_a_move_is_a_draw():
    men = {"G0": (0, "8"), "F0": (1, "8"), "B0": (1, "M"), "K0": (0, "M")}
    state = play(TWO_PLAYERS, placed(TWO_PLAYERS, men), "G0xF0")
    assert TWO_PLAYERS.player(state) == OVER
    assert [TWO_PLAYERS.payoff(state, player) for player in (0, 1)] == [0, 0]


@pytest.mark.parametrize(("stalled", "payoffs"), [("draw", [0, 0]), ("loss", [1, -1])])
def test_after_too_many_quiet_moves_it_is_a_draw_or_lost_for_the_side_to_move(stalled, payoffs):
    game = Luzhanqi(quiet=31, stalled=stalled)
    state = placed(game, {"H0": (0, "8"), "E0": (1, "8")})
    for k in range(31):
        assert game.player(state) == k % 2
        origin, target = (("H0", "I0"), ("E0", "D0"))[k % 2]
        play(game, state, f"{origin}-{target}" if k // 2 % 2 == 0 else f"{target}-{origin}")
    assert game.player(state) == OVER and game.by_course(state)
    assert [game.payoff(state, player) for player in (0, 1)] == payoffs


def test_a_long_game_is_a_draw():
    game = Luzhanqi(longest=2)
    state = play(game, placed(game, {"H0": (0, "8"), "E0": (1, "8")}), "H0-I0", "E0-D0")
    assert game.player(state) == OVER and game.payoff(state, 0) == 0 and game.by_course(state)


# --- views, texts ---


def test_partners_sit_opposite():
    assert [FOUR_PLAYERS.side_of(player) for player in range(4)] == [0, 1, 0, 1]


def test_nobody_sees_the_kinds_of_others():
    state = new_state(FOUR_PLAYERS)
    FOUR_PLAYERS.from_notation("/".join([ARMY] * 4), state)
    other = new_state(FOUR_PLAYERS)
    FOUR_PLAYERS.from_notation("/".join([ARMY, ARMY, ARMY.replace("78", "87"), ARMY]), other)
    for player in (0, 1, 3):
        assert FOUR_PLAYERS.view(state, player) == FOUR_PLAYERS.view(other, player)
        assert FOUR_PLAYERS.show(state, player) == FOUR_PLAYERS.show(other, player)
    assert FOUR_PLAYERS.view(state, 2) != FOUR_PLAYERS.view(other, 2)
    assert FOUR_PLAYERS.show(state, REFEREE) != FOUR_PLAYERS.show(other, REFEREE)


@pytest.mark.parametrize("game", [FOUR_PLAYERS, SiGuo(players=2), TWO_PLAYERS, SmallArmy(longest=40)], ids=fogtree.name)
def test_a_state_can_be_written_and_read(game):
    chooser, state = random.Random(5), new_state(game)
    for _ in range(260):
        if game.player(state) == OVER:
            break
        weights = odds(game, state) if game.player(state) == CHANCE else None
        game.step(state, chooser.choices(legal(game, state), weights)[0])
        again = new_state(game)
        text = game.notation(state)
        if "-" in text.split()[0]:
            continue  # while armies are set up
        game.from_notation(text, again)
        assert game.notation(again) == text
        assert legal(game, again) == legal(game, state) and game.player(again) == game.player(state)
        words = [word for word in range(len(state)) if word != 5]  # the view begins anew
        assert (again[words] == state[words]).all()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("F", "2 set-ups are needed, with / between them, not 1"),
        ("F/F/F", "2 set-ups are needed, with / between them, not 3"),
        ("a b", "there are 2 fields: valid are 1, the set-ups, or 5"),
        ("F/F x x x x", "a player sets up only after all before them are done"),
    ],
)
def test_a_malformed_state_is_refused_in_one_sentence(text, why):
    with pytest.raises(Invalid) as refused:
        TWO_PLAYERS.from_notation(text, new_state(TWO_PLAYERS))
    assert why in str(refused.value) and "\n" not in str(refused.value)


def test_a_fight_that_cannot_have_ended_so_is_refused():
    state = play(
        TWO_PLAYERS, placed(TWO_PLAYERS, {"G0": (0, "8"), "F0": (1, "7"), "B0": (1, "3"), "K0": (0, "3")}), "G0xF0"
    )
    text = TWO_PLAYERS.notation(state)
    fight = text.split()[3]
    assert fight.endswith(":1")  # the defender has died
    TWO_PLAYERS.from_notation(text, new_state(TWO_PLAYERS))
    with pytest.raises(Invalid, match="are of kinds whose fight ends otherwise"):
        TWO_PLAYERS.from_notation(text.replace(fight, fight[:-1] + "2"), new_state(TWO_PLAYERS))


def test_what_is_typed_is_understood_in_several_forms():
    state = placed(TWO_PLAYERS, {"G0": (0, "8"), "F0": (1, "7"), "B0": (1, "3")})
    assert len({read(TWO_PLAYERS, state, text) for text in ("G0xF0", "g0f0", "G0-F0", " G0 F0 ")}) == 1
    with pytest.raises(fogtree.Illegal, match="'G0Z9' is not a legal action here"):
        read(TWO_PLAYERS, state, "G0Z9")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("siguo:players=3", "SiGuo: players must be 2 or 4, not 3"),
        ("luzhanqi:quiet=0", "Luzhanqi: quiet must be a whole number from 1 to 1000, not 0"),
        ("small-army:set_up=sensible", "SmallArmy: set_up must be even or chosen, not 'sensible'"),
        ("luzhanqi:set_up=odd", "Luzhanqi: set_up must be even or sensible or chosen, not 'odd'"),
    ],
)
def test_a_wrong_parameter_is_refused(text, sentence):
    with pytest.raises(Invalid) as refused:
        fogtree.load(text)
    assert str(refused.value) == sentence


def test_engineers_are_told_from_others_only_by_what_they_do():
    # the same public course with different men in it looks the same to the other player
    one = placed(TWO_PLAYERS, {"G0": (0, "1"), "B0": (1, "3")})
    two = placed(TWO_PLAYERS, {"G0": (0, "2"), "B0": (1, "3")})
    same = [int(TWO_PLAYERS.view(play(TWO_PLAYERS, state, "G0-K0"), 1)) for state in (one, two)]
    assert same[0] == same[1]


# --- what a position is worth ---


def test_the_profit_is_the_share_of_the_material_by_which_a_side_is_ahead():
    # 210 for a commander, 190 for a general: the values of the program JunQi
    state = placed(TWO_PLAYERS, {"G0": (0, "9"), "F0": (1, "8")})
    profit = TWO_PLAYERS.evaluation()
    assert profit.value(TWO_PLAYERS, state) == pytest.approx((210 - 190) / (210 + 190))
    state = placed(TWO_PLAYERS, {"G0": (0, "8"), "F0": (1, "9")})
    assert profit.value(TWO_PLAYERS, state) == pytest.approx((190 - 210) / (210 + 190))


def test_the_profit_of_partners_is_added_and_equal_armies_are_even():
    state = new_state(FOUR_PLAYERS)
    FOUR_PLAYERS.from_notation("/".join([ARMY] * 4), state)
    assert FOUR_PLAYERS.evaluation().value(FOUR_PLAYERS, state) == 0
    state = placed(FOUR_PLAYERS, {"g6": (0, "9"), "g12": (2, "8"), "f7": (3, "9")})
    assert FOUR_PLAYERS.evaluation().value(FOUR_PLAYERS, state) == pytest.approx(190 / (2 * 210 + 190))


def test_a_decided_game_has_the_whole_profit():
    men = {"B1": (0, "8"), "A1": (1, "F"), "C0": (1, "9"), "K0": (0, "3")}
    state = play(TWO_PLAYERS, placed(TWO_PLAYERS, men), "B1xA1")
    assert TWO_PLAYERS.evaluation().value(TWO_PLAYERS, state) == 1


def test_a_simulation_may_be_cut_and_judged_by_the_profit():
    judge = CutOff(2, FEW.evaluation())
    state, payoff = new_state(FEW), np.zeros(2)
    FEW.from_notation("FMB91/FMB91", state)
    assert judge.finish(complete(FEW), state, payoff, new_room(FEW.shape()), dice.seeded(1)) == 0
    assert state[PLIES] == 2 and payoff[0] == -payoff[1]


@pytest.mark.parametrize("game", [Luzhanqi(), SmallArmy()])
def test_of_two_sides_the_one_that_is_called_blue_has_blue_men(game):
    state = new_state(game)
    while is_setting(game, state):
        game.step(state, legal(game, state)[0])
    assert [game.who(player) for player in (0, 1)] == ["Red", "Blue"]
    men = {
        player: {shape.tone for shape in game.draw(state, player) if isinstance(shape, Cell) and shape.text}
        for player in (0, 1)
    }
    assert men == {0: {SECOND}, 1: {FIRST}}  # the tone of the first player is blue, that of the second red-brown
