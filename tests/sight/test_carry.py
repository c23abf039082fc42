"""Carrying images by exact motion, held against what is truly seen."""

import dataclasses
import math

import numpy as np
import pytest

from garten.records import Moment
from garten.scene import Camera, Kind, SceneBuilder, compose, turn_z
from garten.sight.carry import Carry, carry_between
from garten.sight.looks import Photo, look, see
from garten.sight.probe import probe_camera, probe_scene

WIDTH, HEIGHT = 160, 96
AFTER_ONE, AFTER_NINE = 31.5, 28.5
"""Decibels that carried photo frames keep, on what was seen before and over all; shadows move here."""


def shots(count: int = 10) -> list[tuple[Moment, Camera]]:
    """A camera walking through the probe scene, whose things slide and turn."""
    scene = probe_scene()
    made = []
    for t in range(count):
        positions, rotations = scene.positions.copy(), scene.rotations.copy()
        positions[2:, 0] += 0.05 * t * np.cos(np.arange(len(scene) - 2))
        turned = [compose(turn_z(0.04 * t), rotation) for rotation in rotations[2:]]
        rotations[2:] = np.array(turned, np.float32)
        around = math.pi * 1.25 + 0.03 * t
        eye = (12.0 * math.cos(around), 12.0 * math.sin(around), 2.0)
        camera = Camera.at(eye, around + math.pi + 0.02 * t, pitch=-0.12)
        made.append((Moment(0.1 * t, scene.moved(positions, rotations), {}), camera))
    return made


def carries(made: list[tuple[Moment, Camera]]) -> list[Carry]:
    seen = [see(*shot, role="", width=WIDTH, height=HEIGHT) for shot in made]
    return [
        carry_between(*made[t - 1], *made[t], seen=seen[t - 1], here=seen[t]) for t in range(1, len(made))
    ]


def psnr(one: np.ndarray, other: np.ndarray) -> float:
    return float(10.0 * np.log10(255.0**2 / np.mean((one.astype(float) - other) ** 2)))


def test_carried_frames_are_near_the_truth() -> None:
    """One step on what was visible; nine steps in a row, with the truth only where there were holes."""
    made = shots()
    photo = Photo("noon", palette=1)
    frames = [photo.frame(*shot, role="", width=WIDTH, height=HEIGHT) for shot in made]
    image = frames[0].astype(np.float32)
    one, shares = [], []
    for before, now, carry in zip(frames, frames[1:], carries(made), strict=False):
        carried, holes = carry.apply(before)
        one.append(psnr(carried[~holes], now[~holes]))
        shares.append(1.0 - holes.mean())
        image, holes = carry.apply(image)
        image[holes] = now[holes]
    assert np.mean(one) > AFTER_ONE
    assert 0.85 < np.mean(shares) < 0.995
    assert psnr(image, frames[-1]) > AFTER_NINE
    assert psnr(frames[-2], frames[-1]) < np.mean(one) - 8.0  # copying is far worse


def test_what_is_carried_was_truly_there() -> None:
    """Depth carried from before is the depth of the same points: where it is not, there is a hole."""
    made = shots()
    seen = [see(*shot, role="", width=WIDTH, height=HEIGHT) for shot in made]
    carry = carries(made)[4]
    ids, holes = carry.apply(seen[4].ids.astype(np.float32))
    np.testing.assert_allclose(ids[~holes], seen[5].ids[~holes], atol=1e-3)


def test_nothing_moves_if_nothing_moved() -> None:
    moment, camera = Moment(0.0, probe_scene(), {}), probe_camera()
    seen = see(moment, camera, role="", width=WIDTH, height=HEIGHT)
    carry = carry_between(moment, camera, moment, camera, seen=seen, here=seen)
    frame = look("raw").frame(moment, camera, role="", width=WIDTH, height=HEIGHT)
    carried, holes = carry.apply(frame)
    assert not holes.any()
    np.testing.assert_allclose(carried, frame, atol=0.1)


def test_what_was_hidden_or_beside_the_image_is_a_hole() -> None:
    """A box before a wall slides aside and uncovers a strip of it; the camera's turn uncovers another."""
    builder = SceneBuilder()
    paint = builder.material((0.5, 0.5, 0.5))
    builder.add(Kind.BOX, (0.1, 20.0, 20.0), position=(6.0, 0.0, 0.0), material=paint)
    builder.add(Kind.BOX, (0.5, 0.5, 0.5), position=(4.0, 0.0, 0.0), material=paint)
    scene = builder.build()
    moved = scene.moved(scene.positions + np.array([[0, 0, 0], [0, 0.4, 0]], np.float32), scene.rotations)
    camera = Camera.at((0.0, 0.0, 0.0), 0.0)
    turned = Camera.at((0.0, 0.0, 0.0), 0.1)
    before, after = Moment(0.0, scene, {}), Moment(0.1, moved, {})
    views = [see(*shot, role="", width=WIDTH, height=HEIGHT) for shot in ((before, camera), (after, camera))]
    _, holes = carry_between(before, camera, after, camera, seen=views[0], here=views[1]).apply(
        views[0].depth
    )
    uncovered = (views[0].ids == 1) & (views[1].ids == 0)
    assert uncovered.sum() > 50
    assert (holes[uncovered]).mean() > 0.9
    assert (holes & ~uncovered).mean() < 0.02  # pixels that were partly of the box
    seen = see(before, turned, role="", width=WIDTH, height=HEIGHT)
    _, holes = carry_between(before, camera, before, turned, seen=views[0], here=seen).apply(views[0].depth)
    focal = camera.intrinsics(WIDTH, HEIGHT)[0]
    middle = slice(HEIGHT // 4, -HEIGHT // 4)
    assert holes[middle, : int(focal * math.tan(0.1))].all()  # a turn to the left
    assert not holes[middle, WIDTH // 4 :].any()


def test_edges_do_not_bleed() -> None:
    """A neighbour that saw another surface has no part in what is carried, however near the place is."""
    carry = Carry(np.full((1, 2, 2), 0.25, np.float32) * (1.0, 0.0), np.array([[0b0001, 0b0000]], np.uint8))
    carried, holes = carry.apply(np.array([[10.0, 200.0]], np.float32))
    assert carried[0, 0] == 10.0
    assert holes.tolist() == [[False, True]]
    assert carried[0, 1] == 0.0


@pytest.mark.parametrize("shape", [(HEIGHT, WIDTH), (HEIGHT, WIDTH, 5)])
def test_images_of_any_number_of_channels_are_carried(shape: tuple[int, ...]) -> None:
    carry = carries(shots(2))[0]
    image = np.random.default_rng(0).random(shape, np.float32)
    carried, _ = carry.apply(image)
    assert carried.shape == shape
    if len(shape) == 3:
        np.testing.assert_array_equal(carried[..., 2], carry.apply(image[..., 2])[0])


def test_engines_that_draw_for_themselves_leave_holes_everywhere() -> None:
    made = shots(2)
    moments = [dataclasses.replace(moment, drawing=lambda *_: None) for moment, _ in made]  # type: ignore[arg-type, return-value]
    seen = see(*made[0], role="", width=WIDTH, height=HEIGHT)
    carry = carry_between(moments[0], made[0][1], moments[1], made[1][1], seen=seen, here=seen)
    assert carry.apply(seen.depth)[1].all()
