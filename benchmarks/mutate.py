"""Plants small errors into the package, runs the tests, and lists the errors that no test has found.

    python benchmarks/mutate.py                               some errors in each file of FILES
    python benchmarks/mutate.py bandits/exp3.py --each 1000   all errors of one file
    python benchmarks/mutate.py --seed 3 --each 5 --json out.json
    python benchmarks/mutate.py --anywhere 100 --seed 3       errors drawn from all of src, each place as likely as any other
    python benchmarks/mutate.py --anywhere 100 --cores 12     twelve errors at a time
    python benchmarks/mutate.py --again out.json              those that were not found, after tests were written
    python benchmarks/mutate.py --anywhere 100 --guesses g.json    tests that are thought to find an error are run first

An error is one small change of the source: < becomes <=, + becomes -, `and` becomes `or`, a number grows by one, min becomes
max, a condition is turned round. It is planted into a copy of the package, so the working tree stays as it is. First the
file's own tests run on the copy, then others that import it. If one fails that passes without the error, or they take much
longer than without it, the error is found. Tests run interpreted where that is quick enough, because then nothing has
to be compiled again; those that are slow or fail when interpreted run compiled, after all others.

An error costs minutes where its tests have to be compiled, and seconds if the one test that finds it is run first. A file of
guesses, {error: [test, ...]}, names such tests, as pytest does; it is read anew for each error, so it may grow meanwhile. A
guess that finds nothing costs its own time only: the chosen tests follow all the same. An empty list says that no test will
find the error: it counts as not found without a try, which can only make the share smaller.

What is not found is either a test that is missing, or harmless: another spelling of the same algorithm. `mutations.md` beside
this file argues for those that are known to be harmless. They are matched by file, text and change, and count as explained.
"""

import argparse
import ast
import collections
import contextlib
import copy
import functools
import json
import os
import pathlib
import queue
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent import futures
from typing import Any, NamedTuple

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "fogtree"
ARGUED = pathlib.Path(__file__).with_suffix("").with_name("mutations.md")
ALL = ["tests/test_defaults.py", "tests/test_limits.py"]  # what watches over the defaults and the limits of all files
QUICK = 10.0  # seconds on idle cores that a file of tests may take interpreted; if it takes longer, it runs compiled
LONG = 5 * 60.0  # that it may take compiled
SLACK = 5.0  # an error is found if tests take so many times as long as without it
LEAST = 12.0  # and so many seconds at least
SLOW = "takes too long"
LEAST_TESTS = 4  # if fewer files of tests import a file, those count too that import a file that imports it
ELSEWHERE = {"test_gpu.py", "test_house.py", "test_browser.py"}  # for a GPU; looks at texts; needs a browser
NO_TESTS = 5  # pytest's word for it

