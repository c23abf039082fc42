"""What several tests need: comparing runs, fresh processes, losing root's powers."""

import ctypes
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from garten.runs.codec import timeless

DERIVED = (
    *(f"{name}.sqlite{part}" for name in ("index", "archive") for part in ("", "-wal", "-shm")),
    *(".lock", ".lock.json"),
)
"""Files of a run that two equal runs need not share."""


def same_run(one: Path, other: Path) -> list[str]:
    """The files in which two run folders differ, apart from fields named time, host and wall_*."""
    files = [
        {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()}
        for root in (one, other)
    ]
    kept = [{name for name in names if name.rsplit("/")[-1] not in DERIVED} for names in files]
    alone = [f"{name} is in one run only" for name in kept[0] ^ kept[1]]
    unequal = [
        f"{name} differs" for name in kept[0] & kept[1] if _content(one, name) != _content(other, name)
    ]
    return sorted(alone + unequal)


def _content(run: Path, name: str) -> object:
    path = run / name
    if path.suffix == ".json":
        return timeless(json.loads(path.read_bytes()))
    if path.suffix == ".jsonl":
        return [timeless(json.loads(line)) for line in path.read_bytes().splitlines()]
    if path.suffix == ".html":  # the report names when and on what machine the run was made
        made = json.loads((run / "run.json").read_bytes())
        text = path.read_text()
        minute = f"{made['time'][:10]} {made['time'][11:16]} UTC"
        for told in (minute, made["host"]["system"]):
            text = text.replace(told, "")
        return text
    return path.read_bytes()


def python(code: str, *arguments: object, **options: object) -> subprocess.CompletedProcess[str]:
    """Run Python code in a fresh process and return what it printed."""
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """A folder in which nothing can be written, for root as for everybody else."""
    places = [folder, *folder.rglob("*")]
    modes = [place.stat().st_mode for place in places]
    for place, mode in zip(places, modes, strict=True):
        place.chmod(mode & ~0o222)
    try:
        with _mortal():
            yield
    finally:
        for place, mode in zip(places, modes, strict=True):
            place.chmod(mode)


@contextmanager
def _mortal() -> Iterator[None]:
    """Root without its right to ignore permissions (Linux capabilities); nothing changes for other users."""
    if os.geteuid() != 0 or sys.platform != "linux":
        yield
        return
    libc = ctypes.CDLL(None, use_errno=True)
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)  # _LINUX_CAPABILITY_VERSION_3, this thread
    held = (ctypes.c_uint32 * 6)()  # effective, permitted, inheritable; twice for 64 bits
    assert libc.capget(header, held) == 0, os.strerror(ctypes.get_errno())
    fewer = (ctypes.c_uint32 * 6)(*held)
    fewer[0] &= ~0b1110  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH, CAP_FOWNER
    assert libc.capset(header, fewer) == 0, os.strerror(ctypes.get_errno())
    try:
        yield
    finally:
        assert libc.capset(header, held) == 0, os.strerror(ctypes.get_errno())


LANTERN = Path(__file__).parents[1] / "examples" / "worlds" / "lantern"
"""The example world with one role, whose games last 60 s."""


def garten(*arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run the command line in a fresh process and return what it printed."""
    return subprocess.run(command(*arguments), capture_output=True, text=True, check=False, **options)


def command(*arguments: object) -> list[str]:
    """The words that start the command line."""
    return [sys.executable, "-m", "garten", *map(str, arguments)]


def one_sentence(errors: str) -> bool:
    """Whether standard error holds one line, an error that is a sentence."""
    return errors.startswith("Error: ") and errors.count("\n") == 1 and errors.endswith(".\n")
