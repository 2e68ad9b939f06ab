"""Go: the rules, how its moves and positions are written, and how playouts play it."""

from .rules import Go, Superko

__all__ = ["Go", "Superko"]
