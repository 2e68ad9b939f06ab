"""Arenz 2012, section 4: the trap, a move that is good on average and loses at once.

Basic Monte Carlo plays random games after each move and takes the best mean. It never asks what the other would really
answer, so more simulations do not help it. UCT moves its simulations to the answer that is best for the other, and finds out.

    the mover plays SAFE or TRAP
    after TRAP the other has `replies` answers: one of them wins at once for the other, all others lose
    after SAFE the other has `replies` answers, then the mover has `replies` moves: one of them wins, all others lose

Perfect play wins after SAFE and loses after TRAP. Random play wins (replies - 1) / replies after TRAP and 1 / replies after
SAFE.
"""

from typing import NamedTuple

import numpy as np

from ...bandits import load_bandit
from ...draw.panels import titled
from ...game import OVER, Shape, new_state
from ...measure.intervals import wilson_half
from ...search.trees.mcts import MCTS, flat
from ...text.parameters import accepts
from ..claims import Claim
from ..laboratory import Lab
from ..report import Section

SAFE, TRAP = 0, 1
COUNT, LINE = 0, 1  # state: the moves made | the moves
THE_ONE = 0  # the reply that refutes the trap; the move that wins
SEARCHES = {"basic Monte Carlo": "flat", "UCT, UCB1": "uct", "UCT, UCB1-Tuned": "tuned"}


@accepts(replies=range(2, 100))
class Trap(NamedTuple):
    replies: int = 5

    def shape(self):
        return Shape(2, 4, self.replies, 3, -1.0, 1.0, True, True)

    def start(self, state):
        state[:] = 0

    def player(self, state):
        if state[COUNT] == 3 or (state[COUNT] == 2 and state[LINE] == TRAP):
            return np.int64(OVER)
        return state[COUNT] % 2

    def actions(self, state, out):
        count = 2 if state[COUNT] == 0 else self.replies
        for action in range(count):
            out[action] = action
        return count

    def odds(self, state, out):
        pass

    def step(self, state, action):
        state[LINE + state[COUNT]] = action
        state[COUNT] += 1

    def payoff(self, state, player):
        if state[LINE] == TRAP:
            won = state[LINE + 1] != THE_ONE
        else:
            won = state[LINE + 2] == THE_ONE
        return 1.0 if won == (player == 0) else -1.0

    def view(self, state, player):
        key = state[COUNT]
        for at in range(state[COUNT]):
            key = key * 128 + state[LINE + at]
        return key

    def version(self):
        return 1

    def show(self, state, player):
        return " ".join(str(int(move)) for move in state[LINE : LINE + state[COUNT]])

    def label(self, state, action):
        return ("safe", "trap")[action] if state[COUNT] == 0 else str(int(action))


def trapped(search: str, replies: int, simulations: int, seeds: int) -> dict[str, int]:
    """How many of so many searches of the first position play the trap."""
    game, fell = Trap(replies), 0
    state = new_state(game)
    for seed in range(seeds):
        if search == "flat":
            means = flat(game, state, seed=seed, iterations=simulations)
            action = max(means, key=lambda move: means[move])
        else:
            action = MCTS(game, load_bandit(search), seed).think(state, iterations=simulations).best(state)
        fell += int(action == TRAP)
    return {"fell": fell}


def trap(lab: Lab) -> Section:
    replies = Trap().replies
    sizes, seeds = ((10, 100, 1000), 40) if lab.quick else ((10, 30, 100, 300, 1000, 3000, 10_000), 400)
    pieces = [
        {"search": search, "replies": replies, "simulations": size, "seeds": seeds}
        for search in SEARCHES.values()
        for size in sizes
    ]
    found = lab.map("go-trap", {}, trapped, pieces)
    share = np.array([each["fell"] for each in found], float).reshape(len(SEARCHES), len(sizes)) / seeds
    claims = []
    for name, end in zip(SEARCHES, share[:, -1].tolist(), strict=True):
        what = f"{name} plays the trap after {sizes[-1]:,} simulations (%)"
        claims.append(Claim(what, None, 100 * end, 100 * wilson_half(end, seeds)))
    prose = f"""
        A small game with the trap of the paper's section 4: a move after which {replies - 1} of {replies} answers lose, and
        one wins at once. The other move wins by perfect play, but only one random game in {replies} goes well after it. So
        the mean of random games prefers the trap, however many there are, and basic Monte Carlo keeps playing it. UCT asks
        what the other would answer, and leaves it. Each number is the share of {seeds} searches that played the trap.
    """
    figure, one = titled("The trap: searches that play it", "share", xlabel="simulations")
    for name, shares in zip(SEARCHES, share, strict=True):
        one.plot(sizes, shares, marker="o", markersize=3, label=name)
    one.set_ylim(-0.03, 1.03)
    one.legend(frameon=False)
    rows = [[name, *shares] for name, shares in zip(SEARCHES, share.tolist(), strict=True)]
    tables = {"go-trap-shares": (["search", *(f"{size:,}" for size in sizes)], rows)}
    title = "Section 4: a move that is good on average and loses at once"
    return Section("go-trap", title, prose, claims, tables, {"go-trap": figure})
