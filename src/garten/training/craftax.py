"""Craftax as an arena: its lanes at the start of a run, and its evaluation."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from garten import seeds
from garten.craftax.env import Env, make
from garten.policies.policy import Policy
from garten.policies.shape import Shape
from garten.runs.events import Event
from garten.runs.resume import RunWriter
from garten.runs.team import Team
from garten.training.config import Config
from garten.training.lanes import CraftaxLanes
from garten.training.periodic import evaluate_now
from garten.training.results import achievement_rewards
from garten.training.saved import shape_for


class CraftaxArena:
    """An `Arena`: both games."""

    def shape(self, config: Config) -> Shape:
        """See `Arena.shape`."""
        return shape_for(config)

    def achievements(self, config: Config) -> Sequence[str]:
        """See `Arena.achievements`."""
        return list(achievement_rewards(config.game))

    def begin(self, config: Config, *, device: str, threads: int, team: Team) -> CraftaxLanes:
        """See `Arena.begin`: each lane in the world it would have if one process had them all."""
        env = _begun(config, config.rollout.lanes, device=device, threads=threads)
        if team.size > 1:
            share = team.share(config.rollout.lanes, what="lanes", setting="rollout.lanes")
            mine = np.isin(np.arange(config.rollout.lanes), share)
            own = _begun(config, len(share), device=device, threads=threads)
            own.load(env.save(mine))
            own.observe()
            env = own
        return CraftaxLanes(env, tell_goal=config.tell_goal)

    def evaluate(self, run: RunWriter, policy: Policy, config: Config, *, steps: int, threads: int) -> Event:
        """See `Arena.evaluate`: in held-out worlds, by the quick protocol."""
        return evaluate_now(run, policy, config, steps=steps, threads=threads)


def _begun(config: Config, lanes: int, *, device: str, threads: int) -> Env:
    """So many lanes at the start of a run."""
    settings = {} if config.rollout.episode_steps is None else {"max_timesteps": config.rollout.episode_steps}
    env = make(
        config.game,
        num_envs=lanes,
        obs="pixels" if config.network.kind == "cnn" else "codes",
        tile=config.tile,
        device=device,
        threads=threads if device == "cpu" else 1,
        keep_final=True,
        settings=settings,
    )
    env.reset(seed=seeds.derive(config.seed, "worlds", 0))
    return env
