"""States of a user's own are looked at before compiled code runs on them, where a wrong index would end the process."""

import numpy as np
import pytest

import fogtree as ft
from fogtree import dice
from fogtree.contract import states
from fogtree.contract.states import require_states
from fogtree.errors import Invalid
from fogtree.game import legal, new_state

DOORS = {
    "ISMCTS": lambda game, rows: ft.ISMCTS(game, "uct").run(iterations=5, roots=rows),
    "MCTS": lambda game, rows: ft.MCTS(game).think(rows[-1], iterations=5),
    "search_many": lambda game, rows: ft.search_many(game, "uct", [rows], 5),
    "PIMC": lambda game, rows: ft.PIMC(game).think(rows, iterations=5),
}


def decision(game, seed=1, moves=0):
    """A state of a random game in which a player is to move."""
    random, state = dice.seeded(seed), new_state(game)
    with np.errstate(over="ignore"):  # random bits wrap round
        while game.player(state) < 0 or moves > 0:
            actions = legal(game, state)
            game.step(state, actions[dice.below(random, len(actions))])
            moves -= 1
    return state


@pytest.mark.parametrize("door", DOORS)
def test_a_row_that_is_no_state_is_refused_at_every_door(door, interpreted):
    game = ft.TicTacToe() if door == "MCTS" else ft.LiarsDice()
    good = decision(game)
    DOORS[door](game, good[None])
    for number in (99, -(1 << 40)):
        wrong = np.full_like(good, number)
        with pytest.raises(Invalid, match=rf"row {int(door != 'MCTS')} is no state of {type(game).__name__}: "):
            DOORS[door](game, np.array([good, wrong]))


def test_the_message_names_the_row_and_what_goes_wrong():
    game = ft.Leduc()
    good = decision(game)
    wrong = np.full_like(good, 99)
    with pytest.raises(Invalid, match=r"^row 2 is no state of Leduc: \w+ "):
        require_states(game, np.array([good, good, wrong]))


def test_a_word_that_shows_only_after_some_moves_is_found():
    game = ft.Kuhn()
    wrong = decision(game)
    wrong[0] = wrong[1]  # both players hold the same card: nobody wins
    with pytest.raises(Invalid, match=r"row 0 is no state of Kuhn: \w+ .* after \d random move"):
        require_states(game, wrong[None])


def test_a_method_that_does_not_return_from_a_row_is_ended(monkeypatch):
    from fogtree.contract import watchdog

    class Counting(ft.Kuhn):
        def player(self, state):
            while state[0] > 100:
                pass
            return super().player(state)

    monkeypatch.setattr(watchdog, "EACH", 0.01)
    monkeypatch.setattr(watchdog.Watchdog.__init__, "__defaults__", (0.2,))
    wrong = decision(ft.Kuhn())
    wrong[0] = 1000
    with pytest.raises(Invalid, match="row 0 is no state of Counting: player has not returned"):
        require_states(Counting(), wrong[None])


@pytest.mark.parametrize("name", ft.GAMES)
def test_states_of_games_pass(name, monkeypatch):
    monkeypatch.setattr(states, "SECONDS", 0.02)
    game = ft.load(name)
    rows = [decision(game, seed, moves) for seed, moves in ((1, 0), (2, 1))]
    require_states(game, np.array(rows))


def test_of_many_rows_some_are_looked_at(monkeypatch):
    game, met = ft.Kuhn(), set()
    row = decision(game)
    monkeypatch.setattr(states, "_play", lambda asked, *rest: met.add(asked.row_number))
    monkeypatch.setattr(states, "SECONDS", 60.0)
    require_states(game, np.repeat(row[None], 10 * states.MOST, axis=0))
    assert len(met) == states.MOST and max(met) >= 9 * states.MOST


def test_nothing_is_looked_at_where_checks_are_off(unchecked):
    require_states(ft.Kuhn(), np.full((1, 7), 99))


def test_an_agent_brings_states_of_the_game_itself_which_are_not_looked_at_again(monkeypatch, interpreted):
    looked = []
    monkeypatch.setattr(states, "require_states", lambda *args: looked.append(args))
    for name in ("rm:iterations=5", "pimc:iterations=5"):
        ft.play(ft.Kuhn(), [ft.load_agent(name), ft.RandomAgent(1)], seed=1)
    assert not looked
