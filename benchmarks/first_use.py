"""How long a command takes when it runs for the first time, and how long the second time.

Each command runs in a process of its own, with an empty cache and then with what the first run left there. What counts are
the seconds of the processor, its own and those of the processes that it starts. With FOGTREE_BEFORE=FOLDER, another checkout
of Fogtree, both take turns, and the ratio says how much quicker this one is:

    git worktree add /tmp/before COMMIT
    FOGTREE_BEFORE=/tmp/before python benchmarks/run.py first_use

FOGTREE_WHEEL=FILE measures a wheel, such as one with the compiled kernels of this platform (`make wheel`), in place of this
checkout.

As after `pip install`, Python finds the bytecode of Fogtree's own files; only compiled code is missing.
"""

import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import zipfile

from row import Row

HERE = pathlib.Path(__file__).resolve().parents[1]
BEFORE = os.environ.get("FOGTREE_BEFORE")
WHEEL = os.environ.get("FOGTREE_WHEEL")
LONG = True
RUNS = 3  # of which the median counts
FLOOR = (
    "--help",
    "games",
    "show kuhn",
    "show siguo",
    "agents",
    "bandits",
    "show nothing",
    "solve nothing",
)  # these compile nothing
FLOOR_BAR = 0.25  # seconds
HALF = 2.0  # how many times quicker the first run should be than before
COMMANDS = {  # and what is typed into it
    "solve kuhn": "",
    "solve leduc": "",
    "play chess --against alphabeta": "e4\n",
    "play holdem --against rm --seed 1": "call\n",
    "compare kuhn rm uct": "",
    "tournament kuhn random rm": "",
    "count leduc": "",
}


def measure() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        ours = HERE
        if WHEEL:
            ours = pathlib.Path(folder) / "wheel"
            zipfile.ZipFile(WHEEL).extractall(ours / "src")
        places = [ours, *([pathlib.Path(BEFORE)] if BEFORE else [])]
        os.environ["PYTHONPYCACHEPREFIX"] = f"{folder}/bytecode"  # of both places, each under its own path
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        for place in places:
            subprocess.run([sys.executable, "-m", "compileall", "-q", str(place / "src")], check=True)
        return measured(places)


def measured(places: list[pathlib.Path]) -> list[Row]:
    rows = []
    for words in FLOOR:
        ours, theirs = medians(words, "", places, colds=False)
        rows.append(row(f"{words}", ours[1], theirs[1], FLOOR_BAR))
    for words, typed in COMMANDS.items():
        ours, theirs = medians(words, typed, places)
        rows += [row(f"{words}, first", ours[0], theirs[0]), row(f"{words}, again", ours[1], theirs[1], again=True)]
    return rows


def row(name: str, ours: float, theirs: float | None, bar: float | None = None, again: bool = False) -> Row:
    if bar is not None:
        return Row(name, ours, theirs, bar=bar, unit="CPU s", peer="before" if BEFORE else "none", at_most=True)
    if theirs is None:
        return Row(name, ours, unit="CPU s", peer="none; set FOGTREE_BEFORE")
    return Row(name, ours, theirs, theirs / ours, None if again else HALF, "CPU s", "before")


def medians(words: str, typed: str, places: list[pathlib.Path], colds: bool = True):
    """The seconds of the first run and of the next, here and before."""
    found: list[list[tuple[float, float]]] = [[] for _ in places]
    for _ in range(RUNS):
        for place, pairs in zip(places, found, strict=True):
            with tempfile.TemporaryDirectory() as folder:
                cold = seconds(words, typed, place, folder)
                pairs.append((cold, seconds(words, typed, place, folder) if colds else cold))
    middle = [tuple(map(statistics.median, zip(*pairs, strict=True))) for pairs in found]
    return middle[0], middle[1] if len(middle) > 1 else (None, None)


def seconds(words: str, typed: str, place: pathlib.Path, folder: str) -> float:
    """The processor's seconds of a command, with this folder as its cache and a folder inside as its place of work."""
    work = pathlib.Path(folder) / "work"
    work.mkdir(exist_ok=True)
    more = os.environ | {"FOGTREE_CACHE": folder, "PYTHONPATH": str(place / "src")}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "-m", "fogtree", *words.split()], input=typed.encode(), env=more, cwd=work, capture_output=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
