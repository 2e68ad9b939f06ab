"""What a processor can be told about memory. Hints change no result, and interpreted they do nothing: but in a table that is
larger than the caches, each row that was not asked for in time costs a hundred instructions.
"""

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic, overload

READ_AND_WRITE, KEEP, DATA = 1, 3, 1  # what LLVM's prefetch wants to know


def fetch_row(array, row):
    """The row of a table [rows, columns] will be needed soon: begin to load it, and do not wait."""


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
