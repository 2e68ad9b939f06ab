"""Who may ask. Every request passes here before any page sees it.

A page on this machine can be reached by every site that a browser has open, so it must tell its own pages from foreign ones:

    Host      must name this server: a foreign name that was pointed at this machine is refused (DNS rebinding)
    Origin    of a request that changes or streams something must be the server itself; Sec-Fetch-Site must say so too
    token     a request that changes something carries the token that only our own pages hold
    key       a server that other machines can reach answers only those who have the key that it printed at its start

The headers of each answer bind the browser: scripts, styles, pictures and connections come from this server alone, and no
page may be put into a frame. There is no Cross-Origin-Opener-Policy: a site that opened our page in a window can do nothing
with it, for the page has no frames and listens to no messages; and for that header the browser would start a process for each
new window, which takes longer than the rest of the first paint.
"""

import hmac
import ipaddress
import secrets
import urllib.parse
from typing import Any, NamedTuple

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, RedirectResponse

COOKIE = "fogtree-key-"  # and the port, for a browser gives the cookies of a host to all its servers
MOST_BODY, MOST_ADDRESS = 16_384, 4_096  # bytes of what a browser may send
READS = ("GET", "HEAD")
HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",  # with "no-referrer" a browser hides the Origin of our own forms as well
    "cross-origin-resource-policy": "same-origin",
    "x-frame-options": "DENY",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


class Access(NamedTuple):
    """What the guard knows of this server."""

    port: int
    token: str  # against posts of other sites
    names: tuple[str, ...] = ("127.0.0.1", "localhost", "[::1]")  # by which it may be called
    key: str = ""  # needed where other machines can reach it
    any_address: bool = False  # whether it may be called by any number of an address

    def is_mine(self, host: str) -> bool:
        """Whether a Host header names this server. An address in numbers cannot be pointed here by a foreign site."""
        name, _, port = host.rpartition(":") if ":" in host.rpartition("]")[2] else (host, "", "80")
        if not name or port != str(self.port):
            return False
        return name.lower() in self.names or (self.any_address and _is_number(name.strip("[]")))


def new_access(host: str, port: int) -> Access:
    """The access to a server at this address. Where other machines can reach it, a key is needed."""
    token = secrets.token_urlsafe(24)
    if is_local(host):
        return Access(port, token)
    everywhere = host in ("0.0.0.0", "::")
    name = f"[{host}]" if ":" in host else host.lower()
    return Access(port, token, (*Access._field_defaults["names"], name), secrets.token_urlsafe(24), everywhere)


def is_local(host: str) -> bool:
    return host == "localhost" or (_is_number(host) and ipaddress.ip_address(host).is_loopback)


def _is_number(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


class Guard:
    """Lets through what is allowed, and gives every answer its headers."""

    def __init__(self, app: Any, access: Access):
        self.app, self.access = app, access

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return  # nothing here speaks WebSocket
        headers = Headers(scope=scope)

        async def sending(message: Any) -> None:
            if message["type"] == "http.response.start":
                given = {name.lower() for name, _ in message["headers"]}
                more = HEADERS | {"cache-control": "no-store"}
                message["headers"] = [
                    *message["headers"],
                    *((n.encode(), v.encode()) for n, v in more.items() if n.encode() not in given),
                ]
            await send(message)

        answer = self._problem(scope, headers)
        if answer is None and scope["method"] not in READS:
            body = await _body(receive, headers)
            if body is None:
                answer = PlainTextResponse(f"A request may have {MOST_BODY:,} bytes at most.", 413)
            else:
                answer, receive = self._unsigned(headers, body), _again(body)
        await (answer or self.app)(scope, receive, sending)

    def _problem(self, scope: Any, headers: Headers) -> Any:
        """A refusal, or None."""
        host = headers.get("host", "")
        if not self.access.is_mine(host):
            return PlainTextResponse("This server does not answer to that name: use the address that it printed.", 421)
        if len(scope["path"]) + len(scope["query_string"]) > MOST_ADDRESS:
            return PlainTextResponse(f"An address may have {MOST_ADDRESS:,} letters at most.", 414)
        if self.access.key and (answer := self._locked(scope, headers)):
            return answer
        changes, streams = scope["method"] not in READS, scope["path"].endswith("/events")
        if changes or streams:
            origin, site = headers.get("origin"), headers.get("sec-fetch-site")
            valid = (None, "same-origin") if changes else (None, "same-origin", "none")
            if origin not in (None, f"http://{host}") or site not in valid:
                return PlainTextResponse("Requests of other sites are refused.", 403)
        return None

    def _unsigned(self, headers: Headers, body: bytes) -> Any:
        """A refusal of a change without the token, or None."""
        given = headers.get("x-fogtree-token", "")
        if not given:
            try:
                given = urllib.parse.parse_qs(body.decode("utf-8"), max_num_fields=200).get("token", [""])[0]
            except ValueError:
                return PlainTextResponse("The form cannot be read: it is not in UTF-8, or has too many fields.", 400)
        if not _equal(given, self.access.token):
            return PlainTextResponse("This form is not from a page of this server: load the page again.", 403)
        return None

    def _locked(self, scope: Any, headers: Headers) -> Any:
        """Where a key is needed: a refusal, a redirect that stores the key, or None."""
        query = urllib.parse.parse_qs(scope["query_string"].decode("latin-1"))
        if _equal(query.get("key", [""])[0], self.access.key):
            rest = urllib.parse.urlencode({k: v[0] for k, v in query.items() if k != "key"})
            path = "/" + scope["path"].lstrip("/")  # never the address of another server
            answer = RedirectResponse(path + (f"?{rest}" if rest else ""), 303)
            answer.set_cookie(f"{COOKIE}{self.access.port}", self.access.key, httponly=True, samesite="strict")
            return answer
        cookies = [part.strip().partition("=") for part in headers.get("cookie", "").split(";")]
        if any(name == f"{COOKIE}{self.access.port}" and _equal(value, self.access.key) for name, _, value in cookies):
            return None
        return PlainTextResponse("This server needs its key: open the address that it printed.", 401)


def _equal(given: str, wanted: str) -> bool:
    return hmac.compare_digest(given.encode(), wanted.encode())


async def _body(receive: Any, headers: Headers) -> bytes | None:
    """What the request brings; None if it is too much."""
    length = headers.get("content-length", "0")
    if not length.isdecimal() or int(length) > MOST_BODY:
        return None
    body = b""
    for _ in range(MOST_BODY):
        message = await receive()
        if message["type"] == "http.disconnect":  # what came is not all
            return None
        body += message.get("body", b"")
        if len(body) > MOST_BODY:
            return None
        if not message.get("more_body"):
            return body
    return None


def _again(body: bytes) -> Any:
    """A `receive` that gives a body that was read before, once."""
    told = False

    async def receive() -> Any:
        nonlocal told
        if told:
            return {"type": "http.disconnect"}
        told = True
        return {"type": "http.request", "body": body, "more_body": False}

    return receive
