"""Little work runs interpreted (`Kernel.briefly`), unless everything is to be compiled."""

import subprocess
import sys

import pytest

from fogtree.kernels import compiling_all, kernel

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
    assert [work.briefly(0.4, number) for number in range(4)] == [0, 2, 4, 6]
    assert runs == [(0,), (1,)] and work.doors
    work.briefly(0.01, 5)  # what is compiled is used
    assert len(runs) == 2


def test_work_that_is_not_little_is_compiled_at_once(double):
    work, runs = double
    assert work.briefly(1.5, 3) == 6 and not runs and work.doors


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
