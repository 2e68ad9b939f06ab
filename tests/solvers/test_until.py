"""Iterations until a certificate is good enough: when it is renewed, what ends the work, and when checkpoints are saved."""

import itertools
import os
import pathlib
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from fogtree.solvers import until
from fogtree.solvers.until import Limits, iterate_until
from fogtree.walk.slices import Ended, Progress


class Halving:
    """Work whose total after n iterations is 1 / n; an iteration takes a second of the clock that the tests set."""

    least = 1

    def __init__(self, clock, least=1):
        self.iterations, self.least, self.clock, self.saved, self.asked = 0, least, clock, [], []

    def run(self, *, iterations, seconds, progress):
        self.asked.append((iterations, seconds))
        for _ in range(iterations):
            self.iterations += 1
            self.clock.now += 1.0
            progress(Progress("iterations", self.iterations, sum(count for count, _ in self.asked)))
            if seconds is not None and self.clock.now >= self.clock.end:
                return

    def save(self, path):
        self.clock.now += self.clock.writing
        self.saved.append(self.iterations)
        pathlib.Path(path).write_text(str(self.iterations))

    def resume(self, path):
        self.iterations = int(pathlib.Path(path).read_text())


class Total:
    def __init__(self, work):
        self.work, self.total, self.renewed = work, None, []

    def renew(self, seconds):
        self.total = 1 / self.work.iterations
        self.renewed.append(self.work.iterations)
        return self.total

    def detail(self, iterations, seconds):
        return iterations, seconds, self.total


class Clock:
    now, end, writing = 100.0, float("inf"), 0.0

    def perf_counter(self):
        return self.now


@pytest.fixture
def clock(monkeypatch):
    made = Clock()
    monkeypatch.setattr(until, "time", made)
    return made


def test_the_certificate_is_renewed_when_the_iterations_have_grown_by_a_factor(clock):
    work = Halving(clock)
    judge = Total(work)
    assert iterate_until(work, judge, Limits(clock.now, iterations=100), patience=1.5) == Ended.ITERATIONS
    assert judge.renewed == [1, 2, 3, 5, 8, 12, 18, 27, 41, 62, 93, 100]
    assert work.iterations == 100
    slow = Halving(clock, least=30)
    judge = Total(slow)
    iterate_until(slow, judge, Limits(clock.now, iterations=100), patience=1.5)
    assert judge.renewed == [30, 60, 90, 100]


@pytest.mark.parametrize(
    "limits, ended, iterations",
    [
        ({"target": 0.25}, Ended.TARGET, 4),  # exactly the target is enough
        ({"target": 0.25, "iterations": 4}, Ended.TARGET, 4),
        ({"target": 0.25, "iterations": 3}, Ended.ITERATIONS, 3),
        ({"iterations": 1}, Ended.ITERATIONS, 1),
        ({"seconds": 7.0}, Ended.SECONDS, 7),
        ({"seconds": 7.0, "iterations": 7}, Ended.ITERATIONS, 7),
    ],
)
def test_what_ends_the_work_is_said(clock, limits, ended, iterations):
    work, clock.end = Halving(clock), clock.now + limits.get("seconds", float("inf"))
    assert iterate_until(work, Total(work), Limits(clock.now, **limits)) == ended
    assert work.iterations == iterations


def test_a_run_gets_the_seconds_that_are_left_and_never_none_of_them(clock):
    limits = Limits(clock.now - 3.0, seconds=5.0)
    assert (limits.spent(), limits.left()) == (3.0, 2.0)
    clock.now += 10.0
    assert limits.left() == until.LEAST_SECONDS
    assert Limits(clock.now).left() is None


def test_progress_is_told_of_the_last_certificate_with_the_iterations_and_seconds_of_now(clock):
    work, seen = Halving(clock), []
    iterate_until(work, Total(work), Limits(clock.now - 2.0, iterations=4), patience=3.0, progress=seen.append)
    # certificates after 1, 3 and 4 iterations; between them the second is told with the first certificate
    assert [(now.what, now.done, now.goal) for now in seen] == [("iterations", n, 4) for n in (1, 2, 3, 4)]
    assert [now.detail for now in seen] == [(1, 3.0, 1.0), (2, 4.0, 1.0), (3, 5.0, 1 / 3), (4, 6.0, 1 / 4)]


