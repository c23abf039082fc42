"""What the engines of both games share: lanes' arrays, threads, and launches by name."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from enum import IntEnum
from typing import Any

import numpy as np
import numpy.typing as npt

from garten import devices
from garten.craftax import streams
from garten.craftax.columns import Columns
from garten.craftax.crew import Crew, Shard
from garten.craftax.host_keys import Keys, Stream
from garten.craftax.noise import STRIP, Strip

_GPU_WORKERS = 1024
"""Worlds that a GPU makes at once."""

_PIXEL_SECONDS = 3

_LARGEST_TILE = 512
"""Pixels along a tile's side: a picture is then larger than 4K video's."""

Launcher = Callable[[Shard], Any]


class Engine(ABC):
    """The lanes of one environment; each game adds its arrays and launches.

    Attributes:
        lanes: how many there are.
        device: a Warp device name.
        stream: which random stream it draws from.
        state: what each lane's world, player and creatures are.
        settings: what each lane sets for itself.
        rules: the rule tables, of which each lane plays by one.
        exchange: actions and keys in; rewards, endings and finished episodes out.
        angles: float32 [rows, nodes], noise angles that lanes may be given, as shares of the full turn.
        cells: uint8, the codes of the view.
        numbers: float32 [lanes, numbers of the body].
        final_cells: the same of each lane's last finished episode, at its end.
        final_numbers: the same.
        symbolic: float32 [lanes, numbers], the original's observation.
        pixels: uint8 [lanes, height, width, 3], pictures; none before `use_pixels`.
        actions: what a lane can do in a step.
        stepper: the module of a step: its kernels `step` and `next_keys`.
        coder: the module of the codes: its kernel `observe_codes`.
        translator: the module that makes the original's observation of codes: its kernel `observe_symbolic`.
        painter: the module that draws the pictures: its `ROWS` and `COLUMNS` of tiles, `atlas` and kernel
            `observe_pixels`.
        nodes: of the four noises' grids.
        before_step: launches that a step needs to run before it.
        reset_plan: launches that give chosen lanes new worlds.
        reset_over_plan: launches that give lanes whose episode is over new worlds.
    """

    state: Columns
    settings: Columns
    rules: Columns
    exchange: Columns
    cells: Any
    numbers: Any
    final_cells: Any
    final_numbers: Any
    symbolic: Any
    pixels: Any = None
    actions: type[IntEnum]
    stepper: Any
    coder: Any
    translator: Any
    painter: Any
    nodes: tuple[int, ...]
    before_step: tuple[str, ...] = ()
    reset_plan: tuple[str, ...] = ("reset",)
    reset_over_plan: tuple[str, ...] = ("reset_over",)

    def __init__(self, lanes: int, *, device: str, threads: int, stream: Stream) -> None:
        """Deal the lanes to the threads; see `run` for what the lanes then do."""
        wp = devices.init_warp()
        streams.check(stream)
        self.lanes = lanes
        self.device = device
        self.stream: Stream = stream
        self._stream_key = streams.some_key(stream)
        self._crew = Crew(lanes, threads)
        on_cpu = wp.get_device(device).is_cpu
        self._workers = 1 if on_cpu else min(lanes, _GPU_WORKERS)
        self.angles = wp.zeros((1, sum(self.nodes)), dtype=float, device=device)
        self._tile = 0
        self._atlas: Any = None
        self._launchers: dict[str, Launcher] = {
            "own_keys": self._own_keys,
            "step": lambda shard: self._step(shard, first_half=False),
            "step_first_half": lambda shard: self._step(shard, first_half=True),
            "reset": lambda shard: self._reset(shard, only_over=False),
            "reset_over": lambda shard: self._reset(shard, only_over=True),
            "codes": lambda shard: self._codes(shard, False, self.cells, self.numbers),
            "final_codes": lambda shard: self._codes(shard, True, self.final_cells, self.final_numbers),
            "symbolic": self._symbolic,
            "pixels": self._pixels,
        }

    def run(self, *plan: str) -> None:
        """Run these launches over all lanes, in order.

        ``own_keys`` draws each lane's step key from the key it carries; ``step`` steps with the key as it is,
        ``step_first_half`` with the first half of it; ``reset`` makes the worlds of the lanes that
        `exchange` marks as chosen, from their keys; ``reset_over`` those of the lanes whose episode is over,
        from the second half; ``codes``, ``final_codes``, ``symbolic`` and ``pixels`` observe, the last two
        what ``codes`` has seen. In Craftax, ``programs`` and ``programs_over`` run programs on the worlds
        made so, ``open_floors`` makes the floors about to be entered, ``all_floors`` all that chosen lanes
        lack.
        """
        self._crew.run(plan, lambda name, shard: self._launchers[name](shard))

    def run_afresh(self, *plan: str) -> None:
        """The same after arrays were replaced."""
        self._crew.forget()
        self.run(*plan)

    @property
    def tables(self) -> dict[str, int]:
        """How many rows each table has that settings of the same name choose a row of."""
        return {"rules": self.rules.rows, "angles": self.angles.shape[0]}

    @property
    def bytes_per_lane(self) -> int:
        """Memory that a lane takes: its row of all columns, and its part of the buffers of observations."""
        rows = sum(columns.bytes_per_row for columns in (self.state, self.settings, self.exchange))
        names = ("cells", "numbers", "final_cells", "final_numbers", "symbolic", "pixels")
        buffers = (getattr(self, name) for name in names)
        seen = sum(int(buffer.capacity) for buffer in buffers if buffer is not None)
        return rows + seen // self.lanes

    @abstractmethod
    def lane_keys(self, keys: Keys) -> tuple[Keys, Keys]:
        """The keys of the lanes' worlds, and those that the lanes carry.

        Args:
            keys: [lanes, 2], as the original's reset gets them.
        """

    @abstractmethod
    def complete(self, lane: int) -> None:
        """See to it that a lane's state is whole."""

    def use_pixels(self, tile: int) -> None:
        """Make the buffer of pictures, with tiles of so many pixels.

        Raises:
            ValueError: the tile is too small or too large.
        """
        if tile < 4:
            raise ValueError(f"Tiles of {tile} pixels show nothing; give at least 4.")
        if tile > _LARGEST_TILE:
            raise ValueError(f"Tiles of {tile} pixels fit no picture; give at most {_LARGEST_TILE}.")
        wp = devices.init_warp()
        devices.load_kernels(self.painter.__name__, device=self.device, seconds=_PIXEL_SECONDS)
        shape = (self.lanes, self.painter.ROWS * tile, self.painter.COLUMNS * tile, 3)
        self._tile = tile
        self._atlas = wp.array(self.painter.atlas(tile), dtype=wp.uint8, device=self.device)
        self.pixels = wp.zeros(shape, dtype=wp.uint8, device=self.device)
        self._crew.forget()

    @abstractmethod
    def highs(self) -> tuple[tuple[int, ...], npt.NDArray[np.float32]]:
        """The greatest values of a cell's bytes and of the body's numbers by the rules; the least are 0."""

    @abstractmethod
    def text(self, lane: int) -> str:
        """What the player of a lane perceives, in words, as last observed.

        Raises:
            IndexError: there is no such lane.
        """

    def give_angles(self, angles: npt.NDArray[np.float32]) -> None:
        """Replace the table of noise angles; lanes choose a row of it by their setting `angles`.

        Args:
            angles: [rows, nodes of the four grids one after the other], shares of the full turn.

        Raises:
            ValueError: the shape is wrong, a number is not finite, or a lane has chosen a row that would be
                gone.
        """
        nodes = sum(self.nodes)
        if angles.ndim != 2 or angles.shape[0] < 1 or angles.shape[1] != nodes:
            raise ValueError(f"The angles have shape {angles.shape}; give them shape (rows, {nodes}).")
        if not np.isfinite(angles).all():
            raise ValueError("Some angles are not finite; give finite numbers.")
        self._check_kept("angles", angles.shape[0])
        wp = devices.init_warp()
        self.angles = wp.array(np.ascontiguousarray(angles, np.float32), dtype=float, device=self.device)
        self._crew.forget()

    def _check_kept(self, table: str, rows: int) -> None:
        """Refuse a table so short that a lane's choice would be gone."""
        chosen = int(self.settings.read(table).max())
        if chosen >= rows:
            raise ValueError(f"A lane has {table} {chosen}, past {rows} rows; change that setting first.")

    def _record(self, kernel: Any, threads: int, arguments: list[Any]) -> Any:
        wp = devices.init_warp()
        return wp.launch(kernel, dim=threads, inputs=arguments, device=self.device, record_cmd=True)

    def _record_draw(self, kernel: Any, threads: int, arguments: list[Any]) -> Any:
        return self._record(streams.compiled_for(kernel, self.stream), threads, arguments)

    def _own_keys(self, shard: Shard) -> Any:
        work = [shard.first, self._stream_key, self.exchange.struct]
        return self._record_draw(self.stepper.next_keys, shard.count, work)

    def _step(self, shard: Shard, *, first_half: bool) -> Any:
        tables = [self.settings.struct, self.rules.struct]
        work = [shard.first, first_half, self._stream_key, *tables, self.state.struct, self.exchange.struct]
        return self._record_draw(self.stepper.step, shard.count, work)

    @abstractmethod
    def _reset(self, shard: Shard, *, only_over: bool) -> Any:
        """The launch that makes worlds."""

    def _codes(self, shard: Shard, only_over: bool, cells: Any, numbers: Any) -> Any:
        tables = [self.settings.struct, self.rules.struct]
        work = [shard.first, only_over, *tables, self.exchange.struct, self.state.struct, cells, numbers]
        return self._record(self.coder.observe_codes, shard.count, work)

    def _symbolic(self, shard: Shard) -> Any:
        work = [shard.first, self.cells, self.numbers, self.symbolic]
        return self._record(self.translator.observe_symbolic, shard.count, work)

    def _pixels(self, shard: Shard) -> Any:
        work = [shard.first, self._tile, self._atlas, self.cells, self.state.struct, self.pixels]
        return self._record(self.painter.observe_pixels, shard.count, work)

    def _benches(self, bench: Any, layers: int, tiles: int) -> list[Any]:
        """For each shard, room for its workers to make worlds in."""
        wp = devices.init_warp()
        benches = [bench() for _ in self._crew.shards]
        for each in benches:
            each.directions = wp.zeros((self._workers, max(self.nodes)), dtype=wp.vec2, device=self.device)
            each.strips = wp.zeros((self._workers, layers, tiles // STRIP), dtype=Strip, device=self.device)
            each.noise = each.strips.view(float).reshape((self._workers, layers, tiles))
        return benches
