"""Device code, made without a GPU: every game compiles for compute capability 9.0; sentences for what only CUDA refuses."""

import importlib.util
import json
import os
import subprocess
import sys
from typing import NamedTuple

import numpy as np
import pytest

import fogtree
from fogtree import Invalid, Kuhn, Uncompilable, dice
from fogtree.bandits import UCT, RegretMatching
from fogtree.bandits.risk import Risk
from fogtree.cli.screen.live import _compiler
from fogtree.kernels import cuda
from fogtree.kernels.lanes import NOTHING, CpuLanes
from fogtree.learn.batch import new_games
from fogtree.measure.everywhere import Everywhere, places
from fogtree.policy import Uniform
from fogtree.search.playout import Games, new_own
from fogtree.search.selfplay import BySet, new_selectors, side_by_side
from fogtree.solvers.forms.form_lanes import form_in_lanes
from fogtree.solvers.forms.reduction import reduced
from fogtree.solvers.regret.cfr_lanes import LaneCFR
from fogtree.solvers.regret.mccfr import External, Outcome, new_path
from fogtree.solvers.regret.mccfr_lanes import Learning, Moving, new_shared
from fogtree.solvers.streamed.answers import new_sweep, new_walk
from fogtree.transforms.symmetric import Comparing, OnEachBoard, symmetric
from fogtree.walk.tallying import count_layers
from imagined import IMAGINING, new_imagined

needs_compiler = pytest.mark.skipif(
    importlib.util.find_spec("numba_cuda") is None, reason="numba-cuda is not installed: pip install 'fogtree[cuda13]'"
)
H200 = (9, 0)
HEAVY = {"siguo", "luzhanqi"}  # ten seconds of compiling each; `small-army` goes through the same rules


def quick(names):
    """All of them, the heavy ones among the slow tests."""
    return [pytest.param(name, marks=pytest.mark.slow) if name in HEAVY else name for name in names]


def random_games(game):
    shape = game.shape()
    made = np.zeros((8, shape.players)), np.zeros(8, np.int64)
    return Games(game, Uniform(), dice.seeded(1), 1, 8, shape.moves, shape.low, shape.high, *made), new_own(shape)


@needs_compiler
@pytest.mark.parametrize("name", quick(fogtree.GAMES))
def test_every_game_compiles_for_a_gpu(name):
    program = cuda.compiled(*random_games(fogtree.load(name)), H200)
    assert program.code.startswith(b"\x7fELF") and "entry" in program.name


@needs_compiler
@pytest.mark.parametrize("name", quick(IMAGINING))
def test_every_game_that_imagines_does_so_on_a_gpu(name):
    assert cuda.compiled(*new_imagined(fogtree.load(name), 0), H200).code.startswith(b"\x7fELF")


@needs_compiler
@pytest.mark.parametrize("name", ["kuhn", "leduc", "liars-dice", "goofspiel", "phantom-ttt", "connect-four"])
def test_batches_that_are_observed_compile_for_a_gpu(name):
    assert cuda.compiled(*new_games(fogtree.load(name), 4, 1), H200).code.startswith(b"\x7fELF")


@needs_compiler
@pytest.mark.parametrize("name", ["leduc", "phantom-ttt", "dark-hex", "kuhn:players=3"])
def test_answers_to_stored_strategies_and_to_policies_compile_for_a_gpu(name):
    game = fogtree.load(name)
    for plays in (fogtree.Strategy.uniform(game).policy_of(game), Uniform()):
        work, own = new_walk(game, reduced(game), plays, 64, "cpu")
        assert cuda.compiled(work, own, H200).code.startswith(b"\x7fELF")
    assert cuda.compiled(*new_sweep(work.tables, game.shape(), "cpu"), H200).code.startswith(b"\x7fELF")


@needs_compiler
@pytest.mark.parametrize("name", ["phantom-ttt", "dark-hex:abrupt=true"])
def test_games_up_to_symmetry_are_answered_on_a_gpu(name):
    game = fogtree.load(name)
    plays = fogtree.Strategy.uniform(game)
    upto, small = symmetric(game, game), symmetric(game, reduced(game))
    assert cuda.compiled(*new_walk(upto, small, OnEachBoard(plays.entries), 64, "cpu"), H200).code
    comparing = Comparing(game, plays.entries, *np.zeros((3, 1), np.int64))
    assert cuda.compiled(comparing, NOTHING, H200).code.startswith(b"\x7fELF")


