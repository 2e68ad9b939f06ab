"""The whole tree of a small game as a picture, its information sets joined by dashed lines.

Each history is a disc in the colour of the player who moves there, or an empty one where chance moves. Below an end stands
what each player gets, or what player 0 gets if the game is one of two players and zero-sum. Discs that the player cannot tell
apart are joined. With a strategy, each action says how often it is played, and a line is thicker where play comes more often.

The ends stand side by side in the order of the walk, and every other history in the middle above what follows it.
"""

import itertools
from typing import Any, NamedTuple

import numpy as np

from ..errors import Invalid
from ..game import CHANCE, OVER, identity, label, legal, new_state, show
from ..measure.told import belonging, shares
from ..shapes import FAINT, INK, PAPER, PLAYERS
from ..text.naming import as_game
from ..walk.slices import whole
from .svg import Picture, clean, colour, dot, pixels, scaled, stroke, svg, words

MOST = 1_000  # histories
LEAST_WIDE, MOST_WIDE = 0.7, 2.4  # cells from one end to the next; longer words need more
HIGH = 2.0  # cells from one move to the next
SIZE, LETTER = 0.27, 0.56  # of letters, in cells; the width of one, as a part of its size
RADIUS = 0.2  # of a disc
ALONG = 0.7  # where the words of a line stand, as a part of its length
THIN, THICK = 1.0, 5.0  # lines, in pixels
BEND, MORE, LEVELS = 0.35, 0.22, 6  # how far dashed lines of a row bend: the first, each further one, how many differ


class Node(NamedTuple):
    """A history."""

    player: int  # who moves, or CHANCE or OVER
    parent: int  # its number; the first node is its own
    depth: int
    words: str  # the last move, with its probability if that is known
    reach: float  # the probability that play comes here; 1 everywhere if nothing is known of it
    group: tuple[int, int] | None  # (player, view) of whoever moves
    told: str  # what that player sees, or what the players get


def tree(game: Any, strategy: Any = None, *, most: int = MOST) -> Picture:
    """The picture as SVG. A game with more histories than `most` is refused."""
    made, plan, most = as_game(game), None, whole(most, "the number of histories", 1)
    if strategy is not None:
        made, plan = belonging(game, strategy)
    nodes = walk(made, plan, most)
    place = layout(nodes)
    lines, groups = list[str](), dict[tuple[int, int], list[int]]()
    for n, node in enumerate(nodes[1:], 1):
        lines += _edge(place[node.parent], place[n], node, strategy is not None)
    for n, node in enumerate(nodes):
        if node.group is not None:
            groups.setdefault(node.group, []).append(n)
    joins = _joins(groups, place)
    discs = [_node(place[n], node) for n, node in enumerate(nodes)]
    right, bottom = max(x for x, _ in place) + 0.6, max(y for _, y in place) + 0.9
    title = f"The tree of {identity(game)}: {len(nodes)} histories, {len(groups)} information sets"
    return svg([*joins, *lines, *discs], (-0.6, -0.6, right, bottom), title)


def walk(game: Any, strategy: Any, most: int) -> list[Node]:
    """The histories, each before those that follow it."""
    shape = game.shape()
    paid = range(1 if shape.players == 2 and shape.zero_sum else shape.players)  # the other's payoff is the negative
    nodes = list[Node]()
    with np.errstate(over="ignore"):
        waiting = [(new_state(game), 0, 0, "", 1.0)]
        while waiting:
            state, parent, depth, said, reach = waiting.pop()
            if len(nodes) == most:
                raise Invalid(
                    f"{identity(game)} has more than {most:,} histories, too many to draw: take a smaller game"
                )
            at, player = len(nodes), int(game.player(state))
            if player == OVER:
                told = " / ".join(f"{float(game.payoff(state, who)) + 0.0:g}" for who in paid)  # and no -0
                nodes.append(Node(player, parent, depth, said, reach, None, told))
                continue
            group = None if player == CHANCE else (player, int(game.view(state, player)))
            told = "chance" if player == CHANCE else show(game, state, player)
            nodes.append(Node(player, parent, depth, said, reach, group, told))
            known = strategy is not None or player == CHANCE
            mix = shares(game, strategy, state, player) if known else dict.fromkeys(legal(game, state))
            for action, share in reversed(mix.items()):
                child = state.copy()
                game.step(child, action)
                words = label(game, state, action) + ("" if share is None else f" {share:.2g}")
                waiting.append((child, at, depth + 1, words, reach if share is None else reach * share))
    return nodes


