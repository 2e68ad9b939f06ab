"""Best responses by the public tree, against the sequence form."""

import itertools

import numpy as np
import pytest

from fogtree import Invalid, Leduc, exploitability
from fogtree.game import OVER
from fogtree.games.holdem import Holdem
from fogtree.games.holdem.deck import Deck
from fogtree.solvers.public import public_response
from fogtree.solvers.public.betting import betting_tree
from fogtree.solvers.public.cards import all_hands, deals
from fogtree.solvers.public.lines import TypePlan
from fogtree.solvers.public.matrix_cfr import MatrixCFR
from fogtree.solvers.public.public_response import PublicResponse
from fogtree.solvers.public.small_form import betting_form, followed, strategy_of


def apart(game):
    """Leduc's cards for plans that tell suits apart."""
    cards = game.public_cards()
    cards.symmetries = cards.symmetries[:1]
    return cards


def plans(small, cfr):
    return [TypePlan(small.form.tree, small.form.cuts[player], cfr.table) for player in (0, 1)]


@pytest.mark.parametrize("iterations", [1, 7, 200])
def test_it_is_the_best_response_of_the_sequence_form_in_leduc(iterations):
    game = Leduc()
    small = betting_form(game)
    cfr = MatrixCFR(small.form, "cfr+", dtype=np.float64).run(iterations=iterations)
    first, second = plans(small, cfr)
    expected = exploitability(game, small.strategy(cfr.table)).values
    for cards in (apart(game), game.public_cards())[
        : 2 if iterations < 10 else 1
    ]:  # later its rounding tells suits apart
        assert PublicResponse(cards, second, 0).value() == pytest.approx(expected[0], abs=1e-9)
        assert PublicResponse(cards, first, 1).value() == pytest.approx(expected[1], abs=1e-9)


def test_blocks_of_few_hands_change_nothing(interpreted, monkeypatch):
    game = Leduc()
    small = betting_form(game)
    plan = plans(small, MatrixCFR(small.form, "cfr+", dtype=np.float64).run(iterations=1))[1]
    whole = PublicResponse(apart(game), plan, 0).value()
    monkeypatch.setattr(public_response, "BLOCK", 2)
    assert PublicResponse(apart(game), plan, 0).value() == pytest.approx(whole, abs=1e-12)


def test_boards_of_one_kind_are_walked_once():
    game = Leduc()
    small = betting_form(game)
    cfr = MatrixCFR(small.form, "cfr+").run(iterations=1)
    response = PublicResponse(game.public_cards(), plans(small, cfr)[1], 0)
    assert [(board, len(images)) for board, images in response.first_boards()] == [((0,), 2), ((2,), 2), ((4,), 2)]


def test_numbers_of_deals():
    # heads-up hold'em: 1,326 x 1,225 pairs of hands, 17,296 flops, then 45 and 44 cards
    class Full:
        cards, hole, dealt, symmetries = 52, 2, (0, 3, 1, 1), ()

    assert [deals(Full(), s) for s in range(4)] == [1624350, 28094757600, 1264264092000, 55627620048000]
    assert all_hands(4, 2).tolist() == [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]


def test_bad_players_and_stages_are_refused():
    game = Leduc()
    small = betting_form(game)
    plan = TypePlan(small.form.tree, small.form.cuts[1], lambda node: np.ones((3, 30)) / 3)
    with pytest.raises(Invalid, match="a player is 0 or 1, not 2"):
        PublicResponse(apart(game), plan, 2)
    cards = apart(game)
    cards.dealt = (0, 1, 1)
    with pytest.raises(Invalid, match="the betting has 2 stages and the cards have 3"):
        PublicResponse(cards, plan, 0)


# --- hold'em: one and two private cards ---

HOLDEM = Holdem(ranks=3, suits=2, rounds=2, raises=2, flop=1)


