"""What compiled code may find wrong: numbers below 0 that it returns, and the sentence that Python makes of each.

A kernel cannot raise a helpful error. It returns one of these in place of a count, and `require_fine` raises for it.
"""

from typing import Any

from .errors import Broken, Invalid

ENDLESS = -1  # the game goes on after the most moves that shape() allows
FOREIGN = -2  # a policy gave weight to an action that the player does not have
UNEQUAL = -3  # two states with the same view have different numbers of actions
BY_CHANCE = -4  # chance moves where a search allows players only
APART = -5  # a search begins from states that are no decision, or that its mover can tell apart
UNSOUND = -6  # a policy gave weights that are negative, are no numbers or do not sum to 1


def require_fine(found: int, game: Any, whose: str = "a strategy") -> None:
    """Raise where a kernel returned a trouble; `whose` policy was followed."""
    kind = type(game).__name__
    if found == ENDLESS:
        raise Broken(f"{kind} goes on after {game.shape().moves} moves, the most that shape() allows")
    if found == FOREIGN:
        raise Invalid(f"{whose} lists an action that the game does not have")
    if found == UNEQUAL:
        raise Broken(f"{kind} has states with the same view but different numbers of actions")
    if found == BY_CHANCE:
        raise Invalid(f"{kind} has moves of chance, which this search does not allow")
    if found == APART:
        raise Invalid(
            "the roots of a search are decisions of one player who cannot tell them apart: the same view in all"
        )
    if found == UNSOUND:
        raise Broken(f"{whose} must give probabilities of 0 or more that sum to 1, and somewhere in {kind} it does not")
