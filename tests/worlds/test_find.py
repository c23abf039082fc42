"""Worlds found by name, by path and by entry point, and the sentences for those that are not."""

import importlib.metadata
import logging
import subprocess
import sys
from pathlib import Path

import pytest

from garten.errors import WorldError
from garten.worlds import find

EXAMPLE = Path(__file__).parents[2] / "examples" / "worlds" / "lantern"
MINIMAL = f"""
from garten.worlds.find import load
Lantern = load({str(EXAMPLE)!r})
class Mine(Lantern):
    pass
WORLD = Mine
"""


def write(path, text=MINIMAL):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_every_built_in_world_is_found_by_its_kebab_name():
    for name in find.names():
        assert find.load(name).spec.name == name
    assert {"herding", "one-lane-bridge"} <= set(find.names())
    assert [spec.name for spec in find.catalogue()] == list(find.names())


def test_a_new_folder_is_a_new_world_without_any_registry(tmp_path, monkeypatch):
    """A folder in the package path is all it takes."""
    write(
        tmp_path / "far_lantern" / "__init__.py",
        MINIMAL + "from dataclasses import replace\nMine.spec = replace(Lantern.spec, name='far-lantern')\n",
    )
    monkeypatch.setattr(find.garten.worlds, "__path__", [*find.garten.worlds.__path__, str(tmp_path)])
    try:
        assert "far-lantern" in find.names()
        assert find.load("far-lantern").spec.name == "far-lantern"
    finally:
        sys.modules.pop("garten.worlds.far_lantern", None)


def test_naming_worlds_imports_none_of_them():
    script = (
        "import sys; from garten.worlds import find; find.names();"
        "print([name for name in sys.modules if name.startswith('garten.worlds.')])"
    )
    shown = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert shown.strip() == "['garten.worlds.given', 'garten.worlds.world', 'garten.worlds.find']"


def test_a_world_by_path_is_loaded_once_and_knows_its_way_back(tmp_path):
    file = write(tmp_path / "mine.py")
    world = find.load(file)
    assert world is find.load(str(file))
    assert find.origin(world) == str(file)
    assert find.load(find.origin(world)) is world
    assert find.origin(find.load(EXAMPLE)) == str(EXAMPLE)
    assert find.origin(find.load("herding")) == "herding"


def test_a_folder_is_a_package_with_imports_of_its_own(tmp_path):
    write(tmp_path / "split" / "rules.py")
    write(tmp_path / "split" / "__init__.py", "from .rules import WORLD\n")
    world = find.load(tmp_path / "split")
    assert world.spec.name == "lantern"
    assert find.origin(world) == str(tmp_path / "split")


def test_two_files_of_one_name_are_two_worlds(tmp_path):
    first, second = (find.load(write(tmp_path / part / "mine.py")) for part in "ab")
    assert first is not second


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "import nowhere_at_all\nWORLD = nowhere_at_all.World\n",
            r"bad\.py cannot be imported \(ModuleNotFoundError: No module named",
        ),
        ("def (:\n", r"bad\.py cannot be imported \(SyntaxError: .*, line 1\); mend it"),
        ("WORLD = 1 / 0\n", r"bad\.py cannot be imported \(ZeroDivisionError: division by zero\)"),
        ("x = 1\n", r"bad\.py defines no WORLD; assign your subclass"),
        ("WORLD = 3\n", r"bad\.py defines no WORLD"),
        (
            "from garten.worlds.world import World\nclass W(World): pass\nWORLD = W\n",
            r"bad\.py has no spec; set the class attribute",
        ),
    ],
)
def test_a_file_that_is_no_world_is_refused_with_file_and_reason(tmp_path, text, message):
    file = write(tmp_path / "bad.py", text)
    for _ in range(2):  # a failed import leaves nothing behind
        with pytest.raises(WorldError, match=message):
            find.load(file)


def test_a_file_without_a_world_is_not_run(tmp_path):
    file = write(tmp_path / "level.py", "class Helper(dict): pass\n1 / 0\n")
    with pytest.raises(find.NoWorldError, match=r"level\.py defines no WORLD; assign your subclass"):
        find.load(file)


def test_a_mended_file_loads_after_a_failure(tmp_path):
    file = write(tmp_path / "mine.py", "WORLD = 1 / 0\n")
    with pytest.raises(WorldError, match="ZeroDivisionError"):
        find.load(file)
    assert find.load(write(file)).spec.name == "lantern"


@pytest.mark.parametrize("missing", ["nowhere/at_all.py", "./nothing", Path("nothing")])
def test_a_missing_path_is_refused(missing):
    with pytest.raises(WorldError, match="There is no world at"):
        find.load(missing)


