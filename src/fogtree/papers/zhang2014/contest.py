"""Whole games between two sides that search with open cards, in compiled code: for tables that need thousands of them.

The match loop is `measure/match.py`. Both sides are `Sitter`s, policies that search: a bandit at the first decision, one
with open cards below it, worlds and iterations (`search/worlds/pimc.py`). At each decision worlds are drawn by the game's
`imagine`, which is a function of the mover's view and of the dice alone: nobody sees more than they should.

The value of the position to the first side, by the game's evaluation, is noted before each decision: how a side's
prospects rise and fall is what Zhang and Wang 2014 measure.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ... import dice
from ...errors import Invalid
from ...game import NONE, OVER, sides
from ...judges import CutOff, new_room
from ...measure.match import play_out
from ...search.worlds.pimc import Trees, forget, listed, new_trees, roomy, simulate_once
from ...trouble import ENDLESS, require_fine
from ...walk.slices import whole

PLIES = 8  # in a slice
DEALS, FIRST, SECOND = 0, 1, 2  # parts of a seed: chance, and the thoughts of the two sides


class Sitter(NamedTuple):
    """A policy: how one side plays. It throws dice of its own, and can only draw its moves."""

    above: Any  # the bandit of the first decision
    inner: Any  # with open cards
    judge: CutOff
    depth: int  # decisions before the cards are opened, at least 1
    iterations: int  # a move, in all worlds together
    trees: Trees
    worlds: np.ndarray  # [worlds, words]
    share: np.ndarray  # [actions] scratch
    random: np.ndarray

    def draw(self, game, state, player, room, random):
        return decide(game, self, state, player)


class Prospects(NamedTuple):
    """A witness that notes before each decision who decides, and what the position is worth to player 0's side."""

    evaluation: Any
    value: np.ndarray  # [decisions]
    mover: np.ndarray  # [decisions]

    def see(self, game, state, player, decision):
        self.value[decision], self.mover[decision] = self.evaluation.value(game, state), player


def imagine_worlds(game, state, worlds, me, random):
    """Fill the worlds [t, words] with states that the player cannot tell from this one."""
    for world in range(worlds.shape[0]):
        for word in range(worlds.shape[1]):
            worlds[world, word] = state[word]
        game.imagine(worlds[world], me, random)


def decide(game, sitter, state, me):
    """The action of a player, or a trouble."""
    trees, worlds, random = sitter.trees, sitter.worlds, sitter.random
    choice = trees.open.room.choice
    count = listed(game, state, choice)
    if count == 1:
        return choice[0]
    imagine_worlds(game, state, worlds, me, random)
    forget(trees, worlds.shape[0])
    for _ in range(sitter.iterations):
        trouble = simulate_once(
            game, sitter.above, sitter.inner, sitter.judge, trees, worlds, me, sitter.depth, True, random
        )
        if trouble < 0:
            return np.int64(trouble)
    closed = trees.closed
    i = closed.table.find(game.view(state, me), me)
    if i == NONE:
        return np.int64(ENDLESS)  # it cannot be: each simulation begins there
    begin, end = closed.span(sitter.above, i)
    sitter.above.policy(closed.memory[begin:end], count, sitter.share)
    best, ties = 0, 1
    for a in range(1, count):
        if sitter.share[a] > sitter.share[best]:
            best, ties = a, 1
        elif sitter.share[a] == sitter.share[best]:
            ties += 1
            if dice.below(random, ties) == 0:
                best = a
    first, _ = closed.actions(i)
    return np.int64(closed.action[first + best])


class Contested(NamedTuple):
    """How a game went."""

    payoffs: tuple[float, ...]  # [player]
    value: np.ndarray  # [decisions] what the position was worth to player 0's side before each of them
    mover: np.ndarray  # [decisions] who decided
    last: float  # what the last position was worth to player 0's side, by the evaluation


class Contest:
    """Two sides that can play any number of games. `one` and `two` are the bandits of the first decision; side one is
    that of player 0 unless `exchanged` says otherwise. `depths` says for each after how many decisions the cards are opened;
    as many as a game has moves is IS-MCTS.

        contest = Contest(SiGuo(), Risk(r=0.4), UCB1Tuned(), worlds=20, iterations=500)
        played = contest.play(seed=1)
    """

    def __init__(
        self,
        game: Any,
        one: Any,
        two: Any,
        *,
        inner: Any,
        worlds: int,
        iterations: int,
        judge: CutOff,
        depths: tuple[int, int] = (1, 1),
    ):
        if not hasattr(game, "imagine"):
            raise Invalid(f"{type(game).__name__} cannot draw states: it has no method `imagine` (see fogtree.game)")
        if len(set(sides(game))) != 2:
            raise Invalid(f"a contest is for games of two sides, which {type(game).__name__} is not")
        self.game, self.judge, self.shape, self.room = game, judge, game.shape(), new_room(game.shape())
        how = whole(worlds, "worlds", 1), whole(iterations, "iterations", 1)
        both = zip((one, two), depths, strict=True)
        self.sitters = [self._sitter(bandit, inner, *how, whole(depth, "depth", 1)) for bandit, depth in both]

    def _sitter(self, above: Any, inner: Any, worlds: int, iterations: int, depth: int) -> Sitter:
        if hasattr(above, "worlds"):
            above = above._replace(worlds=worlds)
        trees = roomy(new_trees(self.shape, above, inner, worlds), above, inner, iterations, depth)
        room = np.zeros((worlds, self.shape.words), np.int64)
        scratch = np.zeros(self.shape.actions)
        return Sitter(above, inner, self.judge, depth, iterations, trees, room, scratch, dice.seeded(0))

    def play(
        self,
        seed: int,
        *path: int,
        exchanged: bool = False,
        watch: Callable[[np.ndarray, int], Any] | None = None,
    ) -> Contested:
        """A game. The seed and the path give the deal; exchanged or not, the deal is the same. `watch` is called with
        the state and the number of decisions so far, after every PLIES of them."""
        players = self.sitters[::-1] if exchanged else self.sitters
        one, two = (
            sitter._replace(random=dice.seeded(seed, *path, part))
            for sitter, part in zip(players, (FIRST, SECOND), strict=True)
        )
        second = sum(1 << player for player, side in enumerate(sides(self.game)) if side != sides(self.game)[0])
        state, deals = np.zeros(self.shape.words, np.int64), dice.seeded(seed, *path, DEALS)
        value, mover = np.zeros(self.shape.moves), np.zeros(self.shape.moves, np.int64)
        with np.errstate(over="ignore"):
            self.game.start(state)
            made, before = 0, -1
            while made > before:  # it ends: each slice makes a decision, or the game is over
                before = made
                note = Prospects(self.judge.evaluation, value[made:], mover[made:])
                most = min(PLIES, self.shape.moves - made)
                new = play_out(self.game, one, two, second, state, self.room, deals, deals, note, most)
                require_fine(new, self.game, "the policy of the judge")
                made += new
                if watch:
                    watch(state, made)
            require_fine(0 if self.game.player(state) == OVER else ENDLESS, self.game)
            payoffs = tuple(float(self.game.payoff(state, player)) for player in range(self.shape.players))
            last = float(self.judge.evaluation.value(self.game, state))
        return Contested(payoffs, value[:made].copy(), mover[:made].copy(), last)
