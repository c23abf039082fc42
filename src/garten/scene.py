"""What every engine exports and every camera sees: shapes, poses, materials, cameras, conditions.

Conventions, everywhere in Garten:

* lengths in metres, angles in radians unless a name says ``_deg``, times in seconds of world time;
* the world frame is right-handed with z up; a heading is the angle from +x, counter-clockwise from above;
* a camera frame has x to the right, y up and z towards the viewer: the camera looks along its own -z (the
  convention of MuJoCo and OpenGL), so a surface that faces the camera has a normal near (0, 0, 1);
* quaternions are (w, x, y, z), unit length, and turn local coordinates into world coordinates;
* image sizes are given as width x height; image arrays are indexed [row, column], row 0 at the top.

In shape comments S is the number of shapes, M of materials, H and W the image's rows and columns.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Ints = NDArray[np.int32]

Color = tuple[float, float, float]
"""sRGB, 0 to 1."""

UPRIGHT = (1.0, 0.0, 0.0, 0.0)
"""The quaternion that turns nothing."""

NO_ID = -1
"""The id of a pixel in which no shape is seen."""


class Kind(IntEnum):
    """The shapes a camera can see; the comment gives the meaning of ``size`` (metres)."""

    BOX = 0  # half extents along x, y, z
    SPHERE = 1  # radius, -, -
    CAPSULE = 2  # radius, half the length of its straight part along z, -
    CYLINDER = 3  # radius, half height along z, -
    CONE = 4  # radius of the base at -z, half height along z with the tip at +z, -
    WEDGE = 5  # half extents; a ramp whose top rises from -z at -x to +z at +x
    PLANE = 6  # half extents along x and y (0: endless), -; faces +z and is seen from both sides
    HEIGHT_FIELD = 7  # half extents along x and y, scale of the heights along z
    MESH = 8  # scale along x, y, z


@dataclass(frozen=True)
class Mesh:
    """A triangle mesh in its own frame."""

    vertices: Floats  # [V, 3] metres before scaling
    triangles: Ints  # [T, 3] vertex indices, counter-clockwise seen from outside


@dataclass(frozen=True)
class HeightField:
    """Heights on a regular grid that spans the shape's x and y extents."""

    heights: Floats  # [rows along y, columns along x], multiplied by the shape's size[2]


@dataclass(frozen=True)
class Light:
    """One sun and an even sky."""

    sun: tuple[float, float, float] = (0.4, -0.5, 0.77)  # direction towards the sun, unit length when used
    ambient: float = 0.45  # share of the light that reaches a surface in shadow, 0 to 1
    sky: tuple[float, float, float] = (0.62, 0.78, 0.93)  # sRGB colour overhead, 0 to 1
    horizon: tuple[float, float, float] = (0.85, 0.90, 0.94)  # sRGB colour at eye level, 0 to 1


@dataclass(frozen=True)
class Scene:
    """Everything that can be seen at one moment, as arrays over shapes.

    Arrays that do not change within an episode are shared between its scenes (see `moved`), so
    a camera may keep what it derived from them.
    """

    kinds: Ints  # [S] values of `Kind`
    positions: Floats  # [S, 3] world frame, metres
    rotations: Floats  # [S, 4] quaternions (w, x, y, z)
    sizes: Floats  # [S, 3] metres, meaning by kind
    materials: Ints  # [S] row of `colors`
    objects: Ints  # [S] id >= 0 of the thing a shape is part of; the id a camera reports
    assets: Ints  # [S] index into `meshes` or `height_fields`; -1 for the other kinds
    colors: Floats  # [M, 3] sRGB, 0 to 1
    meshes: tuple[Mesh, ...] = ()
    height_fields: tuple[HeightField, ...] = ()
    light: Light = field(default_factory=Light)
    surfaces: tuple[str, ...] = ()  # [M] what each material is made of, one word; "" or () where nobody says

    def __len__(self) -> int:
        return len(self.kinds)

    def moved(self, positions: Floats, rotations: Floats) -> Scene:
        """The same shapes at other poses, sharing all other arrays."""
        return replace(self, positions=positions, rotations=rotations)


@dataclass(frozen=True)
class Camera:
    """A pinhole camera: where it is, how it is turned, how wide it sees."""

    position: tuple[float, float, float]  # world frame, metres
    rotation: tuple[float, float, float, float]  # (w, x, y, z), camera frame to world frame
    fov_y: float = math.radians(58.7)  # vertical field of view, radians; 58.7 degrees is 90 across at 16:9

    def intrinsics(self, width: int, height: int) -> tuple[float, float, float, float]:
        """Focal lengths and principal point (fx, fy, cx, cy) in pixels, pixel centres at half integers."""
        focal = 0.5 * height / math.tan(0.5 * self.fov_y)
        return focal, focal, 0.5 * width, 0.5 * height

    @staticmethod
    def at(
        position: Sequence[float], heading: float, *, pitch: float = 0.0, fov_y: float = math.radians(58.7)
    ) -> Camera:
        """A level camera at `position` that faces `heading`; a positive `pitch` looks up."""
        x, y, z = (float(value) for value in position)
        # Turn the camera frame (looking along -z, y up) to look along +x with z up, then pitch and yaw.
        yaw = turn_z(heading - 0.5 * math.pi)
        tilt = turn_x(0.5 * math.pi + pitch)
        w, a, b, c = compose(yaw, tilt)
        return Camera(position=(x, y, z), rotation=(float(w), float(a), float(b), float(c)), fov_y=fov_y)


