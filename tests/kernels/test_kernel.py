"""Kernels: plain methods of NamedTuples as direct calls, stored machine code that is never stale, errors in one line."""

import concurrent.futures
import ctypes
import enum
import functools
import importlib
import json
import os
import pathlib
import subprocess
import sys
import threading
from typing import NamedTuple

import numba
import numpy as np
import pytest

import fogtree
from fogtree import Uncompilable
from fogtree.contract import unchecked
from fogtree.kernels import Kernel, cache, cache_folder, folder, kernel, optional
from fogtree.kernels.lanes import lanes_slice
from fogtree.policy import Uniform
from fogtree.search.playout import new_games, new_own

# --- what a kernel may be given --------------------------------------------------------------------------------------


class Suit(enum.IntEnum):
    CLUBS = 3
    HEARTS = 5


class Inner(NamedTuple):
    weight: int = 2

    def score(self, x):
        return self.weight * x


class Deck(NamedTuple):
    size: int = 4
    suit: Suit = Suit.HEARTS
    rate: float = 0.5
    open: bool = True
    inner: Inner = Inner()
    value: np.ndarray = np.arange(10) ** 2

    def score(self, x):
        return self.inner.score(x) + self.bonus(x) + self.bonus(x, 100)

    def bonus(self, x, more=10):
        return self.value[x] + more if self.open else x

    def suited(self, x):
        return 1 if self.suit == Suit.HEARTS else x

    def named(self, x):
        return self.bonus(more=x, x=1)

    def factorial(self, x):
        return factorial(x)

    def raises(self, x):
        if x > 3:
            raise ValueError("more than three")
        return x

    def makes_arrays(self, x):
        room = np.zeros(x)
        room[0] = self.rate
        return room.sum()

    def view(self, x, player):  # a name that Numba reserves for arrays
        return x + player


class Other(NamedTuple):
    """The method names of Deck with other numbers of arguments."""

    size: int = 4

    def score(self, x):
        return self.bonus(x, 1, 2)

    def bonus(self, x, y, z):
        return x + y + z

    def view(self, x, player):
        return self.size


class Nothing(NamedTuple):
    def score(self, x):
        return double(x) + self.more()

    def more(self):
        return 7


def double(x):
    return 2 * x


def factorial(x):
    if x <= 1:
        return 1
    return x * factorial(x - 1)


def twice(game, x):
    return double(game.score(x))


def interpreted_too(run, *args):
    result = run(*args)
    assert run.interpreted(*args) == result
    return result


@kernel
def score(game, x):
    return game.score(x)


@kernel
def view(game, x):
    return game.view(x, 1)


@kernel
def twice_by_a_function(game, x):
    return twice(game, x)


@kernel
def thrice_by_a_kernel(game, x):
    return score(game, x) + twice_by_a_function(game, x)


def test_a_method_is_found_by_the_class_of_its_object():
    assert interpreted_too(score, Deck(), 3) == 2 * 3 + (9 + 10) + (9 + 100)
    assert interpreted_too(score, Other(), 3) == 3 + 1 + 2
    assert interpreted_too(score, Inner(5), 3) == 15
    assert interpreted_too(view, Deck(), 3) == 4
    assert interpreted_too(view, Other(9), 3) == 9


def test_fields_are_values_not_constants():
    for size in (1, 2, 3):
        assert view(Other(size), 0) == size
    assert score(Deck(open=False), 3) == 2 * 3 + 3 + 3
    assert score(Deck(inner=Inner(10)), 3) == 30 + 19 + 109
    assert score(Deck(value=np.zeros(4, np.int64)), 3) == 6 + 10 + 100


def test_a_tuple_without_fields_has_methods_too():
    assert interpreted_too(score, Nothing(), 4) == 15


def test_functions_and_kernels_are_called_by_name():
    assert interpreted_too(twice_by_a_function, Deck(), 3) == 2 * 134
    assert interpreted_too(thrice_by_a_kernel, Deck(), 3) == 3 * 134
    assert interpreted_too(thrice_by_a_kernel, Other(), 3) == 3 * 6


def halved(x):
    return x / 2


def doubled(x):
    return x * 2.0


@kernel
def chosen(larger, x):
    function = doubled if larger else halved
    return function(x)


@pytest.mark.filterwarnings("ignore::numba.NumbaExperimentalFeatureWarning")
def test_a_function_may_be_a_value():
    assert interpreted_too(chosen, True, 3.0) == 6.0
    assert chosen(False, 3.0) == 1.5


@kernel
def everything(game, x):
    return game.suited(x), game.named(x), game.factorial(5), game.rate + (game.suit + 1), game.view(x, 1)


def test_enums_keywords_recursion_and_floats():
    assert interpreted_too(everything, Deck(), 8) == (1, 9, 120, 6.5, 9)
    assert everything(Deck(suit=Suit.CLUBS), 8) == (8, 9, 120, 4.5, 9)


