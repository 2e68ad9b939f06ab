"""CFR with vectors over hands through the public tree, against the sequence form, the LP and the exact best response."""

import signal

import numpy as np
import pytest

import fogtree as ft
from fogtree.errors import Invalid
from fogtree.games.spot import spot
from fogtree.measure.exploitability import exploitability
from fogtree.solvers.forms.infosets import TooLarge
from fogtree.solvers.public.betting import betting_tree
from fogtree.solvers.public.bucket_solving import OnBuckets
from fogtree.solvers.public.cards import bucketed
from fogtree.solvers.public.hand_threads import to_its_end
from fogtree.solvers.public.public_form import public_form
from fogtree.solvers.public.public_response import PublicResponse
from fogtree.solvers.public.vector_cfr import STORED, OnHands, VectorCFR, bytes_needed
from fogtree.solvers.regret.cfr import CFR, RULES
from fogtree.solvers.solution import solve
from typed import DrawnPlan

LEDUC = ft.Leduc()
SMALL = ft.load("holdem:ranks=3,suits=3,rounds=2,raises=2,flop=1")  # 9 cards, two private ones


@pytest.fixture(scope="module")
def leduc():
    return public_form(LEDUC)


@pytest.fixture(scope="module")
def small():
    return public_form(SMALL)


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_gives_the_numbers_of_the_sequence_form_after_each_iteration(leduc, rule):
    ours, theirs = VectorCFR(leduc, rule, dtype=np.float64), CFR(LEDUC, rule)
    for more in (1, 1, 8):  # later, roundings of equal mixes grow
        assert ours.run(iterations=more).bounds() == pytest.approx(theirs.run(iterations=more).bounds(), abs=1e-9)


def test_leduc_converges_to_its_value(leduc):
    # -0.085606424 by linear programs, ours and OpenSpiel's
    low, value, high = VectorCFR(leduc, "dcfr", dtype=np.float64).run(iterations=1000).bounds()
    assert low <= -0.085606424 <= high
    assert high - low < 2e-3
    assert value == pytest.approx(-0.085606424, abs=1e-3)


def test_a_certificate_in_between_changes_nothing(leduc):
    often, once = (VectorCFR(leduc, "pdcfr+", dtype=np.float64) for _ in range(2))
    for _ in range(6):
        often.run(iterations=1).bounds()
    once.run(iterations=6)
    assert often.bounds() == pytest.approx(once.bounds(), abs=1e-12)


def test_two_private_cards_and_suits_solved_once_agree_with_the_sequence_form(small):
    # not iteration by iteration: where hands are worth the same, roundings decide the first mixes
    assert len(small.board) == 1 + 3  # a board of each rank
    exact = solve(SMALL, "pdcfr+", target=1e-3)
    low, value, high = VectorCFR(small, "dcfr", dtype=np.float64).run(iterations=300).bounds()
    assert max(low, exact.low) <= min(high, exact.high)
    assert high - low < 5e-3
    assert value == pytest.approx(exact.value, abs=5e-3)


@pytest.mark.parametrize("game", [LEDUC, SMALL], ids=["leduc", "holdem"])
def test_the_strategy_as_a_table_is_as_exploitable_as_the_engine_says(game, leduc, small):
    cfr = VectorCFR(leduc if game is LEDUC else small, "cfr+", dtype=np.float64).run(iterations=20)
    low, _, high = cfr.bounds()
    strategy = cfr.strategy()
    assert exploitability(game, strategy).total == pytest.approx(high - low, abs=1e-9)


def test_a_hand_that_can_meet_none_of_the_other_is_not_in_the_table():
    # JJ shares a card with each hand of ip
    game = spot("Td9d6hQc2s", pot=20, stack=35, bets="a", oop="AcAd,JcJd:0.5", ip="JcKs,JdKh:0.5,JcJs")
    cfr = VectorCFR(public_form(game), dtype=np.float64).run(iterations=5)
    low, _, high = cfr.bounds()
    assert len(cfr.form.hands[0][0]) == 2
    assert exploitability(game, cfr.strategy()).total == pytest.approx(high - low, abs=1e-9)


