"""Spots of no-limit hold'em beside known times of postflop-solver (Rust, one thread of an EPYC core): time and memory to
its certificate.

Its figures were written down before and are not measured in this run, perhaps on another machine: the ratio is a hint.
Its times include a certificate every ten iterations, and so do ours; both leave out compiling. `python benchmarks/run.py
spots`.
"""

import json
import os
import resource
import subprocess
import sys
import time
from typing import Any

from fogtree import VectorCFR, spot
from fogtree.solvers.public.public_form import public_form
from fogtree.solvers.public.vector_cfr import bytes_needed
from row import Row

LONG = True
KILOBYTE = 1024  # what Linux counts memory in
OOP = "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s"
IP = "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+"
SPOTS = {  # the spot, the certificate in percent of the pot, known seconds and gigabytes of the other solver
    "river": (spot("Td9d6hQc2s", pot=200, stack=900, bets="50%, 100%, a; 3x", oop=OOP, ip=IP), 0.09, 0.02, None),
    "turn": (spot("Td9d6hQc", pot=200, stack=900, bets="60%; 2.5x", oop=OOP, ip=IP), 0.25, 0.98, 0.010),
    "flop": (spot("Td9d6h", pot=60, stack=370, bets="50%; 50%", oop=OOP, ip=IP), 0.47, 99.6, 0.88),
}


def measure() -> list[Row]:
    rows = []
    for name, (_, target, seconds, memory) in SPOTS.items():
        child = subprocess.run([sys.executable, __file__, name], check=True, capture_output=True, env=os.environ)
        found = json.loads(child.stdout)
        told = f"{name} to {target} % of the pot, {found['iterations']} iterations, value {found['value']:.3f}"
        rows.append(
            Row(told, found["seconds"], theirs=seconds, bar=seconds, unit="s", peer="postflop-solver", at_most=True)
        )
        if memory:
            both: Any = {"theirs": memory, "bar": memory, "unit": "GB", "peer": "postflop-solver", "at_most": True}
            rows.append(Row(f"{name}, memory of the solver, computed", found["computed"], **both))
            rows.append(Row(f"{name}, largest size of the whole process less that before", found["peak"], **both))
    return rows


def solved(name: str) -> dict[str, float]:
    """One spot, in a process of its own, so that its memory can be told."""
    game, target, _, _ = SPOTS[name]
    small = public_form(SPOTS["river"][0])
    VectorCFR(small).run(iterations=1).response(0)  # compiles
    VectorCFR(small).expected(0)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    form = public_form(game)
    cfr, began = VectorCFR(form), time.process_time()
    while True:
        cfr.run(iterations=10)
        percent = 50 * (cfr.response(0) + cfr.response(1)) / game.pot
        if percent <= target:
            break
    spent = time.process_time() - began
    peak = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * KILOBYTE / 1e9
    value = cfr.expected(0) + game.pot / 2
    return {
        "seconds": spent,
        "iterations": cfr.iterations,
        "value": value,
        "percent": percent,
        "computed": bytes_needed(form) / 1e9,
        "peak": peak,
    }


if __name__ == "__main__":
    print(json.dumps(solved(sys.argv[1])))
