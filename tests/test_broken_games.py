"""A hundred broken games: one small game that is right, a slip in each row of a table, and the sentence that names it.

Each row is what was written wrong in place of what. The game goes through the doors of the Python API, not through
`fogtree check`: who solves it must hear of the slip before compiled code runs on it.
"""

import re

import pytest

import fogtree as ft
from fogtree.contract import watchdog
from fogtree.errors import FogtreeError

RIGHT = '''"""Chance deals player 0 a card; player 0 says low or high; player 1, who hears only that, doubts or believes."""

from typing import NamedTuple

import numpy as np

from fogtree import dice
from fogtree.game import CHANCE, OVER, REFEREE, Shape, seen

CARD, BID, ANSWER, WORDS = 0, 1, 2, 3
NONE = -1
WORDING = (("low", "high"), ("doubt", "believe"))


class Bluff(NamedTuple):
    cards: int = 3

    def shape(self):
        return Shape(players=2, words=WORDS, actions=self.cards, moves=3, low=-2.0, high=2.0)

    def start(self, state):
        state[:] = NONE

    def player(self, state):
        if state[CARD] == NONE:
            return CHANCE
        if state[BID] == NONE:
            return 0
        return 1 if state[ANSWER] == NONE else OVER

    def actions(self, state, out):
        count = self.cards if state[CARD] == NONE else 2
        for i in range(count):
            out[i] = i
        return count

    def odds(self, state, out):
        for i in range(self.cards):
            out[i] = 1.0 / self.cards

    def step(self, state, action):
        for word in range(WORDS):
            if state[word] == NONE:
                state[word] = action
                return

    def payoff(self, state, player):
        true = (state[CARD] > 0) == (state[BID] == 1)
        won = 1.0 if true else 2.0
        if true == (state[ANSWER] == 1):
            won = -won
        return won if player == 0 else -won

    def view(self, state, player):
        key = 1
        if player == 0:
            key = seen(key, state[CARD] + 1, self.cards + 1)
        key = seen(key, state[BID] + 1, 3)
        return seen(key, state[ANSWER] + 1, 3)

    def side_of(self, player):
        return player

    def position(self, state):
        return self.view(state, 0)

    def noisy(self, state, out):
        out[0] = 0
        return 1

    def urgent(self, state):
        return False

    def promise(self, state, action):
        return 1.0 * action

    def by_course(self, state):
        return False

    def live(self, state):
        return WORDS

    def skip(self, state):
        return False

    def imagine(self, state, player, random):
        if player == 1:
            state[CARD] = dice.below(random, self.cards)

    def show(self, state, player):
        return f"card {state[CARD] if player in (0, REFEREE) else '?'}, bid {state[BID]}, answer {state[ANSWER]}"

    def label(self, state, action):
        return f"card {action}" if state[CARD] == NONE else WORDING[int(state[BID] != NONE)][action]

    def read(self, state, text):
        for action in range(self.cards if state[CARD] == NONE else 2):
            if self.label(state, action) == text:
                return action
        return NONE


COUNT = iter(range(1, 1000000))
'''

SHAPE = "Shape(players=2, words=WORDS, actions=self.cards, moves=3, low=-2.0, high=2.0)"
VIEW = "return seen(key, state[ANSWER] + 1, 3)"
ON = "    def actions"  # stands before it: what is written there is a method of its own

