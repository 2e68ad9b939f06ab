"""Pictures of states: nothing hidden shows, every action has its place, and the text is a whole SVG."""

import collections
import re
import xml.etree.ElementTree as ElementTree
from typing import NamedTuple

import numpy as np
import pytest

import fogtree
from fogtree import CHANCE, GAMES, OVER, Kuhn, dice, load
from fogtree.draw.board import NARROW, PIPS, _arrow, _box, _hexagon, picture, shapes
from fogtree.draw.svg import COLOURS, UNIT, style
from fogtree.errors import Invalid
from fogtree.game import legal, new_state, odds
from fogtree.shapes import FIRST, Cell, Disc, Hexagon, Line

SVG = "{http://www.w3.org/2000/svg}"
SMALLER = {  # the same rules with fewer states, so that random games meet the same view again
    "goofspiel": "goofspiel:cards=4",
    "holdem": "holdem:ranks=3,suits=2,rounds=2,hole=1,flop=1",
    "go": "go:side=5",
    "chess": "chess",
    "dark-chess": "dark-chess:size=4",
}
NAMES = [SMALLER.get(name, name) for name in GAMES]
PLACES = ["tic-tac-toe", "phantom-ttt", "dark-hex", "connect-four", "breakthrough", "go:side=5", "phantom-go"]
ARMIES = ["siguo", "luzhanqi", "small-army"]
BOARDS = [*PLACES, "chess", "dark-chess:size=4", *ARMIES]  # games whose actions are places, or ways from one to another
LONG = ("siguo", "luzhanqi")  # to set up
STEPS, MATCHES = 14, 12


def courses(game, matches=MATCHES, steps=STEPS, seed=0):
    """The states of a few random games, near the start of each or anywhere in it."""
    random = np.random.default_rng(seed)
    with np.errstate(over="ignore"):
        for _ in range(matches):
            state = new_state(game)
            for _ in range(steps):
                while (player := int(game.player(state))) == CHANCE:
                    if len(state) < 200 or random.random() < 0.1:  # setting up an army takes many moves
                        yield state.copy()
                    game.step(state, int(random.choice(legal(game, state), p=odds(game, state))))
                yield state.copy()
                if player == OVER:
                    break
                game.step(state, int(random.choice(legal(game, state))))


def alike(game, states):
    """[(player, view)] different states that the player cannot tell apart: met in random games, or imagined."""
    found = collections.defaultdict(list)
    with np.errstate(over="ignore"):
        for number, state in enumerate(states):
            for player in range(game.shape().players):
                found[player, int(game.view(state, player))].append(state)
            mover = int(game.player(state))
            if mover >= 0 and hasattr(game, "imagine"):
                world = state.copy()
                game.imagine(world, mover, dice.seeded(number))
                found[mover, int(game.view(state, mover))].append(world)
    return {
        key: list({one.tobytes(): one for one in group}.values())
        for key, group in found.items()
        if len({one.tobytes() for one in group}) > 1
    }


@pytest.mark.parametrize("name", NAMES)
def test_a_picture_shows_nothing_that_the_player_cannot_know(name):
    game = load(name)
    groups = alike(game, courses(game, matches=1 if name in LONG else MATCHES))
    assert len(groups) >= 5 or game.shape().open
    for (player, _), states in groups.items():
        assert len({picture(game, state, player) for state in states[:6]}) == 1


@pytest.mark.parametrize("name", NAMES)
def test_every_action_is_in_the_picture_and_the_text_is_a_whole_svg(name):
    game = load(name)
    for state in [*courses(game, matches=1 if name in LONG else 2)][::4]:
        moves = legal(game, state)
        text = picture(game, state, None, moves)
        root = ElementTree.fromstring(text)
        assert (
            root.tag == f"{SVG}svg"
            and root[0].tag == f"{SVG}title"
            and {"width", "height", "viewBox"} <= set(root.attrib)
        )
        assert not [part for part in root.iter() if part.tag == f"{SVG}script" or "id" in part.attrib]
        live = [part for part in root.iter() if "data-action" in part.attrib]
        assert {int(part.attrib["data-action"]) for part in live} == set(moves)
        assert all("move" in part.attrib["class"].split() and part[0].tag == f"{SVG}title" for part in live)
        assert 'class="move' not in picture(game, state)


@pytest.mark.parametrize("name", BOARDS)
def test_an_action_is_placed_where_it_changes_the_board(name):
    game, looked = load(name), 0
    for state in [*courses(game, matches=1 if name in LONG else 2)][::5]:
        player = int(game.player(state))
        if player < 0:
            continue
        before = shapes(game, state, player)
        carried = {shape.action: shape for shape in before if getattr(shape, "action", None) is not None}
        places = {shape.place: shape for shape in before if getattr(shape, "place", "")}
        for move in legal(game, state):
            ends = game.path(state, move) if hasattr(game, "path") else None
            spot = places[ends[0]] if ends else carried.get(move)
            if spot is None:
                assert fogtree.label(game, state, move) == "pass"
                continue
            after = state.copy()
            with np.errstate(over="ignore"):
                game.step(after, move)
            then = shapes(game, after, player)
            assert ends is None or ends[0] != ends[1]
            assert at(spot, before) != at(spot, then)
            if ends and name not in ARMIES:  # there an attack may fail and leave its target as it was
                assert at(places[ends[1]], before) != at(places[ends[1]], then)
            looked += 1
    assert looked > 10


