"""All games together: the contract that each must keep, and the names by which they are found."""

import hashlib
import inspect

import numpy as np
import pytest

import fogtree
from fogtree import GAMES, OVER, REFEREE, Invalid
from fogtree.game import legal, new_state

# Every game, and variants that take another way through its rules. Each text is as `name` writes it.
VARIANTS = [
    "matrix",
    "matrix:payoffs=[[3.0]]",
    "matrix:payoffs=[[1.0,-2.0,0.5],[0.0,4.0,-1.0]]",
    "bimatrix",
    "bimatrix:first=[[2.0,0.0,1.0]],second=[[1.0,0.0,-5.0]]",
    "rounds",
    "rounds:payoffs=[[1.0,2.0,3.0]],rounds=1,rows=1,columns=3",
    "goofspiel",
    "goofspiel:cards=1",
    "goofspiel:cards=3",
    "goofspiel:cards=13",
    "goofspiel:cards=4,lowest=1",
    "goofspiel:cards=4,hidden=false",
    "goofspiel:cards=4,prizes=increasing,points=true",
    "goofspiel:cards=3,prizes=shuffled",
    "goofspiel:cards=4,hidden=false,prizes=shuffled,lowest=1,points=true",
    "goofspiel:cards=13,hidden=false,prizes=shuffled,points=true",  # views outgrow 64 bits and become hashes
    "phantom-ttt",
    "phantom-ttt:winning_first=true",
    "phantom-ttt:rules=forced-centre",
    "phantom-ttt:rules=forced-centre,winning_first=true",
    "phantom-ttt:rules=abrupt",
    "phantom-ttt:rules=abrupt,winning_first=true",
    "dark-hex",
    "dark-hex:abrupt=true",
    "dark-hex:side=2",
    "dark-hex:side=2,abrupt=true",
    "dark-hex:side=4",  # hashes here too
    "dark-hex:side=7,abrupt=true",
    "kuhn",
    "kuhn:cards=4",
    "kuhn:cards=64",
    "leduc",
    "leduc:suits=1",
    "leduc:ranks=2",
    "leduc:ranks=13,suits=4",
    "many-kuhn",
    "many-kuhn:players=10",
    "many-leduc",
    "many-leduc:players=5",
    "holdem",
    "holdem:ranks=3,suits=2,rounds=2,raises=2,hole=1,flop=1",
    "holdem:ranks=5,suits=2,rounds=2",
    "liars-dice",
    "liars-dice:faces=2",
    "liars-dice:dice=2,faces=2",
    "liars-dice:dice=2",
    "liars-dice:dice=4",
    "tic-tac-toe",
    "connect-four",
    "connect-four:rows=3,columns=3,line=3",
    "breakthrough",
    "breakthrough:rows=5,columns=4,men=1",
    "chess",
    "dark-chess",
    "dark-chess:size=4",
    "dark-chess:size=5",
    "go:side=2",
    "go:side=3,komi=0.0,suicide=true,points=true",
    "go:side=4,komi=0.5,superko=none",
    "phantom-go",
    "phantom-go:side=2,turns=4",
    "siguo",
    "siguo:players=2,set_up=sensible,longest=20",
    "luzhanqi:set_up=chosen,quiet=31,stalled=loss",
    "small-army",
    "small-army:set_up=chosen,longest=3",
]
HEAVY = {  # half a minute of compiling each; `small-army` goes through the same rules
    "siguo",
    "siguo:players=2,set_up=sensible,longest=20",
    "luzhanqi:set_up=chosen,quiet=31,stalled=loss",
}
LONG = 1_000  # moves: games that may take longer get a shorter walk here, and tests of their own


def test_every_registered_game_is_among_the_variants():
    assert {text.partition(":")[0] for text in VARIANTS} == set(GAMES)


@pytest.mark.parametrize(
    "text", [pytest.param(text, marks=pytest.mark.slow) if text in HEAVY else text for text in VARIANTS]
)
def test_the_contract_is_kept(text):
    game = fogtree.load(text)
    moves = game.shape().moves
    histories, games = (3_000, 20) if moves < 100 else (300, 3) if moves < LONG else (40, 1)
    fogtree.check(game, histories=histories, games=games)


