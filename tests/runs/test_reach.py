"""What a run rests on: an edit of anything that its task can reach makes another run, and no other edit does."""

import functools
import importlib
import os
import subprocess
import sys
import textwrap

import pytest
import small_tasks

import fogtree
from fogtree.arena.tournament import play_block
from fogtree.papers import load_paper
from fogtree.papers.auger2011 import pieces
from fogtree.runs import Run
from fogtree.runs.identity import basis
from fogtree.runs.reach import HOME, Reach

USER = {
    "work.py": """
        import beside
        from kinds import Kind
        from tools import deep
        LIMIT = 3
        def task(seed):
            import late
            return Kind().value(seed) + beside.helper(seed) + deep.far(seed) + late.later(seed) + LIMIT
    """,
    "beside.py": "def helper(seed):\n    return 3\n",
    "kinds.py": "class Kind:\n    RATE = 2\n    def value(self, seed):\n        return seed\n",
    "tools/__init__.py": "AROUND = 1\n",
    "tools/deep.py": "from . import deeper\ndef far(seed):\n    return deeper.FACTOR\n",
    "tools/deeper.py": "FACTOR = 1\n",
    "late.py": "def later(seed):\n    from latest import last\n    return last()\n",
    "latest.py": "def last():\n    return 1\n",
    "alone.py": "def nobody():\n    return 1\n",
    "tools/alone.py": "UNUSED = 1\n",
}


@pytest.fixture
def user(tmp_path, monkeypatch):
    """A user's folder with a task, in the path of Python; its modules are forgotten afterwards."""
    for name, text in USER.items():
        write(tmp_path / name, text)
    monkeypatch.syspath_prepend(tmp_path)
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        if str(tmp_path) in (getattr(sys.modules[name], "__file__", None) or ""):
            del sys.modules[name]


def write(path, text):
    path.parent.mkdir(exist_ok=True)
    path.write_text(textwrap.dedent(text).lstrip())


def identity_of(task, parameters=None):
    return Run(None, "work", task, parameters or {}).id


def edit(path, old, new):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


# --- a user's own files ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "file, old, new",
    [
        ("work.py", "LIMIT = 3", "LIMIT = 4"),
        ("beside.py", "return 3", "return 300"),
        ("kinds.py", "return seed", "return -seed"),
        ("kinds.py", "RATE = 2", "RATE = 5"),
        ("tools/__init__.py", "AROUND = 1", "AROUND = 2"),
        ("tools/deep.py", "deeper.FACTOR", "2 * deeper.FACTOR"),
        ("tools/deeper.py", "FACTOR = 1", "FACTOR = 2"),
        ("late.py", "return last()", "return last() + 1"),
        ("latest.py", "return 1", "return 2"),
    ],
)
def test_an_edit_of_anything_that_is_imported_is_another_run(user, file, old, new):
    task = importlib.import_module("work").task
    before = identity_of(task)
    assert identity_of(task) == before
    edit(user / file, old, new)
    assert identity_of(task) != before


def test_an_edit_is_seen_although_the_same_was_asked_before(user):
    # although its time and its size tell nothing
    task = importlib.import_module("work").task
    before = identity_of(task)
    assert identity_of(task) == before
    written = (user / "tools" / "deeper.py").stat()
    edit(user / "tools" / "deeper.py", "FACTOR = 1", "FACTOR = 2")
    os.utime(user / "tools" / "deeper.py", ns=(written.st_atime_ns, written.st_mtime_ns))
    assert identity_of(task) != before


@pytest.mark.parametrize("file", ["alone.py", "tools/alone.py"])
def test_an_edit_of_what_nobody_imports_changes_nothing(user, file):
    task = importlib.import_module("work").task
    before = identity_of(task)
    edit(user / file, "1", "2")
    assert identity_of(task) == before


def test_comments_documentation_and_layout_change_nothing(user):
    task = importlib.import_module("work").task
    before = identity_of(task)
    write(user / "beside.py", '"""Help."""\n\n\ndef helper(seed):\n    """Three."""\n    return 3  # always\n')
    assert identity_of(task) == before


def test_an_edited_helper_is_computed_again(user):
    # the number of the stored run, 3, came out for the edited code, which computes 300
    write(user / "job.py", "import beside\ndef task(seed):\n    return beside.helper(seed)\n")
    script = "import job; from fogtree.runs import Run; print(Run('s.sqlite', 'j', job.task, {}).map([{'seed': 0}], cores=1))"

    def number():
        return subprocess.run(
            [sys.executable, "-c", script], cwd=user, capture_output=True, text=True, check=True
        ).stdout

    assert number() == "[3]\n"
    edit(user / "beside.py", "return 3", "return 300")
    assert number() == "[300]\n"


@pytest.mark.parametrize("text", ["from importlib import import_module as get\n", "X = eval('1')\n", "def work(:\n"])
def test_where_it_cannot_be_told_what_is_reached_the_run_is_not_reused(user, text):
    task = importlib.import_module("work").task
    write(user / "beside.py", text)
    assert "beside.py" in basis(task, {})[0]["unknown"]
    assert identity_of(task) != identity_of(task)


@pytest.mark.parametrize("recorded", [True, False], ids=["installed", "being written"])
def test_what_an_installer_has_put_into_a_folder_of_the_path_is_a_library(user, recorded, monkeypatch):
    # `pip install --target`: without a record of the installer's it is the user's own code, of which every file counts
    folder = user / "packages"
    write(folder / "ours.py", "import importlib\nimportlib.import_module('json')\n")
    about = folder / ("ours-2.5.dist-info" if recorded else "ours.egg-info")
    write(about / ("METADATA" if recorded else "PKG-INFO"), "Metadata-Version: 2.1\nName: ours\nVersion: 2.5\n")
    write(about / "top_level.txt", "ours\n")
    write(about / ("RECORD" if recorded else "SOURCES.txt"), "ours.py,,\n" if recorded else "ours.py\n")
    monkeypatch.syspath_prepend(folder)
    write(user / "work.py", "import ours\ndef task(seed):\n    return 1\n")
    found, _ = basis(importlib.import_module("work").task, {})
    if recorded:
        assert found["libraries"] == {"ours": "2.5"} and "unknown" not in found
    else:
        assert "ours.py loads modules by name" in found["unknown"]


