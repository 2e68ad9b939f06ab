"""The clock of all limits stands still while something is compiled."""

import threading
import time

import pytest

import fogtree
from fogtree import clock as clocks
from fogtree.clock import clock, standing_still
from fogtree.errors import Invalid
from fogtree.games.holdem import Holdem
from fogtree.kernels import dispatch, kernel
from fogtree.solvers.public import bucket_forms, bucket_solving, matrix_cfr
from fogtree.solvers.public.bucket_solving import OnBuckets
from fogtree.solvers.public.matrix_cfr import MatrixCFR
from fogtree.solvers.public.small_form import betting_form
from fogtree.solvers.regret import cfr, general_cfr
from fogtree.solvers.regret.cfr import CFR
from fogtree.solvers.regret.general_cfr import GeneralCFR


@pytest.fixture
def now(monkeypatch):
    """The time, which passes as the test says."""
    at = [1000.0]
    monkeypatch.setattr(clocks.time, "perf_counter", lambda: at[0])
    return at


def test_the_seconds_of_compiling_are_left_out(now):
    began = clock()
    now[0] += 3.0
    assert clock() - began == 3.0
    with standing_still():
        now[0] += 20.0
        assert clock() - began == 3.0
    now[0] += 1.0
    assert clock() - began == 4.0


def test_threads_that_compile_at_the_same_time_stop_the_clock_once(now):
    began, second, leave = clock(), threading.Event(), threading.Event()

    def compile_too():
        with standing_still():
            second.set()
            leave.wait(10)

    with standing_still():
        thread = threading.Thread(target=compile_too)
        thread.start()
        second.wait(10)
        now[0] += 5.0
    now[0] += 2.0  # the other one still compiles
    assert clock() == began
    leave.set()
    thread.join()
    now[0] += 1.0
    assert clock() - began == 1.0


def test_a_kernel_that_is_compiled_or_loaded_stops_the_clock(monkeypatch):
    @kernel
    def fresh(count):
        return count + 1

    looks, compile_plainly = [], dispatch._Dispatcher.compile

    def slowly(self, sig):
        looks.append(clock())
        time.sleep(0.01)
        looks.append(clock())
        return compile_plainly(self, sig)

    monkeypatch.setattr(dispatch._Dispatcher, "compile", slowly)
    assert fresh(1) == 2
    assert len(looks) == 2 and looks[0] == looks[1]


@pytest.fixture
def taking(now):
    """Makes stand-ins of kernels: each is compiled for a minute at its first call, and every call takes some seconds."""
    compiled = set()

    def stand_in(name, seconds):
        def run(*args):
            if name not in compiled:
                compiled.add(name)
                with standing_still():
                    now[0] += 60.0
            now[0] += seconds

        return run

    return stand_in


@pytest.mark.parametrize("solver", [CFR, GeneralCFR])
@pytest.mark.parametrize("threads", [1, 2])
def test_a_solver_gets_its_seconds_though_its_kernels_are_compiled_first(taking, monkeypatch, solver, threads):
    monkeypatch.setattr(cfr, "MANY", 2 - threads)
    monkeypatch.setattr(cfr, "iterate", lambda *what: taking("iterate", what[-1])())
    monkeypatch.setattr(cfr, "face_rows", taking("face", 0.0))
    monkeypatch.setattr(cfr, "learn_all", taking("learn", 0.5))  # for each of two players
    monkeypatch.setattr(general_cfr, "update", taking("update", 0.5))
    work = solver("kuhn", **({"threads": threads} if solver is CFR else {}))
    assert work.run(seconds=10.0).iterations >= 10


TINY = Holdem(ranks=3, suits=2, rounds=2, raises=2, hole=1, flop=1)


def test_matrix_cfr_gets_its_seconds_though_its_kernels_are_compiled_first(taking, monkeypatch):
    work = MatrixCFR(betting_form(TINY).form)
    for name, seconds in {"spread": 0.0, "face": 0.0, "learn": 0.5}.items():  # for each of two players
        monkeypatch.setattr(matrix_cfr.CoreSweeps, name, taking(name, seconds))
    assert 10 <= work.run(seconds=10.0).iterations <= 20


def test_the_seconds_of_a_solver_end_while_its_matrices_are_counted(now, monkeypatch, tmp_path, interpreted):
    monkeypatch.setenv("FOGTREE_CACHE", str(tmp_path))
    monkeypatch.setattr(bucket_forms, "BLOCK", 1)
    counted, count = [], bucket_forms.Tally.add

    def slowly(tally, boards):
        counted.extend(boards)
        now[0] += 2.0
        count(tally, boards)

    monkeypatch.setattr(bucket_forms.Tally, "add", slowly)
    with pytest.raises(Invalid, match="time limit of 3 s ended while the game was being prepared, after 2 boards"):
        fogtree.solve(OnBuckets(TINY, 2), seconds=3)
    assert len(counted) == 2


def test_the_seconds_of_a_solver_end_while_its_tables_are_made(now, monkeypatch):
    def slowly(game, k, progress, device):
        for row in range(100):
            now[0] += 2.0
            progress(fogtree.walk.slices.Progress("flops, round 2", row + 1, 100))

    monkeypatch.setattr(bucket_solving, "bucketed", slowly)
    with pytest.raises(Invalid, match=r"time limit of 3 s ended .* after 2 flops, round 2"):
        fogtree.solve(OnBuckets(TINY, 2), seconds=3)
