"""Histories a second when `fogtree.count` walks a game: the speed at which trees are enumerated, also for solving them.

There is no peer to set beside it: OpenSpiel enumerates states in Python or keeps them all in memory.
"""

import fogtree
from row import Row, rates

BAR = 30e6
# to a depth, so that a walk takes a second or so
WALKS = {"goofspiel:cards=6": 12, "phantom-ttt": 9, "phantom-ttt:winning_first=on": 11, "dark-hex": 9}


def measure() -> list[Row]:
    rows = []
    for name, depth in WALKS.items():
        game = fogtree.load(name)
        found = rates({"ours": lambda game=game, depth=depth: fogtree.count(game, depth).histories})
        rows.append(Row(f"{name} to depth {depth}", found["ours"], bar=BAR, unit="histories/s"))
    return rows
