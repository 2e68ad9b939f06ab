"""The boards of army chess as graphs, and the tables of them that the rules use.

A home area has six rows of five points. Row 1 is the front, row 6 the back; columns are counted from the owner's
left. Two points of the back row are headquarters, five points are camps, and the rest are stations:

    row 1   -  -  -  -  -      All neighbours along rows and columns are joined, and each camp (o) also with its four
    row 2   -  o  -  o  -      neighbours along the diagonals. The front row, row 5 and the outer columns from row 1 to row 5
    row 3   -  -  o  -  -      are railways; all other joints are roads.
    row 4   -  o  -  o  -
    row 5   -  -  -  -  -
    row 6   -  H  -  H  -

FOUR    four such areas around a centre of nine stations: 129 points, 196 roads and 92 railway joints. Front rows are joined
        with the centre at columns 1, 3 and 5, and with the neighbours' front corners by four arcs.
TWO     two such areas face to face, front rows joined at columns 1, 3 and 5: 60 points, 98 roads and 35 railway joints.
SMALL   two areas of two rows of three points: a front row, which is a railway, and a back row with headquarters at both
        ends. The front rows are joined at all three columns: 12 points, 10 roads and 7 railway joints.

A man steps along one joint, or glides along one railway line, of which `LINES` holds all; only an engineer turns from one
line into another. The arcs continue the outer columns, not the front rows.

Points are numbered area by area, row by row from the front; the nine of the centre come last. A set of points is
three words of 60 bits.
"""

import itertools
from typing import NamedTuple

import numpy as np

FOUR, TWO, SMALL = 0, 1, 2
BOARDS = 3
WORDS, BITS = 3, 60  # of a set of points
MOST_POINTS, AREAS, AREA = 129, 4, 30
CENTRE = AREAS * AREA  # the first point of the centre
CROSSINGS = (6, 8, 10)  # coordinates of the centre's points
SOUTH, EAST, NORTH, WEST = range(4)
MOST_RAYS, MOST_RAY = 4, 12  # from one point | points on one of them


class Graph(NamedTuple):
    """A board, as people and tests read it."""

    place: list[tuple[int, int]]  # [point] (x, y), y downwards
    roads: set[tuple[int, int]]  # pairs of points, the smaller first
    rails: set[tuple[int, int]]
    lines: list[list[int]]  # railway lines, along which any man may glide
    camps: set[int]
    headquarters: set[int]
    homes: list[list[int]]  # [area] the points where men stand at the start, the back first: see `setting.py`


def pair(a, b):
    return (min(a, b), max(a, b))


def chain(points):
    return {pair(a, b) for a, b in itertools.pairwise(points)}


def home_area(first: int, graph: Graph) -> None:
    """Enter an area of six rows whose points are numbered from `first` on."""

    def at(row, column):
        return first + (row - 1) * 5 + column - 1

    rows = [[at(row, column) for column in range(1, 6)] for row in range(1, 7)]
    columns = [[at(row, column) for row in range(1, 7)] for column in range(1, 6)]
    camps = {at(2, 2), at(2, 4), at(3, 3), at(4, 2), at(4, 4)}
    graph.camps.update(camps)
    graph.headquarters.update((at(6, 2), at(6, 4)))
    graph.rails.update(chain(rows[0]), chain(rows[4]), chain(columns[0][:5]), chain(columns[4][:5]))
    joints = set().union(*map(chain, rows), *map(chain, columns))
    for row, column in ((2, 2), (2, 4), (3, 3), (4, 2), (4, 4)):
        joints |= {pair(at(row, column), at(row + down, column + right)) for down in (-1, 1) for right in (-1, 1)}
    graph.roads.update(joints - graph.rails)
    back = [at(6, 2), at(6, 4), at(6, 1), at(6, 3), at(6, 5)]
    stations = [point for row in range(5, 0, -1) for point in rows[row - 1] if point not in camps]
    graph.homes.append(back + stations)


def four() -> Graph:
    graph = Graph([], set(), set(), [], set(), set(), [])
    turned = {
        SOUTH: lambda row, column: (5 + column, 10 + row),
        EAST: lambda row, column: (10 + row, 11 - column),
        NORTH: lambda row, column: (11 - column, 6 - row),
        WEST: lambda row, column: (6 - row, 5 + column),
    }
    for area in range(AREAS):
        home_area(area * AREA, graph)
        graph.place.extend(turned[area](row, column) for row in range(1, 7) for column in range(1, 6))
    graph.place.extend((x, y) for y in CROSSINGS for x in CROSSINGS)
    point = {where: number for number, where in enumerate(graph.place)}
    along = (1, 2, 3, 4, 5, 6, 8, 10, 11, 12, 13, 14, 15)
    lines = [[(x, y) for y in along] for x in (6, 10)] + [[(x, y) for x in along] for y in (6, 10)]
    lines += [[(8, y) for y in (5, 6, 8, 10, 11)], [(x, 8) for x in (5, 6, 8, 10, 11)]]
    for fixed in (5, 11, 1, 15):  # front rows and fifth rows
        lines += [[(x, fixed) for x in range(6, 11)], [(fixed, y) for y in range(6, 11)]]
    for x, y, out, down in ((6, 10, -1, 1), (6, 6, -1, -1), (10, 6, 1, -1), (10, 10, 1, 1)):  # over the arcs
        lines.append([(x, y + down * k) for k in range(5, 0, -1)] + [(x + out * k, y) for k in range(1, 6)])
    graph.lines.extend([point[where] for where in line] for line in lines)
    return graph


