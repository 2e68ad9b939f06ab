"""Curves: exploitability against iterations, growing while the searches run."""

import csv as standard
import io
from typing import Any

import numpy as np
from starlette.requests import Request
from starlette.responses import Response

from ..bandits import BANDITS
from ..draw.chart import Trace, chart
from ..measure.curve import FIRST, csv_rows
from .curves import command, curves_of, searches
from .desk import Desk, Form, one, typed, whole
from .html import Safe, button, esc, join, table, tag
from .workers import Job

GAME, SEARCHES, ITERATIONS, RUNS = "goofspiel", "rm exp3 uct", 100_000, 5  # what the form proposes
LOWEST, TINY = 10, 1e-12  # how far below the curves the equilibrium is drawn at most
LEAD = tag("p", "How searches (IS-MCTS with a selection function) approach perfect play, or do not.", class_="lead")


async def choose(desk: Desk, request: Request) -> str:
    """The form of a new comparison."""
    given = dict(request.query_params) or {"game": GAME, "p-cards": "4"}
    name = given.get("game") or GAME
    known = f"Separate them by spaces. There are {', '.join(BANDITS)}; parameters follow a colon: uct:c=1."
    fields = [
        desk.game_fields(name, given),
        typed("Searches", "bandits", given, SEARCHES, known),
        typed("Iterations of a run", "iterations", given, ITERATIONS),
        typed("Runs of each search", "runs", given, RUNS),
        typed("Seed", "seed", given, 0),
    ]
    chosen = desk.form("/curves", *fields, button("Start"), class_="choose")
    return desk.page("/curves", "Curves", LEAD, desk.other_game("/curves", name), chosen, desk.open_work("curves"))


async def start(desk: Desk, request: Request, given: Form) -> str:
    chosen, bandits = desk.game_choice(given), one(given, "bandits").split()
    searches(bandits)  # what is wrong is said before a worker begins
    numbers = {
        "iterations": whole(given, "iterations", ITERATIONS, 100, 100_000_000),
        "runs": whole(given, "runs", RUNS, 1, 50),
        "seed": whole(given, "seed", 0, 0, 2**62),
    }
    text = desk.offer.game_text(*chosen)
    spec = {"game": chosen, "bandits": bandits, **numbers}
    more = {"command": command(text, bandits, **numbers), "last": numbers["iterations"]}
    return await desk.start("curves", f"{text}: {', '.join(bandits)}", spec, **more)


async def show(desk: Desk, request: Request) -> str:
    job = desk.workers.find(request.path_params["id"], "curves")
    now = parts(desk, job)["parts"]
    links = [
        tag("a", "Picture (SVG)", href=f"{job.address}/picture.svg", download=True),
        tag("a", "Numbers (CSV)", href=f"{job.address}/numbers.csv", download=True),
        tag("span", "The command that does the same: ", tag("code", job.more["command"])),
    ]
    body = [
        tag("p", now["status"], id="status", role="status", aria_live="polite"),
        tag("div", now["busy"], id="busy"),
        tag("figure", now["plot"], id="plot", class_="wide"),
        tag("div", now["controls"], id="controls", class_="controls"),
        tag("div", now["numbers"], id="numbers"),
        tag("div", *links, class_="links"),
    ]
    return desk.page("/curves", job.title, *body, live=f"{job.address}/events")


def parts(desk: Desk, job: Job) -> dict[str, Any]:
    facts = job.facts
    done, goal = facts.get("done", 0), facts.get("goal") or 0
    running = not job.ended and not facts.get("finished")
    status = job.ended or ("Paused." if job.paused else f"Now: {facts.get('phase', 'starting')}.")
    known = {"value": done, "max": goal} if goal else {}
    shown = {
        "status": esc(status),
        "busy": tag("progress", aria_label="Progress", **known) if running else Safe(""),
        "plot": Safe(plot(facts, job.more["last"])),
        "controls": _controls(desk, job, running),
        "numbers": _numbers(facts),
    }
    return {"parts": shown, "facts": {}}


def plot(facts: dict[str, Any], last: int) -> str:
    """The curves above a line for the equilibrium, which is as long as the runs will be; nothing if there are none yet."""
    found = [curve for curve in curves_of(facts) if len(curve.iterations) and np.isfinite(curve.mean()).any()]
    if not found:
        return ""
    lines = [Trace(curve.name, curve.iterations, curve.mean(), curve.band()) for curve in found]
    method, total = facts["exact"]
    lowest = min(float(np.nanmin(line.y)) for line in lines)
    level = np.full(2, max(total, lowest / LOWEST, TINY))  # one that is exact up to rounding is drawn below the curves
    lines.append(Trace(f"equilibrium by {method}: {total:.1g}", np.array([FIRST, last]), level))
    return chart(lines, x="iterations", y="total exploitability", below=True)


def _controls(desk: Desk, job: Job, running: bool) -> Safe:
    words = {"go": "Go on"} if job.paused else {"pause": "Pause"}
    choices = (words | {"stop": "Stop here"}) if running else {}
    return join(desk.press(f"{job.address}/{what}", said, data_fetch=True) for what, said in choices.items())


def _numbers(facts: dict[str, Any]) -> Safe:
    """The last point of each curve."""
    found = (curve.reached_by(0.0) for curve in curves_of(facts))
    rows = [
        [curve.name, f"{curve.iterations[-1]:,}", runs, f"{curve.mean()[-1]:.4g}", f"{curve.band()[-1]:.2g}"]
        for curve in found
        if len(curve.iterations) and (runs := int((~np.isnan(curve.total[:, -1])).sum()))
    ]
    words = "Total exploitability: what all players could gain together, 0 in perfect play"
    return table(["search", "iterations", "runs", "total", "± 95 %"], rows, words) if rows else Safe("")


async def act(desk: Desk, request: Request, given: Form) -> Any:
    """Pause, go on, stop, or put away."""
    job = desk.workers.find(request.path_params["id"], "curves")
    since = job.version
    match request.path_params["what"]:
        case "pause":
            job.pause()
        case "go":
            job.go_on()
        case "stop":
            job.end("You stopped this comparison. What it had measured is kept.")
        case "end":
            desk.workers.put_away(job)
            return "/curves"
        case _:
            raise LookupError("There is no such page.")
    return job, since


async def svg(desk: Desk, request: Request) -> Response:
    job = desk.workers.find(request.path_params["id"], "curves")
    if not (drawn := plot(job.facts, job.more["last"])):
        raise LookupError("There is nothing to draw yet.")
    return _file(drawn, "image/svg+xml", "curves.svg")


async def csv(desk: Desk, request: Request) -> Response:
    """All runs at all points, as `fogtree compare` writes them."""
    job, out = desk.workers.find(request.path_params["id"], "curves"), io.StringIO()
    standard.writer(out).writerows(csv_rows(curves_of(job.facts)))
    return _file(out.getvalue(), "text/csv", "curves.csv")


def _file(text: str, kind: str, name: str) -> Response:
    return Response(text, media_type=kind, headers={"content-disposition": f'attachment; filename="{name}"'})


# --- addresses ---

PAGES, CHANGES = {"/curves": choose}, {"/curves": start}
PARTS = {"picture.svg": svg, "numbers.csv": csv}  # of a comparison
