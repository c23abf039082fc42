"""The same scenes in MuJoCo, whose ray queries are the oracle of the ray caster's tests."""

from __future__ import annotations

import mujoco
import numpy as np
from numpy.typing import NDArray

from garten.scene import Camera, Kind, Scene
from garten.sight.geometry import matrix

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


def cone_mesh(size: NDArray[np.float32], sides: int) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    """Vertices and triangles of a cone with a base of `sides` sides."""
    around = 2.0 * np.pi * np.arange(sides) / sides
    rim = np.stack([np.cos(around) * size[0], np.sin(around) * size[0], np.full(sides, -size[1])], axis=1)
    points = np.concatenate([rim, [(0.0, 0.0, -size[1]), (0.0, 0.0, size[1])]])
    here, there = np.arange(sides), (np.arange(sides) + 1) % sides
    base = np.stack([there, here, np.full(sides, sides)], axis=1)
    side = np.stack([here, there, np.full(sides, sides + 1)], axis=1)
    return points.astype(np.float64), np.concatenate([base, side]).astype(np.int32)


class Oracle:
    """A scene as a MuJoCo model of one static body; geom i is shape i, a cone has `sides` sides."""

    def __init__(self, scene: Scene, *, sides: int = 720) -> None:
        spec = mujoco.MjSpec()
        self._sides = sides
        for i in range(len(scene)):
            self._add(spec, scene, i)
        self.model = spec.compile()
        self.data = mujoco.MjData(self.model)
        mujoco.mj_forward(self.model, self.data)
        self.objects = scene.objects

    def cast(
        self, camera: Camera, width: int, height: int
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int32]]:
        """Distance along each pixel's ray (-1: nothing), world-frame normal and geom, row by row."""
        count = width * height
        rays = unit_rays(camera, width, height)
        distances, normals, geoms = np.zeros(count), np.zeros(3 * count), np.zeros(count, np.int32)
        mujoco.mj_multiRay(
            self.model,
            self.data,
            np.array(camera.position),
            rays.reshape(-1),
            None,
            1,
            -1,
            geoms,
            distances,
            normals,
            count,
            mujoco.mjMAXVAL,
        )
        return distances, normals, geoms

    def look(
        self, camera: Camera, width: int, height: int
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int32]]:
        """Depth along the axis, normals in the camera frame on the side that faces it, and object ids."""
        distances, flat, geoms = self.cast(camera, width, height)
        seen = distances >= 0.0
        rays = unit_rays(camera, width, height) @ matrix(camera.rotation)
        depth = np.where(seen, -rays[:, 2] * distances, np.inf)
        normals = flat.reshape(-1, 3) @ matrix(camera.rotation)
        normals *= -np.sign(np.sum(normals * rays, axis=1, keepdims=True))
        ids = np.where(seen, self.objects[geoms], -1)
        return depth.reshape(height, width), normals.reshape(height, width, 3), ids.reshape(height, width)

    def blocked(self, points: NDArray[np.float64], direction: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Whether something lies in that direction from each point, [N]."""
        geom = np.zeros(1, np.int32)
        return np.array(
            [
                mujoco.mj_ray(self.model, self.data, point, direction, None, 1, -1, geom, None) >= 0.0
                for point in points
            ]
        )

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
            points, faces = wedge_mesh(size) if kind == Kind.WEDGE else cone_mesh(size, self._sides)
        spec.add_mesh(
            name=f"mesh{i}",
            uservert=points.reshape(-1).tolist(),
            userface=faces.reshape(-1).tolist(),
            inertia=mujoco.mjtMeshInertia.mjMESH_INERTIA_SHELL,
        )
        spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_MESH, meshname=f"mesh{i}", **pose)


def unit_rays(camera: Camera, width: int, height: int) -> NDArray[np.float64]:
    """Directions of all pixels' rays in the world frame, row by row, [H * W, 3]."""
    fx, fy, cx, cy = camera.intrinsics(width, height)
    x = (np.arange(width) + 0.5 - cx) / fx
    y = (cy - np.arange(height) - 0.5) / fy
    rays = np.stack([*np.meshgrid(x, y), np.full((height, width), -1.0)], axis=-1).reshape(-1, 3)
    directions: NDArray[np.float64] = rays @ matrix(camera.rotation).T
    return directions / np.linalg.norm(directions, axis=1, keepdims=True)
