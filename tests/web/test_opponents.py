"""Opponents for people: levels that were measured, and games by their real names."""

import re
import shlex

import pytest

import fogtree
from fogtree.web.offer import Offer
from fogtree.web.opponents import STEPS, command, ladder, levels
from fogtree.web.titles import GROUPS, TITLES, title_of

MEASURED = [name for name in fogtree.GAMES if ladder(name)]


def test_most_games_have_measured_opponents_and_small_ones_a_perfect_one():
    assert len(MEASURED) >= 14
    for name in ("kuhn", "leduc", "phantom-ttt", "matrix", "tic-tac-toe"):
        assert levels(name, fogtree.load(name))[-1].name == "perfect"
    for name in ("bimatrix", "chess", "many-kuhn"):
        assert "perfect" not in [level.name for level in levels(name, fogtree.load(name))]


@pytest.mark.parametrize("name", MEASURED)
def test_a_stronger_level_was_measured_to_be_stronger_and_can_play_the_game(name):
    game, rungs = fogtree.load(name), {rung.agent.partition(":")[2]: rung for rung in ladder(name)}
    offered = [level for level in levels(name, game) if level.name in STEPS]
    if name == "matrix":  # rock paper scissors: random play is an equilibrium, so nothing is stronger
        assert not offered
        return
    assert [level.name for level in offered] == ["easy", "medium", "strong"]
    heights = [rungs[level.choice.parameters] for level in offered]  # random has no parameters
    by_rating = "rated" in offered[-1].words
    order = [rung.rating if by_rating else rung.payoff for rung in heights]
    assert order == sorted(set(order)) and order[-1] > (0 if by_rating else ladder(name)[0].payoff)
    for level in offered:
        Offer().agent(level.choice, game, 0)


@pytest.mark.parametrize("name", MEASURED)
def test_the_command_of_a_measurement_names_its_agents(name):
    words = shlex.split(command(name))
    assert words[:3] == ["fogtree", "tournament", name]
    assert [word for word in words[3:] if word.split(":")[0] in ("random", "rm", "uct", "alphabeta")] == [
        rung.agent for rung in ladder(name)
    ]


def test_every_game_has_a_name_a_group_and_a_line_that_is_one_sentence():
    assert set(TITLES) == set(fogtree.GAMES)
    for title in TITLES.values():
        assert title.group in GROUPS and title.line.endswith(".") and len(title.line) <= 90
    assert len({title.name for title in TITLES.values()}) == len(TITLES)
    assert title_of("mine.py:Mine", "Mine: a game.").line == "Mine: a game."


def test_the_gallery_has_groups_and_real_names(site):
    text = site.get("/play").text
    assert re.findall(r"<h2>([^<]*)</h2>", text)[-5:] == list(GROUPS[1:])
    assert "Leduc hold&#x27;em" in text and "player 0" not in text.lower()


def test_a_match_against_a_level_begins_without_a_word_about_agents(site):
    text = site.get("/play?game=tic-tac-toe").text
    fields = dict(re.findall(r'<input type="radio" name="([\w-]+)" value="(\w+)" checked>', text))
    assert fields == {"level-against": "medium"}
    address = site.start(game="tic-tac-toe", seat="lot", **{"agent-against": ""}, **fields)
    assert "<h1>Tic-tac-toe against medium</h1>" in site.get(address).text
    site.post(f"{address}/end")
    answer = site.post("/play", scripted=True, game="tic-tac-toe", **{"level-against": "divine"})
    assert answer.status_code == 400 and "no level" in answer.json()["trouble"]
