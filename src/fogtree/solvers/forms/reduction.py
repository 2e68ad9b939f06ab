"""Equal games with fewer actions, and the way back.

A game may say with `reduced()` that the actions left out in another game of its class are never better for the player who
leaves them out, whatever the opponent does (in Phantom Tic-Tac-Toe: anything but a try that would complete a line, where
there is one). So an equilibrium of the smaller game is one of the larger game: a best response in the larger game gains
nothing that one in the smaller does not.

A game that knows its symmetries is solved up to them (`transforms/symmetric.py`).
"""

from typing import Any, NamedTuple

import numpy as np

from ...game import CHANCE, OVER, identity
from ...strategy import Strategy
from ...transforms.symmetric import UpToSymmetry, on_all_boards, symmetric
from ...walk import table as tables
from ...walk.slices import Watcher
from ...walk.whole import walk_through
from .infosets import longer
from .sequence import SequenceForm, sequence_form_beside


def reduced(game: Any) -> Any:
    """The smaller equal game, or the game itself."""
    small = game.reduced() if hasattr(game, "reduced") else game
    return game if identity(small) == identity(game) else small


def smallest_equal(game: Any, whole: bool) -> Any:
    """What is solved in place of a game: the game up to its symmetries, and with fewer actions unless it is to be `whole`;
    the game itself where there is neither."""
    return symmetric(game, game if whole else reduced(game))


def told(small: Any) -> str:
    """What results call the game that was solved in place of another."""
    return f"{identity(small.game)}, up to symmetry" if isinstance(small, UpToSymmetry) else identity(small)


class Singles(NamedTuple):
    """Information sets with a single action."""

    player: np.ndarray  # [infosets]
    view: np.ndarray  # [infosets]
    action: np.ndarray  # [infosets]


NO_SINGLES = Singles(*np.zeros((3, 0), np.int64))  # of a game in which all actions stay: a single one needs no entry


class Forced(NamedTuple):
    """The visitor that notes the information sets with a single action."""

    table: tables.Table
    player: np.ndarray  # [infosets]
    view: np.ndarray  # [infosets]
    action: np.ndarray  # [infosets]

    def room(self):
        return not self.table.full() and self.table.used[0] < self.view.shape[0]

    def enter(self, game, state, player, action, count, depth):
        if player == OVER:
            return 0
        if player != CHANCE and count == 1:
            view = game.view(state, player)
            i = self.table.add(view, player)
            self.player[i], self.view[i], self.action[i] = player, view, action[0]
        return count

    def descend(self, depth, position):
        pass

    def found(self):
        """The sets, when the walk is over; only Python calls this."""
        return Singles(*(array[: self.table.used[0]] for array in (self.player, self.view, self.action)))


def form_and_forced(
    game: Any, *, memory: float | None = None, progress: Watcher | None = None
) -> tuple[SequenceForm, Singles]:
    """The sequence form of a game, and its information sets with a single action, by one walk. For a reduced game these
    are all that is needed to lift a strategy."""
    form, forced = sequence_form_beside(game, _new_forced(), _grown, memory=memory, progress=progress)
    return form, forced.found()


def lifted(
    strategy: Strategy,
    game: Any,
    forced: Singles | None = None,
    *,
    small: Any = None,
    progress: Watcher | None = None,
) -> Strategy:
    """A strategy of an equal game, by default the reduced one, as one of the game itself: where the smaller game leaves one
    action, play it.

    `forced` are these sets. Where they are not given, the whole smaller game is walked to find them.
    """
    small = reduced(game) if small is None else small
    strategy.belongs_to(small)
    if small is game:
        return strategy
    if forced is None:
        forced = walk_through(small, _new_forced(), _grown, progress)[0].found()
    decided = strategy.player, strategy.view, np.diff(strategy.first), strategy.action, strategy.probability
    sure = np.ones(len(forced.view), np.int64)
    single = forced.player, forced.view, sure, forced.action, sure
    if isinstance(small, UpToSymmetry):
        return on_all_boards(Strategy.joined(small, [decided, single]), small)
    return Strategy.joined(game, [decided, single])


def _new_forced() -> Forced:
    return Forced(tables.empty(), *np.zeros((3, 1 << 10), np.int64))


def _grown(forced: Forced) -> Forced:
    table = forced.table.grown() if forced.table.full() else forced.table
    return longer(forced, "player", "view", "action")._replace(table=table)