class FirstSized(NamedTuple):
    same: int = 1

    def score(self, x):
        return x + 1


def other_first_sized():
    class FirstSized(NamedTuple):
        same: int = 1

        def score(self, x):
            return x - 1

    return FirstSized()


def test_two_classes_of_one_name_and_the_same_fields_are_two():
    # Numba's quick look at an argument sees names only; a cell that is run again in a notebook makes such a pair
    first, second = FirstSized(), other_first_sized()
    assert [score(first, 10), score(second, 10), score(first, 10), score(second, 10)] == [11, 9, 11, 9]

    class Pair(NamedTuple):
        part: NamedTuple

        def score(self, x):
            return self.part.score(x)

    assert [score(Pair(first), 10), score(Pair(second), 10), score(Pair(first), 10)] == [11, 9, 11]


class WithoutExtra(NamedTuple):
    size: int = 1


class WithExtra(NamedTuple):
    size: int = 1

    def extra_for_tests(self, x):
        return x + 1


optional("extra_for_tests", lambda game, x: -x)


@kernel
def extra(game, x):
    return game.extra_for_tests(x)


def test_an_optional_method_has_a_stand_in():
    assert extra(WithExtra(), 5) == 6
    assert extra(WithoutExtra(), 5) == -5


@kernel
def raises(game, x):
    return game.raises(x)


def test_an_exception_of_the_game_is_its_own():
    assert raises(Deck(), 3) == 3
    for run in (raises, raises.interpreted):
        with pytest.raises(ValueError, match="more than three"):
            run(Deck(), 4)


@kernel
def makes_arrays(game, x):
    return game.makes_arrays(x)


@kernel
def returns_array(game, x):
    return np.full(x, game.size)


def test_code_that_makes_arrays_is_compiled_with_reference_counts():
    assert interpreted_too(makes_arrays, Deck(), 3) == 0.5
    assert returns_array(Other(7), 3).tolist() == [7, 7, 7]
    assert [door.counted for door in makes_arrays.doors.values()] == [True]
    score(Deck(), 3)
    assert not any(door.counted for door in score.doors.values())


def test_a_bad_call_leaves_no_trace_on_good_ones():
    @kernel
    def add(game, x):
        return game.size + x

    with pytest.raises(Uncompilable):
        add(Other(), "text")
    assert add(Other(), 1) == 5
    assert not any(door.counted for door in add.doors.values())


@kernel
def applied(function, x):
    return function(x) + 1


def test_a_function_may_be_an_argument():
    def triple(x):
        return 3 * x

    assert applied(double, 4) == 9
    assert applied(triple, 4) == 13


@kernel
def wraps_round(game, x):
    return np.int64(game.size) * np.int64(x) + np.int64(1)


def test_integers_wrap_round_in_both():
    assert interpreted_too(wraps_round, Other(2**62), 2**40) == 1


def test_a_kernel_looks_like_its_function():
    assert (lanes_slice.__name__, lanes_slice.__doc__) == ("lanes_slice", lanes_slice.py_func.__doc__)


# --- games, both ways: some here, all in tests/games/test_registry.py, where each verb is compared -----------------------

SOME = ("kuhn", "goofspiel", "phantom-ttt")


def totals(run, game, seed, lanes=3):
    work, own = new_games(game, Uniform(), seed, rows=lanes)._replace(each=10), new_own(game.shape())
    run(work, 0, lanes, own)
    return work.made.tolist(), work.payoff.tolist(), own.random.tolist(), own.state.tolist()


@pytest.mark.parametrize("name", SOME)
def test_interpreted_equals_compiled(name):
    game = fogtree.load(name)
    for seed in (1, 2):
        assert totals(lanes_slice, game, seed) == totals(lanes_slice.interpreted, game, seed)


def test_without_a_compiler_the_numbers_are_the_same():
    code = """
import json, sys, numba, fogtree
assert numba.config.DISABLE_JIT
results = {}
for name in sys.argv[1:]:
    played = fogtree.playouts(fogtree.load(name), 20, seed=4)
    results[name] = [played.moves, played.payoff.tolist()]
counted = fogtree.count(fogtree.Kuhn())
print(json.dumps([results, [counted.histories, *counted.infosets]]))
"""
    results, counted = json.loads(python(code, *SOME, NUMBA_DISABLE_JIT="1"))
    assert tuple(results) == SOME
    for name, (moves, payoff) in results.items():
        played = fogtree.playouts(fogtree.load(name), 20, seed=4)
        assert (played.moves, played.payoff.tolist()) == (moves, payoff), name
    again = fogtree.count(fogtree.Kuhn())
    assert [again.histories, *again.infosets] == counted


def python(code, *args, cwd=None, **environment):
    """What a process of its own prints."""
    return subprocess.run(
        [sys.executable, "-c", code, *args],
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **environment},
        cwd=cwd,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    ).stdout


# --- the cache: in this process, with modules that are edited and imported again -----------------------------------


