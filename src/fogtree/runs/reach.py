"""The code that a task can reach: files of Fogtree, and the user's files to which written imports lead.

Of Fogtree all files count, code and shipped data, except for the rooms of PEOPLE: no other room imports the command line,
the page or a paper (`tests/test_house.py`), and pictures are made of results, not results of pictures. The task of a paper
reaches the files of its own folder and of the folder around it as well. A user's module that imports anything of Fogtree may
ask it for everything: then every file counts.

A user's module reaches every module that it imports, at its top or inside a function, and the packages around these. All
code of a reached file counts, because a function may find another one in ways that no reader of the text can follow: as an
attribute, in a table, as an optional verb of a game. So the answer is coarse, and nothing is missed that an import brings.

Libraries are known by their versions: all that is installed in `site-packages`, and what an installer has put into another
folder of Python's path and says so there (`pip install --target`). A user's module that loads others by name may reach
anything, and so may a task that was typed in: then `Unknown` is raised.
"""

import ast
import functools
import hashlib
import importlib.metadata
import importlib.util
import pathlib
import sys
import types
from importlib.machinery import EXTENSION_SUFFIXES
from typing import Any, NamedTuple

import numpy as np

HOME = pathlib.Path(__file__).resolve().parents[1]
PEOPLE, TOP = {"cli", "web", "draw", "papers"}, {"cli", "web"}  # left out | which may use everything
IGNORED = {".pyc", ".typed"}  # endings of files of Fogtree that say nothing
LOADERS = {"import_module", "__import__", "spec_from_file_location", "run_path", "run_module", "lazy_loader"}
RUNNERS = {"exec", "eval"}  # as plain names; a method may be called so too
INSTALLED = {"site-packages", "dist-packages"}
RECORD = "RECORD"  # where an installer lists the files that it has put into a folder
MISSING = "not installed"
PLAIN = (bool, int, float, complex, str, bytes, type(None))


class Unknown(Exception):
    """It cannot be told what a task reaches, for the reason given."""


class Text(NamedTuple):
    """What a source file says."""

    digest: str  # of its code, which comments, documentation and layout do not change
    imports: tuple[tuple[int, str], ...]  # dots before the name | a module, or what may be one
    loads: bool  # whether it loads modules by name


class Reach:
    """What has been reached so far: digests of files by the names of their modules, and the versions of libraries."""

    def __init__(self) -> None:
        self.code: dict[str, str] = {}
        self.path: dict[str, pathlib.Path] = {}  # of each of these
        self.libraries: dict[str, str] = {}

    # --- where it begins ---

    def add_task(self, task: Any) -> None:
        """A function with all that it holds, or a method with the classes of all that its object holds."""
        if isinstance(task, functools.partial):
            self.add_task(task.func)
            for value in (*task.args, *sorted(task.keywords.items())):
                self._add_value(value, task.func)
        elif isinstance(task, types.FunctionType):
            self._add_home(task.__globals__.get("__name__"), task)
            for cell in task.__closure__ or ():
                self._add_value(cell.cell_contents, task)
        else:
            for kind in _kinds(task):
                self.add_class(kind)

    def add_class(self, cls: type) -> None:
        for kind in cls.__mro__:
            self._add_home(kind.__module__, kind)

    def add_file(self, path: pathlib.Path) -> None:
        """A Python file that is no part of a package."""
        self._read(path.name, path.resolve())

    def _add_value(self, value: Any, holder: Any) -> None:
        """What a function holds from the place where it was made."""
        if isinstance(value, PLAIN):
            self.code[f"held {len(self.code)}"] = repr(value)
        elif type(value) is tuple:
            for part in value:
                self._add_value(part, holder)
        elif isinstance(value, type):
            self.add_class(value)
        elif isinstance(value, (types.FunctionType, functools.partial)):
            self.add_task(value)
        else:
            raise Unknown(f"{holder.__qualname__} holds a {type(value).__name__}")

    def _add_home(self, name: str | None, thing: Any) -> None:
        """The module in which a thing was made."""
        module = sys.modules.get(name or "")
        top = module.__name__.partition(".")[0] if module is not None else ""
        if top in sys.stdlib_module_names - {"__main__"}:
            return
        file = getattr(module, "__file__", None)
        if module is None or file is None:
            raise Unknown(f"{getattr(thing, '__qualname__', thing)} stands in no file")
        if top == HOME.name:
            own = pathlib.Path(file).resolve()
            self._add_own(None if own.relative_to(HOME).parts[0] in TOP else own)
        elif getattr(module, "__spec__", None) is None or not module.__name__.replace(".", "").isidentifier():
            self.add_file(pathlib.Path(file))  # the script itself, or a user's file that was loaded by its path
        else:
            self._follow(module.__name__, None)

    # --- the walk ---

    def _add_own(self, home: pathlib.Path | None) -> None:
        """The files of Fogtree that count for a task in one of them; all, for a task that may use everything."""
        for file in sorted(HOME.rglob("*")):
            room = file.relative_to(HOME).parts[0]
            counts = home is None or room not in PEOPLE or home.is_relative_to(file.parent)
            if counts and file.suffix not in IGNORED:
                self._read(str(file.relative_to(HOME.parent)), file)

    def _follow(self, name: str, beside: pathlib.Path | None) -> None:
        """A module that is imported; beside which file's folder it may lie, if not in a package."""
        top, *rest = name.split(".")
        if top in self.libraries:
            return
        root = _root(top, beside)
        if root is not None and root.parent == HOME:
            self._add_own(None)
        elif root is not None:
            for depth in range(len(rest) + 1):  # the packages around it, and itself
                if found := _file(root, *rest[:depth]):
                    self._read(".".join([top, *rest[:depth]]), found)
        elif top not in sys.stdlib_module_names:
            self.libraries[top] = _version(top)

    def _read(self, name: str, path: pathlib.Path) -> None:
        """Read a module, if it was not read before, and follow its imports; those inside Fogtree need not be followed."""
        if name in self.code or not path.is_file():  # a package may have no __init__.py
            return
        data, own = path.read_bytes(), path.is_relative_to(HOME)
        self.code[name], self.path[name] = _sha(data), path
        if path.suffix != ".py":
            return  # data, or compiled by somebody else
        text = _text(data)
        if text is None:
            raise Unknown(f"{path} is not valid Python")
        if text.loads and not own:
            raise Unknown(f"{path} loads modules by name")
        self.code[name] = text.digest
        package = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
        beside = path.parent if "." not in name.removesuffix(".py") else None
        for level, wanted in text.imports:
            if level == 0:
                self._follow(wanted, None if own else beside)
            elif not own:
                self._follow(".".join([*package[: len(package) - level + 1], wanted]), beside)


