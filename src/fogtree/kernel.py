"""@kernel: plain Python functions over games and bandits, compiled. The only file that knows Numba's internals.

A kernel is the door from Python into compiled code. Behind it everything is plain Python too: the methods of any
`NamedTuple` that it is given (a game, a bandit, one inside another), and the module-level functions that these call.
Nothing but the door needs a decorator.

    @kernel
    def playouts(game, count, random): ...

Three things are done here:

* **Dispatch.** `game.step(...)` is resolved when the kernel is typed, by the class of `game`: a direct call that LLVM
  inlines, no function pointer. One dispatcher serves all games; Numba specialises it per class.
* **Cache.** Machine code is stored in a folder of the user's, one file a kernel and signature. A file's name carries a
  digest of all the code and constants that the kernel can reach, *as loaded*, not as on disk: an edit of a rule, in
  Fogtree or in a user's own file or notebook, gives another name, and nothing stale is ever run. Files appear by an
  atomic rename, so any number of processes may compile at once.
* **Errors.** What Numba cannot type in a user's game is reported as one `Uncompilable` sentence.

`NUMBA_DISABLE_JIT=1` runs the same text interpreted; `kernel.interpreted(...)` does so for one call.
"""

import contextlib
import enum
import functools
import hashlib
import inspect
import io
import itertools
import os
import pathlib
import pickle
import re
import sys
import tempfile
import threading
import types as python
from collections.abc import Callable, Iterator
from typing import Any

import llvmlite
import numba
import numpy as np
from numba.core import caching, compiler, compiler_machinery, ir_utils, serialize, typed_passes, types
from numba.core.bytecode import FunctionIdentity
from numba.core.compiler_machinery import register_pass
from numba.core.imputils import Registry as Lowering
from numba.core.registry import CPUDispatcher, cpu_target
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, Registry
from numba.core.typing.typeof import typeof_impl

from .errors import Uncompilable

FOREIGN = sys.stdlib_module_names | {"numpy", "numba", "scipy", "llvmlite"}  # their versions are in the digest
OPTIONS = (("nopython", True), ("nogil", True), ("error_model", "numpy"))
FORMAT = 1  # of a file in the cache: a checksum, then what Numba stores
CHECK = hashlib.sha256().digest_size
COUNTED = ".counted"  # an empty file with this ending saves the next process the attempt without reference counts
MEMBERS = (python.FunctionType, enum.Enum, int, float, str, tuple)  # of a class, that its machine code may hold
DEBUG = "FOGTREE_DEBUG"  # set: Numba's own error text is shown in full


class Kernel:
    """A function that runs compiled for the types it is called with, without the GIL."""

    def __init__(self, function: Callable):
        functools.update_wrapper(self, function)
        self.function = function
        # One door for each combination of argument classes: Numba's quick look at a tuple sees only names, and takes two
        # classes called Game for one.
        self.doors: dict[tuple, _Door] = {}

    def __call__(self, *args):
        if numba.config.DISABLE_JIT:
            return self.interpreted(*args)
        classes = _nested_classes(args)
        door = self.doors.get(classes) or self.doors.setdefault(classes, _Door(self.function, counted=False))
        try:
            try:
                return door.run(args)
            except _NeedsCounting:
                return self._run_counted(classes, args)
        except Exception as error:
            if not hasattr(error, "failure") or os.environ.get(DEBUG):  # without it: raised by the code, when it ran
                raise
            raise Uncompilable(_sentence(*error.failure)) from None

    def interpreted(self, *args):
        """The same text in plain Python; integers wrap round silently, as they do in machine code."""
        with np.errstate(over="ignore"):
            return self.function(*args)

    def _run_counted(self, classes, args):
        door = _Door(self.function, counted=True)
        try:
            return door.run(args)
        finally:
            if door.signatures:  # counting was all that it lacked
                self.doors[classes] = door
                door._cache.mark(door.signatures[0])

    @property
    def _numba_type_(self):  # Numba asks for it when one kernel calls another
        return types.Dispatcher(_dispatcher(self.function, _now.counted))


