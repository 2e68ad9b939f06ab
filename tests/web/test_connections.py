"""Slow and many connections: none is held for long, they keep nobody out, and they fill no log."""

import logging
import socket
import time

import pytest

from fogtree.web import guard
from waiting import wait_until

HEADER = "GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nX-Slow: "
BODY = "POST /play HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: 500\r\n\r\ngame=ku"


@pytest.fixture
def limits(monkeypatch):
    """Limits that a test can wait for; where the page has none, there is nothing to change."""

    def change(**values):
        for name, value in values.items():
            monkeypatch.setattr(f"fogtree.web.connections.{name}", value)

    return change


def slow(site, text, count):
    """So many connections that have begun a request."""
    made = []
    for _ in range(count):
        line = socket.create_connection(("127.0.0.1", site.port), 10)
        line.sendall(text.format(port=site.port).encode())
        made.append(line)
    return made


def held(lines):
    """Those that the server has not closed."""
    kept = []
    for line in lines:
        line.setblocking(False)
        try:
            if line.recv(4096):
                kept.append(line)
        except BlockingIOError:
            kept.append(line)
        except ConnectionError:
            pass
    return kept


@pytest.mark.parametrize("text", [HEADER, BODY, ""])
def test_a_request_that_does_not_come_to_its_end_is_given_up(open_site, limits, text):
    with open_site() as site:
        limits(SECONDS=0.3)
        (line,) = slow(site, text, 1)
        line.settimeout(10)
        answer = line.recv(4096)
        assert answer.startswith(b"HTTP/1.1 408 ") and line.recv(4096) == b""
        assert site.get("/runs").status_code == 200


def test_a_request_that_comes_letter_by_letter_has_no_more_time(open_site, limits):
    with open_site() as site:
        limits(SECONDS=0.5)
        (line,) = slow(site, HEADER, 1)
        began = time.monotonic()

        def is_closed():
            try:
                line.sendall(b"x")
                return not held([line])
            except ConnectionError:
                return True

        wait_until(is_closed, 10)
        assert time.monotonic() - began < 5


def test_a_body_that_breaks_off_changes_nothing(open_site):
    with open_site() as site:
        whole = f"game=kuhn&agent-against=random&token={site.access.token}"
        head = f"POST /play HTTP/1.1\r\nHost: 127.0.0.1:{site.port}\r\nContent-Length: {len(whole) + 9}\r\n\r\n"
        (line,) = slow(site, (head + whole).replace("{", "{{"), 1)
        time.sleep(0.2)
        line.close()
        time.sleep(0.2)
        assert "Open now" not in site.get("/play").text


def match_in_a_crowd(site, count, room):
    """Open slow connections, and play a match while they are there; returns how many of them the server holds."""
    lines = slow(site, HEADER, count // 2) + slow(site, BODY, count - count // 2)
    address = site.start(game="kuhn", **{"agent-against": "random"})
    for _ in range(3):
        turn, labels = site.actions(site.until(address, "<h2>"))
        if labels:
            site.post(f"{address}/move", turn=turn, action=next(iter(labels.values())))
    wait_until(lambda: len(held(lines)) <= room, 10)
    return lines


def test_slow_connections_do_not_stop_a_match_and_are_not_all_held(open_site, limits):
    with open_site() as site:
        limits(PER_ADDRESS=20, SECONDS=3.0)
        lines = match_in_a_crowd(site, 80, 20)
        wait_until(lambda: not held(lines), 10)


@pytest.mark.slow
def test_a_thousand_slow_connections_do_not_stop_a_match(open_site):
    with open_site() as site:
        from fogtree.web import connections

        began = time.monotonic()
        lines = match_in_a_crowd(site, 1000, connections.PER_ADDRESS)
        assert time.monotonic() - began < 60
        wait_until(lambda: not held(lines), 2 * connections.SECONDS)


def test_a_stream_is_not_cut_off_in_a_crowd(open_site, limits):
    import httpx

    with open_site() as site:
        address = site.start(game="kuhn", **{"agent-against": "random"})
        site.until(address, "<h2>")
        limits(PER_ADDRESS=5)
        with httpx.stream("GET", f"{site.address}{address}/events", timeout=30) as answer:
            lines = answer.iter_lines()
            assert next(lines).startswith("data:")
            crowd = slow(site, HEADER, 20)
            httpx.post(f"{site.address}{address}/end", data={"token": site.access.token})
            assert any("event: end" in line for line in lines)
        for line in crowd:
            line.close()


def test_the_log_says_the_same_thing_once_a_minute(open_site):
    with open_site():
        said = []
        handler = logging.Handler()
        handler.emit = said.append
        for name in ("asyncio", "uvicorn.error"):
            log = logging.getLogger(name)
            log.addHandler(handler)
            for _ in range(1000):
                log.error("a test of %s: socket.accept() out of system resource", name)
            log.removeHandler(handler)
        assert len(said) == 2


def test_two_servers_of_a_host_have_cookies_of_their_own():
    from starlette.datastructures import Headers

    first, second = guard.new_access("192.168.1.2", 8001), guard.new_access("192.168.1.2", 8002)
    jar = {}
    for access in (first, second, first):  # a browser keeps one cookie of each name for a host, whatever the port
        scope = {"query_string": f"key={access.key}".encode(), "path": "/"}
        cookie = guard.Guard(None, access)._locked(scope, Headers({})).headers["set-cookie"]
        name, _, value = cookie.partition(";")[0].partition("=")
        jar[name] = value
    sent = Headers({"cookie": "; ".join(f"{name}={value}" for name, value in jar.items())})
    for access in (first, second):
        assert guard.Guard(None, access)._locked({"query_string": b"", "path": "/"}, sent) is None
