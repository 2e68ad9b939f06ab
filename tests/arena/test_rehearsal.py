"""The parent of a tournament compiles first: what it plays before it starts other processes, and when it starts none."""

import pathlib

import pytest

from fogtree.arena import rehearsal
from fogtree.arena.rehearsal import rehearse
from fogtree.arena.tournament import BLOCK, tournament
from fogtree.games import Kuhn
from fogtree.runs import workers as processes

HERE = pathlib.Path(__file__).parent
OWN = f"{HERE}/small_agents.py"
KUHN = Kuhn()


@pytest.fixture
def workers(monkeypatch):
    """[how many workers were started], on a machine of four cores; the work is done here."""
    started = []

    def on_cores(task, pieces, missing, count):
        started.append(count)
        return (processes.do(task, index, pieces[index]) for index in missing)

    monkeypatch.setattr(processes, "_on_cores", on_cores)
    monkeypatch.setattr(processes, "_cores", lambda: 4)
    return started


def asked(folder):
    file = folder / "asked"
    return len(file.read_text().splitlines()) if file.exists() else 0


def test_an_agent_moves_once_for_each_player_and_then_plays_a_match(tmp_path):
    note = tmp_path / "note"
    seconds = rehearse(KUHN, [f"{OWN}:Searching:folder={note},seconds=0.01", "random"], 0)
    assert asked(note) == 2 + 2  # it always passes, so that a match has two moves
    assert seconds >= 2 * 0.01


def test_programs_of_others_are_not_started_and_leave_the_time_unknown(tmp_path):
    note, other = tmp_path / "note", tmp_path / "other"
    assert rehearse(KUHN, [f"{OWN}:Searching:folder={note}", f"{OWN}:Noted:folder={other}"], 0) is None
    assert asked(note) == 4 and asked(other) == 0


def test_a_long_match_is_left_when_all_have_moved(tmp_path, monkeypatch):
    monkeypatch.setattr(rehearsal, "TRIED", 0.005)
    note = tmp_path / "note"
    assert rehearse(KUHN, [f"{OWN}:Searching:folder={note},seconds=0.01"], 0) is None
    assert asked(note) == 2 + 1


@pytest.mark.parametrize("game", ["kuhn", "many-kuhn"])
def test_the_parent_rehearses_before_workers_start(game, tmp_path, workers, monkeypatch):
    monkeypatch.setattr(processes, "WORTH", 0.0)
    note, before = tmp_path / "note", []
    monkeypatch.setattr(processes, "_on_cores", lambda *given: before.append(asked(note)) or iter(()))
    tournament(game, [f"{OWN}:Searching:folder={note}"], matches=2 * BLOCK)
    assert before and before[0] >= 2


def test_a_short_tournament_is_played_by_the_parent_alone_and_a_long_one_by_workers(workers, monkeypatch):
    tournament("kuhn", ["random", "always:0"], matches=3)
    assert workers == []
    tournament("kuhn", ["random", "always:0"], matches=3, cores=2)
    assert workers == [2]
    monkeypatch.setattr("fogtree.arena.tournament.rehearse", lambda *given: processes.WORTH)
    tournament("kuhn", ["random", "always:0"], matches=3)
    assert workers == [2, 4]


def test_what_is_stored_is_not_rehearsed(tmp_path, workers):
    note = tmp_path / "note"
    name, store = f"{OWN}:Searching:folder={note}", tmp_path / "runs.sqlite"
    first = tournament("kuhn", [name, "random"], matches=3, store=store)
    times = asked(note)
    assert tournament("kuhn", [name, "random"], matches=3, store=store) == first
    assert asked(note) == times
