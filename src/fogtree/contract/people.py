"""What people read: the text of a state, its picture, the names of actions. None may tell what a view does not."""

import contextlib

from ..errors import Illegal
from ..game import CHANCE, REFEREE
from .asking import Asked
from .history import History, Place
from .leaks import Suspect

ALIKE = 8  # views that are kept of those that nothing shown tells apart
DRAWN = 200  # visits in which pictures are compared: a picture takes longer than a text


class People:
    def __init__(self, asked: Asked):
        self.asked = asked
        self.visits = 0
        self.shown: dict = {}  # (player, view) -> text, moves
        self.pictured: dict = {}  # (player, view) -> shapes, moves
        self.named: dict = {}  # (player, view) -> labels of the actions, moves
        self.sighted: dict = {}  # (player, course of what was shown and played) -> {view: moves}
        self.suspects: list[Suspect] = []  # pairs that may prove a leak
        self.leak = ""  # where a view differs although the player was shown nothing different

    def look(self, at: Place) -> tuple:
        """Compare with what was shown before. Returns the sights of all players, with what is shown now."""
        self.visits += 1
        sights = at.sights
        if self.asked.has("show"):
            sights = self._show(at)
            self._look_for_leaks(at, sights)
        if self.asked.has("draw") and self.visits <= DRAWN:
            self._draw(at)
        if self.asked.has("label") and at.actions:
            self._label(at)
        return sights

    def _show(self, at: Place) -> tuple:
        asked, history = self.asked, at.history
        asked.text(history, "show", asked.call(history, "show", history.state, REFEREE))
        texts = [
            asked.text(history, "show", asked.call(history, "show", history.state, seat))
            for seat in range(len(at.views))
        ]
        for seat, text in enumerate(texts):
            self._same(self.shown, history, "show", seat, at.views[seat], text)
        return tuple(sight.shown(text) for sight, text in zip(at.sights, texts, strict=True))

    def _draw(self, at: Place) -> None:
        for seat, view in enumerate(at.views):
            shapes = self.asked.call(at.history, "draw", at.history.state, seat)
            self._same(self.pictured, at.history, "draw", seat, view, shapes)

    def _label(self, at: Place) -> None:
        asked, history = self.asked, at.history
        labels = [
            asked.text(history, "label", asked.call(history, "label", history.state, action)) for action in at.actions
        ]
        if len(set(labels)) < len(labels):
            asked.broken(history, "label", f"gives two actions the same name: {labels}")
        if at.player != CHANCE:
            self._same(self.named, history, "label", at.player, at.views[at.player], labels)
        for action, text in zip(at.actions, labels, strict=True):
            with contextlib.suppress(Illegal):
                if asked.call(history, "read", history.state, text) == action:
                    continue
            asked.broken(history, "read", f"does not take '{text}', the label of action {action}, for that action")

    def _same(self, known: dict, history: History, verb: str, player: int, view: int, said: object) -> None:
        """A player is told the same wherever their view is the same."""
        before, first = known.setdefault((player, view), (said, history.moves))
        if before != said:
            self.asked.apart(history, verb, player, first)

    def _look_for_leaks(self, at: Place, sights: tuple) -> None:
        """A view that differs, where whoever moves was shown the same and has played the same, may hold what is hidden."""
        if at.player < 0:
            return
        player, moves, view = at.player, at.history.moves, at.views[at.player]
        known = self.sighted.setdefault((player, sights[player].course), {})
        if view not in known and len(known) < ALIKE:
            self.suspects += [(player, first, moves) for first in known.values() if len(first) == len(moves)]
            if known and not self.leak:
                self.leak = (
                    f"{self.asked.kind}.view tells player {player} the history {self.asked.moves(moves)} from "
                    f"{self.asked.moves(next(iter(known.values())))}, though show() gave the player the same texts and the "
                    "own moves were the same: either view holds what is hidden, or show says too little"
                )
            known[view] = moves
