"""Spots: the form of a poker spot, and the spots that were solved before."""

import datetime
from typing import Any

from starlette.requests import Request
from starlette.responses import FileResponse, Response

from ..draw.hand_grid import RANKS, kind
from .desk import Desk, Form, one
from .html import Safe, button, field, join, select, table, tag, text_input, void
from .spot_form import (
    EXAMPLES,
    KINDS,
    PLAYERS,
    STREETS,
    USUAL,
    Wanted,
    faces,
    fields_of,
    looked_at,
    read_form,
)
from .spot_shelf import Shelf
from .workers import Job

SUITS = {"s": ("♠", "spades"), "h": ("♥", "hearts"), "d": ("♦", "diamonds"), "c": ("♣", "clubs")}
NAMED = {"oop": "Out of position (OOP)", "ip": "In position (IP)"}
SCRIPTS = ("spots.js",)
BRUSHES = (100, 75, 50, 25)
LEAD = tag(
    "p",
    "No-limit hold'em from a flop, a turn or a river on: how each hand should be played, what it is worth, and how far from "
    "perfect that is.",
    class_="lead",
)
MORE = {  # label, help
    "rake": ("Rake, in percent", "what the house takes of each pot"),
    "cap": ("Cap of the rake", "chips; 0 is no cap"),
    "added": ("Add all in", "where it is at most so many pots; 0 is never"),
    "forced": ("Force all in", "where a call would leave at most so many pots; 0 is never"),
    "merged": ("Merge sizes", "that are so near to a larger one, as 0.1; 0 is none"),
    "seconds": ("Seconds, at most", "then the best so far is kept"),
}
SIZED = "Sizes: 50% of the pot, 2.5x the bet, 40c chips, e (geometric), a (all in), none. Separate them by commas."
EXAMPLE = "river"
DONKS = "donks"


async def choose(desk: Desk, request: Request) -> str:
    """The form, and what there is already."""
    given = dict(request.query_params)
    example = given.get("example", "" if given else EXAMPLE)
    known = {**USUAL, **(EXAMPLES[example][1] if example in EXAMPLES else {}), **given}
    if (name := given.get("from")) is not None and (wanted := _asked(desk, name)):
        known |= fields_of(*wanted)
    links = [tag("a", words, href=f"/spots?example={key}") for key, (words, _) in EXAMPLES.items()]
    examples = tag("p", "Begin with an example: ", join(links, ", "), ".")
    body = [LEAD, examples, _form(desk, known), desk.open_work("spot"), _saved(desk)]
    return desk.page("/spots", "Spots", *body, scripts=SCRIPTS)


def _names(desk: Desk) -> dict[str, Job]:
    """The spots that the page knows of by their names: also those that wait for a yes, and those that were refused, which
    have no file."""
    return {job.more["name"]: job for job in desk.workers.jobs.values() if job.kind == "spot"}


def _asked(desk: Desk, name: str) -> Wanted | None:
    """What a form has asked for, of a spot of this name."""
    if job := _names(desk).get(name):
        return job.more["wanted"]
    shelf = Shelf(desk.spots)
    return _wanted(shelf.about(shelf.require(name)))


def _form(desk: Desk, known: dict[str, str]) -> Safe:
    ranges = tag("div", *(_range(who, known) for who in PLAYERS), class_="ranges")
    basics = [
        _board(known),
        tag(
            "fieldset",
            tag("legend", "Chips"),
            _typed("Pot", "pot", known, "chips in the middle", inputmode="numeric"),
            _typed("Stack", "stack", known, "chips that each player has behind", inputmode="numeric"),
            _typed("Target", "target", known, "percent of the pot that a perfect opponent may still win"),
        ),
    ]
    more = [_typed(words, name, known, help) for name, (words, help) in MORE.items()]
    parts = [
        tag("div", *basics, class_="basics"),
        ranges,
        _sizes(known),
        tag("details", tag("summary", "Rake, thresholds, time"), *more, class_="folded"),
        tag("p", button("Solve", class_="big")),
    ]
    return desk.form("/spots", *parts, class_="spot-form", data_spot=True)


