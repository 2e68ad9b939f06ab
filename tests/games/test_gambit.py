"""Gambit's files: games with known equilibria, round trips, and files that are torn, wrong or hostile."""

import itertools
import time
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import fogtree
from fogtree import BimatrixGame, DarkHex, Goofspiel, Invalid, Kuhn, Leduc, LiarsDice, MatrixGame
from fogtree.game import identity, legal, new_state, odds
from fogtree.games.gambit import read_efg, read_nfg, write_efg, write_nfg
from fogtree.games.tree import TreeGame
from fogtree.measure.exploitability import exploitability
from fogtree.solvers.forms.sequence import sequence_form
from fogtree.solvers.regret.cfr import CFR
from fogtree.strategy import Strategy

# One card is dealt, king or queen, and only Alice sees it. She bets or gives up the ante of 1; facing a bet of 1 Bob
# calls or folds (Reiley, Urbancic and Walker 2008). Alice bluffs with 1/3, Bob calls with 2/3, Alice wins 1/3.
POKER = """
EFG 2 R "Poker with one card" { "Alice" "Bob" }
"A comment, in which c and p and { mean nothing."

c "deal" 1 "card" { "king" 1/2 "queen" 1/2 } 0
p "" 1 1 "king" { "bet" "give up" } 0
p "" 2 1 "facing a bet" { "call" "fold" } 0
t "" 1 "Alice wins the bet" { 2, -2 }
t "" 2 "Alice wins the ante" { 1, -1 }
t "" 3 "Bob wins the ante" { -1, 1 }
p "" 1 2 "queen" { "bet" "give up" } 0
p "" 2 1 "facing a bet" { "call" "fold" } 0
t "" 4 "Bob wins the bet" { -2, 2 }
t "" 2 "Alice wins the ante" { 1, -1 }
t "" 3 "Bob wins the ante" { -1, 1 }
"""

# The same with the ante and the bet paid as they are made, and nothing described twice
POKER_IN_STAGES = """
EFG 2 D "Poker in stages" { "Alice" "Bob" }
c "" 7 { "king" .5 "queen" 0.50 } 1 { -1 -1 }
p "" 1 10 "" { "bet" "give up" } 0
p "" 2 5 "" { "call" "fold" } 2 "a bet" { -1 0 }
t "" 3 "call and lose" { 4 -1 }
t "" 4 "the pot" { 3.0 0 }
t "" 5 { 0e0 2 }
p "" 1 20 "" { "bet" "give up" } 0
p "" 2 5 2
t "" 6 "" { 0/1 +3 }
t "" 4
t "" 5
"""

# The example of Koller, Megiddo and von Stengel, Fast algorithms for finding randomized strategies in game trees, 1994
STOC = """
EFG 2 R "Fast algorithms, the example" { "1" "2" }
c "" 1 "" { "a" 1/5 "b" 1/5 "c" 1/5 "d" 2/5 } 0
p "" 1 1 "u" { "l" "r" } 0
t "" 1 "" { 5 -5 }
p "" 2 1 "v" { "p" "q" } 0
p "" 1 2 "w" { "L" "R" } 0
t "" 2 "" { 10 -10 }
t "" 3 "" { 15 -15 }
p "" 1 2 "w" { "L" "R" } 0
t "" 4 "" { 20 -20 }
t "" 5 "" { -5 5 }
p "" 1 3 "x" { "c" "d" } 0
t "" 2 "" { 10 -10 }
t "" 4 "" { 20 -20 }
p "" 1 3 "x" { "c" "d" } 0
p "" 2 2 "y" { "s" "t" } 0
t "" 4 "" { 20 -20 }
t "" 6 "" { 50 -50 }
p "" 2 2 "y" { "s" "t" } 0
t "" 7 "" { 30 -30 }
t "" 3 "" { 15 -15 }
t "" 1 "" { 5 -5 }
"""

PENNIES = 'NFG 1 R "Matching pennies" { "Even" "Odd" } { 2 2 }\n1 -1 -1 1 -1 1 1 -1\n'


