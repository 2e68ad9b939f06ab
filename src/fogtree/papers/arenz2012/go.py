"""The parts of Arenz 2012 about go."""

from collections.abc import Callable

from ..laboratory import Lab
from ..report import Section

PARTS: dict[str, Callable[[Lab], Section]] = {}
