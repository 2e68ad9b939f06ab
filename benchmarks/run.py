"""Runs the benchmarks in this folder: `python benchmarks/run.py` all of them, `... run.py playouts startup` those named.

A benchmark is a file here with a function `measure() -> list[Row]` (see row.py). One with LONG = True takes minutes, and runs
only when it is named, or with `--long`. One with a SKIP that is not empty says there why it cannot run on this machine. The
table shows each number beside its peer's and the bar that it should reach; results.json keeps the last run of each benchmark
with the machine it ran on.
"""

import contextlib
import datetime
import importlib
import importlib.metadata
import json
import os
import pathlib
import platform
import sys
import tempfile

from rich.console import Console
from rich.table import Table

from fogtree.kernels import cuda
from row import Row

FOLDER = pathlib.Path(__file__).parent
RESULTS = FOLDER / "results.json"
NO_BENCHMARK = {"run", "row", "decks"}  # decks.py is a command of its own
LONG = "--long"
WIDTH = 120  # of the table where there is no terminal to ask


def main(words: list[str]) -> None:
    known = sorted(path.stem for path in FOLDER.glob("*.py") if path.stem not in NO_BENCHMARK)
    named = [word for word in words if word != LONG]
    chosen = named or [name for name in known if LONG in words or not takes_minutes(name)]
    chosen = [name for name in chosen if not cannot(name)]
    if unknown := [name for name in chosen if name not in known]:
        sys.exit(f"there is no benchmark '{unknown[0]}': valid are {', '.join(known)}")
    console = Console()
    if not console.is_terminal:
        console.width = WIDTH
    results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    with tempfile.TemporaryDirectory() as cache:
        os.environ["FOGTREE_CACHE"] = cache  # an empty one: what is measured was compiled from the sources as they are
        for name in chosen:
            with console.status(f"measuring {name} ..."):
                rows = importlib.import_module(name).measure()
            console.print(table(name, rows))
            results[name] = {"machine": machine(), "rows": [row._asdict() | {"reached": row.reached} for row in rows]}
            RESULTS.write_text(json.dumps(results, indent=1) + "\n")  # after each: a stopped run keeps what it has


def takes_minutes(name: str) -> bool:
    return getattr(importlib.import_module(name), "LONG", False)


def cannot(name: str) -> bool:
    """Whether a benchmark cannot be measured on this machine; says why."""
    if why := getattr(importlib.import_module(name), "SKIP", ""):
        print(f"{name} is left out: {why}")
    return bool(why)


def table(name: str, rows: list[Row]) -> Table:
    """The rows as people read them."""
    made = Table(title=name, title_justify="left", title_style="bold")
    for head in ("", "ours", "theirs", "ratio", "bar", "reached", "unit", "peer"):
        made.add_column(head, justify="right" if head in ("ours", "theirs", "ratio", "bar") else "left")
    for row in rows:
        reached = {None: "", True: "[green]yes[/]", False: "[red]no[/]"}[row.reached]
        bound = "" if row.bar is None else f"{'<=' if row.at_most else '>='} {number(row.bar)}"
        ratio = "" if row.ratio is None else f"{row.ratio:.1f}x"
        made.add_row(row.name, number(row.ours), number(row.theirs), ratio, bound, reached, row.unit, row.peer)
    return made


def number(value: float | None) -> str:
    """Three digits, large numbers in thousands and millions."""
    if value is None:
        return ""
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:.3g}{letter}"
    return f"{value:.3g}"


def machine() -> dict[str, str]:
    """What the numbers depend on."""
    packages = ("fogtree", "numba", "numpy", "open_spiel", "numba-cuda")
    return {
        "date": datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "cpu": cpu(),
        "cores": str(os.cpu_count()),
        "system": platform.system(),
        "python": platform.python_version(),
        "gpu": "" if cuda.trouble() else cuda.device().name,
        **{package: version(package) for package in packages},
    }


def version(package: str) -> str:
    with contextlib.suppress(importlib.metadata.PackageNotFoundError):
        return importlib.metadata.version(package)
    return ""


def cpu() -> str:
    """The processor's model, as the system names it."""
    info = pathlib.Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


if __name__ == "__main__":
    main(sys.argv[1:])
