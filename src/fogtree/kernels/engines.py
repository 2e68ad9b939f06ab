"""Which engine runs lanes: "cpu", "cuda", or "auto", the argument `device` of everything that works in lanes (`lanes.py`)."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import Invalid
from .lanes import CPU, CUDA, CpuLanes, CpuReplay, fitting

AUTO = "auto"
DEVICES = (CPU, CUDA, AUTO)
WORTH = 1 << 14  # lanes from which on a GPU is worth its start: below, most of its threads would be idle


def on(device: str, work: Any, own: Any, *, cores: int | None = 1) -> Any:
    """Lanes of a work on a device, compiled and ready to run: "cpu" or "cuda". `cores` are those of the CPU, None for all."""
    if chosen(device) == CPU:
        return CpuLanes(work, own, cores)
    from . import cuda  # not on top: the CPU does not need it

    return cuda.CudaLanes(work, own)


def replay(device: str, play: Callable[[], Any]) -> Any:
    """Something whose `run(times)` does again and again what `play` does: it runs lanes, and changes their fields to numbers
    that are the same each time. On a GPU `play` is called once, to note the launches, and nothing is run then."""
    if device == CPU:
        return CpuReplay(play)
    from . import cuda

    return cuda.CudaReplay(play)


def require_device(device: str) -> None:
    """Refuse a name that is none, also where nothing would be run on the device."""
    if device not in DEVICES:
        raise Invalid(f"there is no device {device!r}: valid are {', '.join(DEVICES)}")


def chosen(device: str, lanes: float = np.inf) -> str:
    """The engine for this many lanes: the one that is named, or for "auto" the GPU where there is one and it pays."""
    require_device(device)
    if device == AUTO:
        from . import cuda

        return CUDA if lanes >= WORTH and not cuda.trouble() else CPU
    return device


def free(device: str) -> float:
    """Bytes that are free where the lanes of a device have their arrays; on the CPU nobody counts them."""
    if device == CPU:
        return np.inf
    from . import cuda

    return cuda.free()


def empty(device: str, shape: Any, dtype: Any = np.int64) -> Any:
    """An array of arbitrary content where the lanes of a device have theirs, for fields that Python need not hold."""
    if device == CPU:
        return np.empty(shape, dtype)
    from . import cuda

    return cuda.DeviceArray(shape, dtype)


def sent(device: str, value: Any) -> Any:
    """A tuple of arrays, or one array, where the lanes of a device have theirs; what is there stays as it is."""
    if device == CPU:
        return value
    from . import cuda

    return cuda.upload(value)


def write(device: str, array: Any, values: np.ndarray) -> None:
    """Copy values of this machine's memory into an array that lies where the lanes of a device have theirs."""
    if device == CPU:
        array[...] = values
    else:
        array.write(fitting(values, array))


def zeros(device: str, shape: Any, dtype: Any = np.int64) -> Any:
    """The same, of zeros."""
    made = empty(device, shape, dtype)
    if device == CPU:
        made[...] = 0
    else:
        made.clear()
    return made
