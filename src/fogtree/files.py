"""Files that appear whole or not at all, and files that one process holds alone."""

import contextlib
import os
import pathlib
import secrets
import time
from collections.abc import Iterator
from typing import Any

from .errors import Invalid

try:
    import fcntl
except ImportError:  # Windows: there processes do not wait for each other
    fcntl = None  # type: ignore[assignment]

LOOK = 0.02  # seconds between two looks at a file that another process holds


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


@contextlib.contextmanager
def alone(path: str | os.PathLike, seconds: float = 0.0) -> Iterator[Any]:
    """A new file that this process alone holds until it is removed at the end; None where the system has no locks. The system
    lets go of it when the process dies, however it dies. BlockingIOError if another process holds it for these seconds."""
    if fcntl is None:
        yield None
        return
    end = time.monotonic() + seconds
    while True:  # it ends: these seconds, unless others make and remove the file all the time
        with open(path, "ab") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() >= end:
                    raise
                time.sleep(LOOK)
                continue
            if not _is_there(file, path):  # whoever held it has just removed it
                continue
            file.truncate(0)
            try:
                yield file
            finally:
                with contextlib.suppress(OSError):
                    os.unlink(path)
            return


def _is_there(file: Any, path: str | os.PathLike) -> bool:
    """Whether an open file still has this name."""
    try:
        return os.path.samestat(os.fstat(file.fileno()), os.stat(path))
    except FileNotFoundError:
        return False


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
