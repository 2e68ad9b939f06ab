"""The colour of each method, the same in every picture. Bandits and solvers get theirs by their places in their lists."""

import re

from ..bandits import BANDITS
from ..solvers.tasks import AUTO, METHODS

OF_BANDITS = (
    *("#1f6fb4", "#5aa2d8", "#d1601a", "#f0a04b", "#2a8f4f", "#86b93a", "#a9772f", "#0b3c66"),
    *("#17a2b8", "#6f8fc9", "#3f4fa8", "#89b9d6", "#8e5bb5", "#c08fd8", "#8a8a8a"),
)
OF_SOLVERS = (
    *("#4a4a4a", "#d4638f", "#a83a68", "#b3202c", "#7d1128", "#d9534f"),
    *("#e07b91", "#9b3d5c", "#5c1a33", "#c43c7a", "#b58a00", "#8c7a2b"),
)
OTHERS = (  # for all else, in order
    *("#1f6fb4", "#d1601a", "#2a8f4f", "#8e5bb5", "#a9772f", "#d4638f", "#17a2b8", "#8a8a8a"),
)
SOLVERS = [method for method in METHODS if method != AUTO]
OF_METHODS = dict(zip(BANDITS, OF_BANDITS, strict=False)) | dict(zip(SOLVERS, OF_SOLVERS, strict=False))


def method_colour(name: str) -> str | None:
    """The colour of the method that a text such as `exp3:gamma=0.2` or `RM in Kuhn` begins with; None if it names none."""
    return OF_METHODS.get(re.split(r"[:\s,]", name.strip().lower(), maxsplit=1)[0])


def colours(names: list[str]) -> list[str]:
    """A colour for each name: its method's own, or one that no other has. The second variant of a method gets another one."""
    taken: list[str] = []
    for name in names:
        own = method_colour(name)
        free = [colour for colour in OTHERS if colour not in taken and colour not in map(method_colour, names)]
        taken.append(own if own and own not in taken else (free or list(OTHERS))[0])
    return taken
