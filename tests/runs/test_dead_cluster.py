"""A cluster that is not there is told at once, not after minutes."""

import socket
import time

import pytest
from typer.testing import CliRunner

import fogtree as ft
from fogtree.cli import app
from fogtree.errors import Invalid
from fogtree.runs import run
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


def test_a_cluster_that_cannot_be_had_is_told_before_the_work_is_made_ready(monkeypatch, tmp_path):
    def never(*args):
        raise AssertionError

    monkeypatch.setattr(run, "basis", never)  # reads all code that the work rests on, which takes seconds
    with pytest.raises(Invalid, match="there is nothing to run on called 'moon': valid are ray and ray://ADDRESS"):
        ft.tournament("kuhn", ["random", "rm"], matches=2, on="moon")
    done = CliRunner().invoke(app, ["paper", "lisy2014", "table1", "--on", "moon", "--out", f"{tmp_path}/report"])
    assert done.exit_code == 2 and "there is nothing to run on called 'moon'" in done.output
    assert not (tmp_path / "report").exists()
