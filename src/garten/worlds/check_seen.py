"""Checks of what a world shows and says: scenes, cameras, drawings, feedback and scores."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np

from garten.records import Moment, Score
from garten.scene import Camera, Kind, Scene
from garten.worlds.check_subject import Subject, require, tick_at_random

UNIT = 1e-3
"""How far the length of a quaternion or normal may be from 1; float32 rounding stays far below it."""


FEEDBACK_LENGTH = 120
"""Characters a feedback sentence may have: longer ones carry more than what happened to the action."""


FEEDBACK_KINDS = 40
"""Different feedback sentences a world may give; more would spell out state."""


DRAWN_SIZE = (32, 18)
"""Width x height at which an engine's own drawing is checked."""


def scenes(subject: Subject) -> str:
    """Every scene is valid: finite, unit quaternions, indices in range, one number of shapes throughout."""
    for seed, journey in subject.journeys.items():
        for stop in journey:
            check_scene(stop.moment.scene)
        counts = {len(stop.moment.scene) for stop in journey}
        require(len(counts) == 1, f"shapes come or go within an episode (seed {seed}: {sorted(counts)})")
    return f"{max(len(stop.moment.scene) for stop in subject.stops())} shapes"


def check_scene(scene: Scene) -> None:
    """Raise `Fault` if a camera could stumble over the scene."""
    count = len(scene)
    shapes = {"positions": (count, 3), "rotations": (count, 4), "sizes": (count, 3), "materials": (count,)}
    shapes |= {"objects": (count,), "assets": (count,), "kinds": (count,)}
    for name, shape in shapes.items():
        array = getattr(scene, name)
        require(array.shape == shape, f"scene {name} have shape {array.shape}, not {shape}")
        require(bool(np.isfinite(array).all()), f"scene {name} are not finite")
    require(scene.colors.ndim == 2 and scene.colors.shape[1] == 3, "scene colors are not rows of three")
    require(bool(((scene.colors >= 0) & (scene.colors <= 1)).all()), "scene colors leave 0 to 1")
    lengths = np.linalg.norm(scene.rotations, axis=1)
    require(bool((abs(lengths - 1.0) < UNIT).all()), "scene rotations are not unit quaternions")
    require(bool((scene.sizes >= 0).all()), "scene sizes are negative")
    require(set(scene.kinds.tolist()) <= set(Kind), "scene kinds are unknown")
    require(_in_range(scene.materials, len(scene.colors)), "scene materials point at no colour")
    require(bool((scene.objects >= 0).all()), "scene objects are negative")
    for kind, assets in ((Kind.MESH, scene.meshes), (Kind.HEIGHT_FIELD, scene.height_fields)):
        require(_in_range(scene.assets[scene.kinds == kind], len(assets)), f"a {kind.name} has no asset")


def _in_range(indices: np.ndarray[Any, Any], count: int) -> bool:
    return bool(((indices >= 0) & (indices < count)).all())


def cameras(subject: Subject) -> str:
    """Every role has a valid camera at all times."""
    for stop in subject.stops():
        require(sorted(stop.moment.cameras) == sorted(subject.roles), "a role has no camera")
        for role, camera in stop.moment.cameras.items():
            _check_camera(role, camera)
    return ""


def _check_camera(role: str, camera: Camera) -> None:
    numbers = (*camera.position, *camera.rotation, camera.fov_y)
    require(len(numbers) == 8 and all(map(math.isfinite, numbers)), f"the camera of {role} is not finite")
    require(abs(math.hypot(*camera.rotation) - 1.0) < UNIT, f"the camera of {role} has no unit quaternion")
    require(0.0 < camera.fov_y < math.pi, f"the camera of {role} sees {camera.fov_y} radians")


def moments(subject: Subject) -> str:
    """A captured moment holds still while the world goes on."""
    world, rng = subject.fresh(subject.seeds[0]), np.random.default_rng(6)
    for _ in range(10):
        if world.over:
            break
        moment = world.moment()
        before = view_bytes(moment)
        tick_at_random(world, rng, ticks=10)
        require(view_bytes(moment) == before, "it changes afterwards; copy what moves into the scene")
    return ""


