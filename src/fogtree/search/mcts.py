"""Monte Carlo tree search where nothing is hidden, and flat Monte Carlo (Arenz 2012, section 4).

In a game whose views are complete an information set is one position, and IS-MCTS is plain MCTS: so `MCTS` is that search,
asked about positions. With UCT it takes the move of the highest

    u_i / n_i + sqrt(2 ln n / n_i)        u 1 for a win, 1/2 for a draw, 0 for a loss

which is `UCT(c=1)` on payoffs from 0 to 1, and on our 1, 0, -1, twice as wide, `UCT(c=2)`, the default.

Flat Monte Carlo ("basic" in the paper) tries all moves of a position equally often, each followed by a random game, and
takes the best mean: UCT that explores without end, in a tree that stops at the position.
"""

from typing import Any

import numpy as np

from .. import dice
from ..bandits.deterministic import DeterministicUCT
from ..bandits.greedy import EpsilonGreedy
from ..bandits.nondeterministic import NondeterministicUCT
from ..bandits.tuned import UCB1Tuned
from ..bandits.uct import HEAD, MEAN, STRIDE, UCT
from ..errors import Invalid
from ..game import CHANCE, OVER, legal, new_state, odds
from .ismcts import ISMCTS

KEEPING_MEANS = (UCT, UCB1Tuned, EpsilonGreedy, DeterministicUCT, NondeterministicUCT)
ENDLESS = UCT(c=1e9)  # tries the action that was tried least
SAMPLE = 30  # games


class MCTS(ISMCTS):
    """A search of positions of a game that hides nothing.

    search = MCTS(TicTacToe(), seed=1).think(state, iterations=10_000)
    search.best(state), search.means(state)
    """

    def __init__(self, game: Any, bandit: Any = UCT(), seed: int = 0, **caps):  # noqa: B008  (a tuple cannot change)
        if not isinstance(bandit, KEEPING_MEANS):
            names = ", ".join(kind.__name__ for kind in KEEPING_MEANS)
            raise Invalid(f"MCTS needs a bandit that keeps the mean of each action: {names}")
        if hides(game):
            raise Invalid(f"{type(game).__name__} hides something from its players, so it needs ISMCTS, not MCTS")
        super().__init__(game, bandit, seed, **caps)

    def think(self, state: np.ndarray, **budget) -> "MCTS":
        """Search from a position; the budget is that of `run`."""
        self.run(roots=np.asarray(state)[None], **budget)
        return self

    def best(self, state: np.ndarray) -> int:
        """The action tried most often, the first of several."""
        mix = self.policy(self._view(state), self.game.player(state))
        return legal(self.game, state)[0] if mix is None else max(mix, key=lambda action: mix[action])

    def means(self, state: np.ndarray) -> dict[int, float]:
        """The mean reward of each action to the mover, as the bandit scales it; none where there was nothing to choose."""
        found = self.remembered(self._view(state), self.game.player(state))
        if found is None:
            return {}
        actions, memory = found
        return {action: float(memory[HEAD + STRIDE * i + MEAN]) for i, action in enumerate(actions)}

    def _view(self, state) -> int:
        with np.errstate(over="ignore"):  # it may be a hash, which wraps round
            return int(self.game.view(state, self.game.player(state)))


def flat(game: Any, state: np.ndarray, *, seed: int = 0, **budget) -> dict[int, float]:
    """Flat Monte Carlo: what random games bring to the mover on average after each action. The budget is that of `run`."""
    return MCTS(game, ENDLESS, seed, sets=1).think(state, **budget).means(state)


def hides(game: Any) -> bool:
    """Whether a player cannot always tell where they are. Random games are played, and it shows when one view comes up after
    two courses: nearly always soon where anything is hidden, never where nothing is."""
    random, course_to = dice.seeded(0), dict[tuple[int, int], list[int]]()
    with np.errstate(over="ignore"):
        for _ in range(SAMPLE):
            state, course = new_state(game), list[int]()
            while (player := int(game.player(state))) != OVER:
                actions = legal(game, state)
                if player == CHANCE:
                    action = actions[dice.pick(random, odds(game, state), len(actions))]
                elif course_to.setdefault((player, int(game.view(state, player))), course) != course:
                    return True
                else:
                    action = actions[dice.below(random, len(actions))]
                course = [*course, action]
                game.step(state, action)
    return False
