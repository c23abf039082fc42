"""An agent at the keys, in place of a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from garten.craftax.keyboard import bindings
from garten.training.agents import Agent, actor

if TYPE_CHECKING:
    from garten.craftax.play import Game


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