def _board(known: dict[str, str]) -> Safe:
    rows = []
    for suit, (mark, called) in SUITS.items():
        cells = [
            tag(
                "button",
                rank,
                Safe(f"<span>{mark}</span>"),
                type="button",
                class_=f"pick {called}",
                data_card=rank + suit,
                aria_pressed="false",
                aria_label=f"{rank} of {called}",
            )
            for rank in RANKS
        ]
        rows.append(tag("div", *cells))
    picker = tag("div", *rows, class_="deck", role="group", aria_label="Cards of the board")
    typed = _typed("Board", "board", known, "three, four or five cards: click them, or type Td9d6h", spellcheck="false")
    return tag("fieldset", tag("legend", "Board"), typed, picker)


def _range(who: str, known: dict[str, str]) -> Safe:
    """A range as a text and as a grid to paint on."""
    rows = []
    for row in range(len(RANKS)):
        cells = [kind(row, column) for column in range(len(RANKS))]
        rows.append(
            tag(
                "div",
                *(
                    tag(
                        "button",
                        cell,
                        type="button",
                        data_group=cell,
                        tabindex=0 if cell == "AA" else -1,
                        aria_pressed="false",
                    )
                    for cell in cells
                ),
            )
        )
    grid = tag("div", *rows, class_="paint", role="group", aria_label=f"Grid of the range {NAMED[who]}")
    brushes = select(f"brush-{who}", [(n, f"{n} %") for n in BRUSHES], BRUSHES[0], data_brush=who)
    tools = tag(
        "p",
        tag("label", tag("span", "Paint with "), brushes),
        button("Clear", type="button", class_="small", data_clear=who),
        button("All hands", type="button", class_="small", data_all=who),
        class_="controls",
    )
    area = tag("textarea", known[who], name=who, rows=2, spellcheck="false", autocomplete="off")
    typed = tag(
        "p",
        tag("label", tag("span", "Range"), area),
        tag("small", "AA,KQs:0.5,T9s-76s,ATo+", data_told=who),
        tag("span", "", class_="error", data_error=who, role="status"),
        class_="field tall",
    )
    return tag("fieldset", tag("legend", NAMED[who]), typed, grid, tools, data_range=who)


def _sizes(known: dict[str, str]) -> Safe:
    """A field for each street, player and kind of bet."""
    columns = [(who, kind_) for who in PLAYERS for kind_ in KINDS[who]]
    head = [
        tag("th", "", scope="col"),
        *(tag("th", f"{who.upper()} {kind_}", scope="col", data_donk=kind_ == DONKS) for who, kind_ in columns),
    ]
    rows = []
    for street in STREETS:
        cells = []
        for who, kind_ in columns:
            name = f"{street}-{who}-{kind_}"
            label = f"{street.capitalize()}, {who.upper()} {kind_}"
            control = text_input(name, known[name], aria_label=label, size=9, spellcheck="false", autocapitalize="none")
            cells.append(
                tag(
                    "td",
                    control,
                    tag("span", "", class_="error", data_error=name),
                    data_kind=f"{who.upper()} {kind_}",
                    data_donk=kind_ == DONKS,
                )
            )
        rows.append(tag("tr", tag("th", street.capitalize(), scope="row"), *cells, data_street=street))
    whole = tag("table", tag("thead", tag("tr", *head)), tag("tbody", *rows), class_="sizes")
    words = f"{SIZED} A donk is a bet of OOP after calling on the street before."
    return tag("fieldset", tag("legend", "Bet sizes"), tag("p", tag("small", words)), whole)


def _typed(label: str, name: str, known: dict[str, str], help: str, **more: Any) -> Safe:
    return checked_field(label, name, known.get(name, ""), help, **more)


def checked_field(label: str, name: str, value: str, help: str, **more: Any) -> Safe:
    """A field with a place for what is wrong with it."""
    made = field(label, text_input(name, value, **more), help)
    wrong = tag("span", "", class_="error", data_error=name, role="status")
    return Safe(made.removesuffix("</p>") + wrong + "</p>")


# --- what was solved before ---


