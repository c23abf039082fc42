"""The ray caster against MuJoCo, against closed forms, and against itself."""

import dataclasses
import math

import numpy as np
import pytest

from garten.errors import RenderError
from garten.scene import (
    NO_ID,
    Camera,
    HeightField,
    Kind,
    Light,
    Scene,
    SceneBuilder,
    compose,
    turn_x,
    turn_y,
    turn_z,
)
from garten.sight.geometry import matrix
from garten.sight.looks import caster
from garten.sight.probe import probe_camera, probe_scene
from sight.oracle import Oracle
from sight.scenes import AHEAD, SIZES, add, jumble, single, unit_quaternions
from support import python

DEPTH_TOLERANCE = 1e-3  # metres; the bound the camera is held to against MuJoCo, at up to 100 m
NORMAL_AGREEMENT = 0.9999  # cosine; the facets of the mesh that stands in for a cone are half a degree wide
SOLID = (Kind.BOX, Kind.SPHERE, Kind.CAPSULE, Kind.CYLINDER, Kind.CONE, Kind.WEDGE, Kind.MESH)


def random_cameras(seed: int, count: int) -> list[Camera]:
    """Cameras within 5 m of the origin that look past it, rolled; some are inside a shape."""
    rng = np.random.default_rng(seed)
    cameras = []
    for _ in range(count):
        x, y, z = rng.uniform(-5, 5, 3)
        a, b, c = rng.uniform(-1, 1, 3) - (x, y, z)
        camera = Camera.at((x, y, z), math.atan2(b, a), pitch=math.atan2(c, math.hypot(a, b)), fov_y=1.2)
        rolled = compose(camera.rotation, turn_z(float(rng.uniform(0.0, 6.0))))
        cameras.append(dataclasses.replace(camera, rotation=tuple(rolled)))
    return cameras


def away_from_edges(ids: np.ndarray) -> np.ndarray:
    """Pixels whose eight neighbours have the same id."""
    padded = np.pad(ids, 1, "edge")
    rows, columns = ids.shape
    shifts = [(i, j) for i in range(3) for j in range(3)]
    return np.all([padded[i : i + rows, j : j + columns] == ids for i, j in shifts], axis=0)


def assert_agrees(scene: Scene, cameras: list[Camera], width: int = 96, height: int = 64) -> None:
    oracle = Oracle(scene)
    for camera in cameras:
        depth, normals, ids = oracle.look(camera, width, height)
        seen = caster().condition(scene, camera, width, height)
        inner = away_from_edges(ids)
        np.testing.assert_array_equal(seen.ids[inner], ids[inner])
        near = inner & (ids != NO_ID) & (depth < 100.0)
        np.testing.assert_allclose(seen.depth[near], depth[near], rtol=0.0, atol=DEPTH_TOLERANCE)
        agreement = np.sum(seen.normals * normals, axis=-1)[near]
        assert np.mean(agreement > NORMAL_AGREEMENT) > 0.99  # the rest lies across an edge within one shape
        assert np.mean(seen.ids == ids) > 0.999


# --- against MuJoCo ------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", SOLID)
def test_each_kind_agrees_with_mujoco(kind: Kind) -> None:
    assert_agrees(jumble(int(kind), (kind,), count=15), random_cameras(int(kind), 4))


def test_mixed_scenes_agree_with_mujoco() -> None:
    for seed in range(4):
        # No planes: MuJoCo sees them from above only.
        assert_agrees(jumble(seed, SOLID, count=60), random_cameras(seed, 4))


def test_height_field_agrees_with_mujoco() -> None:
    builder = SceneBuilder()
    add(builder, Kind.HEIGHT_FIELD, 4.0, position=(0.5, -0.3, 0.2), rotation=turn_z(0.4))
    scene = builder.build()
    # MuJoCo's height field is a block, ours a surface: look from above it, never through its sides.
    cameras = [Camera.at((0.4, -0.2, 4.0), heading, pitch=-1.0) for heading in np.linspace(0.0, 6.0, 7)]
    assert_agrees(scene, cameras)


