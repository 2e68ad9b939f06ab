"""Numba is loaded when something is compiled, and means the same to other people's functions as without Fogtree."""

import pathlib
import re
import subprocess
import sys

import pytest

from fogtree.errors import Uncompilable
from fogtree.kernels import door

UNRELATED = """
import sys, typing
if sys.argv[1] == "with":
    import fogtree
    fogtree.count("kuhn")  # loads the compiler
import numba

class Point(typing.NamedTuple):
    x: int
    def length(self):
        return self.x

def plain(x):
    return x + 1

@numba.njit
def calls_a_method(point):
    return point.length()

@numba.njit
def calls_a_function(x):
    return plain(x)

@numba.njit
def takes_a_function(f, x):
    return f(x)

@numba.njit
def good(x):
    return [x, 2 * x][1]

calls = (calls_a_method, (Point(3),)), (calls_a_function, (3,)), (takes_a_function, (plain, 3)), (good, (3,))
for function, args in calls:
    try:
        print(function.py_func.__name__, function(*args))
    except Exception as error:
        print(function.py_func.__name__, type(error).__name__, str(error).splitlines()[:3])
try:
    print(numba.typeof(plain))
except ValueError as error:
    print(type(error).__name__)
"""


def said(*words):
    done = subprocess.run([sys.executable, "-c", *words], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def test_other_peoples_functions_compile_and_fail_as_without_fogtree():
    alone = said(UNRELATED, "without")
    assert said(UNRELATED, "with") == alone
    assert [line.split()[:2] for line in alone] == [
        ["calls_a_method", "TypingError"],
        ["calls_a_function", "TypingError"],
        ["takes_a_function", "TypingError"],
        ["good", "6"],
        ["ValueError"],
    ]


LOADING = """
import time
from fogtree.clock import clock
from fogtree.kernels import door

clocked, real = clock(), time.perf_counter()
door._compiler()
print(clock() - clocked < 0.1 * (time.perf_counter() - real))
"""


def test_seconds_of_a_move_are_not_spent_on_loading_the_compiler():
    assert said(LOADING) == ["True"]


COMMAND = """
import sys, fogtree.cli
sys.argv = ["fogtree", *sys.argv[1:]]
try:
    fogtree.cli.main()
except SystemExit:
    pass
found = {"numba", "llvmlite", "scipy", "matplotlib"} & set(sys.modules)
print("loaded", *sorted(found))
"""


@pytest.mark.parametrize(
    "words",
    [
        "--help",
        "games",
        "show kuhn",
        "show chess",
        "show holdem",
        "agents",
        "bandits",
        "play --help",
        "solve --help",
        "show nothing",
        "solve nothing",
        "solve kuhn --method nothing",
        "play kuhn --against nothing",
        "play kuhn --player 7",
        "tournament kuhn nobody rm",
        "compare kuhn nothing",
        "count chess:x=1",
        "nothing",
    ],
)
def test_commands_that_compile_nothing_load_no_compiler(words):
    assert said(COMMAND, *words.split())[-1] == "loaded"


def test_completion_loads_no_compiler(monkeypatch):
    monkeypatch.setenv("_FOGTREE_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", "fogtree show ku")
    monkeypatch.setenv("COMP_CWORD", "2")
    lines = said(COMMAND.replace('"fogtree", *sys.argv[1:]', '"fogtree"'))
    assert lines[-1] == "loaded" and "kuhn" in lines


@pytest.mark.parametrize("version", ["0.60.9", "0.69.0", "1.0", "0.69.0rc1"])
def test_a_version_of_numba_that_is_not_known_is_refused_in_one_sentence(version):
    with pytest.raises(
        Uncompilable, match=rf"from 0.61 to below 0.69, not with {version}: pip install 'numba>=0.61,<0.69'$"
    ):
        door.require_version(version)


@pytest.mark.parametrize("version", ["0.61", "0.61.2", "0.68.1"])
def test_known_versions_of_numba_pass(version):
    door.require_version(version)


def test_the_package_asks_for_the_same_versions():
    settings = (pathlib.Path(__file__).parents[2] / "pyproject.toml").read_text()
    asked = re.search(r'"numba>=(\d+)\.(\d+),<(\d+)\.(\d+)"', settings)
    assert asked and tuple(map(int, asked.groups())) == (*door.OLDEST, *door.TOO_NEW)


def test_what_the_command_line_says_of_a_check_is_what_the_check_does():
    from fogtree import contract
    from fogtree.cli import games

    assert contract.SECONDS == games.CHECK_SECONDS
