"""Paints frames of upright posts on a flat ground, with the places and sizes known in closed form."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from garten.practice.percepts import Color
from garten.records import Frame

WIDTH, HEIGHT = 160, 90
FOCAL = 80.0  # pixels: 90 degrees across
EYE = 0.6  # strides above the ground

SKY: Color = (120, 170, 230)
GROUND: Color = (90, 150, 55)
RED: Color = (224, 20, 20)
WHITE: Color = (242, 240, 230)
BLUE: Color = (20, 50, 216)


@dataclass(frozen=True)
class Post:
    x: float
    y: float
    color: Color
    height: float = 1.0  # strides
    width: float = 0.4


def paint(posts: list[Post], x: float = 0.0, y: float = 0.0, heading: float = 0.0) -> Frame:
    """What an eye at x, y sees; posts are lit on their left half and shaded on their right."""
    frame = np.empty((HEIGHT, WIDTH, 3), np.uint8)
    frame[: HEIGHT // 2], frame[HEIGHT // 2 :] = SKY, GROUND
    placed = []
    for post in posts:
        dx, dy = post.x - x, post.y - y
        ahead = dx * math.cos(heading) + dy * math.sin(heading)
        left = dy * math.cos(heading) - dx * math.sin(heading)
        if ahead > 0.2:
            placed.append((ahead, left, post))
    for ahead, left, post in sorted(placed, key=lambda item: -item[0]):
        middle, half = 0.5 * WIDTH - FOCAL * left / ahead, 0.5 * FOCAL * post.width / ahead
        top = 0.5 * HEIGHT - FOCAL * (post.height - EYE) / ahead
        bottom = 0.5 * HEIGHT + FOCAL * EYE / ahead
        a, b, c = (round(min(max(v, 0), WIDTH)) for v in (middle - half, middle, middle + half))
        rows = slice(round(max(top, 0)), round(min(bottom, HEIGHT)))
        frame[rows, a:b] = post.color
        frame[rows, b:c] = (0.75 * np.array(post.color)).astype(np.uint8)
    return frame


def look_round(posts: list[Post], turns: int, *, steps: int | None = None) -> list[Frame]:
    """Frames of a look round in `turns` left turns to the circle."""
    return [paint(posts, heading=math.tau * index / turns) for index in range((steps or turns) + 1)]