def two() -> Graph:
    graph = Graph([], set(), set(), [], set(), set(), [])
    for area in range(2):
        home_area(area * AREA, graph)
    graph.place.extend((column, 5 + row) for row in range(1, 7) for column in range(5))
    graph.place.extend((4 - column, 6 - row) for row in range(1, 7) for column in range(5))

    def at(area, row, column):
        return area * AREA + (row - 1) * 5 + column - 1

    for column in (1, 5):
        own = [at(0, row, column) for row in range(5, 0, -1)]
        graph.lines.append(own + [at(1, row, 6 - column) for row in range(1, 6)])
    graph.lines.append([at(0, 1, 3), at(1, 1, 3)])
    graph.lines.extend([at(area, row, column) for column in range(1, 6)] for area in range(2) for row in (1, 5))
    return graph


def small() -> Graph:
    graph = Graph([], set(), set(), [], set(), set(), [])

    def at(area, row, column):
        return area * 6 + (row - 1) * 3 + column - 1

    for area in range(2):
        graph.headquarters.update((at(area, 2, 1), at(area, 2, 3)))
        graph.lines.append([at(area, 1, column) for column in (1, 2, 3)])
        graph.roads.update(chain([at(area, 2, column) for column in (1, 2, 3)]))
        graph.roads.update(pair(at(area, 1, column), at(area, 2, column)) for column in (1, 2, 3))
        graph.homes.append([at(area, 2, 1), at(area, 2, 3), at(area, 2, 2), at(area, 1, 1), at(area, 1, 3)])
    graph.lines.extend([at(0, 1, column), at(1, 1, 4 - column)] for column in (1, 2, 3))
    graph.place.extend((column, 1 + row) for row in (1, 2) for column in range(3))
    graph.place.extend((2 - column, 2 - row) for row in (1, 2) for column in range(3))
    return graph


GRAPHS = (four(), two(), small())
for _graph in GRAPHS:
    _graph.rails.update(*map(chain, _graph.lines))

# --- the tables ---------------------------------------------------------------------------------------------------

POINTS = np.array([len(graph.place) for graph in GRAPHS])  # [board]
MEN = np.array([len(graph.homes[0]) for graph in GRAPHS])  # [board] of one player
MOST_MEN = int(MEN.max())
WORD = np.arange(MOST_POINTS) // BITS  # [point] where its bit is
BIT = np.int64(1) << (np.arange(MOST_POINTS) % BITS)
JOINED = np.zeros((BOARDS, MOST_POINTS, WORDS), np.int64)  # [board, point] the points one step away
RAILS = np.zeros((BOARDS, MOST_POINTS, WORDS), np.int64)  # [board, point] those joined by a railway
CAMPS = np.zeros((BOARDS, WORDS), np.int64)
FIXED = np.zeros((BOARDS, WORDS), np.int64)  # headquarters: who stands there never moves again
HOME = np.zeros((BOARDS, AREAS, MOST_MEN), np.int64)  # [board, area, man] where they stand at the start
RAYS = np.zeros((BOARDS, MOST_POINTS), np.int64)  # [board, point] how many there are
LENGTH = np.zeros((BOARDS, MOST_POINTS, MOST_RAYS), np.int64)  # [board, point, ray] of how many points
RAY = np.zeros((BOARDS, MOST_POINTS, MOST_RAYS, MOST_RAY), np.int64)  # the points of each, the nearest first


def rays_from(point: int, lines: list[list[int]]) -> list[list[int]]:
    """Where a man may glide to from a point, in each direction; a way that another one contains is left out."""
    found = []
    for line in lines:
        if point in line:
            at = line.index(point)
            found += [way for way in (line[at + 1 :], line[:at][::-1]) if way]
    distinct = [way for number, way in enumerate(found) if way not in found[:number]]
    return [way for way in distinct if not any(way == other[: len(way)] for other in distinct if other != way)]


for _board, _graph in enumerate(GRAPHS):
    for _table, _joints in ((JOINED, _graph.roads | _graph.rails), (RAILS, _graph.rails)):
        for _a, _b in _joints:
            _table[_board, _a, WORD[_b]] |= BIT[_b]
            _table[_board, _b, WORD[_a]] |= BIT[_a]
    for _point in _graph.camps:
        CAMPS[_board, WORD[_point]] |= BIT[_point]
    for _point in _graph.headquarters:
        FIXED[_board, WORD[_point]] |= BIT[_point]
    for _area, _home in enumerate(_graph.homes):
        HOME[_board, _area, : len(_home)] = _home
    for _point in range(len(_graph.place)):
        _ways = rays_from(_point, _graph.lines)
        RAYS[_board, _point] = len(_ways)
        for _number, _way in enumerate(_ways):
            LENGTH[_board, _point, _number] = len(_way)
            RAY[_board, _point, _number, : len(_way)] = _way