@pytest.fixture
def file(tmp_path):
    """A function that writes a text to a file and returns its path."""
    number = itertools.count()

    def write(text, ending="efg"):
        path = tmp_path / f"game{next(number)}.{ending}"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def solved(game, iterations=3000):
    """Bounds on the value, and the equilibrium by the names of sets and actions."""
    cfr = CFR(sequence_form(game), "pcfr+")
    cfr.run(iterations=iterations)
    strategy, plays = cfr.strategy(), {}
    for player, infosets in enumerate(game.labels.infosets):
        for infoset in infosets:
            row = strategy[player, infoset.view]
            plays.update({(infoset.name, label): row[a] for a, label in enumerate(infoset.actions)})
    low, _, high = cfr.bounds()
    return low, high, plays


# --- games with known equilibria ---


def test_poker_with_one_card_is_solved_to_its_equilibrium(file):
    game = read_efg(file(POKER))
    assert fogtree.check(game)[:4] == (11, 6, 3, True)
    low, high, plays = solved(game)
    assert low - 1e-9 <= 1 / 3 <= high + 1e-9 and high - low < 1e-6
    assert plays["king", "bet"] == pytest.approx(1, abs=1e-4)
    assert plays["queen", "bet"] == pytest.approx(1 / 3, abs=1e-4)
    assert plays["facing a bet", "call"] == pytest.approx(2 / 3, abs=1e-4)


def test_payoffs_at_inner_nodes_add_up_along_the_path(file):
    whole, stages = read_efg(file(POKER)), read_efg(file(POKER_IN_STAGES))
    assert fogtree.check(stages)[:4] == (11, 6, 3, True)
    for mine, yours in zip(whole[:3], stages[:3], strict=True):  # all but the order in which outcomes come
        if mine.ndim == 2 and mine.shape[1] == 4:
            mine, yours = mine[:, :3], yours[:, :3]
        np.testing.assert_array_equal(mine, yours)
    ends = np.flatnonzero(whole.node[:, 2] == 0)
    for player in (0, 1):
        paid = [[game.payoff([end], player) for end in ends] for game in (whole, stages)]
        assert paid[0] == paid[1]


def test_the_example_of_the_sequence_form_is_solved_to_its_equilibrium(file):
    # player 2 plays 5/6, 1/6 and 5/9, 4/9; as also tested in Gambit
    low, high, plays = solved(read_efg(file(STOC)))
    assert low - 1e-9 <= 13 <= high + 1e-9 and high - low < 1e-6
    found = [plays[key] for key in [("u", "r"), ("w", "L"), ("x", "c"), ("v", "p"), ("y", "s")]]
    assert found == pytest.approx([1, 2 / 3, 1 / 3, 5 / 6, 5 / 9], abs=1e-4)


def test_names_are_those_of_the_file(file):
    game = read_efg(file(POKER))
    assert game.labels.title == "Poker with one card" and game.labels.players == ("Alice", "Bob")
    state = new_state(game)
    assert [game.label(state, action) for action in legal(game, state)] == ["king", "queen"]
    game.step(state, 1)
    assert game.show(state, 0) == "your moves: none yet\nyou are at: queen"
    game.step(state, 0)
    assert game.show(state, 0) == "your moves: bet"
    assert game.show(state, fogtree.REFEREE) == "moves: chance: queen, Alice: bet"


# --- the format ---


def one_payoff(file, number):
    game = read_efg(file(f'EFG 2 R "" {{ "a" }} t "" 1 "" {{ {number} }}'))
    return game.payoff(new_state(game), 0)


@pytest.mark.parametrize(
    "text, value",
    [
        ("1/3", 1 / 3),
        ("-7/2", -3.5),
        ("+2", 2),
        (".5", 0.5),
        ("-.25", -0.25),
        ("3.", 3),
        ("1e-3", 0.001),
        ("2.5E+2", 250),
    ],
)
def test_numbers_are_whole_decimal_or_fractions(file, text, value):
    assert one_payoff(file, text) == value


def test_sums_along_a_path_are_exact(file):
    text = 'EFG 2 R "" { "a" } p "" 1 1 "" { "x" } 1 "" { 0.1 } t "" 2 "" { 0.2 }'
    assert read_efg(file(text)).paid.tolist() == [[0.3]]  # as floating-point numbers 0.1 + 0.2 is another


