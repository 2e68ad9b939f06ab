"""The two gadgets over one tree, by which the other enters what KLUSS solves (Zhang and Sandholm 2025; `kluss.py`).

The roots of the tree are divided into groups J: in each, the other player has seen the same. With v(J) what the searching
player gets on average over the roots of J, and alt(J) what that player could expect so far,

    Resolve      J is drawn by alpha(J); the other exits for alt(J), or enters with probability pi(J)
    Maxmargin    the other chooses J, and the payoff is v(J) - alt(J)

Both are regret minimisers by PCFR+. The weight with which a group is played is

    pmax alpha(J) pi(J) + (1 - pmax) maxmargin(J),     pmax = the largest pi(J),

scaled to sum to 1: Resolve where the other would enter, Maxmargin where it would always exit. Without gates, as at the start
of a game, groups have their weights and nobody chooses.
"""

from typing import NamedTuple

import numpy as np

FIRST_ROOT, ROOTS, GROUP = 0, 1, 2  # words of a group
REACH, ALPHA, ALT, WEIGHT, MEAN, ENTER, ENTER_REGRET, EXIT_REGRET = range(8)  # numbers of a group; reach is the other's
MARGIN, MARGIN_REGRET, MARGIN_NEXT, NUMBERS = range(8, 12)
SAFE = 0.1  # the other enters less often than this: all margins are fine


class Gadgets(NamedTuple):
    group: np.ndarray  # [groups, GROUP] which roots
    number: np.ndarray  # [groups, NUMBERS]
    root: np.ndarray  # [roots] nodes of the tree
    share: np.ndarray  # [roots] of chance and the searching player within the group; they sum to 1 in each
    gated: bool

    def weigh(self):
        """Set the weights of the groups from what the other would do at both gadgets."""
        number, groups, most, total = self.number, self.group.shape[0], 0.0, 0.0
        if not self.gated:
            return
        for j in range(groups):
            most = max(most, number[j, ENTER])
        for j in range(groups):
            resolve = most * number[j, ALPHA] * number[j, ENTER]
            number[j, WEIGHT] = resolve + (1.0 - most) * number[j, MARGIN]
            total += number[j, WEIGHT]
        for j in range(groups):
            number[j, WEIGHT] = number[j, WEIGHT] / total if total > 0.0 else number[j, ALPHA]

    def learn(self):
        """The groups are worth what stands in MEAN: the other's regrets at both gadgets."""
        number, groups = self.number, self.group.shape[0]
        if not self.gated:
            return
        mean = 0.0
        for j in range(groups):
            mean += number[j, MARGIN] * (number[j, ALT] - number[j, MEAN])
        best, total = 0, 0.0
        for j in range(groups):
            row = number[j]
            gain = row[ALT] - row[MEAN]  # of entering
            now = row[ENTER] * gain
            row[ENTER_REGRET] = max(0.0, row[ENTER_REGRET] + gain - now)
            row[EXIT_REGRET] = max(0.0, row[EXIT_REGRET] - now)
            enter, leave = max(0.0, row[ENTER_REGRET] + gain - now), max(0.0, row[EXIT_REGRET] - now)
            row[ENTER] = enter / (enter + leave) if enter + leave > 0.0 else (1.0 if gain > 0.0 else 0.0)
            row[MARGIN_REGRET] = max(0.0, row[MARGIN_REGRET] + gain - mean)
            row[MARGIN_NEXT] = max(0.0, row[MARGIN_REGRET] + gain - mean)
            total += row[MARGIN_NEXT]
            if gain > number[best, ALT] - number[best, MEAN]:
                best = j
        for j in range(groups):
            number[j, MARGIN] = number[j, MARGIN_NEXT] / total if total > 0.0 else (1.0 if j == best else 0.0)
        self.weigh()
