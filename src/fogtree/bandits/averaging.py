"""What bandits share that draw from a strategy p mixed with exploration, and output the mean of p over all visits.

    q_i = (1 - gamma) p_i + gamma / k

With decay > 0 the exploration shrinks with the visits n: gamma_n = gamma * n^-decay.

Memory: for each action a word of the bandit's own | the sum of p.
"""

from .. import dice
from ..kernels import inlined
from ..text.parameters import accepts, real
from .sharing import scaled, shares


def slots(bandit, k):
    return 2 * k


def policy(bandit, memory, k, out):
    """The mean of the strategies played; uniform where there was no visit."""
    total = 0.0
    for i in range(k):
        total += memory[k + i]
    for i in range(k):
        out[i] = memory[k + i] / total if total > 0.0 else 1.0 / k


def remember(bandit, memory, k, mix, weight):
    """Add a mix to the sums, by a weight."""
    for i in range(k):
        memory[k + i] += weight * mix[i]


def averaging(cls):
    """The decorator of these bandits: they have the parameters gamma and decay, and rewards scaled to [0, 1]."""
    checked = accepts(
        gamma=(real(0, 1, open_low=True), "share of the exploration"),
        decay=(real(0, 1), "how fast the exploration shrinks with the visits n: gamma * n^-decay"),
    )
    return checked(shares(slots, policy, remember, reward=scaled)(cls))


@inlined
def draw(bandit, memory, k, gamma, known, random):
    """Draw from p, which is `bandit.share(memory, i, known)`, mixed with exploration, and add p to its sums; returns the
    position and its probability. `known` is what the shares of all actions have in common."""
    left, chosen, drawn = dice.unit(random), 0, 0.0
    for i in range(k):
        p = bandit.share(memory, i, known)
        memory[k + i] += p
        q = (1.0 - gamma) * p + gamma / k
        if left >= 0.0:  # the last of which this is true is drawn
            chosen, drawn = i, q
        left -= q
    return chosen, drawn


def explored(bandit, memory, k):
    """The share of exploration at this visit; the sums of p add up to the visits before it."""
    if bandit.decay == 0.0:
        return bandit.gamma
    visits = 1.0
    for i in range(k):
        visits += memory[k + i]
    return bandit.gamma * visits**-bandit.decay
