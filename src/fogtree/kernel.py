"""@kernel: plain Python functions over games and bandits, compiled. The only file that knows Numba's internals.

A kernel is the door from Python into compiled code. Behind it everything is plain Python too: the methods of any
`NamedTuple` that it is given (a game, a bandit, one inside another), and the module-level functions that these call.
Nothing but the door needs a decorator.

    @kernel
    def playouts(game, count, random): ...

Three things are done here:

* **Dispatch.** `game.step(...)` is resolved when the kernel is typed, by the class of `game`: a direct call that LLVM
  inlines, no function pointer. Each class that a kernel meets gets machine code of its own.
* **Cache.** Machine code is stored in a folder of the user's, one file a kernel and signature. A file's name carries a
  digest of all the code and constants that the kernel can reach, *as loaded*, not as on disk: an edit of a rule, in
  Fogtree or in a user's own file or notebook, gives another name, and nothing stale is ever run. Files appear by an
  atomic rename, so any number of processes may compile at once.
* **Errors.** What Numba cannot compile in a user's game is reported as one `Uncompilable` sentence: the function, the
  line, the reason.

`NUMBA_DISABLE_JIT=1` runs the same text interpreted; `kernel.interpreted(...)` does so for one call.
"""

import contextlib
import dis
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
import sysconfig
import threading
import traceback
import types as python
from collections.abc import Callable, Iterator
from typing import Any

import llvmlite
import numba
import numpy as np
from numba.core import caching, compiler, compiler_machinery, errors, ir, ir_utils, serialize, typed_passes, types
from numba.core.bytecode import FunctionIdentity
from numba.core.compiler_machinery import register_pass
from numba.core.imputils import Registry as Lowering
from numba.core.registry import CPUDispatcher, cpu_target
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, Registry
from numba.core.typing.typeof import typeof_impl

from .errors import Uncompilable
from .files import appearing

FOREIGN = sys.stdlib_module_names | {"numpy", "numba", "scipy", "llvmlite"}  # known by version, not by their code
STANDARD = tuple(sysconfig.get_path(name) for name in ("stdlib", "platstdlib"))
OPTIONS = (("nopython", True), ("nogil", True), ("error_model", "numpy"))
FORMAT = 3  # of a file in the cache, and of the way to compile; raise it when either changes
CHECK = hashlib.sha256().digest_size
COUNTED = ".counted"  # an empty file with this ending saves the next process the attempt without reference counts
MEMBERS = (python.FunctionType, int, float, str, tuple)  # of a class, that its machine code may hold
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
            raise Uncompilable(_unfit(self.function, args) or error.failure) from None

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
        self.failing: dict[Callable, str] = {}  # the functions that could not be compiled, and why, innermost first


_now = _Now()


class _Dispatcher(CPUDispatcher):
    """Numba's, which remembers where compilation failed. Reached from inside a kernel it has no cache of its own: its
    code is stored with the kernel's."""

    def __init__(self, function, counted, inline=False):
        options = dict(OPTIONS, _nrt=counted, forceinline=inline)
        # The wrappers to call it from outside are a third of the compiler's work: Python calls doors alone, and only a
        # plain function can be a value in compiled code.
        door = isinstance(self, _Door)
        options |= {"no_cpython_wrapper": not door, "no_cfunc_wrapper": door or inline}
        super().__init__(function, targetoptions=options, pipeline_class=_Pipeline)
        self.counted = counted

    def compile(self, sig):
        try:
            made = super().compile(sig)
        except Exception as error:
            if not hasattr(error, "failure"):  # it stays: Numba keeps the error, and raises it again at the next call
                inner = next(iter(_now.failing.values()), None)
                error.failure = inner or _sentence(self.py_func, error)  # type: ignore[attr-defined]
            _now.failing[self.py_func] = error.failure
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
        # Methods are always inlined: most are short, and handing over a tuple of arrays, a hundred words, costs more than
        # what they do.
        context, callee = self.context, types.Dispatcher(_dispatcher(method, _now.counted, inline=True))
        call = (owner, method, _now.counted)
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
        classes = _classes(parts)
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
        if not all(map(_lasting, _classes(_flat(data.signature.return_type)))):
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
        with appearing(path) as file:
            file.write(data)


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


