"""The house: imports between its rooms point one way, and no public name hides a room."""

import ast
import functools
import graphlib
import pathlib
import subprocess
import sys

import pytest

import fogtree

ROOT = pathlib.Path(fogtree.__file__).parent
TESTS = pathlib.Path(__file__).parent
GROUND = [  # a room of the ground floor may import itself and those before it
    "errors",
    "entrance",
    "looks",
    "clock",
    "trouble",
    "shapes",
    "dice",
    "files",
    "kernels",
    "game",
    "policy",
    "observation",
    "evaluation",
    "endings",
    "walk",
    "contract",
    "text",
    "strategy",
    "runs",
]
FLOORS = [  # a room may import its own floor and those below
    set(GROUND),
    {"games", "transforms", "bandits", "judges"},
    {"search", "solvers"},
    {"learn"},
    {"bridges"},
    {"measure"},
    {"draw"},
    {"arena"},
    {"papers", "web", "cli", "__main__"},
]
LEVEL = {room: level for level, rooms in enumerate(FLOORS) for room in rooms}


METHODS = {"search", "solvers", "learn", "measure"}


def file_of(*parts):
    """The file of a module, such as walk/table.py, or None where a folder or a file has another name."""
    module = ROOT.joinpath(*parts)
    inside = module / "__init__.py"
    found = inside if inside.exists() else module.with_suffix(".py")
    return str(found.relative_to(ROOT)) if found.exists() else None