FILES = {  # an algorithm -> the tests that are its own
    "bandits/averaging.py": [
        "tests/bandits/test_regret.py",
        "tests/bandits/test_exp3.py",
        "tests/bandits/test_bounds.py",
    ],
    "bandits/counting.py": [
        "tests/bandits/test_uct.py",
        "tests/bandits/test_greedy.py",
        "tests/bandits/test_tuned.py",
        "tests/bandits/test_bounds.py",
    ],
    "bandits/deterministic.py": ["tests/bandits/test_deterministic.py", "tests/bandits/test_bounds.py"],
    "bandits/exp3.py": ["tests/bandits/test_exp3.py", "tests/bandits/test_bounds.py"],
    "bandits/greedy.py": ["tests/bandits/test_greedy.py", "tests/bandits/test_bounds.py"],
    "bandits/nondeterministic.py": ["tests/bandits/test_nondeterministic.py", "tests/bandits/test_bounds.py"],
    "bandits/rave.py": ["tests/bandits/test_rave.py", "tests/bandits/test_bounds.py"],
    "bandits/regret.py": ["tests/bandits/test_regret.py", "tests/bandits/test_bounds.py"],
    "bandits/reset.py": ["tests/bandits/test_reset.py", "tests/bandits/test_bounds.py"],
    "bandits/risk.py": ["tests/bandits/test_risk.py", "tests/bandits/test_bounds.py"],
    "bandits/tuned.py": ["tests/bandits/test_tuned.py", "tests/bandits/test_bounds.py"],
    "bandits/uct.py": ["tests/bandits/test_uct.py", "tests/bandits/test_bounds.py"],
    "bandits/window.py": ["tests/bandits/test_window.py", "tests/bandits/test_bounds.py"],
    "dice.py": ["tests/test_dice.py"],
    "policy.py": ["tests/test_policy.py"],
    "strategy.py": ["tests/test_strategy.py"],
    **{
        f"contract/{name}.py": ["tests/test_contract.py", "tests/test_broken_games.py", "tests/test_entry.py"]
        for name in ("walk", "asking", "rules", "views", "hints", "people", "possible")
    },
    "contract/noticing.py": ["tests/test_broken_games.py"],
    "text/parameters.py": ["tests/text/test_parameters.py", "tests/test_notebooks.py"],
    "kernels/source.py": ["tests/test_entry.py"],
    "walk/frontier.py": ["tests/walk/test_frontier.py"],
    "walk/slices.py": ["tests/walk"],
    "walk/table.py": ["tests/walk"],
    "walk/estimate.py": ["tests/walk/test_estimate.py"],
    "walk/whole.py": ["tests/walk", "tests/measure/test_count.py"],
    "games/goofspiel.py": ["tests/games/test_goofspiel.py", "tests/games/test_imagining.py"],
    "games/kuhn.py": ["tests/games/test_kuhn.py"],
    "games/leduc.py": ["tests/games/test_leduc.py"],
    "games/liars_dice.py": ["tests/games/test_liars_dice.py"],
    "games/matrix.py": ["tests/games/test_matrix.py"],
    "games/phantom_ttt.py": ["tests/games/test_phantom_ttt.py"],
    "games/random_games.py": ["tests/games/test_random_games.py"],
    "games/tree.py": ["tests/games/test_tree.py"],
    "judges.py": ["tests/test_judges.py", "tests/test_tabled_judge.py"],
    "learn/bootstrap.py": ["tests/learn/test_bootstrap.py"],
    "learn/differences.py": ["tests/learn/test_bootstrap.py", "tests/learn/test_training.py"],
    "learn/links.py": ["tests/learn/test_links.py"],
    "learn/steps.py": ["tests/learn/test_steps.py", "tests/learn/test_bootstrap.py"],
    "learn/training.py": ["tests/learn/test_training.py"],
    "measure/match.py": ["tests/measure/test_match.py"],
    "measure/count.py": ["tests/measure/test_count.py"],
    "measure/curve.py": ["tests/measure/test_curve.py"],
    "measure/duel.py": ["tests/measure/test_duel.py", "tests/measure/test_duplicate.py"],
    "measure/exploitability.py": ["tests/measure/test_exploitability.py"],
    "measure/intervals.py": ["tests/measure/test_intervals.py"],
    "measure/local_response.py": ["tests/measure/test_local_response.py"],
    "measure/stubborn.py": ["tests/measure/test_stubborn.py"],
    "measure/track.py": ["tests/measure/test_track.py"],
    "arena/draws.py": ["tests/arena/test_rating.py"],
    "arena/pairs.py": ["tests/arena/test_pairs.py", "tests/learn/test_training.py"],
    "arena/position.py": ["tests/arena/test_position.py"],
    "arena/rating.py": ["tests/arena/test_rating.py"],
    "arena/referee.py": ["tests/arena/test_referee.py"],
    "arena/tournament.py": ["tests/arena/test_tournament.py", "tests/arena/test_round_table.py"],
    "search/open/alphabeta.py": ["tests/search/test_alphabeta.py"],
    "search/open/descent.py": ["tests/search/test_alphabeta.py"],
    "runs/identity.py": ["tests/runs/test_reach.py", "tests/runs/test_runs.py"],
    "runs/reach.py": ["tests/runs/test_reach.py"],
    "search/worlds/belief.py": ["tests/search/test_belief.py"],
    "search/trees/ear.py": ["tests/search/test_ear.py"],
    "search/trees/ismcts.py": ["tests/search/test_ismcts.py"],
    "search/trees/mcts.py": ["tests/search/test_mcts.py"],
    "search/trees/mmcts.py": ["tests/search/test_mmcts.py"],
    "search/trees/onesided.py": ["tests/search/test_onesided.py"],
    "search/worlds/pimc.py": ["tests/search/test_pimc.py"],
    "search/playout.py": ["tests/search/test_playout.py"],
    "search/trees/roots.py": ["tests/search/test_roots.py"],
    "search/worlds/sampler.py": ["tests/search/test_sampler.py"],
    "search/selfplay.py": ["tests/search/test_selfplay.py"],
    "search/open/transpositions.py": ["tests/search/test_transpositions.py"],
    "solvers/exact/bimatrix.py": ["tests/solvers/test_bimatrix.py"],
    "solvers/regret/cfr.py": ["tests/solvers/test_cfr.py"],
    "solvers/public/chance_sampled.py": ["tests/solvers/test_chance_sampled.py"],
    "solvers/exact/correlated.py": ["tests/solvers/test_correlated.py"],
    "solvers/exact/dominance.py": ["tests/solvers/test_dominance.py"],
    "solvers/regret/general_cfr.py": ["tests/solvers/test_general_cfr.py"],
    "solvers/regret/mccfr.py": ["tests/solvers/test_mccfr.py"],
    "solvers/forms/expected.py": ["tests/measure/test_exploitability.py", "tests/solvers/test_streamed_oracle.py"],
    "transforms/restricted.py": ["tests/solvers/test_restricted.py"],
    "solvers/streamed/streamed_oracle.py": ["tests/solvers/test_streamed_oracle.py"],
    "solvers/exact/oracle.py": ["tests/solvers/test_oracle.py"],
    "solvers/profile.py": ["tests/solvers/test_profile.py"],
    "solvers/forms/response.py": ["tests/solvers/test_response.py"],
    "solvers/exact/retrograde.py": ["tests/solvers/test_retrograde.py"],
    "solvers/forms/sequence.py": ["tests/solvers/test_sequence.py"],
    "solvers/exact/simplex.py": ["tests/solvers/test_simplex.py"],
    "solvers/solution.py": ["tests/solvers/test_solution.py"],
    "solvers/tasks.py": ["tests/solvers/test_solution.py"],
    "solvers/until.py": ["tests/solvers/test_until.py"],
    "solvers/forms/certificates.py": ["tests/solvers/test_solution.py", "tests/solvers/test_streamed_oracle.py"],
    "solvers/regret/sampled.py": ["tests/solvers/test_solution.py"],
    "solvers/streamed/stream.py": ["tests/solvers/test_stream.py"],
    "solvers/streamed/lists.py": ["tests/solvers/test_stream.py"],
    "solvers/forms/strategic.py": ["tests/solvers/test_strategic.py", "tests/solvers/test_correlated.py"],
    "solvers/exact/support.py": ["tests/solvers/test_support.py"],
}


