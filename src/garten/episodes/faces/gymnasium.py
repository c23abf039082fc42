"""One-role worlds as Gymnasium environments. One step is one action of the world.

Importing this module registers every such world as ``garten/NAME-vVERSION``:

    import gymnasium
    env = gymnasium.make("garten.episodes.faces.gymnasium:garten/companion-dog-v1")

The reward is 0 until the end, and then the score as a share of 100.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gymnasium
import numpy as np

from garten.episodes.faces.spaces import ActionSpace, frame_space, make_look, make_world
from garten.episodes.views import AnyLook, eyes, rolls, view_of
from garten.records import Frame, WorldSpec
from garten.worlds.find import catalogue
from garten.worlds.world import World


class WorldEnv(gymnasium.Env[Frame, Any]):
    """A one-role world; `info["feedback"]` holds what the world said about the action."""

    metadata = {"render_modes": ["rgb_array"]}  # noqa: RUF012 (declared so by the base class)

    def __init__(
        self,
        world: World[Any] | str | Path,
        *,
        look: AnyLook | str = "raw",
        size: tuple[int, int] = (160, 90),
        render_mode: str | None = None,
    ) -> None:
        """Wrap a world, given itself or by name or path; frames have `size`, width x height.

        Raises:
            ValueError: the world has several roles.
        """
        self._world = make_world(world)
        spec = self._world.spec
        if len(spec.roles) != 1:
            raise ValueError(
                f"{spec.name} has {len(spec.roles)} roles; use garten.episodes.faces.pettingzoo for it"
            )
        self._role = spec.roles[0].name
        self._look = make_look(look)
        self._size = size
        self._actions = ActionSpace(spec.actions)
        self.action_space = self._actions.make()
        self.observation_space = frame_space(size)
        self.render_mode = render_mode
        self.metadata = {**self.metadata, "render_fps": round(spec.frame_rate)}

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Frame, dict[str, Any]]:
        """Start an episode; the world's seed is `seed`, or else drawn from this environment's generator."""
        super().reset(seed=seed)
        seed = int(self.np_random.integers(2**31)) if seed is None else seed
        self._world.reset(seed)
        self._view = view_of(self._look, eyes(self._role), role=self._role, size=self._size, seed=seed)
        self._view.follow(self._world.moment())
        return self._frame(), self._info()

    def step(self, action: Any) -> tuple[Frame, float, bool, bool, dict[str, Any]]:
        """Take one action to its end."""
        world = self._world
        step = world.act({self._role: self._actions.action(action)}, watch=rolls(self._look))
        for moment in step.moments:
            self._view.follow(moment)
        reward = world.score().value / 100.0 if world.over else 0.0
        return self._frame(), reward, world.terminated, world.truncated, self._info()

    def render(self) -> Frame | None:
        """What the role sees now."""
        return self._frame() if self.render_mode == "rgb_array" else None

    def _frame(self) -> Frame:
        return np.array(self._view.frame(self._world.moment()))

    def _info(self) -> dict[str, Any]:
        return {"feedback": self._world.feedback(self._role)}


def register(spec: WorldSpec, world: str | Path | None = None) -> str:
    """Register a one-role world with Gymnasium and return its id.

    Args:
        spec: The world's spec.
        world: Where it is found, if not by its name: a path.
    """
    name = f"garten/{spec.name}-v{spec.version}"
    gymnasium.register(name, entry_point=f"{__name__}:WorldEnv", kwargs={"world": str(world or spec.name)})
    return name


for _spec in catalogue():
    if len(_spec.roles) == 1:
        register(_spec)
