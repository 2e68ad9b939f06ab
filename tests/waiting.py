"""Waiting for another process or thread: as long as a busy machine may need, and not longer than it takes."""

import time

PATIENCE = 60.0  # seconds


def wait_until(true, seconds=PATIENCE):
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.02)