def test_blanks_and_line_ends_mean_nothing(file):
    squeezed = POKER.replace("\n", " ")
    wide = POKER.replace(" {", "\r\n\t{").replace("} ", "}\n\n")
    for text in (squeezed, wide, "\ufeff" + POKER):
        for mine, yours in zip(read_efg(file(text))[:4], read_efg(file(POKER))[:4], strict=True):
            np.testing.assert_array_equal(mine, yours)


def test_quotation_marks_inside_texts_are_protected(file):
    title = r"A \"Bayesian game\" in C:\games"
    game = read_efg(file(f'EFG 2 R "{title}" {{ "a" }} t "" 0'))
    assert game.labels.title == 'A "Bayesian game" in C:\\games'


def test_names_of_old_files_may_be_in_latin_1(file):
    game = read_efg(file('EFG 2 R "Café" { "a" } t "" 0'.encode("latin-1")))
    assert game.labels.title == "Café"


def test_a_branch_with_probability_0_is_read_and_left_out(file):
    text = 'EFG 2 R "" { "a" } c "" 1 "" { "x" 0 "y" 1 } 0 p "" 1 1 "" { "l" "r" } 0 t "" 1 "" { 1 } t "" 2 "" { 2 } t "" 1'
    game = read_efg(file(text))
    assert fogtree.count(game)[:4] == (2, 1, 1, (0,))
    assert game.paid.tolist() == [[1]]


def test_decimals_that_were_rounded_to_six_digits_are_probabilities(file):
    text = 'EFG 2 D "" { "a" } c "" 1 "" { "x" 0.333333 "y" 0.333333 "z" 0.333333 } 0 t "" 0 t "" 0 t "" 0'
    game = read_efg(file(text))
    assert odds(game, new_state(game)) == pytest.approx([1 / 3] * 3, abs=1e-15)


def test_three_players_are_no_trouble(file):
    text = 'EFG 2 R "" { "a" "b" "c" } p "" 3 1 "" { "x" "y" } 0 t "" 1 "" { 1 2 -3 } t "" 2 "" { 0, 0, 1 }'
    game = read_efg(file(text))
    assert game.shape().players == 3 and not game.shape().zero_sum
    assert game.player(new_state(game)) == 2


# --- round trips ---


GAMES = [Kuhn(), Leduc(), Goofspiel(3, prizes="shuffled"), BimatrixGame(), DarkHex(2), LiarsDice(1, 3), MatrixGame()]


@pytest.mark.parametrize("game", GAMES[:4], ids=identity)
def test_a_written_game_is_read_back(tmp_path, game):
    path = tmp_path / "game.efg"
    write_efg(game, path)
    again = read_efg(path)
    assert fogtree.count(again)[:4] == fogtree.count(game)[:4]
    assert fogtree.check(again).complete
    if game.shape().zero_sum:
        forms = [sequence_form(g) for g in (game, again)]
        mine, yours = (exploitability(form, Strategy.uniform(form.game)) for form in forms)
        assert mine.gains == pytest.approx(yours.gains, abs=1e-12)
        runs = [CFR(form, "cfr+") for form in forms]
        for run in runs:
            run.run(iterations=200)
        assert runs[0].bounds() == pytest.approx(runs[1].bounds(), abs=1e-9)


@pytest.mark.parametrize("game", GAMES, ids=identity)
def test_a_file_that_is_read_and_written_is_the_same_file(tmp_path, game):
    one, two = tmp_path / "one.efg", tmp_path / "two.efg"
    write_efg(game, one)
    write_efg(read_efg(one), two)
    assert one.read_text() == two.read_text()