@dataclass(frozen=True)
class Condition:
    """What a renderer is told about one frame: the geometry its camera sees."""

    depth: Floats  # [H, W] metres along the viewing axis; inf where nothing is seen
    normals: Floats  # [H, W, 3] unit vectors in the camera frame; 0 where nothing is seen
    ids: Ints  # [H, W] `Scene.objects` of the shape seen, or `NO_ID`
    intrinsics: tuple[float, float, float, float]  # fx, fy, cx, cy in pixels


class SceneBuilder:
    """Collects shapes one at a time and freezes them into a `Scene`.

    >>> builder = SceneBuilder()
    >>> grass = builder.material((0.35, 0.55, 0.25))
    >>> ground = builder.add(Kind.PLANE, material=grass)
    >>> len(builder.build())
    1
    """

    def __init__(self, light: Light | None = None) -> None:
        self._light = light or Light()
        self._materials: list[tuple[tuple[float, float, float], str]] = []  # colour, surface
        self._rows: list[tuple[int, Sequence[float], Sequence[float], Sequence[float], int, int, int]] = []
        self._meshes: list[Mesh] = []
        self._height_fields: list[HeightField] = []

    def material(self, color: tuple[float, float, float], surface: str = "") -> int:
        """The material of this sRGB colour (0 to 1), made once however often it is asked for.

        `surface` is one word for what it is made of, for looks that draw surfaces: those they know are in
        `garten.sight.surfaces`.
        """
        if (color, surface) not in self._materials:
            self._materials.append((color, surface))
        return self._materials.index((color, surface))

    def add(
        self,
        kind: Kind,
        size: Sequence[float] = (0.0, 0.0, 0.0),
        *,
        position: Sequence[float] = (0.0, 0.0, 0.0),
        rotation: Sequence[float] = UPRIGHT,
        material: int,
        thing: int | None = None,
        mesh: Mesh | None = None,
        height_field: HeightField | None = None,
    ) -> int:
        """Add one shape and return its index; without `thing` the shape is a thing of its own."""
        index = len(self._rows)
        asset = -1
        if mesh is not None:
            asset = len(self._meshes)
            self._meshes.append(mesh)
        elif height_field is not None:
            asset = len(self._height_fields)
            self._height_fields.append(height_field)
        padded = (*size, 0.0, 0.0, 0.0)[:3]
        owner = index if thing is None else thing
        self._rows.append((int(kind), position, rotation, padded, material, owner, asset))
        return index

    def build(self) -> Scene:
        """The scene of all shapes added so far."""
        kinds, positions, rotations, sizes, materials, owners, assets = (
            zip(*self._rows, strict=True) if self._rows else ((),) * 7
        )
        return Scene(
            kinds=np.array(kinds, np.int32),
            positions=np.array(positions, np.float32).reshape(-1, 3),
            rotations=np.array(rotations, np.float32).reshape(-1, 4),
            sizes=np.array(sizes, np.float32).reshape(-1, 3),
            materials=np.array(materials, np.int32),
            objects=np.array(owners, np.int32),
            assets=np.array(assets, np.int32),
            colors=np.array([color for color, _ in self._materials], np.float32).reshape(-1, 3),
            meshes=tuple(self._meshes),
            height_fields=tuple(self._height_fields),
            light=self._light,
            surfaces=tuple(surface for _, surface in self._materials),
        )


def turn_x(angle: float) -> NDArray[np.float64]:
    """The quaternion of a turn by `angle` (radians) about x."""
    return np.array([math.cos(0.5 * angle), math.sin(0.5 * angle), 0.0, 0.0])


def turn_y(angle: float) -> NDArray[np.float64]:
    """The quaternion of a turn by `angle` (radians) about y."""
    return np.array([math.cos(0.5 * angle), 0.0, math.sin(0.5 * angle), 0.0])


def turn_z(angle: float) -> NDArray[np.float64]:
    """The quaternion of a turn by `angle` (radians) about z."""
    return np.array([math.cos(0.5 * angle), 0.0, 0.0, math.sin(0.5 * angle)])


def compose(first: Iterable[float], second: Iterable[float]) -> NDArray[np.float64]:
    """The quaternion product: turn by `second`, then by `first`."""
    a, b, c, d = first
    e, f, g, h = second
    return np.array(
        [
            a * e - b * f - c * g - d * h,
            a * f + b * e + c * h - d * g,
            a * g - b * h + c * e + d * f,
            a * h + b * g - c * f + d * e,
        ]
    )


def rotation_matrices(rotations: NDArray[Any]) -> NDArray[np.float64]:
    """The matrices [S, 3, 3] of unit quaternions [S, 4]; a matrix times a local vector is a world vector."""
    w, x, y, z = np.asarray(rotations, np.float64).T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), -1, 0)
