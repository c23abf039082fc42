"""Whether another device plays the same game as the CPU, lane by lane, integer by integer."""

from __future__ import annotations

import numpy as np

from garten.craftax.env import Env, make


def unequal_lanes(name: str, device: str, *, lanes: int = 256, steps: int = 200, seed: int = 0) -> int:
    """How many lanes part from the CPU's in an integer or a flag of their state.

    The CPU plays half of the steps; its states are then injected into the other device, and both play the
    other half with the same actions and keys. Only steps are compared, not the making of worlds, whose noise
    may round differently elsewhere.

    Args:
        name: "Craftax" or "Craftax-Classic".
        device: a Warp device name.
        lanes: how many lanes play.
        steps: of each lane, in all.
        seed: of worlds, keys and actions.
    """
    cpu = make(name, num_envs=lanes, auto_reset=False)
    other = make(name, num_envs=lanes, auto_reset=False, device=device)
    rng = np.random.default_rng(seed)
    for env in (cpu, other):
        env.reset(seed=seed)
    for lane in range(lanes):
        cpu.engine.complete(lane)
    for _ in range(steps // 2):
        cpu.step(_actions(rng, cpu))
    _inject(cpu, other)
    parted = np.zeros(lanes, bool)
    for _ in range(steps - steps // 2):
        actions = _actions(rng, cpu)
        for env in (cpu, other):
            env.step(actions)
        parted |= _parted(cpu, other)
    return int(parted.sum())


def _actions(rng: np.random.Generator, env: Env) -> np.ndarray:
    return rng.integers(0, env.num_actions, env.num_envs).astype(np.int32)


def _inject(source: Env, target: Env) -> None:
    """Give one environment's states, and the keys its lanes carry, to another."""
    for field in source.engine.state.fields:
        target.engine.state.array(field.name).assign(source.engine.state.read(field.name))
    target.engine.exchange.array("own_keys").assign(source.engine.exchange.read("own_keys"))


def _parted(one: Env, other: Env) -> np.ndarray:
    """In which lanes an integer or a flag differs."""
    parted = np.zeros(one.num_envs, bool)
    for field in one.engine.state.fields:
        if field.kind is not float:
            differs = one.engine.state.read(field.name) != other.engine.state.read(field.name)
            parted |= differs.reshape(one.num_envs, -1).any(1)
    return parted