def test_probe_scene_agrees_with_mujoco() -> None:
    assert_agrees(probe_scene(3), [probe_camera(turn) for turn in (0.0, 2.0, 4.0)], 160, 90)


# --- single shapes -------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", SIZES)
def test_normals_are_unit_and_face_the_camera(kind: Kind) -> None:
    scene = jumble(7, (kind,), count=40)
    for camera in random_cameras(8, 3):
        seen = caster().condition(scene, camera, 80, 60)
        hit = seen.ids != NO_ID
        assert hit.any()
        np.testing.assert_allclose(np.linalg.norm(seen.normals[hit], axis=-1), 1.0, atol=1e-5)
        fx, fy, cx, cy = seen.intrinsics
        x, y = np.meshgrid((np.arange(80) + 0.5 - cx) / fx, (cy - np.arange(60) - 0.5) / fy)
        toward = seen.normals[..., 0] * x + seen.normals[..., 1] * y - seen.normals[..., 2]
        assert (toward[hit] <= 1e-5).all()
        assert not seen.normals[~hit].any()
        assert np.isinf(seen.depth[~hit]).all()


@pytest.mark.parametrize("kind", SIZES)
def test_normals_fit_the_depth(kind: Kind) -> None:
    """The cross product of the steps to the next pixels' points is along the normal, away from edges."""
    scene = single(kind, position=(0.1, -0.2, -3.0), rotation=compose(turn_x(-0.9), turn_y(0.4)))
    width, height = 400, 300
    seen = caster().condition(scene, dataclasses.replace(AHEAD, fov_y=0.8), width, height)
    points = unproject(seen.depth, seen.intrinsics)
    across = points[1:-1, 2:] - points[1:-1, :-2]
    down = points[2:, 1:-1] - points[:-2, 1:-1]
    normals = np.cross(down, across)
    with np.errstate(invalid="ignore"):
        normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
        agreement = np.sum(normals * seen.normals[1:-1, 1:-1], axis=-1)
    hit = away_from_edges(seen.ids)[1:-1, 1:-1] & (seen.ids[1:-1, 1:-1] != NO_ID)
    # Where two faces meet, neighbouring points straddle the edge; elsewhere the two must agree.
    assert np.mean(agreement[hit] > 0.999) > 0.9


def test_box_in_closed_form() -> None:
    scene = single(Kind.BOX, position=(0.0, 0.0, -3.0))
    seen = caster().condition(scene, AHEAD, 64, 64)
    face = 3.0 - 0.9
    x, y = pixel_slopes(seen.intrinsics, 64, 64)
    inside = (np.abs(x * face) < 0.6) & (np.abs(y * face) < 0.4)
    np.testing.assert_array_equal(seen.ids == 0, inside)
    np.testing.assert_allclose(seen.depth[inside], face, rtol=1e-6)
    np.testing.assert_allclose(seen.normals[inside], np.broadcast_to((0.0, 0.0, 1.0), (inside.sum(), 3)))


def test_sphere_in_closed_form() -> None:
    scene = single(Kind.SPHERE, position=(0.0, 0.0, -3.0))
    seen = caster().condition(scene, AHEAD, 64, 64)
    x, y = pixel_slopes(seen.intrinsics, 64, 64)
    squared = x * x + y * y + 1.0
    room = 9.0 - squared * (9.0 - 0.49)
    np.testing.assert_array_equal(seen.ids == 0, room >= 0.0)
    hit = room > 0.0
    depth = (3.0 - np.sqrt(room[hit])) / squared[hit]
    np.testing.assert_allclose(seen.depth[hit], depth, atol=1e-5)
    points = unproject(seen.depth, seen.intrinsics)[hit] - (0.0, 0.0, -3.0)
    np.testing.assert_allclose(seen.normals[hit], points / 0.7, atol=1e-4)


