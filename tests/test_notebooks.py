"""What a notebook shows: pictures and tables of what people hold in their hands, and help that lists all fields."""

import importlib.util
import inspect
import json
import pathlib
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from typing import NamedTuple

import numba
import numpy as np
import pytest

import fogtree as ft
from fogtree.arena.tournament import Cell, Tournament
from fogtree.draw.chart import Trace, chart
from fogtree.draw.methods import OF_METHODS, colours
from fogtree.games.spot.ranges import class_of
from fogtree.measure.curve import Curve
from fogtree.solvers.regret.cfr import RULES
from fogtree.text.markup import Safe, table
from fogtree.text.notation import from_notation
from fogtree.text.parameters import accepts

SVG = "{http://www.w3.org/2000/svg}"
DOCS = pathlib.Path(__file__).parents[1] / "docs"
CURVE = Curve(
    "rm",
    np.array([100, 1000, 10_000]),
    np.ones((2, 3)),
    np.array([[1.0, 0.5, 0.25], [1.0, 0.25, np.nan]]),
)


@pytest.fixture(autouse=True)
def interpreted(monkeypatch):
    monkeypatch.setattr(numba.config, "DISABLE_JIT", 1)


@pytest.fixture(scope="module")
def solution():
    before, numba.config.DISABLE_JIT = numba.config.DISABLE_JIT, 1
    yield ft.solve(ft.Kuhn(), "cfr+", iterations=50)
    numba.config.DISABLE_JIT = before


def parsed(html):
    """HTML that is well-formed enough to be XML."""
    return ElementTree.fromstring(html)


def cells(html):
    return [["".join(cell.itertext()) for cell in row] for row in parsed(html).iter("tr")]


def test_a_position_is_a_picture_with_its_legal_moves_marked():
    position = ft.at("kuhn").play("J", "K")
    live = [
        part.get("data-label")
        for part in ElementTree.fromstring(position._repr_svg_()).iter()
        if part.get("data-action")
    ]
    assert live == ["pass", "bet"]
    assert (
        ">K<" not in position.picture(0) and ">K<" in position.picture(1) and "data-action" not in position.picture(1)
    )


def test_pictures_are_texts_that_a_notebook_shows():
    for picture in (ft.at("kuhn").picture(), ft.tree(ft.Kuhn())):
        assert picture._repr_svg_() == picture and ElementTree.fromstring(picture).tag == f"{SVG}svg"


def test_a_count_an_exploitability_a_match_and_a_search_show_their_numbers():
    rows = dict(cells(ft.count(ft.Kuhn())._repr_html_())[1:])
    assert rows["histories"] == "58" and rows["information sets of player 1"] == "6"  # Kuhn 1950
    found = cells(ft.exploitability(ft.Kuhn(), ft.Strategy.uniform(ft.Kuhn()))._repr_html_())
    assert found[0] == ["exploitability", "exact"] and found[1] == ["total", "0.916667"]  # 11/12
    match = ft.play("kuhn", ["always:1", "always:0"], seed=1)
    played = cells(match._repr_html_())
    assert [row[2] for row in played[1:-1]] == [move.label for move in match.moves] and played[1][1] == "chance"
    search = dict(cells(ft.ISMCTS(ft.Kuhn(), ft.UCT(), 7).run(iterations=50)._repr_html_())[1:])
    assert (search["iterations"], search["seed"]) == ("50", "7")


def test_searches_of_open_games_and_of_worlds_tell_what_they_found_by_the_names_of_moves():
    # X has two in the middle row and wins by the square 5
    game = ft.TicTacToe()
    state = ft.at(game).play("3").play("0").play("4").play("1").state
    assert cells(ft.MCTS(game)._repr_html_())[1:] == []
    rows = cells(ft.MCTS(game, seed=1).think(state, iterations=200)._repr_html_())
    assert rows[0] == ["move", "share", "mean reward"] and rows[1][0] == "5" and float(rows[1][2]) == 1
    assert len(rows) == 6 and sum(float(row[1].rstrip("%")) for row in rows[1:]) == pytest.approx(100, abs=0.3)
    search = ft.AlphaBeta(game)
    assert cells(search._repr_html_())[1:] == []
    search.think(state, depth=3)
    told = dict(cells(search._repr_html_())[1:])
    assert told["best move"] == "5" and told["value for the mover"] == "+1.000, won in 1" and told["line"] == "5"
    worlds = np.array([from_notation(ft.Kuhn(), f"{card} K bet").state for card in "JQ"])  # player 1 holds the king
    search = ft.PIMC(ft.Kuhn(), seed=1)
    search.think(worlds, iterations=200)
    rows = cells(search._repr_html_())
    assert [row[0] for row in rows[1:]] == ["bet", "pass"] and [float(row[2]) for row in rows[1:]] == [2, -1]
    assert "2 worlds, 200 iterations" in search._repr_html_()


