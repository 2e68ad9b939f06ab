"""The theory in plain Python: recursion over the tree and dictionaries by information set, slow and obvious.

The arrays and kernels are judged by it, so nothing here uses them. Also a game that is drawn node by node, for trees that
no real game has.
"""

import itertools
from typing import Any, NamedTuple

import numpy as np

from fogtree import CHANCE, OVER, Shape, Strategy
from fogtree.game import legal, new_state, odds

NONE = -1


# --- trees and strategies ----------------------------------------------------------------------------------------


class Node(NamedTuple):
    """A history and all that follows it."""

    player: int
    view: int  # of the player who moves
    actions: list
    odds: list  # of the actions, at chance nodes
    children: list
    payoff: float  # of player 0, at ends


def tree(game, state=None) -> Node:
    """The whole game."""
    with np.errstate(over="ignore"):  # the longest views are hashes, which wrap round
        state = new_state(game) if state is None else state
        player = int(game.player(state))
        if player == OVER:
            return Node(player, 0, [], [], [], float(game.payoff(state, 0)))
        actions, children = legal(game, state), []
        for action in actions:
            child = state.copy()
            game.step(child, action)
            children.append(tree(game, child))
        if player == CHANCE:
            return Node(player, 0, actions, odds(game, state), children, 0.0)
        return Node(player, int(game.view(state, player)), actions, [], children, 0.0)


def nodes(root):
    yield root
    for child in root.children:
        yield from nodes(child)


def infosets(root) -> dict:
    """(player, view) -> actions, in the order in which they are met."""
    return {(node.player, node.view): node.actions for node in nodes(root) if node.player >= 0}


def rows(strategy) -> dict:
    """(player, view) -> {action: probability}, read from the arrays of a strategy."""
    found = {}
    for i, key in enumerate(zip(strategy.player.tolist(), strategy.view.tolist(), strict=True)):
        row = slice(strategy.first[i], strategy.first[i + 1])
        found[key] = dict(zip(strategy.action[row].tolist(), strategy.probability[row].tolist(), strict=True))
    return found


def strategy_of(game, table) -> Strategy:
    """The way back from `rows`."""
    sizes = [len(row) for row in table.values()]
    return Strategy(
        game,
        [player for player, _ in table],
        np.array([view for _, view in table], np.int64),
        [0, *itertools.accumulate(sizes)],
        [action for row in table.values() for action in sorted(row)],
        [row[action] for row in table.values() for action in sorted(row)],
    )


def random_table(root, seed, listed=1.0) -> dict:
    """Random probabilities, some of them 0 and some left out; a share of the sets is listed."""
    random = np.random.default_rng(seed)
    table = {}
    for key, actions in infosets(root).items():
        if random.random() < listed:
            weight = random.random(len(actions)) * (random.random(len(actions)) < 0.8)
            weight[random.integers(len(actions))] += 0.1
            share = (weight / weight.sum()).tolist()
            table[key] = {a: p for a, p in zip(actions, share, strict=True) if p > 0 or random.random() < 0.5}
    return table


def random_strategy(game, root, seed, listed=1.0) -> Strategy:
    return strategy_of(game, random_table(root, seed, listed))


def weights(node, table) -> list:
    """The probabilities of a node's actions: chance's, the table's, or equal where it does not list the set."""
    if node.player == CHANCE:
        return node.odds
    row = table.get((node.player, node.view))
    return [1 / len(node.actions) if row is None else row.get(action, 0.0) for action in node.actions]


# --- values ------------------------------------------------------------------------------------------------------


def value(node, table) -> float:
    """What player 0 expects when both play by the table."""
    if node.player == OVER:
        return node.payoff
    return sum(p * value(child, table) for p, child in zip(weights(node, table), node.children, strict=True))


