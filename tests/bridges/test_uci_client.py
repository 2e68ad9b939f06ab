"""A chess program at our table, and what becomes of one that misbehaves."""

import pathlib
import re
import shutil
import sys
from typing import NamedTuple

import pytest

from fogtree import Invalid, Kuhn
from fogtree.arena.agents import load_agent
from fogtree.arena.referee import play
from fogtree.bridges.program import EngineFault
from fogtree.bridges.uci_client import Playing, UciAgent
from fogtree.game import legal, new_state, read
from fogtree.games.chess import Chess
from fogtree.games.chess.text import long_label
from fogtree.text.notation import from_notation

FAKE = str(pathlib.Path(__file__).with_name("fake_uci.py"))
CHESS = Chess()
STOCKFISH = shutil.which("stockfish") or shutil.which("stockfish", path="/usr/games")
NO_STOCKFISH = pytest.mark.skipif(STOCKFISH is None, reason="Stockfish is not installed")
FOOLISH = ("f2f3", "e7e5", "g2g4")  # then Black gives mate
BEFORE_MATE = "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1"


class Seen(NamedTuple):
    """The part of a sight that a program needs."""

    game: object
    player: int
    actions: tuple
    moves: tuple = ()
    start: str = ""


def seen(*moves, start=""):
    state, course = new_state(CHESS), []
    if start:
        CHESS.from_notation(start, state)
    for move in moves:
        course.append((int(CHESS.player(state)), read(CHESS, state, move)))
        CHESS.step(state, course[-1][1])
    return Seen(CHESS, int(CHESS.player(state)), tuple(legal(CHESS, state)), tuple(course), start)


def fake(how, **more):
    return UciAgent([sys.executable, FAKE, how], Playing(**more))


def test_a_program_answers():
    agent = fake("g1f3")
    agent.fits(CHESS)
    agent.fresh()
    action = agent.act(seen())
    assert long_label(action) == "g1f3" and long_label(agent.act(seen("e2e4", "e7e5"))) == "g1f3"
    agent.close()


def test_a_program_is_told_the_whole_game_and_its_limits():
    agent = fake("echo")
    told = "position_startpos_moves_f2f3_e7e5_g2g4|go_movetime_100"
    assert agent.act(seen(*FOOLISH)) == told
    told = f"position_fen_{BEFORE_MATE.replace(' ', '_')}|go_movetime_100"
    assert agent.act(seen(start=BEFORE_MATE)) == told
    agent.close()
    agent = fake("echo", depth=3, nodes=500)
    assert agent.act(seen()) == "position_startpos|go_depth_3_nodes_500"
    agent.close()


@pytest.mark.parametrize(
    "how, reason",
    [
        ("hang", r"did not answer 'go movetime 100' within 0.6 s"),
        ("chatter", r"did not answer 'go movetime 100' within 0.6 s"),
        ("die", r"ended with exit code 3 when it was told 'go movetime 100'"),
        ("0000", r"gave no move: 'bestmove 0000 ponder e7e5'"),
        ("nothing", r"gave no move: 'bestmove'"),
    ],
)
def test_a_program_that_misbehaves_gives_the_reason(how, reason):
    agent = fake(how)
    agent.fits(CHESS)
    agent.how = agent.how._replace(patience=0.5)  # not before: a busy machine takes a while to start a program
    agent._is_new = False
    with pytest.raises(EngineFault, match=reason):
        agent.act(seen())
    assert agent._program is None


def test_after_a_fault_the_next_match_has_a_new_program():
    agent = fake("die")
    for _ in range(2):
        with pytest.raises(EngineFault, match="exit code 3"):
            agent.act(seen())


def test_the_referee_makes_a_forfeit_of_every_fault():
    for how, reason in (("die", "EngineFault: .* exit code 3"), ("e2e5", "'e2e5' is not a legal action here")):
        match = play(CHESS, [fake(how), fake("g8f6")])
        assert match.forfeit.player == 0 and match.payoffs == (-1, 1)
        assert re.search(reason, match.forfeit.reason)


def test_a_strength_is_set_by_the_options_of_the_program():
    agent = fake("strict", elo=1500)
    agent.fits(CHESS)
    assert agent.act(seen()) == "setoption_name_UCI_Elo_value_1500"
    agent.close()
    with pytest.raises(Invalid, match="can limit its strength to elo=1300 to 2000, not 2001"):
        fake("strict", elo=2001).fits(CHESS)
    with pytest.raises(Invalid, match="has no table whose size can be set: leave hash out"):
        fake("strict", hash=16).fits(CHESS)


def test_what_cannot_play_is_refused_before_the_match():
    with pytest.raises(Invalid, match="there is no program 'no-such-program': install it, or give its path"):
        UciAgent(["no-such-program"]).fits(CHESS)
    with pytest.raises(Invalid, match="plays chess alone, not Kuhn"):
        fake("g1f3").fits(Kuhn())
    with pytest.raises(Invalid, match=r"did not answer 'uci' within 0\.2 s"):
        fake("mute", patience=0.2).fits(CHESS)
    with pytest.raises(Invalid, match=r"uci needs a program: write uci:stockfish:elo=1800,seconds=0\.1"):
        load_agent("uci:")


def test_texts():
    agent = load_agent("uci:stockfish:elo=1800,seconds=0.5,patience=10", 1)
    assert isinstance(agent, UciAgent) and agent.command == ["stockfish"]
    assert agent.how == Playing(elo=1800, seconds=0.5, patience=10)
    assert agent.name == "uci:stockfish:elo=1800,seconds=0.5,patience=10"
    assert load_agent("uci:stockfish").how == Playing(seconds=0.1)
    agent = load_agent("uci:python 'my engine.py' --book=a:depth=4")
    assert agent.command == ["python", "my engine.py", "--book=a"] and agent.how == Playing(depth=4)
    assert load_agent("uci:lc0 --backend=cuda --x=a:b").command == ["lc0", "--backend=cuda", "--x=a:b"]
    with pytest.raises(Invalid, match="uci:stockfish has no parameter 'level': valid are elo, seconds, depth, nodes, "):
        load_agent("uci:stockfish:level=3")
    with pytest.raises(Invalid, match="elo must be a whole number from 0 to 9999, not 'strong'"):
        load_agent("uci:stockfish:elo=strong")
    with pytest.raises(Invalid, match="'stockfish '' is no command: No closing quotation"):
        load_agent("uci:stockfish '")


@NO_STOCKFISH
def test_stockfish_plays_a_game_against_itself():
    agents = [load_agent(f"uci:stockfish:elo={elo},nodes=200") for elo in (1500, 2000)]
    for agent in agents:
        agent.fits(CHESS)
    match = play(CHESS, agents)
    assert match.forfeit is None and len(match.moves) > 10
    for agent in agents:
        agent.close()


@NO_STOCKFISH
def test_stockfish_finds_the_mate_from_a_position_that_is_given():
    agents = [load_agent("uci:stockfish:depth=5") for _ in range(2)]
    match = play(CHESS, agents, start=from_notation(CHESS, BEFORE_MATE))
    assert match.payoffs == (1, -1) and [move.label for move in match.moves] == ["Ra8#"]
    assert long_label(agents[0].act(seen(*FOOLISH))) == "d8h4"
    for agent in agents:
        agent.close()


@NO_STOCKFISH
def test_stockfish_says_which_strengths_it_has():
    with pytest.raises(Invalid, match=r"stockfish can limit its strength to elo=1\d\d\d to \d\d\d\d, not 9000"):
        load_agent("uci:stockfish:elo=9000").fits(CHESS)
