"""What all views share: what can be chosen, the jobs, and how forms are read."""

from typing import Any, NamedTuple

from ..errors import Invalid
from ..text.parameters import spell
from .html import Safe, button, field, join, page, select, tag, text_input, void
from .offer import ITERATIONS, MOST_ITERATIONS, SAVED, Choice, Offer, joined, parameters_of
from .opponents import PERFECT, levels, require_perfect
from .telling import called
from .titles import GROUPS, game_title, title_of
from .workers import Workers

Form = dict[str, list[str]]
THINKS = "how long a search thinks"
LONG = 1_000  # moves of a game with hidden information, above which a search is offered fewer iterations


class Desk(NamedTuple):
    """What a view works with."""

    offer: Offer
    workers: Workers
    token: str
    store: str
    reports: tuple[str, ...]
    spots: str = "fogtree-spots"  # the folder of solved spots

    async def start(self, kind: str, title: str, spec: dict[str, Any], **more: Any) -> str:
        """Begin a job and return its address. Its worker is told the offer and `spec`; `more` is kept for its pages."""
        return (await self.workers.start(kind, title, {"offer": self.offer._asdict(), **spec}, **more)).address

    def game_choice(self, given: Form) -> list[str]:
        """[name, parameters] of the game that a form names; refused here already if they are wrong."""
        known = one(given, "game")
        here = {field: value for field, value, _ in parameters_of(self.offer.game(known))}
        typed = {key[2:]: one(given, key) for key in given if key.startswith("p-")}
        text = joined({key: value for key, value in typed.items() if value != here.get(key)})
        game = self.offer.game(known, text)
        return [known, text if known in self.offer.games else spell(game)]

    def game_title(self, chosen: list[str]) -> str:
        """What a chosen game is called in a heading: by its real name, or as the user named it."""
        return self.offer.game_text(*chosen) if chosen[0] in self.offer.games else game_title(*chosen)

    def agent_choice(self, given: Form, number: int | str) -> Choice:
        """The agent that a form names; refused here already if it is wrong."""
        name, level = one(given, "game"), one(given, f"level-{number}")
        if not one(given, f"agent-{number}") and level:
            known = {each.name: each.choice for each in levels(name, self.offer.game(name))}
            if level not in known:
                raise Invalid(f"there is no level '{level[:40]}' in {name}: valid are {', '.join(known) or 'none'}")
            if level == PERFECT:
                chosen = self.game_choice(given)
                require_perfect(self.offer.game_text(*chosen), self.offer.game(*chosen))
            return known[level]
        iterations = whole(given, f"iterations-{number}", ITERATIONS, 1, MOST_ITERATIONS)
        choice = Choice(one(given, f"agent-{number}"), one(given, f"parameters-{number}"), iterations)
        self.offer.require_agent(choice)
        return choice

    def page(self, at: str, title: str, *body: Any, **more: Any) -> str:
        """A page of the view at this address."""
        return page(title, join(body), at=at, token=self.token, **more)

    def form(self, address: str, *inner: Any, **more: Any) -> Safe:
        """A form that changes something: it carries the token of the page."""
        hidden = void("input", type="hidden", name="token", value=self.token)
        return tag("form", hidden, *inner, method="post", action=address, **more)

    def press(self, address: str, words: str, *inner: Any, name: str | None = None, **more: Any) -> Safe:
        """A form that is one small button; `name` is what a screen reader calls it, where the words do not suffice."""
        return self.form(address, *inner, button(words, class_="small", aria_label=name), **more)

    def open_work(self, kind: str) -> Safe:
        """Jobs that can be gone on with or ended: matches, or else comparisons, strategies and spots."""
        rows = []
        for job in self.workers.living(kind):
            end = self.press(f"{job.address}/end", "Put away", name=f"Put away {job.title}")
            rows.append(tag("li", tag("a", job.title, href=job.address), end))
        most = self.workers.caps.matches if kind == "match" else self.workers.caps.jobs
        told = tag("small", f"At most {most} at once.")
        return tag("section", tag("h2", "Open now"), tag("ul", *rows, class_="open"), told) if rows else Safe("")

    def other_game(self, address: str, chosen: str) -> Safe:
        """A form to choose the game of another form."""
        titles = {name: title_of(name) for name in self.offer.game_names()}
        ordered = sorted(titles, key=lambda name: GROUPS.index(titles[name].group))
        games = select("game", [(name, titles[name].name) for name in ordered], chosen)
        inner = [field("Game", games), button("Choose this game", class_="small")]
        return tag("form", *inner, method="get", action=address, class_="choose")

    def game_fields(self, name: str, given: dict[str, str]) -> Safe:
        """The game of a form, and a field for each of its parameters."""
        made = [
            field(key, text_input(f"p-{key}", given.get(f"p-{key}", value), spellcheck="false"), f"valid: {words}")
            for key, value, words in parameters_of(self.offer.game(name))
        ]
        opened = any(key.startswith("p-") for key in given)
        shown = tag("details", tag("summary", "Rules and size"), *made, open=opened, class_="folded") if made else None
        return join([void("input", type="hidden", name="game", value=name), shown])

    def agent_fields(self, number: int | str, legend: str, given: dict[str, str], name: str, level: str) -> Safe:
        """An opponent: one of the levels that were measured, or any agent with its parameters and its budget."""
        game, key = self.offer.game(name), f"agent-{number}"
        shape, offered = game.shape(), levels(name, game)
        search, slow = _usual(game), not shape.open and shape.moves > LONG
        saved = [(f"{SAVED}{id}", f"saved strategy {id}") for id in self.offer.strategies]
        names = [(each, each) for each in self.offer.agent_names()] + saved
        if offered:
            names.insert(0, ("", "the level that is chosen above"))
        own = {part: given[part] for part in (key, f"parameters-{number}", f"iterations-{number}") if given.get(part)}
        fields = [
            field("Agent", select(key, names, given.get(key, "" if offered else search))),
            typed("Its parameters", f"parameters-{number}", given, "", "key=value,key=value, as on the command line"),
            typed("Iterations a move", f"iterations-{number}", given, ITERATIONS // 10 if slow else ITERATIONS, THINKS),
        ]
        if not offered:
            return tag("fieldset", tag("legend", legend), *fields)
        wanted = given.get(f"level-{number}", level)
        if wanted not in [each.name for each in offered]:
            wanted = offered[-1].name
        rows = []
        for each in offered:
            dot = void("input", type="radio", name=f"level-{number}", value=each.name, checked=each.name == wanted)
            told = tag("span", tag("strong", each.name.capitalize()), tag("small", each.words))
            rows.append(tag("label", dot, told))
        more = tag("details", tag("summary", "Advanced"), *fields, open=bool(own))
        return tag("fieldset", tag("legend", legend), tag("div", *rows, class_="levels"), more)


def _usual(game: Any) -> str:
    """The agent that is proposed where no levels were measured: for large games of two, one that judges positions."""
    shape = game.shape()
    if shape.open:
        return "uct"
    return "kluss" if hasattr(game, "evaluation") and shape.players == 2 and shape.zero_sum else "rm"


def seat_name(game: Any, player: int) -> str:
    """What a seat is called in a form: White, Dealer, First player."""
    words = called(game, player).removeprefix("the ")
    return words[:1].upper() + words[1:]


def typed(label: str, key: str, given: dict[str, str], default: Any, words: Any = "") -> Safe:
    """A field to type in, filled as the address of the page says."""
    return field(label, text_input(key, given.get(key, default)), words)


def one(given: Form, key: str, default: str = "") -> str:
    """A field of a form."""
    return given.get(key, [default])[0].strip()


def whole(given: Form, key: str, default: int, least: int = 0, most: int = 10**12) -> int:
    """A field of a form that holds a whole number; an empty one holds the default."""
    text = one(given, key).replace(",", "").replace("_", "")
    if not text:
        return default
    if not text.isascii() or not text.removeprefix("-").isdecimal() or len(text) > 20 or not least <= int(text) <= most:
        raise Invalid(f"{key.partition('-')[0]} must be a whole number from {least:,} to {most:,}, not '{text[:40]}'")
    return int(text)
