"""The papers' folders: each has its printed numbers in a file of their own, and no file is long."""

import pathlib

import pytest

import fogtree.papers
from fogtree.papers import PAPERS

ROOT = pathlib.Path(fogtree.papers.__file__).parent
LONG = 400  # lines


@pytest.mark.parametrize("name", PAPERS)
def test_a_paper_is_a_folder_with_its_printed_numbers_in_a_file_of_their_own(name):
    assert (ROOT / name / "__init__.py").exists()
    assert (ROOT / name / "printed.py").exists()


def test_no_file_of_a_paper_is_long():
    assert {p.name: n for p in ROOT.rglob("*.py") if (n := len(p.read_text().splitlines())) > LONG} == {}