def layout(nodes: list[Node]) -> list[tuple[float, float]]:
    """[node] where it stands, in cells."""
    x, children, ends = [0.0] * len(nodes), [list[int]() for _ in nodes], 0
    longest = max(len(text) for node in nodes for text in (node.words, node.told if node.player == OVER else ""))
    wide = min(MOST_WIDE, max(LEAST_WIDE, LETTER * SIZE * longest / ALONG + 0.2))
    for n, node in enumerate(nodes):
        if n:
            children[node.parent].append(n)
        if node.player == OVER:
            x[n] = ends * wide
            ends += 1
    for n in range(len(nodes) - 1, -1, -1):  # children come after parents
        if children[n]:
            x[n] = (x[children[n][0]] + x[children[n][-1]]) / 2
    return [(x[n], node.depth * HIGH) for n, node in enumerate(nodes)]


def _edge(start: tuple[float, float], end: tuple[float, float], node: Node, weighted: bool) -> list[str]:
    width = THIN + (THICK - THIN) * node.reach if weighted else 1.5
    faded = ' opacity="0.25"' if weighted and node.reach == 0 else ""
    ends = scaled(x1=start[0], y1=start[1], x2=end[0], y2=end[1])
    x, y = (a + ALONG * (b - a) for a, b in zip(start, end, strict=True))
    halo = f' paint-order="stroke" {stroke(PAPER, 4)}'
    said = words(x, y, node.words, FAINT if faded else INK, SIZE, more=halo)
    return [f"<line {ends} {stroke(FAINT, width)}{faded}/>", said]


def _node(place: tuple[float, float], node: Node) -> str:
    x, y = place
    if node.player == OVER:
        return dot(x, y, 0.06, INK) + words(x, y + 0.35, node.told, INK, SIZE)
    tone = PAPER if node.player == CHANCE else PLAYERS[node.player % len(PLAYERS)]
    return f"<g><title>{clean(node.told)}</title>{dot(x, y, RADIUS, tone, f' {stroke(INK, 1.2)}')}</g>"


def _joins(groups: dict[tuple[int, int], list[int]], place: list[tuple[float, float]]) -> list[str]:
    """Dashed lines through the histories of each information set. Those of one row bend differently, to be told apart."""
    made, rows = list[str](), dict[float, int]()
    for (player, _), members in groups.items():
        if len(members) > 1:
            spots = sorted(place[n] for n in members)
            row = spots[0][1]
            rows[row] = rows.get(row, 0) + 1
            made.append(_join(spots, player, BEND + MORE * (rows[row] % LEVELS)))
    return made


def _join(spots: list[tuple[float, float]], player: int, bend: float) -> str:
    path = f"M {pixels(spots[0][0])} {pixels(spots[0][1])}"
    for (x, y), (to_x, to_y) in itertools.pairwise(spots):
        middle, top = (x + to_x) / 2, min(y, to_y) - 2 * bend  # a quadratic curve rises half as high as its handle
        path += " Q " + " ".join(map(pixels, (middle, top, to_x, to_y)))
    tone = colour(PLAYERS[player % len(PLAYERS)])
    return f'<path d="{path}" fill="none" stroke="{tone}" stroke-width="1.5" stroke-dasharray="5 4"/>'
