"""A lane to try a rule in: grass everywhere, nobody about, nobody coming."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from garten.craftax.classic.tables import SIZE, Action, Block, Item
from garten.craftax.env import make

QUIET = {"spawn_cow_chance": 0.0, "spawn_zombie_base_chance": 0.0, "spawn_zombie_night_chance": 0.0}


class Hand:
    """One lane with a state built by hand."""

    def __init__(self, *, obs: str = "codes", **options: Any) -> None:
        settings = QUIET | {"spawn_skeleton_chance": 0.0} | options.pop("settings", {})
        self.env = make("Craftax-Classic", obs=obs, auto_reset=False, settings=settings, **options)
        self.env.reset(seed=0)
        self.set(blocks=np.full((SIZE, SIZE), Block.GRASS))

    def set(self, **fields: Any) -> None:
        self.env.set_state(0, fields)

    def put(self, place: tuple[int, int], block: Block) -> None:
        blocks = self.state["blocks"]
        blocks[place] = block
        self.set(blocks=blocks)

    def give(self, **counts: int) -> None:
        inventory = self.state["inventory"]
        for item, count in counts.items():
            inventory[Item[item.upper()]] = count
        self.set(inventory=inventory)

    def creature(self, kind: str, place: tuple[int, int], *, slot: int = 0, **parts: Any) -> None:
        """Put a living creature somewhere; parts are fields of its slot without the kind's name."""
        state = self.state
        fields = {"position": place, "alive": True} | parts
        changed = {f"{kind}_{part}": state[f"{kind}_{part}"] for part in fields}
        for part, value in fields.items():
            changed[f"{kind}_{part}"][slot] = value
        if kind != "arrow" and fields["alive"]:
            state["occupied"][place] = True
        self.set(occupied=state["occupied"], **changed)

    def act(self, action: Action) -> float:
        """Take a step and return its reward."""
        return float(self.env.step(np.array([action])).reward[0])

    def has(self, item: str) -> int:
        return int(self.state["inventory"][Item[item.upper()]])

    def block(self, place: tuple[int, int]) -> Block:
        return Block(int(self.state["blocks"][place]))

    @property
    def state(self) -> dict[str, np.ndarray]:
        return self.env.state(0)


@pytest.fixture
def hand() -> Hand:
    return Hand()


@pytest.fixture
def make_hand() -> Callable[..., Hand]:
    return Hand
