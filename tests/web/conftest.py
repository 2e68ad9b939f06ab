"""A page that really listens, for tests that speak to it over the network."""

import contextlib
import importlib.util
import os
import re
import signal
import socket
import threading
import time

import pytest

if not all(importlib.util.find_spec(name) for name in ("starlette", "uvicorn", "httpx")):
    collect_ignore_glob = ["test_*.py"]  # the page is an extra: pip install -e '.[web,test]'


class Site:
    """A running page, and a client of it."""

    def __init__(self, access, port, server):
        import httpx

        self.access, self.port, self.server = access, port, server
        self.address = f"http://127.0.0.1:{port}"
        self.client = httpx.Client(base_url=self.address, timeout=60, headers={"origin": self.address})
        self.heard = []  # all that the server sent

    def get(self, path, **more):
        answer = self.client.get(path, **more)
        self.heard.append(answer.text)
        return answer

    def post(self, path, scripted=False, **fields):
        headers = {"accept": "application/json"} if scripted else {}
        answer = self.client.post(path, data={"token": self.access.token, **fields}, headers=headers)
        self.heard.append(answer.text)
        return answer

    def start(self, **fields):
        """A new match; returns its address."""
        answer = self.post("/play", **fields)
        assert answer.status_code == 303, answer.text
        return answer.headers["location"]

    def until(self, path, words, seconds=60):
        """The page at a path as soon as it holds some words."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            answer = self.get(path)
            if words in answer.text:
                return answer.text
            time.sleep(0.05)
        raise AssertionError(f"{words!r} did not come: {answer.text[-2000:]}")

    def actions(self, text):
        """(turn, {label: action}) of the page of a match."""
        turn = re.search(r'name="turn" value="(\d+)"', text)
        found = re.findall(r'<button type="submit" name="action" value="(-?\d+)">(.*?)</button>', text)
        return turn and turn[1], {label: action for action, label in found}


@contextlib.contextmanager
def opened(**setting):
    from fogtree.web import guard
    from fogtree.web.server import PageSetting, make_app, make_server
    from fogtree.web.workers import Caps, Workers

    caps = {"spares": 0} | setting.pop("caps", {})
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        port = bound.getsockname()[1]
        access = guard.new_access("127.0.0.1", port)
        workers = Workers(Caps(**caps))
        server = make_server(make_app(access, PageSetting(**setting), workers), workers)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]})
        thread.start()
        while not server.started and thread.is_alive():
            time.sleep(0.01)
        try:
            yield Site(access, port, server)
        finally:
            server.handle_exit(signal.SIGTERM, None)
            thread.join()


@pytest.fixture(scope="session")
def plain_workers():
    """Workers that run the games as plain Python, so that nothing waits for the compiler."""
    # not by this process's environment: Numba reads it again whenever it compiles, and would stop compiling for good
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("fogtree.web.workers.ENVIRONMENT", {**os.environ, "NUMBA_DISABLE_JIT": "1"})
        yield


@pytest.fixture(scope="module")
def site(plain_workers):
    with opened() as made:
        yield made


@pytest.fixture(scope="session")
def open_site(plain_workers):
    """Opens a page with a setting of its own."""
    return opened
