"""What people look at in a solved poker game: for each hand at each place its strategy, its value, its equity.

found = solve_hands(game, target=0.5)           to half a percent of the pot; `game` may be a spot of no-limit hold'em
found.values, found.exploitable, found.equity()
place = found.at("check, bet 30", "Qc")         after this betting, on this turn
place.mix, place.value, place.reach
found.save("spot.npz"), load_hands("spot.npz", game)
"""

import math
import os
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...errors import Invalid
from ...game import CHANCE, OVER, identity
from ...kernels.engines import chosen
from ...kernels.lanes import CPU, CUDA
from ...looks import looks
from ...strategy import read_npz, write_npz
from ...text.naming import as_game, name
from ...walk.slices import Ended, Watcher
from ..until import Interrupted, Worked, iterate_until, limits_from_now
from .checked_down import CheckedDown, met_by
from .lines import GATE
from .places import choices, find_place, hands_at
from .public_form import PublicForm, public_form
from .vector_cfr import VectorCFR

TARGET = 0.5  # percent of the pot, where the user gives no limit
SURE = 65_535  # the number that stands for a probability of 1 in a file in 16 bits
BITS = {None: None, 16: np.int16, 32: np.float32}
STORED_AS = (np.uint16, np.float32)  # probabilities in a file
ROUNDED = 0.01  # how much worse the certificate may become by that
FORMAT = 1
FIELDS = {"format", "game", "name", "method", "iterations", "share0", "share1"}


class Place(NamedTuple):
    """What there is to see after some betting on some board, when both follow the strategy."""

    player: int  # who moves, CHANCE where a card is to come, or OVER
    cards: tuple[int, ...]  # the board
    actions: list[str]
    hands: tuple[np.ndarray, np.ndarray]  # [player][hand] numbers
    mix: np.ndarray  # [action, hand] of who moves
    reach: tuple[
        np.ndarray, np.ndarray
    ]  # [player][hand] how often a player holds and plays so far with a hand, by the range
    value: tuple[
        np.ndarray, np.ndarray
    ]  # [player][hand] what a hand expects to win from here on, in payoffs of the game
    met: tuple[np.ndarray, np.ndarray]  # [player][hand] the reach of the hands that it can meet
    worth: np.ndarray  # [action, hand] what each action is worth to who moves: the value after it
    board: int  # the number in the form of the board that stands for this one
    symmetry: np.ndarray  # of the cards, which leads from that board to this one
    node: int  # of the form's betting
    game: Any

    def weight(self, player: int) -> np.ndarray:
        """[hand] how often the place is met with each hand, up to a factor that both players share."""
        return self.reach[player] * self.met[player]

    def frequency(self) -> np.ndarray:
        """[action] how often who moves takes each; nan where no two hands come."""
        weight = self.weight(self.player)
        return self.mix @ weight / (weight.sum() or np.nan)

    def mean(self, player: int) -> float:
        """What a player expects here; nan where no two hands come."""
        weight = self.weight(player)
        return float(weight @ np.where(weight > 0, self.value[player], 0.0) / (weight.sum() or np.nan))

    def _repr_html_(self) -> str:
        return looks().place_table(self)


