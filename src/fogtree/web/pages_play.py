"""Play and Watch: the page of a match. `pages_review.py` walks through it."""

import time
import urllib.parse
from typing import Any

from starlette.requests import Request

from ..errors import Invalid
from .desk import Desk, Form, one, whole
from .html import Safe, button, esc, join, select, table, tag, text_input, void
from .pages_review import PARTS, step_html  # noqa: F401  (the server asks for the parts of a match)
from .telling import named, outcome
from .workers import Job

STATUS = {"yours": "Your move.", "waiting": "The others are thinking.", "over": "The game is over."}
COMPILES = "Compiling (the first time only)."
SPEEDS = ((2000, "slow"), (800, "medium"), (250, "fast"))  # milliseconds a move
REEL = {"first": "First", "back": "Back", "run": "Play", "next": "Next", "last": "Last"}
HIDDEN = "This shows you the hidden board and what the others believe. The match goes on, but it is no longer fair."
OPEN = "This shows you how the others think. The match goes on, but it is no longer fair."
NUMBERS = {"least": -(2**62), "most": 2**62}
ZOOM = (("out", "\u2212", "Smaller board"), ("in", "+", "Larger board"), ("fit", "Fit", "Fit the board"))


async def show(desk: Desk, request: Request) -> str:
    """The page of a match."""
    job = desk.workers.find(request.path_params["id"], "match")
    if not job.facts and not job.ended:
        await job.changed(0, 5.0)
    job.looked = time.monotonic()
    now = parts(desk, job)["parts"]
    at = request.query_params.get("step", "")
    steps = job.facts.get("steps", 0) + 1 if job.facts.get("open") and not job.ended else 0  # that can be shown
    asked = at.isascii() and at.isdecimal() and len(at) < 10 and int(at) < steps
    shown = await step_html(job, int(at)) if asked else Safe("")
    board = tag("section", now["board"], id="board", class_="board", aria_label="Board")
    zoom = [button(sign, type="button", data_zoom=way, aria_label=words) for way, sign, words in ZOOM]
    frame = tag("div", board, class_="frame")
    sizes = tag("div", *zoom, class_="zoom", role="group", aria_label="Size of the board")
    status = tag("p", now["status"], id="status", role="status", aria_live="polite")
    mine = job.more["view"] == "/play"
    told = tag("div", sizes if mine else None, status, tag("div", now["busy"], id="busy"), class_="told")
    panel = [
        tag("section", now["result"], id="result", aria_label="Result"),
        tag("section", now["controls"], id="controls", aria_label="Match"),
        tag("section", now["moves"], id="moves", aria_label="Your moves"),
        tag("section", now["log"], id="log", aria_label="Log"),
    ]
    body = [
        tag("div", frame, tag("div", told, *panel, class_="beside"), class_="table") if mine else told,
        None if mine else tag("section", now["result"], id="result", aria_label="Result"),
        tag("section", tag("div", now["reveal"], id="reveal"), _reel(job, shown), id="review", aria_label="Review"),
        tag("section", now["links"], id="links", aria_label="Links"),
    ]
    return desk.page(job.more["view"], job.title, *body, live=f"{job.address}/events")


def _reel(job: Job, shown: Safe) -> Safe:
    """The controls to walk through a match. They show when there is something to see."""
    buttons = [button(words, type="button", data_reel=name) for name, words in REEL.items()]
    slider = void("input", type="range", min=0, max=0, value=0, id="reel-at", aria_label="Move")
    speed = tag("label", "Speed ", select("speed", SPEEDS, 800, id="reel-speed"))
    controls = tag("div", *buttons, slider, speed, class_="controls", role="group", aria_label="Walk through the match")
    step = join([tag("p", id="said", role="status", class_="unseen"), tag("div", shown, id="step")])
    facts = {"data_match": job.address, "data_watch": "yes" if job.more["view"] == "/watch" else "no"}
    return tag("div", controls, step, id="reel", hidden=not job.facts.get("open"), **facts)


