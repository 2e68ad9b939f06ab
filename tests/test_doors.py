"""The public functions take a game or its name, a bandit or its name, and whatever plays; else they say what is needed."""

import pytest

import fogtree as ft
from fogtree.errors import Broken, Invalid

KUHN = ft.Kuhn()
DOORS = {
    "solve": lambda game: ft.solve(game).value,
    "sequence_form": lambda game: ft.sequence_form(game).histories,
    "CFR": lambda game: ft.CFR(game).run(iterations=10).bounds(),
    "MCCFR": lambda game: ft.MCCFR(game, seed=1).run(iterations=10).infosets,
    "count": lambda game: ft.count(game).histories,
    "playouts": lambda game: ft.playouts(game, 10).moves,
    "exploitability": lambda game: ft.exploitability(game, ft.Strategy.uniform(KUHN)).total,
    "best_response": lambda game: ft.best_response(game, ft.Strategy.uniform(KUHN), 0).value,
    "duel": lambda game: ft.duel(game, *[ft.Strategy.uniform(KUHN)] * 2, 10).payoffs,
    "exact_duel": lambda game: ft.exact_duel(game, *[ft.Strategy.uniform(KUHN)] * 2).payoffs,
    "ISMCTS": lambda game: ft.ISMCTS(game, "rm").run(iterations=10).infosets,
    "MMCTS": lambda game: ft.MMCTS(game).run(iterations=10).infosets,
    "OneSided": lambda game: ft.OneSided(game, ft.Strategy.uniform(KUHN), 0).run(iterations=10).infosets,
    "Belief": lambda game: ft.Belief(game, 0).cap,
    "play": lambda game: ft.play(game, ["random", "random"], seed=3).moves,
    "tournament": lambda game: ft.tournament(game, ["random"], matches=3, cores=1).cells,
    "told": lambda game: ft.told(game, ft.Strategy.uniform(KUHN)),
    "at": lambda game: ft.at(game).actions,
}


@pytest.mark.parametrize("door", DOORS)
def test_a_game_may_be_given_by_its_name(door):
    assert DOORS[door]("kuhn") == DOORS[door](KUHN)


@pytest.mark.parametrize("door", DOORS)
def test_what_is_no_game_is_refused_in_a_sentence(door):
    with pytest.raises(Invalid, match="a game is needed, or the text that names one, not the class Kuhn"):
        DOORS[door](ft.Kuhn)
    with pytest.raises(Invalid, match="there is no game 'kuhm': did you mean kuhn"):
        DOORS[door]("kuhm")


def test_open_games_by_name():
    assert ft.AlphaBeta("tic-tac-toe").game == ft.MCTS("tic-tac-toe", "uct:c=1").game == ft.TicTacToe()


def test_check_says_how_a_text_becomes_a_game():
    with pytest.raises(Broken, match=r"not the text 'kuhn', of which fogtree.load makes one"):
        ft.check("kuhn")


def test_a_bandit_may_be_given_by_its_name():
    assert ft.ISMCTS(KUHN, "exp3:gamma=0.3").bandit == ft.Exp3(gamma=0.3)
    for wrong, what in ((ft.Exp3, "the class Exp3"), (3, "a int")):
        with pytest.raises(Invalid, match=f"a bandit is needed, or the text that names one, not {what}"):
            ft.ISMCTS(KUHN, wrong)


def test_solutions_strategies_and_searches_are_measured_alike():
    solved, search = ft.solve(KUHN), ft.ISMCTS(KUHN, "rm", seed=1).run(iterations=200)
    assert ft.exploitability(KUHN, solved).total == ft.exploitability(KUHN, solved.strategy).total
    assert ft.exploitability(KUHN, search).total == ft.exploitability(KUHN, search.strategy()).total
    assert ft.exact_duel(KUHN, solved, search) == ft.exact_duel(KUHN, solved.strategy, search.strategy())


def test_whatever_plays_may_sit_at_the_table():
    solved = ft.solve(KUHN)
    for table in (["random", "rm:iterations=20"], [solved, solved.strategy], [ft.RandomAgent(1), "random"]):
        match = ft.play(KUHN, table, seed=1)
        assert match.forfeit is None and sum(match.payoffs) == 0
    for wrong, what in ((3, "a int"), (ft.RandomAgent, "the class RandomAgent")):
        with pytest.raises(Invalid, match=f"an agent is needed, the text that names one, or a strategy, not {what}"):
            ft.play(KUHN, ["random", wrong])


def test_two_seats_of_one_text_do_not_throw_the_same_dice():
    matches = [ft.play("goofspiel:cards=5", ["random", "random"], seed=seed) for seed in range(20)]
    bids = [[move.action for move in match.moves if move.player == player] for match in matches for player in (0, 1)]
    assert any(first != second for first, second in zip(bids[::2], bids[1::2], strict=True))


def test_agents_of_a_tournament_are_texts_or_objects_that_play():
    assert ft.tournament(KUHN, [ft.RandomAgent(1)], matches=2).cells[0, 0].matches == 2
    with pytest.raises(Invalid, match="an agent is needed"):
        ft.tournament(KUHN, [ft.RandomAgent], matches=2)
