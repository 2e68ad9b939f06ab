"""The page of a match says when the compiler is at work."""

import os
import types

import pytest

from fogtree.kernels import folder
from fogtree.web import pages_play, worker, workers


class Enough(Exception):
    """The worker was watched for long enough."""


def test_a_worker_tells_when_the_compiler_begins_and_when_it_ends(monkeypatch):
    moments, told = iter([[], ["search"], ["search"], []]), []

    def sleep(seconds):
        try:
            folder.at_work[:] = next(moments)
        except StopIteration:
            raise Enough from None

    monkeypatch.setattr(folder, "at_work", [])
    monkeypatch.setattr(worker, "time", types.SimpleNamespace(sleep=sleep))
    with pytest.raises(Enough):
        worker.watch_compiler(types.SimpleNamespace(tell=lambda **facts: told.append(facts)))
    assert told == [{"compiling": True}, {"compiling": False}]


def test_the_page_of_a_match_says_so_in_an_empty_cache_and_not_when_it_is_over(open_site, tmp_path, monkeypatch):
    monkeypatch.setattr(workers, "ENVIRONMENT", {**os.environ, "FOGTREE_CACHE": str(tmp_path)})
    with open_site() as site:
        address = site.start(game="kuhn", seat="1", **{"agent-against": "rm", "iterations-against": "50"})
        site.until(address, pages_play.COMPILES)
        text = site.until(address, "Your move.")
        assert pages_play.COMPILES not in text