def test_a_solution_shows_its_certificate(solution):
    rows = dict(cells(solution._repr_html_())[1:])
    assert (
        rows["certified between"] == f"{solution.low:.6f} and {solution.high:.6f}" and rows["information sets"] == "12"
    )


def test_a_strategy_shows_its_mixes_and_says_how_many_it_leaves_out(solution):
    rows = cells(solution.strategy._repr_html_())
    assert len(rows) == 13 and rows[0] == ["player", "view", "actions"]
    many = ft.Strategy("a game", [0] * 30, range(30), range(31), [0] * 30, [1.0] * 30)
    assert "30 information sets, of which 20 are shown" in many._repr_html_() and len(cells(many._repr_html_())) == 21


def test_a_belief_shows_its_likeliest_states_as_pictures():
    belief, position = ft.Belief(ft.Kuhn(), 0), ft.at("kuhn").play("Q", "K")
    belief.observe(position.view(0))
    rows = cells(belief._repr_html_())
    assert [row[0] for row in rows[1:]] == ["50.00%", "50.00%"] and "second player" in rows[1][1]
    assert len(list(parsed(belief._repr_html_()).iter(f"{SVG}svg"))) == 2


def test_a_tournament_is_a_cross_table():
    won = {(0, 0): Cell(), (0, 1): Cell(3, 0, 1), (1, 0): Cell(1, 2, 1), (1, 1): Cell(1)}
    made = Tournament("kuhn", ("rm", "random"), 2, {(pair, 0): cell for pair, cell in won.items()})
    rows = cells(made._repr_html_())
    assert rows[0] == ["won by", "rm", "random"] and rows[1][1] == "" and rows[1][2].startswith("75.0% [")
    assert rows[2][1].startswith("50.0% [")


def test_a_curve_is_a_line_with_a_band_at_its_places():
    root = ElementTree.fromstring(CURVE._repr_svg_())
    (line,) = [
        [tuple(map(float, spot.split(","))) for spot in part.get("points").split()]
        for part in root.iter(f"{SVG}polyline")
    ]
    steps = np.diff([x for x, _ in line])
    assert steps[0] == pytest.approx(steps[1], abs=0.1), "each point has ten times the iterations of the last"
    assert line[0][1] < line[1][1] < line[2][1], "a smaller exploitability is lower"
    assert len(list(root.iter(f"{SVG}polygon"))) == 1


def test_points_that_are_not_positive_have_no_place_in_a_chart():
    line = Trace("a", np.array([0, 1, 10, 100]), np.array([1.0, 1.0, 0.0, np.nan]))
    (spots,) = [
        part.get("points") for part in ElementTree.fromstring(chart([line], x="n", y="gap")).iter(f"{SVG}polyline")
    ]
    assert len(spots.split()) == 1
    with pytest.raises(ft.Invalid, match="no line has a point above 0"):
        chart([line._replace(y=np.zeros(4))], x="n", y="gap")


def test_curves_solutions_and_beliefs_are_plotted_into_axes_of_the_user(solution):
    from matplotlib.figure import Figure

    axes = Figure().subplots(1, 3)
    assert CURVE.plot(axes[0]) is axes[0] and axes[0].get_lines()[0].get_color() == OF_METHODS["rm"]
    assert solution.plot(axes[1]) is axes[1] and f"value {solution.value:.6g}" in axes[1].get_legend_handles_labels()[1]
    belief, position = ft.Belief(ft.Kuhn(), 0), ft.at("kuhn").play("Q", "K")
    belief.observe(position.view(0))
    assert belief.plot(axes[2]) is axes[2] and [bar.get_height() for bar in axes[2].patches] == [0.5, 0.5]


def test_every_method_has_a_colour_of_its_own_and_variants_are_told_apart():
    assert len(set(OF_METHODS.values())) == len(OF_METHODS) and set(OF_METHODS) >= {*ft.BANDITS, *RULES}
    assert colours(["rm", "exp3:gamma=0.2"]) == [OF_METHODS["rm"], OF_METHODS["exp3"]]
    assert len(set(colours(["uct:c=1", "uct:c=2", "mine", "uct:c=3"]))) == 4