class HandSolution:
    """An approximate equilibrium with its certificate."""

    def __init__(self, cfr: VectorCFR, ended: Any = None, course: Any = ()):
        self.cfr, self.form, self.ended, self.course = cfr, cfr.form, ended, list(course)
        self.game, self.method, self.iterations = cfr.form.game, cfr.name, cfr.iterations
        self.pot = float(getattr(cfr.form.cards, "pot", 0.0))
        self.device = getattr(cfr, "device", CPU)
        self.packed = cfr.packed  # whether it was learned in 16 bits
        best = (cfr.response(0), cfr.response(1))
        first = cfr.expected(0)
        mean = (first, -first if self.form.zero_sum else cfr.expected(1))
        self.payoffs = mean
        self.gains = (best[0] - mean[0], best[1] - mean[1])  # of a best response
        self._equity: Any = None
        self._down: CheckedDown | None = None

    @property
    def values(self) -> tuple[float, float]:
        """What the players get out of the pot: payoffs and half of the pot."""
        return self.payoffs[0] + self.pot / 2, self.payoffs[1] + self.pot / 2

    @property
    def exploitable(self) -> float:
        """The mean of what the players could gain by best responses."""
        return sum(self.gains) / 2

    @property
    def percent(self) -> float:
        """The same in percent of the pot."""
        return 100 * self.exploitable / self.pot if self.pot else float("nan")

    def equity(self) -> tuple[float, np.ndarray, np.ndarray]:
        """The share of the pot that player 0 would win if nobody bet any more, and that of each hand of each player."""
        if self._equity is None:
            self._equity = self._equity_of(0, [one.weight for one in self.form.hold])
        return self._equity

    def _equity_of(self, board: int, reach: Any) -> tuple[float, np.ndarray, np.ndarray]:
        if self._down is None:
            self._down = CheckedDown(self.form)
        return self._down.equity(board, reach)

    def equity_at(self, place: Place) -> tuple[float, np.ndarray, np.ndarray]:
        """The same at a place, from the hands that get there: [hand] as in `place.hands`; NaN for hands that meet none."""
        return self._equity_of(place.board, place.reach)

    def share_at(self, place: Place) -> float:
        """How much of what both hold gets to a place, by their strategies, if its cards come. A certificate hardly depends on
        a place that is seldom met."""
        form, b = self.form, place.board
        first, second = (form.hold[p].weight[np.searchsorted(form.hands[p][0], form.hands[p][b])] for p in (0, 1))
        whole = float(first @ met_by(form, 0, b, second))
        return float(place.weight(0).sum()) / whole if whole > 0 else 0.0

    def at(self, line: str = "", cards: str = "") -> Place:
        """The place after this betting, `check, bet 30`, and these cards, `Qc 2s`, dealt after the first board."""
        return self.place(*find_place(self.form, line, cards))

    def place(self, b: int, symmetry: np.ndarray, node: int) -> Place:
        """The place of a node of the form's betting on a board of the form, moved by a symmetry of the cards."""
        form = self.form
        kind = int(form.betting.kind[node])
        player = kind if kind >= 0 else CHANCE if kind == GATE else OVER
        numbers = hands_at(form, b, symmetry)
        seen = [self.cfr.rows_at(b, node, me) for me in (0, 1)]
        reach = (seen[1].reach, seen[0].reach)
        met = tuple(met_by(form, me, b, reach[1 - me]) for me in (0, 1))
        weight = form.chance[form.boards.stage[b]]

        def worth(me: int, value: np.ndarray) -> np.ndarray:
            return np.where(met[me] > 0, value / np.where(met[me] > 0, weight * met[me], 1.0), np.nan)

        value = tuple(worth(me, seen[me].value) for me in (0, 1))
        moves = player >= 0
        mix = self.cfr.table(b, node) if moves else np.zeros((0, 0))
        below = worth(player, seen[player].below) if moves else np.zeros((0, 0))
        board = tuple(int(symmetry[card]) for card in form.board[b])
        words = choices(form, node) if moves else []
        return Place(player, board, words, numbers, mix, reach, value, met, below, b, symmetry, node, form.game)  # type: ignore[arg-type]

    @property
    def how(self) -> str:
        """The rule, and the storage where it is a special one."""
        return f"{self.method} in 16 bits" if self.packed else self.method

    def save(self, path: str | os.PathLike) -> None:
        """Write the strategy; the file appears whole or not at all. It is in 16 bits where they leave the certificate as it
        is, up to 1 percent of it, and else in 32."""
        mixes = [np.rint(SURE * _mixes(self.cfr, p)).astype(np.uint16) for p in (0, 1)]
        worse = _with_mixes(self.form, self.method, mixes, self.cfr.stored_as, math.inf)  # as much was allowed before
        if sum(worse.gains()) / 2 > (1 + ROUNDED) * self.exploitable:
            mixes = [_mixes(self.cfr, p) for p in (0, 1)]
        shares = {f"share{p}": mixes[p] for p in (0, 1)}
        texts = {"game": identity(self.game), "name": name(self.game), "method": self.method}
        stored = {key: np.array(text) for key, text in texts.items()}
        write_npz(path, format=np.array(FORMAT), iterations=np.array(self.iterations), **stored, **shares)

    def _repr_html_(self) -> str:
        return looks().hands_table(self)

    def __str__(self) -> str:
        first, second = self.values
        sure = f"exploitable by {self.exploitable:.4g}" + (f" ({self.percent:.3g} % of the pot)" if self.pot else "")
        return (
            f"{name(self.game)}: values {first:.4f} and {second:.4f}, {sure}, {self.how}, {self.iterations} iterations"
        )


