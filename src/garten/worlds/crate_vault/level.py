"""Levels, drawn from a seed and proved solvable.

Three rooms lie one behind the other along +x, with a door in the wall behind each; behind the last door is
the vault. A room is made backwards: crates stand on its plates and the player at its door, and every state
from which that can be reached is found by taking moves back (a push backwards is a pull). One of those is the
start. So each room can be solved by itself, with the fewest moves known, and therefore the level.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np

from garten.worlds.crate_vault import constants as c

SIDE = int(c.ROOM_SIDE)
ROOMS = int(c.ROOMS)
PITCH = SIDE + 1  # squares from one room to the next: a room and the wall behind it
EAST, NORTH, WEST, SOUTH = DIRECTIONS = ((1, 0), (0, 1), (-1, 0), (0, -1))
CRATES = (1, 1, 2)  # by room
PILLARS = (1, 2, 2)
LEAST_MOVES = (int(c.EASY), int(c.MEDIUM), int(c.HARD))

Cell = tuple[int, int]
"""A square: columns along x, rows along y."""


@dataclass(frozen=True)
class Room:
    """One room, in squares of the whole level."""

    entry: Cell  # where the player comes in
    door: Cell  # in the wall behind it
    pillars: tuple[Cell, ...]
    plates: tuple[Cell, ...]
    crates: tuple[Cell, ...]  # where they stand at the start
    moves: int  # fewest steps from the entry, with which all plates are held and the player is at the door

    @property
    def exit(self) -> Cell:
        """The square before the door."""
        return self.door[0] - 1, self.door[1]


@dataclass(frozen=True)
class Level:
    """All that stands still."""

    rooms: tuple[Room, ...]
    floor: frozenset[Cell]  # where one can walk: rooms without pillars, doors, the vault
    vault: Cell

    @property
    def start(self) -> Cell:
        """Where the player stands at first."""
        return self.rooms[0].entry

    @property
    def plates(self) -> tuple[Cell, ...]:
        """The plates of all rooms, in order."""
        return tuple(plate for room in self.rooms for plate in room.plates)

    @property
    def crates(self) -> tuple[Cell, ...]:
        """The crates of all rooms, in order."""
        return tuple(crate for room in self.rooms for crate in room.crates)


def draw_level(rng: np.random.Generator) -> Level:
    """A level from a seed's generator."""
    rooms: list[Room] = []
    row = int(rng.integers(SIDE))
    for number in range(ROOMS):
        room = None
        while room is None:
            room = _draw_room(rng, number, row)
        rooms.append(room)
        row = room.door[1]
    vault = (ROOMS * PITCH, row)
    inside = {(x, y) for x in range(ROOMS * PITCH) for y in range(SIDE) if x % PITCH < SIDE}
    pillars = {pillar for room in rooms for pillar in room.pillars}
    return Level(tuple(rooms), frozenset(inside - pillars | {room.door for room in rooms} | {vault}), vault)


def _draw_room(rng: np.random.Generator, number: int, row: int) -> Room | None:
    """A room that is entered in this row, or None where the squares drawn make no good one."""
    entry, way_out = (0, row), (SIDE - 1, int(rng.integers(SIDE)))
    squares = [(x, y) for x in range(SIDE) for y in range(SIDE) if (x, y) not in (entry, way_out)]
    drawn = [squares[i] for i in rng.permutation(len(squares))[: PILLARS[number] + CRATES[number]]]
    pillars, plates = drawn[: PILLARS[number]], drawn[PILLARS[number] :]
    least = LEAST_MOVES[number]
    starts = [
        (crates, moves)
        for (player, crates), moves in moves_left(frozenset(pillars), frozenset(plates), way_out).items()
        if player == entry and least <= moves <= least + c.SPREAD and not crates & set(plates)
    ]
    if not starts:
        return None
    starts.sort(key=lambda start: (start[1], sorted(start[0])))
    crates, moves = starts[int(rng.integers(len(starts)))]
    shift = number * PITCH
    return Room(
        entry=(shift + entry[0], entry[1]),
        door=(shift + SIDE, way_out[1]),
        pillars=tuple((shift + x, y) for x, y in pillars),
        plates=tuple((shift + x, y) for x, y in plates),
        crates=tuple((shift + x, y) for x, y in sorted(crates)),
        moves=moves,
    )


def moves_left(
    pillars: frozenset[Cell], plates: frozenset[Cell], way_out: Cell
) -> dict[tuple[Cell, frozenset[Cell]], int]:
    """Every state (player, crates) from which a room can be solved, and the fewest moves it takes.

    A breadth-first search from the end: crates on all plates, the player on the way out.
    """
    free = {(x, y) for x in range(SIDE) for y in range(SIDE)} - pillars
    end = (way_out, plates)
    found = {end: 0}
    waiting = deque([end])
    while waiting:
        state = waiting.popleft()
        (x, y), crates = state
        for dx, dy in DIRECTIONS:
            before = (x - dx, y - dy)  # where the player was if this move went in direction (dx, dy)
            if before not in free or before in crates:
                continue
            earlier = [(before, crates)]
            if (x + dx, y + dy) in crates:  # the move may have pushed the crate that is ahead now
                earlier.append((before, crates - {(x + dx, y + dy)} | {(x, y)}))
            for one in earlier:
                if one not in found:
                    found[one] = found[state] + 1
                    waiting.append(one)
    return found
