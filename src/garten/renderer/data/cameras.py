"""Cameras of clips: a role's eyes, and ones that follow, circle or stroll through a world."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from garten.records import Moment
from garten.scene import Camera, rotation_matrices

Path = Callable[[Moment, int], Camera]
"""Where a camera is at a moment that is the n-th of its clip."""

KINDS = ("role", "chase", "orbit", "walk")
"""The kinds of camera."""

SHARES = (0.5, 0.15, 0.2, 0.15)
"""How often each is used."""

WALK_SPEED = 1.2
"""Metres a second."""


def draw_path(kind: str, opening: Moment, rng: np.random.Generator, *, fps: float) -> Path:
    """A camera of that kind for a clip that opens with this moment.

    Args:
        kind: One of `KINDS`; all but ``role`` start from where some role is.
        opening: The first moment.
        rng: What is not given is drawn from it.
        fps: Moments per second.
    """
    role = str(rng.choice(list(opening.cameras)))
    if kind == "role":
        return lambda moment, _: moment.cameras[role]
    if kind == "chase":
        return _chase(role, rng)
    if kind == "orbit":
        return _orbit(opening.cameras[role], rng, fps=fps)
    return _walk(opening.cameras[role], rng, fps=fps)


def _chase(role: str, rng: np.random.Generator) -> Path:
    """Behind and above a role's eyes, looking the way they do."""
    back, up = rng.uniform(2.0, 5.0), rng.uniform(0.8, 2.5)
    fov = math.radians(rng.uniform(45.0, 60.0))

    def camera(moment: Moment, _: int) -> Camera:
        place, heading = _stance(moment.cameras[role])
        away = np.array([-back * math.cos(heading), -back * math.sin(heading), up])
        return Camera.at((place + away).tolist(), heading, pitch=-math.atan2(up, back), fov_y=fov)

    return camera


def _orbit(start: Camera, rng: np.random.Generator, *, fps: float) -> Path:
    """Round what lies before a role at the opening, looking at it."""
    place, heading = _stance(start)
    ahead = rng.uniform(2.0, 6.0)
    middle = place + ahead * np.array([math.cos(heading), math.sin(heading), 0.0])
    radius, up = rng.uniform(4.0, 9.0), rng.uniform(0.8, 4.0)
    first = heading + math.pi + rng.uniform(-1.0, 1.0)
    speed = math.radians(rng.uniform(6.0, 22.0)) * rng.choice([-1.0, 1.0]) / fps
    fov = math.radians(rng.uniform(40.0, 58.0))

    def camera(_: Moment, number: int) -> Camera:
        around = first + speed * number
        away = np.array([radius * math.cos(around), radius * math.sin(around), up])
        return Camera.at((middle + away).tolist(), around + math.pi, pitch=-math.atan2(up, radius), fov_y=fov)

    return camera


def _walk(start: Camera, rng: np.random.Generator, *, fps: float) -> Path:
    """A stroll at head height that looks about."""
    place, heading = _stance(start)
    height = rng.uniform(1.2, 1.9)
    aside, away = rng.uniform(0.0, math.tau), rng.uniform(2.5, 4.0)
    beside = place[:2] + away * np.array([math.cos(aside), math.sin(aside)])
    place = np.array([*beside, max(place[2], height)])
    bend, sway = rng.uniform(-0.25, 0.25), rng.uniform(0.1, 0.5)
    slow, phase = rng.uniform(0.5, 1.5), rng.uniform(0.0, math.tau)
    heading += rng.uniform(-1.0, 1.0)
    fov = math.radians(rng.uniform(48.0, 60.0))

    def camera(_: Moment, number: int) -> Camera:
        time = number / fps
        # The path is the arc of a circle: constant speed, constant bend.
        way = WALK_SPEED * time
        turned = bend * time
        chord = way if abs(turned) < 1e-6 else way * math.sin(0.5 * turned) / (0.5 * turned)
        toward = heading + 0.5 * turned
        at = place + chord * np.array([math.cos(toward), math.sin(toward), 0.0])
        gaze = heading + turned + sway * math.sin(slow * time + phase)
        return Camera.at(at.tolist(), gaze, pitch=-0.06, fov_y=fov)

    return camera


def _stance(camera: Camera) -> tuple[NDArray[np.float64], float]:
    """Where a camera is, and its heading seen from above."""
    forward = -rotation_matrices(np.array([camera.rotation]))[0][:, 2]
    return np.array(camera.position), math.atan2(forward[1], forward[0])
