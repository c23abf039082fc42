"""An expert at the crate vault that reads the state: the fewest actions through each room, by search."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from garten.records import Action
from garten.worlds.crate_vault import CrateVault
from garten.worlds.crate_vault.level import DIRECTIONS, Cell, Room

State = tuple[Cell, int, frozenset[Cell]]
"""Square, quarter turns, crates of the room."""


def play(world: CrateVault) -> None:
    """Play from the start to the end."""
    for room in world.level.rooms:
        for name in plan(world, room):
            world.act({"porter": Action(name)})
    while not world.over:
        world.act({"porter": Action("forward")})


def plan(world: CrateVault, room: Room) -> list[str]:
    """The shortest way from where the player is through a room: its plates held, and facing its open door."""
    left = room.entry[0] - 1  # the doorway it comes in by belongs to it
    floor = {cell for cell in world.level.floor if left <= cell[0] < room.door[0]}
    crates = frozenset(cell for cell in world.crate_cells if cell in floor)
    start: State = (world.cell, int(world.state.player[2]), crates)
    came: dict[State, tuple[State, str]] = {}
    seen, waiting = {start}, deque([start])
    while waiting:
        state = waiting.popleft()
        if state[0] == room.exit and state[1] == 0 and state[2] == frozenset(room.plates):
            return _traced(state, start, came)
        for name, after in _moves(state, floor):
            if after not in seen:
                seen.add(after)
                came[after] = state, name
                waiting.append(after)
    raise AssertionError("a level that cannot be solved")


def _moves(state: State, floor: set[Cell]) -> Iterator[tuple[str, State]]:
    """What each action leads to, as the task's text has it."""
    (x, y), facing, crates = state
    yield "turn_left", ((x, y), (facing + 1) % 4, crates)
    yield "turn_right", ((x, y), (facing - 1) % 4, crates)
    dx, dy = DIRECTIONS[facing]
    ahead, beyond, behind = (x + dx, y + dy), (x + 2 * dx, y + 2 * dy), (x - dx, y - dy)
    if ahead in crates and beyond in floor and beyond not in crates:
        yield "forward", (ahead, facing, crates - {ahead} | {beyond})
    elif ahead in floor and ahead not in crates:
        yield "forward", (ahead, facing, crates)
    if behind in floor and behind not in crates:
        yield "backward", (behind, facing, crates)


def _traced(state: State, start: State, came: dict[State, tuple[State, str]]) -> list[str]:
    names: list[str] = []
    while state != start:
        state, name = came[state]
        names.append(name)
    return names[::-1]
