"""What the field looks like: shapes, colours, and where bodies' shapes are at each moment.

Every kind of thing has a colour of its own, so that it can be told apart by eye in a small image.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from garten.scene import UPRIGHT, Color, Floats, Ints, Kind, Light, Scene, SceneBuilder, turn_y, turn_z
from garten.worlds.herding.constants import (
    DOGS,
    FENCE_HEIGHT,
    FIELD_HALF,
    GATE_HEIGHT,
    GATE_WIDTH,
    HEDGE_HEIGHT,
    PEN_HALF,
    SHEEP,
)
from garten.worlds.herding.ground import Pen

GRASS: Color = (0.36, 0.60, 0.22)
HEDGE: Color = (0.07, 0.24, 0.10)
STRAW: Color = (0.80, 0.70, 0.42)
WOOD: Color = (0.42, 0.29, 0.18)
GATE: Color = (0.88, 0.08, 0.08)
WOOL: Color = (0.95, 0.94, 0.90)
FACE: Color = (0.16, 0.15, 0.16)
COAT: Color = (0.10, 0.10, 0.11)
VESTS: tuple[Color, Color] = ((0.08, 0.20, 0.85), (0.98, 0.85, 0.05))
BARN: Color = (0.05, 0.45, 0.45)
ROOF: Color = (0.30, 0.31, 0.36)
BARK: Color = (0.28, 0.20, 0.15)
BLOSSOM: Color = (0.96, 0.60, 0.76)
BEECH: Color = (0.42, 0.12, 0.26)

LIGHT = Light(sun=(0.45, -0.35, 0.82), ambient=0.55, sky=(0.38, 0.62, 0.90), horizon=(0.66, 0.80, 0.93))

RAIL_HEIGHTS = (0.45, 0.95)  # metres
LYING = tuple(turn_y(0.5 * math.pi).tolist())  # a capsule's z axis turned to +x
LOWERED = tuple(turn_y(math.radians(115.0)).tolist())  # the same, pointing a little down
RAISED = tuple(turn_y(math.radians(-25.0)).tolist())  # pointing back and up


@dataclass(frozen=True)
class Scenery:
    """The scene of one layout and how the shapes of its bodies hang on them.

    B is the number of moving shapes, which come first in the scene.
    """

    scene: Scene
    bodies: Ints  # [B] which body a shape is part of: the dogs, then the sheep
    offsets: Floats  # [B, 3] metres in the body's frame: x ahead, y left, z up from the ground
    offsets_turned: Floats  # [B, 3] the same a quarter turn on; z is 0
    rotations: Floats  # [B, 4] in the body's frame
    rotations_turned: Floats  # [B, 4] the same after half a turn about z

    def at(self, poses: NDArray[np.float64]) -> Scene:
        """The scene with the bodies at `poses`, [bodies, 3]: x, y in metres, heading in radians."""
        x, y, heading = poses[self.bodies].T
        count = len(self.bodies)
        positions, rotations = self.scene.positions.copy(), self.scene.rotations.copy()
        moving = positions[:count]
        moving[:] = self.offsets
        moving *= np.cos(heading)[:, None]
        moving += np.sin(heading)[:, None] * self.offsets_turned
        moving[:, 0] += x
        moving[:, 1] += y
        moving[:, 2] = self.offsets[:, 2]
        half = 0.5 * heading
        rotations[:count] = (
            np.cos(half)[:, None] * self.rotations + np.sin(half)[:, None] * self.rotations_turned
        )
        return self.scene.moved(positions, rotations)


def build(pen: Pen) -> Scenery:
    """The scenery of a field with this pen; bodies come first, so that their shapes are the first rows."""
    builder = SceneBuilder(LIGHT)
    bodies: list[int] = []
    for body in range(int(DOGS)):
        bodies += [body] * _dog(builder, body, VESTS[body])
    for body in range(int(DOGS), int(DOGS + SHEEP)):
        bodies += [body] * _sheep(builder, body)
    _field(builder)
    _pen(builder, pen)
    _gate(builder, pen)
    # Landmarks outside the hedge, the same for every layout, to keep one's bearings by.
    _barn(builder, 4.0, FIELD_HALF + 9.0)
    _tree(builder, FIELD_HALF + 7.0, -6.0, BLOSSOM)
    _tree(builder, -FIELD_HALF - 7.0, -3.0, BEECH)
    scene = builder.build()
    count = len(bodies)
    x, y, z = scene.positions[:count].T
    a, b, c, d = scene.rotations[:count].T
    return Scenery(
        scene,
        np.array(bodies, np.int32),
        scene.positions[:count],
        np.stack([-y, x, np.zeros_like(z)], axis=1),
        scene.rotations[:count],
        np.stack([-d, -c, b, a], axis=1),
    )


# --- bodies, each in its own frame ---------------------------------------------------------------


def _dog(builder: SceneBuilder, thing: int, vest: Color) -> int:
    """A dark dog with a coloured vest; returns the number of its shapes."""
    coat, cloth = builder.material(COAT, "fur"), builder.material(vest, "cloth")
    parts: list[Part] = [
        (Kind.CAPSULE, (0.14, 0.24), (-0.14, 0.0, 0.46), LYING, coat),
        (Kind.CAPSULE, (0.18, 0.11), (-0.13, 0.0, 0.48), LYING, cloth),
        (Kind.SPHERE, (0.13,), (0.18, 0.0, 0.66), UPRIGHT, coat),
        (Kind.CAPSULE, (0.055, 0.05), (0.25, 0.0, 0.61), LYING, coat),
        (Kind.CAPSULE, (0.04, 0.16), (-0.48, 0.0, 0.62), RAISED, coat),
        *_legs(((0.06, 0.09), (0.06, -0.09), (-0.34, 0.09), (-0.34, -0.09)), 0.05, 0.42, coat),
    ]
    return _add(builder, thing, parts)


def _sheep(builder: SceneBuilder, thing: int) -> int:
    """A white sheep with a dark face and dark legs; returns the number of its shapes."""
    wool, face = builder.material(WOOL, "wool"), builder.material(FACE, "fur")
    parts: list[Part] = [
        (Kind.CAPSULE, (0.31, 0.16), (-0.07, 0.0, 0.68), LYING, wool),
        (Kind.CAPSULE, (0.11, 0.08), (0.40, 0.0, 0.84), LOWERED, face),
        *_legs(((0.13, 0.15), (0.13, -0.15), (-0.24, 0.15), (-0.24, -0.15)), 0.055, 0.45, face),
    ]
    return _add(builder, thing, parts)


Part = tuple[Kind, Sequence[float], Sequence[float], Sequence[float], int]
"""Kind, size, position, rotation and material of one shape."""


def _legs(feet: Sequence[tuple[float, float]], radius: float, height: float, material: int) -> list[Part]:
    size = (radius, 0.5 * height)
    return [(Kind.CYLINDER, size, (x, y, 0.5 * height), UPRIGHT, material) for x, y in feet]


def _add(builder: SceneBuilder, thing: int, parts: Sequence[Part]) -> int:
    for kind, size, position, rotation, material in parts:
        builder.add(kind, size, position=position, rotation=rotation, material=material, thing=thing)
    return len(parts)


# --- what stands still ---------------------------------------------------------------------------


def _field(builder: SceneBuilder) -> None:
    """The meadow and the hedge around it."""
    builder.add(Kind.PLANE, material=builder.material(GRASS, "grass"))
    leaves, height = builder.material(HEDGE, "leaves"), 0.5 * HEDGE_HEIGHT
    middle, half = FIELD_HALF + 0.5, float(FIELD_HALF)
    sides = [(middle, 0.0, 0.5, half + 1.0), (0.0, middle, half, 0.5)]
    hedge: int | None = None
    for x, y, half_x, half_y in [*sides, *((-x, -y, a, b) for x, y, a, b in sides)]:
        size, position = (half_x, half_y, height), (x, y, height)
        index = builder.add(Kind.BOX, size, position=position, material=leaves, thing=hedge)
        hedge = index if hedge is None else hedge


def _pen(builder: SceneBuilder, pen: Pen) -> None:
    """The pen: straw on its floor, and a fence of two rails between posts."""
    half, wood = float(PEN_HALF), builder.material(WOOD, "wood")
    floor = (half, half, 0.01)
    builder.add(Kind.BOX, floor, position=(pen.x, pen.y, 0.01), material=builder.material(STRAW, "straw"))
    fence: int | None = None
    for low_x, low_y, high_x, high_y in pen.rails:
        size = (0.5 * (high_x - low_x) + 0.04, 0.5 * (high_y - low_y) + 0.04, 0.07)
        for height in RAIL_HEIGHTS:
            position = (0.5 * (low_x + high_x), 0.5 * (low_y + high_y), height)
            index = builder.add(Kind.BOX, size, position=position, material=wood, thing=fence)
            fence = index if fence is None else fence
    back, corners = (-half, 0.0), [(a * half, b * half) for a in (-1.0, 1.0) for b in (-1.0, 1.0)]
    for ahead, aside in [back, (0.0, -half), (0.0, half), *corners]:
        position = (*pen.place(ahead, aside), 0.5 * FENCE_HEIGHT)
        size = (0.09, 0.5 * FENCE_HEIGHT, 0.0)
        builder.add(Kind.CYLINDER, size, position=position, material=wood, thing=fence)


def _gate(builder: SceneBuilder, pen: Pen) -> None:
    """Two tall posts and the beam across them, one thing of one colour with its middle over the gate's."""
    red, half, gap = builder.material(GATE, "paint"), 0.5 * GATE_HEIGHT, 0.5 * GATE_WIDTH
    a, b = pen.outward
    size = (0.14 + abs(b) * gap, 0.14 + abs(a) * gap, 0.16)
    gate = builder.add(Kind.BOX, size, position=(*pen.gate, GATE_HEIGHT), material=red)
    for aside in (-gap, gap):
        position = (*pen.place(PEN_HALF, aside), half)
        builder.add(Kind.CYLINDER, (0.14, half), position=position, material=red, thing=gate)


def _barn(builder: SceneBuilder, x: float, y: float) -> None:
    wall, roof = builder.material(BARN, "wood"), builder.material(ROOF, "roof")
    barn = builder.add(Kind.BOX, (5.0, 3.5, 2.5), position=(x, y, 2.5), material=wall)
    for side in (-1.0, 1.0):
        builder.add(
            Kind.WEDGE,
            (2.0, 5.4, 1.3),
            position=(x, y + 2.0 * side, 6.3),
            rotation=tuple(turn_z(-0.5 * math.pi * side).tolist()),
            material=roof,
            thing=barn,
        )


def _tree(builder: SceneBuilder, x: float, y: float, leaves: Color) -> None:
    crown = builder.add(
        Kind.SPHERE, (3.2,), position=(x, y, 7.6), material=builder.material(leaves, "leaves")
    )
    builder.add(
        Kind.CYLINDER, (0.45, 2.8), position=(x, y, 2.8), material=builder.material(BARK, "bark"), thing=crown
    )
