"""Classes from a file of the user's own: `my_game.py:MyGame:size=4`. The class may be left out where it is the only one."""

import importlib.util
import pathlib
import re
import sys
import traceback
from collections.abc import Callable, Sequence
from typing import Any

from ..errors import Invalid
from ..kernels.source import SOURCE
from .parameters import build

FILE = re.compile(r"(.+?\.py)(?::(.*))?")


def from_file(text: str, what: str, method: str, home: str, kin: Sequence[str] = ()) -> Any:
    """An instance of the class that a text names, or None if the text names no file. A class is accepted if it is a
    NamedTuple with the given method; of one that has most of the methods `kin` a sentence says what it lacks. `what` (such
    as "game") and `home`, the module that describes it, are for error messages."""
    means = f"a NamedTuple class with the methods of {home}"

    def fits(cls: Any) -> bool:
        return hasattr(cls, "_fields") and hasattr(cls, method)

    found = class_from_file(text, what, means, fits, lambda cls: lacks(cls, kin))
    return build(found[0], found[1], found[0].__name__) if found else None


def lacks(cls: Any, kin: Sequence[str]) -> str:
    """What a class lacks that has most of these methods; "" where it lacks nothing, or has few of them."""
    if 2 * sum(hasattr(cls, verb) for verb in kin) <= len(kin):
        return ""
    if not hasattr(cls, "_fields"):
        return f"is no NamedTuple: write class {cls.__name__}(NamedTuple)"
    missing = [verb for verb in kin if not hasattr(cls, verb)]
    return f"has no method {', '.join(missing)}" if missing else ""


def class_from_file(
    text: str,
    what: str,
    means: str,
    fits: Callable[[Any], bool],
    lacking: Callable[[Any], str] = lambda cls: "",
) -> tuple[Any, str] | None:
    """The class that a text names and the text of its parameters, or None if the text names no file. `fits` says whether a
    class is of the right kind, and `lacking` what one lacks that nearly is; `what` and `means` describe that kind in error
    messages."""
    named = own_classes(text)
    if named is None:
        return None
    path, wanted, parameters, own = named
    found = {key: value for key, value in own.items() if fits(value)}
    rule = f"{'an' if what[0] in 'aeiou' else 'a'} {what} is {means}"
    if wanted not in found and (not found or wanted):
        for key in [wanted] if wanted in own else own:
            if lack := lacking(own[key]):
                raise Invalid(f"{path}: {key} {lack}; {rule}")
    if wanted and wanted not in own:
        raise Invalid(f"{path} has no class '{wanted}': it holds {', '.join(found or own) or 'no class'}")
    if not found:
        raise Invalid(f"{path} holds no {what}: {rule}")
    if not wanted and len(found) > 1:
        raise Invalid(f"{path} holds several {what}s, so one must be named: valid are {', '.join(found)}")
    if wanted and wanted not in found:
        raise Invalid(f"{path} has no {what} '{wanted}': valid are {', '.join(found)}")
    return found[wanted or next(iter(found))], parameters


def own_classes(text: str) -> tuple[pathlib.Path, str, str, dict[str, Any]] | None:
    """The file that a text names, the class in it or "", the text of the parameters, and all classes of the file by their
    names; None if the text names no file."""
    file = FILE.fullmatch(text.strip())
    if not file:
        return None
    path, rest = pathlib.Path(file[1]), file[2] or ""
    wanted, _, parameters = rest.partition(":")
    if "=" in wanted:
        wanted, parameters = "", rest
    if not path.is_file():
        raise Invalid(f"there is no file {path}")
    module = _module(path.resolve())
    own = {
        key: value
        for key, value in vars(module).items()
        if isinstance(value, type) and value.__module__ == module.__name__
    }
    return path, wanted, parameters, own


def _place(error: BaseException, path: pathlib.Path) -> str:
    """Where in a file an error was raised, or in which file that it imports."""
    if isinstance(error, SyntaxError) and error.lineno:
        file, line = error.filename or str(path), error.lineno
    else:
        frames = [at for at in traceback.extract_tb(error.__traceback__) if at.filename != __file__]
        own = [at for at in frames if pathlib.Path(at.filename).parent.is_relative_to(path.parent)] or frames
        if not own:
            return ""
        file, line = own[-1].filename, own[-1].lineno or 0
    return f"line {line}: " if file == str(path) else f"{file}, line {line}: "


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
        data = path.read_bytes()
        code = compile(data, path, "exec")
        setattr(module, SOURCE, importlib.util.decode_source(data))
        exec(code, vars(module))
    except BaseException as error:
        del sys.modules[key]
        if not isinstance(error, (Exception, SystemExit)):
            raise
        what = error.msg if isinstance(error, SyntaxError) else error
        raise Invalid(f"{path} cannot be read: {_place(error, path)}{type(error).__name__}: {what}") from error
    finally:
        sys.path.remove(str(path.parent))
    return module