@pytest.mark.parametrize("text", VARIANTS)
def test_the_name_of_a_loaded_game_loads_it_again(text):
    game = fogtree.load(text)
    assert fogtree.name(game) == text
    again = fogtree.load(fogtree.name(game))
    assert type(again) is type(game)
    for mine, yours in zip(game, again, strict=True):
        np.testing.assert_array_equal(mine, yours)


@pytest.mark.parametrize("known", GAMES)
def test_a_game_states_its_rules_and_their_version(known):
    game = fogtree.load(known)
    rules = inspect.getmodule(type(game)).__doc__
    assert f"Rules version {game.version()}." in rules


VIEWS = {  # [game] rules version | what `digest_of_views` finds
    "matrix": (1, "9cfa1b18"),
    "bimatrix": (1, "d8354a68"),
    "rounds": (1, "941cef70"),
    "goofspiel": (1, "5d48572b"),
    "phantom-ttt": (1, "4d266490"),
    "dark-hex": (1, "c78dc831"),
    "kuhn": (1, "d021ab9a"),
    "leduc": (1, "1e4dc043"),
    "many-kuhn": (1, "fb111113"),
    "many-leduc": (2, "e1eda641"),
    "holdem": (2, "88bb5bb0"),
    "liars-dice": (1, "a0cddb06"),
    "tic-tac-toe": (1, "efe87e95"),
    "connect-four": (1, "6e17314a"),
    "breakthrough": (1, "e6e48ad8"),
    "chess": (1, "0194bc64"),
    "dark-chess": (1, "3c73748d"),
    "go": (1, "f2785d07"),
    "phantom-go": (1, "e40ef0f1"),
    "siguo": (1, "d4a3a0e9"),
    "luzhanqi": (1, "3c5f63ea"),
    "small-army": (1, "2330d7d0"),
}


