"""Makes this folder importable, so that tests in every folder find the helpers that lie here."""

import numba
import pytest


@pytest.fixture
def interpreted(monkeypatch):
    """Plain Python, for what a class of its own shows as well there: compiling it takes seconds."""
    monkeypatch.setattr(numba.config, "DISABLE_JIT", True)
