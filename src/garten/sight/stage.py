"""A scene on the device, and the cameras that look at it.

A world shares the arrays that do not change between the scenes of an episode. A `Stage` is made once from
those arrays; for each later scene only the poses are written. Its launches are recorded, so that drawing a
frame costs a few microseconds of Python.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from garten import devices
from garten.scene import Camera, HeightField, Kind, Light, Mesh, Scene
from garten.sight import kernels, shapes

wp = devices.init_warp()

ENDLESS = 1.0e30
"""Bounds of what has no end, metres."""

STATIC = ("kinds", "sizes", "materials", "objects", "assets", "colors", "meshes", "height_fields")
"""The fields of a scene that a stage is made from."""


class Buffer:
    """A device array that is written and read as a numpy array."""

    def __init__(self, shape: int | tuple[int, ...], dtype: Any, device: str) -> None:
        self.array = wp.zeros(shape, dtype=dtype, device=device)
        self._host: NDArray[Any] | None = self.array.numpy() if self.array.device.is_cpu else None

    def write(self, values: ArrayLike) -> None:
        """Copy `values` to the device."""
        if self._host is None:
            self.array.assign(values)
        else:
            self._host[...] = values

    def read(self) -> NDArray[Any]:
        """A copy of the values on the device, for the caller to keep."""
        if self._host is None:
            copied: NDArray[Any] = self.array.numpy()
            return copied
        return self._host.copy()


class Eye:
    """One camera at one image size: the shapes placed before it and listed by screen tile."""

    def __init__(self, stage: Stage, width: int, height: int) -> None:
        device, count = stage.device, len(stage.scene)
        self._size = (width, height)
        self.columns = -(-width // kernels.TILE)
        tiles = self.columns * -(-height // kernels.TILE)

        self._turn = Buffer(1, wp.mat33, device)
        self._position = Buffer(1, wp.vec3, device)
        self._focal = Buffer(1, wp.vec3, device)
        self.lens: Any = kernels.Lens()
        self.lens.turn = self._turn.array
        self.lens.position = self._position.array
        self.lens.focal = self._focal.array

        self.view: Any = kernels.View()
        self.view.turns = wp.zeros(count, dtype=wp.mat33, device=device)
        self.view.eyes = wp.zeros(count, dtype=wp.vec3, device=device)
        self.view.nears = wp.zeros(count, dtype=float, device=device)
        self.view.outlines = wp.zeros(count, dtype=wp.vec4, device=device)
        self.view.order = wp.zeros(count, dtype=int, device=device)

        self.tiles: Any = kernels.Tiles()
        self.tiles.counts = wp.zeros(tiles, dtype=int, device=device)
        self.tiles.lists = wp.zeros((tiles, max(count, 1)), dtype=int, device=device)
        grid = wp.array([(0.0, 0.0, kernels.TILE, kernels.TILE)], dtype=wp.vec4, device=device)
        self._place = _record(kernels.place_shapes, count, [stage.shapes, self.lens, self.view], device)
        self._list = [
            _record(kernels.sort_shapes, count, [self.view], device),
            _record(
                kernels.list_shapes,
                tiles,
                [
                    self.view.outlines,
                    self.view.order,
                    grid,
                    self.columns,
                    self.tiles.counts,
                    self.tiles.lists,
                ],
                device,
            ),
        ]
        self._draws: dict[Any, tuple[Any, list[Buffer], list[Any]]] = {}

    def place(self, camera: Camera) -> None:
        """Place the shapes of the stage before `camera`."""
        turn = matrix(camera.rotation)
        fx, _, cx, cy = camera.intrinsics(*self._size)
        self._turn.write(turn)
        self._position.write(camera.position)
        self._focal.write((fx, cx, cy))
        self._place()

    def sort(self) -> None:
        """List the placed shapes for each screen tile, near ones first."""
        for launch in self._list:
            launch()

    def draw(self, kernel: Any, inputs: list[Any], outputs: tuple[Any, ...]) -> list[NDArray[Any]]:
        """Run a drawing kernel over all pixels; a copy of each output, one for each dtype in `outputs`."""
        key = (kernel.key, *(id(item) for item in inputs))
        if key not in self._draws:
            width, height = self._size
            device = str(self.tiles.counts.device)
            buffers = [Buffer((height, width), dtype, device) for dtype in outputs]
            arguments = [*inputs, *(buffer.array for buffer in buffers)]
            self._draws[key] = (_record(kernel, (height, width), arguments, device), buffers, inputs)
        launch, buffers, _ = self._draws[key]
        launch()
        return [buffer.read() for buffer in buffers]


class Stage:
    """The device copy of all scenes that share their static arrays with `scene`."""

    def __init__(self, scene: Scene, meshes: list[Any], device: str) -> None:
        """`meshes` holds a ``wp.Mesh`` for each of the scene's meshes."""
        self.device = device
        self.scene = scene
        self.lit = False  # whether `shade` is up to date with `scene`
        self._eyes: dict[tuple[int, int, int], Eye] = {}
        self._meshes = meshes  # keeps the search trees alive
        count = len(scene)

        self._positions = Buffer(count, wp.vec3, device)
        self._rotations = Buffer(count, wp.vec4, device)
        self.shapes: Any = kernels.Shapes()
        self.shapes.kinds = wp.array(scene.kinds, dtype=int, device=device)
        self.shapes.sizes = wp.array(scene.sizes, dtype=wp.vec3, device=device)
        self.shapes.objects = wp.array(scene.objects, dtype=int, device=device)
        self.shapes.asset = wp.array(scene.assets, dtype=int, device=device)
        self.shapes.colors = wp.array(scene.colors[scene.materials], dtype=wp.vec3, device=device)
        lows, highs = bounds(scene)
        self.shapes.lows = wp.array(lows, dtype=wp.vec3, device=device)
        self.shapes.highs = wp.array(highs, dtype=wp.vec3, device=device)
        self.shapes.positions = self._positions.array
        self.shapes.rotations = self._rotations.array
        self.assets = _assets(scene.height_fields, meshes, device)

        self._frame = Buffer(1, wp.mat33, device)
        self._ambient = Buffer(1, float, device)
        self._sky = Buffer(1, wp.vec3, device)
        self._horizon = Buffer(1, wp.vec3, device)
        self.lamp: Any = kernels.Lamp()
        self.lamp.frame = self._frame.array
        self.lamp.ambient = self._ambient.array
        self.lamp.sky = self._sky.array
        self.lamp.horizon = self._horizon.array

        cells = kernels.SUN_CELLS**2
        self.shade: Any = kernels.Shade()
        self.shade.turns = wp.zeros(count, dtype=wp.mat33, device=device)
        self.shade.suns = wp.zeros(count, dtype=wp.vec3, device=device)
        self.shade.tops = wp.zeros(count, dtype=float, device=device)
        self.shade.outlines = wp.zeros(count, dtype=wp.vec4, device=device)
        self.shade.order = wp.array(np.arange(count), dtype=int, device=device)
        self.shade.grid = wp.zeros(1, dtype=wp.vec4, device=device)
        self.shade.counts = wp.zeros(cells, dtype=int, device=device)
        self.shade.lists = wp.zeros((cells, max(count, 1)), dtype=int, device=device)
        lists = [self.shade.outlines, self.shade.order, self.shade.grid, kernels.SUN_CELLS]
        self._light = [
            _record(kernels.place_shades, count, [self.shapes, self.lamp, self.shade], device),
            _record(kernels.fit_sun_grid, 1, [self.shade], device),
            _record(kernels.list_shapes, cells, [*lists, self.shade.counts, self.shade.lists], device),
        ]
        self._write_poses(scene)
        self._write_light(scene.light)

    def fits(self, scene: Scene) -> bool:
        """Whether `scene` shares its static arrays with the stage."""
        return all(getattr(scene, name) is getattr(self.scene, name) for name in STATIC)

    def hold(self, scene: Scene) -> None:
        """Bring the device up to date with `scene`, which `fits`."""
        if scene is self.scene:
            return
        self._write_poses(scene)
        if scene.light is not self.scene.light:
            self._write_light(scene.light)
        self.scene = scene
        self.lit = False

    def light(self) -> None:
        """List the shapes over the sun's grid, if that was not done for this scene."""
        if not self.lit:
            for launch in self._light:
                launch()
            self.lit = True

    def eye(self, width: int, height: int, slot: int = 0) -> Eye:
        """The stage's camera of this image size; `slot` tells apart two that are needed at once."""
        key = (width, height, slot)
        if key not in self._eyes:
            self._eyes[key] = Eye(self, width, height)
        return self._eyes[key]

    def _write_poses(self, scene: Scene) -> None:
        self._positions.write(scene.positions)
        self._rotations.write(scene.rotations)

    def _write_light(self, light: Light) -> None:
        self._frame.write(sun_frame(light))
        self._ambient.write(light.ambient)
        self._sky.write(light.sky)
        self._horizon.write(light.horizon)


