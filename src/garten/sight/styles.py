"""Styles: the hour and the weather in which the `photo` look shows a scene."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from garten.errors import RenderError
from garten.scene import Color, Light
from garten.sight.surfaces import linear


@dataclass(frozen=True)
class Style:
    """One hour and weather; colours are sRGB, 0 to 1."""

    text: str  # for captions
    sun: Color  # colour of sunlight
    sky: Color  # overhead
    horizon: Color  # at eye level; the colour of fog too
    elevation: float  # degrees of the sun above the horizon
    strength: float  # of the sun, as a multiple of what lights a white wall
    ambient: float  # light from the sky, likewise
    fog: float  # share of light that fog takes every 100 m, 0 to 1
    clouds: float  # share of the sky they cover, 0 to 1
    softness: float  # radius of the sun as far as shadows go, degrees


STYLES: Mapping[str, Style] = {
    "noon": Style(
        text="at noon under a clear sky",
        sun=(1.0, 0.97, 0.9),
        sky=(0.3, 0.52, 0.86),
        horizon=(0.74, 0.85, 0.94),
        elevation=52.0,
        strength=1.1,
        ambient=0.36,
        fog=0.1,
        clouds=0.3,
        softness=1.2,
    ),
    "morning": Style(
        text="on a hazy morning",
        sun=(1.0, 0.88, 0.7),
        sky=(0.45, 0.62, 0.85),
        horizon=(0.93, 0.88, 0.8),
        elevation=28.0,
        strength=1.25,
        ambient=0.38,
        fog=0.4,
        clouds=0.45,
        softness=1.6,
    ),
    "dusk": Style(
        text="at dusk",
        sun=(1.0, 0.62, 0.36),
        sky=(0.27, 0.28, 0.5),
        horizon=(0.93, 0.6, 0.45),
        elevation=16.0,
        strength=1.6,
        ambient=0.32,
        fog=0.16,
        clouds=0.5,
        softness=2.0,
    ),
    "overcast": Style(
        text="under a grey sky",
        sun=(0.92, 0.95, 1.0),
        sky=(0.62, 0.66, 0.7),
        horizon=(0.76, 0.79, 0.81),
        elevation=50.0,
        strength=0.32,
        ambient=0.72,
        fog=0.3,
        clouds=1.0,
        softness=8.0,
    ),
    "mist": Style(
        text="in mist",
        sun=(1.0, 0.96, 0.9),
        sky=(0.72, 0.77, 0.8),
        horizon=(0.82, 0.84, 0.84),
        elevation=35.0,
        strength=0.6,
        ambient=0.55,
        fog=0.92,
        clouds=0.9,
        softness=5.0,
    ),
    "winter": Style(
        text="on a cold winter day",
        sun=(1.0, 0.93, 0.85),
        sky=(0.4, 0.58, 0.8),
        horizon=(0.86, 0.91, 0.97),
        elevation=20.0,
        strength=1.1,
        ambient=0.45,
        fog=0.25,
        clouds=0.25,
        softness=1.4,
    ),
    "desert": Style(
        text="in desert heat",
        sun=(1.0, 0.93, 0.78),
        sky=(0.35, 0.55, 0.78),
        horizon=(0.95, 0.86, 0.7),
        elevation=64.0,
        strength=1.25,
        ambient=0.36,
        fog=0.4,
        clouds=0.05,
        softness=1.0,
    ),
    "night": Style(
        text="by moonlight",
        sun=(0.62, 0.74, 1.0),
        sky=(0.05, 0.08, 0.18),
        horizon=(0.14, 0.19, 0.31),
        elevation=42.0,
        strength=0.36,
        ambient=0.16,
        fog=0.3,
        clouds=0.35,
        softness=2.5,
    ),
}
"""The styles by name."""

OWN = "own"
"""The style of the world's own light."""

STYLE_NAMES = (OWN, *STYLES)
"""All that a style can be called."""


@dataclass(frozen=True)
class Air:
    """Light and air as the kernels want them: linear colours."""

    sun: Color  # what a surface that faces the sun gets of it
    zenith: Color  # what a surface that looks up gets of the sky
    sky: Color
    horizon: Color
    fog: float  # per metre
    clouds: float
    softness: float  # tangent of the sun's radius


def style_named(name: str) -> Style | None:
    """The style of that name, None for the world's own light.

    Raises:
        RenderError: there is none.
    """
    if name != OWN and name not in STYLES:
        raise RenderError(f"There is no style '{name}'; choose one of {', '.join(STYLE_NAMES)}.")
    return STYLES.get(name)


def lighting(light: Light, style: Style | None, *, turn: float = 0.0) -> tuple[Light, Air]:
    """The sun and the air of a world's light in a style; `turn` (radians) moves the sun round."""
    style = style or _own(light)
    toward = math.atan2(light.sun[1], light.sun[0]) + turn
    height = math.radians(style.elevation)
    sun = (math.cos(height) * math.cos(toward), math.cos(height) * math.sin(toward), math.sin(height))
    zenith = _lit(_toward_white(np.array(linear(style.sky))), style.ambient)
    air = Air(
        sun=_lit(np.array(linear(style.sun)), style.strength),
        zenith=zenith,
        sky=linear(style.sky),
        horizon=linear(style.horizon),
        fog=-math.log(1.0 - style.fog) / 100.0,
        clouds=style.clouds,
        softness=math.tan(math.radians(style.softness)),
    )
    return replace(light, sun=sun, sky=style.sky, horizon=style.horizon), air


def _own(light: Light) -> Style:
    """The world's light as a style."""
    across = math.hypot(light.sun[0], light.sun[1])
    return replace(
        STYLES["noon"],
        sky=light.sky,
        horizon=light.horizon,
        elevation=math.degrees(math.atan2(light.sun[2], across)),
        strength=1.7 * (1.0 - light.ambient),
        ambient=0.8 * light.ambient,
    )


def _toward_white(color: NDArray[np.float64]) -> NDArray[np.float64]:
    """The hue of a sky as it tints what it lights: much of the light comes from its paler parts."""
    return np.asarray(0.55 + 0.45 * color / color.max())


def _lit(color: NDArray[np.float64], strength: float) -> Color:
    red, green, blue = (float(value) for value in color * strength)
    return red, green, blue
