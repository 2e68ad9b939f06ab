"""What Lisý 2014 prints: the iterations a second of its machine, and its tables of win rates."""

from typing import NamedTuple

GOOFSPIEL, GOOFSPIEL_13 = "goofspiel:cards=6", "goofspiel:cards=13"
PHANTOM, FORCED = "phantom-ttt:winning_first=on", "phantom-ttt:rules=forced-centre,winning_first=on"

NAMES = ("UCT", "EXP3", "RM", "RAND")
RATES = {  # iterations a second on the author's machine
    "goofspiel": {"UCT": 3.9e4, "EXP3": 3.4e4, "RM": 5.9e4},
    "phantom-ttt": {"UCT": 5.1e4, "EXP3": 3.4e4, "RM": 9.5e4},
}
BANDIT = {"UCT": "uct-eps", "EXP3": "exp3", "RM": "rm"}


class Printed(NamedTuple):
    """A table of win rates in percent, the row player's, with half the width of each 95 % interval."""

    game: str
    seconds: float
    rates: list[list[float]]
    halves: list[list[float]]


TABLES = {
    "table1, 0.1 s": Printed(
        GOOFSPIEL,
        0.1,
        [[62.9, 55.6, 62.7, 84.0], [74.5, 62.8, 74.8, 88.0], [70.6, 60.0, 73.1, 87.8], [15.7, 8.2, 10.3, 49.7]],
        [[2.6, 2.1, 2.5, 2.1], [2.2, 1.6, 2.0, 1.9], [1.7, 1.6, 2.1, 1.4], [2.2, 1.6, 1.8, 3.0]],
    ),
    "table1, 1 s": Printed(
        GOOFSPIEL,
        1.0,
        [[61.5, 54.0, 64.5, 84.2], [74.5, 61.8, 75.7, 87.8], [72.8, 59.2, 75.2, 88.8], [14.9, 8.7, 10.6, 48.7]],
        [[2.7, 2.1, 2.5, 2.1], [2.2, 1.5, 2.0, 1.9], [2.3, 1.7, 2.1, 1.9], [2.1, 1.7, 1.8, 3.0]],
    ),
    "table2, 1 s": Printed(
        GOOFSPIEL_13,
        1.0,
        [[70.0, 67.7, 61.0, 90.6], [79.5, 63.2, 66.4, 95.6], [73.8, 68.2, 67.5, 92.8], [6.2, 4.0, 4.9, 49.0]],
        [[2.8, 2.9, 3.0, 1.8], [2.5, 2.8, 2.9, 1.2], [2.7, 2.8, 2.9, 1.5], [1.5, 1.2, 1.3, 3.0]],
    ),
    "table3, 0.1 s": Printed(
        PHANTOM,
        0.1,
        [[85.9, 84.8, 82.3, 95.6], [87.2, 88.1, 85.3, 96.6], [87.7, 88.1, 85.2, 96.0], [50.5, 46.1, 48.0, 71.4]],
        [[1.7, 1.7, 1.8, 1.1], [1.6, 1.5, 1.6, 1.0], [1.6, 1.4, 1.5, 1.0], [3.0, 3.0, 3.0, 2.7]],
    ),
    "table3, 1 s": Printed(
        PHANTOM,
        1.0,
        [[86.5, 86.3, 84.0, 95.2], [88.5, 88.5, 87.0, 96.2], [90.0, 87.4, 85.2, 96.3], [52.0, 48.9, 46.2, 70.9]],
        [[1.8, 1.7, 1.8, 1.1], [1.6, 1.5, 1.6, 1.0], [1.4, 1.5, 1.5, 1.0], [3.0, 3.0, 2.9, 2.7]],
    ),
}
