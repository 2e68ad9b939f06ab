"""Regret minimisation with vectors over hands through the public tree: poker without any abstraction.

The iteration is that of `regret/cfr.py`, and so are the rules and the numbers after each iteration. But where the sequence
form has an entry for each pair of hands at each end, the public tree is walked once for all hands (`hand_sweeps.py`), an end
costs as much as there are hands and not as there are pairs, and boards that differ only by suits are walked once
(`public_form.py`):

    1. down   the other's plan as a reach over the other's hands; the other's average gets it on the way
    2. ends   what each own hand is worth against this reach
    3. up     at the other's nodes values add up, at one's own they are mixed; regrets and mixes change

So an iteration is two sweeps, and exploitability is two more, in which the averages are met and one's own nodes take the
best. The plan of player 1 would get into its average in the next iteration only; a certificate that comes before adds it by a
way down.

    cfr = VectorCFR(public_form(game), "dcfr").run(iterations=100)
    cfr.bounds(), cfr.table(board, node)
    solve(OnHands(game), target=0.01)
"""

import os
from typing import Any, NamedTuple

import numpy as np

from ...errors import Invalid
from ...files import appearing, refusing
from ...strategy import Strategy
from ...text.naming import name
from ...walk.slices import Watcher, memory_cap, sized
from ..forms.certificates import Bounds
from ..forms.infosets import TooLarge
from ..regret.cfr import RULES, rule_named
from ..until import Pace, resumed, run_slices
from .cards import all_hands, chance_actions
from .hand_sweeps import (
    AHEAD,
    FACTORS,
    KEEP,
    LANES,
    LEAST,
    NEGATIVE,
    POSITIVE,
    ROUNDING,
    TEMPORARY,
    WHOLE,
    Expect,
    Learn,
    Match,
    Respond,
    Rows,
    Store,
    iterate,
    nothing_kept,
    spread,
    sweep,
)
from .hand_threads import Branches, to_its_end
from .lines import TypePlan
from .packed_rows import (
    SCALES,
    PackedAverage,
    PackedMatch,
    get_rows,
    new_packed,
    packed_bytes,
    put_all,
    put_rows,
    rounding_at,
    scratch_size,
)
from .public_form import PARTS, PublicForm, public_form
from .small_form import followed

DTYPES = (np.int16, np.float32, np.float64)
STORED = ("regret", "mix", "total")
MANY = 4_000_000  # numbers from which on threads pay
ROUNDED = 1e-5  # how far the odds of a hand may be from a sum of 1


class Seen(NamedTuple):
    """What a player sees at a place. Values are counterfactual: multiplied by the reach of what a hand can meet."""

    reach: np.ndarray  # [hand of the other]
    value: np.ndarray  # [own hand]
    below: np.ndarray  # [action, own hand] the values after each action