def test_a_file_reads_as_one_would_write_it(tmp_path):
    write_efg(Kuhn(), tmp_path / "kuhn.efg")
    lines = (tmp_path / "kuhn.efg").read_text().splitlines()
    assert lines[:8] == [
        'EFG 2 R "Kuhn(cards=3), rules version 1" { "player 0" "player 1" }',
        '""',
        "",
        'c "" 1 "" { "J" 1/3 "Q" 1/3 "K" 1/3 } 0',
        'c "" 2 "" { "Q" 1/2 "K" 1/2 } 0',
        'p "" 1 1 "your card: J / betting: none yet" { "pass" "bet" } 0',
        'p "" 2 1 "your card: Q / betting: pass" { "pass" "bet" } 0',
        't "" 1 "" { -1, 1 }',
    ]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.floats(1e-200, 1), min_size=1, max_size=5),
    st.lists(st.floats(-1e12, 1e12), min_size=5, max_size=5),
)
def test_odds_sum_to_exactly_1_and_payoffs_keep_every_bit(file, tmp_path, weights, payoffs):
    branches = " ".join(f'"{i}" {Fraction(w) / sum(map(Fraction, weights))}' for i, w in enumerate(weights))
    ends = " ".join(f't "" {i + 1} "" {{ {payoffs[i]!r} }}' for i in range(len(weights)))
    game = read_efg(file(f'EFG 2 R "" {{ "a" }} c "" 1 "" {{ {branches} }} 0 {ends}'))
    write_efg(game, tmp_path / "again.efg")
    again = read_efg(tmp_path / "again.efg")
    np.testing.assert_array_equal(game.paid, again.paid)
    np.testing.assert_allclose(game.chance, again.chance, rtol=1e-12)
    line = (tmp_path / "again.efg").read_text().splitlines()[3]
    assert sum(Fraction(text) for text in line.split()[6:-2:2]) == 1


def test_openspiel_reads_what_we_write(tmp_path):
    pyspiel = pytest.importorskip("pyspiel")
    write_efg(Leduc(), tmp_path / "leduc.efg")
    game = pyspiel.load_game(f"efg_game(filename={tmp_path / 'leduc.efg'})")
    uniform = pyspiel.nash_conv(game, pyspiel.UniformRandomPolicy(game))
    assert uniform == pytest.approx(exploitability(Leduc(), Strategy.uniform(Leduc())).total, abs=1e-9)
    write_nfg(MatrixGame([[3, -1, 2], [0.5, 4, -7]]), tmp_path / "matrix.nfg")
    game = pyspiel.load_game(f"nfg_game(filename={tmp_path / 'matrix.nfg'})")
    np.testing.assert_array_equal(game.row_utilities(), [[3, -1, 2], [0.5, 4, -7]])


@pytest.mark.slow
@pytest.mark.parametrize("game, value", [(Kuhn(), -1 / 18), (LiarsDice(1, 2), None), (Goofspiel(3), 0)], ids=str)
def test_gambit_solves_what_we_write_to_the_same_value(tmp_path, game, value):
    gambit = pytest.importorskip("pygambit")
    write_efg(game, tmp_path / "game.efg")
    theirs = gambit.read_efg(str(tmp_path / "game.efg"))
    (equilibrium,) = gambit.nash.lp_solve(theirs, rational=True).equilibria
    found = float(equilibrium.payoff(next(iter(theirs.players))))
    cfr = CFR(sequence_form(game), "pcfr+")
    cfr.run(iterations=5000)
    low, _, high = cfr.bounds()
    assert low - 1e-9 <= found <= high + 1e-9 and high - low < 1e-4
    assert value is None or found == pytest.approx(value, abs=1e-12)


# --- strategic games ---


def test_matching_pennies_is_a_matrix_game(file):
    game = read_nfg(file(PENNIES, "nfg"))
    assert type(game) is MatrixGame and game.payoffs.tolist() == [[1, -1], [-1, 1]]


def test_the_first_players_strategy_changes_fastest(file):
    game = read_nfg(file('NFG 1 R "" { "a" "b" } { 3 2 } "a comment" 1 1 0 2 0 2 1 1 0 3 2 0', "nfg"))
    assert type(game) is BimatrixGame
    assert game.first.tolist() == [[1, 1], [0, 0], [0, 2]] and game.second.tolist() == [[1, 1], [2, 3], [2, 0]]


def test_outcomes_stand_for_payoffs(file):
    text = """NFG 1 R "" { "a" "b" } { { "up" "middle" "down" } { "left" "right" } } ""
    { { "" 1, 1 } { "x" 0, 2 } { "y" 0 3 } { "" 2, 0 } }
    1 2 2 1 3 4"""
    game = read_nfg(file(text, "nfg"))
    assert game.first.tolist() == [[1, 1], [0, 0], [0, 2]] and game.second.tolist() == [[1, 1], [2, 3], [2, 0]]


def test_outcome_0_pays_nothing(file):
    game = read_nfg(file('NFG 1 R "" { "a" "b" } { { "x" } { "y" "z" } } { { "" 1/2 -0.5 } } 0 1', "nfg"))
    assert type(game) is MatrixGame and game.payoffs.tolist() == [[0, 0.5]]


