"""Shapes that hang on bodies: how what a simulation moves becomes a `Scene`.

What can be seen need not be what collides. A wheel may roll as an ellipsoid and be seen as a tyre with a
hub, and a cab or a number plate may be there for the eye alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from garten.scene import Color, Ints, Kind, Light, Mesh, Scene, SceneBuilder

Point = tuple[float, float, float]
"""A place or extent, metres."""

Rotation = Sequence[float]
"""A unit quaternion (w, x, y, z)."""


PAINT = "paint"
"""What a colour is made of in a world that says what the others are made of."""


@dataclass(frozen=True)
class Shape:
    """One shape of one body, in the body's frame."""

    body: int
    thing: int  # id of the thing the body is part of
    moves: bool
    kind: Kind
    size: Sequence[float]  # metres, meaning by kind
    position: Sequence[float]  # metres
    rotation: Rotation
    color: Color
    mesh: Mesh | None = None


class HungShapes:
    """All shapes of a simulation and where they hang.

    S is the number of shapes, M that of those on moving bodies, B that of bodies.
    """

    def __init__(
        self, shapes: Sequence[Shape], light: Light | None, surfaces: Mapping[Color, str] | None
    ) -> None:
        """`surfaces` says by colour what a shape is made of, paint if not, or nobody does."""
        builder = SceneBuilder(light)
        words = {} if surfaces is None else {shape.color: PAINT for shape in shapes} | dict(surfaces)
        for shape in shapes:
            builder.add(
                shape.kind,
                shape.size,
                position=shape.position,
                rotation=shape.rotation,
                material=builder.material(shape.color, words.get(shape.color, "")),
                thing=shape.thing,
                mesh=shape.mesh,
            )
        self._local = builder.build()
        self._bodies = np.array([shape.body for shape in shapes], np.int32)  # [S]
        self._moving = np.flatnonzero([shape.moves for shape in shapes]).astype(np.int32)  # [M]
        self._scene: Scene | None = None

    def scene(self, positions: NDArray[np.float64], rotations: NDArray[np.float64]) -> Scene:
        """The scene when the bodies are at `positions`, [B, 3] metres, turned by `rotations`, [B, 4].

        Shapes of bodies that cannot move are placed by the first call and stay there.
        """
        if self._scene is None:
            everything = np.arange(len(self._bodies), dtype=np.int32)
            self._scene = self._local.moved(*self._hang(everything, positions, rotations))
        placed, turned = self._scene.positions.copy(), self._scene.rotations.copy()
        placed[self._moving], turned[self._moving] = self._hang(self._moving, positions, rotations)
        return self._scene.moved(placed, turned)

    def _hang(
        self, rows: Ints, positions: NDArray[np.float64], rotations: NDArray[np.float64]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """World poses of some shapes: positions [rows, 3] and quaternions [rows, 4]."""
        bodies = self._bodies[rows]
        w, x, y, z = rotations[bodies].T
        offset, turn = self._local.positions[rows], self._local.rotations[rows]
        axis = np.stack([x, y, z], axis=1)
        across = 2.0 * np.cross(axis, offset)
        placed = positions[bodies] + offset + w[:, None] * across + np.cross(axis, across)
        a, b, c, d = turn.T
        turned = np.stack(
            [
                w * a - x * b - y * c - z * d,
                w * b + x * a + y * d - z * c,
                w * c - x * d + y * a + z * b,
                w * d + x * c - y * b + z * a,
            ],
            axis=1,
        )
        return placed.astype(np.float32), turned.astype(np.float32)
