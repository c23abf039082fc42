"""One run as a folder: its description in ``run.json`` and files that are complete or absent."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path, PurePosixPath
from typing import Any, TypeVar

from garten.errors import RunError
from garten.runs.codec import dump, from_json
from garten.runs.storage import LEFTOVER, explained, make_folder, write_atomic

SCHEMA = 1
"""The version of the run folder's layout; it changes when older readers would misread a newer run."""

RUNS = Path("runs")
"""Where runs are kept unless told otherwise, relative to the current folder."""

NAME_BYTES = 200
"""Longest name of a run; file systems take up to 255, and other names are made from it."""

MANIFEST = "run.json"
LOCK_FILES = (".lock", ".lock.json")

T = TypeVar("T")

_DISTRIBUTIONS = {"garten": "garten", "numpy": "numpy", "warp": "warp-lang"}


@dataclass(frozen=True)
class Manifest:
    """What ``run.json`` says about a run."""

    schema: int
    kind: str  # what made it, e.g. "practice"
    asked: Mapping[str, Any]  # the settings of the run, JSON types; resuming enters them again
    seeds: tuple[int, ...]  # every random draw comes from these
    versions: Mapping[str, str]  # of garten, Python and the libraries that decide results
    host: Mapping[str, Any]  # the machine it began on
    time: str  # when it began, ISO 8601 in UTC


@dataclass(frozen=True)
class RunFolder:
    """A run on disk. Reading needs no lock; only one process may write (see `garten.runs.resume`).

    Paths are given relative to the run, with forward slashes; one that would leave the run is refused. The
    object can be sent to worker processes, which may write files of their own.
    """

    path: Path
    manifest: Manifest

    @classmethod
    def create(
        cls, path: Path | str, asked: Mapping[str, Any], *, seeds: Sequence[int], kind: str
    ) -> RunFolder:
        """Make a new run.

        Raises:
            RunError: the name is taken by a run or by something else, or the folder cannot be written.
        """
        path = Path(path)
        require_free(path)
        with explained(path):
            make_folder(path)
        made = Manifest(SCHEMA, kind, dict(asked), tuple(seeds), versions(), _host(), now())
        write_atomic(path / MANIFEST, dump(made))
        return cls.open(path)

    @classmethod
    def open(cls, path: Path | str) -> RunFolder:
        """Open a run for reading.

        Raises:
            RunError: there is no run at `path`, its ``run.json`` is damaged, or a newer Garten made it.
        """
        path = Path(path)
        if not path.is_dir():
            raise RunError(f"There is no run at {path}; give the folder of a run.")
        if not is_run(path):
            raise RunError(f"{path} is not a run, for it holds no {MANIFEST}; give the folder of a run.")
        with explained(path / MANIFEST, "read"):
            content = (path / MANIFEST).read_bytes()
        return cls(path, _parse_manifest(path, content))

    def asked(self, form: type[T], *, kind: str, by: str) -> T:
        """The settings that the run was begun with.

        Args:
            form: their type.
            kind: that the run must be of.
            by: the command that makes such runs.

        Raises:
            RunError: it is a run of another kind, or its settings are damaged.
        """
        if self.manifest.kind != kind:
            raise RunError(f"The run {self.path} is of kind '{self.manifest.kind}'; give one made by {by}.")
        try:
            return from_json(form, self.manifest.asked)
        except ValueError as error:
            wrote = self.manifest.versions.get("garten")
            raise RunError(
                f"{self.path / MANIFEST} is damaged ({str(error).rstrip('.')}) or of another version "
                f"of Garten; restore it from a copy, or use the version that wrote it ({wrote})."
            ) from error

    def file(self, relative: str) -> Path:
        """The place of a file of this run.

        Raises:
            RunError: the path leaves the run.
        """
        parts = PurePosixPath(relative).parts
        place = self.path.joinpath(*parts)
        # An absolute path's first part is its root; a symbolic link shows where it leads once resolved.
        plain = parts and not {"/", "..", "//"} & set(parts) and "\0" not in relative
        if not plain or not place.resolve().is_relative_to(self.path.resolve()):
            raise RunError(f"The path {relative!r} leaves the run {self.path}; give one inside it.")
        return place

    def exists(self, relative: str) -> bool:
        """Whether the run has this file."""
        return self.file(relative).is_file()

    def write_bytes(self, relative: str, content: bytes) -> Path:
        """Write a file atomically and return its place.

        Raises:
            RunError: the path leaves the run, the disk is full, or the run cannot be written.
        """
        place = self.file(relative)
        write_atomic(place, content)
        return place

    def write_text(self, relative: str, text: str) -> Path:
        """Write UTF-8 text atomically; what UTF-8 cannot hold (lone surrogates) is written as an escape."""
        return self.write_bytes(relative, text.encode("utf-8", "backslashreplace"))

    def write_json(self, relative: str, value: Any) -> Path:
        """Write a record or JSON value atomically, in canonical form."""
        return self.write_bytes(relative, dump(value))

    def read_bytes(self, relative: str) -> bytes:
        """Read a file.

        Raises:
            RunError: it is missing or cannot be read.
        """
        place = self.file(relative)
        with explained(place, "read"):
            return place.read_bytes()

    def read_json(self, relative: str) -> Any:
        """Read a JSON file.

        Raises:
            RunError: it is missing, cannot be read, or is no JSON.
        """
        try:
            return json.loads(self.read_bytes(relative))
        except (ValueError, RecursionError) as error:
            raise self._damaged(relative) from error

    def read_record(self, kind: type[T], relative: str) -> T:
        """Read the record of that kind from a JSON file.

        Raises:
            RunError: it is missing, cannot be read, or holds no such record.
        """
        try:
            return from_json(kind, self.read_json(relative))
        except ValueError as error:
            raise self._damaged(relative) from error

    def _damaged(self, relative: str) -> RunError:
        return RunError(
            f"{self.file(relative)} is damaged; delete it and go on with --resume, which makes it again."
        )