def test_a_solved_spot_and_a_place_show_their_numbers_and_the_grid():
    found = ft.solve_hands(ft.spot("Td9d6hQc2s", pot=100, stack=50, oop="AA,KQs", ip="QQ,JTs", bets="a"), iterations=20)
    rows = dict(cells(found._repr_html_())[1:5])
    assert (
        rows["values"] == f"{found.values[0]:.4f} and {found.values[1]:.4f}"
        and "% of the pot" in rows["exploitable by"]
    )
    place = found.at("all in 50")
    drawn = parsed(place._repr_html_())
    assert [row[:2] for row in cells(place._repr_html_())[1:3]] == [
        [action, f"{share:.2%}"] for action, share in zip(place.actions, place.frequency(), strict=True)
    ]
    queens = [h for h, hand in enumerate(place.hands[1].tolist()) if class_of(hand) == "QQ"]
    fold, call = place.mix[:, queens] @ place.reach[1][queens] / place.reach[1][queens].sum()
    assert f"QQ: fold {fold:.0%}, call {call:.0%}" in [one.text for one in drawn.iter(f"{SVG}title")]
    never = place._replace(met=tuple(np.zeros_like(row) for row in place.met))
    assert "no two hands come" in never._repr_html_() and "%" not in never._repr_html_()
    assert np.isnan([*never.frequency(), never.mean(0), never.mean(1)]).all()
    over = found.at("check, check")
    assert "nobody moves" in over._repr_html_() and not list(parsed(over._repr_html_()).iter(f"{SVG}svg"))


def test_a_solved_game_without_two_cards_of_52_shows_numbers_alone():
    found = ft.solve_hands(ft.Leduc(), iterations=5)
    assert "values" in found._repr_html_() and "<svg" not in found._repr_html_()


# --- help ---


@pytest.mark.parametrize("cls", [*ft.GAMES.values(), *ft.BANDITS.values()], ids=lambda cls: cls.__name__)
def test_help_on_a_game_or_bandit_says_what_it_is_and_what_each_field_means(cls):
    text = inspect.getdoc(cls)
    assert not text.startswith(f"{cls.__name__}(") and len(text.partition("\n")[0]) > 20
    for field in cls._fields:
        assert any(
            line.startswith(f"{field} = ") and len(line.partition("): ")[2]) > 5 for line in text.splitlines()
        ), field
    assert list(inspect.signature(cls).parameters) == list(cls._fields)


def test_a_game_shows_its_parameters():
    rows = cells(ft.Goofspiel(cards=4)._repr_html_())
    assert rows[1][:3] == ["cards", "4", "1 to 13"] and "points" in rows[5]


def test_a_class_of_the_user_keeps_its_docstring_and_gets_its_fields_listed():
    @accepts(size=(range(1, 4), "how <large> it is"))
    class Mine(NamedTuple):
        """My game.

        It is good.
        """

        size: int = 2

    assert Mine.__doc__ == "My game.\n\nIt is good.\n\nsize = 2  (1 to 3): how <large> it is"
    assert "how &lt;large&gt; it is" in Mine()._repr_html_()
    with pytest.raises(TypeError, match="colour is a field without a meaning, or no field"):
        accepts(size=(None, ""), colour=(None, ""))(Mine)


def test_a_table_escapes_what_is_not_markup_and_keeps_lines():
    html = table(("<a>",), [("<b>",), (Safe("<i>c</i>"),), ("d\ne",)], "x & y")
    assert "<th>&lt;a&gt;</th>" in html and "<td>&lt;b&gt;</td>" in html and "<td><i>c</i></td>" in html
    assert "<pre>d\ne</pre>" in html and "<caption>x &amp; y</caption>" in html


def test_the_package_says_its_version_and_has_types():
    assert ft.__version__ == "1.0.0" and pathlib.Path(ft.__file__).with_name("py.typed").exists()


def test_showing_things_does_not_load_matplotlib():
    code = (
        "import sys, fogtree as ft; ft.at('kuhn')._repr_svg_(); ft.Kuhn()._repr_html_(); ft.Solution; ft.Belief;"
        "import fogtree.measure.curve; sys.exit('matplotlib' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# --- the notebook of the documents ---


@pytest.mark.parametrize(("notebook", "least"), [("notebook.ipynb", 8), ("poker.ipynb", 6)])
def test_a_notebook_runs_and_shows_what_is_stored_in_it(notebook, least, monkeypatch):
    import matplotlib

    monkeypatch.setattr(numba.config, "DISABLE_JIT", 0)

    matplotlib.use("agg")
    place = importlib.util.spec_from_file_location("notebook", DOCS / "site" / "notebook.py")
    runner = importlib.util.module_from_spec(place)
    place.loader.exec_module(runner)
    stored = [cell for cell in json.loads((DOCS / notebook).read_text())["cells"] if cell["cell_type"] == "code"]
    found = runner.run(stored)
    assert len(found) >= least and all(found), "each cell shows something"
    for cell, outputs in zip(stored, found, strict=True):  # seconds differ, so the kinds are compared, and pictures
        kinds = [sorted(output.get("data", {"stdout": ""})) for output in outputs]
        assert [sorted(output.get("data", {"stdout": ""})) for output in cell["outputs"]] == kinds
        for was, now in zip(cell["outputs"], outputs, strict=True):
            assert all(isinstance(text, str) for text in was.get("data", {}).values())  # the site writes them down
            if "text" in now:
                assert was == now
            if "image/svg+xml" in now.get("data", {}) and "polyline" not in now["data"]["image/svg+xml"]:
                assert was["data"] == now["data"]