def at(spot, drawn):
    """What is drawn at the middle of a shape, actions aside."""
    return [
        shape._replace(action=None) if hasattr(shape, "action") else shape
        for shape in drawn
        if (shape.x, shape.y) == (spot.x, spot.y)
    ]


@pytest.mark.parametrize("name", ["chess", "breakthrough", "dark-chess:size=4"])
def test_a_move_is_a_dot_without_a_line_in_the_middle_of_the_place_that_it_leads_to(name):
    game = load(name)
    state = new_state(game)
    for move in legal(game, state):
        root = ElementTree.fromstring(picture(game, state, 0, [move]))
        (way,) = [part for part in root.iter() if part.get("data-action")]
        assert way.get("pointer-events") == "none" and not way.findall(
            f".//{SVG}line"
        )  # a click is one on the place below
        assert (way.get("data-from"), way.get("data-to")) == tuple(game.path(state, move)[:2])
        square = {}
        for part in root.iter():
            if part.get("data-place") and part.find(f"{SVG}rect") is not None:
                square.setdefault(part.get("data-place"), part.find(f"{SVG}rect"))
        spot, corner = way.find(f"{SVG}circle"), square[way.get("data-to")]
        assert float(spot.get("cx")) - float(corner.get("x")) == 20 == float(spot.get("cy")) - float(corner.get("y"))


def test_hexagons_touch_where_cells_of_dark_hex_are_neighbours():
    # the rule of the game's page: beside it, above and above to the right, below and below to the left
    game = load("dark-hex:side=4")
    middle = {
        shape.action: (shape.x, shape.y) for shape in shapes(game, new_state(game), 0) if hasattr(shape, "action")
    }
    for cell, (x, y) in middle.items():
        row, column = divmod(cell, 4)
        steps = [
            (row, column - 1),
            (row, column + 1),
            (row - 1, column),
            (row - 1, column + 1),
            (row + 1, column),
            (row + 1, column - 1),
        ]
        beside = {4 * r + c for r, c in steps if 0 <= r < 4 and 0 <= c < 4}
        assert beside == {other for other, (u, v) in middle.items() if 0.9 < (u - x) ** 2 + (v - y) ** 2 < 1.1}


def test_a_black_stone_has_an_edge_that_is_seen_by_night():
    drawn = picture(load("go"), fogtree.at("go").play("E5").play("D4").state)
    edges = re.findall(r'<circle [^>]*fill="var\(--(black|white), [^>]*stroke="var\(--(\w+),', drawn)
    assert sorted(edges) == [("black", "edge"), ("white", "faint")]
    assert COLOURS["edge"][1] == "#8b8b8b" and COLOURS["black"][1] == ""  # the stone itself is as black as by day


def test_black_looks_at_the_board_from_the_other_side():
    chess = load("chess")
    drawn = [shapes(chess, new_state(chess), who) for who in (0, 1)]
    corner = [next(shape.place for shape in each if (shape.x, shape.y) == (0, 0)) for each in drawn]
    assert corner == ["a8", "h1"]


@pytest.mark.parametrize("player", range(4))
def test_each_player_of_siguo_has_their_own_men_at_the_bottom(player):
    game = load("siguo")
    state = new_state(game)
    drawn = shapes(game, state, player)
    own = [shape for shape in drawn if getattr(shape, "tone", "") == ("first", "second", "third", "fourth")[player]]
    assert len(own) == 25 and min(shape.y for shape in own) >= 11


# --- a user's own game ---


class Heap(NamedTuple):
    """Take one or two of five; the others see nothing of it."""

    def shape(self):
        return fogtree.Shape(2, 1, 2, 5, -1.0, 1.0)

    def start(self, state):
        state[0] = 5

    def player(self, state):
        return OVER if state[0] == 0 else 0

    def actions(self, state, out):
        out[0], out[1] = 1, 2
        return min(2, state[0])

    def step(self, state, action):
        state[0] -= action

    def payoff(self, state, player):
        return 1.0 if player == 0 else -1.0

    def view(self, state, player):
        return state[0] if player == 0 else 0


class Drawn(Heap):
    def draw(self, state, player):
        return [Disc(i, 0, tone=FIRST, action=state[0] - i) for i in range(state[0])]


class Wrong(Heap):
    def draw(self, state, player):
        return ["a disc"]


class Lost(Drawn):
    def path(self, state, action):
        return "here", "there"


def test_a_game_without_draw_gets_its_text_or_its_bare_view_and_buttons():
    state = new_state(Heap())
    assert "view: 5" in picture(Heap(), state, 0) and "view: 0" in picture(Heap(), state, 1)
    root = ElementTree.fromstring(picture(Heap(), state, None, [1, 2]))
    assert [part.get("data-label") for part in root.iter() if part.get("data-action")] == ["1", "2"]
    assert "state: [5]" in "".join(root.itertext())


