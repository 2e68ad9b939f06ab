"""The agent that plays by alpha-beta: which evaluation it takes."""

import pytest

from fogtree import Invalid
from fogtree.arena.agents import load, require_fit
from fogtree.arena.agents.alphabeta import SECONDS
from fogtree.games import Breakthrough, Chess
from fogtree.games.chess.piece_squares import PieceSquares
from fogtree.learn.weights import load_weights, shipped


def test_weights_that_come_with_the_package_are_named_without_a_path():
    assert shipped() == ["chess"]
    agent = load("alphabeta:weights=chess,nodes=100")
    assert (agent._evaluation(Chess()).weight == load_weights("chess").weight).all()
    assert agent.how.limits == {"nodes": 100} and agent.name == "alphabeta:weights=chess,nodes=100"
    assert load("alphabeta:weights=chess").how.limits == {"seconds": SECONDS}


def test_the_command_that_made_the_shipped_weights_is_known_and_men_are_worth_what_they_should():
    # the endgame weights of a pawn, a knight, a bishop, a rook and a queen come in the order of every book
    weights = load_weights("chess")
    assert weights.command.startswith("fogtree learn chess --by treestrap ")
    material = weights.weight[1:10:2]
    assert (material[1:] > material[:-1]).all() and material[4] > 2 * material[2]


def test_without_weights_it_takes_the_games_own_evaluation():
    assert load("alphabeta:depth=2")._evaluation(Chess()) == PieceSquares()


def test_weights_of_another_game_or_that_are_not_there_are_refused():
    with pytest.raises(Invalid, match=r"these weights are for the game Chess\(\).*not for Breakthrough"):
        require_fit(load("alphabeta:weights=chess"), Breakthrough())
    with pytest.raises(Invalid, match="there is no file"):
        load("alphabeta:weights=none.npz")
    with pytest.raises(Invalid, match="weights must be the name of a file, not True"):
        load("alphabeta:weights=yes")
