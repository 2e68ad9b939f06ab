"""Monte Carlo tree search where nothing is hidden, and flat Monte Carlo (Arenz 2012, section 4).

In an open game an information set is one position, so MCTS is IS-MCTS asked about positions. With UCT it takes the move of
the highest

    u_i / n_i + sqrt(2 ln n / n_i)        u 1 for a win, 1/2 for a draw, 0 for a loss

which is `UCT(c=1)` on payoffs from 0 to 1, and on our 1, 0, -1, twice as wide, `UCT(c=2)`, the default.

Flat Monte Carlo ("basic" in the paper) tries all moves of a position equally often, each followed by a random game, and
takes the best mean: UCT that explores without end, in a tree that stops at the position.
"""

from typing import Any

import numpy as np

from ...bandits import BANDITS, as_bandit
from ...bandits.uct import UCT
from ...errors import Invalid
from ...game import identity, label, legal
from ...text import markup
from ...text.naming import as_game
from .ismcts import ISMCTS

LEAST_TRIED = UCT(c=1e9)  # it explores without end: the action that was tried least is next


class MCTS:
    """A search of positions of an open game.

    search = MCTS(TicTacToe(), seed=1).think(state, iterations=10_000)
    search.best(state), search.means(state)
    """

    def __init__(self, game: Any, bandit: Any = UCT(), seed: int = 0, **options: Any):  # noqa: B008  (it cannot change)
        game, bandit = as_game(game), as_bandit(bandit)
        require_open(game, bandit)
        self.game, self.bandit = game, bandit
        self.search = ISMCTS(game, bandit, seed, **options)
        self.root: np.ndarray | None = None  # the position of the last search

    def think(self, state: np.ndarray, **budget: Any) -> "MCTS":
        """Search from a position; the budget is that of `ISMCTS.run`."""
        self.search.run(roots=np.asarray(state)[None], **budget)
        self.root = np.array(state)
        return self

    def best(self, state: np.ndarray) -> int:
        """The action tried most often, the first of several."""
        mix = self.search.policy(*self._set(state))
        return legal(self.game, state)[0] if mix is None else max(mix, key=lambda action: mix[action])

    def means(self, state: np.ndarray) -> dict[int, float]:
        """The mean reward of each action to the mover, as the bandit scales it; none where there was nothing to choose."""
        return self.search.means(*self._set(state)) or {}

    def _set(self, state: np.ndarray) -> tuple[int, int]:
        with np.errstate(over="ignore"):  # a view may be a hash, which wraps round
            player = int(self.game.player(state))
            return player, int(self.game.view(state, player))

    def __repr__(self) -> str:
        return f"<MCTS of {self.game!r} by {self.bandit!r}: {self.search.iterations:,} iterations>"

    def _repr_html_(self) -> str:
        """What it would play in the position of the last search, the action that was tried most often first."""
        caption = f"MCTS by {self.bandit!r}: {identity(self.game)}, {self.search.iterations:,} iterations"
        rows = []
        if self.root is not None:
            mix, means = self.search.policy(*self._set(self.root)) or {}, self.means(self.root)
            for action in sorted(mix, key=lambda action: -mix[action]):
                rows.append((label(self.game, self.root, action), f"{mix[action]:.1%}", f"{means[action]:+.3f}"))
        return markup.table(("move", "share", "mean reward"), rows, caption)


def require_open(game: Any, bandit: Any) -> None:
    """Refuse games in which something is hidden, and bandits without means."""
    if not hasattr(bandit, "means"):
        valid = ", ".join(name for name, kind in BANDITS.items() if hasattr(kind, "means"))
        raise Invalid(
            f"MCTS needs a bandit that keeps the mean of each action, with a method `means`: valid are {valid}"
        )
    if not game.shape().open:
        raise Invalid(
            f"{type(game).__name__} does not say in its shape() that it is open, so it needs ISMCTS, not MCTS"
        )


def flat(game: Any, state: np.ndarray, *, seed: int = 0, judge: Any = None, **budget: Any) -> dict[int, float]:
    """Flat Monte Carlo: what simulations bring to the mover on average after each action. The budget is that of
    `ISMCTS.run`."""
    options = {} if judge is None else {"judge": judge}
    return MCTS(game, LEAST_TRIED, seed, sets=1, **options).think(state, **budget).means(state)
