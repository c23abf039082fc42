"""Questions about bodies: what touches, what carries what, how far apart things are, what can be seen.

Nothing here changes a simulation. Names are those of things ("crate") or of single parts ("loader/arm").
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

from garten.worlds.physics.part import UNSEEN
from garten.worlds.physics.simulation import Physics, Vector

UPWARD = 0.5
"""How far up a contact must push, as the z of its unit normal, to count as support."""

_SHRUNK = 0.9
"""How far out from the middle of a shape the corners looked at lie: on it rather than beside it."""

_SOLID = np.array([group != UNSEEN for group in range(mujoco.mjNGROUP)], np.uint8)
"""The groups of shapes that looks meet."""

_CORNERS = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)] + [(0, 0, 0)], np.float64)


@dataclass(frozen=True)
class Touch:
    """One point in which a part touches another."""

    part: str  # the part asked about, or one of its thing
    other: str  # the part it touches
    point: Vector  # [3] metres
    normal: Vector  # [3] unit, from the other into the part: the way it is pushed
    depth: float  # metres by which they reach into each other; solid bodies give in by a little


def touches(physics: Physics, name: str) -> list[Touch]:
    """All points in which a thing or part touches anything else."""
    bodies = set(physics.bodies(name))
    physics.collide()
    data, found = physics.data, []
    for contact in data.contact[: data.ncon]:
        if contact.dist > 0.0:
            continue
        first, second = (int(physics.model.geom_bodyid[geom]) for geom in contact.geom)
        normal = np.array(contact.frame[:3])  # from the first into the second
        for own, other, push in ((first, second, -normal), (second, first, normal)):
            if own in bodies and other not in bodies:
                names = physics.name_of(own), physics.name_of(other)
                found.append(Touch(*names, np.array(contact.pos), push, -float(contact.dist)))
    return found


def touching(physics: Physics, name: str, other: str) -> bool:
    """Whether two things or parts touch."""
    bodies = set(physics.bodies(other))
    return any(physics.body(touch.other) in bodies for touch in touches(physics, name))


def supports(physics: Physics, name: str) -> tuple[str, ...]:
    """The parts that a thing or part stands on or lies in: those that push it up; none: it hangs or falls."""
    return tuple(dict.fromkeys(touch.other for touch in touches(physics, name) if touch.normal[2] > UPWARD))


def clearance(physics: Physics, name: str, other: str, *, most: float = 10.0) -> float:
    """The least distance between two things or parts, metres, negative inside each other, `most` at most."""
    physics.pose()
    return min(
        (
            mujoco.mj_geomDistance(physics.model, physics.data, own, its, most, None)
            for own in _geoms(physics, name)
            for its in _geoms(physics, other)
        ),
        default=most,
    )


def bounds(physics: Physics, name: str) -> tuple[Vector, Vector]:
    """The least and greatest corner, [3] metres each, of a box along the axes around a thing or part."""
    physics.pose()
    corners = np.concatenate([_hull(physics, geom) for geom in _geoms(physics, name)])
    return corners.min(axis=0), corners.max(axis=0)


def _hull(physics: Physics, geom: int) -> NDArray[np.float64]:
    """Points around a shape, [n, 3] metres: those of a mesh, else the corners of a box along the axes."""
    model, data = physics.model, physics.data
    middle, turn = data.geom_xpos[geom], data.geom_xmat[geom].reshape(3, 3)
    mesh = int(model.geom_dataid[geom])
    if mesh >= 0:
        start, count = int(model.mesh_vertadr[mesh]), int(model.mesh_vertnum[mesh])
        return np.asarray(middle + model.mesh_vert[start : start + count] @ turn.T)
    box = model.geom_aabb[geom].reshape(2, 3)
    reach = np.minimum(np.abs(turn) @ box[1], model.geom_rbound[geom] or np.inf)
    return np.asarray(middle + turn @ box[0] + _CORNERS * reach)


@dataclass(frozen=True)
class Hit:
    """What a straight look meets."""

    part: str
    point: Vector  # [3] metres
    normal: Vector  # [3] unit, out of the part


def look_along(
    physics: Physics,
    eye: Sequence[float],
    way: Sequence[float] | Vector,
    *,
    most: float,
    without: Collection[str] = (),
) -> Hit | None:
    """What a look from `eye` along `way` (any length) meets within `most` metres; it looks through `without`.

    Only what is solid stands in the way.
    """
    physics.pose()
    through = {body for name in without for body in physics.bodies(name)}
    start, geom, normal = np.array(eye, np.float64), np.full(1, -1, np.int32), np.zeros(3)
    along = np.array(way, np.float64) / np.linalg.norm(way)
    left = most
    while True:
        distance = mujoco.mj_ray(physics.model, physics.data, start, along, _SOLID, 1, -1, geom, normal)
        if not 0.0 <= distance < left:
            return None
        body = int(physics.model.geom_bodyid[geom[0]])
        if body not in through:
            return Hit(physics.name_of(body), start + distance * along, normal.copy())
        gone = distance + 1e-6
        start, left = start + gone * along, left - gone


def first_hit(
    physics: Physics, eye: Sequence[float], target: Sequence[float], *, without: Collection[str] = ()
) -> str:
    """The part that a straight look from `eye` to `target` meets first, or ""; it looks through `without`."""
    way = np.asarray(target, np.float64) - np.asarray(eye, np.float64)
    length = float(np.linalg.norm(way))
    hit = look_along(physics, eye, way, most=length, without=without) if length else None
    return hit.part if hit else ""


def rays(
    physics: Physics, start: Vector, ways: Vector, *, most: float = 100.0, without: str = ""
) -> tuple[Vector, NDArray[np.int32]]:
    """What straight looks from one point meet first, all at once; only what is solid stands in the way.

    Args:
        physics: The simulation.
        start: Where they begin, [3] metres.
        ways: Where they go, [N, 3] unit vectors.
        most: How far they go, metres.
        without: A part they look through; usually that of the eye.

    Returns:
        Metres to what each meets, [N], `most` where it meets nothing; and the body it meets, [N], -1 there.
    """
    physics.pose()
    count = len(ways)
    geoms, distances = np.full(count, -1, np.int32), np.full(count, -1.0)
    flat, exclude = np.ascontiguousarray(ways, np.float64).ravel(), physics.body(without) if without else -1
    mujoco.mj_multiRay(
        physics.model, physics.data, start, flat, _SOLID, 1, exclude, geoms, distances, None, count, most
    )
    met = (geoms >= 0) & (distances <= most)  # MuJoCo leaves out only what is farther as a whole
    bodies = np.where(met, physics.model.geom_bodyid[geoms], -1).astype(np.int32)
    return np.where(met, distances, most), bodies


def visible(physics: Physics, eye: Sequence[float], name: str, *, without: Collection[str] = ()) -> float:
    """The share of a thing or part that can be seen from `eye`, 0 to 1; it looks through `without`.

    Looks go to the middle of each of its shapes and towards the corners of the boxes around them.
    """
    bodies = set(physics.bodies(name))
    points = [point for geom in _geoms(physics, name) for point in _corners(physics, geom)]
    seen = 0
    for point in points:
        hit = first_hit(physics, eye, point, without=without)
        seen += hit == "" or physics.body(hit) in bodies
    return seen / max(1, len(points))


def _geoms(physics: Physics, name: str) -> list[int]:
    owners = physics.model.geom_bodyid
    return [int(geom) for body in physics.bodies(name) for geom in np.flatnonzero(owners == body)]


def _corners(physics: Physics, geom: int) -> NDArray[np.float64]:
    """The middle and the slightly shrunk corners of the box around a geom, [9, 3] in the world."""
    physics.pose()
    box = physics.model.geom_aabb[geom].reshape(2, 3)
    local = box[0] + _SHRUNK * _CORNERS * box[1]
    turn = physics.data.geom_xmat[geom].reshape(3, 3)
    placed: NDArray[np.float64] = physics.data.geom_xpos[geom] + local @ turn.T
    return placed