def tests_of(file: str, most: int) -> list[str]:
    """The tests of a file of the package, its own first: those of FILES or of its name, then those that import it, then
    those that import a file that imports it, and so on. No more than `most`, but all of its own."""
    path = pathlib.PurePath(file).with_suffix("")
    room, above = path.parts[0] if len(path.parts) > 1 else "", path.parent.name
    near = [f"test_{path.name}.py", f"test_{above}_{path.name}.py", f"test_{above}.py"]
    own = [each for given in FILES.get(file, []) for each in files_in(given)]
    own += [each for name in near if (ROOT / (each := str(pathlib.PurePath("tests", room, name)))).exists()]
    found, circle, seen = dict.fromkeys(own), {module_of(SOURCE / file)}, set[str]()
    while circle and len(found) < LEAST_TESTS:
        found |= dict.fromkeys(test for test, used in imports_of(ROOT / "tests").items() if used & circle)
        seen |= circle
        circle = {one for one, used in imports_of(SOURCE).items() if used & circle} - seen - {"fogtree"}
    tests = [
        test for test in found if (name := pathlib.PurePath(test).name).startswith("test_") and name not in ELSEWHERE
    ]
    return [*tests[: max(most, len(own))], *(each for each in ALL if each not in tests)]


def files_in(tests: str) -> list[str]:
    """A file of tests, or all in a folder."""
    return (
        [tests] if tests.endswith(".py") else [str(each.relative_to(ROOT)) for each in (ROOT / tests).glob("test_*.py")]
    )


