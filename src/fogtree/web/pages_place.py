"""A place of a solved spot: the way there, the grid of hands, how they are played, and the sums of what they have made."""

from typing import Any

from starlette.requests import Request

from ..draw.hand_grid import GAP, RANKS, Colour, HandCell, colours, hand_grid, shade
from ..draw.svg import scaled
from ..games.spot.rules import SHORT
from .desk import Desk
from .html import Safe, button, join, table, tag, void
from .pages_hands import shown_hand
from .pages_spots import checked_field
from .spot_where import (
    EQUITY,
    MIX,
    REACH,
    SHOWS,
    VALUE,
    Where,
    bar,
    chips,
    equity_share,
    face,
    faces,
    locked,
    moved,
    percent,
    read_where,
    swatch,
)
from .workers import Job

CALLED = {"made": "What the hands have made", "draw": "What they draw to"}
HELD: Colour = (58, 92, 140)  # of a hand that is only there
LEAST_HIGH = 0.15  # of a bar, so that a rare hand can be seen
HINT = "Point at a hand of the grid, or click it: then you see its suits one by one."


async def view(desk: Desk, request: Request) -> str:
    """The place of the address, for the script of the page."""
    job = desk.workers.find(request.path_params["id"], "spot")
    return await shown_place(desk, job, read_where(job, request.query_params))


async def shown_place(desk: Desk, job: Job, at: Where) -> Safe:
    told = await job.ask("view", **at.asked(), player=at.player)
    who, moves = told["player"], told["mover"] in (0, 1)
    left = [_tabs(at, told), _grid(at, told)]
    right: list[Any] = [_now(at, told)]
    if moves:
        fixed = any(lock["line"] == ", ".join(at.line) for lock in job.more["locks"])
        right.append(_actions(at, told, fixed))
    elif told["mover"] == "card":
        right.append(_filled("A card comes", at.to("/cards")))
    inner = await shown_hand(job, at) if at.hand in told["cells"] else tag("p", HINT, class_="faint")
    right.append(tag("section", inner, id="hand", aria_live="polite", aria_label="Hands of one kind"))
    below = [_sorts(at, told)]
    if moves and told["player"] == told["mover"] and job.more["wanted"]:  # else nobody knows what to solve again
        below.append(_lock(desk, job, at, told))
    head = f"{_street(told)}, {_named(told)}"
    file = at.to("/hands.csv", player=who, hand="", show=MIX)
    links = [
        tag("a", "CSV", href=file, download=True, aria_label="The hands as CSV"),
        tag("a", "Play against it", href=f"{at.address}/play"),
    ]
    return tag(
        "div",
        _steps(at, told),
        tag("div", tag("h2", head), tag("div", *links, class_="links"), class_="both-tabs head-line"),
        tag("div", tag("div", *left), tag("div", *right), class_="place"),
        tag("div", *below, class_="below"),
        data_player=who,
        class_="spot",
    )


def _street(told: dict[str, Any]) -> str:
    return {3: "Flop", 4: "Turn", 5: "River"}[len(told["board"])]


def _named(told: dict[str, Any]) -> str:
    if told["mover"] == "card":
        return "a card comes"
    if told["mover"] == "nobody":
        return "the end"
    return f"{SHORT[told['mover']]} to move"


def _steps(at: Where, told: dict[str, Any]) -> Safe:
    """The way to the place, and what else could have been done at each step of it."""
    begun = len(told["board"]) - len(at.cards)
    rows = [
        tag(
            "li",
            tag("span", "Board", class_="who"),
            tag("a", faces(told["board"][:begun]), href=moved(at, (), ())),
            class_="dealt",
        )
    ]
    for step in told["steps"]:
        line, cards = tuple(step["line"]), tuple(step["cards"])
        here = step["chosen"] is None
        if step["dealt"]:
            words = face(step["chosen"]) if step["chosen"] else "which card?"
            link = tag("a", words, href=moved(at, line, cards), aria_current="step" if here else None)
            rows.append(tag("li", tag("span", "Card", class_="who"), link, class_="dealt here" if here else "dealt"))
            continue
        tones = colours(step["actions"])
        links = [
            tag(
                "a",
                swatch(tone),
                tag("span", action),
                tag("small", percent(share)),
                href=moved(at, (*line, action), cards),
                class_="chosen" if action == step["chosen"] else None,
                aria_current="true" if action == step["chosen"] else None,
            )
            for action, share, tone in zip(step["actions"], step["share"], tones, strict=True)
        ]
        name = tag(
            "a",
            SHORT[step["player"]],
            href=moved(at, line, cards),
            class_="who",
            aria_label=f"{SHORT[step['player']]} decides here",
        )
        rows.append(tag("li", name, *links, class_="here" if here else None))
    if told["mover"] == "nobody":
        rows.append(
            tag("li", tag("span", "End", class_="who"), tag("span", f"pot {told['pot']:g}"), class_="dealt here")
        )
    return tag("nav", tag("ol", *rows), class_="steps", aria_label="The betting")


