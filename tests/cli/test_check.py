import json
import re

import pytest

from garten.levels.find import is_level
from garten.levels.find import source_of as level_source
from garten.worlds.check import CHECKS
from support import LANTERN, one_sentence

NAMES = [check.__name__.replace("_", "-") for check in CHECKS]

BROKEN = """
import sys
sys.path.insert(0, {tests!r})
from worlds.toy import Toy


class Broken(Toy):
    def _tick(self, controls):
        super()._tick(controls)
        return self.ticks > 5 and 1 / 0


WORLD = Broken
"""


def test_a_good_world_passes_with_status_0(cli):
    ended = cli("check", LANTERN, "--seeds", 2)
    assert (ended.code, ended.err) == (0, "")
    rows = [line.split()[:2] for line in ended.out.splitlines()]
    assert rows == [["ok", name] for name in NAMES]


def test_json_is_one_value(cli):
    ended = cli("check", LANTERN, "--seeds", 1, "--json")
    results = json.loads(ended.out)
    assert (ended.code, ended.err) == (0, "")
    assert [result["name"] for result in results] == NAMES
    assert {result["passed"] for result in results} == {True}


def test_a_world_that_breaks_its_promise_fails_with_status_1(cli, tmp_path):
    world = tmp_path / "broken.py"
    world.write_text(BROKEN.format(tests=str(LANTERN.parents[2] / "tests")))
    ended = cli("check", world, "--seeds", 1)
    assert (ended.code, ended.err) == (1, "")
    failed = [line for line in ended.out.splitlines() if line.startswith("FAILED")]
    assert any("ZeroDivisionError" in line for line in failed)
    again = cli("check", world, "--seeds", 1, "--json")
    assert again.code == 1
    assert not all(result["passed"] for result in json.loads(again.out))


def test_no_seeds_are_wrong_usage(cli):
    assert cli("check", LANTERN, "--seeds", 0).code == 2


def test_a_sound_level_passes_by_name_and_by_path(cli, tmp_path):
    ended = cli("check", "level:gathering", "--seeds", 1)
    said = [
        line for line in ended.err.splitlines() if not line.startswith("Compiling")
    ]  # where kernels are cold
    assert (ended.code, said) == (0, [])
    assert {line.split()[0] for line in ended.out.splitlines()} == {"ok"}
    path = tmp_path / "gathering.py"
    path.write_text(level_source("level:gathering"))
    assert cli("check", path, "--seeds", 1).out == ended.out


def test_an_agent_plays_a_sound_level(cli):
    ended = cli("check", "level:crafting", "--seeds", 1, "--agent", "default", "--json")
    *_, play, agent = json.loads(ended.out)
    assert (ended.code, play["name"], agent["name"], agent["passed"]) == (0, "play", "agent", True)
    told = r"300 steps at most; goal met in (\d+) of 16 starts, dead in (\d+)"
    met, dead = map(int, re.fullmatch(told, agent["detail"]).groups())
    assert met >= 8  # a wooden pickaxe, which it makes in nearly every plain game
    assert 0 <= dead <= 16 - met


def test_an_agent_that_cannot_play_levels_is_refused(cli, trained):
    assert "--agent plays levels only; leave it out." in cli("check", LANTERN, "--agent", "default").err
    ended = cli("check", "level:crafting", "--agent", trained)
    assert one_sentence(ended.err)
    assert "plays Craftax-Classic, which has no levels; give an agent of Craftax." in ended.err


def test_a_level_with_a_fault_fails_with_status_1(cli, tmp_path):
    path = tmp_path / "empty.py"
    path.write_text("relevant_achievements = []\n")
    ended = cli("check", path, "--json")
    assert (ended.code, ended.err) == (1, "")
    (result,) = json.loads(ended.out)
    assert result["detail"] == "The level does not define objective; define it at the top of its code."


@pytest.mark.parametrize(
    "code",
    [
        "objectve = 'Collect coal.'\nclass Helper(dict): pass",
        "objective = 'Collect coal.'\ndescription = 'Coal.'\nclass Helper(dict): pass",
        "if True:\n    descriptoin = 'Coal.'\nWORLD = 'a forest'",
        "class Mine(Level):\n    def __init__(self):\n        self.relevant_achievments = []",
        "class Mine(Level):\n    def generat_world(self, rng): pass",
        "def get_task_param(): return {}",
        "goal = 'Collect coal.'",
        "",
    ],
)
def test_a_level_with_a_mistyped_or_missing_part_is_never_run_outside_the_sandbox(cli, tmp_path, code):
    path, ran = tmp_path / "level.py", tmp_path / "ran"
    path.write_text(f"open({str(ran)!r}, 'w').close()\n{code}\n")
    ended = cli("check", path)
    assert (ended.code, ended.err) == (1, "")
    assert ended.out.startswith("FAILED  contract  The level does not define ")
    assert not ran.exists()


def test_code_nested_too_deeply_to_be_looked_through_is_not_run(cli, tmp_path):
    path, ran = tmp_path / "level.py", tmp_path / "ran"
    path.write_text(f"WORLD = {'-' * 1500}1\nopen({str(ran)!r}, 'w').close()\n")
    assert cli("check", path).code == 1
    assert not ran.exists()


def test_a_class_that_is_no_world_is_not_run(cli, tmp_path):
    path, ran = tmp_path / "notes.py", tmp_path / "ran"
    path.write_text(f"open({str(ran)!r}, 'w').close()\nclass Helper(dict): pass\n")
    assert "looks like neither a level nor a world" in cli("check", path).err
    assert not ran.exists()


def test_no_file_of_a_world_is_taken_for_a_level():
    root = LANTERN.parents[2]
    worlds = [file.parent for file in root.glob("src/garten/worlds/*/task.md")]
    files = [*root.glob("examples/worlds/*/*.py"), *root.glob("tests/worlds/shunter.py")]
    files += [file for world in worlds for file in (world / "__init__.py", world / "world.py")]
    assert len(files) > 15
    assert [file for file in files if is_level(str(file))] == []


def test_an_unknown_level_is_an_error_in_one_sentence(cli):
    ended = cli("check", "level:gathring")
    assert (ended.code, ended.out) == (1, "")
    assert ended.err == "Error: There is no level 'gathring'; the closest is gathering.\n"


def test_what_is_no_world_and_no_level_is_one_sentence(cli, tmp_path):
    path = tmp_path / "notes.py"
    assert f"There is no world or level at {path}; give the path of one." in cli("check", path).err
    path.write_text("class Helper(dict): pass")
    assert f"{path} looks like neither a level nor a world; a level defines" in cli("check", path).err