class VectorCFR:
    """Regret minimisation that runs as long as it is asked to."""

    finished = False
    pace = Pace(least=10, factor=1.05)

    def __init__(
        self,
        form: PublicForm,
        rule: str = "dcfr",
        *,
        dtype: Any = None,
        memory: float | None = None,
        threads: int | None = 1,
    ):
        """Numbers are stored as `dtype`: numpy.float32, numpy.float64, or numpy.int16 with a scale for each row. None is 32
        bits, or 16 where 32 do not fit into the memory that is allowed. `threads` do boards side by side, None for all cores
        where they pay; the numbers do not depend on them."""
        dtype = _fitting(form, rule, dtype, memory_cap(memory))
        self.form, self.name, self.rule, self.stored_as = form, rule, rule_named(rule), dtype
        self.packed = dtype == np.int16
        self.dtype = dtype = np.float32 if self.packed else dtype  # what is computed with
        self.unit = 1.0 / float(form.chance[-1])  # values are multiplied by it, so that 32 bits hold small ones
        self.betting = form.betting._replace(
            pay=(form.betting.pay * self.unit).astype(dtype), locked=form.betting.locked.copy()
        )
        self.hold = tuple(one._replace(weight=one.weight.astype(dtype)) for one in form.hold)
        self.stores: tuple[Any, ...] = tuple(
            new_packed(form, player) if self.packed else _new_store(form, player, dtype, self.rule.forecast != 0)
            for player in (0, 1)
        )
        size = scratch_size(form) if self.packed else 0
        self.rows, self._kept = _new_rows(form, dtype, size), nothing_kept(dtype)
        self.threads = _threads(form, threads)
        self._branches = (
            Branches(form, self.threads, lambda: _new_rows(form, dtype, size), dtype) if self.threads > 1 else None
        )
        self.iterations = 0
        self._waits = False  # whether player 1's plan is still to be added to its total

    run = run_slices

    def _iterate(self, count: int) -> int:
        first = self.iterations + 1
        factors = np.array([[self._factors(float(t), me) for me in (0, 1)] for t in range(first, first + count)])
        factors[0, 0, KEEP:WHOLE] = factors[0, 0, KEEP:WHOLE] if self._waits else (1.0, 0.0)  # nothing to add
        how = self._how(np.ones(FACTORS))
        form = self.form
        if self._branches is None:
            given = (self.betting, form.boards, how, self.stores, self.hold, self.rows)
            iterate(*given, factors.astype(self.dtype), len(form.board), self._kept)
            self.iterations, self._waits = self.iterations + count, True
            return count
        for t in range(count):
            with to_its_end(kept=self.iterations > 0):
                for me in (0, 1):
                    how.factor[:] = factors[t, me]
                    self._branches.sweep(self.betting, how, me, self.stores, self.hold, self.rows)
                self.iterations, self._waits = self.iterations + 1, True
        return count

    def _factors(self, t: float, me: int) -> list[float]:
        """Of iteration t of a player. Player 0 meets the plan that player 1 has made in the iteration before."""
        rule, factor = self.rule, [1.0] * FACTORS
        factor[POSITIVE], factor[NEGATIVE] = rule.positive(t - 1.0), rule.negative(t - 1.0)
        factor[AHEAD], factor[KEEP] = rule.positive(t), rule.keep(max(t - 1.0 + me, 1.0))
        factor[ROUNDING] = rounding_at(t)
        return factor

    def _how(self, factor: np.ndarray) -> Learn | Match | PackedMatch:
        how = (Learn if self.rule.forecast else Match)(self.rule, factor.astype(self.dtype))
        return PackedMatch(how, how.factor) if self.packed else how

    def _average(self, how: Respond | Expect) -> Any:
        return PackedAverage(how) if self.packed else how

    def _catch_up(self) -> None:
        """Add player 1's last plan to its total."""
        if self._waits:
            self._waits = False  # before: Ctrl-C comes after the compiled step
            factor = np.ones(FACTORS)
            factor[KEEP] = self.rule.keep(float(self.iterations))
            factor[ROUNDING] = rounding_at(float(self.iterations))
            how: Any = self._how(factor)
            if self._branches is not None:
                with to_its_end():
                    self._branches.spread(self.betting, how, 0, self.stores, self.hold, self.rows)
            else:
                self._down(how, 0)

    def _sweep(self, how: Any, me: int) -> np.ndarray:
        """Returns the values of a player's hands at the root, times the unit."""
        form, given = self.form, (self.betting, how, me, self.stores, self.hold, self.rows)
        if self._branches is not None:
            self._branches.sweep(*given)
        else:
            sweep(self.betting, form.boards, *given[1:], 0, len(form.board), self._kept)
        return self.rows.value[0, : self.hold[me].width[0]]

    def _down(self, how: Any, me: int) -> None:
        """The way down alone."""
        form = self.form
        spread(self.betting, form.boards, how, me, self.stores, self.hold, self.rows, 0, len(form.board))

    def response(self, me: int) -> float:
        """What the best response of a player gets against the other's average strategy."""
        self._catch_up()
        return (
            float(self.form.hold[me].weight @ self._sweep(self._average(Respond()), me).astype(np.float64)) / self.unit
        )

    def expected(self, me: int) -> float:
        """What a player gets when both follow their average strategies."""
        self._catch_up()
        return float(self.form.hold[me].weight @ self.values_of(me))

    def values_of(self, me: int) -> np.ndarray:
        """[hand] the counterfactual values of a player's hands at the root, when both follow their average strategies."""
        self._catch_up()
        return self._sweep(self._average(Expect()), me).astype(np.float64) / self.unit

    def bounds(self) -> tuple[float, float, float]:
        """What player 0 is sure of, what the average strategies give, and what player 1 concedes at most."""
        if not self.form.zero_sum:
            raise Invalid(f"{name(self.form.game)} is not zero-sum: ask for `gains`")
        return -self.response(1), self.expected(0), self.response(0)

    def certificate(self) -> "Walked":
        """What best responses prove of the average strategies."""
        return Walked(self)

    def gains(self) -> tuple[float, float]:
        """[player] what a best response would gain, also where a rake leaves no zero sum."""
        return tuple(self.response(me) - self.expected(me) for me in (0, 1))  # type: ignore[return-value]

    # --- what was found ---

    def rows_at(self, board: int, node: int, me: int) -> "Seen":
        """What a player sees at a node on a board, when both follow their average strategies."""
        self._catch_up()
        form, betting, path = self.form, self.betting, [board]
        while path[0]:
            path.insert(0, int(form.boards.parent[path[0]]))
        stage = int(form.boards.stage[board])
        group = int(np.searchsorted(betting.start, node, side="right")) - 1
        if stage + 1 == form.tree.stages:  # of the last stage one group alone, so that its rows stay
            groups = betting.groups.copy()
            groups[-2:] = group, group + 1
            betting = betting._replace(groups=groups)
        fixed = (form.boards, self._average(Expect()), me, self.stores, self.hold, self.rows)
        for b in path[:-1]:
            spread(self.betting, *fixed, b, b + 1)
        sweep(betting, *fixed, board, int(form.boards.after[board]), self._kept)
        shift, width = int(betting.shift[group]), [int(one.width[board]) for one in self.hold]
        reach = self.rows.reach[int(betting.source[me, node]) - shift, : width[1 - me]]
        first = int(betting.first[node]) - shift
        below = self.rows.value[first : first + int(betting.count[node]), : width[me]]
        value = self.rows.value[node - shift, : width[me]]
        return Seen(
            reach.astype(np.float64), value.astype(np.float64) / self.unit, below.astype(np.float64) / self.unit
        )

    def table(self, board: int, node: int) -> np.ndarray:
        """[action, hand] the average strategy at a node of the betting on a board, in 64 bits, for the hands `form.hands`;
        uniform where the average plan never goes."""
        self._catch_up()
        rows = self._part("total", board, node).astype(np.float64)
        mass = rows.sum(axis=0)
        return np.where(mass > LEAST, rows / np.where(mass > LEAST, mass, 1.0), 1.0 / len(rows))

    def _part(self, field: str, board: int, node: int) -> np.ndarray:
        """[action, hand] what is stored for a node on a board; a view, except of 16 bits."""
        player, count = int(self.betting.kind[node]), int(self.betting.count[node])
        store, width, block = self.stores[player], int(self.hold[player].width[board]), int(self.betting.block[node])
        at = int(store.base[board]) + block * width
        if self.packed:
            return get_rows(store, field, at, int(store.row[board]) + block, count, width)
        return getattr(store, field)[at : at + count * width].reshape(count, width)

    def _put(self, field: str, board: int, node: int, table: np.ndarray) -> None:
        """Store what `_part` returns."""
        if not self.packed:
            self._part(field, board, node)[:] = table
            return
        player, block = int(self.betting.kind[node]), int(self.betting.block[node])
        store, width = self.stores[player], int(self.hold[player].width[board])
        put_rows(store, field, int(store.base[board]) + block * width, int(store.row[board]) + block, table)

    def average(self, player: int) -> np.ndarray:
        """What `set_average` takes: numbers in proportion to a player's average strategy, as its `Store` has them."""
        self._catch_up()
        if self.packed:
            raise Invalid("numbers of 16 bits have a scale for each row: look at `table`")
        return np.array(self.stores[player].total)

    def set_average(self, player: int, numbers: np.ndarray) -> None:
        """Let a player's average strategy be in proportion to some numbers, which lie as in its `Store`."""
        store = self.stores[player]
        if self.packed:
            put_all(store, "total", numbers)
        else:
            store.total[:] = numbers

    def adopt(self, player: int, plan: TypePlan) -> None:
        """Let a player's average strategy be a plan that sees cards through types, such as buckets, so that this engine
        measures it: `response` of the other is its exact best response, `expected` is its match with the average strategy."""
        self._catch_up()
        form, store = self.form, self.stores[player]
        nodes = np.flatnonzero(form.betting.kind == player)
        stage_of = form.tree.stage[form.node[nodes]]
        for stage in range(form.tree.stages):
            mine = nodes[stage_of == stage].tolist()  # in the order of their blocks
            if not mine:
                continue
            odds = np.concatenate([plan.table(int(form.node[n])) for n in mine])
            for b in np.flatnonzero(form.boards.stage == stage).tolist():
                seen = odds[:, form.cards.types(stage, form.board[b])[form.hands[player][b]]]
                if not self.packed:
                    store.total[store.base[b] : store.base[b + 1]] = seen.ravel()
                    continue
                for n in mine:
                    begin = int(self.betting.block[n])
                    self._put("total", b, n, seen[begin : begin + int(self.betting.count[n])])

    def lock(self, node: int, odds: Any) -> None:
        """Give the mixes of a node of the form's betting (`find_place` of `places.py`): odds(board, hands) are the
        probabilities [action, hand] on a board of the form, for hands by their numbers, the same for hands that are alike
        (`PublicForm.alike`). From now on they are neither learned nor replaced by a best response; the rest is solved around
        them."""
        form, nodes = self.form, len(self.betting.kind)
        if isinstance(node, bool) or not isinstance(node, int | np.integer) or not 0 <= node < nodes:
            raise Invalid(f"there is no node {node!r}: the nodes of this betting are 0 to {nodes - 1}")
        player = int(self.betting.kind[node])
        if player < 0:
            raise Invalid("a lock is for a node at which a player moves")
        if not callable(odds):
            raise Invalid(f"odds are a function of a board and its hands, not a {type(odds).__name__}")
        self._catch_up()
        tables = {}
        for b in np.flatnonzero(form.boards.stage == form.tree.stage[form.node[node]]).tolist():
            hands = form.hands[player][b]
            tables[b] = table = _probabilities(odds(b, hands), int(self.betting.count[node]), len(hands))
            if any((abs(table[:, moved] - table) > ROUNDED).any() for moved in form.alike(player, b)):
                raise Invalid(
                    "hands that differ only by suits that are alike are solved once, so a lock gives them the same odds; a "
                    "range in which one of them is held less often, as in AK,AcKc:0.999, tells their suits apart"
                )
        for b, table in tables.items():
            for field in STORED:
                if len(getattr(self.stores[player], field)):
                    self._put(field, b, node, table)
        self.betting.locked[node] = 1

    def strategy(self) -> Strategy:
        """The average strategy of both players as a table, for games whose information sets can be listed."""
        form, parts = self.form, []
        for n in np.flatnonzero(form.betting.kind >= 0).tolist():
            player, node = int(form.betting.kind[n]), int(form.node[n])
            actions = form.tree.action[form.tree.below(node)]
            for b in np.flatnonzero(form.boards.stage == form.tree.stage[node]).tolist():
                table = self.table(b, n).T
                for met, keys in _views(form, player, b, form.tree.line(node)):
                    size, rows = len(keys), table[met]
                    owner, width = np.full(size, player), np.full(size, len(actions))
                    parts.append(
                        (owner, keys, width, np.tile(actions, size), (rows / rows.sum(1, keepdims=True)).ravel())
                    )
        return Strategy.joined(form.game, parts)

    def save(self, path: str | os.PathLike) -> None:
        """Write a checkpoint; the file appears whole or not at all."""
        self._catch_up()
        about, done = np.array(self._about()), np.array(self.iterations)
        with refusing(path), appearing(path) as file:
            np.savez(file, about=about, done=done, **self._stored())  # type: ignore[arg-type]

    def resume(self, path: str | os.PathLike) -> None:
        """Go on from a checkpoint of the same game and rule."""
        self.iterations = resumed(path, self._about(), self._stored(), "done", name(self.form.game))
        self._waits = False

    def _about(self) -> list[str]:
        return [self.form.name, f"{self.name} in 16 bits" if self.packed else self.name]

    def _stored(self) -> dict[str, np.ndarray]:
        fields = (*STORED, *SCALES) if self.packed else STORED
        return {f"{field}{p}": getattr(self.stores[p], field) for p in (0, 1) for field in fields}


