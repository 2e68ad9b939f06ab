"""A digest of code as it is written, which says whether two classes have the same rules.

The digest of `digest.py` is of bytecode: it tells machine code apart, and another version of Python gives another
one. What is saved in a file must stay valid longer. So this digest is made of the source, without comments, documentation and
layout: the methods that are named, and every function and constant of the user's own that they lead to. Code of Fogtree, of
Python and of NumPy is known by its name. Where there is no source, as in code that was typed in, bytecode stands for it.
"""

import ast
import enum
import functools
import hashlib
import linecache
import types
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..entrance import native
from .digest import foreign

SOURCE = "__fogtree_source__"  # among the names of a module: its text when it was run
PLAIN = (bool, int, float, complex, str, bytes, np.generic, type(None))


@functools.cache
def code_digest(cls: type, methods: tuple[str, ...] | None = None) -> str:
    """A digest of these methods of a class, or of all, and of what they lead to."""
    digest = _Digest(cls)
    names = [name for name in dir(cls) if not name.startswith("__")] if methods is None else methods
    for name in names:
        digest.feed_member(name)
    return digest.hash.hexdigest()[:12]


class _Digest:
    def __init__(self, cls: type):
        self.cls, self.hash, self.met = cls, hashlib.sha256(), dict[int, Any]()

    def put(self, *texts: str | bytes) -> None:
        for text in texts:
            data = text.encode() if isinstance(text, str) else text
            self.hash.update(len(data).to_bytes(8, "little") + data)

    def feed_member(self, name: str) -> None:
        for kind in self.cls.__mro__:
            if name in vars(kind):
                if not (foreign(kind) or native(kind)):
                    self.put(name)
                    self.feed(vars(kind)[name])
                return

    def feed(self, value: Any) -> None:
        value = getattr(value, "py_func", value)  # of a kernel
        if isinstance(value, enum.Enum):
            self.put(type(value).__qualname__, value.name, repr(value.value))
        elif isinstance(value, PLAIN):
            self.put(type(value).__name__, repr(value))
        elif isinstance(value, np.ndarray):
            self.put("array", repr((value.dtype.str, value.shape)), np.ascontiguousarray(value).tobytes())
        elif isinstance(value, (tuple, list, set, frozenset, dict)):
            self.put(type(value).__name__, str(len(value)))
            items = value if isinstance(value, (tuple, list)) else sorted(value, key=repr)
            for item in items:
                self.feed(item)
                if isinstance(value, dict):
                    self.feed(value[item])
        elif id(value) not in self.met:
            self.met[id(value)] = value
            self.feed_code(value)

    def feed_code(self, value: Any) -> None:
        self.put(f"{type(value).__name__} {getattr(value, '__qualname__', '')}")
        if isinstance(value, (staticmethod, classmethod)):
            value = value.__func__
        if isinstance(value, property):
            self.feed(value.fget)
        elif isinstance(value, types.FunctionType) and not foreign(value) and not _ours(value):
            self.feed_function(value)
        elif isinstance(value, type) and not foreign(value) and not native(value):
            for name, member in sorted(vars(value).items()):
                if not name.startswith("_") and isinstance(member, (types.FunctionType, *PLAIN, tuple)):
                    self.put(name)
                    self.feed(member)

    def feed_function(self, function: types.FunctionType) -> None:
        text, names = _written(function)
        self.put(text)
        for value in (*(function.__defaults__ or ()), *(_contents(function))):
            self.feed(value)
        for name in sorted(names):
            if name in function.__globals__:
                self.put(name)
                for found in _parts(function.__globals__[name], names):
                    self.feed(found)
            elif hasattr(self.cls, name):
                self.feed_member(name)


def _ours(function: types.FunctionType) -> bool:
    return function.__globals__.get("__name__", "").partition(".")[0] == __name__.partition(".")[0]


def _contents(function: types.FunctionType) -> Iterator[Any]:
    """The values that a function has from the function around it."""
    for cell in function.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:  # still empty
            continue


def _parts(value: Any, names: set[str]) -> Iterator[Any]:
    """A value; of a user's module, those of its members that are named."""
    if not isinstance(value, types.ModuleType):
        yield value
    elif not (foreign(value) or value.__name__.partition(".")[0] == __name__.partition(".")[0]):
        yield from (getattr(value, name) for name in sorted(names) if hasattr(value, name))


def _written(function: types.FunctionType) -> tuple[str, set[str]]:
    """The source of a function without its layout, and the names in it."""
    code = function.__code__
    source = function.__globals__.get(SOURCE) or "".join(linecache.getlines(code.co_filename, function.__globals__))
    if found := _functions(source).get((code.co_firstlineno, code.co_name)):
        return found
    nested = any(isinstance(part, types.CodeType) for part in code.co_consts)
    return repr((code.co_code.hex(), "" if nested else code.co_consts, code.co_names)), set(code.co_names)


@functools.lru_cache(maxsize=64)
def _functions(source: str) -> dict[tuple[int, str], tuple[str, set[str]]]:
    """(first line, name) -> text and names of every function of a source."""
    found: dict[tuple[int, str], tuple[str, set[str]]] = {}
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return found
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.Lambda)):
            first = min([node.lineno, *(mark.lineno for mark in getattr(node, "decorator_list", ()))])
            name = getattr(node, "name", "<lambda>")
            if isinstance(node, ast.FunctionDef) and ast.get_docstring(node) is not None:
                node.body = node.body[1:] or [ast.Pass()]
            text, names = found.get((first, name), ("", set()))  # of several lambdas in one line, all
            named = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
            attributes = {part.attr for part in ast.walk(node) if isinstance(part, ast.Attribute)}
            found[first, name] = text + ast.unparse(node), names | named | attributes
    return found
