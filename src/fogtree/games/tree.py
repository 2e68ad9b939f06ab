"""A game given as its whole tree, node by node: what a file holds, or any game spelled out. Rules version 1.

At a node a player chooses, or chance does, or the game is over and each player is paid. Actions are numbered 0, 1, ... in
the order in which the node lists them. Nodes at which a player cannot tell where they are form an information set: the
same player moves there, with the same actions.

A list of information sets says what players know when they move, and nothing of the time between. Here a player's view is
the number of the information set when it is their turn, and else the number of their last choice: what they remember
without being told more. Where players recall all that they knew and did, these views keep the contract of `game.py`. A
tree in which they do not is a game too: it can be played and searched, `check` says where memory fails, and the sequence
form refuses it.

Once in a while the same set comes right after a player's own choice on one path, and after other moves on another. The
player must not notice the difference, so there they are shown nothing new before the set comes.

`TreeGame` is made from a `Sketch`, which takes the nodes in the order of a depth-first walk; `spell_out` does so for any
game. A branch that chance takes with probability 0 is left out.
"""

import bisect
import math
from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..errors import Invalid
from ..game import CHANCE, OVER, REFEREE, Shape, identity, label, legal, new_state, odds
from ..walk.estimate import surely_more
from ..walk.slices import Progress, Watcher
from ..walk.table import MOST_PLAYERS

NODE, WORDS = 0, 1  # state: the number of the node
PLAYER, FIRST, WIDTH, ITEM = 0, 1, 2, 3
# a node: who moves | its first child | how many children | its information set, chance event or outcome
ROOT = 0
NOTHING = 0  # the view of a player who has not moved yet
SLACK = 1e-6  # how far, for each action, a chance node's probabilities may sum from 1: files round them to six digits
ROUNDING = 1e-9  # payoffs that sum to no more than this share of their range sum to 0
MOST_HISTORIES = 1_000_000  # spelled out unless the caller says otherwise


class Infoset(NamedTuple):
    """What people call an information set, and where its numbers begin."""

    name: str
    actions: tuple[str, ...]
    view: int  # of its owner; the choice of action a has the number view + 1 + a
    before: int  # the owner's last choice before it, where it was first met


class Labels(NamedTuple):
    """What people call things. No rule depends on it, and compiled code never sees it."""

    title: str = ""
    source: str = ""  # the file that it was read from
    players: tuple[str, ...] = ()
    infosets: tuple[list[Infoset], ...] = ()  # [player][information set]
    events: Sequence[tuple[str, ...]] = ()  # [chance event] the names of what may happen


class Arrays(NamedTuple):
    """The tree. The root is node 0, parents come before children, and siblings stand side by side."""

    node: np.ndarray  # [nodes, 4]
    sight: np.ndarray  # [nodes, players] each player's view
    chance: np.ndarray  # [nodes] the probability of the chance move that leads here; 1 after any other move
    paid: np.ndarray  # [outcomes, players]
    size: Shape


