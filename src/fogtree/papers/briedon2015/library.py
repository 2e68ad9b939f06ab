"""How the library behind Briedoň 2015 and Lisý 2014 starts, as read in its public sources; so that printed numbers of single
runs, which depend on the start, are judged by runs that start alike.

* While a selector has fewer visits than actions it draws one of the untried actions, with a slip: the count runs over the
  untried ones after the first action, so the first may come again and another stay untried, which is then taken next.
* The actions stand in another order than printed: shuffled by a generator with a fixed seed.
* A history met for the first time begins its selector anew: `ByHistory` in search/selfplay.py.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ... import dice
from ...bandits.counting import HEAD, STRIDE, TIMES
from ...games.matrix import MatrixGame
from ...measure.track import Track, tracks
from ...search.selfplay import ByHistory

ORDER = {2: (1, 0), 3: (0, 2, 1), 4: (3, 2, 1, 0)}  # of the actions of a set, by how many there are


class LibraryStart(NamedTuple):
    """A bandit of UCT's kind that starts as the library does."""

    bandit: Any

    def slots(self, k):
        return self.bandit.slots(k)

    def reward(self, payoff, low, high):
        return self.bandit.reward(payoff, low, high)

    def choose(self, memory, k, random):
        if memory[0] < k:
            return slipping(memory, k, random), 1.0
        if memory[0] < 2 * k:  # by then the slip is made good
            for i in range(k):
                if memory[HEAD + STRIDE * i + TIMES] == 0.0:
                    return i, 1.0
        return self.bandit.choose(memory, k, random)

    def learn(self, memory, k, chosen, probability, reward):
        self.bandit.learn(memory, k, chosen, probability, reward)

    def policy(self, memory, k, out):
        self.bandit.policy(memory, k, out)

    def means(self, memory, k, out):
        self.bandit.means(memory, k, out)


def slipping(memory, k, random):
    """An untried action, or the first one."""
    skip, i = dice.below(random, k - int(memory[0])), 0
    while skip > 0:
        i += 1
        if memory[HEAD + STRIDE * i + TIMES] == 0.0:
            skip -= 1
    return i


def tracks_as_library(plays: Sequence[tuple[Any, Any]], bandit: Any, marks: Any, **how: Any) -> Iterator[Track]:
    """`tracks`, started as the library does; what it gives is in the order of the games' own actions."""
    orders = [[_plans(count, game) for count in game.payoffs.shape] for game, _ in plays]
    shuffled = [
        (game._replace(payoffs=game.payoffs[np.ix_(*plans)]), seed)
        for (game, seed), plans in zip(plays, orders, strict=True)
    ]
    tracked = tracks(shuffled, LibraryStart(bandit), marks, growth=ByHistory(), **how)
    for found, (game, _), plans in zip(tracked, plays, orders, strict=True):
        back = [np.argsort(order) for order in plans]
        strategies = (found.strategies[0][:, back[0]], found.strategies[1][:, back[1]])
        values = found.values
        if values is not None:  # in games of rounds the sets change places too, and nobody prints their values
            values = (values[0][:, :, back[0]], values[1][:, :, back[1]]) if isinstance(game, MatrixGame) else None
        yield found._replace(game=game, bandit=bandit, strategies=strategies, values=values)


def _plans(count: int, game: Any) -> list[int]:
    """The order of a player's plans, when each of their choices stands in the library's order."""
    if isinstance(game, MatrixGame):
        return list(ORDER.get(count, range(count)))
    k = round(count ** (1 / game.rounds))
    order = list(ORDER.get(k, range(k)))
    plans = [0]
    for _ in range(game.rounds):
        plans = [plan * k + action for plan in plans for action in order]
    return plans
