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
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from ..errors import Invalid
from ..game import identity
from .reach import HOME, Reach, Unknown

SEPARATORS = ":,="  # between the words of a text that names a game or an agent


def spell(value: Any) -> str:
    """JSON in one spelling, so that equal values are equal texts; numbers come back exactly."""
    try:
        return json.dumps(value, sort_keys=True, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError) as error:
        raise Invalid(f"a run keeps parameters, arguments and results that JSON can hold: {error}") from None


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
    reached, paths = _reached(parameters, [task], games)
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


def piece_basis(
    piece: dict[str, Any], known: dict[str, Any], in_text: Callable[[str], Sequence[tuple[str, pathlib.Path]]]
) -> dict[str, Any]:
    """What a piece rests on that its run does not yet name: files among its own arguments. Mostly there are none. `in_text`
    finds the files in a text, and remembers: the same texts come in all pieces of a run."""
    named = {name for text in _texts(piece) for name, _ in in_text(text)}
    return _reached(piece)[0] if named - known.get("files", {}).keys() else {}


def _reached(
    arguments: Any, tasks: Sequence[Any] = (), games: Sequence[Any] = ()
) -> tuple[dict[str, Any], list[pathlib.Path]]:
    """The code that is reached from tasks, games and the files that texts name, with these files; and all paths."""
    reach, files = Reach(), dict[str, str]()
    try:
        for task in tasks:
            reach.add_task(task)
        for game in games:
            reach.add_class(type(game))
        for text in _texts(arguments):
            for named, path in files_in(text):
                files[named] = _file_digest(path)
                if path.suffix == ".py":
                    own = Reach()
                    own.add_file(path)
                    files |= _users_modules(own, path)
                    ours = {name: file for name, file in own.path.items() if file.is_relative_to(HOME)}
                    reach.path |= ours
                    reach.code |= {name: own.code[name] for name in ours}
                    reach.libraries |= own.libraries
    except Unknown as reason:
        found: dict[str, Any] = {"unknown": str(reason), "once": secrets.token_hex(8)}
    else:
        found = {"code": digest(spell(reach.code))}
    if reach.libraries:
        found["libraries"] = dict(sorted(reach.libraries.items()))
    if files:
        found["files"] = files
    return found, [*reach.path.values(), *map(pathlib.Path, files)]


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


def files_in(text: str) -> list[tuple[str, pathlib.Path]]:
    """The files that a text names, as it writes them: `my_game.py:MyGame:size=4`, `strategy:plan`, `games.json`. A name that
    is the whole text needs an ending, else it may be any word."""
    cuts, depth = [0], 0
    for at, letter in enumerate(text):
        depth += (letter in "[(") - (letter in "])")
        if letter in SEPARATORS and depth == 0:  # what is in brackets is a matrix
            cuts.append(at + 1)
    parts = (text[begin : end - 1].strip() for begin, end in itertools.combinations([*cuts, len(text) + 1], 2))
    found = [(named, pathlib.Path(named)) for named in parts if os.path.isfile(named)]
    return [(named, path) for named, path in found if path.suffix or named != text.strip()]


def _file_digest(path: pathlib.Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()[:16]
    except OSError as error:
        raise Invalid(f"{path} cannot be read: {error.strerror or error}") from None