class TreeGame(Arrays):
    labels = Labels()  # an instance has its own; they travel with it, but are no part of the game's identity

    def shape(self):
        return self.size

    def start(self, state):
        state[NODE] = ROOT

    def player(self, state):
        return self.node[state[NODE], PLAYER]

    def actions(self, state, out):
        count = self.node[state[NODE], WIDTH]
        for i in range(count):
            out[i] = i
        return count

    def odds(self, state, out):
        first = self.node[state[NODE], FIRST]
        for i in range(self.node[state[NODE], WIDTH]):
            out[i] = self.chance[first + i]

    def step(self, state, action):
        state[NODE] = self.node[state[NODE], FIRST] + action

    def payoff(self, state, player):
        return self.paid[self.node[state[NODE], ITEM], player]

    def view(self, state, player):
        return self.sight[state[NODE], player]

    def version(self):
        return 1

    def show(self, state, player):
        if player == REFEREE:
            moves = [f"{self.name(who)}: {action}" for who, action in self.moves(int(state[NODE]))]
            return f"moves: {', '.join(moves) or 'none yet'}"
        view = int(self.view(state, player))
        if not self.labels.infosets:
            return f"view: {view}"
        choices, place = self.memory(player, view)
        lines = [f"your moves: {', '.join(choices) or 'none yet'}"]
        if place:
            lines.append(f"you are at: {place}")
        return "\n".join(lines)

    def label(self, state, action):
        player, _, _, item = self.node[state[NODE]].tolist()
        if player == CHANCE and self.labels.events:
            return self.labels.events[item][action]
        if player >= 0 and self.labels.infosets:
            return self.labels.infosets[player][item].actions[action]
        return str(action)

    def name(self, player):
        if player == CHANCE:
            return "chance"
        return self.labels.players[player] if self.labels.players else f"player {player}"

    def memory(self, player: int, view: int) -> tuple[list[str], str]:
        """A player's own choices up to a view, and the information set where they are to choose now, or nothing."""
        sets, choices, place = self.labels.infosets[player], [], ""
        while view != NOTHING:
            number = bisect.bisect_right(sets, view, key=lambda infoset: infoset.view) - 1
            infoset = sets[number]
            if view == infoset.view:
                numbered, name = f"information set {number + 1}", infoset.name
                alone = sum(other.name == name for other in sets) == 1
                place = name if name and alone else f"{name} ({numbered})" if name else numbered
            else:
                choices.append(infoset.actions[view - infoset.view - 1])
            view = infoset.before
        return choices[::-1], place

    def moves(self, node: int) -> list[tuple[int, str]]:
        """Who did what on the way to a node."""
        path = []
        while node != ROOT:
            # children are numbered in the order of their parents: the last node that does not begin behind this one
            parent = int(np.searchsorted(self.node[:, FIRST], node, side="right")) - 1
            action = node - int(self.node[parent, FIRST])
            path.append((int(self.node[parent, PLAYER]), self.label(np.array([parent]), action)))
            node = parent
        return path[::-1]


class _Branch:
    """A node of a sketch whose children are not all drawn yet."""

    __slots__ = ("chances", "left", "mover", "own", "paid", "view", "width")

    def __init__(self, mover, width, view, chances, own, paid):
        self.mover, self.width, self.left = mover, width, width
        self.view = view  # of the mover
        self.chances = chances  # of the children; none where a player chooses
        self.own = own  # [player] the last choice, as a view; None where chance never goes
        self.paid = paid  # [player] on the way here, or nothing


