"""The release: wheel and sdist are built and installed into a clean environment; the demo runs there, a perfect player
plays, the page answers. And what the release says of itself in several places is the same everywhere."""

import os
import pathlib
import re
import subprocess
import sys
import tarfile
import tomllib
import urllib.request
import zipfile

import pytest

ROOT = pathlib.Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def test_one_version_stands_everywhere():
    version = PROJECT["version"]
    assert re.search(r"^version: (.*)$", (ROOT / "CITATION.cff").read_text(), re.M)[1] == version
    headings = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.M)
    assert next(heading for heading in headings if heading != "Unreleased") == version


def test_the_oldest_libraries_are_those_that_the_project_allows():
    extras = PROJECT["optional-dependencies"]
    wanted = [
        *PROJECT["dependencies"],
        *(text for name in ("chess", "go", "pettingzoo", "web") for text in extras[name]),
    ]
    oldest = [re.sub(r">=([\d.]+).*", r"==\1.*", text) for text in wanted]
    listed = (ROOT / ".ci" / "oldest.txt").read_text().splitlines()
    assert [line for line in listed if not line.startswith("#")] == oldest


def clean() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}


def run(*command: object, cwd: pathlib.Path) -> str:
    words = [str(word) for word in command]
    done = subprocess.run(words, cwd=cwd, env=clean(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def released() -> list[str]:
    """The files that a release is made of."""
    return run("git", "ls-files", "src", "pyproject.toml", "README.md", "LICENSE", cwd=ROOT).splitlines()


def copied(source: pathlib.Path) -> pathlib.Path:
    """A copy of them, so that nothing is built into the project's own folders."""
    for name in released():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_bytes((ROOT / name).read_bytes())
    return source


@pytest.mark.slow
def test_wheel_and_sdist_are_whole_and_work_in_a_clean_environment(tmp_path):
    source, wheels, place = tmp_path / "source", tmp_path / "wheels", tmp_path / "clean"
    listed = released()
    copied(source)
    build = "import setuptools.build_meta as b; print(b.build_sdist('.'))"  # as pip's own builder calls it
    run(sys.executable, "-m", "venv", place, cwd=tmp_path)
    run(place / "bin" / "pip", "install", "-q", "setuptools>=77", "wheel", cwd=tmp_path)
    sdist = source / run(place / "bin" / "python", "-c", build, cwd=source).split()[-1]
    with tarfile.open(sdist) as packed:
        inside = {name.partition("/")[2] for name in packed.getnames()}
    assert set(listed) <= inside, f"the sdist lacks {sorted(set(listed) - inside)}"
    run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", wheels, sdist, cwd=tmp_path)
    (wheel,) = wheels.glob("fogtree-*.whl")
    held = set(zipfile.ZipFile(wheel).namelist())
    package = {name.removeprefix("src/") for name in listed if name.startswith("src/fogtree/")}
    assert package <= held, f"the wheel lacks {sorted(package - held)}"

    run(place / "bin" / "pip", "install", "-q", "--disable-pip-version-check", f"{wheel}[web]", cwd=tmp_path)
    text = run(place / "bin" / "fogtree", "demo", "--seconds", "0.3", "--runs", "1", "--out", "out", cwd=tmp_path)
    assert "0 is perfect play" in text and (tmp_path / "out" / "goofspiel-cards=6.svg").exists()
    assert run(place / "bin" / "fogtree", "--version", cwd=tmp_path).startswith("fogtree ")
    where = run(place / "bin" / "python", "-c", "import fogtree; print(fogtree.__file__)", cwd=tmp_path)
    assert pathlib.Path(where.strip()).is_relative_to(place)
    played = subprocess.run(
        [place / "bin" / "fogtree", "play", "kuhn", "--against", "perfect", "--seed", "1"],
        input="pass\npass\n", cwd=tmp_path, env=clean(), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert played.returncode == 0 and "perfect" in played.stdout, played.stdout + played.stderr

    command = [place / "bin" / "fogtree", "web", "--port", "0"]
    with subprocess.Popen(command, cwd=tmp_path, env=clean(), stdout=subprocess.PIPE, text=True) as server:
        try:
            address = next(found[0] for line in server.stdout if (found := re.search(r"http://\S+", line)))
            assert "Fogtree" in urllib.request.urlopen(address, timeout=30).read().decode()
        finally:
            server.terminate()


@pytest.mark.slow
def test_a_platform_wheel_carries_what_the_common_commands_compile(tmp_path):
    run(
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "-q",
        "--no-deps",
        "-w",
        tmp_path,
        copied(tmp_path / "source"),
        cwd=tmp_path,
    )
    (plain,) = tmp_path.glob("fogtree-*.whl")
    run(sys.executable, ROOT / ".ci" / "platform_wheel.py", plain, tmp_path / "made", cwd=tmp_path)
    (wheel,) = (tmp_path / "made").glob("fogtree-*.whl")
    assert "none-any" not in wheel.name and wheel.stat().st_size < 20e6
    zipfile.ZipFile(wheel).extractall(tmp_path / "place")  # beside the libraries that are here
    cache = tmp_path / "cache"
    env = clean() | {"PYTHONPATH": str(tmp_path / "place"), "FOGTREE_CACHE": str(cache)}
    for words, typed in (("play chess --against alphabeta", "e4\n"), ("compare kuhn rm uct", "")):
        command = [sys.executable, "-m", "fogtree", *words.split()]
        subprocess.run(command, input=typed, text=True, cwd=tmp_path, env=env, capture_output=True, check=True)
    assert not list(cache.glob("*.nbc"))  # nothing was compiled
