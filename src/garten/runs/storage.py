"""Files that are either complete or absent, and operating-system failures told in one sentence."""

from __future__ import annotations

import errno
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from garten.errors import RunError

LEFTOVER = ".*.tmp"
"""The pattern of a file whose writing was cut short; `write_atomic` names its temporary files so."""

_NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_NOT_ALLOWED = {errno.EACCES, errno.EPERM, errno.EROFS}


@contextmanager
def explained(path: Path, doing: str = "written") -> Iterator[None]:
    """Turn an `OSError` about `path` into a `RunError` with its remedy; `doing` is "written" or "read"."""
    try:
        yield
    except OSError as error:
        raise RunError(_sentence(path, doing, error)) from error


def write_atomic(path: Path, content: bytes) -> None:
    """Write a file so that readers, and whoever comes after a kill, see all of it or the file before it.

    Raises:
        RunError: the disk is full, or the folder cannot be written; `path` is then as it was.
    """
    with explained(path):
        make_folder(path.parent)
        temporary = path.with_name(f".{path.name}.{secrets.token_hex(6)}.tmp")
        try:
            with temporary.open("xb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(path)
        except BaseException:
            with suppress(OSError):
                temporary.unlink()
            raise
        sync_folder(path.parent)


def make_folder(path: Path) -> None:
    """Make a folder and its parents so that they outlast a power cut."""
    if path.is_dir():
        return
    make_folder(path.parent)
    path.mkdir(exist_ok=True)
    sync_folder(path.parent)


def sync_folder(path: Path) -> None:
    """Have the disk remember which names a folder holds."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def remove_leftovers(root: Path) -> None:
    """Remove the temporary files that a killed process left behind anywhere under `root`."""
    with explained(root):
        for leftover in root.rglob(LEFTOVER):
            leftover.unlink(missing_ok=True)


def _sentence(path: Path, doing: str, error: OSError) -> str:
    if error.errno in _NO_ROOM:
        return f"There is no room on the disk for {path}; free some space and go on with --resume."
    reason = (error.strerror or str(error)).lower()
    if error.errno in _NOT_ALLOWED:
        return f"{path} cannot be {doing} ({reason}); change its permissions or choose another folder."
    return f"{path} could not be {doing} ({reason}); check the folder and go on with --resume."
