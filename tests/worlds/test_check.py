"""The conformance suite: good worlds pass, and each check catches the world that breaks its rule, alone."""

import textwrap
from dataclasses import replace
from pathlib import Path

import pytest

from garten.errors import WorldError
from garten.records import Argument, Constant, Key, RoleSpec, Setting
from garten.worlds import check_declared
from garten.worlds.check import CHECKS, check
from garten.worlds.check_subject import Fault, Subject
from garten.worlds.find import load, names

ROOT = Path(__file__).parents[2]
TOY = ROOT / "tests" / "worlds" / "toy.py"
EXAMPLES = sorted(path.parent for path in (ROOT / "examples" / "worlds").glob("*/__init__.py"))

HEADER = f"""
from dataclasses import replace
import numpy as np
from garten.errors import WorldError
from garten.scene import Condition
from garten.worlds.find import load
Toy = load({str(TOY)!r})
class Broken(Toy):
"""

BROKEN = {
    "spec": """
        spec = replace(Toy.spec, name="Toy_World")
        """,
    "task": """
        spec = replace(Toy.spec, task="Push, shove or drive, for 2 s.")
        """,
    "fresh-process": """
        def _begin(self, rng):  # text hashes differ between processes
            state = super()._begin(rng)
            state.place += hash("toy") % 1000 * 1e-5
            return state
        """,
    "rerun": """
        games = 0
        def _begin(self, rng):  # remembers the episodes before
            state = super()._begin(rng)
            self.games += 1
            state.place += 0.01 * self.games
            return state
        """,
    "looking": """
        def _score(self):
            self.state.place = self.state.place + 0.001
            return super()._score()
        """,
    "snapshot": """
        def _begin(self, rng):
            self.speed = 0.0
            return super()._begin(rng)
        def _tick(self, controls):  # a speed that is not part of the state
            self.speed += 0.01
            self.state.place = self.state.place + self.speed
            return super()._tick(controls)
        """,
    "fork": """
        ticks_of_all = [0]
        def _tick(self, controls):
            self.ticks_of_all[0] += 1
            return super()._tick(controls)
        def _scene(self):
            scene = super()._scene()
            return scene.moved(scene.positions + self.ticks_of_all[0], scene.rotations)
        """,
    "durations": """
        def act(self, actions, *, watch=False):
            step = super().act(actions, watch=watch)
            return replace(step, ticks=step.ticks + 1)
        """,
    "time-limit": """
        @property
        def truncated(self):
            return not self._ended and self._ticks >= self.limit_ticks + 5
        """,
    "flags": """
        @property
        def terminated(self):
            return self._ended or self._ticks >= self.limit_ticks
        @property
        def truncated(self):
            return self._ticks >= self.limit_ticks
        """,
    "arguments": """
        def act(self, actions, *, watch=False):  # takes what it does not know for a rest
            actions = {role: one and self.spec.action(one.name) and one for role, one in actions.items()}
            return super().act(actions, watch=watch)
        """,
    "controls": """
        def _tick(self, controls):
            1.0 / controls["zed"].axes.get("speed", 1.0)
            return super()._tick(controls)
        """,
    "cameras": """
        def _camera(self, role):
            return replace(super()._camera(role), fov_y=200.0)
        """,
    "moments": """
        def _begin(self, rng):
            self.shown = np.zeros((2, 3), np.float32)
            return super()._begin(rng)
        def _tick(self, controls):
            self.shown += 0.1
            return super()._tick(controls)
        def _scene(self):  # hands out the array it goes on to change
            scene = super()._scene()
            self.shown[:] = scene.positions
            return scene.moved(self.shown, scene.rotations)
        """,
    "drawings": """
        def _drawing(self):
            def draw(role, width, height):
                shape = height, width
                return Condition(np.ones(shape), np.zeros((*shape, 3)), np.zeros(shape, int), (1, 1, 1, 1))
            return draw
        """,
    "hidden": """
        def _tick(self, controls):
            self._say("zed", f"You are at {self.state.place[0]:.2f} m.")
            return super()._tick(controls)
        """,
    "layouts": """
        def _begin(self, rng):
            return super()._begin(np.random.default_rng(0))
        """,
}

