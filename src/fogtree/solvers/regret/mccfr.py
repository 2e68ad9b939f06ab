"""Monte Carlo counterfactual regret minimisation: external and outcome sampling (Lanctot, Waugh, Zinkevich, Bowling 2009).

For games too large to enumerate: the game itself is played, and an information set gets memory when it is first met. A set
I keeps for each action a regret and a sum of mixes; its present mix is in proportion to the positive regrets, uniform where
there are none (regret matching). An iteration updates each player in turn, who already faces the new mixes of those
before. An update of player i adds to the regrets an unbiased estimate of what CFR would add,

    r(I, a) = v(I, a) - sum_b mix(b) v(I, b),    v(I, a) = sum over h in I of pi_-i(h) u_i(ha),

where pi_-i is the reach of all but i, and u_i the payoff that i expects. Chance and the other player are sampled by their
odds and mixes, so that pi_-i is how often h is met. Of i's own actions a scheme, which is handed in, follows some:

* External sampling follows all. With u(a) what came back from a, r(I, a) = u(a) - sum_b mix(b) u(b).
* Outcome sampling follows one, drawn by q(a) = explore / k + (1 - explore) mix(a). If x came back from it, u(a) is x / q(a),
  and u(b) = 0 for the others; r as before, divided by q(h), the probability of i's own actions before h.

What goes back from a decision is sum_b mix(b) u(b). For outcome sampling that makes the paper's r(I, a) = w (1 - mix(a)) for
the action drawn and -w mix(a) for the others, w = u_i(z) pi_-i(z) pi_i(ha, z) / q(z), where the odds of all but i cancel.

The average strategy, which is what converges, is gathered where a player is sampled by the mix, in the other's updates: a
visit adds mix / q(h) to the sum of the set, q(h) = 1 in external sampling. In expectation that is pi_i(I) mix times the sum
over h in I of the odds of chance, which no strategy changes. (For outcome sampling the paper weighs a visit by the reach of
its own player over the probability of all moves, chance's too. That averages right as well, with more variance.)

In a two-player zero-sum game the averages converge to an equilibrium. In others they need not (`general_cfr.py`).

Iteration t weighs t^power in regrets and sums alike: 0 is the paper's, 1 is linear CFR (Brown and Sandholm 2019).

Sets with one action have nothing to learn and get no memory. The traversal keeps its stack in arrays, so that it stops
anywhere, for the clock or for more room, and goes on as if it had not: what is learned depends on the seed alone.
"""

from typing import Any, NamedTuple

import numpy as np

from ... import dice
from ...errors import Invalid
from ...game import CHANCE, NONE, OVER
from ...kernels import inlined, kernel
from ...strategy import Strategy
from ...text.naming import as_game
from ...text.parameters import accepts, real
from ...trouble import ENDLESS, UNEQUAL, require_fine
from ...walk import table as tables
from ...walk.slices import Budget, Progress, Watcher, budget, in_slices, number, telling
from ..forms.infosets import bytes_of, longer

DONE, NO_ROOM, CLOSED = -12, -13, -14  # beside trouble.py's numbers: why a traversal stopped, or why a set has no place
UPDATES, ROW = 0, 1  # words of Path.at
DEFAULT_MEMORY = 4 * 2**30  # not a share of the machine's: the same run gives the same result elsewhere


class External(NamedTuple):
    """External sampling: all actions of the updated player, one of chance and of the other player."""

    def choose(self, mix, odds, count, random):
        """Which of its actions the updated player follows first, and the probability of that; odds is scratch."""
        return count - 1, 1.0

    def then(self, chosen):
        """Which is followed after it, or NONE."""
        return chosen - 1


@accepts(explore=real(0, 1, open_low=True))
class Outcome(NamedTuple):
    """Outcome sampling: one end of the game; the updated player explores with this probability."""

    explore: float = 0.6

    def choose(self, mix, odds, count, random):
        for a in range(count):
            odds[a] = self.explore / count + (1.0 - self.explore) * mix[a]
        chosen = dice.pick(random, odds, count)
        return chosen, odds[chosen]

    def then(self, chosen):
        return NONE