def _classes(typs) -> list[type]:
    """The Python classes among Numba types, each once."""
    kinds = (types.BaseNamedTuple, types.EnumMember)
    return list(dict.fromkeys(typ.instance_class for typ in typs if isinstance(typ, kinds)))  # type: ignore


def _lasting(cls) -> bool:
    """Whether another process finds a class by its name; machine code that makes others would make strangers there."""
    if cls.__module__ == "__main__" or "<locals>" in cls.__qualname__:
        return False
    return functools.reduce(getattr, cls.__qualname__.split("."), sys.modules.get(cls.__module__)) is cls


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
    names = {name for code in _codes(function.__code__) for name in code.co_names}
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
    """Whether a thing is Python's, NumPy's or Numba's own."""
    if isinstance(thing, python.FunctionType):
        module = thing.__globals__.get("__name__", "__main__")  # unlike __module__, it cannot be mistaken
    else:
        module = thing.__name__ if isinstance(thing, python.ModuleType) else getattr(thing, "__module__", None)
    return not module or (module != "__main__" and _everybodys(module.partition(".")[0]))


@functools.cache
def _everybodys(module: str) -> bool:
    file = getattr(sys.modules.get(module), "__file__", None)
    shadowed = file and module in sys.stdlib_module_names and not file.startswith(STANDARD)  # a user's queue.py
    return module in FOREIGN and not shadowed


# --- errors ------------------------------------------------------------------------------------------------------


COLOUR = re.compile(r"\x1b\[[0-9;]*m")  # on some terminals

