"""UCT in chess (Arenz 2012, section 4.3): is it any good beside alpha-beta, and do endgame tables help it?

The paper asks and measures nothing. It names two reasons why UCT is weak in chess: random games say little about a position,
and a position may have one refutation among many harmless moves. It proposes to end the random games in endgame tables.

Here these players meet, all with the same processor time for a move:

    playouts             UCT, each simulation a random game
    playouts, tables     the same, ended where a table knows the outcome
    evaluation           UCT, each simulation ended at once by the piece-square evaluation
    evaluation, tables   the same, but by the table where it knows the outcome
    alpha-beta           with the same evaluation, as a tournament program searches (`Risky`)
    alpha-beta, tables   the same, but it plays by the table where that knows the position; its search does not ask it

All players with tables play by them where they know the position. Every start is played twice, with colours exchanged.

UCT's constant is the paper's for random games, `UCT(c=2)`. A random game says 1 or -1, and an evaluation less than 0.1 for a
pawn, so with it UCT explores too much: of 2, 0.3, 0.1 and 0.03, tried in a few games each, 0.3 and 0.1 played best.
"""

import functools
from typing import Any

import numpy as np

from ... import dice
from ...arena.agents.alphabeta import AlphaBetaAgent, Looking
from ...arena.agents.searching import SearchAgent
from ...arena.agents.tabled import TabledAgent
from ...arena.pairs import play_pair, points
from ...arena.sight import sight
from ...bandits import UCT
from ...errors import Invalid
from ...game import OVER, new_state, read
from ...games.chess import Chess
from ...games.chess.piece_squares import PieceSquares
from ...judges import CutOff, Playout, Tabled
from ...measure.intervals import student_half, wilson_half
from ...solvers.exact.retrograde import endgame_table
from ...text.notation import Course
from ..claims import Claim
from ..laboratory import Lab, grouped
from ..report import Section
from .timed import Timed

GAME = "chess"
OPENINGS = (  # eight half-moves each
    "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6",
    "e4 e5 Nf3 Nc6 Bc4 Bc5 c3 Nf6",
    "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6",
    "e4 c5 Nc3 Nc6 g3 g6 Bg2 Bg7",
    "e4 e6 d4 d5 Nc3 Nf6 Bg5 Be7",
    "e4 c6 d4 d5 Nc3 dxe4 Nxe4 Bf5",
    "e4 d5 exd5 Qxd5 Nc3 Qa5 d4 Nf6",
    "d4 d5 c4 e6 Nc3 Nf6 Bg5 Be7",
    "d4 d5 c4 c6 Nf3 Nf6 Nc3 dxc4",
    "d4 Nf6 c4 g6 Nc3 Bg7 e4 d6",
    "d4 Nf6 c4 e6 Nc3 Bb4 e3 O-O",
    "d4 f5 g3 Nf6 Bg2 e6 Nf3 Be7",
    "c4 e5 Nc3 Nf6 Nf3 Nc6 g3 d5",
    "Nf3 d5 g3 Nf6 Bg2 c6 O-O Bg4",
    "e4 e5 Nf3 Nf6 Nxe5 d6 Nf3 Nxe4",
)
ENDGAMES = ("KPKP", "KPPKP", "KRKP", "KRPKR", "KQKP", "KBPKN")  # men of White and of Black
MOST_MOVES = 400  # half-moves; a longer game is a draw
TRIES = 10_000  # to set up an endgame
FIRST = {"iterations": 64, "nodes": 2048}  # work of the first slice

UCT_PLAYERS = ("playouts", "playouts, tables", "evaluation", "evaluation, tables")
ALPHA_BETA, WITH_TABLES = "alpha-beta", "alpha-beta, tables"
EXPLORATION = {"playouts": 2.0, "evaluation": 0.2}  # UCT's constant
PAIRINGS = (
    ("playouts, tables", "playouts"),
    ("evaluation, tables", "evaluation"),
    ("evaluation", "playouts"),
    *((player, ALPHA_BETA) for player in UCT_PLAYERS),
    ("evaluation, tables", WITH_TABLES),
)


# --- players ----------------------------------------------------------------------------------------------------------


@functools.cache
def _table(which: str) -> Any:
    return endgame_table(Chess(), which)


def player(name: str, seconds: float, tables: str, seed: int, exploration: dict[str, float]) -> tuple[Any, Timed]:
    """The player of a name, and the part of it that thinks."""
    kind, _, with_tables = name.partition(", ")
    if kind == ALPHA_BETA:
        thinker = Timed(AlphaBetaAgent(Looking(nodes=FIRST["nodes"]), evaluation=PieceSquares()), "nodes", seconds)
    else:
        judge: Any = Playout() if kind == "playouts" else CutOff(0, PieceSquares())
        if with_tables:
            judge = Tabled(_table(tables), judge) if kind == "playouts" else Tabled(_table(tables), judge, moves=0)
        agent = SearchAgent(UCT(exploration[kind]), seed, iterations=FIRST["iterations"], judge=judge)
        thinker = Timed(agent, "iterations", seconds)
    return TabledAgent(thinker, _table(tables)) if with_tables else thinker, thinker


# --- matches ----------------------------------------------------------------------------------------------------------


