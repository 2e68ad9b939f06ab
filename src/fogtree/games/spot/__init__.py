"""Spots of no-limit hold'em: ranges, sizes of bets, the betting, the rules."""

from .rules import Spot, spot
from .text import load_spot, spell_spot

__all__ = ["Spot", "load_spot", "spell_spot", "spot"]