@needs_compiler
@pytest.mark.parametrize("scheme", [External(), Outcome()], ids=str)
def test_sampled_regret_minimisation_compiles_for_a_gpu(scheme):
    game = fogtree.load("liars-dice")
    store = new_shared(game.shape(), 64, "cpu")
    work = Learning(game, scheme, store, 2, 1.0, dice.seeded(1), np.zeros(1, np.int64))
    assert cuda.compiled(work, new_path(game.shape(), 0), H200).code.startswith(b"\x7fELF")
    mover = Moving(store, store, 1), NOTHING
    assert cuda.compiled(*mover, H200).code.startswith(b"\x7fELF")


@needs_compiler
def test_device_code_is_made_once_and_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("FOGTREE_CACHE", str(tmp_path))
    first = cuda.compiled(*random_games(Kuhn()), H200)
    monkeypatch.setattr(cuda, "_compile", None)  # nobody may compile again
    assert cuda.compiled(*random_games(Kuhn()), H200) == first
    (file,) = tmp_path.glob("*.cubin")
    file.write_bytes(file.read_bytes()[:-1])  # a torn file is made again
    with pytest.raises(TypeError):
        cuda.compiled(*random_games(Kuhn()), H200)


@needs_compiler
def test_other_rules_and_other_scratch_are_other_code(tmp_path, monkeypatch):
    monkeypatch.setenv("FOGTREE_CACHE", str(tmp_path))
    monkeypatch.setattr(cuda, "_compile", lambda work, own, capability: cuda.Program("entry", b"code"))
    work, own = random_games(Kuhn())
    cuda.compiled(work, own, H200)
    cuda.compiled(work, own._replace(state=np.zeros(99, np.int64)), H200)
    cuda.compiled(work, own, (8, 0))
    cuda.compiled(work._replace(policy=Allocates()), own, H200)
    assert len(list(tmp_path.glob("*.cubin"))) == 4


class Crowded(NamedTuple):
    """Random games of which so many threads are to run on a multiprocessor."""

    games: Games
    together: int

    def threads(self):
        return self.together

    def lane(self, number, own):
        self.games.lane(number, own)


def test_threads_that_run_together_share_the_registers():
    work, _ = random_games(Kuhn())
    assert [cuda._registers(Crowded(work, threads)) for threads in (128, 512, 2048)] == [255, 128, 32]
    assert cuda._registers(work) == 255  # the compiler decides


@needs_compiler
def test_a_cap_on_registers_is_other_code_and_is_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("FOGTREE_CACHE", str(tmp_path))
    work, own = random_games(fogtree.load("connect-four"))  # needs more registers than 64, the cap of a thread of 1,024
    few, many = (cuda.compiled(Crowded(work, threads), own, H200).code for threads in (1024, 256))
    assert few != many and len(list(tmp_path.glob("*.cubin"))) == 2


@needs_compiler
@pytest.mark.parametrize("name", ["leduc", "chess"])
def test_walks_in_layers_compile_for_a_gpu(name, monkeypatch):
    asked = []

    def compiled(device, work, own, cores):
        asked.append(cuda.compiled(work, own, H200))
        raise KeyboardInterrupt

    monkeypatch.setattr("fogtree.walk.layers.on", compiled)
    with pytest.raises(KeyboardInterrupt):
        count_layers(fogtree.load(name), 3, "cpu")
    assert asked[0].code.startswith(b"\x7fELF")


@needs_compiler
def test_forms_and_regret_minimisation_compile_for_a_gpu(monkeypatch):
    # all the work that solving a game does in lanes, as the CPU's engine is given it
    made, plain = {}, CpuLanes.__init__

    def init(lanes, work, own, cores=1):
        made[type(work).__name__] = cuda.compiled(work, own, H200).code
        plain(lanes, work, own, cores)

    monkeypatch.setattr(CpuLanes, "__init__", init)
    form, _ = form_in_lanes("kuhn", "cpu", singles=True)
    monkeypatch.setattr("fogtree.solvers.forms.form_lanes.ENTRY_BYTES", 1e12)
    form_in_lanes("kuhn", "cpu")  # filed, as if it were too large
    LaneCFR(form, "pdcfr+").run(iterations=1)
    assert {"Widening", "Taking", "Moving", "Merging", "Filing", "Times", "Learning", "Planning", "Answering"} <= set(
        made
    )
    assert all(code.startswith(b"\x7fELF") for code in made.values())


