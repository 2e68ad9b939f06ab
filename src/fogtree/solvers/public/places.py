"""Where a line of betting leads, in words: `check, bet 30`, and on which board.

place = find_place(form, "check, bet 30")      of the form of a game, solved or not
choices(form, place.node)                      ['fold', 'call', 'raise to 90']
"""

from typing import Any, NamedTuple

import numpy as np

from ...errors import Invalid
from ...game import OVER, label
from ...text.naming import name
from .cards import all_hands, chance_actions, hands_of, moved_hands
from .public_form import PublicForm
from .small_form import followed


class Found(NamedTuple):
    """A place in the public tree."""

    board: int  # its number in the form
    symmetry: np.ndarray  # that leads from this board to the one that was asked for
    node: int  # of the form's betting: the one that is locked; a gate where the next card is to come


def find_place(form: PublicForm, line: str = "", cards: str = "") -> Found:
    """The place after this betting, `check, bet 30`, and these cards, `Qc 2s`, dealt after the first board. Without the card
    that follows on the betting, it is the place where this card is to come."""
    board, symmetry = form.find(_cards(form, cards))
    return Found(board, symmetry, _node(form, line, int(form.boards.stage[board])))


def hands_at(form: PublicForm, board: int, symmetry: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """[player][hand] the numbers of the hands of a board of the form, moved by a symmetry of the cards."""
    moved = moved_hands(hands_of(form.cards), symmetry)
    return moved[form.hands[0][board]], moved[form.hands[1][board]]


def choices(form: PublicForm, node: int) -> list[str]:
    """What the actions at a node of the form's betting are called."""
    return _words(form, int(form.node[node]))


def _words(form: PublicForm, node: int) -> list[str]:
    """The same of a node of the tree."""
    held = all_hands(form.cards.cards, form.cards.hole)
    first = held[form.hands[0][0]]
    for one in first:
        fits = [two for two in held[form.hands[1][0]] if not set(one.tolist()) & set(two.tolist())]
        if fits:
            break
    taken = {*one.tolist(), *fits[0].tolist(), *form.board[0]}
    left = [card for card in range(form.cards.cards) if card not in taken]
    dealt = chance_actions(form.cards, (one, fits[0]), left[: sum(form.cards.dealt[1:])])
    state = followed(form.game, dealt, form.tree.line(node))
    return [label(form.game, state, int(form.tree.action[c])) for c in form.tree.below(node)]


def _cards(form: PublicForm, text: str) -> Any:
    read = getattr(form.cards, "read", None)
    if not text:
        return []
    if read is None:
        raise Invalid(f"{name(form.game)} does not read cards")
    return read(text)


def _node(form: PublicForm, line: str, stage: int) -> int:
    tree, n = form.tree, 0
    words = [part.strip().lower() for part in line.split(",")] if line.strip() else []
    if not all(words):
        raise Invalid(f"an action is missing beside a comma of '{line}'")
    for word in words:
        named = _words(form, n) if tree.player[n] != OVER else []
        fits = [k for k, text in enumerate(named) if text.lower() == word or text.lower().startswith(word)]
        exact = [k for k, text in enumerate(named) if text.lower() == word]
        if not exact and len(fits) > 1:
            raise Invalid(f"'{word}' may be {' or '.join(named[k] for k in fits)}: write more of it")
        if not fits:
            raise Invalid(f"'{word}' is not possible there: choose from {', '.join(named) or 'nothing, it is over'}")
        n = tree.below(n)[(exact or fits)[0]]
    found = np.flatnonzero(form.node == n)
    here = found[form.stages(found) == stage]
    if not len(here):
        if tree.player[n] == OVER:
            raise Invalid("the hand ends there before these cards are dealt: leave cards out")
        more = int(tree.stage[n]) - stage
        if more > 0:
            raise Invalid(f"this betting leads to another street: deal {more} more")
        raise Invalid(
            f"the betting is not that far: give that of each street to its end, as in 'check, check', or deal {-more} fewer"
        )
    return int(here[-1])