def test_plane_is_seen_from_both_sides_and_ends_where_it_should() -> None:
    for side in (1.0, -1.0):
        camera = Camera((0.0, 0.0, 2.0 * side), tuple(turn_x(0.0 if side > 0 else math.pi)), math.pi / 2)
        seen = caster().condition(single(Kind.PLANE), camera, 65, 65)
        x, y = pixel_slopes(seen.intrinsics, 65, 65)
        inside = (np.abs(2.0 * x) <= 1.2) & (np.abs(2.0 * y) <= 0.8)
        np.testing.assert_array_equal(seen.ids == 0, inside)
        np.testing.assert_allclose(seen.depth[inside], 2.0, rtol=1e-6)


def test_endless_plane_reaches_the_horizon() -> None:
    builder = SceneBuilder()
    builder.add(Kind.PLANE, material=builder.material((0.3, 0.5, 0.2)))
    seen = caster().condition(builder.build(), Camera.at((0.0, 0.0, 1.0), 0.0), 40, 30)
    np.testing.assert_array_equal(seen.ids[15:], 0)
    np.testing.assert_array_equal(seen.ids[:15], NO_ID)
    _, fy, _, cy = seen.intrinsics
    rows = np.arange(15, 30) + 0.5 - cy
    np.testing.assert_allclose(seen.depth[15:, 7], fy / rows, rtol=1e-5)


@pytest.mark.parametrize("kind", SOLID)
def test_a_camera_inside_a_shape_sees_its_inner_surface(kind: Kind) -> None:
    scene = single(kind, position=(1.0, 2.0, 3.0))
    for turn in unit_quaternions(np.random.default_rng(0), 4):
        seen = caster().condition(scene, Camera((1.02, 2.01, 2.95), tuple(turn), 1.5), 48, 32)
        assert (seen.ids == 0).all()
        assert (seen.depth > 0.0).all()
        assert (seen.depth < 2.0).all()


# --- the scene as a whole ------------------------------------------------------------------------


def test_empty_scene_is_sky() -> None:
    empty = SceneBuilder().build()
    seen = caster().condition(empty, AHEAD, 20, 10)
    assert (seen.ids == NO_ID).all()
    assert np.isinf(seen.depth).all()
    assert not seen.normals.any()
    sky = caster().raw(empty, Camera.at((0.0, 0.0, 0.0), 0.0), 20, 10)
    light = empty.light
    np.testing.assert_array_equal(sky[9, 0], np.round(np.array(light.horizon) * 255).astype(np.uint8))
    assert (sky[0, 10].astype(int) < sky[9, 10]).any()  # it darkens upwards


def test_every_pixel_is_written() -> None:
    """Buffers are poisoned between two calls; an element that is not written would show."""
    scene, camera = probe_scene(), probe_camera()
    rays = caster()
    before = rays.condition(scene, camera, 61, 35), rays.raw(scene, camera, 61, 35)
    motion = rays.motion(scene, camera, scene, camera, 61, 35)
    for eye in rays._stage(scene)._eyes.values():
        for _, buffers in eye._draws.values():
            for buffer in buffers:
                buffer.write(np.full_like(buffer.read(), 77))
    after = rays.condition(scene, camera, 61, 35), rays.raw(scene, camera, 61, 35)
    for name in ("depth", "normals", "ids"):
        np.testing.assert_array_equal(getattr(before[0], name), getattr(after[0], name))
    np.testing.assert_array_equal(before[1], after[1])
    np.testing.assert_array_equal(motion, rays.motion(scene, camera, scene, camera, 61, 35))


def test_what_was_returned_is_never_written_again() -> None:
    scene = probe_scene()
    first = caster().raw(scene, probe_camera(), 40, 30)
    kept = first.copy()
    caster().raw(scene, probe_camera(1.0), 40, 30)
    np.testing.assert_array_equal(first, kept)


def test_moved_scenes_are_seen_moved() -> None:
    scene = single(Kind.SPHERE, position=(0.0, 0.0, -3.0))
    for depth in (2.0, 5.0, 3.0):
        moved = scene.moved(np.array([[0.0, 0.0, -depth]], np.float32), scene.rotations)
        seen = caster().condition(moved, AHEAD, 33, 33)
        np.testing.assert_allclose(seen.depth[16, 16], depth - 0.7, rtol=1e-5)


