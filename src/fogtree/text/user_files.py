"""Classes from a file of the user's own: `my_game.py:MyGame:size=4`. The class may be left out where it is the only one."""

import importlib.util
import pathlib
import re
import sys
from collections.abc import Callable
from typing import Any

from ..errors import Invalid
from .parameters import build

FILE = re.compile(r"(.+?\.py)(?::(.*))?")


def from_file(text: str, what: str, method: str, home: str) -> Any:
    """An instance of the class that a text names, or None if the text names no file. A class is accepted if it has the
    given method. `what` (such as "game") and `home`, the module that describes it, are for error messages."""
    means = f"a NamedTuple class with the methods of {home}"
    found = class_from_file(text, what, means, lambda cls: hasattr(cls, "_fields") and hasattr(cls, method))
    return build(found[0], found[1], found[0].__name__) if found else None


def class_from_file(text: str, what: str, means: str, fits: Callable[[Any], bool]) -> tuple[Any, str] | None:
    """The class that a text names and the text of its parameters, or None if the text names no file. `fits` says whether a
    class is of the right kind; `what` and `means` describe that kind in error messages."""
    file = FILE.fullmatch(text.strip())
    if not file:
        return None
    rest = file[2] or ""
    wanted, _, parameters = rest.partition(":")
    if "=" in wanted:
        wanted, parameters = "", rest
    return _found(pathlib.Path(file[1]), wanted, what, means, fits), parameters


def _found(path: pathlib.Path, wanted: str, what: str, means: str, fits: Callable[[Any], bool]) -> Any:
    if not path.is_file():
        raise Invalid(f"there is no file {path}")
    module = _module(path.resolve())
    found = {
        key: value
        for key, value in vars(module).items()
        if isinstance(value, type) and value.__module__ == module.__name__ and fits(value)
    }
    if not found:
        raise Invalid(f"{path} holds no {what}: {'an' if what[0] in 'aeiou' else 'a'} {what} is {means}")
    if not wanted and len(found) == 1:
        return next(iter(found.values()))
    if not wanted:
        raise Invalid(f"{path} holds several {what}s, so one must be named: valid are {', '.join(found)}")
    if wanted not in found:
        raise Invalid(f"{path} has no {what} '{wanted}': valid are {', '.join(found)}")
    return found[wanted]


def _module(path: pathlib.Path) -> Any:
    """The file as a module, run again only when it has changed."""
    key = f"{path.stem}@{path}:{path.stat().st_mtime_ns}"
    if key in sys.modules:
        return sys.modules[key]
    spec = importlib.util.spec_from_file_location(key, path)
    assert spec
    module = importlib.util.module_from_spec(spec)
    sys.modules[key] = module
    sys.path.insert(0, str(path.parent))  # so that it finds the files beside it
    try:
        # not through the loader, whose compiled copy does not notice an edit of the same size within the same second
        exec(compile(path.read_bytes(), path, "exec"), vars(module))
    except BaseException as error:
        del sys.modules[key]
        if not isinstance(error, Exception):
            raise
        line = getattr(error, "lineno", None)
        raise Invalid(
            f"{path} cannot be read: {f'line {line}: ' if line else ''}{type(error).__name__}: {error}"
        ) from error
    finally:
        sys.path.remove(str(path.parent))
    return module