def kernel(function: Callable) -> Kernel:
    """Mark a function as a door into compiled code."""
    return Kernel(function)


def optional(name: str, stand_in: Callable) -> None:
    """Let a class go without a method: compiled code that mentions it gets the stand-in instead."""
    _stand_ins[name] = stand_in


# --- dispatch ----------------------------------------------------------------------------------------------------


class _Now(threading.local):
    """What this thread is compiling."""

    def __init__(self):
        self.counted = False  # with reference counts
        self.failing: dict[Callable, Exception] = {}  # the functions that could not be compiled, innermost first


_now = _Now()


class _Dispatcher(CPUDispatcher):
    """Numba's, which remembers where compilation failed. Reached from inside a kernel it has no cache of its own: its
    code is stored with the kernel's."""

    def __init__(self, function, counted, inline=False):
        options = dict(OPTIONS, _nrt=counted, forceinline=inline)
        super().__init__(function, targetoptions=options, pipeline_class=_Pipeline)
        self.counted = counted

    def compile(self, sig):
        try:
            made = super().compile(sig)
        except Exception as error:
            _now.failing.setdefault(self.py_func, error)
            if not hasattr(error, "failure"):  # it stays: Numba keeps the error, and raises it again at the next call
                error.failure = next(iter(_now.failing.items()))  # type: ignore[attr-defined]
            raise
        _now.failing.pop(self.py_func, None)  # Numba may try several types for an argument
        return made


class _Door(_Dispatcher):
    """The dispatcher that Python calls, with or without reference counts. Counting every array at every call costs more
    than all else in a tight loop, and only code that makes arrays needs it; so it is tried without first."""

    def __init__(self, function, counted):
        super().__init__(function, counted)
        self._cache = _Cache(function, counted)

    def run(self, args):
        _now.counted = self.counted
        return self(*args)

    def compile(self, sig):
        _now.failing.clear()
        try:
            return super().compile(sig)
        except Exception:
            if self.counted:
                raise
            raise _NeedsCounting from None


class _NeedsCounting(Exception):
    """The code makes arrays, or is wrong: only compilation with reference counts will tell."""


_dispatcher = functools.cache(_Dispatcher)


def _nested_classes(values) -> tuple:
    return tuple([(type(value), _nested_classes(value)) for value in values if isinstance(value, tuple)])


@register_pass(mutates_CFG=False, analysis_only=True)
class _Validation(typed_passes.NoPythonSupportedFeatureValidation):
    """Numba's own check, which takes every `x.view` for a cast of numbers, told that a game's is none."""

    _name = "fogtree_validation"

    def run_pass(self, state):
        ours = {name: _ARRAY for name, typ in state.typemap.items() if isinstance(typ, types.BaseNamedTuple)}
        ir_utils.raise_on_unsupported_feature(state.func_ir, {**state.typemap, **ours})
        return False


_ARRAY = types.Array(types.int64, 1, "C")


class _Pipeline(compiler.CompilerBase):
    def define_pipelines(self):
        manager = compiler.DefaultPassBuilder.define_nopython_pipeline(self.state)
        default = typed_passes.NoPythonSupportedFeatureValidation
        passes = [(_Validation if kind is default else kind, text) for kind, text in manager.passes]
        ours = compiler_machinery.PassManager("fogtree")
        for kind, text in passes:
            ours.add_pass(kind, text)
        ours.finalize()
        return [ours]


_typing, _lowering = Registry(), Lowering()
_stand_ins: dict[str, Callable] = {}
_known_methods: set[tuple] = set()


