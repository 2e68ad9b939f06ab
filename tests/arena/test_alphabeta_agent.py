"""The agent that plays by alpha-beta: what it accepts, that its pruning can be chosen, and which evaluation it takes."""

import numpy as np
import pytest

from fogtree import Invalid
from fogtree.arena.agents import load_agent, require_fit
from fogtree.arena.agents.alphabeta import SECONDS
from fogtree.arena.sight import sight
from fogtree.game import new_state
from fogtree.games import Breakthrough, Chess, ConnectFour
from fogtree.games.chess.piece_squares import PieceSquares
from fogtree.learn.weights import load_weights, shipped
from fogtree.search.open.pruning import Risky, Sound


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


def test_weights_that_come_with_the_package_are_named_without_a_path():
    assert shipped() == ["chess", "dark-chess"]
    agent = load_agent("alphabeta:weights=chess,nodes=100")
    assert (agent._evaluation(Chess()).weight == load_weights("chess").weight).all()
    assert agent.how.limits == {"nodes": 100} and agent.name == "alphabeta:weights=chess,nodes=100"
    assert load_agent("alphabeta:weights=chess").how.limits == {"seconds": SECONDS}


def test_the_command_that_made_the_shipped_weights_is_known_and_men_are_worth_what_they_should():
    # the endgame weights of a pawn, a knight, a bishop, a rook and a queen come in the order of every book
    weights = load_weights("chess")
    assert weights.command.startswith("fogtree learn chess --by treestrap ")
    material = weights.weight[1:10:2]
    assert (material[1:] > material[:-1]).all() and material[4] > 2 * material[2]


def test_without_weights_it_takes_the_games_own_evaluation():
    assert load_agent("alphabeta:depth=2")._evaluation(Chess()) == PieceSquares()


def test_weights_of_another_game_or_that_are_not_there_are_refused():
    with pytest.raises(Invalid, match=r"these weights are for the game Chess\(\).*not for Breakthrough"):
        require_fit(load_agent("alphabeta:weights=chess"), Breakthrough())
    with pytest.raises(Invalid, match="there is no file"):
        load_agent("alphabeta:weights=none.npz")
    with pytest.raises(Invalid, match="weights must be the name of a file, not True"):
        load_agent("alphabeta:weights=yes")
