"""Retrograde analysis: the outcome of every position of an ending under perfect play, from the ends backwards (Ströhlein
1970, Thompson 1986).

Positions are numbered by the game (`endings.py`), and stages are solved in their order. In one stage:

1. Forwards: every position is set up once, and all its moves are made. What leads out of the stage is known, by the rules or
   by an earlier stage. Moves inside the stage are written down, and then turned round.
2. Backwards, in the order n = 1, 2, 3, ... of the moves until the end: a position is won in n if a move leads to one that
   the same side wins in n - 1. It is lost in n if all moves lead to positions that the other side wins, the slowest
   of them in n - 1. So each position is settled once, by its quickest win or its slowest loss.
3. What is never settled is drawn: nobody can force anything.

The course of a game (repetitions, a clock) has no place in this, for every position is set up as if nothing had happened
before. Moves are made by the game's own rules, forwards only, so a game need not know how to take a move back.

`endgame_table` keeps each solved stage in a file of the cache folder, with a digest, and solves a stage again if its file is
damaged or belongs to other rules.
"""

import contextlib
import hashlib
import pathlib
from typing import Any, NamedTuple

import numpy as np

from ...endings import ABSENT, DRAWN, LONGEST, OUTSIDE, EndgameTable
from ...errors import Invalid
from ...game import CHANCE, OVER, identity, sides
from ...kernels import cache_folder, kernel
from ...strategy import read_npz, write_npz
from ...trouble import BY_CHANCE, require_fine
from ...walk.slices import Progress, Watcher, budget, in_slices, telling

FORMAT = 1  # of a file
NEVER = LONGEST + 1  # no win is known
LEAVES, SCORED = -100, -101  # troubles: a move leads out of all endings | an end that is no win, draw or loss
AT, EDGES, PENDING = range(3)  # words of `used`: the next position | edges | the last level with work
ROOM = 1.5  # how much larger the list of edges gets when it is full


class Stage(NamedTuple):
    """The positions of one stage while it is solved."""

    first: int  # the number of the first position
    side: np.ndarray  # [positions] 0 or 1: who is to move
    due: np.ndarray  # [positions] the quickest win that is known, in moves, or NEVER
    worst: np.ndarray  # [positions] the slowest loss among the moves that are known to lose
    left: np.ndarray  # [positions] moves that are not known to lose
    begin: np.ndarray  # [positions + 1] where the moves of a position begin in `to`
    used: np.ndarray  # [3] see AT, EDGES, PENDING


@kernel
def look_forwards(game, table, stage, to, state, child, action, low, high, count):
    """Make all moves of the next positions. Returns how many positions were done; fewer than `count` where `to` is full."""
    places, outcome, used, first = table.places, table.outcome, stage.used, stage.first
    size, home = stage.side.shape[0], game.side_of(0)
    for done in range(count):
        n = used[AT]
        if n == size or used[EDGES] + action.shape[0] > to.shape[0]:
            return done
        stage.begin[n] = used[EDGES]
        used[AT] += 1
        outcome[first + n] = ABSENT
        if not places.place(game, first + n, state):
            continue
        player = game.player(state)
        if player == OVER or places.number(game, state) != first + n:
            continue
        if player == CHANCE:
            return BY_CHANCE
        outcome[first + n] = DRAWN
        side = 0 if game.side_of(player) == home else 1
        stage.side[n] = side
        left, due, worst = 0, NEVER, 0
        for a in range(game.actions(state, action)):
            for word in range(game.live(state)):
                child[word] = state[word]
            game.step(child, action[a])
            following = game.player(child)
            known = 0  # what the move is known to bring this side: the moves until the win, or below 0 until the loss
            if following == OVER:
                payoff = game.payoff(child, player)
                if payoff == high and high > low:
                    known = 1
                elif payoff == low and high > low:
                    known = -1
                elif 2.0 * payoff != low + high:
                    return SCORED
            elif following == CHANCE:
                return BY_CHANCE
            else:
                number = places.number(game, child)
                if number == OUTSIDE or number >= first + size:
                    return LEAVES
                if number >= first:
                    to[used[EDGES]] = number - first
                    used[EDGES] += 1
                else:
                    earlier = np.int64(outcome[number])
                    if earlier == ABSENT:
                        return LEAVES
                    if earlier != DRAWN:
                        mover = 0 if game.side_of(following) == home else 1
                        wins = (earlier > 0) == (mover == side)
                        known = abs(earlier) + 1 if wins else -abs(earlier) - 1
            if known > 0:
                due = min(due, known)
            elif known < 0:
                worst = max(worst, -known)
            else:
                left += 1
        stage.left[n], stage.due[n], stage.worst[n] = left, due, worst
        if due < NEVER:
            used[PENDING] = max(used[PENDING], due)
        elif left == 0:
            used[PENDING] = max(used[PENDING], worst)
    return count