@_typing.register_attr
class _Methods(AttributeTemplate):
    """`tuple.method` for every NamedTuple: the method of its class, typed and linked as a direct call."""

    key = types.BaseNamedTuple

    def generic_resolve(self, this, name):
        owner = this.instance_class
        method = inspect.getattr_static(owner, name, _stand_ins.get(name))
        if not inspect.isfunction(method):
            return None  # a field, or an attribute that is not there
        # A tuple of arrays is a hundred words: handing it to a call costs more than most methods do.
        inline = any(isinstance(field, types.Array) for field in _flat(this))
        context, callee = self.context, types.Dispatcher(_dispatcher(method, _now.counted, inline))
        call = (owner, method, _now.counted, inline)
        _lower_once(call, callee)

        class Method(AbstractTemplate):
            key = call

            def generic(self, args, kws):
                return callee.get_call_type(context, (this, *args), kws).as_method()

        return types.BoundFunction(Method, this)


def _lower_once(key, callee):
    if key in _known_methods:
        return
    _known_methods.add(key)

    @_lowering.lower(key, types.BaseNamedTuple, types.VarArg(types.Any))
    def call_method(context, builder, sig, args):
        typed = callee.get_call_type(context.typing_context, sig.args, {})
        call = context.get_function(callee, typed)
        context.add_linking_libs(getattr(call, "libs", ()))
        if len(args) < len(sig.args):  # the type of a tuple without fields is falsy, and Numba drops it
            args = (context.get_constant_undef(sig.args[0]), *args)
        return call(builder, args)

    cpu_target.target_context.install_registry(_lowering)


@typeof_impl.register(python.FunctionType)
def _plain_function(function, context):
    # A function that a game or a kernel calls is compiled like them; numpy's own keep their meaning in Numba.
    if _foreign(function):
        return None
    if cpu_target.typing_context._lookup_global(function) is not None:  # somebody gave it a meaning by @overload
        return None
    return types.Dispatcher(_dispatcher(function, _now.counted))


cpu_target.typing_context.install_registry(_typing)


def _number_functions_at_random():
    # Numba numbers functions from 1 in every process, and tells them apart in machine code by name and number: code from
    # the cache would be taken for another function of that name, such as the same method before an edit.
    FunctionIdentity._unique_ids = itertools.count(int.from_bytes(os.urandom(7), "little"))


_number_functions_at_random()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_number_functions_at_random)


# --- cache -------------------------------------------------------------------------------------------------------


def cache_folder() -> pathlib.Path:
    """Where compiled code is kept: $FOGTREE_CACHE, or the place that the system sets aside for such things."""
    if chosen := os.environ.get("FOGTREE_CACHE"):
        return pathlib.Path(chosen)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA", "~/AppData/Local")
    elif sys.platform == "darwin":
        base = "~/Library/Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    try:
        return pathlib.Path(base).expanduser() / "fogtree"
    except RuntimeError:  # a user without a home: below a file nothing can be kept
        return pathlib.Path(os.devnull)


