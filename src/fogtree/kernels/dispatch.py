"""How `game.step(...)` becomes a direct call: methods are resolved by the class of the tuple when a kernel is typed."""

import contextlib
import functools
import gc
import inspect
import itertools
import os
import threading
import types as python
from collections.abc import Callable, Iterator

import numba
from numba.core import compiler, compiler_machinery, errors, ir_utils, typed_passes, types
from numba.core.bytecode import FunctionIdentity
from numba.core.compiler_machinery import register_pass
from numba.core.imputils import Registry as Lowering
from numba.core.registry import CPUDispatcher, cpu_target
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, Registry
from numba.core.typing.typeof import typeof_impl

from ..clock import standing_still
from ..entrance import strangers
from . import instructions  # noqa: F401  # the compiled meaning of bits, atomic and memory
from .cache import OPTIONS, Cache, NeedsCounting
from .digest import foreign
from .marks import INLINED, STAND_INS
from .parts import InlinedPart, Part
from .sentences import sentence, unfit

__all__ = ["Door", "NeedsCounting", "function_type", "numba", "unfit"]


class _Now(threading.local):
    """What this thread is compiling."""

    def __init__(self):
        self.depth = 0  # how many of our functions are being compiled, one inside the other
        self.counted = False  # with reference counts
        self.failing: dict[Callable, str] = {}  # the functions that could not be compiled, and why, innermost first


_now = _Now()


@contextlib.contextmanager
def _ours() -> Iterator[None]:
    """What is typed and numbered in this thread meanwhile belongs to a kernel. Outside of it nothing of this file has a
    meaning: Numba treats other people's functions as if Fogtree were not there."""
    _now.depth += 1
    try:
        yield
    finally:
        _now.depth -= 1


class _Dispatcher(CPUDispatcher):
    """Numba's, which remembers where compilation failed. Reached from inside a kernel it has no cache of its own: its
    code is stored with the kernel's."""

    def __init__(self, function, counted, inline=False, value=False):
        options = dict(OPTIONS, _nrt=counted, forceinline=inline)
        # The wrappers to call it from outside are a third of the compiler's work: Python calls doors alone, and few
        # functions are values in compiled code.
        options |= {"no_cpython_wrapper": not isinstance(self, Door), "no_cfunc_wrapper": not value}
        super().__init__(function, targetoptions=options, pipeline_class=_Pipeline)
        self.counted, self.value = counted, value

    def get_compile_result(self, sig):
        """Numba asks for this where a function becomes a value."""
        if self.value:
            return super().get_compile_result(sig)
        return _dispatcher(self.py_func, self.counted, value=True).get_compile_result(sig)

    def get_call_template(self, args, kws):
        # Numba compiles a function once more for each number that is written in a call of it. Few need that.
        plain = tuple(map(_plain, args)), {name: _plain(kind) for name, kind in kws.items()}
        known = dict(_now.failing)
        try:
            return super().get_call_template(*plain)
        except errors.TypingError:
            if plain == (tuple(args), dict(kws)):
                raise
            _now.failing = known
            return super().get_call_template(args, kws)

    def compile(self, sig):
        try:
            with _ours():
                made = super().compile(sig)
        except Exception as error:
            if not hasattr(error, "failure"):  # it stays: Numba keeps the error, and raises it again at the next call
                inner = next(iter(_now.failing.values()), None)
                error.failure = inner or sentence(self.py_func, error)  # type: ignore[attr-defined]
            _now.failing[self.py_func] = error.failure
            raise
        _now.failing.pop(self.py_func, None)  # Numba may try several types for an argument
        return made


