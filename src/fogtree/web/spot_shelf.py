"""The folder of solved spots: `NAME.npz` is a solution, `NAME.json` says what was asked for, `NAME.part` is a checkpoint.

A name is made here and never by the browser, and a file is only opened by a name that is in the list.
"""

import json
import pathlib
import re
from collections.abc import Collection
from typing import Any, NamedTuple

from ..errors import Invalid
from ..files import appearing

NAME = re.compile(r"[\w-]{1,80}")
MOST = 200  # solutions that are listed


class Shelf(NamedTuple):
    """A folder of spots. It need not exist before something is put there."""

    folder: str

    def new(self, board: str, used: Collection[str] = ()) -> str:
        """A name that is still free, and none of those that are used for what is not here yet."""
        head, number = "".join(letter for letter in board if letter.isalnum()) or "spot", 1
        taken = {*used, *(path.stem for path in self._folder().glob(f"{head}*"))}
        while f"{head}-{number}" in taken:  # it ends: there are fewer names than files
            number += 1
        return f"{head}-{number}"

    def listed(self) -> list[str]:
        """The names of solutions and of what was not finished, the newest first."""
        found = {
            path.stem: path.stat().st_mtime for kind in ("json", "npz") for path in self._folder().glob(f"*.{kind}")
        }
        names = [name for name in sorted(found, key=lambda name: -found[name]) if NAME.fullmatch(name)]
        return names[:MOST]

    def require(self, name: str) -> str:
        if name not in self.listed():
            raise LookupError(f"There is no saved spot '{name[:40]}': it was deleted, or the folder is another one.")
        return name

    def solved(self, name: str) -> bool:
        return self.path(name).is_file()

    def has_checkpoint(self, name: str) -> bool:
        return self.checkpoint(name).is_file()

    def time(self, name: str) -> float:
        """When it was changed, in seconds."""
        return max(path.stat().st_mtime for kind in ("json", "npz") if (path := self._file(name, kind)).is_file())

    def path(self, name: str) -> pathlib.Path:
        return self._file(name, "npz")

    def checkpoint(self, name: str) -> pathlib.Path:
        return self._file(name, "part")

    def about(self, name: str) -> dict[str, Any]:
        """What is known of a spot; nothing where its file came from elsewhere."""
        try:
            found = json.loads(self._file(name, "json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}

    def begin(self, name: str, about: dict[str, Any]) -> None:
        self._folder().mkdir(parents=True, exist_ok=True)
        with appearing(self._file(name, "json"), "t") as file:
            json.dump(about, file)

    def finish(self, name: str, about: dict[str, Any]) -> None:
        self.begin(name, about)
        self.checkpoint(name).unlink(missing_ok=True)

    def delete(self, name: str) -> None:
        for kind in ("npz", "json", "part"):
            self._file(name, kind).unlink(missing_ok=True)

    def _folder(self) -> pathlib.Path:
        return pathlib.Path(self.folder)

    def _file(self, name: str, kind: str) -> pathlib.Path:
        if not NAME.fullmatch(name):
            raise Invalid("this is no name of a saved spot")
        return self._folder() / f"{name}.{kind}"
