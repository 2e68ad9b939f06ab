"""The wheel: it is built, installed into a clean environment, and its demo runs there."""

import os
import pathlib
import subprocess
import sys
import zipfile

import pytest

ROOT = pathlib.Path(__file__).parents[1]
pytestmark = pytest.mark.slow


def run(*command: object, cwd: pathlib.Path) -> str:
    clean = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
    words = [str(word) for word in command]
    done = subprocess.run(words, cwd=cwd, env=clean, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_wheel_is_whole_and_its_demo_runs_in_a_clean_environment(tmp_path):
    source, wheels, place = tmp_path / "source", tmp_path / "wheels", tmp_path / "clean"
    listed = run("git", "ls-files", "src", "pyproject.toml", "README.md", "LICENSE", cwd=ROOT).splitlines()
    for name in listed:  # a copy, so that nothing is built into the project's own folders
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_bytes((ROOT / name).read_bytes())
    run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", wheels, source, cwd=tmp_path)
    (wheel,) = wheels.glob("fogtree-*.whl")
    held = set(zipfile.ZipFile(wheel).namelist())
    package = {name.removeprefix("src/") for name in listed if name.startswith("src/fogtree/")}
    assert package <= held, f"the wheel lacks {sorted(package - held)}"

    run(sys.executable, "-m", "venv", place, cwd=tmp_path)
    run(place / "bin" / "pip", "install", "-q", "--disable-pip-version-check", wheel, cwd=tmp_path)
    text = run(place / "bin" / "fogtree", "demo", "--seconds", "0.3", "--runs", "1", "--out", "out", cwd=tmp_path)
    assert "0 is perfect play" in text and (tmp_path / "out" / "goofspiel-cards=6.svg").exists()
    assert run(place / "bin" / "fogtree", "--version", cwd=tmp_path).startswith("fogtree ")
    where = run(place / "bin" / "python", "-c", "import fogtree; print(fogtree.__file__)", cwd=tmp_path)
    assert pathlib.Path(where.strip()).is_relative_to(place)