def digest_of_views(game):
    """The views of all players in some games, in which the actions are taken in turn by a rule."""
    state, digest = new_state(game), hashlib.sha256()
    with np.errstate(over="ignore"):  # views that are hashes wrap round
        for n in range(150):
            if game.player(state) == OVER:
                game.start(state)
            actions = legal(game, state)
            game.step(state, actions[(n * n + n // 7) % len(actions)])
            views = [game.view(state, player) for player in range(game.shape().players)]
            digest.update(np.array(views, np.int64).tobytes())
    return digest.hexdigest()[:8]


@pytest.mark.parametrize("known", GAMES)
def test_a_view_stays_the_number_under_which_strategies_were_saved(known, interpreted):
    # under another number a saved strategy would silently play uniformly: such a change needs a new version of the rules
    game = fogtree.load(known)
    assert (game.version(), digest_of_views(game)) == VIEWS[known]


@pytest.mark.parametrize("known", GAMES)
def test_a_game_shows_itself_to_players_and_to_the_referee(known):
    game = fogtree.load(known)
    for player in (*range(game.shape().players), REFEREE):
        assert game.show(new_state(game), player).strip()


# --- what load refuses, in one sentence with the valid choices ---


def refusal(text):
    with pytest.raises(Invalid) as refused:
        fogtree.load(text)
    sentence = str(refused.value)
    assert "\n" not in sentence
    return sentence


@pytest.mark.parametrize(
    "typed, meant",
    [
        ("khun", "kuhn"),
        ("Kuhn", "kuhn"),
        ("goofspeil:cards=4", "goofspiel"),
        ("phantom_ttt", "phantom-ttt"),
        ("tictactoe", "tic-tac-toe"),
    ],
)
def test_a_misspelt_game_is_answered_with_the_nearest(typed, meant):
    assert refusal(typed) == f"there is no game '{typed.partition(':')[0]}': did you mean {meant}?"


@pytest.mark.parametrize("typed", ["backgammon", "", "7"])
def test_an_unknown_game_is_answered_with_all_of_them(typed):
    assert refusal(typed) == f"there is no game '{typed}': valid are {', '.join(GAMES)}, or a file: my_game.py:MyGame"


@pytest.mark.parametrize(
    "text, sentence",
    [
        ("goofspiel:card=5", "goofspiel has no parameter 'card': valid are cards, hidden, prizes, lowest, points"),
        ("goofspiel:=5", "goofspiel has no parameter '': valid are cards, hidden, prizes, lowest, points"),
        ("tic-tac-toe:size=4", "tic-tac-toe has no parameter 'size': valid are none"),
        ("goofspiel:cards", "goofspiel: write cards=VALUE, not 'cards'"),
        ("goofspiel:cards=4,cards=5", "goofspiel: cards is given twice"),
        ("goofspiel:cards=99", "Goofspiel: cards must be a whole number from 1 to 13, not 99"),
        ("goofspiel:cards=few", "Goofspiel: cards must be a whole number from 1 to 13, not 'few'"),
        ("goofspiel:cards=", "Goofspiel: cards must be a whole number from 1 to 13, not ''"),
        ("goofspiel:hidden=3", "Goofspiel: hidden must be true or false, not 3"),
        ("phantom-ttt:rules=loud", "PhantomTicTacToe: rules must be classical or forced-centre or abrupt, not 'loud'"),
    ],
)
def test_a_wrong_parameter_is_refused(text, sentence):
    assert refusal(text) == sentence


def test_spaces_hyphens_and_words_for_true_are_understood():
    assert fogtree.load(" goofspiel:cards=5 , lowest= 1 ") == fogtree.Goofspiel(5, lowest=1)
    assert fogtree.load("goofspiel:hidden=no,points=yes") == fogtree.Goofspiel(hidden=False, points=True)
    assert fogtree.load("goofspiel:prizes=Shuffled") == fogtree.Goofspiel(prizes="shuffled")
    assert fogtree.load("phantom-ttt:winning-first=on") == fogtree.PhantomTicTacToe(winning_first=True)
    assert fogtree.load("kuhn:") == fogtree.Kuhn()


# --- a user's own file ---

OWN_GAME = """
from typing import NamedTuple

from fogtree import OVER, Shape
from fogtree.text.parameters import accepts


@accepts(size=range(1, 9))
class {name}(NamedTuple):
    size: int = 3

    def shape(self):
        return Shape(1, 1, self.size, 1, 0.0, 8.0, False)

    def start(self, state):
        state[0] = -1

    def player(self, state):
        return 0 if state[0] < 0 else OVER

    def actions(self, state, out):
        for i in range(self.size):
            out[i] = i
        return self.size

    def step(self, state, action):
        state[0] = action

    def payoff(self, state, player):
        return float(state[0])

    def view(self, state, player):
        return state[0] + 1
"""


@pytest.fixture
def pick(tmp_path):
    """A file with one game, of picking a number."""
    file = tmp_path / "pick.py"
    file.write_text(OWN_GAME.format(name="Pick"))
    return file


@pytest.fixture
def two(tmp_path):
    """A file with two games."""
    file = tmp_path / "two.py"
    file.write_text(OWN_GAME.format(name="Pick") + OWN_GAME.format(name="Choose"))
    return file


@pytest.mark.parametrize("rest, size", [("", 3), (":Pick", 3), (":size=4", 4), (":Pick:size=4", 4)])
def test_a_file_is_a_game_with_or_without_the_class_and_parameters(pick, rest, size):
    game = fogtree.load(f"{pick}{rest}")
    assert type(game).__name__ == "Pick" and game.size == size


def test_a_game_of_ones_own_keeps_the_contract_counts_and_plays(pick, interpreted):
    game = fogtree.load(f"{pick}:Pick:size=5")
    report = fogtree.check(game)
    assert report.complete and (report.histories, report.ends, report.infosets) == (6, 5, 1)
    assert fogtree.count(game).ends == 5
    # the mean of 0 to 4, whose variance is 2
    games = 10_000
    assert abs(fogtree.playouts(game, games, seed=1).payoff[0] - 2) < 4 * (2 / games) ** 0.5


def test_the_name_of_ones_own_game_loads_it_again(pick):
    game = fogtree.load(f"{pick}:size=5")
    assert fogtree.name(game) == f"{pick}:Pick:size=5"
    assert fogtree.load(fogtree.name(game)) == game
    assert type(fogtree.load(fogtree.name(game))) is type(game)


def test_a_file_may_lie_in_a_folder_with_py_in_its_name(tmp_path):
    folder = tmp_path / ".pyenv" / "games.pyc"
    folder.mkdir(parents=True)
    (folder / "pick.py").write_text(OWN_GAME.format(name="Pick"))
    assert fogtree.load(f"{folder}/pick.py:Pick:size=2").size == 2


def test_a_file_finds_the_files_beside_it(tmp_path):
    (tmp_path / "beside_fogtree_test.py").write_text("SIZE = 7\n")
    own = OWN_GAME.format(name="Pick").replace("size: int = 3", "size: int = SIZE")
    (tmp_path / "pick.py").write_text("from beside_fogtree_test import SIZE\n" + own)
    assert fogtree.load(f"{tmp_path}/pick.py").size == 7


def test_an_edited_file_is_read_again(pick):
    assert fogtree.load(str(pick)).size == 3
    pick.write_text(OWN_GAME.format(name="Pick").replace("size: int = 3", "size: int = 6"))
    assert fogtree.load(str(pick)).size == 6


def test_parameters_of_ones_own_game_are_checked_too(pick):
    assert refusal(f"{pick}:Pick:size=40") == "Pick: size must be a whole number from 1 to 8, not 40"
    assert refusal(f"{pick}:Pick:depth=4") == "Pick has no parameter 'depth': valid are size"


def test_one_of_two_games_in_a_file_is_chosen_by_its_class(two):
    assert type(fogtree.load(f"{two}:Choose")).__name__ == "Choose"
    assert type(fogtree.load(f"{two}:Pick:size=4")).__name__ == "Pick"


@pytest.mark.parametrize("rest", ["", ":size=4"])
def test_with_two_games_in_a_file_one_must_be_named(two, rest):
    assert refusal(f"{two}{rest}") == f"{two} holds several games, so one must be named: valid are Pick, Choose"


def test_a_class_that_a_file_lacks_is_refused(pick, two):
    assert refusal(f"{pick}:Pack") == f"{pick} has no class 'Pack': it holds Pick"
    assert refusal(f"{two}:Pack") == f"{two} has no class 'Pack': it holds Pick, Choose"


def test_a_missing_file_is_refused(tmp_path):
    assert refusal("no_such_game.py") == "there is no file no_such_game.py"
    assert refusal(f"{tmp_path}/none.py:Game:size=4") == f"there is no file {tmp_path}/none.py"


def test_a_file_with_a_syntax_error_is_refused_with_its_line(tmp_path):
    file = tmp_path / "torn.py"
    file.write_text("import numpy\n\ndef torn(:\n    pass\n")
    assert refusal(str(file)).startswith(f"{file} cannot be read: line 3: SyntaxError: ")


def test_a_file_that_fails_when_run_is_refused_with_the_reason(tmp_path):
    file = tmp_path / "fails.py"
    file.write_text("import no_such_library\n")
    assert (
        refusal(str(file)) == f"{file} cannot be read: line 1: ModuleNotFoundError: No module named 'no_such_library'"
    )
    # and it may be mended and loaded
    file.write_text(OWN_GAME.format(name="Pick"))
    assert fogtree.load(str(file)).size == 3


def test_a_file_without_a_game_is_refused(tmp_path):
    file = tmp_path / "empty.py"
    file.write_text("from fogtree import Kuhn  # somebody else's game\n\nclass NoGame:\n    pass\n")
    sentence = f"{file} holds no game: a game is a NamedTuple class with the methods of fogtree.game"
    assert refusal(str(file)) == sentence
