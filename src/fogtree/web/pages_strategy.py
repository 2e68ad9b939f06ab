"""Strategy: a solved or saved strategy, walked through set by set."""

import urllib.parse
from typing import Any

from starlette.requests import Request

from ..errors import Invalid
from .desk import Desk, Form, one, typed, whole
from .html import Safe, bars, button, esc, field, join, select, tag
from .strategies import SOLVE, UNIFORM
from .workers import Job

GAME, SECONDS, MOST_SECONDS = "kuhn", 10, 600
MOST_STEPS = 200  # of a path
SOURCES = {SOLVE: "equilibrium", UNIFORM: "uniform play"}
FILES = "Files are those in the folder where the page was started, and those named on its command line."
LEAD = tag("p", "What a strategy plays at each information set, and what it is worth there.", class_="lead")


async def choose(desk: Desk, request: Request) -> str:
    """The form that opens a strategy."""
    given = dict(request.query_params)
    name = given.get("game") or GAME
    saved = [(f"file/{id}", f"saved strategy {id}") for id in desk.offer.strategies]
    sources = select("source", [*SOURCES.items(), *saved], given.get("source", SOLVE))
    fields = [field("Strategy", sources, FILES), typed("Seconds to solve", "seconds", given, SECONDS)]
    chosen = desk.form("/strategy", desk.game_fields(name, given), *fields, button("Open"), class_="choose")
    body = [LEAD, desk.other_game("/strategy", name), chosen, desk.open_work("strategy")]
    return desk.page("/strategy", "Strategy", *body)


async def start(desk: Desk, request: Request, given: Form) -> str:
    chosen, source = desk.game_choice(given), one(given, "source", SOLVE)
    known = [*SOURCES, *(f"file/{id}" for id in desk.offer.strategies)]
    if source not in known:
        raise Invalid(f"there is no strategy '{source[:40]}': valid are {', '.join(known)}")
    seconds = float(whole(given, "seconds", SECONDS, 1, MOST_SECONDS))
    spec = {"game": chosen, "source": source.removeprefix("file/"), "seconds": seconds}
    title = f"{desk.offer.game_text(*chosen)}: {SOURCES.get(source, source.removeprefix('file/'))}"
    return await desk.start("strategy", title, spec)


async def show(desk: Desk, request: Request) -> str:
    """The strategy, unfolded to the path of the address."""
    job = desk.workers.find(request.path_params["id"], "strategy")
    if not job.facts.get("finished") and not job.ended:
        await job.changed(job.version, 0.3)
    now = parts(desk, job)["parts"]
    player, path = _where(request)
    shown: Any = tag("p", "The strategy is not ready yet.", class_="faint")
    if job.facts.get("finished") and not job.ended:
        shown = await _sets(job, player, path)
    tabs = [
        tag("a", f"Player {who}", href=f"{job.address}?player={who}", aria_current="page" if who == player else None)
        for who in range(job.facts.get("players", 2))
    ]
    ready = "yes" if job.facts.get("finished") else "no"
    body = [
        tag("p", now["status"], id="status", role="status", aria_live="polite"),
        tag("div", now["busy"], id="busy"),
        tag("div", now["numbers"], id="numbers"),
        tag("nav", *tabs, class_="tabs", aria_label="Players"),
        tag("section", shown, id="sets", aria_label="Information sets", data_ready=ready),
        tag("div", now["links"], id="links"),
    ]
    return desk.page("/strategy", job.title, *body, live=f"{job.address}/events")


def parts(desk: Desk, job: Job) -> dict[str, Any]:
    facts = job.facts
    running = not job.ended and not facts.get("finished")
    status = job.ended or ("Ready." if facts.get("finished") else f"Now: {facts.get('phase', 'starting')}.")
    rows = []
    if "value" in facts:
        low, high = facts["low"], facts["high"]
        rows.append(f"Value {facts['value']:.6f} for player 0, in [{low:.6f}, {high:.6f}], by {facts['method']}.")
    if "total" in facts:
        rows.append(f"Total exploitability {facts['total']:.3g}: what best responses gain against it.")
    rows += [facts["why"]] if "why" in facts else []
    end = None if job.ended else desk.press(f"{job.address}/end", "Put it away")
    tree = tag("a", "The whole tree as a picture", href=f"{job.address}/tree") if facts.get("finished") else None
    shown = {
        "status": esc(status),
        "busy": tag("progress", aria_label="Solving") if running else Safe(""),
        "numbers": join(tag("p", row) for row in rows),
        "links": tag("div", tree, end, class_="links"),
    }
    return {"parts": shown, "facts": {"reload": bool(facts.get("finished"))}}


