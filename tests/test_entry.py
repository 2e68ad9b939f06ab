"""A user's game is checked once before compiled code runs on it: by every door, remembered, and not when told so."""

from typing import NamedTuple

import numpy as np
import pytest

import fogtree as ft
from fogtree.contract import entry, unchecked, watchdog
from fogtree.kernels import kernel
from fogtree.transforms.opened import Opened


class Guess(NamedTuple):
    """Player 0 hides a coin in one of two hands, player 1 guesses. `words` is what shape() says of the state."""

    words: int = 2
    weight: object = 1

    def shape(self):
        return ft.Shape(2, self.words, 2, 2, -1.0, 1.0)

    def start(self, state):
        state[:] = -1

    def player(self, state):
        return 0 if state[0] < 0 else 1 if state[1] < 0 else ft.OVER

    def actions(self, state, out):
        out[0], out[1] = 0, 1
        return 2

    def step(self, state, action):
        state[0 if state[0] < 0 else 1] = action

    def payoff(self, state, player):
        return 1.0 if (state[0] == state[1]) == (player == 1) else -1.0

    def view(self, state, player):
        return 3 * (state[0] + 1 if player == 0 else min(state[0] + 1, 1)) + state[1] + 1


@kernel
def _first(game, state):
    game.start(state)
    return state[0]


@pytest.fixture
def walks(tmp_path, monkeypatch):
    """The games that are walked, with nothing remembered from before."""
    monkeypatch.setenv("FOGTREE_CACHE", str(tmp_path))
    monkeypatch.setattr(entry, "_known", set())
    monkeypatch.setattr(entry, "_held", {})
    walked, walk = [], entry._walk
    monkeypatch.setattr(entry, "_walk", lambda game: (walked.append(game), walk(game)))
    return walked


DOORS = {
    "solve": lambda game: ft.solve(game),
    "sequence_form": lambda game: ft.sequence_form(game),
    "MCCFR": lambda game: ft.MCCFR(game),
    "ISMCTS": lambda game: ft.ISMCTS(game, "rm"),
    "count": lambda game: ft.count(game),
    "playouts": lambda game: ft.playouts(game, 10),
    "exploitability": lambda game: ft.exploitability(game, "uniform"),
    "play": lambda game: ft.play(game, ["random", "random"], seed=1),
    "at": lambda game: ft.at(game),
    "a kernel": lambda game: _first(game, np.zeros(2, np.int64)),
    "a kernel, inside a game": lambda game: _first(Opened(game), np.zeros(2, np.int64)),
}


@pytest.mark.parametrize("door", DOORS)
def test_one_word_too_few_is_found_at_every_door(door, walks):
    with pytest.raises(ft.Broken, match="raised IndexError: index 1 is out of bounds for axis 0 with size 1 in line "):
        DOORS[door](Guess(words=1))
    assert len(walks) == 1


def test_a_game_is_walked_once_for_its_code_and_parameters(walks, monkeypatch):
    entry.admit(Guess())
    entry.admit(Guess())
    assert len(walks) == 1
    monkeypatch.setattr(entry, "_known", set())  # as in another process
    entry.admit(Guess())
    assert len(walks) == 1
    entry.admit(Guess(words=3))
    entry.admit(type("Guess", (Guess,), {"view": lambda self, state, player: Guess.view(self, state, player) + 9})())
    assert len(walks) == 3


def test_a_game_with_an_array_is_remembered_too(walks):
    game = Guess(weight=np.ones(3))
    for _ in range(3):
        entry.admit(game)
    assert len(walks) == 1 and entry._held


def test_the_packages_own_games_are_not_walked(walks):
    for game in (ft.Kuhn(), Opened(ft.Kuhn())):
        entry.admit(game)
    assert not walks


def test_the_check_can_be_turned_off(walks, monkeypatch):
    with unchecked():
        entry.admit(Guess(words=1))
    monkeypatch.setenv(entry.UNCHECKED, "1")
    entry.admit(Guess(words=1))
    assert not walks


def test_a_game_that_failed_is_walked_again(walks):
    for _ in range(2):
        with pytest.raises(ft.Broken):
            entry.admit(Guess(words=1))
    assert len(walks) == 2


def test_a_game_that_passed_the_long_check_is_not_walked(walks, interpreted):
    ft.check(Guess())
    entry.admit(Guess())
    assert not walks


def test_a_method_that_returns_late_is_not_blamed(monkeypatch):
    monkeypatch.setattr(watchdog, "EACH", 0.01)
    blamed = []
    with watchdog.Watchdog(0.02) as dog:
        dog.blame = blamed.append
        for n in range(20):
            dog.doing = n, "step"
            sum(range(100_000))
    assert not blamed