class _Cache(caching._Cache):
    """One file a kernel and signature, named by the digest of all that it was made from."""

    def __init__(self, function, counted):
        self.function, self.counted = function, counted

    @property
    def cache_path(self):
        return str(cache_folder())

    def _path(self, sig, context, counted):
        arguments = sig if isinstance(sig, tuple) else sig.args
        parts = [part for typ in arguments for part in _flat(typ)]
        kinds = (types.BaseNamedTuple, types.EnumMember)
        classes = list(dict.fromkeys(part.instance_class for part in parts if isinstance(part, kinds)))
        digest = _Digest()
        digest.feed((numba.__version__, np.__version__, llvmlite.__version__, sys.version))
        digest.feed((FORMAT, OPTIONS, counted, numba.config.BOUNDSCHECK, int(numba.config.OPT)))
        digest.feed((context.codegen().magic_tuple(), re.sub(" at 0x[0-9a-f]+", "", repr(arguments))))
        for source in (self.function, *classes, *(p.dispatcher for p in parts if isinstance(p, types.Dispatcher))):
            digest.feed(source)
        name = re.sub(r"[^\w.]+", "-", f"{self.function.__module__}.{self.function.__qualname__}")
        return cache_folder() / f"{name[-80:]}-{digest.hex()}.nbc", classes

    def load_overload(self, sig, target_context):
        target_context.refresh()
        path, classes = self._path(sig, target_context, self.counted)
        if not self.counted and os.path.exists(path.with_suffix(COUNTED)):
            raise _NeedsCounting
        try:
            data = path.read_bytes()
            if hashlib.sha256(data[CHECK:]).digest() != data[:CHECK]:
                return None
            payload = _Unpickler(io.BytesIO(data[CHECK:]), classes).load()
            return compiler.CompileResult._rebuild(target_context, *payload)
        except Exception:  # no file, or a foreign one, or an unreadable folder: compile as if nothing were there
            return None

    def save_overload(self, sig, data):
        if data.library.has_dynamic_globals or any(not lifted.can_cache for lifted in data.lifted):
            return
        path, classes = self._path(sig, data.target_context, self.counted)
        file = io.BytesIO()
        try:
            _Pickler(file, classes).dump(data._reduce())
        except Exception:  # it holds something that lives in this process only
            return
        _write(path, hashlib.sha256(file.getvalue()).digest() + file.getvalue())

    def mark(self, sig):
        """Note that without reference counts this signature cannot be compiled."""
        path = self._path(sig, cpu_target.target_context, False)[0].with_suffix(COUNTED)
        if not os.path.exists(path):
            _write(path, b"")

    def enable(self):
        pass

    def disable(self):
        pass

    def flush(self):
        pass


def _write(path, data):
    """Let a file appear with all its content at once; a full or read-only disk costs time later, not the result."""
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".tmp", delete=False) as file:
            try:
                file.write(data)
                file.close()
                os.replace(file.name, path)
            except BaseException:
                os.unlink(file.name)
                raise


class _Pickler(serialize.NumbaPickler):
    """Stores the argument classes as numbers, so that a class of a script or a notebook is found again as itself."""

    def __init__(self, file, classes):
        super().__init__(file, protocol=4)
        self.number = {cls: i for i, cls in enumerate(classes)}

    def persistent_id(self, thing):
        return self.number.get(thing) if isinstance(thing, type) else None


class _Unpickler(pickle.Unpickler):
    def __init__(self, file, classes):
        super().__init__(file)
        self.classes = classes

    def persistent_load(self, number):
        return self.classes[number]


def _flat(typ) -> Iterator[Any]:
    """A type and the types of all its parts."""
    yield typ
    if isinstance(typ, types.BaseTuple):
        for part in typ:  # type: ignore[attr-defined]
            yield from _flat(part)