class Sketch:
    """A tree that is being drawn: nodes come in the order of a depth-first walk, each before its children.

    sketch = Sketch(["Alice", "Bob"])
    sketch.decision(0, "root", ["left", "right"])
    sketch.end([1, -1])
    sketch.end([0, 0])
    game = sketch.game()
    """

    def __init__(self, players: Sequence[str], title: str = "", source: str = ""):
        if not 1 <= len(players) <= MOST_PLAYERS:
            raise Invalid(f"a game has 1 to {MOST_PLAYERS} players, not {len(players)}")
        self.players = tuple(_clean(name) or f"player {p}" for p, name in enumerate(players))
        self.title, self.source = _clean(title), source
        self.nodes: list[
            tuple[int, int, int, int, float]
        ] = []  # player, width, item, depth, the chance that leads here
        self.sight: list[int] = []  # [node * player]
        self.infosets: tuple[list[Infoset], ...] = tuple([] for _ in players)
        self.number: dict[tuple[int, Hashable], int] = {}  # (player, key) -> information set
        self.home: list[list[int]] = [[NOTHING] for _ in players]  # [player][view] the set that a choice was made in
        self.reached: dict[tuple[int, int], set[bool]] = {}  # (player, set) -> whether right after an own choice
        self.unnoticed: list[set[int]] = [set() for _ in players]  # choices after which nothing new is shown
        self.events: dict[tuple[str, ...], int] = {}
        self.outcomes: dict[tuple[float, ...], int] = {}
        self.captions: dict[tuple[str, ...], tuple[str, ...]] = {}  # equal lists of names are kept once
        self.stack: list[_Branch] = []
        self.missing = 1  # nodes that must still come, at least: 0 when the tree is whole

    # --- drawing ---

    def decision(self, player: int, key: Hashable, actions: Sequence[str], name: str = "", paid: Sequence = ()) -> None:
        """A player chooses, in the information set that the key stands for. `paid` is added to all that follows."""
        if not 0 <= player < len(self.players):
            raise Invalid(f"the players are 0 to {len(self.players) - 1}, so {player} is none")
        if not actions:
            raise Invalid(f"{self.players[player]} has no action")
        own, probability, before = self._next()
        if own is None:
            self._push(player, len(actions), NOTHING, (), None, paid)
            return
        i = self.number.get((player, key))
        if i is None:
            i = self._new_infoset(player, key, actions, name, own[player])
        infoset = self.infosets[player][i]
        if len(infoset.actions) != len(actions):
            raise Invalid(
                f"the nodes of an information set have equally many actions, but {self.players[player]} has "
                f"{len(infoset.actions)} at one and {len(actions)} at another"
            )
        reached = self.reached.setdefault((player, i), set())
        reached.add(before is not None and before.mover == player)
        if len(reached) == 2:
            self.unnoticed[player].add(own[player])
        self._node(player, len(actions), i, probability, own)
        self.sight[player - len(own)] = infoset.view
        self._push(player, len(actions), infoset.view, (), own, paid)

    def chance(self, actions: Sequence[str], odds: Sequence, paid: Sequence = ()) -> None:
        """Chance moves. The odds sum to 1, but for rounding."""
        if not odds or len(odds) != len(actions):
            raise Invalid(f"chance needs a probability for each action, not {len(odds)} for {len(actions)}")
        chances = [_finite(p) for p in odds]
        if min(chances) < 0:
            raise Invalid(f"a probability is never negative: {min(chances):g}")
        if abs(sum(chances) - 1) > SLACK * len(chances):
            raise Invalid(f"probabilities sum to 1, not to {sum(chances):.9g}")
        own, probability, _ = self._next()
        chances = [p / math.fsum(chances) for p in chances]
        if own is not None:
            possible = self._caption([name for name, p in zip(actions, chances, strict=True) if p > 0])
            event = self.events.setdefault(possible, len(self.events))
            self._node(CHANCE, len(possible), event, probability, own)
        self._push(CHANCE, len(chances), NOTHING, chances, own, paid)

    def end(self, payoffs: Sequence) -> None:
        """The game is over; each player gets this, and what was paid on the way."""
        if len(payoffs) != len(self.players):
            raise Invalid(f"{len(self.players)} players need as many payoffs, not {len(payoffs)}")
        own, probability, before = self._next()
        if own is None:
            return
        paid = before.paid if before else ()
        total = tuple(_finite(p + q) for p, q in zip(payoffs, paid or [0] * len(payoffs), strict=True))
        self._node(OVER, 0, self.outcomes.setdefault(total, len(self.outcomes)), probability, own)

    def known(self, player: int, key: Hashable) -> Infoset | None:
        """The information set of a key, if it was drawn before."""
        i = self.number.get((player, key))
        return None if i is None else self.infosets[player][i]

    def game(self) -> TreeGame:
        if self.missing:
            raise Invalid(f"the tree is not whole: at least {self.missing} more must come")
        players = len(self.players)
        mover, width, item, depth, chance = (np.array(column) for column in zip(*self.nodes, strict=True))
        order = np.argsort(depth, kind="stable")  # level by level; parents stay in order, so siblings stay together
        width = width[order]
        first = 1 + np.cumsum(width) - width
        node = np.stack([mover[order], first, width, item[order]], axis=1, dtype=np.int64)
        sight = np.array(self.sight, np.int64).reshape(-1, players)[order]
        for player, choices in enumerate(self.unnoticed):
            shown = np.arange(len(self.home[player]))
            for choice in choices:
                shown[choice] = self.home[player][choice]
            sight[:, player] = shown[sight[:, player]]
        paid = np.array(list(self.outcomes)).reshape(-1, players)
        bounds = float(paid.min()), float(paid.max())
        zero_sum = bool((np.abs(paid.sum(axis=1)) <= ROUNDING * (bounds[1] - bounds[0])).all())
        alone = bool((mover >= 0).sum() == sum(map(len, self.infosets)))  # each node is an information set of its own
        size = Shape(players, WORDS, max(1, int(width.max())), max(1, int(depth.max())), *bounds, zero_sum, alone)
        game = TreeGame(node, sight, chance[order], paid, size)
        game.labels = Labels(self.title, self.source, self.players, self.infosets, tuple(self.events))
        return game

    # --- inside ---

    def _next(self) -> tuple[Any, float, _Branch | None]:
        """The place of the next node: all players' last choices, the probability of chance's move, the node before it."""
        while self.stack and self.stack[-1].left == 0:
            self.stack.pop()
        if self.missing == 0:
            raise Invalid("the tree is whole, and there is one node more")
        self.missing -= 1
        if not self.stack:
            return (NOTHING,) * len(self.players), 1.0, None
        branch = self.stack[-1]
        position = branch.width - branch.left
        branch.left -= 1
        own, probability = branch.own, 1.0
        if branch.chances:
            probability = branch.chances[position]
            own = own if probability > 0 else None
        elif own is not None:
            own = (*own[: branch.mover], branch.view + 1 + position, *own[branch.mover + 1 :])
        return own, probability, branch

    def _new_infoset(self, player, key, actions, name, before) -> int:
        home = self.home[player]
        view = len(home)
        home.extend([view] * (1 + len(actions)))
        self.infosets[player].append(Infoset(_clean(name), self._caption(actions), view, before))
        self.number[player, key] = len(self.infosets[player]) - 1
        return self.number[player, key]

    def _node(self, mover, width, item, probability, own) -> None:
        self.nodes.append((mover, width, item, len(self.stack), probability))
        self.sight.extend(own)

    def _push(self, mover, width, view, chances, own, paid) -> None:
        before = self.stack[-1].paid if self.stack else ()
        if paid and len(paid) != len(self.players):
            raise Invalid(f"{len(self.players)} players need as many payoffs, not {len(paid)}")
        total = tuple(p + q for p, q in zip(before, paid, strict=True)) if before and paid else tuple(paid or before)
        self.missing += width
        self.stack.append(_Branch(mover, width, view, chances, own, total))

    def _caption(self, actions: Sequence[str]) -> tuple[str, ...]:
        names = tuple(actions)
        if names not in self.captions:
            self.captions[names] = _distinct([_clean(name) for name in names])
        return self.captions[names]