def run_path(name: str) -> Path:
    """The folder of the run called `name` under the current folder.

    Raises:
        RunError: the name is no plain folder name.
    """
    odd = name.startswith(".") or any(character in name for character in '/\\:\0\n"')
    if odd or not 0 < len(name.encode("utf-8", "surrogatepass")) <= NAME_BYTES:
        raise RunError(f"{name!r:.80} cannot name a run; use letters, digits and dashes in --name.")
    return RUNS / name


def is_run(path: Path) -> bool:
    """Whether a folder holds a run's description."""
    return (path / MANIFEST).is_file()


def require_free(path: Path) -> None:
    """Refuse a path that a run or anything else already takes.

    A folder that is empty, or that holds only what a run killed at its very start leaves, is free.

    Raises:
        RunError: the path is taken.
    """
    if is_run(path):
        raise RunError(f"The run {path} exists; go on with it by --resume or choose another --name.")
    with explained(path, "read"):
        if path.exists() and not path.is_dir():
            raise RunError(f"{path} is a file; choose another --name.")
        strangers = (
            [item.name for item in path.iterdir() if item.name not in LOCK_FILES and not item.match(LEFTOVER)]
            if path.exists()
            else []
        )
    if strangers:
        raise RunError(f"{path} holds other files ({sorted(strangers)[0]}); choose another --name.")


def now() -> str:
    """The time as it stands in files: ISO 8601 in UTC, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _parse_manifest(path: Path, content: bytes) -> Manifest:
    try:
        data = json.loads(content)
        schema = data["schema"]
        if isinstance(schema, int) and schema > SCHEMA:
            raise RunError(
                f"The run {path} has schema {schema}, newer than the {SCHEMA} read here; upgrade garten."
            )
        return from_json(Manifest, data)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise RunError(
            f"{path / MANIFEST} is damaged; restore it from a copy or start a run with another --name."
        ) from error


def versions() -> dict[str, str]:
    """What decides results here: Garten, Python and libraries, each with its version."""
    found = {"python": platform.python_version()}
    for name, distribution in _DISTRIBUTIONS.items():
        try:
            found[name] = version(distribution)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found


def _host() -> dict[str, Any]:
    return {
        "name": platform.node(),
        "system": platform.platform(),
        "machine": platform.machine(),
        "cores": os.cpu_count(),
    }
