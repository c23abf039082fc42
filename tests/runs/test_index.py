import sqlite3

import pytest

from garten.practice.results import Game
from garten.runs.folder import RunFolder
from garten.runs.index import INDEX, open_index, rebuild
from garten.runs.resume import begin
from support import read_only


def game(number, score=50.0):
    row = Game(f"r01-p1-g{number:02d}", number, "p1", number > 2, score, 3.0, 0.5, "")
    return {"round": 1, "game": row}


def play(path, games, *, resume=False):
    with begin(path, {}, seeds=[1], kind="test", resume=resume) as run:
        for number in range(games):
            run.event("game", game(number, score=None if number == 1 else 10.0 * number))
        run.event("lesson", {"round": 1, "team": "dogs", "name": "circle-first", "status": "claim"})
    return RunFolder.open(path)


def content(folder):
    index = open_index(folder)
    try:
        return list(index.iterdump())
    finally:
        index.close()


def rows(folder, query):
    index = open_index(folder)
    try:
        return [dict(row) for row in index.execute(query)]
    finally:
        index.close()


def test_games_and_lessons_can_be_asked_about(tmp_path):
    folder = play(tmp_path / "run", 4)
    assert rows(folder, "SELECT * FROM episodes WHERE seed = 2") == [
        {
            "number": 2,
            "id": "r01-p1-g02",
            "round": 1,
            "player": "p1",
            "held_out": 0,
            "seed": 2,
            "score": 20.0,
            "measure": 3,
            "progress": 0.5,
            "error": "",
        }
    ]
    assert rows(
        folder, "SELECT avg(score) AS mean, count(*) AS games, sum(held_out) AS held_out FROM episodes"
    ) == [{"mean": pytest.approx((0 + 20 + 30) / 3), "games": 4, "held_out": 1}]
    assert rows(folder, "SELECT name, status, description FROM lessons") == [
        {"name": "circle-first", "status": "claim", "description": None}
    ]
    assert rows(folder, "SELECT kind, count(*) AS n FROM events GROUP BY kind ORDER BY kind") == [
        {"kind": "game", "n": 4},
        {"kind": "lesson", "n": 1},
    ]


def test_growing_and_making_anew_give_the_same_content(tmp_path):
    path = tmp_path / "run"
    with begin(path, {}, seeds=[1], kind="test") as run:
        folder = run.folder
        seen = []
        for number in range(5):
            run.event("game", game(number))
            seen.append(content(folder))
        assert len({len(dump) for dump in seen}) == 5
    assert content(folder) == seen[-1]
    rebuild(folder)
    assert content(folder) == seen[-1]


def damage_bytes(index):
    index.write_bytes(b"not a database" * 100)


def damage_layout(index):
    connection = sqlite3.connect(index)
    connection.execute("PRAGMA user_version = 99")
    connection.close()


def damage_page(index):
    content = bytearray(index.read_bytes())
    content[4096:8192] = b"\xff" * 4096
    index.write_bytes(bytes(content))


def damage_foreign(index):
    index.unlink()
    connection = sqlite3.connect(index)
    connection.executescript("CREATE TABLE events (a TEXT UNIQUE); CREATE VIEW lessons AS SELECT 1;")
    connection.close()


@pytest.mark.parametrize(
    "damage", [damage_bytes, damage_layout, damage_page, damage_foreign, lambda index: index.unlink()]
)
def test_an_index_that_is_missing_damaged_or_old_is_made_anew(tmp_path, damage):
    folder = play(tmp_path / "run", 30)
    before = content(folder)
    damage(folder.path / INDEX)
    assert content(folder) == before
    assert content(folder) == before
    assert sqlite3.connect(folder.path / INDEX).execute("SELECT count(*) FROM episodes").fetchone() == (30,)


def test_an_index_of_another_log_is_made_anew(tmp_path):
    one, two = play(tmp_path / "one", 3), play(tmp_path / "two", 6)
    (one.path / INDEX).write_bytes((two.path / INDEX).read_bytes())
    assert len(rows(one, "SELECT * FROM episodes")) == 3


def test_a_log_edited_behind_its_back_is_noticed(tmp_path):
    folder = play(tmp_path / "run", 3)
    log = folder.path / "events.jsonl"
    log.write_bytes(log.read_bytes().replace(b'"score":20.0', b'"score":99.0'))
    assert rows(folder, "SELECT max(score) AS best FROM episodes") == [{"best": 99.0}]


@pytest.mark.parametrize("had_index", [True, False])
def test_a_read_only_run_is_indexed_in_memory(tmp_path, had_index):
    folder = play(tmp_path / "run", 3)
    before = content(folder)
    log = folder.path / "events.jsonl"
    log.write_bytes(log.read_bytes().replace(b'"seed":2', b'"seed":7'))
    if not had_index:
        (folder.path / INDEX).unlink()
    with read_only(folder.path):
        assert len(rows(folder, "SELECT * FROM episodes WHERE seed = 7")) == 1
        assert len(content(folder)) == len(before)
    assert sorted(path.name for path in folder.path.glob(INDEX + "*")) == ([INDEX] if had_index else [])


def test_it_is_a_wal_database(tmp_path):
    folder = play(tmp_path / "run", 1)
    assert rows(folder, "PRAGMA journal_mode") == [{"journal_mode": "wal"}]
