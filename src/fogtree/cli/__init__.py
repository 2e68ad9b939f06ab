"""The command `fogtree`: parses, calls, prints. What it prints is computed elsewhere.

Each command stands in a file that registers it with the app. `main` loads only the file of the command that was typed, so
that `fogtree solve` does not wait for what `fogtree play` needs. Where no command was typed, as in `fogtree --help`, none is
loaded: their names and explanations are read from the files (`contents.py`). Whoever asks for `app` gets all.
"""

import gc
import os
import sys
from typing import Any

import lazy_loader

from . import stopping
from .stopping import STOPPED

TAB = "COMP_WORDS"  # where bash and Typer put what a user has typed when Tab is pressed
# Threads of OpenBLAS wait for work by spinning: 2**26 cycles of each core whenever NumPy is loaded, unless told otherwise.
SPIN, BRIEFLY = "OPENBLAS_THREAD_TIMEOUT", "20"  # the power of two

# The files in the order of their commands in `fogtree --help`.
FILES = {
    "games": ("games", "show", "play", "check", "count", "devices", "playouts", "agents", "bandits"),
    "solving": ("solve", "strategy", "exploit", "convert"),
    "spots": ("spot",),
    "flops": ("flops",),
    "pushfold": ("pushfold",),
    "perfect": ("perfect",),
    "endings": ("endings",),
    "comparing": ("compare", "demo"),
    "tournaments": ("tournament",),
    "soundness": ("soundness",),
    "learning": ("learn",),
    "warming": ("warm",),
    "long": ("stubborn", "runs", "paper"),
    "engines": ("gtp", "uci", "junqi"),
    "web": ("web",),
}


_load, _, _ = lazy_loader.attach(__name__, submodules={*FILES, "contents", "shell"})


def main() -> None:
    os.environ.setdefault(SPIN, BRIEFLY)  # before anything loads NumPy
    words = os.environ.get(TAB, "").split() or sys.argv
    typed = next((word for word in words[1:] if not word.startswith("-")), None)
    try:
        file = next((file for file, commands in FILES.items() if typed in commands), None)
        gc.disable()
        app = _app([file]) if file else _contents()
        gc.freeze()  # what is loaded stays: to look for circles in it is a quarter of a short command's time
        gc.enable()
        app()
        return
    except KeyboardInterrupt:
        pass
    except SystemExit as ending:  # Typer makes this of Ctrl-C while it reads the command line, without a word
        if ending.code != STOPPED or stopping.said:
            raise
    print("\nstopped while loading", file=sys.stderr)
    sys.exit(STOPPED)


def _app(files: list[str]) -> Any:
    """The app with the commands of these files."""
    for file in files:
        _load(file)  # which registers its commands
    return _load("shell").app


def _contents() -> Any:
    """The app with the names of all commands and none of their files."""
    app = _load("shell").app
    try:
        _load("contents").register(app, list(FILES))
    except OSError:  # the package was installed without its source
        return _app(list(FILES))
    return app


def __getattr__(name: str) -> Any:
    return _app(list(FILES)) if name == "app" else _load(name)
