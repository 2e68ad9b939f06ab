"""Kernels on an NVIDIA GPU. Everything that knows numba-cuda is in this file.

The text is the one that the CPU runs: the methods of NamedTuples and the plain functions that they call are typed and linked
as in `dispatch.py`, in the typing and target context of CUDA. Work is given as lanes (`lanes.py`); `entry` below is the
kernel that runs one lane in each thread.

    compiled(work, own, (9, 0))     needs no GPU: device code for a compute capability, from the cache or made
    CudaLanes(work, own)            the work's arrays on the GPU, and its code loaded there

Device code is stored beside the CPU's (`cache.py`), named by the digest of all the code and constants that it was made from,
the compute capability and the versions of the compilers.
"""

import contextlib
import ctypes
import enum
import functools
import hashlib
import importlib.metadata
import importlib.util
import inspect
import itertools
import types as python
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from ..clock import standing_still
from ..errors import Invalid, Uncompilable
from .digest import Digest, foreign
from .door import Kernel
from .folder import DEVICE_CODE, announced, cache_folder, keep
from .lanes import CUDA, fitting
from .marks import INLINED, STAND_INS
from .sentences import raising, refusal, sentence

FORMAT = 4  # of device code in the cache, and of the way to compile it; raise it when either changes
BLOCK = 128  # threads
THREADS = 2048  # on one multiprocessor at a time; what they leave over they do one lane after the other
REGISTERS = 65536  # of a multiprocessor, which its threads share
MOST_REGISTERS = 255  # of a thread
LOCAL = 1 << 12  # bytes of a lane's scratch array that lies in its thread's local memory; a larger one in global memory
ALIGNED = 16  # bytes: so that neighbours in an array in local memory can be read and written together
# NumPy's names that numba-cuda still asks for
DROPPED = ("row_stack", "vstack"), ("trapz", "trapezoid"), ("in1d", "isin")
DLPACK_CUDA, DLPACK_CODES = 2, {"i": 0, "u": 1, "f": 2}  # a device and kinds of numbers, as DLPack counts them
INSTALL = "pip install 'fogtree[cuda13]' (or [cuda12], as your driver is)"
ENTRY = """
def entry(first, count, work, large):
    place = cuda.grid(1) // {team}
    own = {own}
    for lane in range(place, count, cuda.gridsize(1) // {team}):
        work.lane(first + lane, own)
"""


_failing: dict[Any, str] = {}  # the functions that could not be compiled, and why, innermost first


class Program(NamedTuple):
    """Device code of one kind of work."""

    name: str  # of the entry
    code: bytes


def missing() -> str:
    """What keeps this machine from compiling for a GPU, in one sentence; empty if nothing does."""
    if importlib.util.find_spec("numba_cuda") is None:
        return f"device code is made by numba-cuda, which is not installed: {INSTALL}"
    return ""


@functools.cache
def _numba_cuda() -> Any:
    """numba-cuda with our meaning of methods and plain functions installed, once."""
    if problem := missing():
        raise Invalid(problem)
    from . import instructions  # noqa: F401  # before CUDA looks for what functions mean

    with _names_that_numpy_dropped():
        from numba import cuda
        from numba.cuda.descriptor import cuda_target

        cuda_target.typing_context.refresh()  # these import what is left of it
        cuda_target.target_context.refresh()
    _teach(cuda_target)
    return cuda


@contextlib.contextmanager
def _names_that_numpy_dropped() -> Iterator[None]:
    lacking = [(gone, now) for gone, now in DROPPED if not hasattr(np, gone)]
    for gone, now in lacking:
        setattr(np, gone, getattr(np, now))
    try:
        yield
    finally:
        for gone, _ in lacking:
            delattr(np, gone)


