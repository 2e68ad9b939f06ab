"""A strategy before the flop as the charts that players know: how each kind of hand is played, decision by decision."""

from typing import Any, NamedTuple

import numpy as np

from ...game import OVER, new_state
from ...text.naming import as_game
from .all_in import KINDS, pairs
from .rules import HAND, NODE


class Chart(NamedTuple):
    """One decision."""

    player: int
    line: str  # what was done before
    actions: list[str]
    mix: np.ndarray  # [kind, action]
    weight: np.ndarray  # [kind] how often the decision is met with a hand of this kind; sums to 1 if it is met at all

    def played(self) -> list[float]:
        """[action] how often it is taken by all hands that come there."""
        return (self.weight @ self.mix).tolist()


def charts_of(game: Any, strategy: Any) -> list[Chart]:
    """The charts of a strategy of both players, in the order of the betting; evenly where the strategy says nothing."""
    game = as_game(game)
    found, state = list[Chart](), new_state(game)
    reach = {
        0: (np.ones(KINDS), np.ones(KINDS))
    }  # of a node: how often each player's kinds get there by their own actions
    for node in np.flatnonzero(game.mover != OVER).tolist():
        me, count = int(game.mover[node]), int(game.choices[node])
        mix = np.full((KINDS, count), 1.0 / count)
        for kind in range(KINDS):
            state[HAND : HAND + 2], state[NODE] = kind, node
            mixed = strategy.mix(game, me, int(game.view(state, me)), state.copy)
            if mixed:
                mix[kind] = [mixed.get(action, 0.0) for action in range(count)]
        weight = reach[node][me] * (pairs() @ reach[node][1 - me])
        words = [game.labels.words[game.first[node] + i] for i in range(count)]
        weight = weight / max(weight.sum(), 1e-300)
        found.append(Chart(me, ", ".join(game.told(node)), words, mix, weight))
        for action in range(count):
            own = reach[node][me] * mix[:, action]
            other = reach[node][1 - me]
            reach[int(game.first[node]) + action] = (own, other) if me == 0 else (other, own)
    return found
