"""SQLite tables of a run, derived from its events so that they can be asked questions.

The events say everything; the index only makes it quick to find. The table ``events`` holds them as they are;
``episodes`` and ``lessons`` are views that lay out the data of two kinds of event in columns. The index
remembers which part of the log it has read; if that part is no longer what it was, or the file is damaged or
of another layout, it is made anew.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable
from pathlib import Path

from garten.runs.codec import dump_line
from garten.runs.events import EVENTS, Event, complete_lines, parse_events
from garten.runs.folder import RunFolder

INDEX = "index.sqlite"

LAYOUT = 1
"""The version of the tables; an index of another one is made anew."""

VIEWS: dict[str, tuple[str, dict[str, str]]] = {
    "episodes": (
        "game",
        {
            "id": "$.game.id",
            "round": "$.round",
            "player": "$.game.player",
            "held_out": "$.game.held_out",
            "seed": "$.game.seed",
            "score": "$.game.score",
            "measure": "$.game.measure",
            "progress": "$.game.progress",
            "error": "$.game.error",
        },
    ),
    "lessons": (
        "lesson",
        {
            "name": "$.name",
            "round": "$.round",
            "team": "$.team",
            "player": "$.player",
            "status": "$.status",
            "description": "$.description",
            "path": "$.path",
        },
    ),
}
"""View by name: the kind of event it shows, and where each column stands in the event's data (else NULL)."""


def open_index(folder: RunFolder) -> sqlite3.Connection:
    """The index of a run, up to date with its log; close it when done.

    It is kept in the run, or only in memory where the run cannot be written.

    Raises:
        RunError: a line of the log is damaged.
    """
    for renew in (False, True):
        try:
            return _open(folder, folder.path / INDEX, renew=renew)
        except (sqlite3.Error, OSError):
            continue
    return _open(folder, None, renew=False)


def rebuild(folder: RunFolder) -> None:
    """Throw the index away and make it anew.

    Raises:
        RunError: a line of the log is damaged.
    """
    _remove(folder.path / INDEX)
    open_index(folder).close()


def _open(folder: RunFolder, place: Path | None, *, renew: bool) -> sqlite3.Connection:
    """Open the index file (None: in memory), deleted first with `renew`, and read what is new on the log."""
    if place is not None and renew:
        _remove(place)
    connection = sqlite3.connect(place or ":memory:", isolation_level=None)
    try:
        connection.row_factory = sqlite3.Row
        connection.execute("PRAGMA journal_mode = WAL")
        # Readers of one run may get here at the same time; the first one does the work.
        connection.execute("BEGIN IMMEDIATE")
        _catch_up(connection, folder)
        connection.execute("COMMIT")
    except BaseException:
        connection.close()
        raise
    return connection


def _remove(place: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        place.with_name(place.name + suffix).unlink(missing_ok=True)


def _catch_up(connection: sqlite3.Connection, folder: RunFolder) -> None:
    log = folder.path / EVENTS
    lines = complete_lines(log)
    size, events, digest = _progress(connection)
    if hashlib.sha256(lines[:size]).hexdigest() != digest:
        _make_tables(connection)
        size, events = 0, 0
    added = _add(connection, parse_events(log, lines[size:], first=events))
    connection.execute("DELETE FROM progress")
    connection.execute(
        "INSERT INTO progress VALUES (?, ?, ?)",
        (len(lines), events + added, hashlib.sha256(lines).hexdigest()),
    )


def _progress(connection: sqlite3.Connection) -> tuple[int, int, str]:
    """How far the log has been read: bytes, events, SHA-256 of those bytes; no digest for another layout."""
    if connection.execute("PRAGMA user_version").fetchone()[0] != LAYOUT:
        return 0, 0, ""
    row = connection.execute("SELECT size, events, digest FROM progress").fetchone()
    return (row["size"], row["events"], row["digest"]) if row else (0, 0, "")


def _make_tables(connection: sqlite3.Connection) -> None:
    """Drop everything there is and make empty tables."""
    for row in connection.execute("SELECT type, name FROM sqlite_master").fetchall():
        connection.execute(f'DROP {row["type"]} "{row["name"]}"')
    connection.execute("CREATE TABLE progress (size INTEGER, events INTEGER, digest TEXT)")
    connection.execute("CREATE TABLE events (number INTEGER PRIMARY KEY, kind TEXT, time TEXT, data TEXT)")
    for view, (kind, columns) in VIEWS.items():
        chosen = ", ".join(f"json_extract(data, '{place}') AS \"{name}\"" for name, place in columns.items())
        connection.execute(f"CREATE VIEW {view} AS SELECT number, {chosen} FROM events WHERE kind = '{kind}'")
    connection.execute(f"PRAGMA user_version = {LAYOUT}")


def _add(connection: sqlite3.Connection, events: Iterable[Event]) -> int:
    """Add events and return how many there were."""
    rows = [(event.number, event.kind, event.time, dump_line(event.data).decode()) for event in events]
    connection.executemany("INSERT INTO events VALUES (?, ?, ?, ?)", rows)
    return len(rows)