def test_a_bucket_plan_loses_what_the_exact_best_response_says():
    game = ft.load("holdem:ranks=3,suits=3,rounds=3,raises=2,flop=1")
    plan = solve(OnBuckets(game, 2), iterations=20).strategy
    cards, typed = bucketed(game, 2).cards, plan.by_type(game)
    cfr = VectorCFR(public_form(game)._replace(cards=cards), "dcfr", dtype=np.float64)
    for player in (0, 1):
        cfr.adopt(player, typed)
    for me in (0, 1):
        assert cfr.response(me) == pytest.approx(PublicResponse(cards, typed, me).value(), abs=1e-9)
    assert cfr.expected(0) == pytest.approx(-cfr.expected(1), abs=1e-9)


def test_a_plan_is_adopted_in_16_bits_as_nearly_as_these_can_say():
    form = public_form(LEDUC)
    typed, exact, brief = DrawnPlan(form, 1), VectorCFR(form, dtype=np.float64), VectorCFR(form, dtype=np.int16)
    for cfr in (exact, brief):
        cfr.adopt(1, typed)
    for node in np.flatnonzero(form.betting.kind == 1).tolist():
        board = int(np.flatnonzero(form.boards.stage == form.tree.stage[form.node[node]])[-1])
        assert brief.table(board, node) == pytest.approx(exact.table(board, node), abs=1e-4)
    assert brief.response(0) == pytest.approx(exact.response(0), abs=1e-3)
    with pytest.raises(ft.Invalid, match="numbers of 16 bits have a scale for each row"):
        brief.average(0)


def test_a_certificate_in_32_bits_is_that_of_64_for_the_same_strategy(small):
    brief, exact = VectorCFR(small, "dcfr", dtype=np.float32).run(iterations=50), VectorCFR(small, dtype=np.float64)
    low, value, high = brief.bounds()
    for player in (0, 1):
        exact.stores[player].total[:] = brief.stores[player].total
    assert (low, value, high) == pytest.approx(exact.bounds(), abs=2e-6)


def test_solve_takes_the_form_and_reaches_its_target():
    found = solve(OnHands(LEDUC), target=0.02)
    assert found.reached and found.low <= -0.0856064 <= found.high
    assert found.total <= 0.02
    assert len(found.strategy) == 486  # of the 936, boards of one rank counted once


def test_a_checkpoint_goes_on_where_it_was(leduc, tmp_path):
    whole = VectorCFR(leduc, "pcfr+").run(iterations=10)
    part = VectorCFR(leduc, "pcfr+").run(iterations=4)
    part.save(tmp_path / "part.npz")
    rest = VectorCFR(leduc, "pcfr+")
    rest.resume(tmp_path / "part.npz")
    assert rest.run(iterations=6).bounds() == pytest.approx(whole.bounds(), abs=1e-6)
    with pytest.raises(Invalid, match="checkpoint of"):
        VectorCFR(leduc, "dcfr").resume(tmp_path / "part.npz")


def test_what_does_not_fit_is_refused_before_it_is_allocated(leduc):
    with pytest.raises(TooLarge, match="are allowed"):
        VectorCFR(leduc, memory=1000)
    cfr = VectorCFR(leduc)
    made = sum(getattr(store, field).nbytes for store in cfr.stores for field in ("regret", "mix", "total"))
    assert made < bytes_needed(leduc) < made + 200_000


