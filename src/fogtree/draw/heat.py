"""What a player believes, on the board: where unseen pieces may stand, and which.

Places are known by their names (`place` of a shape), for the player and the referee may see the board from different sides.
At each place the map tells with which share of the weight something stands there that the player does not see. Where they
see that something is there, and not what (a man of the other army, a card face down), it tells the likeliest.
"""

import collections
from typing import Any, NamedTuple

import numpy as np

from ..game import REFEREE
from ..shapes import Card, Die, Disc, Hexagon, Man
from .board import DRAWERS, Look, Piece, contents, paint, seen_by, shapes
from .svg import clean, fill, scaled, words

LISTED = 4  # pieces that are named at a place
LEAST = 0.005  # of the weight: what is less likely is listed, and not drawn
CALLED = {Man: "men", Card: "cards", Die: "dice"}  # what the pieces of a picture are called; others are pieces


class Heat(NamedTuple):
    """A map of a belief."""

    picture: str  # an SVG
    rows: list[str]  # the same in words, a place each
    shares: dict[str, dict[str, float]]  # [place, piece] the share of the weight
    pieces: str  # what they are called


def heat(
    game: Any, state: np.ndarray, player: int, states: np.ndarray, weight: np.ndarray, look: Look | None = None
) -> Heat | None:
    """The map of what a player believes who cannot tell these states apart; their weights sum to 1. None if all is seen."""
    look = look or Look()
    own, shown = contents(shapes(game, state, player)), _shown(game, state, player)
    shares: dict[str, collections.Counter[Piece]] = collections.defaultdict(collections.Counter)
    spots, example = dict[str, Any](), dict[tuple[str, Piece], Any]()
    for each, share in zip(states, weight.tolist(), strict=True):
        drawn = seen_by(game, each, REFEREE, look)
        for place, piece in contents(drawn).items():
            if own.get(place) != piece:
                shares[place][piece] += share
        for shape in drawn:
            if place := getattr(shape, "place", ""):
                spots[place] = shape
                for piece in contents([shape]).values():
                    example[place, piece] = shape
    if not shares:
        return None
    order = sorted(shares, key=lambda place: (spots[place].y, spots[place].x))
    marks, rows = [], []
    for place in order:
        likeliest = shares[place].most_common(LISTED)
        told = ", ".join(f"{_named(piece)} {percent(share)}" for piece, share in likeliest)
        total = likeliest[0][1] if place in shown else sum(shares[place].values())
        if total >= LEAST:
            marks.append(_mark(spots[place], example[place, likeliest[0][0]], min(1.0, total), f"{place}: {told}"))
        rows.append(f"{place}: {told}")
    kinds = {piece.kind for place in order for piece in shares[place]}
    named = {place: {_named(piece): float(share) for piece, share in shares[place].items()} for place in order}
    ground = _ground(game, state, player, look, spots)
    return Heat(
        paint(ground, f"What player {player} believes", marks),
        rows,
        named,
        CALLED.get(kinds.pop(), "pieces") if len(kinds) == 1 else "pieces",
    )


def _shown(game: Any, state: np.ndarray, player: int) -> set[str]:
    """Places where the player sees that something is, and not what."""
    drawn = shapes(game, state, player)
    blank = {place for place, piece in contents(drawn).items() if not piece.text}
    return blank | {shape.place for shape in drawn if isinstance(shape, (Card, Die)) and not contents([shape])}


def _ground(game: Any, state: np.ndarray, player: int, look: Look, spots: dict[str, Any]) -> list[Any]:
    """What the player sees, laid out as the referee sees the board: there every place has its spot."""
    mine: dict[str, list[Any]] = collections.defaultdict(list)
    for shape in shapes(game, state, player):
        mine[getattr(shape, "place", "")].append(shape)
    made: list[Any] = []
    for shape in seen_by(game, state, REFEREE, look):
        place = getattr(shape, "place", "")
        if not place:
            made.append(shape)
        else:
            made += [each._replace(x=shape.x, y=shape.y) for each in mine.pop(place, ())]
    for place, left in mine.items():
        if place in spots:
            made += [each._replace(x=spots[place].x, y=spots[place].y) for each in left]
    return made


def percent(share: float) -> str:
    """A share in whole percents; one that would be rounded to nothing is said to be small."""
    return f"{share:.0%}" if share >= LEAST or share <= 0.0 else "<1%"


def _named(piece: Piece) -> str:
    return f"{piece.tone} {piece.text}" if piece.kind is Man else piece.text or piece.tone


def _mark(spot: Any, piece: Any, share: float, told: str) -> str:
    """A ground the denser the likelier, the likeliest piece faintly on it, and the share."""
    x, y = spot.x, spot.y
    ground = f'class="heat-mark" fill="var(--heat, #d33)" fill-opacity="{0.1 + 0.65 * share:.2f}"'
    if isinstance(spot, (Hexagon, Disc)):
        made = f"<circle {scaled(cx=x, cy=y, r=0.46)} {ground}/>"
    else:
        made = f'<rect {scaled(x=x - 0.46, y=y - 0.46, width=0.92, height=0.92)} rx="4" {ground}/>'
    ghost = DRAWERS[type(piece)](piece._replace(x=x, y=y), False)
    number = words(x, y + 0.34, percent(share), "ink", 0.26, more=' class="heat-share"')
    plate = (
        f'<rect {scaled(x=x - 0.34, y=y + 0.19, width=0.68, height=0.3)} rx="3" {fill("paper")} fill-opacity="0.8"/>'
    )
    return (
        f'<g class="heat"><title>{clean(told)}</title>{made}'
        f'<g class="ghost" opacity="{0.25 + 0.75 * share:.2f}">{ghost}</g>{plate}{number}</g>'
    )
