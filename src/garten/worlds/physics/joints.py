"""Several joints of a simulation, read and driven at once: for worlds with many of the same."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from garten.errors import WorldError
from garten.worlds.physics.simulation import Physics, Vector


class Joints:
    """N joints, in the order of the names they were asked for by."""

    def __init__(self, physics: Physics, parts: Sequence[str]) -> None:
        """Find the joints of these parts.

        Raises:
            WorldError: one of them has no joint.
        """
        known = physics.contents.joints
        if missing := [part for part in parts if part not in known]:
            raise WorldError(f"There is no joint '{missing[0]}'; there are {', '.join(known) or 'none'}.")
        found = [known[part] for part in parts]
        self._data = physics.data
        self._positions = np.array([joint.position for joint in found], np.int64)
        self._speeds = np.array([joint.speed for joint in found], np.int64)
        motors = [-1 if joint.motor is None else joint.motor for joint in found]
        self._motors = np.array(motors, np.int64)
        self._are_driven = -1 not in motors

    def values(self) -> Vector:
        """How far each has turned or moved, [N] radians or metres; see `Physics.joint`."""
        return np.array(self._data.qpos[self._positions])

    def speeds(self) -> Vector:
        """How fast each turns or moves, [N] rad/s or m/s."""
        return np.array(self._data.qvel[self._speeds])

    def targets(self) -> Vector:
        """What each servo or motor was told last, [N].

        Raises:
            WorldError: one of the joints has neither.
        """
        self._require_driven()
        return np.array(self._data.ctrl[self._motors])

    def aim(self, targets: ArrayLike) -> None:
        """Give each servo or motor its target, [N].

        Raises:
            ValueError: a target is not finite.
            WorldError: one of the joints has neither.
        """
        if not np.isfinite(targets).all():
            raise ValueError(f"targets are finite numbers, got {targets!r}")
        self._require_driven()
        self._data.ctrl[self._motors] = targets

    def _require_driven(self) -> None:
        if not self._are_driven:
            raise WorldError("Some of these move by themselves only; give each joint a servo or a motor.")
