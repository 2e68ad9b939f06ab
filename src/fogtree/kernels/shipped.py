"""Machine code that came with the package.

A wheel for one platform carries the kernels of the common commands (`.ci/platform_wheel.py` makes it), in the folder
`shipped` beside this file. They are named as in the user's folder, but made for a processor of which is only known what it
must be able to do: `target.json` names that. Whatever differs, in the code, in the version of Numba, in the processor, gives
another name, and then the kernel is compiled here as everywhere.
"""

import functools
import json
import pathlib

import llvmlite.binding as llvm
from numba import config

from .folder import SHIPPED

TARGET = "target.json"


@functools.cache
def target(folder: pathlib.Path = SHIPPED) -> tuple[str, ...] | None:
    """The system, the processor and its features that the kernels in the folder are made for, as Numba's code generator
    tells them; None if there are none, or none for this processor."""
    try:
        triple, processor, features = json.loads((folder / TARGET).read_text(encoding="utf-8"))
        found = llvm.get_host_cpu_features()
    except (OSError, ValueError, RuntimeError):  # the last where LLVM does not know the processor
        return None
    asked = any(
        getattr(config, word) is not None for word in ("CPU_NAME", "CPU_FEATURES")
    )  # by the user: compiled for that
    suits = triple == llvm.get_process_triple() and able(features, found)
    return (triple, processor, features) if suits and not asked else None


def able(features: str, found: dict[str, bool]) -> bool:
    """Whether a processor has all these features, written as `+avx2,+fma`."""
    return all(found.get(word.removeprefix("+"), False) for word in features.split(",") if word.startswith("+"))