BREAKS_SEVERAL = {
    "a scene that is wrong is wrong under controls too": (
        {"scenes", "controls"},
        """
        def _scene(self):
            scene = super()._scene()
            return scene.moved(scene.positions, 2 * scene.rotations)
        """,
    ),
    "shapes that come and go": (
        {"scenes"},
        """
        def _scene(self):
            scene = super()._scene()
            count = 1 + self.ticks % 2
            names = "kinds positions rotations sizes materials objects assets".split()
            return replace(scene, **{name: getattr(scene, name)[:count] for name in names})
        """,
    ),
    "a score out of bounds": (
        {"scores", "controls"},
        """
        def _score(self):
            return replace(super()._score(), value=100.5)
        """,
    ),
    "progress out of bounds": (
        {"scores", "controls"},
        """
        def _score(self):
            return replace(super()._score(), progress=-0.1)
        """,
    ),
    "global random numbers": (
        {"fresh-process", "rerun", "looking", "snapshot"},
        """
        def _tick(self, controls):
            self.state.place = self.state.place + 0.001 * np.random.rand()
            return super()._tick(controls)
        """,
    ),
    "a drawing that reads the state late": (
        {"moments"},
        """
        def _drawing(self):
            def draw(role, width, height):
                depth = np.full((height, width), 1.0 + self.ticks)
                normals = np.zeros((height, width, 3))
                normals[..., 2] = 1.0
                return Condition(depth, normals, np.zeros((height, width), int), (9.0, 9.0, 16.0, 9.0))
            return draw
        """,
    ),
    "feedback of many kinds": (
        {"hidden"},
        """
        def _tick(self, controls):
            ended = super()._tick(controls)
            place = int(self.state.place[0] * 1e4) % 2600
            self._say("zed", "You are at " + chr(97 + place % 26) + chr(97 + place // 26 % 26) + ".")
            return ended
        """,
    ),
}


def broken(tmp_path, body):
    """The toy with parts of it replaced, as a world in a file of its own."""
    file = tmp_path / "broken.py"
    file.write_text(HEADER + textwrap.indent(textwrap.dedent(body), "    ") + "\nWORLD = Broken\n")
    return load(file)


def failing(world, seeds=(0, 1)):
    return {result.name: result.detail for result in check(world, seeds=seeds) if not result.passed}


LONG = ("hide-and-seek", "living-room", "quarry-loader", "racing")
"""Worlds of which whole episodes take long; their own tests check short ones."""


def checked(place):
    marks = pytest.mark.slow if place in LONG else ()
    return pytest.param(place, marks=marks, id=Path(place).stem)


@pytest.mark.parametrize("place", [checked(place) for place in (*names(), *EXAMPLES, TOY)])
def test_built_in_worlds_and_examples_keep_the_contract(place):
    assert failing(load(place)) == {}


@pytest.mark.parametrize("name", BROKEN)
def test_each_check_catches_the_world_that_breaks_its_rule_and_no_other_check_does(name, tmp_path):
    found = failing(broken(tmp_path, BROKEN[name]))
    assert set(found) == {name}
    assert "raised" not in found[name] or name == "controls"


@pytest.mark.parametrize("fault", BREAKS_SEVERAL)
def test_faults_with_several_signs(fault, tmp_path):
    expected, body = BREAKS_SEVERAL[fault]
    assert set(failing(broken(tmp_path, body), seeds=range(6))) == expected


def test_every_check_has_a_world_that_breaks_it():
    broken_ones = {*BROKEN, *(name for names, _ in BREAKS_SEVERAL.values() for name in names)}
    assert {one.__name__.replace("_", "-") for one in CHECKS} == {*broken_ones, "speed"}


def test_a_world_that_crashes_is_a_result_and_not_a_crash(tmp_path):
    found = failing(broken(tmp_path, "def _tick(self, controls):\n    raise KeyError('wheel')\n"))
    assert found["durations"] == "raised KeyError: 'wheel'"
    assert "spec" not in found


def test_a_world_that_no_other_process_can_load_is_told_so():
    class Inner(load(TOY)):
        pass

    assert failing(Inner) == {
        "fresh-process": "another process cannot load it; define WORLD in a file or announce an entry point"
    }


def test_results_explain_themselves():
    for result in check(load(TOY), seeds=[4]):
        assert result.explanation.endswith(".")
        assert "\n" not in result.explanation
    with pytest.raises(ValueError, match="at least one seed"):
        check(load(TOY), seeds=[])


# --- what the spec and the task may not say --------------------------------------------------------

SPEC = load(TOY).spec
PUSH, SHOVE, DRIVE = SPEC.actions
SPEED, GEAR = DRIVE.arguments


def with_action(**changes):
    return replace(SPEC, actions=(replace(DRIVE, **changes),))