# What Numba says, and what is said here; the groups stand for types and names.
REASONS = [
    (r"No implementation of function .+ found for signature:\s+>>> (.+)", r"no compiled form of \1"),
    (r"Untyped global name '(.+?)':.+<class '(.+?)'>", r"compiled code cannot use '\1', which is a \2"),
    (
        r"The use of an? (?:reflected )?(.+?) type, assigned to variable '(.+?)' in",
        r"compiled code cannot use '\2', a \1",
    ),
    (r"Cannot bind .+ to signature '(.+)' due to \"TypeError: (.+)\"", r"a call does not fit the parameters \1: \2"),
    (r"Unknown attribute '(.+?)' of type (.+)", r"\2 has no '\1' in compiled code"),
    (r"Can't unify return type from the following types: (.+)", r"it returns different types: \1"),
    (r"Cannot unify (.+) and (.+) for '(\w+).*', defined at", r"'\3' is \1 in one place and \2 in another"),
    (r"No definition for lowering (.+)\.(\w+) =", r"'\2' of a \1 cannot be changed"),
    (r"compiler re-entrant to the same function signature", "a method cannot call itself; a function may"),
    (r"Cannot cast (.+?) to (\S+): ", r"\1 cannot be taken for \2"),
    (r"Cannot infer the type of variable '(\w+).*, have imprecise type: (.+)\.", r"only \2 is known of '\1'"),
    (r"NameError: (.+)", r"\1"),
]
SIGNS = {"add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**", "lshift": "<<"}
SIGNS |= {"rshift": ">>", "and_": "&", "or_": "|", "xor": "^", "matmul": "@"}
SIGNS |= {f"i{name.rstrip('_')}": f"{sign}=" for name, sign in SIGNS.items()}
SIGNS |= {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!="}


def _unfit(function, args) -> str:
    """What is wrong with the arguments of a kernel, if anything is."""
    queue = list(zip(inspect.signature(function).parameters, args, strict=False))
    for name, value in queue:
        try:
            numba.typeof(value)
        except (ValueError, errors.NumbaError) as error:
            if isinstance(value, tuple) and hasattr(value, "_fields"):
                queue.extend((f"{name}.{field}", part) for field, part in zip(value._fields, value, strict=True))
            else:
                return (
                    f"{function.__qualname__} cannot be compiled: its argument {name} must be a number, an array or a "
                    f"NamedTuple of these, but: {COLOUR.sub('', str(error))}"
                )
    return ""


def _sentence(function, error) -> str:
    """Numba's forty lines in one: which method, which line, and what could not be typed."""
    where = function.__qualname__.rpartition("<locals>.")[2]
    text = COLOUR.sub("", str(error))
    reason = _reason(text, error)
    file, line = function.__code__.co_filename, _line(function.__code__, text, reason, error)
    return f"{where} ({file}, line {line}) cannot be compiled: {reason} (set {DEBUG}=1 to see Numba's full report)"


def _reason(text, error) -> str:
    if not type(error).__module__.startswith("numba."):
        text = f"Numba fails with {type(error).__name__}: {text}".removesuffix(": ")
    for pattern, words in REASONS:
        if found := re.search(pattern, text):
            return _readable(found.expand(words))
    noise = re.compile(r"^(Failed in|During: |File \"|<source|\^|Enable logging|- Resolution failure|raised from)")
    lines = [line.strip() for line in text.splitlines()]
    plain = next((line for line in lines if line and not noise.search(line)), type(error).__name__)
    return _readable(re.sub(r"\.* Raised from .*", "", plain))


def _readable(text) -> str:
    """Types as a player of games would write them: `int64 + str`, not `add(int64, Literal[str](a))`."""
    text = re.sub(r"Literal\[(\w+)\]\(.*?\)", r"\1", text).replace("unicode_type", "str")
    text = re.sub(r"(?:Function|class)\(<(?:class|built-in function|function) '?([\w.]+).*?>\)", r"\1", text)
    text = re.sub(r"IntEnum<\w+>\((\w+)\)", r"\1", text)
    text = re.sub(r"<iv=.*?>|(?<=\dd), \w+(?=\))|__main__\.", "", text)
    while (shorter := re.sub(r"\b([A-Z]\w*)\([^()]*\)", r"\1", text)) != text:
        text = shorter  # a tuple's type is its class's name
    if call := re.search(r"(\w+)\(([^,]+), ([^,]+)\)$", text):
        name, left, right = call.groups()
        if name in SIGNS:
            text = f"{text[: call.start()]}{left} {SIGNS[name]} {right}"
        if name == "getitem":
            text = f"{text[: call.start()]}{left}[{right}]"
    return text if len(text) < 300 else text[:300] + "..."


def _line(code, text, reason, error) -> int:
    """The line of a function that an error is about."""
    file, lines = code.co_filename, {line for part in _codes(code) for _, _, line in part.co_lines()}
    said = []
    for found in re.finditer(r'File "(.+)", line (\d+)|(?:at|from) (\S.*?) \((\d+)\)', text):
        name, line = found[1] or found[3], int(found[2] or found[4])
        if line in lines and os.path.basename(name) == os.path.basename(file):
            said.append(line)
    if said:  # of several returns, which Numba names in any order, the last
        return max(said) if "unify return type" in text else said[0]
    for frame, _ in reversed(list(traceback.walk_tb(error.__traceback__))):  # Numba was working on it
        for value in frame.f_locals.values():
            loc = getattr(value, "loc", value)
            if isinstance(loc, ir.Loc) and loc.filename == file and loc.line in lines - {code.co_firstlineno}:
                return loc.line
    names = [*re.findall(r"'(\w+)'", reason), code.co_name]
    for part in _codes(code):  # it is named there
        for instruction in dis.get_instructions(part):
            if instruction.argval in names and instruction.positions and instruction.positions.lineno:
                return instruction.positions.lineno
    return code.co_firstlineno


def _codes(code) -> Iterator[python.CodeType]:
    """The code of a function and of the functions inside it."""
    yield code
    for part in code.co_consts:
        if isinstance(part, python.CodeType):
            yield from _codes(part)