# --- modules and their files ------------------------------------------------------------------------------------------


def _root(top: str, beside: pathlib.Path | None) -> pathlib.Path | None:
    """The file or folder of a top-level module; None for Python's own, for a library, and where there is none."""
    found: Any = None
    if beside and ((beside / top).is_dir() or (beside / f"{top}.py").is_file()) and top not in sys.modules:
        found = _file(beside, top)
    elif top not in sys.stdlib_module_names:
        module = sys.modules.get(top)
        found = getattr(module, "__file__", None) or next(iter(getattr(module, "__path__", ())), None)
        if module is None and (spec := importlib.util.find_spec(top)):
            found = spec.origin or next(iter(spec.submodule_search_locations or ()), None)
    if found is None or (top != HOME.name and _installed(top, pathlib.Path(found))):
        return None
    return pathlib.Path(found).resolve()


@functools.cache
def _installed(top: str, path: pathlib.Path) -> bool:
    """Whether an installer has put a top-level module where it is."""
    if INSTALLED & set(path.parts):
        return True
    for name in importlib.metadata.packages_distributions().get(top, ()):
        made = importlib.metadata.distribution(name)
        listed = made.files if made.read_text(RECORD) is not None else None  # code that is being written has no record
        if any(path.resolve() == pathlib.Path(str(made.locate_file(file))).resolve() for file in listed or ()):
            return True
    return False


def _file(root: pathlib.Path, *parts: str) -> pathlib.Path | None:
    """The file of a module below a top-level one; of a package its __init__.py, or the folder where that is missing."""
    if not parts:
        return root
    place = (root if root.is_dir() else root.parent).joinpath(*parts)
    if root.is_file() and root.name != "__init__.py":
        return None
    ends = [place / "__init__.py", *(place.with_name(place.name + end) for end in (".py", *EXTENSION_SUFFIXES))]
    return next((end for end in ends if end.is_file()), place if place.is_dir() else None)


@functools.cache
def _version(library: str) -> str:
    try:
        return importlib.metadata.version(library)
    except importlib.metadata.PackageNotFoundError:
        if importlib.util.find_spec(library) is None:
            return MISSING
    makers = importlib.metadata.packages_distributions().get(library)
    if not makers:
        raise Unknown(f"the library {library} does not tell its version")
    return ", ".join(f"{maker} {importlib.metadata.version(maker)}" for maker in sorted(set(makers)))


# --- what stands in a file --------------------------------------------------------------------------------------------


@functools.lru_cache(maxsize=2048)
def _text(data: bytes) -> Text | None:
    """What a source says; None if it is no Python."""
    try:
        tree = ast.parse(data)
    except (SyntaxError, ValueError):
        return None
    imports, loads = list[tuple[int, str]](), False
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imports += [(0, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [alias.name for alias in node.names]  # each may be a module of that package
            imports += [(node.level, f"{node.module}.{name}" if node.module else name) for name in names]
            loads |= not LOADERS.isdisjoint(names)
        elif isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            loads |= isinstance(node, ast.FunctionDef) and node.name == "__getattr__" and node in tree.body
            if ast.get_docstring(node, clean=False) is not None:
                node.body = node.body[1:]
        elif isinstance(node, ast.Name):
            loads |= node.id in LOADERS | RUNNERS
        elif isinstance(node, ast.Attribute):
            loads |= node.attr in LOADERS
    return Text(_sha(ast.dump(tree).encode()), tuple(imports), loads)


def _sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


def _kinds(task: Any) -> set[type]:
    """The classes of all that the object of a method holds."""
    found, met, waiting = set[type](), dict[int, Any](), [task]
    while waiting:
        value = waiting.pop()
        if id(value) in met or isinstance(value, (*PLAIN, np.ndarray, np.generic)):
            continue
        met[id(value)] = value
        if isinstance(value, type):
            found.add(value)
            continue
        found.add(type(value))
        if isinstance(value, (tuple, list, set, frozenset)):
            waiting += value
        elif isinstance(value, dict):
            waiting += [*value.keys(), *value.values()]
        elif isinstance(value, types.MethodType):
            waiting.append(value.__self__)
        elif not isinstance(value, (types.FunctionType, types.ModuleType)):
            waiting += vars(value).values() if hasattr(value, "__dict__") else ()
    return found
