"""The server: how requests are answered, and how the page is started. Each file of pages names its addresses."""

import asyncio
import contextlib
import json
import pathlib
import socket
import time
import urllib.parse
import webbrowser
from collections.abc import AsyncIterator, Callable
from typing import Any, NamedTuple

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from ..draw.svg import style
from ..errors import FogtreeError
from . import (
    guard,
    html,
    pages_choose,
    pages_curves,
    pages_library,
    pages_play,
    pages_spot,
    pages_spots,
    pages_strategy,
)
from .desk import Desk
from .offer import Offer
from .workers import Caps, Job, Workers

VIEWS: dict[str, Any] = {
    "match": pages_play,
    "curves": pages_curves,
    "strategy": pages_strategy,
    "spot": pages_spot,
}  # of each kind of job
STATIC = pathlib.Path(__file__).parent / "static"
STYLE = "".join((STATIC / name).read_text(encoding="utf-8") for name in ("style.css", "board.css", "spots.css"))
HEARTBEAT = 15.0  # seconds after which a silent stream says that it lives
PAUSE = {
    "match": 0.02,
    "curves": 0.25,
    "strategy": 0.25,
    "spot": 0.2,
}  # seconds between two messages of a stream, at least
WAIT, SHORTLY = 1.0, 0.03  # seconds that an answer to a click waits for news, and for others who answer at once


class PageSetting(NamedTuple):
    """How a page is set up."""

    offer: Offer = Offer()
    caps: Caps = Caps()
    store: str = "fogtree-runs.sqlite"
    reports: tuple[str, ...] = ()  # folders of reports
    spots: str = "fogtree-spots"  # the folder of solved spots


def make_app(access: guard.Access, setting: PageSetting, workers: Workers) -> Any:
    """The page as an ASGI application, behind its guard."""
    desk = Desk(setting.offer, workers, access.token, setting.store, setting.reports, setting.spots)

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await workers.open()
        yield
        await workers.close()

    routes: list[Any] = [Route("/style.css", _style, methods=["GET"]), Mount("/static", StaticFiles(directory=STATIC))]
    pages: dict[str, Any] = (
        pages_choose.PAGES | pages_curves.PAGES | pages_strategy.PAGES | pages_spots.PAGES | pages_library.PAGES
    )
    changes: dict[str, Any] = pages_choose.CHANGES | pages_curves.CHANGES | pages_strategy.CHANGES | pages_spots.CHANGES
    for kind, view in VIEWS.items():
        one = f"/{kind}/{{id}}"
        routes.append(Route(f"{one}/events", _streaming(desk, kind), methods=["GET"]))
        pages |= {one: view.show} | {f"{one}/{name}": part for name, part in view.PARTS.items()}
        changes |= {f"{one}/{{what}}": view.act}
    routes += [Route(path, _reading(desk, view), methods=["GET"]) for path, view in pages.items()]
    routes += [Route(path, _changing(desk, act), methods=["POST"]) for path, act in changes.items()]
    app = Starlette(routes=routes, lifespan=lifespan, exception_handlers={404: _nowhere, 405: _nowhere, 500: _broken})
    return guard.Guard(app, access)


# --- three kinds of requests ---


def _reading(desk: Desk, view: Callable[..., Any]) -> Callable[[Request], Any]:
    """A page, or a part of one."""

    async def answer(request: Request) -> Response:
        try:
            found = await view(desk, request)
        except (FogtreeError, LookupError, ValueError) as error:
            return _trouble(request, error)
        return found if isinstance(found, Response) else HTMLResponse(found)

    return answer


def _changing(desk: Desk, act: Callable[..., Any]) -> Callable[[Request], Any]:
    """A change. It leads to the address of a page; a script of ours gets the new parts of its page instead."""

    async def answer(request: Request) -> Response:
        try:
            body = (await request.body()).decode("utf-8")
            given = urllib.parse.parse_qs(body, keep_blank_values=True, max_num_fields=200)
            found = await act(desk, request, given)
        except (FogtreeError, LookupError, ValueError) as error:
            return _trouble(request, error)
        if isinstance(found, dict):
            return JSONResponse(found)
        if isinstance(found, str):
            return JSONResponse({"go": found}) if _scripted(request) else RedirectResponse(found, 303)
        job, since = found
        await job.changed(since, WAIT)
        if job.busy_since is not None:
            await job.changed(job.version, SHORTLY)
        shown = _news(desk, job) if _scripted(request) else None
        return JSONResponse(shown) if shown else RedirectResponse(job.address, 303)

    return answer


