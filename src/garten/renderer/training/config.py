"""Everything that decides how a renderer is trained: one tree of frozen settings.

`garten.renderer.training.presets` has them by name and stage, and says where each value comes from.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from garten.errors import RunError
from garten.renderer.settings import RendererSettings, check
from garten.runs.changes import require_ranges

Stage = Literal["ae", "bidirectional", "causal", "adversarial", "resolve"]
"""The autoencoder; whole clips at once; block by block after true history; own rollouts; what is shown."""

STAGES: tuple[Stage, ...] = ("ae", "bidirectional", "causal", "adversarial", "resolve")


@dataclass(frozen=True)
class DataSettings:
    """Which clips a step learns from, and what is done to them."""

    places: tuple[str, ...] = ()
    """Runs of clips, and manifests."""
    blocks: int = 2
    """Of a clip, after its reference frame."""
    batch: int = 4
    """Clips that go through the network together."""
    accumulate: int = 1
    """Batches of a step."""
    augment: bool = True
    """Whether geometry is dropped, bent and smoothed, see `garten.renderer.augment`."""
    silent: float = 0.1
    """Share of captions that are dropped, so that guidance has something to move away from."""
    forget: float = 0.0
    """Share of clips, or of blocks of stage ``resolve``, in which one side of exact history is hidden, so
    that more comes into view; see `garten.renderer.training.extras`."""
    scale_jitter: float = 0.0
    """Depth scales are multiplied by up to ``exp(jitter)``, either way."""


@dataclass(frozen=True)
class LearningSettings:
    """AdamW, and the average of the weights it finds."""

    rate: float = 1.5e-3
    final: float = 0.1
    """Share of the rate that is left at the last step, along a cosine; 1 keeps it."""
    warm_up: int = 100
    """Steps in which the rate rises from a tenth."""
    betas: tuple[float, float] = (0.9, 0.99)
    epsilon: float = 1e-8
    weight_decay: float = 0.0
    clip: float = 1.0
    """The longest gradient; a longer one is shortened to it."""
    average: float = 0.0
    """How much of the average of weights is kept each step, once it has seen enough; 0 keeps no average. The
    average is what is saved as the renderer."""
    recompute: bool = False
    """Whether what lies within layers is worked out again going back: less memory, see `blocks.states`."""
    deal: bool = False
    """Whether each process of a team keeps a part of weights, gradients and moments, in place of all of them,
    see `garten.renderer.training.dealt`; a process alone keeps all."""
    learns: Literal["all", "adapted"] = "all"
    """All weights, or those by which a network trained before adapts, see `garten.renderer.subset`."""


@dataclass(frozen=True)
class DistillSettings:
    """Of the stage on own rollouts. `LearningSettings.rate` is the student's."""

    fake_rate: float = 1e-4
    """Learning rate of the fake score."""
    judge_rate: float = 1e-4
    """Learning rate of the judge's head."""
    fakes: int = 5
    """Turns of fake score and judge for each one of the student."""
    warm_up: int = 10
    """Turns of the judge alone, at first."""
    guidance: float = 6.0
    """How far the teacher goes beyond what the caption changes; 1 is none."""
    history: bool = True
    """Whether gradients reach earlier blocks through what they left in memory: exact replay. Else history
    is taken as given."""
    adversarial: float = 0.01
    """Weight of the judge in the student's loss; at 0 there is no judge."""
    gamma: float = 0.075
    """Weight of the judge's penalties."""
    heads: int = 4
    """Of the judge's attention."""


@dataclass(frozen=True)
class Source:
    """A file that weights come from, and its digest, so that a resumed run knows it again."""

    file: str
    sha256: str


@dataclass(frozen=True)
class Config:
    """A training run."""

    stage: Stage
    renderer: RendererSettings = field(default_factory=RendererSettings)
    data: DataSettings = DataSettings()
    learning: LearningSettings = LearningSettings()
    distill: DistillSettings = DistillSettings()
    edges: float = 1.0
    """Of stages ``ae`` and ``resolve``: weight of the error in differences between neighbouring pixels."""
    spoil: bool = True
    """Of stage ``causal``: whether history is spoiled, see `garten.renderer.corrupt`."""
    origin: Source | None = None
    """The renderer to begin from; None for random weights."""
    teacher: Source | None = None
    """Of stage ``adversarial``: the frozen renderer over whole clips."""
    steps: int = 4000
    """Of the optimiser; of stage ``adversarial`` turns, see `garten.renderer.clock`."""
    seed: int = 0
    """Of everything random."""
    checkpoints: int = 4
    """Evenly spaced copies of the renderer that are kept."""

    @property
    def clip_frames(self) -> int:
        """Latent frames of a clip, its reference among them."""
        return 1 + self.data.blocks * self.renderer.block

    @property
    def whole_frames(self) -> int:
        """Frames after the reference, of a clip that is generated at once."""
        return (self.clip_frames - 1) * self.renderer.codec.step


