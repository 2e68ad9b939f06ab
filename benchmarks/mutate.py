"""Plants small errors into the algorithms, runs their own tests, and lists the errors that no test has found.

    python benchmarks/mutate.py                               some errors in each file of FILES
    python benchmarks/mutate.py bandits/exp3.py --each 1000   all errors of one file
    python benchmarks/mutate.py --seed 3 --each 5 --json out.json
    python benchmarks/mutate.py --anywhere 60 --seed 3        errors drawn from all of src, each place as likely as any other
    python benchmarks/mutate.py --again out.json              those that were not found, after tests were written

An error is one small change of the source: < becomes <=, + becomes -, `and` becomes `or`, a number grows by one, min becomes
max, a condition is turned round. It is planted into a copy of the package, so the working tree stays as it is. The tests of
the file run on the copy. If they fail, or take much longer than without the error, the error is found. The tests run
interpreted where that is quick enough, because then nothing has to be compiled again.

What is not found is either a test that is missing, or harmless: another spelling of the same algorithm. `mutations.md` beside
this file argues for those that are known to be harmless. They are matched by file, text and change, and count as explained.
"""

import argparse
import ast
import contextlib
import copy
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "fogtree"
ARGUED = pathlib.Path(__file__).with_suffix("").with_name("mutations.md")
ALL = ["tests/test_defaults.py", "tests/test_limits.py"]  # what watches over the defaults and the limits of all files
QUICK = 60.0  # seconds that the tests may take interpreted; if they take longer, they run compiled
SLACK, LEAST = (
    5.0,
    60.0,
)  # an error is found if the tests take so many times as long as without it, and so many seconds at least

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


def tests_of(file: str) -> list[str]:
    """The tests of any file of the package: those of FILES, or that of its name, or those that import it, or its room's."""
    if file in FILES:
        return FILES[file]
    path = pathlib.PurePath(file).with_suffix("")
    room = path.parts[0] if len(path.parts) > 1 else ""
    if (ROOT / "tests" / room / f"test_{path.name}.py").exists():
        return [str(pathlib.PurePath("tests", room, f"test_{path.name}.py"))]
    module = ".".join(["fogtree", *(part for part in path.parts if part != "__init__")])
    parent, _, last = module.rpartition(".")
    imports = re.compile(
        rf"from {re.escape(module)} import|import {re.escape(module)}\b|from {re.escape(parent)} import .*\b{last}\b"
    )
    importing = [test for test in sorted((ROOT / "tests").rglob("test_*.py")) if imports.search(test.read_text())]
    found = [str(test.relative_to(ROOT)) for test in importing]
    return found or [f"tests/{room}" if (ROOT / "tests" / room).is_dir() else "tests/test_game.py"]


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

    def key(self) -> str:
        """How the file of arguments names it; not by its line, which moves."""
        return f"{self.file}: `{self.was}` -> `{self.becomes}` in `{self.inside}`"


# --- errors ----------------------------------------------------------------------------------------------------------


def mutations(file: str) -> Iterator[Mutation]:
    """All small errors that can be planted into a file, each alone."""
    source = (SOURCE / file).read_text()
    tree = ast.parse(source)
    lines = source.splitlines(keepends=True)
    for node, change in _places(tree):
        changed = copy.deepcopy(node)
        change(changed)
        was, becomes = ast.unparse(node), ast.unparse(changed)
        if was == becomes or node.end_lineno is None or node.end_col_offset is None:
            continue
        if isinstance(node, ast.expr):
            becomes = f"({becomes})" if isinstance(node, (ast.BinOp, ast.BoolOp, ast.UnaryOp, ast.Compare)) else becomes
        begin, end = (node.lineno - 1, node.col_offset), (node.end_lineno - 1, node.end_col_offset)
        head = "".join(lines[: begin[0]]) + lines[begin[0]].encode()[: begin[1]].decode()
        tail = lines[end[0]].encode()[end[1] :].decode() + "".join(lines[end[0] + 1 :])
        text = head + becomes + tail
        try:
            compile(text, file, "exec")
        except SyntaxError:
            continue
        yield Mutation(file, node.lineno, was, ast.unparse(changed), lines[begin[0]].strip(), text)


def _places(tree: ast.AST) -> Iterator[tuple[Any, Callable[[Any], None]]]:
    """(node, function that changes a copy of it) for everything that is computed: not for documentation and types."""
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


def passes(copied: pathlib.Path, tests: list[str], seconds: float, interpreted: bool) -> tuple[bool, float]:
    """Whether the tests pass on a copy of the package, and how long they took."""
    environment = os.environ | {"PYTHONPATH": str(copied), "NUMBA_DISABLE_JIT": "1" if interpreted else "0"}
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *tests]
    began = time.monotonic()
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        return process.wait(seconds) == 0, time.monotonic() - began
    except subprocess.TimeoutExpired:
        return False, time.monotonic() - began
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # the process that was started here, and what it has started
        process.wait()


def argued() -> set[str]:
    """The errors that are known to be harmless."""
    text = ARGUED.read_text() if ARGUED.exists() else ""
    return set(re.findall(r"^- (\S+: `.*?` -> `.*?` in `.*`)$", text, re.MULTILINE))


def missed(path: str) -> set[str]:
    """The errors of an earlier run that were not found."""
    planted = json.loads(pathlib.Path(path).read_text())
    return {each["error"] for each in planted if each["verdict"] == "NOT FOUND"}


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
    given = parser.parse_args()
    wanted = None if given.again is None else missed(given.again)
    if given.anywhere is not None:
        everything = [str(path.relative_to(SOURCE)) for path in sorted(SOURCE.rglob("*.py"))]
        keys = [mutation.key() for file in everything for mutation in mutations(file)]
        wanted = set(random.Random(given.seed).sample(keys, given.anywhere))
    if wanted is not None:
        given.files = given.files or sorted({key.partition(": ")[0] for key in wanted})
    end, harmless, results = time.monotonic() + 60 * given.minutes, argued(), []
    with tempfile.TemporaryDirectory() as folder:
        copied = pathlib.Path(folder)
        shutil.copytree(SOURCE, copied / "fogtree", ignore=shutil.ignore_patterns("__pycache__"))
        for file in given.files or FILES:
            if time.monotonic() >= end:
                break
            tests, interpreted = [*tests_of(file), *ALL], True
            fine, spent = passes(copied, tests, QUICK, True)
            if not fine:
                interpreted = False
                fine, spent = passes(copied, tests, 10 * 60, False)
            if not fine:
                print(f"{file}: its tests fail without any error", flush=True)
                continue
            found_here = list(mutations(file))
            random.Random(f"{given.seed} {file}").shuffle(found_here)
            if wanted is not None:
                found_here = [mutation for mutation in found_here if mutation.key() in wanted]
            for mutation in found_here if wanted is not None else found_here[: given.each]:
                if time.monotonic() >= end:
                    break
                place = copied / "fogtree" / file
                before = place.read_text()
                place.write_text(mutation.text)
                survived, _ = passes(copied, tests, max(SLACK * spent, LEAST), interpreted)
                place.write_text(before)
                verdict = "found" if not survived else "harmless" if mutation.key() in harmless else "NOT FOUND"
                results.append({"file": file, "line": mutation.line, "error": mutation.key(), "verdict": verdict})
                print(f"{verdict:9}  line {mutation.line:4}  {mutation.key()}", flush=True)
                if given.json:
                    pathlib.Path(given.json).write_text(json.dumps(results, indent=1))
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
