"""How a search is asked that thinks at the table: once for a match `begin`, then `think` at each decision of its player.

    carried = search.begin(game, player, seed)
    answer = search.think(carried, view, budget)            the first decision, where the player has this view
    answer.strategy[player, view]                           {action: probability}, from which the player's action is drawn
    answer = search.think(answer.carried, view, budget)     the next decision

An agent asks along one match (`arena/agents/online.py`), a measurement at every decision that its player can come to: it
goes on from one answer to all decisions that may follow. So these rules hold:

* `think` is asked at each decision of the player, also where there is but one action: what is carried must not fall behind.
* `think` uses nothing but what it is given: what was carried, the view and the budget. A view holds the player's own actions,
  so nobody needs to tell the search what was drawn.
* `think` leaves what was carried as it was. Where a search grows a tree from move to move, it grows a copy.
* The same seed, views and iterations give the same answers, in whatever order they are asked for. Dice are split by the view.
* An answer has a row for the view. Where `whole` is true it has one for each information set that the player has in the
  same public state (`public` in `game.py`), and these need not be asked for; where it is false, for others there is none.

Two thoughts about one view from the same carried are equal, and an answer may be kept for all views of its public state.
"""

from typing import Any, NamedTuple, Protocol

from ...strategy import Strategy
from ...walk.slices import Budget


class Answer(NamedTuple):
    """What came of a thought."""

    strategy: Strategy  # what to play here: a row for each information set that the search has answered
    carried: Any  # to the player's next decision
    iterations: int  # that were made for it
    note: str = ""  # a warning about the answer, or an empty text


class Online(Protocol):
    """A search that thinks at the table."""

    name: str  # what it is called in tables
    whole: bool  # whether an answer holds for all information sets of the player in the public state, or for the view alone

    def begin(self, game: Any, player: int, seed: int, *path: int) -> Any:
        """What the search carries to the first decision of a player; the path splits the seed."""

    def think(self, carried: Any, view: int, spend: Budget) -> Answer:
        """What to play where the player, who is to move, has this view."""
