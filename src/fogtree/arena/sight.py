"""What a player gets to see when they are to move: all that an agent is given, and never the state."""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import dice
from ..errors import Invalid
from ..game import label, legal, show
from ..search.worlds.belief import imagine_each
from ..walk.slices import whole


class Resigned(Exception):
    """What an agent raises in place of an answer when it gives the match up."""


class Stuck(Exception):
    """What an agent raises where it can go on with this match no further, with a sentence that says why."""


class Sight:
    """All that an agent gets to know when it is to move.

    game       the rules
    player     whom the agent plays for
    view       the key of all that the player has seen
    actions    that are legal here
    labels     of the actions, as people write them
    text       what game.show prints for this player
    moves      all (player, action) so far where nothing is hidden; empty elsewhere
    start      where the moves began, in the game's notation, if not at the start of the game; for open games
    imagined   see `worlds`

    In open games labels and the text are made when they are asked for: in chess that takes longer than a short search.
    """

    def __init__(
        self,
        game: Any,
        player: int,
        view: int,
        actions: tuple[int, ...],
        labels: Callable[[], tuple[str, ...]],
        text: Callable[[], str],
        moves: tuple[tuple[int, int], ...] = (),
        start: str = "",
        imagined: Callable[[int], np.ndarray] | None = None,
    ):
        self.game, self.player, self.view, self.actions = game, player, view, actions
        self.moves, self.start, self.imagined = moves, start, imagined
        self._labels, self._text = labels, text

    @functools.cached_property
    def labels(self) -> tuple[str, ...]:
        return self._labels()

    @functools.cached_property
    def text(self) -> str:
        return self._text()

    def worlds(self, count: int) -> np.ndarray:
        """So many states [count, words] that the player cannot tell from the true one, drawn by the game's `imagine`.

        The referee draws them, for it alone holds the state. That tells nothing: `imagine` depends on the player's view and
        on the dice alone, and the dice are thrown for this player only. In an open game they are the state itself. A game
        without `imagine` refuses.
        """
        if self.imagined is None:
            raise Invalid(
                f"{type(self.game).__name__} cannot draw states: it has no method `imagine` (see fogtree.game)"
            )
        return self.imagined(whole(count, "the number of worlds", least=1))


def sight(
    game: Any,
    state: np.ndarray,
    player: int,
    *,
    moves: tuple[tuple[int, int], ...] = (),
    start: str = "",
    random: np.ndarray | None = None,
) -> Sight:
    """What the player to move may know. `random` are the dice of imagined worlds, which are this player's alone."""
    hidden, before = not game.shape().open, state.copy()
    actions = tuple(legal(game, before))

    def labels() -> tuple[str, ...]:
        return tuple(label(game, before, action) for action in actions)

    def text() -> str:
        return show(game, before, player)

    if hidden:  # nothing of what an agent gets may hold the state
        named, shown = labels(), text()
        labels, text = (lambda: named), (lambda: shown)
    return Sight(
        game,
        player,
        int(game.view(before, player)),
        actions,
        labels,
        text,
        () if hidden else moves,
        "" if hidden else start,
        _imagination(game, before, player, dice.seeded(0) if random is None else random),
    )


def _imagination(game: Any, state: np.ndarray, player: int, random: np.ndarray) -> Callable[[int], np.ndarray] | None:
    """A function that draws worlds; None where the game can draw none."""
    knows_how = hasattr(game, "imagine")
    if not knows_how and not game.shape().open:
        return None

    def worlds(count: int) -> np.ndarray:
        drawn = np.tile(state, (count, 1))
        if knows_how:
            imagine_each(game, drawn, player, random)
        return drawn

    return worlds