SLIPS = [
    # the file
    ("import numpy as np", "import numpy as", "line 5: SyntaxError: "),
    ("import numpy as np", "import nummpy as np", "line 5: ModuleNotFoundError: No module named 'nummpy'"),
    ("WORDING = (", "WORDING = 1 / 0, (", "line 12: ZeroDivisionError: division by zero"),
    ("(NamedTuple)", "(NamedTuples)", "line 15: NameError: name 'NamedTuples' is not defined"),
    ("NONE = -1", "NONE = -1\nraise SystemError('no')", "line 12: SystemError: no"),
    ("NONE = -1", "NONE = -1\nraise SystemExit('no')", "line 12: SystemExit: no"),
    ("class Bluff(NamedTuple):", "class Bluff:", "Bluff is no NamedTuple: write class Bluff(NamedTuple)"),
    ("    cards: int = 3\n", "    cards: int\n", "Bluff needs cards"),
    (
        "def step",
        "def stepp",
        "Bluff has no method step; a game is a NamedTuple class with the methods of fogtree.game",
    ),
    ("def shape", "def shapes", "Bluff has no method shape"),
    ("def start", "def starts", "Bluff has no method start: a game needs shape, start, player, actions"),
    ("def player", "def players", "Bluff has no method player: a game needs"),
    ("def actions", "def action", "Bluff has no method actions: a game needs"),
    ("def payoff", "def pay", "Bluff has no method payoff: a game needs"),
    ("def view", "def views", "Bluff has no method view: a game needs"),
    ("def odds", "def chances", "Bluff.player is CHANCE, but there is no method odds, which a game with chance needs"),
    # parameters
    ("cards: int = 3", "cards: int = 3\n    names: dict = {}", "Bluff.names is a dict: compiled code takes numbers,"),
    ("cards: int = 3", "cards: int = 3\n    names: list = []", "Bluff.names is a list: compiled code takes numbers,"),
    ("cards: int = 3", "cards: int = 3\n    names: set = set()", "Bluff.names is a set: compiled code takes numbers,"),
    ("cards: int = 3", "cards: int = 3\n    more: tuple = (1, {})", "Bluff.more is a tuple: compiled code takes"),
    (
        "cards: int = 3",
        "cards: int = 3\n    more: np.ndarray = np.array([None])",
        "Bluff.more is an array of object: compiled code takes numbers,",
    ),
    ("cards: int = 3", "cards: int = 3\n    more: object = object()", "Bluff.more is a object: compiled code takes"),
    ("cards: int = 3", "cards: int = 0", "Bluff.shape has a size below 1: Shape(players=2, words=3, actions=0"),
    ("cards: int = 3", 'cards: str = "3"', "Bluff.shape must be a whole number, not '3'"),
    # shape
    (SHAPE, "2, WORDS, self.cards, 3, -2.0, 2.0", "Bluff.shape must return a fogtree.Shape, not tuple"),
    (f"return {SHAPE}", SHAPE, "Bluff.shape must return a fogtree.Shape, not NoneType"),
    ("def shape(self):", "def shape():", "Bluff.shape raised TypeError: "),
    ("words=WORDS,", "", "Bluff.shape raised TypeError: "),
    ("words=WORDS", "words=WORDS - 1", "raised IndexError: index 2 is out of bounds for axis 0 with size 2 in line "),
    ("words=WORDS", "words=0", "Bluff.shape has a size below 1"),
    ("words=WORDS", "words=3.0", "Bluff.shape must be a whole number, not 3.0"),
    ("words=WORDS", "words=None", "Bluff.shape must be a whole number, not None"),
    ("players=2", "players=0", "Bluff.shape has a size below 1"),
    ("players=2", "players=1", "Bluff.player is 1: valid are 0 to 0, CHANCE and OVER"),
    ("players=2", "players=300", "Bluff.shape has 300 players: at most 256 have room"),
    (
        "actions=self.cards",
        "actions=2",
        "Bluff.actions raised IndexError: index 2 is out of bounds for axis 0 with size 2",
    ),
    ("actions=self.cards", "actions=True", "Bluff.shape must be a whole number, not True"),
    ("moves=3", "moves=2", "Bluff.player goes on after 2 moves, the most that shape() allows"),
    ("moves=3", "moves=-3", "Bluff.shape has a size below 1"),
    ("low=-2.0", "low=2.5", "Bluff.shape needs finite payoffs with low <= high, not 2.5 and 2.0"),
    ("low=-2.0", "low=-1.0", "outside [-1, 2] of shape()"),
    ("high=2.0", "high=float('inf')", "Bluff.shape needs finite payoffs with low <= high, not -2.0 and inf"),
    ("high=2.0", "high=float('nan')", "Bluff.shape needs finite payoffs with low <= high, not -2.0 and nan"),
    ("high=2.0", "high='2'", "Bluff.shape needs numbers for low and high, not -2.0 and '2'"),
    ("high=2.0)", "high=2.0, open=True)", "Bluff.shape says that the game is open, but player 1 cannot tell this from"),
    # start
    ("state[:] = NONE", "state[0] = state[1] = NONE", "Bluff.start must write the whole state, but word 2 depends on"),
    ("state[:] = NONE", "state[3] = NONE", "Bluff.start raised IndexError: index 3 is out of bounds for axis 0"),
    ("state[:] = NONE", "state = np.full(3, NONE)", "Bluff.start must write the whole state, but word 0 depends on"),
    ("state[:] = NONE", "state[:] = -0.5", "Bluff.start writes -0.5 where whole numbers stand: fractions are lost"),
    ("state[:] = NONE", "state[:] = [NONE, NONE]", "Bluff.start raised ValueError: "),
    ("state[:] = NONE", "state.fill(None)", "Bluff.start raised TypeError: "),
    (
        "state[:] = NONE",
        "pass",
        "Bluff.start must write the whole state, but word 0 depends on what stood there before",
    ),
    ("state[:] = NONE", "while True: pass", "Bluff.start has not returned after "),
    # player
    ("return CHANCE", "return 2", "Bluff.player is 2: valid are 0 to 1, CHANCE and OVER"),
    ("return CHANCE", "return -7", "Bluff.player is -7: valid are 0 to 1, CHANCE and OVER"),
    ("return CHANCE", "return 'chance'", "Bluff.player must be a whole number, not 'chance'"),
    ("return CHANCE", "return", "Bluff.player must be a whole number, not None"),
    ("return CHANCE", "return True", "Bluff.player must be a whole number, not True"),
    ("return 1 if state[ANSWER] == NONE else OVER", "return 1", "Bluff.player goes on after 3 moves, the most that"),
    (
        "if state[BID] == NONE:\n            return 0",
        "state[BID] += 1",
        "Bluff.player changed the state, which only step",
    ),
    ("return CHANCE", "return state[9]", "Bluff.player raised IndexError: index 9 is out of bounds"),
    ("return CHANCE", "raise SystemExit(0)", "Bluff.player raised SystemExit: 0 in line "),
    # actions
    ("return count\n", "return 0\n", "Bluff.actions returns 0: valid is 1 to 3, as shape() says"),
    ("return count\n", "return 4\n", "Bluff.actions returns 4: valid is 1 to 3, as shape() says"),
    ("return count\n", "pass\n", "Bluff.actions must be a whole number, not None"),
    ("return count\n", "return [0, 1]\n", "Bluff.actions must be a whole number, not [0, 1]"),
    ("out[i] = i\n", "out[i] = -i\n", "Bluff.actions must be ascending and not negative, not [0, -1, -2]"),
    ("out[i] = i\n", "out[i] = 5\n", "Bluff.actions must be ascending and not negative, not [5, 5, 5]"),
    ("out[i] = i\n", "out[i + 1] = i\n", "Bluff.actions raised IndexError: index 3 is out of bounds"),
    ("out[i] = i\n", "out[i] = i / 2\n", "Bluff.actions writes 0.5 where whole numbers stand: fractions are lost"),
    ("out[i] = i\n", "out.append(i)\n", "Bluff.actions raised AttributeError: 'Row' object has no attribute 'append'"),
    (
        "count = self.cards if state[CARD] == NONE else 2",
        "count = 3 if state[CARD] == NONE else 2 - (state[CARD] == state[BID])",
        "player 1 cannot tell this from the history ",
    ),
    ("def actions(self, state, out):", "def actions(self, state):", "Bluff.actions raised TypeError: "),
    # odds
    ("1.0 / self.cards", "1.0", "Bluff.odds must be positive and sum to 1, not [1.0, 1.0, 1.0]"),
    ("1.0 / self.cards", "1 // self.cards", "Bluff.odds must be positive and sum to 1, not [0.0, 0.0, 0.0]"),
    ("1.0 / self.cards", "float('nan')", "Bluff.odds must be positive and sum to 1, not [nan, nan, nan]"),
    (
        "range(self.cards):\n            out[i] = 1.0",
        "range(9):\n            out[i] = 1.0",
        "Bluff.odds raised IndexError: ",
    ),
    # step
    ("state[word] = action\n", "state = state.copy()\n                state[word] = action\n", "not a copy"),
    ("state[word] = action\n", "pass\n", "Bluff.step of action 0 leaves the state as it was: it must change the row"),
    ("state[word] = action\n", "state[word] = action / 2\n", "Bluff.step writes 0.5 where whole numbers stand"),
    ("state[word] = action\n", "state[word + 3] = action\n", "Bluff.step raised IndexError: index 3 is out of bounds"),
    ("for word in range(WORDS):", "while state[0] != 99:\n            word = 9", "Bluff.step raised IndexError: "),
    ("                return\n", "                while True: pass\n", "Bluff.step has not returned after "),
    ("def step(self, state, action):", "def step(self, state):", "Bluff.step raised TypeError: "),
    ("state[word] = action\n", "state[word] = next(COUNT) * 9 + action\n", "gives two different states"),
    # payoff
    ("return won if player == 0 else -won", "return won", "which does not sum to 0 as shape() says"),
    (
        "return won if player == 0 else -won",
        "return 9 * won if player == 0 else -9 * won",
        "outside [-2, 2] of shape()",
    ),
    ("return won if player == 0 else -won", "pass", "Bluff.payoff must be a number, not [None, None]"),
    ("return won if player == 0 else -won", "return float('nan')", "Bluff.payoff is [nan, nan], outside [-2, 2]"),
    ("return won if player == 0 else -won", "return won / 0", "Bluff.payoff raised ZeroDivisionError: "),
    ("def payoff(self, state, player):", "def payoff(self, state):", "Bluff.payoff raised TypeError: "),
    # view
    (
        "state[CARD] + 1, self.cards + 1)",
        "state[CARD], self.cards)",
        "Bluff.view calls seen with the symbol -1 of radix 3",
    ),
    (
        "seen(key, state[BID] + 1, 3)",
        "seen(key, state[BID] + 1, 2)",
        "calls seen with the symbol 2 of radix 2: valid is 0",
    ),
    ("seen(key, state[BID] + 1, 3)", "seen(key, state[BID] + 1, 1)", "calls seen with the radix 1: valid is 2 to 2^31"),
    (VIEW, "return 0.5", "Bluff.view must be a whole number, not 0.5"),
    (VIEW, "return str(state)", "Bluff.view must be a whole number, not "),
    (VIEW, "return 2**70", "Bluff.view of player 0 is 1180591620717411303424, which does not fit in 64 bits"),
    (VIEW, "pass", "Bluff.view must be a whole number, not None"),
    (VIEW, "return 1", "Bluff.show tells player 0 this from the history (none), though their view is the same"),
    ("key = seen(key, state[BID] + 1, 3)\n        return", "return", "though their view is the same"),
    (VIEW, "return seen(key, state[ANSWER] + 1, 3) if player else 7", "Bluff.show tells player 0 this from"),
    # what people read
    (
        "def show(self, state, player):",
        "def show(self, state, player):\n        raise SystemExit(0)",
        "Bluff.show raised SystemExit: 0 in line ",
    ),
    (
        '        return f"card {state[CARD] if',
        '        f"card {state[CARD] if',
        "Bluff.show must return a text, not nothing",
    ),
    (
        "if player in (0, REFEREE) else '?'",
        "",
        "Bluff.show tells player 1 this from the history (none), though their view",
    ),
    ('return f"card {action}" if', "return action if", "Bluff.label must return a text, not 0"),
    (
        'return f"card {action}" if',
        'return "card" if',
        "Bluff.label gives two actions the same name: ['card', 'card', 'card']",
    ),
    (
        "                return action\n",
        "                return 0\n",
        "Bluff.read does not take 'card 1', the label of action 1",
    ),
    # what a game may know besides
    ("return player\n", "return 1 - player\n", "Bluff.side_of numbers the sides from 0 without gaps"),
    ("return player\n", "return 0\n", "but those on one side, (0, 0), must get the same"),
    (
        "return self.view(state, 0)",
        "return 1",
        "Bluff.position is the same as after (none), but the player to move is 0",
    ),
    (
        "out[0] = 0\n        return 1\n",
        "out[0] = 7\n        return 1\n",
        "Bluff.noisy must write legal actions, ascending",
    ),
    (
        "out[0] = 0\n        return 1\n",
        "return 9\n",
        "Bluff.noisy returns 9: valid is 0 to 2, the number of legal actions",
    ),
    (
        "def urgent(self, state):\n        return False",
        "def urgent(self, state):\n        return 1",
        "must be True or False",
    ),
    ("return 1.0 * action", "return None", "Bluff.promise of action 0 must be a finite number, not None"),
    ("return WORDS", "return 9", "Bluff.live is 9: valid is 1 to 3, the words of the state"),
    ("return WORDS", "return 1", "Bluff.live is 1, but what stands behind these words changes what the game says"),
    (
        "if player == 1:\n            state",
        "if True:\n            state",
        "gives a state that player 0 can tell from the true",
    ),
]


