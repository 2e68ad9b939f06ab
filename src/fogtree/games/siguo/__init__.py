"""Army chess: SiGuo for four players, Luzhanqi for two, and a small army that can be solved."""

from .four import SiGuo
from .profit import Profit
from .rules import Stalled
from .setting import SetUp
from .small import SmallArmy
from .two import Luzhanqi

__all__ = ["Luzhanqi", "Profit", "SetUp", "SiGuo", "SmallArmy", "Stalled"]
