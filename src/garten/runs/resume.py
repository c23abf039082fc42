"""A run that can be killed at any moment and goes on as if nothing had happened.

A run is a deterministic program over two calls. `RunWriter.once` names a file and how to compute what it
holds: if the file is there, complete, it is read; otherwise it is computed and stored in one atomic move.
`RunWriter.event` says what happened. To resume is to run the same program from the top: everything stored
is read instead of computed, every event on the log is taken as said, and the work goes on at the first thing
that is missing. A kill costs the computations in flight and nothing else.

For this to be exact, whatever is not a function of the seeds (a model's reply, a measured time) must come out
of `once`, and events must be said in an order that does not depend on timing.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from garten.errors import RunError
from garten.runs.codec import to_json
from garten.runs.events import Event, EventLog
from garten.runs.folder import RunFolder, is_run, require_free, versions
from garten.runs.index import open_index
from garten.runs.lock import RunLock
from garten.runs.storage import explained, make_folder, remove_leftovers

T = TypeVar("T")

_log = logging.getLogger(__name__)


class RunWriter:
    """The one process that writes a run; made by `begin`."""

    def __init__(self, folder: RunFolder) -> None:
        """Open the log of a run whose lock is held."""
        self.folder = folder
        self._log = EventLog(folder.path)

    def once(self, relative: str, compute: Callable[[], Any]) -> Any:
        """The JSON value of the file `relative`, computed and stored unless it is there.

        `compute` returns a record or a JSON value. What comes back has been through JSON either way, so that
        a resumed run sees exactly what the first one saw; `from_json` makes it a record again. Other files
        that belong to the value are written by `compute` itself, under names that depend on `relative` alone.

        Raises:
            RunError: the file is damaged, or the run cannot be written.
        """
        if not self.folder.exists(relative):
            self._store(relative, compute())
        return self.folder.read_json(relative)

    def each(
        self, items: Mapping[str, T], compute: Callable[[dict[str, T]], Iterable[tuple[str, Any]]]
    ) -> Iterator[tuple[str, Any]]:
        """`once` for many files at a time, which the caller computes in parallel.

        `items` maps each file to what is needed to compute it. `compute` gets the missing ones and yields
        (file, value) in any order, as they are done; each is stored at once. The values come back in the
        order of `items`, each as soon as those before it are there, so events about them keep their order.

        Raises:
            RunError: a file is damaged, or the run cannot be written.
        """
        missing = {relative: item for relative, item in items.items() if not self.folder.exists(relative)}
        waiting = list(items)
        yield from self._ready(waiting, missing)
        for relative, value in compute(dict(missing)) if missing else ():
            self._store(relative, value)
            del missing[relative]
            yield from self._ready(waiting, missing)
        assert not missing, f"compute left out {sorted(missing)}"

    def event(self, kind: str, data: Any) -> Event:
        """Say what happened; `data` is a record or a JSON object.

        Raises:
            RunError: the run cannot be written, or a resumed run differs from what it was.
        """
        return self._log.append(kind, to_json(data))

    @property
    def events_said(self) -> int:
        """How many events there have been; a checkpoint keeps this number, for `go_on_from`."""
        return self._log.said

    def sync(self) -> None:
        """Have the disk hold every event so far: no checkpoint may outlast what led to it.

        Raises:
            RunError: the run cannot be written.
        """
        self._log.sync()

    def go_on_from(self, events_said: int, *, exact: bool = True) -> None:
        """Take the first so many events of the log as said: what they tell led to a checkpoint.

        Args:
            events_said: how many.
            exact: whether those after them will come out the same again; else they are taken back.

        Raises:
            RunError: the log has fewer, or cannot be written.
        """
        self._log.skip(events_said)
        if not exact:
            self._log.forget()

    def close(self) -> None:
        """Finish writing."""
        self._log.close()

    def _store(self, relative: str, value: Any) -> None:
        # Events told so far led here: they reach the disk before what follows from them.
        self.sync()
        self.folder.write_json(relative, value)

    def _ready(self, waiting: list[str], missing: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
        while waiting and waiting[0] not in missing:
            relative = waiting.pop(0)
            yield relative, self.folder.read_json(relative)


@contextmanager
def begin(
    path: Path | str, asked: Mapping[str, Any], *, seeds: Sequence[int], kind: str, resume: bool = False
) -> Iterator[RunWriter]:
    """Begin a run and hold its lock; with `resume`, go on with the run at `path` if there is one.

    A run that was killed before its ``run.json`` was written is begun anew.

    Raises:
        RunError: the name is taken, another process writes the run, it was begun with other settings or as
            another kind, a newer Garten made it, or the folder cannot be written.
    """
    path = Path(path)
    going_on = resume and is_run(path)
    if not going_on:
        require_free(path)
        with explained(path):
            make_folder(path)
    lock = RunLock(path)
    try:
        # The lock decides: another process may have begun the run since it was looked for.
        if resume and is_run(path):
            folder = _take_up(RunFolder.open(path), asked, seeds, kind)
        else:
            folder = RunFolder.create(path, asked, seeds=seeds, kind=kind)
        remove_leftovers(path)
        writer = RunWriter(folder)
        try:
            yield writer
        finally:
            writer.close()
        open_index(folder).close()
    finally:
        lock.release()


def _take_up(folder: RunFolder, asked: Mapping[str, Any], seeds: Sequence[int], kind: str) -> RunFolder:
    """Check that a run is the one that is asked for now.

    A setting that one of the two does not know is as good as one that is off: older and newer versions of
    Garten go on with each other's runs as long as what is new in either is not used.
    """
    manifest = folder.manifest
    then = _by_path({"kind": manifest.kind, "seeds": list(manifest.seeds), **manifest.asked})
    here = _by_path({"kind": kind, "seeds": list(seeds), **to_json(asked)})
    for key in sorted(then.keys() | here.keys()):
        before, now = then.get(key), here.get(key)
        both_know = key in then and key in here
        if before == now or not (both_know or before or now):
            continue
        if key not in then:
            raise RunError(
                f"The run {folder.path} was begun without {key}, which is {now!r} now; take that back if you "
                "asked for it, else go on with the version of Garten that began the run "
                f"({manifest.versions.get('garten')}), or choose another --name."
            )
        raise RunError(
            f"The run {folder.path} was begun with {key} {before!r}, not {now!r}; "
            "resume it with the same settings or choose another --name."
        )
    for name, version in versions().items():
        if (before := folder.manifest.versions.get(name)) != version:
            _log.warning(
                "The run %s was begun with %s %s and goes on with %s: what is new in it may differ.",
                folder.path,
                name,
                before,
                version,
            )
    return folder


def _by_path(settings: Mapping[str, Any], before: str = "") -> dict[str, Any]:
    """The values of a tree of settings, each by its path: ``rollout.lanes``."""
    found: dict[str, Any] = {}
    for name, value in settings.items():
        inner = _by_path(value, f"{before}{name}.") if isinstance(value, Mapping) else {}
        found |= inner or {f"{before}{name}": value}
    return found
