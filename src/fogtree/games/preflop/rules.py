"""Hold'em for two before the flop, where whoever goes on is all in: push or fold, with raises in between. Rules version 1.

The small blind (SB, player 0) has the button and speaks first. Both have a stack of so many big blinds before the blinds are
posted: half a big blind and one, and an ante of each if there is one. The small blind folds, raises to one of the sizes, or
goes all in. Facing a raise the big blind (BB, player 1) folds or goes all in; facing all in a player folds or calls. After a
call the better hand of seven cards wins, on average over all boards (`all_in.py`). Without raises this is the game of the
charts that players call push-or-fold. There is no calling of a raise, for then a flop would come.

Payoffs are big blinds won or lost. Hands are told by their 169 kinds (AA, AKs, AKo), for suits decide nothing here; how
likely two kinds meet, and what they win, counts the cards that they share.

Chance deals the kind of player 0, then that of player 1: numbers of kinds, as `all_in.names` lists them. Actions of the
players are numbers of the choices.
"""

import numbers
from typing import Any, NamedTuple

import numpy as np

from ...errors import Invalid
from ...game import CHANCE, NONE, OVER, REFEREE, Shape
from ...text.parameters import parts
from .all_in import KINDS, equity, names, pairs

HAND, NODE, STATE_WORDS = 0, 2, 3  # state: the kinds of both hands | the node of the betting
UNDEALT = -1
NODES = 64  # at most
SMALL, BIG = 0.5, 1.0
MOST_STACK, MOST_RAISES = 1000.0, 8
SEATS = ("SB", "BB")
COLLECTION = "preflop/"
FOLD, CALL, ALL_IN = "fold", "call", "all in"


class Arrays(NamedTuple):
    opening: np.ndarray  # [kinds] the probability that player 0 holds a kind
    after: np.ndarray  # [kinds, kinds] the same of player 1, given that of player 0
    win: np.ndarray  # [kinds, kinds] the share of the pot that the kind of the row wins
    mover: np.ndarray  # [nodes] who moves, or OVER
    first: np.ndarray  # [nodes] the first child; the others follow
    choices: np.ndarray  # [nodes]
    parent: np.ndarray  # [nodes]
    stake: np.ndarray  # [nodes] what player 0 wins at a fold; at a showdown, what each can win
    shown: np.ndarray  # [nodes] whether it is a showdown
    size: Shape


class Labels(NamedTuple):
    """What it was made of, and what the actions are called. No rule depends on it."""

    stack: float = 10.0
    raises: tuple[float, ...] = ()
    ante: float = 0.0
    words: tuple[str, ...] = ()  # [nodes] what was done to get there


class PreFlop(Arrays):
    labels = Labels()

    def __repr__(self):
        return spell_preflop(self)

    def shape(self):
        return self.size

    def start(self, state):
        state[HAND] = state[HAND + 1] = UNDEALT
        state[NODE] = 0

    def player(self, state):
        return CHANCE if state[HAND + 1] == UNDEALT else self.mover[state[NODE]]

    def actions(self, state, out):
        if state[HAND + 1] == UNDEALT:
            for kind in range(KINDS):
                out[kind] = kind
            return KINDS
        count = self.choices[state[NODE]]
        for i in range(count):
            out[i] = i
        return count

    def odds(self, state, out):
        for kind in range(KINDS):
            out[kind] = self.opening[kind] if state[HAND] == UNDEALT else self.after[state[HAND], kind]

    def step(self, state, action):
        if state[HAND] == UNDEALT:
            state[HAND] = action
        elif state[HAND + 1] == UNDEALT:
            state[HAND + 1] = action
        else:
            state[NODE] = self.first[state[NODE]] + action

    def payoff(self, state, player):
        won = self.stake[state[NODE]]
        if self.shown[state[NODE]]:
            won *= 2.0 * self.win[state[HAND], state[HAND + 1]] - 1.0
        return won if player == 0 else -won

    def view(self, state, player):
        return (state[HAND + player] + 2) * NODES + state[NODE]

    def public(self, state):
        return state[NODE]

    def version(self):
        return 1

    def show(self, state, player):
        lines = []
        for who in (0, 1):
            if player in (who, REFEREE) and state[HAND + who] != UNDEALT:
                owner = "your hand" if player == who else SEATS[who]
                lines.append(f"{owner}: {names()[state[HAND + who]]}")
        lines.append(f"betting: {', '.join(self.told(int(state[NODE]))) or 'none yet'}")
        return "\n".join(lines)

    def told(self, node):
        """The betting that leads to a node, in words."""
        words = []
        while self.parent[node] != NONE:
            words.insert(0, f"{SEATS[self.mover[self.parent[node]]]} {self.labels.words[node]}")
            node = int(self.parent[node])
        return words

    def label(self, state, action):
        if state[HAND + 1] == UNDEALT:
            return names()[action]
        return self.labels.words[self.first[state[NODE]] + action]