@pytest.fixture
def edited(tmp_path, monkeypatch):
    """A function that writes files into a folder of a user's and imports the first of them anew."""
    monkeypatch.setenv("FOGTREE_CACHE", str(tmp_path / "cache"))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    imported = {"parts"}

    def write_and_import(files):
        for name, text in files.items():
            path = tmp_path / f"{name.replace('.', '/')}.py"
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        imported.update(files)
        for name in imported:
            sys.modules.pop(name, None)
        importlib.invalidate_caches()
        return importlib.import_module(next(iter(files)))

    yield write_and_import
    for name in imported:
        sys.modules.pop(name, None)


def stored(folder):
    return sorted(path.name for path in folder.glob("*.nbc"))


def hits(run: Kernel):
    return sum(sum(door.stats.cache_hits.values()) for door in run.doors.values())


def game_of(value, above=""):
    """A user's file: a game with one method, in which an edit turns @ from 1 into 2."""
    return f"""
from typing import NamedTuple
{above}
class Game(NamedTuple):
    size: int = 3

    def value(self, x):
        return {value}
"""


@kernel
def value(game, x):
    return game.value(x)


STEP_TUPLE = "class Step(NamedTuple):\n    by: int = 5\n    def on(self, x): return x + @\n"
EDITS = {
    "a rule": {"game": game_of("x + @")},
    "a constant of the file": {"game": game_of("x + STEP", "STEP = @")},
    "a constant imported from a helper": {"game": game_of("x + STEP", "from helper import STEP"), "helper": "STEP = @"},
    "a constant of a module": {"game": game_of("x + helper.STEP", "import helper"), "helper": "STEP = @"},
    "a constant of a module in a package": {
        "game": game_of("x + parts.helper.STEP", "import parts.helper"),
        "parts.__init__": "",
        "parts.helper": "STEP = @",
    },
    "a function of a helper": {
        "game": game_of("step(x)", "from helper import step"),
        "helper": "STEP = @\ndef step(x): return x + STEP",
    },
    "a constant computed at import": {"game": game_of("x + STEP", "STEP = len(@ * 'a')")},
    "an array": {"game": game_of("x + STEP[1]", "import numpy as np\nSTEP = np.array([0, @])")},
    "a tuple": {"game": game_of("x + STEP[1]", "STEP = (0, @)")},
    "a slice": {"game": game_of("x + (0, 1, 2)[STEP][0]", "STEP = slice(@, @ + 1)")},
    "the value of an enum": {
        "game": game_of("x + Step.ONE", "import enum\nclass Step(enum.IntEnum):\n    ZERO = 0\n    ONE = @")
    },
    "a default argument": {"game": game_of("step(x)", "def step(x, by=@): return x + by")},
    "a default argument of a method": {
        "game": game_of("self.step(x)") + "\n    def step(self, x, by=@): return x + by",
    },
    "a method of a tuple made inside": {"game": game_of("Step(1).on(x)", STEP_TUPLE)},
    "a method of a constant tuple": {"game": game_of("STEP.on(x)", STEP_TUPLE + "STEP = Step()")},
    "a closure": {
        "game": game_of("step(x)", "def by(n):\n    def step(x): return x + n\n    return step\nstep = by(@)")
    },
    "which of two functions a name means": {
        "game": game_of("x + step() + 0 * (f1() + f2())", "def f1(): return 1\ndef f2(): return 2\nstep = f@"),
    },
    "a function jitted by hand": {"game": game_of("step(x)", "import numba\n@numba.njit\ndef step(x): return x + @")},
    "a kernel called inside": {
        "game": game_of("step(x)", "from fogtree import kernel\n@kernel\ndef step(x): return x + @")
    },
    "a method of the parent": {"game": game_of("x + @").replace("Game", "Old") + "class Game(Old): pass"},
    "a stand-in": {
        "game": game_of("self.step_of_tests(x)", "from fogtree.kernels import optional")
        + "def stand_in(game, x): return x + @\noptional('step_of_tests', stand_in)",
    },
    "a file with the name of one of Python's": {
        "antigravity": game_of("x + @"),
    },
}


@pytest.mark.parametrize("what", EDITS)
def test_an_edit_takes_effect(what, edited, tmp_path):
    def run(n):
        texts = {name: text.replace("@", str(n)) for name, text in EDITS[what].items()}
        texts = {
            name: text.replace(f"{n}numba", "@numba").replace(f"{n}kernel", "@kernel") for name, text in texts.items()
        }
        return value(edited(texts).Game(), 10)

    before = hits(value)
    assert [run(1), run(2)] == [11, 12]
    assert hits(value) == before and len(stored(tmp_path / "cache")) == 2
    assert [run(1), run(2)] == [11, 12]  # and what was there is found again
    assert hits(value) == before + 2 and len(stored(tmp_path / "cache")) == 2


