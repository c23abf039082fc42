"""Looks: names, the engine's own drawing, and one thread beside another."""

import dataclasses
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from garten.errors import RenderError
from garten.records import Moment
from garten.scene import NO_ID, Camera
from garten.sight import encodings, looks
from garten.sight.probe import probe_camera, probe_scene
from support import python

WIDTH, HEIGHT = 96, 54


@pytest.fixture
def moment() -> Moment:
    return Moment(0.0, probe_scene(), {"left": probe_camera(), "right": probe_camera(1.0)})


@pytest.fixture
def drawn(moment: Moment) -> Moment:
    """A moment whose engine draws its own geometry: here, what the ray caster would see."""

    def drawing(role: str, width: int, height: int) -> looks.Condition:
        return looks.caster().condition(moment.scene, moment.cameras[role], width, height)

    return dataclasses.replace(moment, drawing=drawing)


def frame(name: str, moment: Moment, role: str = "left", camera: Camera | None = None) -> np.ndarray:
    camera = camera or moment.cameras[role]
    return looks.look(name).frame(moment, camera, role=role, width=WIDTH, height=HEIGHT)


@pytest.mark.parametrize("name", looks.LOOKS)
def test_looks_make_frames(name: str, moment: Moment) -> None:
    made = frame(name, moment)
    assert looks.look(name).name == name
    assert made.shape == (HEIGHT, WIDTH, 3)
    assert made.dtype == np.uint8
    assert len(np.unique(made)) > 10
    np.testing.assert_array_equal(frame(name, moment), made)
    assert not np.array_equal(frame(name, moment, "right"), made)


@pytest.mark.parametrize("name", ["neural", "", "RAW", "raw:dusk"])
def test_other_looks_are_refused_with_the_choices(name: str) -> None:
    with pytest.raises(RenderError, match="choose one of raw, photo, depth, normals or photo:STYLE"):
        looks.look(name)


def test_depth_and_normals_can_be_read_back(moment: Moment) -> None:
    seen = looks.caster().condition(moment.scene, moment.cameras["left"], WIDTH, HEIGHT)
    depth = encodings.rgb_to_depth(encodings.from_bytes(frame("depth", moment)))
    near = seen.depth < 30.0
    np.testing.assert_allclose(depth[near], seen.depth[near], rtol=0.02)
    normals = encodings.rgb_to_normals(encodings.from_bytes(frame("normals", moment)))
    np.testing.assert_allclose(normals, seen.normals, atol=0.01)


@pytest.mark.parametrize("name", ["depth", "normals"])
def test_conditions_from_the_engine_look_the_same(name: str, moment: Moment, drawn: Moment) -> None:
    np.testing.assert_array_equal(frame(name, drawn), frame(name, moment))


def test_raw_from_the_engine_has_the_same_sky_and_a_colour_for_each_thing(
    moment: Moment, drawn: Moment
) -> None:
    ours, theirs = frame("raw", moment), frame("raw", drawn)
    seen = looks.caster().condition(moment.scene, moment.cameras["left"], WIDTH, HEIGHT)
    sky = seen.ids == NO_ID
    assert sky.any()
    np.testing.assert_allclose(ours[sky].astype(int), theirs[sky].astype(int), atol=1)
    # The ground is flat, so all of it has one colour, and no other thing has that colour throughout.
    assert len(np.unique(theirs[seen.ids == 0], axis=0)) == 1
    assert len(np.unique(theirs[~sky & (seen.ids != 0)], axis=0)) > 20


def test_the_engine_draws_only_for_its_roles(drawn: Moment) -> None:
    with pytest.raises(RenderError, match="left or right"):
        frame("raw", drawn, camera=probe_camera(2.0))
    with pytest.raises(RenderError, match="left or right"):
        frame("depth", drawn, role="left", camera=drawn.cameras["right"])


def test_threads_draw_side_by_side(moment: Moment) -> None:
    alone = {role: frame("raw", moment, role) for role in moment.cameras}
    roles = ["left", "right"] * 40
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda role: frame("raw", moment, role), roles))
    for role, made in zip(roles, together, strict=True):
        np.testing.assert_array_equal(made, alone[role])


def test_naming_a_look_loads_no_warp() -> None:
    code = "import sys; from garten.sight.looks import look; look('raw'); print('warp' in sys.modules)"
    assert python(code).stdout == "False\n"
