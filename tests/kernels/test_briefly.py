"""Little work runs interpreted (`Kernel.briefly`), unless everything is to be compiled."""

import functools
import subprocess
import sys

import pytest

from fogtree.kernels import compiling_all, door, kernel

DIGESTS = """
import sys, fogtree
if len(sys.argv) > 1:
    import fogtree.arena.agents.searching, fogtree.measure.comparison, fogtree.solvers.exact.retrograde
from fogtree.kernels import door
from fogtree.kernels.digest import Digest
door._compiler()
digest = Digest()
digest.feed(type(fogtree.load("chess")))
print(digest.hex())
"""


@pytest.fixture
def double():
    """A kernel, and a list of how often it ran interpreted."""

    @kernel
    def double(number):
        return 2 * number

    runs, plainly = [], double.interpreted

    def interpreted(*args):
        runs.append(args)
        return plainly(*args)

    double.interpreted = interpreted
    return double, runs


def test_little_work_runs_interpreted_until_it_has_taken_as_long_as_compiling(double):
    work, runs = double
    door._compiler()
    assert [work.briefly(0.4, number) for number in range(4)] == [0, 2, 4, 6]
    assert runs == [(0,), (1,)] and work.doors
    work.briefly(0.01, 5)  # what is compiled is used
    assert len(runs) == 2


def test_work_that_is_not_little_is_compiled_at_once(double):
    work, runs = double
    door._compiler()
    assert work.briefly(1.5, 3) == 6 and not runs and work.doors


def test_the_first_kernel_waits_longer_because_the_compiler_must_be_loaded(double, monkeypatch):
    work, runs = double
    monkeypatch.setattr(door, "_compiler", functools.cache(door._compiler.__wrapped__))
    assert work.briefly(1.5, 3) == 6 and len(runs) == 1 and not work.doors
    assert work.briefly(door.LOADING, 3) == 6 and len(runs) == 1 and work.doors


def test_work_in_slices_is_interpreted_for_a_while_and_compiled_at_once_the_next_time(double, monkeypatch, tmp_path):
    monkeypatch.setenv("FOGTREE_CACHE", str(tmp_path))
    work, runs = double
    assert [work.at_first((n,), (10 * n,)) for n in (1, 2)] == [2, 4] and len(runs) == 2 and not work.doors
    monkeypatch.setattr(door, "PATIENCE", 0.0)
    assert work.at_first((3,), (30,)) == 60 and len(runs) == 2 and work.doors
    monkeypatch.undo()
    monkeypatch.setenv("FOGTREE_CACHE", str(tmp_path))
    work.doors.clear(), work.spent.clear()  # as in another process
    assert work.at_first((3,), (30,)) == 60 and len(runs) == 2


def test_what_is_tried_in_vain_is_compiled(double, monkeypatch, tmp_path):
    monkeypatch.setenv("FOGTREE_CACHE", str(tmp_path))
    work, runs = double
    work.no_longer(30)
    assert work.at_first((3,), (30,)) == 60 and not runs


def test_little_work_is_compiled_where_everything_is(double):
    work, runs = double
    with compiling_all():
        assert work.briefly(0.01, 3) == 6
    assert not runs and work.doors


def test_after_that_little_work_is_interpreted_again(double):
    with compiling_all():
        pass
    work, runs = double
    assert work.briefly(0.01, 3) == 6 and runs and not work.doors


def test_the_name_of_compiled_code_does_not_depend_on_what_else_is_loaded():
    # chess mentions `begin`, which is also an optional method of bandits
    little, much = (
        subprocess.run([sys.executable, "-c", DIGESTS, *more], capture_output=True, text=True, check=True).stdout
        for more in ([], ["more"])
    )
    assert little == much and len(little.strip()) == 24
