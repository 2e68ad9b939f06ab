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

from typing import Any, NamedTuple

import numpy as np

from .. import dice
from ..errors import Invalid
from ..kernels import kernel
from ..text.naming import name

MOST_SETS = 1 << 20
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

    def play_all(self, bandit, growth, games, random):
        """Many games."""
        while games > 0 and (self.odds.shape[0] > 2 or self.clock[UNMET] > 0):
            self.play(bandit, growth, random)
            games -= 1
        rows, columns, turn = self.width[0], self.width[1], self.base[1]
        first, second = self.memory[:turn], self.memory[turn:]
        for _ in range(games):  # one choice each, from sets that are there: nothing to look up
            row, drawn = bandit.choose(first, rows, random)
            column, drawn_too = bandit.choose(second, columns, random)
            bandit.learn(second, columns, column, drawn_too, self.gain[1, row, column])
            bandit.learn(first, rows, row, drawn, self.gain[0, row, column])


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
    clock = selectors.clock
    while clock[STEP] < record.mark.shape[0] and games > 0:
        now = min(games, record.mark[clock[STEP]] - clock[DONE])
        selectors.play_all(bandit, growth, now, random)
        clock[DONE] += now
        games -= now
        if clock[DONE] == record.mark[clock[STEP]]:
            record.note(bandit, selectors, clock[STEP])
            clock[STEP] += 1
    return clock[STEP]


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