def _teach(target: Any) -> None:
    """Let CUDA's compiler resolve methods of NamedTuples by their class, and take plain functions as device functions."""
    from numba.cuda import types
    from numba.cuda.core.errors import NumbaError
    from numba.cuda.core.imputils import Registry as Lowering
    from numba.cuda.dispatcher import CUDADispatcher
    from numba.cuda.typing.templates import AbstractTemplate, AttributeTemplate, Registry
    from numba.cuda.typing.typeof import typeof_impl

    from .instructions import teach_scratch
    from .teams import member, members, next_number, together

    meant = dict(zip((member, members, together, next_number), _team_functions(), strict=True))
    typing, lowering, known = Registry(), Lowering(), set()

    class DeviceFunction(CUDADispatcher):
        """numba-cuda's, which remembers where compilation failed."""

        def compile_device(self, args, return_type=None):
            if line := raising(self.py_func):
                _failing[self.py_func] = refusal(self.py_func, line, "code on a GPU raises no errors")
                raise NumbaError("it raises an error")
            try:
                made = super().compile_device(args, return_type)
            except Exception as error:
                inner = next(iter(_failing.values()), None)
                _failing[self.py_func] = inner or sentence(self.py_func, error)
                raise
            _failing.pop(self.py_func, None)  # Numba may try several types for an argument
            return made

    @functools.cache  # which also keeps them: their types hold no reference
    def dispatcher(function, inline):
        options = {"device": True, "debug": False, "opt": True, "forceinline": inline, "fastmath": False}
        return DeviceFunction(function, targetoptions=options)

    def callee(function, inline):
        return dispatcher(function, inline)._numba_type_

    def lower_once(key, function):
        if key in known:
            return
        known.add(key)

        @lowering.lower(key, types.BaseNamedTuple, types.VarArg(types.Any))
        def call_method(context, builder, sig, args):
            typed = function.get_call_type(context.typing_context, sig.args, {})
            call = context.get_function(function, typed)
            context.add_linking_libs(getattr(call, "libs", ()))
            if len(args) < len(sig.args):  # the type of a tuple without fields is falsy, and Numba drops it
                args = (context.get_constant_undef(sig.args[0]), *args)
            return call(builder, args)

        target.target_context.install_registry(lowering)

    @typing.register_attr
    class Methods(AttributeTemplate):
        key = types.BaseNamedTuple

        def generic_resolve(self, this, name):
            method = inspect.getattr_static(this.instance_class, name, STAND_INS.get(name))
            if not inspect.isfunction(method):
                return None  # a field, or an attribute that is not there
            context, function = self.context, callee(method, True)
            call = (this.instance_class, method)
            lower_once(call, function)

            class Method(AbstractTemplate):
                key = call

                def generic(self, args, kws):
                    return function.get_call_type(context, (this, *args), kws).as_method()

            return types.BoundFunction(Method, this)

    @typeof_impl.register(python.FunctionType)
    def plain_function(function, _):
        if foreign(function) or target.typing_context._lookup_global(function) is not None:
            return None
        return callee(meant.get(function, function), hasattr(function, INLINED))

    @typeof_impl.register(Kernel)
    def kernel(value, _):
        return callee(value.py_func, False)

    teach_scratch(target, typing, lowering, AbstractTemplate)
    target.typing_context.install_registry(typing)


def _team_functions() -> tuple[Any, ...]:
    """What the functions of `teams.py` mean on a GPU: a team is neighbours in a warp, who add up by exchange. Those of a warp
    who come to a count together let the first of them add for all."""
    from numba import cuda

    from .atomic import add

    def member(team):
        return cuda.laneid & (team - 1)

    def members(team):
        return team

    def together(amount, team):
        mine = ((1 << team) - 1) << (cuda.laneid & ~(team - 1))
        distance = team >> 1
        while distance > 0:
            amount += cuda.shfl_xor_sync(mine, amount, distance)
            distance >>= 1
        return amount

    def next_number(count, place):
        here = cuda.activemask()
        before, start = cuda.popc(here & cuda.lanemask_lt()), np.int64(0)
        if before == 0:
            start = add(count, place, np.int64(cuda.popc(here)))
        return cuda.shfl_sync(here, start, cuda.ffs(here) - 1) + before

    return member, members, together, next_number


