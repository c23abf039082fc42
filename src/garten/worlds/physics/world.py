"""What worlds of bodies that touch have in common: their snapshots hold the simulation's state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from garten.scene import Scene
from garten.worlds.physics.simulation import Physics
from garten.worlds.world import State, World, damaged

_PHYSICS = "garten.physics"
"""Name of the simulation among a snapshot's arrays; the dot keeps it apart from the fields of a state."""


class PhysicsWorld(World[State]):
    """A world whose `_begin` builds `self.physics` from the seed, and whose `_tick` advances it.

    `State` holds what else there is to remember: counters, jobs done, who holds what.
    """

    physics: Physics

    def _scene(self) -> Scene:
        return self.physics.scene()

    def _pack(self) -> dict[str, np.ndarray[Any, Any]]:
        return {_PHYSICS: self.physics.state(), **super()._pack()}

    def _unpack(self, arrays: Mapping[str, np.ndarray[Any, Any]]) -> None:
        rest = dict(arrays)
        state = rest.pop(_PHYSICS, None)
        if state is None or not self.physics.fits(state):
            raise damaged()
        super()._unpack(rest)
        self.physics.load(state)
