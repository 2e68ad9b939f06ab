"""A right bandit, policy, evaluation and judge as users would write them: tests break a method, benchmarks/fuzz.py a word."""

from typing import NamedTuple

from fogtree import dice


class Means(NamedTuple):
    """A bandit: the action with the best mean, or any."""

    width: float = 1.0

    def slots(self, k):
        return 2 * k

    def reward(self, payoff, low, high):
        return (payoff - low) / (high - low) if high > low else 0.5

    def choose(self, memory, k, random):
        if dice.unit(random) < 0.5:
            return dice.below(random, k), 0.5 / k
        best = 0
        for i in range(k):
            if memory[k + i] > memory[k + best]:
                best = i
        return best, 0.5 + 0.5 / k

    def learn(self, memory, k, chosen, probability, reward):
        memory[chosen] += 1.0
        memory[k + chosen] += self.width * (reward - memory[k + chosen]) / memory[chosen]

    def policy(self, memory, k, out):
        total = 0.0
        for i in range(k):
            total += memory[i]
        for i in range(k):
            out[i] = memory[i] / total if total > 0.0 else 1.0 / k


class Bold(NamedTuple):
    """A policy: all actions alike, but of two the first so often."""

    first: float = 0.25

    def weigh(self, game, state, player, choice, odds):
        count = game.actions(state, choice)
        for a in range(count):
            odds[a] = 1.0 / count
        if count == 2:
            odds[0], odds[1] = self.first, 1.0 - self.first
        return count


class Level(NamedTuple):
    """An evaluation without any sense."""

    scale: float = 0.01

    def value(self, game, state):
        total = 0
        for word in range(len(state)):
            total += state[word]
        return self.scale * (total % 50)


class Fair(NamedTuple):
    """A judge that draws what the players get."""

    share: float = 0.5

    def finish(self, game, state, payoff, room, random):
        drawn = dice.unit(random)
        for player in range(len(payoff)):
            payoff[player] = self.share * drawn if player == 0 else -self.share * drawn
        return 0
