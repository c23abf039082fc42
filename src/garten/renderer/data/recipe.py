"""What clips a set holds: a recipe, and the plan of each clip, which follows from recipe and number alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from garten.renderer.data import cameras
from garten.renderer.data.clip import Split
from garten.seeds import derive
from garten.sight.styles import STYLE_NAMES

KIND = "clips"
"""What a run that makes clips is called in its ``run.json``."""

HELD_OUT = 10
"""One clip in so many is of layouts that training never shows, and one of such a world if there is any."""

OWN_COLORS = 0.2
"""Share of clips in the world's own colours; the others have a coat drawn for them alone."""

LATEST = 20.0
"""Seconds of world time after which a clip begins at the latest."""


@dataclass(frozen=True)
class Recipe:
    """Settings of a set of clips; with the same recipe the bytes are the same."""

    worlds: tuple[str, ...]  # names or paths
    held_out: tuple[str, ...] = ()  # worlds that training never shows
    clips: int = 200
    frames: int = 33  # of each clip
    size: tuple[int, int] = (160, 96)  # width x height
    seed: int = 0


@dataclass(frozen=True)
class Plan:
    """One clip to be made."""

    number: int
    world: str  # name or path
    split: Split
    layout: int  # seed of the world
    skip: float  # seconds of world time before the first frame
    camera: str  # one of `cameras.KINDS`
    style: str  # one of `STYLE_NAMES`
    palette: int | None
    frames: int
    size: tuple[int, int]
    seed: int  # of everything else


def plan(recipe: Recipe, number: int) -> Plan:
    """The plan of clip `number`, from 0."""
    split: Split = "train"
    if number % HELD_OUT == HELD_OUT - 1:
        split = "layouts"
    elif recipe.held_out and number % HELD_OUT == HELD_OUT // 2 - 1:
        split = "worlds"
    worlds = recipe.held_out if split == "worlds" else recipe.worlds
    rng = np.random.default_rng(derive(recipe.seed, "clip", number))
    # Splits draw their layouts from ranges that do not meet.
    kept_apart = 2 * int(rng.integers(2**29)) + (split != "train")
    return Plan(
        number=number,
        world=worlds[int(rng.integers(len(worlds)))],
        split=split,
        layout=kept_apart,
        skip=float(rng.uniform(0.0, LATEST)),
        camera=str(rng.choice(cameras.KINDS, p=cameras.SHARES)),
        style=str(rng.choice(STYLE_NAMES)),
        palette=None if rng.random() < OWN_COLORS else int(rng.integers(2**31)),
        frames=recipe.frames,
        size=recipe.size,
        seed=int(rng.integers(2**31)),
    )