@functools.cache
def file_imports():
    """(file that imports, file imported) for every import inside the package, also those inside functions."""
    found = []
    for path in sorted(ROOT.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        if parts == ("__init__",):
            continue  # the public names come from everywhere
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and node.level:
                base = [*parts[: len(parts) - node.level], *(node.module.split(".") if node.module else ())]
                for name in node.names:
                    found.append((str(path.relative_to(ROOT)), file_of(*base, name.name) or file_of(*base)))
    return found


def room_of(file):
    return pathlib.PurePath(file).with_suffix("").parts[0]


def imports():
    """(file, room that imports, room imported) for every import inside the package."""
    for file, other in file_imports():
        yield file, room_of(file), room_of(other)


def test_every_room_has_its_floor():
    rooms = {
        p.stem if p.is_file() else p.name for p in ROOT.iterdir() if p.suffix == ".py" or (p / "__init__.py").exists()
    }
    assert rooms - {"__init__"} == set(LEVEL)


def test_imports_point_one_way():
    climbing = [(file, to) for file, room, to in imports() if to in LEVEL and LEVEL[to] > LEVEL[room]]
    assert not climbing


def test_the_rooms_of_the_ground_floor_stand_in_order():
    place = {room: n for n, room in enumerate(GROUND)}
    assert not [(file, to) for file, room, to in imports() if room in place and place[to] > place[room]]


def test_no_files_of_the_ground_floor_import_each_other_in_a_circle():
    below: dict[str, set[str]] = {}
    for file, other in file_imports():
        if room_of(file) in GROUND and file != other:
            below.setdefault(file, set()).add(other)
    graphlib.TopologicalSorter(below).prepare()  # raises CycleError, which names the files


def test_search_solvers_learn_and_measure_know_no_game_and_no_picture():
    assert not [(file, to) for file, room, to in imports() if room in METHODS and to in ("games", "draw")]


def test_nothing_imports_papers_the_page_or_the_command_line():
    # but the command line starts the others, and the page shows the papers' reports
    allowed = {("cli", "papers"), ("cli", "web"), ("web", "papers"), ("__main__", "cli")}
    assert not [
        (file, to)
        for file, room, to in imports()
        if to in ("papers", "web", "cli") and room != to and (room, to) not in allowed
    ]


def test_no_module_is_named_in_a_string_of_a_lower_room():
    # importlib with a name in a string would hide an import upstairs; only papers find their parts so
    hidden = [p for p in ROOT.rglob("*.py") if "import_module(" in p.read_text() and p.parent.name != "papers"]
    assert not hidden


def test_a_solver_can_be_imported_under_another_name():
    # `import a.b.c as d` looks c up in b: a public function with the name of a room would stand in its place
    import fogtree.measure.exploitability as measured
    import fogtree.solvers.regret.cfr as solver

    assert solver.CFR is fogtree.CFR and measured.exploitability is fogtree.exploitability


def test_no_public_name_hides_a_room():
    assert all(isinstance(getattr(fogtree, room), type(fogtree)) for room in LEVEL if hasattr(fogtree, room))


def test_every_costly_test_is_one_that_exists():
    for test in (TESTS / "costly.txt").read_text().splitlines():
        if not test.startswith("#"):
            path, function = test.partition("[")[0].split("::")
            assert f"def {function}(" in (TESTS.parent / path).read_text(), test


def test_what_is_public_is_listed_and_there():
    assert sorted(fogtree.__all__) == sorted(set(fogtree.__all__))
    assert all(hasattr(fogtree, name) for name in fogtree.__all__)
    rooms = {name for name in vars(fogtree) if isinstance(getattr(fogtree, name), type(fogtree))}
    assert {name for name in vars(fogtree) if not name.startswith("_")} - rooms <= set(fogtree.__all__)


def test_a_command_loads_its_own_file_and_its_own_game():
    script = (
        "import sys; sys.argv = ['fogtree', 'convert', 'kuhn', 'x.efg', '--help']; import fogtree.cli\n"
        "try:\n    fogtree.cli.main()\nexcept SystemExit:\n    pass\n"
        "fogtree.load('kuhn')\n"
        "loaded = [name for name in sys.modules if name.startswith(('fogtree.cli.', 'fogtree.games.'))]\n"
        "print(sorted(loaded), {'fogtree.search.trees.ismcts', 'fogtree.arena.agents', 'matplotlib'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    wanted = [
        "fogtree.cli.completing",
        "fogtree.cli.screen",
        "fogtree.cli.screen.figures",
        "fogtree.cli.screen.live",
        "fogtree.cli.screen.results",
        "fogtree.cli.shell",
        "fogtree.cli.solving",
        "fogtree.cli.stopping",
        "fogtree.cli.values",
        "fogtree.games.kuhn",
        "fogtree.games.registry",
    ]
    assert done.stdout.splitlines()[-1] == f"{wanted} set()"


@pytest.mark.parametrize(
    "words", [["compare", "kuhn", "nobody"], ["compare", "nogame", "rm"], ["soundness", "nogame", "rm"]]
)
def test_a_mistyped_name_is_told_before_solvers_and_pictures_are_loaded(words):
    script = (
        f"import sys; sys.argv = ['fogtree', *{words}]; import fogtree.cli\n"
        "try:\n    fogtree.cli.main()\nexcept SystemExit:\n    pass\n"
        "print(sorted({'fogtree.solvers.tasks', 'fogtree.draw.curves', 'matplotlib'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert "there is no" in done.stderr and done.stdout.splitlines()[-1] == "[]"


def test_every_command_is_found_in_its_file_and_in_this_order():
    from fogtree import cli

    files = {info.name: info.callback.__module__ for info in cli.app.registered_commands}
    named = {name: f"fogtree.cli.{file}" for file, names in cli.FILES.items() for name in names}
    assert list(files.items()) == list(named.items())


def test_importing_the_package_loads_nothing_heavy_and_guards_the_entrance():
    script = (
        "import sys, fogtree.entrance\n"
        "print(sorted({'numba', 'numpy', 'matplotlib', 'fogtree.games'} & set(sys.modules)), len(fogtree.entrance.CHECKS))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[] 1"


def test_an_agent_is_loaded_when_it_is_named():
    script = (
        "import sys, fogtree.arena.referee; from fogtree.arena import agents; from fogtree.text.naming import load\n"
        "game = load('phantom-ttt')\n"
        "for name in ('random', 'rm:iterations=5'):\n    agents.require_fit(agents.load_agent(name), game)\n"
        "agents.HumanAgent; assert 'uci' in agents.AGENTS\n"
        "loaded = [name.removeprefix('fogtree.') for name in sys.modules if name.startswith('fogtree.')]\n"
        "print(len(loaded), *sorted(n for n in loaded if n.startswith(('games.', 'bridges.', 'learn', 'arena.agents.'))))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    count, *loaded = done.stdout.split()
    agents = [f"arena.agents.{file}" for file in ("believing", "fixed", "person", "searching", "words")]
    assert loaded == [*agents, "games.phantom_ttt", "games.phantom_twin", "games.registry", "games.tic_tac_toe"]
    assert int(count) < 90  # with all agents, and so with chess, SiGuo and hold'em, more than 140
