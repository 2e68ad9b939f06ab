"""Plans of hold'em on buckets: as policies, as agents, in files."""

import numpy as np
import pytest

import fogtree
from fogtree import Invalid, Leduc, Strategy
from fogtree.arena import agents
from fogtree.arena.referee import play
from fogtree.game import identity
from fogtree.games.holdem import Holdem
from fogtree.games.holdem.buckets import Buckets
from fogtree.measure.duel import duel, duplicate, exact_duel
from fogtree.policy import Always, Uniform
from fogtree.solvers.public.bucket_plan import BucketPlan, layout
from fogtree.solvers.public.bucket_solving import OnBuckets
from fogtree.transforms.abstraction import abstract_game, lifted

TINY = Holdem(ranks=3, suits=2, rounds=2, raises=2, hole=1, flop=1)
FOLD, CALL, RAISE = 0, 1, 2


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FOGTREE_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="module")
def plan(cache):
    return fogtree.solve(OnBuckets(TINY, 2), target=0.02).strategy


def test_a_plan_plays_what_its_tables_say(plan, interpreted):
    # the same strategy by another way: as a table of the abstract game's views
    abstract = abstract_game(TINY, Buckets(TINY, 2).bucketing)
    policy, rows = plan.policy_of(TINY), {}
    choice, odds = np.zeros(6, np.int64), np.zeros(6)

    def walk(state):
        player = TINY.player(state)
        if player >= 0:
            count = policy.weigh(TINY, state, player, choice, odds)
            rows[int(player), int(abstract.view(state, player))] = (choice[:count].tolist(), odds[:count].tolist())
        for action in fogtree.game.legal(TINY, state):
            child = state.copy()
            TINY.step(child, action)
            walk(child)

    walk(fogtree.game.new_state(TINY))
    assert len(rows) == len(plan)
    first = np.concatenate([[0], np.cumsum([len(actions) for actions, _ in rows.values()])])
    flat = [np.concatenate([np.array(row[part]) for row in rows.values()]) for part in (0, 1)]
    table = Strategy(abstract, [p for p, _ in rows], [v for _, v in rows], first, flat[0], flat[1])
    inside = fogtree.exploitability(abstract, table).total
    assert inside < 0.021  # the target, and what 16 bits take from it
    by_view, by_plan = (exact_duel(TINY, plays, Uniform()).payoff for plays in (lifted(table, abstract), plan))
    assert by_view == pytest.approx(by_plan, abs=1e-6)


def test_a_plan_made_of_its_own_tables_is_the_same(plan):
    table = plan.by_type(TINY).table
    again = BucketPlan.from_tables(TINY, 2, table)
    assert (abs(again.share.astype(int) - plan.share) <= 1).all()
    assert table(0).shape == (3, 2) and table(0).sum(axis=0) == pytest.approx([1, 1])


@pytest.mark.slow
def test_a_plan_beats_simple_players(plan):
    for simple in (Uniform(), Always(CALL), Always(RAISE)):
        # over both seats, by summing over every history
        gain = exact_duel(TINY, plan, simple).payoff - exact_duel(TINY, simple, plan).payoff
        assert gain > 0


def test_always_calls_and_always_raises(interpreted):
    assert exact_duel(TINY, Always(CALL), Always(CALL)).payoff == pytest.approx(0)
    # the raiser puts in all four bets of 2 or 4 that the rules allow: two a round here
    both = duel(TINY, Always(RAISE), Always(RAISE), 2_000, seed=1)
    assert both.draws > 0 and abs(both.payoff) < 3 * both.half + 0.5


def test_exchanged_seats_take_the_luck_out():
    # a player against itself gets exactly nothing from two seats of the same deal
    same = duplicate(TINY, Always(RAISE), Always(RAISE), 500, seed=1)
    assert same.payoff == 0 and same.half == 0


@pytest.mark.slow
def test_pairs_agree_with_the_exact_payoff(plan):
    exact = exact_duel(TINY, plan, Always(RAISE)).payoff - exact_duel(TINY, Always(RAISE), plan).payoff
    pairs = duplicate(TINY, plan, Always(RAISE), 40_000, seed=2)
    assert abs(pairs.payoff - exact / 2) < 1.5 * pairs.half  # half: 1.96 standard errors
    plain = duel(TINY, plan, Always(RAISE), 80_000, seed=2)
    assert pairs.half < plain.half


# --- files ---


