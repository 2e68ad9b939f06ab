"""The list of commands is read from the files, without loading them."""

import inspect
import os
import re
import subprocess
import sys

import pytest

from fogtree.cli import FILES, app, contents

NARROW = os.environ | {"COLUMNS": "80"}
HELP = """
import sys
sys.argv = ["fogtree", *{words}]
import fogtree.cli
try:
    fogtree.cli.main()
except SystemExit:
    pass
rooms = ("solvers", "search", "measure", "arena", "bandits", "runs", "games", "papers")
print("loaded:", *(room for room in rooms if "fogtree." + room in sys.modules))
"""


def test_names_and_explanations_are_those_of_the_commands():
    read = [told for file in FILES for told in contents.described(file)]
    assert [name for name, _ in read] == [name for commands in FILES.values() for name in commands]
    real = {command.name: inspect.getdoc(command.callback) for command in app.registered_commands}
    assert {name: inspect.cleandoc(words) for name, words in read} == real and all(real.values())


def run(*words):
    found = subprocess.run(
        [sys.executable, "-c", HELP.format(words=list(words))], capture_output=True, text=True, env=NARROW
    )
    return found.stdout, found.stderr


def test_a_list_of_commands_loads_none_of_them():
    out, _ = run("--help")
    assert out.endswith("loaded:\n") and all(f"\n  {name} " in out for names in FILES.values() for name in names)


def test_the_list_of_commands_tells_each_in_a_whole_sentence():
    out, _ = run("--help")
    told = out.partition("Commands:\n")[2].partition("loaded:")[0].splitlines()
    assert len(told) == sum(map(len, FILES.values())) and all(re.search(r"[^.]\.$", line) for line in told), out


@pytest.mark.parametrize("words", ["perfect", "warm", "web", "playouts", "flops", "runs", "paper", "endings"])
def test_the_usage_of_a_command_has_one_pair_of_brackets_for_what_may_be_left_out(words):
    assert "[[" not in run(words, "--help")[0]


def test_a_command_that_is_not_there_loads_none_and_the_nearest_is_named():
    out, err = run("solv")
    assert out == "loaded:\n" and "No such command 'solv'. Did you mean 'solve'?" in err


def test_without_source_the_list_comes_from_the_commands(monkeypatch):
    def nothing(package, file):
        raise OSError

    monkeypatch.setattr(contents.pkgutil, "get_data", nothing)
    from fogtree import cli

    assert {command.name for command in cli._contents().registered_commands} == {*sum(FILES.values(), ())}