def _streaming(desk: Desk, kind: str) -> Callable[[Request], Any]:
    """Server-sent events: the parts of a page whenever they change."""

    async def answer(request: Request) -> Response:
        try:
            job = desk.workers.find(request.path_params["id"], kind)
        except LookupError as error:
            return _trouble(request, error)

        async def stream() -> AsyncIterator[str]:
            job.watchers += 1
            try:
                async for text in told():
                    yield text
            finally:
                job.watchers, job.looked = job.watchers - 1, time.monotonic()

        async def told() -> AsyncIterator[str]:
            seen = -1
            while True:  # it ends when the browser leaves or the job has ended
                if job.version != seen:
                    seen = job.version
                    if "parts" not in job.cache:
                        job.cache["parts"] = json.dumps(_news(desk, job))
                    yield f"data: {job.cache['parts']}\n\n"
                else:
                    yield ": still here\n\n"
                if job.ended:
                    yield "event: end\ndata: {}\n\n"
                    return
                await asyncio.sleep(PAUSE[kind])
                await job.changed(seen, HEARTBEAT)

        return StreamingResponse(stream(), media_type="text/event-stream")

    return answer


def _news(desk: Desk, job: Job) -> dict[str, Any]:
    """The parts of a job's page that change. The answer to a click and the stream may overtake each other, so that a page
    leaves out what is older than what it shows."""
    return {"version": job.version, **VIEWS[job.kind].parts(desk, job)}


async def _style(request: Request) -> Response:
    """One stylesheet, for a page waits for each before it is painted: the colours of boards, and style.css."""
    return Response(style() + STYLE, media_type="text/css")


def _scripted(request: Request) -> bool:
    return "application/json" in request.headers.get("accept", "")


def _trouble(request: Request, error: Exception) -> Response:
    """An error as a sentence."""
    missing = isinstance(error, LookupError)
    words = str(error.args[0]) if missing and error.args else str(error)
    sentence = html.sentence(words)
    code = 404 if missing else 400
    if _scripted(request):
        fields = getattr(error, "fields", None)
        return JSONResponse({"trouble": sentence} | ({"wrong": fields} if fields else {}), code)
    back = html.tag("p", html.tag("a", "Back to the start", href="/"))
    title = "Not found" if missing else "That did not work"
    return HTMLResponse(html.page(title, html.join([html.tag("p", sentence), back])), code)


async def _nowhere(request: Request, error: Exception) -> Response:
    return _trouble(request, LookupError("There is no such page."))


async def _broken(request: Request, error: Exception) -> Response:
    return HTMLResponse(html.page("Something broke", html.tag("p", f"{type(error).__name__}: {error}")), 500)


# --- starting ---


def serve(
    host: str, port: int, setting: PageSetting, *, tell: Callable[[str], Any] = print, browser: bool = False
) -> None:
    """Serve the page until Ctrl-C. Port 0 takes any free one."""
    from . import connections

    for name in setting.offer.game_names():
        pages_choose.shown(setting.offer, name)  # so that the first page does not wait for it
    connections.more_handles()
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as bound:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((host, port))
        bound.listen()  # before the address is told: whoever opens it at once waits and is not refused
        port = bound.getsockname()[1]
        access = guard.new_access(host, port)
        shown = f"[{host}]" if ":" in host else host
        address = f"http://{shown}:{port}/" + (f"?key={access.key}" if access.key else "")
        tell(f"Fogtree's page is at {address} - Ctrl-C stops it.")
        if browser:
            webbrowser.open(address)
        make_server(make_app(access, setting, workers := Workers(setting.caps)), workers).run(sockets=[bound])


def make_server(app: Any, workers: Workers) -> Any:
    """The server, which ends all work as soon as it is told to stop: a stream that goes on would keep it from stopping."""
    import uvicorn  # slow to load

    from . import connections

    class Server(uvicorn.Server):
        def handle_exit(self, sig: int, frame: Any) -> None:
            workers.end_all()
            super().handle_exit(sig, frame)

    connections.quiet_logs()
    how: dict[str, Any] = {"http": connections.Connection, "backlog": connections.BACKLOG, "ws": "none"}
    return Server(uvicorn.Config(app, log_level="error", server_header=False, timeout_graceful_shutdown=2, **how))
