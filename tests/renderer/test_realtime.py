"""Acceptance test 32: a minute of the preset `s`, frames to frames; weights do not change what it costs."""

import time

import numpy as np
import pytest

from garten.renderer.presets import preset
from garten.renderer.renderer import build
from garten.renderer.session import Session
from garten.scene import Condition


@pytest.mark.slow
def test_32_realtime():
    """At least 15 frames a CPU second with two steps; 95 of 100 blocks take less than they last."""
    settings = preset("s")
    height, width = settings.height, settings.width
    depth = np.linspace(1, 30, height * width, dtype=np.float32).reshape(height, width)
    up = np.broadcast_to(np.float32((0, 0, 1)), (height, width, 3)).copy()
    view = Condition(depth, up, np.zeros((height, width), np.int32), (1.0, 1.0, 1.0, 1.0))
    session = Session(build(settings, seed=0).eval(), caption="a red house", steps=2)
    session.start(np.zeros((height, width, 3), np.uint8), view)
    blocks = round(60 / settings.block_seconds)
    spent, wall = [], time.perf_counter()
    for _ in range(blocks):
        start = time.process_time()
        frames = session.advance([view] * settings.block_frames)
        spent.append(time.process_time() - start)
    wall = time.perf_counter() - wall
    made = blocks * len(frames)
    print(f"{made / sum(spent):.1f} frames a CPU second, {made / wall:.1f} by the clock")  # noqa: T201
    assert made / sum(spent) >= 15
    assert sorted(spent)[int(0.95 * blocks)] < settings.block_seconds