class _Digest:
    """A digest of values and of the code that they lead to: the bytecode of functions and classes, and the constants
    that Numba would freeze into them. Two things with the same digest compile to the same machine code."""

    def __init__(self):
        self.hash = hashlib.sha256()
        self.seen = {}  # id -> (its number, the object, kept so that the id stays its own)

    def hex(self):
        return self.hash.hexdigest()[:24]

    def feed(self, value):
        if value is None or isinstance(value, (bool, int, float, complex, str, bytes, slice, np.generic)):
            self._put(type(value).__name__, repr(value))
        elif isinstance(value, np.ndarray):
            self._put("array", repr((value.dtype, value.shape)), np.ascontiguousarray(value).tobytes())
        elif isinstance(value, (tuple, frozenset)):
            self._put(type(value).__name__, str(len(value)))
            if hasattr(value, "_fields"):
                self.feed(type(value))
            for item in value if isinstance(value, tuple) else sorted(value, key=repr):
                self.feed(item)
        elif isinstance(value, enum.Enum):
            self._put(type(value).__qualname__, value.name, repr(value.value))
        elif isinstance(value, python.CodeType):
            self._feed_code(value)
        elif id(value) in self.seen:
            self._put("again", str(self.seen[id(value)][0]))
        else:
            self.seen[id(value)] = len(self.seen), value
            self._feed_object(value)

    def _feed_code(self, code):
        self._put("code", code.co_code, code.co_exceptiontable)
        self._put(repr((code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)))
        self._put(repr((code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags)))
        self.feed(code.co_consts)
        for name in code.co_names:
            if name in _stand_ins:
                self.feed(_stand_ins[name])

    def _feed_object(self, value):
        if isinstance(value, Kernel):
            value = value.function
        self._put(repr(getattr(value, "targetoptions", None)))  # a function that was jitted by hand
        value = getattr(value, "py_func", value)
        self._put(type(value).__name__, f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', '')}")
        if _foreign(value):
            return
        if isinstance(value, python.FunctionType):
            self.feed(value.__code__)
            self.feed(value.__defaults__)
            for cell in value.__closure__ or ():
                with contextlib.suppress(ValueError):  # still empty
                    self.feed(cell.cell_contents)
            for name, found in _globals(value):
                self._put(name)
                self.feed(found)
        elif isinstance(value, type):
            if issubclass(value, enum.Enum):
                for member in value:
                    self.feed(member)
            for cls in value.__mro__:
                if not _foreign(cls):
                    self.feed(tuple(getattr(cls, "_field_defaults", {}).items()))
                    for name, member in sorted(vars(cls).items()):
                        if not name.startswith("__") and isinstance(member, MEMBERS):
                            self._put(name)
                            self.feed(member)

    def _put(self, *texts):
        for text in texts:
            data = text if isinstance(text, bytes) else text.encode()
            self.hash.update(len(data).to_bytes(8, "little") + data)


def _globals(function) -> Iterator[tuple[str, Any]]:
    """The global values that a function may look up, those of `module.name` among them."""
    names, codes = set(), [function.__code__]
    while codes:
        code = codes.pop()
        names.update(code.co_names)
        codes.extend(c for c in code.co_consts if isinstance(c, python.CodeType))
    for name in sorted(names & function.__globals__.keys()):
        yield from _named(name, function.__globals__[name], names)


def _named(name, value, names):
    if not isinstance(value, python.ModuleType):
        yield name, value
    elif not _foreign(value):
        for part in sorted(names - set(name.split("."))):
            if hasattr(value, part):
                yield from _named(f"{name}.{part}", getattr(value, part), names)


def _foreign(thing) -> bool:
    module = thing.__name__ if isinstance(thing, python.ModuleType) else getattr(thing, "__module__", None)
    return not module or (module.partition(".")[0] in FOREIGN and module != "__main__")


# --- errors ------------------------------------------------------------------------------------------------------


def _sentence(code, error) -> str:
    """Numba's forty lines in one: which method, which line, and what could not be typed."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    file, line = code.__code__.co_filename, code.__code__.co_firstlineno
    places = re.findall(r'File "([^"]+)", line (\d+)', text)
    inside = [int(n) for name, n in places if name and file.endswith(name.removeprefix("..").lstrip("/"))]
    if inside:
        line = inside[0]
    if calls := re.findall(
        r"No implementation of function (?:Function\()?(.+?)\)? found for signature:\s+>>> (.+)", text
    ):
        reason = f"no compiled form of {calls[0][1].strip()}"
    else:
        lines = [part.strip() for part in text.splitlines() if part.strip()]
        skip = re.compile(
            r"Failed in \w+ mode|Resolution failure|During: |File \"|<source|\^|Enable logging|Unknown attribute of type"
        )
        reason = next((part for part in lines if not skip.search(part)), type(error).__name__)
    where = code.__qualname__.rpartition("<locals>.")[2]
    return f"{where} ({file}, line {line}) cannot be compiled: {reason} (set {DEBUG}=1 to see Numba's full report)"
