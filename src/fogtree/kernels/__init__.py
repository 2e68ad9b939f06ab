"""@kernel: plain Python functions over games and bandits, compiled. Only this folder uses Numba's internals.

A kernel is the door from Python into compiled code. What it calls is compiled with it and is plain Python too: the methods
of any `NamedTuple` that it is given (a game, a bandit, one inside another), and the module-level functions that these call.
Only the kernel needs a decorator.

    @kernel
    def playouts(game, count, random): ...

Four things are done here, each in a file of its own:

* **Dispatch.** `game.step(...)` is resolved when the kernel is typed, by the class of `game`: a direct call that LLVM
  inlines, no function pointer. Each class that a kernel meets gets machine code of its own.
* **Cache.** Machine code is stored in a folder of the user's, one file for each kernel and signature. A file's name contains
  a digest of all the code and constants that the kernel can reach, *as loaded*, not as on disk. An edit of a rule, in
  Fogtree or in a user's own file or notebook, gives another name, so outdated code is never run. The folder has a cap:
  what was not used for longest goes.
* **Errors.** What Numba cannot compile in a user's game is reported as one `Uncompilable` sentence: the function, the
  line, the reason.
* **Entrance.** An object of a user's class is checked in plain Python before compiled code runs on it (`../entrance.py`).

`NUMBA_DISABLE_JIT=1` runs the same text interpreted; `kernel.interpreted(...)` does so for one call.
"""

from ..entrance import native
from ..errors import DEBUG
from .door import STEP, Kernel, compiling_all, kernel
from .folder import cache_folder, compiled_files, compiling, compiling_for_gpu, workers_compile
from .marks import inlined, optional
from .scratch import scratch

__all__ = [
    "DEBUG",
    "STEP",
    "Kernel",
    "cache_folder",
    "compiled_files",
    "compiling",
    "compiling_all",
    "compiling_for_gpu",
    "inlined",
    "kernel",
    "native",
    "optional",
    "scratch",
    "workers_compile",
]