def test_a_constant_from_the_environment_takes_effect(edited, monkeypatch):
    text = game_of("x + STEP", "import os\nSTEP = int(os.environ['STEP_OF_TESTS'])")
    for step in (1, 2, 1):
        monkeypatch.setenv("STEP_OF_TESTS", str(step))
        assert value(edited({"game": text}).Game(), 10) == 10 + step


def test_what_compiled_code_cannot_see_may_change_for_free(edited, tmp_path):
    value(edited({"game": game_of("x + 1")}).Game(), 10)
    value(edited({"game": "# a comment above\n\n" + game_of("x  +  1  # and one behind")}).Game(), 10)
    assert len(stored(tmp_path / "cache")) == 1


@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: b"",
        lambda data: data[:20],
        lambda data: data[: len(data) // 2],
        lambda data: b"garbage",
        lambda data: data[:1000] + bytes([data[1000] ^ 1]) + data[1001:],
        lambda data: data + b"more",
    ],
    ids=["empty", "cut early", "cut in the middle", "garbage", "one bit", "longer"],
)
def test_a_spoilt_file_is_compiled_anew(spoil, edited, tmp_path):
    text = {"game": game_of("x + 1")}
    assert value(edited(text).Game(), 10) == 11
    (path,) = (tmp_path / "cache").glob("*.nbc")
    good = path.read_bytes()
    path.write_bytes(spoil(good))
    before = hits(value)
    assert value(edited(text).Game(), 10) == 11
    assert hits(value) == before
    assert value(edited(text).Game(), 10) == 11  # and stored anew
    assert hits(value) == before + 1