def test_a_task_that_was_typed_in_is_not_reused():
    space = {}
    exec("def task(seed):\n    return seed\n", space)
    assert basis(space["task"], {})[0]["unknown"] == "task stands in no file"
    assert identity_of(space["task"]) != identity_of(space["task"])


def test_what_a_task_holds_counts_and_must_be_plain():
    assert identity_of(small_tasks.make(1)) == identity_of(small_tasks.make(1)) != identity_of(small_tasks.make(2))
    assert identity_of(small_tasks.make([1])) != identity_of(small_tasks.make([1]))
    partly = functools.update_wrapper(functools.partial(small_tasks.make, 1), small_tasks.make)
    assert basis(partly, {})[0].keys() >= {"code"}


def test_a_method_reaches_the_classes_of_what_its_object_holds(user):
    task = small_tasks.Worker(importlib.import_module("kinds").Kind()).lesson
    before = identity_of(task)
    edit(user / "kinds.py", "return seed", "return -seed")
    assert identity_of(task) != before


def test_code_that_is_edited_while_a_run_is_at_work_ends_it(user):
    task = importlib.import_module("work").task
    write(user / "late.py", "def later(seed):\n    return 1\n")

    def meddle(step):
        if step.done == 2:
            edit(user / "late.py", "return 1", "return 2 ")

    run = Run(user / "s.sqlite", "work", task, {})
    with pytest.raises(fogtree.Invalid, match="were changed while it was at work"):
        run.map([{"seed": seed} for seed in range(4)], cores=1, progress=meddle)
    assert [known.done for known in fogtree.runs.stored_runs(user / "s.sqlite")] == [2]
    edit(user / "late.py", "return 2 ", "return 1  # as it was")
    assert Run(user / "s.sqlite", "work", task, {}).id == run.id


# --- files that arguments name ---------------------------------------------------------------------------------------


def test_a_file_that_only_a_piece_names_counts_for_that_piece(user):
    write(user / "plan.txt", "1")
    task = small_tasks.read
    pieces = [{"plan": f"strategy:{user / 'plan.txt'}"}, {"plan": "none"}]

    def numbers():
        return Run(user / "s.sqlite", "plans", task, {}).map(pieces, cores=1)

    assert numbers() == ["1", ""]
    write(user / "plan.txt", "2")
    assert numbers() == ["2", ""]
    (known,) = fogtree.runs.stored_runs(user / "s.sqlite")
    assert [piece for piece, *_ in fogtree.runs.pieces_of(user / "s.sqlite", known.id)] == [*pieces, pieces[0]]


# --- Fogtree itself --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def tournament():
    reach = Reach()
    reach.add_task(play_block)
    return reach


@pytest.mark.parametrize(
    "file",
    [
        "arena/tournament.py",
        "games/kuhn.py",  # named by a text, and loaded by the shelf of games
        "games/chess/moves.py",
        "bandits/uct.py",
        "search/trees/ismcts.py",
        "search/open/alphabeta.py",
        "contract/entry.py",  # the package's own __init__.py imports it inside a function
        "walk/table.py",
        "learn/shipped/chess.npz",  # no code, but weights that an agent plays with
    ],
)
def test_a_tournament_reaches_what_its_texts_may_name(tournament, file):
    assert HOME / file in tournament.path.values()


@pytest.mark.parametrize("room", ["web", "cli", "papers", "draw"])
def test_a_tournament_does_not_reach_what_stands_above_it(tournament, room):
    assert not [path for path in tournament.path.values() if path.is_relative_to(HOME / room)]


def test_whatever_is_loaded_while_agents_play_was_reached(tournament):
    script = """if True:
        import sys
        from fogtree.arena.agents import load_agent
        from fogtree.arena.tournament import play_block
        from fogtree.games import GAMES
        play_block(game="kuhn", agents=["random", "always:1"], seed=0, match=0, matches=2)
        for text in ("rm", "belief", "pimc", "uct-risk", "alphabeta:depth=1", "uct:keep_tree=yes"):
            load_agent(text)
        for name in GAMES:
            GAMES[name]
        print(*(module.__file__ for name, module in sys.modules.items() if name.partition(".")[0] == "fogtree"))
    """
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    assert len(loaded) > 50
    assert not set(loaded) - set(map(str, tournament.path.values()))


def test_a_paper_reaches_its_own_folder_and_no_other_paper():
    reach = Reach()
    reach.add_task(load_paper)  # as if it were a task, of the folder around
    around = {path for path in reach.path.values() if path.is_relative_to(HOME / "papers")}
    assert around == set((HOME / "papers").glob("*.py"))
    reach.add_task(pieces.bounds)
    assert HOME / "walk" / "table.py" in reach.path.values()
    inside = {path for path in reach.path.values() if path.is_relative_to(HOME / "papers")}
    assert inside - around == set((HOME / "papers" / "auger2011").glob("*.py"))


@pytest.mark.parametrize("text", ["from fogtree import Kuhn", "import fogtree.walk.table as table"])
def test_whoever_imports_something_of_fogtree_reaches_all_of_it(user, text):
    write(user / "beside.py", text)
    reach = Reach()
    reach.add_file(user / "beside.py")
    assert set(HOME.rglob("*.py")) <= set(reach.path.values())
