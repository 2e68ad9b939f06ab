"""`check(game)`: does a game keep the contract of `game.py`? For ours in the tests, and for yours.

A small game is walked whole, a large one from the root as far as the budget goes and then along random games. The walk is
plain Python over the game's own methods, so that an error in them shows with its traceback; at the end the same random
games are played interpreted and compiled and must agree to the last bit. The rules, under the method that would break
them:

    shape     sizes are whole numbers from 1 up, payoffs have finite bounds, low <= high; where it says that the game is
              open, no player who is to move has the same view after two different courses of moves
    start     writes the whole state: the same whatever stood there before
    player    is one of the players, CHANCE or OVER; the game ends within shape().moves
    actions   one or more, ascending, not negative, at most shape().actions
    odds      positive, sum to 1
    step      is the only method that changes the state, and does so the same way each time;
              it changes the row that it is given, not a copy, by whole numbers
    payoff    finite, within [low, high], sums to 0 where shape().zero_sum says so
    view      a whole number; the same view means the same legal actions, the same own past (perfect recall) and the
              same earlier views (nothing seen is forgotten); `seen` gets symbols below its radix
    show      a text; a player sees the same text wherever their view is the same: nothing hidden leaks
    draw      and the same shapes, in the first histories
    label     a text; different actions have different labels, the same wherever the player's view is the same, and read()
              finds each action by its label

and of the methods that a game may have besides:

    side_of   numbers the sides from 0 without gaps, player 0 on side 0; payoffs are equal within a side
    position  a whole number; where it is the same, so are the player to move and the legal actions, and in an open game all
              that may follow: the ends and, where the whole tree was walked, everything below
    noisy     some of the legal actions, ascending
    urgent    True or False, the same wherever the position is
    promise   a finite number for each legal action
    skip      True or False; it leaves the state as it was, or lets somebody else move
    by_course True or False where the game is over
    live      from 1 to shape().words; what stands behind so many words changes nothing that the game says
    imagine   keeps the player's view and the player to move, and depends on the view and on the dice alone: from two states
              with one view, the same dice make the same state and are left the same. Where the whole tree was walked,
              what it makes is a state of the tree with that view, and it draws these states evenly, or by the odds of chance
              and of others who play at random (chi-square tests, with fixed dice)
"""

from typing import Any, NamedTuple

import numpy as np

from .compiled import compare_with_compiled
from .entry import admit, unchecked, vouch
from .imagining import BY_ODDS, EVENLY, check_imagined
from .walk import walking

__all__ = ["BY_ODDS", "EVENLY", "Report", "admit", "check", "unchecked"]

TRACED = 20  # random games, interpreted and compiled
LONG = 1_000  # moves: of games that may take longer, no more random games are compared than were asked for


class Report(NamedTuple):
    """What a passed check has looked at."""

    histories: int
    ends: int
    infosets: int
    complete: bool  # the whole tree, not a part of it
    imagined: str = ""  # how `imagine` was found to draw states, in a whole tree: EVENLY or BY_ODDS
    hints: tuple[str, ...] = ()  # what the game might say of itself


def check(game: Any, *, histories: int = 20_000, games: int = 200, seed: int = 0) -> Report:
    """Walk a game and raise `Broken`, with the method, the moves and the rule, at the first rule that it breaks."""
    with np.errstate(over="ignore"), unchecked():  # views may be hashes, which wrap round
        with walking(game, seed) as walk:
            complete = walk.explore(histories)
            if not complete:
                for _ in range(games):
                    walk.play()
            if complete:
                walk.check_below()
        walk.game = game  # from here on its code itself, which is compiled
        compare_with_compiled(game, seed, TRACED if walk.shape.moves < LONG else min(TRACED, max(games, 1)))
        imagined = check_imagined(walk, seed, complete) if walk.imagined else ""
    vouch(game)
    open_too = complete and not walk.hides and not walk.shape.open
    hints = tuple(hint for hint in (walk.leak, OPEN_HINT.format(walk.kind) if open_too else "") if hint)
    return Report(walk.histories, walk.ends, len(walk.decision), complete, imagined, hints)


OPEN_HINT = "{} hides nothing, so its shape() may say open=True, and searches for open games will take it"
