"""What each action of a match was worth: against an equilibrium, with the best play after it.

The game is solved for it, beside the match and with progress. That is offered only where it will work, which a few random
games tell in milliseconds (`walk/estimate.py`).
"""

import threading
from typing import Any

import numpy as np

from ..errors import FogtreeError
from ..game import label, legal
from ..search.worlds.belief import Belief
from ..solvers.forms.response import best_answer, plan_of
from ..solvers.forms.sequence import sequence_form
from ..solvers.profile import is_general
from ..solvers.solution import solve
from ..walk.estimate import surely_more
from ..walk.slices import Progress

MEMORY, SECONDS = 5e8, 10.0  # bytes and seconds that are spent to solve a game
ENOUGH = 1e-5  # exploitability, at which the solver stops: the fourth digit of a worth is right
MOST = 1_000_000  # ends of a game that is solved, as estimated


def is_solvable(game: Any) -> bool:
    """Whether a game is small enough to be solved on the spot, as far as random games tell."""
    return not is_general(game) and not surely_more(game, MOST, surely=1)


class Worths:
    """Solves the game of a match when it is first asked, in a thread of its own."""

    def __init__(self, game: Any):
        self.game, self.offered = game, is_solvable(game)
        self.phase = ""  # what is being done, in a few words
        self._solved: Any = None  # (form, strategy), or the sentence why there is none
        self._starting = threading.Lock()

    def at(self, state: np.ndarray, player: int, follow: Any) -> dict[str, Any]:
        """{"worth": {label: value}}, {"why": sentence} where it is not known, or {"phase": words} while it is being found.
        `follow(belief)` leads a belief to this state."""
        if player < 0 or len(actions := legal(self.game, state)) < 2:
            return {"why": "Nothing was decided here."}
        if not self.offered:
            return {"why": "This game is too large to be solved on the spot, so no exact values are known."}
        with self._starting:
            if not self.phase:
                self.phase = "enumerating the game"
                threading.Thread(target=self._solve, daemon=True).start()
        if self._solved is None:
            return {"phase": self.phase}
        if isinstance(self._solved, str):
            return {"why": self._solved}
        form, plan = self._solved
        tree = form.trees[player]
        (places,) = np.nonzero(tree.view == np.int64(self.game.view(state, player)))
        weight = follow(Belief(self.game, player, others=plan)).weight.sum()
        if not len(places) or weight <= 0:
            return {"why": "In equilibrium the others never let it come to this position, so no value is defined here."}
        _, worth = best_answer(form, plan_of(form, plan, 1 - player)[0], player)
        low = int(tree.first[places[0]])
        names = [label(self.game, state, action) for action in actions]
        return {"worth": {name: float(worth[low + a] / weight) for a, name in enumerate(names)}}

    def _solve(self) -> None:
        def enumerated(now: Progress) -> None:
            self.phase = f"enumerating the game, {now.done:,} histories so far"

        def solved(now: Progress) -> None:
            self.phase = f"solving the game, {now.done:,} {now.what} so far"

        try:
            form = sequence_form(self.game, memory=MEMORY, progress=enumerated)
            self.phase = f"solving the game, {form.histories:,} histories"
            self._solved = form, solve(form, seconds=SECONDS, target=ENOUGH, progress=solved).strategy
        except FogtreeError as error:
            self._solved = f"No exact values: {error}."
        except Exception as error:  # it must be told, for nobody waits for this thread
            self._solved = f"No exact values: {type(error).__name__}: {error}."
