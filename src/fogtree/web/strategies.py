"""A strategy in a worker: solved or saved, unfolded set by set as its player sees it.

A path is what one player has seen and done: (view, action) pairs. `ask_unfold` finds the information sets that can come next,
by following what chance and the others may do, the likeliest first. Of each set it tells what its player sees, the mix, and

    reach     the probability that play by the strategy comes there
    value     what the player gets on average from there on, if all follow the strategy
    worth     what each action is worth if the player goes on with a best response
    regret    what the best response gains there: the best worth less the value

The last three come from the sequence form, so they are known in games that fit into memory.
"""

import heapq
import itertools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ..draw.board import picture
from ..draw.tree import tree
from ..errors import FogtreeError, Illegal, Invalid
from ..game import OVER, label, legal, new_state
from ..measure.exploitability import exploitability
from ..measure.told import shares
from ..solvers.certified import certified
from ..solvers.forms.response import best_answer, plan_of
from ..solvers.forms.sequence import SequenceForm, multiply_rows, sequence_form
from ..solvers.solution import solve
from ..strategy import Strategy
from .desk import seat_name
from .offer import Offer
from .overview import Spot, overview

MOST = 20_000  # histories that are walked to unfold a set
SHOWN = 40  # information sets that are told at once
MEMORY = 1e9  # bytes for the sequence form
LARGE = 300_000  # sequences of a player, above which values are not computed
UNIFORM, SOLVE, BOXED = "uniform", "solve", "box"  # sources of a strategy, besides the ids of saved ones


class Here(NamedTuple):
    """An information set, as states with the probability that chance and the others lead there."""

    state: list[np.ndarray]
    weight: list[float]


