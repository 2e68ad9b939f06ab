"""Games given as trees: the arrays, the views that their information sets lead to, and what people read."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from playing import after, expectation, indistinct, payoffs

import fogtree
from fogtree import (
    CHANCE,
    OVER,
    REFEREE,
    BimatrixGame,
    Broken,
    DarkHex,
    Goofspiel,
    Invalid,
    Kuhn,
    Leduc,
    LiarsDice,
    name,
)
from fogtree.game import identity, legal, new_state, odds, read
from fogtree.games.tree import FIRST, PLAYER, WIDTH, Sketch, TreeGame, spell_out
from fogtree.measure.exploitability import exploitability
from fogtree.solvers.forms.sequence import sequence_form
from fogtree.solvers.regret.cfr import CFR
from fogtree.strategy import Strategy
from fogtree.walk.slices import Progress

SMALL = [
    Kuhn(),
    Kuhn(4),
    Leduc(),
    Goofspiel(3),
    Goofspiel(3, prizes="shuffled"),
    DarkHex(2),
    LiarsDice(1, 3),
    BimatrixGame(),
]


def pennies():
    """Matching pennies."""
    sketch = Sketch(["Even", "Odd"], "Matching pennies")
    sketch.decision(0, "e", ["heads", "tails"])
    for first in (0, 1):
        sketch.decision(1, "o", ["heads", "tails"])
        for second in (0, 1):
            sketch.end([1, -1] if first == second else [-1, 1])
    return sketch.game()


# --- any game, spelled out ---


@pytest.mark.parametrize("game", SMALL, ids=identity)
def test_a_game_spelled_out_has_the_same_counts_and_keeps_the_contract(game):
    tree = spell_out(game)
    mine, yours = fogtree.count(tree), fogtree.count(game)
    assert mine[:4] == yours[:4] and (mine.by_depth == yours.by_depth[: len(mine.by_depth)]).all()
    assert fogtree.check(tree).complete
    assert tree.shape().zero_sum == game.shape().zero_sum


@pytest.mark.parametrize("game", [game for game in SMALL if game.shape().zero_sum], ids=identity)
def test_random_play_in_a_game_spelled_out_is_worth_and_exploited_the_same(game):
    tree = spell_out(game)
    mine, yours = (exploitability(g, Strategy.uniform(g)) for g in (tree, game))
    assert mine.gains == pytest.approx(yours.gains, abs=1e-12)
    assert mine.value == pytest.approx(expectation(game), abs=1e-12)


@pytest.mark.parametrize(
    "game, value, near",
    # Kuhn 1950; Leduc: Southey et al. 2005, the digits as OpenSpiel's and Gambit's solvers give them
    [(Kuhn(), -1 / 18, 1e-5), (Leduc(), -0.0856064241, 1e-3)],
)
def test_a_game_spelled_out_is_solved_to_its_known_value(game, value, near):
    cfr = CFR(sequence_form(spell_out(game)), "pcfr+")
    cfr.run(iterations=2000)
    low, _, high = cfr.bounds()
    assert low - 1e-9 <= value <= high + 1e-9 and high - low < near


def test_a_tree_plays_the_same_interpreted_and_compiled():
    tree = spell_out(Kuhn())
    played = fogtree.playouts(tree, 20_000, seed=3)
    # random play is worth 1/8 to player 0; a game's payoff is at most 2 away from it
    assert played.payoff[0] == pytest.approx(1 / 8, abs=5 * 2 / 20_000**0.5)


def test_spelling_out_stops_at_the_limit():
    with pytest.raises(Invalid, match=r"^Kuhn has more than 57 histories, the limit: take a smaller game$"):
        spell_out(Kuhn(), limit=57)
    assert len(spell_out(Kuhn(), limit=58).node) == 58


def test_spelling_out_tells_how_far_it_is():
    seen = []
    spell_out(Leduc(), progress=seen.append)
    assert seen == [Progress("histories", done) for done in range(1000, 9457, 1000)]


def test_a_tree_spelled_out_is_itself():
    tree = pennies()
    assert spell_out(tree) is tree


# --- the arrays ---


def test_siblings_stand_side_by_side_and_parents_before_children():
    tree = spell_out(Kuhn())
    inner = tree.node[tree.node[:, PLAYER] != OVER]
    children = [range(first, first + width) for first, width in inner[:, [FIRST, WIDTH]].tolist()]
    assert [child for family in children for child in family] == list(range(1, 58))
    assert all(family[0] > parent for parent, family in zip(np.flatnonzero(tree.node[:, WIDTH]), children, strict=True))


def test_matching_pennies_by_hand():
    game = pennies()
    assert fogtree.check(game)[:4] == (7, 4, 2, True)
    assert game.shape()[:7] == (2, 1, 2, 2, -1.0, 1.0, True)
    assert payoffs(game, after(game, "heads", "heads")) == (1, -1)
    assert payoffs(game, after(game, "tails", "heads")) == (-1, 1)
    assert indistinct(game, 1, ("heads",), ("tails",))


def test_three_players_whose_payoffs_sum_to_zero():
    sketch = Sketch(["a", "b", "c"])
    sketch.decision(0, 1, ["x", "y"])
    for _ in range(2):
        sketch.decision(1, 1, ["x", "y"])
        for _ in range(2):
            sketch.decision(2, 1, ["x", "y"])
            sketch.end([2, -1, -1])
            sketch.end([0, 3, -3])
    game = sketch.game()
    assert game.shape()[:7] == (3, 1, 2, 3, -3.0, 3.0, True)
    assert fogtree.count(game).infosets == (1, 1, 1)
    assert fogtree.check(game).complete
    with pytest.raises(Invalid, match="has 3 players"):
        sequence_form(game)


def test_payoffs_that_do_not_sum_to_zero_are_said_to():
    sketch = Sketch(["a", "b"], "Gift")
    sketch.decision(0, 1, ["take", "leave"])
    sketch.end([1, 0])
    sketch.end([0, 0])
    game = sketch.game()
    assert not game.shape().zero_sum
    with pytest.raises(Invalid, match=r"^Gift is not zero-sum"):
        sequence_form(game)


@pytest.mark.parametrize("unit", [1e-12, 1.0, 1e12 / 7])
def test_whether_a_tree_is_zero_sum_does_not_depend_on_the_unit_of_its_payoffs(unit):
    for second, zero_sum in ((0.0, False), (-0.3, True)):  # 0.1 + 0.2 - 0.3 is not 0 in numbers of 64 bits
        sketch = Sketch(["a", "b"])
        sketch.decision(0, 1, ["take", "leave"], paid=[0.1 * unit, 0.0])
        sketch.end([0.2 * unit, second * unit])
        sketch.end([-0.1 * unit, 0.0])
        game = sketch.game()
        assert game.shape().zero_sum == zero_sum
        assert fogtree.expected(game, fogtree.Strategy.uniform(game))[0] == pytest.approx(0.15 * unit)
        assert not zero_sum or fogtree.solve(game).value == pytest.approx(0.3 * unit)


def test_a_tree_may_be_over_at_once():
    sketch = Sketch(["a"])
    sketch.end([5])
    game = sketch.game()
    assert fogtree.check(game)[:4] == (1, 1, 0, True)
    assert game.payoff(new_state(game), 0) == 5


def test_what_is_paid_on_the_way_adds_up():
    sketch = Sketch(["a", "b"])
    sketch.chance(["up", "down"], [0.5, 0.5], [1, -1])
    sketch.decision(0, 1, ["x", "y"], paid=[10, -10])
    sketch.end([100, -100])
    sketch.end([200, -200])
    sketch.end([100, -100])
    game = sketch.game()
    assert [payoffs(game, after(game, *moves))[0] for moves in [(0, 0), (0, 1), (1,)]] == [111, 211, 101]


def test_a_branch_that_chance_never_takes_is_left_out():
    sketch = Sketch(["a"])
    sketch.chance(["never", "often", "seldom"], [0, 0.75, 0.25])
    sketch.decision(0, "unreachable", ["x", "y"])
    sketch.end([1])
    sketch.end([2])
    sketch.end([3])
    sketch.end([4])
    game = sketch.game()
    assert fogtree.check(game)[:4] == (3, 2, 0, True)
    state = new_state(game)
    assert odds(game, state) == [0.75, 0.25] and game.label(state, 0) == "often"
    assert game.payoff(after(game, "seldom"), 0) == 4


def test_odds_rounded_to_six_digits_sum_to_one():
    sketch = Sketch(["a"])
    sketch.chance(["x", "y", "z"], [0.333333] * 3)
    for _ in range(3):
        sketch.end([0])
    game = sketch.game()
    assert odds(game, new_state(game)) == pytest.approx([1 / 3] * 3, abs=1e-15)


def test_a_tree_of_thirty_thousand_levels():
    sketch = Sketch(["a"])
    for level in range(30_000):
        sketch.decision(0, level, ["stop", "go"])
        sketch.end([level])
    sketch.end([-1])
    game = sketch.game()
    assert game.shape().moves == 30_000
    assert fogtree.count(game).histories == 60_001


# --- views ---


def test_when_it_is_not_their_turn_players_remember_their_last_choice():
    game = spell_out(Kuhn())
    assert indistinct(game, 1, ("J", "K"), ("Q", "K"))  # player 1 is not told the own card before it matters
    assert not indistinct(game, 1, ("J", "K", "pass"), ("J", "Q", "pass"))
    assert indistinct(game, 0, ("K", "J", "bet", "bet"), ("K", "Q", "bet", "pass"))
    assert not indistinct(game, 0, ("K", "J", "bet"), ("K", "J", "pass"))


def test_a_set_that_comes_at_once_or_later_does_not_tell_which():
    # After "in" chance may let the other player move in secret before the second set comes, or not.
    sketch = Sketch(["me", "other"])
    sketch.decision(0, "first", ["in", "out"])
    sketch.chance(["soon", "late"], [0.5, 0.5])
    sketch.decision(0, "second", ["x", "y"])
    sketch.end([1, -1])
    sketch.end([2, -2])
    sketch.decision(1, "secret", ["x", "y"])
    for _ in range(2):
        sketch.decision(0, "second", ["x", "y"])
        sketch.end([3, -3])
        sketch.end([4, -4])
    sketch.end([0, 0])
    game = sketch.game()
    assert fogtree.check(game).complete

    sketch = Sketch(["me", "other"])
    sketch.chance(["soon", "late"], [0.5, 0.5])
    sketch.decision(0, "first", ["in", "out"])
    sketch.decision(0, "second", ["x", "y"])  # at once
    sketch.end([1, -1])
    sketch.end([2, -2])
    sketch.end([0, 0])
    sketch.decision(0, "first", ["in", "out"])
    sketch.decision(1, "secret", ["x", "y"])  # later
    for _ in range(2):
        sketch.decision(0, "second", ["x", "y"])
        sketch.end([3, -3])
        sketch.end([4, -4])
    sketch.end([0, 0])
    game = sketch.game()
    assert fogtree.check(game).complete
    assert not indistinct(game, 0, ("late", "in"), ("late", "out"))
    assert indistinct(game, 0, ("late", "in", "x"), ("soon", "in"))


def test_imperfect_recall_is_loaded_and_then_refused_where_it_matters():
    sketch = Sketch(["me", "other"], "Forgetful")
    sketch.decision(0, "first", ["x", "y"])
    for _ in range(2):
        sketch.decision(1, "other", ["x", "y"])
        for _ in range(2):
            sketch.decision(0, "second", ["x", "y"])  # having forgotten the first choice
            sketch.end([1, -1])
            sketch.end([-1, 1])
    game = sketch.game()
    assert fogtree.count(game).infosets == (2, 1)
    assert fogtree.playouts(game, 10).games == 10
    with pytest.raises(Broken, match="must not forget"):
        fogtree.check(game)
    with pytest.raises(Invalid, match=r"^Forgetful has imperfect recall: view 4 is reached by different own actions"):
        sequence_form(game)


def test_the_absent_minded_driver_passes_the_same_set_twice():
    # Piccione and Rubinstein 1997: exit at the second of two exits that look alike
    sketch = Sketch(["driver", "nobody"], "Driver")
    sketch.decision(0, "exit", ["exit", "go on"])
    sketch.end([0, 0])
    sketch.decision(0, "exit", ["exit", "go on"])
    sketch.end([4, -4])
    sketch.end([1, -1])
    game = sketch.game()
    assert payoffs(game, after(game, "go on", "exit")) == (4, -4)
    with pytest.raises(Broken, match="must not forget"):
        fogtree.check(game)
    with pytest.raises(Invalid, match=r"^Driver has imperfect recall"):
        sequence_form(game)


@st.composite
def sketches(draw):
    """Random trees with perfect recall: sets are made of nodes with the same mover, past and number of actions."""
    sketch = Sketch(["a", "b", "c"][: draw(st.integers(1, 3))])
    players = len(sketch.players)
    stack = [(0, ((),) * players)]
    while stack:
        depth, past = stack.pop()
        kind = draw(st.integers(-2, players - 1)) if depth < 5 and len(sketch.nodes) < 40 else OVER
        if kind == OVER:
            sketch.end([draw(st.integers(-3, 3)) for _ in range(players)])
            continue
        width = draw(st.integers(1, 3))
        children = [past] * width
        if kind == CHANCE:
            weights = [draw(st.integers(1, 4)) for _ in range(width)]
            sketch.chance([""] * width, [w / sum(weights) for w in weights])
        else:
            infoset = (past[kind], width, draw(st.integers(0, 1)))
            sketch.decision(kind, infoset, [""] * width)
            children = [(*past[:kind], (infoset, a), *past[kind + 1 :]) for a in range(width)]
        stack.extend((depth + 1, child) for child in reversed(children))
    return sketch


@settings(max_examples=150, deadline=None)
@given(sketches())
def test_a_tree_with_perfect_recall_keeps_the_contract(sketch):
    game = sketch.game()
    report = fogtree.check(game)
    assert report.complete and report.histories == len(game.node)
    assert report.infosets == len(sketch.number)


# --- for people ---


def test_players_see_their_own_choices_and_where_they_are():
    game = spell_out(Kuhn())
    state = after(game, "K", "J", "pass", "bet")
    assert game.show(state, 0) == "your moves: pass\nyou are at: your card: K / betting: pass bet"
    assert game.show(state, 1) == "your moves: bet"
    assert game.show(state, REFEREE) == "moves: chance: K, chance: J, player 0: pass, player 1: bet"
    assert game.show(new_state(game), 0) == "your moves: none yet"


def test_a_set_without_a_name_is_shown_by_its_number():
    game = pennies()
    assert game.show(new_state(game), 0) == "your moves: none yet\nyou are at: information set 1"
    assert game.show(after(game, "heads"), REFEREE) == "moves: Even: heads"


def test_information_sets_of_one_name_are_told_apart(tmp_path):
    names = ("x", "x", "y")
    sets = "\n".join(f'p "" 2 {n} "{name}" {{ "u" "d" }} 0 t "" 0 t "" 0' for n, name in enumerate(names, 1))
    (tmp_path / "names.efg").write_text(f'EFG 2 R "" {{ "A" "B" }}\np "" 1 1 "" {{ "l" "m" "r" }} 0\n{sets}\n')
    game = fogtree.load(str(tmp_path / "names.efg"))
    state, shown = new_state(game), []
    for action in range(3):
        there = state.copy()
        game.step(there, action)
        shown.append(game.show(there, 1).rpartition(": ")[2])
    assert shown == ["x (information set 1)", "x (information set 2)", "y"]


def test_names_are_made_different_and_fit_for_a_line():
    sketch = Sketch(["a\x1b[31m", ""])
    sketch.decision(0, 1, ["Go", "go", "go (2)", "", " wait \n here ", "6"])
    for _ in range(6):
        sketch.end([0, 0])
    game = sketch.game()
    state = new_state(game)
    labels = [game.label(state, action) for action in legal(game, state)]
    assert labels == ["Go", "go (3)", "go (2)", "4", "wait here", "6"]
    assert [read(game, state, label.upper()) for label in labels] == [0, 1, 2, 3, 4, 5]
    assert game.labels.players == ("a [31m", "player 1")


def test_names_travel_with_a_tree_but_do_not_make_it_another_game():
    game = pennies()
    again = pickle.loads(pickle.dumps(game))
    assert type(again) is TreeGame and again.labels == game.labels and name(again) == "Matching pennies"
    bare = TreeGame(*game)
    assert identity(bare) == identity(game) == identity(again)
    assert fogtree.check(bare).complete
    state = after(bare, 1)
    assert (bare.label(state, 0), bare.show(state, 1), bare.show(state, REFEREE)) == (
        "0",
        "view: 1",
        "moves: player 0: 1",
    )
    assert bare.labels.title == "" and name(bare) == "a tree"


def test_a_tree_is_open_where_every_node_is_an_information_set_of_its_own():
    for hiding in (Kuhn(), Goofspiel(2), pennies()):
        assert not spell_out(hiding).shape().open
    told = Sketch(["Even", "Odd"])  # matching pennies, in turn and in sight
    told.decision(0, "e", ["heads", "tails"])
    for first in (0, 1):
        told.decision(1, f"o after {first}", ["heads", "tails"])
        for second in (0, 1):
            told.end([1, -1] if first == second else [-1, 1])
    assert told.game().shape().open and fogtree.check(told.game()).complete


def test_the_identity_of_a_tree_is_that_of_stored_strategies():
    # written down before shapes said whether a game is open; strategies are stored with it
    sketch = Sketch(["a", "b"])
    sketch.decision(0, "root", ["left", "right"])
    sketch.end([1, -1])
    sketch.end([0, 0])
    assert identity(sketch.game()) == (
        "TreeGame(node=eeee3d29d5d2109d, sight=9193f107dd6fb093, chance=8d70fbb3e9521814, paid=590b9e954d0b07b2, "
        "size=Shape(players=2, words=1, actions=2, moves=1, low=-1.0, high=1.0, zero_sum=True)), rules version 1"
    )


def test_a_strategy_of_another_tree_is_refused():
    game = pennies()
    with pytest.raises(Invalid, match="this is a strategy of TreeGame"):
        Strategy.uniform(game).belongs_to(spell_out(Kuhn()))


# --- what a sketch refuses ---


def refused(sentence, *steps):
    sketch = Sketch(["a", "b"])
    with pytest.raises(Invalid) as error:
        for verb, *args in steps:
            getattr(sketch, verb)(*args)
    assert str(error.value) == sentence


def test_a_sketch_must_be_whole():
    refused("the tree is not whole: at least 1 more must come", ("game",))
    refused("the tree is not whole: at least 2 more must come", ("decision", 0, 1, "xy"), ("game",))
    refused("the tree is whole, and there is one node more", ("end", [0, 0]), ("end", [0, 0]))


@pytest.mark.parametrize("players", [[], ["x"] * 257])
def test_a_sketch_has_players(players):
    with pytest.raises(Invalid, match=f"a game has 1 to 256 players, not {len(players)}"):
        Sketch(players)


def test_what_a_node_must_be():
    refused("the players are 0 to 1, so 2 is none", ("decision", 2, 1, "xy"))
    refused("a has no action", ("decision", 0, 1, ""))
    refused(
        "the nodes of an information set have equally many actions, but a has 2 at one and 3 at another",
        ("decision", 0, 1, "xy"),
        ("decision", 0, 1, "xyz"),
    )
    refused("2 players need as many payoffs, not 3", ("end", [1, 2, 3]))
    refused("2 players need as many payoffs, not 1", ("decision", 0, 1, "xy", "", [1]))
    refused("chance needs a probability for each action, not 1 for 2", ("chance", "xy", [1]))
    refused("chance needs a probability for each action, not 0 for 0", ("chance", "", []))
    refused("a probability is never negative: -0.5", ("chance", "xy", [1.5, -0.5]))
    refused("probabilities sum to 1, not to 0.9", ("chance", "xy", [0.5, 0.4]))
    limits = "a payoff or probability is a finite number of at most 308 digits"
    refused(limits, ("end", [float("nan"), 0]))
    refused(limits, ("end", [10**400, 0]))
    refused(limits, ("chance", "xy", [float("inf"), 0]))
