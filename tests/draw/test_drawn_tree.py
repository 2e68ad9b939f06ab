"""The picture of a whole tree: all histories, information sets joined, and a sentence where the game is too large."""

import xml.etree.ElementTree as ElementTree

import pytest
from typer.testing import CliRunner

import fogtree
from fogtree import Kuhn, Strategy, load
from fogtree.cli import app
from fogtree.draw.tree import layout, tree, walk
from fogtree.errors import Invalid

SVG = "{http://www.w3.org/2000/svg}"


def drawn(game, strategy=None):
    return ElementTree.fromstring(tree(game, strategy))


def test_the_tree_of_kuhn_has_58_histories_and_its_12_sets_joined_in_pairs():
    # one start, three and six deals, and eight histories of betting below each of the six; Kuhn 1950: 12 sets
    root = drawn(Kuhn())
    assert "58 histories, 12 information sets" in root[0].text
    joins = [path.get("d") for path in root.iter(f"{SVG}path")]
    assert len(joins) == 12 and all(path.count("Q") == 1 for path in joins)
    assert len(list(root.iter(f"{SVG}circle"))) == 58 and len(list(root.iter(f"{SVG}line"))) == 57


def test_a_parent_stands_in_the_middle_above_its_children_and_nobody_on_another():
    nodes = walk(Kuhn(), None, 100)
    place = layout(nodes)
    assert len(set(place)) == len(nodes)
    for n, (x, y) in enumerate(place):
        below = [place[k] for k, node in enumerate(nodes) if k and node.parent == n]
        if below:
            assert x == pytest.approx((below[0][0] + below[-1][0]) / 2) and all(v > y for _, v in below)


def test_what_a_strategy_never_plays_is_faint():
    game = load("matrix")
    always = Strategy(game, [0, 1], [0, 0], [0, 3, 6], [0, 1, 2, 0, 1, 2], [1, 0, 0, 0, 1, 0])
    faint = [line for line in drawn(game, always).iter(f"{SVG}line") if line.get("opacity")]
    assert len(faint) == 2 + 6 + 2  # two rows and all below them, and two columns below the first row
    assert not [line for line in drawn(game).iter(f"{SVG}line") if line.get("opacity")]


def test_a_game_with_too_many_histories_is_refused_in_one_sentence():
    with pytest.raises(Invalid, match=r"Leduc.* has more than 1,000 histories, too many to draw: take a smaller game"):
        tree(fogtree.Leduc())


def test_the_command_draws_the_tree_and_a_state(tmp_path):
    files = [str(tmp_path / name) for name in ("tree.svg", "state.svg")]
    asked = ["--tree", files[0], "--svg", files[1], "--player", "1", "--from", "J Q"]
    done = CliRunner().invoke(app, ["show", "kuhn", *asked])
    assert done.exit_code == 0, done.output
    whole, state = (ElementTree.parse(file).getroot() for file in files)
    assert "58 histories" in whole[0].text and "as player 1 sees it" in state[0].text
    texts = [text.text for text in state.iter(f"{SVG}text")]
    assert "Q" in texts and "J" not in texts


@pytest.mark.parametrize(
    "arguments, sentence",
    [
        (["--svg", "none/x.svg"], "there is no folder none"),
        (["--player", "1"], "--player says whose view --svg draws"),
        (["--player", "4", "--svg", "x.svg"], "there is no player 4"),
    ],
)
def test_what_cannot_be_drawn_is_said_in_one_sentence(arguments, sentence, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, ["show", "kuhn", *arguments])
    assert done.exit_code == 2 and sentence in done.output


def test_an_end_shows_one_payoff_where_the_other_is_its_negative_and_all_elsewhere():
    def ends(game):
        return {node.told for node in walk(game, None, 10_000) if node.player == fogtree.OVER}

    assert ends(Kuhn()) == {"1", "-1", "2", "-2"}
    # three players ante 1 and may bet 1 (the page of many-kuhn)
    assert all(sum(map(float, end.split(" / "))) == 0 and end.count("/") == 2 for end in ends(load("kuhn:players=3")))
    assert ends(load("bimatrix")) and all(end.count("/") == 1 for end in ends(load("bimatrix")))