def _tabs(at: Where, told: dict[str, Any]) -> Safe:
    """Whose hands, and what of them."""
    who, moves = told["player"], told["mover"] == told["player"]
    wanted = at.show if moves or at.show != MIX else REACH
    shows = [
        tag("a", words, href=at.to(show=key, player=who), aria_current="true" if key == wanted else None)
        for key, words in SHOWS.items()
        if moves or key != MIX
    ]
    seats = [
        tag("a", f"Hands of {name}", href=at.to(player=p), aria_current="true" if p == who else None)
        for p, name in enumerate(SHORT)
    ]
    return tag(
        "div",
        tag("nav", *seats, class_="tabs", aria_label="Whose hands"),
        tag("nav", *shows, class_="tabs", aria_label="What the grid shows"),
        class_="both-tabs",
    )


def _grid(at: Where, told: dict[str, Any]) -> Safe:
    """The 13 x 13 grid."""
    who, actions = told["player"], told["actions"]
    moves = told["mover"] == who
    wanted = at.show if moves or at.show != MIX else REACH
    tones = colours(actions)
    cells = {name: _cell(name, one, wanted, actions, tones, told) for name, one in told["cells"].items()}

    def around(name: str, drawn: str) -> str:
        look = "hand chosen" if name == at.hand else "hand"
        return tag(
            "a",
            Safe(drawn + _edge(name)),
            href=at.to(hand=name),
            data_hand=name,
            class_=look,
            aria_label=cells[name].told,
        )

    title = f"Hands of {SHORT[who]}: {SHOWS[wanted].lower()}"
    return tag(
        "div",
        Safe(hand_grid(cells, title, around=around)),
        class_="hands",
        data_hover=at.to("/hand", hand="", show=MIX, by=EQUITY),
    )


def _edge(name: str) -> str:
    """What shows that a cell is pointed at or chosen, above all that is drawn in it."""
    row, column = sorted(RANKS.index(rank) for rank in name[:2])
    if name.endswith("o"):
        row, column = column, row
    size = 1 - GAP
    return f'<rect class="edge" {scaled(x=column, y=row, width=size, height=size)} fill="none"/>'


def _cell(
    name: str, one: dict[str, Any], wanted: str, actions: list[str], tones: list[Colour], told: dict[str, Any]
) -> HandCell:
    high = max(LEAST_HIGH, min(1.0, one["reach"] / one["held"])) if one["held"] else 1.0
    played = ", ".join(f"{a} {percent(s)}" for a, s in zip(actions, one.get("mix", ()), strict=False) if s)
    known = f"EV {one['value']:z.1f}, equity {one['equity']:z.0%}, " if "value" in one else ""
    words = f"{name}: {played + '; ' if played else ''}{known}{one['reach']:.3g} combinations"
    if wanted == MIX and "mix" in one:
        return HandCell(list(zip(one["mix"], tones, strict=True)), high, "", words)
    if wanted == REACH or "value" not in one:
        return HandCell([(1.0, HELD)], high, _held(one["reach"]), words)
    if wanted == VALUE:
        return HandCell([(1.0, shade(one["value"] / max(told["pot"], 1)))], 1.0, _short(one["value"]), words)
    return HandCell([(1.0, shade(one["equity"]))], 1.0, f"{100 * one['equity']:z.0f}", words)


def _held(count: float) -> str:
    return f"{count:.1f}".removesuffix(".0") if count >= 0.05 else "0"


def _short(number: float) -> str:
    return f"{number:.0f}" if abs(number) >= 10 else f"{number:z.1f}"