def test_scenes_taken_in_turn_do_not_mix() -> None:
    """More scenes than are kept, each drawn twice, each as a new caster draws it."""
    from garten.sight.camera import STAGES_KEPT, RayCaster

    scenes = [probe_scene(seed, shapes=12) for seed in range(STAGES_KEPT + 3)]
    pictures = [caster().raw(scene, probe_camera(), 40, 30) for scene in scenes]
    for scene, picture in zip(scenes, pictures, strict=True):
        np.testing.assert_array_equal(caster().raw(scene, probe_camera(), 40, 30), picture)
        np.testing.assert_array_equal(RayCaster().raw(scene, probe_camera(), 40, 30), picture)


def test_ids_are_those_of_the_things() -> None:
    builder = SceneBuilder()
    for x in (-1.0, 1.0):
        add(builder, Kind.SPHERE, position=(x, 0.0, -3.0), thing=42)
    seen = caster().condition(builder.build(), AHEAD, 32, 32)
    assert set(np.unique(seen.ids)) == {NO_ID, 42}


def test_equal_bits_in_a_fresh_process() -> None:
    code = """
import hashlib
from garten.sight.looks import caster
from garten.sight.probe import probe_camera, probe_scene
scene, rays = probe_scene(5), caster()
seen = rays.condition(scene, probe_camera(), 120, 70)
parts = [seen.depth, seen.normals, seen.ids, rays.raw(scene, probe_camera(), 120, 70)]
parts.append(rays.motion(scene, probe_camera(), scene, probe_camera(0.1), 120, 70))
print(hashlib.sha256(b"".join(part.tobytes() for part in parts)).hexdigest())
"""
    first, second = (python(code).stdout for _ in range(2))
    assert first == second
    assert len(first.strip()) == 64


def test_what_cannot_be_drawn_is_refused() -> None:
    plain, bent, hilly = single(Kind.BOX), single(Kind.MESH), single(Kind.HEIGHT_FIELD)
    change = dataclasses.replace
    one, two = np.array([1], np.int32), np.array([2], np.int32)
    mesh, empty = bent.meshes[0], np.zeros((0, 3), np.int32)
    cases = [
        (change(plain, kinds=np.array([9], np.int32)), "kind 9 of 9"),
        (change(plain, materials=one), "material 1 of 1"),
        (change(bent, assets=-one), "mesh -1 of 1"),
        (change(hilly, assets=two), "height field 2 of 1"),
        (change(bent, meshes=(change(mesh, triangles=mesh.triangles + 1),)), "vertex 6 of 6"),
        (change(bent, meshes=(change(mesh, triangles=empty),)), "no triangles"),
        (change(hilly, height_fields=(HeightField(np.zeros((5, 1), np.float32)),)), "at least 2 x 2"),
    ]
    for scene, message in cases:
        with pytest.raises(RenderError, match=message):
            caster().condition(scene, AHEAD, 8, 8)


@pytest.mark.gpu
def test_cuda_sees_what_the_cpu_sees() -> None:
    from garten.sight.camera import RayCaster

    scene, camera, device = probe_scene(), probe_camera(), RayCaster("cuda:0")
    here, there = (rays.condition(scene, camera, 120, 70) for rays in (caster(), device))
    inner = away_from_edges(here.ids)
    np.testing.assert_array_equal(there.ids[inner], here.ids[inner])
    near = inner & (here.depth < 100.0)
    np.testing.assert_allclose(there.depth[near], here.depth[near], atol=DEPTH_TOLERANCE)
    pictures = [rays.raw(scene, camera, 120, 70).astype(int) for rays in (caster(), device)]
    assert np.mean(np.abs(pictures[0] - pictures[1]).max(axis=-1) <= 1) > 0.99


@pytest.mark.parametrize("size", [(0, 10), (10, -1)])
def test_impossible_sizes_are_refused(size: tuple[int, int]) -> None:
    with pytest.raises(RenderError, match="at least 1 x 1"):
        caster().raw(probe_scene(), probe_camera(), *size)


