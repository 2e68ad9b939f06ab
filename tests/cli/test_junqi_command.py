"""fogtree junqi: a referee of the contest's protocol talks to it."""

import re

import pytest
from typer.testing import CliRunner

from fogtree.cli import app


def talk(said, *arguments):
    done = CliRunner().invoke(app, ["junqi", *arguments], input=said)
    return done, done.output.splitlines()


def test_a_referee_talks_to_the_engine(interpreted):
    done, said = talk("INFO 1.0\nnonsense\nSTART 0 1800 31\nGO 0000 0 00\nEND 1\n", "--agent", "random")
    assert done.exit_code == 0 and said[0] == "NAME Fogtree random" and said[1].startswith("ERROR there is no command")
    assert re.fullmatch("ARRAY [a-l]{25}", said[2]) and re.fullmatch("BESTMOVE [G-L][0-4][F-L][0-4]", said[3])
    assert len(said) == 4, "nothing is said that a referee would not understand"


def test_a_search_from_imagined_worlds_plays(interpreted):
    # the kinds of the other's men are unset in the state: what is searched are worlds that the game imagines
    asked = "pimc:worlds=2,iterations=4,horizon=1"
    _, said = talk("START 0 1800 31\nGO 0000 0 00\nEND 1\n", "--agent", asked)
    assert re.fullmatch("BESTMOVE [G-L][0-4][F-L][0-4]", said[-1])


@pytest.mark.parametrize("agent, reason", [("nobody", "there is no agent"), ("rm", "follows a whole match")])
def test_what_cannot_play_is_one_sentence(agent, reason):
    done, _ = talk("", "--agent", agent)
    assert done.exit_code == 2 and reason in done.output
