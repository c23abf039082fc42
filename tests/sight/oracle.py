"""The same scenes in MuJoCo, whose ray queries are the oracle of the ray caster's tests."""

from __future__ import annotations

import mujoco
import numpy as np
from numpy.typing import NDArray

from garten.scene import Camera, Kind, Scene
from garten.sight.stage import matrix

GEOMS = {
    Kind.BOX: mujoco.mjtGeom.mjGEOM_BOX,
    Kind.SPHERE: mujoco.mjtGeom.mjGEOM_SPHERE,
    Kind.CAPSULE: mujoco.mjtGeom.mjGEOM_CAPSULE,
    Kind.CYLINDER: mujoco.mjtGeom.mjGEOM_CYLINDER,
    Kind.PLANE: mujoco.mjtGeom.mjGEOM_PLANE,
}
"""Kinds that are MuJoCo geoms of the same size; cones and wedges go in as meshes."""


def wedge_mesh(size: NDArray[np.float32]) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    """Vertices and triangles of a wedge."""
    x, y, z = (float(value) for value in size)
    points = [(-x, -y, -z), (-x, y, -z), (x, -y, -z), (x, y, -z), (x, -y, z), (x, y, z)]
    faces = [(0, 1, 3), (0, 3, 2), (2, 3, 5), (2, 5, 4), (0, 4, 5), (0, 5, 1), (0, 2, 4), (1, 5, 3)]
    return np.array(points), np.array(faces, np.int32)


def cone_mesh(size: NDArray[np.float32], sides: int = 720) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    """Vertices and triangles of a cone with a many-sided base."""
    around = 2.0 * np.pi * np.arange(sides) / sides
    rim = np.stack([np.cos(around) * size[0], np.sin(around) * size[0], np.full(sides, -size[1])], axis=1)
    points = np.concatenate([rim, [(0.0, 0.0, -size[1]), (0.0, 0.0, size[1])]])
    here, there = np.arange(sides), (np.arange(sides) + 1) % sides
    base = np.stack([there, here, np.full(sides, sides)], axis=1)
    side = np.stack([here, there, np.full(sides, sides + 1)], axis=1)
    return points.astype(np.float64), np.concatenate([base, side]).astype(np.int32)


class Oracle:
    """A scene as a MuJoCo model of one static body; geom i is shape i."""

    def __init__(self, scene: Scene) -> None:
        spec = mujoco.MjSpec()
        self._frames: list[NDArray[np.float64]] = []
        for i in range(len(scene)):
            self._add(spec, scene, i)
        self.model = spec.compile()
        self.data = mujoco.MjData(self.model)
        mujoco.mj_forward(self.model, self.data)
        self.objects = scene.objects

    def look(self, camera: Camera, width: int, height: int) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
        """Depth along the axis and object ids, [H, W] each."""
        fx, fy, cx, cy = camera.intrinsics(width, height)
        x = (np.arange(width) + 0.5 - cx) / fx
        y = (cy - np.arange(height) - 0.5) / fy
        rays = np.stack([*np.meshgrid(x, y), np.full((height, width), -1.0)], axis=-1).reshape(-1, 3)
        lengths = np.linalg.norm(rays, axis=1, keepdims=True)
        directions = (rays / lengths) @ matrix(camera.rotation).T
        count = len(rays)
        geoms = np.full(count, -1, np.int32)
        distances = np.zeros(count)
        mujoco.mj_multiRay(
            self.model,
            self.data,
            np.array(camera.position),
            directions.reshape(-1),
            None,
            1,
            -1,
            geoms,
            distances,
            None,
            count,
            mujoco.mjMAXVAL,
        )
        seen = distances >= 0.0
        depth = np.where(seen, distances / lengths[:, 0], np.inf)
        ids = np.where(seen, self.objects[geoms], -1)
        return depth.reshape(height, width), ids.reshape(height, width)

    def _add(self, spec: mujoco.MjSpec, scene: Scene, i: int) -> None:
        kind, size = Kind(int(scene.kinds[i])), scene.sizes[i]
        pose = {"pos": scene.positions[i].tolist(), "quat": scene.rotations[i].tolist()}
        if kind in GEOMS:
            if kind == Kind.PLANE:
                size = np.array([size[0], size[1], 1.0])  # the third is only the grid that a viewer draws
            spec.worldbody.add_geom(type=GEOMS[kind], size=size.tolist(), **pose)
        elif kind == Kind.HEIGHT_FIELD:
            self._add_height_field(spec, scene, i, pose)
        else:
            self._add_mesh(spec, scene, i, pose)

    def _add_height_field(
        self, spec: mujoco.MjSpec, scene: Scene, i: int, pose: dict[str, list[float]]
    ) -> None:
        heights = scene.height_fields[scene.assets[i]].heights
        assert heights.min() == 0.0, "MuJoCo moves the lowest point to 0"
        assert heights.max() == 1.0, "MuJoCo scales the highest point to 1"
        spec.add_hfield(
            name=f"field{i}",
            nrow=heights.shape[0],
            ncol=heights.shape[1],
            size=[*scene.sizes[i].tolist(), 0.01],
            userdata=heights.reshape(-1).tolist(),
        )
        spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_HFIELD, hfieldname=f"field{i}", **pose)

    def _add_mesh(self, spec: mujoco.MjSpec, scene: Scene, i: int, pose: dict[str, list[float]]) -> None:
        kind, size = Kind(int(scene.kinds[i])), scene.sizes[i]
        if kind == Kind.MESH:
            mesh = scene.meshes[scene.assets[i]]
            points, faces = mesh.vertices * size, mesh.triangles
        else:
            points, faces = (wedge_mesh if kind == Kind.WEDGE else cone_mesh)(size)
        spec.add_mesh(
            name=f"mesh{i}",
            uservert=points.reshape(-1).tolist(),
            userface=faces.reshape(-1).tolist(),
            inertia=mujoco.mjtMeshInertia.mjMESH_INERTIA_SHELL,
        )
        spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_MESH, meshname=f"mesh{i}", **pose)
