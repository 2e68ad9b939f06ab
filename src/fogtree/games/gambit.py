"""Gambit's files: extensive games (.efg, format 2) and strategic games (.nfg, format 1), read and written.

The formats are described at https://gambitproject.readthedocs.io under "Game representation formats". A file is a list of
words, numbers, texts in quotation marks and braces; blanks and line ends mean nothing. An .efg lists the nodes of the tree
in the order of a depth-first walk. A node may carry an outcome, whose payoffs add up along the path; outcomes, information
sets and chance events are described where they first occur, and later occurrences may repeat the description or leave it
out. An .nfg lists the payoffs of all profiles of strategies, or the numbers of outcomes, the first player's strategy
changing fastest.

Numbers are exact: 0.1 is 1/10, and sums along a path are sums of fractions. What we write is exact too: a number is
written as a fraction where that is the same floating-point number, and probabilities always sum to 1.

What is wrong with a file is said in one sentence with its line. A file is written whole or not at all.
"""

import itertools
import math
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any, NoReturn

import numpy as np

from ..errors import Invalid
from ..files import appearing, refusing, text_of
from ..game import CHANCE, OVER
from ..text.naming import name as name_of
from ..walk.slices import Watcher
from ..walk.table import MOST_PLAYERS
from .matrix import BimatrixGame, MatrixGame
from .tree import FIRST, ITEM, MOST_HISTORIES, PLAYER, ROOT, WIDTH, Sketch, TreeGame, spell_out

TEXT, NUMBER, WORD, MARK, BLANK, END = "text", "number", "word", "mark", "blank", "end"
TOKEN = re.compile(
    r'(?P<text>"[^"\\]*(?:\\.[^"\\]*)*")'
    r"|(?P<number>[+-]?(?:[0-9]+/[0-9]+|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?))"
    r"|(?P<word>[A-Za-z]+)|(?P<mark>[{},])|(?P<blank>\s+)",
    re.DOTALL,
)
LONGEST = 4000  # letters in a number: the ratio of any two floating-point numbers has fewer, and Python reads no more
EXPONENT = re.compile(r"[eE][+-]?[0-9]{4}")
SIMPLE = 10**6  # denominators up to here are looked for
MOST_PROFILES = 1_000_000


# --- reading -------------------------------------------------------------------------------------------------------


def read_efg(path: str | os.PathLike) -> TreeGame:
    """The game of an .efg file."""
    file = _Reader(path, "EFG", "2")
    sketch = Sketch(file.players, file.title, os.fspath(path))
    file.comment()
    body = _Body(file, sketch)
    while sketch.missing:
        body.node()
    if file.kind != END:
        file.fail(f"the tree is whole, but the file goes on with {file.found()}")
    return sketch.game()


def read_nfg(path: str | os.PathLike) -> MatrixGame | BimatrixGame | TreeGame:
    """The game of an .nfg file: a matrix game for two players, and else a tree in which nobody sees a choice."""
    file = _Reader(path, "NFG", "1")
    names = file.strategies()
    file.comment()
    payoffs = _payoffs(file, math.prod(map(len, names)))  # [profile][player]
    if file.kind != END:
        file.fail(f"all payoffs are there, but the file goes on with {file.found()}")
    if len(names) != 2:
        return _hidden_choices(file, names, payoffs)
    sizes = [len(strategies) for strategies in names]
    first, second = (np.array([float(p[i]) for p in payoffs]).reshape(sizes, order="F") for i in (0, 1))
    return MatrixGame(first) if all(sum(p) == 0 for p in payoffs) else BimatrixGame(first, second)


