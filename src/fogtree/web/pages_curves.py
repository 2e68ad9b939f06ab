"""Curves: exploitability against iterations, growing while the searches run."""

import csv as standard
import io
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from ..bandits import BANDITS
from .curves import command, searches
from .desk import Desk, Form, one, whole
from .html import Safe, button, esc, field, form, join, page, table, tag, text_input
from .plot import plot
from .workers import Job

GAME, SEARCHES = "goofspiel", ("rm", "exp3", "uct")  # what the form proposes
PARAMETERS = {"goofspiel": {"p-cards": "4"}}
ITERATIONS, RUNS = 100_000, 5


async def choose(desk: Desk, request: Request) -> str:
    """The form of a new comparison."""
    given = dict(request.query_params)
    name = given.get("game") or GAME
    if not request.query_params:
        given = dict(PARAMETERS[GAME])
    game = desk.offer.game(name)
    other = tag(
        "form",
        desk.game_select(name),
        button("Choose this game", class_="small"),
        method="get",
        action="/curves",
        class_="choose",
    )
    chosen = given.get("bandits", " ".join(SEARCHES))
    names = tag(
        "small", f"Separate them by spaces. There are {', '.join(BANDITS)}; parameters follow a colon: uct:c=1."
    )
    fields = [
        Safe(f'<input type="hidden" name="game" value="{esc(name)}">'),
        desk.parameter_fields(game, given),
        field("Searches (IS-MCTS with these selection functions)", text_input("bandits", chosen, size=40), names),
        field(
            "Iterations of a run", text_input("iterations", given.get("iterations", ITERATIONS), inputmode="numeric")
        ),
        field("Runs of each search", text_input("runs", given.get("runs", RUNS), inputmode="numeric")),
        field("Seed", text_input("seed", given.get("seed", 0), inputmode="numeric")),
    ]
    lead = tag(
        "p", "How searches approach perfect play, or do not: total exploitability against iterations.", class_="lead"
    )
    body = join([lead, other, form("/curves", desk.token, *fields, button("Start"), class_="choose"), open_jobs(desk)])
    return page("Curves", body, at="/curves", token=desk.token, narrow=True)


def open_jobs(desk: Desk) -> Safe:
    """Comparisons and strategies that can be looked at or ended."""
    rows = []
    for job in desk.workers.living("curves"):
        link = tag("a", job.spec["title"], href=f"/{job.kind}/{job.id}")
        end = form(
            f"/{job.kind}/{job.id}/end",
            desk.token,
            button("End", class_="small", aria_label=f"End {job.spec['title']}"),
        )
        rows.append([link, job.facts.get("phase", ""), end])
    return tag("section", tag("h2", "Open work"), table(["what", "state", ""], rows)) if rows else Safe("")


async def start(desk: Desk, request: Request, given: Form) -> str:
    chosen = desk.game_choice(given)
    bandits = one(given, "bandits").split()
    searches(bandits)  # what is wrong is said before a worker begins
    numbers = {
        "iterations": whole(given, "iterations", ITERATIONS, 100, 100_000_000),
        "runs": whole(given, "runs", RUNS, 1, 50),
        "seed": whole(given, "seed", 0, 0, 2**62),
    }
    job = await desk.workers.start("curves", desk.spec(game=chosen, bandits=bandits, **numbers))
    text = f"{chosen[0]}:{chosen[1]}" if chosen[1] else chosen[0]
    job.spec |= {"title": f"{text}: {', '.join(bandits)}", "command": command(text, bandits, **numbers)}
    return f"/curves/{job.id}"


async def show(desk: Desk, request: Request) -> str:
    job = desk.workers.find(request.path_params["id"], "curves")
    now = parts(desk, job)["parts"]
    links = [
        tag("a", "Picture (SVG)", href=f"/curves/{job.id}/picture.svg", download=True),
        tag("a", "Numbers (CSV)", href=f"/curves/{job.id}/numbers.csv", download=True),
        tag("span", "The command that does the same: ", tag("code", job.spec["command"])),
    ]
    body = [
        tag("p", now["status"], id="status", role="status", aria_live="polite"),
        tag("div", now["busy"], id="busy"),
        tag("figure", now["plot"], id="plot", class_="wide"),
        tag("div", now["controls"], id="controls", class_="controls"),
        tag("div", now["numbers"], id="numbers"),
        tag("div", *links, class_="links"),
    ]
    return page(job.spec["title"], join(body), at="/curves", token=desk.token, live=f"/curves/{job.id}/events")


