"""Play and Watch: choosing a game, its parameters and its players."""

import random
import secrets
import urllib.parse
from typing import Any

import numpy as np
from starlette.requests import Request
from starlette.responses import Response

from ..draw.board import picture
from ..draw.svg import standing_alone
from ..game import OVER, legal, new_state, sides
from ..text.notation import from_notation
from ..text.parameters import about, rule_book
from .desk import Desk, Form, one, seat_name, typed, whole
from .html import Safe, button, field, select, tag, void
from .offer import ITERATIONS, Choice, Offer
from .opponents import levels
from .titles import FIRST, GROUPS, INVITATION, MIDDLES, title_of

SEEDS = 10**6
LOT = "lot"  # a seat that is drawn
KEPT = 300  # seconds that a browser may keep a picture of the gallery
GLANCE = 7  # moves before the picture of a game
PLAY = "All games, against a search that afterwards shows what it believed and how it mixed."
WATCH = "Let agents play, and see what each of them sees and believes. Choose a game."
OPPONENT = {"agent-against": "kluss", "iterations-against": ITERATIONS}  # where no levels were measured
ONCE = ("token", "from", "seat", "after")  # fields of a form that are not those of the next match of its kind


def gallery(desk: Desk, address: str, title: str, lead: str, *above: Any) -> str:
    """All games in groups, each with a small picture, as links to a form."""
    groups: dict[str, list[Safe]] = {group: [] for group in GROUPS}
    for name in desk.offer.game_names():
        query = urllib.parse.urlencode({"game": name})
        drawn = void("img", src=f"/picture?{query}", alt="", loading="lazy")  # 2,000 shapes would delay the first paint
        known = title_of(name, shown(desk.offer, name)[1])
        inner = [drawn, tag("strong", known.name), tag("span", known.line)]
        groups[known.group].append(tag("li", tag("a", *inner, href=f"{address}?{query}")))
    body = [
        tag("section", tag("h2", group), tag("ul", *cards, class_="cards"), aria_label=group)
        for group, cards in groups.items()
        if cards
    ]
    return desk.page(address, title, *above, desk.open_work("match"), tag("p", lead, class_="lead"), *body)


def invitation(desk: Desk) -> Safe:
    """The first thing on the page: one game that can be begun at once."""
    head, words = INVITATION
    query = urllib.parse.urlencode({"game": FIRST})
    offered = levels(FIRST, desk.offer.game(FIRST))
    chosen = {"game": FIRST, "seat": LOT} | ({"level-against": "medium"} if offered else OPPONENT)
    hidden = [void("input", type="hidden", name=key, value=value) for key, value in chosen.items()]
    choose = "Choose your side and opponent"
    more = tag("a", choose, href=f"/play?{query}")
    begin = desk.form("/play", *hidden, button("Play now"), " ", more, class_="begin")
    drawn = tag(
        "a", void("img", src=f"/picture?{query}", alt=""), href=f"/play?{query}", tabindex=-1, aria_label=choose
    )
    told = tag("div", tag("h2", head), tag("p", words), begin)
    return tag("section", told, drawn, class_="invitation", aria_label=head)


async def small_picture(desk: Desk, request: Request) -> Response:
    """The picture of a game in the gallery."""
    name = request.query_params.get("game", "")
    desk.offer.require_game(name)
    headers = {"cache-control": f"private, max-age={KEPT}"}
    return Response(shown(desk.offer, name)[0], media_type="image/svg+xml", headers=headers)


_known: dict[str, tuple[str, str]] = {}  # a picture of each game and a sentence, drawn once


def shown(offer: Offer, name: str) -> tuple[str, str]:
    """A picture of a game and a sentence about it."""
    text = offer.games.get(name, name)
    if text not in _known:
        game = offer.game(name)
        player = None if game.shape().open else 0  # what is hidden is the game, so it is hidden in the picture too
        middle = "" if name in offer.games else MIDDLES.get(name)
        with np.errstate(over="ignore"):
            state = from_notation(game, middle).state if middle else _glance(game)
            _known[text] = standing_alone(picture(game, state, player)), about(type(game))
    return _known[text]


def _glance(game: Any) -> np.ndarray:
    """A position after a few moves that a seed draws."""
    state, draw = new_state(game), random.Random(repr(game))
    for _ in range(GLANCE):
        after = state.copy()
        game.step(after, draw.choice(legal(game, state)))
        if game.player(after) == OVER:
            break
        state = after
    return state


