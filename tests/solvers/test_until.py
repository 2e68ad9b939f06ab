"""Iterations until a certificate is good enough: when it is renewed, what ends the work, and when checkpoints are saved."""

import itertools
import os
import pathlib
import signal
import subprocess
import sys
import time
from typing import NamedTuple

import numpy as np
import pytest

from fogtree.solvers import until
from fogtree.solvers.until import EACH, Limits, Pace, iterate_until
from fogtree.walk.slices import Ended, Progress


class Total(NamedTuple):
    """A certificate that says how large the total is."""

    total: float

    def improved_by(self, later):
        return min(self, later)

    def point(self, iterations, seconds):
        return iterations, seconds, self.total


class Halving:
    """Work whose total after n iterations is 1 / n; an iteration takes a second of the clock that the tests set."""

    name, finished = "halving", False

    def __init__(self, clock, pace=Pace()):  # noqa: B008
        self.iterations, self.pace, self.clock, self.saved, self.asked = 0, pace, clock, [], []

    def run(self, *, iterations, seconds, progress):
        self.asked.append((iterations, seconds))
        for _ in range(iterations):
            self.iterations += 1
            self.clock.now += 1.0
            progress(Progress("iterations", self.iterations, sum(count for count, _ in self.asked)))
            if seconds is not None and self.clock.now >= self.clock.end:
                return

    def certificate(self):
        return Total(1 / self.iterations)

    def save(self, path):
        self.clock.now += self.clock.writing
        self.saved.append(self.iterations)
        pathlib.Path(path).write_text(str(self.iterations))

    def resume(self, path):
        self.iterations = int(pathlib.Path(path).read_text())


def judged(found):
    """After how many iterations the certificate was renewed."""
    return [iterations for iterations, _, _ in found.course]


class Clock:
    now, end, writing = 100.0, float("inf"), 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock(monkeypatch):
    made = Clock()
    monkeypatch.setattr(until, "clock", made)
    return made


def test_the_certificate_is_renewed_when_the_iterations_have_grown_by_a_factor(clock):
    work = Halving(clock, Pace(factor=1.5))
    found = iterate_until(work, Limits(clock.now, iterations=100))
    assert found.ended == Ended.ITERATIONS and found.best == Total(0.01)
    assert judged(found) == [1, 2, 3, 5, 8, 12, 18, 27, 41, 62, 93, 100]
    assert work.iterations == 100
    slow = Halving(clock, Pace(30, 1.5))
    assert judged(iterate_until(slow, Limits(clock.now, iterations=100))) == [30, 60, 90, 100]
    rounds = Halving(clock, EACH)
    assert judged(iterate_until(rounds, Limits(clock.now, iterations=5))) == [1, 2, 3, 4, 5]


def test_the_best_certificate_is_kept_wherever_it_was_found(clock):
    work = Halving(clock, EACH)
    work.certificate = lambda: Total((0.5, 0.2, 0.9, 0.3)[work.iterations - 1])
    found = iterate_until(work, Limits(clock.now, iterations=4))
    assert found.best == Total(0.2) and [total for _, _, total in found.course] == [0.5, 0.2, 0.2, 0.2]


@pytest.mark.parametrize("target, ended", [(None, Ended.FINISHED), (0.5, Ended.TARGET), (0.1, Ended.STUCK)])
def test_work_with_nothing_left_to_do_is_finished_only_if_it_did_what_was_asked(clock, target, ended):
    work = Halving(clock, EACH)
    work.finished, work.certificate = True, lambda: Total(0.5)
    found = iterate_until(work, Limits(clock.now, target, iterations=9))
    assert (found.course, found.ended) == ([(0, 0.0, 0.5)], ended)


def test_an_iteration_that_the_seconds_ended_is_not_judged_again(clock):
    work = Halving(clock)

    def run(*, iterations, seconds, progress):
        clock.now += 1.0
        work.iterations += clock.now < 103.0

    work.run = run
    found = iterate_until(work, Limits(clock.now, seconds=4.0))
    assert judged(found) == [1, 2] and found.ended == Ended.SECONDS


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
    assert iterate_until(work, Limits(clock.now, **limits)).ended == ended
    assert work.iterations == iterations


def test_a_run_gets_the_seconds_that_are_left_and_never_none_of_them(clock):
    limits = Limits(clock.now - 3.0, seconds=5.0)
    assert (limits.spent(), limits.left()) == (3.0, 2.0)
    clock.now += 10.0
    assert limits.left() == until.LEAST_SECONDS
    assert Limits(clock.now).left() is None


def test_progress_is_told_of_the_last_certificate_with_the_iterations_and_seconds_of_now(clock):
    work, seen = Halving(clock, Pace(factor=3.0)), []
    iterate_until(work, Limits(clock.now - 2.0, iterations=4), progress=seen.append)
    # certificates after 1, 3 and 4 iterations; between them the second is told with the first certificate
    assert [(now.what, now.done, now.goal) for now in seen] == [("iterations", n, 4) for n in (1, 2, 3, 4)]
    assert [now.detail for now in seen] == [(1, 3.0, 1.0), (2, 4.0, 1.0), (3, 5.0, 1 / 3), (4, 6.0, 1 / 4)]


def test_ctrl_c_keeps_what_was_judged_and_is_passed_on_before_that(clock, tmp_path):
    def stop(now):
        if now.done >= 5:
            raise KeyboardInterrupt

    work = Halving(clock)
    found = iterate_until(work, Limits(clock.now), checkpoint=tmp_path / "a", progress=stop)
    assert found.ended == Ended.STOPPED
    assert work.iterations == 5 and work.saved == [5]
    work = Halving(clock)
    work.run = lambda **how: stop(Progress("iterations", 5))
    with pytest.raises(KeyboardInterrupt):
        iterate_until(work, Limits(clock.now), checkpoint=tmp_path / "b")
    assert not (tmp_path / "b").exists()
    work = Halving(clock)  # what had ended before was not stopped
    limits = Limits(clock.now, iterations=5)
    assert iterate_until(work, limits, progress=stop).ended == Ended.ITERATIONS


def test_a_checkpoint_is_saved_in_time_also_where_the_next_certificate_is_far(clock, tmp_path):
    rarely = Pace(factor=100.0)
    work = Halving(clock, rarely)
    iterate_until(work, Limits(clock.now, iterations=100), checkpoint=tmp_path / "file")
    assert work.saved == [30, 60, 90, 100]
    clock.writing = 2.0  # then forty seconds pass between two, so that writing takes a twentieth of the time
    work = Halving(clock, rarely)
    iterate_until(work, Limits(clock.now, iterations=100), checkpoint=tmp_path / "other")
    assert work.saved == [30, 70, 100]


def test_work_goes_on_from_its_checkpoint_and_is_judged_first(clock, tmp_path):
    (tmp_path / "file").write_text("8")
    work = Halving(clock, Pace(factor=2.0))
    found = iterate_until(work, Limits(clock.now, iterations=12), checkpoint=tmp_path / "file")
    assert judged(found) == [8, 12] and work.asked == [(4, None)]
    done = Halving(clock)
    iterate_until(done, Limits(clock.now, target=1.0), checkpoint=tmp_path / "file")
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
