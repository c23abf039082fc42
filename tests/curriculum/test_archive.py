"""The archive: what is added can be read, by any number of processes; killed and taken up it is the same."""

import json
import shutil
import sqlite3
from xml.etree import ElementTree

import pytest

from curriculum.archives import node, performance, reading, training
from garten.curriculum import tables
from garten.curriculum.archive import GRAPH, Archive, read_archive
from garten.curriculum.lineage import graphml
from garten.domain import Draft
from garten.errors import RunError
from garten.runs.folder import RunFolder
from support import python, read_only, same_run


@pytest.fixture
def folder(tmp_path) -> RunFolder:
    return RunFolder.create(tmp_path / "run", {}, seeds=[0], kind="train")


def filled(folder: RunFolder) -> Archive:
    """Two seeds, of which one has a child and a refused one; cycles 0 to 2."""
    archive = Archive(folder)
    first = archive.add(reading("one"), cycle=0, origin="seed")
    second = archive.add(reading("two"), cycle=0, origin="seed")
    archive.record(first.digest, training(0, 0.6))
    archive.record(second.digest, training(0, None))
    archive.add(reading("three"), cycle=1, parent=first.digest, reasoning="Cows are near.")
    archive.refuse(Draft("four\ud800", "bad\ud800", "why"), "No.", cycle=1, parent=first.digest)
    archive.record(reading("three").digest, training(1, 0.3))
    archive.record(first.digest, training(2, 0.8, progress=0.1))
    return archive


@pytest.mark.parametrize(
    ("success", "status"),
    [(1.0, "A"), (0.75, "A"), (0.74, "B"), (0.5, "B"), (0.49, "C"), (0.25, "C"), (0.24, "D"), (None, "D")],
)
def test_statuses_of_trained_levels(success, status):
    assert node(0, training(0, 1.0), training(1, success)).status == status


def test_statuses_of_untrained_levels():
    assert node(0).status == "seed"
    assert node(1, parent=0).status == "compiled"
    assert node(1, parent=0, refused="No.").status == "draft"


def test_learnability():
    assert performance(0.25).learnability == 0.1875
    assert performance(None).learnability == 0.0
    assert node(0).score("learnability") == node(0, training(0, 0.5)).score("progress") == 0.0
    assert node(0, training(0, 1.0), training(3, 0.5)).score("learnability") == 0.25


def test_what_was_added_is_there(folder):
    with filled(folder) as archive:
        assert read_archive(folder) == archive.nodes
        one, two, three, four = archive.nodes.values()
        assert [each.status for each in (one, two, three, four)] == ["A", "D", "C", "draft"]
        assert [each.number for each in archive.nodes.values()] == [0, 1, 2, 3]
        assert archive.children(one.digest) == [three, four]
        assert archive.children(two.digest) == []
        assert one.known.performance == performance(0.8, EAT_COW=0.5)
        assert (three.reasoning, three.known.description) == ("Cows are near.", "It is three.")
        assert (four.refused, four.source, four.goal) == ("No.", "four\\ud800", ())
        assert (folder.path / "levels" / f"{three.digest}.py").read_text() == "three"
    assert read_archive(folder) == archive.nodes


def test_an_archive_without_evidence_takes_that_of_each_cycle(folder):
    filled(folder).close()
    before = read_archive(folder)
    for path in (folder.path / "levels").glob("*.json"):
        about = json.loads(path.read_text())
        for each in about["trainings"]:
            del each["evidence"]
        path.write_text(json.dumps(about))
    assert read_archive(folder) == before
    path.write_text(json.dumps({**about, "trainings": [{"cycle": 0}]}))
    with pytest.raises(RunError, match="is damaged"):
        read_archive(folder)


def test_levels_are_added_once_and_trained_in_order(folder):
    with filled(folder) as archive:
        one, _, _, four = archive.nodes
        with pytest.raises(ValueError, match="in the archive already"):
            archive.add(reading("one"), cycle=3)
        with pytest.raises(ValueError, match="parent nobody is not in the archive"):
            archive.add(reading("five"), cycle=3, parent="nobody")
        with pytest.raises(ValueError, match="Cycle 2 is on record"):
            archive.record(one, training(2, 0.5))
        for digest in (four, "nobody"):
            with pytest.raises(ValueError, match="may be trained"):
                archive.record(digest, training(3, 0.5))
        before = dict(archive.nodes)
        assert archive.refuse(Draft("four\ud800", "", ""), "Again.", cycle=3) is None
        assert archive.refuse(Draft("x", "", ""), "Same.", cycle=3, reading=reading("one")) is None
        assert archive.nodes == before


def test_a_run_goes_on_from_a_cycle(folder, tmp_path):
    with filled(folder) as archive:
        archive.rewind(1)
        assert [each.trainings for each in archive.nodes.values()] == [
            (training(0, 0.6),),
            (training(0, None),),
        ]
        assert read_archive(folder) == archive.nodes
        assert len(list((folder.path / "levels").iterdir())) == 4
    whole = RunFolder.create(tmp_path / "whole", {}, seeds=[0], kind="train")
    filled(whole).close()
    shutil.rmtree(folder.path / "levels")
    with filled(folder) as archive:
        archive.rewind(2)
    with Archive(folder) as archive:  # as after a kill
        archive.record(reading("one").digest, training(2, 0.8, progress=0.1))
    assert same_run(folder.path, whole.path) == []


