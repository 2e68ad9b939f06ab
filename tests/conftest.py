"""Makes this folder importable, so that tests in every folder find the helpers that lie here."""

import pathlib
import signal

import numba
import pytest

COSTLY = set(pathlib.Path(__file__).with_name("costly.txt").read_text().splitlines())

# A shell's background job ignores Ctrl-C, and so does all that it starts; tests of Ctrl-C must not depend on who runs them.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(tryfirst=True)  # before tests are chosen by their marks
def pytest_collection_modifyitems(items):
    for item in items:
        if item.nodeid in COSTLY:
            item.add_marker("costly")


@pytest.fixture
def interpreted(monkeypatch):
    """Plain Python, for what a class of its own shows as well there: compiling it takes seconds."""
    monkeypatch.setattr(numba.config, "DISABLE_JIT", True)


@pytest.fixture
def unchecked(monkeypatch):
    """Games that break the contract on purpose reach the algorithms, whose own errors are to be seen."""
    monkeypatch.setenv("FOGTREE_UNCHECKED", "1")
