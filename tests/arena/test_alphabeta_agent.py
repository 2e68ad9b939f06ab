"""The agent that plays by alpha-beta: what it accepts, and that its pruning can be chosen."""

import numpy as np
import pytest

from fogtree import Invalid
from fogtree.arena.agents import load_agent
from fogtree.arena.sight import sight
from fogtree.game import new_state
from fogtree.games import ConnectFour
from fogtree.search.pruning import Risky, Sound


@pytest.mark.parametrize(
    "text, reason",
    [
        ("alphabeta:seconds=-1", "seconds must be a finite number of 0 or more, not -1"),
        ("alphabeta:seconds=nan", "seconds must be a finite number of 0 or more, not nan"),
        ("alphabeta:seconds=inf", "seconds must be a finite number of 0 or more, not inf"),
        ("alphabeta:seconds=soon", "seconds must be a finite number of 0 or more, not 'soon'"),
        ("alphabeta:pruning=wild", "pruning must be risky or sound, not 'wild'"),
        ("alphabeta:depth=64", "depth must be a whole number from 0 to 63, not 64"),
    ],
)
def test_a_wrong_parameter_is_one_sentence(text, reason):
    with pytest.raises(Invalid) as refused:
        load_agent(text)
    assert str(refused.value).endswith(reason)


@pytest.mark.parametrize("text, kind", [("alphabeta:depth=1", Risky), ("alphabeta:depth=1,pruning=sound", Sound)])
def test_its_pruning_is_risky_unless_it_is_told_otherwise(interpreted, text, kind):
    game = ConnectFour(4, 5)
    agent = load_agent(text)
    with np.errstate(over="ignore"):
        assert agent.act(sight(game, new_state(game), 0)) in range(5)
    assert type(agent._search.pruning) is kind


def test_pruning_alone_is_no_budget():
    assert load_agent("alphabeta:pruning=sound").how.seconds > 0