def opening(number: int) -> np.ndarray:
    """The position after a well-known opening."""
    state = new_state(Chess())
    for move in OPENINGS[number % len(OPENINGS)].split():
        Chess().step(state, read(Chess(), state, move))
    return state


def endgame(number: int, seed: int) -> np.ndarray:
    """A random position of few men in which somebody is to move."""
    game, random = Chess(), dice.seeded(seed, number)
    white, black = ENDGAMES[number % len(ENDGAMES)][1:].split("K")
    men = "K" + white + "k" + black.lower()
    for _ in range(TRIES):
        squares = ["1"] * 64
        for man in men:
            free = [s for s in range(64) if squares[s] == "1" and not (man in "Pp" and (s < 8 or s > 55))]
            squares[free[dice.below(random, len(free))]] = man
        rows = "/".join("".join(squares[8 * rank : 8 * rank + 8]) for rank in range(8))
        state = new_state(game)
        try:
            game.from_notation(f"{_short(rows)} {'wb'[dice.below(random, 2)]} - - 0 1", state)
        except Invalid:
            continue
        if game.player(state) != OVER:
            return state
    raise Invalid(f"no position of {men} was found")


def _short(rows: str) -> str:
    """A row of a FEN counts its empty squares."""
    for count in range(8, 1, -1):
        rows = rows.replace("1" * count, str(count))
    return rows


def meet(
    game: str,
    first: str,
    second: str,
    start: str,
    number: int,
    seconds: float,
    tables: str,
    seed: int,
    exploration: dict[str, float],
) -> dict[str, Any]:
    """Two games from one start with colours exchanged: what the first player gets, 1 for a win and 1/2 for a draw, and the
    processor time of both for a move."""
    chess = Chess()
    with np.errstate(over="ignore"):
        begin = opening(number) if start == "openings" else endgame(number, seed)
        sides = [player(name, seconds, tables, seed, exploration) for name in (first, second)]
        for agent, thinker in sides:  # compile first
            agent.act(sight(chess, opening(0), 0))
            thinker.spent, thinker.moves = 0.0, 0
    one, other = (agent for agent, _ in sides)
    results = points(chess, play_pair(chess, one, other, start=Course(begin), longest=MOST_MOVES))
    costs = [thinker.spent / max(thinker.moves, 1) for _, thinker in sides]
    return {"results": list(results), "costs": costs}


# --- the part ---------------------------------------------------------------------------------------------------------


def uct(lab: Lab) -> Section:
    """Who wins how often, from openings and from endgames."""
    seconds, pairs, tables = (0.002, 2, "KQK+KRK+KPK") if lab.quick else (0.01, 6, "four")
    pairings = PAIRINGS[:2] + PAIRINGS[-2:-1] if lab.quick else PAIRINGS
    pieces = [
        {"first": first, "second": second, "start": start, "number": number}
        for number in range(pairs)
        for start in ("endgames", "openings")
        for first, second in pairings
    ]
    common = {"game": GAME, "seconds": seconds, "tables": tables, "seed": lab.seed, "exploration": EXPLORATION}
    results = lab.map("chess-uct", common, meet, [{**common, **piece} for piece in pieces])
    found = grouped(pieces, results, "first", "second", "start")
    claims, rows = [], []
    for start in ("openings", "endgames"):
        for first, second in pairings:
            met = found[first, second, start]
            mean, half = score([result["results"] for result in met])
            costs = np.mean([result["costs"] for result in met], axis=0)
            wins, draws, losses = (sum(result["results"].count(worth) for result in met) for worth in (1.0, 0.5, 0.0))
            claims.append(Claim(f"{first} against {second}, {start}", None, mean, half, kind="rate"))
            rows.append([start, first, second, wins, draws, losses, *(float(1000 * cost) for cost in costs)])
    header = ["start", "first", "second", "wins", "draws", "losses", "first, ms a move", "second, ms a move"]
    men = "three men, and of four men without pawns" if tables == "four" else "three men"
    prose = f"""
        The paper asks whether UCT can play chess, and whether endgame tables would help it; it measures nothing. Here each
        player has {1000 * seconds:g} ms of processor time for a move. Openings are {len(OPENINGS)} well-known ones of eight
        half-moves, and endgames are random positions of {", ".join(ENDGAMES)}. Every start is played twice with colours
        exchanged, {2 * pairs} games a pairing and kind of start. The tables are those of {men}. Below is the
        score of the first player, 1 for a win and 1/2 for a draw, with the interval over pairs of games; and what a move
        really cost both. Moves that a player with tables takes from them are not counted in its cost.

        A clock decides how far a player searches, so the same seed does not give the same games twice.
    """
    title = "Beyond the paper: UCT in chess, with and without endgame tables"
    return Section("chess-uct", title, prose, claims, {"chess-uct-games": (header, rows)})


def score(pairs: list[list[float]]) -> tuple[float, float]:
    """The mean result of a game and half of its 95 % interval, from the results of pairs of games from one start:
    Student's over the pairs, and Wilson's of a share among so many pairs where all are alike."""
    means = [sum(pair) / len(pair) for pair in pairs]
    mean = float(np.mean(means))
    if np.ptp(means) == 0.0:
        return mean, wilson_half(mean, len(means))
    return mean, student_half(means)
