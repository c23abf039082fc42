"""The `photo` look: anchored to surfaces, smooth, lit and shaded as it should be, coloured by number."""

import dataclasses
import hashlib
import math

import numpy as np
import pytest

from garten.errors import RenderError
from garten.records import Moment
from garten.scene import NO_ID, Camera, Kind, Light, Scene, SceneBuilder, turn_z
from garten.sight.looks import Photo, caster, look
from garten.sight.probe import octahedron, probe_camera, probe_scene
from garten.sight.styles import STYLE_NAMES
from garten.sight.surfaces import HUES, SURFACES, color_name, drawn_coat, own_coat
from sight.scenes import SIZES
from support import python

WIDTH, HEIGHT = 160, 96
DOWN = Camera.at((0.0, 0.0, 6.0), 0.0, pitch=-math.pi / 2, fov_y=math.radians(55.0))
"""A camera above the origin that looks straight down, the world's +x at the top of its image."""

UPRIGHT_SUN = Light(sun=(0.0, 0.0, 1.0), ambient=0.9)


def photo(scene: Scene, camera: Camera, style: str = "noon", palette: int | None = None) -> np.ndarray:
    moment = Moment(0.0, scene, {"me": camera})
    look = Photo(style, palette=palette)
    return look.frame(moment, camera, role="me", width=WIDTH, height=HEIGHT)


def plain(*shapes: tuple[Kind, tuple[float, ...], tuple[float, ...]], light: Light | None = None) -> Scene:
    """White ground and shapes of no pattern to speak of."""
    builder = SceneBuilder(light)
    white = builder.material((0.8, 0.8, 0.8), "paint")
    builder.add(Kind.PLANE, material=white)
    for kind, size, position in shapes:
        mesh = octahedron() if kind == Kind.MESH else None
        builder.add(kind, size, position=position, material=white, mesh=mesh)
    return builder.build()


def unpatterned(scene: Scene, camera: Camera, style: str) -> np.ndarray:
    """A frame in which every material has one colour."""
    coat = own_coat(scene)
    look = Photo(style)
    look.coat = lambda _: dataclasses.replace(coat, bright=coat.dark)  # type: ignore[method-assign]
    moment = Moment(0.0, scene, {"me": camera})
    return look.frame(moment, camera, role="me", width=WIDTH, height=HEIGHT)


def test_equal_bits_in_a_fresh_process() -> None:
    code = """
import hashlib
from garten.records import Moment
from garten.sight.looks import Photo
from garten.sight.probe import probe_camera, probe_scene
moment = Moment(0.0, probe_scene(), {"me": probe_camera()})
frame = Photo("dusk", palette=3).frame(moment, probe_camera(), role="me", width=160, height=96)
print(hashlib.sha256(frame.tobytes()).hexdigest())
"""
    moment = Moment(0.0, probe_scene(), {"me": probe_camera()})
    frame = Photo("dusk", palette=3).frame(moment, probe_camera(), role="me", width=160, height=96)
    assert python(code).stdout == f"{hashlib.sha256(frame.tobytes()).hexdigest()}\n"


def test_raw_pictures_stay_as_they_are() -> None:
    """A soft sun makes its grid's outlines wider, which must change no hard shadow."""
    from garten.sight.camera import RayCaster

    scene, camera = probe_scene(), probe_camera()
    before = RayCaster().raw(scene, camera, WIDTH, HEIGHT)
    photo(scene, camera, "overcast")
    np.testing.assert_array_equal(caster().raw(scene, camera, WIDTH, HEIGHT), before)


# --- light -----------------------------------------------------------------------------------------