@pytest.mark.parametrize("size", [(1, 1), (7, 3), (9, 17)])
def test_sizes_need_not_fill_tiles(size: tuple[int, int]) -> None:
    width, height = size
    seen = caster().condition(probe_scene(), probe_camera(), width, height)
    assert seen.depth.shape == seen.ids.shape == (height, width)
    assert seen.normals.shape == (height, width, 3)
    assert caster().raw(probe_scene(), probe_camera(), width, height).shape == (height, width, 3)


# --- light ---------------------------------------------------------------------------------------


def lit_scene(light: Light, *, ground: bool = True) -> Scene:
    """A ball of radius 0.5 whose centre is 2 m above white ground."""
    builder = SceneBuilder(light)
    if ground:
        builder.add(Kind.PLANE, material=builder.material((1.0, 1.0, 1.0)))
    builder.add(Kind.SPHERE, (0.5,), position=(0.0, 0.0, 2.0), material=builder.material((1.0, 0.0, 0.0)))
    return builder.build()


def test_shadow_falls_where_the_sun_says() -> None:
    """Seen from straight above, the ball's shadow on the ground is the ellipse of the sun's direction."""
    sun = np.array([1.0, 0.0, 1.0]) / math.sqrt(2.0)
    scene = lit_scene(Light(sun=tuple(sun)))
    camera = Camera((-2.0, 0.0, 8.0), (1.0, 0.0, 0.0, 0.0), 0.8)
    picture = caster().raw(scene, camera, 200, 200)
    seen = caster().condition(scene, camera, 200, 200)
    points = np.array(camera.position) + unproject(seen.depth, seen.intrinsics)
    ground = away_from_edges(seen.ids) & (seen.ids == 0)
    # A point is in shadow if the line from it along the sun passes the ball's centre within its radius.
    away = np.array([0.0, 0.0, 2.0]) - points
    distance = np.linalg.norm(away - (away @ sun)[..., None] * sun, axis=-1)
    bright, dark = picture[ground & (distance > 0.52)], picture[ground & (distance < 0.48)]
    assert len(dark) > 100
    assert len(np.unique(bright)) == len(np.unique(dark)) == 1
    assert dark.max() < bright.min()


@pytest.mark.parametrize("giants", [False, True])
def test_shadows_agree_with_mujoco(giants: bool) -> None:
    """A point is dark if MuJoCo's ray towards the sun meets something, whatever the sizes around it."""
    sun = np.array([0.5, -0.3, 0.81]) / np.linalg.norm([0.5, -0.3, 0.81])
    builder = SceneBuilder(Light(sun=tuple(sun), ambient=0.0))
    white = builder.material((1.0, 1.0, 1.0))
    builder.add(Kind.PLANE, position=(0.0, 0.0, -1.0), material=white)
    if giants:
        builder.add(Kind.BOX, (900.0, 700.0, 0.5), position=(903.0, 0.0, -0.9), material=white)
        builder.add(Kind.BOX, (0.5, 15.0, 9.0), position=(80.0, 0.0, 0.0), material=white)
    rng = np.random.default_rng(4)
    for index in range(40):
        kind = SOLID[index % len(SOLID)]
        place = (*rng.uniform(-5, 5, 2), rng.uniform(-0.5, 1.5))
        add(builder, kind, 0.8, position=place, rotation=unit_quaternions(rng, 1)[0])
    scene = builder.build()
    scene = dataclasses.replace(scene, colors=np.ones_like(scene.colors))
    oracle = Oracle(scene)
    cameras = [Camera.at((-9.0, -4.0, 3.0), 0.4, pitch=-0.3), Camera.at((0.0, 12.0, 5.0), -1.6, pitch=-0.4)]
    if giants:
        cameras.append(
            Camera.at((72.0, -8.0, 4.0), 1.2, pitch=-0.3)
        )  # at the wall's shadow, far from the rest
    for camera in cameras:
        lit = caster().raw(scene, camera, 80, 60)[..., 0] > 0
        seen = caster().condition(scene, camera, 80, 60)
        turn = matrix(camera.rotation)
        normals = seen.normals @ turn.T
        facing = normals @ sun > 0.05
        sure = away_from_edges(seen.ids) & away_from_edges(lit) & facing & (seen.depth < 50.0)
        points = (unproject(seen.depth, seen.intrinsics) @ turn.T + camera.position)[sure]
        blocked = oracle.blocked(points + 2e-3 * normals[sure], sun)
        assert 50 < blocked.sum() < 0.95 * blocked.size
        assert np.mean(lit[sure] == ~blocked) > 0.999
        assert not lit[(seen.ids != NO_ID) & (normals @ sun < 0.0)].any()


