"""What all views share: what can be chosen, the jobs, and how forms are read."""

from typing import Any, NamedTuple

from ..errors import Invalid
from ..text.parameters import spell
from .html import Safe, field, select, tag, text_input
from .offer import ITERATIONS, Choice, Offer, joined, parameters_of
from .workers import Workers

Form = dict[str, list[str]]


class Desk(NamedTuple):
    """What a view works with."""

    offer: Offer
    workers: Workers
    token: str
    store: str
    reports: tuple[str, ...]

    def spec(self, **more: Any) -> dict[str, Any]:
        """What a worker must know."""
        return {"offer": self.offer._asdict(), **more}

    def game_choice(self, given: Form) -> list[str]:
        """[name, parameters] of the game that a form names; refused here already if they are wrong."""
        known = one(given, "game")
        game = self.offer.game(known, joined({key[2:]: one(given, key) for key in given if key.startswith("p-")}))
        return [known, spell(game) if known not in self.offer.games else ""]

    def agent_choice(self, given: Form, number: int | str) -> Choice:
        """The agent that a form names; refused here already if it is wrong."""
        iterations = whole(given, f"iterations-{number}", ITERATIONS)
        choice = Choice(one(given, f"agent-{number}"), one(given, f"parameters-{number}"), iterations)
        if not choice.name.startswith("strategy/"):
            self.offer.agent_text(choice)
        return choice

    def game_select(self, chosen: str) -> Safe:
        return field("Game", select("game", [(name, name) for name in self.offer.game_names()], chosen))

    def parameter_fields(self, game: Any, given: dict[str, str]) -> Safe:
        """A field for each parameter of a game."""
        made = [
            field(name, text_input(f"p-{name}", given.get(f"p-{name}", value), spellcheck="false"), f"valid: {words}")
            for name, value, words in parameters_of(game)
        ]
        return tag("fieldset", tag("legend", "Parameters"), *made) if made else Safe("")

    def agent_fields(self, number: int | str, legend: str, given: dict[str, str], default: str = "rm") -> Safe:
        """Fields for one agent: its name, its parameters, its budget."""
        saved = [(f"strategy/{id}", f"saved strategy {id}") for id in self.offer.strategies]
        names = [(name, name) for name in self.offer.agent_names()] + saved
        chosen = given.get(f"agent-{number}", default)
        words = "key=value,key=value, as on the command line; may stay empty"
        return tag(
            "fieldset",
            tag("legend", legend),
            field("Agent", select(f"agent-{number}", names, chosen)),
            field("Its parameters", text_input(f"parameters-{number}", given.get(f"parameters-{number}", "")), words),
            field(
                "Iterations a move",
                text_input(
                    f"iterations-{number}", given.get(f"iterations-{number}", ITERATIONS), inputmode="numeric", size=12
                ),
                "how long a search thinks; others do not need it",
            ),
        )


def one(given: Form, key: str, default: str = "") -> str:
    """A field of a form."""
    return given.get(key, [default])[0].strip()


def whole(given: Form, key: str, default: int, least: int = 0, most: int = 10**12) -> int:
    """A field of a form that holds a whole number; an empty one holds the default."""
    text = one(given, key).replace(",", "").replace("_", "")
    if not text:
        return default
    if not text.isascii() or not text.lstrip("-").isdecimal() or len(text) > 20 or not least <= int(text) <= most:
        raise Invalid(f"{key.partition('-')[0]} must be a whole number from {least:,} to {most:,}, not '{text[:40]}'")
    return int(text)
