"""What a player gets to see when they are to move: all that an agent is given, and never the state."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from .. import dice
from ..errors import Invalid
from ..game import label, legal, show
from ..kernels import kernel
from ..walk.slices import whole


class Sight(NamedTuple):
    """All that an agent gets to know when it is to move."""

    game: Any
    player: int
    view: int
    actions: tuple[int, ...]
    labels: tuple[str, ...]  # of the actions, as people write them
    text: str  # what game.show prints for this player
    moves: tuple[tuple[int, int], ...] = ()  # all (player, action) so far where nothing is hidden; empty elsewhere
    start: str = ""  # where the moves began, in the game's notation, if not at the start of the game; for open games
    imagined: Callable[[int], np.ndarray] | None = None  # see worlds

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


@kernel
def imagine_each(game, state, player, random):
    """Rewrite each state [n, words] into one that the player cannot tell from it."""
    for n in range(state.shape[0]):
        game.imagine(state[n], player, random)


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
    hidden = not game.shape().open
    actions = tuple(legal(game, state))
    labels = tuple(label(game, state, action) for action in actions)
    return Sight(
        game,
        player,
        int(game.view(state, player)),
        actions,
        labels,
        show(game, state, player),
        () if hidden else moves,
        "" if hidden else start,
        _imagination(game, state, player, dice.seeded(0) if random is None else random),
    )


def _imagination(game: Any, state: np.ndarray, player: int, random: np.ndarray) -> Callable[[int], np.ndarray] | None:
    """A function that draws worlds; None where the game can draw none."""
    knows_how = hasattr(game, "imagine")
    if not knows_how and not game.shape().open:
        return None
    before = state.copy()

    def worlds(count: int) -> np.ndarray:
        drawn = np.tile(before, (count, 1))
        if knows_how:
            imagine_each(game, drawn, player, random)
        return drawn

    return worlds