class Store(NamedTuple):
    """What is learned. Set i with k actions holds 2k numbers from 2 * first[i] on: its regrets, then its sum of mixes."""

    table: tables.Table  # (view, player) to i
    first: np.ndarray  # [capacity of the table] the actions before those of set i, counted over all sets
    action: np.ndarray  # [actions of all sets]
    pool: np.ndarray  # [2 * actions of all sets]
    closed: np.ndarray  # [1] 1 when the memory cap is reached: no set is added any more

    def place(self, view, player, action, count):
        """Where a set's numbers begin in the pool; the set is entered if it is new. Or NO_ROOM, CLOSED or UNEQUAL."""
        i = self.table.find(view, player)
        if i == NONE:
            return self.enter(view, player, action, count)
        if self.first[i + 1] - self.first[i] != count:
            return UNEQUAL
        return 2 * self.first[i]

    def enter(self, view, player, action, count):
        i = self.table.used[0]
        begin = self.first[i]  # where the set before ends
        if self.closed[0]:
            return CLOSED
        if self.table.full() or begin + count > self.action.shape[0]:
            return NO_ROOM
        self.table.add(view, player)
        for a in range(count):
            self.action[begin + a] = action[a]
        self.first[i + 1] = begin + count
        return 2 * begin

    def match(self, place, count, mix):
        """Regret matching: write the present mix of a set."""
        match_regrets(self.pool, place, count, mix)

    def remember(self, place, count, mix, weight):
        """Add the mix to the sum of which the average is made."""
        for a in range(count):
            self.pool[place + count + a] += weight * mix[a]

    def learn(self, place, count, mix, worth, weight):
        """Add to the regrets; returns what the mix was worth."""
        value = 0.0
        for a in range(count):
            value += mix[a] * worth[a]
        for a in range(count):
            self.pool[place + a] += weight * (worth[a] - value)
        return value


@inlined
def match_regrets(regret, place, count, mix):
    """Write the mix of a set whose regrets stand from `place` on: in proportion to the positive ones."""
    mass = 0.0
    for a in range(count):
        mix[a] = max(regret[place + a], 0.0)
        mass += mix[a]
    for a in range(count):
        mix[a] = mix[a] / mass if mass > 0.0 else 1.0 / count


class Path(NamedTuple):
    """Where a traversal stands. Row d belongs to the updated player's decision number d on the present path. The moves of
    chance and of the other player happen in place in the row of the decision to come: nothing returns to them."""

    state: np.ndarray  # [rows, words]
    action: np.ndarray  # [rows, actions]
    mix: np.ndarray  # [rows, actions]
    worth: np.ndarray  # [rows, actions] estimates u(a)
    place: np.ndarray  # [rows] in the pool
    width: np.ndarray  # [rows] how many actions
    chosen: np.ndarray  # [rows] position of the action that is being followed
    odds: np.ndarray  # [rows] q of that action
    weight: np.ndarray  # [rows] t^power / q(h)
    depth: np.ndarray  # [rows] moves of the game up to there
    at: np.ndarray  # [2] updates finished | present row, or NONE between two updates
    random: np.ndarray  # [4] dice

    def decide(self, game, scheme, row, place, count):
        """Open a decision of the updated player, whose mix is written; returns the row of what follows."""
        self.place[row], self.width[row] = place, count
        chosen, odds = scheme.choose(self.mix[row], self.worth[row], count, self.random)
        for a in range(count):
            self.worth[row, a] = 0.0  # what an action is worth that is not followed
        self.odds[row] = odds
        self.weight[row + 1] = self.weight[row] / odds
        return self.follow(game, row, chosen)

    def follow(self, game, row, chosen):
        self.chosen[row] = chosen
        child, parent = self.state[row + 1], self.state[row]
        for word in range(child.shape[0]):
            child[word] = parent[word]
        game.step(child, self.action[row, chosen])
        self.depth[row + 1] = self.depth[row] + 1
        return row + 1

    def back(self, game, scheme, store, row, value):
        """Take the worth of an end back to the last decision with an action left to follow, and learn on the way."""
        while row > 0:
            row -= 1
            chosen = self.chosen[row]
            self.worth[row, chosen] = value / self.odds[row]
            chosen = scheme.then(chosen)
            if chosen != NONE:
                return self.follow(game, row, chosen)
            value = store.learn(self.place[row], self.width[row], self.mix[row], self.worth[row], self.weight[row])
        return NONE


