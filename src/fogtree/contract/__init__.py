"""`check(game)`: does a game keep the contract of `game.py`? For ours in the tests, and for yours.

A small game is walked whole, a large one in many short parts that begin at random places of random games, as far as the
budget goes. The walk is plain Python over the game's own methods, so that an error in them shows with its traceback; at the
end the same random games are played interpreted and compiled and must agree to the last bit. The rules, under the method
that would break them:

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
              same earlier views (nothing seen is forgotten); `seen` gets symbols below its radix, and no two different
              lists of them make one view. Where not the whole tree was walked, the radices are such that none can
              where a player was told the same at every move, by show and all else, the view is the same (`leaks.py`)
    show      a text; a player sees the same text wherever their view is the same: nothing hidden leaks
    draw      and the same shapes, in the first histories
    label     a text; different actions have different labels, the same wherever the player's view is the same, and read()
              finds each action by its label

and of the methods that a game may have besides:

    public    a whole number; whoever is to move knows it: two histories that the mover cannot tell apart have the same; and
              where it is the same, so were all public keys before it
    symmetries, turn, turned, moved
              on the turned board views, the player to move, payoffs, the odds of chance and legal actions are the turned
              ones, and so is what follows; the first way to turn leaves all as it is, and turning twice is turning once
    observe   finite numbers, as many as observation() says; a player is told the same wherever their view is the same, so
              that nothing hidden leaks; players' actions lie below the number that it names
    simultaneous
              True or False; if True, a round begins with player 0, all others follow in their order, and nobody's view but
              the own changes before the last has chosen
    side_of   numbers the sides from 0 without gaps, player 0 on side 0; payoffs are equal within a side
    position  a whole number; where it is the same, so are the player to move and the legal actions, and in an open game all
              that may follow: the ends and, where the whole tree was walked, everything below
    forget    leaves the position, the player to move, that player's view and the legal actions as they were; where the
              position is the same, so are the views that it leaves to the others
    noisy     some of the legal actions, ascending
    urgent    True or False, the same wherever the position is
    promise   a finite number for each legal action
    skip      True or False; it leaves the state as it was, or lets somebody else move
    by_course True or False where the game is over
    live      from 1 to shape().words; what stands behind so many words changes nothing that the game says
    imagine   keeps the player's view and the player to move, and depends on the view and on the dice alone: from two states
              with one view, the same dice make the same state and are left the same. Where the whole tree was walked,
              what it makes is a state of the tree with that view, and it draws these states evenly, or by the odds of chance
              and of others who play at random (chi-square tests, with fixed dice). Elsewhere the true state comes out in one
              of the ways in which the dice may fall, wherever these are few enough to be tried (`possible.py`)
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ..clock import clock
from ..entrance import PLAYOUT
from ..errors import Invalid
from ..walk.slices import Progress, Watcher, number, whole
from .bandits import Tried, compare_bandit, try_bandit
from .compiled import compare_with_compiled
from .entry import admit, unchecked, vouch
from .guests import BANDIT, GAME, article, kind_of
from .imagining import BY_ODDS, EVENLY, check_imagined
from .leaks import prove_leaks
from .playing import Seen, try_in_states
from .possible import Possible
from .walk import Walk
from .watchdog import Watchdog

__all__ = ["BY_ODDS", "EVENLY", "Report", "admit", "check", "check_guest", "unchecked"]

SECONDS = 60.0
TO_EXPLORE, TO_WALK = 0.4, 0.6  # up to which share of the time the walk goes on: from the start | at random places
TO_IMAGINE, TO_COMPARE = 0.2, 0.1  # shares of the time for what follows
FIRST = 100  # histories, after which it is asked whether the game is large
TRACED = 20  # random games, interpreted and compiled
DRAWS = 300  # from one place, which are counted
LONG = 1_000  # moves: of games that may take longer, no more random games are compared than were asked for
OPEN_HINT = "{} hides nothing, so its shape() may say open=True, and searches for open games will take it"


class Report(NamedTuple):
    """What a passed check has looked at."""

    histories: int
    ends: int
    infosets: int
    complete: bool  # the whole tree, not a part of it
    imagined: str = ""  # how `imagine` was found to draw states, in a whole tree: EVENLY or BY_ODDS
    hints: tuple[str, ...] = ()  # what the game might say of itself
    games: int = 0  # random games, of which parts were looked at
    parts: int = 0  # these parts
    depth: int = 0  # moves of the longest history
    possible: int = 0  # decisions in which the true state was found among those that can be imagined
    imagines: bool = False  # the game has `imagine`


def check(
    game: Any,
    *,
    histories: int = 20_000,
    games: int = 200,
    seconds: float = SECONDS,
    seed: int = 0,
    progress: Watcher | None = None,
) -> Report:
    """Walk a game and raise `Broken`, with the method, the moves and the rule, at the first rule that it breaks.

    A tree of at most this many histories is walked whole. Of a larger one, parts of up to so many random games are looked
    at, as many histories at most, and as far as the seconds go, in which compiling is not counted. `progress` is called now
    and then, with what is being done as its detail.
    """
    histories, games, seconds = (
        whole(histories, "histories", 1),
        whole(games, "games"),
        number(seconds, "seconds", above=0),
    )

    def left(share: float) -> float:
        return clock() + share * seconds

    with np.errstate(over="ignore"), unchecked():  # views may be hashes, which wrap round
        with Watchdog() as dog:
            walk = Walk(game, dog, seed)

            def tell(what: str) -> None:
                if progress:
                    progress(Progress("histories", walk.histories, detail=what))

            complete, played = _walked(walk, histories, games, left(TO_EXPLORE), left(TO_WALK), tell)
            prove_leaks(walk.asked, walk.people.suspects)
            possible = Possible(walk.asked)
            if complete:
                walk.hints.look_below()
            else:
                walk.views.require_exact_keys()
                tell("imagining states")
                possible.look_at_some(walk.imagining.decisions, max(FIRST, histories // 3), TO_IMAGINE * seconds)
        tell("comparing with compiled code")
        traced = TRACED if walk.rules.shape.moves < LONG else min(TRACED, max(games, 1))
        compare_with_compiled(game, seed, traced, left(TO_COMPARE))
        imagined = ""
        if walk.imagining.decisions:
            imagined = check_imagined(game, walk.imagining, seed, complete, left(TO_COMPARE))
    vouch(game)
    open_too = complete and not walk.views.hides and not walk.rules.shape.open
    hints = (walk.people.leak, OPEN_HINT.format(walk.asked.kind) if open_too else "")
    return Report(
        walk.histories,
        walk.ends,
        len(walk.views.decision),
        complete,
        imagined,
        tuple(filter(None, hints)),
        played,
        walk.parts,
        walk.depth,
        possible.decided,
        hasattr(game, "imagine"),
    )


def check_guest(
    thing: Any, game: Any = None, *, histories: int = 2_000, games: int = 100, seconds: float = 10.0, seed: int = 0
) -> Tried | Seen:
    """Try a bandit; or a policy, an evaluation or a judge in states of a game. Raises `Broken` where it breaks its contract,
    and returns how much was tried. `guests.py` says what kinds there are, `bandits.py` and `playing.py` what each must do."""
    kind, end = kind_of(type(thing)), clock() + number(seconds, "seconds", above=0)
    if kind is None or kind is GAME:
        raise Invalid(f"a bandit, a policy, an evaluation or a judge is needed, not a {type(thing).__name__}")
    with unchecked():
        if kind is BANDIT:
            tried = try_bandit(thing, LONG, end, seed, DRAWS)
            compare_bandit(thing, seed=seed)
            return tried
        if game is None:
            raise Invalid(f"{article(kind.name)} is tried in a game: give one")
        limits: dict[str, Any] = {
            "histories": whole(histories, "histories", 1),
            "games": whole(games, "games"),
            "end": end,
        }
        return try_in_states(thing, kind, game, PLAYOUT, **limits, seed=seed, draws=DRAWS)


def _walked(
    walk: Walk, histories: int, games: int, first_end: float, end: float, tell: Callable[[str], Any]
) -> tuple[bool, int]:
    """Whether the whole tree was walked; else of how many random games parts were looked at."""
    first, whole_tree = min(histories, FIRST), "walking from the start on"
    tell(whole_tree)
    if walk.explore(first, first_end):
        return True, 0
    small = first < histories and not walk.is_surely_larger(histories)
    if small and walk.explore(histories - first, first_end, lambda: tell(whole_tree)):
        return True, 0
    limit = walk.histories + histories
    for played in range(games):
        if walk.histories >= limit or (played and clock() >= end):
            return False, played
        walk.look_around(limit, end)
        tell(f"looking at parts of random games, {walk.parts:,} so far")
    return False, games
