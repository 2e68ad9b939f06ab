"""The compiled meaning of `bits.py`, `atomic.py`, `memory.py` and `scratch.py`: each function there is an instruction or two.

A digest of the cache sees their Python text only: if a meaning here ever changes, FORMAT in cache.py must be raised.
"""

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.imputils import Registry as Lowering
from numba.core.registry import cpu_target
from numba.core.typing.templates import AbstractTemplate, Registry
from numba.extending import intrinsic, overload

from .atomic import add, claim
from .bits import count, highest, lowest, times
from .memory import fetch_row
from .scratch import scratch

ORDER = "monotonic"  # of one word; other words may be seen in another order
NVIDIA = "nvptx"  # begins the name of a GPU as LLVM spells it
GLOBAL_MEMORY = 1  # its address space there
READ_AND_WRITE, KEEP, DATA = 1, 3, 1  # what LLVM's prefetch wants to know
NEVER_ZERO = ir.Constant(ir.IntType(1), 1)


def _instruction(generate):
    """An intrinsic of one word that returns a whole number."""

    @intrinsic
    def found(typing, word):
        return types.int64(types.uint64), lambda context, builder, signature, args: generate(builder, args[0])

    return found


_lowest = _instruction(lambda builder, word: builder.cttz(word, NEVER_ZERO))
_highest = _instruction(lambda builder, word: builder.xor(builder.ctlz(word, NEVER_ZERO), ir.Constant(word.type, 63)))
_count = _instruction(lambda builder, word: builder.ctpop(word))


@overload(lowest)
def _(word):
    return lambda word: _lowest(np.uint64(word))


@overload(highest)
def _(word):
    return lambda word: _highest(np.uint64(word))


@overload(count)
def _(word):
    return lambda word: _count(np.uint64(word))


@overload(times)
def _(a, b):
    return lambda a, b: np.uint64(a) * np.uint64(b)


def _word(context, builder, kind, array, place):
    """The address of a word of a row."""
    held = context.make_array(kind)(context, builder, array)
    return builder.gep(held.data, [place])


@intrinsic
def _add(typing, array, place, amount):
    def generate(context, builder, signature, args):
        return builder.atomic_rmw("add", _word(context, builder, signature.args[0], *args[:2]), args[2], ORDER)

    return types.int64(array, types.int64, types.int64), generate


@intrinsic
def _claim(typing, array, place, expected, value):
    def generate(context, builder, signature, args):
        word = _word(context, builder, signature.args[0], *args[:2])
        return builder.extract_value(builder.cmpxchg(word, args[2], args[3], ORDER, ORDER), 0)

    return types.int64(array, types.int64, types.int64, types.int64), generate


@intrinsic
def _add_real(typing, array, place, amount):
    def generate(context, builder, signature, args):
        word, amount = _word(context, builder, signature.args[0], *args[:2]), args[2]
        if not builder.module.triple.startswith(NVIDIA):
            return builder.atomic_rmw("fadd", word, amount, ORDER)
        shared = ir.PointerType(amount.type, GLOBAL_MEMORY)  # where arrays that lanes write together lie
        word = builder.addrspacecast(word, shared, "shared")
        kind = ir.FunctionType(amount.type, [word.type, amount.type])  # LLVM's instruction is newer than NVIDIA's LLVM
        return builder.asm(kind, "atom.global.add.f64 $0, [$1], $2;", "=d,l,d,~{memory}", [word, amount], True)

    return types.float64(array, types.int64, types.float64), generate


@overload(add)
def _(array, place, amount):
    if array.dtype == types.float64:
        return lambda array, place, amount: _add_real(array, place, amount)
    return lambda array, place, amount: _add(array, place, amount)


@overload(claim)
def _(array, place, expected, value):
    return lambda array, place, expected, value: _claim(array, place, expected, value)


@intrinsic
def _fetch(typing, array, row):
    def generate(context, builder, signature, args):
        kind = signature.args[0]
        held = context.make_array(kind)(context, builder, args[0])
        stride = builder.extract_value(held.strides, 0)
        start = builder.ptrtoint(held.data, stride.type)
        place = builder.inttoptr(builder.add(start, builder.mul(stride, args[1])), ir.IntType(8).as_pointer())
        word = ir.IntType(32)
        shape = ir.FunctionType(ir.VoidType(), [place.type, word, word, word])
        hint = cgutils.get_or_insert_function(builder.module, shape, "llvm.prefetch.p0")
        builder.call(hint, [place, *(ir.Constant(word, value) for value in (READ_AND_WRITE, KEEP, DATA))])
        return context.get_dummy_value()

    return types.void(array, types.intp), generate


@overload(fetch_row)
def _(array, row):
    return lambda array, row: _fetch(array, row)


def teach_scratch(target, typing, lowering, template):
    """Tell a target of Numba what `scratch` means."""

    @typing.register_global(scratch)
    class Scratch(template):
        key = scratch

        def generic(self, args, _):
            # Not earlier: Numba takes the first registry of a target for its own.
            target.target_context.install_registry(lowering)
            if len(args) == 1 and isinstance(args[0], types.IntegerLiteral):
                return types.Array(types.int64, 1, "C")(args[0])
            return None  # a size that is not known when it is compiled

    @lowering.lower(scratch, types.IntegerLiteral)
    def make(context, builder, signature, _):
        size, kind = signature.args[0].literal_value, signature.return_type
        words = cgutils.alloca_once(builder, ir.ArrayType(ir.IntType(64), size), name="scratch")
        cgutils.memset(builder, words, context.get_constant(types.intp, 8 * size), 0)
        made = context.make_array(kind)(context, builder)
        context.populate_array(
            made,
            data=builder.bitcast(words, made.data.type),
            shape=[context.get_constant(types.intp, size)],
            strides=[context.get_constant(types.intp, 8)],
            itemsize=context.get_constant(types.intp, 8),
            meminfo=None,
        )
        return made._getvalue()


_typing, _lowering = Registry(), Lowering()
teach_scratch(cpu_target, _typing, _lowering, AbstractTemplate)
cpu_target.typing_context.install_registry(_typing)
