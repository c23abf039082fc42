"""SQLite tables of a run's archive, derived from its files so that questions can be asked.

`levels` has a row a level, `trainings` one for each cycle of each, `rates` the share of episodes that met
each achievement in it, `lineage` an edge from each parent to each child.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import suppress

from garten.curriculum.node import Node, Training
from garten.errors import RunError
from garten.runs.folder import RunFolder

TABLES = "archive.sqlite"
"""File of a run that holds them."""

_LAYOUT = """
CREATE TABLE levels (
    digest TEXT PRIMARY KEY, number INTEGER, status TEXT, origin TEXT, parent TEXT, objective TEXT,
    description TEXT, goal TEXT, reasoning TEXT, born INTEGER, refused TEXT, last_trained INTEGER,
    success REAL, learnability REAL
);
CREATE TABLE trainings (
    digest TEXT, cycle INTEGER, success REAL, episodes INTEGER, mean_length REAL, mean_return REAL,
    scores TEXT, PRIMARY KEY (digest, cycle)
);
CREATE TABLE rates (
    digest TEXT, cycle INTEGER, achievement TEXT, rate REAL, PRIMARY KEY (digest, cycle, achievement)
);
CREATE VIEW lineage AS SELECT parent, digest AS child FROM levels WHERE parent IS NOT NULL;
"""


def open_for_writing(folder: RunFolder, nodes: Iterable[Node]) -> sqlite3.Connection:
    """The tables, made anew from the levels that there are.

    Raises:
        RunError: the run cannot be written.
    """
    for suffix in ("", "-wal", "-shm"):
        with suppress(FileNotFoundError):
            folder.file(TABLES + suffix).unlink()
    try:
        connection = sqlite3.connect(folder.file(TABLES), isolation_level=None)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = OFF")  # the files are what must outlast a power cut
        connection.executescript(_LAYOUT)
        for node in nodes:
            put(connection, node)
    except sqlite3.Error as error:
        raise RunError(
            f"{folder.file(TABLES)} could not be written ({error}); check the folder and go on with --resume."
        ) from error
    return connection


def open_for_reading(folder: RunFolder) -> sqlite3.Connection:
    """The tables of a run, also while it is written; close them when done.

    Raises:
        RunError: the run has none.
    """
    place = folder.file(TABLES)
    try:
        connection = sqlite3.connect(f"{place.resolve().as_uri()}?mode=ro", uri=True)
        connection.row_factory = sqlite3.Row
        connection.execute("SELECT 1 FROM levels LIMIT 1")
    except sqlite3.Error as error:
        raise RunError(
            f"{place} is no archive that can be read ({error}); give a run that has one."
        ) from error
    return connection


def put(connection: sqlite3.Connection, node: Node) -> None:
    """Write a level's row anew, and add those of trainings that are not there yet."""
    last = node.last.evidence if node.last else None
    row = (
        *(node.digest, node.number, node.status, node.origin, node.parent, node.objective, node.description),
        *(json.dumps(node.goal), node.reasoning, node.born, node.refused),
        node.last.cycle if node.last else None,
        last.success if last else None,
        last.learnability if last else None,
    )
    connection.execute("BEGIN")
    connection.execute(f"INSERT OR REPLACE INTO levels VALUES ({_marks(row)})", row)
    counted = "SELECT count(*) FROM trainings WHERE digest = ?"
    (there,) = connection.execute(counted, (node.digest,)).fetchone()
    for training in node.trainings[there:]:
        _add(connection, node.digest, training)
    connection.execute("COMMIT")


def remove(connection: sqlite3.Connection, digest: str) -> None:
    """Remove a level's rows."""
    connection.execute("BEGIN")
    for table in ("levels", "trainings", "rates"):
        connection.execute(f"DELETE FROM {table} WHERE digest = ?", (digest,))
    connection.execute("COMMIT")


def _add(connection: sqlite3.Connection, digest: str, training: Training) -> None:
    how = training.performance
    row = (
        *(digest, training.cycle, how.success, how.episodes, how.mean_length, how.mean_return),
        json.dumps(dict(training.scores)),
    )
    connection.execute(f"INSERT INTO trainings VALUES ({_marks(row)})", row)
    rates = [(digest, training.cycle, name, rate) for name, rate in how.achievements.items()]
    connection.executemany("INSERT INTO rates VALUES (?, ?, ?, ?)", rates)


def _marks(row: Sequence[object]) -> str:
    """Places of a row's values in a statement."""
    return ", ".join("?" * len(row))
