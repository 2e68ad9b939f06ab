"""Spots solved by vectors over hands: known numbers, the linear program, what people look at."""

from types import SimpleNamespace

import numpy as np
import pytest

from fogtree.errors import Invalid
from fogtree.game import CHANCE
from fogtree.games.spot import spot
from fogtree.games.spot.ranges import class_of, spelled_hand
from fogtree.measure.exploitability import exploitability
from fogtree.solvers.forms.infosets import TooLarge
from fogtree.solvers.public.hand_solution import Place, load_hands, solve_hands
from fogtree.solvers.public.places import choices, find_place
from fogtree.solvers.public.public_form import public_form
from fogtree.solvers.public.vector_cfr import VectorCFR
from fogtree.solvers.solution import solve
from fogtree.solvers.until import Interrupted
from fogtree.text.naming import name
from fogtree.walk.slices import Ended

OOP = "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s"
IP = "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+"
SMALL = {"oop": "AcAd,KhJh,Tc9c,8c7c:0.5", "ip": "QhQd,JcTc,9h8h,AhKs:0.25"}
RIVER = spot("Td9d6hQc2s", pot=200, stack=900, bets="50%, 100%, a; 3x", oop=OOP, ip=IP)
TURN = spot("Td9d6hQc", pot=200, stack=900, bets="60%; 2.5x", oop=OOP, ip=IP)


@pytest.fixture(scope="module")
def turn():
    return solve_hands(TURN, target=0.25)


def test_the_known_river():
    # postflop-solver, 0.09 % of the pot: values 92.826 and 107.174, equity 51.6174 %
    found = solve_hands(RIVER, target=0.09)
    assert found.percent <= 0.09
    assert found.equity()[0] == pytest.approx(0.516174, abs=1e-5)
    assert found.values[0] == pytest.approx(92.826, abs=2 * 0.0009 * 200)
    assert sum(found.values) == pytest.approx(200, abs=1e-3)


def test_the_known_turn(turn):
    # postflop-solver, 0.25 % of the pot: values 94.911 and 105.089, equity 53.0603 %
    assert turn.percent <= 0.25
    assert turn.equity()[0] == pytest.approx(0.530603, abs=1e-5)
    assert turn.values[0] == pytest.approx(94.911, abs=2 * 0.0025 * 200)


@pytest.mark.parametrize("board", ["Td9d6hQc2s", "Td9d6hQc"])
def test_a_small_spot_agrees_with_the_linear_program_and_with_the_enumerated_exploitability(board):
    game = spot(board, pot=20, stack=35, bets="50%, a", **SMALL)
    exact = solve(game, "lp")
    cfr = VectorCFR(public_form(game), "dcfr", dtype=np.float64).run(iterations=300)
    low, value, high = cfr.bounds()
    assert low - 1e-9 <= exact.value <= high + 1e-9
    assert high - low < 0.02
    told = exploitability(game, cfr.strategy())
    assert told.total == pytest.approx(high - low, abs=1e-9)
    assert told.value == pytest.approx(value, abs=1e-9)


def test_suits_that_are_alike_are_solved_once_and_change_nothing():
    fields = {"pot": 20, "stack": 30, "bets": "a", "oop": "AA,87s", "ip": "KK,QJs"}
    game = spot("Td9d6h", **fields)
    form = public_form(game)
    assert len(form.cards.symmetries) == 2  # clubs and spades
    alone = type(form.cards)(game)
    alone.symmetries = alone.symmetries[:1]
    import fogtree.solvers.public.public_form as module

    usual = module.public_cards
    try:
        module.public_cards = lambda game: alone
        whole = public_form(game)
    finally:
        module.public_cards = usual
    assert len(whole.board) == 1 + 49 + 49 * 48 > len(form.board)
    few, all_of_them = (VectorCFR(one, "cfr", dtype=np.float64) for one in (form, whole))
    for me in (
        0,
        1,
    ):  # against uniform play; after some iterations roundings decide between hands that are worth the same
        assert few.response(me) == pytest.approx(all_of_them.response(me), abs=1e-9)
    assert few.run(iterations=2).bounds() == pytest.approx(all_of_them.run(iterations=2).bounds(), abs=1e-9)


