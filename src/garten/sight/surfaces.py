"""What things are made of, as the `photo` look draws it: patterns, and the colours they are painted in.

A material of a scene has a colour and may have a word for its surface ("grass", "wood"). The word chooses a
pattern; a coat gives every material the two colours that its pattern mixes. A coat is either in the world's
own colours or drawn from a number, whatever the shapes: then only a reference frame, the frames before or a
caption can tell what colour a thing has.
"""

from __future__ import annotations

import colorsys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from garten.scene import Floats, Ints, Kind, Scene

GAMMA = 2.2
"""Exponent from linear light to what is shown."""


class Pattern(IntEnum):
    """How two colours are laid over a surface."""

    PAINT = 0  # even, with faint clouds
    MEADOW = 1  # soft tufts in large patches
    FLEECE = 2  # round tufts: wool, leaves, fur
    EARTH = 3  # grain and stains: soil, asphalt, sand
    BRICKS = 4  # rows of blocks with joints between them
    PLANKS = 5  # boards with grain
    TILES = 6  # a board of two colours
    STRIPES = 7  # bands
    WATER = 8  # ripples that mirror the sky


@dataclass(frozen=True)
class Surface:
    """How a kind of surface is drawn."""

    pattern: Pattern
    size: float  # metres; of one tuft, brick, board, tile or stripe
    contrast: float  # how far the two colours are apart, 0 to 1


SURFACES: Mapping[str, Surface] = {
    "paint": Surface(Pattern.PAINT, 0.7, 0.20),
    "metal": Surface(Pattern.PAINT, 0.5, 0.28),
    "plaster": Surface(Pattern.PAINT, 0.4, 0.25),
    "cloth": Surface(Pattern.STRIPES, 0.09, 0.30),
    "grass": Surface(Pattern.MEADOW, 0.45, 0.45),
    "leaves": Surface(Pattern.FLEECE, 0.40, 0.55),
    "wool": Surface(Pattern.FLEECE, 0.14, 0.30),
    "fur": Surface(Pattern.FLEECE, 0.10, 0.35),
    "bark": Surface(Pattern.PLANKS, 0.18, 0.45),
    "earth": Surface(Pattern.EARTH, 0.35, 0.40),
    "sand": Surface(Pattern.EARTH, 0.60, 0.28),
    "straw": Surface(Pattern.EARTH, 0.20, 0.45),
    "asphalt": Surface(Pattern.EARTH, 1.00, 0.35),
    "brick": Surface(Pattern.BRICKS, 0.45, 0.45),
    "stone": Surface(Pattern.BRICKS, 0.90, 0.40),
    "roof": Surface(Pattern.BRICKS, 0.60, 0.45),
    "wood": Surface(Pattern.PLANKS, 0.30, 0.55),
    "tiles": Surface(Pattern.TILES, 0.60, 0.45),
    "stripes": Surface(Pattern.STRIPES, 0.50, 0.60),
    "water": Surface(Pattern.WATER, 1.20, 0.35),
}
"""The surfaces by the words that scenes use for them."""

GROUNDS = ("grass", "earth", "sand", "stone", "tiles", "asphalt")
"""What ground may be made of where its world does not say."""

THINGS = ("paint", "brick", "wood", "stone", "plaster", "stripes", "tiles", "metal")
"""What things may be made of, likewise."""

HUES: Mapping[str, tuple[float, float, float]] = {
    "red": (0.00, 0.75, 0.75),
    "orange": (0.07, 0.80, 0.90),
    "yellow": (0.14, 0.75, 0.92),
    "green": (0.32, 0.60, 0.55),
    "teal": (0.48, 0.60, 0.60),
    "blue": (0.60, 0.70, 0.75),
    "purple": (0.75, 0.50, 0.60),
    "pink": (0.92, 0.40, 0.92),
    "brown": (0.07, 0.55, 0.42),
    "white": (0.12, 0.06, 0.95),
    "grey": (0.60, 0.06, 0.55),
    "black": (0.65, 0.20, 0.14),
}
"""Colours that captions name: hue in turns, saturation and value."""


@dataclass(frozen=True)
class Coat:
    """What the materials of a scene look like, as arrays over materials."""

    patterns: Ints  # [M] values of `Pattern`
    sizes: Floats  # [M] metres
    bright: Floats  # [M, 3] linear colour of what stands out
    dark: Floats  # [M, 3] linear colour of what lies between
    words: tuple[tuple[str, str], ...]  # by material: surface, and the name of its colour

    def caption(self) -> str:
        """What is of which colour, e.g. "green grass, white wool"; every pair once, in order."""
        return ", ".join(dict.fromkeys(f"{color} {surface}" for surface, color in self.words))


def own_coat(scene: Scene) -> Coat:
    """The coat in the world's own colours."""
    kinds = [word or ("earth" if ground else "paint") for word, ground in _told(scene)]
    colors = [_srgb(color) for color in scene.colors]
    return _coat(kinds, colors, [color_name(color) for color in colors])


def drawn_coat(scene: Scene, palette: int) -> Coat:
    """The coat drawn from a number; the same number gives scenes with the same materials the same coat.

    What the world says a thing is made of stays; its colours, and the rest, are drawn.
    """
    rng = np.random.default_rng(palette)
    kinds, colors, names = [], [], []
    for word, ground in _told(scene):
        drawn = rng.choice(GROUNDS if ground else THINGS)
        name = str(rng.choice(list(HUES)))
        hue, saturation, value = np.array(HUES[name]) + rng.uniform(-1, 1, 3) * (0.02, 0.05, 0.05)
        kinds.append(word or str(drawn))
        names.append(name)
        colors.append(colorsys.hsv_to_rgb(hue % 1.0, float(np.clip(saturation, 0, 1)), float(min(value, 1))))
    return _coat(kinds, colors, names)


def color_name(color: Sequence[float]) -> str:
    """The name in `HUES` whose sRGB colour is nearest to this one."""
    wanted = np.asarray(color)
    distances = {name: float(np.abs(colorsys.hsv_to_rgb(*hsv) - wanted).sum()) for name, hsv in HUES.items()}
    return min(distances, key=lambda name: distances[name])


def linear(color: Sequence[float]) -> tuple[float, float, float]:
    """An sRGB colour as linear light."""
    red, green, blue = (float(value) ** GAMMA for value in color)
    return red, green, blue


def _told(scene: Scene) -> list[tuple[str, bool]]:
    """By material: the word for its surface if it is a known one, and whether ground is made of it."""
    words = scene.surfaces or ("",) * len(scene.colors)
    flat = (scene.kinds == Kind.PLANE) | (scene.kinds == Kind.HEIGHT_FIELD)
    ground = set(scene.materials[flat].tolist())
    return [(word if word in SURFACES else "", row in ground) for row, word in enumerate(words)]


def _coat(kinds: Sequence[str], colors: Sequence[tuple[float, float, float]], names: Sequence[str]) -> Coat:
    made = [SURFACES[kind] for kind in kinds]
    contrast = np.array([surface.contrast for surface in made]).reshape(-1, 1)
    base = np.array([linear(color) for color in colors]).reshape(-1, 3)
    return Coat(
        patterns=np.array([surface.pattern for surface in made], np.int32),
        sizes=np.array([surface.size for surface in made], np.float32),
        bright=np.minimum(base * (1.0 + contrast), 1.0).astype(np.float32),
        dark=(base * (1.0 - contrast)).astype(np.float32),
        words=tuple(zip(kinds, names, strict=True)),
    )


def _srgb(color: Floats) -> tuple[float, float, float]:
    red, green, blue = (float(value) for value in color)
    return red, green, blue