def test_an_array_on_the_gpu_is_spelled_like_one_of_this_machine():
    there = object.__new__(cuda.DeviceArray)
    there.shape, there.dtype = (3, 4), np.dtype(np.int64)
    assert cuda._spelled((there, 1)) == cuda._spelled((np.zeros((3, 4), np.int64), 1))
    assert cuda._tidy(there).shape == (0, 0) and cuda.upload(there) is there


def test_an_array_is_lent_to_others_as_one_of_the_first_gpu():
    # a number of DLPack: 2 is CUDA. The capsule says the same, its first words are the address and these two numbers
    there = object.__new__(cuda.DeviceArray)
    there.shape, there.dtype, there.address = (3, 4), np.dtype(np.int64), 0
    assert there.__dlpack_device__() == (2, 0)
    capsule = there.__dlpack__()
    ((tensor, _, array),) = cuda._lent.values()
    assert array is there and (tensor.device_kind, tensor.device_number) == (2, 0)
    assert (tensor.dimensions, list(tensor.shape[:2]), tensor.code, tensor.bits, tensor.lanes) == (2, [3, 4], 0, 64, 1)
    cuda._give_back(cuda.ctypes.addressof(tensor))
    assert not cuda._lent and "dltensor" in repr(capsule)


class Allocates(NamedTuple):
    """A policy that makes an array: fine on a CPU, impossible on a GPU."""

    def weigh(self, game, state, player, choice, odds):
        weights = np.ones(game.actions(state, choice))
        for a in range(weights.shape[0]):
            odds[a] = weights[a] / weights.sum()
        return weights.shape[0]


@needs_compiler
def test_what_only_a_gpu_refuses_is_one_sentence(tmp_path, monkeypatch):
    monkeypatch.setenv("FOGTREE_CACHE", str(tmp_path))
    work, own = random_games(Kuhn())
    with pytest.raises(Uncompilable) as error:
        cuda.compiled(work._replace(policy=Allocates()), own, H200)
    said = str(error.value)
    assert said.startswith("Allocates.weigh (") and "no compiled form of ones(int64)" in said and "\n" not in said


def test_without_a_gpu_the_sentence_says_what_is_missing(monkeypatch):
    cuda.device.cache_clear()
    cuda._driver.cache_clear()
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(Invalid, match=r"numba-cuda, which is not installed: pip install 'fogtree\[cuda13\]'"):
        fogtree.playouts("kuhn", 10, device="cuda")
    assert cuda.trouble()
    cuda.device.cache_clear()
    cuda._driver.cache_clear()


class Raises(NamedTuple):
    """A policy that refuses: an error on a CPU, silence on a GPU."""

    def weigh(self, game, state, player, choice, odds):
        if player > 1:
            raise ValueError("no such player")
        return Uniform().weigh(game, state, player, choice, odds)


@needs_compiler
def test_an_error_that_a_gpu_could_not_raise_is_refused_with_its_line(tmp_path, monkeypatch):
    monkeypatch.setenv("FOGTREE_CACHE", str(tmp_path))
    work, own = random_games(Kuhn())
    with pytest.raises(Uncompilable) as error:
        cuda.compiled(work._replace(policy=Raises()), own, H200)
    line = Raises.weigh.__code__.co_firstlineno + 2
    assert f"Raises.weigh ({__file__}, line {line}) cannot be compiled: code on a GPU raises no errors" == str(
        error.value
    )


@needs_compiler
def test_making_device_code_is_announced(tmp_path, monkeypatch):
    monkeypatch.setenv("FOGTREE_CACHE", str(tmp_path))
    said = []
    monkeypatch.setattr(cuda, "_compile", lambda *_: said.append(_compiler()) or cuda.Program("entry", b"code"))
    cuda.compiled(*random_games(Kuhn()), H200)
    assert said == ["compiling for the GPU (the first time only),"] and _compiler() == ""