class Walked:
    """The certificate of the average strategies. Those of earlier iterations are not kept, so what is written down is
    measured once more: after Ctrl-C it is a little further than the last certificate."""

    note = ""

    def __init__(self, work: VectorCFR):
        self.work = work
        self._measure()

    def _measure(self) -> None:
        self.low, self.high = -self.work.response(1), self.work.response(0)
        self.total = self.high - self.low if self.work.form.zero_sum else sum(self.work.gains())

    def improved_by(self, later: "Walked") -> "Walked":
        return later

    def point(self, iterations: int, seconds: float) -> Bounds:
        return Bounds(iterations, seconds, self.low, self.high)

    def strategy(self, progress: Watcher | None = None) -> "HandStrategy":
        self._measure()
        return HandStrategy(self.work)

    def value(self, strategy: Any, progress: Watcher | None = None) -> float:
        return self.work.expected(0)


class HandStrategy:
    """The strategy of a solved game, by board, node of the betting and hand."""

    def __init__(self, cfr: VectorCFR):
        self.cfr = cfr

    def __len__(self) -> int:
        """How many information sets it has, those of one kind of board counted once."""
        return self.cfr.form.infosets()

    def __repr__(self) -> str:
        return f"<strategy of {name(self.cfr.form.game)}: {len(self)} information sets on {len(self.cfr.form.board)} boards>"


