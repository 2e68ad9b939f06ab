"""How far a search of our chess engine goes: what the words after `go` mean."""

import itertools
import math
from typing import NamedTuple

from ..errors import Invalid
from ..search.open.descent import MOST_DEPTH

HORIZON = 30  # moves for which the rest of the time must last, where the controller does not say
GAINED = 0.75  # of an increment is spent at once
MOST_SHARE, MOST_LEFT = 2.0, 0.8  # a move takes at most so much of its share of the time, and of all that is left
NO_NEW_DEPTH = 0.5  # of its share: after it no new depth is begun
LEAST = 0.01  # seconds for a move, also where none are left
CLOCKS = (("wtime", "winc"), ("btime", "binc"))  # [player]
NUMBERS = (*itertools.chain(*CLOCKS), "movestogo", "depth", "nodes", "mate", "movetime")  # a number follows these words
MOST = 10**15  # what is larger, in milliseconds or nodes, means for ever
GO = (*NUMBERS, "searchmoves", "ponder", "infinite")  # all words of `go`


class Limits(NamedTuple):
    """How far a search goes."""

    depth: int | None = None
    nodes: int | None = None
    most: float = math.inf  # seconds
    enough: float = math.inf  # seconds after which no new depth is begun
    mate: int | None = None  # own moves within which a mate ends the search
    waits: bool = False  # nothing is answered before `stop` or `ponderhit`
    only: tuple[int, ...] = ()  # the actions that are searched, where not all are
    lines: int = 1  # how many moves are told of


def read_limits(words: list[str], player: int, lost: float) -> Limits:
    """The limits that the words after `go` set for a player, who loses so many seconds of each move on the way. Words that
    nobody knows are skipped."""
    given = _numbers(words)
    depths = [given["depth"]] if "depth" in given else []
    if "mate" in given:
        depths.append(2 * given["mate"] - 1)  # half-moves until the other is mated
    most, enough = seconds_for_move(given, player, lost)
    nothing = not depths and "nodes" not in given and most == math.inf
    return Limits(
        depth=min(max(min(depths), 1), MOST_DEPTH) if depths else None,
        nodes=max(given["nodes"], 1) if "nodes" in given else None,
        most=most,
        enough=enough,
        mate=given.get("mate"),
        waits="infinite" in words or "ponder" in words or nothing,
    )


def _numbers(words: list[str]) -> dict[str, int]:
    given: dict[str, int] = {}
    for word, value in zip(words, [*words[1:], ""], strict=True):
        if word in NUMBERS:
            try:
                given[word] = max(min(int(value), MOST), -MOST)
            except ValueError:
                raise Invalid(f"go {word} needs a whole number, not '{value}'") from None
    return given


def seconds_for_move(given: dict[str, int], player: int, lost: float) -> tuple[float, float]:
    """What a move may take at most, and after what no new depth is begun."""
    most = enough = math.inf
    if "movetime" in given:
        allowed = given["movetime"] / 1000
        most = max(allowed - lost, allowed / 2, LEAST)
    clock, gain = CLOCKS[player]
    if clock in given:
        left = max(given[clock] / 1000 - lost, 0.0)
        share = left / max(given.get("movestogo", HORIZON), 1) + GAINED * max(given.get(gain, 0), 0) / 1000
        most = min(most, max(min(MOST_SHARE * share, MOST_LEFT * left), LEAST))
        enough = NO_NEW_DEPTH * share
    return most, enough


def moves_named(words: list[str]) -> list[str]:
    """The words that follow `searchmoves`."""
    if "searchmoves" not in words:
        return []
    return list(itertools.takewhile(lambda word: word not in GO, words[words.index("searchmoves") + 1 :]))
