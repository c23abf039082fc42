"""Craftax as kernels: a grid world on many lanes, equal to the original draw for draw.

Importing this package is cheap; `make` loads the engine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from garten.craftax.env import Env

__all__ = ["make"]


def make(name: str, *, num_envs: int = 1, **options: Any) -> Env:
    """Make an environment of many lanes; see `garten.craftax.env.make`.

    Raises:
        ValueError: there is no such environment, or an option is wrong.
    """
    from garten.craftax import env

    return env.make(name, num_envs=num_envs, **options)
