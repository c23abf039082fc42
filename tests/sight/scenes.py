"""Scenes for the tests of sight."""

from __future__ import annotations

import numpy as np

from garten.scene import Camera, Kind, Scene, SceneBuilder
from garten.sight.probe import hill, octahedron

SIZES = {
    Kind.BOX: (0.6, 0.4, 0.9),
    Kind.SPHERE: (0.7, 0.0, 0.0),
    Kind.CAPSULE: (0.4, 0.6, 0.0),
    Kind.CYLINDER: (0.5, 0.8, 0.0),
    Kind.CONE: (0.6, 0.7, 0.0),
    Kind.WEDGE: (0.9, 0.5, 0.6),
    Kind.PLANE: (1.2, 0.8, 0.0),
    Kind.HEIGHT_FIELD: (1.5, 1.2, 0.7),
    Kind.MESH: (0.8, 0.5, 0.9),
}
"""A size for each kind, no two numbers of which are equal where that could hide a mistake."""

AHEAD = Camera(position=(0.0, 0.0, 0.0), rotation=(1.0, 0.0, 0.0, 0.0), fov_y=np.pi / 2)
"""A camera at the origin whose frame is the world's: it looks along -z."""


def unit_quaternions(rng: np.random.Generator, count: int) -> np.ndarray:
    """Random turns, [count, 4]."""
    turns = rng.normal(size=(count, 4))
    return turns / np.linalg.norm(turns, axis=1, keepdims=True)


def add(builder: SceneBuilder, kind: Kind, scale: float = 1.0, **rest: object) -> None:
    """Add a shape of that kind at its size in `SIZES`."""
    builder.add(
        kind,
        tuple(scale * value for value in SIZES[kind]),
        material=builder.material((0.8, 0.3, 0.2)),
        mesh=octahedron() if kind == Kind.MESH else None,
        height_field=hill() if kind == Kind.HEIGHT_FIELD else None,
        **rest,  # type: ignore[arg-type]
    )


def single(kind: Kind, **rest: object) -> Scene:
    """A scene of one shape."""
    builder = SceneBuilder()
    add(builder, kind, **rest)
    return builder.build()


def jumble(seed: int, kinds: tuple[Kind, ...], count: int = 40) -> Scene:
    """Shapes of the given kinds at random places and turns within 4 m of the origin."""
    rng = np.random.default_rng(seed)
    builder = SceneBuilder()
    for turn in unit_quaternions(rng, count):
        kind = kinds[int(rng.integers(len(kinds)))]
        add(builder, kind, float(rng.uniform(0.5, 1.5)), position=rng.uniform(-4, 4, 3), rotation=turn)
    return builder.build()
