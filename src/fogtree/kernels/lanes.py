"""Lanes: work that many do side by side, written once and run by any engine.

Work is a `NamedTuple` with these methods:

    lane(number, own)    does lane `number` of the work. `own` is the lane's scratch, a NamedTuple of arrays whose content is
                         arbitrary at the start. Of the work's fields it may write only what no other lane writes or reads.
    writes()             optional: the names of the fields, arrays, that lanes write and `fetch` brings back; only Python
                         calls this and the next
    threads()            optional: how many threads of one multiprocessor of a GPU run lanes at the same time. Work that goes
                         back and forth in much scratch is faster where fewer share the caches. The compiler gives each no
                         more registers than so many threads have, so that they do run at the same time
    team()               optional: how many threads of a GPU do one lane together (`teams.py`), each a share of it
    local()              optional: an array of a lane's scratch of up to so many bytes lies in the local memory of its thread
                         on a GPU, where the same word of neighbouring threads lies side by side; a larger one lies in one
                         piece in global memory
    fused()              optional: whether a product and the sum after it may be one instruction of a GPU, which rounds once:
                         twice as fast, and the last digit is not that of the CPU

    lanes = on("cuda", Games(game, ...), Own(np.zeros(words, np.int64), ...))     # on: engines.py
    lanes.run(0, 1000)       lanes 0 to 999
    lanes.fetch()            what they wrote stands in the work's own arrays

Three engines run the same text. The CPU runs lanes one after the other, on as many cores as it is given; CUDA runs one lane
in each thread of a GPU at a time; `NUMBA_DISABLE_JIT=1` runs them in plain Python. What a lane does must depend on its number
alone, not on the engine: random lanes throw the dice of their number (`dice.of_lane`), so that the same seed gives the same
games everywhere, unless a lane calls functions such as `exp`, whose last digit is the library's. On the GPU nothing may make
an array or raise an error.
"""

import concurrent.futures
import os
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ..errors import Invalid
from .door import kernel

CPU, CUDA = "cpu", "cuda"


class Nothing(NamedTuple):
    """The scratch of a lane that needs none."""

    word: np.ndarray


NOTHING = Nothing(np.zeros(1, np.int64))


@kernel
def lanes_slice(work, first, count, own):
    """Run lanes one after the other."""
    for number in range(first, first + count):
        work.lane(number, own)


class CpuLanes:
    """Lanes on the cores of this machine."""

    device, pace, start = CPU, 0.05, 1  # a slice of lanes takes about `pace` seconds, and the first has `start` lanes
    many = 1  # lanes from which on nobody is idle

    def __init__(self, work: Any, own: Any, cores: int | None = 1):
        if cores is not None and (not isinstance(cores, int) or cores < 1):
            raise Invalid(f"cores are a whole number of 1 or more, or None for all, not {cores!r}")
        self.work = work
        self.cores = self.width = cores or os.cpu_count() or 1  # lanes that run at the same time
        self.own = [type(own)(*(array.copy() for array in own)) for _ in range(self.cores)]
        lanes_slice(work, 0, 0, own)  # compile before a clock starts

    @property
    def there(self) -> Any:
        """The work with its arrays as the device has them."""
        return self.work

    def put(self, name: str, values: Any) -> None:
        """Copy values into an array of the work."""
        array = getattr(self.work, name)
        array[...] = fitting(values, array)

    def clear(self, array: np.ndarray) -> None:
        """Fill an array of the work with zeros."""
        array[...] = 0

    def change(self, **fields: Any) -> None:
        """Put other values of the same types into fields of the work."""
        self.work = self.work._replace(**fields)

    def run(self, first: int, count: int) -> None:
        """Run lanes `first` to `first + count - 1`."""
        if self.cores == 1 or count < self.cores:
            lanes_slice(self.work, first, count, self.own[0])
            return
        bounds = np.linspace(first, first + count, self.cores + 1).astype(np.int64).tolist()
        parts = zip(bounds, bounds[1:], self.own, strict=False)
        with concurrent.futures.ThreadPoolExecutor(self.cores) as pool:
            for _ in pool.map(lambda part: lanes_slice(self.work, part[0], part[1] - part[0], part[2]), parts):
                pass

    def fetch(self) -> None:
        """Nothing to do: the lanes wrote into the work's arrays."""


class CpuReplay:
    """The same runs of lanes again and again."""

    def __init__(self, play: Callable[[], Any]):
        self.play = play

    def run(self, times: int) -> None:
        """Run all of it so many times."""
        for _ in range(times):
            self.play()


def fitting(values: Any, array: Any) -> np.ndarray:
    """Values as an array of this shape, of whole numbers where it has whole numbers."""
    found = np.asarray(values)
    if found.shape != array.shape or (array.dtype.kind == "i" and found.dtype.kind not in "iu"):
        raise Invalid(
            f"an array {list(array.shape)} of {array.dtype} is needed, not {list(found.shape)} of {found.dtype}"
        )
    return found.astype(array.dtype, copy=False)