def rows(folder: RunFolder) -> dict[str, list[tuple]]:
    """All that the tables hold."""
    connection = tables.open_for_reading(folder)
    try:
        names = ("levels", "trainings", "rates", "lineage")
        return {name: sorted(map(tuple, connection.execute(f"SELECT * FROM {name}"))) for name in names}
    finally:
        connection.close()


def test_tables_say_the_same_and_can_be_made_anew(folder):
    with filled(folder) as archive:
        one, _, three, four = archive.nodes
        found = rows(folder)
        assert [len(part) for part in found.values()] == [4, 4, 4, 2]
        assert set(found["lineage"]) == {(one, three), (one, four)}
        connection = tables.open_for_reading(folder)
        asked = "SELECT status, success, learnability, last_trained FROM levels ORDER BY number"
        told = [tuple(row) for row in connection.execute(asked)]
        assert told[0] == ("A", 0.8, performance(0.8).learnability, 2)
        assert told[1:] == [("D", None, 0.0, 0), ("C", 0.3, 0.21, 1), ("draft", None, None, None)]
        scores = "SELECT scores FROM trainings WHERE digest = ? AND cycle = 2"
        assert json.loads(connection.execute(scores, (one,)).fetchone()[0])["progress"] == 0.1
        with pytest.raises(sqlite3.OperationalError):
            connection.execute("DELETE FROM levels")
        connection.close()
    (folder.path / tables.TABLES).write_bytes(b"no tables")
    with pytest.raises(RunError, match="give a run that has one"):
        tables.open_for_reading(folder)
    with Archive(folder):
        assert rows(folder) == found
    with Archive(folder) as archive:
        archive.rewind(1)
        fewer = rows(folder)
        assert [len(part) for part in fewer.values()] == [2, 2, 2, 0]


def test_others_read_while_it_is_written(folder):
    code = """
import sys
from garten.curriculum.archive import read_archive
from garten.curriculum.tables import open_for_reading
from garten.runs.folder import RunFolder
folder = RunFolder.open(sys.argv[1])
print(len(read_archive(folder)), *open_for_reading(folder).execute("SELECT count(*) FROM levels").fetchone())
"""
    with filled(folder) as archive:
        assert python(code, folder.path).stdout == "4 4\n"
        archive.add(reading("five"), cycle=3)
        assert python(code, folder.path).stdout == "5 5\n"


def test_damage_is_told(folder):
    filled(folder).close()
    digest = reading("three").digest
    code, about = (folder.path / "levels" / f"{digest}.{kind}" for kind in ("py", "json"))
    code.write_text("threw")
    with pytest.raises(RunError, match=f"{digest}.py is damaged"):
        read_archive(folder)
    code.write_text("three")
    for content in ('{"number": 2}', about.read_text().replace('"born": 1', '"born": "x"')):
        about.write_text(content)
        with pytest.raises(RunError, match=f"{digest}.json is damaged"):
            Archive(folder)


def test_a_folder_that_cannot_be_written(folder):
    with read_only(folder.path), pytest.raises(RunError, match="could not be written"):
        Archive(folder)


def test_equal_archives_have_equal_graphs(folder):
    with filled(folder) as archive:
        archive.save_graph()
        root = ElementTree.parse(folder.path / GRAPH).getroot()
        space = {"g": "http://graphml.graphdrawing.org/xmlns"}
        assert [each.get("id") for each in root.iterfind(".//g:node", space)] == list(archive.nodes)
        one, _, three, four = archive.nodes
        edges = [(each.get("source"), each.get("target")) for each in root.iterfind(".//g:edge", space)]
        assert edges == [(one, three), (one, four)]
        told = {each.get("key"): each.text for each in root.iterfind(f".//g:node[@id='{one}']/*", space)}
        assert (told["status"], told["success"], told["goal"]) == ("A", "0.8", "EAT_COW")
        assert "success" not in {
            each.get("key") for each in root.iterfind(f".//g:node[@id='{four}']/*", space)
        }


def test_texts_of_models_may_hold_anything(folder):
    odd = "\ud800\0\x1b<&\n"
    with Archive(folder) as archive:
        archive.add(reading("one"), cycle=0, reasoning=odd)
        archive.refuse(Draft(odd, odd, odd), odd, cycle=0)
        archive.save_graph()
        assert read_archive(folder) == archive.nodes
        assert [row[8] for row in rows(folder)["levels"]] == ["\\ud800\0\x1b<&\n"] * 2
    ElementTree.parse(folder.path / GRAPH)


def test_graphs_hold_what_xml_cannot():
    odd = node(0, parent=None, refused="\x00<&>\ud800")
    root = ElementTree.fromstring(graphml([odd]).encode())
    assert any(each.text == "?<&>?" for each in root.iter())
