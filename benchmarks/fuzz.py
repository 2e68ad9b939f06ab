"""Throws broken inputs at every door that reads what people write, and lists what is not answered with a sentence.

    python benchmarks/fuzz.py                    ten seconds for each kind of input, and less for names
    python benchmarks/fuzz.py --seconds 100      about a million cases, in twenty minutes of the processor
    python benchmarks/fuzz.py --kind efg,npz --seed 7
    python benchmarks/fuzz.py --cores 12         twelve processes for each kind, each with cases of its own

The kinds: Gambit files (.efg, .nfg), saved strategies (.npz), stores of runs (.sqlite), states as texts (FEN and the
notations of the other games), texts that name games, bandits, policies, evaluations, judges, agents and devices, poker spots
with their boards, ranges and sizes of bets, calls of public functions with odd values, game records (.pgn, .sgf), whole
command lines, and a user's own bandits, policies, evaluations and judges, whose code is changed word by word. What of these
passes the check is then searched and played with in plain Python, where an index out of bounds is an error; compiled it
would end the process.

Each case is a valid input with a few mutations: bytes changed, cut, doubled or exchanged, numbers replaced by extreme ones,
parts of other inputs inserted. A case is good if the input is accepted or refused by one of the project's own errors
(`FogtreeError`). It is a finding if anything else is raised, if it takes longer than LIMIT seconds, or if it needs more
memory than MEMORY allows. All seconds are those of the processor, so that a busy machine finds nothing that an idle one does
not; only a case that waits is ended by the clock, after ASLEEP seconds. The work is done in a process of its own, so that a
crash or a hang is a finding too and does not end the run. Every case is made from the seed and its number alone: `--kind efg
--seed 0 --only 1234` runs one case again and shows its traceback.
"""

import argparse
import io
import itertools
import multiprocessing
import os
import pathlib
import random
import re
import resource
import signal
import sqlite3
import sys
import tempfile
import time
import traceback
import warnings
import zipfile
from collections.abc import Callable, Iterator
from concurrent import futures
from typing import Any

LARGE = 1_000  # numbers from here on may ask a command for long work
LIMIT = 10.0  # seconds for one case
ASLEEP = 300.0  # seconds by the clock for one case
SHARES = {
    "guest": 2.0,
    "call": 2.0,
    "name": 0.3,
}  # of the time that other kinds get: a user's code and calls are the widest doors
APART = 1_000_000_000  # the numbers of the cases of one process are so far from those of the next
MEMORY = 4 << 30  # bytes of address space more than at the start
NUMBERS = ["0", "-1", "1", "2", "255", "256", "65536", "2147483648", "9223372036854775807", "-9223372036854775808"]
NUMBERS += [
    "1e308",
    "1e-320",
    "1e999",
    "nan",
    "inf",
    "-inf",
    "1/0",
    "1/3",
    "0x10",
    "1_000",
    "٣",
    "99999999999999999999999",
]
WORDS = [
    "",
    " ",
    "\t",
    "\n",
    "\0",
    "\ufeff",
    "é",
    "😀",
    "..",
    "/",
    "\\",
    "'",
    '"',
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    ":",
    ",",
    "=",
    ";",
]
WORDS += [
    "None",
    "True",
    "random",
    "kuhn",
    "seed",
    "seconds",
    "--help",
    "--seed",
    "-",
    "--",
    "%s",
    "{0}",
    "$HOME",
    "~",
    "*",
]


# --- mutations -------------------------------------------------------------------------------------------------------


def mutated(dice: random.Random, data: bytes, others: list[bytes]) -> bytes:
    """The data after one to five small changes."""
    text = bytearray(data)
    for _ in range(dice.choice((1, 1, 1, 2, 3, 5))):
        at, far = dice.randint(0, len(text)), dice.choice((1, 1, 2, 4, 16, 64))
        match dice.randrange(9):
            case 0:
                text[at : at + 1] = bytes([dice.randrange(256)])
            case 1:
                del text[at : at + far]
            case 2:
                text[at:at] = text[at : at + far]
            case 3:
                text[at:at] = dice.choice(WORDS).encode()
            case 4:
                begin, end = number_at(text, at)
                text[begin:end] = dice.choice(NUMBERS).encode()
            case 5:
                other = dice.choice(others)
                place = dice.randint(0, len(other))
                text[at : at + far] = other[place : place + far]
            case 6:
                del text[at:]
            case 7 if len(text) > 1:
                there = dice.randrange(len(text))
                text[there : there + 1], text[at : at + 1] = text[at : at + 1], text[there : there + 1]
            case _ if text:
                text[at % len(text)] ^= 1 << dice.randrange(8)
    return bytes(text)