async def play(desk: Desk, request: Request) -> str:
    """The form of a new match against agents."""
    given = dict(request.query_params)
    if not given.get("game"):
        return gallery(desk, "/play", "Play", PLAY, invitation(desk))
    game = desk.offer.game(given["game"])
    players = game.shape().players
    name, places = given["game"], [(who, seat_name(game, who)) for who in range(players)]
    seats = select("seat", [*places, (LOT, "Let the lot decide")], given.get("seat", 0))
    against = "Your opponent" if players == 2 else "Your opponents"
    fields = [
        desk.agent_fields("against", against, given, name, "medium"),
        tag("fieldset", tag("legend", "You"), field("You play", seats)),
    ]
    if len(set(sides(game))) < players:
        fields.append(desk.agent_fields("partner", "Your partner", given, name, "strong"))
    if game.shape().open:
        fields.append(typed("Begin at", "from", given, "", "a position in the game's notation; empty is the start"))
    return _form(desk, "/play", f"Play {title_of(name).name}", game, given, fields)


async def watch(desk: Desk, request: Request) -> str:
    """The form of a match between agents."""
    given = dict(request.query_params)
    if not given.get("game"):
        return gallery(desk, "/watch", "Watch", WATCH)
    game = desk.offer.game(given["game"])
    fields = [
        desk.agent_fields(who, seat_name(game, who), given, given["game"], "easy" if who else "strong")
        for who in range(game.shape().players)
    ]
    fields.append(typed("Seed", "seed", given, "", "the same seed plays the same match; empty draws one"))
    return _form(desk, "/watch", f"Watch {title_of(given['game']).name}", game, given, fields)


def _form(desk: Desk, address: str, title: str, game: Any, given: dict[str, str], fields: list[Safe]) -> str:
    """A form beside the first position and the rules."""
    inner = [*fields, desk.game_fields(given["game"], given), button("Start the match")]
    drawn = tag("figure", Safe(picture(game, new_state(game))), tag("figcaption", "The first position"), class_="board")
    rules = tag("details", tag("summary", "The rules"), tag("pre", rule_book(type(game))))
    body = [desk.form(address, *inner, class_="choose"), tag("aside", drawn, rules)]
    return desk.page(address, title, tag("div", *body, class_="beside-form"))


async def start(desk: Desk, request: Request, given: Form) -> str:
    """A new match of a person."""
    chosen = desk.game_choice(given)
    side = sides(desk.offer.game(*chosen))
    by_lot = one(given, "seat") == LOT
    seat = secrets.randbelow(len(side)) if by_lot else whole(given, "seat", 0, most=len(side) - 1)
    against = desk.agent_choice(given, "against")
    partner = desk.agent_choice(given, "partner") if "agent-partner" in given else against
    agents = [partner if side[who] == side[seat] else against for who in range(len(side))]
    seats = [None if who == seat else list(agent) for who, agent in enumerate(agents)]
    if begin := one(given, "from"):
        from_notation(desk.offer.game(*chosen), begin)  # refused here, where it can still be mended
    spec = {"game": chosen, "seats": seats, "seed": secrets.randbelow(SEEDS), "start": begin}
    title = f"{desk.game_title(chosen)} against {_called(given, 'against', against)}"
    more = {
        "link": _link("/play", given),
        "again": {key: values[0] for key, values in given.items() if key not in ONCE},
        "lot": by_lot,
        "record": _record(desk, one(given, "after")),
    }
    return await desk.start("match", title, spec, view="/play", **more)


def _record(desk: Desk, after: str) -> list[float]:
    """What the person won in the matches before, of which this one is the next."""
    job = desk.workers.jobs.get(after)
    if job is None or "payoffs" not in job.facts or job.facts.get("me") is None:
        return []
    return [*job.more["record"], job.facts["payoffs"][job.facts["me"]]]


async def start_watch(desk: Desk, request: Request, given: Form) -> str:
    """A new match between agents."""
    chosen = desk.game_choice(given)
    agents = [desk.agent_choice(given, who) for who in range(desk.offer.game(*chosen).shape().players)]
    seed = whole(given, "seed", secrets.randbelow(SEEDS), most=2**62)
    names = [_called(given, who, agent) for who, agent in enumerate(agents)]
    title = f"{desk.game_title(chosen)}: {' against '.join(names)}"
    spec = {"game": chosen, "seats": [list(agent) for agent in agents], "seed": seed, "start": ""}
    return await desk.start("match", title, spec, link=_link("/watch", given | {"seed": [str(seed)]}), view="/watch")


def _called(given: Form, number: int | str, choice: Choice) -> str:
    """What an opponent is called: by its level, or by the name of the agent."""
    return choice.name if one(given, f"agent-{number}") else one(given, f"level-{number}") or choice.name


def _link(address: str, given: Form) -> str:
    """The address of the same form, filled in."""
    pairs = {key: values[0] for key, values in given.items() if values[0] and key not in ("token", "from", "after")}
    return f"{address}?{urllib.parse.urlencode(pairs)}"


# --- addresses ---

PAGES = {"/": play, "/play": play, "/watch": watch, "/picture": small_picture}
CHANGES = {"/play": start, "/watch": start_watch}
