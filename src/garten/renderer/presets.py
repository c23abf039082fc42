"""Renderers by name.

Sources, as the comments name them: [code] the settings of the published renderer's release; [here] sizes
measured to train and stream on a CPU.
"""

from __future__ import annotations

from dataclasses import replace

from garten.renderer.settings import (
    CaptionSettings,
    CodecSettings,
    GeometrySettings,
    NetworkSettings,
    RendererSettings,
)
from garten.renderer.window import Window

TINY = RendererSettings(
    width=64,
    height=32,
    block=2,
    window=Window(sink=3, recent=4),
    trained_frames=9,
    codec=CodecSettings(channels=4, widths=(16, 12, 8)),
    network=NetworkSettings(width=48, layers=2, heads=3, kv_heads=3, head=16, hidden=96, sections=(4, 2, 2)),
    captions=CaptionSettings(words=64, tokens=4, width=16, layers=1),
)
"""For tests: every mechanism, nothing to look at. [here]"""

S = RendererSettings()
"""Streams at 15 frames a second on one core with two denoising steps. [here]"""

XS = replace(
    S,
    network=NetworkSettings(
        width=128, layers=6, heads=4, kv_heads=4, head=32, hidden=352, sections=(6, 5, 5)
    ),
)
"""Streams with four denoising steps. [here]"""

M = replace(
    S,
    network=NetworkSettings(
        width=256, layers=8, heads=4, kv_heads=4, head=64, hidden=704, sections=(12, 10, 10)
    ),
)
"""For a GPU, or patience. [here]"""

PAPER = RendererSettings(
    width=832,
    height=480,
    frame_rate=16.0,
    block=4,
    window=Window(sink=5, recent=44),
    trained_frames=61,
    codec=CodecSettings(channels=48, widths=(256, 128, 96, 64), step=4),
    geometry=GeometrySettings(pool=4),
    network=NetworkSettings(
        width=4096,
        layers=36,
        heads=32,
        kv_heads=8,
        head=128,
        hidden=12288,
        theta=5e6,
        sections=(24, 20, 20),
        level_scale=1.0,
        time_offset=15_000.0,
        time_scale=1.5,
    ),
    captions=CaptionSettings(words=65_536, tokens=64, width=512, layers=4),
)
"""The published sizes [code]; the codec and the captions beside it are our own."""

PRESETS: dict[str, RendererSettings] = {"tiny": TINY, "xs": XS, "s": S, "m": M, "paper": PAPER}


def preset(name: str) -> RendererSettings:
    """The settings of that name.

    Raises:
        ValueError: there are none.
    """
    if name not in PRESETS:
        raise ValueError(f"There is no renderer '{name}'; choose one of {', '.join(PRESETS)}.")
    return PRESETS[name]
