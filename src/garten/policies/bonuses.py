"""Which exploration bonus there is: one frozen class of settings for each kind, and `build_bonus`.

All values are those of the published baselines on Craftax (Craftax_Baselines).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from torch import nn

from garten.policies.bonus import Bonus
from garten.policies.e3b import E3B
from garten.policies.encoders.codes import CodeEncoder
from garten.policies.encoders.pixels import PixelEncoder
from garten.policies.features import Features
from garten.policies.icm import ICM
from garten.policies.rnd import RND
from garten.policies.shape import Shape


@dataclass(frozen=True)
class RNDSettings:
    """Random network distillation."""

    kind: Literal["rnd"] = "rnd"
    width: int = 256
    """Of the three hidden layers of target and predictor."""
    outputs: int = 512
    """Numbers that the predictor predicts."""
    critic_width: int = 512
    """Of the three hidden layers of the bonus's own critic."""
    gamma: float = 0.99
    """Discount of a step, for the bonus's own critic."""
    gae_lambda: float = 0.8
    """Weight of longer advantage estimates, for the bonus's own critic."""
    scale: float = 0.01
    """Of the bonus's advantages beside those of the game."""
    distillation: float = 0.01
    """Weight of the predictor's loss."""
    value: float = 0.5
    """Weight of the critic's loss."""


@dataclass(frozen=True)
class ICMSettings:
    """The intrinsic curiosity module."""

    kind: Literal["icm"] = "icm"
    width: int = 256
    """Of the three hidden layers of features, forward and inverse model."""
    features: int = 32
    """Numbers that an observation becomes."""
    scale: float = 1.0
    """Of the reward."""


@dataclass(frozen=True)
class E3BSettings:
    """Elliptical episodic bonuses, on the features of a curiosity module."""

    kind: Literal["e3b"] = "e3b"
    width: int = 256
    """Of the three hidden layers of features, forward and inverse model."""
    features: int = 32
    """Numbers that an observation becomes."""
    ridge: float = 0.1
    """What the matrix begins with on its diagonal; the less, the more the first steps of an episode earn."""
    scale: float = 1.0
    """Of the reward."""


BonusKind = RNDSettings | ICMSettings | E3BSettings


def build_bonus(settings: BonusKind, shape: Shape, *, lanes: int) -> Bonus:
    """The bonus of these settings, its weights drawn from torch's generator.

    Args:
        settings: which, and how large.
        shape: of what is observed.
        lanes: that experience comes from.
    """
    match settings:
        case RNDSettings(width=width, critic_width=critic_width):
            return RND(
                _features(shape, width, settings.outputs),
                _features(shape, width, settings.outputs),
                _features(shape, critic_width, 1),
                gamma=settings.gamma,
                gae_lambda=settings.gae_lambda,
                scale=settings.scale,
                distillation=settings.distillation,
                value=settings.value,
            )
        case ICMSettings(width=width, features=size, scale=scale):
            return ICM(_features(shape, width, size), size, shape.actions, width=width, scale=scale)
        case E3BSettings(width=width, features=size, ridge=ridge, scale=scale):
            icm = ICM(_features(shape, width, size), size, shape.actions, width=width, scale=0.0)
            return E3B(icm, size, lanes=lanes, ridge=ridge, scale=scale)


def _features(shape: Shape, width: int, outputs: int) -> Features:
    encoder: nn.Module = PixelEncoder(shape, width) if shape.picture else CodeEncoder(shape, width)
    return Features(encoder, (width, width, width, outputs))
