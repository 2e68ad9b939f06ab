"""What the documents say is so: their sessions are run, their numbers counted, their links followed."""

import doctest
import enum
import importlib.util
import inspect
import os
import pathlib
import pkgutil
import re
import sys
import tomllib

import numba
import pytest
from typer.testing import CliRunner

import fogtree
from fogtree.bandits import BANDITS
from fogtree.cli import app
from fogtree.text.parameters import valid

ROOT = pathlib.Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted(DOCS.rglob("*.md"))]
GAME_PAGES = {name: DOCS / "games" / f"{name}.md" for name in fogtree.GAMES}
HEADINGS = [
    "Description",
    "Rules",
    "Parameters",
    "Sizes",
    "Views",
    "Actions",
    "Payoffs",
    "Known values",
    "Sources",
    "Version history",
]
ALGORITHM_PAGES = [
    "abstraction",
    "alpha-beta",
    "bootstrapping",
    "ismcts",
    "mmcts",
    "belief-sampler",
    "one-sided",
    "pimc",
    "uct-risk",
    "bandits",
    "rave",
    "playout-policies",
    "beliefs",
    "sequence-form",
    "cfr",
    "exploitability",
    "solve",
    "general-form",
    "bimatrix-equilibria",
    "correlated",
]
SMALL = 3_000_000  # histories; for larger games see tests/games/test_huge.py
LIKE = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def blocks(text: str) -> list[tuple[str, str]]:
    """The fenced blocks of a page: their language and what is in them."""
    return re.findall(r"^```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def without_speeds(text: str) -> str:
    """A machine's speed is no claim of the text."""
    return re.sub(r"[\d,.]+(?= s\b| games a second| histories a second)", "#", text)


def assert_alike(found: str, expected: str) -> None:
    assert doctest.OutputChecker().check_output(without_speeds(expected), without_speeds(found), LIKE), found


def run_doctests(text: str, name: str, names: dict | None = None) -> int:
    """Run a session and return how many lines it had. `names` are kept from one session of a page to the next."""
    test = doctest.DocTestParser().get_doctest(without_speeds(text), {}, name, name, 0)
    if names is not None:
        test.globs = names
    checker = doctest.OutputChecker()
    checker.check_output = lambda want, got, flags: doctest.OutputChecker.check_output(
        checker, want, without_speeds(got), flags
    )
    outcome = doctest.DocTestRunner(checker, optionflags=LIKE).run(test, clear_globs=names is None)
    assert outcome.failed == 0
    return outcome.attempted


# --- sessions ----------------------------------------------------------------------------------------------------


def test_the_session_of_the_readme_prints_what_it_says():
    sessions = [text for language, text in blocks((ROOT / "README.md").read_text()) if language == "pycon"]
    assert sum(run_doctests(text, "README.md") for text in sessions) >= 5


COMPILED = {"bootstrapping"}  # it learns from hundreds of games, with kernels that other tests compile as well


@pytest.mark.parametrize("page", ALGORITHM_PAGES)
def test_the_session_of_an_algorithm_prints_what_it_says(page, monkeypatch):
    if page not in COMPILED:
        monkeypatch.setattr(numba.config, "DISABLE_JIT", 1)  # small sessions: nothing waits for the compiler
    text = (DOCS / "algorithms" / f"{page}.md").read_text()
    sessions = [text for language, text in blocks(text) if language == "pycon"]
    assert sum(run_doctests(text, page) for text in sessions) >= 5


SESSIONS = [  # of the other pages
    "endgame-tables",
    "mccfr",
    "mcts",
    "mmds",
    "oos",
    "perfect",
    "policies",
    "resolving",
    "self-play",
    "soundness",
    "streamed-oracle",
    "symmetries",
    "vector-cfr",
]


@pytest.mark.parametrize("page", SESSIONS)
def test_the_session_of_another_page_prints_what_it_says(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names: dict = {}
    sessions = [
        text for language, text in blocks((DOCS / "algorithms" / f"{page}.md").read_text()) if language == "pycon"
    ]
    assert sum(run_doctests(text, page, names) for text in sessions) >= 3


@pytest.mark.parametrize("page", ["python.md", "your-own-bandit.md"])
def test_a_walk_through_prints_what_it_says(page, tmp_path, monkeypatch):
    monkeypatch.setattr(numba.config, "DISABLE_JIT", 1)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "softmax", raising=False)
    found = blocks((DOCS / page).read_text())
    written = "".join(text for language, text in found if language == "python")
    (tmp_path / "softmax.py").write_text(written)
    names: dict = {}
    assert sum(run_doctests(text, page, names) for language, text in found if language == "pycon") >= 8


def test_the_page_on_poker_prints_what_it_says():
    names: dict = {}  # compiled: other tests compile the same kernels
    sessions = [text for language, text in blocks((DOCS / "poker.md").read_text()) if language == "pycon"]
    assert sum(run_doctests(text, "poker.md", names) for text in sessions) >= 8


def test_the_page_on_learning_prints_what_it_says(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "learn_kuhn", raising=False)
    found, names = blocks((DOCS / "learning.md").read_text()), {}
    (tmp_path / "learn_kuhn.py").write_text("".join(text for language, text in found if language == "python"))
    assert sum(run_doctests(text, "learning.md", names) for language, text in found if language == "pycon") >= 11
    first, *_, last = names["measured"]
    assert first == (0, pytest.approx(11 / 12, abs=1e-9))  # NashConv of uniform play in OpenSpiel's tests
    assert last[0] == 200 and last[1] < 0.3


SECOND_PART = "## What your game knows more than its rules"
TAKES_JUDGES = "judge" in inspect.signature(fogtree.ISMCTS).parameters


def test_your_own_game_works_as_the_page_says(tmp_path, monkeypatch):
    first, _, _ = (DOCS / "your-own-game.md").read_text().partition(SECOND_PART)
    assert follow_tutorial("", first, tmp_path, monkeypatch) >= 5


@pytest.mark.skipif(not TAKES_JUDGES, reason="searches take no judge yet")
def test_what_your_game_knows_more_than_its_rules_works_as_the_page_says(tmp_path, monkeypatch):
    first, _, second = (DOCS / "your-own-game.md").read_text().partition(SECOND_PART)
    written = "".join(text for language, text in blocks(first) if language == "python")
    assert follow_tutorial(written, second, tmp_path, monkeypatch) >= 1


def follow_tutorial(written: str, text: str, folder: pathlib.Path, monkeypatch) -> int:
    """Do what a page says with boxes.py, of which something may be written already; returns how many commands there were."""
    monkeypatch.chdir(folder)
    monkeypatch.syspath_prepend(folder)
    monkeypatch.delitem(sys.modules, "boxes", raising=False)
    page, commands, file = blocks(text), 0, folder / "boxes.py"
    for place, (language, text) in enumerate(page):
        if language == "python":
            written += text
            following = page[place + 1][0] if place + 1 < len(page) else ""
            if following != "python":
                file.write_text(written)
        elif language == "diff":
            old, new = (re.search(rf"^[{sign}](.*)\n", text, re.MULTILINE)[1] for sign in "-+")
            assert written.count(old) == 1
            file.write_text(written.replace(old, new))
        elif language == "pycon":
            run_doctests(text, "your-own-game.md")
        elif language == "console":
            command, expected = re.fullmatch(r"\$ fogtree (.*)\n((?:.*\n)*)", text).groups()
            assert_alike(fogtree_prints(command.split(), typed=moves_of(expected)), expected)
            commands += 1
    return commands


def moves_of(session: str) -> str:
    """What a person typed in a printed session: all that follows a prompt."""
    return "".join(f"{move}\n" for move in re.findall(r"your move \(.*\): (.*)", session))


def fogtree_prints(arguments: list[str], typed: str = "") -> str:
    """In this process, which has its compiler ready; for real processes see tests/test_cli.py."""
    printed = CliRunner().invoke(app, arguments, input=typed).output
    assert "Traceback" not in printed
    return printed.replace(f"{pathlib.Path.cwd()}{os.sep}", "")


# --- pages of games ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", fogtree.GAMES)
def test_every_game_has_a_page_with_the_fixed_headings(name):
    text = GAME_PAGES[name].read_text()
    assert re.findall(r"^## (.*)$", text, re.MULTILINE) == HEADINGS
    assert f"Version {fogtree.load(name).version()}" in section(text, "Version history")


@pytest.mark.parametrize("name", fogtree.GAMES)
def test_the_parameters_of_a_page_are_those_of_the_game(name):
    cls = fogtree.GAMES[name]
    found = [row[0].strip("`") for row in rows(section(GAME_PAGES[name].read_text(), "Parameters"))]
    assert found == list(cls._fields)
    for row in rows(section(GAME_PAGES[name].read_text(), "Parameters")):
        assert row[2] == valid(cls.accepts[row[0].strip("`")])


@pytest.mark.parametrize("name", fogtree.GAMES)
def test_the_sizes_of_a_page_are_what_counting_finds(name):
    table = rows(section(GAME_PAGES[name].read_text(), "Sizes"))
    assert table[0][0] == f"`{name}`"
    for text, *numbers in table:
        game = fogtree.load(text.strip("`"))
        if numbers[0] != "-" and int(numbers[0].replace(",", "")) <= SMALL:  # a dash: nobody can count them
            found = fogtree.count(game)
            assert [f"{n:,}" for n in (found.histories, found.ends, *found.infosets)] == numbers, text


def section(text: str, heading: str) -> str:
    return re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)[1]