_SIZES = (
    *("width", "height", "block", "trained_frames", "codec.channels", "codec.step", "geometry.pool"),
    *(f"network.{name}" for name in ("width", "layers", "heads", "kv_heads", "head", "hidden", "patch")),
    "captions.width",
)
"""Of a renderer: whole numbers that nothing can have none of."""

_RANGES: Mapping[str, tuple[float, float]] = {
    **{f"renderer.{name}": (1, math.inf) for name in _SIZES},
    "renderer.geometry.noise": (0, 1),
    "renderer.geometry.dense": (0, math.inf),
    "renderer.network.extra": (0, math.inf),
    "renderer.captions.words": (2, math.inf),
    "renderer.captions.tokens": (0, math.inf),
    "renderer.captions.layers": (0, math.inf),
    "renderer.resolve": (0, math.inf),
    "data.blocks": (1, math.inf),
    "data.batch": (1, math.inf),
    "data.accumulate": (1, math.inf),
    "data.silent": (0, 1),
    "data.forget": (0, 1),
    "data.scale_jitter": (0, 10),
    "learning.rate": (0, math.inf),
    "learning.final": (0, 1),
    "learning.warm_up": (0, math.inf),
    "learning.epsilon": (0, math.inf),
    "learning.weight_decay": (0, math.inf),
    "learning.clip": (0, math.inf),
    "learning.average": (0, 1),
    "distill.fake_rate": (0, math.inf),
    "distill.judge_rate": (0, math.inf),
    "distill.fakes": (1, math.inf),
    "distill.warm_up": (0, math.inf),
    "distill.gamma": (0, math.inf),
    "distill.adversarial": (0, math.inf),
    "distill.heads": (1, math.inf),
    "edges": (0, math.inf),
    "steps": (1, math.inf),
    "seed": (0, math.inf),
    "checkpoints": (1, math.inf),
}


def checked(config: Config) -> Config:
    """The settings, if a renderer can be trained by them.

    Raises:
        RunError: it cannot.
    """
    require_ranges(config, _RANGES)
    if not all(0.0 <= beta < 1.0 for beta in config.learning.betas):
        raise RunError(f"learning.betas are {list(config.learning.betas)}; give numbers from 0 to below 1.")
    try:
        check(config.renderer)
    except ValueError as error:
        raise RunError(str(error)) from error
    most = (config.renderer.trained_frames - 1) // config.renderer.block
    if config.data.blocks > most and config.stage != "resolve":  # which streams, however long
        raise RunError(
            f"Clips of {config.data.blocks} blocks are longer than renderer.trained_frames, which is "
            f"{config.renderer.trained_frames}; set data.blocks to {most} or less."
        )
    if config.data.forget and not _forgets(config):
        raise RunError(
            "data.forget hides what is carried along, in stage resolve, and in stage causal with spoil and a "
            "renderer.network.history of reprojected or both; leave it at 0 here."
        )
    if config.stage == "adversarial" and (config.origin is None or config.teacher is None):
        raise RunError(
            "Stage adversarial begins from a causal renderer and has a bidirectional one for its teacher; "
            "name them by --from and --teacher."
        )
    if config.stage != "adversarial" and config.teacher is not None:
        raise RunError(f"Stage {config.stage} has no teacher; leave out --teacher.")
    if config.stage in ("ae", "resolve") and config.learning.deal:
        raise RunError(
            f"What stage {config.stage} teaches is too small to be dealt; leave out learning.deal."
        )
    if config.stage == "resolve" and (config.origin is None or not config.renderer.resolve):
        raise RunError(
            "Stage resolve teaches renderer.resolve of a renderer that is trained; name that by --from, and "
            "leave renderer.resolve above 0."
        )
    if config.stage in ("bidirectional", "causal") and config.origin is None:
        raise RunError(
            f"Stage {config.stage} needs an autoencoder; train one by --stage ae, and name it by --from."
        )
    return config


def _forgets(config: Config) -> bool:
    """Whether there is history to hide."""
    carries = config.renderer.network.history != "attention"
    return config.stage == "resolve" or (config.stage == "causal" and config.spoil and carries)
