"""Runs and papers: what is in the lists, and nothing else."""

import pathlib
import re

import pytest

import fogtree
from fogtree.runs import Run

REPORTS = pathlib.Path(fogtree.__file__).parents[2] / "docs" / "papers"


def toss(seed):
    return {"heads": seed % 2, "course": [seed, 1]}


@pytest.fixture(scope="module")
def library(open_site, tmp_path_factory):
    store = tmp_path_factory.mktemp("store") / "runs.sqlite"
    Run(store, "coin <b>", toss, {"sides": 2}).map([{"seed": seed} for seed in range(3)], cores=1)
    with open_site(store=str(store), reports=(str(REPORTS),)) as site:
        yield site


def test_runs_are_listed_shown_and_exported(library):
    text = library.get("/runs").text
    assert "coin &lt;b&gt;" in text and "3 of 3" in text and "sides=2" in text
    id = text.split('href="/runs/')[1].split('"')[0]
    assert "3 of 3 pieces are done" in library.get(f"/runs/{id}").text
    lines = library.get(f"/runs/{id}/numbers.csv").text.splitlines()
    assert lines[0] == "seed,course,heads,seconds" and lines[2].startswith('1,"[1, 1]",1,')


@pytest.mark.parametrize("id", ["x", "%2e%2e%2fruns.sqlite", "'; drop table run"])
def test_a_run_that_is_not_in_the_list_is_not_found(library, id):
    assert library.get(f"/runs/{id}").status_code == 404


def test_a_store_that_is_not_there_is_said(open_site, tmp_path):
    with open_site(store=str(tmp_path / "none.sqlite")) as site:
        answer = site.get("/runs")
    assert answer.status_code == 200 and "fogtree stubborn" in answer.text


def test_every_report_is_shown_with_its_pictures(library):
    links = [part.split('"')[0] for part in library.get("/papers").text.split('href="/papers/')[1:]]
    assert {"lisy2014", "auger2011", "briedon2015", "arenz2012-poker"} <= set(links)
    rows = re.findall(r"<tr>.*?</tr>", library.get("/papers").text, re.DOTALL)
    named = {row: re.findall(r"<td>(\w+)</td>", row)[0] for row in rows if "<td>" in row}
    assert named and all(
        link.startswith(name) for row, name in named.items() for link in re.findall(r'href="/papers/(.*?)"', row)
    )
    for link in ("lisy2014", "arenz2012-poker"):
        text = library.get(f"/papers/{link}").text
        picture = text.split('<img src="')[1].split('"')[0]
        assert library.get(picture).headers["content-type"] == "image/svg+xml"


@pytest.mark.parametrize(
    "path", ["lisy2014/report.json", "lisy2014/report.md", "lisy2014/..%2freport.json", "x", "lisy2014/x.svg"]
)
def test_a_file_that_is_not_in_the_list_is_not_found(library, path):
    assert library.get(f"/papers/{path}").status_code == 404
