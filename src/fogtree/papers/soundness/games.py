"""The games of the report, and how much is searched in each."""

from typing import NamedTuple

LANES = ("rm", "uct", "exp3", "pimc", "epimc", "uct-risk")
PURE, LEAST = ("uct", "pimc", "epimc", "uct-risk"), 16  # one action at a set: few seeds tell nothing, and cost little
MMCTS = "mmcts"  # thinks once, before a match begins
ONLINE = ("oos", "oos:target=pst")
RESOLVE = "resolve"
ALL = ("random", *LANES, MMCTS, *ONLINE, RESOLVE)
FREE = ("random", *LANES, MMCTS, "oos")  # where nothing or hardly anything is public


class Size(NamedTuple):
    """How much is searched."""

    budgets: tuple[int, ...]  # iterations a move
    seeds: int


class Setting(NamedTuple):
    """A game of the report."""

    game: str
    title: str
    quick: Size
    full: Size
    agents: tuple[str, ...] = ALL
    note: str = ""


HOLD = "phantom-ttt:rules=forced-centre,winning_first=on"
SETTINGS = {
    "kuhn": Setting("kuhn", "Kuhn poker", Size((100, 1000, 10_000), 16), Size((100, 1000, 10_000, 100_000), 200)),
    "leduc": Setting("leduc", "Leduc poker", Size((100, 1000, 10_000), 8), Size((100, 1000, 10_000, 100_000), 50)),
    "goofspiel-5": Setting(
        "goofspiel:cards=5", "Goofspiel with 5 cards, bids hidden", Size((1000,), 4), Size((100, 1000, 10_000), 50)
    ),
    "liars-dice": Setting("liars-dice", "Liar's Dice, one die each", Size((1000,), 2), Size((100, 1000, 10_000), 50)),
    "phantom-ttt": Setting(
        HOLD,
        "Phantom Tic-Tac-Toe, forced centre",
        Size((1000,), 2),
        Size((100, 1000, 10_000), 20),
        note="Only the number of turns is public here, so what is resolved is the rest of the whole game.",
    ),
    "goofspiel-6": Setting(
        "goofspiel:cards=6",
        "Goofspiel with 6 cards, bids hidden",
        Size((300,), 2),
        Size((1000, 10_000), 20),
        (*FREE, RESOLVE),
    ),
    "small-army": Setting(
        "small-army",
        "Small army chess",
        Size((100,), 2),
        Size((1000, 10_000), 10),
        FREE,
        "The game does not say what is public, so nothing is resolved.",
    ),
}
