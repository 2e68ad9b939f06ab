"""The code that a task can reach: the files that it leads to by the imports that are written in them.

A module reaches every module that it imports, at its top or inside a function, and the packages around these. All code of a
reached file counts, because a function may find another one in ways that no reader of the text can follow: as an attribute,
in a table, as an optional verb of a game. So the answer is coarse, and nothing is missed that an import brings.

Some of Fogtree's files load others by name, as the shelf of games does. Where such a file is imported, every file of its
folder counts. So each game counts wherever a game can be named. The package's own `__init__.py` does so too: of what it
offers, only the names that are imported from it count, and after a plain `import fogtree` all of Fogtree does. Files that
are no Python, such as weights that are shipped, count with the folder of Fogtree in which they lie.

Libraries, which means all that is installed in `site-packages`, are known by their versions. A user's module that loads
others by name may reach anything, and so may a task that was typed in: then `Unknown` is raised.
"""

import ast
import functools
import hashlib
import importlib.metadata
import importlib.util
import pathlib
import sys
import types
from collections.abc import Iterator
from importlib.machinery import EXTENSION_SUFFIXES
from typing import Any, NamedTuple

import numpy as np

HOME = pathlib.Path(__file__).resolve().parents[1]
OWN = HOME.name
ALL = "*"  # names that somebody may ask a module for, in place of which ones
LOADERS = {"import_module", "__import__", "spec_from_file_location", "run_path", "run_module", "lazy_loader"}
RUNNERS = {"exec", "eval"}  # as plain names; a method may be called so too
INSTALLED = {"site-packages", "dist-packages"}
MISSING = "not installed"
PLAIN = (bool, int, float, complex, str, bytes, type(None))
PYTHON = {".py", ".pyc", ".typed"}
CACHE = "__pycache__"


class Unknown(Exception):
    """It cannot be told what a task reaches, for the reason given."""


class Import(NamedTuple):
    level: int  # dots before the name
    module: str
    names: tuple[str, ...]  # that are asked of the module


class Text(NamedTuple):
    """What a source file says."""

    digest: str  # of its code, which comments, documentation and layout do not change
    imports: tuple[Import, ...]
    loads: bool  # whether it loads modules by name


