"""Makes one clip of a world: moments, a camera, a coat and a style go in; frames and geometry come out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import islice
from typing import Any

import numpy as np

from garten.errors import RenderError
from garten.records import Moment
from garten.renderer.data.cameras import draw_path
from garten.renderer.data.clip import About, Clip, still
from garten.renderer.data.recipe import Plan
from garten.renderer.data.wander import wander
from garten.scene import Camera, Condition, rotation_matrices
from garten.seeds import derive
from garten.sight.captions import caption
from garten.sight.carry import carry_between
from garten.sight.encodings import METRIC
from garten.sight.looks import Photo, see
from garten.worlds.find import load
from garten.worlds.world import World

EPISODES, STRETCHES = 4, 3
"""Episodes, and stretches of each, that are looked at until one is good for a clip."""

LEAST_CHANGED = 0.06
"""Share of the picture that a clip must change: what stands still teaches little."""

JUMP, TURN = 2.0, math.radians(40.0)
"""Metres beyond the usual step, and angle, from which a camera's move between two frames is a cut."""

TOO_NEAR, MOST_NEAR = 0.35, 0.1
"""Metres; a camera that is nearer than this to so large a share of what it sees is about to go through it."""

Shot = tuple[Moment, Camera]
"""A moment and the camera that sees it."""


def shoot(plan: Plan) -> Clip:
    """Make the clip of a plan; equal plans give equal clips.

    Raises:
        RenderError: the world's episodes are too short for the clip.
        WorldError: there is no such world.
    """
    world = load(plan.world)()
    shots = find_shots(world, plan)
    look = Photo(plan.style, palette=plan.palette)
    clip = film(shots, look, plan.size)
    about = About(
        source=world.spec.name,
        split=plan.split,
        fps=world.spec.frame_rate,
        caption=caption(shots[0][0].scene, look.coat(shots[0][0].scene), clip["ids"], style=plan.style),
        style=plan.style,
        depth_scale=METRIC,
        frames=plan.frames,
        size=plan.size,
        seed=plan.layout,
        camera=plan.camera,
        palette=plan.palette,
    )
    return Clip(about, **clip)


def film(shots: Sequence[Shot], look: Photo, size: tuple[int, int], *, role: str = "") -> dict[str, Any]:
    """The arrays of a `Clip` of these moments of one episode, each seen by its camera."""
    width, height = size
    arrays: dict[str, Any] = {
        "frames": np.zeros((len(shots), height, width, 3), np.uint8),
        "depth": np.zeros((len(shots), height, width), np.float32),
        "normals": np.zeros((len(shots), height, width, 3), np.float32),
        **still(len(shots), size),
    }
    before: tuple[Moment, Camera, Condition] | None = None
    for t, (moment, camera) in enumerate(shots):
        here = see(moment, camera, role=role, width=width, height=height)
        arrays["frames"][t] = look.frame(moment, camera, role=role, width=width, height=height)
        arrays["depth"][t], arrays["normals"][t], arrays["ids"][t] = here.depth, here.normals, here.ids
        if before is not None:
            then, place, seen = before
            carry = carry_between(then, place, moment, camera, seen=seen, here=here)
            arrays["motion"][t], arrays["taps"][t] = carry.motion, carry.taps
        before = moment, camera, here
    return arrays


def find_shots(world: World[Any], plan: Plan) -> list[Shot]:
    """Moments of an episode and where the camera is at each.

    Of several stretches of several episodes, the first good one is taken; if there is none, the last, or
    one without a cut. An episode may also be over too soon: then the next ones are taken from their opening.
    """
    rate = world.spec.frame_rate
    found: list[Shot] = []
    for episode in range(EPISODES):
        rng = np.random.default_rng(derive(plan.seed, "episode", episode))
        moments = wander(world, plan.layout, rng)
        skip = 0 if episode and not found else round(plan.skip * rate)
        moments = islice(moments, skip, skip + STRETCHES * plan.frames)
        while len(stretch := list(islice(moments, plan.frames))) == plan.frames:
            path = draw_path(plan.camera, stretch[0], rng, fps=rate)
            shots = [(moment, path(moment, number)) for number, moment in enumerate(stretch)]
            cut = _cut(shots)
            if not cut and _good(shots, plan.camera):
                return shots
            if not found or not cut:
                found = shots
    if not found:
        raise RenderError(
            f"The episodes of {world.spec.name} end before a clip of {plan.frames} frames is full; "
            "ask for fewer frames."
        )
    return found


def _good(shots: Sequence[Shot], camera: str) -> bool:
    """Whether enough of the picture is another in the end, and no camera of ours goes through a wall."""
    width, height = 40, 24
    views = [see(*shot, role="", width=width, height=height) for shot in shots]
    near, far = (1.0 / view.depth for view in (views[0], views[-1]))  # 0 for the sky
    changed = (views[0].ids != views[-1].ids) | (np.abs(near - far) > 0.02 * np.maximum(near, far))
    inside = max(float((view.depth < TOO_NEAR).mean()) for view in views)
    return bool(changed.mean() > LEAST_CHANGED) and (camera == "role" or inside < MOST_NEAR)


def _cut(shots: Sequence[Shot]) -> bool:
    """Whether the camera is somewhere else, or looks elsewhere, from one frame to the next."""
    places = np.array([camera.position for _, camera in shots])
    gazes = rotation_matrices(np.array([camera.rotation for _, camera in shots]))[:, :, 2]
    steps = np.linalg.norm(np.diff(places, axis=0), axis=1)
    turns = (gazes[1:] * gazes[:-1]).sum(-1)
    return bool(steps.max() > JUMP + 4.0 * np.median(steps) or turns.min() < math.cos(TURN))
