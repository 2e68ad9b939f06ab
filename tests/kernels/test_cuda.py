"""Device code, made without a GPU: every game compiles for compute capability 9.0; sentences for what only CUDA refuses."""

import importlib.util
from typing import NamedTuple

import numpy as np
import pytest

import fogtree
from fogtree import Invalid, Kuhn, Uncompilable, dice
from fogtree.kernels import cuda
from fogtree.policy import Uniform
from fogtree.search.playout import Games, new_own
from imagined import IMAGINING, new_imagined

needs_compiler = pytest.mark.skipif(
    importlib.util.find_spec("numba_cuda") is None, reason="numba-cuda is not installed: pip install 'fogtree[cuda13]'"
)
H200 = (9, 0)


def random_games(game):
    shape = game.shape()
    made = np.zeros((8, shape.players)), np.zeros(8, np.int64)
    return Games(game, Uniform(), dice.seeded(1), 1, 8, shape.moves, shape.low, shape.high, *made), new_own(shape)


@needs_compiler
@pytest.mark.parametrize("name", fogtree.GAMES)
def test_every_game_compiles_for_a_gpu(name):
    program = cuda.compiled(*random_games(fogtree.load(name)), H200)
    assert program.code.startswith(b"\x7fELF") and "entry" in program.name


@needs_compiler
@pytest.mark.parametrize("name", IMAGINING)
def test_every_game_that_imagines_does_so_on_a_gpu(name):
    assert cuda.compiled(*new_imagined(fogtree.load(name), 0), H200).code.startswith(b"\x7fELF")


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