class _Reader:
    """A file, one token at a time: the present one's kind, text and place."""

    def __init__(self, path: str | os.PathLike, word: str, version: str):
        self.path, self.text = os.fspath(path), text_of(path)
        self.kind, self.value, self.at, self.after = END, "", 0, 0
        self.fractions: dict[str, Fraction] = {}
        self.next()
        if (self.kind, self.value) != (WORD, word):
            self.fail(f"a file of this kind begins with {word}, not with {self.found()}")
        self.next()
        if (self.kind, self.value) != (NUMBER, version):
            self.fail(f"only version {version} of the format is known, not {self.found()}")
        self.next()
        if self.kind != WORD or self.value not in ("R", "D"):
            self.fail(f"R or D comes after the version, not {self.found()}")
        self.next()
        self.title = self.quoted("the title")
        self.players = self.list_of(lambda: self.quoted("a player's name"), "the players")
        if not 1 <= len(self.players) <= MOST_PLAYERS:
            self.fail(f"a game has 1 to {MOST_PLAYERS} players, not {len(self.players)}")

    # --- tokens ---

    def next(self) -> None:
        while match := TOKEN.match(self.text, self.after):
            self.kind, self.value, self.at, self.after = str(match.lastgroup), match[0], match.start(), match.end()
            if self.kind != BLANK:
                return
        self.kind, self.value, self.at = END, "", self.after
        if self.at < len(self.text):
            if self.text[self.at] == '"':
                self.fail("a quotation mark opens here and is never closed")
            self.fail(f"'{_printable(self.text[self.at])}' means nothing here")

    def fail(self, sentence: str, at: int | None = None) -> NoReturn:
        line = self.text.count("\n", 0, self.at if at is None else at) + 1
        raise Invalid(f"{self.path}, line {line}: {sentence}") from None

    def found(self) -> str:
        if self.kind == END:
            return "the end of the file"
        text = _printable(self.value)
        return text if len(text) <= 40 else text[:37] + "..."

    # --- what is expected ---

    def mark(self, mark: str, what: str) -> None:
        if (self.kind, self.value) != (MARK, mark):
            self.fail(f"{what} {'begin' if mark == '{' else 'end'} with '{mark}', not with {self.found()}")
        self.next()

    def comma(self) -> None:
        if (self.kind, self.value) == (MARK, ","):
            self.next()

    def list_of(self, item: Callable[[], Any], what: str) -> list:
        self.mark("{", what)
        items = []
        while self.kind != END and (self.kind, self.value) != (MARK, "}"):
            items.append(item())
            self.comma()
        self.mark("}", what)
        return items

    def opens(self) -> bool:
        return (self.kind, self.value) == (MARK, "{")

    def quoted(self, what: str) -> str:
        if self.kind != TEXT:
            self.fail(f"{what} is a text in quotation marks, not {self.found()}")
        text = self.value[1:-1].replace('\\"', '"')
        self.next()
        return text

    def number(self, what: str) -> Fraction:
        if self.kind != NUMBER:
            self.fail(f"{what} is a number, not {self.found()}")
        if self.value not in self.fractions:
            if len(self.value) > LONGEST or EXPONENT.search(self.value):
                self.fail(f"{what} is too long a number: {self.found()}")
            try:
                number = Fraction(self.value)
                float(number)
            except ZeroDivisionError:
                self.fail(f"{what} is divided by 0: {self.found()}")
            except OverflowError:
                self.fail(f"{what} is too large a number: {self.found()}")
            self.fractions[self.value] = number
        number = self.fractions[self.value]
        self.next()
        return number

    def whole(self, what: str, low: int, high: int | None = None) -> int:
        at, shown = self.at, self.found()
        number = self.number(what)
        if number.denominator != 1 or number < low or (high is not None and number > high):
            extent = f"of {low} or more" if high is None else f"from {low} to {high}"
            self.fail(f"{what} is a whole number {extent}, not {shown}", at)
        return int(number)

    def comment(self) -> None:
        if self.kind == TEXT:
            self.next()

    def strategies(self) -> list[list[str]]:
        """The names of each player's strategies in an .nfg, which may give only their numbers."""
        at = self.at

        def one() -> Any:
            if self.opens():
                return self.list_of(lambda: self.quoted("a strategy's name"), "a player's strategies")
            return self.whole("a number of strategies", 1)

        found = self.list_of(one, "the strategies")
        if len(found) != len(self.players):
            self.fail(f"{len(self.players)} players need as many lists of strategies, not {len(found)}", at)
        most = len(self.text)  # each strategy needs payoffs, so more cannot be
        if any(isinstance(f, int) and f > most for f in found):
            self.fail(f"the file is too short for {max(f for f in found if isinstance(f, int)):.3g} strategies", at)
        names = [[str(i + 1) for i in range(f)] if isinstance(f, int) else f for f in found]
        if not all(names):
            self.fail("each player needs a strategy", at)
        return names


