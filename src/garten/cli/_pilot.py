"""An agent at the keys, in place of a person."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from garten.craftax.keyboard import bindings
from garten.runs.folder import RunFolder
from garten.training.agents import Agent, actor
from garten.training.exported import load_exported
from garten.training.stored import load_agent

if TYPE_CHECKING:
    from garten.craftax.play import Game

SHIPPED = "default"
"""The name of the agent that comes with the package."""


def agent_called(name: str) -> Agent:
    """The shipped agent, that of an exported file, or the latest of a run of training.

    Raises:
        RunError: there is none.
    """
    if name == SHIPPED:
        return load_exported()
    path = Path(name)
    return load_exported(path) if path.is_file() else load_agent(RunFolder.open(path))


class Pilot:
    """Presses the keys that an agent would press, in one game after another."""

    def __init__(self, agent: Agent, *, actions: int) -> None:
        """Sit down at the keys of a game of so many actions."""
        self._agent = agent
        self._keys = {int(action): key for key, action in bindings(actions).items()}

    def key(self, game: Game) -> str:
        """The next key in this game; the agent begins anew with each.

        Raises:
            RunError: the agent observes pictures, or gives no numbers.
        """
        if not game.actions:
            self._act = actor(self._agent, seed=game.seed)
        chosen = self._act(game.observation)
        assert chosen is not None, "an agent leaves no game"
        return self._keys[chosen]
