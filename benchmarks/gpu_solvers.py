"""Solvers on an NVIDIA GPU: whole commands from the shell, iterations of CFR beside one core, and forms built there.

It needs a GPU, and is left out where there is none: `python benchmarks/run.py gpu_solvers`. A command runs twice, and the
second run counts: its code is compiled.
"""

import os
import subprocess
import sys
import time

import numpy as np

import fogtree
from fogtree.kernels import cuda
from fogtree.solvers.forms.form_lanes import fetched, form_in_lanes
from fogtree.solvers.regret.cfr_lanes import LaneCFR
from row import Row, one_core

SKIP = cuda.trouble()  # why this cannot be measured here, or an empty text
LONG = True
COMMANDS = {  # bars: seconds by the clock
    "phantom-ttt --target 1e-5": 4,
    "phantom-ttt --target 1e-6": 8,
    "phantom-ttt:rules=forced-centre --target 1e-9": 2,
    "goofspiel:cards=6 --target 1e-9": 3,
    "goofspiel:cards=7 --target 1e-4": None,
    "dark-hex --target 1e-4": 60,
    "phantom-ttt:rules=abrupt --target 1e-4": 60,
    "dark-hex:abrupt=true --target 1e-4 --device cpu": 60,  # streamed: a form so large takes CFR too long
    "phantom-ttt --whole --method pdcfr+ --target 1e-4": 120,
}
FORMS = {"phantom-ttt:rules=forced-centre": 0.58, "goofspiel:cards=6": 0.25, "liars-dice": None}  # ms an iteration
RULE, ITERATIONS, FEW = "pdcfr+", 500, 5
PEER = "one core"


def measure() -> list[Row]:
    return [*forms(), *commands()]


def forms() -> list[Row]:
    rows = []
    for name, bar in FORMS.items():
        form_in_lanes(name, "cuda")  # compile
        start = time.perf_counter()
        form, _ = form_in_lanes(name, "cuda")
        built = time.perf_counter() - start
        entries = int(np.array(form.rows.start)[-1])
        rows.append(Row(f"{name}, the form of {entries:,} entries", built, unit="s", at_most=True))
        there, here = LaneCFR(form, RULE, device="cuda"), fogtree.CFR(fetched(form), RULE, threads=1)
        times = []
        for cfr, iterations in ((here, FEW), (there, ITERATIONS)):
            with one_core():
                cfr.run(iterations=FEW)
                start = time.perf_counter()
                cfr.run(iterations=iterations)
                times.append(1e3 * (time.perf_counter() - start) / iterations)
        rows.append(Row(f"{name}, an iteration", times[1], bar=bar, unit="ms", at_most=True))
        rows.append(Row("the same beside one core", times[1], times[0], times[0] / times[1], unit="ms", peer=PEER))
    return rows


def commands() -> list[Row]:
    rows = []
    for words, bar in COMMANDS.items():
        whole = [sys.executable, "-m", "fogtree", "solve", "--device", "cuda", *words.split()]  # the last device counts
        for _ in range(2):
            start = time.perf_counter()
            subprocess.run(whole, check=True, capture_output=True, env=os.environ)
            spent = time.perf_counter() - start
        rows.append(Row(f"fogtree solve {words}", spent, bar=bar, unit="s", at_most=True))
    return rows