class _Body:
    """The nodes of an .efg, and what has been described so far."""

    def __init__(self, file: _Reader, sketch: Sketch):
        self.file, self.sketch = file, sketch
        self.sets: dict[tuple[int, int], tuple[str, list[str]]] = {}  # (player, number) -> name, actions
        self.events: dict[int, tuple[list[str], list[Fraction]]] = {}  # number -> actions, probabilities
        self.outcomes: dict[int, list[Fraction]] = {}  # number -> payoffs

    def node(self) -> None:
        file = self.file
        at, kind = file.at, file.value if file.kind == WORD else ""
        if kind not in ("c", "p", "t"):
            file.fail(f"the tree is not whole, and a node begins with c, p or t, not with {file.found()}")
        file.next()
        file.quoted("a node's name")
        draw: Callable[..., None]
        parts: tuple
        if kind == "c":
            draw, parts = self.sketch.chance, (*self.event(), self.outcome())
        elif kind == "p":
            draw, parts = self.sketch.decision, (*self.infoset(), self.outcome())
        else:
            draw, parts = self.sketch.end, (self.outcome() or [Fraction(0)] * len(file.players),)
        try:
            draw(*parts)
        except Invalid as error:
            file.fail(str(error), at)

    def infoset(self) -> tuple[int, int, list[str], str]:
        file = self.file
        player = file.whole("a player", 1, len(file.players))
        at, number = file.at, file.whole("an information set", 1)
        name = file.quoted("a name") if file.kind == TEXT else ""
        what = f"information set {number} of player {player}"
        if file.opens():
            actions = file.list_of(lambda: file.quoted("an action's name"), "the actions")
            name, known = self.sets.setdefault((player, number), (name, actions))
            if len(known) != len(actions):
                file.fail(f"{what} has another number of actions here ({len(actions)}) than before ({len(known)})", at)
            if known != actions:
                file.fail(f"{what} has other actions here than before", at)
        if (player, number) not in self.sets:
            file.fail(f"{what} has no actions: they must be listed where it first occurs", at)
        name, actions = self.sets[player, number]
        return player - 1, number, actions, name

    def event(self) -> tuple[list[str], list[Fraction]]:
        file = self.file
        at, number = file.at, file.whole("a chance event", 1)
        if file.kind == TEXT:
            file.next()
        if file.opens():
            pairs = file.list_of(self.branch, "the actions of chance")
            described = [name for name, _ in pairs], [p for _, p in pairs]
            if self.events.setdefault(number, described) != described:
                file.fail(f"chance event {number} is not what it was before", at)
        if number not in self.events:
            file.fail(f"chance event {number} has no actions: they must be listed where it first occurs", at)
        return self.events[number]

    def branch(self) -> tuple[str, Fraction]:
        return self.file.quoted("an action's name"), self.file.number("a probability")

    def outcome(self) -> Sequence[Fraction]:
        file = self.file
        at, number = file.at, file.whole("an outcome", 0)
        named = file.kind == TEXT
        if named:
            file.next()
        if number == 0:
            if named or file.opens():
                file.fail("outcome 0 stands for no payoffs and is not described", at)
            return ()
        if file.opens():
            payoffs = file.list_of(lambda: file.number("a payoff"), "the payoffs")
            if len(payoffs) != len(file.players):
                file.fail(f"{len(file.players)} players need as many payoffs, not {len(payoffs)}", at)
            if self.outcomes.setdefault(number, payoffs) != payoffs:
                file.fail(f"outcome {number} has other payoffs here than before", at)
        if number not in self.outcomes:
            file.fail(f"outcome {number} has no payoffs: they must be listed where it first occurs", at)
        return self.outcomes[number]


def _payoffs(file: _Reader, profiles: int) -> list[list[Fraction]]:
    """The body of an .nfg, in either form: the payoffs of each profile, the first player's strategy changing fastest."""
    players = len(file.players)
    if not file.opens():
        flat = _numbers(file, profiles * players, "payoffs", lambda: file.number("a payoff"))
        return [flat[i : i + players] for i in range(0, len(flat), players)]

    def one() -> list[Fraction]:
        file.mark("{", "the parts of an outcome")
        file.quoted("an outcome's name")
        file.comma()
        payoffs = []
        while file.kind == NUMBER:
            payoffs.append(file.number("a payoff"))
            file.comma()
        if len(payoffs) != players:
            file.fail(f"{players} players need as many payoffs, not {len(payoffs)}")
        file.mark("}", "the parts of an outcome")
        return payoffs

    outcomes = [[Fraction(0)] * players, *file.list_of(one, "the outcomes")]
    most = len(outcomes) - 1
    return [outcomes[i] for i in _numbers(file, profiles, "outcomes", lambda: file.whole("an outcome", 0, most))]


