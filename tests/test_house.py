"""The house: imports between its rooms point one way, and no public name hides a room."""

import ast
import pathlib
import subprocess
import sys

import fogtree

ROOT = pathlib.Path(fogtree.__file__).parent
GROUND = {
    "errors",
    "files",
    "dice",
    "trouble",
    "game",
    "shapes",
    "policy",
    "evaluation",
    "endings",
    "strategy",
    "contract",
    "runs",
}
FLOORS = [  # a room may import its own floor and those below
    GROUND | {"kernels", "walk", "text"},
    {"games", "transforms", "bandits", "judges", "draw"},
    {"names"},
    {"search", "solvers"},
    {"learn"},
    {"bridges"},
    {"measure"},
    {"arena"},
    {"papers", "web", "cli", "__main__"},
]
LEVEL = {room: level for level, rooms in enumerate(FLOORS) for room in rooms}


def imports():
    """(file, room that imports, room imported) for every import inside the package."""
    for path in sorted(ROOT.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        if parts == ("__init__",):
            continue  # the public names come from everywhere
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and node.level:
                base = [*parts[: len(parts) - node.level], *(node.module or "").split(".")]
                base = [part for part in base if part]
                for name in [base[0]] if base else [alias.name for alias in node.names]:
                    yield str(path.relative_to(ROOT)), parts[0], name


def test_every_room_has_its_floor():
    rooms = {
        p.stem if p.is_file() else p.name for p in ROOT.iterdir() if p.suffix == ".py" or (p / "__init__.py").exists()
    }
    assert rooms - {"__init__"} == set(LEVEL)


def test_imports_point_one_way():
    climbing = [(file, to) for file, room, to in imports() if to in LEVEL and LEVEL[to] > LEVEL[room]]
    assert not climbing


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


def test_what_is_public_is_listed_and_there():
    assert sorted(fogtree.__all__) == sorted(set(fogtree.__all__))
    assert all(hasattr(fogtree, name) for name in fogtree.__all__)
    rooms = {name for name in vars(fogtree) if isinstance(getattr(fogtree, name), type(fogtree))}
    assert {name for name in vars(fogtree) if not name.startswith("_")} - rooms == set(fogtree.__all__)


def test_a_command_loads_its_own_file_and_its_own_game():
    script = (
        "import sys; sys.argv = ['fogtree', 'convert', 'kuhn', 'x.efg', '--help']; import fogtree.cli\n"
        "try:\n    fogtree.cli.main()\nexcept SystemExit:\n    pass\n"
        "import fogtree.names; fogtree.names.load('kuhn')\n"
        "loaded = [name for name in sys.modules if name.startswith(('fogtree.cli.', 'fogtree.games.'))]\n"
        "print(sorted(loaded), {'fogtree.search.trees.ismcts', 'fogtree.arena.agents', 'matplotlib'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    wanted = [
        "fogtree.cli.completing",
        "fogtree.cli.screen",
        "fogtree.cli.shell",
        "fogtree.cli.solving",
        "fogtree.cli.stopping",
        "fogtree.games.kuhn",
    ]
    assert done.stdout.splitlines()[-1] == f"{wanted} set()"


def test_every_command_is_found_in_its_file_and_in_this_order():
    from fogtree import cli

    files = {info.name: info.callback.__module__ for info in cli.app.registered_commands}
    named = {name: f"fogtree.cli.{file}" for file, names in cli.FILES.items() for name in names}
    assert list(files.items()) == list(named.items())


def test_importing_the_package_loads_nothing_heavy():
    script = "import sys, fogtree; print(sorted({'numba', 'numpy', 'matplotlib', 'fogtree.games'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