def test_ctrl_c_keeps_what_was_judged_and_is_passed_on_before_that(clock, tmp_path):
    def stop(now):
        if now.done >= 5:
            raise KeyboardInterrupt

    work = Halving(clock)
    assert (
        iterate_until(work, Total(work), Limits(clock.now), checkpoint=tmp_path / "a", progress=stop) == Ended.STOPPED
    )
    assert work.iterations == 5 and work.saved == [5]
    work = Halving(clock)
    work.run = lambda **how: stop(Progress("iterations", 5))
    with pytest.raises(KeyboardInterrupt):
        iterate_until(work, Total(work), Limits(clock.now), checkpoint=tmp_path / "b")
    assert not (tmp_path / "b").exists()
    work = Halving(clock)  # what had ended before was not stopped
    limits = Limits(clock.now, iterations=5)
    assert iterate_until(work, Total(work), limits, progress=stop) == Ended.ITERATIONS


def test_a_checkpoint_is_saved_in_time_also_where_the_next_certificate_is_far(clock, tmp_path):
    work = Halving(clock)
    iterate_until(work, Total(work), Limits(clock.now, iterations=100), patience=100.0, checkpoint=tmp_path / "file")
    assert work.saved == [30, 60, 90, 100]
    clock.writing = 2.0  # then forty seconds pass between two, so that writing takes a twentieth of the time
    work = Halving(clock)
    iterate_until(work, Total(work), Limits(clock.now, iterations=100), patience=100.0, checkpoint=tmp_path / "other")
    assert work.saved == [30, 70, 100]


def test_work_goes_on_from_its_checkpoint_and_is_judged_first(clock, tmp_path):
    (tmp_path / "file").write_text("8")
    work = Halving(clock)
    judge = Total(work)
    iterate_until(work, judge, Limits(clock.now, iterations=12), patience=2.0, checkpoint=tmp_path / "file")
    assert judge.renewed == [8, 12] and work.asked == [(4, None)]
    done = Halving(clock)
    iterate_until(done, Total(done), Limits(clock.now, target=1.0), checkpoint=tmp_path / "file")
    assert done.iterations == 12 and done.asked == []


# --- killed ----------------------------------------------------------------------------------------------------------

MANY = 20  # iterations of a checkpoint

OFTEN = """
import sys
from fogtree.solvers import until
from fogtree.cli import app
until.SAVED = 0.05
sys.argv = ["fogtree", "solve", *sys.argv[1:]]
app()
"""


@pytest.mark.slow
def test_solve_that_was_killed_goes_on_from_its_last_checkpoint_to_the_target(tmp_path):
    file, target = tmp_path / "work.npz", 1e-5
    words = ["leduc", "--method", "cfr+", "--checkpoint", str(file)]
    process = subprocess.Popen([sys.executable, "-c", OFTEN, *words, "--target", "1e-12"], stdout=subprocess.PIPE)
    try:
        for _ in itertools.takewhile(lambda _: _stored(file) < MANY, range(2_400)):  # two minutes
            assert process.poll() is None
            time.sleep(0.05)
        least = _stored(file)
    finally:
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
    assert process.returncode == -signal.SIGKILL
    asked = [sys.executable, "-m", "fogtree", "solve", *words]
    kept = _iterations(subprocess.run([*asked, "--iterations", "1"], capture_output=True, text=True, check=True).stdout)
    assert kept >= least >= MANY  # those of the process that was killed, and none more
    done = subprocess.run([*asked, "--target", str(target)], capture_output=True, text=True, check=True).stdout
    assert _iterations(done) > kept
    assert float(done.split("exploitability  total ")[1].split()[0]) <= target


def _stored(file):
    """The iterations of a checkpoint; the file is whole at any time."""
    return int(np.load(file)["iterations"]) if file.exists() else 0


def _iterations(text):
    return int(text.split(" iterations, ")[0].rsplit(maxsplit=1)[1].replace(",", ""))