@contextlib.contextmanager
def _compiling_for(capability: tuple[int, int]) -> Iterator[None]:
    """numba-cuda asks the driver which device it compiles for, and puts constant arrays into the 64 KB of constant memory.
    Here it compiles for a capability without a device, and tables of any size go to global memory."""
    from llvmlite import ir
    from numba.cuda import cgutils, dispatcher
    from numba.cuda.target import CUDATargetContext

    asked, placed = dispatcher.get_current_device, CUDATargetContext.make_constant_array

    def make_constant_array(context, builder, kind, array):
        array = np.ascontiguousarray(array)
        data = ir.Constant(ir.ArrayType(ir.IntType(8), array.nbytes), bytearray(array.tobytes()))
        name = f"fogtree_table_{hashlib.sha256(array.tobytes()).hexdigest()[:16]}"
        variable = builder.module.globals.get(name) or cgutils.add_global_variable(
            builder.module, data.type, name, addrspace=GLOBAL_MEMORY
        )
        variable.linkage, variable.global_constant, variable.initializer = "internal", True, data
        variable.align = 16
        pointer = builder.addrspacecast(variable, ir.PointerType(ir.IntType(8)), "generic")
        made = context.make_array(kind)(context, builder)
        context.populate_array(
            made,
            data=builder.bitcast(pointer, made.data.type),
            shape=[context.get_constant(_intp(), size) for size in array.shape],
            strides=[context.get_constant(_intp(), size) for size in array.strides],
            itemsize=made.itemsize,
            parent=made.parent,
            meminfo=None,
        )
        return made._getvalue()

    dispatcher.get_current_device = lambda: python.SimpleNamespace(compute_capability=capability)
    CUDATargetContext.make_constant_array = make_constant_array
    try:
        yield
    finally:
        dispatcher.get_current_device, CUDATargetContext.make_constant_array = asked, placed


GLOBAL_MEMORY = 1  # its address space


def _intp() -> Any:
    from numba.cuda import types

    return types.intp


def compiled(work: Any, own: Any, capability: tuple[int, int]) -> Program:
    """The device code that runs lanes of this work, from the cache or compiled."""
    digest = Digest()
    versions = map(importlib.metadata.version, ("numba-cuda", "numba", "numpy"))
    digest.feed((FORMAT, ENTRY, capability, _local(work), _fused(work), _registers(work), _team(work), *versions))
    digest.feed((_spelled(work), _spelled(own), tuple(array.shape for array in own), *_classes(work), *_classes(own)))
    path = cache_folder() / f"{type(work).__qualname__}-{digest.hex()}{DEVICE_CODE}"
    with contextlib.suppress(OSError, ValueError):
        name, _, code = path.read_bytes().partition(b"\n")
        check, _, code = code.partition(b"\n")
        if hashlib.sha256(code).hexdigest().encode() == check:
            return Program(name.decode(), code)
    with standing_still(), announced(type(work).__qualname__):
        program = _compile(work, own, capability)
    keep(path, b"\n".join((program.name.encode(), hashlib.sha256(program.code).hexdigest().encode(), program.code)))
    return program


def _compile(work: Any, own: Any, capability: tuple[int, int]) -> Program:
    cuda = _numba_cuda()
    from numba.core.errors import NumbaError
    from numba.cuda import types
    from numba.cuda.compiler import _compile_pyfunc_with_fixup
    from numba.cuda.core.errors import NumbaError as NumbaCudaError
    from numba.cuda.typing.typeof import typeof

    names = {"cuda": cuda, "Own": type(own)}
    exec(ENTRY.format(own=_made(work, own, names), team=_team(work)), names)
    large = tuple(np.empty((1, *array.shape), array.dtype) for array in _large(work, own))
    signature = types.void(types.int64, types.int64, typeof(_tidy(work)), typeof(large))
    _failing.clear()
    with _compiling_for(capability):
        try:
            library, _ = _compile_pyfunc_with_fixup(names["entry"], signature, device=False, abi="numba", cc=capability)
            library._nvvm_options["fma"] = _fused(work)  # else both are rounded one after the other, as on the CPU
            library._max_registers = _registers(work)
            code = library.get_cubin(cc=capability)
        except (NumbaError, NumbaCudaError) as error:
            raise Uncompilable(next(iter(_failing.values()), "") or sentence(type(work).lane, error)) from None
    return Program(library._entry_name, bytes(code.code if hasattr(code, "code") else code))


