"""The colour of each method, the same in every picture."""

import re

OF_METHODS = {
    "uct": "#1f6fb4",
    "tuned": "#5aa2d8",
    "uct-det": "#0b3c66",
    "uct-eps": "#17a2b8",
    "uct-window": "#6f8fc9",
    "uct-reset": "#3f4fa8",
    "uct-wide": "#89b9d6",
    "exp3": "#d1601a",
    "exp3-deep": "#f0a04b",
    "rm": "#2a8f4f",
    "rm+": "#86b93a",
    "greedy": "#a9772f",
    "rave": "#8e5bb5",
    "rave-hand": "#c08fd8",
    "uniform": "#8a8a8a",
    "cfr": "#b3202c",
    "cfr+": "#7d1128",
    "linear": "#d9534f",
    "dcfr": "#e07b91",
    "pcfr+": "#9b3d5c",
    "pdcfr+": "#5c1a33",
    "hs-pcfr+": "#c43c7a",
    "lp": "#4a4a4a",
    "oracle": "#d4638f",
    "streamed-oracle": "#a83a68",
    "external": "#b58a00",
    "outcome": "#8c7a2b",
}
OTHERS = (
    "#1f6fb4",
    "#d1601a",
    "#2a8f4f",
    "#8e5bb5",
    "#a9772f",
    "#d4638f",
    "#17a2b8",
    "#8a8a8a",
)  # for all else, in order


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
