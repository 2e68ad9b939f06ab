"""Curves on the page: they grow, stop, go on, and can be taken away."""

import csv
import io
import xml.etree.ElementTree

import pytest
from typer.testing import CliRunner

from fogtree.cli import app
from fogtree.measure.curve import csv_rows
from fogtree.web.curves import CurvesJob, curves_of
from fogtree.web.offer import Offer
from fogtree.web.pages_curves import plot

RUNS = [[1.5, 0.2, None], [0.5, 0.0, None]]
CURVE = {"name": "rm & <co>", "iterations": [100, 1000, 10_000], "total": RUNS, "seconds": RUNS}
NOTHING, ZERO = CURVE | {"total": [[None] * 3]}, CURVE | {"total": [[1.0, 0.0, 0.0]]}


@pytest.mark.parametrize("exact", [["lp", 0.0], ["cfr+", 0.02], ["cfr+", 5.0]])
@pytest.mark.parametrize("curves", [[CURVE], [CURVE, NOTHING], [ZERO]])
def test_curves_are_drawn_above_the_equilibrium_up_to_the_last_iteration(curves, exact):
    drawn = plot({"curves": curves, "exact": exact}, 100_000)
    assert "100,000" in drawn and f"equilibrium by {exact[0]}" in drawn
    assert len(list(xml.etree.ElementTree.fromstring(drawn).iter("{http://www.w3.org/2000/svg}polyline"))) == 2


def test_nothing_is_drawn_before_there_is_a_curve():
    assert plot({}, 1000) == plot({"curves": [NOTHING], "exact": ["lp", 0.0]}, 1000) == ""


def test_the_page_measures_what_the_command_line_does_also_for_three_players(tmp_path, monkeypatch):
    monkeypatch.setattr("fogtree.draw.curves.draw", lambda curves, path, **how: path.write_bytes(b""))
    words = ["compare", "many-kuhn", "rm", "--iterations", "200", "--runs", "1", "--out"]
    assert CliRunner().invoke(app, [*words, str(tmp_path)]).exit_code == 0
    facts = {}
    CurvesJob(
        lambda **told: facts.update(told),
        Offer(),
        game=["many-kuhn"],
        bandits=["rm"],
        iterations=200,
        runs=1,
        seed=0,
    ).run()
    with next(tmp_path.glob("many-kuhn*.csv")).open() as file:
        printed = [[row[0], row[1], row[2], row[4]] for row in csv.reader(file)]
    shown = [[str(cell) for cell in (row[0], row[1], row[2], row[4])] for row in csv_rows(curves_of(facts))]
    assert shown == printed and len(shown) == 4 and facts["exact"][0] == "pdcfr+"


def test_a_comparison_runs_to_its_end_and_its_numbers_can_be_taken_away(site):
    fields = {"game": "kuhn", "bandits": "rm uct:c=2", "iterations": "200", "runs": "2"}
    address = site.post("/curves", **fields).headers["location"]
    text = site.until(address, "Now: finished.")
    assert "fogtree compare kuhn rm uct:c=2 --iterations 200 --runs 2 --seed 0" in text
    rows = list(csv.DictReader(io.StringIO(site.get(f"{address}/numbers.csv").text)))
    # two searches, two runs each, measured after 100, 178 and 200 iterations
    assert [(row["algorithm"], row["run"], row["iterations"]) for row in rows[:3]] == [
        ("rm", "0", n) for n in ("100", "178", "200")
    ]
    assert len(rows) == 12 and all(float(row["total"]) > 0 for row in rows)
    assert site.get(f"{address}/picture.svg").headers["content-type"].startswith("image/svg+xml")


def test_a_comparison_can_be_paused_gone_on_with_and_stopped(site):
    address = site.post("/curves", game="kuhn", bandits="rm", iterations="10000000", runs="1").headers["location"]
    site.until(address, "Now: searching.")
    assert "Paused." in site.post(f"{address}/pause", scripted=True).json()["parts"]["status"]
    assert "Go on" in site.get(address).text
    assert "Now: searching." in site.post(f"{address}/go", scripted=True).json()["parts"]["status"]
    assert "You stopped this comparison" in site.post(f"{address}/stop", scripted=True).json()["parts"]["status"]


@pytest.mark.parametrize(
    "fields",
    [
        {"bandits": "nothing"},
        {"bandits": "rm rm"},
        {"bandits": ""},
        {"bandits": "x.py"},
        {"iterations": "1"},
        {"runs": "0"},
        {"runs": "99"},
        {"seed": "-1"},
        {"game": "dance"},
    ],
)
def test_a_comparison_that_cannot_be_is_refused_with_a_sentence(site, fields):
    given = {"game": "kuhn", "bandits": "rm", "iterations": "200"} | fields
    answer = site.post("/curves", scripted=True, **given)
    assert answer.status_code == 400 and answer.json()["trouble"].endswith(".")