class Reach:
    """What has been reached so far: digests of files by the names of their modules, and the versions of libraries."""

    def __init__(self) -> None:
        self.code: dict[str, str] = {}
        self.path: dict[str, pathlib.Path] = {}  # of each of these
        self.libraries: dict[str, str] = {}
        self._loads: dict[str, bool] = {}  # modules that were read, and whether they load others by name
        self._whole = set[pathlib.Path]()  # folders of which every file counts
        self._data = set[pathlib.Path]()  # folders of which the data count
        self._file = functools.cache(_file)
        self._root = functools.cache(_root)

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
        self._visit(path.name, path.resolve(), (ALL,))

    def _add_value(self, value: Any, holder: Any) -> None:
        """What a function holds from the place where it was made."""
        if isinstance(value, PLAIN):
            self.code[f"held {len(self.code)}"] = repr(value)
        elif isinstance(value, tuple) and type(value) is tuple:
            for part in value:
                self._add_value(part, holder)
        elif isinstance(value, types.ModuleType):
            self._add_home(value.__name__, value)
        elif isinstance(value, type):
            self.add_class(value)
        elif isinstance(value, (types.FunctionType, functools.partial)):
            self.add_task(value)
        else:
            raise Unknown(f"{holder.__qualname__} holds a {type(value).__name__}")

    def _add_home(self, name: str | None, thing: Any) -> None:
        """The module in which a thing was made."""
        module = sys.modules.get(name or "")
        if module is not None and _top(module.__name__) in sys.stdlib_module_names - {"__main__"}:
            return
        file = getattr(module, "__file__", None)
        if module is None or file is None:
            raise Unknown(f"{getattr(thing, '__qualname__', thing)} stands in no file")
        if getattr(module, "__spec__", None) is None or not module.__name__.replace(".", "").isidentifier():
            self.add_file(pathlib.Path(file))  # the script itself, or a user's file that was loaded by its path
        else:
            self._ask(module.__name__, (ALL,), None)

    # --- the walk ---

    def _ask(self, name: str, names: tuple[str, ...], beside: pathlib.Path | None) -> None:
        """A module, of which somebody wants some names; beside which file's folder it may lie, if not in a package."""
        top, *rest = name.split(".")
        root = self._root(top, beside)
        if root is None:
            if top not in sys.stdlib_module_names:
                self.libraries[top] = _version(top)
            return
        for depth in range(len(rest)):  # the packages around it
            if found := self._file(root, *rest[:depth]):
                self._visit(".".join([top, *rest[:depth]]), found, ())
        if found := self._file(root, *rest):
            self._visit(name, found, names)
        for part in names:
            if below := self._file(root, *rest, part):
                self._visit(f"{name}.{part}", below, (ALL,))

    def _visit(self, name: str, path: pathlib.Path, names: tuple[str, ...]) -> None:
        """Read a module, if it was not read before; `names` are those that somebody asks it for."""
        if name not in self._loads:
            self._loads[name] = False  # unless its text says otherwise
            if path.is_file():  # and no package without an __init__.py
                self._read(name, path)
        if self._loads[name] and names:
            self._expand(name, path, names)

    def _read(self, name: str, path: pathlib.Path) -> None:
        data, own = path.read_bytes(), path.is_relative_to(HOME)
        self.code[name], self.path[name] = _sha(data), path
        if path.suffix != ".py":
            return  # compiled by somebody else
        text = _text(data)
        if text is None:
            raise Unknown(f"{path} is not valid Python")
        if text.loads and not own:
            raise Unknown(f"{path} loads modules by name")
        self.code[name], self._loads[name] = text.digest, text.loads
        if own:
            self._add_data(path.parent)
        package = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
        beside = path.parent if "." not in name.removesuffix(".py") else None
        for wanted in text.imports:
            self._follow(wanted, package, beside)

    def _follow(self, wanted: Import, package: list[str], beside: pathlib.Path | None) -> None:
        if wanted.level == 0:
            self._ask(wanted.module, wanted.names, beside)
        else:
            base = package[: len(package) - wanted.level + 1]
            self._ask(".".join([*base, *filter(None, [wanted.module])]), wanted.names, beside)

    def _expand(self, name: str, path: pathlib.Path, names: tuple[str, ...]) -> None:
        """A file of Fogtree that loads others by name: those that its stub names, or else all of its folder."""
        stub = _stub(path.with_suffix(".pyi"))
        for wanted in names:
            if wanted in stub:
                self._ask(f"{name}.{stub[wanted]}", (wanted,), None)
            elif not self._file(path, wanted) and path.parent not in self._whole:
                self._whole.add(path.parent)
                for file in sorted(path.parent.rglob("*.py")):
                    parts = file.relative_to(HOME.parent).with_suffix("").parts
                    self._ask(".".join(part for part in parts if part != "__init__"), (), None)

    def _add_data(self, folder: pathlib.Path) -> None:
        """The files of a folder that are no Python, with those of folders inside it that hold no modules."""
        if folder in self._data:
            return
        self._data.add(folder)
        for file in sorted(folder.iterdir()):
            name = str(file.relative_to(HOME))
            if file.suffix in PYTHON or file.name == CACHE:
                continue
            if file.is_file():
                self.code[name], self.path[name] = _sha(file.read_bytes()), file
            elif not (file / "__init__.py").exists():
                self._add_data(file)


# --- modules and their files ------------------------------------------------------------------------------------------


def _top(name: str) -> str:
    return name.partition(".")[0]


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
    if found is None or (top != OWN and INSTALLED & set(pathlib.Path(found).parts)):
        return None
    return pathlib.Path(found).resolve()


def _file(root: pathlib.Path, *parts: str) -> pathlib.Path | None:
    """The file of a module below a top-level one; of a package its __init__.py, or the folder where that is missing."""
    if not parts:
        return root
    place = (root if root.is_dir() else root.parent).joinpath(*parts)
    if root.is_file() and root.name != "__init__.py":
        return None
    ends = [place / "__init__.py", *(place.with_name(place.name + end) for end in (".py", *EXTENSION_SUFFIXES))]
    return next((end for end in ends if end.is_file()), place if place.is_dir() and parts[-1] != ALL else None)


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
    imports, loads = list[Import](), False
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imports += _plain_imports(node)
        elif isinstance(node, ast.ImportFrom):
            names = tuple(alias.name for alias in node.names)
            imports.append(Import(node.level, node.module or "", names))
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


def _plain_imports(node: ast.Import) -> Iterator[Import]:
    """`import a.b.c` gives a name for a, through which b and c are found."""
    for alias in node.names:
        parts = alias.name.split(".")
        first = len(parts) if alias.asname else 1
        for depth in range(first, len(parts) + 1):
            yield Import(0, ".".join(parts[:depth]), (ALL,))


def _stub(path: pathlib.Path) -> dict[str, str]:
    """Public name -> module, as a stub says."""
    if not path.is_file():
        return {}
    nodes = [node for node in ast.parse(path.read_bytes()).body if isinstance(node, ast.ImportFrom)]
    return {alias.name: node.module or alias.name for node in nodes for alias in node.names}


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