def test_shapes_of_a_users_game_carry_its_actions():
    root = ElementTree.fromstring(picture(Drawn(), new_state(Drawn()), 0, [1, 2]))
    live = [part for part in root.iter() if part.get("data-action")]
    assert [part.get("data-action") for part in live] == ["2", "1"] and all(
        p.find(f"{SVG}circle") is not None for p in live
    )


def test_what_is_no_shape_and_what_leads_nowhere_is_said_in_one_sentence():
    with pytest.raises(Invalid, match="which is no shape: valid are Cell, Disc"):
        picture(Wrong(), new_state(Wrong()))
    with pytest.raises(Invalid, match="from here to there, but draw makes no such places"):
        picture(Lost(), new_state(Lost()), 0, [1])
    with pytest.raises(Invalid, match="there is no player 2: valid are 0 to 1, and None for the referee"):
        picture(Kuhn(), new_state(Kuhn()), 2)


class Loud(Heap):
    def show(self, state, player):
        return 'a <b> & "c"\x00\x1b[1m\n  deep'

    def label(self, state, action):
        return '<"&' + chr(0xD800)


def test_texts_of_a_game_cannot_break_the_picture():
    root = ElementTree.fromstring(picture(Loud(), new_state(Loud()), 0, [1, 2]))
    assert any('a <b> & "c"' in (text.text or "") for text in root.iter(f"{SVG}text"))
    assert {part.get("data-label") for part in root.iter() if part.get("data-action")} == {'<"& '}


def test_an_opened_game_is_drawn_with_all_cards_on_the_table():
    game = load("open:kuhn")
    state = new_state(game)
    for card in (0, 2):
        game.step(state, card)
    text = picture(game, state, 1, legal(game, state))
    assert ">J<" in text and ">K<" in text and 'data-label="bet"' in text
    hidden = picture(Kuhn(), state[:-1], 1)
    assert ">J<" not in hidden and ">K<" in hidden


def test_the_style_sheet_names_every_tone_by_day_and_by_night():
    day, night = style().split("@media")
    assert all(f"--{tone}: {colour};" in day for tone, (colour, _) in COLOURS.items())
    assert all((f"--{tone}: {dark};" in night) == bool(dark) for tone, (_, dark) in COLOURS.items())
    assert not all(dark for _, dark in COLOURS.values())


def test_a_picture_is_as_large_as_what_stands_in_it():
    # worked by hand: a cell of 2 x 1 around (3, 2), a disc of radius 0.5 around (-1, 0), a line from (0, 5) to (1, 4)
    boxes = [_box(shape) for shape in (Cell(3, 2, width=2, height=1), Disc(-1, 0, radius=0.5), Line(0, 5, 1, 4))]
    assert boxes == [(2, 1.5, 4, 2.5), (-1.5, -0.5, -0.5, 0.5), (0, 4, 1, 5)]


@pytest.mark.parametrize(("text", "size"), [("K", 0.4), ("10", 0.4), ("12345", 0.8 / (NARROW * 5 + 0.3))])
def test_letters_fit_into_their_hexagon(text, size):
    (made,) = re.findall(r'font-size="([\d.]+)"', _hexagon(Hexagon(0.0, 0.0, text), False))
    assert float(made) == pytest.approx(size * UNIT, abs=0.01)


@pytest.mark.parametrize(("target", "mirror"), [((4, 2), (0, 4)), ((1, 5), (2, 0))])  # along y = 2, and along x = 1
def test_both_sides_of_an_arrow_are_alike(target, mirror):
    (points,) = re.findall('points="([^"]*)"', _arrow(Cell(1, 2), Cell(*target), 0.5))
    corners = [tuple(round(float(number) / UNIT, 2) for number in spot.split(",")) for spot in points.split()]
    other = [tuple(round(m - c, 2) if m else c for m, c in zip(mirror, at, strict=True)) for at in corners]
    assert sorted(corners) == sorted(other) and target in corners


@pytest.mark.parametrize("face", range(1, 7))
def test_a_die_has_as_many_pips_as_its_face_says_and_half_a_turn_changes_nothing(face):
    assert len(set(PIPS[face])) == face and all(max(abs(x), abs(y)) <= 1 for x, y in PIPS[face])
    assert {(-x, -y) for x, y in PIPS[face]} == set(PIPS[face])


@pytest.mark.parametrize("side", [5, 9, 19])
def test_a_board_of_go_reaches_half_a_field_beyond_its_outer_lines(side):
    board, *marks = shapes(load(f"go:side={side}"), fogtree.at(f"go:side={side}").state, 0)
    assert _box(board) == (-0.5, -0.5, side - 0.5, side - 0.5)
    lines = [_box(shape) for shape in marks if isinstance(shape, Line)]
    assert {edge for box in lines for edge in box} == set(range(side))
