"""A game on its buckets as a betting form (`betting.py`): matrices that are counted once and kept.

Counting takes minutes, so the counts are written to the cache folder every SAVED seconds, and work that was stopped or killed
goes on from there. Sampled boards come in blocks, each with a seed of its own. Where all boards are counted, those that were
counted before are passed over. So the matrices do not depend on how often the work was stopped. A damaged file is counted
anew.

    form, seconds = bucket_form(bucketed(game, 5), 200_000, (0, 1))     sampled boards, and their seed
    form, seconds = bucket_form(bucketed(small, 3), ALL)                exact matrices
"""

import contextlib
import itertools
import math
import os
import pathlib
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from ...errors import Invalid
from ...files import appearing
from ...game import identity
from ...kernels import cache_folder
from ...kernels.engines import chosen
from ...kernels.lanes import CPU, CUDA
from ...strategy import read_npz
from ...walk.slices import Progress, Watcher, whole
from .betting import BettingForm, betting_tree, nested
from .cards import Board, Buckets, PublicCards
from .deal_matrices import Tally, all_boards, matrices_of, random_boards
from .pair_lanes import LaneTally

FORMAT = 1  # raise it when boards are drawn or counted in another way
ALL = 0  # boards: every one of them, so that matrices are exact
BLOCK = 1000  # boards with a seed of their own
SAVED = 30.0  # seconds between two times that the counts are kept
FIELDS = {"joint", "edge", "done", "seconds"}


def all_are_fewer(buckets: Buckets, boards: int) -> bool:
    """Whether counting all boards, one of each kind, is less work than so many sampled ones."""
    cards, courses, left = buckets.cards, 1, buckets.cards.cards
    for dealt in cards.dealt:
        courses, left = courses * math.comb(left, dealt), left - dealt
    return courses <= boards * len(cards.symmetries)


def bucket_form(
    buckets: Buckets,
    boards: int,
    seed: tuple[int, ...] = (),
    *,
    folder: str | os.PathLike | None = None,
    progress: Watcher | None = None,
    device: str = CPU,
) -> tuple[BettingForm, float]:
    """The abstract game with matrices from so many sampled boards or from ALL; and the processor seconds of counting them,
    on a GPU seconds of the clock. Counts are the same on every device."""
    cards, k, boards = buckets.cards, buckets.k, whole(boards, "boards")
    rounds, path = len(cards.dealt), _path(buckets, boards, seed, folder)
    tally: Any = Tally(cards, k**rounds) if chosen(device) == CPU else LaneTally(cards, k**rounds, CUDA)
    watch = time.process_time if chosen(device) == CPU else time.perf_counter
    done, spent = _resumed(tally, path)
    source = itertools.islice(all_boards(cards), done, None) if boards == ALL else _drawn(cards, boards, seed, done)
    goal, before, kept = None if boards == ALL else boards, done, time.perf_counter()
    while True:
        began, already = watch(), done
        few = list(itertools.islice(source, BLOCK))
        tally.add(few)
        done += len(few)
        spent += watch() - began
        if done == already:
            break
        try:
            if progress:
                progress(Progress("boards", done, goal))
        except BaseException:  # Ctrl-C, or the time is up: what was counted is kept
            _keep(tally, done, spent, path)
            raise
        if time.perf_counter() - kept > SAVED:
            kept = _keep(tally, done, spent, path)
    if done > before:
        _keep(tally, done, spent, path)
    tally.fetch()
    joint, edge = matrices_of(tally, np.float32)
    which = "all boards" if boards == ALL else f"{boards} boards, seed {'-'.join(map(str, seed))}"
    cuts, name = nested(k, rounds), f"{identity(buckets.game)}, {k} buckets, {which}"
    return BettingForm(name, betting_tree(buckets.game), joint, edge, (cuts, cuts)), spent


def _drawn(cards: PublicCards, boards: int, seed: tuple[int, ...], begin: int) -> Iterator[tuple[Board, float]]:
    """Sampled boards from number `begin` on, with which a block begins."""
    for first in range(begin, boards, BLOCK):
        yield from random_boards(cards, min(BLOCK, boards - first), [*seed, first // BLOCK])


def _path(buckets: Buckets, boards: int, seed: tuple[int, ...], folder: str | os.PathLike | None) -> pathlib.Path:
    which = "all" if boards == ALL else "-".join(map(str, (boards, *seed)))
    name = f"{buckets.file('matrices')}-buckets-{buckets.k}-boards-{which}-v{FORMAT}.npz"
    return (cache_folder() if folder is None else pathlib.Path(folder)) / name


def _resumed(tally: Any, path: pathlib.Path) -> tuple[int, float]:
    """How many boards a file has counted, in how many seconds. Their counts go into the tally."""
    try:
        stored = read_npz(path, FIELDS)
    except Invalid:  # there is none, or it is damaged
        return 0, 0.0
    whole_counts = stored["done"].shape == stored["seconds"].shape == () and stored["done"].dtype.kind == "i"
    for name in ("joint", "edge"):
        ours = getattr(tally, name)
        whole_counts = whole_counts and stored[name].shape == ours.shape and stored[name].dtype == ours.dtype
        whole_counts = whole_counts and bool(np.isfinite(stored[name]).all())
    if not whole_counts:
        return 0, 0.0
    tally.joint[:], tally.edge[:] = stored["joint"], stored["edge"]
    return int(stored["done"]), float(stored["seconds"])


def _keep(tally: Any, done: int, seconds: float, path: pathlib.Path) -> float:
    """Write the counts; where that is not possible, they stay in memory alone. Returns when that was."""
    tally.fetch()
    with contextlib.suppress(OSError, Invalid):
        path.parent.mkdir(parents=True, exist_ok=True)
        with appearing(path) as file:
            np.savez(file, joint=tally.joint, edge=tally.edge, done=np.array(done), seconds=np.array(seconds))
    return time.perf_counter()