def _threads(work: Any) -> int:
    """How many threads of one multiprocessor run lanes of this work at a time."""
    return work.threads() if hasattr(work, "threads") else THREADS


def _registers(work: Any) -> int:
    """The most registers of a thread with which so many threads fit on a multiprocessor, where the work says how many."""
    return min(MOST_REGISTERS, REGISTERS // _threads(work)) if hasattr(work, "threads") else MOST_REGISTERS


def _team(work: Any) -> int:
    """How many threads do one lane together."""
    return work.team() if hasattr(work, "team") else 1


def _local(work: Any) -> int:
    """The largest array of a lane's scratch, in bytes, that lies in local memory."""
    return work.local() if hasattr(work, "local") else LOCAL


def _fused(work: Any) -> bool:
    """Whether a product and a sum may be one instruction."""
    return bool(work.fused()) if hasattr(work, "fused") else False


def _made(work: Any, own: Any, names: dict[str, Any]) -> str:
    """The text that makes a lane's scratch: local arrays, and the lane's rows of the large ones."""
    parts, large = [], 0
    for number, array in enumerate(own):
        names[f"kind{number}"] = array.dtype.type
        if array.nbytes <= _local(work):
            shape = array.shape if array.ndim > 1 else array.shape[0]
            parts.append(f"cuda.local.array({shape}, kind{number}, alignment={ALIGNED})")
        else:
            parts.append(f"large[{large}][place]")
            large += 1
    return f"Own({', '.join(parts)})"


def _large(work: Any, own: Any) -> list[np.ndarray]:
    """The arrays that lie in global memory, one row a lane."""
    return [array for array in own if array.nbytes > _local(work)]


def _spelled(value: Any) -> str:
    """The type of a value, as far as it decides the code: arrays by their dtype and number of dimensions."""
    if isinstance(value, DeviceArray):
        return f"{value.dtype.str}x{len(value.shape)}"
    if isinstance(value, np.ndarray):
        return f"{value.dtype.str}x{value.ndim}{'' if value.flags.writeable else 'r'}"
    if isinstance(value, tuple):
        return f"{type(value).__qualname__}({','.join(map(_spelled, value))})"
    return type(value).__qualname__


def _classes(value: Any) -> list[type]:
    """The classes of a value and of all its parts."""
    if isinstance(value, tuple):
        return [type(value), *(cls for part in value for cls in _classes(part))]
    return [type(value)] if isinstance(value, enum.Enum) else []


def _tidy(value: Any) -> Any:
    """The same value with arrays of this machine that lie in one piece; empty ones stand for those on the GPU."""
    if isinstance(value, DeviceArray):
        return np.empty((0,) * len(value.shape), value.dtype)
    if isinstance(value, np.ndarray):
        return np.ascontiguousarray(value)
    if isinstance(value, tuple):
        return tuple.__new__(type(value), map(_tidy, value))
    return value


# --- the device ------------------------------------------------------------------------------------------------


class Device(NamedTuple):
    """One GPU."""

    name: str
    memory: int  # bytes
    capability: tuple[int, int]
    processors: int
    driver: str  # the newest version of CUDA that it runs


def trouble() -> str:
    """What keeps this machine from running on a GPU, in one sentence; empty if nothing does."""
    try:
        device()
    except Invalid as error:
        return str(error)
    return ""


def _done(result: Any) -> Any:
    """What a call of the driver returned, without its status; a sentence where that is an error."""
    status, *found = result
    if int(status):
        raise Invalid(f"the GPU refused: {getattr(status, 'name', status)}")
    return found[0] if len(found) == 1 else found


@functools.cache
def _driver() -> Any:
    if problem := missing():
        raise Invalid(problem)
    from cuda.bindings import driver

    try:
        _done(driver.cuInit(0))
        handle = _done(driver.cuDeviceGet(0))
        context = _done(driver.cuDevicePrimaryCtxRetain(handle))  # shared with CuPy, PyTorch and JAX
        _done(driver.cuCtxSetCurrent(context))
    except (Invalid, RuntimeError, OSError) as error:
        raise Invalid("there is no NVIDIA GPU here, or no driver for it") from error
    return driver


@functools.cache
def device() -> Device:
    """The GPU of this machine."""
    driver = _driver()
    handle, kinds = _done(driver.cuDeviceGet(0)), driver.CUdevice_attribute

    def fact(name: str) -> int:
        return int(_done(driver.cuDeviceGetAttribute(getattr(kinds, f"CU_DEVICE_ATTRIBUTE_{name}"), handle)))

    version = int(_done(driver.cuDriverGetVersion()))
    return Device(
        _done(driver.cuDeviceGetName(100, handle)).split(b"\0")[0].decode(),
        int(_done(driver.cuDeviceTotalMem(handle))),
        (fact("COMPUTE_CAPABILITY_MAJOR"), fact("COMPUTE_CAPABILITY_MINOR")),
        fact("MULTIPROCESSOR_COUNT"),
        f"{version // 1000}.{version % 1000 // 10}",
    )


def free() -> int:
    """Bytes of the GPU's memory that nobody has taken."""
    return int(_done(_driver().cuMemGetInfo())[0])


class DeviceArray:
    """An array in the memory of the GPU, with the shape and dtype of a NumPy array."""

    def __init__(self, shape: int | tuple[int, ...], dtype: Any):
        self.shape, self.dtype = tuple(map(int, np.atleast_1d(shape))), np.dtype(dtype)
        self.size = int(np.prod(self.shape, dtype=np.int64))
        self.nbytes = self.size * self.dtype.itemsize
        self.address = int(_done(_driver().cuMemAlloc(max(self.nbytes, 1))))
        self.described = self._describe()

    def _describe(self) -> tuple[int, ...]:
        """What a kernel is told of it."""
        strides = [self.dtype.itemsize]
        for size in self.shape[:0:-1]:
            strides.insert(0, strides[0] * size)
        return (0, 0, self.size, self.dtype.itemsize, self.address, *self.shape, *strides)

    def __del__(self):
        if address := getattr(self, "address", 0):
            with contextlib.suppress(Exception):  # at the end of the process the driver may be gone
                _driver().cuMemFree(address)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {"shape": self.shape, "typestr": self.dtype.str, "data": (self.address, False), "version": 3}

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        found = np.empty(self.shape, self.dtype)
        self.read(found)
        return found if dtype is None else found.astype(dtype)

    def __dlpack_device__(self) -> tuple[int, int]:
        return DLPACK_CUDA, 0

    def __dlpack__(self, **_: Any) -> Any:
        return _capsule(self)

    def copy(self) -> "DeviceArray":
        """Another array with the same content."""
        made = DeviceArray(self.shape, self.dtype)
        if self.nbytes:
            _done(_driver().cuMemcpyDtoD(made.address, self.address, self.nbytes))
        return made

    def write(self, array: np.ndarray) -> None:
        """Copy an array of the same shape and dtype to the GPU."""
        if self.nbytes:
            _done(_driver().cuMemcpyHtoD(self.address, np.ascontiguousarray(array).ctypes.data, self.nbytes))

    def clear(self) -> None:
        """Fill it with zeros."""
        if self.nbytes:
            _done(_driver().cuMemsetD8(self.address, 0, self.nbytes))

    def read(self, array: np.ndarray) -> None:
        """Copy it into an array of the same shape and dtype."""
        whole = array if array.flags.c_contiguous else np.empty_like(array, order="C")
        if self.nbytes:
            _done(_driver().cuMemcpyDtoH(whole.ctypes.data, self.address, self.nbytes))
        if whole is not array:
            array[...] = whole


class _Tensor(ctypes.Structure):
    """DLPack's description of an array, and of who frees it (DLManagedTensor of its version 0)."""

    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device_kind", ctypes.c_int32),
        ("device_number", ctypes.c_int32),
        ("dimensions", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("offset", ctypes.c_uint64),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.CFUNCTYPE(None, ctypes.c_void_p)),
    )