def spell_out(game: Any, *, limit: int = MOST_HISTORIES, progress: Watcher | None = None) -> TreeGame:
    """Any game as a tree. `progress` is told the histories so far; a game with more histories than the limit is refused."""
    if isinstance(game, TreeGame):
        return game
    large = f"{type(game).__name__} has more than {limit:,} histories, the limit: take a smaller game"
    if surely_more(game, limit):
        raise Invalid(large)
    players, done = game.shape().players, 0
    sketch = Sketch([f"player {p}" for p in range(players)], identity(game))
    with np.errstate(over="ignore"):  # views may be hashes, which wrap round
        stack = [new_state(game)]
        while stack:
            state = stack.pop()
            done += 1
            if done > limit:
                raise Invalid(large)
            actions = legal(game, state)
            _draw(sketch, game, state, actions)
            for action in reversed(actions):
                child = state.copy()
                game.step(child, action)
                stack.append(child)
            if progress and done % 1000 == 0:
                progress(Progress("histories", done))
    return sketch.game()


def _draw(sketch: Sketch, game: Any, state: np.ndarray, actions: list[int]) -> None:
    player = int(game.player(state))
    if player == OVER:
        sketch.end([float(game.payoff(state, p)) for p in range(len(sketch.players))])
    elif player == CHANCE:
        sketch.chance([label(game, state, action) for action in actions], odds(game, state))
    else:
        view = int(game.view(state, player))
        known = sketch.known(player, view)
        if known and len(known.actions) == len(actions):
            sketch.decision(player, view, known.actions)
        else:
            names = [label(game, state, action) for action in actions]
            sketch.decision(player, view, names, _one_line(game, state, player, view))


def _one_line(game, state, player, view) -> str:
    """What a player sees, to name an information set by it."""
    if not hasattr(game, "show"):
        return str(view)
    return " / ".join(line.strip() for line in game.show(state, player).splitlines() if line.strip())


def _finite(number: Any) -> float:
    try:
        value = float(number)
    except OverflowError:
        value = math.inf
    if not math.isfinite(value):
        raise Invalid("a payoff or probability is a finite number of at most 308 digits")
    return value


def _clean(text: str) -> str:
    """One line that is safe to print."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())


def _distinct(names: list[str]) -> tuple[str, ...]:
    """The names of a node's actions, made different and not empty, so that a person can type them."""
    made: list[str] = []
    taken = {name.lower() for name in names}
    used: set[str] = set()
    for number, name in enumerate(names):
        candidate, again = name, 1
        while not candidate or candidate.lower() in used or (candidate != name and candidate.lower() in taken):
            candidate = f"{name} ({again + 1})" if name else str(number + again)
            again += 1
        used.add(candidate.lower())
        made.append(candidate)
    return tuple(made)
