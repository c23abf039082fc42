"""What the report shows of levels: lineage, success over time, costs, and what authors changed."""

from collections import Counter

import numpy as np
import pytest

from garten.curriculum.archive import Archive
from garten.curriculum.node import Node, Training
from garten.domain import Draft, Performance, Reading
from garten.report.ancestry import rows
from garten.report.families import COLOURS, family
from garten.report.level_charts import successes
from garten.report.levels_part import levels_part
from garten.report.page import write_report
from garten.runs.resume import begin
from garten.training.config import preset
from garten.training.names import KIND
from garten.training.train import asked
from report.pages import Page

SEED, CHILD, GRANDCHILD = ("import this\n", "import this\nmore = 1\n", "import that\nmore = 1\n")


def reading(source, goal):
    from garten.curriculum.archive import digest_of

    return Reading(source, digest_of(source), f"Do {goal}.", "Here.", (goal,), (), {})


def training(cycle, success):
    performance = Performance(success, {}, 10 if success is not None else 0, None, None)
    return Training(cycle, performance, performance, {"learnability": performance.learnability})


def update(number, steps):
    return {
        "update": number,
        "steps": steps,
        "episodes": 1,
        "return": 1.0 + number,
        "metrics": {},
        "achievements": {},
        "wall_seconds": 4.0,
        "wall_parts": {"engine": 1.0, "inference": 0.5, "learning": 2.0, "levels": 0.25},
    }


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A run that had a level written from a seed, one from that, and one refused."""
    config = preset("laptop", "gru", curriculum="dicode")
    place = tmp_path_factory.mktemp("levels") / "run"
    with begin(place, asked(config), seeds=[0], kind=KIND) as run, Archive(run.folder) as archive:
        seed = archive.add(reading(SEED, "EAT_COW"), cycle=0, origin="seed")
        child = archive.add(reading(CHILD, "COLLECT_COAL"), cycle=1, parent=seed.digest, reasoning="Because.")
        archive.add(reading(GRANDCHILD, "COLLECT_IRON"), cycle=3, parent=child.digest)
        archive.refuse(Draft("<b>1</b>", "", ""), "It is <i>no</i> level.", cycle=1, parent=seed.digest)
        archive.record(seed.digest, training(0, 0.9))
        archive.record(child.digest, training(2, 0.5))
        archive.record(seed.digest, training(3, None))
        for number in range(3):
            run.event("update", update(number, 1000 * (number + 1)))
        generation = {"generation": 0, "asked": 3, "written": 2, "admitted": 1, "entering": 1, "problem": ""}
        walls = {"wall_author": 1.5, "wall_gate": 0.25, "wall_waited": 0.125}
        run.event("generation", generation | walls)
        run.event("generation", generation | walls | {"generation": 1, "problem": "Nobody <answered>."})
        yield run.folder


@pytest.fixture(scope="module")
def page(run):
    return Page(write_report(run))


def test_families_of_goals():
    assert family(["COLLECT_WOOD", "PLACE_TABLE", "MAKE_WOOD_PICKAXE"]) == "crafting"
    assert family(["COLLECT_DRINK", "EAT_COW"]) == "survival"
    assert family(["COLLECT_IRON", "DEFEAT_ZOMBIE"]) == "combat"
    assert family([]) == family(["SOMETHING"]) == "other"
    assert {family([name]) for name in ("ENTER_DUNGEON", "CAST_FIREBALL", "OPEN_CHEST")} <= COLOURS.keys()


def node(number, parent):
    return Node(number, str(number), "", "generated", parent, "", "", (), "", number)


def test_leaves_lie_apart_and_parents_amid_their_children():
    tree = [node(0, None), node(1, "0"), node(2, "0"), node(3, "1"), node(4, "1"), node(5, "gone")]
    heights = rows(tree)
    assert Counter(heights[name] for name in "3425").most_common(1)[0][1] == 1
    assert heights["1"] == (heights["3"] + heights["4"]) / 2
    assert heights["0"] == (heights["1"] + heights["2"]) / 2


def test_long_lines_of_levels_need_no_deep_stack():
    line = [node(0, None), *(node(number, str(number - 1)) for number in range(1, 3000))]
    assert {*rows(line).values()} == {0.0}


def test_success_by_level_and_cycle(run):
    table = successes(list(Archive(run).nodes.values())[:2], 4)
    expected = [[0.9, np.nan, np.nan, np.nan], [np.nan, np.nan, 0.5, np.nan]]
    assert np.array_equal(table, expected, equal_nan=True)


def test_what_the_levels_cost_is_told(run, page):
    part = levels_part(run)
    assert (part.asked, part.written, part.admitted) == (6, 4, 2)
    assert part.counts == {"B": 1, "D": 1, "compiled": 1, "draft": 1}
    assert "6 levels were asked for in 2 generations, 4 were handed in, 2 passed the gate." in page.text
    assert "Writing took 3.0 s and judging 0.5 s, beside training, which waited 0.2 s for them." in page.text
    costs = ["3", "2", "1", "1", "1.5", "0.2", "0.1"]
    assert page.rows(9) == [["0", *costs, ""], ["1", *costs, "Nobody <answered>."]]


def test_grades_are_explained_before_they_are_counted(page):
    text = " ".join(page.text.split())
    before, now, after = text.partition("there are now 1 B, 1 D, 1 compiled, 1 draft;")
    assert now
    assert "A in three of four episodes" in before
    assert "D in fewer" in before
    assert "one that was refused is a draft." in after


def test_charts_of_lineage_success_and_time(page):
    charts = page.all("svg")
    time, lineage, success, grades = charts[2:6]
    assert all(part in time.text for part in ("engine", "inference", "learning", "levels", "other"))
    assert "cycle in which a level came" in lineage.text
    assert {name for name in COLOURS if name in lineage.text} == {"survival", "gathering"}
    assert "level, oldest first" in success.text
    assert "levels played" in grades.text


def test_children_stand_beside_their_parents(page):
    (pair,) = [tag for tag in page.all("details") if tag.attributes.get("class") == "pair"]
    assert " ".join(pair.text.split()).startswith(
        "B Do COLLECT_COAL. 50 %, from: Do EAT_COW. – Here. Because."
    )
    added = [tag.text.strip() for tag in page.all("span") if tag.attributes.get("class") == "added"]
    assert added == ["+ more = 1"]


def test_it_still_loads_nothing(page):
    assert all(item.startswith(("data:", "#")) for item in page.loaded)
    assert "<b>1</b>" not in page.source
