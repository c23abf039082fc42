"""Captions: what is seen, in words, for looks that are told what to show."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from garten.scene import NO_ID, Ints, Scene
from garten.sight.styles import OWN, STYLES
from garten.sight.surfaces import Coat

LEAST_SEEN = 0.004
"""Share of the pixels that a thing must fill for the caption to name its colour."""


def caption(scene: Scene, coat: Coat, ids: Ints, *, style: str = OWN) -> str:
    """The colours of what is seen, the largest first, and the hour and weather of the style.

    Every surface is named once, e.g. "green grass; red, white and black paint; teal wood at dusk".

    Args:
        scene: what is seen.
        coat: what its materials look like.
        ids: of things, [..., H, W], in one image or more.
        style: one of `garten.sight.styles`.
    """
    seen, counts = np.unique(ids[ids != NO_ID], return_counts=True)
    order = np.argsort(-counts, kind="stable")
    large = seen[order][counts[order] >= LEAST_SEEN * ids.size]
    colors: dict[str, dict[str, None]] = {}
    for thing in large:
        for row in _materials(scene, int(thing)):
            surface, color = coat.words[row]
            colors.setdefault(surface, {})[color] = None
    named = "; ".join(f"{_listed(list(those))} {surface}" for surface, those in colors.items())
    return " ".join(part for part in (named, STYLES[style].text if style in STYLES else "") if part)


def _listed(words: list[str]) -> str:
    """One, two and three."""
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def _materials(scene: Scene, thing: int) -> Iterator[int]:
    """The materials of a thing, each once."""
    return iter(dict.fromkeys(scene.materials[scene.objects == thing].tolist()))
