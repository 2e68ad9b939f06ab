"""How the players of a match are called, and how it ended, in sentences."""

from typing import Any

from ..game import CHANCE
from ..shapes import seat


def called(game: Any, player: int) -> str:
    """What a player is called inside a sentence: by the game, as White or the dealer, or by the order of the seats."""
    return str(game.who(player)) if hasattr(game, "who") else f"the {seat(player)}"


def named(facts: dict[str, Any], player: int) -> str:
    """What a player is called at the beginning of a sentence."""
    if player == facts.get("me") and player is not None:
        return "You"
    words = facts["names"][player] if player != CHANCE else "chance"
    return words[:1].upper() + words[1:]


def does(facts: dict[str, Any], player: int, mine: str, theirs: str) -> str:
    """A player and a verb in its right form."""
    return f"{named(facts, player)} {mine if player == facts.get('me') else theirs}"


def outcome(facts: dict[str, Any]) -> str:
    """Who won and why, in one sentence."""
    me, payoffs, forfeit = facts.get("me"), facts["payoffs"], facts.get("forfeit")
    best = max(payoffs)
    winner = payoffs.index(best) if me is None or payoffs[me] == best else me
    if max(payoffs) == min(payoffs):
        words = "A draw"
    else:
        gain = payoffs[winner]
        plain = all(abs(end) == 1 for end in facts["range"])
        sides = [who for who, payoff in enumerate(payoffs) if payoff == best]
        who = named(facts, winner) if me is not None else " and ".join(named(facts, each) for each in sides)
        words = f"{who} {'won' if gain > 0 else 'lost'}" + ("" if plain else f" {abs(gain):g}")
    why = facts.get("ending", "")
    if forfeit:
        culprit, reason, resigned = forfeit
        mine = culprit == me
        why = f"{'you' if mine else named(facts, culprit)} resigned"
        if not resigned:
            why = f"{'you forfeit' if mine else does(facts, culprit, '', 'forfeits')}: {reason}"
    return f"{words}: {why}." if why else f"{words}."
