"""A wheel for one platform: the wheel for all, with the machine code of the common commands in it.

    python .ci/platform_wheel.py dist/fogtree-1.0.0-py3-none-any.whl [FOLDER]

The wheel is installed into a clean environment, with the newest libraries that it allows. There the common commands run once,
for a processor that is able to do what those of the last ten years can, and what they compile is put in. The new wheel
lies beside the old one, or in FOLDER, with the tags of Numba's own wheel: one version of Python, one system. pip
prefers it to the wheel for all. Where Numba or the processor is another one, everything is compiled as without it.
"""

import json
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile

FEATURES = {  # that a processor must have; Intel's since 2013 and AMD's since 2015 have these
    "x86_64": "+cx16,+popcnt,+sahf,+sse3,+ssse3,+sse4.1,+sse4.2,+avx,+avx2,+bmi,+bmi2,+f16c,+fma,+lzcnt,+movbe,+xsave",
    "arm64": "+neon",
    "aarch64": "+neon",
}
COMMANDS = {  # besides `fogtree warm`, and what is typed into them
    "play chess --against alphabeta": "e4\n",
    "play holdem --against rm --seed 1": "call\n",
    "compare kuhn rm uct": "",
    "tournament kuhn random rm": "",
}
INSIDE = pathlib.Path("fogtree", "kernels", "shipped")
ENDINGS = (".nbc", ".counted", ".known")
ASKED = """
import importlib.metadata, json
from numba.core.registry import cpu_target
lines = importlib.metadata.distribution("numba").read_text("WHEEL").splitlines()
tags = [line.removeprefix("Tag: ").split("-") for line in lines if line.startswith("Tag: ")]
print(json.dumps([cpu_target.target_context.codegen().magic_tuple(), tags]))
"""


def main(wheel: pathlib.Path, out: pathlib.Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        python, tools = environment(place / "clean", wheel), environment(place / "tools", "wheel")
        target, tags, cache = compiled(python, place)
        call(tools, "-m", "wheel", "unpack", "-d", place / "unpacked", wheel)
        (root,) = (place / "unpacked").iterdir()
        (root / INSIDE).mkdir()
        for file in cache.iterdir():
            if file.name.endswith(ENDINGS):
                shutil.copy(file, root / INSIDE)
        (root / INSIDE / "target.json").write_text(json.dumps(target), encoding="utf-8")
        (place / "packed").mkdir()
        call(tools, "-m", "wheel", "pack", "-d", place / "packed", root)
        (packed,) = (place / "packed").iterdir()
        pythons, abis, systems = (".".join(dict.fromkeys(kind)) for kind in zip(*tags, strict=True))
        words = ("--python-tag", pythons, "--abi-tag", abis, "--platform-tag", systems)
        call(tools, "-m", "wheel", "tags", "--remove", *words, packed)
        (made,) = (place / "packed").iterdir()
        out.mkdir(parents=True, exist_ok=True)
        print(shutil.copy(made, out))


def environment(place: pathlib.Path, thing: object) -> pathlib.Path:
    """The Python of a new environment in which one thing is installed."""
    call(pathlib.Path(sys.executable), "-m", "venv", place)
    python = place / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    call(python, "-m", "pip", "install", "-q", "--disable-pip-version-check", thing)
    return python


def compiled(python: pathlib.Path, place: pathlib.Path) -> tuple[list[str], list[list[str]], pathlib.Path]:
    """What the machine code is made for, the tags of Numba's wheel, and the folder that holds the code."""
    cache, work = place / "cache", place / "work"
    work.mkdir()
    features = FEATURES.get(platform.machine().lower().replace("amd64", "x86_64"), "")
    most = {"FOGTREE_CACHE": str(cache), "NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": features}
    env = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")} | most
    env["NUMBA_DISABLE_INTEL_SVML"] = "1"  # another machine may not have that library
    for words, typed in {"warm": "", **COMMANDS}.items():
        command = [python, "-m", "fogtree", *words.split()]
        subprocess.run(command, input=typed, text=True, cwd=work, env=env, check=True, stdout=subprocess.DEVNULL)
    found = subprocess.run([python, "-c", ASKED], env=env, check=True, capture_output=True, text=True).stdout
    return *json.loads(found), cache


def call(python: pathlib.Path, *words: object) -> None:
    subprocess.run([str(word) for word in (python, *words)], check=True)


if __name__ == "__main__":
    given = pathlib.Path(sys.argv[1]).resolve()
    main(given, pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else given.parent)
