"""Scratch: a few words that a method needs while it runs, on every engine.

    ways = scratch(512)       # [512] zeros; the size is written in the text, or is a constant of the module

Compiled code keeps them on the stack of the CPU or in the local memory of a thread of a GPU, where `np.zeros` would need
memory that is counted, which GPUs do not have. They are gone when the function returns: do not return them."""

import numpy as np


def scratch(size):
    """So many words, all 0."""
    return np.zeros(size, np.int64)
