"""Train the PPO of Stable-Baselines3 on Craftax-Classic through the Gymnasium vector face.

    pip install stable-baselines3
    python examples/stable_baselines3_ppo.py --steps 200000

Stable-Baselines3 has an interface of its own for many environments at once. `Lanes` speaks it, and passes
everything on to `CraftaxVectorEnv`, so that one call steps all lanes.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
from stable_baselines3 import PPO
from stable_baselines3.common.vec_env import VecEnv

from garten.craftax.faces import CraftaxVectorEnv


class Lanes(VecEnv):
    """The lanes of a `CraftaxVectorEnv` that resets itself in the same step."""

    def __init__(self, envs: CraftaxVectorEnv) -> None:
        self.envs = envs
        self.render_mode = envs.render_mode
        super().__init__(envs.num_envs, envs.single_observation_space, envs.single_action_space)

    def reset(self) -> np.ndarray:
        """Start an episode in every lane."""
        observation, _ = self.envs.reset(seed=self._seeds[0])
        self._reset_seeds()
        return observation

    def step_async(self, actions: np.ndarray) -> None:
        """Take note of an action for every lane."""
        self.actions = actions

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Step, and say in each lane's info how its episode went if it ended."""
        observation, rewards, terminated, truncated, info = self.envs.step(self.actions)
        over = terminated | truncated
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for lane in np.flatnonzero(over):
            ended = {name: info["final_info"][name][lane] for name in ("return", "length")}
            infos[lane] = {
                "episode": {"r": float(ended["return"]), "l": int(ended["length"]), "t": 0.0},
                "terminal_observation": info["final_obs"][lane],
                "TimeLimit.truncated": bool(truncated[lane] and not terminated[lane]),
            }
        return observation, rewards, over, infos

    def close(self) -> None:
        """Nothing is to be freed by hand."""
        self.envs.close()

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """The same for every lane."""
        return [getattr(self.envs, attr_name)] * self.num_envs

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Refuse: lanes are one environment."""
        raise NotImplementedError("The lanes share one environment; set it up before.")

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        """Refuse: lanes are one environment."""
        raise NotImplementedError("The lanes share one environment; call it yourself.")

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """No lane has a wrapper."""
        return [False] * self.num_envs


def train(steps: int, *, lanes: int = 64, seed: int = 0) -> PPO:
    """Train on the original's symbolic observation for about so many steps, and return the model."""
    envs = CraftaxVectorEnv("Craftax-Classic", num_envs=lanes, obs="symbolic", autoreset_mode="SameStep")
    model = PPO(
        "MlpPolicy",
        Lanes(envs),
        n_steps=32,
        batch_size=512,
        n_epochs=4,
        gae_lambda=0.8,
        ent_coef=0.01,
        policy_kwargs={"net_arch": [128, 128]},
        seed=seed,
        device="cpu",
        verbose=0,
    )
    return model.learn(total_timesteps=steps)


def main() -> None:
    """Train, and say how the last episodes went."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=50_000)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    model = train(asked.steps, seed=asked.seed)
    returns = [episode["r"] for episode in model.ep_info_buffer]
    print(f"{model.num_timesteps} steps; the last {len(returns)} episodes returned {np.mean(returns):.2f}")


if __name__ == "__main__":
    main()
