"""OpenSpiel's games as trees of ours, and OpenSpiel's own best response as the judge of our strategies."""

import builtins
import doctest
import pathlib
import re

import numpy as np
import pytest

import fogtree
from fogtree import Goofspiel, Invalid, Kuhn, Leduc, MatrixGame
from fogtree.bridges.openspiel import from_openspiel, to_openspiel_policy
from fogtree.game import legal, new_state
from fogtree.measure.exploitability import exploitability
from fogtree.solvers.forms.sequence import sequence_form
from fogtree.solvers.regret.cfr import CFR
from fogtree.strategy import Strategy

pyspiel = pytest.importorskip("pyspiel")

GOOFSPIEL = "goofspiel(num_cards={},points_order=descending,imp_info=True,returns_type=win_loss,players=2)"
PAIRS = [
    ("kuhn", "kuhn_poker"),
    ("leduc", "leduc_poker"),
    ("goofspiel:cards=4,lowest=1", GOOFSPIEL.format(4)),
    ("liars-dice:faces=4", "liars_dice(dice_sides=4)"),
    pytest.param("liars-dice", "liars_dice", marks=pytest.mark.slow),  # OpenSpiel's best response takes ten seconds
]


def turn_based(name):
    return pyspiel.load_game_as_turn_based(name)


def random_strategy(form, seed):
    """A strategy of random probabilities, some of them 0."""
    random, game = np.random.default_rng(seed), form.game
    player, view, first, action, probability = [], [], [0], [], []
    for p, tree in enumerate(form.trees):
        for i in range(tree.infosets()):
            begin, end = tree.first[i], tree.first[i + 1]
            weights = random.random(end - begin) * (random.random(end - begin) < 0.8)
            weights[0] += 0.01
            player.append(p)
            view.append(tree.view[i])
            action.extend(tree.action[begin:end])
            probability.extend(weights / weights.sum())
            first.append(len(action))
    return Strategy(game, player, view, first, action, probability)


# --- strategies of ours, judged by OpenSpiel ---


@pytest.mark.parametrize("ours, theirs", PAIRS)
def test_openspiel_finds_the_same_exploitability(ours, theirs):
    game, other = fogtree.load(ours), turn_based(theirs)
    form = sequence_form(game)
    cfr = CFR(form, "cfr+")
    cfr.run(iterations=30)
    for strategy in (cfr.strategy(), random_strategy(form, 1)):
        policy = to_openspiel_policy(game, strategy, theirs)
        mine = exploitability(form, strategy)
        assert pyspiel.nash_conv(other, policy) == pytest.approx(mine.total, abs=1e-9)
        assert pyspiel.exploitability(other, policy) == pytest.approx(mine.mean, abs=1e-9)
        returns = pyspiel.expected_returns(other.new_initial_state(), policy, -1, False, 0.0)
        assert returns == pytest.approx([mine.value, -mine.value], abs=1e-9)


def test_the_empty_strategy_is_uniform_play():
    policy = to_openspiel_policy(Kuhn(), Strategy.uniform(Kuhn()), pyspiel.load_game("kuhn_poker"))
    assert pyspiel.nash_conv(pyspiel.load_game("kuhn_poker"), policy) == pytest.approx(11 / 12, abs=1e-12)
    assert len(policy.policy_table()) == 12


def test_a_strategy_of_a_tree_is_matched_by_the_order_of_actions():
    tree = from_openspiel("leduc_poker")
    form = sequence_form(tree)
    strategy = random_strategy(form, 2)
    policy = to_openspiel_policy(tree, strategy, "leduc_poker")
    found = pyspiel.nash_conv(pyspiel.load_game("leduc_poker"), policy)
    assert found == pytest.approx(exploitability(form, strategy).total, abs=1e-9)


def test_three_players_have_policies_too():
    tree = from_openspiel("kuhn_poker(players=3)")
    policy = to_openspiel_policy(tree, Strategy.uniform(tree), "kuhn_poker(players=3)")
    game = pyspiel.load_game("kuhn_poker(players=3)")
    uniform = pyspiel.UniformRandomPolicy(game)
    assert pyspiel.nash_conv(game, policy) == pytest.approx(pyspiel.nash_conv(game, uniform), abs=1e-12)


# --- games of OpenSpiel as trees ---


@pytest.mark.parametrize(
    "name, size, infosets, zero_sum",
    # histories, ends and chance nodes; those of Kuhn and Leduc as in OpenSpiel's own api_test
    [
        ("kuhn_poker", (58, 30, 4), (6, 6), True),
        ("kuhn_poker(players=3)", (617, 312, 17), (16, 16, 16), True),
        ("leduc_poker", (9457, 5520, 157), (468, 468), True),
        ("matrix_rps", (13, 9, 0), (1, 1), True),
        ("matrix_pd", (7, 4, 0), (1, 1), False),
        ("matching_pennies_3p", (15, 8, 0), (1, 1, 1), False),
        ("tiny_hanabi", (55, 36, 3), (2, 6), False),
        (GOOFSPIEL.format(3), (1 + 3 + 9 + 18 + 36, 36, 0), (8, 8), True),
    ],
)
def test_a_game_of_openspiel_is_a_tree_that_keeps_the_contract(name, size, infosets, zero_sum):
    tree = from_openspiel(name)
    count = fogtree.count(tree)
    assert ((count.histories, count.ends, count.chance), count.infosets) == (size, infosets)
    assert fogtree.check(tree).complete and tree.shape().zero_sum == zero_sum