def parts(desk: Desk, job: Job) -> dict[str, Any]:
    facts = job.facts
    done, goal = facts.get("done", 0), facts.get("goal") or 0
    running = not job.ended and not facts.get("finished")
    if job.ended:
        status = job.ended
    elif job.paused:
        status = "Paused."
    else:
        status = f"Now: {facts.get('phase', 'starting')}."
    bar = tag("progress", value=done, max=goal or 1, aria_label="Progress") if running and goal else None
    busy = bar or (tag("progress", aria_label="Progress") if running else Safe(""))
    shown = {
        "status": esc(status),
        "busy": busy,
        "plot": Safe(plot(facts.get("curves", []), facts.get("exact"), job.spec["iterations"])),
        "controls": _controls(desk, job, running),
        "numbers": _numbers(facts),
    }
    return {"parts": shown, "facts": {}}


def _controls(desk: Desk, job: Job, running: bool) -> Safe:
    made = []
    if running:
        what, words = ("go", "Go on") if job.paused else ("pause", "Pause")
        made.append(form(f"/curves/{job.id}/{what}", desk.token, button(words, class_="small"), data_fetch=True))
        made.append(form(f"/curves/{job.id}/stop", desk.token, button("Stop here", class_="small"), data_fetch=True))
    return join(made)


def _numbers(facts: dict[str, Any]) -> Safe:
    """The last point of each curve."""
    rows = []
    for curve in facts.get("curves", []):
        reached = [k for k, mean in enumerate(curve["mean"]) if mean is not None]
        if reached:
            k = reached[-1]
            runs = sum(row[k] is not None for row in curve["total"])
            rows.append(
                [
                    curve["name"],
                    f"{curve['iterations'][k]:,}",
                    runs,
                    f"{curve['mean'][k]:.4g}",
                    f"{curve['band'][k]:.2g}",
                ]
            )
    words = "Total exploitability: what both players could gain together, 0 in perfect play"
    return table(["search", "iterations", "runs", "total", "half of 95 %"], rows, words) if rows else Safe("")


async def act(desk: Desk, request: Request, given: Form) -> Any:
    """Pause, go on, stop, or put away."""
    job = desk.workers.find(request.path_params["id"], "curves")
    what, since = request.path_params["what"], job.version
    if what == "pause":
        job.pause()
    elif what == "go":
        job.go_on()
    elif what == "stop":
        job.end("You stopped this comparison. What it had measured is kept.")
    elif what == "end":
        job.end("You ended this comparison.")
        del desk.workers.jobs[job.id]
        return "/curves"
    else:
        raise LookupError("There is no such page.")
    return job, f"/curves/{job.id}", parts, since


async def svg(desk: Desk, request: Request) -> Response:
    job = desk.workers.find(request.path_params["id"], "curves")
    drawn = plot(job.facts.get("curves", []), job.facts.get("exact"), job.spec["iterations"])
    return _file(drawn, "image/svg+xml", "curves.svg")


async def csv(desk: Desk, request: Request) -> Response:
    """All runs at all points, as `fogtree compare` writes them."""
    job, out = desk.workers.find(request.path_params["id"], "curves"), io.StringIO()
    lines = standard.writer(out)
    lines.writerow(["algorithm", "run", "iterations", "seconds", "total"])
    for curve in job.facts.get("curves", []):
        for run, totals in enumerate(curve["total"]):
            for k, total in enumerate(totals):
                if total is not None:
                    spent = curve["seconds"][run][k]
                    lines.writerow([curve["name"], run, curve["iterations"][k], f"{spent:.6g}", f"{total:.9g}"])
    return _file(out.getvalue(), "text/csv", "curves.csv")


def _file(text: str, kind: str, name: str) -> Response:
    return Response(text, media_type=kind, headers={"content-disposition": f'attachment; filename="{name}"'})