def test_a_rake_is_paid_by_both():
    game = spot("Td9d6hQc2s", pot=20, stack=35, bets="50%, a", rake=0.05, cap=2, **SMALL)
    cfr = VectorCFR(public_form(game), "dcfr", dtype=np.float64).run(iterations=100)
    told = exploitability(game, cfr.strategy())
    assert told.gains == pytest.approx(cfr.gains(), abs=1e-9)
    assert -2 <= cfr.expected(0) + cfr.expected(1) <= -0.05 * 20 + 1e-9
    with pytest.raises(Invalid, match="not zero-sum"):
        cfr.bounds()
    assert solve_hands(game, target=0.5).percent <= 0.5


def test_what_is_seen_at_a_place_adds_up(turn):
    root = turn.at()
    assert root.actions == ["check", "bet 120"]
    assert root.mix.sum(axis=0) == pytest.approx(np.ones(root.mix.shape[1]), abs=1e-9)
    assert root.mean(0) + 100 == pytest.approx(turn.values[0], abs=1e-3)
    # the value of a node is the mean of those of its children, by what is played there
    after = [turn.at(action) for action in root.actions]
    mean = sum(share * place.mean(1) for share, place in zip(root.frequency(), after, strict=True))
    assert root.mean(1) == pytest.approx(mean, abs=1e-2)


def test_how_much_gets_to_a_place_is_the_product_of_what_is_played(turn):
    root = turn.at()
    assert turn.share_at(root) == pytest.approx(1, abs=1e-5)
    below = [turn.share_at(turn.at(action)) for action in root.actions]
    assert below == pytest.approx(root.frequency().tolist(), abs=1e-5)


def test_how_much_gets_to_a_card_is_out_of_the_hands_that_leave_it():
    found = solve_hands(spot("Td9d6hQc", bets="none", oop="AA", ip="KK"), iterations=1)
    assert found.share_at(found.at("check, check", "As")) == pytest.approx(1)  # of three aces of six
    nobody = solve_hands(spot("Td9d6hQc", bets="none", oop="AA", ip="AA"), iterations=1)
    assert nobody.share_at(nobody.at("check, check", "As")) == 0.0  # with one ace less both cannot have two


def test_ctrl_c_before_the_first_certificate_keeps_what_there_is(tmp_path):
    def stop(now):
        if now.what == "iterations":
            raise KeyboardInterrupt

    path = tmp_path / "turn.ck"
    found = solve_hands(TURN, checkpoint=path, partial=True, progress=stop)
    assert found.ended == Ended.STOPPED and found.iterations == 1 and np.isfinite(found.percent)
    assert solve_hands(TURN, iterations=2, checkpoint=path).iterations == 2
    path.unlink()
    with pytest.raises(Interrupted) as stopped:
        solve_hands(TURN, checkpoint=path, progress=stop)
    assert stopped.value.solution.iterations == 1 and path.exists()


def test_a_street_is_the_mean_of_its_cards(turn):
    checked = turn.at("check, check", "2s")
    assert checked.player == 0 and len(checked.cards) == 5
    assert np.isfinite(checked.value[0][checked.met[0] > 0]).all()
    twin, other = turn.at("check, check", "3c"), turn.at("check, check", "3s")
    assert twin.mean(0) != pytest.approx(other.mean(0), abs=1e-6)  # clubs lie on the board
    assert turn.at("check, check").player == CHANCE  # without the card, the place where it is to come
    with pytest.raises(Invalid, match=r"the betting is not that far: .* or deal 1 fewer"):
        turn.at("check", "2s")
    with pytest.raises(Invalid, match="an action is missing beside a comma of 'check,,check'"):
        turn.at("check,,check")
    with pytest.raises(Invalid, match="another street: deal 1 more"):
        turn.at("check, check, check")
    with pytest.raises(Invalid, match="only 1 card can be dealt there, not 2"):
        turn.at("check, check", "2s3s")
    with pytest.raises(Invalid, match="this card lies on the board already"):
        turn.at("check, check", "Td")
    with pytest.raises(Invalid, match="the hand ends there before these cards"):
        turn.at("bet 120, fold", "2s")
    with pytest.raises(Invalid, match="choose from"):
        turn.at("fold")
    with pytest.raises(Invalid, match="no card can be dealt there any more"):
        solve_hands(spot("Td9d6hQc2s", oop="AA", ip="KK", bets="50%, a"), iterations=1).at("bet 50, call", "3s")
    with pytest.raises(Invalid, match="'bet' may be bet 50 or bet 100: write more of it"):
        find_place(public_form(spot("Td9d6hQc2s", oop="AA", ip="KK", bets="50%, 100%")), "bet")