def _saved(desk: Desk) -> Safe:
    """Solutions in the folder, and what was not finished."""
    shelf, rows = Shelf(desk.spots), []
    living = {name: job for name, job in _names(desk).items() if not job.ended}
    for name in shelf.listed():
        about, job = shelf.about(name), living.get(name)
        title = Wanted(about["wanted"], 0, 0).title() if about.get("wanted") else name
        hidden = void("input", type="hidden", name="name", value=name)
        if job:
            first: Any = tag("a", title, href=job.address)
        else:
            words = title if shelf.solved(name) else f"{title} (not finished: go on)"
            first = desk.form("/spots/open", hidden, button(words, class_="link"))
        tools = [
            tag("a", "Change", href=f"/spots?from={name}", aria_label=f"Change {title}")
            if about.get("wanted")
            else None,
            tag("a", "Download", href=f"/spots/file/{name}.npz", download=True, aria_label=f"Download {title}")
            if shelf.solved(name)
            else None,
            None if job else _deleted(desk, hidden, title),
        ]
        rows.append(
            [first, _result(about), _when(shelf, name), tag("div", *(one for one in tools if one), class_="links")]
        )
    if not rows:
        return Safe("")
    where = f"Files are in the folder {desk.spots}. What the command fogtree spot saves there is listed too."
    heads = ["spot", "values, certificate", "when", ""]
    return tag("section", tag("h2", "Solved before"), table(heads, rows, where), id="saved")


def _deleted(desk: Desk, hidden: Safe, title: str) -> Safe:
    """A file is deleted after a question."""
    sure = desk.press("/spots/delete", "Yes, delete it", hidden, name=f"Yes, delete {title}")
    return tag("details", tag("summary", "Delete", aria_label=f"Delete {title}"), sure)


def _result(about: dict[str, Any]) -> str:
    if "values" not in about:
        return ""
    first, second = about["values"]
    locks = f", {len(about['locks'])} locked" if about.get("locks") else ""
    return f"{first:.2f} and {second:.2f}, {about['percent']:.2g} %{locks}"


def _when(shelf: Shelf, name: str) -> str:
    found = datetime.datetime.fromtimestamp(shelf.time(name))
    return found.strftime("%Y-%m-%d %H:%M")


# --- changes ---


async def start(desk: Desk, request: Request, given: Form) -> str:
    """Begin to solve what the form asks for."""
    wanted = read_form(given)
    return await begin(desk, wanted)


async def begin(desk: Desk, wanted: Wanted, **more: Any) -> str:
    """A job for a spot, under a new name."""
    name = Shelf(desk.spots).new(wanted.spot["board"], _names(desk))
    spec = {"wanted": wanted.spot, "target": wanted.target, "seconds": wanted.seconds, **more}
    return await _job(desk, name, wanted, spec)


async def reopen(desk: Desk, request: Request, given: Form) -> str:
    """A saved solution, or the work on one that was not finished."""
    shelf = Shelf(desk.spots)
    name = shelf.require(one(given, "name"))
    if (job := _names(desk).get(name)) and not job.ended:
        return job.address
    about = shelf.about(name)
    if shelf.solved(name):
        return await _job(desk, name, _wanted(about), {})
    if not about.get("wanted"):
        raise LookupError("There is nothing in this file to go on with.")
    spec = {key: about[key] for key in ("wanted", "target", "seconds", "base", "locks")}
    return await _job(desk, name, _wanted(about), spec)


def _wanted(about: dict[str, Any]) -> Wanted | None:
    return Wanted(about["wanted"], about["target"], about["seconds"]) if about.get("wanted") else None


async def _job(desk: Desk, name: str, wanted: Wanted | None, spec: dict[str, Any]) -> str:
    title = faces(wanted.spot["board"]) if wanted else name
    locks = spec.get("locks") or Shelf(desk.spots).about(name).get("locks") or []
    known = {"wanted": wanted, "name": name, "pending": [], "locks": locks}
    return await desk.start("spot", title, {"folder": desk.spots, "name": name, **spec}, **known)


async def delete(desk: Desk, request: Request, given: Form) -> str:
    shelf = Shelf(desk.spots)
    shelf.delete(shelf.require(one(given, "name")))
    return "/spots#saved"


async def check(desk: Desk, request: Request, given: Form) -> dict[str, Any]:
    """What is said of a form while it is filled in."""
    return looked_at(given)


async def file(desk: Desk, request: Request) -> Response:
    shelf = Shelf(desk.spots)
    name = shelf.require(request.path_params["name"])
    if not shelf.solved(name):
        raise LookupError("This spot is not solved yet.")
    return FileResponse(shelf.path(name), filename=f"{name}.npz", media_type="application/octet-stream")


# --- addresses ---

PAGES = {"/spots": choose, "/spots/file/{name}.npz": file}
CHANGES = {"/spots": start, "/spots/check": check, "/spots/open": reopen, "/spots/delete": delete}