def test_an_unknown_name_is_answered_with_the_closest_and_the_list():
    with pytest.raises(WorldError, match="no world 'hearding'; did you mean 'herding'") as caught:
        find.load("hearding")
    assert "one-lane-bridge" in str(caught.value)
    with pytest.raises(WorldError, match="no world 'zzz'; there are:"):
        find.load("zzz")


# --- entry points ----------------------------------------------------------------------------------


def announce(monkeypatch, tmp_path, **values):
    """Let other packages announce the worlds of modules written to `tmp_path`."""
    entries = [importlib.metadata.EntryPoint(name, value, find.GROUP) for name, value in values.items()]
    monkeypatch.setattr(find, "entry_points", lambda *, group: entries if group == find.GROUP else [])
    monkeypatch.syspath_prepend(str(tmp_path))


def test_other_packages_announce_worlds_by_entry_point(tmp_path, monkeypatch):
    write(tmp_path / "their_package_a.py")
    announce(monkeypatch, tmp_path, lantern="their_package_a:Mine")
    assert find.names() == tuple(sorted({*find.names(), "lantern", "herding"}))
    assert find.load("lantern").__name__ == "Mine"
    assert find.origin(find.load("lantern")) == "lantern"
    announce(monkeypatch, tmp_path, lantern="their_package_a")
    assert find.load("lantern").__name__ == "Mine"


def test_a_broken_announcement_is_named_and_does_not_hide_the_others(tmp_path, monkeypatch, caplog):
    write(tmp_path / "their_package_b.py", "1 / 0\n")
    write(tmp_path / "their_package_c.py")
    announce(monkeypatch, tmp_path, broken="their_package_b:Mine", misnamed="their_package_c:Mine")
    with pytest.raises(WorldError, match="entry point broken = their_package_b:Mine cannot be imported"):
        find.load("broken")
    with pytest.raises(WorldError, match="found as 'misnamed' calls itself 'lantern'"):
        find.load("misnamed")
    with caplog.at_level(logging.WARNING):
        assert "herding" in [spec.name for spec in find.catalogue()]
    assert "broken" in caplog.text
    assert "misnamed" in caplog.text


# --- settings --------------------------------------------------------------------------------------

SETTINGS = """
from dataclasses import replace
from garten.records import Setting
Mine.spec = replace(
    Lantern.spec, settings=(Setting("fog", 0, 9, 2, "how thick"), Setting("owls", 0, 3, 0, "how many"))
)
"""


@pytest.fixture
def foggy(tmp_path):
    return str(write(tmp_path / "foggy.py", MINIMAL + SETTINGS))


def test_settings_follow_a_path_and_come_back_with_it(foggy):
    world = find.load(f"{foggy}:owls=1,fog=7")
    assert (world.setting("fog"), world.setting("owls")) == (7, 1)
    assert world.label() == "lantern:fog=7,owls=1"
    assert find.origin(world) == f"{foggy}:fog=7,owls=1"
    assert find.load(find.origin(world)).settings == world.settings
    assert find.load(Path(f"{foggy}:fog=7")).setting("owls") == 0
    assert find.is_path("foggy.py:fog=7")


def test_settings_at_their_defaults_are_the_world_itself(foggy):
    plain = find.load(foggy)
    assert (plain.setting("fog"), plain.label()) == (2, "lantern")
    assert find.load(f"{foggy}:fog=2") is plain
    assert find.load(f"{foggy}:fog=3").configured({}).label() == "lantern"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("rain=1", "lantern has no setting 'rain'; it has fog, owls."),
        ("owl=1", r"lantern has no setting 'owl'; did you mean 'owls'\? It has fog, owls."),
        ("fog=10", "'fog' must lie between 0 and 9, got 10."),
        ("fog=1,fog=2", "has a setting twice; give each once."),
        ("fog=-1", "'fog' must lie between 0 and 9, got -1."),
    ],
)
def test_settings_that_do_not_fit_are_refused(foggy, settings, message):
    with pytest.raises(WorldError, match=message):
        find.load(f"{foggy}:{settings}")


def test_a_world_without_settings_takes_none_and_other_colons_are_part_of_the_name():
    with pytest.raises(WorldError, match="herding has no setting 'dogs'; it has none"):
        find.load("herding:dogs=3")
    with pytest.raises(WorldError, match="herding has no settings 'many'; it takes none"):
        find.load("herding:many")
    with pytest.raises(WorldError, match="There is no world 'zzz:many'"):
        find.load("zzz:many")


def test_what_is_recorded_with_settings_plays_again_only_with_the_same(foggy):
    made = [find.load(foggy + behind)() for behind in ("", ":fog=3")]
    for world in made:
        world.reset(1)
    with pytest.raises(WorldError, match="of lantern:fog=3 version 1; this is lantern version 1"):
        made[0].restore(made[1].snapshot())
    assert made[0].state_hash() != made[1].state_hash()
