"""`fogtree perfect`: what is told of an equilibrium that comes with the package."""

import re

from typer.testing import CliRunner

from fogtree.cli import app


def test_facts_are_not_broken_on_a_narrow_screen():
    done = CliRunner().invoke(app, ["perfect", "kuhn"], env={"COLUMNS": "30"})
    assert done.exit_code == 0 and re.search(r"the value lies between \S+ and \S+\n", done.output)