def test_three_players_choose_in_secret(file, tmp_path):
    # payoffs 1 to 24 tell in which profile they are paid
    numbers = " ".join(map(str, range(1, 37)))
    path = file(f'NFG 1 R "Three" {{ "a" "b" "c" }} {{ 2 3 2 }} {numbers}', "nfg")
    game = read_nfg(path)
    assert type(game) is TreeGame and fogtree.name(game) == str(path)
    assert fogtree.count(game)[:4] == (1 + 2 + 6 + 12, 12, 0, (1, 1, 1))
    assert fogtree.check(game).complete
    for first, second, third in itertools.product(range(2), range(3), range(2)):
        state = new_state(game)
        for action in (first, second, third):
            game.step(state, action)
        profile = first + 2 * second + 6 * third
        assert [game.payoff(state, p) for p in range(3)] == [3 * profile + 1 + p for p in range(3)]
    write_nfg(game, tmp_path / "again.nfg")
    again = read_nfg(tmp_path / "again.nfg")
    for mine, yours in zip(game[:4], again[:4], strict=True):
        np.testing.assert_array_equal(mine, yours)


def test_one_player_chooses_alone(file):
    game = read_nfg(file('NFG 1 R "" { "a" } { { "x" "y" } } 3 4', "nfg"))
    state = new_state(game)
    assert [game.label(state, a) for a in legal(game, state)] == ["x", "y"]
    game.step(state, 1)
    assert game.payoff(state, 0) == 4


@pytest.mark.parametrize(
    "game", [MatrixGame(), MatrixGame([[1 / 3, -1e-9, np.pi]]), BimatrixGame(), BimatrixGame([[0.1, 2]], [[3, 1e300]])]
)
def test_matrices_are_written_and_read_back(tmp_path, game):
    write_nfg(game, tmp_path / "game.nfg")
    again = read_nfg(tmp_path / "game.nfg")
    assert type(again) is type(game)
    for mine, yours in zip(game, again, strict=True):
        np.testing.assert_array_equal(mine, yours)


def test_the_strategic_form_of_kuhn_is_64_by_64_and_has_its_value(tmp_path):
    write_nfg(Kuhn(), tmp_path / "kuhn.nfg")
    game = read_nfg(tmp_path / "kuhn.nfg")
    assert type(game) is MatrixGame and game.payoffs.shape == (64, 64)
    assert game.payoffs.mean() == pytest.approx(1 / 8, abs=1e-12)  # random play, as in the tree
    cfr = CFR(sequence_form(game), "pcfr+")
    cfr.run(iterations=3000)
    low, _, high = cfr.bounds()
    assert low - 1e-9 <= -1 / 18 <= high + 1e-9 and high - low < 1e-4


def test_who_passes_a_set_twice_cannot_choose_two_ways(file, tmp_path):
    driver = """EFG 2 R "The absent-minded driver" { "driver" } p "" 1 1 "" { "exit" "go on" } 0 t "" 0
    p "" 1 1 "" { "exit" "go on" } 0 t "" 1 "" { 4 } t "" 2 "" { 1 }"""
    write_nfg(read_efg(file(driver)), tmp_path / "driver.nfg")
    game = read_nfg(tmp_path / "driver.nfg")
    assert game.paid.tolist() == [[0], [1]]


def test_a_game_with_too_many_strategies_is_refused(tmp_path):
    with pytest.raises(
        Invalid, match=r"^leduc has more than 1,000,000 profiles of pure strategies, the limit: write an"
    ):
        write_nfg(Leduc(), tmp_path / "leduc.nfg")
    assert not list(tmp_path.iterdir())


# --- load ---


def test_load_reads_files_by_their_ending(file, tmp_path):
    path = file(POKER)
    game = fogtree.load(f" {path} ")
    assert type(game) is TreeGame and fogtree.name(game) == str(path)
    assert type(fogtree.load(fogtree.name(game))) is TreeGame
    assert type(fogtree.load(str(file(PENNIES, "NFG")))) is MatrixGame