def matrix(rotation: tuple[float, float, float, float]) -> NDArray[np.float64]:
    """The rotation matrix of a quaternion (w, x, y, z), [3, 3]; the quaternion is brought to unit length."""
    w, x, y, z = rotation
    scale = 2.0 / (w * w + x * x + y * y + z * z)
    return np.array(
        [
            [1.0 - scale * (y * y + z * z), scale * (x * y - w * z), scale * (x * z + w * y)],
            [scale * (x * y + w * z), 1.0 - scale * (x * x + z * z), scale * (y * z - w * x)],
            [scale * (x * z - w * y), scale * (y * z + w * x), 1.0 - scale * (x * x + y * y)],
        ]
    )


def sun_frame(light: Light) -> NDArray[np.float64]:
    """Rows: two unit axes across the sun's direction, and the unit direction towards the sun, [3, 3]."""
    sun = np.asarray(light.sun, np.float64)
    sun = sun / np.linalg.norm(sun)
    aside = np.cross(sun, (0.0, 0.0, 1.0) if abs(sun[2]) < 0.99 else (0.0, 1.0, 0.0))
    aside = aside / np.linalg.norm(aside)
    return np.stack([aside, np.cross(sun, aside), sun])


def bounds(scene: Scene) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The bounding boxes of all shapes in their own frames: lows and highs, each [S, 3], metres."""
    highs = np.abs(scene.sizes.astype(np.float64))
    for kind in (Kind.SPHERE, Kind.CAPSULE, Kind.CYLINDER, Kind.CONE):
        here = scene.kinds == kind
        radius, half = highs[here, 0], highs[here, 1]
        tall = {Kind.SPHERE: radius, Kind.CAPSULE: half + radius}.get(kind, half)
        highs[here] = np.stack([radius, radius, tall], axis=1)
    flat = scene.kinds == Kind.PLANE
    highs[flat] = np.where(highs[flat] > 0.0, highs[flat], ENDLESS)
    highs[flat, 2] = 0.0
    lows = -highs
    for i in np.flatnonzero(scene.kinds == Kind.HEIGHT_FIELD):
        heights = scene.height_fields[scene.assets[i]].heights * scene.sizes[i, 2]
        lows[i, 2], highs[i, 2] = heights.min(), heights.max()
    for i in np.flatnonzero(scene.kinds == Kind.MESH):
        vertices = scene.meshes[scene.assets[i]].vertices * scene.sizes[i]
        lows[i], highs[i] = vertices.min(axis=0), vertices.max(axis=0)
    return lows, highs


def search_tree(mesh: Mesh, device: str) -> Any:
    """A ``wp.Mesh`` that rays can be sent at."""
    points = wp.array(mesh.vertices, dtype=wp.vec3, device=device)
    indices = wp.array(np.ascontiguousarray(mesh.triangles).reshape(-1), dtype=int, device=device)
    return wp.Mesh(points, indices)


def _assets(fields: tuple[HeightField, ...], meshes: list[Any], device: str) -> Any:
    """Meshes and height fields as the kernels want them."""
    heights = [np.ascontiguousarray(field.heights, np.float32) for field in fields]
    firsts = np.cumsum([0, *(item.size for item in heights)])
    grids = [(first, *item.shape) for first, item in zip(firsts, heights, strict=False)]
    ranges = [(item.min(), item.max()) for item in heights]
    assets = shapes.Assets()
    assets.meshes = wp.array([mesh.id for mesh in meshes], dtype=wp.uint64, device=device)
    assets.grids = wp.array(grids, dtype=wp.vec3i, device=device)
    assets.ranges = wp.array(ranges, dtype=wp.vec2, device=device)
    flat = np.concatenate([item.reshape(-1) for item in heights]) if heights else np.zeros(0, np.float32)
    assets.heights = wp.array(flat, dtype=float, device=device)
    return assets


def _record(kernel: Any, dim: int | tuple[int, ...], arguments: list[Any], device: str) -> Callable[[], None]:
    """A launch that can be repeated without packing its arguments again."""
    recorded = wp.launch(kernel, dim=dim, inputs=arguments, device=device, record_cmd=True)
    return recorded.launch if recorded else _nothing  # Warp records nothing over no elements


def _nothing() -> None:
    """The launch over no elements."""
