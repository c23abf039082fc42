"""A lane to try a rule in: one block everywhere, nobody about, nobody coming."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from garten.craftax.env import make
from garten.craftax.full.tables import FLOORS, SIZE, Action, Block, Item, Thing

MIDDLE = SIZE // 2


class Hand:
    """One lane with a state built by hand; rules may be changed by keyword."""

    def __init__(self, *, obs: str = "codes", settings: dict[str, Any] | None = None, **rules: Any) -> None:
        quiet = {"spawn_chances": np.zeros((FLOORS, 4))}
        self.env = make("Craftax", obs=obs, auto_reset=False, settings=settings, rules=[quiet | rules])
        self.env.reset(seed=0)
        shape = (FLOORS, SIZE, SIZE)
        self.set(blocks=np.full(shape, Block.PATH), things=np.zeros(shape, int), light_map=np.ones(shape))

    def set(self, **fields: Any) -> None:
        self.env.set_state(0, fields)

    def put(self, place: tuple[int, int], block: Block, *, thing: Thing = Thing.NONE) -> None:
        """Change a tile of the player's floor."""
        state = self.state
        state["blocks"][int(state["floor"])][place] = block
        state["things"][int(state["floor"])][place] = thing
        self.set(blocks=state["blocks"], things=state["things"])

    def give(self, **counts: int) -> None:
        inventory = self.state["inventory"]
        for item, count in counts.items():
            inventory[Item[item.upper()]] = count
        self.set(inventory=inventory)

    def creature(self, kind: str, place: tuple[int, int], *, slot: int = 0, **parts: Any) -> None:
        """Put a living creature on the player's floor; parts are fields of its slot."""
        state = self.state
        floor = int(state["floor"])
        fields = {"position": place, "alive": True} | parts
        changed = {f"{kind}_{part}": state[f"{kind}_{part}"] for part in fields}
        for part, value in fields.items():
            changed[f"{kind}_{part}"][floor, slot] = value
        if "shot" not in kind:
            state["occupied"][floor][place] = True
        self.set(occupied=state["occupied"], **changed)

    def act(self, *actions: Action) -> float:
        """Take steps and return the last one's reward."""
        return [float(self.env.step(np.array([action])).reward[0]) for action in actions][-1]

    def has(self, item: str) -> int:
        return int(self.state["inventory"][Item[item.upper()]])

    def block(self, place: tuple[int, int]) -> Block:
        state = self.state
        return Block(int(state["blocks"][int(state["floor"])][place]))

    @property
    def state(self) -> dict[str, np.ndarray]:
        return self.env.state(0)


@pytest.fixture
def hand() -> Hand:
    return Hand()


@pytest.fixture
def make_hand() -> Callable[..., Hand]:
    return Hand
