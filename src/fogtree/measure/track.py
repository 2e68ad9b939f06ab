"""The course of a self-play, step by step: strategies, exploitability, what the bandits believe, who changes direction.

Step s = 0, 1, 2, ... plays floor(16 + 1.8^floor(s / 12)) more games and then looks (Briedoň 2015, 4.2, as its totals show it:
the text prints other blocks). Looking takes a millionth of a second, so a run with all its looks is as fast as one without.

Exploitability is half of what both best responses gain together, as in the thesis: `mean` in measure/exploitability.py.
"""

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from .. import dice
from ..errors import Invalid
from ..kernels.engines import chosen, on
from ..kernels.lanes import CPU
from ..search.selfplay import BySet, Record, Selectors, alike, bytes_of, new_selectors, side_by_side
from ..walk.slices import Progress, Watcher, budget, in_slices

BLOCK = 12  # steps of one size
FIRST_SLICE = 1 << 16  # games in the first slice, of all lanes together
BYTES = 1 << 32  # of what is remembered and noted on a GPU at the same time
SHORT, MIDDLE, LONG, LONGEST = 250, 280, 320, 350  # steps: 3,190,936, 14,130,408, 99,732,004 and 429,889,708 games


def schedule(steps: int) -> np.ndarray:
    """How many games were played after each step [steps]; in whole numbers, so that nothing is rounded."""
    return np.cumsum([16 + 18 ** (s // BLOCK) // 10 ** (s // BLOCK) for s in range(steps)], dtype=np.int64)


class Track(NamedTuple):
    """What was seen at each step of a self-play. A plan is a row or a column of the payoffs."""

    game: Any
    bandit: Any
    seed: int
    simulations: np.ndarray  # [steps] games played
    strategies: tuple[np.ndarray, np.ndarray]  # [player][steps, plans] probabilities
    exploitability: np.ndarray  # [steps] half of both gains
    values: tuple[np.ndarray, np.ndarray] | None  # [player][steps, sets, actions] mean rewards, where they are kept
    seconds: float  # of the processor; on a GPU, its share of the time of all that were played beside it

    def turned(self) -> np.ndarray:
        """The share of plans, of both players, whose probability went up in the step before and down in this one, or the
        other way [steps]; NaN at the first two steps, which have no direction before them."""
        return turned(np.hstack(self.strategies))


def turned(strategy: np.ndarray) -> np.ndarray:
    """The share of columns of [steps, plans] that change direction at each step."""
    direction = np.sign(np.diff(strategy, axis=0))
    share = np.full(len(strategy), np.nan)
    share[2:] = (direction[1:] * direction[:-1] < 0).mean(axis=1)
    return share


def track(
    game: Any,
    bandit: Any,
    marks: int | Iterable[int] = SHORT,
    *,
    seed: int | tuple[int, ...] = 0,
    growth: Any = BySet(),  # noqa: B008  (it is immutable)
    progress: Watcher | None = None,
) -> Track:
    """Let a bandit play itself in a matrix game or a game of rounds. `marks` are steps of the schedule, or the numbers of
    games after which to look, ascending. A seed may be a path: (seed, piece). `progress` is called after each slice with the
    number of games."""
    (found,) = tracks([(game, seed)], bandit, marks, growth=growth, cores=1, progress=progress)
    return found


def tracks(
    plays: Sequence[tuple[Any, int | tuple[int, ...]]],
    bandit: Any,
    marks: int | Iterable[int] = SHORT,
    *,
    growth: Any = BySet(),  # noqa: B008
    device: str = CPU,
    cores: int | None = None,
    progress: Watcher | None = None,
) -> Iterator[Track]:
    """The same for many games and seeds, each of which is a lane (`kernels/lanes.py`) with the numbers that `track` gives.
    The tracks come in the order of the plays, some at a time, as many as BYTES hold."""
    mark = schedule(marks) if isinstance(marks, (int, np.integer)) else np.array(list(marks), np.int64)
    if not len(mark) or mark[0] < 1 or (np.diff(mark) < 1).any():
        raise Invalid("marks are steps of the schedule, or ascending numbers of games from 1 up")
    device = chosen(device, len(plays))
    ready, done, goal = list[tuple[Any, Any, Selectors]](), 0, len(plays) * int(mark[-1])

    def played() -> Iterator[Track]:
        nonlocal done
        before = done

        def tell(games: int) -> None:
            if progress:
                progress(Progress("games", before + games * len(ready), goal))

        yield from _side_by_side(ready, bandit, mark, growth, device, cores, tell)
        done += len(ready) * int(mark[-1])
        ready.clear()

    for game, seed in plays:
        selectors = new_selectors(game, bandit, growth)
        most = (cores or os.cpu_count() or 1) if device == CPU else max(1, BYTES // bytes_of(selectors, len(mark)))
        if ready and (len(ready) >= most or not alike(ready[0][2], selectors)):
            yield from played()
        ready.append((game, seed, selectors))
    if ready:
        yield from played()


def _side_by_side(
    plays: list[tuple[Any, Any, Selectors]],
    bandit: Any,
    mark: np.ndarray,
    growth: Any,
    device: str,
    cores: int | None,
    tell: Callable[[int], None],
) -> Iterator[Track]:
    """Play some self-plays of games of one size to their end."""
    random = np.array([dice.seeded(*(seed if isinstance(seed, tuple) else (seed,))) for _, seed, _ in plays])
    work, own = side_by_side(bandit, growth, [selectors for *_, selectors in plays], random, mark)
    lanes = on(device, work, own, cores=cores)  # compiles before the clock starts
    time_of = time.process_time if lanes.device == CPU else time.perf_counter
    began, done = time_of(), 0

    def some(games: int) -> int:
        nonlocal done
        lanes.change(games=games)
        lanes.run(0, len(plays))
        done += games
        return games

    goal = budget(int(mark[-1]), what="games")
    in_slices(some, goal, tell=lambda: tell(done), first=max(1, FIRST_SLICE // len(plays)), pace=lanes.pace)
    lanes.fetch()
    spent = (time_of() - began) / len(plays)
    for number, (game, seed, selectors) in enumerate(plays):
        record = Record(mark, work.policy[number], work.mean[number])
        first, second = (_of_player(selectors, record, player) for player in (0, 1))
        x, y = _plans(first[0]), _plans(second[0])
        values = None if np.isnan(first[1]).all() else (first[1], second[1])
        number = seed[0] if isinstance(seed, tuple) else seed
        yield Track(game, bandit, number, mark, (x, y), matrix_exploitability(game.payoffs, x, y), values, spent)


def _of_player(selectors, record, player) -> tuple[np.ndarray, np.ndarray]:
    """The policies of a player's sets, and what the bandits think of their actions."""
    begin = int(selectors.sets[0]) * player
    own = slice(begin, begin + int(selectors.sets[player]))
    return record.policy[:, own, : selectors.width[player]], record.mean[:, own, : selectors.width[player]]


def _plans(policy: np.ndarray) -> np.ndarray:
    """The probabilities of plans [steps, plans] from those of actions [steps, sets, actions]."""
    steps, sets, k = policy.shape
    reach = np.ones((steps, sets * k + 1))  # of the sets, then of the plans, numbered as in search/selfplay.py
    for i in range(sets):
        reach[:, i * k + 1 : i * k + 1 + k] = reach[:, i, None] * policy[:, i]
    return reach[:, sets:]


def matrix_exploitability(payoffs: Any, x: Any, y: Any) -> Any:
    """Half of what best responses gain against two mixes of a matrix game; for many mixes with a leading axis."""
    payoffs, x, y = (np.asarray(array, np.float64) for array in (payoffs, x, y))
    return ((y @ payoffs.T).max(axis=-1) - (x @ payoffs).min(axis=-1)) / 2


def reached(track: Track, simulations: int) -> int:
    """The number of the step at which so many games had been played, or the first after it."""
    return min(int(np.searchsorted(track.simulations, simulations)), len(track.simulations) - 1)
