"""Self-play of one bandit in games of hidden simultaneous choices: IS-MCTS without a tree to look things up in.

Nobody sees anything of the other, so a player's information sets are numbered by their own choices: set i has the sets
i * k + 1 ... i * k + k below it, and the numbers past the last set are the plans, one after the other. So no hash
table and no state are needed. Only the bandit's own work is left: tens of millions of games a second.

A game of this kind says so by the optional method `hidden_choices()`, which returns how many rounds it has and from how many
actions each player chooses in a round; its field `payoffs` [plans 0, plans 1] is what player 0 gets from player 1.

A parameter of the search says how new sets are added:

    BySet       a set gets its statistics when it is first met, and chooses at once (search/trees/ismcts.py: the same numbers)
    ByHistory   a *history* met for the first time begins the statistics of its set anew, and the game goes on at random from
                there, before it has chosen; so a player starts again whenever the other tries something new. The library
                behind Briedoň 2015 does this.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from .. import dice
from ..errors import Invalid
from ..kernels import inlined, kernel
from ..text.naming import name

MOST_SETS = 1 << 20
MOST_ASIDE = 64  # words of a player's memory that a lane copies to play in
STEP, DONE, UNMET = 0, 1, 2  # words of the clock: steps recorded | games played | sets or histories not met yet


class BySet(NamedTuple):
    """An information set is entered when it is first met, and chooses from then on."""

    def count(self, widths, rounds):
        return sets(widths[0], rounds) + sets(widths[1], rounds)

    def to_meet(self, widths, rounds):
        return self.count(widths, rounds)

    def number(self, player, own, history, first_sets):
        return own + first_sets * player

    def knows_start(self):
        """Whether the start of the game is there before the first one is played."""
        return False

    def enter(self, memory):
        """Whether the set may choose at once."""
        return True


class ByHistory(NamedTuple):
    """A history is entered when it is first met, begins its information set anew, and is played on at random."""

    def count(self, widths, rounds):
        return sets(max(widths[0], widths[1]), 2 * rounds)

    def to_meet(self, widths, rounds):
        """How many histories can be met; where widths differ, some numbers of histories stand for none."""
        return sum(int(np.prod([widths[t & 1] for t in range(turn)])) for turn in range(2 * rounds))

    def number(self, player, own, history, first_sets):
        return history

    def knows_start(self):
        return True

    def enter(self, memory):
        memory[:] = 0.0
        return False


def sets(width, rounds):
    """How many sets a player has who chooses from so many actions in each round."""
    count = 0
    for _ in range(rounds):
        count = count * width + 1
    return count


class Selectors(NamedTuple):
    """What both players remember, and the room in which they play."""

    gain: np.ndarray  # [2, plans 0, plans 1] what the bandits make of the payoffs
    width: np.ndarray  # [2] actions
    sets: np.ndarray  # [2]
    base: np.ndarray  # [2] where a player's memory begins
    memory: np.ndarray  # set after set, player after player
    met: np.ndarray  # [sets or histories]
    own: np.ndarray  # [2] of this game: the set a player is at
    path: np.ndarray  # [2 * rounds, 2] of this game: where the memory of a set begins, the position chosen
    odds: np.ndarray  # [2 * rounds] with which it was drawn
    clock: np.ndarray  # [3]

    def play(self, bandit, growth, random):
        """One game, from which the bandits learn."""
        self.own[0] = self.own[1] = 0
        history, length, known, widest = 0, 0, True, max(self.width[0], self.width[1])
        for turn in range(self.odds.shape[0]):
            player = turn & 1
            k, own = self.width[player], self.own[player]
            need = bandit.slots(k)
            at = self.base[player] + own * need
            chooses = known
            if known:
                n = growth.number(player, own, history, self.sets[0])
                if not self.met[n]:
                    self.met[n] = True
                    self.clock[UNMET] -= 1
                    chooses, known = growth.enter(self.memory[at : at + need]), False
            if chooses:
                chosen, probability = bandit.choose(self.memory[at : at + need], k, random)
                self.path[length, 0], self.path[length, 1], self.odds[length] = at, chosen, probability
                length += 1
            else:
                chosen = dice.below(random, k)
            self.own[player] = own * k + 1 + chosen
            history = history * widest + 1 + chosen
        row, column = self.own[0] - self.sets[0], self.own[1] - self.sets[1]
        for turn in range(length - 1, -1, -1):
            player = turn & 1
            k, at = self.width[player], self.path[turn, 0]
            memory = self.memory[at : at + bandit.slots(k)]
            bandit.learn(memory, k, self.path[turn, 1], self.odds[turn], self.gain[player, row, column])

    def meet(self, bandit, growth, games, random):
        """Play on until every set has been met, at most so many games; returns how many are left. In a game of several
        rounds it plays all of them."""
        while games > 0 and (self.odds.shape[0] > 2 or self.clock[UNMET] > 0):
            self.play(bandit, growth, random)
            games -= 1
        return games


class InPlace(NamedTuple):
    """The games of one choice each are played in the memory of the selectors."""

    def play(self, bandit, selectors, games, random):
        turn, rows, columns = selectors.base[1], selectors.width[0], selectors.width[1]
        first, second = selectors.memory[:turn], selectors.memory[turn:]
        choose_and_learn(bandit, first, second, rows, columns, selectors.gain, games, random)


class Aside(NamedTuple):
    """They are played in copies of it. A GPU knows the lengths of a lane's scratch when it compiles, so that it unrolls the
    loops over actions and keeps small memories in registers."""

    first: np.ndarray  # [words] of player 0
    second: np.ndarray
    rows: np.ndarray  # [actions] of player 0: only its length is used
    columns: np.ndarray

    def play(self, bandit, selectors, games, random):
        memory, turn = selectors.memory, selectors.base[1]
        for word in range(self.first.shape[0]):
            self.first[word] = memory[word]
        for word in range(self.second.shape[0]):
            self.second[word] = memory[turn + word]
        rows, columns = self.rows.shape[0], self.columns.shape[0]
        choose_and_learn(bandit, self.first, self.second, rows, columns, selectors.gain, games, random)
        for word in range(self.first.shape[0]):
            memory[word] = self.first[word]
        for word in range(self.second.shape[0]):
            memory[turn + word] = self.second[word]


@inlined
def choose_and_learn(bandit, first, second, rows, columns, gain, games, random):
    """One choice each, from sets that are there: nothing to look up."""
    for _ in range(games):
        row, drawn = bandit.choose(first, rows, random)
        column, drawn_too = bandit.choose(second, columns, random)
        bandit.learn(second, columns, column, drawn_too, gain[1, row, column])
        bandit.learn(first, rows, row, drawn, gain[0, row, column])


class Record(NamedTuple):
    """What is noted at each step, for the sets of player 0 and then those of player 1."""

    mark: np.ndarray  # [steps] games played by then
    policy: np.ndarray  # [steps, sets, actions] the strategies to output
    mean: np.ndarray  # [steps, sets, actions] what the bandits think of the actions; NaN where they keep no means

    def note(self, bandit, selectors, step):
        for n in range(self.policy.shape[1]):
            player = 1 if n >= selectors.sets[0] else 0
            k = selectors.width[player]
            need = bandit.slots(k)
            at = selectors.base[player] + (n - player * selectors.sets[0]) * need
            memory = selectors.memory[at : at + need]
            bandit.policy(memory, k, self.policy[step, n])
            bandit.means(memory, k, self.mean[step, n])


@kernel
def play_slice(bandit, growth, selectors, record, games, random):
    """Go on for so many games or to the last mark; returns the steps recorded by then."""
    return go_on(bandit, growth, selectors, record, InPlace(), games, random)


@inlined
def go_on(bandit, growth, selectors, record, place, games, random):
    clock = selectors.clock
    while clock[STEP] < record.mark.shape[0] and games > 0:
        now = min(games, record.mark[clock[STEP]] - clock[DONE])
        left = selectors.meet(bandit, growth, now, random)
        if left > 0:
            place.play(bandit, selectors, left, random)
        clock[DONE] += now
        games -= now
        if clock[DONE] == record.mark[clock[STEP]]:
            record.note(bandit, selectors, clock[STEP])
            clock[STEP] += 1
    return clock[STEP]


class Own(NamedTuple):
    """The scratch of a lane that plays itself: the room of `Selectors`, the dice, and that of `Aside`."""

    own: np.ndarray  # [2]
    path: np.ndarray  # [2 * rounds, 2]
    odds: np.ndarray  # [2 * rounds]
    random: np.ndarray  # [4]
    first: np.ndarray  # [words] of player 0, or one word where the memory is too large for copies
    second: np.ndarray
    rows: np.ndarray  # [actions] of player 0
    columns: np.ndarray


class SelfPlays(NamedTuple):
    """Work: a lane goes on with a self-play of its own for some games. What the players remember lies here between two
    slices."""

    bandit: Any
    growth: Any
    games: int  # of each lane in this slice
    mark: np.ndarray  # [steps]
    width: np.ndarray  # [2]
    sets: np.ndarray  # [2]
    base: np.ndarray  # [2]
    gain: np.ndarray  # [lanes, 2, plans 0, plans 1]
    memory: np.ndarray  # [lanes, words]
    met: np.ndarray  # [lanes, sets or histories]
    clock: np.ndarray  # [lanes, 3]
    random: np.ndarray  # [lanes, 4]
    policy: np.ndarray  # [lanes, steps, sets, actions]
    mean: np.ndarray  # [lanes, steps, sets, actions]

    def writes(self):
        return ("policy", "mean")

    def lane(self, number, own):
        selectors = Selectors(
            self.gain[number],
            self.width,
            self.sets,
            self.base,
            self.memory[number],
            self.met[number],
            own.own,
            own.path,
            own.odds,
            self.clock[number],
        )
        record = Record(self.mark, self.policy[number], self.mean[number])
        for word in range(4):
            own.random[word] = self.random[number, word]
        if own.first.shape[0] > 1:
            aside = Aside(own.first, own.second, own.rows, own.columns)
            go_on(self.bandit, self.growth, selectors, record, aside, self.games, own.random)
        else:
            go_on(self.bandit, self.growth, selectors, record, InPlace(), self.games, own.random)
        for word in range(4):
            self.random[number, word] = own.random[word]


def alike(one: Selectors, other: Selectors) -> bool:
    """Whether their games have the same numbers of actions and rounds, so that they can be played side by side."""
    return one.gain.shape == other.gain.shape and (one.width == other.width).all() and len(one.odds) == len(other.odds)


def bytes_of(selectors: Selectors, steps: int) -> int:
    """What is remembered and noted of a self-play with so many steps."""
    noted = 2 * steps * int(selectors.sets.sum()) * int(selectors.width.max()) * selectors.memory.itemsize
    return noted + sum(array.nbytes for array in (selectors.gain, selectors.memory, selectors.met))


def side_by_side(
    bandit: Any, growth: Any, each: Sequence[Selectors], random: Any, mark: np.ndarray
) -> tuple[SelfPlays, Own]:
    """Self-plays of games with the same numbers of actions and rounds, and the scratch of their lanes. `random` [lanes, 4]
    are the dice of each."""
    one, steps = each[0], len(mark)
    count, widest = int(one.sets.sum()), int(one.width.max())
    policy, mean = np.zeros((2, len(each), steps, count, widest))
    fields = ("gain", "memory", "met", "clock")
    gain, memory, met, clock = (np.array([getattr(part, field) for part in each]) for field in fields)
    kept = gain, memory, met, clock, random, policy, mean
    work = SelfPlays(bandit, growth, 0, mark, one.width, one.sets, one.base, *kept)
    words = [int(one.base[1]), len(one.memory) - int(one.base[1])]
    if len(one.odds) > 2 or max(words) > MOST_ASIDE:
        words = [1, 1]
    scratch = *map(np.zeros, words), *(np.zeros(int(k)) for k in one.width)
    return work, Own(one.own, one.path, one.odds, np.zeros(4, np.uint64), *scratch)


def new_selectors(game: Any, bandit: Any, growth: Any = BySet()) -> Selectors:  # noqa: B008  (it is immutable)
    """Two players who remember nothing yet."""
    if not hasattr(game, "hidden_choices"):
        raise Invalid(f"self-play needs a matrix game or a game of rounds, not {name(game)}")
    rounds, *widths = game.hidden_choices()
    if min(widths) < 2:
        raise Invalid(f"self-play needs two actions or more for each player, not {min(widths)}")
    count = np.array([sets(k, rounds) for k in widths])
    if (met := growth.count(widths, rounds)) > MOST_SETS:
        raise Invalid(f"self-play keeps every set in mind, at most {MOST_SETS:,}: {met:,} are too many")
    shape = game.shape()
    gain = [[[bandit.reward(s * u, shape.low, shape.high) for u in row] for row in game.payoffs] for s in (1.0, -1.0)]
    words = [count[player] * bandit.slots(widths[player]) for player in (0, 1)]
    selectors = Selectors(
        np.array(gain, np.float64),
        np.array(widths, np.int64),
        count,
        np.array([0, words[0]]),
        np.zeros(sum(words)),
        np.zeros(met, np.bool_),
        np.zeros(2, np.int64),
        np.zeros((2 * rounds, 2), np.int64),
        np.zeros(2 * rounds),
        np.zeros(3, np.int64),
    )
    selectors.met[0] = growth.knows_start()
    selectors.clock[UNMET] = growth.to_meet(widths, rounds) - selectors.met[0]
    return selectors
