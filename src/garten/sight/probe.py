"""A scene to measure and test cameras with: a believable mix of every kind of shape on endless ground."""

from __future__ import annotations

import math

import numpy as np

from garten.scene import Camera, HeightField, Kind, Mesh, Scene, SceneBuilder, turn_z

COLORS = (
    (0.80, 0.25, 0.20),
    (0.20, 0.45, 0.80),
    (0.90, 0.75, 0.25),
    (0.55, 0.35, 0.70),
    (0.90, 0.90, 0.88),
    (0.30, 0.60, 0.55),
)


def probe_scene(seed: int = 0, shapes: int = 60) -> Scene:
    """`shapes` shapes: endless ground, a hill in the middle, and props of all other kinds around it."""
    rng = np.random.default_rng(seed)
    builder = SceneBuilder()
    grass = builder.material((0.42, 0.58, 0.32))
    earth = builder.material((0.52, 0.43, 0.33))
    paints = [builder.material(color) for color in COLORS]
    builder.add(Kind.PLANE, material=grass)
    builder.add(
        Kind.HEIGHT_FIELD, (3.5, 3.5, 1.2), position=(0.0, 0.0, -0.01), material=earth, height_field=hill()
    )
    props = (Kind.BOX, Kind.CYLINDER, Kind.SPHERE, Kind.CAPSULE, Kind.WEDGE, Kind.CONE, Kind.MESH)
    for index in range(shapes - 2):
        kind = props[index % len(props)]
        size, lift = _prop(kind, float(rng.uniform(0.25, 0.7)))
        away, around = rng.uniform(5.0, 12.0), rng.uniform(0.0, math.tau)
        builder.add(
            kind,
            size,
            position=(away * math.cos(around), away * math.sin(around), lift),
            rotation=turn_z(float(rng.uniform(0.0, math.tau))).tolist(),
            material=paints[int(rng.integers(len(paints)))],
            mesh=octahedron() if kind == Kind.MESH else None,
        )
    return builder.build()


def probe_camera(turn: float = 0.0) -> Camera:
    """A camera above head height at the edge of the probe scene, `turn` radians around it."""
    around = math.pi * 1.25 + turn
    return Camera.at((14.0 * math.cos(around), 14.0 * math.sin(around), 2.2), around + math.pi, pitch=-0.12)


def hill(rows: int = 17, columns: int = 21) -> HeightField:
    """A smooth hill on a grid, heights from 0 at the rim to 1."""
    y, x = np.meshgrid(np.linspace(-1, 1, rows), np.linspace(-1, 1, columns), indexing="ij")
    return HeightField(((1.0 - x * x) * (1.0 - y * y)).astype(np.float32))


def octahedron() -> Mesh:
    """The octahedron with corners at distance 1 along the axes."""
    vertices = np.array([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]], np.float32)
    upper = [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4]]
    lower = [[2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]]
    return Mesh(vertices, np.array(upper + lower, np.int32))


def _prop(kind: Kind, scale: float) -> tuple[tuple[float, float, float], float]:
    """Size of a prop, and the height of its centre when it stands on the ground."""
    if kind == Kind.SPHERE:
        return (scale, 0.0, 0.0), scale
    if kind == Kind.CAPSULE:
        return (0.5 * scale, scale, 0.0), 1.5 * scale
    if kind in (Kind.CYLINDER, Kind.CONE):
        return (0.7 * scale, 1.5 * scale, 0.0), 1.5 * scale
    if kind == Kind.WEDGE:
        return (1.5 * scale, scale, 0.7 * scale), 0.7 * scale
    return (scale, 0.8 * scale, scale), scale