class Door(_Dispatcher):
    """The dispatcher that Python calls, with or without reference counts. Counting every array at every call costs more
    than all else in a tight loop, and only code that makes arrays needs it; so it is tried without first."""

    def __init__(self, function, counted, classes):
        super().__init__(function, counted)
        self._cache = Cache(function, counted)
        self.strangers = strangers(classes)  # whether a user's class is among its arguments
        self.waiting = None  # the cache of the attempt without reference counts, for which other processes wait

    def run(self, args):
        _now.counted = self.counted
        return self(*args)

    def typeof_pyval(self, val):
        with _ours():
            return super().typeof_pyval(val)

    def compile(self, sig):
        _now.failing.clear()
        collecting = gc.isenabled()
        gc.disable()  # a compiler makes millions of objects and leaves no cycles worth looking for: a twelfth of the time
        over = True
        try:
            with standing_still():
                made = super().compile(sig)
            if self.waiting is not None:
                self.waiting.mark(sig)
                self.waiting.release()
            return made
        except Exception:
            if self.counted:
                raise
            over = False  # the lock is held until the attempt with reference counts is over
            raise NeedsCounting from None
        finally:
            if collecting:
                gc.enable()
            if over:
                self._cache.release()


def _plain(kind):
    return types.unliteral(kind) if isinstance(kind, (types.IntegerLiteral, types.BooleanLiteral)) else kind


_dispatcher = functools.cache(_Dispatcher)


def function_type(function: Callable) -> types.Dispatcher:
    """The type of a function that a kernel calls."""
    return types.Dispatcher(_dispatcher(function, _now.counted))


@register_pass(mutates_CFG=False, analysis_only=True)
class _Validation(typed_passes.NoPythonSupportedFeatureValidation):
    """Numba's own check, which takes every `x.view` for a cast of numbers, told that a game's is none."""

    _name = "fogtree_validation"

    def run_pass(self, state):
        ours = {name: _ARRAY for name, typ in state.typemap.items() if isinstance(typ, types.BaseNamedTuple)}
        ir_utils.raise_on_unsupported_feature(state.func_ir, {**state.typemap, **ours})
        return False


_numbers = itertools.count()
_ARRAY = types.Array(types.int64, 1, "C")


class _Pipeline(compiler.CompilerBase):
    def define_pipelines(self):
        flags = self.state.flags
        if flags.no_cpython_wrapper:  # what kernels call, not a kernel
            part = InlinedPart if flags.forceinline else Part
            self.state.library = part(self.state.targetctx.codegen(), f"part{next(_numbers)}")
        manager = compiler.DefaultPassBuilder.define_nopython_pipeline(self.state)
        default = typed_passes.NoPythonSupportedFeatureValidation
        passes = [(_Validation if kind is default else kind, text) for kind, text in manager.passes]
        ours = compiler_machinery.PassManager("fogtree")
        for kind, text in passes:
            ours.add_pass(kind, text)
        ours.finalize()
        return [ours]


_typing, _lowering = Registry(), Lowering()
_known_methods: set[tuple] = set()


@_typing.register_attr
class _Methods(AttributeTemplate):
    """`tuple.method` for every NamedTuple: the method of its class, typed and linked as a direct call."""

    key = types.BaseNamedTuple

    def generic_resolve(self, this, name):
        if not _now.depth:
            return None
        owner = this.instance_class
        method = inspect.getattr_static(owner, name, STAND_INS.get(name))
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
    if not _now.depth or foreign(function):
        return typeof_impl.dispatch(object)(function, context)
    if cpu_target.typing_context._lookup_global(function) is not None:  # somebody gave it a meaning by @overload
        return None
    return types.Dispatcher(_dispatcher(function, _now.counted, inline=hasattr(function, INLINED)))


cpu_target.typing_context.install_registry(_typing)


class _Numbers:
    """Numba numbers functions from 1 in every process, and tells them apart in machine code by name and number: code from the
    cache would be taken for another function of that name, such as the same method before an edit. So those of kernels are
    numbered from a random number on."""

    def __init__(self, theirs):
        self.theirs = theirs
        self.begin()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self.begin)

    def begin(self):
        self.ours = itertools.count(int.from_bytes(os.urandom(7), "little"))

    def __next__(self):
        return next(self.ours if _now.depth else self.theirs)


FunctionIdentity._unique_ids = _Numbers(FunctionIdentity._unique_ids)  # type: ignore[assignment]