class OnHands:
    """A game of public cards by vectors over hands, which `solve` takes in place of the game (`Form` in `until.py`)."""

    methods = ("dcfr", *(rule for rule in RULES if rule != "dcfr"))
    share = 1e-4

    def __init__(self, game: Any, *, dtype: Any = np.float32):
        self.game, self.dtype = game, dtype

    def work(self, method: str, *, memory: float | None, threads: int | None, progress: Watcher | None) -> VectorCFR:
        """Prepare everything."""
        form = public_form(self.game, progress=progress)
        return VectorCFR(form, method, dtype=self.dtype, memory=memory, threads=threads)


def _probabilities(odds: Any, actions: int, hands: int) -> np.ndarray:
    """Odds that are probabilities, or a sentence that says why they are none."""
    try:
        table = np.asarray(odds, float)
    except (TypeError, ValueError):
        raise Invalid(f"odds are an array of numbers [action, hand], not {odds!r:.60}") from None
    if table.shape != (actions, hands):
        raise Invalid(f"odds must have the shape {(actions, hands)}, actions by hands, not {table.shape}")
    if not np.isfinite(table).all() or (table < 0).any():
        raise Invalid(f"odds must be numbers from 0 to 1, not {table[~(table >= 0) | np.isinf(table)][0]:g}")
    total = table.sum(axis=0)
    wrong = np.flatnonzero(abs(total - 1) > ROUNDED)
    if len(wrong):
        raise Invalid(
            f"the odds of a hand must sum to 1, but those of hand {wrong[0]} of the list sum to {total[wrong[0]]:g}"
        )
    return table


