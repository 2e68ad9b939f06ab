"""Ctrl-C: a sentence says what was being done, also where the main thread does not answer."""

import signal
import subprocess
import sys
import time

import pytest

from fogtree.cli import stopping

DEAF = """
import ctypes, threading
from fogtree.cli import stopping
with stopping.heard(), stopping.doing("waiting for a lock"):
    threading.Timer(0.3, print, ["ready"], {"flush": True}).start()
    lock, c = ctypes.create_string_buffer(128), ctypes.CDLL(None)
    c.pthread_mutex_lock(lock)
    c.pthread_mutex_lock(lock)  # held for ever, and no signal ends it
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the lock is one of Linux")
def test_a_main_thread_that_does_not_answer_is_ended():
    process = subprocess.Popen([sys.executable, "-c", DEAF], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err.strip()) == (130, "stopped while waiting for a lock")


def test_the_innermost_work_is_named():
    with pytest.raises(KeyboardInterrupt) as stop, stopping.doing("measuring"), stopping.doing(lambda: "counting"):
        raise KeyboardInterrupt
    assert stopping.sentence(stop.value) == "stopped while counting"
    assert stopping.sentence() == "stopped"


def test_python_hears_ctrl_c_as_before_and_after(monkeypatch):
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt), stopping.heard():
        assert signal.getsignal(signal.SIGINT) is not before
        signal.raise_signal(signal.SIGINT)
        for _ in range(1000):
            pass
    time.sleep(
        2 * stopping.ANSWER_SECONDS
    )  # the other thread must have seen that it was answered, or this process ends here
    assert signal.getsignal(signal.SIGINT) is before
    assert signal.set_wakeup_fd(-1) == -1