def test_shadows_are_soft_and_without_grain() -> None:
    """Across the edge of a wall's shadow, light falls evenly, in steps no one sees."""
    scene = plain((Kind.BOX, (0.2, 20.0, 1.5), (-2.0, 0.0, 1.5)), light=Light(sun=(-0.5, 0.0, 0.6)))
    hard = caster().raw(scene, DOWN, WIDTH, HEIGHT)[:, WIDTH // 2, 1].astype(int)
    edge = int(np.argmin(np.diff(hard[:60])))
    across = slice(edge - 18, edge + 14)
    soft = unpatterned(scene, DOWN, "overcast")[across, WIDTH // 2].astype(int)
    steps = np.diff(soft, axis=0)
    assert -3 <= steps.min() <= steps.max() <= 1
    assert (np.ptp(soft, axis=0) > 12).all()  # there is a shadow
    sharp = unpatterned(scene, DOWN, "noon")[across, WIDTH // 2].astype(int)
    assert (np.ptp(sharp, axis=0) > 50).all()
    assert np.diff(sharp, axis=0).max() <= 1


@pytest.mark.parametrize("style", ["overcast", "noon"])
def test_open_ground_is_even(style: str) -> None:
    """Nothing is drawn by chance: with one colour and nothing near, all of the ground is alike."""
    frame = unpatterned(plain(), DOWN, style).astype(int)
    assert np.ptp(frame.reshape(-1, 3), axis=0).max() <= 2


@pytest.mark.parametrize("kind", sorted(set(Kind) - {Kind.PLANE, Kind.HEIGHT_FIELD}))
def test_what_stands_near_takes_light_from_the_ground(kind: Kind) -> None:
    """Next to a shape that stands on it the ground is darker than far from it, and nowhere brighter."""
    size = SIZES[kind]
    lift = {Kind.SPHERE: size[0], Kind.CAPSULE: size[0] + size[1]}
    raised = lift.get(kind, size[1] if kind in (Kind.CYLINDER, Kind.CONE) else size[2])
    scene = plain((kind, size, (0.0, 0.0, raised)), light=UPRIGHT_SUN)
    frame = unpatterned(scene, DOWN, "own")
    ids = caster().condition(scene, DOWN, WIDTH, HEIGHT).ids
    ground = ids == 0
    near = ground & (np.roll(ids, 3, 0) == 1)
    far = ground.copy()
    far[HEIGHT // 8 : -HEIGHT // 8, WIDTH // 4 : -WIDTH // 4] = False
    assert near.sum() > 3
    light = frame[..., 1].astype(float)
    assert light[near].min() < light[far].mean() - 15
    assert light[ground].max() <= light[far].max() + 1


def test_fog_hides_what_is_far() -> None:
    scene, camera = probe_scene(), Camera.at((0.0, -300.0, 4.0), math.pi / 2, fov_y=0.1)
    spread = {style: photo(scene, camera, style)[:60].astype(float).std() for style in ("noon", "mist")}
    assert spread["mist"] < 0.3 * spread["noon"]


def test_styles_differ_and_change_no_geometry() -> None:
    scene, camera = probe_scene(), probe_camera()
    means = {style: photo(scene, camera, style).mean((0, 1)) for style in STYLE_NAMES}
    for one in STYLE_NAMES:
        for other in STYLE_NAMES:
            assert one == other or np.abs(means[one] - means[other]).max() > 3.0, (one, other)


# --- colours ---------------------------------------------------------------------------------------


def test_own_colours_are_those_of_the_world() -> None:
    """On average over its pattern, a surface has the hue that the world gave it."""
    for color in ((0.8, 0.2, 0.1), (0.2, 0.6, 0.2), (0.15, 0.3, 0.8)):
        for surface in SURFACES:
            if surface == "water":  # mirrors the sky
                continue
            builder = SceneBuilder()
            builder.add(Kind.PLANE, material=builder.material(color, surface))
            mean = photo(builder.build(), DOWN).mean((0, 1))
            assert np.argmax(mean) == np.argmax(color), surface


def test_a_palette_colours_whatever_the_shapes() -> None:
    """The same number gives the same colours to other layouts, another number other ones."""
    one, other = probe_scene(0), probe_scene(1)
    first, again, second = drawn_coat(one, 5), drawn_coat(other, 5), drawn_coat(one, 6)
    np.testing.assert_array_equal(first.bright, again.bright)
    assert first.words == again.words
    assert (first.bright != second.bright).any()
    assert not np.array_equal(photo(one, probe_camera(), palette=5), photo(one, probe_camera(), palette=6))


def test_captions_name_the_colours() -> None:
    builder = SceneBuilder()
    builder.add(Kind.PLANE, material=builder.material((0.3, 0.55, 0.25), "grass"))
    builder.add(Kind.SPHERE, (1.0,), material=builder.material((0.95, 0.95, 0.95), "wool"))
    scene = builder.build()
    assert own_coat(scene).caption() == "green grass, white wool"
    colors = {drawn_coat(scene, number).words[0][1] for number in range(60)}
    assert colors == set(HUES)
    assert all(word == "grass" for word, _ in (drawn_coat(scene, number).words[0] for number in range(9)))
    assert color_name((0.1, 0.2, 0.9)) == "blue"


def test_scenes_that_say_nothing_of_surfaces_can_be_drawn() -> None:
    told = dataclasses.replace(probe_scene(), surfaces=())
    assert len(np.unique(photo(told, probe_camera()).reshape(-1, 3), axis=0)) > 500


def test_other_styles_are_refused_with_the_choices() -> None:
    assert look("photo:dusk").name == "photo:dusk"
    assert look("photo").name == "photo"
    with pytest.raises(RenderError, match="choose one of own, noon, morning"):
        look("photo:noon-ish")


# --- surfaces stay where they are ------------------------------------------------------------------


def test_patterns_move_and_turn_with_their_shape() -> None:
    """A shape, its light and the camera turned about the shape's middle together give the same picture."""
    builder = SceneBuilder(UPRIGHT_SUN)
    for surface in ("brick", "wood"):
        sign = 1.0 if surface == "brick" else -1.0
        place = (0.0, sign * 1.2, 0.0)
        builder.add(Kind.BOX, (0.9, 0.9, 0.9), position=place, material=builder.material((0.6,) * 3, surface))
    scene = builder.build()
    angle = 0.7
    turned = scene.moved(
        np.array([[-math.sin(angle) * y, math.cos(angle) * y, z] for _, y, z in scene.positions], np.float32),
        np.array([turn_z(angle)] * 2, np.float32),
    )
    frames = []
    for shown, around in ((scene, 0.0), (turned, angle)):
        eye = (-4.0 * math.cos(around), -4.0 * math.sin(around), 2.0)
        moment = Moment(0.0, shown, {})
        camera = Camera.at(eye, around, pitch=-0.4)
        frames.append(Photo("own").frame(moment, camera, role="", width=WIDTH, height=HEIGHT).astype(int))
    seen = caster().condition(scene, Camera.at((-4.0, 0.0, 2.0), 0.0, pitch=-0.4), WIDTH, HEIGHT).ids != NO_ID
    assert seen.mean() > 0.2
    assert np.abs(frames[0] - frames[1])[seen].mean() < 0.5