@pytest.fixture
def doors(tmp_path, monkeypatch):
    monkeypatch.setenv("FOGTREE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(watchdog, "EACH", 0.01)
    monkeypatch.setattr(watchdog.Watchdog.__init__, "__defaults__", (0.1,))

    def solve(text):
        file = tmp_path / "bluff.py"
        file.write_text(text)
        return ft.sequence_form(ft.load(str(file)))

    return solve


def test_the_table_has_a_hundred_rows():
    assert len(SLIPS) >= 100 and len({(old, new) for old, new, _ in SLIPS}) == len(SLIPS)


def test_the_game_that_is_right_passes(doors, tmp_path, interpreted):
    assert doors(RIGHT).histories == 1 + 3 + 6 + 12
    assert [mark.name.partition("-")[0] for mark in (tmp_path / "cache" / "checked").iterdir()] == ["Bluff"]


@pytest.mark.parametrize(("old", "new", "sentence"), SLIPS, ids=lambda text: re.sub(r"\W+", "-", text)[:30])
def test_a_slip_is_named_before_compiled_code_runs(old, new, sentence, doors):
    assert RIGHT.count(old) >= 1
    with pytest.raises(FogtreeError) as caught:
        doors(RIGHT.replace(old, new, 1))
    said = str(caught.value)
    assert sentence in said
    assert "Traceback" not in said
