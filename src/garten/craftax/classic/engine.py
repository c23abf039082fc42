"""Craftax-Classic on many lanes. `garten.craftax.env` puts faces on it."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from garten import devices
from garten.craftax import host_keys, streams
from garten.craftax.classic import step, worldgen
from garten.craftax.classic.exchange import EXCHANGE, Exchange
from garten.craftax.classic.observe import codes, legend, pixels, symbolic
from garten.craftax.classic.observe.text import describe
from garten.craftax.classic.rulebook import RULES, SETTINGS
from garten.craftax.classic.state import STATE, Rules, Settings, State
from garten.craftax.classic.tables import (
    NOISE_NODES,
    NOISES,
    SYMBOLIC,
    TILES,
    VIEW_COLUMNS,
    VIEW_ROWS,
    Action,
)
from garten.craftax.columns import Columns
from garten.craftax.crew import Shard
from garten.craftax.engine import Engine
from garten.craftax.host_keys import Keys, Stream

_DRAWING = {(step.step, step.next_keys): 20, (worldgen.make_worlds,): 10}
"""Kernels that draw, by module, and seconds to compile them."""

_LOOKING = {codes.__name__: 3, symbolic.__name__: 2}
"""The other modules."""


class ClassicEngine(Engine):
    """The lanes of one Craftax-Classic environment.

    Cells are [lanes, 7, 9, 2], numbers [lanes, 22], symbolic [lanes, 1345], pixels
    [lanes, 9 * tile, 9 * tile, 3].
    """

    nodes = NOISE_NODES
    actions = Action
    stepper = step
    coder = codes
    translator = symbolic
    painter = pixels

    def __init__(
        self,
        lanes: int,
        *,
        device: str = "cpu",
        threads: int = 1,
        tables: int = 1,
        stream: Stream = "partitionable",
    ) -> None:
        """Make the arrays.

        Args:
            lanes: how many.
            device: a Warp device name.
            threads: CPU threads to run them on; a GPU needs one.
            tables: how many rule tables to hold; all hold the rules of 1.6.1 at first.
            stream: which random stream to draw from.
        """
        wp = devices.init_warp()
        super().__init__(lanes, device=device, threads=threads, stream=stream)
        for kernels, seconds in _DRAWING.items():
            streams.load(kernels, stream, device=device, seconds=seconds)
        for module, seconds in _LOOKING.items():
            devices.load_kernels(module, device=device, seconds=seconds)
        self.state = Columns(State, STATE, rows=lanes, device=device)
        self.settings = Columns(Settings, SETTINGS, rows=lanes, device=device)
        self.rules = Columns(Rules, RULES, rows=tables, device=device)
        self.exchange = Columns(Exchange, EXCHANGE, rows=lanes, device=device)
        self.cells = wp.zeros((lanes, VIEW_ROWS, VIEW_COLUMNS, 2), dtype=wp.uint8, device=device)
        self.numbers = wp.zeros((lanes, 22), dtype=float, device=device)
        self.final_cells = wp.zeros_like(self.cells)
        self.final_numbers = wp.zeros_like(self.numbers)
        self.symbolic = wp.zeros((lanes, SYMBOLIC), dtype=float, device=device)
        self._rooms = self._benches(worldgen.Workbench, len(NOISES), TILES)

    def lane_keys(self, keys: Keys) -> tuple[Keys, Keys]:
        """A world takes the whole key; see `Engine.lane_keys`."""
        return keys, host_keys.apart(keys)

    def complete(self, lane: int) -> None:
        """Nothing is left to do: all of a world is made at once."""

    def highs(self) -> tuple[tuple[int, ...], npt.NDArray[np.float32]]:
        """The greatest values of codes; see `Engine.highs`."""
        limits = (int(self.rules.read(name).max()) for name in ("item_limit", "stat_limit"))
        return legend.CELL_HIGHS, legend.number_highs(*limits, fixed=bool(self.rules.read("fixed").any()))

    def text(self, lane: int) -> str:
        """A lane in words; see `Engine.text`."""
        state = self.state.row(lane)
        return describe(self.cells[lane : lane + 1].numpy()[0], state)

    def _reset(self, shard: Shard, *, only_over: bool) -> Any:
        tables = [self._stream_key, self.angles, self.settings.struct, self.rules.struct]
        work = [shard.first, shard.count, self._workers, only_over, *tables, self.exchange.struct]
        room = self._rooms[shard.index]
        return self._record_draw(worldgen.make_worlds, self._workers, [*work, room, self.state.struct])
