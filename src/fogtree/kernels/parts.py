"""Code on its way into a kernel. A method or a function that a kernel calls is compiled alone first, and then linked into the
kernel and optimised with it.

What is always inlined (methods, `inlined` functions) is never called from outside and gets no machine code of its own. To
optimise it before it is linked is lost work, so it is left out: a third of the compiler's time. A plain function may stay a
call. It is optimised alone first, because the optimiser inlines a function by what it looks like at that time: Go, whose
board is made of dozens of short functions, is seven times slower without.
"""

from typing import Any

from numba.core.codegen import JITCodeLibrary


class InlinedPart(JITCodeLibrary):
    """A function that exists inside its callers only."""

    def _optimize_final_module(self):
        pass

    def _finalize_final_module(self):
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name):
        self._ensure_finalized()
        return 0

    @property
    def codegen(self):
        return _WithoutEnvironments(self._codegen)


class _WithoutEnvironments:
    """Numba's code generator, which is not asked to find a global variable of code that is not in memory."""

    def __init__(self, codegen: Any):
        self.codegen = codegen

    def __getattr__(self, name):
        return getattr(self.codegen, name)

    def set_env(self, name, environment):
        pass
