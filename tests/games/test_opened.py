"""Any game with open cards."""

import pytest

import fogtree
from fogtree import Kuhn, Leduc
from fogtree.game import Shape, new_state
from fogtree.transforms.opened import Opened, opened


@pytest.mark.parametrize("name", ["open:kuhn", "open:liars-dice:faces=2"])
def test_it_keeps_the_contract_and_its_name_loads_it(name, interpreted):
    game = fogtree.load(name)
    assert fogtree.name(game) == name
    report = fogtree.check(game)
    assert report.complete and game.shape().open


def test_with_open_cards_every_history_of_a_player_is_an_information_set_of_its_own():
    hidden, open_ = fogtree.count(Kuhn()), fogtree.count(opened(Kuhn()))
    assert open_.histories == hidden.histories and sum(open_.infosets) == 24 > sum(hidden.infosets) == 12


def test_open_kuhn_is_worth_nothing_to_both():
    # the higher card takes the ante of 1, whoever moves first, and both have it equally often
    assert fogtree.solve(opened(Kuhn())).value == pytest.approx(0.0, abs=1e-9)


def test_a_state_of_the_hidden_game_is_dealt_with_its_cards_on_the_table(interpreted):
    state = new_state(Leduc())
    table = opened(Leduc())
    dealt = table.deal(state, 3)
    assert dealt[:-1].tolist() == state.tolist() and table.view(dealt, 0) == table.view(dealt, 1) == 4


def test_partners_stay_partners(interpreted):
    class Four(Opened):
        def side_of(self, player):
            return player % 2

        def shape(self):
            return Shape(4, 1, 1, 1, 0.0, 1.0)

    assert [opened(Four(None)).side_of(player) for player in range(4)] == [0, 1, 0, 1]
    assert not hasattr(opened(Kuhn()), "side_of")


def test_an_action_is_called_what_it_is_called_in_the_hidden_game(interpreted):
    state = new_state(Kuhn())
    for card in (0, 1):
        Kuhn().step(state, card)
    table = opened(Kuhn())
    assert [table.label(table.deal(state), action) for action in (0, 1)] == ["pass", "bet"]