def best_value(root, table, me) -> float:
    """What player `me` gets by answering the other's table as well as possible."""
    met: dict = {}  # view -> the histories of the set, each with the others' reach
    stack = [(root, 1.0)]
    while stack:
        node, reach = stack.pop()
        share = [1.0] * len(node.actions)
        if node.player == me:
            met.setdefault(node.view, []).append((node, reach))
        elif node.player != OVER:
            share = weights(node, table)
        stack += [(child, reach * p) for child, p in zip(node.children, share, strict=True)]
    choice: dict = {}
    known: dict = {}

    def worth(node):
        if id(node) not in known:
            known[id(node)] = below(node)
        return known[id(node)]

    def below(node):
        if node.player == OVER:
            return node.payoff if me == 0 else -node.payoff
        if node.player == me:
            return worth(node.children[chosen(node.view)])
        return sum(p * worth(child) for p, child in zip(weights(node, table), node.children, strict=True))

    def chosen(view):
        if view not in choice:
            width = len(met[view][0][0].actions)
            sums = [sum(reach * worth(node.children[a]) for node, reach in met[view]) for a in range(width)]
            choice[view] = sums.index(max(sums))
        return choice[view]

    return worth(root)


def best_of_all(root, table, me) -> float:
    """The same by trying every pure strategy there is."""
    own = {key: actions for key, actions in infosets(root).items() if key[0] == me}
    sign = 1 if me == 0 else -1
    return max(
        sign * value(root, table | {key: {action: 1.0} for key, action in zip(own, plan, strict=True)})
        for plan in itertools.product(*own.values())
    )


def total(root, table) -> float:
    """The sum of both players' gains."""
    return best_value(root, table, 0) + best_value(root, table, 1)


# --- counterfactual regret minimisation --------------------------------------------------------------------------


class PlainCFR:
    """CFR by the book (Zinkevich et al. 2007): recursion over histories, one player updated after the other, each average
    over the strategies after the update. `plus` cuts regrets at 0 (Tammelin 2014); iteration t weighs t^gamma."""

    def __init__(self, root, plus: bool, gamma: float):
        self.root, self.plus, self.gamma, self.iterations = root, plus, gamma, 0
        self.regret = {key: dict.fromkeys(actions, 0.0) for key, actions in infosets(root).items()}
        self.sum = {key: dict.fromkeys(actions, 0.0) for key, actions in infosets(root).items()}
        self.mix = {key: dict.fromkeys(actions, 1 / len(actions)) for key, actions in infosets(root).items()}

    def iterate(self):
        self.iterations += 1
        for me in (0, 1):
            gain = {key: dict.fromkeys(row, 0.0) for key, row in self.regret.items()}
            self.descend(self.root, me, 1.0, gain)
            for key in self.regret:
                if key[0] == me:
                    self.match(key, gain[key])
            self.add(self.root, me, 1.0, set())

    def weight(self):
        return self.iterations**self.gamma

    def descend(self, node, me, others, gain):
        """The value of a history to `me`; others: its reach by all but `me`."""
        if node.player == OVER:
            return node.payoff if me == 0 else -node.payoff
        share = weights(node, self.mix)
        if node.player != me:
            below = [self.descend(c, me, others * p, gain) for p, c in zip(share, node.children, strict=True)]
            return sum(p * v for p, v in zip(share, below, strict=True))
        below = [self.descend(child, me, others, gain) for child in node.children]
        mean = sum(p * v for p, v in zip(share, below, strict=True))
        for action, v in zip(node.actions, below, strict=True):
            gain[me, node.view][action] += others * (v - mean)
        return mean

    def match(self, key, gain):
        for action, more in gain.items():
            new = self.regret[key][action] + more
            self.regret[key][action] = max(new, 0.0) if self.plus else new
        positive = {action: max(regret, 0.0) for action, regret in self.regret[key].items()}
        mass = sum(positive.values())
        self.mix[key] = {a: r / mass if mass > 0 else 1 / len(positive) for a, r in positive.items()}

    def add(self, node, me, own, done):
        """Add the new mixes to the average, each set once, by the own reach of it."""
        if node.player == me and node.view not in done:
            done.add(node.view)
            for action, p in self.mix[me, node.view].items():
                self.sum[me, node.view][action] += self.weight() * own * p
        share = weights(node, self.mix) if node.player == me else [1.0] * len(node.children)
        for child, p in zip(node.children, share, strict=True):
            self.add(child, me, own * p, done)

    def average(self) -> dict:
        return {
            key: {a: s / sum(row.values()) if sum(row.values()) else 1 / len(row) for a, s in row.items()}
            for key, row in self.sum.items()
        }