def drawings(subject: Subject) -> str:
    """Geometry drawn by the world's own engine is metric, unit and of the size asked for."""
    if all(stop.moment.drawing is None for stop in subject.stops()):
        return "drawn by the ray caster"
    width, height = DRAWN_SIZE
    for journey in subject.journeys.values():
        for stop in journey[:: max(1, len(journey) // 5)]:
            require(stop.moment.drawing is not None, "only some moments carry a drawing")
            assert stop.moment.drawing is not None
            for role in subject.roles:
                drawn = stop.moment.drawing(role, width, height)
                shapes = drawn.depth.shape, drawn.normals.shape, drawn.ids.shape
                due = (height, width), (height, width, 3), (height, width)
                require(shapes == due, f"what {role} sees has shapes {shapes}, not {due}")
                seen = np.isfinite(drawn.depth)
                require(bool((drawn.depth[seen] > 0).all()), "a depth is not above 0")
                lengths = np.linalg.norm(drawn.normals, axis=-1)
                require(
                    bool((abs(lengths - seen) < UNIT).all()),
                    "normals are not unit, or not 0 where nothing is seen",
                )
                require(
                    len(drawn.intrinsics) == 4 and min(drawn.intrinsics[:2]) > 0,
                    "intrinsics are not positive",
                )
    return "drawn by the world's engine"


def hidden(subject: Subject) -> str:
    """Feedback is one short sentence without numbers, of few kinds, so that it gives no state away."""
    said = {text for stop in subject.stops() for text in stop.feedback.values() if text}
    for text in sorted(said):
        require(re.search(r"\d", text) is None, f"feedback holds a number: {text!r}")
        require(
            len(text) <= FEEDBACK_LENGTH and "\n" not in text, f"feedback is not one short sentence: {text!r}"
        )
    require(len(said) <= FEEDBACK_KINDS, f"there are {len(said)} different feedback sentences")
    return f"{len(said)} feedback sentences"


def layouts(subject: Subject) -> str:
    """What is seen at the start depends on the seed."""
    seeds = [*subject.seeds, max(subject.seeds) + 1]
    views = {view_bytes(subject.fresh(seed).moment()) for seed in seeds}
    require(len(views) > len(seeds) // 2, f"{len(seeds)} seeds give {len(views)} openings")
    return f"{len(views)} openings from {len(seeds)} seeds"


def same_view(one: Moment, other: Moment) -> bool:
    """Whether two moments look the same from everywhere."""
    return view_bytes(one) == view_bytes(other)


def view_bytes(moment: Moment) -> bytes:
    """Everything of a moment that a frame can show."""
    scene = moment.scene
    arrays = [scene.kinds, scene.positions, scene.rotations, scene.sizes, scene.materials, scene.colors]
    parts = [array.tobytes() for array in arrays] + [repr(sorted(moment.cameras.items())).encode()]
    if moment.drawing is not None:
        width, height = DRAWN_SIZE
        for role in sorted(moment.cameras):
            drawn = moment.drawing(role, width, height)
            parts += [drawn.depth.tobytes(), drawn.normals.tobytes(), drawn.ids.tobytes()]
    return b"".join(parts)


def scores(subject: Subject) -> str:
    """Score, measure and parts are finite, the score within 0 to 100 and the progress within 0 to 1."""
    for stop in subject.stops():
        check_score(stop.score)
        told = set(stop.score.teams)
        require(told in (set(), set(subject.spec.teams)), f"scores of the teams {sorted(told)}, not of all")
    ends = [journey[-1].score.value for journey in subject.journeys.values()]
    return f"random play scores {min(ends):.1f} to {max(ends):.1f}"


def check_score(score: Score) -> None:
    """Raise `Fault` if the score is not finite or leaves its bounds."""
    numbers = (score.value, score.measure, score.progress, *score.parts.values())
    require(all(map(math.isfinite, numbers)), f"the score is not finite: {score}")
    require(0.0 <= score.value <= 100.0, f"the score {score.value} leaves 0 to 100")
    require(0.0 <= score.progress <= 1.0, f"the progress {score.progress} leaves 0 to 1")
    for own in score.teams.values():
        check_score(own)