def solve_hands(
    game: Any,
    rule: str = "dcfr",
    *,
    target: float | None = None,
    seconds: float | None = None,
    iterations: int | None = None,
    memory: float | None = None,
    checkpoint: str | os.PathLike | None = None,
    lock: Callable[[VectorCFR], Any] | None = None,
    device: str = CPU,
    threads: int | None = None,
    bits: int | None = None,
    partial: bool = False,
    progress: Watcher | None = None,
) -> HandSolution:
    """Solve a game of public cards by vectors over hands, to a target in percent of the pot (0.5 by default; in games that
    have no pot at the start, in percent of their largest payoff), or for so many seconds or iterations.

    `device` is "cpu", "cuda" or "auto". On the CPU `threads` work side by side, None for all cores where they pay; the
    numbers do not depend on them. There `bits` is 32 or 16, in which regrets and totals are stored; None is 32 where they fit
    into the memory that is allowed, and else 16. `lock(cfr)` may fix strategies before the first iteration. A checkpoint is
    saved every 30 s and at the end, and resumed if the file exists. Ctrl-C raises `Interrupted`, which holds the result so
    far; with `partial` it is returned.
    """
    if lock is not None and not callable(lock):
        raise Invalid(f"lock is a function that gets the solver and locks nodes in it, not a {type(lock).__name__}")
    if bits not in tuple(BITS):
        raise Invalid(f"bits are 16 or 32, not {bits!r}; where they are not given, 32 are taken if they fit")
    limits = limits_from_now(target, seconds, iterations)
    if target is None and seconds is None and iterations is None:
        limits = limits._replace(target=TARGET)
    game = as_game(game)
    form = public_form(game, progress=progress)
    if chosen(device, form.entries(0)) == CPU:
        cfr = VectorCFR(form, rule, dtype=BITS[bits], memory=memory, threads=threads)
    else:
        if bits == 16:
            raise Invalid("16 bits are for the CPU: a GPU stores in 32")
        from .hand_lanes import VectorLanes  # not on top: few have a GPU

        cfr = VectorLanes(form, rule, device=CUDA, memory=memory)
    if lock:
        lock(cfr)
    unit = float(getattr(form.cards, "pot", 0.0)) or game.shape().high
    if limits.target is not None:
        limits = limits._replace(target=2 * limits.target / 100 * unit)  # of both players
    try:
        worked = iterate_until(cfr, limits, checkpoint=checkpoint, progress=progress)
    except KeyboardInterrupt:
        if not cfr.iterations:
            raise
        worked = Worked(None, [], Ended.STOPPED)  # before the first certificate, and a solution makes its own
    found = HandSolution(cfr, worked.ended, worked.course)
    if worked.ended == Ended.STOPPED and not partial:
        raise Interrupted(found)
    return found


def load_hands(path: str | os.PathLike, game: Any = None, *, memory: float | None = None) -> HandSolution:
    """A solution from a file; the game is read from it unless it is given; `memory` as in `solve_hands`."""
    stored = read_npz(path, FIELDS)
    if stored["format"].tolist() != FORMAT:
        raise Invalid(f"{path} holds a strategy in format {stored['format']}, this is for format {FORMAT}")
    game = as_game(str(stored["name"]) if game is None else game)
    if identity(game) != str(stored["game"]):
        raise Invalid(f"{path} is a strategy of {stored['name']}, not of {name(game)}")
    form, shares = public_form(game), [stored[f"share{p}"] for p in (0, 1)]
    done = stored["iterations"]
    if not all(_fits(shares[p], form.entries(p)) for p in (0, 1)) or done.shape or done.dtype.kind != "i":
        raise Invalid(f"{path} does not fit the game: it was cut short or changed")
    cfr = _with_mixes(form, str(stored["method"]), shares, memory=memory)
    cfr.iterations = int(done)
    return HandSolution(cfr)


def _fits(share: np.ndarray, entries: int) -> bool:
    """Whether an array of a file has so many probabilities."""
    return share.shape == (entries,) and share.dtype in STORED_AS and bool((np.isfinite(share) & (share >= 0)).all())


def _with_mixes(
    form: PublicForm, method: str, shares: Sequence[np.ndarray], dtype: Any = None, memory: float | None = None
) -> VectorCFR:
    """A solver whose average strategies are these."""
    cfr = VectorCFR(form, method, dtype=dtype, memory=memory, threads=None)
    for player, share in enumerate(shares):
        cfr.set_average(player, share)
    return cfr


def _mixes(cfr: VectorCFR, player: int) -> np.ndarray:
    """A player's average strategy, in the order in which it is stored."""
    form, out = cfr.form, np.zeros(len(cfr.stores[player].total), np.float32)
    nodes = np.flatnonzero(form.betting.kind == player)
    stage = form.tree.stage[form.node[nodes]]
    for b in range(len(form.board)):
        width = int(form.hold[player].width[b])
        for n in nodes[stage == form.boards.stage[b]].tolist():
            at = int(cfr.stores[player].base[b] + form.betting.block[n] * width)
            table = cfr.table(b, n)
            out[at : at + table.size] = table.ravel()
    return out
