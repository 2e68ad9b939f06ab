"""The clock of all limits stands still while something is compiled."""

import threading
import time

import pytest

from fogtree import clock as clocks
from fogtree.clock import clock, standing_still
from fogtree.kernels import dispatch, kernel
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


@pytest.mark.parametrize("solver", [CFR, GeneralCFR])
@pytest.mark.parametrize("threads", [1, 2])
def test_a_solver_gets_its_seconds_though_its_kernels_are_compiled_first(now, monkeypatch, solver, threads):
    compiled = set()

    def taking(name, seconds):
        def run(*args):
            if name not in compiled:
                compiled.add(name)
                with standing_still():
                    now[0] += 60.0
            now[0] += seconds

        return run

    monkeypatch.setattr(cfr, "MANY", 2 - threads)
    monkeypatch.setattr(cfr, "iterate", lambda *what: taking("iterate", what[-1])())
    monkeypatch.setattr(cfr, "face_rows", taking("face", 0.0))
    monkeypatch.setattr(cfr, "learn_all", taking("learn", 0.5))  # for each of two players
    monkeypatch.setattr(general_cfr, "update", taking("update", 0.5))
    work = solver("kuhn", **({"threads": threads} if solver is CFR else {}))
    assert work.run(seconds=10.0).iterations >= 10
