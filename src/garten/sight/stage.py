"""A scene on the device, and the cameras that look at it.

A world shares the arrays that do not change between the scenes of an episode. A `Stage` is made once from
those arrays; for each later scene only the poses are written. Its launches are recorded, so that drawing a
frame costs a few microseconds of Python.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from garten import devices
from garten.scene import Camera, HeightField, Light, Mesh, Scene
from garten.sight import kernels, shapes
from garten.sight.buffer import Buffer
from garten.sight.geometry import ENDLESS, bounds, matrix, sun_frame

if TYPE_CHECKING:
    from garten.sight.wardrobe import Wardrobe

wp = devices.init_warp()

STATIC = ("kinds", "sizes", "materials", "objects", "assets", "colors", "meshes", "height_fields")
"""The fields of a scene that a stage is made from."""


class Eye:
    """One camera at one image size: the shapes placed before it and listed by screen tile."""

    def __init__(self, stage: Stage, width: int, height: int) -> None:
        device, count = stage.device, len(stage.scene)
        self._size = (width, height)
        self._device = device
        self.columns = -(-width // kernels.TILE)
        tiles = self.columns * -(-height // kernels.TILE)

        self._turn = Buffer(1, wp.mat33, device)
        self._position = Buffer(1, wp.vec3, device)
        self._focal = Buffer(1, wp.vec3, device)
        self.lens = kernels.Lens()
        self.lens.turn = self._turn.array
        self.lens.position = self._position.array
        self.lens.focal = self._focal.array

        self.view = kernels.View()
        self.view.turns = wp.zeros(count, dtype=wp.mat33, device=device)
        self.view.eyes = wp.zeros(count, dtype=wp.vec3, device=device)
        self.view.nears = wp.zeros(count, dtype=float, device=device)
        self.view.outlines = wp.zeros(count, dtype=wp.vec4, device=device)
        self.view.order = wp.zeros(count, dtype=int, device=device)

        self.tiles = kernels.Tiles()
        self.tiles.counts = wp.zeros(tiles, dtype=int, device=device)
        self.tiles.lists = wp.zeros((tiles, max(count, 1)), dtype=int, device=device)
        grid = wp.array([(0.0, 0.0, kernels.TILE, kernels.TILE)], dtype=wp.vec4, device=device)
        inputs = [self.view.outlines, self.view.order, grid, self.columns]
        self._place = _record(kernels.place_shapes, count, [stage.shapes, self.lens, self.view], device)
        self._sort = _record(kernels.sort_shapes, count, [self.view], device)
        self._list = _record(
            kernels.list_shapes, tiles, [*inputs, self.tiles.counts, self.tiles.lists], device
        )
        self._draws: dict[str, tuple[Callable[[], None], list[Buffer]]] = {}

    def place(self, camera: Camera) -> None:
        """Place the shapes of the stage before `camera`."""
        fx, _, cx, cy = camera.intrinsics(*self._size)
        self._turn.write(matrix(camera.rotation))
        self._position.write(camera.position)
        self._focal.write((fx, cx, cy))
        self._place()

    def sort(self) -> None:
        """List the placed shapes for each screen tile, near ones first."""
        self._sort()
        self._list()

    def draw(self, kernel: Any, inputs: list[Any], outputs: tuple[Any, ...]) -> list[NDArray[Any]]:
        """Run a drawing kernel over all pixels; a copy of each output, one for each dtype in `outputs`.

        The first launch of a kernel is recorded with its `inputs`, which must be the same ever after.
        """
        if kernel.key not in self._draws:
            width, height = self._size
            buffers = [Buffer((height, width), dtype, self._device) for dtype in outputs]
            arguments = [*inputs, *(buffer.array for buffer in buffers)]
            self._draws[kernel.key] = (_record(kernel, (height, width), arguments, self._device), buffers)
        launch, buffers = self._draws[kernel.key]
        launch()
        return [buffer.read() for buffer in buffers]


class Stage:
    """The device copy of all scenes that share their static arrays with `scene`."""

    def __init__(self, scene: Scene, meshes: list[Any], device: str) -> None:
        """`meshes` holds a ``wp.Mesh`` for each of the scene's meshes."""
        self.device = device
        self.scene = scene
        self._meshes = meshes  # keeps the search trees alive
        self._eyes: dict[tuple[int, int, int], Eye] = {}
        self._lit = False  # whether `shade` is up to date with `scene`
        self._most_soft = 0.0
        self._make_shapes(scene)
        self._make_lamp()
        self._make_shade(len(scene))
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

    @cached_property
    def wardrobe(self) -> Wardrobe:
        """What the shapes wear in the `photo` look."""
        from garten.sight.wardrobe import Wardrobe  # its kernels are only loaded where they are wanted

        return Wardrobe(self.scene.materials, self.device)

    def soften(self, softness: float) -> None:
        """Have the sun's grid leave room for shadows of a sun whose radius has this tangent, or more."""
        if softness > self._most_soft:
            self._softness.write(softness)
            self._most_soft = softness
            self._lit = False

    def light(self) -> None:
        """List the shapes over the sun's grid, if that was not done for this scene."""
        if not self._lit:
            for launch in self._light:
                launch()
            self._lit = True

    def eye(self, width: int, height: int, slot: int = 0) -> Eye:
        """The stage's camera of this image size; `slot` tells apart two that are needed at once."""
        key = (width, height, slot)
        if key not in self._eyes:
            self._eyes[key] = Eye(self, width, height)
        return self._eyes[key]

    def _make_shapes(self, scene: Scene) -> None:
        """Upload what does not change, and make room for the poses."""
        device, count = self.device, len(scene)
        lows, highs = bounds(scene)
        self._positions = Buffer(count, wp.vec3, device)
        self._rotations = Buffer(count, wp.vec4, device)
        self.shapes = kernels.Shapes()
        self.shapes.kinds = wp.array(scene.kinds, dtype=int, device=device)
        self.shapes.sizes = wp.array(scene.sizes, dtype=wp.vec3, device=device)
        self.shapes.objects = wp.array(scene.objects, dtype=int, device=device)
        self.shapes.asset = wp.array(scene.assets, dtype=int, device=device)
        self.shapes.colors = wp.array(scene.colors[scene.materials], dtype=wp.vec3, device=device)
        reaches = np.linalg.norm(np.maximum(np.abs(lows), np.abs(highs)), axis=1)
        self.shapes.reaches = wp.array(np.minimum(reaches, ENDLESS), dtype=float, device=device)
        self.shapes.lows = wp.array(lows, dtype=wp.vec3, device=device)
        self.shapes.highs = wp.array(highs, dtype=wp.vec3, device=device)
        self.shapes.positions = self._positions.array
        self.shapes.rotations = self._rotations.array
        self.assets = _assets(scene.height_fields, self._meshes, device)

    def _make_lamp(self) -> None:
        """Make room for sun and sky."""
        self._frame = Buffer(1, wp.mat33, self.device)
        self._ambient = Buffer(1, float, self.device)
        self._softness = Buffer(1, float, self.device)
        self._sky = Buffer(1, wp.vec3, self.device)
        self._horizon = Buffer(1, wp.vec3, self.device)
        self.lamp = kernels.Lamp()
        self.lamp.frame = self._frame.array
        self.lamp.ambient = self._ambient.array
        self.lamp.softness = self._softness.array
        self.lamp.sky = self._sky.array
        self.lamp.horizon = self._horizon.array

    def _make_shade(self, count: int) -> None:
        """Make room for the shapes as the sun sees them, and record how they come there."""
        device, cells = self.device, kernels.SUN_CELLS**2
        self.shade = kernels.Shade()
        self.shade.turns = wp.zeros(count, dtype=wp.mat33, device=device)
        self.shade.spans = wp.zeros(count, dtype=wp.vec2, device=device)
        self.shade.suns = wp.zeros(count, dtype=wp.vec3, device=device)
        self.shade.tops = wp.zeros(count, dtype=float, device=device)
        self.shade.outlines = wp.zeros(count, dtype=wp.vec4, device=device)
        self.shade.grid = wp.zeros(1, dtype=wp.vec4, device=device)
        self.shade.counts = wp.zeros(cells, dtype=int, device=device)
        self.shade.lists = wp.zeros((cells, max(count, 1)), dtype=int, device=device)
        order = wp.array(np.arange(count), dtype=int, device=device)
        inputs = [self.shade.outlines, order, self.shade.grid, kernels.SUN_CELLS]
        self._light = [
            _record(kernels.place_shades, count, [self.shapes, self.lamp, self.shade], device),
            _record(kernels.fit_sun_grid, 1, [self.lamp, self.shade], device),
            _record(kernels.list_shapes, cells, [*inputs, self.shade.counts, self.shade.lists], device),
        ]

    def _write_poses(self, scene: Scene) -> None:
        self._positions.write(scene.positions)
        self._rotations.write(scene.rotations)
        self._lit = False

    def _write_light(self, light: Light) -> None:
        self._frame.write(sun_frame(light))
        self._ambient.write(light.ambient)
        self._sky.write(light.sky)
        self._horizon.write(light.horizon)
        self._lit = False


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
    flat = np.concatenate([item.reshape(-1) for item in heights]) if heights else np.zeros(0, np.float32)
    assets = shapes.Assets()
    assets.meshes = wp.array([mesh.id for mesh in meshes], dtype=wp.uint64, device=device)
    assets.grids = wp.array(grids, dtype=wp.vec3i, device=device)
    assets.ranges = wp.array(ranges, dtype=wp.vec2, device=device)
    assets.heights = wp.array(flat, dtype=float, device=device)
    return assets


def _record(kernel: Any, dim: int | tuple[int, ...], arguments: list[Any], device: str) -> Callable[[], None]:
    """A launch that can be repeated without packing its arguments again."""
    recorded = wp.launch(kernel, dim=dim, inputs=arguments, device=device, record_cmd=True)
    launch: Callable[[], None] = recorded.launch if recorded else _nothing
    return launch


def _nothing() -> None:
    """The launch over no elements, for which Warp records nothing."""