class PlainPredictive(PlainCFR):
    """Predictive CFR+ with discounts (Xu et al. 2024, algorithm 2), regrets cut at 0 as in CFR+:

        R_t = max(R_(t-1) d_t + r_t, 0)    forecast of R_(t+1) = max(R_t d_(t+1) + r_t, 0)
        d_t = (t - 1)^alpha / ((t - 1)^alpha + 1)

    The mix is in proportion to the forecast. Without an alpha there is no discount: d_t = 1. Plan t weighs the product over
    s = 2 to t of (s / (s - 1))^(gamma - fall min(s / 1000, 1)) (Zhang et al. 2026), which is t^gamma without a fall."""

    def __init__(self, root, alpha: float | None, gamma: float, fall: float = 0.0):
        super().__init__(root, True, gamma)
        self.alpha, self.fall = alpha, fall

    def discount(self, t):
        return 1.0 if self.alpha is None else (t - 1) ** self.alpha / ((t - 1) ** self.alpha + 1)

    def match(self, key, gain):
        now, later = self.discount(self.iterations), self.discount(self.iterations + 1)
        forecast = {}
        for action, more in gain.items():
            self.regret[key][action] = max(self.regret[key][action] * now + more, 0.0)
            forecast[action] = max(self.regret[key][action] * later + more, 0.0)
        mass = sum(forecast.values())
        self.mix[key] = {a: r / mass if mass > 0 else 1 / len(forecast) for a, r in forecast.items()}

    def weight(self):
        found = 1.0
        for s in range(2, self.iterations + 1):
            found *= (s / (s - 1)) ** (self.gamma - self.fall * min(s / 1000, 1.0))
        return found


# --- games that are drawn ----------------------------------------------------------------------------------------


class Drawn(NamedTuple):
    """A game as a table of nodes; the state is a node's number, an action the position of a child."""

    mover: np.ndarray  # [nodes]
    width: np.ndarray  # [nodes] how many children
    child: np.ndarray  # [nodes, actions]
    weight: np.ndarray  # [nodes, actions] the odds of chance
    seen: np.ndarray  # [nodes] the mover's view
    paid: np.ndarray  # [nodes, 2]
    moves: int
    players: int = 2
    zero_sum: bool = True
    open: bool = False

    def shape(self):
        low, high = float(np.nanmin(self.paid)), float(np.nanmax(self.paid))
        return Shape(self.players, 1, self.child.shape[1], self.moves, low, high, self.zero_sum, self.open)

    def start(self, state):
        state[0] = 0

    def player(self, state):
        return self.mover[state[0]]

    def actions(self, state, out):
        for i in range(self.width[state[0]]):
            out[i] = i
        return self.width[state[0]]

    def odds(self, state, out):
        for i in range(self.width[state[0]]):
            out[i] = self.weight[state[0], i]

    def step(self, state, action):
        state[0] = self.child[state[0], action]

    def payoff(self, state, player):
        return self.paid[state[0], player]

    def view(self, state, player):
        return self.seen[state[0]]


def drawn(root: Any, **shape) -> Drawn:
    """A game from nested tuples: (player, view, child, child, ...), (CHANCE, [odds], child, ...), and at the ends player
    0's payoff, or both payoffs in a list where they do not sum to 0."""
    made: list[dict] = []

    def add(node, depth):
        number = len(made)
        here: dict = {"mover": OVER, "seen": 0, "children": [], "odds": [], "paid": (0.0, 0.0), "depth": depth}
        made.append(here)
        if isinstance(node, tuple):
            here["mover"], about, *children = node
            here["odds" if node[0] == CHANCE else "seen"] = about
            here["children"] = [add(child, depth + 1) for child in children]
        else:
            here["paid"] = tuple(node) if isinstance(node, list) else (node, -node)
        return number

    add(root, 0)
    most = max(len(node["children"]) for node in made)
    padded = lambda row, fill: [*row, *[fill] * (most - len(row))]  # noqa: E731
    return Drawn(
        np.array([node["mover"] for node in made]),
        np.array([len(node["children"]) for node in made]),
        np.array([padded(node["children"], NONE) for node in made]),
        np.array([padded(node["odds"], 0.0) for node in made], np.float64),
        np.array([node["seen"] for node in made], np.int64),
        np.array([node["paid"] for node in made], np.float64),
        **{"moves": max(node["depth"] for node in made), **shape},
    )
