"""SQLite tables of a run, derived from its events so that they can be asked questions.

The events say everything; the index only makes it quick to find. An event of a kind in `TABLES` is also a row
of the table of that name, with the columns of its record. The index remembers which part of the log it has
read; if that part is no longer what it was, or the file is damaged or of another layout, it is made anew.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, fields
from pathlib import Path

from garten.runs.codec import dump_line
from garten.runs.events import EVENTS, Event, complete_lines, parse_events
from garten.runs.folder import RunFolder

INDEX = "index.sqlite"

LAYOUT = 1
"""The version of the tables; an index of another one is made anew."""


@dataclass(frozen=True)
class EpisodeRow:
    """The data of an ``episode`` event: one game, as tables and curves need it."""

    path: str  # the episode's file, relative to the run
    round: int  # 1, 2 ...
    game: str  # id, e.g. "r02-p1-g05"
    player: str
    split: str  # "practice", or "held-out" for games that are never shown to players
    world: str
    seed: int
    score: float | None  # 0 to 100; None where the game ended in an error
    measure: float | None  # in the world's published unit
    error: str = ""


@dataclass(frozen=True)
class LessonRow:
    """The data of a ``lesson`` event: one lesson as it was frozen at the end of a round."""

    path: str  # the lesson's folder, relative to the run
    round: int
    team: str
    player: str  # who wrote it
    name: str
    description: str
    status: str  # claim, tested or refuted


TABLES: dict[str, type] = {"episode": EpisodeRow, "lesson": LessonRow}
"""The kinds of event that have a table of their own, and the record of its rows."""

_TYPES = {"int": "INTEGER", "float": "REAL", "float | None": "REAL", "str": "TEXT"}


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
    """Drop every table there is and make empty ones."""
    names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    for row in names:
        connection.execute(f'DROP TABLE "{row["name"]}"')
    connection.execute("CREATE TABLE progress (size INTEGER, events INTEGER, digest TEXT)")
    connection.execute("CREATE TABLE event (number INTEGER PRIMARY KEY, kind TEXT, time TEXT, data TEXT)")
    for name, record in TABLES.items():
        columns = ", ".join(f'"{item.name}" {_TYPES[str(item.type)]}' for item in fields(record))
        connection.execute(f'CREATE TABLE "{name}" (number INTEGER PRIMARY KEY, {columns})')
    connection.execute(f"PRAGMA user_version = {LAYOUT}")


def _add(connection: sqlite3.Connection, events: Iterable[Event]) -> int:
    """Add events to the tables and return how many there were."""
    count = 0
    for event in events:
        count += 1
        row = (event.number, event.kind, event.time, dump_line(event.data).decode().rstrip("\n"))
        connection.execute("INSERT INTO event VALUES (?, ?, ?, ?)", row)
        if event.kind in TABLES:
            # A column the event does not have stays empty, so that logs of other versions can be read.
            values = (event.number, *(event.data.get(item.name) for item in fields(TABLES[event.kind])))
            marks = ", ".join("?" * len(values))
            connection.execute(f'INSERT INTO "{event.kind}" VALUES ({marks})', values)
    return count
