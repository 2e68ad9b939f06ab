"""GTP: our engine answers as the protocol wants, whatever it is told."""

import io

import numpy as np
import pytest

from fogtree.bridges.gtp import Engine
from fogtree.game import legal
from fogtree.games.go import Go

REQUIRED = ["protocol_version", "name", "version", "known_command", "list_commands", "quit", "boardsize", "clear_board"]
REQUIRED += ["komi", "play", "genmove"]


class First:
    """Plays the first legal action, and keeps what it was told."""

    def __init__(self):
        self.told = []

    def __call__(self, game, state, moves, seconds):
        self.told.append((game, moves, seconds))
        return legal(game, state)[0]


def engine(side=5, **more):
    return Engine(Go(side), First(), version="1.2", **more)


def say(speaker, *lines):
    return [speaker.answer(line) for line in lines]


def test_every_required_command_is_known():
    speaker = engine()
    listed = speaker.answer("list_commands").removeprefix("= ").split()
    assert set(REQUIRED) < set(listed) and listed == sorted(listed)
    for command in (*REQUIRED, "undo", "showboard", "final_score", "time_settings", "time_left"):
        assert speaker.answer(f"known_command {command}") == "= true\n\n"
    assert speaker.answer("known_command loadsgf") == "= false\n\n"


def test_an_answer_carries_the_number_and_ends_with_an_empty_line():
    said = say(engine(), "1 protocol_version", "name", "22 version", "7 nonsense", "  \t ", "# only a comment", "8")
    assert said == ["=1 2\n\n", "= Fogtree\n\n", "=22 1.2\n\n", "?7 unknown command\n\n", "", "", "?8 syntax error\n\n"]


def test_comments_and_control_characters_are_dropped():
    assert engine().answer("3\tproto\x01col_version\x07  # what else\r\n") == "=3 2\n\n"


def test_moves_are_played_and_taken_back():
    speaker = engine()
    assert say(speaker, "play b C3", "play white D3", "undo", "play w C3", "play W d3") == [
        "=\n\n",
        "=\n\n",
        "=\n\n",
        "? illegal move\n\n",
        "=\n\n",
    ]
    assert [action for _, action in speaker.moves] == [12, 13]
    assert say(speaker, "undo", "undo", "undo") == ["=\n\n", "=\n\n", "? cannot undo\n\n"]


def test_a_move_out_of_turn_lets_the_other_pass():
    speaker = engine()
    say(speaker, "play black A1", "play black B1")
    assert speaker.moves == ((0, 0), (1, 25), (0, 1))
    say(speaker, "undo")
    assert speaker.moves == ((0, 0),)  # with the pass that came before


@pytest.mark.parametrize(
    "line", ["play", "play b", "play green A1", "play b I3", "play b A6", "play b A1 B2", "play b Z9"]
)
def test_a_bad_move_is_an_error_and_changes_nothing(line):
    speaker = engine()
    assert speaker.answer(line).startswith("? ") and speaker.moves == ()


def test_a_move_is_made_and_told():
    speaker = engine()
    assert say(speaker, "play b A1", "4 genmove w", "genmove b") == ["=\n\n", "=4 B1\n\n", "= C1\n\n"]
    assert speaker.moves == ((0, 0), (1, 1), (0, 2)) and speaker.player.told[-1][1] == ((0, 0), (1, 1))
    assert say(speaker, "play w pass", "play b pass", "genmove w")[-1] == "= pass\n\n"  # the game is over


def test_a_player_that_fails_costs_one_answer():
    def fails(game, state, moves, seconds):
        raise RuntimeError("no\nidea")

    speaker = Engine(Go(5), fails)
    assert say(speaker, "genmove b", "name", "play b A1") == ["? RuntimeError: no idea\n\n", "= Fogtree\n\n", "=\n\n"]
    speaker.player = lambda *_: 0
    assert (
        speaker.answer("genmove w") == "? the player wants action 0, which is not legal\n\n" and len(speaker.moves) == 1
    )


def test_sizes_and_komi():
    speaker = engine()
    say(speaker, "play b A1")
    assert say(speaker, "boardsize 9", "komi 7.5") == ["=\n\n"] * 2
    assert (speaker.game.side, speaker.game.komi, speaker.moves) == (9, 7.5, ())
    assert say(speaker, "boardsize 25", "boardsize x", "boardsize", "komi x", "komi") == [
        "? unacceptable size\n\n",
        "? boardsize not an integer\n\n",
        "? syntax error\n\n",
        "? komi not a float\n\n",
        "? syntax error\n\n",
    ]
    assert speaker.game.side == 9


def test_the_score_counts_the_board_as_it_stands():
    speaker = engine()
    assert say(speaker, "komi 0", "final_score") == ["=\n\n", "= 0\n\n"]
    assert say(speaker, "play b C3", "final_score", "komi 30.5", "final_score")[1::2] == ["= B+25\n\n", "= W+5.5\n\n"]
    assert len(speaker.moves) == 1


def test_the_board_is_shown():
    speaker = engine()
    say(speaker, "play b A1")
    assert "\n 1 X . . . . 1\n" in speaker.answer("showboard")


def test_clocks():
    speaker = engine()
    seconds = lambda: (speaker.answer("genmove b"), speaker.player.told[-1][2])[1]  # noqa: E731
    assert seconds() is None
    speaker.answer("time_settings 50 0 0")
    assert seconds() == pytest.approx(0.9 * 50 / 25)
    speaker.answer("time_left b 10 0")
    assert seconds() == pytest.approx(0.9 * 10 / 25)
    speaker.answer("time_left b 10 5")
    assert seconds() == pytest.approx(0.9 * 2)
    speaker.answer("time_settings 50 30 10")  # at the end of the main time 3 s a stone are left
    assert seconds() == pytest.approx(0.9 * 3)
    speaker.answer("time_settings 0 10 5")
    assert seconds() == pytest.approx(0.9 * 2)
    speaker.answer("time_left b 0 1")
    assert seconds() == 0.01
    speaker.answer("time_settings 0 10 0")  # no limit
    assert seconds() is None
    for bad in (
        "time_settings",
        "time_settings 1 2",
        "time_settings -1 0 0",
        "time_settings nan 0 0",
        "time_left b x 1",
    ):
        assert speaker.answer(bad) == "? syntax error\n\n"


def test_a_session_ends_with_quit():
    out = io.StringIO()
    engine().run(iter(["1 name\n", "\n", "2 quit\n", "3 name\n"]), out)
    assert out.getvalue() == "=1 Fogtree\n\n=2\n\n"


def test_no_line_ends_the_loop():
    random, speaker = np.random.default_rng(1), engine()
    words = [*speaker.commands, "b", "w", "A1", "C3", "pass", "-1", "1e400", "é", "\x00", "#", "99999999999999999999"]
    words.remove("quit")
    for _ in range(3_000):
        line = " ".join(random.choice(words, random.integers(0, 5)))
        said = speaker.answer(line)
        assert said == "" or (said[0] in "=?" and said.endswith("\n\n")), line
    assert speaker.answer("name") == "= Fogtree\n\n"