_lent: dict[int, tuple] = {}  # what others still look at: the description, by its address, with all that it points to


@ctypes.CFUNCTYPE(None, ctypes.c_void_p)
def _give_back(address):
    _lent.pop(address, None)


def _capsule(array: DeviceArray) -> Any:
    """The array for another library, which shares its memory."""
    shape = (ctypes.c_int64 * len(array.shape))(*array.shape)
    code, bits = DLPACK_CODES[array.dtype.kind], 8 * array.dtype.itemsize
    tensor = _Tensor(array.address, DLPACK_CUDA, 0, len(array.shape), code, bits, 1, shape, None, 0, None, _give_back)
    _lent[ctypes.addressof(tensor)] = (tensor, shape, array)
    make = ctypes.pythonapi.PyCapsule_New
    make.restype, make.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
    return make(ctypes.addressof(tensor), b"dltensor", None)


def upload(value: Any) -> Any:
    """The same value with its arrays on the GPU, in one piece each; those that are there stay as they are."""
    if isinstance(value, np.ndarray):
        made = DeviceArray(value.shape, value.dtype)
        made.write(value)  # in one piece, whatever it was
        return made
    if isinstance(value, tuple):
        return tuple.__new__(type(value), map(upload, value))
    return value


def _parameters(value: Any) -> Iterator[int]:
    """A value as the parameters of a kernel, one after the other: numbers, and what describes an array. Each is a word of 64
    bits, of which the kernel reads as many as it wants."""
    if isinstance(value, DeviceArray):
        yield from value.described
    elif isinstance(value, tuple):
        for part in value:
            yield from _parameters(part)
    elif isinstance(value, enum.Enum):
        yield from _parameters(value.value)
    elif isinstance(value, (bool, np.bool_, int, np.signedinteger)):
        yield int(value)
    elif isinstance(value, (float, np.float64)):
        yield int(np.float64(value).view(np.int64))
    elif isinstance(value, np.uint64):
        yield int(value.view(np.int64))
    else:
        raise Invalid(f"a GPU cannot be given {value!r}")


