import json

import numpy as np
import pytest
from PIL import Image

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
        ("hreding", f"no world 'hreding'; did you mean 'herding'? There are: {', '.join(names())}"),
        ("zzz", f"no world 'zzz'; there are: {', '.join(names())}"),
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
    (tmp_path / "lacks.py").write_text("from nonsuch import WORLD")
    (tmp_path / "empty.py").write_text("class Nothing: pass")
    before = sorted(tmp_path.rglob("*"))
    ended = cli(command, world)
    assert (ended.code, ended.out) == (1, "")
    assert one_sentence(ended.err)
    assert told in ended.err
    assert [path for path in sorted(tmp_path.rglob("*")) if "__pycache__" not in path.parts] == before


def test_the_contact_sheet_shows_every_world_twice(cli, tmp_path):
    ended = cli("worlds", "--contact-sheet", str(tmp_path / "worlds.png"), "--look", "photo:dusk")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out == f"{tmp_path / 'worlds.png'}\n"
    with Image.open(tmp_path / "worlds.png") as image:
        sheet = np.asarray(image)
    lines = -(-len(names()) // 2)
    assert sheet.shape == (4 + lines * 204, 4 + 2 * 648, 3)
    for number in range(len(names())):
        for place in range(2):
            left, top = 4 + number % 2 * 648 + place * 324, 24 + number // 2 * 204
            frame = sheet[top : top + 180, left : left + 320]
            assert len(np.unique(frame.reshape(-1, 3), axis=0)) > 30


def test_a_contact_sheet_of_one_world_that_is_no_picture_is_refused(cli, tmp_path):
    ended = cli("worlds", "herding", "--contact-sheet", str(tmp_path / "worlds.txt"))
    assert ended.code == 1
    assert one_sentence(ended.err)
    assert "end it in .png or .webp" in ended.err
    assert not list(tmp_path.iterdir())


def test_a_look_without_a_picture_is_wrong_usage(cli):
    ended = cli("worlds", "herding", "--look", "photo:dusk")
    assert (ended.code, ended.out) == (2, "")
    assert "--look goes with --contact-sheet FILE; add that, or leave it out." in ended.err


@pytest.mark.parametrize("behind", ["individual=x", "individual", "", "individual=1,"])
def test_settings_that_are_no_numbers_are_told_what_a_world_takes(cli, behind):
    ended = cli("worlds", f"companion-dog:{behind}")
    assert (ended.code, ended.out) == (1, "")
    assert ended.err == (
        f"Error: companion-dog has no settings '{behind}'; it takes whole numbers: individual 0..999999, "
        "as in companion-dog:individual=999999.\n"
    )


def test_settings_of_a_world_that_has_none(cli):
    said = "Error: lantern has no settings 'wick=long'; it takes none, so leave them out.\n"
    assert cli("worlds", f"{LANTERN}:wick=long").err == said


def test_keys_and_settings_are_shown(cli):
    out = cli("worlds", "companion-dog").out
    assert "\nKeys\n  o  offer\n" in out
    assert "\n  ArrowLeft  lookX -1\n" in out
    assert "as in companion-dog:individual=" in out
    assert "  individual 0..999999, by default 0  which dog lives here" in out
