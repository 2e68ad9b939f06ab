"""Strategy: a solved or saved strategy, walked through set by set."""

import urllib.parse
from typing import Any

from starlette.requests import Request

from ..errors import Invalid
from .desk import Desk, Form, one, typed, whole
from .html import Safe, bars, button, esc, field, join, select, tag
from .opponents import is_boxed
from .overview import BOARD, HANDS
from .strategies import BOXED, SOLVE, UNIFORM
from .workers import Job

GAME, SECONDS, MOST_SECONDS = "leduc", 10, 600
MIX, REACH, VALUE = "mix", "reach", "value"
SHOWS = {MIX: "How it mixes", REACH: "Reach", VALUE: "Value"}  # what a grid can show
SOME = 2  # situations that are named in a row of the grid
MOST_STEPS = 200  # of a path
SOURCES = {SOLVE: "equilibrium", UNIFORM: "uniform play", BOXED: "certified equilibrium"}
FILES = "Files are those in the folder where the page was started, and those named on its command line."
LEAD = tag("p", "What a strategy plays at each information set, and what it is worth there.", class_="lead")


async def choose(desk: Desk, request: Request) -> str:
    """The form that opens a strategy."""
    given = dict(request.query_params)
    name = given.get("game") or GAME
    saved = [(f"file/{id}", f"saved strategy {id}") for id in desk.offer.strategies]
    own = {SOLVE: "an equilibrium, solved now", UNIFORM: "uniform play"}
    if name in desk.offer.games or is_boxed(name):
        own = {BOXED: "the certified equilibrium"} | own
    sources = select("source", [*own.items(), *saved], given.get("source", next(iter(own))))
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
    title = f"{desk.game_title(chosen)}: {SOURCES.get(source, source.removeprefix('file/'))}"
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
        grid = Safe("") if path else await _overview(job, player, request.query_params.get("show", MIX))
        shown = join([grid, tag("h2", "Set by set"), await _sets(job, player, path)])
    tabs = [
        tag("a", name, href=f"{job.address}?player={who}", aria_current="page" if who == player else None)
        for who, name in enumerate(job.facts.get("seats", ()))
    ]
    body = [
        tag("p", now["status"], id="status", role="status", aria_live="polite"),
        tag("div", now["busy"], id="busy"),
        tag("div", now["numbers"], id="numbers"),
        tag("nav", *tabs, class_="tabs", aria_label="Players"),
        tag("section", shown, id="sets", aria_label="Information sets", data_ready=_ready(job.facts)),
        tag("div", now["links"], id="links"),
    ]
    return desk.page("/strategy", job.title, *body, live=f"{job.address}/events")


def parts(desk: Desk, job: Job) -> dict[str, Any]:
    facts = job.facts
    running = not job.ended and not facts.get("finished")
    status = job.ended or ("Ready." if facts.get("finished") else f"Now: {facts.get('phase', 'starting')}.")
    if facts.get("measuring") and not job.ended:
        status = "Ready to be walked through. Values are still being computed."
    rows = []
    if "value" in facts:
        low, high = facts["low"], facts["high"]
        rows.append(
            f"Value {facts['value']:.6f} for the first player, in [{low:.6f}, {high:.6f}], by {facts['method']}."
        )
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
    return {"parts": shown, "facts": {"ready": _ready(facts)}}


def _ready(facts: dict[str, Any]) -> int:
    """How much there is to see: nothing, the strategy, or its values too. A page of less is loaded again."""
    return 0 if not facts.get("finished") else 1 if facts.get("measuring") else 2


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


# --- at a glance ---


async def _overview(job: Job, player: int, asked: str) -> Safe:
    """The grid of all information sets."""
    wanted = asked if asked in SHOWS else MIX
    told = await job.ask("overview", player=player, merge=wanted == MIX)
    links = [
        tag(
            "a", words, href=f"{job.address}?player={player}&show={key}", aria_current="page" if key == wanted else None
        )
        for key, words in SHOWS.items()
    ]
    if told["kind"] == HANDS:
        body = _hands(job, player, told, wanted)
    elif told["kind"] == BOARD:
        body = tag("div", *(_board(job, player, one, wanted) for one in told["boards"]), class_="boards")
    else:
        body = _actions(job, player, told, wanted)
    many = f"{told['sets']:,} information set{'' if told['sets'] == 1 else 's'}"
    rest = f" {told['more']:,} less likely ones are not shown." if told["more"] > 0 else ""
    part = "" if told["complete"] else " These are the likeliest; the game has more."
    alike = "; those that play alike are shown once" if wanted == MIX else ""
    lead = tag("p", f"{many}{alike}.{rest}{part} Click one to walk on from there.")
    tabs = tag("nav", *links, class_="tabs", aria_label="What the grid shows")
    return tag("section", tag("h2", "At a glance"), lead, tabs, body, class_="glance", aria_label="At a glance")


def _tones(count: int) -> list[str]:
    """Classes of colours for so many actions: what comes last, the boldest in poker, is always the same."""
    return {1: ["a0"], 2: ["a0", "a2"]}.get(count) or [f"a{n}" for n in range(count)]


