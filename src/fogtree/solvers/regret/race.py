"""A race of regret rules on the same sequence form, which the certificate decides.

Which rule is quickest depends on the game, by orders of magnitude. In poker and dice it is DCFR; where few things are drawn
by chance, as in Phantom Tic-Tac-Toe, Dark Hex or Goofspiel, it is HS-PCFR+, which may be behind for hundreds of iterations,
or PDCFR+. So nobody has to know it beforehand: each rule runs the same number of iterations from the start. When
certificates show that the average plans of another are exploitable LEAD times less, a rule is given up, and at the end of the
race all but the best are. Nothing of what it did is lost, so the race costs the iterations of the losers and no more.

The length is counted in iterations and not in seconds, so that the same call gives the same result on any machine. It is
LONGEST, or as many as cost about half a minute of a core. Where that is fewer than SHORTEST, the first rule is taken
unmeasured: the order of rules after a few iterations says little about the order later.
"""

import math
import os
from typing import Any

from ...clock import clock
from ...kernels.lanes import CPU, CUDA
from ...strategy import read_npz
from ...walk.slices import Progress, Watcher
from ..forms.sequence import SequenceForm
from ..until import Pace
from .cfr import CFR, RULES
from .cfr_lanes import minimiser

RACERS = ("hs-pcfr+", "pdcfr+", "dcfr")  # in the order in which they are preferred, if nothing tells them apart
SHORTEST, LONGEST = 32, 1024  # iterations of each rule
LEAD = 100.0  # times as good as another: then that is given up
NOTHING = 1e-15  # what is exploitable by less is exploitable by nothing, as far as numbers of 64 bits can tell
WORK = 10_000_000_000  # entries of the matrix times iterations that take about half a minute
FASTER = {CUDA: 300}  # how many times as many on a device
AT_ONCE = {CUDA: 16}  # iterations of a rule before the next rule runs


class Race:
    """Regret minimisation by the best of several rules. It is used as `CFR` is."""

    pace, finished = Pace(), False

    def __init__(
        self, form: SequenceForm, rules: tuple[str, ...] = RACERS, *, threads: int | None = None, device: str = CPU
    ):
        self.form, self.threads, self.device = form, threads, device
        affordable = FASTER.get(device, 1) * WORK // (len(rules) * max(form.rows.column.shape[0], 1))
        self.length = min(affordable, LONGEST)
        runners = rules if self.length >= SHORTEST else rules[:1]
        self.racers: list[CFR] = []
        for rule in runners:
            self.racers.append(self._by(rule))

    def _by(self, rule: str) -> CFR:
        like = self.racers[0] if self.racers else None
        return minimiser(self.form, rule, threads=self.threads, device=self.device, like=like)

    @property
    def iterations(self) -> int:
        """Of each rule that is still in the race."""
        return self.racers[0].iterations

    def run(self, *, iterations: int, seconds: float | None = None, progress: Watcher | None = None) -> "Race":
        """Run each rule for so many more iterations, or until the time is up. After the race the winner runs alone.
        `progress` is called after each round of the race and after each slice of the winner, and may raise."""
        stop = math.inf if seconds is None else clock() + seconds
        goal = self.iterations + iterations
        while len(self.racers) > 1 and self.iterations < goal and clock() < stop:
            more = min(AT_ONCE.get(self.device, 1), goal - self.iterations, self.length - self.iterations)
            for racer in self.racers:
                racer.run(iterations=more)
            if self.iterations >= self.length:
                self.racers = [self.leader()]
            if progress:
                progress(Progress("iterations", self.iterations, goal))
        if len(self.racers) == 1 and self.iterations < goal:
            left = None if seconds is None else max(stop - clock(), 0.0)
            self.racers[0].run(iterations=goal - self.iterations, seconds=left, progress=progress)
        return self

    def leader(self) -> CFR:
        """The rule whose average plans are exploitable least; the first of those that are equal."""
        if len(self.racers) == 1 or self.iterations == 0:
            return self.racers[0]
        return min(self.racers, key=lambda racer: racer.certificate().total)

    @property
    def name(self) -> str:
        return self.leader().name

    def certificate(self) -> Any:
        """What best responses prove of the average plans of the rule that leads. Rules that are far behind are given up."""
        found = [racer.certificate() for racer in self.racers]
        totals = [max(each.total, NOTHING) for each in found]
        best = totals.index(min(totals))
        if self.iterations >= SHORTEST:
            self.racers = [
                racer for racer, total in zip(self.racers, totals, strict=True) if total <= LEAD * totals[best]
            ]
        return found[best]

    def save(self, path: str | os.PathLike) -> None:
        """Write a checkpoint of the rule that leads. Whoever resumes it goes on with that rule alone."""
        self.leader().save(path)

    def resume(self, path: str | os.PathLike) -> None:
        """Go on from a checkpoint of the same game, by whatever rule it was made."""
        about = read_npz(path, {"about"})["about"].ravel().tolist()
        rule = about[-1] if about and about[-1] in RULES else RACERS[0]  # a wrong checkpoint is refused below
        work = self._by(rule)
        work.resume(path)
        self.racers = [work]
