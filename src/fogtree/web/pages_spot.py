"""A spot: how far the work on it is, and then its places, which can be locked and solved again.

The script of the page asks for the same part of it that the whole page has, so that every place has an address, and the page
works without a script.
"""

from typing import Any

import numpy as np
from starlette.requests import Request

from ..draw.chart import Trace, chart
from ..errors import Invalid
from ..games.spot.ranges import class_of, weights
from ..games.spot.rules import SHORT
from ..games.spot.spelling import CLASSES
from ..walk.slices import sized
from . import pages_table
from .desk import Desk, Form, one
from .html import Safe, esc, join, sentence, tag
from .pages_hands import blockers, cards, csv, hand
from .pages_place import shown_place, view
from .pages_spots import SCRIPTS, begin
from .spot_form import Wrong
from .spot_where import locked, percent, read_where
from .workers import Job

SOLVING = "solving"  # the phase in which the certificate falls
MOST_SHARE = 1e6  # percent; shares are divided by their sum
PATIENCE = 0.8  # seconds that a page waits for a spot that is solved quickly


# --- the page ---


async def show(desk: Desk, request: Request) -> str:
    """The page: while it is solved, how far it is; then the place of the address."""
    job = desk.workers.find(request.path_params["id"], "spot")
    await _patient(job)
    now, at = parts(desk, job)["parts"], read_where(job, request.query_params)
    ready = _ready(job)
    shown = await shown_place(desk, job, at) if ready else Safe("")
    body = [
        tag("p", now["status"], id="status", role="status", aria_live="polite", class_="unseen" if ready else None),
        tag("div", now["busy"], id="busy"),
        tag("figure", now["plot"], id="plot", class_="wide small-plot") if not ready else None,
        tag("div", now["controls"], id="controls", class_="controls"),
        tag("section", shown, id="view", aria_label="The place", data_ready=int(ready)),
        _about(desk, job),
        tag("p", "", id="said", role="status", class_="unseen"),
    ]
    return desk.page("/spots", job.title, *body, live=f"{job.address}/events", scripts=SCRIPTS)


async def _patient(job: Job) -> None:
    """Wait a little for a spot that is solved at once."""
    for _ in range(8):
        if job.facts.get("finished") or job.facts.get("asking") or job.ended:
            return
        await job.changed(job.version, PATIENCE / 8)


def parts(desk: Desk, job: Job) -> dict[str, Any]:
    """What changes while the spot is solved."""
    facts = job.facts
    running = not job.ended and not facts.get("finished")
    shown = {
        "status": esc(_status(job)),
        "busy": tag("progress", aria_label="Solving") if running and not facts.get("asking") else Safe(""),
        "plot": _plot(facts) if running else Safe(""),
        "controls": _controls(desk, job),
    }
    return {"parts": shown, "facts": {"ready": int(_ready(job))}}


def _ready(job: Job) -> bool:
    """Whether its places can be looked at: a page that shows none is loaded anew as soon as this is so."""
    return bool(job.facts.get("finished")) and not job.ended


def _status(job: Job) -> str:
    facts = job.facts
    if job.ended:
        return job.ended
    if facts.get("finished"):
        return "Ready."
    need = (
        f"{sized(facts['need'])} of memory and about {_time(facts['estimate'])} on one core" if "need" in facts else ""
    )
    if facts.get("asking"):
        return f"This needs {need} to {facts['target']:g} % of the pot. Shall it begin?"
    if facts.get("stopping"):
        return "Stopping as soon as there is something to keep."
    if facts.get("compiling"):
        return "Compiling, which is needed once on this machine."
    if (course := facts.get("course")) and facts["phase"] == SOLVING:
        iterations, percent = course[-1]
        goal = f"{facts['target']:g} %"
        goal += f", which may take {_time(facts['left'])} more" if facts.get("left") else ""
        return (
            f"{iterations:,} iterations: a perfect opponent could win {percent:.3g} % of the pot; the target is {goal}."
        )
    more = f" It needs {need}." if need else ""
    if facts.get("done"):
        return f"Now: {facts['phase']}, {facts['done']:,} {facts['counted']} so far.{more}"
    return f"Now: {facts.get('phase', 'starting')}.{more}"


def _time(seconds: float) -> str:
    if seconds < 1.5:
        return "a second"
    return (
        f"{seconds:.0f} seconds"
        if seconds < 100
        else f"{seconds / 60:.0f} minutes"
        if seconds < 6000
        else f"{seconds / 3600:.1f} hours"
    )


def _plot(facts: dict[str, Any]) -> Safe:
    """How the certificate falls."""
    course = facts.get("course") or []
    if len(course) < 2:
        return Safe("")
    x, y = np.array(course, float).T
    return Safe(chart([Trace("best responses gain, % of the pot", x, y)], x="iterations", y="% of the pot", below=True))


def _controls(desk: Desk, job: Job) -> Safe:
    facts = job.facts
    if job.ended or facts.get("finished"):
        return Safe("")
    if facts.get("asking"):
        go = desk.press(f"{job.address}/go", "Solve it", data_fetch=True)
        return join([go, tag("a", "Change it", href=f"/spots?from={job.more['name']}"), _end(desk, job)])
    stop = desk.press(f"{job.address}/stop", "Stop and keep what there is", data_fetch=True)
    return join([None if facts.get("stopping") else stop, _end(desk, job)])


def _end(desk: Desk, job: Job) -> Safe:
    return desk.press(f"{job.address}/end", "Put it away")


