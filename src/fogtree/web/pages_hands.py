"""The parts of a place that are asked for: hands of one kind, what a hand takes away from the other's, and the next card."""

import csv as standard
import io
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from ..draw.hand_grid import RANKS, colours, rgb, shade
from ..games.spot.rules import SHORT
from .desk import Desk
from .html import Safe, button, join, table, tag
from .pages_spots import SUITS
from .spot_where import EQUITY, MIX, Where, bar, chips, equity_share, faces, moved, percent, read_where, swatch
from .workers import Job

CHANCE = "chance"
GONE = "-"  # a card that lies on the board


async def hand(desk: Desk, request: Request) -> str:
    job = desk.workers.find(request.path_params["id"], "spot")
    return await shown_hand(job, read_where(job, request.query_params))


async def shown_hand(job: Job, at: Where) -> Safe:
    told = await job.ask("hand", **at.asked(), group=at.hand, player=at.player)
    if not told["hands"]:
        return tag("p", f"{at.hand} does not come here.", class_="faint")
    tones, rows = colours(told["actions"]), []
    block = at.to("/blockers", hand="", show=MIX, by=EQUITY)
    for number, one in enumerate(told["hands"]):
        name, mix = one["hand"], [share or 0.0 for share in one.get("mix", ())]
        shown = tag(
            "summary",
            tag("span", faces([name[:2], name[2:]])),
            bar(list(zip(mix, tones, strict=True))) if mix else tag("span"),
            tag("span", f"EV {chips(one['value'])}"),
            tag("span", equity_share(one["equity"]), title="equity"),
            tag("span", percent(one["reach"]), class_="held", title="how often it is held here"),
        )
        lines = [
            tag("li", swatch(tone), f"{action} {percent(share)}", tag("small", f"EV {chips(worth)}"))
            for action, share, worth, tone in zip(told["actions"], mix, one.get("worth", ()), tones, strict=True)
        ]
        address = f"{block}{'&' if '?' in block else '?'}two={name}"
        more = button("Blockers", type="button", class_="small", data_load=address, aria_label=f"What {name} blocks")
        inner = tag("div", tag("ul", *lines) if lines else None, tag("section", more))  # which what is loaded fills
        rows.append(tag("details", shown, inner, class_="combo", open=number == 0))
    lead = tag(
        "small", "Each with how it is played, its EV, its equity, and how often it is held. Open one to see more."
    )
    return join([tag("h3", f"{at.hand} of {SHORT[told['player']]}"), lead, tag("div", *rows, class_="combos")])


async def csv(desk: Desk, request: Request) -> Response:
    """All hands at a place, as a table for other programs."""
    job, out = desk.workers.find(request.path_params["id"], "spot"), io.StringIO()
    at = read_where(job, request.query_params)
    standard.writer(out).writerows(await job.ask("rows", **at.asked(), player=at.player))
    headers = {"content-disposition": 'attachment; filename="hands.csv"'}
    return Response(out.getvalue(), media_type="text/csv", headers=headers)


async def blockers(desk: Desk, request: Request) -> str:
    """What a hand takes away from the other's hands."""
    job = desk.workers.find(request.path_params["id"], "spot")
    at, name = read_where(job, request.query_params), request.query_params.get("two", "")[:4]
    told = await job.ask("blockers", **at.asked(), hand=name, player=at.player)
    rows = [
        [words, percent(before), percent(after), f"{100 * ((after or 0) - (before or 0)):+z.1f}"]
        for words, before, after in told["sums"]
    ]
    lead = tag("p", faces([name[:2], name[2:]]), f" takes away {percent(told['share'])} of the other's hands.")
    return join([lead, table(["the other's hands", "before", "with it", "points"], rows, f"What {name} blocks")])


# --- the next card ---


async def cards(desk: Desk, request: Request) -> str:
    """The next card as a table by rank and suit."""
    job = desk.workers.find(request.path_params["id"], "spot")
    at = read_where(job, request.query_params)
    told = {one["card"]: one for one in await job.ask("cards", **at.asked())}
    asked = {
        EQUITY: "Equity of OOP",
        "value0": "EV of OOP",
        "value1": "EV of IP",
        **_first(told),
        CHANCE: "How often it comes, %",
    }
    by = at.by if at.by in asked else EQUITY
    numbers = {card: _of_card(one, by) for card, one in told.items()}
    known = [number for number in numbers.values() if number is not None]
    low, high = min(known, default=0.0), max(known, default=1.0)
    head = tag(
        "tr",
        tag("th", "", scope="col"),
        *(tag("th", mark, class_=called, scope="col", aria_label=called) for mark, called in SUITS.values()),
    )
    body = []
    for rank in RANKS:
        cells = []
        for suit in SUITS:
            card = rank + suit
            if card not in told:
                cells.append(tag("td", GONE, class_="none"))
                continue
            number = numbers[card]
            words = GONE if number is None else f"{number:z.1f}" if by.startswith("value") else f"{100 * number:.1f}"
            tone = shade((number - low) / (high - low) if number is not None and high > low else 0.5)
            drawn = Safe(
                '<svg viewBox="0 0 64 30" aria-hidden="true">'
                f'<rect width="64" height="30" rx="4" fill="{rgb(tone)}"/>'
                f'<text x="32" y="20" font-size="14" text-anchor="middle" fill="#fff">{words}</text></svg>'
            )
            link = tag(
                "a", drawn, href=moved(at, at.line, (*at.cards, card)), aria_label=f"{card}: {asked[by]} {words}"
            )
            cells.append(tag("td", link))
        body.append(tag("tr", tag("th", rank, scope="row"), *cells))
    whole = tag("table", tag("thead", head), tag("tbody", *body), class_="next-cards")
    tabs = [
        tag("a", words, href=at.to("/cards", by=key), aria_current="true" if key == by else None)
        for key, words in asked.items()
    ]
    lead = tag("p", "Each card that may come. Click one to go there.")
    return join(
        [tag("h3", "The next card"), lead, tag("nav", *tabs, class_="tabs", aria_label="What the cards show"), whole]
    )


def _first(told: dict[str, Any]) -> dict[str, str]:
    """How often the first action is taken; nothing where both are all in."""
    names = {one["actions"][0] for one in told.values() if one["actions"]}
    return {"first": f"How often OOP {names.pop()}s, %" if len(names) == 1 else "First action, %"} if names else {}


def _of_card(one: dict[str, Any], by: str) -> float | None:
    if by in (EQUITY, CHANCE):
        return one[by]
    if by == "first":
        return one["share"][0] if one["share"] else None
    return one["value"][int(by[-1])]