def _now(at: Where, told: dict[str, Any]) -> Safe:
    """The chips, and what both players have."""
    behind = min(told["behind"])
    lead = tag("p", f"Pot {told['pot']:g}, behind {behind:g} chips. Board ", faces(told["board"]), ".")
    rows = [
        [name, f"{told['combos'][p] or 0:.1f}", equity_share(told["equity"][p]), chips(told["value"][p])]
        for p, name in enumerate(SHORT)
    ]
    return tag(
        "section", lead, table(["", "combinations", "equity", "EV"], rows, "EV: chips out of the pot from here on")
    )


def _actions(at: Where, told: dict[str, Any], fixed: bool) -> Safe:
    """The actions of who moves, with how often each is taken, and whether hands are locked there. A click goes there."""
    rows, mover = [], told["mover"]
    for action, share, tone in zip(told["actions"], told["share"], colours(told["actions"]), strict=True):
        link = tag("a", action, href=moved(at, (*at.line, action), at.cards))
        combos = f"{(share or 0.0) * (told['combos'][mover] or 0.0):.1f}"
        rows.append([join([swatch(tone), link]), bar([(share or 0.0, tone)]), percent(share), combos])
    return tag(
        "section",
        table(
            ["action", "", "share", "combos"], rows, f"{SHORT[mover]} plays{', and is locked here' if fixed else ''}"
        ),
        class_="plays",
    )


def _sorts(at: Where, told: dict[str, Any]) -> Safe:
    """Sums by what the hands are called."""
    made, me = [], SHORT[told["player"]]
    for sort, rows in told["sorts"].items():
        if not rows:
            continue
        moves = told["player"] == told["mover"]
        tones = colours(told["actions"])
        shown = []
        for one in rows:
            cells = [one["name"], percent(one["share"]), equity_share(one["equity"]), chips(one["value"])]
            if moves:
                mix = [share or 0.0 for share in one["mix"]]
                words = ", ".join(f"{a} {percent(s)}" for a, s in zip(told["actions"], mix, strict=True))
                cells += [
                    tag("span", bar(list(zip(mix, tones, strict=True))), title=words, role="img", aria_label=words)
                ]
            shown.append(cells)
        heads = ["hands", "share", "equity", "EV", *(["plays"] if moves else [])]
        made.append(
            tag(
                "section",
                tag("h3", CALLED[sort]),
                table(heads, shown, f"Hands of {me}; shares weighted by what {SHORT[1 - told['player']]} may hold"),
                class_="sorts",
            )
        )
    return tag("div", *made, class_="both-sorts")


def _filled(title: str, address: str) -> Safe:
    """A part that the script fills in; without it, a link leads there."""
    return tag(
        "section",
        tag("h3", title),
        tag("p", tag("a", "Show the cards", href=address), class_="faint"),
        data_fill=address,
    )


def _lock(desk: Desk, job: Job, at: Where, told: dict[str, Any]) -> Safe:
    """The form that gives some hands a strategy of the user's own."""
    known = told["cells"].get(at.hand, {}).get("mix") or told["share"]
    fields = [
        checked_field(action, f"share-{n}", f"{100 * (share or 0):.0f}", "percent", size=5, inputmode="decimal")
        for n, (action, share) in enumerate(zip(told["actions"], known, strict=True))
    ]
    hidden = [void("input", type="hidden", name=key, value=",".join(getattr(at, key))) for key in ("line", "cards")]
    hands = checked_field("Hands", "hands", at.hand or "random", "as in a range: AA,KQs,T9s-76s; random is all")
    form = desk.form(
        f"{job.address}/lock",
        *hidden,
        hands,
        *fields,
        button("Lock these hands", class_="small"),
        data_fetch=True,
        class_="lock",
    )
    pending = [tag("li", locked(one)) for one in job.more["pending"]]
    again = None
    if pending:
        again = join(
            [
                tag("p", "To be locked:"),
                tag("ul", *pending),
                tag(
                    "div",
                    desk.press(f"{job.address}/again", "Solve again with these locks"),
                    desk.press(f"{job.address}/unlock", "Forget them", data_fetch=True),
                    class_="links",
                ),
            ]
        )
    words = tag(
        "p",
        f"Give hands of {SHORT[told['mover']]} a strategy of your own at this decision, on each card that may have come, and "
        "solve the rest around it. Its other hands go on as they play now.",
    )
    return tag("details", tag("summary", "Lock this decision"), words, form, again, class_="folded", open=bool(pending))
