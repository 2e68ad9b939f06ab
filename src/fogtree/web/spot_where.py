"""Where somebody is in a solved spot, as the address of a page says it, and the small parts of which its pages are made.

`line` is the betting, `cards` what was dealt on the way, `player` whose hands are shown, `show` what the grid shows, `hand`
the kind of hand that is looked at, and `by` what the table of next cards shows.
"""

import urllib.parse
from typing import Any, NamedTuple

from ..draw.hand_grid import RANKS, Colour, rgb
from ..errors import Invalid
from .html import Safe, join, tag
from .pages_spots import SUITS
from .workers import Job

MIX, REACH, VALUE, EQUITY = "mix", "reach", "value", "equity"
SHOWS = {MIX: "Strategy", REACH: "Reach", VALUE: "EV", EQUITY: "Equity"}
SOME = 12  # kinds of hands that are named
MOST_LETTERS = 600  # of a place in an address


class Where(NamedTuple):
    """The place that an address names, and what is looked at there."""

    address: str
    line: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()
    player: int | None = None
    show: str = MIX
    hand: str = ""
    by: str = EQUITY  # what the table of next cards shows

    def to(self, part: str = "", **changed: Any) -> str:
        at = self._replace(**changed)
        query = {"line": ",".join(at.line), "cards": ",".join(at.cards), "show": at.show, "hand": at.hand, "by": at.by}
        usual = {"show": MIX, "by": EQUITY}
        given = {key: value for key, value in query.items() if value and value != usual.get(key)}
        if at.player is not None:
            given["player"] = str(at.player)
        return f"{at.address}{part}" + (f"?{urllib.parse.urlencode(given, safe=',')}" if given else "")

    def asked(self) -> dict[str, Any]:
        return {"line": list(self.line), "cards": list(self.cards)}


def read_where(job: Job, query: Any) -> Where:
    given = {key: query.get(key, "") for key in ("line", "cards", "player", "show", "hand", "by")}
    if any(len(text) > MOST_LETTERS for text in given.values()) or given["player"] not in ("", "0", "1"):
        raise Invalid("this is no place of a spot: follow the links of its page")
    line, cards = (tuple(word.strip() for word in given[key].split(",") if word.strip()) for key in ("line", "cards"))
    show, by = given["show"] if given["show"] in SHOWS else MIX, given["by"] or EQUITY
    return Where(
        job.address, line, cards, int(given["player"]) if given["player"] else None, show, given["hand"][:3], by
    )


def moved(at: Where, line: tuple[str, ...], cards: tuple[str, ...]) -> str:
    """Another place, at which who moves is looked at."""
    return at.to(line=line, cards=cards, player=None)


# --- small parts ---


def face(card: str) -> Safe:
    """A card in the colour of its suit."""
    mark, called = SUITS[card[1]]
    return tag(
        "span",
        card[0],
        tag("span", mark, aria_hidden="true"),
        tag("span", f" of {called}", class_="unseen"),
        class_=f"card {called}",
    )


def faces(cards: list[str]) -> Safe:
    return join(face(card) for card in cards)


def swatch(tone: Colour) -> Safe:
    return Safe(
        f'<svg class="swatch" viewBox="0 0 10 10" aria-hidden="true"><rect width="10" height="10" fill="{rgb(tone)}"/></svg>'
    )


def bar(shares: list[tuple[float, Colour]]) -> Safe:
    at, drawn = 0.0, []
    for share, tone in shares:
        if share > 0:
            drawn.append(f'<rect x="{100 * at:.1f}" width="{100 * share:.1f}" height="10" fill="{rgb(tone)}"/>')
            at += share
    return Safe(
        '<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect width="100" height="10" class="bar-ground"/>{"".join(drawn)}</svg>'
    )


def percent(share: float | None) -> str:
    if share is None:
        return "-"
    return f"{100 * share:.1f} %" if 0.0005 <= share < 0.9995 else f"{100 * share:z.0f} %"


def equity_share(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:z.1f} %"


def chips(number: float | None) -> str:
    return "-" if number is None else f"{number:z.2f}"


def locked(lock: dict[str, Any]) -> str:
    """A lock in words."""
    hands = list(lock["hands"])
    if len(hands) == len(RANKS) ** 2:
        return f"{_after(lock)}: all hands: {lock['told']}"
    named = ", ".join(hands[:SOME]) + (f" and {len(hands) - SOME} more kinds" if len(hands) > SOME else "")
    return f"{_after(lock)}: {named}: {lock['told']}"


def _after(lock: dict[str, Any]) -> str:
    return f"after {lock['line']}" if lock["line"] else "at the start"
