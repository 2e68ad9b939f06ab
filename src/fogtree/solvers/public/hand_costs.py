"""A solution at the table: how it plays a state, and what each decision of a hand cost.

Game and state are those of a solved game of public cards whose cards tell where a state is (`where` in `cards.py`).

mix = played_at(found, state, player)      how the solution plays the hand of who moves
costs = decision_costs(found, state)       of all decisions that led to a state, such as the end of a hand

**What a decision costs**: the worth of the best action of this hand there, less that of the action that was taken, when
everybody follows the solution afterwards and the other's hands are those of their range. In an equilibrium an action that is
played is worth as much as the best; of an approximate one the worth differs up to its certificate, so small costs are none.
It does not matter what the other really held.
"""

from typing import Any, NamedTuple

import numpy as np

from ...errors import Invalid
from ...text.naming import name
from .hand_classes import hand_at
from .hand_solution import HandSolution, Place
from .places import choices


class Cost(NamedTuple):
    """One decision of a hand."""

    player: int
    cards: tuple[int, ...]  # the board
    hand: int  # its number
    line: list[str]  # what the players did before
    actions: list[str]
    taken: int  # which of the actions
    mix: np.ndarray  # [action] how the solution plays this hand
    worth: np.ndarray  # [action] in payoffs of the game; NaN where the hand can meet none
    loss: float  # what it cost, in payoffs; at least 0


def played_at(found: HandSolution, state: Any, player: int) -> dict[int, float]:
    """{action: probability} of the hand of a player who is to move."""
    line, dealt, hands = _where(found, state)
    place = place_after(found, line, dealt)
    if place.player != player:
        raise Invalid("another player is to move there")
    mix = place.mix[:, hand_at(place, player, hands[player])]
    node = int(found.form.node[place.node])
    numbers = found.form.tree.action[found.form.tree.below(node)].tolist()
    return dict(zip(numbers, mix.tolist(), strict=True))


def decision_costs(found: HandSolution, state: Any, player: int | None = None) -> list[Cost]:
    """What each decision cost that led to a state, in their order; of one player, or of both. This is for whoever shows a
    hand that was played, on the terminal or on the page: the state is the end of a match."""
    line, dealt, hands = _where(found, state)
    form, costs, words = found.form, list[Cost](), list[str]()
    for count, action in enumerate(line):
        node = _tree_node(found, line[:count])
        below = form.tree.below(node)
        taken = form.tree.action[below].tolist().index(action)
        me = int(form.tree.player[node])
        if player in (None, me):
            place = place_after(found, line[:count], dealt)
            h = hand_at(place, me, hands[me])
            worth = place.worth[:, h]
            loss = float(np.max(worth) - worth[taken])
            costs.append(
                Cost(me, place.cards, hands[me], list(words), place.actions, taken, place.mix[:, h], worth, loss)
            )
            words.append(place.actions[taken])
        else:
            words.append(choices(form, int(np.flatnonzero(form.node == node)[-1]))[taken])
    return costs


def place_after(found: HandSolution, line: list[int], dealt: list[int]) -> Place:
    """The place after some actions; of the cards that were dealt, so many as lie there."""
    form = found.form
    node = _tree_node(found, line)
    stage = int(form.tree.stage[node])
    board, symmetry = form.find(dealt[: sum(form.cards.dealt[1 : stage + 1])])
    nodes = np.flatnonzero(form.node == node)
    return found.place(board, symmetry, int(nodes[form.stages(nodes) == stage][0]))


def _where(found: HandSolution, state: Any) -> tuple[list[int], list[int], list[int]]:
    tell = getattr(found.form.cards, "where", None)
    if tell is None:
        raise Invalid(f"{name(found.game)} does not tell where a state is")
    return tell(state)


def _tree_node(found: HandSolution, line: list[int]) -> int:
    """The node of the betting tree after some actions."""
    tree, node = found.form.tree, 0
    for action in line:
        below = tree.below(node)
        node = below[tree.action[below].tolist().index(action)]
    return node
