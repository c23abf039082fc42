import json

import pytest

from garten.records import WorldSpec
from garten.runs.codec import from_json
from garten.worlds.find import load, names
from support import LANTERN, one_sentence


def test_the_list_names_every_world(cli):
    ended = cli("worlds")
    assert (ended.code, ended.err) == (0, "")
    lines = ended.out.splitlines()
    assert [line.split()[0] for line in lines] == list(names())
    assert all(load(name).spec.title in line for name, line in zip(names(), lines, strict=True))


def test_json_is_one_value_from_which_the_specs_come_back(cli):
    ended = cli("worlds", "--json")
    assert (ended.code, ended.err) == (0, "")
    assert [from_json(WorldSpec, spec) for spec in json.loads(ended.out)] == [
        load(name).spec for name in names()
    ]
    alone = cli("worlds", "herding", "--json")
    assert from_json(WorldSpec, json.loads(alone.out)) == load("herding").spec


@pytest.mark.parametrize("world", ["herding", "one-lane-bridge", LANTERN, LANTERN / "__init__.py"])
def test_one_world_is_shown_with_its_task_actions_and_constants(cli, world):
    ended = cli("worlds", world)
    spec = load(str(world)).spec
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith(f"{spec.name} (version {spec.version}): {spec.title}\n")
    assert spec.task.strip() in ended.out
    for action in spec.actions:
        assert f"  {action.name}(" in ended.out
        assert action.help in ended.out
    for name, constant in spec.constants.items():
        assert f"  {name} = {float(constant):g} {constant.unit}" in ended.out


@pytest.mark.parametrize("command", ["worlds", "check", "practice"])
@pytest.mark.parametrize(
    ("world", "told"),
    [
        ("hreding", "no world 'hreding'; did you mean 'herding'? There are: herding, one-lane-bridge"),
        ("zzz", "no world 'zzz'; there are: herding, one-lane-bridge"),
        ("lantern", "no world 'lantern'; for the folder of that name write ./lantern."),
        ("./nothing", "no world "),
        ("nothing.py", "no world "),
        ("broken.py", "broken.py cannot be imported (SyntaxError: '(' was never closed, line 1)"),
        ("lacks.py", "lacks.py cannot be imported (ModuleNotFoundError: No module named 'nonsuch')"),
        ("empty.py", "WORLD"),
    ],
)
def test_a_world_that_cannot_be_had_is_one_sentence(cli, tmp_path, monkeypatch, command, world, told):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lantern").mkdir()
    (tmp_path / "broken.py").write_text("WORLD = (")
    (tmp_path / "lacks.py").write_text("import nonsuch")
    (tmp_path / "empty.py").write_text("")
    before = sorted(tmp_path.rglob("*"))
    ended = cli(command, world)
    assert (ended.code, ended.out) == (1, "")
    assert one_sentence(ended.err)
    assert told in ended.err
    assert [path for path in sorted(tmp_path.rglob("*")) if "__pycache__" not in path.parts] == before
