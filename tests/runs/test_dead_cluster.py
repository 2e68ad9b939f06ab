"""A cluster that is not there is told at once, not after minutes."""

import socket
import time

import pytest

from fogtree.errors import Invalid
from fogtree.runs.cluster import _require_answer


def test_a_dead_address_is_told_within_seconds():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    began = time.perf_counter()
    with pytest.raises(Invalid, match=f"there is no Ray cluster to be had at ray://127.0.0.1:{port}: "):
        _require_answer(f"ray://127.0.0.1:{port}")
    assert time.perf_counter() - began < 8


def test_an_address_at_which_somebody_listens_and_a_word_are_let_through():
    with socket.create_server(("127.0.0.1", 0)) as server:
        _require_answer(f"127.0.0.1:{server.getsockname()[1]}")
    _require_answer("auto")
