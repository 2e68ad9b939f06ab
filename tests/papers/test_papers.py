"""The papers' folders, and what the pages about them say."""

import csv
import pathlib
import re

import pytest

import fogtree.papers
from fogtree.bandits import load_bandit
from fogtree.papers import PAPERS
from fogtree.papers.briedon2015 import beyond

ROOT = pathlib.Path(fogtree.papers.__file__).parent
LONG = 400  # lines


@pytest.mark.parametrize("name", PAPERS)
def test_a_paper_is_a_folder_with_its_printed_numbers_in_a_file_of_their_own(name):
    assert (ROOT / name / "__init__.py").exists()
    assert (ROOT / name / "printed.py").exists()


def test_no_file_of_a_paper_is_long():
    assert {p.name: n for p in ROOT.rglob("*.py") if (n := len(p.read_text().splitlines())) > LONG} == {}


# --- what the committed pages say --------------------------------------------------------------------------------------

DOCS = pathlib.Path(__file__).parents[2] / "docs"


def bandits_of_reports():
    for path in sorted((DOCS / "papers").rglob("*.csv")):
        header, *rows = csv.reader(path.read_text(encoding="utf-8").splitlines())
        if "bandit" in header:
            yield from ((path.name, row[header.index("bandit")]) for row in rows)
    header = (DOCS / "papers/briedon2015/bandits-by-class.csv").read_text().splitlines()[0]
    yield from (("bandits-by-class.csv", name) for name in next(csv.reader([header]))[7:])


def test_bandits_in_tables_of_reports_can_be_typed_and_are_the_ones_that_played():
    found = set(bandits_of_reports())
    assert {name for file, name in found if file == "bandits.csv"} == set(beyond.BANDITS)
    for _, name in found:
        load_bandit(name)


def test_the_table_of_convergence_is_that_of_the_report():
    page = (DOCS / "convergence.md").read_text(encoding="utf-8")
    shown = dict(re.findall(r"^\| `([^`]+)` \| ([\d.]+) % \|", page, re.MULTILINE))
    header, *rows = csv.reader((DOCS / "papers/briedon2015/bandits.csv").read_text().splitlines())
    assert header[:2] == ["bandit", "share above 0.05"]
    assert {name: float(share) for name, share in shown.items()} == {
        row[0]: pytest.approx(100 * float(row[1]), abs=0.051) for row in rows
    }


def test_the_best_uct_of_the_family_is_the_one_that_the_page_names():
    _, *rows = csv.reader((DOCS / "papers/briedon2015/bandits.csv").read_text().splitlines())
    failing = {row[0]: float(row[1]) for row in rows if row[0].startswith(("uct", "tuned"))}
    assert min(failing, key=failing.__getitem__) == "uct-eps"  # not the reset
    page = (DOCS / "convergence.md").read_text(encoding="utf-8")
    assert "best UCT of all" not in page
    assert "plain `uct-eps`, with its larger default epsilon, fails on fewer" in page.replace("\n", " ")


def test_independent_players_meet_on_the_diagonal_as_often_as_the_page_says():
    # the medians of Figure 3.2's runs, in the notes of the report
    rows = list(csv.DictReader((DOCS / "papers/briedon2015/section3.3.2.csv").read_text().splitlines()))
    middle = {row["what"]: float(row["note"].rpartition("median ")[2]) for row in rows if "player, " in row["what"]}
    both = [[middle[f"{who} player, {nth} action"] for nth in ("1st", "2nd", "3rd")] for who in ("first", "second")]
    share = sum(one * two for one, two in zip(*both, strict=True))
    assert f"would do so {share:.0%} of the time".replace("%", " %") in (DOCS / "convergence.md").read_text().replace(
        "\n", " "
    )


def test_names_of_authors_are_spelled_as_they_spell_them():
    pages = [DOCS / "papers.md", DOCS / "convergence.md", DOCS / "results.md", *(DOCS / "papers").rglob("report.md")]
    for page in pages:
        assert not re.search(r"\b(Lis[y]|Briedo[n])\b", page.read_text(encoding="utf-8")), page