@pytest.mark.parametrize("ours, theirs", PAIRS[:4])
def test_random_play_is_as_exploitable_in_the_tree_as_in_our_game(ours, theirs):
    tree, game = from_openspiel(pyspiel.load_game(theirs)), fogtree.load(ours)
    mine, yours = (exploitability(g, Strategy.uniform(g)) for g in (tree, game))
    assert mine.gains == pytest.approx(yours.gains, abs=1e-12)


def test_where_all_is_seen_every_decision_is_an_information_set():
    count = fogtree.count(from_openspiel("breakthrough(rows=3,columns=2)"))
    assert sum(count.infosets) == count.histories - count.ends


def test_the_tree_of_leduc_is_solved_to_its_value():
    cfr = CFR(sequence_form(from_openspiel("leduc_poker")), "pcfr+")
    cfr.run(iterations=2000)
    low, _, high = cfr.bounds()
    assert low - 1e-9 <= -0.0856064241 <= high + 1e-9 and high - low < 1e-3


def test_actions_have_openspiels_names():
    tree = from_openspiel("kuhn_poker")
    state = new_state(tree)
    assert tree.labels.title == "kuhn_poker()"
    for _ in range(2):
        tree.step(state, 0)
    assert [tree.label(state, action) for action in legal(tree, state)] == ["Pass", "Bet"]
    assert tree.show(state, 0) == "your moves: none yet\nyou are at: 0"


# --- what is refused ---


def refusal(call, *args, **kwargs):
    with pytest.raises(Invalid) as refused:
        call(*args, **kwargs)
    assert "\n" not in str(refused.value)
    return str(refused.value)


def test_a_game_too_large_is_refused():
    sentence = "leduc_poker() has more than 9,456 histories, the limit: take a smaller game"
    assert refusal(from_openspiel, "leduc_poker", limit=9_456) == sentence
    sentence = "kuhn has more than 57 histories, the limit: take a smaller game"
    assert refusal(to_openspiel_policy, Kuhn(), Strategy.uniform(Kuhn()), "kuhn_poker", limit=57) == sentence


def test_games_without_a_tree_are_refused():
    assert "so it has no tree" in refusal(from_openspiel, "mfg_crowd_modelling")
    assert "without telling their odds" in refusal(from_openspiel, "stones_and_gems")
    for name in ("skat", "markov_soccer"):
        assert "does not say which histories a player can tell apart" in refusal(from_openspiel, name)


def test_a_game_without_information_states_has_no_policies():
    tree = from_openspiel("breakthrough(rows=3,columns=2)")
    sentence = refusal(to_openspiel_policy, tree, Strategy.uniform(tree), "breakthrough(rows=3,columns=2)")
    assert sentence.endswith("has no information states, so it has no tabular policies")


def test_a_game_that_openspiel_does_not_know_is_refused():
    assert refusal(from_openspiel, "no_such_game").startswith("OpenSpiel cannot load 'no_such_game': Unknown game")
    assert "\n" not in refusal(from_openspiel, "kuhn_poker(players=99)")
    assert refusal(from_openspiel, Kuhn()) == "a game of OpenSpiel or its name is needed, not a Kuhn"


def test_another_game_is_refused_with_the_place_where_they_part():
    uniform = Strategy.uniform(Kuhn())
    sentence = refusal(to_openspiel_policy, Kuhn(), uniform, "leduc_poker")
    assert sentence == "kuhn and OpenSpiel's leduc_poker() differ (at the start): the odds of chance are not the same"
    sentence = refusal(to_openspiel_policy, MatrixGame(), Strategy.uniform(MatrixGame()), "matrix_mp")
    assert sentence.endswith("(at the start): player 0 has 3 actions in the one and 2 in the other")
    sentence = refusal(to_openspiel_policy, MatrixGame(), Strategy.uniform(MatrixGame()), "kuhn_poker")
    assert sentence.endswith("(at the start): player 0 is to move in the one and chance in the other")


def test_a_strategy_of_another_game_is_refused():
    sentence = refusal(to_openspiel_policy, Leduc(), Strategy.uniform(Kuhn()), "leduc_poker")
    assert sentence.startswith("this is a strategy of Kuhn(cards=3)")


def test_players_who_remember_more_than_openspiels_can_not_always_be_told():
    # with open bids OpenSpiel shows the hands, but not in which order they were played
    game = Goofspiel(4, hidden=False, lowest=1)
    theirs = "goofspiel(num_cards=4,points_order=descending,imp_info=False,returns_type=win_loss,players=2)"
    assert to_openspiel_policy(game, Strategy.uniform(game), theirs) is not None
    strategy = random_strategy(sequence_form(game), 3)
    sentence = refusal(to_openspiel_policy, game, strategy, theirs)
    assert sentence.endswith("an information state stands for several of ours, where the strategy differs")


def test_without_openspiel_the_message_says_how_to_get_it(monkeypatch):
    real = builtins.__import__

    def missing(name, *args, **kwargs):
        if name == "pyspiel":
            raise ImportError
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", missing)
    assert refusal(from_openspiel, "kuhn_poker") == "OpenSpiel is not installed: pip install open_spiel"


# --- the page ---


def test_the_sessions_of_the_page_print_what_they_say(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = pathlib.Path(__file__).parents[2] / "docs" / "bridges.md"
    text = "".join(re.findall(r"^```pycon\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL))
    test = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    outcome = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test)
    assert outcome.failed == 0 and outcome.attempted > 20