def parts(desk: Desk, job: Job) -> dict[str, Any]:
    """The parts of a match's page that change, and what its script must know."""
    facts = job.facts
    status = job.ended or STATUS.get(facts.get("status", ""), "The match is being set up.")
    thinking = facts.get("status", "waiting") == "waiting" and not job.ended
    if thinking and facts.get("compiling"):
        status = COMPILES
    shown = {
        "status": esc(status),
        "busy": tag("progress", aria_label="Thinking") if thinking else Safe(""),
        "board": Safe(facts.get("board", "")),
        "moves": _moves(desk, job),
        "controls": _controls(desk, job),
        "log": _log(facts),
        "result": _result(desk, job),
        "reveal": _reveal(desk, job),
        "links": _links(job),
    }
    known = {"steps": facts.get("steps", 0), "open": bool(facts.get("open")), "over": facts.get("status") == "over"}
    return {"parts": shown, "facts": known | {"begin": facts.get("begin", 0)}}


def _moves(desk: Desk, job: Job) -> Safe:
    """The legal moves as buttons, and a line to type one. Where they can be played on the board, the list is folded away
    until the keyboard comes to it."""
    facts, head = job.facts, tag("h2", "Your moves")
    if facts.get("status") == "over" or job.ended:
        return Safe("")
    if facts.get("status") != "yours":
        return join([head, tag("p", "None at the moment.", class_="faint")])
    buttons = [button(name, name="action", value=action) for action, name in facts["actions"]]
    names = {"class_": "actions", "role": "group", "aria_label": "Moves"}
    line = tag("label", "Type a move: ", text_input("text", size=8, spellcheck="false"))
    made = [
        desk.form(f"{job.address}/move", _turn(facts), *buttons, data_fetch=True, **names),
        desk.press(f"{job.address}/move", "Play it", _turn(facts), line, class_="typed", data_fetch=True),
    ]
    if not facts.get("boarded"):
        return join([head, *made])
    unfold = tag("label", void("input", type="checkbox", class_="unfold"), " Show the list of moves", class_="faint")
    return tag("div", head, unfold, *made, class_="folded")


def _turn(facts: dict[str, Any]) -> Safe:
    return void("input", type="hidden", name="turn", value=facts["turn"])


def _controls(desk: Desk, job: Job) -> Safe:
    """What can be done beside a move: take one back, turn the board, resign."""
    facts, made, address = job.facts, list[Any](), job.address
    if job.ended or job.more["view"] != "/play":
        return Safe("")
    if facts.get("boarded"):
        made.append(desk.press(f"{address}/flip", "Flip the board", data_fetch=True))
    if facts.get("status") == "yours":
        if facts.get("undo"):
            made.append(desk.press(f"{address}/undo", "Take back", _turn(facts), data_fetch=True))
        sure = desk.form(
            f"{address}/resign", _turn(facts), button("Yes, resign", class_="warn"), data_fetch=True, class_="sure"
        )
        made.append(tag("details", tag("summary", "Resign"), tag("p", "You lose, and can look at the match."), sure))
    return tag("div", *made, class_="controls")


def _log(facts: dict[str, Any]) -> Safe:
    """The moves that the person knows of."""
    lines = [tag("li", f"{named(facts, who)}: ", tag("strong", said)) for who, said in facts.get("log", ())]
    seen = tag("details", tag("summary", "What you see, as text"), tag("pre", facts.get("text", "")))
    told = tag("ol", *lines, class_="pairs" if facts.get("openly") else None)  # who moves alternates
    return join([tag("h2", "Log"), tag("div", told, class_="newest", tabindex=0, aria_label="Moves so far"), seen])