@pytest.mark.parametrize("ending", ["efg", "nfg"])
def test_a_missing_file_is_refused(tmp_path, ending):
    path = tmp_path / f"none.{ending}"
    assert refusal(fogtree.load, str(path)) == f"there is no file {path}"
    assert refusal(fogtree.load, f"a\0.{ending}") == f"'a\\x00.{ending}' cannot be read: embedded null byte"
    path.mkdir()
    assert refusal(fogtree.load, str(path)) == f"'{path}' cannot be read: Is a directory"


# --- bad input ---


def refusal(read, path):
    with pytest.raises(Invalid) as refused:
        read(path)
    sentence = str(refused.value)
    assert "\n" not in sentence
    return sentence


HEAD = 'EFG 2 R "" { "a" "b" }\n'


@pytest.mark.parametrize(
    "text, line, sentence",
    [
        ("", 1, "a file of this kind begins with EFG, not with the end of the file"),
        (PENNIES, 1, "a file of this kind begins with EFG, not with NFG"),
        ('EFG 3 R "" { "a" } t "" 0', 1, "only version 2 of the format is known, not 3"),
        ('EFG 2 Q "" { "a" } t "" 0', 1, "R or D comes after the version, not Q"),
        ('EFG 2 R { "a" } t "" 0', 1, "the title is a text in quotation marks, not {"),
        ('EFG 2 R "" "a" t "" 0', 1, "the players begin with '{', not with \"a\""),
        ('EFG 2 R "" { } t "" 0', 1, "a game has 1 to 256 players, not 0"),
        ('EFG 2 R "" { "a" 3 } t "" 0', 1, "a player's name is a text in quotation marks, not 3"),
        ('EFG 2 R "" { "a"', 1, "the players end with '}', not with the end of the file"),
        ('EFG 2 R "title { "a" } t "" 0', 1, "the players begin with '{', not with a"),
        ('EFG 2 R "title', 1, "a quotation mark opens here and is never closed"),
        (HEAD, 2, "the tree is not whole, and a node begins with c, p or t, not with the end of the file"),
        (HEAD + 'x "" 0', 2, "the tree is not whole, and a node begins with c, p or t, not with x"),
        (HEAD + 't "" 0\nt "" 0', 3, "the tree is whole, but the file goes on with t"),
        (HEAD + "t 0", 2, "a node's name is a text in quotation marks, not 0"),
        (HEAD + 't "" -1', 2, "an outcome is a whole number of 0 or more, not -1"),
        (HEAD + 't "" 1/2', 2, "an outcome is a whole number of 0 or more, not 1/2"),
        (HEAD + 't "" 5', 2, "outcome 5 has no payoffs: they must be listed where it first occurs"),
        (HEAD + 't "" 0 "null" { 0 0 }', 2, "outcome 0 stands for no payoffs and is not described"),
        (HEAD + 't "" 1 "" { 1 }', 2, "2 players need as many payoffs, not 1"),
        (HEAD + 't "" 1 "" { 1 2 3 }', 2, "2 players need as many payoffs, not 3"),
        (HEAD + 't "" 1 "" { 1 x }', 2, "a payoff is a number, not x"),
        (HEAD + 't "" 1 "" { 1 2', 2, "the payoffs end with '}', not with the end of the file"),
        (HEAD + 't "" 1 "" { 1 1/0 }', 2, "a payoff is divided by 0: 1/0"),
        (HEAD + 't "" 1 "" { 1 1e999 }', 2, "a payoff is too large a number: 1e999"),
        (HEAD + 't "" 1 "" { 1 1e999999999 }', 2, "a payoff is too long a number: 1e999999999"),
        (HEAD + 't "" 1 "" { 1 ' + "9" * 5000 + " }", 2, f"a payoff is too long a number: {'9' * 37}..."),
        (HEAD + 't "" 1 "" { 1 # }', 2, "'#' means nothing here"),
        (HEAD + 't "" 1 "" { 1 1/-2 }', 2, "'/' means nothing here"),
        (HEAD + 'p "" 3 1 "" { "x" } 0 t "" 0', 2, "a player is a whole number from 1 to 2, not 3"),
        (HEAD + 'p "" 0 1 "" { "x" } 0 t "" 0', 2, "a player is a whole number from 1 to 2, not 0"),
        (HEAD + 'p "" 1 0 "" { "x" } 0 t "" 0', 2, "an information set is a whole number of 1 or more, not 0"),
        (HEAD + 'p "" 1 1 "" { } 0', 2, "a has no action"),
        (
            HEAD + 'p "" 1 1 0',
            2,
            "information set 1 of player 1 has no actions: they must be listed where it first occurs",
        ),
        (
            HEAD + 'p "" 1 1 "" { "x" "y" } 0\nt "" 0\np "" 1 1 "" { "x" } 0',
            4,
            "information set 1 of player 1 has another number of actions here (1) than before (2)",
        ),
        (
            HEAD + 'p "" 1 1 "" { "x" "y" } 0\nt "" 0\np "" 1 1 "" { "x" "z" } 0',
            4,
            "information set 1 of player 1 has other actions here than before",
        ),
        (HEAD + 'c "" 1 "" { "x" 1/2 "y" 1/3 } 0', 2, "probabilities sum to 1, not to 0.833333333"),
        (HEAD + 'c "" 1 "" { "x" 3/2 "y" -1/2 } 0', 2, "a probability is never negative: -0.5"),
        (HEAD + 'c "" 1 "" { "x" "y" } 0', 2, 'a probability is a number, not "y"'),
        (HEAD + 'c "" 1 "" { } 0', 2, "chance needs a probability for each action, not 0 for 0"),
        (HEAD + 'c "" 4 0', 2, "chance event 4 has no actions: they must be listed where it first occurs"),
        (
            HEAD + 'c "" 1 "" { "x" 1/2 "y" 1/2 } 0\nc "" 1 "" { "x" 1/3 "y" 2/3 } 0',
            3,
            "chance event 1 is not what it was before",
        ),
        (
            HEAD + 'p "" 1 1 "" { "x" "y" } 0\nt "" 1 "" { 1 2 }\nt "" 1 "" { 1 3 }',
            4,
            "outcome 1 has other payoffs here than before",
        ),
        (
            HEAD + 'p "" 1 1 "" { "x" } 1 "" { 1e308 0 }\nt "" 1',
            3,
            "a payoff or probability is a finite number of at most 308 digits",
        ),
    ],
)
def test_what_is_wrong_with_an_efg_is_said_with_its_line(file, text, line, sentence):
    path = file(text)
    assert refusal(read_efg, path) == f"{path}, line {line}: {sentence}"


