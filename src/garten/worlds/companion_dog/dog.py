"""The dog's shapes and how they hang together: a body, a head, a tail and four legs."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from garten.scene import UPRIGHT, Color, Kind, compose, rotation_matrices, turn_x, turn_y, turn_z
from garten.worlds.companion_dog.body import Stance
from garten.worlds.figure import FigureBuilder

BODY, HEAD, TAIL, LEGS = 0, 1, 2, 3  # joints; the legs are four in a row
JOINTS = 7

SHOULDER_HEIGHT = 0.42  # metres from the ground to the joint of the body
SINKS = 0.26  # metres by which the body sinks when the dog lies
NECK = (0.30, 0.0, 0.16)  # of the head's joint, in the body's frame
ROOT = (-0.33, 0.0, 0.08)  # of the tail's
HIPS = ((0.20, 0.085), (0.20, -0.085), (-0.24, 0.085), (-0.24, -0.085))  # of the legs', level with the body
STRIDE = 0.45  # metres walked in one swing of the legs
SWING = math.radians(28.0)

CREAM: Color = (0.93, 0.84, 0.68)
DARK: Color = (0.07, 0.06, 0.06)
TONGUE: Color = (0.90, 0.45, 0.50)
COLLAR: Color = (0.85, 0.08, 0.12)

LYING = tuple(turn_y(0.5 * math.pi).tolist())  # a capsule's axis turned to +x
NECKWARD = tuple(turn_y(math.radians(40.0)).tolist())  # up and ahead


def add_dog(figure: FigureBuilder, first: int, coat: Color) -> None:
    """Add the dog's shapes, one thing; its joints are numbered from `first`."""
    shade: Color = tuple(0.55 * part for part in coat)  # type: ignore[assignment]
    body, head, tail = first + BODY, first + HEAD, first + TAIL
    thing = figure.add(body, Kind.CAPSULE, (0.135, 0.18), at=(-0.04, 0.0, 0.0), turned=LYING, color=coat)
    parts: list[tuple[int, Kind, tuple[float, ...], tuple[float, ...], tuple[float, ...], Color]] = [
        (body, Kind.SPHERE, (0.155,), (0.17, 0.0, 0.0), UPRIGHT, coat),
        (body, Kind.SPHERE, (0.145,), (-0.22, 0.0, 0.0), UPRIGHT, coat),
        (body, Kind.SPHERE, (0.11,), (0.235, 0.0, -0.025), UPRIGHT, CREAM),
        (body, Kind.CAPSULE, (0.085, 0.09), (0.26, 0.0, 0.11), NECKWARD, coat),
        (body, Kind.CYLINDER, (0.098, 0.018), (0.265, 0.0, 0.105), NECKWARD, COLLAR),
        (head, Kind.SPHERE, (0.115,), (0.06, 0.0, 0.05), UPRIGHT, coat),
        (head, Kind.CAPSULE, (0.058, 0.055), (0.185, 0.0, 0.01), LYING, CREAM),
        (head, Kind.SPHERE, (0.030,), (0.295, 0.0, 0.025), UPRIGHT, DARK),
        (head, Kind.CAPSULE, (0.022, 0.03), (0.215, 0.0, -0.05), LYING, TONGUE),
        (tail, Kind.CAPSULE, (0.032, 0.13), (0.0, 0.0, 0.14), UPRIGHT, coat),
        (tail, Kind.SPHERE, (0.036,), (0.0, 0.0, 0.29), UPRIGHT, CREAM),
    ]
    for side in (1.0, -1.0):
        hanging = tuple(turn_x(side * math.radians(-14.0)).tolist())
        parts += [
            (head, Kind.SPHERE, (0.021,), (0.150, side * 0.058, 0.085), UPRIGHT, DARK),
            (head, Kind.CAPSULE, (0.038, 0.055), (0.035, side * 0.118, 0.045), hanging, shade),
        ]
    for leg in range(4):
        joint = first + LEGS + leg
        parts += [
            (joint, Kind.CAPSULE, (0.048, 0.14), (0.0, 0.0, -0.19), UPRIGHT, coat),
            (joint, Kind.SPHERE, (0.055,), (0.02, 0.0, -0.37), UPRIGHT, CREAM),
        ]
    for part_joint, kind, size, at, turned, color in parts:
        figure.add(part_joint, kind, size, at=at, turned=turned, color=color, thing=thing)


def joints_of(dog: Stance, seconds: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Positions [7, 3] and rotations [7, 4] of its joints; `seconds` times the wagging of the tail."""
    facing = turn_z(dog.heading)
    high = 0.5 + 0.5 * dog.spirit  # 0 cowed, 1 cheerful
    wag = max(0.0, dog.spirit) * math.sin(math.tau * 2.3 * seconds)
    body = np.array([dog.x, dog.y, SHOULDER_HEIGHT - SINKS * dog.lying])
    positions, rotations = [body], [facing]
    matrix = rotation_matrices(facing[None])[0]

    def hang(at: tuple[float, ...], turn: NDArray[np.float64]) -> None:
        positions.append(body + matrix @ np.array(at))
        rotations.append(compose(facing, turn))

    low = 0.14 * (1.0 - high) * (1.0 - 0.5 * dog.lying)  # a cowed dog lowers its head
    nod = turn_y(math.radians(28.0 * (1.0 - high) - 12.0 * high))
    hang((NECK[0], NECK[1], NECK[2] + 0.05 * high - low), nod)
    hang(ROOT, compose(turn_z(0.6 * wag), turn_y(math.radians(-165.0 + 130.0 * high))))
    swing = SWING * math.sin(math.tau * dog.walked / STRIDE)
    for leg, (x, y) in enumerate(HIPS):
        forward = swing if leg in (0, 3) else -swing
        hang((x, y, 0.0), turn_y(-(1.0 - dog.lying) * forward - dog.lying * math.radians(80.0)))
    return np.array(positions), np.array(rotations)