@kernel
def turn_round(begin, to, end, origin):
    """From the moves of each position, the positions before each: `origin` from end[n - 1], or from 0, to end[n] - 1."""
    for e in range(begin[begin.shape[0] - 1]):
        end[to[e] + 1] += 1
    for n in range(1, end.shape[0]):
        end[n] += end[n - 1]
    for n in range(begin.shape[0] - 1):  # end[n] now says where the next origin of n goes, and so ends as the end of n
        for e in range(begin[n], begin[n + 1]):
            origin[end[to[e]]] = n
            end[to[e]] += 1


@kernel
def look_backwards(stage, outcome, end, origin, level):
    """Settle the positions that are won or lost in so many moves, and tell those before them."""
    first, side, due, worst, left, used = stage.first, stage.side, stage.due, stage.worst, stage.left, stage.used
    for n in range(side.shape[0]):
        if outcome[first + n] != DRAWN:
            continue
        if due[n] == level:
            outcome[first + n] = level
            winner = side[n]
        elif due[n] == NEVER and left[n] == 0 and worst[n] == level:
            outcome[first + n] = -level
            winner = 1 - side[n]
        else:
            continue
        for e in range(end[n - 1] if n > 0 else 0, end[n]):
            before = origin[e]
            if outcome[first + before] != DRAWN:
                continue
            if side[before] == winner:
                due[before] = min(due[before], level + 1)
                used[PENDING] = max(used[PENDING], level + 1)
            else:
                left[before] -= 1
                worst[before] = max(worst[before], level + 1)
                if left[before] == 0:
                    used[PENDING] = max(used[PENDING], np.int64(worst[before]))


def solve_stage(
    game: Any, table: EndgameTable, name: str, first: int, size: int, progress: Watcher | None = None
) -> None:
    """Write the outcomes of the numbers `first` to `first + size - 1`; all before them are known."""
    shape = game.shape()
    stage = Stage(
        first,
        np.zeros(size, np.int8),
        np.full(size, NEVER, np.int16),
        np.zeros(size, np.int16),
        np.zeros(size, np.int32),
        np.zeros(size + 1, np.int64),
        np.zeros(3, np.int64),
    )
    used, to = stage.used, np.zeros(max(8 * size, 2 * shape.actions), np.int32)
    state, child, action = (np.zeros(n, np.int64) for n in (shape.words, shape.words, shape.actions))

    def work(count: int) -> int:
        made = int(look_forwards(game, table, stage, to, state, child, action, shape.low, shape.high, count))
        if made < 0:
            _refuse(made, game, name)
        return made

    def grow() -> None:
        nonlocal to
        if used[AT] < size:
            larger = np.zeros(int(ROOM * len(to)) + shape.actions, np.int32)
            larger[: used[EDGES]] = to[: used[EDGES]]
            to = larger

    tell = telling(progress, lambda: Progress("positions", int(used[AT]), size, name))
    in_slices(work, budget(seconds=np.inf), tell=tell, grow=grow, finished=lambda: used[AT] == size, first=1024)
    stage.begin[size] = used[EDGES]
    end, origin = np.zeros(size + 1, np.int64), np.zeros(int(used[EDGES]), np.int32)
    turn_round(stage.begin, to, end, origin)
    to = to[:0]
    level = 1
    while level <= used[PENDING]:  # it ends: every level settles positions that are never settled again
        if level > LONGEST:
            raise Invalid(f"{name} has wins of more than {LONGEST} moves, which a table cannot keep")
        look_backwards(stage, table.outcome, end, origin, level)
        if progress:
            progress(Progress("moves before the end", level, None, name))
        level += 1