def _hands(job: Job, player: int, told: dict[str, Any], wanted: str) -> Safe:
    """Public situations down, private hands across."""
    tones = _tones(len(told["legend"]))
    swatches = [tag("li", _swatch(tone), words) for tone, words in zip(tones, told["legend"], strict=True)]
    head = tag("tr", tag("th", "situation", scope="col"), *(tag("th", hand, scope="col") for hand in told["columns"]))
    most = _most(told["rows"], wanted)
    rows = []
    for row in told["rows"]:
        cells = [
            tag("td", _link(job, player, cell, told["legend"], hand, _inside(cell, tones, wanted, most)))
            if cell
            else tag("td", class_="none")
            for hand, cell in zip(told["columns"], row["cells"], strict=True)
        ]
        rows.append(tag("tr", tag("th", _heads(row["head"]), scope="row"), *cells))
    table = tag("table", tag("thead", head), tag("tbody", *rows), class_="grid")
    legend = tag("ul", *swatches, class_="legend", aria_label="Colours of the actions") if wanted == MIX else None
    return join([legend, _scroll(table)])


def _actions(job: Job, player: int, told: dict[str, Any], wanted: str) -> Safe:
    """Information sets down, actions across; the darker a cell, the more often it is played."""
    more = [SHOWS[wanted]] if wanted != MIX else []
    head = tag("tr", *(tag("th", words, scope="col") for words in ["what the player sees", *told["legend"], *more]))
    rows = []
    for row in told["rows"]:
        (cell,) = row["cells"]
        name = _link(job, player, cell, told["legend"], "", _heads(row["head"]), plain=True)
        shares = [
            tag("td", class_="none") if share is None else tag("td", _heat(share), class_="share")
            for share in cell["mix"]
        ]
        last = [tag("td", _number(cell, wanted), class_="number")] if more else []
        rows.append(tag("tr", tag("th", name, scope="row"), *shares, *last))
    return _scroll(tag("table", tag("thead", head), tag("tbody", *rows), class_="grid heat-grid"))


def _board(job: Job, player: int, told: dict[str, Any], wanted: str) -> Safe:
    """One board, with the share of each place on it."""
    words = [f"{told['count']} alike"] if told["count"] > 1 else []
    words += [f"{SHOWS[wanted].lower()} {_number(told, wanted)}"] if wanted != MIX else [f"reach {told['reach']:.2g}"]
    link = tag("a", Safe(told["picture"]), href=_set_address(job, player, told))
    return tag("figure", link, tag("figcaption", ", ".join(words)))


def _link(
    job: Job, player: int, cell: dict[str, Any], legend: list[str], hand: str, inside: Any, plain: bool = False
) -> Safe:
    """A cell that leads to its set, and says what is played there."""
    pairs = zip(legend, cell["mix"], strict=True)
    mix = ", ".join(f"{words} {share:.0%}" for words, share in pairs if share is not None)
    told = f"{hand}: {mix}" if hand else mix
    more = {} if plain else {"aria_label": told}
    kind = "never" if cell["reach"] <= 0 else None
    return tag("a", inside, href=_set_address(job, player, cell), title=told, class_=kind, **more)


def _set_address(job: Job, player: int, cell: dict[str, Any]) -> str:
    """Where a set is walked: the page of the moves before it, at its own place there."""
    return f"{_address(job, player, cell['path'])}#v{cell['view']}"


def _inside(cell: dict[str, Any], tones: list[str], wanted: str, most: float) -> Safe:
    """Shares side by side as colours, or a number."""
    if wanted != MIX:
        return tag("span", _number(cell, wanted), class_=f"tint t{_step(cell[wanted], most)}")
    at, parts = 0.0, []
    for tone, share in zip(tones, cell["mix"], strict=True):
        if share:
            parts.append(f'<rect x="{100 * at:.1f}" width="{100 * share:.1f}" height="10" class="{tone}"/>')
            at += share
    shown = "".join(parts)
    return Safe(f'<svg class="mix" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">{shown}</svg>')


def _most(rows: list[dict[str, Any]], wanted: str) -> float:
    cells = [cell for row in rows for cell in row["cells"] if cell]
    return max((abs(cell[wanted] or 0.0) for cell in cells), default=0.0) if wanted != MIX else 0.0


def _step(number: float | None, most: float) -> str:
    """How strongly a number is coloured: 0 to 5, and whether it is a loss."""
    if number is None or most <= 0:
        return "0"
    return f"{'m' if number < 0 else ''}{round(5 * abs(number) / most)}"


def _number(cell: dict[str, Any], wanted: str) -> str:
    number = cell[wanted]
    return "-" if number is None else f"{number:+.3f}" if wanted == VALUE else f"{number:.2g}"


def _heat(share: float) -> Safe:
    return tag("span", f"{share:.0%}" if share >= 0.005 else "", class_=f"tint t{round(5 * share)}")


def _heads(heads: list[str]) -> Safe:
    """The situations of a row: two of them, and how many more."""
    more = tag("small", f"and {len(heads) - SOME} more that play alike") if len(heads) > SOME else None
    return join([*(tag("span", head or "the start", class_="head") for head in heads[:SOME]), more])


def _swatch(tone: str) -> Safe:
    return Safe(
        f'<svg class="swatch" viewBox="0 0 10 10" aria-hidden="true"><rect width="10" height="10" class="{tone}"/></svg>'
    )


def _scroll(table: Safe) -> Safe:
    return tag("div", table, class_="scroll", tabindex=0, role="region", aria_label="The strategy at a glance")


# --- set by set ---


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
    shown = tag("div", bars(told["mix"], worth=told.get("worth")), *deeper)
    return tag("article", drawn, shown, class_="set", id=f"v{told['view']}")


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
