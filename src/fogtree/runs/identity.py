"""What a run rests on: all that can change the result of a piece besides its arguments.

    fogtree      the version of this package
    python       that of Python
    task         the name of the task
    code         a digest of all code that the task and the games can reach (`reach.py`), without comments and documentation
    libraries    the versions of the libraries among it
    rules        the games, with their parameters and the versions of their rules
    files        digests of the files that texts among the parameters name: a user's game, bandit or agent with the user's
                 modules that it imports, a saved strategy, a family of games

Where it cannot be told what is reached, `unknown` says why, beside a number that never comes again, so the run is not
reused. Not seen are files that the task opens although no argument names them, and programs that it starts.
"""

import hashlib
import importlib.metadata
import itertools
import json
import os
import pathlib
import platform
import secrets
import sys
import time
import types
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from ..errors import Invalid
from ..game import identity
from .reach import HOME, Reach, Unknown

SETTLED = 2_000_000_000  # nanoseconds after which a file that is written again has another time, on any disk
SEPARATORS = ":,="  # between the words of a text that names a game or an agent


_walks: dict[Any, tuple[Reach, dict[pathlib.Path, tuple[int, int] | None]]] = {}  # (task, classes) -> what is reached


def spell(value: Any) -> str:
    """JSON in one spelling, so that equal values are equal texts; numbers come back exactly."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def machine() -> str:
    """The machine in a few words, for reports."""
    words = [platform.system(), platform.machine(), f"{os.cpu_count()} cores", f"Python {platform.python_version()}"]
    return ", ".join(words)


def name_of(task: Any) -> str:
    return f"{task.__module__}.{task.__qualname__}"


def basis(
    task: Callable[..., Any], parameters: Any, games: Sequence[Any] = ()
) -> tuple[dict[str, Any], list[pathlib.Path]]:
    """All that can change the result of a piece besides its arguments, and the files from which this was told."""
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    reached, paths = _reached(lambda: _walked(task, frozenset(map(type, games))), parameters)
    found = {"fogtree": importlib.metadata.version("fogtree"), "python": python, "task": name_of(task)} | reached
    if rules := sorted({identity(game) for game in games}):
        found["rules"] = rules
    return found, paths


def stamps(paths: Iterable[pathlib.Path]) -> dict[pathlib.Path, tuple[int, int] | None]:
    """When each file was last written, and its size; None where it is gone."""
    found: dict[pathlib.Path, tuple[int, int] | None] = {}
    for path in paths:
        try:
            status = path.stat()
            found[path] = status.st_mtime_ns, status.st_size
        except OSError:
            found[path] = None
    return found


def piece_basis(piece: dict[str, Any], known: dict[str, Any]) -> dict[str, Any]:
    """What a piece rests on that its run does not yet name: files among its own arguments. Mostly there are none."""
    named = {name for text in _texts(piece) for name, _ in _files_in(text)}
    return _reached(Reach, piece)[0] if named - known.get("files", {}).keys() else {}


def _walked(task: Callable[..., Any], kinds: frozenset[type]) -> Reach:
    """What a task and the classes of games reach. A walk that this process has done before is not done again if none of its
    files and folders was written since; what was written just before it may be written again without another time."""
    plain = isinstance(task, types.FunctionType) and not task.__closure__  # so that it holds nothing that may change
    if plain and (task, kinds) in _walks:
        reach, seen = _walks[task, kinds]
        if stamps(seen) == seen:
            return reach
    began, reach = time.time_ns(), Reach()
    reach.add_task(task)
    for kind in kinds:
        reach.add_class(kind)
    seen = stamps({*reach.path.values(), *(path.parent for path in reach.path.values())})
    if plain and all(stamp and stamp[0] < began - SETTLED for stamp in seen.values()):
        _walks[task, kinds] = reach, seen
    return reach


def _reached(begin: Callable[[], Reach], arguments: Any) -> tuple[dict[str, Any], list[pathlib.Path]]:
    """The code that is reached from somewhere and from the files that texts name, with these files; and all paths."""
    libraries, files, paths = dict[str, str](), dict[str, str](), list[pathlib.Path]()
    try:
        reach = begin()
        code, libraries, paths = dict(reach.code), dict(reach.libraries), [*reach.path.values()]
        for text in _texts(arguments):
            for named, path in _files_in(text):
                files[named] = _file_digest(path)
                if path.suffix == ".py":
                    own = Reach()
                    own.add_file(path)
                    files |= _users_modules(own, path)
                    code |= {name: own.code[name] for name, file in own.path.items() if file.is_relative_to(HOME)}
                    libraries |= own.libraries
    except Unknown as reason:
        found: dict[str, Any] = {"unknown": str(reason), "once": secrets.token_hex(8)}
    else:
        found = {"code": digest(spell(code))}
    if libraries:
        found["libraries"] = dict(sorted(libraries.items()))
    if files:
        found["files"] = files
    return found, [*paths, *map(pathlib.Path, files)]


def _users_modules(reach: Reach, path: pathlib.Path) -> dict[str, str]:
    """Digests of the user's modules that a file imports, named as seen from there."""
    users = [file for file in reach.path.values() if not file.is_relative_to(HOME)]
    beside = {path.parent / os.path.relpath(file, path.resolve().parent): file for file in users}
    return {str(written): _file_digest(file) for written, file in beside.items() if written != path}


def _texts(value: Any) -> Iterator[str]:
    """All texts in what JSON can hold."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from _texts(inner)


def _files_in(text: str) -> Iterator[tuple[str, pathlib.Path]]:
    """The files that a text names, as it writes them: `my_game.py:MyGame:size=4`, `strategy:plan.npz`, `games.json`."""
    cuts, depth = [0], 0
    for at, letter in enumerate(text):
        depth += (letter in "[(") - (letter in "])")
        if letter in SEPARATORS and depth == 0:  # what is in brackets is a matrix
            cuts.append(at + 1)
    for begin, end in itertools.combinations([*cuts, len(text) + 1], 2):
        named = text[begin : end - 1].strip()
        path = pathlib.Path(named)
        if path.suffix and os.path.isfile(named):
            yield named, path


def _file_digest(path: pathlib.Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()[:16]
    except OSError as error:
        raise Invalid(f"{path} cannot be read: {error.strerror or error}") from None