@functools.cache
def imports_of(folder: pathlib.Path) -> dict[str, set[str]]:
    """The modules that each file imports: of the package, named as modules, or of the tests, named as files."""
    found = {}
    for path in sorted(folder.rglob("*.py")):
        parts, modules = module_of(path).split("."), set()
        package = parts if path.name == "__init__.py" else parts[:-1]
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                modules |= {each.name for each in node.names}
            elif isinstance(node, ast.ImportFrom):
                above = package[: len(package) - node.level + 1] if node.level else []
                base = ".".join([*above, *([node.module] if node.module else [])])
                modules |= {base} | {f"{base}.{each.name}" for each in node.names}
            elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                modules.add(f"fogtree.{node.attr}")  # ft.Kuhn
        modules |= {public()[name] for name in modules & public().keys()}
        found[module_of(path) if folder == SOURCE else str(path.relative_to(ROOT))] = modules
    return found


@functools.cache
def public() -> dict[str, str]:
    """{name of the package: the module that defines it}, so that who imports the name counts for the module."""
    stubs = ast.parse((SOURCE / "__init__.pyi").read_text())
    names = {each.name for node in stubs.body if isinstance(node, ast.ImportFrom) for each in node.names}
    found = {}
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and node.name in names:
                found[f"fogtree.{node.name}"] = module_of(path)
    return found


def module_of(path: pathlib.Path) -> str:
    parts = path.relative_to(SOURCE.parent if SOURCE in path.parents else ROOT).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


Place = tuple[Any, Callable[[Any], None]]  # a node, and what changes a copy of it
COMPARED = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq}
REVERSED = {ast.Lt: ast.GtE, ast.LtE: ast.Gt, ast.Gt: ast.LtE, ast.GtE: ast.Lt}
COUNTED = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult}
COUNTED |= {
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
}
COUNTED |= {ast.LShift: ast.RShift, ast.RShift: ast.LShift}
SWAPPED = {"min": "max", "max": "min"}


class Mutation(NamedTuple):
    file: str
    line: int
    was: str
    becomes: str
    inside: str  # the line where it stands
    text: str  # of the whole file with the error in it
    nth: int = 0  # how many errors of the file with the same key stand before it

    def key(self) -> str:
        """How the file of arguments names it; not by its line, which moves."""
        return f"{self.file}: `{self.was}` -> `{self.becomes}` in `{self.inside}`"


# --- errors ----------------------------------------------------------------------------------------------------------


def mutations(file: str, wanted: set[str] | None = None) -> Iterator[Mutation]:
    """All small errors that can be planted into a file, each alone; or those of them that are wanted, by their keys."""
    places, lines = places_of(file)
    met = collections.Counter[str]()
    for place in places:
        if mutation := planted(file, lines, *place, wanted):
            yield mutation._replace(nth=met[mutation.key()])
            met[mutation.key()] += 1


def places_of(file: str) -> tuple[list[Place], list[str]]:
    source = (SOURCE / file).read_text()
    return list(_places(ast.parse(source))), source.splitlines(keepends=True)


def planted(
    file: str, lines: list[str], node: Any, change: Callable[[Any], None], wanted: set[str] | None = None
) -> Mutation | None:
    """One error; None if it is not wanted, or if the changed file is the same or no Python."""
    changed = copy.deepcopy(node)
    change(changed)
    was, becomes = ast.unparse(node), ast.unparse(changed)
    if was == becomes or node.end_lineno is None or node.end_col_offset is None:
        return None
    made = Mutation(file, node.lineno, was, becomes, lines[node.lineno - 1].strip(), "")
    if wanted is not None and made.key() not in wanted:
        return None
    if isinstance(node, (ast.BinOp, ast.BoolOp, ast.UnaryOp, ast.Compare)):
        becomes = f"({becomes})"
    begin, end = (node.lineno - 1, node.col_offset), (node.end_lineno - 1, node.end_col_offset)
    head = "".join(lines[: begin[0]]) + lines[begin[0]].encode()[: begin[1]].decode()
    tail = lines[end[0]].encode()[end[1] :].decode() + "".join(lines[end[0] + 1 :])
    text = head + becomes + tail
    try:
        compile(text, file, "exec")
    except SyntaxError:
        return None
    return made._replace(text=text)


