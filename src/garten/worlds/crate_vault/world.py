"""The crate vault's world: spec, tick and score.

The player, the crates and the doors live on squares. A step or a quarter turn, once begun, goes on for ten
ticks whatever is held; the player and a pushed crate are on their new squares when it ends.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from garten.records import ActionSpec, Appearance, Control, Key, Measure, RoleSpec, Score, WorldSpec
from garten.scene import Camera, Scene
from garten.worlds.crate_vault import constants as c
from garten.worlds.crate_vault.level import DIRECTIONS, Cell, draw_level
from garten.worlds.crate_vault.scenery import Scenery
from garten.worlds.world import World, read_task

TICK = float(c.TICK)
STEP_TICKS = int(c.STEP_TICKS)
ROLE = "porter"

WALL = "A wall is in your way."
SHUT = "The door is shut."
STUCK = "The crate does not move."
CRATE = "A crate is behind you."

SPEC = WorldSpec(
    name="crate-vault",
    version=1,
    title="Push crates onto plates, which open doors, and reach the vault.",
    roles=(RoleSpec(ROLE, "porter", "Somebody strong enough to push one crate."),),
    actions=(
        ActionSpec("wait", 1.0, "Stand still."),
        ActionSpec("forward", 1.0, "Walk one square ahead, pushing a crate.", ("forward",)),
        ActionSpec("backward", 1.0, "Walk one square back, facing the same way.", ("backward",)),
        ActionSpec("turn_left", 1.0, "Turn a quarter circle to the left.", ("left",)),
        ActionSpec("turn_right", 1.0, "Turn a quarter circle to the right.", ("right",)),
    ),
    tick=TICK,
    frame_rate=float(c.FRAME_RATE),
    time_limit=float(c.TIME_LIMIT),
    measure=Measure("score", "of 100", "higher"),
    appearance=Appearance(
        style="warehouse",
        text="A roofless stone warehouse: wooden crates, coloured plates, barred doors, a golden vault.",
    ),
    task=read_task(__file__),
    constants=c.ALL,
    keys=(Key("w", "forward"), Key("s", "backward"), Key("a", "left"), Key("d", "right")),
)


@dataclass
class Yard:
    """All that changes in an episode."""

    player: NDArray[np.int64]  # [3] column, row, quarter turns counter-clockwise from +x
    motion: NDArray[
        np.int64
    ]  # [4] columns, rows and quarter turns of the move under way; ticks it has gone on
    pushed: NDArray[np.int64]  # [1] the crate that moves along, or -1
    crates: NDArray[np.int64]  # [4, 2] column, row
    open: NDArray[np.int64]  # [3] 1 for a door that is open
    opened: NDArray[np.int64]  # [3] 1 for a door that was ever open
    bars: NDArray[np.float64]  # [3] how far a door's bars are up, 0 to 1; seen, without effect on the rules


class CrateVault(World[Yard]):
    """One porter, four crates, three doors, one vault."""

    spec = SPEC

    # --- the rules ---------------------------------------------------------------------------------

    def _begin(self, rng: np.random.Generator) -> Yard:
        self.level = draw_level(rng)
        self._scenery = Scenery(self.level, rng)
        self._ways = [self._way(plate, self.level.crates) for plate in self.level.plates]
        return Yard(
            player=np.array([*self.level.start, rng.integers(4)]),
            motion=np.zeros(4, np.int64),
            pushed=np.array([-1]),
            crates=np.array(self.level.crates),
            open=np.zeros(len(self.level.rooms), np.int64),
            opened=np.zeros(len(self.level.rooms), np.int64),
            bars=np.ones(len(self.level.rooms)),
        )

    def _tick(self, controls: Mapping[str, Control]) -> bool:
        motion = self.state.motion
        if not motion.any():
            self._begin_move(controls[ROLE].buttons)
        if motion.any():
            motion[3] += 1
            if motion[3] >= STEP_TICKS:
                self._end_move()
        most = float(c.DOOR_SPEED) * TICK
        self.state.bars += np.clip(1.0 - self.state.open - self.state.bars, -most, most)
        return self.cell == self.level.vault

    def _begin_move(self, buttons: frozenset[str]) -> None:
        """Begin the turn or step that the buttons ask for, unless something is in its way."""
        turn = ("left" in buttons) - ("right" in buttons)
        walk = ("forward" in buttons) - ("backward" in buttons)
        if turn:
            self.state.motion[:] = 0, 0, turn, 0
        elif walk:
            dx, dy = DIRECTIONS[int(self.state.player[2])]
            self._begin_step((walk * dx, walk * dy), pushes=walk > 0)

    def _begin_step(self, step: Cell, *, pushes: bool) -> None:
        """Begin a step by so many columns and rows, with the crate it pushes; or say what is in the way."""
        x, y = self.cell
        ahead, beyond = (x + step[0], y + step[1]), (x + 2 * step[0], y + 2 * step[1])
        crates = self.crate_cells
        blocked = self._closed(ahead)
        if not blocked and ahead in crates:
            if not pushes:
                blocked = CRATE
            elif self._closed(beyond) or beyond in crates:
                blocked = STUCK
        if blocked:
            self._say(ROLE, blocked)
            return
        self.state.motion[:] = *step, 0, 0
        self.state.pushed[0] = crates.index(ahead) if ahead in crates else -1

    def _end_move(self) -> None:
        """Put the player, and the crate that moved along, on their new squares."""
        columns, rows, turn, _ = self.state.motion.tolist()
        self.state.player[:2] += columns, rows
        self.state.player[2] = (self.state.player[2] + turn) % 4
        if self.state.pushed[0] >= 0:
            self.state.crates[self.state.pushed[0]] += columns, rows
        self.state.motion[:] = 0
        self.state.pushed[0] = -1
        self._move_doors()

    def _move_doors(self) -> None:
        """Open the doors whose plates are held, or in which something stands, and shut the others."""
        crates = self.crate_cells
        for number, room in enumerate(self.level.rooms):
            held = set(room.plates) <= set(crates)
            self.state.open[number] = held or room.door in (*crates, self.cell)
        self.state.opened |= self.state.open

    def _closed(self, cell: Cell) -> str:
        """What keeps everything out of a square: the feedback about it, or an empty text."""
        if cell not in self.level.floor:
            return WALL
        door = next((number for number, room in enumerate(self.level.rooms) if room.door == cell), None)
        return SHUT if door is not None and not self.state.open[door] else ""

    # --- reading the state -------------------------------------------------------------------------

    @property
    def cell(self) -> Cell:
        """The square the player is on."""
        column, row, _ = self.state.player.tolist()
        return column, row

    @property
    def crate_cells(self) -> list[Cell]:
        """The squares the crates are on."""
        return [(column, row) for column, row in self.state.crates.tolist()]

    def _score(self) -> Score:
        plates = set(self.level.plates) & set(self.crate_cells)
        reached = self.cell == self.level.vault
        parts = {
            "plates held": c.PLATE_POINTS * len(plates),
            "doors opened": c.DOOR_POINTS * int(self.state.opened.sum()),
            "vault": float(c.VAULT_POINTS) if reached else 0.0,
            "time left": c.TIME_POINTS * self.time_left / c.TIME_LIMIT if reached else 0.0,
        }
        value = sum(parts.values())
        return Score(value, value, parts, self._progress())

    def _progress(self) -> float:
        """The share of their ways that the nearest crates have covered towards the plates."""
        crates = self.crate_cells
        left = [self._way(plate, crates) for plate in self.level.plates]
        shares = [max(0.0, 1.0 - now / first) for now, first in zip(left, self._ways, strict=True)]
        return sum(shares) / len(shares)

    @staticmethod
    def _way(plate: Cell, crates: list[Cell] | tuple[Cell, ...]) -> int:
        """Squares from a plate to the nearest crate, along columns and rows."""
        return min(abs(plate[0] - x) + abs(plate[1] - y) for x, y in crates)

    # --- what can be seen --------------------------------------------------------------------------

    def _pose(self) -> tuple[float, float, float]:
        """Where the player is in the move under way: column, row, quarter turns."""
        column, row, turns = self.state.player.tolist()
        columns, rows, turn, ticks = self.state.motion.tolist()
        share = ticks / STEP_TICKS
        return column + share * columns, row + share * rows, turns + share * turn

    def _scene(self) -> Scene:
        crates = self.state.crates.astype(np.float64)
        if self.state.pushed[0] >= 0:
            columns, rows, _, ticks = self.state.motion.tolist()
            crates[self.state.pushed[0]] += np.array([columns, rows]) * (ticks / STEP_TICKS)
        return self._scenery.at(self._pose(), crates, self.state.bars)

    def _camera(self, role: str) -> Camera:
        column, row, turns = self._pose()
        eye = float(c.SQUARE) * column, float(c.SQUARE) * row, float(c.EYE_HEIGHT)
        return Camera.at(eye, 0.5 * math.pi * turns, pitch=math.radians(c.EYE_PITCH))
