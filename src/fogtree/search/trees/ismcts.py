"""IS-MCTS: Monte Carlo tree search over information sets (Cowling et al. 2012; Lisý 2014, Algorithm 1).

An iteration plays the real game once, from its start or from a state that the searching player believes possible:

    select     at an information set of the player to move that has statistics, its bandit chooses the action
    expand     the first set without statistics is given new ones, and its bandit chooses for the first time
    simulate   from there on the judge says what everybody gets; by default everybody plays on at random
    update     every set on the way learns what its player got

Chance is sampled. Simultaneous moves are played one after the other, unseen. Statistics are kept for an information set, not
a state, so a player's choice cannot depend on what they do not see. One table serves all players.

We differ from the paper in two points. Sets with a single action have nothing to learn and get no statistics, so the tree
grows faster. The code that came with the paper starts the statistics of a set again at each of its states; here they are
started once, as the paper's text says.
"""

import math
from typing import Any

import numpy as np

from ...bandits import as_bandit
from ...entrance import PRIOR
from ...game import CHANCE, NONE, OVER
from ...judges import Playout, as_judge
from ...kernels import inlined, kernel
from ...policy import as_policy, draw_chance
from ...text.naming import as_game
from ...walk.slices import Watcher, whole
from .anytime import DEFAULT_MEMORY, TreeSearch
from .prior import LATER, Even, Waiting, Weighed, new_places
from .roots import EvenRoots, roots_of
from .tree import ITERATIONS


@kernel
def search_slice(game, bandit, judge, prior, tree, roots, growing, iterations, random):
    """Iterate from the roots (`roots.py`); returns the iterations done before the tree was full, or a trouble."""
    need = bandit.slots(tree.room.choice.shape[0])
    for done in range(iterations):
        if growing and not tree.has_room(need, 1):
            return done
        number = roots.draw(random)
        for word in range(roots.state.shape[1]):
            tree.state[word] = roots.state[number, word]
        tree.room.ear.fresh()
        now = bandit.at(1.0 + tree.used[ITERATIONS])
        length = simulate(game, now, judge, prior, tree, growing, random)
        if length < 0:
            return length
        if not tree.room.ear.has_room():
            return done
        tree.learn(now, length)
        tree.used[ITERATIONS] += 1
    return iterations


@inlined
def simulate(game, bandit, judge, prior, tree, growing, random):
    """Select, expand and simulate from the present state, and write what everybody got; returns the length of the path to
    learn from, or a trouble."""
    length, state, room = 0, tree.state, tree.room
    count, player, view = 0, CHANCE, np.int64(0)  # count: the actions of a set that is to be entered, or 0
    for _ in range(room.moves):  # a game that is longer than it says is the judge's to find
        player = game.player(state)
        if player == OVER:
            break
        if player == CHANCE:
            action = draw_chance(game, state, room, random)
        else:
            view = game.view(state, player)
            i = tree.table.find(view, player)
            if i == NONE:
                count = game.actions(state, room.choice)
                if count > 1:
                    break
                count, action = 0, room.choice[0]  # there is nothing to choose
            else:
                action = chosen_at(bandit, tree, i, player, length, random)
                length += 1
            room.ear.note(player, action)
        game.step(state, action)
    if count > 1 and growing:  # after the loop: lanes that run side by side (`many.py`) all come here at once
        count = prior.enter(game, state, player, room, count)
        if count < 0:
            return count
        if count != LATER:
            i = tree.expand(bandit, view, player, count, length)
            action = chosen_at(bandit, tree, i, player, length, random)
            length += 1
            room.ear.note(player, action)
            game.step(state, action)
    trouble = judge.finish(game, state, tree.payoff, room, random)
    return trouble if trouble < 0 else length


@inlined
def chosen_at(bandit, tree, i, player, length, random):
    """The action that the bandit chooses at a set, which is added to the path."""
    first, _ = tree.actions(i)
    return np.int64(tree.action[first + tree.choose(bandit, i, player, length, random)])


class ISMCTS(TreeSearch):
    """A search that can be stopped and continued.

        search = ISMCTS(Goofspiel(cards=6), RegretMatching(), seed=1)
        search.run(seconds=5)
        exploitability(game, search.strategy())

    The same seed and iterations give the same tree, however they are divided into runs. `judge` says how a simulation ends
    (`judges.py`). `prior` is a policy that weighs the actions of a new set and prunes those of weight 0 (`prior.py`).
    `memory` limits its bytes and `sets` its information sets. When a limit is reached, the tree stops growing, the search
    continues in the tree that it has, and `note` says so. With `waiting` places a set is entered when it is met for the
    second time, which saves memory where sets have hundreds of actions.

    `run(threads=2)` grows two trees at once, each by half of the iterations, and shares the limits between them. Then the
    result depends on the seed, the iterations and the threads.
    """

    name = "IS-MCTS"

    def __init__(
        self,
        game: Any,
        bandit: Any,
        seed: int = 0,
        *,
        judge: Any = Playout(),  # noqa: B008  (a tuple cannot change)
        prior: Any = None,
        waiting: int = 0,
        memory: float = DEFAULT_MEMORY,
        sets: float = math.inf,
    ):
        game, places = as_game(game), whole(waiting, "waiting", 0)
        room = lambda: new_places(places) if places else None  # noqa: E731
        super().__init__(game, as_bandit(bandit), seed, memory=memory, sets=sets, extra=room)
        self.judge, self.waiting = as_judge(judge), places
        self.prior = Even() if prior is None else Weighed(as_policy(game, prior, PRIOR))
        self._start = np.zeros((1, game.shape().words), np.int64)
        game.start(self._start[0])

    def run(
        self,
        *,
        iterations: int | None = None,
        seconds: float | None = None,
        roots: Any = None,
        weights: Any = None,
        threads: int = 1,
        progress: Watcher | None = None,
    ) -> "ISMCTS":
        """Search for so many more iterations or seconds. `roots` [states, words] are the states believed possible, drawn by
        `weights` [states] or, without them, each equally likely; or they are made before (`roots.py`). Without roots the
        search is from the start of the game."""
        begin = EvenRoots(self._start) if roots is None else roots_of(self.game, roots, weights)

        def simulate(searcher, count):
            growing, random = not searcher.full, searcher.random
            prior = self.prior if searcher.extra is None else Waiting(self.prior, searcher.extra)
            parts = self.game, self.bandit, self.judge, prior
            return search_slice(*parts, searcher.tree, begin, growing, count, random)

        self._run(
            simulate,
            iterations=iterations,
            seconds=seconds,
            threads=threads,
            progress=progress,
            whose="the policy of the prior or of the judge",
        )
        return self
