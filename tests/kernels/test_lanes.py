"""Lanes: the same work on one core, on several and interpreted; the dice of each lane; what is refused."""

from typing import NamedTuple

import numpy as np
import pytest

from fogtree import Invalid, dice
from fogtree.kernels import atomic
from fogtree.kernels.cuda import CudaLanes
from fogtree.kernels.engines import chosen, on
from fogtree.kernels.lanes import CpuLanes, fitting

WORD = (1 << 64) - 1


class Own(NamedTuple):
    random: np.ndarray  # [4]


class Throws(NamedTuple):
    """Lane n writes its third throw, and all lanes together count the odd ones."""

    seed: np.ndarray
    thrown: np.ndarray  # [lanes]
    odd: np.ndarray  # [1]

    def writes(self):
        return ("thrown", "odd")

    def lane(self, number, own):
        dice.of_lane(self.seed, number, own.random)
        dice.draw(own.random)
        dice.draw(own.random)
        self.thrown[number] = dice.below(own.random, 1000)
        atomic.add(self.odd, 0, self.thrown[number] % 2)


def thrown(lanes=300, **how):
    work = Throws(dice.seeded(5), np.full(lanes, -1), np.zeros(1, np.int64))
    made = on("cpu", work, Own(np.zeros(4, np.uint64)), **how)
    made.run(0, 100)
    made.run(100, lanes - 100)
    made.fetch()
    return work.thrown.tolist(), int(work.odd[0])


def test_lanes_are_the_same_on_one_core_on_several_and_interpreted(monkeypatch):
    alone = thrown(cores=1)
    assert thrown(cores=3) == alone
    monkeypatch.setattr("numba.config.DISABLE_JIT", True)
    assert thrown(cores=1) == alone
    assert min(alone[0]) >= 0 and len(set(alone[0])) > 200 and alone[1] == sum(number % 2 for number in alone[0])


def mixed(word):
    """splitmix64's finaliser in Python's own integers (Steele, Lea and Flood 2014)."""
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & WORD
    word = (word ^ word >> 27) * 0x94D049BB133111EB & WORD
    return word ^ word >> 31


@pytest.mark.parametrize("number", [0, 1, 2, 77, 2**40])
def test_the_dice_of_a_lane_are_splitmix_of_seed_and_number(number):
    seed, random = dice.seeded(9), np.zeros(4, np.uint64)
    with np.errstate(over="ignore"):
        dice.of_lane(seed, number, random)
    steps = [mixed((4 * number + word + 1) * 0x9E3779B97F4A7C15 & WORD) for word in range(4)]
    assert random.tolist() == [mixed(int(seed[word]) ^ steps[word]) for word in range(4)]


def test_fewer_lanes_than_cores_run_as_well():
    work = Throws(dice.seeded(5), np.full(2, -1), np.zeros(1, np.int64))
    CpuLanes(work, Own(np.zeros(4, np.uint64)), 3).run(0, 2)
    assert work.thrown.tolist() == thrown()[0][:2]


def test_claiming_writes_once():
    row = np.zeros(3, np.int64)
    assert [atomic.claim(row, 1, 0, 7), atomic.claim(row, 1, 0, 8), row.tolist()] == [0, 7, [0, 7, 0]]


class Sums(NamedTuple):
    """All lanes add to the same three numbers."""

    total: np.ndarray  # [3]

    def writes(self):
        return ("total",)

    def lane(self, number, own):
        if atomic.add(self.total, number % 3, 0.5 * number) < 0.0:
            self.total[0] = np.nan  # what it held is never below 0


def test_lanes_on_several_cores_lose_nothing_of_sums_of_real_numbers():
    work = Sums(np.zeros(3))
    CpuLanes(work, Own(np.zeros(4, np.uint64)), 4).run(0, 300_000)
    assert work.total.tolist() == [0.5 * sum(range(first, 300_000, 3)) for first in range(3)]  # exact in doubles


def test_an_unknown_device_is_refused_with_the_valid_ones():
    with pytest.raises(Invalid, match="no device 'gpu': valid are cpu, cuda, auto"):
        chosen("gpu")


def test_auto_takes_the_cpu_for_few_lanes(monkeypatch):
    monkeypatch.setattr("fogtree.kernels.cuda.trouble", lambda: "")
    assert [chosen("auto", 10), chosen("auto", 10**6)] == ["cpu", "cuda"]
    monkeypatch.setattr("fogtree.kernels.cuda.trouble", lambda: "no GPU")
    assert chosen("auto", 10**6) == "cpu"


@pytest.mark.parametrize("values", [[1, 2], [1.0, 2.0, 3.0], [[1, 2, 3]]])
def test_values_that_do_not_fit_an_array_are_refused(values):
    with pytest.raises(Invalid, match=r"an array \[3\] of int64 is needed"):
        fitting(values, np.zeros(3, np.int64))


@pytest.mark.parametrize("cores", [0, -1, 1.5])
def test_cores_are_counted(cores):
    with pytest.raises(Invalid, match="cores are a whole number of 1 or more"):
        thrown(cores=cores)


@pytest.mark.parametrize("engine", [CpuLanes, CudaLanes])
def test_the_first_slice_has_lanes_and_none_has_more_than_keep_everybody_busy(engine):
    # work that begins with no lanes would never end
    assert 1 <= engine.start <= engine.many