def preflop(stack: float = 10.0, *, raises: tuple[float, ...] = (), ante: float = 0.0) -> PreFlop:
    """The game for a stack in big blinds. `raises` are sizes to which the small blind may raise, in big blinds."""
    for number, what in ((stack, "the stack"), (ante, "the ante"), *((size, "a raise") for size in raises)):
        if isinstance(number, bool) or not isinstance(number, numbers.Real) or not np.isfinite(number) or number < 0:
            raise Invalid(f"{what} is a number of big blinds, not {number!r}")
    most = stack - ante
    if not BIG < most <= MOST_STACK:
        raise Invalid(f"the stack is more than the big blind and the ante, and at most {MOST_STACK:g}, not {stack:g}")
    sizes = tuple(sorted({float(size) for size in raises}))
    if len(sizes) > MOST_RAISES or any(not 2 * BIG <= size < most for size in sizes):
        raise Invalid(
            f"raises are to 2 big blinds or more and less than all in ({most:g}), at most {MOST_RAISES} sizes"
        )
    tree, words = _tree(float(stack), sizes, float(ante))
    weight = pairs()
    opening = weight.sum(axis=1) / weight.sum()
    after = weight / weight.sum(axis=1, keepdims=True)
    made = PreFlop(opening, after, equity(), *tree, Shape(2, STATE_WORDS, KINDS, 5, -float(stack), float(stack)))  # type: ignore[call-arg]
    made.labels = Labels(float(stack), sizes, float(ante), tuple(words))
    return made


def load_preflop(text: str) -> PreFlop:
    """The game that a text names: `preflop/10:raises=[2;2.5],ante=0.1`."""
    stack, _, given = text.removeprefix(COLLECTION).partition(":")
    values: dict[str, Any] = {}
    try:
        values["stack"] = float(stack)
        for part in parts(given):
            key, _, value = (word.strip() for word in part.partition("="))
            if key == "raises":
                values[key] = tuple(float(size) for size in value.removeprefix("[").removesuffix("]").split(";"))
            elif key == "ante":
                values[key] = float(value)
            else:
                raise Invalid(f"'{key}' is no parameter of a game before the flop: valid are raises=, ante=")
    except ValueError as error:
        if isinstance(error, Invalid):
            raise
        raise Invalid(
            f"'{text}' is no game before the flop: write preflop/10 or preflop/10:raises=[2;2.5],ante=0.1"
        ) from None
    return preflop(**values)


def spell_preflop(game: PreFlop) -> str:
    """The text that names the game."""
    labels = game.labels
    told = [f"raises=[{';'.join(map(_digits, labels.raises))}]"] if labels.raises else []
    told += [f"ante={_digits(labels.ante)}"] if labels.ante else []
    return f"{COLLECTION}{_digits(labels.stack)}" + (f":{','.join(told)}" if told else "")


def _digits(size: float) -> str:
    return repr(size).removesuffix(".0")


def _tree(stack: float, raises: tuple[float, ...], ante: float) -> tuple[Any, list[str]]:
    """The betting, breadth first: mover, first, choices, parent, stake, shown; and the words."""
    rows: list[list[Any]] = []
    # a place is (who moves, what SB and BB have put in, whether somebody is all in), an end (stake, whether it is shown)
    queue: list[tuple[int, str, Any]] = [(NONE, "", (0, SMALL + ante, BIG + ante, False))]
    for parent, word, place in queue:  # it grows
        number, children = len(rows), list[tuple[str, Any]]()
        if len(place) == 4:
            me, small, big, full = place
            children.append((FOLD, (-small if me == 0 else big, False)))
            if full:
                children.append((CALL, (stack, True)))
            else:
                if me == 0:
                    children += [(f"raise to {_digits(size)}", (1, size + ante, big, False)) for size in raises]
                after = (1, stack, big, True) if me == 0 else (0, small, stack, True)
                children.append((ALL_IN, after))
            rows.append([me, len(queue), len(children), parent, 0.0, False, word])
        else:
            rows.append([OVER, len(queue), 0, parent, place[0], place[1], word])
        queue += [(number, *child) for child in children]
    columns = list(zip(*rows, strict=True))
    whole = [np.array(column, np.int64) for column in columns[:4]]
    return (*whole, np.array(columns[4], float), np.array(columns[5], bool)), list(columns[6])