def rows(text: str) -> list[list[str]]:
    """The rows of the first table in a text, without its head."""
    table = re.search(r"(?:^\|.*\n)+", text, re.MULTILINE)
    lines = table[0].splitlines()[2:] if table else []
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


# --- pages of algorithms -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", ALGORITHM_PAGES)
def test_a_page_of_an_algorithm_has_the_fixed_headings(page):
    text = (DOCS / "algorithms" / f"{page}.md").read_text()
    first, *others = re.findall(r"^## (.*)$", text, re.MULTILINE)
    assert first in ("What it computes", "What they compute")
    assert others == ["The equations", "Where from", "How to call it", "Speed", "Limits"]


def test_the_bandits_of_the_page_are_those_that_there_are():
    table = rows((DOCS / "algorithms" / "bandits.md").read_text())
    assert [row[0].strip("`") for row in table] == list(BANDITS)
    for name, cls, parameters, _ in table:
        bandit = BANDITS[name.strip("`")]
        assert cls == f"`{bandit.__name__}`" and hasattr(fogtree, bandit.__name__)
        assert parameters == ", ".join(f"{field} ({_default(bandit, field)})" for field in bandit._fields)


def _default(bandit, field):
    value = bandit._field_defaults[field]
    return value.name.lower().replace("_", "-") if isinstance(value, enum.Enum) else f"{value:g}"