def test_a_folder_that_cannot_be_written_costs_only_time(edited, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    for place in (tmp_path / "file", tmp_path / "file" / "below", os.devnull):
        monkeypatch.setenv("FOGTREE_CACHE", str(place))
        assert value(edited({"game": game_of("x + 1")}).Game(), 10) == 11


def test_a_full_disk_costs_only_time_and_leaves_nothing(edited, tmp_path, monkeypatch):
    def full(*args):
        raise OSError("No space left on device")

    monkeypatch.setattr(os, "replace", full)
    assert value(edited({"game": game_of("x + 1")}).Game(), 10) == 11
    assert [path for path in (tmp_path / "cache").rglob("*") if path.is_file()] == []


def test_a_kernel_of_a_users_file_is_stored_under_a_plain_name(edited, tmp_path):
    path = tmp_path / "odd name.py"
    path.write_text(
        game_of("x + 1", "from fogtree import kernel")
        + "\n    def step(self, state): pass\n\n@kernel\ndef run(game, x):\n    return game.value(x)\n"
    )
    game = fogtree.load(str(path))
    assert sys.modules[type(game).__module__].run(game, 10) == 11
    (file,) = (path for path in (tmp_path / "cache").rglob("*") if path.is_file())
    assert file.suffix == ".nbc" and " " not in file.name


@pytest.mark.skipif(sys.platform != "linux", reason="the folders are those of Linux")
def test_where_the_cache_is(monkeypatch):
    monkeypatch.delenv("FOGTREE_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    assert cache_folder() == pathlib.Path("/somewhere/fogtree")
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", "/home/ann")
    assert cache_folder() == pathlib.Path("/home/ann/.cache/fogtree")
    monkeypatch.setenv("FOGTREE_CACHE", "/chosen")
    assert cache_folder() == pathlib.Path("/chosen")


def test_a_user_without_a_home_has_no_cache(monkeypatch, tmp_path):
    for name in ("FOGTREE_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)  # what it does where there is no home
    monkeypatch.chdir(tmp_path)
    assert cache_folder() == pathlib.Path(os.devnull)
    assert value(FirstValued(), 10) == 110
    assert os.listdir(tmp_path) == []  # and no folder called ~


class FirstValued(NamedTuple):
    size: int = 3

    def value(self, x):
        return x + 100


# --- the cache: processes --------------------------------------------------------------------------------------------

USER_GAME = """
from typing import NamedTuple

import fogtree as ft

PRIZE = 1.0

class Guess(NamedTuple):
    sides: int = 3

    def shape(self):
        return ft.Shape(2, 2, self.sides, 2, -PRIZE, PRIZE)

    def start(self, state):
        state[:] = -1

    def player(self, state):
        return 0 if state[0] < 0 else (1 if state[1] < 0 else ft.OVER)

    def actions(self, state, out):
        for i in range(self.sides):
            out[i] = i
        return self.sides

    def step(self, state, action):
        state[0 if state[0] < 0 else 1] = action

    def payoff(self, state, player):
        won = PRIZE if state[0] == state[1] else -PRIZE
        return won if player == 1 else -won

    def view(self, state, player):
        return state[player] + 1
"""
PLAY = """
import json, sys, fogtree
from fogtree.kernels.lanes import lanes_slice
played = fogtree.playouts(fogtree.load(sys.argv[1]), 50, seed=1)
(door,) = lanes_slice.doors.values()
print(json.dumps([played.payoff.tolist(), sum(door.stats.cache_hits.values()), sum(door.stats.cache_misses.values())]))
"""


def test_a_users_file_is_compiled_by_two_at_once_then_found_and_again_after_an_edit(tmp_path, interpreted):
    file, cache = tmp_path / "my_game.py", tmp_path / "cache"
    file.write_text(USER_GAME)

    def play():
        return json.loads(python(PLAY, str(file), FOGTREE_CACHE=str(cache)))

    payoff = fogtree.playouts(fogtree.load(str(file)), 50, seed=1).payoff.tolist()
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        both = [done.result() for done in [pool.submit(play), pool.submit(play)]]
    assert [payoff, 0, 1] in both and all(found in ([payoff, 0, 1], [payoff, 1, 0]) for found in both)
    assert [path.suffix for path in cache.iterdir() if path.is_file()] == [".nbc"]
    assert play() == [payoff, 1, 0] and len(stored(cache)) == 1
    file.write_text(USER_GAME.replace("PRIZE = 1.0", "PRIZE = 4.0"))
    assert play() == [[4 * payoff[0], 4 * payoff[1]], 0, 1] and len(stored(cache)) == 2


# A script that defines a class again and again, as a notebook does, each time with another method of the same name. The
# method is too large to be inlined, so that its name in machine code matters.
SCRIPT = """
import sys
from typing import NamedTuple
import numpy as np
from fogtree import kernel

TEXT = '''
class Game(NamedTuple):
    size: int = 3

    def value(self, x, work):
        return self.churn(x, work) + self.churn(x + 1, work) * self.churn(x + 2, work)

    def churn(self, x, work):
        total = 0
        for i in range(min(x, work.shape[0])):
            for j in range(x):
                total += @ * work[i] + j * i
                if total > 1000:
                    total -= work[0] * j
                if total < 500:
                    total ^= 3
                work[i] += j % (i + 1)
                for k in range(j):
                    total += k
                    if work[k % 3] == j:
                        work[(k + 1) % 3] = total
        return total

class Result(NamedTuple):
    value: int
'''

@kernel
def run(game, x, work):
    return game.value(x, work)

@kernel
def result(game, x, work):
    return Result(game.value(x, work))

for number in sys.argv[1:]:
    exec(TEXT.replace("@", number))
    work = np.array([5, 3, 7, 8, 9, 10, 11])
    assert run(Game(), 5, work.copy()) == run.interpreted(Game(), 5, work.copy())
    assert type(result(Game(), 5, work.copy())) is Result
hits = sum(sum(door.stats.cache_hits.values()) for door in run.doors.values())
print(hits)
"""


def test_classes_of_a_script_are_stored_and_told_apart(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)

    def hits_of(*numbers):
        command = [sys.executable, str(script), *numbers]
        environment = {**os.environ, "FOGTREE_CACHE": str(tmp_path / "cache")}
        return int(subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True).stdout)

    assert hits_of("10", "20", "10") == 1
    assert hits_of("10", "30", "20") == 2  # one after code from the cache, one before it


ALLOCATING = """
import sys
import numpy as np
from fogtree import kernel

@kernel
def made(count):
    found = np.zeros(count)
    for k in range(count):
        found[k] = k * k
    return np.dot(found, found) + np.sort(found)[::-1].copy()[0]

@kernel
def plain(work):
    work[0] += 1.0
    return work[0] ** 2.5

print(plain(np.ones(3)) if "plain" in sys.argv else 0.0, made(4), *[door.stats.cache_hits for door in made.doors.values()])
"""


def test_code_that_counts_references_runs_from_the_cache_whatever_was_loaded_before_it(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(ALLOCATING)
    environment = {**os.environ, "FOGTREE_CACHE": str(tmp_path / "cache")}

    def printed(*words):
        command = [sys.executable, str(script), *words]
        return subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True).stdout.split()

    first = printed("plain")
    assert float(first[1]) == 107.0  # 0 + 1 + 16 + 81, and 9
    assert printed("plain")[:2] == first[:2] and printed()[1] == first[1]


WAITING = """
import sys
import numpy as np
from fogtree.kernels import cache, kernel

missed, load = [], cache.Cache.load_overload

def counting(self, *args):
    found = load(self, *args)
    missed.extend([self] * (found is None))
    return found

cache.Cache.load_overload = counting

@kernel
def total(values):
    found = 0.0
    for i in range(values.shape[0]):
        for j in range(values.shape[0]):
            found += np.sin(values[i]) * np.cos(values[j]) ** 2.5
    return found

@kernel
def copied(values):
    return values.copy()

print("ready", flush=True)
sys.stdin.readline()
total(np.ones(3))
copied(np.ones(3))
print(len(missed), flush=True)
sys.stdin.readline()
"""


def test_two_processes_that_need_the_same_kernels_compile_each_once(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(WAITING)
    environment = {**os.environ, "FOGTREE_CACHE": str(tmp_path / "cache")}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "env": environment}
    both = [subprocess.Popen([sys.executable, str(script)], **pipes) for _ in range(2)]
    try:
        for process in both:
            assert process.stdout.readline() == "ready\n"
        for process in both:
            process.stdin.write("go\n")
            process.stdin.flush()
        # `copied` makes an array: it is tried without reference counts, and then compiled with them
        assert sum(int(process.stdout.readline()) for process in both) == 3
        assert sorted(path.suffix for path in (tmp_path / "cache").glob("*.*")) == [".counted", ".nbc", ".nbc"]
        assert not list((tmp_path / "cache" / folder.LOCKS).iterdir())
    finally:
        for process in both:
            process.communicate("end\n")


HOLDING = """
import pathlib, sys
from fogtree.kernels import cache
with cache._locked(cache.cache_folder() / "kernel.nbc"):
    print("held", flush=True)
    sys.stdin.readline()
"""


def test_a_process_knows_that_one_that_it_has_started_is_compiling(tmp_path, monkeypatch):
    monkeypatch.setenv("FOGTREE_CACHE", str(tmp_path))
    assert not folder.workers_compile()
    worker = subprocess.Popen([sys.executable, "-c", HOLDING], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        assert worker.stdout.readline() == "held\n"
        assert folder.workers_compile()
        monkeypatch.setattr(cache, "WAITED", 0.1)  # a worker that was paused keeps nobody waiting for ever
        with cache._locked(tmp_path / "kernel.nbc"):
            assert folder.workers_compile()
        assert folder.workers_compile()
        assert python("from fogtree.kernels import workers_compile; print(workers_compile())").split() == ["False"]
    finally:
        worker.communicate("end\n")
    assert not folder.workers_compile() and not list((tmp_path / folder.LOCKS).iterdir())
    (tmp_path / folder.LOCKS / "left").write_text(str(os.getpid()))  # by a worker that was killed
    assert not folder.workers_compile()


def test_a_kernel_is_compiled_while_its_cache_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("")
    code = "import fogtree; print(fogtree.count(fogtree.Kuhn()).histories)"
    assert int(python(code, FOGTREE_CACHE=str(tmp_path / "file" / "below"))) == 58


# --- errors ----------------------------------------------------------------------------------------------------------

MISTAKES = """
import enum
from typing import NamedTuple

import numpy as np

TABLE = {"a": 1}
LIST = [1, 2]


class Thing:
    pass


THING = Thing()


class Rank(enum.IntEnum):
    LOW = 1


def helper(x, y):
    return x + y


def bad_helper(x):
    z = x + 1
    return z + "text"  # bad_helper


class Part(NamedTuple):
    size: int = 1

    def poke(self, x):
        y = 2 * x

        return y + "text"  # Part.poke


class Game(NamedTuple):
    size: int = 3
    part: Part = Part()
    rank: Rank = Rank.LOW

    def adds_text(self, x):
        y = x + 1
        return y + "text"  # adds_text

    def indexes_a_number(self, x):
        return 1 + x[0]  # indexes_a_number

    def unknown_attribute(self, x):
        y = self.size + x
        return self.sise + y  # unknown_attribute

    def unknown_method(self, x):
        return self.nothing(x)  # unknown_method

    def unknown_of_an_array(self, x):
        room = np.zeros(x)
        return room.nothing  # unknown_of_an_array

    def unknown_of_numpy(self, x):
        y = x
        return np.nothing(y)  # unknown_of_numpy

    def python_object(self, x):
        y = x + 1
        return THING(y)  # python_object

    def dict_global(self, x):
        return TABLE["a"] + x  # dict_global

    def list_global(self, x):
        return LIST[x]  # list_global

    def dict_literal(self, x):
        table = {}  # dict_literal
        return len(table) + x

    def mixed_list(self, x):
        y = x
        return [y, "text"][y]  # mixed_list

    def too_few(self, x):
        y = x
        return self.two(y)  # too_few

    def too_many(self, x):
        return self.two(x, 1, 2)  # too_many

    def too_few_for_a_function(self, x):
        return helper(x)  # too_few_for_a_function

    def two(self, x, y):
        return x + y

    def undefined_global(self, x):
        y = x
        return y + UNDEFINED  # undefined_global

    def undefined_function(self, x):
        y = x
        return undefined(y)  # undefined_function

    def two_returns(self, x):
        if x > 2:
            return 1
        return "text"  # two_returns

    def two_kinds(self, x):
        y = 1
        if x > 2:
            y = "text"
        return y  # two_kinds

    def sets_a_field(self, x):
        y = self.size
        self.size = x  # sets_a_field
        return y

    def calls_itself(self, x):
        if x > 0:
            return self.calls_itself(x - 1)  # calls_itself
        return 0

    def imports(self, x):
        y = x
        import math  # imports
        return math.sin(y)

    def formats(self, x):
        y = x
        return f"{y:>3}"  # formats

    def casts_an_enum(self, x):
        y = 0.5
        return y * self.rank  # casts_an_enum

    def by_a_function(self, x):
        return bad_helper(x)

    def by_a_part(self, x):
        return 1 + self.part.poke(x)

    def by_a_method(self, x):
        return 1 + self.adds_text(x)

    def by_a_lambda(self, x):
        add = lambda y: y + "text"  # by_a_lambda
        return add(x)


def made():
    class Local(NamedTuple):
        size: int = 1

        def method(self, x):
            return x + "text"  # Local.method

    return Local()
"""

REASONS = {
    "adds_text": "no compiled form of int64 + str",
    "indexes_a_number": "no compiled form of int64[int]",
    "unknown_attribute": "Game has no 'sise' in compiled code",
    "unknown_method": "Game has no 'nothing' in compiled code",
    "unknown_of_an_array": "array(float64, 1d) has no 'nothing' in compiled code",
    "unknown_of_numpy": "Numba fails with AttributeError: module 'numpy' has no attribute 'nothing'",
    "python_object": "compiled code cannot use 'THING', which is a mistakes.Thing",
    "dict_global": "compiled code cannot use 'TABLE', which is a dict",
    "list_global": "compiled code cannot use 'LIST', a list(int64)",
    "dict_literal": "only DictType[undefined,undefined] is known of 'table'",
    "mixed_list": None,  # Numba's own words, which come from deep inside
    "too_few": "a call does not fit the parameters (self, x, y): missing a required argument: 'y'",
    "too_many": "a call does not fit the parameters (self, x, y): too many positional arguments",
    "too_few_for_a_function": "a call does not fit the parameters (x, y): missing a required argument: 'y'",
    "undefined_global": "name 'UNDEFINED' is not defined",
    "undefined_function": "name 'undefined' is not defined",
    "two_returns": "it returns different types: int, str",
    "two_kinds": "'y' is int in one place and str in another",
    "sets_a_field": "'size' of a Game cannot be changed",
    "calls_itself": "a method cannot call itself; a function may",
    "imports": "Use of unsupported opcode (IMPORT_NAME) found",
    "formats": "format spec in f-strings not supported yet",
    "casts_an_enum": "Rank cannot be taken for float64",
    "by_a_function": "no compiled form of int64 + str",
    "by_a_part": "no compiled form of int64 + str",
    "by_a_method": "no compiled form of int64 + str",
    "by_a_lambda": "no compiled form of int64 + str",
}
INSIDE = {"by_a_function": "bad_helper", "by_a_part": "Part.poke", "by_a_method": "Game.adds_text"}


@pytest.fixture(scope="module")
def mistakes(tmp_path_factory):
    path = tmp_path_factory.mktemp("user") / "mistakes.py"
    path.write_text(MISTAKES)
    spec = importlib.util.spec_from_file_location("mistakes", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@functools.cache
def calls(method):
    scope: dict = {"__name__": __name__}
    exec(f"def call(game, x):\n    return game.{method}(x)", scope)
    return kernel(scope["call"])


def refusal(run, *args):
    with pytest.raises(Uncompilable) as caught:
        run(*args)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def place(module, function, comment):
    lines = pathlib.Path(module.__file__).read_text().splitlines()
    return (
        f"{function} ({module.__file__}, line {1 + next(i for i, t in enumerate(lines) if t.endswith(f'# {comment}'))})"
    )


@pytest.mark.filterwarnings("ignore::numba.NumbaTypeSafetyWarning")
@pytest.mark.parametrize("method", REASONS)
def test_a_mistake_is_one_line_with_its_place_and_reason(method, mistakes):
    inner = INSIDE.get(method, f"Game.{method}")
    comment = inner.removeprefix("Game.") if method in INSIDE else method
    for _ in range(2):  # Numba keeps an error and raises it again
        sentence = refusal(calls(method), mistakes.Game(), 3)
        where, colon, reason = sentence.partition(" cannot be compiled: ")
        assert where == place(mistakes, inner, comment)
        assert colon and reason.endswith(" (set FOGTREE_DEBUG=1 to see Numba's full report)")
        if method == "two_returns":  # in whatever order
            reason = reason.replace("str, int", "int, str")
        if REASONS[method]:
            assert reason.partition(" (set ")[0] == REASONS[method]


def test_a_class_inside_a_function_is_called_by_its_name(mistakes):
    assert refusal(calls("method"), mistakes.made(), 3).startswith(place(mistakes, "Local.method", "Local.method"))


def test_with_debug_numba_speaks_for_itself(mistakes, monkeypatch):
    monkeypatch.setenv("FOGTREE_DEBUG", "1")
    with pytest.raises(numba.TypingError) as caught:
        calls("adds_text")(mistakes.Game(), 3)
    assert "No implementation of function" in str(caught.value)
    assert len(str(caught.value).splitlines()) > 10


def test_a_mistake_in_a_users_game_is_named_by_our_kernels(tmp_path):
    path = tmp_path / "my_game.py"
    path.write_text(USER_GAME.replace("return state[player] + 1", "return state[player] + 1 + 'x'"))
    game = fogtree.load(str(path))
    line = 1 + path.read_text().splitlines().index("        return state[player] + 1 + 'x'")
    with unchecked():  # whose walk would find it first
        assert refusal(fogtree.count, game).startswith(f"Guess.view ({path}, line {line}) cannot be compiled: no comp")


class Holder(NamedTuple):
    content: object


@pytest.mark.parametrize(
    ("argument", "name", "kind"),
    [
        (object(), "game", "Cannot determine Numba type of <class 'object'>"),
        (Holder({}), "game.content", "Cannot determine Numba type of <class 'dict'>"),
        (Holder(Holder(None)), None, None),
        (2**70, "game", "Int value is too large: 1180591620717411303424"),
    ],
)
def test_an_argument_that_no_kernel_takes_is_named(argument, name, kind):
    run = calls("size")
    if name:
        words = "a number, an array or a NamedTuple of these, but"
        assert refusal(run, argument, 1) == f"call cannot be compiled: its argument {name} must be {words}: {kind}"
    else:
        assert "Holder has no 'size'" in refusal(run, argument, 1)


# --- threads ---------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform == "win32", reason="needs sched_yield")
def test_two_threads_run_kernels_at_once():
    # each waits inside its kernel until the other has come in, which it cannot while the first holds the GIL
    give_way = ctypes.CDLL(None).sched_yield
    give_way.argtypes, give_way.restype = [], ctypes.c_int

    @kernel
    def meet(inside, me, patience):
        inside[me] = 1
        for _ in range(patience):
            if inside[1 - me]:
                return True
            give_way()
        return False

    inside = np.zeros(2, np.int64)
    meet(inside, 0, 0)  # compiled
    inside[:] = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        met = [pool.submit(meet, inside, me, 50_000_000) for me in (0, 1)]
        assert [future.result() for future in met] == [True, True]


def test_threads_may_compile_at_once_and_fail_each_for_itself(mistakes):
    count = 6
    together = threading.Barrier(count)

    def game(step):
        class Game(NamedTuple):
            size: int = 3

            def value(self, x):
                return x + step

        return Game()

    @kernel
    def new(game, x):
        return game.value(x)

    def work(i):
        together.wait()
        if i % 2:
            return refusal(calls("adds_text" if i % 4 == 1 else "unknown_attribute"), mistakes.Game(size=i), i)
        return new(game(i), 10)

    with concurrent.futures.ThreadPoolExecutor(count) as pool:
        results = list(pool.map(work, range(count)))
    assert results[::2] == [10, 12, 14]
    assert [result.partition(" ")[0] for result in results[1::2]] == [
        "Game.adds_text",
        "Game.unknown_attribute",
        "Game.adds_text",
    ]


# --- the cap of the cache --------------------------------------------------------------------------------------------


def test_a_full_cache_loses_what_was_not_used_for_longest(tmp_path, monkeypatch):
    monkeypatch.setenv("FOGTREE_CACHE", str(tmp_path))
    (tmp_path / "checked").mkdir()
    names = ["a.nbc", "b.nbc", "checked/c.ok", "d.nbc", "other.txt"]
    for age, name in enumerate(names):
        (tmp_path / name).write_bytes(b"x" * 10_000)
        os.utime(tmp_path / name, (1e9 + age, 1e9 + age))
    assert folder.prune(40_000) == 0
    os.utime(tmp_path / "a.nbc")  # as a load does
    assert folder.prune(39_999) == 2  # to 70 % of it
    assert [name for name in names if (tmp_path / name).exists()] == ["a.nbc", "d.nbc", "other.txt"]


def test_the_cap_is_that_of_the_environment(tmp_path, monkeypatch):
    monkeypatch.setenv("FOGTREE_CACHE", str(tmp_path))
    (tmp_path / "a.nbc").write_bytes(b"x" * 10_000)
    for cap, gone in (("20000", 0), ("nonsense", 0), ("nan", 0), ("5000", 1)):
        monkeypatch.setenv("FOGTREE_CACHE_BYTES", cap)
        monkeypatch.setattr(folder, "_next_look", [0.0])
        assert folder.prune() == gone
    assert folder.prune() == 0  # it does not look again so soon


def test_it_is_known_what_is_being_compiled(tmp_path, monkeypatch):
    monkeypatch.setenv("FOGTREE_CACHE", str(tmp_path))
    heard = []
    monkeypatch.setattr(cache, "keep", lambda path, data: heard.append(folder.compiling()))

    @kernel
    def doubled(x):
        return 2 * x

    assert folder.compiling() == ""
    assert doubled(4) == 8
    assert heard[0].endswith("doubled") and folder.compiling() == ""