def _views(form: PublicForm, player: int, board: int, line: list[int]) -> list[tuple[np.ndarray, np.ndarray]]:
    """[image] which of a player's hands on a board can meet a hand of the other, and their views there after some betting,
    on all boards that it stands for. Hands that can meet none are never dealt there."""
    cards, held = form.cards, all_hands(form.cards.cards, form.cards.hole)
    found = []
    for symmetry in form.all_images(board):
        met, keys = list[int](), list[int]()
        for place, hand in enumerate(form.hands[player][board].tolist()):
            mine, public = np.sort(symmetry[held[hand]]), symmetry[list(form.board[board])]
            taken = {*mine.tolist(), *public.tolist()}
            others = (held[h] for h in form.hands[1 - player][0].tolist() if taken.isdisjoint(held[h].tolist()))
            if (other := next(others, None)) is not None:
                hands = (mine, other) if player == 0 else (other, mine)
                state = followed(form.game, chance_actions(cards, hands, _in_order(cards, public)), line)
                met.append(place)
                keys.append(int(form.game.view(state, player)))
        found.append((np.array(met, np.int64), np.array(keys, np.int64)))
    return found


def _in_order(cards: Any, public: np.ndarray) -> list[int]:
    """The cards of a board, those of one deal in ascending order."""
    found, at = list[int](), len(getattr(cards, "board", ()))
    for number in cards.dealt[1:]:
        found += sorted(public[at : at + number].tolist())
        at += number
    return found