def drawn(count: int, seed: int) -> list[Mutation]:
    """Errors from all files of the package, each place as likely as any other."""
    files = [str(path.relative_to(SOURCE)) for path in sorted(SOURCE.rglob("*.py"))]
    read = {file: places_of(file) for file in files}
    places = [(file, i) for file in files for i in range(len(read[file][0]))]
    random.Random(seed).shuffle(places)
    found: list[Mutation] = []
    for file, i in places:
        if len(found) == count:
            break
        mutation = planted(file, read[file][1], *read[file][0][i])
        if mutation is not None:
            alike = [each.text for each in mutations(file, {mutation.key()})]
            found.append(mutation._replace(nth=alike.index(mutation.text)))
    return found


def _places(tree: ast.AST) -> Iterator[Place]:
    """Everything that is computed: not for documentation and types."""
    texts = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}  # documentation
    notes = {id(part) for node in ast.walk(tree) for part in _notes(node)}
    for node in ast.walk(tree):
        if id(node) in texts or id(node) in notes or not hasattr(node, "lineno"):
            continue
        match node:
            case ast.Compare(ops=[op]) if type(op) in COMPARED:
                yield node, _setting("ops", [COMPARED[type(op)]()])
                if type(op) in REVERSED:
                    yield node, _setting("ops", [REVERSED[type(op)]()])
            case ast.BinOp(op=op) | ast.AugAssign(op=op) if type(op) in COUNTED:
                yield node, _setting("op", COUNTED[type(op)]())
            case ast.BoolOp(op=op):
                yield node, _setting("op", ast.Or() if isinstance(op, ast.And) else ast.And())
            case ast.UnaryOp(op=ast.Not() | ast.USub()):
                yield node, _setting("op", ast.UAdd())  # + of a truth value is as true as itself
            case ast.Constant(value=bool(value)):
                yield node, _setting("value", not value)
            case ast.Constant(value=int(value) | float(value)):
                yield node, _setting("value", value + 1)
            case ast.Name(id=name) if name in SWAPPED:
                yield node, _setting("id", SWAPPED[name])
            case ast.IfExp(test=test):
                yield node, _setting("test", ast.UnaryOp(ast.Not(), test))


def _setting(field: str, value: Any) -> Callable[[Any], None]:
    return lambda node: setattr(node, field, value)


def _notes(node: ast.AST) -> Iterator[ast.AST]:
    """What stands in annotations, the wording of errors, texts inside f-strings, and `strict=True`, which guards `zip`
    against a slip of the programmer and changes nothing without one."""
    for note in (getattr(node, "annotation", None), getattr(node, "returns", None)):
        if note is not None:
            yield from ast.walk(note)
    if isinstance(node, (ast.JoinedStr, ast.Raise)) or (isinstance(node, ast.keyword) and node.arg == "strict"):
        yield from ast.walk(node)


# --- tests -----------------------------------------------------------------------------------------------------------


