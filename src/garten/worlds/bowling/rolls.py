"""The score sheet: how balls make frames, and frames points."""

from __future__ import annotations

from collections.abc import Sequence

from garten.worlds.bowling import constants as c

PINS = 10
FRAMES = int(c.FRAMES)
MOST_ROLLS = 2 * FRAMES + 1


def frames_of(rolls: Sequence[int]) -> list[list[int]]:
    """The balls of each frame that was begun; the last frame holds its bonus balls."""
    frames: list[list[int]] = []
    for roll in rolls:
        if not frames or _full(frames[-1], last=len(frames) == FRAMES):
            frames.append([])
        frames[-1].append(roll)
    return frames


def over(rolls: Sequence[int]) -> bool:
    """Whether the game is over."""
    frames = frames_of(rolls)
    return len(frames) == FRAMES and _full(frames[-1], last=True)


def fresh_pins(rolls: Sequence[int]) -> bool:
    """Whether all ten pins stand for the next ball."""
    frames = frames_of(rolls)
    if not frames or over(rolls):
        return True
    frame = frames[-1]
    if len(frames) < FRAMES:
        return _full(frame, last=False)
    return frame[-1] == PINS or (len(frame) == 2 and frame[0] != PINS)


def points(rolls: Sequence[int]) -> int:
    """The points so far, bonus balls as far as they have been bowled."""
    total, index = 0, 0
    for number, frame in enumerate(frames_of(rolls), start=1):
        total += sum(frame)
        index += len(frame)
        if number < FRAMES and sum(frame) == PINS:
            total += sum(rolls[index : index + 3 - len(frame)])
    return total


def _full(frame: Sequence[int], *, last: bool) -> bool:
    """Whether no ball can be added to a frame."""
    if not last:
        return len(frame) == 2 or frame[0] == PINS
    return len(frame) == 3 or (len(frame) == 2 and sum(frame) < PINS)
