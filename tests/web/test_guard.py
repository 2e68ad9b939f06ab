"""Who may ask: Host, Origin, tokens, keys, and the sizes of requests."""

import asyncio
import socket

import httpx
import pytest

from fogtree.web.guard import MOST_ADDRESS, MOST_BODY, Access, is_local, new_access

FORM = {"game": "kuhn", "agent-against": "random"}


def raw(site, text):
    """The first line of the answer to a request that no client would send."""
    with socket.create_connection(("127.0.0.1", site.port), 10) as line:
        line.sendall(text.encode("latin-1"))
        return line.recv(4096).split(b"\r\n")[0].decode()


@pytest.mark.parametrize(
    "host", ["evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "evil.example", "", "127.0.0.1.:{port}"]
)
def test_a_wrong_host_is_refused(site, host):
    named = host.format(port=site.port)
    assert httpx.get(site.address, headers={"host": named}).status_code in (400, 421)


def test_the_names_of_this_machine_are_accepted(site):
    for name in ("127.0.0.1", "localhost", "[::1]"):
        assert httpx.get(site.address, headers={"host": f"{name}:{site.port}"}).status_code == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1:{port}", "http://127.0.0.1:1"])
def test_a_foreign_origin_changes_nothing_and_streams_nothing(site, origin):
    headers = {"origin": origin.format(port=site.port)}
    fields = FORM | {"token": site.access.token}
    assert httpx.post(f"{site.address}/play", data=fields, headers=headers).status_code == 403
    assert httpx.get(f"{site.address}/match/x/events", headers=headers).status_code == 403


def test_a_browser_that_says_cross_site_is_refused(site):
    headers = {"sec-fetch-site": "cross-site"}
    assert (
        httpx.post(f"{site.address}/play", data=FORM | {"token": site.access.token}, headers=headers).status_code == 403
    )
    assert httpx.get(f"{site.address}/match/x/events", headers=headers).status_code == 403


@pytest.mark.parametrize("token", ["", "wrong", "wrong\x00", "é"])
def test_a_change_needs_the_token_of_the_page(site, token):
    answer = httpx.post(f"{site.address}/play", data=FORM | {"token": token}, headers={"origin": site.address})
    assert answer.status_code == 403 and "load the page again" in answer.text


def test_a_change_without_an_origin_still_needs_the_token(site):
    assert httpx.post(f"{site.address}/play", data=FORM).status_code == 403


def test_requests_that_are_too_large_are_refused(site):
    assert site.client.post("/play", content=b"x" * (MOST_BODY + 1)).status_code == 413
    assert site.client.get("/play?game=" + "x" * MOST_ADDRESS).status_code == 414


def test_a_body_that_is_no_form_is_refused(site):
    assert site.client.post("/play", content=b"\xff\xfe\x00").status_code == 400
    assert site.client.post("/play", content=b"&".join(b"a=1" for _ in range(999))).status_code == 400
    signed = {"x-fogtree-token": site.access.token}
    assert site.client.post("/play", content=b"\xff\xfe\x00", headers=signed).status_code == 400


def test_malformed_http_is_answered_with_400(site):
    for text in ("nonsense\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/1.1\r\nHost\r\n\r\n"):
        assert " 400 " in raw(site, text)
    length = f"POST /play HTTP/1.1\r\nHost: 127.0.0.1:{site.port}\r\nContent-Length: -5\r\n\r\n"
    assert " 400 " in raw(site, length)


def test_other_methods_and_other_pages_are_refused(site):
    signed = {"x-fogtree-token": site.access.token}
    assert site.client.request("DELETE", "/play", headers=signed).status_code == 404
    assert site.client.get("/no/such/page").status_code == 404
    for path in (
        "/static/../server.py",
        "/static/%2e%2e/server.py",
        "/static/..%2fserver.py",
        "/papers/..%2f..%2fetc/passwd",
    ):
        assert site.client.get(path).status_code == 404


def test_every_answer_binds_the_browser_to_this_server(site):
    for path in ("/", "/static/page.js", "/nothing", "/papers"):
        headers = site.client.get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff" and headers["x-frame-options"] == "DENY"
    assert "access-control-allow-origin" not in site.client.get("/").headers


def test_only_this_machine_needs_no_key():
    assert all(is_local(host) for host in ("127.0.0.1", "127.0.0.2", "::1", "localhost"))
    assert not any(is_local(host) for host in ("0.0.0.0", "192.168.1.2", "::", "example.org"))
    assert not new_access("127.0.0.1", 1).key and new_access("0.0.0.0", 1).key


def test_a_name_that_could_be_pointed_at_this_machine_is_not_ours():
    everywhere = Access(80, "t", key="k", any_address=True)
    assert (
        everywhere.is_mine("192.168.1.2:80") and everywhere.is_mine("[fe80::1]:80") and everywhere.is_mine("10.0.0.1")
    )
    assert not everywhere.is_mine("example.org:80") and not everywhere.is_mine("192.168.1.2:81")
    assert not Access(80, "t").is_mine("192.168.1.2:80")


def test_a_server_for_other_machines_wants_its_key():
    from fogtree.web.server import PageSetting, make_app
    from fogtree.web.workers import Caps, Workers

    access = new_access("192.168.1.2", 80)
    home = "http://192.168.1.2"

    async def visit():
        transport = httpx.ASGITransport(
            make_app(access, PageSetting(), Workers(Caps()))
        )  # its workers are never started
        async with httpx.AsyncClient(transport=transport) as client:
            assert (await client.get(f"{home}/")).status_code == 401
            assert (await client.get(f"{home}/?key=wrong")).status_code == 401
            elsewhere = await client.get(f"{home}//evil.example/?key={access.key}")
            assert elsewhere.headers["location"] == "/evil.example/"
            client.cookies.clear()
            entered = await client.get(f"{home}/runs?key={access.key}&x=1")
            assert entered.status_code == 303 and entered.headers["location"] == "/runs?x=1"
            assert "HttpOnly" in entered.headers["set-cookie"] and "SameSite=strict" in entered.headers["set-cookie"]
            assert (await client.get(f"{home}/runs")).status_code == 200

    asyncio.run(visit())