HEAD_NFG = 'NFG 1 R "" { "a" "b" }\n'


@pytest.mark.parametrize(
    "text, line, sentence",
    [
        (POKER, 2, "a file of this kind begins with NFG, not with EFG"),
        ('NFG 2 R "" { "a" } { 1 } 0', 1, "only version 1 of the format is known, not 2"),
        (HEAD_NFG + "2 2", 2, "the strategies begin with '{', not with 2"),
        (HEAD_NFG + "{ 2 } 1 2", 2, "2 players need as many lists of strategies, not 1"),
        (HEAD_NFG + "{ 2 0 }", 2, "a number of strategies is a whole number of 1 or more, not 0"),
        (HEAD_NFG + '{ { "x" } { } } 1 2', 2, "each player needs a strategy"),
        (HEAD_NFG + "{ 2 1 }\n1 -1 2", 3, "4 payoffs are needed, but after 3 comes the end of the file"),
        (HEAD_NFG + "{ 2 1 }\n1 -1 2 x", 3, "4 payoffs are needed, but after 3 comes x"),
        (HEAD_NFG + "{ 2 1 }\n1 -1 2 -2\n7", 4, "all payoffs are there, but the file goes on with 7"),
        (HEAD_NFG + "{ 1000000000 1 }\n1 2", 2, "the file is too short for 1e+09 strategies"),
        (HEAD_NFG + "{ 30 30 }\n1 2", 3, "1,800 payoffs are needed, but after 2 comes the end of the file"),
        (HEAD_NFG + '{ 1 1 } { { "" 1 } } 1', 2, "2 players need as many payoffs, not 1"),
        (HEAD_NFG + "{ 1 1 } { { 1 1 } } 1", 2, "an outcome's name is a text in quotation marks, not 1"),
        (HEAD_NFG + '{ 1 1 } { { "" 1 1 } } 2', 2, "an outcome is a whole number from 0 to 1, not 2"),
        (HEAD_NFG + '{ 2 1 } { { "" 1 1 } } 1', 2, "2 outcomes are needed, but after 1 comes the end of the file"),
        (HEAD_NFG + '{ 1 1 } { { "" 1 1 ', 2, "the parts of an outcome end with '}', not with the end of the file"),
    ],
)
def test_what_is_wrong_with_an_nfg_is_said_with_its_line(file, text, line, sentence):
    path = file(text, "nfg")
    assert refusal(read_nfg, path) == f"{path}, line {line}: {sentence}"


