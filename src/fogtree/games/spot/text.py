"""The name of a spot: `spot/Td9d6h:pot=60,stack=370,bets=[50%;3x],oop=[AA,KQs:0.5],ip=[22+]`.

What stands in brackets may have commas in it. Whatever is left out is as `spot` has it.
"""

import inspect
from typing import Any

from ...errors import Invalid
from ...text.parameters import parts
from .rules import Spot, spot

COLLECTION = "spot/"
WHOLE, REAL, TEXTS = ("pot", "stack"), ("rake", "cap", "added", "forced", "merged"), ("oop", "ip", "bets")
FIELDS = (*WHOLE, *TEXTS, *REAL)


def load_spot(text: str) -> Spot:
    """The spot that a text names."""
    board, _, given = text.removeprefix(COLLECTION).partition(":")
    values: dict[str, Any] = {}
    for part in parts(given):
        key, equals, value = (word.strip() for word in part.partition("="))
        if key not in FIELDS or not equals:
            raise Invalid(f"'{part.strip()}' is no parameter of a spot: valid are {', '.join(f'{f}=' for f in FIELDS)}")
        values[key] = _read(key, value)
    return spot(board, **values)


def _read(key: str, value: str) -> Any:
    if key in TEXTS:
        return value.removeprefix("[").removesuffix("]")
    try:
        return int(value) if key in WHOLE else float(value)
    except ValueError:
        kind = "a whole number of chips" if key in WHOLE else "a number"
        raise Invalid(f"the {key} of a spot is {kind}, not '{value}'") from None


def spell_spot(game: Spot) -> str:
    """The text that names a spot."""
    labels, usual = game.labels, inspect.signature(spot).parameters
    cap = 0.0 if game.cap == float("inf") else game.cap
    values = {
        "pot": int(game.pot),
        "stack": int(game.stack),
        "bets": labels.bets,
        "oop": labels.oop,
        "ip": labels.ip,
        "rake": game.rake,
        "cap": cap,
        **labels.thresholds._asdict(),
    }
    told = [
        f"{key}=[{value}]" if key in TEXTS else f"{key}={repr(value).removesuffix('.0')}"
        for key, value in values.items()
        if value != usual[key].default
    ]
    return f"{COLLECTION}{labels.board}:{','.join(told)}" if told else f"{COLLECTION}{labels.board}"