def test_only_the_loop_is_blamed_and_its_thread_goes_on(monkeypatch):
    monkeypatch.setattr(watchdog, "EACH", 0.01)
    blamed = []
    try:
        with watchdog.Watchdog(0.05) as dog:
            dog.blame = blamed.append
            dog.doing = "here"
            while True:
                pass
    except watchdog.TooLong:
        pass
    assert blamed == ["here"] and sum(range(10**6)) == 499999500000


# --- the digest of the rules -----------------------------------------------------------------------------------------

RULES = '''"""A guess."""
from typing import NamedTuple
from fogtree.game import OVER, Shape

WORTH = 1.0


def worth(hit):
    return WORTH if hit else -WORTH


class Guess(NamedTuple):
    words: int = 2

    def shape(self):
        """How large it is."""
        return Shape(2, self.words, 2, 2, -9.0, 9.0)

    def start(self, state):
        state[:] = -1

    def player(self, state):
        return 0 if state[0] < 0 else 1 if state[1] < 0 else OVER

    def actions(self, state, out):
        out[0], out[1] = 0, 1
        return 2

    def step(self, state, action):
        state[0 if state[0] < 0 else 1] = action

    def payoff(self, state, player):
        return self.sign(player) * worth(state[0] == state[1])

    def sign(self, player):
        return 1 if player else -1

    def view(self, state, player):
        return 3 * (state[0] + 1 if player == 0 else min(state[0] + 1, 1)) + state[1] + 1

    def show(self, state, player):
        return "two hands"
'''


def identity_of(folder, old="", new=""):
    file = folder / f"guess{len(list(folder.iterdir()))}.py"
    assert old in RULES
    file.write_text(RULES.replace(old, new, 1) if old else RULES)
    return ft.game.identity(ft.load(str(file)))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("WORTH = 1.0", "WORTH = 2.0"),
        ("WORTH if hit", "2 * WORTH if hit"),
        ("return 1 if player else -1", "return -1 if player else 1"),
        ("out[0], out[1] = 0, 1", "out[0], out[1] = 0, 2"),
        ("state[:] = -1", "state[:] = -2"),
    ],
)
def test_an_edit_of_the_rules_is_another_game(old, new, tmp_path):
    assert identity_of(tmp_path) != identity_of(tmp_path, old, new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"""How large it is."""', '"""Its size."""'),
        ("    def start", "    # it begins\n\n    def start"),
        ("state[:] = -1", "state[:]=-1  # nothing yet"),
        ('return "two hands"', 'return "two closed hands"'),
    ],
)
def test_words_and_layout_are_no_rules(old, new, tmp_path):
    assert identity_of(tmp_path) == identity_of(tmp_path, old, new)


def test_the_digest_of_rules_is_the_same_under_every_version_of_python(tmp_path):
    # fixed here: a version of Python that spells code differently would make saved strategies useless
    assert identity_of(tmp_path) == "Guess(words=2), rules version 0, code ec5a27526bd8"


def test_a_strategy_is_refused_after_the_rules_were_edited(tmp_path):
    file = tmp_path / "guess.py"
    file.write_text(RULES)
    ft.Strategy.uniform(ft.load(str(file))).save(tmp_path / "plan.npz")
    assert len(ft.Strategy.load(tmp_path / "plan.npz", ft.load(str(file)))) == 0
    file.write_text(RULES.replace("WORTH = 1.0", "WORTH = 3.0"))
    with pytest.raises(ft.Invalid, match=r"plan.npz is a strategy of Guess\(words=2\), .*, not of Guess\(words=2\), "):
        ft.Strategy.load(tmp_path / "plan.npz", ft.load(str(file)))


def test_a_game_inside_a_game_counts_too(tmp_path):
    file = tmp_path / "guess.py"
    file.write_text(RULES)
    first = ft.game.identity(ft.load(f"open:{file}"))
    file.write_text(RULES.replace("WORTH = 1.0", "WORTH = 3.0"))
    assert ft.game.identity(ft.load(f"open:{file}")) != first


# --- a leak by view --------------------------------------------------------------------------------------------------


def test_check_refuses_a_view_that_tells_what_nobody_told(tmp_path, interpreted):
    file = tmp_path / "guess.py"
    leaking = RULES.replace("state[0] + 1 if player == 0 else min(state[0] + 1, 1)", "state[0] + 1")
    file.write_text(leaking)
    with pytest.raises(
        ft.Broken, match=r"Guess\.view tells player 1 this from the history 0, although in both the player was"
    ):
        ft.check(ft.load(str(file)))
    spoken = "    def heard(self, state, action, player):\n        return str(action)\n\n    def start"
    file.write_text(leaking.replace("    def start", spoken))  # then it is no leak, but show says too little
    (leak, opened) = ft.check(ft.load(str(file))).hints
    assert leak.startswith(
        "Guess.view tells player 1 the history 1 from 0, though show() gave the player the same texts"
    )
    assert "hides nothing" in opened
    file.write_text(RULES)
    assert ft.check(ft.load(str(file))).hints == ()
