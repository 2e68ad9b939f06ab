"""The strategy of a search at the information sets that its own play can reach, where there are too many to search all.

A search that is run at every information set (`everywhere.py`) is run mostly where it never comes: after moves of its own
that it does not make. What it would play there changes nothing that anybody gets, whatever the others do. So here the
sets of one player are visited decision by decision, along the player's own moves alone:

1. the states in which the player decides for the first time, after any moves of the others, each with its weight;
2. the search is run at each of these sets, several times, and the mean of what it would play is its strategy there;
3. every action that it plays at all is followed, through any moves of chance and of the others, to the next decisions.

The weight of a state is the probability of all moves that were not the player's own, if everybody else plays at random, as
in `everywhere.py`. The strategies of both players together are all that a best response can ever meet, so what it gets is
exact (`solvers/streamed/stream.py`), and so is what two such strategies get against each other (`expected.py`).
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ..kernels import kernel
from ..policy import Uniform
from ..strategy import Strategy
from ..trouble import require_fine
from ..walk.frontier import WRONG, new_frontier
from .everywhere import Everywhere, Met, Places, nothing_met, shares, written

DONE = -1  # no set is left from which to go on

Mix = Callable[[Places, int], np.ndarray]  # (sets of one decision, its number) -> [sets, actions] the probabilities


class Sets(NamedTuple):
    """A sink (`walk/frontier.py`) for the states in which the player decides next."""

    met: Met
    me: int

    def put(self, state, view, reach):
        if self.met.full():
            return False
        self.met.put(state, view, self.me, reach)
        return True

    def end(self, worth):
        pass


@kernel
def begin_sets(game, sets, frontier):
    """From the start of the game to the player's first decisions. Returns whether there was room."""
    game.start(frontier.state[0])
    return frontier.spread(game, Uniform(), sets, sets.me, 1.0)


@kernel
def follow(game, first, state, weight, action, mix, begin, sets, frontier):
    """From the sets from `begin` on, by every action that is played at all, to the player's next decisions. Returns DONE, or
    the set from which to go on when there is more room."""
    for i in range(begin, first.shape[0] - 1):
        before = sets.met.used[0]
        for a in range(mix.shape[1]):
            if mix[i, a] > 0.0:
                for k in range(first[i], first[i + 1]):
                    frontier.start_from(state[k])
                    game.step(frontier.state[0], action[i, a])
                    if not frontier.spread(game, Uniform(), sets, sets.me, weight[k]):
                        sets.met.used[0] = before
                        return i
    return DONE


@kernel
def list_actions(game, state, first, out, count):
    """Write the actions of each set."""
    for i in range(count.shape[0]):
        count[i] = game.actions(state[first[i]], out[i])


def reached(game: Any, player: int, mix: Mix) -> Strategy:
    """The strategy of one player at the sets with a choice that it can reach, where `mix` says what it plays at a set."""
    shape, frontier, forced = game.shape(), new_frontier(game.shape()), 1
    sets = Sets(nothing_met(shape), player)
    while not begin_sets(game, sets, frontier):
        require_fine(int(frontier.note[WRONG]), game)
        sets = sets._replace(met=sets.met.grown())
        sets.met.used[0] = 0
    none = np.zeros((0, shape.actions))
    rows = [(np.zeros(0, np.int64), none.astype(np.int64), none)]  # of each decision: views, actions, probabilities
    for decision in range(shape.moves + 1):
        if sets.met.used[0] == 0:
            break
        first, state, weight, view, _ = sets.met.in_order()
        action = np.zeros((len(view), shape.actions), np.int64)
        count = np.zeros(len(view), np.int64)
        list_actions(game, state, first, action, count)
        share = np.zeros(action.shape)
        share[count == forced, 0] = 1.0
        if (count > forced).any():
            share[count > forced] = mix(_with_choice(game, player, first, state, weight, view, action, count), decision)
            rows.append((view[count > forced], action[count > forced], share[count > forced]))
        sets, at = Sets(nothing_met(shape), player), 0
        while at != DONE:  # its room doubles, so this ends
            at = follow(game, first, state, weight, action, share, at, sets, frontier)
            require_fine(int(frontier.note[WRONG]), game)
            sets = sets if at == DONE else sets._replace(met=sets.met.grown())
    views, actions, played = (np.concatenate(column) for column in zip(*rows, strict=True))
    return written(game, np.full(len(views), player), views, actions, played)


def reached_by(game: Any, player: int, search: Everywhere, seed: int, runs: int) -> Strategy:
    """The same for a search: at each set the mean of what so many runs would play."""

    def mix(where: Places, decision: int) -> np.ndarray:
        here = search.at(where)
        return shares(where, here.runs([(seed, player, decision, run) for run in range(runs)]))

    return reached(game, player, mix)


def together(first: Strategy, second: Strategy) -> Strategy:
    """One strategy of both players, from one of player 0 and one of player 1."""
    return Strategy(
        first.game,
        np.concatenate([first.player, second.player]),
        np.concatenate([first.view, second.view]),
        np.concatenate([first.first, first.first[-1] + second.first[1:]]),
        np.concatenate([first.action, second.action]),
        np.concatenate([first.probability, second.probability]),
    )


def _with_choice(game, player, first, state, weight, view, action, count) -> Places:
    """The sets with two actions or more."""
    choice = np.flatnonzero(count > 1)
    size = np.diff(first)[choice]
    begins = np.concatenate([[0], np.cumsum(size)])
    rows = np.repeat(first[choice] - begins[:-1], size) + np.arange(begins[-1])
    running = np.cumsum(weight[rows])
    before = np.concatenate([[0.0], running])[begins[:-1]]
    total = running - np.repeat(before, size)
    actions = [action[i, : count[i]].tolist() for i in choice]
    return Places(game, begins, np.full(len(choice), player), view[choice], state[rows], total, actions)