class Bench:
    """Copies of the package, one for each error that is tried at the same time, and what is known of the tests."""

    def __init__(self, folder: pathlib.Path, cores: int, most: int, guesses: str | None) -> None:
        self.most, self.guesses, self.clean = most, guesses, folder / "clean"
        self.copies: queue.Queue[pathlib.Path] = queue.Queue()
        for copied in (self.clean, *(folder / f"{number}" for number in range(cores))):
            shutil.copytree(SOURCE, copied / "fogtree", ignore=shutil.ignore_patterns("__pycache__"))
        for number in range(cores):
            self.copies.put(folder / f"{number}")
        self.slow: set[str] = set()  # tests that take too long interpreted
        self.failing: dict[bool, set[str]] = {True: set(), False: set()}  # [interpreted] that fail without any error
        self.seconds: dict[str, float] = {}  # that tests take compiled without an error, where this was asked

    def finds(self, mutation: Mutation) -> str:
        """The test that finds the error; nothing if none does."""
        copied = self.copies.get()
        place = copied / "fogtree" / mutation.file
        before = place.read_text()
        try:
            place.write_text(mutation.text)
            thought = guessed(self.guesses, mutation)
            if thought == []:
                return ""
            return self._found_by(copied, thought or []) or self._found_by(copied, tests_of(mutation.file, self.most))
        finally:
            place.write_text(before)
            self.copies.put(copied)

    def _found_by(self, copied: pathlib.Path, given: list[str]) -> str:
        """The first of the tests that fails: interpreted if that is quick, and then those that have to be compiled."""
        for tests in given:
            if tests not in self.slow and (failed := self._failed(copied, tests, QUICK, True)):
                if failed != SLOW:
                    return failed
                self.slow.add(tests)  # or the error makes it slow, which is then found compiled
        return next(filter(None, (self._found_compiled(copied, tests) for tests in given)), "")

    def _found_compiled(self, copied: pathlib.Path, tests: str) -> str:
        if tests not in self.slow:
            known = [test for test in self.failing[True] if test.startswith(tests)]
            return self._failed(copied, known, LONG, False)
        failed = self._failed(copied, tests, SLACK * self.seconds.get(tests, LEAST), False)
        if failed != SLOW or tests in self.seconds:
            return failed
        began = time.monotonic()
        whole = self._failed(self.clean, tests, LONG, False)
        self.seconds[tests] = max((time.monotonic() - began) / busy(), LEAST)
        return "" if whole == SLOW else SLOW

    def _failed(self, copied: pathlib.Path, tests: str | list[str], seconds: float, interpreted: bool) -> str:
        """The first test that fails with an error in the package and not without it; SLOW if they take too long."""
        if not tests:
            return ""
        given = [tests] if isinstance(tests, str) else tests
        while True:
            left_out = [f"--deselect={test}" for test in sorted(self.failing[interpreted])]
            code, failed = run_tests(copied, ["-x", *given, *left_out], seconds, interpreted)
            if code is None:
                return SLOW
            if code in (0, NO_TESTS):
                return ""
            if copied == self.clean or failed is None:
                return failed or "a crash"
            if run_tests(self.clean, [failed], LONG, interpreted)[0] == 0:
                return failed
            self.failing[interpreted].add(failed)


