"""Whether a game's symmetries are ones. At each history the board is turned in all ways that the game names: views, the
player to move, payoffs, the odds of chance, actions and what an action leads to must turn with it. Solvers rest their
certificates on this."""

from typing import Any

import numpy as np

from ..game import CHANCE, OVER
from .asking import Asked
from .history import History, Place
from .rules import CLOSE

VERBS = ("symmetries", "turn", "turned", "moved")


class Symmetries:
    def __init__(self, asked: Asked):
        self.asked = asked

    def look(self, at: Place) -> None:
        asked, history = self.asked, at.history
        if not asked.has("symmetries"):
            return
        if missing := [verb for verb in VERBS if not asked.has(verb)]:
            told = f"is there, but no method {', '.join(missing)}: a board that can be turned needs all of "
            asked.broken(history, "symmetries", told + ", ".join(VERBS))
        boards = asked.whole(history, "symmetries", asked.call(history, "symmetries"))
        if boards < 1:
            asked.broken(
                history, "symmetries", f"is {boards}: valid is 1, for a board that can lie in one way only, or more"
            )
        images = [self.views(history, at.views, which) for which in range(boards)]
        for which, views in enumerate(images):
            self.require_group(history, at.views, views, which, images)
            self.turned(at, views, which)

    def views(self, history: History, views: tuple[int, ...], which: int) -> tuple[int, ...]:
        """What all players see of the turned board."""
        asked = self.asked
        made = (asked.call(history, "turned", view, player, which) for player, view in enumerate(views))
        return tuple(asked.word(history, "turned", view) for view in made)

    def require_group(
        self, history: History, seen: tuple[int, ...], views: tuple[int, ...], which: int, images: list
    ) -> None:
        """The first leaves all as it is, and turning twice is turning once in another way."""
        asked = self.asked
        if which == 0 and views != seen:
            asked.broken(history, "turned", "must leave a view as it is where `which` is 0")
        twice = {self.views(history, views, again) for again in range(len(images))}
        if twice != set(images):
            asked.broken(
                history, "turned", f"makes views of board {which} that no board has when the board is turned once"
            )

    def turned(self, at: Place, views: tuple[int, ...], which: int) -> None:
        """What the game says of the turned board."""
        asked, history = self.asked, at.history
        there = history.state.copy()
        asked.call(history, "turn", there, which)
        if which == 0 and not np.array_equal(there, history.state):
            asked.broken(history, "turn", "must leave the state as it is where `which` is 0")
        if views == at.views and not np.array_equal(there, history.state):
            told = f"to board {which} leaves every player's view as it was, but not the state"
            asked.broken(history, "turn", told)

        def ask(verb: str, *args: Any) -> Any:
            return asked.call(history, verb, there, *args)

        seen = tuple(asked.word(history, "view", ask("view", player)) for player in range(len(views)))
        self.same(history, "turn", which, "the views", seen, views)
        self.same(history, "turn", which, "the player to move", int(ask("player")), at.player)
        if at.player == OVER:
            payoffs = [float(ask("payoff", player)) for player in range(len(views))]
            self.close(history, which, "the payoffs", payoffs, list(map(float, at.outcome)))
            return
        moved = at.actions
        if at.player != CHANCE:
            moved = [
                asked.whole(history, "moved", asked.call(history, "moved", action, which)) for action in at.actions
            ]
        out, odds = np.zeros(asked.shape.actions, np.int64), np.zeros(asked.shape.actions)
        legal = out[: int(ask("actions", out))].tolist()
        self.same(history, "moved", which, "the legal actions", legal, sorted(moved))
        if at.player == CHANCE:
            ask("odds", odds)
            self.close(history, which, "the odds of chance", odds[: len(legal)].tolist(), at.odds)
        for action, image in zip(at.actions, moved, strict=True):
            here, then = asked.step(history, action), there.copy()
            asked.call(history, "step", then, image)
            asked.call(history, "turn", here, which)
            self.same(history, "turn", which, f"what follows action {action}", then.tolist(), here.tolist())

    def same(self, history: History, verb: str, which: int, what: str, found: object, wanted: object) -> None:
        if found != wanted:
            told = f"is wrong for board {which}: {what} of the turned board are {found}, not {wanted}"
            self.asked.broken(history, verb, told)

    def close(self, history: History, which: int, what: str, found: list[float], wanted: list[float]) -> None:
        """The same numbers, whose last digits may depend on the order in which something was added."""
        if not np.allclose(found, wanted, rtol=0.0, atol=CLOSE):
            self.same(history, "turn", which, what, found, wanted)
