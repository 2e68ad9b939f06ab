"""Play against a solved spot: hands are dealt from the ranges, and each decision is judged when the hand is over."""

from typing import Any

from starlette.requests import Request

from ..draw.hand_grid import colours
from ..games.spot.rules import SHORT, won_or_lost
from .desk import Desk, Form, whole
from .html import Safe, button, join, table, tag, void
from .spot_where import Where, bar, faces, percent, swatch
from .workers import Job

LEAD = (
    "Hands are dealt from both ranges, and the other plays the solution. When a hand is over you hear what each of your "
    "decisions cost: what the best action of your hand was worth there, less what yours was. The first pot is nobody's yet: "
    "you win what you get out of the pot, less what you put in."
)


async def play(desk: Desk, request: Request) -> str:
    """The page of the table."""
    job = desk.workers.find(request.path_params["id"], "spot")
    shown = await _table(desk, job)
    back = tag("p", tag("a", "Back to the solution", href=job.address))
    body = [tag("p", LEAD, class_="lead"), tag("section", shown, id="hand-table", aria_label="The hand"), back]
    return desk.page("/spots", f"Play {job.title}", *body)


async def act(desk: Desk, request: Request, job: Job, given: Form) -> Any:
    """A new hand, or an action."""
    if request.path_params["what"] == "deal":
        await job.ask("deal", player=whole(given, "seat", 0, 0, 1))
    else:
        numbers = {key: whole(given, key, 0) for key in ("hand", "step", "action")}
        await job.ask("act", **numbers)
    if "application/json" in request.headers.get("accept", ""):
        return {"parts": {"hand-table": await _table(desk, job)}}
    return f"{job.address}/play"


async def _table(desk: Desk, job: Job) -> Safe:
    told = await job.ask("table")
    parts: list[Any] = []
    if "hand" in told:
        parts += [_cards(told), tag("p", _said(told), role="status")]
        if told["over"]:
            parts += [_costs(job, told)]
        else:
            hidden = [
                void("input", type="hidden", name=key, value=told[k])
                for key, k in (("hand", "hands"), ("step", "step"))
            ]
            made = [button(words, name="action", value=action) for action, words in told["actions"]]
            parts.append(
                desk.form(
                    f"{job.address}/act",
                    *hidden,
                    tag("div", *made, class_="actions"),
                    data_fetch=True,
                    aria_label="Your actions",
                )
            )
        head = tag("h3", "The hand" if told["over"] else "The hand so far")  # it says what the other has bet
        parts.append(tag("section", head, tag("pre", told["history"])))
    if told.get("over", True):
        seat = 1 - told["player"] if "player" in told else 0
        deal = [
            button(f"Deal me {SHORT[p]}", name="seat", value=p, class_=None if p == seat else "small")
            for p in (seat, 1 - seat)
        ]
        parts.append(desk.form(f"{job.address}/deal", tag("div", *deal, class_="actions"), data_fetch=True))
    if done := told["hands"] - (not told.get("over", True)):
        parts.append(
            tag(
                "p",
                f"{done} hand{'' if done == 1 else 's'} played: you {won_or_lost(told['won'])}, "
                f"and your decisions cost {told['cost']:.2f}, {told['cost'] / done:.2f} a hand. "
                f"The solution is exploitable by {told['sure']:.2g} chips, so smaller costs are none.",
                class_="faint",
            )
        )
    return join(parts)


def _cards(told: dict[str, Any]) -> Safe:
    """The cards as large as they matter."""
    own = told["hand"]
    groups = [("You", [own[:2], own[2:]]), ("Board", told["board"])]
    if "other" in told:
        groups.append(("The other", [told["other"][:2], told["other"][2:]]))
    rows = [
        tag("div", tag("span", words, class_="who"), tag("p", faces(cards), class_="large")) for words, cards in groups
    ]
    return tag("div", *rows, class_="dealt-cards")


def _said(told: dict[str, Any]) -> str:
    if told["over"]:
        return f"You {won_or_lost(told['won_now'])}."
    return f"You are {SHORT[told['player']]}. The pot is {told['pot']:g} before what was bet now. It is your turn."


def _costs(job: Job, told: dict[str, Any]) -> Safe:
    rows = []
    for each in told["costs"]:
        tones, taken = colours(each["actions"]), each["taken"]
        best = max((w for w in each["worth"] if w is not None), default=None)
        lines = [
            tag(
                "li",
                swatch(tone),
                tag("strong", action) if n == taken else action,
                f" {percent(share)}",
                tag(
                    "small", "" if worth is None or best is None else f"{worth - best:+.2f}" if worth < best else "best"
                ),
            )
            for n, (action, share, worth, tone) in enumerate(
                zip(each["actions"], each["mix"], each["worth"], tones, strict=True)
            )
        ]
        mix = join([bar(list(zip(each["mix"], tones, strict=True))), tag("ul", *lines)])
        place = Where(job.address, tuple(each["line"]), tuple(each["dealt"]), hand=each["kind"])
        where = join(
            [faces(each["board"]), tag("small", tag("a", ", ".join(each["line"]) or "the start", href=place.to()))]
        )
        rows.append([where, each["actions"][taken], mix, tag("strong", f"{each['cost']:.2f}")])
    if not rows:
        return tag("p", "You had nothing to decide.", class_="faint")
    heads = ["where", "you", "how the solution plays this hand", "cost"]
    return tag("div", table(heads, rows, "What your decisions cost, in chips"), class_="costs")