def run_tests(
    copied: pathlib.Path, words: list[str], seconds: float, interpreted: bool
) -> tuple[int | None, str | None]:
    """What pytest ends with on a copy of the package, None if it takes too long; and the test that failed."""
    environment = os.environ | {"PYTHONPATH": path_with(copied), "NUMBA_DISABLE_JIT": "1" if interpreted else "0"}
    own = pathlib.Path(tempfile.mkdtemp(dir=copied))
    told, folder = own / "told", f"--basetemp={own / 'files'}"
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        "-rfE",
        "--tb=no",
        folder,
    ]
    with told.open("w") as output:
        process = subprocess.Popen(
            [*command, *words],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    try:
        code = process.wait(seconds * busy())
        failed = re.search(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", told.read_text(), re.MULTILINE)
        return code, failed[1] if failed else None
    except subprocess.TimeoutExpired:
        return None, None
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # the process that was started here, and what it has started
        process.wait()
        shutil.rmtree(own, ignore_errors=True)


def busy() -> float:
    """How much longer everything takes because others are at work too."""
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


def path_with(copied: pathlib.Path) -> str:
    """Where Python looks for packages: first in the copy, then where it looked before, but not in the working tree."""
    before = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    return os.pathsep.join(
        [str(copied), *(str(ROOT / each) for each in before if each and ROOT / each != SOURCE.parent)]
    )


def argued() -> set[str]:
    """The errors that are known to be harmless."""
    text = ARGUED.read_text() if ARGUED.exists() else ""
    return set(re.findall(r"^- (\S+: `.*?` -> `.*?` in `.*`)$", text, re.MULTILINE))


def guessed(guesses: str | None, mutation: Mutation) -> list[str] | None:
    """The tests that someone thinks will find the error; None if nobody has thought of it."""
    return json.loads(pathlib.Path(guesses).read_text()).get(mutation.key()) if guesses else None


def missed(path: str) -> list[tuple[str, int]]:
    """The errors of an earlier run that were not found, or not tried for want of time: the key and `nth`."""
    planted = json.loads(pathlib.Path(path).read_text())
    return [(each["error"], each.get("nth", 0)) for each in planted if each["verdict"] in ("NOT FOUND", "not tried")]


def write(path: pathlib.Path, verdicts: dict[Mutation, tuple[str, str]]) -> None:
    rows = [
        {
            "file": mutation.file,
            "line": mutation.line,
            "error": mutation.key(),
            "nth": mutation.nth,
            "verdict": verdict,
            "by": test,
        }
        for mutation, (verdict, test) in verdicts.items()
    ]
    path.write_text(json.dumps(rows, indent=1))


def chosen(given: argparse.Namespace) -> list[Mutation]:
    """The errors that the command line asks for."""
    if given.anywhere is not None:
        return drawn(given.anywhere, given.seed)
    if given.again is not None:
        wanted = missed(given.again)  # in the order in which they were drawn
        files, keys = {key.partition(": ")[0] for key, _ in wanted}, {key for key, _ in wanted}
        again = {(mutation.key(), mutation.nth): mutation for file in files for mutation in mutations(file, keys)}
        return [again[each] for each in wanted if each in again]
    errors = []
    for file in given.files or FILES:
        here = list(mutations(file))
        random.Random(f"{given.seed} {file}").shuffle(here)
        errors += here[: given.each]
    return errors


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("files", nargs="*", metavar="FILE", help="Files below src/fogtree. By default those of FILES.")
    parser.add_argument("--each", type=int, default=4, help="The most errors that are planted into a file.")
    parser.add_argument("--anywhere", type=int, help="How many errors are drawn from all files together.")
    parser.add_argument("--seed", type=int, default=0, help="Which errors are drawn.")
    parser.add_argument("--minutes", type=float, default=60.0, help="No error is planted after so many minutes.")
    parser.add_argument("--json", help="Write what was planted, and whether it was found, to this file.")
    parser.add_argument(
        "--again", metavar="FILE", help="Plant those errors of a --json file again that were not found."
    )
    parser.add_argument("--tests", type=int, default=8, help="The most files of tests that look for an error.")
    parser.add_argument("--cores", type=int, default=1, help="How many errors are tried at the same time.")
    parser.add_argument("--guesses", metavar="FILE", help="Tests that are run first: {error: [test, ...]}.")
    given = parser.parse_args()
    errors = chosen(given)
    end, harmless = time.monotonic() + 60 * given.minutes, argued()
    with tempfile.TemporaryDirectory() as folder, futures.ThreadPoolExecutor(given.cores) as workers:
        bench = Bench(pathlib.Path(folder), given.cores, given.tests, given.guesses)

        def tried(mutation: Mutation) -> tuple[Mutation, str | None]:
            return mutation, None if time.monotonic() >= end else bench.finds(mutation)

        verdicts = dict.fromkeys(errors, ("not tried", ""))
        for work in futures.as_completed([workers.submit(tried, mutation) for mutation in errors]):
            mutation, test = work.result()
            if test is not None:
                verdict = "found" if test else "harmless" if mutation.key() in harmless else "NOT FOUND"
                verdicts[mutation] = verdict, test
                print(f"{verdict:9}  line {mutation.line:4}  {mutation.key()}{test and f'  by {test}'}", flush=True)
            if given.json:
                write(pathlib.Path(given.json), verdicts)
    results = [{"verdict": verdict} for verdict, _ in verdicts.values() if verdict != "not tried"]
    count = {
        verdict: sum(each["verdict"] == verdict for each in results) for verdict in ("found", "harmless", "NOT FOUND")
    }
    planted = len(results)
    share = 100 * count["found"] / max(planted - count["harmless"], 1)
    print(
        f"{planted} errors planted: {count['found']} found, {count['harmless']} harmless, {count['NOT FOUND']} not found"
    )
    print(f"{share:.1f} % of those that can be found were found")
    sys.exit(1 if share < 95 and planted else 0)


if __name__ == "__main__":
    main()