def _about(desk: Desk, job: Job) -> Safe:
    """What was asked for, and what came of it."""
    facts, wanted = job.facts, job.more["wanted"]
    rows: list[tuple[str, Any]] = []
    if facts.get("finished"):
        first, second = facts["values"]
        but = " if the locks stay" if job.more["locks"] else ""
        missed = "" if facts["reached"] else ", the target was not reached"
        rows += [
            ("Values", f"OOP {first:.3f}, IP {second:.3f} chips"),
            ("Equity", f"OOP {facts['equity']:.4%}, IP {1 - facts['equity']:z.4%}"),
            (
                "Certificate",
                f"a perfect opponent could win {facts['percent']:.3g} % of the pot on average{but}{missed}",
            ),
            ("Method", f"{facts['method']}, {facts['iterations']:,} iterations, {_spent(facts)}"),
        ]
    if wanted:
        rows += [(who, tag("code", wanted.spot[who.lower()])) for who in SHORT]
        rows += [("Bets", tag("code", wanted.spot["bets"])), *_command(job)]
    rows += [("Locked", _locked(job))] if job.more["locks"] else []
    listed = [part for words, told in rows for part in (tag("dt", words), tag("dd", told))]
    name = job.more["name"]
    links = [
        tag("a", "Change it", href=f"/spots?from={name}") if wanted else None,
        tag("a", "Play against it", href=f"{job.address}/play") if _ready(job) else None,
        tag("a", "Download", href=f"/spots/file/{name}.npz", download=True) if facts.get("finished") else None,
        _end(desk, job) if _ready(job) else None,
    ]
    return tag(
        "details",
        tag("summary", "About this spot"),
        tag("dl", *listed),
        tag("div", *(one for one in links if one), class_="links"),
        class_="folded",
        open=not facts.get("finished"),
    )


def _command(job: Job) -> list[tuple[str, Any]]:
    """The command that finds the same; a command knows no locks."""
    return [] if job.more["locks"] else [("The same command", tag("code", job.more["wanted"].command()))]


def _spent(facts: dict[str, Any]) -> str:
    return f"{facts.get('spent', 0):.2f} s"


def _locked(job: Job) -> Safe:
    return tag("ul", *(tag("li", locked(lock)) for lock in job.more["locks"]))


def _read_lock(job: Job, given: Form) -> dict[str, Any]:
    at = read_where(job, {key: one(given, key) for key in ("line", "cards")})
    wrong, groups = dict[str, str](), dict[str, None]()
    names = [f"share-{n}" for n in range(sum(key.startswith("share-") for key in given))]
    found = [_share(name, one(given, name), wrong) for name in names]
    if names and not wrong and sum(found) <= 0:
        wrong[names[0]] = "At least one share must be above 0."
    try:
        held = weights(one(given, "hands"))
        groups = dict.fromkeys(class_of(hand) for hand in held.nonzero()[0].tolist())
        if part := [group for group in groups if held[CLASSES[group]].min() < 1]:
            raise Invalid(f"a lock is for all hands of a kind, and always: write {part[0]}")
    except Invalid as error:
        wrong["hands"] = sentence(str(error))
    if wrong:
        raise Wrong(wrong)
    if not names:
        raise Invalid("a lock has a share for each action")
    mix = [share / sum(found) for share in found]
    return {"line": ", ".join(at.line), "cards": list(at.cards), "hands": dict.fromkeys(groups, mix)}


def _share(name: str, text: str, wrong: dict[str, str]) -> float:
    """How often an action is taken, as the form says it; an empty field is 0."""
    try:
        found = float(text.strip().removesuffix("%") or 0)
        if not 0 <= found <= MOST_SHARE:
            raise ValueError
        return found
    except ValueError:
        wrong[name] = f"This must be a percentage from 0 on, not '{text[:20]}'."
        return 0.0


# --- changes ---


async def act(desk: Desk, request: Request, given: Form) -> Any:
    """Go, stop, put away, lock, solve again."""
    job = desk.workers.find(request.path_params["id"], "spot")
    since, pending = job.version, job.more["pending"]
    match request.path_params["what"]:
        case "go":
            await job.ask("go")
        case "stop":
            await job.ask("stop")
        case "deal" | "act":
            return await pages_table.act(desk, request, job, given)
        case "end":
            desk.workers.put_away(job)
            return "/spots"
        case "lock":
            lock = _read_lock(job, given)
            actions = await job.ask("lockable", lock=lock)
            mix = next(iter(lock["hands"].values()))
            lock["told"] = ", ".join(f"{a} {percent(share)}" for a, share in zip(actions, mix, strict=True) if share)
            pending[:] = [
                old for old in pending if old["line"] != lock["line"] or not set(old["hands"]) <= set(lock["hands"])
            ]
            pending.append(lock)
            return read_where(job, {key: one(given, key) for key in ("line", "cards")}).to()
        case "unlock":
            pending.clear()
            return job.address
        case "again":
            wanted = job.more["wanted"]
            if not wanted:
                raise Invalid("this spot was not asked for on this page: fill in the form, solve it, and lock then")
            if not (pending or job.more["locks"]):
                raise Invalid("lock a decision of this spot first")
            return await begin(desk, wanted, base=job.more["name"], locks=[*job.more["locks"], *pending])
        case _:
            raise LookupError("There is no such page.")
    return job, since


# --- addresses ---

PARTS = {  # of a spot
    "view": view,
    "hand": hand,
    "blockers": blockers,
    "cards": cards,
    "play": pages_table.play,
    "hands.csv": csv,
}
