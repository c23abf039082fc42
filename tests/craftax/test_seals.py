"""Sealed trajectories: check sums of all integers, step by step, so that no optimisation changes the game.

    python tests/craftax/test_seals.py > tests/craftax/golden/seals.json

makes the seals anew, after a change of the game that is meant.
"""

import json
import sys
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from garten import craftax
from garten.craftax.env import Env

SEALS = Path(__file__).parent / "golden" / "seals.json"
LANES, STEPS, SPAN = 24, 240, 20
"""Steps are sealed in spans of 20, so that a broken seal says when."""

HALF = np.arange(LANES) % 2
SHORT = {"max_timesteps": 90, "day_length": 60, "mob_despawn_distance": 9}

VARIANTS: dict[str, tuple[str, dict[str, Any]]] = {
    "Craftax": ("Craftax", {}),
    "Craftax, short days, gods": (
        "Craftax",
        {"settings": SHORT | {"god_mode": HALF == 0, "always_diamond": HALF == 1}},
    ),
    "Craftax, two tables": (
        "Craftax",
        {
            "rules": [{}, {"chase_chance": 0.2, "recover_limit": 3.0, "torches_made": 9}],
            "settings": {"rules": HALF},
        },
    ),
    "Craftax, dials": (
        "Craftax",
        {
            "settings": {
                "melee_spawn_multiplier": 3.0,
                "mob_damage_multiplier": 0.5,
                "mob_health_multiplier": 2.0,
            }
        },
    ),
    "Craftax, fixed": ("Craftax", {"rules": "fixed", "settings": {"god_mode": True}}),
    "Craftax, older stream": ("Craftax", {"stream": "original"}),
    "Craftax-Classic": ("Craftax-Classic", {}),
    "Craftax-Classic, short days": ("Craftax-Classic", {"settings": SHORT | {"zombie_health": 2}}),
    "Craftax-Classic, two tables": (
        "Craftax-Classic",
        {"rules": [{}, {"cow_food": 1, "zombie_damage": 1}], "settings": {"rules": HALF}},
    ),
    "Craftax-Classic, fixed": ("Craftax-Classic", {"rules": "fixed"}),
}
"""What is sealed: the game and how it is made."""


def seal(env: Env) -> list[int]:
    """Play at random and return a check sum of each span of steps."""
    rng = np.random.default_rng(3)
    env.reset(seed=11)
    sums = []
    for step in range(STEPS):
        if step % SPAN == 0:
            sums.append(0)
        env.step(rng.integers(0, env.num_actions, LANES))
        sums[-1] = _add_up(env, sums[-1])
    return sums


def _add_up(env: Env, total: int) -> int:
    """Add all integers of all lanes to a check sum, but for floors that are not made yet."""
    state = env.engine.state
    names = [field.name for field in state.fields]
    made = np.array(state.read("floor_made")) if "floor_made" in names else None
    for field in state.fields:
        if field.kind is float:
            continue
        values = np.array(state.read(field.name))
        if made is not None and field.shape[:1] == made.shape[1:]:
            values[~made] = 0
        total = zlib.crc32(np.ascontiguousarray(values).tobytes(), total)
    return zlib.crc32(np.ascontiguousarray(env.engine.cells.numpy()).tobytes(), total)


@pytest.mark.parametrize("threads", [1, 5])
@pytest.mark.parametrize("variant", VARIANTS)
def test_trajectories_are_as_sealed(variant: str, threads: int) -> None:
    game, options = VARIANTS[variant]
    env = craftax.make(game, num_envs=LANES, threads=threads, **options)
    assert seal(env) == json.loads(SEALS.read_text())[variant]


if __name__ == "__main__":
    seals = {name: seal(craftax.make(game, num_envs=LANES, **how)) for name, (game, how) in VARIANTS.items()}
    sys.stdout.write(json.dumps(seals, indent=1) + "\n")