def self_plays():
    bandit, game = RegretMatching(), fogtree.MatrixGame([[0, 1, -1], [1, -1, 1], [-1, 1, 1]])
    return side_by_side(bandit, BySet(), [new_selectors(game, bandit)], dice.seeded(1)[None], np.array([9]))


def test_the_memories_of_a_self_play_are_scratch_of_a_few_words():
    # so small that a GPU keeps them in registers: two words an action
    _, own = self_plays()
    assert [len(own.first), len(own.second), len(own.rows), len(own.columns)] == [6, 6, 3, 3]


@needs_compiler
def test_self_plays_compile_for_a_gpu():
    assert cuda.compiled(*self_plays(), H200).code.startswith(b"\x7fELF")


@needs_compiler
@pytest.mark.parametrize("module", ["fogtree.measure.duel", "fogtree.search.worlds.many"])
def test_duels_and_searches_with_open_cards_compile_for_a_gpu(module, monkeypatch):
    class Made(Exception):
        pass

    def on(device, work, own, cores):
        assert cuda.compiled(work, own, H200).code.startswith(b"\x7fELF")
        raise Made

    monkeypatch.setattr(f"{module}.on", on)
    monkeypatch.setattr(f"{module}.chosen", lambda *_: "cuda")
    with pytest.raises(Made):
        if module.endswith("duel"):
            fogtree.duel("kuhn", fogtree.Strategy.uniform(Kuhn()), Uniform(), 10, device="cuda")
        else:
            Everywhere(places(Kuhn()), UCT(), Risk(), depth=1, worlds=2, iterations=5, device="cuda").weights(1)


SIMULATED = """
import json, sys
import numpy as np
from numba import cuda as simulator
import fogtree
from fogtree.kernels import cuda
from fogtree.kernels.door import complete
from fogtree.kernels.lanes import CpuLanes
from test_cuda import random_games

found = {}
for name in sys.argv[1:]:
    for way in ("interpreted", "simulated"):
        work, own = random_games(fogtree.load(name))
        with np.errstate(over="ignore"):
            if way == "interpreted":
                CpuLanes(work, own).run(0, 8)
            else:
                names = {"cuda": simulator, "Own": type(own)}
                made = cuda._made(work, own, names).replace(f", alignment={cuda.ALIGNED}", "")  # which it does not know
                exec(cuda.ENTRY.format(own=made, team=cuda._team(work)), names)
                large = tuple(np.empty((4, *array.shape), array.dtype) for array in cuda._large(work, own))
                simulator.jit(names["entry"])[2, 2](0, 8, complete(work), large)  # four threads, two lanes each
        found[f"{name} {way}"] = [work.payoff.tolist(), work.made.tolist()]
print(json.dumps(found))
"""


@needs_compiler
def test_the_simulator_plays_the_games_of_the_cpu_one_by_one():
    names = ("kuhn", "goofspiel:cards=3")
    setting = os.environ | {"NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"}
    setting["PYTHONPATH"] = os.pathsep.join([os.path.dirname(__file__), *sys.path])
    said = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", SIMULATED, *names], env=setting, capture_output=True, text=True
    )
    assert said.returncode == 0, said.stderr
    found = json.loads(said.stdout)
    for name in names:
        work, own = random_games(fogtree.load(name))
        CpuLanes(work, own).run(0, 8)
        here = [work.payoff.tolist(), work.made.tolist()]
        assert found[f"{name} simulated"] == found[f"{name} interpreted"] == here
        assert len(set(map(tuple, work.payoff.tolist()))) > 1


def test_parameters_lie_in_words_of_which_only_those_of_a_changed_block_are_written_anew():
    given = cuda._Parameters((7, 0), -1, 2.5, (True, np.uint64(1 << 63)), ())
    assert given.word.view(np.uint64).tolist() == [7, 0, 2**64 - 1, 0x4004000000000000, 1, 1 << 63]
    assert given.place.tolist() == [given.word.ctypes.data + 8 * n for n in range(6)]
    given.write(2, -0.0)
    given.write(4, ())
    assert given.word.view(np.uint64).tolist() == [7, 0, 2**64 - 1, 1 << 63, 1, 1 << 63]
    with pytest.raises(ValueError):
        given.write(1, (1, 2))  # of other types than before
