"""What both faces share: the spaces of a world's actions and frames, and how they are made from arguments."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from gymnasium import spaces

from garten.episodes import looks
from garten.episodes.views import AnyLook
from garten.errors import WorldError
from garten.records import Action, ActionSpec, Argument
from garten.worlds.find import load
from garten.worlds.given import check_arguments
from garten.worlds.world import World


class ActionSpace:
    """The Gymnasium space of a world's actions, and the way back from a choice in it.

    Without arguments the space is `Discrete`, an index into the spec's actions. With arguments it is a `Dict`
    of that index as ``"action"`` and one entry ``"ACTION.ARGUMENT"`` for each argument; those of actions that
    are not chosen are ignored.
    """

    def __init__(self, actions: tuple[ActionSpec, ...]) -> None:
        self._actions = actions
        self._index = spaces.Discrete(len(actions))
        self._arguments = {
            f"{action.name}.{argument.name}": argument for action in actions for argument in action.arguments
        }

    def make(self) -> spaces.Space[Any]:
        """A new space, with random draws of its own."""
        index = spaces.Discrete(len(self._actions))
        if not self._arguments:
            return index
        return spaces.Dict({"action": index, **{key: _range(one) for key, one in self._arguments.items()}})

    def action(self, chosen: Any) -> Action:
        """The action that a member of the space stands for.

        Raises:
            WorldError: it is no member, or an argument is no number.
        """
        try:
            index = chosen["action"] if self._arguments else chosen
            if not self._index.contains(index):
                raise ValueError(f"{index!r} is no index")
            spec = self._actions[int(index)]
            values = {one.name: _within(one, chosen[f"{spec.name}.{one.name}"]) for one in spec.arguments}
        except (LookupError, TypeError, ValueError) as error:
            raise WorldError(
                f"{chosen!r:.80} is no action of this environment; give a member of its action space."
            ) from error
        return Action(spec.name, check_arguments(spec, values))


def frame_space(size: tuple[int, int]) -> spaces.Space[Any]:
    """The space of RGB frames of that width x height."""
    width, height = size
    return spaces.Box(0, 255, (height, width, 3), np.uint8)


def senses_spaces(world: World[Any]) -> dict[str, spaces.Space[Any]]:
    """By role, the space of what it senses.

    Raises:
        WorldError: the world has no senses.
    """
    made = type(world)()
    made.reset(0)  # what is sensed has the same shapes at all times
    sensed = made.senses()
    if not sensed:
        raise WorldError(f"{world.spec.name} has no senses to observe; observe frames.")
    return {
        role: spaces.Dict(
            {name: spaces.Box(-np.inf, np.inf, one.shape, np.float32) for name, one in told.items()}
        )
        for role, told in sensed.items()
    }


def make_world(world: World[Any] | str | Path) -> World[Any]:
    """The world itself, or a new one by name or path."""
    return world if isinstance(world, World) else load(world)()


def make_look(look: AnyLook | str) -> AnyLook:
    """The look itself, or the one of that name."""
    return looks.look(look) if isinstance(look, str) else look


def _range(argument: Argument) -> spaces.Space[Any]:
    if argument.kind == "int":
        return spaces.Discrete(int(argument.high - argument.low) + 1, start=int(argument.low))
    return spaces.Box(argument.low, argument.high, (), np.float32)


def _within(argument: Argument, value: Any) -> float:
    """The value as a float inside the bounds, which float32 may have rounded outwards."""
    return min(max(float(value), argument.low), argument.high)