@pytest.mark.parametrize(
    ("spec", "fault"),
    [
        (replace(SPEC, name="two--dashes"), "not kebab-case"),
        (replace(SPEC, version=0), "not 1 or more"),
        (replace(SPEC, roles=()), "there is no role"),
        (replace(SPEC, roles=(SPEC.roles[0],) * 2), "two roles share a name"),
        (replace(SPEC, roles=(RoleSpec("zed", "", "a cart"),)), "lacks its team or help"),
        (replace(SPEC, actions=(PUSH, PUSH)), "two actions share a name"),
        (replace(SPEC, tick=0.0), "above 0"),
        (replace(SPEC, time_limit=2.05), "not a whole number of ticks"),
        (replace(SPEC, frame_rate=4.0), "not whole ticks apart"),
        (with_action(name="try"), "cannot be called"),
        (with_action(name="go-on"), "cannot be called"),
        (with_action(help=""), "lacks help"),
        (with_action(seconds=0.33), "drive takes 0.33 s, not a whole number"),
        (with_action(seconds=0.0), "drive takes 0.0 s, not a whole number"),
        (with_action(arguments=(replace(SPEED, low=1.0),)), "has no range"),
        (with_action(arguments=(replace(SPEED, default=1.5),)), "out of range"),
        (with_action(arguments=(replace(SPEED, name="a b"),)), "no Python name"),
        (
            with_action(arguments=(Argument("gear", "int", 0.5, 3, 1, "gear"),)),
            "int with bounds that are not",
        ),
        (replace(SPEC, keys=(Key("w", "go"), Key("w", "speed", 1.0))), "two keys share a name"),
        (replace(SPEC, keys=(Key("w", "fly"),)), "'fly', which is no button"),
        (replace(SPEC, keys=(Key("w", "go", 1.0),)), "'go', which is no axis"),
        (replace(SPEC, keys=(Key("w", "speed", 1.5),)), "pushes its axis out of range"),
        (replace(SPEC, keys=(Key("w", "go"),)), r"no key reaches \['gear', 'speed'\]"),
        (replace(SPEC, settings=(Setting("Size", 1, 3, 2, "size"),)), "no lower-case name"),
        (replace(SPEC, settings=(Setting("size", 1, 3, 4, "size"),)), "default of setting 'size' is out"),
        (replace(SPEC, settings=(Setting("size", 1, 3, 2, ""),)), "setting 'size' lacks help"),
        (replace(SPEC, constants={"reach": 0.5}), "bare number"),
        (replace(SPEC, constants={"reach": Constant(0.5, "m", "")}), "lacks its unit or reason"),
    ],
)
def test_faults_of_a_spec(spec, fault):
    with pytest.raises(Fault, match=fault):
        check_declared.spec(subject_of(spec))


@pytest.mark.parametrize(
    ("task", "fault"),
    [
        ("push 0.3 s, shove 0.5 s, drive(speed, gear) 0.4 s", "time limit of 2 s"),
        ("2 s.\n\npush 0.3 s, shove 0.5 s", "action 'drive' is not in it"),
        ("2 s.\n- push 0.3 s\n- shove 0.3 s\n- drive(speed, gear) 0.4 s, not 0.5 s", "shove takes 0.5 s"),
        ("2 s.\n- push 0.3 s\n- shoves 0.5 s\n- drive(speed, gear) 0.4 s", "action 'shove' is not in it"),
        ("2 s.\n- push 0.3 s\n- shove 0.5 s\n- drive(speed) 0.4 s\n- gear", "argument 'gear' of drive"),
    ],
)
def test_faults_of_a_task_text(task, fault):
    with pytest.raises(Fault, match=fault):
        check_declared.task(subject_of(replace(SPEC, task=task)))


@pytest.mark.parametrize(
    "task",
    [
        "Lasts 2 seconds. `push` takes 0.3 s, `shove` 0.5 seconds, `drive(speed, gear=1)` 0.4 s.",
        "| push | 0.3 s |\n| shove | 0.5 s |\n| drive(speed, gear) | 0.4-second |\n\nEnds after 2 s.",
        "These take 0.3 s, 0.5 s and 0.4 s:\n\n- push\n- shove\n- drive: speed, gear\n\n2 s in all",
    ],
)
def test_forms_a_task_text_may_take(task):
    assert check_declared.task(subject_of(replace(SPEC, task=task))) == ""


def subject_of(spec):
    class Declared(load(TOY)):
        pass

    Declared.spec = spec
    return Subject(Declared, [0])


def test_the_toy_is_not_found_by_name():
    with pytest.raises(WorldError, match="no world 'toy'"):
        load("toy")
