"""Play and Watch: the page of a match, and the walk through it."""

import urllib.parse
from typing import Any

from starlette.requests import Request

from ..errors import Invalid
from ..game import CHANCE
from .desk import Desk, Form, one, whole
from .html import Safe, bars, button, esc, join, select, table, tag, text_input, void
from .workers import Job

STATUS = {"yours": "Your move.", "waiting": "The others are thinking.", "over": "The game is over."}
SPEEDS = ((2000, "slow"), (800, "medium"), (250, "fast"))  # milliseconds a move
REEL = {"first": "First", "back": "Back", "run": "Play", "next": "Next", "last": "Last"}
HIDDEN = "This shows you the hidden board and what the others believe. The match goes on, but it is no longer fair."
OPEN = "This shows you how the others think. The match goes on, but it is no longer fair."
NUMBERS = {"least": -(2**62), "most": 2**62}


async def show(desk: Desk, request: Request) -> str:
    """The page of a match."""
    job = desk.workers.find(request.path_params["id"], "match")
    if not job.facts and not job.ended:
        await job.changed(0, 5.0)
    now = parts(desk, job)["parts"]
    at = request.query_params.get("step", "")
    steps = job.facts.get("steps", 0) + 1 if job.facts.get("open") and not job.ended else 0  # that can be shown
    asked = at.isascii() and at.isdecimal() and len(at) < 10 and int(at) < steps
    shown = await _step_html(job, int(at)) if asked else Safe("")
    board = tag("section", now["board"], id="board", class_="board", aria_label="Board")
    moves = tag("section", now["moves"], id="moves", aria_label="Your moves")
    log = tag("section", now["log"], id="log", aria_label="Log")
    mine = tag("div", board, tag("div", moves, log, class_="beside"), class_="table")
    heading = tag("div", now["reveal"], id="reveal")
    body = [
        tag("p", now["status"], id="status", role="status", aria_live="polite"),
        tag("div", now["busy"], id="busy"),
        mine if job.more["view"] == "/play" else None,
        tag("section", now["result"], id="result", aria_label="Result"),
        tag("section", heading, _reel(job, shown), id="review", aria_label="Walk through the match"),
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
    shown = {
        "status": esc(status),
        "busy": tag("progress", aria_label="Thinking") if thinking else Safe(""),
        "board": Safe(facts.get("board", "")),
        "moves": _moves(desk, job),
        "log": _log(facts),
        "result": _result(facts),
        "reveal": _reveal(desk, job),
        "links": _links(desk, job),
    }
    known = {"steps": facts.get("steps", 0), "open": bool(facts.get("open")), "over": facts.get("status") == "over"}
    return {"parts": shown, "facts": known}


def _moves(desk: Desk, job: Job) -> Safe:
    """The legal moves as buttons, and a line to type one."""
    facts, head = job.facts, tag("h2", "Your moves")
    if facts.get("status") != "yours" or job.ended:
        return join([head, tag("p", "None at the moment.", class_="faint")])
    turn = void("input", type="hidden", name="turn", value=facts["turn"])
    buttons = [button(name, name="action", value=action) for action, name in facts["actions"]]
    names = {"class_": "actions", "role": "group", "aria_label": "Moves"}
    line = tag("label", "Or type a move: ", text_input("text", size=10, spellcheck="false"))
    made = [
        desk.form(f"{job.address}/move", turn, *buttons, data_fetch=True, **names),
        desk.press(f"{job.address}/move", "Play it", turn, line, class_="typed", data_fetch=True),
    ]
    if facts.get("undo"):
        made.append(desk.press(f"{job.address}/undo", "Take back", turn, data_fetch=True))
    return join([head, *made])


def _log(facts: dict[str, Any]) -> Safe:
    lines = []
    for entry in facts.get("log", ()):
        saw = tag("details", tag("summary", "what you saw then"), tag("pre", entry["saw"])) if entry["saw"] else None
        lines.append(tag("li", f"{_who(entry['who'], facts.get('me'))}: ", tag("strong", entry["said"]), saw))
    seen = tag("details", tag("summary", "What you see, as text"), tag("pre", facts.get("text", "")))
    return join([tag("h2", "Log"), tag("ol", *lines), seen])


def _who(player: int, me: int | None) -> str:
    return "Chance" if player == CHANCE else "You" if player == me else f"Player {player}"


def _does(player: int, me: int | None, mine: str, theirs: str) -> str:
    """A player and a verb in its right form."""
    return f"{_who(player, me)} {mine if player == me else theirs}"


def _result(facts: dict[str, Any]) -> Safe:
    """How the match ended."""
    if facts.get("status") != "over":
        return Safe("")
    me, forfeit = facts.get("me"), facts.get("forfeit")
    rows = [[_who(who, me), f"{payoff:+g}"] for who, payoff in enumerate(facts["payoffs"])]
    why = tag("p", f"{_does(forfeit[0], me, 'forfeit', 'forfeits')}: {forfeit[1]}.") if forfeit else None
    moves = ", ".join(f"{_who(who, me)}: {name}" for who, name in facts["moves"])
    told = tag("details", tag("summary", f"All {len(facts['moves'])} moves"), tag("p", moves))
    return join([tag("h2", "Result"), why, table(["player", "payoff"], rows, "Payoffs"), told])


def _reveal(desk: Desk, job: Job) -> Safe:
    """The switch that reveals the match before its end; afterwards the heading of the walk."""
    if job.facts.get("open"):
        return tag("h2", "Move by move")
    if job.ended or job.facts.get("status") not in ("yours", "waiting"):
        return Safe("")
    words = OPEN if job.facts.get("openly") else HIDDEN
    return desk.press(f"{job.address}/reveal", "Reveal everything now", tag("p", words), data_fetch=True)


def _links(desk: Desk, job: Job) -> Safe:
    """Where to go from here."""
    facts, made = job.facts, [tag("a", "The same again", href=job.more["link"])]
    if where := facts.get("where"):
        if facts.get("openly"):
            there = f"{job.more['link']}&{urllib.parse.urlencode({'from': where})}"
            made.append(tag("a", "A link to this position", href=there))
        made.append(tag("span", "Position: ", tag("code", where)))
    if facts.get("status") == "over":
        made.append(tag("span", f"Seed {facts['seed']}"))
    if not job.ended:
        words = "Put the match away" if facts.get("status") == "over" else "End the match"
        made.append(desk.press(f"{job.address}/end", words))
    return tag("div", *made, class_="links")


async def act(desk: Desk, request: Request, given: Form) -> Any:
    """A move, a move taken back, the switch that reveals, or the end."""
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
        case "reveal":
            await job.ask("reveal")
        case "end":
            desk.workers.put_away(job)
            return job.more["view"]
        case _:
            raise LookupError("There is no such page.")
    return job, since


# --- walking through it ---


async def step(desk: Desk, request: Request) -> str:
    """One position, for the script of the page."""
    return await _step_html(desk.workers.find(request.path_params["id"], "match"), request.path_params["step"])


async def _step_html(job: Job, number: int) -> Safe:
    facts = await job.ask("step", step=number)
    me, mover = job.facts.get("me"), facts["mover"]
    if facts["over"]:
        words = "The game is over."
    elif "move" in facts:
        words = f"{_does(mover, me, 'play', 'plays')} {facts['move']}."
    else:
        words = f"{_does(mover, me, 'are', 'is')} to move."
    views = {_does(who, me, "see", "sees"): drawn for who, drawn in enumerate(facts["pictures"]) if not facts["open"]}
    views["The referee sees"] = facts["referee"]
    shown = [tag("figure", Safe(drawn), tag("figcaption", caption)) for caption, drawn in views.items()]
    head = tag("h3", f"After {number} of {facts['steps']} moves: {words}")
    thought = _thought(job, facts, _who(mover, me)) if facts.get("thought") else None
    return tag("article", head, tag("div", *shown, class_="views"), thought)


def _thought(job: Job, facts: dict[str, Any], who: str) -> Safe:
    """What the mover believed, and how they mixed."""
    thought, who = facts["thought"], who[:1].lower() + who[1:]
    made: list[Any] = []
    if thought.get("likely"):
        made.append(_belief(thought, who))
    if thought.get("mix"):
        searched = f" after {thought['iterations']:,} iterations" if thought.get("iterations") else ""
        made.append(tag("section", tag("h4", f"How {who} mixed{searched}"), bars(thought["mix"], facts.get("move"))))
    if "move" in facts:
        load = f"{job.address}/worth/{facts['step']}"
        ask = button("What was each action worth?", type="button", data_load=load)
        made.append(tag("section", ask, class_="worth"))
    return tag("div", *made, class_="thought")


def _belief(thought: dict[str, Any], who: str) -> Safe:
    """The heat map and the likely positions."""
    words = f"{thought['states'] or 0:,} possible states"
    if thought["states"] is None:
        words = f"{thought['sampled']:,} imagined states that {who} could not tell from the true one"
    elif thought["sampled"] < thought["states"]:
        words += f" (a sample of {thought['sampled']:,} is shown)"
    made: list[Any] = [tag("h4", f"What {who} believed: {words}")]
    if heat := thought.get("heat"):
        caption = tag("figcaption", "Share of these states with a piece there")
        told = tag("ul", *(tag("li", place) for place in heat["places"]), class_="unseen")
        made.append(tag("figure", Safe(heat["picture"]), caption, told, class_="heatmap"))
    small = [tag("figure", Safe(one["picture"]), tag("figcaption", f"{one['share']:.1%}")) for one in thought["likely"]]
    made.append(tag("div", *small, class_="likely", role="group", aria_label="The most likely positions"))
    return tag("section", *made, class_="belief")


async def worth(desk: Desk, request: Request) -> str:
    """What each action of a step was worth."""
    job = desk.workers.find(request.path_params["id"], "match")
    found = await job.ask("worth", step=request.path_params["step"])
    if "why" in found:
        return tag("p", found["why"])
    rows = [[name, f"{value:+.4f}"] for name, value in sorted(found["worth"].items(), key=lambda pair: -pair[1])]
    return table(["action", "worth"], rows, "Worth against an equilibrium, with the best play after it")


# --- addresses ---

PARTS = {"step/{step:int}": step, "worth/{step:int}": worth}  # of a match
