"""The words above the map of a belief: whose cards are looked for, from whose chair."""

import asyncio
import types

import pytest

import fogtree as ft
from fogtree.draw.board import Look, picture
from fogtree.web.pages_review import _heat, step_html


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


@pytest.mark.parametrize(("name", "pointed"), [("tic-tac-toe", True), ("kuhn", False)])
def test_arrows_and_rings_are_told_of_where_some_are_drawn(name, pointed):
    state = ft.at(name).play(*(["J", "K"] if name == "kuhn" else [])).state
    drawn = picture(ft.load(name), state, look=Look(best=[(1, 0.5, "half of the time")]))
    facts = {"steps": 4, "mover": 0, "over": False, "open": True, "referee": drawn, "move": "b"}
    facts["thought"] = {"mix": [("b", 0.5, None)], "iterations": 10, "before": {}}

    async def ask(*_, **__):
        return facts

    job = types.SimpleNamespace(facts={"names": ["rm", "you"], "me": 1}, ask=ask, address="")
    shown = asyncio.run(step_html(job, 1))
    assert ("thought best" in shown) == pointed and "The position" in shown
