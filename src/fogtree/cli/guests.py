"""What `fogtree check` says of a class in a user's file that is no game: a bandit, a policy, an agent, and so on."""

from collections.abc import Callable
from typing import Any

from .. import contract
from ..arena import agents
from ..arena.patience import MOVE_SECONDS
from ..arena.referee import play
from ..clock import clock
from ..contract.bandits import Tried
from ..contract.guests import GAME, article, kind_of, unfinished
from ..errors import Broken, Invalid
from ..text.naming import load
from ..text.parameters import build
from ..text.user_files import own_classes
from .screen import live

MATCHES = 20  # of an agent against random
LEAST = 0.1  # seconds for a move
USUAL = "leduc"  # the game in which a thing is tried, unless its file holds one


def is_guest(text: str) -> bool:
    """Whether a text names a class that is no game: by its name, or because it is all that its file holds. `Broken` if the
    class is nothing that can be checked."""
    named = own_classes(text)
    if named is None:
        return False
    path, wanted, _, own = named
    if wanted and wanted in own:
        cls = own[wanted]
        if kind_of(cls) is None and not hasattr(cls, "act") and (lack := unfinished(cls)):
            raise Broken(lack)
        return _guest(cls)
    guests = [name for name, cls in own.items() if _guest(cls)]
    if wanted or not guests or any(kind_of(cls) is GAME for cls in own.values()):
        return False
    if len(guests) > 1:
        raise Invalid(f"{path} holds several classes to check, so one must be named: valid are {', '.join(guests)}")
    return True


def _guest(cls: Any) -> bool:
    return kind_of(cls) is not GAME and (kind_of(cls) is not None or hasattr(cls, "act"))


def check_guest(text: str, within: str | None, *, seconds: float, seed: int) -> list[str]:
    """What was looked at, in sentences; `Broken` where something is wrong."""
    path, wanted, parameters, own = own_classes(text)  # type: ignore[misc]
    cls = own[wanted] if wanted else next(cls for cls in own.values() if _guest(cls))
    kind = kind_of(cls)
    if within is None:
        homes = [name for name, each in own.items() if kind_of(each) is GAME]
        within = f"{path}:{homes[0]}" if len(homes) == 1 else USUAL
    if kind is None:
        with live.stage(_playing(1, within, min(MOVE_SECONDS, seconds))) as tell:
            return [_matches(text, within, seconds, seed, tell)]
    if not hasattr(cls, "_fields"):
        raise Broken(f"{cls.__name__} is no NamedTuple: write class {cls.__name__}(NamedTuple), as {kind.home} says")
    found = contract.check_guest(build(cls, parameters, cls.__name__), load(within), seconds=seconds, seed=seed)
    if isinstance(found, Tried):
        extent = f"{found.rounds:,} choices with {found.widths} numbers of actions; the same interpreted and compiled"
        return [f"{text} keeps the contract of {article(kind.name)}. Tried {extent}."]
    said = [f"{text} keeps the contract of {article(kind.name)}. Tried in {found.states:,} states of {within}."]
    return [*said, f"Hint: {found.hint}."] if found.hint else said


def _matches(text: str, within: str, seconds: float, seed: int, tell: Callable[[str], None]) -> str:
    """Some matches of an agent against random, on each side; as many as there is time for."""
    game, end, number = load(within), clock() + seconds, 0
    players = game.shape().players
    while number < MATCHES and (number == 0 or clock() < end):
        limit = min(MOVE_SECONDS, max(round(end - clock(), 1), LEAST))
        tell(_playing(number + 1, within, limit))
        table: list[Any] = ["random"] * players
        table[number % players] = agents.load_agent(text, seed, number)
        agents.require_fit(table[number % players], game)
        played = play(game, table, seed=seed + number, seconds=limit)
        if played.forfeit is not None and played.forfeit.player == number % players and not played.forfeit.resigned:
            raise Broken(f"in match {number + 1} of {within} {played.forfeit.reason}")
        number += 1
    return f"{text} has played {number} match{'es' if number > 1 else ''} of {within} against random without a fault."


def _playing(match: int, within: str, limit: float) -> str:
    return f"playing match {match} of {within} against random, where a move may take {limit:.3g} s (--seconds)"