def test_without_shapes_above_it_the_ground_is_evenly_lit() -> None:
    builder = SceneBuilder(Light(sun=(0.3, 0.2, 0.9)))
    builder.add(Kind.PLANE, material=builder.material((0.5, 0.5, 0.5)))
    picture = caster().raw(builder.build(), Camera.at((0.0, 0.0, 1.5), 1.0, pitch=-0.9), 60, 40)
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) == 1


@pytest.mark.parametrize("kind", SIZES)
def test_shapes_do_not_speckle_themselves(kind: Kind) -> None:
    """Under a sun behind the camera no visible point of a lone convex shape is in shadow."""
    scene = single(kind, position=(0.0, 0.0, -4.0), rotation=compose(turn_x(-0.6), turn_z(0.3)))
    camera = dataclasses.replace(AHEAD, fov_y=0.7)
    lit = dataclasses.replace(scene, light=Light(sun=(0.0, 0.0, 1.0), ambient=0.0))
    picture = caster().raw(lit, camera, 120, 90)[..., 0].astype(float)
    seen = caster().condition(lit, camera, 120, 90)
    hit = seen.ids == 0
    expected = 0.8 * 255.0 * np.sqrt(np.maximum(seen.normals[..., 2], 0.0))
    np.testing.assert_allclose(picture[hit], expected[hit], atol=1.0)


def test_an_endless_plane_shades_what_is_behind_it() -> None:
    builder = SceneBuilder(Light(sun=(0.0, 0.0, 1.0)))
    white = builder.material((1.0, 1.0, 1.0))
    builder.add(Kind.BOX, (1.0, 1.0, 0.1), material=white)
    open_air = builder.build()
    builder.add(Kind.PLANE, position=(0.0, 0.0, 5.0), material=white)
    camera = Camera((0.0, 0.0, 3.0), (1.0, 0.0, 0.0, 0.0))
    bright = caster().raw(open_air, camera, 9, 9)[4, 4]
    dark = caster().raw(builder.build(), camera, 9, 9)[4, 4]
    assert (dark < bright).all()


def test_a_change_of_light_is_seen() -> None:
    scene = lit_scene(Light())
    camera = Camera.at((-4.0, 0.0, 1.5), 0.0)
    day = caster().raw(scene, camera, 40, 30)
    dusk = dataclasses.replace(scene, light=Light(sun=(0.9, 0.1, 0.2), sky=(0.2, 0.1, 0.3)))
    assert not np.array_equal(caster().raw(dusk, camera, 40, 30), day)
    np.testing.assert_array_equal(caster().raw(scene, camera, 40, 30), day)


# --- motion --------------------------------------------------------------------------------------