async def unfold(desk: Desk, request: Request) -> str:
    """The sets after a path, for the script of the page."""
    job = desk.workers.find(request.path_params["id"], "strategy")
    return await _sets(job, *_where(request))


def _where(request: Request) -> tuple[int, list[list[str]]]:
    """The player and the path that an address names: `view.action,view.action`."""
    player, path = request.query_params.get("player", "0"), request.query_params.get("path", "")
    steps = [part.split(".") for part in path.split(",") if part]
    numbers = [player, *(number for step in steps for number in step)]
    sound = all(n.isascii() and n.removeprefix("-").isdecimal() and len(n) < 21 for n in numbers)
    if not sound or len(steps) > MOST_STEPS or any(len(step) != 2 for step in steps):
        raise Invalid("this is no path of a strategy: it is written view.action,view.action in whole numbers")
    return int(player), steps


async def _sets(job: Job, player: int, path: list[list[str]]) -> Safe:
    found = await job.ask("unfold", player=player, path=path)
    made: list[Any] = []
    if path:
        made.append(_crumbs(job, player, path, found["crumbs"]))
    made += [_set(job, player, path, one) for one in found["sets"]]
    if not found["sets"]:
        made.append(tag("p", "The player decides nothing after this."))
    if found["more"]:
        made.append(tag("p", f"And {found['more']:,} less likely ones."))
    if not found["complete"]:
        made.append(tag("p", "These are the likeliest; more can follow."))
    return tag("div", *made, class_="sets")


def _address(job: Job, player: int, path: list[list[str]], part: str = "") -> str:
    query = urllib.parse.urlencode({"player": player, "path": ",".join(".".join(step) for step in path)}, safe=",")
    return f"{job.address}{part}?{query}"


def _crumbs(job: Job, player: int, path: list[list[str]], names: list[str]) -> Safe:
    links = [tag("a", "start", href=_address(job, player, []))]
    links += [tag("a", name, href=_address(job, player, path[: n + 1])) for n, name in enumerate(names)]
    return tag("nav", join(links, " > "), class_="crumbs", aria_label="Path")


def _set(job: Job, player: int, path: list[list[str]], told: dict[str, Any]) -> Safe:
    """One information set, with a line to unfold for each action."""
    facts = [f"reach {told['reach']:.4g}", f"{told['states']:,} states"]
    if "value" in told:
        facts += [f"value {told['value']:+.4f}", f"regret {told['regret']:.4f}"]
    deeper = []
    for action, name in told["actions"]:
        onward = [*path, [told["view"], str(action)]]
        link = tag("a", "open alone", href=_address(job, player, onward))
        inner = tag("div", link, class_="loading")
        unfold = _address(job, player, onward, "/unfold")
        deeper.append(tag("details", tag("summary", f"after {name}"), inner, data_unfold=unfold))
    drawn = tag("figure", Safe(told["picture"]), tag("figcaption", ", ".join(facts)))
    return tag("article", drawn, tag("div", bars(told["mix"], worth=told.get("worth")), *deeper), class_="set")


async def act(desk: Desk, request: Request, given: Form) -> Any:
    job = desk.workers.find(request.path_params["id"], "strategy")
    if request.path_params["what"] != "end":
        raise LookupError("There is no such page.")
    desk.workers.put_away(job)
    return "/strategy"


async def tree(desk: Desk, request: Request) -> str:
    """The whole tree of a small game."""
    job = desk.workers.find(request.path_params["id"], "strategy")
    drawn = tag("div", Safe(await job.ask("tree")), class_="scroll", tabindex=0, role="region", aria_label="Tree")
    words = "Discs that a player cannot tell apart are joined. Numbers are probabilities by the strategy."
    back = tag("p", tag("a", "Back to the strategy", href=job.address))
    return desk.page("/strategy", f"The tree of {job.title}", tag("p", words), drawn, back)


# --- addresses ---

PAGES, CHANGES = {"/strategy": choose}, {"/strategy": start}
PARTS = {"unfold": unfold, "tree": tree}  # of a strategy