def _result(desk: Desk, job: Job) -> Safe:
    """How the match ended."""
    facts = job.facts
    if facts.get("status") != "over":
        return Safe("")
    payoffs, me = facts["payoffs"], facts.get("me")
    rows = [[named(facts, who), f"{payoff:+g}"] for who, payoff in enumerate(payoffs)]
    moves = ", ".join(f"{named(facts, who)}: {name}" for who, name in facts["moves"])
    many = "1 move" if len(facts["moves"]) == 1 else f"All {len(facts['moves'])} moves"
    told = tag("details", tag("summary", many), tag("p", moves)) if moves else None
    paid = tag("details", tag("summary", "Payoffs"), table(["player", "payoff"], rows, "Payoffs"))
    kind = "" if me is None else "won" if payoffs[me] > 0 else "lost" if payoffs[me] < 0 else ""
    again = None if me is None else _again(desk, job, payoffs[me])
    return join([tag("h2", "Result"), tag("p", outcome(facts), class_=f"outcome {kind}".strip()), again, paid, told])


def _again(desk: Desk, job: Job, payoff: float) -> Safe:
    """The next match of this kind at one press, and how the last ones ended."""
    me, more = job.facts["me"], job.more
    hidden = [void("input", type="hidden", name=key, value=value) for key, value in more["again"].items()]
    made = [button("Play again", name="seat", value="lot" if more["lot"] else me)]
    if len(job.facts["names"]) == 2 and not more["lot"]:
        made.append(button("Change seats", name="seat", value=1 - me, class_="small"))
    after = void("input", type="hidden", name="after", value=job.id)
    form = desk.form("/play", *hidden, after, *made, data_fetch=True, class_="again")
    ends = [*more["record"], payoff]
    won, lost = sum(end > 0 for end in ends), sum(end < 0 for end in ends)
    words = f"{len(ends)} matches: {won} won, {lost} lost, {len(ends) - won - lost} drawn, {sum(ends):+g} in all."
    return join([form, tag("p", words, class_="faint") if more["record"] else None])


def _reveal(desk: Desk, job: Job) -> Safe:
    """The switch that reveals the match before its end; afterwards the heading of the walk."""
    if job.facts.get("open"):
        return tag("h2", "Move by move")
    if job.ended or job.facts.get("status") not in ("yours", "waiting"):
        return Safe("")
    words = OPEN if job.facts.get("openly") else HIDDEN
    return desk.press(f"{job.address}/reveal", "Reveal everything now", tag("p", words), data_fetch=True)


def _links(job: Job) -> Safe:
    """Where to go from here."""
    facts, made = job.facts, [tag("a", "The same again", href=job.more["link"])]
    if where := facts.get("where"):
        if facts.get("openly"):
            there = f"{job.more['link']}&{urllib.parse.urlencode({'from': where})}"
            made.append(tag("a", "A link to this position", href=there))
        made.append(tag("span", "Position: ", tag("code", where)))
    if facts.get("status") == "over":
        made.append(tag("span", f"Seed {facts['seed']}"))
    return tag("div", *made, class_="links")


async def act(desk: Desk, request: Request, given: Form) -> Any:
    """A move, a move taken back, a resignation, the switch that reveals, or the end."""
    job = desk.workers.find(request.path_params["id"], "match")
    since = job.version
    match request.path_params["what"]:
        case "move":
            action = whole(given, "action", 0, **NUMBERS) if one(given, "action") else None
            if action is None and not one(given, "text"):
                raise Invalid("type a move, or choose one from the list")
            await job.ask("move", turn=whole(given, "turn", 0), action=action, text=one(given, "text"))
        case "undo":
            await job.ask("undo", turn=whole(given, "turn", 0))
        case "resign":
            await job.ask("resign", turn=whole(given, "turn", 0))
        case "flip":
            await job.ask("flip")
        case "reveal":
            await job.ask("reveal")
        case "end":
            desk.workers.put_away(job)
            return job.more["view"]
        case _:
            raise LookupError("There is no such page.")
    return job, since
