"""What the games of the package are called on the page, in groups, each with a line that says what is fun about it."""

from typing import NamedTuple


class Title(NamedTuple):
    """How a game is announced."""

    group: str
    name: str
    line: str


POKER, BOARD, FOG, CARDS, MATRICES, OWN = "Poker", "Board games", "In the fog", "Dice and cards", "Matrices", "Your own"
GROUPS = (OWN, FOG, POKER, BOARD, CARDS, MATRICES)
TITLES = {
    "kuhn": Title(POKER, "Kuhn poker", "Three cards and one bet: the smallest game in which you must bluff."),
    "leduc": Title(POKER, "Leduc hold'em", "Two rounds and one open card, so a hopeless hand can still be paired."),
    "holdem": Title(POKER, "Limit hold'em", "The whole deck against one opponent, from the deal to the river."),
    "many-kuhn": Title(POKER, "Kuhn poker for three", "One bet, and two others who may call it."),
    "many-leduc": Title(POKER, "Leduc hold'em for three", "A bluff must now fool two."),
    "dark-chess": Title(
        FOG, "Dark chess", "Fog-of-war chess: you see where your men can go, and the king is taken, not mated."
    ),
    "phantom-go": Title(
        FOG, "Phantom Go", "Go without seeing the other's stones: a move that is refused tells you of one."
    ),
    "phantom-ttt": Title(
        FOG, "Phantom tic-tac-toe", "Tic-tac-toe in the dark: each square you try may be taken already."
    ),
    "dark-hex": Title(FOG, "Dark Hex", "Join your two sides through walls that you find by running into them."),
    "luzhanqi": Title(FOG, "Luzhanqi", "Army chess: find the flag behind ranks that stay hidden until they clash."),
    "siguo": Title(
        FOG, "Si Guo Da Zhan", "Army chess for four: you and the partner across against the two beside you."
    ),
    "small-army": Title(FOG, "Small army", "Army chess on a board that is small enough to be solved."),
    "chess": Title(BOARD, "Chess", "The game itself, with every rule."),
    "go": Title(BOARD, "Go", "Surround more than the other does; on 9x9 a match takes ten minutes."),
    "connect-four": Title(BOARD, "Connect four", "Drop discs until four are in a row: who moves first can force it."),
    "breakthrough": Title(BOARD, "Breakthrough", "Pawns only, and the first to reach the other side wins."),
    "tic-tac-toe": Title(
        BOARD, "Tic-tac-toe", "Try to lose on purpose: against the strong one it is hard not to draw."
    ),
    "goofspiel": Title(
        CARDS, "Goofspiel", "The same cards for both, no luck at all: bid a little more than the other."
    ),
    "liars-dice": Title(CARDS, "Liar's dice", "Claim more than you have, and know when to call the other a liar."),
    "matrix": Title(MATRICES, "Rock paper scissors", "Choose at the same time; any table of payoffs will do."),
    "bimatrix": Title(MATRICES, "Prisoner's dilemma", "What is best for each is bad for both."),
    "rounds": Title(MATRICES, "Blind rounds", "Several choices before either learns what the other did."),
}

FIRST = "dark-chess"  # the game that invites whoever opens the page, with a line of its own
INVITATION = (
    "Chess in the fog",
    "You see where your men can go, and nothing else. The same holds for the other. Take the king, and then look at what "
    "the other thought you had.",
)
MIDDLES = {  # positions for pictures of games in which a few moves by lot look like nothing
    "chess": "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQK2R w KQkq - 0 6",
    "dark-chess": "r1bqk2r/pppp1ppp/2n2n2/4p3/1bB1P3/2N2N2/PPPPQPPP/R1B2RK1 w kq - 6 6",
}


def game_title(name: str, parameters: str) -> str:
    """A game of the package with its parameters, as a heading."""
    return f"{title_of(name).name} {parameters}".strip()


def title_of(name: str, line: str = "") -> Title:
    """How a game is announced; one of the user's own by its name, with the first line of its rules."""
    return TITLES.get(name) or Title(OWN, name, line)
