"""A strategy unfolded set by set says what the other ways to walk through it say."""

import numba
import pytest

import fogtree
from fogtree.errors import FogtreeError
from fogtree.web.offer import Offer
from fogtree.web.strategies import StrategyJob


@pytest.fixture(scope="module")
def kuhn():
    """Uniform play of Kuhn poker, ready to be unfolded, and what it told."""
    facts = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(numba.config, "DISABLE_JIT", 1)
        job = StrategyJob(lambda **told: facts.update(told), Offer(), game=["kuhn", ""], source="uniform", seconds=1.0)
        job.run()
        yield job, facts


def unfolded(job, player):
    """All sets of a player: {view: what is told of it}."""
    found, paths = {}, [[]]
    while paths:
        path = paths.pop()
        told = job.ask_unfold(player, path)
        assert told["complete"] and not told["more"]
        for one in told["sets"]:
            found[int(one["view"])] = one
            paths += [[*path, [one["view"], action]] for action, _ in one["actions"]]
    return found


def test_unfolding_meets_every_set_with_the_mix_reach_and_value_that_the_walk_finds(kuhn):
    job, _ = kuhn
    walked = fogtree.told("kuhn", job.plan)
    for player in (0, 1):
        found = unfolded(job, player)
        assert sorted(found) == sorted(row.view for row in walked.of(player))
        for row in walked.of(player):
            one = found[row.view]
            assert one["mix"] == pytest.approx(row.mix) and one["reach"] == pytest.approx(row.reach)
            assert one["value"] == pytest.approx(row.value)


def test_the_regrets_at_the_first_sets_sum_to_the_exploitability(kuhn):
    # uniform play of Kuhn poker: NashConv 11/12 in OpenSpiel's exploitability tests
    job, facts = kuhn
    first = [one for player in (0, 1) for one in job.ask_unfold(player, [])["sets"]]
    assert sum(one["reach"] * one["regret"] for one in first) == pytest.approx(11 / 12)
    assert facts["total"] == pytest.approx(11 / 12)


def test_the_worth_of_an_action_is_what_a_best_response_gets_after_it(kuhn):
    job, _ = kuhn
    king = next(
        one for one in unfolded(job, 1).values() if "betting: bet<" in one["picture"] and ">K<" in one["picture"]
    )
    assert king["worth"] == pytest.approx({"pass": -1.0, "bet": 2.0})  # facing a bet with the best card
    assert king["value"] == pytest.approx(0.5) and king["regret"] == pytest.approx(1.5)


@pytest.mark.parametrize("path", [[["1", 0]], [["x", 0]], [["99999999", 1]]])
def test_a_path_that_leads_nowhere_is_refused(kuhn, path):
    job, _ = kuhn
    with pytest.raises((FogtreeError, ValueError)):
        job.ask_unfold(0, path)


def test_the_page_of_a_strategy_unfolds_and_refuses_nonsense(site):
    made = site.post("/strategy", game="kuhn", source="uniform").headers["location"]
    site.until(made, "Total exploitability 0.917")
    text = site.until(made, "after bet")
    assert "regret" in text
    link = text.split('data-unfold="')[1].split('"')[0].replace("&amp;", "&")
    assert 'class="crumbs"' in site.get(link).text
    for query in ("path=1.x", "path=a", "player=9", "player=-", "path=" + ",".join(["1.1"] * 300), "path=1.1.1"):
        assert site.get(f"{made}?{query}").status_code == 400
    assert "<svg" in site.get(f"{made}/tree").text
    for fields in (
        {"game": "kuhn", "source": "../x"},
        {"game": "kuhn", "source": "file/x"},
        {"game": "kuhn", "seconds": "0"},
    ):
        assert site.post("/strategy", **fields).status_code == 400
