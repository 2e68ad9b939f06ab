"""The sessions on the pages of the exact algorithms are run."""

import doctest
import pathlib
import re

import pytest

PAGES = pathlib.Path(__file__).parents[2] / "docs" / "algorithms"


@pytest.mark.parametrize("page", ["lp", "oracle", "dominance", "matrix-cfr"])
def test_the_session_of_a_page_is_so(page):
    text = "".join(re.findall(r"^```pycon\n(.*?)^```$", (PAGES / f"{page}.md").read_text(), re.MULTILINE | re.DOTALL))
    session = doctest.DocTestParser().get_doctest(text, {}, page, page, 0)
    outcome = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(session)
    assert outcome.attempted > 2 and outcome.failed == 0
