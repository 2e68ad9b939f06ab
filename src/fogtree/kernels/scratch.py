"""Scratch: a few words that a method needs while it runs, on every engine.

    ways = scratch(512)       # [512] zeros; the size is written in the text, or is a constant of the module

Compiled code keeps them on the stack of the CPU or in the local memory of a thread of a GPU, where `np.zeros` would need
memory that is counted, which GPUs do not have. They are gone when the function returns: do not return them."""

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.imputils import Registry as Lowering
from numba.core.registry import cpu_target
from numba.core.typing.templates import AbstractTemplate, Registry


def scratch(size):
    """So many words, all 0."""
    return np.zeros(size, np.int64)


def teach(target, typing, lowering, template):
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
teach(cpu_target, _typing, _lowering, AbstractTemplate)
cpu_target.typing_context.install_registry(_typing)
