"""Code on its way into a kernel. A method or a function that a kernel calls is compiled alone first, and then linked into the
kernel and optimised with it.

Python calls kernels only, so their parts get no machine code of their own: a function that is a value in a kernel is linked
into it as well. What is always inlined (methods, `inlined` functions) is not even optimised before it is linked, which would
be lost work: a third of the compiler's time. A plain function may stay a call. It is optimised alone first, because the
optimiser inlines a function by what it looks like at that time: Go, whose board is made of dozens of short functions, is
seven times slower without.
"""

from typing import Any

from numba.core.codegen import JITCodeLibrary


class Part(JITCodeLibrary):
    """A function that kernels call."""

    def _finalize_final_module(self):
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name):
        self._ensure_finalized()
        return 0

    @property
    def codegen(self):
        return _WithoutEnvironments(self._codegen)


class InlinedPart(Part):
    """A function that exists inside its callers only."""

    def _optimize_final_module(self):
        pass


class _WithoutEnvironments:
    """Numba's code generator, which is not asked to find a global variable of code that is not in memory."""

    def __init__(self, codegen: Any):
        self.codegen = codegen

    def __getattr__(self, name):
        return getattr(self.codegen, name)

    def set_env(self, name, environment):
        pass