class StrategyJob:
    """A strategy of a game, which can be unfolded."""

    def __init__(self, tell: Callable[..., None], offer: Offer, *, game: list[str], source: str, seconds: float):
        self.tell, self.seconds, self.source = tell, seconds, source
        self.game: Any = offer.checked_game(*game)
        self.plan: Any = None  # a Strategy, as soon as there is one
        if source == UNIFORM:
            self.plan = Strategy.uniform(self.game)
        elif source == BOXED:
            if (found := certified(self.game)) is None:
                raise Invalid("no equilibrium of this game comes with the package: let it be solved")
            self.plan = found.strategy
            self.tell(value=found.value, low=found.low, high=found.high, method=found.method)
        elif source != SOLVE:
            self.plan = offer.strategy(source, self.game)
        self.ready, self.players = False, self.game.shape().players
        self._places: dict[int, dict[int, int]] = {}  # by player, by view: the number of a set in the form
        self._grids: dict[tuple[int, bool], dict[str, Any]] = {}  # by player, and whether it is merged
        self.form: SequenceForm | None = None
        self.worth: list[tuple[np.ndarray, np.ndarray]] = []  # [player] of sequences: by the plan, by best responses

    def run(self) -> None:
        self.tell(
            busy=True, phase="enumerating the game", seats=[seat_name(self.game, who) for who in range(self.players)]
        )
        if self.plan is not None:  # it can be walked at once, however large the game is
            self.ready = True
            self.tell(finished=True, measuring=True)
        why = ""
        try:
            self.form = sequence_form(self.game, memory=MEMORY)
        except FogtreeError as error:
            why = str(error)
        if self.plan is None:
            if self.form is None:
                raise Invalid(f"this game cannot be solved here: {why}")
            self.tell(phase="solving")
            found = solve(self.form, seconds=self.seconds)
            self.plan = found.strategy
            self.tell(value=found.value, low=found.low, high=found.high, method=found.method)
        self.tell(phase="measuring")
        if self.form is not None and max(int(tree.sequences()) for tree in self.form.trees) <= LARGE:
            measured = exploitability(self.form, self.plan)
            self.worth = [self._worth(self.form, self.plan, player) for player in (0, 1)]
            self.tell(total=measured.total)
        else:
            self.tell(why=f"Values and regrets are not known: {why or 'the game is too large'}.")
        self.ready = True
        self._grids.clear()  # values are known now
        self.tell(phase="ready", finished=True, measuring=False)

    def _worth(self, form: SequenceForm, plan: Strategy, player: int) -> tuple[np.ndarray, np.ndarray]:
        """What each sequence is worth to its player: if all follow the plan, and with best responses after it."""
        theirs = plan_of(form, plan, 1 - player)[0]
        tree, matrix = form.trees[player], form.rows if player == 0 else form.columns
        by_plan = np.empty(int(tree.sequences()))
        multiply_rows(matrix, theirs, 0, len(by_plan), by_plan)
        by_plan *= 1 if player == 0 else -1
        for i in range(int(tree.infosets()) - 1, -1, -1):  # leaves first
            low, high, parent = int(tree.first[i]), int(tree.first[i + 1]), int(tree.parent[i])
            # a table asks for no state
            mix = plan.mix(self.game, player, int(tree.view[i]), lambda: new_state(self.game))
            share = [mix.get(a, 0.0) if mix else 1 / (high - low) for a in tree.action[low:high].tolist()]
            by_plan[parent] += float(np.dot(share, by_plan[low:high]))
        return by_plan, best_answer(form, theirs, player)[1]

    def ask_unfold(self, player: int, path: list[list[Any]]) -> dict[str, Any]:
        """The information sets of a player that can follow what they have seen and done."""
        self._require(player)
        with np.errstate(over="ignore"):
            found, complete = self._next(player, Here([new_state(self.game)], [1.0]))
            reach, crumbs = 1.0, []
            for view, action in path:
                here = found.get(int(view))
                if here is None or int(action) not in legal(self.game, here.state[0]):
                    raise Illegal("this path leads nowhere: begin at the start")
                names = {a: label(self.game, here.state[0], a) for a in legal(self.game, here.state[0])}
                crumbs.append(names[int(action)])
                reach *= shares(self.game, self.plan, here.state[0], player)[int(action)]
                found, complete = self._next(player, here, int(action))
            rows = sorted(found.items(), key=lambda item: (-sum(item[1].weight), item[0]))
            told = [self._set(player, view, here, reach, complete) for view, here in rows[:SHOWN]]
        return {"sets": told, "more": max(0, len(rows) - SHOWN), "complete": complete, "crumbs": crumbs}

    def ask_overview(self, player: int, merge: bool = True) -> dict[str, Any]:
        """All information sets of a player in a grid."""
        self._require(player)
        if (player, merge) not in self._grids:
            with np.errstate(over="ignore"):
                found = overview(self.game, self.plan, player, lambda spot: self._value(player, spot), merge)
            self._grids[player, merge] = found
        return self._grids[player, merge]

    def _value(self, player: int, spot: Spot) -> float | None:
        """What the player gets from a set on, if all follow the strategy; None where it is not known."""
        if not self.worth or self.form is None or spot.others[0] <= 0:
            return None
        tree, by_plan = self.form.trees[player], self.worth[player][0]
        if player not in self._places:
            self._places[player] = {int(view): place for place, view in enumerate(tree.view)}
        place = self._places[player].get(int(np.int64(spot.view)))
        if place is None:
            return None
        low = int(tree.first[place])
        return sum(spot.mix[action] * float(by_plan[low + n]) for n, action in enumerate(spot.mix)) / spot.others[0]

    def _require(self, player: int) -> None:
        if self.plan is None or not self.ready:
            raise Invalid("the strategy is not ready yet")
        if not 0 <= player < self.players:
            raise Invalid(f"there is no player {player}: valid are 0 to {self.players - 1}")

    def ask_tree(self) -> str:
        """The whole tree of a small game, with how often each action is played."""
        with np.errstate(over="ignore"):
            return tree(self.game, self.plan)

    def _next(self, player: int, here: Here, action: int | None = None) -> tuple[dict[int, Here], bool]:
        """The player's next information sets at which there is a choice, by their views; and whether these are all."""
        number, found = itertools.count(), dict[int, Here]()
        queue: list[tuple[float, int, np.ndarray]] = []
        for state, weight in zip(here.state, here.weight, strict=True):
            state = state.copy()
            if action is not None:
                self.game.step(state, action)
            queue.append((-weight, next(number), state))
        heapq.heapify(queue)
        for _ in range(MOST):
            if not queue:
                break
            negative, _, state = heapq.heappop(queue)
            mover = int(self.game.player(state))
            if mover == OVER:
                continue
            actions = legal(self.game, state)
            if mover == player and len(actions) > 1:
                one = found.setdefault(int(self.game.view(state, player)), Here([], []))
                one.state.append(state)
                one.weight.append(-negative)
                continue
            follow = {actions[0]: 1.0} if mover == player else shares(self.game, self.plan, state, mover)
            for each, share in follow.items():
                after = state.copy()
                self.game.step(after, each)
                heapq.heappush(queue, (negative * share, next(number), after))
        return found, not queue

    def _set(self, player: int, view: int, here: Here, reach: float, complete: bool) -> dict[str, Any]:
        state, others = here.state[0], sum(here.weight)
        actions = legal(self.game, state)
        names = {action: label(self.game, state, action) for action in actions}
        mix = shares(self.game, self.plan, state, player)
        told: dict[str, Any] = {
            "view": str(view),  # as a text, for it has more digits than a number of the browser
            "picture": picture(self.game, state, player),
            "actions": [[action, names[action]] for action in actions],
            "mix": {names[action]: share for action, share in mix.items()},
            "reach": reach * others,
            "states": len(here.state),
        }
        if complete and others > 0 and self.worth and self.form is not None:
            tree, (by_plan, by_best) = self.form.trees[player], self.worth[player]
            (places,) = np.nonzero(tree.view == np.int64(view))
            if len(places):
                low = int(tree.first[places[0]])
                best = [float(by_best[low + a] / others) for a in range(len(actions))]
                value = sum(mix[action] * float(by_plan[low + a] / others) for a, action in enumerate(actions))
                worth = dict(zip(names.values(), best, strict=True))
                told |= {"value": value, "worth": worth, "regret": max(0.0, max(best) - value)}
        return told
