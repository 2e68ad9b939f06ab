"""A poker spot in a worker: solved or read from a file, and then looked at place by place.

A place is named by its betting, the words of `Place.actions` one after the other, and by the cards that were dealt on the
way. `ask_view` tells what there is to see at one: the way there with all that could have been done instead, and for each kind
of hand of a player

    reach      how many of its hands come there, by the range and the strategy
    mix        how often each action is taken
    value      chips that it gets out of the pot from here on, so folding is worth 0
    equity     the share of the pot that it would win if nobody bet any more

A solution is written into the folder of spots as soon as there is one, and a checkpoint while it is solved, so neither
closing the page nor the end of the server loses it.
"""

import math
import os
import secrets
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..draw.hand_grid import by_class
from ..errors import Invalid
from ..game import CHANCE, OVER
from ..games.spot import spot
from ..games.spot.betting import BET, CALL, RAISE
from ..games.spot.ranges import class_of, read_cards, read_hand, spelled_hand
from ..solvers.public.hand_classes import blockers, hand_at, sums
from ..solvers.public.hand_solution import HandSolution, Place, load_hands, solve_hands
from ..solvers.public.next_cards import next_cards
from ..solvers.public.places import find_place
from ..solvers.public.public_form import public_form
from ..solvers.public.vector_cfr import VectorCFR, bytes_needed
from ..walk.slices import Ended, Progress, sized
from .offer import Offer
from .spot_shelf import Shelf
from .spot_table import SpotTable

EVERY = 0.2  # seconds between two messages
POINTS = 60  # of the course of the certificate that are told
ASKED = 20.0  # seconds above which the page asks before it begins
CACHED = 4_000_000  # numbers that a processor's cache holds
PER_ENTRY, PER_FAR_ENTRY = (
    0.3e-6,
    0.85e-6,
)  # seconds of one core, to half a percent, for each number in it and beyond it
STEEP = 0.7  # how much longer a better certificate takes: the power of their ratio
KEPT = 400  # places that are kept
LEAST = 1e-9  # a hand that comes to a place less often is not there
RIVER = 5
PAGES = "/proc/self/statm"  # of Linux: how much a process has taken
USUAL = 0.5  # percent of the pot


class Step(NamedTuple):
    """A decision or a card on the way to a place."""

    line: tuple[str, ...]  # the betting before it
    cards: tuple[str, ...]  # the cards dealt before it
    chosen: str | None  # what was done, or the card that came; None where the way ends
    dealt: bool  # whether it is a card


class Way(NamedTuple):
    """A way through the public tree."""

    steps: list[Step]
    put: tuple[float, float]  # chips that each player has put in


