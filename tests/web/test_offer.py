"""From a text of the browser to an object: by lists alone, and never by a path."""

import pytest

import fogtree
from fogtree.errors import FogtreeError, Invalid
from fogtree.web.offer import Choice, Offer, bandit, joined, parameters_of, strategy_files

EVIL = "from typing import NamedTuple\nopen('ran', 'w')\nclass Evil(NamedTuple):\n    x: int = 0\n    def step(self): ...\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with files of code, under every name that a form could smuggle in."""
    monkeypatch.chdir(tmp_path)
    for name in ("evil.py", "kuhn:cards=evil.py", "rm:inner=evil.py", "pimc:inner=[evil.py"):
        (tmp_path / name).write_text(EVIL)
    return tmp_path


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("evil.py", ""),
        ("evil.py:Evil", ""),
        ("./evil.py", ""),
        ("kuhn", "cards=evil.py"),
        ("kuhn:cards=evil.py", ""),
        ("open:evil.py", ""),
        ("poker.efg", ""),
        ("kuhn", "cards='3'"),
        ("kuhn", "cards=" + "9" * 500),
        ("", ""),
    ],
)
def test_no_text_of_a_form_loads_a_file_as_a_game(folder, name, parameters):
    with pytest.raises(FogtreeError):
        Offer().game(name, parameters)
    assert not (folder / "ran").exists()


@pytest.mark.parametrize(
    "choice",
    [
        Choice("evil.py"),
        Choice("rm", "inner=evil.py"),
        Choice("pimc", "inner=[evil.py:Evil]"),
        Choice("pimc", "inner=[/tmp/evil.py]"),
        Choice("strategy:x.npz"),
        Choice("strategy/x"),
        Choice("strategy/../x.npz"),
        Choice("gtp:sh"),
        Choice("uci"),
        Choice("alphabeta", "weights=secret"),
        Choice("rm", iterations=0),
        Choice("rm", iterations=10**12),
    ],
)
def test_no_text_of_a_form_loads_a_file_or_a_program_as_an_agent(folder, choice):
    with pytest.raises(FogtreeError):
        Offer().agent(choice, fogtree.load("kuhn"), 0)
    assert not (folder / "ran").exists()


def test_no_text_of_a_form_loads_a_file_as_a_selection_function(folder):
    for text in ("evil.py", "evil.py:Evil", "rm:x=evil.py", "nothing"):
        with pytest.raises(FogtreeError):
            bandit(text)
    assert not (folder / "ran").exists()


def test_what_was_named_at_the_start_can_be_chosen(tmp_path):
    (tmp_path / "mine.py").write_text(
        "from fogtree.games.kuhn import Kuhn\nfrom typing import NamedTuple\n"
        "class Mine(Kuhn):\n    pass\n"
        "class Quick:\n    def act(self, sight):\n        return sight.actions[0]\n"
    )
    offer = Offer({"mine.py": f"{tmp_path}/mine.py:Mine"}, {"Quick": f"{tmp_path}/mine.py:Quick"})
    assert type(offer.game("mine.py")).__name__ == "Mine"
    assert type(offer.agent(Choice("Quick"), fogtree.load("kuhn"), 0)).__name__ == "Quick"
    with pytest.raises(Invalid, match="command line"):
        offer.game("mine.py", "cards=4")


def test_a_saved_strategy_is_named_by_its_place_in_a_list(tmp_path):
    game = fogtree.load("kuhn")
    fogtree.Strategy.uniform(game).save(tmp_path / "even.npz")
    offer = Offer(strategies=strategy_files(str(tmp_path), [str(tmp_path / "even.npz")]))
    assert list(offer.strategies) == ["even"]
    with pytest.raises(Invalid, match=r"there is no file .*odd.npz"):
        strategy_files(str(tmp_path), [str(tmp_path / "odd.npz")])
    assert offer.agent(Choice("strategy/even"), game, 0).strategy.game == fogtree.Strategy.uniform(game).game
    with pytest.raises(FogtreeError):
        offer.agent(Choice("strategy/even"), fogtree.load("leduc"), 0)


@pytest.mark.parametrize("name", fogtree.GAMES)
def test_the_parameters_of_a_form_make_the_same_game(name):
    game = fogtree.load(name)
    fields = {field: value for field, value, _ in parameters_of(game)}
    assert str(Offer().game(name, joined(fields))) == str(game)


def test_a_game_that_is_named_on_the_command_line_is_offered_once():
    assert Offer(games={"kuhn": "kuhn"}).game_names().count("kuhn") == 1
