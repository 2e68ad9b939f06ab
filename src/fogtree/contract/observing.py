"""What programs that learn are told: a row of numbers that says nothing that the view does not, and who chooses at the same
time as others."""

import numpy as np

from ..game import CHANCE, OVER
from ..observation import NUMBER, Observation
from .asking import Asked
from .history import Place


class Observing:
    def __init__(self, asked: Asked):
        self.asked = asked
        self.known: dict = {}  # (player, view) -> the row, moves
        self.told: Observation | None = None
        self.begun = self.at_once = False

    def _begin(self, at: Place) -> None:
        """Ask once what does not change."""
        asked, history = self.asked, at.history
        if asked.has("simultaneous"):
            self.at_once = asked.yes_or_no(history, "simultaneous", asked.call(history, "simultaneous"))
        for verb, other in (("observe", "observation"), ("observation", "observe")):
            if asked.has(verb) and not asked.has(other):
                asked.broken(history, verb, f"needs {other} beside it: the two go together")
        if not asked.has("observe"):
            return
        told = asked.call(history, "observation")
        if not isinstance(told, Observation):
            asked.broken(history, "observation", f"must return a fogtree.observation.Observation, not {told!r}")
        try:
            fine = told.size > 0 and all(
                isinstance(name, str) and all(int(side) == side > 0 for side in shape) for name, shape in told.parts
            )
            fine = fine and len({name for name, _ in told.parts}) == len(told.parts)
        except (TypeError, ValueError):
            fine = False
        if not fine:
            rule = "must have one or more parts, each a name of its own and a shape of whole numbers from 1 up, "
            asked.broken(history, "observation", f"{rule}not {told.parts!r}")
        self.told = told

    def look(self, at: Place) -> None:
        if not self.begun:
            self.begun = True
            self._begin(at)
        if self.told is not None:
            self._rows(at, self.told)
        if self.at_once:
            self._order(at)

    def _rows(self, at: Place, told: Observation) -> None:
        asked, history = self.asked, at.history
        for seat, view in enumerate(at.views):
            row = np.zeros(told.size, NUMBER)
            asked.call(history, "observe", history.state, seat, row)
            if not np.isfinite(row).all():
                asked.broken(history, "observe", f"must write finite numbers, not {row[~np.isfinite(row)][0]}")
            said, first = self.known.setdefault((seat, view), (row.tobytes(), history.moves))
            if said != row.tobytes():
                asked.apart(history, "observe", seat, first)
        if at.player >= 0 and told.actions is not None and max(at.actions) >= told.actions:
            rule = f"says that all actions of players lie below {told.actions}, but {max(at.actions)} is one of them"
            asked.broken(history, "observation", rule)

    def _order(self, at: Place) -> None:
        """In a round all players choose, from the first to the last, and see nothing before the last has chosen."""
        asked, history, last = self.asked, at.history, self.asked.shape.players - 1
        mover = history.mover
        if mover in (CHANCE, None):
            if at.player > 0:
                rule = f"says that all choose at the same time, but player {at.player} begins a round: player 0 must"
                asked.broken(history, "simultaneous", rule)
            return
        expected = mover + 1 if mover < last else 0
        if at.player != expected and not (mover == last and at.player in (CHANCE, OVER)):
            rule = f"says that all choose at the same time, but player {expected} does not follow player {mover} here"
            asked.broken(history, "simultaneous", rule)
        if mover < last:
            for seat, view in enumerate(at.views):
                if seat != mover and view != history.before[seat]:
                    rule = f"says that all choose at the same time, but player {seat} sees what player {mover} chose"
                    asked.broken(history, "simultaneous", rule)