def _refuse(made: int, game: Any, name: str) -> None:
    kind = type(game).__name__
    if made == LEAVES:
        raise Invalid(f"a move of {name} leads to a position of {kind} that is in no ending, so it cannot be solved")
    if made == SCORED:
        raise Invalid(f"{kind} ends with scores, and endgame tables are for games that are won, drawn or lost")
    require_fine(made, game)


# --- files ------------------------------------------------------------------------------------------------------------


def endgame_table(game: Any, which: Any = None, *, progress: Watcher | None = None) -> EndgameTable:
    """The outcomes of the endings of a game that `which` names, as `game.endings(which)` reads it.

    Each stage is solved once and kept in the folder of the cache. `progress` is called while a stage is solved.
    """
    kind = type(game).__name__
    if not hasattr(game, "endings"):
        raise Invalid(f"{kind} has no endings that are numbered: it has no method `endings` (see fogtree.endings)")
    return tabulate(game, game.endings() if which is None else game.endings(which), progress=progress)


def tabulate(game: Any, places: Any, *, keep: bool = True, progress: Watcher | None = None) -> EndgameTable:
    """The outcomes of all positions that have a number. With `keep`, solved stages are read from files and written there."""
    kind = type(game).__name__
    if not game.shape().open or len(set(sides(game))) != 2 or not game.shape().zero_sum:
        raise Invalid(f"endgame tables are for open zero-sum games of two sides, which {kind} is not")
    stages = places.stages()
    table, first = EndgameTable(places, np.full(sum(count for _, count in stages), ABSENT, np.int16)), 0
    with np.errstate(over="ignore"):
        for name, count in stages:
            part = table.outcome[first : first + count]
            if not (keep and _read(game, places, name, part)):
                solve_stage(game, table, name, first, count, progress)
                if keep:
                    _write(game, places, name, part)
            first += count
    return table


def _identity(game: Any, places: Any, name: str) -> str:
    return f"{identity(game)}: {name}, numbered by {type(places).__name__}, version {places.version()}"


def stage_path(game: Any, places: Any, name: str) -> pathlib.Path:
    """Where the outcomes of a stage are kept."""
    digest = hashlib.sha256(f"{FORMAT} {_identity(game, places, name)}".encode()).hexdigest()[:16]
    return cache_folder() / "endings" / f"{type(game).__name__}-{name}-{digest}.npz"


def _digest(outcome: np.ndarray) -> str:
    return hashlib.sha256(np.ascontiguousarray(outcome).tobytes()).hexdigest()


def _read(game: Any, places: Any, name: str, part: np.ndarray) -> bool:
    """Fill in a stage from its file; returns whether there was a good one."""
    try:
        stored = read_npz(stage_path(game, places, name), {"of", "outcome", "digest"})
    except Invalid:  # there is none, or it is damaged
        return False
    outcome = stored["outcome"]
    whole = outcome.dtype == np.int16 and outcome.shape == part.shape and str(stored["digest"]) == _digest(outcome)
    if not whole or str(stored["of"]) != _identity(game, places, name):
        return False
    part[:] = outcome
    return True


def _write(game: Any, places: Any, name: str, part: np.ndarray) -> None:
    path = stage_path(game, places, name)
    with contextlib.suppress(OSError, Invalid):  # without a file the stage is solved again next time
        path.parent.mkdir(parents=True, exist_ok=True)
        write_npz(path, of=np.array(_identity(game, places, name)), outcome=part, digest=np.array(_digest(part)))
