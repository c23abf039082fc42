"""An agent's episode as a moving picture."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from garten.craftax import make
from garten.records import Frame
from garten.training.agents import Agent, Mind
from garten.training.evaluate import environment, luck_keys, world_keys
from garten.training.results import Protocol


def frames(agent: Agent, protocol: Protocol, world: int, *, tile: int) -> Iterator[Frame]:
    """Play one of a protocol's episodes as it was evaluated; pictures of its beginning and of each step.

    The agent observes what it always does. The pictures come from a second lane, to which the same happens.

    Args:
        agent: who plays.
        protocol: whose episode.
        world: its number.
        tile: pixels along the side of a picture's tile.

    Raises:
        ValueError: the protocol has no such world, or the tile is too small.
        RunError: the policy gives what is no number.
    """
    if not 0 <= world < protocol.worlds:
        raise ValueError(f"There is no world {world}; worlds are 0 to {protocol.worlds - 1}.")
    key, luck = world_keys(protocol)[world : world + 1], luck_keys(protocol)[world : world + 1]
    played = environment(agent, protocol, lanes=1)
    shown = make(agent.game, obs="pixels", tile=tile, auto_reset=False)
    for env in (played, shown):
        env.reset(keys=key)
    mind, over = Mind(agent, luck), False
    yield shown.picture(0)
    while not over:
        actions = mind.act(played.observation)
        step = played.step(actions)
        shown.step(actions)
        yield shown.picture(0)
        over = bool(np.any(step.terminated | step.truncated))
