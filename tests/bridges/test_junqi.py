"""The protocol of the army chess contest: our engine, and programs at our table."""

import io
import pathlib
import random
import sys
from typing import Any, NamedTuple

import numpy as np
import pytest

from fogtree import OVER, Invalid, Kuhn
from fogtree.bridges.junqi import Engine, army_kinds, army_letters, move_name, move_named, random_army
from fogtree.bridges.junqi_client import JunqiAgent
from fogtree.bridges.program import EngineFault
from fogtree.game import legal, new_state
from fogtree.games.siguo import Luzhanqi
from fogtree.games.siguo.pieces import ANY
from fogtree.games.siguo.rules import FIGHTS, HEAD, PLIES, STANDS, TURN, fights_from, kinds_from, known_from

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered")

FAKE = str(pathlib.Path(__file__).with_name("fake_junqi.py"))
GAME = Luzhanqi("chosen")
# row by row from the front: five stations, three, four, three, five, five
ARMY = "abccd" + "dee" + "ffgg" + "ghh" + "hkkii" + "iljjj"


class Seen(NamedTuple):
    """The part of a sight that a program needs."""

    game: Any
    player: int
    actions: tuple
    worlds: Any


def seen(game, state):
    hidden = state.copy()
    player = int(game.player(state))
    first = kinds_from(game) + (1 - player) * 25
    hidden[first : first + 25] = 12  # whatever it asks, it is not told the other's kinds
    return Seen(game, player, tuple(legal(game, state)), lambda count: np.repeat(hidden[None], count, 0))


def first_move(game, state, player):
    return legal(game, state)[0]


def engine(**more):
    return Engine(Luzhanqi(quiet=31, stalled="loss"), first_move, lambda: army_kinds(ARMY), **more)


def test_a_set_up_is_written_from_the_front_row_to_the_back():
    assert army_letters(army_kinds(ARMY)) == ARMY
    kinds = army_kinds(ARMY)
    assert kinds[:2] == [11, 10]  # the headquarters L1 and L3: the flag, a mine
    assert kinds[20:] == [0, 1, 2, 2, 3]  # the front row, from the left


def test_each_engine_sees_itself_at_the_bottom():
    for player in (0, 1):
        assert move_name(move_named("G0F0", player), player) == "G0F0"
    assert move_name(move_named("G0F0", 0), 1) == "F4G4"


@pytest.mark.parametrize(
    ("letters", "why"),
    [
        ("a" * 25, "the set-up has too many of 'a'"),
        ("abc", "a set-up has 25 letters, not 3"),
        ("z" + ARMY[1:], "'z' is no man: valid are a to l"),
        ("l" + ARMY[1:21] + "a" + ARMY[22:], "the set-up cannot have "),
    ],
)
def test_an_illegal_set_up_is_refused_in_one_sentence(letters, why):
    with pytest.raises(Invalid) as refused:
        army_kinds(letters)
    assert str(refused.value).startswith(why) and "\n" not in str(refused.value)


def test_the_engine_answers_a_referee():
    lines = ["INFO 1.0", "START 0 1800 31", "GO 0000 3 00", "RESULT 3 00", "", "END 1", "INFO 1.0"]
    out, made = io.StringIO(), engine()
    made.run(iter(lines), out)
    name, army, move = out.getvalue().splitlines()
    assert (name, army) == ("NAME Fogtree", f"ARRAY {ARMY}")
    assert move.startswith("BESTMOVE G") and made.over
    assert made.state[PLIES] == 1 and made.state[TURN] == 1


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("HELLO", "there is no command 'HELLO': valid are INFO, START, GO, RESULT, END"),
        ("START 0 1800", "write START first time steps with whole numbers"),
        ("START 2 1800 31", "the first number of START is 0 or 1, not 2"),
        ("START 0 1800 0", "Luzhanqi: quiet must be a whole number from 1 to 1000, not 0"),
        ("GO F0G0", "write GO MOVE RESULT FLAG"),
        ("GO F0 3 00", "'F0' is no move: write G0F0, from a point to a point"),
        ("GO Z0F0 3 00", "'Z0' is no point: valid are A0 to L4"),
        ("GO E1D1 3 00", "no man of the mover stands on E1"),
        ("GO F0G0 3 00", "result 3 does not fit a move to a taken point"),
        ("GO F0E1 7 00", "a result is 0, 1, 2 or 3, not 7"),
        ("GO F0G0 1 C2", "the other's flag cannot be on C2: its headquarters are A1 and A3"),
        ("RESULT 1", "write RESULT RESULT FLAG"),
        ("GO 0000 3 00", "0000 is for the engine that moves first"),
    ],
)
def test_a_bad_line_is_answered_by_one_sentence_and_the_game_goes_on(line, why):
    made = engine()
    made.answer("START 1 1800 31")
    assert made.answer(line) == f"ERROR {why}"
    assert made.answer("GO F0E1 3 00").startswith("BESTMOVE ")