class SpotJob:
    """A spot that is solved, and can then be looked at."""

    def __init__(
        self,
        tell: Callable[..., None],
        offer: Offer,
        *,
        folder: str,
        name: str,
        wanted: dict[str, Any] | None = None,
        target: float = USUAL,
        seconds: float = 600.0,
        base: str | None = None,
        locks: list[dict[str, Any]] | None = None,
    ):
        self.tell, self.shelf, self.name = tell, Shelf(folder), name
        self.wanted, self.target, self.seconds = wanted, target, seconds
        self.base, self.locks = base, locks or []
        self.found: Any = None  # a HandSolution, as soon as there is one
        self.game: Any = None
        self.table: SpotTable | None = None
        self._stop, self._go = False, threading.Event()
        self._told = self._began = 0.0
        self._cfr: Any = None
        self._course: list[tuple[int, float]] = []
        self._judged: tuple[float, float] | None = None  # the bounds of the last certificate
        self._places: dict[tuple[tuple[str, ...], tuple[str, ...]], Place] = {}
        self._shares: dict[Any, tuple[float, np.ndarray, np.ndarray]] = {}
        self._next: dict[tuple[tuple[str, ...], tuple[str, ...]], list[dict[str, Any]]] = {}

    # --- solving ---

    def run(self) -> None:
        self.tell(busy=True, phase="preparing")
        if self.wanted is None:
            self.tell(phase="opening the file")
            self.found = load_hands(self.shelf.path(self.name))
            about = self.shelf.about(self.name)
            if about.get("locks"):
                self.locks = about["locks"]
                self._lock(self.found.cfr, self.found)
                self.found = HandSolution(self.found.cfr)
            self.target = about.get("target", self.target)
            spent = about.get("spent", 0.0)
        else:
            game = spot(**self.wanted)
            self._estimate(game)
            self.shelf.begin(self.name, self._about())
            self.tell(phase="solving")
            self._began = time.monotonic()
            self.found = self._solve(game)
            spent = time.monotonic() - self._began
        self.game = self.found.game
        if self.wanted is not None:
            self.tell(phase="saving")
            self.found.save(self.shelf.path(self.name))
            self.shelf.finish(self.name, self._about() | {"spent": spent} | self._result())
        self.tell(phase="ready", finished=True, spent=spent, **self._result())

    def _solve(self, game: Any) -> HandSolution:
        base = load_hands(self.shelf.path(self.base)) if self.base else None

        def begin(cfr: VectorCFR) -> None:
            self._cfr = cfr
            if base:
                self._lock(cfr, base)

        found = solve_hands(
            game,
            target=self.target,
            seconds=self.seconds,
            checkpoint=self.shelf.checkpoint(self.name) if not self.locks else None,
            lock=begin,
            partial=True,
            progress=self._progress,
        )
        return found

    def _estimate(self, game: Any) -> None:
        """Tell what the work needs, and wait for a yes where that is much."""
        form = public_form(game)
        need = bytes_needed(form)
        if need > 0.8 * (room := room_left()):
            raise Invalid(
                f"this needs {sized(need)} of memory, and {sized(room)} are left: take fewer sizes, or --memory"
            )
        entries = sum(form.entries(player) for player in (0, 1))
        each = PER_ENTRY if entries < CACHED else PER_FAR_ENTRY  # measured with the spots of docs/poker.md
        seconds = each * entries * (USUAL / self.target) ** STEEP
        self.tell(need=need, estimate=seconds, boards=len(form.board), target=self.target)
        if seconds > ASKED and not self.shelf.has_checkpoint(self.name):
            self.tell(asking=True, busy=False)
            self._go.wait()
            self.tell(asking=False, busy=True)

    def ask_go(self) -> bool:
        self._go.set()
        return True

    def ask_stop(self) -> bool:
        """End the work as soon as there is something to keep."""
        self._stop = True
        self.tell(stopping=True)
        return True

    def _progress(self, now: Progress) -> None:
        point = now.detail
        if point is not None and (point.low, point.high) != self._judged:  # a new certificate
            self._judged = (point.low, point.high)
            game = self._cfr.form.game
            total = sum(self._cfr.gains()) if game.rake else point.high - point.low
            self._note(point.iterations, 50 * total / game.pot)
        if self._stop and point is not None:
            raise KeyboardInterrupt  # as Ctrl-C would: what was found is kept
        if time.monotonic() - self._told >= EVERY:
            self._told = time.monotonic()
            self.tell(done=now.done, counted=now.what, course=self._course[:], left=self._left())

    def _left(self) -> float | None:
        """Seconds that are left, if the certificate goes on to fall as it did."""
        if len(self._course) < 3:
            return None
        (early, worse), (late, better) = self._course[len(self._course) // 2 - 1], self._course[-1]
        steep = np.log(worse / better) / np.log(late / early)
        if steep <= 0.1:
            return None
        more = late * ((better / self.target) ** (1 / steep) - 1)
        return max(0.0, float(more * (time.monotonic() - self._began) / late))

    def _note(self, iterations: int, percent: float) -> None:
        self._course.append((iterations, max(percent, 1e-9)))
        if len(self._course) > POINTS:
            del self._course[1::2]

    def _about(self) -> dict[str, Any]:
        return {
            "wanted": self.wanted,
            "target": self.target,
            "seconds": self.seconds,
            "base": self.base,
            "locks": self.locks,
        }

    def _result(self) -> dict[str, Any]:
        found = self.found
        return {
            "values": list(found.values),
            "equity": found.equity()[0],
            "gains": list(found.gains),
            "percent": found.percent,
            "iterations": found.iterations,
            "method": found.method,
            "reached": found.ended in (None, Ended.TARGET, Ended.FINISHED),
        }

    # --- locks ---

    def ask_lockable(self, lock: dict[str, Any]) -> list[str]:
        """The actions at the place of a lock; one that does not fit there is refused."""
        line = [word.strip() for word in lock["line"].split(",") if word.strip()]
        self._way(line, lock["cards"])  # which refuses what leads nowhere
        place = self._place(line, lock["cards"])
        if not place.actions:
            raise Invalid("nobody moves there, so there is nothing to lock")
        if any(len(mix) != len(place.actions) for mix in lock["hands"].values()):
            raise Invalid(f"a lock there has a share for each of {', '.join(place.actions)}")
        held = place.hands[place.player][place.reach[place.player] > LEAST]
        if not {class_of(hand) for hand in held.tolist()} & {*lock["hands"]}:
            raise Invalid("none of these hands comes there, so there is nothing to lock")
        return place.actions

    def _lock(self, cfr: VectorCFR, base: HandSolution) -> None:
        """Fix the nodes of the locks: some kinds of hands play as was asked, the others as they did in the base."""
        for lock in self.locks:
            place = find_place(cfr.form, lock["line"], " ".join(lock["cards"]))
            mixes = {group: np.array(mix, float) for group, mix in lock["hands"].items()}

            def odds(board: int, hands: np.ndarray, node: int = place.node, mixes: Any = mixes) -> np.ndarray:
                table = base.cfr.table(board, node)
                alike = base.form.alike(int(base.form.betting.kind[node]), board)
                table = np.mean([table[:, moved] for moved in alike], axis=0)  # rounding tells them apart
                for column, hand in enumerate(hands.tolist()):
                    mix = mixes.get(class_of(hand))
                    if mix is not None:
                        table[:, column] = mix / mix.sum()
                return table

            cfr.lock(place.node, odds)

    # --- looking ---

    def ask_view(self, line: list[str], cards: list[str], player: int | None = None) -> dict[str, Any]:
        """What there is to see at a place."""
        way, place = self._way(line, cards), self._place(line, cards)
        who = _who(place, player)
        return {
            "mover": "card" if place.player == CHANCE else "nobody" if place.player == OVER else place.player,
            "steps": [self._step(step) for step in way.steps],
            "board": self._faces(place.cards),
            "pot": self.game.pot + sum(way.put),
            "behind": [self.game.stack - put for put in way.put],
            "player": who,
            "actions": place.actions,
            "share": _plain(place.frequency()) if place.actions else [],
            "value": [_one(place.mean(p) + self._sunk(way, p)) for p in (0, 1)],
            "equity": self._mean_equity(place),
            "combos": [_one(float(place.reach[p].sum())) for p in (0, 1)],
            "cells": self._cells(place, who, way),
            "sorts": {sort: self._sums(place, who, sort, way) for sort in self._sorts(place)},
        }

    def ask_hand(self, line: list[str], cards: list[str], group: str, player: int | None = None) -> dict[str, Any]:
        """The hands of one kind at a place, one by one."""
        way, place = self._way(line, cards), self._place(line, cards)
        who = _who(place, player)
        equity: Any = self._equity(place)[1 + who]
        moves = who == place.player
        rows = []
        for h in np.argsort(-place.reach[who], kind="stable").tolist():
            hand = int(place.hands[who][h])
            if class_of(hand) != group or place.reach[who][h] <= LEAST:
                continue
            row: dict[str, Any] = {
                "hand": spelled_hand(hand),
                "reach": _one(place.reach[who][h]),
                "value": _one(place.value[who][h] + self._sunk(way, who)),
                "equity": _one(equity[h]),
            }
            if moves:
                worth = place.worth[:, h] + self._sunk(way, who)
                row |= {"mix": _plain(place.mix[:, h]), "worth": _plain(worth)}
            rows.append(row)
        return {"player": who, "actions": place.actions if moves else [], "hands": rows}

    def ask_rows(self, line: list[str], cards: list[str], player: int | None = None) -> list[list[Any]]:
        """All hands of a player at a place as rows, below a row of names."""
        way, place = self._way(line, cards), self._place(line, cards)
        who = _who(place, player)
        equity: Any = self._equity(place)[1 + who]
        actions = place.actions if who == place.player else []
        rows: list[list[Any]] = [
            ["hand", "kind", "combinations", "EV", "equity", *actions, *(f"EV of {a}" for a in actions)]
        ]
        for h in np.argsort(-place.reach[who], kind="stable").tolist():
            hand, sunk = int(place.hands[who][h]), self._sunk(way, who)
            numbers = [place.reach[who][h], place.value[who][h] + sunk, equity[h]]
            if actions:
                numbers += [*place.mix[:, h], *(place.worth[:, h] + sunk)]
            rows.append([spelled_hand(hand), class_of(hand), *map(_one, numbers)])
        return rows

    def ask_blockers(self, line: list[str], cards: list[str], hand: str, player: int | None = None) -> dict[str, Any]:
        """What a hand takes away from the other's hands."""
        self._way(line, cards)  # which refuses what leads nowhere
        place = self._place(line, cards)
        who, number = _who(place, player), read_hand(hand[:20])
        hand_at(place, who, number)
        blocked = blockers(self.found, place, who, number)
        gone = [h for h in np.argsort(-blocked.removed, kind="stable").tolist() if blocked.removed[h] > LEAST]
        return {
            "share": _one(blocked.share),
            "sums": [[one.name, _one(one.before), _one(one.after)] for one in blocked.sums],
            "removed": [spelled_hand(int(place.hands[1 - who][h])) for h in gone],
        }

    def ask_table(self) -> dict[str, Any]:
        """The hand that is played against the solution."""
        return self._table().told()

    def ask_deal(self, player: int) -> bool:
        self._table().deal(player)
        return True

    def ask_act(self, hand: int, step: int, action: int) -> bool:
        self._table().act(hand, step, action)
        return True

    def _table(self) -> SpotTable:
        if self.game is None:
            raise Invalid("this spot is not solved yet")
        if self.table is None:
            self.table = SpotTable(self.found, secrets.randbits(32))
        return self.table

    def ask_cards(self, line: list[str], cards: list[str]) -> list[dict[str, Any]]:
        """What each card does that may come next."""
        way, key = self._way(line, cards), (tuple(line), tuple(cards))
        if key not in self._next:
            found = next_cards(self.found, ", ".join(line), " ".join(cards))
            self._next[key] = [
                {
                    "card": self._faces(one.cards)[0],
                    "chance": _one(one.chance),
                    "equity": _one(one.equity),
                    "value": [_one(one.value[p] + self._sunk(way, p)) for p in (0, 1)],
                    "actions": one.actions,
                    "share": _plain(one.frequency),
                }
                | ({} if np.isfinite(one.equity) else {"value": [None, None], "share": []})  # nobody comes there
                for one in found
            ]
        return self._next[key]

    def _first(self) -> list[int]:
        return [int(card) for card in self.game.board if card >= 0]

    def _faces(self, cards: Any) -> list[str]:
        return [self.game.face(card) for card in cards]

    def _way(self, line: list[str], cards: list[str]) -> Way:
        """Follow the betting and the cards; `Invalid` where that leads nowhere."""
        if self.found is None or self.game is None:
            raise Invalid("this spot is not solved yet")
        game, steps, n, known = self.game, list[Step](), 0, len(self._first())
        put, base, i, c = [0.0, 0.0], 0.0, 0, 0
        while True:  # it ends: each turn goes down the betting or deals a card
            before = (tuple(line[:i]), tuple(cards[:c]))
            if game.need[n] > known:  # also where the betting is over, for both are all in
                if c == len(cards):
                    steps.append(Step(*before, None, True))
                    break
                taken = {*self._first(), *(card for each in cards[:c] for card in read_cards(each))}
                if len(read_cards(cards[c])) != 1:
                    raise Invalid(f"'{cards[c]}' are not one card: put a comma between two")
                if read_cards(cards[c])[0] in taken:
                    raise Invalid(f"{cards[c]} lies on the board already")
                steps.append(Step(*before, cards[c], True))
                c, known, base = c + 1, known + 1, put[0]
                continue
            if game.mover[n] == OVER:
                break
            me = int(game.mover[n])
            if i == len(line):
                steps.append(Step(*before, None, False))
                break
            names = [game.named(int(game.first[n]) + k) for k in range(int(game.choices[n]))]
            if line[i] not in names:
                raise Invalid(f"'{line[i][:30]}' is not possible there: choose from {', '.join(names)}")
            steps.append(Step(*before, line[i], False))
            n = int(game.first[n]) + names.index(line[i])
            word, amount = int(game.word[n]), float(game.amount[n])
            if word == CALL:
                put[me] = put[1 - me]
            elif word in (BET, RAISE):
                put[me] = base + amount
            i += 1
        if game.mover[n] == OVER and (i < len(line) or c < len(cards)):
            raise Invalid("the hand is over before that")
        if i < len(line):
            raise Invalid(f"a card comes before '{line[i][:30]}': name it")
        if c < len(cards):
            raise Invalid(
                f"the betting is not that far: no card comes before the street is at its end, so not {cards[c]}"
            )
        return Way(steps, (put[0], put[1]))

    def _step(self, step: Step) -> dict[str, Any]:
        """A step as it is told: what could have been done, and how often each is."""
        told: dict[str, Any] = {"line": step.line, "cards": step.cards, "chosen": step.chosen, "dealt": step.dealt}
        if not step.dealt:
            place = self._place(step.line, step.cards)
            told |= {"player": place.player, "actions": place.actions, "share": _plain(place.frequency())}
        return told

    def _place(self, line: Sequence[str], cards: Sequence[str]) -> Place:
        key = (tuple(line), tuple(cards))
        if key not in self._places:
            if len(self._places) > KEPT:
                self._places.clear()
            self._places[key] = self.found.at(", ".join(line), " ".join(cards))
        return self._places[key]

    def _equity(self, place: Place) -> tuple[float, np.ndarray, np.ndarray]:
        key = (place.node, place.cards)
        if key not in self._shares:
            if len(self._shares) > KEPT:
                self._shares.clear()
            self._shares[key] = self.found.equity_at(place)
        return self._shares[key]

    def _mean_equity(self, place: Place) -> list[float | None]:
        first = self._equity(place)[0]
        return [_one(first), _one(1 - first)]

    def _sunk(self, way: Way, player: int) -> float:
        """What turns payoffs of the game into chips out of the pot from here on."""
        return self.game.pot / 2 + way.put[player]

    def _cells(self, place: Place, who: int, way: Way) -> dict[str, dict[str, Any]]:
        """What there is to see of each kind of hand of a player."""
        names = [class_of(int(hand)) for hand in place.hands[who]]
        reach, held = place.reach[who], self.game.weight[who][place.hands[who]]
        value = np.nan_to_num(place.value[who]) + self._sunk(way, who)
        rows = np.array([value, np.nan_to_num(self._equity(place)[1 + who])])
        mean = by_class(names, rows, place.weight(who))
        mixes = by_class(names, place.mix, reach) if who == place.player else {}
        count, most = dict[str, float](), dict[str, float]()
        for called, one, full in zip(names, reach.tolist(), held.tolist(), strict=True):
            count[called] = count.get(called, 0.0) + one
            most[called] = most.get(called, 0.0) + full
        found: dict[str, dict[str, Any]] = {}
        for called, here in count.items():
            if here > LEAST:
                found[called] = {"reach": _one(here), "held": _one(most[called])}
                if called in mean:
                    found[called] |= dict(zip(("value", "equity"), _plain(mean[called]), strict=True))
                if called in mixes:
                    found[called]["mix"] = _plain(mixes[called])
        return found

    def _sorts(self, place: Place) -> list[str]:
        return ["made", "draw"] if len(place.cards) < RIVER else ["made"]

    def _sums(self, place: Place, who: int, sort: str, way: Way) -> list[dict[str, Any]]:
        """The hands of a player by what they have made, or by what they draw to."""
        if not place.weight(0).any():  # play never comes there
            return []
        return [
            {
                "name": one.name,
                "share": _one(one.share),
                "equity": _one(one.equity),
                "value": _one(one.value + self._sunk(way, who)),
                "mix": _plain(one.frequency),
            }
            for one in sums(self.found, place, who, sort)
        ]


def room_left() -> float:
    """Bytes that this process may still take."""
    try:
        import resource
    except ImportError:  # a system without such limits
        return math.inf
    most = resource.getrlimit(resource.RLIMIT_AS)[0]
    if most == resource.RLIM_INFINITY or not os.path.exists(PAGES):
        return math.inf
    with open(PAGES, encoding="ascii") as file:
        return most - int(file.read().split()[0]) * resource.getpagesize()


def _who(place: Place, player: int | None) -> int:
    """Whose hands are shown: those of who moves, unless it is said."""
    return player if player in (0, 1) else max(place.player, 0)


def _one(number: Any) -> float | None:
    return round(float(number), 5) if np.isfinite(number) else None


def _plain(row: np.ndarray) -> list[float | None]:
    return [_one(number) for number in row.tolist()]