def test_saved_and_loaded(turn, tmp_path):
    turn.save(tmp_path / "turn.npz")
    again = load_hands(tmp_path / "turn.npz")
    assert again.values == pytest.approx(turn.values, abs=0.01)
    assert again.percent <= 1.01 * turn.percent
    with pytest.raises(Invalid, match="is a strategy of"):
        load_hands(tmp_path / "turn.npz", RIVER)


def test_a_saved_spot_keeps_a_certificate_that_16_bits_would_lose(tmp_path):
    game = spot("Td9d6hQc2s", pot=20, stack=35, bets="50%, a", **SMALL)
    fine = solve_hands(game, iterations=1000)
    fine.save(tmp_path / "fine.npz")
    assert 0 < fine.percent < 0.01
    assert load_hands(tmp_path / "fine.npz").percent <= 1.01 * fine.percent


def test_a_locked_strategy_stays_and_the_rest_answers_it():
    game = spot("Td9d6hQc2s", pot=20, stack=35, bets="50%, a", **SMALL)
    form = public_form(game)
    root = int(np.flatnonzero(form.node == 0)[0])

    def always_all_in(cfr):
        cfr.lock(root, lambda board, hands: np.array([[0.0], [0.0], [1.0]]) * np.ones(len(hands)))

    free, locked = solve_hands(game, target=0.1), solve_hands(game, target=0.1, lock=always_all_in)
    assert locked.at().frequency() == pytest.approx([0, 0, 1], abs=1e-9)
    assert locked.values[1] > free.values[1] + 0.1
    assert locked.percent <= 0.1  # of what is not locked


def test_locks_that_are_none_are_one_sentence_and_change_nothing():
    cfr = VectorCFR(public_form(spot("Td9d6hQc2s", pot=20, stack=35, bets="50%, a", **SMALL)))
    node = find_place(cfr.form, "check").node
    width = len(cfr.form.hands[1][0])
    good = np.ones((3, width)) / 3
    assert choices(cfr.form, node) == ["check", "bet 10", "all in 35"]
    before = cfr.stores[1].mix.copy()

    def changed(number):
        odds = good.copy()
        odds[1, 2] = number
        return lambda board, hands: odds

    for where, odds, words in (
        (10_000, lambda board, hands: good, "there is no node 10000: the nodes of this betting are 0 to"),
        (-1, lambda board, hands: good, "there is no node -1"),
        ("check", lambda board, hands: good, "there is no node 'check'"),
        (find_place(cfr.form, "check, check").node, lambda board, hands: good, "at which a player moves"),
        (node, good, "odds are a function of a board and its hands, not a ndarray"),
        (node, lambda board, hands: good[:2], rf"the shape \(3, {width}\), actions by hands, not \(2, {width}\)"),
        (node, lambda board, hands: "often", "an array of numbers"),
        (node, changed(np.nan), "from 0 to 1, not nan"),
        (node, changed(np.inf), "from 0 to 1, not inf"),
        (node, changed(-0.5), "from 0 to 1, not -0.5"),
        (node, changed(0.5), "those of hand 2 of the list sum to 1.16667"),
    ):
        with pytest.raises(Invalid, match=words):
            cfr.lock(where, odds)
    assert not cfr.betting.locked.any() and (cfr.stores[1].mix == before).all()
    with pytest.raises(Invalid, match="lock is a function that gets the solver"):
        solve_hands(RIVER, lock=node)


