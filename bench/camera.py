"""Frames per CPU second of the ray caster, on the 60-shape probe scene, beside MuJoCo's ray queries.

    python bench/camera.py [--json]

Every frame has a scene and a camera of its own, as in play: the shapes' poses are uploaded each time.
"""

import sys
from collections.abc import Callable
from itertools import cycle
from pathlib import Path

import numpy as np
from shared.measure import per_cpu_second, report

from garten.renderer.data.recipe import Plan
from garten.renderer.data.shoot import film, find_shots
from garten.scene import Camera, Scene
from garten.sight.looks import Photo, caster
from garten.sight.probe import probe_camera, probe_scene
from garten.worlds.find import load

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from sight.oracle import Oracle  # the tests model the same scene in MuJoCo

VIEWS = 16
"""Cameras around the scene, taken in turn."""

CONE_SIDES = 24
"""Sides of the mesh that stands in for a cone in MuJoCo."""


def views() -> Callable[[], tuple[Scene, Camera]]:
    """A function that gives the next scene and camera."""
    scene = probe_scene()
    shots = cycle(
        [
            (scene.moved(scene.positions.copy(), scene.rotations.copy()), probe_camera(turn))
            for turn in np.linspace(0.0, 2.0 * np.pi, VIEWS, endpoint=False)
        ]
    )
    return lambda: next(shots)


def raw(width: int, height: int) -> float:
    """Pictures with shadows per CPU second."""
    shot = views()
    return per_cpu_second(lambda: caster().raw(*shot(), width, height))


def conditions(width: int, height: int) -> float:
    """Depth, normals and ids per CPU second."""
    shot = views()
    return per_cpu_second(lambda: caster().condition(*shot(), width, height))


def photo(world: str, width: int, height: int) -> float:
    """Frames of the photo look with depth, normals, ids, motion and taps, as a role of a world sees it."""
    plan = Plan(0, world, "train", 3, 4.0, "role", "noon", 1, 17, (width, height), 0)
    shots, look = find_shots(load(world)(), plan), Photo(plan.style, palette=plan.palette)
    return len(shots) * per_cpu_second(lambda: film(shots, look, (width, height)))


def mj_multiray(width: int, height: int) -> float:
    """Distances, normals and geoms of the same rays by MuJoCo's mj_multiRay, frames per CPU second."""
    oracle, shot = Oracle(probe_scene(), sides=CONE_SIDES), views()
    return per_cpu_second(lambda: oracle.cast(shot()[1], width, height))


if __name__ == "__main__":
    report(
        "camera",
        {
            "raw_160x90_fps_cpu": raw(160, 90),
            "raw_320x180_fps_cpu": raw(320, 180),
            "conditions_208x120_fps_cpu": conditions(208, 120),
            "conditions_832x480_fps_cpu": conditions(832, 480),
            "photo_160x96_fps_cpu": photo("herding", 160, 96),
            "photo_bridge_160x96_fps_cpu": photo("one-lane-bridge", 160, 96),
            "mj_multiray_208x120_fps_cpu": mj_multiray(208, 120),
        },
    )