def test_motion_is_the_projection_of_the_moved_points() -> None:
    """Every seen point, carried along with its shape and projected again, lands where motion says."""
    rng = np.random.default_rng(2)
    before = jumble(11, (*SOLID, Kind.PLANE, Kind.HEIGHT_FIELD), count=40)
    nudge = 0.03 * rng.normal(size=(40, 4)) + (1.0, 0.0, 0.0, 0.0)
    turns = np.array([compose(a, b) for a, b in zip(nudge, before.rotations, strict=True)])
    turns /= np.linalg.norm(turns, axis=1, keepdims=True)
    after = before.moved(
        before.positions + 0.05 * rng.normal(size=(40, 3)).astype(np.float32), turns.astype(np.float32)
    )
    eye = Camera((7.0, 0.5, 0.3), tuple(compose(turn_z(math.pi / 2), turn_x(math.pi / 2))), 1.0)
    later = Camera((6.9, 0.4, 0.4), tuple(compose(turn_z(0.05), np.array(eye.rotation))), 1.1)
    width, height = 90, 60
    motion = caster().motion(before, eye, after, later, width, height)
    seen = caster().condition(before, eye, width, height)

    points = unproject(seen.depth, seen.intrinsics)
    hit = seen.ids != NO_ID
    assert hit.mean() > 0.2
    world = points[hit] @ matrix(eye.rotation).T + eye.position
    shapes = seen.ids[hit]
    moved = np.empty_like(world)
    for i in np.unique(shapes):
        here = shapes == i
        local = (world[here] - before.positions[i]) @ matrix(tuple(before.rotations[i]))
        moved[here] = local @ matrix(tuple(after.rotations[i])).T + after.positions[i]
    expected = project(moved, later, width, height)
    rows, columns = np.nonzero(hit)
    start = np.stack([columns + 0.5, rows + 0.5], axis=1)
    np.testing.assert_allclose(motion[hit], expected - start, atol=2e-2)


def test_nothing_moves_if_nothing_moved() -> None:
    scene, camera = probe_scene(), probe_camera()
    motion = caster().motion(scene, camera, scene, camera, 80, 45)
    np.testing.assert_allclose(motion, 0.0, atol=1e-3)


def test_sky_moves_with_the_turn_of_the_camera_alone() -> None:
    empty = SceneBuilder().build()
    before = Camera.at((0.0, 0.0, 1.0), 0.0)
    after = Camera.at((30.0, 5.0, 2.0), 0.2)
    motion = caster().motion(empty, before, empty, after, 81, 45)
    fx = before.intrinsics(81, 45)[0]
    np.testing.assert_allclose(motion[22, 40], (fx * math.tan(0.2), 0.0), atol=1e-2)


def test_what_falls_behind_the_eye_has_no_motion() -> None:
    scene = single(Kind.SPHERE, position=(0.0, 0.0, -3.0))
    passed = Camera((0.0, 0.0, -6.0), (1.0, 0.0, 0.0, 0.0), AHEAD.fov_y)
    motion = caster().motion(scene, AHEAD, scene, passed, 33, 33)
    hit = caster().condition(scene, AHEAD, 33, 33).ids == 0
    assert np.isnan(motion[hit]).all()
    np.testing.assert_allclose(motion[~hit], 0.0, atol=1e-4)


def test_motion_refuses_other_shapes() -> None:
    with pytest.raises(RenderError, match="same shapes"):
        caster().motion(single(Kind.BOX), AHEAD, single(Kind.CONE), AHEAD, 8, 8)


# --- helpers -------------------------------------------------------------------------------------


def pixel_slopes(
    intrinsics: tuple[float, float, float, float], width: int, height: int
) -> tuple[np.ndarray, np.ndarray]:
    """Right and up per unit of depth, for every pixel."""
    fx, fy, cx, cy = intrinsics
    x, y = np.meshgrid((np.arange(width) + 0.5 - cx) / fx, (cy - np.arange(height) - 0.5) / fy)
    return x, y


def unproject(depth: np.ndarray, intrinsics: tuple[float, float, float, float]) -> np.ndarray:
    """Camera-frame points of all pixels, [H, W, 3]; what is not seen lies at the camera."""
    x, y = pixel_slopes(intrinsics, depth.shape[1], depth.shape[0])
    finite = np.where(np.isfinite(depth), depth, 0.0).astype(np.float64)
    return np.stack([x * finite, y * finite, -finite], axis=-1)


def project(points: np.ndarray, camera: Camera, width: int, height: int) -> np.ndarray:
    """Image coordinates of world points, [N, 2], (right, down) from the upper left corner."""
    fx, fy, cx, cy = camera.intrinsics(width, height)
    local = (points - camera.position) @ matrix(camera.rotation)
    return np.stack([cx - fx * local[:, 0] / local[:, 2], cy + fy * local[:, 1] / local[:, 2]], axis=1)
