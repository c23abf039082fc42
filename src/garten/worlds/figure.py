"""Figures: shapes that hang on moving joints, such as the parts of an animal, an arm or a crate.

A joint is a frame with a position and a rotation in the world. Shapes are added once, each in the frame of
its joint; `Figure.place` gives the scene with the joints wherever they are now.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from garten.scene import UPRIGHT, Color, Floats, Ints, Kind, Scene, SceneBuilder, compose, rotation_matrices


@dataclass(frozen=True)
class Figure:
    """The shapes of a scene that move; P of them hang on J joints."""

    rows: Ints  # [P] where they are among the scene's shapes
    joints: Ints  # [P] the joint each hangs on
    offsets: Floats  # [P, 3] metres, in the joint's frame
    rotations: Floats  # [P, 4] in the joint's frame

    def place(self, scene: Scene, positions: NDArray[np.float64], rotations: NDArray[np.float64]) -> Scene:
        """The scene with the joints at `positions` [J, 3] metres, turned by `rotations` [J, 4]."""
        moved, turned = scene.positions.copy(), scene.rotations.copy()
        matrices = rotation_matrices(rotations)[self.joints]
        moved[self.rows] = positions[self.joints] + np.einsum("pij,pj->pi", matrices, self.offsets)
        turned[self.rows] = compose(rotations[self.joints].T, self.rotations.T).T
        return scene.moved(moved, turned)


class FigureBuilder:
    """Adds the shapes of a figure to a scene that is being built."""

    def __init__(self, builder: SceneBuilder) -> None:
        self._builder = builder
        self._rows: list[int] = []
        self._joints: list[int] = []
        self._offsets: list[Sequence[float]] = []
        self._rotations: list[Sequence[float]] = []

    def add(
        self,
        joint: int,
        kind: Kind,
        size: Sequence[float],
        *,
        at: Sequence[float] = (0.0, 0.0, 0.0),
        turned: Sequence[float] = UPRIGHT,
        color: Color,
        thing: int | None = None,
    ) -> int:
        """Hang a shape on a joint, `at` metres and `turned` in its frame; returns the shape's index."""
        material = self._builder.material(color)
        row = self._builder.add(kind, size, rotation=turned, material=material, thing=thing)
        self._rows.append(row)
        self._joints.append(joint)
        self._offsets.append(at)
        self._rotations.append(turned)
        return row

    def build(self) -> Figure:
        """The figure of all shapes added so far."""
        return Figure(
            rows=np.array(self._rows, np.int32),
            joints=np.array(self._joints, np.int32),
            offsets=np.array(self._offsets, np.float32).reshape(-1, 3),
            rotations=np.array(self._rotations, np.float32).reshape(-1, 4),
        )