def _numbers(file: _Reader, count: int, what: str, one: Callable[[], Any]) -> list:
    numbers: list = []
    while file.kind == NUMBER and len(numbers) < count:
        numbers.append(one())
    if len(numbers) < count:
        needed = f"{count:,}" if count < 10**15 else "far more"
        file.fail(f"{needed} {what} are needed, but after {len(numbers):,} comes {file.found()}")
    return numbers


def _hidden_choices(file: _Reader, names: list[list[str]], payoffs: list[list[Fraction]]) -> TreeGame:
    """The players choose one after the other, none seeing the others."""
    sizes = [len(strategies) for strategies in names]
    sketch = Sketch(file.players, file.title, file.path)
    stack: list[tuple[int, ...]] = [()]
    while stack:
        choices = stack.pop()
        player = len(choices)
        if player == len(names):
            sketch.end(payoffs[int(np.ravel_multi_index(choices, sizes, order="F"))])
        else:
            sketch.decision(player, "", names[player])
            stack.extend((*choices, i) for i in reversed(range(sizes[player])))
    return sketch.game()


def _printable(text: str) -> str:
    return "".join(letter if letter.isprintable() else "?" for letter in text)


# --- writing -------------------------------------------------------------------------------------------------------


def write_efg(
    game: Any, path: str | os.PathLike, *, limit: int = MOST_HISTORIES, progress: Watcher | None = None
) -> None:
    """Write any game of up to `limit` histories as an .efg; `progress` is told the histories while it is spelled out."""
    tree = spell_out(game, limit=limit, progress=progress)
    _write(path, itertools.chain(_prologue("EFG 2 R", tree), ['""\n\n'], _efg_body(tree)))


def write_nfg(
    game: Any, path: str | os.PathLike, *, limit: int = MOST_PROFILES, progress: Watcher | None = None
) -> None:
    """Write the strategic form of any game with up to `limit` profiles of pure strategies as an .nfg.

    A pure strategy names an action for each of a player's information sets, so only small games have few of them.
    """
    tree = spell_out(game, progress=progress)
    names, payoffs = _strategic_form(tree, name_of(game), limit)
    _write(path, itertools.chain(_prologue("NFG 1 R", tree), _nfg_body(names, payoffs)))


def _prologue(kind: str, tree: TreeGame) -> Iterator[str]:
    players = " ".join(_quoted(tree.name(player)) for player in range(tree.size.players))
    yield f"{kind} {_quoted(tree.labels.title)} {{ {players} }}\n"


def _efg_body(tree: TreeGame) -> Iterator[str]:
    stack, events = [ROOT], itertools.count(1)  # every chance node is an event of its own
    payoffs = [", ".join(map(_exact, outcome)) for outcome in tree.paid.tolist()]
    while stack:
        node = stack.pop()
        player, first, width, item = (int(tree.node[node, column]) for column in (PLAYER, FIRST, WIDTH, ITEM))
        stack.extend(reversed(range(first, first + width)))
        state = np.array([node])
        actions = [_quoted(tree.label(state, action)) for action in range(width)]
        if player == OVER:
            yield f't "" {item + 1} "" {{ {payoffs[item]} }}\n'
        elif player == CHANCE:
            chances = _exact_odds(tree.chance[first : first + width].tolist())
            pairs = " ".join(f"{name} {p}" for name, p in zip(actions, chances, strict=True))
            yield f'c "" {next(events)} "" {{ {pairs} }} 0\n'
        else:
            name = tree.labels.infosets[player][item].name if tree.labels.infosets else ""
            yield f'p "" {player + 1} {item + 1} {_quoted(name)} {{ {" ".join(actions)} }} 0\n'


