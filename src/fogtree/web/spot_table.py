"""Hands played against a solved spot, in a worker: dealt from the ranges, and judged when they are over.

The other's hand stays here until the hand is over: what is told before does not depend on it, but by what the other does.
"""

from typing import Any

import numpy as np

from ..errors import Illegal, Invalid
from ..game import CHANCE, OVER, label, legal, new_state, odds
from ..games.betting import UNDEALT
from ..games.spot.history import history
from ..games.spot.ranges import class_of, spelled_hand
from ..games.spot.rules import BOARD, DEALT, HAND, NODE
from ..solvers.public.hand_costs import decision_costs, played_at
from ..solvers.public.hand_solution import HandSolution


class SpotTable:
    """One person against a solution, hand after hand."""

    def __init__(self, found: HandSolution, seed: int):
        self.found, self.seed, self.game = found, seed, found.game
        self.hands, self.won, self.cost = 0, 0.0, 0.0
        self.state: Any = None
        self.player = 0
        self._random = np.random.default_rng(seed)

    def deal(self, player: int) -> None:
        """Another hand. One that is not over cannot be left: that would be free."""
        if player not in (0, 1):
            raise Invalid("a seat is 0, out of position, or 1, in position")
        if self.state is not None and not self.over():
            raise Illegal("this hand is not over yet")
        self.hands += 1
        self.player, self.state = player, new_state(self.game)
        self._random = np.random.default_rng((self.seed, self.hands))
        self._go_on()

    def act(self, hand: int, step: int, action: int) -> None:
        """The person's action; `hand` and `step` say what it answers, so that a second click does nothing."""
        if self.state is None or self.over() or (hand, step) != (self.hands, int(self.state[NODE])):
            return
        if action not in legal(self.game, self.state):
            raise Illegal("this action is not possible there")
        self.game.step(self.state, action)
        self._go_on()

    def over(self) -> bool:
        return int(self.game.player(self.state)) == OVER

    def _go_on(self) -> None:
        """Chance and the other, until the person is to move or the hand is over."""
        game, state = self.game, self.state
        with np.errstate(over="ignore"):
            while (mover := int(game.player(state))) != OVER and mover != self.player:  # it ends: hands do
                if mover == CHANCE:
                    actions, share = legal(game, state), odds(game, state)
                else:
                    mix = played_at(self.found, state, mover)
                    actions, share = list(mix), list(mix.values())
                weight = np.array(share, float)
                game.step(state, actions[int(self._random.choice(len(actions), p=weight / weight.sum()))])
        if mover == OVER:
            self.won += self._won()
            self.cost += sum(one["cost"] for one in self._costs())

    def told(self) -> dict[str, Any]:
        """What the person may know."""
        game = self.game
        so_far = {"hands": self.hands, "won": self.won, "cost": self.cost, "sure": self.found.exploitable}
        if self.state is None:
            return so_far
        state, over = self.state.copy(), self.over()
        if not over:
            state[HAND + 1 - self.player] = UNDEALT
        told = {
            **so_far,
            "over": over,
            "player": self.player,
            "hand": spelled_hand(int(state[HAND + self.player])),
            "board": [game.face(int(card)) for card in state[BOARD : BOARD + int(state[DEALT])]],
            "step": int(state[NODE]),
            "pot": game.pot + 2 * float(game.paid[state[NODE]]),
            "history": history(game, state),
        }
        if over:
            return {
                **told,
                "other": spelled_hand(int(state[HAND + 1 - self.player])),
                "won_now": self._won(),
                "costs": self._costs(),
            }
        return {**told, "actions": [[action, label(game, self.state, action)] for action in legal(game, self.state)]}

    def _won(self) -> float:
        """Chips that the person gets out of the pot, less those that they put in; a payoff takes half of the first pot as
        put in too."""
        return float(self.game.payoff(self.state, self.player)) + self.game.pot / 2

    def _costs(self) -> list[dict[str, Any]]:
        """What each decision of the person cost."""
        found = []
        for one in decision_costs(self.found, self.state, self.player):
            cost = one.loss if np.isfinite(one.loss) else 0.0
            found.append(
                {
                    "line": one.line,
                    "kind": class_of(one.hand),
                    "dealt": [self.game.face(card) for card in one.cards[int((self.game.board != UNDEALT).sum()) :]],
                    "board": [self.game.face(card) for card in one.cards],
                    "actions": one.actions,
                    "taken": one.taken,
                    "mix": [float(share) for share in one.mix],
                    "worth": [float(worth) if np.isfinite(worth) else None for worth in one.worth],
                    "cost": cost,
                }
            )
        return found
