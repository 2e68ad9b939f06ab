"""How `game.step(...)` becomes a direct call: methods are resolved by the class of the tuple when a kernel is typed."""

import functools
import gc
import inspect
import itertools
import os
import threading
import types as python
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numba.core import compiler, compiler_machinery, ir_utils, typed_passes, types
from numba.core.bytecode import FunctionIdentity
from numba.core.compiler_machinery import register_pass
from numba.core.imputils import Registry as Lowering
from numba.core.registry import CPUDispatcher, cpu_target
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, Registry
from numba.core.typing.typeof import typeof_impl

from ..clock import standing_still
from ..entrance import look, strangers
from ..errors import Uncompilable
from .cache import OPTIONS, Cache, NeedsCounting
from .digest import foreign
from .parts import InlinedPart, Part
from .sentences import DEBUG, sentence, unfit
from .stand_ins import STAND_INS

INLINED = "fogtree_inlined"  # an attribute of functions


class Kernel:
    """A function that runs compiled for the types it is called with, without the GIL."""

    def __init__(self, function: Callable):
        functools.update_wrapper(self, function)
        self.py_func = function
        # One door for each combination of argument classes: Numba's quick look at a tuple sees only names, and takes two
        # classes called Game for one.
        self.doors: dict[tuple, _Door] = {}

    def __call__(self, *args):
        if numba.config.DISABLE_JIT:
            return self.interpreted(*args)
        classes = _nested_classes(args)
        door = self.doors.get(classes) or self.doors.setdefault(classes, _Door(self.py_func, False, classes))
        if door.strangers:
            look(args)
        try:
            try:
                return door.run(args)
            except NeedsCounting:
                return self._run_counted(classes, args, door)
        except Exception as error:
            if not hasattr(error, "failure") or os.environ.get(DEBUG):  # without it: raised by the code, when it ran
                raise
            raise Uncompilable(unfit(self.py_func, args) or error.failure) from None

    def interpreted(self, *args):
        """The same text in plain Python; integers wrap round silently, as they do in machine code."""
        with np.errstate(over="ignore"):
            return self.py_func(*map(complete, args))

    def _run_counted(self, classes, args, plain):
        door = _Door(self.py_func, True, classes)
        door.waiting = plain._cache
        try:
            return door.run(args)
        finally:
            plain._cache.release()
            if door.signatures:  # counting was all that it lacked
                self.doors[classes] = door

    @property
    def _numba_type_(self):  # Numba asks for it when one kernel calls another
        return types.Dispatcher(_dispatcher(self.py_func, _now.counted))


def kernel(function: Callable) -> Kernel:
    """Mark a function as a door into compiled code."""
    return Kernel(function)


def inlined(function: Callable) -> Callable:
    """Mark a short function that compiled code copies into its callers, as it does with all methods: handing over tuples of
    arrays costs more than such a function does."""
    setattr(function, INLINED, True)
    return function


def complete(value: Any) -> Any:
    """A value for interpreted code: of a NamedTuple a copy whose class has the stand-ins of the verbs that it lacks."""
    if not (isinstance(value, tuple) and hasattr(value, "_fields")):
        return value
    return tuple.__new__(_completed(type(value), len(STAND_INS)), map(complete, value))


@functools.cache
def _completed(cls: type, known: int) -> type:
    lacking = {verb: stand_in for verb, stand_in in STAND_INS.items() if not hasattr(cls, verb)}
    return type(cls.__name__, (cls,), {"__slots__": (), "__module__": cls.__module__, **lacking}) if lacking else cls


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
                error.failure = inner or sentence(self.py_func, error)  # type: ignore[attr-defined]
            _now.failing[self.py_func] = error.failure
            raise
        _now.failing.pop(self.py_func, None)  # Numba may try several types for an argument
        return made


class _Door(_Dispatcher):
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
    if foreign(function):
        return None
    if cpu_target.typing_context._lookup_global(function) is not None:  # somebody gave it a meaning by @overload
        return None
    return types.Dispatcher(_dispatcher(function, _now.counted, inline=hasattr(function, INLINED)))


cpu_target.typing_context.install_registry(_typing)


def _number_functions_at_random():
    # Numba numbers functions from 1 in every process, and tells them apart in machine code by name and number: code from
    # the cache would be taken for another function of that name, such as the same method before an edit.
    FunctionIdentity._unique_ids = itertools.count(int.from_bytes(os.urandom(7), "little"))


_number_functions_at_random()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_number_functions_at_random)
