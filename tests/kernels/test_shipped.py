"""Machine code that came with the package is used where it suits, and nowhere else."""

import json
import os
import pathlib
import subprocess
import sys

import llvmlite.binding
import pytest

from fogtree.kernels import shipped

SCRIPT = """
import json, pathlib, sys
import numpy as np
from fogtree.kernels import compiled_files, folder, kernel

folder.SHIPPED = pathlib.Path(sys.argv[1])

@kernel
def doubled(number):
    return {work}

@kernel
def copied(values):  # makes an array, so that it must be compiled with reference counts
    return values.copy()

found = int(doubled(21)), float(copied(np.ones(2)).sum())
from numba.core.registry import cpu_target
print(json.dumps([found, sorted(compiled_files()), cpu_target.target_context.codegen().magic_tuple()]))
"""
HERE = llvmlite.binding.get_process_triple()
ABLE = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}


def ran(tmp_path, cache, work="2 * number", **more):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.replace("{work}", work))
    environment = {**os.environ, "FOGTREE_CACHE": str(tmp_path / cache), **more}
    command = [sys.executable, str(script), str(tmp_path / "shipped")]
    found, files, target = json.loads(
        subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True).stdout
    )
    assert found == [42, 2.0]
    return files, target


@pytest.fixture(scope="module")
def packed(tmp_path_factory):
    """A folder with machine code for a plain processor of this kind, as a platform wheel carries it."""
    place = tmp_path_factory.mktemp("packed")
    files, target = ran(place, "shipped", **ABLE)
    assert len(files) == 2
    return place, target


@pytest.fixture
def place(packed, tmp_path):
    """A copy of it, whose target a test may change."""
    source, target = packed
    (tmp_path / "shipped").mkdir()
    for file in (source / "shipped").iterdir():
        if file.is_file():
            (tmp_path / "shipped" / file.name).write_bytes(file.read_bytes())
    return tmp_path, target


def write(place: pathlib.Path, target) -> None:
    (place / "shipped" / shipped.TARGET).write_text(json.dumps(target))


def test_what_is_shipped_is_not_compiled(place):
    folder, target = place
    write(folder, target)
    assert ran(folder, "empty")[0] == []


def test_an_edit_is_compiled_although_the_kernel_is_shipped(place):
    folder, target = place
    write(folder, target)
    files, _ = ran(folder, "empty", work="number + number")
    assert len(files) == 1 and "doubled" in files[0]


def test_a_damaged_file_is_compiled_anew(place):
    folder, target = place
    write(folder, target)
    for file in (folder / "shipped").glob("*.nbc"):
        file.write_bytes(file.read_bytes()[:-1])
    assert len(ran(folder, "empty")[0]) == 2


@pytest.mark.parametrize(
    "triple, features, suits",
    [(HERE, "", True), (HERE, "+fma-of-the-year-3000", False), ("m68k-unknown-amiga", "", False)],
)
def test_what_is_made_for_another_processor_is_left_alone(tmp_path, triple, features, suits):
    made_for = [triple, "generic", features]
    (tmp_path / shipped.TARGET).write_text(json.dumps(made_for))
    assert shipped.target(tmp_path) == (tuple(made_for) if suits else None)


def test_who_chooses_a_processor_gets_code_for_that(tmp_path, monkeypatch):
    (tmp_path / shipped.TARGET).write_text(json.dumps([HERE, "generic", ""]))
    monkeypatch.setattr(shipped.config, "CPU_NAME", "generic")
    assert shipped.target(tmp_path) is None


def test_a_checkout_has_no_such_code(tmp_path):
    assert shipped.target(tmp_path) is None


def test_a_processor_is_able_to_do_what_it_says():
    found = {"avx2": True, "fma": False}
    assert shipped.able("", found) and shipped.able("+avx2", found) and shipped.able("+avx2,-fma", found)
    assert not shipped.able("+avx2,+fma", found) and not shipped.able("+avx3", found)