def test_the_last_stage_in_groups_is_the_same_game():
    import fogtree.solvers.public.public_form as module

    plain, usual = public_form(SMALL), module.GROUP
    try:
        module.GROUP = 400
        grouped = public_form(SMALL)
    finally:
        module.GROUP = usual
    assert len(grouped.betting.start) > len(plain.betting.start)
    first, second = (VectorCFR(form, "dcfr", dtype=np.float64).run(iterations=5).bounds() for form in (plain, grouped))
    assert first == pytest.approx(second, abs=1e-12)


def test_the_tree_of_the_form_is_that_of_the_game(small):
    tree = betting_tree(SMALL)
    assert np.array_equal(small.tree.player, tree.player)
    assert sorted(set(small.node.tolist())) == list(range(len(tree.player)))


@pytest.mark.parametrize("rule", ["dcfr", "pdcfr+"])
def test_numbers_too_small_to_divide_by_are_none(leduc, rule):
    # in 32 bits 1 / 2e-41 is infinite: such regrets come up after some hundred iterations where nobody goes any more
    cfr = VectorCFR(leduc, rule)
    for store in cfr.stores:
        store.regret[:] = 1e-41
        store.total[:] = 1e-41
    cfr.run(iterations=2)
    assert all(np.isfinite(array).all() for store in cfr.stores for array in (store.regret, store.mix, store.total))
    assert np.isfinite(cfr.bounds()).all()


@pytest.mark.parametrize("rule", ["dcfr", "pdcfr+"])
@pytest.mark.parametrize("name", ["turn", "flop", "leduc"])
def test_threads_find_the_same_numbers_to_the_last_bit(name, rule):
    game = {
        "turn": spot("Td9d6hQc", pot=20, stack=300, bets="33%, 75%, a; 3x", oop="22+,A2s+,KTo+", ip="QQ-22,KTs+"),
        "flop": spot("Td9d6h", pot=20, stack=30, bets="a", oop="AA,87s,QJs", ip="KK,QJs,T9s"),
        "leduc": ft.Leduc(),
    }[name]
    form = public_form(game)
    alone, several = (VectorCFR(form, rule, threads=threads) for threads in (1, 3))
    assert several.threads == 3
    assert (form.betting.groups[2] - form.betting.groups[1] > 1) == (name == "turn")  # entries in several groups
    for more in (1, 6):
        alone.run(iterations=more)
        several.run(iterations=more)
        for mine, theirs in zip(alone.stores, several.stores, strict=True):
            for field in STORED:
                assert (getattr(mine, field) == getattr(theirs, field)).all()
        assert alone.bounds() == several.bounds()
    with pytest.raises(Invalid, match="threads are a whole number"):
        VectorCFR(form, threads=0)


def test_ctrl_c_waits_for_the_end_of_an_iteration_in_threads():
    form = public_form(spot("Td9d6hQc", pot=20, stack=60, bets="50%, a; 3x", oop="22+,A2s+", ip="QQ-22,KTs+"))
    stopped, alone = VectorCFR(form, threads=2), VectorCFR(form)
    usual = stopped._branches._each

    def interrupted(*given):
        signal.raise_signal(signal.SIGINT)
        usual(*given)

    stopped._branches._each = interrupted
    with pytest.raises(KeyboardInterrupt):
        stopped.run(iterations=5)
    stopped._branches._each = usual
    assert stopped.iterations == 1
    alone.run(iterations=1)
    assert alone.bounds() == stopped.bounds()


def test_who_ends_a_process_that_does_not_answer_is_told_where_something_would_be_lost():
    heard, before = [], signal.getsignal(signal.SIGINT)

    def answer(number, frame):
        heard.append("inside" if inside else "after")
        raise KeyboardInterrupt

    signal.signal(signal.SIGINT, answer)
    try:
        for kept, told in ((True, ["inside", "after"]), (False, ["after"])):
            heard.clear()
            with pytest.raises(KeyboardInterrupt), to_its_end(kept):
                inside = True
                signal.raise_signal(signal.SIGINT)
                inside = False
            assert heard == told
    finally:
        signal.signal(signal.SIGINT, before)