# --- the rest ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_between_the_pages_lead_somewhere(page):
    for target in re.findall(r"\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)", page.read_text()):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"


LEFTOVER = re.compile(r"(?<![.\w])(?:[A-Z]*TABLE|TODO|FIXME|XXX+)\b")  # `module.TABLE` is a name


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_word_is_left_that_was_to_be_replaced(page):
    assert LEFTOVER.findall(page.read_text()) == []


def test_the_index_leads_to_every_page():
    listed = (DOCS / "index.md").read_text()
    for page in sorted(DOCS.rglob("*.md")):
        if page.name != "index.md":
            assert f"({page.relative_to(DOCS)})" in listed, f"docs/index.md does not mention {page.name}"


def test_every_dependency_has_its_reason():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    project, tools = settings["project"], settings["dependency-groups"]
    groups = [project["dependencies"], *project["optional-dependencies"].values(), *tools.values()]
    names = {re.match(r"[\w-]+", line)[0] for group in groups for line in group}
    listed = re.findall(r"^\| `([\w-]+)`", (DOCS / "dependencies.md").read_text(), re.MULTILINE)
    assert set(listed) == names


def picture_script(name: str):
    """A script of docs/pictures as a module."""
    spec = importlib.util.spec_from_file_location(f"{name}_picture", DOCS / "pictures" / f"{name}.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    return script


def test_the_picture_is_what_its_script_draws():
    assert picture_script("phantom_ttt").draw() == (DOCS / "pictures" / "phantom-ttt.svg").read_text()


def test_the_gallery_is_what_its_script_draws_and_shows_every_game():
    script, folder = picture_script("gallery"), DOCS / "pictures" / "games"
    found = script.pictures()
    assert {path.name: path.read_text() for path in folder.glob("*.svg")} == found
    assert script.PAGE.read_text() == script.page(found)
    assert all(f"{name}.svg" in found for name in fogtree.GAMES)


def test_the_readme_lists_every_command():
    listed = re.findall(r"^\| `fogtree (\w+)", (ROOT / "README.md").read_text(), re.MULTILINE)
    assert {*listed, "demo"} == {command.name for command in app.registered_commands}


def test_what_the_readme_names_in_python_is_there():
    tables = re.findall(r"^\| `fogtree .*$", (ROOT / "README.md").read_text(), re.MULTILINE)
    named = [name for row in tables for name in re.findall(r"`((?:ft|fogtree)\.[\w.]+)`", row)]
    assert len(named) > 20
    for name in named:
        assert pkgutil.resolve_name(re.sub(r"^ft\b", "fogtree", name)) is not None, name


def test_the_house_list_of_contributing_is_complete():
    house = (ROOT / "CONTRIBUTING.md").read_text().partition("## The house")[2].partition("```\n\n")[0]
    listed = set(re.findall(r"^    (\S+)", house, re.MULTILINE))
    files = {path.name for path in (ROOT / "src" / "fogtree").glob("*.py")} - {"__init__.py", "__main__.py"}
    folders = {f"{path.parent.name}/" for path in (ROOT / "src" / "fogtree").glob("*/__init__.py")}
    assert listed == files | folders


def test_every_command_and_make_target_that_is_named_exists():
    commands = {command.name for command in app.registered_commands}
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for page in PAGES:
        for span in re.findall(r"`((?:fogtree|make) [a-z].*?)`", page.read_text()):
            tool, name = span.split()[:2]
            assert name in (commands if tool == "fogtree" else targets), f"{page.name} names `{span}`"
