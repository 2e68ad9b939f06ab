"""Zhang and Wang 2014, Table 1: how many worlds a player of SiGuo cannot tell apart, at the start and during a game.

A world says which man of the three other players is of which kind. What a player has seen leaves each man a set of
kinds. The ways to deal an army of 25 men, of which so many are of each kind, to these sets are counted exactly, man by
man, over how many of each kind are left (497,664 numbers). The product over the three armies counts all worlds but for
one thing: a fight between a partner and an opponent also forbids some pairs of kinds, and these are not taken off. So
the product is an upper bound, exact at the start and for two players.
"""

import math
from typing import Any

import numpy as np

from ...bandits.tuned import UCB1Tuned
from ...draw.panels import panels
from ...games.siguo.board import FOUR, MEN
from ...games.siguo.imagining import KIND_BITS, narrow
from ...games.siguo.pieces import KINDS
from ...games.siguo.rules import kinds_from
from ...games.siguo.setting import COUNT, number_of_set_ups
from ...judges import CutOff
from ...kernels import kernel
from ...measure.intervals import student_half
from ...text.naming import load
from ..claims import Claim, unjudged
from ..laboratory import Lab
from ..report import Section
from .contest import PLIES, Contest
from .matches import POINTS
from .printed import AVERAGE_WORLDS, INITIAL_WORLDS
from .tables import FULL, QUICK

EVERY = 3  # slices of PLIES decisions between two counts
HIDDEN = 3  # armies that a player does not see
GAMES, QUICK_GAMES = 8, 1


@kernel
def ways(able, stride, size, old, new):
    """How many ways there are to deal the kinds to men, of whom man i can be the kinds in the bits of able[i]. A number
    of the table is how many of each kind were dealt, to base stride; the last is all of them."""
    for at in range(old.shape[0]):
        old[at] = 0.0
    old[0] = 1.0
    for man in range(able.shape[0]):
        for at in range(new.shape[0]):
            new[at] = 0.0
        for at in range(old.shape[0]):
            if old[at] > 0.0:
                for kind in range(stride.shape[0]):
                    if (able[man] >> kind) & 1 and (at // stride[kind]) % size[kind] + 1 < size[kind]:
                        new[at + stride[kind]] += old[at]
        for at in range(old.shape[0]):
            old[at] = new[at]
    return old[old.shape[0] - 1]


@kernel
def narrowed(game, state, player, ready):
    """Write what every hidden man can be into the state, by all that the player has seen."""
    return narrow(game, state, player, ready)


def tables_of(board: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """What `ways` needs of a board: the strides and sizes of its tables, and two of them."""
    size = np.array([COUNT[board, kind] + 1 for kind in range(KINDS)], np.int64)
    stride = np.concatenate([[1], np.cumprod(size)[:-1]]).astype(np.int64)
    return stride, size, np.zeros(int(size.prod())), np.zeros(int(size.prod()))


def log_worlds(game: Any, state: np.ndarray) -> float:
    """The logarithm to base 10 of the worlds that the player to move cannot tell apart."""
    player, men, seats = int(game.player(state)), int(MEN[game.board()]), int(game.seats())
    seen = state.copy()
    narrowed(game, seen, player, seats)
    tables = tables_of(game.board())
    kinds, total = kinds_from(game), 0.0
    for who in range(seats):
        if who != player:
            able = np.ascontiguousarray(seen[kinds + who * men : kinds + (who + 1) * men] >> KIND_BITS)
            total += math.log10(max(float(ways(able, *tables)), 1.0))
    return total


def follow_worlds(game: str, worlds: int, iterations: int, horizon: int, seed: int) -> list[list[float]]:
    """[decisions so far, log10 of the worlds] during a game of UCT-Tuned against itself."""
    made = load(game)
    how: dict[str, Any] = {"worlds": worlds, "iterations": iterations}
    contest = Contest(
        made,
        *[UCB1Tuned(width=POINTS)] * 2,
        inner=UCB1Tuned(width=POINTS),
        judge=CutOff(horizon, made.evaluation()),
        **how,
    )
    found: list[list[float]] = []

    def watch(state: np.ndarray, decisions: int) -> None:
        if decisions // PLIES % EVERY == 0 and made.player(state) >= 0:
            found.append([float(decisions), log_worlds(made, state)])

    contest.play(seed, watch=watch)
    return found


def table1(lab: Lab) -> Section:
    """Worlds at the start: arithmetic."""
    set_ups = number_of_set_ups(FOUR)
    claims = [
        Claim("set-ups of one player, in 10^17", None, set_ups / 1e17, note=f"{set_ups:,}"),
        Claim("initial worlds, its cube, in 10^53", INITIAL_WORLDS / 1e53, set_ups**HIDDEN / 10**53, rounding=0.005),
    ]
    prose = """
        The number of set-ups of one player follows from the rules, and its cube is the printed number: so the paper
        counts three hidden armies, the partner's too.
    """
    return Section("table1", "Table 1: worlds at the start", prose, claims)


def rounds(lab: Lab) -> Section:
    """Worlds in an average round."""
    how = QUICK if lab.quick else FULL
    pieces = [{**how._asdict(), "seed": lab.seed + game} for game in range(QUICK_GAMES if lab.quick else GAMES)]
    courses = lab.map("worlds", {}, follow_worlds, pieces)
    means = [float(np.mean([log for _, log in course])) for course in courses if course]  # a short game has no counts
    what, said = "log10 of the worlds in an average round", math.log10(AVERAGE_WORLDS)
    ours = float(np.mean(means)) if means else math.nan
    note = "the mean of the logarithms: a mean of the numbers would be that of the first round"
    claims = [Claim(what, said, ours, student_half(means), kind="amount", note=note)]
    rows = [[game, int(decisions), log] for game, course in enumerate(courses) for decisions, log in course]
    figure, axes = panels(1, size=(7.5, 4.4))
    for course in courses:
        axes.plot([d for d, _ in course], [log for _, log in course], linewidth=1)
    words = {"xlabel": "decisions of all players", "ylabel": "log10 of the worlds"}
    axes.set(**words, title="Worlds that a player cannot tell apart")
    prose = f"""
        During {len(courses)} game{"s" if len(courses) > 1 else ""} of UCT-Tuned against itself (`{how.game}`), what each
        player has seen leaves fewer and fewer worlds. Fights between two hidden men are left out, so the numbers are
        upper bounds.
    """
    tables, shown = {"table1-courses": (["game", "decisions", "log10 of the worlds"], rows)}, {"table1-courses": figure}
    judged = unjudged(claims) if lab.quick else claims
    return Section("table1-rounds", "Table 1: worlds in a round", prose, judged, tables, shown)
