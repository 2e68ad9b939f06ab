"""Who hangs or fails forfeits one match: the others are played, and the reason is told."""

import pathlib
import signal
import threading
import time

import pytest
from small_agents import Errs, Hangs

import fogtree
from fogtree.arena import patience as patiently
from fogtree.arena.agents import RandomAgent
from fogtree.arena.patience import TimeIsUp, patience
from fogtree.arena.referee import play
from fogtree.arena.tournament import play_block, tournament
from fogtree.clock import standing_still
from fogtree.text.notation import from_notation

OWN = f"{pathlib.Path(__file__).parent}/small_agents.py"
SHORT = 0.1


def in_a_thread(call):
    found = []
    thread = threading.Thread(target=lambda: found.append(call()))
    thread.start()
    thread.join(20)
    assert not thread.is_alive()
    return found[0]


@pytest.mark.parametrize("sleeping", [False, True])
def test_an_agent_that_hangs_forfeits(sleeping):
    match = play("kuhn", [Hangs(sleeping), RandomAgent()], seconds=SHORT)
    assert match.forfeit == (0, "Hangs has not answered: 0.1 s are allowed for a move", False)


def test_an_agent_that_hangs_in_another_thread_forfeits_too():
    match = in_a_thread(lambda: play("kuhn", [Hangs(), RandomAgent()], seconds=SHORT))
    assert match.forfeit.player == 0


def test_a_tournament_goes_on_after_an_agent_that_hangs(monkeypatch):
    monkeypatch.setattr(patiently, "MOVE_SECONDS", SHORT)
    found = tournament("kuhn", [f"{OWN}:Hangs:moves=1", "random"], matches=3, cores=1)
    assert found.cells[1, 1].matches == 3 and found.cells[1, 1].forfeits == 0
    assert found.cells[0, 1].matches == 3 and 1 <= found.forfeits <= 9
    assert found.reasons == {"Hangs has not answered: 0.1 s are allowed for a move": found.forfeits}


def test_a_limit_for_a_move_holds_for_all_and_only_then_is_it_part_of_the_run(tmp_path):
    block = play_block("kuhn", ["random", f"{OWN}:Noted:folder={tmp_path},seconds=0.05"], 1, 0, 2, move_seconds=0.01)
    assert block["forfeits"] == 2 and list(block["reasons"].values()) == [2]
    assert "reasons" not in play_block("kuhn", ["random", "random"], 1, 0, 2)


@pytest.mark.parametrize("where", ["fresh", "follow", "act"])
def test_an_error_of_an_agent_costs_it_the_match_wherever_it_comes(where):
    start = from_notation(fogtree.Kuhn(), "J Q pass")
    match = play("kuhn", [Errs(where), RandomAgent()], start=start, seed=3)
    if where == "act" and match.forfeit is None:  # player 0 was not asked again
        match = play("kuhn", [Errs(where), RandomAgent()])
    assert match.forfeit == (0, "Errs raised Invalid: no such thing", False)


def test_an_agent_that_leaves_the_program_forfeits():
    class Leaves(RandomAgent):
        def act(self, seen):
            raise SystemExit(3)

    assert play("kuhn", [Leaves(), RandomAgent()]).forfeit == (0, "Leaves raised SystemExit: 3", False)


def test_an_error_forfeits_one_match_and_not_the_tournament():
    found = tournament("kuhn", [f"{OWN}:Errs", "random"], matches=2, cores=1)
    assert found.forfeits == 6 and found.cells[1, 1].forfeits == 0
    assert found.reasons == {"Errs raised Invalid: no such thing": 6}


def test_patience_ends_with_its_block_and_leaves_an_alarm_around_it():
    rung = []
    before = signal.signal(signal.SIGALRM, lambda *_: rung.append(1))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with patience(0.2):
            pass
        time.sleep(0.25)
        assert not rung
        time.sleep(0.1)
        assert rung
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_an_alarm_that_rings_on_the_way_out_leaves_none_behind(monkeypatch):
    # one more would come after the block, when its signal ends the process
    set_timer = signal.setitimer

    def late(which, seconds, *interval):
        found = set_timer(which, seconds, *interval)
        if seconds == 0:
            signal.raise_signal(signal.SIGALRM)
        return found

    monkeypatch.setattr(signal, "setitimer", late)
    with patience(10.0):
        pass
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_compiling_is_not_counted():
    with patience(0.05), standing_still():
        time.sleep(0.1)
    with pytest.raises(TimeIsUp), patience(0.05):
        time.sleep(0.3)


class Stubborn:
    """Catches whatever is thrown at it, in one of several ways, and goes on."""

    def __init__(self, how):
        self.how = how

    def act(self, sight):
        while True:
            try:
                if self.how == "sleeps":
                    time.sleep(60)
                while True:
                    pass
            except BaseException:
                if self.how == "twice":
                    try:
                        sum(range(100))
                    except BaseException:
                        continue


@pytest.mark.parametrize("how", ["loops", "sleeps", "twice"])
def test_an_agent_that_catches_everything_forfeits_all_the_same(how):
    began = time.perf_counter()
    match = play("kuhn", [Stubborn(how), RandomAgent()], seconds=SHORT)
    assert match.forfeit.player == 0 and "has not answered" in match.forfeit.reason
    assert time.perf_counter() - began < 20
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