def test_a_plan_is_read_back_as_it_was_saved(plan, tmp_path):
    path = tmp_path / "plan.npz"
    plan.save(path)
    again = BucketPlan.load(path, TINY)
    assert (again.k, again.game) == (2, identity(TINY)) and (again.share == plan.share).all()


def test_a_plan_of_rules_that_differ_in_their_views_alone_is_still_read(plan, tmp_path):
    # version 2 has other views, which a plan of buckets does not use
    path = tmp_path / "plan.npz"
    first = {"rules": np.array(identity(TINY).replace("rules version 2", "rules version 1")), "share": plan.share}
    np.savez(path, format=np.array(1), k=np.array(2), holdem=np.array([3, 2, 2, 2, 1, 1]), **first)
    assert fogtree.load_strategy(path, TINY).policy_of(TINY).odds == pytest.approx(plan.policy_of(TINY).odds)


def test_a_file_of_another_game_is_refused(plan, tmp_path):
    path = tmp_path / "plan.npz"
    plan.save(path)
    with pytest.raises(Invalid, match=r"is a plan of Holdem.*ranks=3.*, not of Holdem.*ranks=13"):
        BucketPlan.load(path, Holdem())
    with pytest.raises(Invalid, match="not of Leduc"):
        agents.require_fit(agents.load_agent(f"strategy:{path}"), Leduc())


@pytest.mark.parametrize(
    "change",
    [
        {"share": np.zeros((3, 3), np.uint16)},
        {"k": np.array(99)},
        {"holdem": np.array([1, 2])},
        {"holdem": np.array([2, 1, 4, 4, 2, 3])},
        {"rules": np.array("Holdem(), rules version 99")},
        {"format": np.array(7)},
    ],
)
def test_a_changed_file_is_refused(plan, tmp_path, change):
    path = tmp_path / "plan.npz"
    plan.save(path)
    with np.load(path) as stored:
        fields = {**stored, **change}
    np.savez(path, **fields)
    with pytest.raises(Invalid):
        BucketPlan.load(path, TINY)
    with pytest.raises(Invalid):
        agents.require_fit(agents.load_agent(f"strategy:{path}"), TINY)


@pytest.mark.parametrize("row", [[9, 0, 0], [65_535, 65_535, 0], [20_000, 20_000, 20_000]])
def test_shares_that_do_not_sum_to_1_are_refused(plan, tmp_path, row):
    path, wrong = tmp_path / "plan.npz", plan.share.copy()
    wrong[5] = row
    BucketPlan(plan.game, plan.parameters, plan.k, wrong).save(path)
    with pytest.raises(Invalid, match="holds no valid plan"):
        BucketPlan.load(path)


def test_a_share_of_an_action_that_a_decision_does_not_have_is_refused(plan, tmp_path):
    parts = layout(TINY, plan.k)
    at = next(at for at, actions in enumerate(parts.action) if RAISE not in actions)
    path, wrong = tmp_path / "plan.npz", plan.share.copy()
    wrong[parts.block[at]] = [0, 0, 65_535]
    BucketPlan(plan.game, plan.parameters, plan.k, wrong).save(path)
    with pytest.raises(Invalid, match="no whole plan"):
        BucketPlan.load(path, TINY)
    with pytest.raises(Invalid, match="no whole plan"):
        BucketPlan.load(path).policy_of(TINY)


def test_a_file_that_is_no_plan_is_refused(tmp_path):
    path = tmp_path / "no.npz"
    path.write_bytes(b"nothing")
    with pytest.raises(Invalid, match="cannot be read"):
        BucketPlan.load(path)


# --- at the table ---


def test_an_agent_plays_a_whole_hand_from_what_it_sees(plan, tmp_path):
    path = tmp_path / "plan.npz"
    plan.save(path)
    for seed in range(5):
        table = [agents.load_agent(f"strategy:{path}", seed, 0), agents.load_agent("always:1", seed, 1)]
        for agent in table:
            agents.require_fit(agent, TINY)
        played = play(TINY, table, seed=seed)
        assert played.forfeit is None and sum(played.payoffs) == 0


@pytest.mark.parametrize("text", ["strategy", "always", "always:raise"])
def test_an_agent_without_what_it_needs_is_refused(text):
    with pytest.raises(Invalid, match="needs"):
        agents.load_agent(text)


def test_decisions_are_laid_out_in_the_order_of_the_betting():
    parts = layout(TINY, 2)
    assert len(parts.node) == 22 and parts.action[0] == [FOLD, CALL, RAISE]
    assert parts.block[-1] == 4 * 2 + 18 * 4
