"""Frames for a clip, streamed as in use: its first frame is the reference, its geometry the condition."""

from __future__ import annotations

import numpy as np

from garten.errors import RenderError
from garten.records import Frame
from garten.renderer.data.clip import Clip
from garten.renderer.renderer import Renderer
from garten.renderer.session import Session
from garten.renderer.settings import RendererSettings


def whole_frames(frames: int, settings: RendererSettings) -> int:
    """How many of so many frames are a reference and whole blocks.

    Raises:
        RenderError: there are too few for a block.
    """
    blocks = (frames - 1) // settings.block_frames
    if blocks < 1:
        raise RenderError(
            f"A clip of {frames} frames is too short for a block of {settings.block_frames} after its first; "
            "make longer ones by garten render data --frames."
        )
    return 1 + blocks * settings.block_frames


def roll(
    renderer: Renderer,
    clip: Clip,
    *,
    seed: int = 0,
    steps: int | None = None,
    caption: str | None = None,
) -> Frame:
    """The frames [T, H, W, 3] that a renderer makes for a clip, as many as are whole blocks.

    Args:
        renderer: on any device.
        clip: of its size.
        seed: of all noise.
        steps: of denoising; None for those of the settings.
        caption: in place of the clip's own.

    Raises:
        RenderError: the clip has another size, or is too short.
    """
    settings = renderer.settings
    count = whole_frames(len(clip), settings)
    session = Session(
        renderer,
        caption=clip.about.caption if caption is None else caption,
        seed=seed,
        depth_scale=clip.about.depth_scale,
        steps=steps,
    )
    seen = [clip.condition(t) for t in range(count)]
    made = [session.start(clip.frames[0], seen[0])[None]]
    for first in range(1, count, settings.block_frames):
        made.append(session.advance(seen[first : first + settings.block_frames]))
    return np.concatenate(made)
