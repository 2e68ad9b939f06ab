"""Worker processes: caps, ends, and that none outlives its server."""

import asyncio
import json
import math
import os
import pathlib
import re
import resource
import signal
import socket
import subprocess
import sys
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner

from fogtree import Invalid
from fogtree.cli import app
from fogtree.web.worker import limit_memory
from fogtree.web.workers import Caps, Workers
from waiting import wait_until

SLEEPER = "import time\nclass Sleeper:\n    def act(self, sight):\n        time.sleep(60)\n"
PLAIN = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
SERVER = """
import os, signal, subprocess, sys, time
pipe = subprocess.PIPE
worker = subprocess.Popen([sys.executable, "-m", "fogtree.web.worker", "4"], stdin=pipe, stdout=pipe, text=True)
worker.stdin.write(sys.argv[1])
worker.stdin.flush()
worker.stdout.readline()
os.kill(worker.pid, signal.SIGSTOP)
os.waitpid(worker.pid, os.WUNTRACED)
print(worker.pid, flush=True)
time.sleep(60)
"""  # starts a worker and pauses it as soon as it has said something


def worker_pids():
    """The worker processes of this one."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdecimal():
            place = pathlib.Path("/proc") / name
            try:
                words = (place / "cmdline").read_bytes().split(b"\0")
                parent = re.search(r"^PPid:\s+(\d+)", (place / "status").read_text(), re.MULTILINE)[1]
            except (OSError, TypeError):
                continue
            if b"fogtree.web.worker" in words and int(parent) == os.getpid():
                found.append(int(name))
    return found


def test_an_agent_that_thinks_too_long_is_ended_and_the_page_says_so(open_site, tmp_path):
    from fogtree.web.offer import Offer

    (tmp_path / "sleeper.py").write_text(SLEEPER)
    offer = Offer(agents={"Sleeper": f"{tmp_path}/sleeper.py:Sleeper"})
    with open_site(offer=offer, caps={"seconds": 3.0, "matches": 1}) as site:
        address = site.start(game="kuhn", seat="1", **{"agent-against": "Sleeper"})
        again = site.post("/play", scripted=True, game="kuhn", **{"agent-against": "random"})
        assert again.status_code == 400 and "the most that this page allows" in again.json()["trouble"]
        site.until(address, "This was ended after 3 s")
        assert site.start(game="kuhn", **{"agent-against": "random"})  # there is room again
    assert not worker_pids()


def test_a_worker_that_is_killed_ends_its_match_with_a_sentence(site):
    before = worker_pids()
    address = site.start(game="kuhn", **{"agent-against": "random"})
    site.until(address, "Your move.")
    site.post(f"{address}/reveal")
    (mine,) = set(worker_pids()) - set(before)
    os.kill(mine, signal.SIGKILL)
    text = site.until(address, "The process that did this work has ended")
    assert 'name="action"' not in text
    turn_is_refused = site.post(f"{address}/move", scripted=True, turn="1", action="0")
    assert turn_is_refused.status_code == 400
    assert site.get(f"{address}?step=1").status_code == 200  # the page of a match is shown as far as it is known


def test_a_match_that_is_ended_is_gone(site):
    before = worker_pids()
    address = site.start(game="kuhn", **{"agent-against": "random"})
    site.until(address, "Your move.")
    assert site.post(f"{address}/end").headers["location"] == "/play"
    assert site.get(address).status_code == 404
    wait_until(lambda: set(worker_pids()) <= set(before))


def test_no_worker_outlives_its_server_not_even_a_paused_one():
    spec = {"offer": {}, "game": ["kuhn", ""], "seats": [["random"], None], "seed": 0, "start": ""}
    first = json.dumps({"start": "match", "spec": spec}) + "\n"
    words = [sys.executable, "-c", SERVER, first]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=PLAIN) as server:
        worker = pathlib.Path("/proc", server.stdout.readline().strip())
        assert "State:\tT" in (worker / "status").read_text()  # paused
        server.kill()
    wait_until(lambda: not worker.exists())


def test_open_streams_end_when_the_server_is_stopped(open_site, caplog):
    with open_site() as site:
        address = site.start(game="kuhn", **{"agent-against": "random"})
        with site.client.stream("GET", f"{address}/events") as stream:
            lines = stream.iter_lines()
            next(lines)
            site.server.handle_exit(signal.SIGTERM, None)
            rest = "\n".join(lines)  # it ends: no error of a broken connection
    assert "The page was closed." in rest and "event: end" in rest
    assert not caplog.records  # nothing had to be cancelled


def test_memory_without_a_limit_is_no_limit(monkeypatch):
    limits = []
    monkeypatch.setattr("resource.setrlimit", lambda kind, limit: limits.append(limit))
    limit_memory(math.inf)
    limit_memory(1.5)
    assert limits == [(resource.RLIM_INFINITY,) * 2, (3 << 29,) * 2]


def test_a_port_in_use_is_said_with_a_way_out():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        answer = CliRunner().invoke(app, ["web", "--port", str(taken.getsockname()[1])])
    assert answer.exit_code == 2 and "Address already in use; --port 0 takes any free one" in answer.output


def test_a_solver_is_not_ended_before_the_seconds_that_it_was_given(monkeypatch):
    async def idle(caps):
        return await asyncio.create_subprocess_exec(
            "cat", stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
        )

    async def allowed(kind, spec):
        job = await Workers(Caps(seconds=20.0, job_seconds=10.0, spares=0)).start(kind, "", spec)
        job.end("done")
        await job._listening
        return job.seconds

    monkeypatch.setattr("fogtree.web.workers._process", idle)
    assert asyncio.run(allowed("spot", {"seconds": 3600.0})) > 3600
    assert asyncio.run(allowed("curves", {})) == 10 and asyncio.run(allowed("match", {})) == 20


@pytest.mark.parametrize(
    ("kind", "finished", "busy_since", "watchers", "closed"),
    [
        ("match", False, None, 0, True),  # its person has gone
        ("match", False, 1.0, 0, False),  # it is thinking
        ("match", False, None, 1, False),  # somebody looks at it
        ("match", True, 1.0, 1, True),
        ("curves", False, None, 0, False),  # nobody has to be there while it works
        ("curves", True, None, 0, True),
    ],
)
def test_room_is_made_by_what_is_finished_or_waits_unwatched_for_a_person(kind, finished, busy_since, watchers, closed):
    ended = []
    job = SimpleNamespace(kind=kind, ended="", busy_since=busy_since, watchers=watchers, looked=0.0, end=ended.append)
    job.facts = {"finished": finished}
    workers = Workers(Caps(matches=1, jobs=1))
    workers.jobs["a"] = job
    if closed:
        workers._make_room(kind)
    else:
        with pytest.raises(Invalid, match=r"^1 (matches|comparisons, strategies and spots) are open, the most"):
            workers._make_room(kind)
    assert bool(ended) == closed
