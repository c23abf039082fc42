"""Craftax-Classic on many lanes: the arrays, and the launches that step, reset and observe them.

`garten.craftax.env` puts faces on it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from garten import devices
from garten.craftax.classic import step, worldgen
from garten.craftax.classic.exchange import EXCHANGE, Exchange
from garten.craftax.classic.observe import codes, pixels, symbolic
from garten.craftax.classic.rulebook import RULES, SETTINGS
from garten.craftax.classic.state import STATE, Rules, Settings, State
from garten.craftax.classic.tables import NOISE_NODES, NOISES, SYMBOLIC, TILES, VIEW_COLUMNS, VIEW_ROWS
from garten.craftax.columns import Columns
from garten.craftax.crew import Crew, Shard
from garten.craftax.noise import STRIP, Strip

_GPU_WORKERS = 1024
"""Worlds that a GPU makes at once."""

_COMPILE_SECONDS = {step.__name__: 20, worldgen.__name__: 10, codes.__name__: 3, symbolic.__name__: 2}

_PIXEL_SECONDS = 3


class ClassicEngine:
    """The lanes of one Craftax-Classic environment.

    Attributes:
        lanes: how many there are.
        state: what each lane's world, player and creatures are.
        settings: what each lane sets for itself.
        rules: the rule tables, of which each lane plays by one.
        exchange: actions and keys in; rewards, endings and finished episodes out.
        angles: float32 [rows, nodes], noise angles that lanes may be given, as shares of the full turn.
        cells: uint8 [lanes, 7, 9, 2], the codes of the view.
        numbers: float32 [lanes, 22], the numbers of the body.
        final_cells: the same of each lane's last finished episode, at its end.
        final_numbers: the same.
        symbolic: float32 [lanes, 1345].
        pixels: uint8 [lanes, 9 * tile, 9 * tile, 3]; none before `use_pixels`.
    """

    def __init__(self, lanes: int, *, device: str = "cpu", threads: int = 1, tables: int = 1) -> None:
        """Make the arrays.

        Args:
            lanes: how many.
            device: a Warp device name.
            threads: CPU threads to run them on; a GPU needs one.
            tables: how many rule tables to hold; all hold the rules of 1.6.1 at first.
        """
        wp = devices.init_warp()
        for module, seconds in _COMPILE_SECONDS.items():
            devices.load_kernels(module, device=device, seconds=seconds)
        self.lanes = lanes
        self.device = device
        self.state = Columns(State, STATE, rows=lanes, device=device)
        self.settings = Columns(Settings, SETTINGS, rows=lanes, device=device)
        self.rules = Columns(Rules, RULES, rows=tables, device=device)
        self.exchange = Columns(Exchange, EXCHANGE, rows=lanes, device=device)
        self.angles = wp.zeros((1, sum(NOISE_NODES)), dtype=float, device=device)
        self.cells = wp.zeros((lanes, VIEW_ROWS, VIEW_COLUMNS, 2), dtype=wp.uint8, device=device)
        self.numbers = wp.zeros((lanes, 22), dtype=float, device=device)
        self.final_cells = wp.zeros_like(self.cells)
        self.final_numbers = wp.zeros_like(self.numbers)
        self.symbolic = wp.zeros((lanes, SYMBOLIC), dtype=float, device=device)
        self.pixels: Any = None
        self._tile = 0
        self._atlas: Any = None
        self._crew = Crew(lanes, threads)
        on_cpu = wp.get_device(device).is_cpu
        self._workers = 1 if on_cpu else min(lanes, _GPU_WORKERS)
        self._benches = [self._bench() for _ in self._crew.shards]

    def run(self, *plan: str) -> None:
        """Run these launches over all lanes, in order.

        ``own_keys`` draws each lane's step key from the key it carries; ``step`` steps with the key as it is,
        ``step_first_half`` with the first half of it; ``reset`` makes the worlds of the lanes that
        `exchange` marks as chosen, from their keys; ``reset_over`` those of the lanes whose episode is over,
        from the second half; ``codes``, ``final_codes``, ``symbolic`` and ``pixels`` observe, the last
        two what ``codes`` has seen.
        """
        self._crew.run(plan, self._record)

    def _record(self, name: str, shard: Shard) -> Any:
        """The launch of a name on a shard."""
        state, settings, rules, exchange = (
            columns.struct for columns in (self.state, self.settings, self.rules, self.exchange)
        )
        first = shard.first
        match name:
            case "own_keys":
                return self._launch(step.next_keys, shard.count, [first, exchange])
            case "step" | "step_first_half":
                half = name == "step_first_half"
                return self._launch(step.step, shard.count, [first, half, settings, rules, state, exchange])
            case "reset" | "reset_over":
                work = [first, shard.count, self._workers, name == "reset_over", self.angles, settings, rules]
                bench = self._benches[shard.index]
                return self._launch(worldgen.make_worlds, self._workers, [*work, exchange, bench, state])
            case "codes":
                out = [self.cells, self.numbers]
                return self._launch(codes.observe_codes, shard.count, [first, False, exchange, state, *out])
            case "final_codes":
                out = [self.final_cells, self.final_numbers]
                return self._launch(codes.observe_codes, shard.count, [first, True, exchange, state, *out])
            case "symbolic":
                work = [first, self.cells, self.numbers, self.symbolic]
                return self._launch(symbolic.observe_symbolic, shard.count, work)
            case "pixels":
                out = [self._tile, self._atlas, self.cells, state, self.pixels]
                return self._launch(pixels.observe_pixels, shard.count, [first, *out])
        raise AssertionError(name)

    def _launch(self, kernel: Any, threads: int, arguments: list[Any]) -> Any:
        wp = devices.init_warp()
        return wp.launch(kernel, dim=threads, inputs=arguments, device=self.device, record_cmd=True)

    def _bench(self) -> Any:
        """Room for the workers of one shard to make worlds in."""
        wp = devices.init_warp()
        bench = worldgen.Workbench()
        bench.directions = wp.zeros((self._workers, max(NOISE_NODES)), dtype=wp.vec2, device=self.device)
        shape = (self._workers, len(NOISES), TILES // STRIP)
        bench.strips = wp.zeros(shape, dtype=Strip, device=self.device)
        bench.noise = bench.strips.view(float).reshape((self._workers, len(NOISES), TILES))
        return bench

    def use_pixels(self, tile: int) -> None:
        """Make the buffer of pictures, with tiles of so many pixels.

        Raises:
            ValueError: the tile is too small.
        """
        if tile < 4:
            raise ValueError(f"Tiles of {tile} pixels show nothing; give at least 4.")
        wp = devices.init_warp()
        devices.load_kernels(pixels.__name__, device=self.device, seconds=_PIXEL_SECONDS)
        shape = (self.lanes, pixels.ROWS * tile, pixels.COLUMNS * tile, 3)
        self._tile = tile
        self._atlas = wp.array(pixels.atlas(tile), dtype=wp.uint8, device=self.device)
        self.pixels = wp.zeros(shape, dtype=wp.uint8, device=self.device)
        self._crew.forget()

    def give_angles(self, angles: npt.NDArray[np.float32]) -> None:
        """Replace the table of noise angles; lanes choose a row of it by their setting `angles`.

        Args:
            angles: [rows, nodes of the four grids one after the other], shares of the full turn.

        Raises:
            ValueError: the shape is wrong.
        """
        nodes = sum(NOISE_NODES)
        if angles.ndim != 2 or angles.shape[0] < 1 or angles.shape[1] != nodes:
            raise ValueError(f"The angles have shape {angles.shape}; give them shape (rows, {nodes}).")
        wp = devices.init_warp()
        self.angles = wp.array(np.ascontiguousarray(angles, np.float32), dtype=float, device=self.device)
        self._crew.forget()
