"""A Go program at our table, and what becomes of one that misbehaves."""

import pathlib
import shutil
import sys
from typing import NamedTuple

import numpy as np
import pytest

from fogtree import Invalid, Kuhn
from fogtree.bridges.gtp_client import EngineFault, GtpAgent
from fogtree.game import OVER, label, legal, new_state, read
from fogtree.games.go import Go

FAKE = str(pathlib.Path(__file__).with_name("fake_gtp.py"))
GNU_GO = shutil.which("gnugo") or shutil.which("gnugo", path="/usr/games")


class Seen(NamedTuple):
    """The part of a sight that a program needs."""

    game: object
    player: int
    actions: tuple
    labels: tuple
    moves: tuple


def seen(game, moves):
    with np.errstate(over="ignore"):
        state = new_state(game)
        for _, action in moves:
            game.step(state, action)
        actions = tuple(legal(game, state))
    labels = tuple(label(game, state, action) for action in actions)
    return Seen(game, int(game.player(state)), actions, labels, tuple(moves)), state


def fake(how, **more):
    return GtpAgent([sys.executable, FAKE, how], **more)


def test_a_program_answers():
    agent = fake("PASS")
    agent.fits(Go(5))
    assert agent.act(seen(Go(5), [])[0]) == "PASS"
    assert agent.act(seen(Go(5), [(0, 25), (1, 3)])[0]) == "PASS"
    assert agent._moves == [(0, 25), (1, 3), (0, 25)]
    agent.close()


@pytest.mark.parametrize(
    "how, reason",
    [
        ("hang", r"did not answer 'genmove black' within 0.5 s"),
        ("drip", r"did not answer 'genmove black' within 0.5 s"),
        ("flood", r"answered 'genmove black' with 10,000 lines and no end"),
        ("die", r"ended with exit code 3 when it was told 'genmove black'"),
        ("talk", r"answered 'genmove black' with 'hello', which is no GTP"),
        ("refuse", r"refused 'genmove black': no idea"),
        ("resign", r"resigned"),
    ],
)
def test_a_program_that_misbehaves_gives_the_reason(how, reason):
    agent = fake(how, patience=0.5)
    with pytest.raises(EngineFault, match=reason):
        agent.act(seen(Go(5), [])[0])
    agent.close()


def test_after_a_fault_the_next_match_has_a_new_program():
    agent = fake("die")
    for _ in range(2):
        with pytest.raises(EngineFault, match="exit code 3"):
            agent.act(seen(Go(5), [])[0])
        assert agent._program is None


def test_an_illegal_answer_is_handed_to_the_referee():
    agent = fake("I99")
    assert agent.act(seen(Go(5), [])[0]) == "I99"
    agent.close()


def test_a_program_that_is_not_there_is_refused_before_the_match():
    with pytest.raises(Invalid, match="there is no program 'no-such-program': install it, or give its path"):
        GtpAgent(["no-such-program"]).fits(Go(5))
    with pytest.raises(Invalid, match="plays Go alone, not Kuhn"):
        fake("pass").fits(Kuhn())
    with pytest.raises(Invalid, match="gtp needs a program"):
        GtpAgent.from_text("gtp", "")


def test_texts():
    agent = GtpAgent.from_text("gtp", "gnugo:level=5,patience=10", 1)
    assert agent.name == "gtp:gnugo:level=5" and agent.patience == 10 and "5" in agent.command
    assert GtpAgent.from_text("gtp", "gnugo", 1).command != GtpAgent.from_text("gtp", "gnugo", 2).command  # by the seed
    assert GtpAgent.from_text("gtp", "pachi -t '=1 000'").command == ["pachi", "-t", "=1 000"]
    with pytest.raises(Invalid, match="gtp:gnugo has no parameter 'depth=3': valid are level=NUMBER, patience=SECONDS"):
        GtpAgent.from_text("gtp", "gnugo:depth=3")
    with pytest.raises(Invalid, match="level"):
        GtpAgent.from_text("gtp", "gnugo:level=-1")
    with pytest.raises(Invalid, match="'leela '' is no command: No closing quotation"):
        GtpAgent.from_text("gtp", "leela '")


@pytest.mark.skipif(GNU_GO is None, reason="GNU Go is not installed")
def test_gnu_go_plays_a_game_against_itself():
    game, moves = Go(5), []
    agents = [GtpAgent.from_text("gtp", "gnugo:level=0", seed) for seed in (1, 2)]
    for _ in range(game.shape().moves):
        sight, state = seen(game, moves)
        if sight.player == OVER:
            break
        with np.errstate(over="ignore"):
            moves.append((sight.player, read(game, state, agents[sight.player].act(sight))))
    assert sight.player == OVER and len(moves) > 10
    assert abs(game._replace(points=True).payoff(state, 0)) < 32
    agents[0].act(seen(game, [])[0])  # a new game begins on its own
    assert len(agents[0]._moves) == 1
    for agent in agents:
        agent.close()