def test_errors_call_a_spot_by_its_name(tmp_path):
    game = spot("Td9d6hQc2s", pot=20, stack=35, rake=0.05, **SMALL)
    assert repr(game) == name(game) and repr(game).startswith("spot/Td9d6hQc2s:pot=20,stack=35,")
    with pytest.raises(Invalid, match=r"^spot/Td9d6hQc2s:.* is not zero-sum"):
        VectorCFR(public_form(game)).bounds()
    with pytest.raises(TooLarge, match=r"^spot/Td9d6hQc2s:pot=20.* needs [\d.]+ KiB for .* and 10 bytes are allowed"):
        solve_hands(game, memory=10)
    solve_hands(game, iterations=1, checkpoint=tmp_path / "work.npz")
    other = spot("Td9d6hQc2s", pot=30, stack=35, **SMALL)
    with pytest.raises(
        Invalid, match=r"is a checkpoint of another game by dcfr, not of spot/Td9d6hQc2s:pot=30,.* by dcfr"
    ):
        solve_hands(other, iterations=1, checkpoint=tmp_path / "work.npz")
    with pytest.raises(
        Invalid, match=r"is a checkpoint of this game by dcfr, not of spot/Td9d6hQc2s:pot=20,.* by cfr\+"
    ):
        solve_hands(game, "cfr+", iterations=1, checkpoint=tmp_path / "work.npz")


def test_a_mean_leaves_out_hands_that_nobody_has_even_if_they_have_no_value():
    seen = SimpleNamespace(weight=lambda player: np.array([0.0, 0.5, 1.5]), value=(np.array([np.nan, 2.0, 4.0]),))
    assert Place.mean(seen, 0) == pytest.approx((0.5 * 2 + 1.5 * 4) / 2)


def _odds(kinds):
    """Of a lock in which hands with a club bet, or all of some kinds."""

    def odds(board, hands):
        bets = [("c" in spelled_hand(int(h))[1::2]) if kinds is None else class_of(int(h)) in kinds for h in hands]
        return np.array([np.logical_not(bets), bets], float)

    return odds


def test_a_lock_that_tells_suits_apart_that_are_solved_once_is_refused_unless_the_ranges_do():
    given = {"pot": 100, "stack": 300, "ip": "AKo,KQs,JJ", "bets": "75%; none"}
    alike = spot("Td9d6dQd", oop="AK,QQ,22", **given)
    apart = spot("Td9d6dQd", oop="AK,AcKc:0.9999999,QQ,22", **given)

    def locking(kinds):
        return lambda cfr: cfr.lock(find_place(cfr.form, "check").node, _odds(kinds))

    with pytest.raises(Invalid, match="differ only by suits that are alike are solved once"):
        solve_hands(alike, target=1.0, lock=locking(None))
    assert len(public_form(alike).board) < len(public_form(apart).board)
    assert solve_hands(apart, target=0.5, lock=locking(None)).percent <= 0.5
    same = [solve_hands(game, target=0.5, lock=locking({"AKo"})) for game in (alike, apart)]
    assert same[0].values[0] == pytest.approx(same[1].values[0], abs=sum(one.exploitable for one in same) + 1e-3)


def test_what_was_allowed_more_memory_is_saved_and_loaded(tmp_path, monkeypatch):
    def little(memory=None):
        return 1000.0 if memory is None else float(memory)

    found = solve_hands(spot("Td9d6hQc2s", oop="AA", ip="KK", bets="a"), iterations=1)
    monkeypatch.setattr("fogtree.solvers.public.vector_cfr.memory_cap", little)
    found.save(tmp_path / "spot.npz")
    with pytest.raises(TooLarge):
        load_hands(tmp_path / "spot.npz")
    assert load_hands(tmp_path / "spot.npz", memory=1e6).values == pytest.approx(found.values, abs=0.1)


def test_a_saved_spot_whose_numbers_are_no_probabilities_is_refused(tmp_path):
    path = tmp_path / "spot.npz"
    solve_hands(spot("Td9d6hQc2s", oop="AA", ip="KK", bets="a"), iterations=1).save(path)
    whole = dict(np.load(path))
    share = whole["share0"].astype(np.float32)
    for changed in (
        {"share0": -share},
        {"share0": np.nan * share},
        {"share0": share.astype(str)},
        {"share0": share[:, None]},
        {"iterations": np.array("many")},
        {"iterations": np.array([1, 2])},
    ):
        np.savez(path, **(whole | changed))
        with pytest.raises(Invalid, match="does not fit the game: it was cut short or changed"):
            load_hands(path)