def _new_store(form: PublicForm, player: int, dtype: Any, mixes: bool) -> Store:
    width, blocks = form.hold[player].width, form.blocks[player][form.boards.stage]
    base = np.concatenate([[0], np.cumsum(width * blocks)])
    regret, total = (np.zeros(int(base[-1]), dtype) for _ in range(2))
    if not mixes:
        return Store(base, regret, np.zeros(0, dtype), total)
    mix = np.empty(int(base[-1]), dtype)
    betting, stages = form.betting, form.tree.stages
    own = betting.kind == player
    for stage in range(stages):
        begin, end = betting.start[betting.groups[stage]], betting.start[betting.groups[stage + 1]]
        count = betting.count[begin:end][own[begin:end]]
        row = np.repeat((1.0 / np.maximum(count, 1)).astype(dtype), count)
        for b in np.flatnonzero(form.boards.stage == stage).tolist():
            mix[base[b] : base[b + 1]] = np.repeat(row, width[b])
    return Store(base, regret, mix, total)


def _threads(form: PublicForm, threads: int | None) -> int:
    """How many threads work on a form."""
    if threads is not None and (isinstance(threads, bool) or not isinstance(threads, int) or threads < 1):
        raise Invalid(f"threads are a whole number of 1 or more, or None for all cores, not {threads!r}")
    following = int((form.boards.stage == 1).sum())
    if following < 2:
        return 1
    if threads is None:
        pays = sum(form.entries(player) for player in (0, 1)) >= MANY
        return min(os.cpu_count() or 1, following) if pays else 1
    return min(threads, following)


def _new_rows(form: PublicForm, dtype: Any, size: int) -> Rows:
    """`size` is how many numbers of a node are unpacked at a time."""
    betting = form.betting
    last = int(betting.groups[-2])
    nodes = int(betting.start[last]) + int(np.diff(betting.start[last:]).max())
    widest = max(int(one.width.max()) for one in form.hold)
    cards = form.cards.cards

    def zeros(*shape: int) -> np.ndarray:
        return np.zeros(shape, dtype)

    return Rows(
        zeros(nodes, widest),
        zeros(nodes, widest),
        zeros(TEMPORARY, widest),
        zeros(widest + 1, LANES),
        zeros(cards + 2, LANES),
        zeros(widest, LANES),
        zeros(PARTS, LANES),
        np.zeros(form.tree.stages + 1, np.int64),
        zeros(size),
        zeros(size),
    )


def bytes_needed(form: PublicForm, rule: str = "dcfr", dtype: Any = np.float32) -> int:
    """What a solver of this form allocates, with the rows of one thread."""
    packed = dtype == np.int16
    number = np.float32 if packed else dtype
    rows = sum(part.nbytes for part in _new_rows(form, number, scratch_size(form) if packed else 0))
    if packed:
        return packed_bytes(form) + rows
    kept = len(STORED) if rule_named(rule).forecast else len(STORED) - 1
    return np.dtype(dtype).itemsize * kept * sum(form.entries(player) for player in (0, 1)) + rows


def _fitting(form: PublicForm, rule: str, dtype: Any, cap: float) -> Any:
    """As what numbers are stored: as is asked for, or else in 32 bits, or in 16 where 32 do not fit."""
    if dtype is not None and dtype not in DTYPES:
        raise Invalid("numbers are stored as numpy.float32, numpy.float64 or numpy.int16")
    brief = [each for each in RULES if not rule_named(each).forecast]
    can = not rule_named(rule).forecast
    if dtype == np.int16 and not can:
        raise Invalid(f"{rule} keeps its mixes and has no 16 bits: take {', '.join(brief)}")
    first = np.float32 if dtype is None else dtype
    need = bytes_needed(form, rule, first)
    if need <= cap:
        return first
    least = bytes_needed(form, rule, np.int16) if can else need
    if dtype is None and least <= cap:
        return np.int16
    less = f", {sized(least)} in 16 bits" if can and first != np.int16 else ""
    raise TooLarge(f"{name(form.game)} needs {sized(need)} for vectors over hands{less}, and {sized(cap)} are allowed")