def _strategic_form(tree: TreeGame, called: str, limit: int) -> tuple[list[list[str]], np.ndarray]:
    """The names of each player's pure strategies, and the expected payoffs [player, strategy of 0, of 1, ...]."""
    players = range(tree.size.players)
    widths = [_widths(tree, player) for player in players]
    sizes = [math.prod(width) for width in widths]
    if math.prod(sizes) > limit:
        raise Invalid(f"{called} has more than {limit:,} profiles of pure strategies, the limit: write an .efg instead")
    choice = [np.array(list(np.ndindex(*width)), np.int64).reshape(-1, len(width)) for width in widths]
    payoffs = np.zeros((len(players), *sizes))
    everything = [np.arange(n) for n in sizes]
    stack: list[tuple[int, float, list[np.ndarray]]] = [(ROOT, 1.0, everything)]
    while stack:
        node, reach, playing = stack.pop()  # playing[p]: the strategies of player p that lead to this node
        player, first, width, item = tree.node[node].tolist()
        if player == OVER:
            for p in players:
                payoffs[p][np.ix_(*playing)] += reach * tree.paid[item, p]
        for action in range(width):
            then = list(playing)
            if player >= 0:
                then[player] = playing[player][choice[player][playing[player], item] == action]
            if all(map(len, then)):  # who forgets may pass a set twice, and cannot choose two ways
                stack.append((first + action, reach * float(tree.chance[first + action]), then))
    names = [[_strategy_name(tree, player, row) for row in choice[player].tolist()] for player in players]
    return names, payoffs


def _widths(tree: TreeGame, player: int) -> list[int]:
    """How many actions each of a player's information sets has."""
    mine = tree.node[tree.node[:, PLAYER] == player]
    width = np.zeros(mine[:, ITEM].max(initial=-1) + 1, np.int64)
    width[mine[:, ITEM]] = mine[:, WIDTH]
    return width.tolist()


def _strategy_name(tree: TreeGame, player: int, actions: list[int]) -> str:
    if not tree.labels.infosets:
        return " ".join(map(str, actions))
    sets = tree.labels.infosets[player]
    return " ".join(infoset.actions[action] for infoset, action in zip(sets, actions, strict=True)) or "nothing"


def _nfg_body(names: list[list[str]], payoffs: np.ndarray) -> Iterator[str]:
    rows = payoffs.reshape(len(names), -1, order="F").T.tolist()  # [profile][player], the first player's fastest
    if all(strategies == list(map(str, range(len(strategies)))) for strategies in names):
        yield f"{{ {' '.join(str(len(strategies)) for strategies in names)} }}\n\n"
        yield from (" ".join(map(_exact, row)) + "\n" for row in rows)
        return
    yield "{\n"  # only the form with outcomes has room for names
    yield from (f"{{ {' '.join(map(_quoted, strategies))} }}\n" for strategies in names)
    yield '}\n""\n\n{\n'
    outcomes = {row: i + 1 for i, row in enumerate(dict.fromkeys(map(tuple, rows)))}
    yield from (f'{{ "" {", ".join(map(_exact, row))} }}\n' for row in outcomes)
    yield "}\n" + " ".join(str(outcomes[tuple(row)]) for row in rows) + "\n"


def _quoted(text: str) -> str:
    """A backslash protects a quotation mark and nothing else, not even itself: so there is no way to write one."""
    return '"' + text.replace("\\", "/").replace('"', '\\"') + '"'


def _exact(number: float) -> str:
    """A number as a fraction with a small denominator, if that is the same number; else all its digits."""
    simple = Fraction(number).limit_denominator(SIMPLE)
    return str(simple) if float(simple) == number else repr(number)


def _exact_odds(chances: list[float]) -> list[Fraction]:
    """Probabilities as fractions that sum to exactly 1."""
    simple = [Fraction(p).limit_denominator(SIMPLE) for p in chances]
    if sum(simple) == 1 and all(math.isclose(float(s), p, rel_tol=1e-12) for s, p in zip(simple, chances, strict=True)):
        return simple
    exact = [Fraction(p) for p in chances]
    return [p / sum(exact) for p in exact]


def _write(path: str | os.PathLike, parts: Iterable[str]) -> None:
    """Write a file that appears whole or not at all."""
    with refusing(path), appearing(path, "t") as file:
        file.writelines(parts)