def number_at(text: bytearray, at: int) -> tuple[int, int]:
    """From where to where the next number goes, behind a place."""
    begin = at
    while begin < len(text) and text[begin : begin + 1] not in DIGITS:
        begin += 1
    end = begin
    while end < len(text) and text[end : end + 1] in DIGITS:
        end += 1
    return begin, end


DIGITS = [bytes([digit]) for digit in b"0123456789"]


def mutated_text(dice: random.Random, text: str, others: list[str]) -> str:
    return mutated(dice, text.encode(), [other.encode() for other in others]).decode(errors="surrogateescape")


# --- the kinds of input: each makes the valid ones once, and gives a function that tries one -----------------------------


def gambit(ending: str, read: str) -> Callable[[pathlib.Path], tuple[list[bytes], Callable[[bytes], Any]]]:
    def kind(folder: pathlib.Path) -> tuple[list[bytes], Callable[[bytes], Any]]:
        import fogtree as ft
        from fogtree.games import gambit as files

        write = files.write_efg if ending == ".efg" else files.write_nfg
        valid = []
        for name in ("kuhn", "3x3/17", "bimatrix"):
            file = folder / f"valid{ending}"
            write(ft.load(name), file)
            valid.append(file.read_bytes())

        def attempt(data: bytes) -> None:
            file = folder / f"case{ending}"
            file.write_bytes(data)
            game = getattr(files, read)(str(file))
            ft.game.identity(game)
            ft.game.legal(game, ft.game.new_state(game))

        return valid, attempt

    return kind


def strategies(folder: pathlib.Path) -> tuple[list[bytes], Callable[[bytes], Any]]:
    import numpy as np

    import fogtree as ft

    kuhn, file = ft.Kuhn(), folder / "case.npz"
    ft.Strategy(kuhn, [0, 1], [5, 7], [0, 2, 3], [0, 1, 1], [0.5, 0.5, 1.0]).save(file)
    packed = file.read_bytes()
    plain = io.BytesIO()  # without compression a changed byte is a changed number
    with np.load(io.BytesIO(packed)) as stored:
        np.savez(plain, **dict(stored))  # type: ignore[arg-type]

    def attempt(data: bytes) -> None:
        file.write_bytes(data)
        strategy = ft.Strategy.load(file, kuhn)
        repr(strategy), list(strategy.items())

    return [packed, plain.getvalue(), _repacked(plain.getvalue())], attempt


