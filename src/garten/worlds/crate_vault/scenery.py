"""The warehouse: floor, walls, plates, doors, crates, the vault, and the porter as others see them."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from garten.scene import UPRIGHT, Color, Kind, Light, Scene, SceneBuilder, turn_x, turn_y, turn_z
from garten.worlds.crate_vault import constants as c
from garten.worlds.crate_vault.level import PITCH, ROOMS, SIDE, Cell, Level
from garten.worlds.figure import FigureBuilder

COLORS: tuple[Color, ...] = (
    (0.90, 0.12, 0.12),
    (0.12, 0.35, 0.95),
    (0.10, 0.75, 0.25),
)  # of plates and doors
SLABS: Color = (0.66, 0.66, 0.68)
SLABS_DARK: Color = (0.56, 0.56, 0.59)
STONE: Color = (0.44, 0.43, 0.46)
HALL: Color = (0.78, 0.75, 0.70)
EARTH: Color = (0.40, 0.42, 0.36)
PLANKS: Color = (0.72, 0.48, 0.24)
BEAMS: Color = (0.48, 0.29, 0.13)
IRON: Color = (0.20, 0.21, 0.24)
GOLD: Color = (1.00, 0.80, 0.10)
OVERALL: Color = (0.95, 0.50, 0.10)
SKIN: Color = (0.93, 0.74, 0.62)
HAIR: Color = (0.25, 0.16, 0.10)

LIGHT = Light(sun=(-0.35, -0.45, 0.82), ambient=0.55)

SQUARE = float(c.SQUARE)
PORTER = 0  # joints: the porter, then crates, then doors
BARS = 4  # in one door


class Scenery:
    """Builds the shapes of a level once and gives the scene for any moment of it."""

    def __init__(self, level: Level, rng: np.random.Generator) -> None:
        builder = SceneBuilder(LIGHT)
        figure = FigureBuilder(builder)
        colors = [COLORS[i] for i in rng.permutation(len(COLORS))]
        self._doors = np.array([room.door for room in level.rooms], np.float64)
        first_door = 1 + len(level.crates)
        _add_porter(figure)
        for number in range(len(level.crates)):
            _add_crate(figure, 1 + number)
        for number, color in enumerate(colors):
            _add_bars(figure, first_door + number, color)
        _add_floor(builder, level)
        _add_walls(builder, level)
        for room, color in zip(level.rooms, colors, strict=True):
            _add_frame(builder, room.door, color)
            for plate in room.plates:
                _add_plate(builder, plate, color)
        _add_vault(builder, level.vault)
        self._figure = figure.build()
        self._base = builder.build()

    def at(
        self, porter: tuple[float, float, float], crates: NDArray[np.float64], bars: NDArray[np.float64]
    ) -> Scene:
        """The scene with the porter (column, row, quarter turns), crates [N, 2], bars [3] (1: up)."""
        column, row, turns = porter
        sunk = -(1.0 - bars) * (c.DOOR_HEIGHT - 0.05)
        positions = np.concatenate(
            [
                [[SQUARE * column, SQUARE * row, 0.0]],
                np.column_stack([SQUARE * crates, np.zeros(len(crates))]),
                np.column_stack([SQUARE * self._doors, sunk]),
            ]
        )
        rotations = np.tile(UPRIGHT, (len(positions), 1))
        rotations[PORTER] = turn_z(0.5 * math.pi * turns)
        return self._figure.place(self._base, positions, rotations)


# --- what moves ----------------------------------------------------------------------------------


def _add_porter(figure: FigureBuilder) -> None:
    """Somebody in orange overalls, all of it below their own eye."""
    thing = figure.add(PORTER, Kind.CAPSULE, (0.19, 0.22), at=(0.0, 0.0, 0.95), color=OVERALL)
    figure.add(PORTER, Kind.SPHERE, (0.13,), at=(0.02, 0.0, 1.44), color=SKIN, thing=thing)
    figure.add(PORTER, Kind.SPHERE, (0.125,), at=(-0.03, 0.0, 1.47), color=HAIR, thing=thing)
    for side in (-1.0, 1.0):
        figure.add(PORTER, Kind.CAPSULE, (0.085, 0.30), at=(0.0, 0.11 * side, 0.40), color=IRON, thing=thing)
        arm = tuple(turn_y(math.radians(115.0)).tolist())
        figure.add(
            PORTER,
            Kind.CAPSULE,
            (0.06, 0.16),
            at=(0.18, 0.24 * side, 1.10),
            turned=arm,
            color=OVERALL,
            thing=thing,
        )


def _add_crate(figure: FigureBuilder, joint: int) -> None:
    """A cube of planks with beams along all its edges."""
    half = 0.5 * float(c.CRATE_SIDE)
    inner, beam = half - 0.02, 0.05
    thing = figure.add(joint, Kind.BOX, (inner, inner, inner), at=(0.0, 0.0, half), color=PLANKS)
    edge = half - beam
    for one in (-edge, edge):
        for other in (-edge, edge):
            for size, at in (
                ((half, beam, beam), (0.0, one, half + other)),
                ((beam, half, beam), (one, 0.0, half + other)),
                ((beam, beam, half), (one, other, half)),
            ):
                figure.add(joint, Kind.BOX, size, at=at, color=BEAMS, thing=thing)


def _add_bars(figure: FigureBuilder, joint: int, color: Color) -> None:
    """The bars of a door, which sink into the floor as one."""
    thing: int | None = None
    half = 0.5 * float(c.DOOR_HEIGHT) - 0.08
    for number in range(BARS):
        at = (0.0, SQUARE * ((number + 0.5) / BARS - 0.5), half)
        added = figure.add(joint, Kind.CYLINDER, (0.045, half), at=at, color=color, thing=thing)
        thing = added if thing is None else thing
    for height in (0.35, 1.1):
        figure.add(joint, Kind.BOX, (0.035, 0.45, 0.05), at=(0.0, 0.0, height), color=color, thing=thing)


# --- what stands still ---------------------------------------------------------------------------


def _block(
    builder: SceneBuilder,
    low: Sequence[float],
    high: Sequence[float],
    color: Color,
    *,
    base: float = 0.0,
    top: float,
    thing: int | None = None,
) -> int:
    """A box from one square to another, both included, between two heights (metres)."""
    size = [0.5 * SQUARE * (b - a + 1) for a, b in zip(low, high, strict=True)]
    middle = [0.5 * SQUARE * (a + b) for a, b in zip(low, high, strict=True)]
    return builder.add(
        Kind.BOX,
        (*size, 0.5 * (top - base)),
        position=(*middle, 0.5 * (top + base)),
        material=builder.material(color),
        thing=thing,
    )


def _add_floor(builder: SceneBuilder, level: Level) -> None:
    """Slabs in two greys, like a board, so that squares can be counted; one thing."""
    earth = builder.material(EARTH, "earth")
    builder.add(Kind.PLANE, position=(0.0, 0.0, -0.6), material=earth)
    thing = _block(builder, (0, 0), (ROOMS * PITCH, SIDE - 1), SLABS, base=-0.5, top=0.0)
    for column, row in sorted(level.floor):
        if (column + row) % 2:
            _block(builder, (column, row), (column, row), SLABS_DARK, base=-0.1, top=0.008, thing=thing)


def _add_walls(builder: SceneBuilder, level: Level) -> None:
    """The hall, the walls between the rooms with their doorways, and the pillars."""
    high, low = float(c.HALL_HEIGHT), float(c.WALL_HEIGHT)
    end = ROOMS * PITCH
    hall = _block(builder, (-1, -1), (-1, SIDE), HALL, top=high)
    for row in (-1, SIDE):
        _block(builder, (0, row), (end, row), HALL, top=high, thing=hall)
    _block(builder, (end + 1, -1), (end + 1, SIDE), HALL, top=high, thing=hall)
    for room in level.rooms:
        column, door = room.door
        for first, last in ((0, door - 1), (door + 1, SIDE - 1)):
            if first <= last:
                _block(builder, (column, first), (column, last), STONE, top=low)
        for pillar in room.pillars:
            _block(builder, pillar, pillar, STONE, top=low)
    for first, last in ((0, level.vault[1] - 1), (level.vault[1] + 1, SIDE - 1)):
        if first <= last:
            _block(builder, (end, first), (end, last), STONE, top=low)


def _add_frame(builder: SceneBuilder, door: Cell, color: Color) -> None:
    """Two posts and a beam in the colour of the plates that open the door."""
    material, half = builder.material(color), 0.5 * float(c.DOOR_HEIGHT)
    x, y = SQUARE * door[0], SQUARE * door[1]
    thing = builder.add(Kind.BOX, (0.09, 0.5 * SQUARE, 0.09), position=(x, y, 2.0 * half), material=material)
    for side in (-1.0, 1.0):
        place = (x, y + side * (0.5 * SQUARE - 0.07), half)
        builder.add(Kind.BOX, (0.09, 0.07, half), position=place, material=material, thing=thing)


def _add_plate(builder: SceneBuilder, plate: Cell, color: Color) -> None:
    """A coloured slab with an iron rim."""
    x, y = SQUARE * plate[0], SQUARE * plate[1]
    rim = builder.material(IRON, "metal")
    thing = builder.add(Kind.BOX, (0.44, 0.44, 0.015), position=(x, y, 0.015), material=rim)
    material = builder.material(color)
    builder.add(Kind.BOX, (0.36, 0.36, 0.03), position=(x, y, 0.02), material=material, thing=thing)


def _add_vault(builder: SceneBuilder, vault: Cell) -> None:
    """A golden floor, a round golden door in the end wall above it, and bars of gold beside it."""
    gold, iron = builder.material(GOLD, "metal"), builder.material(IRON, "metal")
    x, y = SQUARE * vault[0], SQUARE * vault[1]
    thing = builder.add(Kind.BOX, (0.48, 0.48, 0.02), position=(x, y, 0.02), material=gold)
    wall = x + 0.5 * SQUARE
    facing = tuple(turn_y(0.5 * math.pi).tolist())
    for radius, depth, material in ((0.95, 0.06, iron), (0.82, 0.10, gold), (0.22, 0.16, iron)):
        builder.add(
            Kind.CYLINDER,
            (radius, depth),
            position=(wall, y, 1.5),
            rotation=facing,
            material=material,
            thing=thing,
        )
    for number in range(3):
        spoke = tuple(turn_x(math.pi * number / 3).tolist())
        builder.add(
            Kind.BOX,
            (0.02, 0.04, 0.62),
            position=(wall - 0.12, y, 1.5),
            rotation=spoke,
            material=iron,
            thing=thing,
        )
