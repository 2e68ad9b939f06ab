"""What is no number, no text or no strategy gets one sentence and no error of Python. Found by benchmarks/fuzz.py."""

import pytest

import fogtree as ft
from fogtree.errors import Invalid
from fogtree.games.spot import load_spot, spell_spot
from fogtree.runs import Run

PENNIES = [[1, 0], [0, 1]]
ODD = {
    "spot rake": (lambda: ft.spot("Td9d6hQc2s", rake="5"), "rake must be a number of 0 or more, not '5'"),
    "spot cap": (lambda: ft.spot("Td9d6hQc2s", rake=0.1, cap="3"), "the cap of the rake must be a number .* not '3'"),
    "spot added": (lambda: ft.spot("Td9d6hQc2s", added="x"), "added must be a number of 0 or more, not 'x'"),
    "spot threshold": (lambda: ft.spot("Td9d6hQc2s", added=1e307), "added is at most 1e\\+06, not 1e\\+307"),
    "spot chips": (lambda: ft.spot("Td9d6hQc2s", bets="9" * 400 + "c"), "'9*c' is too large: a size is"),
    "spot bets": (lambda: ft.spot("Td9d6hQc2s", bets=50), "the bets of a spot must be a text, not 50"),
    "spot board": (lambda: ft.spot(7), "the board of a spot must be a text, not 7"),
    "spot range": (lambda: ft.spot("Td9d6hQc2s", oop=1.5), "the range oop of a spot must be a text, not 1.5"),
    "tree": (lambda: ft.tree("kuhn", "random"), "a str is no strategy: give a Strategy, or what solve\\(\\) returns"),
    "tree most": (lambda: ft.tree("kuhn", most="9"), "the number of histories must be a whole number of 1 or more, not '9'"),
    "told player": (lambda: ft.told("kuhn", PLAN, player="J"), "there is no player J: valid are 0 to 1"),
    "profiles": (lambda: ft.strategic_form("kuhn", limit="9"), "limit must be a whole number of 1 or more, not '9'"),
    "supports": (lambda: ft.support_equilibria(PENNIES, PENNIES, most="9"), "the most pairs of supports must be a whole"),
    "sets": (lambda: ft.ISMCTS("kuhn", "rm", sets="9"), "sets must be a number of 0 or more, not '9'"),
    "memory of a search": (lambda: ft.ISMCTS("kuhn", "rm", memory="9"), "memory must be a number of 0 or more, not '9'"),
    "memory of a table": (lambda: ft.AlphaBeta("tic-tac-toe", memory="9"), "memory must be 0, for no table, or a"),
    "cores": (lambda: Run(None, "x", piece, {}).map([{"a": 1}], cores="2"), "cores must be a whole number of 1 or more, not"),
    "a null byte": (lambda: ft.load_agent("strategy:plan.np\0"), "plan.np\0 cannot be read: embedded null byte"),
}  # fmt: skip
PLAN = ft.Strategy(ft.Kuhn(), [], [], [0], [], [])


def piece(a):
    return a


@pytest.mark.parametrize("door", ODD)
def test_an_odd_argument_gets_a_sentence(door):
    call, sentence = ODD[door]
    with pytest.raises(Invalid, match=f"^(the strategy )?{sentence}"):
        call()


def test_a_table_takes_no_more_than_half_of_the_memory_whatever_was_asked_for(monkeypatch):
    monkeypatch.setattr("fogtree.search.open.transpositions.memory_cap", lambda: 2.0**20)
    assert ft.AlphaBeta("tic-tac-toe", memory=float("inf")).table.word.nbytes == 2**20


@pytest.mark.parametrize(
    "values", ["stack=1234567", "rake=0.05,cap=2147483648", "rake=0.123456789,cap=2.5", "added=1e-07"]
)
def test_the_name_of_a_spot_keeps_every_digit(values):
    game = load_spot(f"spot/Td9d6hQc2s:{values},oop=[AA],ip=[KK]")
    again = load_spot(spell_spot(game))
    assert (again.stack, again.rake, again.cap, again.labels) == (game.stack, game.rake, game.cap, game.labels)


def test_sizes_may_stand_on_several_lines():
    assert (
        ft.spot("Td9d6hQc2s", bets="50%,\n\n a; 3x").first.tolist()
        == ft.spot("Td9d6hQc2s", bets="50%, a; 3x").first.tolist()
    )


def test_a_table_for_which_there_is_no_room_is_refused(monkeypatch):
    monkeypatch.setattr("fogtree.search.open.transpositions.memory_cap", lambda: 2.0**58)
    with pytest.raises(
        Invalid, match="there is no room for a table of 288,230,376,151,711,744 bytes: give less memory"
    ):
        ft.AlphaBeta("tic-tac-toe", memory=float("inf"))
