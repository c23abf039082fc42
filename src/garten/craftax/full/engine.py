"""Craftax on many lanes. `garten.craftax.env` puts faces on it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from garten import devices
from garten.craftax import host_keys, streams
from garten.craftax.columns import Columns
from garten.craftax.crew import Shard
from garten.craftax.engine import Engine
from garten.craftax.full import natural, ops_run, step, worldgen
from garten.craftax.full.exchange import EXCHANGE, Exchange
from garten.craftax.full.floors import FLOOR_PLANS, plans
from garten.craftax.full.observe import codes, legend, pixels, symbolic
from garten.craftax.full.observe.text import describe
from garten.craftax.full.ops import Rows
from garten.craftax.full.programs import pack
from garten.craftax.full.rulebook import RULES, SETTINGS
from garten.craftax.full.state import STATE, Plans, Rules, Settings, State
from garten.craftax.full.tables import FLOORS, NOISE_NODES, NOISES, TILES, VIEW_COLUMNS, VIEW_ROWS, Action
from garten.craftax.host_keys import Keys, Stream

_PROGRAM_SECONDS = 6

_DRAWING = {(step.step, step.next_keys): 20, (worldgen.make_worlds, worldgen.open_floors): 15}
"""Kernels that draw, by module, and seconds to compile them."""

_LOOKING = {codes.__name__: 3, symbolic.__name__: 2}
"""The other modules."""


class FullEngine(Engine):
    """The lanes of one Craftax environment.

    Cells are [lanes, 9, 11, 8], numbers [lanes, 51], symbolic [lanes, 8268], pixels
    [lanes, 13 * tile, 11 * tile, 3].

    Attributes:
        plans: what the floors are made from, nine rows for each rule table.
    """

    nodes = NOISE_NODES
    actions = Action
    stepper = step
    coder = codes
    translator = symbolic
    painter = pixels
    before_step = ("open_floors",)

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
        self.plans = Columns(Plans, FLOOR_PLANS, rows=tables * FLOORS, device=device)
        for name, values in plans().items():
            self.plans.array(name).assign(
                np.concatenate([values] * tables).astype(self.plans.read(name).dtype)
            )
        self.cells = wp.zeros((lanes, VIEW_ROWS, VIEW_COLUMNS, codes.CELL), dtype=wp.uint8, device=device)
        self.numbers = wp.zeros((lanes, codes.NUMBERS), dtype=float, device=device)
        self.final_cells = wp.zeros_like(self.cells)
        self.final_numbers = wp.zeros_like(self.numbers)
        self.symbolic = wp.zeros((lanes, symbolic.SYMBOLIC), dtype=float, device=device)
        self._programs = pack([], device)
        self._rooms = self._benches(natural.Workbench, len(NOISES), TILES)
        self._launchers |= {
            "programs": lambda shard: self._run_programs(shard, only_over=False),
            "programs_over": lambda shard: self._run_programs(shard, only_over=True),
            "open_floors": lambda shard: self._floors(shard, all_chosen=False),
            "all_floors": lambda shard: self._floors(shard, all_chosen=True),
        }

    @property
    def tables(self) -> dict[str, int]:
        """How many rows each table has; see `Engine.tables`."""
        return super().tables | {"program": self._programs.first_variant.shape[0] - 1}

    def give_programs(self, programs: Sequence[Sequence[Rows]]) -> None:
        """Replace the programs; lanes choose one by their setting `program`, run on each of their new worlds.

        Args:
            programs: each one or more variants, int32 [rows, `WIDTH`]; `garten.craftax.full.ops` says how.

        Raises:
            ValueError: a program is wrong, or a lane has chosen one that would be gone.
        """
        self._check_kept("program", len(programs))
        packed = pack(programs, self.device)
        devices.load_kernels(ops_run.__name__, device=self.device, seconds=_PROGRAM_SECONDS)
        self._programs = packed
        self.reset_plan = ("reset", "programs")
        self.reset_over_plan = ("reset_over", "programs_over")
        self._crew.forget()

    def lane_keys(self, keys: Keys) -> tuple[Keys, Keys]:
        """A world takes the second half of the key; see `Engine.lane_keys`."""
        halves = host_keys.split(keys, stream=self.stream)
        return halves[:, 1], halves[:, 0]

    def highs(self) -> tuple[tuple[int, ...], npt.NDArray[np.float32]]:
        """The greatest values of codes; see `Engine.highs`."""
        return legend.CELL_HIGHS, legend.number_highs(int(self.rules.read("item_limit").max()))

    def text(self, lane: int) -> str:
        """A lane in words; see `Engine.text`."""
        state = self.state.row(lane)
        cells, numbers = (part[lane : lane + 1].numpy()[0] for part in (self.cells, self.numbers))
        return describe(cells, numbers, state)

    def _reset(self, shard: Shard, *, only_over: bool) -> Any:
        return self._make(worldgen.make_worlds, shard, only_over, [self._programs])

    def _run_programs(self, shard: Shard, *, only_over: bool) -> Any:
        tables = [self.settings.struct, self.rules.struct, self._programs]
        work = [shard.first, only_over, *tables, self.exchange.struct, self.state.struct]
        return self._record(ops_run.run_programs, shard.count, work)

    def _floors(self, shard: Shard, *, all_chosen: bool) -> Any:
        return self._make(worldgen.open_floors, shard, all_chosen, [])

    def _make(self, kernel: Any, shard: Shard, which: bool, more: list[Any]) -> Any:
        tables = [
            self._stream_key,
            self.angles,
            self.settings.struct,
            self.rules.struct,
            self.plans.struct,
            *more,
        ]
        work = [shard.first, shard.count, self._workers, which, *tables, self.exchange.struct]
        return self._record_draw(kernel, self._workers, [*work, self._rooms[shard.index], self.state.struct])

    def complete(self, lane: int) -> None:
        """Make the floors that a lane still lacks, so that its state is whole."""
        chosen = np.zeros(self.lanes, bool)
        chosen[lane] = True
        self.exchange.array("chosen").assign(chosen)
        self.run("all_floors")
