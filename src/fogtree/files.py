"""Files that appear whole or not at all."""

import contextlib
import os
import pathlib
import secrets
from collections.abc import Iterator
from typing import Any

from .errors import Invalid

try:
    import fcntl
except ImportError:  # Windows: there processes do not wait for each other
    fcntl = None  # type: ignore[assignment]


@contextlib.contextmanager
def appearing(path: str | os.PathLike, mode: str = "b") -> Iterator[Any]:
    """A file to write to, text ("t") or bytes ("b"). It appears under its name when all is written and on the disk, so that a
    power cut leaves the old file or the new one; after an error, nothing of it remains."""
    whole = pathlib.Path(path)
    require_ordinary(whole)
    partial = whole.with_name(f".{whole.name}.{secrets.token_hex(4)}.tmp")
    try:
        text: dict[str, Any] = {} if mode == "b" else {"encoding": "utf-8", "newline": ""}
        with open(partial, "x" + mode, **text) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, whole)
        _sync_folder(whole.parent)
    finally:
        with contextlib.suppress(OSError):
            partial.unlink()


def _sync_folder(folder: pathlib.Path) -> None:
    """Put a folder's list of names on the disk, where the system can: Windows opens no folders, and some disks refuse."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def require_ordinary(path: str | os.PathLike) -> None:
    """Refuse to put a file in the place of a folder, of a device such as /dev/null, or of a link."""
    there = pathlib.Path(path)
    if there.is_symlink():
        raise Invalid(f"{there} is a link, and writing would replace it: name the file itself")
    if there.is_dir():
        raise Invalid(f"{there} is a folder: name a file")
    if there.exists() and not there.is_file():
        raise Invalid(f"{there} is no ordinary file, and writing would replace it: name a file")


@contextlib.contextmanager
def refusing(path: str | os.PathLike) -> Iterator[None]:
    """Turn an error of the system into one sentence: this file cannot be written."""
    try:
        yield
    except OSError as error:
        raise Invalid(f"{os.fspath(path)} cannot be written: {error.strerror or error}") from None


def text_of(path: str | os.PathLike) -> str:
    """The text of a file of another program, in UTF-8 or, as old files are, in Latin-1."""
    try:
        data = pathlib.Path(path).read_bytes()
    except FileNotFoundError:
        raise Invalid(f"there is no file {os.fspath(path)}") from None
    except (OSError, ValueError) as error:  # a ValueError is a name that no file can have
        raise Invalid(f"{os.fspath(path)!r} cannot be read: {getattr(error, 'strerror', None) or error}") from None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")
