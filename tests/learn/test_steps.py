"""How far weights move by a gradient, by hand."""

import numpy as np
import pytest

from fogtree.learn.steps import Adaptive, Plain


def test_a_plain_step_is_the_gradient_times_the_step():
    assert Plain().change(np.array([2.0, -0.5]), 0.1, Plain().memory(2)) == pytest.approx([0.2, -0.05])
    assert len(Plain().memory(2)) == 0


def test_the_first_adaptive_step_has_the_same_length_for_small_and_large_gradients():
    memory = Adaptive().memory(4)
    change = Adaptive().change(np.array([0.01, -0.01, 50.0, 0.0]), 0.1, memory)
    assert change == pytest.approx([0.1, -0.1, 0.1, 0.0], abs=1e-8)
    assert memory == pytest.approx([1e-4, 1e-4, 2500.0, 0.0])


def test_adaptive_steps_get_shorter_by_the_root_of_the_sum_of_squares():
    memory = Adaptive().memory(1)
    found = [float(Adaptive().change(np.array([3.0]), 0.1, memory)[0]) for _ in range(4)]
    assert found == pytest.approx([0.1 / np.sqrt(n) for n in (1, 2, 3, 4)])