@kernel
def traverse(game, scheme, store, path, players, power, goal, steps):
    """Go on until there were `goal` updates, for at most so many histories; returns DONE, or why it stopped."""
    updates, row = path.at[UPDATES], path.at[ROW]
    ended = DONE
    while updates < goal and steps > 0 and ended == DONE:
        steps -= 1
        me = updates % players
        if row == NONE:
            row = 0
            game.start(path.state[0])
            path.depth[0] = 0
            if me == 0:
                path.weight[0] = (1.0 + updates // players) ** power
        state, action, mix = path.state[row], path.action[row], path.mix[row]
        player = game.player(state)
        if player == OVER:
            row = path.back(game, scheme, store, row, game.payoff(state, me))
            updates += row == NONE
            continue
        if path.depth[row] + 1 == path.depth.shape[0]:
            ended = ENDLESS
            continue
        count = game.actions(state, action)
        if count == 1:
            game.step(state, action[0])
            path.depth[row] += 1
            continue
        if player == CHANCE:
            game.odds(state, mix)
        else:
            place = store.place(game.view(state, player), player, action, count)
            if place == NO_ROOM or place == UNEQUAL:
                ended = place
                continue
            if place == CLOSED:
                for a in range(count):
                    mix[a] = 1.0 / count
            else:
                store.match(place, count, mix)
                if player == me:
                    row = path.decide(game, scheme, row, place, count)
                    continue
                store.remember(place, count, mix, path.weight[row])
        game.step(state, action[dice.pick(path.random, mix, count)])
        path.depth[row] += 1
    path.at[UPDATES], path.at[ROW] = updates, row
    return ended


class MCCFR:
    """Sampled regret minimisation that can be stopped and continued.

        mccfr = MCCFR(game, External(), seed=1)
        mccfr.run(seconds=10)
        exploitability(game, mccfr.strategy())

    The same seed and iterations give the same result, however they are divided into runs. `memory` limits its bytes. When the
    limit is reached, new sets are played uniformly and nothing is learned about them, all other sets continue to learn, and
    `note` says so.
    """

    def __init__(
        self,
        game: Any,
        scheme: Any = External(),  # noqa: B008  (a tuple cannot change)
        seed: int = 0,
        *,
        power: float = 0.0,
        memory: float = DEFAULT_MEMORY,
    ):
        game = as_game(game)
        if not (isinstance(scheme, tuple) and hasattr(scheme, "choose")):
            raise Invalid(f"a sampling scheme is External() or Outcome(), not {scheme!r}")
        self.game, self.scheme, self.seed = game, scheme, seed
        self.players = game.shape().players
        self.power, self.cap = number(power, "power", finite=True), number(memory, "memory")
        self.path = new_path(game.shape(), seed)
        self.store = new_store(1024)

    @property
    def iterations(self) -> int:
        """How many times all players were updated."""
        return int(self.path.at[UPDATES]) // self.players

    @property
    def infosets(self) -> int:
        """How many information sets with a choice have been met."""
        return int(self.store.table.used[0])

    @property
    def memory(self) -> int:
        """Bytes."""
        return bytes_of(self.store) + bytes_of(self.path)

    @property
    def note(self) -> str:
        """A warning about the result, or an empty text."""
        if not self.store.closed[0]:
            return ""
        sets = f"{self.infosets:,} information sets"
        return f"the memory cap of {self.cap:.3g} bytes was reached at {sets}: the others are played uniformly"

    def run(
        self, *, iterations: int | None = None, seconds: float | None = None, progress: Watcher | None = None
    ) -> "MCCFR":
        """Run for so many more iterations or seconds. `progress` is called after each slice and may raise."""
        spend = budget(iterations, seconds)
        goal = None if iterations is None else self.iterations + int(spend.iterations)
        updates = np.iinfo(np.int64).max if goal is None else self.players * goal

        def work(histories: int) -> int:  # an iteration may be long, so that slices are of histories
            how = self.game, self.scheme, self.store, self.path, self.players, self.power
            ended = traverse(*how, updates, histories)
            require_fine(ended, self.game)
            return 0 if ended == NO_ROOM else histories

        in_slices(
            work,
            Budget(seconds=spend.seconds),
            tell=telling(progress, lambda: Progress("iterations", self.iterations, goal)),
            grow=self._grow,
            finished=lambda: self.path.at[UPDATES] >= updates,
            first=1 << 12,
        )
        return self

    def strategy(self) -> Strategy:
        """The average strategy of all players, at the sets where they have been sampled."""
        table, first, action, pool, _ = self.store
        sets = self.infosets
        entry = table.slot[table.slot[:, tables.OWNER] != tables.EMPTY]
        owner = np.empty_like(entry)  # in the order of the numbers
        owner[entry[:, tables.OWNER] >> 8] = entry
        begin, width = first[:sets], np.diff(first[: sets + 1])
        total = pool[np.arange(first[sets]) + np.repeat(begin + width, width)]
        mass = np.add.reduceat(total, begin) if sets else np.zeros(0)
        met = mass > 0.0
        pair = np.repeat(met, width)
        return Strategy(
            self.game,
            owner[met, tables.OWNER] & 255,
            owner[met, tables.VIEW],
            np.append(0, np.cumsum(width[met])),
            action[: len(pair)][pair],
            total[pair] / np.repeat(mass[met], width[met]),
        )

    def _grow(self) -> None:
        """Twice the room where it is short, or none for new sets any more if that would break the cap."""
        store = self.store
        sets = 2 * (store.table.slot.nbytes + store.first.nbytes) if store.table.full() else 0
        short = store.first[self.infosets] + self.path.action.shape[1] > len(store.action)
        actions = 2 * (store.action.nbytes + store.pool.nbytes) if short else 0
        if self.memory + sets + actions > self.cap:  # the old arrays stay until the new ones are filled
            store.closed[0] = 1
            return
        if sets:
            store = longer(store, "first")._replace(table=store.table.grown())
        if actions:
            store = longer(store, "action", "pool")
        self.store = store


def new_store(capacity: int) -> Store:
    """An empty store whose table has so many slots, a power of two from 4 on."""
    return Store(
        tables.empty(capacity),
        np.zeros(capacity, np.int64),  # the table never fills, so this is one more than there can be sets
        np.zeros(4 * capacity, np.int32),
        np.zeros(8 * capacity),
        np.zeros(1, np.int64),
    )


def new_path(shape: Any, seed: int) -> Path:
    """The room for a traversal, and its dice."""
    rows = shape.moves + 1
    wide = (rows, shape.actions)
    return Path(
        state=np.zeros((rows, shape.words), np.int64),
        action=np.zeros(wide, np.int64),
        **{field: np.zeros(wide) for field in ("mix", "worth")},
        **{field: np.zeros(rows, np.int64) for field in ("place", "width", "chosen", "depth")},
        **{field: np.ones(rows) for field in ("odds", "weight")},
        at=np.array([0, NONE], np.int64),
        random=dice.seeded(seed),
    )