def _repacked(data: bytes) -> bytes:
    """The same archive with its parts in another order."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
        for name in reversed(old.namelist()):
            new.writestr(name, old.read(name))
    return out.getvalue()


def piece(seed: int, sides: int) -> dict[str, int]:
    """One piece of the runs that stores are made of."""
    return {"rolled": random.Random(seed).randrange(sides)}


def stores(folder: pathlib.Path) -> tuple[list[bytes], Callable[[bytes], Any]]:
    from fogtree import runs

    file = folder / "valid.sqlite"
    runs.Run(file, "fuzz", piece, {"sides": 6}).map([{"seed": seed, "sides": 6} for seed in range(20)], cores=1)
    store = sqlite3.connect(file)
    store.execute("PRAGMA journal_mode = DELETE")  # so that all of it is in one file
    store.close()
    number = [0]

    def attempt(data: bytes) -> None:
        number[0] += 1
        case = folder / f"case{number[0]}.sqlite"
        case.write_bytes(data)
        try:
            for known in runs.stored_runs(case):
                runs.pieces_of(case, known.id)
            runs.Run(case, "fuzz", piece, {"sides": 6}).map([{"seed": seed, "sides": 6} for seed in range(3)], cores=1)
        finally:
            for left in folder.glob(f"case{number[0]}.sqlite*"):
                left.unlink()

    return [file.read_bytes()], attempt


def notations(folder: pathlib.Path) -> tuple[list[bytes], Callable[[bytes], Any]]:
    import numpy as np

    import fogtree as ft
    from fogtree.games import GAMES
    from fogtree.text.notation import from_notation, notation

    valid, games, dice = [], {}, random.Random(1)
    for name in GAMES:
        game = ft.load(name)
        games[name] = game
        at, moves = ft.at(game), 0
        while at.player != ft.OVER and moves < 12:
            valid.append(f"{name} {at.notation}".encode())
            at, moves = at.play(dice.choice(list(at.actions.values()))), moves + 1

    def attempt(data: bytes) -> None:
        name, _, text = data.decode(errors="surrogateescape").partition(" ")
        game = games.get(name, games["chess"])
        with np.errstate(over="ignore"):
            state = from_notation(game, text).state
            ft.game.legal(game, state)
            notation(game, state) if hasattr(game, "notation") else None

    return valid, attempt


def names(folder: pathlib.Path) -> tuple[list[bytes], Callable[[bytes], Any]]:
    import fogtree as ft
    from fogtree.arena.agents import as_agent
    from fogtree.arena.agents.perfect import perfect as perfect_for
    from fogtree.bandits import as_bandit
    from fogtree.evaluation import as_evaluation
    from fogtree.judges import as_judge
    from fogtree.kernels.engines import require_device
    from fogtree.policy import as_policy

    games = ["goofspiel:cards=5,prizes=random", "3x3/17", "random/uniform:rows=4,seed=3", "briedon2015/figure4.1"]
    games += ["open:leduc:ranks=4", "matrix:payoff=[[1,0],[0,1]]", "phantom-ttt:rules=classical", "holdem", "siguo-two"]
    bandits = ["exp3:gamma=0.2", "uct:c=1.4", "rm:gamma=0.1", "rave:k=3", "uniform"]
    agents = [
        "rm:iterations=100",
        "random",
        "uct:seconds=0.1",
        "strategy:plan.npz",
        "alphabeta:depth=3",
        "pimc:worlds=5",
    ]
    agents += ["kluss:iterations=20", "resolve:seconds=1", "oos:iterations=50", "perfect", "always:1"]
    policies = ["random", "always:0", "uniform"]
    evaluations, judges, devices = (
        ["material", "linear:weights.npz"],
        ["playout", "cutoff:moves=2"],
        ["cpu", "cuda", "auto"],
    )
    known: dict[str, tuple[Callable[[str], Any], list[str]]] = {
        "game": (ft.load, games),
        "bandit": (as_bandit, bandits),
        "agent": (as_agent, agents),
        "policy": (lambda text: as_policy(ft.Kuhn(), text), policies),
        "evaluation": (as_evaluation, evaluations),
        "judge": (as_judge, judges),
        "device": (require_device, devices),
        "perfect": (perfect_for, ["kuhn", "leduc", "matrix:payoff=[[1,0],[0,1]]"]),
    }
    valid = [f"{door} {text}" for door, (_, texts) in known.items() for text in texts]

    def attempt(data: bytes) -> None:
        door, _, text = data.decode(errors="surrogateescape").partition(" ")
        known.get(door, known["game"])[0](text)

    return [text.encode() for text in valid], attempt


def spots(folder: pathlib.Path) -> tuple[list[bytes], Callable[[bytes], Any]]:
    import numpy as np

    import fogtree as ft
    from fogtree.games.spot import load_spot, spell_spot
    from fogtree.games.spot.ranges import read_board, weights
    from fogtree.games.spot.sizes import read_sizes

    def whole(text: str) -> None:
        game = load_spot(text)
        again = load_spot(spell_spot(game))
        if not all(np.array_equal(one, other) for one, other in zip(game, again, strict=True)):
            raise AssertionError(f"{spell_spot(game)} names another spot")
        ft.game.legal(game, ft.game.new_state(game))

    doors = {
        "range": (weights, ["AA,KQs:0.5,22+,A5s-A2s,T9o,AhKd,76s:0.25", "random", "66+,A8s+,AJo+,KQo,JTs", "QQ-22"]),
        "board": (read_board, ["Td9d6h", "Td 9d 6h Qc", "2c2d2h2s3c"]),
        "sizes": (lambda text: read_sizes(text, 2), ["50%, 100%, a; 3x", "33%;2.5x,a | 75%, 1e; 60%", "e, 2e, a"]),
        "spot": (
            whole,
            [
                "spot/Td9d6hQc2s:pot=200,stack=900,bets=[50%,a;3x],oop=[AA,KQs:0.5],ip=[22+]",
                "spot/Td9d6hQc:pot=60,stack=370,rake=0.05,cap=3,oop=[QQ-22]",
                "spot/Td9d6h:pot=100,stack=100,bets=[a],added=0.5,forced=0.2,merged=0.1",
            ],
        ),
    }
    valid = [f"{door} {text}" for door, (_, texts) in doors.items() for text in texts]

    def attempt(data: bytes) -> None:
        door, _, text = data.decode(errors="surrogateescape").partition(" ")
        doors.get(door, doors["spot"])[0](text)

    return [text.encode() for text in valid], attempt


def calls(folder: pathlib.Path) -> tuple[list[bytes], Callable[[bytes], Any]]:
    """Public functions with odd values for their parameters, interpreted: `door name=value name=value`."""
    import inspect

    import numba

    import fogtree as ft
    from fogtree.policy import Uniform

    numba.config.DISABLE_JIT = True
    kuhn = ft.Kuhn()
    state, dealt = ft.game.new_state(ft.TicTacToe()), ft.game.new_state(kuhn)
    kuhn.step(dealt, 0), kuhn.step(dealt, 1)
    uniform, solved = Uniform(), ft.solve("kuhn", "cfr+", iterations=2)
    objects = {
        "Uniform": uniform,
        "Playout": ft.Playout(),
        "AtEnd": ft.AtEnd(),
        "Solved": solved,
        "Keep": inspect.signature(ft.Belief).parameters["keep"].default,
        "Verdict": inspect.signature(ft.PIMC).parameters["verdict"].default,
    }
    doors = {
        "soundness": (ft.soundness, (kuhn,), "agents=rm:iterations=5 seeds=1 seed=3 device=cpu cores=1 memory=1000000"),
        "exploitability": (ft.exploitability, (kuhn,), "strategy=Uniform engine=auto iterations=5 memory=1e6 device=cpu"),
        "response": (ft.best_response, (kuhn, uniform), "player=1 engine=auto iterations=5 seed=0 memory=1e7"),
        "count": (ft.count, (kuhn,), "depth=3 device=cpu"),
        "solve": (ft.solve, (kuhn,), "method=cfr+ target=0.5 iterations=3 seconds=0.05 memory=9999999 threads=1 device=cpu"),
        "general": (ft.solve_general, ("kuhn:players=3",), "method=auto target=0.5 iterations=3 seconds=0.05 memory=9999999"),
        "playouts": (ft.playouts, (kuhn,), "games=5 policy=Uniform seed=3 device=cpu cores=1"),
        "duel": (ft.duel, (kuhn,), "first=Uniform second=Uniform games=5 seed=3 device=cpu cores=1"),
        "many": (ft.search_many, (kuhn, "rm", [[dealt]]), "iterations=5 seed=3 judge=Playout device=cpu cores=1"),
        "batch": (ft.batch, (kuhn,), "n=3 seed=1 device=cpu cores=1"),
        "check": (ft.check, (kuhn,), "histories=5 games=1 seconds=0.05 seed=3"),
        "tournament": (
            ft.tournament,
            (kuhn, ["random", "always:0"]),
            "matches=2 openings=1 plies=1 seed=2 move_seconds=1.0 cores=1 name=t",
        ),
        "belief": (ft.Belief, (kuhn,), "player=1 others=Uniform cap=16 seed=1 keep=Keep"),
        "ismcts": (ft.ISMCTS, (kuhn,), "bandit=rm seed=1 judge=Playout waiting=1 memory=999999 sets=10"),
        "pimc": (ft.PIMC, (kuhn,), "inner=uct above=rm seed=1 depth=1 verdict=Verdict memory=999999"),
        "oos": (ft.OOS, (kuhn,), "rule=rm seed=1 delta=0.9 epsilon=0.4 gamma=0.01 weigh=True memory=999999 sets=9"),
        "kluss": (ft.KLUSS, ("dark-chess",), "player=1 seed=1 quiet=1 gather=9 memory=9999999 order=2 even=0.5"),
        "alphabeta": (ft.AlphaBeta, ("tic-tac-toe",), "evaluation=AtEnd memory=999999 quiet=3"),
        "think": (ft.AlphaBeta("tic-tac-toe", memory=0).think, (state,), "depth=2 nodes=30 seconds=0.05"),
        "mccfr": (ft.MCCFR, (kuhn,), "seed=1 power=1.0 memory=999999"),
        "run": (ft.ISMCTS(kuhn, "rm").run, (), "iterations=5 seconds=0.05"),
        "cfr": (ft.CFR(kuhn).run, (), "iterations=5 seconds=0.05"),
        "told": (ft.told, (kuhn, solved), "player=1 after=J most=50"),
        "tree": (ft.tree, (kuhn,), "strategy=Solved most=60"),
        "forms": (ft.strategic_form, (kuhn,), "limit=9999 memory=9999999"),
        "supports": (ft.support_equilibria, ([[1, 0], [0, 1]], [[1, 0], [0, 1]]), "most=20"),
        "lemke": (ft.lemke_howson, ([[1, 0], [0, 1]], [[1, 0], [0, 1]]), "label=1"),
        "perfect": (ft.perfect, (kuhn,), "seed=1"),
        "at": (ft.at, (kuhn,), "where=J"),
        "spot": (ft.spot, ("Td9d6hQc2s",), "pot=20 stack=90 oop=AA ip=KK bets=50% rake=0.1 cap=3 added=0.1 forced=0.1"),
    }  # fmt: skip
    fields = {door: list(inspect.signature(call).parameters)[len(first) :] for door, (call, first, _) in doors.items()}
    valid = [f"{door} {text}" for door, (_, _, text) in doors.items()]
    valid += [f"{door} {part}" for door, (_, _, text) in doors.items() for part in text.split()]

    def attempt(data: bytes) -> None:
        door, _, text = data.decode(errors="surrogateescape").partition(" ")
        if door not in doors:
            door = "solve"
        given: dict[str, Any] = {}
        for word in text.split(" "):
            name, equals, value = word.partition("=")
            if equals and name in fields[door]:
                given[name] = objects.get(value, literal(value))
        if any(_beyond(name, value) for name, value in given.items()):
            return  # who asks for so much gets it
        call, first, whole = doors[door]
        for word in whole.split():  # no call without its limits
            name, _, value = word.partition("=")
            given.setdefault(name, objects.get(value, literal(value)))
        call(*first, **given)

    return [text.encode() for text in valid], attempt


def literal(text: str) -> Any:
    """A number, a truth value, None, or the text itself."""
    if text in ("None", "True", "False"):
        return {"None": None, "True": True, "False": False}[text]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _beyond(name: str, value: Any) -> bool:
    """Whether a value asks for long work, many processes, or a file outside of the folder."""
    if isinstance(value, str):
        return "/" in value or _large(value) or ".py" in value
    if not isinstance(value, (int, float)):
        return value is None and name in ("iterations", "games", "seconds", "cores", "nodes", "matches", "histories")
    if name in ("seed", "memory", "cap", "pot", "stack"):
        return False
    most = {"seconds": 0.1, "cores": 1, "threads": 1}.get(name, 100.0)
    return value > most


def records(folder: pathlib.Path) -> tuple[list[bytes], Callable[[bytes], Any]]:
    from fogtree.bridges import pgn, sgf

    valid = [
        b'[Event "x"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 Nc6 {good} 3. Bb5 (3. d4 exd4) a6 $1 4. O-O 1-0\n',
        b'[FEN "8/8/8/8/8/8/4k3/K6R w - - 0 1"]\n\n1. Rh2+ Kd3 *\n',
        b"(;GM[1]FF[4]SZ[9]KM[6.5]RE[B+3.5];B[ee];W[cc]C[a \\] b];B[];W[tt])",
        b"(;SZ[5]AB[aa][bb]AW[cc];W[dd](;B[ab])(;B[ba]))",
    ]
    readers = [reader for reader in (getattr(pgn, "read_pgn", None), getattr(sgf, "read_sgf", None)) if reader]

    def attempt(data: bytes) -> None:
        own = data.lstrip().startswith(b"(")
        file = folder / ("case.sgf" if own else "case.pgn")
        file.write_bytes(data)
        found = readers[min(int(own), len(readers) - 1)](file)
        list(found) if isinstance(found, Iterator) else found

    return valid, attempt


def command_lines(folder: pathlib.Path) -> tuple[list[bytes], Callable[[bytes], Any]]:
    from typer.testing import CliRunner

    from fogtree import cli

    lines = [
        "games",
        "show kuhn",
        "show goofspiel:cards=4 --seed 3",
        "check kuhn --histories 10 --games 1",
        "count kuhn",
    ]
    lines += ["count kuhn --depth 2", "solve kuhn --seconds 1", "solve kuhn --method cfr+ --iterations 5 --save x.npz"]
    lines += ["solve kuhn --method external --iterations 5 --memory 1", "strategy kuhn uniform --player 0 --rows 3"]
    lines += ["strategy kuhn uniform --after J", "exploit kuhn uniform", "exploit kuhn x.npz --engine memory"]
    lines += [
        "convert kuhn x.efg",
        "convert 3x3/17 x.nfg",
        "runs --store x.sqlite",
        "runs show 1a",
        "paper",
        "--version",
    ]
    lines += ["play kuhn --player 1 --seed 3", "compare kuhn rm --iterations 10 --runs 1", "endings tic-tac-toe x"]
    app, runner = cli.app, CliRunner()
    safe = {
        "demo",
        "tournament",
        "learn",
        "stubborn",
        "paper",
        "gtp",
        "uci",
        "compare",
        "playouts",
    }  # may work for long

    def attempt(data: bytes) -> None:
        words = [word for word in data.decode(errors="surrogateescape").split(" ") if word]
        if any("/" in word and ".." in word for word in words):
            return  # it may name a file outside of the folder
        if any(_large(word) for word in words) or _long(words):
            return  # who asks for so much gets it
        if safe & set(words):
            words.append("--no-such-option")
        done = runner.invoke(app, words, input="pass\nbet\n")
        if done.exception and not isinstance(done.exception, SystemExit):
            raise done.exception
        if done.exit_code == 1 and "whole traceback" in done.output:
            raise AssertionError(done.output[-500:])

    return [line.encode() for line in lines], attempt


def _long(words: list[str]) -> bool:
    """Whether a command was given a time limit beyond the one of a case."""
    limits = [value for option, value in itertools.pairwise(words) if option == "--seconds"]
    limits += [word.partition("=")[2] for word in words if word.startswith("--seconds=")]
    return any(_above(limit, LIMIT / 2) for limit in limits)


def _large(word: str) -> bool:
    return _above(word.rpartition("=")[2], LARGE)


def _above(word: str, most: float) -> bool:
    try:
        return float(word) > most
    except (ValueError, OverflowError):
        return False


EXTRA = [
    *"+-*/%<>=()[],:.",
    "**",
    "//",
    "==",
    "not",
    "and",
    "while",
    "True",
    "None",
    "self",
    "len",
    "raise",
    "yield",
    "lambda",
]


def mutated_code(dice: random.Random, data: bytes, others: list[bytes]) -> bytes:
    """Code in which one to three words, numbers or signs stand for others, mostly of the same file; or any mutation."""
    if dice.random() < 0.2:
        return mutated(dice, data, others)
    parts = re.split(rb"(\w+|[^\w\s])", data)  # at odd places what may be exchanged
    words = list(parts[1::2])
    for _ in range(dice.choice((1, 1, 2, 3))):
        new = dice.choice((dice.choice(words), dice.choice(words), dice.choice(NUMBERS + EXTRA).encode()))
        parts[2 * dice.randrange(len(words)) + 1] = new
    return b"".join(parts)


def guests(folder: pathlib.Path) -> tuple[list[bytes], Callable[[bytes], Any]]:
    import numba
    import numpy as np

    import fogtree as ft
    from fogtree import contract, entrance
    from fogtree.contract.guests import BANDIT, EVALUATION, POLICY, kind_of
    from fogtree.text.parameters import build
    from fogtree.text.user_files import own_classes

    numba.config.DISABLE_JIT = True
    kuhn, board, number = ft.Kuhn(), ft.TicTacToe(), [0]

    def attempt(data: bytes) -> None:
        number[0] += 1
        file = folder / f"case{number[0]}.py"
        file.write_bytes(data)
        for kind in (SyntaxWarning, DeprecationWarning):  # those are Python's own words about somebody's code
            warnings.simplefilter("ignore", kind)
        try:
            named = own_classes(str(file))
        finally:
            file.unlink()
        for cls in named[3].values() if named else ():
            kind = kind_of(cls)
            if kind is not None and hasattr(cls, "_fields"):
                thing, game = build(cls, "", cls.__name__), board if kind is EVALUATION else kuhn
                with np.errstate(all="ignore"):
                    contract.admit(thing, (game,), entrance.PLAYER)
                    use(kind, thing)

    def use(kind: Any, thing: Any) -> None:
        if kind is BANDIT:
            ft.ISMCTS(kuhn, thing).run(iterations=30)
        elif kind is POLICY:
            ft.duel(kuhn, thing, ft.policy.Uniform(), 5)
        elif kind is EVALUATION:
            ft.AlphaBeta(board, thing, memory=0).think(ft.game.new_state(board), depth=2, nodes=30)
        else:
            ft.ISMCTS(kuhn, "uct", judge=thing).run(iterations=10)

    source = (pathlib.Path(__file__).parent.parent / "tests" / "guests.py").read_text()
    head, *classes = source.split("\n\n\n")
    return [f"{head}\n\n\n{text}\n".encode() for text in classes], attempt


KINDS = {
    "efg": gambit(".efg", "read_efg"),
    "nfg": gambit(".nfg", "read_nfg"),
    "npz": strategies,
    "sqlite": stores,
    "notation": notations,
    "name": names,
    "spot": spots,
    "call": calls,
    "record": records,
    "line": command_lines,
    "guest": guests,
}
MUTATORS = {"guest": mutated_code}  # of the others: `mutated`


# --- the run ---------------------------------------------------------------------------------------------------------


class TooSlow(BaseException):
    """A case has used up its time."""


def _alarm(number: int, frame: Any) -> None:
    raise TooSlow


def case_of(kind: str, seed: int, number: int, valid: list[bytes]) -> bytes:
    dice = random.Random(f"{kind} {seed} {number}")
    return MUTATORS.get(kind, mutated)(dice, dice.choice(valid), valid)


def work(kind: str, seed: int, first: int, seconds: float, only: int | None, pipe: Any) -> None:
    """Try cases until the time is up, and send (number, what went wrong, seconds so far) for each finding, and last None for
    what went wrong."""
    from fogtree.errors import FogtreeError

    os.dup2(os.open(os.devnull, os.O_RDWR), 0)
    with tempfile.TemporaryDirectory(dir="/dev/shm" if pathlib.Path("/dev/shm").is_dir() else None) as name:
        folder = pathlib.Path(name)
        os.chdir(folder)
        os.environ["COLUMNS"] = "100"
        valid, attempt = KINDS[kind](folder)
        for data in valid:
            try:
                attempt(data)  # what is valid must pass, or be refused in a sentence; it also compiles
            except FogtreeError as error:
                if kind in ("guest", "call", "spot"):
                    pipe.send((-1, f"valid input is refused: {error}", 0.0))
            except Exception as error:
                pipe.send((-1, f"valid input: {type(error).__name__}: {error}", 0.0))
        used = int(pathlib.Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, resource.RLIM_INFINITY))
        signal.signal(signal.SIGPROF, _alarm)
        signal.signal(signal.SIGALRM, _alarm)
        warned: list[str] = []  # a warning is a line on the screen that no sentence of ours explains
        warnings.simplefilter("always")
        warnings.showwarning = lambda message, kind, *where: warned.append(f"{kind.__name__}: {message}")  # type: ignore[assignment]
        pipe.send((first, "begun", 0.0))
        begun, number = time.process_time(), first
        while (spent := time.process_time() - begun) < seconds or only is not None:
            number = number if only is None else only
            pipe.send((number, "", spent))
            data, found = case_of(kind, seed, number, valid), ""
            warned.clear()
            signal.setitimer(signal.ITIMER_PROF, LIMIT)
            signal.setitimer(signal.ITIMER_REAL, ASLEEP)
            try:
                attempt(data)
            except FogtreeError as error:
                if "\n\n" in str(error) or "Traceback" in str(error):
                    found = f"not one sentence: {error}"
            except TooSlow:
                found = f"takes over {LIMIT:g} s"
            except BaseException as error:
                found = f"{type(error).__name__}{_where(error)}: {error}"
                if only is not None:
                    traceback.print_exc()
            finally:
                signal.setitimer(signal.ITIMER_PROF, 0)
                signal.setitimer(signal.ITIMER_REAL, 0)
            if found or warned:
                pipe.send((number, found or f"warns: {warned[0]}", spent))
            number += 1
            if only is not None:
                print(data)
                break
        os.chdir("/")
        pipe.send((number, None, spent))


def _where(error: BaseException) -> str:
    """The last line of ours that an error came through."""
    lines = [
        f for f in traceback.extract_tb(error.__traceback__) if "fogtree" in f.filename and "fuzz" not in f.filename
    ]
    return f" in {lines[-1].filename.rpartition('fogtree/')[2]}:{lines[-1].lineno}" if lines else ""


def fuzz(kind: str, seed: int, seconds: float, only: int | None, worker: int) -> tuple[int, dict[str, list[int]]]:
    """How many cases of a kind were tried, and the findings: what went wrong -> in which cases."""
    found: dict[str, list[int]] = {}
    start = worker * APART
    first, tried, left, done = start, start, seconds, False
    while not done and left > 0:
        ours, theirs = multiprocessing.get_context("spawn").Pipe(False)
        process = multiprocessing.get_context("spawn").Process(
            target=work, args=(kind, seed, first, left, only, theirs)
        )
        process.start()
        theirs.close()
        at, begun, spent = first, False, 0.0
        while True:
            if not ours.poll(2 * ASLEEP):
                process.kill()
                found.setdefault("does not return, and no alarm ends it", []).append(at)
                break
            try:
                at, what, spent = ours.recv()
            except EOFError:
                process.join()
                found.setdefault(f"ends the process with {process.exitcode}", []).append(at)
                break
            if what is None:
                done, tried = True, at
                break
            if what == "begun":
                begun = True
            elif what:
                key = what.split("\n")[0][:150]
                found.setdefault(key, []).append(at)
        process.join()
        if not done:  # go on behind the case that ended it
            left -= spent + LIMIT if begun else left
            first = tried = at + 1
    return tried - start, found


def fuzz_on(cores: int, kind: str, seed: int, seconds: float, only: int | None) -> tuple[int, dict[str, list[int]]]:
    """The same on several cores."""
    with futures.ThreadPoolExecutor(cores) as workers:
        parts = list(workers.map(lambda worker: fuzz(kind, seed, seconds, only, worker), range(cores)))
    together: dict[str, list[int]] = {}
    for _, found in parts:
        for what, numbers in found.items():
            together.setdefault(what, []).extend(numbers)
    return sum(tried for tried, _ in parts), together


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=float, default=10.0, help="Time of the processor for each kind of input.")
    parser.add_argument("--kind", default=",".join(KINDS), help=f"Some of {', '.join(KINDS)}.")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", type=int, help="Run this case alone and show what it is.")
    parser.add_argument("--cores", type=int, default=1, help="How many processes each kind gets.")
    given = parser.parse_args()
    all_found = all_tried = 0
    for kind in given.kind.split(","):
        seconds = SHARES.get(kind, 1.0) * given.seconds
        tried, found = fuzz_on(given.cores, kind, given.seed, seconds, given.only)
        all_found, all_tried = all_found + len(found), all_tried + tried
        print(f"{kind:9} {tried:9,} cases, {len(found)} findings", flush=True)
        for what, numbers in sorted(found.items(), key=lambda item: -len(item[1])):
            print(f"    {len(numbers):5} x {what}  (--kind {kind} --seed {given.seed} --only {numbers[0]})", flush=True)
    print(f"all       {all_tried:9,} cases, {all_found} findings")
    sys.exit(1 if all_found else 0)


if __name__ == "__main__":
    main()