class _Parameters:
    """The parameters of a kernel as the driver reads them, in blocks, one for each field of a work. A block that changes is
    written anew, and nothing else, so that a launch costs as little for a work of many arrays as for one of few."""

    def __init__(self, *blocks: Any):
        words = [list(_parameters(block)) for block in blocks]
        self.begin = np.cumsum([0, *map(len, words)]).tolist()
        self.word = np.array([*itertools.chain(*words)], np.int64)
        self.place = self.word.ctypes.data + self.word.itemsize * np.arange(len(self.word), dtype=np.uint64)

    @property
    def address(self) -> int:
        """Of the addresses of all parameters."""
        return int(self.place.ctypes.data)

    def write(self, number: int, block: Any) -> None:
        """Put a value of the same types into a block."""
        self.word[self.begin[number] : self.begin[number + 1]] = list(_parameters(block))


@functools.cache
def _loaded(program: Program) -> Any:
    """The program's entry on the GPU, where it stays until the process ends."""
    module = _done(_driver().cuModuleLoadData(program.code))
    return _done(_driver().cuModuleGetFunction(module, program.name.encode()))


class CudaLanes:
    """Lanes on the GPU, one in each thread at a time."""

    device, pace, start = CUDA, 0.5, 1 << 15  # a launch keeps the GPU busy for longer than its last lane takes
    many = 1 << 17  # some for each thread, so that those who are done early find another

    def __init__(self, work: Any, own: Any):
        self.work, self.own = work, own
        self.function = _loaded(compiled(work, own, device().capability))
        self.there, self.most = upload(work), 0
        self.large: tuple[DeviceArray, ...] = ()
        self.team = _team(work)
        self.width = min(_threads(work) * device().processors // self.team, self._room())  # lanes that run at a time
        self._make_room(1)
        self.fields = {name: number for number, name in enumerate(self.there._fields, 1)}  # blocks of parameters
        self.parameters = _Parameters((0, 0), *self.there, self.large)

    def put(self, name: str, values: Any) -> None:
        """Copy values into an array of the work, from this machine's memory or from the GPU's."""
        array: DeviceArray = getattr(self.there, name)
        facts = getattr(values, "__cuda_array_interface__", None)
        if facts is None:
            array.write(fitting(values, array))
            return
        if tuple(facts["shape"]) != array.shape or facts["typestr"] != array.dtype.str or facts.get("strides"):
            raise Invalid(f"an array {list(array.shape)} of {array.dtype}, in one piece, is needed on the GPU")
        _done(_driver().cuCtxSynchronize())  # whoever made it may still be writing
        _done(_driver().cuMemcpyDtoD(array.address, facts["data"][0], array.nbytes))

    def clear(self, array: DeviceArray) -> None:
        """Fill an array of the work with zeros."""
        array.clear()

    def change(self, **fields: Any) -> None:
        """Put other values of the same types into fields of the work."""
        self.work = self.work._replace(**fields)
        self.there = self.there._replace(**{name: upload(value) for name, value in fields.items()})
        for name in fields:
            self.parameters.write(self.fields[name], getattr(self.there, name))

    def _room(self) -> int:
        """For how many lanes half of the free memory has scratch."""
        each = sum(array.nbytes for array in _large(self.work, self.own))
        return max(1, free() // 2 // max(each, 1) // BLOCK) * BLOCK

    def _make_room(self, lanes: int) -> None:
        """Scratch in global memory for the threads of one launch."""
        lanes = -(-lanes // BLOCK) * BLOCK
        large = _large(self.work, self.own)
        if lanes > self.most and large:
            self.large = ()  # given back first
            self.large = tuple(DeviceArray((lanes, *array.shape), array.dtype) for array in large)
            if self.most:
                self.parameters.write(len(self.fields) + 1, self.large)
        self.most = max(self.most, lanes)

    def run(self, first: int, count: int) -> None:
        """Run lanes `first` to `first + count - 1`, and wait for them; while launches are recorded, only note them."""
        if count <= 0:
            return
        driver = _driver()
        # what teams do is short, and the GPU itself gives the next lane to whoever is free
        rounds = -(-count // self.width) if self.team == 1 or self.large else 1
        side_by_side = -(-count // rounds)
        self._make_room(side_by_side)
        self.parameters.write(0, (first, count))
        blocks = (side_by_side * self.team + BLOCK - 1) // BLOCK
        stream = _recording[-1] if _recording else 0
        given = self.parameters.address
        _done(driver.cuLaunchKernel(self.function, blocks, 1, 1, BLOCK, 1, 1, 0, stream, given, 0))
        if not _recording:
            _done(driver.cuCtxSynchronize())

    def fetch(self) -> None:
        """Copy what the lanes wrote into the work's own arrays."""
        for name in self.work.writes() if hasattr(self.work, "writes") else ():
            getattr(self.there, name).read(getattr(self.work, name))


_recording: list[Any] = []  # the stream whose launches are noted and not run, if there is one


class CudaReplay:
    """Launches that are noted once, as one graph, and then run again and again without Python in between."""

    def __init__(self, play: Callable[[], Any]):
        driver = _driver()
        self.stream = _done(driver.cuStreamCreate(0))
        _done(driver.cuStreamBeginCapture(self.stream, driver.CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_RELAXED))
        _recording.append(self.stream)
        try:
            play()
        finally:
            _recording.pop()
            graph = _done(driver.cuStreamEndCapture(self.stream))
        self.graph = _done(driver.cuGraphInstantiate(graph, 0))
        _done(driver.cuGraphDestroy(graph))

    def __del__(self):
        with contextlib.suppress(Exception):  # at the end of the process the driver may be gone
            _driver().cuGraphExecDestroy(self.graph)
            _driver().cuStreamDestroy(self.stream)

    def run(self, times: int) -> None:
        """Run all of it so many times, and wait for it."""
        driver = _driver()
        for _ in range(times):
            _done(driver.cuGraphLaunch(self.graph, self.stream))
        _done(driver.cuStreamSynchronize(self.stream))
