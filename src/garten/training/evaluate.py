"""Evaluation: an agent plays one episode in each of many worlds that no training sees.

The worlds are those of the published evaluation of Dreaming in Code, drawn from ``PRNGKey(0)`` (under JAX's
random stream since 0.5, which `garten.craftax.keys` tells about). Every random key of a run is known by its
path from a root, one cipher call a step of the path. Held-out worlds hang below the second half of the second
half of their root; lanes that are trained on draw worlds from their own halves of another root, made from the
run's seed. No path is shared, so a world of one would have to have the key of another by chance: for 1,024
held-out worlds and 10 million training episodes that is 1 in 2 billion.

Each world has its own streams for the game's and for the agent's luck. So an episode does not depend on which
lane plays it, on how many lanes or threads there are, or on which other worlds are played.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

from garten.craftax import host_keys, make
from garten.craftax.env import Codes, Env
from garten.training.agents import Agent, Keys, Mind, Seen
from garten.training.results import EpisodeResult, Evaluation, Protocol, achievement_rewards, summarise

LANES = 256
"""Worlds played side by side."""


def world_keys(protocol: Protocol) -> Keys:
    """The keys of a protocol's worlds, uint32 [worlds, 2]; a longer protocol begins with the same worlds."""
    root = host_keys.split(host_keys.split(host_keys.key_of(protocol.seed))[1])[1]
    return host_keys.split(host_keys.split(root, protocol.worlds))[:, 1]


def luck_keys(protocol: Protocol) -> Keys:
    """The keys that the agent's luck in each world is drawn from, uint32 [worlds, 2]."""
    return host_keys.split(host_keys.split(host_keys.key_of(protocol.seed))[0], protocol.worlds)


def evaluate(
    agent: Agent,
    protocol: Protocol,
    *,
    lanes: int = LANES,
    threads: int = 1,
    watch: Callable[[int], None] = lambda done: None,
) -> Evaluation:
    """Evaluate an agent.

    Args:
        agent: who.
        protocol: how.
        lanes: worlds played side by side; what is found does not depend on it.
        threads: CPU threads of the engine.
        watch: called with the number of episodes played so far.

    Raises:
        RunError: the policy gives what is no number.
    """
    start = time.perf_counter()
    episodes = []
    for episode in play(agent, protocol, lanes=lanes, threads=threads):
        episodes.append(episode)
        watch(len(episodes))
    episodes.sort(key=lambda episode: episode.world)
    return Evaluation(
        agent=agent.name,
        trained_steps=agent.trained_steps,
        game=agent.game,
        protocol=protocol,
        summary=summarise(agent.game, episodes),
        episodes=tuple(episodes),
        wall_seconds=time.perf_counter() - start,
    )


def play(
    agent: Agent, protocol: Protocol, *, lanes: int = LANES, threads: int = 1
) -> Iterator[EpisodeResult]:
    """Play a protocol's episodes, and yield each as it ends.

    A lane whose episode is over takes the next world; one for which there is none is left out from then on.
    """
    lanes = min(lanes, protocol.worlds)
    env = environment(agent, protocol, lanes=lanes, threads=threads)
    keys, luck = world_keys(protocol), luck_keys(protocol)
    worlds = np.arange(lanes)  # that each lane plays
    env.reset(keys=keys[worlds])
    mind, playing, following = Mind(agent, luck[worlds]), np.arange(lanes), lanes
    while len(playing):
        actions = np.zeros(lanes, np.int64)
        actions[playing] = mind.act(seen_by(env.observation, playing))
        step = env.step(actions)
        over = (step.terminated | step.truncated)[playing]
        if not over.any():
            continue
        ended = playing[over]
        for lane in map(int, ended):
            yield episode_result(env, lane, world=int(worlds[lane]), game=agent.game)
        renewed = ended[: protocol.worlds - following]
        worlds[renewed] = np.arange(following, following + len(renewed))
        following += len(renewed)
        if len(renewed):
            env.reset(keys=keys[worlds], lanes=np.isin(np.arange(lanes), renewed))
            mind.begin(np.isin(playing, renewed), luck[worlds[renewed]])
        if len(renewed) < len(ended):
            kept = ~over | np.isin(playing, renewed)
            mind.keep(kept)
            playing = playing[kept]


def environment(agent: Agent, protocol: Protocol, *, lanes: int, threads: int = 1) -> Env:
    """What an agent plays in: lanes that stay as they are when an episode is over."""
    return make(
        agent.game,
        num_envs=lanes,
        obs="pixels" if agent.tile else "codes",
        tile=agent.tile or None,
        auto_reset=False,
        threads=threads,
        settings={"max_timesteps": protocol.steps},
    )


def seen_by(seen: Seen, lanes: npt.NDArray[np.int64]) -> Seen:
    """What some lanes observe."""
    return Codes(seen.cells[lanes], seen.numbers[lanes]) if isinstance(seen, Codes) else seen[lanes]


def episode_result(env: Env, lane: int, *, world: int, game: str) -> EpisodeResult:
    """How the episode that a lane's last step ended went."""
    names = list(achievement_rewards(game))
    died = env.engine.state.read("health")[lane] <= 0
    return EpisodeResult(
        world=world,
        episode_return=float(env.buffer("final_return")[lane]),
        length=int(env.buffer("final_length")[lane]),
        end="died" if died else "won" if env.buffer("terminated")[lane] else "step limit",
        achievements=tuple(names[index] for index in np.flatnonzero(env.buffer("final_achievements")[lane])),
    )
