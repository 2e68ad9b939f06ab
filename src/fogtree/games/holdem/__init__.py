"""Heads-up limit hold'em: the cards, the rules, and how good a hand is before the last card."""

from .rules import Holdem

__all__ = ["Holdem"]