def test_whatever_breaks_is_one_sentence_and_the_talk_goes_on():
    def broken(game, state, player):
        raise RuntimeError("out of\nideas")

    made = Engine(Luzhanqi(quiet=31, stalled="loss"), broken, lambda: army_kinds(ARMY))
    assert made.answer(f"START 0 1800 {'9' * 5000}").startswith("ERROR ")
    made.answer("START 0 1800 31")
    assert made.answer("GO 0000 3 00") == "ERROR RuntimeError: out of ideas"
    assert made.answer("INFO 1.0") == "NAME Fogtree"


def test_before_the_start_there_is_no_game():
    assert engine().answer("GO 0000 3 00") == "ERROR the game has not begun: START comes first"


def a_match(agents, seed, check=lambda state: None):
    """A match of two agents, or of one against random moves; returns the last state."""
    state, chooser = new_state(GAME), random.Random(seed)
    with np.errstate(over="ignore"):
        while (player := int(GAME.player(state))) != OVER:
            if agents[player] is None:
                action = chooser.choice(legal(GAME, state))
            else:
                action = agents[player].act(seen(GAME, state))
            assert action in legal(GAME, state)
            GAME.step(state, action)
            check(state)
    return state


class Inside(JunqiAgent):
    """An engine of ours without a process between."""

    def __init__(self, seed):
        super().__init__(["inside"])
        chooser = random.Random(seed)
        self.engine = Engine(
            Luzhanqi(), lambda game, state, player: chooser.choice(legal(game, state)), lambda: random_army(seed)
        )

    def _started(self):
        return self

    def tell(self, line):
        self.said = self.engine.answer(line)
        assert not self.said.startswith("ERROR"), (line, self.said)

    def _ask(self, line, answer):
        self.tell(line)
        word, said = self.said.split()
        assert word == answer
        return said


@pytest.mark.parametrize("seed", range(6))
def test_an_engine_that_is_told_results_alone_knows_what_everybody_knows(seed):
    pair = (Inside(seed), Inside(100 + seed))
    kinds, known = kinds_from(GAME), known_from(GAME)

    def check(state):
        for me, agent in enumerate(pair):
            if state[PLIES] and GAME.player(state) == 1 - me and agent.engine.state is not None:
                other = agent.engine.state  # it knows all but the result of its own last move
                assert other[PLIES] == state[PLIES] - 1

    state = a_match(pair, seed, check)
    for me, agent in enumerate(pair):
        other = agent.engine.state
        assert (other[kinds + me * 25 : kinds + me * 25 + 25] == state[kinds + me * 25 : kinds + me * 25 + 25]).all()
        fights = min(other[FIGHTS], state[FIGHTS])
        first = fights_from(GAME)
        assert (other[first : first + fights] == state[first : first + fights]).all() and fights > 5
        assert all(int(a) & ANY & ~int(b) == 0 for a, b in zip(state[known:][:50], other[known:][:50], strict=True))


def test_a_program_plays_a_whole_match():
    agent = JunqiAgent.from_text("junqi", f"{sys.executable} {FAKE} play")
    agent.fits(GAME)
    agent.fresh()
    state = a_match((None, agent), 5)
    assert state[PLIES] > 20
    agent.close()


@pytest.mark.parametrize(
    ("how", "reason"),
    [
        ("hang", "did not answer 'GO .*' within 0.5 s"),
        ("die", "ended with exit code 3 when it was told 'GO "),
        ("HELLO", "answered 'GO .*' with 'HELLO', not with BESTMOVE"),
        ("BESTMOVE Z9", "'Z9' is no move"),
        ("army", "the set-up has too many of 'a'"),
    ],
)
def test_a_program_that_misbehaves_has_lost(how, reason):
    agent = JunqiAgent([sys.executable, FAKE, how])
    state, chooser = new_state(GAME), random.Random(1)
    with pytest.raises(EngineFault, match=reason):
        while True:
            player = int(GAME.player(state))
            if how == "hang" and state[PLIES]:
                agent.patience = 0.5
            action = chooser.choice(legal(GAME, state)) if player == 0 else agent.act(seen(GAME, state))
            GAME.step(state, action)
    agent.close()


def test_games_without_chosen_set_ups_are_refused():
    for game in (Kuhn(), Luzhanqi()):
        with pytest.raises(Invalid, match="plays luzhanqi:set_up=chosen alone"):
            JunqiAgent([sys.executable]).fits(game)
    with pytest.raises(Invalid, match="junqi needs a program"):
        JunqiAgent([])


def test_an_engine_needs_no_more_of_a_state_than_it_was_told():
    made = engine()
    made.answer("START 0 1800 31")
    kinds = made.state[kinds_from(GAME) + 25 :][:25]
    assert (kinds == 12).all()  # unset
    assert made.state[HEAD] and made.state[STANDS]
