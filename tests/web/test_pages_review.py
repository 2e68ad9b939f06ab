"""The words above the map of a belief: whose cards are looked for, from whose chair."""

import pytest

from fogtree.web.pages_review import _heat


@pytest.mark.parametrize(
    ("names", "me", "mover", "title"),
    [
        (["rm", "you"], 1, 0, "What rm thought your cards were"),
        (["you", "rm"], 0, 0, "What you could think rm&#x27;s cards were"),
        (["rm", "uct"], None, 0, "What rm thought uct&#x27;s cards were"),
        (["rm", "uct", "you"], 2, 0, "What rm thought the others&#x27; cards were"),
    ],
)
def test_a_belief_is_about_the_other_or_the_others(names, me, mover, title):
    heat = {"pieces": "cards", "rows": ["K 100%"], "picture": "<svg></svg>"}
    shown = _heat({"names": names, "me": me}, mover, {"heat": heat, "states": 2, "sampled": 2, "coverage": 1.0})
    assert title in shown