class Known:
    """All that a player can see of the cards at each stage: a type for each hand and board, numbered in the order of the
    hand, then of the cards dealt at each stage. `kind` forgets the suits."""

    def __init__(self, game, deck):
        self.game, self.deck, self.hands = game, deck, all_hands(deck.cards, deck.hole).tolist()
        self.known = [[(tuple(hand), ()) for hand in self.hands]]  # [stage][type] hand and boards
        for number in deck.dealt[1:]:
            self.known.append(
                [
                    (hand, (*boards, more))
                    for hand, boards in self.known[-1]
                    for more in itertools.combinations(sorted(set(range(deck.cards)).difference(hand, *boards)), number)
                ]
            )
        self.number = [{known: at for at, known in enumerate(stage)} for stage in self.known]
        self.cuts = []
        for stage in range(len(self.known)):
            alike = [(*boards[:stage], hand) for hand, boards in self.known[-1]]
            begins = [t for t in range(len(alike)) if not t or alike[t] != alike[t - 1]]
            self.cuts.append(np.array([*begins, len(alike)]))

    def types(self, stage, board):
        parts, at = [], 0
        for number in self.deck.dealt[1 : stage + 1]:
            parts.append(tuple(board[at : at + number]))
            at += number
        return np.array([self.number[stage].get((tuple(hand), tuple(parts)), 0) for hand in self.hands])

    def kind(self, stage, number):
        """What a type is if suits do not matter."""
        hand, boards = self.known[stage][number]
        return min(
            tuple(tuple(sorted(symmetry[card] for card in part)) for part in (hand, *boards))
            for symmetry in self.deck.symmetries
        )

    def views(self, tree):
        """views(node) for `strategy_of`, by following a deal to each type."""

        def view(player, line, hand, boards):
            free = [card for card in range(self.deck.cards) if card not in {*hand, *itertools.chain(*boards)}]
            hands = (hand, tuple(free[: self.deck.hole]))[:: -1 if player else 1]
            state = followed(self.game, list(itertools.chain(*hands, *boards)), line)
            return int(self.game.view(state, player))

        def views(node):
            player, line = int(tree.player[node]), tree.line(node)
            return np.array([view(player, line, *known) for known in self.known[tree.stage[node]]])

        return views


def random_tables(tree, known, alike):
    """tables(node), random; with `alike` they do not tell suits apart."""
    made = {}
    for n in decisions(tree):
        rng, stage, drawn = np.random.default_rng(n), int(tree.stage[n]), {}
        count = int(tree.first[n + 1] - tree.first[n])
        for t in range(len(known.known[stage])):
            drawn.setdefault(known.kind(stage, t) if alike else t, rng.dirichlet(np.ones(count)))
        made[n] = np.array([drawn[known.kind(stage, t) if alike else t] for t in range(len(known.known[stage]))]).T
    return made.get


@pytest.mark.parametrize(
    "game",
    [
        Holdem(ranks=3, suits=2, rounds=1, raises=1),  # the big blind may only check; one round is the last round
        Holdem(ranks=3, suits=2, rounds=2, raises=1, flop=2),
        HOLDEM,  # three actions
        Holdem(ranks=2, suits=3, rounds=4, raises=1, hole=1, flop=1),  # a river; a turn breaks what the flop keeps
    ],
    ids=str,
)
def test_it_is_the_best_response_of_the_sequence_form_in_a_small_hold_em(game):
    deck, tree = Deck(game), betting_tree(game)
    known = Known(game, deck)
    deck.sort = known.types
    for alike in (True,) if game.rounds == 4 else (True, False):
        if not alike:
            deck.symmetries = deck.symmetries[:1]
        tables = random_tables(tree, known, alike)
        expected = exploitability(game, strategy_of(game, tree, tables, known.views(tree))).values
        plan = TypePlan(tree, tuple(known.cuts), tables)
        for player in (0, 1):
            assert PublicResponse(deck, plan, player).value() == pytest.approx(expected[player], abs=1e-9)


def test_a_player_with_one_action_loses_what_the_sequence_form_says():
    game = Holdem(ranks=3, suits=2, rounds=1, raises=1)
    small = betting_form(game)
    cfr = MatrixCFR(small.form, "cfr+", dtype=np.float64).run(iterations=1)
    found = [PublicResponse(Deck(game), plan, 1 - player).value() for player, plan in enumerate(plans(small, cfr))]
    assert found[::-1] == pytest.approx(exploitability(game, small.strategy(cfr.table)).values, abs=1e-9)


def decisions(tree):
    return np.flatnonzero(tree.player != OVER).tolist()


def test_folds_before_the_first_deal_are_worth_what_they_pay():
    deck, tree = Deck(HOLDEM), betting_tree(HOLDEM)
    known = Known(HOLDEM, deck)
    deck.sort = known.types
    response = PublicResponse(deck, TypePlan(tree, tuple(known.cuts), random_tables(tree, known, True)), 0)
    folds = response.fold_values()
    assert sorted(folds) == list(range(*tree.folds[0]))
    mine = [n for n in folds if tree.player[tree.parent[n]] == 0 and tree.parent[n] == 0]
    assert folds[mine[0]] == pytest.approx(np.full(15, -1 / 15), abs=1e-12)  # the small blind, with every hand
