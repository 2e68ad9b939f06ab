"""Hold'em for two before the flop, where whoever goes on is all in."""

from .rules import PreFlop, load_preflop, preflop, spell_preflop

__all__ = ["PreFlop", "load_preflop", "preflop", "spell_preflop"]