def test_a_strategic_game_of_very_many_players_is_refused_at_once(file):
    players = " ".join(['"x"'] * 200)
    path = file(f'NFG 1 R "" {{ {players} }} {{ {"9 " * 200} }} 1 2', "nfg")
    assert "far more payoffs are needed, but after 2 comes the end of the file" in refusal(read_nfg, path)
    path = file(f'NFG 1 R "" {{ {players} {players} }} {{ 1 }} 1', "nfg")
    assert "a game has 1 to 256 players, not 400" in refusal(read_nfg, path)


@pytest.mark.parametrize("text", [POKER, POKER_IN_STAGES, STOC], ids=["poker", "stages", "stoc"])
def test_a_file_cut_short_anywhere_is_refused(file, text):
    for length in range(text.rindex("\nt")):  # of the last node one could do without the description
        path = file(text[:length])
        assert refusal(read_efg, path).startswith(f"{path}, line ")


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_whatever_a_file_holds_is_a_game_or_one_sentence(tmp_path, data):
    kind = data.draw(st.sampled_from(["efg", "nfg"]))
    read, text = {"efg": (read_efg, data.draw(st.sampled_from([POKER, STOC]))), "nfg": (read_nfg, PENNIES)}[kind]
    words = text.split(" ")
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(words) - 1))
        other = data.draw(
            st.sampled_from([*words, '"', "\\", "{", "}", "1/0", "-1", "1e9", "99999999999", "\0", "é", ""])
        )
        words[place] = other
    path = tmp_path / f"changed.{kind}"
    path.write_text(" ".join(words))
    try:
        game = read(path)
    except Invalid as error:
        assert str(error).startswith(str(path)) and "\n" not in str(error)
    else:
        fogtree.count(game)


def test_bytes_that_are_no_text_are_refused(file):
    path = file(bytes(range(256)) * 100)
    assert refusal(read_efg, path) == f"{path}, line 1: '?' means nothing here"


def test_a_very_deep_tree_is_read_and_a_torn_one_refused_in_little_time(file):
    node = 'p "" 1 {} "" {{ "x" "y" }} 0 t "" 0\n'
    deep = HEAD + "".join(node.format(i + 1) for i in range(20_000))
    start = time.perf_counter()
    game = read_efg(file(deep + 't "" 0'))
    assert game.shape().moves == 20_000
    path = file(deep)
    assert refusal(read_efg, path).startswith(f"{path}, line 20002: the tree is not whole")
    path = file("EFG 2 R " + "{" * 1_000_000)
    assert refusal(read_efg, path) == f"{path}, line 1: the title is a text in quotation marks, not {{"
    assert time.perf_counter() - start < 60  # not by recursion, not in quadratic time


# --- writing is whole or not at all ---


def test_a_game_too_large_to_write_leaves_nothing_behind(tmp_path):
    with pytest.raises(Invalid, match="has more than 1,000 histories, the limit"):
        write_efg(Leduc(), tmp_path / "leduc.efg", limit=1_000)
    assert not list(tmp_path.iterdir())


def test_a_write_that_fails_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "game.efg"
    path.write_text("old")

    def torn(tree):
        yield "half"
        raise KeyboardInterrupt

    monkeypatch.setattr("fogtree.games.gambit._efg_body", torn)
    with pytest.raises(KeyboardInterrupt):
        write_efg(Kuhn(), path)
    assert path.read_text() == "old" and list(tmp_path.iterdir()) == [path]


def test_where_nothing_can_be_written_is_said(tmp_path):
    with pytest.raises(Invalid, match=r"none/game.efg cannot be written: No such file or directory$"):
        write_efg(Kuhn(), tmp_path / "none" / "game.efg")
    with pytest.raises(Invalid, match=r"is a folder: name a file$"):
        write_nfg(MatrixGame(), tmp_path)
