"""Go: the rules, how its moves and positions are written, and how playouts play it."""

from .playouts import MoGo, NoEyes
from .rules import Go, Superko

__all__ = ["Go", "MoGo", "NoEyes", "Superko"]
