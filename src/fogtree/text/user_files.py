"""Classes from a file of the user's own: `my_game.py:MyGame:size=4`. The class may be left out where it is the only one."""

import importlib.util
import pathlib
import re
import sys
from typing import Any

from ..errors import Invalid
from .parameters import build

FILE = re.compile(r"(.+?\.py)(?::(.*))?")


def from_file(text: str, what: str, method: str, home: str) -> Any:
    """An instance of the class that a text names, or None where the text names no file. `what` it should be is known by
    having this method; `home` is the module that says more."""
    file = FILE.fullmatch(text.strip())
    if not file:
        return None
    rest = file[2] or ""
    wanted, _, parameters = rest.partition(":")
    if "=" in wanted:
        wanted, parameters = "", rest
    cls = _found(pathlib.Path(file[1]), wanted, what, method, home)
    return build(cls, parameters, cls.__name__)


def _found(path: pathlib.Path, wanted: str, what: str, method: str, home: str) -> Any:
    if not path.is_file():
        raise Invalid(f"there is no file {path}")
    module = _module(path.resolve())
    found = {
        key: value
        for key, value in vars(module).items()
        if isinstance(value, type)
        and value.__module__ == module.__name__
        and hasattr(value, "_fields")
        and hasattr(value, method)
    }
    if not found:
        raise Invalid(f"{path} holds no {what}: a {what} is a NamedTuple class with the methods of {home}")
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
