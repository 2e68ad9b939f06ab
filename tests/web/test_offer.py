"""From a text of the browser to an object: by lists alone, and never by a path."""

import re

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
    assert offer.game("mine.py", "cards=4").cards == 4
    with pytest.raises(Invalid, match="cards must be a whole number from 3 to 64"):
        offer.game("mine.py", "cards=2")


OWN = """from typing import NamedTuple
from fogtree.games.kuhn import Kuhn
from fogtree.text.parameters import accepts
@accepts(cards=range(3, 9))
class Ruled(NamedTuple):
    cards: int = 3
class Plain(NamedTuple):
    cards: int = 3
    word: str = "x"
    share: float = 0.5
for cls in (Ruled, Plain):
    for verb in ("shape", "start", "player", "actions", "odds", "step", "payoff", "view", "dealt"):
        setattr(cls, verb, getattr(Kuhn, verb))
class Crash:
    def __init__(self, n: int, depth: int = 1):
        self.n, self.depth = n, depth
    def act(self, sight):
        return sight.actions[self.n // 10]
"""


@pytest.fixture
def own(tmp_path):
    """A user's own games and agent, named with parameters as docs/web.md shows it."""
    (tmp_path / "mine.py").write_text(OWN)
    games = {name: f"{tmp_path}/{name}" for name in ("mine.py:Ruled:cards=4", "mine.py:Plain:cards=4", "mine.py:Plain")}
    return Offer(games, {"mine.py:Crash:n=3": f"{tmp_path}/mine.py:Crash:n=3"})


@pytest.mark.parametrize("name", ["mine.py:Ruled:cards=4", "mine.py:Plain:cards=4", "mine.py:Plain"])
def test_the_own_form_of_a_users_game_is_accepted_in_every_view(own, name, open_site):
    with open_site(offer=own) as site:
        for view, more in [
            ("/play", {"agent-against": "random"}),
            ("/watch", {"agent-0": "random", "agent-1": "random"}),
            ("/curves", {"bandits": "rm", "iterations": "100", "runs": "1"}),
            ("/strategy", {"source": "uniform"}),
        ]:
            text = site.get(view, params={"game": name}).text
            fields = dict(re.findall(r'<input name="(p-\w+)" value="([^"]*)"', text))
            assert fields["p-cards"] == ("3" if name == "mine.py:Plain" else "4")
            for cards in (fields["p-cards"], "5"):
                answer = site.post(view, game=name, **more, **(fields | {"p-cards": cards}))
                assert answer.status_code == 303, (view, answer.text)
                head = name.removesuffix(":cards=4")
                wanted = name if cards == fields["p-cards"] else f"{head}:cards=5"
                assert f"<h1>{wanted}" in site.get(answer.headers["location"]).text
                site.post(f"{answer.headers['location']}/end")


def test_a_field_without_a_rule_keeps_its_type(own):
    assert own.game("mine.py:Plain", "cards=5,share=1,word=y")[:3] == (5, "y", 1.0)
    for text in ("cards=many", "cards=1.5", "word=3", "share=x", "nothing=1", "cards=5,cards=6", "cards"):
        with pytest.raises(Invalid, match=r"mine.py:Plain(: | has no parameter)"):
            own.game("mine.py:Plain", text)


def test_a_typed_parameter_of_a_users_agent_counts_more_than_the_one_of_the_command_line(own):
    name = "mine.py:Crash:n=3"
    made = [own.agent(Choice(name, text), fogtree.load("kuhn"), 0) for text in ("", "n=5", "depth=7", "depth=7,n=5")]
    assert [(agent.n, agent.depth) for agent in made] == [(3, 1), (5, 1), (3, 7), (5, 7)]
    with pytest.raises(Invalid, match="given twice"):
        own.agent(Choice(name, "n=4,n=5"), fogtree.load("kuhn"), 0)


def test_an_error_of_an_agent_names_the_agent(own, open_site):
    with open_site(offer=own) as site:
        given = {"agent-0": "mine.py:Crash:n=3", "parameters-0": "n=90", "agent-1": "random"}
        address = site.post("/watch", game="kuhn", **given).headers["location"]
        assert "Crash raised IndexError" in site.until(address, "forfeits")


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


def test_a_broken_file_of_a_strategy_is_called_by_its_name_and_not_by_its_path(tmp_path, open_site):
    (tmp_path / "broken.npz").write_bytes(b"nothing")
    offer = Offer(strategies=strategy_files(str(tmp_path)))
    for load in (offer.strategy, lambda id, game: offer.agent(Choice(f"strategy/{id}"), game, 0)):
        with pytest.raises(Invalid, match="the saved strategy broken cannot be read") as caught:
            load("broken", fogtree.load("kuhn"))
        assert str(tmp_path) not in str(caught.value)
    with open_site(offer=offer) as site:
        address = site.post("/strategy", game="kuhn", source="file/broken").headers["location"]
        assert str(tmp_path) not in site.until(address, "cannot be read")
