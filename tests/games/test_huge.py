"""The huge games counted a second way, by rules written anew: the order of tries is forgotten, so that billions of histories
fall together into some hundred thousand positions, each with the number of ways to reach it. The walk over the histories
themselves takes minutes and is a slow test."""

import functools
import pathlib
import re
from collections import defaultdict

import pytest

CELLS, FULL = range(9), 0b111_111_111
LINES = (0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)
WINNING_ORDER = (4, 0, 8, 6, 2, 1, 3, 7, 5)
PAGES = pathlib.Path(__file__).parents[2] / "docs" / "games"


@functools.cache
def three_in_a_row(marks, player):
    return any(marks & line == line for line in LINES)


@functools.cache
def joined(stones, player):
    """Whether a chain leads from the first row to the last, or for player 1 from the first column to the last."""
    across = [(divmod(cell, 3) if player == 0 else divmod(cell, 3)[::-1]) for cell in CELLS]  # (how far, where)
    own = {across[cell] for cell in CELLS if stones >> cell & 1}
    chain = [place for place in own if place[0] == 0]
    for far, where in chain:
        beside = {(far, where - 1), (far, where + 1), (far - 1, where), (far + 1, where)}
        chain += [p for p in (beside | {(far - 1, where + 1), (far + 1, where - 1)}) & own if p not in chain]
    return any(far == 2 for far, _ in chain)


def all_tries(marks, tried):
    return [cell for cell in CELLS if not tried >> cell & 1]


def winning_tries_first(marks, tried):
    for cell in WINNING_ORDER:
        if not tried >> cell & 1 and three_in_a_row(marks | 1 << cell, 0):
            return [cell]
    return all_tries(marks, tried)


def forced_centre(tries):
    return lambda marks, tried: tries(marks, tried) if tried else [4]


def count(tries, won, *, abrupt=False):
    """Histories and ends of a game in which marks are put where the other's cannot be seen."""
    tries, histories, ends = functools.cache(tries), 0, 0
    ways = {
        (0, 0, 0, 0, 0): 1
    }  # (who moves, own marks, own tries, the other's marks, tries) -> histories that lead there
    while ways:
        after = defaultdict(int)
        for (me, marks, tried, others, their_tries), number in ways.items():
            histories += number
            for cell in tries(marks, tried):
                bit = 1 << cell
                if others & bit:
                    if abrupt:
                        after[1 - me, others, their_tries, marks, tried | bit] += number
                    else:
                        after[me, marks, tried | bit, others, their_tries] += number
                elif won(marks | bit, me) or marks | bit | others == FULL:
                    histories += number
                    ends += number
                else:
                    after[1 - me, others, their_tries, marks | bit, tried | bit] += number
        ways = after
    return histories, ends


@pytest.mark.parametrize(
    ("page", "game", "found"),
    [
        ("phantom-ttt", "phantom-ttt", lambda: count(all_tries, three_in_a_row)),
        ("phantom-ttt", "phantom-ttt:winning_first=true", lambda: count(winning_tries_first, three_in_a_row)),
        ("phantom-ttt", "phantom-ttt:rules=forced-centre", lambda: count(forced_centre(all_tries), three_in_a_row)),
        (
            "phantom-ttt",
            "phantom-ttt:rules=forced-centre,winning_first=true",
            lambda: count(forced_centre(winning_tries_first), three_in_a_row),
        ),
        ("phantom-ttt", "phantom-ttt:rules=abrupt", lambda: count(all_tries, three_in_a_row, abrupt=True)),
        ("dark-hex", "dark-hex", lambda: count(all_tries, joined)),
        ("dark-hex", "dark-hex:abrupt=true", lambda: count(all_tries, joined, abrupt=True)),
    ],
    ids=lambda value: value if isinstance(value, str) and ("ttt" in value or "hex" in value) else "",
)
def test_the_sizes_on_the_page_are_found_a_second_way(page, game, found):
    row = re.search(rf"^\| `{game}` \| ([\d,]+) \| ([\d,]+) ", (PAGES / f"{page}.md").read_text(), re.MULTILINE)
    assert found() == tuple(int(number.replace(",", "")) for number in row.groups())
